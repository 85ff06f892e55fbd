"""The command line: to play, to hand in, to read. What trains and judges is in `cli_train`
and `cli_learn`, what instructors call in `cli_grade` and `cli_class`.
"""

import errno
import sys
from importlib import metadata
from importlib.util import find_spec
from pathlib import Path
from typing import Annotated, NoReturn

import typer

from rlcourse.cli_arguments import number_of_known_sheet, writable_file, writable_folder
from rlcourse.cli_class import app as class_app
from rlcourse.cli_course import app as course_app
from rlcourse.cli_grade import app as grade_app
from rlcourse.cli_learn import app as learn_app
from rlcourse.cli_output import AsJson, examples, output, plain
from rlcourse.cli_stop import ctrl_c
from rlcourse.cli_teach import TEACH
from rlcourse.cli_train import app as train_app
from rlcourse.errors import BadValue, CourseError
from rlcourse.notebook import skip_address_check

FOR_INSTRUCTORS = (
    "this command is for instructors: students' copies of the course have no rlcourse/grading. "
    "Instructors take the whole course; `rlcourse hand-in 1` makes the file that they grade"
)
FULL = "what is written so far stays; make room and give the same command again"
PLAY = "Play and hand in"
app = typer.Typer(
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    epilog=examples("play", "hand-in 1", "evaluate tic-tac-toe/perfect"),
)


def _version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"rlcourse {metadata.version('rlcourse')}")
        raise typer.Exit


@app.callback()
def about(
    version: Annotated[
        bool,
        typer.Option(
            "--version", callback=_version, is_eager=True, help="The version, and no more."
        ),
    ] = False,
) -> None:
    """Reinforcement learning from games, from the command line.

    Exit codes: 0 done; 1 it could not be done; 2 the call is wrong; 130 stopped by Ctrl-C.
    """


@app.command(
    rich_help_panel=PLAY,
    epilog=examples("play", "play --bot bot.h5", "play --host 0.0.0.0 --no-browser"),
)
def play(
    port: Annotated[int, typer.Option(help="The page is at http://localhost:PORT.")] = 8866,
    host: Annotated[
        str, typer.Option(help="localhost: this computer only; 0.0.0.0: the whole network.")
    ] = "localhost",
    browser: Annotated[bool, typer.Option(help="Open a browser at once.")] = True,
    bot: Annotated[
        list[Path], typer.Option(help="File of an agent of yours, to be played too.")
    ] = [],  # noqa: B006
) -> None:
    """Open a page with every game and every bot. Nothing leaves this computer."""
    from rlcourse.play_page import serve

    ctrl_c.sentence = "the page is closed"
    serve(host=host, port=port, browser=browser, own=bot)


@app.command(rich_help_panel=PLAY, epilog=examples("site pages"))
def site(
    out: Annotated[
        Path,
        typer.Argument(help="A new folder, or one of an older site.", callback=writable_folder),
    ],
    as_json: AsJson = False,
) -> None:
    """Write the course as web pages: lessons, sheets, glossary, figures. No server is needed."""
    from rlcourse.site import build_site

    ctrl_c.sentence = f"{out} is as it was"
    built = build_site(out)
    counts = f"{built.pages} pages, {built.figures} figures"
    output.say(
        f"{out}: {counts}; open {out / 'index.html'} in a browser",
        folder=out,
        pages=built.pages,
        figures=built.figures,
    )


