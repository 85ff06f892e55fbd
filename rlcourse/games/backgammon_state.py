"""One position of backgammon, dice included, as an immutable value. A move is the whole turn."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from rlcourse.games import backgammon_kernels as kernels
from rlcourse.games.backgammon_text import (
    BAR,
    OFF,
    Move,
    board_of_id,
    check_board,
    describe,
    draw_text,
    parse_move,
    point_name,
    position_id,
)
from rlcourse.games.game import BadRecipe, GameOver, IllegalMove
from rlcourse.games.position import Position

START_HALF = np.zeros(26, np.int8)
START_HALF[[5, 7, 12, 23]] = 5, 3, 5, 2
START = np.stack([START_HALF, START_HALF])
NOT_THROWN = (0, 0)


class BackgammonState(Position):
    """One position.

    checkers [2, 26] int8: each player's own points 1 to 24, the bar, and the checkers borne off.
    dice: the higher first, or (0, 0) before the throw. Build a position with `game.new_game()`,
    `from_recipe` or this class, which raises BadRecipe for an impossible board or dice.
    """

    __slots__ = ("_board", "_to_play", "_dice", "_points", "_plays")
    _board: bytes
    _to_play: int
    _dice: tuple[int, int]
    _points: int
    _plays: Mapping[bytes, Move] | None

    def __init__(
        self, checkers: np.ndarray, next_player: int = 0, dice: tuple[int, int] = NOT_THROWN
    ) -> None:
        checkers = np.asarray(checkers)
        if checkers.shape != (2, 26) or checkers.dtype.kind not in "iu":
            raise BadRecipe(
                f"a board is checkers [2, 26] of integers; got {checkers.dtype} {checkers.shape}"
            )
        check_board(checkers)
        if next_player not in (0, 1):
            raise BadRecipe(f"the next player is 0 or 1, not {next_player!r}")
        high, low = sorted((int(die) for die in dice), reverse=True)
        if (high, low) != NOT_THROWN and not 1 <= low <= high <= 6:
            raise BadRecipe(f"dice show 1 to 6, or 0 and 0 before the throw; got {high} and {low}")
        board = checkers.astype(np.int8)
        won = [kernels.result(board[p], board[1 - p]) for p in (0, 1)]
        if any(won) and ((high, low) != NOT_THROWN or won[next_player]):
            raise BadRecipe(
                "this game is over: no dice are thrown, and it would be the loser's turn"
            )
        self._fill(board.tobytes(), int(next_player), (high, low), won[0] - won[1], None)

    @classmethod
    def _of(
        cls, checkers: np.ndarray, to_play: int, dice: tuple[int, int], points: int
    ) -> "BackgammonState":
        """A position from arrays that the rules have made; nothing is checked."""
        state = cls.__new__(cls)
        state._fill(checkers.tobytes(), to_play, dice, points, None)
        return state

    @property
    def game(self) -> str:
        """The name of the game."""
        return "backgammon"

    @property
    def checkers(self) -> np.ndarray:
        """[2, 26] int8, a fresh copy."""
        return self._view().copy()

    @property
    def dice(self) -> tuple[int, int]:
        """The higher die first; (0, 0) before the throw."""
        return self._dice

    @property
    def next_player(self) -> int:
        """The player to move, 0 or 1; in a finished game, the player who would have moved."""
        return self._to_play

    @property
    def points(self) -> float:
        """The first player's points in [-3, 3], 0.0 while the game runs."""
        return float(self._points)

    def is_over(self) -> bool:
        """Whether one player has borne off all checkers."""
        return self._points != 0

    def winner(self) -> int | None:
        """+1 the first player won, -1 the second, None while the game runs."""
        return int(np.sign(self._points)) or None

    def with_dice(self, high: int, low: int) -> "BackgammonState":
        """The same board with these dice thrown. Raises BadRecipe, GameOver."""
        if self.is_over():
            raise GameOver("no dice can be thrown: the game is over")
        return BackgammonState(self._view(), self._to_play, (high, low))

    def legal_moves(self) -> tuple[Move, ...]:
        """One move for each position that the turn can lead to; none before the throw.

        If no step is legal, the only move is the pass `()`.
        """
        return tuple(self._afterstates().values())

    def apply_move(self, move: Move) -> "BackgammonState":
        """The position after a whole turn, before the opponent's throw.

        The steps may be given in any playable order. Raises IllegalMove with the reason, GameOver
        in a finished game.
        """
        if self.is_over():
            raise GameOver("nothing can be moved: the game is over")
        if self._dice == NOT_THROWN:
            raise IllegalMove(
                "the dice have not been thrown: game.throw(state, rng) or state.with_dice(high, "
                "low)"
            )
        board, _ = self.play_steps(_as_move(move))
        if board.tobytes() not in self._afterstates():
            raise IllegalMove(self._why_incomplete(len(move)))
        mover = self._to_play
        won = kernels.result(board[mover], board[1 - mover])
        return BackgammonState._of(board, 1 - mover, NOT_THROWN, won if mover == 0 else -won)

    def play_steps(self, move: Move) -> tuple[np.ndarray, list[int]]:
        """(the board [2, 26] int8 after these steps of a turn, the dice left).

        Raises IllegalMove for the first step that cannot be played.
        """
        board, dice_left = self.checkers, list(self._dice)
        if self._dice[0] == self._dice[1]:
            dice_left *= 2
        own, other = board[self._to_play], board[1 - self._to_play]
        for start, end in move:
            die = _die_for(start, end, own, other, dice_left)
            dice_left.remove(die)
            own[start - 1] -= 1
            if end == OFF:
                own[25] += 1
                continue
            own[end - 1] += 1
            if other[24 - end] == 1:
                other[24 - end] = 0
                other[24] += 1
        return board, dice_left

    def describe(self, move: Move) -> str:
        """A move as players write it: "24/14", "bar/20*", "8/4(2) 6/2(2)", "pass"."""
        return describe(move, self._view(), self._to_play)

    def parse_move(self, text: str) -> Move:
        """The move that a text such as "24/18 13/11" means here. Raises IllegalMove."""
        return parse_move(text, self._view(), self._to_play, self._afterstates(), self._dice)

    def position_id(self) -> str:
        """The GNU position ID: the board as seen by the player on roll, without the dice."""
        return position_id(self._view(), self._to_play)

    def recipe(self) -> str:
        """The position as one line, such as "backgammon:4HPwATDgc/ABMA:0:31".

        The parts are the GNU position ID, the next player, and the dice or "-".
        """
        dice = "{}{}".format(*self._dice) if self._dice != NOT_THROWN else "-"
        return f"backgammon:{self.position_id()}:{self._to_play}:{dice}"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, BackgammonState) and self._key() == other._key()

    def __hash__(self) -> int:
        return hash(self._key())

    def __str__(self) -> str:
        return draw_text(self._view(), self._to_play, self._dice, self._points)

    def _key(self) -> tuple[bytes, int, tuple[int, int]]:
        return self._board, self._to_play, self._dice

    def _view(self) -> np.ndarray:
        return np.frombuffer(self._board, np.int8).reshape(2, 26)

    def _afterstates(self) -> Mapping[bytes, Move]:
        """Each legal move by the board after it, as bytes; searched at the first call."""
        plays = self._plays
        if plays is None:
            plays = {}
            if not self.is_over() and self._dice != NOT_THROWN:
                plays = _search(self.checkers, self._to_play, self._dice)
            object.__setattr__(self, "_plays", plays)
        return plays

    def _why_incomplete(self, steps: int) -> str:
        """Why a turn of playable steps is illegal: more dice, or another die, must be played."""
        most = max(len(move) for move in self.legal_moves())
        if steps < most and self._dice[0] == self._dice[1]:
            return (
                f"{most} of the four {self._dice[0]}s can be played, so {most} must be; "
                f"this move plays {steps}"
            )
        if steps < most == 2:
            return f"both dice can be played, so both must be; this move plays {steps}"
        if steps < most:
            return "a die can be played, so it must be: a pass is not legal here"
        return (
            "only one die can be played and either could be: it must be the higher, "
            f"the {self._dice[0]}"
        )


