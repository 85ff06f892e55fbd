"""Backgammon in JupyterLab, in a real browser: a whole game by clicks, a turn by keyboard,
undo, reasons, the overlay.
"""

from collections.abc import Callable, Sequence

from rlcourse.drawing.backgammon import BARS, DICE, TRAYS
from tests.browser.lab import Board, Notebook

Open = Callable[[Sequence[str]], Notebook]
Shoot = Callable[[object, str], None]

BLOCKED = "2+4OAABwz8EDQA:0:66"  # X on the bar; O holds all six points of the home board
RANDOM = """from rlcourse.boards import play
from rlcourse.agents import RandomAgent
from rlcourse.games import get_game
game = get_game("backgammon")
board = play(game, RandomAgent(game, seed=1), seed=4)
board"""
OPENING = "from rlcourse.boards import PlayBoard\nboard = PlayBoard('backgammon:4HPwATDgc/ABMA:0:31', seed=1)\nboard"
CHECKERS = """c = board._referee.face.bare(board.state).checkers.tolist()
print([[*c[0][:24]], [*c[1][:24][::-1]], c[0][24:], c[1][24:]])"""
ADVISED = """import numpy as np
from rlcourse.boards import PlayBoard
class Advisor:
    name = "advisor"
    def candidates(self, state):
        outputs = np.array([0.54, 0.15, 0.01, 0.12, 0.0])
        return [(move, 0.112 - k / 10, outputs - k / 50) for k, move in enumerate(state.legal_moves())]
board = PlayBoard('backgammon:yBl8AGyw5+ABUA:0:31', overlay=Advisor())
board"""


def seen(board: Board) -> str:
    """The checkers that a screen reader would gather, as the kernel prints them: by X's
    points, then bars and trays.
    """
    names = [board.name(place) for place in range(1, 25)]
    points = [
        [int(name.split(", ")[1].split()[0]) if f" {who}" in name else 0 for name in names]
        for who in "XO"
    ]
    rest = [[int(board.name(place[p]).split(", ")[1]) for place in (BARS, TRAYS)] for p in (0, 1)]
    return str([*points, *rest])


def test_a_game_by_clicks_against_the_random_player(notebook: Open, screenshot: Shoot) -> None:
    book = notebook([RANDOM])
    board = book.board()
    assert board.status.startswith("Your turn: X. Play ")
    assert seen(board) == book.ask(CHECKERS)
    clicks = 0
    while places := board.offered():
        before = board.status
        board.click(places[0])
        clicks += 1
        assert board.status != before or DICE in places, "every click is answered"
        if clicks % 25 == 0 and " Play " in board.status:
            assert seen(board) == book.ask(CHECKERS), "page and kernel agree"
        if clicks in (1, 40):
            screenshot(board.root, f"backgammon-click-{clicks}")
        assert clicks < 900
    assert book.ask("print(board.state.is_over())") == "True" and seen(board) == book.ask(CHECKERS)
    assert " point" in board.status and board.status in board.said
    winner, points = book.ask("print(board.state.winner(), int(abs(board.state.points)))").split()
    won = ("You", "Random player")[winner == "-1"]
    score = board.root.locator(".rl-score")
    assert (
        "Points won in 1 game: " in score.text_content()
        and f"{won} {points}" in score.text_content()
    )
    screenshot(board.root, "backgammon-over")
    board.press("First position")
    board.press("Next position")
    assert board.said.startswith("Position 1 of ") and "after X, " in board.said
    board.press("New game")
    assert "in 1 game" in score.text_content() and board.said.startswith(
        "New game. Your turn: X. Play "
    )


def test_pick_up_put_down_step_back_and_reasons(notebook: Open, screenshot: Shoot) -> None:
    book = notebook([OPENING])
    board = book.board()
    assert board.offered() == [6, 8, 13, 24]
    board.click(8)
    assert board.offered() == [4, 5, 7] and board.said == "From 8 to 7, 5 or 4."
    assert (
        board.target(8).get_attribute("aria-pressed") == "true"
        and board.name(5) == "5-point, empty, can be reached"
    )
    screenshot(board.root, "backgammon-picked-up")
    board.click(2)
    assert board.said == "Not possible: 8/2 needs a 6; left to play: 3 and 1."
    board.click(5)
    assert board.name(5).startswith("5-point, 1 X") and board.said == "Played 8/5; left: 1."
    assert book.ask("print(len(board.history))") == "0", "the turn is not over"
    screenshot(board.root, "backgammon-one-die-left")
    board.click(13)
    assert "12" in board.said and "blocked" in board.said
    board.press("Undo")
    assert board.said == "Started the move again. X to move. Play 3-1." and board.name(
        8
    ).startswith("8-point, 3 X")
    for place in (8, 5, 6):
        board.click(place)
    board.press("Undo")
    assert board.said.startswith("Took back the last step.") and "left: 1." in board.status, (
        "only the pick-up is undone"
    )
    board.click(6)
    board.click(5)
    assert book.ask("print(board.history)") == "[((8, 5), (6, 5))]"
    assert board.said.startswith("X, 3-1: 8/5 6/5. O to move. Play ")
    assert board.name(20).startswith("5-point"), "the numbers are those of the player to move"
    board.press("Undo")
    assert board.said == "Took back 1 move. X to move. Play 3-1."


