"""An agent that plays through a GTP engine: what the engine is told, what it says, and
what our rules do not take.
"""

import os

import numpy as np
import pytest

from rlcourse.agents import UnknownAgent, agent_names, load_agent, make_agent, save_agent
from rlcourse.agents.gtp_engine import GnuGoAgent, GtpAgent, find_gnugo
from rlcourse.games import GameOver, from_recipe, get_game
from rlcourse.games.go import Move
from rlcourse.gtp.client import EngineMissing, GtpError
from rlcourse.gtp.engine import GtpEngine
from rlcourse.storage import StorageError
from tests.unit.gtp_programs import commands, nothing_left, write_engine

pytestmark = pytest.mark.skipif(
    os.name != "posix", reason="the programs of these tests are POSIX scripts"
)
START = ["boardsize 5", "komi 7.5", "clear_board"]
# Answers genmove by the words of a list, in turn.
REPLIES = """if command.startswith("genmove"):
    said = REPLIES.pop(0)
    if said == "die":
        sys.exit(1)
    say(f"={{number}} {{said}}\\n\\n")
elif command == "final_score":
    say(f"={{number}} {score}\\n\\n")
else:
    say(f"{sign}{{number}} no\\n\\n")"""


@pytest.fixture
def agent_of(tmp_path, monkeypatch):
    """`agent_of("C3", "pass")` is an agent whose engine says so; `.asked()` is what it has
    been told since the last time.
    """
    made = []

    def make(*replies, score="0", sign="=", seeds=False, size=5):
        answer = REPLIES.format(score=score, sign=sign)
        path = write_engine(programs, answer, f"REPLIES = {list(replies)!r}", seeds)
        agent = GtpAgent(get_game("go", size=size), [path], timeout=20)
        seen = []

        def asked():
            new = commands(path)[len(seen) :]
            seen.extend(new)
            return [
                line
                for line in new
                if line not in ("protocol_version", "name", "version") and "known" not in line
            ]

        agent.asked = asked
        made.append(agent)
        return agent

    with nothing_left(tmp_path, monkeypatch) as programs:
        yield make
        for agent in made:
            agent.close()


def test_the_engine_is_told_only_what_is_new(agent_of):
    agent, state = agent_of("C3", "B4", "A1", "pass"), get_game("go").new_game()
    move = agent.select_move(state)
    assert move == Move.from_text("C3") and agent.asked() == [*START, "genmove black"]
    state = state.apply_move(move).apply_move(Move.from_text("D4"))
    assert str(agent.select_move(state)) == "B4"
    assert agent.asked() == ["play white D4", "genmove black"]
    assert str(agent.select_move(state)) == "A1"  # the same position again: B4 was never played
    assert agent.asked() == [*START, "play black C3", "play white D4", "genmove black"]
    other = from_recipe("go size=5 komi=7.5:pass")
    assert agent.select_move(other).is_pass
    assert agent.asked() == [*START, "play black pass", "genmove white"]
    with pytest.raises(GameOver, match="gtp has nothing to decide"):
        agent.select_move(from_recipe("go size=5 komi=7.5:pass pass"))


def test_stones_that_were_set_up_are_played_one_by_one(agent_of):
    agent = agent_of("A1", size=3)
    agent.select_move(from_recipe("go size=3 komi=7.5:.X./X.O/... O B2"))
    assert agent.asked() == [
        "boardsize 3",
        *START[1:],
        "play black B3",
        "play black A2",
        "play white C2",
        "play white B2",
        "genmove black",
    ]


def test_many_games_at_once(agent_of):
    agent, game = agent_of("C3", "PASS", "e5"), get_game("go")
    batch = game.new_batch(3)
    batch.step(np.array([0, -1, 25]))
    decision = agent.decide(batch, np.array([2, 0, 1]), np.random.default_rng(0))
    assert (
        decision.action.tolist() == [12, 25, 4] and decision.action.dtype == np.int32
    )  # C3, pass, E5 of 25 points
    told = agent.asked()
    assert [line for line in told if line.startswith("genmove")] == [
        "genmove white",
        "genmove white",
        "genmove black",
    ]
    assert "play black A5" in told and "play black pass" in told


def test_a_seed_comes_from_the_generator(agent_of):
    agent, game = agent_of("C3", "C3", "C3", seeds=True), get_game("go")
    for _ in range(2):
        agent.decide(game.new_batch(1), np.zeros(1, int), np.random.default_rng(9))
    agent.decide(game.new_batch(1), np.zeros(1, int), np.random.default_rng(10))
    first, second, third = [line for line in agent.asked() if "seed" in line]
    assert (
        first == second != third
        and first.startswith("set_random_seed ")
        and int(first.split()[1]) > 0
    )


@pytest.mark.parametrize("said", ["C3", "I5", "F1", "C3 D4", "", "nonsense"])
def test_a_move_that_our_rules_do_not_take_is_named(agent_of, said):
    agent, state = agent_of(said, "D4"), from_recipe("go size=5 komi=7.5:C3")
    with pytest.raises(
        GtpError, match=f"Dummy 1.5 wants to play '{said}' in go size=5 komi=7.5:C3: "
    ):
        agent.select_move(state)
    agent.asked()
    assert str(agent.select_move(state)) == "D4" and agent.asked() == [
        *START,
        "play black C3",
        "genmove white",
    ]


