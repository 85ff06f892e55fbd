"""Policy gradients on 5 x 5 Go over many seeds: the course's recipe, the book's update, the collapse, and what holds it."""

import time
from typing import Any

from rlcourse.experiments.base import Experiment
from rlcourse.judges.random_play import judge_against_random
from rlcourse.learning import games, make_learner, train
from rlcourse.learning.train import Until

NAIVE = {"ratio_clip": 0.0, "entropy": 0.0, "clip_norm": 0.0, "symmetry": False, "batch": 64}  # with Adam at 0.001
RATES = (1e-7, 1e-4, 1e-2)  # the default of the book's code, and larger ones
# The recipe with one ingredient taken away, or one number made worse; the naive update has none of them.
ABLATION = {
    "the recipe": {},
    "ratio not bounded": {"ratio_clip": 0.0},
    "no entropy bonus": {"entropy": 0.0},
    "gradient not clipped": {"clip_norm": 0.0},
    "no symmetries": {"symmetry": False},
    "minibatches of 64": {"batch": 64},
    "learning rate 0.005": {"learning_rate": 0.005},
    "only the ratio bounded": {**NAIVE, "ratio_clip": 0.2},
    "none of them": NAIVE,
}


def policy_gradient(seed: int) -> dict[str, Any]:
    """The course's recipe for 16,384 games, judged in 1,000 games with random play, sampled and greedy, after every 1,024."""
    return curve(seed, 8, games(16_384))


def policy_gradient_printed(seed: int) -> dict[str, Any]:
    """The book's update as printed, with its network, 4,096 games at each of three learning rates."""
    from rlcourse.learning.policy_gradient import AS_PRINTED

    rates = {f"{rate:g}": curve(seed, 8, games(4_096), **{**AS_PRINTED, "learning_rate": rate}) for rate in RATES}
    return {"seed": seed, "rates": rates}


def policy_gradient_collapse(seed: int) -> dict[str, Any]:
    """Adam at 0.001 with many small minibatches and nothing that bounds them, 8,192 games."""
    return curve(seed, 8, games(8_192), **NAIVE)


def policy_gradient_ablation(seed: int) -> dict[str, Any]:
    """The course's recipe with one ingredient taken away at a time, 4,096 games each."""
    return {"seed": seed, "variants": {name: curve(seed, 8, games(4_096), **change) for name, change in ABLATION.items()}}


def curve(seed: int, every: int, until: Until, **settings: Any) -> dict[str, Any]:
    """Train and keep rows of games, processor seconds of training, share of games won sampled and greedily, and the policy's
    entropy in nats; and the games from which on 90% and 95% of the sampled games were won, None if never."""
    learner, rows, spent = make_learner("policy-gradient", seed=seed, **settings), [], 0.0
    reached: dict[str, int | None] = {"above_90_from": None, "above_95_from": None}
    started = time.process_time()
    for row in train(learner, until=until, every=every, seed=seed):
        spent += time.process_time() - started
        verdict = judge_against_random(learner.agent(), seed=seed)
        entropy = round(row.metrics["entropy"], 3) if row.metrics else None
        rows.append([row.games, round(spent, 2), verdict.wins, verdict.greedy_wins, entropy])
        for name, bar in zip(reached, (0.90, 0.95), strict=True):
            reached[name] = None if verdict.wins < bar else (reached[name] or row.games)
        started = time.process_time()
    return {"seed": seed, "games": row.games, "training_seconds": round(row.seconds, 2), **reached, "curve": rows}


EXPERIMENTS = (
    Experiment("policy-gradient", policy_gradient.__doc__, policy_gradient, 40),
    Experiment("policy-gradient-printed", policy_gradient_printed.__doc__, policy_gradient_printed, 5),
    Experiment("policy-gradient-collapse", policy_gradient_collapse.__doc__, policy_gradient_collapse, 5),
    Experiment("policy-gradient-ablation", policy_gradient_ablation.__doc__, policy_gradient_ablation, 20),
)
