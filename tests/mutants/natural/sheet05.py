"""Slips of a writer who knew only the text of sheet 05."""

ANSWERS = {
    "hyper_units": """import numpy as np


def hyper_units(checkers, roller):
    M = len(checkers)
    P = checkers.shape[2] - 2
    mine = checkers[np.arange(M), roller]
    theirs = checkers[np.arange(M), 1 - roller]
    at_least = np.array([1, 2, 3])
    my_units = mine[:, :P, None] >= at_least
    their_units = theirs[:, :P][:, ::-1, None] >= at_least
    points = np.concatenate([my_units, their_units], axis=2).reshape(M, -1)
    rest = np.concatenate([mine[:, P:], theirs[:, P:]], axis=1) / 3
    return np.concatenate([points, rest], axis=1)
""",
    "legal_turns": """def steps(own, blocked, die):
    found = []
    for point in range(1, 10):
        goal = point - die
        if own[point - 1] == 0 or (own[8] > 0 and point != 9):
            continue
        if goal in blocked:
            continue
        if goal <= 0 and sum(own[3:]) > 0:
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
    if dice[0] == dice[1]:
        positions = {own}
        for _ in range(4):
            following = {end for p in positions for end in steps(p, blocked, dice[0])}
            if not following:
                break
            positions = following
        return list(positions)
    plays = []
    for first, second in (dice, dice[::-1]):
        for middle in steps(own, blocked, first):
            ends = steps(middle, blocked, second)
            plays += [(2, first, end) for end in ends] or [(1, first, middle)]
    if not plays:
        return [own]
    most = max(played for played, _, _ in plays)
    best = [(die, end) for played, die, end in plays if played == most]
    if most == 1:
        highest = max(die for die, _ in best)
        best = [(die, end) for die, end in best if die == highest]
    return list({end for _, end in best})
""",
    "match_chances": """import numpy as np


def match_chances(outputs, mine, theirs, table):
    win, win_gammon, win_back, lose_gammon, lose_back = outputs.T
    lose = 1 - win
    they = [win - win_gammon, win_gammon - win_back, win_back]
    me = [lose - lose_gammon, lose_gammon - lose_back, lose_back]
    chance = np.zeros(len(outputs))
    for points in (1, 2, 3):
        chance += me[points - 1] * table[max(mine - points, 0), theirs]
        chance += they[points - 1] * table[mine, max(theirs - points, 0)]
    return chance
""",
    "gammon_targets": """import numpy as np


def other_side(row):
    return np.array([1 - row[0], row[2], row[1]])


def gammon_targets(outputs, points, lam):
    T = len(outputs)
    targets = np.zeros((T, 3))
    targets[-1] = [1, points >= 2, 0]
    for t in range(T - 2, -1, -1):
        mixed = (1 - lam) * outputs[t + 1] + lam * targets[t + 1]
        targets[t] = other_side(mixed)
    return targets
""",
    "two_ply_chances": """import numpy as np


def two_ply_chances(plays, theirs, goes, values):
    total = np.zeros(len(plays))
    for first in range(1, 5):
        for second in range(1, 5):
            after = []
            for die in (first, second):
                square = goes[max(theirs - die, 0)]
                if square == 0:
                    after.append(np.zeros(len(plays)))
                else:
                    after.append(values[plays, square])
            total += np.minimum(after[0], after[1])
    chance = total / 16
    return np.where(plays == 0, 1.0, chance)
""",
}
# (task, what went wrong in a student's words, text in the answer above, what stands there instead)
SLIPS = (
    (
        "hyper_units",
        "forgot that the opponent counts from the other end",
        "theirs[:, :P][:, ::-1, None]",
        "theirs[:, :P, None]",
    ),
    (
        "hyper_units",
        "read 'at least one, two, three' as exactly one, two, three",
        "my_units = mine[:, :P, None] >= at_least",
        "my_units = mine[:, :P, None] == at_least",
    ),
    (
        "hyper_units",
        "divided only the borne-off checkers by three and left the bar as it is",
        "rest = np.concatenate([mine[:, P:], theirs[:, P:]], axis=1) / 3",
        "rest = np.concatenate([mine[:, P:], theirs[:, P:]], axis=1) / [1, 3, 1, 3]",
    ),
    (
        "hyper_units",
        "laid all the roller's points first and then all of the opponent's, as in the lesson",
        "points = np.concatenate([my_units, their_units], axis=2).reshape(M, -1)",
        "points = np.concatenate([my_units, their_units], axis=1).reshape(M, -1)",
    ),
    (
        "legal_turns",
        "did not see the third bug: a higher number bears off from any point",
        """        if goal < 0 and sum(own[point:]) > 0:
            continue
""",
        "",
    ),
    (
        "legal_turns",
        "played a double twice only",
        "for _ in range(4):",
        "for _ in range(2):",
    ),
    (
        "legal_turns",
        "returned nothing from a double that gets stuck before the fourth step",
        "            if not following:\n                break\n",
        "",
    ),
    (
        "legal_turns",
        "nothing can be played: gave back an empty list",
        "        return [own]\n",
        "        return []\n",
    ),
    (
        "match_chances",
        "took the outputs for mine, but they are for the opponent who rolls next",
        "    lose = 1 - win\n",
        "    lose, win = win, 1 - win\n"
        "    win_gammon, win_back, lose_gammon, lose_back = (\n"
        "        lose_gammon, lose_back, win_gammon, win_back\n    )\n",
    ),
    (
        "match_chances",
        "forgot that gammons are among the wins, so gammons were counted twice",
        "they = [win - win_gammon, win_gammon - win_back, win_back]",
        "they = [win, win_gammon, win_back]",
    ),
    (
        "match_chances",
        "did not stop at 0 when the opponent needs fewer points than they win",
        "table[mine, max(theirs - points, 0)]",
        "table[mine, theirs - points]",
    ),
    (
        "gammon_targets",
        "a backgammon is not a gammon, I thought",
        "points >= 2, 0]",
        "points == 2, 0]",
    ),
    (
        "gammon_targets",
        "turned all three probabilities with 1 - p",
        "return np.array([1 - row[0], row[2], row[1]])",
        "return 1 - row",
    ),
    (
        "two_ply_chances",
        "the opponent takes what is best for me: maximum in place of minimum",
        "np.minimum(after[0], after[1])",
        "np.maximum(after[0], after[1])",
    ),
    (
        "two_ply_chances",
        "looked the table up with the opponent's square first",
        "values[plays, square]",
        "values[square, plays]",
    ),
)
