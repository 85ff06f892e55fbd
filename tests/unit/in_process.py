"""The command line in the process of the tests, which has imported what the commands need."""

import signal
import sys

import pytest

from rlcourse.cli import main


def exit_code(monkeypatch: pytest.MonkeyPatch, *words: str) -> int:
    """Run `rlcourse WORDS`; an error that the course does not report as its own is raised."""
    monkeypatch.setattr(sys, "argv", ["rlcourse", *words])
    before = signal.getsignal(signal.SIGINT)
    try:
        with pytest.raises(SystemExit) as stop:
            main()
    finally:
        signal.signal(signal.SIGINT, before)
    return stop.value.code
