"""Laws, hand-worked numbers and refusals of rlcourse.sampling."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from rlcourse.sampling import (
    CLIP,
    NotADistribution,
    categorical,
    clip_probs,
    mask_probs,
    normalize,
    ranked,
    softmax,
    with_temperature,
)

ROWS = hnp.array_shapes(min_dims=1, max_dims=3, min_side=1, max_side=6)
LOGITS = ROWS.flatmap(lambda shape: hnp.arrays(np.float64, shape, elements=st.floats(-1e6, 1e6)))
WEIGHTS = ROWS.flatmap(
    lambda shape: hnp.arrays(np.float64, shape, elements=st.floats(0.0, 1e300))
).filter(lambda weights: (weights.max(axis=-1) > 0).all())


def is_distribution(p: np.ndarray) -> bool:
    return bool((p >= 0).all() and np.allclose(p.sum(axis=-1), 1.0, rtol=0, atol=1e-12))


class Scripted:
    """A generator whose numbers are given."""

    def __init__(self, *numbers: float) -> None:
        self.numbers = list(numbers)

    def random(self, shape: tuple[int, ...]):
        return np.array(self.numbers).reshape(shape)


# --- softmax, temperature, masks ------------------------------------------------------------------


def test_softmax_by_hand():
    # exp(log 1), exp(log 2), exp(log 5) are 1, 2, 5 of a sum of 8.
    assert softmax(np.log([1, 2, 5])) == pytest.approx([0.125, 0.25, 0.625])
    # temperature 1/2 squares them: 1, 4, 25 of 30; temperature 2 takes roots.
    assert softmax(np.log([1, 2, 5]), temperature=0.5) == pytest.approx(np.array([1, 4, 25]) / 30)
    roots = np.sqrt([1, 2, 5])
    assert softmax(np.log([1, 2, 5]), temperature=2) == pytest.approx(roots / roots.sum())
    # the mask takes the 5 out of the sum as well: 1 and 2 of 3.
    assert softmax(np.log([1, 2, 5]), legal=[True, True, False]) == pytest.approx([1 / 3, 2 / 3, 0])


@given(LOGITS, st.floats(1e-300, 1e300))
def test_softmax_is_a_distribution_at_any_temperature(logits, temperature):
    p = softmax(logits, temperature=temperature)
    assert is_distribution(p)
    order = np.argsort(logits, axis=-1)
    assert (
        np.diff(np.take_along_axis(p, order, axis=-1), axis=-1) >= 0
    ).all()  # a higher logit is never less likely


@given(LOGITS, st.floats(-1e6, 1e6))
def test_softmax_knows_only_differences(logits, constant):
    rounded = np.round(logits * 64) / 64  # sums that float64 holds exactly
    assert softmax(rounded + round(constant)) == pytest.approx(softmax(rounded), abs=1e-12)


def test_temperature_zero_is_greedy_and_shares_ties():
    assert softmax(np.array([3.0, 1.0, 3.0]), temperature=0).tolist() == [0.5, 0.0, 0.5]
    assert softmax(
        np.array([3.0, 1.0, 3.0]), temperature=0, legal=[False, True, False]
    ).tolist() == [0.0, 1.0, 0.0]
    assert with_temperature(np.array([0.2, 0.5, 0.3]), 0).tolist() == [0.0, 1.0, 0.0]


@given(WEIGHTS)
def test_temperature_one_changes_nothing_and_zeros_stay_zero(weights):
    assert with_temperature(weights, 1.0) == pytest.approx(normalize(weights), abs=1e-12)
    assert not with_temperature(weights, 5.0)[weights == 0].any()


def test_temperature_by_hand():
    # 0.5 ** 2, 0.3 ** 2, 0.2 ** 2 are 25, 9, 4 of 38.
    assert with_temperature(np.array([0.5, 0.3, 0.2]), 0.5) == pytest.approx(
        np.array([25, 9, 4]) / 38
    )
    # 800 visits to the power of 100 are beyond float64; the answer is not.
    assert with_temperature(np.array([800.0, 400.0, 0.0]), 0.01) == pytest.approx([1, 0, 0])


def test_mask_probs_by_hand():
    # 0.5 and 0.2 are left, with the sum 0.7.
    assert mask_probs([0.5, 0.3, 0.2], [True, False, True]) == pytest.approx([5 / 7, 0, 2 / 7])
    assert mask_probs([1.0, 0.0, 0.0], [False, True, True]).tolist() == [0.0, 0.5, 0.5]


@given(st.data())
def test_mask_before_softmax_is_mask_after_it_renormalised(data):
    logits = data.draw(LOGITS.map(lambda x: x / 1e5))
    legal = data.draw(hnp.arrays(np.bool_, logits.shape))
    legal[..., 0] = True
    assert softmax(logits, legal=legal) == pytest.approx(
        mask_probs(softmax(logits), legal), abs=1e-12
    )


# --- clip_probs -----------------------------------------------------------------------------------


def test_clip_by_hand():
    # 1 becomes 0.9, the zeros 0.1: the sum is 1.1.
    assert clip_probs([1.0, 0.0, 0.0], clip=0.1) == pytest.approx(np.array([0.9, 0.1, 0.1]) / 1.1)
    # nothing lies outside [0.1, 0.9]: nothing changes.
    assert clip_probs([0.5, 0.3, 0.2], clip=0.1) == pytest.approx([0.5, 0.3, 0.2])
    assert clip_probs([1.0]).tolist() == [1.0]
    assert clip_probs([1.0, 0.0]) == pytest.approx([1 - CLIP, CLIP])


@given(WEIGHTS, st.floats(1e-9, 1.0))
def test_clipped_is_a_distribution_inside_its_bounds(weights, share):
    size = weights.shape[-1]
    clip, p = share / size, normalize(weights)
    clipped = clip_probs(p, clip)
    assert is_distribution(clipped)
    assert (clipped >= clip / (1 + size * clip) * (1 - 1e-12)).all()
    if size > 1:
        assert (clipped <= 1 - clip + 1e-12).all()
    order = np.argsort(p, axis=-1)
    assert (np.diff(np.take_along_axis(clipped, order, axis=-1), axis=-1) >= 0).all()


def test_a_float32_network_output_is_welcome():
    p = np.full((3, 362), 1 / 362, np.float32)
    assert is_distribution(clip_probs(p))


# --- drawing --------------------------------------------------------------------------------------


def test_every_index_owns_its_half_open_interval():
    # bounds of 50%, 30%, 20%: [0, 0.5) [0.5, 0.8) [0.8, 1)
    for draw, index in ((0.0, 0), (0.4999, 0), (0.5, 1), (0.7999, 1), (0.8001, 2), (1 - 2**-53, 2)):
        assert categorical(np.array([[0.5, 0.3, 0.2]]), Scripted(draw)).tolist() == [index]


@given(WEIGHTS.filter(lambda weights: weights.ndim == 1), st.floats(0, 1, exclude_max=True))
def test_what_has_weight_zero_is_never_drawn(weights, draw):
    assert weights[categorical((weights / weights.max())[None], Scripted(draw))[0]] > 0


@given(
    hnp.arrays(
        np.int8, st.tuples(st.integers(1, 5), st.integers(1, 6)), elements=st.integers(0, 9)
    ),
    st.integers(0, 99),
)
def test_each_row_is_drawn_by_its_own_number(weights, seed):
    """An index owns as many of the row's equal shares as its weight says."""
    weights[:, 0] += 1
    numbers = np.random.default_rng(seed).random(len(weights))
    owners = [np.repeat(np.arange(len(row)), row) for row in weights]
    drawn = [row[int(x * len(row))] for row, x in zip(owners, numbers, strict=True)]
    assert categorical(weights, Scripted(*numbers)).tolist() == drawn


