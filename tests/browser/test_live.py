"""A training run in JupyterLab: its picture grows, and Interrupt keeps what was learned."""

from collections.abc import Callable, Sequence

from playwright.sync_api import Page

from tests.browser.lab import Notebook

TRAIN = """from rlcourse import plots
from rlcourse.judges.tictactoe import judge
from rlcourse.learning import games, make_learner, train
learner = make_learner("q-table", seed=0)
with plots.live("losing lines", seconds=3600) as picture:
    for row in train(learner, until=games(10**9), judge=judge, every=1, seed=0):
        picture.add(row.games, row.verdict.losing_lines, learner.agent())
print("the next line of the cell is run")"""
# The interrupt may come after a row and before its point: then the picture is one row behind.
SEEN = """games_a_row = picture.points[1][0]
print(row.games - picture.points[-1][0] in (0, games_a_row))"""
PICTURE = ".jp-RenderedSVG img"
RUN = "() => { window.jupyterapp.commands.execute('notebook:run-all-cells'); }"


def new_picture(page: Page, before: str) -> str:
    """Wait for another picture than `before`; returns it."""
    changed = f"(before) => ![before, undefined].includes(document.querySelector('{PICTURE}')?.src)"
    page.wait_for_function(changed, arg=before)
    return page.locator(PICTURE).get_attribute("src") or ""


def test_the_picture_grows_and_interrupt_keeps_what_was_learned(
    notebook: Callable[[Sequence[str]], Notebook], screenshot: Callable[[object, str], None]
) -> None:
    book = notebook(["pass"])
    page = book.page
    book.cells([TRAIN])
    page.evaluate(RUN)
    shown = ""
    for _ in range(5):
        shown = new_picture(page, shown)
    # On a busy machine five pictures can come before the second point.
    page.wait_for_function(
        f"() => / [1-9][\\d,]* games, /.test(decodeURIComponent(document.querySelector('{PICTURE}').src))"
    )
    screenshot(page, "live-training")
    page.locator('[data-command="notebook:interrupt-kernel"]').first.click()
    printed = page.locator(".jp-OutputArea-output pre")
    printed.get_by_text("What was learned is kept.").wait_for()
    printed.get_by_text("the next line of the cell is run").wait_for()
    assert page.locator(PICTURE).count() == 1
    assert book.ask(SEEN) == "True"
    assert book.ask("print(judge(learner.agent()).losing_lines < picture.points[0][1])") == "True"
    book.theme("JupyterLab Dark")
    screenshot(page, "live-interrupted-dark")
