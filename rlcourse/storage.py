"""Safe files: named arrays and a little JSON in an HDF5 file, written whole or not at all, with nothing executable inside.

`save` writes beside the target and swaps the file in at the end, so that a kill at any moment leaves the old file or the
new one. `load` trusts nothing: it reads plain numbers and text of a stated size, follows no link, and answers everything
else with a StorageError. The groups of an open HDF5 file work too (`write_group`, `read_group`).
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


class StorageError(ValueError):
    """A file that cannot be read or written as asked. The message names the file and what is wrong with it."""


class Stored(NamedTuple):
    """What a file holds: its kind, such as "checkpoint"; the arrays by name; the JSON facts about them."""

    kind: str
    arrays: dict[str, np.ndarray]
    meta: dict[str, Any]


def save(
    path: str | os.PathLike, kind: str, arrays: Mapping[str, np.ndarray], meta: Mapping[str, Any]
) -> None:
    """Write `arrays` and `meta` to `path`, replacing the file in one step. Raises StorageError; the old file stays then.

    Arrays hold bools, integers or floats of up to 64 bits, or text of a fixed length; a name may contain "/".
    `meta` must come back equal from JSON: text keys, lists instead of tuples, no NaN.
    """
    path = Path(path)
    try:
        with atomic_file(path) as whole, _new_file(whole) as file:
            write_group(file, kind, arrays, meta)
    except (OSError, RuntimeError) as error:
        raise StorageError(
            f"{path} could not be written; an earlier file of that name is untouched ({error})"
        ) from error


def load(path: str | os.PathLike, kind: str | None = None, *, max_bytes: int = MAX_BYTES) -> Stored:
    """Read the file `path`; with `kind`, only a file of that kind. Raises StorageError for every file that `save` did not
    write, and, before reading them, for arrays that together take more than `max_bytes` in memory."""
    path = Path(path)
    if not path.is_file():
        raise StorageError(f"{path} is not a file" if path.exists() else f"{path} does not exist")
    try:
        with open(path, "rb") as head:
            first = head.read(9)
        if first[:8] != b"\x89HDF\r\n\x1a\n":
            raise StorageError(
                f"{path} is not an HDF5 file; the course's files are written by rlcourse.storage.save"
            )
        if first[8:] in (
            b"\0",
            b"\1",
        ):  # headers without checksums, on which the library may hang when they are damaged
            raise StorageError(
                f"{path} is an HDF5 file, but not one of this course (its format is older)"
            )
        # Readers need no lock, because a file is only ever replaced whole; network folders often refuse locks.
        with h5py.File(path, "r", locking=False) as file:
            return read_group(file, kind, max_bytes=max_bytes)
    except StorageError:
        raise
    except Exception as error:  # damaged bytes make h5py raise nearly every built-in exception
        raise StorageError(
            f"{path} is damaged or cut short; use an earlier copy of it ({error})"
        ) from error


def write_group(
    group: h5py.Group, kind: str, arrays: Mapping[str, np.ndarray], meta: Mapping[str, Any]
) -> None:
    """Write `arrays` and `meta` into a group of an open HDF5 file, one dataset an array. Raises StorageError before
    anything is written; see `save` for what is accepted."""
    if not isinstance(kind, str) or not 0 < len(kind) <= 80 or not kind.isprintable():
        raise StorageError(f"the kind of a file is a word such as 'checkpoint'; got {kind!r}")
    ready = {name: _storable(name, array, arrays) for name, array in arrays.items()}
    ready[META] = np.array(_to_json(meta))
    if "rlcourse_kind" in group.attrs or any(name.split("/")[0] in group for name in ready):
        raise StorageError(
            f"{group.name} of {group.file.filename} is in use already; write into an empty group"
        )
    for name, array in ready.items():
        _write_array(group, name, array)
    group.attrs["rlcourse_format"] = FORMAT
    group.attrs["rlcourse_kind"] = np.bytes_(kind.encode())


def read_group(group: h5py.Group, kind: str | None = None, *, max_bytes: int = MAX_BYTES) -> Stored:
    """What `write_group` wrote. Groups inside it that have a kind of their own are left out. Raises StorageError."""
    where = group.file.filename + (f", group {group.name}" if group.name != "/" else "")
    try:
        found_kind = _check_head(group, kind)
        found = dict(_datasets(group, "", {h5py.h5o.get_info(group.id).addr}))
        if META not in found:
            raise StorageError(f"has lost its {META}")
        if sum(_checked_size(name, dataset) for name, dataset in found.items()) > max_bytes:
            raise StorageError(
                f"takes more than {max_bytes:,} bytes in memory; pass a larger max_bytes to read it"
            )
        arrays = {name: _read_array(name, dataset) for name, dataset in found.items()}
        meta = json.loads(arrays.pop(META).item())
        if not isinstance(meta, dict):
            raise StorageError(f"has a {META} that is not a JSON object")
        return Stored(found_kind, arrays, meta)
    except StorageError as error:
        raise StorageError(f"{where} {error}") from None
    except Exception as error:
        raise StorageError(
            f"{where} is damaged or cut short; use an earlier copy of it ({error})"
        ) from error


def _check_head(group: h5py.Group, kind: str | None) -> str:
    found, version = _attribute(group, "rlcourse_kind"), _attribute(group, "rlcourse_format")
    if not isinstance(found, str) or not isinstance(version, int) or version < 1:
        raise StorageError(
            "is an HDF5 file, but not one of this course (it has no rlcourse_kind and rlcourse_format)"
        )
    if version > FORMAT:
        raise StorageError(
            f"has format {version}, of a newer course; this one reads up to {FORMAT}: update the course"
        )
    if kind is not None and found != kind:
        article = ["an" if word[:1].lower() in "aeiou" else "a" for word in (found, kind)]
        raise StorageError(f"holds {article[0]} {found}, not {article[1]} {kind}")
    return found


def _attribute(item: h5py.HLObject, name: str) -> str | int | None:
    header = item.attrs.get_id(name) if name in item.attrs else None
    if (
        header is None
        or header.shape != ()
        or header.dtype.kind not in "iuS"
        or header.dtype.itemsize > 400
    ):
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
    """Bytes that reading takes. Looks at the header only: type, shape, chunks, filters, where the values lie."""
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
        return (
            np.char.decode(array, "utf-8").astype(f"U{_characters(dataset)}").reshape(dataset.shape)
        )
    return array


def _checksum(name: str, array: np.ndarray) -> int:
    start = zlib.crc32(f"{name} {array.dtype.str} {array.shape}".encode())
    return zlib.crc32(np.ascontiguousarray(array).view(np.uint8), start)


def _storable(name: str, array: Any, names: Mapping[str, Any]) -> np.ndarray:
    parts = name.split("/") if isinstance(name, str) and name.isprintable() else [""]
    if len(parts) > MAX_DEPTH or {"", ".", ".."}.intersection(parts) or parts[0] == META:
        raise StorageError(
            f"{name!r} cannot name an array: up to {MAX_DEPTH} parts separated by '/', the first not {META}"
        )
    if any("/".join(parts[:depth]) in names for depth in range(1, len(parts))):
        raise StorageError(
            f"{name!r} lies below another array of this file; choose a name of its own"
        )
    array = np.asarray(array)
    with suppress(UnicodeEncodeError):
        if array.dtype.newbyteorder("=") in _PLAIN or (
            array.dtype.kind in "SU" and _encoded(array).dtype.itemsize
        ):
            return array
    raise StorageError(
        f"{name!r} ({array.dtype}) is none of: bools, integers or floats of up to 64 bits, text in Unicode"
    )


def _to_json(meta: Mapping[str, Any]) -> str:
    for key, value in meta.items():
        same = False
        with suppress(TypeError, ValueError, RecursionError):
            same = isinstance(key, str) and json.loads(json.dumps(value, allow_nan=False)) == value
        if not same:
            raise StorageError(
                f"meta[{key!r}] does not come back equal from JSON (text keys, lists, no NaN): {value!r:.200}"
            )
    return json.dumps(dict(meta), sort_keys=True)


def _encoded(array: np.ndarray) -> np.ndarray:
    if array.dtype.kind != "U":
        return array
    text = np.char.encode(array, "utf-8")
    return text.astype(h5py.string_dtype("utf-8", max(1, text.dtype.itemsize)))


def _new_file(whole: BinaryIO) -> h5py.File:
    """A new file whose bytes are those of its content: its headers have checksums and no time of writing."""
    access = h5p.create(h5p.FILE_ACCESS)
    access.set_libver_bounds(h5f.LIBVER_V110, h5f.LIBVER_V110)
    access.set_fileobj_driver(h5fd.fileobj_driver, whole)
    return h5py.File(h5f.create(b"whole", h5f.ACC_TRUNC, _timeless(h5p.FILE_CREATE), access))


def _timeless(of_class: h5p.PropClassID) -> h5p.PropOCID:
    creation = h5p.create(of_class)
    creation.set_obj_track_times(False)
    return creation


def _write_array(group: h5py.Group, name: str, array: np.ndarray) -> None:
    for parent in accumulate(name.split("/")[:-1], "{}/{}".format):
        if parent not in group:
            h5g.create(group.id, parent.encode(), gcpl=_timeless(h5p.GROUP_CREATE))
    # Board planes and masks shrink about tenfold; the weights of a network do not.
    packed = array.ndim > 0 and array.nbytes >= 1 << 16 and array.dtype.kind in "biu"
    options = {"compression": "gzip", "compression_opts": 1, "shuffle": True} if packed else {}
    values = _encoded(array)
    dataset = group.create_dataset(name, data=values, dtype=values.dtype, **options)
    dataset.attrs["crc32"] = _checksum(name, values)
    if array.dtype.kind == "U":
        dataset.attrs["characters"] = array.dtype.itemsize // 4
