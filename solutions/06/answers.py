"""Answers to sheet 06 as students write them: RIGHT[task] -> sources, WRONG[task] ->
(mistake it must be told, source).

A wrong answer is a right one with one slip; `slip(source, old, new)` shows which. No answer looks
at the course's oracle, but those that are handed in as the reference itself.
"""

from rlcourse.grading.answers import slip

# --- torus_areas ----------------------------------------------------------------------------------

AREAS_FLOOD = """
import numpy as np

def torus_areas(board):
    H, W = board.shape
    areas = [int((board == colour).sum()) for colour in (1, 2, 3)]
    seen = set()
    for start in zip(*np.nonzero(board == 0)):
        if start in seen:
            continue
        region, touched, todo = set(), set(), [start]
        while todo:
            r, c = todo.pop()
            if (r, c) in region:
                continue
            region.add((r, c))
            for down, right in ((-1, 0), (1, 0), (0, -1), (0, 1)):
                q = ((r + down) % H, (c + right) % W)
                if board[q] == 0:
                    todo.append(q)
                else:
                    touched.add(int(board[q]))
        seen |= region
        if len(touched) == 1:
            areas[touched.pop() - 1] += len(region)
    return areas
"""

AREAS_SPREAD = '''
import numpy as np

def torus_areas(board):
    """Every colour seeps into the empty points; what only one colour reaches is its own."""
    reached = []
    for colour in (1, 2, 3):
        wet = board == colour
        while True:
            beside = wet.copy()
            for axis in (0, 1):
                for step in (-1, 1):
                    beside |= np.roll(wet, step, axis)
            wider = wet | (beside & (board == 0))
            if (wider == wet).all():
                break
            wet = wider
        reached.append(wet)
    reached = np.array(reached)
    only = reached & (reached.sum(axis=0) == 1)
    return only.sum(axis=(1, 2))
'''

AREAS_LABELS = '''
def torus_areas(board):
    """Empty points carry the number of their region, the smallest one spreads; no NumPy."""
    rows, cols = len(board), len(board[0])
    points = [(r, c) for r in range(rows) for c in range(cols)]
    def beside(r, c):
        return [((r + 1) % rows, c), (r - 1, c) if r else (rows - 1, c), (r, (c + 1) % cols), (r, (c - 1) % cols)]
    label = {p: k for k, p in enumerate(points) if board[p[0]][p[1]] == 0}
    changed = True
    while changed:
        changed = False
        for p in label:
            least = min([label[p]] + [label[q] for q in beside(*p) if q in label])
            changed = changed or least != label[p]
            label[p] = least
    areas = [0.0, 0.0, 0.0]
    for r, c in points:
        if (r, c) not in label:
            areas[board[r][c] - 1] += 1
    for name in set(label.values()):
        region = [p for p in label if label[p] == name]
        colours = {int(board[q[0]][q[1]]) for p in region for q in beside(*p) if q not in label}
        if len(colours) == 1:
            areas[min(colours) - 1] += len(region)
    return areas
'''

