"""Sheet 02, Q-tables: the tasks, what each usual mistake is told, and how the hidden cases are drawn."""

from dataclasses import replace
from pathlib import Path

import numpy as np

from rlcourse.checks import oracle02, visible02
from rlcourse.checks.judging import Frequencies, by_frequencies, by_key, by_oracle, keyed, rate
from rlcourse.checks.plain import Rng
from rlcourse.checks.sheet import Sheet
from rlcourse.checks.task import Case, ManualTask, Task
from rlcourse.checks.visible import read_slips

# --- sweep ------------------------------------------------------------------------------------------------------------

SWEEP_MISTAKES = {
    "bootstrap": "a finished state still has a value here: nothing comes after the end, so V(next) counts as 0 there",
    "in_place": "the sweep uses values that it has just changed: read all old values before you write new ones",
    "gamma": "the discount 0.9 is written into the code: use the argument gamma",
    "likeliest": "only the likeliest next state counts here: take the expectation over all of them",
    "plain_rewards": "the rewards are added up without their probabilities: R belongs inside the expectation",
    "late_reward": "the reward of this step is discounted too: only what comes after it is",
    "average": "the mean over the actions is the value of random play: take the best action",
    "minimum": "the smallest action value is taken: here one player maximises",
    "from_zero": "where all actions lose the value is below 0: begin the search for the best action at minus infinity, not at 0",
    "finished": "a finished state keeps its old number: its value is 0, whatever values holds there",
}


def _sweep_cases(rng: np.random.Generator) -> list[Case]:
    cases = []
    for number, gamma in enumerate((0.5, 0.7, 0.8, 1.0)):
        states, actions = int(rng.integers(5, 9)), int(rng.integers(2, 5))
        probabilities = rng.dirichlet(np.full(states, 0.7), (states, actions))
        rewards = rng.uniform(-2, 2, (states, actions, states))
        terminal = np.zeros(states, bool)
        terminal[rng.choice(states, 2, replace=False)] = True
        probabilities[terminal] = np.eye(states)[terminal][:, None, :]
        rewards[terminal] = 0.0
        values = rng.uniform(-3, 3, states)
        if number == 2:  # whatever is done costs something
            values, rewards = -abs(values), -abs(rewards)
        args = (values, probabilities, rewards, terminal, gamma)
        cases.append(keyed(oracle02.sweep, SWEEP_MISTAKES, *args))
    again = (values[::-1].copy(), *args[1:])  # the same process, other values
    return [*cases, keyed(oracle02.sweep, SWEEP_MISTAKES, *again)]


def _sweep_domain(
    values: np.ndarray, P: np.ndarray, R: np.ndarray, terminal: np.ndarray, gamma: float
) -> bool:
    states, actions = P.shape[:2]
    shapes = (values.shape, P.shape, R.shape, terminal.shape) == (
        (states,),
        (states, actions, states),
        P.shape,
        (states,),
    )
    return shapes and np.allclose(P.sum(axis=2), 1) and P.min() >= 0 and 0 < gamma <= 1


# --- nim_update -------------------------------------------------------------------------------------------------------

NIM_MISTAKES = {
    "sign": "the sign of the opponent: what he can win from the rest is your loss, so it counts negatively",
    "opponent_minimises": "the table is in the mover's own view, so the opponent, too, takes the largest of his values, not the least",
    "bootstrap": "no stone is left, so the game is over: its value is the reward alone, whatever row 0 of the table holds",
    "reward_sign": "in this game the player who takes the last stone loses: the reward is -1",
    "alpha": "the step size is forgotten: move from the old entry towards the target by the fraction alpha",
    "gamma": "the discount 0.9 is written into the code: use the argument gamma",
    "mask": "the opponent takes more stones than are left: the max goes over his legal takes only",
    "steps_swapped": "alpha and 1 - alpha are exchanged: the old entry moves by the fraction alpha of the way to the target",
    "from_zero": "all takes of the opponent can be bad for him: the largest of his values is then below 0",
    "ply": "off by one ply: look at the row of the stones that are left after the take",
}


