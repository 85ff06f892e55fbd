"""Answers to sheet 02 as students write them: RIGHT[task] -> sources, WRONG[task] ->
(mistake it must be told, source).

A wrong answer is a right one with one slip; `slip(source, old, new)` shows which. No answer looks
at the course's oracle, but those that are handed in as the reference itself.
"""

from rlcourse.grading.answers import slip

# --- sweep ----------------------------------------------------------------------------------------

SWEEP_ARRAYS = """
import numpy as np

def sweep(values, P, R, terminal, gamma):
    future = np.where(terminal, 0.0, values)
    q = np.sum(P * (R + gamma * future), axis=2)
    best = q.max(axis=1)
    best[terminal] = 0.0
    return best
"""

SWEEP_LOOPS = """
import numpy as np

def sweep(values, P, R, terminal, gamma):
    states, actions, _ = P.shape
    new = np.zeros(states)
    for s in range(states):
        if terminal[s]:
            continue
        candidates = []
        for a in range(actions):
            total = 0.0
            for t in range(states):
                ahead = 0.0 if terminal[t] else values[t]
                total += P[s, a, t] * (R[s, a, t] + gamma * ahead)
            candidates.append(total)
        new[s] = max(candidates)
    return new
"""

SWEEP_EINSUM = """
import numpy as np
import warnings

def sweep(values, P, R, terminal, gamma):
    warnings.warn("this answer is right and noisy")
    expected_reward = np.einsum("sat,sat->sa", P, R)
    expected_value = np.einsum("sat,t->sa", P, values * ~terminal)
    return list(np.max(expected_reward + gamma * expected_value, axis=1) * ~terminal)
"""

SWEEP_RIGHT = [SWEEP_ARRAYS, SWEEP_LOOPS, SWEEP_EINSUM]
SWEEP_WRONG = [
    ("no_gamma", slip(SWEEP_ARRAYS, ("R + gamma * future", "R + future"))),
    (
        "mean_rewards",
        slip(SWEEP_EINSUM, ('np.einsum("sat,sat->sa", P, R)', "np.average(R, axis=2)")),
    ),
    (
        "last_reward",
        slip(
            SWEEP_LOOPS,
            (
                "total += P[s, a, t] * (R[s, a, t] + gamma * ahead)",
                "total += 0.0 if terminal[t] else P[s, a, t] * (R[s, a, t] + gamma * ahead)",
            ),
        ),
    ),
    ("bootstrap", slip(SWEEP_ARRAYS, ("np.where(terminal, 0.0, values)", "values"))),
    ("bootstrap", slip(SWEEP_LOOPS, ("0.0 if terminal[t] else values[t]", "values[t]"))),
    (
        "in_place",
        slip(
            SWEEP_LOOPS,
            ("new = np.zeros(states)", "new = np.where(terminal, 0.0, values)"),
            ("else values[t]", "else new[t]"),
        ),
    ),
    ("gamma", slip(SWEEP_ARRAYS, ("gamma * future", "0.9 * future"))),
    (
        "likeliest",
        slip(
            SWEEP_ARRAYS,
            (
                "np.sum(P * (R + gamma * future), axis=2)",
                "np.take_along_axis(R + gamma * future, P.argmax(axis=2)[:, :, "
                "None], axis=2)[:, :, 0]",
            ),
        ),
    ),
    (
        "plain_rewards",
        slip(
            SWEEP_ARRAYS,
            ("np.sum(P * (R + gamma * future), axis=2)", "R.sum(axis=2) + gamma * P @ future"),
        ),
    ),
    ("late_reward", slip(SWEEP_ARRAYS, ("(R + gamma * future)", "gamma * (R + future)"))),
    ("average", slip(SWEEP_ARRAYS, ("q.max(axis=1)", "q.mean(axis=1)"))),
    ("minimum", slip(SWEEP_LOOPS, ("max(candidates)", "min(candidates)"))),
    ("from_zero", slip(SWEEP_LOOPS, ("max(candidates)", "max(0.0, *candidates)"))),
    ("from_zero", slip(SWEEP_ARRAYS, ("q.max(axis=1)", "q.max(axis=1, initial=0.0)"))),
    ("finished", slip(SWEEP_ARRAYS, ("best[terminal] = 0.0", "best[terminal] = values[terminal]"))),
    ("finished", slip(SWEEP_LOOPS, ("new = np.zeros(states)", "new = values.copy()"))),
    ("goes_on", slip(SWEEP_ARRAYS, ("    best[terminal] = 0.0\n", ""))),
    (
        "changed",
        slip(
            SWEEP_ARRAYS,
            (
                "    future = np.where(terminal, 0.0, values)",
                "    future = values\n    future[terminal] = 0.0",
            ),
        ),
    ),
    (
        "other",
        "MEMO = {}\n"
        + slip(SWEEP_ARRAYS, ("return best", "return MEMO.setdefault((P.tobytes(), gamma), best)")),
    ),
    ("imported", "from rlcourse.checks.oracle02 import sweep"),
    (
        "no_end",
        slip(
            SWEEP_EINSUM, ("values * ~terminal", "values"), (", axis=1) * ~terminal", ", axis=1)")
        ),
    ),
    (
        "kept_end",
        slip(
            SWEEP_LOOPS,
            ("new = np.zeros(states)", "new = values.copy()"),
            ("0.0 if terminal[t] else values[t]", "values[t]"),
        ),
    ),
    (
        "best_next",
        slip(
            SWEEP_LOOPS,
            ("total = 0.0", "total = -np.inf"),
            (
                "total += P[s, a, t] * (R[s, a, t] + gamma * ahead)",
                "total = max(total, R[s, a, t] + gamma * ahead) if P[s, a, t] else total",
            ),
        ),
    ),
    (
        "never_falls",
        slip(
            SWEEP_ARRAYS,
            ("    best[terminal]", "    best = np.maximum(best, values)\n    best[terminal]"),
        ),
    ),
    (
        "myopic",
        slip(
            SWEEP_ARRAYS,
            ("q.max(axis=1)", "q[np.arange(len(q)), (P * R).sum(axis=2).argmax(axis=1)]"),
        ),
    ),
]

