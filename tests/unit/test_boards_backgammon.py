"""Backgammon at a board without a browser: turns of several clicks, dice, undo,
score, overlay, and the drawing.
"""

import json
import re
from collections.abc import Iterator
from itertools import pairwise
from types import SimpleNamespace
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest

from rlcourse.agents import RandomAgent, load_agent
from rlcourse.boards import PlayBoard, play, replay
from rlcourse.boards.faces import face_of
from rlcourse.drawing import svg as drawing
from rlcourse.drawing.backgammon import (
    BARS,
    DICE,
    PLACES,
    TRAYS,
    draw,
    place_of,
    point_of,
    won_text,
)
from rlcourse.drawing.svg import Marks
from rlcourse.games import IllegalMove, from_recipe, get_game
from rlcourse.games.backgammon import BackgammonState
from rlcourse.games.backgammon_turn import turn_of
from rlcourse.programs import ProgramMissing
from rlcourse.self_play import simulate_game
from tests.oracles.backgammon_positions import position
from tests.unit.test_boards import click, message

GAME = get_game("backgammon")
OPENING = "backgammon:4HPwATDgc/ABMA:0:"
SVG = "{http://www.w3.org/2000/svg}"


def random_positions(count: int, seed: int) -> Iterator[BackgammonState]:
    """Positions of random games with thrown dice."""
    rng, state = np.random.default_rng(seed), GAME.new_game()
    while count:
        state = GAME.throw(GAME.new_game() if state.is_over() else state, rng)
        yield state
        count -= 1
        moves = state.legal_moves()
        state = state.apply_move(moves[rng.integers(len(moves))])


def ready(board: PlayBoard) -> list[int]:
    """The places that the picture offers."""
    elements = ElementTree.fromstring(board.view["svg"]).iter(f"{SVG}g")
    return [
        int(e.get("data-action"))
        for e in elements
        if e.get("data-action") and not e.get("aria-disabled")
    ]


def spoken(board: PlayBoard, place: int) -> str:
    elements = ElementTree.fromstring(board.view["svg"]).iter(f"{SVG}g")
    return next(e.get("aria-label") for e in elements if e.get("data-action") == str(place))


BAR = position({25: 1, 13: 5, 8: 3, 6: 6}, {6: 3, 5: 2, 24: 2, 15: 8}, (6, 3))
BEAR_OFF = position({5: 2, 2: 2}, {1: 3}, (4, 3))
# O holds X's 3-point. 10/4 2/1 plays both dice; after 10/9 the 6 is blocked.
FIRST_SIX = position({10: 1, 2: 2}, {22: 2, 1: 3}, (6, 1))
# 10/4 or 10/9, and from either the other die is blocked: the 6 has to be played.
EITHER = position({10: 1}, {22: 2, 1: 3}, (6, 1))


def test_routes_by_hand() -> None:
    # Lover's leap: 24/13 over 18 (6 then 5); 19 is O's 6-point and closed.
    state = from_recipe(OPENING + "65")
    assert turn_of(state).routes(24) == {18: ((24, 18),), 13: ((24, 18), (18, 13))}
    # O's blot on X's 20: 24/20*/18 hits and 24/22/18 does not, so 24/18 alone is not an answer.
    state = position({24: 2, 6: 5, 8: 8}, {5: 1, 6: 14}, (4, 2))
    assert turn_of(state).routes(24) == {20: ((24, 20),), 22: ((24, 22),), 18: None}
    # Two checkers on the bar: the first cannot go on before the second has entered.
    state = position({25: 2, 6: 13}, {6: 5, 13: 10}, (4, 2))
    assert turn_of(state).routes(25) == {21: ((25, 21),), 23: ((25, 23),)}
    # The 6-5 of 6/off is one die; 6/1/off would be two.
    state = position({6: 1, 1: 1}, {1: 3}, (6, 5))
    assert turn_of(state).routes(6)[0] == ((6, 0),)


def test_turn_of_refuses_a_step_that_cannot_come_next() -> None:
    with pytest.raises(IllegalMove, match="13/7 needs a 6; left to play: 3 and 1"):
        turn_of(from_recipe(OPENING + "31"), ((13, 7),))


