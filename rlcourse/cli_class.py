"""The instructor's commands: `rlcourse grade | tournament | release | new-sheet`."""

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from rlcourse.cli_arguments import (
    number_of_known_sheet,
    number_of_sheet,
    writable_file,
    writable_folder,
)
from rlcourse.cli_output import AsJson, examples, output
from rlcourse.cli_stop import ctrl_c

if TYPE_CHECKING:
    from rlcourse.grading.classroom import Classroom
    from rlcourse.grading.desk import Desk
    from rlcourse.grading.intake import Intake
    from rlcourse.grading.policy import Policy
    from rlcourse.grading.tournament import Tournament
    from rlcourse.grading.whole_class import Round

app = typer.Typer()
TEACH = "Teach a class"
TRUST = "I-trust-every-hand-in"


def _trusted(phrase: str) -> str:
    """The callback of `--without-a-box`. Raises BadParameter for another phrase than that."""
    if phrase not in ("", TRUST):
        raise typer.BadParameter(
            f"to run hand-ins unprotected, with all your rights, write --without-a-box {TRUST}"
        )
    return phrase


_Roster = Annotated[
    Path | None,
    typer.Option(
        help="The class as CSV: Moodle's grading worksheet, Canvas's export, or id and name."
    ),
]
_Course = Annotated[Path | None, typer.Option(help="An instructor's own folder with solutions/.")]
_WithoutABox = Annotated[
    str,
    typer.Option(help=f"{TRUST}: run them with your own rights, unprotected.", callback=_trusted),
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
    sheet: Annotated[
        str, typer.Argument(help="Number of the sheet, such as 2 or 02.", callback=number_of_sheet)
    ] = "",
    submissions: Annotated[
        Path | None,
        typer.Option(help="Folder or zip with the hand-ins, also as Moodle or Canvas packs them."),
    ] = None,
    roster: _Roster = None,
    out: Annotated[
        Path | None,
        typer.Option(
            help="Gradebook, feedback, reports; default .course in the course's folder.",
            callback=writable_folder,
        ),
    ] = None,
    course: _Course = None,
    jobs: Annotated[
        int, typer.Option(min=1, max=64, help="Hand-ins that are graded at the same time.")
    ] = 2,
    seed: Annotated[
        str,
        typer.Option(
            help="Secret from which the hidden cases are drawn; "
            "default one made for this class and kept."
        ),
    ] = "",
    deadline: Annotated[str, typer.Option(help="Such as 2026-11-20T23:59.")] = "",
    late: Annotated[
        str, typer.Option(help="What lateness costs: 10%/day, '5%/hour up to 50%', refuse or free.")
    ] = "",
    extensions: Annotated[
        Path | None, typer.Option(help="CSV with the columns student and until.")
    ] = None,
    attempts: Annotated[
        str, typer.Option(help="Which of several hand-ins counts: last or best.")
    ] = "last",
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Grade and show what would change; change nothing.")
    ] = False,
    yes: Annotated[
        bool, typer.Option("--yes", help="Do not ask before points that were given are changed.")
    ] = False,
    check: Annotated[
        bool,
        typer.Option(
            "--check", help="Prove on this machine that hand-ins are isolated; grade nothing."
        ),
    ] = False,
    codes: Annotated[
        bool,
        typer.Option(
            "--codes",
            help="Write a code for each student of the roster, for hand-in --code; grade nothing.",
        ),
    ] = False,
    give_back: Annotated[
        bool,
        typer.Option("--give-back", help="Release the feedback pages by nbgrader's exchange."),
    ] = False,
    without_a_box: _WithoutABox = "",
    as_json: AsJson = False,
) -> None:
    """Grade a class, each hand-in in a box: gradebook, feedback, tables for Moodle and Canvas."""
    from rlcourse.grading.sources import open_course

    if check:
        raise typer.Exit(0 if _isolated() else 1)
    if codes:
        _write_codes(roster, _class_folder(out, course))
        return
    if not sheet or submissions is None:
        raise typer.BadParameter(
            "give the sheet and the hand-ins: rlcourse grade 02 --submissions DIR (or --check)"
        )
    sources = open_course(course)
    sheet = number_of_known_sheet(sheet)
    book = _class_folder(out, course)
    _require_isolation(without_a_box)
    from rlcourse.grading.classroom import Classroom, lock, secret_in, seed_of
    from rlcourse.grading.desk import Desk
    from rlcourse.grading.intake import take_in
    from rlcourse.grading.policy import make_policy
    from rlcourse.grading.roster import read_extensions, read_roster

    ctrl_c.sentence = (
        "what is graded so far is remembered, nothing was published, "
        "and the same command goes on from there"
    )
    boxed, desk = not without_a_box, Desk(sources, sources.sheet(sheet), book)
    with lock(book):
        known = read_roster(roster) if roster else None
        until = read_extensions(extensions, known) if extensions else None
        policy = make_policy(deadline=deadline, late=late, attempts=attempts, extensions=until)
        secret = secret_in(book)
        with _launcher(sources, sheet, boxed, (book, submissions)) as launcher:
            way = "box" if boxed else "plain"
            classroom = Classroom(desk.sheet, desk.folder, seed_of(seed or secret), launcher, way)
            intake = take_in(submissions, known, classroom.store, number=sheet, secret=secret)
            done = _graded(classroom, intake, policy, jobs)
        if _may_publish(desk, done, dry_run=dry_run, yes=yes):
            _report(desk, desk.publish(done))
            if give_back:
                _give_back(desk)


