"""The locks install on every system the course promises: asked of the package index, file by file.

Not in continuous integration (it needs the index and some minutes): python
start.py test --network -m network
"""

import json
import subprocess
import sys
from pathlib import Path

import pytest
from packaging.specifiers import SpecifierSet

from tests.packaging.systems import PINS, PYTHONS, RAY_PINS, pins_for

TAGS = {
    "linux": [f"manylinux_2_{minor}_x86_64" for minor in range(28, 4, -1)]
    + ["manylinux2014_x86_64", "manylinux2010_x86_64", "manylinux1_x86_64"],
    "windows": ["win_amd64"],
    "macos": ["macosx_14_0_arm64"],
}


@pytest.mark.network
@pytest.mark.slow
@pytest.mark.timeout(1200)
@pytest.mark.parametrize("python", PYTHONS)
@pytest.mark.parametrize("system", TAGS)
def test_every_pin_has_a_ready_made_file_with_a_hash_of_the_lock(
    system: str, python: str, tmp_path: Path
) -> None:
    """pip chooses a file for the foreign system (a dry run); the file's sha256 must
    stand in one of the locks.

    Hashes are compared here, not by pip: with --require-hashes pip would download every
    file to know its metadata.
    """
    pins = pins_for(system, python, PINS + RAY_PINS)
    wanted = tmp_path / "wanted.txt"
    wanted.write_text("".join(f"{name}=={pin.version}\n" for name, pin in pins.items()))
    words = "-m pip install --dry-run --ignore-installed --no-deps --quiet".split()
    command = [sys.executable, *words]
    # pip would hold Requires-Python against the Python that runs it; the loop below holds
    # it against the foreign one.
    command += ["--only-binary", ":all:", "--python-version", python, "--implementation", "cp"]
    command += ["--ignore-requires-python"]
    command += [word for tag in TAGS[system] for word in ("--platform", tag)]
    command += [
        "--target",
        str(tmp_path / "target"),
        "--report",
        str(tmp_path / "report.json"),
        "-r",
        str(wanted),
    ]
    result = subprocess.run(command, capture_output=True, text=True)
    assert result.returncode == 0, result.stderr[-2000:]
    chosen = json.loads((tmp_path / "report.json").read_text(encoding="utf-8"))["install"]
    assert len(chosen) == len(pins)
    older = [
        item["metadata"]["name"]
        for item in chosen
        if PYTHONS[python] not in SpecifierSet(item["metadata"].get("requires_python", ""))
    ]
    assert older == [], f"these want another Python than {python}"
    for item in chosen:
        name = item["metadata"]["name"].lower().replace("_", "-").replace(".", "-")
        found = item["download_info"].get("archive_info", {}).get("hashes", {}).get("sha256")
        assert found in pins[name].hashes, (
            f"{name}: {item['download_info']['url']} is not in the lock"
        )
