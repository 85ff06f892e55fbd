"""Slips of two writers who knew only the text of sheet 05, told in the answers of the first."""

ANSWERS = {
    "hyper_units": """import numpy as np


def hyper_units(checkers, roller):
    checkers = np.asarray(checkers)
    roller = np.asarray(roller)
    M = len(checkers)
    P = checkers.shape[2] - 2
    mine = checkers[np.arange(M), roller]
    theirs = checkers[np.arange(M), 1 - roller]
    my_points = mine[:, :P]
    their_points = theirs[:, :P][:, ::-1]
    levels = np.array([1, 2, 3])
    my_units = my_points[:, :, None] >= levels
    their_units = their_points[:, :, None] >= levels
    units = np.concatenate([my_units, their_units], axis=2).reshape(M, 6 * P)
    rest = np.concatenate([mine[:, P:], theirs[:, P:]], axis=1) / 3
    return np.concatenate([units.astype(float), rest], axis=1)
""",
    "legal_turns": """def steps(position, blocked, die):
    found = []
    for point in range(1, 10):
        if position[point - 1] == 0:
            continue
        if position[8] > 0 and point != 9:
            continue
        goal = point - die
        if goal in blocked:
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
    high, low = max(dice), min(dice)
    if high == low:
        orders = [(high,) * 4]
    else:
        orders = [(high, low), (low, high)]
    plays = []

    def go(position, order, played):
        following = steps(position, blocked, order[played]) if played < len(order) else []
        if not following:
            plays.append((played, order[0], position))
        for after in following:
            go(after, order, played + 1)

    for order in orders:
        go(tuple(own), order, 0)
    most = max(play[0] for play in plays)
    best = [play for play in plays if play[0] == most]
    if most == 1:
        top = max(play[1] for play in best)
        best = [play for play in best if play[1] == top]
    return list({position for _, _, position in best})
""",
    "match_chances": """import numpy as np


def match_chances(outputs, mine, theirs, table):
    win, win_g, win_bg, lose_g, lose_bg = np.asarray(outputs, float).T
    they_win = [win - win_g, win_g - win_bg, win_bg]
    i_win = [1 - win - lose_g, lose_g - lose_bg, lose_bg]
    chance = np.zeros(len(win))
    for points in (1, 2, 3):
        chance += they_win[points - 1] * table[mine, max(theirs - points, 0)]
        chance += i_win[points - 1] * table[max(mine - points, 0), theirs]
    return chance
""",
    "gammon_targets": """import numpy as np


def gammon_targets(outputs, points, lam):
    outputs = np.asarray(outputs, dtype=float)
    T = len(outputs)
    targets = np.zeros((T, 3))
    targets[-1] = [1.0, float(points >= 2), 0.0]
    for t in range(T - 2, -1, -1):
        win, win_g, lose_g = (1 - lam) * outputs[t + 1] + lam * targets[t + 1]
        targets[t] = [1 - win, lose_g, win_g]
    return targets
""",
    "two_ply_chances": """import numpy as np


def two_ply_chances(plays, theirs, goes, values):
    plays = np.asarray(plays)
    left = []
    for die in (1, 2, 3, 4):
        square = goes[max(theirs - die, 0)]
        if square == 0:
            left.append(np.zeros(len(plays)))
        else:
            left.append(values[plays, square])
    total = np.zeros(len(plays))
    for first in range(4):
        for second in range(4):
            total += np.minimum(left[first], left[second])
    chance = total / 16
    chance[plays == 0] = 1.0
    return chance
""",
}
SLIPS = [
    (
        "hyper_units",
        "The board is turned round only when player 1 rolls; player 0 counts like the board.",
        ("    their_points = theirs[:, :P][:, ::-1]\n"),
        (
            "    their_points = np.where(roller[:, None] == 1, theirs[:, :P][:, ::-1], theirs[:, :P])\n"
        ),
    ),
    (
        "hyper_units",
        "First all units of the roller, point after point, then all of the opponent.",
        ("np.concatenate([my_units, their_units], axis=2).reshape(M, 6 * P)"),
        ("np.concatenate([my_units.reshape(M, -1), their_units.reshape(M, -1)], axis=1)"),
    ),
    (
        "hyper_units",
        "Only the numbers borne off are divided by three ('each' was read as the last named).",
        ("    rest = np.concatenate([mine[:, P:], theirs[:, P:]], axis=1) / 3\n"),
        (
            "    rest = np.concatenate([mine[:, P:], theirs[:, P:]], axis=1) / np.array([1, 3, 1, 3])\n"
        ),
    ),
    (
        "hyper_units",
        "The points have one fixed numbering, that of player 0, and the roller decides only whose three units come first.",
        ("    levels = np.array([1, 2, 3])\n"),
        (
            "    turned = (roller == 1)[:, None]\n"
            "    my_points = np.where(turned, my_points[:, ::-1], my_points)\n"
            "    their_points = np.where(turned, their_points[:, ::-1], their_points)\n"
            "    levels = np.array([1, 2, 3])\n"
        ),
    ),
    (
        "hyper_units",
        "One unit says one checker, one says two, one says three: exactly one of them is on.",
        (
            "    my_units = my_points[:, :, None] >= levels\n"
            "    their_units = their_points[:, :, None] >= levels\n"
        ),
        (
            "    my_units = my_points[:, :, None] == levels\n"
            "    their_units = their_points[:, :, None] == levels\n"
        ),
    ),
    (
        "hyper_units",
        "Behind the points come the two bars, then the two numbers borne off.",
        ("np.concatenate([mine[:, P:], theirs[:, P:]], axis=1) / 3"),
        ("np.stack([mine[:, P], theirs[:, P], mine[:, P + 1], theirs[:, P + 1]], axis=1) / 3"),
    ),
    (
        "legal_turns",
        "A double that gets stuck before the fourth step is not played at all.",
        ("    most = max(play[0] for play in plays)\n"),
        (
            "    plays = [play for play in plays if play[0] == 4 or high != low] or [(0, high, tuple(own))]\n"
            "    most = max(play[0] for play in plays)\n"
        ),
    ),
    (
        "legal_turns",
        "If only one die is played it must be the higher; if that is not possible the position stays as it is.",
        (
            "        top = max(play[1] for play in best)\n"
            "        best = [play for play in best if play[1] == top]\n"
        ),
        ("        best = [play for play in best if play[1] == high] or [(0, high, tuple(own))]\n"),
    ),
    (
        "legal_turns",
        "A checker may be borne off with a higher number from the rearmost point of the home board, which is 3, only.",
        ("sum(position[point:]) > 0"),
        ("point != 3"),
    ),
    (
        "legal_turns",
        "The higher die must be played if it can be, so I begin with the higher one, and with the lower only if the higher cannot be played.",
        ("        orders = [(high, low), (low, high)]\n"),
        ("        orders = [(high, low)] if steps(own, blocked, high) else [(low, high)]\n"),
    ),
    (
        "legal_turns",
        "Only the rearmost checker may be borne off.",
        ("if goal < 0 and"),
        ("if goal <= 0 and"),
    ),
    (
        "legal_turns",
        "Whether all checkers are on 1, 2 and 3 is looked up in the position before the turn.",
        ("        if not following:\n"),
        (
            "        if sum(own[3:]) > 0:\n"
            "            following = [after for after in following if sum(after) == sum(position)]\n"
            "        if not following:\n"
        ),
    ),
    (
        "match_chances",
        "What is left for a single loss of the opponent is what is left of 1 without the wins.",
        ("1 - win - lose_g, lose_g - lose_bg"),
        ("1 - win, lose_g - lose_bg"),
    ),
    (
        "match_chances",
        "After the play the opponent rolls, so the table is read from the opponent's side, their need first, without turning the chance back.",
        ("table[mine, max(theirs - points, 0)]"),
        ("table[max(theirs - points, 0), mine]"),
    ),
    (
        "match_chances",
        "More points than needed are caught for the winner I think of, myself; the opponent's need is just subtracted.",
        ("max(theirs - points, 0)"),
        ("theirs - points"),
    ),
    (
        "match_chances",
        "The outputs are five results apart from each other: a win, a gammon, a backgammon each have their own probability.",
        (
            "    they_win = [win - win_g, win_g - win_bg, win_bg]\n"
            "    i_win = [1 - win - lose_g, lose_g - lose_bg, lose_bg]\n"
        ),
        (
            "    they_win = [win, win_g, win_bg]\n"
            "    i_win = [1 - win - win_g - win_bg - lose_g - lose_bg, lose_g, lose_bg]\n"
        ),
    ),
    (
        "match_chances",
        "The outputs are the opponent's, so I look the opponent's chance up in the table: their points come first.",
        ("    chance = np.zeros(len(win))\n"),
        ("    table = np.asarray(table).T\n    chance = np.zeros(len(win))\n"),
    ),
    (
        "match_chances",
        "After the game I need mine minus what I won (and did not think of winning more than I need).",
        (
            "table[mine, max(theirs - points, 0)]\n"
            "        chance += i_win[points - 1] * table[max(mine - points, 0), theirs]\n"
        ),
        (
            "table[mine, theirs - points]\n"
            "        chance += i_win[points - 1] * table[mine - points, theirs]\n"
        ),
    ),
    (
        "gammon_targets",
        "Only the chance of winning turns; the gammon columns keep their places.",
        ("[1 - win, lose_g, win_g]"),
        ("[1 - win, win_g, lose_g]"),
    ),
    (
        "gammon_targets",
        "Points 2 is the gammon; 3 is a backgammon, which the network has no output for.",
        ("float(points >= 2)"),
        ("float(points == 2)"),
    ),
    (
        "gammon_targets",
        "The own estimate of the position is mixed with the turned next target, so that the estimate needs no turning.",
        (
            "        win, win_g, lose_g = (1 - lam) * outputs[t + 1] + lam * targets[t + 1]\n"
            "        targets[t] = [1 - win, lose_g, win_g]\n"
        ),
        (
            "        win, win_g, lose_g = targets[t + 1]\n"
            "        targets[t] = (1 - lam) * outputs[t] + lam * np.array([1 - win, lose_g, win_g])\n"
        ),
    ),
    (
        "gammon_targets",
        "After the last turn it is the opponent who rolls next, and the opponent has lost.",
        ("[1.0, float(points >= 2), 0.0]"),
        ("[0.0, 0.0, float(points >= 2)]"),
    ),
    (
        "gammon_targets",
        "The other side's three probabilities are one minus mine, each.",
        ("[1 - win, lose_g, win_g]"),
        ("[1 - win, 1 - win_g, 1 - lose_g]"),
    ),
    (
        "two_ply_chances",
        "The opponent is home when the die takes them to 0 or beyond; a ladder that leads home was not thought of.",
        ("        if square == 0:\n"),
        ("        if theirs - die <= 0:\n"),
    ),
    (
        "two_ply_chances",
        "The opponent chooses by the table's number of their own view, values[square, my square], and takes the largest; mine is the rest.",
        ("            left.append(values[plays, square])\n"),
        ("            left.append(1 - values[square, plays])\n"),
    ),
    (
        "two_ply_chances",
        "The opponent has one best reply to a roll, the number that is best for them on average over my plays.",
        ("np.minimum(left[first], left[second])"),
        ("min(left[first], left[second], key=np.mean)"),
    ),
    (
        "two_ply_chances",
        "There are ten different rolls, and the mean is taken over those.",
        (
            "        for second in range(4):\n"
            "            total += np.minimum(left[first], left[second])\n"
            "    chance = total / 16\n"
        ),
        (
            "        for second in range(first + 1):\n"
            "            total += np.minimum(left[first], left[second])\n"
            "    chance = total / 10\n"
        ),
    ),
    (
        "two_ply_chances",
        "The opponent picks the best of three moves: the one number, the other, or both together, as in backgammon.",
        ("            total += np.minimum(left[first], left[second])\n"),
        (
            "            square = goes[max(theirs - first - second - 2, 0)]\n"
            "            both = values[plays, square] if square else np.zeros(len(plays))\n"
            "            total += np.minimum(np.minimum(left[first], left[second]), both)\n"
        ),
    ),
]
