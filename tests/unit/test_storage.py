"""Laws of the safe files: what goes in comes out, and every other file gets a
StorageError that says what is wrong.
"""

import json
import os
import time

import h5py
import numpy as np
import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from rlcourse.storage import StorageError, load, read_group, save, write_group

NUMBERS = st.sampled_from(
    ["?", "i1", "<i2", ">i4", "i8", "u1", "u2", "u4", "u8", "f2", "<f4", ">f4", "f8"]
)
TEXT = st.sampled_from(["S1", "S7", "U1", "U5"])
SHAPE = hnp.array_shapes(min_dims=0, max_dims=3, min_side=0, max_side=4)
UNICODE = st.characters(codec="utf-8")  # half a surrogate is refused, see below
ARRAY = (NUMBERS | TEXT).flatmap(
    lambda code: hnp.arrays(
        np.dtype(code), SHAPE, elements={"alphabet": UNICODE} if code[0] == "U" else None
    )
)
WORDS = st.text(UNICODE)
PART = st.text(
    st.characters(codec="utf-8", exclude_characters="/.", exclude_categories=["C", "Z"]),
    min_size=1,
    max_size=6,
)
NAME = st.lists(PART, min_size=1, max_size=3).map("/".join)
JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | WORDS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(WORDS, inner, max_size=3),
    max_leaves=8,
)
EXAMPLE = {
    "state": np.arange(24, dtype=np.int8).reshape(2, 3, 4),
    "weights/dense": np.array([[0.1, -0.0], [np.nan, np.inf]], np.float32),
    "legal": np.array([True, False]),
    "labels": np.array(["a3", "日本"]),
}


def assert_equal_stored(stored, kind, arrays, meta):
    """Equal in kind, meta and every array's type, shape and bytes (so
    that -0.0 and NaN count too).
    """
    assert stored.kind == kind
    assert stored.meta == meta
    assert set(stored.arrays) == set(arrays)
    for name, array in arrays.items():
        found = stored.arrays[name]
        assert (found.dtype, found.shape) == (array.dtype, array.shape), name
        assert found.tobytes() == array.tobytes(), name


@pytest.fixture(scope="module")
def scratch(tmp_path_factory):
    return tmp_path_factory.mktemp("storage") / "file.h5"