def _give_back(desk: "Desk") -> None:
    from rlcourse.grading.give_back import give_back

    pages = give_back(desk)
    output.say(f"{pages} feedback pages are in the exchange", given_back=pages)


def _class_folder(out: Path | None, course: Path | None, inside: str = "") -> Path:
    """`out`, or else .course/`inside` in the course's folder, which is known to be writable.

    Raises BadCourse, BadParameter.
    """
    from rlcourse.grading.sources import open_course, outside_repository

    return outside_repository(
        writable_folder(out or open_course(course).folder / ".course" / inside)
    )


def _write_codes(roster: Path | None, out: Path) -> None:
    from rlcourse.grading.classroom import write_codes
    from rlcourse.grading.roster import read_roster

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

        def progress(record: Any) -> None:
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


def _isolated(quiet: bool = False) -> bool:
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


def _require_isolation(without_a_box: str) -> None:
    """Raises BadCourse where hand-ins are not isolated, unless the instructor trusts them all."""
    from rlcourse.grading.sources import BadCourse

    if not without_a_box and not _isolated(quiet=True):
        raise BadCourse(
            "hand-ins cannot be isolated on this machine, so nothing was run; see the lines above"
        )


@contextmanager
def _refused_where_unprotected() -> Iterator[None]:
    """Raises BadCourse where the block finds that no box can be made."""
    from rlcourse.grading.box import Unprotected
    from rlcourse.grading.sources import BadCourse

    try:
        yield
    except Unprotected as error:
        raise BadCourse(f"hand-ins cannot be isolated, so nothing was run: {error}") from None


@contextmanager
def _launcher(sources: Any, number: str, boxed: bool, hidden: tuple[Path, ...]) -> Iterator[Any]:
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

    needs = sources.needs_tensorflow(number)
    own = (sources.folder,) if sources.own else ()
    secret = (*own, *(path.resolve() for path in hidden))
    with _refused_where_unprotected():
        launcher = BoxLauncher(sources.sheet(number), tensorflow=needs, hidden=secret)
    ctrl_c.on_leaving = launcher.close
    with launcher:
        yield launcher


