"""PolicyAgent: the book's loop as oracle, one draw for one position and many, files and groups.

Networks by name.
"""

import subprocess
import sys

import h5py
import numpy as np
import pytest

from rlcourse.agents import load_agent, make_agent, save_agent
from rlcourse.agents.policy import PolicyAgent
from rlcourse.architectures import BOOK_LARGE, network_of
from rlcourse.encoders import get_encoder_by_name
from rlcourse.experience import ExperienceBuffer
from rlcourse.forward import FEW, Snapshot, _convolve, window
from rlcourse.games import from_recipe, get_game
from rlcourse.games.go import Move, Point, is_point_an_eye
from rlcourse.learning import make_learner
from rlcourse.networks import build_network, recipe_of, weights_of
from rlcourse.sampling import clip_probs, ranked
from rlcourse.self_play import play_lockstep, simulate_game
from rlcourse.storage import StorageError, save
from tests.unit.one_by_one import record_one_by_one

GAME = get_game("go", size=5)
MIDDLE = from_recipe("go size=5 komi=7.5:C3 D3 C2 D2 B4 D4")


def agent(
    network: str = "go-small", seed: int = 0, game=GAME, spread: float = 4.0, **options
) -> PolicyAgent:
    """An agent whose probabilities are far from equal: the weights of the
    last layers are scaled up.
    """
    made = PolicyAgent.untrained(
        game, network=network, seed=seed, **({"dense": 32} if network == "go-seed" else {})
    )
    last = ("points", "pass", "logits")
    arrays = {
        name: array * (spread if name.split("/")[0] in last else 1)
        for name, array in made.arrays().items()
    }
    return make_agent("policy", game, arrays, **{**made.options(), **options})


def positions(count: int, seed: int = 0) -> list:
    """Positions of random games, few early ones and many late."""
    rng, found = np.random.default_rng(seed), []
    random = make_agent("random", GAME, seed=seed)
    while len(found) < count:
        states = simulate_game(random, random).states[:-1]
        found += [states[k] for k in rng.integers(len(states), size=5)]
    return found[:count]


def as_in_the_book(player: PolicyAgent, state, rng: np.random.Generator) -> Move:
    """Encode, one forward pass, clip, rank all points, play the first that is legal and
    fills no own eye, else pass.
    """
    board = state.board
    points = [Point(row, col) for row in range(5, 0, -1) for col in range(1, 6)]
    said = np.asarray(player.forward(player.encoder.encode(state)[None])[0])[0]
    for index in ranked(clip_probs(said[None] / said.sum()), rng)[0]:
        if 0 <= index < 25:
            move = Move.play(points[index])
            if state.is_valid_move(move) and not is_point_an_eye(
                board, points[index], state.next_player
            ):
                return move
    return Move.pass_turn()


@pytest.mark.parametrize("network", ["go-small", "go-seed"])
def test_every_move_is_that_of_the_books_loop_with_the_same_random_numbers(network):
    """The ranking compares exponential times divided by probabilities; so does the one draw,
    over the points that are left.
    """
    player, passes = agent(network), 0
    for number, state in enumerate(positions(60)):
        oracle = np.random.default_rng(number)
        if network == "go-small":
            player.rng = np.random.default_rng(number)
        else:  # the draw has a place for the pass, the book's list has not; give both the same times for the points
            player.rng = Fixed(np.random.default_rng(number).standard_exponential((1, 26)))
            oracle = Fixed(player.rng.times)
        move = player.select_move(state)
        assert move == as_in_the_book(player, state, oracle)
        passes += move.is_pass
    assert 0 < passes < 30


def test_clip_0_plays_as_the_network_gives_it():
    """A network that is certain: with the book's clip the others keep 1e-5 each, with clip 0
    what the network gives them.
    """
    state, shares = MIDDLE, {}
    for clip in (0.0, 1e-5, 1e-2):
        player = agent(spread=400.0, clip=clip)
        shares[clip] = np.asarray(player.forward(player.encoder.encode(state)[None])[0])[0]
    network = agent(spread=400.0)
    said = network.model(network.encoder.encode(state)[None])[0].astype(float)
    assert said.max() > 0.99 and np.allclose(shares[0.0], said / said.sum(), rtol=1e-9, atol=0)
    assert shares[0.0].min() < 1e-6 < 9e-6 < shares[1e-5].min() < 7e-3 < shares[1e-2].min()


