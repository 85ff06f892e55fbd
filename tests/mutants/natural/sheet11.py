"""Slips of a writer who knew only the text of sheet 11."""

ANSWERS = {
    "expected_sarsa": """import numpy as np


def expected_sarsa(q, state, action, reward, following, over, alpha, gamma, epsilon):
    new = np.array(q, float)
    target = reward
    if not over:
        row = new[following]
        target = reward + gamma * (epsilon * row.mean() + (1 - epsilon) * row.max())
    new[state, action] += alpha * (target - new[state, action])
    return new
""",
    "best_within": """import numpy as np


def best_within(chances, rewards, steps):
    chances, rewards = np.asarray(chances, float), np.asarray(rewards, float)
    out = np.zeros((steps + 1, len(rewards)))
    for k in range(1, steps + 1):
        out[k] = (rewards + chances @ out[k - 1]).max(axis=1)
    return out
""",
    "gain_of_calling": """import numpy as np


def gain_of_calling(bets, pot, size):
    bets = np.asarray(bets, float)
    N = len(bets)
    out = np.zeros(N)
    for mine in range(N):
        weights = bets.copy()
        weights[mine] = 0
        if weights.sum() == 0:
            continue
        gain = np.where(np.arange(N) < mine, pot + size, -size)
        out[mine] = (weights * gain).sum() / weights.sum()
    return out
""",
    "average_policies": """import numpy as np


def shares(regrets):
    positive = np.maximum(regrets, 0)
    if positive.sum() > 0:
        return positive / positive.sum()
    return np.full(len(regrets), 1 / len(regrets))


def average_policies(payoff, rounds):
    payoff = np.asarray(payoff, float)
    R, C = payoff.shape
    row_regrets, column_regrets = np.zeros(R), np.zeros(C)
    row_sum, column_sum = np.zeros(R), np.zeros(C)
    for _ in range(rounds):
        row, column = shares(row_regrets), shares(column_regrets)
        row_sum, column_sum = row_sum + row, column_sum + column
        rows, columns = payoff @ column, -(row @ payoff)
        row_regrets = row_regrets + rows - row @ rows
        column_regrets = column_regrets + columns - column @ columns
    return row_sum / rounds, column_sum / rounds
""",
}
SLIPS = [
    (
        "expected_sarsa",
        "With probability epsilon the player takes one of the OTHER actions (another "
        "convention of epsilon-greedy).",
        "epsilon * row.mean()",
        "epsilon * (row.sum() - row.max()) / max(1, len(row) - 1)",
    ),
    (
        "expected_sarsa",
        "Every action with the highest entry has the probability 1 - epsilon plus "
        "its share; with a tie they are more than 1 together.",
        "gamma * (epsilon * row.mean() + (1 - epsilon) * row.max())",
        "gamma * ((epsilon / len(row) + (1 - epsilon) * (row == row.max())) @ row)",
    ),
    (
        "expected_sarsa",
        "If the episode is over there is nothing to learn from, so the table stays as it is.",
        "    target = reward\n    if not over:\n",
        "    if over:\n        return new\n    if not over:\n",
    ),
    (
        "best_within",
        "'How many steps are left at most': I let the player stop earlier, so no row "
        "is lower than the one before.",
        "out[k] = (rewards + chances @ out[k - 1]).max(axis=1)",
        "out[k] = np.maximum(out[k - 1], (rewards + chances @ out[k - 1]).max(axis=1))",
    ),
    (
        "best_within",
        "Probabilities must sum to 1, so I divided them by their sum.",
        "    out = np.zeros((steps + 1, len(rewards)))\n",
        "    whole = chances.sum(axis=2, keepdims=True)\n"
        "    chances = np.where(whole > 0, chances / np.where(whole > 0, whole, 1), 0.0)\n"
        "    out = np.zeros((steps + 1, len(rewards)))\n",
    ),
    (
        "best_within",
        "Where the episode ends there is no reward any more: weighted the reward "
        "with the chance that it goes on.",
        "(rewards + chances @ out[k - 1])",
        "(rewards * chances.sum(axis=2) + chances @ out[k - 1])",
    ),
    (
        "best_within",
        "Chose the action once, the one that is best in the long run, and let the "
        "player keep it with every number of steps left.",
        "    for k in range(1, steps + 1):\n"
        "        out[k] = (rewards + chances @ out[k - 1]).max(axis=1)\n",
        "    for k in range(1, steps + 1):\n"
        "        out[k] = (rewards + chances @ out[k - 1]).max(axis=1)\n"
        "    if steps:\n"
        "        keep = (rewards + chances @ out[steps - 1]).argmax(axis=1)\n"
        "        for k in range(1, steps + 1):\n"
        "            out[k] = (rewards + chances @ out[k - "
        "1])[np.arange(len(rewards)), keep]\n",
    ),
    (
        "gain_of_calling",
        "Forgot that the opponent cannot hold my own card; it counts like a higher one.",
        "        weights[mine] = 0\n",
        "",
    ),
    (
        "gain_of_calling",
        "The mean over all deals: divided by the number of other cards, not by how often they bet.",
        "(weights * gain).sum() / weights.sum()",
        "(weights * gain).sum() / (N - 1)",
    ),
    (
        "gain_of_calling",
        "The higher card wins the pot and both bets, so a won call brings pot + 2 size.",
        "pot + size, -size",
        "pot + 2 * size, -size",
    ),
    (
        "gain_of_calling",
        "With a bad card I would fold, which costs nothing, so the gain is never below 0.",
        "out[mine] = (weights * gain).sum() / weights.sum()",
        "out[mine] = max(0.0, (weights * gain).sum() / weights.sum())",
    ),
    (
        "average_policies",
        "Negative regrets count as 0, so I cut the sums off at 0 after every round.",
        "    return row_sum / rounds, column_sum / rounds",
        "        row_regrets, column_regrets = np.maximum(row_regrets, 0), "
        "np.maximum(column_regrets, 0)\n"
        "    return row_sum / rounds, column_sum / rounds",
    ),
    (
        "average_policies",
        "The column player answers the row player's new policy, which is made before "
        "it in the same round.",
        "        column_regrets = column_regrets + columns - column @ columns\n",
        "        columns = -(shares(row_regrets) @ payoff)\n"
        "        column_regrets = column_regrets + columns - column @ columns\n",
    ),
    (
        "average_policies",
        "Added the policies up at the end of each round, made from the new regrets "
        "(so the first round's is missing).",
        "        row_sum, column_sum = row_sum + row, column_sum + column\n"
        "        rows, columns = payoff @ column, -(row @ payoff)\n"
        "        row_regrets = row_regrets + rows - row @ rows\n"
        "        column_regrets = column_regrets + columns - column @ columns\n",
        "        rows, columns = payoff @ column, -(row @ payoff)\n"
        "        row_regrets = row_regrets + rows - row @ rows\n"
        "        column_regrets = column_regrets + columns - column @ columns\n"
        "        row_sum, column_sum = row_sum + shares(row_regrets), column_sum + "
        "shares(column_regrets)\n",
    ),
    (
        "average_policies",
        "'The policy is worth the mean over its actions': took the plain mean, not "
        "weighted with the policy.",
        "        row_regrets = row_regrets + rows - row @ rows\n"
        "        column_regrets = column_regrets + columns - column @ columns\n",
        "        row_regrets = row_regrets + rows - rows.mean()\n"
        "        column_regrets = column_regrets + columns - columns.mean()\n",
    ),
]
