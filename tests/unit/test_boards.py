"""The boards without a browser: the referee, the messages of a page, the
picture behind the widget.
"""

import json
import shutil
import subprocess
import sys
from dataclasses import replace
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest

from rlcourse.agents import Decision, PerfectAgent, RandomAgent, load_agent
from rlcourse.agents.shipped import WEIGHTS
from rlcourse.boards import PlayBoard, Refusal, play, replay
from rlcourse.boards.overlay import display_name
from rlcourse.drawing.svg import number_text
from rlcourse.games import GameError, IllegalMove, from_recipe, get_game

GAME = get_game("tic-tac-toe")


class Script:
    """An agent that plays the given moves in order; anything that is an exception is raised."""

    name = "script"

    def __init__(self, *moves: Any, decision: Any = None) -> None:
        self.moves, self.decision = list(moves), decision

    def select_move(self, state: Any) -> Any:
        move = self.moves.pop(0)
        if isinstance(move, BaseException):
            raise move
        return move

    def think(self, state: Any) -> Any:
        if isinstance(self.decision, BaseException):
            raise self.decision
        return self.decision


def message(board: PlayBoard, kind: Any, **content: Any) -> dict[str, Any]:
    """Send what the page would send; what the page then shows."""
    if kind == "click":
        content = {"serial": board.view["serial"], **content}
    board._on_message({"type": kind, **content})
    return board.view


def click(board: PlayBoard, *actions: Any) -> str:
    """Click in turn; what is said to the last."""
    for action in actions:
        message(board, "click", action=action)
    return board.view["said"]


def everything(board: PlayBoard) -> tuple[Any, ...]:
    """All of the game that a refused request must leave alone."""
    referee = board._referee
    return (
        board.state,
        tuple(board.history),
        referee.shown,
        referee.side,
        referee.opponent,
        board._overlay_on,
    )


def test_a_click_is_answered_and_announced() -> None:
    board = play(GAME, Script(0, 2), side="first")
    assert message(board, "click", action=4)["said"] == "You: b2. Script player: a3. Your turn: X."
    assert board.history == [4, 0]
    assert board.state == from_recipe("tic-tac-toe:O...X....")
    assert board.view["status"] == "Your turn: X."
    assert board.view["moves"] == ["X: b2", "O: a3"]


def test_the_first_words_are_a_hint_or_the_opening_move() -> None:
    assert "arrow keys" in play(GAME, Script()).view["said"]
    assert "buttons" in play(GAME, Script(), side="none").view["said"]
    assert play(GAME, Script(4), side="second").view["said"] == "Script player: b2. Your turn: O."


def test_your_own_move_shows_before_the_answer_is_thought() -> None:
    seen = []
    agent = Script()
    agent.select_move = lambda state: seen.append(dict(board.view)) or 0
    board = play(GAME, agent)
    message(board, "click", action=4)
    assert (
        'aria-label="b2, X"' in seen[0]["svg"]
        and seen[0]["thinking"]
        and "is thinking" in seen[0]["status"]
    )
    assert not board.view["thinking"]


HOSTILE = [
    None,
    "click",
    42,
    [],
    {},
    {"type": None},
    {"type": ["click"]},
    {"type": "resign"},
    {"type": "click"},
    {"type": "click", "action": "4"},
    {"type": "click", "action": True},
    {"type": "click", "action": 4.0},
    {"type": "click", "action": -1},
    {"type": "click", "action": 9},
    {"type": "click", "action": 10**30},
    {"type": "click", "action": 4},
    {"type": "click", "action": [8]},
    {"type": "click", "action": 8, "serial": 1},
    {"type": "click", "action": 8, "serial": "2"},
    {"type": "click", "action": 8, "serial": None},
    {"type": "step"},
    {"type": "step", "value": "sideways"},
    {"type": "step", "value": ["next"]},
    {"type": "step", "value": "next"},
    {"type": "side", "value": "third"},
    {"type": "side", "value": {}},
    {"type": "opponent", "value": "nobody"},
    {"type": "opponent", "value": None},
    {"type": "opponent", "value": [1]},
    {"type": "overlay", "value": 1},
    {"type": "overlay"},
    {"type": "x" * 100_000},
]


