"""Lay a server out: course, environment, settings, exchange. Everything can be done again.

A second `rlcourse hub init`, from a newer course, is the upgrade: accounts, homes, exchange,
gradebook and passwords stay as they are.
"""

import compileall
import os
import shutil
import socket
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from rlcourse.boards.faces import faces
from rlcourse.games import get_game
from rlcourse.grading.class_list import read_roster
from rlcourse.grading.launch import PACKAGE
from rlcourse.grading.release import make_release
from rlcourse.grading.roster import Student
from rlcourse.grading.sources import Course, open_course, write_settings
from rlcourse.hub import people
from rlcourse.hub.place import HubError, Place
from rlcourse.learning_page import PAGES, write_learning_page
from rlcourse.page import write_page

# Program of the system -> its Debian package.
PROGRAMS = {
    "useradd": "passwd",
    "chpasswd": "passwd",
    "groupadd": "passwd",
    "setfacl": "acl",
    "configurable-http-proxy": "node-configurable-http-proxy",
    "tar": "tar",
}
NOT_TEACHERS = (".*", "my", "build", "tests", "*.egg-info", "*.pyc")
OURS = Path(__file__).parent
LOCK = PACKAGE.parent / ".ci" / "requirements-hub.lock"  # launcher.uv has the same
# Makes or updates an environment, by the launcher of the course in whose folder it is run.
PREPARE = """
import sys
from pathlib import Path
from launcher import environment, uv
environment.VENV = Path(sys.argv[1])
python = environment.prepare()
uv.install(python, lock=Path(sys.argv[2]))
"""
# Folder of nbgrader's exchange -> its mode.
EXCHANGE = {
    "": 0o1777,
    "rlcourse": 0o755,
    "rlcourse/outbound": 0o755,
    "rlcourse/inbound": 0o3733,
    "rlcourse/feedback": 0o711,
}
INDEX = """<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><title>Play</title>
<meta name="viewport" content="width=device-width"></head>
<body><h1>Play</h1><ul>{rows}</ul></body></html>
"""
CONFIG = '''"""JupyterHub's configuration: add your own settings below the two lines."""

from pathlib import Path

from rlcourse.hub.config import configure
from rlcourse.hub.place import Place

c = get_config()
configure(c, Place(Path({root!r})))
'''


def require_root() -> None:
    """Raises HubError where this is not Linux's root, or the machine lacks what a hub needs."""
    if not sys.platform.startswith("linux") or os.geteuid() != 0:
        raise HubError("a server for a class is set up by root on Linux: sudo python3 start.py ...")
    if missing := sorted({PROGRAMS[name] for name in PROGRAMS if shutil.which(name) is None}):
        raise HubError(f"missing programs of the system: apt-get install {' '.join(missing)}")
    name = socket.gethostname()
    try:
        socket.gethostbyname(name)
    except OSError as error:
        raise HubError(
            "this machine does not find itself by its own name, as JupyterHub will have to: "
            f"add the line 127.0.1.1 {name} to /etc/hosts"
        ) from error
    base = Path(getattr(sys, "_base_executable", sys.executable)).resolve()
    if closed := [folder for folder in base.parents if not folder.stat().st_mode & 0o001]:
        raise HubError(
            f"{base} cannot be run by students, since {closed[-1]} is closed to them. "
            "Take the system's Python: /usr/bin/python3 start.py rlcourse hub init ..."
        )


def make_folders(place: Place) -> None:
    """All folders with their owners and modes."""
    for folder in (place.root, place.homes, place.etc):
        folder.mkdir(parents=True, exist_ok=True)
        folder.chmod(0o755)
    place.private.mkdir(exist_ok=True)
    place.private.chmod(0o700)
    place.class_folder.mkdir(exist_ok=True)
    shutil.chown(place.class_folder, group=place.teachers)
    place.class_folder.chmod(0o2770)


def open_exchange(place: Place, teacher: str) -> None:
    """nbgrader's exchange, in which nobody can list, read or move what is another's.

    nbgrader wants a folder that all may write to. The sticky bit keeps everyone from renaming
    what others made in it; `etc/all/nbgrader_config.py` closes each hand-in and page of feedback.
    """
    for name, mode in EXCHANGE.items():
        folder = place.exchange / name
        folder.mkdir(exist_ok=True)
        if name:
            shutil.chown(folder, user=teacher, group=place.teachers)
        folder.chmod(mode)


def lay_course(place: Place) -> int:
    """The course as `rlcourse release` packs it, with compiled kernels. Returns how many files."""
    with _laid_anew(place.course, "root", 0o755) as fresh:
        packed = make_release(open_course(None), None, fresh.with_suffix(".zip"))
        shutil.unpack_archive(fresh.with_suffix(".zip"), fresh)
        _bring_kernels(fresh)
    return packed.files


def lay_teacher(place: Place) -> None:
    """The whole course, readable for teachers alone; `.course`, where grading writes, is theirs."""
    with _laid_anew(place.teacher, place.teachers, 0o750) as fresh:
        shutil.copytree(PACKAGE.parent, fresh, ignore=shutil.ignore_patterns(*NOT_TEACHERS))
        (fresh / ".course").symlink_to(place.class_folder)
    write_settings(Course(place.teacher), place.class_folder)
    config = place.class_folder / "nbgrader_config.py"
    shutil.chown(config, group=place.teachers)
    config.chmod(0o640)


