"""`start.py test`: the surroundings of the tests, the programs they need, and the call of pytest."""

import argparse
import os
import shutil
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from launcher import uv
from launcher.check import PROGRAMS, find_program
from launcher.console import Stop, say
from launcher.interpreters import wait
from launcher.programs import child_environment

ROOT = Path(__file__).resolve().parent.parent

# One thread a worker, no window, no graphics card, and quiet logs: the same on every machine.
SURROUNDINGS = {
    "MPLBACKEND": "Agg",
    "TF_CPP_MIN_LOG_LEVEL": "3",
    "CUDA_VISIBLE_DEVICES": "-1",
    "OMP_NUM_THREADS": "1",
    "OPENBLAS_NUM_THREADS": "1",
    "TF_NUM_INTRAOP_THREADS": "1",
    "TF_NUM_INTEROP_THREADS": "1",
    "PYTHONUTF8": "1",
    "PYDEVD_DISABLE_FILE_VALIDATION": "1",
}


# Besides what `start.py check` asks for: what a server for a class needs.
FOR_TESTS = {
    **PROGRAMS,
    "setfacl": "acl",
    "configurable-http-proxy": "node-configurable-http-proxy",
}


def missing_packages() -> list[str]:
    """Debian packages of the programs that are not there."""
    return [package for program, package in FOR_TESTS.items() if find_program(program) is None]


def _retry(
    command: list[str], variables: dict[str, str], times: int = 3, pause: float = 10.0
) -> bool:
    """Run a command until it succeeds, at most `times` times.

    Only the last failure's output is shown.
    """
    for attempt in range(1, times + 1):
        result = subprocess.run(
            command,
            cwd=ROOT,
            env=variables,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            errors="replace",
        )
        if result.returncode == 0:
            return True
        if attempt < times:
            time.sleep(pause * attempt)
    say("\n".join(result.stdout.splitlines()[-15:]))
    return False


def install_system_packages() -> bool:
    """Install what is missing by apt-get, as root.

    Returns whether all programs are there afterwards.
    """
    packages = missing_packages()
    if not packages:
        return True
    if shutil.which("apt-get") is None:
        say(f"--system knows only Debian's apt-get. Install by hand: {', '.join(packages)}.")
        return False
    if hasattr(os, "geteuid") and os.geteuid() != 0:
        say(f"--system must run as root. Or type:  sudo apt-get install {' '.join(packages)}")
        return False
    say(f"Installing by apt-get: {', '.join(packages)} ...")
    variables = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    _retry(["apt-get", "-q", "update"], variables)
    options = ["-o", "Dpkg::Use-Pty=0", "-o", "DPkg::Lock::Timeout=120"]
    _retry(
        ["apt-get", "-q", "-y", *options, "install", "--no-install-recommends", *packages],
        variables,
    )
    left = missing_packages()
    if left:
        say(
            f"Not installed: {', '.join(left)}. Tests that need them are skipped, "
            "or fail where CI=true."
        )
    return not left


def install_extras(python: Path, wheels: Path | None) -> None:
    """Install what the tests of a cluster and of a server need besides, where it is missing:
    260 MB that no student needs.
    """
    for name, lock in (("ray", uv.RAY_LOCK), ("jupyterhub", uv.HUB_LOCK)):
        try:
            uv.install(python, wheels, lock)
        except Stop as stop:
            say(f"{stop}\n{name} is not installed. Its tests are skipped, or fail where CI=true.")


def parsed(arguments: list[str]) -> tuple[argparse.Namespace, list[str]]:
    """The options, and what is left for pytest."""
    parser = argparse.ArgumentParser(
        prog="start.py test",
        description="Run the tests; further arguments go to pytest.",
        epilog="example: python start.py test tests/unit/test_go.py -x",
        allow_abbrev=False,
    )
    add = parser.add_argument
    add("--quick", action="store_true", help="only the short tests, under 3 minutes")
    add("--both", action="store_true", help="notebooks under this computer's own arithmetic, too")
    add(
        "--system",
        action="store_true",
        help="as root on Debian: install programs, ray and jupyterhub",
    )
    add(
        "--wheels",
        type=Path,
        metavar="FOLDER",
        help="install these two from wheels, not the network",
    )
    return parser.parse_known_args(arguments)


def pytest_command(python: Path, *, quick: bool, extra: list[str]) -> list[str]:
    """The call of pytest; what the caller adds comes last and wins."""
    # In the order of tests/conftest.py
    shared = ["-n", "3", "--dist", "loadgroup", "--no-loadscope-reorder"]
    command = [str(python), "-m", "pytest", *shared]
    return command + (["-m", "not slow"] if quick else []) + extra


def main(arguments: list[str]) -> int:
    """Run the tests and return pytest's exit code, after Ctrl-C 130.

    Nothing is printed after pytest's closing line.
    """
    options, extra = parsed(arguments)
    python = Path(sys.executable)
    if options.system:
        with ThreadPoolExecutor() as pool:  # both wait for the network
            packages = pool.submit(install_system_packages)
            if not options.quick:
                install_extras(python, options.wheels)
        packages.result()
    variables = {**child_environment(python), **SURROUNDINGS}
    if options.both:
        variables["RLCOURSE_BOTH"] = "1"
    command = pytest_command(python, quick=options.quick, extra=extra)
    code, interrupted = wait(subprocess.Popen(command, cwd=ROOT, env=variables))
    return 130 if interrupted else code


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
