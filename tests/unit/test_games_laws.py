"""The laws that every game of numbered actions keeps, on random positions: single
positions, batches, symmetries.
"""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rlcourse.games import GameOver, IllegalMove, from_recipe, get_game
from tests.unit.game_laws import (
    ACTION_GAMES,
    assert_same_arrays,
    check_position,
    legal_actions,
    played,
    random_actions,
    random_batch,
    random_choice,
)

every_game = pytest.mark.parametrize("game", ACTION_GAMES, ids=str)
seeds = st.integers(0, 2**32 - 1)
quick = settings(max_examples=25)


@every_game
@quick
@given(seed=seeds, plies=st.integers(0, 60))
def test_a_position_keeps_the_laws(game, seed, plies):
    check_position(game, played(game, random_actions(game, seed, plies)))


@every_game
def test_a_game_that_is_over_keeps_the_laws(game):
    for seed in range(5):
        state = played(game, random_actions(game, seed, 10_000))
        assert state.is_over()
        check_position(game, state)


@every_game
def test_the_descriptor(game):
    start = game.new_game()
    assert start == game.new_game()
    assert start.next_player == 0
    assert not start.is_over()
    found = get_game(game.name, **game.options)
    assert (found.name, found.options) == (game.name, game.options)
    assert get_game(game.name, **game.options) is found
    assert len(game.labels) == len(set(game.labels)) == game.num_actions
    assert all(isinstance(label, str) and label for label in game.labels)


@every_game
@pytest.mark.parametrize(
    "move",
    [None, "a1x", 1.0, -1, 10_000, True, (0, 0), float("nan"), 2**70, np.float32(1), [1]],
    ids=repr,
)
def test_what_is_no_move_is_refused(game, move):
    start = game.new_game()
    assert not start.is_valid_move(move)
    with pytest.raises(IllegalMove, match="move"):
        start.apply_move(move)
    with pytest.raises(IllegalMove, match="move"):
        game.action(move)


@every_game
def test_a_position_is_immutable(game):
    state = played(game, random_actions(game, 3, 4))
    twin = from_recipe(state.recipe())
    for name in ("cells", "_to_play", "_over", "_points", "_rules", "anything", "next_player"):
        with pytest.raises(AttributeError):
            setattr(state, name, 1)
        with pytest.raises(AttributeError):
            delattr(state, name)
    state.board[...] = 1  # a copy
    assert state == twin
    assert hash(state) == hash(twin)


@every_game
def test_positions_compare_by_what_they_are(game):
    state = played(game, random_actions(game, 3, 4))
    others = [
        game.new_game(),
        *(other.new_game() for other in ACTION_GAMES if other is not game),
        None,
        state.recipe(),
        0,
    ]
    for other in others:
        assert state != other
        assert not state == other  # noqa: SIM201 - both operators
    assert len({state, from_recipe(state.recipe()), game.new_game()}) == 2


@every_game
def test_the_symmetries_are_a_group(game):
    actions = {tuple(s.actions): tuple(s.cells) for s in game.symmetries}
    identity = tuple(range(game.num_actions))
    assert tuple(game.symmetries[0].actions) == identity
    assert tuple(game.symmetries[0].cells) == tuple(range(game.board[0] * game.board[1]))
    assert len(actions) == len(game.symmetries), "no symmetry stands there twice"
    for s in game.symmetries:
        assert sorted(s.actions) == list(identity)
        assert sorted(s.cells) == list(range(len(s.cells)))
        assert any((s.actions[t.actions] == identity).all() for t in game.symmetries), (
            "each has its inverse"
        )
        for (
            t
        ) in game.symmetries:  # first t, then s: an image by actions and the same image by cells
            assert actions[tuple(s.actions[t.actions])] == tuple(s.cells[t.cells])


@every_game
@quick
@given(seed=seeds, plies=st.integers(0, 60))
def test_symmetries_commute_with_play(game, seed, plies):
    actions = random_actions(game, seed, plies)
    state = played(game, actions)
    for symmetry in game.symmetries:
        image = played(game, symmetry.actions[actions] if actions else [])
        assert (image.board.ravel()[symmetry.cells] == state.board.ravel()).all()
        assert (
            sorted(symmetry.actions[legal_actions(game, state)]) == legal_actions(game, image)
            if not state.is_over()
            else True
        )
        assert (image.is_over(), image.points, image.next_player) == (
            state.is_over(),
            state.points,
            state.next_player,
        )


