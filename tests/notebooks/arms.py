"""What the arms of an experiment differ in: the experiment runs, with the training taken out."""

from collections.abc import Callable, Iterator
from dataclasses import asdict
from functools import cache
from typing import Any

import numpy as np
import pytest

from rlcourse.experiments import (
    EXPERIMENTS,
    actor_critic,
    alphazero,
    alphazero_connect_four,
    backgammon,
    deep_q,
    deep_q_museum,
    go,
    kata,
    rave,
    tables,
)
from rlcourse.experiments.kata_learner import KataConfig
from rlcourse.learning import make_config
from rlcourse.learning.policy_gradient import PolicyGradientConfig
from rlcourse.learning.q_table import TableLearner
from rlcourse.results import load_results
from rlcourse.tf import tf

ARMS_OF_A_ROW = ("arms", "equal_games", "rungs", "exhibits", "rates", "readings")  # of a row
PREVIOUS = "the arm before"  # as base: each arm differs from the one above it

Fields = dict[str, Any]


def fields_of(learner: str, settings: Fields, **more: Any) -> Fields:
    """The whole config of a learner, its name, and what else the experiment gives its arms."""
    return {"learner": learner, **asdict(make_config(learner, **settings)), **more}


def _named_curve(name: str, seed: int, every: int, until: Any, **settings: Any) -> Fields:
    return {"arm": fields_of(name, settings)}


def _table_learner(learner: TableLearner, seed: int, every: int, until: Any) -> Fields:
    return {"arm": {"learner": type(learner).__name__, **asdict(learner.config)}}


def _curve(
    seed: int,
    every: int,
    limit: int,
    *,
    learner: str = "policy-gradient",
    judged: int = 1_000,
    **settings: Any,
) -> tuple[Fields, None]:
    return {"curve": fields_of(learner, settings, limit=limit, judged=judged)}, None


def _learn_in_turn(seed: int, arms: dict[str, Any], stops: dict[str, Any], **settings: Any) -> Any:
    runs = {}
    for name, (kind, more) in arms.items():
        fields = fields_of(kind, {**actor_critic.SMALL, **settings, **more})
        runs[name] = {stop: actor_critic.Checkpoint(fields, 0, 0.0, {}) for stop in stops[name]}
    return runs


def _exhibit(name: str, *, seed: int) -> Fields:
    kind, settings = deep_q_museum.EXHIBITS[name]
    rule = "deep-q" if kind is deep_q_museum.DeepQLearner else kind.__name__
    return {"arm": fields_of("deep-q", settings) | {"learner": rule}}


def _connect_four(
    seed: int,
    budget: float,
    *,
    every: int = 16,
    learner: str = "alphazero-connect-four",
    trial: bool = False,
    **settings: Any,
) -> Fields:
    fields = fields_of(learner, settings, budget=budget, trial=trial)
    return {"arm": fields | {"learner": "alphazero"}}  # its other names are other defaults


def _rave(seed: int, *, level: int, simulations: int, **settings: Any) -> Fields:
    agent = rave.RaveAgent(rave.NINE, simulations=simulations, **settings)
    return {"learner": agent.name, "level": level, **agent.options()}


def _kata(seed: int, plan: dict[int, int], **settings: Any) -> Fields:
    return {"learner": "kata", "plan": plan, **asdict(KataConfig(**settings))}


def _tictactoe(seed: int, limit: int, **settings: Any) -> Fields:
    return {"arm": fields_of("alphazero", settings, limit=limit)}


def _same(row: Any, *_: Any) -> Any:
    return row


# (module, name of what trains or judges there, what stands in for it)
DOUBLES: tuple[tuple[Any, str, Callable[..., Any]], ...] = (
    (tables, "named_curve", _named_curve),
    (tables, "train_curve", _table_learner),
    (deep_q, "named_curve", _named_curve),
    (deep_q, "train_curve", _same),
    (deep_q, "_short", _same),
    (deep_q, "_choices", lambda seed, settings: fields_of("deep-q", settings)),
    (deep_q_museum, "make_exhibit", _exhibit),
    (go, "curve", _curve),
    (go, "clipped", lambda seed, **settings: fields_of("policy-gradient", settings)),
    (go, "forced_positions", lambda *_: ()),
    (go, "share_missed", lambda *_: 0.0),
    (actor_critic, "curve", _curve),
    (actor_critic, "learn_in_turn", _learn_in_turn),
    (actor_critic, "measured", lambda run, *_: run.agent),
    (rave, "_met", _rave),
    (kata, "learned", _kata),
    (kata, "grown_up", _kata),
    (alphazero_connect_four, "connect_four_run", _connect_four),
    (alphazero, "tictactoe_run", _tictactoe),
)


@cache
def arms_of(experiment: str) -> dict[str, Fields]:
    """Arm -> its fields; an experiment without arms is one arm of its own name."""
    if experiment == "td-gammon-source":  # trains in its own loop
        readings = backgammon.READINGS.items()
        return {
            name: fields_of(experiment, {"alpha": alpha, "lam": lam})
            for name, (alpha, lam) in readings
        }
    with pytest.MonkeyPatch.context() as patched:
        for module, name, double in DOUBLES:
            patched.setattr(module, name, double)
        run, arms = EXPERIMENTS[experiment].run, EXPERIMENTS[experiment].arms
        row = {arm: run(0, arm) for arm in arms} if arms else run(0)
    return dict(_walk(row, experiment))


