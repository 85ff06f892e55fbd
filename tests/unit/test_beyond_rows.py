"""The stored runs of lesson 11 say what it claims, and one seed, run again, is the stored one."""

import numpy as np
import pytest

from rlcourse.experiments.beyond import EPISODES, HANDS, JUDGED, LATE, cliff_run, kuhn_cfr
from rlcourse.experiments.cliff import START, cliff
from rlcourse.learning.regret import q_self_play
from rlcourse.results import load_results
from rlcourse.solvers.kuhn import VALUE, exploitability
from tests.oracles.transitions import epsilon_greedy, model_of, policy_values, value_iteration

CLIFF = model_of(cliff())


def rows(name: str, seeds: int) -> list[dict]:
    stored = load_results(name)["rows"]
    assert [row["seed"] for row in stored] == list(range(seeds))
    return stored


def late(name: str) -> np.ndarray:
    """[50]: the rewards an episode at the end of each seed."""
    return np.array([row["late"] for row in rows(name, 50)])


def exact(epsilon: float) -> float:
    """What the best player who explores expects an episode."""
    q = value_iteration(CLIFF, epsilon=epsilon)
    return float(policy_values(CLIFF, epsilon_greedy(q, 0.1))[START])


def test_sarsa_earns_more_and_both_stay_below_their_exact_lines():
    q_learning, sarsa = late("cliff-q-learning"), late("cliff-sarsa")
    assert (sarsa > q_learning).sum() >= 45
    for earned, line in ((q_learning, exact(0.0)), (sarsa, exact(0.1))):
        error = earned.std(ddof=1) / len(earned) ** 0.5
        assert line - 8 < earned.mean() < line + 2 * error


def test_the_paths_that_the_tables_know():
    found = {
        name: [row["steps"] for row in rows(f"cliff-{name}", 50)]
        for name in ("q-learning", "sarsa", "sarsa-long", "sarsa-small-steps")
    }
    assert set(found["q-learning"]) == {13}
    assert found["sarsa"].count(17) >= 30 and 15 not in found["sarsa"] + found["sarsa-long"]
    assert found["sarsa-small-steps"].count(15) >= 25


@pytest.mark.parametrize("sarsa", [False, True])
def test_a_seed_of_the_cliff_run_again_is_the_stored_one(sarsa):
    stored = rows("cliff-sarsa" if sarsa else "cliff-q-learning", 50)[7]
    again = cliff_run(7, sarsa=sarsa)
    assert again == stored and len(stored["curve"]) == EPISODES // 10 > LATE // 10


def test_regret_finds_the_equilibrium_on_every_seed():
    for row in rows("kuhn-cfr", 40):
        by_hands = {int(hands): judged for hands, *judged in row["curve"]}
        average, present, value = by_hands[120_000]
        assert average < 1e-3 < present and abs(value - float(VALUE)) < 1e-3


@pytest.mark.slow
def test_a_seed_of_regret_run_again_is_the_stored_one():
    stored, again = rows("kuhn-cfr", 40)[3], kuhn_cfr(3)
    assert np.allclose(again["curve"], stored["curve"], rtol=0, atol=1e-12)


def test_q_learning_never_mixes_and_never_rests():
    for row in rows("kuhn-q-learning", 40):
        assert row["curve"][-1][0] == HANDS == JUDGED[-1]
        greedy, mean = np.array(row["curve"])[:, 1], row["curve"][-1][2]
        assert greedy.min() >= row["lowest"] > 1 / 6 - 1e-9
        assert mean > 0.05 and row["changed"] > 500


def test_the_first_hands_of_a_seed_run_again_are_the_stored_ones():
    stored = rows("kuhn-q-learning", 40)[0]["curve"]
    policies = [*q_self_play(3_000, np.random.default_rng(0))]
    for hands, greedy, _ in stored[:4]:
        assert float(exploitability(policies[hands // 100 - 1])) == pytest.approx(greedy)
