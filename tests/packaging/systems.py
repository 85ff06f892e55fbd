"""The systems the course promises, and which pins of the lock count on each."""

from packaging.markers import Marker
from packaging.utils import canonicalize_name

from launcher import uv
from tests.packaging.pins import Pin, parse

PINS, RAY_PINS, HUB_PINS = (
    parse(path.read_text(encoding="utf-8")) for path in (uv.LOCK, uv.RAY_LOCK, uv.HUB_LOCK)
)

# What markers see there.
SYSTEMS = {
    "linux": {
        "sys_platform": "linux",
        "platform_machine": "x86_64",
        "os_name": "posix",
        "platform_system": "Linux",
    },
    "linux-arm": {
        "sys_platform": "linux",
        "platform_machine": "aarch64",
        "os_name": "posix",
        "platform_system": "Linux",
    },
    "windows": {
        "sys_platform": "win32",
        "platform_machine": "AMD64",
        "os_name": "nt",
        "platform_system": "Windows",
    },
    "macos": {
        "sys_platform": "darwin",
        "platform_machine": "arm64",
        "os_name": "posix",
        "platform_system": "Darwin",
    },
}
PYTHONS = {"3.11": "3.11.7", "3.12": "3.12.1", "3.13": "3.13.0"}


def surroundings(system: str, python: str) -> dict[str, str]:
    """The marker variables of one system and Python."""
    return {
        **SYSTEMS[system],
        "python_version": python,
        "python_full_version": PYTHONS[python],
        "implementation_name": "cpython",
        "platform_python_implementation": "CPython",
        "extra": "",
    }


def pins_for(system: str, python: str, pins: list[Pin] = PINS) -> dict[str, Pin]:
    """Name -> pin of what is installed there."""
    there = surroundings(system, python)
    chosen = [pin for pin in pins if not pin.marker or Marker(pin.marker).evaluate(there)]
    names = [pin.name for pin in chosen]
    assert len(names) == len(set(names)), f"two versions of one package on {system} {python}"
    return {canonicalize_name(pin.name): pin for pin in chosen}
