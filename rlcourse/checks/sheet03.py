"""Sheet 03, deep Q-learning: the tasks, what each usual mistake is told, and how the hidden cases are drawn."""

from dataclasses import replace
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np

from rlcourse.checks import oracle03, visible03
from rlcourse.checks.judging import (
    Frequencies,
    by_frequencies,
    by_key,
    by_oracle,
    keyed,
    rate,
    telling,
)
from rlcourse.checks.plain import Rng
from rlcourse.checks.sheet import Sheet
from rlcourse.checks.task import Case, ManualTask, Task, Verdict
from rlcourse.checks.visible import read_slips
from rlcourse.checks.visible03 import DRAWS, Draws


def _boards(rng: np.random.Generator, count: int) -> np.ndarray:
    """[count, 6, 7]: stones that fell in turn, with at least one full column and two that are not."""
    boards = np.zeros((count, 6, 7), np.int8)
    for board in boards:
        heights, order = np.zeros(7, int), rng.permutation(7)
        for ply in range(int(rng.integers(14, 27))):
            free = order[heights[order] < 6]
            column = free[0] if rng.random() < 0.4 or len(free) < 3 else rng.choice(free[:-1])
            board[5 - heights[column], column] = 1 + ply % 2
            heights[column] += 1
    return (
        boards
        if ((boards[:, 0] != 0).any(axis=1) & ((boards[:, 0] == 0).sum(axis=1) > 1)).all()
        else _boards(rng, count)
    )


# --- best_columns -----------------------------------------------------------------------------------------------------

COLUMNS_MISTAKES = {
    "sign": "the second player maximises as well: the network speaks to the first player's account, so he wants small values",
    "one_parity": "one player is taken for the whole batch: in every row another one can be to move, so count each board's stones",
    "player": "the two sides are exchanged: with an even number of stones on the board the first player is to move",
    "mask": "the best of all seven columns is taken: a full one cannot be played, whatever the network says of it",
    "zero": "a full column that is multiplied by 0 beats open ones with negative values: leave it out instead",
    "bottom": "a column is full when its top cell is taken; row 0 is the top",
    "unturned": "the answer for the mirror image is not turned back: its column 0 is column 6 of the board",
    "one_view": "the mirror image is not used: take the mean of both answers",
    "maximum": "the larger of the two answers is taken, not their mean",
    "mirror_sign": "the sign of the mirror image's answer is turned: a mirror exchanges left and right, not the players",
}


def _columns_case(rng: np.random.Generator, rows: int = 12, size: float = 1.0) -> Case:
    """In half of the rows everything open looks bad to the mover, and what is full looks good. size: of the values."""
    boards = _boards(rng, rows)
    mine = np.where(
        boards[:, 0] == 0, rng.uniform(-0.9, 0.6, (rows, 7)), rng.uniform(-0.6, 0.9, (rows, 7))
    )
    bad = np.arange(rows) % 2 == 0
    low = np.where(
        boards[:, 0] == 0, rng.uniform(-0.9, -0.2, (rows, 7)), rng.uniform(0.3, 0.9, (rows, 7))
    )
    mine[bad] = low[bad]
    best = np.where(boards[:, 0] == 0, mine, -np.inf).argmax(axis=1)
    if rows > 1 and not (boards[np.arange(rows), 1, best] != 0).any():
        return _columns_case(
            rng, rows, size
        )  # the best column has a single empty cell in one row at least
    mean = mine * (1 - 2 * ((boards != 0).sum(axis=(1, 2)) % 2))[:, None]
    apart = rng.uniform(-0.5, 0.5, (rows, 7))
    args = (size * (mean + apart), size * (mean - apart)[:, ::-1], boards)
    return keyed(oracle03.best_columns, COLUMNS_MISTAKES, *args)


_BATCHES = (12, 1.0), (12, 5.0), (12, 1.0), (1, 1.0)  # rows, and the size of the values


