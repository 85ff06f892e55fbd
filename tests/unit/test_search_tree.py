"""Trees of many games against the plain search of one, against trees worked by hand,
and what they must never do.
"""

import numpy as np
import pytest

from rlcourse.agents.search_tree import SearchTree, dirichlet_noise, grow, rollouts, uniform
from rlcourse.games import from_recipe, get_game
from tests.oracles.search_plain import search
from tests.unit.search_stub import opinion, opinions

GAMES = [("tic-tac-toe", {}), ("connect-four", {}), ("go", {"size": 3, "komi": 0.5})]
NONE = np.random.default_rng(0)  # where an evaluation uses no random numbers


def random_rows(game, count, seed):
    """(a batch of running positions, its states) after random moves, few and many."""
    rng, batch, states = np.random.default_rng(seed), game.new_batch(count), []
    while len(states) < count:
        state = game.new_game()
        for _ in range(rng.integers(0, 14)):
            moves = state.legal_moves()
            state = state.apply_move(moves[rng.integers(len(moves))])
            if state.is_over():
                break
        if not state.is_over():
            batch.load(len(states), state)
            states.append(state)
    return batch, states


def one(state, game=None):
    """A batch of this position."""
    batch = (game or get_game(state.game)).new_batch(1)
    batch.load(0, state)
    return batch


@pytest.mark.parametrize("rule", ["puct", "ucb1"])
@pytest.mark.parametrize(("name", "options"), GAMES)
def test_every_tree_visits_what_the_plain_search_of_its_game_visits(name, options, rule):
    game = get_game(name, **options)
    batch, states = random_rows(game, 12, seed=1)
    before = batch.arrays()
    tree = grow(batch, opinions, 60, NONE, rule=rule, c=1.7)
    for row, state in enumerate(states):
        root = search(game, state, lambda s: opinion(s, game.num_actions), 60, rule=rule, c=1.7)
        for action in range(game.num_actions):
            assert tree.visits[row, action] == root.N.get(action, 0)
            if root.N.get(action):
                assert tree.q[row, action] == root.q(action)  # to the last bit
        assert tree.root_value[row] == pytest.approx(sum(root.W.values()) / 60, abs=1e-12)
    assert (tree.visits.sum(axis=1) == 60).all() and not tree.visits[~batch.legal()].any()
    for key, array in batch.arrays().items():
        assert np.array_equal(array, before[key])


# X to play, squares 0 to 8:
#   X X .      square 2 wins at once.
#   O O .      square 5 stops O, who would win there.
#   . . .
HAND = from_recipe("tic-tac-toe:XX.OO....")


def by_hand(batch, rows, rng):
    """Prior 0.5 for square 8, 0.3 for square 5, 0.2 for square 2; every position is worth
    -0.2 to the player to move.
    """
    policy = np.zeros((len(rows), 9))
    policy[:, [8, 5, 2]] = 0.5, 0.3, 0.2
    return policy, np.full(len(rows), -0.2)


def test_five_simulations_worked_by_hand():
    """c = 1, U = P sqrt(max(1, sum N)) / (1 + N). Legal are 2, 5, 6, 7,
    8; 6 and 7 have the prior 0.

    1. sum N = 0 counts as 1: U = 0.5 (8), 0.3 (5), 0.2 (2). Square 8, a new leaf worth -0.2 to O, so +0.2 to X.
    2. sqrt 1 = 1: 8 has 0.2 + 0.5/2 = 0.45; 5 has 0.3; 2 has 0.2. Square 8 again. Below it O moves; 8 is taken, so that the
       priors are 0.6 (5) and 0.4 (2): O plays 5 and wins, +1 for O, -1
       for X. W(8) = 0.2 - 1 = -0.8.
    3. sqrt 2 = 1.4142: 8 has -0.4 + 0.5 * 1.4142 / 3 = -0.164; 5 has 0.3 * 1.4142 = 0.424; 2 has 0.283. Square 5: +0.2.
    4. sqrt 3 = 1.7321: 8 has -0.4 + 0.289 = -0.111; 5 has 0.2 + 0.3 * 1.7321 / 2 = 0.460; 2 has 0.346. Square 5 again. Below
       it O moves, priors 5/7 (8) and 2/7 (2): O plays 8, a new leaf worth -0.2
       to X. W(5) = 0.2 - 0.2 = 0.
    5. sqrt 4 = 2: 8 has -0.4 + 0.333 = -0.067; 5 has 0 + 0.3 * 2 / 3 = 0.2; 2 has 0.4. Square 2 wins: +1.
    """
    wanted = [
        {8: (1, 0.2)},
        {8: (2, -0.8)},
        {8: (2, -0.8), 5: (1, 0.2)},
        {8: (2, -0.8), 5: (2, 0.0)},
    ]
    wanted.append({8: (2, -0.8), 5: (2, 0.0), 2: (1, 1.0)})
    tree = SearchTree(one(HAND), by_hand, 5, NONE, c=1.0)
    assert (
        tree.prior[0].tolist() == [0, 0, 0.2, 0, 0, 0.3, 0, 0, 0.5] and tree.root_value[0] == -0.2
    )
    for step, edges in enumerate(wanted):
        tree.simulate()
        seen = {
            a: (int(e["N"]), round(float(e["W"]), 12))
            for a, e in enumerate(tree.edges[0, 0])
            if e["N"]
        }
        assert seen == edges, f"after simulation {step + 1}"
    assert tree.root_value[0] == pytest.approx(0.2 / 5) and tree.q[0, 8] == pytest.approx(-0.4)
    _nodes, actions, lengths = tree.path
    assert lengths[0] == 1 and actions[0, 0] == 2  # the last path
    with pytest.raises(ValueError, match="made for 5 simulations"):
        tree.simulate()


