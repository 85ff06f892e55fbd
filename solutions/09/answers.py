"""Answers to sheet 09 as students write them: RIGHT[task] -> sources, WRONG[task] ->
(mistake it must be told, source).

A wrong answer is a right one with one slip; `slip(source, old, new)` shows which. No answer looks
at the course's oracle, but those that are handed in as the reference itself.
"""

from rlcourse.grading.answers import slip

# --- search_chances -------------------------------------------------------------------------------

CHANCES_ARRAYS = """
import numpy as np

def search_chances(visits, q, ply, halving, end):
    targets = visits / visits.sum(axis=1, keepdims=True)
    tau = 2.0 ** (-ply / halving)
    scaled = visits / visits.max(axis=1, keepdims=True)
    chances = scaled ** (1 / tau)[:, None]
    top = visits == visits.max(axis=1, keepdims=True)
    chances = np.where((ply >= end)[:, None], top, chances)
    return targets, chances / chances.sum(axis=1, keepdims=True)
"""

CHANCES_LOOPS = '''
def search_chances(visits, q, ply, halving, end):
    """Row by row, with Python's own numbers."""
    targets, chances = [], []
    for row, p in zip(visits.tolist(), ply.tolist()):
        targets.append([n / sum(row) for n in row])
        most = max(row)
        if p >= end:
            weights = [1.0 if n == most else 0.0 for n in row]
        else:
            weights = [(n / most) ** (2 ** (p / halving)) for n in row]
        chances.append([w / sum(weights) for w in weights])
    return targets, chances
'''

CHANCES_LOGS = '''
import numpy as np

def search_chances(visits, q, ply, halving, end):
    """n ** (1 / tau) = exp(ln n / tau); the logarithm of 0 prints a warning and is right."""
    targets = visits / visits.sum(axis=1)[:, None]
    chances = np.zeros(visits.shape)
    for r in range(len(visits)):
        if ply[r] < end:
            logits = np.log(visits[r]) * 2 ** (ply[r] / halving)
            chances[r] = np.exp(logits - logits.max())
        else:
            chances[r, np.flatnonzero(visits[r] == visits[r].max())] = 1
        chances[r] /= chances[r].sum()
    return targets, chances
'''

CHANCES_RIGHT = [CHANCES_ARRAYS, CHANCES_LOOPS, CHANCES_LOGS]
BOLTZMANN = """
def boltzmann(q, visits, tau):
    w = np.where(visits > 0, np.exp((q - q.max(axis=1, keepdims=True)) / tau), 0)
    return w / w.sum(axis=1, keepdims=True)
"""
CHANCES_WRONG = [
    (
        "from_q",
        BOLTZMANN
        + slip(
            CHANCES_ARRAYS,
            ("visits / visits.sum(axis=1, keepdims=True)", "boltzmann(q, visits, 1)"),
            (
                "scaled ** (1 / tau)[:, None]",
                "boltzmann(np.where(visits > 0, q, -9), visits, tau[:, None])",
            ),
            (
                "top = visits == visits.max(axis=1, keepdims=True)",
                "seen = np.where(visits > 0, q, -9)\n"
                "    top = seen == seen.max(axis=1, keepdims=True)",
            ),
        ),
    ),
    (
        "best_q",
        slip(
            CHANCES_ARRAYS,
            (
                "top = visits == visits.max(axis=1, keepdims=True)",
                "seen = np.where(visits > 0, q, -9)\n"
                "    top = seen == seen.max(axis=1, keepdims=True)",
            ),
        ),
    ),
    ("inverted", slip(CHANCES_ARRAYS, ("(1 / tau)[:, None]", "tau[:, None]"))),
    ("inverted", slip(CHANCES_LOOPS, ("2 ** (p / halving)", "2 ** (-p / halving)"))),
    ("softmax", slip(CHANCES_LOGS, ("np.log(visits[r])", "visits[r]"))),
    (
        "learned",
        slip(
            CHANCES_ARRAYS,
            (
                "return targets, ",
                "targets = chances / chances.sum(axis=1, keepdims=True)\n    return targets, ",
            ),
        ),
    ),
    ("learned", slip(CHANCES_LOOPS, ("return targets", "return chances"))),
    (
        "first_tie",
        slip(CHANCES_LOGS, ("np.flatnonzero(visits[r] == visits[r].max())", "visits[r].argmax()")),
    ),
    ("no_end", slip(CHANCES_LOOPS, ("if p >= end", "if False"))),
    ("late", slip(CHANCES_ARRAYS, ("ply >= end", "ply > end"))),
    ("late", slip(CHANCES_LOGS, ("ply[r] < end", "ply[r] <= end"))),
    ("steps", slip(CHANCES_LOOPS, ("p / halving", "p // halving"))),
    (
        "not_finite",
        slip(
            CHANCES_ARRAYS, ("visits / visits.max(axis=1, keepdims=True)", "visits.astype(float)")
        ),
    ),
    ("other", slip(CHANCES_ARRAYS, ("2.0 ** (-ply / halving)", "1 / (1 + ply / halving)"))),
    ("kind", slip(CHANCES_LOOPS, ("return targets, chances", "print(targets, chances)"))),
    ("shape", slip(CHANCES_LOOPS, ("return targets, chances", "return targets[0], chances[0]"))),
    (
        "other",
        "MEMO = {}\n"
        + slip(
            CHANCES_ARRAYS,
            (
                "tau = 2.0 ** (-ply / halving)",
                "tau = MEMO.setdefault(ply.tobytes(), 2.0 ** (-ply / halving))",
            ),
        ),
    ),
    (
        "other",
        "MEMO = {}\n"
        + slip(
            CHANCES_ARRAYS,
            (
                "top = visits == visits.max(axis=1, keepdims=True)",
                "top = MEMO.setdefault(id(visits), visits == visits.max(axis=1, keepdims=True))\n"
                "    top = top if top.shape == visits.shape else visits == "
                "visits.max(axis=1, keepdims=True)",
            ),
        ),
    ),
    (
        "other",
        slip(
            CHANCES_ARRAYS, ("2.0 ** (-ply / halving)", "2.0 ** (-np.minimum(ply, 30) / halving)")
        ),
    ),
    ("other", slip(CHANCES_ARRAYS, ("2.0 ** (-ply / halving)", "np.exp(-ply / halving)"))),
    ("other", slip(CHANCES_ARRAYS, ("    targets =", "    visits = visits + 1\n    targets ="))),
    ("imported", "from rlcourse.checks.oracle09 import search_chances"),
    (
        "q_tie",
        slip(
            CHANCES_LOGS,
            (
                "np.flatnonzero(visits[r] == visits[r].max())",
                "np.where(visits[r] == visits[r].max(), q[r], -np.inf).argmax()",
            ),
        ),
    ),
]

