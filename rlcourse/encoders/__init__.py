"""Positions -> arrays, by name: `get_encoder_by_name("two-plane", game)`."""

from rlcourse.encoders.boards import CellsEncoder, Encoder, TwoPlaneEncoder
from rlcourse.games import Game

__all__ = ["CellsEncoder", "ENCODER_NAMES", "Encoder", "TwoPlaneEncoder", "get_encoder_by_name"]

_ENCODERS = {"cells": CellsEncoder, "two-plane": TwoPlaneEncoder}
ENCODER_NAMES = tuple(_ENCODERS)


def get_encoder_by_name(name: str, game: Game) -> Encoder:
    """The encoder of that name for positions of `game`. Raises ValueError for an unknown name."""
    if name not in _ENCODERS:
        raise ValueError(f"there is no encoder {name!r}; the course knows {', '.join(ENCODER_NAMES)}")
    return _ENCODERS[name](game)
