"""The capstone: a player's duties are told apart, its release holds no secret, and it
goes from hand-in to ladder.
"""

import csv
import re
from io import StringIO
from itertools import count

import nbformat
import numpy as np
import pytest
from typer.testing import CliRunner

from rlcourse.agents import make_agent
from rlcourse.agents.function import FunctionAgent
from rlcourse.arena import play_match
from rlcourse.checks import answers10, get_sheet, oracle10, visible10
from rlcourse.checks.plain import Position
from rlcourse.checks.task import CONVENTION, Outcome
from rlcourse.cli import app
from rlcourse.games import IllegalMove, from_recipe, get_game
from rlcourse.grading import grade_file, launch_plain
from rlcourse.grading.answers import slip
from rlcourse.grading.box_copy import withheld_files
from rlcourse.grading.receipt import read_receipt
from rlcourse.hand_in import hand_in
from tests.grading.course import (
    CAPSTONE,
    Course,
    drawn_once,
    hidden_cases,
    make_course,
    run_all,
    run_here,
    with_cases_of,
)
from tests.grading.forked import launch_fork

SHEET = get_sheet(CAPSTONE)
GAME = get_game("connect-four")
TASKS = pytest.mark.parametrize("task", SHEET.tasks, ids=lambda task: task.name)
asks_the_hidden_cases = with_cases_of(CAPSTONE)
EXPERIMENT = (
    "def experiment():\n    print('a figure')\n\n\nsheet10.attempt('experiment', experiment)\n"
)
# Two players that keep all duties, by the rules and by the board
RIGHT, LINES = answers10.WHOLE, answers10.BOARD_WHOLE
WINS_ONLY = slip(RIGHT, ("(safe or moves)[0]", "moves[0]"))
# Players with a glaring hole, and the duties that it is found in.
HOLES = {
    **{
        f"no lines {way}": (slip(LINES, (way, "")), ("wins", "blocks"))
        for way in answers10.OVERLOOKED
    },
    "always the first player": (slip(LINES, ("1 + state.next_player", "1")), ("wins", "gifts")),
    "only stops": (slip(LINES, ("if four(after, own)", "if False")), ("wins",)),
    "wins, else the middle": (WINS_ONLY, ("blocks", "gifts")),
    "wins, else the edge": (slip(WINS_ONLY, ("moves[0]", "moves[-1]")), ("blocks", "gifts")),
    "wins, else the first": (slip(WINS_ONLY, ("moves[0]", "min(moves)")), ("blocks", "gifts")),
    "no move where all lose": (slip(RIGHT, ("(safe or moves)", "safe")), ("legal", "gifts")),
    "wins and stops": (answers10.FOURS, ("gifts",)),
}


def hidden(name, seed):
    return hidden_cases(CAPSTONE, name, seed)


def named(source):
    names = {}
    exec(source, names)
    return names["choose"]


def graded(source):
    return grade_file(SHEET, source, seed=0, launcher=launch_fork, cases=drawn_once(CAPSTONE))


@asks_the_hidden_cases
@TASKS
@pytest.mark.parametrize("seed", range(5))
def test_what_is_right_in_the_hidden_positions_is_right(task, seed):
    """Two players that keep the duties in different ways are right everywhere; and
    a random legal move is not.
    """
    rng = np.random.default_rng(seed)
    cases = hidden(task.name, seed)
    assert {from_recipe(case.args[0].recipe).next_player for case in cases} == {0, 1}
    assert f"{len(cases)} positions" in task.also_graded
    players = [named(RIGHT), named(LINES)]
    for case in cases:
        state = from_recipe(case.args[0].recipe)
        for player in players:
            assert task.judge(case, int(player(state))).score == 1.0, state
    if task.name != "legal":
        moves = [
            int(rng.choice(from_recipe(case.args[0].recipe).legal_moves())) for case in cases * 4
        ]
        assert any(
            task.judge(case, move).score < 1 for case, move in zip(cases * 4, moves, strict=True)
        )


@asks_the_hidden_cases
@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("way", ["(0, 1), ", "(1, 0), ", "(1, 1), ", ", (1, -1)"])
def test_a_player_who_overlooks_one_direction_fails(way, seed):
    """Rows, columns, and either diagonal: each comes in the hidden positions of every seed."""
    blind = named(LINES.replace(way, ""))
    for name in ("wins", "blocks"):
        task = SHEET.task(name)
        scores = [
            task.judge(case, int(blind(from_recipe(case.args[0].recipe)))).score
            for case in hidden(task.name, seed)
        ]
        assert min(scores) < 1, name