# Clicks.


def test_a_turn_by_clicks() -> None:
    board = PlayBoard(OPENING + "31", seed=1)
    assert ready(board) == [6, 8, 13, 24] and board.view["status"] == "X to move. Play 3-1."
    assert click(board, 8) == "From 8 to 7, 5 or 4." and ready(board) == [4, 5, 7]
    assert click(board, 5) == "Played 8/5; left: 1." and board.history == []
    assert "pip count 164" in board.view["svg"] and spoken(board, 5) == "5-point, 1 X"
    assert click(board, 6, 5).startswith("X, 3-1: 8/5 6/5. O to move. Play ")
    assert board.history == [((8, 5), (6, 5))] and board.view["moves"] == ["X, 3-1: 8/5 6/5"]
    assert board.state.dice[0] > 0, "the dice are thrown for the next player"


def test_one_click_for_both_dice_is_two_steps() -> None:
    board = PlayBoard(OPENING + "65")
    assert click(board, 24) == "From 24 to 18 or 13."
    click(board, 13)
    assert board.history == [((24, 18), (18, 13))]


def test_a_double_is_four_steps_and_undo_takes_them_back_one_by_one() -> None:
    board = PlayBoard(OPENING + "11")
    assert board.view["status"] == "X to move. Play 1-1, four times 1."
    click(board, 8, 7, 8, 7, 6, 4)
    assert board.history == [((8, 7), (8, 7), (6, 5), (5, 4))], "6/4 plays the last two"
    message(board, "undo")
    click(board, 8, 7, 8, 6)
    assert (
        board.view["said"] == "Played 8/6 8/7; left: 1."
        and board.view["svg"].count('opacity="0.25"') == 3
    )
    for left in ("1 and 1", "1 and 1 and 1"):
        message(board, "undo")
        assert f"left: {left}." in board.view["status"] and "last step" in board.view["said"]
    assert (
        message(board, "undo")["said"]
        == "Started the move again. X to move. Play 1-1, four times 1."
    )
    assert not board.view["begun"]


def test_a_checker_can_be_put_down_or_changed_for_another() -> None:
    board = PlayBoard(OPENING + "31")
    click(board, 8, 8)
    assert not board.view["begun"] and ready(board) == [6, 8, 13, 24]
    assert click(board, 8, 13) == "From 13 to 10 or 9." and ready(board) == [9, 10]
    message(board, "undo")
    assert ready(board) == [6, 8, 13, 24]


def test_the_second_player_clicks_the_same_board_from_the_other_side() -> None:
    board = PlayBoard(from_recipe(OPENING.replace(":0:", ":1:") + "31"))
    assert (
        ready(board) == [1, 12, 17, 19]
        and spoken(board, 17) == "8-point, 3 O"
        and spoken(board, 6) == "19-point, 5 X"
    )
    click(board, 17, 20, 19, 20)
    assert board.history == [((8, 5), (6, 5))]


@pytest.mark.parametrize(
    ("state", "places", "reason"),
    [
        (OPENING + "31", (7,), "Not possible: there is no checker of yours on point 7"),
        (OPENING + "31", (12,), "Not possible: there is no checker of yours on point 12"),
        (OPENING + "55", (24,), "24/19 is blocked: the opponent holds that point with 5 checkers"),
        (OPENING + "31", (8, 2), "8/2 needs a 6; left to play: 3 and 1"),
        (OPENING + "31", (8, 10), "checkers go from higher points to lower ones, not from 8 to 10"),
        (OPENING + "61", (13, 12), "13/12 is blocked"),
        (
            OPENING + "41",
            (24, 19),
            "20/19 is blocked: the opponent holds that point with 5 checkers; 23/19 is blocked",
        ),
        (OPENING + "31", (TRAYS[0],), "pick up a checker first"),
        (OPENING + "31", (BARS[1],), "that is the opponent's bar"),
        (
            OPENING + "31",
            (6, TRAYS[0]),
            "nothing is borne off while a checker is outside the home board",
        ),
        (OPENING + "31", (DICE,), "something can be moved, so it has to be"),
        (BAR, (13,), "Not possible: a checker on the bar has to enter first"),
        (BAR, (BARS[0], 19), "bar/19 is blocked"),
        (
            EITHER,
            (10, 9),
            "10/9: only one die can be played, and it must be the higher one if it can, the 6",
        ),
        (
            FIRST_SIX,
            (10, 9),
            "10/9 would leave the 6 without a play: both dice can be played, so both must be",
        ),
        (BEAR_OFF, (2,), "2/off with a 4: a higher die takes the rearmost checker"),
    ],
)
def test_reasons(state: Any, places: tuple[int, ...], reason: str) -> None:
    board = PlayBoard(state)
    click(board, *places[:-1])
    begun, serial = board._referee.clicks, board.view["serial"]
    said = click(board, places[-1])
    assert said.startswith("Not possible: ") and reason in said
    assert (board._referee.clicks, board.view["serial"]) == (begun, serial) and board.history == []


