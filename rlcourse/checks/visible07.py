"""The visible cases of sheet 07: numbers worked by hand, for the right answer and for every usual slip that shows there."""

from typing import Any

import numpy as np

from rlcourse.checks.judging import Key
from rlcourse.checks.task import Case


def points() -> tuple[Case, ...]:
    """points_advantages of a won game by football's count and of one by another count."""
    # Expected points 0.5 * 3 + 0.3 = 1.8; 2.0; 0.8. The second player has won: 0, 3, 3. The first player's points, 0, for
    # all, or their negative for the second: -1.8, -2, -0.8. Win and loss exchanged: 0.9, 0.8, 1.7 expected. Next position's:
    # 2, 0.8, 0. Draws worth nothing: 1.5, 1.8, 0.3. In turn the last row would be the first player's. Mean: 1.4 / 3.
    outputs = np.array([[0.5, 0.3, 0.2], [0.6, 0.2, 0.2], [0.1, 0.5, 0.4]])
    right = np.array([-1.8, 1.0, 2.2])
    slips = {
        "sign": [1.8, -1.0, -2.2], "one_return": [-1.8, -2.0, -0.8], "zero_sum": [-1.8, -2.0, -0.8],
        "wrong_player": [-0.9, 2.2, 1.3], "first_view": [-1.8, 2.2, 1.3], "alternates": [-1.8, 1.0, -0.8],
        "next_value": [-2.0, 2.2, 3.0], "draw": [-1.5, 1.2, 2.7], "centred": right - 1.4 / 3,
    }  # fmt: skip
    first = Key(right, {slip: np.array(value) for slip, value in slips.items()})
    # Win 5, draw 2, loss 1: expected 0.2 * 5 + 0.5 * 2 + 0.3 = 2.3, and 3. The second player, who moves first here, has lost:
    # 1, and 5. Exchanged: 2.7, 2.2. By 3, 1, 0: 1.1 and 1.6 expected, 0 and 3 got. Draws worth nothing: 1.3, 2.2 expected.
    slips = {
        "sign": [1.3, -2.0], "one_return": [2.7, 2.0], "zero_sum": [-7.3, 2.0], "wrong_player": [-1.7, 2.8],
        "first_view": [-1.7, 2.0], "alternates": [2.7, -2.0], "next_value": [-2.0, 5.0], "draw": [-0.3, 2.8],
        "fixed": [-1.1, 1.4], "centred": [-1.65, 1.65],
    }  # fmt: skip
    second = Key(np.array([-1.3, 2.0]), {slip: np.array(value) for slip, value in slips.items()})
    other = np.array([[0.2, 0.5, 0.3], [0.4, 0.4, 0.2]])
    return (
        Case(
            (outputs, np.array([0, 1, 1]), -1, (3, 1, 0)),
            first,
            title="the second player has won, who moved twice",
        ),
        Case(
            (other, np.array([1, 0]), 1, (5, 2, 1)),
            second,
            title="a win counts 5, a draw 2, a loss 1; the first has won",
        ),
    )