@pytest.mark.parametrize("content", HOSTILE, ids=lambda content: repr(content)[:60])
def test_a_hostile_message_is_refused_with_a_reason_and_changes_nothing(content: Any) -> None:
    board = play(GAME, Script(0, 8))
    message(board, "click", action=4)
    if isinstance(content, dict) and content.get("type") == "click" and "serial" not in content:
        content = {**content, "serial": board.view["serial"]}
    before, announcement = everything(board), board.view["announcement"]
    board._on_message(content)
    assert everything(board) == before
    assert board.view["announcement"] == announcement + 1
    assert 10 < len(board.view["said"]) < 200, "a sentence for the player"
    assert message(board, "click", action=1)["said"].startswith("You: b3."), "and the game goes on"


@pytest.mark.parametrize(
    ("prepare", "action", "reason"),
    [
        (lambda board: None, 4, "b2 is occupied by X"),
        (lambda board: message(board, "step", value="first"), 8, "looking back at position 0"),
        (lambda board: message(board, "side", value="none"), 8, "not your turn"),
    ],
)
def test_reasons_name_what_is_wrong(prepare: Any, action: int, reason: str) -> None:
    board = play(GAME, Script(0, 1))
    message(board, "click", action=4)
    prepare(board)
    assert reason in message(board, "click", action=action)["said"]


def test_a_click_on_a_board_that_has_changed_is_not_played() -> None:
    board = play(GAME, Script(0, 1))
    old = board.view["serial"]
    message(board, "click", action=4)
    assert "too late" in message(board, "click", action=8, serial=old)["said"]
    assert board.history == [4, 0]


def test_a_finished_game_says_so() -> None:
    board = play("tic-tac-toe:XX.OO....", Script())
    view = message(board, "click", action=2)
    assert view["said"] == "You: c3. You win!" and view["status"] == "You win!"
    assert "over" in message(board, "click", action=8)["said"]
    board = play("tic-tac-toe:XX.OO....", Script(5))
    assert message(board, "click", action=8)["status"] == "Script player (O) wins."
    board = PlayBoard("tic-tac-toe:XOXXOOO.X")
    assert message(board, "click", action=7)["status"] == "A draw."


@pytest.mark.parametrize(
    ("failure", "words"),
    [
        (ZeroDivisionError("division by zero"), "ZeroDivisionError: division by zero"),
        (KeyboardInterrupt(), "interrupted"),
        (4, "b2 is occupied by X"),
        ("b2", "got 'b2'"),
        (None, "got None"),
    ],
)
def test_an_agent_that_fails_does_not_take_the_board_with_it(failure: Any, words: str) -> None:
    board = PlayBoard(GAME, {"broken": Script(failure), "sound": Script(0, 1, 2)}, side="first")
    view = message(board, "click", action=4)
    assert (
        view["said"].startswith("You: b2. broken ")
        and words in view["said"]
        and words in view["status"]
    )
    assert board.history == [4]
    view = message(board, "opponent", value="sound")
    assert board.history == [4, 0] and "sound: a3." in view["said"], "another opponent takes over"
    message(board, "undo")
    assert board.history == []


def test_a_stored_agent_that_cannot_be_loaded_is_reported(tmp_path) -> None:
    """Its file was there when the board was made, and is gone at the first move."""
    file = tmp_path / "mine.h5"
    shutil.copy(WEIGHTS / "tic-tac-toe" / "q-table.h5", file)
    board = play("tic-tac-toe", file)
    file.unlink()
    assert "failed" in message(board, "click", action=4)["said"]
    assert board.history == [4] and message(board, "undo")["said"].startswith("Took back 1 move")


def test_undo_goes_back_to_your_own_decision() -> None:
    board = play(GAME, Script(0, 1, 2, 3), side="second")
    assert board.history == [0]
    assert "no move of yours" in message(board, "undo")["said"]
    message(board, "click", action=8)
    message(board, "click", action=7)
    assert board.history == [0, 8, 1, 7, 2] and board.state.is_over()
    message(board, "undo")
    assert board.history == [0, 8, 1] and "Your turn: O." in board.view["said"]
    message(board, "undo")
    assert board.history == [0]


def test_a_new_game_keeps_side_and_opponent() -> None:
    board = play(GAME, Script(0, 1, 2, 3), side="second")
    message(board, "click", action=8)
    message(board, "new")
    assert (
        board.history == [2] and board.view["said"] == "New game. Script player: c3. Your turn: O."
    )


