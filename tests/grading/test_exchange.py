"""nbgrader's exchange, the whole circle by real users: release to fetched feedback, with
`rlcourse grade` in the middle.
"""

import os
import shutil
import subprocess
import sys
import tempfile
from functools import partial
from pathlib import Path

import pytest

from rlcourse.grading.sources import generate, nbgrader_api
from tests.grading.own_sheet import FORWARD, NUMBER, RIGHT, hand_in, own_course
from tests.grading.test_sheet_folder import GIVEN_OUT
from tests.grading.test_whole_class import run, scores
from tests.hostile.ordinary import as_ordinary_user

pytestmark = [pytest.mark.slow, pytest.mark.timeout(600), pytest.mark.xdist_group("whole_class")]
COURSE = "rlcourse"


@pytest.fixture
def students():
    """name -> (user id, home) of two users of this machine, who are gone afterwards."""
    if (
        sys.platform != "linux"
        or os.geteuid() != 0
        or not (shutil.which("useradd") and shutil.which("unshare"))
    ):
        pytest.skip(
            "the exchange is tried with real users: by root on Linux, with useradd and unshare"
        )
    names, made = [f"rl{os.getpid()}{letter}" for letter in "ab"], {}
    place = Path(tempfile.mkdtemp(prefix="exchange-"))
    place.chmod(0o755)
    try:
        for name in names:
            home = place / name
            subprocess.run(
                ["useradd", "--home-dir", home, "--create-home", "--shell", "/bin/sh", name],
                check=True,
            )
            home.chmod(0o700)
            made[name] = home.stat().st_uid, home
        yield made
    finally:
        for name in made:
            subprocess.run(["userdel", name], check=False, capture_output=True)
        shutil.rmtree(place)


@pytest.fixture
def exchange(students):
    """The folder through which files go; everybody may write into it, as nbgrader asks."""
    folder = next(iter(students.values()))[1].parent / "exchange"
    folder.mkdir()
    folder.chmod(0o777)
    return folder


def nbgrader(out: Path, *arguments: str) -> str:
    """A command of nbgrader as the instructor gives it, in the class's folder."""
    command = [sys.executable, "-m", "nbgrader", *arguments]
    done = subprocess.run(command, cwd=out, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stderr


def nbgrader_of_a_student(students: dict, exchange: Path, name: str, *arguments: str) -> str:
    """A command of nbgrader as that student gives it, who finds the exchange."""
    settings = [f"--Exchange.root={exchange}", "--course", COURSE]
    uid, home = students[name]
    done = as_ordinary_user(["-m", "nbgrader", *arguments, *settings], 300, user=uid, home=home)
    assert done.returncode == 0, done.stderr
    return done.stdout + done.stderr


def test_from_release_to_fetched_feedback(students, exchange, tmp_path):
    """Each student fetches their own feedback and cannot look for another's; who
    came another way stops nobody.
    """
    ada, bob = students
    student = partial(nbgrader_of_a_student, students, exchange)
    with own_course(tmp_path / "own") as course:
        out = tmp_path / "class"
        generate(course, NUMBER, out)
        with (out / "nbgrader_config.py").open("a") as config:
            config.write(f"c.Exchange.root = {str(exchange)!r}\n")
        api = nbgrader_api(course, out)
        api.config.Exchange.root = str(exchange)
        assert api.release_assignment(NUMBER)["success"]
        outbound = exchange / COURSE / "outbound" / NUMBER
        assert {path.name for path in outbound.iterdir()} == GIVEN_OUT
        assert NUMBER in student(ada, "list")
        for name, source in ((ada, RIGHT), (bob, FORWARD)):
            uid, home = students[name]
            student(name, "fetch_assignment", NUMBER)
            (sheet,) = (home / NUMBER).glob("*.ipynb")
            assert sheet.stat().st_uid == uid
            sheet.write_bytes(hand_in(course, source, f"These are the words of {name}."))
            student(name, "submit", NUMBER)
        assert api.collect(NUMBER)["success"]
        stamps = {path: path.read_text() for path in (out / "submitted").rglob("*.txt")}
        assert len(stamps) == 4  # a time and a secret of each
        (out / "submitted" / "carl" / NUMBER).mkdir(parents=True)  # by e-mail
        (out / "submitted" / "carl" / NUMBER / "x.ipynb").write_bytes(
            hand_in(course, RIGHT, "These are the words of carl.")
        )

        options = ("--submissions", out / "submitted", "--course", course.folder, "--out", out)
        result = run(*options, "--without-a-box", "I-trust-every-hand-in")
        assert result.exit_code == 0, result.output
        assert {path: path.read_text() for path in (out / "submitted").rglob("*.txt")} == stamps
        rows = scores(out)
        assert {name: rows[name]["points"] for name in (ada, bob, "carl")} == {
            ada: "70",
            bob: "0",
            "carl": "70",
        }
        assert (
            rows[ada]["clock"] == "timestamp.txt" and rows["carl"]["clock"] == "the file's own time"
        )

        assert all(api.generate_feedback(NUMBER, name)["success"] for name in (ada, bob, "carl"))
        nbgrader(out, "release_feedback", NUMBER)
        for name, other in ((ada, bob), (bob, ada)):
            student(name, "fetch_feedback", NUMBER)
            (page,) = (students[name][1] / NUMBER / "feedback").rglob("*.html")
            text = page.read_text()
            assert f"the words of {name}" in text and other not in text and "carl" not in text
        assert len(list((exchange / COURSE / "feedback").glob("*.html"))) == 3
        look = ["-c", f"import os; os.listdir({str(exchange / COURSE / 'feedback')!r})"]
        done = as_ordinary_user(look, 60, user=students[ada][0], home=students[ada][1])
        assert "PermissionError" in done.stderr
