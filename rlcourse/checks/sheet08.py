"""Sheet 08, tree search: the tasks, what each usual mistake is told, and how the hidden cases are drawn."""

from pathlib import Path
from typing import Any

import numpy as np

from rlcourse.checks import oracle08, visible08
from rlcourse.checks.judging import by_key, by_oracle, difference, fair, keyed, telling
from rlcourse.checks.sheet import Sheet
from rlcourse.checks.task import Case, ManualTask, Task, Verdict
from rlcourse.checks.visible import read_slips

# --- try_routes -------------------------------------------------------------------------------------------------------

ROUTES_MISTAKES = {
    "rewards": "the highest cost is taken for the best: these are minutes, fewer are better",
    "wrong_side": "the bonus is on the wrong side: added to a cost it makes a little-known route look bad; it must look good",
    "greedy": "no bonus at all: a route that was slow once is never tried again",
    "no_log": "the logarithm of the number of all trips stands under the root, not the number itself",
    "own_log": "the logarithm is that of all trips so far, not that of the trips on this route",
    "no_root": "the root is missing: c times the square root of ln N / n",
    "today": "N counts today's trip as well: today nobody has gone yet",
    "sums": "the minutes of all trips on a route are added up: it is the mean that counts",
    "last_tie": "of several equally good routes the lowest number is taken, untried ones too",
    "paid": "regret counts true means, not the minutes paid: bad luck on the best route is no regret",
    "each": "regret adds up: each morning's number holds all mornings so far",
}


def _routes_cases(rng: np.random.Generator) -> list[Case]:
    def one(rng: np.random.Generator, count: int, twins: bool = False) -> Case:
        """A town of `count` routes, the best two of them with the same minutes where asked for; more minutes than mornings."""
        mornings, means = int(rng.integers(20, 41)), rng.uniform(20, 35, count)
        if twins:
            means[0] = means.min() - 3
        costs = means[:, None] + rng.normal(0, 4, (count, mornings + 3))
        if twins:
            means[1], costs[1] = means[0], costs[0]
        args = costs, means, float(rng.uniform(4, 9)), mornings
        return keyed(oracle08.try_routes, ROUTES_MISTAKES, *args)

    def draw(rng: np.random.Generator) -> list[Case]:
        """Four towns of 2 to 5 routes."""
        cases = [fair(lambda rng, n=n: one(rng, n), rng) for n in (2, 3, 5)]
        return [*cases, fair(lambda rng: one(rng, 4, twins=True), rng)]

    return telling(draw, rng)


def _routes_domain(costs: np.ndarray, means: np.ndarray, c: float, mornings: int) -> bool:
    return (
        len(costs) == len(means) and costs.shape[1] >= mornings >= 1 and costs.min() > 0 and c > 0
    )


# --- box_backup -------------------------------------------------------------------------------------------------------

BOXES_MISTAKES = {
    "sign": "no sign is changed on the way up: what is good for one player is bad for the other, boxes and value alike",
    "alternates": "the sign changes at every ply: who closes a box moves again, so ask who made each move",
    "leaf_view": "the value is for the player who moves at the leaf, who need not be the one who made the last move",
    "box_sign": "a box counts as won whoever closed it: those of the other player count against you",
    "no_boxes": "only the value goes up: boxes closed on the way belong to the outcome, from their own move on",
    "before": "boxes closed before a move are counted for it: they were closed whatever was played then",
    "own_boxes": "the boxes that a move itself closes are left out: they are what it brings at once",
    "leaf_turn": "at the leaf the other player than the last mover is taken to move: who closed a box moves again, see `player`",
    "leaf_first": "`player` is not used: the value is for the player who moves at the leaf, who can be the second one",
    "stops": "the backup stops at the root's child: the first move of the path gets its visit and its outcome, too",
    "leaf_only": "only the last move of the path is updated: every move on it gets the visit and its outcome",
    "replaced": "the total is replaced: it grows by the outcome, and Q is total / visits",
    "mean": "the total is turned into a mean: it is the sum of all outcomes, and Q is total / visits",
}


