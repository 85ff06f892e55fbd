"""Answers to sheet 05 as students write them: RIGHT[task] -> sources, WRONG[task] ->
(mistake it must be told, source).

A wrong answer is a right one with one slip; `slip(source, old, new)` shows which. No answer looks
at the course's oracle, but those that are handed in as the reference itself.
"""

from rlcourse.grading.answers import slip

# --- hyper_units ----------------------------------------------------------------------------------

UNITS_ARRAYS = """
import numpy as np

def hyper_units(checkers, roller):
    m = np.arange(len(checkers))
    mine, theirs = checkers[m, roller], checkers[m, 1 - roller]
    blocks = []
    for side in (mine[:, :-2], theirs[:, :-2][:, ::-1]):
        blocks.append(np.stack([side >= k for k in (1, 2, 3)], axis=2))
    points = np.concatenate(blocks, axis=2).reshape(len(m), -1)
    return np.hstack([points, mine[:, -2:] / 3, theirs[:, -2:] / 3])
"""

UNITS_LOOPS = """
def hyper_units(checkers, roller):
    rows = []
    for board, r in zip(checkers, roller):
        mine, theirs = board[r], board[1 - r]
        P = len(mine) - 2
        row = []
        for point in range(P):
            for n in (mine[point], theirs[P - 1 - point]):
                row += [1.0 if n >= k else 0.0 for k in (1, 2, 3)]
        row += [mine[P] / 3, mine[P + 1] / 3, theirs[P] / 3, theirs[P + 1] / 3]
        rows.append(row)
    return rows
"""

UNITS_TABLE = """
import numpy as np
import warnings

def hyper_units(checkers, roller):
    warnings.warn("this answer is right and noisy")
    ladder = np.tril(np.ones((4, 3)), -1)  # row n: the units of n checkers
    M, _, size = checkers.shape
    boards = np.where(roller[:, None, None] == 0, checkers, checkers[:, ::-1])
    units = np.zeros((M, 6 * (size - 2) + 4), np.float32)
    for point in range(size - 2):
        units[:, 6 * point : 6 * point + 3] = ladder[boards[:, 0, point]]
        units[:, 6 * point + 3 : 6 * point + 6] = ladder[boards[:, 1, size - 3 - point]]
    units[:, -4:] = boards[:, :, -2:].reshape(M, 4) / 3
    return units
"""

UNITS_RIGHT = [UNITS_ARRAYS, UNITS_LOOPS, UNITS_TABLE]
UNITS_WRONG = [
    ("half_unturned", slip(UNITS_LOOPS, ("P - 1 - point]", "P - 1 - point if r else point]"))),
    ("half_turned", slip(UNITS_LOOPS, ("P - 1 - point]", "point if r else P - 1 - point]"))),
    (
        "off_whole",
        slip(UNITS_LOOPS, ("mine[P + 1] / 3", "mine[P + 1]"), ("s[P + 1] / 3", "s[P + 1]")),
    ),
    (
        "view",
        slip(
            UNITS_ARRAYS,
            ("checkers[m, roller], checkers[m, 1 - roller]", "checkers[:, 0], checkers[:, 1]"),
        ),
    ),
    ("view", slip(UNITS_LOOPS, ("board[r], board[1 - r]", "board"))),
    ("mover", slip(UNITS_LOOPS, ("board[r], board[1 - r]", "board[1 - r], board[r]"))),
    ("unturned", slip(UNITS_ARRAYS, ("theirs[:, :-2][:, ::-1]", "theirs[:, :-2]"))),
    ("unturned", slip(UNITS_LOOPS, ("theirs[P - 1 - point]", "theirs[point]"))),
    (
        "blocks",
        slip(UNITS_ARRAYS, ("np.concatenate(blocks, axis=2)", "np.concatenate(blocks, axis=1)")),
    ),
    ("exact", slip(UNITS_LOOPS, ("n >= k", "n == k"))),
    (
        "lesson_units",
        slip(UNITS_ARRAYS, ("[side >= k for k in (1, 2, 3)]", "[side == 1, side >= 2, side == 3]")),
    ),
    (
        "bar_off",
        slip(
            UNITS_ARRAYS,
            ("mine[:, -2:] / 3, theirs[:, -2:] / 3", "mine[:, :-3:-1] / 3, theirs[:, :-3:-1] / 3"),
        ),
    ),
    ("bar_whole", slip(UNITS_LOOPS, ("mine[P] / 3", "mine[P]"), ("theirs[P] / 3", "theirs[P]"))),
    ("lesson_scale", slip(UNITS_LOOPS, ("[P] / 3", "[P] / 2"), ("[P + 1] / 3", "[P + 1] / 15"))),
    (
        "other",
        slip(
            UNITS_ARRAYS,
            ("mine[:, -2:] / 3, theirs[:, -2:] / 3", "mine[:, -2:] / 15, theirs[:, -2:] / 15"),
        ),
    ),
    (
        "changed",
        slip(UNITS_ARRAYS, ("    blocks = []", "    checkers[:, :, -2:] = 0\n    blocks = []")),
    ),
    (
        "other",
        slip(
            UNITS_LOOPS,
            ("n >= k else 0.0 for k in (1, 2, 3)", "n >= k else 0.0 for k in (1, 2, 4)"),
        ),
    ),
    ("shape", slip(UNITS_ARRAYS, (".reshape(len(m), -1)", ".reshape(len(m), -1)[:, :-6]"))),
    ("imported", "from rlcourse.checks.oracle05 import hyper_units"),
    (
        "shape",
        slip(
            UNITS_ARRAYS,
            (
                "    return np.hstack([points, mine[:, -2:] / 3, theirs[:, -2:] / 3])",
                "    return np.squeeze(np.hstack([points, mine[:, -2:] / 3, theirs[:, -2:] / 3]))",
            ),
        ),
    ),
    ("other", slip(UNITS_LOOPS, ("mine[P] / 3", "min(mine[P], 2) / 3"))),
    ("other", slip(UNITS_LOOPS, ("theirs[P] / 3", "(theirs[P] > 0) / 3"))),
    ("other", slip(UNITS_LOOPS, ("mine[P + 1] / 3", "min(mine[P + 1], 2) / 3"))),
    (
        "other",
        slip(
            UNITS_LOOPS,
            (
                "(mine[point], theirs[P - 1 - point])",
                "(mine[point], min(2, theirs[P - 1 - point]))",
            ),
        ),
    ),
    (
        "other",
        slip(
            UNITS_LOOPS,
            (
                "(mine[point], theirs[P - 1 - point])",
                "(min(2, mine[point]), theirs[P - 1 - point])",
            ),
        ),
    ),
    ("board_view", slip(UNITS_LOOPS, ("in range(P):", "in range(P)[:: 1 - 2 * int(r)]:"))),
    (
        "row_turned",
        slip(
            UNITS_ARRAYS,
            ("    blocks = []", "    theirs = theirs[:, ::-1]\n    blocks = []"),
            ("theirs[:, :-2][:, ::-1]", "theirs[:, :-2]"),
        ),
    ),
    (
        "row_turned_points",
        slip(UNITS_ARRAYS, ("theirs[:, :-2][:, ::-1]", "theirs[:, ::-1][:, :-2]")),
    ),
    (
        "own_turned",
        slip(
            UNITS_ARRAYS,
            ("mine[:, :-2], theirs[:, :-2][:, ::-1]", "mine[:, :-2][:, ::-1], theirs[:, :-2]"),
        ),
    ),
    (
        "opponent_first",
        slip(
            UNITS_LOOPS,
            ("(mine[point], theirs[P - 1 - point])", "(theirs[P - 1 - point], mine[point])"),
        ),
    ),
    (
        "one_roller",
        slip(
            UNITS_ARRAYS,
            ("checkers[m, roller], checkers[m, 1", "checkers[m, roller[0]], checkers[m, 1"),
            ("1 - roller]", "1 - roller[0]]"),
        ),
    ),
    (
        "interleaved",
        slip(UNITS_ARRAYS, ("np.concatenate(blocks, axis=2)", "np.stack(blocks, axis=3)")),
    ),
    ("more_than", slip(UNITS_LOOPS, ("n >= k", "n > k"))),
    (
        "pairs",
        slip(
            UNITS_LOOPS,
            ("mine[P + 1] / 3, theirs[P] / 3", "theirs[P] / 3, mine[P + 1] / 3"),
        ),
    ),
    (
        "counts",
        slip(
            UNITS_ARRAYS, ("mine[:, -2:] / 3, theirs[:, -2:] / 3", "mine[:, -2:], theirs[:, -2:]")
        ),
    ),
]

