"""Answers to sheet 51 as students write them. Try the grader on them, in the course's folder:

python -m tests.wrong_answers --sheet 51 --seeds 50 --course THIS_FOLDER
"""

from rlcourse.grading.answers import slip

LOOP = """
import numpy as np

def shaped_returns(rewards, gamma):
    returns, following = np.zeros(len(rewards)), 0.0
    for t in range(len(rewards) - 1, -1, -1):
        following = rewards[t] + gamma * following
        returns[t] = following
    return returns
"""
POWERS = """
def shaped_returns(rewards, gamma):
    last = len(rewards)
    return [sum(gamma ** (k - t) * rewards[k] for k in range(t, last)) for t in range(last)]
"""
RIGHT = {"shaped_returns": [LOOP, POWERS]}
WRONG = {
    "shaped_returns": [
        ("forward", slip(LOOP, ("range(len(rewards) - 1, -1, -1)", "range(len(rewards))"))),
        ("gamma", slip(LOOP, ("gamma * following", "following"))),
        ("late", slip(LOOP, ("= following\n    return", "= following - rewards[t]\n    return"))),
        ("shape", slip(LOOP, ("return returns", "return returns[1:]"))),
        ("imported", "from rlcourse.experience import discounted_returns as shaped_returns"),
    ],
}
