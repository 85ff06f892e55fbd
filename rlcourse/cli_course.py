"""The commands for a teacher's own course: its settings, and a page a lesson."""

from pathlib import Path
from typing import Annotated

import typer

from rlcourse.cli_arguments import writable_folder
from rlcourse.cli_output import AsJson, examples, output
from rlcourse.cli_teach import TEACH, OwnCourse, class_folder

app = typer.Typer()


@app.command("new-course", rich_help_panel=TEACH, epilog=examples("new-course"))
def new_course(course: OwnCourse = None, as_json: AsJson = False) -> None:
    """Write course.toml: which lessons, sheets and tasks your course has, and what they count."""
    from rlcourse.atomic import write_atomically
    from rlcourse.checks.course import FILE, BadSettings, template
    from rlcourse.grading.sources import open_course

    sources = open_course(course)
    path = sources.folder / FILE
    if path.exists():
        raise BadSettings(f"{path} is there already; it was not changed")
    sheets = [sources.sheet(number) for number in sources.numbers()]
    write_atomically(path, template(sources.folder, sheets).encode())
    output.say(f"{path}: every default stands in it as a comment", file=path)
    own = f" --course {course}" if course else ""
    output.say(f"Next: change it, then rlcourse release{own}; students get what it says")


@app.command("lesson-pages", rich_help_panel=TEACH, epilog=examples("lesson-pages"))
def lesson_pages(
    out: Annotated[
        Path | None,
        typer.Option(
            help="The class's folder; default .course in the course's folder.",
            callback=writable_folder,
        ),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Write a page a lesson for you: what to show, usual misconceptions, what to cut."""
    from rlcourse.grading.lesson_pages import write_lesson_pages
    from rlcourse.grading.sources import open_course

    pages = write_lesson_pages(open_course(None), class_folder(out, None))
    output.say(f"{len(pages)} pages; begin with {pages[0]}", pages=pages)
