"""What the tasks of sheet 05 ought to answer, and what each usual slip would answer instead.

Every function has one argument `slip`: "" for the right answer, else the name of a mistake; of one
that is made in several ways, which stand here, it gives `Ways` where their answers differ. Only
the grader's side runs this file; while a task is judged its functions are withheld.
"""

from collections.abc import Sequence

import numpy as np

from rlcourse.checks.difference import in_ways

_SCALES = {
    "lesson_scale": (2.0, 15.0),
    "bar_whole": (1.0, 3.0),
    "off_whole": (3.0, 1.0),
    "counts": (1.0, 1.0),
}
BAR, HOME = 9, 3  # of legal_turns: the number of the bar, and of the last point of the home board
TURN_WAYS = {
    "wrong_die": ("least", "first", "lower_only"),
    "empty": ("higher_or_none", "stays", "stays_unequal"),
}


def hyper_units(checkers: np.ndarray, roller: np.ndarray, slip: str = "") -> np.ndarray:
    """[M, 6P + 4]: three checkers a side on P points, point by point as the player
    who rolls next counts them.

    checkers [M, 2, P + 2]: each player's own points from 1, then bar and borne
    off; roller [M] of 0 and 1.
    """
    rows = np.arange(len(checkers))
    first = {
        "view": np.zeros_like(roller),
        "mover": 1 - roller,
        "one_roller": np.full_like(roller, roller[0]),
    }.get(slip, roller)
    mine, other = checkers[rows, first].astype(float), checkers[rows, 1 - first].astype(float)
    facing = other[:, :-2] if slip in ("unturned", "own_turned") else other[:, -3::-1]
    if slip in ("half_unturned", "half_turned"):
        turned = roller[:, None] == (1 if slip == "half_unturned" else 0)
        facing = np.where(turned, other[:, -3::-1], other[:, :-2])
    if slip.startswith("row_turned"):
        facing = other[:, :1:-1]
    if slip == "row_turned":
        other = other[:, ::-1]
    ahead = mine[:, -3::-1] if slip == "own_turned" else mine[:, :-2]
    if slip == "board_view":
        second = roller[:, None] == 1
        ahead = np.where(second, mine[:, -3::-1], ahead)
        facing = np.where(second, other[:, :-2], facing)
    blocks = [_ladder(ahead, slip), _ladder(facing, slip)]  # [M, P, 3] each
    if slip == "opponent_first":
        blocks.reverse()
    if slip == "interleaved":
        blocks = [np.stack(blocks, axis=3)]
    points = np.concatenate(blocks, axis=1 if slip == "blocks" else 2).reshape(len(checkers), -1)
    bar, off = _SCALES.get(slip, (3.0, 3.0))
    rest = np.stack(
        [mine[:, -2] / bar, mine[:, -1] / off, other[:, -2] / bar, other[:, -1] / off], axis=1
    )
    order = {"bar_off": [1, 0, 3, 2], "pairs": [0, 2, 1, 3]}.get(slip, [0, 1, 2, 3])
    return np.concatenate([points, rest[:, order]], axis=1)


def legal_turns(
    own: Sequence[int], blocked: Sequence[int], dice: Sequence[int], slip: str = ""
) -> list[tuple[int, ...]]:
    """All positions to which a turn on the small board can lead, in ascending order. own [9]:
    checkers on points 1 to 8, bar.

    Points run down to 1 and off; points 1 to 3 are home; nobody lands on a point in `blocked`.
    Beside the listed slips and their ways there are "past_one" (a higher die bears off past one
    checker, and not past two), "past_die" (past those that stand no further back than the die
    goes), "foremost" (from the point nearest to the end), "from_three" (from point 3 alone),
    "three", "five", "four_or_two" (times a double is played), "higher_only" (the position stays
    where the higher of two dice cannot be played), "begins_high" (with the higher die where it
    can), "before_turn" (all home is asked before the turn alone), "rearmost_exact" (every die bears
    off from the rearmost alone), "one_outside" (bears off while a single checker is not yet home),
    "low_first", "home_of_4", "bar_8", "enters" (on the point of the die) and "through_blocked" (one
    checker plays both dice over a blocked point).
    """
    if slip in TURN_WAYS:
        return in_ways(legal_turns(own, blocked, dice, way) for way in TURN_WAYS[slip])
    bugs = (
        {"two", "lower", "any_off"}
        if slip == "hasty"
        else set(slip.split("_and_"))
        if slip
        else set()
    )
    high, low = max(dice), min(dice)
    orders: list[tuple[int, ...]] = [(high, low), (low, high)]
    if high == low:
        times = {"two": 2, "three": 3, "five": 5, "doubled": 2}
        die = 2 * high if "doubled" in bugs else high
        orders = [(die,) * next((times[bug] for bug in times if bug in bugs), 4)]
    elif "one_order" in bugs or "low_first" in bugs:
        orders = orders[:1] if "one_order" in bugs else orders[1:]
    elif "begins_high" in bugs and _steps(tuple(own), blocked, high, bugs):
        orders = orders[:1]
    if "before_turn" in bugs and any(own[HOME:]):
        bugs.add("no_off")
    if "fewer" in bugs and high == low:
        orders = [(high,) * times for times in (1, 2, 3, 4)]
        return sorted({end for *_, end in _plays(tuple(own), blocked, orders, bugs)})
    plays = _plays(tuple(own), blocked, orders, bugs)
    most = max(number for number, _, _ in plays)
    alone = {play[:2] for play in plays}  # (1, die) where that die alone can be played
    if most == 0 and ("stays" in bugs or ("stays_unequal" in bugs and high != low)):
        return []
    if "four_or_two" in bugs and high == low and most < 4:
        return legal_turns(own, blocked, dice, "two")
    if bugs & {"lost_double", "all_or_nothing"} and high == low and most < 4:
        return [] if "lost_double" in bugs else [tuple(own)]
    if "through_blocked" in bugs:
        over = _steps(tuple(own), blocked, high + low, set())
        return sorted({position for number, _, position in plays if number == most} | over)
    if "higher_only" in bugs and most == 1 and (1, high) not in alone:
        return [tuple(own)]
    if "higher_or_none" in bugs and most < 2 and high != low and (1, high) not in alone:
        return []
    if "lower_only" in bugs and most == 1 and (1, low) not in alone:
        return [tuple(own)]
    plays = {play for play in plays if play[0] == most or (play[0] > 0 and "shorter" in bugs)}
    if most == 1 and high != low and "lower" not in bugs:
        single = [die for die in dice if (1, die) in alone]
        choose = min if bugs & {"least", "lower_only"} else max
        wanted = single[0] if "first" in bugs else choose(single)
        plays = {play for play in plays if play[1] == wanted}
    return sorted({position for _, _, position in plays})


