"""The command line as a user meets it, and experiments that are cut and go on."""

import json
import shlex
from io import StringIO
from pathlib import Path

import numpy as np
import pytest
from click import Command
from sgfmill import sgf
from typer.main import get_command
from typer.testing import CliRunner

from rlcourse.agents import load_agent, make_agent
from rlcourse.cli import PLAY, app
from rlcourse.cli_learn import STUDY
from rlcourse.cli_output import plain
from rlcourse.cli_teach import TEACH
from rlcourse.cli_train import LEARN
from rlcourse.experiments import EXPERIMENTS, run_experiment
from rlcourse.games import get_game
from rlcourse.gtp.sgf import from_sgf
from rlcourse.judges.tictactoe import judge
from rlcourse.results import FOLDER, load_results
from tests.notebooks.claims import register
from tests.notebooks.history import deleted_arms
from tests.unit.in_process import exit_code
from tests.unit.killed_runs import assert_it_goes_on, killed, settings

SHEET_1 = Path(__file__).resolve().parents[2] / "exercises/01/01_sampling_and_clipping.ipynb"


@pytest.mark.slow
def test_train_evaluate_and_go_on(tmp_path, monkeypatch, capfd):
    bot, checkpoint = str(tmp_path / "bot.h5"), str(tmp_path / "run.h5")
    train = ["train", "q-table", "--out", bot, "--checkpoint", checkpoint]
    code, first = exit_code(monkeypatch, *train, "--games", "2000"), capfd.readouterr()
    assert code == 0 and "2,000 games" in first.out, first.err
    code, second = exit_code(monkeypatch, *train), capfd.readouterr()
    assert code == 0 and second.out.splitlines()[0].split()[0] == "2,000", second.err
    assert judge(load_agent(bot)).perfect
    code, result = exit_code(monkeypatch, "evaluate", bot, "--games", "100"), capfd.readouterr()
    assert code == 0 and "0 losing lines, best move in 4,520 of 4,520" in result.out
    assert "100 games" in result.out


def test_evaluate_saves_a_game_of_go(tmp_path, monkeypatch, capsys):
    """Read by sgfmill: the names, as many moves as were played, and the result that is printed."""
    monkeypatch.setattr("rlcourse.judges.final_judge", lambda game: None)
    path = tmp_path / "new" / "game.sgf"
    run = [*"evaluate go/random --against go/policy-5x5 --games 2 --save".split(), str(path)]
    assert CliRunner().invoke(app, run).exit_code == 0
    record = sgf.Sgf_game.from_bytes(path.read_bytes())
    assert [record.get_player_name(colour) for colour in "bw"] == ["random", "policy"]
    last = from_sgf(path.read_text())[-1]
    assert last.is_over() and last.moves and record.get_winner() == {1: "b", -1: "w"}[last.winner()]
    run = ["evaluate", "tic-tac-toe/perfect", "--games", "2", "--save", str(tmp_path / "x.sgf")]
    refused = CliRunner().invoke(app, run)
    assert refused.exit_code == 2 and not (tmp_path / "x.sgf").exists()


@killed
def test_a_run_that_is_killed_goes_on_as_if_nothing_had_happened(monkeypatch, tmp_path):
    few = "--until perfect --every 100 --seed 3 --games 4000".split()
    slowly = settings("compiled=false")
    assert_it_goes_on(monkeypatch, tmp_path, "q-table", *few, *slowly, pause=0.1)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["train", "q-tabel", "--out", "x.h5"], "no learner 'q-tabel', did you mean 'q-table'?"),
        (
            ["train", "q-table", "--out", "x.h5", "--set", "alhpa=1"],
            "no setting 'alhpa', did you mean 'alpha'?",
        ),
        (["train", "q-table", "--out", "x.h5", "--set", "alpha"], "NAME=VALUE"),
        (
            ["train", "q-table", "--out", "x.h5", "--games", "0"],
            "'--games': Input should be greater",
        ),
        (
            ["train", "q-table", "--out", "x.h5", "--seconds", "0"],
            "'--seconds': Input should be greater",
        ),
        (["evaluate", "no-such-bot"], "neither a file nor the name of an agent"),
        (["evaluate", "tic-tac-toe/perfect", "--games", "7"], "even number"),
        (["evaluate", "tic-tac-toe/perfct"], "did you mean 'tic-tac-toe/perfect'?"),
        (["experiment", "no-such-thing"], "no experiment"),
        (["experiment", "cliff-sars"], "did you mean 'cliff-sarsa'?"),
        (["new-agent", "x.h5", "--encoder", "simpel"], "did you mean 'simple'?"),
        (["new-agent", "x.h5", "--network", "go-smal"], "did you mean 'go-small'?"),
    ],
)
def test_a_mistake_is_one_clear_message(arguments, message, tmp_path, monkeypatch, capfd):
    monkeypatch.chdir(tmp_path)
    code, printed = exit_code(monkeypatch, *arguments), capfd.readouterr().err
    assert code != 0 and message in printed and "Traceback" not in printed
    assert not list(tmp_path.iterdir())


def commands() -> dict[str, Command]:
    """Those of a group by both names, such as "hub init"."""
    flat = {}
    for name, command in get_command(app).commands.items():
        inner = getattr(command, "commands", {})
        flat |= {f"{name} {word}": each for word, each in inner.items()} or {name: command}
    return flat


