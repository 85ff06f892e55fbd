"""The compiled rules of backgammon: every play of a turn, its afterstate, and the 198 units.

A board is `checkers` [2, 26] int8: `checkers[p, i]` counts player p's checkers on p's own point
i + 1, [24] those on the bar and [25] those borne off. The opponent counts the points from the other
end: p's index i is the opponent's index 23 - i.

The search makes the steps of a turn from the highest point down. No play is lost: checkers only
move down, points do not close during a turn, and all checkers are home before one is borne off, so
the steps of any play can be made in this order. Each set of steps is found once. With a double, two
sets of steps never lead to the same position. With two dice they do in two cases: one checker plays
both dice in either order and hits nothing in between, or two checkers are borne off, each by either
die.
"""

import numpy as np

from rlcourse.kernels import kernel

# The search keeps one row per position. LOW and HIGH hold the number of the mover's checkers on
# points 1 to 12 and 13 to 24, four bits per point, and above these one bit per point where a blot
# was hit. OCCUPIED: the points the mover holds, one bit each; bit 24 is the bar. BAR: the number of
# checkers on the bar. CAME_FROM: the row one step earlier. START, END: indices of that step; END is
# -1 for a checker borne off.
LOW, HIGH, OCCUPIED, BAR, CAME_FROM, START, END = 0, 1, 2, 3, 4, 5, 6
# A double shares four steps among at most 15 checkers: C(18, 4) = 3060 results, 3876 positions
# including the intermediate ones.
MOST_PLAYS, MOST_POSITIONS = 3060, 3876
HOME = 63  # the bits of points 1 to 6
ONE_LOW = np.array([1 << 4 * i if i < 12 else 0 for i in range(25)])
ONE_HIGH = np.array([1 << 4 * (i - 12) if 12 <= i < 24 else 0 for i in range(25)])
HIT_LOW = np.array([1 << 48 + i if i < 12 else 0 for i in range(24)])
HIT_HIGH = np.array([1 << 36 + i if i >= 12 else 0 for i in range(24)])
# The index of a single bit by its remainder: 2^0 to 2^24 are all different modulo 37.
BIT_INDEX = np.array([next((i for i in range(25) if (1 << i) % 37 == r), -1) for r in range(37)])

# Units of n = 0 to 15 checkers of one player on a point: a blot, a made point, one spare checker,
# (n - 3)/2.
POINT_UNITS = np.array([[n == 1, n >= 2, n == 3, max(0, n - 3) / 2] for n in range(16)], np.float32)


@kernel
def _starts(occupied, bar, die, closed, highest):
    """The bits of the points up to index `highest` from which a step with `die` is legal."""
    if bar > 0:
        starts = (1 << 24) & ~(closed << die)
    else:
        starts = occupied & ~(closed << die) & (-1 << die)
        # With all checkers home, a die bears off from its own point; if no checker stands there or
        # behind it, the die bears off the rearmost checker.
        if occupied <= HOME:
            at_or_behind = occupied >> (die - 1)
            if at_or_behind & 1:
                starts |= 1 << (die - 1)
            elif at_or_behind == 0:
                rear = die - 2
                while rear > 0 and not (occupied >> rear) & 1:
                    rear -= 1
                if rear >= 0:
                    starts |= occupied & (1 << rear)
    return starts & ((1 << (highest + 1)) - 1)


@kernel
def _append(plays, row, start, die, blots, used):
    """Write into plays[used] the position after a step from index `start` of plays[row]."""
    end = start - die
    low, high = plays[row, LOW] - ONE_LOW[start], plays[row, HIGH] - ONE_HIGH[start]
    bar = plays[row, BAR] - (start == 24)
    occupied = plays[row, OCCUPIED]
    if start == 24:
        remaining = bar
    else:
        remaining = (low & (15 * ONE_LOW[start])) | (high & (15 * ONE_HIGH[start]))
    if remaining == 0:
        occupied ^= 1 << start
    if end >= 0:
        low += ONE_LOW[end]
        high += ONE_HIGH[end]
        occupied |= 1 << end
        if (blots >> end) & 1:
            low |= HIT_LOW[end]
            high |= HIT_HIGH[end]
    plays[used, LOW], plays[used, HIGH] = low, high
    plays[used, OCCUPIED], plays[used, BAR] = occupied, bar
    plays[used, CAME_FROM], plays[used, START], plays[used, END] = row, start, max(end, -1)


