"""What comes in: archives with hostile names, the downloads of Moodle and Canvas,
rosters, names that are nobody's.
"""

import errno
import json
import os
import pickle
import stat
import struct
import subprocess
import sys
import zipfile
from datetime import datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rlcourse.grading import reading
from rlcourse.grading.archive import BadArchive, File, opened
from rlcourse.grading.class_list import BadRoster, read_extensions, read_roster
from rlcourse.grading.intake import Attempt, take_in
from rlcourse.grading.policy import BadPolicy, make_policy
from rlcourse.grading.receipt import Receipt, code_of
from rlcourse.grading.roster import Owner, Student, read_moment, safe_id
from rlcourse.hand_in import check_of, hand_in
from tests.grading.course import ROOT
from tests.hostile.files import listing, packed


def notebook(words: str = "x = 1", receipt: dict | None = None, sheet: str = "02") -> bytes:
    mark = {"sheet": sheet, "release": 1} | ({"hand_in": receipt} if receipt else {})
    cells = [
        {
            "cell_type": "code",
            "metadata": {},
            "source": words,
            "outputs": [],
            "execution_count": None,
        }
    ]
    return json.dumps(
        {"cells": cells, "metadata": {"rlcourse": mark}, "nbformat": 4, "nbformat_minor": 5}
    ).encode()


def test_the_sheets_own_files_are_no_answer(tmp_path):
    """A folder handed in as it was fetched: its tasks count neither beside a notebook nor
    in place of a damaged one.
    """
    for name in ("tasks.py", "visible.py", "reference.py"):
        for student in ("s1", "s2"):
            path = tmp_path / student / "02" / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text("print('tasks')")
    (tmp_path / "s1" / "02" / "x.ipynb").write_bytes(notebook())
    intake = take_in(tmp_path, None, lambda digest, content: None, number="02")
    assert [attempt.origin for attempt in intake.attempts["s1"]] == ["s1/02/x.ipynb"]
    assert not any(attempt.digest for attempt in intake.attempts["s2"])
    assert "comes with the sheet" in intake.attempts["s2"][0].refused


def link(name: str) -> zipfile.ZipInfo:
    entry = zipfile.ZipInfo(name)
    entry.external_attr = (stat.S_IFLNK | 0o777) << 16
    return entry


HOSTILE = {
    "zip slip": ("../../evil.ipynb", "leads out"),
    "zip slip with backslashes": ("..\\..\\evil.ipynb", "leads out"),
    "slip in the middle": ("a/../../evil.ipynb", "leads out"),
    "absolute": ("/etc/evil.ipynb", "absolute"),
    "a drive": ("C:\\evil.ipynb", "absolute"),
    "a link": (link("evil.ipynb"), "link"),
    "a bomb": ("evil.ipynb", "much more than it is packed"),
    "far too large": ("evil.ipynb", "at most"),
}


def unpacked(content):
    """What one student packed."""
    return list(File("mine.zip", content).unpacked())


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_members_are_refused_by_name_and_the_others_read(name, tmp_path):
    member, reason = HOSTILE[name]
    content = {"a bomb": b" " * 15_000_000, "far too large": b" " * 17_000_000}.get(name, b"secret")
    before = set(tmp_path.rglob("*"))
    bad, good = unpacked(packed((member, content), ("ada/good.ipynb", b"{}")))
    assert reason in bad.refused and bad.content == b""
    assert (good.name, good.content, good.refused) == ("ada/good.ipynb", b"{}", "")
    assert set(tmp_path.rglob("*")) == before


@pytest.mark.filterwarnings("ignore:Duplicate name")
@pytest.mark.parametrize("twin", ["X.ipynb", "x.ipynb", "a/../x.ipynb"])
def test_names_that_clash_are_both_refused(twin):
    told = unpacked(
        packed(("x.ipynb", b"1"), (twin, b"2"), ("Ü.ipynb", b"3"), ("U\u0308.ipynb", b"4"))
    )
    assert all(one.refused for one in told if one.name.casefold() != "x.ipynb" or ".." not in twin)
    assert not any(one.content for one in told[2:])


def test_an_entry_that_lies_about_its_size_and_damaged_archives():
    data = bytearray(packed(("x.ipynb", b"y" * 5_000)))
    for mark, offset in (
        (b"PK\x01\x02", 24),
        (b"PK\x03\x04", 22),
    ):  # the unpacked size in both headers
        struct.pack_into("<I", data, data.index(mark) + offset, 10)
    (told,) = unpacked(bytes(data))
    assert "cannot be unpacked" in told.refused
    for damage in (b"PK\x03\x04 no zip", packed(("x.ipynb", b"1"))[:-30], b""):
        with pytest.raises(BadArchive, match="damaged"):
            unpacked(damage)


def test_what_is_no_zip_is_named(tmp_path):
    table = tmp_path / "worksheet.csv"
    table.write_text("name,points\n", encoding="utf-8")
    with pytest.raises(BadArchive, match=r"worksheet\.csv is no folder and no zip"):
        opened(table)


@pytest.mark.skipif(
    not hasattr(os, "mkfifo"), reason="links and pipes of a folder are tried on POSIX"
)
def test_links_and_pipes_in_a_folder_are_not_followed(tmp_path):
    (tmp_path / "secret").write_text("secret")
    hand_ins = tmp_path / "in"
    hand_ins.mkdir()
    (hand_ins / "ada.ipynb").symlink_to(tmp_path / "secret")
    (hand_ins / "folder").symlink_to(tmp_path)
    os.mkfifo(hand_ins / "bob.ipynb")
    told = {one.name: one for one in opened(hand_ins)[1]}
    assert {name: one.refused for name, one in told.items()} == {
        "ada.ipynb": "a link, not a file",
        "folder": "a link, not a file",
        "bob.ipynb": "not a regular file",
    }
    assert not any(one.content for one in told.values())


