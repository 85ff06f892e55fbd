"""The page without a kernel: a person, the bots, either side, watching; the network is blocked and
nothing asks for it.

That it shows what the notebooks' board shows is tested in Node (tests/unit/test_page.py).
"""

import re
from collections.abc import Callable
from functools import partial
from pathlib import Path

import numpy as np
import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Locator

from rlcourse.agents import load_agent, make_agent
from rlcourse.agents.deep_q import DeepQAgent
from rlcourse.games import get_game
from rlcourse.gtp.sgf import from_sgf
from rlcourse.page import page as page_of
from rlcourse.page import write_page
from tests.browser.lab import READY, Board
from tests.unit.test_page import LOST

GAMES = ("tic-tac-toe", "connect-four")
OPPONENTS = ("Q-table", "UCT (1,000 simulations)")
games = pytest.mark.parametrize("game", GAMES)


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """The page of each game."""
    folder = tmp_path_factory.mktemp("page")
    return {name: write_page(get_game(name), None, folder / f"{name}.html") for name in GAMES}


def choose(board: Board, label: str, value: str) -> None:
    """Choose from one of the board's lists."""
    board.do(lambda: board.root.get_by_label(label).select_option(value))


def hint(board: Board) -> str:
    """Ask for a hint; what is announced."""
    board.do(lambda: board.page.get_by_role("button", name="Hint", exact=True).click())
    return board.said


@games
def test_a_page_begins_with_a_bot_that_can_be_beaten(open_page, files, game):
    board = open_page(files[game])
    assert board.root.get_by_label("Opponent").input_value() == "UCT (10 simulations)"


@pytest.mark.parametrize("side", ["first", "second"])
@pytest.mark.parametrize("game, opponent", [*zip(GAMES, OPPONENTS, strict=True)])
def test_a_whole_game_by_mouse_against_a_bot(open_page, files, screenshot, game, opponent, side):
    board = open_page(files[game])
    choose(board, "Opponent", opponent)
    choose(board, "You play", side)
    while not board.root.get_attribute("data-outcome"):
        board.do(lambda: board.root.locator(READY).first.click())
    assert board.status in ("A draw.", "You win!", f"{opponent} ({'OX'[side == 'second']}) wins.")
    if game == "tic-tac-toe":
        assert board.root.get_attribute("data-outcome") != "won"  # nobody beats it
    screenshot(board.page, f"page-{game}-{side}")


@games
def test_a_game_by_keyboard_with_reasons_for_illegal_moves(open_page, files, game):
    board = open_page(files[game])
    choose(board, "You play", "both")
    actions = [4, 1, 4] if game == "tic-tac-toe" else [3] * 7
    reason = "b2 is occupied by X" if game == "tic-tac-toe" else "column d is full"
    for action in actions:
        board.target(action).focus()
        board.do(lambda: board.page.keyboard.press("Enter"))
    assert board.said == f"Not possible: {reason}."
    assert int(board.root.get_attribute("data-ply")) == len(actions) - 1
    board.press("Undo")
    assert int(board.root.get_attribute("data-ply")) == len(actions) - 2
    board.press("New game")
    assert board.status == "X to move."


@games
def test_watching_two_bots_to_the_end(open_page, files, game):
    board = open_page(files[game])
    choose(board, "Opponent", "AlphaZero (no search)")
    choose(board, "You play", "none")
    board.press("Last position")
    assert board.root.get_attribute("data-outcome") in ("over", "drawn")
    if game == "tic-tac-toe":
        assert board.status == "A draw."


def test_the_page_stays_awake_while_a_bot_thinks(open_page, files):
    """A search of 400 simulations runs elsewhere: the page goes on drawing frames meanwhile."""
    board = open_page(files["connect-four"])
    choose(board, "Opponent", "AlphaZero (400 simulations)")
    frames = """(root) => new Promise((resolve) => {
      const times = [performance.now()];
      const draw = () => {
        times.push(performance.now());
        if (root.dataset.ply === '2' && root.dataset.busy === 'false') resolve(times);
        else requestAnimationFrame(draw);
      };
      root.querySelector('[data-action="3"]').dispatchEvent(new MouseEvent('click', { bubbles: true }));
      draw();
    })"""
    times = np.array(board.page.evaluate(frames, board.root.element_handle()))
    gaps = np.diff(times)
    print(f"{len(gaps)} frames in {times[-1] - times[0]:.0f} ms, longest gap {gaps.max():.0f} ms")
    assert len(gaps) >= 5 and gaps.max() < 0.8 * (times[-1] - times[0])


@games
def test_hints_and_values(open_page, files, screenshot, game):
    board = open_page(files[game])
    choose(board, "Opponent", "AlphaZero (50 simulations)")
    board.do(lambda: board.root.get_by_label("Show values").check())
    first = board.root.get_by_label("Opponent").locator("option").first.text_content()
    assert hint(board).startswith(f"Hint of {first}: ")
    assert board.root.locator('[aria-label*=", suggested"]').count() == 1
    assert board.root.locator(".rl-numbers tbody tr").count() == get_game(game).num_actions
    for scheme in ("light", "dark"):
        for width in (1280, 390):
            board.page.emulate_media(color_scheme=scheme)
            board.page.set_viewport_size({"width": width, "height": 900})
            screenshot(board.page, f"page-{game}-{width}-{scheme}")


