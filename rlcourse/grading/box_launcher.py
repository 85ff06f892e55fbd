"""A process for one hand-in that sees neither files, nor the network, nor other
processes: by bubblewrap, on Linux.

`BoxLauncher` is a launcher for `rlcourse.grading.grade_file`. Root is dropped before the box
is made: a user namespace made by root stays root on the host.
"""

import os
import platform
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterable, Iterator
from pathlib import Path

from rlcourse.busy import slowness
from rlcourse.checks.sheet import Sheet
from rlcourse.grading import box_seccomp
from rlcourse.grading.box_copy import kernel_links, make_copy
from rlcourse.grading.box_limits import MEGABYTE, USUAL, Limits
from rlcourse.grading.box_process import Box
from rlcourse.grading.launch import ENVIRONMENT, PACKAGE, WORKER

ORDINARY = 65533  # the user that root becomes for a box; owns nothing, and no program runs under it
NOBODY = 65534  # what the hand-in sees of itself
OLDEST = (0, 8)  # of bubblewrap: Debian 12, Ubuntu 24.04
WRITABLE = "/tmp"  # the only folder of the box that can be written; it lies in memory
KERNELS = f"{WRITABLE}/kernels"
VARIABLES = ENVIRONMENT | {
    **dict.fromkeys(("HOME", "KERAS_HOME", "MPLCONFIGDIR", "TMPDIR"), WRITABLE),
    "LANG": "C.UTF-8",
    "NUMBA_CACHE_DIR": KERNELS,
    "PATH": "/nowhere",
}
_SYSTEM = ("/usr/lib", "/usr/lib64", "/lib", "/lib64", "/etc/ld.so.cache")
_IN_A_CONTAINER = (
    "in a container: start it with --privileged, or with --security-opt seccomp=unconfined and "
    "systempaths=unconfined"
)
# What bubblewrap or Python complains of, as a pattern -> what to do.
_REMEDIES = {
    "No permissions to create|setting up uid map|Operation not permitted|unshare failed": "This "
    "system does not let programs make namespaces. Debian: sysctl "
    "kernel.unprivileged_userns_clone=1. Ubuntu from 23.10 on: sysctl "
    "kernel.apparmor_restrict_unprivileged_userns=0, or an AppArmor profile for "
    f"bwrap; {_IN_A_CONTAINER}.",
    "No space left|max_user_namespaces": "Too few user namespaces are allowed: sysctl "
    "user.max_user_namespaces=10000.",
    "Can't mount proc|/newroot/proc": f"A part of /proc is hidden here; {_IN_A_CONTAINER}.",
    "ModuleNotFoundError|ImportError": "All packages must lie in the environment of the Python "
    "that grades: what PYTHONPATH or a user's own folder adds does not exist in a box. `python "
    "start.py check` looks for them, and `python start.py rlcourse grade` grades with them.",
    "find source path|Permission denied|No such file": "Python, the environment and the course "
    "must be readable by the user that grades. Install them where everybody may read, such as "
    "/opt, or grade as the user who owns them.",
}


class Unprotected(RuntimeError):
    """Here a hand-in cannot be confined. The message says why, and what to do."""


