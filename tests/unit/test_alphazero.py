"""AlphaZero: losses, targets and symmetries by hand, self-play against replayed games,
gate, files, runs cut short.
"""

from functools import lru_cache

import numpy as np
import pytest

from rlcourse.agents import load_agent, make_agent, save_agent
from rlcourse.agents.alphazero import AlphaZeroAgent, new_alphazero_agent
from rlcourse.agents.policy import PolicyAgent
from rlcourse.architectures import network_of
from rlcourse.encoders import get_encoder_by_name
from rlcourse.experience import ExperienceBuffer
from rlcourse.games import get_game
from rlcourse.judges.tictactoe import judge
from rlcourse.learning import alphazero, make_learner, train
from rlcourse.learning.alphazero import losses
from rlcourse.learning.alphazero_play import (
    EpisodeSpec,
    completed_q,
    play_at_random,
    play_episodes,
    visit_shares,
)
from rlcourse.networks import build_network, set_weights, weights_of
from rlcourse.self_play import SelfPlaySpec, play
from rlcourse.tf import tf

TICTACTOE, FOUR, GO = get_game("tic-tac-toe"), get_game("connect-four"), get_game("go", size=3)
TOWER = {"filters": 4, "blocks": 1, "head_filters": 2, "value_units": 8}
SMALL = {
    "network_options": TOWER,
    "games": 6,
    "simulations": 6,
    "batch": 16,
    "window": 60,
    "reuse": 2.0,
    "averaging": 0.0,
}


def scattered(arrays: dict[str, np.ndarray], seed: int = 0) -> dict[str, np.ndarray]:
    """The same shapes with no 0 anywhere: the second half of a block starts at
    0, and would hide mistakes.
    """
    rng = np.random.default_rng(seed)
    return {
        name: (rng.normal(size=array.shape) * 0.4).astype(np.float32)
        for name, array in arrays.items()
    }


def agent(game=FOUR, encoder: str = "two-plane", **options) -> AlphaZeroAgent:
    """A player with scattered weights."""
    fresh = new_alphazero_agent(game, encoder=encoder, network_options=TOWER)
    return make_agent(
        "alphazero", game, scattered(fresh.arrays()), **{**fresh.options(), **options}
    )


def some_rows(game, count: int, plies: int = 5):
    """A batch of `count` random games, all of which run."""
    batch = game.new_batch(count)
    play_at_random(batch, np.full(count, plies), np.random.default_rng(3))
    return batch


# --- the network ----------------------------------------------------------------------------------


def test_the_weights_counted_by_hand():
    """Connect Four, 32 filters, 3 blocks: stem 9*2*32 + 32 = 608; six convolutions of 9*32*32
    + 32 = 9,248; two of 32*8 + 8 = 264; logits 42*8*7 + 7 = 2,359; value 42*8*64 + 64 =
    21,568 and 65: in all 80,616."""
    model = build_network("alphazero")
    assert model.count_params() == 608 + 6 * 9_248 + 2 * 264 + 2_359 + 21_568 + 65 == 80_616
    assert (
        not weights_of(model)["block_3_b/kernel"].any()
        and weights_of(model)["block_3_a/kernel"].all()
    )
    for options in ({}, {"board": [5, 5], "planes": 11, "actions": 26, **TOWER}):
        shapes = {
            name: array.shape
            for name, array in weights_of(build_network("alphazero", **options)).items()
        }
        assert network_of("alphazero", **options).shapes() == shapes


def test_few_positions_many_and_a_tower_written_out_say_the_same():
    """Keras's own layers, applied one by one as the paper draws them; on
    a board that is not square.
    """
    player = agent()
    planes = player.encoder.encode_batch(some_rows(FOUR, 500))
    w = {name: tf.constant(array) for name, array in player.arrays().items()}

    def convolve(x, name):
        return tf.nn.conv2d(x, w[f"{name}/kernel"], 1, "SAME") + w[f"{name}/bias"]

    def dense(x, name):
        return x @ w[f"{name}/kernel"] + w[f"{name}/bias"]

    x = tf.nn.relu(convolve(tf.constant(planes.transpose(0, 2, 3, 1).astype(np.float32)), "stem"))
    x = tf.nn.relu(x + convolve(tf.nn.relu(convolve(x, "block_1_a")), "block_1_b"))
    logits = dense(tf.reshape(tf.nn.relu(convolve(x, "policy_points")), (500, -1)), "logits")
    hidden = tf.nn.relu(
        dense(tf.reshape(tf.nn.relu(convolve(x, "value_points")), (500, -1)), "value_dense")
    )
    policy, value = tf.nn.softmax(logits).numpy(), np.tanh(dense(hidden, "value").numpy())[:, 0]
    assert 2 < player.model._at_most < 500
    for rows in (slice(0, 2), slice(0, 500)):
        said = player.model(planes[rows])
        assert np.allclose(said[0], policy[rows], atol=1e-5) and np.allclose(
            said[1], value[rows], atol=1e-5
        )
    assert policy.std() > 0.02 and value.std() > 0.02