@every_game
def test_position_and_batch_agree_ply_by_ply(game):
    rng = np.random.default_rng(7)
    batch = game.new_batch(24)
    states = [game.new_game()] * 24
    while not batch.done.all():
        mask, choice = batch.legal(), random_choice(batch, rng)
        assert not (batch.sensible() & ~mask).any()
        for row, state in enumerate(states):
            assert np.flatnonzero(mask[row]).tolist() == legal_actions(game, state)
            if choice[row] >= 0:
                states[row] = state.apply_move(game.move(state, int(choice[row])))
        batch.step(choice)
        for row, state in enumerate(states):
            assert batch.state(row) == state
            assert batch.state(row).recipe() == state.recipe()
            found = (batch.to_play[row], batch.done[row], batch.points[row])
            assert found == (state.next_player, state.is_over(), state.points)
    assert not batch.legal().any()
    assert set(batch.points.tolist()) <= {-1.0, 0.0, 1.0}


@every_game
def test_types_and_shapes_of_a_batch(game):
    batch = game.new_batch(5)
    types = {
        name: getattr(batch, name).dtype for name in ("to_play", "done", "truncated", "points")
    }
    assert types == {
        "to_play": np.int8,
        "done": np.bool_,
        "truncated": np.bool_,
        "points": np.float32,
    }
    assert all(getattr(batch, name).shape == (5,) for name in types)
    for rows, count in (
        (None, 5),
        (np.array([3, 1]), 2),
        (np.array([], int), 0),
        (np.arange(5) > 2, 2),
    ):
        assert batch.legal(rows).shape == (count, game.num_actions)
        assert batch.legal(rows).dtype == np.bool_
    empty = game.new_batch(0)
    empty.step(np.array([], int))
    assert empty.legal().shape == (0, game.num_actions)
    with pytest.raises(ValueError, match="-1"):
        game.new_batch(-1)


@every_game
def test_minus_one_leaves_a_row_alone(game):
    rng = np.random.default_rng(1)
    batch = random_batch(game, 8, 3, rng)
    states, before, choice = (
        [batch.state(row) for row in range(8)],
        batch.arrays(),
        random_choice(batch, rng),
    )
    choice[::2] = -1
    batch.step(choice)
    after = batch.arrays()
    assert_same_arrays(
        {name: array[::2] for name, array in after.items()},
        {name: array[::2] for name, array in before.items()},
    )
    assert all(
        batch.state(row) == states[row].apply_move(game.move(states[row], int(choice[row])))
        for row in range(1, 8, 2)
    )
    batch.step(np.full(8, -1))
    assert_same_arrays(batch.arrays(), after)


@every_game
def test_an_illegal_action_changes_no_row(game):
    """The bad action stands in the last row, so that a step that plays
    before it looks would be caught.
    """
    over = random_actions(game, 0, 10_000)
    batch = game.new_batch(4)
    batch.load(3, played(game, over))
    choice = random_choice(batch, np.random.default_rng(1))
    before = batch.arrays()
    for bad, error, message in (
        (0, GameOver, "game 3 .*the game is over"),
        (
            game.num_actions,
            IllegalMove,
            f"game 3 .*{game.num_actions} is not an action; actions are 0 to {game.num_actions - 1}",
        ),
        (-2, IllegalMove, "game 3 .*-2 is not an action"),
        (2**62, IllegalMove, "is not an action"),
    ):
        with pytest.raises(error, match=message):
            batch.step(np.append(choice[:3], bad))
        assert_same_arrays(batch.arrays(), before)
    for seed in range(
        100
    ):  # a position before the last move of a random game, in which some action is illegal
        state = played(game, random_actions(game, seed, 10_000)[:-1])
        illegal = sorted(set(range(game.num_actions)) - set(legal_actions(game, state)))
        if illegal:
            break
    batch.load(3, state)
    before = batch.arrays()
    with pytest.raises(IllegalMove, match=f"game 3 .*{game.labels[illegal[0]]}") as caught:
        batch.step(np.append(choice[:3], illegal[0]))
    assert not isinstance(caught.value, GameOver)
    assert_same_arrays(batch.arrays(), before)


@every_game
@pytest.mark.parametrize(
    "actions",
    [
        np.zeros(3),
        np.zeros(2, int),
        np.zeros((3, 1), int),
        0,
        None,
        ["a1"] * 3,
        np.zeros(3, bool),
        [0, 1, None],
    ],
    ids=repr,
)
def test_a_step_wants_one_whole_number_a_game(game, actions):
    batch = game.new_batch(3)
    with pytest.raises(ValueError, match="step wants 3 integers, one action a game"):
        batch.step(actions)
    assert_same_arrays(batch.arrays(), game.new_batch(3).arrays())


