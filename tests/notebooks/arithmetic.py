"""Two arithmetics for the same notebook: this machine's own, and that of an older processor, emulated.

An output that is compared has to come out the same under both; see "Two cores, other arithmetic" in the project's notes.
"""

import os
from functools import cache

DEFAULT, OTHER_CPU = "default arithmetic", "other CPU"

# NumPy's code paths for newer processors, in the order in which they are switched off together.
_NEWEST = ("X86_V4", "AVX512_ICL", "AVX512_SPR")
_NEWER = ("X86_V3",)

# What a test run sets for every kernel: quiet logs, no graphics card, pictures without a window.
_QUIET = {
    "TF_CPP_MIN_LOG_LEVEL": "3",
    "CUDA_VISIBLE_DEVICES": "-1",
    "PYTHONUTF8": "1",
    "PYTHONWARNINGS": "ignore::DeprecationWarning",
    "PYDEVD_DISABLE_FILE_VALIDATION": "1",
}


@cache
def cpu_features() -> set[str]:
    """NumPy's optional code paths that this processor has. Asked without the limits that a test run may have set."""
    import subprocess
    import sys

    code = (
        "from numpy._core import _multiarray_umath as u\n"
        "print(*(name for name in u.__cpu_dispatch__ if u.__cpu_features__.get(name)))"
    )
    environment = {
        name: value for name, value in os.environ.items() if name != "NPY_DISABLE_CPU_FEATURES"
    }
    answer = subprocess.run(
        [sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True
    )
    return set(answer.stdout.split())


def kernel_environment(arithmetic: str) -> dict[str, str]:
    """What a kernel needs in its environment to calculate in this arithmetic; to be added to the process's own."""
    if arithmetic == DEFAULT:
        return {**_QUIET, "NPY_DISABLE_CPU_FEATURES": "", "ONEDNN_MAX_CPU_ISA": "DEFAULT"}
    has = cpu_features()
    disabled = [name for name in _NEWEST if name in has] or [name for name in _NEWER if name in has]
    return {
        **_QUIET,
        "NPY_DISABLE_CPU_FEATURES": " ".join(disabled),
        "ONEDNN_MAX_CPU_ISA": "AVX2" if "X86_V4" in has else "SSE41",
        "OPENBLAS_NUM_THREADS": "1",
        "OMP_NUM_THREADS": "1",
    }