AREAS_RIGHT = [AREAS_SPREAD, AREAS_FLOOD, AREAS_LABELS]
AREAS_WRONG = [
    (
        "stones",
        slip(
            AREAS_FLOOD, ("            areas[touched.pop() - 1] += len(region)", "            pass")
        ),
    ),
    (
        "stones",
        "def torus_areas(board):\n    return [(board == colour).sum() for colour in (1, 2, 3)]",
    ),
    ("territory", slip(AREAS_FLOOD, ("int((board == colour).sum())", "0"))),
    (
        "territory",
        slip(AREAS_SPREAD, ("    only = reached &", "    only = (board == 0) & reached &")),
    ),
    (
        "shared",
        slip(
            AREAS_FLOOD,
            (
                "        if len(touched) == 1:\n"
                "            areas[touched.pop() - 1] += len(region)",
                "        for colour in touched:\n            areas[colour - 1] += len(region)",
            ),
        ),
    ),
    (
        "shared",
        slip(
            AREAS_SPREAD,
            (
                "    only = reached & (reached.sum(axis=0) == 1)\n    return only",
                "    return reached",
            ),
        ),
    ),
    ("alone", slip(AREAS_FLOOD, ("todo.append(q)", "pass"))),
    (
        "edges",
        slip(
            AREAS_FLOOD,
            (
                "                q = ((r + down) % H, (c + right) % W)",
                "                q = (r + down, c + right)\n"
                "                if not (0 <= q[0] < H and 0 <= q[1] < W):\n"
                "                    continue",
            ),
        ),
    ),
    (
        "edges",
        slip(
            AREAS_LABELS,
            (
                "[((r + 1) % rows, c), (r - 1, c) if r else (rows - 1, c), (r, (c + 1) % cols), "
                "(r, (c - 1) % cols)]",
                "[p for p in ((r + 1, c), (r - 1, c), (r, c + 1), (r, c - 1)) if p in points]",
            ),
        ),
    ),
    (
        "cylinder",
        slip(
            AREAS_FLOOD,
            (
                "                q = ((r + down) % H, (c + right) % W)",
                "                if not 0 <= r + down < H:\n"
                "                    continue\n"
                "                q = (r + down, (c + right) % W)",
            ),
        ),
    ),
    (
        "rows_only",
        slip(
            AREAS_FLOOD,
            (
                "                q = ((r + down) % H, (c + right) % W)",
                "                if not 0 <= c + right < W:\n"
                "                    continue\n"
                "                q = ((r + down) % H, c + right)",
            ),
        ),
    ),
    (
        "changed",
        slip(
            AREAS_FLOOD,
            (
                "            region.add((r, c))",
                "            region.add((r, c))\n            board[0, 0] += 0 * board[0, 0]",
            ),
            ("    return areas", "    board[:] = 0\n    return areas"),
        ),
    ),
    (
        "diagonal",
        slip(
            AREAS_FLOOD,
            ("(0, -1), (0, 1))", "(0, -1), (0, 1), (-1, -1), (-1, 1), (1, -1), (1, 1))"),
        ),
    ),
    (
        "untouched",
        slip(
            AREAS_FLOOD,
            (
                "        if len(touched) == 1:\n"
                "            areas[touched.pop() - 1] += len(region)",
                "        for colour in (1, 2, 3):\n"
                "            if touched <= {colour}:\n"
                "                areas[colour - 1] += len(region)",
            ),
        ),
    ),
    (
        "most_stones",
        slip(
            AREAS_FLOOD,
            (
                "        if len(touched) == 1:\n            areas[touched.pop() - 1]",
                "        if touched:\n"
                "            most = max(sorted(touched), key=lambda colour: (board == colour).sum())\n"
                "            areas[most - 1]",
            ),
        ),
    ),
    ("other", slip(AREAS_FLOOD, ("if len(touched) == 1", "if touched"))),
    (
        "kind",
        slip(
            AREAS_SPREAD, ("return only.sum", "print(only.sum"), ("axis=(1, 2))", "axis=(1, 2)))")
        ),
    ),
    ("shape", slip(AREAS_SPREAD, ("only.sum(axis=(1, 2))", "only.sum(axis=1)"))),
    (
        "imported",
        "from rlcourse.checks.oracle06 import torus_areas as reference\n"
        "\ndef torus_areas(board):\n"
        "    return reference(board)",
    ),
    (
        "other",
        slip(AREAS_FLOOD, ("((-1, 0), (1, 0), (0, -1), (0, 1))", "((1, 0), (0, -1), (0, 1))")),
    ),
    (
        "other",
        slip(AREAS_FLOOD, ("((-1, 0), (1, 0), (0, -1), (0, 1))", "((-1, 0), (1, 0), (0, 1))")),
    ),
    ("once", slip(AREAS_FLOOD, ("+= len(region)", "+= 1"))),
    (
        "split",
        slip(
            AREAS_FLOOD,
            (
                "        if len(touched) == 1:\n"
                "            areas[touched.pop() - 1] += len(region)",
                "        for colour in touched:\n"
                "            areas[colour - 1] += len(region) / len(touched)",
            ),
        ),
    ),
    ("other", slip(AREAS_FLOOD, ("        seen |= region\n", ""))),
    ("other", slip(AREAS_FLOOD, ("if len(touched) == 1", "if len(touched) in (1, 2)"))),
]

# --- ring_moves -----------------------------------------------------------------------------------

RING_CHAINS = """
def chain_and_liberties(board, point):
    n = len(board)
    chain, liberties, todo = set(), set(), [point]
    while todo:
        p = todo.pop()
        chain.add(p)
        for q in ((p - 1) % n, (p + 1) % n):
            if board[q] == 0:
                liberties.add(q)
            elif board[q] == board[point] and q not in chain:
                todo.append(q)
    return chain, liberties

def put(board, point, colour):
    n = len(board)
    board = list(board)
    board[point] = colour
    for q in ((point - 1) % n, (point + 1) % n):
        if board[q] == 3 - colour:
            chain, liberties = chain_and_liberties(board, q)
            if not liberties:
                for p in chain:
                    board[p] = 0
    return tuple(board)

def ring_moves(size, moves):
    board, colour = (0,) * size, 1
    history = [board]
    for move in moves:
        if move >= 0:
            board = put(board, move, colour)
        colour = 3 - colour
        history.append(board)
    result = []
    for point in range(size):
        if board[point] == 0:
            after = put(board, point, colour)
            if chain_and_liberties(after, point)[1] and after not in history:
                result.append(point)
    return result
"""

RING_RUNS = '''
import numpy as np

def settle(board, mover):
    """Take the other's runs without an empty point at either end, then say whether the mover's all breathe."""
    board = board.copy()
    for colour in (3 - mover, mover):
        alive = board == 0
        while True:
            wider = alive | ((board == colour) & (np.roll(alive, 1) | np.roll(alive, -1)))
            if (wider == alive).all():
                break
            alive = wider
        dead = (board == colour) & ~alive
        if colour == mover:
            return board, not dead.any()
        board[dead] = 0

def ring_moves(size, moves):
    board, mover, seen = np.zeros(size, int), 1, {(0,) * size}
    for move in moves:
        if move != -1:
            board[move] = mover
            board, _ = settle(board, mover)
            seen.add(tuple(board.tolist()))
        mover = 3 - mover
    answer = []
    for point in np.flatnonzero(board == 0)[::-1]:
        trial = board.copy()
        trial[point] = mover
        trial, fine = settle(trial, mover)
        if fine and tuple(trial.tolist()) not in seen:
            answer.append(int(point))
    return np.array(answer, dtype=int)
'''

RING_MEMO = '''
def ring_moves(size, moves):
    """Each stone knows its neighbours; a chain has no liberty if a walk both ways meets no empty point before another colour."""
    def shut_in(board, point):
        for step in (-1, 1):
            place = point
            while board[place] == board[point]:
                place = (place + step) % size
                if place == point:
                    return True
            if not board[place]:
                return False
        return True

    def place_stone(board, point, colour):
        board = board[:point] + [colour] + board[point + 1:]
        dead = [k for k in range(size) if board[k] == 3 - colour and shut_in(board, k)]
        return [0 if k in dead else cell for k, cell in enumerate(board)]

    boards = [[0] * size]
    for ply, move in enumerate(moves):
        boards.append(boards[-1] if move == -1 else place_stone(boards[-1], move, 1 + ply % 2))
    found = ()
    for point in range(size):
        if not boards[-1][point]:
            new = place_stone(boards[-1], point, 1 + len(moves) % 2)
            if not shut_in(new, point) and boards.count(new) == 0:
                found += (point,)
    return found
'''