@app.command(
    rich_help_panel=TEACH,
    epilog=examples(
        "tournament --game tic-tac-toe",
        "tournament --submissions hand-ins --roster class.csv",
    ),
)
def tournament(
    submissions: Annotated[
        Path | None,
        typer.Option(
            help="Folder or zip of hand-ins: notebooks, .py or agents' .h5; none: the bots alone."
        ),
    ] = None,
    game: Annotated[
        str, typer.Option(help="Any without dice, such as connect-four or go.")
    ] = "connect-four",
    games: Annotated[
        int,
        typer.Option(min=2, help="Of every two players, an even number: both get each opening."),
    ] = 4,
    jobs: Annotated[
        int, typer.Option(min=1, max=64, help="Players that think at the same time.")
    ] = 4,
    seconds: Annotated[float, typer.Option(help="For a move, on average.")] = 0.02,
    out: Annotated[
        Path | None,
        typer.Option(
            help="Ladder, matches and games; default .course/tournament-GAME.",
            callback=writable_folder,
        ),
    ] = None,
    roster: _Roster = None,
    size: Annotated[int, typer.Option(help="Points along a side of the board of Go.")] = 5,
    seed: Annotated[int, typer.Option(help="Same seed, same openings.")] = 0,
    without_a_box: _WithoutABox = "",
    as_json: AsJson = False,
) -> None:
    """Let a class's players and the course's bots play each other, and print the ladder."""
    from tqdm.auto import tqdm

    from rlcourse.games import get_game
    from rlcourse.grading.classroom import lock
    from rlcourse.grading.contender import Clock
    from rlcourse.grading.policy import make_policy
    from rlcourse.grading.roster import read_roster
    from rlcourse.grading.tournament import Entrants, count_games, entrants, hold, seated

    board = get_game(game)
    if games % 2 or board.num_actions is None:
        raise typer.BadParameter("--games is an even number, and --game one without dice")
    if "size" in board.options:
        board = get_game(game, size=size)
    folder = _class_folder(out, None, f"tournament-{game}")
    if submissions is not None:
        _require_isolation(without_a_box)
    known = read_roster(roster) if roster else None
    class_ = entrants(submissions, known, make_policy()) if submissions else Entrants({}, ())
    total = count_games(board, len(class_.players), games)
    ctrl_c.sentence = (
        f"the games of finished blocks lie in {folder}, and the same command goes on from there"
    )
    output.say(
        f"{board}: {len(class_.players)} hand-ins and the course's bots (*), {total:,} games"
    )
    clock, boxed = Clock(move=seconds), not without_a_box
    hidden = tuple(path.resolve() for path in (folder, submissions) if path)
    with _refused_where_unprotected():
        seats = seated(board, class_.players, clock, boxed=boxed, hidden=hidden)
        with lock(folder), tqdm(total=total, unit="game") as bar, seats as players:
            done = hold(
                board,
                players,
                games=games,
                seed=seed,
                jobs=jobs,
                folder=folder / "games",
                progress=bar.update,
            )
    _print_ladder(replace(done, absent=class_.absent), folder)


def _print_ladder(done: "Tournament", folder: Path) -> None:
    """Print the ladder, who forfeited and who does not play, and write the tables."""
    output.say(done.ladder, ladder=done.ladder.rows())
    for name, reasons in done.played.forfeits().items():
        reason, lost = next(iter(reasons.items()))
        output.say(
            f"  {name} forfeited {sum(reasons.values())} games; {lost} of them: {reason}",
            forfeits=name,
            reasons=reasons,
        )
    for name, reason in done.absent:
        output.say(f"  {name} does not play: {reason}", absent=name, reason=reason)
    won, decided = done.played.first_wins()
    output.say(
        f"Who moved first won {won:,} of {decided:,} games with a winner.",
        first_won=won,
        decided=decided,
    )
    tables = done.write(folder)
    output.say(f"Tables: {', '.join(map(str, tables))}", tables=tables)


@app.command(
    rich_help_panel=TEACH,
    epilog=examples(
        "release 02",
        "release 51 --course own --out 51.zip",
    ),
)
def release(
    sheets: Annotated[
        list[str] | None, typer.Argument(help="Numbers of the sheets; default all.")
    ] = None,
    out: Annotated[
        Path, typer.Option(help="The zip that students get.", callback=writable_file)
    ] = Path("course.zip"),
    course: _Course = None,
    as_json: AsJson = False,
) -> None:
    """Pack the course, or your own sheets, for students: without what is secret."""
    from rlcourse.grading.release import make_release
    from rlcourse.grading.sources import open_course

    packed = make_release(
        open_course(course), [number_of_sheet(sheet) for sheet in sheets or ()] or None, out
    )
    size = f"{packed.files} files, {out.stat().st_size / 1e6:.1f} MB"
    output.say(f"{out}: {size}, sheets {', '.join(packed.sheets)}", file=out, packed=packed)
    for line in packed.readable:
        output.say(f"  a determined student can still read {line}")


@app.command(
    "new-sheet",
    rich_help_panel=TEACH,
    epilog=examples(
        'new-sheet 51 --course own --title "Nim and its kin"',
    ),
)
def new_sheet(
    number: Annotated[
        str,
        typer.Argument(
            help="Two digits that the course does not use, such as 51.", callback=number_of_sheet
        ),
    ],
    course: Annotated[
        Path,
        typer.Option(
            help="Your folder of sheets; made where it does not exist.", callback=writable_folder
        ),
    ],
    title: Annotated[str, typer.Option(help="Its heading.")] = "A sheet of my own",
    as_json: AsJson = False,
) -> None:
    """Make a sheet of your own that works as it is, with two tasks to change."""
    from rlcourse.grading.new_sheet import make_sheet

    for path in make_sheet(number, course, title):
        output.say(path, file=path)
    output.say(f"Next: rlcourse release {number} --course {course} --out {number}.zip")