MOODLE = """Identifier,Full name,ID number,Email address,Status,Grade,Maximum Grade,Last modified (submission)
Participant 77001,Ada Lovelace,s1,ada@example.org,Submitted,,100.00,"Friday, 20 November 2026, 10:15 AM"
Participant 77002,Jörg Müller,s2,joerg@example.org,Submitted,,100.00,-
Participant 77003,Jörg Müller,s3,jm@example.org,Submitted,,100.00,-
"""
CANVAS = """Student,ID,SIS User ID,SIS Login ID,Section,Sheet 01 (5)
    Points Possible,,,,,100
"Lovelace, Ada",101,s1,ada,A,
"van der Berg, Bob",102,s2,bob,A,
"Student, Test",999,,,A,
"""
PLAIN = "\ufeffstudent_id;name;email\ns1;Ada Lovelace;ada@example.org\ns2;Bob Berg;bob@example.org\ns3;Bob Berg;b2@example.org\n"


def roster(tmp_path: Path, text: str):
    path = tmp_path / "roster.csv"
    path.write_text(text, encoding="utf-8")
    return read_roster(path)


def found(intake) -> dict[str, list[str]]:
    return {
        student: sorted(attempt.origin for attempt in attempts)
        for student, attempts in intake.attempts.items()
    }


def test_a_moodle_download_is_matched_by_its_numbers(tmp_path):
    members = [
        ("Ada Lovelace_77001_assignsubmission_file_/a.ipynb", notebook()),
        ("Jörg Müller_77003_assignsubmission_file_/b.ipynb", notebook("y")),
        ("Jörg Müller_88888_assignsubmission_file_/c.ipynb", notebook("z")),
        (
            "Ada Lovelace_77002_assignsubmission_file_/d.ipynb",
            notebook("w"),
        ),  # the number of another student
        ("Eve Nobody_77009_assignsubmission_file_/e.ipynb", notebook("v")),
    ]
    (tmp_path / "moodle.zip").write_bytes(packed(*members))
    (tmp_path / "folder").mkdir()
    (tmp_path / "folder" / "downloaded.zip").write_bytes(packed(*members))
    for place in ("moodle.zip", "folder"):
        intake = take_in(tmp_path / place, roster(tmp_path, MOODLE), lambda digest, content: None)
        names = {
            student: [one.rpartition("/")[2] for one in origins]
            for student, origins in found(intake).items()
        }
        assert names == {"s1": ["a.ipynb"], "s3": ["b.ipynb"]}
        reasons = {place.rpartition("/")[2]: reason for place, reason in intake.unmatched}
        assert (
            "all have this name" in reasons["c.ipynb"] and "Jörg Müller (s2)" in reasons["c.ipynb"]
        )
        assert "not in the roster" in reasons["e.ipynb"]
        assert (
            "the number 77002 is that of Jörg Müller (s2), the name that of Ada Lovelace (s1)"
            in reasons["d.ipynb"]
        )
        ada = intake.attempts["s1"][0]
        assert (
            ada.clock == "the roster" and ada.moment == datetime(2026, 11, 20, 10, 15).astimezone()
        )


def test_a_name_with_the_number_of_nobody_is_doubtful_where_numbers_are_known(tmp_path):
    (tmp_path / "Ada Lovelace_70000_assignsubmission_file_").mkdir()
    (tmp_path / "Ada Lovelace_70000_assignsubmission_file_" / "a.ipynb").write_bytes(notebook())
    intake = take_in(tmp_path, roster(tmp_path, MOODLE), lambda digest, content: None)
    assert not intake.attempts and any(
        "the number 70000 is not" in reason for _, reason in intake.unmatched
    )


def test_a_canvas_download_and_what_is_late(tmp_path):
    folder = tmp_path / "in"
    folder.mkdir()
    for name in (
        "lovelaceada_101_555_02_q_tables.ipynb",
        "vanderbergbob_LATE_102_556_02_q_tables-1.ipynb",
        "lovelaceeve_103_557_x.ipynb",
    ):
        (folder / name).write_bytes(notebook(name))
    intake = take_in(folder, roster(tmp_path, CANVAS), lambda digest, content: None)
    assert [len(attempts) for attempts in (intake.attempts["s1"], intake.attempts["s2"])] == [1, 1]
    late = intake.attempts["s2"][0]
    assert late.late and late.moment is None  # the file's time is that of the download
    assert "nothing was taken off" in make_policy(datetime.now().isoformat()).questions(late)[0]
    assert len(intake.unmatched) == 1


def test_canvas_names_alone_are_matched_as_canvas_writes_them(tmp_path):
    folder = tmp_path / "in"
    folder.mkdir()
    (folder / "bergbob_1_2_x.ipynb").write_bytes(notebook())
    (folder / "lovelaceada_3_4_x.ipynb").write_bytes(notebook())
    intake = take_in(folder, roster(tmp_path, PLAIN), lambda digest, content: None)
    assert list(intake.attempts) == ["s1"] and "all have this name" in intake.unmatched[0][1]