class Fixed:
    """Stands in for a generator: hands out given exponential times."""

    def __init__(self, times: np.ndarray) -> None:
        self.times = times

    def standard_exponential(self, shape) -> np.ndarray:
        return self.times[:, : shape[1]]


def test_what_is_drawn_has_the_masked_probabilities():
    """20,000 draws in one position against the network's word, clipped, over the sensible
    points alone. Chi-squared.
    """
    from scipy.stats import chisquare

    player, state = agent(), MIDDLE
    batch = GAME.new_batch(1)
    batch.load(0, state)
    decision = player.decide(batch, np.zeros(20_000, np.int64), np.random.default_rng(0))
    said = player.forward(player.encoder.encode(state)[None])[0][0]
    expected = np.where(batch.sensible()[0], said, 0)
    expected /= expected.sum()
    drawn = np.bincount(decision.action, minlength=26)
    assert drawn[expected == 0].sum() == 0 and (expected > 0).sum() > 5
    assert chisquare(drawn[expected > 0], 20_000 * expected[expected > 0]).pvalue > 1e-6
    assert (
        chisquare(
            drawn[expected > 0], np.full((expected > 0).sum(), 20_000 / (expected > 0).sum())
        ).pvalue
        < 1e-6
    )
    assert np.allclose(decision.policy, expected, atol=1e-6)
    assert np.allclose(np.exp(decision.log_prob), expected[decision.action], atol=1e-6)
    unmasked = np.log(said[decision.action])
    assert not np.allclose(
        decision.log_prob, unmasked, atol=1e-3
    )  # this position has points that may not be played


def test_temperature():
    player, state = agent(), MIDDLE
    warm = player.think(state).policy[0]
    cold, frozen = player.at_temperature(0.5).think(state), player.at_temperature(0).think(state)
    assert np.allclose(cold.policy[0], warm**2 / (warm**2).sum(), atol=1e-6)
    assert (
        frozen.action[0] == warm.argmax()
        and frozen.policy[0].max() == 1
        and frozen.log_prob[0] == 0
    )
    assert player.temperature == 1  # the copy is another player


def test_a_network_that_is_sure_of_an_occupied_point_still_plays():
    """Probability 1 on one point: clipped to 1e-5 elsewhere, so that another point is
    played when that one is taken.
    """

    class Sure:
        output_shape = (None, 25)

        def __call__(self, planes, training=False):
            from rlcourse.tf import tf

            return tf.one_hot(tf.fill([tf.shape(planes)[0]], 12), 25)

    player = PolicyAgent(Sure(), get_encoder_by_name("simple", GAME), seed=0)
    assert str(player.select_move(GAME.new_game())) == "C3"
    decision = player.think(from_recipe("go size=5 komi=7.5:C3"))
    assert decision.action[0] != 12 and np.allclose(decision.policy[0, :12], 1 / 24)
    with pytest.raises(ValueError, match="has no name"):
        player.options()


def test_nothing_left_but_an_eye_is_a_pass_and_both_heads_agree():
    state = from_recipe("go size=5 komi=7.5:.XXXX/XXXXX/XXXXX/XXXXX/XXX.X X")
    for network in ("go-small", "go-seed"):
        decision = agent(network).think(state)
        assert (
            decision.action[0] == 25 and decision.policy[0, 25] == 1 and decision.log_prob[0] == 0
        )


