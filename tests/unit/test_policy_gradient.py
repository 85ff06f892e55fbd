"""The policy gradient: by hand, by differences, against Keras; wrong variants; the same seed,
runs that were cut, files.
"""

from dataclasses import replace

import numpy as np
import pytest
from typer.testing import CliRunner

from rlcourse.agents import load_agent
from rlcourse.agents.policy import PolicyAgent
from rlcourse.encoders import get_encoder_by_name
from rlcourse.experience import ExperienceBuffer
from rlcourse.games import get_game
from rlcourse.learning import chunks, games, learner_from, make_learner, train
from rlcourse.learning.policy_gradient import AS_PRINTED, REINFORCE, policy_loss
from rlcourse.learning.symmetry import turned
from rlcourse.learning.trained import Diverged
from rlcourse.networks import build_network, set_weights, weights_of
from rlcourse.self_play import play, record_games
from rlcourse.storage import StorageError
from rlcourse.tf import keras, tf
from tests.unit.killed_runs import assert_a_cut_run_goes_on, assert_a_seed_repeats_itself

GAME = get_game("go", size=3)
SMALL = {"size": 3, "games": 8, "batch": 32, "network_options": {"filters": 4, "layers": 1}}
PRINTED = {
    **AS_PRINTED,
    "size": 3,
    "games": 8,
    "network_options": {"convolutions": [[4, 3]], "dense": 8},
}


LOG_PI = {"won": "log-prob", "lost": "log-prob"}
RATIO = {"won": "ratio", "lost": "ratio"}


def loss_and_gradient(
    logits, action, advantage, log_prob=None, allowed=None, ratio_clip=0.2, entropy=0.0, **objective
):
    """(loss, d loss / d logits [B, A]) in float64; objective: won and lost,
    by default log pi for both.
    """
    logits = tf.constant(np.array(logits, np.float64))
    allowed = np.ones(logits.shape, bool) if allowed is None else np.array(allowed)
    log_prob = np.zeros(len(action)) if log_prob is None else np.array(log_prob, np.float64)
    with tf.GradientTape() as tape:
        tape.watch(logits)
        loss, mean_entropy, _ = policy_loss(
            logits,
            np.array(action, np.int32),
            tf.constant(advantage, tf.float64),
            tf.constant(log_prob),
            allowed,
            ratio_clip=ratio_clip,
            **(objective or LOG_PI),
        )
        loss -= entropy * mean_entropy
    return float(loss), tape.gradient(loss, logits).numpy()


# pi = (1/2, 1/4, 1/4)
HALF = [[np.log(2.0), 0.0, 0.0]]


def test_the_gradient_of_log_pi_by_hand():
    """-R log pi(a) has the gradient R (pi - onehot): a win makes the
    move likelier, a loss rarer.
    """
    loss, gradient = loss_and_gradient(HALF, [0], [1.0])
    assert loss == pytest.approx(np.log(2)) and np.allclose(gradient, [[-0.5, 0.25, 0.25]])
    loss, gradient = loss_and_gradient(HALF, [1], [-1.0])
    assert loss == pytest.approx(-np.log(4)) and np.allclose(gradient, [[-0.5, 0.75, -0.25]])
    # Without the third move pi = (2/3, 1/3, 0), and nothing flows to what is not allowed.
    loss, gradient = loss_and_gradient(HALF, [0], [1.0], allowed=[[True, True, False]])
    assert loss == pytest.approx(np.log(1.5)) and np.allclose(gradient, [[-1 / 3, 1 / 3, 0]])


# d loss / d logits of move 0 of HALF is slope * (pi - onehot). It was played with 0.4, so r =
# 1.25, or with 2/3, so r = 0.75.
SLOPES = {  # (won, lost, clip): of a win at 1.25 and at 0.75, of a loss at 1.25 and at 0.75
    ("log-prob", "log-prob", 0.2): (1, 1, -1, -1),
    ("ratio", "log-prob", 0.0): (1.25, 0.75, -1, -1),
    ("ratio", "log-prob", 0.2): (0, 0.75, -1, -1),
    ("log-prob", "ratio", 0.0): (1, 1, -1.25, -0.75),
    ("log-prob", "ratio", 0.2): (1, 1, -1.25, 0),
    ("ratio", "ratio", 0.0): (1.25, 0.75, -1.25, -0.75),
    ("ratio", "ratio", 0.2): (0, 0.75, -1.25, 0),
}


