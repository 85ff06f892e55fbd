"""Lesson 03: deep Q self-play move by move and in lock-step, one network call a move against one a ply."""

from collections.abc import Iterator

import numpy as np

from rlcourse.agents.deep_q import numbers_of, signs_of
from rlcourse.benchmarks import Comparison, compare
from rlcourse.games import get_game
from rlcourse.judges.tictactoe import judge
from rlcourse.learning import games, make_learner, train


def play_move_by_move(model: object, count: int, epsilon: float, rng: np.random.Generator) -> int:
    """The naive loop: one game after the other, one call of the Keras model for every greedy move. Returns the games."""
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


def rows(quick: bool) -> Iterator[Comparison]:
    """Yield one comparison after the other."""
    repetitions = 3 if quick else 9
    learner = make_learner("deep-q", seed=0)
    rng = np.random.default_rng(0)
    lockstep = ("lock-step", lambda: learner.collect(rng).games)
    one_by_one = ("move by move", lambda: play_move_by_move(learner.model, 5, learner.config.epsilon, rng))
    yield compare("deep Q self-play", "games", lockstep, one_by_one, repetitions)

    def learn(kind: str) -> int:
        small = make_learner("deep-q", seed=0, games=10, steps=10)
        if kind == "fit":
            small.model.compile(optimizer=small.optimizer, loss="huber")
            small.step = lambda numbers, actions, targets: _fit(small.model, numbers, actions, targets)
        *_, row = train(small, until=games(20), seed=0)
        return 10 * row.updates

    yield compare("gradient steps of 256", "steps", ("tf.function", lambda: learn("step")), ("Keras fit", lambda: learn("fit")), 3)
    agent = learner.agent()

    def judge_once() -> int:
        judge(agent)
        return 1

    def judge_with_keras() -> int:
        agent_of_keras = learner.agent()
        agent_of_keras.values = lambda cells: learner.model(numbers_of(cells)).numpy() * signs_of(cells)[:, None]
        judge(agent_of_keras)
        return 1

    yield compare(
        "a verdict on a network", "verdicts", ("627 canonical positions, NumPy", judge_once), ("4,520, Keras", judge_with_keras),
        repetitions,
    )  # fmt: skip


def _fit(model: object, numbers: np.ndarray, actions: np.ndarray, targets: np.ndarray) -> float:
    """The naive gradient step: predict all nine values, put the target in its place, fit."""
    wanted = model.predict(numbers, verbose=0)
    wanted[np.arange(len(actions)), actions] = targets
    return model.fit(numbers, wanted, batch_size=len(numbers), verbose=0).history["loss"][0]
