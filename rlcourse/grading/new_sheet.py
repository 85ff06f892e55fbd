"""A sheet of an instructor's own: a copy of the folder `template/solutions/51`, which works as it
is, to be changed.
"""

from pathlib import Path

from rlcourse.grading.launch import PACKAGE
from rlcourse.grading.sources import BadCourse, Course

TEMPLATE = Course(Path(__file__).with_name("template"), own=True)
NUMBER, TITLE = "51", "Your title"  # of the template; both stand in it for nothing else


def make_sheet(number: str, folder: Path, title: str) -> list[Path]:
    """Write the sheet; the files that were made. Raises BadCourse for a number that is taken."""
    taken = ("00", *Course(PACKAGE.parent).numbers())
    if len(number) != 2 or not number.isdecimal() or number in taken:
        raise BadCourse(
            "a sheet of your own has two digits that the course does not use, such as 51; "
            f"got {number!r}"
        )
    if not title.isprintable() or set(title) & set('"\\'):
        raise BadCourse("a title is one line without quotes and backslashes")
    place = Course(folder, own=True).place(number)
    if place.exists():
        raise BadCourse(f"{folder} has a sheet {number} already ({place}); nothing was changed")
    place.mkdir(parents=True)
    made = []
    for path in TEMPLATE.files(NUMBER):
        text = path.read_text(encoding="utf-8").replace(NUMBER, number).replace(TITLE, title)
        made.append(place / path.name.replace(NUMBER, number))
        made[-1].write_text(text, encoding="utf-8")
    return made
