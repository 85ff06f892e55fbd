"""Hostile files harm nobody else: read alone, made up at random, and in a class of honest
students that one command grades.
"""

import json
import os
import sys
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from rlcourse.grading import reading
from rlcourse.grading.handed import read_handed
from rlcourse.grading.receipt import read_receipt
from rlcourse.grading.roster import read_moment
from rlcourse.grading.submission import read_submission
from rlcourse.notebook import BadSubmission
from tests.hostile import attacks, files, markup

CELLS = ["shaped_returns", "explanation"]
MB = 1_000_000


def read_all(content: bytes, ask=reading.ask) -> list[object]:
    """What each of the three readers says of a file; BadSubmission is an answer too."""
    answers = []
    for function, *more in (("read_submission",), ("read_receipt",), ("read_handed", CELLS)):
        try:
            answers.append(ask(function, content, *more))
        except BadSubmission as error:
            answers.append(str(error))
    return answers


def has_surrogate(value: object) -> bool:
    """Whether there is half a character anywhere in a value of
    dataclasses, tuples, dicts and texts.
    """
    if isinstance(value, str):
        return any("\ud800" <= c <= "\udfff" for c in value)
    if isinstance(value, dict):
        return any(map(has_surrogate, (*value, *value.values())))
    if isinstance(value, (list, tuple, frozenset, set)):
        return any(map(has_surrogate, value))
    return hasattr(value, "__dict__") and has_surrogate(vars(value))


@pytest.mark.slow
@pytest.mark.long
@pytest.mark.parametrize("family", ["texts", "shapes", "scripts", "pictures", "times"])
def test_every_hostile_file_is_read_or_refused(family, tmp_path, monkeypatch):
    """In the process for it; another file is read as before after each of them, and no half
    of a character comes back.
    """
    in_a_second = "import rlcourse.grading.reading as r; r.SECONDS = 1; r.serve()"
    monkeypatch.setattr(reading, "_START", in_a_second)
    reader = reading._Reader()
    honest = json.dumps(files.notebook("x = 1")).encode()
    expected = read_all(honest, reader.ask)
    for name in files.FAMILIES[family]:
        (path,) = files.write(
            tmp_path / family / name[:30].replace("/", "-"),
            family,
            name,
            me="e",
            other="s",
            name="A B",
            number="51",
        )
        content = (tmp_path / family / name[:30].replace("/", "-") / path).read_bytes()
        answers = read_all(content, reader.ask)
        assert not has_surrogate(answers), name
        assert read_all(honest, reader.ask) == expected, name
    reader.close()


KEYS = st.sampled_from(
    [
        "cells",
        "cell_type",
        "source",
        "metadata",
        "nbgrader",
        "grade_id",
        "solution",
        "grade",
        "outputs",
        "output_type",
        "text",
        "name",
        "data",
        "text/plain",
        "image/png",
        "rlcourse",
        "hand_in",
        "time",
        "fingerprint",
        "check",
        "sheet",
        "release",
        "id",
        "\ud800",
    ]
)
TEXT = st.text(st.characters(), max_size=20) | st.sampled_from(
    [
        "code",
        "markdown",
        "stream",
        "stdout",
        "shaped_returns",
        "explanation",
        "def f(:",
        "\ud800",
        "raise NotImplementedError",
        "=1",
    ]
)
LEAVES = st.none() | st.booleans() | st.integers(-(2**70), 2**70) | st.floats() | TEXT
JSON = st.recursive(
    LEAVES,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(KEYS, inner, max_size=5),
    max_leaves=30,
)
CELL = st.fixed_dictionaries(
    {},
    optional=dict.fromkeys(
        ("cell_type", "source", "metadata", "outputs", "execution_count", "id"), JSON
    ),
)
NOTEBOOK = st.fixed_dictionaries(
    {"cells": st.lists(CELL | JSON, max_size=4) | JSON},
    optional={"metadata": JSON, "nbformat": JSON},
)


def here(function: str, *arguments: object) -> object:
    """The readers without their process."""
    return {
        "read_submission": read_submission,
        "read_receipt": read_receipt,
        "read_handed": read_handed,
    }[function](*arguments)


@settings(max_examples=150, suppress_health_check=list(HealthCheck))
@given(NOTEBOOK)
def test_no_shape_of_a_notebook_raises_anything_else(document):
    assert not has_surrogate(read_all(json.dumps(document).encode(), here))


@settings(max_examples=100)
@given(
    st.binary(max_size=200)
    | st.text(max_size=100).map(lambda text: text.encode("utf-8", "replace"))
)
def test_no_bytes_raise_anything_else(content):
    assert not has_surrogate(read_all(content, here)) and not has_surrogate(
        read_all(b'{"cells": [' + content + b"]}", here)
    )


@given(
    st.datetimes(timezones=st.none() | st.timezones()).map(lambda moment: moment.isoformat())
    | st.text(max_size=40)
)
def test_every_time_can_be_shown_and_moved_between_zones_or_is_none(text):
    from datetime import datetime, timedelta, timezone

    moment = read_moment(text)
    if moment is not None:
        for hours in (-14, 14):
            assert moment.astimezone(timezone(timedelta(hours=hours))) == moment
        assert (
            moment - datetime.now().astimezone() < timedelta(days=365 * 100)
            and f"{moment:%Y-%m-%d}"
        )