# --- legal_turns ----------------------------------------------------------------------------------

STEPS = """
def steps(own, blocked, die):
    found = []
    for point in range(1, 10):
        goal = point - die
        if own[point - 1] == 0 or (own[8] > 0 and point != 9):
            continue
        if goal in blocked or (goal <= 0 and sum(own[3:]) > 0):
            continue
        if goal < 0 and sum(own[point:3]) > 0:
            continue
        after = list(own)
        after[point - 1] -= 1
        if goal > 0:
            after[goal - 1] += 1
        found.append(tuple(after))
    return found
"""

TURNS_REPAIRED = (
    STEPS
    + """
def legal_turns(own, blocked, dice):
    if dice[0] == dice[1]:
        reached = {tuple(own)}
        for _ in range(4):
            following = {end for position in reached for end in steps(position, blocked, dice[0])}
            if not following:
                break
            reached = following
        return sorted(reached)
    both, one = set(), {die: set(steps(own, blocked, die)) for die in dice}
    for first, second in (dice, dice[::-1]):
        for middle in one[first]:
            both.update(steps(middle, blocked, second))
    if both:
        return sorted(both)
    return sorted(one[max(dice)] or one[min(dice)] or {tuple(own)})
"""
)

TURNS_RECURSIVE = (
    STEPS
    + '''
def play(own, blocked, dice):
    """[(dice played, position)] of every play of these dice in this order."""
    ends = steps(own, blocked, dice[0]) if dice else []
    if not ends:
        return [((), own)]
    return [((dice[0], *used), end) for middle in ends for used, end in play(middle, blocked, dice[1:])]

def legal_turns(own, blocked, dice):
    a, b = dice
    orders = [[a] * 4] if a == b else [[a, b], [b, a]]
    plays = [one for order in orders for one in play(tuple(own), blocked, order)]
    best = max((len(used), sum(used)) for used, _ in plays)
    return list(dict.fromkeys(end for used, end in plays if (len(used), sum(used)) == best))
'''
)

TURNS_ARRAYS = """
import numpy as np

def legal_turns(own, blocked, dice):
    high, low = max(dice), min(dice)
    table = {}
    for order in ([(high,) * 4] if high == low else [(high, low), (low, high)]):
        queue = [(np.array(own), 0)]
        while queue:
            board, played = queue.pop()
            moved = False
            if played < len(order):
                points = np.flatnonzero(board) + 1
                if board[8]:
                    points = np.array([9])
                for point in points:
                    to = point - order[played]
                    if to in blocked:
                        continue
                    if to < 1 and (points.max() > 3 or (to < 0 and points.max() > point)):
                        continue
                    new = board.copy()
                    new[point - 1] -= 1
                    if to >= 1:
                        new[to - 1] += 1
                    queue.append((new, played + 1))
                    moved = True
            if not moved:
                table.setdefault((played, order[0] if played == 1 else 0), set()).add(tuple(new_ints(board)))
    return np.array(sorted(table[max(table)]))

def new_ints(board):
    return [int(n) for n in board]
"""

