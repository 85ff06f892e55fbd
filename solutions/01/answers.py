"""Answers to sheet 01 as students write them: RIGHT[task] -> sources, WRONG[task] ->
(mistake it must be told, source).

A wrong answer is a right one with one slip; `slip(source, old, new)` shows which. No answer looks
at the course's oracle, but those that are handed in as the reference itself.
"""

from rlcourse.grading.answers import slip

# --- boltzmann ------------------------------------------------------------------------------------

BOLTZMANN_ARRAYS = """
import numpy as np

def boltzmann(q, legal, player, temperature):
    values = q if player == 0 else -q
    logits = np.where(legal, values / temperature, -np.inf)
    weights = np.exp(logits - logits.max())
    return weights / weights.sum()
"""

BOLTZMANN_LOOP = """
from math import exp

def boltzmann(q, legal, player, temperature):
    sign = 1 if player == 0 else -1
    best = max(sign * value for value, allowed in zip(q, legal) if allowed)
    weights = [exp((sign * value - best) / temperature) if allowed else 0.0 for value, allowed in zip(q, legal)]
    total = sum(weights)
    return [weight / total for weight in weights]
"""

BOLTZMANN_SCIPY = """
import numpy as np
import warnings
from scipy.special import log_softmax

def boltzmann(q, legal, player, temperature):
    warnings.warn("this answer is right and noisy")
    p = np.zeros(len(q))
    moves = np.flatnonzero(legal)
    p[moves] = np.exp(log_softmax((-1) ** player * q[moves] / temperature))
    return p
"""

BOLTZMANN_RIGHT = [BOLTZMANN_ARRAYS, BOLTZMANN_LOOP, BOLTZMANN_SCIPY]
BOLTZMANN_WRONG = [
    (
        "other_temperature",
        slip(BOLTZMANN_ARRAYS, ("values / temperature", "values / max(temperature, 0.01)")),
    ),
    ("other_temperature", slip(BOLTZMANN_ARRAYS, ("/ temperature", "/ temperature**2"))),
    ("other_temperature", slip(BOLTZMANN_LOOP, (" / temperature)", " / (temperature + 0.01))"))),
    ("inverted", slip(BOLTZMANN_ARRAYS, ("values / temperature", "values * temperature"))),
    ("inverted", slip(BOLTZMANN_LOOP, (" / temperature)", " * temperature)"))),
    ("temperature", slip(BOLTZMANN_ARRAYS, ("values / temperature", "values"))),
    ("sign", slip(BOLTZMANN_LOOP, ("1 if player == 0 else -1", "1"))),
    ("other_player", slip(BOLTZMANN_ARRAYS, ("player == 0", "player == 1"))),
    (
        "mask",
        slip(
            BOLTZMANN_ARRAYS,
            ("np.where(legal, values / temperature, -np.inf)", "values / temperature"),
        ),
    ),
    (
        "late_mask",
        slip(
            BOLTZMANN_ARRAYS,
            ("np.where(legal, values / temperature, -np.inf)", "values / temperature"),
            (
                "return weights / weights.sum()",
                "return np.where(legal, weights / weights.sum(), 0)",
            ),
        ),
    ),
    ("zero", slip(BOLTZMANN_ARRAYS, ("values / temperature, -np.inf", "values / temperature, 0"))),
    (
        "zero",
        slip(
            BOLTZMANN_ARRAYS,
            ("np.where(legal, values / temperature, -np.inf)", "legal * values / temperature"),
        ),
    ),
    ("not_finite", slip(BOLTZMANN_ARRAYS, (" - logits.max()", ""))),
    (
        "not_finite",
        slip(BOLTZMANN_ARRAYS, ("logits - logits.max()", "logits - (values / temperature).max()")),
    ),
    (
        "not_finite",
        slip(
            BOLTZMANN_LOOP,
            ("if player == 0 else -1", "if player == 0 else -1\n    q = q.tolist() + [0]"),
            ("zip(q, legal) if allowed)", "zip(q, [*legal, True]) if allowed)"),
            ("total = sum(weights)", "total = sum(weights) or float('nan')"),
        ),
    ),
    (
        "cold_best",
        slip(
            BOLTZMANN_SCIPY,
            (
                "    return p",
                "    if temperature <= 0.005:\n"
                "        p = (np.arange(len(q)) == np.argmax(p)).astype(float)\n"
                "    return p",
            ),
        ),
    ),
    (
        "clipped",
        slip(
            BOLTZMANN_ARRAYS,
            (
                "np.exp(logits - logits.max())",
                "np.where(legal, np.exp(np.clip(logits, -700, 700)), 0)",
            ),
        ),
    ),
    (
        "clipped",
        slip(
            BOLTZMANN_LOOP,
            (
                "exp((sign * value - best) / temperature)",
                "exp(max(-700, min(700, sign * value / temperature)))",
            ),
        ),
    ),
    ("changed", slip(BOLTZMANN_ARRAYS, ("    values =", "    q[~legal] = 0.0\n    values ="))),
    (
        "other_temperature",
        "MEMO = {}\n"
        + slip(
            BOLTZMANN_LOOP,
            (
                "    return [weight / total for weight in weights]",
                "    return MEMO.setdefault((q.tobytes(), legal.tobytes()), [weight / total "
                "for weight in weights])",
            ),
        ),
    ),
    ("shape", slip(BOLTZMANN_SCIPY, ("    return p", "    return p[moves]"))),
    ("shape", slip(BOLTZMANN_SCIPY, ("np.zeros(len(q))", "np.zeros(9)"))),
    (
        "imported",
        "from rlcourse.sampling import softmax\ndef boltzmann(q, legal, player, temperature):\n"
        "    return softmax(q if player == 0 else -q, legal=legal, temperature=temperature)",
    ),
    ("imported", "from rlcourse.checks.oracle01 import boltzmann"),
    ("other", slip(BOLTZMANN_ARRAYS, ("-np.inf", "-1000.0"))),
]

