"""Every command of the command line ends with 0 only when it did what it was asked;
Ctrl-C is one sentence and 130.
"""

import errno
import os
import shutil
import signal
import subprocess
import sys
import time
import tomllib
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from types import SimpleNamespace
from unittest.mock import Mock

import pytest
import typer
from typer.main import get_command

from rlcourse.agents import load_agent
from rlcourse.cli import _run, app, main
from rlcourse.cli_arguments import number_of_known_sheet, writable_file, writable_folder
from rlcourse.experience import ExperienceBuffer
from rlcourse.gnubg import GnubgMissing
from rlcourse.gtp.client import EngineMissing
from rlcourse.learning.trained import Diverged
from rlcourse.storage import load
from tests.unit.in_process import exit_code

DRIVER = Path(__file__).with_name("cli_driver.py")
ROOT = Path(__file__).resolve().parents[2]
NAMES = set(get_command(app).commands)

SUCCESS = {
    "new-agent": "agent.h5 --size 3",
    "self-play": "go/policy-5x5 --out games.h5 --games 4 --chunk 4",
    "train": "q-table --out bot.h5 --games 1000",
    "evaluate": "tic-tac-toe/perfect --games 2",
    "experiment": "afterstates --seeds 1 --workers 0 --folder rows",
    "site": "pages",
    "page": "go --size 9 --out page.html",
    "gtp": "",
    "progress": "--folder course",
    "hand-in": "sheet-1 --name A --notebook "
    f"{ROOT}/exercises/01/01_sampling_and_clipping.ipynb --folder made",
    "grade": "--check",
    "release": "1 --out course.zip",
    "new-sheet": "51 --course own",
    "new-course": "--course mine",
    "lesson-pages": "--out class",
}
WITHOUT_END = {"play"}  # it serves until Ctrl-C
TOO_LONG = {"benchmark", "tournament"}  # minutes; their own tests run them in parts

BAD = {
    "new-agent": "agent.h5 --network no-such",
    "self-play": "no-such --out games.h5",
    "train": "",
    "evaluate": "no-such",
    "experiment": "no-such",
    "benchmark": "--no-such",
    "play": "--bot no-such.h5",
    "site": "",
    "page": "backgammon --agent go/random",
    "gtp": "no-such",
    "progress": "",
    "hand-in": "99 --name A",
    "grade": "99 --submissions .",
    "tournament": "--game backgammon",
    "release": "99",
    "new-sheet": "01 --course own",
    "new-course": "--course no-such",
    "lesson-pages": "--no-such",
}

# What is at work when Ctrl-C comes: the place that is announced, or what the command itself prints.
CTRL_C = {
    "new-agent": ("rlcourse.agents.policy:build_network", "agent.h5 --size 3"),
    "self-play": ("-", "go/policy-5x5 --out games.h5 --games 1000000 --chunk 8"),
    "train": ("-", "q-table --out bot.h5 --games 100000000 --set alpha=0.00001"),
    "evaluate": ("rlcourse.arena:play_match", "tic-tac-toe/perfect --games 1000"),
    "experiment": ("rlcourse.experiments:as_completed", "q-table --folder rows --workers 2"),
    "benchmark": ("-", ""),
    "play": ("-", "--no-browser --port 0"),
    "site": ("rlcourse.site:build_site", "pages"),
    "page": ("rlcourse.page:page", ""),
    "gtp": ("rlcourse.gtp.engine:serve", ""),
    "progress": ("rlcourse.progress:student_folder", ""),
    "hand-in": ("-", "1"),
    "grade": (
        "rlcourse.grading.classroom:grade_file",
        f"1 --submissions {ROOT}/exercises --out class --without-a-box I-trust-every-hand-in",
    ),
    "tournament": ("-", "--game tic-tac-toe --games 100 --out ladder"),
    "release": ("rlcourse.grading.release:make_release", "1"),
    "new-sheet": ("rlcourse.grading.new_sheet:Course", "51 --course own"),
    "new-course": ("rlcourse.checks.course:template", "--course mine"),
    "lesson-pages": ("rlcourse.grading.lesson_pages:page", "--out class"),
}
PRINTED = {
    "train": b" games ",
    "benchmark": b"is timed",
    "play": b"http://",
    "hand-in": b"student number",
    "tournament": b"0%",
    "self-play": b"8/",
}


@contextmanager
def started(folder: Path, place: str, name: str, words: str) -> Iterator[subprocess.Popen]:
    """A command in a session of its own, as a terminal starts one; nothing of it is left behind."""
    process = subprocess.Popen(
        [sys.executable, DRIVER, place, name, *words.split()],
        cwd=folder,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        start_new_session=True,
    )
    try:
        yield process
    finally:
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.communicate()


