"""Learning tables for tic-tac-toe from self-play: Q-learning, and TD(0) on afterstates.

Watkins (1989); Sutton & Barto (2018), sec. 6.5 and 1.5. Games follow the transition table of
`rlcourse.solvers.tictactoe`, so no rule is written twice. The functions marked @kernel are plain
Python: with `compiled=False` the same lines run in the interpreter.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from rlcourse.agents.q_table import AfterstateAgent, QTableAgent
from rlcourse.errors import BadValue
from rlcourse.experience import ExperienceBuffer
from rlcourse.games import get_game, sign_of
from rlcourse.kernels import interpreted, kernel
from rlcourse.learning.train import Learner
from rlcourse.solvers.tictactoe import CODES, codes_of, no_symmetry, symmetry_tables, tables


@kernel
def _pick(values, allowed, uniform):
    """The allowed index of the highest of values [9]; `uniform` in [0, 1) breaks ties at random."""
    best, count = -np.inf, 0
    for a in range(9):
        if allowed[a]:
            if values[a] > best:
                best, count = values[a], 1
            elif values[a] == best:
                count += 1
    which = int(uniform * count)
    for a in range(9):
        if allowed[a] and values[a] == best:
            if which == 0:
                return a
            which -= 1
    return -1


@kernel
def _play_games(
    table, afterstates, masked, epsilon, successor, done, points, canonical, image, uniform
):
    """Play G games with a fixed table, epsilon-greedy for both players.

    uniform [G, 9, 2] in [0, 1). Returns codes [G, 9], actions [G, 9], greedy [G, 9] (False for an
    exploring move), lengths [G] and the first player's points [G]. With masked False an occupied
    square may be chosen; it ends the game and loses it.
    """
    games = uniform.shape[0]
    codes, actions = np.zeros((games, 9), np.int32), np.zeros((games, 9), np.int32)
    greedy, lengths = np.zeros((games, 9), np.bool_), np.zeros(games, np.int32)
    result = np.zeros(games, np.float32)
    values, allowed = np.zeros(9), np.zeros(9, np.bool_)
    for g in range(games):
        code = 0
        for ply in range(9):
            sign = 1.0 - 2.0 * (ply % 2)
            for a in range(9):
                after = successor[code, a]
                allowed[a] = after >= 0 or not masked
                if afterstates:
                    values[a] = table[canonical[after], 0] if after >= 0 else 0.0
                else:
                    values[a] = sign * table[canonical[code], image[code, a]]
            explore = uniform[g, ply, 0] < epsilon
            action = _pick(np.zeros(9) if explore else values, allowed, uniform[g, ply, 1])
            codes[g, ply], actions[g, ply], greedy[g, ply] = code, action, not explore
            lengths[g] = ply + 1
            after = successor[code, action]
            if after < 0:
                result[g] = -sign
                break
            if done[after]:
                result[g] = points[after]
                break
            code = after
    return codes, actions, greedy, lengths, result


@kernel
def _q_learning(
    q, codes, actions, ends, points, alpha, gamma, masked, successor, to_play, canonical, image
):
    """One pass of Q-learning over T decisions, in order. Returns the mean absolute TD error.

    q [3^9, 9] is for the first player: the target of a move is the best value that the *next*
    player can reach, the maximum for the first, the minimum for the second. ends [T]: the move
    ended its game; points [T]: the first player's result of the game.
    """
    total = 0.0
    for t in range(codes.shape[0]):
        target = points[t]
        if not ends[t]:
            after = codes[t + 1]
            sign = 1.0 - 2.0 * to_play[after]
            best = -np.inf
            for a in range(9):
                if successor[after, a] >= 0 or not masked:
                    best = max(best, sign * q[canonical[after], image[after, a]])
            target = gamma * sign * best
        row, column = canonical[codes[t]], image[codes[t], actions[t]]
        td_error = target - q[row, column]
        q[row, column] += alpha * td_error
        total += abs(td_error)
    return total / max(codes.shape[0], 1)


@kernel
def _negamax_td(v, codes, actions, ends, points, alpha, successor, to_play, canonical):
    """TD(0) on afterstates: v(s) += alpha * (-max over all replies of v(reply) - v(s)).

    v [3^9, 1]: value of a position for the player who has just moved. Returns the mean absolute TD
    error.
    """
    total = 0.0
    # From the last move to the first, so that one pass carries a result back to the opening.
    for t in range(codes.shape[0] - 1, -1, -1):
        after = successor[codes[t], actions[t]]
        sign = 1.0 - 2.0 * to_play[codes[t]]
        if ends[t]:
            target = sign * points[t]
        else:
            target = 2.0
            for a in range(9):
                reply = successor[after, a]
                if reply >= 0:
                    target = min(target, -v[canonical[reply], 0])
        td_error = target - v[canonical[after], 0]
        v[canonical[after], 0] += alpha * td_error
        total += abs(td_error)
    return total / max(codes.shape[0], 1)


@kernel
def _classic_td(v, codes, actions, greedy, ends, points, alpha, successor, to_play, canonical):
    """TD(0) on afterstates (Sutton & Barto, sec. 1.5): towards the *same player's next* afterstate.

    Only greedy moves teach; the last afterstates of both players move towards the result. Returns
    the mean absolute TD error.
    """
    total, count = 0.0, 0
    start = 0
    for t in range(codes.shape[0]):
        after = successor[codes[t], actions[t]]
        if t - 2 >= start and greedy[t]:
            previous = canonical[successor[codes[t - 2], actions[t - 2]]]
            td_error = v[canonical[after], 0] - v[previous, 0]
            v[previous, 0] += alpha * td_error
            total += abs(td_error)
            count += 1
        if ends[t]:
            for last in range(max(start, t - 1), t + 1):
                final = canonical[successor[codes[last], actions[last]]]
                td_error = (1.0 - 2.0 * to_play[codes[last]]) * points[t] - v[final, 0]
                v[final, 0] += alpha * td_error
                total += abs(td_error)
                count += 1
            start = t + 1
    return total / max(count, 1)


@dataclass(frozen=True)
class QTableConfig:
    """Q-learning with one table for both players.

    The defaults that differ from the source make it perfect in seconds.
    """

    # Step size, 0 to 1: the share of the TD error corrected at once (source: 0.1).
    alpha: float = 0.5
    gamma: float = 0.9  # discount per ply, 0 to 1: a quicker win counts more
    epsilon: float = 0.9  # share of moves played at random, 0 to 1
    start: float = 0.0  # first values, for the player to move; positive is optimism, at most 1
    noise: float = 0.0  # standard deviation of a normal start around it (source: 1)
    symmetry: bool = True  # the eight images of a position share one row
    # Legal moves only; False: an occupied square can be played and loses (source).
    masked: bool = True
    games: int = 1  # games played between two updates; 1 is the online update of the source
    compiled: bool = True  # run the loops as machine code, or the same lines in plain Python


@dataclass(frozen=True)
class AfterstateConfig:
    """TD(0) on the values of afterstates."""

    # Learn from the best reply; False: from the own next afterstate (the book).
    negamax: bool = True
    alpha: float = 0.5  # step size, 0 to 1
    epsilon: float = 0.9  # share of moves played at random, 0 to 1
    symmetry: bool = True  # the eight images of a position share one value
    games: int = 1  # games played between two updates
    compiled: bool = True  # run the loops as machine code, or the same lines in plain Python


class TableLearner(Learner):
    """Base class of both learners: self-play with the table as it is."""

    name = ""
    afterstates: ClassVar[bool] = False

    def __init__(self, config: Any, table: np.ndarray) -> None:
        self.config, self.table = config, table
        self.images = symmetry_tables() if config.symmetry else no_symmetry()
        self.game = get_game("tic-tac-toe")

    def collect(self, rng: np.random.Generator) -> ExperienceBuffer:
        """`config.games` games, epsilon-greedy. Further columns: greedy, terminal [T] bool."""
        rules, config = tables(), self.config
        codes, actions, greedy, lengths, points = self._run(_play_games)(
            self.table,
            self.afterstates,
            getattr(config, "masked", True),
            config.epsilon,
            rules.successor,
            rules.done,
            rules.points,
            self.images.canonical,
            self.images.action,
            rng.random((config.games, 9, 2)),
        )
        played = np.arange(9) < lengths[:, None]
        game, ply = np.nonzero(played)
        player = (ply % 2).astype(np.int8)
        columns = {
            "state": rules.cells[codes[played]],
            "action": actions[played],
            "reward": points[game] * sign_of(player),
            "player": player,
            "game": game.astype(np.int32),
            "ply": ply.astype(np.int32),
            "greedy": greedy[played],
            "terminal": ply + 1 == lengths[game],
        }
        return ExperienceBuffer(columns, {"game": "tic-tac-toe", "options": {}, "encoder": "cells"})

    def state(self) -> dict[str, np.ndarray]:
        return {"table": self.table}

    def restore(self, arrays: dict[str, np.ndarray]) -> None:
        """Take a table. Raises ValueError if it has another shape."""
        table = np.array(arrays["table"], np.float64)
        if table.shape != self.table.shape:
            raise BadValue(f"a table of shape {self.table.shape} is needed, not {table.shape}")
        self.table = table

    def _run(self, function: Callable[..., Any]) -> Callable[..., Any]:
        return function if self.config.compiled else interpreted(function)


def _first_players(buffer: ExperienceBuffer) -> np.ndarray:
    """[T] the first player's result of each decision's game."""
    return buffer["reward"] * sign_of(buffer["player"])


class QTableLearner(TableLearner):
    """One Q-table for both players; see QTableConfig. seed draws the noise of the start."""

    name = "q-table"

    def __init__(self, config: QTableConfig | None = None, *, seed: int = 0) -> None:
        config = config or QTableConfig()
        noise = np.zeros((CODES, 9))
        if config.noise:
            noise = np.random.default_rng(seed).normal(0.0, config.noise, (CODES, 9))
        sign = sign_of(tables().to_play[:, None])
        super().__init__(config, noise + sign * config.start)

    def update(self, buffer: ExperienceBuffer, rng: np.random.Generator) -> dict[str, float]:
        """Q-learning over the decisions in the order they were made."""
        rules, config = tables(), self.config
        error = self._run(_q_learning)(
            self.table,
            codes_of(buffer["state"]),
            buffer["action"],
            buffer["terminal"],
            _first_players(buffer),
            config.alpha,
            config.gamma,
            config.masked,
            rules.successor,
            rules.to_play,
            self.images.canonical,
            self.images.action,
        )
        return {"td_error": float(error)}

    def agent(self) -> QTableAgent:
        """The greedy player of the present table."""
        symmetry, masked = self.config.symmetry, self.config.masked
        return QTableAgent(self.game, self.table.copy(), symmetry=symmetry, masked=masked)


class AfterstateLearner(TableLearner):
    """Values of afterstates from self-play; see AfterstateConfig.

    They start at 0, so `seed` changes nothing.
    """

    name = "afterstates"
    afterstates = True

    def __init__(self, config: AfterstateConfig | None = None, *, seed: int = 0) -> None:
        super().__init__(config or AfterstateConfig(), np.zeros((CODES, 1)))

    def update(self, buffer: ExperienceBuffer, rng: np.random.Generator) -> dict[str, float]:
        """TD(0), from the best reply or from the player's own next afterstate."""
        rules, config = tables(), self.config
        codes, action, greedy = codes_of(buffer["state"]), buffer["action"], buffer["greedy"]
        result = (buffer["terminal"], _first_players(buffer), config.alpha)
        after = (rules.successor, rules.to_play, self.images.canonical)
        if config.negamax:
            error = self._run(_negamax_td)(self.table, codes, action, *result, *after)
        else:
            error = self._run(_classic_td)(self.table, codes, action, greedy, *result, *after)
        return {"td_error": float(error)}

    def agent(self) -> AfterstateAgent:
        """The greedy player of the present values."""
        return AfterstateAgent(self.game, self.table[:, 0].copy(), symmetry=self.config.symmetry)
