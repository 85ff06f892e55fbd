"""Policy gradients on 5 x 5 Go over many seeds: the course's recipe, the book's update, the collapse, and
which part of the update breaks or holds the policy."""

import time
from typing import Any

from rlcourse.agents import RandomAgent, load_agent
from rlcourse.arena import play_match
from rlcourse.experiments.base import Experiment
from rlcourse.games import get_game
from rlcourse.judges.forced_go import forced_positions, share_missed
from rlcourse.judges.go import judge_go
from rlcourse.judges.random_play import judge_against_random
from rlcourse.learning import games, make_learner, train

BARS = (
    0.95,
    0.97,
)  # share of games with random play that the recipe is to win, sampled and greedily
SHIPPED = ("policy-5x5", "policy-9x9")
RATES = (1e-7, 1e-3, 1e-1)  # the default of the book's code, and larger ones
REINFORCE = {"objective_won": "log-prob", "objective_lost": "log-prob"}
NAIVE = {
    **REINFORCE,
    "games": 128,
    "batch": 64,
    "learning_rate": 0.001,
}  # Adam in many small minibatches
# Of the ablation: the course's recipe with smaller chunks of games and a smaller step.
BASE = {"games": 256, "learning_rate": 0.002}
# What the shipped bots were trained with besides: an entropy bonus, the symmetries of the board, and a
# fifth of the games against an earlier self.
RECIPE = {**BASE, "entropy": 0.03, "symmetry": True, "guests": 0.2}
# In what an arm differs from its base: log pi or the ratio on won and on lost decisions, PPO's clip on or
# off where the ratio is used. Log pi on both sides has nothing to clip, so there are seven arms.
ARMS: dict[str, dict[str, Any]] = {
    "won clipped ratio, lost clipped ratio": {},
    "won log pi, lost clipped ratio": {"objective_won": "log-prob"},
    "won log pi, lost ratio": {"objective_won": "log-prob", "ratio_clip": 0.0},
    "won ratio, lost ratio": {"ratio_clip": 0.0},
    "won clipped ratio, lost log pi": {"objective_lost": "log-prob"},
    "won ratio, lost log pi": {"objective_lost": "log-prob", "ratio_clip": 0.0},
    "won log pi, lost log pi": REINFORCE,
}
CLIPS = (0.0, 1e-6, 1e-3, 1e-2)  # of clip_probs while games are collected; 0: not clipped
FORCED = 200  # positions in which one move alone saves stones


def policy_gradient(seed: int) -> dict[str, Any]:
    """The course's recipe for 6,144 games, judged in 1,000 games with random play, sampled and greedy, after every 1,024.

    `confirmed` is the share of wins at the end, sampled and greedy, in 1,000 games each that are not those of the curve.
    """
    row, agent = curve(seed, 2, 6_144)
    fresh = judge_against_random(agent, seed=1_000_000 + seed)
    return {**row, "confirmed": [fresh.wins, fresh.greedy_wins]}


def policy_gradient_printed(seed: int) -> dict[str, Any]:
    """The book's update as printed, with its network, 2,048 games at each of three learning rates."""
    from rlcourse.learning.policy_gradient import AS_PRINTED

    rates = {
        f"{rate:g}": curve(seed, 4, 2_048, **{**AS_PRINTED, "learning_rate": rate})[0]
        for rate in RATES
    }
    return {"seed": seed, "rates": rates}


def policy_gradient_collapse(seed: int) -> dict[str, Any]:
    """REINFORCE with Adam at 0.001 in many small minibatches, 8,192 games."""
    return curve(seed, 8, 8_192, **NAIVE)[0]


def policy_gradient_ablation(seed: int) -> dict[str, Any]:
    """Log pi or the ratio, on won and on lost decisions, with and without PPO's clip: seven arms, 3,072
    games each in chunks of 256, no entropy bonus, no symmetries; verdicts of 500 games."""
    return ablation(seed, BASE)


def policy_gradient_ablation_recipe(seed: int) -> dict[str, Any]:
    """The seven arms of policy-gradient-ablation on the recipe of the shipped bots: an entropy bonus of
    0.03, symmetries, and a fifth of the games against an earlier self."""
    return ablation(seed, RECIPE)


def ablation(seed: int, base: dict[str, Any]) -> dict[str, Any]:
    """The curves of all ARMS of a base, 3,072 games each; verdicts of 500 games after 1,536 and 3,072."""
    runs = {}
    for name, settings in ARMS.items():
        runs[name] = curve(seed, 6, 3_072, judged=500, **{**base, **settings})[0]
    return {"seed": seed, "judged": 500, "arms": {name: run["curve"] for name, run in runs.items()}}


