"""The rules of backgammon on positions worked by hand, and against plain Python
on boards built at random.
"""

import pickle
from itertools import islice

import numpy as np
import pytest

from rlcourse.games import BadRecipe, GameOver, IllegalMove, from_recipe, get_game
from rlcourse.games.backgammon import START, BackgammonBatch, BackgammonState, outcomes
from rlcourse.games.backgammon_turn import turn_of
from tests.oracles.backgammon_positions import built, checkers_of, position
from tests.unit.backgammon_plain import RULES, steps, turns

GAME = get_game("backgammon")


def texts(state):
    """The legal moves as players write them."""
    return {state.describe(move) for move in state.legal_moves()}


FAR = {1: 2, 2: 2}  # an opponent at home, on the first player's 24 and 23
AWAY = {10: 2, 11: 2}  # on the first player's 15 and 14

# first, second, dice, the moves of the first player. The second's point n
# is the first's point 25 - n.
WORKED = {
    "by 18 or by 19, one result": ({20: 1}, FAR, (2, 1), {"20/17"}),
    "a blot on 19, two results": ({20: 1}, {6: 1, **FAR}, (2, 1), {"20/17", "20/19*/17"}),
    "the bar comes first": (
        {25: 1, 10: 1},
        FAR,
        (4, 3),
        {"bar/18", "bar/21 10/7", "bar/22 10/6"},
    ),
    "two on the bar": ({25: 2, 10: 1}, FAR, (4, 3), {"bar/22 bar/21"}),
    "two on the bar, one can enter": ({25: 2, 10: 1}, {4: 2}, (4, 3), {"bar/22"}),
    "no entry": ({25: 1, 10: 1}, {4: 2, 3: 2}, (4, 3), {"pass"}),
    # 14/8 and 14/9 can be played, but 8/3 and 9/3 are blocked, and nothing is borne off
    # from 1 while 14 is outside
    "one of two: the higher": ({14: 1, 1: 2}, {22: 2}, (6, 5), {"14/8"}),
    "one of two: the higher is blocked": (
        {14: 1, 1: 2},
        {17: 2, 22: 2},
        (6, 5),
        {"14/9"},
    ),
    # 13/7 is blocked; 13/8 by the lower die opens 8/2 to the higher
    "the lower die first": ({13: 1}, {18: 2}, (6, 5), {"13/2"}),
    # 12/7 and 6/1 are closed: after 10/4 no 5 is left (nothing is borne off while 12 is
    # outside), after 12/6 there is 10/5
    "both dice must be played": ({12: 1, 10: 1}, {18: 2, 24: 2}, (6, 5), {"12/6 10/5"}),
    # four steps of 6 shared among four checkers that all start on 24: 1+1+1+1, 2+1+1, 2+2, 3+1
    "a double": (
        {24: 4},
        AWAY,
        (6, 6),
        {"24/18(4)", "24/12 24/18(2)", "24/12(2)", "24/6 24/18"},
    ),
    "half a double": ({13: 2}, {24: 2}, (6, 6), {"13/7(2)"}),
    # what stays: 2 2 2; 4 2 (by 6/2/off as by 6/4 4/off); 6
    "the exact point, or a step": (
        {6: 1, 4: 1, 2: 1},
        FAR,
        (4, 2),
        {"6/2 4/2", "6/off", "4/off 2/off"},
    ),
    "a higher die takes the rearmost": ({3: 2, 1: 1}, FAR, (6, 5), {"3/off(2)"}),
    "but not what is in front of it": ({5: 1, 3: 1}, FAR, (4, 1), {"5/1 3/2", "5/off"}),
    "a double clears the way": ({5: 1, 3: 1, 2: 1}, FAR, (4, 4), {"5/off 3/off 2/off"}),
    "home first, then off": ({8: 1, 1: 3}, FAR, (1, 1), {"8/4", "8/5 1/off", "8/6 1/off(2)"}),
    "hits at home": (
        {6: 2},
        {24: 1, 20: 1},
        (5, 1),
        {"6/5* 6/1*", "6/1*/off", "6/5*/off"},
    ),
}