# Where the squares or columns, the buttons, the lists and the sentences are. Below them stand the
# table of values and the list of moves, which are as long as they are.
# The offer of a review comes at the end of a game.
PLACES = """() => [...document.querySelectorAll('[data-action], select, .rl-status, .rl-said, .rl-score,'
  + ' button:not([aria-label^="Where did"])')].map((one) => {
  const { x, y, width, height } = one.getBoundingClientRect();
  return [x, y, width, height].map(Math.round);
})"""
# Moves of both sides to the end of a game; the second is refused, the square or column being full.
WHOLE_GAMES = {
    "tic-tac-toe": (0, 0, 4, 8, 6, 2, 1, 5, 3, 7),
    "connect-four": (*[3] * 7, 2, 0, 2, 0, 2, 0, 2),
}


@games
def test_nothing_moves_or_sticks_out_during_a_game_at_any_width(open_page, files, game):
    """At the start, with a reason for an illegal move, with values, and at the end."""
    board = open_page(files[game])
    for width in (320, 360, 390, 480, 600, 700, 768, 1024, 1280):
        board.page.set_viewport_size({"width": width, "height": 900})
        board.page.reload()
        board.page.locator(".rl-surface svg").wait_for()
        choose(board, "You play", "both")
        board.do(lambda: board.root.get_by_label("Show values").check())
        before = board.page.evaluate(PLACES)
        for action in WHOLE_GAMES[game]:
            board.do(partial(board.target(action).click, force=True))
            assert board.page.evaluate(PLACES) == before, (width, action)
        assert board.root.get_attribute("data-outcome") in ("over", "drawn")
        wide = board.page.evaluate("() => document.documentElement.scrollWidth")
        assert wide <= width, (game, width)


@games
def test_axe_finds_no_violation(open_page, files, game):
    board = open_page(files[game])
    board.do(lambda: board.root.get_by_label("Show values").check())
    for scheme in ("light", "dark"):
        board.page.emulate_media(color_scheme=scheme)
        # axe is evaluated through the debugger, which the page's own policy does not hinder
        found = Axe().run(board.page).response["violations"]
        assert not found, [(one["id"], [node["html"] for node in one["nodes"]]) for one in found]


@games
def test_where_did_i_go_wrong(open_page, files, screenshot, game):
    """A lost game is reviewed, by keyboard; the worst move leads to its position; taken back, the
    review goes."""
    board = open_page(files[game])
    choose(board, "You play", "both")
    assert not board.page.get_by_role("button", name="Where did I go wrong?").is_visible()
    for action in LOST[game]:
        board.click(action)
    ask = board.page.get_by_role("button", name="Where did I go wrong?")
    ask.focus()
    board.do(lambda: board.page.keyboard.press("Enter"))
    assert board.said == "Your moves are judged."
    worst = board.root.locator(".rl-review tr.rl-worst").filter(visible=True)
    assert worst.first.inner_text().count("turned a") == 1 <= worst.count() <= 3
    for scheme in ("light", "dark"):
        board.page.emulate_media(color_scheme=scheme)
        assert not Axe().run(board.page).response["violations"]
        for width in (1280, 390):
            board.page.set_viewport_size({"width": width, "height": 900})
            assert board.page.evaluate("() => document.documentElement.scrollWidth") <= width
            screenshot(board.page, f"review-{game}-{width}-{scheme}")
    board.do(worst.first.get_by_role("button").click)
    assert board.status.startswith("Looking back: position ")
    board.press("Last position")
    board.press("Undo")
    assert board.root.locator(".rl-review tr").count() == 0


def test_go_with_a_hint_values_resigning_a_file_and_a_review(open_page, tmp_path, screenshot):
    board = open_page(write_page(get_game("go"), None, tmp_path / "go.html"))
    board.do(lambda: board.root.get_by_label("Show values").check())
    choose(board, "Opponent", "Actor-critic (drawn moves)")
    board.click(12)
    assert board.root.get_attribute("data-ply") == "2"
    columns = board.root.locator(".rl-numbers th").all_inner_texts()
    assert columns[1:3] == ["Network", "At temperature 0.1"]
    assert not Axe().run(board.page).response["violations"]
    screenshot(board.page, "page-go")
    assert hint(board).startswith("Hint of AlphaZero (400 simulations): ")
    choose(board, "Opponent", "UCT (10 simulations)")
    board.click(26)
    assert "Click resign once more" in board.status
    board.click(26)
    assert board.status == "UCT (10 simulations) (White) wins by resignation."
    with board.page.expect_download() as caught:
        board.press("Save the game")
    assert caught.value.suggested_filename == "go-5x5.sgf" in board.said
    saved = from_sgf(Path(caught.value.path()).read_bytes())[-1]
    assert saved.is_over() and saved.winner() == -1 and len(saved.moves) == 3
    board.press("Where did I go wrong?")
    judge = board.root.locator(".rl-review caption").inner_text()
    assert re.search(r"critic .* an estimate\. .* were off by \d+ points in 100 on average", judge)
    words = board.root.locator(".rl-review td:nth-child(2)").all_inner_texts()
    assert words[0].endswith(("best", "fine", "away")) and words[1].endswith("not judged")


