"""The rules of Go, compiled: groups, captures, positional superko, area scoring, random games. Cells and points as in `go.py`.

One game is two rows. `board` [5, P+1] uint16 holds, for each of the P points (row by row from the top left):
CELL 0 empty, 1 black, 2 white. HEAD a point that stands for the whole group, NONE where there is no stone. NEXT the next stone
of the same group, in a ring. LIBS at a head: the pseudo-liberties of its group, that is, the pairs of a stone of the group and
an empty point beside it. BEEN the colours (bits 1, 2) that have ever stood there. The last entry is the edge of the board.
`hashes` [P+1 + T] uint64 holds, at a head, the hash of its group; at P the hash of the board; behind it the boards that have
been, as a hash table with open addressing (T a power of two, 0 is free).

A board's hash is the exclusive or of one 64-bit key a stone (Zobrist 1970), so the hash after a capture needs no walk: it is
the old one without the hashes of the dead groups. A board can come back only by a stone where its colour has stood before,
so BEEN spares most questions to the table. That two boards share a hash has a probability below 1e-10 in a game on 19 x 19.
"""

import numpy as np

from rlcourse.kernels import kernel

CELL, HEAD, NEXT, LIBS, BEEN = 0, 1, 2, 3, 4
EDGE = 3  # the cell behind the edge of the board
NONE = 65535  # no group; unsigned indices spare Numba a test for negative ones: 18% more games a second
LEGAL, OCCUPIED, SUICIDE, REPEATS = 0, 1, 2, 3


def _splitmix(count: int) -> np.ndarray:
    """[count] uint64: the first numbers of SplitMix64 (Steele, Lea, Flood 2014) from the seed 0."""
    z = np.arange(1, count + 1, dtype=np.uint64) * np.uint64(0x9E3779B97F4A7C15)
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return z ^ (z >> np.uint64(31))


KEYS = _splitmix(3 * 361).reshape(
    3, 361
)  # by colour and point; KEYS[0, 0] is the hash of the empty board


@kernel
def _slot(hashes, start, key):
    """Where `key` stands in the table of earlier boards, or the free place for it."""
    mask = np.uint64(hashes.shape[0] - start - 1)
    slot = key & mask
    while True:
        place = start + np.int64(slot)
        if hashes[place] == key or hashes[place] == np.uint64(0):
            return place
        slot = (slot + np.uint64(1)) & mask


@kernel
def _hash_after(board, hashes, around, point, colour):
    """The hash of the board after `colour` has played on the empty `point`; 0 where that stone would have no liberty.

    A group loses its last liberty if all its pseudo-liberties are pairs with `point`.
    """
    after = hashes[board.shape[1] - 1] ^ KEYS[colour, point]
    breathes = False
    for k in range(4):
        cell = board[CELL, around[point, k]]
        if cell == 0:
            breathes = True
        elif cell != EDGE:
            head, pairs, first = board[HEAD, around[point, k]], 1, True
            for j in range(4):
                if j != k and board[HEAD, around[point, j]] == head:
                    pairs += 1
                    first = first and j > k
            if cell == colour:
                breathes = breathes or board[LIBS, head] > pairs
            elif board[LIBS, head] == pairs:
                breathes = True
                if first:
                    after ^= hashes[head]
    return after if breathes else np.uint64(0)


@kernel
def verdict(board, hashes, around, point, colour):
    """LEGAL, or why `colour` may not play on `point`: OCCUPIED, SUICIDE, or REPEATS (the board has been like that before)."""
    if board[CELL, point] != 0:
        return OCCUPIED
    been = board[BEEN, point] & colour
    if been == 0:
        for k in range(4):
            if board[CELL, around[point, k]] == 0:
                return LEGAL
    after = _hash_after(board, hashes, around, point, colour)
    if after == np.uint64(0):
        return SUICIDE
    if been != 0 and hashes[_slot(hashes, board.shape[1], after)] == after:
        return REPEATS
    return LEGAL


