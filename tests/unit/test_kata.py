"""Parts of KataGo: laws and numbers worked by hand, and rows that are stored arm by arm."""

from dataclasses import fields

import numpy as np
import pytest

from rlcourse import results
from rlcourse.agents import load_agent
from rlcourse.agents.alphazero import AlphaZeroAgent
from rlcourse.agents.search_tree import SearchTree, uniform
from rlcourse.encoders.go_planes import SimpleEncoder
from rlcourse.experiments import EXPERIMENTS, kata, run_experiment
from rlcourse.experiments.base import Experiment
from rlcourse.experiments.kata_learner import KataLearner, learner_for
from rlcourse.experiments.kata_search import (
    KataAgent,
    KataTree,
    in_int8,
    play_kata,
    pruned,
    territory,
)
from rlcourse.forward import Snapshot
from rlcourse.games import from_recipe, get_game
from rlcourse.learning.alphazero_play import EpisodeSpec, play_episodes
from rlcourse.learning.chunks import in_parts
from rlcourse.networks import build_network, weights_of
from rlcourse.results import load_results
from rlcourse.self_play import play_at_random
from rlcourse.storage import load

TOWER = {"filters": 4, "blocks": 1, "head_filters": 2, "value_units": 8}
SMALL = {
    "network_options": TOWER,
    "games": 4,
    "simulations": 6,
    "batch": 16,
    "reuse": 0.5,
    "window": 2_000,
}


def learner(**settings) -> KataLearner:
    return learner_for(5, seed=3, **{**SMALL, **settings})


def chunk(**settings):
    """The first chunk of a small learner."""
    return learner(**settings).chunks.collect()


def test_ownership_and_score_of_a_finished_position_by_hand():
    """Columns from the left: Black's stones, two that touch both colours and are nobody's, White's
    stones, and one that touches White alone.
    """
    batch = get_game("go", size=5, komi=0.5).new_batch(1)
    batch.load(0, from_recipe("go size=5 komi=0.5:X..O./X..O./X..O./X..O./X..O. X"))
    owners, score = territory(batch)
    assert owners.reshape(5, 5).tolist() == [[1, 0, 0, -1, -1]] * 5
    assert score.tolist() == [[np.float32((5 - 10 - 0.5) / 25)]]


def test_targets_are_those_of_the_player_to_move():
    buffer = chunk(network_options={**TOWER, "territory": 1})
    sign = 1 - 2 * buffer["player"].astype(int)
    for game in range(4):
        rows = buffer["game"] == game
        blacks = buffer["ownership"][rows] * sign[rows, None]
        assert (blacks == blacks[0]).all()
        lead = blacks[0].sum() - 7.5
        assert np.allclose(buffer["score"][rows, 0] * sign[rows], lead / 25)
    # Who leads by the score has won.
    assert (np.sign(buffer["score"][:, 0]) == np.sign(buffer["reward"])).all()


def test_without_parts_the_games_are_those_of_alphazero():
    made = learner()
    names = [field.name for field in fields(EpisodeSpec)]
    plain = EpisodeSpec(**{name: getattr(made.chunks.spec, name) for name in names})
    ours = play_kata(made.chunks.spec, made.chunks.weights, 3, 0)
    for name, column in play_episodes(plain, made.chunks.weights, 3, 0).columns.items():
        assert (ours[name] == column).all()


def test_forced_playouts_are_made_by_hand():
    """A game without knowledge tries actions 0, 1, 2 ... once each.

    With k = 2 and P = 1/9 an action is to have sqrt(2 n / 9) visits after n simulations: more than
    1 from n = 5 on. So the five that were tried get their second visit before action 5 is tried.
    """
    roots = get_game("tic-tac-toe").new_batch(1)
    trees = [kind(roots, uniform, 10, np.random.default_rng(0)) for kind in (SearchTree, KataTree)]
    trees[1].forced = 2.0
    for _ in range(10):
        for tree in trees:
            tree.simulate()
    assert trees[0].edges["N"][0, 0].tolist() == [2, 1, 1, 1, 1, 1, 1, 1, 1]
    assert trees[1].edges["N"][0, 0].tolist() == [2, 2, 2, 2, 2, 0, 0, 0, 0]
    assert np.allclose(trees[1].prior, 1 / 9)


def test_pruning_by_hand():
    """c = 1, k = 2, 25 visits. Action 0, the most visited, scores 0.5 + 0.4 * 5 / (1 + 8) = 0.722.

    1: up to ceil(sqrt(2 * 0.2 * 25)) = ceil(3.16) = 4 of its 6 visits were forced, and with the 2
       that are left it scores 0.2 * 5 / 3 = 0.333 only.
    2: 0.5 + 0.2 * 5 / (1 + N) < 0.722 from N = 4 on: it loses 2 of its 6.
    3: Q = 0.75 alone is more than 0.722: it loses none of its 2.
    4: up to ceil(sqrt(2 * 0.05 * 25)) = 2 of its 2 were forced; -0.5 + 0.05 * 5 / 1 < 0.722.
    5: 0.6 + 0.1 * 5 / (1 + N) < 0.722 from N = 4 on, but a single playout goes all the same.
    6: never tried.
    """
    visits = np.array([[8, 6, 6, 2, 2, 1, 0]])
    prior = np.array([[0.4, 0.2, 0.2, 0.02, 0.05, 0.1, 0.03]])
    q = np.array([[0.5, 0.0, 0.5, 0.75, -0.5, 0.6, 0.0]])
    assert pruned(visits, prior, q, c=1.0, k=2.0).tolist() == [[8, 2, 4, 2, 0, 0, 0]]


