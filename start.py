"""The one command of the course: python start.py lab | play | site | rlcourse | test | style |
check | update | reset NAME.

This file and launcher/interpreters.py are written so that any Python from 2.7 on can read
them: a student with the wrong Python gets a sentence that helps, not a syntax error.
Everything else needs Python 3.11.
"""

from __future__ import print_function

import os
import subprocess
import sys

from launcher import interpreters

ROOT = os.path.dirname(os.path.abspath(__file__))


def finished_environment():
    """Path of the Python in a finished .venv, or None. Such a course
    starts with any Python at all.
    """
    folder = os.path.join(ROOT, ".venv")
    inside = (
        os.path.join("Scripts", "python.exe") if os.name == "nt" else os.path.join("bin", "python")
    )
    python = os.path.join(folder, inside)
    if os.path.exists(os.path.join(folder, "course-ready.json")) and os.path.exists(python):
        return python
    return None


def main(arguments):
    """Check the Python that runs this, then hand over. Returns the exit code."""
    here = interpreters.this_python()
    trouble = interpreters.why_not(here)
    if trouble is None:
        from launcher.main import main as run

        return run(arguments)
    python = finished_environment()
    if python is not None:
        command = [python, os.path.join(ROOT, "start.py")] + arguments
        return interpreters.wait(subprocess.Popen(command))[0]
    print(interpreters.advice(here, trouble, interpreters.others(here), arguments))
    return 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
