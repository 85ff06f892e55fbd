"""Backgammon in text: GNU position IDs, moves such as "24/18 13/11", and the board.

A Move is a whole turn: a tuple of steps (from, to) on the mover's own points, 24 to 1, with 25 for the bar and 0 for off.
"""

import base64
import binascii
import itertools
import re
from collections import Counter
from collections.abc import Mapping

import numpy as np

from rlcourse.games.game import BadRecipe, IllegalMove

Step = tuple[int, int]
Move = tuple[Step, ...]
BAR, OFF = 25, 0
_PART = re.compile(r"(bar|\d{1,2})\*?((?:/(?:off|\d{1,2})\*?)+)(?:\((\d)\))?")


def position_id(checkers: np.ndarray, roller: int) -> str:
    """The GNU position ID, 14 letters, of a board [2, 26] in which player `roller` is on roll. Its dice are not part of it.

    80 bits, the lowest of each byte first: for the opponent and then for the roller, for each own point from 1 to 24 and
    the bar, as many ones as there are checkers, and a zero (GNU Backgammon manual, "A technical description of the Position
    ID").
    """
    ones = [
        [1] * int(count) + [0] for player in (1 - roller, roller) for count in checkers[player][:25]
    ]
    bits = np.array([bit for point in ones for bit in point], np.uint8)
    packed = np.packbits(np.pad(bits, (0, 80 - len(bits))), bitorder="little")
    return base64.b64encode(packed.tobytes()).decode("ascii").rstrip("=")


def board_of_id(text: str, roller: int) -> np.ndarray:
    """[2, 26] int8: the board of a GNU position ID, with player `roller` on roll. Raises BadRecipe."""
    if not re.fullmatch(r"[A-Za-z0-9+/]{14}", text):
        raise BadRecipe(
            f"a GNU position ID is 14 letters, digits, + and /, such as 4HPwATDgc/ABMA; got {text!r}"
        )
    try:
        packed = base64.b64decode(text + "==", validate=True)
    except binascii.Error as error:
        raise BadRecipe(f"{text!r} is not a GNU position ID: {error}") from None
    bits = np.unpackbits(np.frombuffer(packed, np.uint8), bitorder="little")
    zeros = np.flatnonzero(bits == 0)
    if len(zeros) < 50 or bits[zeros[49] :].any():
        raise BadRecipe(
            f"{text!r} is not a GNU position ID: it describes {min(len(zeros), 50)} points of 50, or more than 50"
        )
    counts = np.diff(zeros[:50], prepend=-1).reshape(2, 25) - 1
    checkers = np.zeros((2, 26), np.int8)
    checkers[[1 - roller, roller], :25] = counts
    checkers[:, 25] = (
        15 - counts.sum(axis=1)[[1 - roller, roller]] if roller == 0 else 15 - counts.sum(axis=1)
    )
    check_board(checkers)
    if position_id(checkers, roller) != text:
        raise BadRecipe(f"{text!r} is not a GNU position ID: bits beyond the 80 of a board are set")
    return checkers


def check_board(checkers: np.ndarray) -> None:
    """Raise BadRecipe unless `checkers` [2, 26] can be a board: 15 each, no point shared, not both finished."""
    for player, board in enumerate(checkers):
        if board.min() < 0 or board.sum() != 15:
            raise BadRecipe(
                f"each player has 15 checkers; here player {player} has {board[:25].sum()} on board and bar"
            )
    for i in range(24):
        if checkers[0, i] and checkers[1, 23 - i]:
            raise BadRecipe(f"both players have checkers on the first player's {i + 1}-point")
    if (checkers[:, 25] == 15).all():
        raise BadRecipe(
            "both players have borne off all their checkers: only one can have been first"
        )


def point_name(point: int) -> str:
    """ "bar" for 25, "off" for 0, else the number."""
    return {BAR: "bar", OFF: "off"}.get(point, str(point))


def hits_of(move: Move, checkers: np.ndarray, mover: int) -> frozenset[int]:
    """The mover's points on which a move hits a blot, from the board [2, 26] before it."""
    return frozenset(to for _, to in move if to != OFF and checkers[1 - mover, 24 - to] == 1)