def test_plain_folders_files_receipts_and_a_students_own_zip(tmp_path):
    folder = tmp_path / "in"
    for path, content in {
        "s1/02/x.ipynb": notebook(),
        "s1/01/old.ipynb": notebook("of another sheet"),
        "s1/.ipynb_checkpoints/x.ipynb": notebook("checkpoint"),
        "s2.ipynb": notebook("two"),
        "02_Ada-Lovelace_2026.ipynb": notebook(
            "three", {"name": "ada lovelace", "time": "2026-11-19T10:00:00+01:00"}
        ),
        "s3/mine.zip": packed(
            ("inside/x.ipynb", notebook("four")),
            ("more.zip", packed(("y.ipynb", notebook("five")))),
        ),
        "s3/picture.png": b"png",
        "Eda Lovelace/x.ipynb": notebook("six"),
    }.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_bytes(content)
    kept = {}
    intake = take_in(folder, roster(tmp_path, PLAIN), kept.__setitem__, number="02")
    assert found(intake) == {
        "s1": ["s1/02/x.ipynb"],
        "s2": ["s2.ipynb"],
        "s3": ["s3/mine.zip/inside/x.ipynb"],
    }
    assert len(kept) == 5 and kept[intake.attempts["s2"][0].digest] == notebook("two")
    assert any("a zip inside a zip" in note for note in intake.attempts["s3"][0].notes)
    assert intake.unmatched == [
        ("Eda Lovelace/x.ipynb", "Eda Lovelace: not in the roster; is it Ada Lovelace (s1)?"),
        (
            "02_Ada-Lovelace_2026.ipynb",
            "doubtful: Ada Lovelace (s1)'s by its receipt alone; others are by the place where it "
            "lies, and they count",
        ),
        ("1 in folders of sheet 01", "of students who have handed in sheet 02; not looked at here"),
    ]


def test_a_file_that_lies_in_no_folder_is_known_by_its_receipt(tmp_path):
    receipt = {"name": "ada lovelace", "time": "2026-11-19T10:00:00+01:00"}
    intake = take(tmp_path, {"02_Ada-Lovelace_2026.ipynb": notebook("three", receipt)})
    (with_receipt,) = intake.attempts["s1"]
    assert (
        with_receipt.moment == read_moment("2026-11-19T10:00:00+01:00")
        and "student's clock" in with_receipt.clock
    )


def test_a_receipt_of_a_name_that_nobody_has_is_pointed_out(tmp_path):
    intake = take(
        tmp_path, {"s1/x.ipynb": notebook(receipt={"name": "Adele", "time": "2026-11-19T10:00:00"})}
    )
    names, changed = intake.attempts["s1"][0].notes
    assert names == "its receipt names 'Adele'" and "changed after it got its receipt" in changed


def test_a_receipt_s_name_is_the_roster_s_in_either_order(tmp_path):
    receipt = {"name": "ada lovelace", "time": "2026-11-19T10:00:00"}
    text = 'id,name\ns1,"Lovelace, Ada"\n'
    intake = take(tmp_path, {"s1/x.ipynb": notebook(receipt=receipt)}, text)
    assert not [note for note in intake.attempts["s1"][0].notes if "names" in note]


# --- one student's files say nothing about another ------------------------------------------------


def take(tmp_path, hand_ins: dict[str, bytes], text: str = PLAIN, place: str = "in", **more):
    """What is taken in of these files: path below the folder of hand-ins -> content."""
    for path, content in hand_ins.items():
        (tmp_path / place / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / place / path).write_bytes(content)
    return take_in(tmp_path / place, roster(tmp_path, text), lambda digest, content: None, **more)


def receipt_of(name: str, time: str = "2026-11-29T10:00:00+01:00") -> dict[str, str]:
    return {"name": name, "time": time, "fingerprint": "0"}


ADA = "Ada Lovelace_77001_assignsubmission_file_"
ADAS, EVES = notebook("ada's"), notebook("eve's")
IN_ADAS_NAME = notebook("eve's", receipt_of("Ada Lovelace"))
OTHERS_NAMES = {
    "a receipt in another's name, in no folder": {
        "s1/x.ipynb": ADAS,
        "02_Ada-Lovelace_2026.ipynb": IN_ADAS_NAME,
    },
    "a receipt in another's name, in one's own folder": {
        "s1/x.ipynb": ADAS,
        "s2/x.ipynb": IN_ADAS_NAME,
    },
    "a receipt in another's name, in one's own zip": {
        "s1/x.ipynb": ADAS,
        "s2.zip": packed(("x.ipynb", IN_ADAS_NAME)),
    },
    "a receipt with another's id": {
        "s1.ipynb": ADAS,
        "z.ipynb": notebook("eve's", receipt_of("s1")),
    },
    "a receipt with another's address": {
        "s1.ipynb": ADAS,
        "z.ipynb": notebook("eve's", receipt_of("ADA@example.org")),
    },
    "another's folder in one's own folder": {"s1/x.ipynb": ADAS, "s2/s1/x.ipynb": EVES},
    "another's name in one's own folder": {"s1/x.ipynb": ADAS, "s2/s1.ipynb": EVES},
    "another's folder in one's own zip": {
        "s1/x.ipynb": ADAS,
        "s2.zip": packed(("s1/x.ipynb", EVES)),
    },
    "another's zip in one's own folder": {
        "s1/x.ipynb": ADAS,
        "s2/s1.zip": packed(("x.ipynb", EVES)),
    },
    "Canvas's name in one's own folder": {
        "s1/x.ipynb": ADAS,
        "s2/lovelaceada_77001_5_x.ipynb": EVES,
    },
    "Canvas's name in one's own zip": {
        "s1/x.ipynb": ADAS,
        "s2.zip": packed(("lovelaceada_77001_5_x.ipynb", EVES)),
    },
    "Moodle's name in one's own folder": {"s1/x.ipynb": ADAS, f"s2/{ADA}/x.ipynb": EVES},
    "Moodle's name in one's own zip": {
        "s1/x.ipynb": ADAS,
        "s2.zip": packed((f"{ADA}/x.ipynb", EVES)),
    },
    "Moodle's name in the zip of a platform's folder": {
        "s1/x.ipynb": ADAS,
        "Bob Berg_9_assignsubmission_file_/a.zip": packed((f"{ADA}/x.ipynb", EVES)),
    },
    "an unknown zip with another's folder": {
        "s1/x.ipynb": ADAS,
        "stuff.zip": packed(("s1/x.ipynb", EVES)),
    },
    "an unknown zip with Moodle's name": {
        "s1/x.ipynb": ADAS,
        "stuff.zip": packed((f"{ADA}/x.ipynb", EVES)),
    },
    "an unknown zip with Canvas's name": {
        "s1/x.ipynb": ADAS,
        "a.zip": packed(("lovelaceada_77001_5_x.ipynb", EVES)),
    },
    "an unknown folder with another's folder": {"s1/x.ipynb": ADAS, "Eve Nobody/s1/x.ipynb": EVES},
    "an unknown folder with Moodle's name": {"s1/x.ipynb": ADAS, f"Eve Nobody/{ADA}/x.ipynb": EVES},
    "an unknown folder with a receipt": {"s1/x.ipynb": ADAS, "Eve Nobody/x.ipynb": IN_ADAS_NAME},
    "a platform's name behind one's own": {
        "s1/x.ipynb": ADAS,
        "bergbob_9_5_Ada Lovelace_7_assignsubmission_file_x.ipynb": EVES,
    },
    "a platform's name beside a known folder": {
        "s1/x.ipynb": ADAS,
        "lovelaceada_77001_5_x.ipynb": EVES,
    },
}


