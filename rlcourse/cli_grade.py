"""`rlcourse grade`: a class's hand-ins in; gradebook, feedback and tables out."""

import shutil
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from rlcourse.cli_arguments import number_of_known_sheet, number_of_sheet, writable_folder
from rlcourse.cli_output import AsJson, examples, output
from rlcourse.cli_stop import ctrl_c
from rlcourse.cli_teach import (
    TEACH,
    OwnCourse,
    RosterFile,
    SheetVariant,
    WithoutABox,
    class_folder,
    isolated,
    launcher,
    require_isolation,
    sources_of,
)

if TYPE_CHECKING:
    from rlcourse.grading import Report
    from rlcourse.grading.classroom import Classroom
    from rlcourse.grading.desk import Desk
    from rlcourse.grading.intake import Intake
    from rlcourse.grading.policy import Policy
    from rlcourse.grading.roster import Roster
    from rlcourse.grading.whole_class import Round

app = typer.Typer()
MIB = 1024 * 1024
ROOM = 64 * MIB  # bytes of disk; 8 hand-ins of 110 kB and their pages took less than 3 MiB
SheetNumber = Annotated[
    str, typer.Argument(help="Number of the sheet, such as 2 or 02.", callback=number_of_sheet)
]
HandIns = Annotated[
    Path | None,
    typer.Option(help="Folder or zip with the hand-ins, also as Moodle or Canvas packs them."),
]
Results = Annotated[
    Path | None,
    typer.Option(
        help="Gradebook, feedback, reports; default .course in the course's folder.",
        callback=writable_folder,
    ),
]
Jobs = Annotated[
    int, typer.Option(min=1, max=64, help="Hand-ins that are graded at the same time.")
]
Seed = Annotated[
    str,
    typer.Option(
        help="Secret from which the hidden cases are drawn; "
        "default one made for this class and kept."
    ),
]
Deadline = Annotated[str, typer.Option(help="Such as 2026-11-20T23:59.")]
Late = Annotated[
    str, typer.Option(help="What lateness costs: 10%/day, '5%/hour up to 50%', refuse or free.")
]
Extensions = Annotated[Path | None, typer.Option(help="CSV with the columns student and until.")]
Attempts = Annotated[str, typer.Option(help="Which of several hand-ins counts: last or best.")]
DryRun = Annotated[
    bool, typer.Option("--dry-run", help="Grade and show what would change; change nothing.")
]
Yes = Annotated[
    bool, typer.Option("--yes", help="Do not ask before points that were given are changed.")
]
Check = Annotated[
    bool,
    typer.Option(
        "--check", help="Prove on this machine that hand-ins are isolated; grade nothing."
    ),
]
Codes = Annotated[
    bool,
    typer.Option(
        "--codes",
        help="Write a code for each student of the roster, for hand-in --code; grade nothing.",
    ),
]
GiveBack = Annotated[
    bool, typer.Option("--give-back", help="Release the feedback pages by nbgrader's exchange.")
]


@app.command(
    rich_help_panel=TEACH,
    epilog=examples(
        "grade --check",
        "grade 02 --submissions hand-ins.zip --roster class.csv",
        "grade 02 --submissions hand-ins --deadline 2026-11-20T23:59 --late 10%/day --dry-run",
    ),
)
def grade(
    sheet: SheetNumber = "",
    submissions: HandIns = None,
    roster: RosterFile = None,
    out: Results = None,
    course: OwnCourse = None,
    variant: SheetVariant = 0,
    jobs: Jobs = 2,
    seed: Seed = "",
    deadline: Deadline = "",
    late: Late = "",
    extensions: Extensions = None,
    attempts: Attempts = "last",
    dry_run: DryRun = False,
    yes: Yes = False,
    check: Check = False,
    codes: Codes = False,
    give_back: GiveBack = False,
    without_a_box: WithoutABox = "",
    as_json: AsJson = False,
) -> None:
    """Grade a class, each hand-in in a box: gradebook, feedback, tables for Moodle and Canvas."""
    from rlcourse.grading.class_list import read_extensions, read_roster
    from rlcourse.grading.classroom import lock
    from rlcourse.grading.desk import Desk
    from rlcourse.grading.policy import make_policy

    if check:
        raise typer.Exit(0 if isolated() else 1)
    if codes:
        _write_codes(roster, class_folder(out, course))
        return
    if not sheet or submissions is None:
        raise typer.BadParameter(
            "give the sheet and the hand-ins: rlcourse grade 02 --submissions DIR (or --check)"
        )
    sources, (number,) = sources_of(course, [sheet], variant)
    number = number_of_known_sheet(number)
    sources.require(number)
    out = out or (sources.folder if variant else None)
    desk = Desk(sources, sources.sheet(number), class_folder(out, course))
    require_isolation(without_a_box)
    _require_room(desk.out)
    known = read_roster(roster) if roster else None
    until = read_extensions(extensions, known) if extensions else None
    policy = make_policy(deadline=deadline, late=late, attempts=attempts, extensions=until)
    session = _Grading(desk, submissions, known, policy, seed, jobs, boxed=not without_a_box)
    ctrl_c.sentence = (
        "what is graded so far is remembered, nothing was published, "
        "and the same command goes on from there"
    )
    with lock(desk.out):
        done = session.grade()
        if _may_publish(desk, done, dry_run=dry_run, yes=yes):
            _report(desk, desk.publish(done))
            if give_back:
                pages = desk.give_back()
                output.say(f"{pages} feedback pages are in the exchange", given_back=pages)


