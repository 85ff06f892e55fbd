"""Handed-in players: what each does wrong costs its own games, and nothing that comes out
of its process is believed.
"""

import csv
import json
import re
import sys
import time
import zipfile
from unittest.mock import Mock

import numpy as np
import pytest
from typer.testing import CliRunner

from rlcourse.agents import load_agent, make_agent, save_agent
from rlcourse.arena import Forfeit, play_games, play_match
from rlcourse.cli import app
from rlcourse.games import get_game
from rlcourse.grading import launch_plain, tournament
from rlcourse.grading.contender import Clock, Contender
from rlcourse.grading.meter import processor_seconds
from rlcourse.grading.policy import make_policy
from rlcourse.grading.tournament import bots, entrants, hold, seated
from rlcourse.round_robin import round_robin
from tests.grading.forked import launch_fork
from tests.grading.test_box import boxes_or_skip
from tests.grading.variants import written_out
from tests.wrong_answers.trial import notebook

GAME = get_game("connect-four")
LOWEST = "def choose(state):\n    return state.legal_moves()[0]\n"
ALL = np.arange(6)
RNG = np.random.default_rng(0)
SHORT = Clock(longest=0.5, spare=60.0, busy=15.0)
SLEEPS = Clock(longest=0.5, spare=60.0)  # a sleeper is waited for `busy` seconds, twice


def positions(count=6, plies=6, game=GAME):
    """A batch after some random plies; game k has a stone on column k's bottom."""
    batch = game.new_batch(count)
    rng = np.random.default_rng(5)
    for ply in range(plies):
        actions = (
            np.arange(count) % 7
            if ply == 0
            else [rng.choice(np.flatnonzero(row)) for row in batch.legal()]
        )
        batch.step(np.array(actions))
    return batch


PATIENT = Clock(start=120.0, longest=10.0, spare=60.0, busy=20.0)  # for tests on a busy machine


def contender(source, clock=PATIENT, game=GAME, launcher=launch_fork):
    player = Contender(
        game, "x", source.encode() if isinstance(source, str) else source, launcher, clock
    )
    player.begin(0)
    return player


def told(player, batch, rows=ALL):
    """(actions, words) of a player."""
    try:
        return player.decide(batch, rows, RNG).action, {}
    except Forfeit as forfeit:
        return forfeit.action, forfeit.reasons
    finally:
        player.rest()


@pytest.mark.parametrize(
    "game", [GAME, get_game("go", size=5), get_game("tic-tac-toe")], ids=lambda game: game.name
)
def test_it_sees_the_position_and_plays_in_it(game):
    """Its moves are those of the same rule applied outside, also in Go,
    where a move is no number.
    """
    batch = positions(70, 3, game)  # more than go into one question
    source = "def choose(state):\n    return state.legal_moves()[state.next_player + 1]\n"
    actions, words = told(contender(source, game=game), batch, np.arange(5, 70))
    expected = [
        game.action(batch.state(row).legal_moves()[batch.to_play[row] + 1]) for row in range(5, 70)
    ]
    assert actions.tolist() == expected and words == {}


def test_a_stored_agent_plays_as_it_does_here(tmp_path):
    agent = make_agent("uct", GAME, simulations=30)
    save_agent(agent, tmp_path / "agent.h5")
    player = contender((tmp_path / "agent.h5").read_bytes())
    done = round_robin({"stored": player, "random": make_agent("random", GAME)}, games=10)
    assert done.counts()[0][0, 1] >= 8 and done.forfeits() == {}
    save_agent(make_agent("random", get_game("tic-tac-toe")), tmp_path / "other.h5")
    _, words = told(contender((tmp_path / "other.h5").read_bytes()), positions())
    assert set(words) == set(range(6)) and "plays tic-tac-toe, not connect-four" in words[0]
    _, words = told(contender(b"\x89HDF\r\n\x1a\nnothing"), positions())
    assert "agent.h5" in words[0]