@pytest.mark.parametrize("network", ["go-small", "go-seed"])
def test_a_snapshot_says_what_the_keras_model_says(network):
    live = PolicyAgent.untrained(GAME, network=network, seed=3, encoder="alphago-zero")
    planes = np.stack([live.encoder.encode(state) for state in positions(40)])
    frozen = make_agent("policy", GAME, live.arrays(), **live.options())
    for some in (planes[:FEW], planes):  # by the course's own loop, and by TensorFlow
        assert np.allclose(frozen.forward(some)[0], live.forward(some)[0], atol=1e-6)
        assert np.allclose(frozen.model(some), live.model(some.astype(np.float32)), atol=1e-6)
    before = frozen.forward(planes)[0]
    live.model.trainable_variables[0].assign_add(live.model.trainable_variables[0])
    assert np.array_equal(frozen.forward(planes)[0], before)
    assert not np.allclose(live.forward(planes)[0], before, atol=1e-6)


def test_a_wide_window_and_the_edge_by_hand():
    """One plane of ones on 3 x 3, a window of 5 x 5 ones, bias 0.5: each of the nine points sees
    all nine: 9.5. With the window's upper left corner alone, the point two rows down and two
    columns right sees the first: 1.5, the others 0.5; a second plane of zeros changes nothing."""
    assert (
        window((3, 3), 3)[0].tolist() == [9, 9, 9, 9, 0, 1, 9, 3, 4]
        and window((3, 3), 5)[4, 6] == 0
    )
    ones = (
        np.stack([np.ones((3, 3)), np.zeros((3, 3))], axis=-1).reshape(1, 9, 2).astype(np.float32)
    )
    weights, bias = np.ones((25, 2, 1), np.float32), np.array([0.5], np.float32)
    assert _convolve(ones, weights, bias, window((3, 3), 5), True).ravel().tolist() == [9.5] * 9
    weights[1:] = 0
    assert _convolve(ones, weights, bias, window((3, 3), 5), True).ravel().tolist() == [0.5] * 8 + [
        1.5
    ]
    assert _convolve(ones, -weights, -bias, window((3, 3), 5), True).ravel().tolist() == [0.0] * 9
    assert _convolve(ones, -weights, -bias, window((3, 3), 5), False).ravel().tolist() == [
        -0.5
    ] * 8 + [-1.5]


@pytest.mark.parametrize("options", [{}, {"filters": 5, "layers": 4, "planes": 17, "board": 9}])
def test_the_shapes_of_a_network_are_known_without_it(options):
    assert network_of("go-small", **options).shapes() == shapes_of(
        build_network("go-small", **options)
    )
    with pytest.raises(ValueError, match="no network 'deep-q' for policies of go"):
        network_of("deep-q")


def shapes_of(model) -> dict[str, tuple[int, ...]]:
    return {name: array.shape for name, array in weights_of(model).items()}


@pytest.mark.slow
def test_the_books_large_network_is_built_and_trained():
    """Seven convolutions of 7 x 7 to 5 x 5 and a dense layer of 1,024. 11*49*64 + 64, twice
    64*25*64 + 64, 64*25*48 + 48, 48*25*48 + 48, 48*25*32 + 32, 32*25*32 + 32 weights in them,
    800*1024 + 1024 and 1024*25 + 25 behind."""
    options = {"convolutions": [list(pair) for pair in BOOK_LARGE], "dense": 1024}
    convolutions = 34_560 + 2 * 102_464 + 76_848 + 57_648 + 38_432 + 25_632
    learner = make_learner(
        "policy-gradient", games=4, network="go-seed", network_options=options, guests=0.5
    )
    assert learner.model.count_params() == convolutions + 820_224 + 25_625
    assert network_of("go-seed", **options).shapes() == shapes_of(learner.model)
    before, rng = learner.agent(), np.random.default_rng(0)
    learner.update(learner.collect(rng), rng)
    after, planes = (
        learner.agent(),
        np.stack([learner.encoder.encode(state) for state in positions(20)]),
    )
    assert np.allclose(after.model(planes)[:10], after.model(planes[:10]), atol=1e-5)
    assert not np.allclose(after.model(planes), before.model(planes), atol=1e-4)
    assert all(
        np.abs(array - before.arrays()[name]).max() > 0 for name, array in after.arrays().items()
    )


