"""The judge of tic-tac-toe, which is exact.

It plays every reply of every opponent, from both seats, and holds every decision against the
solution. *Unbeatable* means that no line of replies beats the player. *Perfect* means a best move
in all 4,520 decisions, also in those that its own play never reaches; it is the stricter of the
two.
"""

from dataclasses import dataclass

import numpy as np

from rlcourse.agents.base import BatchAgent, Decision
from rlcourse.errors import BadValue
from rlcourse.games import get_game
from rlcourse.kernels import kernel
from rlcourse.solvers.tictactoe import CODES, TicTacToeTables, solve, tables

DECISIONS = 4520
GOALS = ("perfect", "unbeatable")  # properties of a verdict at which training can stop


@dataclass(frozen=True)
class Lines:
    """How many lines of play end how, from the player's view, over all replies of the opponent."""

    lost: int
    drawn: int
    won: int


@dataclass(frozen=True)
class Verdict:
    """`first` and `second`: the lines from either seat.

    `optimal`: decisions (of 4,520) in which it plays a best move.
    """

    first: Lines
    second: Lines
    optimal: int

    @property
    def losing_lines(self) -> int:
        """Lines lost from both seats together; 0 means unbeatable."""
        return self.first.lost + self.second.lost

    @property
    def unbeatable(self) -> bool:
        """No line of replies beats the player."""
        return self.losing_lines == 0

    @property
    def perfect(self) -> bool:
        """Unbeatable, and a best move in all 4,520 decisions."""
        return self.unbeatable and self.optimal == DECISIONS

    def __str__(self) -> str:
        best = f"best move in {self.optimal:,} of {DECISIONS:,} decisions"
        return f"{self.losing_lines:,} losing lines, {best}"


def judge(agent: BatchAgent, *, seed: int = 0) -> Verdict:
    """Judge the actions that `agent.decide` gives in all 4,520 decisions.

    An illegal action loses on the spot.

    Exact for a deterministic agent; of a random one it judges the one choice drawn with `seed`.
    Raises ValueError for a player of another game.
    """
    if agent.game.name != "tic-tac-toe":
        raise BadValue(f"this judge knows tic-tac-toe; {agent.name} plays {agent.game}")
    return judge_actions(decide_everywhere(agent, seed=seed).action)


training_judge = judge


def judge_actions(actions: np.ndarray) -> Verdict:
    """The same for actions [4520] int, in the order of `tables().decisions`."""
    rules, decisions = tables(), tables().decisions
    if np.shape(actions) != decisions.shape:
        raise BadValue(
            f"the judge wants one action for each of the {DECISIONS} decisions; "
            f"got shape {np.shape(actions)}"
        )
    chosen = np.zeros(CODES, np.int64)
    chosen[decisions] = actions
    inside = (actions >= 0) & (actions < 9)
    optimal = int((solve().best[decisions, np.where(inside, actions, 0)] & inside).sum())
    return Verdict(_lines(rules, chosen, seat=0), _lines(rules, chosen, seat=1), optimal)


def decide_everywhere(agent: BatchAgent, *, seed: int = 0) -> Decision:
    """The agent's Decision in all 4,520 decisions at once, in the order of `tables().decisions`."""
    rules = tables()
    batch = get_game("tic-tac-toe").new_batch(DECISIONS)
    batch.cells[:] = rules.cells[rules.decisions]
    batch.to_play[:] = rules.to_play[rules.decisions]
    return agent.decide(batch, np.arange(DECISIONS), np.random.default_rng(seed))


def expected_optimal(policy: np.ndarray) -> float:
    """Expected number of best moves over the 4,520 decisions for a stochastic policy [4520, 9]."""
    return float((policy * solve().best[tables().decisions]).sum())


@kernel
def _count_lines(chosen, seat, backwards, done, points, to_play, successor, counts):
    """counts [3^9, 3]: lines lost, drawn, won from each position, for the player in `seat`.

    chosen [3^9]: that player's action in each decision; an illegal one loses. The other player
    tries every reply.
    """
    for code in backwards:
        counts[code] = 0
        if done[code]:
            counts[code, 1 + points[code] * (1 - 2 * seat)] = 1
            continue
        if to_play[code] == seat:
            action = chosen[code]
            after = successor[code, action] if 0 <= action < 9 else -1
            if after >= 0:
                counts[code] = counts[after]
            else:
                counts[code, 0] = 1
            continue
        for a in range(9):
            after = successor[code, a]
            if after >= 0:
                for kind in range(3):
                    counts[code, kind] += counts[after, kind]


def _lines(rules: TicTacToeTables, chosen: np.ndarray, *, seat: int) -> Lines:
    """The lines from the empty board, from the view of the player in `seat`."""
    counts = np.zeros((CODES, 3), np.int64)
    after = (rules.done, rules.points, rules.to_play, rules.successor)
    _count_lines(chosen, seat, rules.backwards, *after, counts)
    return Lines(*(int(count) for count in counts[0]))