HOSTILE = [-1, 0, 30, 10**30, True, "8", 8.0, None, [8]]


@pytest.mark.parametrize("action", HOSTILE, ids=repr)
@pytest.mark.parametrize("before", [(), (8,), (8, 5)], ids=["start", "in hand", "one step"])
def test_a_hostile_click_changes_nothing(action: Any, before: tuple[int, ...]) -> None:
    board = PlayBoard(OPENING + "31")
    click(board, *before)
    clicks, svg = board._referee.clicks, board.view["svg"]
    assert 10 < len(click(board, action)) < 200
    assert board._referee.clicks == clicks and board.view["svg"] == svg
    assert click(board, 24, 23) if before == () else True


def test_a_turn_without_a_move_says_so_and_passes_by_one_click() -> None:
    closed = dict.fromkeys((6, 5, 4, 3, 2, 1), 2) | {13: 3}
    board = PlayBoard(position({25: 1, 6: 14}, closed, (6, 6)))
    assert "Nothing can be moved with 6-6: pass." in board.view["status"] and ready(board) == [DICE]
    assert "No move: pass" in board.view["svg"] and "pass" in spoken(board, DICE)
    assert "nothing can be moved" in click(board, BARS[0])
    assert click(board, DICE).startswith("X, 6-6: pass. O to move. Play ") and board.history == [()]


def test_an_agent_that_must_pass_passes_by_itself() -> None:
    closed = dict.fromkeys((6, 5, 4, 3, 2), 2) | {1: 3, 13: 2}
    board = play(
        position(closed, {25: 1, 6: 14}, (6, 6), player=1), RandomAgent(GAME), side="first"
    )
    assert board.history == [()] and board.view["said"].startswith(
        "Random player, 6-6: pass. Your turn: X. "
    )


@pytest.mark.parametrize("seed", [0, 1])
def test_random_clicks_play_a_whole_legal_game(seed: int) -> None:
    """Any offered click leads on; the moves that came of them replay by the rules alone."""
    rng = np.random.default_rng(seed)
    board = play(GAME, RandomAgent(GAME, seed=seed), seed=seed)
    for _ in range(3000):
        places = ready(board)
        if not places:
            break
        before = (board._referee.clicks, len(board.history))
        click(board, int(rng.choice(places)))
        assert (
            board._referee.clicks,
            len(board.history),
        ) != before and "Not possible" not in board.view["said"]
    referee = board._referee
    assert board.state.is_over()
    for (state, after), move in zip(pairwise(referee.line), board.history, strict=True):
        played = state.apply_move(move)
        assert (played.checkers == after.checkers).all() and played.next_player == after.next_player
        assert after.is_over() or after.dice[0] > 0
    assert len(replay(referee.line).history) == len(board.history), (
        "every position of the game leads to the next"
    )


# Dice, undo, score, results.


