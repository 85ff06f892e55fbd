"""The environment of the course: made once, kept in step with the lock,
found again in milliseconds.

The stamp `course-ready.json` inside the environment is written after everything else, so an
installation that was interrupted never looks finished. `course-installing` lies there while
packages change, and says which were there before.
"""

import hashlib
import json
import os
import platform
import re
import shutil
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from launcher import machine, uv
from launcher.console import Stop, say
from launcher.programs import call
from rlcourse.atomic import lock_file, write_atomically

ROOT = Path(__file__).resolve().parent.parent
VENV = ROOT / ".venv"

# The part of the boards that is copied into the environment.
EXTENSION = ROOT / "rlcourse" / "boards" / "labextension"
STAMP, INSTALLING, HELD = "course-ready.json", "course-installing", "course-held"


def python_of(venv: Path) -> Path:
    """Where the environment's Python is on this system."""
    return venv / "Scripts" / "python.exe" if os.name == "nt" else venv / "bin" / "python"


def fingerprint(*paths: Path) -> str:
    """sha256 of the files' names and contents; line endings do not count,
    because git may change them.
    """
    digest = hashlib.sha256()
    for path in sorted(paths):
        digest.update(path.name.encode() + b"\0")
        digest.update(path.read_bytes().replace(b"\r\n", b"\n") + b"\0")
    return digest.hexdigest()


def wanted() -> dict[str, str]:
    """What a stamp must say for the environment to be in step, but for the compiled kernels."""
    return {
        "lock": fingerprint(ROOT / "requirements.lock"),
        "pyproject": fingerprint(ROOT / "pyproject.toml", *EXTENSION.rglob("*.js*")),
        "root": str(ROOT),
    }


def sources() -> str:
    """Fingerprint of the package's Python files: when it changes, kernels may
    have to be compiled again.
    """
    return fingerprint(*(ROOT / "rlcourse").rglob("*.py"))


def read_stamp(prefix: Path) -> dict[str, str]:
    """What the environment was last made ready for; empty if it never was."""
    try:
        return json.loads((prefix / STAMP).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}


def write_stamp(prefix: Path, stamp: dict[str, str]) -> None:
    """Add to the stamp, in one step."""
    write_atomically(prefix / STAMP, json.dumps({**read_stamp(prefix), **stamp}, indent=1))


def packages(venv: Path) -> str:
    """The names and versions that lie in the environment, a line each."""
    inside = "Lib/site-packages" if os.name == "nt" else "lib/python*/site-packages"
    return "\n".join(sorted(path.name for path in venv.glob(f"{inside}/*.dist-info")))


def works() -> bool:
    """Whether the Python of .venv is there, so is the Python it was made from, and no
    installation broke off in it.
    """
    if not python_of(VENV).exists() or not (VENV / "pyvenv.cfg").exists():
        return False
    text = (VENV / "pyvenv.cfg").read_text(encoding="utf-8", errors="replace")
    made_from = re.findall(r"(?m)^home = (.+)$", text)
    mark = VENV / INSTALLING
    whole = not mark.exists() or mark.read_text(encoding="utf-8") == packages(VENV)
    return whole and any(Path(folder).is_dir() for folder in made_from)


def in_step(prefix: Path) -> bool:
    """Whether the stamp says what it must, and nothing was begun since."""
    says_it = wanted().items() <= read_stamp(prefix).items()
    return says_it and not (prefix / INSTALLING).exists()


def ready() -> bool:
    """Whether .venv can be used as it is."""
    return in_step(VENV) and works()


def active_environment() -> Path | None:
    """Prefix of the virtual or conda environment that runs this, other than
    the course's own; else None.
    """
    prefix = Path(sys.prefix)
    if VENV.exists() and prefix.exists() and os.path.samefile(prefix, VENV):
        return None
    inside = sys.prefix != sys.base_prefix or (prefix / "conda-meta").is_dir()
    return prefix if inside else None


def in_use() -> tuple[Path, Path]:
    """Python and prefix for the course: of an active environment with exactly the lock, else of
    .venv.
    """
    active, here = active_environment(), Path(sys.executable)
    if active is not None and uv.is_exact(here):
        return here, active
    return python_of(VENV), VENV


@contextmanager
def alone() -> Iterator[None]:
    """Wait until no other start.py, nor what one that was killed left running, changes .venv."""
    VENV.mkdir(exist_ok=True)
    with (VENV / HELD).open("ab") as stream:
        os.set_inheritable(stream.fileno(), True)
        if not lock_file(stream.fileno()):
            say("Another start.py is setting the course up: waiting for its end ...")
            while not lock_file(stream.fileno()):
                time.sleep(0.5)
        yield