# --- nim_update -----------------------------------------------------------------------------------

NIM_PLAIN = """
def nim_update(q, heap, take, alpha, gamma):
    rest = heap - take
    if rest == 0:
        target = -1.0
    else:
        target = -gamma * max(q[rest, :min(3, rest)])
    old = q[heap, take - 1]
    return old + alpha * (target - old)
"""

NIM_MIXED = """
import numpy as np

def nim_update(q, heap, take, alpha, gamma):
    left = heap - take
    legal = [k for k in (1, 2, 3) if k <= left]
    value_of_opponent = np.max([q[left][k - 1] for k in legal], initial=-np.inf) if legal else 0.0
    reward = 0.0 if left else -1.0
    return (1 - alpha) * q[heap][take - 1] + alpha * (reward - gamma * value_of_opponent)
"""

NIM_RIGHT = [NIM_PLAIN, NIM_MIXED]
NIM_WRONG = [
    ("no_gamma", slip(NIM_PLAIN, ("-gamma * max", "-max"))),
    ("gamma_twice", slip(NIM_MIXED, ("reward - gamma *", "reward - gamma * gamma *"))),
    ("sign", slip(NIM_PLAIN, ("-gamma * max", "gamma * max"))),
    ("opponent_minimises", slip(NIM_PLAIN, ("-gamma * max", "-gamma * min"))),
    ("bootstrap", slip(NIM_PLAIN, ("target = -1.0", "target = -1.0 - gamma * max(q[0])"))),
    ("reward_sign", slip(NIM_MIXED, ("else -1.0", "else 1.0"))),
    ("alpha", slip(NIM_PLAIN, ("old + alpha * (target - old)", "target"))),
    ("gamma", slip(NIM_MIXED, ("reward - gamma *", "reward - 0.9 *"))),
    ("mask", slip(NIM_PLAIN, ("q[rest, :min(3, rest)]", "q[rest]"))),
    ("late_mask", slip(NIM_PLAIN, ("min(3, rest)", "min(3, heap)"))),
    (
        "steps_swapped",
        slip(NIM_MIXED, ("(1 - alpha) *", "alpha *"), ("+ alpha *", "+ (1 - alpha) *")),
    ),
    (
        "steps_swapped",
        slip(NIM_PLAIN, ("old + alpha * (target - old)", "target + alpha * (old - target)")),
    ),
    ("from_zero", slip(NIM_PLAIN, ("max(q[rest", "max(0.0, *q[rest"))),
    ("from_zero", slip(NIM_MIXED, ("initial=-np.inf", "initial=0.0"))),
    (
        "changed",
        slip(
            NIM_PLAIN,
            (
                "    return old",
                "    q[heap, take - 1] = old + alpha * (target - old)\n    return old",
            ),
        ),
    ),
    (
        "other",
        "MEMO = {}\n"
        + slip(
            NIM_PLAIN,
            (
                "    return old + alpha * (target - old)",
                "    return MEMO.setdefault((heap, take, alpha, gamma), old + "
                "alpha * (target - old))",
            ),
        ),
    ),
    ("least", slip(NIM_PLAIN, ("-gamma * max(", "gamma * min("))),
    ("ply", slip(NIM_PLAIN, ("max(q[rest, :min(3, rest)])", "max(q[heap, :min(3, heap)])"))),
    (
        "imported",
        "import rlcourse.checks.reference02 as answers\n"
        "def nim_update(*args):\n"
        "    return answers.nim_update(*args)",
    ),
    ("other", slip(NIM_PLAIN, ("min(3, rest)", "min(2, rest)"))),
    ("other", slip(NIM_MIXED, ("(1, 2, 3)", "(1, 3)"))),
    ("other", slip(NIM_PLAIN, ("max(q[rest, :min(3, rest)])", "q[rest, 0]"))),
    (
        "foreseen",
        slip(
            NIM_MIXED,
            (
                "    reward =",
                "    if left == 1:\n        return (1 - alpha) * q[heap][take - 1] + alpha\n    reward =",
            ),
        ),
    ),
    (
        "foreseen_late",
        slip(
            NIM_PLAIN, ("    else:\n", "    elif rest == 1:\n        target = gamma\n    else:\n")
        ),
    ),
    ("average", slip(NIM_PLAIN, ("max(q[rest, :min(3, rest)])", "q[rest, :min(3, rest)].mean()"))),
    ("end_at_once", slip(NIM_PLAIN, ("target = -1.0", "return -1.0"))),
    (
        "late_reward",
        slip(
            NIM_MIXED,
            ("reward - gamma * value_of_opponent", "gamma * (reward - value_of_opponent)"),
        ),
    ),
    ("no_reward", slip(NIM_PLAIN, ("target = -1.0", "target = 0.0"))),
    ("no_difference", slip(NIM_PLAIN, ("(target - old)", "target"))),
]

