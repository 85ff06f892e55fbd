"""Worker processes: spawned, with one thread each; they end with this process.

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
    """A spawned process whose environment limits every library to one thread.

    The environment is set before the process starts, because NumPy's matrix library reads it at its
    import, before any code of ours runs.
    """

    def start(self) -> None:
        with _environment(dict.fromkeys(THREADS, "1")), without_ctrl_c():
            super().start()


class _Context(SpawnContext):
    Process = _SingleThreaded


class _Pool(ProcessPoolExecutor):
    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """With `cancel_futures`, kill the workers and abandon what they have begun."""
        processes = list((self._processes or {}).values()) if cancel_futures else []
        results = self._result_queue
        super().shutdown(wait and not processes, cancel_futures=cancel_futures)
        for process in processes:
            process.kill()
        if processes:
            # A worker killed while sending leaves an incomplete result in the pipe. As long as
            # this process holds the writing end, its reader would wait for the rest.
            results._writer.close()  # type: ignore[attr-defined]

    def __exit__(self, kind: type[BaseException] | None, *rest: object) -> None:
        """After an error, including Ctrl-C, abandon all work."""
        self.shutdown(cancel_futures=kind is not None)


def worker_pool(workers: int) -> ProcessPoolExecutor:
    """A pool of `workers` spawned, single-threaded processes.

    They end with this process, even if it is killed, and only this process handles Ctrl-C.
    """
    # Python starts a process of its own that removes a pool's semaphores. After a process that was
    # killed or stopped it does so with a warning, behind all that the user was told.
    warnings = ",".join(filter(None, (os.environ.get("PYTHONWARNINGS"), "ignore:resource_tracker")))
    with _environment({"PYTHONWARNINGS": warnings}):
        return _Pool(workers, mp_context=_Context(), initializer=_end_with_parent)


def _end_with_parent() -> None:
    parent = parent_process()
    assert parent is not None  # this runs in a worker only

    def wait() -> None:
        parent.join()
        os._exit(1)

    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=wait, daemon=True).start()


@contextmanager
def without_ctrl_c() -> Iterator[None]:
    """Block Ctrl-C: processes started here never receive it, this one receives it later."""
    if hasattr(signal, "pthread_sigmask"):
        before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
        try:
            yield
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, before)
    else:  # Windows: the workers receive it until `_end_with_parent` runs
        yield


@contextmanager
def _environment(changes: dict[str, str]) -> Iterator[None]:
    previous = {name: os.environ.get(name) for name in changes}
    os.environ.update(changes)
    try:
        yield
    finally:
        for name, value in previous.items():
            if value is None:
                del os.environ[name]
            else:
                os.environ[name] = value