def _nim_cases(rng: np.random.Generator) -> list[Case]:
    # Three with all takes legal afterwards, three with one or two stones left, two that end the game. Each legal take of the
    # opponent is once his best.
    cases = []
    favoured = [*rng.permutation(3).tolist(), 0, *rng.permutation(2).tolist()]
    for number, rest in enumerate((3, *rng.integers(4, 9, 2).tolist(), 1, 2, 2, 0, 0)):
        take = int(rng.integers(1, 4))
        q = rng.uniform(-0.9, 0.9, (13, 3))
        q[0] = rng.uniform(1.1, 1.9, 3)  # means nothing; who uses it is found out
        q[1, 1:], q[2, 2] = rng.uniform(1.1, 1.9, 2), rng.uniform(1.1, 1.9)
        if number in (1, 4):  # whatever the opponent does is bad for him
            q[rest, : min(3, rest)] = -abs(q[rest, : min(3, rest)]) - 0.05
        if rest:
            legal = q[rest, : min(3, rest)]
            best, place = int(legal.argmax()), favoured[number]
            legal[[best, place]] = legal[[place, best]]
        args = (
            q,
            rest + take,
            take,
            float(rng.uniform(0.15, 0.4)),
            float(rng.choice([0.5, 0.6, 0.7, 1.0])),
        )
        cases.append(keyed(oracle02.nim_update, NIM_MISTAKES, *args))
        if number == 1:  # the same question to another table
            again = (np.clip(rng.permutation(q.ravel()).reshape(q.shape), -0.9, 0.9), *args[1:])
            cases.append(keyed(oracle02.nim_update, NIM_MISTAKES, *again))
    return cases


def _nim_domain(q: np.ndarray, heap: int, take: int, alpha: float, gamma: float) -> bool:
    return (
        q.ndim == 2
        and q.shape[1] == 3
        and 1 <= take <= 3
        and take <= heap < len(q)
        and 0 < alpha <= 1
        and 0 < gamma <= 1
    )


# --- choose -----------------------------------------------------------------------------------------------------------

CHOOSE_MISTAKES = {
    "mask": "the greedy move looks at illegal squares too: take the best of the legal ones",
    "zero": "an illegal square that is multiplied by 0 beats legal squares with negative values: leave it out instead",
    "illegal": "exploring plays illegal squares, which nobody ever tried: take the least tried of the legal ones",
    "uniform": "exploring is uniform over all legal moves: it should go to those that were tried least",
    "inverted": "epsilon is inverted: explore with probability epsilon, be greedy with 1 - epsilon",
    "epsilon": "epsilon 0.1 is written into the code: use the argument",
    "never": "it never explores: with probability epsilon a least tried move is due",
    "ties": "among equally good moves always the same one is played: draw one at random",
    "least_ties": "among equally little tried moves always the same one is played: draw one at random",
    "all_ties": "ties always go to the same square, greedy and exploring: draw one of the equal ones at random",
    "sign": "the second player maximises as well: these values are the first player's, so the second one wants them small",
    "distribution": "how often the actions come is not right",
}


def _choose_case(
    rng: np.random.Generator, player: int, cases: int, ties: int, first: int, size: int
) -> Case:
    """All legal moves are bad for the mover, `ties` are equally best and as many equally least tried; another one is hardly
    worse, and one was tried once more. Illegal squares look good and were never tried. Square 0 stands at the place `first` in
    this order: best, least tried, ..., illegal."""
    order = np.insert(1 + rng.permutation(size - 1), first, 0)
    legal = np.zeros(size, bool)
    legal[order[:6]] = True
    mine = np.zeros(size)
    best = -rng.uniform(0.1, 0.3)
    mine[order[:6]] = -rng.uniform(0.4, 0.9, 6)
    mine[order[:ties]], mine[order[ties]] = best, best - 0.02
    mine[order[6:]] = rng.uniform(0.3, 0.9, size - 6)
    visits = np.zeros(size, np.int64)
    visits[order[:6]] = rng.integers(4, 20, 6)
    visits[order[0]] = 4
    visits[order[ties : 2 * ties]] = 3
    q = mine if player == 0 else -mine
    epsilon, seed = float(rng.uniform(0.3, 0.38)), int(rng.integers(2**31))
    case = Case((q, visits, legal, player, epsilon, Rng(seed)), calls=visible02.CALLS)
    return replace(case, secret=_choose_key(case, cases))


def _choose_key(case: Case, cases: int = 1) -> Frequencies:
    """cases: over how many of them the false alarms are divided."""
    args = case.args[:-1]
    slips = {
        slip: oracle02.choice_probabilities(*args, slip=slip)
        for slip in CHOOSE_MISTAKES
        if slip != "distribution"
    }
    return Frequencies(oracle02.choice_probabilities(*args), slips, rate(cases))


