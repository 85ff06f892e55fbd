"""Sheet 04, TD(lambda): the tasks, what each usual mistake is told, and how the hidden cases are drawn."""

import itertools
from pathlib import Path

import numpy as np

from rlcourse.checks import oracle04, visible04
from rlcourse.checks.judging import by_key, by_oracle, keyed, telling
from rlcourse.checks.sheet import Sheet
from rlcourse.checks.task import Case, ManualTask, Task
from rlcourse.checks.visible import read_slips

# --- compound_return --------------------------------------------------------------------------------------------------

COMPOUND_MISTAKES = {
    "off_by_one": "off by one: after n steps the walker is in state n, so that state's estimate is added, not the one before",
    "undiscounted": "the estimate behind the n steps is not discounted: it lies n steps ahead, so it counts gamma ** n",
    "short_discount": "the estimate behind the n steps is discounted once too little: it counts gamma ** n",
    "plain_rewards": "the rewards are not discounted: the one of step k counts gamma ** k",
    "late": "every reward is discounted once too often: the first one comes right away and counts in full",
    "past_end": "n-step returns with n beyond the end are left out: they are the full return, and their weight counts",
    "renormalised": "weights beyond the end are dropped and the others blown up: those n-step returns are the full return",
    "end_value": "a value is added behind the end: when the episode is over nothing comes any more",
    "gamma": "the discount 0.9 is written into the code: use the argument gamma",
}


def _compound_cases(rng: np.random.Generator) -> list[Case]:
    cases = []
    for length, count in ((4, 3), (5, 2), (3, 6), (2, 5), (6, 6), (1, 2)):
        weights, gamma = rng.dirichlet(np.ones(count)), float(rng.uniform(0.4, 0.8))
        estimates = rng.uniform(1, 3, length) * (-1 if length == 5 else 1)
        gamma = 1.0 if length == 4 else gamma
        args = (rng.uniform(-2, 2, length), estimates, weights, gamma)
        cases.append(keyed(oracle04.compound_return, COMPOUND_MISTAKES, *args))
        if length == 6:  # the same episode, with other weights
            args = (*args[:2], weights[::-1].copy(), gamma)
            cases.append(keyed(oracle04.compound_return, COMPOUND_MISTAKES, *args))
    return cases


def _compound_domain(
    rewards: np.ndarray, values: np.ndarray, weights: np.ndarray, gamma: float
) -> bool:
    return (
        len(rewards) == len(values) >= 1
        and len(weights) >= 1
        and bool(np.isclose(weights.sum(), 1))
        and 0 < gamma <= 1
    )


# --- mover_targets ----------------------------------------------------------------------------------------------------

MOVER_MISTAKES = {
    "sign": "no sign is changed: what is good for the next player to move is bad for you, unless you move again",
    "alternates": "the sign changes at every ply: when the same player moves again, it must not",
    "half_sign": "the sign of the next value is changed, that of the next target is not: both are seen from the other side",
    "result_sign": "the result is the first player's: if the second one made the last move, his last target is its negative",
    "own_value": "off by one: the estimate in the target is that of the next position, not of this one",
    "end_value": "the last position's target is the result alone: its own estimate has no part in it",
    "swapped": "lam and 1 - lam are exchanged: the estimate counts 1 - lam, the next target lam",
    "gamma": "the discount 0.9 is written into the code: use the argument gamma",
}


def _mover_cases(rng: np.random.Generator) -> list[Case]:
    cases = []
    # Both players end a game, both win one; turns alternate, and some are made twice.
    for last, result in ((0, 1.0), (1, 1.0), (1, -1.0), (0, -1.0), (1, 0.0)):
        length = int(rng.integers(5, 9))
        player = (np.arange(length) + last + length + 1) % 2
        repeats = np.ones(length, int)
        repeats[rng.choice(length - 1, 2, replace=False)] = 2
        player = np.repeat(player, repeats)
        lam, gamma = (
            float(rng.choice([0.2, 0.3, 0.7, 0.8])),
            float(rng.choice([0.5, 0.7, 0.8, 1.0])),
        )
        args = (rng.uniform(-0.9, 0.9, len(player)), player, result, lam, gamma)
        cases.append(keyed(oracle04.mover_targets, MOVER_MISTAKES, *args))
    # The same game under another lambda, and under its bounds; a game of one move.
    one = np.array([0.3]), np.array([1]), 1.0, 0.5, 0.5
    for again in (
        (*args[:3], 0.5, 0.6),
        (*args[:2], 1.0, 0.0, 0.9),
        (*args[:2], -1.0, 1.0, 0.9),
        one,
    ):
        cases.append(keyed(oracle04.mover_targets, MOVER_MISTAKES, *again))
    return cases


