"""The commands that train and judge: `rlcourse new-agent | self-play | evaluate | experiment |
benchmark`; `train` stands in `cli_train`.
"""

from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from rlcourse.atomic import write_atomically
from rlcourse.cli_arguments import parse_settings, writable_file, writable_folder
from rlcourse.cli_output import AsJson, examples, output
from rlcourse.cli_stop import ctrl_c
from rlcourse.cli_train import LEARN

if TYPE_CHECKING:
    from rlcourse.agents import BatchAgent

STUDY = "Repeat a figure of the course"
NetworkSettings = Annotated[list[str], typer.Option("--set", help="NAME=VALUE of the network.")]
app = typer.Typer()


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
    settings = parse_settings(setting)
    try:
        agent = kind.untrained(game, network=network, encoder=encoder, seed=seed, **settings)
    except TypeError as error:  # a name that the options or the board give already
        raise typer.BadParameter(f"--set: {error}") from None
    board = f"--size {size} --komi {komi:g}"
    made = f"{board} --network {network} --encoder {encoder} --seed {seed}"
    changed = "".join(f" --set {pair}" for pair in setting)
    save_agent(agent, out, command=f"rlcourse new-agent {made}{changed}")
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
    epilog=examples("self-play go/policy-5x5 --out games.h5 --games 512"),
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
    parts, unit = (len(chosen.arms), "arm") if chosen.arms else (1, "seed")
    for row in tqdm(rows, total=seeds * parts, unit=unit):
        facts = (f"{key} {value}" for key, value in row.items() if not isinstance(value, list))
        output.say(", ".join(facts), **row)


@app.command(rich_help_panel=STUDY, epilog=examples("benchmark --quick"))
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