RING_RIGHT = [RING_CHAINS, RING_RUNS, RING_MEMO]
RING_WRONG = [
    ("ko", slip(RING_CHAINS, (" and after not in history", ""))),
    ("ko", slip(RING_RUNS, (" and tuple(trial.tolist()) not in seen", ""))),
    ("simple", slip(RING_CHAINS, ("after not in history", "after not in history[-2:-1]"))),
    (
        "simple",
        slip(RING_CHAINS, ("after not in history", "(len(history) < 2 or after != history[-2])")),
    ),
    (
        "situational",
        slip(
            RING_CHAINS,
            ("history = [board]", "history = [(board, 1)]"),
            ("history.append(board)", "history.append((board, colour))"),
            ("after not in history", "(after, 3 - colour) not in history"),
        ),
    ),
    ("suicide", slip(RING_CHAINS, ("chain_and_liberties(after, point)[1] and ", ""))),
    ("suicide", slip(RING_RUNS, ("if fine and", "if"))),
    (
        "removed",
        slip(
            RING_RUNS,
            (
                "            return board, not dead.any()\n        board[dead] = 0",
                "            alive[:] = True\n        board[dead] = 0",
            ),
            ("def ring_moves", "    return board, True\n\ndef ring_moves"),
        ),
    ),
    (
        "before_captures",
        slip(
            RING_CHAINS,
            (
                "            if chain_and_liberties(after, point)[1]",
                "            before = board[:point] + (colour,) + board[point + 1:]\n"
                "            if chain_and_liberties(before, point)[1]",
            ),
        ),
    ),
    (
        "line",
        slip(
            RING_CHAINS,
            (
                "in ((p - 1) % n, (p + 1) % n):",
                "in (p - 1, p + 1):\n            if not 0 <= q < n:\n                continue",
            ),
            (
                "in ((point - 1) % n, (point + 1) % n):",
                "in (point - 1, point + 1):\n        if not 0 <= q < n:\n            continue",
            ),
        ),
    ),
    ("single", slip(RING_CHAINS, ("                todo.append(q)", "                pass"))),
    (
        "passes",
        slip(RING_CHAINS, ("        colour = 3 - colour\n", "            colour = 3 - colour\n")),
    ),
    (
        "passes",
        slip(RING_CHAINS, ("for move in moves:", "for move in [m for m in moves if m >= 0]:")),
    ),
    ("changed", slip(RING_CHAINS, ("    result = []", "    moves.append(-1)\n    result = []"))),
    ("other", slip(RING_CHAINS, ("for point in range(size):", "for point in range(1, size):"))),
    ("other", slip(RING_CHAINS, ("result.append(point)", "result.append((point + 1) % size)"))),
    ("kind", slip(RING_CHAINS, ("    return result", "    print(result)"))),
    ("kind", slip(RING_CHAINS, ("    return result", "    return set(result)"))),
    (
        "imported",
        "import rlcourse.checks.oracle06 as o\n"
        "\ndef ring_moves(size, moves):\n"
        "    return o.ring_moves(size, moves)",
    ),
    (
        "other",
        slip(
            RING_CHAINS,
            (
                "    result = []",
                "    colour = 1 if board.count(1) <= board.count(2) else 2\n    result = []",
            ),
        ),
    ),
    (
        "eyes",
        slip(
            RING_CHAINS,
            (
                "        if board[point] == 0:\n",
                "        if board[point] == 0 and not board[point - 1] == board[(point + 1) "
                "% size] == colour:\n",
            ),
        ),
    ),
    (
        "other",
        slip(
            RING_CHAINS,
            (
                "if chain_and_liberties(after, point)[1] and",
                "if (chain_and_liberties(after, point)[1] or "
                "len(chain_and_liberties(after, point)[0]) > 1) and",
            ),
        ),
    ),
    (
        "other",
        slip(
            RING_CHAINS,
            (
                "                for p in chain:\n                    board[p] = 0",
                "                board[q] = 0",
            ),
        ),
    ),
]

# --- league_returns -------------------------------------------------------------------------------

LEAGUE_BACKWARDS = """
def league_returns(agent, game, seats, areas, resigned, gamma):
    returns, following = [0.0] * len(agent), {}
    for t in reversed(range(len(agent))):
        g, a = game[t], agent[t]
        if (g, a) in following:
            returns[t] = gamma * following[g, a]
        else:
            left = [c for c in range(3) if not resigned[g][c]]
            most = max(areas[g][c] for c in left)
            winners = [seats[g][c] for c in left if areas[g][c] == most]
            returns[t] = 3 / len(winners) - 1 if a in winners else -1.0
        following[g, a] = returns[t]
    return returns
"""

LEAGUE_ARRAYS = """
import numpy as np

def league_returns(agent, game, seats, areas, resigned, gamma):
    standing = np.where(resigned, -np.inf, areas)
    best = standing == standing.max(axis=1, keepdims=True)
    reward = 3 * best / best.sum(axis=1, keepdims=True) - 1
    colour = np.argsort(seats, axis=1)[game, agent]
    same = (game[:, None] == game) & (agent[:, None] == agent)
    left = np.triu(same, 1).sum(axis=1)
    return reward[game, colour] * gamma ** left
"""