@pytest.mark.parametrize("objective", SLOPES)
def test_each_side_has_its_own_objective(objective):
    """All four decisions in one minibatch, so that a mask that mixes won and
    lost decisions up is seen.
    """
    won, lost, clip = objective
    _, gradient = loss_and_gradient(
        HALF * 4, [0] * 4, [1.0, 1.0, -1.0, -1.0], np.log([0.4, 2 / 3, 0.4, 2 / 3]),
        ratio_clip=clip, won=won, lost=lost,
    )  # fmt: skip
    expected = np.array(SLOPES[objective])[:, None] * np.array([-0.5, 0.25, 0.25]) / 4
    assert np.allclose(gradient, expected)


def test_a_clipped_decision_is_counted_where_the_ratio_is_used():
    """Three of four ratios lie outside 0.8 to 1.2: 1.25 and 0.75 of wins, 0.75 of a
    loss; 1 of a loss does not.
    """
    decisions = HALF * 4, [0] * 4, [1.0, 1.0, -1.0, -1.0], np.log([0.4, 2 / 3, 2 / 3, 0.5])
    logits, action, advantage, log_prob = (np.array(column) for column in decisions)
    for won, lost, share in (
        ("ratio", "ratio", 0.75),
        ("ratio", "log-prob", 0.5),
        ("log-prob", "log-prob", 0.0),
    ):
        *_, clipped = policy_loss(
            tf.constant(logits),
            action.astype(np.int32),
            advantage,
            log_prob,
            np.ones((4, 3), bool),
            ratio_clip=0.2,
            won=won,
            lost=lost,
        )
        assert float(clipped) == pytest.approx(share)


def test_the_entropy_by_hand():
    """Four equal moves out of five: log 4 nats, at the top, so no slope. pi =
    (1/2, 1/4, 1/4): 1.5 log 2.
    """
    loss, gradient = loss_and_gradient(
        [[1.0, 1, 1, 1, 9]], [0], [0.0], allowed=[[True] * 4 + [False]], entropy=0.5
    )
    assert loss == pytest.approx(-0.5 * np.log(4)) and np.allclose(gradient, 0)
    assert loss_and_gradient(HALF, [0], [0.0], entropy=1.0)[0] == pytest.approx(-1.5 * np.log(2))


def plain_loss(
    logits, action, advantage, log_prob, allowed, *, ratio_clip, entropy, won, lost
) -> float:
    """The loss less the weighted entropy, one decision after the other, in plain numbers."""
    total = 0.0
    for z, move, gain, old, mask in zip(logits, action, advantage, log_prob, allowed, strict=True):
        pi = np.exp(z[mask]) / np.exp(z[mask]).sum()
        chosen = np.exp(z[move]) / np.exp(z[mask]).sum()
        surrogate = gain * np.log(chosen)
        if (won if gain > 0 else lost) == "ratio":
            ratio = chosen / np.exp(old)
            bounded = np.clip(ratio, 1 - ratio_clip, 1 + ratio_clip) if ratio_clip else ratio
            surrogate = min(ratio * gain, bounded * gain)
        total -= surrogate - entropy * pi @ np.log(pi)
    return total / len(logits)


def slopes(function, place: np.ndarray) -> np.ndarray:
    """The central differences of a function of many numbers, at this place."""
    steps = 1e-6 * np.eye(place.size).reshape(-1, *place.shape)
    found = [(function(place + step) - function(place - step)) / 2e-6 for step in steps]
    return np.reshape(found, place.shape)


