"""A class of twenty, from files to pages: outcomes told apart, kills survived, marks
kept, nothing runs in a page.
"""

import base64
import csv
import html
import json
import re
import shutil
import signal
import subprocess
import sys
import time
from html.parser import HTMLParser
from io import BytesIO, StringIO
from pathlib import Path
from unittest.mock import Mock

import nbformat
import pytest
from typer.testing import CliRunner

from rlcourse.checks.task import Outcome
from rlcourse.cli import app
from rlcourse.grading import Patience, Status, launch_plain
from rlcourse.grading.classroom import Classroom, seed_of, version
from rlcourse.grading.gradebook import as_text, open_book, without_markup
from rlcourse.grading.handed import read_handed, redrawn
from rlcourse.grading.report import write_reports
from rlcourse.grading.roster import Student
from rlcourse.grading.sources import generate, nbgrader_api, outside_repository
from tests.grading.own_sheet import FORWARD, NUMBER, RIGHT, hand_in, own_course, sheet
from tests.hostile.files import packed

pytestmark = [pytest.mark.slow, pytest.mark.timeout(900), pytest.mark.xdist_group("whole_class")]
SCRIPT = "<script>document.title='owned'</script><img src=x onerror=\"document.title='owned'\">"
TRUSTED = ("--without-a-box", "I-trust-every-hand-in")


@pytest.fixture(scope="module")
def course(tmp_path_factory):
    with own_course(tmp_path_factory.mktemp("own")) as course:
        yield course


def png(width: int = 30, height: int = 20, words: str = "") -> str:
    from PIL import Image, PngImagePlugin

    out, info = BytesIO(), PngImagePlugin.PngInfo()
    info.add_text("comment", words)
    Image.new("RGB", (width, height), "red").save(out, "PNG", pnginfo=info)
    return base64.b64encode(out.getvalue()).decode()


def figure(**data) -> nbformat.NotebookNode:
    return nbformat.v4.new_output(
        "display_data", {"image/png": png(), "text/plain": "<Figure>", **data}
    )


def changed(content: bytes, change) -> bytes:
    notebook = json.loads(content)
    change(notebook["cells"])
    return json.dumps(notebook).encode()


def cell(cells: list, name: str) -> dict:
    return next(one for one in cells if one["id"] == name)


def body(words: str) -> str:
    return f"def shaped_returns(rewards, gamma):\n    {words}"


TELLS = body("raise ValueError(f'hidden input: {rewards.tolist()} {gamma}')")
OTHER_POWERS = """def shaped_returns(rewards, gamma):
    n = len(rewards)
    return [sum(gamma**k * rewards[t + k] for k in range(n - t)) for t in range(n)]"""
HOSTILE = body(
    "import os; os.kill(os.getppid(), 9); [os.fork() for _ in range(9)]; return "
    "open('/etc/passwd').read()"
)


def the_class(course) -> dict[str, tuple[str, bytes, str]]:
    """student -> (file, content, what must be said of it: an outcome, a status or a mistake)."""
    right = hand_in(course)
    return {
        "right": ("x.ipynb", right, "right"),
        "powers": ("x.ipynb", hand_in(course, OTHER_POWERS), "right"),
        "source": ("x.py", b"import numpy as np\n" + RIGHT.encode(), "right"),
        "forward": ("x.ipynb", hand_in(course, FORWARD, SCRIPT), "forward"),
        "shape": (
            "x.ipynb",
            hand_in(course, RIGHT.replace("return returns", "return returns[1:]")),
            "shape",
        ),
        "blank": ("x.ipynb", hand_in(course, None, None), "not started"),
        "raises": ("x.ipynb", hand_in(course, TELLS), "raised an error"),
        "loops": ("x.ipynb", hand_in(course, body("while True: pass")), "timed out"),
        "exits": ("x.ipynb", hand_in(course, body("import os; os._exit(3)")), "crashed"),
        "imports": (
            "x.ipynb",
            hand_in(course, "from rlcourse.experience import discounted_returns as shaped_returns"),
            "imported",
        ),
        "damaged": ("x.ipynb", right[:500], "not a notebook"),
        "essay": ("essay.ipynb", b"Dear instructor, " + SCRIPT.encode(), "not a notebook"),
        "other": ("x.ipynb", hand_in(course, sheet="02"), "another sheet"),
        "release": ("x.ipynb", hand_in(course, release=7), "right"),
        "renamed": (
            "x.ipynb",
            hand_in(course, RIGHT.replace("shaped_returns", "my_returns")),
            "missing",
        ),
        "deleted": (
            "x.ipynb",
            changed(right, lambda cells: cells.remove(cell(cells, "shaped_returns"))),
            "missing",
        ),
        "twice": (
            "x.ipynb",
            changed(
                right, lambda cells: cells.append(dict(cell(cells, "shaped_returns"), id="again"))
            ),
            "right",
        ),
        "slip": ("evil.zip", packed(("../../x.ipynb", right)), "could not be read"),
        "zipped": ("mine.zip", packed(("sheet/x.ipynb", right)), "right"),
        "hostile": ("x.ipynb", hand_in(course, HOSTILE), "raised an error|crashed|wrong|timed out"),
    }