@asks_the_hidden_cases
@pytest.mark.parametrize(("source", "duties"), HOLES.values(), ids=HOLES)
def test_a_glaring_hole_is_found_by_the_visible_positions_and_by_the_hidden_ones(source, duties):
    player = named(source)

    def keeps(task, case):
        try:
            return task.judge(case, int(player(from_recipe(case.args[0].recipe)))).score == 1
        except IndexError:  # of a player that has no move left
            return False

    for task in map(SHEET.task, duties):
        for cases in (task.visible, *(hidden(task.name, seed) for seed in range(3))):
            assert not all(keeps(task, case) for case in cases), task.name


@asks_the_hidden_cases
@pytest.mark.parametrize("seed", range(5))
def test_a_fallback_into_a_full_column_fails(seed):
    """Kept duties do not hide it: some positions ask for nothing else, and in some all moves lose."""
    task = SHEET.task("legal")
    for choice in ("3", "moves[0] if safe else 3"):
        player = named(slip(RIGHT, ("(safe or moves)[0]", choice)))
        moves = [player(from_recipe(case.args[0].recipe)) for case in hidden(task.name, seed)]
        scores = map(task.judge, hidden(task.name, seed), map(int, moves))
        assert min(mark.score for mark in scores) < 1


@asks_the_hidden_cases
@pytest.mark.parametrize("seed", range(5))
def test_a_player_with_one_favourite_column_fails(seed):
    for column in range(7):
        scores = [SHEET.task("legal").judge(case, column).score for case in hidden("legal", seed)]
        assert min(scores) < 1


def test_the_oracle_agrees_with_the_rules():
    """A win is a stone of one's own that makes four, a threat a stone of the other
    player; seen on the board alone.
    """
    rng = np.random.default_rng(1)
    for state in [state for _ in range(12) for state in oracle10.random_game(rng)[7::5]]:
        assert not state.is_over()
        lines = named(LINES).__globals__
        own = 1 + state.next_player
        for stone, found in ((own, oracle10.wins(state)), (3 - own, oracle10.threats(state))):
            assert found == [
                m
                for m in state.legal_moves()
                if lines["four"](lines["drop"](state.board, m, stone), stone)
            ]


@TASKS
def test_the_positions_worked_by_hand(task, capsys):
    """The oracle agrees with them, and each mistake of the task is told in one of them."""
    cases = SHEET.visible_cases(task)
    for case in cases:
        state = from_recipe(case.args[0].recipe)
        good = {
            "legal": state.legal_moves(),
            "wins": oracle10.wins(state),
            "blocks": oracle10.threats(state),
            "gifts": [m for m in state.legal_moves() if m not in oracle10.gifts(state)]
            or state.legal_moves(),
        }[task.name]
        assert case.secret.right == list(good)
    marks = [
        task.judge(case, answer) for case in cases for answer in (*range(-1, 8), None, 2.0, True)
    ]
    told = {name for mark in marks for name in (mark.mistake, *mark.fits)}
    others = {name for name in told if name.startswith(CONVENTION)}  # answers to its variant
    assert told - others | {"imported"} == {"", *task.mistakes}
    SHEET.check(task.name, named(RIGHT))
    assert (
        SHEET.results.pop(task.name).outcome is Outcome.RIGHT
        and "visible cases are right" in capsys.readouterr().out
    )


@pytest.mark.parametrize(
    "answer", [None, "3", [3], 3.0, True, np.zeros(7), {}, -1, 7, 2**40], ids=repr
)
def test_no_answer_makes_a_check_raise(answer, capsys):
    for task in SHEET.tasks:
        SHEET.check(task.name, lambda state: answer)
        assert SHEET.results.pop(task.name).outcome is not Outcome.RIGHT


@asks_the_hidden_cases
@pytest.mark.slow
def test_players_that_keep_all_duties_earn_everything():
    for source in (RIGHT, LINES):
        report = graded(source)
        assert report.points == 50, [result.message for result in report.results]


@pytest.mark.parametrize(
    "crib",
    [
        "from rlcourse.solvers.connect_four import solver\n\n"
        "def choose(state):\n    scores = solver().move_scores(state)\n    return max(scores, key=scores.get)\n",
        "from rlcourse.agents import load_agent\n\n"
        "def choose(state):\n"
        "    return load_agent('connect-four/alphazero').select_move(state)\n",
        "from rlcourse.checks.visible10 import duties\n\n"
        "def choose(state):\n    return min(m for m, d in duties(state).items() if not d)\n",
    ],
    ids=["the solver", "a trained player", "the judge of a trial"],
)
def test_what_is_no_player_of_one_s_own_is_locked(crib):
    for task in SHEET.tasks:
        SHEET.check(task.name, named(crib))
        assert SHEET.results.pop(task.name).mistake == "imported"


