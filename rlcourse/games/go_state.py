"""One position of Go: an immutable value around a batch of one game, and its text form."""

from typing import TYPE_CHECKING, Any

import numpy as np

from rlcourse.errors import BadType
from rlcourse.games import go_kernels as kernels
from rlcourse.games.game import BadRecipe, GameOver, GameState, IllegalMove
from rlcourse.games.go_board import LETTERS, Board, Move, Player, Point
from rlcourse.games.grid_state import SYMBOLS, action_of
from rlcourse.games.position import Position

if TYPE_CHECKING:
    from rlcourse.games.go import GoBatch, GoRules


class GoState(Position):
    """One position of Go with the game that led to it, an immutable value.

    Build it with `game.new_game()` or `from_recipe`. Two positions are equal if the rules cannot
    distinguish them: the same board, player to move, number of plies, and earlier boards.
    """

    __slots__ = ("_game",)
    _game: "GoBatch"

    def __init__(self, game: "GoBatch") -> None:
        self._fill(game)  # a batch of one game that is never stepped again

    @classmethod
    def new_game(cls, board_size: int = 5, komi: float = 7.5) -> "GoState":
        """The empty board, Black to move."""
        from rlcourse.games import get_game

        return go_position(get_game("go", size=board_size, komi=komi).new_game())

    @property
    def game(self) -> str:
        """The name of the game."""
        return "go"

    @property
    def options(self) -> dict[str, Any]:
        """size and komi, as for get_game."""
        return self._game.rules.options

    @property
    def board(self) -> Board:
        """The stones [H, W] int8, a fresh copy with the top row first; see Board."""
        return self._game.cells.reshape(self._game.rules.board).view(Board)

    @property
    def columns(self) -> str:
        """The letters of the columns from the left; I is skipped."""
        return LETTERS[: self._game.rules.board[1]]

    @property
    def next_player(self) -> Player:
        """Player.black (0) or Player.white (1); in a finished game, who would have moved."""
        return Player(int(self._game.to_play[0]))

    @property
    def points(self) -> float:
        """+1.0 Black has won, -1.0 White; 0.0 a draw or running."""
        return float(self._game.points[0])

    @property
    def truncated(self) -> bool:
        """Whether the game ended because it reached 4 * size^2 plies."""
        return bool(self._game.truncated[0])

    @property
    def moves(self) -> tuple[Move, ...]:
        """The moves played since the start, or since the position that was set up."""
        played = self._game.moves[0, : self._game.ply[0]].tolist()
        return tuple(move_at(self._game.rules, action) for action in played)

    @property
    def last_move(self) -> Move | None:
        """The move that led here."""
        return self.moves[-1] if self._game.ply[0] else None

    @property
    def captured(self) -> tuple[int, int]:
        """The number of captured stones of Black and of White."""
        game, cells = self._game, self._game.cells[0]
        root, first = game.root[0, :-1], int(game.root[0, -1])
        # Captured are the stones set up or played that are no longer on the board.
        captured = [int((root == colour).sum() - (cells == colour).sum()) for colour in (1, 2)]
        for ply, action in enumerate(game.moves[0, : game.ply[0]].tolist()):
            if action < game.rules.num_actions - 1:
                captured[(first + ply) % 2] += 1
        return captured[0], captured[1]

    def is_over(self) -> bool:
        """Whether the game has ended: by two passes, by resigning, or truncated."""
        return bool(self._game.done[0])

    def winner(self) -> int | None:
        """+1 Black has won, -1 White, 0 a draw, None while the game runs."""
        return int(self.points) if self.is_over() else None

    def area(self) -> np.ndarray:
        """[H, W] int8, the owner of each point: 1 Black, 2 White, 0 nobody.

        A player owns their stones and the empty regions that touch stones of their colour only.
        """
        owner = np.empty(self._game.rules.num_actions - 1, np.int8)
        kernels.area(self._game.board[0], self._game.rules.around, owner)
        return owner.reshape(self._game.rules.board)

    def score(self) -> float:
        """Black's area minus White's area and komi, on the current board."""
        area = self.area()
        return float((area == 1).sum() - (area == 2).sum() - self._game.rules.komi)

    def forbidden_by_ko(self) -> tuple[Point, ...]:
        """The points where only superko forbids the player to move to play."""
        forbidden = np.flatnonzero(self._game.forbidden_by_ko()[0])
        return tuple(_point_at(self._game.rules, action) for action in forbidden.tolist())

    def legal_moves(self) -> tuple[Move, ...]:
        """The plays and the pass in the order of their actions; empty when the game is over.

        Resigning is legal too, but is no action.
        """
        actions = np.flatnonzero(self._game.legal()[0]).tolist()
        return tuple(move_at(self._game.rules, action) for action in actions)

    def apply_move(self, move: Move) -> "GoState":
        """The position after `move`.

        Raises IllegalMove with the reason, GameOver in a finished game.
        """
        self._check(move)
        after = self._game._single(0)
        # Resigning is written into the game as the action after the pass; no kernel ever sees it.
        if move.is_resign:
            after.moves[0, after.ply[0]] = after.rules.num_actions
            after.ply += 1
            after.points[0] = 2 * after.to_play[0] - 1
            after.to_play[0] = 1 - after.to_play[0]
            after.done[0] = True
        else:
            after._play(np.array([[action_at(after.rules, move)]]), np.ones(1, np.int64))
        return GoState(after)

    def recipe(self) -> str:
        """The game as one line, such as "go size=5 komi=7.5:C3 D3 pass".

        A position that was set up precedes its moves: its rows from the top, then the player who
        moved first, as in "go size=3 komi=0.5:.X./X.X/.X. O B3".
        """
        rules, root, (height, width) = self._game.rules, self._game.root[0], self._game.rules.board
        parts = [str(move) for move in self.moves]
        if root.any():
            symbols = "".join(SYMBOLS[cell] for cell in root[:-1])
            rows = [symbols[r * width : (r + 1) * width] for r in range(height)]
            parts = ["/".join(rows), "XO"[root[-1]], *parts]
        return f"go size={height} komi={rules.komi:g}:{' '.join(parts)}"

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, GoState)
            and self._game.rules == other._game.rules
            and self._key() == other._key()
        )

    def __hash__(self) -> int:
        return hash((self._game.rules.board, *self._key()))

    def __str__(self) -> str:
        height, width = self._game.rules.board
        lines = [
            f"{height - r:<2} " + " ".join(SYMBOLS[cell] for cell in row)
            for r, row in enumerate(self.board)
        ]
        lines.append("   " + " ".join(LETTERS[:width]))
        lines.append(f"{self.verdict()} (X black, O white)")
        return "\n".join(lines)

    def verdict(self) -> str:
        """The player to move or the result, such as "black to play" or "white has won by 7.5"."""
        if not self.is_over():
            return f"{self.next_player.name} to play"
        if self.last_move and self.last_move.is_resign:
            return f"{self.next_player.name} has won: {self.next_player.other.name} resigned"
        if self.winner() == 0:
            return "a draw"
        winner = "black" if self.winner() == 1 else "white"
        return f"{winner} has won by {abs(self.score()):g}"

    def _check(self, move: Any) -> None:
        """Raise IllegalMove or GameOver unless the move is legal."""
        resigns = isinstance(move, Move) and move.is_resign
        # A move that makes no sense is named as such, even in a finished game.
        action = None if resigns else action_at(self._game.rules, move)
        if self.is_over():
            raise GameOver(f"{move} cannot be played: the game is over")
        if action is None:
            return
        if not self._game._allows(np.zeros(1, np.int64), np.array([action]))[0]:
            raise IllegalMove(self._game._reason(0, action))

    def _key(self) -> tuple[Any, ...]:
        game = self._game
        # Sorted: where a hash lies in the table depends on the order of the earlier boards.
        earlier = np.sort(game.hashes[0, game.rules.num_actions :]).tobytes()
        last = self.last_move
        passed = last is not None and last.is_pass
        scalars = (game.to_play, game.done, game.truncated, game.points, game.ply)
        return (game.cells.tobytes(), earlier, passed, *(array[0].item() for array in scalars))