def test_dice_come_from_the_seed_and_undo_keeps_them() -> None:
    def dice(seed: int) -> list[tuple[int, int]]:
        board = play(GAME, RandomAgent(GAME, seed=0), seed=seed, side="none")
        for _ in range(6):
            message(board, "step", value="next")
        return [state.dice for state in board._referee.line]

    assert dice(7) == dice(7) != dice(8)
    board = PlayBoard(GAME, seed=7)
    first = board.state
    board.play(board.state.legal_moves()[0])
    second = board.state.dice
    board.undo()
    assert board.state == first
    board.play(board.state.legal_moves()[1])
    assert board.state.dice == second, "another move meets the same throw"
    throws = set()
    for _ in range(25):
        board.new_game()
        throws.add(board.state.dice)
    assert len(throws) > 5 and all(high > low for high, low in throws), (
        "the opening throw is no double"
    )


def test_a_position_with_dice_keeps_them_in_every_new_game() -> None:
    board = PlayBoard(OPENING + "31")
    click(board, 8, 5, 6, 5)
    message(board, "new")
    assert board.state.recipe() == OPENING + "31"


def test_points_add_up_and_the_result_names_a_gammon() -> None:
    board = play(position({1: 1}, {23: 15}, (6, 5)), RandomAgent(GAME, seed=0))
    assert board.view["score"] == "Points won in 0 games: You 0, Random player 0."
    assert "You, 6-5: 1/off. You win a backgammon, 3 points!" in click(board, 1, TRAYS[0])
    assert board.view["score"] == "Points won in 1 game: You 3, Random player 0."
    message(board, "undo")
    assert board.view["score"] == "Points won in 0 games: You 0, Random player 0.", (
        "a game taken back counts no more"
    )
    click(board, 1, TRAYS[0])
    message(board, "new")
    click(board, 1, TRAYS[0])
    message(board, "side", value="second")
    assert board.view["score"] == "Points won in 2 games: You 6, Random player 0.", (
        "what was won stays with who won it"
    )
    board = play(position({3: 15}, {1: 1}, (6, 5), player=1), RandomAgent(GAME, seed=0))
    assert board.view["status"] == "Random player (O) wins a gammon, 2 points."
    assert board.view["score"] == "Points won in 1 game: You 0, Random player 2."
    assert [won_text(points) for points in (1.0, -2.0, -3.0)] == [
        "a single game, 1 point",
        "a gammon, 2 points",
        "a backgammon, 3 points",
    ]


def test_replay_of_a_simulated_game() -> None:
    record = simulate_game(
        RandomAgent(GAME, seed=0), RandomAgent(GAME, seed=1), rng=np.random.default_rng(2)
    )
    board = replay(record.states)
    assert len(board.history) == len(record.moves) and board.view["status"].startswith(
        "Position 0 of "
    )
    for state, made, played in zip(record.states, board.history, record.moves, strict=False):
        assert state.apply_move(made) == state.apply_move(played)
    assert (
        message(board, "step", value="next")["said"].startswith("Position 1 of ")
        and "after X, " in board.view["said"]
    )
    assert "recorded game" in click(board, 8)
    message(board, "step", value="last")
    assert won_text(record.points) in board.view["said"]
    with pytest.raises(ValueError, match="position 1 .* does not follow from position 0"):
        replay([record.states[0], record.states[2]])


# The overlay.


class Advisor:
    """Says the same of every play, a little less of each one after the first."""

    name = "advisor"

    def __init__(self, outputs: list[float]) -> None:
        self.outputs = np.array(outputs)

    def candidates(self, state: Any) -> list[Any]:
        return [
            (move, 0.112 - k / 10, self.outputs - k / 100)
            for k, move in enumerate(state.legal_moves())
        ]


class Even(Advisor):
    """Sees every play a hair below nothing."""

    def candidates(self, state: Any) -> list[Any]:
        return [(move, -0.0001, self.outputs) for move in state.legal_moves()]


def test_an_equity_that_rounds_to_nothing_has_no_minus() -> None:
    board = PlayBoard(OPENING + "31", overlay=Even([0.5, 0.1, 0.0, 0.1, 0.0]))
    assert board.view["numbers"]["rows"][0][1] == "+0.000"


