"""What the page for the next day says, read from notebooks made by hand."""

import json
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from launcher.copies import UPDATES as WRITTEN
from launcher.copies import Copies
from rlcourse.progress import UPDATES, NoFolder, progress, student_folder, write_page

NOON = datetime(2026, 11, 10, 12, tzinfo=UTC)
TODAY = NOON + timedelta(days=14)
BLANK = "def f():\n    raise NotImplementedError()"


def code(source: str, minutes: float | None = None, **metadata: object) -> dict:
    """A cell of code that was run so many minutes after noon; None: never."""
    if minutes is not None:
        moment = (NOON + timedelta(minutes=minutes)).isoformat().replace("+00:00", "Z")
        metadata["execution"] = {"shell.execute_reply": moment}
    return {"cell_type": "code", "source": source, "metadata": metadata, "outputs": []}


def text(source: str) -> dict:
    return {"cell_type": "markdown", "source": source, "metadata": {}}


def put(path: Path, *cells: dict, **mark: object) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    document = {"cells": cells, "metadata": {"rlcourse": mark}, "nbformat": 4, "nbformat_minor": 5}
    path.write_text(json.dumps(document))


@pytest.fixture
def my(tmp_path: Path) -> Path:
    """Lesson 00 done, 01 begun, 02 as it came; sheet 01 half written, with two hand-ins."""
    folder = tmp_path / "my"
    put(
        folder / "notebooks/00_first.ipynb", text("# 00 · First\nwords"), code("a", 1), code("b", 2)
    )
    put(
        folder / "notebooks/01_second.ipynb",
        text("# 01 · Second"),
        code("a", 5),
        text("It ends.\n\n## 1 · Begin\nwords"),
        code("b", 9),
        code("  "),
        text("## 2 · Go on"),
        code("c"),
        code("d", 3),
    )
    put(folder / "notebooks/02_third.ipynb", text("# 02 · Third"), code("a"))
    answer = {"nbgrader": {"solution": True, "grade_id": "f"}}
    sheet = folder / "exercises/01/01_sheet.ipynb"
    cells = code(BLANK, **answer), code("def g(): return 1", **answer)
    put(sheet, text("# Sheet 01: Sums"), *cells, sheet="01")
    for day in (3, 5):
        receipt = {"time": f"2026-11-0{day}T10:00:00+00:00"}
        put(folder / f"hand-ins/01_{day}.ipynb", *cells, sheet="01", hand_in=receipt)
    return folder


def test_the_next_cell_follows_the_one_that_was_run_last(my: Path) -> None:
    found = progress(my)
    first, second, third = found.lessons
    assert (
        first.done and (first.cells, first.ran) == (2, 2) and str(first).startswith("done on 10 ")
    )
    assert not second.done and (second.cells, second.ran) == (4, 3)
    assert (second.next_cell, second.section) == (7, "2 · Go on")
    assert third.last is None and str(third) == "not begun"
    assert found.next_step() == "Next: lesson 01 · Second, cell 7, under “2 · Go on”."


def test_after_the_end_of_a_lesson_comes_the_first_one_that_is_not_done(my: Path) -> None:
    put(my / "notebooks/01_second.ipynb", text("# 01 · Second"), code("a", 20))
    assert progress(my).next_step() == "Next: lesson 02 · Third."
    put(my / "notebooks/02_third.ipynb", text("# 02 · Third"), code("a", 21))
    assert progress(my).next_lesson is None and "the end" in progress(my).next_step()


def test_a_sheet_counts_what_is_written_and_knows_its_last_receipt(my: Path) -> None:
    (sheet,) = progress(my).sheets
    assert (sheet.parts, sheet.written) == (2, 1) and sheet.handed_in
    assert sheet.handed_in == datetime(2026, 11, 5, 10, tzinfo=UTC)
    assert str(sheet).startswith("1 of 2 parts written, handed in on 5 ")


def test_the_page_says_at_its_top_how_the_sheets_stand(my: Path) -> None:
    def line() -> str:
        words = write_page(my, progress(my), TODAY).read_text(encoding="utf-8").split("\n\n")
        [found] = [paragraph for paragraph in words if paragraph.startswith("Sheets: ")]
        assert words.index(found) < 4
        return found

    assert line() == "Sheets: 1 of 1 handed in."
    answer = {"nbgrader": {"solution": True, "grade_id": "f"}}
    cells = code(BLANK, **answer), code("def g(): return 1", **answer)
    put(my / "exercises/02/02_q.ipynb", text("# Sheet 02: Tables"), *cells, sheet="02")
    assert line() == (
        "Sheets: 1 of 2 handed in; begun: "
        "[Sheet 02: Tables](exercises/02/02_q.ipynb), 1 of 2 parts written."
    )


