"""What requirements.lock pins, and how far an environment is from it.

`python -m launcher.lock [FILE]` (run by the Python of an environment) prints one line for each package that differs.
"""

import hashlib
import re
import sys
from importlib import metadata
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parent.parent
LOCK = ROOT / "requirements.lock"
RAY_LOCK = ROOT / ".ci" / "requirements-ray.lock"  # what the tests of a cluster need besides


class Pin(NamedTuple):
    """One entry of the lock. marker: the text after ';', or ""; hashes: sha256 hex digests of its files."""

    name: str
    version: str
    marker: str
    hashes: tuple[str, ...]


def parse(text: str) -> list[Pin]:
    """All pins of a lock. Raises ValueError on a line that is neither a pin, a hash nor a comment."""
    pins = []
    logical = re.sub(r"\\\n\s*", " ", text)
    for line in logical.splitlines():
        line = line.strip()
        if not line or line.startswith("#"):
            continue
        found = re.fullmatch(
            r"([A-Za-z0-9._-]+)==([^\s;]+)\s*(?:;\s*(.*?))?((?:\s+--hash=sha256:[0-9a-f]{64})*)",
            line,
        )
        if found is None:
            raise ValueError(f"the lock: not understood: {line[:80]!r}")
        name, version, marker, hashes = found.groups()
        pins.append(
            Pin(name, version, marker or "", tuple(re.findall(r"sha256:([0-9a-f]{64})", hashes)))
        )
    return pins


def fingerprint(*paths: Path) -> str:
    """sha256 of the files' names and contents; line endings do not count, because git may change them."""
    digest = hashlib.sha256()
    for path in sorted(paths):
        digest.update(path.name.encode() + b"\0")
        digest.update(path.read_bytes().replace(b"\r\n", b"\n") + b"\0")
    return digest.hexdigest()


def applies(pin: Pin) -> bool:
    """Whether the pin counts for the Python and system that run this."""
    if not pin.marker:
        return True
    try:
        from packaging.markers import Marker
    except ImportError:
        from pip._vendor.packaging.markers import Marker
    return Marker(pin.marker).evaluate()


def differences(pins: list[Pin]) -> list[str]:
    """Sentences on packages that are missing or have another version in the environment that runs this."""
    found = []
    for pin in pins:
        if not applies(pin):
            continue
        try:
            version = metadata.version(pin.name)
        except metadata.PackageNotFoundError:
            found.append(f"{pin.name} is missing (the course uses {pin.version})")
            continue
        if version != pin.version:
            found.append(f"{pin.name} is {version} (the course uses {pin.version})")
    return found


if __name__ == "__main__":
    path = Path(sys.argv[1]) if len(sys.argv) > 1 else LOCK
    lines = differences(parse(path.read_text(encoding="utf-8")))
    for line in lines:
        print(line)
    sys.exit(1 if lines else 0)