@kernel
def is_eye(board, around, point, colour):
    """Whether the empty `point` is an eye of `colour` in the book's sense: all neighbours are its stones, and so are three
    of the four corners, on the edge of the board all corners that exist."""
    for k in range(4):
        cell = board[CELL, around[point, k]]
        if cell != colour and cell != EDGE:
            return False
    own, off = 0, 0
    for k in range(4, 8):
        cell = board[CELL, around[point, k]]
        own += cell == colour
        off += cell == EDGE
    return own + off == 4 if off else own >= 3


@kernel
def _join(board, hashes, one, other):
    """The group of head `one` becomes part of the group of head `other`."""
    stone = one
    while True:
        board[HEAD, stone] = other
        stone = board[NEXT, stone]
        if stone == one:
            break
    board[LIBS, other] += board[LIBS, one]
    hashes[other] ^= hashes[one]
    board[NEXT, one], board[NEXT, other] = board[NEXT, other], board[NEXT, one]


@kernel
def _take(board, hashes, around, head, taken, count):
    """Remove the group of `head`; its points go to `taken` from `count` on. Returns the new count."""
    hashes[board.shape[1] - 1] ^= hashes[head]
    stone = head
    while True:
        following = board[NEXT, stone]
        board[CELL, stone] = 0
        board[HEAD, stone] = NONE
        taken[count] = stone
        count += 1
        for k in range(4):
            beside = board[HEAD, around[stone, k]]
            if beside != NONE:
                board[LIBS, beside] += 1
        stone = following
        if stone == head:
            return count


@kernel
def _place(board, hashes, around, point, colour, taken):
    """Put a stone on an empty point and take what dies. Returns how many stones were taken; `taken` begins with them."""
    hashes[board.shape[1] - 1] ^= KEYS[colour, point]
    hashes[point] = KEYS[colour, point]
    board[CELL, point] = colour
    board[HEAD, point] = point
    board[NEXT, point] = point
    board[BEEN, point] |= colour
    liberties = 0
    for k in range(4):
        beside = board[HEAD, around[point, k]]
        if beside != NONE:
            board[LIBS, beside] -= 1
        elif board[CELL, around[point, k]] == 0:
            liberties += 1
    board[LIBS, point] = liberties
    count = 0
    for k in range(4):
        cell, beside = board[CELL, around[point, k]], board[HEAD, around[point, k]]
        if cell == colour:
            if beside != board[HEAD, point]:
                _join(board, hashes, board[HEAD, point], beside)
        elif beside != NONE and board[LIBS, beside] == 0:
            count = _take(board, hashes, around, beside, taken, count)
    return count


@kernel
def _remember(board, hashes):
    """The board as it stands counts from here on as one that has been."""
    points = board.shape[1] - 1
    hashes[_slot(hashes, points + 1, hashes[points])] = hashes[points]


@kernel
def area(board, around, owner):
    """Black's area minus White's: stones, and empty regions that touch one colour only (Tromp-Taylor rules 7-9).

    owner [P]: 1 black's, 2 white's, 0 nobody's, of every point.
    """
    points = board.shape[1] - 1
    region = np.empty(points, np.uint16)
    owner[:] = -1
    balance = 0
    for start in range(points):
        if board[CELL, start] == 0 and owner[start] < 0:
            region[0], size, seen, touched = start, 1, 0, 0
            owner[start] = 0
            while seen < size:
                for k in range(4):
                    beside = around[region[seen], k]
                    cell = board[CELL, beside]
                    if cell == 0:
                        if owner[beside] < 0:
                            owner[beside] = 0
                            region[size] = beside
                            size += 1
                    elif cell != EDGE:
                        touched |= cell
                seen += 1
            if touched == 1 or touched == 2:
                for k in range(size):
                    owner[region[k]] = touched
        elif board[CELL, start] != 0:
            owner[start] = board[CELL, start]
        if owner[start] == 1:
            balance += 1
        elif owner[start] == 2:
            balance -= 1
    return balance


