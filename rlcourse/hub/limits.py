"""What one person's server may use of the machine, its kernels and terminals together.

JupyterHub's spawner for local processes has no limits of its own. Here the kernel of the system
sets them: a control group (version 2, or 1 on older machines) for memory, processor and number of
processes in all, and limits of a process (`setrlimit`), which hold in every container as well.
"""

import contextlib
import resource
from collections.abc import Iterator
from pathlib import Path

CGROUPS = Path("/sys/fs/cgroup")
PERIOD = 100_000  # microseconds in which a group may use cpus * PERIOD of processor time
PROCESSES = 512  # threads count; a server with a TensorFlow kernel has about 60
MIB = 2**20


def groups_of(name: str, account: str) -> list[Path]:
    """The control groups of a person, one for each hierarchy that this machine has."""
    if (CGROUPS / "cgroup.controllers").exists():
        return [CGROUPS / name / account]
    return [
        CGROUPS / kind / name / account
        for kind in ("memory", "cpu", "pids")
        if (CGROUPS / kind).is_dir()
    ]


def limits(memory: int, cpus: float) -> dict[str, str]:
    """File of a control group -> what is written there. memory: bytes."""
    quota = int(cpus * PERIOD)
    return {
        "memory.max": str(memory),
        "cpu.max": f"{quota} {PERIOD}",
        "memory.limit_in_bytes": str(memory),
        "cpu.cfs_quota_us": str(quota),
        "pids.max": str(PROCESSES),
    }


def make_groups(name: str, account: str, memory: int, cpus: float) -> list[Path]:
    """The person's control groups with their limits. Raises OSError where there can be none."""
    groups = groups_of(name, account)
    for group in groups:
        group.mkdir(parents=True, exist_ok=True)
        if (CGROUPS / "cgroup.controllers").exists():
            for above in (CGROUPS, group.parent):
                (above / "cgroup.subtree_control").write_text("+memory +cpu +pids")
        for file, value in limits(memory, cpus).items():
            if (group / file).exists():
                (group / file).write_text(value)
    return groups


def held(name: str) -> bool:
    """Whether this machine lets root make control groups that hold memory and processor."""
    try:
        groups = make_groups(name, "-trial", 64 * MIB, 0.5)
    except OSError:
        return False
    files = {path.name for group in groups for path in group.iterdir()}
    for group in groups:
        with contextlib.suppress(OSError):
            group.rmdir()
    return bool({"memory.max", "memory.limit_in_bytes"} & files)


def rlimits(memory: int) -> Iterator[tuple[int, int]]:
    """(kind, limit) of each process. memory: bytes of a process's own data."""
    yield resource.RLIMIT_DATA, memory
    yield resource.RLIMIT_NPROC, PROCESSES
    yield resource.RLIMIT_CORE, 0
