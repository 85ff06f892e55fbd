"""Players that search, the bandit, the cache of evaluations, random games to the end:
distributions, names, and strength.
"""

import numpy as np
import pytest

import rlcourse
from rlcourse.agents import RandomAgent, load_agent, make_agent, save_agent
from rlcourse.agents.alphazero import new_alphazero_agent
from rlcourse.agents.bandit import play_bandit, regret, ucb1
from rlcourse.agents.base import BatchAgent, Decision
from rlcourse.agents.search import PUCTAgent, UCTAgent, from_agent, visit_policy
from rlcourse.agents.search_cache import Cached, hash_planes
from rlcourse.agents.search_tree import dirichlet_noise, grow, uniform
from rlcourse.arena import play_match
from rlcourse.encoders import get_encoder_by_name
from rlcourse.games import GameOver, from_recipe, get_game
from rlcourse.judges.tictactoe import judge
from tests.unit.search_stub import opinions
from tests.unit.test_search_tree import HAND, NONE, one, random_play, random_rows

TTT, FOUR = get_game("tic-tac-toe"), get_game("connect-four")


class Opinionated(BatchAgent):
    """A player with a policy and a value: those of the stub."""

    name = "opinionated"

    def decide(self, batch, rows, rng):
        policy, value = opinions(batch, rows, rng)
        return Decision(policy.argmax(axis=1).astype(np.int32), policy=policy, value=value)


@pytest.mark.parametrize("name", ["tic-tac-toe", "connect-four"])
def test_random_games_end_as_random_games_do(name):
    """Against the exact mean of random play from late positions, and the known
    shares from the empty board.
    """
    game, n = get_game(name), 20_000
    start = (
        "tic-tac-toe:X.O.X...."
        if name == "tic-tac-toe"
        else "connect-four:5325415660240232040654413142361335"
    )
    state = from_recipe(start)
    batch = game.new_batch(n)
    for row in range(n):
        batch.load(row, state)
    before = batch.arrays()
    points = batch.playouts(np.arange(n))
    exact = random_play(state) * (1 if state.next_player == 0 else -1)
    assert abs(points.mean() - exact) < 6 / np.sqrt(n)
    assert all(np.array_equal(array, before[key]) for key, array in batch.arrays().items())
    assert np.array_equal(points, batch.playouts(np.arange(n)))
    assert not np.array_equal(points, batch.playouts(np.arange(n) + n))
    batch.reset()
    points = batch.playouts(np.arange(n))
    # Tic-tac-toe: exact, by enumeration of all games. Connect Four:
    # published counts of random games.
    wins, losses = {"tic-tac-toe": (0.5849, 0.2881), "connect-four": (0.556, 0.442)}[name]
    error = 6 * np.sqrt(0.25 / n)
    assert abs((points == 1).mean() - wins) < error and abs((points == -1).mean() - losses) < error
    batch.load(
        0,
        from_recipe(
            {"tic-tac-toe": "tic-tac-toe:XXXOO....", "connect-four": "connect-four:0101010"}[name]
        ),
    )
    assert batch.playouts(np.arange(n))[0] == 1.0  # over: its own result
    with pytest.raises(ValueError, match="one seed a game"):
        batch.playouts(np.arange(n - 1))


def test_batches_taken_apart_are_their_own():
    batch, states = random_rows(FOUR, 6, seed=0)
    part = batch.take(np.array([4, 1, 1]))
    assert [part.state(row) for row in range(3)] == [states[4], states[1], states[1]]
    part.reset()
    assert [batch.state(row) for row in range(6)] == states
    assert batch.plies().tolist() == [int((state.board != 0).sum()) for state in states]
    go = get_game("go", size=5)
    batch, states = random_rows(go, 6, seed=0)
    part = batch.take(np.array([5, 0]))
    assert [part.state(row) for row in range(2)] == [states[5], states[0]]
    assert batch.plies(np.array([2, 3])).tolist() == [
        len(states[k].recipe().split(":")[1].split()) for k in (2, 3)
    ]


