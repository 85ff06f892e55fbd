"""The Gumbel root: who is visited how often, worked by hand; and the law that gives it its point, a policy made better."""

import numpy as np
import pytest

from rlcourse.agents.search_gumbel import grow_gumbel, halving, sigma
from rlcourse.agents.search_tree import SearchTree, uniform
from rlcourse.games import from_recipe, get_game
from tests.unit.test_search_tree import NONE, one

TICTACTOE = get_game("tic-tac-toe")
LAST = "tic-tac-toe:XX.OO.X.O"  # X to move on 2 (wins at once), 5 or 7; O then wins on 5 or 2


@pytest.mark.parametrize(
    "actions, simulations, wanted",
    [
        (1, 3, [0, 1, 2]),
        (2, 4, [0, 0, 1, 1]),
        (
            4,
            8,
            [0, 0, 0, 0, 1, 1, 2, 2],
        ),  # two phases of 4: one visit for each of four, two for each of the better two
        (4, 4, [0, 0, 0, 0]),
        (
            7,
            16,
            [0] * 7 + [1] * 3 + [2, 2, 3, 3, 4, 4],
        ),  # three phases: 16 // 21 counts as 1; 16 // 9 = 1; 16 // 6 = 2, and rest
        (7, 3, [0, 0, 0]),
    ],
)
def test_sequential_halving_by_hand(actions, simulations, wanted):
    assert halving(actions, simulations) == tuple(wanted)


def test_the_visits_are_shared_out_as_planned():
    """9 actions, 36 simulations: 36 // (4 * 9) = 1 for each, 36 // (4 * 4) = 2 for the best 4, then 4, rest for the best 2."""
    batch = TICTACTOE.new_batch(30)
    tree, actions = grow_gumbel(batch, uniform, 36, np.random.default_rng(0))
    visits = np.sort(tree.visits, axis=1)[:, ::-1]
    assert (visits.sum(axis=1) == 36).all() and (visits == visits[0]).all()
    assert (
        visits[0].tolist() == sorted(visits[0].tolist(), reverse=True)
        and visits[0, 4:].tolist() == [1] * 5
    )
    assert visits[0, 2:4].tolist() == [3, 3] and visits[0, 0] - visits[0, 1] <= 1
    most = tree.visits == tree.visits.max(axis=1, keepdims=True)
    assert most[np.arange(30), actions].all() and len(set(actions.tolist())) > 4


def test_only_legal_actions_are_tried_and_finished_games_get_none():
    batch = TICTACTOE.new_batch(2)
    batch.load(0, from_recipe(LAST))
    batch.load(1, from_recipe("tic-tac-toe:XXXOO...."))
    for simulations in (0, 1, 2, 9):
        tree, actions = grow_gumbel(batch, uniform, simulations, np.random.default_rng(simulations))
        assert actions[0] in (2, 5, 7) and actions[1] == -1
        assert not tree.visits[0, [0, 1, 3, 4, 6, 8]].any() and tree.visits[0].sum() == simulations
    assert set(
        np.flatnonzero(
            grow_gumbel(batch, uniform, 2, np.random.default_rng(0), considered=2)[0].visits[0]
        )
    ) < {2, 5, 7}


def test_without_noise_the_best_is_played():
    """Three visits, one each: 2 wins at once."""
    for seed in range(5):
        assert (
            grow_gumbel(one(from_recipe(LAST)), uniform, 3, np.random.default_rng(seed), noise=0.0)[
                1
            ][0]
            == 2
        )


def test_sigma_by_hand():
    """2 wins: Q = +1; 5 and 7 are new leaves worth 0. The most visited has 2 visits: sigma = 0.1 * (50 + 2) * Q. An action
    that was never tried counts with the mean of all visits."""
    tree = SearchTree(one(from_recipe(LAST)), uniform, 3, NONE)
    for action in (2, 2, 5):
        tree.simulate(np.array([action]))
    assert tree.visits[0].tolist() == [0, 0, 2, 0, 0, 1, 0, 0, 0]
    nats = sigma(tree, 0.1)[0]
    assert (
        nats[2] == pytest.approx(5.2)
        and nats[5] == pytest.approx(0.0)
        and nats[7] == pytest.approx(5.2 * 2 / 3)
    )


@pytest.mark.parametrize("simulations", [2, 4, 16])
def test_the_policy_is_made_better_by_few_simulations(simulations):
    """Drawn 4,000 times, the action played is worth more, on average, than one drawn from the prior (theorem of section 3)."""

    def skewed(batch, rows, rng):
        """A prior that likes the winning move least."""
        policy, value = uniform(batch, rows, rng)
        policy[:, 2] = 0.1
        return policy, value

    batch = TICTACTOE.new_batch(4_000)
    for row in range(4_000):
        batch.load(row, from_recipe(LAST))
    worth = np.zeros(9)
    worth[2] = 1.0  # the others lose or draw; uniform's word on them is 0
    tree, actions = grow_gumbel(
        batch, skewed, simulations, np.random.default_rng(0), sharpness=0.02
    )
    prior = float((tree.prior[0] * worth).sum())
    assert prior == pytest.approx(0.1 / 2.1)
    assert worth[actions].mean() > prior + 0.01


def test_a_first_action_is_taken_and_the_rest_is_the_rule():
    tree = SearchTree(TICTACTOE.new_batch(2), uniform, 3, NONE)
    for first in ([4, -1], [4, -1], [8, -1]):
        tree.simulate(np.array(first))
    assert tree.visits[0].tolist() == [0, 0, 0, 0, 2, 0, 0, 0, 1] and tree.visits[1].tolist() == [
        1,
        1,
        1,
        0,
        0,
        0,
        0,
        0,
        0,
    ]
