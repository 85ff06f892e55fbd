"""Our feedback pages on the way back, through nbgrader's exchange.

nbgrader hands out `feedback/STUDENT/SHEET/NOTEBOOK.html` under a name that only the hand-in's
student knows. It does not ask who wrote that page, so ours takes the place of its own.
"""

import subprocess
import sys

from rlcourse.atomic import write_atomically
from rlcourse.grading.desk import Desk
from rlcourse.grading.sources import BadCourse
from rlcourse.nbgrader_settings import SECRET, STAMP


def give_back(desk: Desk) -> int:
    """Release the page of everyone whose hand-in is in the gradebook. Returns how many.

    Raises BadCourse with what nbgrader says, such as that there is no exchange.
    """
    number, pages = desk.sheet.number, 0
    name = desk.course.source(number).stem
    for page in sorted((desk.folder / "feedback").glob("*.html")):
        graded = desk.out / "autograded" / page.stem / number
        if not all((graded / stamp).exists() for stamp in (STAMP, SECRET)):
            continue
        folder = desk.out / "feedback" / page.stem / number
        write_atomically(folder / f"{name}.html", page.read_bytes(), private=True)
        for stamp in (STAMP, SECRET):
            write_atomically(folder / stamp, (graded / stamp).read_bytes(), private=True)
        pages += 1
    command = [sys.executable, "-m", "nbgrader", "release_feedback", number]
    done = subprocess.run(command, cwd=desk.out, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        lines = [line for line in done.stderr.splitlines() if "ERROR" in line]
        raise BadCourse(f"the feedback could not be given back: {' '.join(lines[-1:])[:300]}")
    return pages
