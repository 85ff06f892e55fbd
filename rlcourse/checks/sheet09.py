"""Sheet 09, AlphaZero: the tasks, what each usual mistake is told, and how the hidden cases are drawn."""

from pathlib import Path

import numpy as np

from rlcourse.checks import oracle09, visible09
from rlcourse.checks.judging import Narrow, by_key, by_oracle, difference, fair, keyed, telling
from rlcourse.checks.sheet import Sheet
from rlcourse.checks.task import Case, ManualTask, Task
from rlcourse.checks.visible import read_slips

# --- search_chances ---------------------------------------------------------------------------------------------------

CHANCES_MISTAKES = {
    "from_q": "both are made of Q: what counts is how often the search visited a move; a Q of few visits is little known",
    "best_q": "at the end the move with the highest Q is taken: it is the most visited one, as Q may stand on one lucky visit",
    "inverted": "the temperature is upside down: visits to the power 1 / temperature, so that a low one favours the first",
    "softmax": "visits are no logits: they are raised to a power, not put into exp",
    "learned": "the targets are tempered as well: the temperature belongs to play, the network learns the plain shares",
    "first_tie": "at the end one of several most visited moves gets everything: they share it equally",
    "no_end": "the temperature goes on falling: from ply `end` on only the most visited moves are played",
    "late": "off by one: at ply `end` itself the temperature is 0 already",
    "steps": "the temperature falls in steps: it falls a little with every ply, so do not round ply / halving",
    "not_finite": "nan or infinity: a visit count to a large power is too large for a float; divide the visits of a row by "
    "their largest first, which changes nothing else",
}


def _chances_case(
    rng: np.random.Generator, rows: int, actions: int, *, cold: bool = False, slow: bool = False
) -> Case:
    """Searches of all stages of a game. cold: some so late that visits to the power 1 / temperature are beyond all floats.

    slow: a game eight times as long, in which the temperature falls as slowly.
    """
    visits = rng.integers(0, 120, (rows, actions)) * (rng.random((rows, actions)) < 0.8)
    visits[:, :2] = rng.integers(130, 200, (rows, 2))
    q = np.where(visits > 0, rng.uniform(-0.9, 0.9, visits.shape), 0.0)
    visits[rows - 1, :2] = 250  # two moves that the search likes equally
    order = rng.permuted(np.tile(np.arange(actions), (rows, 1)), axis=1)
    visits, q = (np.take_along_axis(table, order, axis=1) for table in (visits, q))
    halving, end = (
        (3.0, 45) if cold else (float(rng.choice([5.5, 6.5, 8.5])), int(rng.integers(12, 20)))
    )
    ply = np.array([3, int(rng.integers(4, 11)), end - 1, end, end + int(rng.integers(1, 9))])
    if slow:
        halving, end, ply = 8 * halving, 8 * end, 8 * ply - 1 + (ply >= end)
    return keyed(oracle09.search_chances, CHANCES_MISTAKES, visits, q, ply[-rows:], halving, end)


def _chances_cases(rng: np.random.Generator) -> list[Case]:
    return telling(
        lambda rng: [
            _chances_case(rng, 5, 4),
            _chances_case(rng, 4, 7, slow=True),
            _chances_case(rng, 5, 5, cold=True),
        ],
        rng,
    )


def _chances_domain(
    visits: np.ndarray, q: np.ndarray, ply: np.ndarray, halving: float, end: int
) -> bool:
    counts = (
        visits.shape == q.shape
        and visits.min() >= 0
        and bool((visits.max(axis=1) > 0).all())
        and visits.dtype.kind == "i"
    )
    return (
        counts
        and not q[visits == 0].any()
        and ply.min() >= 0
        and halving > 0
        and len(ply) == len(visits)
    )


# --- hex_examples -----------------------------------------------------------------------------------------------------

