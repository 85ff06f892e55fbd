"""A hub of a test's own: real accounts, a folder and control groups that are gone afterwards.

Accounts begin with `rl`, the number of the test's process and a letter, so they meet nobody's.
"""

import contextlib
import csv
import os
import shutil
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Callable, Sequence
from pathlib import Path
from ssl import CERT_NONE, create_default_context

import psutil

from rlcourse.busy import Deadline
from rlcourse.hub.limits import groups_of
from tests.hostile.ordinary import opened

PATIENCE = 120.0
TEACHER, ADA, BOB = "t", "a", "b"
EXPOSED = "c.LabApp.expose_app_in_browser = True\n"  # as the other browser tests have it


def trust_any() -> object:
    """A context that takes the certificate which the server has signed itself."""
    context = create_default_context()
    context.check_hostname, context.verify_mode = False, CERT_NONE
    return context


def free_ports() -> int:
    """The first of four ports in a row that nobody has."""
    while True:
        with contextlib.ExitStack() as stack:
            first, *others = (stack.enter_context(socket.socket()) for _ in range(4))
            first.bind(("127.0.0.1", 0))
            port = first.getsockname()[1]
            try:
                for number, other in enumerate(others, start=port + 1):
                    other.bind(("127.0.0.1", number))
            except (OSError, OverflowError):
                continue
            return port


