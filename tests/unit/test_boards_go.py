"""Go at a board without a browser: points, pass, resigning in two clicks, reasons,
results, replays, the heat map.
"""

from typing import Any

import numpy as np
import pytest
from sgfmill import sgf

from rlcourse.agents import Decision, RandomAgent
from rlcourse.boards import PlayBoard, Refusal, play, replay
from rlcourse.games import get_game
from rlcourse.games.go import Move
from tests.unit.test_boards import click

PASS, RESIGN = 25, 26
KO = "go size=5 komi=7.5:C4 D4 B3 E3 C2 D2 A1 C3 D3"  # White may not take back at C3
DIVIDED = "go:B3 D3 B4 D4 B2 D2 B1 D1 B5 D5"  # five points for each side, column C for nobody


class Fixed:
    """An agent that plays the first legal move and thinks what it is told."""

    name = "fixed"

    def __init__(self, policy: dict[int, float]) -> None:
        self.policy = policy

    def think(self, state: Any) -> Decision:
        """[1, 26]: the policy."""
        row = np.full((1, 26), -np.inf)
        for action, share in self.policy.items():
            row[0, action] = share
        return Decision(np.array([12], np.int32), policy=row)

    def select_move(self, state: Any) -> Move:
        """The first legal move."""
        return state.legal_moves()[0]


def test_points_are_played_and_refused_with_the_reason():
    board = PlayBoard("go")
    assert click(board, 12) == "Black: C3. White to move."
    assert click(board, 12) == "Not possible: C3 is occupied by black."
    assert click(board, 27) == "Not possible: this board has no place 27."
    assert click(board, 0) == "White: A5. Black to move."
    assert click(PlayBoard(KO), 12).startswith("Not possible: "), "the ko"
    assert "superko" in click(PlayBoard(KO), 12)
    assert [str(move) for move in board.history] == ["C3", "A5"]


def test_two_passes_end_the_game_and_the_area_counts():
    board = PlayBoard(DIVIDED)
    assert click(board, PASS) == (
        "Black: pass. White to move. Black has passed: a second pass ends the game, "
        "and the area counts."
    )
    # 10 points each (5 stones, 5 empty), and White has the komi.
    assert click(board, PASS) == "White: pass. White wins by 7.5 points, the komi of 7.5 counted."
    assert board.view["svg"].count('stroke-width="1.5"') == 10 + 10, "ten stones, ten marks of area"
    assert board.view["score"] == "Won in 1 game: Black 0, White 1.", "a win counts once"


def test_black_wins_what_exceeds_the_komi():
    board = PlayBoard(
        "go size=5 komi=0.5:" + DIVIDED[3:] + " C3"
    )  # a stone in the middle: 11 to 10
    click(board, PASS)
    assert click(board, PASS) == "Black: pass. Black wins by 0.5 points, the komi of 0.5 counted."


def test_resigning_takes_two_clicks_in_a_row():
    board = play("go", RandomAgent(get_game("go"), seed=1))
    assert click(board, RESIGN) == "Click resign once more to give up, or play on."
    assert 'data-action="26"' in board.view["svg"] and 'aria-pressed="true"' in board.view["svg"]
    assert not board.state.is_over()
    assert click(board, 12).startswith("You: C3. Random player: "), (
        "a point instead: nothing was given up"
    )
    assert click(board, RESIGN) == "Click resign once more to give up, or play on."
    assert click(board, RESIGN) == "You: resign. Random player (White) wins by resignation."
    assert board.view["moves"][-1] == "Black: resign" and board.state.winner() == -1
    board.undo()
    assert not board.state.is_over() and board.state.next_player == 0


def test_undo_takes_a_resignation_back_that_has_only_begun():
    board = PlayBoard(KO)
    click(board, RESIGN)
    board._on_message({"type": "undo"})
    assert (
        board.view["said"] == "Started the move again. White to move." and not board.view["begun"]
    )
    assert len(board.history) == 0