# --- choose ---------------------------------------------------------------------------------------

CHOOSE_LISTS = """
import numpy as np

def choose(q, visits, legal, player, epsilon, rng):
    moves = np.flatnonzero(legal)
    if rng.random() < epsilon:
        fewest = min(visits[m] for m in moves)
        return rng.choice([m for m in moves if visits[m] == fewest])
    sign = 1 if player == 0 else -1
    best = max(sign * q[m] for m in moves)
    return rng.choice([m for m in moves if sign * q[m] == best])
"""

CHOOSE_ARRAYS = """
import numpy as np

def choose(q, visits, legal, player, epsilon, rng):
    if rng.random() >= epsilon:
        key = np.where(legal, q * (-1) ** player, -np.inf)
    else:
        key = np.where(legal, -visits, -np.inf)
    order = rng.permutation(len(q))
    return int(order[np.argmax(key[order])])
"""

CHOOSE_NOISE = """
import numpy as np

def choose(q, visits, legal, player, epsilon, rng):
    explore = rng.uniform() < epsilon
    score = -visits.astype(float) if explore else (q if player == 0 else -q)
    tie_breaker = rng.random(len(q))
    candidates = [a for a in range(len(q)) if legal[a]]
    return max(candidates, key=lambda a: (score[a], tie_breaker[a]))
"""

