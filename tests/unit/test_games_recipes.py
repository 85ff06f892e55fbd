"""Positions as text: only what can arise in a game is accepted, and every other text
gets an error that says why.
"""

from itertools import product

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from rlcourse.games import GAME_NAMES, BadRecipe, UnknownGame, from_recipe, get_game
from tests.unit.game_laws import ACTION_GAMES, check_position

NEAR = st.text("XxOo.-_/0123456789 \n:=", max_size=50)
HEAD = st.sampled_from(
    [
        *GAME_NAMES,
        "go",
        "",
        " tic-tac-toe ",
        "tic-tac-toe size=3",
        "connect-four name=1",
        "tic-tac-toe a=b",
    ]
)


@settings(max_examples=150)
@given(st.text(max_size=60) | st.builds("{}:{}".format, HEAD, NEAR | st.text(max_size=12)))
@example("tic-tac-toe:²")
@example("tic-tac-toe:٣")
@example("tic-tac-toe name=3:")
@example("tic-tac-toe self=3 text=1 options=2:")
@example("tic-tac-toe size=nan:")
@example("connect-four =1:")
@example("connect-four:" + "9" * 5000)
@example("\0:")
@example(":")
def test_any_text_is_a_position_or_a_clear_error(text):
    try:
        state = from_recipe(text)
    except (BadRecipe, UnknownGame) as error:
        assert str(error)
    else:
        check_position(get_game(state.game), state)


@pytest.mark.parametrize("text", [None, 3, b"tic-tac-toe:", ["tic-tac-toe:"], ""], ids=repr)
def test_what_is_no_text_is_refused(text):
    with pytest.raises(BadRecipe, match="a recipe reads NAME:POSITION"):
        from_recipe(text)


@pytest.mark.parametrize(
    ("text", "error", "message"),
    [
        (
            "chess:",
            UnknownGame,
            "there is no game 'chess'; the course knows tic-tac-toe, connect-four",
        ),
        ("tic-tac-toe size=4:.........", UnknownGame, "does not have these options: {'size': 4}"),
        ("tic-tac-toe size:.........", BadRecipe, "options in a recipe read KEY=NUMBER"),
        (
            "tic-tac-toe:XO",
            BadRecipe,
            "9 cells, each one of X, O and '.', .* got 2 characters: 'XO'",
        ),
        ("tic-tac-toe:XO......?", BadRecipe, "9 cells, each one of"),
        (
            "tic-tac-toe:XX.......",
            BadRecipe,
            "X has as many stones as O or one more; here 2 X and 0 O",
        ),
        ("tic-tac-toe:O........", BadRecipe, "here 0 X and 1 O"),
        ("tic-tac-toe:XXXOOO...", BadRecipe, "cannot arise"),  # two winners
        ("tic-tac-toe:XXXOO.O..", BadRecipe, "cannot arise"),  # X had won, O played on
        ("tic-tac-toe:OOOXX.X.X", BadRecipe, "cannot arise"),  # O had won, X played on
        ("tic-tac-toe:00", BadRecipe, "move 2 of '00' cannot be played: a3 is occupied by X"),
        ("tic-tac-toe:031425", BadRecipe, "move 6 .* the game is over"),
        ("tic-tac-toe:9", BadRecipe, "9 is not a move in tic-tac-toe; moves are 0 to 8"),
        (
            "connect-four:0000000",
            BadRecipe,
            "move 7 of '0000000' cannot be played: column a is full",
        ),
        ("connect-four:7", BadRecipe, "7 is not a move"),
        (
            "connect-four:......./......./......./......./X....../.......",
            BadRecipe,
            "cannot arise.*in the air",
        ),
        # The first stone that falls is an X, and it lies on the ground.
        ("connect-four:......./......./......./......./X....../O......", BadRecipe, "cannot arise"),
        ("connect-four:......./......./......./......./XX...../OO.....", BadRecipe, "cannot arise"),
        # Two fours in a row of X far from each other: the game was over at the first.
        ("connect-four:......./......./X.....X/X.....X/XOO.O.X/XOO.OOX", BadRecipe, "cannot arise"),
        # Four in a row of X with a stone on each: none of the four was the last stone.
        ("connect-four:......./......./......./......./OXOO.../XXXX..O", BadRecipe, "cannot arise"),
    ],
)
def test_what_cannot_arise_is_refused_with_the_reason(text, error, message):
    with pytest.raises(error, match=message):
        from_recipe(text)


