"""Matches: who is better, by how much, and how sure we can be.

A rate carries its number of games and a Wilson interval (Wilson 1927).
Deterministic agents repeat themselves, so a result also says how many *distinct* games were played.
"""

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from rlcourse.agents.base import BatchAgent
from rlcourse.errors import BadValue, CourseError, from_students_line
from rlcourse.games import Game
from rlcourse.intervals import Z, compare_over_seeds, sample_size, wilson

# The numbers about matches come along, because notebooks import them from here.
__all__ = ["Forfeit", "Games", "MatchResult", "compare_over_seeds", "play_games", "play_match"]
__all__ += ["sample_size", "seconds_of", "wilson"]


@dataclass(frozen=True)
class MatchResult:
    """The result of a match from the view of agent `a`.

    as_first, as_second: (wins, draws, losses) of the games in that seat.

    distinct: how many different games were played, seats told apart (with dice: by how many plays
    they had, and which they chose). forfeits: games that (a, b) lost by an illegal move.
    tally: (points of a, number of games) for each number of points that occurred, in ascending
    order.
    """

    a: str
    b: str
    as_first: tuple[int, int, int]
    as_second: tuple[int, int, int]
    distinct: int
    forfeits: tuple[int, int] = (0, 0)
    tally: tuple[tuple[int, int], ...] = ()

    @property
    def wins(self) -> int:
        """Games that a won."""
        return self.as_first[0] + self.as_second[0]

    @property
    def draws(self) -> int:
        """Games drawn."""
        return self.as_first[1] + self.as_second[1]

    @property
    def losses(self) -> int:
        """Games that a lost."""
        return self.as_first[2] + self.as_second[2]

    @property
    def games(self) -> int:
        """All games."""
        return self.wins + self.draws + self.losses

    @property
    def score(self) -> float:
        """Wins plus half the draws, as a share in [0, 1]."""
        return (self.wins + self.draws / 2) / self.games

    def interval(self, outcome: str = "wins") -> tuple[float, float]:
        """Wilson interval (95%) of the share of "wins", "draws" or "losses"."""
        return wilson(getattr(self, outcome), self.games)

    def score_interval(self) -> tuple[float, float]:
        """Wilson interval (95%) of the score.

        A draw is half a win. Games with draws spread less than wins and losses of the same score,
        so the interval is rather too wide than too narrow.
        """
        return wilson(self.wins + self.draws / 2, self.games)

    @property
    def points(self) -> float:
        """Points per game of a: 1, 0 or -1; in backgammon a gammon counts 2, a backgammon 3."""
        return sum(points * count for points, count in self.tally) / self.games

    def points_interval(self) -> tuple[float, float]:
        """95% interval of the points per game, in the normal approximation: 30 games or more."""
        squares = sum(points * points * count for points, count in self.tally) / self.games
        error = math.sqrt(max(0.0, squares - self.points**2) / max(1, self.games - 1))
        return self.points - Z * error, self.points + Z * error

    def __str__(self) -> str:
        low, high = self.interval()
        text = (
            f"{self.a} vs {self.b}: "
            f"{self.wins} wins, {self.draws} draws, {self.losses} losses in {self.games} games "
            f"({self.distinct} distinct); wins {self.wins / self.games:.1%} [{low:.1%}, {high:.1%}]"
        )
        if any(abs(points) > 1 for points, _ in self.tally):
            low, high = self.points_interval()
            text += f"; points per game {self.points:+.3f} [{low:+.3f}, {high:+.3f}]"
        return text + (
            f"; forfeits {self.forfeits[0]}, {self.forfeits[1]}" if any(self.forfeits) else ""
        )


class Forfeit(CourseError):
    """Raised by `decide` of a player that cannot answer in some rows; it loses those games alone.

    action [R]: of the rows that it answered. reasons: {number of the row in R: what went wrong}.
    """

    def __init__(self, action: np.ndarray, reasons: Mapping[int, str]) -> None:
        super().__init__(next(iter(reasons.values()), ""))
        self.action, self.reasons = action, dict(reasons)


