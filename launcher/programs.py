"""How the launcher runs programs: with which variables, and what is seen of them."""

import os
import re
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from launcher.console import Stop, say, say_in_passing

ROOT = Path(__file__).resolve().parent.parent
# Settings of the person's own Python, pip and uv that would send modules or packages elsewhere.
FOREIGN = ("PYTHONPATH", "PYTHONHOME", "PYTHONSTARTUP", "VIRTUAL_ENV", "__PYVENV_LAUNCHER__")
FOREIGN += ("PIP_TARGET", "PIP_PREFIX", "PIP_ROOT", "PIP_CONSTRAINT", "PIP_REQUIREMENT")
FOREIGN += ("UV_CONSTRAINT", "UV_OVERRIDE", "UV_EXCLUDE", "UV_EXCLUDE_NEWER", "UV_NO_BINARY")
FOREIGN += ("UV_NO_VERIFY_HASHES", "UV_REQUIRE_HASHES", "UV_PROJECT", "UV_WORKING_DIR")
# The lines that are one of many: uv's large files and packages, the kernels of rlcourse.warm.
ONE_OF_MANY = re.compile(r"Downloading | Downloaded | [-+~] |  .*: [\d.]+ s$")


def child_environment(python: Path) -> dict[str, str]:
    """The variables for programs of the environment: its commands first on PATH,
    foreign Python settings gone.
    """
    variables = {name: text for name, text in os.environ.items() if name not in FOREIGN}
    if (python.parent.parent / "pyvenv.cfg").exists():
        variables["VIRTUAL_ENV"] = str(python.parent.parent)
    variables["PATH"] = os.pathsep.join([str(python.parent), variables.get("PATH", os.defpath)])
    return variables | {"PYTHONUTF8": "1", "PIP_USER": "0"}


def run_unseen(command: list[str], **options: Any) -> subprocess.CompletedProcess[str]:
    """Run a program of an environment, and keep what it prints from the screen."""
    return subprocess.run(
        command,
        env=child_environment(Path(command[0])),
        capture_output=True,
        encoding="utf-8",
        errors="replace",
        check=False,
        **options,
    )


def under_way(printed: str) -> str:
    """What uv is doing, by what it has printed; of another program the last line."""
    if "\nInstalled " in printed:
        return "compiling the packages"
    if "\nPrepared " in printed:
        return "putting the packages in their place"
    begun = re.findall(r"(?m)^Downloading (.+)$", printed)
    if not begun:
        return printed.strip().rpartition("\n")[2].strip()
    ended = re.findall(r"(?m)^ Downloaded (.+)$", printed)
    left = ", ".join(file for file in begun if file.split()[0] not in ended)
    return f"{len(ended)} of {len(begun)} large files are here, to come: {left or 'small ones'}"


def call(command: list[str], what_to_do: str, variables: dict[str, str] | None = None) -> None:
    """Run a program of the set-up, with one line on the screen for what it is doing.

    variables: else those of the program's environment. Raises Stop where it fails: all that it
    printed stands above, `what_to_do` goes on from there.
    """
    began, pause = time.monotonic(), 0.2 if sys.stdout.isatty() else 30.0
    with TemporaryDirectory() as folder:
        log = Path(folder) / "log"
        with log.open("wb") as output:
            # close_fds: what a killed start left running holds the start's lock until it ends.
            process = subprocess.Popen(
                command,
                cwd=ROOT,
                env=variables or child_environment(Path(command[0])),
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=output,
                close_fds=False,
            )
        code = None
        try:
            while code is None:
                with suppress(subprocess.TimeoutExpired):
                    code = process.wait(pause)
                printed = log.read_text(encoding="utf-8", errors="replace")
                minutes, seconds = divmod(int(time.monotonic() - began), 60)
                doing = f"  {minutes}:{seconds:02}  {under_way(printed)}"
                say_in_passing(doing if code is None else "")
        finally:
            process.kill()  # after Ctrl-C; one that has ended is not touched
            process.wait()
    for line in printed.splitlines():
        if code or not ONE_OF_MANY.match(line):
            say(line)
    if code:
        raise Stop(what_to_do)
