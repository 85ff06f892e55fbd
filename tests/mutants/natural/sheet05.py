"""Slips of a writer who knew only the text of sheet 05."""

ANSWERS = {
    "hyper_units": """import numpy as np


def hyper_units(checkers, roller):
    checkers, roller = np.asarray(checkers), np.asarray(roller)
    M, P = len(checkers), checkers.shape[2] - 2
    units = np.zeros((M, 6 * P + 4))
    for m in range(M):
        me = checkers[m, roller[m]]
        you = checkers[m, 1 - roller[m]]
        mine = me[:P]
        yours = you[:P][::-1]
        row = []
        for i in range(P):
            row += [mine[i] >= 1, mine[i] >= 2, mine[i] >= 3]
            row += [yours[i] >= 1, yours[i] >= 2, yours[i] >= 3]
        row += [me[P] / 3, me[P + 1] / 3, you[P] / 3, you[P + 1] / 3]
        units[m] = row
    return units
""",
    "legal_turns": """def one_step(position, blocked, die):
    found = []
    for point in range(1, 10):
        if position[point - 1] == 0:
            continue
        if position[8] > 0 and point != 9:
            continue
        goal = point - die
        if goal > 0 and goal in blocked:
            continue
        if goal <= 0 and sum(position[3:]) > 0:
            continue
        if goal < 0 and sum(position[point:]) > 0:
            continue
        after = list(position)
        after[point - 1] -= 1
        if goal > 0:
            after[goal - 1] += 1
        found.append(tuple(after))
    return found


def legal_turns(own, blocked, dice):
    own = tuple(own)
    if dice[0] == dice[1]:
        layer = {own}
        for _ in range(4):
            following = {after for before in layer for after in one_step(before, blocked, dice[0])}
            if not following:
                break
            layer = following
        return sorted(layer)
    high, low = max(dice), min(dice)
    both = set()
    for first, second in ((high, low), (low, high)):
        for middle in one_step(own, blocked, first):
            both.update(one_step(middle, blocked, second))
    if both:
        return sorted(both)
    single = one_step(own, blocked, high)
    if not single:
        single = one_step(own, blocked, low)
    return sorted(set(single)) or [own]
""",
    "match_chances": """import numpy as np


def match_chances(outputs, mine, theirs, table):
    outputs = np.asarray(outputs, dtype=float)
    win, win_gammon, win_back, lose_gammon, lose_back = outputs.T
    they_win = [win - win_gammon, win_gammon - win_back, win_back]
    i_win = [1 - win - lose_gammon, lose_gammon - lose_back, lose_back]
    chance = np.zeros(len(outputs))
    for k in (1, 2, 3):
        chance += they_win[k - 1] * table[mine, max(theirs - k, 0)]
        chance += i_win[k - 1] * table[max(mine - k, 0), theirs]
    return chance
""",
    "gammon_targets": """import numpy as np


def gammon_targets(outputs, points, lam):
    outputs = np.asarray(outputs, dtype=float)
    T = len(outputs)
    targets = np.zeros((T, 3))
    targets[T - 1] = [1, points >= 2, 0]
    for t in range(T - 2, -1, -1):
        mix = (1 - lam) * outputs[t + 1] + lam * targets[t + 1]
        targets[t] = [1 - mix[0], mix[2], mix[1]]
    return targets
""",
    "two_ply_chances": """import numpy as np


def two_ply_chances(plays, theirs, goes, values):
    plays = np.asarray(plays)

    def left(die):
        square = goes[max(theirs - die, 0)]
        if square == 0:
            return np.zeros(len(plays))
        return values[plays, square]

    total = np.zeros(len(plays))
    for a in range(1, 5):
        for b in range(1, 5):
            total += np.minimum(left(a), left(b))
    chances = total / 16
    chances[plays == 0] = 1
    return chances
""",
}

