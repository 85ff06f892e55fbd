"""Tic-tac-toe in a browser: besides the rules, the tables that learn it, and their exact judge."""

from typing import Any

# The arrays of rlcourse.solvers.tictactoe: successor, to_play, canonical, image of the squares.
AFTER = ("int32 2", "int8 1", "int32 1")
RULES_AT_END = ("bool 1", "int8 1", "int8 1", "int32 2")  # done, points, to_play, successor
GAME = ("int32 1", "int32 1")  # codes and actions of one game
LEARNING = "rlcourse.learning.q_table"

JUDGING = "Perfect player"  # the bot that judges a finished game in the page

# Besides the kernels of all grid games: name -> (module and kernel, types as in build.py).
KERNELS: dict[str, Any] = {
    "solve": (
        "rlcourse.solvers.tictactoe:_solve",
        ("int32 1", "float64", *RULES_AT_END, "float64 1", "float64 2"),
    ),
    "count_lines": (
        "rlcourse.judges.tictactoe:_count_lines",
        ("int32 1", "int64", "int32 1", *RULES_AT_END, "int64 2"),
    ),
    "action_values": (
        "rlcourse.agents.q_table:_action_values",
        ("float64 2", "bool", "int32 1", *AFTER, "int8 2", "float64 2"),
    ),
    "play_games": (
        f"{LEARNING}:_play_games",
        ("float64 2", "bool", "bool", "float64", "int32 2", "bool 1", "int8 1")
        + ("int32 1", "int8 2", "float64 3"),
    ),
    "q_learning": (
        f"{LEARNING}:_q_learning",
        ("float64 2", *GAME, "bool 1", "float32 1", "float64", "float64", "bool", *AFTER, "int8 2"),
    ),
    "negamax_td": (
        f"{LEARNING}:_negamax_td",
        ("float64 2", *GAME, "bool 1", "float32 1", "float64", *AFTER),
    ),
    "classic_td": (
        f"{LEARNING}:_classic_td",
        ("float64 2", *GAME, "bool 1", "bool 1", "float32 1", "float64", *AFTER),
    ),
}