def _columns_cases(rng: np.random.Generator) -> list[Case]:
    """Batches whose rows differ in parity, the first one not always as all stones together, and one row alone."""
    while True:
        cases = telling(lambda rng: [_columns_case(rng, *batch) for batch in _BATCHES], rng)
        stones = [(case.args[2] != 0).sum(axis=(1, 2)) % 2 for case in cases[:3]]
        mixed = all(len(set(parity)) == 2 for parity in stones)
        if (
            mixed
            and len({(int(parity.sum()) + parity[0]) % 2 for parity in stones})
            == len({parity[0] for parity in stones})
            == 2
        ):
            return cases


def _columns_domain(q: np.ndarray, q_mirrored: np.ndarray, boards: np.ndarray) -> bool:
    mean, free = (q + q_mirrored[:, ::-1]) / 2, boards[:, 0] == 0
    apart = all(
        len(row[ok]) > 0 and (np.diff(np.sort(row[ok])) > 1e-9).all()
        for row, ok in zip(mean, free, strict=True)
    )
    return q.shape == q_mirrored.shape == (len(boards), 7) and apart and _in_turn(boards)


def _in_turn(boards: np.ndarray) -> bool:
    """Whether stones lie on stones or on the ground, and the first player has as many as the second, or one more."""
    more = (boards == 1).sum(axis=(1, 2)) - (boards == 2).sum(axis=(1, 2))
    fallen = ((boards[:, :-1] == 0) | (boards[:, 1:] != 0)).all()
    return boards.shape[1:] == (6, 7) and bool(fallen) and set(more.tolist()) <= {0, 1}


# --- double_targets ---------------------------------------------------------------------------------------------------

TARGETS_MISTAKES = {
    "sign": "the sign of the next player: in the next position your opponent moves, and what he wins you lose",
    "bootstrap": "a finished game still has a future here: its target is the reward alone",
    "mask": "the maximum goes over full columns too: nobody can play there, and nothing has ever corrected these values",
    "zero": "a full column that is multiplied by 0 beats open ones with negative values: leave it out instead",
    "bottom": "a column is full when its top cell is taken; row 0 is the top",
    "gamma": "the discount 0.9 is written into the code: use the argument gamma",
    "single": "the target network both chooses and values: let the online network choose the column",
    "online": "the online network both chooses and values: let the target network say what the chosen column is worth",
    "swapped": "the roles are exchanged: the online network chooses, the target network values",
    "opponent_minimises": "all values are in the mover's own view, so the opponent, too, takes the largest of his",
    "way_reward": "a reward on the way is left out: the reward counts whether the game is over or not",
}


def _targets_case(
    rng: np.random.Generator, gamma: float, rows: int = 10, size: float = 1.0
) -> Case:
    """Three finished games, one of them with a full board; in half of the others everything open looks bad. size: of the values.

    In one row at least the reply is a column with a single empty cell.
    """
    boards = _boards(rng, 10)
    done = np.arange(10) < 3
    boards[0, :, :] = rng.permuted(np.repeat([1, 2], 21)).reshape(6, 7)  # a draw: the board is full
    full = boards[:, 0] != 0
    online = np.where(full, rng.uniform(-0.2, 0.9, (10, 7)), rng.uniform(-0.9, 0.6, (10, 7)))
    online[5:] = np.where(full[5:], rng.uniform(0.3, 0.9, (5, 7)), rng.uniform(-0.9, -0.1, (5, 7)))
    reward = np.where(
        done, rng.choice([1.0, -1.0], 10), rng.choice([0.0, 0.25, -0.25], 10, p=[0.6, 0.2, 0.2])
    )
    reward[0], reward[-1] = 0.0, 0.25
    replies = np.where(full, -np.inf, online).argmax(axis=1)
    if not (boards[3:9][np.arange(6), 1, replies[3:9]] != 0).any():
        return _targets_case(rng, gamma, rows, size)
    order = rng.permutation(10) if rows == 10 else np.array([9])  # one row alone goes on
    online, target = size * online, size * (online + rng.uniform(-0.8, 0.8, (10, 7)))
    parts = (reward, done, boards, online, target)
    args = (*(part[order] for part in parts), gamma)
    return keyed(oracle03.double_targets, TARGETS_MISTAKES, *args)


