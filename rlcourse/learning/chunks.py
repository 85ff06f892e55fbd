"""Self-play for a learner, chunk by chunk: by this process, or by workers that play while it learns."""

from collections import deque
from collections.abc import Callable, Mapping
from concurrent.futures import Executor, Future

import numpy as np

from rlcourse.experience import ExperienceBuffer
from rlcourse.learning.train import joined
from rlcourse.self_play import SelfPlaySpec, play
from rlcourse.workers import worker_pool

Weights = Mapping[str, np.ndarray]
GUEST_EVERY = 16  # updates between two snapshots that are kept as guests


class Chunks:
    """Chunk k is played with the weights after update k - ahead, the first ones with the first weights, however many workers
    there are: the same seed gives the same experience with any number of them.

    Where the spec asks for guests, the weights of every 16th update are kept, the first ones too, and a chunk's guest
    is drawn from those that were there before it.

    play: how a chunk is played; pure, and a function of a module, so that a worker finds it.
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
        """From here on let `pool` play, such as a `rlcourse.distributed.RayPool`; the chunks stay the same."""
        self.close()
        self.pool, self.waiting = pool, {}

    def start(self, weights: Weights) -> None:
        """The first weights, before the first update."""
        self.history = deque(
            [weights], maxlen=self.ahead + 1
        )  # of the last updates, the oldest first
        self.guests = [weights] if self.spec.guests else []

    @property
    def weights(self) -> Weights:
        """Those after the last update."""
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
        """The weights with which a chunk is played, and a guest's among those of the updates that it may know."""
        oldest = max(0, self.updates - self.ahead)  # the update after which history[0] was kept
        known = max(0, chunk - self.ahead)
        weights = self.history[known - oldest]
        if not self.guests:
            return weights
        guest = np.random.default_rng([self.seed, chunk, 1]).integers(1 + known // GUEST_EVERY)
        return {**weights, **{f"guest/{name}": array for name, array in self.guests[guest].items()}}

    def learned(self, weights: Weights) -> None:
        """One update has been made; these are the weights after it."""
        self.updates += 1
        self.history.append(weights)
        if self.guests and self.updates % GUEST_EVERY == 0:
            self.guests.append(weights)

    def close(self) -> None:
        """End the workers."""
        if self.pool is not None:
            self.pool.shutdown(cancel_futures=True)

    def state(self) -> dict[str, np.ndarray]:
        """The weights of the last updates, 0 the newest, those of the guests, and how many updates were made. Chunks that are
        being played are not kept: they are played again."""
        parts = {f"weights-{age}": weights for age, weights in enumerate(reversed(self.history))}
        parts |= {f"guest-{k}": weights for k, weights in enumerate(self.guests)}
        return {**joined(parts), "updates": np.array([self.updates], np.int64)}

    def restore(self, parts: Mapping[str, Weights]) -> None:
        """Take the arrays of `state`, as `in_parts` gives them."""
        ages = sorted(
            (part for part in parts if part.startswith("weights-")), key=lambda part: -int(part[8:])
        )
        self.history = deque((parts[age] for age in ages), maxlen=self.ahead + 1)
        self.guests = [
            parts[f"guest-{k}"] for k in range(sum(part.startswith("guest-") for part in parts))
        ]
        self.updates = int(parts["updates"][""][0])
        self.waiting.clear()