def _as_move(move: Any) -> Move:
    """Raises IllegalMove unless `move` is a tuple of at most four steps (from, to)."""
    try:
        steps = tuple((int(start), int(end)) for start, end in move)
    except (TypeError, ValueError):
        raise IllegalMove(
            f"a move is a tuple of steps such as ((24, 18), (13, 11)), () to pass; got {move!r}"
        ) from None
    for start, end in steps:
        if not OFF <= end < start <= BAR:
            raise IllegalMove(
                "a step goes from 25 (bar) or a point to a lower point or 0 (off); got "
                f"{(start, end)}"
            )
    return steps


def _die_for(start: int, end: int, own: np.ndarray, other: np.ndarray, dice: list[int]) -> int:
    """The one of the `dice` left that a step uses. Raises IllegalMove with the reason.

    own, other [26]: the boards of the mover and of the opponent before the step.
    """
    step = f"{point_name(start)}/{point_name(end)}"
    if not own[start - 1]:
        raise IllegalMove(
            f"{step}: there is no checker of yours on "
            f"{'the bar' if start == BAR else f'point {start}'}"
        )
    if own[24] and start != BAR:
        raise IllegalMove(f"{step}: a checker on the bar has to enter first")
    if not dice:
        raise IllegalMove(f"{step}: all dice have been played")
    shown = " and ".join(str(die) for die in dict.fromkeys(dice))
    if end != OFF:
        if start - end not in dice:
            raise IllegalMove(f"{step} needs a {start - end}; left to play: {shown}")
        if other[24 - end] >= 2:
            raise IllegalMove(
                f"{step} is blocked: the opponent holds that point with {other[24 - end]} checkers"
            )
        return start - end
    if own[6:25].any():
        raise IllegalMove(
            f"{step}: nothing is borne off while a checker is outside the home board, points 6 to 1"
        )
    if start in dice:
        return start
    highest = max(dice)
    if highest < start:
        raise IllegalMove(f"{step} needs a {start} or more; left to play: {shown}")
    if own[start:6].any():
        behind = start + 1 + int(np.flatnonzero(own[start:6])[-1])
        raise IllegalMove(
            f"{step} with a {highest}: a higher die takes the rearmost checker, here on point "
            f"{behind}"
        )
    return highest