@asks_the_hidden_cases
@pytest.mark.slow
def test_the_grader_locks_it_as_well():
    """A search is a player of one's own; a trained player is not, wherever it is loaded."""
    load = "from rlcourse.agents import load_agent\nbot = load_agent('connect-four/{}')\n\n"
    play = "def choose(state):\n    return bot.select_move(state)\n"
    report = graded(load.format("uct") + play)
    assert report.results[0].outcome is Outcome.RIGHT
    report = graded(load.format("alphazero") + play)
    assert report.points == 0 and "withheld" in " ".join(report.notes)


def test_neither_the_solver_nor_a_trained_player_is_in_the_box():
    files = withheld_files(name for task in SHEET.tasks for name in task.withheld)
    assert {path.name for path in files} >= {"connect_four.py", "shipped.py", "alphazero.h5"}


def test_the_duties_of_a_trial_are_those_of_the_oracle():
    rng = np.random.default_rng(2)
    for state in [state for _ in range(12) for state in oracle10.random_game(rng)[5::4]]:
        found, legal = visible10.duties(state), state.legal_moves()
        wins, threats, gifts = (f(state) for f in (oracle10.wins, oracle10.threats, oracle10.gifts))
        assert list(found) == list(legal)
        kept = [move for move in legal if not found[move]]
        safe = [move for move in legal if move not in gifts]
        assert kept == list(wins or safe or legal)
        neglected = set(found.values()) - {""}
        assert neglected <= ({"wins"} if wins else {"blocks"} if threats else {"gifts"})


def test_a_trial_names_the_neglected_duty_with_game_and_ply(capsys):
    visible10.trial(named(slip(WINS_ONLY, ("moves[0]", "moves[-1]"))))
    said = capsys.readouterr().out
    assert "Win when you can: asked for in " in said and "never neglected" in said
    found = re.search(
        r"Stop what can be stopped: neglected in (\d+) of (\d+) positions; "
        r"first in game (\d+), ply (\d+), where column [a-g] was played:\n6 ",
        said,
    )
    neglected, asked, game, ply = map(int, found.groups())
    assert 0 < neglected <= asked and 1 <= game <= 40 and 1 <= ply <= 42


def test_trial_says_how_good_and_how_slow(capsys):
    visible10.trial(named(RIGHT), games=20)
    said = capsys.readouterr().out
    won = int(re.search(r"(\d+) of 20 games won, 95% interval \d+% to \d+%", said)[1])
    assert won >= 18 and "That is better than random play" in said and "Seconds a move" in said
    visible10.trial(named("def choose(state):\n    raise NotImplementedError()\n"))
    assert capsys.readouterr().out == "choose is not written yet.\n"
    with pytest.raises(ZeroDivisionError):
        visible10.trial(named("def choose(state):\n    return 1 / 0\n"))


def test_a_trial_says_of_a_player_who_takes_too_long_that_they_lose(capsys, monkeypatch):
    clock = count(step=100)
    monkeypatch.setattr(visible10.time, "process_time", lambda: next(clock))
    visible10.trial(named(RIGHT), games=2)
    assert "Too slow: in the tournament this player runs out of time" in capsys.readouterr().out


def test_a_float_is_told_from_the_column_that_it_equals(capsys):
    SHEET.check("legal", lambda state: 3.0)
    assert "Got 3.0." in capsys.readouterr().out
    SHEET.results.clear()


def test_a_function_is_a_player():
    lowest = FunctionAgent(GAME, lambda state: np.array(state.legal_moves()[0]))
    result = play_match(lowest, make_agent("random", GAME), games=20, seed=0)
    assert result.games == 20 and result.forfeits == (0, 0) and lowest.asked >= 80
    assert lowest.select_move(from_recipe("connect-four:000000")) == 1
    with pytest.raises(IllegalMove):
        FunctionAgent(GAME, lambda state: None).select_move(GAME.new_game())


# --- the notebook ---------------------------------------------------------------------------------


def test_points_and_cells_of_the_sheet():
    items = [*SHEET.tasks, *SHEET.manual]
    assert sum(item.points for item in items) == 100
    notebook = nbformat.read(Course(CAPSTONE).source, 4)
    graded = [cell for cell in notebook.cells if cell.metadata.nbgrader.grade]
    points = {cell.id.removeprefix("check-"): cell.metadata.nbgrader.points for cell in graded}
    assert points == {item.name: item.points for item in items}
    assert notebook.metadata["rlcourse"]["sheet"] == CAPSTONE
    text = "\n".join(cell.source for cell in notebook.cells)
    for task in SHEET.tasks:
        assert (
            f"*{task.points} points, {task.minutes} minutes, "
            f"{['easy', 'medium', 'hard'][task.difficulty - 1]}*" in text
        )