def _boxes_case(rng: np.random.Generator, length: int, closes_last: bool, begins: int) -> Case:
    count = int(rng.integers(length + 3, length + 10))
    boxes = rng.choice([0, 0, 0, 1, 1, 2], length)
    boxes[0] = 1 if length > 4 else boxes[0]
    boxes[-1] = int(rng.integers(1, 3)) if closes_last else 0
    mover = [begins]
    for closed in boxes.tolist():  # who closes a box moves again
        mover.append(mover[-1] if closed else 1 - mover[-1])
    visits, totals = rng.integers(1, 20, count), rng.uniform(-20, 20, count).round(2)
    edges = rng.permutation(count)[:length]
    visits[edges[-1]], totals[edges[-1]] = 0, 0.0
    value = float(rng.choice([-1, 1]) * rng.uniform(0.5, 4))
    args = visits, totals, edges, np.array(mover[:-1]), boxes, value, mover[-1]
    return keyed(oracle08.box_backup, BOXES_MISTAKES, *args)


def _boxes_cases(rng: np.random.Generator) -> list[Case]:
    """Either player begins, and the first and the last move of a path each close boxes once."""
    shapes = ((1, False, 0), (4, True, 1), (6, False, 1), (9, True, 1), (8, False, 0))
    return telling(lambda rng: [_boxes_case(rng, *shape) for shape in shapes], rng)


def _boxes_domain(
    visits: np.ndarray,
    totals: np.ndarray,
    edges: np.ndarray,
    mover: np.ndarray,
    boxes: np.ndarray,
    value: float,
    player: int,
) -> bool:
    """Who closes a box moves again; a path takes no edge twice."""
    who = [*mover.tolist(), player]
    turns = all(
        (a == b) == (closed > 0) for a, b, closed in zip(who, who[1:], boxes.tolist(), strict=False)
    )
    path = (
        len(set(edges.tolist())) == len(edges) == len(mover) == len(boxes)
        and 0 <= edges.min()
        and boxes.min() >= 0
    )
    return (
        turns
        and path
        and edges.max() < len(visits) == len(totals)
        and visits.min() >= 0
        and player in (0, 1)
    )


# --- puct_moves -------------------------------------------------------------------------------------------------------

PUCT_MISTAKES = {
    "view": "Q is not negated: the totals are for the player who moves after the move, and what he likes you do not",
    "zero": "a move without visits is taken to be worth 0, as in the lesson: here it is worth the node's own value",
    "mask": "the priors are not masked: an illegal move keeps its share and can even be chosen",
    "not_rescaled": "illegal moves are out, but the priors of the legal ones do not add up to 1 any more: divide by their sum",
    "noise_everywhere": "the noise is mixed in at every node: it belongs to the root only",
    "noise_added": "the noise is added: it is mixed in, (1 - epsilon) of the prior and epsilon of the noise",
    "noise_first": "the noise is mixed in before the mask: it is a distribution over legal moves, so mask and divide first",
    "no_root": "the root of the total number of visits is missing: with N itself exploration never ends",
    "no_total": "the factor sqrt(N) is missing: without it a move that was bad once hardly ever gets a second chance",
    "zero_total": "N is 0 where no move was visited yet: it counts as 1 there, so that the prior decides",
    "plus_one": "the visits are divided by n, or by 1 where n is 0: it is 1 + n",
    "c_side": "c stands on the wrong side: it multiplies the exploring part, not Q",
    "last_tie": "of several equally good moves the lowest number is taken",
}


