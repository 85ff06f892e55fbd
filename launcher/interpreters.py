"""Which Python runs this, is it one the course can use, and which others are on this computer;
and how one waits for another.

Any Python from 2.7 on must be able to read this file: it is what explains a wrong one.
"""

from __future__ import print_function

import glob
import json
import os
import platform
import struct
import subprocess
import sys
import sysconfig
from collections import namedtuple

OLDEST, NEWEST = (3, 11), (3, 13)
NEEDED = "the course needs Python 3.11, 3.12 or 3.13."

# version: (3, 12, 1); bits: 32 or 64; kind: "cpython" and the like; threads: "free" for a build
# without the global lock, else "usual"; machine: "x86_64", "arm64", ...; path: the program itself.
Python = namedtuple("Python", "version bits kind threads machine path")


def this_python():
    """The Python that runs this file."""
    threads = "free" if sysconfig.get_config_var("Py_GIL_DISABLED") else "usual"
    kind = platform.python_implementation().lower()
    version, bits = tuple(sys.version_info[:3]), 8 * struct.calcsize("P")
    return Python(version, bits, kind, threads, platform.machine(), sys.executable)


def ask(command):
    """The Python that a command such as ["py", "-3.12"] starts; None if none answers: a
    stub, a shim, a broken one.
    """
    command = command + [os.path.abspath(__file__)]
    try:
        process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        python = Python(*json.loads(process.communicate()[0].decode("utf-8", "replace")))
        return python._replace(version=tuple(python.version))
    except (OSError, TypeError, ValueError):
        return None


def wait(process):
    """Wait for a program's end. Returns its exit code as a shell gives it, and whether Ctrl-C came.

    Ctrl-C reaches the program too, which answers it: this only waits.
    """
    interrupted = False
    while True:
        try:
            code = process.wait()
            return code if code >= 0 else 128 - code, interrupted
        except KeyboardInterrupt:
            interrupted = True


def numbers(python):
    """The version as text, such as "3.12.1"; a 32-bit one says so."""
    return ".".join(str(n) for n in python.version) + (" (32-bit)" if python.bits == 32 else "")


def why_not(python, system=sys.platform):
    """Why the course cannot use `python` (a sentence), or None if it can."""
    name = "Python " + numbers(python)
    machine = python.machine.lower()
    if python.version[:2] < OLDEST:
        return name + " is too old: " + NEEDED
    if python.version[:2] > NEWEST:
        return name + " is too new, as TensorFlow is not built for it yet: " + NEEDED
    if python.bits != 64:
        return name + " will not do: TensorFlow exists for 64-bit Python only."
    if python.kind != "cpython":
        return name + " is " + python.kind + "; the course needs the usual CPython."
    if python.threads == "free":
        return name + " is the free-threaded build; the course needs the usual one."
    if system == "darwin" and machine != "arm64":
        return (
            name + " is built for Intel Macs, for which TensorFlow is no longer made."
            " On a Mac with Apple silicon, install the arm64 (or universal) Python."
        )
    if system.startswith("win") and machine not in ("amd64", "x86_64"):
        reason = "on Windows TensorFlow exists for x86-64 processors only."
        return name + " runs on " + python.machine + "; " + reason
    if system.startswith("linux") and machine not in ("x86_64", "aarch64", "arm64"):
        reason = "TensorFlow exists for x86-64 and 64-bit ARM only."
        return name + " runs on " + python.machine + "; " + reason
    return None


def commands():
    """How a Python may be started on this computer, the likeliest first."""
    versions = ["3.%d" % minor for minor in range(NEWEST[1], OLDEST[1] - 1, -1)]
    if os.name == "nt":
        return [["py", "-" + version] for version in versions]
    folders = os.environ.get("PATH", "").split(os.pathsep)
    folders += ["/usr/local/bin", "/opt/homebrew/bin", "/usr/bin"]
    folders += sorted(
        glob.glob(os.path.join(os.path.expanduser("~"), ".pyenv", "versions", "*", "bin"))
    )
    names = ["python" + version for version in versions] + ["python3"]
    return [[os.path.join(folder, name)] for name in names for folder in folders]


def others(here):
    """The other Pythons that answer, each once, newest first."""
    pythons = {}
    for python in map(ask, commands()):
        if python is not None and python.path != here.path:
            pythons.setdefault(python._replace(path=None), python)
    return sorted(pythons.values(), key=lambda python: python.version, reverse=True)


def quoted(word):
    """A word as one types it in a terminal."""
    return '"' + word + '"' if " " in word else word


def command_for(python, arguments):
    """What to type to start the course with `python`."""
    command = ["start.py"] + list(arguments or ["lab"])
    if os.name == "nt":
        return "py -%d.%d " % python.version[:2] + " ".join(quoted(word) for word in command)
    return " ".join(quoted(word) for word in [python.path] + command)


def how_to_install(system=sys.platform):
    """One line on how a Python that fits is installed on this system."""
    if system.startswith("win"):
        return (
            "Install Python 3.12 (64-bit): type   winget install Python.Python.3.12   and open a "
            "new terminal."
        )
    if system == "darwin":
        return (
            "Install Python 3.12: type   brew install python@3.12   or use the installer of the "
            "Python website."
        )
    return (
        "Install Python 3.11, 3.12 or 3.13, for example   sudo apt install python3 python3-venv   "
        "(Debian 12, Ubuntu 24.04)   or   sudo dnf install python3.12   (Fedora)."
    )


def advice(here, trouble, elsewhere, arguments):
    """The whole message for someone who started the course with a Python that cannot run it."""
    lines = [trouble, "(The course was started with %s.)" % here.path, ""]
    good = [python for python in elsewhere if why_not(python) is None]
    if good:
        lines.append("On this computer these would do:")
        lines += ["    %s   %s" % (numbers(python), python.path) for python in good]
        lines += ["", "Start again with:", "    " + command_for(good[0], arguments)]
        return "\n".join(lines)
    if elsewhere:
        versions = ", ".join(numbers(python) for python in elsewhere)
        lines.append("Also found, but no help: " + versions + ".")
    else:
        lines.append("No other Python was found on this computer.")
    lines.append(how_to_install())
    return "\n".join(lines)


if __name__ == "__main__":
    print(json.dumps(this_python()))
