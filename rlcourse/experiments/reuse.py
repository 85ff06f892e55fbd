"""What a search gains if it keeps the part of its last tree that is still ahead of it."""

from typing import NamedTuple

import numpy as np

from rlcourse.agents.search_tree import SearchTree, rollouts
from rlcourse.experiments.base import Results, experiment
from rlcourse.games import Batch, get_game

BUDGETS = (100, 300, 1_000)  # new simulations a move, the same for both players
OPENINGS = 20  # a seed; each is played twice, with the sides changed
RANDOM_PLIES = 2  # of an opening


class Place(NamedTuple):
    """A node of one of the trees: the row of the tree, and the node's number in it."""

    tree: SearchTree
    row: int
    node: int


@experiment("subtree-reuse", seeds=10)
def subtree_reuse(seed: int) -> Results:
    """Connect Four, UCT that keeps its subtree against UCT that starts anew, equal budgets.

    Of each budget: the points of each opening's two games for the player that keeps (win 2, draw 1,
    loss 0), and the mean number of simulations that a kept subtree held.
    """
    row: Results = {"seed": seed, "openings": OPENINGS}
    for budget in BUDGETS:
        points, mean_kept = match(budget, np.random.default_rng([seed, budget]))
        row[str(budget)] = {"points": points, "kept": round(mean_kept, 1)}
    return row


def match(budget: int, rng: np.random.Generator) -> tuple[list[int], float]:
    """(points [OPENINGS] of the player that keeps, mean simulations in a kept subtree).

    The first move of a game has nothing to keep and is left out of the mean.
    """
    batch = get_game("connect-four").new_batch(2 * OPENINGS)
    for _ in range(RANDOM_PLIES):
        columns = [rng.choice(np.flatnonzero(legal)) for legal in batch.legal()[:OPENINGS]]
        batch.step(np.tile(columns, 2))
    keeper = np.repeat([0, 1], OPENINGS)  # which seat keeps its trees
    places: dict[int, Place | None] = {}  # game: where the last tree of its keeper has the position
    kept_simulations: list[int] = []
    while not batch.done.all():
        actions = np.full(len(batch), -1)
        for keeps in (True, False):
            rows = np.flatnonzero(~batch.done & ((batch.to_play == keeper) == keeps)).tolist()
            if not rows:
                continue
            known = [places.get(game) if keeps else None for game in rows]
            tree = search(batch.take(np.array(rows)), known, budget, rng)
            actions[rows] = tree.visits.argmax(axis=1)
            if keeps:
                kept_simulations += [_simulations(places[game]) for game in rows if game in places]
                places |= {game: Place(tree, k, 0) for k, game in enumerate(rows)}
        places = {game: place_after(place, actions[game]) for game, place in places.items()}
        batch.step(actions)
    points = (1 + np.where(keeper == 0, 1, -1) * batch.points).astype(int)
    return (points[:OPENINGS] + points[OPENINGS:]).tolist(), float(np.mean(kept_simulations))


def search(
    roots: Batch, known: list[Place | None], budget: int, rng: np.random.Generator
) -> SearchTree:
    """UCT with `budget` simulations on top of what is known of each root (None: nothing)."""
    nodes = [nodes_below(place) if place else [] for place in known]
    room = max(map(len, nodes)) + budget
    tree = SearchTree(roots, rollouts, room, rng, rule="ucb1", c=1.4)
    for row, (place, below) in enumerate(zip(known, nodes, strict=True)):
        if place:
            copy_subtree(place, below, tree, row)
    for _ in range(budget):
        tree.simulate()
    return tree


def nodes_below(place: Place) -> list[int]:
    """The node and all nodes below it."""
    nodes = [place.node]
    for node in nodes:  # the list grows on the way
        if not place.tree.done[place.row, node]:  # a finished game has no edges
            child = place.tree.edges[place.row, node]["child"]
            nodes += child[child >= 0].tolist()
    return nodes


def copy_subtree(place: Place, nodes: list[int], tree: SearchTree, row: int) -> None:
    """These nodes of the old tree become the first ones in a row of the new one."""
    old, from_row, _ = place
    number = {node: k for k, node in enumerate(nodes)}
    edges = old.edges[from_row, nodes]
    edges["child"] = [[number.get(c, c) for c in children] for children in edges["child"].tolist()]
    tree.edges[row, : len(nodes)], tree.size[row] = edges, len(nodes)
    for name in ("total", "done", "points", "to_play"):
        getattr(tree, name)[row, : len(nodes)] = getattr(old, name)[from_row, nodes]


def place_after(place: Place | None, action: int) -> Place | None:
    """The place after a move; None if the game is over or the move was never tried."""
    if place is None or action < 0:
        return None
    child = int(place.tree.edges[place.row, place.node, action]["child"])
    return place._replace(node=child) if child >= 0 else None


def _simulations(place: Place | None) -> int:
    """How many simulations went on below this place."""
    return int(place.tree.total[place.row, place.node]) if place else 0