def ended(process: subprocess.Popen) -> None:
    """Wait until no process of its session is left; the test's own limit is the only one."""
    with suppress(ProcessLookupError):
        while True:
            os.killpg(process.pid, 0)
            time.sleep(0.05)


def interrupt(process: subprocess.Popen, marker: bytes) -> str:
    """Ctrl-C once `marker` was printed. Returns all that was printed from the marker on."""
    printed = b""
    while marker not in printed:
        printed += (byte := process.stdout.read(1))
        assert byte, printed.decode(errors="replace")
    os.killpg(process.pid, signal.SIGINT)
    return process.stdout.read().decode(errors="replace")


def test_every_command_has_its_place_in_the_tables():
    by_root = {"hub"}  # tests/hub calls it with users of its own
    assert NAMES - by_root == SUCCESS.keys() | WITHOUT_END | TOO_LONG == BAD.keys() == CTRL_C.keys()


@pytest.mark.slow
@pytest.mark.parametrize("name", SUCCESS)
def test_a_command_that_did_what_it_was_asked_ends_with_0_and_without_noise(
    name, tmp_path, require_program
):
    if name == "grade":
        require_program("bwrap")
    lessons = tmp_path / "course/my/notebooks"
    for folder in (lessons, tmp_path / "mine/solutions"):
        folder.mkdir(parents=True)
    shutil.copy(ROOT / "notebooks/00_play_first.ipynb", lessons)
    result = subprocess.run(
        [sys.executable, "-m", "rlcourse.cli", name, *SUCCESS[name].split()],
        cwd=tmp_path,
        input="quit\n",
        capture_output=True,
        text=True,
        env={key: value for key, value in os.environ.items() if not key.startswith("TF_CPP")},
    )
    assert result.returncode == 0, result.stderr
    assert [line for line in result.stderr.splitlines() if line.strip() and "%|" not in line] == []


@pytest.mark.slow
@pytest.mark.parametrize("name", BAD)
def test_a_wrong_call_ends_with_1_or_2_and_says_why(name, tmp_path, monkeypatch, capfd):
    monkeypatch.chdir(tmp_path)
    assert exit_code(monkeypatch, name, *BAD[name].split()) in (1, 2)
    printed = capfd.readouterr().err
    assert printed and "Traceback" not in printed, printed
    assert not list(tmp_path.iterdir())


@pytest.mark.slow
@pytest.mark.skipif(os.name != "posix", reason="Ctrl-C of a terminal, sent to a session")
@pytest.mark.parametrize("name", CTRL_C)
def test_ctrl_c_is_one_sentence_and_130(name, tmp_path):
    place, words = CTRL_C[name]
    (tmp_path / "mine" / "solutions").mkdir(parents=True)
    with started(tmp_path, place, name, words) as process:
        printed = interrupt(process, PRINTED.get(name, b"at work"))
        assert process.wait() == 130, printed
        ended(process)
    assert (
        printed.count("rlcourse: stopped by Ctrl-C") == 1
        and printed.endswith(".\n")
        and "Traceback" not in printed
    ), printed
    if name == "train":
        assert (
            load_agent(tmp_path / "bot.h5").game.name == "tic-tac-toe"
            and "bot.h5 is the agent as it is" in printed
        )
    elif name == "self-play":
        assert (
            ExperienceBuffer.load(tmp_path / "games.h5").games >= 8
            and "goes on from there" in printed
        )
    elif name not in ("grade", "tournament"):
        assert not [path for path in tmp_path.rglob("*") if path.is_file()]


EARLY = """
import importlib.abc, signal, sys

class PressedWhile(importlib.abc.MetaPathFinder):
    def find_spec(self, name, path=None, target=None):
        if name == {moment!r}:
            signal.raise_signal(signal.SIGINT)

signal.signal(signal.SIGINT, signal.default_int_handler)
sys.meta_path.insert(0, PressedWhile())
"""
SCRIPT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["scripts"][
    "rlcourse"
]
STARTS = {
    "program": [
        "-c",
        "import sys; from {} import {}; sys.exit({}())".format(
            *SCRIPT.split(":"), SCRIPT.split(":")[1]
        ),
    ],
    "module": ["-m", "rlcourse"],
}