def test_a_copy_of_a_player_that_the_course_has_trained_does_not_play(tmp_path):
    """Whatever its settings: what it has learned is not the student's."""
    agent = load_agent("connect-four/alphazero")
    options = agent.options() | {"simulations": 3}
    save_agent(make_agent(agent.name, GAME, agent.arrays(), **options), tmp_path / "agent.h5")
    _, words = told(contender((tmp_path / "agent.h5").read_bytes()), positions())
    assert set(words) == set(range(6)) and "that the course has trained" in words[0]


ODD = {
    "raise KeyError('d1 is taken')": "KeyError: 'd1 is taken'",
    "return None": "IllegalMove: a move in connect-four is a number from 0 to 6; got None",
    "return '\\x1b[31m3'": "IllegalMove: a move in connect-four is a number",
    "return True": "IllegalMove",
    "return 2**70": "OverflowError",
    "raise NotImplementedError": "NotImplementedError",
}


def test_what_goes_wrong_in_one_position_loses_that_game_alone():
    """Game k began in column k: six of them go wrong, each in its own way,
    and the seventh is played.
    """
    lines = [f"    if state.board[5, {k}] == 1: {body}\n" for k, body in enumerate(ODD)]
    batch = GAME.new_batch(7)
    for k in range(7):
        batch.load(k, GAME.new_game().apply_move(k))
    actions, words = told(
        contender(f"def choose(state):\n{''.join(lines)}    return 6\n"), batch, np.arange(7)
    )
    assert set(words) == set(range(6)) and actions.tolist() == [-1] * 6 + [6]
    assert all(expected in words[k] for k, expected in enumerate(ODD.values())), words
    assert all(word.isprintable() and not word.endswith(":") for word in words.values())


@pytest.mark.slow
@pytest.mark.parametrize(
    ("body", "expected", "clock"),
    [
        ("import sys; sys.exit(3)", "SystemExit", SHORT),
        ("import os; os._exit(3)", "crashed: its process ended", SHORT),
        ("import time; time.sleep(10_000)", "took longer than 0.5 seconds", SLEEPS),
        ("[None for _ in iter(int, 1)]", "took longer than 0.5 seconds", SHORT),
    ],
)
def test_what_ends_the_process_or_the_time_is_found_alone(body, expected, clock):
    """Game 3 alone has a stone on d1, and is found by asking each position alone."""
    batch = GAME.new_batch(6)
    for k in range(6):
        batch.load(k, GAME.new_game().apply_move(k))
    source = f"def choose(state):\n    if state.board[5, 3] == 1: {body}\n    return state.legal_moves()[0]\n"
    actions, words = told(contender(source, clock), batch)
    assert set(words) == {3} and expected in words[3]
    assert actions.tolist() == [0, 0, 0, -1, 0, 0]


def test_an_illegal_number_is_told_by_the_referee():
    player = contender("def choose(state):\n    return 9\n")
    played = play_games(
        [player, make_agent("random", GAME)], np.array([[0, 1], [1, 0]]), [RNG, RNG]
    )
    player.rest()
    assert played.culprit.tolist() == [0, 0] and set(played.reasons.values()) == {
        "played 9, which is not legal"
    }


@pytest.mark.slow
@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("def pick(state):\n    return 1\n", "there is no function choose in the hand-in"),
        ("choose = 5\n", "there is no function choose when the cells"),
        ("import nowhere\n\nchoose = nowhere.choose\n", "cell 1 raised ModuleNotFoundError"),
        ("{", "the notebook is damaged"),
        (
            "while True: pass\n\ndef choose(state):\n    return 3\n",
            "cell 1 took more than 3 seconds",
        ),
    ],
)
def test_who_cannot_play_at_all_says_why(source, expected):
    player = contender(source, Clock(start=3.0, busy=30.0))
    player._launcher = Mock(wraps=launch_plain)
    for _ in range(3):
        _, words = told(player, positions())
        assert set(words) == set(range(6)) and expected in words[0]
    assert player._launcher.call_count <= 2  # it is not tried anew for every question


