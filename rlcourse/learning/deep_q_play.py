"""Self-play of the deep Q-learner: many games of tic-tac-toe in lock-step, epsilon-greedy for both players."""

from collections.abc import Callable

import numpy as np

from rlcourse.experience import ExperienceBuffer
from rlcourse.games import get_game
from rlcourse.self_play import Recorder


def play_games(
    values: Callable[[np.ndarray], np.ndarray],
    games: int,
    *,
    epsilon: float,
    masked: bool,
    rng: np.random.Generator,
) -> ExperienceBuffer:
    """Play `games` games at once and record every decision, game by game, ply by ply.

    values(cells [R, 9]) -> [R, 9] for the player to move; he takes the highest, or with probability epsilon a square drawn
    uniformly: among the legal ones, or with masked False among all nine. A stone on an occupied square ends the game, the
    board is cleared and the other player has won. Columns beside the required ones: next_state [T, 9] int8, terminal [T].
    """
    game = get_game("tic-tac-toe")
    batch, recorder = game.new_batch(games), Recorder(game, "cells", games)
    forfeited = np.zeros(games, np.bool_)
    points = np.zeros(games, np.float32)
    while not (over := batch.done | forfeited).all():
        rows = np.flatnonzero(~over)
        before, legal = batch.cells[rows], batch.legal(rows)
        allowed = legal if masked else np.ones_like(legal)
        greedy = np.where(allowed, values(before), -np.inf).argmax(axis=1)
        random = np.where(allowed, rng.random(allowed.shape), -1.0).argmax(axis=1)
        action = np.where(rng.random(len(rows)) < epsilon, random, greedy)
        illegal = ~legal[np.arange(len(rows)), action]
        player = batch.to_play[rows].copy()
        steps = np.full(games, -1, np.int64)
        steps[rows] = np.where(illegal, -1, action)
        batch.step(steps)
        forfeited[rows] = illegal
        points[rows] = np.where(illegal, 2.0 * player - 1.0, batch.points[rows])
        recorder.add(
            rows,
            player,
            action,
            state=before,
            next_state=np.where(illegal[:, None], np.int8(0), batch.cells[rows]),
            terminal=batch.done[rows] | illegal,
        )
    return recorder.buffer(points)