# --- clip_legal -----------------------------------------------------------------------------------

CLIP_ARRAYS = """
import numpy as np

def clip_legal(p, legal, floor):
    kept = np.where(legal, p, 0.0)
    nothing = kept.sum(axis=1) == 0
    kept[nothing] = legal[nothing]
    kept = kept / kept.sum(axis=1, keepdims=True)
    kept = np.clip(kept, floor, 1 - floor)
    kept[~legal] = 0.0
    return kept / kept.sum(axis=1, keepdims=True)
"""

CLIP_ROWS = """
import numpy as np

def clip_legal(p, legal, floor):
    result = np.zeros(p.shape)
    for b in range(len(p)):
        moves = np.flatnonzero(legal[b])
        total = p[b, moves].sum()
        shares = p[b, moves] / total if total > 0 else np.ones(len(moves)) / len(moves)
        shares = np.minimum(np.maximum(shares, floor), 1 - floor)
        result[b, moves] = shares / shares.sum()
    return result
"""

CLIP_LISTS = """
def clip_legal(p, legal, floor):
    answer = []
    for row, mask in zip(p.tolist(), legal.tolist()):
        total = sum(x for x, ok in zip(row, mask) if ok)
        n = sum(mask)
        clipped = [min(max(x / total if total else 1 / n, floor), 1 - floor) if ok else 0.0 for x, ok in zip(row, mask)]
        answer.append([x / sum(clipped) for x in clipped])
    return answer
"""

