"""A student's first lesson on the server, in a real browser."""

import pytest
from playwright.sync_api import Browser, expect

from tests.browser.lab import OPEN, RUN_ALL, Board
from tests.hub.server import ADA, Server

pytestmark = [pytest.mark.slow, pytest.mark.timeout(600), pytest.mark.xdist_group("hub")]
LESSON = """() => window.jupyterapp.commands.execute(
  'docmanager:open', {path: 'notebooks/00_play_first.ipynb'})"""

# After Run All JupyterLab shows the last cell and may have taken the first ones off the page.
TO_FIRST_BOARD = """async () => {
  const content = window.jupyterapp.shell.currentWidget.content;
  const first = content.widgets.findIndex((cell) => cell.node.querySelector('.rl-board'));
  await content.scrollToItem(first, 'start');
}"""


def test_a_student_logs_in_and_plays(server: Server, browser: Browser) -> None:
    page = server.page(browser, ADA)
    expect(page.get_by_role("heading", name="Where you are")).to_be_visible()
    expect(page.get_by_role("link", name="00 · Play first").first).to_be_visible()
    page.evaluate(LESSON)
    page.evaluate(OPEN)
    assert page.evaluate(RUN_ALL) == []
    page.evaluate(TO_FIRST_BOARD)
    board = Board(page.locator(".rl-board").first)
    board.root.locator(".rl-surface svg").wait_for()
    # An event, since a place on the page is still moving while pictures above it load.
    board.do(lambda: board.target(4).dispatch_event("click"))
    assert "b2" in board.said
    page.context.close()