def write_class(folder: Path, students: dict) -> None:
    for student, (name, content, _) in students.items():
        (folder / "in" / student).mkdir(parents=True)
        (folder / "in" / student / name).write_bytes(content)
    rows = [
        ("id", "name", "email"),
        *((name, f"{name.title()} {SCRIPT}", f"{name}@example.org") for name in students),
        ("idle", "=1+1", ""),
    ]
    with (folder / "roster.csv").open("w", encoding="utf-8", newline="") as stream:
        csv.writer(stream).writerows(rows)


def options(course, folder: Path) -> tuple:
    """Of `rlcourse grade`: the hand-ins in this folder, and where the results go."""
    places = ("--submissions", folder / "in", "--out", folder / "out")
    return (*places, "--course", course.folder, "--seed", "s")


def run(*arguments: object, answer: str | None = None):
    result = CliRunner().invoke(app, ["grade", NUMBER, *map(str, arguments)], input=answer)
    if result.exception and not isinstance(result.exception, SystemExit | ValueError):
        raise result.exception
    return result


def scores(out: Path) -> dict[str, dict[str, str]]:
    text = (out / "class" / NUMBER / "scores.csv").read_text(encoding="utf-8-sig")
    return {row["id"]: row for row in csv.DictReader(StringIO(text))}