@pytest.mark.parametrize("scene", OTHERS_NAMES)
def test_nobody_hands_in_for_another(tmp_path, scene):
    """Ada's own file is all that counts for her; the other file is its owner's,
    or is listed for a person.
    """
    kept = {}
    intake = take(tmp_path, OTHERS_NAMES[scene])
    assert [attempt.origin for attempt in intake.attempts["s1"]] == [
        next(iter(OTHERS_NAMES[scene]))
    ], kept
    other = next(path for path in OTHERS_NAMES[scene] if path != next(iter(OTHERS_NAMES[scene])))
    listed = [origin for origin, _ in intake.unmatched] + [
        attempt.origin for attempt in intake.attempts["s2"]
    ]
    listed += [attempt.origin for attempt in intake.attempts["s3"]]
    assert any(origin.startswith(other) for origin in listed)


RENAMED = {
    "to a name, in Moodle": (f"{ADA}/x.ipynb", "Ada Lovelace_9_assignsubmission_file_/x.ipynb"),
    "to an id, in Moodle": (f"{ADA}/x.ipynb", "s1_9_assignsubmission_file_/x.ipynb"),
    "to an address, in Moodle": (
        f"{ADA}/x.ipynb",
        "ada@example.org_9_assignsubmission_file_/x.ipynb",
    ),
    "to a name, in Canvas": ("lovelaceada_101_5_x.ipynb", "lovelaceada_9_6_x.ipynb"),
    "to an id, in Canvas": ("lovelaceada_101_5_x.ipynb", "s1_9_6_x.ipynb"),
    "to a name, of two platforms": (f"{ADA}/x.ipynb", "lovelaceada_9_6_x.ipynb"),
}


@pytest.mark.parametrize("scene", RENAMED)
def test_who_takes_another_s_name_in_the_platform_takes_nothing_else(tmp_path, scene):
    """With a roster that has no numbers of the platform the name alone tells whose a file is: two
    users of one are doubtful.
    """
    adas, eves = RENAMED[scene]
    intake = take(tmp_path, {adas: ADAS, eves: EVES})
    assert [(one.doubtful, one.digest) for one in intake.attempts["s1"]] == [(True, "")] * 2
    assert sorted(origin for origin, _ in intake.unmatched) == sorted([adas, eves])
    assert all("users of the platform have this name" in why for _, why in intake.unmatched)


def test_several_files_of_one_user_of_a_platform_are_that_student_s(tmp_path):
    names = ["lovelaceada_101_5_x.ipynb", "lovelaceada_LATE_101_6_x-1.ipynb"]
    intake = take(tmp_path, {name: notebook(name) for name in names})
    assert found(intake) == {"s1": names} and not any(one.doubtful for one in intake.attempts["s1"])


@pytest.mark.parametrize("year", [1980, 1999, 2099])
def test_the_times_inside_a_student_s_own_zip_are_not_when_it_came(tmp_path, year):
    """Whoever packs a zip writes them; the file's own time is that of the zip, on disk or
    in the platform's download.
    """
    inner = packed((zipfile.ZipInfo("x.ipynb", (year, 1, 1, 0, 0, 0)), ADAS))
    outer = zipfile.ZipInfo(f"{ADA}/mine.zip", (2026, 11, 20, 10, 0, 0))
    (tmp_path / "moodle.zip").write_bytes(packed((outer, inner)))
    (attempt,) = take_in(
        tmp_path / "moodle.zip", roster(tmp_path, PLAIN), lambda *_: None
    ).attempts["s1"]
    assert attempt.moment == datetime(2026, 11, 20, 10).astimezone()
    (attempt,) = take(tmp_path, {"s1/mine.zip": inner}).attempts["s1"]
    os.utime(tmp_path / "in" / "s1" / "mine.zip", (1_795_000_000, 1_795_000_000))
    (attempt,) = take(tmp_path, {}).attempts["s1"]
    assert attempt.moment == datetime.fromtimestamp(1_795_000_000).astimezone()


@pytest.mark.parametrize(
    "name",
    [
        "علی\u200cرضا کریمی",
        "\u200fעדה\u200e",
        "Ada \U0001f469\u200d\U0001f52c",
        "Ada\u00adLovelace",
    ],
)
def test_names_with_signs_that_do_not_show_are_matched(tmp_path, name):
    """Persian and Hebrew names, and emoji, hold marks that are not shown in a file's name."""
    text = f"id,name,email\ns7,{name},x@example.org\n"
    hand_ins = {f"{name}_5_assignsubmission_file_/x.ipynb": notebook()}
    assert list(take(tmp_path, hand_ins, text).attempts) == ["s7"]


