"""The judge of Go: games against GNU Go, both colours, in which a win counts only where both
programs call it one.

GNU Go passes over stones that it holds dead, while the rules of the course count every stone on the
board: scored by one side alone, a player who fills the board at random can "win" games that it has
lost.
"""

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from rlcourse.agents.base import BatchAgent
from rlcourse.agents.gtp_engine import GnuGoAgent, GtpAgent, find_gnugo
from rlcourse.arena import seconds_of
from rlcourse.errors import BadValue
from rlcourse.games import Game
from rlcourse.intervals import wilson
from rlcourse.judges import random_play
from rlcourse.judges.random_play import judge_against_random
from rlcourse.programs import ProgramMissing


@dataclass(frozen=True)
class Verdict:
    """Games from the view of `agent`. as_black, as_white: how many were (won, lost, neither).

    Won and lost by both scores; neither: a draw, or the scores name different winners. distinct:
    how many different games.
    """

    agent: str
    opponent: str
    as_black: tuple[int, int, int]
    as_white: tuple[int, int, int]
    distinct: int

    @property
    def games(self) -> int:
        """All games."""
        return sum(self.as_black) + sum(self.as_white)

    @property
    def wins(self) -> int:
        """Games that both scores call won."""
        return self.as_black[0] + self.as_white[0]

    def interval(self) -> tuple[float, float]:
        """Wilson interval of the share of wins among all games."""
        return wilson(self.wins, self.games)

    def __str__(self) -> str:
        low, high = self.interval()
        sides = ", ".join(
            f"as {colour} {won}/{won + lost + neither} [{low:.1%}, {high:.1%}]"
            for colour, (won, lost, neither) in (("black", self.as_black), ("white", self.as_white))
            for low, high in [wilson(won, won + lost + neither)]
        )
        unclear = self.as_black[2] + self.as_white[2]
        return (
            f"{self.agent} vs {self.opponent}: wins {self.wins / self.games:.1%} "
            f"[{low:.1%}, {high:.1%}] in {self.games} games ({self.distinct} distinct); "
            f"{sides}; {unclear} without a winner that both scores name"
        )


def judge_go(
    agent: BatchAgent,
    *,
    opponent: Callable[[Game], GtpAgent] | None = None,
    games: int = 400,
    seed: int = 0,
    processes: int = 2,
) -> Verdict:
    """Play `games` games in lock-step, half of them with `agent` as Black.

    The result is the same for any number of processes.
    opponent: makes one of the `processes` programs for the agent's game; default GNU Go at level 1.
    Raises ProgramMissing, GtpError; ValueError for an odd number of games or another game than Go.
    """
    white = seconds_of(games)  # the games in which `agent` is White
    if agent.game.name != "go":
        raise BadValue(f"this judge knows go; {agent.name} plays {agent.game}")
    programs = [(opponent or GnuGoAgent)(agent.game) for _ in range(processes)]
    batch = agent.game.new_batch(games)
    try:
        with ThreadPoolExecutor(processes) as pool:
            history = _play(agent, programs, batch, white, np.random.default_rng(seed), pool)
            counted = _count(programs, batch, pool)
    finally:
        for program in programs:
            program.close()
    sign = np.where(white, -1, 1)
    ours, theirs = batch.points * sign, np.sign(counted) * sign
    won, lost = (ours > 0) & (theirs > 0), (ours < 0) & (theirs < 0)
    as_black, as_white = (
        (int(won[side].sum()), int(lost[side].sum()), int((~won & ~lost)[side].sum()))
        for side in (~white, white)
    )
    distinct = len(np.unique(np.column_stack([white, *history]), axis=0))
    return Verdict(agent.name, programs[0].name, as_black, as_white, distinct)


def _play(
    agent: BatchAgent,
    programs: Sequence[GtpAgent],
    batch: Any,
    white: np.ndarray,
    rng: np.random.Generator,
    pool: ThreadPoolExecutor,
) -> list[np.ndarray]:
    """Play all games of the batch to their ends. Returns the actions [G] of each ply, -1 for none.

    white [G]: the games in which `agent` is White. Of the games that wait, program k of n answers
    every n-th.
    """
    # One generator per game: the programs' answers are the same for any number of processes.
    own, *of_game = rng.spawn(1 + len(white))
    history = []

    def answer(k: int, rows: np.ndarray, actions: np.ndarray) -> None:
        """Fill in the actions of one program, game by game."""
        for row in rows[k :: len(programs)]:
            actions[row] = programs[k].decide(batch, np.array([row]), of_game[row]).action[0]

    while not batch.done.all():
        actions = np.full(len(white), -1, np.int64)
        mine = ~batch.done & ((batch.to_play == 1) == white)
        if mine.any():
            actions[mine] = agent.decide(batch, np.flatnonzero(mine), own).action
        theirs = np.flatnonzero(~batch.done & ~mine)
        list(pool.map(partial(answer, rows=theirs, actions=actions), range(len(programs))))
        batch.step(actions)
        history.append(actions)
    return history


def _count(programs: Sequence[GtpAgent], batch: Any, pool: ThreadPoolExecutor) -> np.ndarray:
    """[G] points for Black at the end of each game, as the programs count them."""
    counted = np.zeros(len(batch.done))

    def count(k: int) -> None:
        """The games of one program."""
        for row in range(k, len(counted), len(programs)):
            counted[row] = programs[k].score(batch.state(row))

    list(pool.map(count, range(len(programs))))
    return counted


# As many games as in backgammon: moves sampled as in training, then greedily.
training_judge = judge_against_random


def final_judge(agent: BatchAgent) -> Verdict | random_play.Verdict:
    """400 games with GNU Go at level 1 on boards of 5 x 5 to 9 x 9, a minute or two; else
    `training_judge`.
    """
    if not 5 <= agent.game.options["size"] <= 9:
        return training_judge(agent)
    try:
        find_gnugo()
    except ProgramMissing:
        return training_judge(agent)
    return judge_go(agent)
