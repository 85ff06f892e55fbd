"""Slips of a writer who knew only the text of sheet 05."""

ANSWERS = {
    "hyper_units": """import numpy as np


def hyper_units(checkers, roller):
    checkers = np.asarray(checkers)
    M = len(checkers)
    P = checkers.shape[2] - 2
    rows = []
    for m in range(M):
        me = checkers[m, roller[m]]
        you = checkers[m, 1 - roller[m]]
        row = []
        for i in range(P):
            for side in (me[i], you[P - 1 - i]):
                row += [side >= 1, side >= 2, side >= 3]
        row += [me[P] / 3, me[P + 1] / 3, you[P] / 3, you[P + 1] / 3]
        rows.append(row)
    return np.array(rows, dtype=float).reshape(M, 6 * P + 4)
""",
    "legal_turns": """def one_step(own, blocked, die):
    found = []
    for point in range(1, 10):
        if own[point - 1] == 0:
            continue
        if own[8] > 0 and point != 9:
            continue
        goal = point - die
        if goal in blocked:
            continue
        if goal <= 0 and sum(own[3:]) > 0:
            continue
        if goal < 0 and any(own[point:]):
            continue
        after = list(own)
        after[point - 1] -= 1
        if goal > 0:
            after[goal - 1] += 1
        found.append(tuple(after))
    return found


def legal_turns(own, blocked, dice):
    own = tuple(own)
    a, b = dice
    if a == b:
        level = {own}
        for _ in range(4):
            following = {e for pos in level for e in one_step(pos, blocked, a)}
            if not following:
                break
            level = following
        return list(level)
    both = set()
    for first, second in ((a, b), (b, a)):
        for middle in one_step(own, blocked, first):
            both.update(one_step(middle, blocked, second))
    if both:
        return list(both)
    for die in (max(dice), min(dice)):
        single = set(one_step(own, blocked, die))
        if single:
            return list(single)
    return [own]
""",
    "match_chances": """import numpy as np


def match_chances(outputs, mine, theirs, table):
    outputs = np.asarray(outputs, float)
    table = np.asarray(table, float)
    win, wing, winb, loseg, loseb = outputs.T
    they = [win - wing, wing - winb, winb]
    me = [1 - win - loseg, loseg - loseb, loseb]
    chance = np.zeros(len(outputs))
    for k in range(3):
        points = k + 1
        chance += they[k] * table[mine, max(0, theirs - points)]
        chance += me[k] * table[max(0, mine - points), theirs]
    return chance
""",
    "gammon_targets": """import numpy as np


def other(row):
    return np.array([1 - row[0], row[2], row[1]])


def gammon_targets(outputs, points, lam):
    outputs = np.asarray(outputs, float)
    T = len(outputs)
    out = np.zeros((T, 3))
    out[T - 1] = [1.0, float(points >= 2), 0.0]
    for t in range(T - 2, -1, -1):
        mixed = (1 - lam) * outputs[t + 1] + lam * out[t + 1]
        out[t] = other(mixed)
    return out
""",
    "two_ply_chances": """import numpy as np


def two_ply_chances(plays, theirs, goes, values):
    out = []
    for mine in plays:
        if mine == 0:
            out.append(1.0)
            continue
        left = []
        for die in (1, 2, 3, 4):
            square = goes[max(0, theirs - die)]
            left.append(0.0 if square == 0 else values[mine, square])
        total = 0.0
        for i in range(4):
            for j in range(4):
                total += min(left[i], left[j])
        out.append(total / 16)
    return np.array(out, dtype=float)
""",
}
SLIPS = [
    (
        "hyper_units",
        "player 0's units always come first, as in the array",
        "        me = checkers[m, roller[m]]\n        you = checkers[m, 1 - roller[m]]\n",
        "        me = checkers[m, 0]\n        you = checkers[m, 1]\n",
    ),
    (
        "hyper_units",
        "exactly one, exactly two, three: one unit of the three is on",
        "row += [side >= 1, side >= 2, side >= 3]",
        "row += [side == 1, side == 2, side == 3]",
    ),
    (
        "hyper_units",
        "the four numbers are bar of both, then borne off of both",
        "[me[P] / 3, me[P + 1] / 3, you[P] / 3, you[P + 1] / 3]",
        "[me[P] / 3, you[P] / 3, me[P + 1] / 3, you[P + 1] / 3]",
    ),
    (
        "hyper_units",
        "the opponent counts from the other end, so the opponent's whole row is turned round",
        "you[P - 1 - i]",
        "you[P + 1 - i]",
    ),
    (
        "legal_turns",
        "a double that gets stuck before the fourth step leaves the position as it is",
        "            if not following:\n                break\n",
        "            if not following:\n                return [own]\n",
    ),
    (
        "match_chances",
        "win, gammon and backgammon are three results that exclude each other",
        "    they = [win - wing, wing - winb, winb]\n    me = [1 - win - loseg, loseg - loseb, loseb]\n",
        "    they = [win, wing, winb]\n    me = [1 - win, loseg, loseb]\n",
    ),
    (
        "match_chances",
        "the outputs are for the player who rolls, which is me",
        "    win, wing, winb, loseg, loseb = outputs.T\n",
        "    lose, loseg, loseb, wing, winb = outputs.T\n    win = 1 - lose\n",
    ),
    (
        "match_chances",
        "table[a, b] is read with the points of the player who rolls next first",
        "table[mine, max(0, theirs - points)]",
        "table[max(0, theirs - points), mine]",
    ),
    (
        "gammon_targets",
        "points 2 is a gammon, so the gammon output is 1 exactly for 2",
        "float(points >= 2)",
        "float(points == 2)",
    ),
    (
        "gammon_targets",
        "lambda is the weight of the next estimate",
        "(1 - lam) * outputs[t + 1] + lam * out[t + 1]",
        "lam * outputs[t + 1] + (1 - lam) * out[t + 1]",
    ),
    (
        "gammon_targets",
        "who rolls in the last position has made their last move: the opponent has won",
        "[1.0, float(points >= 2), 0.0]",
        "[0.0, 0.0, float(points >= 2)]",
    ),
    (
        "two_ply_chances",
        "with 0 at home my value is 1 only if the table says it",
        "        if mine == 0:\n            out.append(1.0)\n            continue\n",
        "",
    ),
    (
        "two_ply_chances",
        "the table is for the opponent, who rolls next: their square first and one minus it",
        "values[mine, square]",
        "1 - values[square, mine]",
    ),
    (
        "two_ply_chances",
        "the opponent takes the die that brings them nearer home",
        "total += min(left[i], left[j])",
        "total += left[max(i, j)]",
    ),
    (
        "two_ply_chances",
        "an opponent who gets home is where the table's column 0 says so",
        "left.append(0.0 if square == 0 else values[mine, square])",
        "left.append(values[mine, square])",
    ),
]
