"""Slips of a writer who knew only the text of sheet 11."""

ANSWERS = {
    "expected_sarsa": """import numpy as np


def expected_sarsa(q, state, action, reward, following, over, alpha, gamma, epsilon):
    new = np.array(q, dtype=float)
    if over:
        target = reward
    else:
        row = new[following]
        expected = (1 - epsilon) * row.max() + epsilon * row.mean()
        target = reward + gamma * expected
    new[state, action] += alpha * (target - new[state, action])
    return new
""",
    "best_within": """import numpy as np


def best_within(chances, rewards, steps):
    values = np.zeros((steps + 1, len(rewards)))
    for k in range(1, steps + 1):
        worth = rewards + chances @ values[k - 1]
        values[k] = worth.max(axis=1)
    return values
""",
    "gain_of_calling": """import numpy as np


def gain_of_calling(bets, pot, size):
    n = len(bets)
    gains = np.zeros(n)
    for own in range(n):
        total, weight = 0.0, 0.0
        for other in range(n):
            if other == own:
                continue
            gain = pot + size if own > other else -size
            total += bets[other] * gain
            weight += bets[other]
        if weight > 0:
            gains[own] = total / weight
    return gains
""",
    "average_policies": """import numpy as np


def matched(regret):
    positive = np.maximum(regret, 0)
    if positive.sum() > 0:
        return positive / positive.sum()
    return np.ones(len(regret)) / len(regret)


def average_policies(payoff, rounds):
    payoff = np.asarray(payoff, dtype=float)
    row_regret, column_regret = np.zeros(payoff.shape[0]), np.zeros(payoff.shape[1])
    row_sum, column_sum = np.zeros(payoff.shape[0]), np.zeros(payoff.shape[1])
    for _ in range(rounds):
        row, column = matched(row_regret), matched(column_regret)
        row_sum += row
        column_sum += column
        row_worth = payoff @ column
        column_worth = -(row @ payoff)
        row_regret += row_worth - row @ row_worth
        column_regret += column_worth - column @ column_worth
    return row_sum / rounds, column_sum / rounds
""",
}

# (task, what went wrong in a student's words, text in the answer above, what stands there instead)
SLIPS = (
    (
        "expected_sarsa",
        "With probability epsilon one of the other actions is taken, so the "
        "random part is spread over the A - 1 that are not best.",
        "expected = (1 - epsilon) * row.max() + epsilon * row.mean()",
        "expected = (1 - epsilon) * row.max() + epsilon * (row.sum() - row.max())"
        " / max(1, len(row) - 1)",
    ),
    (
        "expected_sarsa",
        "After the last step only the reward is left, so the entry becomes the reward.",
        """        target = reward
""",
        """        new[state, action] = reward
        return new
""",
    ),
    (
        "expected_sarsa",
        "The mean is over the actions of the state in which the player chose, "
        "instead of the next one.",
        "row = new[following]",
        "row = new[state]",
    ),
    (
        "best_within",
        "A reward is only got if the episode goes on, so it is weighted with the "
        "probability of going on.",
        "worth = rewards + chances @ values[k - 1]",
        "worth = chances.sum(axis=2) * rewards + chances @ values[k - 1]",
    ),
    (
        "best_within",
        "Row k is the world after k steps have been made, so the rows start with all steps left.",
        """    return values
""",
        """    return values[::-1]
""",
    ),
    (
        "best_within",
        "With k steps left one may also stop, so no state is worth less than 0.",
        "values[k] = worth.max(axis=1)",
        "values[k] = np.maximum(0, worth.max(axis=1))",
    ),
    (
        "best_within",
        "Each sweep improves the table in place, as value iteration does; only "
        "the finished sweep is a row.",
        """        worth = rewards + chances @ values[k - 1]
        values[k] = worth.max(axis=1)
""",
        """        values[k] = values[k - 1]
        for s in range(len(rewards)):
            values[k, s] = np.max(rewards[s] + chances[s] @ values[k])
""",
    ),
    (
        "gain_of_calling",
        "A call costs size chips, so a won one brings pot + size - size.",
        "gain = pot + size if own > other",
        "gain = pot + size - size if own > other",
    ),
    (
        "gain_of_calling",
        "All deals are equally likely, so the mean is over the N - 1 cards that "
        "the opponent can hold.",
        "gains[own] = total / weight",
        "gains[own] = total / (n - 1)",
    ),
    (
        "gain_of_calling",
        "You may fold, so with a bad card the gain is 0 and never less.",
        "gains[own] = total / weight",
        "gains[own] = max(0.0, total / weight)",
    ),
    (
        "gain_of_calling",
        "The weights are divided by the sum of all bets, the own card's too.",
        "gains[own] = total / weight",
        "gains[own] = total / np.sum(bets)",
    ),
    (
        "average_policies",
        "The row player learns first; then the column player answers the row player's new policy.",
        """        row_regret += row_worth - row @ row_worth
        column_regret""",
        """        row_regret += row_worth - row @ row_worth
        row = matched(row_regret)
        column_worth = -(row @ payoff)
        column_regret""",
    ),
    (
        "average_policies",
        "The policy is worth the mean over its actions, read as the plain mean of their worths.",
        """        row_regret += row_worth - row @ row_worth
        column_regret += column_worth - column @ column_worth
""",
        """        row_regret += row_worth - row_worth.mean()
        column_regret += column_worth - column_worth.mean()
""",
    ),
    (
        "average_policies",
        "Only positive regrets count, so the sums are cut at 0 after every round.",
        """        column_regret += column_worth - column @ column_worth
""",
        """        column_regret += column_worth - column @ column_worth
        row_regret, column_regret = np.maximum(row_regret, 0), np.maximum(column_regret, 0)
""",
    ),
    (
        "average_policies",
        "The policy of a round is the one that the players have learned at its "
        "end, so it is that which is averaged.",
        """        row_sum += row
        column_sum += column
        row_worth = payoff @ column
        column_worth = -(row @ payoff)
        row_regret += row_worth - row @ row_worth
        column_regret += column_worth - column @ column_worth
""",
        """        row_worth = payoff @ column
        column_worth = -(row @ payoff)
        row_regret += row_worth - row @ row_worth
        column_regret += column_worth - column @ column_worth
        row_sum += matched(row_regret)
        column_sum += matched(column_regret)
""",
    ),
)
