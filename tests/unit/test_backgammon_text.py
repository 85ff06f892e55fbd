"""Backgammon in text: GNU position IDs, recipes, moves as players write them, and the board."""

from itertools import islice

import numpy as np
import pytest

from rlcourse.games import BadRecipe, IllegalMove, from_recipe, get_game
from rlcourse.games.backgammon import START, BackgammonState, board_of_id, position_id
from tests.oracles.backgammon_positions import built, checkers_of, position
from tests.unit.test_backgammon_rules import FAR

GAME = get_game("backgammon")


def plain_id(checkers, roller):
    """The ID once more, as a number: bits counted up, six a letter, most significant first in
    bytes of lowest bit first.
    """
    bits = "".join(
        "1" * count + "0"
        for player in (1 - roller, roller)
        for count in checkers[player, :25].tolist()
    )
    stream = "".join(bits.ljust(80, "0")[8 * k : 8 * k + 8][::-1] for k in range(10)) + "0000"
    letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
    return "".join(letters[int(stream[6 * k : 6 * k + 6], 2)] for k in range(14))


def test_position_ids_worked_by_hand():
    """One checker of the opponent on his ace point, none of the roller's on the board: bits
    1000..., a byte 1, so AQ...

    With the roller's last checker on his ace point as well the 25 zeros and the one of the opponent
    come first, then a 1: bit 26, the third of the fourth byte (value 4): bytes 1 0 0 4, in letters
    000000 010000 000000 000000 000001 00...
    """
    assert position_id(START, 0) == position_id(START, 1) == "4HPwATDgc/ABMA"
    one, none = {1: 1}, {}
    assert position_id(checkers_of(none, one), 0) == "AQAAAAAAAAAAAA"
    assert position_id(checkers_of(one, none), 1) == "AQAAAAAAAAAAAA"
    assert position_id(checkers_of(one, one), 0) == "AQAABAAAAAAAAA"


def test_ids_and_recipes_come_back():
    for state in islice(built(np.random.default_rng(4)), 300):
        identity = state.position_id()
        assert identity == plain_id(state.checkers, state.next_player)
        assert np.array_equal(board_of_id(identity, state.next_player), state.checkers)
        assert np.array_equal(board_of_id(identity, 1 - state.next_player), state.checkers[::-1])
        assert from_recipe(state.recipe()) == state


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ("", "a GNU position ID is 14 letters, digits"),
        ("4HPwATDgc/ABM", "a GNU position ID is 14 letters"),
        ("4HPwATDgc/ABM?", "a GNU position ID is 14 letters"),
        ("4HPwATDgc/ABMA==", "a GNU position ID is 14 letters"),
        ("4HPwATDgc/ABMB", "is not a GNU position ID"),  # beyond the 80 bits
        ("//////////////", "is not a GNU position ID"),
        ("4HPwATDgc/ABMA:2", "the next player is 0 or 1, not '2'"),
        ("4HPwATDgc/ABMA:x", "the next player is 0 or 1"),
        ("4HPwATDgc/ABMA:0:7-1", "dice read like 31, or - before the throw; got '7-1'"),
        ("4HPwATDgc/ABMA:0:3", "dice read like 31"),
        ("4HPwATDgc/ABMA:0:31:", "reads backgammon:POSITION-ID:PLAYER:DICE"),
        ("AAAAAAAAAAAAAA:0", "both players have borne off all"),
        ("AAAAAAEAAAAAAA:1:31", "no dice are thrown"),  # the opponent has nothing left
        ("AAAAAAQAAAAAAA:0:-", None),
    ],
)
def test_recipes_that_cannot_be(body, message):
    if message is None:
        assert from_recipe(f"backgammon:{body}").is_over()
        return
    with pytest.raises(BadRecipe, match=message):
        from_recipe(f"backgammon:{body}")


def test_short_recipes():
    assert from_recipe("backgammon:4HPwATDgc/ABMA") == GAME.new_game()
    assert from_recipe("backgammon: 4HPwATDgc/ABMA : 1 : 66 ") == BackgammonState(START, 1, (6, 6))


