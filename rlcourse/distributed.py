"""Beyond one machine: self-play by the actors of a Ray cluster. Its costs: distributed.md.

Moritz et al. (2018), "Ray: a distributed framework for emerging AI applications". ray is imported
only when a pool is made: the course works without it.
"""

import os
import pickle
import secrets
import socket
import sys
import time
import zlib
from collections import deque
from collections.abc import Callable, Mapping
from concurrent.futures import Executor, Future, wait
from contextlib import closing
from dataclasses import dataclass, field
from functools import partial, wraps
from importlib import metadata
from inspect import signature
from pathlib import Path
from queue import Empty, SimpleQueue
from statistics import median
from threading import Thread
from typing import Any, NamedTuple, ParamSpec, TypeVar

import numpy as np

from rlcourse.busy import slowness
from rlcourse.workers import THREADS

P = ParamSpec("P")
T = TypeVar("T")
PERIOD = 0.5  # seconds between two checks of the number of actors
KNOWN = 16  # sets of weights that stay in the cluster's memory
# Bytes of shared memory for weights and games, on a cluster of our own; more goes to the disk.
OBJECTS = 256 << 20
# Actors that may die with no call answered in between, beside two for each that there should be.
IN_A_ROW = 20
# If set for this process, these change the last bits of results, so every actor gets them too.
ARITHMETIC = ("TF_ENABLE_ONEDNN_OPTS", "ONEDNN_MAX_CPU_ISA", "NPY_DISABLE_CPU_FEATURES")
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


class ClusterError(ValueError):
    """The cluster cannot do its task. The message says what is missing and what to do."""


class ActorRow(NamedTuple):
    """The work of one actor so far.

    node: its machine's address. chunks: calls answered. games, seconds: in these calls but the
    first one, which loads and compiles.
    """

    node: str
    pid: int
    chunks: int
    games: int
    seconds: float


class ClusterRow(NamedTuple):
    """A line of a training log.

    actors: those at work. lost: calls whose actor died, all repeated by another. sent, received:
    bytes of weights put into the cluster (once per version), and of games that came out.
    """

    actors: tuple[ActorRow, ...]
    lost: int
    sent: int
    received: int

    def __str__(self) -> str:
        rates = sorted(row.games / row.seconds for row in self.actors if row.seconds)
        speed = "warming up"
        if rates:
            speed = f"{median(rates):,.0f} games/s each ({rates[0]:,.0f} to {rates[-1]:,.0f})"
        machines = {row.node for row in self.actors}
        where = f"{_counted(len(self.actors), 'actor')} on {_counted(len(machines), 'machine')}"
        lost = f"{_counted(self.lost, 'chunk')} lost and played again"
        return f"{where}, {speed}; {lost}; {self.received / 1e6:,.1f} MB of games"


class _Player:
    """The actor: a process of one thread that makes the calls it is sent."""

    def facts(self) -> dict[str, Any]:
        """Its machine, its process and its version of the course."""
        import ray

        return {"node": ray.util.get_node_ip_address(), "pid": os.getpid(), "course": course()}

    def call(self, function: Callable[..., Any], *arguments: Any) -> tuple[bytes, int, float]:
        """(pickled answer, games in it, seconds)."""
        # Weights arrive as read-only views of shared memory. They are copied, because Numba would
        # compile every kernel once more for read-only arrays.
        arguments = tuple(
            {name: np.array(array) for name, array in argument.items()}
            if isinstance(argument, Mapping)
            else argument
            for argument in arguments
        )
        started = time.perf_counter()
        answer = function(*arguments)
        pickled, games = pickle.dumps(answer, protocol=5), getattr(answer, "games", 0)
        return pickled, games, time.perf_counter() - started


@dataclass(eq=False)
class _Call:
    function: Callable[..., Any]
    arguments: tuple[Any, ...]
    future: Future = field(default_factory=Future)


@dataclass(eq=False)
class _Member:
    """An actor as the pool sees it. facts: known once it is up. call: the call in progress."""

    handle: Any
    facts: dict[str, Any] | None = None
    call: _Call | None = None
    chunks: int = 0
    games: int = 0
    seconds: float = 0.0