@pytest.mark.parametrize("game", ACTION_GAMES, ids=str)
def test_no_moves_is_the_start(game):
    assert from_recipe(f"{game.name}:") == game.new_game()


def test_ways_of_writing_the_same_position():
    cells = from_recipe("tic-tac-toe:X...O....")
    for same in (
        "tic-tac-toe:04",
        "tic-tac-toe: x.. .o. ...",
        "tic-tac-toe:X--/-O-/---",
        "tic-tac-toe:x___o____",
    ):
        assert from_recipe(same) == cells
    assert from_recipe("connect-four:3342") == from_recipe(
        "connect-four:......./......./......./......./...O.../..OXX.."
    )


def test_tic_tac_toe_accepts_the_reachable_positions_and_no_other():
    """All 3^9 fillings of the board against the positions reached by play.

    Of 5,478 X has won 626 and O 316, 16 are drawn, and in 4,520 there is a move.
    """
    seen = front = {get_game("tic-tac-toe").new_game()}
    while front:
        front = {state.apply_move(move) for state in front for move in state.legal_moves()}
        seen = seen | front
    winners = [state.winner() for state in seen]
    assert [winners.count(result) for result in (1, -1, 0, None)] == [626, 316, 16, 4520]
    reached = {state.recipe() for state in seen}
    assert len(reached) == 5478
    for symbols in product(".XO", repeat=9):
        text = "tic-tac-toe:" + "".join(symbols)
        try:
            assert from_recipe(text).recipe() == text
            accepted = True
        except BadRecipe:
            accepted = False
        assert accepted == (text in reached), text


def stacks(stones):
    """Every way to lay `stones` stones, the right number of each colour, on seven columns
    without a gap: [M, 42] cells.
    """
    boards = []
    for heights in product(range(min(stones, 6) + 1), repeat=7):
        if sum(heights) == stones:
            places = [(5 - level) * 7 + col for col in range(7) for level in range(heights[col])]
            for colours in product((1, 2), repeat=stones):
                if colours.count(1) == (stones + 1) // 2:
                    cells = np.zeros(42, np.int8)
                    cells[places] = colours
                    boards.append(cells)
    return boards


# How many positions arise after that many plies: J. Tromp's count, entry A212693 of the OEIS.
@pytest.mark.parametrize(
    ("plies", "count"),
    [(1, 7), (2, 49), (3, 238), (4, 1120), pytest.param(5, 4263, marks=pytest.mark.slow)],
)
def test_connect_four_accepts_the_reachable_positions_and_no_other(plies, count):
    front = {get_game("connect-four").new_game()}
    for _ in range(plies):
        front = {state.apply_move(move) for state in front for move in state.legal_moves()}
    reached = {state.cells for state in front}
    assert len(reached) == count
    accepted = set()
    for cells in stacks(plies):
        try:
            accepted.add(
                from_recipe("connect-four:" + "".join(".XO"[cell] for cell in cells)).cells
            )
        except BadRecipe:
            pass
    assert accepted == reached


def test_long_games_of_connect_four_are_accepted_at_every_ply():
    game = get_game("connect-four")
    for seed in range(20):
        rng, state = np.random.default_rng(seed), game.new_game()
        while not state.is_over():
            state = state.apply_move(int(rng.choice(state.legal_moves())))
            assert from_recipe(state.recipe()) == state
            assert from_recipe(state.recipe()).winner() == state.winner()