def empty_venv() -> None:
    """Delete what is in .venv, not the folder: it may be a link to a larger disk."""
    if Path(sys.prefix).exists() and os.path.samefile(sys.prefix, VENV):
        raise Stop(
            "The environment .venv must be built anew, and it is active here. "
            "Type   deactivate   first."
        )
    for path in VENV.iterdir():
        try:
            if path.name != HELD:
                shutil.rmtree(path) if path.is_dir() and not path.is_symlink() else path.unlink()
        except OSError as error:
            raise Stop(
                f"The old environment could not be removed ({error}). Close JupyterLab and other "
                "programs that use the course, or delete the folder .venv by "
                "hand, and start again."
            ) from error


def make_venv() -> None:
    """Make .venv (or put it right), with pip in it. Raises Stop in plain words."""
    command = [sys.executable, "-m", "venv", str(VENV)]
    call(command, f"Python could not make the environment {VENV} (see above).")


def build(wheels: Path | None, anyway: bool) -> None:
    """Make .venv and install the lock, from nothing."""
    if any(path.name != HELD for path in VENV.iterdir()):
        say(
            "The environment .venv is damaged or its installation was "
            "interrupted: it is built anew."
        )
    machine.require_room(ROOT, anyway)
    version = platform.python_version()
    say(f"Setting up the course with Python {version} (once; a few minutes, 2.6 GB in .venv).")
    empty_venv()
    (VENV / INSTALLING).write_text("building", encoding="utf-8")
    make_venv()
    python = python_of(VENV)
    say("Fetching uv, which installs the packages" + (f" from {wheels}" if wheels else "") + " ...")
    uv.fetch(python, wheels)
    uv.install(python, wheels)


def own_environment(wheels: Path | None, anyway: bool) -> None:
    """Make .venv ready, doing only what is missing."""
    python, stamp, goal = python_of(VENV), read_stamp(VENV), wanted()
    if not works():
        build(wheels, anyway)
    elif stamp.get("lock") != goal["lock"]:
        say("Comparing the packages with the course's list, and bringing those that differ ...")
        try:
            uv.fetch(python, wheels)
            (VENV / INSTALLING).write_text(packages(VENV), encoding="utf-8")
            uv.install(python, wheels)
        except Stop as stop:
            # Where nothing has changed yet, the packages of before go on serving.
            if not works() or not stamp:
                raise
            (VENV / INSTALLING).unlink(missing_ok=True)
            say(f"{stop}\n\nThe packages of before are untouched: the course starts with those.\n")
            return
    elif stamp.get("root") != goal["root"]:
        say("The course's folder was moved: its environment is put right.")
        make_venv()
    connect(python, VENV)


def connect(python: Path, prefix: Path) -> None:
    """Make `import rlcourse` mean this folder, and write the stamp."""
    uv.install_course(python)
    (prefix / INSTALLING).unlink(missing_ok=True)
    write_stamp(prefix, wanted())


def warm(python: Path, prefix: Path) -> None:
    """Compile the kernels unless that was done for the sources as they are.

    A failure costs time later, no more.
    """
    now = sources()
    if read_stamp(prefix).get("warmed") == now:
        return
    say("Compiling the rules of the games (once, about half a minute) ...")
    command = [str(python), "-u", "-m", "rlcourse.warm"]  # -u: each step is seen when it is done
    slow = "The course starts all the same; the first move of a game is slow."
    try:
        call(command, f"That did not work (see above). {slow}")
    except Stop as stop:
        say(str(stop))
    else:
        write_stamp(prefix, {"warmed": now})


def prepare(wheels: Path | None = None, anyway: bool = False) -> Path:
    """Everything from a bare Python to a ready environment. Returns the
    Python to run the course with.

    An active environment that already has exactly the packages of the lock (conda with
    environment.yml) is used as it is; any other is left alone and .venv is made beside start.py.
    """
    if wheels is not None and not any(wheels.glob("*.whl")):
        raise Stop(
            f"The folder {wheels} has no wheels (files that end in .whl). See "
            "docs/setup.md on how to fill it."
        )
    active, (python, prefix) = active_environment(), in_use()
    if prefix == active:
        say(f"Using the active environment {active}, which has all packages of the lock.")
        if not in_step(prefix):
            connect(python, prefix)
    elif active is not None and not (VENV / STAMP).exists():
        say(f"The active environment {active} differs from the lock: .venv is used instead.")
    if prefix == VENV and not ready():
        if trouble := machine.folder_trouble(ROOT):
            raise Stop(trouble)
        with alone():
            if not ready():
                own_environment(wheels, anyway)
    warm(python, prefix)
    return python
