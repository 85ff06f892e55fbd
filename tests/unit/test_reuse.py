"""A kept subtree is the part of the old tree below the position, and what it brings is stored."""

import numpy as np
import pytest

from rlcourse.experiments import EXPERIMENTS, reuse
from rlcourse.games import get_game
from rlcourse.results import load_results

GAME = get_game("connect-four")


def descend(tree, row, node, actions):
    """The node that these actions lead to."""
    for action in actions:
        node = int(tree.edges[row, node, action]["child"])
    return node


def test_a_kept_subtree_has_the_statistics_of_the_old_one_and_grows():
    rng = np.random.default_rng(0)
    batch = GAME.new_batch(2)
    old = reuse.search(batch, [None, None], 400, rng)
    assert old.total[:, 0].tolist() == [400, 400]
    move = int(old.visits[1].argmax())
    reply = int(old.edges[1, descend(old, 1, 0, [move])]["N"].argmax())
    place = reuse.Place(old, 1, descend(old, 1, 0, [move, reply]))
    kept = int(old.total[1, place.node])
    batch.step(np.array([-1, move]))
    batch.step(np.array([-1, reply]))
    nothing = reuse.search(batch, [None, place], 0, rng)
    assert nothing.total[:, 0].tolist() == [0, kept] and kept > 20
    assert (nothing.visits[1] == old.edges[1, place.node]["N"]).all()
    for action in range(7):  # one move further down the statistics are the same, too
        there, was = (
            descend(nothing, 1, 0, [action]),
            descend(old, 1, place.node, [action]),
        )
        assert (nothing.edges[1, there]["N"] == old.edges[1, was]["N"]).all()
        assert (nothing.edges[1, there]["W"] == old.edges[1, was]["W"]).all()
    more = reuse.search(batch, [None, place], 100, rng)
    assert more.total[:, 0].tolist() == [100, kept + 100]
    assert (
        more.edges["N"][1, : more.size[1]].sum(axis=1).tolist()
        == more.total[1, : more.size[1]].tolist()
    )


def test_a_kept_subtree_with_finished_games_can_be_copied():
    """X has a1 to c1 and three ways to win; trees this close to the end hold finished games."""
    batch = GAME.new_batch(1)
    for column in (0, 0, 1, 1):
        batch.step(np.array([column]))
    rng = np.random.default_rng(0)
    tree = reuse.search(batch, [None], 300, rng)
    for column in (2, 3):
        batch.step(np.array([column]))
    place = reuse.Place(tree, 0, descend(tree, 0, 0, [2, 3]))
    assert tree.done[0].any()
    again = reuse.search(batch, [place], 50, rng)
    assert again.total[0, 0] == tree.total[0, place.node] + 50


def test_the_stored_rows_are_complete():
    rows = load_results("subtree-reuse")["rows"]
    assert sorted(row["seed"] for row in rows) == list(range(EXPERIMENTS["subtree-reuse"].seeds))
    for row in rows:
        for budget in reuse.BUDGETS:
            assert len(row[str(budget)]["points"]) == reuse.OPENINGS
            assert set(row[str(budget)]["points"]) <= set(range(5))
            assert 0 < row[str(budget)]["kept"] < budget


@pytest.mark.slow
def test_one_match_repeats():
    again = [reuse.match(100, np.random.default_rng([0, 100])) for _ in range(2)]
    assert again[0] == again[1]
