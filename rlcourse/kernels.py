"""One decorator for every compiled function of the course.

Two rules keep the on-disk cache honest, and a test holds them: a kernel calls only kernels of its own file, and it reads no
global array of another file. Numba notices an edit in the file of a cached function, not in the files it calls.
"""

from collections.abc import Callable
from functools import lru_cache
from types import FunctionType
from typing import Any

import numba


def kernel(function: Callable[..., Any]) -> Callable[..., Any]:
    """Compile `function` at its first call: cached on disk, without the GIL, with IEEE arithmetic (no fastmath).

    Where no folder for the cache can be written (a read-only installation) the function still works; it is then compiled
    anew in every process. The plain Python function stays reachable as `.py_func`.
    """
    try:
        return numba.njit(cache=True, nogil=True)(function)
    except RuntimeError as error:  # "cannot cache function ...: no locator available"
        if "locator" not in str(error):
            raise
        return numba.njit(nogil=True)(function)


@lru_cache(maxsize=64)
def interpreted(function: Callable[..., Any]) -> Callable[..., Any]:
    """The same lines run by the Python interpreter, and so are the kernels that they call (none of which calls itself)."""
    python = getattr(function, "py_func", function)
    called = {name: python.__globals__.get(name) for name in python.__code__.co_names}
    plain = {
        name: interpreted(value) for name, value in called.items() if hasattr(value, "py_func")
    }
    return FunctionType(
        python.__code__, {**python.__globals__, **plain}, python.__name__, python.__defaults__
    )
