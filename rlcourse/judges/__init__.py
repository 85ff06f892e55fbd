"""How good is it?

One judge a game: exact where the game is solved, else a match with a number of games and an
interval.

A game has a module of its name here. `training_judge(agent)` is asked again and again while an
agent learns; `final_judge(agent)`, where there is one, is stricter; GOALS are the verdicts for
which training can stop.
"""

from collections.abc import Callable
from typing import Any

from rlcourse.agents.base import BatchAgent
from rlcourse.parts import part_of

Judge = Callable[[BatchAgent], Any]


def judge_of(game: str) -> Judge | None:
    """The judge that training asks, agent -> verdict; None where the course has none."""
    part = part_of(__name__, game)
    return part and part.training_judge


def final_judge(game: str) -> Judge | None:
    """The strictest judge at hand, which may take minutes; else `judge_of`."""
    part = part_of(__name__, game)
    return getattr(part, "final_judge", None) or judge_of(game)


def goals_of(game: str) -> tuple[str, ...]:
    """The goals in a solved game, hardest first, such as ("perfect", "unbeatable"); else ()."""
    return getattr(part_of(__name__, game), "GOALS", ())
