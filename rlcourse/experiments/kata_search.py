"""Cheap parts of KataGo's self-play, each to be added to AlphaZero's alone (Wu 2019).

Playout caps (sec. 3.1), forced playouts with pruned targets (sec. 3.2), a subtree that is kept from
move to move, and what ownership and score were at the end (sec. 4.1).
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from rlcourse.agents.alphazero import AlphaZeroAgent
from rlcourse.agents.search_tree import SearchTree, dirichlet_noise
from rlcourse.experience import ExperienceBuffer
from rlcourse.experiments.reuse import Place, copy_subtree, nodes_below, place_after
from rlcourse.forward import Snapshot
from rlcourse.games import get_game, sign_of
from rlcourse.learning.alphazero_play import EpisodeSpec, play_with
from rlcourse.self_play import play_at_random

TYPICAL = 256  # positions that say what range 8 bits are to cover
FORCED = 1e9  # a prior that wins every comparison
OWNER = np.array([0.0, 1.0, -1.0], np.float32)  # of nobody, Black and White, for Black


@dataclass(frozen=True)
class KataSpec(EpisodeSpec):
    """A chunk of self-play with parts of KataGo's.

    fast: simulations of a fast search, 0: none is fast. full: share of plies whose search is full.
    forced: k of `forced_playouts`, 0: none. keep: the subtree of a move starts the next search.
    int8: the network calculates in whole numbers of 8 bits.
    """

    fast: int = 0
    full: float = 0.25
    forced: float = 0.0
    keep: bool = False
    int8: bool = False

    def improved(self, tree: SearchTree, prior: np.ndarray) -> np.ndarray:
        """pi [N, A]; 0 after a fast search, and the fewer there are, the more a full one weighs."""
        assert isinstance(tree, KataTree)
        weight = 1.0 if not self.fast else tree.full / self.full
        return weight * super().improved(tree, prior)


class KataTree(SearchTree):
    """Trees whose root can force playouts, which its visits then lack.

    forced: k of `forced_playouts`. full: whether their search is a full one.
    """

    forced = 0.0
    full = True

    def simulate(self) -> None:
        """One simulation; an action of the root that lacks forced playouts goes first."""
        if not self.forced:
            super().simulate()
            return
        edges = self.edges[:, 0]
        visits, prior = edges["N"], edges["P"].copy()
        wanted = forced_playouts(visits, prior, k=self.forced)
        edges["P"] = np.where((visits > 0) & (visits < wanted), FORCED, prior)
        super().simulate()
        edges["P"] = prior

    @property
    def visits(self) -> np.ndarray:
        """[N, A]: visits of each action at the root, without those that were only forced."""
        visits = super().visits
        if not self.forced:
            return visits
        return pruned(visits, self.prior, np.nan_to_num(self.q), c=self.c, k=self.forced)


def forced_playouts(visits: np.ndarray, prior: np.ndarray, *, k: float) -> np.ndarray:
    """[N, A]: visits that a tried action has at least, sqrt(k P sum N) (Wu 2019, sec. 3.2)."""
    return np.sqrt(k * prior * visits.sum(axis=1, keepdims=True))


def pruned(
    visits: np.ndarray, prior: np.ndarray, q: np.ndarray, *, c: float, k: float
) -> np.ndarray:
    """visits [N, A] without the forced playouts that PUCT would not have made (Wu 2019, sec. 3.2).

    Up to ceil(forced playouts) go from each action but the most visited, as long as its PUCT score
    stays below that one's; a single playout that is left goes too. q [N, A]: 0 where untried.
    """
    most = visits.argmax(axis=1)[:, None]
    exploration = c * prior * np.sqrt(visits.sum(axis=1, keepdims=True))
    score = q + exploration / (1 + visits)
    lead = np.take_along_axis(score, most, axis=1) - q
    # Q + exploration / (1 + N) < score of the most visited, from N = floor(exploration / lead) on.
    fewest = np.full(visits.shape, np.inf)
    np.divide(exploration, lead, out=fewest, where=lead > 0)
    fewest = np.maximum(np.floor(fewest), visits - np.ceil(forced_playouts(visits, prior, k=k)))
    left = np.minimum(visits, fewest).astype(visits.dtype)
    left[left == 1] = 0
    np.put_along_axis(left, most, np.take_along_axis(visits, most, axis=1), axis=1)
    return left


class KataAgent(AlphaZeroAgent):
    """AlphaZero's player with the parts of a spec, for self-play of one batch from its start."""

    def __init__(self, *network: Any, spec: KataSpec, **options: Any) -> None:
        super().__init__(*network, **options)
        self.spec = spec
        self.places: dict[int, Place] = {}  # game -> root of its last search

    def grow(self, batch: Any, rows: np.ndarray, rng: np.random.Generator) -> KataTree:
        """The trees of those rows [R] of the batch, after a full or a fast search.

        All games in lock-step draw the same cap, so that the batches of positions stay large. Only
        a full search forces playouts. Simulations come on top of a kept subtree.
        """
        spec, roots = self.spec, batch.take(rows)
        full = not spec.fast or rng.random() < spec.full
        simulations = self.simulations if full else spec.fast
        # KataGo's fast searches lack noise. With so few simulations an untrained network's visits
        # are nearly even, a pass among them: in four chunks games shrank from 50 moves to 13.
        noise = dirichlet_noise(roots.legal(), self.noise, rng) if self.noise else None
        subtrees = self._subtrees(batch, rows) if spec.keep else {}
        nodes = {row: nodes_below(place) for row, place in subtrees.items()}
        room = simulations + max(map(len, nodes.values()), default=0)
        tree = KataTree(roots, self.evaluate, room, rng, c=self.c)
        for row, place in subtrees.items():
            copy_subtree(place, nodes[row], tree, row)
        tree.full, tree.forced = full, spec.forced if full else 0.0
        if noise is not None:
            tree.add_noise(noise, self.noise_share)
        for _ in range(simulations):
            tree.simulate()
        self.places = {game: Place(tree, row, 0) for row, game in enumerate(rows.tolist())}
        return tree

    def _subtrees(self, batch: Any, rows: np.ndarray) -> dict[int, Place]:
        """Row of `rows` -> where the last tree of its game has the position."""
        last = batch.moves[rows, batch.ply[rows] - 1].tolist()
        places = enumerate(self.places.get(game) for game in rows.tolist())
        after = ((row, place_after(place, last[row])) for row, place in places)
        return {row: place for row, place in after if place}


