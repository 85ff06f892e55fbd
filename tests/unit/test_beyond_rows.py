"""A seed of each stored run of lesson 11, run again, is the stored one; the lesson asserts what the
rows say.
"""

import numpy as np
import pytest

from rlcourse.experiments.beyond import EPISODES, LATE, cliff_run, kuhn_cfr
from rlcourse.learning.regret import q_self_play
from rlcourse.results import load_results
from rlcourse.solvers.kuhn import exploitability


def rows(name: str, seeds: int) -> list[dict]:
    stored = load_results(name)["rows"]
    assert [row["seed"] for row in stored] == list(range(seeds))
    return stored


@pytest.mark.parametrize("sarsa", [False, True])
def test_a_seed_of_the_cliff_run_again_is_the_stored_one(sarsa):
    stored = rows("cliff-sarsa" if sarsa else "cliff-q-learning", 50)[7]
    again = cliff_run(7, sarsa=sarsa)
    assert again == stored and len(stored["curve"]) == EPISODES // 10 > LATE // 10


@pytest.mark.slow
def test_a_seed_of_regret_run_again_is_the_stored_one():
    stored, again = rows("kuhn-cfr", 40)[3], kuhn_cfr(3)
    assert np.allclose(again["curve"], stored["curve"], rtol=0, atol=1e-12)


def test_the_first_hands_of_a_seed_run_again_are_the_stored_ones():
    stored = rows("kuhn-q-learning", 40)[0]["curve"]
    policies = [*q_self_play(3_000, np.random.default_rng(0))]
    for hands, greedy, _ in stored[:4]:
        assert float(exploitability(policies[hands // 100 - 1])) == pytest.approx(greedy)