LEAGUE_COLLECTORS = """
import numpy as np

class Collector:
    def __init__(self):
        self.rows, self.returns = [], {}

    def begin_episode(self):
        self.rows = []

    def record_decision(self, t):
        self.rows.append(t)

    def complete_episode(self, reward, gamma):
        for t in reversed(self.rows):
            self.returns[t] = reward
            reward = reward * gamma

def league_returns(agent, game, seats, areas, resigned, gamma):
    collectors = [Collector() for _ in range(3)]
    for g in range(len(seats)):
        for collector in collectors:
            collector.begin_episode()
        for t in np.flatnonzero(game == g):
            collectors[agent[t]].record_decision(t)
        points = np.where(resigned[g], -1, areas[g])
        for colour in range(3):
            tied = (points == points.max()).sum()
            reward = -1 + 3 / tied if points[colour] == points.max() else -1
            collectors[seats[g, colour]].complete_episode(reward, gamma)
    everything = {t: value for collector in collectors for t, value in collector.returns.items()}
    return [everything[t] for t in range(len(agent))]
"""

LEAGUE_RIGHT = [LEAGUE_BACKWARDS, LEAGUE_ARRAYS, LEAGUE_COLLECTORS]
LEAGUE_WRONG = [
    ("collector", slip(LEAGUE_ARRAYS, ("np.argsort(seats, axis=1)[game, agent]", "agent"))),
    (
        "collector",
        slip(
            LEAGUE_COLLECTORS,
            ("collectors[seats[g, colour]].complete", "collectors[colour].complete"),
        ),
    ),
    (
        "inverse",
        slip(LEAGUE_ARRAYS, ("np.argsort(seats, axis=1)[game, agent]", "seats[game, agent]")),
    ),
    (
        "losers_win",
        slip(LEAGUE_BACKWARDS, ("if a in winners else -1.0", "if a in winners else 1.0")),
    ),
    (
        "losers_win",
        slip(
            LEAGUE_COLLECTORS,
            (
                "if points[colour] == points.max() else -1",
                "if points[colour] == points.max() else 1",
            ),
        ),
    ),
    (
        "losers_free",
        slip(LEAGUE_BACKWARDS, ("if a in winners else -1.0", "if a in winners else 0.0")),
    ),
    ("all_win", slip(LEAGUE_BACKWARDS, (" if a in winners else -1.0", ""))),
    (
        "first_of_tie",
        slip(
            LEAGUE_COLLECTORS,
            ("if points[colour] == points.max()", "if colour == points.argmax()"),
            ("(points == points.max()).sum()", "1"),
        ),
    ),
    ("full_prize", slip(LEAGUE_ARRAYS, ("3 * best / best.sum(axis=1, keepdims=True)", "3 * best"))),
    (
        "no_cost",
        slip(
            LEAGUE_BACKWARDS,
            (
                "3 / len(winners) - 1 if a in winners else -1.0",
                "3 / len(winners) if a in winners else 0",
            ),
        ),
    ),
    ("winners_free", slip(LEAGUE_BACKWARDS, ("3 / len(winners) - 1", "3 / len(winners)"))),
    (
        "nobody",
        slip(
            LEAGUE_BACKWARDS,
            ("max(areas[g][c] for c in left)", "max(areas[g])"),
            (
                "3 / len(winners) - 1 if a in winners else -1.0",
                "-1.0 if a not in winners else 3 / len(winners) - 1",
            ),
        ),
    ),
    ("resigned", slip(LEAGUE_BACKWARDS, (" if not resigned[g][c]", ""))),
    ("resigned", slip(LEAGUE_ARRAYS, ("np.where(resigned, -np.inf, areas)", "areas"))),
    (
        "plies",
        slip(
            LEAGUE_ARRAYS,
            ("(game[:, None] == game) & (agent[:, None] == agent)", "game[:, None] == game"),
        ),
    ),
    (
        "on_and_on",
        slip(
            LEAGUE_ARRAYS,
            ("(game[:, None] == game) & (agent[:, None] == agent)", "agent[:, None] == agent"),
        ),
    ),
    ("first", slip(LEAGUE_ARRAYS, ("np.triu(same, 1)", "np.tril(same, -1)"))),
    ("first", slip(LEAGUE_COLLECTORS, ("reversed(self.rows)", "self.rows"))),
    ("late", slip(LEAGUE_ARRAYS, ("np.triu(same, 1)", "np.triu(same)"))),
    ("changed", slip(LEAGUE_ARRAYS, ("    best =", "    areas[resigned] = -1\n    best ="))),
    (
        "other",
        slip(
            LEAGUE_BACKWARDS,
            ("3 / len(winners) - 1 if", "(3 / len(winners) - 1 if len(winners) < 3 else -1.0) if"),
        ),
    ),
    ("other", slip(LEAGUE_BACKWARDS, ("3 / len(winners) - 1 if", "1.0 if"))),
    ("two_shared", slip(LEAGUE_BACKWARDS, ("3 / len(winners) - 1 if", "2 / len(winners) if"))),
    (
        "tie_lost",
        slip(LEAGUE_BACKWARDS, ("if a in winners else", "if winners == [a] else")),
    ),
    (
        "resigned_free",
        slip(
            LEAGUE_ARRAYS,
            ("keepdims=True) - 1\n", "keepdims=True) - 1\n    reward[resigned] = 0\n"),
        ),
    ),
    ("kind", slip(LEAGUE_BACKWARDS, ("    return returns", "    return following"))),
    (
        "shape",
        slip(
            LEAGUE_COLLECTORS,
            (
                "[everything[t] for t in range(len(agent))]",
                "[v for c in collectors[:2] for v in c.returns.values()]",
            ),
        ),
    ),
    (
        "imported",
        "def league_returns(*args):\n"
        "    from rlcourse.checks import oracle06\n"
        "    return oracle06.league_returns(*args)",
    ),
    ("no_area", slip(LEAGUE_ARRAYS, ("-np.inf, areas)", "0, areas)"))),
    (
        "no_area",
        slip(
            LEAGUE_COLLECTORS,
            ("points = np.where(resigned[g], -1, areas[g])", "points = areas[g] * ~resigned[g]"),
        ),
    ),
    (
        "resigned_shares",
        slip(
            LEAGUE_BACKWARDS,
            ("winners = [seats[g][c] for c in left", "winners = [seats[g][c] for c in range(3)"),
        ),
    ),
    (
        "other",
        slip(
            LEAGUE_BACKWARDS,
            (
                "if not resigned[g][c]]",
                "if c != (list(resigned[g]).index(True) if any(resigned[g]) else -1)]",
            ),
        ),
    ),
    ("other", slip(LEAGUE_ARRAYS, ("gamma ** left", "gamma ** np.minimum(left, 2)"))),
]