TURNS_HASTY = """
def steps(own, blocked, die):
    found = []
    for point in range(1, 10):
        goal = point - die
        if own[point - 1] == 0 or (own[8] > 0 and point != 9):
            continue
        if goal in blocked or (goal <= 0 and sum(own[3:]) > 0):
            continue
        after = list(own)
        after[point - 1] -= 1
        if goal > 0:
            after[goal - 1] += 1
        found.append(tuple(after))
    return found

def legal_turns(own, blocked, dice):
    plays = []
    for first, second in (dice, dice[::-1]):
        for middle in steps(own, blocked, first):
            ends = steps(middle, blocked, second)
            plays += [(2, end) for end in ends] or [(1, middle)]
    most = max((played for played, _ in plays), default=0)
    return sorted({position for played, position in plays if played == most}) or [own]
"""

REARMOST = (
    "        after = list(own)",
    "        if goal < 0 and sum(own[point:3]) > 0:\n"
    "            continue\n"
    "        after = list(own)",
)
TWICE = ("range(4)", "range(2)")
EITHER = ("one[max(dice)] or one[min(dice)] or", "one[dice[0]] | one[dice[1]] or")
ANY = ("        if goal < 0 and sum(own[point:3]) > 0:\n            continue\n", "")

TURNS_RIGHT = [TURNS_REPAIRED, TURNS_RECURSIVE, TURNS_ARRAYS]
TURNS_WRONG = [
    ("hasty", TURNS_HASTY),
    ("hasty", slip(TURNS_REPAIRED, TWICE, EITHER, ANY)),
    ("two_and_lower", slip(TURNS_HASTY, REARMOST)),
    ("two_and_any_off", slip(TURNS_REPAIRED, TWICE, ANY)),
    ("lower_and_any_off", slip(TURNS_REPAIRED, EITHER, ANY)),
    ("two", slip(TURNS_REPAIRED, TWICE)),
    ("two", slip(TURNS_RECURSIVE, ("[a] * 4", "[a] * 2"))),
    ("lower", slip(TURNS_REPAIRED, EITHER)),
    ("lower", slip(TURNS_RECURSIVE, ("(len(used), sum(used))", "len(used)"))),
    ("any_off", slip(TURNS_REPAIRED, ANY)),
    ("any_off", slip(TURNS_ARRAYS, (" or (to < 0 and points.max() > point)", ""))),
    ("exact_off", slip(TURNS_REPAIRED, ("goal < 0 and sum(own[point:3]) > 0", "goal < 0"))),
    (
        "shorter",
        slip(
            TURNS_REPAIRED,
            (
                "both.update(steps(middle, blocked, second))",
                "both.update(steps(middle, blocked, second) or [middle])",
            ),
            (
                "    if both:",
                "    if any(steps(middle, blocked, die) for die, start in (dice, dice[::-1]) for "
                "middle in one[start]):",
            ),
        ),
    ),
    (
        "other",
        slip(
            TURNS_RECURSIVE,
            (
                "    plays = [one",
                "    if steps(own, blocked, max(dice)):\n"
                "        orders = orders[dice.index(max(dice)) :][:1]\n"
                "    plays = [one",
            ),
        ),
    ),
    (
        "other",
        slip(
            TURNS_REPAIRED,
            ("(goal <= 0 and sum(own[3:]) > 0)", "(goal <= 0 and 0 in blocked)"),
            (
                "    if dice[0] == dice[1]:",
                "    blocked = [*blocked, *[0] * any(own[3:])]\n    if dice[0] == dice[1]:",
            ),
        ),
    ),
    ("other", slip(TURNS_REPAIRED, ("sum(own[point:3]) > 0", "point < 3"))),
    (
        "fewer",
        slip(
            TURNS_REPAIRED,
            ("reached = {tuple(own)}", "reached, listed = {tuple(own)}, set()"),
            ("            reached = following\n", "            listed |= (reached := following)\n"),
            ("sorted(reached)", "sorted(listed or reached)"),
        ),
    ),
    ("one_order", slip(TURNS_RECURSIVE, ("[[a, b], [b, a]]", "[[max(a, b), min(a, b)]]"))),
    (
        "doubled",
        slip(
            TURNS_REPAIRED,
            ("range(4)", "range(2)"),
            ("steps(position, blocked, dice[0])", "steps(position, blocked, 2 * dice[0])"),
        ),
    ),
    (
        "all_or_nothing",
        slip(TURNS_REPAIRED, ("                break", "                return [tuple(own)]")),
    ),
    (
        "other",
        slip(
            TURNS_REPAIRED,
            ("reached = {tuple(own)}", "reached = {tuple(own)}\n        after = [reached]"),
            (
                "            reached = following\n        return sorted(reached)",
                "            reached = following\n"
                "            after.append(reached)\n"
                "        return sorted(after[4] if len(after) == 5 else after[:3][-1])",
            ),
        ),
    ),
    (
        "other",
        slip(
            TURNS_RECURSIVE,
            (
                "    best = max(",
                "    if a == b and max(len(used) for used, _ in plays) < 4:\n"
                "        plays = play(tuple(own), blocked, dice)\n"
                "    best = max(",
            ),
        ),
    ),
    (
        "wrong_die",
        slip(
            TURNS_REPAIRED, ("one[max(dice)] or one[min(dice)]", "one[min(dice)] or one[max(dice)]")
        ),
    ),
    ("bar", slip(TURNS_REPAIRED, (" or (own[8] > 0 and point != 9)", ""))),
    (
        "bar",
        slip(
            TURNS_ARRAYS,
            ("                if board[8]:\n                    points = np.array([9])\n", ""),
        ),
    ),
    (
        "empty",
        slip(
            TURNS_REPAIRED,
            (" or {tuple(own)})", ")"),
            ("        return sorted(reached)", "        return sorted(reached - {tuple(own)})"),
        ),
    ),
    ("empty", slip(TURNS_RECURSIVE, ("== best))", "== best and used))"))),
    ("empty", slip(TURNS_REPAIRED, (" or {tuple(own)})", ")"))),
    (
        "lost_double",
        slip(
            TURNS_REPAIRED,
            ("            if not following:\n                break\n", ""),
        ),
    ),
    ("lands", slip(TURNS_REPAIRED, ("goal in blocked or (", "("))),
    (
        "other",
        slip(TURNS_REPAIRED, ("goal = point - die", "goal = die if point == 9 else point - die")),
    ),
    (
        "outside",
        slip(
            TURNS_REPAIRED,
            ("goal in blocked or (goal <= 0 and sum(own[3:]) > 0)", "goal in blocked"),
        ),
    ),
    (
        "changed",
        slip(
            TURNS_REPAIRED,
            ("    if dice[0] == dice[1]:", "    blocked.append(10)\n    if dice[0] == dice[1]:"),
        ),
    ),
    (
        "repeats",
        slip(
            TURNS_RECURSIVE,
            (
                "list(dict.fromkeys(end for used, end in plays if (len(used), sum(used)) == best))",
                "[end for used, end in plays if (len(used), sum(used)) == best]",
            ),
        ),
    ),
    ("kind", slip(TURNS_RECURSIVE, ("return list(dict", "print(dict"))),
    ("kind", slip(TURNS_REPAIRED, ("        return sorted(reached)", "        return reached"))),
    (
        "shape",
        slip(
            TURNS_ARRAYS,
            ("np.array(sorted(table[max(table)]))", "np.array(sorted(table[max(table)]))[:, :8]"),
        ),
    ),
    (
        "imported",
        "from rlcourse.checks import oracle05\n"
        "\ndef legal_turns(own, blocked, dice):\n"
        "    return oracle05.legal_turns(own, blocked, dice)",
    ),
    ("other", slip(TURNS_REPAIRED, ("range(4)", "range(3)"))),
    ("other", slip(TURNS_REPAIRED, ("range(4)", "range(5)"))),
    ("other", slip(TURNS_REPAIRED, ("own[3:]", "own[4:]"))),
    (
        "other",
        slip(TURNS_REPAIRED, ("goal < 0 and sum(own[point:3])", "goal <= 0 and sum(own[point:3])")),
    ),
    ("other", slip(TURNS_REPAIRED, ("in (dice, dice[::-1])", "in (sorted(dice),)"))),
    (
        "wrong_die",
        slip(TURNS_REPAIRED, ("one[max(dice)] or one[min(dice)]", "one[dice[0]] or one[dice[1]]")),
    ),
    ("other", slip(TURNS_REPAIRED, ("or one[min(dice)] or", "or"))),
    ("other", slip(TURNS_REPAIRED, ("range(4)", "range(2 if own[8] else 4)"))),
    ("other", slip(TURNS_REPAIRED, ("sum(own[point:3])", "sum(own[: point - 1])"))),
    ("other", slip(TURNS_REPAIRED, ("goal = point - die", "goal = min(point, 8) - die"))),
    ("other", slip(TURNS_REPAIRED, ("sum(own[point:3]) > 0", "sum(own[point:3]) > 1"))),
    (
        "wrong_die",
        slip(TURNS_REPAIRED, ("one[max(dice)] or one[min(dice)]", "one[min(dice)]")),
    ),
    (
        "empty",
        slip(
            TURNS_REPAIRED,
            ("one[max(dice)] or one[min(dice)] or {tuple(own)}", "one[max(dice)]"),
        ),
    ),
    (
        "held_inside",
        slip(TURNS_REPAIRED, ("goal < 0 and sum(own[point:3])", "goal > 0 and sum(own[point:3])")),
    ),
]

