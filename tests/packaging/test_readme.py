"""The README: its table of lessons agrees with the notebooks, its commands and those of docs/ with
start.py and rlcourse.
"""

import json
import re
from pathlib import Path

import pytest

from launcher.main import HANDED_ON, parser

ROOT = Path(__file__).resolve().parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")
COMMANDS = (ROOT / "docs" / "commands.md").read_text(encoding="utf-8")
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
TEXT = "\n".join(path.read_text(encoding="utf-8") for path in PAGES)
LINKED = re.findall(
    r"^\| \[(\d\d\w?) [^\]]+\]\((notebooks/[^)]+)\) \| (\d+) min \| (\d+) (s|min) \|",
    README,
    re.MULTILINE,
)


def test_the_table_has_every_notebook_and_no_other() -> None:
    there = sorted(
        path.relative_to(ROOT).as_posix() for path in (ROOT / "notebooks").glob("*.ipynb")
    )
    assert sorted(path for _, path, *_ in LINKED) == there


def test_every_lesson_is_either_there_or_coming() -> None:
    coming = re.findall(r"^\| (\d\d) .* \| \*coming\* \|$", README, re.MULTILINE)
    assert sorted({number[:2] for number, *_ in LINKED} | set(coming)) == [
        f"{n:02d}" for n in range(12)
    ]


@pytest.mark.parametrize(("number", "path", "minutes", "run", "unit"), LINKED)
def test_minutes_to_read_are_those_of_the_notebook(
    number: str, path: str, minutes: str, run: str, unit: str
) -> None:
    cells = json.loads((ROOT / path).read_text(encoding="utf-8"))["cells"]
    text = "".join("".join(cell["source"]) for cell in cells if cell["cell_type"] == "markdown")
    assert re.search(r"\*\*Time\*\* \| (\d+) minutes", text)[1] == minutes


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_lead_somewhere(page: Path) -> None:
    for target in re.findall(r"\]\(([^)#]+)[^)]*\)", page.read_text(encoding="utf-8")):
        assert "://" in target or (page.parent / target).exists(), target


def test_commands_are_understood() -> None:
    commands = re.findall(
        r"(?:python3?|py)? ?start\.py ((?:lab|play|site|test|check|update|reset)[^`#\n]*)", TEXT
    )
    assert len(commands) > 10
    for command in commands:
        options, extra = parser().parse_known_args(command.strip().replace("NAME", "00").split())
        assert not extra or options.command in ("test", *HANDED_ON), command


def section(name: str) -> str:
    """The text of one section of the page of commands."""
    return re.search(rf"^## {name}$(.*?)(?=^## |\Z)", COMMANDS, re.MULTILINE | re.DOTALL)[1]


def test_the_first_screen_shows_a_board_and_names_the_two_commands() -> None:
    first = README.splitlines()[:16]
    for command in ("python start.py lab", "python start.py test"):
        assert any(line.startswith(command) for line in first), command
    assert any(line.startswith("![") for line in first)
    assert len(README.splitlines()) <= 90


@pytest.mark.parametrize(
    "name",
    [
        "rlcourse release",
        "rlcourse hand-in",
        "rlcourse grade --check",
        "rlcourse grade 02 --submissions",
    ],
)
def test_instructors_are_sent_through_a_term(name: str) -> None:
    assert name in section("Instructors")


def test_instructors_are_sent_to_the_guide_and_never_to_autograde() -> None:
    """`nbgrader autograde` stands in no block of commands, and where it is named it
    is said to be no protection.
    """
    assert "](solutions/README.md)" in README
    blocks = re.findall(r"^```.*?^```", TEXT, re.MULTILINE | re.DOTALL)
    assert blocks and not any("autograde" in block for block in blocks)
    assert all(
        "no protection" in paragraph for paragraph in TEXT.split("\n\n") if "autograde" in paragraph
    )


def test_students_are_sent_to_their_guide_the_glossary_and_their_commands() -> None:
    for words in ("](exercises/README.md)", "](exercises/GLOSSARY.md)"):
        assert words in README, words
    for words in ("start.py play", "start.py rlcourse hand-in", "start.py update"):
        assert words in section("Students"), words


def test_commands_of_the_course_exist() -> None:
    """Each `rlcourse NAME` is a command, with options that it has."""
    from typer.main import get_command

    from rlcourse.cli import app

    known, named = (
        get_command(app).commands,
        re.findall(r"\brlcourse ((?:[a-z-]+)(?: [^`#\n]*)?)", TEXT),
    )
    named = [words.split() for words in named if words.split()[0] in known]
    assert {"hand-in", "grade", "release", "play", "site", "train"} <= {words[0] for words in named}
    for name, *words in named:
        command = known[name]
        if inner := getattr(command, "commands", {}):  # such as hub init
            command = inner[words[0]] if words else command
        options = {option for parameter in command.params for option in parameter.opts}
        assert {word for word in words if word.startswith("--")} <= options | {"--help", "-->"}, (
            name,
            words,
        )