def test_only_full_searches_become_policy_targets():
    buffer = chunk(simulations=8, fast=3, full=0.25)
    sums = buffer["policy"].sum(axis=1)
    full = sums > 0
    assert np.allclose(sums[full], 4) and 0.1 < full.mean() < 0.5
    assert np.abs(buffer["value"]).max() > 0  # a fast search still gives its value


def test_a_kept_subtree_starts_the_next_search():
    made = learner(keep=True, simulations=30)
    spec, rng = made.chunks.spec, np.random.default_rng(0)
    agent = KataAgent.from_arrays(made.game, made.chunks.weights, spec=spec, **spec.agent_options)
    batch, rows = made.game.new_batch(2), np.arange(2)
    first = agent.grow(batch, rows, rng)
    moves = first.visits.argmax(axis=1)
    visited = first.visits.max(axis=1)
    batch.step(moves)
    second = agent.grow(batch, rows, rng)
    # The first visit of a child is its own evaluation and goes on to none of its moves.
    assert (second.total[:, 0] == visited - 1 + 30).all() and (visited > 1).all()
    assert (second.visits.sum(axis=1) == second.total[:, 0]).all()


def test_weights_of_a_small_board_serve_larger_ones_and_see_the_same():
    """A convolution 3 x 3 sees the points around: inside the edge of a board, wherever that lies in
    a larger one, the odds between two points are the same.
    """
    options = {**TOWER, "any_size": 1, "planes": 11, "blocks": 0}
    drawn = weights_of(build_network("alphazero", seed=1, board=[5, 5], actions=26, **options))
    rng = np.random.default_rng(0)
    weights = {name: rng.normal(0, 0.3, array.shape) for name, array in drawn.items()}
    small = rng.integers(0, 2, (4, 11, 7, 7)).astype(np.int8)
    large = np.zeros((4, 11, 9, 9), np.int8)
    large[:, :, 1:8, 1:8] = small
    odds = []
    for size, planes in ((7, small), (9, large)):
        shape = {"board": [size, size], "actions": size * size + 1}
        policy, value = Snapshot("alphazero", {**options, **shape}, weights)(planes)
        edge = (size - 5) // 2
        inside = policy[:, :-1].reshape(4, size, size)[:, edge:-edge, edge:-edge]
        odds.append(inside / inside[:, :1, :1])
        assert policy.shape == (4, size * size + 1) and value.shape == (4,)
    assert np.allclose(*odds, rtol=1e-4) and odds[0].std() > 0.01


@pytest.mark.slow
@pytest.mark.parametrize("size", [5, 9])
def test_eight_bits_answer_nearly_the_same(size):
    """For random weights and positions they were not fitted to, alone and in a batch alike."""
    game = get_game("go", size=size)
    options = {"any_size": 1, "planes": 11, "board": [size, size], "actions": game.num_actions}
    drawn = weights_of(build_network("alphazero", **options))
    rng = np.random.default_rng(0)
    weights = {name: array + rng.normal(0, 0.05, array.shape) for name, array in drawn.items()}
    agent = AlphaZeroAgent(Snapshot("alphazero", options, weights), SimpleEncoder(game))
    batch = game.new_batch(45)
    play_at_random(batch, rng.integers(2, 2 * size, size=45), rng)
    planes = agent.encoder.encode_batch(batch, np.arange(45))
    (policy, value), eight_bits = agent.model(planes), in_int8(agent)
    quick_policy, quick_value = eight_bits(planes)
    assert np.abs(np.log(quick_policy / policy)).max() < 0.1 < np.ptp(np.log(policy))
    assert np.abs(quick_value - value).max() < 1 / 128  # a step of 8 bits from -1 to 1
    alone = [eight_bits(planes[[row]]) for row in range(45)]
    assert (np.concatenate([policy for policy, _ in alone]) == quick_policy).all()
    assert (np.concatenate([value for _, value in alone]) == quick_value).all()


@pytest.mark.slow
def test_self_play_asks_the_network_in_8_bits():
    exact, quick = chunk()["policy"], chunk(int8=True)["policy"]
    assert exact.shape != quick.shape or 0 < np.abs(exact - quick).max()