def _puct_case(rng: np.random.Generator, actions: int, rows: int = 5) -> Case:
    """Five nodes: one without visits, one that offers nothing good; where there are nine actions, one with a single legal one.

    One node: a root without visits.
    """
    legal = rng.random((rows, actions)) < 0.6
    legal[:, :2], legal[:, 2] = True, False
    legal = rng.permuted(legal, axis=1)  # two legal actions in every node, and one that is not
    if actions == 9:
        legal[3] = np.arange(actions) == rng.integers(actions)
    visits = np.where(legal, rng.integers(0, 9, (rows, actions)), 0)
    visits[4:] = np.where(legal[4:], rng.integers(12, 20, visits[4:].shape), 0)
    visits[0] = 0  # nothing tried yet: the prior decides
    for row in range(1, min(2, rows)):  # the best may be what was not tried
        visits[row, legal[row].argmax()] = 0
    means = rng.uniform(-0.8, 0.8, visits.shape)
    means[4:] = rng.uniform(
        0.7, 0.9, means[4:].shape
    )  # whatever is played here is good for the other
    totals = np.where(visits > 0, visits * means, 0.0)
    priors = rng.dirichlet(np.ones(actions), rows)
    twins = rng.permutation(np.flatnonzero(legal[0]))[:2]
    priors[0, twins] = priors[0].max()  # and it cannot tell these two apart
    priors[0] /= priors[0].sum()
    noise = np.where(legal, rng.gamma(0.5, size=legal.shape) + 1e-6, 0.0)
    noise /= noise.sum(axis=1, keepdims=True)
    value = rng.uniform(-0.8, 0.5, rows)
    value[1:2] = 0.9
    root = np.ones(rows, bool)
    if rows > 1:
        root[rng.permutation(rows)[2:]] = False
        root[0] = False
    c, epsilon = float(rng.choice([0.8, 1.5, 2.0, 3.0])), float(rng.uniform(0.2, 0.5))
    c = 0.5 if actions == 7 else c
    args = visits, totals, priors, legal, value, root, noise, c, epsilon
    return keyed(oracle08.puct_moves, PUCT_MISTAKES, *args)


def _puct_cases(rng: np.random.Generator) -> list[Case]:
    sizes = (4, 5), (7, 5), (9, 5), (6, 1)
    return telling(
        lambda rng: [fair(lambda rng, n=n: _puct_case(rng, *n), rng) for n in sizes], rng
    )


def _puct_domain(
    visits: np.ndarray,
    totals: np.ndarray,
    priors: np.ndarray,
    legal: np.ndarray,
    value: np.ndarray,
    root: np.ndarray,
    noise: np.ndarray,
    c: float,
    epsilon: float,
) -> bool:
    shares = (
        np.allclose(priors.sum(axis=1), 1)
        and np.allclose(noise.sum(axis=1), 1)
        and not noise[~legal].any()
    )
    tried = (
        not visits[~legal].any()
        and bool(legal.any(axis=1).all())
        and visits.min() >= 0
        and not totals[visits == 0].any()
    )
    shapes = (
        len({table.shape for table in (visits, totals, priors, legal, noise)}) == 1
        and value.shape == root.shape == visits.shape[:1]
    )
    return (
        shapes
        and shares
        and tried
        and min(priors.min(), noise.min()) >= 0
        and c > 0
        and 0 <= epsilon <= 1
    )


# --- nim_search -------------------------------------------------------------------------------------------------------

NIM_MISTAKES = {
    "sign": "one bug is left: the value is not negated on the way up; the players move in turn",
    "stops": "one bug is left: the backup stops at the root's child, so the root never counts its visits",
    "asks": "one bug is left: the table is asked about a finished game; there the rules know the result",
    "sign_and_stops": "two bugs are left: whose value goes up? and how far up does it go?",
    "sign_and_asks": "two bugs are left: whose value goes up? and what is a finished game worth?",
    "stops_and_asks": "two bugs are left: how far up does the value go? and what is a finished game worth?",
    "hasty": "nothing has changed: all three bugs of hasty_search are still there",
    "loser": "the end is counted for the wrong player: who took the last stone has lost, so who would move next has won",
    "root_view": "the value is for the other player: it belongs to the one who moves at the root",
    "friendly": "the children's values are read as if they were the mover's own: they are for the player who moves there",
    "from_moves": "the root's own evaluation is missing in its value: the first simulation counts as well",
    "no_log": "the logarithm of the parent's visits stands under the root, not their number",
    "own_log": "the logarithm is that of the parent's visits, not that of the child's own",
    "last_tie": "of several equally good moves, untried ones too, the one that takes fewest stones is chosen",
}


