"""Questions from the whole domain of sheet 10's tasks, and the changes that neglect no duty."""

from collections.abc import Callable

import numpy as np

from rlcourse.checks import oracle10
from rlcourse.checks.plain import Position
from rlcourse.checks.task import Case
from rlcourse.games import GameState
from tests.mutants.asking import Domain


def _where(asks: Callable[[GameState], bool]) -> Callable[[np.random.Generator], Case]:
    """A position in which a duty is asked for."""

    def draw(rng: np.random.Generator) -> Case:
        while True:
            game = oracle10.random_game(rng, long=bool(rng.integers(2)))
            for place in rng.permutation(len(game)):
                if asks(game[place]):
                    return Case((Position(game[place].recipe()),))

    return draw


def _wins(state: GameState) -> bool:
    return bool(oracle10.wins(state))


def _blocks(state: GameState) -> bool:
    """The other player has one place for a four, we have none, and a stone there saves us."""
    threats = oracle10.threats(state)
    return (
        len(threats) == 1 and not oracle10.wins(state) and threats[0] not in oracle10.gifts(state)
    )


def _gifts(state: GameState) -> bool:
    """Nobody can win at once, and some moves are gifts: what wins after them is on top of them."""
    if oracle10.wins(state) or oracle10.threats(state):
        return False
    after = {move: state.apply_move(move) for move in state.legal_moves()}
    return any(
        move in position.legal_moves()
        and oracle10.directions(position, move, 1 + position.next_player)
        for move, position in after.items()
    )


def _lost(state: GameState) -> bool:
    """Every move loses."""
    after = [state.apply_move(move) for move in state.legal_moves()]
    return all(not position.is_over() and oracle10.wins(position) for position in after)


def _mixed(
    often: Callable[[GameState], bool], seldom: Callable[[GameState], bool]
) -> Callable[[np.random.Generator], Case]:
    """A position of the one kind, and in one draw of eight of the other."""
    draws = _where(often), _where(seldom)
    return lambda rng: draws[rng.random() < 0.125](rng)


DOMAINS = {
    "legal": Domain(_mixed(lambda state: True, _lost)),
    "wins": Domain(_where(_wins)),
    "blocks": Domain(_where(_blocks)),
    "gifts": Domain(_mixed(_gifts, _lost)),
}

# task -> the reason why these changes neglect no duty -> a part of each that tells it from others
_ORDER = {
    "columns may be tried in any order, where no duty says which of them comes first": (
        "-> moves = sorted(state.legal_moves()",
        "-> moves = state.legal_moves()",
        "for c in range(7 - 1, -1, -1) if board[0, c]",
    ),
}
_BOARD = {
    "the lines are a set, and so are the places of one": (
        "-> for r in range(6 - 1, -1, -1):",
        "-> for c in range(7 - 1, -1, -1):",
        "for k in range(4 - 1, -1, -1)",
    ),
    "no line begins below the board: its places are asked for before it is taken": (
        "-> for r in range(6 + 1):",
        "-> for r in range(7):",
    ),
    "the lowest open row is the highest number, whatever the order": (
        "for r in range(6 - 1, -1, -1) if board[r, column]",
    ),
}
EQUIVALENT: dict[str, dict[str, tuple[str, ...]]] = {
    "legal": {
        "any open column is legal, whatever comes of it": (
            "-> return columns[",
            "for c in range(7 - 1, -1, -1)",
            "after.legal_moves())) -> ",
            "-> safe = ",
            "-> return moves[-1]",
            "-> return (safe or moves)[-0]",
        ),
    },
    "wins": {
        "where a win is there, what is played without one is never reached": (
            "return (wins or moves)[0] -> return wins[0]",
            "return open_columns(board)[0] -> ",
        ),
        "any of several wins is right": ("-> return (wins or moves)[-1]",),
        "lines that do not need one another": ("moved: own = ",),
        "the other player's fours come after one's own": (
            "-> for stone in (own, ",
            "-> return open_columns(board)[0]",
        ),
        **_ORDER,
        **_BOARD,
    },
    "blocks": {
        "where nobody can win at once but the other player, what looks for one's own win finds none": (
            "if state.apply_move(m).winner(): ; return m -> ",
            "return m -> ",
            "-> for stone in (3 - own, own):",
            "-> for stone in (3 - own, 3 - own):",
            "-> board, own = (state.board, 1)",
        ),
        "one move stops the four, so nothing is played for want of one, and no order matters": (
            "return open_columns(board)[0] -> ",
            "-> return safe[0]",
            "-> return (safe or moves)[-1]",
        ),
        "lines that do not need one another": ("moved: safe = ",),
        **_ORDER,
        **_BOARD,
    },
    "gifts": {
        "any move that is no gift is right, and any legal one where all are": (
            "-> return (safe or moves)[-0]",
            "-> return moves[-1]",
        ),
        **_ORDER,
    },
}