CLIP_RIGHT = [CLIP_ARRAYS, CLIP_ROWS, CLIP_LISTS]
CLIP_WRONG = [
    (
        "mask_last",
        slip(
            CLIP_ARRAYS,
            ("    kept[~legal] = 0.0\n    return kept / kept", "    kept = kept / kept"),
        )
        + "    kept[~legal] = 0.0\n    return kept\n",
    ),
    (
        "as_given",
        slip(
            CLIP_ARRAYS,
            ("np.clip(kept, floor, 1 - floor)", "np.minimum(kept, 1 - floor)"),
            (
                "    kept[~legal] = 0.0\n    return kept / kept.sum(axis=1, keepdims=True)",
                "    return kept / kept.sum()",
            ),
        ),
    ),
    (
        "above_only",
        slip(CLIP_ARRAYS, ("np.clip(kept, floor, 1 - floor)", "np.minimum(kept, 1 - floor)")),
    ),
    (
        "below_only",
        slip(
            CLIP_ROWS,
            ("np.minimum(np.maximum(shares, floor), 1 - floor)", "np.maximum(shares, floor)"),
        ),
    ),
    ("not_renormalised", slip(CLIP_ROWS, ("= shares / shares.sum()", "= shares"))),
    ("illegal_too", slip(CLIP_ARRAYS, ("    kept[~legal] = 0.0\n", ""))),
    (
        "mask_late",
        slip(
            CLIP_ARRAYS,
            ("    kept = kept / kept.sum(axis=1, keepdims=True)\n    kept = np", "    kept = np"),
        ),
    ),
    (
        "mask_late",
        "import numpy as np\n"
        "def clip_legal(p, legal, floor):\n"
        "    kept = np.clip(p, floor, 1 - floor) * legal\n"
        "    return kept / kept.sum(axis=1, keepdims=True)",
    ),
    (
        "zeros_only",
        slip(
            CLIP_ARRAYS,
            (
                "np.clip(kept, floor, 1 - floor)",
                "np.where(kept == 0, floor, np.minimum(kept, 1 - floor))",
            ),
        ),
    ),
    (
        "zeros_only",
        slip(
            CLIP_ROWS,
            (
                "np.minimum(np.maximum(shares, floor), 1 - floor)",
                "np.minimum([share if share > 0 else floor for share in shares], 1 - floor)",
            ),
        ),
    ),
    ("changed", slip(CLIP_ROWS, ("    result =", "    p[~legal] = 0.0\n    result ="))),
    (
        "other",
        "MEMO = {}\n"
        + slip(
            CLIP_LISTS,
            (
                "    return answer",
                "    return MEMO.setdefault((p.tobytes(), legal.tobytes()), answer)",
            ),
        ),
    ),
    (
        "other",
        "MEMO = {}\n"
        + slip(
            CLIP_LISTS,
            (
                "    return answer",
                "    return MEMO.setdefault(floor, answer) if len(p) == 1 else answer",
            ),
            ("    answer = []", "    answer = []\n    if len(p) == 1:\n        return p.tolist()"),
        ),
    ),
    (
        "floor",
        slip(CLIP_ARRAYS, ("np.clip(kept, floor, 1 - floor)", "np.clip(kept, 1e-5, 1 - 1e-5)")),
    ),
    (
        "whole_batch",
        slip(
            CLIP_ARRAYS,
            (
                "    kept[~legal] = 0.0\n    return kept / kept.sum(axis=1, keepdims=True)",
                "    kept[~legal] = 0.0\n    return kept / kept.sum()",
            ),
        ),
    ),
    (
        "changed",
        slip(
            CLIP_ARRAYS,
            ("    kept = np.where(legal, p, 0.0)\n", "    kept = p\n    kept[~legal] = 0.0\n"),
        ),
    ),
    (
        "all_share",
        slip(
            CLIP_ROWS,
            (
                "        shares = p",
                "        if total == 0:\n"
                "            result[b] = 1 / p.shape[1]\n"
                "            continue\n"
                "        shares = p",
            ),
        ),
    ),
    (
        "clipped_again",
        slip(
            CLIP_ROWS,
            (
                "= shares / shares.sum()",
                "= np.minimum(1 - floor, np.maximum(floor, shares / shares.sum()))",
            ),
        ),
    ),
    (
        "exact_floor",
        slip(
            CLIP_ROWS,
            (
                "        shares = np.minimum(np.maximum(shares, floor), 1 - floor)\n"
                "        result[b, moves] = shares / shares.sum()",
                "        high = shares >= floor\n"
                "        shares[high] *= (1 - floor * (~high).sum()) / shares[high].sum()\n"
                "        result[b, moves] = np.where(high, shares, floor)",
            ),
        ),
    ),
    ("not_finite", slip(CLIP_ARRAYS, ("    kept[nothing] = legal[nothing]\n", ""))),
    (
        "imported",
        "import numpy as np\n"
        "from rlcourse.sampling import clip_probs, mask_probs\n"
        "def clip_legal(p, legal, floor):\n"
        "    return mask_probs(clip_probs(mask_probs(p, legal), floor), legal)",
    ),
]