CHOOSE_RIGHT = [CHOOSE_LISTS, CHOOSE_ARRAYS, CHOOSE_NOISE]
CHOOSE_WRONG = [
    (
        "mask",
        slip(CHOOSE_ARRAYS, ("np.where(legal, q * (-1) ** player, -np.inf)", "q * (-1) ** player")),
    ),
    (
        "zero",
        slip(
            CHOOSE_ARRAYS,
            ("np.where(legal, q * (-1) ** player, -np.inf)", "q * (-1) ** player * legal"),
        ),
    ),
    (
        "least_of_all",
        slip(
            CHOOSE_LISTS,
            (
                "        fewest = min(visits[m] for m in moves)\n",
                "        fewest = visits.min()\n"
                "        if fewest not in visits[moves]:\n"
                "            return rng.choice(moves)\n",
            ),
        ),
    ),
    ("illegal", slip(CHOOSE_ARRAYS, ("np.where(legal, -visits, -np.inf)", "-visits"))),
    ("uniform", slip(CHOOSE_LISTS, ("[m for m in moves if visits[m] == fewest]", "moves"))),
    (
        "untried",
        slip(
            CHOOSE_ARRAYS,
            ("np.where(legal, -visits, -np.inf)", "np.where(legal, visits == 0, -np.inf)"),
        ),
    ),
    (
        "untried",
        slip(
            CHOOSE_LISTS,
            (
                "rng.choice([m for m in moves if visits[m] == fewest])",
                "rng.choice([m for m in moves if not visits[m]] or moves)",
            ),
        ),
    ),
    ("inverted", slip(CHOOSE_LISTS, ("rng.random() < epsilon", "rng.random() > epsilon"))),
    ("epsilon", slip(CHOOSE_LISTS, ("< epsilon", "< 0.1"))),
    ("never", slip(CHOOSE_LISTS, ("rng.random() < epsilon", "False"))),
    (
        "ties",
        slip(
            CHOOSE_LISTS,
            (
                "rng.choice([m for m in moves if sign * q[m] == best])",
                "[m for m in moves if sign * q[m] == best][0]",
            ),
        ),
    ),
    (
        "least_ties",
        slip(
            CHOOSE_LISTS,
            (
                "rng.choice([m for m in moves if visits[m] == fewest])",
                "min(moves, key=lambda m: visits[m])",
            ),
        ),
    ),
    ("rng", slip(CHOOSE_LISTS, ("    moves =", "    rng = np.random.default_rng()\n    moves ="))),
    (
        "rng",
        slip(
            CHOOSE_LISTS, ("rng.random()", "np.random.random()"), ("rng.choice", "np.random.choice")
        ),
    ),
    (
        "rng",
        "OWN = __import__('numpy').random.default_rng(3)\n"
        + slip(CHOOSE_LISTS, ("rng.choice", "OWN.choice")),
    ),
    (
        "rng",
        "import random\n"
        + slip(CHOOSE_LISTS, ("rng.random()", "random.random()"), ("rng.choice", "random.choice")),
    ),
    ("rng", "import secrets\n" + slip(CHOOSE_LISTS, ("rng.choice", "secrets.choice"))),
    (
        "rng",
        "import time\n"
        + slip(
            CHOOSE_NOISE,
            ("    explore", "    rng = np.random.default_rng(time.time_ns())\n    explore"),
        ),
    ),
    ("changed", slip(CHOOSE_ARRAYS, ("    if rng", "    visits[~legal] = 10**9\n    if rng"))),
    ("changed", slip(CHOOSE_NOISE, ("    explore", "    q[~legal] = -np.inf\n    explore"))),
    (
        "all_ties",
        slip(CHOOSE_ARRAYS, ("order = rng.permutation(len(q))", "order = np.arange(len(q))")),
    ),
    ("sign", slip(CHOOSE_LISTS, ("1 if player == 0 else -1", "1"))),
    (
        "late_sign",
        slip(
            CHOOSE_ARRAYS,
            (
                "np.where(legal, q * (-1) ** player, -np.inf)",
                "np.where(legal, q, -np.inf) * (-1) ** player",
            ),
        ),
    ),
    (
        "short_list",
        "import numpy as np\n"
        "def choose(q, visits, legal, player, epsilon, rng):\n"
        "    scores = -visits[legal] if rng.random() < epsilon else q[legal] * (-1) ** player\n"
        "    return int(rng.choice(np.flatnonzero(scores == scores.max())))",
    ),
    (
        "distribution",
        slip(CHOOSE_LISTS, ("    moves =", "    rng = np.random.default_rng(0)\n    moves =")),
    ),
    ("most", slip(CHOOSE_LISTS, ("min(visits[m]", "max(visits[m]"))),
    ("worst", slip(CHOOSE_LISTS, ("1 if player == 0 else -1", "-1 if player == 0 else 1"))),
    (
        "kind",
        slip(
            CHOOSE_LISTS,
            ("import numpy as np", "import numpy as np\nLETTERS = 'abcdefghijkl'"),
            (
                "return rng.choice([m for m in moves if sign",
                "return LETTERS[rng.choice([m for m in moves if sign",
            ),
            ("== best])", "== best])]"),
        ),
    ),
    (
        "imported",
        "from rlcourse.checks import oracle02\n"
        "def choose(q, visits, legal, player, epsilon, rng):\n"
        "    return rng.choice(len(q), p=oracle02.choice_probabilities(q, visits, "
        "legal, player, epsilon))",
    ),
    ("raised an error", slip(CHOOSE_ARRAYS, ("rng.permutation(len(q))", "rng.permutation(9)"))),
    ("distribution", slip(CHOOSE_LISTS, ("visits[m] == fewest", "visits[m] <= fewest + 1"))),
    (
        "untried_greedy",
        slip(
            CHOOSE_LISTS,
            (
                "if rng.random() < epsilon:",
                "if min(visits[moves]) == 0 and rng.random() < epsilon:",
            ),
        ),
    ),
    (
        "others",
        slip(
            CHOOSE_LISTS,
            (
                "        fewest",
                "        top = max((1 - 2 * player) * q[m] for m in moves)\n"
                "        moves = [m for m in moves if (1 - 2 * player) * q[m] < top] or moves\n"
                "        fewest",
            ),
        ),
    ),
    (
        "weighted",
        slip(
            CHOOSE_LISTS,
            (
                "        fewest",
                "        share = 1 / (visits[moves] + 1)\n"
                "        return rng.choice(moves, p=share / np.sum(share))\n"
                "        fewest",
            ),
        ),
    ),
    (
        "turned_visits",
        slip(
            CHOOSE_NOISE,
            ("(q if player == 0 else -q)", "q"),
            ("(score[a], tie", "((-1) ** player * score[a], tie"),
        ),
    ),
    (
        "least_best",
        slip(
            CHOOSE_NOISE,
            (
                "    tie_breaker = rng.random(len(q))",
                "    tie_breaker = (-1) ** player * q if explore else rng.random(len(q))",
            ),
        ),
    ),
    (
        "greedy_least",
        slip(
            CHOOSE_NOISE,
            (
                "    tie_breaker = rng.random(len(q))",
                "    tie_breaker = rng.random(len(q)) - (0 if explore else visits)",
            ),
        ),
    ),
    ("distribution", slip(CHOOSE_LISTS, ("sign * q[m] == best", "abs(sign * q[m] - best) < 0.05"))),
]