def _targets_cases(rng: np.random.Generator) -> list[Case]:
    return telling(
        lambda rng: [
            _targets_case(rng, 0.5),
            _targets_case(rng, 0.7, size=20.0),
            _targets_case(rng, 1.0),
            _targets_case(rng, 0.6, 1),
        ],
        rng,
    )


def _targets_domain(
    reward: np.ndarray,
    done: np.ndarray,
    boards: np.ndarray,
    q_online: np.ndarray,
    q_target: np.ndarray,
    gamma: float,
) -> bool:
    full = (boards[:, 0] != 0).all(axis=1)
    shapes = (
        q_online.shape == q_target.shape == (len(reward), 7)
        and reward.shape == done.shape == full.shape
    )
    return shapes and _in_turn(boards) and not (full & ~done).any() and 0 < gamma <= 1


# --- gradients --------------------------------------------------------------------------------------------------------

GRADIENTS_MISTAKES = {
    "all_actions": "the loss is on all actions: only the action that was played has a target, the other outputs have no error",
    "greedy": "the error is taken at the action that looks best now: it belongs to the action that was played",
    "squared": "an error beyond 1 counts in full: the Huber loss is a straight line there, its slope is 1 or -1",
    "slope": "the slope of the Huber loss is 1 at errors below -1, too: it is -1 there",
    "relu": "the ReLU is forgotten on the way back: a neuron that was cut off to 0 passes nothing on",
    "linear": "the ReLU is forgotten: the hidden layer is max(0, x W1 + b1)",
    "sum": "the gradients of the batch are added up: the loss is a mean, divide by the number of rows",
    "mean_all": "the mean is over all outputs: there is one error a row, so divide by the number of rows",
    "sign": "all signs are turned: this is the way downhill; the gradient points uphill, error = output - target",
    "twice": "everything is doubled: the loss has the factor 1/2 in front of the square",
}


def _gradients_case(
    rng: np.random.Generator, rows: int, features: int, hidden: int, outputs: int
) -> Case:
    """No sum of a neuron and no error lies near its kink, so that a numerical gradient is right as well."""
    while True:
        x = rng.normal(size=(rows, features))
        w1, b1 = rng.normal(size=(features, hidden)), rng.normal(size=hidden) * 0.3
        w2, b2 = rng.normal(size=(hidden, outputs)), rng.normal(size=outputs) * 0.3
        actions = rng.integers(0, outputs, rows)
        sums = x @ w1 + b1
        chosen = (np.maximum(sums, 0) @ w2 + b2)[np.arange(rows), actions]
        errors = (rng.permutation([-0.6, 0.4, 0.7, 1.5, -2.0]) * rng.uniform(0.9, 1.1, 5))[:rows]
        if np.abs(sums).min() > 0.02:
            args = (x, w1, b1, w2, b2, actions, chosen - errors)
            return keyed(oracle03.gradients, GRADIENTS_MISTAKES, *args)


def _gradients_cases(rng: np.random.Generator) -> list[Case]:
    sizes = (5, 3, 4, 3), (5, 2, 5, 4), (5, 4, 3, 2), (1, 3, 1, 4)
    return telling(lambda rng: [_gradients_case(rng, *size) for size in sizes], rng)


def _gradients_domain(
    x: np.ndarray,
    W1: np.ndarray,
    b1: np.ndarray,
    W2: np.ndarray,
    b2: np.ndarray,
    actions: np.ndarray,
    targets: np.ndarray,
) -> bool:
    (rows, features), (hidden, outputs) = x.shape, W2.shape
    shapes = (W1.shape, b1.shape, b2.shape, targets.shape) == (
        (features, hidden),
        (hidden,),
        (outputs,),
        (rows,),
    )
    return shapes and actions.shape == (rows,) and 0 <= actions.min() and actions.max() < outputs


# --- Memory -----------------------------------------------------------------------------------------------------------

