"""The compiled rules of Go: groups, captures, positional superko, area scoring, random games.

A game consists of two arrays. `board` [5, P+1] uint16 holds five fields for each of the P points
(row by row from the top left); its last column is the edge of the board.
CELL: 0 empty, 1 black, 2 white.
HEAD: the point that represents the whole group, NONE on an empty point.
NEXT: the next stone of the same group, in a ring.
LIBS: at a head, the pseudo-liberties of its group, which are the pairs of a stone of the group and
an adjacent empty point.
BEEN: the colours (bits 1 and 2) that have ever stood there.
`hashes` [P+1 + T] uint64 holds at a head the hash of its group and at P the hash of the board. The
other T entries, a power of two, are a hash table of the earlier boards with open addressing; 0 is
free.

A board's hash is the exclusive or of one 64-bit key per stone (Zobrist 1970). The hash after a
capture is therefore the old one without the hashes of the captured groups, and no stone has to be
visited. A board can recur only if its colour has already stood on the point just played, so BEEN
saves most look-ups in the table. Two boards of a 19 x 19 game share a hash with probability below
1e-10.
"""

import numpy as np

from rlcourse.kernels import kernel

CELL, HEAD, NEXT, LIBS, BEEN = 0, 1, 2, 3, 4
EDGE = 3  # the cell beyond the edge of the board
# No group. Numba does not test an unsigned index for a negative one: 18% more games per second.
NONE = 65535
LEGAL, OCCUPIED, SUICIDE, REPEATS = 0, 1, 2, 3
EVEN = 10.0  # simulations that a new action of the tree seems to have had, half of them won
OPENED_AT = 3  # simulations through an action before it gets a node of its own


def _splitmix(count: int) -> np.ndarray:
    """[count] uint64: the first numbers of SplitMix64 (Steele, Lea, Flood 2014) with seed 0."""
    z = np.arange(1, count + 1, dtype=np.uint64) * np.uint64(0x9E3779B97F4A7C15)
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return z ^ (z >> np.uint64(31))


# By colour and point; KEYS[0, 0] is the hash of the empty board.
KEYS = _splitmix(3 * 361).reshape(3, 361)


@kernel
def _slot(hashes, start, key):
    """The index of `key` in the table of earlier boards, or of the free slot for it."""
    mask = np.uint64(hashes.shape[0] - start - 1)
    slot = key & mask
    while True:
        index = start + np.int64(slot)
        if hashes[index] == key or hashes[index] == np.uint64(0):
            return index
        slot = (slot + np.uint64(1)) & mask


@kernel
def _hash_after(board, hashes, around, point, colour):
    """The hash of the board after `colour` has played on the empty `point`; 0 for suicide.

    A group loses its last liberty if all its pseudo-liberties are pairs with `point`.
    """
    after = hashes[board.shape[1] - 1] ^ KEYS[colour, point]
    breathes = False
    for k in range(4):
        cell = board[CELL, around[point, k]]
        if cell == 0:
            breathes = True
        elif cell != EDGE:
            # A group may touch the point on several sides; its hash is removed at the first only.
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
    """Whether `colour` may play on `point`: LEGAL, OCCUPIED, SUICIDE, or REPEATS (superko)."""
    if board[CELL, point] != 0:
        return OCCUPIED
    # Only a point where the colour has stood before can repeat a board, and a stone beside an
    # empty point lives: most questions end here, without a hash.
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
    """Whether the empty `point` is an eye of `colour`; the rule of `go_board.is_point_an_eye`."""
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
def _join(board, hashes, joining, head):
    """The group with the head `joining` becomes part of the group with the head `head`."""
    stone = joining
    while True:
        board[HEAD, stone] = head
        stone = board[NEXT, stone]
        if stone == joining:
            break
    board[LIBS, head] += board[LIBS, joining]
    hashes[head] ^= hashes[joining]
    # Exchanging one link each turns two rings into one.
    board[NEXT, joining], board[NEXT, head] = board[NEXT, head], board[NEXT, joining]


@kernel
def _take(board, hashes, around, head, taken, count):
    """Remove the group of `head` and append its points to taken[:count]. Returns the new count."""
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
    """Place a stone on an empty point and remove captured groups.

    Returns the number of captured stones; `taken` begins with their points.
    """
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
    """Enter the current board into the table of earlier boards."""
    points = board.shape[1] - 1
    hashes[_slot(hashes, points + 1, hashes[points])] = hashes[points]


