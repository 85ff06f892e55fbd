"""What students write into the blanks of lesson 02.

ABOVE: what the lesson has defined. RIGHT[blank] -> sources, WRONG[blank] -> (mistake, source).
"""

from rlcourse.grading.answers import slip

ABOVE = "from rlcourse.lessons.lesson02 import action_value\n"

VALUE_LOOP = """
def action_value(outcomes, values, gamma):
    result = 0
    for p, reward, state in outcomes:
        result += p * (reward + gamma * values[state])
    return result
"""
VALUE_SUM = """
def action_value(outcomes, values, gamma):
    income = sum(p * r for p, r, _ in outcomes)
    return income + gamma * sum(p * values[s] for p, _, s in outcomes)
"""

IMPROVE_SEARCH = """
def improve(process, values, gamma):
    policy = {}
    for state in process:
        top = float("-inf")
        for action in process[state]:
            worth = action_value(process[state][action], values, gamma)
            if worth > top:
                top = worth
                policy[state] = action
    return policy
"""
IMPROVE_SHORT = """
def improve(process, values, gamma):
    return {
        state: max(actions, key=lambda a: action_value(actions[a], values, gamma))
        for state, actions in process.items()
    }
"""

SARSA_PLAIN = """
def sarsa(q, step, alpha, gamma):
    s, a, r, s_next, a_next = step
    target = r + gamma * q[s_next][a_next]
    q[s][a] += alpha * (target - q[s][a])
"""
SARSA_MIXED = """
def sarsa(q, step, alpha, gamma):
    state, action, reward, after, following = step
    ahead = reward + gamma * q[after][following]
    q[state][action] = (1 - alpha) * q[state][action] + alpha * ahead
    return q
"""

RIGHT = {
    "action_value": (VALUE_LOOP, VALUE_SUM),
    "improve": (IMPROVE_SEARCH, IMPROVE_SHORT),
    "sarsa": (SARSA_PLAIN, SARSA_MIXED),
}

_TERM = "result += p * (reward + gamma * values[state])"
_WORTH = "action_value(process[state][action], values, gamma)"
_NEXT = "q[s_next][a_next]"

WRONG = {
    "action_value": (
        ("no_gamma", slip(VALUE_LOOP, ("gamma * ", ""))),
        (
            "late_reward",
            slip(VALUE_LOOP, (_TERM, "result += p * gamma * (reward + values[state])")),
        ),
        ("unweighted", slip(VALUE_LOOP, ("p * (", "("))),
        (
            "plain_rewards",
            slip(VALUE_LOOP, (_TERM, "result += reward + p * gamma * values[state]")),
        ),
        ("first", slip(VALUE_LOOP, ("    return", "        return"))),
        ("last", slip(VALUE_LOOP, ("+= p", "= p"))),
        ("likeliest", slip(VALUE_LOOP, ("in outcomes", "in [max(outcomes)]"), ("p * (", "("))),
        ("no_future", slip(VALUE_LOOP, (" + gamma * values[state]", ""))),
        ("other", slip(VALUE_LOOP, ("result = 0", "result = 1"))),
    ),
    "improve": (
        ("now", slip(IMPROVE_SEARCH, (_WORTH, "action_value(process[state][action], values, 0)"))),
        (
            "next_value",
            slip(
                IMPROVE_SEARCH, (_WORTH, "sum(p * values[s] for p, _, s in process[state][action])")
            ),
        ),
        ("worst", slip(IMPROVE_SEARCH, ("-inf", "inf"), ("worth > top", "worth < top"))),
        ("last", slip(IMPROVE_SEARCH, ("if worth > top", "if True"))),
        ("from_zero", slip(IMPROVE_SEARCH, ('float("-inf")', "0"))),
        ("one_state", slip(IMPROVE_SEARCH, ("    return", "        return"))),
        ("numbers", slip(IMPROVE_SEARCH, ("policy[state] = action", "policy[state] = worth"))),
        ("kind", slip(IMPROVE_SEARCH, ("    return policy", ""))),
    ),
    "sarsa": (
        ("q_learning", slip(SARSA_PLAIN, (_NEXT, "max(q[s_next].values())"))),
        (
            "expected",
            slip(SARSA_PLAIN, (_NEXT, "sum(q[s_next].values()) / len(q[s_next])")),
        ),
        ("own_action", slip(SARSA_PLAIN, (_NEXT, "q[s_next][a]"))),
        ("own_state", slip(SARSA_PLAIN, (_NEXT, "q[s][a_next]"))),
        ("no_gamma", slip(SARSA_PLAIN, ("gamma * ", ""))),
        ("no_reward", slip(SARSA_PLAIN, ("r + gamma", "gamma"))),
        ("full_step", slip(SARSA_PLAIN, ("alpha * (", "("))),
        ("away", slip(SARSA_PLAIN, ("target - q[s][a]", "q[s][a] - target"))),
        (
            "unchanged",
            slip(
                SARSA_PLAIN,
                ("    target", "    q = {s: dict(q[s]), s_next: dict(q[s_next])}\n    target"),
            ),
        ),
        ("other", slip(SARSA_PLAIN, ("target - q[s][a]", "target - 2 * q[s][a]"))),
    ),
}
