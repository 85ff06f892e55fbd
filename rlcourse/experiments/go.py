"""Policy gradients on Go over many seeds: the course's recipe, the book's update and its collapse.

Ablations show which part of the update breaks or holds the policy.
"""

from typing import Any

import numpy as np

from rlcourse.agents import BatchAgent, RandomAgent, load_agent
from rlcourse.agents.policy import PolicyAgent
from rlcourse.arena import play_match
from rlcourse.experiments.base import Results, Settings, Stopwatch, experiment, policy_in
from rlcourse.games import from_recipe, get_game
from rlcourse.judges.forced_go import forced_positions, share_missed
from rlcourse.judges.go import Verdict, judge_go
from rlcourse.judges.random_play import judge_against_random
from rlcourse.learning import games, make_learner, train
from rlcourse.self_play import play_lockstep

# Share of games with random play that the recipe is to win, sampled and greedily.
BARS = (0.95, 0.97)
SHIPPED = ("policy-5x5", "policy-9x9")
RATES = (1e-7, 1e-3, 1e-1)  # the default of the book's code, and larger ones
REINFORCE = {"objective_won": "log-prob", "objective_lost": "log-prob"}
# Adam in many small minibatches.
NAIVE: Settings = {**REINFORCE, "games": 128, "batch": 64, "learning_rate": 0.001}
# Of the ablation: the course's recipe with smaller chunks of games and a smaller step.
BASE: Settings = {"games": 256, "learning_rate": 0.002}
# What the shipped bots were trained with besides: an entropy bonus, the symmetries of the board,
# and a fifth of the games against an earlier self.
RECIPE: Settings = {**BASE, "entropy": 0.03, "symmetry": True, "guests": 0.2}
# In what an arm differs from its base: log pi or the ratio on won and on lost decisions, PPO's clip
# on or off where the ratio is used. Log pi on both sides has nothing to clip: there are seven arms.
ARMS: dict[str, Settings] = {
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
# Positions whose policies the film of the lesson shows: a new game, and a stone that can be taken.
FILMED = ("go size=5 komi=7.5:", "go size=5 komi=7.5:...../..X../.XOX./...../..... X")


@experiment("policy-gradient", seeds=40)
def policy_gradient(seed: int) -> Results:
    """The course's recipe for 6,144 games, judged after every 1,024 in games with random play.

    `confirmed` is the share of wins at the end, sampled and greedy, in 1,000 games each that are
    not those of the curve.
    """
    row, agent = curve(seed, 2, 6_144)
    fresh = judge_against_random(agent, seed=1_000_000 + seed)
    return {**row, "confirmed": [fresh.wins, fresh.greedy_wins]}


@experiment("policy-gradient-policies", seeds=1)
def policy_gradient_policies(seed: int) -> Results:
    """The policy in two positions after each update of the recipe, for 6,144 games.

    counts of a moment: games of self-play; wins in 1,000 games with random play, sampled and
    greedily. policies [2, 26]: the probability of each move, 0 where the player never goes.
    """
    learner, moments = make_learner("policy-gradient", seed=seed), []
    positions = [from_recipe(recipe) for recipe in FILMED]
    for row in train(learner, until=games(6_144), every=1, seed=seed):
        agent = learner.agent()
        verdict = judge_against_random(agent, seed=seed)
        won = [round(1_000 * share) for share in (verdict.wins, verdict.greedy_wins)]
        policies = [policy_in(position, agent) for position in positions]
        moments.append({"counts": [row.games, *won], "policies": policies})
    return {"seed": seed, "judged": 1_000, "positions": list(FILMED), "moments": moments}


@experiment("policy-gradient-printed", seeds=5)
def policy_gradient_printed(seed: int) -> Results:
    """The book's update and network as printed, 2,048 games at each of three learning rates."""
    from rlcourse.learning.policy_gradient import AS_PRINTED  # brings TensorFlow

    rates = {
        f"{rate:g}": curve(seed, 4, 2_048, **{**AS_PRINTED, "learning_rate": rate})[0]
        for rate in RATES
    }
    return {"seed": seed, "rates": rates}


@experiment("policy-gradient-collapse", seeds=5)
def policy_gradient_collapse(seed: int) -> Results:
    """REINFORCE with Adam at 0.001 in many small minibatches, 8,192 games."""
    return curve(seed, 8, 8_192, **NAIVE)[0]


@experiment("policy-gradient-ablation", seeds=20)
def policy_gradient_ablation(seed: int) -> Results:
    """Log pi or the ratio, on won and on lost decisions, with and without PPO's clip: seven arms.

    Each plays 3,072 games in chunks of 256, with no entropy bonus and no symmetries; verdicts of
    500 games.
    """
    return ablation(seed, BASE)


@experiment("policy-gradient-ablation-recipe", seeds=20)
def policy_gradient_ablation_recipe(seed: int) -> Results:
    """The seven arms of policy-gradient-ablation on the recipe of the shipped bots."""
    return ablation(seed, RECIPE)


def ablation(seed: int, base: Settings) -> Results:
    """The curves of all ARMS of a base; verdicts of 500 games after 1,536 and 3,072."""
    runs = {}
    for name, settings in ARMS.items():
        runs[name] = curve(seed, 6, 3_072, judged=500, **{**base, **settings})[0]
    return {"seed": seed, "judged": 500, "arms": {name: run["curve"] for name, run in runs.items()}}


@experiment("policy-gradient-clipping", seeds=20)
def policy_gradient_clipping(seed: int) -> Results:
    """Self-play whose probabilities are clipped at 0 (not at all), 1e-6, 1e-3 or 1e-2.

    Arms of 3,072 games each, judged in 500 games and by the share of forced moves that is missed.
    """
    game = get_game("go", size=5)
    random_play = share_missed(RandomAgent(game), forced_positions(game, FORCED))
    arms = {f"{clip:g}": clipped(seed, clip=clip, **BASE) for clip in CLIPS}
    return {"seed": seed, "judged": 500, "random_play_misses": round(random_play, 4), "arms": arms}


def clipped(seed: int, **settings: Any) -> dict[str, float]:
    """One arm; names with "bare" are of the same network without clip_probs.

    seconds: of training, by the processor's clock. entropy: in nats. wins: share, as it played
    while it learned, and greedily. missed: share of FORCED moves.
    """
    row, agent = curve(seed, 12, 3_072, judged=500, **settings)
    _, seconds, _, wins, greedy, entropy = row["curve"][-1]
    bare = agent.at_temperature(1.0)
    assert isinstance(bare, PolicyAgent)
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


@experiment("policy-gradient-shipped", seeds=1)
def policy_gradient_shipped(seed: int) -> Results:
    """The shipped bots: 400 games with GNU Go at level 1, and 1,000 with random play."""
    row: Results = {"seed": seed}
    for name in SHIPPED:
        bot = load_agent(f"go/{name}")
        row[name] = {
            "temperature": bot.options()["temperature"],
            "komi": bot.game.options["komi"],
            **sides(judge_go(bot, games=400, seed=seed, processes=1)),
            "random": judge_against_random(bot, seed=seed).wins,
        }
    return row


def sides(verdict: Verdict) -> Results:
    """A verdict of `judge_go`, half of its games as Black, for a row."""
    return {
        "as_black": verdict.as_black,
        "as_white": verdict.as_white,
        "distinct": verdict.distinct,
    }


def curve(
    seed: int,
    every: int,
    limit: int,
    *,
    learner: str = "policy-gradient",
    judged: int = 1_000,
    **settings: Any,
) -> tuple[Results, BatchAgent]:
    """Train for `limit` games, with a verdict after every `every` updates. Returns (row, agent).

    The rows of the curve: games, seconds of training by the processor's clock and by the wall's,
    share of `judged` games won sampled and greedily, and the policy's entropy in nats (None before
    the first update). above_90: the first with 90% or more sampled; reached: the first that reaches
    both BARS; None where there is none. A run whose weights stop being numbers ends there: diverged
    is the number of the update that broke them.
    """
    from rlcourse.learning.trained import Diverged  # brings TensorFlow

    made = make_learner(learner, seed=seed, **settings)
    rows: list[list[Any]] = []
    broken: dict[str, int] = {}
    clock = Stopwatch()
    try:
        for row in train(made, until=games(limit), every=every, seed=seed):
            spent = [round(clock.seconds, 2), round(row.seconds, 2)]
            with clock.stopped():
                verdict = judge_against_random(made.agent(), games=judged, seed=seed)
            entropy = round(row.metrics["entropy"], 3) if row.metrics else None
            rows.append([row.games, *spent, verdict.wins, verdict.greedy_wins, entropy])
    except Diverged:
        # Rows come after every `every` updates; the chunks count each of them.
        assert made.chunks is not None
        broken = {"diverged": made.chunks.updates + 1}
    above_90 = (line for line in rows if line[3] >= 0.9)
    reached = (line for line in rows if line[3] >= BARS[0] and line[4] >= BARS[1])
    first = {"above_90": next(above_90, None), "reached": next(reached, None)}
    result = {"seed": seed, "games": row.games, "judged": judged}
    return {**result, **first, **broken, "curve": rows}, made.agent()


@experiment("go-calibration-5x5", seeds=5)
def calibration_5x5(seed: int) -> Results:
    """The critic of the 5 x 5 board."""
    return _calibration(load_agent("go/actor-critic-5x5"), seed)


@experiment("go-calibration-9x9", seeds=5)
def calibration_9x9(seed: int) -> Results:
    """The critic of the 9 x 9 board."""
    return _calibration(load_agent("go/actor-critic-9x9"), seed)


def _calibration(agent: Any, seed: int) -> Results:
    """How chances to win agree with the ends of 400 games of the agent with itself.

    games: how many of them differ. By tenths of the chance: positions, the sum of their chances,
    and how many were won.
    """
    rng = np.random.default_rng(seed)
    played = play_lockstep(agent.game, (agent, agent), agent.encoder, 400, rng, record=("value",))
    ends = np.flatnonzero(np.diff(played["game"])) + 1
    chances, won = (1 + played["value"]) / 2, played["reward"] > 0
    tenths = np.minimum((10 * chances).astype(int), 9)
    return {
        "seed": seed,
        "games": len({tuple(game) for game in np.split(played["action"], ends)}),
        "positions": np.bincount(tenths, minlength=10).tolist(),
        "chances": np.bincount(tenths, chances, minlength=10).round(2).tolist(),
        "won": np.bincount(tenths, won, minlength=10).astype(int).tolist(),
    }
