"""The instructor's commands beside `grade`: `rlcourse tournament | release | new-sheet`."""

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from rlcourse.cli_arguments import number_of_sheet, writable_file, writable_folder
from rlcourse.cli_output import AsJson, examples, output
from rlcourse.cli_stop import ctrl_c
from rlcourse.cli_teach import (
    TEACH,
    OwnCourse,
    RosterFile,
    SheetVariant,
    WithoutABox,
    class_folder,
    refused_where_unprotected,
    require_isolation,
    sources_of,
)

if TYPE_CHECKING:
    from rlcourse.games import Game
    from rlcourse.grading.tournament import Tournament

app = typer.Typer()
Players = Annotated[
    Path | None,
    typer.Option(
        help="Folder or zip of hand-ins: notebooks, .py or agents' .h5; none: the bots alone."
    ),
]
GameName = Annotated[str, typer.Option(help="Any without dice, such as connect-four or go.")]
Games = Annotated[
    int, typer.Option(min=2, help="Of every two players, an even number: both get each opening.")
]
Jobs = Annotated[int, typer.Option(min=1, max=64, help="Players that think at the same time.")]
Seconds = Annotated[float, typer.Option(help="For a move, on average.")]
Tables = Annotated[
    Path | None,
    typer.Option(
        help="Ladder, matches and games; default .course/tournament-GAME.", callback=writable_folder
    ),
]
Size = Annotated[int, typer.Option(help="Points along a side of the board of Go.")]
Seed = Annotated[int, typer.Option(help="Same seed, same openings.")]


@app.command(
    rich_help_panel=TEACH,
    epilog=examples(
        "tournament --game tic-tac-toe", "tournament --submissions hand-ins --roster class.csv"
    ),
)
def tournament(
    submissions: Players = None,
    game: GameName = "connect-four",
    games: Games = 4,
    jobs: Jobs = 4,
    seconds: Seconds = 0.02,
    out: Tables = None,
    roster: RosterFile = None,
    variant: SheetVariant = 0,
    size: Size = 5,
    seed: Seed = 0,
    without_a_box: WithoutABox = "",
    as_json: AsJson = False,
) -> None:
    """Let a class's players and the course's bots play each other, and print the ladder."""
    from tqdm.auto import tqdm

    from rlcourse.grading.class_list import read_roster
    from rlcourse.grading.classroom import lock
    from rlcourse.grading.contender import Clock
    from rlcourse.grading.policy import make_policy
    from rlcourse.grading.tournament import NUMBER, count_games, entrants, hold, seated

    board = _board(game, size, games)
    if variant and game != "connect-four":
        raise typer.BadParameter("--variant is one of the capstone, and goes with connect-four")
    folder = class_folder(out, None, f"tournament-{game}")
    if submissions is not None:
        require_isolation(without_a_box)
    known = read_roster(roster) if roster else None
    _, (number,) = sources_of(None, [NUMBER], variant)
    contents: dict[str, bytes] = {}
    absent: list[tuple[str, str]] = []
    if submissions is not None:
        contents, absent = entrants(submissions, known, make_policy(), number)
    total = count_games(board, len(contents), games)
    ctrl_c.sentence = (
        f"the games of finished blocks lie in {folder}, and the same command goes on from there"
    )
    output.say(f"{board}: {len(contents)} hand-ins and the course's bots (*), {total:,} games")
    clock, boxed = Clock(move=seconds), not without_a_box
    hidden = tuple(path.resolve() for path in (folder, submissions) if path)
    with refused_where_unprotected():
        seats = seated(board, contents, clock, boxed=boxed, hidden=hidden, number=number)
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
    _print_ladder(replace(done, absent=absent), folder)


def _board(name: str, size: int, games: int) -> "Game":
    """The game that is played. Raises BadParameter for one with dice and for an odd `games`."""
    from rlcourse.games import get_game

    game = get_game(name)
    if games % 2 or game.num_actions is None:
        raise typer.BadParameter("--games is an even number, and --game one without dice")
    return get_game(name, size=size) if "size" in game.options else game


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
        "release 02", "release 02 --variant 1 --out 22.zip", "release 51 --course own --out 51.zip"
    ),
)
def release(
    sheets: Annotated[
        list[str] | None, typer.Argument(help="Numbers of the sheets; default all.")
    ] = None,
    out: Annotated[
        Path, typer.Option(help="The zip that students get.", callback=writable_file)
    ] = Path("course.zip"),
    course: OwnCourse = None,
    variant: SheetVariant = 0,
    as_json: AsJson = False,
) -> None:
    """Pack the course, or your own sheets, for students: without what is secret."""
    from rlcourse.grading.release import make_release

    asked = [number_of_sheet(sheet) for sheet in sheets or ()]
    sources, numbers = sources_of(course, asked, variant)
    packed = make_release(sources, numbers or None, out)
    size = f"{packed.files} files, {out.stat().st_size / 1e6:.1f} MB"
    output.say(f"{out}: {size}, sheets {', '.join(packed.sheets)}", file=out, packed=packed)
    for line in packed.readable:
        output.say(f"  a determined student can still read {line}")


@app.command(
    "new-sheet",
    rich_help_panel=TEACH,
    epilog=examples('new-sheet 51 --course own --title "Nim and its kin"'),
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