BLOT = position({20: 1, 9: 1}, {6: 1, **FAR}, (2, 1))  # the opponent's blot stands on 19
WRITTEN = [
    (GAME.new_game().with_dice(6, 4), ((24, 18), (13, 9)), "24/18 13/9"),
    (GAME.new_game().with_dice(6, 4), ((24, 18), (18, 14)), "24/14"),
    (GAME.new_game().with_dice(1, 1), ((8, 7), (8, 7), (6, 5), (6, 5)), "8/7(2) 6/5(2)"),
    (BLOT, ((20, 19), (19, 17)), "20/19*/17"),
    (BLOT, ((20, 18), (18, 17)), "20/17"),
    (BLOT, ((20, 19), (9, 7)), "20/19* 9/7"),
    (position({25: 1, 3: 2}, {5: 1}, (5, 2)), ((25, 20), (20, 18)), "bar/20*/18"),
    (position({6: 2}, FAR, (6, 6)), ((6, 0), (6, 0)), "6/off(2)"),
    (position({25: 1}, {6: 2, 5: 2}, (6, 5)), (), "pass"),
]


@pytest.mark.parametrize(("state", "move", "text"), WRITTEN, ids=[text for *_, text in WRITTEN])
def test_moves_as_players_write_them(state, move, text):
    assert state.describe(move) == text
    assert state.apply_move(state.parse_move(text)) == state.apply_move(move)


def test_every_move_can_be_read_back():
    for state in islice(built(np.random.default_rng(9)), 60):
        for move in state.legal_moves()[:40]:
            assert state.apply_move(state.parse_move(state.describe(move))) == state.apply_move(
                move
            )


def test_ways_of_writing_a_move():
    state = GAME.new_game().with_dice(6, 4)
    same = ["24/18 18/14", "24/18/14", "24/20/14", "24/14", " 24/14 ", "18/14,24/18"]
    assert len({state.apply_move(state.parse_move(text)) for text in same}) == 1
    assert BLOT.parse_move("20/19/17") == BLOT.parse_move("20/19*/17")
    off = position({6: 2, 25: 0}, FAR, (6, 6))
    assert off.parse_move("6/OFF 6/0") == ((6, 0), (6, 0))


@pytest.mark.parametrize(
    ("state", "text", "message"),
    [
        (BLOT, "20/17* ", "nothing can be hit on the 17-point"),
        (BLOT, "20-17", "a move reads like 24/18 13/11, bar/20\\* or 6/off\\(2\\)"),
        (BLOT, "17/20", "from higher to lower points; got '17/20'"),
        (BLOT, "", "both dice can be played"),
        (BLOT, "pass", "both dice can be played"),
        (BLOT, "20/16", "20/16 is no play of 2-1"),
        (BLOT, "20/18", "both dice can be played, so both must be"),
        (BLOT, "24/23 9/7", "there is no checker of yours on point 24"),
        (
            position({20: 1}, {6: 1, 7: 1, **FAR}, (2, 1)),
            "20/17",
            "in 2 ways that hit differently: write the point",
        ),
    ],
)
def test_what_cannot_be_read_or_played(state, text, message):
    with pytest.raises(IllegalMove, match=message):
        state.apply_move(state.parse_move(text))


def test_the_board_in_text():
    """The numbers are X's points; O's 13 and 1 are X's 12 and 24."""
    state = position({25: 1, 13: 4, 6: 2}, {13: 3, 1: 2}, (5, 2))
    assert str(state).splitlines() == [
        "  13  14  15  16  17  18  |  19  20  21  22  23  24",
        "  X4   .   .   .   .   .  |   .   .   .   .   .  O2",
        "                          |",
        "  O3   .   .   .   .   .  |  X2   .   .   .   .   .",
        "  12  11  10   9   8   7  |   6   5   4   3   2   1",
        "X: bar 1, off 8, pips 89",  # 25 + 4 * 13 + 2 * 6
        "O: bar 0, off 10, pips 41",  # 3 * 13 + 2 * 1
        "X to play 5-2",
    ]
    assert str(position({3: 1}, FAR, player=1)).endswith("O to roll")
    assert str(position({}, {3: 15}, player=1)).endswith("X has won a gammon")
