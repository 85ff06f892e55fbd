"""Go in JupyterLab, in a real browser: a whole game by clicks to the area, the keyboard,
ko, resigning, the heat map.
"""

from collections.abc import Callable, Sequence
from pathlib import Path

from playwright.sync_api import Download
from sgfmill import sgf, sgf_moves

from tests.browser.lab import Board, Notebook

Open = Callable[[Sequence[str]], Notebook]
Shoot = Callable[[object, str], None]

RANDOM = """from rlcourse.boards import play
from rlcourse.agents import RandomAgent
from rlcourse.games import get_game
game = get_game("go", size=5)
board = play(game, RandomAgent(game, seed=1))
board"""
KO = "from rlcourse.boards import PlayBoard\nboard = PlayBoard('go size=5 komi=7.5:C4 D4 B3 E3 C2 D2 A1 C3 D3')\nboard"
ADVISED = """import numpy as np
from rlcourse.agents import Decision
from rlcourse.boards import PlayBoard
from rlcourse.games import get_game
class Advisor:
    name = "advisor"
    def think(self, state):
        policy = np.linspace(1, 0, 82)[None] ** 8
        return Decision(np.array([0]), policy=policy / policy.sum())
board = PlayBoard(get_game("go", size=9), overlay=Advisor())
board"""
STONES = "print(''.join('.XO'[cell] for cell in board.state.board.ravel()))"


def seen(board: Board) -> str:
    """The stones that a screen reader would gather."""
    return "".join(
        {"empty": ".", "black": "X", "white": "O"}[board.name(a).split(", ")[1]] for a in range(25)
    )


def test_a_game_by_clicks_to_the_area(notebook: Open, screenshot: Shoot) -> None:
    book = notebook([RANDOM])
    board = book.board()
    assert board.status == "Your turn: Black."
    board.click(12)
    assert seen(board) == book.ask(STONES) and seen(board)[12] == "X"
    screenshot(board.root, "go-first-move")
    for turn in range(60):
        places = board.offered()
        if not places:
            break
        board.click(places[0] if turn < 25 and places[0] < 25 else 25)
        assert seen(board) == book.ask(STONES), "page and kernel agree"
    assert book.ask("print(board.state.is_over())") == "True"
    assert (
        " by " in board.status
        and "the komi of 7.5 counted" in board.status
        and board.status in board.said
    )
    screenshot(board.root, "go-over")
    board.press("First position")
    board.press("Next position")
    assert board.said.startswith("Position 1 of ") and "after Black: C3" in board.said


def test_the_game_is_downloaded_and_another_program_reads_it(
    notebook: Open, screenshot: Shoot
) -> None:
    """Two views of one board: the one whose button is pressed fetches the file, once."""
    book = notebook([RANDOM, "board"])
    board, other = book.board(0), book.board(1)
    assert not board.button("Save the game").is_visible(), "nothing is played yet"
    board.click(12)
    board.click(board.offered()[0])
    files: list[Download] = []
    book.page.on("download", lambda file: files.append(file))
    with book.page.expect_download() as caught:
        board.press("Save the game")
    assert caught.value.suggested_filename == "go-5x5.sgf" in board.said
    record = sgf.Sgf_game.from_bytes(Path(caught.value.path()).read_bytes())
    assert record.get_player_name("w") == "Random player"
    moves = [node.get_move() for node in record.get_main_sequence()[1:]]
    assert len(moves) == 4 and moves[0] == ("b", (2, 2))
    setup, plays = sgf_moves.get_setup_and_moves(record)
    for colour, place in plays:
        if place is not None:
            setup.play(*place, colour)
    stones = [setup.get(4 - action // 5, action % 5) for action in range(25)]
    assert "".join({None: ".", "b": "X", "w": "O"}[stone] for stone in stones) == seen(board)
    screenshot(board.root, "go-saved")
    with book.page.expect_download():
        other.press("Save the game")
    assert len(files) == 2


def test_ko_is_named_and_resigning_takes_two_clicks(notebook: Open, screenshot: Shoot) -> None:
    board = notebook([KO]).board()
    assert board.name(12) == "C3, empty, forbidden by superko" and 12 not in board.offered()
    screenshot(board.root, "go-ko")
    board.click(12)
    assert "superko" in board.said
    board.click(26)
    assert board.said == "Click resign once more to give up, or play on."
    screenshot(board.root, "go-resign")
    board.click(26)
    assert board.status == "Black wins by resignation."


def test_a_heat_map_on_nine_lines_fits_a_narrow_page(notebook: Open, screenshot: Shoot) -> None:
    board = notebook([ADVISED]).board()
    board.click(0)
    assert board.name(0).startswith("A9, black")
    screenshot(board.root, "go-heat-map")
