"""Variants of sheet 01: other conventions for the same tasks."""

import numpy as np

from rlcourse.checks.variant import Variant

# --- boltzmann: the table holds the second player's values ----------------------------------------


def other_player(
    q: np.ndarray, legal: np.ndarray, player: int, temperature: float
) -> tuple[np.ndarray, np.ndarray, int, float]:
    """The same question, in which the players have changed places."""
    return q, legal, 1 - player, temperature


FOR_THE_SECOND = Variant(
    text={
        "each move is worth **to the first player**: +1 means that the first player will win, "
        "-1 that the second will. The first player\n"
        "wants large values, the second small ones.": (
            "each move is worth **to the second player**: +1 means that the second player will "
            "win, -1 that the first will. The second player\n"
            "wants large values, the first small ones."
        ),
        "`q` `[A]`: the values for the first player; what": (
            "`q` `[A]`: the values for the second player; what"
        ),
        "What is worth +0.4 to the first player is worth -0.4 to the second.": (
            "What is worth +0.4 to the second player is worth -0.4 to the first."
        ),
        "Probabilities [A]. q [A] for the first player,": (
            "Probabilities [A]. q [A] for the second player,"
        ),
        "values = q if player == 0 else -q": "values = q if player == 1 else -q",
    },
    asked=other_player,
    given=other_player,
    in_code={
        "the sign of the second player: the values are the first player's, so the second "
        "player prefers small ones": (
            "the sign of the first player: the values are the second player's, so the first "
            "player prefers small ones"
        ),
        "the table is for the first player, so it is the second player's values that turn": (
            "the table is for the second player, so it is the first player's values that turn"
        ),
        "q if player == 0 else -q": "q if player == 1 else -q",
        "first player, temperature 1, square 1 is illegal": (
            "second player, temperature 1, square 1 is illegal"
        ),
        "second player, temperature 0.5, the same position": (
            "first player, temperature 0.5, the same position"
        ),
        "second player, temperature 0.001: two good moves, and still numbers": (
            "first player, temperature 0.001: two good moves, and still numbers"
        ),
        "first player, temperature 100: two legal moves of the same value": (
            "second player, temperature 100: two legal moves of the same value"
        ),
    },
)

# --- clip_legal: every column is a distribution ---------------------------------------------------


def turned(p: np.ndarray, legal: np.ndarray, floor: float) -> tuple[np.ndarray, np.ndarray, float]:
    """Rows for columns."""
    return p.T, legal.T, floor


def turned_answer(answer: np.ndarray) -> np.ndarray:
    """Rows for columns; what is no table stays as it is."""
    return np.asarray(answer).T


IN_COLUMNS = Variant(
    text={
        "for a batch of positions at once. For each row of `p` `[B, A]` and `legal` `[B, A]`:": (
            "for a batch of positions at once. Each position is a **column**. For each column of "
            "`p` `[A, B]` and `legal` `[A, B]`:"
        ),
        "3. divide by the row's sum,": "3. divide by the column's sum,",
        "    nothing = kept.sum(axis=1) == 0\n    kept[nothing] = legal[nothing]\n    kept = "
        "kept / kept.sum(axis=1, keepdims=True)\n    kept = np.minimum(": (
            "    nothing = kept.sum(axis=0) == 0\n    kept[:, nothing] = legal[:, nothing]\n    "
            "kept = kept / kept.sum(axis=0, keepdims=True)\n    kept = np.minimum("
        ),
        "p = np.array([[0.6, 0.4, 0.0, 0.0], [0.25, 0.25, 0.25, 0.25]])\n"
        "legal = np.array([[False, True, True, True], [True, True, False, False]])": (
            "p = np.array([[0.6, 0.25], [0.4, 0.25], [0.0, 0.25], [0.0, 0.25]])\n"
            "legal = np.array([[False, True], [True, True], [True, False], [True, False]])"
        ),
        "For the two rows above it gives": "For the two columns above it gives",
        "What should the sum of each row be, and what is it?": (
            "What should the sum of each column be, and what is it?"
        ),
        "Which of the zeros in the first row belong to legal moves?": (
            "Which of the zeros in the first column belong to legal moves?"
        ),
        '"""[B, A]: the legal part of each row, clipped to [floor, 1 - floor], then divided by its '
        'sum. p [B, A], legal [B, A] bool."""': (
            '"""[A, B]: the legal part of each column, clipped to [floor, 1 - floor], then divided '
            'by its sum. p [A, B], legal [A, B] bool."""'
        ),
        "    nothing = kept.sum(axis=1) == 0\n    kept[nothing] = legal[nothing]\n    kept = "
        "kept / kept.sum(axis=1, keepdims=True)\n    kept = np.where(legal, np.clip(kept, "
        "floor, 1 - floor), 0.0)\n    return kept / kept.sum(axis=1, keepdims=True)": (
            "    nothing = kept.sum(axis=0) == 0\n    kept[:, nothing] = legal[:, nothing]\n    "
            "kept = kept / kept.sum(axis=0, keepdims=True)\n    kept = np.where(legal, "
            "np.clip(kept, floor, 1 - floor), 0.0)\n    return kept / kept.sum(axis=0, "
            "keepdims=True)"
        ),
    },
    asked=turned,
    given=turned,
    answered=turned_answer,
    in_code={
        "the rows do not have the sum 1: divide by the sum after the clip": (
            "the columns do not have the sum 1: divide by the sum after the clip"
        ),
        "after the division, and the rows no longer have the sum 1": (
            "after the division, and the columns no longer have the sum 1"
        ),
        "the rows are clipped once more": "the columns are clipped once more",
        "all rows are divided by one sum: every row is a distribution of its own": (
            "all columns are divided by one sum: every column is a distribution of its own"
        ),
        "batches of 1 to 5 rows, other floors, rows with one": (
            "batches of 1 to 5 columns, other floors, columns with one"
        ),
        "two rows, floor 0.1": "two columns, floor 0.1",
        "row 0 is sure of an illegal move": "column 0 is sure of an illegal move",
    },
)