def test_visits_become_a_policy():
    visits, prior = (
        np.array([[6, 3, 0, 6], [6, 3, 0, 6], [1, 0, 0, 0]]),
        np.array([[0.1, 0.2, 0.3, 0.4]] * 3),
    )
    policy = visit_policy(visits, prior, np.array([1.0, 0.5, 1.0]))
    assert np.allclose(policy, [[0.4, 0.2, 0, 0.4], [36 / 81, 9 / 81, 0, 36 / 81], [1, 0, 0, 0]])
    greedy = visit_policy(visits, prior, np.zeros(3))
    assert greedy.tolist() == [
        [0, 0, 0, 1],
        [0, 0, 0, 1],
        [1, 0, 0, 0],
    ]  # most visits; of equals the higher prior
    assert visit_policy(visits[:1], np.full((1, 4), 0.25), np.zeros(1)).tolist() == [
        [1, 0, 0, 0]
    ]  # then the lower action


@pytest.mark.parametrize(
    "agent",
    [UCTAgent(TTT, simulations=30, seed=0), PUCTAgent(TTT, opinions, simulations=30, seed=0)],
)
def test_a_decision_says_why(agent):
    batch = one(HAND)
    decision = agent.decide(batch, np.array([0]), np.random.default_rng(0))
    assert (
        decision.visits.sum() == 30
        and decision.visits.shape == decision.q.shape == decision.policy.shape == (1, 9)
    )
    assert decision.action.dtype == np.int32 and decision.action[0] == 2  # the winning square
    assert decision.policy[0].argmax() == 2 and decision.log_prob[0] == 0.0
    assert decision.q[0, 2] == 1.0 and np.isnan(decision.q[0, 0]) and decision.value[0] > 0
    assert agent.think(HAND).visits.sum() == 30 and agent.select_move(HAND) == 2
    with pytest.raises(GameOver, match="nothing to decide"):
        agent.think(from_recipe("tic-tac-toe:XXXOO...."))


def test_temperature_ends_with_the_ply_it_is_to_end_with():
    agent = PUCTAgent(FOUR, simulations=14, temperature=1.0, sampled_plies=4)
    batch = FOUR.new_batch(2_000)
    for _ in range(3):
        batch.step(np.full(2_000, 3))
    rows, rng = np.arange(2_000), np.random.default_rng(0)
    drawn = agent.decide(batch, rows, rng)
    assert np.allclose(drawn.policy, drawn.visits / 14) and len(np.unique(drawn.action)) == 7
    batch.step(np.full(2_000, 3))
    settled = agent.decide(batch, rows, rng)
    assert len(np.unique(settled.action)) == 1 and set(np.unique(settled.policy)) == {0.0, 1.0}
    assert agent.at_temperature(1.0).decide(batch, rows[:1], rng).policy.max() < 0.5


def test_raw_is_the_policy_without_search():
    batch, _states = random_rows(FOUR, 40, seed=5)
    policy, value = opinions(batch, np.arange(40), NONE)
    raw = (
        PUCTAgent(FOUR, opinions, simulations=20)
        .with_simulations(0)
        .decide(batch, np.arange(40), np.random.default_rng(0))
    )
    assert raw.action.tolist() == np.where(batch.legal(), policy, -1).argmax(axis=1).tolist()
    assert np.allclose(raw.value, value) and not raw.visits.any() and np.isnan(raw.q).all()


def test_many_games_are_searched_in_groups_and_as_one(monkeypatch):
    batch, _ = random_rows(FOUR, 30, seed=6)
    agent = PUCTAgent(FOUR, opinions, simulations=25)
    whole = agent.decide(batch, np.arange(30), NONE)
    monkeypatch.setattr("rlcourse.agents.search.ROOM", 24 * 7 * 26 * 4)  # four games at once
    parts = agent.decide(batch, np.arange(30), NONE)
    assert np.array_equal(whole.visits, parts.visits) and np.array_equal(whole.action, parts.action)
    tree = grow(batch, opinions, 25, NONE)
    assert np.array_equal(tree.visits, whole.visits)
    assert np.allclose(tree.root_value, whole.value)


def test_noise_changes_self_play_and_only_where_it_is_asked_for():
    batch = FOUR.new_batch(64)
    quiet, noisy = (PUCTAgent(FOUR, opinions, simulations=20, noise=alpha) for alpha in (0.0, 1.0))
    rng = np.random.default_rng(0)
    assert len(np.unique(quiet.decide(batch, np.arange(64), rng).visits, axis=0)) == 1
    assert len(np.unique(noisy.decide(batch, np.arange(64), rng).visits, axis=0)) > 30


