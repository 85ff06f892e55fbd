"""Lesson 03: deep Q-learning in lock-step and as one compiled step, against one network call
a move and Keras's own fit.
"""

import statistics
import time
from collections.abc import Iterator

import numpy as np

from rlcourse.agents.deep_q import numbers_of, signs_of
from rlcourse.games import get_game
from rlcourse.judges.tictactoe import judge
from rlcourse.learning import make_learner, satisfied, train
from rlcourse.networks import build_network
from tests.benchmarks.speeds import Comparison, compare


def play_move_by_move(model: object, count: int, epsilon: float, rng: np.random.Generator) -> int:
    """The naive loop: one game after the other, one call of the Keras model for every greedy move.

    Returns the games.
    """
    game = get_game("tic-tac-toe")
    for _ in range(count):
        state = game.new_game()
        while not state.is_over():
            moves = state.legal_moves()
            if rng.random() < epsilon:
                move = moves[rng.integers(len(moves))]
            else:
                cells = state.board.reshape(1, 9)
                q = model(numbers_of(cells)).numpy()[0] * signs_of(cells)[0]
                move = max(moves, key=lambda square: q[square])
            state = state.apply_move(move)
    return count


def train_until_perfect(seed: int) -> tuple[float, int]:
    """(seconds, games) of the course's recipe until the judge is satisfied, judging included."""
    started = time.perf_counter()
    *_, row = train(
        make_learner("deep-q", seed=seed),
        until=satisfied("perfect"),
        judge=judge,
        every=5,
        seed=seed,
    )
    return time.perf_counter() - started, row.games


def rows(quick: bool) -> Iterator[Comparison]:
    """Yield one comparison after the other."""
    repetitions = 3 if quick else 9
    learner = make_learner("deep-q", seed=0)
    rng = np.random.default_rng(0)
    lockstep = ("lock-step", lambda: learner.collect(rng).games)
    one_by_one = (
        "move by move",
        lambda: play_move_by_move(learner.model, 5, learner.config.epsilon, rng),
    )
    self_play = compare("deep Q self-play", "games", lockstep, one_by_one, repetitions)
    yield self_play

    numbers, actions, targets = (
        numbers_of(np.zeros((256, 9), np.int8)),
        np.zeros(256, np.int32),
        np.zeros(256, np.float32),
    )
    fitted = build_network("deep-q", seed=0)
    fitted.compile(optimizer="adam", loss="huber")

    def steps_of_the_course() -> int:
        twenty = (np.stack([array] * 20) for array in (numbers, actions, targets))
        learner.gradient_steps(*twenty)
        return 20

    def steps_of_keras() -> int:
        """The naive step: predict all nine values, put the target in its place, fit."""
        for _ in range(3):
            wanted = fitted.predict(numbers, verbose=0)
            wanted[np.arange(256), actions] = targets
            fitted.fit(numbers, wanted, batch_size=256, verbose=0)
        return 3

    ours, naive_step = ("one tf.function", steps_of_the_course), ("predict and fit", steps_of_keras)
    gradient = compare("gradient steps of 256", "steps", ours, naive_step, repetitions)
    yield gradient

    # The naive way to the same end, from its rates: it would take minutes to run.
    took = [train_until_perfect(seed) for seed in range(1 if quick else 5)]
    seconds, played = (statistics.median(column) for column in zip(*took, strict=True))
    steps = played / learner.config.games * learner.config.steps
    naive = played / self_play.their_rate + steps / gradient.their_rate
    what = f"until perfect: {seconds:.1f} s, not {naive:.0f} s"
    yield Comparison(
        what, "measured", "from the rates above", "games", played / seconds, played / naive
    )