def random_decisions() -> dict[str, np.ndarray]:
    """Six decisions among five moves, some of which are not allowed."""
    rng = np.random.default_rng(0)
    logits, allowed = rng.normal(0, 2, (6, 5)), rng.random((6, 5)) < 0.7
    action = allowed.argmax(axis=1)
    allowed[np.arange(6), action] = True
    return {
        "logits": logits,
        "action": action,
        "advantage": rng.choice([-1.0, 1.0], 6),
        "log_prob": np.log(rng.uniform(0.2, 0.9, 6)),
        "allowed": allowed,
    }


@pytest.mark.parametrize("objective", SLOPES)
@pytest.mark.parametrize("entropy", [0.0, 0.3])
def test_loss_and_gradient_are_those_of_plain_numbers(objective, entropy):
    settings = dict(zip(("won", "lost", "ratio_clip"), objective, strict=True), entropy=entropy)
    decisions = random_decisions()
    loss, gradient = loss_and_gradient(**decisions, **settings)
    logits = decisions.pop("logits")

    def plain(logits):
        return plain_loss(logits, **decisions, **settings)

    assert loss == pytest.approx(plain(logits))
    assert np.allclose(gradient, slopes(plain, logits), atol=1e-7)


@pytest.mark.slow
def test_as_printed_is_one_pass_of_keras():
    """SGD with clipped gradients on the cross-entropy with one-hot times return, by Keras's own
    loop, from the same weights. The rate is raised, so that the step is seen beside the rounding.
    Keras's categorical_crossentropy of today would not do: see the next test."""

    def cross_entropy(wanted, said):
        return -tf.reduce_sum(wanted * tf.math.log(said), axis=-1)

    learner = make_learner("policy-gradient", seed=1, **{**PRINTED, "learning_rate": 0.5})
    model = build_network("go-seed", board=3, planes=11, **PRINTED["network_options"])
    start = weights_of(learner.model)
    set_weights(model, start)
    model.compile(keras.optimizers.SGD(0.5, clipnorm=1.0), loss=cross_entropy)
    buffer = learner.collect(np.random.default_rng(0))
    rows = np.flatnonzero(buffer["action"] < 9)  # the book records no pass
    assert len(rows) < 512  # one minibatch, so its order does not matter
    wanted = np.zeros((len(rows), 9), np.float32)
    wanted[np.arange(len(rows)), buffer["action"][rows]] = buffer["reward"][rows]
    model.train_on_batch(buffer["state"][rows].astype(np.float32), wanted)
    learner.update(buffer, np.random.default_rng(0))
    for name, array in weights_of(model).items():
        assert np.allclose(learner.agent().arrays()[name], array, atol=1e-5), name
        assert name == "dense/bias" or not np.allclose(start[name], array, atol=1e-4), name


@pytest.mark.slow
def test_keras_3_is_wrong_about_the_losers_moves():
    """The book's listing run with today's Keras: behind a softmax layer categorical_crossentropy
    takes a path whose gradient is pi - target, right only for targets of sum 1. For pi = (1/2, 1/4,
    1/4) and a loss after move 0 that is (3/2, 1/4, 1/4) instead of (1/2, -1/4, -1/4). If this fails
    Keras has mended it: then say so in the lesson."""
    for reward, expected in ((1.0, [-0.5, 0.25, 0.25]), (-1.0, [1.5, 0.25, 0.25])):
        inputs = keras.Input((3,))
        dense = keras.layers.Dense(3, kernel_initializer="identity")
        model = keras.Model(inputs, keras.layers.Softmax()(dense(inputs)))
        model.compile(keras.optimizers.SGD(1.0), loss="categorical_crossentropy")
        model.train_on_batch(np.array(HALF, np.float32), np.array([[reward, 0, 0]], np.float32))
        assert np.allclose(-dense.bias.numpy(), expected, atol=1e-6)
        assert np.allclose(loss_and_gradient(HALF, [0], [reward])[1], expected) == (reward == 1.0)