@kernel
def _result(board, around, komi, owner):
    """+1 Black has more area than White and komi, -1 less, 0 the same."""
    lead = area(board, around, owner) - komi
    return 1.0 if lead > 0 else (-1.0 if lead < 0 else 0.0)


@kernel
def set_up(board, hashes, around, root):
    """Lay the stones of `root` [P] on an empty game and remember that board. Whether every group has a liberty."""
    points = root.shape[0]
    taken = np.empty(points, np.uint16)
    hashes[points] = KEYS[0, 0]
    for point in range(points):
        if (
            root[point] != 0
            and _place(board, hashes, around, point, np.int64(root[point]), taken) > 0
        ):
            return False
    for point in range(points):
        if root[point] != 0 and board[LIBS, board[HEAD, point]] == 0:
            return False
    _remember(board, hashes)
    return True


@kernel
def repeats(board, hashes, around, to_play, done, rows, out):
    """out [R, P]: the points where only superko forbids the player to move to play."""
    for r in range(rows.shape[0]):
        i = rows[r]
        one, hash_row, colour = board[i], hashes[i], 1 + to_play[i]
        for point in range(out.shape[1]):
            out[r, point] = (
                not done[i]
                and one[BEEN, point] & colour != 0
                and verdict(one, hash_row, around, point, colour) == REPEATS
            )


@kernel
def legal(board, hashes, around, to_play, done, rows, sensible, out):
    """out [R, P+1]: the legal actions, pass last. sensible: no filling of own eyes, and a pass only where nothing is left."""
    points = out.shape[1] - 1
    for r in range(rows.shape[0]):
        i = rows[r]
        if done[i]:
            out[r] = False
            continue
        one, hash_row, colour, some = board[i], hashes[i], 1 + to_play[i], False
        for point in range(points):
            allowed = verdict(one, hash_row, around, point, colour) == LEGAL
            if allowed and sensible:
                allowed = not is_eye(one, around, point, colour)
            out[r, point] = allowed
            some = some or allowed
        out[r, points] = not (sensible and some)


@kernel
def allows(board, hashes, around, to_play, done, rows, actions, out):
    """out [R]: whether actions[r], from 0 to P, is legal in row rows[r]."""
    points = board.shape[2] - 1
    for r in range(rows.shape[0]):
        i, action = rows[r], actions[r]
        out[r] = not done[i]
        if out[r] and action < points:
            out[r] = verdict(board[i], hashes[i], around, action, 1 + to_play[i]) == LEGAL


@kernel
def play(
    board, hashes, moves, ply, to_play, done, truncated, points, around, komi, actions, lengths
):
    """Play the first lengths[i] of actions[i] in game i. Returns the first game with an illegal action, else -1.

    moves [N, 4*P] keeps the actions; the game ends with two passes, or truncated when `moves` is full.
    """
    passing = board.shape[2] - 1
    taken, owner = np.empty(passing, np.uint16), np.empty(passing, np.int8)
    for i in range(lengths.shape[0]):
        one, hash_row = board[i], hashes[i]
        for d in range(lengths[i]):
            action = actions[i, d]
            if done[i] or action < 0 or action > passing:
                return i
            if action < passing:
                if verdict(one, hash_row, around, action, 1 + to_play[i]) != LEGAL:
                    return i
                _place(one, hash_row, around, action, 1 + to_play[i], taken)
                _remember(one, hash_row)
            moves[i, ply[i]] = action
            ply[i] += 1
            to_play[i] = 1 - to_play[i]
            passed = action == passing and ply[i] > 1 and moves[i, ply[i] - 2] == passing
            if passed or ply[i] == moves.shape[1]:
                done[i] = True
                truncated[i] = not passed
                points[i] = _result(one, around, komi, owner)
    return -1