def play_kata(
    spec: KataSpec, weights: Mapping[str, np.ndarray], seed: int, chunk: int
) -> ExperienceBuffer:
    """Chunk number `chunk` of self-play on Go; pure. Equals `play_episodes` if no part is used.

    Two more columns, for the player to move: ownership [T, P] at the end of the game, 1 for their
    own points, -1 for the opponent's; score [T, 1], the points they led by, komi included, per
    point of the board.
    """
    game = get_game(spec.game, **spec.game_options)
    agent = KataAgent.from_arrays(game, weights, spec=spec, **spec.agent_options)
    if spec.int8:
        agent.model = in_int8(agent)
    buffer, ended = play_with(agent, spec, np.random.default_rng([seed, chunk]))
    owners, score = territory(ended)
    sign = sign_of(buffer["player"])[:, None].astype(np.float32)
    aimed = {"ownership": sign * owners[buffer["game"]], "score": sign * score[buffer["game"]]}
    return ExperienceBuffer({**buffer.columns, **aimed}, buffer.meta)


def in_int8(agent: AlphaZeroAgent) -> Snapshot:
    """The agent's network in 8 bits, whose ranges are those of positions of random play."""
    from rlcourse.int8 import Int8Snapshot  # brings TensorFlow

    rng, batch = np.random.default_rng(0), agent.game.new_batch(TYPICAL)
    _, height, width = agent.encoder.shape
    play_at_random(batch, rng.integers(height * width, size=TYPICAL), rng)
    return Int8Snapshot(agent.model, agent.encoder.encode_batch(batch, np.arange(TYPICAL)))


def territory(batch: Any) -> tuple[np.ndarray, np.ndarray]:
    """(ownership [N, P], score [N, 1] per point) float32 of these boards of Go, for Black."""
    owners = OWNER[[batch.state(row).area().ravel() for row in range(len(batch))]]
    lead = owners.sum(axis=1, keepdims=True) - np.float32(batch.rules.komi)
    return owners, lead / owners.shape[1]
