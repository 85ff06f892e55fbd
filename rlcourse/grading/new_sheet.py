"""A sheet of an instructor's own: a copy of the folder `template/solutions/51`, which works as it
is, to be changed.
"""

import tempfile
from pathlib import Path

from rlcourse.grading.launch import PACKAGE
from rlcourse.grading.sources import BadCourse, Course

TEMPLATE = Course(Path(__file__).with_name("template"), own=True)
NUMBER, TITLE = "51", "Your title"  # of the template; both stand in it for nothing else


def make_sheet(number: str, folder: Path, title: str) -> list[Path]:
    """Write the sheet, whole or not at all, into `folder`/solutions. Returns its files.

    number: two digits that the course does not use. title: one line. Raises BadCourse.
    """
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
    place.parent.mkdir(parents=True, exist_ok=True)
    # Written elsewhere and moved whole: half a sheet would take the number.
    with tempfile.TemporaryDirectory(dir=folder, prefix=".") as unfinished:
        whole = Path(unfinished, number)
        whole.mkdir()
        for path in TEMPLATE.files(NUMBER):
            text = path.read_text(encoding="utf-8").replace(NUMBER, number).replace(TITLE, title)
            (whole / path.name.replace(NUMBER, number)).write_text(text, encoding="utf-8")
        whole.rename(place)
    return [place / path.name.replace(NUMBER, number) for path in TEMPLATE.files(NUMBER)]
