"""Connect Four solved: the labelled positions of its judge, and the first moves."""

import time
from typing import Any

import numpy as np

from rlcourse.experiments.base import Experiment
from rlcourse.games import GameState, get_game
from rlcourse.solvers.connect_four import ILLEGAL, ConnectFourSolver, plies_left
from rlcourse.solvers.connect_four_positions import PHASES, SETS, outcome_text, set_of

QUOTA = {name: 8 if name == "begin-hard" else 4 for name in SETS}  # positions a seed


def connect_four_positions(seed: int) -> dict[str, Any]:
    """Decision-only positions of Connect Four, 28 a seed, with the exact outcome of every move and the score."""
    rng, solver, seen = np.random.default_rng(seed), ConnectFourSolver(22), set()
    found: dict[str, list[list[Any]]] = {name: [] for name in SETS}
    while any(len(found[name]) < QUOTA[name] for name in SETS):
        missing = [
            phase
            for phase in PHASES
            if any(len(found[n]) < QUOTA[n] for n in SETS if n.startswith(phase))
        ]
        low, high = PHASES[missing[rng.integers(len(missing))]]
        moves, state = _random_game(int(rng.integers(low, high + 1)), rng)
        if state.is_over() or state in seen:
            continue
        seen.add(state)
        outcomes = solver.scores(state.board.reshape(1, -1), reach=1)[0]
        if len({*outcomes.tolist()} - {ILLEGAL}) == 1:
            continue  # every move is as good as any other
        score = solver.score(state)
        name = set_of(len(moves), int(plies_left(score, len(moves))))
        if len(found.get(name, ())) < QUOTA.get(name, 0):
            found[name].append([moves, outcome_text(outcomes), score])
    return {"seed": seed, "sets": found, "searched": solver.nodes}


def connect_four_openings(seed: int) -> dict[str, Any]:
    """The exact score of the empty board and of each first move, about two minutes for each; the seed does nothing."""
    solver, started = ConnectFourSolver(24), time.process_time()
    empty = get_game("connect-four").new_game()
    row = {"seed": seed, "score": solver.score(empty), "positions": solver.nodes}
    row["cpu_seconds"] = round(time.process_time() - started, 1)
    return {**row, "moves": list(solver.move_scores(empty).values())}


def _random_game(stones: int, rng: np.random.Generator) -> tuple[str, GameState]:
    """(the columns played, the position) after so many uniformly random moves, or fewer where the game ends before."""
    state, moves = get_game("connect-four").new_game(), ""
    while len(moves) < stones and not state.is_over():
        legal = state.legal_moves()
        moves += str(legal[rng.integers(len(legal))])
        state = state.apply_move(int(moves[-1]))
    return moves, state


EXPERIMENTS = (
    Experiment(
        "connect-four-positions", connect_four_positions.__doc__, connect_four_positions, 30
    ),
    Experiment("connect-four-openings", connect_four_openings.__doc__, connect_four_openings, 1),
)