def _walk(value: Any, name: str) -> Iterator[tuple[str, Fields]]:
    if isinstance(value, dict) and "learner" in value:
        yield name, value
    elif isinstance(value, dict):
        for key, inner in value.items():
            yield from _walk(inner, name if key in ("arm", "curve") else key)


def differing(arm: Fields, base: Fields) -> set[str]:
    """The names of the fields in which two arms differ, of those that both have."""
    return {name for name in arm.keys() & base.keys() if arm[name] != base[name]}


def stored_arms(experiment: str) -> set[str]:
    """The names of the arms in an experiment's stored rows; empty where it has none."""
    row = load_results(experiment)["rows"][0]
    return {name for column in ARMS_OF_A_ROW for name in row.get(column, ())}


def mixed_arms(book: dict[str, Any], experiments: Any = arms_of) -> list[str]:
    """Arms that the register does not name, or whose fields differ otherwise than it says."""
    wrong = []
    for experiment, entry in book["arms"].items():
        named = {name: fields for name, fields in entry.items() if name not in ("base", "commit")}
        missing = stored_arms(experiment) - named.keys() - {entry["base"]}
        wrong += [f"{experiment}: {name!r} is not in claims.toml" for name in sorted(missing)]
        bases = [entry["base"]] * len(named)
        if entry["base"] == PREVIOUS:
            first, *named_after = named
            bases = [first, first, *named_after]
        arms = experiments(experiment)
        for (name, fields), base in zip(named.items(), bases, strict=False):
            arm, other = (arms.get(one) or _experiment(one, experiments) for one in (name, base))
            wrong += [f"{experiment}: {name!r} {what}" for what in _problems(fields, arm, other)]
        if ("commit" in entry) != any(isinstance(fields, dict) for fields in named.values()):
            wrong.append(
                f"{experiment}: a commit is named for arms that are tables, and for no other"
            )
    return wrong


def _experiment(name: str, experiments: Any) -> Fields | None:
    """The fields of an arm that is an experiment of its own; None where its code is deleted."""
    return experiments(name)[name] if name in EXPERIMENTS else None


def _problems(entry: Any, arm: Fields | None, base: Fields) -> Iterator[str]:
    """What is wrong with the entry of an arm; arm: None where its code is deleted."""
    if isinstance(entry, dict) and arm:
        yield "is a table, but its code is there: list the fields"
    elif isinstance(entry, dict):
        same = sorted(name for name in entry.keys() & base.keys() if entry[name] == base[name])
        if same:
            yield f"has the {same} of its base"
        if entry.keys() <= base.keys():
            yield f"is a table, but can be made of {sorted(entry)}, which the config has"
    elif arm is None:
        yield "has no code: write its fields and values as a table, and name a commit"
    elif differing(arm, base) != set(entry):
        yield f"has another {sorted(differing(arm, base))} than its base, not {entry}"


# Where each field may change the slope of the loss: advantage of a decision, its ratio pi / pi_old.
REACH: dict[str, Callable[[float, float], bool]] = {
    "ratio_clip": lambda advantage, ratio: abs(ratio - 1) > 0.2,
    "objective_won": lambda advantage, ratio: advantage > 0,
    "objective_lost": lambda advantage, ratio: advantage < 0,
}


def slopes(loss: Callable[..., Any], settings: Fields) -> dict[tuple[float, float], float]:
    """(advantage, ratio) -> slope of a decision's loss in the logit of the move that was played."""
    points = [(advantage, ratio) for advantage in (1.0, -1.0) for ratio in (0.5, 0.9, 1.1, 2.0)]
    advantage, ratio = np.array(points, np.float32).T
    logits = tf.zeros([len(points), 5])
    with tf.GradientTape() as tape:
        tape.watch(logits)
        value, mean_entropy, *_ = loss(
            logits,
            tf.zeros(len(points), tf.int32),
            advantage,
            np.log(0.2 / ratio),  # five equal moves: each has 0.2
            tf.ones([len(points), 5], tf.bool),
            ratio_clip=settings["ratio_clip"],
            won=settings["objective_won"],
            lost=settings["objective_lost"],
        )
        value -= settings["entropy"] * mean_entropy
    slope = len(points) * tape.gradient(value, logits).numpy()[:, 0]
    return dict(zip(points, slope.round(4).tolist(), strict=True))


def reaches_too_far(
    arm: Fields, base: Fields, loss: Callable[..., Any]
) -> set[tuple[float, float]]:
    """Points (advantage, ratio) at which two arms learn differently, though no field in which they
    differ reaches there.

    So a field that changes two things at once is seen, which a comparison of the configs misses.
    """
    ours, theirs = slopes(loss, arm), slopes(loss, base)
    reaches = [REACH[name] for name in differing(arm, base) if name in REACH]
    changed = {point for point in ours if ours[point] != theirs[point]}
    return {point for point in changed if not any(reach(*point) for reach in reaches)}


def is_policy_gradient(arm: Fields) -> bool:
    """Whether the arm learns by `policy_loss` alone."""
    return make_config(arm["learner"]).__class__ is PolicyGradientConfig