@settings(
    max_examples=40,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
@given(
    arrays=st.dictionaries(NAME, ARRAY, max_size=3), meta=st.dictionaries(WORDS, JSON, max_size=3)
)
@example(arrays={}, meta={})
@example(
    arrays={"a": np.zeros((0, 3), ">f4"), "b": np.array("x", "U9"), "c/d/e": np.array([], "U4")},
    meta={"seed": 2**130},
)
@example(arrays={"packed": np.arange(40_000, dtype=np.int16).reshape(2, -1).T}, meta={"": [[], {}]})
def test_what_goes_in_comes_out(scratch, arrays, meta):
    if any(other.startswith(name + "/") for name in arrays for other in arrays):
        with pytest.raises(StorageError, match="below another array"):
            save(scratch, "checkpoint", arrays, meta)
        return
    save(scratch, "checkpoint", arrays, meta)
    assert_equal_stored(load(scratch, "checkpoint"), "checkpoint", arrays, meta)
    assert os.listdir(scratch.parent) == [scratch.name]


def test_the_same_content_gives_the_same_bytes_a_second_later_too(tmp_path):
    save(tmp_path / "a", "weights", EXAMPLE, {"seed": 1})
    written = int(time.time())
    while int(time.time()) == written:
        time.sleep(0.05)
    save(tmp_path / "b", "weights", EXAMPLE, {"seed": 1})
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()


def test_a_group_of_an_open_file_holds_the_same(tmp_path):
    """An agent's file: the agent's own arrays, and an encoder and an experience
    buffer beside them in groups.
    """
    with h5py.File(tmp_path / "agent.h5", "w") as file:
        write_group(file, "agent", EXAMPLE, {"game": "go"})
        write_group(
            file.create_group("parts/experience"), "experience buffer", {"reward": np.ones(3)}, {}
        )
    with h5py.File(tmp_path / "agent.h5") as file:
        assert_equal_stored(read_group(file, "agent"), "agent", EXAMPLE, {"game": "go"})
        assert_equal_stored(
            read_group(file["parts/experience"]), "experience buffer", {"reward": np.ones(3)}, {}
        )
        assert file["weights/dense"].dtype == np.float32, "one dataset an array, under its own name"
        with pytest.raises(
            StorageError,
            match="agent.h5, group /parts/experience holds an experience buffer, not an agent",
        ):
            read_group(file["parts/experience"], "agent")


def test_a_group_in_use_is_left_alone(tmp_path):
    with h5py.File(tmp_path / "f.h5", "w") as file:
        write_group(file, "agent", {"a": np.ones(2)}, {})
        with pytest.raises(StorageError, match="in use already"):
            write_group(file, "agent", {"b": np.ones(2)}, {})
        file.create_dataset("model/layer", data=1.0)
        with pytest.raises(StorageError, match="in use already"):
            write_group(file["model"], "agent", {"layer/bias": np.ones(2)}, {})
        assert set(file["model"]) == {"layer"}


@pytest.mark.parametrize(
    ("kind", "arrays", "meta", "message"),
    [
        ("", {}, {}, "the kind of a file is a word"),
        (3, {}, {}, "the kind of a file is a word"),
        ("k", {"a": np.array([None])}, {}, r"'a' \(object\) is none of"),
        ("k", {"a": np.array([1j])}, {}, r"'a' \(complex128\) is none of"),
        ("k", {"a": np.zeros(2, "M8[s]")}, {}, "'a' .* is none of"),
        ("k", {"a": np.zeros(2, [("x", "i4")])}, {}, "'a' .* is none of"),
        ("k", {"a": np.array("\ud800")}, {}, "text in Unicode"),
        ("k", {"": np.ones(1)}, {}, "cannot name an array"),
        ("k", {"/a": np.ones(1)}, {}, "cannot name an array"),
        ("k", {"a/../b": np.ones(1)}, {}, "cannot name an array"),
        ("k", {"a\0": np.ones(1)}, {}, "cannot name an array"),
        ("k", {7: np.ones(1)}, {}, "cannot name an array"),
        ("k", {"meta.json": np.ones(1)}, {}, "cannot name an array"),
        ("k", {"a/" * 8 + "b": np.ones(1)}, {}, "cannot name an array"),
        ("k", {"a": np.ones(1), "a/b": np.ones(1)}, {}, "'a/b' lies below another array"),
        ("k", {}, {"size": (5, 5)}, r"meta\['size'\] does not come back equal"),
        ("k", {}, {"loss": float("nan")}, r"meta\['loss'\]"),
        ("k", {}, {"by ply": {1: 2}}, r"meta\['by ply'\]"),
        ("k", {}, {"rng": object()}, r"meta\['rng'\]"),
        ("k", {}, {3: 1}, r"meta\[3\]"),
    ],
)
def test_what_cannot_be_stored_is_named_and_the_old_file_stays(
    tmp_path, kind, arrays, meta, message
):
    path = tmp_path / "file.h5"
    save(path, "weights", EXAMPLE, {"seed": 1})
    with pytest.raises(StorageError, match=message):
        save(path, kind, {"fine": np.ones(3), **arrays}, meta)
    assert_equal_stored(load(path), "weights", EXAMPLE, {"seed": 1})
    assert os.listdir(tmp_path) == ["file.h5"]


def test_a_file_that_is_not_what_was_asked_for(tmp_path):
    path = tmp_path / "file.h5"
    save(path, "checkpoint", {}, {})
    with pytest.raises(StorageError, match="file.h5 holds a checkpoint, not an experience buffer"):
        load(path, "experience buffer")
    with pytest.raises(StorageError, match="nowhere.h5 does not exist"):
        load(tmp_path / "nowhere.h5")
    with pytest.raises(StorageError, match="is not a file"):
        load(tmp_path)
    for name, content in (
        ("empty", b""),
        ("text", b"hello, world"),
        ("pickle", b"\x80\x04]\x94."),
        ("short", b"\x89HDF\r\n"),
    ):
        (tmp_path / name).write_bytes(content)
        with pytest.raises(StorageError, match=f"{name} is not an HDF5 file"):
            load(tmp_path / name)


@pytest.mark.parametrize("libver", ["earliest", "v110"])
def test_a_foreign_hdf5_file(tmp_path, libver):
    with h5py.File(tmp_path / "f.h5", "w", libver=(libver, "v110")) as file:
        file["weights"] = np.ones(3)
    with pytest.raises(StorageError, match="f.h5 is an HDF5 file, but not one of this course"):
        load(tmp_path / "f.h5")


def rewritten(tmp_path, change):
    """A file of `save` whose insides `change(file)` has altered by h5py."""
    path = tmp_path / "altered.h5"
    save(path, "weights", EXAMPLE, {"seed": 1})
    with h5py.File(path, "r+", libver=("v110", "v110")) as file:
        change(file)
    return path


@pytest.mark.parametrize(
    ("version", "message"),
    [
        (2, "format 2, of a newer course; this one reads up to 1: update"),
        (0, "not one of this course"),
        ("1", "not one of this course"),
    ],
)
def test_another_format_version(tmp_path, version, message):
    path = rewritten(tmp_path, lambda file: file.attrs.create("rlcourse_format", version))
    with pytest.raises(StorageError, match=message):
        load(path)


def test_columns_of_other_programs_survive(tmp_path):
    path = rewritten(
        tmp_path, lambda file: file.create_dataset("notes/surprise", data=np.arange(3.0))
    )
    assert load(path).arrays["notes/surprise"].tolist() == [0, 1, 2]


def virtual(file):
    layout = h5py.VirtualLayout(shape=(3,), dtype="f4")
    layout[:] = h5py.VirtualSource("elsewhere.h5", "x", shape=(3,))
    file.create_virtual_dataset("v", layout)


def vast(file):
    file.create_dataset("vast", shape=(1 << 40,), dtype="f8", chunks=(1 << 10,))


def deep(file):
    file.create_group("/".join("abcdefghijk"))


def kind_on_the_heap(file):
    del file.attrs["rlcourse_kind"]
    file.attrs["rlcourse_kind"] = "weights"


def twice(file):
    file["again"] = file["state"]


def in_a_ring(file):
    file["weights/ring"] = file["weights"]


def meta_of(text):
    def change(file):
        del file["meta.json"]
        file["meta.json"] = np.bytes_(text)

    return change


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda file: file.__setitem__("link", h5py.SoftLink("/state")), "holds a link, 'link'"),
        (
            lambda file: file.__setitem__("link", h5py.ExternalLink("/etc/passwd", "/x")),
            "holds a link, 'link'",
        ),
        (
            lambda file: file["weights"].__setitem__("gone", h5py.SoftLink("/nowhere")),
            "holds a link, 'weights/gone'",
        ),
        (virtual, "keeps 'v' in another file"),
        (
            lambda file: file.create_dataset("e", (3,), "f4", external=[("other.raw", 0, 12)]),
            "keeps 'e' in another file",
        ),
        (
            lambda file: file.create_dataset("z", data=np.zeros(99), compression="lzf"),
            "by a filter other than gzip",
        ),
        (vast, r"takes more than 2,147,483,648 bytes"),
        (
            lambda file: file.create_dataset(
                "c", shape=(3,), maxshape=(None,), dtype="f8", chunks=(1 << 28,)
            ),
            "takes more than",
        ),
        (lambda file: file["labels"].attrs.modify("characters", 1 << 60), "takes more than"),
        (deep, "nests groups deeper than 8"),
        (twice, "holds the same array or group twice"),
        (in_a_ring, "holds the same array or group twice"),
        (
            lambda file: file.create_dataset("t", data="text", dtype=h5py.string_dtype()),
            "neither numbers nor text .* 't'",
        ),
        (
            lambda file: file.create_dataset("r", data=file.ref, dtype=h5py.ref_dtype),
            "neither numbers nor text",
        ),
        (
            lambda file: file.create_dataset("o", data=np.void(b"\x80\x04.")),
            "neither numbers nor text",
        ),
        (lambda file: file.create_dataset("n", data=h5py.Empty("f4")), "neither numbers nor text"),
        (lambda file: file.__setitem__("type", np.dtype("f4")), "neither an array nor a group"),
        (kind_on_the_heap, "not one of this course"),
        (lambda file: file.__delitem__("meta.json"), "has lost its meta.json"),
        (meta_of(b"[1]"), "is not a JSON object"),
        (meta_of(b"{'a'}"), "damaged or cut short"),
        (meta_of(b"[" * 100_000), "damaged or cut short"),
        (
            lambda file: file["state"].write_direct(np.zeros((2, 3, 4), np.int8)),
            "'state' does not have the checksum",
        ),
        (lambda file: file.move("state", "states"), "'states' does not have the checksum"),
    ],
)
def test_hostile_and_damaged_insides(tmp_path, change, message):
    path = rewritten(tmp_path, change)
    with pytest.raises(StorageError, match=message) as caught:
        load(path)
    assert str(path) in str(caught.value)


