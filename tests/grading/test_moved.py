"""A hidden case is changed in mid-term: the same hand-ins are graded again, and the scores that
moved are listed, with the case that moved each, and nobody else.
"""

import csv
import subprocess
import sys
import zipfile
from io import StringIO
from pathlib import Path

import pytest

from rlcourse.checks.course import FILE
from rlcourse.grading.gradebook import open_book
from rlcourse.grading.moved import _cases, another_file
from tests.grading.own_sheet import FORWARD, NUMBER, RIGHT, hand_in, own_course

TRUSTED = ("--without-a-box", "I-trust-every-hand-in")
SHORT = RIGHT.replace(
    "    for t in", "    if len(rewards) > 10:\n        return returns\n    for t in"
)
NO_ZERO = RIGHT.replace("+ gamma *", "+ (gamma or 1.0) *")
STUDENTS = {"ada": RIGHT, "fay": FORWARD, "sam": SHORT, "max": SHORT, "zoe": NO_ZERO}
CASES = "    for length in (1, 5, 12):\n"
ZERO = """    zero = (np.array([1.0, -2.0]), 0.0)
    cases.append(keyed(oracle51.shaped_returns, SHAPED_MISTAKES, *zero))
    return cases
"""


def graded(folder: Path, *options: str) -> str:
    """Grade the same hand-ins in a process of its own, as a teacher does."""
    words = ["grade", NUMBER, "--course", folder, "--submissions", folder / "in"]
    words += ["--out", folder / "out", "--seed", "s", *TRUSTED, *options]
    command = [sys.executable, "-m", "rlcourse", *map(str, words)]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr[-3000:]
    return done.stdout


def table(path: Path) -> dict[str, dict[str, str]]:
    rows = csv.DictReader(StringIO(path.read_text(encoding="utf-8-sig")))
    return {row["id"]: row for row in rows}


@pytest.fixture(scope="module")
def regraded(tmp_path_factory):
    """(class folder, files and scores before, what the dry run said), after a case of 12 plies was
    taken out and one with gamma 0 was added.

    A person has marked every explanation with 20 points, and given Max 10 points over the grader's.
    """
    with own_course(tmp_path_factory.mktemp("own")) as course:
        folder = course.folder
        for student, source in STUDENTS.items():
            (folder / "in" / student).mkdir(parents=True)
            (folder / "in" / student / "x.ipynb").write_bytes(hand_in(course, source))
        graded(folder)
        with open_book(course, NUMBER, folder / "out") as book:
            for student in STUDENTS:
                mark(book, student, "explanation", 20.0)
            mark(book, "max", "check-shaped_returns", 10.0)
        graded(folder, "--yes")
        sheet = folder / "out" / "class" / NUMBER
        assert not (sheet / "moved.csv").exists(), "a person's marks are no regrade"
        pages = {path.stem: path.read_bytes() for path in sheet.glob("feedback/*.html")}
        before = table(sheet / "scores.csv"), pages
        hidden = course.place(NUMBER) / "hidden.py"
        text = hidden.read_text()
        assert CASES in text
        text = text.replace(CASES, CASES.replace("5, 12", "5"))
        hidden.write_text(text.replace("    return cases\n", ZERO))
        said = graded(folder, "--dry-run")
        graded(folder, "--yes")
        yield sheet, before, said, lambda: graded(folder, "--yes")


def mark(book, student: str, item: str, points: float) -> None:
    """What formgrader does when a person gives points."""
    (submission,) = (
        one
        for one in book._book.notebook_submissions(f"{NUMBER}_sheet", NUMBER)
        if one.student.id == student
    )
    (grade,) = (grade for grade in submission.grades if grade.name == item)
    grade.manual_score, grade.needs_manual_grade = points, False
    book._book.db.commit()


@pytest.mark.slow
@pytest.mark.timeout(600)
def test_the_scores_that_moved_are_listed_with_their_case_and_nobody_else(regraded):
    sheet, (before, _), said, _ = regraded
    assert "3 students' points would change" in said
    moved = table(sheet / "moved.csv")
    assert set(moved) == {"sam", "max", "zoe"}
    assert moved["sam"]["total_before"] == "20" and moved["sam"]["total"] == "90"
    assert (moved["sam"]["before"], moved["sam"]["after"]) == ("0", "70")
    assert (moved["sam"]["outcome_before"], moved["sam"]["outcome"]) == ("other", "right")
    assert moved["sam"]["cases"].startswith("case 3 (changed, before (array([")
    assert moved["sam"]["cases"].endswith(": was other, is right")
    assert (moved["zoe"]["total_before"], moved["zoe"]["total"]) == ("90", "20")
    assert (moved["zoe"]["outcome_before"], moved["zoe"]["outcome"]) == ("right", "other")
    assert moved["zoe"]["cases"].startswith("case 3 (changed, before (array([")
    assert "was right, is gamma" in moved["zoe"]["cases"] and "0.0)" in moved["zoe"]["cases"]
    assert moved["max"]["note"] == "a person gave 10 points, which stay: look at it again"
    assert (moved["max"]["total_before"], moved["max"]["total"]) == ("30", "30")
    after = table(sheet / "scores.csv")
    assert {name: row["points"] for name, row in after.items()} == {
        **{"ada": "90", "fay": "20", "sam": "90", "max": "30", "zoe": "20"}
    }
    assert all(row["explanation"] == "20" for row in after.values())
    assert after["max"]["waits_for"] == "shaped_returns"
    assert after["ada"] == before["ada"] and after["fay"] == before["fay"]


