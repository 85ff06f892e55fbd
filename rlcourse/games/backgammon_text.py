"""Backgammon in text: GNU position IDs, moves such as "24/18 13/11", and the board.

A Move is a whole turn: a tuple of steps (from, to) on the mover's own points 24 to 1, where 25 is
the bar and 0 is off the board.
"""

import base64
import binascii
import itertools
import re
from collections import Counter
from collections.abc import Mapping

import numpy as np

from rlcourse.drawing.backgammon_places import pips
from rlcourse.games.game import BadRecipe, IllegalMove

Step = tuple[int, int]
Move = tuple[Step, ...]
BAR, OFF = 25, 0
_PATH = re.compile(r"(bar|\d{1,2})\*?((?:/(?:off|\d{1,2})\*?)+)(?:\((\d)\))?")


def position_id(checkers: np.ndarray, roller: int) -> str:
    """The GNU position ID, 14 letters, of a board [2, 26] with player `roller` on roll.

    The ID encodes 80 bits, the lowest of each byte first: for the opponent and then for the roller,
    each own point from 1 to 24 and the bar contributes one 1 per checker, then a 0. The dice are
    not part of it (GNU Backgammon manual, "A technical description of the Position ID").
    """
    bits: list[int] = []
    for player in (1 - roller, roller):
        for count in checkers[player][:25]:
            bits += [1] * int(count) + [0]
    bits += [0] * (80 - len(bits))
    packed = np.packbits(np.array(bits, np.uint8), bitorder="little")
    return base64.b64encode(packed.tobytes()).decode("ascii").rstrip("=")


def board_of_id(text: str, roller: int) -> np.ndarray:
    """[2, 26] int8: the board of a GNU position ID, `roller` on roll. Raises BadRecipe."""
    if not re.fullmatch(r"[A-Za-z0-9+/]{14}", text):
        raise BadRecipe(
            "a GNU position ID is 14 letters, digits, + and /, such as 4HPwATDgc/ABMA; got "
            f"{text!r}"
        )
    try:
        packed = base64.b64decode(text + "==", validate=True)
    except binascii.Error as error:
        raise BadRecipe(f"{text!r} is not a GNU position ID: {error}") from None
    bits = np.unpackbits(np.frombuffer(packed, np.uint8), bitorder="little")
    zeros = np.flatnonzero(bits == 0)
    if len(zeros) < 50 or bits[zeros[49] :].any():
        raise BadRecipe(
            f"{text!r} is not a GNU position ID: it describes {min(len(zeros), 50)} points of 50, "
            "or more than 50"
        )
    # A zero ends each point, so the distance between two zeros is the number of checkers plus one.
    counts = np.diff(zeros[:50], prepend=-1).reshape(2, 25) - 1
    checkers = np.zeros((2, 26), np.int8)
    checkers[[1 - roller, roller], :25] = counts
    checkers[:, 25] = 15 - checkers[:, :25].sum(axis=1)
    check_board(checkers)
    if position_id(checkers, roller) != text:
        raise BadRecipe(f"{text!r} is not a GNU position ID: bits beyond the 80 of a board are set")
    return checkers