def weights() -> tuple[Case, ...]:
    """batch_weights of two games with one forced move, and of one game in which all advantages are nearly alike."""
    # Without the forced 0.6: mean 0.8 / 4 = 0.2, deviations 0.7, 0.1, -0.1, -0.7, mean square 1 / 4, spread 0.5. Of a sample:
    # 1 / 3. Game by game: means 0.6 and -0.2, spreads 0.3. With the forced one: mean 1.4 / 5 = 0.28, deviations 0.62, 0.32,
    # 0.02, -0.18, -0.78, mean square 1.128 / 5 = 0.2256.
    deviations, all_five = (
        np.array([0.7, 0.0, 0.1, -0.1, -0.7]),
        np.array([0.62, 0.32, 0.02, -0.18, -0.78]),
    )
    forced, sample = all_five / 0.2256**0.5, deviations / (1 / 3) ** 0.5
    slips = {
        "per_game": [1.0, 0.0, -1.0, 1.0, -1.0], "game_means": deviations / 0.3, "counted": forced * [1, 0, 1, 1, 1],
        "weighted": [1.4, 0.8, 0.2, -0.2, -1.4], "forced": forced, "no_centre": [1.8, 0.0, 0.6, 0.2, -1.0],
        "no_spread": deviations, "variance": deviations / 0.25, "sample": sample, "added": deviations / 0.6,
    }  # fmt: skip
    first = Key(
        _games([1.4, 0.0, 0.2, -0.2, -1.4], 3),
        {slip: _games(row, 3) for slip, row in slips.items()},
    )
    # Mean 0.5, spread 0.02, less than the floor 0.1.
    slips = {
        "no_floor": [1.0, -1.0],
        "added": [1 / 6, -1 / 6],
        "no_centre": [5.2, 4.8],
        "no_spread": [0.02, -0.02],
    }
    second = Key(_games([0.2, -0.2], 2), {slip: _games(row, 2) for slip, row in slips.items()})
    two = [np.array([0.9, 0.6, 0.3]), np.array([0.1, -0.5])]
    return (
        Case(
            (two, [np.array([3, 1, 2]), np.array([2, 4])], 0.1),
            first,
            title="two games, the second move is forced",
        ),
        Case(
            ([np.array([0.52, 0.48])], [np.array([2, 2])], 0.1),
            second,
            title="one game, the advantages nearly alike",
        ),
    )


def gradient() -> tuple[Case, ...]:
    """two_headed_gradient with one hidden number, of one decision and of two. L = log 3; actor (L, 0), critic L / 2.

    Where the hidden number is 1: pi = (3/4, 1/4), value = tanh(L / 2) = (3 - 1) / (3 + 1) = 1/2, slope of tanh 1 - 1/4 = 3/4.
    Where it is 0: pi = (1/2, 1/2), value 0, slope 1.
    """
    big, actor, critic = np.log(3), np.array([[np.log(3), 0.0]]), np.array([np.log(3) / 2])

    def one(push: float, pull: float, other: float | None = None) -> tuple[np.ndarray, ...]:
        """The gradients, if logit 0 gets `push`, logit 1 `other` (-push) and the sum under tanh `pull`."""
        other = -push if other is None else other
        return (
            np.array([[push * big + pull * big / 2]]),
            np.array([[push, other]]),
            np.array([pull]),
        )

    # Move 0, return 1: advantage 1/2. Policy: 1 * 1/2 * (3/4 - 1). Value: 0.5 * 2 * (1/2 - 1) * 3/4. Through the advantage:
    # d(-(1 - v) log 3/4) / dv = log 3/4. Target 1/2, the advantage: no error.
    slips: dict[str, Any] = {
        "through": one(-0.125, -0.375 + 0.75 * np.log(0.75)),
        "weights": one(-0.125, -0.75),
        "swapped": one(-0.0625, -0.75),
        "advantage_target": one(-0.125, 0.0),
        "sign": one(0.125, -0.375),
        "unweighted": one(-0.25, -0.375),
        "no_baseline": one(-0.25, -0.375),
        "slope": one(-0.125, -0.5),
        "half": one(-0.125, -0.1875),
        "one_hot": one(-0.5, -0.375, 0.0),
        "one_head": (np.array([[-0.125 * big]]), *one(-0.125, -0.375)[1:]),
    }
    args = (
        np.array([[1.0]]),
        np.array([[1.0]]),
        actor,
        critic,
        np.array([0]),
        np.array([1.0]),
        (1.0, 0.5),
    )
    first = Case(
        args,
        Key(one(-0.125, -0.375), slips),
        title="one decision, advantage 1/2, weights 1 and 0.5",
    )

    def two(
        push: tuple[float, float], pull: tuple[float, float], **odd: float
    ) -> tuple[np.ndarray, ...]:
        """The mean of two decisions, hidden number 1 and 0; logit 1 of the first gets `other` (-push)."""
        actor_row = np.array([[push[0], odd.get("other", -push[0])]])
        rows = [(a + odd.get("critic", 1) * b / 2) * big for a, b in zip(push, pull, strict=True)]
        return np.array([rows]).T / 2, actor_row / 2, np.array([pull[0]]) / 2

    # Both lost. Move 0, value 1/2, advantage -3/2: policy 2 * -3/2 * (3/4 - 1) = 3/4; value 0.5 * 2 * 3/2 * 3/4 = 9/8. Move
    # 1, value 0, advantage -1: policy for logit 0: 2 * -1 * 1/2 = -1; value 0.5 * 2 * 1 = 1. Through: + 2 log 3/4 * 3/4 and
    # + 2 log 1/2. Target -3/2 and -1: 2 * 3/4 = 3/2 and 1. Only the move played: 2 * 3/2 = 3 for logit 0, then nothing.
    push, pull = (0.75, -1.0), (1.125, 1.0)
    slips = {
        "through": two(push, (1.125 + 1.5 * np.log(0.75), 1 + 2 * np.log(0.5))),
        "weights": two((0.375, -0.5), (2.25, 2.0)),
        "swapped": two((0.1875, -0.25), (4.5, 4.0)),
        "advantage_target": two(push, (1.5, 1.0)),
        "sign": two((-0.75, 1.0), pull),
        "unweighted": two((-0.5, 1.0), pull),
        "no_baseline": two((0.5, -1.0), pull),
        "slope": two(push, (1.5, 1.0)),
        "half": two(push, (0.5625, 0.5)),
        "one_hot": two((3.0, 0.0), pull, other=0.0),
        "one_head": two(push, pull, critic=0),
        "sum": tuple(2 * part for part in two(push, pull)),
    }
    args = (
        np.eye(2),
        np.array([[1.0], [0.0]]),
        actor,
        critic,
        np.array([0, 1]),
        np.array([-1.0, -1.0]),
        (2.0, 0.5),
    )
    return first, Case(
        args, Key(two(push, pull), slips), title="two decisions of lost games, weights 2 and 0.5"
    )


