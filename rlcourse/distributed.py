"""Beyond one machine: self-play by the tasks of a Ray cluster. Its costs: distributed.md.

An actor is a process of the cluster that plays; which one plays which chunk, and what happens when
it dies, is Ray's business.

Moritz et al. (2018), "Ray: a distributed framework for emerging AI applications". ray is imported
only when a pool is made: the course works without it.
"""

import os
import pickle
import sys
import time
import zlib
from collections import deque
from collections.abc import Callable, Mapping
from concurrent.futures import Executor, Future
from concurrent.futures import wait as wait_for
from functools import cache, partial
from importlib import metadata
from pathlib import Path
from statistics import median
from threading import RLock
from typing import Any, NamedTuple, ParamSpec, TypeVar

import numpy as np

from rlcourse.cluster import ClusterError, connect
from rlcourse.errors import BadOrder
from rlcourse.workers import THREADS

P = ParamSpec("P")
T = TypeVar("T")
KNOWN = 16  # sets of weights that stay in the cluster's memory
RETRIES = 20  # of a call whose process, or machine, has died
# If set for this process, these change the last bits of results, so every actor gets them too.
ARITHMETIC = ("TF_ENABLE_ONEDNN_OPTS", "ONEDNN_MAX_CPU_ISA", "NPY_DISABLE_CPU_FEATURES")


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

    actors: those that have answered since the last line. lost: calls whose actor died, all
    repeated by another. sent, received: bytes of weights put into the cluster (once per version),
    and of games that came out.
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


class Answered(NamedTuple):
    """Who answered a call, at which attempt, counted from 0."""

    node: str
    pid: int
    games: int
    seconds: float
    attempt: int


def _play(
    expected: Mapping[str, str], function: Callable[..., Any], *arguments: Any
) -> tuple[bytes, Answered]:
    """The task: one call in a process of one thread. Returns (pickled answer, who gave it)."""
    import ray
    from ray._private.worker import global_worker

    here = ray.util.get_node_ip_address()
    _require_same(expected, _course_of_this_process(), here)
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
    seconds = time.perf_counter() - started
    attempt = global_worker.core_worker.get_current_task_attempt_number()
    return pickled, Answered(here, os.getpid(), games, seconds, attempt)


