"""Slips of a writer who knew only the text of sheet 10."""

CHOOSE = '''
import numpy as np


def wins_at_once(state):
    """The columns with which the player to move makes four in a row."""
    me = 1 if state.next_player == 0 else -1
    return [m for m in state.legal_moves() if state.apply_move(m).winner() == me]


def choose(state):
    legal = [int(m) for m in state.legal_moves()]
    now = wins_at_once(state)
    if now:
        return int(now[0])
    safe = []
    for m in legal:
        after = state.apply_move(m)
        if after.is_over() or not wins_at_once(after):
            safe.append(m)
    good = safe if safe else legal
    return min(good, key=lambda m: (abs(m - 3), m))
'''

ANSWERS = {"legal": CHOOSE, "wins": CHOOSE, "blocks": CHOOSE, "gifts": CHOOSE}

# (task, what went wrong in a student's words, text in the answer above, what stands there instead)
SLIPS = (
    (
        "legal",
        "when every move loses I gave up and returned nothing",
        """    good = safe if safe else legal
    return min(good, key=lambda m: (abs(m - 3), m))
""",
        """    if safe:
        return min(safe, key=lambda m: (abs(m - 3), m))
""",
    ),
    (
        "legal",
        "when every move loses I take the middle column without asking whether it is full",
        "    good = safe if safe else legal\n",
        "    good = safe if safe else [3]\n",
    ),
    (
        "legal",
        "returned the number in the list of legal moves and not the column",
        "    return min(good, key=lambda m: (abs(m - 3), m))\n",
        "    return legal.index(min(good, key=lambda m: (abs(m - 3), m)))\n",
    ),
    (
        "legal",
        "looked at the bottom row to see which columns are full",
        "legal = [int(m) for m in state.legal_moves()]",
        "legal = [m for m in range(7) if state.board[5, m] == 0] or [3]",
    ),
    (
        "wins",
        "winner() is +1 for the first player, and I took it for the player who moved",
        "    me = 1 if state.next_player == 0 else -1\n",
        "    me = 1\n",
    ),
    (
        "wins",
        "stopped the other player's threat before I looked for my own win",
        """    now = wins_at_once(state)
    if now:
        return int(now[0])
    safe = []
    for m in legal:
        after = state.apply_move(m)
        if after.is_over() or not wins_at_once(after):
            safe.append(m)
""",
        """    safe = []
    for m in legal:
        after = state.apply_move(m)
        if after.is_over() or not wins_at_once(after):
            safe.append(m)
    now = wins_at_once(state)
    if now and len(safe) == len(legal):
        return int(now[0])
""",
    ),
    (
        "wins",
        "compared the winner with next_player, 0 or 1",
        ".winner() == me",
        ".winner() == state.next_player",
    ),
    (
        "wins",
        "took the player to move after the move for the one who moved",
        "return [m for m in state.legal_moves() if state.apply_move(m).winner() == me]",
        "return [m for m in state.legal_moves() if state.apply_move(m).winner() == -me]",
    ),
    (
        "blocks",
        "looked for threats only in the columns beside my last choice: the two outer columns never",
        "    for m in legal:\n",
        "    for m in [m for m in legal if 0 < m < 6]:\n",
    ),
    (
        "blocks",
        "asked whether the other player has won after my move and not whether they could win next",
        "if after.is_over() or not wins_at_once(after):",
        "if after.winner() == 0:",
    ),
    (
        "blocks",
        "asked for the same player twice: my own wins after my move, as if I moved again",
        """    me = 1 if state.next_player == 0 else -1
""",
        """    me = 1 if np.sum(state.board > 0) % 2 else -1
""",
    ),
    (
        "blocks",
        "looked for the other player's wins only at the place on top of my stone",
        """    for m in legal:
        after = state.apply_move(m)
        if after.is_over() or not wins_at_once(after):
            safe.append(m)
""",
        """    for m in legal:
        after = state.apply_move(m)
        if after.is_over() or m not in wins_at_once(after):
            safe.append(m)
""",
    ),
    (
        "gifts",
        "the middle column comes first, whatever it gives away",
        "    return min(good, key=lambda m: (abs(m - 3), m))\n",
        "    return 3 if 3 in legal else min(good, key=lambda m: (abs(m - 3), m))\n",
    ),
    (
        "gifts",
        "sorted out one bad move and then stopped looking",
        """        if after.is_over() or not wins_at_once(after):
            safe.append(m)
""",
        """        if wins_at_once(after):
            safe = [other for other in legal if other != m]
            break
""",
    ),
    (
        "gifts",
        "mixed up the two lists: I play one of the moves that are not safe",
        "    good = safe if safe else legal\n",
        "    good = [m for m in legal if m not in safe] or legal\n",
    ),
)