def _require_room(out: Path) -> None:
    """Refuse to begin where hand-ins, gradebook and pages of a class may not fit.

    Raises BadParameter.
    """
    place = next(folder for folder in (out, *out.absolute().parents) if folder.exists())
    free = shutil.disk_usage(place).free
    if free < ROOM:
        raise typer.BadParameter(
            f"{free // MIB} MiB are free in {place}, and a class may need {ROOM // MIB}: "
            "make room, or choose another place with --out"
        )


@dataclass(frozen=True)
class _Grading:
    """What one call of `rlcourse grade` asks for. seed "": the class's own secret."""

    desk: "Desk"
    submissions: Path
    roster: "Roster | None"
    policy: "Policy"
    seed: str
    jobs: int
    boxed: bool

    def grade(self) -> "Round":
        """Take the hand-ins in and grade them; nothing is published yet."""
        from rlcourse.grading.classroom import Classroom, secret_in, seed_of
        from rlcourse.grading.intake import take_in

        desk, number, secret = self.desk, self.desk.sheet.number, secret_in(self.desk.out)
        hidden = (desk.out, self.submissions)
        with launcher(desk.course, number, boxed=self.boxed, hidden=hidden) as start:
            way = "box" if self.boxed else "plain"
            seed = seed_of(self.seed or secret)
            classroom = Classroom(desk.sheet, desk.folder, seed, start, way)
            intake = take_in(
                self.submissions, self.roster, classroom.store, number=number, secret=secret
            )
            return _graded(classroom, intake, self.policy, self.jobs)


def _write_codes(roster: Path | None, out: Path) -> None:
    from rlcourse.grading.class_list import read_roster
    from rlcourse.grading.classroom import write_codes

    if roster is None:
        raise typer.BadParameter("--codes needs the --roster")
    path = write_codes(out, read_roster(roster).students)
    output.say(f"{path}: give each student their own line, and nobody the file", file=path)


def _graded(classroom: "Classroom", intake: "Intake", policy: "Policy", jobs: int) -> "Round":
    """The round of this class, with a bar that counts files."""
    from tqdm.auto import tqdm

    from rlcourse.grading.whole_class import grade_round

    attempts = (attempt for each in intake.attempts.values() for attempt in each)
    files = len({attempt.digest for attempt in attempts if attempt.digest})
    output.say(
        f"Sheet {classroom.sheet.number}: {len(intake.roster.students)} students, "
        f"{files} different files, {len(intake.unmatched)} nobody's",
        sheet=classroom.sheet.number,
        students=len(intake.roster.students),
        files=files,
        unmatched=len(intake.unmatched),
    )
    counts: Counter[str] = Counter()
    with tqdm(total=files, unit="file") as bar:

        def progress(record: "Report") -> None:
            """One more file is done."""
            counts[str(record.status)] += 1
            bar.set_postfix_str(", ".join(f"{count} {status}" for status, count in counts.items()))
            bar.update()

        return grade_round(classroom, intake, policy, jobs=jobs, progress=progress)


def _may_publish(desk: "Desk", done: "Round", *, dry_run: bool, yes: bool) -> bool:
    """Show what changes; whether it may."""
    changes = desk.changes(done)
    for change in changes:
        output.say(f"  {change}", change=change)
    if dry_run:
        count = len(changes)
        output.say(f"{count} students' points would change; nothing was changed (--dry-run)")
        return False
    if not changes or yes:
        return True
    question = f"Change what {len(changes)} students were given?"
    if typer.confirm(question, default=False, err=output.as_json):
        return True
    output.say("Nothing was changed.")
    return False


def _report(desk: "Desk", done: "Round") -> None:
    """Write the reports, and say what is in them."""
    from rlcourse.grading.report import write_reports

    report = write_reports(desk.folder, done)
    for place, reason in done.unmatched:
        output.say(f"  nobody's: {place} ({reason})", unmatched=place, reason=reason)
    graded = sum(row.graded for row in done.rows)
    refused = sum(bool(row.attempt) and not row.graded for row in done.rows)
    waiting = sum(bool(row.marks and row.marks.waiting) for row in done.rows)
    tables = [report.with_name(f"{name}.csv") for name in ("moodle", "canvas", "scores")]
    output.say(
        f"{graded} graded, {refused} not gradable; see {report}",
        graded=graded,
        refused=refused,
        waiting=waiting,
        report=report,
        tables=tables,
    )
    output.say(f"Tables: {', '.join(map(str, tables))}")
    if waiting:
        book = desk.out if (desk.out / "nbgrader_config.py").exists() else desk.out.parent
        output.say(f"{waiting} wait for marks by hand: formgrader in {book}; then run this again")