class RayPool(Executor):
    """Actors of a Ray cluster as an Executor, in place of `worker_pool`.

    address: "local" starts a cluster on this machine, which ends with this process; "auto" joins
    the cluster that runs here, "HOST:PORT" another one. actors: their number; it may be changed at
    any time. 0: one per processor of the cluster, including machines that join later, but at most
    as many as there were simultaneous calls. Functions must be pure, because a call whose actor
    dies is repeated. Raises ClusterError.
    """

    # One thread owns the fields below. Submissions, answers and deaths of actors reach it as
    # events, so none of the fields needs a lock.
    def __init__(self, address: str = "local", *, actors: int = 0) -> None:
        self.ray, self._ours = _connect(address, actors)
        self.actors = actors
        self.lost = self.sent = self.received = 0
        self._in_a_row, self._looked = 0, 0.0
        self._course = course()
        self._crew: list[_Member] = []
        self._waiting: deque[_Call] = deque()
        self._open: set[Future] = set()
        self._most = 0  # calls open at a time
        self._weights: deque[tuple[Mapping, Any]] = deque(maxlen=KNOWN)
        arithmetic = {name: os.environ[name] for name in ARITHMETIC if name in os.environ}
        threads = {**dict.fromkeys(THREADS, "1"), **arithmetic}
        # Without task events the head does not keep 100,000 records of calls, of about 3 kB each.
        options = {
            "num_cpus": 1,
            "max_restarts": 0,
            "enable_task_events": False,
            "runtime_env": {"env_vars": threads},
        }
        self._actor = self.ray.remote(**options)(_Player)
        self._events: SimpleQueue = SimpleQueue()
        self._over: BaseException | None = None
        self._thread = Thread(target=self._run, name="ray-pool", daemon=True)
        self._thread.start()

    def submit(
        self, function: Callable[P, T], /, *arguments: P.args, **options: P.kwargs
    ) -> Future[T]:
        """Call a function of a module in some actor.

        An argument that is a mapping of arrays is sent once, however often the same object is
        given: it must not be changed afterwards.
        """
        call = _Call(partial(function, **options) if options else function, arguments)
        self._open.add(call.future)
        self._most = max(self._most, len(self._open))
        call.future.add_done_callback(self._open.discard)
        self._events.put((self._waiting.append, call))
        if self._over is not None:
            self._open.discard(call.future)
            raise RuntimeError("this pool is closed") from self._over
        return call.future

    def row(self) -> ClusterRow:
        """The work of the actors so far."""
        crew = [(member, member.facts) for member in list(self._crew)]
        actors = tuple(
            ActorRow(facts["node"], facts["pid"], member.chunks, member.games, member.seconds)
            for member, facts in crew
            if facts
        )
        return ClusterRow(actors, self.lost, self.sent, self.received)

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """End the actors, and a cluster of our own, after or without the submitted calls."""
        if not cancel_futures:
            _finished(self._open)
        if self._thread.is_alive():
            closed = ClusterError("the pool was closed before this was played")
            self._events.put((self._end, closed))
            self._thread.join()
        if self._ours and self.ray.is_initialized():
            self.ray.shutdown()

    def _run(self) -> None:
        while self._over is None:
            try:
                try:
                    handle, *arguments = self._events.get(timeout=PERIOD)
                    handle(*arguments)
                except Empty:
                    pass
                if self._over is None and time.monotonic() - self._looked > PERIOD:
                    self._hire()
                    self._looked = time.monotonic()
                self._hand_out()
            except Exception as error:  # every waiting future must receive it
                self._end(error)

    def _end(self, reason: BaseException) -> None:
        self._over = reason
        for member in self._crew:
            self.ray.kill(member.handle)
        self._crew.clear()
        self._weights.clear()
        for future in list(self._open):
            future.set_exception(reason)

    def _hire(self) -> None:
        """Adjust the number of actors. An actor that is playing is ended only after its answer."""
        wanted = self.actors or min(self._most, int(self.ray.cluster_resources().get("CPU", 0)))
        while len(self._crew) < wanted:
            member = _Member(self._actor.remote())
            self._crew.append(member)
            self._when_done(member.handle.facts.remote(), self._up, member)
        idle = [member for member in self._crew if member.call is None]
        for member in idle[: max(0, len(self._crew) - wanted)]:
            self._crew.remove(member)
            self.ray.kill(member.handle)

    def _hand_out(self) -> None:
        for member in self._crew:
            while self._waiting and member.facts is not None and member.call is None:
                call = self._waiting.popleft()
                if not call.future.running() and not call.future.set_running_or_notify_cancel():
                    continue  # it was cancelled
                member.call = call
                arguments = [
                    self._sent_once(argument) if isinstance(argument, Mapping) else argument
                    for argument in call.arguments
                ]
                answer = member.handle.call.remote(call.function, *arguments)
                self._when_done(answer, self._answered, member)

    def _sent_once(self, weights: Mapping[str, np.ndarray]) -> Any:
        for known, reference in self._weights:
            if known is weights:
                return reference
        reference = self.ray.put(dict(weights))
        self._weights.append((weights, reference))
        self.sent += sum(np.asarray(array).nbytes for array in weights.values())
        return reference

    def _when_done(self, reference: Any, handle: Callable[..., None], member: _Member) -> None:
        reference.future().add_done_callback(lambda done: self._events.put((handle, member, done)))

    def _up(self, member: _Member, done: Future) -> None:
        if member not in self._crew:
            return
        error = done.exception()
        if error is not None:
            self._buried(member, error)
            return
        member.facts = done.result()
        if member.facts["course"] != self._course:
            here = ", ".join(f"{k} {v}" for k, v in self._course.items())
            there = ", ".join(f"{k} {v}" for k, v in member.facts["course"].items())
            raise ClusterError(
                f"the machine {member.facts['node']} has another course than this one, so its "
                f"games would be others: there {there}; here {here}. Install the same on both, and "
                "leave it as it is while this runs."
            )

    def _answered(self, member: _Member, done: Future) -> None:
        error, call = done.exception(), member.call
        if member not in self._crew or call is None:
            return
        if error is not None and not isinstance(error, self.ray.exceptions.RayTaskError):
            self._buried(member, error)
            return
        member.call, self._in_a_row = None, 0
        if error is not None:  # the function's own: it would raise it on any machine
            call.future.set_exception(getattr(error, "cause", None) or error)
            return
        answer, games, seconds = done.result()
        self.received += len(answer)
        if member.chunks:
            member.games, member.seconds = member.games + games, member.seconds + seconds
        member.chunks += 1
        call.future.set_result(pickle.loads(answer))

    def _buried(self, member: _Member, error: BaseException) -> None:
        """An actor or its machine is gone: its call goes to the next free actor."""
        self._crew.remove(member)
        self.ray.kill(member.handle)  # it may be alive but out of reach
        if member.call is not None:
            self.lost += 1
            self._waiting.appendleft(member.call)
        self._in_a_row += 1
        if self._in_a_row > IN_A_ROW + 2 * max(self.actors, len(self._crew)):
            raise ClusterError(
                f"{self._in_a_row} actors died one after the other, none has answered; the last "
                f"one: {error}"
            )


def _finished(futures: set[Future]) -> None:
    wait(list(futures))


def _counted(number: int, thing: str) -> str:
    return f"{number} {thing}{'' if number == 1 else 's'}"


def course() -> dict[str, str]:
    """The versions that an actor must share with this process to play the same games."""
    crc, root = 0, Path(__file__).parent
    for path in sorted(root.rglob("*.py")):
        source = path.read_bytes().replace(b"\r\n", b"\n")
        crc = zlib.crc32(path.relative_to(root).as_posix().encode() + source, crc)
    versions = {name: metadata.version(name) for name in ("numpy", "numba")}
    return {"sources": f"{crc:08x}", "python": ".".join(map(str, sys.version_info[:2])), **versions}


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
        while True:
            try:
                return ask(*arguments, **options)
            except RuntimeError:  # the machine is not in the cluster's list yet
                if not started or started[-1].process.poll() is not None:
                    raise

    services.start_raylet, services.get_node = start_raylet, get_node


def _connect(address: str, actors: int) -> tuple[Any, bool]:
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
