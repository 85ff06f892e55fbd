"""Safe files: named arrays and JSON metadata in an HDF5 file that contains nothing executable.

`save` writes atomically: a kill at any moment leaves the old file or the new one. `load` trusts no
file: it reads plain numbers and text of a limited size, follows no link, and raises StorageError
for everything else. `write_group` and `read_group` do the same in an open HDF5 file.
"""

import json
import os
import zlib
from collections.abc import Iterator, Mapping
from contextlib import suppress
from itertools import accumulate
from math import prod
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple

import h5py
import numpy as np
from h5py import h5f, h5fd, h5g, h5p

from rlcourse.atomic import atomic_file
from rlcourse.errors import CourseError

FORMAT = 1
MAX_DEPTH = 8  # parts of an array's name
MAX_ARRAYS = 10_000
MAX_BYTES = 2 << 30
META = "meta.json"
_PLAIN = {
    np.dtype(code)
    for code in ("?", "i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", "f2", "f4", "f8")
}
_FILTERS = {h5py.h5z.FILTER_DEFLATE, h5py.h5z.FILTER_SHUFFLE, h5py.h5z.FILTER_FLETCHER32}


class StorageError(CourseError, ValueError):
    """A file that cannot be read or written; the message names the file and the reason."""


class Stored(NamedTuple):
    """The contents of a file: its kind, such as "checkpoint", the arrays by name, the metadata."""

    kind: str
    arrays: dict[str, np.ndarray]
    meta: dict[str, Any]


def save(
    path: str | os.PathLike, kind: str, arrays: Mapping[str, np.ndarray], meta: Mapping[str, Any]
) -> None:
    """Write `arrays` and `meta` to `path` atomically.

    Arrays hold bools, integers or floats of up to 64 bits, or text of a fixed length; a name may
    contain "/". `meta` must survive a round trip through JSON: text keys, lists instead of tuples,
    no NaN. Raises StorageError, leaving the old file as it was.
    """
    path = Path(path)
    try:
        with atomic_file(path) as stream, _new_file(stream) as file:
            write_group(file, kind, arrays, meta)
    except (OSError, RuntimeError) as error:
        raise StorageError(
            f"{path} could not be written; an earlier file of that name is untouched ({error})"
        ) from error


def load(path: str | os.PathLike, kind: str | None = None, *, max_bytes: int = MAX_BYTES) -> Stored:
    """Read the file `path`, which must be of the given `kind` if there is one.

    Raises StorageError for every file that `save` did not write, and, before reading any array, if
    the arrays take more than `max_bytes` of memory in total.
    """
    path = Path(path)
    if not path.is_file():
        raise StorageError(f"{path} is not a file" if path.exists() else f"{path} does not exist")
    try:
        with open(path, "rb") as head:
            signature = head.read(9)
        if signature[:8] != b"\x89HDF\r\n\x1a\n":
            raise StorageError(
                f"{path} is not an HDF5 file; the course's files are written by "
                "rlcourse.storage.save"
            )
        # Headers of the versions 0 and 1 have no checksums: the library may hang on damaged ones.
        if signature[8:] in (b"\0", b"\1"):
            raise StorageError(
                f"{path} is an HDF5 file, but not one of this course (its format is older)"
            )
        # Readers need no lock, because a file is only ever replaced whole; network folders often
        # refuse locks.
        with h5py.File(path, "r", locking=False) as file:
            return read_group(file, kind, max_bytes=max_bytes)
    except StorageError:
        raise
    except Exception as error:  # damaged bytes make h5py raise nearly every built-in exception
        if "locking flag values don't match" in str(error):
            raise StorageError(f"{path} is open in this program; close it first") from error
        raise StorageError(
            f"{path} is damaged or cut short; use an earlier copy of it ({error})"
        ) from error


def write_group(
    group: h5py.Group, kind: str, arrays: Mapping[str, np.ndarray], meta: Mapping[str, Any]
) -> None:
    """Write `arrays` and `meta` into a group of an open HDF5 file, one dataset per array.

    Accepts what `save` accepts. Raises StorageError before anything is written.
    """
    if not isinstance(kind, str) or not 0 < len(kind) <= 80 or not kind.isprintable():
        raise StorageError(f"the kind of a file is a word such as 'checkpoint'; got {kind!r}")
    datasets = {name: _storable(name, array, arrays) for name, array in arrays.items()}
    datasets[META] = np.array(_to_json(meta))
    if "rlcourse_kind" in group.attrs or any(name.split("/")[0] in group for name in datasets):
        raise StorageError(
            f"{group.name} of {group.file.filename} is in use already; write into an empty group"
        )
    for name, array in datasets.items():
        _write_array(group, name, array)
    group.attrs["rlcourse_format"] = FORMAT
    group.attrs["rlcourse_kind"] = np.bytes_(kind.encode())