# --- match_chances --------------------------------------------------------------------------------

MATCH_ARRAYS = """
import numpy as np

def match_chances(outputs, mine, theirs, table):
    win, win_g, win_b, lose_g, lose_b = outputs.T
    chance = (1 - win - lose_g) * table[max(mine - 1, 0), theirs]
    chance += (lose_g - lose_b) * table[max(mine - 2, 0), theirs]
    chance += lose_b * table[max(mine - 3, 0), theirs]
    chance += (win - win_g) * table[mine, max(theirs - 1, 0)]
    chance += (win_g - win_b) * table[mine, max(theirs - 2, 0)]
    chance += win_b * table[mine, max(theirs - 3, 0)]
    return chance
"""

MATCH_STEPS = '''
import numpy as np

def match_chances(outputs, mine, theirs, table):
    """Like an equity: start from a lost and a won single game, and add what every further point brings."""
    mover = np.column_stack([1 - outputs[:, 0], outputs[:, 3:], outputs[:, 1:3]])  # win, g, b, lose g, b of the mover
    won = [table[i, theirs] for i in np.clip(mine - np.arange(1, 4), 0, None)]
    lost = [table[mine, i] for i in np.clip(theirs - np.arange(1, 4), 0, None)]
    total = mover[:, 0] * won[0] + (1 - mover[:, 0]) * lost[0]
    for k in (1, 2):
        total += mover[:, k] * (won[k] - won[k - 1]) + mover[:, k + 2] * (lost[k] - lost[k - 1])
    return total
'''