def test_an_engine_that_resigns(agent_of):
    agent, state = agent_of("resign", "Resign"), get_game("go").new_game()
    assert agent.select_move(state).is_resign
    with pytest.raises(GtpError, match="Dummy 1.5 resigns, which games in lock-step cannot"):
        agent.think(state)


def test_an_engine_that_ends_is_reported_and_started_again_at_the_next_question(agent_of):
    agent, state = agent_of("die", "C3"), get_game("go").new_game()
    for _ in range(2):  # each program has its own list
        with pytest.raises(GtpError, match="Dummy 1.5 has ended, asked"):
            agent.select_move(state)
    assert agent.asked() == 2 * [*START, "genmove black"]


def test_a_size_that_the_engine_does_not_play_is_named(agent_of):
    with pytest.raises(
        GtpError,
        match="does not take the position go size=5 komi=7.5:: Dummy 1.5 refuses 'boardsize 5': no",
    ):
        agent_of("C3", sign="?").select_move(get_game("go").new_game())


@pytest.mark.parametrize(
    ("said", "score"), [("B+3.5", 3.5), ("W+12", -12), ("w+0.5", -0.5), ("0", 0), ("0.0", 0)]
)
def test_its_score(agent_of, said, score):
    agent = agent_of(score=said)
    assert agent.score(from_recipe("go size=5 komi=7.5:C3 pass pass")) == score
    assert (
        agent.score(from_recipe("go size=5 komi=7.5:C3 resign")) == score
    )  # resigning is no move of the protocol
    assert agent.asked()[-2:] == ["play black C3", "final_score"]


@pytest.mark.parametrize("said", ["B+Resign", "Black wins", "", "B+", "?"])
def test_a_score_that_is_none(agent_of, said):
    with pytest.raises(GtpError, match="says no score that can be understood"):
        agent_of(score=said).score(get_game("go").new_game())


def test_a_program_is_never_named_in_a_file(agent_of, tmp_path):
    """Opening a file must not start what it names."""
    with pytest.raises(ValueError, match="cannot be saved"):
        save_agent(agent_of(), tmp_path / "agent.h5")
    with pytest.raises(UnknownAgent):
        make_agent("gtp", get_game("go"), command=["sh"])
    assert GtpEngine(agent_of()).answer("boardsize 7") == "? unacceptable size\n\n"


@pytest.fixture
def gnugo_at(monkeypatch, tmp_path):
    """The folder in which alone programs are looked for; it holds a gnugo."""
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    games = tmp_path / "games"
    games.mkdir()
    monkeypatch.setattr("rlcourse.programs.GAME_FOLDERS", (str(games),))
    program = games / "gnugo"
    program.write_text("#!/bin/sh\n")
    program.chmod(0o755)
    return program


def test_gnu_go_by_name(gnugo_at, tmp_path):
    agent = load_agent("go/gnugo", size=9, komi=0.5, level=3)
    assert (
        isinstance(agent, GnuGoAgent)
        and agent.game.options == {"size": 9, "komi": 0.5}
        and agent.options() == {"level": 3}
    )
    rules = "--chinese-rules --positional-superko --capture-all-dead --never-resign"
    assert agent.command == (str(gnugo_at), *"--mode gtp --level 3".split(), *rules.split())
    save_agent(agent, tmp_path / "agent.h5")
    assert load_agent(tmp_path / "agent.h5").command == agent.command
    assert load_agent("go/gnugo").game is get_game("go")
    assert "go/gnugo" not in agent_names()  # like gnubg, it is not shipped


@pytest.mark.parametrize(
    ("name", "options", "words"),
    [
        ("go/gnugo", {"level": 11}, "levels 0 to 10"),
        ("go/gnugo", {"size": 20}, "boards of size 2 to 19"),
        ("go/gnugo", {"strength": 3}, "go/gnugo does not have all of these options: strength"),
        ("go/random", {"level": 3}, "go/random does not have all of these options: level"),
        ("connect-four/gnugo", {}, "plays go, not connect-four"),
        (
            "backgammon/td-gammon",
            {"size": 3},
            "takes no options; only random, perfect, uct, puct, rave, gnubg, gnubg-nn, gnugo do",
        ),
    ],
)
def test_options_that_are_none(gnugo_at, name, options, words):
    with pytest.raises(ValueError, match=words):
        load_agent(name, **options)


def test_a_file_that_names_another_program_is_refused(gnugo_at, tmp_path):
    agent = load_agent("go/gnugo")
    agent.options = lambda: {"level": 1, "command": ["sh"]}
    save_agent(agent, tmp_path / "agent.h5")
    with pytest.raises(StorageError, match="cannot be one"):
        load_agent(tmp_path / "agent.h5")


def test_gnu_go_is_missed_with_the_name_of_its_package(gnugo_at):
    assert find_gnugo() == str(gnugo_at)
    gnugo_at.unlink()
    with pytest.raises(EngineMissing, match="Debian package gnugo"):
        load_agent("go/gnugo")
