"""Self-play for a learner, chunk by chunk: in this process, or in workers while it learns."""

from collections import deque
from collections.abc import Callable, Mapping
from concurrent.futures import Executor, Future

import numpy as np

from rlcourse.experience import ExperienceBuffer
from rlcourse.self_play import SelfPlaySpec, play
from rlcourse.workers import worker_pool

Weights = Mapping[str, np.ndarray]
GUEST_EVERY = 16  # updates between two snapshots that are kept as guests


def joined(parts: Mapping[str, Weights]) -> dict[str, np.ndarray]:
    """{"part": {"rest": array}} as {"part/rest": array}, the arrays of a checkpoint."""
    return {f"{part}/{name}": array for part, of in parts.items() for name, array in of.items()}


def in_parts(arrays: Weights) -> dict[str, dict[str, np.ndarray]]:
    """The inverse of `joined`. An array without a part, "name", becomes {"name": {"": array}}."""
    parts: dict[str, dict[str, np.ndarray]] = {}
    for name, array in arrays.items():
        part, _, rest = name.partition("/")
        parts.setdefault(part, {})[rest] = array
    return parts


class Chunks:
    """Chunk k is played with the weights after update k - ahead, or with the first weights.

    This rule does not depend on the number of workers, so the same seed gives the same experience
    with any number of them.

    If the spec asks for guests, the first weights and those of every 16th update are kept, and the
    guest of a chunk is drawn from them. play: how a chunk is played; a pure function of a module,
    so that workers can import it.
    """

    def __init__(
        self,
        spec: SelfPlaySpec,
        weights: Weights,
        *,
        seed: int,
        ahead: int,
        workers: int,
        play: Callable[..., ExperienceBuffer] = play,
    ) -> None:
        self.spec, self.seed, self.ahead, self.play = spec, seed, ahead, play
        self.updates = 0
        self.start(weights)
        self.pool: Executor | None = worker_pool(workers) if workers else None
        self.waiting: dict[int, Future[ExperienceBuffer]] = {}

    def play_in(self, pool: Executor) -> None:
        """Let `pool` play from here on, such as a RayPool; the chunks stay the same."""
        self.close()
        self.pool, self.waiting = pool, {}

    def start(self, weights: Weights) -> None:
        """The first weights, before the first update."""
        # The weights of the last updates, oldest first: chunks in progress may need older ones.
        self.history = deque([weights], maxlen=self.ahead + 1)
        self.guests = [weights] if self.spec.guests else []

    @property
    def weights(self) -> Weights:
        """The weights after the last update."""
        return self.history[-1]

    def collect(self) -> ExperienceBuffer:
        """The next chunk, a function of the seed and its number."""
        if self.pool is None:
            return self.play(self.spec, self._players(self.updates), self.seed, self.updates)
        for chunk in range(self.updates, self.updates + self.ahead + 1):
            if chunk not in self.waiting:
                self.waiting[chunk] = self.pool.submit(
                    self.play, self.spec, self._players(chunk), self.seed, chunk
                )
        return self.waiting.pop(self.updates).result()

    def _players(self, chunk: int) -> Weights:
        """The weights that play a chunk, and those of a guest from an update known by then."""
        oldest = max(0, self.updates - self.ahead)  # the update after which history[0] was kept
        known = max(0, chunk - self.ahead)
        weights = self.history[known - oldest]
        if not self.guests:
            return weights
        guest = np.random.default_rng([self.seed, chunk, 1]).integers(1 + known // GUEST_EVERY)
        return {**weights, **{f"guest/{name}": array for name, array in self.guests[guest].items()}}

    def learned(self, weights: Weights) -> None:
        """Count one update; these are the weights after it."""
        self.updates += 1
        self.history.append(weights)
        if self.guests and self.updates % GUEST_EVERY == 0:
            self.guests.append(weights)

    def close(self) -> None:
        """End the workers."""
        if self.pool is not None:
            self.pool.shutdown(cancel_futures=True)

    def state(self) -> dict[str, np.ndarray]:
        """The weights of the last updates, 0 the newest, and of the guests; the update count.

        Chunks in progress are not stored: they are played again.
        """
        parts = {f"weights-{age}": weights for age, weights in enumerate(reversed(self.history))}
        parts |= {f"guest-{k}": weights for k, weights in enumerate(self.guests)}
        return {**joined(parts), "updates": np.array([self.updates], np.int64)}

    def restore(self, parts: Mapping[str, Weights]) -> None:
        """Take the arrays of `state`, divided by `in_parts`."""
        ages = sum(name.startswith("weights-") for name in parts)
        newest_last = (parts[f"weights-{age}"] for age in reversed(range(ages)))
        self.history = deque(newest_last, maxlen=self.ahead + 1)
        guests = sum(name.startswith("guest-") for name in parts)
        self.guests = [parts[f"guest-{k}"] for k in range(guests)]
        self.updates = int(parts["updates"][""][0])
        self.waiting.clear()