MATCH_LOOPS = """
def match_chances(outputs, mine, theirs, table):
    chances = []
    for w, wg, wb, lg, lb in outputs:
        results = {1: 1 - w - lg, 2: lg - lb, 3: lb, -1: w - wg, -2: wg - wb, -3: wb}
        chance = 0.0
        for points, p in results.items():
            if points > 0:
                chance += p * (1.0 if points >= mine else table[mine - points, theirs])
            elif -points < theirs:
                chance += p * table[mine, theirs + points]
        chances.append(chance)
    return chances
"""

MATCH_FROM_THE_OTHER_SIDE = """
def match_chances(outputs, mine, theirs, table):
    w, wg, wb, lg, lb = outputs.T
    other = sum(p * table[max(theirs - k, 0), mine] for p, k in ((w - wg, 1), (wg - wb, 2), (wb, 3)))
    my = sum(p * table[theirs, max(mine - k, 0)] for p, k in ((1 - w - lg, 1), (lg - lb, 2), (lb, 3)))
    return 1 - other - my
"""

MATCH_RIGHT = [MATCH_ARRAYS, MATCH_STEPS, MATCH_LOOPS, MATCH_FROM_THE_OTHER_SIDE]
MATCH_WRONG = [
    ("nested_single_won", slip(MATCH_LOOPS, ("1 - w - lg", "1 - w"))),
    ("nested_single_lost", slip(MATCH_LOOPS, ("w - wg,", "w,"))),
    ("exchanged_won", slip(MATCH_STEPS, ("table[i, theirs] for", "table[theirs, i] for"))),
    ("exchanged_lost", slip(MATCH_STEPS, ("table[mine, i] for", "table[i, mine] for"))),
    (
        "view",
        slip(
            MATCH_ARRAYS, ("= outputs.T", "= (1 - outputs[:, 0], *outputs.T[3:], *outputs.T[1:3])")
        ),
    ),
    (
        "view",
        slip(
            MATCH_STEPS,
            ("np.column_stack([1 - outputs[:, 0], outputs[:, 3:], outputs[:, 1:3]])", "outputs"),
        ),
    ),
    ("half_view", slip(MATCH_STEPS, ("outputs[:, 3:], outputs[:, 1:3]", "outputs[:, 1:]"))),
    (
        "nested",
        slip(
            MATCH_LOOPS,
            (
                "1: 1 - w - lg, 2: lg - lb, 3: lb, -1: w - wg, -2: wg - wb",
                "1: 1 - w, 2: lg, 3: lb, -1: w, -2: wg",
            ),
        ),
    ),
    ("win_view", slip(MATCH_STEPS, ("[1 - outputs[:, 0]", "[outputs[:, 0]"))),
    ("nested_single", slip(MATCH_LOOPS, ("1 - w - lg", "1 - w"), ("w - wg,", "w,"))),
    ("nested_gammon", slip(MATCH_LOOPS, ("lg - lb", "lg"), ("wg - wb", "wg"))),
    ("nested_gammon_lost", slip(MATCH_LOOPS, ("wg - wb", "wg"))),
    ("nested_gammon_won", slip(MATCH_LOOPS, ("lg - lb", "lg"))),
    (
        "nested_lost",
        slip(MATCH_LOOPS, ("-1: w - wg, -2: wg - wb", "-1: w, -2: wg")),
    ),
    (
        "nested_won",
        slip(MATCH_LOOPS, ("1: 1 - w - lg, 2: lg - lb", "1: 1 - w, 2: lg")),
    ),
    (
        "plain",
        slip(
            MATCH_ARRAYS,
            ("mine - 2", "mine - 1"),
            ("mine - 3", "mine - 1"),
            ("theirs - 2", "theirs - 1"),
            ("theirs - 3", "theirs - 1"),
        ),
    ),
    ("no_triple", slip(MATCH_STEPS, ("for k in (1, 2):", "for k in (1,):"))),
    (
        "wraps",
        slip(
            MATCH_ARRAYS,
            *(
                (f"max({side} - {k}, 0)", f"{side} - {k}")
                for side in ("mine", "theirs")
                for k in (1, 2, 3)
            ),
        ),
    ),
    *(
        (name, slip(MATCH_ARRAYS, *((f"max({side} - {k}, 0)", f"{side} - {k}") for k in (1, 2, 3))))
        for name, side in (("wraps_won", "mine"), ("wraps_lost", "theirs"))
    ),
    (
        "exclusive",
        slip(
            MATCH_LOOPS,
            (
                "1: 1 - w - lg, 2: lg - lb, 3: lb, -1: w - wg, -2: wg - wb",
                "1: 1 - w - wg - wb - lg - lb, 2: lg, 3: lb, -1: w, -2: wg",
            ),
        ),
    ),
    (
        "beyond",
        slip(
            MATCH_LOOPS,
            (
                "            if points > 0:",
                "            if points > mine or -points > theirs:\n"
                "                continue\n"
                "            if points > 0:",
            ),
        ),
    ),
    ("exchanged", slip(MATCH_ARRAYS, ("    win,", "    table = table.T\n    win,"))),
    ("kind", slip(MATCH_LOOPS, ("return chances", "print(chances)"))),
    (
        "changed",
        slip(
            MATCH_STEPS,
            ("    mover =", "    outputs[:, 1:] = outputs[:, [3, 4, 1, 2]]\n    mover ="),
            ("outputs[:, 3:], outputs[:, 1:3]", "outputs[:, 1:]"),
        ),
    ),
    (
        "other",
        "MEMO = {}\n"
        + slip(
            MATCH_ARRAYS,
            (
                "    return chance",
                "    return MEMO.setdefault((outputs.tobytes(), mine, theirs), chance)",
            ),
        ),
    ),
    ("shape", slip(MATCH_STEPS, ("return total", "return total.max()"))),
    (
        "imported",
        "def match_chances(*args):\n"
        "    from rlcourse.checks.oracle05 import match_chances\n"
        "    return match_chances(*args)",
    ),
    ("shape", slip(MATCH_ARRAYS, ("return chance", "return np.squeeze(chance)"))),
    ("other", slip(MATCH_ARRAYS, ("max(mine - 3, 0)", "mine - 3"))),
    ("other", slip(MATCH_ARRAYS, ("max(theirs - 2, 0)", "theirs - 2"))),
    (
        "other",
        slip(MATCH_ARRAYS, ("table[mine, max(theirs - 1, 0)]", "table[max(theirs - 1, 0), mine]")),
    ),
]

