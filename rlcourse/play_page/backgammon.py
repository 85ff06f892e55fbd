"""Backgammon on the play page."""

from rlcourse.play_page.cards import EASY, Card, Level

CARD = Card(
    rules=(
        "Move your checkers by the numbers of two dice; a checker alone can be hit.",
        "Whoever bears off all fifteen first wins.",
    ),
    levels={
        "backgammon": (
            EASY,
            Level("strong", "TD-Gammon", "TD-Gammon", "A network that learned from its own games."),
        )
    },
)