@kernel
def area(board, around, owner):
    """Black's area minus White's: stones, and empty regions that touch one colour only.

    owner [P] receives the owner of every point: 1 Black, 2 White, 0 nobody. Source: Tromp-Taylor
    rules 7-9.
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
    """+1 if Black's area exceeds White's plus komi, -1 if it is less, 0 if it is equal."""
    lead = area(board, around, owner) - komi
    return 1.0 if lead > 0 else (-1.0 if lead < 0 else 0.0)


@kernel
def set_up(board, hashes, around, root):
    """Place the stones `root` [P] on an empty board; returns whether no group lacks a liberty."""
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
        position, hash_row, colour = board[i], hashes[i], 1 + to_play[i]
        for point in range(out.shape[1]):
            out[r, point] = (
                not done[i]
                and position[BEEN, point] & colour != 0
                and verdict(position, hash_row, around, point, colour) == REPEATS
            )


@kernel
def legal(board, hashes, around, to_play, done, rows, sensible, out):
    """out [R, P+1]: the legal actions, pass last.

    sensible: without the player's own eyes, and a pass only if no other action is left.
    """
    points = out.shape[1] - 1
    for r in range(rows.shape[0]):
        i = rows[r]
        if done[i]:
            out[r] = False
            continue
        position, hash_row, colour, any_point = board[i], hashes[i], 1 + to_play[i], False
        for point in range(points):
            allowed = verdict(position, hash_row, around, point, colour) == LEGAL
            if allowed and sensible:
                allowed = not is_eye(position, around, point, colour)
            out[r, point] = allowed
            any_point = any_point or allowed
        out[r, points] = not (sensible and any_point)


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
    """Play the first lengths[i] of actions[i] in game i.

    Returns the first game with an illegal action, else -1. moves [N, 4*P] records the actions; a
    game ends after two passes, and is truncated when `moves` is full.
    """
    passing = board.shape[2] - 1
    taken, owner = np.empty(passing, np.uint16), np.empty(passing, np.int8)
    for i in range(lengths.shape[0]):
        position, hash_row = board[i], hashes[i]
        for d in range(lengths[i]):
            action = actions[i, d]
            if done[i] or action < 0 or action > passing:
                return i
            if action < passing:
                if verdict(position, hash_row, around, action, 1 + to_play[i]) != LEGAL:
                    return i
                _place(position, hash_row, around, action, 1 + to_play[i], taken)
                _remember(position, hash_row)
            moves[i, ply[i]] = action
            ply[i] += 1
            to_play[i] = 1 - to_play[i]
            passed = action == passing and ply[i] > 1 and moves[i, ply[i] - 2] == passing
            if passed or ply[i] == moves.shape[1]:
                done[i] = True
                truncated[i] = not passed
                points[i] = _result(position, around, komi, owner)
    return -1


@kernel
def _below(state, count):
    """A number from 0 to count - 1 in this state of SplitMix64."""
    z = (state ^ (state >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return np.int64((z >> np.uint64(32)) * np.uint64(count) >> np.uint64(32))


@kernel
def _random_game(board, hashes, around, colour, passes, plies, komi, seed, empty, taken, owner):
    """Finish one game with uniformly random sensible points; returns the result for Black.

    Stops after two passes or `plies` plies. Random numbers: SplitMix64, as in `_splitmix`.
    """
    points = board.shape[1] - 1
    state = np.uint64(seed)
    count = 0
    for point in range(points):
        if board[CELL, point] == 0:
            empty[count] = point
            count += 1
    while plies > 0 and passes < 2:
        tries, passes = count, passes + 1
        while tries > 0:  # draw without replacement until a point is sensible
            state += np.uint64(0x9E3779B97F4A7C15)
            drawn = _below(state, tries)
            point = empty[drawn]
            tries -= 1
            # The cheap test comes first: an eye needs no look-up of earlier boards.
            if (
                not is_eye(board, around, point, colour)
                and verdict(board, hashes, around, point, colour) == LEGAL
            ):
                captured = _place(board, hashes, around, point, colour, taken)
                _remember(board, hashes)
                count -= 1
                empty[drawn] = empty[count]
                for k in range(captured):
                    empty[count + k] = taken[k]
                count, passes = count + captured, 0
                break
            empty[drawn], empty[tries] = empty[tries], point
        colour = 3 - colour
        plies -= 1
    return _result(board, around, komi, owner)


@kernel
def playouts(board, hashes, moves, ply, to_play, done, points, around, komi, seeds, out):
    """out [N]: the first player's points after a random game from each row; rows do not change."""
    passing = board.shape[2] - 1
    position, hash_row = np.empty(board.shape[1:], np.uint16), np.empty(hashes.shape[1], np.uint64)
    empty, taken = np.empty(passing, np.uint16), np.empty(passing, np.uint16)
    owner = np.empty(passing, np.int8)
    for i in range(out.shape[0]):
        out[i] = points[i]
        if not done[i]:
            position[:] = board[i]
            hash_row[:] = hashes[i]
            passes = 1 if ply[i] > 0 and moves[i, ply[i] - 1] == passing else 0
            plies = moves.shape[1] - ply[i]
            out[i] = _random_game(
                position,
                hash_row,
                around,
                1 + to_play[i],
                passes,
                plies,
                komi,
                seeds[i],
                empty,
                taken,
                owner,
            )


