"""What students write into the blanks of lesson 10.

ABOVE: what the lesson has defined. RIGHT[blank] -> sources, WRONG[blank] -> (mistake, source).
"""

from rlcourse.grading.answers import slip

ABOVE = """
from itertools import combinations, permutations

import numpy as np
"""

RESPONSE = """
def best_response(state, champion, seat):
    if state.is_over():
        return state.points if seat == 1 else -state.points
    if state.next_player == seat:
        move = champion.select_move(state)
        return best_response(state.apply_move(move), champion, seat)
    best = -1
    for move in state.legal_moves():
        best = max(best, best_response(state.apply_move(move), champion, seat))
    return best
"""
RESPONSE_LIST = """
def best_response(state, champion, seat):
    if state.is_over():
        return state.points if seat == 1 else -state.points
    moves = state.legal_moves()
    if state.next_player == seat:
        moves = [champion.select_move(state)]
    return max([best_response(state.apply_move(m), champion, seat) for m in moves])
"""

CYCLES = """
def count_cycles(beats):
    found = 0
    for i in range(len(beats)):
        for j in range(len(beats)):
            for k in range(len(beats)):
                if beats[i][j] and beats[j][k] and beats[k][i]:
                    found += 1
    return found // 3
"""
CYCLES_TRIOS = """
def count_cycles(beats):
    found = 0
    for i, j, k in combinations(range(len(beats)), 3):
        if beats[i][j] and beats[j][k] and beats[k][i]:
            found += 1
        if beats[i][k] and beats[k][j] and beats[j][i]:
            found += 1
    return found
"""
CYCLES_MATRIX = """
def count_cycles(beats):
    beats = np.array(beats, int)
    return int(np.trace(beats @ beats @ beats)) // 3
"""
CYCLES_LEAST = """
def count_cycles(beats):
    found = 0
    for i, j, k in permutations(range(len(beats)), 3):
        if i == min(i, j, k) and beats[i][j] and beats[j][k] and beats[k][i]:
            found += 1
    return found
"""

RIGHT = {
    "best_response": (RESPONSE, RESPONSE_LIST),
    "count_cycles": (CYCLES, CYCLES_TRIOS, CYCLES_MATRIX, CYCLES_LEAST),
}

_CHAMPION = """    if state.next_player == seat:
        move = champion.select_move(state)
        return best_response(state.apply_move(move), champion, seat)
"""
_MINIMAX = """    if state.next_player == seat:
        worst = 1
        for move in state.legal_moves():
            worst = min(worst, best_response(state.apply_move(move), champion, seat))
        return worst
"""
_TRY = "best = max(best, best_response(state.apply_move(move), champion, seat))"
_FIRST = "return best_response(state.apply_move(move), champion, seat)"
_TURNS = (
    ("return best_response(", "return -best_response("),
    ("best, best_response(", "best, -best_response("),
)
_EITHER = ("    if state.next_player == seat:", "    if state.legal_moves():")
_SECOND_WAY = """        if beats[i][k] and beats[k][j] and beats[j][i]:
            found += 1
"""

WRONG = {
    "best_response": (
        ("champion_tries", slip(RESPONSE, (_CHAMPION, ""))),
        ("minimax", slip(RESPONSE, (_CHAMPION, _MINIMAX))),
        ("turned", slip(RESPONSE, *_TURNS)),
        ("turned_champion", slip(RESPONSE, _TURNS[0])),
        ("turned_own", slip(RESPONSE, _TURNS[1])),
        ("first", slip(RESPONSE, (_TRY, _FIRST))),
        ("worst", slip(RESPONSE, ("best = -1", "best = 1"), ("max(", "min("))),
        ("own", slip(RESPONSE, _EITHER)),
        ("seats", slip(RESPONSE, ("next_player == seat", "next_player != seat"))),
    ),
    "count_cycles": (
        ("thrice", slip(CYCLES, (" // 3", ""))),
        ("one_way", slip(CYCLES_TRIOS, (_SECOND_WAY, ""))),
        ("transitive", slip(CYCLES, ("beats[k][i]", "beats[i][k]"), (" // 3", ""))),
    ),
}