def test_changing_sides_hands_the_move_over() -> None:
    board = play(GAME, Script(4, 0))
    view = message(board, "side", value="second")
    assert board.history == [4] and view["said"] == "You play O. Script player: b2. Your turn: O."
    message(board, "side", value="both")
    message(board, "click", action=1)
    assert message(board, "click", action=2)["said"] == "X: c3. O to move."


def test_steps_look_back_and_change_nothing() -> None:
    board = play(GAME, Script(0, 2))
    message(board, "click", action=4)
    message(board, "click", action=1)
    state = board.state
    assert (
        message(board, "step", value="previous")["status"]
        == "Looking back: position 3 of 4, O to move."
    )
    assert message(board, "step", value="first")["ply"] == 0
    assert "first position" in message(board, "step", value="previous")["said"]
    assert message(board, "step", value="next")["said"] == "Position 1 of 4, after X: b2."
    assert board.state == state and len(board.history) == 4
    message(board, "step", value="last")
    assert "last position" in message(board, "step", value="next")["said"]


def test_a_watched_game_is_played_by_next() -> None:
    board = play(GAME, PerfectAgent(GAME, seed=3), side="none")
    assert board.history == [] and board.view["goes_on"]
    message(board, "step", value="next")
    assert len(board.history) == 1
    view = message(board, "step", value="last")
    assert board.state.winner() == 0 and view["status"] == "A draw." and not view["goes_on"]
    message(board, "undo")
    assert len(board.history) == 8


def test_replay_steps_through_a_game_and_refuses_to_change_it() -> None:
    states = [GAME.new_game()]
    for move in (4, 0, 8):
        states.append(states[-1].apply_move(move))
    board = replay(states, overlay=PerfectAgent(GAME))
    assert board.history == [4, 0, 8] and board.view["ply"] == 0 and board.view["replaying"]
    assert board.view["status"] == "Position 0 of 3, X to move."
    assert message(board, "step", value="next")["said"] == "Position 1 of 3, after X: b2."
    for kind in ("click", "undo", "new", "side"):
        before = everything(board)
        assert "recorded game" in message(board, kind, action=1, value="both")["said"]
        assert everything(board) == before
    with pytest.raises(ValueError, match="position 2 .* does not follow from position 1"):
        replay([states[0], states[1], states[3]])
    with pytest.raises(ValueError, match="at least one"):
        replay([])


def test_playing_from_python() -> None:
    board = play(GAME, Script(0, 1))
    board.play(4)
    assert board.history == [4, 0]
    with pytest.raises(IllegalMove, match="b2 is occupied by X"):
        board.play(4)
    board.undo()
    with pytest.raises(Refusal, match="no move of yours"):
        board.undo()
    board.new_game()
    assert board.state == GAME.new_game()
    board.history.append(3)
    assert board.history == [], "history is a copy"
    with pytest.raises(Refusal, match="recorded"):
        replay([GAME.new_game()]).play(0)
    with pytest.raises(GameError, match="over"):
        PlayBoard("tic-tac-toe:XXXOO....").play(8)


@pytest.mark.parametrize(
    ("overlay", "words"),
    [
        ("perfekt", "did you mean 'tic-tac-toe/perfect'"),
        ("connect-four/uct", "plays connect-four, not tic-tac-toe"),
        (RandomAgent(get_game("connect-four")), "plays connect-four, not tic-tac-toe"),
        (
            42,
            "an overlay is an agent that can be asked for its numbers, or the name of "
            "a stored one; got 42",
        ),
    ],
)
def test_an_overlay_that_does_not_fit_is_refused_when_the_board_is_made(
    overlay: Any, words: str
) -> None:
    for make in (
        lambda: PlayBoard("tic-tac-toe", overlay=overlay),
        lambda: replay([GAME.new_game()], overlay=overlay),
    ):
        with pytest.raises((ValueError, TypeError), match=words):
            make()