@kernel
def _is_duplicate(plays, first, last):
    """Whether the position plays[last] is also in plays[first:last]."""
    for row in range(first, last):
        if plays[row, LOW] == plays[last, LOW] and plays[row, HIGH] == plays[last, HIGH]:
            return True
    return False


@kernel
def _extend(plays, begin, end, used, die, closed, blots, below, first):
    """Append all positions one step with `die` after plays[begin:end]; return the rows used.

    The step starts no higher than the previous one, or strictly lower if `below` is 1. closed,
    blots: the bits of the mover's points that the opponent holds, or where a single opposing
    checker stands. A step in which two sets of steps can lead to the same position is compared with
    plays[first:]; first = -1: no such step exists.
    """
    for row in range(begin, end):
        starts = _starts(
            plays[row, OCCUPIED], plays[row, BAR], die, closed, plays[row, START] - below
        )
        while starts:
            bit = starts & -starts
            starts ^= bit
            start = BIT_INDEX[bit % 37]
            _append(plays, row, start, die, blots, used)
            same_checker = start == plays[row, END]
            both_off = plays[row, END] == -1 and start < die
            suspect = same_checker or both_off
            if first < 0 or not suspect or not _is_duplicate(plays, first, used):
                used += 1
    return used


@kernel
def find_plays(own, other, high_die, low_die, plays):
    """Write all distinct results of a turn; returns (first, last), and they are plays[first:last].

    own, other [26]: the boards of the mover and of the opponent. plays [MOST_POSITIONS + 1, 7]
    int64. As many dice are played as possible, and the higher die if only one of the two can be
    played. If no step is legal, the only result is row 0, the unchanged board.
    """
    closed, blots, occupied, low, high = 0, 0, 0, 0, 0
    for i in range(24):
        closed |= (other[23 - i] > 1) << i
        blots |= (other[23 - i] == 1) << i
        occupied |= (own[i] > 0) << i
        low += own[i] * ONE_LOW[i]
        high += own[i] * ONE_HIGH[i]
    occupied |= (own[24] > 0) << 24
    plays[0, LOW], plays[0, HIGH], plays[0, OCCUPIED], plays[0, BAR] = low, high, occupied, own[24]
    plays[0, CAME_FROM], plays[0, START], plays[0, END] = -1, 25, -2
    if high_die == low_die:
        first, last = 0, 1
        for _ in range(4):
            used = _extend(plays, first, last, last, high_die, closed, blots, 0, -1)
            if used == last:
                break
            first, last = last, used
        return first, last
    # After row 0 come the plays of the higher die alone, of the lower die alone, and of both.
    high_end = _extend(plays, 0, 1, 1, high_die, closed, blots, 0, -1)
    low_end = _extend(plays, 0, 1, high_end, low_die, closed, blots, 0, -1)
    both_end = _extend(plays, 1, high_end, low_end, low_die, closed, blots, 0, -1)
    # Strictly below: both steps from one point were already found in the other order.
    both_end = _extend(plays, high_end, low_end, both_end, high_die, closed, blots, 1, low_end)
    if both_end > low_end:
        return low_end, both_end
    if high_end > 1:
        return 1, high_end
    if low_end > high_end:
        return high_end, low_end
    return 0, 1


@kernel
def write_board(plays, play, checkers, row, mover, boards, index):
    """Write into boards[index] [2, 26] the board after plays[play] from the board checkers[row]."""
    for p in range(2):
        for i in range(26):
            boards[index, p, i] = checkers[row, p, i]
    while plays[play, CAME_FROM] >= 0:
        start, end = plays[play, START], plays[play, END]
        boards[index, mover, start] -= 1
        if end < 0:
            boards[index, mover, 25] += 1
        else:
            boards[index, mover, end] += 1
            if boards[index, 1 - mover, 23 - end] == 1:
                boards[index, 1 - mover, 23 - end] = 0
                boards[index, 1 - mover, 24] += 1
        play = plays[play, CAME_FROM]


