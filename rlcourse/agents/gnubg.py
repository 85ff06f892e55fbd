"""GNU Backgammon as a player: 0-ply, cubeless, for money."""

from functools import lru_cache

import numpy as np

from rlcourse.agents.base import Decision
from rlcourse.agents.td_gammon import EquityAgent
from rlcourse.games import Game
from rlcourse.games.backgammon import BackgammonBatch
from rlcourse.gnubg import Gnubg, GnubgError, GnubgMissing, find_gnubg

__all__ = ["Gnubg", "GnubgAgent", "GnubgError", "GnubgMissing", "find_gnubg"]


@lru_cache(maxsize=8)
def _shared(processes: int) -> Gnubg:
    return Gnubg(processes)


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
