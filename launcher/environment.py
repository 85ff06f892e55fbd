"""The environment of the course: made once, kept in step with the lock, found again in milliseconds.

The stamp `course-ready.json` inside the environment is written after everything else, so an installation that
was interrupted never looks finished. A second file, `course-installing`, lies there while packages change:
an environment that still has it was interrupted and is built anew.
"""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

from launcher import lock, machine
from launcher.console import Stop, counted, say
from launcher.pip import create_venv, install_course, install_lock
from rlcourse.atomic import write_atomically

ROOT = Path(__file__).resolve().parent.parent
VENV = ROOT / ".venv"
# Settings of the person's own Python and pip that would send modules or packages elsewhere.
FOREIGN = ("PYTHONPATH", "PYTHONHOME", "PYTHONSTARTUP", "VIRTUAL_ENV", "__PYVENV_LAUNCHER__")
FOREIGN += ("PIP_TARGET", "PIP_PREFIX", "PIP_ROOT", "PIP_CONSTRAINT", "PIP_REQUIREMENT")

EXTENSION = (
    ROOT / "rlcourse" / "boards" / "labextension"
)  # the part of the boards that is copied into the environment

STAMP, INSTALLING = "course-ready.json", "course-installing"


def python_of(venv: Path) -> Path:
    """Where the environment's Python is on this system."""
    return venv / "Scripts" / "python.exe" if os.name == "nt" else venv / "bin" / "python"


def child_environment(python: Path) -> dict[str, str]:
    """The variables for programs of the environment: its commands first on PATH, foreign Python settings gone."""
    variables = dict(os.environ)
    for name in FOREIGN:
        variables.pop(name, None)
    if (python.parent.parent / "pyvenv.cfg").exists():
        variables["VIRTUAL_ENV"] = str(python.parent.parent)
    variables["PATH"] = os.pathsep.join([str(python.parent), variables.get("PATH", os.defpath)])
    variables |= {"PYTHONUTF8": "1", "PIP_USER": "0"}
    return variables


def works(venv: Path) -> bool:
    """Whether the environment's Python is there and so is the Python it was made from."""
    if not python_of(venv).exists() or not (venv / "pyvenv.cfg").exists():
        return False
    text = (venv / "pyvenv.cfg").read_text(encoding="utf-8", errors="replace")
    settings = dict(line.split(" = ", 1) for line in text.splitlines() if " = " in line)
    return Path(settings.get("home", "")).is_dir()