@kernel
def generate(checkers, to_play, dice, rows, done_rows, boards, starts, counts, used):
    """Write the afterstates of rows[done_rows:] into boards[used:], their starts and their counts.

    checkers [N, 2, 26], to_play [N], dice [N, 2] (thrown), boards [capacity, 2, 26] int8, starts
    [N], counts [N] int64. Stops when fewer than MOST_PLAYS boards are free. Returns (rows done,
    boards used).
    """
    plays = np.empty((MOST_POSITIONS + 1, 7), np.int64)
    while done_rows < len(rows) and used + MOST_PLAYS <= len(boards):
        row = rows[done_rows]
        mover = to_play[row]
        first, last = find_plays(
            checkers[row, mover], checkers[row, 1 - mover], dice[row, 0], dice[row, 1], plays
        )
        starts[row], counts[row] = used, last - first
        for play in range(first, last):
            write_board(plays, play, checkers, row, mover, boards, used)
            used += 1
        done_rows += 1
    return done_rows, used


@kernel
def result(own, other):
    """The points won by the player of `own` [26], 0 unless all of their checkers are borne off.

    1: a single game. 2: a gammon, the loser has borne off no checker. 3: a backgammon, the loser
    also has a checker on the bar or in the winner's home.
    """
    if own[25] < 15:
        return 0
    if other[25] > 0:
        return 1
    for i in range(18, 25):
        if other[i] > 0:
            return 3
    return 2


@kernel
def results(checkers, out):
    """out [M]: the first player's points on the boards `checkers` [M, 2, 26], 0 while running."""
    for m in range(len(checkers)):
        out[m] = result(checkers[m, 0], checkers[m, 1]) - result(checkers[m, 1], checkers[m, 0])


@kernel
def play_boards(checkers, to_play, dice, done, points, boards, chosen):
    """Row i becomes boards[chosen[i]] and the opponent is to play; -1 skips a row."""
    for row in range(len(chosen)):
        if chosen[row] < 0:
            continue
        checkers[row] = boards[chosen[row]]
        mover = to_play[row]
        won = result(checkers[row, mover], checkers[row, 1 - mover])
        if won > 0:
            done[row] = True
            points[row] = won if mover == 0 else -won
        to_play[row] = 1 - mover
        dice[row] = 0


@kernel
def throw_dice(checkers, rows, start, drawn, dice):
    """Turn `drawn` [R], uniform from 0 to 1079, into the dice of those rows, the higher die first.

    In the starting position `start` [2, 26] the throw opens the game and is never a double: it is
    one of 30 throws, otherwise one of 36.
    """
    for r in range(len(rows)):
        row = rows[r]
        opening, i = True, 0
        while opening and i < 52:
            opening = checkers[row, i // 26, i % 26] == start[i // 26, i % 26]
            i += 1
        if opening:
            first = drawn[r] % 30 // 5
            # Skipping the first die's number leaves five equally likely numbers for the second.
            second = drawn[r] % 5
            second += second >= first
        else:
            first, second = drawn[r] % 36 // 6, drawn[r] % 6
        dice[row, 0], dice[row, 1] = max(first, second) + 1, min(first, second) + 1


@kernel
def encode(checkers, first_view, roller, out):
    """out [M, 198] float32: the units of `checkers` [M, 2, 26]; see `backgammon.units`."""
    for m in range(len(checkers)):
        for seat in range(2):
            player = first_view[m] if seat == 0 else 1 - first_view[m]
            base = 98 * seat
            for i in range(24):
                count = checkers[m, player, i]
                for unit in range(4):
                    out[m, base + 4 * i + unit] = POINT_UNITS[count, unit]
            out[m, base + 96] = checkers[m, player, 24] / np.float32(2)
            out[m, base + 97] = checkers[m, player, 25] / np.float32(15)
            out[m, 196 + seat] = player == roller[m]