def test_a_clock_runs_down_and_is_full_in_the_next_block():
    wait = "    end = time.process_time() + 0.02\n    while time.process_time() < end: pass\n"
    spin = f"import time\ndef choose(state):\n{wait}    return 3\n"
    player = contender(spin, Clock(move=0.005, spare=0.1, longest=30.0, busy=50.0))
    for _ in range(2):
        player.begin(0)
        actions, words = told(player, positions(70), np.arange(70))
        assert (actions[:64] == 3).all() and set(words) == set(range(64, 70))
        assert re.fullmatch(
            r"out of time: \d+ seconds for 64 moves; 0.005 seconds .* 0.1 to spare", words[64]
        )


@pytest.mark.slow
def test_who_crashes_too_often_is_out():
    player = contender(
        "import os\ndef choose(state):\n    os._exit(1)\n", Clock(deaths=3, busy=50.0)
    )
    for number in range(3):
        player.begin(number)
        _, words = told(player, positions())
        assert len(words) == 6
    assert words[0].startswith(
        "out: too many of its processes crashed or hung; the last one crashed"
    )
    assert contender(LOWEST).digest != contender(LOWEST, Clock(move=1)).digest


@pytest.mark.slow
def test_the_rest_of_a_crowded_machine_costs_a_player_nothing():
    """Its clock is the processor's: waiting by the wall costs a fifth, as long as no process is
    asked to be idle for ever.
    """
    sleeper = "import time\ndef choose(state):\n    time.sleep(0.1)\n    return 0\n"
    player = contender(sleeper, Clock(move=0.03, spare=0.5, longest=20.0))
    _actions, words = told(player, positions(20), np.arange(20))
    if processor_seconds(launch_plain()) is not None:
        assert words == {} and player.used < 1.5


@pytest.mark.slow
def test_who_goes_on_thinking_while_others_are_asked_is_charged_for_it():
    ponderer = "import threading\ndef think():\n    while True: pass\n"
    ponderer += "threading.Thread(target=think, daemon=True).start()\n" + LOWEST
    player = contender(ponderer, Clock(spare=1e9), launcher=launch_plain)
    try:
        player.decide(positions(), ALL, RNG)
        process, before = player._session._channel.process, player.used
        if (start := processor_seconds(process)) is None:
            pytest.skip("this system does not tell the processor's seconds of a process")
        while processor_seconds(process) < start + 0.5:
            time.sleep(0.01)
        player.decide(positions(), ALL, RNG)
        assert player.used >= before + 0.5
    finally:
        player.rest()


FORGED = {
    "shouts a frame": "shout(frame([np.zeros(6, np.int64), [''] * 6], 0))",
    "another shape": "import numpy as np; A.rlcourse_moves = lambda arrays: (np.zeros(99, "
    "np.int64), [''] * 99)",
    "huge": "import numpy as np; A.rlcourse_moves = lambda arrays: (np.zeros(10**6), [''] * 6)",
    "words of another kind": "A.rlcourse_moves = lambda arrays: "
    "(np.zeros(len(arrays['done']), int), [[]] * 6)",
    "no pair": "A.rlcourse_moves = lambda arrays: 7",
    "a dict": "A.rlcourse_moves = lambda arrays: {'points': 1}",
}
HEAD = """
import os, sys, __main__ as A
def frame(answer, nonce):
    from rlcourse.checks import plain
    return plain.encode({"nonce": nonce, "status": "answer", "answer": answer, "error": ""})
def shout(data):
    for fd in range(3, 32):
        try:
            if os.readlink(f"/proc/self/fd/{fd}").startswith("pipe"): os.write(fd, data)
        except OSError: pass
"""


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="the attack looks for its pipes in /proc")
@pytest.mark.parametrize("name", FORGED)
def test_forged_answers_lose_the_games_and_break_nothing(name):
    source = (
        f"{HEAD}\ndef choose(state):\n    import numpy as np\n    {FORGED[name]}\n    return 0\n"
    )
    player = contender(source, Clock(longest=0.5, deaths=2, busy=30.0), launcher=launch_plain)
    done = round_robin(
        {"forger": player, "a": make_agent("random", GAME), "b": make_agent("random", GAME)},
        games=2,
    )
    assert (
        set(done.forfeits()) <= {"forger"}
        and (done.culprit[(done.seats != 0).all(axis=0)] == -1).all()
    )
    lost = done.culprit == 0
    assert (done.points[lost] == np.where(done.seats[0, lost] == 0, -1, 1)).all()