def _choose_cases(rng: np.random.Generator) -> list[Case]:
    return [
        _choose_case(rng, player, 4, ties, first, size)
        for player, ties, first, size in ((0, 2, 0, 9), (1, 2, 8, 9), (0, 3, 2, 12), (1, 3, 3, 7))
    ]


def _choose_domain(
    q: np.ndarray, visits: np.ndarray, legal: np.ndarray, player: int, epsilon: float, rng: Rng
) -> bool:
    shapes = q.shape == visits.shape == legal.shape
    return (
        shapes
        and bool(legal.any())
        and visits.min() >= 0
        and player in (0, 1)
        and 0 <= epsilon <= 1
    )


# --- two_estimates ----------------------------------------------------------------------------------------------------

ESTIMATE_MISTAKES = {
    "td_is_mc": "the second estimate is the mean return again: TD learns from V(next), not from the return",
    "mc_is_td": "the first estimate is the TD one again: Monte Carlo averages the returns that were seen",
    "swapped": "the two estimates are in the wrong order: Monte Carlo first, TD second",
    "gamma": "the discount 0.9 is written into the code: use the argument gamma",
    "late": "off by one: the reward of a pair is received on leaving its state, so it belongs to that state's return",
    "wrong_end": "Monte Carlo discounts from the start of the episode: the return of a visit counts steps from that visit",
    "first_visit": "only the first visit in an episode is averaged: every visit counts here",
    "runs_on": "the end of an episode bootstraps from the first state of the next one: behind the end the value is 0",
    "one_pass": "one pass with a small step is not yet batch TD: the estimate is what the passes converge to",
}


def _estimates_cases(rng: np.random.Generator) -> list[Case]:
    cases = []
    for gamma in (0.5, 0.7, 0.8, 1.0):
        states = int(rng.integers(4, 7))
        # The first episode sees every state and comes back to two of them; the others are short, as in real data.
        walks = [
            [*rng.permutation(states).tolist(), *rng.choice(states, 2, replace=False).tolist()]
        ]
        walks += [
            rng.integers(0, states, int(rng.integers(1, 5))).tolist()
            for _ in range(int(rng.integers(4, 8)))
        ]
        episodes = [[(s, round(float(rng.uniform(-2, 2)), 3)) for s in walk] for walk in walks]
        args = (episodes, states, gamma)
        cases.append(keyed(oracle02.two_estimates, ESTIMATE_MISTAKES, *args))
    again = (episodes, states, 0.6)  # the same episodes with another discount
    return [*cases, keyed(oracle02.two_estimates, ESTIMATE_MISTAKES, *again)]


def _estimates_domain(
    episodes: list[list[tuple[int, float]]], num_states: int, gamma: float
) -> bool:
    seen = {state for episode in episodes for state, _ in episode}
    return seen == set(range(num_states)) and all(episodes) and 0 < gamma <= 1


# --- play_from_book ---------------------------------------------------------------------------------------------------

BOOK_MISTAKES = {
    "direction": "right where the way to the book is a mirror or a half turn, wrong where it is a quarter turn: "
    "which way must the square be turned back?",
    "unmapped": "this is the square on the book's board: turn it back to the board that is being played",
    "rotations": "only the four rotations are looked at: a board can also lie in the book as its mirror image",
    "mirrors": "only mirrors and the half turn are looked at: a quarter turn is a symmetry of the board, too",
    "largest": "the largest text is looked up: the book keeps the smallest of the eight",
    "transposed": "row and column are exchanged on the way back",
    "zero": "the square 0 is a square: ask whether the book knows the board (`in`), not whether its move is true",
}


def _book_case(rng: np.random.Generator, view: int) -> Case:
    """A board of 3 x 3 to 6 x 6 without a symmetry of its own that lies in a book of six as the given one of its eight views.
    The book plays empty squares; in view 3 that is its square 0."""
    while True:
        size = 3 if view == 6 else 6 if view == 2 else int(rng.integers(4, 6))
        stones = [2, 1] if size == 3 else [4, 3]
        board = (
            rng.permutation(np.repeat([0, 1, 2], [size * size - sum(stones), *stones]))
            .reshape(size, size)
            .astype(np.int8)
        )
        texts = [oracle02.text_of(image) for image in oracle02.views(board)]
        if len(set(texts)) < 8 or texts.index(min(texts)) != view:
            continue
        others = [rng.permutation(board.ravel()).reshape(board.shape) for _ in range(5)]
        known = [min(map(oracle02.text_of, oracle02.views(other))) for other in (*others, board)]
        book = {
            text: int(rng.choice([k for k, cell in enumerate(text) if cell == "."]))
            for text in known
        }
        if view == 3:
            book[min(texts)] = 0
        case = keyed(oracle02.play_from_book, BOOK_MISTAKES, board, book)
        key = case.secret
        shown = {
            "unmapped": view > 0,
            "transposed": True,
            "direction": view in (1, 3),
        }  # what this view can show
        if all(key.slips[slip] != key.right for slip, visible in shown.items() if visible):
            return case


