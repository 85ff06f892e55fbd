"""Connect Four solved: the labelled positions of its judge, and the first moves."""

from typing import Any

import numpy as np

from rlcourse.experiments.base import Results, Stopwatch, experiment
from rlcourse.games import GameState, get_game
from rlcourse.solvers.connect_four import ILLEGAL, ConnectFourSolver, cells_of, plies_left
from rlcourse.solvers.connect_four_positions import PHASES, SETS, outcome_text, set_of

QUOTA = {name: 8 if name == "begin-hard" else 4 for name in SETS}  # positions a seed


@experiment("connect-four-positions", seeds=30)
def connect_four_positions(seed: int) -> Results:
    """Decision-only positions of Connect Four, 28 a seed, with the outcome of every move."""
    rng, solver, seen = np.random.default_rng(seed), ConnectFourSolver(22), set()
    sets: dict[str, list[list[Any]]] = {name: [] for name in SETS}
    while any(len(sets[name]) < QUOTA[name] for name in SETS):
        missing = [
            phase
            for phase in PHASES
            if any(len(sets[n]) < QUOTA[n] for n in SETS if n.startswith(phase))
        ]
        low, high = PHASES[missing[rng.integers(len(missing))]]
        moves, state = _random_game(int(rng.integers(low, high + 1)), rng)
        if state.is_over() or state in seen:
            continue
        seen.add(state)
        outcomes = solver.scores(cells_of(state), reach=1)[0]
        if len({*outcomes.tolist()} - {ILLEGAL}) == 1:
            continue  # every move is as good as any other
        score = solver.score(state)
        name = set_of(len(moves), int(plies_left(score, len(moves))))
        if len(sets.get(name, ())) < QUOTA.get(name, 0):
            sets[name].append([moves, outcome_text(outcomes), score])
    return {"seed": seed, "sets": sets, "searched": solver.nodes}


@experiment("connect-four-openings", seeds=1)
def connect_four_openings(seed: int) -> Results:
    """The exact score of the empty board and of each first move, in two minutes each."""
    solver, clock = ConnectFourSolver(24), Stopwatch()
    empty = get_game("connect-four").new_game()
    return {
        "seed": seed,
        "score": solver.score(empty),
        "positions": solver.nodes,
        "cpu_seconds": round(clock.seconds, 1),
        "moves": list(solver.move_scores(empty).values()),
    }


def _random_game(stones: int, rng: np.random.Generator) -> tuple[str, GameState]:
    """(the columns played, the position) after so many random moves, fewer if the game ends."""
    state, moves = get_game("connect-four").new_game(), ""
    while len(moves) < stones and not state.is_over():
        legal = state.legal_moves()
        moves += str(legal[int(rng.integers(len(legal)))])
        state = state.apply_move(int(moves[-1]))
    return moves, state
