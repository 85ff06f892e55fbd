"""The command line of learners; what instructors call (grade, release, ...) is in `cli_class`."""

import json
import sys
from collections.abc import Iterator
from contextlib import closing
from importlib import metadata
from itertools import chain, zip_longest
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NoReturn

import typer
from typer.core import TyperCommand

from rlcourse.atomic import write_atomically
from rlcourse.cli_arguments import number_of_known_sheet, writable_file, writable_folder
from rlcourse.cli_class import app as class_app
from rlcourse.cli_stop import ctrl_c
from rlcourse.notebook import skip_address_check
from rlcourse.programs import ProgramError

if TYPE_CHECKING:
    from typer._click import Context

    from rlcourse.agents import BatchAgent
    from rlcourse.distributed import RayPool
    from rlcourse.learning import Learner, Row

NetworkSettings = Annotated[list[str], typer.Option("--set", help="NAME=VALUE of the network.")]
FOR_INSTRUCTORS = (
    "this command is for instructors: students' copies of the course have no rlcourse/grading. "
    "Instructors take the whole course; `rlcourse hand-in 1` makes the file that they grade"
)
app = typer.Typer(no_args_is_help=True, add_completion=False, pretty_exceptions_enable=False)


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


def _settings(pairs: list[str]) -> dict[str, Any]:
    settings = {}
    for pair in pairs:
        name, equals, value = pair.partition("=")
        if not equals:
            raise typer.BadParameter(f"a setting reads NAME=VALUE, such as alpha=0.2; got {pair!r}")
        try:
            settings[name] = json.loads(value.lower() if value in ("True", "False") else value)
        except json.JSONDecodeError:
            settings[name] = value
    return settings


@app.command("new-agent")
def new_agent(
    out: Annotated[Path, typer.Argument(help="Where the agent goes.", callback=writable_file)],
    size: Annotated[int, typer.Option(help="Points along a side of the board of Go.")] = 5,
    komi: Annotated[float, typer.Option(help="Points that White gets for moving second.")] = 7.5,
    network: Annotated[
        str, typer.Option(help="go-small or go-seed (book); ac-small or ac-seed with a value.")
    ] = "go-small",
    encoder: Annotated[
        str, typer.Option(help="What the network sees: oneplane, simple or alphago-zero.")
    ] = "simple",
    seed: Annotated[int, typer.Option(help="Same seed, same agent.")] = 0,
    setting: NetworkSettings = [],  # noqa: B006
) -> None:
    """Make an agent of Go that has learned nothing yet, the book's first script."""
    from rlcourse.agents import save_agent
    from rlcourse.agents.actor_critic import new_ac_agent
    from rlcourse.agents.policy import new_policy_agent
    from rlcourse.games import get_game
    from rlcourse.networks import TWO_HEADED

    game = get_game("go", size=size, komi=komi)
    make = new_ac_agent if network in TWO_HEADED else new_policy_agent
    agent = make(game, network=network, encoder=encoder, seed=seed, **_settings(setting))
    made = f"--size {size} --network {network} --encoder {encoder} --seed {seed}"
    save_agent(agent, out, command=f"rlcourse new-agent {made}")
    weights = sum(array.size for array in agent.arrays().values())
    typer.echo(f"{out}: {network} with {weights:,} weights for {game}")


