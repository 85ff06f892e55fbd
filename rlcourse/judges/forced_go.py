"""Forced moves of Go: one move alone keeps three stones or more from being taken.

They are found by looking two plies ahead. How often a policy plays something else needs no game: it
is the sum of the probabilities that it gives to the other moves.
"""

from functools import lru_cache
from typing import NamedTuple

import numpy as np

from rlcourse.agents.base import BatchAgent, RandomAgent
from rlcourse.errors import BadValue
from rlcourse.games import Game, GameState
from rlcourse.games.go import GoState, Move, go_position

STONES = 3  # that are lost unless the forced move is played


class Forced(NamedTuple):
    """A position and the one action that saves the stones of the player to move."""

    state: GameState
    action: int


def most_taken(state: GoState) -> int:
    """Most stones that the player to move takes with one move."""
    opponent = 1 - state.next_player
    before = state.captured[opponent]
    moves = (move for move in state.legal_moves() if move.is_play)
    return max((state.apply_move(move).captured[opponent] - before for move in moves), default=0)


def forced_move(game: Game, state: GameState, stones: int = STONES) -> int | None:
    """The only sensible action after which the opponent takes few stones with the next move.

    Few are fewer than `stones`. None where there is no such action or more than one, where nothing
    else could be played, and where no `stones` stones are in danger: passing would not lose them.
    """
    if state.is_over():
        return None
    position = go_position(state)
    passed = position.apply_move(Move.pass_turn())
    if passed.is_over() or most_taken(passed) < stones:
        return None
    batch = game.new_batch(1)
    batch.load(0, state)
    sensible = np.flatnonzero(batch.sensible()[0])
    saving = []
    for action in sensible.tolist():
        if most_taken(position.apply_move(game.move(position, action))) < stones:
            saving.append(action)
    return saving[0] if len(saving) == 1 and len(sensible) > 1 else None


@lru_cache(maxsize=4)
def forced_positions(game: Game, count: int = 200, seed: int = 0) -> tuple[Forced, ...]:
    """The first `count` forced moves in games of random play.

    There is at most one of each game, so that they do not resemble one another. They depend on
    nothing but the seed, also on another processor.
    """
    player, rng = RandomAgent(game, seed=seed), np.random.default_rng(seed)
    positions: list[Forced] = []
    while len(positions) < count:
        state, forced = game.new_game(), []
        while not state.is_over():
            action = forced_move(game, state)
            if action is not None:
                forced.append(Forced(state, action))
            state = state.apply_move(player.select_move(state))
        if forced:
            positions.append(forced[rng.integers(len(forced))])
    return tuple(positions)


def share_missed(agent: BatchAgent, positions: tuple[Forced, ...]) -> float:
    """Mean probability, in [0, 1], with which the agent plays another move than the forced one.

    Raises ValueError for an agent that gives no policy.
    """
    batch = agent.game.new_batch(len(positions))
    for row, position in enumerate(positions):
        batch.load(row, position.state)
    rows = np.arange(len(positions))
    policy = agent.decide(batch, rows, np.random.default_rng(0)).policy
    if policy is None:
        raise BadValue(f"{agent.name} gives no policy, so nothing is known of what it misses")
    return float(1 - policy[rows, [position.action for position in positions]].mean())
