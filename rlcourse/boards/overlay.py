"""What an agent thinks, as marks on a board: a `Decision` becomes numbers, a scale and a caption."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from rlcourse.boards.faces import Face
from rlcourse.drawing.svg import MINUS, number_text
from rlcourse.games import Game, GameState

SHOWN = 5  # plays in the table


class Overlay(NamedTuple):
    """heading: one line. numbers: action -> number; scale "value" ([-1, 1], for the player to move) or "share" ([0, 1]).
    stands: a sentence on how good the position is, beside numbers that do not say it.

    Where moves are chosen by the position they lead to, instead of numbers: plays, the best first, each a row of texts under
    `columns`; chosen, the best as the game's face marks it; win, the probability in [0, 1] that the first player wins.
    """

    heading: str
    numbers: Mapping[int, float] = {}
    scale: str = "value"
    stands: str = ""
    plays: tuple[tuple[str, ...], ...] = ()
    columns: tuple[str, ...] = ()
    chosen: Any = None
    win: float | None = None

    @property
    def caption(self) -> str:
        """The heading, and below it the best play."""
        if not self.plays:
            return self.heading
        play, *cells = self.plays[0]
        pairs = [f"{name.lower()} {cell}" for name, cell in zip(self.columns, cells, strict=True)]
        return f"{self.heading}\n{play}: {', '.join(pairs)}"

    @property
    def best(self) -> frozenset[Any]:
        """The actions with the highest number, none when all numbers are equal; or the chosen play."""
        if self.chosen is not None:
            return frozenset({self.chosen})
        numbers = self.numbers.values()
        if not numbers or max(numbers) == min(numbers):
            return frozenset()
        return frozenset(
            action for action, number in self.numbers.items() if number == max(numbers)
        )


def display_name(name: str) -> str:
    """An agent's name at the start of a sentence: "perfect" is the "Perfect player", "td-gammon" TD-Gammon."""
    name = str(name).strip() or "opponent"
    if name.startswith(("td-", "gnu")):
        return name.replace("td-gammon", "TD-Gammon")
    if name in ("uct", "puct"):
        return name.upper()
    if name == "alphazero":
        return "AlphaZero"
    return f"{name[0].upper()}{name[1:]}{' player' if name.isalpha() and name.islower() else ''}"


def overlay_of(agent: Any, game: Game, face: Face, state: GameState) -> Overlay:
    """What the agent thinks of `state`: its candidates, or of its decision the visits, else the q, else the policy.

    An agent whose numbers are something else says so in its attribute `numbers_are`, such as "advantage of the move played".
    """
    if state.is_over():
        return Overlay("No values: the game is over")
    player, who = face.players[state.next_player], display_name(agent.name)
    if hasattr(agent, "candidates"):
        return _plays(agent.candidates(state), game, face, state, f"{who}: best plays of {player}")
    decision = agent.think(state)
    value = getattr(decision, "value", None)
    stands = "" if value is None else f"{player} stands at {number_text(float(value[0]))}"
    for field, scale, words in (
        ("visits", "share", "share of the visits of each move"),
        ("q", "value", f"value of each move for {player}"),
        ("policy", "share", "probability of each move"),
    ):
        row = getattr(decision, field, None)
        if row is not None:
            numbers = _numbers(np.asarray(row, float)[0], game, state, field)
            heading = f"{who}: {getattr(agent, 'numbers_are', words)}"
            return Overlay(heading, numbers, scale, "" if scale == "value" else stands)
    return Overlay(f"{who}: {stands}" if stands else f"{who} gives no numbers")


def _plays(
    candidates: Sequence[Any], game: Game, face: Face, state: GameState, heading: str
) -> Overlay:
    """candidates: (move, equity, outputs) for the player to move, the best first; outputs [5], or [1] without gammons."""
    rows = []
    for k, (move, equity, outputs) in enumerate(candidates[:SHOWN], 1):
        gammon = number_text(float(outputs[1]), "share") if len(outputs) > 1 else "-"
        equity_text = f"{equity:+.3f}".replace("-", MINUS)
        rows.append(
            (
                f"{k}. {face.say(game, state, move)}",
                equity_text,
                number_text(float(outputs[0]), "share"),
                gammon,
            )
        )
    move, _, outputs = candidates[0]
    win = float(outputs[0]) if state.next_player == 0 else 1.0 - float(outputs[0])
    columns = ("Equity", "Win", "Gammon")
    return Overlay(
        heading, plays=tuple(rows), columns=columns, chosen=face.mark(game, state, move), win=win
    )


def _numbers(row: np.ndarray, game: Game, state: GameState, field: str) -> dict[int, float]:
    """The finite entries of row [A] at legal actions; visit counts as shares of their sum."""
    legal = [game.action(move) for move in state.legal_moves()]
    if field == "visits":
        row = row / max(1.0, float(np.nansum(row[legal])))
    return {action: float(row[action]) for action in legal if np.isfinite(row[action])}