def _mover_domain(
    values: np.ndarray, player: np.ndarray, result: float, lam: float, gamma: float
) -> bool:
    return (
        values.shape == player.shape
        and set(player) <= {0, 1}
        and result in (1, 0, -1)
        and 0 <= lam <= 1
        and 0 < gamma <= 1
    )


# --- trace_history ----------------------------------------------------------------------------------------------------

TRACE_MISTAKES = {
    "no_fade": "the trace does not fade: before a step is counted, everything is multiplied by gamma * lam",
    "only_lam": "the trace fades by lam alone: gamma is forgotten in the decay",
    "only_gamma": "the trace fades by gamma alone: lam is forgotten in the decay",
    "not_reset": "the trace is carried into the next episode: where one starts, nothing of the last one is owed anything",
    "late": "this is the trace before the step is counted: the present features belong to it",
    "accumulates": "traces accumulate although replacing ones are asked for: there an active feature is set to 1",
    "replaces": "traces are replaced although accumulating ones are asked for: there an active feature grows by 1",
    "clears": "replacing sets the features that are not active to 0: only active ones are set, the others fade",
}


def _trace_cases(rng: np.random.Generator) -> list[Case]:
    cases = []
    for kind in ("accumulating", "replacing", "accumulating", "replacing"):
        steps, count = int(rng.integers(8, 13)), int(rng.integers(4, 7))
        features = (rng.random((steps, count)) < 0.4).astype(np.int64)
        features[:3, 0] = 1, 0, 1  # one that fades and comes back, and one that stays
        features[:6, 1] = 1
        features[-1] = 0  # nothing is active, and all fades
        starts = np.zeros(steps, bool)
        starts[[0, int(rng.integers(6, steps))]] = True
        args = (
            features,
            starts,
            float(rng.uniform(0.8, 0.95)),
            float(rng.uniform(0.85, 0.95)),
            kind,
        )
        cases.append(keyed(oracle04.trace_history, TRACE_MISTAKES, *args))
    args = (*args[:4], "accumulating")  # the same features, and the other kind
    return [*cases, keyed(oracle04.trace_history, TRACE_MISTAKES, *args)]


def _trace_domain(
    features: np.ndarray, starts: np.ndarray, lam: float, gamma: float, kind: str
) -> bool:
    shapes = (
        features.ndim == 2
        and starts.shape == features.shape[:1]
        and set(features.ravel().tolist()) <= {0, 1}
    )
    return (
        shapes
        and bool(starts[0])
        and 0 <= lam <= 1
        and 0 < gamma <= 1
        and kind in ("accumulating", "replacing")
    )


# --- learn_throws -----------------------------------------------------------------------------------------------------

THROW_MISTAKES = {
    "not_reset": "one of two: a game still begins with the trace of the game before it",
    "home": "one of two: at home the game is over, so nothing is ahead; whatever stands in values[0] must not be read",
    "hasty": "nothing has changed: both slips of hasty_learn are still there",
    "last_throw": "the throw that brings the counter home is not counted: it is a throw as any other",
    "no_fade": "the trace does not fade: each throw multiplies all of it by lam",
    "td_0": "only the present square learns: earlier squares of the game have a trace, too",
    "late": "the square where the surprise happens gets nothing of it: its trace grows before the values move",
    "home_changed": "values[0] comes back changed: it is not read, and it is returned as it was given",
}