def one_decision(learner, reward: float) -> tuple[ExperienceBuffer, int]:
    """32 copies of the first decision of a game, with that return."""
    buffer = learner.collect(np.random.default_rng(0)).take(np.zeros(32, np.int64))
    columns = {**buffer.columns, "reward": np.full(32, reward, np.float32)}
    return ExperienceBuffer(columns, buffer.meta), int(buffer["action"][0])


@pytest.mark.parametrize(
    "settings", [{}, {**REINFORCE, "masked": False}, {"objective_won": "log-prob"}]
)
def test_moves_of_the_winner_get_likelier_moves_of_the_loser_rarer(settings):
    """The wrong variant, a loss counted as a win, moves the probability the other way."""
    moved = {}
    for reward in (1.0, -1.0):
        learner = make_learner(
            "policy-gradient", seed=0, **{**SMALL, "symmetry": False, "entropy": 0.0, **settings}
        )
        before = learner.agent().think(learner.game.new_game()).policy[0]
        buffer, action = one_decision(learner, reward)
        learner.update(buffer, np.random.default_rng(0))
        moved[reward] = (learner.agent().think(learner.game.new_game()).policy[0] - before)[action]
    assert moved[1.0] > 1e-4 and moved[-1.0] < -1e-4


def test_the_recorded_log_prob_is_that_of_the_masked_policy():
    """Then every ratio of an update's first step is 1. Recorded without the mask, log_prob is too
    low where a point may not be played, the ratios are too high, and decisions count as clipped
    before anything was learned."""
    learner = make_learner(
        "policy-gradient", seed=0, **{**SMALL, "batch": 4096, "symmetry": False, "ratio_clip": 0.01}
    )
    buffer = learner.collect(np.random.default_rng(0))
    assert np.allclose(
        np.exp(buffer["log_prob"]),
        buffer["policy"][np.arange(len(buffer)), buffer["action"]],
        atol=1e-6,
    )
    said = learner.agent().forward(buffer["state"])[0][np.arange(len(buffer)), buffer["action"]]
    unmasked = ExperienceBuffer(
        {**buffer.columns, "log_prob": np.log(said).astype(np.float32)}, buffer.meta
    )
    state, bounded = learner.state(), []
    for games_played in (buffer, unmasked):
        learner.restore(state)
        bounded.append(learner.update(games_played, np.random.default_rng(0))["bounded"])
    assert bounded[0] == 0 and bounded[1] > 0.5


def test_examples_are_the_decisions_in_which_there_was_a_choice():
    learner = make_learner("policy-gradient", seed=0, **SMALL)
    buffer = learner.collect(np.random.default_rng(0))
    examples = learner.examples(buffer)
    choices = (buffer["policy"] > 0).sum(axis=1)
    assert 0 < (choices == 1).sum() and len(examples["action"]) == (choices > 1).sum()
    assert examples["allowed"][np.arange(len(examples["action"])), examples["action"]].all()
    assert not examples["allowed"][:, 9].any()
    assert np.array_equal(examples["advantage"], buffer["reward"][choices > 1])
    printed = make_learner("policy-gradient", seed=0, **PRINTED)
    assert "policy" not in printed.collect(np.random.default_rng(0)).columns
    with pytest.raises(ValueError, match="recorded without 'policy': .*objective_won=log-prob"):
        learner.examples(printed.collect(np.random.default_rng(0)))
    with pytest.raises(ValueError, match="this network sees 'oneplane'"):
        make_learner("policy-gradient", **{**SMALL, "encoder": "oneplane"}).examples(buffer)


TURNED = [
    (get_game("tic-tac-toe"), "two-plane"),
    (get_game("connect-four"), "two-plane"),
    (get_game("connect-four"), "threats"),
    *((GAME, name) for name in ("oneplane", "simple", "alphago-zero")),
]