# --- two_estimates --------------------------------------------------------------------------------

ESTIMATES_SOLVE = """
import numpy as np

def two_estimates(episodes, num_states, gamma):
    returns = [[] for _ in range(num_states)]
    counts = np.zeros((num_states, num_states))
    visits = np.zeros(num_states)
    reward = np.zeros(num_states)
    for episode in episodes:
        for t, (s, r) in enumerate(episode):
            g = sum(gamma ** (k - t) * episode[k][1] for k in range(t, len(episode)))
            returns[s].append(g)
            visits[s] += 1
            reward[s] += r
            if t + 1 < len(episode):
                counts[s, episode[t + 1][0]] += 1
    mc = np.array([np.mean(g) for g in returns])
    P = counts / visits[:, None]
    td = np.linalg.inv(np.eye(num_states) - gamma * P) @ (reward / visits)
    return mc, td
"""

ESTIMATES_SWEEPS = """
import numpy as np

def two_estimates(episodes, num_states, gamma):
    mc, n = np.zeros(num_states), np.zeros(num_states)
    for episode in episodes:
        g = 0.0
        for s, r in reversed(episode):
            g = r + gamma * g
            n[s] += 1
            mc[s] += (g - mc[s]) / n[s]
    td = np.zeros(num_states)
    for _ in range(5000):
        targets = np.zeros(num_states)
        for episode in episodes:
            for t, (s, r) in enumerate(episode):
                ahead = td[episode[t + 1][0]] if t + 1 < len(episode) else 0.0
                targets[s] += r + gamma * ahead
        new = targets / n
        change = np.abs(new - td).max()
        td = new
        if change < 1e-12:
            break
    return mc, td
"""

