"""nbgrader's settings: `solutions/` is the source, `exercises/` the release, everything else lies in the ignored `.course/`."""

import os
import sys
from pathlib import Path

# nbgrader starts `alembic` by name; it lies beside this Python even where the environment is not activated.
os.environ["PATH"] = str(Path(sys.executable).parent) + os.pathsep + os.environ.get("PATH", "")

root = Path(__file__).resolve().parent if "__file__" in globals() else Path.cwd()
work = root / ".course"
work.mkdir(exist_ok=True)

c = get_config()  # noqa: F821, nbgrader provides it

c.CourseDirectory.course_id = "rlcourse"
c.CourseDirectory.root = str(root)
c.CourseDirectory.source_directory = "solutions"
c.CourseDirectory.release_directory = "exercises"
c.CourseDirectory.submitted_directory = str(Path(".course") / "submitted")
c.CourseDirectory.autograded_directory = str(Path(".course") / "autograded")
c.CourseDirectory.feedback_directory = str(Path(".course") / "feedback")
c.CourseDirectory.solution_directory = str(Path(".course") / "solution")
c.CourseDirectory.db_url = "sqlite:///" + (work / "gradebook.db").as_posix()

c.ClearSolutions.code_stub = {"python": "# YOUR CODE HERE\nraise NotImplementedError()"}
c.ClearSolutions.text_stub = "*Your answer here.*"
c.Execute.timeout = 120
c.ExecutePreprocessor.timeout = 120
