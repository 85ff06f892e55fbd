"""The root of Gumbel AlphaZero: a policy made better even by fewer simulations than there are actions (Danihelka et al. 2022,
"Policy improvement by planning with Gumbel").

Actions are drawn without replacement, by the largest of g + log P with Gumbel noise g; the simulations are shared out among
them by sequential halving; played is the best of those that are left. Below the root the search is PUCT as ever, where the
paper has a rule of its own (its section 5).
"""

import math
from functools import lru_cache

import numpy as np

from rlcourse.agents.search_tree import Evaluate, SearchTree
from rlcourse.games import Batch

VISITS = 50  # that completed Q counts beside those made (c_visit)


def completed(tree: SearchTree) -> np.ndarray:
    """[N, A] float64: Q at the root; an action that was never tried counts with the mean of all simulations (eq. 10)."""
    q = tree.q
    return np.where(np.isnan(q), tree.root_value[:, None], q)


def sigma(tree: SearchTree, sharpness: float) -> np.ndarray:
    """[N, A] float64 in nats, what the search adds to log P: sharpness * (VISITS + most visits of an action) * completed Q
    (eq. 8)."""
    return sharpness * (VISITS + tree.visits.max(axis=1, keepdims=True)) * completed(tree)


@lru_cache(maxsize=64)
def halving(actions: int, simulations: int) -> tuple[int, ...]:
    """How many visits the action of each simulation has so far: it goes to the best of those that have as many.

    Sequential halving (fig. 1): `actions` are tried equally often, the better half of them again, and so on down to two.
    """
    if actions <= 1:
        return tuple(range(simulations))
    visits, kept = [0] * actions, actions
    order: list[int] = []
    while len(order) < simulations:
        for _ in range(max(1, simulations // (math.ceil(math.log2(actions)) * kept))):
            order += visits[:kept]
            visits[:kept] = [count + 1 for count in visits[:kept]]
        kept = max(2, kept // 2)
    return tuple(order[:simulations])


def grow_gumbel(
    roots: Batch,
    evaluate: Evaluate,
    simulations: int,
    rng: np.random.Generator,
    *,
    c: float = 1.25,
    sharpness: float = 0.1,
    noise: float = 1.0,
    considered: int = 16,
) -> tuple[SearchTree, np.ndarray]:
    """(the trees after `simulations`, the actions [N] to play; -1 where the game is over).

    noise: scale of the Gumbel noise; 1 draws actions from the improved policy, 0 plays the best. considered: actions at most.
    The rest as in `search_tree.grow`, and sharpness as in `sigma`.
    """
    tree = SearchTree(roots, evaluate, simulations, rng, c=c)
    legal = roots.legal() & ~roots.done[:, None]
    counts = np.minimum(legal.sum(axis=1), considered)
    plan = np.array([halving(count, simulations) for count in range(considered + 1)]).reshape(
        considered + 1, simulations
    )
    chance = noise * rng.gumbel(size=legal.shape) + np.log(np.maximum(tree.prior, 1e-12))

    def best(visits: np.ndarray) -> np.ndarray:
        """The best legal action [N] of those that were tried `visits` [N] times."""
        scores = np.where(
            legal & (tree.visits == visits[:, None]), chance + sigma(tree, sharpness), -np.inf
        )
        return np.where(np.isfinite(scores).any(axis=1), scores.argmax(axis=1), -1)

    for number in range(simulations):
        tree.simulate(best(plan[counts, number]))
    return tree, best(tree.visits.max(axis=1))
