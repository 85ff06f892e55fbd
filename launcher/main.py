"""The commands of start.py."""

import argparse
import subprocess
import sys
from contextlib import redirect_stdout
from difflib import get_close_matches
from pathlib import Path
from typing import Any

from launcher import environment, jupyter
from launcher.check import report
from launcher.console import Stop, counted, say
from launcher.copies import SUCCESSORS, Copies
from launcher.interpreters import wait
from launcher.programs import child_environment

ROOT = Path(__file__).resolve().parent.parent

OVERVIEW = """\
examples:
  python start.py lab                    set up once, then open the course in JupyterLab
  python start.py lab --no-browser       the same on a server: prints the address
  python start.py play                   a page with every game and bot
  python start.py site OUT               the course as web pages
  python start.py rlcourse hand-in 1     any command of the course; rlcourse --help names them
  python start.py check                  say what is missing; exit code 0 if nothing is
  python start.py update                 bring new notebooks and sheets, keep every answer
  python start.py reset exercises/02     a fresh sheet 02; the old one goes to my/backups/
  python start.py test --quick           the short tests
  python start.py style --fix            formatter, linter, type checker: to change the course
"""
COMMANDS = dict.fromkeys(line.split()[2] for line in OVERVIEW.splitlines()[1:])
# Commands that other programs of the course carry out: everything after them is handed on as it is.
HANDED_ON = {
    "play": ["-m", "rlcourse", "play"],
    "site": ["-m", "rlcourse", "site"],
    "rlcourse": ["-m", "rlcourse"],
    "style": [str(ROOT / "tests" / "style.py")],
}


def port(text: str) -> int:
    """A port that a server can have. JupyterLab itself fails on others with a traceback."""
    if not text.isascii() or not text.isdigit() or int(text) > 65_535:
        raise Stop(f"--port {text} cannot be: ports are numbers up to 65535, such as 8888.")
    return int(text)


def folder(text: str) -> Path:
    """A folder, wherever the programs that are called stand."""
    return Path(text).resolve()


def examples(command: str) -> dict[str, Any]:
    """The end of a command's help: its lines of the overview."""
    lines = [line for line in OVERVIEW.splitlines()[1:] if line.split()[2] == command]
    text = "\n".join(["examples:", *lines])
    return {"epilog": text, "formatter_class": argparse.RawDescriptionHelpFormatter}


def unknown(word: str) -> str:
    """What is said to a word that is no command."""
    if near := get_close_matches(word, COMMANDS, n=1):
        return f"there is no command {word!r}, did you mean {near[0]!r}?"
    return (
        f"there is no command {word!r}; there are {', '.join(COMMANDS)}. A command of rlcourse "
        "stands after that word: python start.py rlcourse hand-in 1"
    )