ONLINE = (
    "Identifier,Full name,ID number,Email address,Status,Grade,Maximum Grade,Last modified (submission),Online text\n"
    'Participant 1,Ada Lovelace,s1,ada@example.org,Submitted,,100.00,"Friday, 20 November 2026, 10:15 AM",x\n'
    'Participant 2,Eve Evil,s2,e@example.org,Submitted,,100.00,"Friday, 20 November 2026, 10:15 AM",{}\n'
)
FORGED = 'Participant 1,Ada Lovelace,s1,ada@example.org,Submitted,,100.00,"Monday, 23 November 2026, 10:15 AM",x'


@pytest.mark.parametrize(
    "words",
    [
        f"a{end}{FORGED}"
        for end in ("\n", "\r\n", "\r", "\u2028", "\x85", "\x0c", "\x1c", '"\n', '",\n', '""\n')
    ]
    + ["x" * 200_000, '"', "a,b", '=cmd|"x"'],
    ids=lambda words: ascii(words[:8]),
)
def test_what_a_student_wrote_into_moodle_makes_no_line_of_the_worksheet(tmp_path, words):
    """The worksheet holds the online texts; each is one field, whatever stands in it."""
    quoted = '"' + words.replace('"', '""') + '"'
    students = roster(tmp_path, ONLINE.format(quoted)).students
    assert [(one.id, one.email) for one in students] == [
        ("s1", "ada@example.org"),
        ("s2", "e@example.org"),
    ]
    assert {one.handed_in for one in students} == {datetime(2026, 11, 20, 10, 15).astimezone()}


def test_names_of_users_make_no_line_of_the_roster(tmp_path):
    """Signs that Python takes for the end of a line, and programs that write a
    CSV do not; quotes in a name.
    """
    text = 'id,name,email\ns1,Ada,a@x\ns2,Eve\u2028s1,e@x\ns3,"Berg, ""Bob"" B, s1",b@x\n'
    students = roster(tmp_path, text).students
    assert [one.id for one in students] == ["s1", "s2", "s3"]
    assert students[2].name == 'Berg, "Bob" B, s1' and students[2].email == "b@x"
    with pytest.raises(BadRoster, match="line 3: unexpected end of data; export it again"):
        roster(tmp_path, 'id,name,email\ns1,Ada,a@x\ns2,"Eve,e@x\n')


def test_a_student_s_zip_of_very_many_entries_is_not_listed(tmp_path):
    """Each entry costs the grader half a kilobyte: 340,000 of them, in 16 MB, would cost 140 MB."""
    intake = take(tmp_path, {"s1/x.zip": listing(60_000), "s2/x.ipynb": ADAS})
    assert "table of contents" in intake.attempts["s1"][0].refused
    assert not intake.attempts["s2"][0].refused


def test_the_files_of_one_student_are_read_for_half_a_minute_at_most(tmp_path, monkeypatch):
    """A hundred files that take ten seconds each would hold the class for a quarter of an
    hour; they wait for a person.
    """

    def slow(function: str, content: bytes) -> None:
        reading.READER.seconds += 9.0 * (b"eve" in content)

    monkeypatch.setattr(reading, "ask", slow)
    hand_ins = {f"s2/{k:02}.ipynb": notebook(f"eve's {k}") for k in range(20)} | {
        "s3/x.ipynb": ADAS
    }
    intake = take(tmp_path, hand_ins)
    refused = [
        one for one in intake.attempts["s2"] if "took more than 30 seconds" in "".join(one.notes)
    ]
    assert len(intake.attempts["s2"]) == 4 and len(refused) == 4
    assert intake.attempts["s3"][0].digest


@pytest.mark.parametrize("share", [0.0, 0.1, 0.5, 0.9])
def test_a_reader_whose_grader_ends_in_the_middle_of_a_question_ends_in_silence(share):
    question = pickle.dumps(("read_submission", (bytes(100_000),)))
    command = [sys.executable, "-c", "from rlcourse.grading.reading import serve; serve()"]
    cut = question[: int(share * len(question))]
    ended = subprocess.run(command, input=cut, capture_output=True, check=False)
    assert (ended.returncode, ended.stdout, ended.stderr) == (0, b"", b"")


@pytest.mark.skipif(
    os.name != "posix", reason="pipes without a reader are errors of their own there"
)
def test_a_reader_whose_grader_ends_in_the_middle_of_the_answer_ends_in_silence():
    question = pickle.dumps(("read_submission", (b"{}",)))
    command = [sys.executable, "-c", "from rlcourse.grading.reading import serve; serve()"]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    with subprocess.Popen(command, bufsize=0, **pipes) as process:
        process.stdin.write(question)
        process.stdout.read(1)  # the answer begins; the seconds that it took come after it
        process.stdout.close()
        process.stdin.close()
        assert process.stderr.read() == b""