@pytest.mark.slow
def test_one_move_at_a_time_needs_no_tensorflow(tmp_path):
    """In a fresh process, from the file to the board.

    It takes 1.5 to 2 seconds of an idle processor, most of it imports.
    """
    agent().serialize(tmp_path / "bot.h5")
    code = (
        "import sys, time, rlcourse; bot = rlcourse.load_agent(sys.argv[1]); state = "
        "bot.game.new_game()\n"
        "for _ in range(9): state = state.apply_move(bot.select_move(state))\n"
        "assert not {'tensorflow', 'keras'} & set(sys.modules)\n"
        "started = time.process_time()\n"
        "for _ in range(50): bot.select_move(state)\n"
        "assert time.process_time() - started < 50 * 0.01"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, tmp_path / "bot.h5"], capture_output=True, text=True
    )
    assert done.returncode == 0 and not done.stderr, done.stderr


def test_the_networks_weights_counted_by_hand():
    """go-small: 11*9*32 + 32, 32*9*32 + 32, then 33 for the points and 33 for the pass: 12,514.
    The source's 3 x 64 and 512: 11*9*64 + 64, twice 64*9*64 + 64, 1600*512 + 512, 512*25 + 25:
    912,793. A distribution comes out."""
    small, seed = build_network("go-small"), build_network("go-seed")
    assert small.count_params() == 3_200 + 9_248 + 33 + 33 == 12_514
    assert seed.count_params() == 6_400 + 2 * 36_928 + 819_712 + 12_825 == 912_793
    planes = np.stack(
        [get_encoder_by_name("simple", GAME).encode(state) for state in positions(5)]
    ).astype(np.float32)
    for model in (small, seed):
        said = np.asarray(model(planes))
        assert np.allclose(said.sum(axis=1), 1, atol=1e-5) and said.min() > 0
    kernels = [
        weights_of(build_network("go-small", seed=number))["conv_1/kernel"] for number in (1, 1, 2)
    ]
    assert np.array_equal(kernels[0], kernels[1]) and not np.array_equal(kernels[0], kernels[2])
    assert recipe_of(build_network("go-small", board=9)) == ("go-small", {"board": 9})


def test_what_was_learned_on_a_small_board_plays_on_a_large_one():
    """No weight of go-small knows the size of the board, and far from the edges only a
    point's surroundings count.
    """
    small, large_game = agent(), get_game("go", size=9)
    large = make_agent("policy", large_game, small.arrays(), **small.options())
    logits = np.log(
        large.forward(large.encoder.encode(large_game.new_game())[None])[0][0, :81]
    ).reshape(9, 9)
    assert np.allclose(logits[3:6, 3:6], logits[4, 4], atol=1e-4) and not np.allclose(
        logits[0], logits[4], atol=1e-4
    )
    assert large.select_move(large_game.new_game()) in large_game.new_game().legal_moves()


# --- files ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("network", ["go-small", "go-seed"])
def test_an_agent_survives_a_file_and_a_group_of_an_open_file(network, tmp_path):
    player, state = agent(network, temperature=0.7), MIDDLE
    player.serialize(tmp_path / "bot.h5")
    with h5py.File(tmp_path / "many.h5", "w") as file:
        player.serialize(file.create_group("generation-1"))
        save_agent(agent(network, seed=5), file.create_group("generation-2"))
        inside, other = load_agent(file["generation-1"]), load_agent(file["generation-2"])
        assert not np.array_equal(other.think(state).policy, player.think(state).policy)
        with pytest.raises(StorageError, match="in use already"):
            player.serialize(file["generation-1"])
    for again in (load_agent(tmp_path / "bot.h5"), inside):
        assert isinstance(again, PolicyAgent)
        assert again.options() == player.options() and again.game == GAME
        assert np.array_equal(again.think(state).policy, player.think(state).policy)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"network": "keras.layers.Lambda"}, "no network"),
        ({"network_options": {"filters": 10**9}}, "between 1 and 1024"),
        ({"network_options": {"filters": "__import__('os')"}}, "whole numbers"),
        ({"network_options": {"filters": 1e300}}, "whole numbers"),
        ({"network_options": {"nothing": 3}}, "nothing"),
        ({"network_options": {"filters": 16}}, "conv_1/kernel holds finite numbers of shape"),
        ({"network": "go-seed"}, "not the weights of go-seed: missing"),
        ({"encoder": "oneplane"}, "conv_1/kernel holds finite numbers of shape"),
        ({"encoder": "two-headed"}, "no encoder"),
        ({"command": "rm"}, "command"),
    ],
)
def test_a_file_of_another_make_is_one_clear_error(options, message, tmp_path):
    player = agent()
    meta = {
        "agent": "policy",
        "game": "go",
        "game_options": dict(GAME.options),
        "options": {**player.options(), **options},
    }
    save(tmp_path / "odd.h5", "agent", player.arrays(), meta)
    with pytest.raises(StorageError, match=message):
        load_agent(tmp_path / "odd.h5")


