"""AlphaZero's self-play: search before every move, and remember what the search said until the game has ended.

Of each decision: the position s, what the search made of the policy, pi [A], and the result z of the game for the player who
moved (Silver et al. 2017, Methods, "Self-play").
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial

import numpy as np

from rlcourse.agents import make_agent
from rlcourse.agents.search import PUCTAgent, visit_policy
from rlcourse.agents.search_gumbel import completed, grow_gumbel, sigma
from rlcourse.agents.search_tree import SearchTree
from rlcourse.encoders import get_encoder_by_name
from rlcourse.experience import ExperienceBuffer
from rlcourse.games import Batch, get_game, sign_of
from rlcourse.sampling import categorical
from rlcourse.self_play import SelfPlaySpec

ROOTS, TARGETS = ("puct", "gumbel"), ("visits", "completed-q")


@dataclass(frozen=True)
class EpisodeSpec(SelfPlaySpec):
    """A chunk of self-play by search, as plain data.

    opening: plies at the start, 0 to this many, that are played at random and not learned. full: share of the decisions that
    are searched with all simulations, and noise, and teach the policy; the others get `few` simulations. target: pi is made
    of "visits" or of "completed-q", then with this sharpness. root: "puct", or "gumbel": sequential halving, and neither
    noise nor temperature.
    """

    opening: int = 0
    full: float = 1.0
    few: int = 0
    target: str = "visits"
    sharpness: float = 0.1
    root: str = "puct"

    def __post_init__(self) -> None:
        for name, value, known in (("root", self.root, ROOTS), ("target", self.target, TARGETS)):
            if value not in known:
                raise ValueError(f"{name} is one of {', '.join(known)}; got {value!r}")


def play_episodes(
    spec: EpisodeSpec, weights: Mapping[str, np.ndarray], seed: int, chunk: int
) -> ExperienceBuffer:
    """Chunk number `chunk` of self-play; pure. Columns beside the required ones: legal, policy (pi), value (what the search
    says of the position, for the player to move), full (bool: pi comes from a full search) and ends
    (int8 [T, H * W]: who stands where when the game is over, 1 the player who moved here, -1 the other, 0 nobody)."""
    game = get_game(spec.game, **spec.game_options)
    agent = make_agent(spec.agent, game, dict(weights), **spec.agent_options)
    if not isinstance(agent, PUCTAgent):
        raise ValueError(
            f"self-play with search wants a player that searches with a network, not {spec.agent}"
        )
    quick = agent.with_simulations(spec.few)
    quick.noise = 0.0
    encoder, rng = get_encoder_by_name(spec.encoder, game), np.random.default_rng([seed, chunk])
    target = (
        visit_shares if spec.target == "visits" else partial(completed_q, sharpness=spec.sharpness)
    )
    batch, plies = game.new_batch(spec.games), []
    play_at_random(batch, rng.integers(spec.opening + 1, size=spec.games), rng)
    while not batch.done.all():
        rows = np.flatnonzero(~batch.done)
        full = rng.random(len(rows)) < spec.full
        actions = np.full(spec.games, -1, np.int64)
        for player, chosen in ((agent, rows[full]), (quick, rows[~full])):
            if not len(chosen):
                continue
            tree, actions[chosen] = think(player, batch, chosen, rng, spec)
            prior, _ = agent.evaluate(batch, chosen, rng)  # without noise
            legal = batch.legal(chosen)
            policy = target(tree, prior * legal)
            # Halving tries bad actions as often as good ones at first: the mean of its simulations says little of the best.
            value = (
                (policy * completed(tree)).sum(axis=1) if spec.root == "gumbel" else tree.root_value
            )
            plies.append(
                {
                    "state": encoder.encode_batch(batch, chosen),
                    "action": actions[chosen].astype(np.int32),
                    "player": batch.to_play[chosen].copy(),
                    "game": chosen.astype(np.int32),
                    "ply": batch.plies(chosen).astype(np.int32),
                    "legal": legal,
                    "policy": policy.astype(np.float32),
                    "value": value.astype(np.float32),
                    "full": np.full(len(chosen), player is agent),
                }
            )
        batch.step(actions)
    columns = {name: np.concatenate([ply[name] for ply in plies]) for name in plies[0]}
    stands = batch.cells[columns["game"]]
    columns["ends"] = np.where(
        stands == 0, 0, np.where(stands == 1 + columns["player"][:, None], 1, -1)
    ).astype(np.int8)
    columns["reward"] = (batch.points[columns["game"]] * sign_of(columns["player"])).astype(
        np.float32
    )
    order = np.lexsort((columns["ply"], columns["game"]))
    meta = {"game": game.name, "options": dict(game.options), "encoder": encoder.name}
    return ExperienceBuffer({name: column[order] for name, column in columns.items()}, meta)


def think(
    player: PUCTAgent, batch: Batch, rows: np.ndarray, rng: np.random.Generator, spec: EpisodeSpec
) -> tuple[SearchTree, np.ndarray]:
    """(the trees of those rows [R], the actions [R] that self-play takes)."""
    if spec.root == "gumbel":
        return grow_gumbel(
            batch.take(rows),
            player.evaluate,
            player.simulations,
            rng,
            c=player.c,
            sharpness=spec.sharpness,
            noise=0.0,
        )
    tree = player.grow(batch, rows, rng)
    temperature = np.where(batch.plies(rows) < player.sampled_plies, player.temperature, 0.0)
    return tree, categorical(visit_policy(tree.visits, tree.prior, temperature), rng)


def play_at_random(batch: Batch, plies: np.ndarray, rng: np.random.Generator) -> None:
    """Play uniformly random legal moves, plies [N] in each game; one that ends on the way begins anew."""
    for ply in range(plies.max(initial=0)):
        rows = np.flatnonzero((plies > ply) & ~batch.done)
        actions = np.full(len(batch), -1, np.int64)
        actions[rows] = categorical(batch.legal(rows).astype(np.float64), rng)
        batch.step(actions)
    batch.reset(np.flatnonzero(batch.done))


def visit_shares(tree: SearchTree, prior: np.ndarray) -> np.ndarray:
    """[N, A] float64: the visits of the root, divided by their sum. The prior [N, A] is in them already."""
    return tree.visits / tree.visits.sum(axis=1, keepdims=True)


def completed_q(tree: SearchTree, prior: np.ndarray, *, sharpness: float) -> np.ndarray:
    """[N, A] float64: the prior [N, A], >= 0 and 0 where illegal, made better by the values that the search found.

    In proportion to prior * exp(sigma), see `sigma` (Danihelka et al. 2022, eq. 11).
    """
    gain = sigma(tree, sharpness)
    weights = (prior + 1e-6 * (prior > 0)) * np.exp(gain - gain.max(axis=1, keepdims=True))
    return weights / weights.sum(axis=1, keepdims=True)
