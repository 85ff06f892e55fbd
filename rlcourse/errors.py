"""What the course's own errors have in common: in a notebook each takes a few lines.

The frames of the course's code tell a student nothing. The line of their own that led there does.
"""

import traceback
from types import TracebackType


def students_line(error: BaseException) -> str:
    """The student's own line that led to an error, such as "line 7: v = q[9]"; "" where none did.

    The innermost counts. Its text is missing where the interpreter does not have it.
    """
    frames = traceback.extract_tb(error.__traceback__)
    own = [frame for frame in frames if _is_students(frame.filename)]
    if not own:
        return ""
    # What the standard library writes itself, such as the methods of a dataclass, has no text.
    innermost = next((frame for frame in reversed(own) if frame.line), own[-1])
    number = f"line {innermost.lineno}"
    return f"{number}: {innermost.line}" if innermost.line else number


def from_students_line(error: BaseException) -> TracebackType | None:
    """The traceback of an error without the course's frames above the student's first line; all of
    it where there is no such line.
    """
    frames = error.__traceback__
    while frames is not None and not _is_students(frames.tb_frame.f_code.co_filename):
        frames = frames.tb_next
    return frames or error.__traceback__


def _is_students(filename: str) -> bool:
    """Whether a frame is the student's: a cell of a notebook, in the kernel or the worker."""
    return (filename.startswith("<") and "frozen" not in filename) or "ipykernel" in filename


class CourseError(Exception):
    """An error whose message says what was wrong and what to do: in a notebook it stands alone,
    below the student's own line.
    """

    def _render_traceback_(self) -> list[str]:
        """IPython asks for it in the place of the traceback."""
        line, message = students_line(self), f"{type(self).__name__}: {self}"
        return [line[0].upper() + line[1:], message] if line else [message]


class BadValue(CourseError, ValueError):
    """A number, shape or name that lies outside what a function takes."""


class BadType(CourseError, TypeError):
    """Something of another kind than a function takes."""


class BadOrder(CourseError, RuntimeError):
    """A method called before the one that must come first."""
