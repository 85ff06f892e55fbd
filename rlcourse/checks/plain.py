"""Plain data, and its frame of bytes.

Nothing else travels between a grader and a student's process. Plain are None, bool, int (64 bit),
float, str, list, tuple, dict and NumPy arrays of numbers. A frame is a JSON header, which holds
everything but the numbers of arrays, and those numbers as raw little-endian bytes. Nothing in a
frame is executed, and nothing in it is trusted: `decode` answers every frame that `encode` cannot
have made with BadFrame.
"""

import json
import math
import struct
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

MAX_HEADER = 256 * 1024  # bytes
MAX_BODY = 16 * 1024 * 1024  # bytes of numbers in a question
MAX_ANSWER = 1_000_000  # bytes of an answer, header and numbers together
ENVELOPE = 4_096  # bytes around an answer: status, error and nonce
MAX_ARRAYS = 64
MAX_DIMENSIONS = 8
MAX_DEPTH = 32
DTYPES = ("|b1", "|i1", "<i2", "<i4", "<i8", "|u1", "<u2", "<u4", "<u8", "<f2", "<f4", "<f8")
PREFIX = struct.Struct("<II")  # length of header and of body, in bytes

_SCALARS = (bool, int, float, str, type(None))
# What is a number or a text as well, such as a member of an IntEnum -> the plain value.
_BARE: dict[type, Callable[[Any], Any]] = {
    int: int.__index__,
    float: float.__float__,
    str: str.__str__,
    Fraction: float,
    np.longdouble: float,
}


class NotPlain(TypeError):
    """A value that cannot travel because it is not plain data, such as an array of objects."""


class TooLarge(NotPlain):
    """Plain data, but more of it than is handed over."""


class BadFrame(ValueError):
    """Bytes that are not a frame made by `encode`, or a frame over the limits."""


@dataclass(frozen=True)
class Rng:
    """An argument that arrives as `np.random.default_rng(seed)`, one for all calls of a case."""

    seed: int


@dataclass(frozen=True)
class Position:
    """An argument that arrives as the position of a recipe, such as "tic-tac-toe:X...O...."."""

    recipe: str


_MARKERS = {
    "rng": (Rng, "seed", int),
    "position": (Position, "recipe", str),
}


def encode(value: Any, most: int = MAX_HEADER + MAX_BODY) -> bytes:
    """The frame of a plain value, of at most so many bytes.

    Numbers and arrays of NumPy are welcome. Raises TooLarge beyond a limit, NotPlain for other
    values, with the reason.
    """
    arrays: list[np.ndarray] = []
    header = json.dumps(_pack(value, arrays, 0), separators=(",", ":")).encode()
    size = sum(array.nbytes for array in arrays)
    if len(header) > MAX_HEADER or size > MAX_BODY or len(header) + size > most:
        allowed = f"at most {min(most, MAX_HEADER):,} and {min(most, MAX_BODY):,} are handed over"
        raise TooLarge(
            f"the value has {len(header):,} bytes of structure and {size:,} bytes of numbers; "
            f"{allowed}"
        )
    body = b"".join(array.tobytes() for array in arrays)
    return PREFIX.pack(len(header), len(body)) + header + body


def decode(frame: bytes, *, markers: bool = False) -> Any:
    """The value of a frame. `markers` allows Rng and Position. Raises BadFrame."""
    try:
        return _decode(frame, markers)
    except BadFrame:
        raise
    except Exception as error:
        # RecursionError, OverflowError, UnicodeDecodeError, ...: whatever a hostile frame provokes
        # is one answer.
        raise BadFrame(f"not a frame: {type(error).__name__}") from None


def frame_size(prefix: bytes, most: int = MAX_HEADER + MAX_BODY) -> int:
    """How many bytes follow the first PREFIX.size of a frame. Raises BadFrame beyond the limits."""
    header, body = PREFIX.unpack(prefix)
    if header > MAX_HEADER or body > MAX_BODY or header + body > most:
        raise BadFrame(
            f"a frame of {header} + {body} bytes, over the limit of {MAX_HEADER} + {MAX_BODY} and "
            f"{most} in all"
        )
    return header + body


def copy(value: Any) -> Any:
    """A copy of plain data in which no array or container is shared.

    A namedtuple becomes a tuple.
    """
    if isinstance(value, np.ndarray):
        return value.copy()
    if isinstance(value, (list, tuple)):
        items = [copy(item) for item in value]
        return tuple(items) if isinstance(value, tuple) else items
    if isinstance(value, dict):
        return {key: copy(item) for key, item in value.items()}
    return value


def _pack(value: Any, arrays: list[np.ndarray], depth: int) -> Any:
    if depth > MAX_DEPTH:
        raise NotPlain(f"lists inside lists, more than {MAX_DEPTH} deep")
    if isinstance(value, np.generic):
        value = value.item()
    if type(value) not in _SCALARS:
        bare = next((bare for kind, bare in _BARE.items() if isinstance(value, kind)), None)
        value = bare(value) if bare else value
    if isinstance(value, np.ndarray):
        return {"array": _pack_array(value, arrays)}
    if isinstance(value, int) and not isinstance(value, bool) and not -(2**63) <= value < 2**64:
        raise NotPlain("a whole number that does not fit in 64 bits")
    if type(value) is str:
        _check_text(value)
    if type(value) in _SCALARS:
        return value
    if isinstance(value, list):
        return [_pack(item, arrays, depth + 1) for item in value]
    if isinstance(value, tuple):
        return {"tuple": [_pack(item, arrays, depth + 1) for item in value]}
    if isinstance(value, dict):
        return {
            "dict": [
                [_pack(k, arrays, depth + 1), _pack(v, arrays, depth + 1)]
                for k, v in _plain_keys(value)
            ]
        }
    for name, (kind, field, _) in _MARKERS.items():
        if isinstance(value, kind):
            return {name: _pack(getattr(value, field), arrays, depth + 1)}
    raise NotPlain(
        f"{type(value).__name__} is not a number, text, list, tuple, dict or array of numbers"
    )