def _plays(
    own: tuple[int, ...], blocked: Sequence[int], orders: list[tuple[int, ...]], bugs: set[str]
) -> set[tuple[int, int, tuple[int, ...]]]:
    """(dice played, the first of them, position) where no die of an order is left that can be
    played.
    """
    plays = set()
    for order in orders:
        reached = {own}
        for number, die in enumerate((*order, None)):
            following: set[tuple[int, ...]] = set()
            for position in reached:
                ends = _steps(position, blocked, die, bugs) if die else set()
                if not ends:
                    plays.add((number, order[0], position))
                following |= ends
            reached = following
    return plays


def match_chances(
    outputs: np.ndarray, mine: int, theirs: int, table: np.ndarray, slip: str = ""
) -> np.ndarray:
    """[M]: the mover's chance of winning the match after each of M plays. outputs [M, 5], for the
    player who rolls next: win, win gammon, win backgammon, lose gammon, lose backgammon. mine,
    theirs: points the mover and the other still need. table[a, b]: the chance in the match of who
    needs a points against one who needs b."""
    win, win_gammon, win_triple, lose_gammon, lose_triple = outputs.T
    if slip in ("view", "half_view"):
        win = 1 - win if slip == "view" else win
        win_gammon, win_triple, lose_gammon, lose_triple = (
            lose_gammon,
            lose_triple,
            win_gammon,
            win_triple,
        )
    lost = [win - win_gammon, win_gammon - win_triple, win_triple]
    won = [1 - win - lose_gammon, lose_gammon - lose_triple, lose_triple]
    if slip == "exclusive":
        lost = [win, win_gammon, win_triple]
        won = [1 - outputs.sum(axis=1), lose_gammon, lose_triple]
    if slip == "win_view":
        lost[0], won[0] = 1 - win - win_gammon, win - lose_gammon
    if slip in ("nested", "nested_lost", "nested_single", "nested_single_lost"):
        lost[0] = win
    if slip in ("nested", "nested_won", "nested_single", "nested_single_won"):
        won[0] = 1 - win
    if slip in ("nested", "nested_lost", "nested_gammon", "nested_gammon_lost"):
        lost[1] = win_gammon
    if slip in ("nested", "nested_won", "nested_gammon", "nested_gammon_won"):
        won[1] = lose_gammon
    steps = {"plain": (1, 1, 1), "no_triple": (1, 2, 2)}.get(slip, (1, 2, 3))
    chance = np.zeros(len(outputs))
    for step, by_me, by_them in zip(steps, won, lost, strict=True):
        left = mine - step if slip in ("wraps", "wraps_won") else max(0, mine - step)
        right = theirs - step if slip in ("wraps", "wraps_lost") else max(0, theirs - step)
        if slip == "beyond":
            by_me, by_them = by_me * (step <= mine), by_them * (step <= theirs)
        if slip == "exchanged":
            chance += by_me * table[theirs, left] + by_them * table[right, mine]
        elif slip == "exchanged_won":
            chance += by_me * table[theirs, left] + by_them * table[mine, right]
        elif slip == "exchanged_lost":
            chance += by_me * table[left, theirs] + by_them * table[right, mine]
        else:
            chance += by_me * table[left, theirs] + by_them * table[mine, right]
    return chance


