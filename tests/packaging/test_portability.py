"""What runs on Windows, and what must not stand in a public file."""

import ast
import re
import subprocess
import sys
import tomllib
from itertools import chain
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]

POSIX_MODULES = {"fcntl", "grp", "posix", "pty", "pwd", "resource", "syslog", "termios", "tty"}
POSIX_NAMES = {
    "os": {
        "chown",
        "chroot",
        "fork",
        "forkpty",
        "getegid",
        "geteuid",
        "getgid",
        "getgroups",
        "getloadavg",
        "getpgid",
        "getpgrp",
        "getpriority",
        "getresuid",
        "getsid",
        "getuid",
        "initgroups",
        "killpg",
        "lchown",
        "mkfifo",
        "mknod",
        "nice",
        "openpty",
        "pidfd_open",
        "pipe2",
        "posix_spawn",
        "pread",
        "pwrite",
        "sched_getaffinity",
        "sched_setaffinity",
        "setegid",
        "seteuid",
        "setgid",
        "setgroups",
        "setpgid",
        "setpriority",
        "setsid",
        "setuid",
        "statvfs",
        "sysconf",
        "uname",
        "wait",
        "wait3",
        "wait4",
        "waitid",
        "WEXITSTATUS",
        "WIFSIGNALED",
    },
    "signal": {
        "SIGALRM",
        "SIGCHLD",
        "SIGCONT",
        "SIGHUP",
        "SIGKILL",
        "SIGPIPE",
        "SIGQUIT",
        "SIGSTOP",
        "SIGUSR1",
        "SIGUSR2",
        "alarm",
        "pause",
        "pthread_kill",
        "pthread_sigmask",
        "setitimer",
        "sigtimedwait",
        "sigwait",
    },
    "time": {"tzset", "clock_gettime"},
    "socket": {"AF_UNIX"},
}
POSIX_ARGUMENTS = {"preexec_fn", "start_new_session", "process_group", "pass_fds"}
POSIX_FOLDERS = ("/tmp", "/dev/", "/proc/", "/var/", "/etc/")
FORKING = {"fork", "forkserver"}
GUARDS = ("os.name", "sys.platform", "hasattr(os", "hasattr(signal", "platform.system")


class PosixOnly(ast.NodeVisitor):
    """Collects what Windows does not have, unless an `if` around it asks for the
    system or a `try` catches it.
    """

    def __init__(self) -> None:
        self.found: list[str] = []
        self.caught: list[str] = []

    def visit_Try(self, node: ast.Try) -> None:
        caught = " ".join(ast.unparse(handler.type) for handler in node.handlers if handler.type)
        self.caught.append(caught)
        for part in node.body:
            self.visit(part)
        self.caught.pop()
        for part in [*node.handlers, *node.orelse, *node.finalbody]:
            self.visit(part)

    def visit_If(self, node: ast.If | ast.IfExp) -> None:
        if not any(guard in ast.unparse(node.test) for guard in GUARDS):
            self.generic_visit(node)

    visit_IfExp = visit_If

    def visit_Import(self, node: ast.Import) -> None:
        self.note(
            node,
            [alias.name for alias in node.names if alias.name.split(".")[0] in POSIX_MODULES],
            "ImportError",
        )

    def visit_ImportFrom(self, node: ast.ImportFrom) -> None:
        names = POSIX_NAMES.get(node.module or "", set())
        self.note(node, [alias.name for alias in node.names if alias.name in names], "ImportError")
        self.note(node, [node.module] if node.module in POSIX_MODULES else [], "ImportError")

    def visit_Attribute(self, node: ast.Attribute) -> None:
        if isinstance(node.value, ast.Name) and node.attr in POSIX_NAMES.get(node.value.id, set()):
            self.note(node, [f"{node.value.id}.{node.attr}"], "AttributeError")
        self.generic_visit(node)

    def visit_Call(self, node: ast.Call) -> None:
        self.note(node, [word.arg for word in node.keywords if word.arg in POSIX_ARGUMENTS])
        if ast.unparse(node.func).split(".")[-1] in ("get_context", "set_start_method"):
            words = [word.value for word in node.args if isinstance(word, ast.Constant)]
            self.note(node, [f"start method {word}" for word in words if word in FORKING])
        self.generic_visit(node)

    def visit_Constant(self, node: ast.Constant) -> None:
        if isinstance(node.value, str) and node.value.startswith(POSIX_FOLDERS):
            self.note(node, [repr(node.value)], "OSError")

    def note(self, node: ast.AST, names: list[str], error: str = "-") -> None:
        if not any(error in caught for caught in self.caught):
            self.found += [f"line {node.lineno}: {name}" for name in names]


def posix_only(source: str) -> list[str]:
    """What in this source would not work on Windows."""
    visitor = PosixOnly()
    visitor.visit(ast.parse(source))
    return visitor.found


def test_nothing_outside_grading_and_hub_is_posix_only() -> None:
    found = {}
    for path in [
        ROOT / "start.py",
        *(ROOT / "launcher").rglob("*.py"),
        *(ROOT / "rlcourse").rglob("*.py"),
    ]:
        name = path.relative_to(ROOT).as_posix()
        if not name.startswith(("rlcourse/grading/", "rlcourse/hub/")):
            found[name] = posix_only(path.read_text(encoding="utf-8"))
    assert len(found) > 10
    assert {name: lines for name, lines in found.items() if lines} == {}