# --- draft: the tickets are numbered --------------------------------------------------------------


def last_tickets(
    tickets: np.ndarray, places: int, n: int, rng: np.random.Generator
) -> tuple[np.ndarray, int, int, np.random.Generator]:
    """The number of each player's last ticket."""
    return np.cumsum(tickets), places, n, rng


def how_many_tickets(
    last: np.ndarray, places: int, n: int, rng: np.random.Generator
) -> tuple[np.ndarray, int, int, np.random.Generator]:
    """How many tickets each player has."""
    return np.diff(last, prepend=0), places, n, rng


NUMBERED = Variant(
    text={
        "player `i` has put `tickets[i]` tickets in. A ticket is\ndrawn;": (
            "its tickets are numbered 1, 2, 3 and so on. Player 0 has put in the first ones, up "
            "to the number `last[0]`, player 1 those after it up to `last[1]`, and so on. A "
            "ticket is\n"
            "drawn;"
        ),
        "Write `draft(tickets, places, n, rng)`:": "Write `draft(last, places, n, rng)`:",
        "- `tickets` `[A]`: whole numbers; at least `places` of them are above 0;": (
            "- `last` `[A]`: the number of each player's last ticket. A player without a ticket "
            "has the number of the player before, or 0 as player 0; at least `places` players "
            "have one;"
        ),
        "With tickets 3, 2, 1 and two places:": (
            "With `last` 3, 5, 6 (three tickets, two and one) and two places:"
        ),
        "def draft(tickets, places, n, rng):": "def draft(last, places, n, rng):",
        "n drafts without replacement, by tickets [A].": (
            "n drafts without replacement; last [A], the number of each player's last ticket."
        ),
        "    p = tickets / tickets.sum()\n": (
            "    tickets = np.diff(last, prepend=0)\n    p = tickets / tickets.sum()\n"
        ),
    },
    asked=last_tickets,
    given=how_many_tickets,
    in_code={
        "tickets 3, 2, 1; two places": "last tickets 3, 5, 6; two places",
        "tickets 0, 3, 1: name 0 is never drawn": "last tickets 0, 3, 4: name 0 is never drawn",
    },
)

# --- box_returns: the score after each move -------------------------------------------------------


def leads(
    mover: np.ndarray, boxes: np.ndarray, gamma: float
) -> tuple[np.ndarray, np.ndarray, float]:
    """By how many boxes player 0 is ahead after each move."""
    return mover, np.cumsum(np.where(mover == 0, boxes, -boxes)), gamma


def closed(
    mover: np.ndarray, lead: np.ndarray, gamma: float
) -> tuple[np.ndarray, np.ndarray, float]:
    """How many boxes each move closed."""
    return mover, abs(np.diff(lead, prepend=0)), gamma


FROM_THE_SCORE = Variant(
    text={
        "and `boxes[t]`, how many boxes it closed. Write `box_returns(mover, boxes, gamma)`,": (
            "and `lead[t]`, by how many boxes player 0 is ahead after it (below 0: behind). How "
            "many boxes a move closed, `boxes`, follows from that. Write `box_returns(mover, "
            "lead, gamma)`,"
        ),
        "The picture shows the game of the first check and its returns with": (
            "The picture shows the game of the first check, in which player 0 is ahead by 1, 1, "
            "-1, -1 and 0, and its returns with"
        ),
        "def box_returns(mover, boxes, gamma):": "def box_returns(mover, lead, gamma):",
        "mover [T] 0 or 1, boxes [T] closed by each move, gamma per move.": (
            "mover [T] 0 or 1, lead [T] of player 0 after each move, gamma per move."
        ),
        "    returns, following = np.zeros(len(mover)), 0.0\n": (
            "    boxes = abs(np.diff(lead, prepend=0))\n    returns, following = "
            "np.zeros(len(mover)), 0.0\n"
        ),
    },
    asked=leads,
    given=closed,
)

VARIANTS = {
    "boltzmann": [FOR_THE_SECOND],
    "clip_legal": [IN_COLUMNS],
    "draft": [NUMBERED],
    "box_returns": [FROM_THE_SCORE],
}
