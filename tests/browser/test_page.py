"""The page without a kernel: a person, the bot, either seat, watching; the network is
blocked and nothing asks for it.
"""

import itertools
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page

from rlcourse.agents import load_agent, make_agent
from rlcourse.agents.deep_q import DeepQAgent
from rlcourse.games import get_game
from rlcourse.page import page as page_of
from rlcourse.page import write_page
from rlcourse.solvers.tictactoe import tables
from tests.browser.lab import open_context

PLAY = """([moves]) => { const now = position(moves); return [now.code, now.over, now.winner]; }"""


class Table:
    """The page as a player meets it."""

    def __init__(self, page: Page) -> None:
        self.page = page

    def seats(self, x: str, o: str) -> None:
        """Who sits where: "human" or "bot"."""
        self.page.select_option("#seat0", x)
        self.page.select_option("#seat1", o)

    def square(self, number: int):
        """The button of a square."""
        return self.page.locator(f'[data-square="{number}"]')

    def wait_ply(self, ply: int) -> None:
        """Wait until so many moves have been played."""
        self.page.wait_for_function(f"() => Number(document.body.dataset.ply) === {ply}")

    @property
    def status(self) -> str:
        """The line above the board."""
        return self.page.locator("#status").text_content()

    @property
    def said(self) -> str:
        """What was last read aloud."""
        return self.page.locator("#said").text_content().strip()

    @property
    def moves(self) -> list[int]:
        """The moves played."""
        return self.page.evaluate("() => moves")

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return self.page.evaluate("() => document.body.dataset.over === 'true'")


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_page(
        load_agent("tic-tac-toe/deep-q"), tmp_path_factory.mktemp("page") / "tic-tac-toe.html"
    )


@pytest.fixture
def open_page(browser: Browser) -> Iterator[Callable[[Path], Table]]:
    """Opens a file with the network blocked; fails the test when the page asked for
    anything, or a script failed.
    """
    context = open_context(browser, offline=True, viewport={"width": 700, "height": 900})
    asked, failures = [], []

    def open_file(path: Path) -> Table:
        page = context.new_page()
        page.on("request", lambda request: asked.append(request.url))
        page.on("pageerror", lambda error: failures.append(str(error)))
        page.on(
            "console",
            lambda message: failures.append(message.text) if message.type == "error" else None,
        )
        page.goto(path.as_uri())
        return Table(page)

    yield open_file
    context.close()
    assert not failures, failures
    assert all(address.startswith(("file:", "data:")) for address in asked), asked


def test_the_page_plays_the_bot_of_the_course_in_every_position(open_page, file):
    """All 4,520 decisions, and rules and codes of 1,000 random games, against Python."""
    table = open_page(file)
    agent = load_agent("tic-tac-toe/deep-q")
    from rlcourse.judges.tictactoe import decide_everywhere

    in_page = table.page.evaluate("() => [...codes].map((code) => botMove({ code }))")
    assert np.array_equal(in_page, decide_everywhere(agent).action)
    assert np.array_equal(table.page.evaluate("() => [...codes]"), tables().decisions)
    rng, game = np.random.default_rng(0), get_game("tic-tac-toe")
    for _ in range(40):
        state, moves = game.new_game(), []
        while not state.is_over():
            moves.append(int(rng.choice(state.legal_moves())))
            state = state.apply_move(moves[-1])
            code, over, winner = table.page.evaluate(PLAY, [moves])
            assert code == int(state.board.ravel().astype(int) @ 3 ** np.arange(9))
            assert (over, winner) == (
                state.is_over(),
                {None: None, 0: None, 1: 0, -1: 1}[state.winner()],
            )


@pytest.mark.parametrize("side", [0, 1])
def test_a_whole_game_by_mouse_against_the_bot(open_page, file, screenshot, side):
    table = open_page(file)
    table.seats(*(("human", "bot") if side == 0 else ("bot", "human")))
    while not table.over:
        table.page.wait_for_function(
            f"() => document.body.dataset.over === 'true' || moves.length % 2 === {side}"
        )
        if table.over:
            break
        before = len(table.moves)
        table.page.locator('#board button:not([aria-disabled="true"])').first.click()
        table.page.wait_for_function(f"() => moves.length >= {before + 1}")
    winner = table.page.evaluate("() => position(moves).winner")
    assert winner in (None, 1 - side)  # nobody beats it
    assert table.status in ("A draw.", "X has won.", "O has won.")
    screenshot(table.page, f"page-{'XO'[side]}")


