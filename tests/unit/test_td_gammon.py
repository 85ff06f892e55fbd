"""TD-Gammon: the network, its two readings of a board, the targets, the learners.

Numbers by hand, Keras and brute force.
"""

import itertools

import numpy as np
import pytest

from rlcourse.agents.td_gammon import (
    THROWS,
    SparseNetwork,
    TDGammonAgent,
    best_of_each,
    equity,
    exact_outputs,
    expectimax,
    other_side,
)
from rlcourse.experience import ExperienceBuffer
from rlcourse.games import from_recipe, get_game
from rlcourse.games.backgammon import outcomes, units
from rlcourse.learning import games, make_learner, train
from tests.unit.killed_runs import assert_a_cut_run_goes_on, assert_a_seed_repeats_itself

GAME = get_game("backgammon")
SMALL = {"hidden": 12, "games": 8, "batch": 32, "hold": 16, "schedule": 64}


def positions(games_played: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """(checkers [M, 2, 26], roller [M]) of random games, the finished ones among them."""
    rng, batch = np.random.default_rng(seed), GAME.new_batch(games_played)
    boards, rollers = [], []
    while not batch.done.all():
        batch.roll(rng)
        rows = np.flatnonzero(~batch.done)
        choice = np.full(games_played, -1)
        choice[rows] = rng.integers(0, batch.counts(rows))
        batch.step(choice)
        boards.append(batch.checkers[rows])
        rollers.append(batch.to_play[rows])
    return np.concatenate(boards), np.concatenate(rollers)


def network(outputs: int, hidden: int = 20, seed: int = 0) -> dict[str, np.ndarray]:
    """Weights far from zero, so that a wrong unit is seen."""
    rng = np.random.default_rng(seed)
    shapes = {
        "hidden/kernel": (198, hidden),
        "hidden/bias": hidden,
        "outputs/kernel": (hidden, outputs),
        "outputs/bias": outputs,
    }
    return {name: rng.normal(0, 0.5, shape).astype(np.float32) for name, shape in shapes.items()}


@pytest.mark.parametrize("outputs", [1, 5])
def test_adding_rows_equals_the_keras_network_on_the_units(outputs):
    from rlcourse.networks import build_network, set_weights

    weights, model = network(outputs), build_network("td-gammon", hidden=20, outputs=outputs)
    set_weights(model, weights)
    boards, roller = positions(5, 1)
    for first_view in (roller, np.zeros_like(roller), 1 - roller):
        dense = model(units(boards, first_view, roller)).numpy()
        assert np.allclose(SparseNetwork(weights)(boards, first_view, roller), dense, atol=1e-5)


def test_equity_by_hand():
    """60% wins, 20% of all games gammons won and 5% backgammons; 10% gammons lost, none worse: 0.6
    + 0.2 + 0.05 for, 0.4 + 0.1 against, so 0.85 - 0.5 = 0.35 points. The other player sees the
    same with the sign turned."""
    mine = np.array([0.6, 0.2, 0.05, 0.1, 0.0])
    assert equity(mine) == pytest.approx(0.35)
    assert np.allclose(other_side(mine), [0.4, 0.1, 0.0, 0.2, 0.05])
    assert equity(other_side(mine)) == pytest.approx(-0.35)
    assert np.allclose(other_side(other_side(mine)), mine)
    assert equity(np.array([0.6])) == pytest.approx(0.2) == -equity(other_side(np.array([0.6])))
    for points in (1, 2, 3, -1, -2, -3):
        assert equity(exact_outputs(np.array([points]), 5))[0] == points


def test_a_finished_game_is_worth_its_points_whatever_the_network_says():
    boards, roller = positions(40, 2)
    over = np.flatnonzero(outcomes(boards))
    assert len(over) == 40 and len(np.unique(np.abs(outcomes(boards)))) == 4
    for view in ("roller", "first"):
        said = TDGammonAgent(GAME, network(5), view=view).outputs(boards, roller)
        assert np.allclose(equity(said[over]), outcomes(boards)[over] * (1 - 2.0 * roller[over]))


def test_both_views_speak_of_the_same_player():
    """A network whose output does not depend on the board says 0.9 to whom it speaks for."""
    weights = {name: np.zeros_like(array) for name, array in network(1).items()}
    weights["outputs/bias"][:] = np.log(9)
    boards, roller = positions(3, 3)
    running = outcomes(boards) == 0
    assert np.allclose(TDGammonAgent(GAME, weights).outputs(boards, roller)[running], 0.9)
    first = TDGammonAgent(GAME, weights, view="first").outputs(boards, roller)[running, 0]
    assert np.allclose(first, np.where(roller[running] == 0, 0.9, 0.1))


def test_the_best_of_each_row():
    values, offsets = np.array([1.0, 3.0, 3.0, -2.0, 5.0, 5.0, 6.0]), np.array([0, 3, 4, 7])
    assert best_of_each(values, offsets).tolist() == [1, 0, 2]
    rng = np.random.default_rng(0)
    offsets = np.concatenate([[0], np.cumsum(rng.integers(1, 6, 200))])
    values = rng.integers(0, 3, offsets[-1]).astype(np.float32)
    expected = [int(np.argmax(values[a:b])) for a, b in itertools.pairwise(offsets)]
    assert best_of_each(values, offsets).tolist() == expected


def test_two_plies_by_brute_force():
    """The mean over 36 throws of the opponent's best answer, through positions instead of
    arrays; and one finished game.
    """
    agent = TDGammonAgent(GAME, network(5), look_ahead=3)
    state = from_recipe("backgammon:4HPwATDgc/ABMA:0:31").apply_move(((8, 5), (6, 5)))
    total = 0.0
    for first in range(1, 7):
        for second in range(1, 7):
            thrown = state.with_dice(max(first, second), min(first, second))
            afters = np.stack([thrown.apply_move(move).checkers for move in thrown.legal_moves()])
            total -= (-equity(agent.outputs(afters, np.zeros(len(afters), np.int8)))).max() / 36
    assert expectimax(agent, state.checkers[None], np.array([1], np.int8))[0] == pytest.approx(
        total, abs=1e-5
    )
    boards, roller = positions(4, 5)
    over = outcomes(boards) != 0
    assert np.allclose(
        expectimax(agent, boards[over], roller[over]),
        -outcomes(boards)[over] * (1 - 2.0 * roller[over]),
    )


def test_the_look_ahead_plays_the_best_of_its_candidates():
    state = from_recipe("backgammon:4HPwATDgc/ABMA:0:42")
    flat, deep = TDGammonAgent(GAME, network(5)), TDGammonAgent(GAME, network(5), look_ahead=4)
    candidates = flat.candidates(state)
    assert [c.equity for c in candidates] == sorted((c.equity for c in candidates), reverse=True)
    assert candidates[0].move == flat.select_move(state)
    top = [state.apply_move(c.move).checkers for c in candidates[:4]]
    values = expectimax(flat, np.stack(top), np.ones(4, np.int8))
    assert deep.select_move(state) == candidates[int(np.argmax(values))].move
    assert deep.think(state).value[0] == pytest.approx(values.max(), abs=1e-6)


def test_three_plies_by_brute_force():
    """Of the answers to each throw the two best by the network look ahead themselves."""
    agent = TDGammonAgent(GAME, network(5))
    state = from_recipe("backgammon:4HPwATDgc/ABMA:0:31").apply_move(((8, 5), (6, 5)))
    total = 0.0
    for high, low in THROWS:
        thrown = state.with_dice(high, low)
        best = [thrown.apply_move(play.move).checkers for play in agent.candidates(thrown)[:2]]
        chance = (1 if high == low else 2) / 36
        total -= chance * expectimax(agent, np.stack(best), np.zeros(len(best), np.int8)).max()
    (value,) = expectimax(agent, state.checkers[None], np.array([1], np.int8), [2])
    assert value == pytest.approx(total, abs=1e-5)


def test_three_plies_choose_among_the_best_of_two():
    state = from_recipe("backgammon:4HPwATDgc/ABMA:0:42")
    flat = TDGammonAgent(GAME, network(5))
    moves = [candidate.move for candidate in flat.candidates(state)[:4]]
    boards = np.stack([state.apply_move(move).checkers for move in moves])
    kept = np.argsort(-expectimax(flat, boards, np.ones(4, np.int8)))[:2]
    values = expectimax(flat, boards[kept], np.ones(2, np.int8), [2])
    deep = flat.copy_with(look_ahead=(4, 2))
    assert deep.select_move(state) == moves[kept[int(np.argmax(values))]]
    assert deep.think(state).value[0] == pytest.approx(values.max(), abs=1e-6)


@pytest.mark.parametrize("widths", [-1, (5, -3)])
def test_a_look_ahead_at_fewer_than_no_plays_is_refused(widths):
    with pytest.raises(ValueError, match="look_ahead counts plays"):
        TDGammonAgent(GAME, network(5), look_ahead=widths)


def test_targets_worked_by_hand():
    """One game of three plies that the first player wins plainly; V by the network for whom it
    speaks, made first's by hand.

    positions s1 (second rolls), s2 (first rolls), s3 (over, first has won): G2 = V(s3) = 1
    exactly, and G1 = (1 - lam) V(s2) + lam G2. Targets are for the roller: 1 - G1 for s1, G2
    for s2; s3 teaches nothing.
    """
    from rlcourse.learning.td_gammon import chunk_targets

    agent, lam = TDGammonAgent(GAME, network(1)), 0.25
    boards, roller = positions(30, 6)
    end = int(np.flatnonzero((outcomes(boards) > 0) & (roller == 1))[0])
    other = np.flatnonzero(outcomes(boards) == 0)[:2]
    state = np.stack([boards[other[0]], boards[other[1]], boards[end]])
    columns = {"state": state, "action": np.zeros(3, np.int32), "reward": np.ones(3, np.float32)}
    columns |= {
        "player": np.array([0, 1, 0], np.int8),
        "game": np.zeros(3, np.int32),
        "ply": np.arange(3, dtype=np.int32),
    }
    targets, learned = chunk_targets(agent, ExperienceBuffer(columns), lam)
    v2 = agent.outputs(state[1:2], np.zeros(1, np.int8))[0, 0]
    assert learned.tolist() == [0, 1]
    assert targets[learned, 0] == pytest.approx([1 - (0.75 * v2 + 0.25), 1.0], abs=1e-6)


def test_returns_of_whole_chunks_do_not_leak_from_game_to_game():
    """lambda 1: every target of a game is its result, for the roller of each position."""
    from rlcourse.learning.td_gammon import chunk_targets

    learner = make_learner("td-gammon", seed=3, **SMALL)
    buffer = learner.collect(np.random.default_rng(0))
    targets, learned = chunk_targets(learner.agent(), buffer, 1.0)
    for_roller = -buffer["reward"]  # reward is the mover's, who does not roll next
    assert np.array_equal(targets[learned], exact_outputs(for_roller[learned], 5))
    assert (
        len(learned) == len(buffer) - buffer.games and not outcomes(buffer["state"][learned]).any()
    )


def test_a_game_that_is_broken_off_counts_by_the_network_s_word():
    """lambda 1: every target is V of the last position, for the roller of each; nothing is
    learned about the last one.
    """
    from rlcourse.learning.td_gammon import chunk_targets

    learner = make_learner("td-gammon", seed=3, **{**SMALL, "longest": 10})
    buffer = learner.collect(np.random.default_rng(0))
    assert buffer.games == 8 and buffer["ply"].max() == 9 and not buffer["reward"].any()
    agent = learner.agent()
    targets, learned = chunk_targets(agent, buffer, 1.0)
    last = np.flatnonzero(buffer["ply"] == 9)
    said = agent.outputs(buffer["state"][last], (1 - buffer["player"][last]).astype(np.int8))[
        buffer["game"]
    ]
    same_side = (buffer["player"] == buffer["player"][last][0])[:, None]
    assert np.allclose(
        targets[learned], np.where(same_side, said, other_side(said))[learned], atol=1e-6
    )
    assert len(learned) == 8 * 9


def test_the_gradient_of_the_traces_is_that_of_keras_and_of_differences():
    from rlcourse.learning.td_gammon_source import Traces
    from rlcourse.networks import build_network, set_weights
    from rlcourse.tf import tf

    weights = network(1, hidden=6)
    features = units(*[array[10:11] for array in positions(2, 7)], 0)[0]
    value, gradient = Traces(weights, 0.1, 0.7).value_and_gradient(features)
    model = build_network("td-gammon", hidden=6, outputs=1)
    set_weights(model, weights)
    with tf.GradientTape() as tape:
        said = model(features[None])[0, 0]
    for name, theirs in zip(gradient, tape.gradient(said, model.trainable_variables), strict=True):
        assert np.allclose(gradient[name], theirs, atol=1e-6), name
    assert value == pytest.approx(float(said), abs=1e-6)
    exact = {name: array.astype(np.float64) for name, array in weights.items()}
    moved = {**exact, "hidden/bias": exact["hidden/bias"] + np.eye(6)[2] * 1e-6}
    slope = (
        Traces(moved, 0, 0).value_and_gradient(features)[0]
        - Traces(exact, 0, 0).value_and_gradient(features)[0]
    ) / 1e-6
    assert gradient["hidden/bias"][2] == pytest.approx(slope, rel=1e-3)


def test_two_steps_of_the_traces_by_hand():
    """After step one the trace is g1, after step two lam g1 + g2; each step moves the
    weights by alpha td_error trace.
    """
    from rlcourse.learning.td_gammon_source import Traces

    weights = {name: array.astype(np.float64) for name, array in network(1, hidden=4).items()}
    start = {name: array.copy() for name, array in weights.items()}
    boards, roller = positions(2, 8)
    x1, x2 = units(boards[4:6], 0, roller[4:6])
    traces = Traces(weights, 0.2, 0.6)
    v1, g1 = traces.value_and_gradient(x1)
    v2, _ = traces.value_and_gradient(x2)
    assert traces.step(x1, x2, 0.0) == pytest.approx(v2 - v1)
    after_one = {name: start[name] + 0.2 * (v2 - v1) * g1[name] for name in start}
    assert all(np.allclose(weights[name], after_one[name], atol=1e-7) for name in start)
    v2, g2 = traces.value_and_gradient(x2)
    assert traces.step(x2, None, 1.0) == pytest.approx(
        1 - v2
    )  # a finished game is worth nothing beside its reward
    expected = {
        name: after_one[name] + 0.2 * (1 - v2) * (0.6 * g1[name] + g2[name]) for name in start
    }
    assert all(np.allclose(weights[name], expected[name], atol=1e-6) for name in start)


def test_the_same_seed_gives_the_same_network():
    assert_a_seed_repeats_itself("td-gammon", 24, **SMALL)
    assert_a_seed_repeats_itself("td-gammon-source", 1, hidden=40)


def test_a_run_that_was_cut_goes_on_bit_for_bit(tmp_path):
    assert_a_cut_run_goes_on(tmp_path, "td-gammon", 24, 48, **{**SMALL, "ahead": 2})


@pytest.mark.slow
def test_two_workers_teach_what_one_process_teaches():
    """Chunks are pure and played with weights of a fixed age, so the number
    of workers does not matter.
    """
    results = []
    for workers in (0, 2):
        learner = make_learner("td-gammon", seed=2, **{**SMALL, "ahead": 2, "workers": workers})
        list(train(learner, until=games(40), seed=2))
        results.append(learner.state())
        learner.close()
    assert all(np.array_equal(results[0][name], results[1][name]) for name in results[0])
