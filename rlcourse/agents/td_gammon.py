"""TD-Gammon as a player (Tesauro 1995): value every position that the throw allows, play the one with the highest equity.

A network of one hidden layer reads the 198 units of Sutton & Barto (2018, sec. 16.1) and answers with probabilities. Boards,
matches and self-play need no TensorFlow: 14 of 52 places of a board are occupied on average, so the first layer adds up a
row of weights for each of them instead of multiplying 198 units, most of them zero.

Point of view: "roller" networks speak for the player who rolls next; "first" networks, as the source's, for the first player.
"""

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

from rlcourse.agents.base import BatchAgent, Decision
from rlcourse.games import AfterstateBatch, Game, GameOver, GameState, sign_of
from rlcourse.games.backgammon import outcomes, units
from rlcourse.kernels import kernel
from rlcourse.networks import check_weights

OUTPUTS = (
    "win",
    "win gammon",
    "win backgammon",
    "lose gammon",
    "lose backgammon",
)  # a backgammon is a gammon, a gammon a win
VIEWS = ("roller", "first")
THROWS = tuple((high, low) for high in range(1, 7) for low in range(1, high + 1))


def equity(outputs: np.ndarray) -> np.ndarray:
    """[...] points expected a game in [-3, 3], cubeless, from `outputs` [..., 5]; [..., 1] counts plain wins, in [-1, 1]."""
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
    """[M, count] float32: the outputs of finished games. points [M], +-1, +-2 or +-3, for the player spoken for."""
    ladder = [points > 0, points > 1, points > 2, points < -1, points < -2]
    return np.stack(ladder[:count], axis=-1).astype(np.float32)


@kernel
def _first_layer(checkers, first_view, roller, rows, turn, out):
    """out [M, H]: the sums into the hidden layer. rows [2, 26, 16, H]: what n checkers on a place of the player spoken for
    (0) or of the other (1) add; turn [2, H]: what it adds that the player spoken for, or the other, rolls next."""
    for m in range(len(checkers)):
        for h in range(out.shape[1]):
            out[m, h] = turn[first_view[m] ^ roller[m], h]
        for seat in range(2):
            player = first_view[m] ^ seat
            for place in range(26):
                count = checkers[m, player, place]
                if count > 0:
                    for h in range(out.shape[1]):
                        out[m, h] += rows[seat, place, count, h]


class SparseNetwork:
    """The network of `weights` (as in TDGammonAgent), asked about boards instead of units; equal but for rounding."""

    def __init__(self, weights: Mapping[str, np.ndarray]) -> None:
        matrix, bias = weights["hidden/kernel"], weights["hidden/bias"]
        boards = np.zeros((2, 26, 16, 2, 26), np.int8)
        for seat, place, count in np.ndindex(2, 26, 16):
            boards[seat, place, count, seat, place] = count
        nobody = np.zeros((2, 2, 26), np.int8)
        turns = units(nobody, np.zeros(2, np.int8), np.arange(2, dtype=np.int8))
        first = np.zeros(2 * 26 * 16, np.int8)
        alone = units(boards.reshape(-1, 2, 26), first, first) - turns[0]
        self.rows = _product(alone, matrix).reshape(2, 26, 16, -1)
        self.turn = turns @ matrix + bias
        self.last, self.last_bias = weights["outputs/kernel"], weights["outputs/bias"]

    def __call__(
        self, checkers: np.ndarray, first_view: np.ndarray, roller: np.ndarray
    ) -> np.ndarray:
        """[M, outputs] probabilities. checkers [M, 2, 26]; first_view [M]: who is spoken for; roller [M] rolls next."""
        hidden = np.empty((len(checkers), self.turn.shape[1]), np.float32)
        _first_layer(checkers, first_view, roller, self.rows, self.turn, hidden)
        return _sigmoid(_product(_sigmoid(hidden), self.last) + self.last_bias)