@kernel
def only_liberty(board, around, head):
    """The liberty of the group of `head` if it has one alone (atari), else NONE."""
    if board[LIBS, head] > 4:  # one point touches a group on four sides at most
        return NONE
    only = np.int64(NONE)
    stone = head
    while True:
        for k in range(4):
            point = around[stone, k]
            if board[CELL, point] == 0 and point != only:
                if only != NONE:
                    return NONE
                only = np.int64(point)
        stone = board[NEXT, stone]
        if stone == head:
            return only


@kernel
def _will_be_empty(board, around, place, point, colour):
    """Whether `place` is empty once `colour` has played on the empty `point`."""
    cell = board[CELL, place]
    if cell == 0:
        return place != point
    return cell == 3 - colour and only_liberty(board, around, board[HEAD, place]) == point


@kernel
def is_self_atari(board, around, point, colour):
    """Whether a stone of `colour` on the empty `point` leaves its group at most one liberty."""
    first = np.int64(NONE)
    for k in range(4):
        beside = around[point, k]
        if board[CELL, beside] == colour:
            head = board[HEAD, beside]
            stone = head
            while True:
                for j in range(4):
                    place = around[stone, j]
                    if place != first and _will_be_empty(board, around, place, point, colour):
                        if first != NONE:
                            return False
                        first = np.int64(place)
                stone = board[NEXT, stone]
                if stone == head:
                    break
        elif beside != first and _will_be_empty(board, around, beside, point, colour):
            if first != NONE:
                return False
            first = np.int64(beside)
    return True


@kernel
def surroundings(board, around, point):
    """The cells around a point as an index of a table of patterns: two bits a neighbour."""
    code = np.int64(0)
    for k in range(8):
        code |= np.int64(board[CELL, around[point, k]]) << (2 * k)
    return code


@kernel
def _is_sensible(board, hashes, around, point, colour):
    """Whether `colour` may play there, and it is none of its own eyes."""
    # The cheap test comes first: an eye needs no look-up of earlier boards.
    return (
        not is_eye(board, around, point, colour)
        and verdict(board, hashes, around, point, colour) == LEGAL
    )


@kernel
def _captures(board, hashes, around, head, colour, chosen, n):
    """Append the points where `colour` captures a neighbour of the group of `head`; returns n."""
    stone = head
    while True:
        for k in range(4):
            beside = around[stone, k]
            if board[CELL, beside] == 3 - colour:
                liberty = only_liberty(board, around, board[HEAD, beside])
                if (
                    liberty != NONE
                    and n < chosen.shape[0] - 4  # four are kept for the rescues themselves
                    and verdict(board, hashes, around, liberty, colour) == LEGAL
                ):
                    chosen[n] = liberty
                    n += 1
        stone = board[NEXT, stone]
        if stone == head:
            return n


