"""`start.py check`: what is ready and what is missing, in plain words."""

import os
import shutil
from pathlib import Path

from launcher import environment, interpreters, machine, uv
from launcher.console import counted, say
from launcher.copies import Copies

# Outside program -> its Debian package. Debian keeps games off root's PATH.
PROGRAMS = {
    "chromium": "chromium",
    "gnugo": "gnugo",
    "gnubg": "gnubg",
    "bwrap": "bubblewrap",
    "node": "nodejs",
    "wasm-ld": "lld",
}


def find_program(name: str) -> str | None:
    """Path of an outside program, or None."""
    return shutil.which(name) or shutil.which(name, path="/usr/games")


def packages_trouble(python: Path, prefix: Path) -> str | None:
    """A sentence when this environment lacks something of the lock or does not
    know this folder, else None.
    """
    if not environment.read_stamp(prefix) and not python.exists():
        return "The packages are not installed yet: python start.py lab does it."
    if prefix == environment.VENV and not environment.works():
        return "The environment .venv is damaged or half made: python start.py lab builds it anew."
    if not uv.is_exact(python):
        return "The packages are not those of the lock: python start.py lab puts that right."
    if not environment.in_step(prefix):
        return f"{prefix.name} is not connected to this folder: python start.py lab does it."
    return None


def kernels_trouble(prefix: Path) -> str | None:
    """A sentence when the games' rules are not compiled for the sources as they are, else None."""
    if environment.read_stamp(prefix).get("warmed") == environment.sources():
        return None
    return (
        "The rules of the games are not compiled yet: python start.py lab does it in half a minute."
    )


def copies(mine: Copies) -> tuple[str | None, str]:
    """A sentence when my/ lacks a file, else None; and what to say where it lacks none."""
    if missing := mine.missing():
        lacks = f"my/ lacks {counted(len(missing), 'file')} of the course"
        return f"{lacks}: python start.py lab brings them.", ""
    if waiting := mine.waiting():
        newer = f"newer versions of {counted(len(waiting), 'file')} wait"
        return None, f"my/ is complete; {newer}: python start.py update brings them."
    return None, "my/ has every notebook and sheet."


def report(root: Path) -> int:
    """Print one line for each thing that must be right. Returns 0 if all are, else 1."""
    here = interpreters.this_python()
    python, prefix = environment.in_use()
    version = f"Python {interpreters.numbers(here)}, {here.bits}-bit, {here.machine} ({here.path})"
    packages = packages_trouble(python, prefix)
    checked = [
        (None, version),
        (machine.venv_trouble(), "This Python can make environments."),
        (machine.folder_trouble(root), "The course's folder can be written to."),
        (machine.this_path_trouble(root), "The course's folder has a good place."),
        (packages, f"All packages are installed as the lock says ({prefix.name})."),
        (kernels_trouble(prefix), "The rules of the games are compiled."),
        copies(Copies(root)),
    ]
    if packages:
        checked.append((machine.disk_trouble(root), f"{machine.free_gb(root):.0f} GB are free."))
    for trouble, fine in checked:
        say(f"  MISSING  {trouble}" if trouble else f"  ok       {fine}")
    if os.name == "posix":
        absent = ", ".join(name for name in PROGRAMS if find_program(name) is None)
        say(
            f"  (only for tests and some cells: {absent + ' not found' if absent else 'all found'})"
        )
    if any(trouble for trouble, _ in checked):
        say("Not everything is ready.")
        return 1
    say(
        "Everything is ready.\n"
        "python start.py lab opens the course, python start.py play a page to play on; python "
        "start.py rlcourse COMMAND\n"
        "runs a command of the course from any folder: rlcourse hand-in 1 hands sheet 1 in, "
        "rlcourse --help names the others."
    )
    return 0
