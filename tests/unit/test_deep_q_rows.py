"""What the stored rows of deep Q-learning claim; the README and notebook 03 quote them."""

import numpy as np
import pytest

from rlcourse.experiments.deep_q import RUNGS, SHORT_MEMORY
from rlcourse.experiments.deep_q_museum import EXHIBITS
from rlcourse.results import load_results


def rows(name: str) -> list[dict]:
    return load_results(name)["rows"]


def test_without_symmetry_at_least_38_of_40():
    stored = rows("deep-q-no-symmetry")
    assert len(stored) == 40 and sum(row["perfect_at"] is not None for row in stored) >= 38


def test_illegal_move_loses_becomes_perfect_on_some_seeds_and_not_on_all():
    stored = rows("deep-q-illegal-loses")
    assert len(stored) == 10 and 5 <= sum(row["perfect_at"] is not None for row in stored) < 10


def test_the_source_as_printed_is_neither_unbeatable_nor_perfect_after_its_budget():
    stored = rows("deep-q-source")
    assert len(stored) >= 5 and not any(row["perfect_at"] for row in stored)


def test_every_rung_and_every_exhibit_is_stored():
    assert all(set(row["rungs"]) == set(RUNGS) for row in rows("deep-q-ladder"))
    assert all(set(row["exhibits"]) == set(EXHIBITS) for row in rows("deep-q-museum"))


def test_no_broken_copy_is_perfect_where_the_recipe_is():
    for name in EXHIBITS:
        ends = [row["exhibits"][name]["optimal"] for row in rows("deep-q-museum")]
        assert np.median(ends) < 4520, name


def test_either_half_of_the_short_memory_does_less_harm_than_both():
    stored = rows("deep-q-short-memory")
    both = [
        row["exhibits"]["remembers the newest 256 only, repeats and all"]["optimal"]
        for row in rows("deep-q-museum")
    ]
    assert len(stored) == len(both) == 5 and set(stored[0]["arms"]) == set(SHORT_MEMORY)
    assert min(row["arms"][name]["optimal"] for row in stored for name in SHORT_MEMORY) > max(both)


@pytest.mark.parametrize(
    "name", ["deep-q", "deep-q-no-symmetry", "deep-q-illegal-loses", "deep-q-source"]
)
def test_rows_are_compact(name):
    assert max(len(row["curve"]) for row in rows(name)) <= 60