# --- draft ----------------------------------------------------------------------------------------

DRAFT_CHOICE = """
import numpy as np

def draft(tickets, places, n, rng):
    p = tickets / tickets.sum()
    return np.array([rng.choice(len(p), size=places, replace=False, p=p) for _ in range(n)])
"""

DRAFT_URN = """
def draft(tickets, places, n, rng):
    lists = []
    for _ in range(n):
        left = [int(t) for t in tickets]
        order = []
        while len(order) < places:
            number = rng.integers(sum(left))
            for name, t in enumerate(left):
                if number < t:
                    break
                number -= t
            order.append(name)
            left[name] = 0
        lists.append(order)
    return lists
"""

DRAFT_AGAIN = """
import numpy as np

def draft(tickets, places, n, rng):
    bounds = np.cumsum(tickets) / np.sum(tickets)
    result = np.zeros((n, places), dtype=int)
    for row in result:
        order = []
        while len(order) < places:
            name = int(np.searchsorted(bounds, rng.random(), side="right"))
            if name not in order:
                order.append(name)
        row[:] = order
    return result
"""

DRAFT_KEYS = """
import numpy as np

def draft(tickets, places, n, rng):
    with np.errstate(divide="ignore"):
        keys = np.log(tickets) + rng.gumbel(size=(n, len(tickets)))
    return np.argsort(-keys, axis=1)[:, :places]
"""