@app.command(rich_help_panel=PLAY, epilog=examples("progress", "progress --json"))
def progress(
    folder: Annotated[
        Path | None, typer.Option(help="Where to look for your folder my/; default here and above.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Say what you have done and what comes next, and renew the page my/where-you-are.md."""
    from datetime import datetime

    from rlcourse import progress

    my = progress.student_folder(folder or Path.cwd())
    standing = progress.progress(my)
    page = progress.write_page(my, standing, datetime.now().astimezone())
    output.say(standing.next_step(), **plain(standing))
    for part in standing.begun:
        output.say(f"  {part.title}: {part}")
    output.say(f"All of it: {page}")


@app.command(
    "hand-in",
    rich_help_panel=PLAY,
    epilog=examples("hand-in 1", 'hand-in 02 --name "Ada Lovelace"'),
)
def hand_in(
    sheet: Annotated[
        str,
        typer.Argument(
            help="Number of the sheet, such as 1 or 01.", callback=number_of_known_sheet
        ),
    ],
    name: Annotated[
        str, typer.Option(prompt="Your name or student number", help="Whose hand-in it is.")
    ],
    notebook: Annotated[
        Path | None, typer.Option(help="The sheet; default the one below my/exercises.")
    ] = None,
    folder: Annotated[
        Path | None,
        typer.Option(help="Where the file goes; default my/hand-ins.", callback=writable_folder),
    ] = None,
    code: Annotated[
        str, typer.Option(help="Your own code, where your instructor gave you one.")
    ] = "",
    as_json: AsJson = False,
) -> None:
    """Make one file of your sheet for the instructor; says what is blank or was not run."""
    from rlcourse import hand_in

    done = hand_in.hand_in(sheet, name=name, notebook=notebook, folder=folder, code=code)
    output.say(
        done,
        sheet=done.sheet.number,
        name=done.name,
        time=done.moment,
        receipt=done.fingerprint,
        file=done.path,
        notes=done.notes,
    )


@app.command(
    rich_help_panel=PLAY,
    epilog=examples(
        "page",
        "page connect-four --out play.html",
        "page go --size 9",
        "page --agent my/bot.h5",
        "page --learning",
        "page backgammon --learning",
    ),
)
def page(
    game: Annotated[
        str, typer.Argument(help="tic-tac-toe, connect-four, backgammon or go.")
    ] = "tic-tac-toe",
    size: Annotated[int, typer.Option(help="Points along a side of a board of Go; 0: 5.")] = 0,
    agent: Annotated[
        str, typer.Option(help="A bot to put first in the list: a name or a file.")
    ] = "",
    out: Annotated[
        Path | None, typer.Option(help="Where the page goes; default GAME.html.")
    ] = None,
    title: Annotated[str, typer.Option(help="Its heading.")] = "",
    learning: Annotated[
        bool,
        typer.Option("--learning", help="A table learns tic-tac-toe, or TD-Gammon backgammon."),
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Write one HTML file in which anyone plays the bots of a game, or watches one learn."""
    from rlcourse.agents import load_agent
    from rlcourse.games import get_game
    from rlcourse.learning_page import write_learning_page
    from rlcourse.page import write_page

    played = get_game(game, **({"size": size} if size else {}))
    target = writable_file(out or Path(f"{game}-learning.html" if learning else f"{game}.html"))
    ctrl_c.sentence = f"{target} is as it was"
    if learning:
        if agent:
            raise BadValue("a player that learns begins with nothing: leave out --agent")
        path = write_learning_page(played, target, title)
    else:
        path = write_page(played, load_agent(agent) if agent else None, target, title)
    weight = path.stat().st_size
    output.say(f"{path}: {weight / 1000:.0f} kB, open it in a browser", file=path, bytes=weight)


@app.command(rich_help_panel=PLAY, epilog=examples("gtp go/alphazero-5x5", "gtp agent.h5 --seed 1"))
def gtp(
    agent: Annotated[str, typer.Argument(help="A player of Go: a name or a file.")] = "go/random",
    seed: Annotated[
        int | None, typer.Option(help="Same seed, same game; default another one each time.")
    ] = None,
) -> None:
    """Serve an agent as a GTP engine on standard input and output, to any Go program."""
    from contextlib import redirect_stdout

    import numpy as np

    from rlcourse.agents import load_agent
    from rlcourse.gtp.engine import GtpEngine, serve

    source, sink = sys.stdin.buffer, sys.stdout.buffer
    # Whatever a library prints must not reach the program that listens.
    with redirect_stdout(sys.stderr):
        player = load_agent(agent)
        if seed is not None:
            player.rng = np.random.default_rng(seed)
        engine = GtpEngine(player)
        engine.warm_up()
        serve(engine, source, sink)


app.add_typer(train_app)
app.add_typer(learn_app)
app.add_typer(grade_app)
app.add_typer(class_app)
app.add_typer(course_app)
if find_spec("rlcourse.cli_hub"):  # students have none
    from rlcourse.cli_hub import app as hub_app

    app.add_typer(hub_app, name="hub", rich_help_panel=TEACH)


def main() -> NoReturn:
    """Entry point: an error that the course raises on purpose is one line; so is Ctrl-C."""
    skip_address_check()
    ctrl_c.leave_by(_run)


def _run() -> int:
    """Run the command of the command line. Returns its exit code; other errors pass through."""
    try:
        return app(prog_name="rlcourse", standalone_mode=False) or 0
    except typer.Abort:
        return _complain("an answer is needed, and the input has ended")
    except (CourseError, ValueError, OSError) as error:
        is_full = isinstance(error, OSError) and error.errno == errno.ENOSPC
        return _complain(f"{error}: {FULL}" if is_full else error)
    except ModuleNotFoundError as error:
        if not (error.name or "").startswith("rlcourse.grading"):
            raise
        return _complain(FOR_INSTRUCTORS)
    except Exception as error:  # click's own usage errors know how to print themselves
        if hasattr(error, "show") and hasattr(error, "exit_code"):
            if not ctrl_c.pressed:
                error.show()
            return error.exit_code
        raise


def _complain(error: Exception | str) -> int:
    if not ctrl_c.pressed:
        typer.echo(f"rlcourse: {error}", err=True)
    return 1


if __name__ == "__main__":
    main()
