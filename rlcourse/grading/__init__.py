"""Grading hand-ins: `grade_file(get_sheet("02"), content, seed=1)`. What stands where:

- whose a file is: `archive` (folders, zips) -> `pieces` -> `intake`, by `class_list`,
  `roster` and `receipt`
- what is in a file: `reading` (a process of its own) calls `submission` (code), `handed` (the rest)
- the hand-in's process, which never gets an expected value: `launch`, confined by `box*`; `worker`
  runs in it; `session` asks it over a `channel`, timed by `meter`
- the verdict on a file: `grade`; what may be lacking on this machine alone: `unsettled`
- which file of a student counts, what lateness costs, extensions: `policy`
- a whole class: `classroom` (side by side, records, kills) -> `whole_class` (a row per student)
- what comes out: `desk` (regrade) -> `gradebook` (nbgrader), `tables`, `report`, `feedback`
- a class's players: `tournament`, each one a `contender`, with `box_player` in its box
- sheets: `sources`, `release` (the students' zip), `new_sheet`, `variants`, `visible`, `answers`
"""

from rlcourse.grading.grade import (
    Report,
    Status,
    grade_file,
    grade_seeds,
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
    "launch_plain",
    "read_submission",
]