def play_a_turn(board: Board, deed: Callable[[Locator], None]) -> None:
    """Move checkers that can move, in the order of the board, until the bot has answered."""
    before = int(board.root.get_attribute("data-ply") or 0)
    while int(board.root.get_attribute("data-ply") or 0) == before:
        board.do(lambda: deed(board.root.locator(READY).first))


def press_enter(target: Locator) -> None:
    """Play with the keyboard."""
    target.focus()
    target.press("Enter")


def test_backgammon_by_mouse_and_keyboard_to_the_end(open_page, tmp_path, screenshot):
    board = open_page(write_page(get_game("backgammon"), None, tmp_path / "backgammon.html"))
    assert board.root.get_by_label("Opponent").input_value() == "Random player"
    choose(board, "Opponent", "TD-Gammon")
    board.do(lambda: board.root.get_by_label("Show values").check())
    assert board.root.locator(".rl-numbers tbody tr").count() == 5
    assert hint(board).startswith("Hint of TD-Gammon: ")
    board.click(12)  # O's checkers stand there
    assert board.said.startswith("Not possible: there is no checker of yours on point 12")
    play_a_turn(board, lambda target: target.click(force=True))
    assert board.root.get_attribute("data-ply") == "2"
    play_a_turn(board, press_enter)
    board.do(lambda: board.root.locator(READY).first.click(force=True))
    board.press("Undo")
    assert board.said.startswith(("Started the move again.", "Took back"))
    assert "TD-Gammon: best plays of X" in board.root.locator(".rl-numbers caption").inner_text()
    for scheme in ("light", "dark"):
        board.page.emulate_media(color_scheme=scheme)
        found = Axe().run(board.page).response["violations"]
        assert not found, [(one["id"], [node["html"] for node in one["nodes"]]) for one in found]
        for width in (1280, 390):
            board.page.set_viewport_size({"width": width, "height": 900})
            assert board.page.evaluate("() => document.documentElement.scrollWidth") <= width
            screenshot(board.page, f"page-backgammon-{width}-{scheme}")
    choose(board, "Opponent", "Random player")
    choose(board, "You play", "none")
    choose(board, "Opponent", "TD-Gammon")
    board.press("Last position")
    assert board.root.get_attribute("data-outcome") == "over"
    assert "Points won in 1 game: " in board.root.locator(".rl-score").inner_text()
    choose(board, "You play", "first")
    board.press("Where did I go wrong?")
    judge = "Judge: the course's own network, TD-Gammon."
    assert board.root.locator(".rl-review caption").inner_text() == judge
    # All but the first two turns are its own.
    board.root.locator(".rl-lines summary").click()
    words = board.root.locator(".rl-lines td:nth-child(2)").all_inner_texts()
    dear = [word for word in words if not word.endswith((" 0 millipoints", "best", "forced"))]
    assert len(words) > 10 and len(dear) <= 2


def test_a_bot_that_plays_an_occupied_square_is_told_so(open_page, tmp_path):
    """A network that says 'a3' everywhere, without a mask: as second player it puts its stone on
    X's. It is the reader's own, and so stands first in the list.
    """
    weights = {
        name: np.zeros_like(array)
        for name, array in load_agent("tic-tac-toe/deep-q").weights.items()
    }
    game = get_game("tic-tac-toe")
    fool = DeepQAgent(game, weights, masked=False)
    board = open_page(write_page(game, fool, tmp_path / "fool.html"))
    board.click(0)
    assert board.status.startswith("Deep-q (yours) failed: IllegalMove: a3 is occupied by X.")


def test_what_cannot_be_a_page_is_refused_and_a_title_stays_text():
    game, four = get_game("tic-tac-toe"), get_game("connect-four")
    with pytest.raises(ValueError, match="cannot be put into a page"):
        page_of(get_game("backgammon"), load_agent("backgammon/td-gammon").copy_with(look_ahead=8))
    with pytest.raises(ValueError, match="not connect-four"):
        page_of(four, make_agent("random", game))
    with pytest.raises(ValueError, match="cannot be put into a page"):
        page_of(four, load_agent("connect-four/alphazero").at_temperature(1.0))
    text = page_of(game, title="</title><script>alert(1)</script> %%KNOWN%%")
    assert "<script>alert" not in text and "%%KNOWN%%" in text
    assert text.count("0 losing lines") == 4
    # The one address is the name that SVG has for itself.
    assert set(re.findall(r"https?://[^\s\"'`)]+", text)) == {"http://www.w3.org/2000/svg"}
