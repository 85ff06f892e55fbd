"""What an agent thinks, as marks on a board: a `Decision` becomes numbers, a scale and a caption."""

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

from rlcourse.boards.faces import Face
from rlcourse.games import Game, GameState
from rlcourse.games.drawing import number_text


class Overlay(NamedTuple):
    """heading: one line. numbers: action -> number; scale "value" ([-1, 1], for the player to move) or "share" ([0, 1])."""

    heading: str
    numbers: Mapping[int, float] = {}
    scale: str = "value"

    @property
    def best(self) -> frozenset[int]:
        """The actions with the highest number; none when all numbers are equal."""
        numbers = self.numbers.values()
        if not numbers or max(numbers) == min(numbers):
            return frozenset()
        return frozenset(action for action, number in self.numbers.items() if number == max(numbers))


def display_name(name: str) -> str:
    """An agent's name at the start of a sentence: "perfect" is the "Perfect player", "q-table" the "Q-table"."""
    name = str(name).strip() or "opponent"
    return f"{name[0].upper()}{name[1:]}{' player' if name.isalpha() and name.islower() else ''}"


def overlay_of(agent: Any, game: Game, face: Face, state: GameState) -> Overlay:
    """The agent's decision in `state` (running, R = 1): its q where it has them, else its policy, else its visits."""
    if state.is_over():
        return Overlay("No values: the game is over")
    decision = agent.think(state)
    player, who = face.players[state.next_player], display_name(agent.name)
    for field, scale, words in (
        ("q", "value", f"value of each move for {player}"),
        ("policy", "share", "probability of each move"),
        ("visits", "share", "share of the visits of each move"),
    ):
        row = getattr(decision, field, None)
        if row is not None:
            numbers = _numbers(np.asarray(row, float)[0], game, state, field)
            return Overlay(f"{who}: {words}", numbers, scale)
    value = getattr(decision, "value", None)
    if value is None:
        return Overlay(f"{who} gives no numbers")
    return Overlay(f"{who}: {player} stands at {number_text(float(value[0]))}")


def _numbers(row: np.ndarray, game: Game, state: GameState, field: str) -> dict[int, float]:
    """The finite entries of row [A] at legal actions; visit counts as shares of their sum."""
    legal = [game.action(move) for move in state.legal_moves()]
    if field == "visits":
        row = row / max(1.0, float(np.nansum(row[legal])))
    return {action: float(row[action]) for action in legal if np.isfinite(row[action])}
