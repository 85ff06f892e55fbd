"""The judge of backgammon: a match against GNU Backgammon, 0-ply and cubeless.

Its points say how good a player is. Wins alone do not: a player who loses few gammons is better
than one who wins as often. All values are the judged player's.
"""

import math
from contextlib import suppress
from dataclasses import dataclass, replace

import numpy as np

from rlcourse.agents.base import BatchAgent, RandomAgent
from rlcourse.agents.gnubg import GnubgAgent, find_gnubg
from rlcourse.arena import play_games, seconds_of
from rlcourse.errors import BadValue
from rlcourse.intervals import Z, wilson
from rlcourse.judges.backgammon_errors import ErrorRate, error_rate
from rlcourse.programs import ProgramMissing

POINTS = (-3, -2, -1, 1, 2, 3)


@dataclass(frozen=True)
class Verdict:
    """A match from the view of `agent`.

    as_first, as_second: how many games ended with each of POINTS, by who moved first. errors: what
    its decisions cost, if that was asked.
    """

    agent: str
    opponent: str
    as_first: tuple[int, ...]
    as_second: tuple[int, ...]
    errors: ErrorRate | None = None

    @property
    def counts(self) -> np.ndarray:
        """[6] games that ended with each of POINTS."""
        return np.add(self.as_first, self.as_second)

    @property
    def games(self) -> int:
        """All games."""
        return int(self.counts.sum())

    @property
    def points_per_game(self) -> float:
        """Mean points of a game, in [-3, 3]."""
        return float(self.counts @ POINTS / self.games)

    @property
    def variance(self) -> float:
        """Of the points of a game, estimated from two games or more."""
        squares = (np.array(POINTS) - self.points_per_game) ** 2
        return float(self.counts @ squares / (self.games - 1))

    def points_interval(self) -> tuple[float, float]:
        """95% interval of the mean points, by the normal distribution."""
        mean = self.points_per_game
        half = Z * math.sqrt(self.variance / self.games)
        return mean - half, mean + half

    @property
    def wins(self) -> int:
        """Games won, single, gammon or backgammon."""
        return int(self.counts[3:].sum())

    def wins_interval(self) -> tuple[float, float]:
        """Wilson interval of the share of games won."""
        return wilson(self.wins, self.games)

    @property
    def gammons_won(self) -> float:
        """Share of all games won as a gammon or backgammon."""
        return float(self.counts[4:].sum() / self.games)

    @property
    def gammons_lost(self) -> float:
        """Share of all games lost as a gammon or backgammon."""
        return float(self.counts[:2].sum() / self.games)

    def __str__(self) -> str:
        mean = self.points_per_game
        low, high = self.points_interval()
        least, most = self.wins_interval()
        text = (
            f"{self.agent} vs {self.opponent}: "
            f"{mean:+.3f} points a game [{low:+.3f}, {high:+.3f}] in {self.games:,} games; "
            f"wins {self.wins / self.games:.1%} [{least:.1%}, {most:.1%}], "
            f"gammons won {self.gammons_won:.1%}, lost {self.gammons_lost:.1%}"
        )
        return f"{text}; {self.errors}" if self.errors else text


def judge_backgammon(
    agent: BatchAgent,
    *,
    opponent: BatchAgent | None = None,
    games: int = 1000,
    seed: int = 0,
    processes: int = 2,
) -> Verdict:
    """Play `games` games in lock-step, half of them with `agent` moving first.

    opponent: default gnubg, in `processes`.

    Raises GnubgMissing or GnubgError; ValueError for an odd number of games or another game than
    backgammon.
    """
    second = seconds_of(games)  # the games in which `agent` moves second
    if agent.game.name != "backgammon":
        raise BadValue(f"this judge knows backgammon; {agent.name} plays {agent.game}")
    opponent = GnubgAgent(agent.game, processes=processes) if opponent is None else opponent
    dice, *choices = np.random.default_rng(seed).spawn(3)
    seats = np.stack([second, ~second]).astype(np.int64)
    played = play_games([agent, opponent], seats, choices, dice=dice)
    points = played.points * np.where(second, -1, 1)
    as_first, as_second = (
        tuple(int((points[seat] == value).sum()) for value in POINTS) for seat in (~second, second)
    )
    return Verdict(agent.name, opponent.name, as_first, as_second)


def training_judge(agent: BatchAgent) -> Verdict:
    """1,000 games with random play, which take about a second."""
    return judge_backgammon(agent, opponent=RandomAgent(agent.game))


def final_judge(agent: BatchAgent) -> Verdict:
    """3,000 games with gnubg where it is installed, else `training_judge`; and, where gnubg-nn is,
    what a decision costs.
    """
    try:
        find_gnubg()
    except ProgramMissing:
        verdict = training_judge(agent)
    else:
        verdict = judge_backgammon(agent, games=3_000)
    with suppress(ProgramMissing):
        return replace(verdict, errors=error_rate(agent))
    return verdict
