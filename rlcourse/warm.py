"""Compile every kernel of the course into the cache: `python -m rlcourse.warm`, run at set-up.

The modules themselves are compiled as well: where PYTHONDONTWRITEBYTECODE is set, as in many
containers, and in the boxes of the grader, every process would compile them again.
"""

import compileall
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np

from rlcourse.agents import load_agent, make_agent, search_cache, search_tree
from rlcourse.arena import play_match
from rlcourse.encoders import ENCODER_NAMES, get_encoder_by_name
from rlcourse.games import GAME_NAMES, IllegalMove, get_game
from rlcourse.games.go import go_position
from rlcourse.learning import LEARNER_NAMES, make_learner, td_lambda, train
from rlcourse.learning.train import games
from rlcourse.self_play import simulate_game
from rlcourse.solvers import bearoff, connect_four, processes


def warm_modules(folder: str | Path) -> None:
    """Write the bytecode of all modules below `folder`, except where that cannot be written."""
    compileall.compile_dir(folder, quiet=2)


def warm_game(name: str) -> None:
    """Run every kernel of the rules: a small match of random players and a parsed position."""
    game = get_game(name)
    agent = make_agent("random", game)
    play_match(agent, agent, games=4, seed=0)
    batch, rng = game.new_batch(2), np.random.default_rng(0)
    record = simulate_game(agent, agent, rng=rng)
    game.parse(record.states[1].recipe().split(":", 1)[1])
    if game.num_actions is None:
        batch.roll(rng)
        batch.afterstates()
        return
    batch.replay(game.new_batch(2), np.zeros((2, 1), np.int64), np.ones(2, np.int64))


def warm_go(name: str) -> None:
    """Run the kernels that only the chapters on Go use."""
    game = get_game(name)
    batch = game.new_batch(2)
    batch.playouts(np.arange(2))
    make_agent("rave", game, simulations=2).select_move(game.new_game())
    load_agent("go/policy-5x5").think(game.new_game())
    state = go_position(game.new_game().apply_move(game.move(game.new_game(), 0)))
    state.area()
    try:
        game.move(state, 0)
    except IllegalMove:
        pass


def warm_search(name: str) -> None:
    """Run both searching players, every encoder of the game, and a cache of evaluations."""
    game = get_game(name)
    for kind in ("uct", "puct"):
        make_agent(kind, game, simulations=2).select_move(game.new_game())
    for encoder_name in ENCODER_NAMES:
        try:
            encoder = get_encoder_by_name(encoder_name, game)
        except ValueError:  # an encoder of other games
            continue
        cached = search_cache.Cached(search_tree.uniform, encoder, bits=1)
        cached(game.new_batch(1), np.zeros(1, np.int64), np.random.default_rng(0))


def warm_solver(name: str) -> None:
    """Run the solver of Connect Four on a late position."""
    late = get_game(name).parse("5325415660240232040654413142361335")
    connect_four.solver().score(late), connect_four.solver().move_scores(late)


def warm_learner(name: str) -> None:
    """Run two updates of the learner and of its variants."""
    variants: list[dict[str, int]] = [{}] if name != "afterstates" else [{}, {"negamax": False}]
    if name.startswith("alphazero"):
        variants = [{"games": 2, "simulations": 2, "workers": 0}]
    for settings in variants:
        for _ in train(make_learner(name, **settings), until=games(2), seed=0):
            pass


def warm_prediction(name: str) -> None:
    """Compute the tables of the bear-off and run the learners of lesson 04 on one."""
    bearoff.two_sided()
    process = processes.bear_off(1)
    steps = processes.sample(process, np.random.default_rng(0), runs=1, episodes=1)
    td_lambda.backward_view(np.zeros(len(process.following)), steps, alpha=0.1, lam=0.5)
    td_lambda.lambda_errors(process, steps, [0.5], [0.1])
    td_lambda.n_step_errors(process, steps, [1], [0.1])


def warm(report: Callable[[str], None] = print) -> None:
    """Compile all kernels; `report` receives one line per step."""
    steps = (
        ("modules in", [str(Path(__file__).parent)], warm_modules),
        ("rules of", GAME_NAMES, warm_game),
        ("planes of", ("go",), warm_go),
        ("prediction in", ("the bear-off",), warm_prediction),
        ("search in", [name for name in GAME_NAMES if get_game(name).num_actions], warm_search),
        ("solver of", ("connect-four",), warm_solver),
        ("learner", LEARNER_NAMES, warm_learner),
    )
    for label, names, step in steps:
        for name in names:
            started = time.perf_counter()
            step(name)
            report(f"  {label} {name}: {time.perf_counter() - started:.1f} s")


if __name__ == "__main__":
    warm()