# --- the class ------------------------------------------------------------------------------------


@pytest.fixture
def handed(tmp_path):
    """A class: a notebook, a module, a stored agent beside a notebook, two attempts, a picture."""
    folder = tmp_path / "class"
    for name, files in {
        "ada": {"10.ipynb": notebook([LOWEST])},
        "bob": {"10.ipynb": notebook(["def choose(state):\n    return 9\n"]), "notes.txt": "words"},
        "cy": {"player.py": "def choose(state):\n    raise ValueError('=1+1')\n"},
        "dee": {"10.ipynb": notebook([LOWEST])},
        "eve": {"photo.png": "no"},
    }.items():
        (folder / name).mkdir(parents=True)
        for file, content in files.items():
            (folder / name / file).write_text(content)
    save_agent(make_agent("uct", GAME, simulations=20), folder / "dee" / "agent.h5")
    return folder


def test_who_plays_of_a_class(handed, tmp_path):
    players, absent = entrants(handed, None, make_policy())
    assert sorted(players) == ["ada", "bob", "cy", "dee"] and players["dee"][:4] == b"\x89HDF"
    assert absent == [("eve", "a .png file, not a notebook")]
    packed = tmp_path / "class.zip"
    with zipfile.ZipFile(packed, "w") as archive:
        for path in handed.rglob("*.*"):
            archive.write(path, path.relative_to(handed))
    assert entrants(packed, None, make_policy()) == (players, absent)


def of_sheet(number, source):
    """A notebook that says of which sheet it is."""
    return json.dumps(
        {**json.loads(notebook([source])), "metadata": {"rlcourse": {"sheet": number}}}
    )


def test_the_players_of_a_variant_play_what_they_mean_and_others_are_told(tmp_path):
    """They count columns from the right, and the tournament counts as the game does."""
    from_the_right = "def choose(state):\n    return 6 - state.legal_moves()[0]\n"
    with written_out("10", 1, tmp_path) as (_, new):
        players = {
            "theirs": of_sheet(new, from_the_right).encode(),
            "plain": from_the_right.encode(),
            "other": of_sheet("10", LOWEST).encode(),
        }
        with seated(GAME, players, PATIENT, boxed=False, number=new) as seats:
            for name in ("theirs", "plain"):
                seats[name].begin(0)
                batch = positions()
                actions = seats[name].decide(batch, ALL, RNG).action
                assert actions.tolist() == np.argmax(batch.legal(), axis=1).tolist()
            seats["other"].begin(0)
            _, words = told(seats["other"], positions())
            assert "it is sheet '10', not sheet 30" in words[0]
    with seated(GAME, players, PATIENT, boxed=False) as seats:
        seats["theirs"].begin(0)
        _, words = told(seats["theirs"], positions())
        assert "it is sheet '30', not sheet 10" in words[0]


def test_a_variant_is_played_in_the_capstone_s_game_alone():
    result = run("--game", "tic-tac-toe", "--variant", 1)
    assert result.exit_code == 2 and "goes with connect-four" in result.output


def test_the_bots_of_every_game():
    assert set(bots(GAME)) >= {"*random", "*uct 10", "*uct 50", "*uct 200"}
    for agent in bots(GAME).values():
        play_match(agent, make_agent("random", GAME), games=2, seed=0)
    assert "*perfect" in bots(get_game("tic-tac-toe"))


@pytest.fixture
def quick_bots(monkeypatch):
    """The two that take long over a move stay away."""
    slow = ("*alphazero", "*perfect")
    quick = {name: bot for name, bot in bots(GAME).items() if name not in slow}
    monkeypatch.setattr(tournament, "bots", lambda game: quick)


