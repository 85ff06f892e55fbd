"""Go programs as players: any GTP engine, and GNU Go by name."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from rlcourse.agents.base import BatchAgent, Decision
from rlcourse.games import Batch, Game, GameOver, IllegalMove
from rlcourse.games.go import GoState, Move, Player, Point
from rlcourse.gtp.client import GtpClient, GtpError, GtpRefused
from rlcourse.gtp.turns import start_of
from rlcourse.programs import find_program


class GtpAgent(BatchAgent):
    """A GTP engine at the board: it is told the moves of the game, and asked for the next.

    command: the program and its arguments; it is started at the first question, and again at the next one after a failure.
    timeout: seconds for an answer. An engine that knows `set_random_seed` (GNU Go does) is given a seed before each move, so
    that the generator handed to `decide` fixes its moves. Raises GtpError, also for a move that our rules forbid.
    """

    name = "gtp"

    def __init__(
        self, game: Game, command: Sequence[str], *, timeout: float = 60.0, seed: int | None = None
    ) -> None:
        if game.name != "go":
            raise ValueError(f"a GTP engine plays go, not {game.name}")
        super().__init__(game, seed=seed)
        self.command, self.timeout = tuple(command), timeout
        self._client: GtpClient | None = None
        self._told: list[str] = []  # what makes up the position that the engine has
        self._takes_seed = False

    def decide(self, batch: Batch, rows: np.ndarray, rng: np.random.Generator) -> Decision:
        """Row by row. Raises GtpError for an engine that resigns: that is no action; `select_move` passes it on."""
        moves = [self._move(batch.state(int(row)), rng) for row in rows]
        if any(move.is_resign for move in moves):
            raise GtpError(
                f"{self.engine.name} resigns, which games in lock-step cannot; start it so that it plays on"
            )
        return Decision(np.array([self.game.action(move) for move in moves], np.int32))

    def select_move(self, state: GoState) -> Move:
        """The engine's move, which can be Move.resign()."""
        if state.is_over():
            raise GameOver(f"{self.name} has nothing to decide: the game is over")
        return self._move(state, self.rng)

    def score(self, state: GoState) -> float:
        """Black's points less White's as the engine counts them: its `final_score`, which may call stones dead."""
        self._tell(state)
        said = self.engine.ask("final_score")
        try:
            return (
                0.0
                if said.startswith("0")
                else {"B": 1, "W": -1}[said[0].upper()] * float(said[2:])
            )
        except (ValueError, KeyError, IndexError):
            raise GtpError(
                f"{self.engine.name} says no score that can be understood: {said[:60]!r}"
            ) from None

    @property
    def engine(self) -> GtpClient:
        """The running program; started here where it does not run."""
        if self._client is None or not self._client.running:
            self._client, self._told = GtpClient(self.command, timeout=self.timeout), []
            self._takes_seed = self._client.ask("known_command set_random_seed") == "true"
        return self._client

    def close(self) -> None:
        """End the program."""
        if self._client is not None:
            self._client.close()

    def _move(self, state: GoState, rng: np.random.Generator) -> Move:
        self._tell(state)
        color = Player(state.next_player).name
        seeding = [f"set_random_seed {rng.integers(1, 2**31 - 1)}"] if self._takes_seed else []
        told, self._told = self._told, []
        said = self.engine.ask_all([*seeding, f"genmove {color}"])[-1]
        try:
            move = Move.from_text(said)
            if not move.is_resign:
                state.apply_move(move)
                self._told = [*told, f"play {color} {move}"]
        except IllegalMove as error:
            raise GtpError(
                f"{self.engine.name} wants to play {said[:60]!r} in {state.recipe()}: {error}"
            ) from None
        return move

    def _tell(self, state: GoState) -> None:
        """Bring the engine to the position: only what is new, where its own leads to it."""
        size, komi = state.options["size"], state.options["komi"]
        wanted = [f"boardsize {size}", f"komi {komi:g}", "clear_board", *_plays(state)]
        engine = self.engine
        known = len(self._told) if self._told == wanted[: len(self._told)] else 0
        self._told = []
        try:
            engine.ask_all(wanted[known:])
        except GtpRefused as error:
            raise GtpError(
                f"{engine.name} does not take the position {state.recipe()}: {error}"
            ) from None
        self._told = wanted

    def options(self) -> dict[str, Any]:
        """None: a file must not name a program to be started, so such an agent is not saved."""
        raise ValueError(
            f"{self.name} is a program outside the course and cannot be saved as an agent"
        )


class GnuGoAgent(GtpAgent):
    """GNU Go 3.8 under the rules of the course: area scoring, positional superko; it captures what is dead before it passes,
    and never resigns.

    level: 0 to 10, its own default is 10. Raises EngineMissing where it is not installed.
    """

    name = "gnugo"

    def __init__(self, game: Game, *, level: int = 1, seed: int | None = None) -> None:
        if isinstance(level, bool) or not isinstance(level, int) or not 0 <= level <= 10:
            raise ValueError(f"GNU Go has levels 0 to 10; got level={level!r}")
        rules = ["--chinese-rules", "--positional-superko", "--capture-all-dead", "--never-resign"]
        super().__init__(
            game, [find_gnugo(), "--mode", "gtp", "--level", str(level), *rules], seed=seed
        )
        self.level = level

    def options(self) -> dict[str, Any]:
        """The level."""
        return {"level": self.level}


def find_gnugo() -> str:
    """Path of the program, also where games are kept off the PATH. Raises EngineMissing that says how to get it."""
    return find_program("gnugo", "GNU Go")


def _plays(state: GoState) -> list[str]:
    """The commands that lead from the empty board to the position. Each stone of one set up is played by itself: its group
    has a liberty in the end, so it has one all along."""
    board, first = start_of(state)
    size = len(board)
    plays = [
        f"play {Player(board[row, col] - 1).name} {Point(size - row, col + 1)}"
        for row, col in np.argwhere(board).tolist()
    ]
    moves = [move for move in state.moves if not move.is_resign]
    return plays + [
        f"play {Player((first + ply) % 2).name} {move}" for ply, move in enumerate(moves)
    ]
