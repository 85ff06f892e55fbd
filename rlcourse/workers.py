"""Processes that work beside this one: spawned, with one thread each, and gone when this one is.

On two cores two single-threaded processes beat one process with two threads.
"""

import os
import threading
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from multiprocessing import parent_process
from multiprocessing.context import SpawnContext, SpawnProcess

THREADS = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "TF_NUM_INTRAOP_THREADS", "TF_NUM_INTEROP_THREADS")


class _SingleThreaded(SpawnProcess):
    """A spawned process in whose environment every library reads that it has one thread.

    The environment is set before the process starts: NumPy's matrix library reads it while it is imported, which is before
    any code of ours runs there.
    """

    def start(self) -> None:
        with _environment(dict.fromkeys(THREADS, "1")):
            super().start()


class _Context(SpawnContext):
    Process = _SingleThreaded


def worker_pool(workers: int) -> ProcessPoolExecutor:
    """A pool of `workers` spawned, single-threaded processes. They end when this process ends, even if it is killed."""
    return ProcessPoolExecutor(workers, mp_context=_Context(), initializer=_end_with_parent)


def _end_with_parent() -> None:
    def wait() -> None:
        parent_process().join()
        os._exit(1)

    threading.Thread(target=wait, daemon=True).start()


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
