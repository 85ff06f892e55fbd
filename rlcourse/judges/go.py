"""The judge of Go: games against GNU Go, both colours, in which a win counts only where both programs call it one.

GNU Go passes over stones that it holds dead, while the rules of the course count every stone on the board: scored by one side
alone, a player who fills the board at random can "win" games that it has lost.
"""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import numpy as np

from rlcourse.agents.base import BatchAgent
from rlcourse.agents.gtp_engine import GnuGoAgent, GtpAgent, find_gnugo
from rlcourse.arena import wilson
from rlcourse.games import Game
from rlcourse.judges import random_play
from rlcourse.judges.random_play import judge_against_random
from rlcourse.programs import ProgramMissing


@dataclass(frozen=True)
class Verdict:
    """Games from the view of `agent`. as_black, as_white: how many were (won, lost, neither).

    Won and lost by both scores; neither: a draw, or the scores name different winners. distinct: how many different games.
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
            f"{self.agent} vs {self.opponent}: wins {self.wins / self.games:.1%} [{low:.1%}, {high:.1%}] in {self.games} "
            f"games ({self.distinct} distinct); {sides}; {unclear} without a winner that both scores name"
        )


def judge_go(
    agent: BatchAgent,
    *,
    opponent: Callable[[Game], GtpAgent] | None = None,
    games: int = 400,
    seed: int = 0,
    processes: int = 2,
) -> Verdict:
    """Play `games` games in lock-step, half of them with `agent` as Black. Equal for any number of processes.

    opponent: makes one of the `processes` programs for the agent's game; default GNU Go at level 1. Raises EngineMissing,
    GtpError; ValueError for an odd number of games or another game than Go.
    """
    if games < 2 or games % 2:
        raise ValueError(
            f"a match has an even number of games, so that both colours are played equally often; got {games}"
        )
    if agent.game.name != "go":
        raise ValueError(f"this judge knows go; {agent.name} plays {agent.game}")
    programs = [(opponent or GnuGoAgent)(agent.game) for _ in range(processes)]
    rng, *of_game = np.random.default_rng(seed).spawn(1 + games)
    white = np.arange(games) >= games // 2  # the games in which `agent` is White
    batch, history = agent.game.new_batch(games), []
    counted = np.zeros(games)

    def answer(k: int, rows: np.ndarray, actions: np.ndarray) -> None:
        for row in rows[k::processes]:
            actions[row] = programs[k].decide(batch, np.array([row]), of_game[row]).action[0]

    def count(k: int) -> None:
        for row in range(k, games, processes):
            counted[row] = programs[k].score(batch.state(row))

    try:
        with ThreadPoolExecutor(processes) as pool:
            while not batch.done.all():
                actions, mine = (
                    np.full(games, -1, np.int64),
                    ~batch.done & ((batch.to_play == 1) == white),
                )
                if mine.any():
                    actions[mine] = agent.decide(batch, np.flatnonzero(mine), rng).action
                rows = np.flatnonzero(~batch.done & ~mine)
                list(
                    pool.map(
                        lambda k, rows=rows, actions=actions: answer(k, rows, actions),
                        range(processes),
                    )
                )
                batch.step(actions)
                history.append(actions)
            list(pool.map(count, range(processes)))
    finally:
        for program in programs:
            program.close()
    sign = np.where(white, -1, 1)
    ours, theirs = batch.points * sign, np.sign(counted) * sign
    won, lost = (ours > 0) & (theirs > 0), (ours < 0) & (theirs < 0)
    tables = [
        (int(won[side].sum()), int(lost[side].sum()), int((~won & ~lost)[side].sum()))
        for side in (~white, white)
    ]
    distinct = len(np.unique(np.column_stack([white, *history]), axis=0))
    return Verdict(agent.name, programs[0].name, *tables, distinct)


# As many games as in backgammon, drawing moves as in training, and again always playing the likeliest.
training_judge = judge_against_random


def final_judge(agent: BatchAgent) -> Verdict | random_play.Verdict:
    """400 games with GNU Go at level 1 on boards of 5 x 5 to 9 x 9, a minute or two; else `training_judge`."""
    if not 5 <= agent.game.options["size"] <= 9:
        return training_judge(agent)
    try:
        find_gnugo()
    except ProgramMissing:
        return training_judge(agent)
    return judge_go(agent)