@pytest.mark.parametrize(("first", "second", "dice", "moves"), WORKED.values(), ids=WORKED)
def test_turns_worked_by_hand(first, second, dice, moves):
    assert texts(position(first, second, dice)) == moves
    assert texts(position(second, first, dice, player=1)) == moves
    own, other = map(tuple, checkers_of(first, second).tolist())
    assert len(turns(own, other, *dice)) == len(moves)


def sides_of(state):
    """The mover's checkers and the opponent's, as plain Python takes them."""
    boards = state.checkers[[state.next_player, 1 - state.next_player]]
    return tuple(map(tuple, boards.tolist()))


def plain(state, forgotten=""):
    """The results of a turn in plain Python, as boards in bytes."""
    order = [state.next_player, 1 - state.next_player]
    return {
        np.array(both, np.int8)[order].tobytes()
        for both in turns(*sides_of(state), *state.dice, forgotten)
    }


def found(state):
    """The results of a turn by the batch: every one once."""
    batch = BackgammonBatch(1)
    batch.load(0, state)
    boards, _ = batch.afterstate_boards()
    results = {board.tobytes() for board in boards}
    assert len(results) == len(boards), state.recipe()
    return results


@pytest.fixture(scope="module")
def boards():
    return list(islice(built(np.random.default_rng(16)), 700))


def test_random_boards_against_plain_python(boards):
    assert [state.recipe() for state in boards if found(state) != plain(state)] == []


@pytest.mark.parametrize("forgotten", RULES)
def test_a_forgotten_rule_is_noticed(boards, forgotten):
    assert any(found(state) != plain(state, forgotten) for state in boards)


def test_the_turn_with_most_results():
    """15 checkers, all apart, nothing in the way, 1-1 to 5-5: many
    hundred results, still each once.
    """
    state = position(dict.fromkeys(range(10, 25), 1), {25: 2, 24: 1}, (3, 3))
    assert found(state) == plain(state)
    assert len(state.legal_moves()) > 1_000


def sequences(own, other, dice, path=()):
    """(steps, result) of every way to play on until nothing more can be played."""
    further = [(die, *after) for die in set(dice) for after in steps(own, other, die)]
    if not further:
        yield path, (own, other)
    for die, mine, theirs in further:
        start = 1 + next(place for place in range(25) if mine[place] < own[place])
        left = list(dice)
        left.remove(die)
        step = start, max(start - die, 0)
        yield from sequences(mine, theirs, tuple(left), (*path, step))


HARD = [
    position({24: 1, 6: 2}, {24: 2, 17: 2, 20: 2, 13: 9}, (6, 5)),  # few entries
    position({10: 1, 2: 2}, {22: 2, 1: 3}, (6, 1)),  # the 6 has to come first
    position({10: 1}, {22: 2, 1: 3}, (6, 1)),  # one die, and it has to be the 6
    position({5: 1, 2: 2, 1: 1}, {1: 3}, (6, 3)),
    position({3: 1, 1: 1}, {1: 3}, (6, 5), player=1),
    position({25: 2, 6: 5}, {6: 2, 5: 2, 4: 2, 3: 2}, (2, 1)),
]


def test_every_step_that_begins_a_legal_turn_is_offered_and_no_other(boards):
    """After every beginning; doubles of many checkers are too many to list."""
    few = [state for state in boards if state.dice[0] != state.dice[1] or len(plain(state)) < 9]
    for state in [*HARD, *few[:200]]:
        own, other = sides_of(state)
        high, low = state.dice
        ends = turns(own, other, high, low)
        played = sequences(own, other, (high,) * 4 if high == low else (high, low))
        allowed = {path for path, end in played if end in ends}
        for path in allowed:
            for done in range(len(path) + 1):
                begun = path[:done]
                wanted = {one[done] for one in allowed if one[:done] == begun and len(one) > done}
                assert set(turn_of(state, begun).next_steps) == wanted, (state.recipe(), begun)