DRAFT_LIST = slip(
    DRAFT_CHOICE, ("np.array([rng", "[rng"), ("for _ in range(n)])", "for _ in range(n)]")
)
DRAFT_RIGHT = [DRAFT_LIST, DRAFT_CHOICE, DRAFT_URN, DRAFT_AGAIN, DRAFT_KEYS]
DRAFT_WRONG = [
    ("one_ticket", slip(DRAFT_URN, ("left[name] = 0", "left[name] -= 1"))),
    ("replacement", slip(DRAFT_CHOICE, ("replace=False", "replace=True"))),
    ("replacement", slip(DRAFT_URN, ("            left[name] = 0\n", ""))),
    (
        "all_again",
        slip(
            DRAFT_AGAIN,
            (
                "            if name not in order:\n                order.append(name)",
                "            order = order + [name] if name not in order else []",
            ),
        ),
    ),
    (
        "not_renormalised",
        "import numpy as np\n"
        "def draft(tickets, places, n, rng):\n"
        "    lists = []\n"
        "    for _ in range(n):\n"
        "        p = tickets / tickets.sum()\n"
        "        order = []\n"
        "        for _ in range(places):\n"
        "            bounds = np.cumsum(p)\n"
        "            name = min(int((bounds <= rng.random()).sum()), len(p) - 1)\n"
        "            order.append(name)\n"
        "            p[name] = 0.0\n"
        "        lists.append(order)\n"
        "    return lists",
    ),
    (
        "uniform_rest",
        slip(
            DRAFT_URN,
            (
                "            left[name] = 0\n",
                "            left = [0 if k == name or t == 0 else 1 for k, t "
                "in enumerate(left)]\n",
            ),
        ),
    ),
    (
        "uniform",
        slip(DRAFT_CHOICE, ("tickets / tickets.sum()", "(tickets > 0) / (tickets > 0).sum()")),
    ),
    ("sorted", slip(DRAFT_URN, ("lists.append(order)", "lists.append(sorted(order))"))),
    (
        "repeated",
        slip(
            DRAFT_KEYS, (" + rng.gumbel(size=(n, len(tickets)))", " + np.zeros((n, len(tickets)))")
        ),
    ),
    (
        "shifted",
        "import numpy as np\n"
        "def draft(tickets, places, n, rng):\n"
        "    lists = []\n"
        "    for _ in range(n):\n"
        "        left, order = tickets.astype(float), []\n"
        "        for _ in range(places):\n"
        "            order.append(int(rng.choice(len(left), p=left / left.sum())))\n"
        "            left = np.delete(left, order[-1])\n"
        "        lists.append(order)\n"
        "    return lists",
    ),
    ("repeated", slip(DRAFT_CHOICE, ("[rng.choice(", "[np.random.default_rng(2).choice("))),
    ("distribution", slip(DRAFT_KEYS, ("np.log(tickets)", "tickets"))),
    (
        "rng",
        slip(
            DRAFT_CHOICE, ("    p = tickets", "    rng = np.random.default_rng()\n    p = tickets")
        ),
    ),
    (
        "rng",
        slip(
            DRAFT_CHOICE, ("    p = tickets", "    rng = np.random.default_rng(5)\n    p = tickets")
        ),
    ),
    ("rng", slip(DRAFT_CHOICE, ("rng.choice", "np.random.choice"))),
    (
        "rng",
        "import random\n"
        + slip(DRAFT_URN, ("rng.integers(sum(left))", "random.randrange(sum(left))")),
    ),
    (
        "rng",
        "import secrets\n"
        + slip(DRAFT_URN, ("rng.integers(sum(left))", "secrets.randbelow(sum(left))")),
    ),
    (
        "rng",
        "import time\n"
        + slip(
            DRAFT_KEYS, ("    with", "    rng = np.random.default_rng(time.time_ns())\n    with")
        ),
    ),
    (
        "rng",
        "import random\n"
        + slip(
            DRAFT_URN,
            ("rng.integers(sum(left))", "random.randrange(sum(left))"),
            ("    lists = []", "    lists = []\n    random.seed(7)"),
        ),
    ),
    (
        "changed",
        slip(
            DRAFT_URN,
            ("left = [int(t) for t in tickets]", "left = tickets.copy()"),
            ("    return lists", "    tickets -= tickets.min() + 1\n    return lists"),
        ),
    ),
    (
        "shape",
        "MEMO = {}\n"
        + slip(
            DRAFT_CHOICE,
            ("    return np.array(", "    return MEMO.setdefault(tickets.tobytes(), np.array("),
            ("range(n)])", "range(n)]))"),
        ),
    ),
    ("kind", slip(DRAFT_URN, ("order.append(name)", "order.append('abcd'[name])"))),
    (
        "shape",
        slip(
            DRAFT_KEYS,
            ("[:, :places]", ""),
            ("return np.argsort(-keys, axis=1)", "return np.argsort(-keys, axis=1)[0]"),
        ),
    ),
    (
        "imported",
        "from rlcourse.sampling import ranked\n"
        "import numpy as np\n"
        "def draft(tickets, places, n, rng):\n"
        "    return ranked(np.tile(tickets, (n, 1)), rng)[:, :places]",
    ),
]

# --- box_returns ----------------------------------------------------------------------------------

BOX_BACKWARDS = """
import numpy as np

def box_returns(mover, boxes, gamma):
    returns, following = np.zeros(len(mover)), 0.0
    for t in reversed(range(len(mover))):
        if t + 1 < len(mover) and mover[t + 1] != mover[t]:
            following = -following
        following = boxes[t] + gamma * following
        returns[t] = following
    return returns
"""

BOX_DOUBLE = """
def box_returns(mover, boxes, gamma):
    returns = []
    for t in range(len(mover)):
        total, factor = 0.0, 1.0
        for u in range(t, len(mover)):
            sign = 1 if mover[u] == mover[t] else -1
            total += factor * sign * boxes[u]
            factor *= gamma
        returns.append(total)
    return returns
"""