def test_the_overlay_lists_the_best_plays_and_draws_the_first() -> None:
    board = PlayBoard(OPENING + "31", overlay=Advisor([0.54, 0.15, 0.0, 0.1, 0.0]))
    numbers, first = board.view["numbers"], board.state.describe(board.state.legal_moves()[0])
    assert numbers["heading"] == "Advisor player: best plays of X" and numbers["columns"] == [
        "Equity",
        "Win",
        "Gammon",
    ]
    assert numbers["rows"][0] == [f"1. {first}", "+0.112", "54%", "15%", True]
    assert numbers["rows"][2][1:] == ["−0.088", "52%", "13%", False] and len(numbers["rows"]) == 5
    svg = board.view["svg"]
    assert "wins 54%" in svg and "wins 46%" in svg
    assert f"1. {first}: equity +0.112, win 54%, gammon 15%" in board.still["data"]["image/svg+xml"]
    assert svg.count('stroke-dasharray="9 5"') == len(set(board.state.legal_moves()[0]))
    click(board, 8)
    assert 'stroke-dasharray="9 5"' not in board.view["svg"], (
        "the arrows belong to the board before the turn"
    )
    assert json.loads(json.dumps(board.view)) == board.view


def test_the_bar_belongs_to_the_first_player() -> None:
    other = OPENING.replace(":0:", ":1:") + "31"
    for recipe, x in ((OPENING + "31", 75), (other, 25)):
        board = PlayBoard(recipe, overlay=Advisor([0.75]))
        root = ElementTree.fromstring(board.view["svg"])
        words = {
            e.text: float(e.get("y"))
            for e in root.iter(f"{SVG}text")
            if (e.text or "").startswith("wins")
        }
        assert words[f"wins {x}%"] > words[f"wins {100 - x}%"], "X's line is the lower one"
        heights = {
            e.get("fill"): float(e.get("height"))
            for e in root.iter(f"{SVG}rect")
            if e.get("width") == "14"
        }
        assert heights[drawing.BLUE] / sum(heights.values()) == pytest.approx(x / 100, abs=0.01)
        assert board.view["numbers"]["rows"][0][3] == "-", "one output says nothing of gammons"


def test_a_player_without_candidates_gives_no_numbers() -> None:
    board = play(OPENING + "31", RandomAgent(GAME, seed=0))
    message(board, "overlay", value=True)
    assert board.view["numbers"] == {
        "heading": "Random player gives no numbers",
        "columns": [],
        "rows": [],
    }
    over = PlayBoard(position({}, {3: 15}, player=1), overlay=Advisor([0.5]))
    assert over.view["numbers"]["heading"] == "No values: the game is over"


# The drawing.


def test_a_picture_is_whole_and_repeats() -> None:
    for state in random_positions(60, seed=9):
        svg = state._repr_svg_()
        root = ElementTree.fromstring(svg)
        assert svg == draw(from_recipe(state.recipe()))
        assert root.find(f"{SVG}title").text and root.get("role") == "img"
        assert not re.search(r"\bid=|class=|<style|data-action", svg), (
            "a picture stands beside others in one page"
        )
        told = root.find(f"{SVG}desc").text
        for board in state.checkers:
            pips = sum((point + 1) * int(board[point]) for point in range(25))
            assert f"pip count {pips}." in told
        discs = [e for e in root.iter(f"{SVG}circle") if e.get("r") == "18"]
        for colour, board in zip(drawing.PLAYER_COLOURS, state.checkers, strict=True):
            shown = sum(min(5, n) for n in board[:24]) + min(4, board[24])
            assert sum(disc.get("fill") == colour for disc in discs) == shown
            slabs = [
                e
                for e in root.iter(f"{SVG}rect")
                if e.get("height") == "10" and e.get("fill") == colour
            ]
            assert len(slabs) == board[25]
        tall = sorted(str(n) for board in state.checkers for n in board[:24] if n > 5)
        tall += [str(board[24]) for board in state.checkers if board[24] > 4]
        assert sorted(
            e.text for e in root.iter(f"{SVG}text") if e.get("fill") == "#FFFFFF"
        ) == sorted(tall)