# (task, what went wrong in a student's words, text in the answer above, what stands there instead)
SLIPS = (
    (
        "hyper_units",
        "I put the whole position from the roller's side and forgot that the "
        "opponent counts from the other end.",
        "yours = you[:P][::-1]",
        "yours = you[:P]",
    ),
    (
        "hyper_units",
        "One unit for exactly one checker, one for exactly two, one for three: I "
        "took them for a one-hot.",
        """[mine[i] >= 1, mine[i] >= 2, mine[i] >= 3]
            row += [yours[i] >= 1, yours[i] >= 2, yours[i] >= 3]""",
        """[mine[i] == 1, mine[i] == 2, mine[i] == 3]
            row += [yours[i] == 1, yours[i] == 2, yours[i] == 3]""",
    ),
    (
        "hyper_units",
        "I read the last four numbers as: the two bars, then the two counts of checkers borne off.",
        "row += [me[P] / 3, me[P + 1] / 3, you[P] / 3, you[P + 1] / 3]",
        "row += [me[P] / 3, you[P] / 3, me[P + 1] / 3, you[P + 1] / 3]",
    ),
    (
        "legal_turns",
        "With equal dice it is four dice or nothing: if the fourth cannot be "
        "played the position stays.",
        """            if not following:
                break
            layer""",
        """            if not following:
                return [own]
            layer""",
    ),
    (
        "legal_turns",
        "The dice have four sides, so home is the points 1 to 4, as it is 1 to 6 in the real game.",
        "sum(position[3:]) > 0",
        "sum(position[4:]) > 0",
    ),
    (
        "legal_turns",
        "If only one die can be played the player may choose which; 'the higher' "
        "I took for a rule of the tie only.",
        """    if not single:
        single = one_step(own, blocked, low)""",
        "    single = single + one_step(own, blocked, low)",
    ),
    (
        "match_chances",
        "I forgot that 'a gammon' means 'a gammon or more': the single wins are "
        "what is left of all three.",
        """they_win = [win - win_gammon, win_gammon - win_back, win_back]
    i_win = [1 - win - lose_gammon, lose_gammon - lose_back, lose_back]""",
        """they_win = [win - win_gammon - win_back, win_gammon, win_back]
    i_win = [1 - win - lose_gammon - lose_back, lose_gammon, lose_back]""",
    ),
    (
        "match_chances",
        "I evaluate my own plays, so I read the outputs as mine: my win, my gammon and so on.",
        "win, win_gammon, win_back, lose_gammon, lose_back = outputs.T",
        """win, lose_gammon, lose_back, win_gammon, win_back = outputs.T
    win = 1 - win""",
    ),
    (
        "match_chances",
        "After a game the next one starts from the opponent's view, so the "
        "table's first index is theirs.",
        """table[mine, max(theirs - k, 0)]
        chance += i_win[k - 1] * table[max(mine - k, 0), theirs]""",
        """table[max(theirs - k, 0), mine]
        chance += i_win[k - 1] * table[theirs, max(mine - k, 0)]""",
    ),
    (
        "gammon_targets",
        "To change sides I take one minus every one of the three probabilities.",
        "targets[t] = [1 - mix[0], mix[2], mix[1]]",
        "targets[t] = 1 - mix",
    ),
    (
        "gammon_targets",
        "In the three-output network a backgammon does not occur, so the gammon is points == 2.",
        "points >= 2",
        "points == 2",
    ),
    (
        "gammon_targets",
        "The targets start out as the network's outputs; I made no copy, so the "
        "estimates are overwritten on the way back.",
        "targets = np.zeros((T, 3))",
        "targets = outputs",
    ),
    (
        "two_ply_chances",
        "The opponent moves by the sum of the two dice or by one of them, as in backgammon.",
        "np.minimum(left(a), left(b))",
        "np.minimum(np.minimum(left(a), left(b)), left(a + b))",
    ),
    (
        "two_ply_chances",
        "A number that is higher than needed cannot be used, the counter stays, "
        "as in the children's game.",
        "square = goes[max(theirs - die, 0)]",
        "square = goes[theirs - die if die <= theirs else theirs]",
    ),
    (
        "two_ply_chances",
        "The opponent picks the highest value in the table, that is how one chooses a move.",
        "np.minimum(left(a), left(b))",
        "np.maximum(left(a), left(b))",
    ),
)
