"""An encoder takes positions of a game in, or refuses the game when it is made; one position and
many are encoded alike.
"""

import numpy as np
import pytest

from rlcourse.encoders import ENCODER_NAMES, get_encoder_by_name
from rlcourse.games import GAME_NAMES, get_game
from tests.unit.game_laws import random_batch


@pytest.mark.parametrize("game", [get_game(name) for name in GAME_NAMES], ids=str)
@pytest.mark.parametrize("name", ENCODER_NAMES)
def test_an_encoder_encodes_one_and_many_of_a_game_or_refuses_it(name, game):
    try:
        encoder = get_encoder_by_name(name, game)
    except ValueError as error:
        own = "198 units" if name == "backgammon-units" else name
        assert own in str(error) and game.name in str(error)  # what does not describe which game
        return
    batch = game.new_batch(9)
    if game.num_actions:
        batch = random_batch(game, 9, 12, np.random.default_rng(8))
        ahead = batch.legal().argmax(axis=1)
        batch.step(np.where(batch.done | (np.arange(9) % 2 == 0), -1, ahead))  # either may move
    planes = encoder.encode_batch(batch)
    assert planes.shape == (9, *encoder.shape)
    assert planes.dtype == encoder.encode(game.new_game()).dtype
    for row in np.flatnonzero(~batch.done):
        np.testing.assert_array_equal(planes[row], encoder.encode(batch.state(int(row))))
    np.testing.assert_array_equal(encoder.encode_batch(batch, np.array([7, 2])), planes[[7, 2]])
    np.testing.assert_array_equal(encoder.encode_batch(batch, np.arange(9) < 3), planes[:3])
    assert encoder.encode_batch(batch, np.array([], int)).shape == (0, *encoder.shape)
