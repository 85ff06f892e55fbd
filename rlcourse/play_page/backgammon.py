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
            Level(
                "medium",
                "TD-Gammon (4,096 games)",
                "TD-Gammon, 4,096 games",
                "Learned from 4,096 of its own games.",
            ),
            Level(
                "strong", "TD-Gammon", "TD-Gammon", "Learned from three million of its own games."
            ),
            Level(
                "stronger",
                "TD-Gammon (three plies)",
                "TD-Gammon, 3-ply",
                "Learned from three million of its own games, and looks two rolls ahead.",
            ),
        )
    },
)