def test_any_agent_with_a_policy_and_a_value_can_be_searched_with():
    batch, _ = random_rows(FOUR, 5, seed=7)
    with_agent = PUCTAgent(FOUR, from_agent(Opinionated(FOUR)), simulations=15)
    plain = PUCTAgent(FOUR, opinions, simulations=15)
    assert np.array_equal(
        with_agent.decide(batch, np.arange(5), NONE).visits,
        plain.decide(batch, np.arange(5), NONE).visits,
    )
    blind = PUCTAgent(FOUR, from_agent(RandomAgent(FOUR)), simulations=5)
    with pytest.raises(ValueError, match="random gives no value"):
        blind.decide(batch, np.arange(5), np.random.default_rng(0))
    with pytest.raises(ValueError, match="cannot be stored"):
        plain.options()


def test_names_files_and_errors(tmp_path):
    agent = load_agent("connect-four/uct", simulations=12)
    assert (agent.name, agent.simulations) == ("uct", 12)
    assert rlcourse.load_agent("go/puct", size=7, simulations=3).game.options["size"] == 7
    save_agent(PUCTAgent(TTT, simulations=9, noise=0.5), tmp_path / "bot.h5")
    assert (
        load_agent(tmp_path / "bot.h5").options()
        == PUCTAgent(TTT, simulations=9, noise=0.5).options()
    )
    with pytest.raises(ValueError, match="no dice; backgammon"):
        make_agent("uct", get_game("backgammon"))
    with pytest.raises(ValueError, match="whole number, 0 or more; got -1"):
        UCTAgent(TTT, simulations=-1)


@pytest.mark.slow
def test_uct_is_unbeatable_in_tic_tac_toe_and_beats_random_play_in_the_others():
    assert judge(make_agent("uct", TTT, simulations=400)).losing_lines <= 20
    for game, wins in ((FOUR, 0.95), (get_game("go", size=5, komi=0.5), 0.85)):
        result = play_match(
            make_agent("uct", game, simulations=60), RandomAgent(game), games=60, seed=0
        )
        assert result.wins / 60 >= wins, result


