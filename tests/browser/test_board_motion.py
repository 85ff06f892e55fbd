"""What moves on a board, what lights up, and what a refused square says, in a page without a kernel."""

from collections.abc import Callable
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page

from rlcourse.agents import RandomAgent
from rlcourse.boards import PlayBoard, play, replay
from rlcourse.games import get_game
from tests.browser.test_board_sizes import BOXES, LAPTOP, SIDEWAYS, UPRIGHT, lay

Shoot = Callable[[Page, str], None]
# Of each piece on its way: its class, how far it comes (x, y), and how long it waits.
MOVING = """() => [...document.querySelectorAll('.rl-going')].map((piece) => [
  piece.getAttribute('class').split(' ')[0],
  ...['--rl-dx', '--rl-dy', '--rl-delay'].map((name) => Math.round(parseFloat(piece.style.getPropertyValue(name)))),
])"""
# The animations that the style asks for, whether they run or are over.
ANIMATED = """() => [...document.querySelectorAll('.rl-board, .rl-board *')]
  .map((one) => getComputedStyle(one).animationName).filter((name) => name !== 'none')"""
ROLLING = "() => document.getAnimations().some((one) => one.animationName === 'rl-roll')"


class Script:
    """An agent that plays the given moves in order."""

    name = "script"

    def __init__(self, *moves: Any) -> None:
        self.moves = list(moves)

    def select_move(self, state: Any) -> Any:
        return self.moves.pop(0)


def views(board: PlayBoard, *messages: dict[str, Any]) -> list[dict[str, Any]]:
    """Every view that the page gets while the board answers these messages."""
    seen: list[dict[str, Any]] = []
    board.observe(lambda change: seen.append(change["new"]), "view")
    for message in messages:
        board._on_message({"serial": board.view["serial"], **message})
    return seen


def click(action: int) -> dict[str, Any]:
    """The message of a click."""
    return {"type": "click", "action": action}


def show(page: Page, *later: dict[str, Any]) -> None:
    """The page gets these views, one right after the other."""
    page.evaluate("(later) => later.forEach((view) => window.show(view))", list(later))


def test_a_stone_drops_and_the_answer_drops_after_it(page: Page) -> None:
    board = play("connect-four", Script(3))
    lay(page, LAPTOP, board.view)
    assert page.evaluate(MOVING) == []
    show(page, *views(board, click(3)))
    (own, _, own_far, own_waits), (bot, _, bot_far, bot_waits) = sorted(
        page.evaluate(MOVING), key=lambda piece: piece[3]
    )
    assert own == bot == "rl-drops"
    assert (own_far, bot_far) == (-358, -296), "from above the board, to d1 and d2"
    assert own_waits <= 0 and 200 < bot_waits - own_waits <= 300
    page.wait_for_timeout(700)
    show(page, *views(board, {"type": "step", "value": "previous"}))
    assert page.evaluate(MOVING) == [], "what stays does not move"
    show(page, *views(board, {"type": "step", "value": "next"}))
    assert [piece[:3] for piece in page.evaluate(MOVING)] == [["rl-drops", 0, -296]]


def test_a_quick_game_leaves_no_stone_behind(page: Page) -> None:
    """Moves that come faster than stones drop do not queue up: nobody waits for more than one."""
    board = PlayBoard("connect-four")
    lay(page, LAPTOP, board.view)
    for column in range(7):
        for _ in range(4):
            if not board.state.is_over():
                show(page, *views(board, click(column)))
    assert len(board.history) > 10
    assert max(waits for *_, waits in page.evaluate(MOVING)) <= 300


def test_checkers_slide_from_where_they_stood_and_dice_roll(page: Page) -> None:
    board = play("backgammon", RandomAgent(get_game("backgammon"), seed=1), side="both", seed=1)
    lay(page, LAPTOP, board.view)
    sources = sorted(
        place for place in range(1, 25) if f'data-action="{place}"' in board.view["svg"]
    )
    turn = board._referee
    while not turn.moves:
        before = len(turn.clicks) // 2
        targets = turn.face.targets(turn.game, turn.state, turn.clicks)
        place = next(place for place in sources if place in targets)
        show(page, *views(board, click(place)))
        moved = page.evaluate(MOVING)
        if len(turn.clicks) // 2 > before and not turn.moves:
            assert [kind for kind, *_ in moved] == ["rl-slides"]
            assert moved[0][1:3] != [0, 0]
            page.wait_for_timeout(400)
    kinds = [kind for kind, *_ in moved]
    assert "rl-rolls" in kinds and "rl-slides" in kinds
    page.wait_for_function(f"() => !({ROLLING})()")


def test_nothing_moves_for_a_reader_who_wants_less_motion(page: Page) -> None:
    page.emulate_media(reduced_motion="reduce")
    board = play("connect-four", Script(3))
    lay(page, LAPTOP, board.view)
    show(page, *views(board, click(3)))
    assert page.locator(".rl-glow").count() == 1
    assert page.evaluate(ANIMATED) == []
    page.emulate_media(reduced_motion="no-preference")
    assert {"rl-go", "rl-glow"} <= set(page.evaluate(ANIMATED))


