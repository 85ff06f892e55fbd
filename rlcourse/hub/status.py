"""What a server does and what is left of its machine."""

import shutil
import subprocess
import urllib.request
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import psutil

from rlcourse.hub import people
from rlcourse.hub.limits import MIB, held
from rlcourse.hub.place import Place

GIB = 1024  # MiB
LARGEST = 5  # homes that are named


@dataclass(frozen=True)
class Home:
    """An account's folder and its MiB."""

    account: str
    size: int


@dataclass(frozen=True)
class State:
    """A server at one moment. Memory, disk and homes in MiB.

    used: memory of each account's processes, of those that run any. limit_memory, limit_cpus: of a
    person's processes; limit_together: of all of them together, otherwise of each. homes: the
    largest, at most LARGEST.
    """

    running: bool
    address: str
    students: list[str]
    teachers: list[str]
    used: dict[str, int]
    memory_free: int
    memory_all: int
    limit_memory: int
    limit_cpus: float
    limit_together: bool
    disk_free: int
    disk_all: int
    homes: list[Home]


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


def homes(place: Place) -> list[Home]:
    """The largest first."""
    command = ["du", "--max-depth=1", "--block-size=1M", str(place.homes)]
    lines = subprocess.run(command, capture_output=True, text=True, check=False).stdout.splitlines()
    sizes = (line.split("\t") for line in lines[:-1])  # the last line is the sum
    every = [Home(Path(path).name, int(size)) for size, path in sizes]
    return sorted(every, key=lambda home: home.size, reverse=True)


def status(place: Place) -> State:
    """The hub, people, servers, memory, disk."""
    settings = place.settings()
    students, teachers = people.members(place.students), people.members(place.teachers)
    free, disk = psutil.virtual_memory(), shutil.disk_usage(place.homes)
    return State(
        running=is_running(place),
        address=f"https://{settings.host or 'localhost'}:{settings.port}/",
        students=students,
        teachers=teachers,
        used=dict(memory({*students, *teachers}).most_common()),
        memory_free=free.available // MIB,
        memory_all=free.total // MIB,
        limit_memory=settings.memory,
        limit_cpus=settings.cpus,
        limit_together=held(place.root.name),
        disk_free=disk.free // MIB,
        disk_all=disk.total // MIB,
        homes=homes(place)[:LARGEST],
    )


def sentences(place: Place, now: State) -> Iterator[str]:
    """The same for people."""
    yield (
        f"The hub answers at {now.address}"
        if now.running
        else f"The hub does not run: rlcourse hub start --root {place.root}"
    )
    teachers = ", ".join(now.teachers)
    yield f"{len(now.students)} students, {len(now.teachers)} teachers ({teachers})"
    each = ", ".join(f"{name} {size}" for name, size in now.used.items()) or "none"
    yield f"Running, with MiB of memory: {each}"
    yield f"Memory: {now.memory_free / GIB:.1f} of {now.memory_all / GIB:.1f} GiB are free"
    kind = "all together" if now.limit_together else "each (no control groups here)"
    limits = f"{now.limit_memory} MiB, {now.limit_cpus:g} cores"
    yield f"Limit of a person's processes, {kind}: {limits}"
    yield f"Disk: {now.disk_free / GIB:.1f} of {now.disk_all / GIB:.1f} GiB are free"
    large = ", ".join(f"{home.account} {home.size}" for home in now.homes)
    yield f"Largest homes, in MiB: {large or 'none'}"