def _nim_case(rng: np.random.Generator, heap: int, simulations: int = 0) -> Case:
    """A search of so many simulations, 20 to 45 where it is not said; before the fifth the three moves are equally good."""
    values = rng.uniform(-0.9, 0.9, heap + 1)
    if simulations == 5:
        values[:] = 0.25
    args = heap, values, float(rng.uniform(0.4, 1.6)), simulations or int(rng.integers(20, 46))
    return keyed(oracle08.nim_search, NIM_MISTAKES, *args)


def _nim_cases(rng: np.random.Generator) -> list[Case]:
    def draw(rng: np.random.Generator) -> list[Case]:
        """Six heaps, small ones and large ones; one simulation and two; equally good moves."""
        heaps = (1, 2, 4, *rng.choice(np.arange(5, 13), 3, replace=False).tolist())
        asked = [*((heap, 0) for heap in heaps), (6, 1), (7, 2), (8, 5)]
        return [fair(lambda rng, one=one: _nim_case(rng, *one), rng) for one in asked]

    while True:
        cases = telling(draw, rng)
        if any(map(_before_counts, cases)):
            return cases


def _before_counts(case: Case) -> bool:
    """Whether it shows that the parent's visits are those before this simulation."""
    found = keyed(oracle08.nim_search, ["one_more"], *case.args).secret
    return difference(found.slips["one_more"], found.right) is not None


def _nim_domain(heap: int, values: np.ndarray, c: float, simulations: int) -> bool:
    return (
        heap >= 1
        and len(values) == heap + 1
        and np.abs(values).max() <= 1
        and c > 0
        and simulations >= 1
    )


# --- rollout_values ---------------------------------------------------------------------------------------------------

ROLLOUT_MISTAKES = {
    "sign": "no sign is changed: after your move the other player is to move, and his mean counts negatively for you",
    "all_takes": "the mean is over all numbers in takes: only those that are not larger than the heap are moves",
    "strict": "the whole heap may be taken, too: a move of exactly as many stones as there are is legal",
    "end": "the end is turned round: who cannot move has lost, so such a heap is worth -1 to its mover",
    "stuck": "the empty heap is not the only end: a heap smaller than every number in takes is lost as well",
    "best_play": "this is the value under best play: a rollout plays at random, both players",
    "worst": "the move with the lowest mean is followed: that is the one the other player would like",
    "lost_too": "a heap without a winning move misleads nobody: count only those where there is something to find",
    "by_sign": "a negative mean alone misleads nobody: what counts is where the move with the best mean leads",
}


def _rollout_cases(rng: np.random.Generator) -> list[Case]:
    def one(rng: np.random.Generator, lowest: int, count: int) -> Case:
        """One game in which rollouts mislead now and then."""
        takes = [
            lowest,
            *sorted(
                rng.choice(np.arange(lowest + 1, lowest + 8), count - 1, replace=False).tolist()
            ),
        ]
        heap = int(rng.integers(16, 31))
        if count == 4:  # the largest heap misleads
            heap = max(oracle08.rollout_values(takes, 30)[1], default=0)
            if heap < 16:
                return one(rng, lowest, count)
        return keyed(oracle08.rollout_values, ROLLOUT_MISTAKES, takes, heap)

    def draw(rng: np.random.Generator) -> list[Case]:
        """Four games of two to five kinds of moves."""
        return [
            fair(lambda rng, shape=shape: one(rng, *shape), rng)
            for shape in ((1, 3), (2, 3), (3, 4), (1, 5))
        ]

    return telling(draw, rng)