LIMITED = """
import resource, sys
resource.setrlimit(resource.RLIMIT_DATA, (2**31, 2**31))
resource.setrlimit(resource.RLIMIT_CPU, (600, 600))
from rlcourse.grading import reading
print(type(reading.ask("read_submission", sys.stdin.buffer.read())).__name__)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="limits of a process are the system's")
def test_files_are_read_where_the_grader_has_limits_of_its_own():
    command = [sys.executable, "-c", LIMITED]
    done = subprocess.run(command, input=notebook(), capture_output=True, check=False)
    assert done.stdout.strip() == b"Submission", done.stderr


NUMBERS = {
    "Moodle's number in a name of Canvas": (CANVAS, "eve_5_6_x_101_assignsubmission_file_y.ipynb"),
    "Moodle's pattern twice, in a folder": (MOODLE, f"{ADA}_9_assignsubmission_file_/x.ipynb"),
    "Moodle's pattern twice, in a file": (
        MOODLE,
        f"Eve Nobody_9_assignsubmission_file_{ADA}x.ipynb",
    ),
    "Canvas's number of another's": (CANVAS, "eve_5_101_x.ipynb"),
    "a number of Canvas in a class of Moodle": (MOODLE, "eve_77001_5_x.ipynb"),
}


@pytest.mark.parametrize("scene", NUMBERS)
def test_a_number_in_ones_own_part_of_a_name_is_nobodys(tmp_path, scene):
    """The name of a student's file, or of the student, can be made to look like the
    platform's name of another's.
    """
    text, name = NUMBERS[scene]
    intake = take(tmp_path, {name: EVES}, text)
    assert not intake.attempts["s1"] and [origin for origin, _ in intake.unmatched] == [name]


@pytest.mark.parametrize("name", ["ada", "ADA", " Ada "])
def test_without_a_roster_a_receipt_does_not_take_a_folders_place(tmp_path, name):
    (tmp_path / "in" / "ada").mkdir(parents=True)
    (tmp_path / "in" / "ada" / "x.ipynb").write_bytes(ADAS)
    (tmp_path / "in" / "0.ipynb").write_bytes(notebook("eve's", receipt_of(name)))
    intake = take_in(tmp_path / "in", None, lambda digest, content: None)
    assert found(intake) == {"ada": ["ada/x.ipynb"]} and [
        origin for origin, _ in intake.unmatched
    ] == ["0.ipynb"]


def test_the_folder_of_a_group_is_asked_for(tmp_path):
    intake = take(tmp_path, {"A/s1/x.ipynb": ADAS, "B/s2/x.ipynb": EVES})
    assert not intake.attempts and all(
        "give that folder itself" in reason for _, reason in intake.unmatched
    )
    assert take_in(
        tmp_path / "in" / "A", roster(tmp_path, PLAIN), lambda digest, content: None
    ).attempts["s1"]


def test_where_place_and_receipt_disagree_it_counts_for_nobody(tmp_path):
    intake = take(tmp_path, {"s1/x.ipynb": ADAS, "s2/x.ipynb": IN_ADAS_NAME})
    (attempt,) = intake.attempts["s2"]
    assert (
        attempt.doubtful
        and not attempt.digest
        and "its receipt Ada Lovelace (s1)" in attempt.refused
    )
    assert [origin for origin, _ in intake.unmatched] == ["s2/x.ipynb"]


def test_several_files_by_receipts_alone_are_all_in_doubt_and_the_code_decides(tmp_path):
    """The later of two receipts in one name, as the policy `last` would
    take it, is nobody's proof.
    """
    sheet = tmp_path / "x.ipynb"
    sheet.write_bytes((ROOT / "exercises" / "01" / "01_sampling_and_clipping.ipynb").read_bytes())
    code = code_of("the class's secret", "s1")
    hand_in(
        "01",
        name="Ada Lovelace",
        notebook=sheet,
        folder=tmp_path / "in",
        code=f" {code[:8]}-{code[8:].upper()}",
    )
    forged = {"z.ipynb": notebook("eve's", receipt_of("Ada Lovelace"), "01")}
    in_doubt = take(tmp_path, forged).attempts["s1"]
    assert len(in_doubt) == 2 and all(
        one.doubtful and not one.digest and "a receipt alone" in one.refused for one in in_doubt
    )
    intake = take(tmp_path, forged, secret="the class's secret")
    (attempt,) = intake.attempts["s1"]
    assert (
        "check of the student's code" in attempt.clock
        and attempt.origin.startswith("01_Ada")
        and attempt.digest
    )
    assert [origin for origin, _ in intake.unmatched] == ["z.ipynb"]
    for secret in ("another secret", ""):
        assert all(one.doubtful for one in take(tmp_path, forged, secret=secret).attempts["s1"])


def test_a_check_fits_one_code_one_name_one_time_and_one_notebook():
    receipt = Receipt(
        "Ada",
        "2026-11-20T10:00:00",
        True,
        "ab",
        check_of("code", "Ada", "2026-11-20T10:00:00", "ab"),
    )
    assert receipt.is_checked("code")
    others = (
        {"name": "Bob"},
        {"time": "2026-11-19T10:00:00"},
        {"fingerprint": "cd"},
        {"intact": False},
        {"check": ""},
        {"check": "é"},
    )
    assert not any(
        receipt._replace(**other).is_checked("code") for other in others
    ) and not receipt.is_checked("cod")
    assert (
        code_of("s", "ada") != code_of("s", "bob") != code_of("t", "bob")
        and len(code_of("s", "ada")) == 16
    )


STAMP = b"2026-11-01 10:00:00.000000 UTC"
STAMPS = {
    "in one's own zip": {"s1.zip": packed(("x.ipynb", ADAS), ("timestamp.txt", STAMP))},
    "in one's own zip, as the exchange has it": {
        "s1.zip": packed(("02/x.ipynb", ADAS), ("02/timestamp.txt", STAMP))
    },
    "in a zip with one's own folder": {
        "s1.zip": packed(("s1/02/x.ipynb", ADAS), ("s1/02/timestamp.txt", STAMP))
    },
    "in one's own folder": {"s1/x.ipynb": ADAS, "s1/timestamp.txt": STAMP},
    "below the sheet's folder": {"s1/02/x.ipynb": ADAS, "s1/02/drafts/timestamp.txt": STAMP},
    "in another sheet's folder": {"s1/02/x.ipynb": ADAS, "s1/01/timestamp.txt": STAMP},
    "in one's own folder within": {"s1/02/x.ipynb": ADAS, "s1/s1/02/timestamp.txt": STAMP},
    "in a zip where the exchange has it": {
        "s1/02/x.ipynb": ADAS,
        "s1/02/a.zip": packed(("timestamp.txt", STAMP)),
    },
    "in Moodle's folder": {f"{ADA}/02/x.ipynb": ADAS, f"{ADA}/02/timestamp.txt": STAMP},
    "in no folder": {"s1.ipynb": ADAS, "timestamp.txt": STAMP},
}


@pytest.mark.parametrize("scene", STAMPS)
def test_a_stamp_counts_only_where_the_exchange_puts_it(tmp_path, scene):
    (attempt,) = take(tmp_path, STAMPS[scene], place="submitted", number="02").attempts["s1"]
    assert attempt.digest and attempt.clock == "the file's own time"


def test_the_stamp_of_the_exchange_counts_and_one_folder_elsewhere_does_not(tmp_path):
    collected = {
        "s1/02/x.ipynb": ADAS,
        "s1/02/timestamp.txt": STAMP,
        "s1/02/submission_secret.txt": b"ab" * 64,
    }
    intake = take(tmp_path, collected, place="submitted", number="02")
    assert [(one.clock, one.moment) for one in intake.attempts["s1"]] == [
        ("timestamp.txt", read_moment("2026-11-01T10:00+00:00"))
    ]
    assert intake.attempts["s1"][0].secret == "ab" * 64
    intake = take(tmp_path, collected, number="02")
    assert (
        intake.attempts["s1"][0].clock == "the file's own time"
        and intake.attempts["s1"][0].secret == ""
    )


def test_a_receipt_of_rlcourse_hand_in_fits(tmp_path):
    """The file that the students' command makes, and the same file with one letter more."""
    (tmp_path / "x.ipynb").write_bytes(
        (ROOT / "exercises" / "01" / "01_sampling_and_clipping.ipynb").read_bytes()
    )
    made = hand_in(
        "01", name="Ada Lovelace", notebook=tmp_path / "x.ipynb", folder=tmp_path / "in"
    ).path
    intake = take_in(tmp_path / "in", roster(tmp_path, PLAIN), lambda digest, content: None)
    (attempt,) = intake.attempts["s1"]
    assert attempt.notes == () and "student's clock" in attempt.clock and attempt.receipt[2]
    made.write_text(
        made.read_text(encoding="utf-8").replace("Sampling", "Sampling!"), encoding="utf-8"
    )
    intake = take_in(tmp_path / "in", roster(tmp_path, PLAIN), lambda digest, content: None)
    assert "changed after" in intake.attempts["s1"][0].notes[0]


