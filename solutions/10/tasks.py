"""Sheet 10, the capstone: a player of Connect Four.

Its first duties are judged here; how strong it is, in the tournament.
"""

from collections.abc import Callable
from pathlib import Path
from typing import Any

from rlcourse.checks import visible10
from rlcourse.checks.sheet import Sheet
from rlcourse.checks.task import Asked, Case, ManualTask, Mark, Task
from rlcourse.checks.visible import read_slips
from rlcourse.checks.visible10 import Moves
from rlcourse.games import from_recipe

GENERAL = {
    "imported": "the exact solver and the players that the course has trained are locked: your "
    "player has to find its moves without them",
    "kind": "a move is a whole number from 0 to 6, the column, and this is something else",
    "outside": "there is no such column: they are 0 (a) to 6 (g)",
    "full": "that column is full: ask state.legal_moves()",
}

WINS_MISTAKES = {
    **GENERAL,
    "blocked": "the other player is stopped where four in a row could be made: winning comes first",
    "missed": "four in a row could be made at once and was not: try every legal move "
    "and look at winner(), which is +1 for a four of X, the first player, and −1 for one of O",
}

BLOCKS_MISTAKES = {
    **GENERAL,
    "unblocked": "the other player makes four in a row with their next move, and it "
    "could have been stopped: after each move of yours, look for a reply that wins for them",
}

GIFTS_MISTAKES = {
    **GENERAL,
    "gift": "after this move the other player can make four in a row at once, and there are moves "
    "after which they cannot: look at every reply to every move of yours",
}


def _judge(neglected: str) -> Callable[[Case, Any], Mark]:
    """The judge of a duty: any of several columns is right, another open one is this mistake."""

    def judge(case: Case, answer: Any) -> Mark:
        """The mark on a column; of what can be seen at once nothing more is asked."""
        moves: Moves = case.secret
        if isinstance(answer, bool) or not isinstance(answer, int):
            return Mark(0.0, "kind", ("kind",))
        if not 0 <= answer < 7:
            return Mark(0.0, "outside", ("outside",))
        fits = tuple(slip for slip, columns in moves.slips.items() if answer in columns)
        if answer in moves.right:
            return Mark(1.0, "", fits, "", tuple(moves.slips))
        is_open = answer in from_recipe(case.args[0].recipe).legal_moves()
        return Mark(0.0, neglected if is_open else "full", fits, "", tuple(moves.slips))

    return judge


# Neither exact play nor a player that the course has trained is one of your own: both are out of
# reach, here and in the tournament. `duties` knows what is asked.
_WITHHELD = (
    "rlcourse.solvers.connect_four",
    "rlcourse.agents.shipped",
    "rlcourse.weights",
    "rlcourse.checks.visible10:duties",
)

_ALSO = (
    "positions, nearly all from random games, from ply 7 until the board is almost full, with "
    "either player to move; one wrong move costs the task"
)
_FOURS = "fours in all directions, on the edges of the board as well, and gaps inside them"
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
            _judge("full"),
            _WITHHELD,
            "Legal moves only",
            visible10.legal(),
            GENERAL,
            f"22 {_ALSO}; columns are full, and in two positions every move loses",
        ),
        Task(
            "wins",
            10,
            8,
            1,
            "choose",
            _judge("missed"),
            _WITHHELD,
            "Win when you can",
            visible10.wins(),
            WINS_MISTAKES,
            f"34 {_ALSO}; {_FOURS}; in some of them the other player threatens as well",
        ),
        Task(
            "blocks",
            15,
            8,
            2,
            "choose",
            _judge("unblocked"),
            _WITHHELD,
            "Stop what can be stopped",
            visible10.blocks(),
            BLOCKS_MISTAKES,
            f"33 {_ALSO}; {_FOURS}",
        ),
        Task(
            "gifts",
            15,
            9,
            2,
            "choose",
            _judge("gift"),
            _WITHHELD,
            "Give nothing away",
            visible10.gifts(),
            GIFTS_MISTAKES,
            f"20 {_ALSO}; several moves can be gifts, and in three positions every move loses",
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