# --- hex_examples ---------------------------------------------------------------------------------

HEX_LOOP = """
import numpy as np

def hex_examples(boards, movers, policies, results):
    S = boards.shape[1]
    seen, pis, z = [], [], []
    for turn in (False, True):
        for board, mover, policy, result in zip(boards, movers, policies, results):
            pi = policy[:-1].reshape(S, S)
            if mover == 1:
                board, pi, result = -board.T, pi.T, -result
            if turn:
                board, pi = np.rot90(board, 2), np.rot90(pi, 2)
            seen.append(board)
            pis.append(np.append(pi, policy[-1]))
            z.append(result)
    return np.array(seen), np.array(pis), np.array(z)
"""

HEX_ARRAYS = '''
import numpy as np

def hex_examples(boards, movers, policies, results):
    """All positions at once, by the numbers of the points: new point k comes from point numbers[k]."""
    T, S, _ = boards.shape
    second = movers == 1
    mirror = np.append(np.arange(S * S).reshape(S, S).T.ravel(), S * S)
    turn = np.append(np.arange(S * S)[::-1], S * S)
    flat = boards.reshape(T, -1) * np.where(second, -1, 1)[:, None]
    flat = np.where(second[:, None], flat[:, mirror[:-1]], flat)
    pi = np.where(second[:, None], policies[:, mirror], policies)
    z = np.where(second, -results, results)
    both = np.concatenate([flat, flat[:, turn[:-1]]]).reshape(2 * T, S, S)
    return both, np.concatenate([pi, pi[:, turn]]), np.concatenate([z, z])
'''

HEX_POINTS = '''
def hex_examples(boards, movers, policies, results):
    """Point by point, in lists."""
    T, S = len(boards), len(boards[0])
    new = [[[0] * S for _ in range(S)] for _ in range(2 * T)]
    pi = [[0.0] * (S * S + 1) for _ in range(2 * T)]
    z = [0] * (2 * T)
    for t in range(T):
        sign = -1 if movers[t] else 1
        for i in range(S):
            for j in range(S):
                r, c = (j, i) if movers[t] else (i, j)
                u, d = S - 1 - r, S - 1 - c
                new[t][r][c] = new[T + t][u][d] = int(sign * boards[t][i][j])
                pi[t][S * r + c] = pi[T + t][S * u + d] = float(policies[t][S * i + j])
        pi[t][-1] = pi[T + t][-1] = float(policies[t][-1])
        z[t] = z[T + t] = int(sign * results[t])
    return new, pi, z
'''