ESTIMATES_RIGHT = [ESTIMATES_SOLVE, ESTIMATES_SWEEPS]
ESTIMATES_WRONG = [
    (
        "mc_late",
        slip(
            ESTIMATES_SOLVE,
            ("gamma ** (k - t)", "gamma ** (k - t - 1)"),
            ("for k in range(t,", "for k in range(t + 1,"),
        ),
    ),
    ("mc_next", slip(ESTIMATES_SOLVE, ("for k in range(t,", "for k in range(t + 1,"))),
    (
        "td_late",
        slip(ESTIMATES_SOLVE, ("+= r\n", "+= episode[t + 1][1] if episode[t + 1 :] else 0\n")),
    ),
    (
        "episode_means",
        slip(
            ESTIMATES_SOLVE,
            ("        for t, (s, r) in", "        own = {}\n        for t, (s, r) in"),
            ("returns[s].append(g)", "own.setdefault(s, []).append(g)"),
            (
                "    mc =",
                "        for s, seen in own.items():\n            returns[s] += [sum(seen) / len(seen)]\n    mc =",
            ),
        ),
    ),
    (
        "runs_back",
        slip(
            ESTIMATES_SWEEPS,
            ("targets = np.zeros(num_states)\n", "targets, behind = np.zeros(num_states), 0.0\n"),
            (
                "ahead = td[episode[t + 1][0]] if t + 1 < len(episode) else 0.0",
                "ahead = td[episode[t + 1][0]] if t + 1 < len(episode) else behind",
            ),
            ("gamma * ahead\n", "gamma * ahead\n            behind = td[episode[0][0]]\n"),
        ),
    ),
    (
        "mc_ahead",
        slip(
            ESTIMATES_SOLVE,
            (
                "np.linalg.inv(np.eye(num_states) - gamma * P) @ (reward / visits)",
                "reward / visits + gamma * P @ mc",
            ),
        ),
    ),
    (
        "no_gamma",
        slip(ESTIMATES_SOLVE, ("gamma ** (k - t) * ", ""), ("- gamma * P", "- P")),
    ),
    ("mc_no_gamma", slip(ESTIMATES_SOLVE, ("gamma ** (k - t) * ", ""))),
    ("td_no_gamma", slip(ESTIMATES_SOLVE, ("- gamma * P", "- P"))),
    ("td_is_mc", slip(ESTIMATES_SOLVE, ("return mc, td", "return mc, mc.copy()"))),
    ("mc_is_td", slip(ESTIMATES_SOLVE, ("return mc, td", "return td, td"))),
    ("swapped", slip(ESTIMATES_SWEEPS, ("return mc, td", "return td, mc"))),
    ("gamma", slip(ESTIMATES_SOLVE, ("    returns = [[]", "    gamma = 0.9\n    returns = [[]"))),
    (
        "late",
        slip(
            ESTIMATES_SOLVE,
            (
                "    for episode in episodes:\n",
                "    for episode in episodes:\n"
                "        episode = [(s, episode[t + 1][1] if t + 1 < len(episode) else 0.0) for "
                "t, (s, r) in enumerate(episode)]\n",
            ),
        ),
    ),
    ("wrong_end", slip(ESTIMATES_SOLVE, ("gamma ** (k - t)", "gamma ** k"))),
    (
        "first_visit",
        slip(
            ESTIMATES_SOLVE,
            (
                "            returns[s].append(g)",
                "            if s not in [earlier for earlier, _ in episode[:t]]:\n"
                "                returns[s].append(g)",
            ),
        ),
    ),
    (
        "last_visit",
        slip(
            ESTIMATES_SOLVE,
            (
                "            returns[s].append(g)",
                "            if s not in [later for later, _ in episode[t + 1 :]]:\n"
                "                returns[s].append(g)",
            ),
        ),
    ),
    (
        "per_episode",
        slip(
            ESTIMATES_SOLVE,
            (
                "[np.mean(g) for g in returns]",
                "[sum(g) / sum(s in dict(e) for e in episodes) for s, g in enumerate(returns)]",
            ),
        ),
    ),
    (
        "whole_return",
        slip(
            ESTIMATES_SOLVE,
            (
                "gamma ** (k - t) * episode[k][1] for k in range(t, len(episode))",
                "gamma ** k * episode[k][1] for k in range(len(episode))",
            ),
        ),
    ),
    (
        "last_pair",
        slip(
            ESTIMATES_SWEEPS,
            (
                "            for t, (s, r) in enumerate(episode):",
                "            for t, (s, r) in enumerate(episode[:-1]):",
            ),
            ("new = targets / n", "new = targets / np.maximum(1, rest)"),
            (
                "    td = np.zeros(num_states)\n",
                "    td, rest = np.zeros(num_states), n.copy()\n"
                "    for episode in episodes:\n"
                "        rest[episode[-1][0]] -= 1\n",
            ),
        ),
    ),
    (
        "runs_on",
        slip(
            ESTIMATES_SWEEPS,
            (
                "        for episode in episodes:\n"
                "            for t, (s, r) in enumerate(episode):\n"
                "                ahead = td[episode[t + 1][0]] if t + 1 < len(episode) else 0.0",
                "        data = [pair for episode in episodes for pair in episode]\n"
                "        if True:\n"
                "            for t, (s, r) in enumerate(data):\n"
                "                ahead = td[data[t + 1][0]] if t + 1 < len(data) else 0.0",
            ),
        ),
    ),
    (
        "not_reset",
        slip(
            ESTIMATES_SWEEPS,
            (
                "    for episode in episodes:\n        g = 0.0\n",
                "    g = 0.0\n    for episode in episodes:\n",
            ),
        ),
    ),
    (
        "last_step",
        slip(
            ESTIMATES_SOLVE,
            (
                "            reward[s] += r\n            if t + 1 < len(episode):\n",
                "            if t + 1 < len(episode):\n                reward[s] += r\n",
            ),
        ),
    ),
    (
        "followed",
        slip(
            ESTIMATES_SOLVE,
            (
                "counts / visits[:, None]",
                "counts / np.maximum(1, counts.sum(axis=1, keepdims=True))",
            ),
        ),
    ),
    (
        "one_pass",
        slip(
            ESTIMATES_SOLVE,
            (
                "    return mc, td",
                "    td = np.zeros(num_states)\n"
                "    for episode in episodes:\n"
                "        for t, (s, r) in enumerate(episode):\n"
                "            v_next = td[episode[t + 1][0]] if t + 1 < len(episode) else 0.0\n"
                "            td[s] += 0.1 * (r + gamma * v_next - td[s])\n"
                "    return mc, td",
            ),
        ),
    ),
    (
        "changed",
        slip(
            ESTIMATES_SWEEPS,
            (
                "    return mc, td",
                "    for episode in episodes:\n        episode.reverse()\n    return mc, td",
            ),
        ),
    ),
    (
        "other",
        "MEMO = {}\n"
        + slip(
            ESTIMATES_SOLVE,
            ("    return mc, td", "    return MEMO.setdefault(str(episodes), (mc, td))"),
        ),
    ),
    ("shape", slip(ESTIMATES_SOLVE, ("return mc, td", "return mc[:, None], td[:, None]"))),
    (
        "imported",
        "def two_estimates(episodes, num_states, gamma):\n"
        "    from rlcourse.checks import oracle02\n"
        "    return oracle02.two_estimates(episodes, num_states, gamma)",
    ),
    (
        "other",
        slip(
            ESTIMATES_SOLVE,
            ("counts[s, episode[t + 1][0]] += 1", "counts[s, episode[t + 1][0]] = 1"),
        ),
    ),
    ("other", slip(ESTIMATES_SWEEPS, ("range(5000)", "range(20)"))),
    ("other", slip(ESTIMATES_SOLVE, ("np.mean(g)", "np.median(g)"))),
]