def _throw_cases(rng: np.random.Generator) -> list[Case]:
    cases = []
    for lam in rng.uniform(0.3, 0.9, 4):
        start = int(rng.integers(9, 14))
        games: list[list[int]] = []
        for _ in range(int(rng.integers(3, 6))):
            squares = [start - len(games)]  # later games begin nearer to home
            while (left := squares[-1] - int(rng.integers(1, 7))) > 0:
                squares.append(left)
            games.append(squares)
        # One throw, then every number of the die; values below 0, and squares on which nobody was.
        games = [[int(rng.integers(1, 7))], [9, 8, 6, 3], [12 - int(rng.integers(2)), 6, 1], *games]
        table = rng.uniform(1, 4, start + 4) * rng.choice([-1, 1], start + 4, p=[0.2, 0.8])
        args = (table, games, float(rng.uniform(0.1, 0.4)), float(lam))
        cases.append(keyed(oracle04.learn_throws, THROW_MISTAKES, *args))
    args = (args[0][::-1].copy(), *args[1:])  # the same games, another table
    return [*cases, keyed(oracle04.learn_throws, THROW_MISTAKES, *args)]


def _throws_domain(values: np.ndarray, games: list[list[int]], alpha: float, lam: float) -> bool:
    """A die has six sides; the last throw of a game may be more than was needed."""
    thrown = [a - b for game in games for a, b in itertools.pairwise(game)]
    last = all(1 <= game[-1] <= 6 for game in games)
    return (
        all(1 <= n <= 6 for n in thrown)
        and last
        and max(map(max, games)) < len(values)
        and 0 < alpha <= 1
        and 0 <= lam <= 1
    )


# --- q_lambda ---------------------------------------------------------------------------------------------------------

WATKINS_MISTAKES = {
    "never_cut": "the trace is never cut: what follows an exploring action says nothing about best play before it",
    "cut_late": "the trace is cut too late: the surprise of the exploring action itself must not reach earlier actions",
    "cut_itself": "the exploring action loses its own trace: cut first, then count the action, which does learn",
    "sarsa": "the value of the next action is taken: Q-learning looks at the best one, whichever is played",
    "end_value": "a value is added behind the last step: the episode is over there",
    "no_fade": "the trace does not fade: each step multiplies all of it by gamma * lam",
    "only_lam": "the trace fades by lam alone: gamma is forgotten in the decay",
    "tie": "an action that is as good as the best does not explore: compare its entry with the best one, not its number with argmax",
    "stale_table": "whether an action explores is asked of the table as it was given: ask the table as it stands at this moment",
}


def _watkins_cases(rng: np.random.Generator) -> list[Case]:
    return telling(_watkins_draw, rng)


def _watkins_domain(
    q: np.ndarray,
    states: np.ndarray,
    actions: np.ndarray,
    rewards: np.ndarray,
    alpha: float,
    lam: float,
    gamma: float,
) -> bool:
    within = (
        states.max() < len(q)
        and actions.max() < q.shape[1]
        and min(states.min(), actions.min()) >= 0
    )
    return (
        within
        and states.shape == actions.shape == rewards.shape
        and 0 < alpha <= 1
        and 0 <= lam <= 1
        and 0 < gamma <= 1
    )