# --- surrogate_gradient ---------------------------------------------------------------------------

SURROGATE_ARRAYS = """
import numpy as np

def surrogate_gradient(logits, legal, state, action, advantage, log_prob, bound):
    masked = np.where(legal, logits, -np.inf)[state]
    p = np.exp(masked - masked.max(axis=1, keepdims=True))
    p /= p.sum(axis=1, keepdims=True)
    rows = np.arange(len(state))
    ratio = p[rows, action] / np.exp(log_prob)
    stopped = np.where(advantage > 0, ratio > 1 + bound, ratio < 1 - bound)
    weight = np.where(stopped, 0.0, ratio * advantage)
    push = np.eye(logits.shape[1])[action] - p
    gradient = np.zeros_like(logits)
    np.add.at(gradient, state, weight[:, None] * push / len(state))
    return gradient
"""

SURROGATE_LOOPS = """
from math import exp

def surrogate_gradient(logits, legal, state, action, advantage, log_prob, bound):
    S, A = len(logits), len(logits[0])
    gradient = [[0.0] * A for _ in range(S)]
    for s, a, adv, old in zip(state, action, advantage, log_prob):
        weights = [exp(logits[s][k]) if legal[s][k] else 0.0 for k in range(A)]
        p = [w / sum(weights) for w in weights]
        ratio = p[a] / exp(old)
        if adv > 0 and ratio > 1 + bound:
            continue
        if adv < 0 and ratio < 1 - bound:
            continue
        for k in range(A):
            gradient[s][k] += adv * ratio * ((k == a) - p[k]) / len(state)
    return gradient
"""

SURROGATE_NUMERIC = '''
import numpy as np

def surrogate_gradient(logits, legal, state, action, advantage, log_prob, bound):
    """Central differences of the mean itself."""
    def mean(logits):
        p = np.where(legal, np.exp(logits), 0.0)
        p = p / p.sum(axis=1, keepdims=True)
        ratio = p[state, action] / np.exp(log_prob)
        return np.minimum(ratio * advantage, np.clip(ratio, 1 - bound, 1 + bound) * advantage).mean()
    gradient = np.zeros(logits.shape)
    for s, a in np.ndindex(*logits.shape):
        step = np.zeros(logits.shape)
        step[s, a] = 1e-5
        gradient[s, a] = (mean(logits + step) - mean(logits - step)) / 2e-5
    return gradient
'''

SURROGATE_HASTY = """
import numpy as np

def surrogate_gradient(logits, legal, state, action, advantage, log_prob, bound):
    p = np.exp(logits[state])
    p /= p.sum(axis=1, keepdims=True)
    rows = np.arange(len(state))
    ratio = p[rows, action] / np.exp(log_prob)
    inside = abs(ratio - 1) < bound
    push = -p
    push[rows, action] += 1
    push *= (inside * ratio * advantage)[:, None] / len(state)
    gradient = np.zeros(logits.shape)
    gradient[state] += push
    return gradient
"""

BOTH = (
    "np.where(advantage > 0, ratio > 1 + bound, ratio < 1 - bound)",
    "(ratio > 1 + bound) | (ratio < 1 - bound)",
)
REPEATS = (
    "np.add.at(gradient, state, weight[:, None] * push / len(state))",
    "gradient[state] += weight[:, None] * push / len(state)",
)
ILLEGAL = ("np.where(legal, logits, -np.inf)[state]", "logits[state]")