def test_the_limit_on_memory_is_the_callers(tmp_path):
    save(tmp_path / "f.h5", "weights", {"w": np.zeros(1000)}, {})
    assert load(tmp_path / "f.h5", max_bytes=9_000).arrays["w"].shape == (1000,)
    with pytest.raises(
        StorageError, match="takes more than 7,999 bytes in memory; pass a larger max_bytes"
    ):
        load(tmp_path / "f.h5", max_bytes=7_999)


def test_missing_folders_are_made_and_impossible_ones_named(tmp_path):
    save(tmp_path / "a" / "b" / "f.h5", "weights", {}, {"n": 1})
    assert load(tmp_path / "a" / "b" / "f.h5").meta == {"n": 1}
    (tmp_path / "file").write_text("")
    with pytest.raises(StorageError, match="could not be written"):
        save(tmp_path / "file" / "f.h5", "weights", {}, {})


def test_the_facts_are_readable_by_any_hdf5_program(tmp_path):
    save(tmp_path / "f.h5", "weights", EXAMPLE, {"b": [1], "a": "é"})
    with h5py.File(tmp_path / "f.h5") as file:
        assert json.loads(file["meta.json"][()]) == {"a": "é", "b": [1]}
        assert file["labels"].asstr()[:].tolist() == ["a3", "日本"]
        assert file["state"][:].tolist() == EXAMPLE["state"].tolist()


def test_a_file_that_is_open_is_not_called_damaged(tmp_path):
    path = tmp_path / "open.h5"
    save(path, "trial", {"numbers": np.arange(3)}, {})
    with h5py.File(path), pytest.raises(StorageError, match="is open in this program; close it"):
        load(path)
    assert load(path).arrays["numbers"].tolist() == [0, 1, 2]