HEX_MISTAKES = {
    "policy_alone": "the policies stay as they were while the boards move: each share belongs to a point and goes with it",
    "policy_view": "the board of player 1 is mirrored, his policy is not: each share goes where its point goes",
    "policy_turn": "the boards are turned, the policies are not: each share goes where its point goes",
    "colours": "the stones of player 1's positions keep their colours: in the mover's view his own stones are +1",
    "board_view": "the colours are changed, the board is not mirrored: the mover would have to join left and right",
    "flip": "the turn is a flip: alone it is no symmetry of Hex, the neighbours of a point change; turn by 180 degrees",
    "quarter": "the turn is one of 90 degrees: then the mover joins left and right, and neighbours change; turn by 180",
    "swap_moves": "the swap moves with the points: it is no point of the board and stays the last of the policy",
    "z_first": "z is for player 0 throughout: it is for the player to move",
    "z_turn": "z changes its sign with the turn: who is to move stays the same, and so does who wins",
}


def _hex_case(rng: np.random.Generator, size: int, count: int) -> Case:
    """Positions in which both players are to move, with results of both kinds for both."""
    movers = rng.permutation(np.arange(count) % 2)
    stones = [
        rng.permutation(size * size)[: 2 * int(rng.integers(2, size * size // 3)) + mover]
        for mover in movers.tolist()
    ]
    boards = np.zeros((count, size * size), int)
    for board, places in zip(boards, stones, strict=True):
        board[places] = np.where(np.arange(len(places)) % 2 == 0, 1, -1)
    policies = rng.dirichlet(np.ones(size * size + 1), count)
    args = boards.reshape(count, size, size), movers, policies, rng.choice([-1, 1], count)
    return keyed(oracle09.hex_examples, HEX_MISTAKES, *args)


def _hex_cases(rng: np.random.Generator) -> list[Case]:
    return telling(lambda rng: [_hex_case(rng, *shape) for shape in ((3, 2), (4, 4), (5, 3))], rng)


def _hex_domain(
    boards: np.ndarray, movers: np.ndarray, policies: np.ndarray, results: np.ndarray
) -> bool:
    """Player 0 moves first, so he has as many stones as player 1 when he is to move, and one more else."""
    count, size = boards.shape[:2]
    shapes = boards.shape == (count, size, size) and policies.shape == (count, size * size + 1)
    shapes = shapes and movers.shape == results.shape == (count,) and policies.min() >= 0
    turns = (boards.sum(axis=(1, 2)) == movers).all()
    return (
        shapes
        and bool(turns)
        and set(results.tolist()) <= {1, -1}
        and np.allclose(policies.sum(axis=1), 1)
    )


# --- value_targets ----------------------------------------------------------------------------------------------------

VALUE_MISTAKES = {
    "first": "the result is player 0's throughout: turn it round where player 1 is to move",
    "opponent": "the result is for the wrong player: z belongs to the one who is to move, not to the one who moved last",
    "parity": "the sign changes at every ply: a player without a move is passed over, so ask `mover` who is to move",
    "draw_loss": "a draw counts as a loss: it is 0 for both, and the share of the search is added as always",
    "draw_second": "a draw counts as a win of player 1: it is 0 for both",
    "cut_draw": "a game that was cut off counts as a draw: the last root value of the game stands for its result",
    "cut_result": "the result of a game that was cut off is used: it says nothing there, the last root value stands for it",
    "cut_view": "the last root value is for the player to move *there*: turn it round for positions of the other one",
    "cut_own": "in a game that was cut off each position's own root value stands for the result: it is the game's last one",
    "last_of_all": "the last root value of the whole list is taken: it is that of the position's own game",
    "root_view": "root values are turned round: they are for the player to move already, which is what is asked for",
    "swapped": "the two weights are exchanged: `share` belongs to the search, 1 - share to the outcome",
    "only_z": "the search's own value is left out: it has the weight `share`",
}


def _value_case(rng: np.random.Generator, outcomes: tuple[str, ...]) -> Case:
    """Games of these outcomes, one after the other; player 0 begins each, and now and then a player is passed over."""
    game, mover = [], []
    for number in range(len(outcomes)):
        who = 0
        for _ in range(int(rng.integers(4, 10))):
            game.append(number)
            mover.append(who)
            who = who if rng.random() < 0.25 else 1 - who
    result = [
        {"first": 1.0, "second": -1.0, "draw": 0.0, "cut": float(rng.choice([-1, 1]))}[outcome]
        for outcome in outcomes
    ]
    cut = [outcome == "cut" for outcome in outcomes]
    root, share = rng.uniform(-0.9, 0.9, len(game)), float(rng.uniform(0.2, 0.4))
    args = np.array(game), np.array(mover), root, np.array(result), np.array(cut), share
    return keyed(oracle09.value_targets, VALUE_MISTAKES, *args)


def _value_cases(rng: np.random.Generator) -> list[Case]:
    games = (
        ("first",),
        ("second", "draw"),
        ("cut", "draw", "first"),
        ("cut", "second", "cut", "draw"),
    )
    return telling(lambda rng: [_value_case(rng, outcomes) for outcomes in games], rng)


def _value_domain(
    game: np.ndarray,
    mover: np.ndarray,
    root: np.ndarray,
    result: np.ndarray,
    cut: np.ndarray,
    share: float,
) -> bool:
    in_a_row = sorted(game.tolist()) == game.tolist() and set(game.tolist()) == set(
        range(len(result))
    )
    in_a_row = in_a_row and game.shape == mover.shape == root.shape and result.shape == cut.shape
    return (
        in_a_row
        and set(mover.tolist()) <= {0, 1}
        and np.isin(result, (1, 0, -1)).all()
        and cut.dtype == bool
        and 0 <= share <= 1
    )


# --- gate_chance ------------------------------------------------------------------------------------------------------

GATE_MISTAKES = {
    "draws_win": "a draw counts as a win at the gate: it is half a point",
    "draws_lose": "a draw counts as a loss at the gate: it is half a point",
    "draws_out": "draws are left out and the rest is counted: every game counts, a draw with half a point",
    "strict": "exactly so many percent is enough: the score has to reach the bound, not to exceed it",
    "one_colour": "the candidate moves first in every game: the colours are taken in turn",
    "mean_colours": "the chances of both colours are averaged for every game: that keeps the mean score, not its spread",
    "normal": "a bell curve stands for the exact chances: add up those of all scores, game by game",
    "exactly": "this is the chance of just that score: it is enough to reach it, so add up all higher ones",
    "fails": "this is the chance to fail: asked for is the chance to pass",
}


def _gate_case(rng: np.random.Generator, games: int, percent: int) -> Case:
    """A candidate about as good as the gate asks for, better where it moves first."""
    first, second = (rng.dirichlet(2 * np.array(weights)) for weights in ((3, 2, 1), (1.5, 2, 1.5)))
    return keyed(
        oracle09.gate_chance, GATE_MISTAKES, first.tolist(), second.tolist(), games, percent
    )


def _gate_cases(rng: np.random.Generator) -> list[Case]:
    def draw(rng: np.random.Generator) -> list[Case]:
        """Four matches in which the candidate may pass and may fail; in all but one a score can be just enough."""
        shapes = ((1, 50), (6, 75), (20, 55), (51, 60))
        return [_open_case(rng, *shape) for shape in shapes]

    return telling(draw, rng)


def _open_case(rng: np.random.Generator, games: int, percent: int) -> Case:
    while True:
        case = _gate_case(rng, games, percent)
        if 0.05 < case.secret.right[1] < 0.95:
            return case


def _gate_domain(first: list[float], second: list[float], games: int, percent: int) -> bool:
    chances = all(abs(sum(one) - 1) < 1e-9 and min(one) >= 0 for one in (first, second))
    return chances and games >= 1 and 1 <= percent <= 100


# --- token_search -----------------------------------------------------------------------------------------------------

TOKEN_MISTAKES = {
    "noise": "one bug is left: the noise is mixed in at every node; it belongs to the root only",
    "mask": "one bug is left: arrows that do not exist keep their share of the prior; take them out and divide by the rest",
    "q": "one bug is left: pi is made of Q; it is made of the visits of the first moves",
    "noise_and_mask": "two bugs are left: where does the noise belong? and what of the prior of arrows that do not exist?",
    "noise_and_q": "two bugs are left: where does the noise belong? and what is pi made of?",
    "mask_and_q": "two bugs are left: what becomes of the prior of arrows that do not exist? and what is pi made of?",
    "hasty": "nothing has changed: all three bugs of hasty_token are still there",
    "sign": "the value is not negated on the way up: the players move in turn",
    "friendly": "a child's mean is read as if it were the mover's own: it is for the player who moves there",
    "asks": "the network is asked about a finished game: a draw, too, is a result that the rules know",
    "draw_loss": "a draw counts as a loss: it is 0 for both",
    "end_view": "the end is counted for the wrong player: `ends` is for the player who would move there",
    "no_noise": "the noise is missing: it is mixed into the priors of the root",
    "added": "the noise is added: it is mixed in, (1 - epsilon) of the prior and epsilon of the noise",
    "own": "N counts the node's own evaluation as well: it is the visits of its arrows, and 1 where there is none",
    "zero_total": "N is 0 where no arrow was visited yet: it counts as 1 there, so that the prior decides",
    "no_root": "the root of N is missing",
    "no_total": "the factor sqrt(N) is missing",
    "c_inside": "c stands under the root: it multiplies the whole term, c P sqrt(N) / (1 + n)",
    "plus_one": "the visits are divided by n, or by 1 where n is 0: it is 1 + n",
    "best_only": "pi gives all to the most visited move: it is the share of each move in the visits",
    "all_simulations": "pi does not add up to 1: the first simulation only evaluates the root and visits no move",
    "root_view": "the value is for the other player: it belongs to the one who moves at the root",
}


def _token_games(
    rng: np.random.Generator, places: int, actions: int, twin: bool = False
) -> list[Case]:
    """Arrows lead on among places that are numbered at random; three have none, and one of these is a draw.

    twin: the game is begun at a second place, too, which has the same arrows.
    """
    goes = np.full((places, actions), -1)
    for place in range(places - 3):
        count = 2 if place % 2 else 3
        arrows = rng.choice(actions, min(count, actions - 1), replace=False)
        goes[place, arrows] = rng.integers(place + 1, min(places, place + 5), len(arrows))
    goes[places - 5 : places - 3] = np.where(
        goes[places - 5 : places - 3] >= 0, places - 1, -1
    )  # the place called 0
    if twin:
        goes[1, goes[0] >= 0] = rng.integers(2, 6, np.sum(goes[0] >= 0))
        goes[1, goes[0] < 0] = -1
    ends = np.zeros(places)
    ends[-3:] = rng.permutation([-1.0, 0.0, 1.0])
    priors, values = rng.dirichlet(np.ones(actions), places), rng.uniform(-0.8, 0.8, places)
    for place in range(
        1, places - 3, 2
    ):  # two arrows that are equally good before either was tried
        priors[place, goes[place] >= 0] = priors[place, goes[place] >= 0].mean()
    noise = np.where(goes[0] >= 0, rng.gamma(0.7, size=actions) + 0.02, 0.0)
    rest = float(rng.uniform(0.25, 0.45)), float(rng.uniform(0.8, 2.0)), int(rng.integers(15, 36))
    number = np.append(rng.permutation(np.arange(1, places)), 0)  # what each place is called
    goes, ends = _renumbered(goes, number), ends[np.argsort(number)]
    args = goes, ends, priors, values, noise / noise.sum(), *rest
    starts = number[: 1 + twin].tolist()
    return [
        keyed(oracle09.token_search, TOKEN_MISTAKES, goes, ends, start, *args[2:])
        for start in starts
    ]


def _renumbered(goes: np.ndarray, number: np.ndarray) -> np.ndarray:
    """The arrows [S, A] when place s is called number[s]."""
    return np.where(goes >= 0, number[goes], -1)[np.argsort(number)]


def _tells_ties(case: Case) -> bool:
    """Whether the last of equal arrows, taken in place of the first, leads to another answer."""
    try:
        answer = oracle09.token_search(*case.args, slip="last_tie")
    except Narrow:
        return False
    return difference(answer, case.secret.right) is not None


def _token_cases(rng: np.random.Generator) -> list[Case]:
    shapes = ((7, 4), (9, 5), (12, 6, True), (12, 4), (9, 4))

    def draw(rng: np.random.Generator) -> list[Case]:
        """Five games, the third from two places; which of equal arrows is taken shows in one."""
        while True:
            games = [
                fair(lambda rng, shape=shape: _token_games(rng, *shape), rng) for shape in shapes
            ]
            cases = [case for game in games for case in game]
            if any(map(_tells_ties, cases)):
                return cases

    return telling(draw, rng)


def _token_domain(
    goes: np.ndarray,
    ends: np.ndarray,
    start: int,
    priors: np.ndarray,
    values: np.ndarray,
    noise: np.ndarray,
    epsilon: float,
    c: float,
    simulations: int,
) -> bool:
    existing, places = goes[start] >= 0, len(goes)
    shapes = (
        goes.shape == priors.shape
        and goes.shape[1:] == noise.shape
        and goes.max() < places == len(ends) == len(values)
    )
    shares = (
        np.allclose(priors.sum(axis=1), 1)
        and np.isclose(noise.sum(), 1)
        and not noise[~existing].any()
        and existing.any()
    )
    shares = shares and min(priors.min(), noise.min()) >= 0
    return (
        shapes
        and shares
        and np.isin(ends, (1, 0, -1)).all()
        and simulations >= 2
        and c > 0
        and 0 <= epsilon <= 1
    )


# --- the sheet --------------------------------------------------------------------------------------------------------

_ORACLES = ("search_chances", "hex_examples", "value_targets", "gate_chance", "token_search")
_WITHHELD = tuple(f"rlcourse.checks.oracle09:{name}" for name in _ORACLES)

SHEET = Sheet(
    number="09",
    title="AlphaZero",
    tasks=(
        Task(
            "search_chances",
            13,
            11,
            1,
            "search_chances",
            _chances_cases,
            by_key,
            _WITHHELD,
            "What is learned, what is played",
            visible09.chances(),
            CHANCES_MISTAKES,
            "four or five searches at once of 4 to 7 moves, early and late ones, moves without visits, very low temperatures",
            domain=_chances_domain,
            key=by_oracle(oracle09.search_chances, CHANCES_MISTAKES),
        ),
        Task(
            "hex_examples",
            16,
            13,
            2,
            "hex_examples",
            _hex_cases,
            by_key,
            _WITHHELD,
            "One network for both players of Hex",
            visible09.hexes(),
            HEX_MISTAKES,
            "boards of 3 x 3 to 5 x 5, both players to move and winning, policies in which the swap has its share",
            domain=_hex_domain,
            key=by_oracle(oracle09.hex_examples, HEX_MISTAKES),
        ),
        Task(
            "value_targets",
            15,
            12,
            2,
            "value_targets",
            _value_cases,
            by_key,
            _WITHHELD,
            "Who is z for?",
            visible09.values(),
            VALUE_MISTAKES,
            "one to four games in a list, wins, draws and games that were cut off, players who are passed over, other shares",
            domain=_value_domain,
            key=by_oracle(oracle09.value_targets, VALUE_MISTAKES),
        ),
        Task(
            "gate_chance",
            15,
            11,
            2,
            "gate_chance",
            _gate_cases,
            by_key,
            _WITHHELD,
            "Who passes the gate?",
            visible09.gates(),
            GATE_MISTAKES,
            "matches of 1 to 51 games, also of an odd number, bounds that a score can hit exactly and others",
            domain=_gate_domain,
            key=by_oracle(oracle09.gate_chance, GATE_MISTAKES),
        ),
        Task(
            "token_search",
            17,
            16,
            3,
            "token_search",
            _token_cases,
            by_key,
            _WITHHELD,
            "Find the bugs: a hasty PUCT",
            visible09.tokens(),
            TOKEN_MISTAKES,
            "games of 7 to 12 places and up to 6 arrows, 15 to 35 simulations, draws, other epsilon and c",
            domain=_token_domain,
            key=by_oracle(oracle09.token_search, TOKEN_MISTAKES),
        ),
    ),
    manual=(
        ManualTask("experiment", 12, 13, 2, "Experiment: what is noise good for?"),
        ManualTask("explanation", 12, 14, 2, "Explain what you saw; two lines of self-play work"),
    ),
    slips=read_slips(Path(__file__).with_name("visible09.json")),
)

check, grade, attempt, summary, stand_in = (
    SHEET.check,
    SHEET.grade,
    SHEET.attempt,
    SHEET.summary,
    SHEET.stand_in,
)
