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
    """The same lines run by the Python interpreter, the kernels that they call included."""
    python = getattr(function, "py_func", function)
    kernels = {name: value for name, value in python.__globals__.items() if hasattr(value, "py_func")}
    plain = {name: value.py_func for name, value in kernels.items()}
    return FunctionType(python.__code__, {**python.__globals__, **plain}, python.__name__, python.__defaults__)