class BoxLauncher:
    """Starts boxes for the hand-ins of one sheet: `with BoxLauncher(sheet) as launcher:
    grade_file(..., launcher=launcher)`.

    hidden: folders that no box may see, such as a private course or the gradebook; they need not be
    named unless they lie inside Python's own folders, and then this raises. places: where in a box
    something of this machine is mounted. May be called from several threads; a box ends with the
    thread that started it. Leaving the block kills what is still running. Raises Unprotected.
    """

    def __init__(
        self, sheet: Sheet, *, limits: Limits = USUAL, hidden: Iterable[Path | str] = ()
    ) -> None:
        self.limits = limits
        self._program, self._filter = _bubblewrap(), _filter()
        self._root = os.geteuid() == 0
        self._boxes: set[Box] = set()
        self._lock, self._closed = threading.Lock(), False
        self._folder = _open_folder()
        try:
            copy = self._folder / "rlcourse"
            make_copy(sheet, copy)
            self._links = list(kernel_links(copy))
            self._mounts = _mounts(copy, [*hidden, PACKAGE.parent / "solutions"])
            self.places = [place for _, place in self._mounts]
            self._try()
        except BaseException:
            self.close()
            raise

    def __enter__(self) -> "BoxLauncher":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __call__(self) -> Box:
        """A new box in which the worker waits for questions."""
        if self._closed:
            raise Unprotected("the launcher is closed: no box is made any more")
        limits = [f"{name}={value}" for name, value in self.limits.for_each_process().items()]
        box = Box(*self._start([str(WORKER), *limits], subprocess.DEVNULL), self.limits)
        with self._lock:
            self._boxes = {other for other in self._boxes if other.poll() is None} | {box}
        return box

    def close(self) -> None:
        """Kill all boxes and delete the copy of the course."""
        with self._lock:
            self._closed, boxes, self._boxes = True, self._boxes, set()
        for box in boxes:
            box.kill()
            box.wait()
        shutil.rmtree(self._folder, ignore_errors=True)

    def _try(self) -> None:
        """Start the worker in a box once, without a question.

        Raises Unprotected with the reason where it does not start.
        """
        process, _ = self._start([str(WORKER)], subprocess.PIPE)
        try:
            complaint = process.communicate(timeout=60 * slowness())[1]
        except subprocess.TimeoutExpired:
            process.kill()
            complaint = process.communicate()[1]
        if process.returncode:
            reason = complaint.decode(errors="replace").strip()[-500:]
            reason = reason or f"it ended with status {process.returncode}"
            if "Traceback" in reason:
                last = reason.splitlines()[-1]
                reason = f"Python starts in a box, but the course does not: {last}"
            remedies = (known for marks, known in _REMEDIES.items() if re.search(marks, reason))
            remedy = next(remedies, "")
            raise Unprotected(f"bubblewrap cannot make a box here: {reason}. {remedy}".strip())

    def _start(self, arguments: list[str], stderr: int) -> tuple[subprocess.Popen, bytes]:
        """(bubblewrap's process, what it says of the box)."""
        # Options travel through a file: a hand-in can read the command line of its
        # namespace's first process.
        options = _memory_file(b"".join(part.encode() + b"\0" for part in self._options()))
        rules = _memory_file(self._filter)
        info, to_info = os.pipe()
        descriptors = f"--args {options} --seccomp {rules} --info-fd {to_info} --"
        bwrap = [self._program, *descriptors.split()]
        command = [*bwrap, sys.executable, "-I", "-B", "-X", "utf8", *arguments]
        try:
            process = subprocess.Popen(
                [*self._staging(), *command],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=stderr,
                env={},
                cwd="/",
                bufsize=0,
                close_fds=True,
                pass_fds=(options, rules, to_info),
                start_new_session=True,
            )
        except OSError as error:
            os.close(info)
            raise Unprotected(f"bubblewrap cannot be started: {error}") from None
        finally:
            for descriptor in (options, rules, to_info):
                os.close(descriptor)
        with os.fdopen(info, "rb") as stream:
            # Read to its end: a pipe closed early leaves the box without a parent.
            return process, stream.read()

    def _staging(self) -> list[str]:
        """As root: binds all sources to where the ordinary user can reach them, for this
        box only, and becomes that user.
        """
        if not self._root:
            return []
        binds = [
            f"{shlex.quote(_tool('mount'))} --bind {shlex.quote(source)} {shlex.quote(place)}"
            for source, place, _ in self._staged()
        ]
        ids = f"--reuid={ORDINARY} --regid={ORDINARY} --clear-groups"
        drop = f"{shlex.quote(_tool('setpriv'))} {ids} --inh-caps=-all --bounding-set=-all"
        script = " && ".join([*binds, f'exec {drop} -- "$@"'])
        unshare = [_tool("unshare"), *"--mount --propagation private --".split()]
        return [*unshare, *"/bin/sh -c".split(), script, "sh"]

    def _staged(self) -> Iterator[tuple[str, str, str]]:
        """(source, where it is staged, where it appears in the box) of every mount."""
        for number, (source, place) in enumerate(self._mounts):
            stage = self._folder / "stage" / str(number)
            if self._root and not stage.exists():
                stage.parent.mkdir(exist_ok=True, mode=0o755)
                stage.mkdir() if Path(source).is_dir() else stage.touch()
            yield source, str(stage) if self._root else source, place

    def _options(self) -> Iterator[str]:
        """Everything that bubblewrap is told, in the order in which it is done."""
        disk, shared = self.limits.disk * MEGABYTE, self.limits.shared * MEGABYTE
        yield from f"--unshare-user --disable-userns --uid {NOBODY} --gid {NOBODY}".split()
        yield from "--unshare-ipc --unshare-pid --unshare-net --unshare-uts --hostname box".split()
        yield from "--die-with-parent --new-session --clearenv".split()
        for name, value in VARIABLES.items():
            yield from ("--setenv", name, value)
        # First of all mounts: a course or a Python that lies below this folder is mounted into it.
        yield from f"--perms 1777 --size {disk} --tmpfs {WRITABLE}".split()
        for _, stage, place in self._staged():
            yield from ("--ro-bind", stage, place)
        for name in ("/lib", "/lib64"):
            if os.path.islink(name):
                yield from ("--symlink", os.readlink(name), name)
        yield from "--proc /proc --dev /dev --remount-ro /proc".split()
        yield from f"--size {shared} --tmpfs /dev/shm --remount-ro /dev".split()
        for link, target in self._links:
            yield from ("--symlink", target, f"{KERNELS}/{link}")
        yield from ("--remount-ro", "/")