@pytest.mark.parametrize(("game", "name"), TURNED)
def test_turned_decisions_are_those_of_the_turned_game(game, name):
    """The same game played under every symmetry, each turned through the rules: planes, action,
    policy and masks of every ply are what `turn` makes of the first."""
    rng, encoder = np.random.default_rng(3), get_encoder_by_name(name, game)
    count = len(game.symmetries)
    batch, plies = game.new_batch(count), []
    while not batch.done[0]:
        action = rng.choice(np.flatnonzero(batch.sensible()[0]))
        images = np.array([symmetry.actions[action] for symmetry in game.symmetries])
        plies.append((encoder.encode_batch(batch), images.astype(np.int32), batch.sensible()))
        batch.step(images)
    planes, action, legal = map(np.stack, zip(*plies, strict=True))  # [T, symmetries, ...]
    points = game.num_actions - (game.name == "go")  # a network without a pass
    every = {
        "planes": planes,
        "action": action,
        "legal": legal,
        "allowed": legal[..., :points],
        "pi": np.eye(game.num_actions)[action],
    }
    first = {column: values[:, 0] for column, values in every.items()}
    value = np.arange(float(len(plies)))
    after = turned({**first, "value": value}, game, np.random.default_rng(5))
    drawn = np.random.default_rng(5).integers(count, size=len(plies))
    assert len(set(drawn.tolist())) > count / 2
    for column, values in every.items():
        assert np.array_equal(after[column], values[np.arange(len(plies)), drawn]), column
    assert np.array_equal(after["value"], value)


# --- runs -----------------------------------------------------------------------------------------


OTHERWISE = {
    **SMALL,
    "optimizer": "sgd",
    "clip_norm": 1.0,
    "symmetry": True,
    "entropy": 0.02,
}


@pytest.mark.parametrize("settings", [SMALL, PRINTED, OTHERWISE])
def test_the_same_seed_gives_the_same_network(settings):
    assert_a_seed_repeats_itself("policy-gradient", 24, **settings)


@pytest.mark.parametrize(
    "change", [{}, {"ahead": 2, "symmetry": True}, {"ahead": 1, "guests": 0.5}]
)
def test_a_run_that_was_cut_goes_on_bit_for_bit(tmp_path, change, monkeypatch):
    monkeypatch.setattr(chunks, "GUEST_EVERY", 1)
    assert_a_cut_run_goes_on(tmp_path, "policy-gradient", 24, 48, **{**SMALL, **change})


def test_games_with_an_earlier_self_teach_only_the_learner():
    """6 of 12 games are played with a guest, a network of zeros to which all points are
    equal; only what the learner decided is kept of them: its policy is that of its own
    sharper network, in every row."""
    learner = make_learner("policy-gradient", seed=0, **{**SMALL, "games": 12, "guests": 0.5})
    own = {name: 4 * array for name, array in learner.agent().arrays().items()}
    spec, guest = (
        learner.chunks.spec,
        {f"guest/{name}": np.zeros_like(array) for name, array in own.items()},
    )
    buffer = play(spec, {**own, **guest}, 0, 0)
    of_game = [buffer.take(buffer["game"] == number) for number in np.unique(buffer["game"])]
    players = [sorted(set(rows["player"].tolist())) for rows in of_game]
    assert spec.guests == 6 and players == [[0, 1]] * 6 + [[0]] * 3 + [[1]] * 3
    for rows in of_game:
        assert (
            len(set((rows["reward"] * (1 - 2 * rows["player"])).tolist())) == 1
        )  # one result, seen from both sides
        whole = len(set(rows["player"].tolist())) == 2
        assert (np.diff(rows["ply"]) == (1 if whole else 2)).all() and rows["ply"][0] == (
            0 if whole else rows["player"][0]
        )
    said = np.where(buffer["policy"] > 0, learner.agent_of(own).forward(buffer["state"])[0], 0)
    assert np.allclose(buffer["policy"], said / said.sum(axis=1, keepdims=True), atol=1e-5)
    equal = (buffer["policy"] > 0) / (buffer["policy"] > 0).sum(axis=1, keepdims=True)
    assert np.abs(buffer["policy"] - equal).max(axis=1).mean() > 0.05
    alone = play(replace(spec, games=6, guests=0), own, 0, 0)
    assert np.array_equal(alone["action"], np.concatenate([rows["action"] for rows in of_game[:6]]))