def read_group(group: h5py.Group, kind: str | None = None, *, max_bytes: int = MAX_BYTES) -> Stored:
    """Read what `write_group` wrote, without inner groups that have a kind of their own.

    Raises StorageError.
    """
    location = group.file.filename + (f", group {group.name}" if group.name != "/" else "")
    try:
        stored_kind = _check_head(group, kind)
        datasets = dict(_datasets(group, "", {h5py.h5o.get_info(group.id).addr}))
        if META not in datasets:
            raise StorageError(f"has lost its {META}")
        if sum(_checked_size(name, dataset) for name, dataset in datasets.items()) > max_bytes:
            raise StorageError(
                f"takes more than {max_bytes:,} bytes in memory; pass a larger max_bytes to read it"
            )
        arrays = {name: _read_array(name, dataset) for name, dataset in datasets.items()}
        meta = json.loads(arrays.pop(META).item())
        if not isinstance(meta, dict):
            raise StorageError(f"has a {META} that is not a JSON object")
        return Stored(stored_kind, arrays, meta)
    except StorageError as error:
        raise StorageError(f"{location} {error}") from None
    except Exception as error:
        raise StorageError(
            f"{location} is damaged or cut short; use an earlier copy of it ({error})"
        ) from error


def _check_head(group: h5py.Group, kind: str | None) -> str:
    """The kind of a group, after checking its format. Raises StorageError."""
    stored, version = _attribute(group, "rlcourse_kind"), _attribute(group, "rlcourse_format")
    if not isinstance(stored, str) or not isinstance(version, int) or version < 1:
        raise StorageError(
            "is an HDF5 file, but not one of this course (it has no rlcourse_kind and "
            "rlcourse_format)"
        )
    if version > FORMAT:
        raise StorageError(
            f"has format {version}, of a newer course; this one reads up to {FORMAT}: update the "
            "course"
        )
    if kind is not None and stored != kind:
        raise StorageError(f"holds {_with_article(stored)}, not {_with_article(kind)}")
    return stored


def _with_article(kind: str) -> str:
    return f"an {kind}" if kind[:1].lower() in "aeiou" else f"a {kind}"


def _attribute(item: h5py.HLObject, name: str) -> str | int | None:
    """A scalar attribute, a number or a short text; None for anything else."""
    if name not in item.attrs:
        return None
    header = item.attrs.get_id(name)
    scalar = header.shape == () and header.dtype.kind in "iuS"
    if not scalar or header.dtype.itemsize > 400:
        return None
    value = item.attrs[name]
    return int(value) if isinstance(value, np.integer) else bytes(value).decode()


def _datasets(group: h5py.Group, prefix: str, seen: set[int]) -> Iterator[tuple[str, h5py.Dataset]]:
    if prefix.count("/") >= MAX_DEPTH or len(group) + len(seen) > MAX_ARRAYS:
        raise StorageError(
            f"nests groups deeper than {MAX_DEPTH} or holds more than {MAX_ARRAYS:,} arrays"
        )
    for name in group:
        if not isinstance(group.get(name, getlink=True), h5py.HardLink):
            raise StorageError(
                f"holds a link, {prefix + name!r}; only arrays inside the file are read"
            )
        item = group[name]
        address = h5py.h5o.get_info(item.id).addr
        if address in seen:
            raise StorageError(f"holds the same array or group twice: {prefix + name!r}")
        seen.add(address)
        if isinstance(item, h5py.Dataset):
            yield prefix + name, item
        elif not isinstance(item, h5py.Group):
            raise StorageError(f"holds {prefix + name!r}, which is neither an array nor a group")
        elif "rlcourse_kind" not in item.attrs:
            yield from _datasets(item, f"{prefix}{name}/", seen)


def _checked_size(name: str, dataset: h5py.Dataset) -> int:
    """The bytes of memory that reading takes, from the header alone. Raises StorageError."""
    dtype = dataset.dtype
    text = dtype.kind == "S" and dtype.itemsize > 0
    if dataset.shape is None or not (text or dtype.newbyteorder("=") in _PLAIN):
        raise StorageError(
            f"holds an array that is neither numbers nor text of a fixed length: {name!r} ({dtype})"
        )
    layout = dataset.id.get_create_plist()
    filters = {layout.get_filter(i)[0] for i in range(layout.get_nfilters())}
    if dataset.is_virtual or dataset.external or filters - _FILTERS:
        raise StorageError(f"keeps {name!r} in another file, or packed by a filter other than gzip")
    # Text is held twice: as bytes, and decoded with four bytes per character.
    itemsize = dtype.itemsize + (4 * _characters(dataset) if text else 0)
    return max(prod(dataset.shape), prod(dataset.chunks or ())) * itemsize