class Scripts(HTMLParser):
    """Everything in a page that could run, load or lead away."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.found: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        if tag in ("script", "iframe", "object", "embed", "form", "base", "link", "svg:script"):
            self.found.append(tag)
        for name, value in attributes:
            if name.startswith("on") or (
                name in ("src", "href", "action")
                and not re.match(r"data:image/png;base64,|feedback/|#", value or "")
            ):
                self.found.append(f"{tag} {name}={value}")


@pytest.fixture(scope="module")
def graded(course, tmp_path_factory, require_program):
    """The class of twenty, each in a box, in one command."""
    require_program("bwrap")
    folder, students = tmp_path_factory.mktemp("class"), the_class(course)
    write_class(folder, students)
    result = run(*options(course, folder), "--roster", folder / "roster.csv")
    assert result.exit_code == 0, result.output
    return folder, students, result.output


def test_every_hand_in_is_told_what_it_is(graded):
    folder, students, output = graded
    assert "UNPROTECTED: every" not in output
    given = json.loads((folder / "out" / "class" / NUMBER / "given.json").read_text())
    rows = scores(folder / "out")
    for student, (_, _, expected) in students.items():
        page = (folder / "out" / "class" / NUMBER / "feedback" / f"{student}.html").read_text()
        badges = re.findall(r'class="badge \w+">([^<]+)<', page)
        mistakes = [
            name
            for name, words in sheet().task("shaped_returns").mistakes.items()
            if words[1:].replace("'", "&#x27;") in page
        ]
        mistakes += ["imported"] * ("write it yourself" in page) + ["shape"] * (
            "another shape" in page
        )
        assert re.search(rf"^({expected})$", "\n".join([*badges, *mistakes]), re.M), (
            student,
            badges,
            mistakes,
        )
        points = given[student]["points"]
        if expected == "right":
            assert points == 70 and rows[student]["shaped_returns"] == "70"
        elif expected in (
            "not a notebook",
            "another sheet",
            "could not be read",
        ):
            assert (
                points is None
                and rows[student]["points"] == ""
                and rows[student]["status"] == expected
            )
            assert rows[student]["waits_for"] == "shaped_returns explanation"
        else:
            assert points == 0 and rows[student]["points"] == "0"
    assert rows["idle"]["status"] == "nothing handed in" and rows["idle"]["points"] == ""


def test_no_page_and_no_table_lets_anything_run(graded):
    out = graded[0] / "out" / "class" / NUMBER
    pages = [out / "class.html", *out.glob("feedback/*.html")]
    assert len(pages) == 21
    for path in pages:
        text = path.read_text()
        assert Scripts(text).found == [], path
        assert "default-src 'none'" in text
    assert Scripts(f"<p>{SCRIPT}</p>").found  # the test can fail
    assert (
        "'=1+1" in (out / "moodle.csv").read_text() and "'=1+1" in (out / "canvas.csv").read_text()
    )


def test_hidden_inputs_reach_nobody(graded):
    out = graded[0] / "out"
    shown = [path for path in out.rglob("*") if path.suffix in (".html", ".csv", ".ipynb")]
    assert len(shown) > 30
    for path in shown:
        text = path.read_text(encoding="utf-8", errors="replace")
        assert "hidden input: [" not in text and not re.search(
            r"-?\d\.\d{3}, -?\d\.\d{3}, -?\d\.\d{3}", text
        ), path
    assert b"hidden input: [" not in (out / "gradebook.db").read_bytes()


def test_the_report_says_what_went_wrong_most(graded):
    text = (graded[0] / "out" / "class" / NUMBER / "class.html").read_text()
    for words in (
        "a return looks ahead",
        "the cell shaped_returns comes twice",
        "leads out of the zip",
    ):
        assert words in text, words
    assert (
        "all answers are letter for letter those of" in text
    )  # right, twice and zipped are one and the same
    # A task of one function that has one right answer: nothing can be said of it.
    assert "Hand-ins that are alike" in text and "the task\ngives nearly everything" in text
    others = graded[0] / "out" / "class" / NUMBER
    for path in (*others.glob("feedback/*.html"), *others.glob("*.csv")):
        assert "Hand-ins that are alike" not in path.read_text(), path


def test_nbgrader_shows_it_and_writes_its_own_feedback(graded, course):
    out = graded[0] / "out"
    api = nbgrader_api(course, out)
    told = {one["student"]: one for one in api.get_submissions(NUMBER)}
    assert (
        told["right"]["autograded"]
        and told["right"]["score"] == 70
        and told["right"]["needs_manual_grade"]
    )
    assert (
        told["damaged"]["needs_manual_grade"]
        and told["blank"]["score"] == 0
        and not told["blank"]["needs_manual_grade"]
    )
    assert not list(
        (out / "submitted").rglob("*.ipynb")
    )  # a click on "autograde" has nothing to run
    assert api.generate_feedback(NUMBER, "forward")["success"]
    page = next((out / "feedback" / "forward").rglob("*.html")).read_text()
    assert "a return looks ahead" in page
    found = [
        one
        for one in Scripts(page).found
        if one != "script" and "src=http" not in one and not one.startswith(("a href=", "link"))
    ]
    assert found == [] and "document.title='owned'</script>" not in page


def test_a_second_run_grades_nothing_and_changes_nothing(graded, course, monkeypatch):
    folder, _, _ = graded
    sheet_folder = folder / "out" / "class" / NUMBER
    before = {
        path: path.read_bytes()
        for path in (*sheet_folder.rglob("*.csv"), *sheet_folder.rglob("records/*"))
    }
    monkeypatch.setattr(
        "rlcourse.grading.classroom.grade_file", lambda *_, **__: pytest.fail("graded again")
    )
    result = run(*options(course, folder), "--roster", folder / "roster.csv")
    assert result.exit_code == 0, result.output
    assert "Change what" not in result.output
    assert before == {path: path.read_bytes() for path in before}


# --- reruns, marks, kills: without boxes, by a small class of honest hand-ins ---------------------


@pytest.fixture(scope="module")
def prepared(course, tmp_path_factory) -> Path:
    """nbgrader's version of the sheet and an empty gradebook, made once:
    that takes it some seconds.
    """
    out = tmp_path_factory.mktemp("prepared")
    generate(course, NUMBER, out)
    return out


@pytest.fixture
def class_of(course, prepared, tmp_path):
    """`class_of(ada=content)` gives the options of `rlcourse grade` for these
    hand-ins in this test's folder.
    """
    shutil.copytree(prepared, tmp_path / "out")
    return lambda **hand_ins: small(course, tmp_path, **hand_ins)


def small(course, folder: Path, **hand_ins: bytes) -> tuple:
    for student, content in hand_ins.items():
        (folder / "in" / student).mkdir(parents=True, exist_ok=True)
        (folder / "in" / student / "x.ipynb").write_bytes(content)
    return (*options(course, folder), *TRUSTED)


def mark(course, out: Path, student: str, item: str, points: float, words: str = "") -> None:
    """As formgrader does it."""
    from nbgrader.api import Gradebook

    with Gradebook(nbgrader_api(course, out).coursedir.db_url) as book:
        grade = book.find_grade(item, f"{NUMBER}_sheet", NUMBER, student)
        grade.manual_score, grade.needs_manual_grade = points, False
        if words:
            book.find_comment(item, f"{NUMBER}_sheet", NUMBER, student).manual_comment = words
        book.db.commit()


def marks(course, out: Path, student: str):
    with open_book(course, NUMBER, out) as book:
        return book.marks(student)


def test_a_persons_marks_and_comments_survive_and_a_regrade_asks_first(course, class_of, tmp_path):
    arguments = class_of(ada=hand_in(course, FORWARD), bob=hand_in(course))
    out = tmp_path / "out"
    assert run(*arguments).exit_code == 0
    assert marks(course, out, "ada").total == 0 and marks(course, out, "ada").waiting == (
        "explanation",
    )
    mark(course, out, "ada", "explanation", 25.0, f"Well said. {SCRIPT}")
    assert run(*arguments).exit_code == 0
    assert marks(course, out, "ada").total == 25 and marks(course, out, "ada").waiting == ()
    page = (out / "class" / NUMBER / "feedback" / "ada.html").read_text()
    assert (
        "Well said. &lt;script&gt;" in page
        and "25 of 30" in page
        and scores(out)["ada"]["points"] == "25"
    )

    (tmp_path / "in" / "ada" / "x.ipynb").write_bytes(
        hand_in(course)
    )  # a new hand-in, right this time
    assert (
        "nothing was changed" in run(*arguments, "--dry-run").output
        and marks(course, out, "ada").total == 25
    )
    refused = run(*arguments, answer="n\n")
    assert (
        "ada: 0 -> 70  (shaped_returns; another file counts)" in refused.output
        and "Nothing was changed" in refused.output
    )
    assert marks(course, out, "ada").total == 25
    assert run(*arguments, answer="y\n").exit_code == 0
    after = marks(course, out, "ada")
    assert (
        after.total == 95
        and after.comments["explanation"].startswith("Well said")
        and after.waiting == ("explanation",)
    )

    mark(course, out, "bob", "check-shaped_returns", 60.0)  # a person's word over the grader's
    assert run(*arguments, "--yes").exit_code == 0
    assert marks(course, out, "bob").total == 60 and marks(course, out, "bob").by_hand == {
        "shaped_returns": 60.0
    }


def test_lateness_counts_on_a_persons_marks_too(course, class_of, tmp_path):
    receipt = {"name": "ada", "time": "2026-11-21T13:00:00+00:00", "fingerprint": "x"}
    arguments = (
        *class_of(ada=hand_in(course, hand_in=receipt)),
        "--deadline",
        "2026-11-20T12:00+00:00",
        "--late",
        "10%/day",
    )
    assert run(*arguments).exit_code == 0
    assert marks(course, tmp_path / "out", "ada").total == pytest.approx(
        56
    )  # 70 less 20%: two days started
    mark(course, tmp_path / "out", "ada", "explanation", 30.0)
    assert run(*arguments).exit_code == 0
    assert marks(course, tmp_path / "out", "ada").total == pytest.approx(80)
    assert (
        "20% of the points are taken off"
        in (tmp_path / "out" / "class" / NUMBER / "feedback" / "ada.html").read_text()
    )


def test_two_kills_lose_nothing(course, class_of, tmp_path):
    """Hand-ins that take their time; kill -9 twice; the third run goes on
    where the second was stopped.
    """
    slow = "import time; time.sleep(1)\n"
    students = {f"s{k:02d}": hand_in(course, f"# {k}\n{slow}{RIGHT}") for k in range(6)}
    arguments = [str(one) for one in class_of(**students)]
    command = [sys.executable, "-m", "rlcourse.cli", "grade", NUMBER, *arguments, "--jobs", "2"]
    records = tmp_path / "out" / "class" / NUMBER / "records"

    def count() -> int:
        return len(list(records.glob("*.json"))) if records.exists() else 0

    for wanted in (1, 3):
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        while count() < wanted and process.poll() is None:
            time.sleep(0.02)
        process.send_signal(getattr(signal, "SIGKILL", signal.SIGTERM))
        process.wait()
        assert wanted <= count() < 6
    before = {path: path.stat().st_mtime_ns for path in records.glob("*.json")}
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0 and "6 graded" in done.stdout, done.stderr
    assert count() == 6 and all(
        path.stat().st_mtime_ns == moment for path, moment in before.items()
    )
    assert {row["points"] for row in scores(tmp_path / "out").values()} == {"70"}


def classroom(course, folder: Path, launcher=launch_plain, seed: int = 1) -> Classroom:
    return Classroom(sheet(), folder, seed, launcher, "plain")


def test_a_rerun_grades_only_what_changed(course, tmp_path):
    counted = Mock(wraps=launch_plain)
    room = classroom(course, tmp_path, counted)
    for name, content in (
        ("a", hand_in(course)),
        ("b", hand_in(course, FORWARD)),
        ("c", b"no notebook {"),
    ):
        room.store(name, content)
    first = room.grade_all([["a"], ["b"], ["c"], ["a"]])
    assert [first[name].status for name in "abc"] == [
        Status.GRADED,
        Status.GRADED,
        Status.NOT_A_NOTEBOOK,
    ] and counted.call_count == 2
    again = classroom(course, tmp_path, counted)
    assert again.grade_all([["a"], ["b"], ["c"]]) == first and counted.call_count == 2
    classroom(course, tmp_path, counted, seed=2).grade_all([["a"]])
    assert counted.call_count == 3
    tasks = course.place(NUMBER) / "tasks.py"
    shutil.copy(tasks, tmp_path / "kept.py")
    with tasks.open("a") as stream:
        stream.write("\n# changed\n")
    version.cache_clear()
    classroom(course, tmp_path, counted).grade_all([["a"]])
    assert counted.call_count == 4
    shutil.copy(tmp_path / "kept.py", tasks)
    version.cache_clear()


def test_a_broken_record_is_graded_again_and_a_broken_grader_stops_nobody(course, tmp_path):
    def broken():
        raise OSError("no process today")

    room = classroom(course, tmp_path, broken)
    room.store("a", hand_in(course))
    room.store("b", b"no notebook {")
    told = room.grade_all([["a"], ["b"]])
    assert told["a"].status is Status.NOT_RUN and told["b"].status is Status.NOT_A_NOTEBOOK
    room = classroom(course, tmp_path)
    assert room.grade_all([["a"], ["b"]])["a"].points == 70
    for path in (tmp_path / "records").glob("*.json"):
        path.write_text("{")
    assert classroom(course, tmp_path).grade_all([["a"]])["a"].points == 70


def test_who_is_slow_gives_the_place_to_others(course, tmp_path, monkeypatch):
    """One place, and a hand-in that sleeps in it until the others, which
    are behind it, are graded.
    """
    monkeypatch.setattr("rlcourse.grading.classroom.PLACE", 0.5)
    gate, seen = tmp_path / "others", []
    slow = f"import os, time\nwhile not os.path.exists({str(gate)!r}): time.sleep(0.05)\n{RIGHT}"
    room = classroom(course, tmp_path)
    contents = {
        "slow": hand_in(course, slow),
        "quick": hand_in(course),
        "forward": hand_in(course, FORWARD),
    }
    for name, content in contents.items():
        room.store(name, content)

    def progress(record):
        seen.append(record.digest)
        if len(seen) == 2:
            gate.write_text("")

    graded = room.grade_all([[name] for name in contents], jobs=1, progress=progress)
    assert seen[-1] == "slow" and graded["slow"].points == 70


def test_all_files_of_a_student_share_one_budget(course, tmp_path, monkeypatch):
    """The one that counts is graded first; for one that is not run a person is asked,
    and nothing is kept of it.
    """
    monkeypatch.setattr(
        "rlcourse.grading.classroom.Patience", lambda total=8.0: Patience(total=total)
    )
    room = classroom(course, tmp_path)
    sleeps = hand_in(course, f"import time\ntime.sleep(1_000)\n{RIGHT}")
    for name, content in (
        ("right", hand_in(course)),
        ("sleeps", sleeps),
        ("late", hand_in(course, FORWARD)),
    ):
        room.store(name, content)
    graded = room.grade_all([["right", "sleeps", "late"]])
    assert list(graded) == ["right", "sleeps", "late"] and graded["right"].points == 70
    (result,) = graded["sleeps"].results
    assert result.outcome is Outcome.UNSETTLED and "took more than" in result.message
    assert graded["late"].status is Status.NO_TIME and not graded["late"].status.graded
    assert room.recall("right") == graded["right"] and room.recall("late") is None


def test_more_than_five_files_of_one_student_are_listed(course, class_of, tmp_path):
    """Five are graded, the last one first; the others are named beside the result."""
    arguments = class_of(ada=hand_in(course))
    for number in range(7):
        (tmp_path / "in" / "ada" / f"y{number}.ipynb").write_bytes(
            hand_in(course, f"# {number}\n{RIGHT}")
        )
    assert run(*arguments).exit_code == 0
    (row,) = [row for row in scores(tmp_path / "out").values() if row["id"] == "ada"]
    assert row["look_at"].count("at most 5 files of one student are") == 3 and row["points"] == "70"


def test_code_beyond_the_bound_is_for_a_person(course, class_of, tmp_path):
    """Two million characters of statements would cost the grader 1.8 GB; as many
    of a picture cost nothing.
    """
    picture = json.loads(hand_in(course))
    cell(picture["cells"], "shaped_returns")["outputs"] = [figure(**{"image/png": "A" * 2_000_000})]
    files = {
        "long": hand_in(course, f"{'a;' * 110_000}\n{RIGHT}"),
        "drawn": json.dumps(picture).encode(),
    }
    assert run(*class_of(**files)).exit_code == 0
    table = {row["id"]: row for row in scores(tmp_path / "out").values()}
    assert (
        table["long"]["status"] == Status.TOO_LARGE
        and "at most 200,000 are read" in table["long"]["look_at"]
    )
    assert table["long"]["points"] == "" and table["drawn"]["points"] == "70"


def test_seeds_come_from_secrets():
    assert (
        seed_of("a") != seed_of("b") and seed_of("a") == seed_of("a") and 0 <= seed_of("a") < 2**64
    )


# --- what is shown of a hand-in -------------------------------------------------------------------


def test_only_text_and_figures_drawn_anew_are_shown(course):
    outputs = [
        figure(**{"text/html": SCRIPT, "image/svg+xml": SCRIPT}),
        nbformat.v4.new_output("execute_result", {"text/html": SCRIPT, "text/plain": "[1, 2]"}),
        nbformat.v4.new_output("stream", name="stdout", text="\x1b[31mred\x1b[0m\u202etxt\n"),
        nbformat.v4.new_output(
            "display_data", {"image/png": base64.b64encode(SCRIPT.encode()).decode()}
        ),
    ]
    handed = read_handed(hand_in(course, outputs=outputs), ["shaped_returns", "explanation"])
    answer = handed.answers["shaped_returns"]
    assert (
        answer.text == "[1, 2]\nredtxt\n"
        and len(answer.figures) == 1
        and handed.blank == frozenset()
    )
    clean = base64.b64decode(redrawn(png(words=SCRIPT)))
    assert (
        b"script" in base64.b64decode(png(words=SCRIPT))
        and b"script" not in clean
        and clean.startswith(b"\x89PNG")
    )
    assert redrawn(png(3000, 2000)) is None and redrawn("%%%") is None and redrawn(None) is None


@pytest.mark.parametrize(
    "words",
    [
        SCRIPT,
        "[click](javascript:alert(1)) <javascript:alert(1)> [a]: javascript:alert(1)\n[a]",
        "![x](http://tracker.example/pixel.png) http://tracker.example",
        "`code` <b onclick=alert(1)>x</b> &lt;script&gt;",
        "$$\\href{javascript:alert(1)}{x} a<b$$",
        "<svg/onload=alert(1)>\n\n<!-- <x> -->\n<details open ontoggle=alert(1)>",
        "````\n```\n~~~\n</code></pre><script>alert(1)</script>\n   `````",
        "a\r```\r<script>alert(1)</script>\r\n```",
    ],
)
def test_words_of_students_are_text_in_nbgraders_pages(words):
    from nbconvert.filters.markdown_mistune import markdown2html_mistune

    page = markdown2html_mistune(as_text(words))
    assert re.fullmatch(r"\s*<pre><code>[^<>]*</code></pre>\s*", page), page
    shown = html.unescape(page.strip().removeprefix("<pre><code>").removesuffix("</code></pre>"))
    assert "".join(shown.split()) == "".join(words.split())
    sentence = markdown2html_mistune(without_markup(words))
    assert not set(re.findall(r"<(/?\w+)", sentence)) - {
        "p",
        "/p",
        "code",
        "/code",
        "pre",
        "/pre",
        "br",
    }, sentence
    assert "$" not in sentence and "\\" not in sentence


def test_what_is_no_markup_stays_as_it_was():
    text = "Is it 3.5 (of `softmax`), or -1?\nA second line, with under_scores * stars * and 100%."
    assert without_markup(text) == text and as_text(text) == f"```\n{text}\n```"


# --- tables for platforms -------------------------------------------------------------------------


def test_moodles_own_worksheet_comes_back_filled(course, class_of, tmp_path):
    arguments = class_of(s1=hand_in(course), s2=b"no notebook {")
    header = (
        "Identifier,Full name,ID number,Email address,Status,Grade,Maximum Grade,Feedback comments"
    )
    lines = [
        "Participant 1,Ada,s1,a@example.org,Submitted,,50.00,",
        "Participant 2,Bob,s2,b@example.org,Submitted,,50.00,",
        "Participant 3,Eve,s3,e@example.org,,,50.00,",
    ]
    (tmp_path / "worksheet.csv").write_text("\n".join([header, *lines]) + "\n")
    assert run(*arguments, "--roster", tmp_path / "worksheet.csv").exit_code == 0
    told = (
        (tmp_path / "out" / "class" / NUMBER / "moodle.csv")
        .read_text(encoding="utf-8-sig")
        .splitlines()
    )
    # 70 of 100 points are 35 of Moodle's 50; a file that could not be graded, and
    # none at all, have no grade
    assert told == [header, lines[0].replace(",,50", ",35,50"), *lines[1:]]


def test_canvas_gets_its_columns(course, class_of, tmp_path):
    arguments = class_of(s1=hand_in(course))
    (tmp_path / "canvas.csv").write_text(
        "Student,ID,SIS User ID,SIS Login ID,Section,Old (1)\n"
        "Points Possible,,,,,5\n"
        '"Lovelace, Ada",101,s1,ada,A,3\n'
    )
    assert run(*arguments, "--roster", tmp_path / "canvas.csv").exit_code == 0
    told = list(
        csv.reader(
            StringIO(
                (tmp_path / "out" / "class" / NUMBER / "canvas.csv").read_text(encoding="utf-8-sig")
            )
        )
    )
    assert told == [
        ["Student", "ID", "SIS User ID", "SIS Login ID", "Section", f"Sheet {NUMBER}"],
        ["    Points Possible", "", "", "", "", "100"],
        ["Lovelace, Ada", "101", "s1", "ada", "A", "70"],
    ]


# --- refusals -------------------------------------------------------------------------------------


def test_it_never_runs_unboxed_unless_told_so(course, tmp_path, monkeypatch):
    import rlcourse.grading.box as box

    arguments = small(
        course, tmp_path, ada=hand_in(course, f"open({str(tmp_path / 'ran')!r}, 'w')\n{RIGHT}")
    )[:-2]
    monkeypatch.setattr(
        box, "check_isolation", lambda: [box.Finding("network", False, "a packet left", "close it")]
    )
    result = run(*arguments)
    assert "FAILED  network: a packet left" in result.output and "close it" in result.output
    assert "cannot be isolated" in str(result.exception)
    assert run(*arguments, "--without-a-box", "yes").exit_code != 0
    assert CliRunner().invoke(app, ["grade", "--check"]).exit_code == 1
    assert not (tmp_path / "ran").exists()


def test_students_data_stays_out_of_the_repository(course, tmp_path, require_program):
    git = require_program("git")
    subprocess.run([git, "init", "-q", tmp_path], check=True)
    arguments = small(course, tmp_path, ada=hand_in(course))
    assert (
        "does not ignore it" in str(run(*arguments).exception) and not (tmp_path / "out").exists()
    )
    (tmp_path / ".gitignore").write_text("out/\n")
    assert outside_repository(tmp_path / "out") == tmp_path / "out"


def test_two_runs_in_one_folder_do_not_meet(course, tmp_path):
    from rlcourse.grading.classroom import lock

    with lock(tmp_path), pytest.raises(ValueError, match="another run"):
        lock(tmp_path)


def test_points_that_the_gradebook_could_not_hold_are_refused(course, tmp_path):
    """The instructor's notebook lost the check of a task: nobody's points
    may vanish without a word.
    """
    own = shutil.copytree(course.folder, tmp_path / "own")
    source = next((own / "solutions" / NUMBER).glob("*.ipynb"))
    source.write_text(source.read_text().replace("check-shaped_returns", "check-other"))
    options = small(course, tmp_path, ada=hand_in(course))
    options = [own if option == course.folder else option for option in options]
    result = run(*options)
    assert result.exit_code and "has no graded cell check-shaped_returns" in str(result.exception)
    assert not (tmp_path / "out" / "class" / NUMBER / "given.json").exists()


def test_pages_of_nobody(course, tmp_path):
    """A report on a class in which nobody could be graded is still a report."""
    from rlcourse.grading.whole_class import NOTHING, Round, Row

    done = Round(sheet(), (Row(Student("a", "Ada"), NOTHING),))
    text = write_reports(tmp_path, done).read_text()
    assert NOTHING in text and Scripts(text).found == []


def test_an_answer_beyond_the_bound_waits_for_a_person(course, class_of, tmp_path):
    """It is listed, named in the tables, and no 0 in the gradebook that nobody gave."""
    assert run(*class_of(ada=hand_in(course, body("return np.zeros(10**7)")))).exit_code == 0
    (row,) = [row for row in scores(tmp_path / "out").values() if row["id"] == "ada"]
    assert "shaped_returns" in row["waits_for"] and "larger than 1 MB" in row["look_at"]
    page = (tmp_path / "out" / "class" / NUMBER / "class.html").read_text()
    assert "larger than 1 MB" in page.partition("For you to settle")[2]
    page = (tmp_path / "out" / "class" / NUMBER / "feedback" / "ada.html").read_text()
    assert "the points are not settled yet" in page
    maximum = sheet().task("shaped_returns").points
    assert f"– of {maximum}<" in page and f">0 of {maximum}<" not in page
    assert 'class="badge wait">for a person to settle' in page
    waits = row["waits_for"].split()
    items = (*sheet().tasks, *sheet().manual)
    open_points = sum(item.points for item in items if item.name in waits)
    assert f"not final</span> {open_points} points wait" in page


def test_a_record_does_not_outlive_a_change_of_a_game(tmp_path, monkeypatch):
    """Hidden cases and answers play by the rules of the package."""
    rules = tmp_path / "games" / "rules.py"
    rules.parent.mkdir()
    monkeypatch.setattr("rlcourse.grading.classroom.PACKAGE", tmp_path)
    seen = []
    for text in ("KOMI = 7.5", "KOMI = 6.5"):
        rules.write_text(text)
        seen.append(version.__wrapped__())
    assert seen[0] != seen[1]
