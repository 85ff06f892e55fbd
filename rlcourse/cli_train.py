"""`rlcourse train`: a learner plays, or reads recorded games, until it is judged good enough."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import chain, zip_longest
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

import typer
from typer.core import TyperCommand

from rlcourse.cli_arguments import parse_settings, writable_file
from rlcourse.cli_output import AsJson, examples, output
from rlcourse.cli_stop import ctrl_c

if TYPE_CHECKING:
    from typer._click import Context

    from rlcourse.distributed import RayPool
    from rlcourse.learning import Learner, Row

LEARN = "Train and judge a bot"
app = typer.Typer()
LearnerName = Annotated[
    str, typer.Argument(help="Which learner, such as q-table, afterstates, deep-q or td-gammon.")
]
AgentFile = Annotated[
    Path, typer.Option(help="Where the trained agent goes.", callback=writable_file)
]
Games = Annotated[int, typer.Option(min=1, help="Stop after so many games.")]
Seconds = Annotated[float, typer.Option(min=0.01, help="Stop after so many seconds of training.")]
Until = Annotated[
    str,
    typer.Option(
        help="Stop when the judge says so: perfect or unbeatable, where a game is solved."
    ),
]
Every = Annotated[
    int | None, typer.Option(help="Updates between two verdicts; default as suits the learner.")
]
Seed = Annotated[int, typer.Option(help="Same seed, same agent.")]
Checkpoint = Annotated[
    Path | None,
    typer.Option(help="File to continue from, and to write to.", callback=writable_file),
]
Begun = Annotated[
    Path | None,
    typer.Option(help="File of the agent to go on from; it names its network itself."),
]
Recorded = Annotated[
    list[Path],
    typer.Option(
        help="Files of `self-play` to learn from, instead of playing; one update each.",
        exists=True,
    ),
]
Settings = Annotated[list[str], typer.Option("--set", help="NAME=VALUE of the learner's config.")]
Cluster = Annotated[
    str,
    typer.Option(
        metavar="[ADDRESS]",
        help="Play on a Ray cluster: HOST:PORT, auto, or one made here. Same games.",
    ),
]
Actors = Annotated[
    int, typer.Option(help="Actors of the cluster; 0: as many as chunks and processors allow.")
]


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
    learner: LearnerName,
    out: AgentFile,
    games: Games = 1_000_000,
    seconds: Seconds = 60.0,
    until: Until = "",
    every: Every = None,
    seed: Seed = 0,
    checkpoint: Checkpoint = None,
    agent: Begun = None,
    experience: Recorded = [],  # noqa: B006
    setting: Settings = [],  # noqa: B006
    ray: Cluster = "",
    actors: Actors = 0,
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
    start = _Start(learner, seed, agent, experience, setting)
    made = start.learner()
    limits = _Limits(games, seconds, _goal(until, made.game.name), len(experience))
    every = 1 if experience else made.every if every is None else every
    pool = _ray_pool(made, ray, actors, experience) if ray else None
    rows = learning.train(
        made,
        until=limits.reached,
        judge=judge_of(made.game.name),
        every=every,
        seed=seed,
        checkpoint=checkpoint,
        experience=experience,
    )
    ctrl_c.sentence = f"nothing was learned yet, and {out} was not written"
    try:
        first = next(rows)
        ctrl_c.saving = True
        row, interrupted = _follow(chain([first], rows), made, pool, limits.share_done)
        stopped = f"--until {limits.until} --every {every}"
        command = start.command(stopped if limits.until else f"--games {row.games}")
        verdict = _saved(made, row, out, command, interrupted=interrupted)
    finally:
        made.close()
    output.say(f"{out}: {verdict}", file=out, games=row.games, verdict=verdict)


@dataclass(frozen=True)
class _Start:
    """What a run begins with.

    agent: the file that it goes on from. experience: files of recorded games, none: it plays its
    own. settings: NAME=VALUE of the learner's config.
    """

    name: str
    seed: int
    agent: Path | None
    experience: list[Path]
    settings: list[str]

    def learner(self) -> "Learner":
        """A new learner, or one that goes on from the agent."""
        from rlcourse.agents import load_agent
        from rlcourse.learning import learner_from, make_learner

        settings = parse_settings(self.settings)
        if "seed" in settings or "name" in settings:
            raise typer.BadParameter("the seed is --seed, and the learner the first argument")
        if self.agent:
            return learner_from(load_agent(self.agent), self.name, seed=self.seed, **settings)
        return make_learner(self.name, seed=self.seed, **settings)

    def command(self, stopped: str) -> str:
        """The call that makes the same agent again, without names of folders.

        stopped: the options that end a run without recorded games.
        """
        files = [f"--experience {path.name}" for path in self.experience]
        agent = [f"--agent {self.agent.name}"] if self.agent else []
        settings = [f"--set {pair}" for pair in self.settings]
        options = [f"--seed {self.seed}", *(files or [stopped]), *agent, *settings]
        return " ".join(["rlcourse train", self.name, *options])


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


def _ray_pool(learner: "Learner", address: str, actors: int, experience: list[Path]) -> "RayPool":
    """The actors that play for a learner from here on."""
    from rlcourse.distributed import RayPool

    chunks = learner.chunks
    if chunks is None or experience:
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
