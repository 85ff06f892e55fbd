"""The command line in the process of the tests, which has imported what the commands need."""

import sys

import pytest

from rlcourse.cli import main


def exit_code(monkeypatch: pytest.MonkeyPatch, *words: str) -> int:
    """Run `rlcourse WORDS`; an error that the course does not report as its own is raised."""
    monkeypatch.setattr(sys, "argv", ["rlcourse", *words])
    with pytest.raises(SystemExit) as stop:
        main()
    return stop.value.code