def test_steps_may_come_in_any_order_that_can_be_played():
    state = GAME.new_game().with_dice(4, 2)
    after = state.apply_move(((8, 4), (6, 4)))
    assert (
        after == state.apply_move(((6, 4), (8, 4))) == state.apply_move(state.parse_move("8/4 6/4"))
    )
    assert after.checkers[0, [3, 5, 7]].tolist() == [2, 4, 2]
    assert (after.next_player, after.dice, after.legal_moves()) == (1, (0, 0), ())
    run = state.apply_move(((24, 22), (22, 18)))
    assert run == state.apply_move(((24, 20), (20, 18)))


@pytest.mark.parametrize(
    ("state", "move", "message"),
    [
        (
            GAME.new_game().with_dice(6, 4),
            ((13, 8), (6, 5)),
            "13/8 needs a 5; left to play: 6 and 4",
        ),
        (
            GAME.new_game().with_dice(6, 5),
            ((24, 19),),
            "24/19 is blocked: the opponent holds that point with 5 checkers",
        ),
        (
            GAME.new_game().with_dice(6, 4),
            ((24, 18),),
            "both dice can be played, so both must be; this move plays 1",
        ),
        (
            GAME.new_game().with_dice(6, 4),
            (),
            "both dice can be played, so both must be; this move plays 0",
        ),
        (
            GAME.new_game().with_dice(3, 3),
            ((8, 5), (8, 5)),
            "4 of the four 3s can be played, so 4 must be; this move plays 2",
        ),
        (
            GAME.new_game().with_dice(6, 4),
            ((5, 1), (24, 18)),
            "5/1: there is no checker of yours on point 5",
        ),
        (
            GAME.new_game().with_dice(6, 4),
            ((24, 18), (24, 20), (13, 9)),
            "13/9: all dice have been played",
        ),
        (GAME.new_game(), ((24, 18),), "the dice have not been thrown"),
        (GAME.new_game().with_dice(6, 4), "13/7", "a move is a tuple of steps"),
        (
            GAME.new_game().with_dice(6, 4),
            ((7, 13),),
            r"a step goes from 25 \(bar\) or a point to a lower point",
        ),
        (
            position(*WORKED["the bar comes first"][:3]),
            ((10, 6), (25, 22)),
            "10/6: a checker on the bar has to enter first",
        ),
        (
            position(*WORKED["one of two: the higher"][:3]),
            ((14, 9),),
            "it must be the higher, the 6",
        ),
        (position(*WORKED["one of two: the higher"][:3]), (), "a die can be played, so it must be"),
        (
            position(*WORKED["half a double"][:3]),
            ((13, 7),),
            "2 of the four 6s can be played, so 2 must be",
        ),
        (
            position(*WORKED["home first, then off"][:3]),
            ((1, 0),),
            "1/off: nothing is borne off while a checker is outside",
        ),
        (
            position(*WORKED["but not what is in front of it"][:3]),
            ((3, 0),),
            "takes the rearmost checker, here on point 5",
        ),
        (
            position({5: 2}, FAR, (2, 1)),
            ((5, 0),),
            "5/off needs a 5 or more; left to play: 2 and 1",
        ),
        (position({5: 2}, FAR, (2, 1)), ((25, 24),), "there is no checker of yours on the bar"),
    ],
)
def test_an_illegal_move_is_told_why(state, move, message):
    assert not state.is_valid_move(move)
    with pytest.raises(IllegalMove, match=message):
        state.apply_move(move)


@pytest.mark.parametrize(
    ("loser", "points"),
    [
        ({1: 14}, 1),  # one is off
        ({1: 15}, 2),  # nothing is off, all are at home
        ({18: 1, 1: 14}, 2),  # on the winner's 7
        ({19: 1, 1: 14}, 3),  # on the winner's 6, in his home
        ({24: 1, 1: 14}, 3),  # on the winner's 1
        ({25: 1, 1: 14}, 3),
        ({25: 1, 1: 13}, 1),  # on the bar, but one is off
    ],
)
def test_single_game_gammon_backgammon(loser, points):
    winner = {2: 1}
    first = position(winner, loser, (6, 3)).apply_move(((2, 0),))
    assert (first.points, first.winner(), first.is_over(), first.next_player) == (
        points,
        1,
        True,
        1,
    )
    second = position(loser, winner, (6, 3), player=1)
    second = second.apply_move(((2, 0),))
    assert (second.points, second.winner(), second.is_over(), second.next_player) == (
        -points,
        -1,
        True,
        0,
    )
    assert outcomes(np.stack([first.checkers, second.checkers, START])).tolist() == [
        points,
        -points,
        0,
    ]
    assert first.legal_moves() == ()
    for act in (lambda: first.apply_move(()), lambda: first.with_dice(2, 1)):
        with pytest.raises(GameOver, match="the game is over"):
            act()
    assert from_recipe(first.recipe()) == first


