"""The words of the course: codespell finds no slip, and no phrase stands there that `terms.toml` avoids."""

import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from tests.notebooks.measure import prose
from tests.notebooks.reading import LESSONS, ROOT, read

LIST = Path(__file__).with_name("terms.toml")
GUIDES = (
    "README.md",
    "exercises/README.md",
    "exercises/GLOSSARY.md",
    "solutions/README.md",
    "docs/grading.md",
    "docs/checks.md",
    "notebooks/NOTATION.md",
)
TERMS = tomllib.loads(LIST.read_text(encoding="utf-8"))
PAGES = LESSONS | {name: ROOT / name for name in GUIDES}


def text_of(path: Path) -> str:
    """The Markdown of a guide, or of a notebook's cells."""
    if path.suffix != ".ipynb":
        return path.read_text(encoding="utf-8")
    return "\n\n".join(cell.source for cell in read(path).cells if cell.cell_type == "markdown")


def avoided(text: str) -> list[str]:
    """The phrases to avoid that stand in a text, each with its place and what to write instead."""
    text = re.sub(r"\$\$.*?\$\$|\$[^$\n]*\$|`[^`\n]*`", " ", prose(text), flags=re.DOTALL)
    return [
        f"...{text[max(0, hit.start() - 30) : hit.end() + 30]!r}: write {phrase['write']}"
        for phrase in TERMS["phrase"]
        for hit in re.finditer(rf"\b(?:{phrase['avoid']})\b", text, re.IGNORECASE)
    ]


@pytest.mark.parametrize("name", PAGES)
def test_no_phrase_to_avoid_stands_there(name):
    assert avoided(text_of(PAGES[name])) == []


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("The simplest one throws dice.", 1),
        ("The value stands to X's account, and he knows it.", 2),
        ("The reward is to the first player's account.", 1),
        ("They pick a move at random. The other head hears this.", 0),
        ("`he = 1` and $he$ are no words.", 0),
        ("A residual connection: He and others (2016).", 0),
        ("A bonus on account of the draw.", 0),
        ("It gets almost unbeatable: for every move, forever.", 1),
    ],
)
def test_phrases_are_found_as_whole_words_of_the_prose(text, count):
    assert len(avoided(text)) == count


def test_codespell_finds_no_slip(tmp_path):
    for name, path in PAGES.items():
        (tmp_path / f"{name.replace('/', '-')}.txt").write_text(text_of(path), encoding="utf-8")
    command = [sys.executable, "-m", "codespell_lib", str(tmp_path)]
    found = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (found.returncode, found.stdout, found.stderr) == (0, "", "")


def test_codespell_would_find_one(tmp_path):
    (tmp_path / "page.txt").write_text("The seperate rewards.\n", encoding="utf-8")
    command = [sys.executable, "-m", "codespell_lib", str(tmp_path)]
    found = subprocess.run(command, capture_output=True, text=True, check=False)
    assert found.returncode and "seperate ==> separate" in found.stdout