class RayPool(Executor):
    """Tasks of a Ray cluster as an Executor, in place of `worker_pool`.

    address: "local" starts a cluster on this machine, which ends with this process; "auto" joins
    the cluster that runs here, "HOST:PORT" another one. actors: how many calls are made at a time;
    0: as many as the cluster, including machines that join later, has processors. Functions must
    be pure, because Ray repeats a call whose process dies. Raises ClusterError.
    """

    def __init__(self, address: str = "local", *, actors: int = 0) -> None:
        self.ray, self._ours = connect(address, actors)
        self.actors = actors
        self.lost = self.sent = self.received = 0
        self._course = course()
        self._crew: dict[tuple[str, int], ActorRow] = {}
        self._heard: set[tuple[str, int]] = set()  # who has answered since the last row
        self._weights: deque[tuple[Mapping, Any]] = deque(maxlen=KNOWN)
        self._waiting: deque[tuple[Future, tuple[Any, ...]]] = deque()
        self._running: dict[Future, Any] = {}
        self._closed = False
        self._lock = RLock()  # answers arrive in a thread of Ray's
        arithmetic = {name: os.environ[name] for name in ARITHMETIC if name in os.environ}
        threads = {**dict.fromkeys(THREADS, "1"), **arithmetic}
        # Without task events the head does not keep 100,000 records of calls, of about 3 kB each.
        self._task = self.ray.remote(
            num_cpus=1,
            max_retries=RETRIES,
            enable_task_events=False,
            runtime_env={"env_vars": threads},
        )(_play)

    def submit(
        self, function: Callable[P, T], /, *arguments: P.args, **options: P.kwargs
    ) -> Future[T]:
        """Call a function of a module in the cluster.

        An argument that is a mapping of arrays is sent once, however often the same object is
        given: it must not be changed afterwards.
        """
        future: Future = Future()
        call = partial(function, **options) if options else function
        with self._lock:
            if self._closed:
                raise BadOrder("this pool is closed")
            self._waiting.append((future, (call, *arguments)))
            self._hand_out()
        return future

    def row(self) -> ClusterRow:
        """The work so far of those who have answered since the last row."""
        with self._lock:
            actors = tuple(self._crew[name] for name in sorted(self._heard))
            self._heard.clear()
            return ClusterRow(actors, self.lost, self.sent, self.received)

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """End the calls, and a cluster of our own, after or without the submitted ones."""
        with self._lock:
            self._closed = True
            left = [*self._running, *(future for future, _ in self._waiting)]
        if not cancel_futures:
            wait_for(left)
        with self._lock:
            self._waiting.clear()
            running, self._running = self._running, {}
            self._weights.clear()
        for reference in running.values():
            self.ray.cancel(reference, force=True)
        closed = ClusterError("the pool was closed before this was played")
        for future in left:
            if not future.done():
                future.set_exception(closed)
        if self._ours and self.ray.is_initialized():
            self.ray.shutdown()

    def _hand_out(self) -> None:
        while self._waiting and (not self.actors or len(self._running) < self.actors):
            future, arguments = self._waiting.popleft()
            if not future.set_running_or_notify_cancel():
                continue
            sent = [self._sent_once(a) if isinstance(a, Mapping) else a for a in arguments]
            reference = self._task.remote(self._course, *sent)
            self._running[future] = reference
            reference.future().add_done_callback(partial(self._answered, future))

    def _sent_once(self, weights: Mapping[str, np.ndarray]) -> Any:
        for known, reference in self._weights:
            if known is weights:
                return reference
        reference = self.ray.put(dict(weights))
        self._weights.append((weights, reference))
        self.sent += sum(np.asarray(array).nbytes for array in weights.values())
        return reference

    def _answered(self, future: Future, done: Future) -> None:
        with self._lock:
            if self._running.pop(future, None) is None:  # the pool was closed meanwhile
                return
            self._hand_out()
        try:
            error = done.exception()
            if error is not None:
                future.set_exception(self._reason(error))
                return
            pickled, who = done.result()
            self._count(len(pickled), who)
            future.set_result(pickle.loads(pickled))
        except BaseException as unforeseen:  # the learner waits for this future
            future.set_exception(unforeseen)

    def _count(self, size: int, who: Answered) -> None:
        with self._lock:
            name = who.node, who.pid
            before = self._crew.get(name)
            if before is None:  # the first call loads and compiles
                self._crew[name] = ActorRow(*name, 1, 0, 0.0)
            else:
                self._crew[name] = before._replace(
                    chunks=before.chunks + 1,
                    games=before.games + who.games,
                    seconds=before.seconds + who.seconds,
                )
            self._heard.add(name)
            self.received += size
            self.lost += who.attempt

    def _reason(self, error: BaseException) -> BaseException:
        """What a call has raised, or why it could not be made."""
        if isinstance(error, self.ray.exceptions.RayTaskError):
            return getattr(error, "cause", None) or error  # it would be raised on any machine
        return ClusterError(
            f"{RETRIES + 1} actors died one after the other in the same call; the last one: {error}"
        )


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


_course_of_this_process = cache(course)


def _require_same(expected: Mapping[str, str], here: Mapping[str, str], node: str) -> None:
    """Raises ClusterError if an actor's course is not that of the process that learns."""
    if here == expected:
        return
    wanted = ", ".join(f"{name} {version}" for name, version in expected.items())
    there = ", ".join(f"{name} {version}" for name, version in here.items())
    raise ClusterError(
        f"the machine {node} has another course than this one, so its games would be others: there "
        f"{there}; here {wanted}. Install the same on both, and leave it as it is while this runs."
    )
