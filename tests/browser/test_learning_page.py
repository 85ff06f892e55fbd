"""A player that learns in a page, from disk and with the network blocked: started, paused, set
aside, beaten by nobody at last."""

from collections.abc import Callable
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page

from rlcourse.games import get_game
from rlcourse.learning_page import METHODS, write_learning_page
from tests.browser.lab import READY, Board


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The page."""
    folder = tmp_path_factory.mktemp("learning")
    return write_learning_page(get_game("tic-tac-toe"), folder / "learning.html")


@pytest.fixture(scope="module")
def backgammon(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The page of TD-Gammon."""
    folder = tmp_path_factory.mktemp("learning")
    return write_learning_page(get_game("backgammon"), folder / "backgammon.html")


def number(page: Page, name: str) -> int:
    """What the page shows: games, losing lines, or games won."""
    return int(page.evaluate("(name) => document.body.dataset[name]", name))


def begin(page: Page, method: str, *, seed: int = 0, **sliders: float) -> None:
    """Choose how to learn, and wait for the verdict on a table that knows nothing."""
    page.get_by_label("Learn by").select_option(method)
    page.get_by_label("Games a second").select_option("Infinity")
    for name, value in sliders.items():
        page.locator(f"#{name}").fill(str(value))
    page.get_by_label("Seed").fill(str(seed))
    page.get_by_label("Seed").press("Tab")
    page.get_by_role("button", name="Reset").click()
    wait(page, "(body) => body.dataset.games === '0'")


def wait(page: Page, condition: str) -> None:
    """Wait for a condition on the body of the page."""
    page.wait_for_function(f"() => ({condition})(document.body)")


ENDED = "(body) => body.dataset.running === 'false'"


@pytest.mark.parametrize("method", METHODS)
def test_a_table_learns_until_nobody_can_beat_it_and_then_plays(open_page, file, method) -> None:
    board = open_page(file)
    page = board.page
    begin(page, method)
    before = number(page, "losing")
    assert before > 100
    page.get_by_role("button", name="Start").click()
    wait(page, ENDED)
    assert number(page, "losing") == 0
    news = page.locator("#news").inner_text()
    assert news.startswith(("Unbeatable after", "Perfect after"))
    board.wait("root.querySelector('.rl-status').textContent.includes('Your turn: X')")
    board.wait("root.dataset.busy === 'false' && root.dataset.ply === '0'")
    while not board.root.get_attribute("data-outcome"):
        board.do(lambda: board.root.locator(READY).first.click())
    assert board.root.get_attribute("data-outcome") in ("lost", "drawn")


def test_without_a_step_nothing_is_learned(open_page, file) -> None:
    """The control: with alpha 0 the judge finds as many losing lines after many games."""
    page = open_page(file).page
    begin(page, "q-table", alpha=0)
    before = number(page, "losing")
    page.get_by_role("button", name="Start").click()
    wait(page, "(body) => Number(body.dataset.games) >= 12000")
    page.get_by_role("button", name="Pause").click()
    assert number(page, "losing") == before > 0


def learn_a_little(board: Board) -> None:
    """Started and paused by keyboard, with at least 100 games and a move that nobody asked for."""
    page = board.page
    page.get_by_role("button", name="Start").focus()
    page.keyboard.press("Enter")
    board.wait("Number(root.dataset.ply) > 0")
    wait(page, "(body) => Number(body.dataset.games) >= 100")
    page.keyboard.press("Enter")
    assert page.locator("#news").inner_text() == "Paused."


RESET_BEFORE_THE_FRAME = """() => {
  const real = window.requestAnimationFrame;
  window.requestAnimationFrame = (draw) => {
    window.requestAnimationFrame = real;
    const frame = real(draw);
    document.querySelector("#reset").click();
    real(() => real(() => (document.body.dataset.drawn = "true")));
    return frame;
  };
}"""


def test_begun_anew_before_a_point_is_drawn_it_begins_at_0(open_page, file) -> None:
    """`open_page` fails the test where the page has thrown an error."""
    page = open_page(file).page
    begin(page, "q-table")
    page.evaluate(RESET_BEFORE_THE_FRAME)
    page.get_by_role("button", name="Start").click()
    wait(page, "(body) => body.dataset.drawn === 'true' && body.dataset.games === '0'")
    page.get_by_role("button", name="Start").wait_for()


def test_the_same_seed_learns_the_same_and_another_does_not(open_page, file) -> None:
    page = open_page(file).page
    ends = []
    for seed in (3, 3, 4):
        begin(page, "afterstates", seed=seed)
        page.get_by_role("button", name="Start").click()
        wait(page, ENDED)
        ends.append(page.locator("#curve path.line").get_attribute("d"))
    assert ends[0] == ends[1] != ends[2]


def test_paused_by_keyboard_it_stands_still_and_the_board_shows_its_games(open_page, file) -> None:
    board = open_page(file)
    page = board.page
    page.get_by_label("Games a second").select_option("100")
    learn_a_little(board)
    assert page.get_by_role("button", name="Go on").evaluate(
        "(it) => it === document.activeElement"
    )
    page.get_by_label("Step size alpha").focus()
    page.keyboard.press("ArrowRight")
    page.locator("label:has(#alpha) b", has_text="0.55").wait_for()
    board.do(lambda: board.root.get_by_label("You play").select_option("second"))
    board.press("New game")
    assert board.root.get_attribute("data-ply") == "1"


def test_it_is_readable_at_both_widths_in_light_and_dark(open_page, file, screenshot) -> None:
    page = open_page(file).page
    begin(page, "q-table")
    page.get_by_role("button", name="Start").click()
    wait(page, ENDED)
    look(page, "learning", screenshot)


def look(page: Page, name: str, screenshot: Callable[[Page, str], None]) -> None:
    """Nothing for axe to complain of, and nothing wider than the screen."""
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)
        found = Axe().run(page).response["violations"]
        assert not found, [(one["id"], [node["html"] for node in one["nodes"]]) for one in found]
        for width in (1280, 390, 320):
            page.set_viewport_size({"width": width, "height": 900})
            assert page.evaluate("() => document.documentElement.scrollWidth") <= width
            screenshot(page, f"{name}-{width}-{scheme}")


def test_td_gammon_learns_shows_its_games_and_plays(open_page, backgammon, screenshot) -> None:
    """A second verdict, with a game of the network's own on the board; then somebody plays it, while
    it goes on learning."""
    board = open_page(backgammon)
    page = board.page
    learn_a_little(board)
    assert 0 < number(page, "wins") <= 100
    assert page.locator("#curve path.band").get_attribute("d").count(" ") >= 4
    page.get_by_label("Decay of traces lambda").focus()
    page.keyboard.press("ArrowRight")
    page.locator("label:has(#lam) b", has_text="0.15").wait_for()
    board.do(lambda: board.root.get_by_label("You play").select_option("first"))
    board.press("New game")
    page.get_by_role("button", name="Go on").click()
    while board.root.get_attribute("data-ply") == "0":
        board.do(lambda: board.root.locator(READY).first.click())
    assert board.root.get_attribute("data-ply") == "2"
    page.get_by_role("button", name="Pause").click()
    look(page, "learning-backgammon", screenshot)
