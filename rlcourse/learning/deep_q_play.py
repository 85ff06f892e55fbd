"""Self-play of the deep Q-learner: tic-tac-toe in lock-step, epsilon-greedy on both sides."""

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
    """Play `games` games at once. Further columns: next_state [T, 9] int8, terminal [T] bool.

    values(cells [R, 9]) -> [R, 9] for the player to move, who plays the square of highest value or,
    with probability epsilon, a uniformly random one: among the legal squares, or with masked False
    among all nine. A move to an occupied square ends the game and loses it; the next state is then
    an empty board.
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
        next_state = np.where(illegal[:, None], np.int8(0), batch.cells[rows])
        terminal = batch.done[rows] | illegal
        recorder.add(rows, player, action, state=before, next_state=next_state, terminal=terminal)
    return recorder.buffer(points)
