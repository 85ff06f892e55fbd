"""Which Python runs this, is it one the course can use, and which others are on this computer.

Any Python from 2.7 on must be able to read this file: it is what explains a wrong one.
"""

from __future__ import print_function

import os
import subprocess
import sys
from collections import namedtuple

OLDEST, NEWEST = (3, 11), (3, 13)

# version: (3, 12, 1); bits: 32 or 64; kind: "cpython" and the like; threads: "free" for a build without the
# global lock, else "usual"; machine: "x86_64", "arm64", ...; path: the program itself.
Python = namedtuple("Python", "version bits kind threads machine path")

QUESTION = (
    "import sys, struct, platform, sysconfig;"
    "print('.'.join(str(n) for n in sys.version_info[:3]));"
    "print(8 * struct.calcsize('P'));"
    "print(platform.python_implementation().lower());"
    "print('free' if sysconfig.get_config_var('Py_GIL_DISABLED') else 'usual');"
    "print(platform.machine());"
    "print(sys.executable)"
)


def parse_answer(text):
    """The Python that printed `text` in answer to QUESTION, or None if the text is something else."""
    lines = text.strip().splitlines()
    if len(lines) != 6:
        return None
    try:
        version = tuple(int(part) for part in lines[0].split("."))
        return Python(version, int(lines[1]), lines[2], lines[3], lines[4], lines[5])
    except ValueError:
        return None


def ask(program):
    """Run `program` and ask which Python it is. None if it does not answer: a stub, a shim, a broken one."""
    try:
        process = subprocess.Popen(
            [program, "-c", QUESTION],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        out, _ = process.communicate()
    except OSError:
        return None
    return parse_answer(out.decode("utf-8", "replace")) if process.returncode == 0 else None


def this_python():
    """The Python that runs this file, without starting another process."""
    import platform
    import struct
    import sysconfig

    threads = "free" if sysconfig.get_config_var("Py_GIL_DISABLED") else "usual"
    kind = platform.python_implementation().lower()
    return Python(
        tuple(sys.version_info[:3]),
        8 * struct.calcsize("P"),
        kind,
        threads,
        platform.machine(),
        sys.executable,
    )


def numbers(python):
    """The version as text, such as "3.12.1"; a 32-bit one says so."""
    return ".".join(str(n) for n in python.version) + (" (32-bit)" if python.bits == 32 else "")


def why_not(python, system=sys.platform):
    """Why the course cannot use `python` (a sentence), or None if it can."""
    name = "Python " + ".".join(str(n) for n in python.version)
    machine = python.machine.lower()
    if python.version[:2] < OLDEST:
        return name + " is too old: the course needs Python 3.11, 3.12 or 3.13."
    if python.version[:2] > NEWEST:
        return (
            name
            + " is too new: TensorFlow is built for it later. The course needs Python 3.11, 3.12 or 3.13."
        )
    if python.bits != 64:
        return name + " is a 32-bit program; TensorFlow exists for 64-bit Python only."
    if python.kind != "cpython":
        return name + " is " + python.kind + "; the course needs the usual CPython."
    if python.threads == "free":
        return (
            name
            + " is the free-threaded build; the course needs the usual build of the same version."
        )
    if system == "darwin" and machine != "arm64":
        return (
            name + " is built for Intel Macs, for which TensorFlow is no longer made."
            " On a Mac with Apple silicon, install the arm64 (or universal) Python."
        )
    if system.startswith("win") and machine not in ("amd64", "x86_64"):
        return (
            name
            + " runs on "
            + python.machine
            + "; on Windows TensorFlow exists for x86-64 processors only."
        )
    if system.startswith("linux") and machine not in ("x86_64", "aarch64", "arm64"):
        return (
            name
            + " runs on "
            + python.machine
            + "; TensorFlow exists for x86-64 and 64-bit ARM only."
        )
    return None


def parse_py_launcher(text):
    """Paths in the output of Windows' `py -0p`: lines such as ' -V:3.12 *   C:\\Python312\\python.exe'."""
    paths = []
    for line in text.splitlines():
        start = line.find(":\\")
        if line.strip().startswith("-") and start > 0:
            paths.append(line[start - 1 :].strip())
    return paths


def programs_on_this_computer():
    """Paths that may be a Python, the likeliest first."""
    if os.name == "nt":
        try:
            process = subprocess.Popen(
                ["py", "-0p"], stdout=subprocess.PIPE, stderr=subprocess.STDOUT
            )
            return parse_py_launcher(process.communicate()[0].decode("utf-8", "replace"))
        except OSError:
            return []
    folders = os.environ.get("PATH", "").split(os.pathsep) + [
        "/usr/local/bin",
        "/opt/homebrew/bin",
        "/usr/bin",
    ]
    pyenv = os.path.join(os.path.expanduser("~"), ".pyenv", "versions")
    installed = sorted(os.listdir(pyenv)) if os.path.isdir(pyenv) else []
    folders += [os.path.join(pyenv, version, "bin") for version in installed]
    paths = []
    for name in ("python3.13", "python3.12", "python3.11", "python3"):
        for folder in folders:
            path = os.path.join(folder, name)
            if os.path.isfile(path) and os.access(path, os.X_OK) and path not in paths:
                paths.append(path)
    return paths


def others(here):
    """The other Pythons found, each once, newest first."""
    found = {}
    for path in programs_on_this_computer():
        python = ask(path)
        if python is not None and python.path != here.path:
            key = (python.version, python.bits, python.threads, python.machine)
            found.setdefault(key, python._replace(path=path))
    return sorted(found.values(), key=lambda python: python.version, reverse=True)


def quoted(word):
    """A word as one types it in a terminal."""
    return '"' + word + '"' if " " in word else word


def command_for(python, arguments):
    """What to type to start the course with `python`."""
    words = ["start.py"] + list(arguments or ["lab"])
    if os.name == "nt":
        return "py -%d.%d " % python.version[:2] + " ".join(quoted(word) for word in words)
    return " ".join(quoted(word) for word in [python.path] + words)


def how_to_install(system=sys.platform):
    """One line on how a Python that fits is installed on this system."""
    if system.startswith("win"):
        return "Install Python 3.12 (64-bit): type   winget install Python.Python.3.12   and open a new terminal."
    if system == "darwin":
        return "Install Python 3.12: type   brew install python@3.12   or use the installer of the Python website."
    return (
        "Install Python 3.11, 3.12 or 3.13, for example   sudo apt install python3 python3-venv   (Debian 12,"
        " Ubuntu 24.04)   or   sudo dnf install python3.12   (Fedora)."
    )


def advice(here, trouble, found, arguments):
    """The whole message for someone who started the course with a Python that cannot run it."""
    lines = [trouble, "(The course was started with %s.)" % here.path, ""]
    good = [python for python in found if why_not(python) is None]
    rest = [python for python in found if why_not(python) is not None]
    if good:
        lines.append("On this computer these would do:")
        lines += ["    %s   %s" % (numbers(python), python.path) for python in good]
        lines += ["", "Start again with:", "    " + command_for(good[0], arguments)]
    else:
        if rest:
            lines.append(
                "Also found, but no help: " + ", ".join(numbers(python) for python in rest) + "."
            )
        else:
            lines.append("No other Python was found on this computer.")
        lines.append(how_to_install())
    return "\n".join(lines)
