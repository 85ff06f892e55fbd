"""The encoders of Go: planes by hand, seen by the player to move, turned with the board."""

import numpy as np

from rlcourse.encoders import get_encoder_by_name
from rlcourse.games import from_recipe, get_game

GO = get_game("go", size=5, komi=7.5)
NAMES = ("oneplane", "simple", "alphago-zero")


def planes_of(name, text):
    """The planes of a position on 3 x 3, komi 0.5, each written as rows of digits from the top."""
    state = from_recipe(f"go size=3 komi=0.5:{text}")
    planes = get_encoder_by_name(name, get_game("go", size=3, komi=0.5)).encode(state)
    assert planes.dtype == np.int8
    return ["/".join("".join("-01"[cell + 1] for cell in row) for row in plane) for plane in planes]


EMPTY, FULL = "000/000/000", "111/111/111"


def test_one_plane():
    assert planes_of("oneplane", "A3 B3 C1") == ["-10/000/00-"]  # White moves: B3 is its own
    assert planes_of("oneplane", "A3 B3") == ["1-0/000/000"]


def test_simple_planes():
    """Black: A3 and A2 have B2 and A1 (2 liberties). White: B3 has C3 and B2 (2), C1 has C2 and B1
    (2). White moves after B1: Black's B1 has A1 and B2 (2), C1 keeps only C2 (1)."""
    planes = planes_of("simple", "A3 B3 A2 C1 B1")
    own, other = planes[:4], planes[4:8]
    assert own == ["000/000/001", "010/000/000", EMPTY, EMPTY]
    assert other == [EMPTY, "100/100/010", EMPTY, EMPTY]
    assert planes[8:] == [EMPTY, FULL, EMPTY]
    planes = planes_of("simple", ".../.X./... X")
    assert planes[:4] == [EMPTY, EMPTY, EMPTY, "000/010/000"]
    assert planes[8:] == [FULL, EMPTY, EMPTY]
    planes = planes_of("simple", "X../.../... X")
    assert planes[1] == "100/000/000"
    planes = planes_of("simple", ".../X../... X")
    assert planes[2] == "000/100/000"


def test_simple_plane_of_the_ko():
    """Black takes B3 at A3; B3 would bring the first board back."""
    planes = planes_of("simple", ".OX/OX./... X A3")
    assert planes[10] == "010/000/000"
    assert planes[0][:3] == "000"
    assert planes[4] == "100/000/000", "A3 has one liberty left"


def test_planes_of_the_past():
    """After A3 B3 pass C1, Black moves: X then O after the last ply, the ply before, ...; the
    fifth board is the empty one.
    """
    planes = planes_of("alphago-zero", "A3 B3 pass C1")
    black, white, both = "100/000/000", "010/000/000", "010/000/001"
    assert planes[:10] == [black, both, black, white, black, white, black, EMPTY, EMPTY, EMPTY]
    assert planes[10:] == [EMPTY] * 6 + [FULL]
    planes = planes_of("alphago-zero", "A3 B3 pass")  # White moves: White's stones come first
    assert planes[:6] == [white, black, white, black, EMPTY, black]
    assert planes[16] == EMPTY
    long = planes_of(
        "alphago-zero", "X../.../... O C3 A1 C1 B3 C2 B2 pass B1 C2"
    )  # nine plies: the last is that of A1
    assert long[14:16] == ["100/000/100", "001/000/000"]
    assert long[0:2] == ["110/010/110", "000/001/000"], "B1 has taken the column C"


def test_a_set_up_position_has_no_past():
    planes = planes_of("alphago-zero", "X../.O./... X")
    assert planes == ["100/000/000", "000/010/000", *[EMPTY] * 14, FULL]