@contextmanager
def _laid_anew(place: Path, group: str, mode: int) -> Iterator[Path]:
    """A folder that does not exist yet, to be filled with the course.

    Then it is compiled, since nobody who uses it can write there, and closed; it takes the place
    of an older one, which is deleted.
    """
    with tempfile.TemporaryDirectory(dir=place.parent, prefix=".new-") as folder:
        fresh = Path(folder) / place.name
        yield fresh
        compileall.compile_dir(fresh / "rlcourse", quiet=2)
        _close(fresh, group, mode)
        if place.exists():
            place.rename(Path(folder) / "older")
        fresh.rename(place)


def _bring_kernels(fresh: Path) -> None:
    """Numba's compiled files. It compares the sources' contents, which are those of this course."""
    for compiled in PACKAGE.rglob("__pycache__/*.nb[ic]"):
        target = fresh / "rlcourse" / compiled.relative_to(PACKAGE)
        if target.parent.parent.is_dir():
            target.parent.mkdir(exist_ok=True)
            shutil.copyfile(compiled, target)


def _close(folder: Path, group: str, mode: int) -> None:
    """Give a tree to root and a group: read, and nothing else, as far as `mode` of folders says."""
    for path in (folder, *folder.rglob("*")):
        if not path.is_symlink():
            shutil.chown(path, user="root", group=group)
            path.chmod(mode if path.is_dir() else mode & 0o666)


def lay_settings(place: Place) -> None:
    """Settings of everybody's JupyterLab and nbgrader, and the hub's configuration file."""
    shutil.copytree(place.course / "launcher" / "lab", place.etc / "student", dirs_exist_ok=True)
    shutil.copytree(OURS / "etc", place.etc, dirs_exist_ok=True)  # wins over the laptop's
    boards = place.course / "rlcourse" / "boards" / "labextension"
    extension = place.etc / "share" / "labextensions" / "rlcourse"
    shutil.copytree(boards, extension, dirs_exist_ok=True)
    for name in ("lab.py", "pages.py"):
        shutil.copyfile(OURS / name, place.etc / name)
    _close(place.etc, "root", 0o755)
    config = place.private / "jupyterhub_config.py"
    if not config.exists():
        config.write_text(CONFIG.format(root=str(place.root)), encoding="utf-8")


def lay_pages(place: Place) -> None:
    """A page for each game, those on which somebody learns, and one that leads to them."""
    place.pages.mkdir(exist_ok=True)
    links = []
    for name, face in faces().items():
        write_page(get_game(name), None, place.pages / f"{name}.html")
        links.append((f"{name}.html", face.title))
    for name, learned in PAGES.items():
        write_learning_page(get_game(name), place.pages / learned.file)
        links.append((learned.file, learned.title))
    rows = "".join(f'<li><a href="{address}">{title}</a></li>' for address, title in links)
    (place.pages / "index.html").write_text(INDEX.format(rows=rows), encoding="utf-8")
    _close(place.pages, "root", 0o755)


def certificate(place: Place, given: Path | None, key: Path | None) -> dict[str, str]:
    """The settings of https: what is given, else what was chosen before, else a pair made here.

    Raises HubError where one of the two files is missing.
    """
    if given is None and key is None:
        settings = place.settings()
        return {} if settings.certificate else _sign(place, settings.host)
    if given is None or key is None or not (given.is_file() and key.is_file()):
        raise HubError("--certificate and --key go together and name files")
    return {"certificate": str(given.resolve()), "key": str(key.resolve())}


def _sign(place: Place, host: str) -> dict[str, str]:
    """A certificate and its key, signed by an authority of this server's own."""
    folder = place.private / "certificates"
    names = ["DNS:localhost", "IP:127.0.0.1", *([f"DNS:{host}"] if host else [])]
    program = [str(place.python().parent / "certipy"), "--store-dir", str(folder), "--overwrite"]
    people.run_program(*program, "rlcourse")
    people.run_program(*program, "--ca-name", "rlcourse", "--alt-names", ",".join(names), "hub")
    pair = folder / "hub" / "hub"
    return {"certificate": f"{pair}.crt", "key": f"{pair}.key"}


def environment(place: Place, given: Path | None) -> Path:
    """The Python environment of all: what is given, else what was given before, else one of its
    own, which is made or brought to this course's locks.
    """
    own, before = place.root / "env", place.settings().environment
    if given is None and before and Path(before) != own and place.python().exists():
        return Path(before)
    return given.absolute() if given else _make_environment(place, own)


def _make_environment(place: Place, env: Path) -> Path:
    """As `start.py` makes a student's."""
    base = getattr(sys, "_base_executable", sys.executable)
    command = [base, "-c", PREPARE, str(env), str(LOCK)]
    if subprocess.run(command, cwd=place.course, check=False).returncode != 0:
        raise HubError("the environment could not be made; the lines above say why")
    return env


def accounts(place: Place, roster: Path | None, teachers: tuple[str, ...]) -> Iterator[str]:
    """Make the accounts of teachers and of a class list; sentences on what was done."""
    staff = [Student(name, name) for name in teachers]
    if bad := [name for name in teachers if not people.ACCOUNT.fullmatch(name)]:
        raise HubError(f"--teacher {bad[0]} is no name of an account: letters, digits, - and _")
    students = people.people_of(read_roster(roster)) if roster else []
    for group, persons in ((place.teachers, staff), (place.students, students)):
        fresh = people.make_accounts(place, persons, group)
        yield f"{len(fresh)} new accounts in {group}: {', '.join(fresh) or 'none'}"
    if students:
        people.write_roster(place, students)
    yield f"First passwords: {place.private / 'passwords.csv'} (only root can read it)"