def test_a_guest_is_an_earlier_self_known_when_the_chunk_begins(monkeypatch):
    """Every second update, ahead 1: chunk 5 is played with the weights after update 4, and with
    those after update 0, 2 or 4.
    """
    monkeypatch.setattr(chunks, "GUEST_EVERY", 2)
    learner = make_learner("policy-gradient", seed=0, **{**SMALL, "guests": 0.5, "ahead": 1})
    played, found = learner.chunks, set()
    for update in range(1, 6):
        played.learned({"x": np.array([update])})
    played.guests[0] = {"x": np.array([0])}
    for chunk in (5, 6):
        assert played._players(chunk)["x"] == chunk - 1
    for seed in range(40):
        played.seed = seed
        found.add(int(played._players(5)["guest/x"][0]))
    assert found == {0, 2, 4}


@pytest.mark.slow
def test_the_recipe_learns_in_seconds():
    """4,096 games, about 7 seconds of one processor: it began near 50%.

    Measured 93% and 95%, greedily 98% and 99%.
    """
    from rlcourse.judges.random_play import judge_against_random

    learner = make_learner("policy-gradient", seed=0)
    rows = list(train(learner, until=games(4_096), judge=judge_against_random, every=8, seed=0))
    assert (
        rows[0].verdict.wins < 0.7
        and rows[-1].verdict.wins > 0.88
        and rows[-1].verdict.greedy_wins > 0.95
    )
    assert rows[-1].metrics["entropy"] > 1  # held: the naive update falls to 0.03


def test_the_agent_plays_with_the_clip_of_the_config():
    learner = make_learner("policy-gradient", **{**SMALL, "clip": 0.02})
    assert learner.agent().clip == 0.02 and learner.chunks.spec.agent_options["clip"] == 0.02


def test_wrong_settings_are_refused():
    with pytest.raises(ValueError, match="an optimizer is one of adam, sgd"):
        make_learner("policy-gradient", optimizer="sgdd")
    for side in ("objective_won", "objective_lost"):
        with pytest.raises(
            ValueError, match="an objective is one of ratio, log-prob; got 'log pi'"
        ):
            make_learner("policy-gradient", **{side: "log pi"})
    with pytest.raises(ValueError, match="no network"):
        make_learner("policy-gradient", network="go-large")


# --- files between the scripts --------------------------------------------------------------------


def test_recorded_games_go_on_where_they_were_cut(tmp_path):
    agent = PolicyAgent.untrained(GAME, filters=4, layers=1)
    assert list(record_games(agent, tmp_path / "whole.h5", games=20, chunk=8)) == [0, 8, 16, 24]
    running = record_games(agent, tmp_path / "cut.h5", games=20, chunk=8)
    assert [next(running), next(running), next(running)] == [0, 8, 16]
    running.close()  # writes nothing: a long file would keep the user waiting
    assert ExperienceBuffer.load(tmp_path / "cut.h5").games == 8
    assert list(record_games(agent, tmp_path / "cut.h5", games=20, chunk=8)) == [8, 16, 24]
    whole, cut = (ExperienceBuffer.load(tmp_path / name) for name in ("whole.h5", "cut.h5"))
    assert whole.games == 24 and whole.meta == cut.meta and set(whole.columns) == set(cut.columns)
    assert all(np.array_equal(whole[name], cut[name]) for name in whole.columns)
    assert list(record_games(agent, tmp_path / "cut.h5", games=20, chunk=8)) == [24]  # all is there
    with pytest.raises(StorageError, match="of another run: its seed"):
        list(record_games(agent, tmp_path / "cut.h5", games=20, chunk=8, seed=1))
    with pytest.raises(StorageError, match="of another run: its agent"):
        list(
            record_games(
                PolicyAgent.untrained(GAME, filters=4, layers=1, seed=1),
                tmp_path / "cut.h5",
                games=20,
                chunk=8,
            )
        )
    with pytest.raises(ValueError, match="no encoder"):
        list(record_games(load_agent("go/random"), tmp_path / "random.h5", games=8))


