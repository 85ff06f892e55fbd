"""Slips of a writer who knew only the text of sheet 05."""

ANSWERS = {
    "hyper_units": """import numpy as np


def hyper_units(checkers, roller):
    checkers, roller = np.asarray(checkers), np.asarray(roller)
    M, P = len(checkers), checkers.shape[2] - 2
    rows = np.arange(M)
    mine = checkers[rows, roller]
    yours = checkers[rows, 1 - roller]
    points = mine[:, :P], yours[:, :P][:, ::-1]
    units = np.zeros((M, P, 6))
    for who in (0, 1):
        for k in (1, 2, 3):
            units[:, :, 3 * who + k - 1] = points[who] >= k
    rest = np.concatenate([mine[:, P:], yours[:, P:]], axis=1) / 3
    return np.concatenate([units.reshape(M, -1), rest], axis=1)
""",
    "legal_turns": """def steps(own, blocked, die):
    found = []
    for point in range(1, 10):
        goal = point - die
        if own[point - 1] == 0 or (own[8] > 0 and point != 9):
            continue
        if goal in blocked or (goal <= 0 and sum(own[3:]) > 0):
            continue
        if goal < 0 and sum(own[point:]) > 0:
            continue
        after = list(own)
        after[point - 1] -= 1
        if goal > 0:
            after[goal - 1] += 1
        found.append(tuple(after))
    return found


def legal_turns(own, blocked, dice):
    own = tuple(own)
    if dice[0] == dice[1]:
        positions = {own}
        for _ in range(4):
            further = {end for position in positions for end in steps(position, blocked, dice[0])}
            if not further:
                break
            positions = further
        return sorted(positions)
    high, low = max(dice), min(dice)
    both = set()
    for first, second in ((high, low), (low, high)):
        for middle in steps(own, blocked, first):
            both.update(steps(middle, blocked, second))
    if both:
        return sorted(both)
    one = steps(own, blocked, high) or steps(own, blocked, low)
    return sorted(set(one)) or [own]
""",
    "match_chances": """import numpy as np


def match_chances(outputs, mine, theirs, table):
    win, win2, win3, lose2, lose3 = np.asarray(outputs, dtype=float).T
    they_win = [win - win2, win2 - win3, win3]
    i_win = [1 - win - lose2, lose2 - lose3, lose3]
    chance = np.zeros(len(outputs))
    for k in range(3):
        points = k + 1
        chance += they_win[k] * table[mine, max(theirs - points, 0)]
        chance += i_win[k] * table[max(mine - points, 0), theirs]
    return chance
""",
    "gammon_targets": """import numpy as np


def turned(three):
    return np.array([1 - three[0], three[2], three[1]])


def gammon_targets(outputs, points, lam):
    outputs = np.asarray(outputs, dtype=float)
    T = len(outputs)
    targets = np.zeros((T, 3))
    targets[T - 1] = [1, points >= 2, 0]
    for t in range(T - 2, -1, -1):
        targets[t] = (1 - lam) * turned(outputs[t + 1]) + lam * turned(targets[t + 1])
    return targets
""",
    "two_ply_chances": """import numpy as np


def two_ply_chances(plays, theirs, goes, values):
    plays = np.asarray(plays)
    after = []
    for die in (1, 2, 3, 4):
        square = goes[max(theirs - die, 0)]
        after.append(values[plays, square] if square > 0 else np.zeros(len(plays)))
    chance = np.zeros(len(plays))
    for one in range(4):
        for other in range(4):
            chance += np.minimum(after[one], after[other]) / 16
    return np.where(plays == 0, 1.0, chance)
""",
}
SLIPS = [
    (
        "hyper_units",
        "The board is seen from player 0, so it is player 1's points that are turned round, whoever rolls.",
        "points = mine[:, :P], yours[:, :P][:, ::-1]",
        """turn = roller[:, None] == 1
    points = (np.where(turn, mine[:, :P][:, ::-1], mine[:, :P]),
              np.where(turn, yours[:, :P], yours[:, :P][:, ::-1]))""",
    ),
    (
        "hyper_units",
        "As in a one-hot code: the first unit says one checker, the second two, the third three.",
        "= points[who] >= k",
        "= points[who] == k",
    ),
    (
        "hyper_units",
        "First all the roller's units, point by point, then all the opponent's.",
        "units.reshape(M, -1), rest",
        "units[:, :, :3].reshape(M, -1), units[:, :, 3:].reshape(M, -1), rest",
    ),
    (
        "legal_turns",
        "Equal dice are played four times; where this cannot be done, the position stays as it is.",
        """            if not further:
                break
""",
        """            if not further:
                return [own]
""",
    ),
    (
        "legal_turns",
        "Checkers are borne off from the rearmost point that is held, with its number or a higher one.",
        "if goal < 0 and sum(own[point:]) > 0:",
        "if goal <= 0 and sum(own[point:]) > 0:",
    ),
    (
        "legal_turns",
        "If both dice cannot be played, one of them is played, and the player may choose which.",
        "one = steps(own, blocked, high) or steps(own, blocked, low)",
        "one = steps(own, blocked, high) + steps(own, blocked, low)",
    ),
    (
        "match_chances",
        "The five outputs: a single win, a gammon, a backgammon, and so on, one probability for each result.",
        """    they_win = [win - win2, win2 - win3, win3]
    i_win = [1 - win - lose2, lose2 - lose3, lose3]
""",
        """    they_win = [win, win2, win3]
    i_win = [1 - win - win2 - win3 - lose2 - lose3, lose2, lose3]
""",
    ),
    (
        "match_chances",
        "All numbers are for the opponent, who rolls next, so the table's first index is what the opponent needs and the result is the chance after my play.",
        """        chance += they_win[k] * table[mine, max(theirs - points, 0)]
        chance += i_win[k] * table[max(mine - points, 0), theirs]
    return chance
""",
        """        chance += they_win[k] * table[max(theirs - points, 0), mine]
        chance += i_win[k] * table[theirs, max(mine - points, 0)]
    return chance
""",
    ),
    (
        "match_chances",
        "Points beyond those needed count for nothing: a gammon that is more than I need does not count.",
        """        chance += they_win[k] * table[mine, max(theirs - points, 0)]
        chance += i_win[k] * table[max(mine - points, 0), theirs]
""",
        """        if points <= theirs:
            chance += they_win[k] * table[mine, theirs - points]
        if points <= mine:
            chance += i_win[k] * table[mine - points, theirs]
""",
    ),
    (
        "gammon_targets",
        "The opponent's probabilities are one minus mine, for each of the three.",
        "return np.array([1 - three[0], three[2], three[1]])",
        "return 1 - np.asarray(three)",
    ),
    (
        "gammon_targets",
        "A gammon is two points, so the second number is 1 when it was just a gammon.",
        "targets[T - 1] = [1, points >= 2, 0]",
        "targets[T - 1] = [1, points == 2, 0]",
    ),
    (
        "gammon_targets",
        "The next estimate is the network's number of this position; only the target that comes from behind must be turned.",
        "(1 - lam) * turned(outputs[t + 1])",
        "(1 - lam) * outputs[t]",
    ),
    (
        "two_ply_chances",
        "The opponent's best reply is the one that brings their counter nearest home.",
        """            chance += np.minimum(after[one], after[other]) / 16
""",
        """            squares = [goes[max(theirs - die - 1, 0)] for die in (one, other)]
            chance += after[one if squares[0] <= squares[1] else other] / 16
""",
    ),
    (
        "two_ply_chances",
        "The table has a row and a column for home as well, so it can be asked about a reply that brings the opponent home.",
        "after.append(values[plays, square] if square > 0 else np.zeros(len(plays)))",
        "after.append(values[plays, square])",
    ),
    (
        "two_ply_chances",
        "The opponent rolls next, so the table is asked for the opponent, who takes the largest, and my chance is one minus that.",
        "values[plays, square] if square > 0",
        "1 - values[square, plays] if square > 0",
    ),
]