def read_stamp(prefix: Path) -> dict[str, str]:
    """What the environment was last made ready for; empty if it never was."""
    try:
        stamp = json.loads((prefix / STAMP).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return stamp if isinstance(stamp, dict) else {}


def write_stamp(prefix: Path, stamp: dict[str, str]) -> None:
    """Replace the stamp in one step."""
    write_atomically(prefix / STAMP, json.dumps(stamp, indent=1))


def wanted() -> dict[str, str]:
    """What a stamp must say for the environment to be in step, but for the compiled kernels."""
    return {
        "lock": lock.fingerprint(ROOT / "requirements.lock"),
        "pyproject": lock.fingerprint(ROOT / "pyproject.toml", *EXTENSION.rglob("*.js*")),
        "root": str(ROOT),
    }


def sources() -> str:
    """Fingerprint of the package's Python files: when it changes, kernels may have to be compiled again."""
    return lock.fingerprint(*(ROOT / "rlcourse").rglob("*.py"))


def differences(python: Path, path: Path = lock.LOCK) -> list[str] | None:
    """How the packages of `python` differ from a lock; None when that Python cannot even say."""
    result = subprocess.run(
        [str(python), "-B", "-m", "launcher.lock", str(path)],
        cwd=ROOT,
        env=child_environment(python),
        capture_output=True,
        text=True,
        encoding="utf-8",
        errors="replace",
        stdin=subprocess.DEVNULL,
    )
    if result.returncode not in (0, 1) or "Traceback" in result.stderr:
        return None
    return [line for line in result.stdout.splitlines() if line]


def active_environment() -> Path | None:
    """Prefix of the virtual or conda environment that runs this, other than the course's own; else None."""
    prefix = Path(sys.prefix)
    if VENV.exists() and prefix.exists() and os.path.samefile(prefix, VENV):
        return None
    inside = sys.prefix != sys.base_prefix or (prefix / "conda-meta").is_dir()
    return prefix if inside else None


def empty_folder(folder: Path) -> None:
    """Delete what is in the folder, not the folder: it may be a link to a larger disk."""
    if Path(sys.prefix).exists() and folder.exists() and os.path.samefile(sys.prefix, folder):
        raise Stop(
            "The environment .venv must be built anew, and it is active here. Type   deactivate   first."
        )
    folder.mkdir(exist_ok=True)
    for path in folder.iterdir():
        try:
            shutil.rmtree(path) if path.is_dir() and not path.is_symlink() else path.unlink()
        except OSError as error:
            raise Stop(
                f"The old environment could not be removed ({error}). Close JupyterLab and other programs that use"
                " the course, or delete the folder .venv by hand, and start again."
            ) from error


def build(wheels: Path | None, anyway: bool) -> None:
    """Make .venv and install the lock, from nothing."""
    machine.require_room(ROOT, anyway)
    version = ".".join(str(n) for n in sys.version_info[:3])
    say(f"Setting up the course with Python {version} (once; a few minutes, 2.6 GB in .venv).")
    empty_folder(VENV)
    (VENV / INSTALLING).touch()
    create_venv(VENV)
    install_lock(python_of(VENV), wheels, child_environment(python_of(VENV)))


def update_packages(python: Path, prefix: Path, wheels: Path | None) -> bool:
    """Install what differs from the lock. False if that failed before anything changed: the old ones go on serving."""
    say("The list of packages has changed: updating them.")
    try:
        install_lock(
            python, wheels, child_environment(python), started=lambda: (prefix / INSTALLING).touch()
        )
    except Stop as stop:
        if (prefix / INSTALLING).exists() or not read_stamp(prefix):
            raise
        say(f"{stop}\nThe packages of before are untouched, so the course starts with those.\n")
        return False
    return True


def own_environment(wheels: Path | None, anyway: bool) -> Path:
    """Make .venv ready, doing only what is missing. Returns its Python."""
    python, stamp, goal = python_of(VENV), read_stamp(VENV), wanted()
    if not works(VENV) or (VENV / INSTALLING).exists():
        if VENV.exists() and any(VENV.iterdir()):
            say(
                "The environment .venv is damaged or its installation was interrupted: it is built anew."
            )
        build(wheels, anyway)
    elif stamp.get("lock") != goal["lock"]:
        differing = differences(python)
        if differing is None:
            build(wheels, anyway)
        elif differing and not update_packages(python, VENV, wheels):
            return python
    elif stamp.get("root") != goal["root"]:
        say("The course's folder was moved: its environment is put right.")
        create_venv(VENV)
    connect(python, VENV, goal)
    return python


def connect(python: Path, prefix: Path, goal: dict[str, str]) -> None:
    """Make `import rlcourse` mean this folder, and write the stamp."""
    stamp = read_stamp(prefix)
    if {key: stamp.get(key) for key in goal} == goal and not (prefix / INSTALLING).exists():
        return
    install_course(python, child_environment(python))
    (prefix / INSTALLING).unlink(missing_ok=True)
    try:
        write_stamp(prefix, {**stamp, **goal})
    except OSError:
        say(
            f"(The environment {prefix} cannot be written to, so this step is done again at each start.)"
        )


def warm(python: Path, prefix: Path) -> None:
    """Compile the kernels unless that was done for the sources as they are. A failure costs time later, no more."""
    stamp, now = read_stamp(prefix), sources()
    if stamp.get("warmed") == now:
        return
    say("Compiling the rules of the games (once, about half a minute) ...")
    # To where this speaks itself: standard output may belong to a program that reads it.
    result = subprocess.run(
        [str(python), "-m", "rlcourse.warm"],
        cwd=ROOT,
        env=child_environment(python),
        stdout=sys.stdout,
    )
    if result.returncode != 0:
        say(
            "That did not work (see above). The course starts all the same; the first move of a game is slow."
        )
    elif stamp:
        write_stamp(prefix, {**stamp, "warmed": now})


def prepare(wheels: Path | None = None, anyway: bool = False) -> Path:
    """Everything from a bare Python to a ready environment. Returns the Python to run the course with.

    An active environment that already has exactly the packages of the lock (conda with environment.yml) is used
    as it is; any other is left alone and .venv is made beside start.py.
    """
    if wheels is not None and not any(wheels.glob("*.whl")):
        raise Stop(
            f"The folder {wheels} has no wheels (files that end in .whl). See the README on how to fill it."
        )
    active = active_environment()
    if active is not None:
        missing = len(lock.differences(lock.parse(lock.LOCK.read_text(encoding="utf-8"))))
        if missing == 0:
            say(f"Using the active environment {active}, which has all packages of the lock.")
            connect(Path(sys.executable), active, wanted())
            warm(Path(sys.executable), active)
            return Path(sys.executable)
        if not (VENV / STAMP).exists():
            say(
                f"The active environment {active} differs from the lock in {counted(missing, 'package')}: .venv is used instead."
            )
    python = own_environment(wheels, anyway)
    warm(python, VENV)
    return python