def test_the_page_links_the_lesson_and_says_how_to_go_on(my: Path) -> None:
    page = write_page(my, progress(my), TODAY).read_text(encoding="utf-8")
    assert "**Next: [01 · Second](notebooks/01_second.ipynb), cell 7, under “2 · Go on”**" in page
    assert "You ran 3 of its 4 cells, the last on 10 November 2026." in page
    assert "| [00 · First](notebooks/00_first.ipynb) | done on 10 November 2026 |" in page
    assert "| [02 · Third](notebooks/02_third.ipynb) | not begun |" in page
    assert "Updates:" not in page and "As of 24 November 2026, 12:00." in page


def test_a_lesson_that_an_update_renewed_stays_done_until_it_is_begun_anew(tmp_path: Path) -> None:
    course, my = tmp_path, tmp_path / "my"
    lesson, name = course / "notebooks/00_first.ipynb", "notebooks/00_first.ipynb"
    put(lesson, text("# 00 · First"), code("a"))
    Copies(course).bring_missing()
    put(my / name, text("# 00 · First"), code("a", 1))
    put(lesson, text("# 00 · First, mended"), code("a"), code("b"))
    assert Copies(course).update()["replaced"] == [name]
    (first,) = progress(my).lessons
    assert first.done and (first.title, first.path) == ("00 · First, mended", name)
    assert str(first) == "done on 10 November 2026, before an update"
    put(my / name, text("# 00 · First, mended"), code("a", 5), code("b"))
    (first,) = progress(my).lessons
    assert str(first) == "1 of 2 cells run, the last on 10 November 2026"
    put(my / name, text("# 00 · First, mended"), code("a"), code("b"))
    put(my / f"backups/2099-01-01_120000/{name}", text("# 00 · First, mended"), code("a", 5))
    (first,) = progress(my).lessons
    assert str(first) == "not begun", (
        "the newest backup is of a reset: who asks for that begins anew"
    )


def test_copies_of_a_notebook_are_told_apart_by_their_names(my: Path) -> None:
    for name in ("notebooks/02_third", "exercises/01/01_sheet"):
        (my / f"{name}-Copy1.ipynb").write_bytes((my / f"{name}.ipynb").read_bytes())
    found = progress(my)
    assert [lesson.title for lesson in found.lessons][1:] == [
        "01 · Second",
        "02 · Third (02_third-Copy1)",
        "02 · Third (02_third)",
    ]
    assert [sheet.title for sheet in found.sheets] == [
        "Sheet 01: Sums (01_sheet-Copy1)",
        "Sheet 01: Sums (01_sheet)",
    ]


def test_an_update_stands_on_the_page_with_what_became_of_each_file(tmp_path: Path) -> None:
    """By the launcher's own update: one file new, one renewed, one laid beside the student's."""
    assert WRITTEN == UPDATES
    for name in ("a", "b"):
        put(tmp_path / f"notebooks/{name}.ipynb", text(f"# {name}"))
    copies = Copies(tmp_path)
    copies.bring_missing()
    my = tmp_path / "my"
    copies.update()
    assert not progress(my).updates, "nothing had changed"
    put(my / "notebooks/b.ipynb", text("# b"), code("mine"))
    for name in ("a", "b", "c"):
        put(tmp_path / f"notebooks/{name}.ipynb", text(f"# {name}, second edition"))
    Copies(tmp_path).update()
    found = progress(my)
    ((_, changes),) = found.updates
    assert set(changes) == {
        "notebooks/c.ipynb is new",
        "notebooks/a.ipynb is renewed",
        "notebooks/b.new.ipynb is laid beside yours",
    }
    assert [lesson.title for lesson in found.lessons] == [
        "a, second edition",
        "b",
        "c, second edition",
    ], "what lies beside is no lesson of its own"
    assert "Updates:" in write_page(my, found, TODAY).read_text(encoding="utf-8")


@pytest.mark.parametrize(
    "damage", ["", "{", '{"cells": 3}', '{"cells": [{"metadata": []}, 7, {"cell_type": "code"}]}']
)
def test_a_damaged_file_is_passed_over(my: Path, damage: str) -> None:
    (my / "notebooks/01_second.ipynb").write_text(damage)
    (my / "hand-ins/01_3.ipynb").write_text(damage)
    (my / UPDATES).write_text(damage or '[{"time": 3, "new": 5}]')
    found = progress(my)
    assert found.lessons[0].done and found.sheets[0].handed_in and not found.updates


@pytest.mark.parametrize(
    "metadata", [[], {"execution": 3}, {"execution": {"shell.execute_reply": 5}}]
)
def test_a_time_that_is_none_is_no_time(my: Path, metadata: object) -> None:
    cell = {**code("a"), "metadata": metadata}
    put(my / "notebooks/00_first.ipynb", text("# 00 · First"), cell)
    assert progress(my).lessons[0].last is None


def test_the_folder_is_found_from_inside_and_beside(my: Path, tmp_path: Path) -> None:
    for here in (my, my / "notebooks", my.parent):
        assert student_folder(here) == my
    with pytest.raises(NoFolder, match="start.py lab"):
        student_folder(tmp_path.parent)
