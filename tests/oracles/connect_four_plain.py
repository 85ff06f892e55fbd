"""Connect Four solved the plain way, through the rules as everybody plays them: no
bitboards, no bounds, no ordering.
"""

from rlcourse.games import GameState


def plain_score(state: GameState, known: dict[GameState, int]) -> int:
    """22 minus the stones of the winner under perfect play, for the player to move;
    negative where the opponent wins.

    `known` keeps what was worked out. From about 30 stones on this takes seconds at most.
    """
    if state not in known:
        stones = int((state.board != 0).sum())
        if state.is_over():
            known[state] = (
                0 if state.winner() == 0 else -(22 - (stones + 1) // 2)
            )  # who moved last has won
        else:
            known[state] = max(
                -plain_score(state.apply_move(move), known) for move in state.legal_moves()
            )
    return known[state]