SURROGATE_RIGHT = [SURROGATE_ARRAYS, SURROGATE_LOOPS, SURROGATE_NUMERIC]
SURROGATE_WRONG = [
    ("high_any", slip(SURROGATE_ARRAYS, (BOTH[0], "ratio > 1 + bound"))),
    ("low_any", slip(SURROGATE_ARRAYS, (BOTH[0], "ratio < 1 - bound"))),
    (
        "low_always",
        slip(SURROGATE_LOOPS, ("if adv < 0 and ratio < 1 - bound", "if ratio < 1 - bound")),
    ),
    (
        "clipped_weight",
        slip(
            SURROGATE_ARRAYS,
            ("stopped, 0.0, ratio", "stopped, np.clip(ratio, 1 - bound, 1 + bound), ratio"),
            ("ratio * advantage)\n", "ratio) * advantage\n"),
        ),
    ),
    (
        "late_mask",
        slip(
            SURROGATE_ARRAYS,
            ILLEGAL,
            (
                "    p /= p.sum(axis=1, keepdims=True)",
                "    p = p / p.sum(1)[:, None] * legal[state]",
            ),
        ),
    ),
    ("states", slip(SURROGATE_LOOPS, ("/ len(state)", "/ S"))),
    ("hasty", SURROGATE_HASTY),
    ("hasty", slip(SURROGATE_ARRAYS, BOTH, REPEATS, ILLEGAL)),
    ("both_and_repeats", slip(SURROGATE_ARRAYS, BOTH, REPEATS)),
    (
        "both_and_illegal",
        slip(SURROGATE_HASTY, ("gradient[state] += push", "np.add.at(gradient, state, push)")),
    ),
    ("repeats_and_illegal", slip(SURROGATE_ARRAYS, REPEATS, ILLEGAL)),
    ("both", slip(SURROGATE_ARRAYS, BOTH)),
    (
        "both",
        slip(
            SURROGATE_NUMERIC,
            (
                "np.minimum(ratio * advantage, np.clip(ratio, 1 - bound, 1 + bound) * advantage)",
                "(np.clip(ratio, 1 - bound, 1 + bound) * advantage)",
            ),
        ),
    ),
    ("repeats", slip(SURROGATE_ARRAYS, REPEATS)),
    (
        "repeats",
        slip(
            SURROGATE_HASTY,
            (
                "abs(ratio - 1) < bound",
                "np.where(advantage > 0, ratio < 1 + bound, ratio > 1 - bound)",
            ),
            ("p = np.exp(logits[state])", "p = np.exp(logits[state]) * legal[state]"),
        ),
    ),
    ("illegal", slip(SURROGATE_LOOPS, (" if legal[s][k] else 0.0", ""))),
    (
        "illegal",
        slip(SURROGATE_NUMERIC, ("np.where(legal, np.exp(logits), 0.0)", "np.exp(logits)")),
    ),
    (
        "wrong_side",
        slip(
            SURROGATE_LOOPS,
            ("adv > 0 and", "adv < 0 and"),
            ("if adv < 0 and ratio < 1 - bound", "if adv > 0 and ratio < 1 - bound"),
        ),
    ),
    ("wrong_side", slip(SURROGATE_NUMERIC, ("np.minimum(", "np.maximum("))),
    (
        "unbounded",
        slip(SURROGATE_ARRAYS, ("np.where(stopped, 0.0, ratio * advantage)", "ratio * advantage")),
    ),
    (
        "good_only",
        slip(
            SURROGATE_ARRAYS,
            (
                "np.where(advantage > 0, ratio > 1 + bound, ratio < 1 - bound)",
                "(advantage > 0) & (ratio > 1 + bound)",
            ),
        ),
    ),
    (
        "bad_only",
        slip(
            SURROGATE_LOOPS,
            ("        if adv > 0 and ratio > 1 + bound:\n            continue\n", ""),
        ),
    ),
    (
        "zero_logit",
        slip(SURROGATE_ARRAYS, ("np.where(legal, logits, -np.inf)", "np.where(legal, logits, 0)")),
    ),
    ("unweighted", slip(SURROGATE_LOOPS, ("+= adv * ratio", "+= ratio"))),
    ("unweighted", slip(SURROGATE_ARRAYS, ("0.0, ratio * advantage", "0.0, ratio"))),
    ("one_hot", slip(SURROGATE_ARRAYS, ("[action] - p", "[action]"))),
    ("no_ratio", slip(SURROGATE_LOOPS, ("+= adv * ratio", "+= adv"))),
    ("sum", slip(SURROGATE_ARRAYS, (" / len(state))", ")"))),
    (
        "per_state",
        slip(
            SURROGATE_ARRAYS,
            (" / len(state))", " / (state[:, None] == state).sum(axis=1)[:, None])"),
        ),
    ),
    ("per_state", slip(SURROGATE_LOOPS, ("/ len(state)", "/ list(state).count(s)"))),
    (
        "changed",
        slip(
            SURROGATE_ARRAYS,
            (
                "    masked = np.where(legal, logits, -np.inf)[state]",
                "    logits[~legal] = -np.inf\n    masked = logits[state]",
            ),
            ("np.zeros_like(logits)", "np.zeros(logits.shape)"),
        ),
    ),
    ("descent", slip(SURROGATE_LOOPS, ("((k == a) - p[k])", "(p[k] - (k == a))"))),
    ("other", slip(SURROGATE_LOOPS, ("/ exp(old)", "/ old"))),
    ("inverse", slip(SURROGATE_LOOPS, ("p[a] / exp(old)", "exp(old) / p[a]"))),
    (
        "stopped_out",
        slip(
            SURROGATE_ARRAYS,
            ("push / len(state))", "push / max(1, np.count_nonzero(weight)))"),
        ),
    ),
    ("shape", slip(SURROGATE_ARRAYS, ("    return gradient", "    return weight[:, None] * push"))),
    ("kind", slip(SURROGATE_LOOPS, ("    return gradient", "    print(gradient)"))),
    ("imported", "from rlcourse.checks.oracle06 import surrogate_gradient"),
    ("other", slip(SURROGATE_ARRAYS, ("ratio < 1 - bound", "ratio < 1 / (1 + bound)"))),
    ("other", slip(SURROGATE_ARRAYS, ("1 + bound", "1.2"), ("1 - bound", "0.8"))),
    ("other", slip(SURROGATE_ARRAYS, ("/ len(state)", "/ 12"))),
]

# --- two_stones -----------------------------------------------------------------------------------