def action_at(rules: "GoRules", move: Any) -> int:
    """The action of a play or a pass. Raises IllegalMove, also for resigning."""
    size = rules.board[0]
    if not isinstance(move, Move) or move.is_resign or move.is_play == move.is_pass:
        raise IllegalMove(
            f"a move in go is Move.play(Point(row, col)) or Move.pass_turn(); got {move!r}"
        )
    if move.point is None:
        return size * size
    row, col = move.point
    if not all(isinstance(line, int | np.integer) and 1 <= line <= size for line in (row, col)):
        raise IllegalMove(
            f"a move in go on {size} x {size} has row and col from 1 to {size}; got {move.point!r}"
        )
    return int((size - row) * size + col - 1)


def move_at(rules: "GoRules", action: int) -> Move:
    """The move of an action; the number after the pass means resigning."""
    points = rules.num_actions - 1
    if action >= points:
        return Move.pass_turn() if action == points else Move.resign()
    return Move(_point_at(rules, action))


def _point_at(rules: "GoRules", action: int) -> Point:
    size = rules.board[0]
    return Point(size - action // size, action % size + 1)


def move_of(rules: "GoRules", state: GoState, action: int) -> Move:
    """`Game.move`. Raises IllegalMove when the action is not legal in the position."""
    move = move_at(rules, action_of(rules)(action))
    state._check(move)
    return move


def parse(state: GoState, body: str) -> GoState:
    """A position from the part of a recipe after the colon; see `GoState.recipe`.

    state: the start of the game. Raises BadRecipe.
    """
    parts = body.split()
    if parts and "/" in parts[0]:
        first = parts[1].upper() if len(parts) > 1 else ""
        state = _set_up(state._game._single(0), parts[0].upper(), first)
        parts = parts[2:]
    for ply, move_text in enumerate(parts):
        try:
            state = state.apply_move(Move.from_text(move_text))
        except IllegalMove as error:
            raise BadRecipe(
                f"move {ply + 1} of this game of go cannot be played: {error}"
            ) from None
    return state


def _set_up(game: "GoBatch", rows: str, first: str) -> GoState:
    size = game.rules.board[0]
    square = [len(row) for row in rows.split("/")] == [size] * size
    if not square or set(rows) - {*SYMBOLS, "/"} or first not in ("X", "O"):
        raise BadRecipe(
            f"a position of go on {size} x {size} is {size} rows of {size} cells, each X, O or "
            "'.', separated by '/' from the top, then X or O for the player to move; "
            f"got {f'{rows} {first}'[:500]!r}"
        )
    game.root[0] = [*(SYMBOLS.index(symbol) for symbol in rows.replace("/", "")), "XO".index(first)]
    game.to_play[0] = game.root[0, -1]
    game.board[0, kernels.BEEN] = 0
    game.hashes[0] = 0
    if not kernels.set_up(game.board[0], game.hashes[0], game.rules.around, game.root[0, :-1]):
        raise BadRecipe(f"this position of go cannot arise: a group has no liberty in {rows!r}")
    return GoState(game)


def go_position(state: GameState) -> GoState:
    """The position, known to be of Go. Raises TypeError for one of another game."""
    if not isinstance(state, GoState):
        raise BadType(f"a position of Go is asked for; got {state!r}")
    return state
