"""Beyond one machine: the workers of `rlcourse.workers`, as actors of a Ray cluster. What it costs: distributed.md.

Moritz et al. (2018), "Ray: a distributed framework for emerging AI applications". Nothing is imported from ray before a pool
is made: the course works without it.
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
from functools import wraps
from importlib import metadata
from inspect import signature
from pathlib import Path
from queue import Empty, SimpleQueue
from statistics import median
from threading import Thread
from typing import Any, NamedTuple

import numpy as np

from rlcourse.busy import slowness
from rlcourse.workers import THREADS

PERIOD = 0.5  # seconds between two looks at how many actors there are and should be
KNOWN = 16  # sets of weights that stay in the cluster's memory
OBJECTS = (
    256 << 20
)  # bytes of shared memory for weights and games, on a cluster of our own; more goes to the disk
IN_A_ROW = (
    20  # actors that may die, beside two for each there should be, with no call answered in between
)
# Set where this process runs, these change the last bits of what is computed, so every actor gets them too.
ARITHMETIC = ("TF_ENABLE_ONEDNN_OPTS", "ONEDNN_MAX_CPU_ISA", "NPY_DISABLE_CPU_FEATURES")
# A cluster of our own: no stranger in the network runs programs on it, it calls nobody, and its actors do not stand back
# (Ray's do, by 15 steps of niceness).
LOCAL = {"RAY_AUTH_MODE": "token", "RAY_USAGE_STATS_ENABLED": "0", "RAY_worker_niceness": "0"}
# How long Ray waits for a process of its own, by the clock on the wall: its settings with their defaults. They are meant for a
# machine with nothing else to do, and on a busy one they decide whether a cluster starts at all.
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
PATIENCE = (
    10  # times as long, and as many times more as this machine is slow: only what hangs is given up
)


class ClusterError(ValueError):
    """The cluster cannot do what is asked of it. The message says what is missing and what to do."""


class ActorRow(NamedTuple):
    """What one actor has done. node: its machine's address. chunks: calls answered; games in them but for the first call,
    which loads and compiles, and the seconds that they took there."""

    node: str
    pid: int
    chunks: int
    games: int
    seconds: float


class ClusterRow(NamedTuple):
    """A line of a training log. actors: those at work; lost: calls whose actor died, all made again by another; sent,
    received: bytes of weights put into the cluster (once a version) and of games that came out."""

    actors: tuple[ActorRow, ...]
    lost: int
    sent: int
    received: int

    def __str__(self) -> str:
        rates = sorted(row.games / row.seconds for row in self.actors if row.seconds)
        speed = (
            f"{median(rates):,.0f} games/s each ({rates[0]:,.0f} to {rates[-1]:,.0f})"
            if rates
            else "warming up"
        )
        where = f"{_counted(len(self.actors), 'actor')} on {_counted(len({row.node for row in self.actors}), 'machine')}"
        lost = f"{_counted(self.lost, 'chunk')} lost and played again"
        return f"{where}, {speed}; {lost}; {self.received / 1e6:,.1f} MB of games"


class _Player:
    """The actor: a process of one thread that calls what it is told to."""

    def facts(self) -> dict[str, Any]:
        """Where it lives, and what course it has."""
        import ray

        return {"node": ray.util.get_node_ip_address(), "pid": os.getpid(), "course": course()}

    def call(self, function: Callable[..., Any], *arguments: Any) -> tuple[bytes, int, float]:
        """(the pickled answer, games in it, seconds it took). Weights come as views of shared memory, which is read-only;
        compiled code would be compiled anew for such, so they are copied."""
        arguments = tuple(
            {name: np.array(array) for name, array in argument.items()}
            if isinstance(argument, Mapping)
            else argument
            for argument in arguments
        )
        started = time.perf_counter()
        answer = function(*arguments)
        return (
            pickle.dumps(answer, protocol=5),
            getattr(answer, "games", 0),
            time.perf_counter() - started,
        )


@dataclass(eq=False)
class _Call:
    function: Callable[..., Any]
    arguments: tuple[Any, ...]
    future: Future = field(default_factory=Future)


@dataclass(eq=False)
class _Member:
    """An actor as the pool sees it: facts are known once it is up; call is what it works on."""

    handle: Any
    facts: dict[str, Any] | None = None
    call: _Call | None = None
    chunks: int = 0
    games: int = 0
    seconds: float = 0.0


class RayPool(Executor):
    """Actors of a Ray cluster in place of `worker_pool`: `submit(function, *arguments)` and `shutdown`, as of any Executor.

    address: "local" starts a cluster on this machine, which ends with this process; "auto" joins the one that runs here,
    "HOST:PORT" another one. actors: how many; 0: one for every processor of the cluster, also of machines that join later, but
    no more than there were calls at a time. It may be changed at any time. Functions must be pure, because a call whose actor
    dies is made again. Raises ClusterError.

    One thread owns all that follows; submitting, an actor's answer and its death reach it as events.
    """

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
        threads = dict.fromkeys(THREADS, "1") | {
            name: os.environ[name] for name in ARITHMETIC if name in os.environ
        }
        # The head keeps a record of 100,000 calls, some 3 kB each, unless told not to.
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

    def submit(self, function: Callable[..., Any], /, *arguments: Any) -> Future:
        """Call a function of a module in some actor. An argument that is a mapping of arrays goes out once, however often this
        very mapping is given: it must not be changed afterwards."""
        call = _Call(function, arguments)
        self._open.add(call.future)
        self._most = max(self._most, len(self._open))
        call.future.add_done_callback(self._open.discard)
        self._events.put((self._waiting.append, call))
        if self._over is not None:
            self._open.discard(call.future)
            raise RuntimeError("this pool is closed") from self._over
        return call.future

    def row(self) -> ClusterRow:
        """What the actors have done so far."""
        up = [member for member in list(self._crew) if member.facts]
        actors = (
            ActorRow(m.facts["node"], m.facts["pid"], m.chunks, m.games, m.seconds) for m in up
        )
        return ClusterRow(tuple(actors), self.lost, self.sent, self.received)

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """End the actors, and the cluster where it is our own. What was submitted is finished first unless cancelled."""
        if not cancel_futures:
            _finished(self._open)
        if self._thread.is_alive():
            self._events.put(
                (self._end, ClusterError("the pool was closed before this was played"))
            )
            self._thread.join()
        if self._ours and self.ray.is_initialized():
            self.ray.shutdown()

    def _run(self) -> None:
        while self._over is None:
            try:
                try:
                    handle, *what = self._events.get(timeout=PERIOD)
                    handle(*what)
                except Empty:
                    pass
                if self._over is None and time.monotonic() - self._looked > PERIOD:
                    self._hire()
                    self._looked = time.monotonic()
                self._hand_out()
            except Exception as error:  # whoever waits for an answer must hear of it
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
        """Bring the number of actors to what it should be; one that plays is not sent away before it has answered."""
        wanted = self.actors or min(self._most, int(self.ray.cluster_resources().get("CPU", 0)))
        while len(self._crew) < wanted:
            member = _Member(self._actor.remote())
            self._crew.append(member)
            self._when_done(member.handle.facts.remote(), self._up, member)
        for member in [member for member in self._crew if member.call is None][
            : max(0, len(self._crew) - wanted)
        ]:
            self._crew.remove(member)
            self.ray.kill(member.handle)

    def _hand_out(self) -> None:
        for member in self._crew:
            while self._waiting and member.facts is not None and member.call is None:
                call = self._waiting.popleft()
                if not call.future.running() and not call.future.set_running_or_notify_cancel():
                    continue  # somebody has cancelled it
                member.call = call
                arguments = [
                    self._sent_once(part) if isinstance(part, Mapping) else part
                    for part in call.arguments
                ]
                self._when_done(
                    member.handle.call.remote(call.function, *arguments), self._answered, member
                )

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
        if done.exception() is not None:
            self._buried(member, done.exception())
            return
        member.facts = done.result()
        if member.facts["course"] != self._course:
            here, there = (
                ", ".join(f"{k} {v}" for k, v in facts.items())
                for facts in (self._course, member.facts["course"])
            )
            raise ClusterError(
                f"the machine {member.facts['node']} has another course than this one, so its games would be "
                f"others: there {there}; here {here}. Install the same on both, and leave it as it is "
                "while this runs."
            )

    def _answered(self, member: _Member, done: Future) -> None:
        if member not in self._crew:
            return
        error, call = done.exception(), member.call
        if error is not None and not isinstance(error, self.ray.exceptions.RayTaskError):
            self._buried(member, error)
            return
        member.call, self._in_a_row = None, 0
        if error is not None:  # the function's own, which it would raise anywhere
            call.future.set_exception(getattr(error, "cause", None) or error)
            return
        answer, games, seconds = done.result()
        self.received += len(answer)
        if member.chunks:
            member.games, member.seconds = member.games + games, member.seconds + seconds
        member.chunks += 1
        call.future.set_result(pickle.loads(answer))

    def _buried(self, member: _Member, error: BaseException) -> None:
        """An actor, or its machine, is gone: what it was working on goes to the next one that is free."""
        self._crew.remove(member)
        self.ray.kill(member.handle)  # it may only have been out of reach
        if member.call is not None:
            self.lost += 1
            self._waiting.appendleft(member.call)
        self._in_a_row += 1
        if self._in_a_row > IN_A_ROW + 2 * max(self.actors, len(self._crew)):
            raise ClusterError(
                f"{self._in_a_row} actors died one after the other, none has answered; the last one: {error}"
            )


def _finished(futures: set[Future]) -> None:
    wait(list(futures))


def _counted(number: int, thing: str) -> str:
    return f"{number} {thing}{'' if number == 1 else 's'}"


def course() -> dict[str, str]:
    """What an actor must have in common with this process for its games to be the same."""
    crc, root = 0, Path(__file__).parent
    for path in sorted(root.rglob("*.py")):
        crc = zlib.crc32(
            path.relative_to(root).as_posix().encode() + path.read_bytes().replace(b"\r\n", b"\n"),
            crc,
        )
    versions = {name: metadata.version(name) for name in ("numpy", "numba")}
    return {"sources": f"{crc:08x}", "python": ".".join(map(str, sys.version_info[:2])), **versions}


def patient_ray() -> Any:
    """The package ray, which waits for its own processes as long as they live and not for a number of seconds.

    Raises ImportError. Where this process has imported ray before, ray's own limits hold.
    """
    if sys.modules.get("ray") is None:  # which reads these while it is imported
        for name, limit in LIMITS.items():
            os.environ.setdefault(name, str(int(limit * PATIENCE * slowness())))
        from ray._private import services

        _wait_for_events(services)
    return sys.modules["ray"]


def _wait_for_events(services: Any) -> None:
    """Mend two limits of Ray's start that have no setting: 15 s and 30 s on the wall, too few where much else runs.

    The raylet, the process that is a machine of the cluster, kills itself unless its two agents have written the numbers of
    their ports to files within 15 s (github.com/ray-project/ray/issues/65983). The dashboard's agent has none in ray without
    extras, and no use here, so "-1: none" is written before it starts; the other one is told its port, which nobody need
    read from a file then. And `ray.init` and `ray start` give the raylet 30 s: here they wait for it while it lives.
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
    if address == "local" and "ray" not in sys.modules:  # which reads these while it is imported
        for name, value in {**LOCAL, "RAY_AUTH_TOKEN": secrets.token_hex(32)}.items():
            os.environ.setdefault(name, value)
    try:
        ray = patient_ray()
    except ImportError:
        raise ClusterError(
            "a cluster needs the package ray, which is not installed. On every machine of the cluster type:  "
            'python -m pip install "rlcourse[ray]"   On one machine --set workers=N does the same without it.'
        ) from None
    if ray.is_initialized():
        return ray, False
    if address == "local":
        where = {
            "include_dashboard": False,
            "num_cpus": actors or None,
            "object_store_memory": OBJECTS,
        }
        remedy = "One of its own processes has ended; the files in its folder session_latest/logs say why."
    else:
        where = {}
        remedy = "Start one:  ray start --head --port=6379   and on every other machine:  ray start --address=HOST:6379"
    try:
        if address not in ("local", "auto"):  # ray itself would try for minutes
            host, _, port = address.rpartition(":")
            socket.create_connection((host, int(port)), timeout=10).close()
        ray.init(address, log_to_driver=False, logging_level="ERROR", **where)
    except Exception as error:  # some of what ray raises is no more than an Exception
        ray.shutdown()
        reason = str(error).strip().split("\n", 1)[0]
        raise ClusterError(f"no Ray cluster answers at {address!r} ({reason}). {remedy}") from error
    return ray, True