def _characters(dataset: h5py.Dataset) -> int:
    width = _attribute(dataset, "characters")
    return width if isinstance(width, int) and width > 0 else dataset.dtype.itemsize


def _read_array(name: str, dataset: h5py.Dataset) -> np.ndarray:
    stored = np.dtype(dataset.dtype.str)
    array = np.asarray(dataset[()], stored).reshape(dataset.shape)
    if _attribute(dataset, "crc32") not in (None, _checksum(name, array)):
        raise StorageError(f"is damaged: {name!r} does not have the checksum it was written with")
    if stored.kind == "b":
        return array.view(np.uint8) != 0  # a foreign file may hold a 7 where NumPy expects 0 or 1
    if stored.kind == "S" and h5py.check_string_dtype(dataset.dtype).encoding == "utf-8":
        text = np.char.decode(array, "utf-8")
        return text.astype(f"U{_characters(dataset)}").reshape(dataset.shape)
    return array


def _checksum(name: str, array: np.ndarray) -> int:
    start = zlib.crc32(f"{name} {array.dtype.str} {array.shape}".encode())
    return zlib.crc32(np.ascontiguousarray(array).view(np.uint8).data, start)


def _storable(name: str, array: Any, names: Mapping[str, Any]) -> np.ndarray:
    parts = name.split("/") if isinstance(name, str) and name.isprintable() else [""]
    if len(parts) > MAX_DEPTH or {"", ".", ".."}.intersection(parts) or parts[0] == META:
        raise StorageError(
            f"{name!r} cannot name an array: up to {MAX_DEPTH} parts separated by '/', the first "
            f"not {META}"
        )
    if any("/".join(parts[:depth]) in names for depth in range(1, len(parts))):
        raise StorageError(
            f"{name!r} lies below another array of this file; choose a name of its own"
        )
    array = np.asarray(array)
    if array.dtype.newbyteorder("=") in _PLAIN:
        return array
    with suppress(UnicodeEncodeError):
        if array.dtype.kind in "SU" and _encoded(array).dtype.itemsize:
            return array
    raise StorageError(
        f"{name!r} ({array.dtype}) is none of: bools, integers or floats of up to 64 bits, text in "
        "Unicode"
    )


def _to_json(meta: Mapping[str, Any]) -> str:
    for key, value in meta.items():
        survives = False
        with suppress(TypeError, ValueError, RecursionError):
            copy = json.loads(json.dumps(value, allow_nan=False))
            survives = isinstance(key, str) and copy == value
        if not survives:
            raise StorageError(
                f"meta[{key!r}] does not come back equal from JSON (text keys, lists, no NaN): "
                f"{value!r:.200}"
            )
    return json.dumps(dict(meta), sort_keys=True)


def _encoded(array: np.ndarray) -> np.ndarray:
    if array.dtype.kind != "U":
        return array
    text = np.char.encode(array, "utf-8")
    return text.astype(h5py.string_dtype("utf-8", max(1, text.dtype.itemsize)))


def _new_file(stream: BinaryIO) -> h5py.File:
    """A new HDF5 file; equal contents give equal bytes, and its headers have checksums."""
    access = h5p.create(h5p.FILE_ACCESS)
    access.set_libver_bounds(h5f.LIBVER_V110, h5f.LIBVER_V110)
    access.set_fileobj_driver(h5fd.fileobj_driver, stream)
    return h5py.File(h5f.create(b"whole", h5f.ACC_TRUNC, _timeless(h5p.FILE_CREATE), access))


def _timeless(property_class: h5p.PropClassID) -> h5p.PropOCID:
    """Properties for creating an object without a time stamp."""
    creation = h5p.create(property_class)
    creation.set_obj_track_times(False)
    return creation


def _write_array(group: h5py.Group, name: str, array: np.ndarray) -> None:
    for parent in accumulate(name.split("/")[:-1], "{}/{}".format):
        if parent not in group:
            h5g.create(group.id, parent.encode(), gcpl=_timeless(h5p.GROUP_CREATE))
    # Board planes and masks shrink about tenfold; the weights of a network do not.
    compress = array.ndim > 0 and array.nbytes >= 1 << 16 and array.dtype.kind in "biu"
    options = {"compression": "gzip", "compression_opts": 1, "shuffle": True} if compress else {}
    values = _encoded(array)
    dataset = group.create_dataset(name, data=values, dtype=values.dtype, **options)
    dataset.attrs["crc32"] = _checksum(name, values)
    if array.dtype.kind == "U":
        dataset.attrs["characters"] = array.dtype.itemsize // 4