# --- the player -----------------------------------------------------------------------------------


def test_raw_is_the_networks_policy_and_simulations_are_visits():
    player = agent()
    batch, rows = some_rows(FOUR, 8), np.arange(8)
    policy, value = player.model(player.encoder.encode_batch(batch))
    raw = player.with_simulations(0).at_temperature(1).decide(batch, rows, np.random.default_rng(0))
    legal = np.where(batch.legal(), policy, 0)
    assert np.allclose(
        raw.policy, legal / legal.sum(axis=1, keepdims=True), atol=1e-6
    ) and np.allclose(raw.value, value)
    greedy = player.with_simulations(0).decide(batch, rows, np.random.default_rng(0))
    assert np.array_equal(greedy.action, legal.argmax(axis=1))
    searched = player.with_simulations(30).decide(batch, rows, np.random.default_rng(0))
    assert (searched.visits.sum(axis=1) == 30).all()
    assert np.array_equal(searched.visits[rows, searched.action], searched.visits.max(axis=1))
    new = player.evaluate.calls - player.evaluate.hits
    again = player.with_simulations(30).decide(batch, rows, np.random.default_rng(0))
    assert np.array_equal(again.visits, searched.visits)
    assert (
        100 < new <= player.evaluate.calls - player.evaluate.hits <= new + 5
    )  # known, but for two that share a place


def test_it_survives_a_file_and_says_what_is_wrong_with_another(tmp_path):
    player = agent(GO, "alphago-zero", simulations=12, c=1.7, temperature=0.5, sampled_plies=3)
    save_agent(player, tmp_path / "bot.h5")
    again = load_agent(tmp_path / "bot.h5")
    assert (
        isinstance(again, AlphaZeroAgent)
        and again.options() == player.options()
        and again.game == GO
    )
    state = GO.new_game().apply_move(GO.move(GO.new_game(), 4))
    for field in ("visits", "q", "value", "policy"):
        assert np.array_equal(
            getattr(again.think(state), field), getattr(player.think(state), field), equal_nan=True
        )
    save_agent(PolicyAgent.untrained(GO), tmp_path / "policy.h5")
    with pytest.raises(ValueError, match="network is 'alphazero'"):
        AlphaZeroAgent(load_agent(tmp_path / "policy.h5").model, get_encoder_by_name("simple", GO))
    with pytest.raises(ValueError, match="whole numbers"):
        make_agent(
            "alphazero", GO, player.arrays(), encoder="simple", network_options={"filters": 1e9}
        )
    with pytest.raises(ValueError, match="the weights of alphazero"):
        make_agent("alphazero", GO, {}, encoder="simple")


# --- two losses and L2 ----------------------------------------------------------------------------


def test_both_losses_by_hand():
    """p = (1/2, 1/4, 1/4) and pi = (0, 1/2, 1/2): cross-entropy log 4; v = 0.2, z = -1: 1.44.
    Where the first is illegal p = (0, 1/2, 1/2): log 2. The slope is p - pi, here halved by
    the mean over two positions."""
    logits = tf.constant([[np.log(2.0), 0, 0]] * 2, tf.float64)
    examples = {
        "legal": np.array([[1, 1, 1], [0, 1, 1]], bool),
        "pi": np.array([[0, 0.5, 0.5], [0, 0.5, 0.5]]),
        "value": np.array([-1.0, 0.2]),
    }
    tensors = {name: tf.constant(array) for name, array in examples.items()}
    with tf.GradientTape(persistent=True) as tape:
        value = tf.constant([0.2, 0.2], tf.float64)
        tape.watch([logits, value])
        policy_loss, error = losses(logits, value, tensors)
    assert float(policy_loss) == pytest.approx((np.log(4) + np.log(2)) / 2)
    assert float(error) == pytest.approx((1.44 + 0) / 2)
    slopes = tape.gradient(policy_loss, logits).numpy()
    assert np.allclose(slopes, np.array([[0.5, -0.25, -0.25], [0, 0, 0]]) / 2)
    assert np.allclose(tape.gradient(error, value), 2 * np.array([1.2, 0]) / 2)