HEX_RIGHT = [HEX_LOOP, HEX_ARRAYS, HEX_POINTS]
HEX_WRONG = [
    (
        "policy_alone",
        slip(
            HEX_LOOP,
            ("-board.T, pi.T, -result", "-board.T, pi, -result"),
            ("board, pi = np.rot90(board, 2), np.rot90(pi, 2)", "board = np.rot90(board, 2)"),
        ),
    ),
    (
        "policy_alone",
        slip(
            HEX_ARRAYS,
            ("policies[:, mirror], policies", "policies, policies"),
            ("pi[:, turn]", "pi"),
        ),
    ),
    ("policy_view", slip(HEX_LOOP, ("-board.T, pi.T, -result", "-board.T, pi, -result"))),
    (
        "policy_turn",
        slip(HEX_LOOP, ("np.rot90(board, 2), np.rot90(pi, 2)", "np.rot90(board, 2), pi")),
    ),
    ("policy_turn", slip(HEX_POINTS, ("pi[T + t][S * u + d]", "pi[T + t][S * r + c]"))),
    ("colours", slip(HEX_LOOP, ("-board.T", "board.T"))),
    ("colours", slip(HEX_POINTS, ("int(sign * boards[t][i][j])", "int(boards[t][i][j])"))),
    ("board_view", slip(HEX_POINTS, ("r, c = (j, i) if movers[t] else (i, j)", "r, c = i, j"))),
    (
        "flip",
        slip(HEX_LOOP, ("np.rot90(board, 2), np.rot90(pi, 2)", "np.flipud(board), np.flipud(pi)")),
    ),
    ("flip", slip(HEX_POINTS, ("S - 1 - r, S - 1 - c", "S - 1 - r, c"))),
    (
        "quarter",
        slip(HEX_LOOP, ("np.rot90(board, 2), np.rot90(pi, 2)", "np.rot90(board), np.rot90(pi)")),
    ),
    (
        "swap_moves",
        slip(
            HEX_ARRAYS,
            ("np.append(np.arange(S * S)[::-1], S * S)", "np.arange(S * S + 1)[::-1]"),
            ("turn[:-1]", "turn[1:]"),
        ),
    ),
    ("z_first", slip(HEX_ARRAYS, ("np.where(second, -results, results)", "results"))),
    ("z_first", slip(HEX_LOOP, ("-board.T, pi.T, -result", "-board.T, pi.T, result"))),
    ("z_turn", slip(HEX_ARRAYS, ("np.concatenate([z, z])", "np.concatenate([z, -z])"))),
    (
        "in_pairs",
        slip(
            HEX_POINTS,
            ("new[t][r][c] = new[T + t][u][d]", "new[2 * t][r][c] = new[2 * t + 1][u][d]"),
            (
                "pi[t][S * r + c] = pi[T + t][S * u + d]",
                "pi[2 * t][S * r + c] = pi[2 * t + 1][S * u + d]",
            ),
            ("pi[t][-1] = pi[T + t][-1]", "pi[2 * t][-1] = pi[2 * t + 1][-1]"),
            ("z[t] = z[T + t]", "z[2 * t] = z[2 * t + 1]"),
        ),
    ),
    ("other", slip(HEX_LOOP, ("for turn in (False, True)", "for turn in (True, False)"))),
    ("kind", slip(HEX_POINTS, ("return new, pi, z", "return None"))),
    ("shape", slip(HEX_LOOP, ("(False, True)", "(False,)"))),
    (
        "other",
        slip(HEX_LOOP, ("np.append(pi, policy[-1])", "np.append(pi, 0 if turn else policy[-1])")),
    ),
    (
        "other",
        slip(HEX_LOOP, ("np.append(pi, policy[-1])", "np.append(pi * (board == 0), policy[-1])")),
    ),
    ("other", slip(HEX_LOOP, ("if mover == 1", "if mover == 0"))),
    (
        "other",
        slip(HEX_LOOP, ("-board.T, pi.T, -result", "-np.rot90(board), np.rot90(pi), -result")),
    ),
    ("changed", slip(HEX_ARRAYS, ("    both = ", "    movers[:] = 0\n    both = "))),
    (
        "other",
        "MEMO = {}\n"
        + slip(
            HEX_LOOP,
            (
                "np.array(z)\n",
                "MEMO.setdefault((boards.tobytes(), policies.tobytes()), np.array(z))\n",
            ),
        ),
    ),
    (
        "imported",
        "from rlcourse.checks import oracle09\n"
        "\ndef hex_examples(*args):\n"
        "    return oracle09.hex_examples(*args)",
    ),
]

# --- value_targets --------------------------------------------------------------------------------

VALUE_LOOP = """
import numpy as np

def value_targets(game, mover, root, result, cut, share):
    targets = []
    for t, g in enumerate(game):
        outcome = result[g]
        if cut[g]:
            last = np.flatnonzero(game == g)[-1]
            outcome = root[last] if mover[last] == 0 else -root[last]
        z = outcome if mover[t] == 0 else -outcome
        targets.append((1 - share) * z + share * root[t])
    return np.array(targets)
"""

