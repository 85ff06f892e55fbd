"""Slips of a writer who knew only the text of sheet 05."""

ANSWERS = {
    "hyper_units": """import numpy as np


def hyper_units(checkers, roller):
    checkers, roller = np.asarray(checkers), np.asarray(roller)
    M = len(checkers)
    own = checkers[np.arange(M), roller]
    other = checkers[np.arange(M), 1 - roller]
    own_points = own[:, :-2]
    other_points = other[:, :-2][:, ::-1]
    a = own_points[:, :, None] >= np.array([1, 2, 3])
    b = other_points[:, :, None] >= np.array([1, 2, 3])
    units = np.concatenate([a, b], axis=2).reshape(M, -1)
    rest = np.concatenate([own[:, -2:], other[:, -2:]], axis=1) / 3
    return np.concatenate([units.astype(float), rest], axis=1)
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
        now = {own}
        for _ in range(4):
            after = {end for position in now for end in steps(position, blocked, dice[0])}
            if not after:
                break
            now = after
        return sorted(now)
    both, single = set(), {}
    for first, second in (dice, dice[::-1]):
        for middle in steps(own, blocked, first):
            both.update(steps(middle, blocked, second))
            single.setdefault(first, set()).add(middle)
    if both:
        return sorted(both)
    if single:
        return sorted(single[max(single)])
    return [own]
""",
    "match_chances": """import numpy as np


def match_chances(outputs, mine, theirs, table):
    outputs, table = np.asarray(outputs, float), np.asarray(table, float)
    win, win_g, win_b, lose_g, lose_b = outputs.T
    lost = [(win - win_g, 1), (win_g - win_b, 2), (win_b, 3)]
    won = [(1 - win - lose_g, 1), (lose_g - lose_b, 2), (lose_b, 3)]
    chance = np.zeros(len(outputs))
    for p, points in won:
        chance += p * table[max(mine - points, 0), theirs]
    for p, points in lost:
        chance += p * table[mine, max(theirs - points, 0)]
    return chance
""",
    "gammon_targets": """import numpy as np


def gammon_targets(outputs, points, lam):
    outputs = np.asarray(outputs, float)
    T = len(outputs)
    out = np.zeros((T, 3))
    out[-1] = [1, points >= 2, 0]
    for t in range(T - 2, -1, -1):
        mix = (1 - lam) * outputs[t + 1] + lam * out[t + 1]
        out[t] = [1 - mix[0], mix[2], mix[1]]
    return out
""",
    "two_ply_chances": """import numpy as np


def two_ply_chances(plays, theirs, goes, values):
    plays, values = np.asarray(plays), np.asarray(values, float)
    total, rolls = np.zeros(len(plays)), 0
    for first in (1, 2, 3, 4):
        for second in (1, 2, 3, 4):
            rolls += 1
            options = []
            for die in (first, second):
                square = goes[max(theirs - die, 0)]
                if square == 0:
                    options.append(np.zeros(len(plays)))
                else:
                    options.append(values[plays, square])
            total += np.minimum(options[0], options[1])
    return np.where(plays == 0, 1.0, total / rolls)
""",
}
SLIPS = [
    (
        "hyper_units",
        "I laid all the roller's units down first and then all the opponent's (as "
        "networks usually do), instead of point by point.",
        "np.concatenate([a, b], axis=2).reshape(M, -1)",
        "np.concatenate([a.reshape(M, -1), b.reshape(M, -1)], axis=1)",
    ),
    (
        "hyper_units",
        "The points are the board's, counted by player 0: for roller 1 I turned the "
        "wrong row round.",
        "    own_points = own[:, :-2]\n    other_points = other[:, :-2][:, ::-1]",
        "    turn = (roller == 1)[:, None]\n"
        "    own_points = np.where(turn, own[:, :-2][:, ::-1], own[:, :-2])\n"
        "    other_points = np.where(turn, other[:, :-2], other[:, :-2][:, ::-1])",
    ),
    (
        "hyper_units",
        "I turned the opponent's whole row round, so that borne off came before the bar.",
        "other[:, -2:]], axis=1) / 3",
        "other[:, :-3:-1]], axis=1) / 3",
    ),
    (
        "legal_turns",
        "A double may be played up to four times: I listed the positions after one, "
        "two, three and four steps (rule 4 forgotten there).",
        "        now = {own}\n"
        "        for _ in range(4):\n"
        "            after = {end for position in now for end in steps(position, "
        "blocked, dice[0])}\n"
        "            if not after:\n"
        "                break\n"
        "            now = after\n"
        "        return sorted(now)",
        "        now, reached = {own}, set()\n"
        "        for _ in range(4):\n"
        "            now = {end for position in now for end in steps(position, "
        "blocked, dice[0])}\n"
        "            reached |= now\n"
        "        return sorted(reached) or [own]",
    ),
    (
        "legal_turns",
        "If not both dice can be played it must be the higher; when the higher "
        "cannot be played the position stays as it is.",
        "return sorted(single[max(single)])",
        "return sorted(single.get(max(dice), {own}))",
    ),
    (
        "legal_turns",
        "Bearing off with a higher number: allowed when nobody stands on the point "
        "of the die (half remembered), not only from the rearmost point.",
        "if goal < 0 and sum(own[point:]) > 0:",
        "if goal < 0 and own[die - 1] > 0:",
    ),
    (
        "match_chances",
        "I took the five outputs for mine, although they are for the player who rolls next.",
        "win, win_g, win_b, lose_g, lose_b = outputs.T",
        "win, win_g, win_b, lose_g, lose_b = 1 - outputs[:, 0], outputs[:, 3], "
        "outputs[:, 4], outputs[:, 1], outputs[:, 2]",
    ),
    (
        "match_chances",
        "Took win, gammon and backgammon as three separate chances (forgot 'or more').",
        "    lost = [(win - win_g, 1), (win_g - win_b, 2), (win_b, 3)]\n"
        "    won = [(1 - win - lose_g, 1), (lose_g - lose_b, 2), (lose_b, 3)]",
        "    lost = [(win - win_g - win_b, 1), (win_g, 2), (win_b, 3)]\n"
        "    won = [(1 - win - lose_g - lose_b, 1), (lose_g, 2), (lose_b, 3)]",
    ),
    (
        "match_chances",
        "After a lost game I looked the table up with the winner's need first, which "
        "is the opponent's chance.",
        "table[mine, max(theirs - points, 0)]",
        "table[max(theirs - points, 0), mine]",
    ),
    (
        "gammon_targets",
        "A gammon is 2 points; forgot that a backgammon is a gammon as well.",
        "points >= 2",
        "points == 2",
    ),
    (
        "gammon_targets",
        "Seen from the other side every probability becomes one minus it.",
        "[1 - mix[0], mix[2], mix[1]]",
        "1 - mix",
    ),
    (
        "gammon_targets",
        "I mixed the estimate of the position itself, which needs no turning, with "
        "the next target.",
        "        mix = (1 - lam) * outputs[t + 1] + lam * out[t + 1]\n"
        "        out[t] = [1 - mix[0], mix[2], mix[1]]",
        "        after = out[t + 1]\n"
        "        out[t] = (1 - lam) * outputs[t] + lam * np.array([1 - after[0], "
        "after[2], after[1]])",
    ),
    (
        "two_ply_chances",
        "Only the ten different rolls, each equally likely.",
        "        for second in (1, 2, 3, 4):\n",
        "        for second in range(first, 5):\n",
    ),
    (
        "two_ply_chances",
        "After the opponent's reply I looked the table up with the opponent's square "
        "first, as the one who has just rolled.",
        "options.append(values[plays, square])",
        "options.append(1 - values[square, plays])",
    ),
    (
        "two_ply_chances",
        "The opponent decides by one number for all my plays: the reply that is nearest to home.",
        "total += np.minimum(options[0], options[1])",
        "near = [goes[max(theirs - die, 0)] for die in (first, second)]\n"
        "            total += options[0] if near[0] <= near[1] else options[1]",
    ),
]