@pytest.mark.slow
def test_who_did_not_move_gets_the_same_page_and_the_report_says_who_did(regraded):
    sheet, (_, pages), _, again = regraded
    for name in ("ada", "fay"):
        assert (sheet / "feedback" / f"{name}.html").read_bytes() == pages[name]
    for name in ("sam", "zoe"):
        page = (sheet / "feedback" / f"{name}.html").read_bytes()
        assert page != pages[name] and b"array(" not in page, "hidden inputs stay with the teacher"
    report = (sheet / "class.html").read_text()
    _, _, rest = report.partition("Scores that moved")
    listed = rest.partition("</table>")[0]
    assert all(f"feedback/{name}.html" in listed for name in ("sam", "max", "zoe"))
    assert "feedback/ada.html" not in listed and "feedback/fay.html" not in listed
    table_before = (sheet / "moved.csv").read_bytes()
    again()
    assert (sheet / "moved.csv").read_bytes() == table_before, "a run that moves nothing keeps it"
    assert "Scores that moved" in (sheet / "class.html").read_text()
    waits = table(sheet / "scores.csv")["max"]["waits_for"]
    assert waits == "shaped_returns", "a person has not looked at it yet"


def test_a_case_is_known_again_by_its_question_wherever_it_stands():
    before = (["a", "b", "c"], ["right", "sign", "right"])
    assert _cases(before, before) == ""
    assert _cases(before, (["c", "a"], ["right", "right"])) == "case taken out, b: was sign"
    assert _cases(before, (["a", "d", "c"], ["right", "right", "right"])) == (
        "case 2 (changed, before b), d: was sign, is right"
    )
    assert _cases(before, (["a", "b", "c"], ["right", "right", "late"])) == (
        "case 2, b: was sign, is right; case 3, c: was right, is late"
    )
    assert _cases(
        before, (["a", "b", "c", "d", "e"], ["right", "sign", "right", "x", "right"])
    ) == ("case 4 (added), d: was not asked, is x")
    # A function that raised at the second case was not asked the third.
    assert _cases((["a", "b", "c"], ["right", "raised an error"]), before) == (
        "case 2, b: was raised an error, is sign; case 3, c: was not asked, is right"
    )
    # A hand-in that is not there any more was asked nothing.
    assert _cases(before, (before[0], [])) == ""
    many = [f"{n}" for n in range(9)]
    assert _cases((many, ["x"] * 9), (many, ["right"] * 9)).endswith("; and 5 more")


def test_another_file_counts_only_where_a_file_counts():
    first, second, none = ({"digest": digest} for digest in ("1a", "2b", ""))
    assert another_file(first, second)
    assert not another_file(first, first)
    assert not another_file(first, none) and not another_file(none, first)


@pytest.mark.slow
@pytest.mark.timeout(600)
def test_marks_on_a_task_that_is_left_out_come_back_with_it(tmp_path):
    """An own sheet: re-weighted, then without its explanation, then as it came."""
    with own_course(tmp_path / "own") as course:
        folder, settings = course.folder, course.folder / FILE
        (folder / "in" / "ada").mkdir(parents=True)
        (folder / "in" / "ada" / "x.ipynb").write_bytes(hand_in(course, RIGHT))
        graded(folder)
        with open_book(course, NUMBER, folder / "out") as book:
            mark(book, "ada", "explanation", 20.0)
        scores = folder / "out" / "class" / NUMBER / "scores.csv"
        said = []
        for text in (
            "[sheet.51]\npoints.shaped_returns = 10\npoints.explanation = 60\n",
            '[sheet.51]\nleave_out = ["explanation"]\n',
            "",
        ):
            settings.write_text(text)
            graded(folder, "--yes")
            row = table(scores)["ada"]
            said.append((row["points"], row.get("explanation"), row["waits_for"]))
        assert said == [("30", "20", "explanation"), ("70", None, ""), ("90", "20", "explanation")]

        # The students' zip has the new points, and the file by which their checks know them.
        settings.write_text("[sheet.51]\npoints.shaped_returns = 10\n")
        words = ["release", NUMBER, "--course", folder, "--out", tmp_path / "51.zip"]
        subprocess.run([sys.executable, "-m", "rlcourse", *map(str, words)], check=True)
        with zipfile.ZipFile(tmp_path / "51.zip") as packed:
            text = packed.read(f"exercises/51/{NUMBER}_sheet.ipynb").decode()
            assert packed.read(f"exercises/51/{FILE}").decode() == settings.read_text()
            packed.extractall(tmp_path / "student")
        assert "*10 points, 15 minutes, easy*" in text and '"points": 10' in text
        code = "import rlcourse.checks as c; from pathlib import Path; "
        code += f"c.COURSES[:] = [Path({str(tmp_path / 'student')!r})]; "
        code += "print(c.get_sheet('51').task('shaped_returns').worth)"
        done = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True)
        assert done.stdout.decode().strip() == "10 points"
