"""The three calls that change an environment: make it, install the lock, connect the course's own folder."""

import re
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path

from launcher.console import Progress, Stop, say
from launcher.lock import LOCK
from launcher.pip_errors import explain

ROOT = Path(__file__).resolve().parent.parent


def create_venv(venv: Path) -> None:
    """Make (or put right) an environment with pip in it. Raises Stop in plain words."""
    result = subprocess.run(
        [sys.executable, "-m", "venv", str(venv)],
        capture_output=True,
        text=True,
        encoding="utf-8",
        errors="replace",
        stdin=subprocess.DEVNULL,
    )
    if result.returncode != 0:
        raise Stop(explain(result.stdout + result.stderr, code=result.returncode))


def lock_command(python: Path, wheels: Path | None, lock: Path = LOCK) -> list[str]:
    """The pip call that installs a lock: hashed, ready-made files only, from the index or from a folder."""
    command = [
        str(python),
        "-m",
        "pip",
        "install",
        "--require-hashes",
        "--no-deps",
        "--only-binary",
        ":all:",
    ]
    command += ["--progress-bar", "off", "--no-input", "-r", str(lock.relative_to(ROOT))]
    if wheels is not None:
        command += ["--no-index", "--find-links", str(wheels)]
    return command


class Reader:
    """Follows pip's lines: how many packages are found, and what to show.

    total: pins that count for this system, known once pip has said which ones do not.
    """

    def __init__(self, entries: int) -> None:
        self.total = entries
        self.seen = 0
        self.unpacking = False

    def read(self, line: str) -> str | None:
        """What to show after this line of pip, or None for nothing new."""
        if line.startswith("Ignoring "):
            self.total -= 1
            return None
        found = re.match(r"(?:Collecting|Requirement already satisfied:) ([A-Za-z0-9._-]+)==", line)
        found = found or re.match(r"Processing (?:\S*[/\\])?([A-Za-z0-9._]+)-\S*\.whl", line)
        if found:
            self.seen += 1
            return f"fetching {self.seen} of {self.total}: {found[1]}"
        size = re.match(r"\s*Downloading (\S+?)-[\d.]+\S* \(([\d.]+ [MG]B)\)", line)
        if size:
            return f"fetching {self.seen} of {self.total}: {size[1]} ({size[2]})"
        if line.startswith("Installing collected packages"):
            self.unpacking = True
            return "unpacking ..."
        retry = re.match(r"\s*WARNING: Retrying", line)
        return "the network does not answer, trying again ..." if retry else None


def count_installed(python: Path) -> int:
    """How many packages lie in the environment, by counting their folders."""
    prefix = python.parent.parent
    inside = "Lib/site-packages" if python.suffix == ".exe" else "lib/python*/site-packages"
    return sum(1 for _ in prefix.glob(inside + "/*.dist-info"))


def follow(
    process: subprocess.Popen, reader: Reader, python: Path, started: Callable[[], None]
) -> str:
    """Read pip to its end with a progress line that keeps moving while pip is silent. Returns what pip said."""
    progress, over, said, shown = Progress(), threading.Event(), [], ["looking for packages ..."]

    def redraw() -> None:
        while not over.wait(0.5):
            if reader.unpacking:
                shown[0] = (
                    f"unpacking {min(count_installed(python), reader.total)} of {reader.total}"
                )
            progress.show(shown[0])

    ticker = threading.Thread(target=redraw, daemon=True)
    ticker.start()
    try:
        for line in process.stdout:
            said.append(line)
            text = reader.read(line)
            if text and reader.unpacking:
                started()
            shown[0] = text or shown[0]
        code = process.wait()
    except BaseException:  # Ctrl-C: leave no pip behind
        process.terminate()
        process.wait()
        raise
    finally:
        over.set()
        ticker.join()
    progress.end(f"{reader.seen} packages are in place" if code == 0 else "stopped")
    return "".join(said)


def install_lock(
    python: Path,
    wheels: Path | None,
    variables: dict[str, str],
    started: Callable[[], None] = lambda: None,
) -> None:
    """Install requirements.lock with progress. `started` is called just before the first package changes.

    Raises Stop with the reason in plain words; everything pip said is kept in install.log of the environment.
    """
    say("Installing the packages" + (f" from {wheels}" if wheels else "") + " ...")
    text = (ROOT / "requirements.lock").read_text(encoding="utf-8")
    reader = Reader(len(re.findall(r"^[A-Za-z0-9._-]+==", text, re.MULTILINE)))
    variables = {
        **variables,
        "PYTHONUNBUFFERED": "1",
        "PIP_DISABLE_PIP_VERSION_CHECK": "1",
        "PIP_NO_COLOR": "1",
    }
    process = subprocess.Popen(
        lock_command(python, wheels),
        cwd=ROOT,
        env=variables,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        encoding="utf-8",
        errors="replace",
    )
    said = follow(process, reader, python, started)
    keep_log(python, said)
    if process.returncode != 0:
        raise Stop(explain(said, wheels=wheels is not None, code=process.returncode))


def keep_log(python: Path, said: str) -> None:
    """Leave pip's words for whoever helps; not worth an error of its own."""
    try:
        (python.parent.parent / "install.log").write_text(said, encoding="utf-8")
    except OSError:
        pass


def install_course(python: Path, variables: dict[str, str]) -> None:
    """Make `import rlcourse` and the command `rlcourse` mean this folder. Needs no network."""
    command = [
        str(python),
        "-m",
        "pip",
        "install",
        "--quiet",
        "--no-deps",
        "--no-build-isolation",
        "--no-index",
    ]
    result = subprocess.run(
        [*command, "--disable-pip-version-check", "-e", "."],
        cwd=ROOT,
        env=variables,
        capture_output=True,
        text=True,
        encoding="utf-8",
        errors="replace",
        stdin=subprocess.DEVNULL,
    )
    if result.returncode != 0:
        raise Stop(explain(result.stdout + result.stderr, code=result.returncode))