def _pack_array(array: np.ndarray, arrays: list[np.ndarray]) -> list[Any]:
    if np.ma.is_masked(array):
        raise NotPlain(
            "a masked array has places without a number; its method filled gives them one"
        )
    if array.dtype == np.longdouble:
        array = array.astype(np.float64)
    dtype = array.dtype.newbyteorder("<").str
    if dtype not in DTYPES:
        raise NotPlain(f"an array of {array.dtype} is not an array of numbers")
    if len(arrays) == MAX_ARRAYS or array.ndim > MAX_DIMENSIONS:
        raise NotPlain(
            f"more than {MAX_ARRAYS} arrays, or an array of more than {MAX_DIMENSIONS} dimensions"
        )
    arrays.append(np.ascontiguousarray(array, np.dtype(dtype)))
    return [dtype, list(array.shape)]


def _plain_keys(value: dict) -> list[tuple[Any, Any]]:
    for key in value:
        parts = key if isinstance(key, tuple) else (key,)
        if not all(isinstance(part, (*_SCALARS, np.generic)) for part in parts):
            raise NotPlain(f"the key {key!r} of a dict is not a number, a text or a tuple of these")
    return list(value.items())


def _check_text(text: str) -> None:
    try:
        text.encode()
    except UnicodeEncodeError:
        raise NotPlain("a text with half a character in it") from None


def _decode(frame: bytes, markers: bool) -> Any:
    size = frame_size(frame[: PREFIX.size])
    header_size, _ = PREFIX.unpack(frame[: PREFIX.size])
    if len(frame) != PREFIX.size + size:
        raise BadFrame(f"{len(frame)} bytes where the frame announces {PREFIX.size + size}")
    header = json.loads(frame[PREFIX.size : PREFIX.size + header_size].decode())
    reader = _Reader(frame[PREFIX.size + header_size :], markers)
    value = reader.unpack(header, 0)
    if reader.at != len(reader.body):
        raise BadFrame("more numbers than the header describes")
    return value


class _Reader:
    """Rebuilds the value of a header; `at` is how much of the body has been used."""

    def __init__(self, body: bytes, markers: bool) -> None:
        self.body, self.markers, self.at, self.arrays = body, markers, 0, 0

    def unpack(self, node: Any, depth: int) -> Any:
        """The value of a node of the header, `depth` lists deep."""
        if depth > MAX_DEPTH:
            raise BadFrame("nested too deeply")
        if isinstance(node, list):
            return [self.unpack(item, depth + 1) for item in node]
        if not isinstance(node, dict):
            if (
                isinstance(node, int)
                and not isinstance(node, bool)
                and not -(2**63) <= node < 2**64
            ):
                raise BadFrame("a whole number over 64 bits")
            if isinstance(node, str):
                node.encode()
            return node
        if len(node) != 1:
            raise BadFrame("a node has one tag")
        tag, content = next(iter(node.items()))
        if tag == "array":
            return self._array(*content)
        if tag == "tuple" and isinstance(content, list):
            return tuple(self.unpack(item, depth + 1) for item in content)
        if tag == "dict" and isinstance(content, list):
            return self._dict(content, depth)
        if tag in _MARKERS and self.markers:
            kind, _, wanted = _MARKERS[tag]
            inner = self.unpack(content, depth + 1)
            if isinstance(inner, wanted):
                return kind(inner)
        raise BadFrame(f"unknown tag {tag[:20]!r}")

    def _dict(self, content: list, depth: int) -> dict:
        pairs = [
            (self.unpack(key, depth + 1), self.unpack(item, depth + 1)) for key, item in content
        ]
        for key, _ in pairs:
            if not all(
                isinstance(part, _SCALARS) for part in (key if isinstance(key, tuple) else (key,))
            ):
                raise BadFrame("a key that is not plain")
        result = dict(pairs)
        if len(result) != len(pairs):
            raise BadFrame("a key appears twice")
        return result

    def _array(self, dtype: str, shape: list[int]) -> np.ndarray:
        if dtype not in DTYPES or not isinstance(shape, list) or len(shape) > MAX_DIMENSIONS:
            raise BadFrame("not an array of numbers")
        if not all(type(n) is int and 0 <= n <= MAX_BODY for n in shape):
            raise BadFrame("not a shape")
        # Every factor but 0 counts: a shape like [0, 2**24, 2**24] holds no number and still cannot
        # be built.
        if math.prod(n for n in shape if n) > MAX_BODY:
            raise BadFrame("a shape over the limit")
        self.arrays += 1
        size = math.prod(shape) * np.dtype(dtype).itemsize
        if self.arrays > MAX_ARRAYS or self.at + size > len(self.body):
            raise BadFrame("too many arrays, or fewer numbers than the header describes")
        raw = self.body[self.at : self.at + size]
        self.at += size
        if dtype == "|b1":  # a bool byte may only be 0 or 1
            return (np.frombuffer(raw, np.uint8) != 0).reshape(shape)
        return np.frombuffer(raw, np.dtype(dtype)).reshape(shape).copy()