def _bubblewrap() -> str:
    """The path of bubblewrap. Raises Unprotected where there is none that will do."""
    if sys.platform != "linux":
        raise Unprotected(
            "hand-ins are confined by the Linux kernel, and this is another system. Grade on a "
            "Linux machine, in a virtual machine or in a Linux container."
        )
    program = shutil.which("bwrap") or shutil.which("bwrap", path="/usr/bin:/usr/local/bin")
    if program is None:
        raise Unprotected(
            "bubblewrap is not installed. Debian and Ubuntu: sudo apt-get install bubblewrap."
        )
    answer = subprocess.run(
        [program, "--version"], capture_output=True, text=True, env={}, check=False
    ).stdout.split()
    try:
        version = tuple(int(part) for part in answer[-1].split(".")[:2])
    except (IndexError, ValueError):
        version = (0, 0)
    if version < OLDEST:
        raise Unprotected(
            f"{program} is too old ({' '.join(answer) or 'no version'}): 0.8 or newer is needed "
            "(Debian 12, Ubuntu 24.04)."
        )
    return program


def _filter() -> bytes:
    try:
        return box_seccomp.program(platform.machine())
    except KeyError:
        known = " and ".join(box_seccomp.ARCHITECTURES)
        raise Unprotected(
            f"system calls are filtered on {known} only, and this machine is {platform.machine()}."
        ) from None


def _tool(name: str) -> str:
    path = shutil.which(name) or shutil.which(name, path="/usr/bin:/bin:/usr/sbin:/sbin")
    if path is None:
        raise Unprotected(
            f"root must be dropped before a box is made, and there is no `{name}` (package "
            "util-linux). Grade as an ordinary user."
        )
    return path


def _open_folder() -> Path:
    """A new folder that everybody can walk through: root's box is made by an ordinary user."""
    for base in (tempfile.gettempdir(), "/var/tmp", "/run"):
        if all(
            path.stat().st_mode & 0o001
            for path in (Path(base).resolve(), *Path(base).resolve().parents)
        ):
            folder = Path(tempfile.mkdtemp(prefix="rlcourse-box-", dir=base))
            folder.chmod(0o755)
            return folder
    raise Unprotected(
        "there is no folder for temporary files that every user can reach; set TMPDIR to one."
    )


def _mounts(copy: Path, hidden: Iterable[Path | str]) -> list[tuple[str, str]]:
    """[(source, place in the box)]: libraries, Python, the environment, and the copy of the
    course in the course's place.
    """
    prefixes = {sys.base_prefix, sys.base_exec_prefix, sys.prefix}
    # Of a Python of the system the libraries alone.
    names = [*_SYSTEM]
    for prefix in sorted(prefixes & {"/usr", "/usr/local"}):
        names += [f"{prefix}/lib", f"{prefix}/lib64"]
    seen = [Path(name) for name in names if os.path.exists(name) and not os.path.islink(name)]
    seen += map(Path, sorted(prefixes - {"/usr", "/usr/local"}))
    hop = Path(sys.executable)
    while True:  # each link on the way from the environment's Python to the program itself
        if not any(hop.is_relative_to(path) for path in seen):
            seen.append(hop)
        if not hop.is_symlink():
            break
        hop = Path(os.path.normpath(hop.parent / os.readlink(hop)))
    for secret in (Path(path).resolve() for path in hidden):
        inside = next(
            (path for path in seen if secret.exists() and secret.is_relative_to(path.resolve())),
            None,
        )
        if inside is not None:
            raise Unprotected(
                f"{secret} lies inside {inside}, which a hand-in has to see. Move one of the two."
            )
    return [*((str(path), str(path)) for path in dict.fromkeys(seen)), (str(copy), str(PACKAGE))]


def _memory_file(content: bytes) -> int:
    descriptor = os.memfd_create("box")
    os.write(descriptor, content)
    os.lseek(descriptor, 0, os.SEEK_SET)
    return descriptor