def check_board(checkers: np.ndarray) -> None:
    """Raise BadRecipe unless `checkers` [2, 26] can be a board.

    Each player has 15 checkers, no point is shared, and at most one player has finished.
    """
    for player, board in enumerate(checkers):
        if board.min() < 0 or board.sum() != 15:
            raise BadRecipe(
                f"each player has 15 checkers; here player {player} has {board[:25].sum()} on "
                "board and bar"
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
    """A move as players write it, such as "24/14", "bar/20*", "8/4(2) 6/2(2)" or "pass".

    The steps of one checker are joined. A hit has a star, also on an intermediate point
    ("24/18*/14").
    """
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
    repeats: Counter[str] = Counter()
    for path in paths:
        text = point_name(path[0])
        for point in path[1:]:
            if point in hits:
                text += f"/{point_name(point)}*"
            elif point == path[-1]:
                text += f"/{point_name(point)}"
        repeats[text] += 1
    return " ".join(f"{text}({times})" if times > 1 else text for text, times in repeats.items())


def parse_move(
    text: str, checkers: np.ndarray, mover: int, plays: Mapping[bytes, Move], dice: tuple[int, int]
) -> Move:
    """The move that a text such as "24/18 13/11" means on a board [2, 26]. Raises IllegalMove.

    plays: the legal moves by the board after them, as bytes. Steps may be joined ("24/14") and
    stars omitted. If plays differ in the blots they hit on the way, the intermediate point decides.
    """
    if text.strip().lower() == "pass":
        return ()
    paths = _paths(text)
    targets = {point for path in paths for point in path[1:]}
    hits = {point for point in targets if point != OFF and checkers[1 - mover, 24 - point] == 1}
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
    # The text may omit an intermediate point with a blot: compare the mover's checkers alone.
    candidates = [
        move
        for key, move in plays.items()
        if (np.frombuffer(key, np.int8)[26 * mover :][:26] == own).all()
    ]
    if len(candidates) == 1:
        return candidates[0]
    if candidates:
        raise IllegalMove(
            f"{text} can be played in {len(candidates)} ways that hit differently: write the point "
            "in "
            "between"
        )
    steps = tuple((a, b) for path in paths for a, b in itertools.pairwise(path))
    if any(a - b not in dice and b != OFF for a, b in steps):
        raise IllegalMove(
            f"{text} is no play of {dice[0]}-{dice[1]}: write each step of a checker by itself to "
            "see why"
        )
    return steps


def _paths(text: str) -> list[list[int]]:
    """The points of each checker's path; "8/4(2)" gives [[8, 4], [8, 4]]. Raises IllegalMove."""
    paths = []
    for path_text in text.replace(",", " ").split():
        match = _PATH.fullmatch(path_text.lower())
        points = [_point_number(name) for name in match.expand(r"\1\2").split("/")] if match else []
        descends = all(OFF <= b < a <= BAR for a, b in itertools.pairwise(points))
        if not match or not descends:
            raise IllegalMove(
                "a move reads like 24/18 13/11, bar/20* or 6/off(2), from higher to lower points; "
                f"got {path_text!r}"
            )
        paths += [points] * int(match[3] or 1)
    return paths


def _point_number(name: str) -> int:
    name = name.rstrip("*")
    return {"bar": BAR, "off": OFF}[name] if name.isalpha() else int(name)


def draw_text(checkers: np.ndarray, next_player: int, dice: tuple[int, int], points: float) -> str:
    """The board as text, seen by the first player (X), who moves from 24 down to 1; O is second."""
    cells = {}
    for i in range(24):
        first, second = int(checkers[0, i]), int(checkers[1, 23 - i])
        if first:
            cells[i + 1] = f"X{first}"
        else:
            cells[i + 1] = f"O{second}" if second else "."

    def row(names: Mapping[int, object], left: range, right: range) -> str:
        halves = ("".join(f"{names[point]:>4}" for point in half) for half in (left, right))
        return "  |".join(halves)

    numbers = {point: point for point in cells}
    upper, lower = (range(13, 19), range(19, 25)), (range(12, 6, -1), range(6, 0, -1))
    lines = [
        row(numbers, *upper),
        row(cells, *upper),
        " " * 26 + "|",
        row(cells, *lower),
        row(numbers, *lower),
    ]
    for player, symbol in enumerate("XO"):
        board = checkers[player]
        lines.append(f"{symbol}: bar {board[24]}, off {board[25]}, pips {pips(board)}")
    if points:
        size = {1: "a single game", 2: "a gammon", 3: "a backgammon"}[abs(int(points))]
        lines.append(f"{'X' if points > 0 else 'O'} has won {size}")
    else:
        lines.append(
            f"{'XO'[next_player]} to " + (f"play {dice[0]}-{dice[1]}" if dice[0] else "roll")
        )
    return "\n".join(lines)
