"""Go programs as players: any GTP engine, and GNU Go by name."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from rlcourse.agents.base import BatchAgent, Decision
from rlcourse.errors import BadValue
from rlcourse.games import Batch, Game, GameOver, GameState, IllegalMove
from rlcourse.games.go import GoState, Move, Player, Point, go_position
from rlcourse.gtp.client import GtpClient, GtpError, GtpRefused
from rlcourse.gtp.turns import start_of
from rlcourse.programs import find_program


class GtpAgent(BatchAgent[Batch]):
    """A GTP engine as a player: it is sent the moves of the game and asked for the next one.

    command: the program and its arguments; it is started at the first question, and again at the
    next one after a failure. timeout: seconds for an answer. An engine that knows
    `set_random_seed`, such as GNU Go, receives a seed before each move, so that the generator given
    to `decide` determines its moves. Raises GtpError, also for a move that our rules forbid.
    """

    name = "gtp"

    def __init__(
        self, game: Game, command: Sequence[str], *, timeout: float = 60.0, seed: int | None = None
    ) -> None:
        if game.name != "go":
            raise BadValue(f"a GTP engine plays go, not {game.name}")
        super().__init__(game, seed=seed)
        self.command, self.timeout = tuple(command), timeout
        self._client: GtpClient | None = None
        self._sent: list[str] = []  # the commands that made the engine's present position
        self._takes_seed = False

    def decide(self, batch: Batch, rows: np.ndarray, rng: np.random.Generator) -> Decision:
        """Row by row. Raises GtpError for an engine that resigns, which is not an action."""
        moves = [self._move(go_position(batch.state(int(row))), rng) for row in rows]
        if any(move.is_resign for move in moves):
            raise GtpError(
                f"{self.engine.name} resigns, which games in lock-step cannot; start it so that it "
                "plays on"
            )
        return Decision(np.array([self.game.action(move) for move in moves], np.int32))

    def select_move(self, state: GameState) -> Move:
        """The engine's move, which can be Move.resign()."""
        if state.is_over():
            raise GameOver(f"{self.name} has nothing to decide: the game is over")
        return self._move(go_position(state), self.rng)

    def score(self, state: GoState) -> float:
        """Black's points minus White's by the engine's `final_score`, which may remove stones."""
        self._set_position(state)
        answer = self.engine.ask("final_score")
        try:
            if answer.startswith("0"):
                return 0.0
            return {"B": 1, "W": -1}[answer[0].upper()] * float(answer[2:])
        except (ValueError, KeyError, IndexError):
            raise GtpError(
                f"{self.engine.name} says no score that can be understood: {answer[:60]!r}"
            ) from None

    @property
    def engine(self) -> GtpClient:
        """The running program, started if necessary."""
        if self._client is None or not self._client.running:
            self._client, self._sent = GtpClient(self.command, timeout=self.timeout), []
            self._takes_seed = self._client.ask("known_command set_random_seed") == "true"
        return self._client

    def close(self) -> None:
        """End the program."""
        if self._client is not None:
            self._client.close()

    def _move(self, state: GoState, rng: np.random.Generator) -> Move:
        self._set_position(state)
        color = Player(state.next_player).name
        seeding = [f"set_random_seed {rng.integers(1, 2**31 - 1)}"] if self._takes_seed else []
        sent, self._sent = self._sent, []  # unknown until the engine's move proves legal
        answer = self.engine.ask_all([*seeding, f"genmove {color}"])[-1]
        try:
            move = Move.from_text(answer)
            if not move.is_resign:
                state.apply_move(move)
                self._sent = [*sent, f"play {color} {move}"]
        except IllegalMove as error:
            raise GtpError(
                f"{self.engine.name} wants to play {answer[:60]!r} in {state.recipe()}: {error}"
            ) from None
        return move

    def _set_position(self, state: GoState) -> None:
        """Send the engine what it lacks: the new moves, or everything if they do not follow."""
        size, komi = state.options["size"], state.options["komi"]
        commands = [f"boardsize {size}", f"komi {komi:g}", "clear_board", *_plays(state)]
        engine = self.engine
        known = len(self._sent) if self._sent == commands[: len(self._sent)] else 0
        self._sent = []
        try:
            engine.ask_all(commands[known:])
        except GtpRefused as error:
            raise GtpError(
                f"{engine.name} does not take the position {state.recipe()}: {error}"
            ) from None
        self._sent = commands

    def options(self) -> dict[str, Any]:
        """Raises ValueError: a file must not name a program to start, so nothing is saved."""
        raise BadValue(
            f"{self.name} is a program outside the course and cannot be saved as an agent"
        )


class GnuGoAgent(GtpAgent):
    """GNU Go 3.8 under the rules of the course: area scoring and positional superko.

    It captures dead stones before it passes, and never resigns. level: 0 to 10; GNU Go's own
    default is 10. Raises EngineMissing if it is not installed.
    """

    name = "gnugo"
    saved = ("level",)

    def __init__(self, game: Game, *, level: int = 1, seed: int | None = None) -> None:
        if isinstance(level, bool) or not isinstance(level, int) or not 0 <= level <= 10:
            raise BadValue(f"GNU Go has levels 0 to 10; got level={level!r}")
        rules = ["--chinese-rules", "--positional-superko", "--capture-all-dead", "--never-resign"]
        command = [find_gnugo(), "--mode", "gtp", "--level", str(level), *rules]
        super().__init__(game, command, seed=seed)
        self.level = level

    def options(self) -> dict[str, Any]:
        return BatchAgent.options(self)


def find_gnugo() -> str:
    """Path of the program. Raises EngineMissing, which explains how to install it."""
    return find_program("gnugo", "GNU Go")


def _plays(state: GoState) -> list[str]:
    """The commands that lead from the empty board to the position."""
    board, first = start_of(state)
    size = len(board)
    # Stones set up before the first move are played one by one. That is legal in any order, because
    # a group that has a liberty in the end has one all along.
    setup = [
        f"play {Player(board[row, col] - 1).name} {Point(size - row, col + 1)}"
        for row, col in np.argwhere(board).tolist()
    ]
    moves = [move for move in state.moves if not move.is_resign]
    return setup + [
        f"play {Player((first + ply) % 2).name} {move}" for ply, move in enumerate(moves)
    ]