def _search(checkers: np.ndarray, mover: int, dice: tuple[int, int]) -> dict[bytes, Move]:
    """Each play by the board after it, as bytes; a move lists its steps from the highest down."""
    plays = np.empty((kernels.MOST_POSITIONS + 1, 7), np.int64)
    first, last = kernels.find_plays(
        checkers[mover], checkers[1 - mover], np.int8(dice[0]), np.int8(dice[1]), plays
    )
    moves, board = {}, np.empty((1, 2, 26), np.int8)
    for row in range(first, last):
        kernels.write_board(plays, row, checkers[None], 0, mover, board, 0)
        steps, step = [], row
        while plays[step, kernels.CAME_FROM] >= 0:
            steps.append((int(plays[step, kernels.START]) + 1, int(plays[step, kernels.END]) + 1))
            step = plays[step, kernels.CAME_FROM]
        moves[board.tobytes()] = tuple(reversed(steps))
    return moves


def parse_recipe(body: str) -> BackgammonState:
    """A position from the part of a recipe after "backgammon:".

    It holds the GNU position ID, the next player (default 0) and the dice (default "-").
    """
    parts = [part.strip() for part in body.split(":")]
    if not 1 <= len(parts) <= 3:
        raise BadRecipe(
            f"a recipe of backgammon reads backgammon:POSITION-ID:PLAYER:DICE; got {body.strip()!r}"
        )
    identity, player, dice = (*parts, *("0", "-")[len(parts) - 1 :])
    if player not in ("0", "1"):
        raise BadRecipe(f"the next player is 0 or 1, not {player!r}")
    if dice != "-" and not (len(dice) == 2 and set(dice) <= set("123456")):
        raise BadRecipe(f"dice read like 31, or - before the throw; got {dice!r}")
    thrown = NOT_THROWN if dice == "-" else (int(dice[0]), int(dice[1]))
    return BackgammonState(board_of_id(identity, int(player)), int(player), thrown)