def test_l2_counts_kernels_and_no_biases(monkeypatch):
    monkeypatch.setattr(alphazero, "L2", 0.5)
    made = make_learner("alphazero", **SMALL)
    weights = scattered(weights_of(made.model))
    set_weights(made.model, weights)
    examples = made.examples(made.collect(np.random.default_rng(0)))
    loss, policy, error = made.step(
        {**examples, "planes": examples["planes"].astype(np.float32)}
    ).numpy()
    squares = sum(
        (array.astype(float) ** 2).sum()
        for name, array in weights.items()
        if name.endswith("kernel")
    )
    assert loss == pytest.approx(policy + error + 0.5 * squares, rel=1e-5)


# --- what the search made of the policy -----------------------------------------------------------


@lru_cache
def searched(simulations: int = 20) -> tuple:
    player, batch = agent(TICTACTOE), some_rows(TICTACTOE, 12, 3)
    tree = player.with_simulations(simulations).grow(batch, np.arange(12), np.random.default_rng(0))
    return tree, batch


def test_targets_by_hand():
    tree, batch = searched()
    prior = tree.prior
    shares = visit_shares(tree, prior)
    assert np.array_equal(shares * 20, tree.visits) and not shares[~batch.legal()].any()
    improved = completed_q(tree, prior, sharpness=0.1)
    for row in range(12):  # the definition, one number after the other
        weights = []
        for action in range(9):
            tried = tree.visits[row, action] > 0
            q = tree.q[row, action] if tried else tree.root_value[row]
            weights.append(prior[row, action] * np.exp(0.1 * (50 + tree.visits[row].max()) * q))
        assert np.allclose(improved[row], np.array(weights) / sum(weights), atol=1e-4)
    assert not improved[~batch.legal()].any()
    best = np.nan_to_num(np.where(tree.visits > 0, tree.q, -2), nan=-2).argmax(axis=1)
    sharper = completed_q(tree, prior, sharpness=1.0)
    rows = np.arange(12)
    assert (
        sharper[rows, best] >= improved[rows, best] - 1e-9
    ).all()  # the higher Q, the likelier; from pi of -Q the reverse


# --- self-play ------------------------------------------------------------------------------------


def spec_of(player: AlphaZeroAgent, **changes) -> EpisodeSpec:
    how = {
        **player.options(),
        "simulations": 8,
        "noise": 0.5,
        "temperature": 1.0,
        "sampled_plies": 99,
    }
    return EpisodeSpec(
        player.game.name, "alphazero", player.encoder.name, 12, player.game.options, how, **changes
    )


@pytest.mark.parametrize(
    "game, encoder", [(TICTACTOE, "two-plane"), (FOUR, "two-plane"), (GO, "alphago-zero")]
)
def test_the_recorded_games_are_games(game, encoder):
    """Each game is played again from its actions: the positions are those that were recorded, z is
    the result for who moved, and pi lies on legal actions."""
    player = agent(game, encoder)
    buffer = play_episodes(spec_of(player), player.arrays(), 5, 2)
    results = set()
    for number in range(12):
        rows = np.flatnonzero(buffer["game"] == number)
        state = game.new_game()
        for ply, row in enumerate(rows):
            assert buffer["ply"][row] == ply and buffer["player"][row] == state.next_player
            assert np.array_equal(buffer["state"][row], player.encoder.encode(state))
            batch = game.new_batch(1)
            batch.load(0, state)
            assert np.array_equal(buffer["legal"][row], batch.legal()[0])
            state = state.apply_move(game.move(state, int(buffer["action"][row])))
        assert state.is_over()
        assert np.array_equal(
            buffer["reward"][rows],
            np.where(buffer["player"][rows] == 0, state.points, -state.points),
        )
        results.add(np.sign(state.points))
    assert len(results) > 1
    assert (
        np.allclose(buffer["policy"].sum(axis=1), 1, atol=1e-5)
        and not buffer["policy"][~buffer["legal"]].any()
    )
    assert np.abs(buffer["value"]).max() <= 1 and buffer["value"].std() > 0.01
    again = play_episodes(spec_of(player), player.arrays(), 5, 2)
    assert all(np.array_equal(again[name], column) for name, column in buffer.columns.items())


def test_openings_teach_nothing():
    """A game's first recorded decision comes after its random plies, 0 to 6 of them."""
    player = agent()
    buffer = play_episodes(spec_of(player, opening=6), player.arrays(), 1, 0)
    first = np.array([buffer["ply"][buffer["game"] == number].min() for number in range(12)])
    assert first.min() >= 0 and first.max() <= 6 and len(set(first.tolist())) > 2