VALUE_ARRAYS = '''
import numpy as np

def value_targets(game, mover, root, result, cut, share):
    """Everything for player 0 first; a later position overwrites an earlier one of its game."""
    sign = 1 - 2 * mover
    last = np.zeros(len(result))
    last[game] = root * sign
    z = np.where(cut, last, result)[game] * sign
    return z + share * (root - z)
'''

VALUE_BACKWARDS = '''
def value_targets(game, mover, root, result, cut, share):
    """From the end: the first position met of a game is its last one."""
    targets, known = [], {}
    for g, who, v in reversed(list(zip(game.tolist(), mover.tolist(), root.tolist()))):
        if g not in known:
            known[g] = (v, who) if cut[g] else (float(result[g]), 0)
        value, whose = known[g]
        z = value if whose == who else -value
        targets.insert(0, z * (1 - share) + v * share)
    return targets
'''

VALUE_RIGHT = [VALUE_LOOP, VALUE_ARRAYS, VALUE_BACKWARDS]
VALUE_WRONG = [
    ("first", slip(VALUE_LOOP, ("z = outcome if mover[t] == 0 else -outcome", "z = outcome"))),
    ("first", slip(VALUE_ARRAYS, ("[game] * sign\n    return", "[game]\n    return"))),
    (
        "opponent",
        slip(VALUE_LOOP, ("z = outcome if mover[t] == 0", "z = outcome if mover[t] == 1")),
    ),
    ("opponent", slip(VALUE_BACKWARDS, ("whose == who", "whose != who"))),
    (
        "parity",
        slip(
            VALUE_LOOP,
            (
                "z = outcome if mover[t] == 0",
                "z = outcome if (t - np.flatnonzero(game == g)[0]) % 2 == 0",
            ),
        ),
    ),
    ("rows", slip(VALUE_LOOP, ("z = outcome if mover[t] == 0", "z = outcome if t % 2 == 0"))),
    (
        "draw_loss",
        slip(
            VALUE_LOOP,
            ("        targets.append", "        z = -1 if z == 0 else z\n        targets.append"),
        ),
    ),
    ("draw_loss", slip(VALUE_BACKWARDS, ("z = value if", "z = -1.0 if value == 0 else value if"))),
    (
        "draw_second",
        slip(VALUE_LOOP, ("outcome = result[g]", "outcome = 1 if result[g] > 0 else -1")),
    ),
    ("cut_draw", slip(VALUE_ARRAYS, ("np.where(cut, last, result)", "np.where(cut, 0, result)"))),
    ("cut_result", slip(VALUE_LOOP, ("if cut[g]", "if False"))),
    (
        "cut_view",
        slip(VALUE_BACKWARDS, ("z = value if whose == who", "z = value if cut[g] or whose == who")),
    ),
    ("cut_own", slip(VALUE_LOOP, ("last = np.flatnonzero(game == g)[-1]", "last = t"))),
    ("last_of_all", slip(VALUE_LOOP, ("last = np.flatnonzero(game == g)[-1]", "last = -1"))),
    ("root_view", slip(VALUE_ARRAYS, ("share * (root - z)", "share * (root * sign - z)"))),
    (
        "swapped",
        slip(
            VALUE_LOOP, ("(1 - share) * z + share * root[t]", "share * z + (1 - share) * root[t]")
        ),
    ),
    ("swapped", slip(VALUE_ARRAYS, ("z + share * (root - z)", "root + share * (z - root)"))),
    ("only_z", slip(VALUE_ARRAYS, ("z + share * (root - z)", "z"))),
    ("other", slip(VALUE_LOOP, ("(1 - share) * z", "z"))),
    (
        "other",
        "MEMO = {}\n"
        + slip(
            VALUE_LOOP,
            (
                "return np.array(targets)",
                "return MEMO.setdefault((game.tobytes(), mover.tobytes(), root.tobytes(), "
                "result.tobytes(), share), np.array(targets))",
            ),
        ),
    ),
    (
        "other",
        "MEMO = {}\n"
        + slip(
            VALUE_LOOP,
            (
                "return np.array(targets)",
                "return MEMO.setdefault((game.tobytes(), mover.tobytes(), result.tobytes(), "
                "cut.tobytes(), share), np.array(targets))",
            ),
        ),
    ),
    (
        "first_root",
        slip(VALUE_LOOP, ("np.flatnonzero(game == g)[-1]", "np.flatnonzero(game == g)[0]")),
    ),
    ("other", slip(VALUE_LOOP, ("if cut[g]", "if cut[g] or result[g] == 0"))),
    (
        "other",
        slip(
            VALUE_LOOP,
            (
                "(1 - share) * z + share * root[t]",
                "(1 - share) * z + share * root[t] if not cut[g] else z",
            ),
        ),
    ),
    ("kind", slip(VALUE_BACKWARDS, ("    return targets", "    print(targets)"))),
    (
        "shape",
        slip(
            VALUE_ARRAYS,
            ("return z + share * (root - z)", "return np.append(z + share * (root - z), 0)"),
        ),
    ),
    (
        "imported",
        "def value_targets(*args):\n"
        "    from rlcourse.checks.oracle09 import value_targets\n"
        "    return value_targets(*args)",
    ),
    (
        "cut_first",
        slip(VALUE_LOOP, ("root[last] if mover[last] == 0 else -root[last]", "root[last]")),
    ),
]