class Games(NamedTuple):
    """N finished games.

    points [N]: of the player in the first seat. plies [N]: actions played, openings included.
    culprit [N]: number of the player who forfeited the game, -1 for nobody. reasons: {game: why}.
    history [T, N]: the actions.
    """

    points: np.ndarray
    plies: np.ndarray
    culprit: np.ndarray
    reasons: dict[int, str]
    history: np.ndarray


def play_match(
    a: BatchAgent,
    b: BatchAgent,
    *,
    games: int,
    seed: int,
    progress: Callable[[int], object] = lambda finished: None,
) -> MatchResult:
    """Play `games` games in lock-step, half of them with `a` moving first.

    An illegal action loses its game on the spot.

    In a game with dice all throws come from one generator, and an action counts the afterstates of
    its row. progress: told how many games each ply has finished.

    Raises ValueError when the agents play different games or `games` is odd or not positive.
    """
    seat_a = seconds_of(games)  # False: a moves first
    *rngs, dice = np.random.default_rng(seed).spawn(3)
    seats = np.stack([seat_a, ~seat_a]).astype(np.int64)
    try:
        played = play_games([a, b], seats, rngs, dice=dice, progress=progress)
    except Exception as error:  # such as one of a player that is a student's function
        raise error.with_traceback(from_students_line(error)) from error.__cause__
    of_a = played.points * np.where(seat_a, -1, 1)
    distinct = len(np.unique(np.column_stack([seat_a, *played.history]), axis=0))
    tally = tuple((int(value), int((of_a == value).sum())) for value in np.unique(of_a))
    forfeits = (int((played.culprit == 0).sum()), int((played.culprit == 1).sum()))
    as_first, as_second = _outcomes(of_a[~seat_a]), _outcomes(of_a[seat_a])
    return MatchResult(a.name, b.name, as_first, as_second, distinct, forfeits, tally)


def seconds_of(games: int) -> np.ndarray:
    """[games] bool: the games of a match in which a player is the second to move.

    Raises ValueError for an odd number of games, or for none.
    """
    if games < 2 or games % 2:
        raise BadValue(
            "a match has an even number of games, so that both move first equally often; "
            f"got {games}"
        )
    return np.arange(games) >= games // 2


def _outcomes(points: np.ndarray) -> tuple[int, int, int]:
    """(wins, draws, losses) of games with these points."""
    return int((points > 0).sum()), int((points == 0).sum()), int((points < 0).sum())


def play_games(
    players: Sequence[BatchAgent],
    seats: np.ndarray,
    rngs: Sequence[np.random.Generator],
    *,
    dice: np.random.Generator | None = None,
    opening: np.ndarray | None = None,
    forgive: bool = False,
    each: Callable[..., Iterable[Any]] = map,
    progress: Callable[[int], object] = lambda finished: None,
) -> Games:
    """Play N games of any number of players in lock-step.

    At every ply each player is asked once, for all of its games. seats [2, N]: the numbers of the
    players who move first and second. rngs: one for each player. opening [N, D]: actions with which
    the games begin. forgive: an error of a player loses it the games in which it is raised; else it
    is raised here. each: `map`, or that of a pool, to ask several players at a time. progress: told
    how many games each ply has finished.

    Raises ValueError when the players play different games.
    """
    game, count = players[0].game, seats.shape[1]
    for other in players:
        if other.game != game:
            raise BadValue(
                f"{players[0].name} plays {game}, {other.name} plays {other.game}: they cannot meet"
            )
    table = _Table(game, count, opening)

    def ask(player: int, rows: np.ndarray) -> tuple[np.ndarray, dict[int, str]]:
        """(actions [R], what went wrong in which of the rows) of one player."""
        return _asked(players[player], table.batch, rows, rngs[player], forgive)

    while not table.over.all():
        if game.throw is not None:
            table.roll(dice)
        turns = table.turns(seats)
        answers = each(ask, *zip(*turns, strict=True))
        for (player, rows), (chosen, wrong) in zip(turns, answers, strict=True):
            table.take(player, rows, chosen, wrong)
        progress(table.step())
    history = np.array(table.history, np.int64).reshape(-1, count)
    return Games(table.points, table.plies, table.culprit, table.reasons, history)


