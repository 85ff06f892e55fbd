"""`start.py check`: what is ready and what is missing, in plain words."""

import os
import sys
from pathlib import Path

from launcher import environment, interpreters, lock, machine
from launcher.console import counted, say
from launcher.copies import Copies
from launcher.testing import PROGRAMS, find_program


def environment_in_use() -> tuple[Path, Path]:
    """Python and prefix that `lab` would use: an active environment with exactly the lock, else .venv."""
    active = environment.active_environment()
    if active is not None and not lock.differences(
        lock.parse(lock.LOCK.read_text(encoding="utf-8"))
    ):
        return Path(sys.executable), active
    return environment.python_of(environment.VENV), environment.VENV


def packages(python: Path, prefix: Path) -> tuple[bool, str]:
    """Whether this environment holds exactly the lock and knows this folder."""
    if not prefix.exists():
        return False, "The packages are not installed yet: python start.py lab does it."
    if (prefix / environment.INSTALLING).exists():
        return False, "An installation was interrupted: python start.py lab builds .venv anew."
    differing = environment.differences(python) if python.exists() else None
    if differing is None or (prefix == environment.VENV and not environment.works(prefix)):
        return False, "The environment .venv is damaged: python start.py lab builds it anew."
    if differing:
        shown = "; ".join(differing[:3]) + (
            f"; and {len(differing) - 3} more" if len(differing) > 3 else ""
        )
        return (
            False,
            f"The packages are not those of the lock: {shown}. python start.py lab puts that right.",
        )
    stamp, goal = environment.read_stamp(prefix), environment.wanted()
    if {key: stamp.get(key) for key in goal} != goal:
        return (
            False,
            f"The packages are right, but {prefix.name} was not connected to this folder: python start.py lab.",
        )
    return True, f"All packages are installed as the lock says ({prefix.name})."


def kernels(prefix: Path) -> tuple[bool, str]:
    """Whether the games' rules are compiled for the sources as they are."""
    if environment.read_stamp(prefix).get("warmed") == environment.sources():
        return True, "The rules of the games are compiled."
    return (
        False,
        "The rules of the games are not compiled yet: python start.py lab does it in half a minute.",
    )


def copies(root: Path) -> tuple[bool, str]:
    """Whether my/ has every notebook and sheet, and whether newer ones wait."""
    mine = Copies(root)
    missing = [name for name in mine.course_files() if not (mine.my / name).exists()]
    if missing:
        return (
            False,
            f"my/ lacks {counted(len(missing), 'file')} of the course: python start.py lab brings them.",
        )
    waiting = mine.waiting()
    if waiting:
        return (
            True,
            f"my/ is complete; newer versions of {counted(len(waiting), 'file')} wait: python start.py update brings them.",
        )
    return True, "my/ has every notebook and sheet."


def report(root: Path) -> int:
    """Print one line for each thing that must be right. Returns 0 if all are, else 1."""
    here = interpreters.this_python()
    python, prefix = environment_in_use()
    ready, installed = packages(python, prefix)
    found: list[tuple[bool, str]] = [
        (
            True,
            f"Python {interpreters.numbers(here)}, {here.bits}-bit, {here.machine} ({here.path})",
        )
    ]
    for trouble, fine in (
        (machine.venv_trouble(), "This Python can make environments."),
        (machine.folder_trouble(root), "The course's folder can be written to."),
        (machine.this_path_trouble(root), "The course's folder has a good place."),
    ):
        found.append((trouble is None, trouble or fine))
    if not ready:
        trouble = machine.disk_trouble(root)
        found.append(
            (trouble is None, trouble or f"{machine.free_gb(root):.0f} GB of disk are free.")
        )
    found += [(ready, installed), kernels(prefix), copies(root)]
    for right, text in found:
        say(("  ok       " if right else "  MISSING  ") + text)
    if os.name == "posix":
        absent = [name for name in PROGRAMS if find_program(name) is None]
        say(
            "  (only for tests and some cells: "
            + (", ".join(absent) + " not found" if absent else "all found")
            + ")"
        )
    good = all(right for right, _ in found)
    say("Everything is ready." if good else "Not everything is ready.")
    if good:
        say(
            "python start.py lab opens the course, python start.py play a page to play on; python start.py rlcourse COMMAND"
        )
        say(
            "runs a command of the course from any folder: rlcourse hand-in 1 hands sheet 1 in, rlcourse --help names the others."
        )
    return 0 if good else 1
