"""What the law tests of all games share: random positions, and the laws of one position."""

import pickle
import re
from xml.etree import ElementTree

import numpy as np
import pytest

from rlcourse.games import GAME_NAMES, Game, GameOver, GameState, IllegalMove, from_recipe, get_game

ACTION_GAMES = [get_game(name) for name in GAME_NAMES if get_game(name).num_actions is not None]
SVG = "{http://www.w3.org/2000/svg}"


def random_actions(game: Game, seed: int, plies: int) -> list[int]:
    """The actions of a random game, cut off after `plies`."""
    rng, batch, actions = np.random.default_rng(seed), game.new_batch(1), []
    while len(actions) < plies and not batch.done[0]:
        actions.append(int(rng.choice(np.flatnonzero(batch.legal()[0]))))
        batch.step(np.array(actions[-1:]))
    return actions


def played(game: Game, actions: list[int]) -> GameState:
    """The position after `actions`, from the start."""
    state = game.new_game()
    for action in actions:
        state = state.apply_move(game.move(state, int(action)))
    return state


def legal_actions(game: Game, state: GameState) -> list[int]:
    """The legal moves of a position as actions, in the order of `legal_moves`."""
    return [game.action(move) for move in state.legal_moves()]


def random_batch(game: Game, n: int, plies: int, rng: np.random.Generator):
    """A batch of n random games after `plies` plies; some of them may be over."""
    batch = game.new_batch(n)
    for _ in range(plies):
        batch.step(random_choice(batch, rng))
    return batch


def random_choice(batch, rng: np.random.Generator) -> np.ndarray:
    """[N] a random legal action a row, -1 in finished games."""
    legal = batch.legal()
    return np.where(legal.any(axis=1), (legal * rng.random(legal.shape)).argmax(axis=1), -1)


def assert_same_arrays(found, expected) -> None:
    """Two `batch.arrays()` are equal in names, types and every value."""
    assert set(found) == set(expected)
    for name, array in expected.items():
        assert found[name].dtype == array.dtype, name
        np.testing.assert_array_equal(found[name], array, err_msg=name)


def check_position(game: Game, state: GameState) -> None:
    """The laws of a single position, in a game of numbered actions."""
    before = (state.recipe(), str(state), hash(state), state.legal_moves())
    _check_result(state)
    _check_moves(game, state)
    _check_text(game, state)
    _check_picture(state)
    assert before == (state.recipe(), str(state), hash(state), state.legal_moves()), (
        "the position has changed"
    )


def _check_result(state: GameState) -> None:
    assert state.next_player in (0, 1)
    assert isinstance(state.points, float)
    if state.is_over():
        assert state.winner() in (-1, 0, 1)
        assert state.points == state.winner()
        assert len(state.legal_moves()) == 0
    else:
        assert state.winner() is None
        assert state.points == 0
        assert len(state.legal_moves()) > 0


def _check_moves(game: Game, state: GameState) -> None:
    legal = legal_actions(game, state)
    assert legal == sorted(set(legal)), "legal moves come in the order of their actions"
    for action in range(game.num_actions):
        if action in legal:
            move = game.move(state, action)
            assert game.action(move) == action
            assert state.is_valid_move(move)
            after = state.apply_move(move)
            assert after != state
            assert after.is_over() or after.next_player in (0, 1)
        else:
            wrong = GameOver if state.is_over() else IllegalMove
            with pytest.raises(wrong, match=re.escape(game.labels[action])):
                game.move(state, action)
            if isinstance(game.new_game().legal_moves()[0], int):  # a move is the action itself
                assert not state.is_valid_move(action)
                with pytest.raises(wrong, match=re.escape(game.labels[action])):
                    state.apply_move(action)


def _check_text(game: Game, state: GameState) -> None:
    recipe = state.recipe()
    assert recipe.startswith(game.name)
    assert "\n" not in recipe
    for copy in (
        from_recipe(recipe),
        from_recipe(f"  {recipe} "),
        pickle.loads(pickle.dumps(state)),
    ):
        assert copy == state
        assert hash(copy) == hash(state)
        assert (copy.next_player, copy.winner(), copy.legal_moves()) == (
            state.next_player,
            state.winner(),
            state.legal_moves(),
        )
        assert (copy.recipe(), str(copy), copy._repr_svg_()) == (
            recipe,
            str(state),
            state._repr_svg_(),
        )
    height, width = game.board
    lines = str(state).splitlines()
    assert len(lines) == height + 2, "H rows, the letters, whose turn it is"
    assert [line.split()[0] for line in lines[:height]] == [
        str(height - row) for row in range(height)
    ]
    assert all(len(line.split()) == 1 + width for line in lines[:height])


def _check_picture(state: GameState) -> None:
    picture = state._repr_svg_()
    assert picture == state._repr_svg_()
    root = ElementTree.fromstring(picture)
    assert root.tag == f"{SVG}svg"
    assert root.get("role") == "img" and root.find(f"{SVG}desc").text
    assert root.find(f"{SVG}title").text, "a picture has a spoken name"
    assert not re.search(r"\bid=|class=|<style|data-action", picture), (
        "a picture stands beside others in one page"
    )
