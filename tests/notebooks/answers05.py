"""What students write into the blanks of lesson 05.

ABOVE: what the lesson has defined. RIGHT[blank] -> sources, WRONG[blank] -> (mistake, source).
"""

from rlcourse.grading.answers import slip

ABOVE = "import numpy as np\n"

UNITS_IF = """
def point_units(n):
    units = [0, 0, 0, 0]
    if n == 1:
        units[0] = 1
    if n >= 2:
        units[1] = 1
    if n == 3:
        units[2] = 1
    if n > 3:
        units[3] = (n - 3) / 2
    return units
"""
UNITS_BOOLS = """
def point_units(n):
    return [float(n == 1), float(n >= 2), float(n == 3), max(0, n - 3) / 2]
"""
UNITS_ARRAY = """
import numpy as np

def point_units(n):
    return np.array([n == 1, n > 1, n == 3, np.maximum(n - 3, 0) / 2])
"""

LEARN_LOOP = """
def learn(weights, traces, gradient, td_error, alpha, lam):
    for name in weights:
        traces[name] = lam * traces[name] + gradient[name]
        weights[name] += alpha * td_error * traces[name]
"""
LEARN_IN_PLACE = """
def learn(weights, traces, gradient, td_error, alpha, lam):
    for name, trace in traces.items():
        trace *= lam
        trace += gradient[name]
        weights[name] = weights[name] + td_error * alpha * trace
    return weights
"""

EQUITY_SUMS = """
def points_expected(p):
    win, win_gammon, win_backgammon, lose_gammon, lose_backgammon = p
    return 2 * win - 1 + win_gammon + win_backgammon - lose_gammon - lose_backgammon
"""
EQUITY_RESULTS = """
def points_expected(p):
    win, win_gammon, win_backgammon, lose_gammon, lose_backgammon = p
    points = (win - win_gammon) + 2 * (win_gammon - win_backgammon) + 3 * win_backgammon
    lose = 1 - win
    points -= (lose - lose_gammon) + 2 * (lose_gammon - lose_backgammon) + 3 * lose_backgammon
    return points
"""

RIGHT = {
    "point_units": (UNITS_IF, UNITS_BOOLS, UNITS_ARRAY),
    "learn": (LEARN_LOOP, LEARN_IN_PLACE),
    "points_expected": (EQUITY_SUMS, EQUITY_RESULTS),
}

_TRACE = "lam * traces[name] + gradient[name]"
_FADE = f"        traces[name] = {_TRACE}\n"
_MOVE = "        weights[name] += alpha * td_error * traces[name]\n"
_GAMMONS = " + win_gammon + win_backgammon - lose_gammon - lose_backgammon"

WRONG = {
    "point_units": (
        ("blot_stays", slip(UNITS_IF, ("n == 1", "n >= 1"))),
        ("exactly_two", slip(UNITS_IF, ("n >= 2", "n == 2"))),
        ("spare_stays", slip(UNITS_IF, ("n == 3", "n >= 3"))),
        ("not_halved", slip(UNITS_IF, ("(n - 3) / 2", "n - 3"))),
        ("no_half", slip(UNITS_IF, ("(n - 3) / 2", "(n - 3) // 2"))),
        ("negative", slip(UNITS_BOOLS, ("max(0, n - 3)", "(n - 3)"))),
        ("kind", slip(UNITS_IF, ("    return units", ""))),
        ("shape", slip(UNITS_IF, ("return units", "return units[:3]"))),
    ),
    "learn": (
        ("no_fade", slip(LEARN_LOOP, ("lam * traces", "traces"))),
        ("fades_late", slip(LEARN_LOOP, (_TRACE, "lam * (traces[name] + gradient[name])"))),
        ("forgets", slip(LEARN_LOOP, (_TRACE, "gradient[name]"))),
        ("old_trace", slip(LEARN_LOOP, (_FADE + _MOVE, _MOVE + _FADE))),
        ("td_0", slip(LEARN_LOOP, ("td_error * traces[name]", "td_error * gradient[name]"))),
        ("no_alpha", slip(LEARN_LOOP, ("alpha * td_error", "td_error"))),
        ("away", slip(LEARN_LOOP, ("weights[name] +=", "weights[name] -="))),
        ("unchanged", slip(LEARN_LOOP, (_MOVE, ""))),
        ("changed", slip(LEARN_LOOP, ("    for", "    gradient['output'] = 0.0\n    for"))),
    ),
    "points_expected": (
        ("wins_only", slip(EQUITY_SUMS, (_GAMMONS, ""))),
        (
            "doubled",
            slip(
                EQUITY_SUMS,
                (_GAMMONS, " + 2 * (win_gammon - lose_gammon)"),
                ("lose_gammon)", "lose_gammon) + 3 * (win_backgammon - lose_backgammon)"),
            ),
        ),
        (
            "exclusive",
            slip(
                EQUITY_RESULTS,
                ("(win - win_gammon)", "(win - win_gammon - win_backgammon)"),
                ("2 * (win_gammon - win_backgammon)", "2 * win_gammon"),
                ("(lose - lose_gammon)", "(lose - lose_gammon - lose_backgammon)"),
                ("2 * (lose_gammon - lose_backgammon)", "2 * lose_gammon"),
            ),
        ),
        ("no_losses", slip(EQUITY_SUMS, (" - lose_gammon - lose_backgammon", ""))),
        ("lost_added", slip(EQUITY_SUMS, ("- lose_gammon - lose", "+ lose_gammon + lose"))),
        ("free_loss", slip(EQUITY_SUMS, ("2 * win - 1", "win"))),
    ),
}