def test_random_openings_are_legal_and_as_long_as_asked():
    batch, plies = FOUR.new_batch(50), np.arange(50) % 7
    play_at_random(batch, plies, np.random.default_rng(0))
    assert np.array_equal(batch.plies(), plies) and not batch.done.any()
    assert len({batch.cells[row].tobytes() for row in np.flatnonzero(plies == 6)}) > 3
    ended = TICTACTOE.new_batch(200)
    play_at_random(ended, np.full(200, 9), np.random.default_rng(0))
    assert not ended.done.any() and (ended.plies() == 0).all()


# --- learning -------------------------------------------------------------------------------------


def test_an_unknown_target_is_refused():
    with pytest.raises(ValueError, match="target is one of visits, completed-q; got 'Q'"):
        make_learner("alphazero", **{**SMALL, "target": "Q"})


def test_games_of_another_kind_are_refused():
    """The player's own games hold what a move was drawn from, which is no
    target, and no legal actions.
    """
    player = agent(TICTACTOE)
    how = {**player.options(), "simulations": 3}
    spec = SelfPlaySpec("tic-tac-toe", "alphazero", "two-plane", 2, {}, how, player.record)
    with pytest.raises(ValueError, match="not played by AlphaZero's self-play"):
        make_learner("alphazero", **SMALL).examples(play(spec, player.arrays(), 0, 0))


def test_the_values_target_is_a_mixture():
    made = make_learner("alphazero", **{**SMALL, "root_value": 0.25})
    buffer = made.collect(np.random.default_rng(0))
    assert np.allclose(
        made.examples(buffer)["value"], 0.75 * buffer["reward"] + 0.25 * buffer["value"]
    )
    drawn = ExperienceBuffer(
        {**buffer.columns, "reward": np.zeros_like(buffer["reward"])}, buffer.meta
    )
    plain = make_learner("alphazero", **{**SMALL, "root_value": 0.0})
    assert not plain.examples(drawn)["value"].any()  # a draw is worth 0, not -1


@pytest.mark.parametrize("gate_at", [0.0, 1.1])
def test_the_gate_lets_weights_through_or_keeps_the_best(gate_at):
    """The weights learned are another matter: those go on in both cases."""
    made = make_learner(
        "alphazero", **{**SMALL, "gate_games": 4, "gate_every": 2, "gate_at": gate_at}
    )
    first, rng, scores = made.chunks.weights, np.random.default_rng(0), []
    for _ in range(4):
        scores.append(made.update(made.collect(rng), rng)["gate"])
    learned = weights_of(made.model)
    assert scores[0] == scores[2] == -1 and all(0 <= score <= 1 for score in scores[1::2])
    assert not np.array_equal(learned["stem/kernel"], first["stem/kernel"])
    expected = learned if gate_at == 0 else first
    assert all(np.array_equal(made.agent().arrays()[name], expected[name]) for name in expected)


def test_the_gate_counts_draws_half():
    """Two equal players of tic-tac-toe, playing greedily with many
    simulations, draw: 1/2, below 55%.
    """
    made = make_learner(
        "alphazero",
        **{**SMALL, "gate_games": 4, "gate_every": 1, "simulations": 150, "temperature": 0.0},
    )
    same = made.chunks.weights
    assert made._gate(same, np.random.default_rng(0)) == (same, 0.5)


def test_weights_can_be_averaged():
    made = make_learner("alphazero", **{**SMALL, "averaging": 0.75})
    before, rng = made.chunks.weights, np.random.default_rng(0)
    made.update(made.collect(rng), rng)
    after = weights_of(made.model)
    for name, array in made.agent().arrays().items():
        assert np.allclose(array, 0.75 * before[name] + 0.25 * after[name], atol=1e-6)


@pytest.mark.slow
def test_tic_tac_toe_is_learned_in_seconds():
    """No line of replies beats the raw policy, nor the search; the stored seeds needed
    at most twice these games.
    """
    made = make_learner("alphazero", seed=0)

    def verdicts(player):
        return judge(player.with_simulations(0)), judge(player.with_simulations(50))

    def enough(row):
        return row.games > 8_000 or all(verdict.unbeatable for verdict in row.verdict)

    for row in train(made, until=enough, judge=verdicts, seed=0):
        pass
    assert row.games <= 8_000 and row.verdict[1].optimal >= 4_500
