"""Connect Four on the play page."""

from rlcourse.play_page.cards import GLANCES, MEDIUM, Card, Level

CARD = Card(
    rules=(
        "Drop a disc into a column; it falls to the lowest free place.",
        "Four in a row, in any direction, win.",
    ),
    levels={
        "connect-four": (
            GLANCES,
            MEDIUM,
            Level(
                "strong",
                "AlphaZero (400 simulations)",
                "AlphaZero 400",
                "Learned from its own games and searches ahead.",
            ),
            Level(
                "unbeatable",
                "Perfect player",
                "",
                "Wins every game that it begins, and punishes every mistake.",
            ),
        )
    },
)