def test_learning_from_files_is_learning_from_the_games(tmp_path):
    agent = PolicyAgent.untrained(GAME, filters=4, layers=1)
    files = [tmp_path / "a.h5", tmp_path / "b.h5"]
    for seed, path in enumerate(files):
        list(record_games(agent, path, games=8, chunk=8, seed=seed))
    learner = learner_from(agent, seed=3, batch=32)
    assert all(
        np.array_equal(learner.agent().arrays()[name], array)
        for name, array in agent.arrays().items()
    )
    run = {"seed": 3, "checkpoint": tmp_path / "run.h5", "experience": files}
    rows = list(train(learner, until=lambda row: row.updates == 2, **run))
    assert [row.games for row in rows] == [0, 8, 16]
    by_hand, rng = learner_from(agent, seed=3, batch=32), np.random.default_rng(3)
    for path in files:
        by_hand.update(ExperienceBuffer.load(path), rng)
    assert all(
        np.array_equal(learner.agent().arrays()[name], array)
        for name, array in by_hand.agent().arrays().items()
    )
    cut = learner_from(agent, seed=3, batch=32)
    assert next(train(cut, until=games(0), **run)).updates == 2
    with pytest.raises(StorageError, match="its learning from files is True, this run's is False"):
        next(train(cut, until=games(0), **{**run, "experience": ()}))
    with pytest.raises(ValueError, match="q-table does not learn from recorded games"):
        next(train(make_learner("q-table"), until=games(0), **run))
    with pytest.raises(ValueError, match="not from random"):
        learner_from(load_agent("go/random"))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("learner", "network", "player"),
    [
        ("policy-gradient", (), "policy"),
        ("actor-critic", ("--network", "ac-small"), "actor-critic"),
    ],
)
def test_the_books_four_scripts(tmp_path, learner, network, player):
    """Make an agent, let it play, train it on its games, evaluate it against
    what it was; files in between.
    """
    from rlcourse.cli import app

    def rlcourse(*arguments: object) -> str:
        result = CliRunner().invoke(
            app, [str(argument) for argument in arguments], catch_exceptions=False
        )
        assert result.exit_code == 0, result.output
        return result.output

    first, played, second = tmp_path / "first.h5", tmp_path / "games.h5", tmp_path / "second.h5"
    small = "--size", 3, "--set", "filters=4", "--set", "layers=1"
    out = rlcourse("new-agent", first, *network, *small)
    assert "weights for go (size=3" in out and " ".join(network[1:]) in out
    assert "64 games" in rlcourse("self-play", first, "--out", played, "--games", 64, "--chunk", 32)
    out = rlcourse("train", learner, "--agent", first, "--experience", played, "--out", second)
    assert "64 games" in out and "sampled" in out and load_agent(second).name == player
    assert not np.array_equal(
        load_agent(second).arrays()["conv_1/kernel"], load_agent(first).arrays()["conv_1/kernel"]
    )
    out = rlcourse("evaluate", second, "--against", first, "--games", 100)
    assert "greedy" in out and f"{player} vs {player}" in out and "100 games" in out
    assert f"{player} vs random" in rlcourse(
        "evaluate", second, "--against", "go/random", "--games", 20
    )  # on the same board


def test_weights_that_stop_being_numbers_are_reported_and_not_kept():
    learner = make_learner(
        "policy-gradient",
        seed=0,
        **{**SMALL, "optimizer": "sgd", "learning_rate": 1e30, **REINFORCE},
    )
    rng = np.random.default_rng(0)
    with pytest.raises(
        Diverged,
        match="after update 1 some weights are no longer numbers; a learning rate below 1e\\+30",
    ):
        learner.update(learner.collect(rng), rng)
    assert (
        learner.chunks.updates == 0
        and np.isfinite(learner.agent().think(learner.game.new_game()).policy).all()
    )