BOX_ACCOUNT = """
import numpy as np

def box_returns(mover, boxes, gamma):
    side = np.where(np.asarray(mover) == 0, 1.0, -1.0)
    account = np.zeros(len(side) + 1)
    for t in range(len(side) - 1, -1, -1):
        account[t] = side[t] * boxes[t] + gamma * account[t + 1]
    return side * account[:-1]
"""

BOX_RIGHT = [BOX_BACKWARDS, BOX_DOUBLE, BOX_ACCOUNT]
BOX_WRONG = [
    ("no_gamma", slip(BOX_BACKWARDS, ("+ gamma * following", "+ following"))),
    (
        "per_turn",
        slip(
            BOX_DOUBLE,
            (
                "            factor *= gamma",
                "            if mover[u] != mover[min(u + 1, len(mover) - 1)]:\n                factor *= gamma",
            ),
        ),
    ),
    (
        "before",
        slip(BOX_BACKWARDS, ("t + 1 < len(mover) and mover[t + 1]", "t > 0 and mover[t - 1]")),
    ),
    (
        "own_discounted",
        slip(BOX_BACKWARDS, ("boxes[t] + gamma * following", "gamma * (boxes[t] + following)")),
    ),
    ("wrong_end", slip(BOX_DOUBLE, ("factor * sign", "gamma ** u * sign"))),
    ("past", slip(BOX_DOUBLE, ("range(t, len(mover))", "range(t, -1, -1)"))),
    (
        "late",
        slip(
            BOX_DOUBLE, ("range(t, len(mover))", "range(t + 1, len(mover))"), ("1.0\n", "gamma\n")
        ),
    ),
    ("one_account", slip(BOX_ACCOUNT, ("return side * account", "return account"))),
    (
        "wrong_player",
        slip(
            BOX_DOUBLE, ("1 if mover[u] == mover[t] else -1", "-1 if mover[u] == mover[t] else 1")
        ),
    ),
    (
        "alternates",
        slip(BOX_BACKWARDS, ("if t + 1 < len(mover) and mover[t + 1] != mover[t]:", "if True:")),
    ),
    (
        "next_boxes",
        slip(
            BOX_DOUBLE,
            ("total, factor = 0.0, 1.0", "total, factor, sign = 0.0, 1.0, 1"),
            ("1 if mover[u] == mover[t] else -1", "-sign if u > t and boxes[u] == 0 else sign"),
        ),
    ),
    ("own_only", slip(BOX_DOUBLE, ("else -1", "else 0"))),
    ("no_sign", slip(BOX_BACKWARDS, ("following = -following", "pass"))),
    (
        "changed",
        slip(BOX_DOUBLE, ("    returns = []", "    returns = []\n    mover[:] = 1 - 2 * mover")),
    ),
    (
        "other",
        "MEMO = {}\n"
        + slip(
            BOX_DOUBLE,
            (
                "    return returns",
                "    return MEMO.setdefault((mover.tobytes(), boxes.tobytes()), returns)",
            ),
        ),
    ),
    ("gamma", slip(BOX_ACCOUNT, ("gamma * account", "0.9 * account"))),
    ("whole", slip(BOX_BACKWARDS, ("np.zeros(len(mover))", "np.zeros_like(boxes)"))),
    (
        "imported",
        "import numpy as np\n"
        "from rlcourse.experience import discounted_returns\n"
        "def box_returns(mover, boxes, gamma):\n"
        "    side = 1 - 2 * mover\n"
        "    return side * discounted_returns(side * boxes, gamma)",
    ),
    (
        "imported",
        "from rlcourse.checks import oracle01\ndef box_returns(mover, boxes, gamma):\n"
        "    return oracle01.box_returns(mover, boxes, gamma)",
    ),
]

RIGHT = {
    "boltzmann": BOLTZMANN_RIGHT,
    "clip_legal": CLIP_RIGHT,
    "draft": DRAFT_RIGHT,
    "box_returns": BOX_RIGHT,
}
WRONG = {
    "boltzmann": BOLTZMANN_WRONG,
    "clip_legal": CLIP_WRONG,
    "draft": DRAFT_WRONG,
    "box_returns": BOX_WRONG,
}