def test_an_overlay_by_name_and_an_opponent_by_file() -> None:
    board = PlayBoard(
        "tic-tac-toe:.X.O...X.",
        WEIGHTS / "tic-tac-toe" / "q-table.h5",
        overlay="perfect",
        side="second",
    )
    assert board.view["numbers"]["heading"] == "Perfect player: value of each move for O"
    board.play(4)
    assert len(board.history) == 2 and board.view["opponent"] == "Q-table"


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("checkers",), "no game 'checkers'"),
        ((42,), "got 42"),
        (("tic-tac-toe:XX",), "9 cells"),
        (("tic-tac-toe", 42), "got 42"),
        (("tic-tac-toe", {}), "at least one"),
        (("tic-tac-toe", {"x": object()}), "an opponent is an agent"),
        (("tic-tac-to",), "did you mean 'tic-tac-toe'"),
        (("go 9x9",), "did you mean 'go'"),
        (("tic-tac-toe", "perfekt"), "did you mean 'tic-tac-toe/perfect'"),
        (("tic-tac-toe", "Perfect"), "did you mean 'tic-tac-toe/perfect'"),
        (("tic-tac-toe", "afterstate"), "did you mean 'tic-tac-toe/afterstates'"),
        (("tic-tac-toe", {"a": "random", "b": "qtable"}), "did you mean 'tic-tac-toe/q-table'"),
        (
            ("tic-tac-toe", "zzz"),
            r"no agent 'tic-tac-toe/zzz'; this board can be played with .*tic-tac-toe/deep-q",
        ),
        (("go", "perfect"), "knows tic-tac-toe and Connect Four"),
        (
            ("connect-four", "tic-tac-toe/perfect"),
            "plays tic-tac-toe, not connect-four; .*connect-four/uct",
        ),
        (("connect-four", "gnugo"), r"gnugo plays go .*, not connect-four"),
        (("go", "policy-9x9"), r"plays go \(size=9.*, not go \(size=5.*; .*go/policy-5x5"),
        (
            (get_game("go", size=9), {"small": "policy-5x5"}),
            r"plays go \(size=5.*, not go \(size=9.*; .*go/policy-9x9",
        ),
        ((get_game("go", size=9).new_game().recipe(), "policy-5x5"), r"plays go \(size=5"),
        (("tic-tac-toe", "mine.h5"), "neither a file"),
        (
            ("tic-tac-toe", WEIGHTS / "connect-four" / "alphazero.h5"),
            "plays connect-four, not tic-tac-toe",
        ),
        (("tic-tac-toe", str(WEIGHTS / "go" / "policy-5x5.h5")), "plays go"),
        (("go", RandomAgent(get_game("go", size=9))), r"plays go \(size=9.*, not go \(size=5"),
        (
            ("tic-tac-toe", {"a": RandomAgent(get_game("connect-four"))}),
            "plays connect-four, not tic-tac-toe",
        ),
    ],
)
def test_wrong_arguments_teach(arguments: tuple[Any, ...], words: str) -> None:
    with pytest.raises((ValueError, TypeError), match=words):
        PlayBoard(*arguments)
    with pytest.raises(ValueError, match="no opponent"):
        PlayBoard("tic-tac-toe", side="first")
    with pytest.raises(ValueError, match="A side is one of first, second, both, none"):
        play(GAME, Script(), side="left")


def test_names_of_opponents() -> None:
    assert [display_name(name) for name in ("perfect", "q-table", "puct", "My bot", "")] == [
        "Perfect player",
        "Q-table",
        "PUCT",
        "My bot",
        "Opponent player",
    ]
    assert PlayBoard("tic-tac-toe", "perfect").view["opponents"] == ["Perfect player"]
    assert PlayBoard("tic-tac-toe", {"hard": "perfect", "easy": "random"}).view["opponents"] == [
        "hard",
        "easy",
    ]
    assert PlayBoard(get_game("connect-four"), RandomAgent(get_game("connect-four"))).view[
        "opponents"
    ] == ["Random player"]


def test_games_are_counted_over_the_evening() -> None:
    board = play("tic-tac-toe:XX.OO....", Script(5, 5, 5))
    assert board.view["score"] == "Won in 0 games: You 0, Script player 0."
    message(board, "click", action=2)
    assert board.view["outcome"] == "won"
    message(board, "new")
    assert board.view["outcome"] == ""
    message(board, "click", action=8)
    assert board.view["outcome"] == "lost"
    assert board.view["score"] == "Won in 2 games: You 1, Script player 1."
    message(board, "step", value="previous")
    assert board.view["outcome"] == "", "the position shown is not the last"
    drawn = PlayBoard("tic-tac-toe:XOXXOOO.X")
    message(drawn, "click", action=7)
    assert drawn.view["outcome"] == "drawn"
    assert drawn.view["score"] == "Won in 1 game: X 0, O 0, drawn 1."
    message(drawn, "undo")
    assert drawn.view["score"] == "Won in 0 games: X 0, O 0."
    won = PlayBoard("tic-tac-toe:XX.OO....")
    message(won, "click", action=2)
    assert won.view["outcome"] == "over", "nobody's loss where one plays both sides"