def test_only_what_was_refused_is_still_an_attempt(tmp_path):
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "s1.zip").write_bytes(packed(("../x.ipynb", notebook())))
    (tmp_path / "in" / "s2.docx").write_bytes(b"words")
    intake = take_in(tmp_path / "in", roster(tmp_path, PLAIN), lambda digest, content: None)
    assert "leads out" in intake.attempts["s1"][0].refused and not intake.attempts["s1"][0].digest
    assert "a .docx file, not a notebook" == intake.attempts["s2"][0].refused


def test_without_a_roster_every_label_is_a_student(tmp_path):
    (tmp_path / "Ada Lovelace_77001_assignsubmission_file_").mkdir()
    (tmp_path / "Ada Lovelace_77001_assignsubmission_file_" / "a.ipynb").write_bytes(notebook())
    (tmp_path / "bob.ipynb").write_bytes(notebook())
    intake = take_in(tmp_path, None, lambda digest, content: None)
    assert [student.name for student in intake.students()] == [
        "Ada Lovelace",
        "bob",
    ] and not intake.unmatched


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a,b\n1,2\n", "needs a column for the id"),
        ("id,name\ns1,Ada\ns1,Bob\n", "lines 2 and 3 have the same id s1"),
        ("id,name\nS1,Ada\ns1,Bob\n", "same id"),
        ("id,name\n", "lists no student"),
    ],
)
def test_rosters_that_cannot_be_used(tmp_path, text, message):
    with pytest.raises(BadRoster, match=message):
        roster(tmp_path, text)


def test_canvas_rosters_have_lines_that_are_no_students(tmp_path):
    students = roster(tmp_path, CANVAS).students
    assert [(student.id, student.number) for student in students] == [("s1", "101"), ("s2", "102")]
    with pytest.raises(BadRoster, match="does not exist"):
        read_roster(tmp_path / "none.csv")


def test_last_first_and_first_last_are_one_name(tmp_path):
    known = roster(tmp_path, 'id,name\ns1,"Lovelace, Ada"\n')
    assert all(known.find(Owner(name))[0] for name in ("Ada Lovelace", "LOVELACE, ada", "s1", "S1"))
    assert known.find(Owner("Lovelace"))[0] is None


@given(st.text(max_size=80))
def test_an_id_is_always_the_name_of_one_folder(text):
    made = safe_id(text)
    assert (
        made
        and len(made) <= 80
        and not set(made) & set('/\\:*?"<>|\0\n')
        and made.strip(". ") == made
    )
    assert safe_id(made) == made
    assert made.split(".")[0].casefold() not in ("con", "prn", "aux", "nul")


def test_ids_that_had_to_be_changed_stay_apart():
    assert len({safe_id(text) for text in ("a/b", "a\\b", "a b", "a-b", "../a", "CON", "")}) == 7


NOON = datetime(2026, 11, 20, 12).astimezone()


def attempt(hours: float, student: str = "s1", digest: str = "d", late: bool = False):
    return Attempt(
        Student(student), f"file {hours}", digest, NOON + timedelta(hours=hours), late=late
    )


