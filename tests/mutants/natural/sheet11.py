"""Slips of a writer who knew only the text of sheet 11."""

ANSWERS = {
    "expected_sarsa": """import numpy as np


def expected_sarsa(q, state, action, reward, following, over, alpha, gamma, epsilon):
    new = np.array(q, dtype=float)
    target = reward
    if not over:
        greedy = new[following].max()
        random = new[following].mean()
        expected = (1 - epsilon) * greedy + epsilon * random
        target = reward + gamma * expected
    new[state, action] += alpha * (target - new[state, action])
    return new
""",
    "best_within": """import numpy as np


def best_within(chances, rewards, steps):
    states = len(rewards)
    values = np.zeros((steps + 1, states))
    for left in range(1, steps + 1):
        q = rewards + chances @ values[left - 1]
        values[left] = q.max(axis=1)
    return values
""",
    "gain_of_calling": """import numpy as np


def gain_of_calling(bets, pot, size):
    n = len(bets)
    gains = np.zeros(n)
    for mine in range(n):
        total = 0.0
        weights = 0.0
        for theirs in range(n):
            if theirs == mine:
                continue
            won = pot + size if mine > theirs else -size
            total += bets[theirs] * won
            weights += bets[theirs]
        if weights > 0:
            gains[mine] = total / weights
    return gains
""",
    "average_policies": """import numpy as np


def average_policies(payoff, rounds):
    payoff = np.asarray(payoff, dtype=float)

    def policy(regrets):
        positive = np.maximum(regrets, 0)
        total = positive.sum()
        if total > 0:
            return positive / total
        return np.ones(len(regrets)) / len(regrets)

    rows, columns = payoff.shape
    row_regrets, column_regrets = np.zeros(rows), np.zeros(columns)
    row_sum, column_sum = np.zeros(rows), np.zeros(columns)
    for _ in range(rounds):
        row = policy(row_regrets)
        column = policy(column_regrets)
        row_worth = payoff @ column
        column_worth = -(row @ payoff)
        row_regrets += row_worth - row @ row_worth
        column_regrets += column_worth - column @ column_worth
        row_sum += row
        column_sum += column
    return row_sum / rounds, column_sum / rounds
""",
}

# (task, what went wrong in a student's words, text in the answer above, what stands there instead)
SLIPS = (
    (
        "expected_sarsa",
        "spread epsilon over the other actions only, as if the best one were never drawn at random",
        "random = new[following].mean()",
        "random = (new[following].sum() - greedy) / (len(new[following]) - 1)",
    ),
    (
        "expected_sarsa",
        "looked up the greedy value in the state the step started from",
        "greedy = new[following].max()",
        "greedy = new[state].max()",
    ),
    (
        "expected_sarsa",
        "discounted the reward as well",
        "target = reward + gamma * expected",
        "target = gamma * (reward + expected)",
    ),
    (
        "expected_sarsa",
        "left the entry alone when the episode was over, because there is nothing to look at",
        "    target = reward\n    if not over:\n",
        "    if over:\n        return new\n    if not over:\n",
    ),
    (
        "best_within",
        "added the rewards of the step after the best action was chosen, as their mean",
        "q = rewards + chances @ values[left - 1]\n        values[left] = q.max(axis=1)",
        "q = chances @ values[left - 1]\n        values[left] = rewards.mean(axis=1) + q.max(axis=1)",
    ),
    (
        "best_within",
        "thought the first row already has one step in it",
        "    for left in range(1, steps + 1):\n",
        "    values[0] = rewards.max(axis=1)\n    for left in range(1, steps + 1):\n",
    ),
    (
        "best_within",
        "wrote the row with all steps left first",
        "    return values\n",
        "    return values[::-1]\n",
    ),
    (
        "best_within",
        "divided the chances by their sum, so that the end never comes",
        "    states = len(rewards)\n",
        "    states = len(rewards)\n    sums = chances.sum(axis=2, keepdims=True)\n"
        "    chances = chances / np.where(sums > 0, sums, 1)\n",
    ),
    (
        "gain_of_calling",
        "won only the pot, not the chips that the opponent had just bet",
        "won = pot + size if mine > theirs",
        "won = pot if mine > theirs",
    ),
    (
        "gain_of_calling",
        "took a card for won the pot and both bets, with the own chips counted as a gain",
        "won = pot + size if mine > theirs",
        "won = pot + 2 * size if mine > theirs",
    ),
    (
        "gain_of_calling",
        "divided by the number of other cards instead of by the weights",
        "gains[mine] = total / weights",
        "gains[mine] = total / (n - 1)",
    ),
    (
        "average_policies",
        "gave the column player the row player's sign",
        "column_worth = -(row @ payoff)",
        "column_worth = row @ payoff",
    ),
    (
        "average_policies",
        "let the column player answer the row player's next policy, made from the fresh regrets",
        "        column_worth = -(row @ payoff)\n"
        "        row_regrets += row_worth - row @ row_worth\n",
        "        row_regrets += row_worth - row @ row_worth\n"
        "        column_worth = -(policy(row_regrets) @ payoff)\n",
    ),
    (
        "average_policies",
        "kept only the positive part of the regrets after each round",
        "        row_sum += row\n",
        "        row_regrets = np.maximum(row_regrets, 0)\n"
        "        column_regrets = np.maximum(column_regrets, 0)\n"
        "        row_sum += row\n",
    ),
    (
        "average_policies",
        "made both policies of a round before the loop's last update and returned the last ones",
        "return row_sum / rounds, column_sum / rounds",
        "return policy(row_regrets), policy(column_regrets)",
    ),
)
