"""Players that search: UCT plays random games to their end, PUCT asks a policy and a value.

The trees are those of `search_tree`. More simulations make both players stronger without any
learning: search is planning.
"""

from typing import Any, Self

import numpy as np

from rlcourse.agents.base import BatchAgent, Decision
from rlcourse.agents.search_tree import Evaluate, SearchTree, dirichlet_noise, rollouts, uniform
from rlcourse.errors import BadValue
from rlcourse.games import Batch, Game
from rlcourse.sampling import categorical, with_temperature

# Bytes of edges (24 each) in memory at a time: games beyond that are searched group by group.
ROOM = 1 << 26


class SearchAgent(BatchAgent[Batch]):
    """Base class of both players: the visits of the root decide.

    simulations: per move; with 0 the move is drawn from the policy itself ("raw"). temperature:
    moves are drawn in proportion to visits ** (1 / temperature); 0 plays the most visited action,
    ties to the higher prior, then to the lower action. sampled_plies: from that ply of the game on
    the temperature is 0; None: never.
    """

    rule = "puct"
    noise, noise_share = 0.0, 0.25
    saved: tuple[str, ...] = ("simulations", "c", "temperature", "sampled_plies")

    def __init__(
        self,
        game: Game,
        evaluate: Evaluate,
        *,
        simulations: int,
        c: float,
        temperature: float = 0.0,
        sampled_plies: int | None = None,
        seed: int | None = None,
    ) -> None:
        if game.num_actions is None:
            raise BadValue(
                f"tree search needs a fixed number of actions and no dice; {game.name} has neither"
            )
        super().__init__(game, seed=seed)
        self.evaluate, self.c = evaluate, float(c)
        self.simulations = number_of_simulations(simulations, least=0)
        self.temperature, self.sampled_plies = float(temperature), sampled_plies

    def at_temperature(self, temperature: float) -> Self:
        """The same player at one temperature for the whole game."""
        return self.copy_with(temperature=float(temperature), sampled_plies=None)

    def grow(self, batch: Batch, rows: np.ndarray, rng: np.random.Generator) -> SearchTree:
        """The trees of those rows [R] of the batch after `simulations`, with noise at the roots."""
        roots = batch.take(rows)
        noise = dirichlet_noise(roots.legal(), self.noise, rng) if self.noise else None
        return self.plant(roots, self.simulations, rng).grown(noise, self.noise_share)

    def plant(self, roots: Batch, simulations: int, rng: np.random.Generator) -> SearchTree:
        """Trees with room for `simulations`, without noise, for one who watches them grow."""
        return SearchTree(roots, self.evaluate, simulations, rng, rule=self.rule, c=self.c)

    def decide(self, batch: Batch, rows: np.ndarray, rng: np.random.Generator) -> Decision:
        """visits, q and value are those of the search; the action is drawn from policy."""
        size = max(1, min(512, ROOM // (24 * batch.rules.num_actions * (self.simulations + 1))))
        groups = [self._decide(batch, rows[k : k + size], rng) for k in range(0, len(rows), size)]
        return Decision(*(np.concatenate(column) for column in zip(*groups, strict=True)))

    def _decide(
        self, batch: Batch, rows: np.ndarray, rng: np.random.Generator
    ) -> tuple[np.ndarray, ...]:
        tree = self.grow(batch, rows, rng)
        visits, prior = tree.visits, tree.prior
        temperatures = np.full(len(rows), self.temperature)
        if self.sampled_plies is not None:
            temperatures[batch.plies(rows) >= self.sampled_plies] = 0.0
        # Without simulations there are no visits, and the prior is the policy ("raw").
        policy = visit_policy(visits if self.simulations else prior, prior, temperatures)
        action = categorical(policy, rng)
        log_prob = np.log(policy[np.arange(len(rows)), action]).astype(np.float32)
        value = tree.root_value.astype(np.float32)
        return action, log_prob, value, policy.astype(np.float32), tree.q, visits


class UCTAgent(SearchAgent):
    """UCB1 in the tree and one random game from each leaf (Kocsis & Szepesvari 2006).

    c: sqrt(2) is UCB1's constant for values in [0, 1]; here values lie in [-1, 1].
    """

    name, rule = "uct", "ucb1"

    def __init__(
        self, game: Game, *, simulations: int = 200, c: float = 1.4, **options: Any
    ) -> None:
        super().__init__(game, rollouts, simulations=simulations, c=c, **options)


class PUCTAgent(SearchAgent):
    """Priors and values in the tree, no random games.

    evaluate: as in `search_tree`; by default it knows nothing. `from_agent` takes that of another
    agent, and `Cached` puts a cache before it. noise: alpha of the Dirichlet noise that receives
    `noise_share` of the priors at the root (and nowhere else), for self-play; 0: none.
    """

    name = "puct"
    saved = (*SearchAgent.saved, "noise", "noise_share")

    def __init__(
        self,
        game: Game,
        evaluate: Evaluate = uniform,
        *,
        simulations: int = 100,
        c: float = 1.25,
        noise: float = 0.0,
        noise_share: float = 0.25,
        **options: Any,
    ) -> None:
        super().__init__(game, evaluate, simulations=simulations, c=c, **options)
        self.noise, self.noise_share = float(noise), float(noise_share)

    def options(self) -> dict[str, Any]:
        """All settings but the evaluation. Raises ValueError for a learned evaluation."""
        if self.evaluate is not uniform:
            raise BadValue(
                "this player's evaluation cannot be stored with it; save the network, then search "
                "with it"
            )
        return super().options()


def number_of_simulations(simulations: Any, *, least: int) -> int:
    """The number, known to be whole and `least` or more. Raises ValueError."""
    whole = isinstance(simulations, int | np.integer) and not isinstance(simulations, bool)
    if not whole or simulations < least:
        raise BadValue(f"simulations are a whole number, {least} or more; got {simulations!r}")
    return int(simulations)


def from_agent(agent: BatchAgent[Batch]) -> Evaluate:
    """Policy and value of an agent's decisions as an evaluation.

    The evaluation raises ValueError if a decision lacks one of them.
    """

    def evaluate(
        batch: Batch, rows: np.ndarray, rng: np.random.Generator
    ) -> tuple[np.ndarray, np.ndarray]:
        """(policy [R, A], value [R] for the player to move) of the agent's decision."""
        decision = agent.decide(batch, rows, rng)
        if decision.policy is None or decision.value is None:
            missing = "policy" if decision.policy is None else "value"
            raise BadValue(
                f"tree search asks for a policy and a value; {agent.name} gives no {missing}"
            )
        return decision.policy, decision.value

    return evaluate


def visit_policy(visits: np.ndarray, prior: np.ndarray, temperature: np.ndarray) -> np.ndarray:
    """[R, A] float64: visits ** (1 / temperature), normalised. temperature [R].

    Temperature 0 puts all probability on the most visited action, ties to the higher prior, then to
    the lower action.
    """
    policy = np.zeros(visits.shape)
    most = visits == visits.max(axis=1, keepdims=True)
    best = np.where(most, prior, -1.0).argmax(axis=1)
    policy[np.arange(len(policy)), best] = 1.0
    for value in np.unique(temperature[temperature != 0]):
        rows = temperature == value
        policy[rows] = with_temperature(visits[rows], float(value))
    return policy
