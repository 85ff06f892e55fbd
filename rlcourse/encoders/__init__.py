"""Encoders turn positions into arrays: `get_encoder_by_name("two-plane", game)`."""

from rlcourse.encoders.backgammon_units import BackgammonUnitsEncoder
from rlcourse.encoders.boards import CellsEncoder, CheckersEncoder, Encoder, TwoPlaneEncoder
from rlcourse.encoders.four_planes import ThreatsEncoder
from rlcourse.encoders.go_planes import AlphaGoZeroEncoder, OnePlaneEncoder, SimpleEncoder
from rlcourse.errors import BadValue
from rlcourse.games import Game, no_such

__all__ = [
    "AlphaGoZeroEncoder",
    "BackgammonUnitsEncoder",
    "CellsEncoder",
    "CheckersEncoder",
    "ENCODER_NAMES",
    "Encoder",
    "OnePlaneEncoder",
    "SimpleEncoder",
    "ThreatsEncoder",
    "TwoPlaneEncoder",
    "get_encoder_by_name",
]

_CLASSES = (
    CellsEncoder,
    TwoPlaneEncoder,
    CheckersEncoder,
    ThreatsEncoder,
    BackgammonUnitsEncoder,
    OnePlaneEncoder,
    SimpleEncoder,
    AlphaGoZeroEncoder,
)
_ENCODERS = {encoder.name: encoder for encoder in _CLASSES}
ENCODER_NAMES = tuple(_ENCODERS)


def get_encoder_by_name(name: str, game: Game) -> Encoder:
    """The encoder of that name for positions of `game`.

    Raises ValueError for an unknown name, or an encoder of another game.
    """
    if name not in _ENCODERS:
        raise BadValue(no_such("encoder", name, ENCODER_NAMES))
    return _ENCODERS[name](game)
