"""Where did I go wrong? What each of a player's moves has cost, by the game's best judge."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, NamedTuple

from rlcourse.games import GameState

WORST = 3  # moves that are pointed out
RESULTS = {1: "win", 0: "draw", -1: "loss"}
# In millipoints. Names and bounds are those of GNU Backgammon's manual ("doubtful" from 0.040 on).
SKILL = ((160, "very bad"), (80, "bad"), (40, "doubtful"))
MUCH = 5  # points in 100 of the chance to win


class Judge(NamedTuple):
    """Who values moves, and in which unit.

    name: as it stands after "Judge:". unit: "result" (-1, 0, 1), "millipoints" (1,000 are one
    point), or "chance" (0 to 100). values(state) -> (move, value for the player to move) of every
    legal move; None where the judge cannot say.
    """

    name: str
    unit: str
    values: Callable[[Any], Sequence[tuple[Any, float]] | None]


@cache
def loaded(name: str) -> Any:
    """A stored agent that judges, loaded at its first question."""
    from rlcourse.agents import load_agent

    return load_agent(name)


class JudgedMove(NamedTuple):
    """One move. ply: how many moves came before it. best: one of the best moves there. cost: by
    how much it is worse than that, >= 0 in the judge's unit; None where the judge cannot say, or
    where there was nothing to decide.
    word: the cost in words.
    """

    ply: int
    move: Any
    best: Any
    cost: float | None
    word: str


@dataclass(frozen=True)
class Review:
    """The moves of one player, or of both, in one game."""

    judge: Judge
    moves: tuple[JudgedMove, ...]

    @property
    def worst(self) -> frozenset[int]:
        """The plies of the dearest moves that cost something, at most WORST."""
        dear = sorted((-move.cost, move.ply) for move in self.moves if move.cost)
        return frozenset(ply for _, ply in dear[:WORST])


def review(
    judge: Judge, line: Sequence[GameState], moves: Sequence[Any], plies: Iterable[int]
) -> Review:
    """Judge the moves at `plies`; line[k] is the position before moves[k].

    From the end to the beginning: a solver that has seen the later positions is quicker.
    """
    judged = [_judged(judge, k, line[k], moves[k]) for k in sorted(plies, reverse=True)]
    return Review(judge, tuple(reversed(judged)))


def summary(reviews: Sequence[Review]) -> str:
    """A sentence on all reviewed games together, which have one judge."""
    costs = [move.cost for one in reviews for move in one.moves if move.cost is not None]
    if not costs:
        return ""
    games = "1 game" if len(reviews) == 1 else f"{len(reviews)} games"
    best = sum(cost == 0 for cost in costs)
    sentence = f"In {games}, {best} of {len(costs)} moves were among the best"
    unit = {"millipoints": "millipoints", "chance": "points in 100"}.get(reviews[-1].judge.unit)
    return (
        f"{sentence}; mean cost {sum(costs) / len(costs):.1f} {unit}." if unit else f"{sentence}."
    )


def _judged(judge: Judge, ply: int, state: GameState, move: Any) -> JudgedMove:
    values = judge.values(state)
    if values is None:
        return JudgedMove(ply, move, None, None, "not judged")
    if len(values) == 1:
        return JudgedMove(ply, move, move, None, "forced")
    best, most = max(values, key=lambda entry: entry[1])
    if judge.unit == "result" and most == -1:
        return JudgedMove(ply, move, best, None, "lost anyway")
    value = next((value for other, value in values if other == move), None)
    if value is None:  # the steps of a turn of backgammon can be made in several orders
        after = state.apply_move(move)
        value = next((value for other, value in values if state.apply_move(other) == after), None)
    if value is None:  # a move that is no play on the board, such as resigning
        return JudgedMove(ply, move, best, None, "not judged")
    cost = most - value
    return JudgedMove(ply, move, best, cost, _word(judge.unit, most, cost))


def _word(unit: str, most: float, cost: float) -> str:
    if cost == 0:
        return "best"
    if unit == "result":
        return f"turned a {RESULTS[round(most)]} into a {RESULTS[round(most - cost)]}"
    if unit == "chance":
        return "fine" if cost < MUCH else f"gave {cost:.0f} points in 100 away"
    name = next((name for least, name in SKILL if cost >= least), "fine")
    return f"{name}, {cost:.0f} millipoints"
