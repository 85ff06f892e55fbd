"""What a lock pins. Standard library only: the locks are refreshed by a bare Python."""

import re
from typing import NamedTuple


class Pin(NamedTuple):
    """One entry of a lock. marker: the text after ';', or ""; hashes:
    sha256 hex digests of its files.
    """

    name: str
    version: str
    marker: str
    hashes: tuple[str, ...]


def parse(text: str) -> list[Pin]:
    """All pins of a lock. Raises ValueError on a line that is neither a
    pin, a hash nor a comment.
    """
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
