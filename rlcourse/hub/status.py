"""What a server does and what is left of its machine."""

import shutil
import subprocess
import urllib.request
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import psutil

from rlcourse.hub import people
from rlcourse.hub.limits import MIB, held
from rlcourse.hub.place import Place

GIB = 1024 * MIB
LARGEST = 5  # homes that are named


def is_running(place: Place) -> bool:
    """Whether the hub answers."""
    try:
        health = f"http://127.0.0.1:{place.settings().port + 1}/hub/health"
        with urllib.request.urlopen(health, timeout=5):
            return True
    except OSError:
        return False


def memory(accounts: set[str]) -> Counter[str]:
    """MiB of memory that each account's processes use; none where an account runs nothing."""
    used: Counter[str] = Counter()
    for process in psutil.process_iter(["username", "memory_info"]):
        if process.info["username"] in accounts and process.info["memory_info"]:
            used[process.info["username"]] += process.info["memory_info"].rss // MIB
    return used


def homes(place: Place) -> list[tuple[int, str]]:
    """(MiB, account), largest first."""
    command = ["du", "--max-depth=1", "--block-size=1M", str(place.homes)]
    lines = subprocess.run(command, capture_output=True, text=True, check=False).stdout.splitlines()
    sizes = (line.split("\t") for line in lines[:-1])  # the last line is the sum
    return sorted(((int(size), Path(path).name) for size, path in sizes), reverse=True)


def status(place: Place) -> Iterator[str]:
    """Sentences: the hub, people, servers, memory, disk."""
    settings = place.settings()
    students, teachers = people.members(place.students), people.members(place.teachers)
    address = f"https://{settings.host or 'localhost'}:{settings.port}/"
    yield (
        f"The hub answers at {address}"
        if is_running(place)
        else f"The hub does not run: rlcourse hub start --root {place.root}"
    )
    yield f"{len(students)} students, {len(teachers)} teachers ({', '.join(teachers)})"
    used = memory({*students, *teachers})
    each = ", ".join(f"{name} {size}" for name, size in used.most_common()) or "none"
    yield f"Running, with MiB of memory: {each}"
    free = psutil.virtual_memory()
    yield f"Memory: {free.available / GIB:.1f} of {free.total / GIB:.1f} GiB are free"
    kind = "all together" if held(place.root.name) else "each (no control groups here)"
    yield f"Limit of a person's processes, {kind}: {settings.memory} MiB, {settings.cpus:g} cores"
    disk = shutil.disk_usage(place.homes)
    yield f"Disk: {disk.free / GIB:.1f} of {disk.total / GIB:.1f} GiB are free"
    large = ", ".join(f"{name} {size}" for size, name in homes(place)[:LARGEST])
    yield f"Largest homes, in MiB: {large or 'none'}"
