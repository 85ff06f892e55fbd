"""A page a lesson for the teacher: what to show, what people say, the sheet's usual mistakes with
the counts of a class that was graded, and what to cut when there are 45 minutes.

The words stand in `solutions/lessons.toml`, written by people who read the lessons; the rest is
read from lessons, sheets and the class's own results.
"""

import re
import tomllib
from collections import Counter
from pathlib import Path

from rlcourse.atomic import write_atomically
from rlcourse.checks.course import lesson_numbers
from rlcourse.grading.moved import from_earlier_run
from rlcourse.grading.pages import page
from rlcourse.grading.sources import BadCourse, Course
from rlcourse.notebook import Notebook

NOTES = "lessons.toml"
MOST_COUNTED = 4  # mistakes of a class that are listed beside those of the file


def write_lesson_pages(course: Course, out: Path) -> list[Path]:
    """A page of every lesson of the course, in its order, in `out/lessons`. Raises BadCourse.

    out: the class's folder, where its results are looked for.
    """
    path = course.folder / "solutions" / NOTES
    if not path.is_file():
        raise BadCourse(f"{path} is not there: pages are made of the course's own lessons")
    notes = tomllib.loads(path.read_text(encoding="utf-8"))
    numbers = course.settings.lessons if course.settings else lesson_numbers(course.folder)
    if not numbers:
        raise BadCourse("the course has no lessons, so there are no pages")
    if missing := [number for number in numbers if number not in notes]:
        raise BadCourse(f"{path} says nothing of lesson {missing[0]}: write a table [{missing[0]}]")
    made = []
    for k, number in enumerate(numbers):
        (notebook,) = (course.folder / "notebooks").glob(f"{number}_*.ipynb")
        text = page(
            "lesson.html",
            number=number,
            **_of_notebook(notebook),
            notes=notes[number],
            mistakes=_mistakes(course, number, notes[number].get("mistakes", []), out),
            after=numbers[k + 1] if k + 1 < len(numbers) else "",
        )
        made.append(out / "lessons" / f"{number}.html")
        write_atomically(made[-1], text)
    return made


def _of_notebook(path: Path) -> dict[str, str]:
    """Title and time of a lesson, as its first cells state them."""
    cells = [cell.source for cell in Notebook.of(path.read_bytes()).cells()]
    time = re.search(r"\*\*Time\*\* \| (.+?) \|", "\n".join(cells))
    title = cells[0].partition("\n")[0].removeprefix("# ")
    return {"title": title, "time": time[1] if time else ""}


def _mistakes(
    course: Course, lesson: str, listed: list[str], out: Path
) -> list[tuple[str, str, int]]:
    """(task, what is told, students of this class): those that the class made most, then those of
    the file that it did not make.
    """
    number = lesson[:2]
    if number not in course.used() or not listed:
        return []
    sheet = course.sheet(number)
    tasks = {task.name: task for task in sheet.tasks}
    counts = _counts(out, number)
    names = [tuple(entry.split(".")) for entry in listed]
    made = [
        (task, mistake)
        for (task, mistake), _ in counts.most_common()
        if task in tasks and mistake in tasks[task].mistakes
    ]
    return [
        (task, tasks[task].message(mistake), counts[task, mistake])
        for task, mistake in dict.fromkeys([*made[:MOST_COUNTED], *names])
        if task in tasks
    ]


def _counts(out: Path, number: str) -> Counter[tuple[str, str]]:
    """(task, its outcome) -> students of the class, where the sheet was graded."""
    entries = from_earlier_run(out / "class" / number, "given").values()
    return Counter(pair for entry in entries for pair in entry.get("outcomes", {}).items())
