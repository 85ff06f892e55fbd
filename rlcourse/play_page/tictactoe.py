"""Tic-tac-toe on the play page."""

from rlcourse.play_page.cards import GLANCES, MEDIUM, Card, Level

CARD = Card(
    rules=("X and O take turns to fill a square.", "Three in a row, in any direction, win."),
    levels={
        "tic-tac-toe": (
            GLANCES,
            MEDIUM,
            Level("unbeatable", "Perfect player", "perfect", "Knows the value of every position."),
        )
    },
)
