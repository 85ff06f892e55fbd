"""What students write into the blanks of lesson 08.

ABOVE: what the lesson has defined. RIGHT[blank] -> sources, WRONG[blank] -> (mistake, source).
"""

from rlcourse.grading.answers import slip

ABOVE = """
import math

import numpy as np


def result(state):
    return state.points if state.next_player == 0 else -state.points
"""

CUT = """
def alpha_beta(state, alpha, beta, seen):
    seen.append(state)
    if state.is_over():
        return result(state)
    best = -math.inf
    for move in state.legal_moves():
        after = state.apply_move(move)
        value = -alpha_beta(after, -beta, -alpha, seen)
        best = max(best, value)
        alpha = max(alpha, best)
        if alpha >= beta:
            break
    return best
"""
CUT_HARD = """
def alpha_beta(state, alpha, beta, seen):
    seen.append(state)
    if state.is_over():
        return result(state)
    for move in state.legal_moves():
        value = -alpha_beta(state.apply_move(move), -beta, -alpha, seen)
        if value >= beta:
            return beta
        if value > alpha:
            alpha = value
    return alpha
"""

UCB_LINE = """
def ucb(node, action, c=1.4):
    n = node.N[action]
    if n == 0:
        return math.inf
    return node.W[action] / n + c * math.sqrt(math.log(sum(node.N.values())) / n)
"""
UCB_NUMPY = """
def ucb(node, action, c=1.4):
    if not node.N[action]:
        return float("inf")
    bonus = np.log(np.sum(list(node.N.values()))) / node.N[action]
    return c * bonus ** 0.5 + node.W[action] / node.N[action]
"""

BACK_UP = """
def back_up(path, value):
    for node, action in reversed(path):
        value = -value
        node.N[action] += 1
        node.W[action] += value
"""
BACK_UP_COUNTED = """
def back_up(path, value):
    for plies, (node, action) in enumerate(path[::-1], 1):
        node.N[action] = node.N[action] + 1
        node.W[action] = node.W[action] + value * (-1) ** plies
"""

RIGHT = {
    "alpha_beta": (CUT, CUT_HARD),
    "ucb": (UCB_LINE, UCB_NUMPY),
    "back_up": (BACK_UP, BACK_UP_COUNTED),
}

_LEAVE = "        if alpha >= beta:\n            break\n"
_BONUS = "c * math.sqrt(math.log(sum(node.N.values())) / n)"
_TURN = "        value = -value\n"
_ADD = "node.W[action] += value"

WRONG = {
    "alpha_beta": (
        ("no_cut", slip(CUT, (_LEAVE, ""))),
        ("strict", slip(CUT, (">= beta", "> beta"))),
        ("bad_move", slip(CUT, ("alpha >= beta", "value < alpha"))),
        ("first", slip(CUT, ("alpha >= beta", "alpha <= beta"))),
    ),
    "ucb": (
        ("unvisited", slip(UCB_LINE, ("math.inf", "0.0"))),
        ("sum", slip(UCB_LINE, ("node.W[action] / n", "node.W[action]"))),
        ("swapped", slip(UCB_LINE, (_BONUS, "c * math.sqrt(math.log(n) / sum(node.N.values()))"))),
        ("no_log", slip(UCB_LINE, ("math.log(sum(node.N.values()))", "sum(node.N.values())"))),
        ("no_root", slip(UCB_LINE, ("math.sqrt", ""))),
        ("no_c", slip(UCB_LINE, ("c * ", ""))),
        ("minus", slip(UCB_LINE, ("+ c", "- c"))),
        ("no_bonus", slip(UCB_LINE, (" + " + _BONUS, ""))),
    ),
    "back_up": (
        ("no_sign", slip(BACK_UP, (_TURN, ""))),
        ("late", slip(BACK_UP, (_TURN, ""), (_ADD, _ADD + "\n" + _TURN.rstrip()))),
        ("once", slip(BACK_UP, (_TURN, ""), ("    for", "    value = -value\n    for"))),
        ("no_visits", slip(BACK_UP, ("        node.N[action] += 1\n", ""))),
        ("replaced", slip(BACK_UP, ("node.W[action] +=", "node.W[action] ="))),
    ),
}