@pytest.mark.parametrize("size", [LAPTOP, SIDEWAYS, UPRIGHT])
@pytest.mark.parametrize(
    ("game", "wrong"), [("tic-tac-toe", 8), ("connect-four", 0), ("go", 24), ("backgammon", 28)]
)
def test_a_refused_square_says_why_there_and_moves_nothing(
    page: Page, screenshot: Shoot, game: str, wrong: int, size: tuple[int, int]
) -> None:
    position = {
        "tic-tac-toe": "tic-tac-toe:........X",
        "connect-four": "connect-four:000000",
        "go": "go:E1",
        "backgammon": "backgammon",
    }[game]
    board = PlayBoard(position, seed=1)
    lay(page, size, board.view)
    before = page.evaluate(BOXES)
    show(page, *views(board, click(wrong)))
    assert page.evaluate(BOXES) == before
    why = page.locator(".rl-why")
    said = page.locator(".rl-said")
    assert why.inner_text() == said.inner_text() != ""
    assert why.get_attribute("aria-hidden") == "true" and said.get_attribute("aria-live")
    box, surface = why.bounding_box(), page.locator(".rl-surface").bounding_box()
    assert surface["x"] <= box["x"] and box["x"] + box["width"] <= surface["x"] + surface["width"]
    assert surface["y"] - 1 <= box["y"]
    assert box["y"] + box["height"] <= surface["y"] + surface["height"] + 1
    screenshot(page, f"refused-{game}-{size[0]}x{size[1]}")
    page.keyboard.press("Tab")
    page.keyboard.press("ArrowLeft")
    assert not why.is_visible()


def test_a_win_looks_like_one_and_moves_nothing(page: Page, screenshot: Shoot) -> None:
    for game, position, last in (
        ("tic-tac-toe", "tic-tac-toe:XX.OO....", 2),
        ("connect-four", "connect-four:334455", 6),
    ):
        board = play(position, Script())
        lay(page, LAPTOP, board.view)
        before = page.evaluate(BOXES)
        show(page, *views(board, click(last)))
        assert page.evaluate(BOXES) == before
        assert page.locator(".rl-won").count() == 2
        page.wait_for_timeout(1_000)
        screenshot(page, f"won-{game}")


def test_of_a_long_game_the_worst_moves_stand_first_and_lead_there(
    page: Page, screenshot: Shoot
) -> None:
    """The rest is folded, with a scroll bar of its own; a move that is chosen keeps the focus, and
    brings the board back in sight.
    """
    rows = [[2 * k, f"X: move {k}", "fine", "", k in (9, 21, 35)] for k in range(40)]
    reviewed = {"heading": "Judge: a judge.", "rows": rows, "rate": "In 1 game, 37 of 40."}
    board = PlayBoard("tic-tac-toe")
    lay(page, UPRIGHT, board.view)
    show(page, {**board.view, "reviewed": reviewed})
    review = page.locator(".rl-review")
    shown = review.locator("button").filter(visible=True)
    assert shown.all_inner_texts() == ["X: move 9", "X: move 21", "X: move 35"]
    review.get_by_text("All 40 moves").click()
    assert shown.count() == 3 + 40
    last = shown.last
    last.click()
    assert page.evaluate("() => window.sent.at(-1)") == {"type": "look", "value": 78}
    show(page, {**board.view, "reviewed": reviewed, "serial": board.view["serial"] + 1})
    assert last.evaluate("(button) => button === document.activeElement")
    assert page.locator(".rl-surface").bounding_box()["y"] >= 0
    assert Axe().run(page, ".rl-board").response["violations"] == []
    screenshot(page, "review-long")


@pytest.mark.parametrize("colours", ["light", "dark"])
def test_axe_finds_nothing_in_what_comes_and_goes(page: Page, colours: str) -> None:
    """A refusal, a lost game, a watched one, a network's values on wood."""
    page.emulate_media(color_scheme=colours)
    lost = play("tic-tac-toe:XX.OO....", Script(5))
    refused = PlayBoard("connect-four:000000")
    values = play("go", "policy-5x5")
    watched = play("connect-four", Script(3), side="none")
    for board, message in (
        (lost, click(8)),
        (refused, click(0)),
        (values, {"type": "overlay", "value": True}),
        (watched, {"type": "step", "value": "next"}),
    ):
        lay(page, LAPTOP, board.view)
        page.add_style_tag(content="body { background: Canvas; color-scheme: light dark; }")
        show(page, *views(board, message))
        found = Axe().run(page, ".rl-board").response
        assert found["violations"] == []


def test_a_recorded_game_plays_pauses_and_begins_again(page: Page) -> None:
    game = get_game("tic-tac-toe")
    states = [game.new_game()]
    for move in (4, 0, 8):
        states.append(states[-1].apply_move(move))
    board = replay(states)
    lay(page, LAPTOP, board.view)
    page.evaluate("() => { window.sent = []; }")
    page.get_by_label("Speed").select_option("fast")

    def answered(count: int) -> None:
        """The kernel answers the next message of the page."""
        page.wait_for_function("(count) => window.sent.length >= count", arg=count)
        show(page, *views(board, page.evaluate("() => window.sent.at(-1)")))

    page.get_by_role("button", name="Play").click()
    answered(1)
    assert board.view["ply"] == 1
    page.get_by_role("button", name="Pause").click()
    sent = page.evaluate("() => window.sent.length")
    if sent == 2:  # the next move was asked for before the button was pressed
        answered(2)
    page.wait_for_timeout(600)
    assert page.evaluate("() => window.sent.length") == sent < 3
    page.get_by_role("button", name="Play").click()
    for count in range(sent + 1, 4):
        answered(count)
    assert board.view["ply"] == 3
    page.get_by_role("button", name="Play").click()
    answered(4)
    assert board.view["ply"] == 0, "once more from the beginning"
    answered(5)
    assert board.view["ply"] == 1