# --- gammon_targets -------------------------------------------------------------------------------

TARGETS_BACKWARDS = """
import numpy as np

def gammon_targets(outputs, points, lam):
    targets = np.zeros(outputs.shape)
    targets[-1] = 1, points >= 2, 0
    for t in range(len(outputs) - 2, -1, -1):
        win, gammon, lost = (1 - lam) * outputs[t + 1] + lam * targets[t + 1]
        targets[t] = 1 - win, lost, gammon
    return targets
"""

TARGETS_ONE_ACCOUNT = '''
import numpy as np

def gammon_targets(outputs, points, lam):
    """Everything to the account of who rolls last; turned back in the end."""
    T = len(outputs)
    other = (T - 1 - np.arange(T)) % 2 == 1
    turned = np.stack([1 - outputs[:, 0], outputs[:, 2], outputs[:, 1]], axis=1)
    values = np.where(other[:, None], turned, outputs)
    goal = np.array([1.0, float(points > 1), 0.0])
    rows = [goal]
    for estimate in values[:0:-1]:
        goal = (1 - lam) * estimate + lam * goal
        rows.insert(0, goal)
    rows = np.array(rows)
    rows[other] = np.stack([1 - rows[other, 0], rows[other, 2], rows[other, 1]], axis=1)
    return rows
'''

TARGETS_FORWARD = '''
import numpy as np

def gammon_targets(outputs, points, lam):
    """The definition: all n-step estimates of each position, weighted."""
    def seen(row, steps):
        return row if steps % 2 == 0 else np.array([1 - row[0], row[2], row[1]])
    T, result, targets = len(outputs), np.array([1.0, 1.0 if points in (2, 3) else 0.0, 0.0]), []
    for t in range(T):
        left = T - 1 - t
        target = lam ** left * seen(result, left)
        for n in range(1, left + 1):
            target = target + (1 - lam) * lam ** (n - 1) * seen(outputs[t + n], n)
        targets.append(target)
    return targets
'''

TARGETS_RIGHT = [TARGETS_BACKWARDS, TARGETS_ONE_ACCOUNT, TARGETS_FORWARD]
TARGETS_WRONG = [
    (
        "view",
        slip(
            TARGETS_BACKWARDS,
            ("targets[t] = 1 - win, lost, gammon", "targets[t] = win, gammon, lost"),
        ),
    ),
    ("view", slip(TARGETS_FORWARD, ("if steps % 2 == 0", "if True"))),
    ("no_swap", slip(TARGETS_BACKWARDS, ("1 - win, lost, gammon", "1 - win, gammon, lost"))),
    ("sign", slip(TARGETS_BACKWARDS, ("1 - win, lost, gammon", "-win, -lost, -gammon"))),
    (
        "complements",
        slip(TARGETS_BACKWARDS, ("1 - win, lost, gammon", "1 - win, 1 - gammon, 1 - lost")),
    ),
    (
        "half_turn",
        slip(
            TARGETS_BACKWARDS,
            ("(1 - lam) * outputs[t + 1] + lam * targets[t + 1]", "outputs[t + 1]"),
            (
                "targets[t] = 1 - win, lost, gammon",
                "targets[t] = (1 - lam) * np.array([1 - win, lost, gammon]) + lam * targets[t + 1]",
            ),
        ),
    ),
    (
        "estimate_unturned",
        slip(
            TARGETS_BACKWARDS,
            ("(1 - lam) * outputs[t + 1] + lam * targets[t + 1]", "targets[t + 1]"),
            (
                "targets[t] = 1 - win, lost, gammon",
                "targets[t] = (1 - lam) * outputs[t + 1] + lam * np.array([1 - win, lost, gammon])",
            ),
        ),
    ),
    (
        "one_account",
        slip(
            TARGETS_ONE_ACCOUNT,
            (
                "    rows[other] = np.stack([1 - rows[other, 0], rows[other, 2], rows[other, 1]], "
                "axis=1)\n",
                "",
            ),
        ),
    ),
    (
        "result_only",
        slip(TARGETS_BACKWARDS, ("(1 - lam) * outputs[t + 1] + lam * targets", "targets")),
    ),
    (
        "next_only",
        slip(TARGETS_BACKWARDS, ("(1 - lam) * outputs[t + 1] + lam * targets", "outputs")),
    ),
    ("own_value", slip(TARGETS_ONE_ACCOUNT, ("values[:0:-1]", "values[-2::-1]"))),
    (
        "end_value",
        slip(
            TARGETS_BACKWARDS,
            (
                "targets[-1] = 1, points >= 2, 0",
                "targets[-1] = (1 - lam) * outputs[-1] + lam * np.array([1, points >= 2, 0])",
            ),
        ),
    ),
    (
        "end_value",
        slip(
            TARGETS_ONE_ACCOUNT,
            (
                "    rows = [goal]",
                "    goal = (1 - lam) * values[-1] + lam * goal\n    rows = [goal]",
            ),
        ),
    ),
    ("exclusive", slip(TARGETS_BACKWARDS, ("= 1, points >= 2, 0", "= points < 2, points >= 2, 0"))),
    ("only_two", slip(TARGETS_FORWARD, ("points in (2, 3)", "points == 2"))),
    ("points", slip(TARGETS_BACKWARDS, ("points >= 2", "points - 1"))),
    (
        "swapped",
        slip(
            TARGETS_BACKWARDS,
            (
                "(1 - lam) * outputs[t + 1] + lam * targets[t + 1]",
                "lam * outputs[t + 1] + (1 - lam) * targets[t + 1]",
            ),
        ),
    ),
    (
        "changed",
        slip(
            TARGETS_BACKWARDS,
            (
                "    targets = np.zeros(outputs.shape)",
                "    outputs = outputs\n    given = outputs.copy()\n    targets = outputs",
            ),
            ("* outputs[t + 1]", "* given[t + 1]"),
        ),
    ),
    (
        "other",
        "MEMO = {}\n"
        + slip(
            TARGETS_BACKWARDS,
            (
                "    return targets",
                "    return MEMO.setdefault((outputs.tobytes(), points), targets)",
            ),
        ),
    ),
    (
        "raised an error",
        slip(
            TARGETS_BACKWARDS,
            ("    targets[-1] = 1, points", "    targets[-2] += 0\n    targets[-1] = 1, points"),
        ),
    ),
    ("shape", slip(TARGETS_BACKWARDS, ("return targets", "return targets[:-1]"))),
    ("imported", "from rlcourse.checks import oracle05\ngammon_targets = oracle05.gammon_targets"),
    (
        "other",
        slip(
            TARGETS_BACKWARDS,
            (
                "targets[-1] = 1, points >= 2, 0",
                "targets[-1] = (1, points >= 2, 0) if len(outputs) % 2 else (0, 0, points >= 2)",
            ),
        ),
    ),
    (
        "not_finite",
        slip(
            TARGETS_FORWARD,
            (
                "lam ** left * seen(result, left)",
                "lam ** left * seen(result, left) / np.float64(1 - lam)",
            ),
            ("target + (1 - lam) * lam", "target + lam"),
            ("targets.append(target)", "targets.append(target * (1 - lam))"),
        ),
    ),
    ("shape", slip(TARGETS_BACKWARDS, ("return targets", "return targets.squeeze()"))),
    (
        "other",
        slip(TARGETS_ONE_ACCOUNT, ("(T - 1 - np.arange(T)) % 2 == 1", "np.arange(T) % 2 == 1")),
    ),
    ("only_three", slip(TARGETS_FORWARD, ("points in (2, 3)", "points == 3"))),
    ("loses_gammon", slip(TARGETS_BACKWARDS, ("= 1, points >= 2, 0", "= 1, 0, points >= 2"))),
    ("last_loses", slip(TARGETS_BACKWARDS, ("= 1, points >= 2, 0", "= 0, 0, points >= 2"))),
    ("win_unturned", slip(TARGETS_BACKWARDS, ("1 - win, lost, gammon", "win, lost, gammon"))),
    ("own_value_turned", slip(TARGETS_BACKWARDS, ("outputs[t + 1]", "outputs[t]"))),
    ("no_estimate", slip(TARGETS_BACKWARDS, ("(1 - lam) * outputs[t + 1] + lam", "lam"))),
]