STONES_CHOICE = """
import numpy as np

def welcome(cells):
    left, right = np.roll(cells, 1), np.roll(cells, -1)
    return (cells == 0) & ~((left == 1) & (right == 1))

def two_stones(p, cells, n, clip, rng):
    weights = np.clip(p, clip, 1 - clip)
    pairs = np.full((n, 2), -1)
    for pair in pairs:
        board = cells.copy()
        for k in range(2):
            left = weights * welcome(board)
            if left.sum() == 0:
                break
            pair[k] = rng.choice(len(p), p=left / left.sum())
            board[pair[k]] = 1
    return pairs
"""

STONES_RANKED = '''
import numpy as np

def two_stones(p, cells, n, clip, rng):
    """The book's way: rank all points, go down the list; for the second stone go down it again from the top."""
    weights = np.clip(p, clip, 1 - clip)
    weights = weights / weights.sum()
    size = len(p)
    pairs = []
    for _ in range(n):
        board, pair = list(cells), []
        for _ in range(2):
            for point in rng.choice(size, size, replace=False, p=weights):
                eye = board[point - 1] == 1 and board[(point + 1) % size] == 1
                if board[point] == 0 and not eye:
                    board[point] = 1
                    pair.append(int(point))
                    break
        pairs.append(pair + [-1] * (2 - len(pair)))
    return pairs
'''

STONES_BOUNDS = '''
def two_stones(p, cells, n, clip, rng):
    """Cumulative bounds by hand, again and again until a point fits."""
    size = len(p)
    weights = [min(max(float(x), clip), 1 - clip) for x in p]
    total = sum(weights)
    def fits(board, point):
        return board[point] == 0 and not (board[point - 1] == 1 == board[(point + 1) % size])
    def draw(board):
        if not any(fits(board, point) for point in range(size)):
            return -1
        while True:
            u = rng.random() * total
            for point, weight in enumerate(weights):
                u -= weight
                if u < 0:
                    break
            if fits(board, point):
                return point
    pairs = []
    for _ in range(n):
        first = draw(cells)
        board = list(cells)
        if first >= 0:
            board[first] = 1
        pairs.append([first, draw(board)])
    return pairs
'''

STONES_ONE_RANKING = '''
import numpy as np

def two_stones(p, cells, n, clip, rng):
    """All rankings at once (Gumbel noise), and one walk down each of them for both stones."""
    size, result = len(p), []
    keys = np.log(np.clip(p, clip, 1 - clip)) + rng.gumbel(size=(n, size))
    for order in np.argsort(-keys, axis=1).tolist():
        mine, pair = {k for k in range(size) if cells[k] == 1}, []
        for point in order:
            if len(pair) < 2 and cells[point] == 0 and not {(point - 1) % size, (point + 1) % size} <= mine:
                mine.add(point)
                pair.append(point)
        result.append((pair + [-1, -1])[:2])
    return np.array(result)
'''

