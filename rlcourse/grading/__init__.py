"""Grading hand-ins: `grade_submission(get_sheet("02"), notebook_bytes, seed=1)`.

The handed-in code runs in another process (`worker`); what comes back over a pipe is plain data and
is judged here. Expected values never enter that process. Which process it is, and how it is
confined, is one argument: the launcher (`launch`).
"""

from rlcourse.grading.grade import (
    Report,
    Status,
    grade_file,
    grade_seeds,
    grade_submission,
)
from rlcourse.grading.launch import Launcher, launch_plain
from rlcourse.grading.session import Patience
from rlcourse.grading.submission import Submission, read_submission
from rlcourse.notebook import BadSubmission

__all__ = [
    "BadSubmission",
    "Launcher",
    "Patience",
    "Report",
    "Status",
    "Submission",
    "grade_file",
    "grade_seeds",
    "grade_submission",
    "launch_plain",
    "read_submission",
]