# --- gate_chance ----------------------------------------------------------------------------------

GATE_CONVOLVE = """
import numpy as np

def gate_chance(first, second, games, percent):
    scores = np.array([1.0])
    for g in range(games):
        win, draw, loss = first if g % 2 == 0 else second
        scores = np.convolve(scores, [loss, draw, win])
    needed = min(h for h in range(2 * games + 1) if 100 * h >= percent * 2 * games)
    return needed / 2, scores[needed:].sum()
"""

GATE_DICT = '''
from collections import defaultdict

def gate_chance(first, second, games, percent):
    """score -> chance, game by game."""
    chances = {0.0: 1.0}
    for g in range(games):
        new = defaultdict(float)
        for score, chance in chances.items():
            for points, p in zip((1, 0.5, 0), (first, second)[g % 2]):
                new[score + points] += chance * p
        chances = new
    enough = [score / 2 for score in range(2 * games + 1) if (score / 2) / games >= percent / 100]
    return enough[0], sum(chances[score] for score in enough)
'''

GATE_MULTINOMIAL = '''
from math import ceil, comb

def gate_chance(first, second, games, percent):
    """All counts of wins and draws as first, and as second."""
    needed = -(-2 * games * percent // 100)
    def counts(chances, n):
        win, draw, loss = chances
        total = [0.0] * (2 * n + 1)
        for w in range(n + 1):
            for d in range(n - w + 1):
                total[2 * w + d] += comb(n, w) * comb(n - w, d) * win**w * draw**d * loss ** (n - w - d)
        return total
    ones, twos = counts(first, ceil(games / 2)), counts(second, games // 2)
    passed = sum(a * b for i, a in enumerate(ones) for j, b in enumerate(twos) if i + j >= needed)
    return needed / 2, passed
'''

GATE_DECIDED = """
import numpy as np

def gate_chance(first, second, games, percent):
    table = np.zeros((games + 1, games + 1))
    table[0, 0] = 1
    for g in range(games):
        win, draw, loss = (first, second)[g % 2]
        table = draw * table + win * np.roll(table, 1, axis=0) + loss * np.roll(table, 1, axis=1)
    passed = sum(table[w, l] for w in range(1, games + 1) for l in range(games + 1) if 100 * w >= percent * (w + l))
    return min(h for h in range(2 * games + 1) if 100 * h >= percent * 2 * games) / 2, passed
"""

GATE_NORMAL = """
from math import ceil, erfc, sqrt

def gate_chance(first, second, games, percent):
    needed, mean, variance = ceil(2 * games * percent / 100) / 2, 0, 0
    for g in range(games):
        win, draw, loss = (first, second)[g % 2]
        mean += win + draw / 2
        variance += win + draw / 4 - (win + draw / 2) ** 2
    return needed, 0.5 * erfc((needed - mean) / sqrt(2 * variance))
"""