def test_a_game_by_keyboard_with_reasons_for_illegal_moves(open_page, file):
    table = open_page(file)
    table.seats("human", "human")
    table.square(4).focus()
    for key, ply in (("Enter", 1), ("ArrowUp", 1), ("Enter", 2), ("ArrowLeft", 2), ("Space", 3)):
        table.page.keyboard.press(key)
        table.wait_ply(ply)
    assert table.moves == [4, 1, 0]
    assert table.said == "X played a3. O to play."
    table.page.keyboard.press("Enter")
    assert table.said == "a3 is occupied by X." and table.moves == [4, 1, 0]
    table.page.locator("#undo").click()
    table.wait_ply(2)
    assert table.square(0).get_attribute("aria-label") == "a3, empty"
    for square in (0, 2, 8):
        table.square(square).click()
    assert table.status == "X has won." and table.over
    table.square(3).click(force=True)
    assert table.said.startswith("The game is over")
    table.page.locator("#new").click()
    table.wait_ply(0)


def test_watching_two_bots_is_a_draw(open_page, file):
    table = open_page(file)
    table.seats("bot", "bot")
    table.page.wait_for_function("() => document.body.dataset.over === 'true'")
    assert table.status == "A draw." and len(table.moves) == 9


PLACES = """() => ['#board button', '#status', '#said', '#new', '#undo', 'footer'].flatMap(
  (places) => [...document.querySelectorAll(places)]).map((element) => {
  const { x, y, width, height } = element.getBoundingClientRect();
  return [x, y, width, height].map(Math.round);
})"""  # the nine squares first


def test_nothing_moves_during_a_game_at_any_width(open_page, file):
    """At the start, with a reason for an illegal move, with values, at the
    end; the squares stay equal.
    """
    table = open_page(file)
    for width in (320, 360, 390, 480, 600, 700, 768, 1024, 1280):
        table.page.set_viewport_size({"width": width, "height": 900})
        table.page.reload()
        table.seats("human", "human")
        before = table.page.evaluate(PLACES)
        assert (
            len({tuple(size) for _, _, *size in before[:9]}) == 1 and before[0][2] == before[0][3]
        )
        for square in (0, 0, 4, 8, 6, 2, 1, 5, 3, 7):  # 0 twice: it is occupied
            table.page.locator("#values").set_checked(square != 4)
            table.square(square).click(force=True)
            assert table.page.evaluate(PLACES) == before, (width, square)
        assert table.over


def test_the_values_are_those_of_the_network(open_page, file, screenshot):
    table = open_page(file)
    table.seats("human", "human")
    for square in (0, 4, 8):
        table.square(square).click()
    table.page.locator("#values").check()
    agent = load_agent("tic-tac-toe/deep-q")
    state = get_game("tic-tac-toe").parse("048")
    decision = agent.think(state)
    for square in range(9):
        shown = table.square(square).locator(".value")
        if np.isnan(decision.q[0, square]):
            assert shown.count() == 0
        else:
            assert float(shown.text_content().replace("\u2212", "-")) == pytest.approx(
                decision.q[0, square], abs=0.0051
            )
    assert "the bot's choice" in table.square(int(decision.action[0])).get_attribute("aria-label")
    screenshot(table.page, "page-values")
    table.page.emulate_media(color_scheme="dark")
    screenshot(table.page, "page-dark")


def test_axe_finds_no_serious_violation(open_page, file):
    table = open_page(file)
    table.page.locator("#values").check()
    for scheme in ("light", "dark"):
        table.page.emulate_media(color_scheme=scheme)
        # axe is evaluated through the debugger, which the page's own policy does not hinder
        found = [
            one
            for one in Axe().run(table.page).response["violations"]
            if one["impact"] in ("serious", "critical")
        ]
        assert not found, [(one["id"], [node["html"] for node in one["nodes"]]) for one in found]


def test_a_bot_that_plays_an_occupied_square_has_lost(open_page, tmp_path):
    """A network that says 'a3' everywhere, without a mask: as second
    player it puts its stone on X's.
    """
    weights = {
        name: np.zeros_like(array)
        for name, array in load_agent("tic-tac-toe/deep-q").weights.items()
    }
    fool = DeepQAgent(get_game("tic-tac-toe"), weights, masked=False)
    table = open_page(write_page(fool, tmp_path / "fool.html"))
    table.square(0).click()
    table.wait_ply(2)
    assert table.status == "That square was occupied: X has won." and table.over


def test_what_cannot_be_a_page_is_refused_and_a_title_stays_text(tmp_path):
    with pytest.raises(ValueError, match="at random"):
        page_of(make_agent("random", get_game("tic-tac-toe")))
    with pytest.raises(ValueError, match="not for connect-four"):
        page_of(make_agent("random", get_game("connect-four")))
    text = page_of(
        load_agent("tic-tac-toe/q-table"), title="</title><script>alert(1)</script> %%POLICY%%"
    )
    assert "<script>alert" not in text and "%%POLICY%%" in text
    assert "http:" not in text and "https:" not in text
    assert (
        len(
            list(
                itertools.islice(
                    (line for line in text.splitlines() if "0 losing lines" in line), 2
                )
            )
        )
        == 1
    )
