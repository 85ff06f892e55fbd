"""A Ray cluster: started on this machine, or joined where one runs.

Ray gives its own processes so many seconds to start. Here they are waited for as long as they live.
"""

import os
import secrets
import socket
import sys
from contextlib import closing
from functools import wraps
from inspect import signature
from typing import Any

from rlcourse.busy import slowness
from rlcourse.errors import CourseError

# Bytes of shared memory for weights and games, on a cluster of our own; more goes to the disk.
OBJECTS = 256 << 20
# A cluster of our own: nobody else in the network can run programs on it, it reports nothing, and
# its actors run at normal priority (Ray's run 15 steps of niceness lower).
LOCAL = {"RAY_AUTH_MODE": "token", "RAY_USAGE_STATS_ENABLED": "0", "RAY_worker_niceness": "0"}
# Ray's limits in wall time for its own processes, with their defaults. They are meant for an idle
# machine; on a busy one they decide whether a cluster starts at all.
LIMITS = {
    "RAY_gcs_server_port_wait_time_s": 30,
    "RAY_gcs_rpc_server_connect_timeout_s": 5,
    "RAY_gcs_server_request_timeout_seconds": 60,
    "RAY_py_gcs_connect_timeout_s": 30,
    "RAY_raylet_client_num_connect_attempts": 10,  # with a second's sleep after each
    "RAY_agent_register_timeout_ms": 30_000,
    "RAY_worker_register_timeout_seconds": 60,
    "RAY_health_check_timeout_ms": 10_000,
}
# Factor on these limits, multiplied by the slowness of this machine: only hangs should reach them.
PATIENCE = 10


class ClusterError(CourseError, ValueError):
    """The cluster cannot do its task. The message says what is missing and what to do."""


def patient_ray() -> Any:
    """The package ray, made to wait for its processes as long as they live, not for some seconds.

    Raises ImportError. If this process has imported ray before, ray's own limits hold.
    """
    if sys.modules.get("ray") is None:  # ray reads these while it is imported
        for name, limit in LIMITS.items():
            os.environ.setdefault(name, str(int(limit * PATIENCE * slowness())))
        from ray._private import services

        _wait_for_events(services)
    return sys.modules["ray"]


def _wait_for_events(services: Any) -> None:
    """Replace two limits of Ray's start that have no setting: 15 s and 30 s of wall time.

    The raylet, the process that represents a machine in the cluster, kills itself unless its two
    agents have written their port numbers to files within 15 s
    (github.com/ray-project/ray/issues/65983). The dashboard's agent does not exist in ray without
    extras, so "-1: none" is written before the raylet starts; the other agent is given its port, so
    that nobody has to read it from a file. `ray.init` and `ray start` give the raylet 30 s; here
    they wait while it lives.
    """
    from ray import _raylet

    compiled: Any = _raylet
    start, ask = services.start_raylet, services.get_node
    started: list[Any] = []

    @wraps(start)
    def start_raylet(*arguments: Any, **options: Any) -> Any:
        """Ray's own, after it has been told all ports that it would wait for."""
        given = signature(start).bind(*arguments, **options).arguments
        for name in ("METRICS_AGENT", "METRICS_EXPORT", "DASHBOARD_AGENT_LISTEN"):
            port_name = getattr(compiled, f"{name}_PORT_NAME")
            compiled.persist_port(given["session_dir"], given["node_id"], port_name, -1)
        if not given.get("runtime_env_agent_port"):
            with closing(socket.create_server((given["node_ip_address"], 0))) as free:
                given["runtime_env_agent_port"] = free.getsockname()[1]
        started.append(start(**given))
        return started[-1]

    @wraps(ask)
    def get_node(*arguments: Any, **options: Any) -> Any:
        """Ray's own, asked until it answers or the raylet has ended."""
        while True:
            try:
                return ask(*arguments, **options)
            except RuntimeError:  # the machine is not in the cluster's list yet
                if not started or started[-1].process.poll() is not None:
                    raise

    services.start_raylet, services.get_node = start_raylet, get_node


def connect(address: str, actors: int) -> tuple[Any, bool]:
    """(ray, whether the connection is ours to end)."""
    if address == "local" and "ray" not in sys.modules:  # ray reads these while it is imported
        for name, value in {**LOCAL, "RAY_AUTH_TOKEN": secrets.token_hex(32)}.items():
            os.environ.setdefault(name, value)
    try:
        ray = patient_ray()
    except ImportError:
        raise ClusterError(
            "a cluster needs the package ray, which is not installed. On every machine of the "
            'cluster type:  python -m pip install "rlcourse[ray]"   On one machine --set workers=N '
            "does the same without it."
        ) from None
    if ray.is_initialized():
        return ray, False
    if address == "local":
        options = {
            "include_dashboard": False,
            "num_cpus": actors or None,
            "object_store_memory": OBJECTS,
        }
        remedy = (
            "One of its own processes has ended; the files in its folder session_latest/logs say "
            "why."
        )
    else:
        options = {}
        remedy = (
            "Start one:  ray start --head --port=6379   and on every other machine:  "
            "ray start --address=HOST:6379"
        )
    try:
        if address not in ("local", "auto"):  # ray itself would try for minutes
            host, _, port = address.rpartition(":")
            socket.create_connection((host, int(port)), timeout=10).close()
        ray.init(address, log_to_driver=False, logging_level="ERROR", **options)
    except Exception as error:  # some of ray's errors have no narrower class
        ray.shutdown()
        reason = str(error).strip().split("\n", 1)[0]
        raise ClusterError(f"no Ray cluster answers at {address!r} ({reason}). {remedy}") from error
    return ray, True
