"""From a distribution to a move: softmax, temperature, masks, clipping, drawing one or a ranking.

A distribution is an array [..., A] of A probabilities >= 0 with sum 1; weights need not have the
sum 1. The same functions accept one distribution or a batch. They raise NotADistribution for
anything else.
"""

import math

import numpy as np

from rlcourse.errors import BadValue, CourseError

# Pumperla & Ferguson's bound: probabilities are clipped to [CLIP, 1 - CLIP].
CLIP = 1e-5


class NotADistribution(CourseError, ValueError):
    """Numbers that are no distribution: NaN, negative, a wrong shape or sum, no legal action."""


def softmax(
    logits: np.ndarray, *, legal: np.ndarray | None = None, temperature: float = 1.0
) -> np.ndarray:
    """[..., A]: the Boltzmann distribution, proportional to exp(logits / temperature).

    Illegal actions and logits of -inf have probability 0. A temperature below 1 sharpens the
    distribution, above 1 flattens it; 0 is the limit, which shares the probability among the
    highest logits. legal [..., A]. Sutton & Barto (2018), eq. 13.2.
    """
    logits = _numbers(logits, "logits")
    if legal is not None:
        logits = np.where(_mask(legal, logits), logits, -np.inf)
    _refuse(
        np.isnan(logits) | (logits == np.inf),
        logits,
        "a logit is a finite number, or -inf for an impossible action",
    )
    highest = logits.max(axis=-1, keepdims=True)
    _refuse(
        np.isneginf(highest),
        logits,
        "no action is left: every one is illegal or has the logit -inf",
    )
    if not (isinstance(temperature, (int, float, np.number)) and 0 <= temperature < math.inf):
        raise BadValue(f"a temperature is a number >= 0, such as 0.5; got {temperature!r}")
    if temperature == 0:
        return normalize(logits == highest)
    # A tiny temperature sends differences to -inf, whose exponential is the correct limit 0.
    with np.errstate(over="ignore"):
        return normalize(np.exp((logits - highest) / temperature))


def with_temperature(probabilities: np.ndarray, temperature: float) -> np.ndarray:
    """[..., A]: p ** (1 / temperature), renormalised.

    Temperature 1 changes nothing, 0 is greedy, and a high one is nearly uniform over p > 0.
    """
    with np.errstate(divide="ignore"):
        return softmax(np.log(_weights(probabilities)), temperature=temperature)


def mask_probs(probabilities: np.ndarray, legal: np.ndarray) -> np.ndarray:
    """[..., A]: `probabilities` restricted to the legal actions and renormalised.

    If all legal actions have probability 0 (a network that is sure of an illegal move), the result
    is uniform over them.
    """
    weights = _weights(probabilities)
    legal = _mask(legal, weights)
    _refuse(~legal.any(axis=-1, keepdims=True), weights, "no action is legal")
    masked = np.where(legal, weights, 0.0)
    return normalize(np.where((masked > 0).any(axis=-1, keepdims=True), masked, legal))


def clip_probs(probabilities: np.ndarray, clip: float = CLIP) -> np.ndarray:
    """[..., A]: every probability clipped to [clip, 1 - clip] and renormalised.

    0 becomes about `clip` (at least clip / (1 + A clip)) and 1 about 1 - clip; the order does not
    change. 0 < clip <= 1/A. The sum must be 1 within 0.001. Pumperla & Ferguson, ch. 9.
    """
    p = _weights(probabilities)
    _refuse(
        p > 1.001,
        p,
        "a probability is at most 1; are these logits? softmax makes probabilities of them",
    )
    total = p.sum(axis=-1, keepdims=True)
    _refuse(
        np.abs(total - 1) > 0.001,
        p,
        "probabilities have the sum 1; divide by the sum, or mask with mask_probs",
    )
    if not 0 < clip <= 1 / p.shape[-1]:
        raise BadValue(
            f"clip lies above 0 and is at most 1/{p.shape[-1]}, one share of all actions; got "
            f"{clip!r}"
        )
    if p.shape[-1] == 1:
        return np.ones_like(p)
    return normalize(np.clip(p / total, clip, 1 - clip))


def normalize(weights: np.ndarray) -> np.ndarray:
    """[..., A] float64: weights divided by their sum, which must be positive and finite."""
    weights = _weights(weights)
    highest = weights.max(axis=-1, keepdims=True)
    _refuse(highest <= 0, weights, "all weights are 0: nothing can be drawn")
    # Dividing by the highest first, the sum neither overflows nor loses subnormal weights.
    weights = weights / highest
    return weights / weights.sum(axis=-1, keepdims=True)


