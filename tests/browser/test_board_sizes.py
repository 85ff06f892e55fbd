"""The boards of all games in windows of every size: what has to be in sight is, and nothing
moves when a message comes.
"""

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Page

from rlcourse.boards import play
from tests.browser.lab import PROJECT, Lab, Notebook

GAMES = {
    "tic-tac-toe": "perfect",
    "connect-four": "uct",
    "backgammon": "td-gammon",
    "go": "policy-5x5",
}
HINT = "Hint of UCT (10,000 simulations): bar/22 24/18*/13 6/5. A sentence as long as the longest that is said."
LAPTOP, ZOOMED, SIDEWAYS, UPRIGHT = (1280, 600), (640, 360), (844, 390), (390, 844)
ZOOMED_LAPTOP = (640, 300)  # at 200%
# A notebook in a laptop's JupyterLab beside its contents panel; what is above it comes on top.
BESIDE_CONTENTS = (707, 720)
# As long as they get: the score after some hours, and how a game ends.
EVENING = "Won in 12 games: You 3, UCT (10,000 simulations) 4, Perfect player 2, drawn 3."
ENDS = {
    "tic-tac-toe": "UCT (10,000 simulations) (O) wins.",
    "connect-four": "AlphaZero (400 simulations) (O) wins.",
    "backgammon": "TD-Gammon (4,096 games) (O) wins a backgammon, 3 points.",
    "go": "UCT (100 simulations) (White) wins by 32.5 points, the komi of 7.5 counted.",
}
IN_LAB = """(root) => {
  root.scrollIntoView({ block: 'start' });
  const area = root.closest('.jp-WindowedPanel-outer').getBoundingClientRect();
  const bottom = (name) => root.querySelector(name).getBoundingClientRect().bottom - area.top;
  const parts = ['.rl-surface', '.rl-status', '.rl-said', '.rl-buttons'];
  return [area.height, Object.fromEntries(parts.map((name) => [name, bottom(name)]))];
}"""
SHOW = """async ([script, view]) => {
  const { default: board } = await import(URL.createObjectURL(new Blob([script], { type: 'text/javascript' })));
  let update = null;
  const model = { get: () => view, on: (name, call) => { update = name === 'change:view' ? call : update; }, off() {}, send: (message) => (window.sent ??= []).push(message) };
  board.render({ model, el: document.querySelector('#place') });
  window.show = (next) => { view = next; update(); };
}"""
BOXES = """() => Object.fromEntries(['.rl-surface', '.rl-choices', '.rl-status', '.rl-said', '.rl-score', '.rl-buttons', '.rl-check'].map((name) => {
  const { x, y, width, height } = document.querySelector(name).getBoundingClientRect();
  return [name, [x, y, width, height]];
}))"""


@pytest.fixture(scope="module")
def views() -> dict[str, list[dict[str, Any]]]:
    """game -> what the board shows at first, with values, with a hint, and with a
    checker or a stone played.
    """
    shown = {}
    for game, opponent in GAMES.items():
        board = play(game, opponent, seed=1)
        shown[game] = [board.view]
        board._on_message({"type": "overlay", "value": True})
        shown[game].append(board.view)
        board._announce(HINT)
        shown[game].append(board.view)
    return shown


def lay(page: Page, size: tuple[int, int], view: dict[str, Any], chrome: int = 0) -> None:
    """The board alone in a window of this size; `chrome` pixels above it belong to a
    program such as JupyterLab.
    """
    page.set_viewport_size({"width": size[0], "height": size[1]})
    page.goto("about:blank")
    panel = f"class='jp-NotebookPanel' style='padding-top: {chrome}px'" if chrome else ""
    page.set_content(
        f"<!DOCTYPE html><body style='margin: 0'><div {panel}><div id='place'></div></div></body>"
    )
    page.add_style_tag(path=PROJECT / "rlcourse/boards/board.css")
    page.evaluate(SHOW, [(PROJECT / "rlcourse/boards/board.js").read_text(encoding="utf-8"), view])