def test_a_cached_search_visits_the_same_and_asks_less():
    batch = FOUR.new_batch(8)
    asked = []

    def watched(batch, rows, rng):
        asked.append(len(rows))
        return tuple(array.astype(np.float32) for array in opinions(batch, rows, rng))

    cached = Cached(watched, get_encoder_by_name("two-plane", FOUR))
    with_cache, without = grow(batch, cached, 50, NONE), grow(batch, watched, 50, NONE)
    assert np.array_equal(with_cache.visits, without.visits) and np.array_equal(
        with_cache.q, without.q, equal_nan=True
    )
    assert (
        cached.calls == 8 * 51 - (without.done.sum())
        and sum(asked[: len(asked) // 2]) < cached.calls
    )
    assert (
        cached.calls - cached.hits < 51
    )  # eight equal trees: each position once, transpositions not again
    before = len(asked)
    grow(batch, cached, 50, NONE)
    assert len(asked) == before  # all of them known


def test_the_planes_of_an_evaluation_are_made_once(monkeypatch):
    """Those that are hashed are the network's input as well."""
    agent = new_alphazero_agent(FOUR, network_options={"filters": 4, "blocks": 1}, simulations=8)
    encoded, encode = [], agent.encoder.encode_batch
    monkeypatch.setattr(
        agent.encoder,
        "encode_batch",
        lambda batch, rows: encoded.append(len(rows)) or encode(batch, rows),
    )
    agent.decide(FOUR.new_batch(3), np.arange(3), NONE)
    assert encoded == [3] * (1 + 8)  # the roots, and one leaf of each tree a simulation


def test_a_small_cache_gives_the_right_answers_too():
    """Two places: positions of one call that want the same place are evaluated, and not stored."""
    batch, _ = random_rows(FOUR, 40, seed=8)
    encoder, rows = get_encoder_by_name("two-plane", FOUR), np.arange(40)
    cached = Cached(opinions, encoder, bits=1)
    # Twice in the same order: a known position comes before one that wants its place.
    for order in (1, 1, -1):
        rows = rows[::order].copy()
        truth = opinions(batch, rows, NONE)
        for mine, theirs in zip(cached(batch, rows, NONE), truth, strict=True):
            assert np.allclose(mine, theirs, atol=1e-6)
    failing = Cached(lambda batch, rows, rng: 1 / 0, encoder)
    for _ in range(2):
        with pytest.raises(ZeroDivisionError):
            failing(batch, rows, NONE)
    failing.evaluate = opinions
    assert np.allclose(
        failing(batch, rows, NONE)[1], truth[1], atol=1e-6
    )  # nothing that was never evaluated was found


def test_hashes_of_different_planes_differ():
    rng = np.random.default_rng(0)
    planes = rng.integers(0, 2, (50_000, 2, 6, 7), dtype=np.int8)
    distinct = len(np.unique(planes.reshape(50_000, -1), axis=0))
    hashes = hash_planes(planes)
    assert len(np.unique(hashes)) == distinct and hashes.all()
    single = np.eye(84, dtype=np.int8).reshape(84, 2, 6, 7)
    assert len(np.unique(hash_planes(single))) == 84
    low = hash_planes(planes) >> np.uint64(1) & np.uint64(255)  # the places fill evenly
    assert np.bincount(low.astype(int), minlength=256).min() > 100


def test_ucb1_pulls_by_its_formula():
    """Means 0.5, 0.6 after 4 and 5 pulls: 0.5 + sqrt(2 ln 9 / 4) = 1.548, 0.6 + sqrt(2 ln
    9 / 5) = 1.537: the first.
    """
    choose = ucb1()
    assert choose(np.array([4, 5]), np.array([0.5, 0.6]), NONE) == 0
    assert choose(np.array([4, 5]), np.array([0.5, 0.62]), NONE) == 1
    assert ucb1(c=0.1)(np.array([4, 5]), np.array([0.5, 0.6]), NONE) == 1
    assert choose(np.array([3, 0, 0]), np.array([1.0, 0.0, 0.0]), NONE) == 1
    assert choose(np.array([5, 5]), np.array([0.5, 0.5]), NONE) == 0


def test_the_regret_of_ucb1_grows_like_a_logarithm_and_that_of_greed_does_not():
    chances = np.array([0.3, 0.5, 0.7])

    def epsilon_greedy(epsilon: float):
        def choose(counts, means, rng) -> int:
            return int(rng.integers(3)) if rng.random() < epsilon else int(np.argmax(means))

        return choose

    def mean_regret(choose) -> np.ndarray:
        runs = [
            regret(chances, play_bandit(chances, choose, 2_000, np.random.default_rng(seed)))
            for seed in range(5)
        ]
        return np.mean(runs, axis=0)

    explored, greedy, restless = (
        mean_regret(ucb1()),
        mean_regret(epsilon_greedy(0.0)),
        mean_regret(epsilon_greedy(0.2)),
    )
    bound = (
        sum(8 * np.log(2_000) / (0.7 - p) for p in (0.3, 0.5)) + (1 + np.pi**2 / 3) * 0.6
    )  # Auer et al., theorem 1
    assert explored[-1] < bound
    assert explored[-1] - explored[999] < 0.35 * explored[-1]  # doubling the pulls adds little
    assert (
        restless[-1] - restless[999] > 0.45 * restless[-1]
    )  # a fixed share of exploration costs for ever
    assert greedy[-1] > 1.5 * explored[-1]  # the first arm that pays is kept
    arms = np.array([2, 0, 1])
    assert regret(chances, arms).tolist() == pytest.approx([0.0, 0.4, 0.6])


def test_dirichlet_noise_survives_a_tiny_alpha():
    noise = dirichlet_noise(
        np.array([[True, False, True], [False, False, False]]), 1e-12, np.random.default_rng(0)
    )
    assert noise[0].sum() == pytest.approx(1) and noise[0, 1] == 0 and not noise[1].any()


def test_a_network_that_knows_nothing_is_uniform():
    policy, value = uniform(FOUR.new_batch(3), np.array([0, 2]), NONE)
    assert policy.shape == (2, 7) and (policy == policy[0, 0]).all() and value.tolist() == [0, 0]
