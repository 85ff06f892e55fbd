"""A stub network for the tests of search: any position gets a policy and a value that look
random and are always the same.
"""

import hashlib

import numpy as np

from rlcourse.games import GameState


def opinion(state: GameState, actions: int) -> tuple[list[float], float]:
    """(policy [A], value in (-1, 1) for the player to move), drawn from a hash of the position."""
    digest = hashlib.blake2b(state.recipe().encode(), digest_size=8).digest()
    rng = np.random.default_rng(int.from_bytes(digest, "big"))
    return rng.dirichlet(np.full(actions, 0.5)).tolist(), float(rng.uniform(-1, 1))


def opinions(batch, rows, rng):
    """The same as an evaluation of many positions."""
    actions = batch.legal(rows[:0]).shape[1]
    said = [opinion(batch.state(row), actions) for row in rows]
    return np.array([policy for policy, _ in said]), np.array([value for _, value in said])