def _watkins_draw(rng: np.random.Generator) -> list[Case]:
    cases = []
    for steps in (6, 7, 8, 9):
        q = rng.uniform(-1, 1, (5, 3))
        states = rng.integers(0, 5, steps)
        # Mostly greedy by the first table; an action that was greedy then can be an exploring one when it is played.
        actions = np.where(
            rng.random(steps) < 0.65, q[states].argmax(axis=1), rng.integers(0, 3, steps)
        )
        actions[1], actions[steps // 2] = q[states[1]].argmax(), q[states[steps // 2]].argmin()
        if (
            steps > 6
        ):  # a state that comes second and once, whose best two actions are equal; the later one is played
            states[:2] = 0, 1
            states[2:] = rng.integers(1, 5, steps - 2) // 2 * 2
            q[1] = 0.2, 0.7, 0.7
            actions[:2] = q[0].argmax(), 1 if steps == 8 else 2
        alpha, gamma = float(rng.uniform(0.1, 0.3)), float(rng.uniform(0.6, 0.9))
        lam = float(rng.uniform(0.6, 0.95))
        args = (q, states, actions, rng.uniform(-1, 1, steps), alpha, lam, gamma)
        cases.append(keyed(oracle04.q_lambda, WATKINS_MISTAKES, *args))
    # The same best action again and again; then, in a state that is new, one that is hardly worse.
    q = rng.uniform(-1, 0, (3, 3))
    q[[0, 1], rng.integers(0, 3, 2)] = 3.0
    q[2] = rng.permutation([0.5, 0.48, -0.9])
    states = np.array([0, 0, 1, 0, 1, 1, 2, 0])
    actions = np.append(
        q[states[:6]].argmax(axis=1), [np.flatnonzero(q[2] == 0.48)[0], q[0].argmax()]
    )
    args = (q, states, actions, rng.uniform(0, 1, 8), 0.1, 0.7, 0.8)
    return [*cases, keyed(oracle04.q_lambda, WATKINS_MISTAKES, *args)]


# --- the sheet --------------------------------------------------------------------------------------------------------

_ORACLES = ("compound_return", "mover_targets", "trace_history", "learn_throws", "q_lambda")
_WITHHELD = tuple(f"rlcourse.checks.oracle04:{name}" for name in _ORACLES)

SHEET = Sheet(
    number="04",
    title="TD(lambda)",
    tasks=(
        Task(
            "compound_return",
            12,
            10,
            1,
            "compound_return",
            _compound_cases,
            by_key,
            _WITHHELD,
            "Another average of n-step returns",
            visible04.compound(),
            COMPOUND_MISTAKES,
            "2 to 6 rewards, weights that end before the episode does and weights that reach beyond it, other gamma",
            domain=_compound_domain,
            key=by_oracle(oracle04.compound_return, COMPOUND_MISTAKES),
        ),
        Task(
            "mover_targets",
            18,
            14,
            2,
            "mover_targets",
            _mover_cases,
            by_key,
            _WITHHELD,
            "Lambda-returns for two players",
            visible04.mover(),
            MOVER_MISTAKES,
            "games of up to ten plies, extra turns, won, lost and drawn, ended by either player; other lam and gamma",
            domain=_mover_domain,
            key=by_oracle(oracle04.mover_targets, MOVER_MISTAKES),
        ),
        Task(
            "trace_history",
            15,
            12,
            2,
            "trace_history",
            _trace_cases,
            by_key,
            _WITHHELD,
            "Traces of features",
            visible04.traces(),
            TRACE_MISTAKES,
            "8 to 12 steps, 4 to 6 features, steps without any active one, episodes that start in the middle, both kinds",
            domain=_trace_domain,
            key=by_oracle(oracle04.trace_history, TRACE_MISTAKES),
        ),
        Task(
            "learn_throws",
            17,
            14,
            2,
            "learn_throws",
            _throw_cases,
            by_key,
            _WITHHELD,
            "Find the bugs: home with a die",
            visible04.throws(),
            THROW_MISTAKES,
            "6 to 8 games of one throw and more, all six numbers, tables full of numbers above and below 0, other alpha and lam",
            domain=_throws_domain,
            key=by_oracle(oracle04.learn_throws, THROW_MISTAKES),
        ),
        Task(
            "q_lambda",
            18,
            16,
            3,
            "q_lambda",
            _watkins_cases,
            by_key,
            _WITHHELD,
            "Control with traces: Watkins's Q(lambda)",
            visible04.watkins(),
            WATKINS_MISTAKES,
            "tables of 3 or 5 states and 3 actions, episodes of 6 to 9 steps that explore now and then and come back to states",
            domain=_watkins_domain,
            key=by_oracle(oracle04.q_lambda, WATKINS_MISTAKES),
        ),
    ),
    manual=(
        ManualTask("experiment", 12, 12, 2, "Experiment: rooms that look alike"),
        ManualTask("explanation", 8, 8, 2, "Explain what you saw"),
    ),
    slips=read_slips(Path(__file__).with_name("visible04.json")),
)

check, grade, attempt, summary, stand_in = (
    SHEET.check,
    SHEET.grade,
    SHEET.attempt,
    SHEET.summary,
    SHEET.stand_in,
)