GATE_RIGHT = [GATE_CONVOLVE, GATE_DICT, GATE_MULTINOMIAL]
GATE_WRONG = [
    ("draws_win", slip(GATE_DICT, ("(1, 0.5, 0)", "(1, 1, 0)"))),
    ("draws_win", slip(GATE_CONVOLVE, ("[loss, draw, win]", "[loss, 0, win + draw]"))),
    ("draws_lose", slip(GATE_DICT, ("(1, 0.5, 0)", "(1, 0, 0)"))),
    ("draws_lose", slip(GATE_CONVOLVE, ("[loss, draw, win]", "[loss + draw, 0, win]"))),
    ("draws_out", GATE_DECIDED),
    ("turned", slip(GATE_MULTINOMIAL, ("counts(second,", "counts(second[::-1],"))),
    ("turned", slip(GATE_DICT, ("(first, second)[g % 2]", "(first, second[::-1])[g % 2]"))),
    (
        "strict",
        slip(GATE_CONVOLVE, ("range(2 * games + 1)", "range(2 * games + 2)"), ("h >= ", "h > ")),
    ),
    (
        "strict",
        slip(
            GATE_MULTINOMIAL, ("-(-2 * games * percent // 100)", "2 * games * percent // 100 + 1")
        ),
    ),
    ("one_colour", slip(GATE_CONVOLVE, ("first if g % 2 == 0 else second", "first"))),
    (
        "one_colour",
        slip(
            GATE_MULTINOMIAL,
            (
                "counts(first, ceil(games / 2)), counts(second, games // 2)",
                "counts(first, games), [1.0]",
            ),
        ),
    ),
    (
        "mean_colours",
        slip(
            GATE_CONVOLVE,
            ("first if g % 2 == 0 else second", "(np.array(first) + np.array(second)) / 2"),
        ),
    ),
    ("normal", GATE_NORMAL),
    ("exactly", slip(GATE_CONVOLVE, ("scores[needed:].sum()", "scores[needed]"))),
    ("exactly", slip(GATE_MULTINOMIAL, ("i + j >= needed", "i + j == needed"))),
    ("fails", slip(GATE_CONVOLVE, ("scores[needed:].sum()", "scores[:needed].sum()"))),
    ("second_first", slip(GATE_CONVOLVE, ("g % 2 == 0", "g % 2 == 1"))),
    (
        "other",
        "MEMO = {}\n"
        + slip(
            GATE_CONVOLVE,
            (
                "scores[needed:].sum()",
                "MEMO.setdefault((str(first), games, percent), scores[needed:].sum())",
            ),
        ),
    ),
    (
        "whole_points",
        slip(
            GATE_CONVOLVE,
            ("100 * h >= percent * 2 * games", "h % 2 == 0 and 100 * h >= percent * 2 * games"),
        ),
    ),
    ("other", slip(GATE_CONVOLVE, ("range(games):", "range(games - games % 2):"))),
    (
        "other",
        slip(
            GATE_CONVOLVE, ("100 * h >= percent * 2 * games", "h / 2 >= int(percent / 100 * games)")
        ),
    ),
    ("kind", slip(GATE_CONVOLVE, ("return needed / 2, ", "return "))),
    ("shape", slip(GATE_CONVOLVE, ("scores[needed:].sum()", "scores[needed:].sum(keepdims=True)"))),
    ("imported", "from rlcourse.checks import oracle09\ngate_chance = oracle09.gate_chance"),
    ("half_points", slip(GATE_CONVOLVE, ("needed / 2, ", "needed, "))),
    (
        "argmax",
        slip(
            GATE_CONVOLVE,
            (
                "min(h for h in range(2 * games + 1) if 100 * h >= percent * 2 * games)",
                "int(np.argmax(100 * np.arange(len(scores)) > percent * 2 * games))",
            ),
        ),
    ),
]

# --- token_search ---------------------------------------------------------------------------------

TOKEN_HASTY = """
import numpy as np
from collections import defaultdict

def token_search(goes, ends, start, priors, values, noise, epsilon, c, simulations):
    visits, totals = defaultdict(int), defaultdict(float)
    for _ in range(simulations):
        node, place = (), start
        while visits[node] > 0 and (goes[place] >= 0).any():
            p = (1 - epsilon) * priors[place] + epsilon * noise
            scores = np.full(len(p), -np.inf)
            for a in np.flatnonzero(goes[place] >= 0).tolist():
                n = visits[(*node, a)]
                q = -totals[(*node, a)] / n if n else 0.0
                scores[a] = q + c * p[a] * np.sqrt(max(1, visits[node] - 1)) / (1 + n)
            a = int(scores.argmax())
            node, place = (*node, a), goes[place, a]
        value = values[place] if (goes[place] >= 0).any() else ends[place]
        for depth in range(len(node), -1, -1):
            visits[node[:depth]] += 1
            totals[node[:depth]] += value
            value = -value
    q = np.array([-totals[(a,)] / max(1, visits[(a,)]) for a in range(len(noise))])
    pi = np.where(goes[start] >= 0, np.exp(q), 0.0)
    return pi / pi.sum(), totals[()] / visits[()]
"""
MASKED = (
    "p = (1 - epsilon) * priors[place] + epsilon * noise",
    "p = priors[place] * (goes[place] >= 0)\n            p = p / p.sum()\n            "
    "p = (1 - epsilon) * p + epsilon * noise",
)
ROOT_ONLY = (
    "            p = (1 - epsilon) * p + epsilon * noise",
    "            if not node:\n                p = (1 - epsilon) * p + epsilon * noise",
)
BY_VISITS = (
    "np.where(goes[start] >= 0, np.exp(q), 0.0)",
    "np.array([visits[(a,)] for a in range(len(noise))])",
)
TOKEN_REPAIRED = slip(TOKEN_HASTY, MASKED, ROOT_ONLY, BY_VISITS)

