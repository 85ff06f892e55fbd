"""Files cut short, with changed bytes, or whose writing failed: an error that says so,
and the old file still there.
"""

import errno
import io
import os
from pathlib import Path

import numpy as np
import pytest

from rlcourse import atomic
from rlcourse.atomic import write_atomically
from rlcourse.storage import StorageError, load, save
from tests.unit.test_storage import EXAMPLE, assert_equal_stored


def stored_or_error(path):
    try:
        return load(path, max_bytes=10**7)
    except StorageError:
        return None


@pytest.mark.parametrize("offset", range(8))
def test_a_file_cut_short_anywhere(tmp_path, offset):
    """The eight cases together cut the file before every one of its bytes."""
    path = tmp_path / "file.h5"
    save(path, "weights", EXAMPLE, {"seed": 1})
    whole = path.read_bytes()
    for length in range(offset, len(whole), 8):
        path.write_bytes(whole[:length])
        assert stored_or_error(path) is None, length
    path.write_bytes(whole + b"tail")
    assert_equal_stored(load(path), "weights", EXAMPLE, {"seed": 1})


def test_damaged_bytes_never_pass_for_data(tmp_path):
    """300 files with one to three bytes changed at random: an error, or an equal file
    (the byte was not in use).
    """
    path = tmp_path / "file.h5"
    save(path, "weights", EXAMPLE, {"seed": 1})
    whole = np.frombuffer(path.read_bytes(), np.uint8)
    rng = np.random.default_rng(2024)
    used = np.flatnonzero(whole)
    errors = 0
    for _ in range(300):
        damaged = whole.copy()
        places = np.where(
            rng.random(3) < 0.7, rng.choice(used, 3), rng.integers(len(whole), size=3)
        )[: rng.integers(1, 4)]
        damaged[places] = rng.integers(256, size=len(places))
        path.write_bytes(damaged.tobytes())
        stored = stored_or_error(path)
        if stored is None:
            errors += 1
        else:
            assert_equal_stored(stored, "weights", EXAMPLE, {"seed": 1})
    assert errors > 200


def test_a_file_that_cannot_be_swapped_in_leaves_the_old_one(tmp_path, monkeypatch):
    """On Windows a reader may hold the file open for a moment: the swap is tried
    again, then given up cleanly.
    """
    path = tmp_path / "file.h5"
    save(path, "weights", EXAMPLE, {"seed": 1})
    tries = []

    def refuse(source, target):
        tries.append(source)
        raise PermissionError("in use")

    monkeypatch.setattr(atomic.time, "sleep", lambda seconds: None)
    with monkeypatch.context() as patch:
        patch.setattr(atomic.os, "replace", refuse)
        with pytest.raises(
            StorageError,
            match="could not be written; an earlier file of that name is untouched .in use",
        ):
            save(path, "weights", {}, {})
    assert len(tries) == 4
    assert_equal_stored(load(path), "weights", EXAMPLE, {"seed": 1})
    assert os.listdir(tmp_path) == ["file.h5"]


def test_a_full_disk_leaves_the_old_file_and_no_other(tmp_path, monkeypatch):
    path = tmp_path / "file.h5"
    save(path, "weights", EXAMPLE, {"seed": 1})

    class FullDisk(io.FileIO):
        """Takes 5,000 bytes."""

        def write(self, content):
            if self.tell() + len(content) > 5_000:
                raise OSError(errno.ENOSPC, "No space left on device")
            return super().write(content)

    with monkeypatch.context() as patch:
        patch.setattr(
            atomic, "open", lambda name, mode, opener: FullDisk(name, mode), raising=False
        )
        with pytest.raises(
            StorageError, match="file.h5 could not be written; .* No space left on device"
        ):
            save(path, "weights", {"w": np.ones(5_000)}, {})
    assert_equal_stored(load(path), "weights", EXAMPLE, {"seed": 1})
    assert os.listdir(tmp_path) == ["file.h5"]


def test_an_interrupt_leaves_the_old_file_and_no_other(tmp_path, monkeypatch):
    path = tmp_path / "file.h5"
    save(path, "weights", EXAMPLE, {"seed": 1})

    def interrupt(descriptor):
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(atomic.os, "fsync", interrupt)
        with pytest.raises(KeyboardInterrupt):
            save(path, "weights", {}, {})
    assert_equal_stored(load(path), "weights", EXAMPLE, {"seed": 1})
    assert os.listdir(tmp_path) == ["file.h5"]


def test_left_overs_of_killed_writers_go_after_an_hour(tmp_path):
    old, young, other = (
        tmp_path / name for name in (".f.h5.0a.part", ".f.h5.0b.part", ".g.h5.0a.part")
    )
    for path in (old, young, other):
        path.write_bytes(b"")
    for path in (old, other):
        os.utime(path, (0, 0))
    save(tmp_path / "f.h5", "weights", {}, {})
    assert {path.name for path in tmp_path.iterdir()} == {"f.h5", young.name, other.name}


def test_a_folder_is_no_file_to_write(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for folder in (".", "/", "..", str(tmp_path)):
        with pytest.raises(OSError):
            write_atomically(Path(folder), "text")
    assert os.listdir(tmp_path) == []