def test_ucb1_worked_by_hand():
    """c = 1.

    Every action once: 2 wins (+1); 5, 6, 7, 8 are worth +0.2 each. Then ln 5 = 1.609,
    U = 1.269 for all: 2 leads.
    """
    tree = grow(one(HAND), by_hand, 6, NONE, rule="ucb1", c=1.0)
    assert tree.visits[0].tolist() == [0, 0, 2, 0, 0, 1, 1, 1, 1]
    assert tree.root_value[0] == pytest.approx((2 + 4 * 0.2) / 6)


def test_a_win_draws_the_visits_and_the_value():
    tree = grow(one(HAND), uniform, 400, NONE)
    assert tree.visits[0].argmax() == 2 and tree.visits[0, 2] > 300 and tree.root_value[0] > 0.8
    lost = from_recipe("tic-tac-toe:XX.OO..X.")  # O to play wins on 5
    tree = grow(one(lost), uniform, 400, NONE)
    assert tree.visits[0].argmax() == 5 and tree.root_value[0] > 0.8
    drawn = from_recipe("tic-tac-toe:XOXXOOO.X")  # X has one square left, a draw
    tree = grow(one(drawn), uniform, 10, NONE)
    assert tree.visits[0].tolist() == [0, 0, 0, 0, 0, 0, 0, 10, 0] and tree.root_value[0] == 0.0


def test_finished_roots_stay_alone_and_nothing_is_asked_of_finished_leaves():
    asked = []

    def watched(batch, rows, rng):
        assert not batch.done[rows].any() and len(rows)
        asked.append(len(rows))
        return uniform(batch, rows, rng)

    batch = get_game("tic-tac-toe").new_batch(3)
    batch.load(0, from_recipe("tic-tac-toe:XXXOO...."))  # over
    batch.load(1, from_recipe("tic-tac-toe:XOXXOOO.X"))  # one move from the end
    tree = grow(batch, watched, 20, NONE)
    assert not tree.visits[0].any() and tree.root_value[0] == 0.0
    assert tree.visits[1].tolist() == [0, 0, 0, 0, 0, 0, 0, 20, 0] and tree.size.tolist()[:2] == [
        1,
        2,
    ]
    assert asked[0] == 2 and set(asked[1:]) == {1}


def test_policy_zero_on_all_legal_moves_becomes_uniform_and_nonsense_is_refused():
    batch = one(HAND)
    occupied = np.zeros((1, 9))
    occupied[0, 0] = 1.0
    tree = SearchTree(batch, lambda b, rows, rng: (occupied, np.zeros(1)), 1, NONE)
    assert tree.prior[0, [2, 5, 6, 7, 8]].tolist() == [0.2] * 5
    one_each = np.ones((1, 9))
    for policy, value in (
        (-one_each, 0),
        (one_each * np.nan, 0),
        (one_each, np.nan),
        (one_each, 1.5),
    ):
        with pytest.raises(ValueError, match="probabilities >= 0 and values in"):
            SearchTree(
                batch, lambda b, rows, rng, p=policy, v=value: (p, np.full(1, v, float)), 1, NONE
            )
    with pytest.raises(ValueError, match=r"policy \[1, 9\] and value \[1\]"):
        SearchTree(batch, lambda b, rows, rng: (np.ones((1, 8)), np.zeros(1)), 1, NONE)
    with pytest.raises(ValueError, match="puct, ucb1"):
        SearchTree(batch, uniform, 1, NONE, rule="uct")