STONES_RIGHT = [STONES_CHOICE, STONES_RANKED, STONES_BOUNDS, STONES_ONE_RANKING]
STONES_WRONG = [
    ("eye", slip(STONES_CHOICE, (" & ~((left == 1) & (right == 1))", ""))),
    ("eye", slip(STONES_RANKED, (" and not eye", ""))),
    (
        "stale",
        slip(
            STONES_CHOICE,
            (
                "            left = weights * welcome(board)",
                "            left = weights * welcome(cells) * (board == cells)",
            ),
        ),
    ),
    (
        "stale",
        slip(
            STONES_RANKED,
            (
                "eye = board[point - 1] == 1 and board[(point + 1) % size] == 1",
                "eye = cells[point - 1] == 1 and cells[(point + 1) % size] == 1",
            ),
        ),
    ),
    ("replacement", slip(STONES_CHOICE, ("            board[pair[k]] = 1\n", ""))),
    ("replacement", slip(STONES_BOUNDS, ("            board[first] = 1", "            pass"))),
    (
        "two_only",
        slip(
            STONES_RANKED,
            (
                "        for _ in range(2):\n"
                "            for point in rng.choice(size, size, replace=False, p=weights):",
                "        for point in rng.choice(size, 2, replace=False, p=weights):\n"
                "            for point in [point]:",
            ),
            (
                "                    break",
                "                    break\n            else:\n                pair.append(-1)",
            ),
        ),
    ),
    (
        "next_only",
        slip(
            STONES_ONE_RANKING,
            (
                "            if len(pair) < 2 and cells[point] == 0 and not {(point - 1) % size, "
                "(point + 1) % size} <= mine:\n"
                "                mine.add(point)\n"
                "                pair.append(point)\n",
                "            sides = {(point - 1) % size, (point + 1) % size}\n"
                "            if len(pair) < 2 and cells[point] == 0:\n"
                "                if not sides <= mine:\n"
                "                    mine.add(point)\n"
                "                    pair.append(point)\n"
                "                elif pair and not sides <= mine - {pair[0]}:\n"
                "                    pair.append(-1)\n",
            ),
        ),
    ),
    ("no_clip", slip(STONES_CHOICE, ("np.clip(p, clip, 1 - clip)", "p"))),
    (
        "zeros_kept",
        slip(STONES_CHOICE, ("np.clip(p, clip, 1 - clip)", "np.clip(p, clip, 1 - clip) * (p > 0)")),
    ),
    (
        "late_clip",
        slip(
            STONES_CHOICE,
            (
                "    weights = np.clip(p, clip, 1 - clip)\n",
                "    weights = p * welcome(cells)\n"
                "    weights = np.clip(weights / max(weights.sum(), 1e-9), clip, 1 - clip)\n",
            ),
        ),
    ),
    (
        "clip_again",
        slip(
            STONES_CHOICE,
            ("    weights = np.clip(p, clip, 1 - clip)\n", ""),
            (
                "            left = weights * welcome(board)\n",
                "            left = p * welcome(board)\n"
                "            left = left / left.sum() if left.any() else left\n"
                "            left = np.clip(left, clip, 1 - clip) * welcome(board)\n",
            ),
        ),
    ),
    (
        "not_renormalised",
        slip(
            STONES_CHOICE,
            (
                "rng.choice(len(p), p=left / left.sum())",
                "min(np.searchsorted(np.cumsum(left), rng.random(), side='right'), "
                "np.flatnonzero(left)[-1])",
            ),
        ),
    ),
    (
        "repeated",
        slip(
            STONES_CHOICE,
            ("    pairs = np", "    rng = 7\n    pairs = np"),
            ("rng.choice", "np.random.default_rng(rng).choice"),
        ),
    ),
    (
        "repeated",
        slip(
            STONES_RANKED,
            ("rng.choice(size, size, replace=False, p=weights)", "np.argsort(-weights)"),
        ),
    ),
    (
        "seam",
        slip(
            STONES_CHOICE,
            (
                "    left, right =",
                "    inner = (np.arange(len(cells)) > 0) & (np.arange(len(cells)) < len(cells) - "
                "1)\n"
                "    left, right =",
            ),
            ("((left == 1) & (right == 1))", "((left == 1) & (right == 1) & inner)"),
        ),
    ),
    (
        "seam",
        slip(
            STONES_ONE_RANKING,
            (
                "not {(point - 1) % size, (point + 1) % size} <= mine",
                "not {point - 1, point + 1} <= mine",
            ),
        ),
    ),
    (
        "rng",
        slip(STONES_CHOICE, ("    weights =", "    rng = np.random.default_rng()\n    weights =")),
    ),
    (
        "rng",
        slip(
            STONES_CHOICE, ("    weights =", "    rng = np.random.default_rng(11)\n    weights =")
        ),
    ),
    ("rng", slip(STONES_RANKED, ("rng.choice(size", "np.random.choice(size"))),
    ("rng", "import random\n" + slip(STONES_BOUNDS, ("rng.random()", "random.random()"))),
    (
        "rng",
        "import secrets\n"
        + slip(STONES_BOUNDS, ("rng.random()", "(secrets.randbelow(2**53) / 2**53)")),
    ),
    (
        "rng",
        "import time\n"
        + slip(STONES_ONE_RANKING, ("rng.gumbel", "np.random.default_rng(time.time_ns()).gumbel")),
    ),
    ("changed", slip(STONES_CHOICE, ("    pairs =", "    p[cells > 0] = 0.0\n    pairs ="))),
    (
        "uniform",
        slip(STONES_CHOICE, ("left = weights * welcome(board)", "left = 1.0 * welcome(board)")),
    ),
    (
        "distribution",
        slip(
            STONES_CHOICE,
            (
                "left = weights * welcome(board)",
                "left = weights * welcome(board)\n"
                "            left[np.flatnonzero(left)[1:] if k else []] = 0",
            ),
        ),
    ),
    ("kind", slip(STONES_BOUNDS, ("return pairs", "return str(pairs)"))),
    (
        "shape",
        slip(
            STONES_RANKED,
            ("[-1] * (2 - len(pair))", "[None] * (2 - len(pair))"),
            ("    return pairs", "    return pairs + [[None, None]]"),
        ),
    ),
    ("shape", slip(STONES_CHOICE, ("    return pairs", "    return pairs[0]"))),
    (
        "imported",
        "from rlcourse.sampling import categorical, clip_probs, mask_probs\nimport numpy as np\n"
        + slip(
            STONES_CHOICE,
            ("import numpy as np\n", ""),
            ("np.clip(p, clip, 1 - clip)", "clip_probs(p, clip)"),
        ),
    ),
    ("low_only", slip(STONES_CHOICE, ("np.clip(p, clip, 1 - clip)", "np.maximum(p, clip)"))),
    (
        "any_eye",
        slip(STONES_CHOICE, ("((left == 1) & (right == 1))", "((left == right) & (left > 0))")),
    ),
    (
        "any_eye",
        slip(
            STONES_RANKED,
            (
                "board[point - 1] == 1 and board[(point + 1) % size] == 1",
                "board[point - 1] * board[(point + 1) % size] in (1, 4)",
            ),
        ),
    ),
    (
        "enclosed",
        slip(STONES_CHOICE, ("((left == 1) & (right == 1))", "((left > 0) & (right > 0))")),
    ),
    ("sorted", slip(STONES_CHOICE, ("return pairs", "return np.sort(pairs, axis=1)"))),
    (
        "both_or_none",
        slip(
            STONES_BOUNDS,
            (
                "        pairs.append([first, draw(board)])",
                "        second = draw(board)\n"
                "        pairs.append([first, second] if second >= 0 else [-1, -1])",
            ),
        ),
    ),
    (
        "raised an error",
        slip(STONES_CHOICE, ("            if left.sum() == 0:\n                break\n", "")),
    ),
    (
        "kind",
        slip(
            STONES_CHOICE,
            (
                "                break\n",
                "                pair[k] = len(p)\n                break\n",
            ),
        ),
    ),
]

RIGHT = {
    "torus_areas": AREAS_RIGHT,
    "ring_moves": RING_RIGHT,
    "league_returns": LEAGUE_RIGHT,
    "surrogate_gradient": SURROGATE_RIGHT,
    "two_stones": STONES_RIGHT,
}
WRONG = {
    "torus_areas": AREAS_WRONG,
    "ring_moves": RING_WRONG,
    "league_returns": LEAGUE_WRONG,
    "surrogate_gradient": SURROGATE_WRONG,
    "two_stones": STONES_WRONG,
}
