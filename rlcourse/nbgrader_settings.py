"""nbgrader's settings, for `nbgrader_config.py` at the course's root and for `rlcourse grade`."""

import os
import sys
from fnmatch import fnmatch
from pathlib import Path
from typing import Any

# Files of a sheet's folder that no student gets, and what an editor makes of them, such as
# hidden.py~. nbgrader hands out all others beside the notebook.
SECRET_FILES = ("hidden*", "oracle*", "answers*", "variants*", "README*", ".*", "#*")
# What nbgrader's exchange keeps beside each hand-in, where students cannot write: when it was
# collected, and by which name its feedback is fetched.
STAMP, SECRET = "timestamp.txt", "submission_secret.txt"
NO_FILES = (".ipynb_checkpoints", "__pycache__", "*.pyc", "feedback")  # nbgrader's own list


def settings(root: Path, out: Path, *, source: str, release: str) -> dict[str, dict[str, Any]]:
    """Class of nbgrader -> its settings.

    root: the folder that relative names start from. out: the folder in it, or root itself, for
    everything of a class. source, release: the instructor's and the students' sheets.
    """
    steps = ("submitted", "autograded", "feedback", "solution")
    return {
        "CourseDirectory": {
            "course_id": "rlcourse",
            "root": str(root),
            "source_directory": source,
            "release_directory": release,
            **{f"{step}_directory": str((out / step).relative_to(root)) for step in steps},
            "db_url": "sqlite:///" + (out / "gradebook.db").as_posix(),
            "ignore": [*NO_FILES, *SECRET_FILES],
        },
        "ClearSolutions": {
            "code_stub": {"python": "# YOUR CODE HERE\nraise NotImplementedError()"},
            "text_stub": "*Your answer here.*",
        },
        "Execute": {"timeout": 120, "iopub_timeout": 120},
    }


def is_secret(name: str) -> bool:
    """Whether a file of that name in a sheet's folder is for nobody but instructors."""
    return any(fnmatch(name, pattern) for pattern in SECRET_FILES)


def put_programs_on_the_path() -> None:
    """Put this Python's folder on the PATH, where nbgrader looks for `alembic`.

    The folder is missing there where the environment is not activated.
    """
    folder, path = str(Path(sys.executable).parent), os.environ.get("PATH", "")
    if folder not in path.split(os.pathsep):
        os.environ["PATH"] = folder + os.pathsep + path