def parser() -> argparse.ArgumentParser:
    """The commands and their options."""
    top = argparse.ArgumentParser(
        prog="start.py",
        description="Reinforcement learning from games: the course's one command.",
        epilog=OVERVIEW,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    commands = top.add_subparsers(
        dest="command", required=True, metavar="COMMAND", help="as in the examples below"
    )
    setup = argparse.ArgumentParser(add_help=False)
    add = setup.add_argument
    add("--wheels", type=folder, metavar="FOLDER", help="install from wheels, not the network")
    add("--anyway", action="store_true", help="install in spite of a warning about disk or path")

    add = commands.add_parser("lab", parents=[setup], **examples("lab")).add_argument
    add("--port", type=port, default=8888, help="port (default 8888, or the next free one)")
    add("--host", default="localhost", help="address to listen at (default: this computer only)")
    add("--no-browser", action="store_true", help="print the address, open no browser")
    add = commands.add_parser("reset", **examples("reset")).add_argument
    add("name", help='such as "00", "notebooks/02", "exercises/02" or a path')
    # Its further options, --help among them, are those of tests/run.py and of pytest.
    commands.add_parser("test", parents=[setup], add_help=False, allow_abbrev=False)
    for name in ("check", "update", *HANDED_ON):
        commands.add_parser(name, **examples(name))
    return top


def lab(options: argparse.Namespace) -> int:
    """Set up, copy, open."""
    python = environment.prepare(options.wheels, options.anyway)
    copies = Copies(ROOT)
    brought = copies.bring_missing()
    jupyter.trust(python, copies.my, brought)
    if brought:
        say(
            f"Copied to my/: {counted(len(brought), 'file')}. "
            "Work there; the course's own files stay as they are."
        )
    waiting = copies.waiting()
    if waiting:
        say(
            f"Newer versions of {counted(len(waiting), 'file')} in my/ are there:  "
            "python start.py update  brings them."
        )
    say_successors(copies)
    jupyter.say_where_you_are(python, copies.my)
    say(
        "In a second terminal:  python start.py play  is a page to play on,  "
        "python start.py rlcourse hand-in 1  hands sheet 1 in."
    )
    say("Starting JupyterLab. To stop it press Ctrl-C here and answer y.")
    browser = not options.no_browser
    command = jupyter.command(python, copies.my, options.port, options.host, browser)
    return jupyter.open_lab(python, copies.my, command)


def handed_on(python: Path, arguments: list[str], folder: Path | None = None) -> int:
    """Run Python with these arguments where the user stands, or in a folder; its exit code."""
    variables = child_environment(python)
    return wait(subprocess.Popen([str(python), *arguments], cwd=folder, env=variables))[0]


def command_line(arguments: list[str]) -> int:
    """Set up, then run a command of the course where the user stands. Returns its exit code."""
    # What the command prints may be read by a program, such as a board of Go.
    with redirect_stdout(sys.stderr):
        python = environment.prepare()
    # -P: files of the user's folder are not taken for Python's own modules.
    return handed_on(python, ["-P", *arguments])


def test(options: argparse.Namespace, extra: list[str]) -> int:
    """Set up, then the tests."""
    python = environment.prepare(options.wheels, options.anyway)
    wheels = ["--wheels", str(options.wheels)] if options.wheels else []
    return handed_on(python, ["-m", "tests.run", *wheels, *extra], ROOT)


def trust(copies: Copies, names: list[str]) -> None:
    """Trust fresh copies, where there is an environment that can."""
    python, _ = environment.in_use()
    jupyter.trust(python, copies.my, names)


def say_successors(copies: Copies) -> None:
    """Point from each file of an older course to the ones that took its place."""
    for old, successors in SUCCESSORS.items():
        if (copies.my / old).exists():
            names = " and ".join(f"my/{name}" for name in successors)
            say(f"  older     my/{old}   (yours, it stays; the course goes on with {names})")


def update() -> int:
    """Bring newer files, and say in words what happened to each."""
    copies = Copies(ROOT)
    done = copies.update()
    trust(copies, done["new"] + done["replaced"])
    for name in done["new"]:
        say(f"  new       my/{name}")
    for name in done["replaced"]:
        say(f"  newer     my/{name}   (you had not written in it)")
    for name in done["beside"]:
        say(f"  beside    my/{name}   (your own file stays as it is)")
    say_successors(copies)
    if not any(done.values()):
        say("my/ already has everything that lies in notebooks/ and exercises/.")
    else:
        say(
            "Your answers were not touched. "
            "A notebook that is open in JupyterLab: File > Reload from Disk."
        )
    say(
        "(What is newer than this folder is not fetched: if the course came by git, git pull does "
        "it, before this command; else unpack the newer archive over this folder.)"
    )
    return 0


def reset(name: str) -> int:
    """Fresh copies, with the old ones kept."""
    copies = Copies(ROOT)
    changes = copies.reset(name)
    trust(copies, [fresh for fresh, _ in changes])
    for fresh, backup in changes:
        where = (
            f"the old one is in {backup.relative_to(ROOT).as_posix()}"
            if backup
            else "there was nothing to keep"
        )
        say(f"Fresh: my/{fresh}   ({where})")
    say("If it is open in JupyterLab: File > Reload from Disk.")
    return 0


def run(arguments: list[str]) -> int:
    """Run one command and let its errors through. Returns the exit code."""
    word = arguments[0] if arguments else ""
    if word in ("test", "style") and not (ROOT / "tests").is_dir():
        raise Stop("This copy of the course is for learning: its tests are in the whole course.")
    if word in HANDED_ON:
        return command_line([*HANDED_ON[word], *arguments[1:]])
    top = parser()
    if word and not word.startswith("-") and word not in COMMANDS:
        top.error(unknown(word))
    options, extra = top.parse_known_args(arguments)
    if extra and options.command != "test":
        top.error(f"not understood: {' '.join(extra)}")
    if options.command == "lab":
        return lab(options)
    if options.command == "test":
        return test(options, extra)
    if options.command == "check":
        return report(ROOT)
    return update() if options.command == "update" else reset(options.name)


def main(arguments: list[str]) -> int:
    """Run one command. Returns the exit code: 1 when something is wrong, 2 for a wrong call, 130
    after Ctrl-C.
    """
    try:
        return run(arguments)
    except Stop as stop:
        say(f"\n{stop}")
        return 1
    except KeyboardInterrupt:
        say("\nStopped. Start again with the same command; it goes on from here.")
        return 130
    except OSError as error:
        say(
            f"\nThe system refused: {error}\n"
            "Check that the disk is not full and that the folder is your own."
        )
        return 1