@kernel
def _answers_to_atari(board, hashes, around, last, colour, chosen):
    """chosen[:n]: points that take the stone on `last`, or save a group beside it from being taken.

    A group is saved by a point that gives it two liberties, or by capturing what surrounds it.
    """
    n = 0
    liberty = only_liberty(board, around, board[HEAD, last])
    if liberty != NONE and verdict(board, hashes, around, liberty, colour) == LEGAL:
        chosen[n] = liberty
        n += 1
    for k in range(4):
        beside = around[last, k]
        if board[CELL, beside] == colour:
            liberty = only_liberty(board, around, board[HEAD, beside])
            if liberty != NONE:
                if verdict(board, hashes, around, liberty, colour) == LEGAL and not is_self_atari(
                    board, around, liberty, colour
                ):
                    chosen[n] = liberty
                    n += 1
                n = _captures(board, hashes, around, board[HEAD, beside], colour, chosen, n)
    return n


@kernel
def _shapes(board, hashes, around, last, colour, patterns, chosen):
    """chosen[:n]: the points around `last` that a pattern calls good for `colour`."""
    n = 0
    for k in range(8):
        point = np.int64(around[last, k])
        if (
            board[CELL, point] == 0
            and patterns[surroundings(board, around, point)] != 0
            and _is_sensible(board, hashes, around, point, colour)
            and not is_self_atari(board, around, point, colour)
        ):
            chosen[n] = point
            n += 1
    return n


@kernel
def _guided_game(board, hashes, around, turn, plies, komi, seed, atari, patterns, first, room):
    """Finish one game with guided moves; returns the result for Black.

    Each ply answers an atari (if `atari`), else follows a pattern beside the last stone
    (if `patterns` is not empty), else is a random sensible point, as in `_random_game`.
    turn: (the colour to move, the point of the last stone or P, passes in a row). first [P]: the
    colour that plays first on a point, from here on where it is 0. room [4, P + 8] uint16: space to
    work in.
    """
    points = board.shape[1] - 1
    colour, last, passes = turn
    empty, place, taken, chosen = room[0], room[1], room[2], room[3]
    owner = np.empty(points, np.int8)
    state = np.uint64(seed)
    count = 0
    for point in range(points):
        if board[CELL, point] == 0:
            empty[count] = point
            place[point] = count
            count += 1
    while plies > 0 and passes < 2:
        passes += 1
        move, n = np.int64(points), 0
        if last != points and atari:
            n = _answers_to_atari(board, hashes, around, last, colour, chosen)
        if last != points and n == 0 and patterns.shape[0] > 0:
            n = _shapes(board, hashes, around, last, colour, patterns, chosen)
        if n > 0:
            state += np.uint64(0x9E3779B97F4A7C15)
            move = np.int64(chosen[_below(state, n)])
        tries = count
        while move == points and tries > 0:  # draw without replacement
            state += np.uint64(0x9E3779B97F4A7C15)
            drawn = _below(state, tries)
            tries -= 1
            tried = np.int64(empty[drawn])
            if _is_sensible(board, hashes, around, tried, colour):
                move = tried
            else:
                empty[drawn], empty[tries] = empty[tries], empty[drawn]
                place[empty[drawn]], place[empty[tries]] = drawn, tries
        if move < points:
            captured = _place(board, hashes, around, move, colour, taken)
            _remember(board, hashes)
            if first[move] == 0:
                first[move] = colour
            count -= 1
            empty[place[move]] = empty[count]
            place[empty[count]] = place[move]
            for k in range(captured):
                empty[count] = taken[k]
                place[taken[k]] = count
                count += 1
            passes = 0
        last = move
        colour = 3 - colour
        plies -= 1
    return _result(board, around, komi, owner)


