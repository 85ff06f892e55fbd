"""AlphaZero's learner on Go with parts of KataGo (Wu 2019), and on boards of several sizes."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from rlcourse.experience import ExperienceBuffer
from rlcourse.experiments.kata_search import KataSpec, play_kata
from rlcourse.learning.alphazero import AlphaZeroLearner, GoConfig, make_step
from rlcourse.learning.chunks import Weights
from rlcourse.networks import set_weights

# What the mean squared errors of the further heads weigh in the loss, where there are such heads.
TERRITORY = {"ownership": 0.5, "score": 0.5}
PARTS = ("fast", "full", "forced", "keep", "int8")  # settings that self-play needs as well
# Exploration by size of the board: Dirichlet noise of about 10 / (points), plies at random.
OF_SIZE: dict[int, dict[str, Any]] = {
    5: {"noise": 0.4, "opening": 10},
    7: {"noise": 0.2, "opening": 14},
    9: {"noise": 0.15, "opening": 20},
}


@dataclass(frozen=True)
class KataConfig(GoConfig):
    """The course's recipe for Go in one process, and four parts of KataGo, which are off."""

    game_options: Mapping[str, Any] = field(default_factory=lambda: {"size": 7, "komi": 7.5})
    games: int = 64
    ahead: int = 0
    workers: int = 0
    fast: int = 0  # simulations of a fast search; 0: every search is full
    full: float = 0.25  # share of plies with a full search, where others are fast
    forced: float = 0.0  # k of forced playouts; 0: none
    keep: bool = False  # the subtree of a move starts the next search
    int8: bool = False  # self-play evaluates in whole numbers of 8 bits


class KataLearner(AlphaZeroLearner):
    """AlphaZero with the parts that its config asks for; see `kata_search`."""

    config: KataConfig

    def __init__(self, config: KataConfig | None = None, *, seed: int = 0) -> None:
        super().__init__(config or KataConfig(), seed=seed)
        parts = {name: getattr(self.config, name) for name in PARTS}
        self.chunks.spec = KataSpec(**vars(self.chunks.spec), **parts)
        self.chunks.play = play_kata
        self.further = TERRITORY if self.network.get("territory") else {}
        self.step = make_step(self.trained, **self.further)

    def examples(self, buffer: ExperienceBuffer) -> dict[str, np.ndarray]:
        """Adds the targets of the further heads."""
        return {**super().examples(buffer), **{name: buffer[name] for name in self.further}}

    def start_from(self, weights: Weights) -> None:
        """Take these weights, such as those of another size of the board, before any learning."""
        set_weights(self.model, weights)
        self.chunks.start(weights)


def learner_for(size: int, *, seed: int, **settings: Any) -> KataLearner:
    """The learner of a board size x size with komi 7.5; settings are fields of KataConfig."""
    of_game = {"game_options": {"size": size, "komi": 7.5}, **OF_SIZE[size]}
    return KataLearner(KataConfig(**{**of_game, **settings}), seed=seed)