def recording() -> tuple[Case, ...]:
    """Recorder with two states and two moves: one game, two games, and a game that was given up."""
    policy, values = np.array([[0.5, 0.5], [0.25, 0.75]]), np.array([0.5, -0.25])
    remedy = {"unreturned": ("unreturned_and_leftover", "unreturned_and_next_value")}
    remedy["leftover"] = ("unreturned_and_leftover", "leftover_and_next_value")
    remedy["next_value"] = ("unreturned_and_next_value", "leftover_and_next_value")

    def case(
        script: list[tuple],
        moves: list[int | None],
        rows: list,
        slips: dict[str, tuple],
        title: str,
    ) -> Case:
        """moves: of every select_move; rows: at the end. slips: name -> (moves, rows), None for those of the right answer."""
        full = {
            name: pair for slip, pair in slips.items() for name in (*remedy.get(slip, ()), slip)
        }
        told = {name: _results(script, m or moves, r or rows) for name, (m, r) in full.items()}
        secret = Key(_results(script, moves, rows), told)
        return Case((policy, values), secret, script=(*script, ("rows", ())), title=title)

    # State 0, u 0.6 is past 0.5: move 1; state 1, u 0.2 is below 0.25: move 0. Won: 1 - 0.5 and 1 + 0.25.
    game = [
        ("begin_episode", ()),
        ("select_move", (0, 0.6)),
        ("select_move", (1, 0.2)),
        ("complete_episode", (1.0,)),
    ]
    rows, shifted = [(0, 1, 1, 0.5), (1, 0, 1, 1.25)], [(0, 1, 1, 1.25), (1, 0, 1, 1.0)]
    one = {
        "unreturned": ([None, None], None),
        "next_value": (None, shifted),
        "unreturned_and_next_value": ([None, None], shifted),
        "hasty": ([None, None], shifted),
        "sign": (None, [(0, 1, 1, -0.5), (1, 0, 1, -1.25)]),
        "greedy": ([0, 1], [(0, 0, 1, 0.5), (1, 1, 1, 1.25)]),
    }
    # Then state 1, u 0.5: move 1, lost: -1 + 0.25. If nothing is emptied, the first game's two moves come again, lost. Value
    # of the next position: none behind the end, -1; of the moves that come again: -1 + 0.25 (state 1), and -1 + 0.25.
    second = [("begin_episode", ()), ("select_move", (1, 0.5)), ("complete_episode", (-1.0,))]
    lost, again = [(1, 1, -1, -0.75)], [(0, 1, -1, -1.5), (1, 0, -1, -0.75), (1, 1, -1, -0.75)]
    moved = [(0, 1, -1, -0.75), (1, 0, -1, -0.75), (1, 1, -1, -1.0)]
    three = [None] * 3
    two = {
        "unreturned": (three, None), "leftover": (None, rows + again), "next_value": (None, [*shifted, (1, 1, -1, -1.0)]),
        "unreturned_and_leftover": (three, rows + again), "leftover_and_next_value": (None, shifted + moved),
        "unreturned_and_next_value": (three, [*shifted, (1, 1, -1, -1.0)]), "hasty": (three, shifted + moved),
        "sign": (None, [(0, 1, 1, -0.5), (1, 0, 1, -1.25), (1, 1, -1, 0.75)]), "last_only": (None, lost),
        "greedy": ([0, 1, 1], [(0, 0, 1, 0.5), (1, 1, 1, 1.25), (1, 1, -1, -0.75)]),
    }  # fmt: skip
    # Outside a game: state 1, u 0.1: move 0. A game is begun and given up after state 0. Then state 0, u 0.1: move 0, and the
    # critic goes from 0.5 to -0.5 before the game is won: 1 - 0.5, not 1 + 0.5. With what is left of the first game: its move
    # 1 in state 0, which was worth 0.5. Value of the next position: none, 1.
    given_up = [
        ("select_move", (1, 0.1)),
        ("begin_episode", ()),
        ("select_move", (0, 0.9)),
        ("begin_episode", ()),
        ("select_move", (0, 0.1)),
        ("set_value", (0, -0.5)),
        ("complete_episode", (1.0,)),
    ]
    early, end = [(0, 1, 1, 0.5), (0, 0, 1, 0.5)], [(0, 0, 1, 1.0)]
    silent = [0, None, None]
    three = {
        "unreturned": (silent, None),
        "leftover": (None, early),
        "next_value": (None, end),
        "abandoned": (None, early),
        "unreturned_and_leftover": (silent, early),
        "unreturned_and_next_value": (silent, end),
        "leftover_and_next_value": (None, [(0, 1, 1, 0.5), *end]),
        "hasty": (silent, [(0, 1, 1, 0.5), *end]),
        "late_critic": (None, [(0, 0, 1, 1.5)]),
        "sign": (None, [(0, 0, 1, -0.5)]),
        "greedy": ([1, 0, 0], None),
    }
    return (
        case(game, [1, 0], rows, one, "one game of two moves, won"),
        case(
            [*game, *second],
            [1, 0, 1],
            rows + lost,
            two,
            "a game that is won, then one that is lost",
        ),
        case(
            given_up,
            [0, 1, 0],
            [(0, 0, 1, 0.5)],
            three,
            "a move outside a game, a game given up, a critic that learns",
        ),
    )


