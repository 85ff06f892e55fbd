"""Processes that work beside this one: spawned, with one thread each, and gone when this one is.

On two cores two single-threaded processes beat one process with two threads.
"""

import os
import signal
import threading
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from multiprocessing import parent_process
from multiprocessing.context import SpawnContext, SpawnProcess

THREADS = (
    "OMP_NUM_THREADS",
    "OPENBLAS_NUM_THREADS",
    "TF_NUM_INTRAOP_THREADS",
    "TF_NUM_INTEROP_THREADS",
)


class _SingleThreaded(SpawnProcess):
    """A spawned process in whose environment every library reads that it has one thread.

    The environment is set before the process starts: NumPy's matrix library reads it while it is imported, which is before
    any code of ours runs there.
    """

    def start(self) -> None:
        with _environment(dict.fromkeys(THREADS, "1")), without_ctrl_c():
            super().start()


class _Context(SpawnContext):
    Process = _SingleThreaded


class _Pool(ProcessPoolExecutor):
    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """With `cancel_futures`, what the workers have begun is given up as well, so nobody waits for it."""
        processes = list((self._processes or {}).values()) if cancel_futures else []
        results = self._result_queue
        super().shutdown(wait and not processes, cancel_futures=cancel_futures)
        for process in processes:
            process.kill()
        if processes:
            # A worker that was killed in the middle of a result leaves the beginning of it in the
            # pipe. While this process could write there, its reader would wait for the rest.
            results._writer.close()  # type: ignore[attr-defined]

    def __exit__(self, kind: type[BaseException] | None, *rest: object) -> None:
        """After an error, Ctrl-C among them, everything is given up."""
        self.shutdown(cancel_futures=kind is not None)


def worker_pool(workers: int) -> ProcessPoolExecutor:
    """A pool of `workers` spawned, single-threaded processes. They end when this process ends, even if it is killed; Ctrl-C is
    the business of this process alone."""
    return _Pool(workers, mp_context=_Context(), initializer=_end_with_parent)


def _end_with_parent() -> None:
    def wait() -> None:
        parent_process().join()
        os._exit(1)

    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=wait, daemon=True).start()


@contextmanager
def without_ctrl_c() -> Iterator[None]:
    """Processes that are started here do not hear Ctrl-C, not even before their first line of Python; here it waits."""
    if hasattr(signal, "pthread_sigmask"):
        before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
        try:
            yield
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, before)
    else:  # Windows: they hear it until `_end_with_parent`
        yield


@contextmanager
def _environment(changes: dict[str, str]) -> Iterator[None]:
    kept = {name: os.environ.get(name) for name in changes}
    os.environ.update(changes)
    try:
        yield
    finally:
        for name, value in kept.items():
            if value is None:
                del os.environ[name]
            else:
                os.environ[name] = value
