"""Lesson 11: one player on the edge of a cliff, two players with hidden cards."""

import numpy as np

from rlcourse.experiments.base import Results, experiment
from rlcourse.experiments.cliff import START, cliff, greedy_steps, learn
from rlcourse.learning.regret import Policy, counterfactual_regret, q_self_play
from rlcourse.solvers.kuhn import DEALS, INFORMATION_SETS, exploitability, value

EPISODES, BLOCK, LATE = 500, 10, 100
SMALL_STEPS, LONG = 0.1, 5_000
HANDS, EVERY, ROUNDS = 300_000, 100, 5_000
MOMENTS = (5, 10, 20, 50, 100, 200, 500, 1_000, 2_000, 5_000)  # rounds that are judged
ENDINGS_A_ROUND = 2 * 5 * len(DEALS)  # of both players' passes of counterfactual regret
JUDGED = tuple(ENDINGS_A_ROUND * rounds for rounds in MOMENTS)  # and as many hands


def cliff_run(seed: int, *, sarsa: bool, episodes: int = EPISODES, alpha: float = 0.5) -> Results:
    """curve: the mean sum of rewards of each ten episodes; late: of the last hundred; steps: of the
    greedy policy to the goal, or None where it never comes there.
    """
    rng = np.random.default_rng(seed)
    q, sums = learn(cliff(), START, rng, sarsa=sarsa, episodes=episodes, alpha=alpha)
    return {
        "seed": seed,
        "late": float(sums[-LATE:].mean()),
        "steps": greedy_steps(cliff(), START, q),
        "curve": sums.reshape(-1, BLOCK).mean(axis=1).round(1).tolist()[: EPISODES // BLOCK],
    }


@experiment("cliff-q-learning", seeds=50)
def cliff_q_learning(seed: int) -> Results:
    """Q-learning on the cliff, 500 episodes at alpha 0.5, epsilon 0.1."""
    return cliff_run(seed, sarsa=False)


@experiment("cliff-sarsa", seeds=50)
def cliff_sarsa(seed: int) -> Results:
    """SARSA on the cliff, 500 episodes at alpha 0.5, epsilon 0.1."""
    return cliff_run(seed, sarsa=True)


@experiment("cliff-sarsa-long", seeds=50)
def cliff_sarsa_long(seed: int) -> Results:
    """SARSA on the cliff, 5,000 episodes at alpha 0.5, epsilon 0.1."""
    return cliff_run(seed, sarsa=True, episodes=LONG)


@experiment("cliff-sarsa-small-steps", seeds=50)
def cliff_sarsa_small_steps(seed: int) -> Results:
    """SARSA on the cliff, 5,000 episodes at alpha 0.1, epsilon 0.1."""
    return cliff_run(seed, sarsa=True, episodes=LONG, alpha=SMALL_STEPS)


class PolicyMean:
    """The mean of policies that each play as many hands, as one policy.

    A policy counts at an information set as often as its own actions lead there. (The mean of the
    probabilities would be another policy.)
    """

    def __init__(self) -> None:
        self._reached = dict.fromkeys(INFORMATION_SETS, 0.0)
        self._bet = dict.fromkeys(INFORMATION_SETS, 0.0)

    def add(self, policy: Policy) -> None:
        """Count one policy more."""
        for name, bet in policy.items():
            # The first player acts a second time only if they passed first.
            own = 1 - policy[name[0]] if name.endswith("pb") else 1.0
            self._reached[name] += own
            self._bet[name] += own * bet

    def policy(self) -> Policy:
        """The mean; 1/2 where none of them came."""
        return {
            n: self._bet[n] / reached if reached else 0.5 for n, reached in self._reached.items()
        }


@experiment("kuhn-q-learning", seeds=40)
def kuhn_q_learning(seed: int) -> Results:
    """Q-learning against itself in Kuhn poker, 300,000 hands.

    curve: hands, exploitability of the greedy policy, and of the mean of the greedy policies after
    each 100 hands. lowest: of all greedy policies; changed: after how many of the last 1,000 times
    100 hands the greedy policy was another.
    """
    curve, mean, lowest, changed = [], PolicyMean(), 1.0, 0
    before = None
    for k, policy in enumerate(q_self_play(HANDS, np.random.default_rng(seed), every=EVERY), 1):
        mean.add(policy)
        exploited = float(exploitability(policy))
        lowest = min(lowest, exploited)
        changed += policy != before and k > HANDS // EVERY - 1_000
        before = policy
        if k * EVERY in JUDGED:
            curve.append([k * EVERY, exploited, float(exploitability(mean.policy()))])
    return {"seed": seed, "lowest": lowest, "changed": changed, "curve": curve}


@experiment("kuhn-cfr", seeds=40)
def kuhn_cfr(seed: int) -> Results:
    """Counterfactual regret minimisation from random regrets, 5,000 rounds (300,000 endings).

    curve: endings, exploitability of the average policy and of the present one, value of the game
    between average policies.
    """
    curve = []
    run = counterfactual_regret(ROUNDS, np.random.default_rng(seed))
    for rounds, (average, present) in enumerate(run, 1):
        if rounds in MOMENTS:
            judged = (exploitability(average), exploitability(present), value(average))
            curve.append([ENDINGS_A_ROUND * rounds, *map(float, judged)])
    return {"seed": seed, "curve": curve}