TOKEN_NODES = '''
import numpy as np

class Node:
    """total: for the player who moved here, so that its parent takes the highest."""
    def __init__(self, place):
        self.place, self.n, self.total, self.children = place, 0, 0.0, {}

def token_search(goes, ends, start, priors, values, noise, epsilon, c, simulations):
    legal = [[a for a, to in enumerate(row) if to >= 0] for row in goes.tolist()]
    root = Node(start)
    for _ in range(simulations):
        path = [root]
        while path[-1].children:
            node = path[-1]
            mass = sum(priors[node.place][a] for a in node.children)
            best = None
            for a, child in node.children.items():
                p = priors[node.place][a] / mass
                if node is root:
                    p += epsilon * (noise[a] - p)
                score = (child.total / child.n if child.n else 0) + c * p * max(1, node.n - 1) ** 0.5 / (1 + child.n)
                if best is None or score > best[0]:
                    best = score, child
            path.append(best[1])
        leaf = path[-1]
        leaf.children = {a: Node(goes[leaf.place][a]) for a in legal[leaf.place]}
        good = -(values if leaf.children else ends)[leaf.place]
        for node in reversed(path):
            node.n += 1
            node.total += good
            good = -good
    pi = [root.children[a].n / (root.n - 1) if a in root.children else 0.0 for a in range(len(noise))]
    return pi, -root.total / root.n
'''

TOKEN_RECURSIVE = '''
import numpy as np

def token_search(goes, ends, start, priors, values, noise, epsilon, c, simulations):
    legal = goes >= 0
    P = np.where(legal, priors, 0)
    P = P / np.maximum(P.sum(axis=1, keepdims=True), 1e-12)
    tree = {}

    def simulate(path, place):
        """One simulation below this node: its value for the player to move here. A node is (n [A], W [A])."""
        if not legal[place].any():
            return ends[place]
        if path not in tree:
            tree[path] = np.zeros(len(noise)), np.zeros(len(noise))
            return values[place]
        n, W = tree[path]
        N = max(1, n.sum())
        p = P[place] if path else (1 - epsilon) * P[place] + epsilon * noise
        score = np.divide(W, n, out=np.zeros(len(n)), where=n > 0) + c * p * np.sqrt(N) / (1 + n)
        a = int(np.where(legal[place], score, -np.inf).argmax())
        v = -simulate(path + (a,), goes[place, a])
        n[a] += 1
        W[a] += v
        return v

    total = sum(simulate((), start) for _ in range(simulations))
    n = tree[()][0]
    return n / n.sum(), total / simulations
'''