def _rollout_domain(takes: list[int], heap: int) -> bool:
    return takes == sorted(set(takes)) and takes[0] >= 1 and heap >= 0


def _by_misled(case: Case, answer: Any) -> Verdict:
    """`by_key`; a list of other heaps beside the right means is wrong, whatever its length."""
    verdict = by_key(case, answer)
    pair = isinstance(answer, (tuple, list)) and len(answer) == 2
    if verdict.mistake == "shape" and pair and difference(answer[0], case.secret.right[0]) is None:
        return verdict._replace(mistake="other", detail="")
    return verdict


# --- the sheet --------------------------------------------------------------------------------------------------------

_ORACLES = ("try_routes", "box_backup", "puct_moves", "nim_search", "rollout_values")
_WITHHELD = tuple(f"rlcourse.checks.oracle08:{name}" for name in _ORACLES)

SHEET = Sheet(
    number="08",
    title="Tree search",
    tasks=(
        Task(
            "try_routes",
            13,
            11,
            1,
            "try_routes",
            _routes_cases,
            by_key,
            _WITHHELD,
            "A bandit that costs minutes",
            visible08.routes(),
            ROUTES_MISTAKES,
            "towns of 2 to 5 routes, 20 to 40 mornings, two routes that are always equally slow, other c",
            domain=_routes_domain,
            key=by_oracle(oracle08.try_routes, ROUTES_MISTAKES),
        ),
        Task(
            "box_backup",
            16,
            13,
            2,
            "box_backup",
            _boxes_cases,
            by_key,
            _WITHHELD,
            "Back up through extra turns",
            visible08.boxes(),
            BOXES_MISTAKES,
            "paths of 1 to 9 moves that end with either player to move, two boxes at once, large trees",
            domain=_boxes_domain,
            key=by_oracle(oracle08.box_backup, BOXES_MISTAKES),
        ),
        Task(
            "puct_moves",
            17,
            14,
            2,
            "puct_moves",
            _puct_cases,
            by_key,
            _WITHHELD,
            "PUCT with a mask, noise and first guesses",
            visible08.puct(),
            PUCT_MISTAKES,
            "one node and five at once of 4 to 9 actions, roots and others, some without any visit; other c and epsilon",
            domain=_puct_domain,
            key=by_oracle(oracle08.puct_moves, PUCT_MISTAKES),
        ),
        Task(
            "nim_search",
            18,
            16,
            3,
            "nim_search",
            _nim_cases,
            by_key,
            _WITHHELD,
            "Find the bugs: a hasty search",
            visible08.nim(),
            NIM_MISTAKES,
            "heaps of 1 to 12 stones, 1 to 45 simulations, tables full of numbers, equal ones too, other c",
            domain=_nim_domain,
            key=by_oracle(oracle08.nim_search, NIM_MISTAKES),
        ),
        Task(
            "rollout_values",
            16,
            12,
            2,
            "rollout_values",
            _rollout_cases,
            _by_misled,
            _WITHHELD,
            "What endless rollouts say",
            visible08.rollouts(),
            ROLLOUT_MISTAKES,
            "heaps up to 30 stones, three to five kinds of moves, games in which small heaps leave no move",
            domain=_rollout_domain,
            key=by_oracle(oracle08.rollout_values, ROLLOUT_MISTAKES),
        ),
    ),
    manual=(
        ManualTask("experiment", 12, 14, 2, "Experiment: what does each simulation buy?"),
        ManualTask("explanation", 8, 8, 2, "Explain what you saw; planning beside learning"),
    ),
    stand_ins={"rollout_values": lambda *args: oracle08.rollout_values(*args)},
    slips=read_slips(Path(__file__).with_name("visible08.json")),
)

check, grade, attempt, summary, stand_in = (
    SHEET.check,
    SHEET.grade,
    SHEET.attempt,
    SHEET.summary,
    SHEET.stand_in,
)
