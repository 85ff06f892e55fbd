"""Lessons 04 and 05: TD-Gammon in lock-step against one network call and one gradient tape a
move; where its time goes.
"""

from collections.abc import Iterator
from time import perf_counter

import numpy as np

from rlcourse.agents.td_gammon import SparseNetwork, TDGammonAgent
from rlcourse.games import get_game
from rlcourse.games.backgammon import units
from rlcourse.learning import make_learner
from rlcourse.networks import build_network, set_weights, weights_of
from rlcourse.tf import tf
from tests.benchmarks.speeds import Comparison, compare

GAMES = 256


def learn_move_by_move(
    model: object, count: int, rng: np.random.Generator, alpha: float = 0.1, lam: float = 0.7
) -> int:
    """The naive loop: one game after the other; for every move one call of the Keras model and one
    gradient tape, with eligibility traces. The model has one output and speaks for the first
    player. Returns the games."""
    game, variables = get_game("backgammon"), model.trainable_variables
    for _ in range(count):
        batch, traces = game.new_batch(1), [tf.zeros_like(variable) for variable in variables]
        here = units(batch.checkers, 0, 0)
        while not batch.done[0]:
            batch.roll(rng)
            player = int(batch.to_play[0])
            features = units(batch.afterstate_boards()[0], 0, 1 - player)
            values = model(features).numpy()[:, 0]
            action = int(np.argmax(values if player == 0 else -values))
            batch.step(np.array([action]))
            with tf.GradientTape() as tape:
                value = model(here)[0, 0]
            target = float(batch.points[0] > 0) if batch.done[0] else values[action]
            for k, gradient in enumerate(tape.gradient(value, variables)):
                traces[k] = lam * traces[k] + gradient
                variables[k].assign_add(alpha * (target - float(value)) * traces[k])
            here = features[action : action + 1]
    return count


def rows(quick: bool) -> Iterator[Comparison]:
    """Yield one comparison after the other.

    Both networks have learned a little, so that games have their usual length.
    """
    repetitions = 3 if quick else 7
    learner, rng = make_learner("td-gammon", seed=0), np.random.default_rng(0)
    for _ in range(16):
        learner.update(learner.collect(rng), rng)
    naive = build_network("td-gammon", hidden=40, outputs=1)
    taught = make_learner("td-gammon", seed=0, hidden=40, outputs=1)
    for _ in range(16):
        taught.update(taught.collect(rng), rng)
    set_weights(naive, taught.weights)

    def lockstep() -> int:
        buffer = learner.collect(rng)
        learner.update(buffer, rng)
        return buffer.games

    by_move = ("move by move, 198-40-1", lambda: learn_move_by_move(naive, 1, rng))
    yield compare(
        "TD-Gammon with learning", "games", ("lock-step, 198-80-5", lockstep), by_move, repetitions
    )
    yield from _evaluation(learner.chunks.weights, repetitions, rng)
    yield from _parts(learner, rng)
    yield _two_workers(repetitions, rng)


def _evaluation(
    weights: dict[str, np.ndarray], repetitions: int, rng: np.random.Generator
) -> Iterator[Comparison]:
    """The same boards by adding rows of weights and by one TensorFlow call on their 198 units."""
    batch = get_game("backgammon").new_batch(GAMES)
    batch.roll(rng)
    boards, _ = batch.afterstate_boards()
    roller, sparse, model = (
        np.ones(len(boards), np.int8),
        SparseNetwork(weights),
        build_network("td-gammon"),
    )
    set_weights(model, weights)
    dense = tf.function(model, input_signature=[tf.TensorSpec([None, 198], tf.float32)])

    def by_rows() -> int:
        sparse(boards, roller, roller)
        return len(boards)

    def by_units() -> int:
        dense(units(boards, roller, roller)).numpy()
        return len(boards)

    ours, theirs = ("rows added", by_rows), ("198 units, TensorFlow", by_units)
    yield compare("positions valued", "positions", ours, theirs, 3 * repetitions)


def _parts(learner: object, rng: np.random.Generator) -> Iterator[Comparison]:
    """How much of the learner's time each part takes, as games/s of the whole beside
    games/s of the part alone.
    """
    agent = TDGammonAgent(learner.game, weights_of(learner.model))
    spent = dict.fromkeys(("throw and generate", "value", "choose and step", "learn"), 0.0)
    batch = learner.game.new_batch(GAMES)
    while not batch.done.all():
        clock = [perf_counter()]
        batch.roll(rng)
        rows_ = np.flatnonzero(~batch.done)
        boards, offsets = batch.afterstate_boards(rows_)
        clock.append(perf_counter())
        agent.outputs(boards, np.repeat(1 - batch.to_play[rows_], np.diff(offsets)).astype(np.int8))
        clock.append(perf_counter())
        choice = np.full(GAMES, -1)
        choice[rows_] = agent.decide(batch, rows_, rng).action
        clock.append(perf_counter())
        batch.step(choice)
        clock.append(perf_counter())
        generate, value, again, step = np.diff(clock)
        spent["throw and generate"] += generate
        spent["value"] += value
        spent["choose and step"] += (
            max(0.0, again - value) + step
        )  # `decide` generates nothing, but values once more
    buffer = learner.collect(rng)
    started = perf_counter()
    learner.update(buffer, rng)
    spent["learn"] = perf_counter() - started
    whole = sum(spent.values())
    for part, seconds in spent.items():
        what = f"{part}: {seconds / whole:.0%} of the time"
        yield Comparison(what, "this part", "all", "games", GAMES / seconds, GAMES / whole)


def _two_workers(repetitions: int, rng: np.random.Generator) -> Comparison:
    """The same learner with two processes that play, and with none."""
    learners = {
        workers: make_learner("td-gammon", seed=0, games=512, workers=workers) for workers in (2, 0)
    }

    def chunks(workers: int) -> int:
        """Play and learn four chunks; returns the games."""
        learner = learners[workers]
        for _ in range(4):
            learner.update(learner.collect(rng), rng)
        return 4 * 512

    for _ in range(3):
        chunks(2), chunks(0)
    try:
        ours, theirs = ("two workers", lambda: chunks(2)), ("one process", lambda: chunks(0))
        return compare("TD-Gammon, two cores", "games", ours, theirs, repetitions)
    finally:
        learners[2].close()