def test_a_position_is_a_value():
    state = from_recipe("backgammon:4HPwATDgc/ABMA:1:13")
    assert state == BackgammonState(START, 1, (3, 1)) == pickle.loads(pickle.dumps(state))
    assert (
        len(
            {
                state,
                BackgammonState(START, 1, (1, 3)),
                BackgammonState(START, 0, (3, 1)),
                BackgammonState(START, 1),
            }
        )
        == 3
    )
    assert (state.dice, state.next_player, state.game) == (
        (3, 1),
        1,
        "backgammon",
    )
    assert state.recipe() == "backgammon:4HPwATDgc/ABMA:1:31"
    assert repr(state) == "from_recipe('backgammon:4HPwATDgc/ABMA:1:31')"
    with pytest.raises(AttributeError, match="immutable"):
        state._dice = (6, 6)
    state.checkers[:] = 0
    assert state.checkers.sum() == 30


@pytest.mark.parametrize(
    ("board", "player", "dice", "message"),
    [
        (np.zeros((2, 25), np.int8), 0, (0, 0), r"checkers \[2, 26\] of integers"),
        (START.astype(float), 0, (0, 0), "of integers; got float64"),
        (
            START + np.eye(2, 26, dtype=np.int8),
            0,
            (0, 0),
            "each player has 15 checkers; here player 0 has 16",
        ),
        (
            checkers_of({3: 15}, {22: 15}),
            0,
            (0, 0),
            "both players have checkers on the first player's 3-point",
        ),
        (checkers_of({}, {}), 0, (0, 0), "both players have borne off all"),
        (START, 2, (0, 0), "the next player is 0 or 1, not 2"),
        (START, 0, (7, 1), "dice show 1 to 6"),
        (START, 0, (3, 0), "dice show 1 to 6, or 0 and 0"),
        (checkers_of({}, {3: 15}), 0, (0, 0), "it would be the loser's turn"),
        (checkers_of({}, {3: 15}), 1, (2, 1), "no dice are thrown"),
    ],
)
def test_what_cannot_be_a_position_is_refused(board, player, dice, message):
    with pytest.raises(BadRecipe, match=message):
        BackgammonState(board, player, dice)


def test_dice_are_fair_and_the_first_throw_is_no_double():
    """n throws of k equally likely results: each within 6 standard deviations,
    sqrt(n p (1 - p)), of n p.
    """
    rng, batch, n = np.random.default_rng(3), BackgammonBatch(36_000), 36_000
    batch.roll(rng)
    opening = np.bincount(batch.dice[:, 0] * 7 + batch.dice[:, 1], minlength=49).reshape(7, 7)
    batch.step(np.zeros(n, np.int64))
    batch.roll(rng)
    later = np.bincount(batch.dice[:, 0] * 7 + batch.dice[:, 1], minlength=49).reshape(7, 7)
    for high in range(7):
        for low in range(7):
            possible = 0 < low <= high
            chances = (possible * (high != low) / 15, possible * (1 + (high != low)) / 36)
            for thrown, p in zip((opening, later), chances, strict=True):
                assert abs(thrown[high, low] - n * p) <= 6 * np.sqrt(n * p * (1 - p))
    one = {GAME.throw(GAME.new_game(), np.random.default_rng(seed)).dice for seed in range(300)}
    assert one == {(high, low) for high in range(2, 7) for low in range(1, high)}
    thrown = GAME.new_game().with_dice(6, 6)
    assert GAME.throw(thrown, np.random.default_rng(0)) is thrown