def test_a_game_that_ends_by_resigning_can_be_looked_at():
    line = [get_game("go").new_game()]
    for word in ("C3", "B2", "resign"):
        line.append(line[-1].apply_move(Move.from_text(word)))
    board = replay(line)
    for _ in range(3):
        board._on_message({"type": "step", "value": "next"})
    assert board.view["said"] == "Position 3 of 3, after Black: resign. White wins by resignation."
    assert ">resign<" not in board.view["svg"] and ">pass<" not in board.view["svg"], (
        "nothing can be chosen any more"
    )
    with pytest.raises(ValueError, match="position 2 of this game does not follow"):
        replay([line[0], line[1], line[3]])


def read(text: str) -> tuple[Any, ...]:
    """(Black's name, White's, result, moves) of a record, read by sgfmill."""
    record = sgf.Sgf_game.from_string(text)
    moves = [node.get_move() for node in record.get_main_sequence()[1:]]
    names = [record.get_player_name(colour) for colour in "bw"]
    return *names, record.get_root().get_raw("RE") if record.get_winner() else b"", moves


def test_a_game_is_saved_whole_from_python_and_from_the_page(tmp_path, monkeypatch):
    board = play("go", Fixed({0: 1.0}))
    assert board.view["saves"]
    click(board, 12)
    moves = [("b", (2, 2)), ("w", (4, 0))]
    assert board.save(tmp_path / "game.sgf") == tmp_path / "game.sgf"
    assert read((tmp_path / "game.sgf").read_text()) == (None, "Fixed player", b"", moves)
    sent: list[Any] = []
    monkeypatch.setattr(board, "send", sent.append)
    board._on_message({"type": "step", "value": "first"})
    board._on_message({"type": "save"})
    assert [file["name"] for file in sent] == ["go-5x5.sgf"]
    assert read(sent[0]["text"]) == (None, "Fixed player", b"", moves)
    assert "go-5x5.sgf" in board.view["said"] and board.view["ply"] == 0
    click_last = {"type": "step", "value": "last"}
    board._on_message(click_last)
    click(board, RESIGN, RESIGN)
    board.save(str(tmp_path / "game.sgf"))
    assert read((tmp_path / "game.sgf").read_text())[2] == b"W+R"
    watched = replay([*board._referee.line])
    watched.save(tmp_path / "again.sgf")
    assert read((tmp_path / "again.sgf").read_text()) == (None, None, b"W+R", moves)


def test_a_game_without_a_file_format_is_not_saved(tmp_path):
    board = PlayBoard("tic-tac-toe")
    assert not board.view["saves"]
    with pytest.raises(Refusal, match="saved as SGF; tic-tac-toe has no such file"):
        board.save(tmp_path / "game.sgf")
    board._on_message({"type": "save"})
    assert "tic-tac-toe has no such file" in board.view["said"] and not any(tmp_path.iterdir())


def test_the_heat_map_stands_on_board_and_table():
    board = PlayBoard("go", overlay=Fixed({12: 0.6, 7: 0.3, PASS: 0.1}))
    assert board.view["numbers"]["rows"] == [
        ["C3", "60%", True],
        ["C4", "30%", False],
        ["pass", "10%", False],
    ]
    assert "pass 10%" in board.view["svg"] and ">60%<" in board.view["svg"]
    assert board.view["numbers"]["heading"] == "Fixed player: probability of each move"


@pytest.mark.parametrize("size", [5, 9, 19])
def test_a_named_opponent_plays_on_the_board_it_meets(size):
    board = play(get_game("go", size=size, komi=6.5), "random")
    said = click(board, size + 1)
    assert said.startswith(f"You: B{size - 1}. Random player: "), said
    assert board.state.options == {"size": size, "komi": 6.5}


def test_a_long_table_ends_with_the_sum_of_the_rest():
    shares = dict.fromkeys(range(14), 0.02) | {14: 0.5, 15: 0.22}
    rows = PlayBoard("go", overlay=Fixed(shares)).view["numbers"]["rows"]
    assert len(rows) == 12 and rows[0] == ["E3", "50%", True]
    assert rows[-1] == ["5 others", "10%", False], "16 moves: 11 by name, five of 2% together"