@kernel
def _know(board, hashes, around, lines, turn, priors, patterns, tree, node):
    """Fill a new node of the tree: the visits and wins [P+1] that each action begins with.

    visits are -1 where an action is not sensible. The odds are even, and with `priors` they also
    hold what a player knows before any game is played (Gelly and Silver 2007, section 6). Captures
    and rescues, shapes, the neighbours of the last stone and the third line are good; self-atari
    and the outer lines where nobody has played are bad.
    """
    points = board.shape[1] - 1
    visits, wins = tree[0][node], tree[1][node]
    colour, last, _ = turn
    visits[points], wins[points] = EVEN, 0.1 * EVEN  # a pass is right in the end only
    for point in range(points):
        visits[point], wins[point] = -1.0, 0.0
        if not _is_sensible(board, hashes, around, point, colour):
            continue
        good, bad = 0.5 * EVEN, 0.5 * EVEN
        if priors:
            alone, saves, near = True, False, False
            for k in range(8):
                cell = board[CELL, around[point, k]]
                alone = alone and (cell == 0 or cell == EDGE)
                near = near or (around[point, k] == last and last != points)
            for k in range(4):
                head = board[HEAD, around[point, k]]
                saves = saves or (head != NONE and only_liberty(board, around, head) == point)
            if is_self_atari(board, around, point, colour):
                bad += 10.0
            elif saves:
                good += 15.0
            if patterns.shape[0] > 0 and patterns[surroundings(board, around, point)] != 0:
                good += 10.0
            if near:
                good += 20.0
            if alone and lines[point] < 2:
                bad += 10.0
            elif alone and lines[point] == 2:
                good += 10.0
        visits[point], wins[point] = good + bad, good


@kernel
def _best(visits, wins, rave_visits, rave_wins, equivalence, c):
    """The action of the highest value: the mean of wins, mixed with that of RAVE.

    With equivalence 0 it is UCB1. Source: Gelly and Silver 2011, section 4.2.
    """
    total = 0.0
    if c > 0:
        for action in range(visits.shape[0]):
            total += max(visits[action], 0.0)
    spread = c * np.sqrt(np.log(total + 1.0))
    best, most = visits.shape[0] - 1, -1.0
    for action in range(visits.shape[0]):
        n, m = visits[action], rave_visits[action]
        if n < 0:
            continue
        value = wins[action] / n
        if equivalence > 0 and m > 0:
            share = m / (m + n + m * n / equivalence)
            value += share * (rave_wins[action] / m - value)
        value += spread / np.sqrt(n)
        if value > most:
            best, most = action, value
    return best


@kernel
def _descend(board, hashes, around, tree, turn, plies, equivalence, c, first, taken, path):
    """Play from the root down the tree, until an action has no node of its own.

    tree: (visits, wins, visits and wins of RAVE, child) [nodes, P+1]. turn: as for `_guided_game`.
    path [plies, 2] receives nodes and actions. Returns their number, and the turn after them.
    """
    visits, wins, rave_visits, rave_wins, child = tree
    colour, last, passes = turn
    points = board.shape[1] - 1
    node, depth = 0, 0
    while passes < 2 and depth < plies:
        action = _best(visits[node], wins[node], rave_visits[node], rave_wins[node], equivalence, c)
        path[depth, 0], path[depth, 1] = node, action
        depth += 1
        passes += 1
        if action < points:
            _place(board, hashes, around, action, colour, taken)
            _remember(board, hashes)
            if first[action] == 0:
                first[action] = colour
            passes = 0
        colour, last = 3 - colour, action
        node = child[node, action]
        if node == 0:
            break
    return depth, (colour, last, passes)


@kernel
def _add_result(tree, path, colour, result, first, rave):
    """Add a simulation to the actions of path [D, 2].

    colour: who moves at the root. result: for Black. rave: whether to add it also to all points
    that the player was the first to play on (all moves as first, AMAF), as if each had been played
    here.
    """
    visits, wins, rave_visits, rave_wins, _ = tree
    for d in range(path.shape[0]):
        node, action = path[d, 0], path[d, 1]
        won = 0.5 + 0.5 * result if colour == 1 else 0.5 - 0.5 * result
        visits[node, action] += 1.0
        wins[node, action] += won
        if rave:
            for point in range(first.shape[0]):
                if first[point] == colour:
                    rave_visits[node, point] += 1.0
                    rave_wins[node, point] += won
        colour = 3 - colour