# --- two_ply_chances ------------------------------------------------------------------------------

PLY_THROWS = """
import numpy as np

def two_ply_chances(plays, theirs, goes, values):
    total = np.zeros(len(plays))
    for first in range(1, 5):
        for second in range(1, 5):
            replies = []
            for die in (first, second):
                square = goes[max(0, theirs - die)]
                replies.append(values[plays, square] if square > 0 else np.zeros(len(plays)))
            total += np.minimum(*replies) / 16
    total[plays == 0] = 1
    return total
"""

PLY_LOOPS = """
def two_ply_chances(plays, theirs, goes, values):
    answer = []
    for play in plays:
        if play == 0:
            answer.append(1)
            continue
        def left(die):
            square = goes[theirs - die] if theirs > die else 0
            return values[play][square] if square else 0
        mean = 0
        for high in (1, 2, 3, 4):
            mean += left(high) / 16
            for low in range(1, high):
                mean += min(left(high), left(low)) * 2 / 16
        answer.append(mean)
    return answer
"""

PLY_SORTED = '''
import numpy as np

def two_ply_chances(plays, theirs, goes, values):
    """The least of two dice: the k-th smallest of four is it in 7, 5, 3, 1 of 16 throws."""
    squares = goes[np.maximum(theirs - np.arange(1, 5), 0)]
    left = np.where(squares == 0, 0.0, values[np.ix_(plays, squares)])
    return np.where(plays == 0, 1.0, np.sort(left, axis=1) @ np.array([7, 5, 3, 1]) / 16)
'''

