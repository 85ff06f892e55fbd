"""One game with a fixed number of actions and arrays to look at, as other libraries want it.

Rules are those of `rlcourse.games`; here actions get numbers and positions get views.
"""

from operator import index
from typing import Any, cast

import numpy as np

from rlcourse.games import Game, GameState, IllegalMove
from rlcourse.games.backgammon import UNITS, units
from rlcourse.games.backgammon_state import BackgammonState
from rlcourse.games.backgammon_text import BAR, OFF, Step, draw_text
from rlcourse.games.backgammon_turn import turn_of


class Table:
    """One running game; a subclass for each way of moving.

    num_actions: A. shape, dtype, high: of a view, whose numbers lie in [0, high]. most: the points
    that a game can bring.
    """

    num_actions: int
    shape: tuple[int, ...]
    dtype: type[np.generic]
    high: float
    most: int

    def reset(self, rng: np.random.Generator) -> None:
        """Begin a game. rng: throws the dice, if it has any, until the next `reset`."""
        raise NotImplementedError

    @property
    def state(self) -> GameState:
        """The position; in a turn of several steps, the one at its beginning."""
        raise NotImplementedError

    @property
    def truncated(self) -> bool:
        """Whether the game was ended by a cap on its plies."""
        return False

    def mask(self) -> np.ndarray:
        """[A] int8: 1 for each legal action; all 0 when the game is over."""
        raise NotImplementedError

    def view(self, player: int) -> np.ndarray:
        """The position as `player` sees it, whoever is to move; a fresh array."""
        raise NotImplementedError

    def step(self, action: Any) -> None:
        """Play the action of that number.

        Raises IllegalMove, TypeError for what is no integer; then nothing has changed.
        """
        raise NotImplementedError

    def play(self, move: Any) -> None:
        """A move of the course's own: in backgammon a whole turn."""
        raise NotImplementedError

    def __str__(self) -> str:
        """The board as text."""
        return str(self.state)


class Grid(Table):
    """Tic-tac-toe, Connect Four and Go; actions are the course's.

    view [H, W, 2] int8: own stones, the opponent's. A game that keeps its past boards, as Go does
    for superko, has [H, W, 17]: these two planes for each of the last eight boards, the newest
    first (so that a pass can be seen), and a plane of ones for the first player.
    """

    dtype, high, most = np.int8, 1, 1

    def __init__(self, game: Game) -> None:
        self.game = game
        self.batch = game.new_batch(1)
        self.num_actions = self.batch.rules.num_actions
        self._keeps_boards = hasattr(self.batch, "boards")
        self.shape = (*game.board, 17 if self._keeps_boards else 2)

    def reset(self, rng: np.random.Generator) -> None:
        self.batch.reset()

    @property
    def state(self) -> GameState:
        return self.batch.state(0)

    @property
    def truncated(self) -> bool:
        return bool(self.batch.truncated[0])

    def mask(self) -> np.ndarray:
        return self.batch.legal()[0].astype(np.int8)

    def view(self, player: int) -> np.ndarray:
        boards = self.batch.boards()[0] if self._keeps_boards else self.batch.cells
        out = np.zeros(self.shape, np.int8)
        for k, board in enumerate(boards.reshape(-1, *self.shape[:2])):
            out[..., 2 * k] = board == 1 + player
            out[..., 2 * k + 1] = board == 2 - player
        if self._keeps_boards:
            out[..., -1] = player == 0
        return out

    def step(self, action: Any) -> None:
        action = index(action)
        # In a batch -1 leaves a game alone; here it is an action like any other that is none.
        if action < 0:
            raise IllegalMove(f"{action} is no action; they are 0 to {self.num_actions - 1}")
        self.batch.step(np.array([action]))

    def play(self, move: Any) -> None:
        self.step(self.game.action(move))


class Turns(Table):
    """Backgammon, one checker at a time.

    An action moves one checker: 6 * (point - 1) + (distance - 1), where point is 1 to 24 or 25 (the
    bar) as the mover counts, and distance 1 to 6. A checker that is borne off from a point goes
    that point's distance, whatever the die. The last action, 150, is the pass, legal only where
    nothing can be moved. A turn ends with the last step that its dice allow.

    A step is legal if a whole legal move begins with the steps so far. So the numbers stay few, and
    every turn that the rules allow can be played, and no other.

    view [204] float32: the 198 units of TD-Gammon, the viewer's own first; the last two say whose
    turn it is. Then how many of each die from 1 to 6 are left to play.
    """

    PASS = 6 * BAR
    num_actions, shape, dtype, high, most = PASS + 1, (UNITS + 6,), np.float32, 7.5, 3

    def __init__(self, game: Game) -> None:
        self.game = game

    def reset(self, rng: np.random.Generator) -> None:
        self.rng = rng
        self._begin(self.game.new_game())

    @property
    def state(self) -> BackgammonState:
        return self._state

    def mask(self) -> np.ndarray:
        out = np.zeros(self.num_actions, np.int8)
        out[list(self._legal)] = 1
        return out

    def view(self, player: int) -> np.ndarray:
        board, dice_left = self.state.play_steps(self._played)
        dice = np.bincount(dice_left, minlength=7)[1:]  # a 0 is a die before the throw
        seen = units(board[None], player, self.state.next_player)[0]
        return np.concatenate([seen, dice.astype(np.float32)])

    def step(self, action: Any) -> None:
        action = index(action)
        if action not in self._legal:
            raise IllegalMove(f"{action} is not one of the legal actions {sorted(self._legal)}")
        self._played += self._legal[action]
        self._continue()

    def play(self, move: Any) -> None:
        self._begin(self.state.apply_move(move))

    def __str__(self) -> str:
        if not self._played:
            return str(self.state)
        board, dice_left = self.state.play_steps(self._played)
        text = draw_text(board, self.state.next_player, self.state.dice, 0)
        return f"{text}, left: {' and '.join(map(str, dice_left))}"

    def _begin(self, state: GameState) -> None:
        """The throw, and the first step's choices."""
        assert self.game.throw is not None
        self._state = cast(BackgammonState, self.game.throw(state, self.rng))
        self._played: tuple[Step, ...] = ()
        self._legal: dict[int, tuple[Step, ...]] = {}
        if not self.state.is_over():
            steps = turn_of(self.state).next_steps
            self._legal = {number(step): (step,) for step in steps} or {self.PASS: ()}

    def _continue(self) -> None:
        """The next step's choices, or the next player's turn."""
        steps = turn_of(self.state, self._played).next_steps if self._played else ()
        self._legal = {number(step): (step,) for step in steps}
        if not steps:
            self._begin(self.state.apply_move(self._played))


def number(step: Step) -> int:
    """The action of one step of a turn."""
    start, end = step
    return 6 * (start - 1) + (start - max(end, OFF) - 1)


def new_table(game: Game) -> Table:
    """A table for that game, before its first `reset`."""
    return Turns(game) if game.num_actions is None else Grid(game)
