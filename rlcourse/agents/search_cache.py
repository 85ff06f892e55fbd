"""Evaluations that are kept: many leaves are the same position, in many games and in many simulations.

Planes are hashed to 64 bits; a table of fixed size keeps the last evaluation a place. Two positions that the network sees
alike share an entry: it would have said the same of both. What is legal is asked anew, so superko stays right.
"""

import numpy as np

from rlcourse.agents.search_tree import Evaluate
from rlcourse.encoders import Encoder
from rlcourse.games import Batch
from rlcourse.kernels import kernel


@kernel
def _hash(planes, out):
    """out [R] uint64, never 0: FNV-1a with eight bytes a step (planes [R, K] uint64), then mixed."""
    for r in range(len(out)):
        z = np.uint64(0xCBF29CE484222325)
        for k in range(planes.shape[1]):
            z = (z ^ planes[r, k]) * np.uint64(0x9E3779B97F4A7C15)
            z ^= z >> np.uint64(29)
        z = (z ^ (z >> np.uint64(32))) * np.uint64(0x94D049BB133111EB)
        out[r] = (z ^ (z >> np.uint64(31))) | np.uint64(1)


@kernel
def _look_up(hashes, keys, claimed, call, place, asked):
    """place [R]: where the evaluation of each row stands, or will stand after this call; -1 where its place is taken in this
    call by another position. asked [R]: the rows to evaluate, in their order. Returns how many."""
    count = 0
    for r in range(len(hashes)):
        slot = np.int64(hashes[r] >> np.uint64(1)) & (len(keys) - 1)
        place[r] = slot
        if keys[slot] != hashes[r]:
            if claimed[slot] == call:
                place[r] = -1
            else:
                keys[slot], claimed[slot] = hashes[r], call
            asked[count] = r
            count += 1
    return count


class Cached:
    """An evaluation with a table of 2**bits places before it. hits, calls: positions found there, and asked for in all.

    evaluate must depend on the encoder's planes alone, as a network does, and not be random. Make a new one for new weights.
    """

    def __init__(self, evaluate: Evaluate, encoder: Encoder, *, bits: int = 18) -> None:
        self.evaluate, self.encoder = evaluate, encoder
        self.keys, self.claimed = np.zeros(1 << bits, np.uint64), np.zeros(1 << bits, np.int64)
        self.policy = np.zeros((1 << bits, encoder.game.num_actions or 0), np.float32)
        self.value = np.zeros(1 << bits, np.float32)
        self.hits, self.calls, self._call = 0, 0, 0

    def __call__(
        self, batch: Batch, rows: np.ndarray, rng: np.random.Generator
    ) -> tuple[np.ndarray, np.ndarray]:
        """(policy [R, A], value [R]) float32, of new positions by `evaluate`, one call for all of them."""
        hashes = hash_planes(self.encoder.encode_batch(batch, rows))
        place, asked = np.empty(len(rows), np.int64), np.empty(len(rows), np.int64)
        self._call += 1
        asked = asked[: _look_up(hashes, self.keys, self.claimed, self._call, place, asked)]
        self.calls, self.hits = self.calls + len(rows), self.hits + len(rows) - len(asked)
        if not len(asked):
            return self.policy[place], self.value[place]
        try:
            policy, value = self.evaluate(batch, rows[asked], rng)
        except BaseException:
            self.keys[place[asked][place[asked] >= 0]] = (
                0  # places that were claimed and stayed empty
            )
            raise
        kept = place[asked] >= 0
        self.policy[place[asked][kept]], self.value[place[asked][kept]] = policy[kept], value[kept]
        policies, values = self.policy[place], self.value[place]
        policies[asked[~kept]], values[asked[~kept]] = policy[~kept], value[~kept]
        return policies, values


def hash_planes(planes: np.ndarray) -> np.ndarray:
    """[R] uint64: a hash of int8 planes [R, ...], equal for equal planes."""
    flat = planes.reshape(len(planes), -1)
    padded = np.zeros((len(flat), -(-flat.shape[1] // 8) * 8), np.int8)
    padded[:, : flat.shape[1]] = flat
    out = np.empty(len(flat), np.uint64)
    _hash(padded.view(np.uint64), out)
    return out