class Server:
    """A teacher and two students. names: letter -> account; uid: letter -> number of the user."""

    def __init__(self, prefix: str = "rl", letters: str = TEACHER + ADA + BOB) -> None:
        self.base = Path(tempfile.mkdtemp(prefix="rlhub-"))
        self.base.chmod(0o755)
        self.names = {letter: f"{prefix}{os.getpid()}{letter}" for letter in letters}
        self.root = self.base / f"{prefix}{os.getpid()}"
        self.port, self.log = free_ports(), self.base / "hub.log"
        self.process: subprocess.Popen | None = None

    def set_up(self) -> None:
        """What an administrator calls first."""
        roster = self.base / "class.csv"
        students = [name for letter, name in self.names.items() if letter != TEACHER]
        lines = [f"{name},Student {name[-1].upper()},{name}@uni.example" for name in students]
        roster.write_text("\n".join(["id,name,email", *lines]) + "\n")
        options = ["--roster", str(roster), "--teacher", self.names[TEACHER]]
        options += ["--port", str(self.port), "--environment", sys.prefix]
        done = self.hub("init", *options)
        assert done.returncode == 0, done.stdout + done.stderr
        with (self.root / "etc" / "all" / "jupyter_server_config.py").open("a") as config:
            config.write(EXPOSED)

    def hub(
        self, command: str, *options: str, root: Path | None = None
    ) -> subprocess.CompletedProcess:
        """A command of `rlcourse hub`, called by root for this server or another folder."""
        place = ["--root", str(root or self.root)]
        call = self.opened(["-m", "rlcourse", "hub", command, *place, *options])
        return subprocess.run(call, capture_output=True, text=True, check=False)

    @staticmethod
    def opened(arguments: Sequence[str]) -> list[str]:
        """A call of this Python where every user may run it."""
        lines = "\n".join([*opened(), 'exec "$@"'])
        call = ["unshare", "--mount", "--propagation", "private", "--", "sh", "-c", lines, "sh"]
        return [*call, sys.executable, *arguments]

    def start(self) -> None:
        """Run the hub, and wait until it answers."""
        with self.log.open("a") as log:
            self.process = subprocess.Popen(
                self.opened(["-m", "rlcourse", "hub", "start", "--root", str(self.root)]),
                stdout=log,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )
        self.wait_for(self.answers)

    def answers(self) -> bool:
        """Whether the log-in page comes."""
        try:
            with urllib.request.urlopen(f"{self.url}/hub/login", context=trust_any()):
                return True
        except OSError:
            return False

    def wait_for(self, condition: Callable[[], bool]) -> None:
        """Return when it holds. Raises RuntimeError where it does not come, or the hub ended."""
        deadline = Deadline(PATIENCE)
        while not condition():
            if deadline.over() or self.process.poll() is not None:
                raise RuntimeError(f"it did not come:\n{self.log.read_text()[-3000:]}")
            time.sleep(0.2)  # asks a server that is starting

    def processes(self, word: str, account: str = "root") -> list[psutil.Process]:
        """The account's processes in whose command a word stands, or a path that ends in it."""
        return [
            one
            for one in psutil.process_iter(["username", "cmdline"])
            if one.info["username"] == account
            and any(Path(part).name == word for part in one.info["cmdline"] or ())
            and (account != "root" or self.process.pid in {parent.pid for parent in one.parents()})
        ]

    def inside(self, *command: str) -> list[str]:
        """The call of a program that sees the files as the hub sees them."""
        return ["nsenter", f"--mount=/proc/{self.process.pid}/ns/mnt", "--", *command]

    @property
    def url(self) -> str:
        """Where people log in."""
        return f"https://127.0.0.1:{self.port}"

    def home(self, letter: str) -> Path:
        """The home of an account."""
        return self.root / "homes" / self.names[letter]

    def password(self, letter: str) -> str:
        """The first password, which the administrator hands out."""
        with (self.root / "private" / "passwords.csv").open(newline="") as stream:
            return {row[0]: row[2] for row in csv.reader(stream)}[self.names[letter]]

    def run(
        self, letter: str, *arguments: str, folder: Path | None = None, text: str | None = None
    ) -> subprocess.CompletedProcess:
        """This Python as that person calls it in a terminal of their JupyterLab."""
        role = "teacher" if letter == TEACHER else "student"
        course, name = (
            self.root / ("teacher" if letter == TEACHER else "course"),
            self.names[letter],
        )
        variables = {
            "HOME": str(self.home(letter)),
            "USER": name,
            "PATH": f"{sys.prefix}/bin:/usr/local/bin:/usr/bin:/bin",
            "PYTHONPATH": str(course),
            "JUPYTER_CONFIG_PATH": f"{self.root}/etc/{role}:{self.root}/etc/all",
        }
        words = [f"{key}={value}" for key, value in variables.items()]
        call = self.inside("setpriv")
        call += [f"--reuid={name}", f"--regid={name}", "--init-groups", "env", "-i", *words]
        place = folder or self.home(letter)
        call += ["sh", "-c", 'cd "$0" && exec "$@"', str(place)]
        call += [sys.executable, *arguments]
        return subprocess.run(call, input=text, capture_output=True, text=True, check=False)

    def close(self) -> None:
        """End everything that ran, and remove accounts, groups and files."""
        if self.process is not None and self.process.poll() is None:
            self.process.terminate()
        for name in self.names.values():
            subprocess.run(["pkill", "-KILL", "-u", name], check=False, capture_output=True)
        for process in _of(self.root):
            process.kill()
        if self.process is not None:
            self.process.wait()
        for name in self.names.values():
            for group in groups_of(self.root.name, name):
                _remove(group)
        for group in groups_of(self.root.name, "-"):
            _remove(group.parent)
        self.remove_accounts()
        shutil.rmtree(self.base, ignore_errors=True)

    def remove_accounts(self) -> None:
        """All accounts and both groups."""
        commands = [["userdel", name] for name in self.names.values()]
        commands += [["groupdel", f"{self.root.name}-{role}"] for role in ("students", "teachers")]
        for command in commands:
            subprocess.run(command, check=False, capture_output=True)


def _remove(group: Path) -> None:
    """A control group goes when its last process has."""
    deadline = Deadline(10)
    while group.exists() and not deadline.over():
        try:
            group.rmdir()
        except OSError:
            time.sleep(0.05)


def _of(root: Path) -> list[psutil.Process]:
    """Processes of the hub in this folder: those that name it, and those that they started."""
    running = psutil.process_iter(["cmdline", "environ"])
    return [one for one in running if str(root) in str(one.info) and one.pid != os.getpid()]


def is_root() -> bool:
    """Whether this process may make accounts."""
    return hasattr(os, "geteuid") and os.geteuid() == 0
