"""The book's cycle with files in between: an agent, its games, the agent that learned from them (ch. 9)."""

import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from rlcourse.agents.base import BatchAgent
from rlcourse.agents.policy import PolicyAgent
from rlcourse.experience import ExperienceBuffer, ExperienceCollector, combine_experience
from rlcourse.learning import make_learner
from rlcourse.learning.train import Learner
from rlcourse.self_play import SelfPlaySpec, play_chunks, simulate_game
from rlcourse.storage import StorageError

PAUSE = 5.0  # seconds of play, at least, between two writes of the file
SHARE = 10  # seconds of play, at least, for every second of the last write: the file grows, the cost does not


def record_games(
    agent: BatchAgent,
    path: str | Path,
    *,
    games: int,
    seed: int = 0,
    chunk: int = 256,
    workers: int = 0,
) -> Iterator[int]:
    """Self-play into a file, in chunks of `chunk` games, until there are at least `games`; yields how many there are.

    A file of the same agent, seed and chunk is continued, with the games that it would have had anyway. The file is written
    after the first chunk, every few seconds and at the end. A run that is given up adds nothing to it, because a file takes
    longer to write the more games it holds; the next run plays the missing games again, the same ones.
    Raises StorageError for a file of anything else, ValueError for an agent without an encoder.
    """
    if agent.encoder is None:
        raise ValueError(
            f"{agent.name} has no encoder, so its games cannot be recorded for training"
        )
    options, encoder = agent.options(), agent.encoder.name
    source = {"agent": agent.fingerprint(), "seed": seed, "chunk": chunk}
    parts = [_continued(path, source)] if Path(path).exists() else []
    done = parts[0].meta["chunks"] if parts else 0
    chunks = range(done, max(done, -(-games // chunk)))
    spec = SelfPlaySpec(
        agent.game.name, agent.name, encoder, chunk, agent.game.options, options, agent.record
    )
    yield done * chunk
    write_at = 0.0
    for buffer in play_chunks(spec, agent.arrays(), seed=seed, chunks=chunks, workers=workers):
        parts.append(buffer)
        done += 1
        if time.monotonic() >= write_at or done == chunks.stop:
            started = time.monotonic()
            parts = [_write(parts, path, {**source, "chunks": done})]
            ended = time.monotonic()
            write_at = ended + max(PAUSE, SHARE * (ended - started))
        yield done * chunk


def _write(
    parts: list[ExperienceBuffer], path: str | Path, source: dict[str, Any]
) -> ExperienceBuffer:
    whole = combine_experience(parts)
    whole = ExperienceBuffer(whole.columns, {**whole.meta, **source})
    whole.save(path)
    return whole


def _continued(path: str | Path, source: dict[str, Any]) -> ExperienceBuffer:
    found = ExperienceBuffer.load(path)
    for key, value in source.items():
        if found.meta.get(key) != value:
            raise StorageError(
                f"{path} holds games of another run: its {key} is {found.meta.get(key)!r}, this run's is {value!r}. "
                "Give another file."
            )
    return found


def record_one_by_one(first: PolicyAgent, second: PolicyAgent, *, games: int) -> ExperienceBuffer:
    """The book's self-play: one game after the other between two copies of an agent, each with its own collector; the winner's
    completes its episode with +1, the loser's with -1, and both sides' experience is combined.

    Raises ValueError for one and the same agent on both sides: its only collector would mix them up.
    """
    if first is second:
        raise ValueError(
            "two copies of the agent are needed, each with its own collector: load it twice"
        )
    collectors = ExperienceCollector(), ExperienceCollector()
    first.set_collector(collectors[0])
    second.set_collector(collectors[1])
    for _ in range(games):
        for collector in collectors:
            collector.begin_episode()
        points = simulate_game(first, second).points
        collectors[0].complete_episode(points)
        collectors[1].complete_episode(-points)
    first.set_collector(None)
    second.set_collector(None)
    meta = {
        "game": first.game.name,
        "options": dict(first.game.options),
        "encoder": first.encoder.name,
    }
    return combine_experience([collector.to_buffer(**meta) for collector in collectors])


def learner_from(
    agent: BatchAgent, name: str = "policy-gradient", *, seed: int = 0, **settings: Any
) -> Learner:
    """The learner of that name for an agent's game, encoder and network, with the agent's weights.

    Raises ValueError for an agent that is no network of probabilities.
    """
    if not isinstance(agent, PolicyAgent):
        raise ValueError(
            f"{name} goes on from an agent such as `rlcourse new-agent` makes, not from {agent.name}"
        )
    options = agent.options()
    described = {key: options[key] for key in ("encoder", "network", "network_options")}
    learner = make_learner(name, seed=seed, **{**agent.game.options, **described, **settings})
    learner.start_from(agent)
    return learner


class FromFiles(Learner):
    """A learner that learns from recorded games, one file an update, instead of playing; for `train`."""

    def __init__(self, learner: Learner, files: Sequence[str | Path]) -> None:
        self.learner, self.files = learner, list(files)
        self.name, self.config, self.game = learner.name, learner.config, learner.game
        self.done = 0

    def collect(self, rng: np.random.Generator) -> ExperienceBuffer:
        """The games of the next file."""
        return ExperienceBuffer.load(self.files[self.done])

    def update(self, buffer: ExperienceBuffer, rng: np.random.Generator) -> dict[str, float]:
        """Learn from them."""
        metrics = self.learner.update(buffer, rng)
        self.done += 1
        return metrics

    def agent(self) -> BatchAgent:
        """The learner's player."""
        return self.learner.agent()

    def state(self) -> dict[str, np.ndarray]:
        """The learner's, and how many files are done."""
        return {**self.learner.state(), "files": np.array([self.done], np.int64)}

    def restore(self, arrays: dict[str, np.ndarray]) -> None:
        """Take the arrays of `state`."""
        self.done = int(arrays["files"][0])
        self.learner.restore({name: array for name, array in arrays.items() if name != "files"})
