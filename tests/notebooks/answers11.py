"""What students write into the blanks of lesson 11.

ABOVE: what the lesson has defined. RIGHT[blank] -> sources, WRONG[blank] -> (mistake, source).
"""

from rlcourse.grading.answers import slip

ABOVE = "import numpy as np\n"

SARSA = """
def sarsa(q, state, action, reward, following, next_action, over, alpha):
    target = reward
    if not over:
        target += q[following, next_action]
    q[state, action] += alpha * (target - q[state, action])
"""
SARSA_MIXED = """
def sarsa(q, state, action, reward, following, next_action, over, alpha):
    ahead = q[following][next_action] * (1 - over)
    q[state][action] = (1 - alpha) * q[state][action] + alpha * (reward + ahead)
    return q
"""

MATCHING = """
def regret_matching(regrets):
    positive = [max(regret, 0) for regret in regrets]
    if not any(positive):
        return [1 / len(regrets)] * len(regrets)
    return [regret / sum(positive) for regret in positive]
"""
MATCHING_ARRAY = """
def regret_matching(regrets):
    positive = np.maximum(regrets, 0.0)
    if positive.sum() > 0:
        return positive / positive.sum()
    return np.full(len(regrets), 1 / len(regrets))
"""

RIGHT = {"sarsa": (SARSA, SARSA_MIXED), "regret_matching": (MATCHING, MATCHING_ARRAY)}

_MOVE = "q[state, action] += alpha * (target - q[state, action])"
_POSITIVE, _NONE = "[max(regret, 0) for regret in regrets]", "[1 / len(regrets)] * len(regrets)"
_SHARES = "[regret / sum(positive) for regret in positive]"

WRONG = {
    "sarsa": (
        ("q_learning", slip(SARSA, ("q[following, next_action]", "q[following].max()"))),
        ("no_end", slip(SARSA, ("if not over", "if True"))),
        ("same_action", slip(SARSA, ("q[following, next_action]", "q[following, action]"))),
        ("no_reward", slip(SARSA, ("target = reward", "target = 0"))),
        ("full_step", slip(SARSA, (_MOVE, "q[state, action] = target"))),
        ("away", slip(SARSA, ("+= alpha", "-= alpha"))),
        ("unchanged", slip(SARSA, (_MOVE, "q = q + alpha * (target - q[state, action])"))),
    ),
    "regret_matching": (
        ("signed", slip(MATCHING, (_POSITIVE, "list(regrets)"))),
        ("absolute", slip(MATCHING, (_POSITIVE, "[abs(regret) for regret in regrets]"))),
        (
            "largest",
            slip(MATCHING, (_POSITIVE, "[float(regret == max(regrets)) for regret in regrets]")),
        ),
        ("flipped", slip(MATCHING, (_POSITIVE, "[max(-regret, 0) for regret in regrets]"))),
        ("zeros", slip(MATCHING, (_NONE, "[0.0] * len(regrets)"))),
        ("only_used", slip(MATCHING, (_POSITIVE, "[float(regret > 0) for regret in regrets]"))),
        ("not_divided", slip(MATCHING, (_SHARES, "positive"))),
    ),
}