@kernel
def rave_search(
    board,
    hashes,
    around,
    lines,
    colour,
    last,
    passes,
    plies,
    komi,
    seed,
    simulations,
    equivalence,
    c,
    atari,
    patterns,
    priors,
    root_visits,
    root_wins,
):
    """Search one position; root_visits and root_wins [P+1]: the simulations through each action.

    colour is to move, `last` is the point of the last stone (P: none, or a pass), passes is 1 after
    a pass, plies is how many are left; a second pass that wins is all that is looked at. lines [P]:
    steps from a point to the edge of the board. equivalence: simulations at which RAVE and the mean
    count the same, 0: no RAVE. c: the weight of UCB1's bonus. atari, patterns: as for
    `_guided_game`. priors: whether new actions begin with knowledge.
    """
    points = board.shape[1] - 1
    room, owner = np.empty((4, points + 8), np.uint16), np.empty(points, np.int8)
    root_visits[:], root_wins[:] = 0.0, 0.0
    if passes == 1 and _result(board, around, komi, owner) == (1.0 if colour == 1 else -1.0):
        root_visits[points], root_wins[points] = simulations, simulations
        return
    first = np.empty(points, np.int8)  # the colour that plays first on a point in this simulation
    position, hash_row = np.empty_like(board), np.empty_like(hashes)
    most = simulations // OPENED_AT + 1
    visits, wins = np.empty((2, most, points + 1), np.float32)
    rave_visits, rave_wins = np.zeros((2, most, points + 1), np.float32)
    child = np.zeros((most, points + 1), np.int32)  # 0: none, as the root is nobody's child
    tree = (visits, wins, rave_visits, rave_wins, child)
    path = np.empty((plies, 2), np.int32)
    start = (colour, last, passes)
    _know(board, hashes, around, lines, start, priors, patterns, tree, 0)
    root_visits[:], root_wins[:] = visits[0], wins[0]
    nodes, state = 1, np.uint64(seed)
    for _ in range(simulations):
        position[:], hash_row[:], first[:] = board, hashes, 0
        depth, turn = _descend(
            position, hash_row, around, tree, start, plies, equivalence, c, first, room[0], path
        )
        node, action, over = path[depth - 1, 0], path[depth - 1, 1], turn[2] == 2
        ripe = child[node, action] == 0 and visits[node, action] >= EVEN + OPENED_AT
        if ripe and not over and nodes < most:
            child[node, action] = nodes
            _know(position, hash_row, around, lines, turn, priors, patterns, tree, nodes)
            nodes += 1
        if over:
            result = _result(position, around, komi, owner)
        else:
            state += np.uint64(0x9E3779B97F4A7C15)
            stream = state * np.uint64(0xBF58476D1CE4E5B9)  # streams that do not overlap
            left = plies - depth
            result = _guided_game(
                position, hash_row, around, turn, left, komi, stream, atari, patterns, first, room
            )
        _add_result(tree, path[:depth], colour, result, first, equivalence > 0)
    # What the root began with is no simulation.
    root_visits[:] = visits[0] - root_visits
    root_wins[:] = wins[0] - root_wins


@kernel
def liberties(board, rows, around, out):
    """out [R, P]: the number of liberties of the group on each point, 0 on an empty point."""
    points = out.shape[1]
    counts = np.empty(points, np.uint16)
    for r in range(rows.shape[0]):
        position = board[rows[r]]
        counts[:] = 0
        for point in range(points):
            if position[CELL, point] == 0:
                # A group that touches this point on several sides has one liberty here, not more.
                for k in range(4):
                    head, first = position[HEAD, around[point, k]], True
                    for j in range(k):
                        first = first and position[HEAD, around[point, j]] != head
                    if head != NONE and first:
                        counts[head] += 1
        for point in range(points):
            occupied = position[CELL, point] != 0
            out[r, point] = counts[position[HEAD, point]] if occupied else 0


@kernel
def past_boards(root, moves, ply, rows, around, out):
    """out [R, K, P]: the boards after the last move, the move before it, and so on, newest first.

    Boards before the root are empty. The games are replayed from their roots (root [N, P+1]: the
    cells, then the player who moved first), because a batch stores no earlier boards.
    """
    points = out.shape[2]
    board, hashes = np.empty((5, points + 1), np.uint16), np.empty(points + 1, np.uint64)
    taken = np.empty(points, np.uint16)
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
                stone, colour = np.int64(moves[i, d - 1]), 1 + (root[i, points] + d - 1) % 2
                _place(board, hashes, around, stone, colour, taken)
            if ply[i] - d < out.shape[1]:
                out[r, ply[i] - d] = board[CELL, :points]