PLY_RIGHT = [PLY_THROWS, PLY_LOOPS, PLY_SORTED]
PLY_WRONG = [
    ("one_reply", slip(PLY_THROWS, ("np.minimum(*replies)", "min(replies, key=np.sum)"))),
    (
        "both_too",
        slip(
            PLY_LOOPS,
            ("left(high) / 16", "min(left(high), left(2 * high)) / 16"),
            ("min(left(high), left(low))", "min(left(high), left(low), left(high + low))"),
        ),
    ),
    ("higher", slip(PLY_LOOPS, ("min(left(high), left(low)) * 2 / 16", "left(high) * 2 / 16"))),
    (
        "nearest",
        slip(
            PLY_THROWS,
            (
                "            for die in (first, second):",
                "            where = {die: goes[max(0, theirs - die)] for die in (first, second)}\n"
                "            for die in [min(where, key=where.get)] * 2:",
            ),
        ),
    ),
    (
        "doubles",
        slip(
            PLY_THROWS,
            ("for second in range(1, 5)", "for second in range(1, first + 1)"),
            ("/ 16", "/ 10"),
        ),
    ),
    ("doubles", slip(PLY_LOOPS, ("left(high) / 16", "left(high) / 10"), ("* 2 / 16", "/ 10"))),
    ("view", slip(PLY_THROWS, ("values[plays, square]", "values[square, plays]"))),
    ("roller", slip(PLY_THROWS, ("values[plays, square]", "1 - values[square, plays]"))),
    ("friendly", slip(PLY_THROWS, ("np.minimum", "np.maximum"))),
    ("friendly", slip(PLY_SORTED, ("[7, 5, 3, 1]", "[1, 3, 5, 7]"))),
    ("once", slip(PLY_LOOPS, ("* 2 / 16", "/ 16"))),
    (
        "six_sides",
        slip(
            PLY_THROWS,
            ("for first in range(1, 5)", "for first in range(1, 7)"),
            ("for second in range(1, 5)", "for second in range(1, 7)"),
            ("/ 16", "/ 36"),
        ),
    ),
    (
        "best_roll",
        slip(
            PLY_SORTED, ("np.sort(left, axis=1) @ np.array([7, 5, 3, 1]) / 16", "left.min(axis=1)")
        ),
    ),
    (
        "random",
        slip(
            PLY_SORTED,
            ("np.sort(left, axis=1) @ np.array([7, 5, 3, 1]) / 16", "left.mean(axis=1)"),
        ),
    ),
    ("random", slip(PLY_LOOPS, ("min(left(high), left(low))", "(left(high) + left(low)) / 2"))),
    (
        "before_throw",
        slip(
            PLY_THROWS,
            (
                "    total = np.zeros(len(plays))",
                "    total, low = np.zeros(len(plays)), np.zeros(len(plays))",
            ),
            ("for die in (first, second)", "for die in (max(first, second), min(first, second))"),
            (
                "            total += np.minimum(*replies) / 16",
                "            total += replies[0] / 16\n            low += replies[1] / 16",
            ),
            ("    total[plays", "    total = np.minimum(total, low)\n    total[plays"),
        ),
    ),
    ("my_end", slip(PLY_THROWS, ("    total[plays == 0] = 1\n", ""))),
    (
        "their_end",
        slip(
            PLY_THROWS,
            (
                "values[plays, square] if square > 0 else np.zeros(len(plays))",
                "values[plays, square]",
            ),
        ),
    ),
    ("their_end", slip(PLY_LOOPS, (" if square else 0", ""))),
    (
        "no_ladders",
        slip(
            PLY_SORTED,
            (
                "goes[np.maximum(theirs - np.arange(1, 5), 0)]",
                "np.maximum(theirs - np.arange(1, 5), 0)",
            ),
        ),
    ),
    (
        "one_ply",
        "import numpy as np\n"
        "def two_ply_chances(plays, theirs, goes, values):\n"
        "    return np.where(plays == 0, 1, 1 - values[theirs, plays])",
    ),
    (
        "changed",
        slip(
            PLY_THROWS,
            (
                "    total = np.zeros(len(plays))",
                "    total = np.zeros(len(plays))\n    values[:, 0] = 0.0",
            ),
        ),
    ),
    (
        "other",
        "MEMO = {}\n"
        + slip(
            PLY_THROWS,
            ("    return total", "    return MEMO.setdefault((plays.tobytes(), theirs), total)"),
        ),
    ),
    (
        "other",
        "MEMO = {}\n"
        + slip(
            PLY_LOOPS,
            (
                "            return values[play][square] if square else 0",
                "            return MEMO.setdefault((len(goes), play, square), "
                "values[play][square] if square else 0)",
            ),
        ),
    ),
    ("kind", slip(PLY_LOOPS, ("    return answer", "    print(answer)"))),
    ("imported", "from rlcourse.checks.reference05 import two_ply_chances as two_ply_chances"),
    ("shape", slip(PLY_THROWS, ("return total", "return np.squeeze(total)"))),
    ("wraps", slip(PLY_THROWS, ("goes[max(0, theirs - die)]", "goes[theirs - die]"))),
    (
        "exact_home",
        slip(
            PLY_THROWS,
            ("goes[max(0, theirs - die)]", "goes[theirs - die] if die <= theirs else theirs"),
        ),
    ),
    (
        "other",
        slip(
            PLY_THROWS,
            (
                "    total[plays == 0] = 1",
                "    if 0 in plays:\n        total[np.argmin(plays)] = 1",
            ),
        ),
    ),
    (
        "raised an error",
        slip(PLY_THROWS, ("    total[plays == 0] = 1", "    total[list(plays).index(0)] = 1")),
    ),
    (
        "first_reply",
        slip(PLY_THROWS, ("np.minimum(*replies)", "min(replies, key=lambda left: left[0])")),
    ),
    (
        "their_win",
        slip(PLY_THROWS, ("square > 0 else np.zeros(", "square > 0 else np.ones(")),
    ),
    (
        "ladder_home",
        slip(PLY_THROWS, ("if square > 0 else", "if theirs > die else")),
    ),
    (
        "both",
        slip(
            PLY_THROWS,
            ("for die in (first, second)", "for die in (first + second, first + second)"),
        ),
    ),
]

RIGHT = {
    "hyper_units": UNITS_RIGHT,
    "legal_turns": TURNS_RIGHT,
    "match_chances": MATCH_RIGHT,
    "gammon_targets": TARGETS_RIGHT,
    "two_ply_chances": PLY_RIGHT,
}
WRONG = {
    "hyper_units": UNITS_WRONG,
    "legal_turns": TURNS_WRONG,
    "match_chances": MATCH_WRONG,
    "gammon_targets": TARGETS_WRONG,
    "two_ply_chances": PLY_WRONG,
}
