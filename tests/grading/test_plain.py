"""Plain data: round trips of everything that may travel, and frames that nobody
could have made by encoding.
"""

import json
from enum import IntEnum
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as stnp

from rlcourse.checks.plain import (
    MAX_HEADER,
    PREFIX,
    BadFrame,
    NotPlain,
    Position,
    Rng,
    copy,
    decode,
    encode,
)

INTS = st.integers(-(2**63), 2**64 - 1)
TEXT = st.text(st.characters(exclude_categories=("Cs",)), max_size=20)
SCALARS = st.none() | st.booleans() | INTS | st.floats() | TEXT
KINDS = ("?", "i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", "f2", "f4", "f8", ">f8", ">i4")
ARRAYS = st.sampled_from(KINDS).flatmap(
    lambda kind: stnp.arrays(
        kind, stnp.array_shapes(min_dims=0, max_dims=4, min_side=0, max_side=4)
    )
)
KEYS = TEXT | st.integers(-1000, 1000) | st.tuples(st.integers(0, 9), TEXT)
PLAIN = st.recursive(
    SCALARS | ARRAYS,
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.lists(inner, max_size=4).map(tuple)
        | st.dictionaries(KEYS, inner, max_size=4)
    ),
    max_leaves=20,
)


def same(a, b) -> bool:
    """Equal in value and kind; nan equals nan, -0.0 is not 0.0."""
    if isinstance(a, np.ndarray):
        little = a.dtype.newbyteorder("<")
        equal_kind = (
            isinstance(b, np.ndarray) and a.shape == b.shape and b.dtype.newbyteorder("<") == little
        )
        return equal_kind and a.astype(little).tobytes() == b.astype(little).tobytes()
    if type(a) is not type(b):
        return False
    if isinstance(a, (list, tuple)):
        return len(a) == len(b) and all(map(same, a, b))
    if isinstance(a, dict):
        return list(a) == list(b) and all(same(a[k], b[k]) for k in a)
    return a == b or (a != a and b != b)


@given(PLAIN)
def test_plain_data_survives_the_round_trip(value):
    assert same(value, decode(encode(value)))


@given(PLAIN)
def test_a_copy_is_equal_and_shares_no_array(value):
    again = copy(value)
    assert same(value, again)
    if isinstance(value, np.ndarray):
        assert not np.shares_memory(value, again)


def test_numpy_scalars_become_numbers_and_views_keep_their_values():
    assert decode(encode([np.float32(0.5), np.int8(3), np.True_])) == [0.5, 3, True]
    turned = np.arange(6).reshape(2, 3).T[::-1]
    assert np.array_equal(decode(encode(turned)), turned)


class Move(IntEnum):
    LEFT = 3


class Name(str):
    pass


def test_every_kind_of_number_is_a_number():
    assert same(decode(encode([Move.LEFT, {Move.LEFT: Name("x")}])), [3, {3: "x"}])
    assert same(decode(encode([Fraction(1, 4), np.longdouble(0.5)])), [0.25, 0.5])
    assert same(decode(encode(np.ones(2, np.longdouble))), np.ones(2))


@pytest.mark.parametrize(
    "value",
    [
        object(),
        {1, 2},
        lambda: 0,
        1j,
        np.array([1j]),
        np.array(["a"]),
        np.array([None]),
        2**64,
        "\ud800",
        {frozenset(): 1},
    ],
)
def test_other_values_are_refused(value):
    with pytest.raises(NotPlain):
        encode(value)


def test_a_list_that_contains_itself_is_refused():
    endless = []
    endless.append(endless)
    with pytest.raises(NotPlain, match="deep"):
        encode(endless)


def test_markers_travel_only_when_asked_for():
    frame = encode([Rng(7), Position("tic-tac-toe:.........")])
    rng, position = decode(frame, markers=True)
    assert (rng.seed, position.recipe) == (7, "tic-tac-toe:.........")
    with pytest.raises(BadFrame):
        decode(frame)


def frame(header, body=b"") -> bytes:
    text = header if isinstance(header, bytes) else json.dumps(header).encode()
    return PREFIX.pack(len(text), len(body)) + text + body


HOSTILE = {
    "empty": b"",
    "short prefix": b"\0\0\0",
    "not json": frame(b"{"),
    "not text": frame(b"\xff\xfe"),
    "length beyond the limit": PREFIX.pack(MAX_HEADER + 1, 0),
    "body missing": PREFIX.pack(2, 100) + b"[]",
    "body left over": frame([], b"12345678"),
    "deep": frame(b"[" * 100_000 + b"]" * 100_000),
    "a little too deep": frame(b"[" * 40 + b"]" * 40),
    "objects": frame({"array": ["|O8", [1]]}, b"12345678"),
    "unknown tag": frame({"pickle": "abc"}),
    "two tags": frame({"tuple": [], "dict": []}),
    "no tag": frame({}),
    "negative shape": frame({"array": ["<f8", [-1]]}),
    "bool as shape": frame({"array": ["|i1", [True]]}, b"1"),
    "float as shape": frame({"array": ["|i1", [1.0]]}, b"1"),
    "huge empty shape": frame({"array": ["<f8", [0, 2**24, 2**24, 2**24]]}),
    "shape beyond the body": frame({"array": ["<f8", [2**24]]}),
    "too many arrays": frame([{"array": ["|i1", [0]]}] * 65),
    "too many dimensions": frame({"array": ["|i1", [1] * 9]}, b"1"),
    "array without shape": frame({"array": ["<f8"]}),
    "array of text": frame({"array": "<f8"}),
    "list as key": frame({"dict": [[[1], 2]]}),
    "array as key": frame({"dict": [[{"array": ["|i1", [1]]}, 2]]}, b"1"),
    "key twice": frame({"dict": [["a", 1], ["a", 2]]}),
    "pairs of three": frame({"dict": [[1, 2, 3]]}),
    "many digits": frame(b"1" * 5000),
    "large number": frame(2**64),
    "half a character": frame(b'"\\ud800"'),
    "a generator": frame({"rng": 1}),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_frames_are_refused(name):
    with pytest.raises(BadFrame):
        decode(HOSTILE[name])


@settings(max_examples=300)
@given(st.binary(max_size=200), st.integers(0, 100))
def test_random_bytes_never_do_anything_else(noise, header):
    for bytes_ in (
        noise,
        PREFIX.pack(min(header, len(noise)), len(noise) - min(header, len(noise))) + noise,
    ):
        try:
            decode(bytes_, markers=True)
        except BadFrame:
            pass


@given(PLAIN, st.data())
def test_a_damaged_frame_is_refused_or_is_plain_data(value, data):
    whole = bytearray(encode(value))
    place = data.draw(st.integers(0, len(whole) - 1))
    whole[place] ^= data.draw(st.integers(1, 255))
    try:
        encode(decode(bytes(whole)))
    except BadFrame:
        pass


def test_a_bool_array_holds_only_true_and_false():
    values = decode(frame({"array": ["|b1", [3]]}, b"\x00\x01\xff"))
    assert values.view(np.uint8).tolist() == [0, 1, 1]
