"""An agent's evaluation on a board: a `Decision` becomes numbers, a scale and a caption."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from rlcourse.boards.faces import Face
from rlcourse.drawing.svg import MINUS, number_text
from rlcourse.games import Game, GameState

SHOWN = 5  # plays in the table


class Overlay(NamedTuple):
    """One evaluation of a position.

    heading: one line. numbers: action -> number; scale "value" ([-1, 1], for the player to move) or
    "share" ([0, 1]). beside: a second number of each action, for the table, with the names of both
    as `columns`. stands: a sentence on the value of the position if the numbers do not show it.

    Games of afterstates have plays instead of numbers: a row of texts under `columns` for each, the
    best first; chosen, the best play as the game's face marks it; win, the probability in [0, 1]
    that the first player wins.
    """

    heading: str
    numbers: Mapping[int, float] = {}
    scale: str = "value"
    stands: str = ""
    beside: Mapping[int, float] | None = None
    plays: tuple[tuple[str, ...], ...] = ()
    columns: tuple[str, ...] = ()
    chosen: Any = None
    win: float | None = None

    @property
    def caption(self) -> str:
        """The heading, and on a second line the best play."""
        if not self.plays:
            return self.heading
        play, *cells = self.plays[0]
        pairs = [f"{name.lower()} {cell}" for name, cell in zip(self.columns, cells, strict=True)]
        return f"{self.heading}\n{play}: {', '.join(pairs)}"

    @property
    def best(self) -> frozenset[Any]:
        """The chosen play, or the actions with the highest number unless all are equal."""
        if self.chosen is not None:
            return frozenset({self.chosen})
        numbers = self.numbers.values()
        if not numbers or max(numbers) == min(numbers):
            return frozenset()
        return frozenset(
            action for action, number in self.numbers.items() if number == max(numbers)
        )


def display_name(name: str) -> str:
    """An agent's name at the start of a sentence, such as "Perfect player" or "TD-Gammon"."""
    name = str(name).strip() or "opponent"
    if name.startswith(("td-", "gnu")):
        return name.replace("td-gammon", "TD-Gammon")
    if name in ("uct", "puct", "rave"):
        return name.upper()
    if name == "alphazero":
        return "AlphaZero"
    kind = " player" if name.isalpha() and name.islower() else ""
    return f"{name[0].upper()}{name[1:]}{kind}"


def overlay_of(agent: Any, game: Game, face: Face, state: GameState) -> Overlay:
    """The agent's evaluation of `state`: its candidate plays, else visits, q or policy.

    The attribute `numbers_are` of an agent overrides the description of its numbers, such as
    "advantage of the move played".
    """
    if state.is_over():
        return Overlay("No values: the game is over")
    player, agent_name = face.players[state.next_player], display_name(agent.name)
    if hasattr(agent, "candidates"):
        return _plays(
            agent.candidates(state), game, face, state, f"{agent_name}: best plays of {player}"
        )
    decision = agent.think(state)
    own = _own_policy(agent, game, state, decision)
    value = getattr(decision, "value", None)
    stands = "" if value is None else f"{player} stands at {number_text(float(value[0]))}"
    for field, scale, description in (
        ("visits", "share", "share of the visits of each move"),
        ("q", "value", f"value of each move for {player}"),
        ("policy", "share", "probability of each move"),
    ):
        row = getattr(decision, field, None)
        if row is not None:
            numbers = _numbers(np.asarray(row, float)[0], game, state, field)
            heading = f"{agent_name}: {getattr(agent, 'numbers_are', description)}"
            if own and field == "visits":
                columns = ("Visits", "Network")
                return Overlay(heading, numbers, scale, stands, own, columns=columns)
            if own and field == "policy":
                heading = f"{agent_name}: the network's probability of each move"
                columns = ("Network", f"At temperature {agent.temperature:g}")
                return Overlay(heading, own, scale, stands, numbers, columns=columns)
            return Overlay(heading, numbers, scale, "" if scale == "value" else stands)
    return Overlay(f"{agent_name}: {stands}" if stands else f"{agent_name} gives no numbers")


def _own_policy(agent: Any, game: Game, state: GameState, decision: Any) -> dict[int, float]:
    """A network's probability of each legal action where it is not what the agent plays by.

    Empty for an agent without a network, and for one that draws from its probabilities.
    """
    from rlcourse.agents import BatchAgent  # here, so that boards are there before any agent

    searched = getattr(decision, "visits", None) is not None
    sharpened = getattr(agent, "temperature", 1.0) != 1.0
    if not isinstance(agent, BatchAgent) or agent.encoder is None or not (searched or sharpened):
        return {}
    batch = game.new_batch(1)
    batch.load(0, state)
    network = agent.with_simulations(0).at_temperature(1.0)
    # Its own generator: looking must not change what the agent draws next.
    policy = network.decide(batch, np.zeros(1, np.int64), np.random.default_rng(0)).policy
    return {} if policy is None else _numbers(np.asarray(policy, float)[0], game, state, "policy")


def _plays(
    candidates: Sequence[Any], game: Game, face: Face, state: GameState, heading: str
) -> Overlay:
    """The overlay of (move, equity, outputs) for the player to move, the best first.

    outputs [5] are the probabilities of a win, a gammon and so on, or [1] without gammons.
    """
    rows = []
    for k, (move, equity, outputs) in enumerate(candidates[:SHOWN], 1):
        gammon = number_text(float(outputs[1]), "share") if len(outputs) > 1 else "-"
        play = f"{k}. {face.say(game, state, move)}"
        equity_text = f"{equity:+z.3f}".replace("-", MINUS)
        rows.append((play, equity_text, number_text(float(outputs[0]), "share"), gammon))
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