# --- play_from_book -------------------------------------------------------------------------------

BOOK_VIEWS = """
import numpy as np

def play_from_book(board, book):
    def text(b):
        return "".join(".XO"[c] for c in b.ravel())
    numbers = np.arange(board.size).reshape(board.shape)
    views = []
    for flip in (False, True):
        for k in range(4):
            turn = lambda b: np.rot90(np.fliplr(b) if flip else b, k)
            views.append((text(turn(board)), turn(numbers).ravel().tolist()))
    smallest, where = min(views)
    if smallest not in book:
        return None
    return where[book[smallest]]
"""

BOOK_COORDINATES = """
MAPS = [lambda r, c, n: (r, c), lambda r, c, n: (c, n - r), lambda r, c, n: (n - r, n - c), lambda r, c, n: (n - c, r),
        lambda r, c, n: (r, n - c), lambda r, c, n: (n - r, c), lambda r, c, n: (c, r), lambda r, c, n: (n - c, n - r)]

def play_from_book(board, book):
    side = len(board)
    for move in MAPS:
        cells = [None] * side ** 2
        came_from = [None] * side ** 2
        for r in range(side):
            for c in range(side):
                to_r, to_c = move(r, c, side - 1)
                cells[to_r * side + to_c] = ".XO"[board[r][c]]
                came_from[to_r * side + to_c] = r * side + c
        key = "".join(cells)
        if key in book:
            return came_from[book[key]]
    return None
"""

