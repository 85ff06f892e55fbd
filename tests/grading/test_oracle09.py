"""What sheet 09 takes for right does what AlphaZero needs: laws of symmetry and views,
exact chances, true searches.
"""

import numpy as np
import pytest

from rlcourse.checks import judging, oracle09


def test_at_temperature_one_play_is_the_target_and_later_the_best_move_takes_over():
    visits, q = np.array([[5, 0, 20, 75]] * 4), np.zeros((4, 4))
    targets, chances = oracle09.search_chances(visits, q, np.array([0, 4, 40, 400]), 4.0, 1000)
    assert targets == pytest.approx(visits / 100)
    assert chances[0] == pytest.approx(targets[0])
    assert chances[1] == pytest.approx(np.array([25, 0, 400, 5625]) / 6050)
    assert (np.diff(chances[:, 3]) >= 0).all() and chances[3] == pytest.approx([0, 0, 0, 1])


def joined(board, player):
    """Whether player 0 (+1) has joined top and bottom of the Hex board, or player 1 (-1)
    left and right: a flood fill.
    """
    own = board == 1 if player == 0 else (board == -1).T
    size = len(board)
    reached, todo = set(), [(0, j) for j in range(size) if own[0, j]]
    while todo:
        i, j = todo.pop()
        if (i, j) not in reached:
            reached.add((i, j))
            near = ((i, j - 1), (i, j + 1), (i - 1, j), (i + 1, j), (i - 1, j + 1), (i + 1, j - 1))
            todo += [(k, m) for k, m in near if 0 <= k < size and 0 <= m < size and own[k, m]]
    return any(i == size - 1 for i, _ in reached)


@pytest.mark.parametrize("size", [3, 4, 5])
def test_in_the_movers_view_of_hex_who_has_won_stays_the_winner(size):
    """Full boards have one winner (Nash); in all examples the mover has joined top
    and bottom just where z is 1.
    """
    rng, count = np.random.default_rng(size), 40
    boards = rng.choice([-1, 1], (count, size, size))
    movers = rng.integers(0, 2, count)
    results = np.array([1 if joined(board, 0) else -1 for board in boards])
    assert all(joined(board, 0) != joined(board, 1) for board in boards)
    policies = rng.dirichlet(np.ones(size * size + 1), count)
    views, plans, z = oracle09.hex_examples(boards, movers, policies, results)
    assert [1 if joined(view, 0) else -1 for view in views] == z.tolist()
    for slip in ("board_view", "colours", "z_first", "z_turn"):
        wrong, _, said = oracle09.hex_examples(boards, movers, policies, results, slip=slip)
        assert [1 if joined(view, 0) else -1 for view in wrong] != said.tolist(), slip
    # Shares go with their points: what lies on +1 stones for player 0 lies on the mover's
    # own stones or on the other's.
    own = [
        (plan[:-1].reshape(size, size) * (view == 1)).sum()
        for plan, view in zip(plans, views, strict=True)
    ]
    before = [
        (policy[:-1].reshape(size, size) * (board == (1 if mover == 0 else -1))).sum()
        for board, mover, policy in zip(boards, movers, policies, strict=True)
    ]
    assert own == pytest.approx(before * 2)
    assert plans[:, -1] == pytest.approx(np.tile(policies[:, -1], 2))


def test_value_targets_change_sign_with_the_sides():
    """The same games with the players' names exchanged have the same targets: everything
    is for the player to move.
    """
    rng = np.random.default_rng(1)
    game, mover, root = np.repeat([0, 1, 2], 6), rng.integers(0, 2, 18), rng.uniform(-1, 1, 18)
    result, cut = np.array([1.0, 0.0, -1.0]), np.array([False, False, True])
    one = oracle09.value_targets(game, mover, root, result, cut, 0.3)
    assert one == pytest.approx(oracle09.value_targets(game, 1 - mover, root, -result, cut, 0.3))
    for slip in ("first", "draw_second", "root_view"):
        given = oracle09.value_targets(game, mover, root, result, cut, 0.3, slip)
        assert given != pytest.approx(
            oracle09.value_targets(game, 1 - mover, root, -result, cut, 0.3, slip)
        ), slip


def test_the_chance_to_pass_is_that_of_real_matches():
    rng, matches, games = np.random.default_rng(2), 20_000, 15
    chances = np.array([[0.5, 0.2, 0.3], [0.3, 0.3, 0.4]])
    points = np.zeros(matches)
    for g in range(games):
        points += rng.choice([1, 0.5, 0], matches, p=chances[g % 2])
    needed, chance = oracle09.gate_chance(*chances, games, 55)
    assert needed == 8.5
    assert abs(np.mean(points >= needed) - chance) < 5 * 0.5 / matches**0.5


def test_with_many_simulations_the_search_finds_the_exact_value(monkeypatch):
    """On random token games without noise: the value of best play, and pi on a best move; with
    the value not negated, not.
    """
    monkeypatch.setattr(judging, "NARROW", 0.0)
    right, wrong = [], []
    for seed in range(5):
        rng = np.random.default_rng(seed)
        goes = np.full((9, 3), -1)
        for place in range(6):
            goes[place, rng.permutation(3)[:2]] = rng.integers(place + 1, min(9, place + 4), 2)
        ends = np.zeros(9)
        ends[-3:] = [1, 0, -1]
        exact = ends.copy()
        for place in range(5, -1, -1):
            exact[place] = max(-exact[to] for to in goes[place] if to >= 0)
        network = rng.dirichlet(np.ones(3), 9), rng.uniform(-0.5, 0.5, 9)
        for found, slip in ((right, ""), (wrong, "sign")):
            pi, value = oracle09.token_search(
                goes, ends, 0, *network, np.zeros(3), 0.0, 1.5, 400, slip=slip
            )
            best = -exact[goes[0, pi.argmax()]] == exact[0]
            found.append(bool(best and abs(value - exact[0]) < 0.25))
    assert all(right) and not all(wrong)
