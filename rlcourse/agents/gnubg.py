"""GNU Backgammon as a player, the program or its networks alone: 0-ply, cubeless, for money."""

from functools import lru_cache
from typing import Any

import numpy as np

from rlcourse.agents.base import Decision
from rlcourse.agents.td_gammon import EquityAgent, Widths, with_exact_ends
from rlcourse.games import Game
from rlcourse.games.backgammon import BackgammonBatch
from rlcourse.gnubg import Gnubg, GnubgError, GnubgMissing, find_gnubg
from rlcourse.programs import ProgramMissing

__all__ = ["Gnubg", "GnubgAgent", "GnubgError", "GnubgMissing", "GnubgNetworkAgent", "find_gnubg"]


_shared = lru_cache(maxsize=8)(Gnubg)  # processes -> the running program


class GnubgAgent(EquityAgent):
    """Makes gnubg's best play at 0-ply; its candidates are valued by gnubg's probabilities.

    processes: the number of gnubg processes, shared by all agents with that number.
    """

    name = "gnubg"
    saved = ("processes",)

    def __init__(self, game: Game, *, processes: int = 2, seed: int | None = None) -> None:
        super().__init__(game, seed=seed)
        self.processes, self.engine = processes, _shared(processes)

    def outputs(self, checkers: np.ndarray, roller: np.ndarray) -> np.ndarray:
        return self.engine.evaluate(checkers, roller)

    def decide(
        self, batch: BackgammonBatch, rows: np.ndarray, rng: np.random.Generator
    ) -> Decision:
        """`action` is an index into the row's afterstates.

        Raises GnubgError if gnubg's play is not among them.
        """
        boards, offsets = batch.afterstate_boards(rows)
        played = self.engine.best_plays(batch.checkers[rows], batch.to_play[rows], batch.dice[rows])
        row = np.repeat(np.arange(len(rows)), np.diff(offsets))
        hits = np.flatnonzero((boards == played[row]).all(axis=(1, 2)))
        if not np.array_equal(row[hits], np.arange(len(rows))):
            without = np.setdiff1d(np.arange(len(rows)), row[hits])[0]
            recipe = batch.state(int(rows[without])).recipe()
            raise GnubgError(f"gnubg makes a play that our rules do not know, in {recipe}")
        return Decision((hits - offsets[:-1]).astype(np.int32))


class GnubgNetworkAgent(EquityAgent):
    """Plays the best afterstate by gnubg's networks, 0-ply and cubeless, within this process.

    They are in the optional package gnubg-nn (GPL), which runs on Linux, macOS and Windows, where
    the program may be missing. Raises ProgramMissing where the package is not installed.
    """

    name = "gnubg-nn"
    saved = ("look_ahead",)

    def __init__(self, game: Game, *, look_ahead: Widths = 0, seed: int | None = None) -> None:
        super().__init__(game, look_ahead=look_ahead, seed=seed)
        self.probabilities = _package().probabilities

    def outputs(self, checkers: np.ndarray, roller: np.ndarray) -> np.ndarray:
        """As in EquityAgent."""
        number = np.arange(len(checkers))
        # Two rows of 24 points and the bar: of the player who waits, and of the one who rolls.
        boards = np.stack([checkers[number, 1 - roller], checkers[number, roller]], axis=1)
        static = 0  # plies: the network alone
        answers = [self.probabilities(board, static) for board in boards[:, :, :25].tolist()]
        probabilities = np.array(answers, np.float32).reshape(-1, 5)
        return with_exact_ends(probabilities, checkers, roller)


def _package() -> Any:
    try:
        import gnubg_nn
    except ImportError as error:
        raise ProgramMissing(
            "gnubg-nn is not installed: pip install gnubg-nn. Only errors in millipoints and games "
            "against it need it, nothing else in the course"
        ) from error
    return gnubg_nn
