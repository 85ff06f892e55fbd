"""A sheet's way around a class, each person in a browser of their own.

Twenty times, each with a hub of its own:

    for run in $(seq 20); do python -m pytest -q tests/hub/test_circle.py || break; done
"""

import pytest

from tests.browser.lab import Notebook
from tests.grading.course import Course
from tests.hub.seat import Seat, Terminal
from tests.hub.server import ADA, BOB, TEACHER

pytestmark = [pytest.mark.long, pytest.mark.timeout(900), pytest.mark.xdist_group("hub")]
SHEET, BOOK = "02", "02_q_tables"
FILL = """(sources) => {
  const { cells } = window.jupyterapp.shell.currentWidget.content.model.sharedModel;
  for (const [id, source] of Object.entries(sources)) {
    cells.find((cell) => cell.id === id).source = source;
  }
}"""
SET_ASIDE = """async ([from, to]) => {
  await window.jupyterapp.serviceManager.contents.rename(from, to);
}"""


def fetch(seat: Seat) -> None:
    """Take the released sheet from the list; the copy that came with the course is set aside."""
    seat.page.evaluate(SET_ASIDE, [f"exercises/{SHEET}", f"exercises/{SHEET}-first"])
    lists = seat.assignments()
    lists.press("released", SHEET, "Fetch")
    lists.row("fetched", SHEET).wait_for()


def answer_and_hand_in(seat: Seat, sources: dict[str, str]) -> None:
    """Write into the cells of the sheet, save it, and press Submit."""
    notebook = Notebook(seat, seat.context.new_page(), f"exercises/{SHEET}/{BOOK}.ipynb")
    notebook.page.evaluate(FILL, sources)
    notebook.save()
    notebook.close()
    notebook.page.close()
    lists = seat.assignments()
    lists.press("fetched", SHEET, "Submit")
    lists.row("submitted", SHEET).wait_for()


def feedback_of(seat: Seat) -> str:
    """The words of the page that the person fetches and opens from the list."""
    lists = seat.assignments()
    lists.press("submitted", SHEET, "Fetch Feedback")
    lists.root.get_by_text("(view feedback)").click()
    seat.page.get_by_role("listitem").filter(has_text=f"{BOOK}.html").dblclick()
    page = seat.page.frame_locator(".jp-HTMLViewer iframe").locator("main")
    return page.inner_text()


def test_a_sheet_goes_around_the_class(seats: dict[str, Seat]) -> None:
    ada, bob = seats[ADA], seats[BOB]
    terminal = Terminal(seats[TEACHER])
    terminal.run(f"nbgrader generate_assignment {SHEET} && nbgrader release_assignment {SHEET}")
    right = Course(SHEET).solutions()
    for student, sources in ((ada, right), (bob, {"sweep": right["sweep"]})):
        fetch(student)
        answer_and_hand_in(student, sources)

    terminal.run(f"nbgrader collect {SHEET}")
    formgrader = seats[TEACHER].context.new_page()
    formgrader.goto(seats[TEACHER].address("formgrader", f"manage_submissions/{SHEET}"))
    for student in (ada, bob):
        formgrader.get_by_role("row").filter(has_text=student.name).wait_for()
    grade = f"rlcourse grade {SHEET} --submissions submitted --roster roster.csv --give-back --yes"
    assert "2 feedback pages are in the exchange" in terminal.run(grade)

    # Four tasks of 20 points are checked; 20 wait for marks by hand.
    for student, other, points in ((ada, bob, 80), (bob, ada, 20)):
        words = feedback_of(student)
        assert f"({student.name})" in words and other.name not in words
        assert f"{points} of 100 points" in words