def policy_gradient_clipping(seed: int) -> dict[str, Any]:
    """Self-play whose probabilities are clipped at 0 (not at all), 1e-6, 1e-3 or 1e-2, 3,072 games each;
    judged in 500 games, and by the share of forced moves that is missed."""
    game = get_game("go", size=5)
    random_play = share_missed(RandomAgent(game), forced_positions(game, FORCED))
    arms = {f"{clip:g}": clipped(seed, clip=clip, **BASE) for clip in CLIPS}
    return {"seed": seed, "judged": 500, "random_play_misses": round(random_play, 4), "arms": arms}


def clipped(seed: int, **settings: Any) -> dict[str, float]:
    """One arm: seconds of training by the processor's clock; entropy in nats; share of wins as it played
    while it learned, of the same network without clip_probs, and greedily; share of FORCED moves that
    are missed, as it played and without clip_probs."""
    row, agent = curve(seed, 12, 3_072, judged=500, **settings)
    _, seconds, _, wins, greedy, entropy = row["curve"][-1]
    bare = agent.at_temperature(1.0)
    bare.clip = 0.0
    match = play_match(bare, RandomAgent(bare.game), games=500, seed=seed)
    forced = forced_positions(bare.game, FORCED)
    return {
        "seconds": seconds,
        "entropy": entropy,
        "wins": wins,
        "wins_bare": match.wins / 500,
        "greedy": greedy,
        "missed": round(share_missed(agent, forced), 4),
        "missed_bare": round(share_missed(bare, forced), 4),
    }


def policy_gradient_shipped(seed: int) -> dict[str, Any]:
    """The shipped bots: 400 games each with GNU Go at level 1, half of them as Black, and 1,000 with random play."""
    row: dict[str, Any] = {"seed": seed}
    for name in SHIPPED:
        bot = load_agent(f"go/{name}")
        verdict, random = (
            judge_go(bot, games=400, seed=seed, processes=1),
            judge_against_random(bot, seed=seed),
        )
        sides = {
            "as_black": verdict.as_black,
            "as_white": verdict.as_white,
            "distinct": verdict.distinct,
        }
        row[name] = {
            "temperature": bot.temperature,
            "komi": bot.game.options["komi"],
            **sides,
            "random": random.wins,
        }
    return row


def curve(
    seed: int,
    every: int,
    limit: int,
    *,
    learner: str = "policy-gradient",
    judged: int = 1_000,
    bars: tuple[float, float] | None = None,
    **settings: Any,
) -> tuple[dict[str, Any], Any]:
    """Train for `limit` games, or until both bars are reached, with a verdict after every `every` updates. (Row, agent.)

    The curve has rows of games, seconds of training by the processor's clock and by the wall's, share of `judged` games won
    sampled and greedily, and the policy's entropy in nats (None before the first update). above_90: the first row with 90% or
    more sampled; reached: the first that reaches both BARS; None where there is none. A run whose weights stop being numbers
    ends there: diverged is the number of the update that broke them.
    """
    from rlcourse.learning.trained import Diverged

    made, rows, spent, broken = make_learner(learner, seed=seed, **settings), [], 0.0, {}
    started = time.process_time()
    try:
        for row in train(made, until=games(limit), every=every, seed=seed):
            spent += time.process_time() - started
            verdict = judge_against_random(made.agent(), games=judged, seed=seed)
            entropy = round(row.metrics["entropy"], 3) if row.metrics else None
            rows.append(
                [
                    row.games,
                    round(spent, 2),
                    round(row.seconds, 2),
                    verdict.wins,
                    verdict.greedy_wins,
                    entropy,
                ]
            )
            if bars and verdict.wins >= bars[0] and verdict.greedy_wins >= bars[1]:
                break
            started = time.process_time()
    except Diverged:
        broken = {"diverged": made.chunks.updates + 1}
    found = {"above_90": next((line for line in rows if line[3] >= 0.9), None)}
    found["reached"] = next(
        (line for line in rows if line[3] >= BARS[0] and line[4] >= BARS[1]), None
    )
    return {
        "seed": seed,
        "games": row.games,
        "judged": judged,
        **found,
        **broken,
        "curve": rows,
    }, made.agent()


EXPERIMENTS = (
    Experiment("policy-gradient", policy_gradient.__doc__, policy_gradient, 40),
    Experiment(
        "policy-gradient-printed", policy_gradient_printed.__doc__, policy_gradient_printed, 5
    ),
    Experiment(
        "policy-gradient-collapse", policy_gradient_collapse.__doc__, policy_gradient_collapse, 5
    ),
    Experiment(
        "policy-gradient-shipped", policy_gradient_shipped.__doc__, policy_gradient_shipped, 1
    ),
    Experiment(
        "policy-gradient-ablation", policy_gradient_ablation.__doc__, policy_gradient_ablation, 20
    ),
    Experiment(
        "policy-gradient-ablation-recipe",
        policy_gradient_ablation_recipe.__doc__,
        policy_gradient_ablation_recipe,
        20,
    ),
    Experiment(
        "policy-gradient-clipping", policy_gradient_clipping.__doc__, policy_gradient_clipping, 20
    ),
)
