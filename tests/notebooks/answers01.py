"""What students write into the blanks of lesson 01.

ABOVE: what the lesson has defined. RIGHT[blank] -> sources, WRONG[blank] -> (mistake, source).
"""

from rlcourse.grading.answers import slip

ABOVE = "import numpy as np\n"

GUMBEL_SORT = """
def gumbel_order(p, u):
    g = -np.log(-np.log(u))
    sums = np.log(p) + g
    return np.argsort(sums)[::-1]
"""
GUMBEL_CLOCKS = """
def gumbel_order(p, u):
    times = -np.log(u) / p
    order = []
    for _ in range(len(p)):
        order.append(int(times.argmin()))
        times[order[-1]] = np.inf
    return order
"""
SOFTMAX_LINES = """
def softmax(scores, temperature):
    x = (scores - max(scores)) / temperature
    weights = np.exp(x)
    return weights / np.sum(weights)
"""
SOFTMAX_LOOP = """
def softmax(scores, temperature):
    largest = scores.max()
    weights = []
    for score in scores:
        weights.append(np.exp((score - largest) / temperature))
    return [weight / sum(weights) for weight in weights]
"""
CLIP_NUMPY = """
def clip(p, floor):
    clipped = np.minimum(np.maximum(p, floor), 1 - floor)
    return clipped / clipped.sum()
"""
CLIP_LOOP = """
def clip(p, floor):
    clipped = []
    for probability in p:
        clipped.append(min(max(probability, floor), 1 - floor))
    total = sum(clipped)
    return np.array(clipped) / total
"""

RIGHT = {
    "gumbel_order": (GUMBEL_SORT, GUMBEL_CLOCKS),
    "softmax": (SOFTMAX_LINES, SOFTMAX_LOOP),
    "clip": (CLIP_NUMPY, CLIP_LOOP),
}

WRONG = {
    "gumbel_order": (
        ("smallest_first", slip(GUMBEL_SORT, ("[::-1]", ""))),
        ("no_noise", slip(GUMBEL_SORT, (" + g", ""))),
        ("no_logarithm", slip(GUMBEL_SORT, ("np.log(p)", "p"))),
        ("one_logarithm", slip(GUMBEL_SORT, ("-np.log(-np.log(u))", "-np.log(u)"))),
        ("sign", slip(GUMBEL_SORT, ("g = -", "g = "))),
        ("only_noise", slip(GUMBEL_SORT, ("np.log(p) + ", ""))),
        ("other", slip(GUMBEL_SORT, ("-np.log(-np.log(u))", "np.log(u)"))),
        ("other", slip(GUMBEL_SORT, ("np.log(p) + g", "np.log(p) * g"))),
        ("kind", slip(GUMBEL_SORT, ("    return", "    order ="))),
    ),
    "softmax": (
        ("multiplied", slip(SOFTMAX_LINES, ("/ temperature", "* temperature"))),
        ("no_temperature", slip(SOFTMAX_LINES, (" / temperature", ""))),
        ("no_sum", slip(SOFTMAX_LINES, (" / np.sum(weights)", ""))),
        ("no_exponential", slip(SOFTMAX_LINES, ("np.exp(x)", "x"))),
        ("not_finite", slip(SOFTMAX_LINES, (" - max(scores)", ""))),
        ("not_finite", slip(SOFTMAX_LINES, ("max(scores)", "min(scores)"))),
        ("changed", slip(SOFTMAX_LINES, ("    x =", "    scores -= 1\n    x ="))),
    ),
    "clip": (
        ("no_sum", slip(CLIP_NUMPY, (" / clipped.sum()", ""))),
        (
            "no_ceiling",
            slip(
                CLIP_NUMPY, ("np.minimum(np.maximum(p, floor), 1 - floor)", "np.maximum(p, floor)")
            ),
        ),
        ("no_floor", slip(CLIP_NUMPY, ("np.maximum(p, floor)", "p"))),
        ("added", slip(CLIP_NUMPY, ("np.minimum(np.maximum(p, floor), 1 - floor)", "p + floor"))),
        ("fixed", slip(CLIP_NUMPY, ("floor):", "floor):\n    floor = 1e-5"))),
        ("changed", slip(CLIP_NUMPY, ("    clipped =", "    p[0] = floor\n    clipped ="))),
    ),
}
