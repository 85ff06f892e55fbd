"""Two ways to learn Kuhn poker from play against oneself; `rlcourse.solvers.kuhn` judges both."""

from collections.abc import Iterator, Sequence

import numpy as np

from rlcourse.solvers.kuhn import CARDS, DEALS, INFORMATION_SETS, chips

Policy = dict[str, float]  # information set -> probability of a bet
Pairs = dict[str, list[float]]  # information set -> one number for "p", one for "b"


def regret_matching(regrets: Sequence[float]) -> list[float]:
    """Probabilities in proportion to the positive regrets, one an action; uniform without any.

    Hart and Mas-Colell (2000).
    """
    positive = [max(regret, 0.0) for regret in regrets]
    total = sum(positive)
    if total == 0:
        return [1 / len(positive)] * len(positive)
    return [regret / total for regret in positive]


def counterfactual_regret(
    rounds: int, rng: np.random.Generator | None = None
) -> Iterator[tuple[Policy, Policy]]:
    """Yields (average policy, present policy) after each round: a pass over all deals a player.

    Zinkevich et al. (2007). A round draws nothing at random. rng: the regrets start at random
    numbers from 0 to 1; without it at 0.
    """
    regrets = {name: [0.0, 0.0] for name in INFORMATION_SETS}
    if rng is not None:
        regrets = {name: rng.random(2).tolist() for name in INFORMATION_SETS}
    played = {name: [0.0, 0.0] for name in INFORMATION_SETS}
    for _ in range(rounds):
        for learner in (0, 1):
            policy = {name: regret_matching(regrets[name]) for name in INFORMATION_SETS}
            for deal in DEALS:
                _visit(learner, deal, "", (1.0, 1.0), policy, regrets, played)
        average = {name: bet / (passed + bet) for name, (passed, bet) in played.items()}
        yield average, {name: regret_matching(regrets[name])[1] for name in INFORMATION_SETS}


def _visit(
    learner: int,
    deal: tuple[str, str],
    history: str,
    reach: tuple[float, float],
    policy: Pairs,
    regrets: Pairs,
    played: Pairs,
) -> float:
    """The learner's expected chips from here on; adds to their regrets and to what they played.

    reach: the probability with which the learner's own actions, and the other's, lead here.
    """
    won = chips(*deal, history)
    if won is not None:
        return won if learner == 0 else -won
    player = len(history) % 2
    name = deal[player] + history
    values = []
    for share, action in zip(policy[name], "pb", strict=True):
        own, other = reach
        after = (own * share, other) if player == learner else (own, other * share)
        values.append(_visit(learner, deal, history + action, after, policy, regrets, played))
    value = sum(share * v for share, v in zip(policy[name], values, strict=True))
    if player == learner:
        own, other = reach
        for k in (0, 1):
            # As often as the other's actions lead here; the learner's own are taken for granted.
            regrets[name][k] += other * (values[k] - value)
            played[name][k] += own * policy[name][k]
    return value


def q_self_play(
    hands: int,
    rng: np.random.Generator,
    *,
    every: int = 100,
    alpha: float = 0.05,
    epsilon: float = 0.1,
) -> Iterator[Policy]:
    """Yields the greedy policy after each `every` hands of Q-learning against itself.

    Each seat learns on its own. Its states are its information sets, and the one that follows is
    its next own one. Sutton & Barto (2018) 6.5.
    """
    q = {name: [0.0, 0.0] for name in INFORMATION_SETS}
    for hand in range(1, hands + 1):
        first, second = (CARDS[k] for k in rng.permutation(3)[:2])
        history = ""
        last: dict[int, tuple[str, int]] = {}  # what each player did last
        while (won := chips(first, second, history)) is None:
            player = len(history) % 2
            name = (first, second)[player] + history
            best = max(q[name])
            if player in last:
                before, taken = last[player]
                q[before][taken] += alpha * (best - q[before][taken])
            explores = rng.random() < epsilon
            action = int(rng.integers(2)) if explores else q[name].index(best)
            last[player] = name, action
            history += "pb"[action]
        for player, (name, action) in last.items():
            result = won if player == 0 else -won
            q[name][action] += alpha * (result - q[name][action])
        if hand % every == 0:
            yield {name: float(bet > passed) for name, (passed, bet) in q.items()}
