"""Slips of a writer who knew only the text of sheet 11."""

ANSWERS = {
    "expected_sarsa": """import numpy as np


def expected_sarsa(q, state, action, reward, following, over, alpha, gamma, epsilon):
    new = np.array(q, float)
    target = reward
    if not over:
        row = new[following]
        expected = (1 - epsilon) * row.max() + epsilon * row.mean()
        target = reward + gamma * expected
    new[state, action] += alpha * (target - new[state, action])
    return new
""",
    "best_within": """import numpy as np


def best_within(chances, rewards, steps):
    chances = np.asarray(chances, float)
    rewards = np.asarray(rewards, float)
    S = len(rewards)
    out = np.zeros((steps + 1, S))
    for k in range(1, steps + 1):
        worth = rewards + chances @ out[k - 1]
        out[k] = worth.max(axis=1)
    return out
""",
    "gain_of_calling": """import numpy as np


def gain_of_calling(bets, pot, size):
    bets = np.asarray(bets, float)
    N = len(bets)
    out = np.zeros(N)
    for mine in range(N):
        weight = 0.0
        gain = 0.0
        for c in range(N):
            if c == mine:
                continue
            weight += bets[c]
            gain += bets[c] * (pot + size if mine > c else -size)
        if weight > 0:
            out[mine] = gain / weight
    return out
""",
    "average_policies": """import numpy as np


def policy_of(regret):
    positive = np.maximum(regret, 0.0)
    total = positive.sum()
    if total > 0:
        return positive / total
    return np.ones(len(regret)) / len(regret)


def average_policies(payoff, rounds):
    payoff = np.asarray(payoff, float)
    R, C = payoff.shape
    row_regret, col_regret = np.zeros(R), np.zeros(C)
    row_sum, col_sum = np.zeros(R), np.zeros(C)
    for _ in range(rounds):
        row = policy_of(row_regret)
        col = policy_of(col_regret)
        row_sum += row
        col_sum += col
        row_worth = payoff @ col
        col_worth = -(row @ payoff)
        row_regret += row_worth - row @ row_worth
        col_regret += col_worth - col @ col_worth
    return row_sum / rounds, col_sum / rounds
""",
}
SLIPS = [
    (
        "expected_sarsa",
        "the best action has the chance 1 - epsilon, the others share epsilon",
        "expected = (1 - epsilon) * row.max() + epsilon * row.mean()",
        "expected = (1 - epsilon) * row.max() + epsilon * (row.sum() - row.max()) / max(1, len(row) - 1)",
    ),
    (
        "expected_sarsa",
        "after the last step the entry is the reward",
        "    new[state, action] += alpha * (target - new[state, action])\n",
        "    new[state, action] += (1.0 if over else alpha) * (target - new[state, action])\n",
    ),
    (
        "expected_sarsa",
        "several best actions share 1 - epsilon and each of them counts, so the maxima are added",
        "(1 - epsilon) * row.max()",
        "(1 - epsilon) * row[row == row.max()].sum()",
    ),
    (
        "best_within",
        "the rest of the probability stays in the state",
        "worth = rewards + chances @ out[k - 1]",
        "worth = rewards + chances @ out[k - 1] + (1 - chances.sum(axis=2)) * out[k - 1][:, None]",
    ),
    (
        "best_within",
        "the reward is weighted with the probability that the episode goes on",
        "worth = rewards + chances",
        "worth = rewards * chances.sum(axis=2) + chances",
    ),
    (
        "best_within",
        "row 0 is the value at the first step, with all steps left",
        "    return out\n",
        "    return out[::-1]\n",
    ),
    (
        "best_within",
        "with one step left the step made is the last, which brings the reward; row 0 has it",
        "    out = np.zeros((steps + 1, S))\n",
        "    out = np.zeros((steps + 1, S))\n    out[0] = rewards.max(axis=1)\n",
    ),
    (
        "gain_of_calling",
        "the opponent's card may be any, also mine; then nobody wins",
        "            if c == mine:\n                continue\n            weight += bets[c]\n",
        "            weight += bets[c]\n            if c == mine:\n                continue\n",
    ),
    (
        "gain_of_calling",
        "a won call brings the pot and both bets",
        "pot + size if mine > c",
        "pot + 2 * size if mine > c",
    ),
    (
        "gain_of_calling",
        "the mean is over the other cards, each weighted with its bet",
        "out[mine] = gain / weight",
        "out[mine] = gain / (N - 1)",
    ),
    (
        "gain_of_calling",
        "a card with which they never bet is not held, all others are equally likely",
        "            weight += bets[c]\n            gain += bets[c] * (",
        "            weight += bets[c] > 0\n            gain += (bets[c] > 0) * (",
    ),
    (
        "gain_of_calling",
        "a call that is worse than folding is not made, so the gain is at least 0",
        "out[mine] = gain / weight",
        "out[mine] = max(0.0, gain / weight)",
    ),
    (
        "average_policies",
        "negative regrets are cut to 0 in the sums, they count as 0",
        "        row_regret += row_worth - row @ row_worth\n        col_regret += col_worth - col @ col_worth\n",
        "        row_regret = np.maximum(0.0, row_regret + row_worth - row @ row_worth)\n        col_regret = np.maximum(0.0, col_regret + col_worth - col @ col_worth)\n",
    ),
    (
        "average_policies",
        "the column player answers the row player's new policy of this round",
        "        row_worth = payoff @ col\n        col_worth = -(row @ payoff)\n        row_regret += row_worth - row @ row_worth\n",
        "        row_worth = payoff @ col\n        row_regret += row_worth - row @ row_worth\n        row = policy_of(row_regret)\n        col_worth = -(row @ payoff)\n",
    ),
    (
        "average_policies",
        "the mean is over the policies after each round's learning",
        "        row_sum += row\n        col_sum += col\n        row_worth = payoff @ col\n        col_worth = -(row @ payoff)\n        row_regret += row_worth - row @ row_worth\n        col_regret += col_worth - col @ col_worth\n",
        "        row_worth = payoff @ col\n        col_worth = -(row @ payoff)\n        row_regret += row_worth - row @ row_worth\n        col_regret += col_worth - col @ col_worth\n        row_sum += policy_of(row_regret)\n        col_sum += policy_of(col_regret)\n",
    ),
]
