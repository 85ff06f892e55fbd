"""AlphaZero's self-play: search before every move, and record the result of the search.

Each decision gives the position s, the policy pi [A] that the search improved and, after the game,
its result z for the player who moved (Silver et al. 2017, Methods, "Self-play").
"""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from rlcourse.agents import make_agent
from rlcourse.agents.search import PUCTAgent, visit_policy
from rlcourse.agents.search_tree import SearchTree
from rlcourse.encoders import get_encoder_by_name
from rlcourse.errors import BadValue
from rlcourse.experience import ExperienceBuffer
from rlcourse.games import Batch, get_game
from rlcourse.sampling import categorical
from rlcourse.self_play import Recorder, SelfPlaySpec, play_at_random

TARGETS = ("visits", "completed-q")
VISITS = 50  # that completed Q adds to those made (c_visit)


@dataclass(frozen=True)
class EpisodeSpec(SelfPlaySpec):
    """A chunk of self-play by search, as plain data.

    opening: plies at the start, 0 to this many, that are played at random and not recorded. target:
    how pi is made, from "visits" or by "completed-q" with this sharpness.
    """

    opening: int = 0
    target: str = "visits"
    sharpness: float = 0.1

    def __post_init__(self) -> None:
        if self.target not in TARGETS:
            raise BadValue(f"target is one of {', '.join(TARGETS)}; got {self.target!r}")

    def improved(self, tree: SearchTree, prior: np.ndarray) -> np.ndarray:
        """pi [N, A] of these trees. prior [N, A]: without noise, 0 where illegal."""
        if self.target == "visits":
            return visit_shares(tree, prior)
        return completed_q(tree, prior, sharpness=self.sharpness)


def play_episodes(
    spec: EpisodeSpec, weights: Mapping[str, np.ndarray], seed: int, chunk: int
) -> ExperienceBuffer:
    """Chunk number `chunk` of self-play; pure.

    Columns beside the required ones: legal, policy (pi) and value (of the search, for the player to
    move).
    """
    game = get_game(spec.game, **spec.game_options)
    agent = make_agent(spec.agent, game, dict(weights), **spec.agent_options)
    if not isinstance(agent, PUCTAgent):
        raise BadValue(
            f"self-play with search wants a player that searches with a network, not {spec.agent}"
        )
    return play_with(agent, spec, np.random.default_rng([seed, chunk]))[0]


def play_with(
    agent: PUCTAgent, spec: EpisodeSpec, rng: np.random.Generator
) -> tuple[ExperienceBuffer, Batch]:
    """(the games of a chunk, their last positions)."""
    game, encoder = agent.game, get_encoder_by_name(spec.encoder, agent.game)
    batch, everyone = game.new_batch(spec.games), np.arange(spec.games)
    play_at_random(batch, rng.integers(spec.opening + 1, size=spec.games), rng)
    recorder = Recorder(game, encoder.name, spec.games, batch.plies(everyone))
    while not batch.done.all():
        rows = np.flatnonzero(~batch.done)
        # Not used: an earlier version drew here, and a seed still has to play the same games.
        rng.random(len(rows))
        tree = agent.grow(batch, rows, rng)
        temperature = np.where(batch.plies(rows) < agent.sampled_plies, agent.temperature, 0.0)
        actions = np.full(spec.games, -1, np.int64)
        actions[rows] = categorical(visit_policy(tree.visits, tree.prior, temperature), rng)
        # The target is made from the prior without the noise of the root.
        prior, _ = agent.evaluate(batch, rows, rng)
        legal = batch.legal(rows)
        recorder.add(
            rows,
            batch.to_play[rows],
            actions[rows],
            state=encoder.encode_batch(batch, rows),
            legal=legal,
            policy=spec.improved(tree, prior * legal).astype(np.float32),
            value=tree.root_value.astype(np.float32),
        )
        batch.step(actions)
    return recorder.buffer(batch.points), batch


def visit_shares(tree: SearchTree, prior: np.ndarray) -> np.ndarray:
    """[N, A] float64: the visits of the root, divided by their sum; they include the prior."""
    return tree.visits / tree.visits.sum(axis=1, keepdims=True)


def completed_q(tree: SearchTree, prior: np.ndarray, *, sharpness: float) -> np.ndarray:
    """[N, A] float64: the prior [N, A] (0 where illegal), improved by the values of the search.

    It is proportional to prior * exp(sharpness * (VISITS + most visits of an action) * Q); an
    untried action has the mean of all simulations as its Q (Danihelka et al. 2022, eq. 8, 10, 11).
    """
    completed = np.where(np.isnan(tree.q), tree.root_value[:, None], tree.q)
    gain = sharpness * (VISITS + tree.visits.max(axis=1, keepdims=True)) * completed
    weights = (prior + 1e-6 * (prior > 0)) * np.exp(gain - gain.max(axis=1, keepdims=True))
    return weights / weights.sum(axis=1, keepdims=True)