@pytest.mark.parametrize(
    "source",
    [
        "import os\nos.fork()",
        "import fcntl",
        "import resource as r",
        "from os import setsid",
        "from pwd import getpwnam",
        "import signal\nsignal.signal(signal.SIGALRM, f)",
        "p.send_signal(signal.SIGKILL)",
        "os.killpg(1, 2)",
        "len(os.sched_getaffinity(0))",
        "Popen(x, preexec_fn=f)",
        "Popen(x, start_new_session=True)",
        "open('/dev/x')",
        "folder = '/tm" + "p'",
        "get_context('fork')",
        "multiprocessing.set_start_method('fork')",
        "if ready:\n    os.getuid()",
        "try:\n    os.fork()\nexcept OSError:\n    pass",
        "try:\n    pass\nexcept OSError:\n    open('/proc/x')",
    ],
)
def test_each_posix_only_call_is_noticed(source: str) -> None:
    assert posix_only(source)


@pytest.mark.parametrize(
    "source",
    [
        "import os\nos.cpu_count()",
        "if os.name == 'posix':\n    os.killpg(1, 2)",
        "get_context('spawn')",
        "if hasattr(os, 'geteuid') and os.geteuid() == 0:\n    pass",
        "n = os.getuid() if os.name == 'posix' else 0",
        "try:\n    import fcntl\nexcept ImportError:\n    pass",
        "try:\n    open('/proc/x')\nexcept OSError:\n    pass",
        "process.kill()",
        "name = 'see /tmp'",
    ],
)
def test_guarded_and_portable_calls_are_allowed(source: str) -> None:
    asked = posix_only(source)
    if "hasattr" in source:
        # The call inside the condition itself stands behind `hasattr ... and`.
        assert all("geteuid" in line for line in asked)
    else:
        assert asked == []


def public_files() -> list[Path]:
    """Files that git tracks or would track; without git, everything but what .gitignore names."""
    command = ["git", "ls-files", "-co", "--exclude-standard", "-z"]
    try:
        result = subprocess.run(
            command, cwd=ROOT, capture_output=True, text=True, encoding="utf-8", check=True
        )
        names = [name for name in result.stdout.split("\0") if name]
    except (OSError, subprocess.CalledProcessError):
        passed_over = {
            ".git",
            ".venv",
            "my",
            ".course",
            "__pycache__",
            ".pytest_cache",
            ".hypothesis",
            "build",
            "dist",
        }
        names = [
            path.relative_to(ROOT).as_posix()
            for path in ROOT.rglob("*")
            if not passed_over & set(path.relative_to(ROOT).parts)
        ]
    return [ROOT / name for name in names if (ROOT / name).is_file()]


def machine_words() -> re.Pattern[str]:
    """Folders of a person's or a build machine, and hosts of package registries.

    The words are put together here so that this file does not contain them.
    """
    folders = [
        "/ro" + "ot/",
        "/wo" + "rk/",
        "/ho" + r"me/[a-z]",
        "/Us" + r"ers/[A-Za-z]",
        r"[A-Z]:\\+Us" + r"ers\\+\w+",
    ]
    folders += [
        "/tm" + r"p/[\w-]",
        "/private/v" + "ar",
        "/opt/py" + "pi",
        "/opt/wh" + "eels",
        r"\.py" + "env/versions/",
    ]
    hosts = [
        "py" + r"pi\.org",
        "python" + r"hosted\.org",
        "ana" + r"conda\.org",
        "registry" + r"\.npm",
        "proxy" + r"\.golang",
    ]
    here = [re.escape(str(path)) for path in (ROOT, Path(sys.prefix)) if len(path.parts) > 2]
    return re.compile("|".join(folders + hosts + here))


def in_public_text(text: str) -> list[str]:
    """What in this text names a machine or a registry."""
    return machine_words().findall(text)


def test_no_public_file_names_a_machine_or_a_registry() -> None:
    found = {}
    for path in public_files():
        try:
            text = path.read_text(encoding="utf-8")
        except UnicodeDecodeError:
            continue
        words = in_public_text(text)
        if words:
            found[path.relative_to(ROOT).as_posix()] = sorted(set(words))
    assert found == {}


@pytest.mark.parametrize(
    "text",
    [
        "see https://py" + "pi.org/simple",
        "File /ho" + "me/ann/x.py",
        "C:\\Us" + "ers\\ann",
        "/tm" + "p/ipykernel_12/1.py",
        str(ROOT / "x") if len(ROOT.parts) > 2 else "/ro" + "ot/x",
    ],
)
def test_each_such_name_is_noticed(text: str) -> None:
    assert in_public_text(text)


def test_import_is_light():
    """`import rlcourse` loads the standard library and nothing else: no NumPy, no TensorFlow."""
    code = (
        "import sys; before = set(sys.modules); import rlcourse; print(*set(sys.modules) - before)"
    )
    result = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True
    )
    loaded = {name.partition(".")[0] for name in result.stdout.split()}
    assert loaded - sys.stdlib_module_names == {"rlcourse"}


def test_every_file_of_the_package_that_is_read_travels_in_the_wheel():
    """All but texts for who reads the sources."""
    tools = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["setuptools"]
    patterns = [f"rlcourse/{pattern}" for pattern in tools["package-data"]["rlcourse"]]
    patterns += chain.from_iterable(tools["data-files"].values())
    travels = {path for pattern in patterns for path in ROOT.glob(pattern)}
    read = {path for path in public_files() if path.suffix not in (".py", ".md")}
    assert not {path for path in read - travels if path.is_relative_to(ROOT / "rlcourse")}
