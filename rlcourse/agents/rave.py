"""Go without learning: tree search whose random games have some sense, and which shares what it
learns.

Every part can be switched off, so that one can ask what it is worth.
"""

from typing import Any

import numpy as np

from rlcourse.agents.base import BatchAgent, Decision
from rlcourse.agents.search import number_of_simulations, visit_policy
from rlcourse.errors import BadValue
from rlcourse.games import Game
from rlcourse.games.go import GoBatch, GoRules
from rlcourse.games.go_kernels import rave_search
from rlcourse.games.go_patterns import patterns
from rlcourse.sampling import categorical

EQUIVALENCE = 3500.0  # simulations at which RAVE and the mean count the same


class RaveAgent(BatchAgent[GoBatch]):
    """UCT on Go with RAVE, 3 x 3 patterns and prior knowledge; it has not been trained.

    simulations: per move, 1 or more. rave: whether an action's value also counts the games in which
    it was played later (Gelly and Silver 2011, section 4). patterns: whether random games look for
    shapes beside the last stone (Gelly, Wang, Munos, Teytaud 2006). atari: whether they answer an
    atari. priors: whether new actions begin with knowledge (Gelly and Silver 2007, section 6).
    c: the weight of UCB1's bonus. temperature: as in `SearchAgent`.
    """

    name = "rave"
    saved = ("simulations", "rave", "patterns", "atari", "priors", "c", "temperature")

    def __init__(
        self,
        game: Game,
        *,
        simulations: int = 2_000,
        rave: bool = True,
        patterns: bool = True,
        atari: bool = True,
        priors: bool = True,
        c: float = 0.0,
        temperature: float = 0.0,
        **options: Any,
    ) -> None:
        if game.name != "go":
            raise BadValue(f"this search knows go, not {game.name}")
        super().__init__(game, **options)
        self.simulations = number_of_simulations(simulations, least=1)
        self.rave, self.patterns, self.atari, self.priors = rave, patterns, atari, priors
        self.c, self.temperature = float(c), float(temperature)

    def decide(self, batch: GoBatch, rows: np.ndarray, rng: np.random.Generator) -> Decision:
        """visits, q (NaN where not visited) and value are those of the search's simulations."""
        seeds = rng.integers(1 << 62, size=len(rows))
        searched = zip(rows.tolist(), seeds.tolist(), strict=True)
        counts = [self._search(batch, *one) for one in searched]
        visits = np.array([visits for visits, _ in counts])
        wins = np.array([wins for _, wins in counts])
        with np.errstate(invalid="ignore"):
            q = (2 * wins / visits - 1).astype(np.float32)
        value = (2 * wins.sum(axis=1) / visits.sum(axis=1) - 1).astype(np.float32)
        policy = visit_policy(visits, np.nan_to_num(q + 1), np.full(len(rows), self.temperature))
        action = categorical(policy, rng)
        log_prob = np.log(policy[np.arange(len(rows)), action]).astype(np.float32)
        return Decision(action, log_prob, value, policy.astype(np.float32), q, visits)

    def _search(self, batch: GoBatch, row: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
        """(visits [A], wins [A]) of the actions of one game."""
        rules: GoRules = batch.rules
        passing = rules.num_actions - 1
        ply = int(batch.ply[row])
        last = int(batch.moves[row, ply - 1]) if ply else passing
        shapes = patterns() if self.patterns else patterns()[:0]
        visits, wins = np.empty((2, rules.num_actions), np.float32)
        rave_search(
            batch.board[row],
            batch.hashes[row],
            rules.around,
            rules.lines,
            1 + int(batch.to_play[row]),
            last,
            int(ply > 0 and last == passing),
            batch.moves.shape[1] - ply,
            float(rules.komi),
            np.uint64(seed),
            self.simulations,
            EQUIVALENCE if self.rave else 0.0,
            self.c,
            self.atari,
            shapes,
            self.priors,
            visits,
            wins,
        )
        return visits, wins
