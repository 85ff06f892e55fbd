"""The README: its table of lessons agrees with the notebooks, its commands and those of docs/ with
start.py and rlcourse.
"""

import re
from pathlib import Path

import pytest

from launcher.main import HANDED_ON, parser

ROOT = Path(__file__).resolve().parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
TEXT = "\n".join(path.read_text(encoding="utf-8") for path in PAGES)
GUIDES = [ROOT / f"{name}.md" for name in ("CONTRIBUTING", "SECURITY", "CHANGELOG")]


def test_the_table_has_every_notebook_and_no_other() -> None:
    there = sorted(
        path.relative_to(ROOT).as_posix() for path in (ROOT / "notebooks").glob("*.ipynb")
    )
    rows = re.findall(r"^\| \[\d\d\w? [^\]]+\]\((notebooks/[^)]+)\)", README, re.MULTILINE)
    assert sorted(rows) == there


@pytest.mark.parametrize("page", [*PAGES, *GUIDES], ids=lambda page: page.name)
def test_links_and_modules_are_there(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    for target in re.findall(r"\]\(([^)#]+)[^)]*\)", text):
        assert "://" in target or (page.parent / target).exists(), target
    for module in re.findall(r"python -m (tests[.\w]+)", text):
        path = ROOT / module.replace(".", "/")
        assert path.with_suffix(".py").exists() or (path / "__main__.py").exists(), module


def test_commands_are_understood() -> None:
    commands = re.findall(
        r"(?:python3?|py)? ?start\.py ((?:lab|play|site|test|check|update|reset)[^`#\n]*)", TEXT
    )
    assert len(commands) > 10
    for command in commands:
        options, extra = parser().parse_known_args(command.strip().replace("NAME", "00").split())
        assert not extra or options.command in ("test", *HANDED_ON), command


def test_the_first_screen_shows_a_board_and_names_the_two_commands() -> None:
    first = README.splitlines()[:16]
    for command in ("python start.py lab", "python start.py test"):
        assert any(line.startswith(command) for line in first), command
    assert any(line.startswith("![") for line in first)
    assert len(README.splitlines()) <= 90


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