def gammon_targets(outputs: np.ndarray, points: int, lam: float, slip: str = "") -> np.ndarray:
    """[T, 3]: the lambda-returns of (win, win gammon, lose gammon), each row for
    the player who rolls there.

    outputs [T, 3]; the players roll in turn, and who rolls last wins so many points.
    """
    keep = {"swapped": 1 - lam, "result_only": 1.0, "next_only": 0.0}.get(slip, lam)
    result = np.array([1.0, points >= 2, 0.0])
    if slip == "exclusive":
        result[0] = points == 1
    elif slip == "only_two":
        result[1] = points == 2
    elif slip == "only_three":
        result[1] = points == 3
    elif slip == "points":
        result[1] = points - 1.0
    elif slip == "loses_gammon":
        result[1:] = 0, points >= 2
    elif slip == "last_loses":
        result = np.array([0.0, 0.0, points >= 2])
    targets = np.zeros(outputs.shape)
    targets[-1] = (1 - keep) * outputs[-1] + keep * result if slip == "end_value" else result
    for t in range(len(outputs) - 2, -1, -1):
        estimate, target = _turned(outputs[t + 1], slip), _turned(targets[t + 1], slip)
        if slip == "own_value":
            estimate = outputs[t]
        elif slip == "own_value_turned":
            estimate = _turned(outputs[t], slip)
        elif slip == "no_estimate":
            estimate = _turned(np.zeros(3), slip)
        elif slip == "half_turn":
            target = targets[t + 1]
        elif slip == "estimate_unturned":
            estimate = outputs[t + 1]
        targets[t] = (1 - keep) * estimate + keep * target
    if slip == "one_account":
        turned = np.arange(len(targets), 0, -1) % 2 == 0
        targets = np.array(
            [_turned(row, "") if t else row for row, t in zip(targets, turned, strict=True)]
        )
    return targets


def _ladder(counts: np.ndarray, slip: str) -> np.ndarray:
    """[M, P, 3]: at least one, two and three checkers on a point."""
    if slip == "exact":
        return np.stack([counts == 1, counts == 2, counts == 3], axis=2).astype(float)
    if slip == "lesson_units":
        return np.stack([counts == 1, counts >= 2, counts == 3], axis=2).astype(float)
    if slip == "more_than":
        return np.stack([counts > 1, counts > 2, counts > 3], axis=2).astype(float)
    return np.stack([counts >= 1, counts >= 2, counts >= 3], axis=2).astype(float)


def _steps(
    position: tuple[int, ...], blocked: Sequence[int], die: int, bugs: set[str]
) -> set[tuple[int, ...]]:
    """All positions after one checker has moved by `die`."""
    positions = set()
    free = range(1, BAR + 1) if "bar" in bugs else range(1, BAR)
    for point in [BAR] if position[BAR - 1] and "bar" not in bugs else free:
        goal = die if point == BAR and "enters" in bugs else point - die
        goal -= point == BAR and "bar_8" in bugs
        if not position[point - 1] or (goal in blocked and "lands" not in bugs):
            continue
        if goal > 0 and "held_inside" in bugs and sum(position[point:HOME]) > 0:
            continue
        home = HOME + ("home_of_4" in bugs)
        if goal <= 0 and (
            "no_off" in bugs
            or (sum(position[home:]) > ("one_outside" in bugs) and "outside" not in bugs)
            or ("rearmost_exact" in bugs and sum(position[point:HOME]) > 0)
            or (goal < 0 and _held_back(position, point, die, bugs))
        ):
            continue
        after = list(position)
        after[point - 1] -= 1
        if goal > 0:
            after[goal - 1] += 1
        positions.add(tuple(after))
    return positions


def _held_back(position: tuple[int, ...], point: int, die: int, bugs: set[str]) -> bool:
    """Whether a die that is higher than needed may not bear a checker off from this point."""
    if "past_die" in bugs:
        return sum(position[die:HOME]) > 0
    if "from_three" in bugs:
        return point != HOME
    if "foremost" in bugs:
        return sum(position[: point - 1]) > 0
    most = 1 if "past_one" in bugs else 0
    anywhere = bugs & {"any_off", "held_inside"}
    return "exact_off" in bugs or (not anywhere and sum(position[point:HOME]) > most)


def _turned(outputs: np.ndarray, slip: str) -> np.ndarray:
    """(win, win gammon, lose gammon) for the other player."""
    win, win_gammon, lose_gammon = outputs
    if slip == "view":
        return outputs
    if slip == "sign":
        return np.array([-win, -lose_gammon, -win_gammon])
    if slip == "complements":
        return 1 - outputs
    if slip == "win_unturned":
        return np.array([win, lose_gammon, win_gammon])
    return np.array(
        [1 - win, win_gammon, lose_gammon]
        if slip == "no_swap"
        else [1 - win, lose_gammon, win_gammon]
    )