TOKEN_RIGHT = [TOKEN_REPAIRED, TOKEN_NODES, TOKEN_RECURSIVE]
TOKEN_WRONG = [
    ("hasty", TOKEN_HASTY),
    ("noise_and_mask", slip(TOKEN_HASTY, BY_VISITS)),
    ("noise_and_q", slip(TOKEN_HASTY, MASKED)),
    (
        "mask_and_q",
        slip(
            TOKEN_HASTY,
            (
                "(1 - epsilon) * priors[place] + epsilon * noise",
                "priors[place] if node else (1 - epsilon) * priors[place] + epsilon * noise",
            ),
        ),
    ),
    ("noise", slip(TOKEN_HASTY, MASKED, BY_VISITS)),
    (
        "noise_first",
        slip(
            TOKEN_NODES,
            (
                "            mass = sum(priors[node.place][a] for a in node.children)\n",
                "            prior = priors[node.place]\n"
                "            if node is root:\n"
                "                prior = (1 - epsilon) * prior + epsilon * noise\n"
                "            mass = sum(prior[a] for a in node.children)\n",
            ),
            (
                "                p = priors[node.place][a] / mass\n"
                "                if node is root:\n"
                "                    p += epsilon * (noise[a] - p)\n",
                "                p = prior[a] / mass\n",
            ),
        ),
    ),
    (
        "noise_first",
        slip(
            TOKEN_RECURSIVE,
            (
                "(1 - epsilon) * P[place] + epsilon * noise\n",
                "((1 - epsilon) * priors[place] + epsilon * noise) * legal[place]\n"
                "        p = p / p.sum()\n",
            ),
        ),
    ),
    ("noise", slip(TOKEN_NODES, ("if node is root", "if True"))),
    (
        "mask",
        slip(
            TOKEN_HASTY,
            BY_VISITS,
            (
                "(1 - epsilon) * priors[place] + epsilon * noise",
                "priors[place] if node else (1 - epsilon) * priors[place] + epsilon * noise",
            ),
        ),
    ),
    ("mask", slip(TOKEN_NODES, (" / mass", ""))),
    ("q", slip(TOKEN_HASTY, MASKED, ROOT_ONLY)),
    ("sign", slip(TOKEN_REPAIRED, ("            value = -value\n", ""))),
    (
        "sign",
        slip(
            TOKEN_RECURSIVE,
            (
                "v = -simulate(path + (a,), goes[place, a])",
                "v = simulate(path + (a,), goes[place, a])",
            ),
            ("        W[a] += v\n", "        W[a] -= v\n"),
        ),
    ),
    ("friendly", slip(TOKEN_REPAIRED, ("-totals[(*node, a)]", "totals[(*node, a)]"))),
    ("friendly", slip(TOKEN_RECURSIVE, ("W[a] += v", "W[a] -= v"))),
    (
        "asks",
        slip(
            TOKEN_REPAIRED,
            ("values[place] if (goes[place] >= 0).any() else ends[place]", "values[place]"),
        ),
    ),
    ("asks", slip(TOKEN_RECURSIVE, ("return ends[place]", "return values[place]"))),
    (
        "draw_loss",
        slip(
            TOKEN_NODES,
            (
                "(values if leaf.children else ends)[leaf.place]",
                "(values[leaf.place] if leaf.children else ends[leaf.place] or -1.0)",
            ),
        ),
    ),
    ("end_view", slip(TOKEN_RECURSIVE, ("return ends[place]", "return -ends[place]"))),
    (
        "no_noise",
        slip(
            TOKEN_RECURSIVE,
            ("P[place] if path else (1 - epsilon) * P[place] + epsilon * noise", "P[place]"),
        ),
    ),
    ("added", slip(TOKEN_NODES, ("epsilon * (noise[a] - p)", "epsilon * noise[a]"))),
    ("own", slip(TOKEN_RECURSIVE, ("max(1, n.sum())", "1 + n.sum()"))),
    ("own", slip(TOKEN_NODES, ("max(1, node.n - 1) ** 0.5", "node.n**0.5"))),
    ("zero_total", slip(TOKEN_RECURSIVE, ("max(1, n.sum())", "n.sum()"))),
    ("zero_total", slip(TOKEN_NODES, ("max(1, node.n - 1) ** 0.5", "(node.n - 1) ** 0.5"))),
    ("no_root", slip(TOKEN_NODES, ("max(1, node.n - 1) ** 0.5", "max(1, node.n - 1)"))),
    ("no_total", slip(TOKEN_REPAIRED, (" * np.sqrt(max(1, visits[node] - 1))", ""))),
    ("plus_one", slip(TOKEN_REPAIRED, ("/ (1 + n)", "/ max(1, n)"))),
    (
        "best_only",
        slip(TOKEN_RECURSIVE, ("return n / n.sum()", "return np.eye(len(n))[n.argmax()]")),
    ),
    (
        "places",
        slip(
            TOKEN_NODES,
            ("    root = Node(start)\n", "    root, made = Node(start), {}\n"),
            (
                "{a: Node(goes[leaf.place][a]) for a",
                "{a: made.setdefault(goes[leaf.place][a], Node(goes[leaf.place][a])) for a",
            ),
            ("return pi,", "return [share / sum(pi) for share in pi],"),
        ),
    ),
    ("all_simulations", slip(TOKEN_NODES, ("/ (root.n - 1)", "/ root.n"))),
    ("root_view", slip(TOKEN_NODES, ("-root.total / root.n", "root.total / root.n"))),
    ("c_inside", slip(TOKEN_RECURSIVE, ("c * p * np.sqrt(N)", "p * np.sqrt(c * N)"))),
    ("other", slip(TOKEN_NODES, ("-root.total / root.n", "-root.total / (2 * root.n)"))),
    (
        "other",
        "MEMO = {}\n"
        + slip(
            TOKEN_REPAIRED,
            (
                "    return pi / pi.sum(), totals[()] / visits[()]",
                "    return MEMO.setdefault((goes.tobytes(), priors.tobytes(), simulations), (pi "
                "/ pi.sum(), totals[()] / visits[()]))",
            ),
        ),
    ),
    (
        "other",
        slip(
            TOKEN_REPAIRED, ("int(scores.argmax())", "int(len(scores) - 1 - scores[::-1].argmax())")
        ),
    ),
    ("other", slip(TOKEN_REPAIRED, ("if n else 0.0", "if n else values[place]"))),
    (
        "other",
        slip(TOKEN_REPAIRED, ("(1 - epsilon) * p + epsilon * noise", "0.75 * p + 0.25 * noise")),
    ),
    ("kind", slip(TOKEN_NODES, ("    return pi, ", "    print(pi), "))),
    (
        "shape",
        slip(
            TOKEN_NODES,
            ("if a in root.children else 0.0 for a in range(len(noise))", "for a in root.children"),
        ),
    ),
    ("imported", "from rlcourse.checks.oracle09 import token_search"),
]

RIGHT = {
    "search_chances": CHANCES_RIGHT,
    "hex_examples": HEX_RIGHT,
    "value_targets": VALUE_RIGHT,
    "gate_chance": GATE_RIGHT,
    "token_search": TOKEN_RIGHT,
}
WRONG = {
    "search_chances": CHANCES_WRONG,
    "hex_examples": HEX_WRONG,
    "value_targets": VALUE_WRONG,
    "gate_chance": GATE_WRONG,
    "token_search": TOKEN_WRONG,
}
