"""Machines of a Ray cluster, each a loopback address of this one; for the tests and for
tests/benchmarks/cluster.py.
"""

import importlib.util
import os
import signal
import socket
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress

import pytest

from rlcourse.cluster import LOCAL
from tests.conftest import end_without

ENVIRONMENT = {**LOCAL, "RAY_AUTH_TOKEN": "5" * 64}
HEAD, OTHER = "127.0.0.2", "127.0.0.3"


def require_ray() -> None:
    """End the test as for a program that is missing where ray is: an extra, 244 MB that a
    student's laptop does not need.
    """
    if sys.platform != "linux":
        pytest.skip("only Linux answers at every address 127.x.y.z")
    if importlib.util.find_spec("ray") is None:
        end_without(
            "ray is not installed (.ci/requirements-ray.lock; start.py test --system installs it)"
        )


# Ray's start, without its server for programs elsewhere: nobody asks it, and its start
# takes as long as all the rest.
START = """
from rlcourse.cluster import patient_ray
patient_ray()
from ray.scripts import scripts
scripts.get_ray_client_dependency_error = lambda: ImportError("not wanted")
scripts.main()
"""


def free_ports(address: str, count: int) -> list[int]:
    """Ports of the address that nobody uses."""
    with ExitStack() as stack:
        sockets = [stack.enter_context(socket.socket()) for _ in range(count)]
        for one in sockets:
            one.bind((address, 0))
        return [one.getsockname()[1] for one in sockets]


def start_machine(address: str, *more: str, processors: int = 1) -> subprocess.Popen:
    """`ray start` of a machine with this address, in a session of its
    own; returns when it is up.
    """
    words = f"--node-ip-address={address} --num-cpus={processors} --object-store-memory=100000000"
    quiet = "--disable-usage-stats --include-log-monitor=false"
    command = [sys.executable, "-c", START, "start", "--block", *words.split(), *quiet.split()]
    machine = subprocess.Popen(
        [*command, *more],
        env={**os.environ, **ENVIRONMENT},
        start_new_session=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    printed = []
    for line in machine.stdout:
        printed.append(line)
        if "Ray runtime started" in line:
            return machine
    end_machine(machine)
    raise RuntimeError("no machine of the cluster has come up:\n" + "".join(printed))


def end_machine(machine: subprocess.Popen) -> None:
    """Pull its plug: everything that lives on it is killed."""
    with suppress(ProcessLookupError):
        os.killpg(machine.pid, signal.SIGKILL)
    machine.wait()
    machine.stdout.close()


@contextmanager
def ray_head(processors: int = 1) -> Iterator[str]:
    """A cluster of one machine at HEAD; gives its address.

    `start_machine(OTHER, "--address=...")` joins it.
    """
    [port] = free_ports(HEAD, 1)
    temporary = tempfile.TemporaryDirectory(prefix="ray", ignore_cleanup_errors=True)
    with temporary as folder, pytest.MonkeyPatch.context() as patch:
        for name, value in ENVIRONMENT.items():
            patch.setenv(name, value)
        here = ("--head", f"--port={port}", "--include-dashboard=false", "--no-monitor")
        machine = start_machine(HEAD, *here, f"--temp-dir={folder}", processors=processors)
        try:
            yield f"{HEAD}:{port}"
        finally:
            end_machine(machine)
