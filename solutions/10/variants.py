"""Variants of sheet 10: another convention for the same player."""

from dataclasses import replace

import numpy as np

from rlcourse.checks.variant import Variant

# --- columns are counted from the right -----------------------------------------------------------


def as_it_is(position: object) -> tuple[object]:
    """The same position: the board, its legal moves and its rules count from the left as ever."""
    return (position,)


def turned(answer: object) -> object:
    """A column, or several, counted from the other edge."""
    return (6 - np.asarray(answer)).tolist()


FROM_THE_RIGHT = Variant(
    text={
        "returns a column, 0 (a) to 6 (g).": (
            "returns a column, **counted from the right**: 0 (g) to 6 (a), here and in the "
            "tournament."
        ),
        "- `state.legal_moves()`: the columns that are not full.": (
            "- `state.legal_moves()`: the columns that are not full, counted from the left: 0 (a) "
            "to 6 (g)."
        ),
        "- `state.apply_move(m)`: the position after a move, a new one.": (
            "- `state.apply_move(m)`: the position after a move, a new one; `m` is counted from "
            "the left."
        ),
        '"""The column that I play in this position of Connect Four, 0 to 6."""': (
            '"""The column that I play in this position of Connect Four, 0 (g) to 6 (a)."""'
        ),
        "        if after[move].winner():\n            return move\n": (
            "        if after[move].winner():\n            return 6 - move\n"
        ),
        "return good[int(np.argmax(points if state.next_player == 0 else -points))]": (
            "return 6 - good[int(np.argmax(points if state.next_player == 0 else -points))]"
        ),
        "`play_match(FunctionAgent(game, choose), ruler, games=..., seed=...)` plays;": (
            "In the arena columns count from the left: with `def player(state): return 6 - "
            "choose(state)` it is `play_match(FunctionAgent(game, player), ruler, games=..., "
            "seed=...)` that plays;"
        ),
        '    def centre(state):\n        """The duties alone': (
            '    def player(state):\n        """The column that I play, counted from the left."""\n'
            "        return 6 - choose(state)\n\n"
            '    def centre(state):\n        """The duties alone'
        ),
        '("duties and random games", choose, "o-C0")': (
            '("duties and random games", player, "o-C0")'
        ),
        "for name, player, style in": "for name, chooses, style in",
        "[play_match(FunctionAgent(game, player), load_agent": (
            "[play_match(FunctionAgent(game, chooses), load_agent"
        ),
    },
    asked=as_it_is,
    given=as_it_is,
    answered=turned,
    in_code={
        "there is no such column: they are 0 (a) to 6 (g)": (
            "there is no such column: from the right they are 0 (g) to 6 (a)"
        ),
        "that column is full: ask state.legal_moves()": (
            "that column is full: ask state.legal_moves(), and count from the right"
        ),
        "answer in from_recipe(": "6 - answer in from_recipe(",
        "'abcdefg'[column]": "'gfedcba'[column]",
        "_Watched(game, choose)": "_Watched(game, lambda state: 6 - choose(state))",
    },
)

# Most columns are legal from either side.
LEGAL = replace(FROM_THE_RIGHT, shows=False)

VARIANTS = {"legal": [LEGAL]} | {task: [FROM_THE_RIGHT] for task in ("wins", "blocks", "gifts")}
