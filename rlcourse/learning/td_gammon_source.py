"""TD-Gammon 0.0 (Tesauro 1992) as the source has it: eligibility traces, learning at every move.

    td_error = reward + V(next) - V
    trace = lambda * trace + gradient of V
    weights += alpha * td_error * trace

V is the probability that the *first* player wins; the reward is 1 if that player has won and 0
otherwise, and there is no discount. The slips of the source are mended: backgammon by the real
rules, a finished game has no value beside its reward, and no trace continues into the next game.
"""

import math
from dataclasses import dataclass

import numpy as np

from rlcourse.agents.td_gammon import TDGammonAgent
from rlcourse.experience import ExperienceBuffer
from rlcourse.games import get_game
from rlcourse.games.backgammon import units
from rlcourse.kernels import kernel
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


# The weights of a 198 - H - 1 network, in this order; kernels take them as a tuple of arrays.
LAYERS = ("hidden/kernel", "hidden/bias", "outputs/kernel", "outputs/bias")


TERMS = tuple(1 / math.factorial(k) for k in range(9, -1, -1))  # of the series of e^y


@kernel
def _sigmoid(x):
    """1 / (1 + e^-x), to 1e-14. Beyond 40 it is 0 or 1 in float32.

    e^y is the 256th power of e^(y/256). These are products and sums, which are the same everywhere;
    the last bit of a library's exponential is not.
    """
    y = min(max(-x, -40.0), 40.0) / 256.0
    power = 0.0
    for term in TERMS:
        power = power * y + term
    for _ in range(8):
        power *= power
    return 1.0 / (1.0 + power)


@kernel
def _forward(weights, features, hidden):
    """The input of the output unit; hidden [H] receives the hidden layer. features [198]."""
    matrix, bias, last, last_bias = weights
    hidden[:] = bias
    # Three quarters of the units are 0.
    for unit in range(len(features)):
        number = features[unit]
        if number != 0:
            for h in range(len(hidden)):
                hidden[h] += number * matrix[unit, h]
    total = last_bias[0]
    for h in range(len(hidden)):
        hidden[h] = _sigmoid(hidden[h])
        total += hidden[h] * last[h, 0]
    return total


@kernel
def _inputs(weights, features, hidden, out):
    """out [M]: `_forward` of features [M, 198]. hidden [H]: room."""
    for m in range(len(features)):
        out[m] = _forward(weights, features[m], hidden)


@kernel
def _gradient(weights, features, hidden, gradients):
    """V(s); gradients receive its derivative with respect to every weight."""
    value = _sigmoid(_forward(weights, features, hidden))
    matrix, bias, last, last_bias = gradients
    # The derivative of a sigmoid s is s (1 - s); the chain rule applies it twice.
    at_output = value * (1 - value)
    last_bias[0] = at_output
    for h in range(len(hidden)):
        last[h, 0] = at_output * hidden[h]
        bias[h] = at_output * weights[2][h, 0] * hidden[h] * (1 - hidden[h])
    for unit in range(len(features)):
        for h in range(len(hidden)):
            matrix[unit, h] = features[unit] * bias[h]
    return value


@kernel
def _follow(weights, trace, gradient, lam, step):
    """Let a trace fade and add the gradient; then move the weights along it."""
    trace *= weights.dtype.type(lam)
    trace += gradient
    weights += weights.dtype.type(step) * trace


@kernel
def _step(weights, traces, gradients, hidden, here, following, over, reward, alpha, lam):
    """Learn from one move and return its td_error. over: nothing follows."""
    value = _gradient(weights, here, hidden, gradients)
    after = 0.0 if over else _sigmoid(_forward(weights, following, hidden))
    td_error = reward + after - value
    step = alpha * td_error
    _follow(weights[0], traces[0], gradients[0], lam, step)
    _follow(weights[1], traces[1], gradients[1], lam, step)
    _follow(weights[2], traces[2], gradients[2], lam, step)
    _follow(weights[3], traces[3], gradients[3], lam, step)
    return td_error


class Traces:
    """TD(lambda) on the weights of a 198 - hidden - 1 sigmoid network, move by move.

    The weights are changed in place. One `Traces` serves one game.
    """

    def __init__(self, weights: dict[str, np.ndarray], alpha: float, lam: float) -> None:
        self.alpha, self.lam = float(alpha), float(lam)
        self.weights = tuple(weights[name] for name in LAYERS)
        self.trace = tuple(np.zeros_like(array) for array in self.weights)
        self.gradient = tuple(np.zeros_like(array) for array in self.weights)
        self.hidden = np.zeros_like(self.weights[1])

    def inputs(self, features: np.ndarray) -> np.ndarray:
        """[M]: the inputs of the output unit, which order positions as V does. features [M, 198]"""
        out = np.empty(len(features), self.hidden.dtype)
        _inputs(self.weights, features, self.hidden, out)
        return out

    def value_and_gradient(self, features: np.ndarray) -> tuple[float, dict[str, np.ndarray]]:
        """V(s) and its derivative with respect to every weight. features [198]."""
        value = _gradient(self.weights, features, self.hidden, self.gradient)
        gradient = [array.copy() for array in self.gradient]
        return value, dict(zip(LAYERS, gradient, strict=True))

    def step(self, features: np.ndarray, following: np.ndarray | None, reward: float) -> float:
        """Learn from one move and return its td_error.

        features [198]: before the move; following [198]: after it, None if the game is over.
        """
        over = following is None
        moves = (features, features if following is None else following, over)
        network = (self.weights, self.trace, self.gradient, self.hidden)
        return float(_step(*network, *moves, float(reward), self.alpha, self.lam))


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
            values = traces.inputs(features)
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