def test_a_refusal_names_the_square_it_is_about() -> None:
    board = play(GAME, Script(0, 8))
    message(board, "click", action=4)
    assert board.view["refused"] is None
    assert message(board, "click", action=4)["refused"] == 4
    assert message(board, "undo")["refused"] is None
    for wrong in ([4], "4", None, True):
        assert message(board, "click", action=wrong)["refused"] is None


def test_only_the_bot_s_move_glows_and_a_win_is_struck_through() -> None:
    board = play("tic-tac-toe:XX.OO....", Script(8, 5))
    assert "rl-glow" not in board.view["svg"]
    message(board, "click", action=6)
    assert board.view["svg"].count("rl-glow") == 1
    message(board, "step", value="previous")
    assert "rl-glow" not in board.view["svg"], "your own move"
    message(board, "step", value="last")
    message(board, "click", action=2)
    assert "rl-glow" not in board.view["svg"]
    assert board.view["svg"].count("rl-won") == 2, "the stroke and its edge"
    assert "rl-" not in board.still["data"]["image/svg+xml"], "a picture has no page to move it"


# What an agent thinks.


def decision(**fields: Any) -> Decision:
    return Decision(
        np.array([8], np.int32),
        **{name: np.array([row], np.float32) for name, row in fields.items()},
    )


ROW = [np.nan, 0.5, -1.0, 0.25, np.nan, 0.0, 0.0, 0.0, 0.5]  # a3 and b2 are taken


@pytest.mark.parametrize(
    ("thought", "heading", "first_row"),
    [
        (decision(q=ROW), "Script player: value of each move for X", ["b3", "+0.50", True]),
        (
            decision(q=ROW, policy=[1 / 9] * 9),
            "Script player: value of each move for X",
            ["b3", "+0.50", True],
        ),
        (
            decision(policy=[0, 0.1, 0.2, 0, 0, 0, 0, 0, 0.7]),
            "Script player: probability of each move",
            ["c1", "70%", True],
        ),
        (
            decision(visits=[0, 30, 0, 0, 0, 0, 0, 0, 10]),
            "Script player: share of the visits of each move",
            ["b3", "75%", True],
        ),
        (
            decision(policy=[0] * 8 + [1], value=-0.2),
            "Script player: probability of each move. X stands at −0.20.",
            ["c1", "100%", True],
        ),
        (decision(value=0.35), "Script player: X stands at +0.35", None),
        (decision(), "Script player gives no numbers", None),
        (RuntimeError("no weights"), "No values: RuntimeError: no weights", None),
    ],
)
def test_every_kind_of_decision_is_shown(thought: Any, heading: str, first_row: Any) -> None:
    board = PlayBoard("tic-tac-toe:X...O....", overlay=Script(decision=thought))
    numbers = board.view["numbers"]
    assert numbers["heading"].startswith(heading)
    assert (numbers["rows"] or [None])[0] == first_row
    assert heading.split(":")[0] in board.still["data"]["image/svg+xml"], (
        "the still picture has no table beside it"
    )
    assert {row[0] for row in numbers["rows"]} <= {"b3", "c3", "a2", "c2", "a1", "b1", "c1"}, (
        "only legal squares"
    )


def test_a_network_s_own_policy_stands_beside_the_sharpened_one() -> None:
    """At temperature 0 the played move has 100%, which says nothing about the others."""
    game = get_game("go", size=5)
    network = load_agent("go/policy-5x5", game=game)
    own = network.at_temperature(1.0).think(game.new_game()).policy[0]
    before = network.rng.bit_generator.state
    drawn = PlayBoard(game, overlay=network.at_temperature(1.0)).view["numbers"]
    assert len(drawn["columns"]) == 1, "it plays by its own policy"
    network.rng.bit_generator.state = before
    numbers = PlayBoard(game, overlay=network.at_temperature(0.0)).view["numbers"]
    assert list(numbers["columns"]) == ["Network", "At temperature 0"]
    best, *others = numbers["rows"]
    assert best[1:] == [number_text(float(own.max()), "share"), "100%", True]
    assert {row[2] for row in others} == {"0%"} and others[0][1] != "0%"
    searched = load_agent("go/alphazero-5x5", game=game).with_simulations(20)
    assert list(PlayBoard(game, overlay=searched).view["numbers"]["columns"]) == [
        "Visits",
        "Network",
    ]


