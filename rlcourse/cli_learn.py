"""The commands that train and judge: `rlcourse new-agent | self-play | train | evaluate |
experiment | benchmark`.
"""

import json
from collections.abc import Callable, Iterator
from contextlib import closing
from itertools import chain, zip_longest
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

import typer
from typer.core import TyperCommand

from rlcourse.atomic import write_atomically
from rlcourse.cli_arguments import writable_file, writable_folder
from rlcourse.cli_output import AsJson, examples, output
from rlcourse.cli_stop import ctrl_c

if TYPE_CHECKING:
    from typer._click import Context

    from rlcourse.agents import BatchAgent
    from rlcourse.distributed import RayPool
    from rlcourse.learning import Learner, Row

LEARN, STUDY = "Train and judge a bot", "Repeat a figure of the course"
NetworkSettings = Annotated[list[str], typer.Option("--set", help="NAME=VALUE of the network.")]
app = typer.Typer()


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


@app.command(
    "new-agent",
    rich_help_panel=LEARN,
    epilog=examples(
        "new-agent agent.h5",
        "new-agent agent.h5 --size 9 --network ac-small --encoder alphago-zero",
    ),
)
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
    as_json: AsJson = False,
) -> None:
    """Make an agent of Go that has learned nothing yet, the book's first script."""
    from rlcourse.agents import save_agent
    from rlcourse.agents.actor_critic import ACAgent
    from rlcourse.agents.policy import PolicyAgent
    from rlcourse.games import get_game
    from rlcourse.networks import TWO_HEADED

    game = get_game("go", size=size, komi=komi)
    kind = ACAgent if network in TWO_HEADED else PolicyAgent
    agent = kind.untrained(game, network=network, encoder=encoder, seed=seed, **_settings(setting))
    made = f"--size {size} --network {network} --encoder {encoder} --seed {seed}"
    save_agent(agent, out, command=f"rlcourse new-agent {made}")
    weights = sum(array.size for array in agent.arrays().values())
    output.say(
        f"{out}: {network} with {weights:,} weights for {game}",
        file=out,
        network=network,
        weights=weights,
        game=str(game),
    )


@app.command(
    "self-play",
    rich_help_panel=LEARN,
    epilog=examples(
        "self-play go/policy-5x5 --out games.h5 --games 512",
    ),
)
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
    as_json: AsJson = False,
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
    output.say(f"{out}: {done:,} games", file=out, games=done)


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


@app.command(
    cls=_RayMayStandAlone,
    rich_help_panel=LEARN,
    epilog=examples(
        "train q-table --out bot.h5",
        "train td-gammon --out bg.h5 --games 20000 --checkpoint run.h5",
        "train deep-q --out dq.h5 --seconds 300 --set batch_size=64",
    ),
)
def train(
    learner: Annotated[
        str,
        typer.Argument(help="Which learner, such as q-table, afterstates, deep-q or td-gammon."),
    ],
    out: Annotated[
        Path, typer.Option(help="Where the trained agent goes.", callback=writable_file)
    ],
    games: Annotated[int, typer.Option(min=1, help="Stop after so many games.")] = 1_000_000,
    seconds: Annotated[
        float, typer.Option(min=0.01, help="Stop after so many seconds of training.")
    ] = 60.0,
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
    as_json: AsJson = False,
) -> None:
    """Train an agent by self-play, or from recorded games; one line a verdict.

    A killed run goes on from its checkpoint.

    Ctrl-C saves the agent as it is and ends with code 130.
    """
    from rlcourse import learning
    from rlcourse.judges import judge_of

    if checkpoint and checkpoint.resolve() == out.resolve():
        raise typer.BadParameter(
            "--checkpoint and --out are two files: the run as it stands, and the agent that it made"
        )
    made = _learner(learner, agent, experience, seed, _settings(setting))
    game = made.game.name
    limits = _Limits(games, seconds, _goal(until, game), len(experience))
    every = 1 if experience else made.every if every is None else every
    pool = _ray_pool(made, ray, actors) if ray else None
    rows = learning.train(
        made,
        until=limits.reached,
        judge=judge_of(game),
        every=every,
        seed=seed,
        checkpoint=checkpoint,
    )
    ctrl_c.sentence = f"nothing was learned yet, and {out} was not written"
    try:
        first = next(rows)
        ctrl_c.saving = True
        row, interrupted = _follow(chain([first], rows), made, pool, limits.share_done)
        stopped = f"--until {limits.until} --every {every}"
        stopped = stopped if limits.until else f"--games {row.games}"
        stopped = " ".join(f"--experience {path.name}" for path in experience) or stopped
        stopped += f" --agent {agent.name}" if agent else ""
        settings = "".join(f" --set {pair}" for pair in setting)
        command = f"rlcourse train {learner} --seed {seed} {stopped}{settings}"
        verdict = _saved(made, row, out, command, interrupted=interrupted)
    finally:
        made.close()
    output.say(f"{out}: {verdict}", file=out, games=row.games, verdict=verdict)


class _Limits(NamedTuple):
    """Where a run ends: after the files of recorded games if there are any, else at the first of
    so many games, so many seconds of training, and the verdict `until` ("": none).
    """

    games: int
    seconds: float
    until: str
    files: int

    def reached(self, row: "Row") -> bool:
        """Whether the run ends after this row."""
        if self.files:
            return row.updates >= self.files
        return self.share_done(row) == 1.0 or bool(self.until and getattr(row.verdict, self.until))

    def share_done(self, row: "Row") -> float:
        """Of the run as it is limited, in [0, 1]; it may end earlier, at `until`."""
        if self.files:
            return row.updates / self.files
        return min(1.0, max(row.games / self.games, row.seconds / self.seconds))