def test_the_students_version_holds_no_solution_and_no_hidden_position():
    source, release = (
        path.read_text("utf-8") for path in (Course(CAPSTONE).source, Course(CAPSTONE).release)
    )
    for trace in (
        "HIDDEN",
        "SOLUTION",
        "sheet10.grade",
        "good = safe or moves",
        "random games hardly ever find",
    ):
        assert trace in source and trace not in release, trace
    files = {path.name: path.read_text("utf-8") for path in Course(CAPSTONE).students_files()}
    assert set(files) == {"tasks.py", "visible.py", "visible.json"}
    assert "random_game" not in "".join(files.values())


@pytest.mark.slow
@pytest.mark.timeout(900)
def test_from_release_to_hand_in_and_points(tmp_path, monkeypatch):
    """The committed release is what its source generates; filled in it runs, is handed in, and
    graded in its own process.
    """
    made = make_course(CAPSTONE, tmp_path / "course")
    assert (made.folder / "exercises" / CAPSTONE / made.source.name).read_text(
        "utf-8"
    ) == made.release.read_text("utf-8")
    monkeypatch.chdir(tmp_path)
    fresh = run_here(Course(CAPSTONE).fill({}))
    assert "choose is not written yet" in fresh["trial"] and "not started" in fresh["check-legal"]
    filled = Course(CAPSTONE).fill({"choose": RIGHT, "experiment": EXPERIMENT}, "A report.")
    said = run_all(filled, tmp_path)
    for cell, words in {
        "check-gifts": "visible cases are right",
        "trial": "40 games won",
        "experiment": "a figure",
    }.items():
        assert words in said[cell]
    path = tmp_path / "10_capstone.ipynb"
    nbformat.write(filled, path)
    receipt = hand_in(CAPSTONE, name="Ada", notebook=path, folder=tmp_path / "hand-ins")
    assert "Ada" in str(receipt)
    (handed,) = (tmp_path / "hand-ins").glob("*.ipynb")
    assert read_receipt(handed.read_bytes()).intact
    report = grade_file(SHEET, handed.read_bytes(), seed=3, launcher=launch_plain)
    assert report.points == 50 and report.notes == (), report.notes
    assert isinstance(SHEET.tasks[0].visible[0].args[0], Position)


@pytest.mark.slow
@pytest.mark.timeout(900)
def test_a_class_s_players_reach_the_gradebook(tmp_path):
    """Four duties are judged on one cell: it is what is compared between students, and what
    the person who marks sees.
    """
    players = {
        "ada": RIGHT,
        "bob": LINES,
        "copy": RIGHT,
        "cy": WINS_ONLY,
        "none": None,
    }
    for student, source in players.items():
        (tmp_path / "in" / student).mkdir(parents=True)
        answers = ({"choose": source, "experiment": EXPERIMENT}, "A report.") if source else ({},)
        nbformat.write(Course(CAPSTONE).fill(*answers), tmp_path / "in" / student / "10.ipynb")
    out = tmp_path / "out"
    arguments = [
        "--submissions",
        tmp_path / "in",
        "--out",
        out,
        "--yes",
        "--without-a-box",
        "I-trust-every-hand-in",
    ]
    result = CliRunner().invoke(app, ["grade", CAPSTONE, *map(str, arguments)])
    assert result.exit_code == 0, result.output
    text = (out / "class" / CAPSTONE / "scores.csv").read_text(encoding="utf-8-sig")
    rows = {row["id"]: row for row in csv.DictReader(StringIO(text))}
    points = {student: [row[task.name] for task in SHEET.tasks] for student, row in rows.items()}
    assert points["ada"] == points["bob"] == points["copy"] == ["10", "10", "15", "15"]
    assert points["cy"] == ["10", "10", "0", "0"] and points["none"] == ["0"] * 4
    alike = "all answers are letter for letter those of "
    copies = {
        student: [part for part in row["look_at"].split("; ") if alike in part]
        for student, row in rows.items()
    }
    assert copies == {
        "ada": [f"{alike}copy"],
        "bob": [],
        "copy": [f"{alike}ada"],
        "cy": [],
        "none": [],
    }
    page = (out / "class" / CAPSTONE / "feedback" / "bob.html").read_text("utf-8")
    assert page.count("<summary>Your code</summary>") >= 4 and "def open_columns(board):" in page
    (shown,) = (out / "autograded" / "bob" / CAPSTONE).glob("*.ipynb")
    assert "def open_columns(board):" in next(
        cell.source for cell in nbformat.read(shown, 4).cells if cell.id == "choose"
    )