def exact() -> tuple[Case, ...]:
    """exact_advantages of the four positions of the picture, and of one position with a forbidden move."""
    leads = np.array([[1, 2], [-1, 3], [3, -1], [-1, -1]])
    reward = np.array([[0.0, 0.0], [1.0, 0.0], [0.0, 0.0], [1.0, 0.0]])
    policy = np.array([[0.25, 0.75], [0.5, 0.5], [1.0, 0.0], [0.5, 0.5]])
    # From the end: position 3 is worth 1/2. Position 1: 1 or -1/2, half each: 1/4. Position 2: -1/2. Position 0: -1/4 or 1/2:
    # (-1/4 + 3/2) / 4 = 5/16. Not turned: 1: 3/4, 2: 1/2, 0: (3/4 + 3/2) / 4 = 9/16. Best play: 3: 1, 1: max(1, -1), 2: -1,
    # 0: max(-1, 1). Half each: 0: 1/8. Ends turned: all signs. One step: 3: 1/2, 1: (1 + 0) / 2.
    right = (
        np.array([5 / 16, 0.25, -0.5, 0.5]),
        np.array([[-9 / 16, 3 / 16], [0.75, -0.75], [0.0, 0.0], [0.5, -0.5]]),
    )
    worth = np.array([[-0.25, 0.5], [1.0, -0.5], [-0.5, 0.0], [1.0, 0.0]])
    values, advantages = right
    slips = {
        "view": ([9 / 16, 0.75, 0.5, 0.5], [[3 / 16, -1 / 16], [0.25, -0.25], [0, 0], [0.5, -0.5]]),
        "best": ([1, 1, -1, 1], [[-2, 0], [0, -2], [0, 0], [0, -1]]),
        "uniform": (
            [1 / 8, 0.25, -0.5, 0.5],
            [[-3 / 8, 3 / 8], [0.75, -0.75], [0, 0], [0.5, -0.5]],
        ),
        "end_sign": (-values, -advantages),
        "one_step": ([0, 0.5, 0, 0.5], [[0, 0], [0.5, -0.5], [0, 0], [0.5, -0.5]]),
        "sign": (values, -advantages),
        "no_baseline": (values, worth),
        "wrong_player": (values, [[1 / 16, 13 / 16], [1.25, -0.25], [-1, 0], [1.5, 0.5]]),
        "illegal": (values, advantages + [[0, 0], [0, 0], [0, 0.5], [0, 0]]),
        "weighted": (values, [[-9 / 64, 9 / 64], [0.375, -0.375], [0, 0], [0.25, -0.25]]),
    }
    first = Key(
        right, {slip: tuple(np.array(part, float) for part in pair) for slip, pair in slips.items()}
    )
    # Move 0 loses at once, a quarter of the time, move 1 wins, move 2 is not allowed: 3/4 - 1/4 = 1/2.
    slips = {
        "best": ([1], [[-2, 0, 0]]), "uniform": ([0], [[-1, 1, 0]]), "end_sign": ([-0.5], [[1.5, -0.5, 0]]),
        "sign": ([0.5], [[1.5, -0.5, 0]]), "no_baseline": ([0.5], [[-1, 1, 0]]), "wrong_player": ([0.5], [[-0.5, 1.5, 0]]),
        "illegal": ([0.5], [[-1.5, 0.5, -0.5]]), "weighted": ([0.5], [[-0.375, 0.375, 0]]),
    }  # fmt: skip
    key = {slip: tuple(np.array(part, float) for part in pair) for slip, pair in slips.items()}
    second = Key((np.array([0.5]), np.array([[-1.5, 0.5, 0.0]])), key)
    only = np.array([[-1, -1, -1]]), np.array([[-1.0, 1.0, 0.0]]), np.array([[0.25, 0.75, 0.0]])
    return (
        Case((leads, reward, policy), first, title="the four positions of the picture"),
        Case(
            only,
            second,
            title="one position: a move that loses, one that wins, one that is not allowed",
        ),
    )


def _results(script: list[tuple], moves: list[int | None], rows: list) -> list[Any]:
    """The result of each call of a script, and of `rows` behind it."""
    left = iter(moves)
    return [
        *(next(left) if name == "select_move" else None for name, _ in script),
        np.array(rows, float),
    ]


def _games(row: Any, first: int) -> list[np.ndarray]:
    """The numbers of a first game with so many decisions, and of a second one, where there is one."""
    return [part for part in np.split(np.array(row, float), [first]) if len(part)]
