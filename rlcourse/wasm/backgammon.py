"""Backgammon in a browser: whole turns, their boards, the dice, the units of TD-Gammon, and how it
learns."""

from typing import Any

KERNELS_OF_THE_GAME = "rlcourse.games.backgammon_kernels"
BOARD = "int8 3"  # checkers [N, 2, 26]
# name -> (module and kernel, types as in build.py); in place of those of the grid games.
RULES: dict[str, Any] = {
    "find_plays": (
        f"{KERNELS_OF_THE_GAME}:find_plays",
        ("int8 1", "int8 1", "int8", "int8", "int64 2"),
    ),
    "write_board": (
        f"{KERNELS_OF_THE_GAME}:write_board",
        ("int64 2", "int64", BOARD, "int64", "int64", BOARD, "int64"),
    ),
    "result": (f"{KERNELS_OF_THE_GAME}:result", ("int8 1", "int8 1")),
    "throw_dice": (
        f"{KERNELS_OF_THE_GAME}:throw_dice",
        (BOARD, "int64 1", "int8 2", "int64 1", "int8 2"),
    ),
    "generate": (
        f"{KERNELS_OF_THE_GAME}:generate",
        (BOARD, "int8 1", "int8 2", "int64 1", "int64", BOARD, "int64 1", "int64 1", "int64"),
    ),
    "encode": (f"{KERNELS_OF_THE_GAME}:encode", (BOARD, "int8 1", "int8 1", "float32 2")),
}
LEARNING = "rlcourse.learning.td_gammon_source"
NETWORK = ("float32 2", "float32 1", "float32 2", "float32 1")  # weights, traces or gradients
SEARCH: dict[str, Any] = {}  # nobody searches
JUDGING = "TD-Gammon"  # the bot that judges a finished game in the page
SCRIPTS = ("backgammon_drawing.js", "backgammon.js", "backgammon_turn.js")  # besides those of all
KERNELS = {
    "convolve": (
        "rlcourse.forward:_convolve",
        ("float32 3", "float32 3", "float32 1", "int64 2", "bool"),
    ),
    "inputs": (f"{LEARNING}:_inputs", (NETWORK, "float32 2", "float32 1", "float32 1")),
    "step": (
        f"{LEARNING}:_step",
        (NETWORK, NETWORK, NETWORK, "float32 1", "float32 1", "float32 1")
        + ("bool", "float64", "float64", "float64"),
    ),
}