@pytest.mark.skipif(os.name != "posix", reason="Ctrl-C of a terminal")
@pytest.mark.parametrize("start", STARTS)
@pytest.mark.parametrize("moment", ["rlcourse.cli_stop", "typer", "rlcourse.cli_class"])
def test_ctrl_c_while_the_command_line_is_imported_is_one_sentence_and_130(moment, start, tmp_path):
    (tmp_path / "sitecustomize.py").write_text(EARLY.format(moment=moment))
    command = [sys.executable, *STARTS[start], "--version"]
    ended = subprocess.run(
        command,
        env={**os.environ, "PYTHONPATH": str(tmp_path)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (ended.returncode, ended.stdout, ended.stderr) == (
        130,
        "",
        "\nrlcourse: stopped by Ctrl-C.\n",
    )


LEAVES = """
import atexit, signal, sys
from rlcourse.__main__ import main

signal.signal(signal.SIGINT, signal.default_int_handler)
atexit.register(signal.raise_signal, signal.SIGINT)
sys.argv = ["rlcourse", "--version"]
main()
"""


@pytest.mark.skipif(os.name != "posix", reason="Ctrl-C of a terminal")
def test_ctrl_c_while_python_ends_is_one_sentence_and_130():
    ended = subprocess.run([sys.executable, "-c", LEAVES], capture_output=True, text=True)
    assert (ended.returncode, ended.stderr) == (130, "\nrlcourse: stopped by Ctrl-C.\n")


WILL_NOT_UNWIND = {
    "a library that works without Python": "hashlib.pbkdf2_hmac('sha256', b'', b'', 2 * 10**9)",
    "a library that swallows what it does not know": "time.sleep(3_600)",
    "a thread that is waited for": "threading.Thread(target=threading.Event().wait).start() "
    "or time.sleep(3_600)",
}
STUBBORN = """
import hashlib, signal, sys, threading, time
from rlcourse.cli_stop import ctrl_c

signal.signal(signal.SIGINT, signal.default_int_handler)
with ctrl_c.watched():
    try:
        print("at work", flush=True)
        {work}
    except KeyboardInterrupt:
        time.sleep(3_600)
"""


@pytest.mark.slow
@pytest.mark.skipif(os.name != "posix", reason="Ctrl-C of a terminal, sent to a session")
@pytest.mark.parametrize("work", WILL_NOT_UNWIND.values(), ids=WILL_NOT_UNWIND)
def test_a_process_that_will_not_unwind_is_ended(work):
    process = subprocess.Popen(
        [sys.executable, "-c", STUBBORN.format(work=work)],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        start_new_session=True,
    )
    printed = interrupt(process, b"at work")
    assert process.wait() == 130 and "rlcourse: stopped by Ctrl-C.\n" in printed


@pytest.mark.parametrize(
    "text",
    [
        "1",
        "01",
        "001",
        " 1 ",
        "sheet 1",
        "Sheet 01",
        "sheet01",
        "#1",
        "exercise 1",
        "exercises/01",
        "exercises/1/",
        "my\\exercises\\01",
        "my/exercises/01/01_sampling_and_clipping.ipynb",
        "01_sampling_and_clipping",
        "01.ipynb",
        "１",
    ],
)
def test_a_sheet_may_be_written_as_people_write_it(text):
    assert number_of_known_sheet(text) == "01"


@pytest.mark.parametrize(
    "text", ["99", "0", "one", "101", "1.5", "1abc", "-", "sheet", "exercises/", "2026/notes"]
)
def test_what_is_no_sheet_is_refused_with_the_list(text):
    with pytest.raises(typer.BadParameter, match="there are 01, 02, 03, .*, 10"):
        number_of_known_sheet(text)


UNWRITABLE = {
    "a folder": ("there", "there and is not an ordinary file"),
    "below a file": ("file/bot.h5", "cannot be written"),
    "a device": (os.devnull, "there and is not an ordinary file"),
    "too long a name": ("x" * 240 + ".h5", "cannot be written"),
    "a nameless file": ("", "there and is not an ordinary file"),
}


@pytest.mark.parametrize("what", UNWRITABLE)
def test_a_file_that_cannot_be_written_is_refused(what, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "there").mkdir()
    (tmp_path / "file").touch()
    path, reason = UNWRITABLE[what]
    with pytest.raises(typer.BadParameter, match=reason):
        writable_file(Path(path))
    for fine in ("bot.h5", "new/folders/bot.h5", "file"):
        assert writable_file(Path(fine)) == Path(fine)
    assert sorted(entry.name for entry in tmp_path.iterdir()) == ["file", "there"]


def test_a_folder_that_cannot_be_written_is_refused(tmp_path):
    (tmp_path / "file").touch()
    for name in ("file", "file/pages"):
        with pytest.raises(typer.BadParameter, match="is not a folder|cannot be written"):
            writable_folder(tmp_path / name)
    for name in ("", "pages", "new/pages"):
        assert writable_folder(tmp_path / name) == tmp_path / name


@pytest.mark.parametrize(
    "words",
    [
        "train q-table --out file/bot.h5",
        "train q-table --out bot.h5 --checkpoint file/run.h5",
        "new-agent file/agent.h5",
        "self-play go/policy-5x5 --out file/games.h5",
        "experiment afterstates --folder file",
        "site file",
        "page --out file/page.html",
        "hand-in 1 --name A --folder file",
        "release 1 --out file/course.zip",
        "new-sheet 51 --course file",
        "tournament --out file",
        "grade 1 --submissions . --out file",
        "train q-table --out bot.h5 --checkpoint ./bot.h5",
    ],
)
def test_a_place_that_cannot_be_written_is_refused_before_the_work(
    words, tmp_path, monkeypatch, capsys
):
    """The call is wrong (2), and nothing was printed or written: the work has not begun."""
    (tmp_path / "file").touch()
    monkeypatch.chdir(tmp_path)
    code, printed = exit_code(monkeypatch, *words.split()), capsys.readouterr()
    assert code == 2 and "Error: Invalid value" in printed.err and printed.out == ""
    assert [path.name for path in tmp_path.iterdir()] == ["file"]


def test_a_class_is_not_graded_where_the_disk_is_nearly_full(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr("rlcourse.cli_grade.require_isolation", lambda way: None)
    monkeypatch.setattr("shutil.disk_usage", lambda place: SimpleNamespace(free=3 * 1024 * 1024))
    (tmp_path / "in").mkdir()
    code = exit_code(
        monkeypatch, "grade", "1", "--submissions", f"{tmp_path}/in", "--out", f"{tmp_path}/out"
    )
    assert code == 2 and "3 MiB are free" in capsys.readouterr().err
    assert [path.name for path in tmp_path.iterdir()] == ["in"]


def test_a_full_disk_says_what_to_do(monkeypatch, capsys):
    def full(**_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr("rlcourse.cli.app", full)
    assert _run() == 1
    assert "make room and give the same command again" in capsys.readouterr().err


def test_the_version_is_that_of_the_package(monkeypatch, capsys):
    code = exit_code(monkeypatch, "--version")
    version = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"][
        "version"
    ]
    assert code == 0 and capsys.readouterr().out == f"rlcourse {version}\n"


@pytest.mark.parametrize("words", [[], ["--ray"], ["--out"], ["--", "--ray"], ["--ray", "--ray"]])
def test_a_call_of_train_that_lacks_something_says_what(words, monkeypatch, capsys):
    code, printed = exit_code(monkeypatch, "train", *words), capsys.readouterr().err
    assert (
        code == 2
        and ("Missing" in printed or "requires an argument" in printed)
        and "zip()" not in printed
    )


@pytest.mark.parametrize(
    ("call", "sentence"),
    [
        ("train q-table --out b.h5 --set seed=3", "the seed is --seed"),
        ("train q-table --out b.h5 --set alpha=0,2", "alpha of q-table is a number, not '0,2'"),
        ("train td-gammon --out b.h5 --experience games.h5", "does not learn from recorded games"),
        ("train policy-gradient --out b.h5 --set games=0 --games 1", "takes one game or more"),
        ("new-agent a.h5 --set filter=4", "cannot be made with"),
        ("new-agent a.h5 --network deep-q", "cannot be made with"),
        ("new-agent a.h5 --network policy-x", "policy-x"),
        ("new-agent a.h5 --set seed=1", "multiple values for keyword argument 'seed'"),
        ("new-agent a.h5 --set board=9", "multiple values for keyword argument 'board'"),
    ],
)
def test_a_setting_that_does_not_fit_is_one_sentence(call, sentence, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "games.h5").write_bytes(b"")
    code, printed = exit_code(monkeypatch, *call.split()), capsys.readouterr().err
    assert code in (1, 2) and sentence in " ".join(printed.replace("│", " ").split())
    assert "Traceback" not in printed


@pytest.mark.parametrize("kind", [Diverged, EngineMissing, GnubgMissing])
def test_what_goes_wrong_is_one_sentence(kind, monkeypatch, capsys):
    monkeypatch.setattr("rlcourse.cli.app", Mock(side_effect=kind("it is not there")))
    with pytest.raises(SystemExit, match="1"):
        main()
    assert capsys.readouterr().err == "rlcourse: it is not there\n"


def test_the_stored_command_makes_the_same_agent(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    call = "new-agent a.h5 --size 5 --komi 5.5 --set filters=4"
    assert exit_code(monkeypatch, *call.split()) == 0
    command = load("a.h5").meta["about"]["command"]
    assert "--komi 5.5" in command and "--set filters=4" in command