@every_game
@pytest.mark.parametrize("kind", [np.int8, np.uint8, np.int32, np.uint64, np.int64])
def test_every_kind_of_integer_is_an_action(game, kind):
    batch = game.new_batch(2)
    batch.step(np.array([1, 2], kind))
    assert [batch.state(row) for row in (0, 1)] == [played(game, [1]), played(game, [2])]
    batch.step([3, 3])
    assert batch.state(1) == played(game, [2, 3])


@every_game
def test_reset_state_and_load(game):
    rng = np.random.default_rng(5)
    batch = random_batch(game, 6, 4, rng)
    states = [batch.state(row) for row in range(6)]
    batch.reset(np.array([1, 4]))
    start = game.new_game()
    assert [batch.state(row) for row in range(6)] == [
        start if row in (1, 4) else states[row] for row in range(6)
    ]
    for row in (1, 4):
        batch.load(row, states[row])
    assert [batch.state(row) for row in range(6)] == states
    over = played(game, random_actions(game, 0, 10_000))
    batch.load(0, over)
    assert (batch.state(0), batch.done[0], batch.points[0]) == (over, True, over.points)
    batch.reset()
    assert_same_arrays(batch.arrays(), game.new_batch(6).arrays())


@every_game
def test_load_refuses_what_is_no_position_of_the_game(game):
    batch = game.new_batch(2)
    others = [other.new_game() for other in ACTION_GAMES if other.name != game.name]
    for other in [*others, None, game.new_game().recipe()]:
        with pytest.raises(ValueError, match=f"a batch of {game.name} "):
            batch.load(0, other)
    assert_same_arrays(batch.arrays(), game.new_batch(2).arrays())


@every_game
def test_arrays_and_restore(game):
    rng = np.random.default_rng(9)
    batch = random_batch(game, 5, 4, rng)
    kept = batch.arrays()
    choice = random_choice(batch, rng)
    batch.step(choice)
    later = batch.arrays()
    twin = game.new_batch(5)
    twin.restore(kept)
    twin.step(choice)
    assert_same_arrays(twin.arrays(), later)
    for array in kept.values():
        array[...] = 1
    assert_same_arrays(batch.arrays(), later)


@every_game
def test_restore_refuses_what_does_not_fit_and_changes_nothing(game):
    batch = random_batch(game, 5, 4, np.random.default_rng(9))
    kept = batch.arrays()
    last = list(kept)[-1]
    fresh = game.new_batch(5).arrays()
    for misfit in (
        game.new_batch(4).arrays(),
        {},
        {name: array for name, array in fresh.items() if name != last},
        {**fresh, last: fresh[last].astype("U8")},
        {**fresh, last: fresh[last].astype(np.complex64)},
        {**fresh, last: None},
        *(other.new_batch(5).arrays() for other in ACTION_GAMES if other.board != game.board),
    ):
        with pytest.raises(ValueError, match=f"not of 5 games of {game.name}"):
            batch.restore(misfit)
        assert_same_arrays(batch.arrays(), kept)


@every_game
def test_replay_is_stepping(game):
    rng = np.random.default_rng(11)
    roots = random_batch(game, 16, 3, rng)
    stepped = game.new_batch(16)
    stepped.restore(roots.arrays())
    lengths = rng.integers(0, 5, 16)
    actions = np.full((16, 4), -7)  # what stands behind a row's length is not looked at
    for depth in range(4):
        choice = np.where(depth < lengths, random_choice(stepped, rng), -1)
        lengths = np.where((choice < 0) & (depth < lengths), depth, lengths)
        actions[:, depth] = np.where(choice < 0, -7, choice)
        stepped.step(choice)
    before, replayed = roots.arrays(), random_batch(game, 16, 5, rng)
    replayed.replay(roots, actions, lengths)
    assert_same_arrays(replayed.arrays(), stepped.arrays())
    assert_same_arrays(roots.arrays(), before)


@every_game
def test_replay_refuses_what_it_cannot_play(game):
    batch, roots = game.new_batch(2), game.new_batch(2)
    ones, zeros = np.ones(2, int), np.zeros((2, 3), int)
    for actions, lengths in (
        (zeros, ones * 4),
        (zeros, -ones),
        (zeros, np.ones(3, int)),
        (np.zeros((3, 3), int), ones),
        (np.zeros(2, int), ones),
        (np.zeros((2, 3)), ones),
        (zeros, np.ones(2)),
    ):
        with pytest.raises(ValueError, match=r"actions \[2, D\] and lengths \[2\]"):
            batch.replay(roots, actions, lengths)
    with pytest.raises(ValueError, match="same game and size"):
        batch.replay(game.new_batch(3), zeros, ones)
    with pytest.raises(IllegalMove, match="game 1 of the batch"):
        batch.replay(roots, np.array([[0], [game.num_actions]]), ones)