def _product(left: np.ndarray, right: np.ndarray) -> np.ndarray:
    """left @ right, in slices so small that the matrix library keeps to one thread.

    These products take microseconds: a second thread gains nothing, and on a busy machine the library's threads spin while
    they wait for each other (measured: 80 times slower with both cores taken).
    """
    rows = max(1, 200_000 // right.size)
    out = np.empty((len(left), right.shape[1]), np.float32)
    for start in range(0, len(left), rows):
        np.matmul(left[start : start + rows], right, out=out[start : start + rows])
    return out


def _sigmoid(sums: np.ndarray) -> np.ndarray:
    """1 / (1 + e^-x), in place; e^-x of float32 overflows to infinity below -88, which gives the right 0."""
    with np.errstate(over="ignore"):
        np.negative(sums, sums)
        np.exp(sums, sums)
        sums += 1
        return np.reciprocal(sums, sums)


class Candidate(NamedTuple):
    """One play of a throw: the move, its equity for the player who makes it, and his probabilities as in OUTPUTS."""

    move: Any
    equity: float
    outputs: np.ndarray


class EquityAgent(BatchAgent):
    """Plays the afterstate of highest equity; ties go to the first. A subclass writes `outputs`.

    look_ahead: 0 plays by the word of `outputs`; k > 0 asks, for the best k plays, what the opponent's best answer to each of
    the 21 throws leaves (two plies).
    """

    def __init__(self, game: Game, *, look_ahead: int = 0, seed: int | None = None) -> None:
        if game.name != "backgammon":
            raise ValueError(f"{self.name} plays backgammon, not {game.name}")
        super().__init__(game, seed=seed)
        self.look_ahead = look_ahead

    def outputs(self, checkers: np.ndarray, roller: np.ndarray) -> np.ndarray:
        """[M, 5 or 1]: probabilities for the player who rolls next. checkers [M, 2, 26]; roller [M]; finished games exact."""
        raise NotImplementedError

    def decide(
        self, batch: AfterstateBatch, rows: np.ndarray, rng: np.random.Generator
    ) -> Decision:
        """`value` is the equity of the play in [-3, 3]; `action` counts the afterstates of each row."""
        boards, offsets = batch.afterstate_boards(rows)
        roller = np.repeat(1 - batch.to_play[rows], np.diff(offsets)).astype(np.int8)
        values = -equity(self.outputs(boards, roller))
        if self.look_ahead:
            values = self._looked_ahead(boards, roller, values, offsets)
        action = best_of_each(values, offsets)
        return Decision(action, value=values[offsets[:-1] + action])

    def candidates(self, state: GameState) -> list[Candidate]:
        """Every play of this throw, the best first; by the word of `outputs`. Raises GameOver in a finished game."""
        if state.is_over():
            raise GameOver(f"{self.name} has nothing to decide: the game is over")
        batch = self.game.new_batch(1)
        batch.load(0, state)
        boards, _ = batch.afterstate_boards()
        roller = np.full(len(boards), 1 - state.next_player, np.int8)
        outputs = other_side(self.outputs(boards, roller))
        values = equity(outputs)
        moves = state.legal_moves()
        return [
            Candidate(moves[k], float(values[k]), outputs[k])
            for k in np.argsort(-values, kind="stable")
        ]

    def _looked_ahead(self, boards, roller, values, offsets) -> np.ndarray:
        """`values` with the best `look_ahead` plays of each row replaced by their two-ply equity, the others put out."""
        row = np.repeat(np.arange(len(offsets) - 1), np.diff(offsets))
        order = np.lexsort((-values, row))
        rank = np.empty(len(values), np.int64)
        rank[order] = np.arange(len(values)) - np.repeat(offsets[:-1], np.diff(offsets))
        chosen = np.flatnonzero(rank < self.look_ahead)
        deeper = np.full(len(values), -np.inf, values.dtype)
        deeper[chosen] = two_ply(self, boards[chosen], roller[chosen])
        return deeper


class TDGammonAgent(EquityAgent):
    """Plays by a network of one hidden layer.

    weights: "hidden/kernel" [198, H], "hidden/bias", "outputs/kernel" [H, 1 or 5], "outputs/bias", float32. view: whom the
    network speaks for.
    """

    name = "td-gammon"

    def __init__(
        self,
        game: Game,
        weights: Mapping[str, np.ndarray],
        *,
        view: str = "roller",
        look_ahead: int = 0,
        seed: int | None = None,
    ) -> None:
        super().__init__(game, look_ahead=look_ahead, seed=seed)
        if view not in VIEWS:
            raise ValueError(f"a view is one of {', '.join(VIEWS)}; got {view!r}")
        self.weights = check_weights("td-gammon", weights, shapes_of(weights))
        self.network = SparseNetwork(self.weights)
        self.view = view

    def outputs(self, checkers: np.ndarray, roller: np.ndarray) -> np.ndarray:
        """[M, 5 or 1]: probabilities for the player who rolls next. checkers [M, 2, 26]; roller [M]; finished games exact."""
        first_view = roller if self.view == "roller" else np.zeros_like(roller)
        said = self.network(checkers, first_view, roller)
        if self.view == "first":
            said = np.where(roller[:, None] == 0, said, other_side(said))
        points = outcomes(checkers)
        over = np.flatnonzero(points)
        if len(over):
            said[over] = exact_outputs(points[over] * sign_of(roller[over]), said.shape[1])
        return said

    def arrays(self) -> dict[str, np.ndarray]:
        """The weights."""
        return dict(self.weights)

    def options(self) -> dict[str, Any]:
        """View and look-ahead."""
        return {"view": self.view, "look_ahead": self.look_ahead}

    @classmethod
    def from_arrays(
        cls, game: Game, arrays: Mapping[str, np.ndarray], **options: Any
    ) -> "TDGammonAgent":
        """The agent whose `arrays()` these are."""
        return cls(game, arrays, **options)


def best_of_each(values: np.ndarray, offsets: np.ndarray) -> np.ndarray:
    """[R] int32: where the highest of values[offsets[r]:offsets[r+1]] stands, counted from offsets[r]; ties to the first."""
    starts = offsets[:-1]
    highest = np.maximum.reduceat(values, starts)
    hits = np.flatnonzero(values == np.repeat(highest, np.diff(offsets)))
    return (hits[np.searchsorted(hits, starts)] - starts).astype(np.int32)


def two_ply(agent: EquityAgent, boards: np.ndarray, roller: np.ndarray) -> np.ndarray:
    """[M] equity for the player who has just moved: the mean over the 21 throws of what the roller's best answer leaves.

    boards [M, 2, 26]; a double counts once, another throw twice. Finished games keep their points.
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
        mover = np.repeat(roller[running], np.diff(offsets))
        best = np.maximum.reduceat(
            -equity(agent.outputs(answers, (1 - mover).astype(np.int8))), offsets[:-1]
        )
        total -= best * (1 if high == low else 2) / 36
    values[running] = total
    return values


def shapes_of(weights: Mapping[str, np.ndarray]) -> dict[str, tuple[int, ...]]:
    """The shapes that go with those of the last layer. Raises ValueError where that has not 1 or 5 outputs."""
    last = np.shape(weights.get("outputs/kernel", ()))
    if len(last) != 2 or last[1] not in (1, 5):
        raise ValueError(
            f"outputs/kernel has 1 or 5 columns, one an output; its shape here is {last}"
        )
    hidden, count = last
    return {
        "hidden/kernel": (198, hidden),
        "hidden/bias": (hidden,),
        "outputs/kernel": (hidden, count),
        "outputs/bias": (count,),
    }