MEMORY_MISTAKES = {
    "newest": "only the newest come back: every transition in the memory can be drawn",
    "uniform": "the priorities are ignored: a transition is drawn with a probability in proportion to its priority",
    "greedy": "the transition with the highest priority comes every time: it is only more likely",
    "no_limit": "the memory never forgets: when it is full, the oldest transition makes room",
    "never_leaves": "a full memory takes nothing new: when it is full, the oldest transition makes room",
    "newest_leaves": "the newest transition is overwritten: the oldest one makes room",
    "least_leaves": "the transition with the least priority makes room: it is the oldest one that leaves",
    "stale": "a new transition inherits the priority of the one whose place it takes: replace both",
    "empty": "places that were never filled are drawn as well: draw among what is in the memory",
    "repeated": "two samples are the same from first to last: draw with the rng that is passed in, never with one of your own",
    "distribution": "how often the transitions come is not right",
}
_MEMORY_SAMPLES = 4  # of one hidden case
_LISTED = [
    name for name in MEMORY_MISTAKES if name not in ("empty", "repeated", "distribution")
]  # the others show in no list of probabilities


def _memory_key(case: Case, samples: int = 1) -> Draws:
    """samples: over how many of them the false alarms are divided."""
    added, drawn = [], []
    for place, (name, args) in enumerate(case.script):
        if name == "add":
            added.append(args[1])
            continue
        asked = case.args[0], np.array(added)
        chances = {slip: oracle03.memory_chances(*asked, slip) for slip in _LISTED}
        right = oracle03.memory_chances(*asked)
        drawn.append((place, Frequencies(right, chances, rate(samples))))
    return Draws(tuple(drawn))


def _memory_case(rng: np.random.Generator, capacity: int, cases: int) -> Case:
    """Sampled when it is not yet full, when it has just begun to forget, and twice after it has forgotten much."""
    priorities = rng.permutation([1, 2, 4, 6, 8, 10, 3, 12, 5]) * rng.uniform(0.9, 1.1, 9)
    script, seed = [], int(rng.integers(2**31))
    for number, priority in enumerate(priorities, start=1):
        script.append(("add", (number, float(priority))))
        for _ in range({3: 1, capacity + 2: 1, 9: 2}.get(number, 0)):
            script.append(("sample", (DRAWS, Rng(seed))))
    case = Case((capacity,), script=tuple(script), draws_at=0)
    return replace(case, secret=_memory_key(case, _MEMORY_SAMPLES * cases))


def _memory_cases(rng: np.random.Generator) -> list[Case]:
    """Drawn again until every two mistakes differ so much in a sample that its counts fit only one of them: 0.12 in a
    probability are over ten standard deviations of 2,000 draws."""
    while True:
        cases = [_memory_case(rng, capacity, 2) for capacity in (4, 5)]
        slips = [frequencies.slips for case in cases for _, frequencies in case.secret.samples]
        if all(
            max(np.abs(p[a] - p[b]).max() for p in slips) > 0.12
            for a, b in combinations(_LISTED, 2)
        ):
            return cases


def _memory_domain(capacity: int, script: tuple) -> bool:
    added = [args for name, args in script if name == "add"]
    sampled = [args for name, args in script if name == "sample"]
    return (
        capacity >= 1
        and all(priority > 0 for _, priority in added)
        and all(n >= 1 for n, _ in sampled)
        and script[0][0] == "add"
    )


