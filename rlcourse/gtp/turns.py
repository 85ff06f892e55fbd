"""Positions in which either colour may move.

GTP and SGF allow that at any time, the rules of the course only in turn.
"""

import numpy as np

from rlcourse.games import get_game
from rlcourse.games.go import GoState, Move, Player, go_position
from rlcourse.games.grid_state import SYMBOLS


def set_up(board: np.ndarray, player: Player, komi: float) -> GoState:
    """The position with these stones, `player` to move, and no earlier boards.

    board [S, S]: 0 empty, 1 black, 2 white, the top row first. Raises BadRecipe where a group has
    no liberty, UnknownGame for a size or komi that is not played.
    """
    rows = ("".join(SYMBOLS[cell] for cell in row) for row in np.asarray(board).tolist())
    body = f"{'/'.join(rows)} {SYMBOLS[1 + player]}"
    return go_position(get_game("go", size=len(board), komi=komi).parse(body))


def start_of(state: GoState) -> tuple[np.ndarray, Player]:
    """(board [S, S] int8, who moved first): what the game that led to `state` began with."""
    size, fields = state.options["size"], state.recipe().partition(":")[2].split()
    if not fields or "/" not in fields[0]:
        return np.zeros((size, size), np.int8), Player.black
    cells = [SYMBOLS.index(symbol) for symbol in fields[0].replace("/", "")]
    return np.array(cells, np.int8).reshape(size, size), Player(SYMBOLS.index(fields[1]) - 1)


def in_turn(state: GoState, player: Player) -> GoState:
    """The position with `player` to move in a running game.

    It is `state` itself where that is so already. Out of turn, the other colour passes. Where that
    would end the game, or the game is over, the board is set up anew: the stones stay; the earlier
    boards, which superko forbids, are forgotten.
    """
    if not state.is_over():
        if state.next_player == player:
            return state
        passed = state.apply_move(Move.pass_turn())
        if not passed.is_over():
            return passed
    return set_up(state.board, player, state.options["komi"])