def categorical(weights: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """[R] int32: one index per row of `weights` [R, A] >= 0, drawn in proportion to them."""
    weights = _weights(weights, 2)
    cumulative = np.cumsum(weights, axis=1)
    total = cumulative[:, -1:]
    _refuse(
        ~((total > 0) & (total < math.inf)),
        weights,
        "these weights have no positive finite sum: nothing can be drawn",
    )
    draw = rng.random((len(weights), 1)) * total
    last = weights.shape[1] - 1 - (weights[:, ::-1] > 0).argmax(axis=1)
    return np.minimum((cumulative <= draw).sum(axis=1), last).astype(np.int32)


def ranked(weights: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """[R, A] int32: the indices of each row of weights [R, A] >= 0 in a random order.

    The order is that of drawing without replacement in proportion to the weights; -1 follows the
    last index of positive weight. If a drawn move is illegal, the next one replaces it (Pumperla &
    Ferguson, ch. 9).

    Gumbel top-k: sorting log(weight) + Gumbel noise has exactly that distribution (Yellott 1977;
    Efraimidis & Spirakis 2006; Kool, van Hoof & Welling 2019, eq. 4).
    """
    weights = normalize(_weights(weights, 2))
    # The negative logarithm of an exponential variable has a Gumbel distribution.
    with np.errstate(divide="ignore"):
        gumbel = -np.log(rng.standard_exponential(weights.shape))
        keys = np.log(weights) + gumbel
    order = np.argsort(-keys, axis=1, kind="stable").astype(np.int32)
    possible = (weights > 0).sum(axis=1, keepdims=True)
    return np.where(np.arange(weights.shape[1]) < possible, order, np.int32(-1))


def _numbers(values: np.ndarray, name: str, dimensions: int | None = None) -> np.ndarray:
    """`values` as float64 [..., A] with A > 0, or with exactly 2 `dimensions`."""
    try:
        array = np.asarray(values, np.float64)
    except (TypeError, ValueError):
        raise NotADistribution(
            f"{name} are numbers, in rows of one length; got {values!r:.120}"
        ) from None
    wanted = {None: "[..., A]", 2: "[R, A]"}[dimensions]
    if array.ndim == 0 or (dimensions is not None and array.ndim != dimensions):
        single_row = (array.ndim, dimensions) == (1, 2)
        hint = "; write weights[None] for a single row" if single_row else ""
        raise NotADistribution(f"{name} have the shape {wanted}; got {array.shape}{hint}")
    if array.shape[-1] == 0:
        raise NotADistribution(
            f"{name} of no action at all (shape {array.shape}): nothing can be drawn"
        )
    return array


def _weights(values: np.ndarray, dimensions: int | None = None) -> np.ndarray:
    array = _numbers(values, "probabilities", dimensions)
    # Two passes over the array when all is well; NaN makes either comparison false.
    if not (array.min(initial=0.0) >= 0 and array.max(initial=0.0) < math.inf):
        _refuse(
            np.isnan(array),
            array,
            "nan is no probability; look for 0/0, log(0) or a network that diverged",
        )
        _refuse(
            array < 0,
            array,
            "a probability is never negative; are these logits? softmax makes probabilities of "
            "them",
        )
        _refuse(np.isinf(array), array, "a probability is finite")
    return array


def _mask(legal: np.ndarray, numbers: np.ndarray) -> np.ndarray:
    """`legal` as booleans of the shape of `numbers`; one mask [A] serves all rows."""
    mask = np.asarray(legal)
    fits = mask.shape in (numbers.shape, numbers.shape[-1:])
    if mask.dtype != np.bool_ or not fits:
        raise NotADistribution(
            f"a mask holds True or False for each number of {numbers.shape}; got {mask.dtype} "
            f"{mask.shape}"
        )
    return np.broadcast_to(mask, numbers.shape)


def _refuse(wrong: np.ndarray | np.bool, array: np.ndarray, reason: str) -> None:
    """Raise NotADistribution for the first True of `wrong` [..., A], or [..., 1] for whole rows."""
    if not wrong.any():
        return
    index = np.unravel_index(int(wrong.argmax()), wrong.shape)
    entry = row = ""
    if wrong.shape == array.shape and array.shape[-1] > 1:
        entry = f"entry {int(index[-1])} of "
    if len(index) > 1:
        row = f"row {', '.join(str(int(k)) for k in index[:-1])}: "
    numbers = np.array2string(array[index[:-1]], precision=4, threshold=9, edgeitems=4)
    raise NotADistribution(f"{reason} ({entry}{row}{numbers})")