@kernel
def _random_game(board, hashes, around, colour, passes, left, komi, seed, empty, taken, owner):
    """Play one game on to its end, each sensible point equally likely; at most `left` plies. The result for Black."""
    points = board.shape[1] - 1
    state = np.uint64(seed)
    count = 0
    for point in range(points):
        if board[CELL, point] == 0:
            empty[count] = point
            count += 1
    while left > 0 and passes < 2:
        tries, passes = count, passes + 1
        while tries > 0:  # draw without replacement until a point is sensible
            state += np.uint64(0x9E3779B97F4A7C15)
            z = (state ^ (state >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
            z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
            drawn = np.int64((z >> np.uint64(32)) * np.uint64(tries) >> np.uint64(32))
            point = empty[drawn]
            tries -= 1
            if (
                not is_eye(board, around, point, colour)
                and verdict(board, hashes, around, point, colour) == LEGAL
            ):
                number = _place(board, hashes, around, point, colour, taken)
                _remember(board, hashes)
                count -= 1
                empty[drawn] = empty[count]
                for k in range(number):
                    empty[count + k] = taken[k]
                count, passes = count + number, 0
                break
            empty[drawn], empty[tries] = empty[tries], point
        colour = 3 - colour
        left -= 1
    return _result(board, around, komi, owner)


@kernel
def playouts(board, hashes, moves, ply, to_play, done, points, around, komi, seeds, out):
    """out [N]: the first player's points after a random game from each row, which stays as it is."""
    passing = board.shape[2] - 1
    one, hash_row = np.empty(board.shape[1:], np.uint16), np.empty(hashes.shape[1], np.uint64)
    empty, taken, owner = (
        np.empty(passing, np.uint16),
        np.empty(passing, np.uint16),
        np.empty(passing, np.int8),
    )
    for i in range(out.shape[0]):
        out[i] = points[i]
        if not done[i]:
            one[:] = board[i]
            hash_row[:] = hashes[i]
            passes = 1 if ply[i] > 0 and moves[i, ply[i] - 1] == passing else 0
            left = moves.shape[1] - ply[i]
            out[i] = _random_game(
                one,
                hash_row,
                around,
                1 + to_play[i],
                passes,
                left,
                komi,
                seeds[i],
                empty,
                taken,
                owner,
            )


@kernel
def liberties(board, rows, around, out):
    """out [R, P]: how many liberties the group on each point has; 0 where there is no stone."""
    points = out.shape[1]
    counts = np.empty(points, np.uint16)
    for r in range(rows.shape[0]):
        one = board[rows[r]]
        counts[:] = 0
        for point in range(points):
            if one[CELL, point] == 0:
                for k in range(4):
                    head, first = one[HEAD, around[point, k]], True
                    for j in range(k):
                        first = first and one[HEAD, around[point, j]] != head
                    if head != NONE and first:
                        counts[head] += 1
        for point in range(points):
            out[r, point] = counts[one[HEAD, point]] if one[CELL, point] != 0 else 0


@kernel
def past_boards(root, moves, ply, rows, around, out):
    """out [R, K, P]: the boards after the last move, after the one before it, and so on; empty before the root.

    The games are played through once more from their roots (root [N, P+1]: the cells, then who moved first).
    """
    points = out.shape[2]
    board, hashes, taken = (
        np.empty((5, points + 1), np.uint16),
        np.empty(points + 1, np.uint64),
        np.empty(points, np.uint16),
    )
    for r in range(rows.shape[0]):
        i = rows[r]
        board[CELL] = 0
        board[HEAD] = NONE
        board[CELL, points] = EDGE
        for point in range(points):
            if root[i, point] != 0:
                _place(board, hashes, around, point, np.int64(root[i, point]), taken)
        out[r] = 0
        for d in range(ply[i] + 1):
            if d > 0 and moves[i, d - 1] < points:
                _place(
                    board,
                    hashes,
                    around,
                    np.int64(moves[i, d - 1]),
                    1 + (root[i, points] + d - 1) % 2,
                    taken,
                )
            if ply[i] - d < out.shape[1]:
                out[r, ply[i] - d] = board[CELL, :points]