def _book_cases(rng: np.random.Generator) -> list[Case]:
    cases = [_book_case(rng, view) for view in range(8)]
    board, book = _book_case(rng, 0).args
    book.pop(oracle02.text_of(board))
    return [*cases, keyed(oracle02.play_from_book, BOOK_MISTAKES, board, book)]


def _book_domain(board: np.ndarray, book: dict[str, int]) -> bool:
    """The text is silent on boards with a symmetry of their own, but for boards that the book does not know."""
    texts = [oracle02.text_of(view) for view in oracle02.views(board)]
    square = board.ndim == 2 and board.shape[0] == board.shape[1]
    return (
        square
        and (min(texts) not in book or len(set(texts)) == 8)
        and all(text[move] == "." for text, move in book.items())
    )


# --- the sheet --------------------------------------------------------------------------------------------------------

_ORACLES = ("sweep", "nim_update", "choice_probabilities", "two_estimates", "play_from_book")
_WITHHELD = tuple(f"rlcourse.checks.oracle02:{name}" for name in _ORACLES)

SHEET = Sheet(
    number="02",
    title="Q-tables",
    tasks=(
        Task(
            "sweep",
            15,
            12,
            1,
            "sweep",
            _sweep_cases,
            by_key,
            _WITHHELD,
            "One sweep of value iteration with chance",
            visible02.sweep(),
            SWEEP_MISTAKES,
            "random decision processes of 5 to 8 states, gamma from 0.5 to 1, V with a value at finished states",
            domain=_sweep_domain,
            key=by_oracle(oracle02.sweep, SWEEP_MISTAKES),
        ),
        Task(
            "nim_update",
            15,
            12,
            1,
            "nim_update",
            _nim_cases,
            by_key,
            _WITHHELD,
            "Q-learning in the mover's own view",
            visible02.nim(),
            NIM_MISTAKES,
            "random tables, all numbers of stones left, other alpha and gamma",
            domain=_nim_domain,
            key=by_oracle(oracle02.nim_update, NIM_MISTAKES),
        ),
        Task(
            "choose",
            15,
            14,
            2,
            "choose",
            _choose_cases,
            by_frequencies,
            _WITHHELD,
            "Explore where you have been least",
            visible02.choose(),
            CHOOSE_MISTAKES,
            "both players, 7, 9 or 12 actions, negative values, ties; 2,000 calls a position, judged by how often each action comes",
            domain=_choose_domain,
            key=_choose_key,
        ),
        Task(
            "two_estimates",
            20,
            18,
            3,
            "two_estimates",
            _estimates_cases,
            by_key,
            _WITHHELD,
            "Two answers from the same data",
            visible02.estimates(),
            ESTIMATE_MISTAKES,
            "random episodes of 4 to 6 states, gamma from 0.5 to 1, states that come back, to 6 digits",
            domain=_estimates_domain,
            key=by_oracle(oracle02.two_estimates, ESTIMATE_MISTAKES),
        ),
        Task(
            "play_from_book",
            15,
            14,
            2,
            "play_from_book",
            _book_cases,
            by_key,
            _WITHHELD,
            "Find the bug: the book under symmetry",
            visible02.book(),
            BOOK_MISTAKES,
            "boards of 4 x 4 and 5 x 5 in each of the eight views, and boards that are not in the book",
            domain=_book_domain,
            key=by_oracle(oracle02.play_from_book, BOOK_MISTAKES),
        ),
    ),
    manual=(
        ManualTask("experiment", 12, 12, 2, "Experiment: optimism against epsilon"),
        ManualTask("explanation", 8, 6, 2, "Explain what you saw"),
    ),
    stand_ins={"nim_update": lambda *args: oracle02.nim_update(*args)},
    slips=read_slips(Path(__file__).with_name("visible02.json")),
)

check, grade, attempt, summary, stand_in = (
    SHEET.check,
    SHEET.grade,
    SHEET.attempt,
    SHEET.summary,
    SHEET.stand_in,
)
