"""The locks: complete, hashed, without host names, in step with pyproject.toml,
environment.yml and each other.
"""

import importlib.util
import re
import subprocess
import sys
import tomllib
from importlib import metadata
from pathlib import Path

import pytest
import yaml
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from launcher import environment, uv
from tests.packaging.pins import parse
from tests.packaging.systems import (
    HUB_PINS,
    PINS,
    PYTHONS,
    RAY_PINS,
    SYSTEMS,
    pins_for,
    surroundings,
)

ROOT = Path(__file__).resolve().parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))


def direct() -> list[Requirement]:
    """What pyproject.toml asks for: the course, its tests, its set-up and the build backend."""
    project = PROJECT["project"]
    texts = (
        project["dependencies"]
        + project["optional-dependencies"]["test"]
        + project["optional-dependencies"]["setup"]
        + PROJECT["build-system"]["requires"]
    )
    return [Requirement(text) for text in texts]


def test_what_an_extra_for_guests_needs_is_tested() -> None:
    extras = PROJECT["project"]["optional-dependencies"]
    assert set(extras["pettingzoo"]) <= set(extras["test"])


def test_every_pin_has_hashes() -> None:
    assert len(PINS) > 100
    assert [pin.name for pin in PINS + RAY_PINS + HUB_PINS if not pin.hashes] == []


@pytest.mark.parametrize("path", [uv.LOCK, uv.RAY_LOCK, uv.HUB_LOCK], ids=lambda path: path.name)
def test_a_lock_names_no_host_and_no_folder(path: Path) -> None:
    text = path.read_text(encoding="utf-8").replace("    --hash=", "")
    assert re.findall(r"(?m)://|^\s*-|@\s|file:", text) == []


@pytest.mark.parametrize("python", PYTHONS)
@pytest.mark.parametrize("system", SYSTEMS)
def test_every_direct_dependency_is_pinned_as_asked(system: str, python: str) -> None:
    pins, there = pins_for(system, python), surroundings(system, python)
    for requirement in direct():
        if requirement.marker is None or requirement.marker.evaluate(there):
            pin = pins.get(canonicalize_name(requirement.name))
            assert pin is not None, f"{requirement} is not in the lock for {system} {python}"
            assert requirement.specifier.contains(pin.version), (
                f"{pin.name} {pin.version} does not fit {requirement}"
            )


@pytest.mark.parametrize("extra", ["ray", "hub"])
@pytest.mark.parametrize("python", PYTHONS)
@pytest.mark.parametrize("system", SYSTEMS)
def test_the_lock_of_an_extra_adds_to_the_other_and_changes_nothing(
    system: str, python: str, extra: str
) -> None:
    """The extra is pinned as pyproject.toml asks, and all that it needs stands in one lock or the
    other, in versions that fit (known where it is installed; its metadata is that of every
    system, markers included)."""
    pins = {"ray": RAY_PINS, "hub": HUB_PINS}[extra]
    course, added = pins_for(system, python), pins_for(system, python, pins)
    assert added and not course.keys() & added.keys(), "a package stands in both locks"
    both, there = course | added, surroundings(system, python)
    for asked in map(Requirement, PROJECT["project"]["optional-dependencies"][extra]):
        assert asked.specifier.contains(added[asked.name].version)
    installed = {name for name in added if importlib.util.find_spec(name)}
    for requirement in (
        Requirement(text) for name in installed for text in metadata.requires(name) or ()
    ):
        if requirement.marker is None or requirement.marker.evaluate(there):
            pin = both.get(canonicalize_name(requirement.name))
            assert pin is not None and requirement.specifier.contains(pin.version), requirement


def test_a_package_of_two_extras_has_one_version() -> None:
    """Their tests share one environment."""
    ray, hub = ({pin.name: pin.version for pin in pins} for pins in (RAY_PINS, HUB_PINS))
    assert {name: ray[name] for name in ray.keys() & hub.keys()} == {
        name: hub[name] for name in ray.keys() & hub.keys()
    }


def test_numpy_has_one_version_everywhere_and_is_capped_to_its_minor() -> None:
    versions = {
        pins_for(system, python)["numpy"].version for system in SYSTEMS for python in PYTHONS
    }
    assert len(versions) == 1
    major, minor = map(int, versions.pop().split(".")[:2])
    [asked] = [requirement for requirement in direct() if requirement.name == "numpy"]
    assert not asked.specifier.contains(f"{major}.{minor + 1}.0")


HERE = Path(sys.executable)


def test_the_tests_run_with_the_lock() -> None:
    """This environment is the one that the lock describes; what is
    reported here was tested with it.
    """
    assert uv.is_exact(HERE), "python start.py lab mends it"


@pytest.mark.parametrize("line", ["no-such-thing==1.0", "pytest==0.1"])
def test_a_difference_from_a_lock_is_noticed_without_network(tmp_path: Path, line: str) -> None:
    """Another system's package is none."""
    path, hashed = tmp_path / "other.lock", f" --hash=sha256:{64 * '0'}\n"
    path.write_text(f"{line} ; sys_platform == 'beos'{hashed}", encoding="utf-8")
    assert uv.is_exact(HERE, path)
    path.write_text(line + hashed, encoding="utf-8")
    assert not uv.is_exact(HERE, path)


@pytest.mark.parametrize(
    "line", ["numpy>=2", "numpy==2.4 --hash=md5:00", "-e .", "numpy @ https://x/y.whl", "numpy"]
)
def test_a_damaged_lock_is_refused(line: str) -> None:
    with pytest.raises(ValueError, match="not understood"):
        parse(line)


def test_the_fingerprint_sees_contents_but_not_line_endings(tmp_path: Path) -> None:
    path = tmp_path / "requirements.lock"
    prints = []
    for data in (b"a\nb\n", b"a\r\nb\r\n", b"a\nc\n"):
        path.write_bytes(data)
        prints.append(environment.fingerprint(path))
    assert prints[0] == prints[1] != prints[2]


def test_environment_yml_is_python_and_the_lock() -> None:
    """Conda makes the Python, pip installs the lock: no second list of
    versions that could drift.
    """
    conda = yaml.safe_load((ROOT / "environment.yml").read_text(encoding="utf-8"))
    python, pip, pip_section = conda["dependencies"]
    name, version = python.split("=")
    assert (
        name == "python"
        and PROJECT["project"]["requires-python"] == ">=3.11,<3.14"
        and version in PYTHONS
    )
    assert pip == "pip" and pip_section == {"pip": ["-r requirements.lock"]}
    assert conda["name"] == PROJECT["project"]["name"]


def test_binders_second_step_is_there_and_may_be_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Hashed requirements and `-e .` cannot stand in one pip call, so Binder needs postBuild."""
    script = ROOT / "postBuild"
    lines = script.read_text(encoding="utf-8").splitlines()
    assert lines[0].startswith("#!") and "set -e" in lines
    assert "python -m pip install --no-deps --no-build-isolation --no-index -e ." in lines
    assert "python -m rlcourse.warm" in lines
    monkeypatch.setattr(sys, "prefix", str(tmp_path))
    exec(lines[-1].removeprefix('python -c "').removesuffix('"'))
    assert environment.read_stamp(tmp_path) == {
        **environment.wanted(),
        "warmed": environment.sources(),
    }
    tracked = subprocess.run(
        ["git", "ls-files", "-s", "postBuild"], cwd=ROOT, capture_output=True, text=True
    )
    assert not tracked.stdout or tracked.stdout.startswith("100755")