def describe(move: Move, checkers: np.ndarray, mover: int) -> str:
    """A move as players write it, such as "24/14", "bar/20*", "8/4(2) 6/2(2)": steps of one checker are joined, a hit is
    starred and named also on the way ("24/18*/14"). A turn that passes is "pass"."""
    if not move:
        return "pass"
    hits = hits_of(move, checkers, mover)
    paths: list[list[int]] = []
    for start, end in sorted(move, reverse=True):
        path = next((path for path in paths if path[-1] == start), None)
        if path:
            path.append(end)
        else:
            paths.append([start, end])
    shown: Counter[str] = Counter()
    for path in paths:
        kept = [path[0], *(point for point in path[1:-1] if point in hits), path[-1]]
        shown[
            "/".join(
                point_name(point) + "*" * (k > 0 and point in hits) for k, point in enumerate(kept)
            )
        ] += 1
    return " ".join(text + (f"({times})" if times > 1 else "") for text, times in shown.items())


def parse_move(
    text: str, checkers: np.ndarray, mover: int, plays: Mapping[bytes, Move], dice: tuple[int, int]
) -> Move:
    """The move that a text such as "24/18 13/11" means on a board [2, 26]. Raises IllegalMove.

    plays: the legal moves by the board they lead to, as bytes. Steps may be joined ("24/14") and stars left out; where plays
    differ in what they hit on the way, the point in between decides.
    """
    if text.strip().lower() == "pass":
        return ()
    paths = _paths(text)
    landed = {point for path in paths for point in path[1:]}
    hits = {point for point in landed if point != OFF and checkers[1 - mover, 24 - point] == 1}
    if starred := set(map(int, re.findall(r"/(\d+)\*", text))) - hits:
        raise IllegalMove(f"{text}: nothing can be hit on the {min(starred)}-point")
    board = checkers.copy()
    for path in paths:
        board[mover, path[0] - 1] -= 1
        board[mover, path[-1] - 1] += 1  # index -1, borne off, is the last of 26
    own = board[mover]
    for point in hits:
        board[1 - mover, 24 - point] = 0
        board[1 - mover, 24] += 1
    if board.tobytes() in plays:
        return plays[board.tobytes()]
    meant = [
        move
        for key, move in plays.items()
        if (np.frombuffer(key, np.int8)[26 * mover :][:26] == own).all()
    ]
    if len(meant) == 1:
        return meant[0]
    if meant:
        raise IllegalMove(
            f"{text} can be played in {len(meant)} ways that hit differently: write the point in between"
        )
    steps = tuple((a, b) for path in paths for a, b in itertools.pairwise(path))
    if any(a - b not in dice and b != OFF for a, b in steps):
        raise IllegalMove(
            f"{text} is no play of {dice[0]}-{dice[1]}: write each step of a checker by itself to see why"
        )
    return steps


def _paths(text: str) -> list[list[int]]:
    paths = []
    for part in text.replace(",", " ").split():
        match = _PART.fullmatch(part.lower())
        points = [
            (BAR if p == "bar" else OFF) if p.isalpha() else int(p)
            for p in re.findall(r"[a-z]+|\d+", part.lower())
        ]
        points = points[: len(points) - (match is not None and match[3] is not None)]
        if not match or not all(OFF <= b < a <= BAR for a, b in itertools.pairwise(points)):
            raise IllegalMove(
                f"a move reads like 24/18 13/11, bar/20* or 6/off(2), from higher to lower points; got {part!r}"
            )
        paths += [points] * int(match[3] or 1)
    return paths


def draw_text(checkers: np.ndarray, next_player: int, dice: tuple[int, int], points: float) -> str:
    """The board in text, seen by the first player (X), who moves from 24 down to 1; O is the second."""
    cell = {}
    for i in range(24):
        own, other = int(checkers[0, i]), int(checkers[1, 23 - i])
        cell[i + 1] = f"{'X' if own else 'O'}{own or other}" if own or other else "."
    rows = []
    for left, right in ((range(13, 19), range(19, 25)), (range(12, 6, -1), range(6, 0, -1))):
        numbers = "".join(f"{p:>4}" for p in left) + "  |" + "".join(f"{p:>4}" for p in right)
        stones = (
            "".join(f"{cell[p]:>4}" for p in left) + "  |" + "".join(f"{cell[p]:>4}" for p in right)
        )
        rows.append((numbers, stones))
    (top, upper), (bottom, lower) = rows
    lines = [top, upper, " " * 26 + "|", lower, bottom]
    weights = np.append(np.arange(1, 26), 0)
    for player, symbol in enumerate("XO"):
        board = checkers[player]
        lines.append(f"{symbol}: bar {board[24]}, off {board[25]}, pips {int(board @ weights)}")
    if points:
        size = {1: "a single game", 2: "a gammon", 3: "a backgammon"}[abs(int(points))]
        lines.append(f"{'X' if points > 0 else 'O'} has won {size}")
    else:
        lines.append(
            f"{'XO'[next_player]} to " + (f"play {dice[0]}-{dice[1]}" if dice[0] else "roll")
        )
    return "\n".join(lines)