def test_checkers_stand_where_they_stand() -> None:
    """By hand: X's 6-point and O's 19-point are one place, right of the bar, at the bottom;
    X's home is the bottom right.
    """

    def discs(state: Any, colour: str) -> list[tuple[float, float]]:
        root = ElementTree.fromstring(draw(state))
        return [
            (float(e.get("cx")), float(e.get("cy")))
            for e in root.iter(f"{SVG}circle")
            if e.get("r") == "18" and e.get("fill") == colour
        ]

    places = {
        p: discs(position({p: 1}, {25: 15}), drawing.BLUE)[0]
        for p in (1, 6, 7, 12, 13, 18, 19, 24, 25)
    }
    assert places[12][0] < places[7][0] < places[25][0] < places[6][0] < places[1][0]
    assert all(
        places[p][0] == places[25 - p][0] and places[p][1] > places[25 - p][1]
        for p in (1, 6, 7, 12)
    )
    for point in range(1, 25):
        assert discs(position({point: 1}, {25: 15}), drawing.BLUE) == discs(
            position({25: 15}, {25 - point: 1}), drawing.VERMILLION
        )


def test_places_and_points_are_inverse() -> None:
    for player in (0, 1):
        points = [point_of(player, place) for place in PLACES]
        assert sorted(p for p in points if p is not None) == list(range(26))
        assert all(
            place_of(player, p) == place
            for p, place in zip(points, PLACES, strict=True)
            if p is not None
        )
    assert place_of(1, 24) == 1 and place_of(0, 24) == 24


def test_a_live_board_has_a_spoken_target_for_every_place() -> None:
    for state in random_positions(25, seed=4):
        root = ElementTree.fromstring(draw(state, Marks(targets=frozenset({1, DICE}))))
        found = {int(e.get("data-action")): e for e in root.iter() if e.get("data-action")}
        assert sorted(found) == sorted(PLACES) and all(
            e.get("role") == "button" for e in found.values()
        )
        assert {place for place, e in found.items() if not e.get("aria-disabled")} == {1, DICE}
        names = [e.get("aria-label") for e in found.values()]
        assert len(set(names)) == len(names), "no two places sound alike"
        for player, board in enumerate(state.checkers):
            for point in range(1, 25):
                if board[point - 1]:
                    assert f"{board[point - 1]} {'XO'[player]}" in found[
                        place_of(player, point)
                    ].get("aria-label")
            assert found[BARS[player]].get("aria-label") == f"bar of {'XO'[player]}, {board[24]}"
            assert found[TRAYS[player]].get("aria-label") == f"off of {'XO'[player]}, {board[25]}"


def test_marks_of_the_last_move_and_of_dice_played() -> None:
    state = from_recipe(OPENING + "31").apply_move(((8, 5), (6, 5))).with_dice(6, 2)
    svg = draw(state, Marks(last=(0, ((8, 5), (6, 5)))))
    assert svg.count('stroke-dasharray="4 3"') == 2, "a ring where each of the two checkers stood"
    half = draw(state, checkers=state.checkers, left=(2,))
    assert half.count('opacity="0.25"') == 1 and 'opacity="0.25"' not in draw(state)
    waiting = SimpleNamespace(
        checkers=state.checkers, dice=(0, 0), next_player=1, points=0.0, is_over=lambda: False
    )
    assert "O to throw" in draw(waiting)


@pytest.mark.parametrize(
    ("missing", "name"),
    [
        (("gnubg",), "GNU Backgammon's networks, 0-ply"),
        (("gnubg", "gnubg-nn"), "the course's own network, TD-Gammon"),
    ],
)
def test_who_judges_where_programs_are_missing(
    monkeypatch: pytest.MonkeyPatch, missing: tuple[str, ...], name: str
) -> None:
    def loaded(agent: str) -> Any:
        if agent.partition("/")[2] in missing:
            raise ProgramMissing(agent)
        return load_agent("backgammon/td-gammon")

    monkeypatch.setattr("rlcourse.boards.backgammon.loaded", loaded)
    judge = face_of("backgammon").judge(GAME)
    assert judge.name == name and judge.unit == "millipoints"
