"""The README's table of lessons agrees with the notebooks, and its commands with start.py."""

import json
import re
from pathlib import Path

import pytest

from launcher.main import parser

ROOT = Path(__file__).resolve().parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")
LINKED = re.findall(r"^\| \[(\d\d) [^\]]+\]\((notebooks/[^)]+)\) \| (\d+) min \| (\d+) (s|min) \|", README, re.MULTILINE)


def test_the_table_has_every_notebook_and_no_other() -> None:
    there = sorted(path.relative_to(ROOT).as_posix() for path in (ROOT / "notebooks").glob("*.ipynb"))
    assert sorted(path for _, path, *_ in LINKED) == there


def test_every_lesson_is_either_there_or_coming() -> None:
    coming = re.findall(r"^\| (\d\d) .* \| \*coming\* \|$", README, re.MULTILINE)
    assert sorted([number for number, *_ in LINKED] + coming) == [f"{n:02d}" for n in range(11)]


@pytest.mark.parametrize(("number", "path", "minutes", "run", "unit"), LINKED)
def test_minutes_to_read_are_those_of_the_notebook(number: str, path: str, minutes: str, run: str, unit: str) -> None:
    cells = json.loads((ROOT / path).read_text(encoding="utf-8"))["cells"]
    text = "".join("".join(cell["source"]) for cell in cells if cell["cell_type"] == "markdown")
    assert re.search(r"\*\*Time\*\* \| (\d+) minutes", text)[1] == minutes


def test_links_lead_somewhere() -> None:
    for target in re.findall(r"\]\(([^)#]+)\)", README):
        assert "://" in target or (ROOT / target).exists(), target


def test_commands_of_the_readme_are_understood() -> None:
    commands = re.findall(r"(?:python3?|py)? ?start\.py ((?:lab|test|check|update|reset)[^`#\n]*)", README)
    assert len(commands) > 10
    for command in commands:
        options, extra = parser().parse_known_args(command.strip().replace("NAME", "00").split())
        assert not extra or options.command == "test", command
