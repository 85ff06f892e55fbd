"""The form at a sheet's end: what is on the page is saved, handed in and graded."""

import json
import re

import nbformat

from rlcourse.checks import get_sheet
from rlcourse.grading import grade_file
from tests.browser.lab import Lab, Notebook
from tests.grading.course import Course

NUMBER = "01"
REWRITE = """(source) => {
  const { cells } = window.jupyterapp.shell.currentWidget.content.model.sharedModel;
  cells.find((cell) => cell.source.startsWith('def clip_legal')).source = source;
}"""
TABLE = "sheet01.summary(release=1)"


def test_the_sheet_on_the_page_is_handed_in_and_graded(lab: Lab, page) -> None:
    course, place = Course(NUMBER), lab.root / "my" / "exercises" / NUMBER
    place.mkdir(parents=True)
    book = course.fill(course.solutions(), "An explanation.")
    book.cells = [cell for cell in book.cells if "attempt(" not in cell.source]  # it takes long
    nbformat.write(book, place / "sheet.ipynb")
    notebook = Notebook(lab, page, f"my/exercises/{NUMBER}/sheet.ipynb")
    notebook.run_all()
    # Not saved by hand: the form does it.
    page.evaluate(REWRITE, "def clip_legal(p, legal, floor):\n    return p\n")
    form = page.locator(".rl-hand-in")
    assert not notebook.axe(".rl-hand-in")["violations"]
    form.get_by_label("Your name").fill("Ada")
    form.get_by_role("button").click()
    form.get_by_text(re.compile("Receipt: ")).wait_for()
    [handed_in] = (lab.root / "my" / "hand-ins").iterdir()
    content = handed_in.read_bytes()
    assert json.loads(content)["metadata"]["rlcourse"]["hand_in"]["name"] == "Ada"
    results = grade_file(get_sheet(NUMBER), content, seed=1).results
    assert {one.task: one.score == 1.0 for one in results} == {
        task.name: task.name != "clip_legal" for task in get_sheet(NUMBER).tasks
    }
    notebook.close()
