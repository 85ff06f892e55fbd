"""What the plays of a backgammon player cost, in millipoints: thousandths of a point.

GNU Backgammon's networks (gnubg-nn, cubeless) value every play after the opponent's best answers to
all 21 throws, which gnubg calls 1-ply. The error of a play is by how much it falls short of the
best one. This needs no opponent, and luck with the dice hardly matters: forty games say more than
thousands of results.
"""

import math
from dataclasses import dataclass

import numpy as np

from rlcourse.agents.base import BatchAgent, Decision
from rlcourse.agents.gnubg import GnubgNetworkAgent
from rlcourse.agents.td_gammon import EquityAgent, equity, expectimax
from rlcourse.arena import play_games
from rlcourse.errors import BadValue
from rlcourse.games import IllegalMove
from rlcourse.games.backgammon import BackgammonBatch
from rlcourse.intervals import Z

# Points. A play that seems worse than the best one by more, at first sight, is not looked at again.
WITHIN = 0.16


@dataclass(frozen=True)
class ErrorRate:
    """The errors of `agent` in games with itself.

    costs, decisions: of each game the sum of its errors, in points, and the number of its throws
    that leave a choice.
    """

    agent: str
    costs: tuple[float, ...]
    decisions: tuple[int, ...]

    @property
    def millipoints(self) -> float:
        """The mean error of a decision."""
        return 1000 * sum(self.costs) / sum(self.decisions)

    def interval(self) -> tuple[float, float]:
        """95% interval of `millipoints`. Decisions of one game resemble each other, so the games
        are what counts as independent: a ratio of two sums over them.
        """
        games = len(self.costs)
        mean = self.millipoints / 1000
        apart = np.array(self.costs) - mean * np.array(self.decisions)
        error = math.sqrt(float(apart @ apart) * games / (games - 1)) / sum(self.decisions)
        half = 1000 * Z * error
        return max(0.0, self.millipoints - half), self.millipoints + half

    def __str__(self) -> str:
        low, high = self.interval()
        return (
            f"{self.agent} loses {self.millipoints:.1f} millipoints a decision "
            f"[{low:.1f}, {high:.1f}] in {sum(self.decisions):,} decisions of "
            f"{len(self.costs):,} games with itself, by gnubg-nn 1-ply"
        )


def error_rate(agent: BatchAgent, *, games: int = 40, seed: int = 0) -> ErrorRate:
    """Let `agent` play `games` games with itself, and price each of its decisions.

    About a second of one core a game. Raises ProgramMissing without gnubg-nn; ValueError for fewer
    than two games or another game than backgammon.
    """
    if games < 2:
        raise BadValue(f"an interval needs two games or more; got {games}")
    if agent.game.name != "backgammon":
        raise BadValue(f"this judge knows backgammon; {agent.name} plays {agent.game}")
    priced = _Priced(agent, games)
    choices, dice = np.random.default_rng(seed).spawn(2)
    play_games([priced], np.zeros((2, games), np.int64), [choices], dice=dice)
    return ErrorRate(agent.name, tuple(priced.costs.tolist()), tuple(priced.decisions.tolist()))


class _Priced(BatchAgent[BackgammonBatch]):
    """Plays as `player` does and notes what that costs. costs, decisions [N]: of each game."""

    def __init__(self, player: BatchAgent, games: int) -> None:
        super().__init__(player.game)
        self.player, self.name = player, player.name
        self.judge = GnubgNetworkAgent(player.game)
        self.costs, self.decisions = np.zeros(games), np.zeros(games, np.int64)

    def decide(
        self, batch: BackgammonBatch, rows: np.ndarray, rng: np.random.Generator
    ) -> Decision:
        """The player's decision."""
        decision = self.player.decide(batch, rows, rng)
        free = batch.counts(rows) > 1
        if free.any():
            self.costs[rows[free]] += errors(self.judge, batch, rows[free], decision.action[free])
            self.decisions[rows[free]] += 1
        return decision


def errors(
    judge: EquityAgent, batch: BackgammonBatch, rows: np.ndarray, action: np.ndarray
) -> np.ndarray:
    """[R] points that the plays `action` [R] lose in these rows, one ply deeper than `judge`.

    Raises IllegalMove for an action that is no index of its row's afterstates.
    """
    boards, offsets = batch.afterstate_boards(rows)
    if ((action < 0) | (action >= np.diff(offsets))).any():
        raise IllegalMove("a play is an index into the afterstates of its position")
    row = np.repeat(np.arange(len(rows)), np.diff(offsets))
    roller = (1 - batch.to_play[rows])[row].astype(np.int8)
    values, played = -equity(judge.outputs(boards, roller)), offsets[:-1] + action
    worth_a_look = values >= np.maximum.reduceat(values, offsets[:-1])[row] - WITHIN
    worth_a_look[played] = True
    deeper = np.full(len(values), -np.inf)
    deeper[worth_a_look] = expectimax(judge, boards[worth_a_look], roller[worth_a_look])
    return np.maximum.reduceat(deeper, offsets[:-1]) - deeper[played]
