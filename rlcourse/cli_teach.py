"""What the instructor's commands share: options, the class's folder, and the proof that hand-ins
are isolated on this machine.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from rlcourse.cli_arguments import writable_folder
from rlcourse.cli_output import output
from rlcourse.cli_stop import ctrl_c

if TYPE_CHECKING:
    from rlcourse.grading.launch import Launcher
    from rlcourse.grading.sources import Course

TEACH = "Teach a class"
TRUST = "I-trust-every-hand-in"


def _trusted(phrase: str) -> str:
    """The callback of `--without-a-box`. Raises BadParameter for another phrase than that."""
    if phrase not in ("", TRUST):
        raise typer.BadParameter(
            f"to run hand-ins unprotected, with all your rights, write --without-a-box {TRUST}"
        )
    return phrase


RosterFile = Annotated[
    Path | None,
    typer.Option(
        help="The class as CSV: Moodle's grading worksheet, Canvas's export, or id and name."
    ),
]
OwnCourse = Annotated[Path | None, typer.Option(help="An instructor's own folder with solutions/.")]
SheetVariant = Annotated[
    int, typer.Option(min=0, help="Which variant of the sheet; 0 is the sheet as it is.")
]
WithoutABox = Annotated[
    str,
    typer.Option(help=f"{TRUST}: run them with your own rights, unprotected.", callback=_trusted),
]


def sources_of(course: Path | None, sheets: list[str], variant: int) -> tuple["Course", list[str]]:
    """The course and its sheets, or that of the variant of one sheet and the number there.

    Which tasks a variant changes is said. Raises BadCourse, BadParameter.
    """
    from rlcourse.grading.sources import open_course
    from rlcourse.grading.variants import differing, open_variant

    sources = open_course(course)
    if not variant:
        return sources, sheets
    if len(sheets) != 1:
        raise typer.BadParameter("--variant goes with one sheet, such as release 02 --variant 1")
    [sheet] = sheets
    sources.require(sheet)
    written, number = open_variant(sources, sheet, variant)
    tasks = list(differing(sources, sheet, variant))
    what = f"Variant {variant} of sheet {sheet} is sheet {number}"
    output.say(f"{what}. Tasks that differ: {', '.join(tasks)}", variant=number, tasks=tasks)
    return written, [number]


def class_folder(out: Path | None, course: Path | None, inside: str = "") -> Path:
    """`out`, or else .course/`inside` in the course's folder, which is known to be writable.

    Raises BadCourse, BadParameter.
    """
    from rlcourse.grading.sources import open_course, outside_repository

    return outside_repository(
        writable_folder(out or open_course(course).folder / ".course" / inside)
    )


def isolated(quiet: bool = False) -> bool:
    """Prove that hand-ins are isolated here; print what was tried, or only what failed."""
    from rlcourse.grading.box import check_isolation

    findings = check_isolation()
    for finding in findings:
        if not finding.ok or not quiet:
            mark = "ok    " if finding.ok else "FAILED"
            output.say(f"{mark}  {finding.name}: {finding.detail}", **finding._asdict())
            if not finding.ok and finding.remedy != finding.detail:
                output.say(f"        {finding.remedy}")
    safe = all(finding.ok for finding in findings)
    if not quiet:
        output.say(
            "Hand-ins are isolated on this machine."
            if safe
            else "Hand-ins are NOT isolated on this machine; rlcourse grade will not run them.",
            isolated=safe,
        )
    return safe


def require_isolation(without_a_box: str) -> None:
    """Raises BadCourse where hand-ins are not isolated, unless the instructor trusts them all."""
    from rlcourse.grading.sources import BadCourse

    if not without_a_box and not isolated(quiet=True):
        raise BadCourse(
            "hand-ins cannot be isolated on this machine, so nothing was run; see the lines above"
        )


@contextmanager
def refused_where_unprotected() -> Iterator[None]:
    """Raises BadCourse where the block finds that no box can be made."""
    from rlcourse.grading.box import Unprotected
    from rlcourse.grading.sources import BadCourse

    try:
        yield
    except Unprotected as error:
        raise BadCourse(f"hand-ins cannot be isolated, so nothing was run: {error}") from None


@contextmanager
def launcher(
    sources: "Course", number: str, *, boxed: bool, hidden: tuple[Path, ...]
) -> "Iterator[Launcher]":
    """How the hand-ins of a sheet are started: boxed, or after a warning on stderr.

    hidden: what their processes must not see.
    """
    if not boxed:
        from rlcourse.grading import launch_plain

        typer.echo(
            "UNPROTECTED: every hand-in runs with your rights. "
            "It can read, change and delete what you can.",
            err=True,
        )
        yield launch_plain
        return
    from rlcourse.grading.box import BoxLauncher
    from rlcourse.grading.box_limits import USUAL, WITH_TENSORFLOW

    limits = WITH_TENSORFLOW if sources.needs_tensorflow(number) else USUAL
    own = (sources.folder,) if sources.own else ()
    secret = (*own, *(path.resolve() for path in hidden))
    with refused_where_unprotected():
        boxes = BoxLauncher(sources.sheet(number), limits=limits, hidden=secret)
    ctrl_c.on_leaving = boxes.close
    with boxes:
        yield boxes
