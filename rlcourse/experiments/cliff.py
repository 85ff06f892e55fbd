"""Q-learning and SARSA in a world with one player, and the cliff on which they differ.

A table has the form of Gymnasium's (Towers et al., 2024) small worlds, `env.unwrapped.P`:
table[state][action] lists (probability, next state, reward, whether the episode ends there).
"""

from collections.abc import Mapping, Sequence

import numpy as np

Outcome = tuple[float, int, float, bool]
Table = Mapping[int, Mapping[int, Sequence[Outcome]]]

ROWS, COLUMNS = 4, 12
START, GOAL = 36, 47
STEPS = ((-1, 0), (0, 1), (1, 0), (0, -1))  # up, right, down, left
FALL = -100.0


def cliff() -> dict[int, dict[int, list[Outcome]]]:
    """The cliff, Sutton & Barto (2018), example 6.6: states are numbered row by row from the top.

    Every step costs 1, and stepping off the edge 100 and the way back to the start.
    """
    table: dict[int, dict[int, list[Outcome]]] = {}
    for state in range(ROWS * COLUMNS):
        table[state] = {}
        for action, (down, right) in enumerate(STEPS):
            row = min(max(state // COLUMNS + down, 0), ROWS - 1)
            column = min(max(state % COLUMNS + right, 0), COLUMNS - 1)
            following = row * COLUMNS + column
            fallen = START < following < GOAL
            outcome = (START, FALL) if fallen else (following, -1.0)
            table[state][action] = [(1.0, *outcome, following == GOAL)]
    return table


def learn(
    table: Table,
    start: int,
    rng: np.random.Generator,
    *,
    sarsa: bool,
    episodes: int = 500,
    alpha: float = 0.5,
    epsilon: float = 0.1,
    gamma: float = 1.0,
) -> tuple[np.ndarray, np.ndarray]:
    """(q [S, A], the sum of rewards of each episode [episodes]) of SARSA, else of Q-learning.

    Sutton & Barto (2018) 6.4 and 6.5. Both choose the next action before they learn, so that they
    use the same random numbers in the same order.
    """
    q = np.zeros((len(table), len(table[0])))
    sums = np.zeros(episodes)

    def choose(state: int) -> int:
        if rng.random() < epsilon:
            return int(rng.integers(q.shape[1]))
        return int(q[state].argmax())

    for episode in range(episodes):
        state, over = start, False
        action = choose(state)
        while not over:
            outcomes = table[state][action]
            drawn = rng.choice(len(outcomes), p=[o[0] for o in outcomes]) if outcomes[1:] else 0
            _, following, reward, over = outcomes[drawn]
            sums[episode] += reward
            next_action = choose(following)
            ahead = q[following, next_action] if sarsa else q[following].max()
            target = reward + gamma * ahead * (not over)
            q[state, action] += alpha * (target - q[state, action])
            state, action = following, next_action
    return q, sums


def greedy_steps(table: Table, start: int, q: np.ndarray) -> int | None:
    """How many steps the greedy policy takes to an end of a world without chance; None: never."""
    state = start
    for steps in range(1, len(table) + 1):
        _, state, _, over = table[state][int(q[state].argmax())][0]
        if over:
            return steps
    return None