def test_a_turn_by_keyboard(notebook: Open) -> None:
    book = notebook([OPENING])
    board, keys = book.board(), book.page.keyboard
    board.root.locator('[data-action][tabindex="0"]').focus()
    for key, name in (
        ("Home", "1-point"),
        ("ArrowLeft", "2-point"),
        ("End", "dice 3 and 1"),
        ("ArrowDown", "3-point"),
    ):
        keys.press(key)
        assert board.focused().startswith(name)
    for _ in range(3):
        keys.press("ArrowLeft")
    assert board.focused() == "6-point, 5 X"
    board.do(lambda: keys.press("Enter"))
    assert board.focused() == "6-point, 5 X", "the focus stays on the checker in hand"
    keys.press("ArrowRight")
    board.do(lambda: keys.press(" "))
    assert board.said == "Played 6/5; left: 3." and board.focused() == "5-point, 1 X"
    names = []
    for _ in range(4):
        keys.press("ArrowLeft")
        names.append(board.focused().split(",")[0])
    assert names == ["6-point", "bar of O", "7-point", "8-point"]
    board.do(lambda: keys.press("Enter"))
    for _ in range(4):
        keys.press("ArrowRight")
    board.do(lambda: keys.press("Enter"))
    assert book.ask("print(board.history)") == "[((6, 5), (8, 5))]"


def test_a_turn_without_a_move_is_passed_by_one_click(notebook: Open, screenshot: Shoot) -> None:
    book = notebook([OPENING.replace("4HPwATDgc/ABMA:0:31", BLOCKED)])
    board = book.board()
    assert board.status == "X to move. Nothing can be moved with 6-6: pass."
    assert board.offered() == [DICE]
    board.click(6)
    assert (
        board.said
        == "Not possible: nothing can be moved this turn: pass, by the button on the board."
    )
    screenshot(board.root, "backgammon-pass")
    board.click(DICE)
    assert (
        board.said.startswith("X, 6-6: pass. O to move. Play ")
        and book.ask("print(board.history)") == "[()]"
    )


def test_the_overlay_names_the_five_best_plays(notebook: Open, screenshot: Shoot) -> None:
    book = notebook([ADVISED])
    board = book.board()
    table = board.root.get_by_role("table", name="Advisor player: best plays of X")
    assert table.locator("thead th").all_text_contents() == ["Move", "Equity", "Win", "Gammon"]
    rows = [row.locator("th, td").all_text_contents() for row in table.locator("tbody tr").all()]
    assert (
        len(rows) == 5
        and rows[0][0].startswith("1. bar/2")
        and rows[0][1:] == ["+0.112", "54%", "15%"]
    )
    assert rows[2][1:] == ["−0.088", "50%", "11%"]
    assert board.root.locator("svg text", has_text="wins 46%").count() == 1, (
        "the other side of the bar is O's"
    )
    screenshot(board.root, "backgammon-overlay-light")
    book.theme("JupyterLab Dark")
    screenshot(book.page, "backgammon-overlay-dark")
    assert book.axe(".rl-board")["violations"] == []
    book.page.set_viewport_size({"width": 520, "height": 900})
    assert board.root.evaluate("(root) => root.scrollWidth <= root.clientWidth + 1")
    screenshot(book.page, "backgammon-narrow")
    board.do(lambda: board.root.get_by_label("Show values").click())
    assert table.count() == 0


def test_a_phone_plays_by_touch(notebook: Open, screenshot: Shoot) -> None:
    book = notebook([OPENING])
    book.page.set_viewport_size({"width": 390, "height": 844})
    board, finger = book.board(), book.page.context.new_cdp_session(book.page)
    finger.send("Emulation.setTouchEmulationEnabled", {"enabled": True})
    board.root.scroll_into_view_if_needed()

    def tap(place: int) -> None:
        box = board.target(place).bounding_box()
        assert min(box["width"], box["height"]) > 16
        spot = {"x": box["x"] + box["width"] / 2, "y": box["y"] + box["height"] / 2}
        finger.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [spot]})
        finger.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})

    for place in (8, 5, 6, 5):
        board.do(lambda place=place: tap(place))
    assert book.ask("print(board.history)") == "[((8, 5), (6, 5))]"
    screenshot(book.page, "backgammon-phone")
    finger.send("Emulation.setTouchEmulationEnabled", {"enabled": False})
    finger.detach()