def test_a_tournament_from_hand_ins_to_tables(handed, quick_bots, tmp_path):
    contents, _ = entrants(handed, None, make_policy())
    with seated(GAME, contents, PATIENT, boxed=False) as players:
        done = hold(GAME, players, games=2, folder=tmp_path / "games", jobs=2)
    reasons = done.played.forfeits()
    others = len(done.played.names) - 1
    told = {"bob": {"played 9, which is not legal"}, "cy": {"ValueError: =1+1"}}
    assert {name: set(words) for name, words in reasons.items()} == told
    lost = {name: sum(words.values()) for name, words in reasons.items()}
    assert (
        sum(lost.values()) == 4 * others - 2 and min(lost.values()) >= 2 * others - 2
    )  # their own two are lost once
    names = [row["name"] for row in done.ladder.rows()]
    assert {names.index("*uct 200"), names.index("*uct 50")} <= set(range(3)) and set(
        names[-2:]
    ) == {"bob", "cy"}
    paths = done.write(tmp_path / "out")
    rows = {
        path.name: list(csv.DictReader(path.open(encoding="utf-8")))
        for path in paths
        if path.suffix == ".csv"
    }
    assert [row["name"] for row in rows["ladder.csv"]] == names
    assert len(rows["matches.csv"]) == len(names) * others // 2
    games = sum(
        int(row["won"]) + int(row["drawn"]) + int(row["lost"]) for row in rows["matches.csv"]
    )
    assert games == len(done.played.points)
    assert {
        "player": "bob",
        "games": str(lost["bob"]),
        "why": "played 9, which is not legal",
    } in rows["forfeits.csv"]
    assert (tmp_path / "out" / "ladder.png").read_bytes()[:4] == b"\x89PNG"
    with seated(GAME, contents, PATIENT, boxed=False) as players:
        again = hold(GAME, players, games=2, folder=tmp_path / "games")
    assert (again.played.points == done.played.points).all()


def run(*words):
    return CliRunner().invoke(app, ["tournament", *map(str, words)])


@pytest.mark.slow
@pytest.mark.timeout(400)
def test_the_command_boxes_the_players_and_prints_the_ladder(handed, quick_bots, tmp_path):
    boxes_or_skip()
    secret = tmp_path / "secret.txt"
    secret.write_text("the secret")
    thief = f"text = open({str(secret)!r}).read()\n\ndef choose(state):\n    return state.legal_moves()[0] if text else 9\n"
    (handed / "thief.py").write_text(thief)
    crib = "from rlcourse.solvers.connect_four import solver\n\ndef choose(state):\n    scores = solver().move_scores(state)\n    return max(scores, key=scores.get)\n"
    (handed / "exact.py").write_text(crib)
    done = run("--submissions", handed, "--out", tmp_path / "out", "--games", 2)
    assert done.exit_code == 0, done.output
    assert (
        "6 hand-ins and the course's bots (*)" in done.output
        and "eve does not play: a .png file" in done.output
    )
    assert "Elo 0 is *random. Two neighbours" in done.output
    assert re.search(
        r"bob forfeited (\d+) games; \1 of them: played 9, which is not legal", done.output
    )
    assert re.search(r"thief forfeited (\d+) games; \1 of them: .*NameError", done.output)
    assert re.search(
        r"exact forfeited (\d+) games; \1 of them: Withheld: solver is withheld", done.output
    )
    stored = {path: path.stat().st_mtime_ns for path in (tmp_path / "out").rglob("*.h5")}
    assert run("--submissions", handed, "--out", tmp_path / "out", "--games", 2).exit_code == 0
    assert (
        {path: path.stat().st_mtime_ns for path in (tmp_path / "out").rglob("*.h5")} == stored != {}
    )  # nothing is played again
    assert run("--submissions", handed, "--out", tmp_path / "out", "--games", 3).exit_code != 0


def test_the_command_refuses_to_run_hand_ins_unboxed_by_half_a_word(handed, tmp_path):
    for words in (["--without-a-box", "yes"], ["--game", "backgammon"], ["--games", 5]):
        done = run("--submissions", handed, "--out", tmp_path / "out", *words)
        assert done.exit_code == 2 and not (tmp_path / "out").exists()
