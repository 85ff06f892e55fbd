"""Slips of a writer who knew only the text of sheet 11."""

ANSWERS = {
    "expected_sarsa": """import numpy as np


def expected_sarsa(q, state, action, reward, following, over, alpha, gamma, epsilon):
    new = np.array(q, float)
    target = reward
    if not over:
        row = new[following]
        expected = epsilon * row.mean() + (1 - epsilon) * row.max()
        target = reward + gamma * expected
    new[state, action] += alpha * (target - new[state, action])
    return new
""",
    "best_within": """import numpy as np


def best_within(chances, rewards, steps):
    chances, rewards = np.asarray(chances, float), np.asarray(rewards, float)
    values = np.zeros((steps + 1, len(rewards)))
    for k in range(1, steps + 1):
        worth = rewards + chances @ values[k - 1]
        values[k] = worth.max(axis=1)
    return values
""",
    "gain_of_calling": """import numpy as np


def gain_of_calling(bets, pot, size):
    N = len(bets)
    gains = np.zeros(N)
    for own in range(N):
        total, weights = 0.0, 0.0
        for other in range(N):
            if other == own:
                continue
            if own > other:
                won = pot + size
            else:
                won = -size
            total += bets[other] * won
            weights += bets[other]
        if weights > 0:
            gains[own] = total / weights
    return gains
""",
    "average_policies": """import numpy as np


def average_policies(payoff, rounds):
    payoff = np.asarray(payoff, float)
    R, C = payoff.shape
    row_regret, column_regret = np.zeros(R), np.zeros(C)
    row_sum, column_sum = np.zeros(R), np.zeros(C)

    def match(regret):
        positive = np.maximum(regret, 0)
        if positive.sum() > 0:
            return positive / positive.sum()
        return np.full(len(regret), 1 / len(regret))

    for _ in range(rounds):
        row = match(row_regret)
        column = match(column_regret)
        row_worth = payoff @ column
        column_worth = -(row @ payoff)
        row_regret += row_worth - row @ row_worth
        column_regret += column_worth - column @ column_worth
        row_sum += row
        column_sum += column
    return row_sum / rounds, column_sum / rounds
""",
}
SLIPS = [
    (
        "expected_sarsa",
        "With probability epsilon one of the other actions is taken, as exploring means not the best one.",
        "        expected = epsilon * row.mean() + (1 - epsilon) * row.max()\n",
        """        others = np.delete(row, row.argmax())
        expected = epsilon * (others.mean() if len(others) else row.max()) + (1 - epsilon) * row.max()
""",
    ),
    (
        "expected_sarsa",
        "Each action with the highest entry gets the 1 - epsilon, so I added it wherever the entry is the largest.",
        "        expected = epsilon * row.mean() + (1 - epsilon) * row.max()\n",
        """        chance = np.full(len(row), epsilon / len(row))
        chance[row == row.max()] += 1 - epsilon
        expected = chance @ row
""",
    ),
    (
        "expected_sarsa",
        "Expected means that all of the next step is discounted, the reward as well: what lies one step ahead.",
        """    target = reward
    if not over:
        row = new[following]
        expected = epsilon * row.mean() + (1 - epsilon) * row.max()
        target = reward + gamma * expected
""",
        """    target = gamma * reward
    if not over:
        row = new[following]
        expected = epsilon * row.mean() + (1 - epsilon) * row.max()
        target = gamma * (reward + expected)
""",
    ),
    (
        "best_within",
        "Row k is the k-th step of the walk, so the last row is the one with nothing left.",
        """        values[k] = worth.max(axis=1)
    return values
""",
        """        values[k] = worth.max(axis=1)
    return values[::-1]
""",
    ),
    (
        "best_within",
        "Probabilities must sum to 1, so I normalise the ones that do not.",
        "    values = np.zeros((steps + 1, len(rewards)))\n",
        """    sums = chances.sum(axis=2, keepdims=True)
    chances = chances / np.where(sums > 0, sums, 1)
    values = np.zeros((steps + 1, len(rewards)))
""",
    ),
    (
        "best_within",
        "The episode that ends brings nothing more, so the reward counts only with the probability that it goes on.",
        "        worth = rewards + chances @ values[k - 1]\n",
        "        worth = (chances * (rewards[:, :, None] + values[k - 1])).sum(axis=2)\n",
    ),
    (
        "best_within",
        "k more steps can be made, so a player may also make fewer; more steps are never worse.",
        "        values[k] = worth.max(axis=1)\n",
        "        values[k] = np.maximum(values[k - 1], worth.max(axis=1))\n",
    ),
    (
        "gain_of_calling",
        "All deals are equally likely, so the mean is over the N - 1 other cards, each with its chance to bet.",
        """        if weights > 0:
            gains[own] = total / weights
""",
        """        if weights > 0:
            gains[own] = total / (N - 1)
""",
    ),
    (
        "gain_of_calling",
        "The opponent's cards are all N cards; with my own number it is not higher, so I lose.",
        """            if other == own:
                continue
""",
        "",
    ),
    (
        "gain_of_calling",
        "The call itself costs size, also when it wins, so the opponent's bet only brings back what I paid.",
        "                won = pot + size\n",
        "                won = pot\n",
    ),
    (
        "gain_of_calling",
        "Folding costs nothing more, so the gain is never below 0: I would fold such a card.",
        "            gains[own] = total / weights\n",
        "            gains[own] = max(0.0, total / weights)\n",
    ),
    (
        "average_policies",
        "Negative regrets count as 0, so I cut them off after every round.",
        """        row_regret += row_worth - row @ row_worth
        column_regret += column_worth - column @ column_worth
""",
        """        row_regret = np.maximum(0, row_regret + row_worth - row @ row_worth)
        column_regret = np.maximum(0, column_regret + column_worth - column @ column_worth)
""",
    ),
    (
        "average_policies",
        "First the row player learns, then the column player answers with what the row player has learned.",
        """        row = match(row_regret)
        column = match(column_regret)
        row_worth = payoff @ column
        column_worth = -(row @ payoff)
        row_regret += row_worth - row @ row_worth
""",
        """        row = match(row_regret)
        column = match(column_regret)
        row_worth = payoff @ column
        row_regret += row_worth - row @ row_worth
        column_worth = -(match(row_regret) @ payoff)
""",
    ),
    (
        "average_policies",
        "The policy is worth the plain mean over its actions.",
        """        row_regret += row_worth - row @ row_worth
        column_regret += column_worth - column @ column_worth
""",
        """        row_regret += row_worth - row_worth.mean()
        column_regret += column_worth - column_worth.mean()
""",
    ),
    (
        "average_policies",
        "The averages are of what was learned, so a round's policy is the one after its update.",
        """        row_sum += row
        column_sum += column
""",
        """        row_sum += match(row_regret)
        column_sum += match(column_regret)
""",
    ),
]
