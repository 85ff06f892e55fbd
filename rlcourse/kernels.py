"""One decorator for every compiled function of the course.

Two rules, enforced by a test, keep the cache on disk correct: a kernel calls only kernels of its
own file, and it reads no global array of another file. Numba detects edits in the file of a cached
function, but not in the files of the functions it calls.
"""

from collections.abc import Callable
from functools import lru_cache
from types import FunctionType
from typing import Any

try:
    import numba

    COMPILES = True
except ImportError:  # where no Numba is to be had, what needs no speed works without it
    COMPILES = False


def kernel(function: Callable[..., Any]) -> Callable[..., Any]:
    """Compile `function` at its first call: cached, without the GIL, with IEEE arithmetic.

    If no cache folder is writable (a read-only installation), every process compiles the function
    again. The plain Python function remains available as `.py_func`. Without Numba it is what is
    returned.
    """
    if not COMPILES:
        return function
    try:
        return numba.njit(cache=True, nogil=True)(function)
    except RuntimeError as error:  # "cannot cache function ...: no locator available"
        if "locator" not in str(error):
            raise
        return numba.njit(nogil=True)(function)


@lru_cache(maxsize=64)
def interpreted(function: Callable[..., Any]) -> Callable[..., Any]:
    """The function run by the Python interpreter, together with the kernels that it calls.

    None of these may be recursive.
    """
    python = getattr(function, "py_func", function)
    plain = {}
    for name in python.__code__.co_names:
        callee = python.__globals__.get(name)
        if hasattr(callee, "py_func"):
            plain[name] = interpreted(callee)
    return FunctionType(
        python.__code__, {**python.__globals__, **plain}, python.__name__, python.__defaults__
    )