def _saved(learner: "Learner", row: "Row", out: Path, command: str, *, interrupted: bool) -> Any:
    """The agent into its file, then the final judge's verdict on it, which stands there too.

    Raises KeyboardInterrupt after the first of the two where Ctrl-C has ended the run.
    """
    from rlcourse.agents import save_agent
    from rlcourse.judges import final_judge

    # Saved before it is judged once more, which takes a minute where outside programs do it.
    command += ", and then Ctrl-C" if interrupted else ""
    trained, verdict = learner.agent(), f"{row.verdict}, after {row.games:,} games"
    save_agent(trained, out, command=command, verdict=verdict)
    ctrl_c.saving = False
    ctrl_c.sentence = f"{out} is the agent as it is, after {row.games:,} games or a few more"
    if interrupted:
        raise KeyboardInterrupt
    judge = final_judge(learner.game.name)
    final = judge(trained) if judge else row.verdict
    save_agent(trained, out, command=command, verdict=str(final))
    return final


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
    rows: "Iterator[Row]",
    learner: "Learner",
    pool: "RayPool | None",
    share_done: "Callable[[Row], float]",
) -> "tuple[Row, bool]":
    """Print the rows of a run to its end. Returns the last, and whether Ctrl-C came after it.

    share_done: of a row, the part of the whole run, in [0, 1]; from it follows the time left.
    """
    from tqdm.auto import tqdm

    shape = "{percentage:3.0f}%|{bar:30}| {elapsed}, at most {remaining} left"
    bar = tqdm(total=1.0, bar_format=shape)
    try:
        for row in rows:
            bar.update(share_done(row) - bar.n)
            output.say(
                f"{row.games:>10,} games  {row.seconds:7.1f} s  {row.verdict}", **row._asdict()
            )
            if pool and learner.chunks and row.updates:
                age = min(row.updates - 1, learner.chunks.ahead)
                output.say(f"{'':10} {pool.row()}; weights {age} updates old")
    except KeyboardInterrupt:
        return row, True
    finally:
        bar.close()
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
        output.say(
            f"ahead is {chunks.ahead}: at most {chunks.ahead + 1} chunks are played at a time, "
            "whatever the cluster; --set ahead=N keeps N actors busy"
        )
    return pool


@app.command(
    rich_help_panel=LEARN,
    epilog=examples(
        "evaluate deep-q",
        "evaluate bot.h5 --against tic-tac-toe/perfect --games 200",
        "evaluate go/policy-5x5 --save game.sgf",
    ),
)
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
    as_json: AsJson = False,
) -> None:
    """Judge an agent exactly where the game is solved, and play a match with a Wilson interval."""
    from tqdm.auto import tqdm

    from rlcourse.agents import agent_names, load_agent, make_agent
    from rlcourse.arena import play_match
    from rlcourse.judges import final_judge

    agent = next((name for name in agent_names() if name.partition("/")[2] == agent), agent)
    player = load_agent(agent)
    if save and player.game.name != "go":
        raise typer.BadParameter(f"games of Go are saved as SGF; {agent} plays {player.game}")
    judge = final_judge(player.game.name)
    if judge is not None:
        verdict = judge(player)
        output.say(f"{agent}: {verdict}", agent=agent, verdict=verdict)
    opponent = (
        load_agent(against, game=player.game) if against else make_agent("random", player.game)
    )
    with tqdm(total=games, unit="game") as bar:
        result = play_match(player, opponent, games=games, seed=seed, progress=bar.update)
    output.say(result, match=result, score_interval=result.score_interval())
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
    output.say(
        f"{path}: {first.name} (Black) and {second.name}, {last.verdict()}",
        file=path,
        verdict=last.verdict(),
    )


@app.command(
    rich_help_panel=STUDY,
    epilog=examples(
        "experiment list",
        "experiment afterstates",
        "experiment q-table --seeds 4 --workers 2 --folder rows",
    ),
)
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
    as_json: AsJson = False,
) -> None:
    """Run an experiment over many seeds into rlcourse/results; a run that was cut goes on."""
    from tqdm.auto import tqdm

    from rlcourse.experiments import EXPERIMENTS, experiment_of, run_experiment
    from rlcourse.results import FOLDER

    if name == "list":
        for entry in EXPERIMENTS.values():
            output.say(
                f"{entry.name:37} {entry.seeds:3} seeds  {entry.about}",
                name=entry.name,
                seeds=entry.seeds,
                about=entry.about,
            )
        return
    chosen = experiment_of(name)
    target = writable_folder(FOLDER if folder is None else folder)
    ctrl_c.sentence = (
        f"the rows that are done lie in {target}, and the same command goes on from there"
    )
    seeds = seeds or chosen.seeds
    rows = run_experiment(name, seeds=seeds, workers=workers, folder=target)
    for row in tqdm(rows, total=seeds, unit="seed"):
        facts = (f"{key} {value}" for key, value in row.items() if not isinstance(value, list))
        output.say(", ".join(facts), **row)


@app.command(
    rich_help_panel=STUDY,
    epilog=examples(
        "benchmark --quick",
    ),
)
def benchmark(
    quick: Annotated[bool, typer.Option("--quick", help="Two rounds of work, not five.")] = False,
    as_json: AsJson = False,
) -> None:
    """Say how many minutes each notebook takes on this computer."""
    from tqdm.auto import tqdm

    from rlcourse.benchmark import load_times, minutes_here, probe

    output.say("a fixed piece of work of each kind is timed, a minute or more ...")
    rounds = tqdm(range(2 if quick else 5), unit="round")
    for name, minutes in minutes_here(load_times(), probe(rounds)):
        output.say(f"{name:34} about {minutes:4.1f} minutes here", notebook=name, minutes=minutes)
