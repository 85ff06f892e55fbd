"""TD-Gammon as a player (Tesauro 1995): play the afterstate of highest equity.

A network of one hidden layer reads the 198 units of Sutton & Barto (2018, sec. 16.1) and predicts
probabilities; `rlcourse.forward.SparseNetwork` computes it without TensorFlow.

Point of view: the outputs of a "roller" network belong to the player who rolls next, those of a
"first" network, such as the source's, to the first player.
"""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from rlcourse.agents.base import BatchAgent, Decision
from rlcourse.errors import BadValue
from rlcourse.forward import SparseNetwork
from rlcourse.games import Game, GameState, sign_of
from rlcourse.games.backgammon import BackgammonBatch, outcomes
from rlcourse.networks import check_weights

# Cumulative: a backgammon is also a gammon, and a gammon is also a win.
OUTPUTS = ("win", "win gammon", "win backgammon", "lose gammon", "lose backgammon")
VIEWS = ("roller", "first")
Widths = int | Sequence[int]  # of a look-ahead: how many plays are valued one ply deeper, then two
THROWS = tuple((high, low) for high in range(1, 7) for low in range(1, high + 1))


def equity(outputs: np.ndarray) -> np.ndarray:
    """[...] in [-3, 3]: the expected points of a game, cubeless. outputs [..., 5].

    From outputs [..., 1] it is in [-1, 1] and counts plain wins.
    """
    points = 2.0 * outputs[..., 0] - 1.0
    if outputs.shape[-1] == 1:
        return points
    return points + outputs[..., 1] + outputs[..., 2] - outputs[..., 3] - outputs[..., 4]


def other_side(outputs: np.ndarray) -> np.ndarray:
    """The same probabilities for the other player, [..., 5] or [..., 1]."""
    if outputs.shape[-1] == 1:
        return 1.0 - outputs
    return np.concatenate([1.0 - outputs[..., :1], outputs[..., 3:5], outputs[..., 1:3]], axis=-1)


def exact_outputs(points: np.ndarray, count: int) -> np.ndarray:
    """[M, count] float32: the outputs of finished games. points [M]: +-1, +-2 or +-3."""
    ladder = [points > 0, points > 1, points > 2, points < -1, points < -2]
    return np.stack(ladder[:count], axis=-1).astype(np.float32)


class Candidate(NamedTuple):
    """One play of a throw: the move, and its equity and OUTPUTS for the player who makes it."""

    move: Any
    equity: float
    outputs: np.ndarray


class EquityAgent(BatchAgent[BackgammonBatch]):
    """Plays the afterstate of highest equity; ties go to the first. A subclass writes `outputs`.

    look_ahead: 0 is greedy on the equities of `outputs`; k values the best k plays by the
    opponent's best answers to the 21 throws (two plies), and (k, j) then the best j of them by
    answers that have looked ahead as well (three plies).
    """

    def __init__(self, game: Game, *, look_ahead: Widths = 0, seed: int | None = None) -> None:
        if game.name != "backgammon":
            raise BadValue(f"{self.name} plays backgammon, not {game.name}")
        if min(np.ravel(look_ahead), default=0) < 0:
            raise BadValue(f"look_ahead counts plays, 0 or more; got {look_ahead}")
        super().__init__(game, seed=seed)
        self.look_ahead = look_ahead

    def outputs(self, checkers: np.ndarray, roller: np.ndarray) -> np.ndarray:
        """[M, 5 or 1]: probabilities for the player who rolls next; finished games are exact.

        checkers [M, 2, 26]; roller [M].
        """
        raise NotImplementedError

    def decide(
        self, batch: BackgammonBatch, rows: np.ndarray, rng: np.random.Generator
    ) -> Decision:
        """`action` is an index into the row's afterstates, `value` its equity in [-3, 3]."""
        boards, offsets = batch.afterstate_boards(rows)
        # After the play the opponent rolls, so the mover's equity is minus that of the outputs.
        roller = np.repeat(1 - batch.to_play[rows], np.diff(offsets)).astype(np.int8)
        widths = [width for width in np.ravel(self.look_ahead).tolist() if width]
        values = _valued(self, boards, roller, offsets, widths)
        action = best_of_each(values, offsets)
        return Decision(action, value=values[offsets[:-1] + action])

    def candidates(self, state: GameState) -> list[Candidate]:
        """Every play of this throw, the best first by `outputs`. Raises GameOver when over."""
        boards, _ = self.batch_of(state).afterstate_boards()
        roller = np.full(len(boards), 1 - state.next_player, np.int8)
        outputs = other_side(self.outputs(boards, roller))
        values = equity(outputs)
        moves = state.legal_moves()
        best_first = np.argsort(-values, kind="stable")
        return [Candidate(moves[k], float(values[k]), outputs[k]) for k in best_first]