def _by_draws(case: Case, answer: Any) -> Verdict:
    """Judges how often each transition comes, sample by sample; see `by_frequencies`."""
    draws: Draws = case.secret
    listed = tuple(slip for slip in draws.answers() if slip)
    verdicts, lists = [], []
    for place, frequencies in draws.samples:
        drawn = answer[place]
        if not isinstance(drawn, (list, tuple)) and not (
            isinstance(drawn, np.ndarray) and drawn.ndim
        ):
            return Verdict(
                0.0, "kind", (), f"sample returns a list of transitions; got {type(drawn).__name__}"
            )
        if len(drawn) > DRAWS:
            return Verdict(
                0.0,
                "shape",
                (),
                f"sample({DRAWS}, rng) returns {DRAWS} transitions; got {len(drawn)}",
            )
        drawn = drawn.tolist() if isinstance(drawn, np.ndarray) else drawn
        drawn = [int(one) if isinstance(one, float) and one.is_integer() else one for one in drawn]
        if any(one is None or (one == 0 and not isinstance(one, bool)) for one in drawn):
            return Verdict(0.0, "empty", ("empty",))
        if len(drawn) != DRAWS:
            count = len(frequencies.right)
            newest = sorted(map(str, drawn)) == sorted(
                map(str, range(count - len(drawn) + 1, count + 1))
            )
            detail = f"sample({DRAWS}, rng) returns {DRAWS} transitions; got {len(drawn)}"
            return (
                Verdict(0.0, "newest", ("newest",)) if newest else Verdict(0.0, "shape", (), detail)
            )
        numbers = [one - 1 if type(one) is int else one for one in drawn]
        verdicts.append(by_frequencies(Case((), frequencies, calls=DRAWS), numbers))
        lists.append(drawn)
    fits = tuple(name for name in listed if all(name in verdict.fits for verdict in verdicts))
    wrong = [verdict for verdict in verdicts if verdict.score < 1.0]
    if wrong and wrong[0].mistake == "kind":
        return wrong[0]
    if wrong:
        return Verdict(0.0, fits[0] if fits else "distribution", fits, "", listed)
    if lists[-1] == lists[-2]:
        return Verdict(0.0, "repeated", ("repeated",))
    return Verdict(1.0, "", fits, "", listed)


# --- learn ------------------------------------------------------------------------------------------------------------

LEARN_MISTAKES = {
    "aliased": "the target moves with every step, as in the code that was handed out: `target = weights` is a second name of "
    "the same array, so take a copy; and copy again only when it is due",
    "never": "the target is never copied again: print `step % every` for a few steps; which value can it never have?",
    "late": "the copies come one step late: before steps 0, every, 2 * every, ... take the weights as they are just then",
    "bootstrap": "a finished episode still has a future here: its target is the reward alone",
    "gamma": "the discount 0.9 is written into the code: use the argument gamma",
    "sum": "the errors of a batch are added up: the step is made for their mean",
    "one_go": "`weights[:, action] -= ...` takes a column once where an action comes twice in a batch: the last row wins; add up row "
    "by row, or with a matrix product",
    "row_by_row": "the error is worked out anew after each row: all errors of a batch belong to the weights before the step",
}


def _learn_case(
    rng: np.random.Generator, gamma: float, every: int, shape: tuple[int, int, int]
) -> Case:
    """Nine steps. shape: rows of a batch, features, actions."""
    steps, (rows, features, actions) = 9, shape
    batches = {
        "x": rng.normal(size=(steps, rows, features)),
        "action": rng.integers(0, actions, (steps, rows)),
        "reward": rng.uniform(-1, 1, (steps, rows)),
        "done": rng.random((steps, rows)) < 0.25,
        "x_next": rng.normal(size=(steps, rows, features)),
    }
    args = (
        rng.normal(size=(features, actions)),
        batches,
        every,
        float(rng.uniform(0.1, 0.3)),
        gamma,
    )
    return keyed(oracle03.learn, LEARN_MISTAKES, *args)


def _learn_cases(rng: np.random.Generator) -> list[Case]:
    """Copies every two to four steps, before each step, and before the first alone; one row a batch."""
    drawn = [(int(rng.integers(2, 5)), shape) for shape in ((4, 3, 3), (4, 2, 4), (5, 4, 3))]
    settings = [*zip((0.5, 0.8, 1.0), *zip(*drawn, strict=True), strict=True)]
    settings += [(0.7, 1, (1, 3, 4)), (0.6, 9, (3, 4, 2))]
    while True:
        cases = telling(lambda rng: [_learn_case(rng, *setting) for setting in settings], rng)
        if all(_unlike(case) for case in cases[:3]):
            return cases