@pytest.mark.parametrize("game", GAMES)
def test_board_message_and_buttons_are_in_sight(
    page: Page, views: dict[str, Any], game: str
) -> None:
    for size, chrome in (
        (LAPTOP, 0),
        (LAPTOP, 120),
        (BESIDE_CONTENTS, 120),
        (ZOOMED, 0),
        (ZOOMED, 120),
        (SIDEWAYS, 0),
        (UPRIGHT, 0),
    ):
        lay(page, size, views[game][0], chrome)
        boxes = page.evaluate(BOXES)
        _, top, wide, high = boxes[".rl-surface"]
        assert top + high <= size[1], f"{game}, {size}, {chrome}: the whole board, {boxes}"
        assert (
            wide >= 200 and page.evaluate("() => document.documentElement.scrollWidth") <= size[0]
        )
        below = max(
            boxes[name][1] + boxes[name][3] for name in (".rl-status", ".rl-said", ".rl-buttons")
        )
        allowed = (
            size[1] if size in (LAPTOP, BESIDE_CONTENTS, UPRIGHT) else 2 * size[1]
        )  # there, one scroll of less than a window
        assert below <= allowed, f"{game}, {size}, {chrome}: message and buttons, {boxes}"


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("size", [LAPTOP, ZOOMED, SIDEWAYS, UPRIGHT])
def test_nothing_moves_when_values_or_a_hint_come(
    page: Page, views: dict[str, Any], game: str, size: tuple[int, int]
) -> None:
    first, *later = views[game]
    lay(page, size, first)
    before = page.evaluate(BOXES)
    for view in later:
        page.evaluate("(view) => window.show(view)", view)
        assert page.evaluate(BOXES) == before
    assert (
        page.locator(".rl-numbers table").count() == 1
        and HINT in page.locator(".rl-said").inner_text()
    )


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("size", [LAPTOP, SIDEWAYS, UPRIGHT])
def test_nothing_moves_with_the_first_move_the_score_and_the_end(
    page: Page, views: dict[str, Any], game: str, size: tuple[int, int]
) -> None:
    first = views[game][0]
    lay(page, size, first)
    before = page.evaluate(BOXES)
    first_move = {"ply": 1, "plies": 1, "moves": ["X: a1"]}
    for news in (first_move, {"score": EVENING}, {"status": ENDS[game]}):
        page.evaluate("(view) => window.show(view)", {**first, **news})
        assert page.evaluate(BOXES) == before, news


def bottoms(book: Notebook, size: tuple[int, int]) -> Iterator[tuple[str, float, dict[str, float]]]:
    """(game, height of the notebook's part of the window, bottom of each part of the board in
    it), each board scrolled to.
    """
    book.page.set_viewport_size({"width": size[0], "height": size[1]})
    settled = (
        "() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"
    )
    for index, game in enumerate(GAMES):
        root = book.board(index).root
        for _ in range(
            3
        ):  # JupyterLab lays out the cells that come into sight, which moves the others
            root.evaluate("(root) => root.scrollIntoView({ block: 'start' })")
            book.page.evaluate(settled)
        yield (game, *root.evaluate(IN_LAB))


def test_in_jupyterlab_they_are_in_the_notebook_s_part_of_the_window(
    lab: Lab, page: Page, screenshot: Callable[[Page, str], None]
) -> None:
    """JupyterLab as it opens, with menu, tabs, tools, status and the list of files; in low
    windows also with that folded.
    """
    cells = [
        f"from rlcourse.boards import play\nplay({game!r}, {bot!r}, seed=1)"
        for game, bot in GAMES.items()
    ]
    lab.write("sizes.ipynb", cells)
    book = Notebook(lab, page, "sizes.ipynb", "lab/tree")
    book.run_all()
    hidden = []
    for size in (LAPTOP, ZOOMED, ZOOMED_LAPTOP, SIDEWAYS):
        page.evaluate("() => window.jupyterapp.shell.expandLeft()")
        for game, height, parts in bottoms(book, size):
            wanted = list(parts) if size == LAPTOP else [".rl-surface"]
            hidden += [
                ("files", size, game, name, parts[name], height)
                for name in wanted
                if parts[name] > height
            ]
            screenshot(page, f"lab-{game}-{size[0]}x{size[1]}-files")
        page.evaluate("() => window.jupyterapp.shell.collapseLeft()")
        for game, height, parts in bottoms(book, size):
            if size == ZOOMED_LAPTOP:
                parts[".rl-buttons"] -= 60  # one short scroll
            hidden += [
                ("folded", size, game, name, low, height)
                for name, low in parts.items()
                if low > height
            ]
            screenshot(page, f"lab-{game}-{size[0]}x{size[1]}")
    book.close()
    assert hidden == []