class TDGammonAgent(EquityAgent):
    """Values plays by a network of one hidden layer.

    weights, float32: "hidden/kernel" [198, H], "hidden/bias", "outputs/kernel" [H, 1 or 5],
    "outputs/bias". view: whose probabilities the network predicts, one of VIEWS.
    """

    name = "td-gammon"
    saved = ("view", "look_ahead")
    made_of_weights = True

    def __init__(
        self,
        game: Game,
        weights: Mapping[str, np.ndarray],
        *,
        view: str = "roller",
        look_ahead: Widths = 0,
        seed: int | None = None,
    ) -> None:
        super().__init__(game, look_ahead=look_ahead, seed=seed)
        if view not in VIEWS:
            raise BadValue(f"a view is one of {', '.join(VIEWS)}; got {view!r}")
        self.weights = check_weights("td-gammon", weights, shapes_of(weights))
        self.network = SparseNetwork(self.weights)
        self.view = view

    def outputs(self, checkers: np.ndarray, roller: np.ndarray) -> np.ndarray:
        """As in EquityAgent, whichever view the network has."""
        own_side = roller if self.view == "roller" else np.zeros_like(roller)
        probabilities = self.network(checkers, own_side, roller)
        if self.view == "first":
            swapped = other_side(probabilities)
            probabilities = np.where(roller[:, None] == 0, probabilities, swapped)
        return with_exact_ends(probabilities, checkers, roller)


def with_exact_ends(
    probabilities: np.ndarray, checkers: np.ndarray, roller: np.ndarray
) -> np.ndarray:
    """The probabilities [M, 5 or 1], with those of finished games put right in place: no network
    has been trained on them.
    """
    points = outcomes(checkers)
    over = np.flatnonzero(points)
    exact = points[over] * sign_of(roller[over])
    probabilities[over] = exact_outputs(exact, probabilities.shape[1])
    return probabilities


def best_of_each(values: np.ndarray, offsets: np.ndarray) -> np.ndarray:
    """[R] int32: the first maximum of each values[offsets[r]:offsets[r+1]], from offsets[r]."""
    # reduceat works because every row has an afterstate: without a legal step, the same board.
    starts = offsets[:-1]
    highest = np.maximum.reduceat(values, starts)
    hits = np.flatnonzero(values == np.repeat(highest, np.diff(offsets)))
    return (hits[np.searchsorted(hits, starts)] - starts).astype(np.int32)


def _valued(
    agent: EquityAgent,
    boards: np.ndarray,
    roller: np.ndarray,
    offsets: np.ndarray,
    widths: Sequence[int],
) -> np.ndarray:
    """[M] equity of boards [M, 2, 26] for the player who has just moved. Of offsets[r]:offsets[r+1]
    the best widths[0] look two plies ahead, of these the best widths[1] three, ...; else -inf.
    """
    values = -equity(agent.outputs(boards, roller))
    row = np.repeat(np.arange(len(offsets) - 1), np.diff(offsets))
    for depth, width in enumerate(widths):
        # A ply costs 21 throws with all their afterstates per play, so only the best get it.
        rank = np.empty(len(values), np.int64)
        rank[np.lexsort((-values, row))] = np.arange(len(values)) - offsets[row]
        chosen = np.flatnonzero((rank < width) & (values > -np.inf))
        values = np.full(len(values), -np.inf, values.dtype)
        values[chosen] = expectimax(agent, boards[chosen], roller[chosen], widths[1 : depth + 1])
    return values


def expectimax(
    agent: EquityAgent, boards: np.ndarray, roller: np.ndarray, widths: Sequence[int] = ()
) -> np.ndarray:
    """[M] equity for the player who has just moved: the mean over the roller's 21 throws.

    boards [M, 2, 26]; roller [M]. After each throw the roller plays the best answer, and looks
    ahead by `widths` to choose it. Finished games keep their points.
    """
    values = -equity(agent.outputs(boards, roller))
    running = np.flatnonzero(outcomes(boards) == 0)
    if not len(running):
        return values
    total = np.zeros(len(running))
    batch = agent.game.new_batch(len(running))
    start = batch.arrays()
    for high, low in THROWS:
        dice = np.tile(np.array([high, low], np.int8), (len(running), 1))
        batch.restore(
            {**start, "checkers": boards[running], "to_play": roller[running], "dice": dice}
        )
        answers, offsets = batch.afterstate_boards()
        waiting = np.repeat(1 - roller[running], np.diff(offsets)).astype(np.int8)
        equities = _valued(agent, answers, waiting, offsets, widths)
        best = np.maximum.reduceat(equities, offsets[:-1])
        total -= best * (1 if high == low else 2) / 36  # a double is one of the 36 throws
    values[running] = total
    return values


def shapes_of(weights: Mapping[str, np.ndarray]) -> dict[str, tuple[int, ...]]:
    """The shapes of all weights, by the last layer. Raises ValueError without 1 or 5 outputs."""
    last = np.shape(weights.get("outputs/kernel", ()))
    if len(last) != 2 or last[1] not in (1, 5):
        raise BadValue(f"outputs/kernel has 1 or 5 columns; its shape here is {last}")
    hidden, count = last
    return {
        "hidden/kernel": (198, hidden),
        "hidden/bias": (hidden,),
        "outputs/kernel": (hidden, count),
        "outputs/bias": (count,),
    }