def test_what_lateness_costs():
    rules = make_policy(
        "2026-11-20T12:00", "10%/day up to 25%", extensions={"s2": read_moment("2026-11-21T12:00")}
    )
    # a day started counts: 0 h and before cost nothing, 1 s to 24 h 10%, then 20%, then the most
    assert [
        rules.share_lost(attempt(hours)) for hours in (-1, 0, 0.001, 24, 24.001, 100)
    ] == pytest.approx([0, 0, 0.1, 0.1, 0.2, 0.25])
    assert [rules.share_lost(attempt(hours, "s2")) for hours in (24, 25)] == pytest.approx([0, 0.1])
    assert make_policy("2026-11-20T12:00", "refuse").share_lost(attempt(0.01)) == 1.0
    assert make_policy().share_lost(attempt(1000)) == 0.0


def test_a_day_alone_is_meant_to_its_end(tmp_path):
    rules = make_policy("2026-11-20", "10%/day")
    assert [rules.share_lost(attempt(hours)) for hours in (0, 11.9, 12.1)] == [0, 0, 0.1]
    path = tmp_path / "extensions.csv"
    for day in ("2026-11-27", "27.11.2026", "27/11/2026"):
        path.write_text(f"student,until\ns1,{day}\n", encoding="utf-8")
        assert read_extensions(path) == {"s1": read_moment("2026-11-27T23:59:59")}


def test_no_extension_is_passed_over_in_silence(tmp_path):
    path = tmp_path / "extensions.csv"
    path.write_text("student,until\ns1,2026-11-27\ns1,2026-11-28\n", encoding="utf-8")
    with pytest.raises(BadRoster, match="line 3: s1 has another extension"):
        read_extensions(path)
    path.write_text("id,name,extension\ns1,Ada,-\ns2,Alan,soon\n", encoding="utf-8")
    with pytest.raises(BadRoster, match="the extension of s2 reads 'soon'"):
        read_roster(path)


def test_a_name_with_one_student_s_id_in_it_says_whose_it_may_be(tmp_path):
    intake = take(tmp_path, {"s1_02_q_tables.ipynb": notebook(), "s1 s2.ipynb": notebook()})
    reasons = dict(intake.unmatched)
    assert "is it Ada Lovelace (s1)? then rename it" in reasons["s1_02_q_tables.ipynb"]
    assert "rename" not in reasons["s1 s2.ipynb"]


def test_a_full_disk_is_no_student_s_fault(tmp_path):
    """The run ends: the file is neither refused nor passed over."""

    def keep(digest, content):
        raise OSError(errno.ENOSPC, "No space left on device")

    (tmp_path / "s1.ipynb").write_text('{"cells": []}', encoding="utf-8")
    with pytest.raises(OSError, match="No space left"):
        take_in(tmp_path, None, keep)


def test_last_and_best_of_several():
    early, middle, late = attempt(-5, digest="a"), attempt(-1, digest="b"), attempt(30, digest="c")
    all_three, deadline = (early, middle, late), "2026-11-20T12:00"
    points = {"a": 80.0, "b": 50.0, "c": 95.0}
    assert make_policy(deadline, "10%/day").choose(all_three, points) is late
    # 95 two days late are 76, less than 80 in time
    assert make_policy(deadline, "10%/day", "best").choose(all_three, points) is early
    assert make_policy(deadline, "5%/day", "best").choose(all_three, points) is late
    refused = attempt(9, digest="")
    assert make_policy(attempts="last").choose([early, refused], points) is early


@pytest.mark.parametrize(
    "words",
    [
        {"deadline": "tomorrow"},
        {"late": "10%/day"},
        {"deadline": "2026-11-20", "late": "10"},
        {"deadline": "2026-11-20", "late": "200%/day"},
        {"attempts": "first"},
    ],
)
def test_policies_that_cannot_be_understood(words):
    with pytest.raises(BadPolicy, match="--|deadline"):
        make_policy(**words)


def test_extensions_from_a_file(tmp_path):
    path = tmp_path / "extensions.csv"
    path.write_text("student,until\ns1,2026-11-27T23:59\n", encoding="utf-8")
    assert read_extensions(path) == {"s1": read_moment("2026-11-27T23:59")}
    path.write_text("student,until\ns1,soon\n", encoding="utf-8")
    with pytest.raises(BadRoster, match="line 2"):
        read_extensions(path)


def test_the_commands_make_a_code_and_a_hand_in_with_it(tmp_path):
    """`rlcourse grade --codes` and `rlcourse hand-in --code`: the receipt is checked by the class's
    secret, the code is in no file.
    """
    from typer.testing import CliRunner

    from rlcourse.cli import app
    from rlcourse.grading.classroom import secret_in

    (tmp_path / "roster.csv").write_text(PLAIN, encoding="utf-8")
    arguments = [
        "grade",
        "--codes",
        "--roster",
        str(tmp_path / "roster.csv"),
        "--out",
        str(tmp_path / "class"),
    ]
    for _ in range(2):  # the same ones each time
        assert CliRunner().invoke(app, arguments).exit_code == 0
    rows = (tmp_path / "class" / "codes.csv").read_text(encoding="utf-8-sig").splitlines()
    assert [row.split(",")[0] for row in rows] == ["id", "s1", "s2", "s3"] and len(
        {row.split(",")[3] for row in rows}
    ) == 4
    assert not (tmp_path / "class" / "codes.csv").stat().st_mode & 0o077 or os.name == "nt"
    sheet = ROOT / "exercises" / "01" / "01_sampling_and_clipping.ipynb"
    arguments = [
        "hand-in",
        "01",
        "--name",
        "s1",
        "--notebook",
        str(sheet),
        "--folder",
        str(tmp_path / "in"),
    ]
    assert CliRunner().invoke(app, [*arguments, "--code", rows[1].split(",")[3]]).exit_code == 0
    (made,) = (tmp_path / "in").iterdir()
    assert rows[1].split(",")[3] not in made.read_text(encoding="utf-8")
    intake = take(tmp_path, {}, secret=secret_in(tmp_path / "class"))
    assert "check of the student's code" in intake.attempts["s1"][0].clock
