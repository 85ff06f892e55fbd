"""TD-Gammon 0.0 (Tesauro 1992) as the source has it: eligibility traces, learning at every move.

    td_error = reward + V(next) - V
    trace = lambda * trace + gradient of V
    weights += alpha * td_error * trace

V is the probability that the *first* player wins; the reward is 1 if that player has won and 0
otherwise, and there is no discount. The slips of the source are mended: backgammon by the real
rules, a finished game has no value beside its reward, and no trace continues into the next game.
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

# Plies. Untrained players hit each other's checkers for hundreds of plies, a few of them for ever.
LONGEST = 10_000


@dataclass(frozen=True)
class TDGammonSourceConfig:
    """The defaults are the usual reading; in the source's text alpha is 0.7 and lambda 0.1."""

    hidden: int = 40  # units of the hidden layer
    alpha: float = 0.1  # step size
    lam: float = 0.7  # decay of the traces per ply, 0 to 1
    games: int = 1  # per update, played one after the other


class Traces:
    """TD(lambda) on the weights of a 198 - hidden - 1 sigmoid network, move by move.

    The weights are changed in place. One `Traces` serves one game.
    """

    def __init__(self, weights: dict[str, np.ndarray], alpha: float, lam: float) -> None:
        self.weights, self.alpha, self.lam = weights, alpha, lam
        self.trace = {name: np.zeros_like(array) for name, array in weights.items()}

    def value_and_gradient(self, features: np.ndarray) -> tuple[float, dict[str, np.ndarray]]:
        """V(s) and its derivative with respect to every weight. features [198]."""
        w = self.weights
        hidden, sums = _forward(w, features)
        value = float(_sigmoid(sums + w["outputs/bias"][0]))
        # The derivative of a sigmoid s is s (1 - s); the chain rule applies it twice.
        at_output = value * (1 - value)
        at_hidden = at_output * w["outputs/kernel"][:, 0] * hidden * (1 - hidden)
        return value, {
            "hidden/kernel": features[:, None] * at_hidden,
            "hidden/bias": at_hidden,
            "outputs/kernel": at_output * hidden[:, None],
            "outputs/bias": np.array([at_output]),
        }

    def step(self, features: np.ndarray, following: np.ndarray | None, reward: float) -> float:
        """Learn from one move and return its td_error.

        features [198]: before the move; following [198]: after it, None if the game is over.
        """
        value, gradient = self.value_and_gradient(features)
        after = 0.0 if following is None else self.value_and_gradient(following)[0]
        td_error = reward + after - value
        for name, trace in self.trace.items():
            trace *= self.lam
            trace += gradient[name].astype(trace.dtype)
            self.weights[name] += np.float32(self.alpha * td_error) * trace
        return td_error


def _forward(weights: dict[str, np.ndarray], features: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """(hidden [..., H], input of the output unit [...] without its bias)."""
    hidden = _sigmoid(features @ weights["hidden/kernel"] + weights["hidden/bias"])
    return hidden, hidden @ weights["outputs/kernel"][:, 0]


def _sigmoid(sums: np.ndarray) -> np.ndarray:
    return 1 / (1 + np.exp(-sums))


class TDGammonSourceLearner(Learner):
    """The source's learner; see TDGammonSourceConfig. seed draws the first weights."""

    name = "td-gammon-source"
    every = 100  # updates between two verdicts by default

    def __init__(self, config: TDGammonSourceConfig | None = None, *, seed: int = 0) -> None:
        self.config = config or TDGammonSourceConfig()
        self.game = get_game("backgammon")
        network = build_network("td-gammon", seed=seed, hidden=self.config.hidden, outputs=1)
        self.weights = weights_of(network)

    def agent(self) -> TDGammonAgent:
        """The greedy player: V for the first player, 1 - V for the second."""
        return TDGammonAgent(self.game, self.state(), view="first")

    def collect(self, rng: np.random.Generator) -> ExperienceBuffer:
        """Play `config.games` games and learn after every move. Further column: td_error."""
        recorder = Recorder(self.game, "checkers", self.config.games)
        points = [self._play(game, recorder, rng) for game in range(self.config.games)]
        return recorder.buffer(np.array(points))

    def update(self, buffer: ExperienceBuffer, rng: np.random.Generator) -> dict[str, float]:
        """Nothing is left to learn. Returns the root mean square td_error and plies per game."""
        td_error = float(np.sqrt(np.mean(buffer["td_error"] ** 2)))
        return {"td_error": td_error, "plies": len(buffer) / buffer.games}

    def _play(self, game: int, recorder: Recorder, rng: np.random.Generator) -> float:
        """Play and learn one game; returns the first player's points, 0 if cut at LONGEST plies."""
        batch = self.game.new_batch(1)
        traces = Traces(self.weights, self.config.alpha, self.config.lam)
        here = units(batch.checkers, 0, 0)[0]
        for _ in range(LONGEST):
            batch.roll(rng)
            player = int(batch.to_play[0])
            boards, _ = batch.afterstate_boards()
            features = units(boards, 0, 1 - player)
            # The sigmoid is increasing, so its inputs already order the moves.
            _, values = _forward(self.weights, features)
            action = int(np.argmax(values if player == 0 else -values))
            batch.step(np.array([action]))
            over = bool(batch.done[0])
            reward = 1.0 if over and batch.points[0] > 0 else 0.0
            td_error = traces.step(here, None if over else features[action], reward)
            decision = np.array([game]), np.array([player]), np.array([action])
            error_column = np.array([td_error])
            recorder.add(*decision, state=batch.checkers.copy(), td_error=error_column)
            here = features[action]
            if over:
                return float(batch.points[0])
        return 0.0

    def state(self) -> dict[str, np.ndarray]:
        """Copies of the weights; nothing else lasts beyond a game."""
        return {name: array.copy() for name, array in self.weights.items()}

    def restore(self, arrays: dict[str, np.ndarray]) -> None:
        self.weights = {name: np.array(arrays[name]) for name in self.weights}
