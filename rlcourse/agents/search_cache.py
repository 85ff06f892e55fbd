"""A cache of evaluations: many leaves are the same position, across games and simulations.

Planes are hashed to 64 bits, and a table of fixed size keeps the last evaluation of each slot. Two
positions with equal planes share an entry, because the network would give both the same answer. The
legal actions are not cached but asked anew, so superko stays right.
"""

from collections.abc import Callable

import numpy as np

from rlcourse.encoders import Encoder
from rlcourse.games import Batch
from rlcourse.kernels import kernel


@kernel
def _hash(planes, out):
    """out [R] uint64, never 0: FNV-1a of planes [R, K] uint64, eight bytes a step, then mixed."""
    for r in range(len(out)):
        z = np.uint64(0xCBF29CE484222325)
        for k in range(planes.shape[1]):
            z = (z ^ planes[r, k]) * np.uint64(0x9E3779B97F4A7C15)
            z ^= z >> np.uint64(29)
        z = (z ^ (z >> np.uint64(32))) * np.uint64(0x94D049BB133111EB)
        # 0 marks an empty slot, so the lowest bit is always set.
        out[r] = (z ^ (z >> np.uint64(31))) | np.uint64(1)


@kernel
def _look_up(hashes, keys, claimed, call, slots, missing):
    """Find the rows of `hashes` [R] in the table; returns the number of those that it misses.

    slots [R]: where the evaluation of each row is, or will be after this call; -1 where another
    position of this call has claimed the slot. missing [R]: the rows to evaluate, in their order.
    """
    count = 0
    for r in range(len(hashes)):
        slot = np.int64(hashes[r] >> np.uint64(1)) & (len(keys) - 1)
        slots[r] = slot
        if keys[slot] == hashes[r]:
            claimed[slot] = call  # until it is read, no other position of this call takes its slot
            continue
        if claimed[slot] == call:
            slots[r] = -1
        else:
            keys[slot], claimed[slot] = hashes[r], call
        missing[count] = r
        count += 1
    return count


class Cached:
    """An evaluation behind a table of 2**bits slots. calls: positions asked for; hits: those found.

    evaluate: as in `search_tree`, deterministic, and a function of the encoder's planes alone, as a
    network is; new weights need a new cache. of_planes: it is called with those planes, [R, C, H,
    W] int8, in place of batch, rows and rng, so that they are made once.
    """

    def __init__(
        self,
        evaluate: Callable[..., tuple[np.ndarray, np.ndarray]],
        encoder: Encoder[Batch],
        *,
        bits: int = 18,
        of_planes: bool = False,
    ) -> None:
        self.evaluate, self.encoder, self.of_planes = evaluate, encoder, of_planes
        self.keys, self.claimed = np.zeros(1 << bits, np.uint64), np.zeros(1 << bits, np.int64)
        self.policy = np.zeros((1 << bits, encoder.game.num_actions or 0), np.float32)
        self.value = np.zeros(1 << bits, np.float32)
        self.hits, self.calls, self._call = 0, 0, 0

    def __call__(
        self, batch: Batch, rows: np.ndarray, rng: np.random.Generator
    ) -> tuple[np.ndarray, np.ndarray]:
        """(policy [R, A], value [R]) float32; `evaluate` is called once, for all missing rows."""
        planes = self.encoder.encode_batch(batch, rows)
        hashes = hash_planes(planes)
        slots, missing = np.empty(len(rows), np.int64), np.empty(len(rows), np.int64)
        self._call += 1
        missing = missing[: _look_up(hashes, self.keys, self.claimed, self._call, slots, missing)]
        self.calls += len(rows)
        self.hits += len(rows) - len(missing)
        if not len(missing):
            return self.policy[slots], self.value[slots]
        stored = slots[missing] >= 0
        try:
            asked = (planes[missing],) if self.of_planes else (batch, rows[missing], rng)
            policy, value = self.evaluate(*asked)
        except BaseException:
            # These slots were claimed and stay empty.
            self.keys[slots[missing][stored]] = 0
            raise
        new = slots[missing][stored]
        self.policy[new], self.value[new] = policy[stored], value[stored]
        # A row without a slot of its own got -1: what the table gave it is replaced.
        policies, values = self.policy[slots], self.value[slots]
        policies[missing[~stored]], values[missing[~stored]] = policy[~stored], value[~stored]
        return policies, values


def hash_planes(planes: np.ndarray) -> np.ndarray:
    """[R] uint64: a hash of int8 planes [R, ...], equal for equal planes."""
    flat = planes.reshape(len(planes), -1)
    padded = np.zeros((len(flat), -(-flat.shape[1] // 8) * 8), np.int8)
    padded[:, : flat.shape[1]] = flat
    out = np.empty(len(flat), np.uint64)
    _hash(padded.view(np.uint64), out)
    return out
