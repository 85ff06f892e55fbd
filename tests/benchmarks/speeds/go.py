"""Lesson 06a: random games of Go to their end, superko included, on two threads against one, and
against move by move; self-play of a network in lock-step against the book's loop, which asks
`model.predict` for every move."""

from collections.abc import Iterator
from typing import Any

import numpy as np

from rlcourse.agents import make_agent
from rlcourse.agents.policy import PolicyAgent
from rlcourse.games import get_game
from rlcourse.games.go import Board, Move, is_point_an_eye
from rlcourse.learning import make_learner
from rlcourse.sampling import clip_probs
from rlcourse.self_play import play, simulate_game
from tests.benchmarks.speeds import Comparison, compare
from tests.unit.one_by_one import record_one_by_one


class Naive:
    """The book's select_move as printed: `model.predict` for one position, then a loop over
    the points in a drawn order.
    """

    def __init__(self, agent: PolicyAgent, rng: np.random.Generator) -> None:
        self.name, self.game, self.encoder, self.model, self.rng = (
            "naive",
            agent.game,
            agent.encoder,
            agent.model,
            rng,
        )

    def select_move(self, state: Any) -> Move:
        """The first point of the order that is legal and fills no own eye, else a pass."""
        said = self.model.predict(self.encoder.encode(state)[None].astype(np.float32), verbose=0)
        points = said.shape[1] - 1
        board: Board = state.board
        order = self.rng.choice(
            points, points, replace=False, p=clip_probs(said[:, :-1] / said[:, :-1].sum())[0]
        )
        for action in order.tolist():
            row, col = divmod(action, board.num_cols)
            move = Move.play((board.num_rows - row, col + 1))
            if state.is_valid_move(move) and not is_point_an_eye(
                board, move.point, state.next_player
            ):
                return move
        return Move.pass_turn()


def _self_play(repetitions: int) -> Iterator[Comparison]:
    """The course's small network on 5 x 5, before it has learned anything."""
    learner, rng = make_learner("policy-gradient", seed=0, games=512), np.random.default_rng(0)
    pair = make_learner("policy-gradient", seed=0, games=512, ahead=2, workers=2)
    recipe = make_learner("policy-gradient", seed=0)
    naive, players = (
        Naive(PolicyAgent(learner.model, learner.encoder), rng),
        (learner.agent(), learner.agent()),
    )

    def naive_game() -> int:
        simulate_game(naive, naive)
        return 1

    def two_workers() -> int:
        """Four chunks, none of which was begun before the call."""
        chunks = pair.chunks
        waiting = [
            chunks.pool.submit(play, chunks.spec, chunks.weights, 0, number) for number in range(4)
        ]
        return sum(future.result().games for future in waiting)

    def with_learning() -> int:
        """Two chunks, each played and learned from."""
        buffers = [recipe.collect(rng) for _ in range(2)]
        for buffer in buffers:
            recipe.update(buffer, rng)
        return sum(buffer.games for buffer in buffers)

    lockstep = ("lock-step", lambda: learner.collect(rng).games)
    by_predict = ("model.predict for every move", naive_game)
    compiled = (
        "one by one, without TensorFlow",
        lambda: record_one_by_one(*players, games=5).games // 2,
    )
    what = "self-play by a network, 5 x 5"
    yield compare(what, "games", lockstep, by_predict, repetitions)
    yield compare(what, "games", ("lock-step, two workers", two_workers), by_predict, repetitions)
    yield compare(what, "games", lockstep, compiled, repetitions)
    yield compare(
        "the same, with learning", "games", ("lock-step", with_learning), by_predict, repetitions
    )
    pair.close()


def rows(quick: bool) -> Iterator[Comparison]:
    """Yield one comparison after the other."""
    repetitions = 3 if quick else 9
    for size, games in ((5, 40_000), (9, 12_000)):
        game = get_game("go", size=size)
        batch, seeds, agent = (
            game.new_batch(games),
            np.arange(games),
            make_agent("random", game, seed=0),
        )

        def random_games(threads: int, batch=batch, seeds=seeds) -> int:
            return len(batch.playouts(seeds, threads=threads))

        def move_by_move(agent=agent) -> int:
            return len([simulate_game(agent, agent) for _ in range(5)])

        two = ("two threads", lambda play=random_games: play(2))
        what = f"random games of Go on {size} x {size}"
        yield compare(
            what, "games", two, ("one thread", lambda play=random_games: play(1)), repetitions
        )
        yield compare(what, "games", two, ("move by move", move_by_move), repetitions)
    yield from _self_play(repetitions)
