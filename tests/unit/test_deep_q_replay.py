"""The replay memory: what it keeps, what it forgets, how it draws; hand-worked cases
and laws on random sequences.
"""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rlcourse.learning.replay import ReplayBuffer


def columns(*keys: int) -> dict[str, np.ndarray]:
    return {"key": np.array(keys, np.int64), "twice": 2 * np.array(keys, np.int64)[:, None]}


def stored(buffer: ReplayBuffer) -> list[int]:
    return buffer.take(np.arange(len(buffer)))["key"].tolist()


def test_the_oldest_makes_room():
    buffer = ReplayBuffer(3)
    assert buffer.add(columns(1, 2)) == 2 and stored(buffer) == [1, 2]
    assert buffer.add(columns(3, 4)) == 2
    assert len(buffer) == 3 and sorted(stored(buffer)) == [2, 3, 4]
    buffer.add(columns(5, 6, 7, 8))
    assert sorted(stored(buffer)) == [6, 7, 8]
    assert (buffer.take(np.arange(3))["twice"][:, 0] == 2 * np.array(stored(buffer))).all()


def test_a_unique_memory_keeps_each_key_once_in_order_of_appearance():
    buffer = ReplayBuffer(4, unique=True)
    keys = np.array([5, 3, 5, 3, 9])
    assert buffer.add(columns(*keys), keys) == 3 and stored(buffer) == [5, 3, 9]
    keys = np.array([9, 1, 2])
    assert buffer.add(columns(*keys), keys) == 2 and sorted(stored(buffer)) == [1, 2, 3, 9]
    keys = np.array([5])  # it was forgotten, so it is new again
    assert buffer.add(columns(5), keys) == 1 and sorted(stored(buffer)) == [1, 2, 5, 9]


@settings(max_examples=60)
@given(
    st.integers(1, 12),
    st.booleans(),
    st.lists(st.lists(st.integers(0, 15), max_size=20), max_size=6),
)
def test_it_is_the_last_of_a_list(capacity, unique, batches):
    """Against the obvious list, and through a checkpoint after every add."""
    buffer, memory = ReplayBuffer(capacity, unique=unique), []
    for batch in [[0], *batches]:
        buffer.add(columns(*batch), np.array(batch, np.int64))
        fresh = [key for key in dict.fromkeys(batch) if key not in memory] if unique else batch
        memory = (memory + fresh)[-capacity:]
        assert sorted(stored(buffer)) == sorted(memory)
        again = ReplayBuffer(capacity, unique=unique)
        again.restore(buffer.arrays())
        assert stored(again) == stored(buffer) and again.next == buffer.next


def test_every_place_is_drawn_equally_often():
    """60,000 draws of 6: chi-square with 5 degrees of freedom exceeds 41 in 1e-7 of fair draws."""
    buffer = ReplayBuffer(100)
    buffer.add(columns(0, 1, 2, 3, 4, 5))
    drawn = buffer.sample(60_000, np.random.default_rng(11))["key"]
    assert (((np.bincount(drawn, minlength=6) - 10_000) ** 2) / 10_000).sum() < 41


def test_the_same_seed_draws_the_same():
    buffer = ReplayBuffer(100)
    buffer.add(columns(*range(50)))
    first, second = (buffer.sample(20, np.random.default_rng(3))["key"] for _ in range(2))
    assert np.array_equal(first, second)


def test_misuse_is_answered():
    with pytest.raises(ValueError, match="at least one"):
        ReplayBuffer(0)
    with pytest.raises(ValueError, match="nothing to draw"):
        ReplayBuffer(3).sample(1, np.random.default_rng(0))
    with pytest.raises(ValueError, match="one length"):
        ReplayBuffer(3).add({"a": np.zeros(2), "b": np.zeros(3)})
    with pytest.raises(ValueError, match="one key"):
        ReplayBuffer(3, unique=True).add(columns(1))
    buffer = ReplayBuffer(3)
    buffer.add(columns(1))
    with pytest.raises(ValueError, match="holds"):
        buffer.add({"other": np.zeros(1)})
    with pytest.raises(ValueError, match="replay buffer of 2"):
        ReplayBuffer(2).restore(
            {"columns/a": np.zeros(3), "next": np.array(0), "keys": np.zeros(0)}
        )