@pytest.mark.slow
def test_a_learner_starts_from_another_size():
    small = learner(network_options={**TOWER, "any_size": 1})
    rng = np.random.default_rng(0)
    small.update(small.collect(rng), rng)
    large = learner_for(7, seed=4, **{**SMALL, "network_options": {**TOWER, "any_size": 1}})
    large.start_from(small.chunks.weights)
    for name, array in small.chunks.weights.items():
        assert (large.trained.weights()[name] == array).all()
    assert large.collect(rng)["policy"].shape[1] == 50


@pytest.mark.slow
def test_the_player_of_9x9_grew_up_on_5x5_and_7x7(tmp_path, monkeypatch):
    """And a run whose checkpoints are gone, or that was cut, learns the same again."""
    players = []
    settings = {**SMALL, "network_options": {**TOWER, "any_size": 1}}
    monkeypatch.setattr(kata, "NINE", settings)
    monkeypatch.setattr(kata, "SAVED", 1)
    plans = {"before": {5: 8, 7: 8, 9: 0}, "end": {5: 8, 7: 8, 9: 8}}
    monkeypatch.setattr(kata, "CURVE", {"random weights": {9: 0}, **plans})
    monkeypatch.setattr(kata, "END", "end")
    monkeypatch.setattr(kata, "DEEP", 6)
    monkeypatch.setattr(kata, "judge_go", lambda player, **_: players.append(player))
    monkeypatch.setattr(kata, "sides", lambda verdict: None)
    for folder, arms in (("cut", ("before", "end", "random weights")), ("again", ("end",))):
        monkeypatch.setattr(kata, "gettempdir", (tmp_path / folder).__fspath__)
        (tmp_path / folder).mkdir()
        for arm in arms:
            assert list(kata.kata_go_9x9(3, arm)["seconds"]) == [
                f"{size}x{size}" for size in kata.CURVE[arm]
            ]
    # Two matches at each point of the curve, and three at its end.
    before, end, nothing, again = (players[k].arrays() for k in (0, 2, 5, 7))
    learned = load_checkpoint_weights(tmp_path / "cut" / "kata-go-9x9-seed-3-on-5x5-7x7.h5")
    stored = load_agent(tmp_path / "cut" / "kata-go-9x9-seed-3.h5")
    first = learner_for(9, seed=3, **settings).chunks.weights
    for name, array in end.items():
        assert (before[name] == learned[name]).all() and (array == again[name]).all()
        assert (stored.arrays()[name] == array).all() and (nothing[name] == first[name]).all()
    assert not all((end[name] == before[name]).all() for name in end)
    assert stored.game == players[2].game and stored.simulations == kata.STORED


def load_checkpoint_weights(path) -> dict:
    return in_parts(load(path, "checkpoint").arrays)["weights-0"]


PARTS = [
    {},
    {"network_options": {**TOWER, "territory": 1}},
    {"fast": 3},
    {"target": "visits", "forced": 2.0},
    {"keep": True},
    {"int8": True},
]


@pytest.mark.slow
@pytest.mark.parametrize("part", PARTS)
def test_training_twice_is_equal(part):
    states = []
    for _ in range(2):
        made, rng = learner(**part), np.random.default_rng(0)
        made.update(made.collect(rng), rng)
        states.append(made.state())
    assert all((states[0][name] == states[1][name]).all() for name in states[0])


@pytest.mark.slow
def test_further_heads_learn_what_was_at_the_end():
    """The error of the ownership falls on a chunk that is learned again and again."""
    made, rng = learner(network_options={**TOWER, "territory": 1}), np.random.default_rng(0)
    buffer = made.collect(rng)
    planes, errors = buffer["state"].astype(np.float32), []
    for _ in range(2):
        error = made.model(planes)[2].numpy() - buffer["ownership"]
        errors.append(np.square(error).mean())
        for _ in range(100):
            made.update(buffer, rng)
    assert errors[1] < 0.9 * errors[0]


def test_an_arm_is_stored_as_soon_as_it_is_measured(tmp_path, monkeypatch):
    calls = []

    def run(seed, arm):
        calls.append((seed, arm))
        return {"wins": seed}

    arms = Experiment("arms", "", run, 2, ("a", "b"))
    monkeypatch.setitem(EXPERIMENTS, "arms", arms)
    cut = run_experiment("arms", workers=0, folder=tmp_path)
    for _ in range(3):
        next(cut)
    cut.close()
    stored = load_results("arms", tmp_path)["rows"]
    assert stored == [
        {"seed": 0, "arms": {"a": {"wins": 0}, "b": {"wins": 0}}},
        {"seed": 1, "arms": {"a": {"wins": 1}}},
    ]
    here = results.machine()
    there = {**here, "processor": "another one"}
    monkeypatch.setattr(results, "machine", lambda: there)
    list(run_experiment("arms", workers=0, folder=tmp_path))
    assert calls == [(0, "a"), (0, "b"), (1, "a"), (1, "b")]
    goes_on = load_results("arms", tmp_path)
    assert goes_on["machine"] == there and goes_on["rows"] == [
        {"machine": here, **stored[0]},
        {"seed": 1, "arms": {"a": {"machine": here, "wins": 1}, "b": {"wins": 1}}},
    ]
