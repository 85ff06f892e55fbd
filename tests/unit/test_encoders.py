"""An encoder takes positions of a game in, or refuses the game when it is made."""

import pytest

from rlcourse.encoders import ENCODER_NAMES, get_encoder_by_name
from rlcourse.games import GAME_NAMES, get_game


@pytest.mark.parametrize("game", [get_game(name) for name in GAME_NAMES], ids=str)
@pytest.mark.parametrize("name", ENCODER_NAMES)
def test_an_encoder_encodes_a_game_or_refuses_it(name, game):
    try:
        encoder = get_encoder_by_name(name, game)
    except ValueError as error:
        assert game.name in str(error)  # which game it does not describe
        return
    batch = game.new_batch(2)
    assert encoder.encode_batch(batch).shape == (2, *encoder.shape)
    assert encoder.encode(game.new_game()).shape == encoder.shape
