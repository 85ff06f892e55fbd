"""`rlcourse hand-in`: one file with a receipt, and what is blank or not run."""

import json
import sys
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

from rlcourse.checks.judging import Key, by_key
from rlcourse.checks.sheet import Sheet
from rlcourse.checks.task import Case, ManualTask, Task
from rlcourse.cli import main
from rlcourse.grading import grade_file
from rlcourse.grading.receipt import read_receipt
from rlcourse.hand_in import BadHandIn, hand_in


def adding(name: str, number: int) -> Task:
    """A task: add `number` to the argument."""

    def cases(rng: np.random.Generator) -> list[Case]:
        x = int(rng.integers(100))
        return [Case((x,), Key(x + number, {"forgotten": x}))]

    return Task(
        name, 10, 5, 1, name, by_key, cases=cases, mistakes={"forgotten": "nothing is added"}
    )


@pytest.fixture(autouse=True)
def sheet77(monkeypatch) -> Sheet:
    """A sheet of two tasks and an explanation."""
    sheet = Sheet(
        "77",
        "Sums",
        tasks=(adding("stays", 1), adding("comes", 3)),
        manual=(ManualTask("explanation", 5, 5, 1),),
    )
    module = ModuleType("rlcourse.checks.sheet77")
    module.SHEET = sheet
    monkeypatch.setitem(sys.modules, "rlcourse.checks.sheet77", module)
    return sheet


def solution(name: str, source: str, count: int | None = 1, kind: str = "code") -> dict:
    cell = {
        "cell_type": kind,
        "id": name,
        "metadata": {"nbgrader": {"solution": True, "grade_id": name}},
        "source": source,
    }
    return {**cell, "execution_count": count, "outputs": []} if kind == "code" else cell


def sheet_file(path: Path, cells: list[dict], sheet: object = "77", **mark: object) -> Path:
    notebook = {
        "cells": cells,
        "metadata": {"rlcourse": {"sheet": sheet, **mark}},
        "nbformat": 4,
        "nbformat_minor": 5,
    }
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(notebook, indent=1), encoding="utf-8")
    return path


DONE = [
    solution("stays", "def stays(x):\n    return x + 1"),
    solution("comes", "def comes(x):\n    return x + 3"),
    solution("explanation", "Because three is more than two.", kind="markdown"),
]
# As an update lays it beside.
BLANK = [
    solution("stays", "def stays(x):\n    raise NotImplementedError()"),
    solution("explanation", "*Your answer here.*", kind="markdown"),
]


def test_one_file_with_a_receipt_that_reads_back(tmp_path):
    path = sheet_file(tmp_path / "my/exercises/77/sums.ipynb", DONE)
    before = path.read_bytes()
    done = hand_in("77", name="  Ada   Lovelace ", notebook=path)
    assert path.read_bytes() == before
    assert done.path.parent == tmp_path / "my/hand-ins"
    assert done.path.name.startswith("77_Ada-Lovelace_20")
    assert list(done.path.parent.iterdir()) == [done.path]
    assert "nothing is blank, every cell was run" in done.notes
    for words in (
        "sheet 77, Sums\n",
        "Ada Lovelace",
        done.moment,
        done.fingerprint[:16],
        "keep this line",
    ):
        assert words in str(done)
    again = read_receipt(done.path.read_bytes())
    assert again.intact
    assert (again.name, again.time, again.fingerprint) == (
        "Ada Lovelace",
        done.moment,
        done.fingerprint,
    )
    handed, original = (json.loads(file.read_text(encoding="utf-8")) for file in (done.path, path))
    assert handed["cells"] == original["cells"]
    assert grade_file(done.sheet, done.path.read_bytes(), seed=1).points == 20


def test_the_file_opens_as_a_notebook_and_a_second_hand_in_never_replaces_the_first(tmp_path):
    import nbformat

    path = sheet_file(tmp_path / "sums.ipynb", DONE)
    first, second = (hand_in("77", name="Ada", notebook=path) for _ in range(2))
    assert first.path != second.path
    assert first.fingerprint == second.fingerprint
    assert len(nbformat.read(first.path, as_version=4).cells) == 3


