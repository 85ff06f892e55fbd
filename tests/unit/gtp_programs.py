"""Programs that take an engine's place in the tests: a test gives the lines that answer."""

import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from rlcourse.busy import Deadline

ENGINE = """#!{python} -SE
import os, subprocess, sys, time
from pathlib import Path
folder = Path({folder!r})
(folder / f"pid-{{os.getpid()}}").touch()
def say(text):
    sys.stdout.write(text)
    sys.stdout.flush()
KNOWN = {{"protocol_version": "2", "name": "Dummy", "version": "1.5", "known_command set_random_seed": {seeds!r}}}
{before}
for line in sys.stdin:
    number, _, command = line.strip().partition(" ")
    with open(folder / "commands", "a") as notes:
        notes.write(command + "\\n")
    if command in KNOWN:
        say(f"={{number}} {{KNOWN[command]}}\\n\\n")
    elif line == "quit\\n":
        break
    else:
{answer}
(folder / "clean").touch()
"""
ECHO = 'say(f"={number} {command}\\n\\n")'


def write_engine(folder: Path, answer: str = ECHO, before: str = "", seeds: bool = False) -> str:
    """Path of a new program in `folder`. It notes its process and every command."""
    path = folder / "dummy"
    lines = "\n".join(" " * 8 + line for line in answer.splitlines())
    known = "true" if seeds else "false"
    path.write_text(
        ENGINE.format(
            python=sys.executable, folder=str(folder), answer=lines, before=before, seeds=known
        )
    )
    path.chmod(0o755)
    return str(path)


def commands(program: str) -> list[str]:
    """What the program has been asked."""
    return Path(program).with_name("commands").read_text().splitlines()


def pids(folder: Path) -> list[int]:
    """The processes that the program, and its children, have noted."""
    return [int(path.name.removeprefix("pid-")) for path in folder.glob("pid-*")]


def alive(pid: int) -> bool:
    """Whether the process runs."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] != "Z"
    except FileNotFoundError:
        return False


def left(folder: Path) -> list[int]:
    """The processes of `pids` that do not end: one that is killed takes
    its time on a busy machine.
    """
    deadline = Deadline(10)
    running = pids(folder)
    while running and not deadline.over():
        time.sleep(0.01)
        running = [pid for pid in running if alive(pid)]
    return running


@contextmanager
def nothing_left(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder for programs; in the end no process of theirs, and no folder of ours, may be left."""
    programs, scratch = tmp_path / "programs", tmp_path / "scratch"
    programs.mkdir()
    scratch.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(scratch))
    yield programs
    assert not list(scratch.iterdir()), "a folder is left"
    assert not left(programs), "a process is left"


def interrupt_at(note: Path) -> None:
    """Ctrl-C in the main thread, once a program has written this file."""
    main = threading.main_thread().ident

    def interrupt() -> None:
        while not note.exists():
            time.sleep(0.01)
        signal.pthread_kill(main, signal.SIGINT)

    threading.Thread(target=interrupt).start()


def assert_programs_die_with_their_caller(script: str, program: str, tmp_path: Path) -> None:
    """The script starts two processes and is killed; `nothing_left` then looks for folders."""
    scratch = tmp_path / "scratch"
    begin = f"import os, tempfile; tempfile.tempdir = {str(scratch)!r}"
    command = [sys.executable, "-c", f"{begin}\n{script}\nos.kill(os.getpid(), 9)"]
    assert subprocess.run(command, cwd=Path(__file__).parents[2]).returncode == -9
    started = pids(Path(program).parent)
    assert len(started) == 2
    deadline = Deadline(5)
    while not deadline.over() and (any(map(alive, started)) or list(scratch.iterdir())):
        time.sleep(0.02)