def test_noise_is_at_the_root_only_and_over_legal_actions():
    batch, _ = random_rows(get_game("connect-four"), 50, seed=3)
    legal = batch.legal()
    noise = dirichlet_noise(legal, 0.5, np.random.default_rng(0))
    assert np.allclose(noise.sum(axis=1), 1) and not noise[~legal].any()
    plain, noisy = (
        grow(batch, opinions, 30, NONE),
        grow(batch, opinions, 30, NONE, noise=noise, share=0.25),
    )
    assert np.allclose(noisy.prior, 0.75 * plain.prior + 0.25 * noise) and np.allclose(
        noisy.prior.sum(axis=1), 1
    )
    first = {}  # the priors of the first node below the root by its action
    for tree in (plain, noisy):
        for row in range(50):
            for action, edge in enumerate(tree.edges[row, 0]):
                if edge["N"]:
                    first.setdefault((row, action), []).append(
                        tree.edges[row, edge["child"]]["P"].tolist()
                    )
    both = [pair for pair in first.values() if len(pair) == 2]
    assert len(both) > 100 and all(a == b for a, b in both)
    with pytest.raises(ValueError, match=r"shape \(50, 7\)"):
        noisy.add_noise(noise[:, :6])


def test_dirichlet_noise_has_the_moments_of_its_distribution():
    """Of k actions: mean 1/k, variance (1/k)(1 - 1/k) / (k alpha + 1).

    Here k = 4, alpha = 0.3: 0.25 and 0.1875 / 2.2.
    """
    legal = np.zeros((40_000, 7), np.bool_)
    legal[:, [0, 2, 3, 6]] = True
    noise = dirichlet_noise(legal, 0.3, np.random.default_rng(1))[:, [0, 2, 3, 6]]
    error = 6 * np.sqrt(0.1875 / 2.2 / 40_000)
    assert np.all(np.abs(noise.mean(axis=0) - 0.25) < error)
    assert np.allclose(noise.var(axis=0), 0.1875 / 2.2, rtol=0.05)


def test_rollouts_speak_for_the_player_to_move():
    game = get_game("tic-tac-toe")
    batch = game.new_batch(2_000)
    nearly = from_recipe("tic-tac-toe:XX.OO..X.")  # O to play
    for row in range(2_000):
        batch.load(row, nearly if row % 2 else HAND)
    policy, value = rollouts(batch, np.arange(1, 2_000, 2), np.random.default_rng(0))
    assert policy.shape == (1_000, 9) and set(np.unique(value)) <= {-1.0, 0.0, 1.0}
    exact = random_play(nearly)
    assert abs(value.mean() - exact) < 6 / np.sqrt(1_000)


def random_play(state) -> float:
    """The exact mean result of uniformly random play, for the player to move."""
    if state.is_over():
        return state.points if state.next_player == 0 else -state.points
    moves = state.legal_moves()
    return float(np.mean([-random_play(state.apply_move(move)) for move in moves]))


def test_superko_holds_in_the_tree():
    """The stone that would bring a board back is no edge of the tree; the same stones
    without their history allow it.
    """
    game = get_game("go", size=5, komi=0.5)
    #     A B C D E          Black to play takes at C3 (the white stone B3
    #     loses its last liberty) ...
    #  5  . . . . .
    #  4  . X O . .
    #  3  X O . O .
    #  2  . X O . .
    #  1  . . . . .
    # ... then White may not take back at B3 at once: the board would be as it was.
    start = from_recipe("go size=5 komi=0.5:B4 C4 A3 B3 B2 D3 E1 C2")
    ko, back = game.labels.index("C3"), game.labels.index("B3")

    def only(batch, rows, rng):
        """All the weight on C3 and B3, where they are empty: the
        search runs into the ko at once.
        """
        policy = np.full((len(rows), 26), 1e-9)
        policy[:, [ko, back]] = 1.0
        return policy, np.zeros(len(rows))

    tree = grow(one(start, game), only, 40, NONE)
    child = tree.edges[0, 0]["child"][ko]
    assert child > 0
    assert tree.edges[0, child]["child"][back] == -2, "illegal by superko right after the capture"
    # After a ko threat and its answer elsewhere, the same point is open again: somewhere
    # deeper in the tree it was tried.
    taken = [
        g
        for g in range(1, tree.size[0])
        if tree.edges[0, g]["child"][back] != -2 and not tree.done[0, g] and g != child
    ]
    assert taken
    after = start.apply_move(game.move(start, ko))
    assert back not in [game.action(move) for move in after.legal_moves()]
    alone = from_recipe(
        without_history(after)
    )  # the same stones, without the game that led to them
    assert back in [game.action(move) for move in alone.legal_moves()]
    lonely = grow(one(alone, game), only, 10, NONE)
    assert lonely.edges[0, 0]["child"][back] != -2


def without_history(state) -> str:
    """The position as a board, "go size=5 ...:XO../...", White to play."""
    rows = "/".join("".join(".XO"[cell] for cell in row) for row in state.board)
    return f"go size=5 komi=0.5:{rows} O"