@pytest.mark.parametrize(
    "body",
    [
        "while True: pass",
        "x = [0] * 10**8; x = x * 10",
        "import os; os._exit(0)",
        "raise SystemExit",
    ],
)
def test_a_reader_that_hangs_grows_or_ends_is_started_again(body, monkeypatch):
    """What no file is known to do: the process is killed by its limits, the file is for a
    person, the next one is read.
    """
    source = f"import rlcourse.grading.reading as r; r.SECONDS = 1; r._functions = lambda: {{'bad': lambda: exec({body!r}), 'good': lambda: 7}}"
    monkeypatch.setattr(reading, "_START", f"{source}; r.serve()")
    reader = reading._Reader()
    with pytest.raises(BadSubmission, match="person|MemoryError"):
        reader.ask("bad")
    assert reader.ask("good") == 7
    reader.close()


@pytest.mark.parametrize("name", ["one line of 190,000 blanks", "tabs and a sign"])
def test_a_line_of_blanks_is_read_within_the_time_of_a_file(name):
    """The pattern for IPython's magics tried every way to part it in two, for 190,000
    blanks in more than ten seconds.
    """
    told = reading.ask("read_submission", files.SCRIPTS[name])
    assert told.kind == "source"


def test_half_a_character_that_a_coding_spells_is_a_question_mark():
    told = reading.ask("read_submission", files.SCRIPTS["a surrogate by its coding"])
    assert told.cells[0][1].endswith("return '?'\n") and not told.trouble


@pytest.mark.skipif(sys.platform != "linux", reason="the memory is bounded on Linux")
def test_the_memory_that_a_file_takes_is_there_again_for_the_next_one():
    """A reader that has grown to near its 192 MB would refuse the figures of the next student."""
    reader, honest = reading._Reader(), json.dumps(files.notebook()).encode()

    def taken() -> int:
        """Kilobytes of data of the process, which its limit counts."""
        status = Path(f"/proc/{reader._process.pid}/status").read_text()
        return next(int(line.split()[1]) for line in status.split("\n") if "VmData" in line)

    assert reader.ask("read_receipt", honest) is None
    before = taken()
    with suppress(BadSubmission):
        reader.ask("read_receipt", json.dumps(files.FORMAT_3).encode())
    assert reader.ask("read_receipt", honest) is None
    assert taken() < before + 10_000
    reader.close()


@pytest.mark.slow
@pytest.mark.timeout(600)
@pytest.mark.skipif(
    sys.platform != "linux", reason="the files of the attacks, and the memory, are those of Linux"
)
def test_a_class_keeps_its_points_with_hostile_files_in_it():
    """A selection in CI, without boxes; `python -m tests.hostile around` is the whole of it,
    60 honest hand-ins in boxes.
    """
    from tests.hostile.around import hold

    outcome = hold(students=5, every=12, boxed=False)
    assert outcome.trouble == (), str(outcome)
    assert 0 < outcome.peak + outcome.reader < 400 * MB * 1.2 and outcome.peak < 400 * MB, str(
        outcome
    )
    assert outcome.attacks >= 30


def test_the_trial_of_a_class_notices(tmp_path):
    """A changed grade, a lost page, points won and a file that nobody is told of."""
    from tests.hostile.around import _trouble

    (tmp_path / "feedback").mkdir()
    (tmp_path / "class.html").write_text("nothing")
    (tmp_path / "given.json").write_text('{"s00": {"points": 0}}')
    rows = [
        "id,points,file,clock,status",
        "s00,0,other,the file's own time,graded",
        "e000,70,,,graded",
        "e001,,,,nothing handed in",
    ]
    (tmp_path / "scores.csv").write_text("\n".join(rows))
    found = _trouble(tmp_path, 1, [("texts", "a"), ("texts", "b")], [["e000/x"], ["e001/x"]])
    assert [one.split(":")[0] for one in found] == ["CHANGED", "LOST", "WON", "SILENT"]


@pytest.mark.slow
@pytest.mark.timeout(600)
def test_a_class_keeps_its_points_when_an_ordinary_user_grades():
    from tests.hostile.ordinary import as_ordinary_user

    if sys.platform != "linux" or os.geteuid() != 0:
        pytest.skip("root runs these tests as an ordinary user as well")
    done = as_ordinary_user(
        ["-m", "tests.hostile", "around", "--students", "3", "--every", "25", "--plain"], 500
    )
    assert done.returncode == 0 and "user 65532: 3 honest hand-ins" in done.stdout, (
        done.stdout + done.stderr
    )


def test_there_are_enough_attacks_of_every_kind():
    assert len(attacks.ATTACKS) + len(files.ATTACKS) + len(markup.PAYLOADS) >= 400
    assert len(files.ATTACKS) >= 170 and len(markup.PAYLOADS) >= 90
