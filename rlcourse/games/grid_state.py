"""One position of a grid game: an immutable value, and its text form."""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from rlcourse.games.game import BadRecipe, GameOver, IllegalMove, Numbered
from rlcourse.games.position import Position

SYMBOLS = ".XO"


class Rules(NamedTuple):
    """The rules of a grid game for the two classes below. `cells` is always [N, H*W] int8."""

    name: str
    board: tuple[int, int]  # H, W
    num_actions: int
    labels: tuple[str, ...]
    # (cells [R, H*W], done [R], out [R, A])
    legal: Callable[..., None]
    # (cells, to_play, done, points, actions [N, D], lengths [N]) -> first bad row or -1
    play: Callable[..., int]
    # (cells, to_play, done, points, seeds [N], out [N]): points after a random game from each row
    playouts: Callable[..., None]
    # (cells [H*W]) -> 0 running, 1 / 2 that player has won, 3 drawn, -1 impossible
    outcome: Callable[[np.ndarray], int]
    # (cells [H*W], action) -> why the action is illegal
    reason: Callable[[np.ndarray, int], str]

    @property
    def start(self) -> dict[str, np.ndarray]:
        """The arrays of one game before its first move."""
        return {
            "cells": np.zeros(self.board[0] * self.board[1], np.int8),
            "to_play": np.zeros((), np.int8),
            "done": np.zeros((), np.bool_),
            "truncated": np.zeros((), np.bool_),
            "points": np.zeros((), np.float32),
        }


class GridState(Position):
    """One position of a grid game, an immutable value.

    Build it with `game.new_game()` or `from_recipe`.
    """

    __slots__ = ("_rules", "cells", "_to_play", "_over", "_points")
    _rules: Rules
    cells: bytes
    _to_play: int
    _over: bool
    _points: int

    def __init__(self, rules: Rules, cells: bytes, to_play: int, over: bool, points: int) -> None:
        self._fill(rules, cells, to_play, over, points)

    @property
    def game(self) -> str:
        """The name of the game."""
        return self._rules.name

    @property
    def board(self) -> np.ndarray:
        """[H, W] int8, a fresh copy: 0 empty, 1 the first player's, 2 the second player's."""
        return np.frombuffer(self.cells, np.int8).reshape(self._rules.board).copy()

    @property
    def next_player(self) -> int:
        """The player to move, 0 or 1; in a finished game, the player who would have moved."""
        return self._to_play

    @property
    def points(self) -> float:
        """+1.0 the first player has won, -1.0 the second, 0.0 a draw or a running game."""
        return float(self._points)

    def is_over(self) -> bool:
        """Whether the game has ended."""
        return self._over

    def winner(self) -> int | None:
        """+1 the first player has won, -1 the second, 0 a draw, None while the game runs."""
        return self._points if self._over else None

    def legal_moves(self) -> tuple[int, ...]:
        """The legal moves in ascending order; empty when the game is over."""
        out = np.zeros((1, self._rules.num_actions), np.bool_)
        self._rules.legal(self._row(), np.array([self._over]), out)
        return tuple(np.flatnonzero(out[0]).tolist())

    def apply_move(self, move: int) -> "GridState":
        """The position after `move`.

        Raises IllegalMove with the reason, GameOver in a finished game.
        """
        action = _as_action(move, self._rules)
        if self._over:
            raise GameOver(f"{self._rules.labels[action]} cannot be played: the game is over")
        cells, to_play = self._row().copy(), np.array([self._to_play], np.int8)
        done, points = np.zeros(1, np.bool_), np.zeros(1, np.float32)
        actions, lengths = np.array([[action]]), np.ones(1, np.int64)
        if self._rules.play(cells, to_play, done, points, actions, lengths) != -1:
            raise IllegalMove(self._rules.reason(cells[0], action))
        return GridState(
            self._rules, cells.tobytes(), int(to_play[0]), bool(done[0]), int(points[0])
        )

    def recipe(self) -> str:
        """The position as one line, such as "tic-tac-toe:X...O....".

        Cells are listed from the top left; "/" separates the rows of boards wider than three.
        """
        height, width = self._rules.board
        symbols = "".join(SYMBOLS[cell] for cell in self.cells)
        rows = [symbols[r * width : (r + 1) * width] for r in range(height)]
        separator = "/" if width > 3 else ""
        return f"{self._rules.name}:{separator.join(rows)}"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, GridState) and (self.game, self.cells) == (other.game, other.cells)

    def __hash__(self) -> int:
        return hash((self.game, self.cells))

    def __str__(self) -> str:
        height, width = self._rules.board
        lines = [
            f"{height - r} " + " ".join(SYMBOLS[c] for c in row) for r, row in enumerate(self.board)
        ]
        lines.append("  " + " ".join("abcdefghijklmnop"[:width]))
        if self._over:
            lines.append({1: "X has won", -1: "O has won", 0: "a draw"}[self._points])
        else:
            lines.append(f"{SYMBOLS[1 + self._to_play]} to play")
        return "\n".join(lines)

    def _row(self) -> np.ndarray:
        return np.frombuffer(self.cells, np.int8)[None, :]