@app.command("self-play")
def self_play(
    agent: Annotated[str, typer.Argument(help="The agent: a file, or a name.")],
    out: Annotated[
        Path,
        typer.Option(
            help="Where its games go; a file of the same run is continued.", callback=writable_file
        ),
    ],
    games: Annotated[
        int, typer.Option(min=1, help="How many games, rounded up to whole chunks.")
    ] = 1_024,
    chunk: Annotated[int, typer.Option(min=1, help="Games played in lock-step.")] = 256,
    seed: Annotated[int, typer.Option(help="Same seed, same games.")] = 0,
    workers: Annotated[
        int,
        typer.Option(min=0, help="Processes that play; 0: this one. Does not change the games."),
    ] = 0,
) -> None:
    """Let an agent play itself and record every decision; a run that was cut goes on."""
    from tqdm.auto import tqdm

    from rlcourse.agents import load_agent
    from rlcourse.self_play import record_games

    rows = record_games(
        load_agent(agent), out, games=games, seed=seed, chunk=chunk, workers=workers
    )
    with closing(rows), tqdm(total=-(-games // chunk) * chunk, unit="game") as bar:
        for done in rows:
            if done:
                ctrl_c.saving, ctrl_c.sentence = (
                    True,
                    f"{out} holds the games as last saved, and the same command goes on from there",
                )
            bar.update(done - bar.n)  # last: who sees the games counted may press Ctrl-C
    ctrl_c.saving = False
    typer.echo(f"{out}: {done:,} games")


class _RayMayStandAlone(TyperCommand):
    """`--ray` alone is `--ray local`: Typer has no option whose value may be left out."""

    def parse_args(self, ctx: "Context", args: list[str]) -> list[str]:
        """An address is what names a host and a port, "auto" or "local"."""
        given = []
        for word, following in zip_longest(args, args[1:], fillvalue=""):
            given += (
                [word]
                if word != "--ray" or following in ("auto", "local") or ":" in following
                else [word, "local"]
            )
        return super().parse_args(ctx, given)


@app.command(cls=_RayMayStandAlone)
def train(
    learner: Annotated[
        str,
        typer.Argument(help="Which learner, such as q-table, afterstates, deep-q or td-gammon."),
    ],
    out: Annotated[
        Path, typer.Option(help="Where the trained agent goes.", callback=writable_file)
    ],
    games: Annotated[int, typer.Option(help="Stop after so many games.")] = 1_000_000,
    seconds: Annotated[float, typer.Option(help="Stop after so many seconds of training.")] = 60.0,
    until: Annotated[
        str,
        typer.Option(
            help="Stop when the judge says so: perfect or unbeatable, where a game is solved."
        ),
    ] = "",
    every: Annotated[
        int | None, typer.Option(help="Updates between two verdicts; default as suits the learner.")
    ] = None,
    seed: Annotated[int, typer.Option(help="Same seed, same agent.")] = 0,
    checkpoint: Annotated[
        Path | None,
        typer.Option(help="File to continue from, and to write to.", callback=writable_file),
    ] = None,
    agent: Annotated[
        Path | None,
        typer.Option(help="File of the agent to go on from; it names its network itself."),
    ] = None,
    experience: Annotated[
        list[Path],
        typer.Option(
            help="Files of `self-play` to learn from, instead of playing; one update each.",
            exists=True,
        ),
    ] = [],  # noqa: B006
    setting: Annotated[
        list[str], typer.Option("--set", help="NAME=VALUE of the learner's config.")
    ] = [],  # noqa: B006
    ray: Annotated[
        str,
        typer.Option(
            metavar="[ADDRESS]",
            help="Play on a Ray cluster: HOST:PORT, auto, or one made here. Same games.",
        ),
    ] = "",
    actors: Annotated[
        int, typer.Option(help="Actors of the cluster; 0: as many as chunks and processors allow.")
    ] = 0,
) -> None:
    """Train an agent by self-play, or from recorded games; one line a verdict.

    A killed run goes on from its checkpoint.

    Ctrl-C saves the agent as it is and ends with code 130.
    """
    from rlcourse import learning
    from rlcourse.agents import save_agent
    from rlcourse.judges import final_judge, judge_of

    if checkpoint and checkpoint.resolve() == out.resolve():
        raise typer.BadParameter(
            "--checkpoint and --out are two files: the run as it stands, and the agent that it made"
        )
    learner_made = _learner(learner, agent, experience, seed, _settings(setting))
    game = learner_made.game.name
    until = _goal(until, game)
    every = 1 if experience else learner_made.every if every is None else every
    stop = learning.after(learning.games(games), learning.seconds(seconds))
    stop = learning.after(stop, learning.satisfied(until)) if until else stop
    stop = (lambda row: row.updates >= len(experience)) if experience else stop
    pool = _ray_pool(learner_made, ray, actors) if ray else None
    rows = learning.train(
        learner_made,
        until=stop,
        judge=judge_of(game),
        every=every,
        seed=seed,
        checkpoint=checkpoint,
    )
    ctrl_c.sentence = f"nothing was learned yet, and {out} was not written"
    try:
        first = next(rows)
        # What was learned is saved before it is judged once more, which takes a minute where
        # outside programs do it.
        ctrl_c.saving = True
        row, interrupted = _follow(chain([first], rows), learner_made, pool)
        stopped = f"--until {until} --every {every}" if until else f"--games {row.games}"
        stopped = "".join(f" --experience {path.name}" for path in experience).strip() or stopped
        stopped += f" --agent {agent.name}" if agent else ""
        command = f"rlcourse train {learner} --seed {seed} {stopped}" + "".join(
            f" --set {s}" for s in setting
        )
        command += ", and then Ctrl-C" if interrupted else ""
        trained = learner_made.agent()
        save_agent(
            trained, out, command=command, verdict=f"{row.verdict}, after {row.games:,} games"
        )
        ctrl_c.saving, ctrl_c.sentence = (
            False,
            f"{out} is the agent as it is, after {row.games:,} games or a few more",
        )
        if interrupted:
            raise KeyboardInterrupt
        judge = final_judge(game)
        verdict = judge(trained) if judge else row.verdict
        save_agent(trained, out, command=command, verdict=str(verdict))
    finally:
        learner_made.close()
    typer.echo(f"{out}: {verdict}")


def _goal(until: str, game: str) -> str:
    """The verdict at which training stops: as asked for, else the hardest of the game, or ""."""
    from rlcourse.judges import goals_of

    goals = goals_of(game)
    if until and until not in goals:
        offered = f"--until is {' or '.join(goals)}" if goals else "it has no --until"
        raise typer.BadParameter(f"a verdict on {game} is not {until!r}: {offered}")
    return until or next(iter(goals), "")


def _learner(
    name: str, agent: Path | None, experience: list[Path], seed: int, settings: dict[str, Any]
) -> "Learner":
    """A new learner, or one that goes on from an agent; `experience`: it reads its games there."""
    from rlcourse.agents import load_agent
    from rlcourse.learning import make_learner
    from rlcourse.learning.recorded import FromFiles, learner_from

    made = (
        learner_from(load_agent(agent), name, seed=seed, **settings)
        if agent
        else make_learner(name, seed=seed, **settings)
    )
    return FromFiles(made, experience) if experience else made


def _follow(
    rows: "Iterator[Row]", learner: "Learner", pool: "RayPool | None"
) -> "tuple[Row, bool]":
    """Print the rows of a run to its end. Returns the last, and whether Ctrl-C came after it."""
    try:
        for row in rows:
            typer.echo(f"{row.games:>10,} games  {row.seconds:7.1f} s  {row.verdict}")
            if pool and learner.chunks and row.updates:
                age = min(row.updates - 1, learner.chunks.ahead)
                typer.echo(f"{'':10} {pool.row()}; weights {age} updates old")
    except KeyboardInterrupt:
        return row, True
    return row, False


def _ray_pool(learner: "Learner", address: str, actors: int) -> "RayPool":
    """The actors that play for a learner from here on."""
    from rlcourse.distributed import RayPool

    chunks = learner.chunks
    if chunks is None:
        names = "td-gammon, policy-gradient, actor-critic and alphazero"
        raise typer.BadParameter(
            f"--ray is for learners that play in chunks: {names}, "
            "where they do not learn from files"
        )
    pool = RayPool(address, actors=actors)
    chunks.play_in(pool)
    if chunks.ahead < 2:
        typer.echo(
            f"ahead is {chunks.ahead}: at most {chunks.ahead + 1} chunks are played at a time, "
            "whatever the cluster; --set ahead=N keeps N actors busy"
        )
    return pool


@app.command()
def evaluate(
    agent: Annotated[
        str, typer.Argument(help="A name such as tic-tac-toe/perfect or deep-q, or a file.")
    ],
    against: Annotated[
        str, typer.Option(help="The opponent: a name or a file; default the random player.")
    ] = "",
    games: Annotated[int, typer.Option(help="How many games, an even number.")] = 1_000,
    seed: Annotated[int, typer.Option(help="Same seed, same games.")] = 0,
    save: Annotated[
        Path | None,
        typer.Option(
            help="Of Go: an SGF file for one more game, the agent as Black.", callback=writable_file
        ),
    ] = None,
) -> None:
    """Judge an agent exactly where the game is solved, and play a match with a Wilson interval."""
    from rlcourse.agents import agent_names, load_agent, make_agent
    from rlcourse.arena import play_match
    from rlcourse.judges import final_judge

    agent = next((name for name in agent_names() if name.partition("/")[2] == agent), agent)
    player = load_agent(agent)
    if save and player.game.name != "go":
        raise typer.BadParameter(f"games of Go are saved as SGF; {agent} plays {player.game}")
    judge = final_judge(player.game.name)
    if judge is not None:
        typer.echo(f"{agent}: {judge(player)}")
    opponent = (
        load_agent(against, game=player.game) if against else make_agent("random", player.game)
    )
    typer.echo(str(play_match(player, opponent, games=games, seed=seed)))
    if save:
        _save_game(player, opponent, seed, save)


def _save_game(first: "BatchAgent", second: "BatchAgent", seed: int, path: Path) -> None:
    """One game of Go as an SGF file; a file of that name is replaced."""
    import numpy as np

    from rlcourse.games.go import go_position
    from rlcourse.gtp.sgf import to_sgf
    from rlcourse.self_play import simulate_game

    first.rng, second.rng = np.random.default_rng(seed).spawn(2)
    last = go_position(simulate_game(first, second).states[-1])
    text = to_sgf(last, black=first.name, white=second.name)
    write_atomically(path, text)
    typer.echo(f"{path}: {first.name} (Black) and {second.name}, {last.verdict()}")


@app.command()
def experiment(
    name: Annotated[str, typer.Argument(help="Which experiment; 'list' names them.")],
    seeds: Annotated[
        int | None,
        typer.Option(min=1, help="Seeds 0 to N-1; default as many as the course stores."),
    ] = None,
    workers: Annotated[
        int,
        typer.Option(
            min=0, help="Processes of one thread each; 0: this one, with all its threads."
        ),
    ] = 1,
    folder: Annotated[
        Path | None, typer.Option(help="Where the rows go; default the course's own results.")
    ] = None,
) -> None:
    """Run an experiment over many seeds into rlcourse/results; a run that was cut goes on."""
    from tqdm.auto import tqdm

    from rlcourse.experiments import EXPERIMENTS, run_experiment
    from rlcourse.results import FOLDER

    if name == "list":
        for entry in EXPERIMENTS.values():
            typer.echo(f"{entry.name:37} {entry.seeds:3} seeds  {entry.about}")
        return
    target = writable_folder(FOLDER if folder is None else folder)
    ctrl_c.sentence = (
        f"the rows that are done lie in {target}, and the same command goes on from there"
    )
    total = EXPERIMENTS[name].seeds if seeds is None and name in EXPERIMENTS else seeds
    for row in tqdm(
        run_experiment(name, seeds=seeds, workers=workers, folder=target), total=total, unit="seed"
    ):
        tqdm.write(
            ", ".join(f"{key} {value}" for key, value in row.items() if not isinstance(value, list))
        )


@app.command()
def benchmark(
    quick: Annotated[bool, typer.Option("--quick", help="Two rounds of work, not five.")] = False,
) -> None:
    """Say how many minutes each notebook takes on this computer."""
    from rlcourse.benchmark import load_times, minutes_here, probe

    typer.echo("a fixed piece of work of each kind is timed, a minute or more ...")
    for name, minutes in minutes_here(load_times(), probe(2 if quick else 5)):
        typer.echo(f"{name:34} about {minutes:4.1f} minutes here")


@app.command()
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


@app.command()
def site(
    out: Annotated[
        Path,
        typer.Argument(help="A new folder, or one of an older site.", callback=writable_folder),
    ],
) -> None:
    """Write the course as web pages: lessons, sheets, glossary, figures. No server is needed."""
    from rlcourse.site import build_site

    ctrl_c.sentence = f"{out} is as it was"
    built = build_site(out)
    counts = f"{built.pages} pages, {built.figures} figures"
    typer.echo(f"{out}: {counts}; open {out / 'index.html'} in a browser")


@app.command("hand-in")
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
) -> None:
    """Make one file of your sheet for the instructor; says what is blank or was not run."""
    from rlcourse import hand_in

    typer.echo(str(hand_in.hand_in(sheet, name=name, notebook=notebook, folder=folder, code=code)))


@app.command()
def page(
    game: Annotated[
        str, typer.Argument(help="The game; pages are made for tic-tac-toe.")
    ] = "tic-tac-toe",
    agent: Annotated[
        str, typer.Option(help="The bot: a name or a file; default the trained deep Q-network.")
    ] = "",
    out: Annotated[
        Path | None, typer.Option(help="Where the page goes; default GAME.html.")
    ] = None,
    title: Annotated[str, typer.Option(help="Its heading.")] = "",
) -> None:
    """Write one HTML file in which anyone plays the bot, on either side, or watches."""
    from rlcourse.agents import load_agent
    from rlcourse.page import write_page

    target = writable_file(out or Path(f"{game}.html"))
    ctrl_c.sentence = f"{target} is as it was"
    path = write_page(load_agent(agent or f"{game}/deep-q"), target, title)
    typer.echo(f"{path}: {path.stat().st_size / 1000:.0f} kB, open it in a browser")


@app.command()
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
        serve(GtpEngine(player), source, sink)


app.add_typer(class_app)


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
    except (ValueError, OSError, ProgramError) as error:
        return _complain(error)
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
