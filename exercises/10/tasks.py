"""Sheet 10, the capstone: a player of Connect Four.

Its first duties are judged here; how strong it is, in the tournament.
"""

from pathlib import Path
from typing import Any

from rlcourse.checks import visible10
from rlcourse.checks.sheet import Sheet
from rlcourse.checks.task import Asked, Case, ManualTask, Task, Verdict
from rlcourse.checks.visible import read_slips
from rlcourse.checks.visible10 import Moves

GENERAL = {
    "imported": "the exact solver and the players that the course has trained are locked: your "
    "player has to find its moves without them",
    "kind": "a move is a whole number from 0 to 6, the column, and this is something else "
    "(was nothing returned?)",
    "outside": "there is no such column: they are 0 (a) to 6 (g)",
    "full": "that column is full: ask state.legal_moves()",
}

WINS_MISTAKES = {
    **GENERAL,
    "blocked": "the other player is stopped where four in a row could be made: winning comes first",
    "missed": "four in a row could be made at once and was not: try every legal move "
    "and look at winner()",
}

BLOCKS_MISTAKES = {
    **GENERAL,
    "unblocked": "the other player makes four in a row with their next move, and it "
    "could have been stopped",
}

GIFTS_MISTAKES = {
    **GENERAL,
    "gift": "after this move the other player can make four in a row at once, and there are moves "
    "after which they cannot",
}


def _by_moves(case: Case, answer: Any) -> Verdict:
    """Any of several columns is right; of the others each has its mistake."""
    moves: Moves = case.secret
    if isinstance(answer, bool) or not isinstance(answer, int):
        return Verdict(0.0, "kind", ("kind",))
    if not 0 <= answer < 7:
        return Verdict(0.0, "outside", ("outside",))
    if answer in moves.right:
        return Verdict(1.0)
    fits = tuple(slip for slip, columns in moves.slips.items() if answer in columns)
    return Verdict(0.0, fits[0] if fits else "other", fits)


# Neither exact play nor a player that the course has trained is one of your own: both are out of
# reach, here and in the tournament. `duties` knows what is asked.
_WITHHELD = (
    "rlcourse.solvers.connect_four",
    "rlcourse.agents.shipped",
    "rlcourse.weights",
    "rlcourse.checks.visible10:duties",
)

_ALSO = (
    "16 positions of random games, 7 to 34 plies long, with either player to move; one wrong move "
    "costs the task"
)
SHEET = Sheet(
    number="10",
    title="Capstone: a player for the tournament",
    tasks=(
        Task(
            "legal",
            10,
            17,
            1,
            "choose",
            _by_moves,
            _WITHHELD,
            "Legal moves only",
            visible10.legal(),
            GENERAL,
            f"{_ALSO}; columns are full, and in two positions every move loses",
        ),
        Task(
            "wins",
            10,
            8,
            1,
            "choose",
            _by_moves,
            _WITHHELD,
            "Win when you can",
            visible10.wins(),
            WINS_MISTAKES,
            f"{_ALSO}; fours in all directions, and gaps inside them; in half of the positions the "
            "other player threatens as well",
        ),
        Task(
            "blocks",
            15,
            8,
            2,
            "choose",
            _by_moves,
            _WITHHELD,
            "Stop what can be stopped",
            visible10.blocks(),
            BLOCKS_MISTAKES,
            f"{_ALSO}; fours in all directions, and gaps inside them",
        ),
        Task(
            "gifts",
            15,
            9,
            2,
            "choose",
            _by_moves,
            _WITHHELD,
            "Give nothing away",
            visible10.gifts(),
            GIFTS_MISTAKES,
            f"{_ALSO}; several moves can be gifts, and in two positions all of them are",
        ),
    ),
    manual=(
        ManualTask(
            "experiment",
            25,
            14,
            3,
            "Experiment: how strong is it?",
            figure=Asked(curves=(3,), spreads=(2,), points=4, log="x"),
        ),
        ManualTask("explanation", 25, 32, 2, "Report: what you built, and what the numbers say"),
    ),
    slips=read_slips(Path(__file__).with_name("visible.json")),
)

check, grade, attempt, summary, stand_in = SHEET.in_notebook

trial = visible10.trial