def test_blank_missing_not_run_and_failed_cells_are_named_and_accepted(tmp_path):
    cells = [
        {
            "cell_type": "code",
            "metadata": {},
            "source": "import numpy as np",
            "execution_count": None,
            "outputs": [],
        },
        solution(
            "stays", "def stays(x):\n    # your code\n    raise NotImplementedError()", count=3
        ),
        {
            "cell_type": "code",
            "metadata": {},
            "source": "1 / 0",
            "execution_count": 4,
            "outputs": [{"output_type": "error"}],
        },
        solution("explanation", "YOUR ANSWER HERE", kind="markdown"),
        {
            "cell_type": "code",
            "metadata": {},
            "source": "  ",
            "execution_count": None,
            "outputs": [],
        },
    ]
    notes = hand_in("77", name="Ada", notebook=sheet_file(tmp_path / "s.ipynb", cells)).notes
    assert notes[:4] == (
        "missing, because its cell was deleted or renamed: comes",
        "still blank: stays, explanation",
        "cells not run since the notebook was opened or cleared: 1",
        "cells that end in an error: 3",
    )
    assert "save it (Ctrl+S)" in notes[4]


@pytest.mark.parametrize(
    ("source", "blank"),
    [
        ("def stays(x):\n    raise NotImplementedError", True),
        ("def stays(x):\n    raise NotImplementedError('write me')", True),
        ("", True),
        ("def stays(x):\n    return x + 1  # was: raise NotImplementedError", False),
        ("def stays(x):\n    if x < 0:\n        raise ValueError\n    return x", False),
        ("def stays(x:\n    oops", False),
    ],
)
def test_what_counts_as_blank(tmp_path, source, blank):
    notes = hand_in(
        "77",
        name="Ada",
        notebook=sheet_file(tmp_path / "s.ipynb", [solution("stays", source), *DONE[1:]]),
    ).notes
    assert any(note == "still blank: stays" for note in notes) == blank


@pytest.mark.parametrize("release", [1, 0, 7, "1", True, None])
def test_a_sheet_that_names_a_release_is_handed_in_and_graded(tmp_path, release):
    """Sheets that were handed out before say `"release": 1`, which no longer means anything."""
    path = sheet_file(tmp_path / "old.ipynb", DONE, release=release)
    done = hand_in("77", name="Ada", notebook=path)
    assert "nothing is blank, every cell was run" in done.notes
    assert read_receipt(done.path.read_bytes()).intact
    assert grade_file(done.sheet, done.path.read_bytes(), seed=5).points == 20


def test_the_table_of_a_sheet_that_names_a_release(sheet77):
    assert repr(sheet77.summary(release=1)) == repr(sheet77.summary())
    assert "comes" in repr(sheet77.summary())


def test_a_changed_file_is_noticed(tmp_path):
    done = hand_in("77", name="Ada", notebook=sheet_file(tmp_path / "s.ipynb", DONE))
    document = json.loads(done.path.read_text(encoding="utf-8"))
    done.path.write_text(json.dumps(document), encoding="utf-8")
    assert read_receipt(done.path.read_bytes()).intact  # other spacing, same content
    document["cells"][0]["source"] += "  "
    done.path.write_text(json.dumps(document), encoding="utf-8")
    assert not read_receipt(done.path.read_bytes()).intact


WRONG = {
    "another sheet": ({"sheet": "02"}, "is sheet 02, not sheet 77"),
    "no sheet": ({"sheet": None}, "does not say which"),
    "a sheet that does not exist": ({"sheet": "99"}, "is sheet 99, not sheet 77"),
    "a sheet outside": ({"sheet": "../x"}, "is sheet ../x, not"),
}


@pytest.mark.parametrize("name", WRONG)
def test_the_wrong_notebook_is_refused_with_a_reason(tmp_path, name):
    marks, reason = WRONG[name]
    path = sheet_file(tmp_path / "s.ipynb", DONE, **marks)
    with pytest.raises(BadHandIn, match=reason):
        hand_in("77", name="Ada", notebook=path)
    assert [file.name for file in tmp_path.iterdir()] == ["s.ipynb"]


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"", "not a notebook"),
        (b"print(1)", "not a notebook"),
        (b"{", "not valid JSON"),
        (b"[" * 100_000, "not a notebook"),
        (b'{"cells": ' + b"[" * 100_000, "not valid JSON"),
        (b'{"cells": 3, "metadata": {}}', "at most 500 cells"),
        (b"\xff\xfe\x00", "UTF-8"),
        (b" " * (17 << 20), "more than 16,777,216 bytes"),
        (b'{"cells": [], "metadata": []}', "does not say which"),
        (b'{"cells": [1, {"source": 4}], "metadata": {"rlcourse": 7}}', "does not say which"),
    ],
    ids=[
        "empty",
        "python",
        "cut",
        "nested",
        "nested cells",
        "no cells",
        "not text",
        "large",
        "odd metadata",
        "odd mark",
    ],
)
def test_a_file_that_is_no_sheet_is_refused_with_a_reason(tmp_path, content, reason):
    path = tmp_path / "s.ipynb"
    path.write_bytes(content)
    with pytest.raises(BadHandIn, match=reason):
        hand_in("77", name="Ada", notebook=path)
    assert read_receipt(content) is None