class _Table:
    """N games in lock-step, and what has become of them; the attributes are those of `Games`."""

    def __init__(self, game: Game, count: int, opening: np.ndarray | None) -> None:
        self.game, self.batch = game, game.new_batch(count)
        self.history: list[np.ndarray] = []
        if opening is not None and opening.shape[1]:
            self.batch.replay(game.new_batch(count), opening, np.full(count, opening.shape[1]))
            self.history += list(opening.T)
        self.over, self.points = self.batch.done.copy(), np.zeros(count)
        self.plies, self.culprit = np.full(count, len(self.history)), np.full(count, -1)
        self.reasons: dict[int, str] = {}
        self.actions = np.full(count, -1, np.int64)  # of this ply

    def roll(self, dice: np.random.Generator | None) -> None:
        """Throw for every game; how many plays each throw allows stands in the history."""
        self.batch.roll(dice)
        self.history.append(self.batch.counts())

    def turns(self, seats: np.ndarray) -> list[tuple[int, np.ndarray]]:
        """(player, rows) of all who move in this ply."""
        mover = np.where(self.over, -1, seats[self.batch.to_play, np.arange(len(self.over))])
        return [
            (player, np.flatnonzero(mover == player))
            for player in np.unique(mover[~self.over]).tolist()
        ]

    def take(
        self, player: int, rows: np.ndarray, actions: np.ndarray, wrong: Mapping[int, str]
    ) -> None:
        """A player's actions [R]; it forfeits the games of illegal ones and of errors."""
        self.actions[rows] = actions
        illegal = ~_legal(self.game, self.batch, rows, self.actions[rows])
        for k in np.flatnonzero(illegal):
            label = _label(self.game, self.actions[rows[k]])
            self.reasons[int(rows[k])] = f"played {label}, which is not legal"
        self.reasons |= {int(rows[k]): reason for k, reason in wrong.items()}
        illegal[list(wrong)] = True
        self.culprit[rows[illegal]] = player

    def step(self) -> int:
        """Play the actions; how many games that has finished."""
        running, lost = ~self.over, ~self.over & (self.culprit >= 0)
        self.history.append(self.actions)
        self.points[lost] = np.where(self.batch.to_play[lost] == 0, -1, 1)
        self.plies += running & ~lost
        self.batch.step(np.where(running & ~lost, self.actions, -1))
        done = running & self.batch.done
        self.points[done] = self.batch.points[done]
        self.over |= lost | done
        self.actions = np.full(len(self.over), -1, np.int64)
        return int((running & self.over).sum())


def _asked(
    agent: BatchAgent, batch: Any, rows: np.ndarray, rng: np.random.Generator, forgive: bool
) -> tuple[np.ndarray, dict[int, str]]:
    """(actions [R], {row without one: why}); what raises for many rows is asked row by row."""
    try:
        action = np.asarray(agent.decide(batch, rows, rng).action)
        if forgive and (action.shape != rows.shape or action.dtype.kind not in "iu"):
            raise BadValue(
                f"an action is one integer a position; these are {action.dtype} {action.shape}"
            )
        return action, {}
    except Forfeit as forfeit:
        return np.asarray(forfeit.action), forfeit.reasons
    except Exception as error:
        if not forgive:
            raise
        if len(rows) == 1:
            return np.full(1, -1), {0: f"raised {type(error).__name__}: {error}"[:300]}
    answers = [_asked(agent, batch, rows[k : k + 1], rng, forgive) for k in range(len(rows))]
    actions = np.concatenate([action for action, _ in answers])
    return actions, {k: reasons[0] for k, (_, reasons) in enumerate(answers) if reasons}


def _label(game: Game, action: int) -> str:
    return game.labels[action] if 0 <= action < len(game.labels) else str(action)


def _legal(game: Game, batch: Any, rows: np.ndarray, actions: np.ndarray) -> np.ndarray:
    if game.num_actions is None:
        return (actions >= 0) & (actions < batch.counts(rows))
    inside = (actions >= 0) & (actions < batch.legal(rows[:0]).shape[1])
    return batch.legal(rows)[np.arange(len(rows)), np.where(inside, actions, 0)] & inside