def test_an_agent_of_one_s_own_need_not_be_of_the_course_s_class() -> None:
    own = Script(decision=decision(policy=[0, 0.1, 0.2, 0, 0, 0, 0, 0, 0.7]))
    own.encoder, own.temperature = "mine", 0.0
    numbers = PlayBoard("tic-tac-toe:X...O....", overlay=own).view["numbers"]
    assert numbers["heading"] == "Script player: probability of each move"
    assert numbers["columns"] == ["Share"]


def test_an_agent_says_itself_what_its_numbers_are() -> None:
    critic = Script(decision=decision(q=ROW))
    critic.numbers_are = "advantage of the move played"
    assert (
        PlayBoard("tic-tac-toe:X...O....", overlay=critic).view["numbers"]["heading"]
        == "Script player: advantage of the move played"
    )


def test_values_belong_to_the_player_to_move() -> None:
    # O to move; only b2 blocks the line b3-b2-b1 of X, every other square loses
    board = PlayBoard("tic-tac-toe:.X.O...X.", overlay=PerfectAgent(GAME))
    assert board.view["numbers"]["heading"] == "Perfect player: value of each move for O"
    assert board.view["numbers"]["rows"][0][0] == "b2"
    assert {row[1] for row in board.view["numbers"]["rows"][1:]} == {"−1"}


def test_the_overlay_follows_the_position_shown() -> None:
    board = play(GAME, PerfectAgent(GAME, seed=0))
    assert board.view["numbers"] is None
    message(board, "overlay", value=True)
    assert len(board.view["numbers"]["rows"]) == 9
    message(board, "click", action=4)
    assert len(board.view["numbers"]["rows"]) == 7
    message(board, "step", value="first")
    assert len(board.view["numbers"]["rows"]) == 9
    message(board, "overlay", value=False)
    assert board.view["numbers"] is None and "stroke-dasharray" not in board.view["svg"]


# The widget.


def test_a_still_picture_stands_behind_the_widget() -> None:
    def bundle() -> dict[str, Any]:
        board = PlayBoard("tic-tac-toe:X...O....", overlay=PerfectAgent(GAME))
        return board._repr_mimebundle_()[0]

    one, two = bundle(), bundle()
    assert "application/vnd.jupyter.widget-view+json" in one
    for kind in ("image/svg+xml", "text/plain"):
        assert one[kind] == two[kind], "nothing in it changes from run to run"
    assert one["text/plain"].splitlines()[:2] == ["Tic-tac-toe", "3 X . ."]
    root = ElementTree.fromstring(one["image/svg+xml"])
    assert root.get("role") == "img" and "data-action" not in one["image/svg+xml"]


def test_the_page_cannot_write_what_the_board_shows() -> None:
    board = play(GAME, Script(0))
    before = dict(board.view)
    board.set_state(
        {"view": {"svg": "<script/>", "said": "You win!"}, "_esm": "export default {}", "_css": ""}
    )
    assert dict(board.view) == before and "rl-board" in board._esm


def test_the_view_travels_as_json() -> None:
    board = PlayBoard(
        "connect-four:3342", RandomAgent(get_game("connect-four"), seed=0), overlay=None
    )
    message(board, "overlay", value=True)
    message(board, "click", action=0)
    assert json.loads(json.dumps(board.view)) == board.view


def test_boards_need_no_tensorflow() -> None:
    code = "import sys, rlcourse.boards as b; b.play('tic-tac-toe', 'perfect'); print('tensorflow' in sys.modules)"
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ran.stdout.strip() == "False"


def test_a_game_without_a_face_is_named() -> None:
    game = replace(GAME, name="checkers")
    with pytest.raises(TypeError, match="no board draws checkers"):
        PlayBoard(game)