BOOK_AS_GIVEN = """
import numpy as np

def text_of(board):
    return "".join(".XO"[cell] for cell in board.ravel())

def eight_views(array):
    return [np.rot90(one, k) for one in (array, np.fliplr(array)) for k in range(4)]

def play_from_book(board, book):
    numbers = np.arange(board.size).reshape(board.shape)
    texts = [text_of(view) for view in eight_views(board)]
    which = texts.index(min(texts))
    if texts[which] not in book:
        return None
    came_from = eight_views(numbers)[which].ravel()
    return int(came_from[book[texts[which]]])
"""

BOOK_RIGHT = [BOOK_VIEWS, BOOK_COORDINATES, BOOK_AS_GIVEN]
BOOK_WRONG = [
    (
        "order",
        slip(
            BOOK_AS_GIVEN,
            ("eight_views(numbers)[which]", "eight_views(numbers)[which // 4 * 4 + -which % 4]"),
            ("int(came_from[book[", "came_from.tolist().index(book["),
            ("[which]]])", "[which]])"),
        ),
    ),
    ("direction", slip(BOOK_VIEWS, ("where[book[smallest]]", "where.index(book[smallest])"))),
    (
        "direction",
        slip(
            BOOK_COORDINATES,
            (
                "            return came_from[book[key]]",
                "            r, c = move(book[key] // side, book[key] % side, side - 1)\n"
                "            return r * side + c",
            ),
        ),
    ),
    (
        "mirror_kept",
        slip(BOOK_VIEWS, ("turn(numbers)", "np.rot90(numbers, k)")),
    ),
    (
        "turn_kept",
        slip(BOOK_VIEWS, ("turn(numbers)", "(np.fliplr(numbers) if flip else numbers)")),
    ),
    ("unmapped", slip(BOOK_VIEWS, ("where[book[smallest]]", "book[smallest]"))),
    ("rotations", slip(BOOK_VIEWS, ("(False, True)", "(False,)"))),
    ("mirrors", slip(BOOK_VIEWS, ("range(4)", "(0, 2)"))),
    ("kind", slip(BOOK_VIEWS, ("min(views)", "max(views)"))),
    ("kind", slip(BOOK_AS_GIVEN, ("    return int(", "    int("))),
    (
        "transposed",
        slip(
            BOOK_VIEWS,
            (
                "return where[book[smallest]]",
                "r, c = divmod(where[book[smallest]], len(board))\n    return c * len(board) + r",
            ),
        ),
    ),
    (
        "zero",
        slip(
            BOOK_VIEWS,
            (
                "    if smallest not in book:\n"
                "        return None\n"
                "    return where[book[smallest]]",
                "    square = book.get(smallest)\n    return where[square] if square else None",
            ),
        ),
    ),
    (
        "changed",
        slip(BOOK_VIEWS, ("return where[book[smallest]]", "return where[book.pop(smallest)]")),
    ),
    (
        "changed",
        slip(
            BOOK_VIEWS,
            (
                "return where[book[smallest]]",
                "board.ravel()[where[book[smallest]]] = 1\n    return where[book[smallest]]",
            ),
        ),
    ),
    (
        "kind",
        slip(BOOK_VIEWS, ("min(views)", 'min(views, key=lambda view: view[0].replace("O", "Y"))')),
    ),
    (
        "kind",
        slip(
            BOOK_AS_GIVEN,
            ("min(texts))", 'min(texts, key=lambda text: [".XO".index(cell) for cell in text]))'),
        ),
    ),
    ("imported", "from rlcourse.checks.oracle02 import play_from_book"),
    ("kind", slip(BOOK_COORDINATES, ("(n - r, n - c)", "(n - c, n - r)"))),
    (
        "order",
        slip(
            BOOK_VIEWS,
            (
                "turn(numbers)",
                "(np.fliplr(np.rot90(numbers, k)) if flip else np.rot90(numbers, k))",
            ),
        ),
    ),
]

RIGHT = {
    "sweep": SWEEP_RIGHT,
    "nim_update": NIM_RIGHT,
    "choose": CHOOSE_RIGHT,
    "two_estimates": ESTIMATES_RIGHT,
    "play_from_book": BOOK_RIGHT,
}
WRONG = {
    "sweep": SWEEP_WRONG,
    "nim_update": NIM_WRONG,
    "choose": CHOOSE_WRONG,
    "two_estimates": ESTIMATES_WRONG,
    "play_from_book": BOOK_WRONG,
}
