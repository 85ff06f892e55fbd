"""Folder, disk and Python are looked at before gigabytes are installed."""

import sysconfig
from pathlib import Path

import pytest

from launcher import machine
from launcher.console import Stop

ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.parametrize(
    ("folder", "cloud"),
    [
        ("C:\\Home\\ann\\OneDrive\\course", []),
        ("C:\\Home\\ann\\OneDrive - School of Games\\Desktop\\course", []),
        ("D:\\Synced\\course", ["D:\\Synced"]),
        ("d:/synced/course", ["D:\\Synced\\", ""]),
    ],
)
def test_onedrive_folders_are_refused(folder: str, cloud: list[str]) -> None:
    assert "OneDrive" in machine.path_trouble(folder, True, cloud)


@pytest.mark.parametrize(
    "folder", ["C:\\rl-course", "D:\\Synced2\\course", "C:\\Home\\ann\\NotOneDrive\\x"]
)
def test_other_folders_are_accepted(folder: str) -> None:
    assert machine.path_trouble(folder, False, ["D:\\Synced"]) is None


def test_the_longest_folder_that_fits() -> None:
    """259 characters at most, of which a separator and 189 lie inside:
    69 are left for the folder.
    """
    assert machine.path_trouble("C:\\" + "x" * 66, False, []) is None
    assert "70 characters" in machine.path_trouble("C:\\" + "x" * 67, False, [])
    assert machine.path_trouble("C:\\" + "x" * 300, True, []) is None


@pytest.mark.slow
def test_no_installed_file_has_a_longer_path_than_assumed() -> None:
    """open_spiel is left out: it is not installed on Windows."""
    packages = Path(sysconfig.get_path("purelib"))
    names = [path.relative_to(packages) for path in packages.rglob("*")]
    longest = max(len(name.as_posix()) for name in names if name.parts[0] != "open_spiel")
    assert len(".venv\\Lib\\site-packages\\") + longest <= machine.LONGEST_INSIDE


def test_a_full_disk_is_told_with_numbers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(machine, "free_gb", lambda folder: 1.26)
    assert "Only 1.3 GB are free" in machine.disk_trouble(
        Path("/x")
    ) and "needs 4 GB" in machine.disk_trouble(Path("/x"))
    with pytest.raises(Stop, match="--anyway"):
        machine.require_room(ROOT, anyway=False)
    machine.require_room(ROOT, anyway=True)


def test_a_python_without_ensurepip_is_told_the_debian_package(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    known = machine.importlib.util.find_spec
    monkeypatch.setattr(
        machine.importlib.util,
        "find_spec",
        lambda name: None if name == "ensurepip" else known(name),
    )
    assert "-venv" in machine.venv_trouble() and "no module ensurepip" in machine.venv_trouble()
    with pytest.raises(Stop, match="apt install"):
        machine.require_room(ROOT, anyway=True)


def test_a_folder_one_may_not_write_to(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(machine.os, "access", lambda path, mode: False)
    assert "folder of your own" in machine.folder_trouble(ROOT)
