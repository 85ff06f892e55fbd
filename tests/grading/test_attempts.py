"""Several files of one student, files of other sheets, extensions: nothing that counts
is passed over in silence.
"""

import csv
import os
from datetime import datetime
from io import StringIO

import pytest
from typer.testing import CliRunner

from rlcourse.cli import app
from rlcourse.grading.class_list import BadRoster, read_extensions, read_roster
from rlcourse.grading.desk import Desk
from rlcourse.grading.intake import Attempt, take_in
from rlcourse.grading.moved import from_earlier_run
from rlcourse.grading.policy import make_policy
from rlcourse.grading.roster import Student
from tests.grading.own_sheet import FORWARD, NUMBER, RIGHT, hand_in, own_course, sheet

MOMENT = datetime(2026, 11, 20, 12).astimezone()
CLASS = "id,name\ns1,Ada Lovelace\ns2,Eda Love\n"


def attempt(digest, moment=MOMENT):
    return Attempt(Student("s1"), f"{digest}.ipynb", digest, moment)


@pytest.mark.parametrize("attempts", ["last", "best"])
@pytest.mark.parametrize(
    ("points", "blank", "counts"),
    [
        ({"a": 70.0, "b": 0.0}, ["b"], "a"),
        ({"a": 0.0, "b": 0.0}, ["b"], "a"),
        ({"a": 0.0, "b": 0.0}, ["a", "b"], "b"),
        ({"b": 0.0}, ["b"], "b"),
        ({"a": 70.0, "b": 20.0}, [], "a"),
        ({"a": 20.0, "b": 70.0}, [], "b"),
    ],
)
def test_of_files_of_one_moment_a_blank_one_and_a_worse_one_do_not_count(
    points, blank, counts, attempts
):
    both = [attempt("a"), attempt("b")]
    for order in (both, both[::-1]):
        assert make_policy(attempts=attempts).choose(order, points, blank).digest == counts


def test_a_later_blank_file_does_not_count_and_a_later_worse_one_does():
    later = MOMENT.replace(hour=15)
    first, second = both = attempt("a"), attempt("b", later)
    assert make_policy().choose(both, {"a": 70.0, "b": 0.0}, ["b"]) is first
    assert make_policy().choose(both, {"a": 70.0, "b": 20.0}) is second


def test_folders_of_other_sheets_are_listed(tmp_path):
    for path in ("s1/02/x.ipynb", "s1/03/x.ipynb", "s1/03/notes.txt", "s2/03/x.ipynb"):
        (tmp_path / "in" / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "in" / path).write_bytes(b"{}")
    (tmp_path / "roster.csv").write_text(CLASS)
    intake = take_in(
        tmp_path / "in",
        read_roster(tmp_path / "roster.csv"),
        lambda digest, content: None,
        number="02",
    )
    assert {
        student: [one.origin for one in attempts] for student, attempts in intake.attempts.items()
    } == {"s1": ["s1/02/x.ipynb"]}
    assert intake.unmatched == [
        ("s2/03/x.ipynb", "s2: the folder is that of sheet 03, and nothing of sheet 02 came"),
        ("1 in folders of sheet 03", "of students who have handed in sheet 02; not looked at here"),
    ]


def test_an_extension_for_nobody_is_refused(tmp_path):
    (tmp_path / "roster.csv").write_text(CLASS)
    roster, path = read_roster(tmp_path / "roster.csv"), tmp_path / "extensions.csv"
    path.write_text("student,until\nS1,2026-11-27T23:59\n")
    assert list(read_extensions(path, roster)) == ["s1"]
    for unknown in ("s12", "Grace Hopper"):
        path.write_text(f"student,until\ns1,2026-11-27T23:59\n{unknown},2026-11-27T23:59\n")
        with pytest.raises(BadRoster, match=f"line 3: '{unknown}' is no id of the roster"):
            read_extensions(path, roster)
    with pytest.raises(BadRoster, match="is it s1?"):
        path.write_text("student,until\ns1x,2026-11-27T23:59\n")
        read_extensions(path, roster)


@pytest.mark.slow
@pytest.mark.timeout(300)
def test_the_solved_file_counts_and_what_a_person_marks_waits(tmp_path):
    """The command, over files beside a blank one, without the written task, with
    stripped outputs, and as a script.
    """
    with own_course(tmp_path / "own") as course:
        solved, blank = hand_in(course), hand_in(course, None, None)
        files = {
            "two": {"a.ipynb": solved, "b.ipynb": blank},
            "worse": {"a.ipynb": solved, "b.ipynb": hand_in(course, FORWARD)},
            "script": {"a.py": ("import numpy as np\n" + RIGHT).encode()},
            "newer": {
                "a.ipynb": hand_in(
                    course, "def shaped_returns[T](rewards, gamma):\n    return rewards"
                )
            },
            "blank": {"b.ipynb": blank},
        }
        for student, contents in files.items():
            (tmp_path / "in" / student).mkdir(parents=True)
            for name, content in contents.items():
                (tmp_path / "in" / student / name).write_bytes(content)
                os.utime(tmp_path / "in" / student / name, (1_790_000_000, 1_790_000_000))
        out = tmp_path / "out"
        options = [
            "--submissions",
            tmp_path / "in",
            "--course",
            course.folder,
            "--out",
            out,
            "--seed",
            "s",
        ]
        result = CliRunner().invoke(
            app, ["grade", NUMBER, *map(str, options), "--without-a-box", "I-trust-every-hand-in"]
        )
        assert result.exit_code == 0, result.output
        given = from_earlier_run(Desk(course, sheet(), out).folder, "given")
        assert {student: entry["points"] for student, entry in given.items()} == {
            "two": 70,
            "worse": 70,
            "script": 70,
            "newer": 0,
            "blank": 0,
        }
        table = (out / "class" / NUMBER / "scores.csv").read_text(encoding="utf-8-sig")
        rows = {row["id"]: row for row in csv.DictReader(StringIO(table))}
        waits = {student: row["waits_for"] for student, row in rows.items()}
        # nothing is 0 for good but what was left as it was handed out
        assert waits == {
            "two": "explanation",
            "worse": "explanation",
            "script": "explanation",
            "newer": "shaped_returns explanation",
            "blank": "",
        }
        assert "explanation is not in the file: its 30 points wait" in rows["script"]["look_at"]
        assert "cannot read cell" in rows["newer"]["look_at"]