def _unlike(case: Case) -> bool:
    """Whether it shows that the target network values what the learning one chooses."""
    double = keyed(oracle03.learn, ["double"], *case.args).secret
    return not np.allclose(double.slips["double"], double.right)


def _learn_domain(
    weights: np.ndarray, batches: dict[str, np.ndarray], every: int, rate: float, gamma: float
) -> bool:
    steps, rows, features = batches["x"].shape
    shapes = all(batches[name].shape == (steps, rows) for name in ("action", "reward", "done"))
    within = (
        0 <= batches["action"].min()
        and batches["action"].max() < weights.shape[1]
        and len(weights) == features
    )
    return (
        shapes
        and within
        and batches["x_next"].shape == batches["x"].shape
        and every >= 1
        and rate > 0
        and 0 < gamma <= 1
    )


# --- the sheet --------------------------------------------------------------------------------------------------------

_ORACLES = ("best_columns", "double_targets", "gradients", "memory_chances", "learn")
_WITHHELD = tuple(f"rlcourse.checks.oracle03:{name}" for name in _ORACLES)

SHEET = Sheet(
    number="03",
    title="Deep Q-learning",
    tasks=(
        Task(
            "best_columns",
            15,
            12,
            1,
            "best_columns",
            _columns_cases,
            by_key,
            _WITHHELD,
            "One network, two players, two views",
            visible03.columns(),
            COLUMNS_MISTAKES,
            "twelve boards at once, both players to move, full columns that look best, values below 0 only",
            domain=_columns_domain,
            key=by_oracle(oracle03.best_columns, COLUMNS_MISTAKES),
        ),
        Task(
            "double_targets",
            15,
            12,
            2,
            "double_targets",
            _targets_cases,
            by_key,
            _WITHHELD,
            "One network chooses, the other values",
            visible03.targets(),
            TARGETS_MISTAKES,
            "ten boards at once, gamma from 0.5 to 1, finished games with a full board and with open columns",
            domain=_targets_domain,
            key=by_oracle(oracle03.double_targets, TARGETS_MISTAKES),
        ),
        Task(
            "gradients",
            20,
            18,
            3,
            "gradients",
            _gradients_cases,
            by_key,
            _WITHHELD,
            "Backpropagation by hand",
            visible03.gradients(),
            GRADIENTS_MISTAKES,
            "random networks of 2 to 4 inputs, 1 to 5 neurons and 2 to 4 outputs, batches of 5 and of 1, errors below and beyond 1, "
            "to 6 digits",
            domain=_gradients_domain,
            key=by_oracle(oracle03.gradients, GRADIENTS_MISTAKES),
        ),
        Task(
            "memory",
            15,
            14,
            2,
            "Memory",
            _memory_cases,
            _by_draws,
            _WITHHELD,
            "A memory with priorities",
            visible03.memory(),
            MEMORY_MISTAKES,
            f"memories of 4 and 5 that have forgotten much; {DRAWS:,} draws a sample, judged by how often each one comes",
            domain=_memory_domain,
            key=_memory_key,
        ),
        Task(
            "learn",
            15,
            12,
            2,
            "learn",
            _learn_cases,
            by_key,
            _WITHHELD,
            "Find the bugs: the target network that is none",
            visible03.learning(),
            LEARN_MISTAKES,
            "random batches, of one row too, copies every 1 to 9 steps, gamma from 0.5 to 1, and whether your weights are changed",
            domain=_learn_domain,
            key=by_oracle(oracle03.learn, LEARN_MISTAKES),
        ),
    ),
    manual=(
        ManualTask("experiment", 12, 12, 2, "Experiment: how often to copy the target network"),
        ManualTask("explanation", 8, 6, 2, "Explain what you saw"),
    ),
    stand_ins={"gradients": lambda *args: oracle03.gradients(*args)},
    slips=read_slips(Path(__file__).with_name("visible03.json")),
)

check, grade, attempt, summary, stand_in = (
    SHEET.check,
    SHEET.grade,
    SHEET.attempt,
    SHEET.summary,
    SHEET.stand_in,
)