@given(
    hnp.arrays(
        np.int8, st.tuples(st.integers(1, 5), st.integers(1, 6)), elements=st.integers(0, 3)
    ),
    st.integers(0, 99),
)
def test_a_ranking_names_every_possible_index_once(weights, seed):
    weights[:, -1] += 1
    order = ranked(weights, np.random.default_rng(seed))
    assert order.dtype == np.int32
    for row, found in zip(weights, order, strict=True):
        possible = np.flatnonzero(row).tolist()
        assert sorted(found[: len(possible)].tolist()) == possible
        assert (found[len(possible) :] == -1).all()


def test_same_seed_same_draws():
    weights = np.random.default_rng(0).random((50, 7))
    for function in (categorical, ranked):
        first, second = (function(weights, np.random.default_rng(5)) for _ in range(2))
        assert (first == second).all()


def test_no_rows_give_no_draws():
    empty = np.zeros((0, 4))
    assert categorical(empty, np.random.default_rng(0)).shape == (0,)
    assert ranked(empty, np.random.default_rng(0)).shape == (0, 4)
    assert clip_probs(empty).shape == softmax(empty).shape == (0, 4)


# --- refusals -------------------------------------------------------------------------------------

NAN, INF = math.nan, math.inf
REFUSED = {
    "nan": (clip_probs, [0.5, NAN, 0.5], "nan is no probability.*entry 1"),
    "nan in a batch": (clip_probs, [[0.5, 0.5], [NAN, 1.0]], "nan.*entry 0 of row 1"),
    "negative": (clip_probs, [1.2, -0.2], "never negative.*logits.*entry 1"),
    "infinite": (clip_probs, [INF, 0.0], "finite"),
    "logits": (clip_probs, [3.0, 0.0], "at most 1.*softmax"),
    "all zero": (clip_probs, [0.0, 0.0], "sum 1"),
    "not a sum of 1": (clip_probs, [0.3, 0.3], "divide by the sum, or mask"),
    "one number": (clip_probs, 0.5, r"shape \[..., A\]; got \(\)"),
    "no numbers": (clip_probs, [], "no action at all"),
    "rows of two lengths": (clip_probs, [[0.5, 0.5], [1.0]], "rows of one length"),
    "words": (clip_probs, ["a", "b"], "are numbers"),
    "nothing": (clip_probs, None, r"nan is no probability|shape"),
    "softmax of nan": (softmax, [0.0, NAN], "a logit is a finite number.*entry 1"),
    "softmax of inf": (softmax, [0.0, INF], "a logit is a finite number"),
    "softmax of -inf only": (softmax, [-INF, -INF], "no action is left"),
    "weights of zero": (normalize, [[1.0, 1.0], [0.0, 0.0]], "all weights are 0.*row 1"),
    "one row for the batch": (lambda w: categorical(w, None), [0.5, 0.5], r"weights\[None\]"),
    "a batch row of zeros": (
        lambda w: categorical(w, None),
        [[0.5, 0.5], [0.0, 0.0]],
        "no positive finite sum.*row 1",
    ),
    "a ranking of negatives": (lambda w: ranked(w, None), [[0.5, -0.5]], "never negative"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_is_no_distribution_is_refused_with_a_reason(name):
    function, values, reason = REFUSED[name]
    with pytest.raises(NotADistribution, match=f"(?s){reason}"):
        function(values)


@pytest.mark.parametrize("legal", [[1, 0, 1], [True, True], [[True] * 3] * 2, True, None])
def test_a_mask_that_does_not_fit_is_refused(legal):
    with pytest.raises(NotADistribution, match="a mask holds True or False"):
        mask_probs([0.5, 0.3, 0.2], legal)


def test_nothing_legal_is_refused():
    with pytest.raises(NotADistribution, match="no action is legal.*row 1"):
        mask_probs([[0.5, 0.5], [0.5, 0.5]], np.array([[True, False], [False, False]]))
    with pytest.raises(NotADistribution, match="no action is left"):
        softmax([1.0, 2.0], legal=[False, False])


@pytest.mark.parametrize("temperature", [-1, NAN, INF, "hot", None])
def test_a_temperature_that_is_none_is_refused(temperature):
    with pytest.raises(ValueError, match="a temperature is a number >= 0"):
        softmax([1.0, 2.0], temperature=temperature)


@pytest.mark.parametrize("clip", [0, -0.1, 0.6, NAN])
def test_a_clip_that_leaves_no_distribution_is_refused(clip):
    with pytest.raises(ValueError, match="clip lies above 0"):
        clip_probs([0.5, 0.5], clip)


def test_inputs_are_left_alone():
    p, legal = np.array([0.5, 0.5, 0.0]), np.array([True, False, True])
    for function in (
        clip_probs,
        normalize,
        lambda p: mask_probs(p, legal),
        lambda p: with_temperature(p, 0.5),
    ):
        function(p)
    ranked(p[None], np.random.default_rng(0))
    assert p.tolist() == [0.5, 0.5, 0.0]
    assert legal.tolist() == [True, False, True]
