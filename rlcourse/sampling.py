"""From a distribution to a move: softmax, temperature, masks, clipping, and drawing one item or a whole ranking.

A distribution is an array [..., A] of A probabilities, each >= 0, with sum 1; weights are the same without the sum. One
distribution and a batch of them go through the same lines. What is not a distribution is answered with NotADistribution.
"""

import math

import numpy as np

CLIP = (
    1e-5  # Pumperla & Ferguson's bound: no move ever gets a probability below it, or above 1 - CLIP
)


class NotADistribution(ValueError):
    """Numbers from which nothing can be drawn: NaN, negative, of the wrong shape, nothing allowed, or no sum of 1."""


def softmax(
    logits: np.ndarray, *, legal: np.ndarray | None = None, temperature: float = 1.0
) -> np.ndarray:
    """The distribution [..., A] in proportion to exp(logits / temperature), over the actions of `legal` [..., A] only.

    A logit of -inf gets probability 0, as an illegal action does. temperature: > 0; below 1 sharpens, above 1 flattens; 0 is
    the limit: all on the highest logit, shared among equals. Boltzmann distribution; Sutton & Barto (2018), eq. 13.2.
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
        raise ValueError(f"a temperature is a number >= 0, such as 0.5; got {temperature!r}")
    if temperature == 0:
        return normalize(logits == highest)
    with np.errstate(
        over="ignore"
    ):  # a tiny temperature sends differences to -inf, whose exp is the right limit 0
        return normalize(np.exp((logits - highest) / temperature))


def with_temperature(probabilities: np.ndarray, temperature: float) -> np.ndarray:
    """[..., A]: p ** (1 / temperature), renormalised: 1 changes nothing, 0 is greedy, large is near uniform over p > 0."""
    with np.errstate(divide="ignore"):
        return softmax(np.log(_weights(probabilities)), temperature=temperature)


def mask_probs(probabilities: np.ndarray, legal: np.ndarray) -> np.ndarray:
    """[..., A]: what `probabilities` says of the legal actions, with sum 1 again.

    Where it gives all of them 0 (a network that is sure of an illegal move), they are equally likely.
    """
    weights = _weights(probabilities)
    legal = _mask(legal, weights)
    _refuse(~legal.any(axis=-1, keepdims=True), weights, "no action is legal")
    kept = np.where(legal, weights, 0.0)
    return normalize(np.where((kept > 0).any(axis=-1, keepdims=True), kept, legal))


def clip_probs(probabilities: np.ndarray, clip: float = CLIP) -> np.ndarray:
    """[..., A]: every probability into [clip, 1 - clip], divided by the new sum. Pumperla & Ferguson, ch. 9.

    0 becomes about `clip` (not below clip / (1 + A clip)), 1 becomes about 1 - clip, order is kept. `clip`: 0 < clip <= 1/A.
    Refused: NaN, infinity, negative numbers, numbers above 1 (logits?), a sum that is not 1 within 0.001, no numbers.
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
        raise ValueError(
            f"clip lies above 0 and is at most 1/{p.shape[-1]}, one share of all actions; got {clip!r}"
        )
    return normalize(np.clip(p / total, clip, 1 - clip) if p.shape[-1] > 1 else np.ones_like(p))


def normalize(weights: np.ndarray) -> np.ndarray:
    """[..., A] float64: weights divided by their sum. Refuses what has no positive finite sum."""
    weights = _weights(weights)
    highest = weights.max(axis=-1, keepdims=True)
    _refuse(highest <= 0, weights, "all weights are 0: nothing can be drawn")
    weights = weights / highest  # so that the sum neither overflows nor loses subnormal weights
    return weights / weights.sum(axis=-1, keepdims=True)


def categorical_by_hand(probabilities: np.ndarray, rng: np.random.Generator) -> int:
    """One index, drawn in proportion to weights [A]: one random number, compared with one cumulative bound after the other.

    Index i owns the interval [bound i-1, bound i), so that an index of weight 0 is never drawn.
    """
    weights = normalize(_weights(probabilities, 1)).tolist()
    draw, bound, chosen = rng.random(), 0.0, 0
    for index, weight in enumerate(weights):
        bound += weight
        if weight > 0:
            chosen = index  # the last possible one also takes what rounding leaves above the highest bound
            if draw < bound:
                break
    return chosen