def test_weights_that_are_not_numbers_and_games_that_do_not_fit_are_refused():
    player = agent()
    name, options = player.model.recipe
    weights = {**player.arrays(), "pass/bias": np.array([np.nan])}
    with pytest.raises(ValueError, match="pass/bias holds finite numbers"):
        Snapshot(name, options, weights)
    four = get_game("connect-four")
    with pytest.raises(ValueError, match="has 7 actions; this network gives 26"):
        PolicyAgent(player.model, get_encoder_by_name("two-plane", four))


# --- collectors -----------------------------------------------------------------------------------


def aligned(buffer: ExperienceBuffer, games: int) -> ExperienceBuffer:
    """Both sides sat in the same games, each counting its own plies: brought into the
    order of the lock-step record.
    """
    columns = {
        **buffer.columns,
        "game": buffer["game"] % games,
        "ply": 2 * buffer["ply"] + buffer["player"],
    }
    whole = ExperienceBuffer({**columns, "ply": columns["ply"].astype(np.int32)}, buffer.meta)
    return whole.take(np.lexsort((whole["ply"], whole["game"])))


@pytest.mark.parametrize("temperature", [0, 1])
def test_two_collectors_record_what_lockstep_records(temperature):
    """Two different players; drawn moves with one and the same stream of random
    numbers, greedy ones without.
    """
    first, second = agent(seed=1, temperature=temperature), agent(seed=2, temperature=temperature)
    first.rng = second.rng = np.random.default_rng(7)
    alone = aligned(record_one_by_one(first, second, games=1), 1)
    assert first.collector is None and second.collector is None
    record = ("log_prob", "policy")
    lockstep = play_lockstep(
        GAME, (first, second), first.encoder, 1, np.random.default_rng(7), record=record
    )
    assert (
        set(alone.columns) == set(lockstep.columns)
        and alone.meta == lockstep.meta
        and len(alone) > 20
    )
    for name in lockstep.columns:
        assert alone[name].dtype == lockstep[name].dtype, name
        assert np.array_equal(alone[name], lockstep[name]), name
    assert set(alone["reward"].tolist()) == {-1.0, 1.0}
    assert (
        alone["reward"][alone["player"] == 0] == -alone["reward"][alone["player"] == 1][0]
    ).all()
    many = play_lockstep(
        GAME, (first, second), first.encoder, 3, np.random.default_rng(7), record=record
    )
    if temperature == 0:  # the same game three times
        assert np.array_equal(many["action"], np.tile(alone["action"], 3))
        assert np.array_equal(many["state"], np.tile(alone["state"], (3, 1, 1, 1)))
        assert np.allclose(many["policy"], np.tile(alone["policy"], (3, 1)), atol=1e-5)


def test_the_judge_states_both_ways_of_playing():
    from rlcourse.judges import judge_of

    verdict = judge_of("go")(agent(), games=100)
    assert (
        verdict.sampled.games == verdict.greedy.games == 100
        and "sampled" in str(verdict)
        and "greedy" in str(verdict)
    )
    assert verdict.sampled != verdict.greedy and verdict.greedy_wins == verdict.greedy.wins / 100
    random = judge_of("go")(make_agent("random", GAME), games=400)
    assert (
        random.greedy is None
        and abs(random.wins - 0.5) < 0.15
        and random.greedy_wins == random.wins
    )
