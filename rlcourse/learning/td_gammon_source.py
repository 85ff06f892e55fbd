"""TD-Gammon 0.0 as the source has it: one game at a time, learning after every move, eligibility traces (Tesauro 1992).

    td_error = reward + V(next) - V;  trace = lambda * trace + gradient of V;  weights += alpha * td_error * trace

V is the probability that the *first* player wins; reward is 1 when he has won and 0 otherwise, discount 1. What the source has
wrong is put right: backgammon by the real rules, a finished game is worth 0 beside its reward, nothing is carried into the
next game.
"""

from dataclasses import dataclass

import numpy as np

from rlcourse.agents.td_gammon import TDGammonAgent
from rlcourse.experience import ExperienceBuffer
from rlcourse.games import get_game
from rlcourse.games.backgammon import units
from rlcourse.learning.train import Learner
from rlcourse.networks import build_network, weights_of
from rlcourse.self_play import Recorder

LONGEST = 10_000  # plies; untrained players hit each other's checkers for hundreds of plies, a few of them for ever


@dataclass(frozen=True)
class TDGammonSourceConfig:
    """The defaults are the usual reading; the source's text has alpha and lambda the other way round, 0.7 and 0.1."""

    hidden: int = 40  # units of the hidden layer
    alpha: float = 0.1  # step size
    lam: float = 0.7  # decay of the traces a ply, 0 to 1
    games: int = 1  # games played one after the other between two rows of the log


class Traces:
    """TD(lambda) on the weights of a 198 - hidden - 1 sigmoid network, position after position; see the module.

    weights are changed in place. One `Traces` serves one game.
    """

    def __init__(self, weights: dict[str, np.ndarray], alpha: float, lam: float) -> None:
        self.weights, self.alpha, self.lam = weights, alpha, lam
        self.trace = {name: np.zeros_like(array) for name, array in weights.items()}

    def value_and_gradient(self, features: np.ndarray) -> tuple[float, dict[str, np.ndarray]]:
        """V(s) and its derivative by every weight. features [198]. Sigmoid' = s (1 - s), the chain rule twice."""
        w = self.weights
        hidden = 1 / (1 + np.exp(-(features @ w["hidden/kernel"] + w["hidden/bias"])))
        value = float(
            1 / (1 + np.exp(-(hidden @ w["outputs/kernel"][:, 0] + w["outputs/bias"][0])))
        )
        at_output = value * (1 - value)
        at_hidden = at_output * w["outputs/kernel"][:, 0] * hidden * (1 - hidden)
        return value, {
            "hidden/kernel": features[:, None] * at_hidden,
            "hidden/bias": at_hidden,
            "outputs/kernel": at_output * hidden[:, None],
            "outputs/bias": np.array([at_output]),
        }

    def step(self, features: np.ndarray, following: np.ndarray | None, reward: float) -> float:
        """Learn from one move: features [198] before it, `following` [198] after it, None if the game is over. -> td_error."""
        value, gradient = self.value_and_gradient(features)
        after = 0.0 if following is None else self.value_and_gradient(following)[0]
        td_error = reward + after - value
        for name, trace in self.trace.items():
            trace *= self.lam
            trace += gradient[name].astype(trace.dtype)
            self.weights[name] += np.float32(self.alpha * td_error) * trace
        return td_error


class TDGammonSourceLearner(Learner):
    """The source's learner; see TDGammonSourceConfig. seed draws the first weights."""

    name = "td-gammon-source"
    every = 100  # updates between two verdicts, where nobody says otherwise

    def __init__(self, config: TDGammonSourceConfig | None = None, *, seed: int = 0) -> None:
        self.config = config or TDGammonSourceConfig()
        self.game = get_game("backgammon")
        self.weights = weights_of(
            build_network("td-gammon", seed=seed, hidden=self.config.hidden, outputs=1)
        )

    def agent(self) -> TDGammonAgent:
        """The greedy player of the weights as they stand: V for the first player, 1 - V for the second."""
        return TDGammonAgent(
            self.game, {name: array.copy() for name, array in self.weights.items()}, view="first"
        )

    def collect(self, rng: np.random.Generator) -> ExperienceBuffer:
        """Play `config.games` games and learn after every move of either player. Columns beside the required ones: td_error."""
        recorder = Recorder(self.game, "checkers", self.config.games)
        points = [self._play(game, recorder, rng) for game in range(self.config.games)]
        return recorder.buffer(np.array(points))

    def update(self, buffer: ExperienceBuffer, rng: np.random.Generator) -> dict[str, float]:
        """Nothing is left to learn: the source learns while it plays. Root mean square td_error and plies a game."""
        return {
            "td_error": float(np.sqrt(np.mean(buffer["td_error"] ** 2))),
            "plies": len(buffer) / buffer.games,
        }

    def _play(self, game: int, recorder: Recorder, rng: np.random.Generator) -> float:
        """One game, learning on the way; returns the first player's points. At LONGEST plies it is broken off, unrewarded."""
        batch, traces = (
            self.game.new_batch(1),
            Traces(self.weights, self.config.alpha, self.config.lam),
        )
        here = units(batch.checkers, 0, 0)[0]
        for _ in range(LONGEST):
            batch.roll(rng)
            player = int(batch.to_play[0])
            boards, _ = batch.afterstate_boards()
            features = units(boards, 0, 1 - player)
            values = self._values(features)
            action = int(np.argmax(values if player == 0 else -values))
            batch.step(np.array([action]))
            over = bool(batch.done[0])
            reward = 1.0 if over and batch.points[0] > 0 else 0.0
            td_error = traces.step(here, None if over else features[action], reward)
            recorder.add(
                np.array([game]),
                np.array([player]),
                np.array([action]),
                state=batch.checkers.copy(),
                td_error=np.array([td_error]),
            )
            here = features[action]
            if over:
                return float(batch.points[0])
        return 0.0

    def _values(self, features: np.ndarray) -> np.ndarray:
        """[M]: V of every position; the sigmoid rises, so the sums before the last one already order them."""
        w = self.weights
        hidden = 1 / (1 + np.exp(-(features @ w["hidden/kernel"] + w["hidden/bias"])))
        return hidden @ w["outputs/kernel"][:, 0]

    def state(self) -> dict[str, np.ndarray]:
        """The weights: nothing else is remembered between games."""
        return {name: array.copy() for name, array in self.weights.items()}

    def restore(self, arrays: dict[str, np.ndarray]) -> None:
        """Take the arrays of `state`."""
        self.weights = {name: np.array(arrays[name]) for name in self.weights}
