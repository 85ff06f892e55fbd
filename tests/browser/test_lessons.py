"""The first lesson and a sheet as a student meets them: run in JupyterLab, played, validated."""

from collections.abc import Callable, Iterator

import nbformat
import pytest
from playwright.sync_api import Page

from tests.browser.lab import PROJECT, Lab, Notebook

Shoot = Callable[[object, str], None]


@pytest.fixture
def lesson(lab: Lab, page: Page) -> Iterator[Notebook]:
    """Notebook 00, copied and run from top to bottom."""
    book = Notebook(lab, page, lab.bring(PROJECT / "notebooks" / "00_play_first.ipynb"))
    book.run_all()
    yield book
    book.close()


def test_lesson_00_runs_and_is_played_by_mouse_and_by_keyboard(
    lesson: Notebook, screenshot: Shoot
) -> None:
    board = lesson.board(0)
    board.root.scroll_into_view_if_needed()
    in_kernel = "import gc; from rlcourse.boards import PlayBoard\n"
    in_kernel += "print(*[w.state.recipe() for w in gc.get_objects() if isinstance(w, PlayBoard)])"
    while board.offered():  # by mouse
        board.click(board.offered()[0])
        assert board.tictactoe() in lesson.ask(in_kernel).split(), "page and kernel agree"
    assert "draw" in board.status or "O) wins" in board.status
    screenshot(lesson.page, "lesson-00-over")
    board.press("New game")
    keys = lesson.page.keyboard
    # By keyboard: from the square that has the focus, row by row and column by column.
    while board.offered():
        goal = board.target(board.offered()[0])
        if not lesson.page.evaluate("() => 'action' in document.activeElement.dataset"):
            board.root.locator('[data-action][tabindex="0"]').focus()
        for _ in range(12):
            here = lesson.page.evaluate("() => document.activeElement.dataset.action")
            if here == goal.get_attribute("data-action"):
                break
            (row, column), (to_row, to_column) = (
                divmod(int(here), 3),
                divmod(int(goal.get_attribute("data-action")), 3),
            )
            step = (
                "ArrowDown"
                if row < to_row
                else "ArrowUp"
                if row > to_row
                else "ArrowRight"
                if column < to_column
                else "ArrowLeft"
            )
            keys.press(step)
        board.do(lambda: keys.press("Enter"))
        assert board.tictactoe() in lesson.ask(in_kernel).split()
    assert "draw" in board.status or "O) wins" in board.status


def test_a_student_opens_lesson_00_and_sees_it_saved_and_nothing_of_teachers(
    lab: Lab, page: Page, screenshot: Shoot
) -> None:
    """As `start.py lab` opens it.

    The kernel has told its version by then, which JupyterLab writes into the notebook.
    """
    book = Notebook(lab, page, lab.bring(PROJECT / "notebooks" / "00_play_first.ipynb"), "lab/tree")
    model = "window.jupyterapp.shell.currentWidget.context.model"
    page.wait_for_function(
        f"() => {model}.getMetadata('language_info')?.version && "
        f"{model}.getMetadata('kernelspec')?.language"
    )
    page.get_by_text("Validate", exact=True).first.wait_for()
    page.evaluate("() => new Promise(requestAnimationFrame)")
    screenshot(page, "lesson-00-opened")
    seen = page.locator("body").inner_text()
    wrong = [
        word
        for word in ("Jupyter news", "Create Assignment", "Nbgrader", "Formgrader")
        if word in seen
    ]
    wrong += ["unsaved"] * page.evaluate(f"() => {model}.dirty") + [
        "a mark of unsaved"
    ] * page.locator(".jp-mod-dirty").count()
    assert wrong == []
    plugins = "(name) => window.jupyterapp.isPluginActivated('@jupyter/nbgrader:' + name)"
    assert page.evaluate(plugins, "validate-assignment")
    page.evaluate(f"() => {model}.cells.get(0).sharedModel.setSource('mine')")
    page.wait_for_function(f"() => {model}.dirty")
    book.close()


def solved(name: str) -> nbformat.NotebookNode:
    """The released sheet with the solutions laid over it, as a student hands it in."""
    sheet, solution = (
        nbformat.read(next((PROJECT / part / name).glob("*.ipynb")), 4)
        for part in ("exercises", "solutions")
    )
    answers = {
        c.metadata.nbgrader.grade_id: c
        for c in solution.cells
        if c.metadata.get("nbgrader", {}).get("solution")
    }
    for cell in sheet.cells:
        given = cell.metadata.get("nbgrader", {})
        if given.get("solution"):
            cell.source = answers[given["grade_id"]].source
    return sheet


@pytest.mark.parametrize(
    ("which", "words", "count"), [("fresh", "): not started.", 5), ("solved", "Success", 1)]
)
def test_validate_on_sheet_02(
    lab: Lab, page: Page, screenshot: Shoot, which: str, words: str, count: int
) -> None:
    sheet = (
        solved("02")
        if which == "solved"
        else nbformat.read(next((PROJECT / "exercises" / "02").glob("*.ipynb")), 4)
    )
    nbformat.write(sheet, lab.root / f"{which}_02.ipynb")
    book = Notebook(lab, page, f"{which}_02.ipynb")
    page.get_by_role("button", name="Validate").or_(
        page.locator("jp-button", has_text="Validate")
    ).first.click()
    dialog = page.locator(".jp-Dialog")
    dialog.wait_for()
    assert dialog.inner_text().count(words) == count
    screenshot(page, f"validate-{which}-02")
    book.close()