def categorical(weights: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """One index a row of `weights` [R, A] >= 0, drawn in proportion to them: `categorical_by_hand` for R rows. [R] int32."""
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
    """The order in which indices are drawn without replacement from each row of weights [R, A] >= 0.

    [R, A] int32, -1 behind the last index of positive weight. Likely ones tend to come first; the next in line stands in
    where a move turns out to be illegal (Pumperla & Ferguson, ch. 9).

    Gumbel top-k: sort log(weight) + Gumbel noise, highest first. It has the distribution of drawing one after the other
    without replacement (Yellott 1977; Efraimidis & Spirakis 2006; Kool, van Hoof & Welling 2019, eq. 4).
    """
    weights = normalize(_weights(weights, 2))
    with np.errstate(divide="ignore"):
        keys = np.log(weights) - np.log(
            rng.standard_exponential(weights.shape)
        )  # -log of an exponential is Gumbel
    order = np.argsort(-keys, axis=1, kind="stable").astype(np.int32)
    possible = (weights > 0).sum(axis=1, keepdims=True)
    return np.where(np.arange(weights.shape[1]) < possible, order, np.int32(-1))


def _numbers(values: np.ndarray, what: str, dimensions: int | None = None) -> np.ndarray:
    try:
        array = np.asarray(values, np.float64)
    except (TypeError, ValueError):
        raise NotADistribution(
            f"{what} are numbers, in rows of one length; got {values!r:.120}"
        ) from None
    wanted = {None: "[..., A]", 1: "[A]", 2: "[R, A]"}[dimensions]
    if array.ndim == 0 or (dimensions is not None and array.ndim != dimensions):
        hint = (
            "; write weights[None] for a single row" if (array.ndim, dimensions) == (1, 2) else ""
        )
        raise NotADistribution(f"{what} have the shape {wanted}; got {array.shape}{hint}")
    if array.shape[-1] == 0:
        raise NotADistribution(
            f"{what} of no action at all (shape {array.shape}): nothing can be drawn"
        )
    return array


def _weights(values: np.ndarray, dimensions: int | None = None) -> np.ndarray:
    array = _numbers(values, "probabilities", dimensions)
    if not (
        array.min(initial=0.0) >= 0 and array.max(initial=0.0) < math.inf
    ):  # NaN makes either comparison false
        _refuse(
            np.isnan(array),
            array,
            "nan is no probability; look for 0/0, log(0) or a network that diverged",
        )
        _refuse(
            array < 0,
            array,
            "a probability is never negative; are these logits? softmax makes probabilities of them",
        )
        _refuse(np.isinf(array), array, "a probability is finite")
    return array


def _mask(legal: np.ndarray, beside: np.ndarray) -> np.ndarray:
    mask = np.asarray(legal)
    fits = mask.shape in (beside.shape, beside.shape[-1:])
    if mask.dtype != np.bool_ or not fits:
        raise NotADistribution(
            f"a mask holds True or False for each number of {beside.shape}; got {mask.dtype} {mask.shape}"
        )
    return np.broadcast_to(mask, beside.shape)


def _refuse(wrong: np.ndarray, array: np.ndarray, why: str) -> None:
    """Raise NotADistribution for the first True of `wrong` ([..., A], or [..., 1] for whole rows), with its place."""
    if not wrong.any():
        return
    place = np.unravel_index(int(wrong.argmax()), wrong.shape)
    row = ", ".join(str(int(k)) for k in place[:-1])
    numbers = np.array2string(array[place[:-1]], precision=4, threshold=9, edgeitems=4)
    entry = (
        f"entry {int(place[-1])} of " if wrong.shape == array.shape and array.shape[-1] > 1 else ""
    )
    raise NotADistribution(f"{why} ({entry}{f'row {row}: ' if row else ''}{numbers})")