@pytest.mark.parametrize("name", ["", "   ", "x" * 101, "a\x00b"])
def test_a_hand_in_needs_a_name(tmp_path, name):
    with pytest.raises(BadHandIn, match="carries a name"):
        hand_in("77", name=name, notebook=sheet_file(tmp_path / "s.ipynb", DONE))


@pytest.mark.parametrize("name", ["../../etc", "Ada/Bob", "Łukasz Ünïcode", "....", "a\u202eb"])
def test_a_name_never_leaves_the_folder(tmp_path, name):
    path = sheet_file(tmp_path / "my/exercises/77/s.ipynb", DONE)
    if not name.isprintable():
        with pytest.raises(BadHandIn, match="carries a name"):
            hand_in("77", name=name, notebook=path)
        return
    done = hand_in("77", name=name, notebook=path)
    assert done.path.parent == tmp_path / "my/hand-ins"
    assert read_receipt(done.path.read_bytes()).name == name


def test_a_sheet_that_is_not_here_is_refused(tmp_path):
    for number, reason in (
        ("99", "there is no sheet 99"),
        ("../x", "two digits"),
    ):
        path = sheet_file(tmp_path / "s.ipynb", DONE, sheet=number)
        with pytest.raises(BadHandIn, match=reason):
            hand_in(number, name="Ada", notebook=path)


def test_a_notebook_that_was_not_handed_in_has_no_receipt(tmp_path):
    assert read_receipt(sheet_file(tmp_path / "s.ipynb", DONE).read_bytes()) is None


def run(*arguments: str) -> int:
    """The command line in this process: its exit status."""
    arguments_before, sys.argv = sys.argv, ["rlcourse", *arguments]
    try:
        main()
    except SystemExit as stop:
        return int(stop.code or 0)
    finally:
        sys.argv = arguments_before
    return 0


def test_the_command_finds_the_sheet_from_the_project_and_from_a_folder_inside(
    tmp_path, monkeypatch, capsys
):
    sheet_file(tmp_path / "my/exercises/77/sums.ipynb", DONE)
    sheet_file(tmp_path / "my/exercises/76/other.ipynb", DONE, sheet="76")
    sheet_file(tmp_path / "my/exercises/77/.ipynb_checkpoints/sums-checkpoint.ipynb", DONE)
    for place in (tmp_path, tmp_path / "my/exercises/76"):
        monkeypatch.chdir(place)
        assert run("hand-in", "77", "--name", "Ada") == 0
        assert "Receipt:" in capsys.readouterr().out
    assert len(list((tmp_path / "my/hand-ins").iterdir())) == 2
    sheet_file(tmp_path / "my/exercises/77/sums.new.ipynb", DONE)
    assert run("hand-in", "77", "--name", "Ada") == 1
    assert "there are 2 notebooks of sheet 77; say which with --notebook" in capsys.readouterr().err
    sheet_file(tmp_path / "my/exercises/77/sums.new.ipynb", BLANK)
    assert run("hand-in", "77", "--name", "Ada") == 0
    answer = capsys.readouterr().out
    assert "- nothing is blank" in answer
    assert (
        f"- of 2 notebooks of sheet 77 the one with answers: {tmp_path}/my/exercises/77/sums.ipynb"
        in answer
    )
    assert run("hand-in", "75", "--name", "Ada") == 2
    assert "there is no sheet 75; there are 01, " in capsys.readouterr().err
    assert run("hand-in", "1", "--name", "Ada") == 1
    assert "no notebook of sheet 01" in capsys.readouterr().err