def start_of(rules: Rules) -> GridState:
    """The empty board, the first player to move."""
    return GridState(rules, bytes(rules.board[0] * rules.board[1]), 0, False, 0)


def parse_cells(rules: Rules, body: str) -> GridState:
    """A position from the part of a recipe after the colon: the cells, or the moves as digits.

    Raises BadRecipe for a text that describes no position, or one that cannot arise.
    """
    height, width = rules.board
    text = "".join(body.split()).replace("/", "").upper().replace("-", ".").replace("_", ".")
    if not set(text) - set("0123456789"):
        return _play_moves(rules, text)
    if len(text) != height * width or set(text) - set(SYMBOLS):
        raise BadRecipe(
            f"a position of {rules.name} is {height * width} cells, each one of X, O and '.', from "
            "the top left; "
            f"got {len(text)} characters: {body.strip()!r}"
        )
    cells = np.array([SYMBOLS.index(symbol) for symbol in text], np.int8)
    first, second = int((cells == 1).sum()), int((cells == 2).sum())
    if first - second not in (0, 1):
        raise BadRecipe(
            "X moves first, so X has as many stones as O or one more; here "
            f"{first} X and {second} O"
        )
    to_play, outcome = first - second, rules.outcome(cells)
    if outcome == -1 or outcome == 1 + to_play:
        raise BadRecipe(
            f"this position of {rules.name} cannot arise: {body.strip()!r} (look for two winners, "
            "a winner "
            "after whose win play went on, or a stone in the air)"
        )
    points = {1: 1, 2: -1}.get(outcome, 0)
    return GridState(rules, cells.tobytes(), to_play, outcome != 0, points)


def _play_moves(rules: Rules, digits: str) -> GridState:
    state = start_of(rules)
    for ply, digit in enumerate(digits):
        try:
            state = state.apply_move(int(digit))
        except IllegalMove as error:
            raise BadRecipe(f"move {ply + 1} of {digits!r} cannot be played: {error}") from None
    return state


def _as_action(move: Any, rules: Numbered) -> int:
    if isinstance(move, np.ndarray) and not move.ndim:
        move = move[()]  # a number, to whoever computed it
    if isinstance(move, (bool, np.bool_)) or not isinstance(move, (int, np.integer)):
        raise IllegalMove(
            f"a move in {rules.name} is a number from 0 to {rules.num_actions - 1}; got {move!r}"
        )
    if not 0 <= move < rules.num_actions:
        raise IllegalMove(
            f"{move} is not a move in {rules.name}; moves are 0 to {rules.num_actions - 1}"
        )
    return int(move)


def action_of(rules: Numbered) -> Callable[[Any], int]:
    """`Game.action` of a grid game: the move is the action; it is checked."""
    return lambda move: _as_action(move, rules)


def move_of(state: GridState, action: int) -> int:
    """`Game.move` of a grid game. Raises IllegalMove when the action is not legal in the position,
    GameOver in a finished game.
    """
    action = _as_action(action, state._rules)
    state._check(action)
    return action