@pytest.mark.parametrize("name", commands())
def test_the_examples_of_every_command_are_calls_that_it_takes(name, tmp_path, monkeypatch):
    """Read by the command itself, which refuses options and sheets that are not there."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "games.h5").touch()
    monkeypatch.setattr("sys.stdin", StringIO("Ada\n"))  # `hand-in` asks for a name
    heading, *calls = commands()[name].epilog.split("\n\n")
    assert heading == "Examples:" and calls
    for call in calls:
        begin, words = ["rlcourse", *name.split()], shlex.split(call)
        assert words[: len(begin)] == begin
        words = words[len(begin) :]
        commands()[name].make_context(name, words)


def test_the_help_shows_examples_and_groups_for_everyone():
    shown = CliRunner().invoke(app, ["--help"]).output
    groups = [shown.index(group) for group in (PLAY, LEARN, STUDY, TEACH)]
    assert groups == sorted(groups)
    shown = CliRunner().invoke(app, ["evaluate", "--help"]).output
    assert "rlcourse evaluate deep-q" in shown


AS_JSON = {
    "new-agent agent.h5 --size 3": {"file", "network", "weights", "game"},
    "train q-table --out bot.h5 --games 2000": {"file", "games", "verdict"},
    "evaluate tic-tac-toe/perfect --games 10": {"match", "score_interval"},
    "experiment list": {"name", "seeds", "about"},
    "release 1 --out course.zip": {"file", "packed"},
    "page --out page.html": {"file", "bytes"},
    f"hand-in 1 --name A --folder made --notebook {SHEET_1}": {"sheet", "receipt", "file", "notes"},
}


SERVE = {"play", "gtp", "hub start"}  # until they are ended; their end has no result


@pytest.mark.parametrize("name", sorted({*commands()} - SERVE))
def test_every_command_with_a_result_prints_it_as_json(name):
    assert any("--json" in option.opts for option in commands()[name].params)


@pytest.mark.slow
@pytest.mark.parametrize("call", AS_JSON)
def test_with_json_every_line_is_an_object(call, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    result = CliRunner().invoke(app, [*call.split(), "--json"])
    assert result.exit_code == 0, result.output
    rows = [json.loads(line) for line in result.stdout.splitlines()]
    assert AS_JSON[call] <= rows[-1].keys()


def test_a_verdict_as_json_has_the_figures_of_its_sentence(tmp_path, monkeypatch):
    """Of random tables: what the judge counts, under the judge's own names."""
    agent = make_agent("random", get_game("tic-tac-toe"), seed=1)
    verdict = judge(agent)
    read = json.loads(json.dumps(plain(verdict)))
    assert read["losing_lines"] == verdict.first.lost + verdict.second.lost
    assert read["first"] == {
        "lost": verdict.first.lost,
        "drawn": verdict.first.drawn,
        "won": verdict.first.won,
    }
    assert plain({"a": np.float32(0.5), "b": (1, np.nan), "c": np.arange(2)}) == {
        "a": 0.5,
        "b": [1, None],
        "c": [0, 1],
    }


@pytest.mark.slow
def test_an_experiment_that_was_cut_goes_on(tmp_path):
    rows = run_experiment("afterstates", seeds=2, folder=tmp_path)
    next(rows)
    rows.close()
    stored = json.loads((tmp_path / "afterstates.json").read_text())
    assert 1 <= len(stored["rows"]) <= 2
    list(run_experiment("afterstates", seeds=2, folder=tmp_path))
    after = load_results("afterstates", tmp_path)
    assert [row["seed"] for row in after["rows"]] == [
        0,
        1,
    ] and "rlcourse experiment afterstates" in after["command"]
    assert stored["rows"][0] in after["rows"]


PERFECT_ON_EVERY_SEED = ("q-table", "q-table-no-symmetry", "afterstates", "deep-q")


@pytest.mark.parametrize("name", [*PERFECT_ON_EVERY_SEED, "afterstates-classic", "q-table-source"])
def test_the_stored_rows_hold_what_the_lessons_claim(name):
    rows = load_results(name)["rows"]
    assert [row["seed"] for row in rows] == list(range(EXPERIMENTS[name].seeds))
    if name in PERFECT_ON_EVERY_SEED:
        assert len(rows) == 40 and all(row["perfect_at"] for row in rows)
        assert max(row["perfect_at"] for row in rows) <= {
            "afterstates": 5_000,
            "deep-q": 30_000,
        }.get(name, 100_000)
    else:
        assert not any(row["perfect_at"] for row in rows)


@pytest.mark.parametrize("path", sorted(FOLDER.glob("*.json")), ids=lambda path: path.stem)
def test_stored_rows_say_where_they_come_from(path):
    stored = load_results(path.stem)
    deleted = {arm for _, arm in deleted_arms(register())}
    assert path.stem in EXPERIMENTS.keys() ^ deleted
    assert f"rlcourse experiment {path.stem} " in stored["command"]
    assert (
        stored["machine"]["processor"]
        and len({row["seed"] for row in stored["rows"]}) == len(stored["rows"]) > 0
    )


@pytest.mark.slow
@pytest.mark.parametrize("name", ["q-table", "afterstates", "afterstates-own-next-all-moves"])
def test_one_seed_repeats_its_stored_row(name):
    stored = next(row for row in load_results(name)["rows"] if row["seed"] == 5)
    again = EXPERIMENTS[name].run(5)
    # Tables are updated by sums and products of float64 in a fixed order: equal on every machine.
    assert {k: v for k, v in again.items() if "seconds" not in k} == {
        k: v for k, v in stored.items() if "seconds" not in k
    }


def test_results_that_are_missing_name_the_command():
    with pytest.raises(FileNotFoundError, match="rlcourse experiment nothing"):
        load_results("nothing")
