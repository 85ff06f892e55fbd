"""GNU Backgammon without GNU Backgammon: the questions, the answers, and engines that
die, hang or talk nonsense.
"""

import os
import sys
from pathlib import Path

import numpy as np
import pytest

from rlcourse.agents import BatchAgent, Decision, load_agent, make_agent
from rlcourse.agents import gnubg as gnubg_agent
from rlcourse.agents.gnubg import Gnubg, GnubgAgent, GnubgError, GnubgMissing, find_gnubg
from rlcourse.agents.td_gammon import best_of_each
from rlcourse.arena import wilson
from rlcourse.games import GameOver, from_recipe, get_game
from rlcourse.judges.backgammon import Verdict, judge_backgammon
from tests.oracles.backgammon_positions import checkers_of, position
from tests.unit.gtp_programs import (
    assert_programs_die_with_their_caller,
    interrupt_at,
    nothing_left,
    pids,
)

pytestmark = pytest.mark.skipif(os.name != "posix", reason="gnubg is driven through a POSIX shell")

# A program that takes gnubg's place. It notes its process and every question; a test
# gives the lines that answer.
ENGINE = """#!{python} -SE
import os, socket, sys, time
from pathlib import Path
folder = Path({folder!r})
port = int(next(line for line in sys.stdin if line.startswith("external 127.0.0.1:")).rsplit(":", 1)[1])
(folder / f"pid-{{os.getpid()}}").touch()
GREETING = "Interface: 2\\nRFBF: 0\\nEngine: 1.00\\nSoftware: 1.07.001\\n"
def first_time(name):
    try:
        (folder / name).touch(exist_ok=False)
    except FileExistsError:
        return False
    return True
def answer(question):
{answer}
{before}
with socket.socket() as listening:
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    listening.bind(("127.0.0.1", port))
    listening.listen(1)
    peer = listening.accept()[0]
for line in peer.makefile("r"):
    if line == "version\\n":
        said = GREETING
    else:
        with open(folder / "questions", "a") as notes:
            notes.write(line)
        said = answer(line)
    peer.sendall(said.encode())
"""
EVEN = 'return "0.5 0.1 0 0.1 0 0\\n"'
ASK_START = (get_game("backgammon").new_game().checkers[None], np.zeros(1, np.int8))


@pytest.fixture
def engine(tmp_path, monkeypatch):
    """`engine(answer, before)` gives the path of a program."""

    def make(answer=EVEN, before=""):
        path = programs / "gnubg"
        lines = "\n".join("    " + line for line in answer.splitlines())
        path.write_text(
            ENGINE.format(python=sys.executable, folder=str(programs), answer=lines, before=before)
        )
        path.chmod(0o755)
        return str(path)

    with nothing_left(tmp_path, monkeypatch) as programs:
        yield make


def questions(program):
    return Path(program).with_name("questions").read_text().splitlines()


# Player 0: 2 on the 6-point, 1 on the bar, 12 off. Player 1: 3 on his 1-point, which is player 0's
# 24-point, 2 on his 20-point, player 0's 5-point, 4 on the bar, 6 off. In the question the roller
# counts upward along his own points.
CONTACT = checkers_of({6: 2, 25: 1}, {1: 3, 20: 2, 25: 4})[None]
SEEN_BY_0 = ":".join(map(str, [-4, 0, 0, 0, 0, -2, 2, *[0] * 17, -3, 1]))
SEEN_BY_1 = ":".join(
    map(str, [-1, 3, *[0] * 17, -2, 2, *[0] * 4, 4])
)  # his 19-point is player 0's 6-point


@pytest.mark.parametrize("roller", [0, 1])
def test_the_question_shows_the_board_from_the_side_of_the_roller(engine, roller):
    program = engine()
    with Gnubg(1, program=program) as gnubg:
        gnubg.evaluate(CONTACT, np.array([roller]), plies=1)
    side = (SEEN_BY_0, SEEN_BY_1)[roller]
    rest = "1:0:0:0:0:1:1:1:0:1:-1 plies 1 cubeless prune off jacobyrule off"
    assert questions(program) == [f"evaluation fibsboard board:a:b:0:0:0:{side}:{rest}"]


# Answers with a hundredth for every checker on the roller's ace point, the
# second number of the board.
ACE_POINT = 'return f"{int(question.split(chr(58))[7]) / 100} 0.25 0 0.125 0.0625 0\\n"'


def test_answers_come_back_in_order_and_equal_positions_are_asked_once(engine):
    program = engine(ACE_POINT)
    aces = np.array([3, 1, 3, 0, 2, 3, 0, 1, 3, 3, 2])
    roller = np.arange(11) % 2
    boards = np.zeros((11, 2, 26), np.int8)
    boards[np.arange(11), roller, 0] = aces
    boards[:, :, 25] = 15 - boards.sum(axis=2)
    with Gnubg(3, program=program) as gnubg:
        said = gnubg.evaluate(boards, roller)
        assert gnubg.evaluate(boards[:0], roller[:0]).shape == (0, 5)
    assert said[:, 0].tolist() == (aces / 100).tolist()
    assert (said[:, 1:] == [0.25, 0, 0.125, 0.0625]).all()
    assert len(questions(program)) == 4
    assert len(pids(Path(program).parent)) == 3


SMALL = {6: 2, 25: 1}  # two on the 6-point, one on the bar


@pytest.mark.parametrize(
    ("answer", "other", "own_after", "other_after"),
    [
        ("", {1: 15}, SMALL, {1: 15}),
        ("bar/20 6/5", {1: 15}, {20: 1, 6: 1, 5: 1}, {1: 15}),
        (
            "bar/20* 20/14 ",
            {5: 1},
            {14: 1, 6: 2},
            {25: 1},
        ),  # his 5-point is our 20-point
        ("bar/22* 6/off 6/off", {3: 1, 25: 1}, {22: 1}, {25: 2}),
    ],
    ids=["pass", "bar", "hit and run", "off"],
)
def test_a_play_becomes_a_board(engine, answer, other, own_after, other_after):
    program = engine(f"return {answer!r} + chr(10)")
    with Gnubg(1, program=program) as gnubg:
        for mover in (0, 1):
            start, after = (
                checkers_of(SMALL, other)[None, [mover, 1 - mover]],
                checkers_of(own_after, other_after)[None, [mover, 1 - mover]],
            )
            assert np.array_equal(
                gnubg.best_plays(start, np.array([mover]), np.array([[6, 1]])), after
            )
    assert len(questions(program)) == 2 and questions(program)[0] == questions(program)[1]
    assert questions(program)[0].endswith(":1:6:1:0:0:1:1:1:0:1:-1 jacobyrule off")


def test_a_board_that_cannot_be_is_refused_before_it_is_asked(engine):
    gnubg = Gnubg(program=engine())
    fourteen, shared, negative = (ASK_START[0].copy() for _ in range(3))
    fourteen[0, 0, 5] -= 1
    shared[0, 0, [5, 0]] = 3, 2  # the opponent's 24-point is occupied
    negative[0, 1, [5, 6]] = 6, -1
    for wrong in (fourteen, shared, negative):
        with pytest.raises(ValueError, match="board 1 is none"):
            gnubg.evaluate(np.concatenate([ASK_START[0], wrong]), np.zeros(2, int))
    for shape in ((2, 26), (1, 2, 24)):
        with pytest.raises(ValueError, match=r"checkers \[M, 2, 26\]"):
            gnubg.evaluate(np.zeros(shape, np.int8), np.zeros(1, int))
    with pytest.raises(ValueError, match="at least one"):
        Gnubg(0, program="gnubg")


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        ('return "Error: badly formed board\\n"', "badly formed board"),
        ('return "0.5 0.1 0 0.1 0\\n"', "0.5 0.1 0 0.1 0"),
        ('return "take\\n"', "take"),
    ],
)
def test_an_answer_that_makes_no_sense(engine, answer, words):
    with (
        Gnubg(1, program=engine(answer)) as gnubg,
        pytest.raises(GnubgError, match=f"does not accept.*{words}"),
    ):
        gnubg.evaluate(*ASK_START)


@pytest.mark.parametrize(
    ("answer", "before", "words"),
    [
        (
            EVEN,
            'sys.exit("weights file not found")',
            "failed: its last words: 'weights file not found'",
        ),
        (EVEN, 'GREETING = "220 mail here\\n"', "another program answers: b'220 mail here"),
        ("sys.exit(3)", "", "failed: it has closed the connection"),
    ],
    ids=["ends at once", "not gnubg", "dies at the question"],
)
def test_what_fails_twice_is_reported(engine, answer, before, words):
    fails_twice(Gnubg(2, program=engine(answer, before)), words)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("answer", "before", "words"),
    [
        (EVEN, "time.sleep(3_600)", "it has not started within 0.4 s"),
        ("time.sleep(3_600)", "", "gave no answer in 0.4 s"),
    ],
    ids=["never listens", "never answers"],
)
def test_what_hangs_is_not_waited_for(engine, monkeypatch, answer, before, words):
    if before:
        monkeypatch.setattr("rlcourse.gnubg.START_SECONDS", 0.4)
    fails_twice(Gnubg(2, program=engine(answer, before), timeout=0.4), words)


def fails_twice(gnubg, words):
    with (
        gnubg,
        pytest.warns(RuntimeWarning, match="started again") as reported,
        pytest.raises(GnubgError, match="started again, it") as error,
    ):
        gnubg.evaluate(*ASK_START)
    assert len(reported) == 1 and reported[0].filename == __file__
    assert words in str(reported[0].message) and words in str(error.value)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("failure", "timeout"), [("sys.exit(3)", 20), ("time.sleep(3_600)", 1)], ids=["dies", "hangs"]
)
def test_what_fails_once_is_replaced_and_loses_no_answer(engine, failure, timeout):
    answer = f"""if question.split(":")[7] == "3" and first_time("failed"):
    {failure}
{ACE_POINT}"""
    program = engine(answer)
    boards = np.zeros((5, 2, 26), np.int8)
    boards[:, 0, 0] = [1, 2, 3, 4, 5]
    boards[:, :, 25] = 15 - boards.sum(axis=2)
    with Gnubg(2, program=program, timeout=timeout) as gnubg:
        with pytest.warns(RuntimeWarning, match="started again"):
            said = gnubg.evaluate(boards, np.zeros(5, int))
        assert said[:, 0].tolist() == [0.01, 0.02, 0.03, 0.04, 0.05]
        assert np.array_equal(gnubg.evaluate(boards, np.zeros(5, int)), said)
    assert len(pids(Path(program).parent)) == 4


def test_an_interrupt_leaves_no_answer_behind_for_the_next_question(engine, interruptible):
    answer = '''if first_time("slow"):
    time.sleep(0.6)
    return "0.1 0 0 0 0 0\\n"
return "0.9 0 0 0 0 0\\n"'''
    program = engine(answer)
    with Gnubg(1, program=program) as gnubg:
        interrupt_at(Path(program).with_name("slow"))
        with pytest.raises(KeyboardInterrupt):
            gnubg.evaluate(*ASK_START)
        assert gnubg.evaluate(*ASK_START)[0, 0] == 0.9


@pytest.mark.slow
def test_no_gnubg_outlives_a_process_that_is_killed(engine, tmp_path):
    program = engine()
    script = f"""from rlcourse.agents.gnubg import Gnubg
gnubg = Gnubg(2, program={program!r})
gnubg.ask(["board\\n"])"""
    assert_programs_die_with_their_caller(script, program, tmp_path)


def test_gnubg_is_found_where_games_are_kept_and_missed_with_the_name_of_its_package(
    monkeypatch, tmp_path
):
    monkeypatch.setenv("PATH", str(tmp_path))
    games = tmp_path / "games"
    games.mkdir()
    monkeypatch.setattr("rlcourse.programs.GAME_FOLDERS", (str(games),))
    gnubg_agent._shared.cache_clear()
    with pytest.raises(GnubgMissing, match="Debian package gnubg"):
        load_agent("backgammon/gnubg")
    program = games / "gnubg"
    program.write_text("#!/bin/sh\n")
    program.chmod(0o755)
    assert find_gnubg() == str(program)
    with pytest.raises(ValueError, match="plays backgammon, not connect-four"):
        load_agent("connect-four/gnubg")


@pytest.fixture
def agent_of(engine, monkeypatch):
    """`agent_of(answer)` is a GnubgAgent whose gnubg answers so."""

    def make(answer):
        started.append(Gnubg(1, program=engine(answer)))
        monkeypatch.setattr(gnubg_agent, "_shared", lambda processes: started[-1])
        return GnubgAgent(get_game("backgammon"), processes=1)

    started = []
    yield make
    for gnubg in started:
        gnubg.close()


def test_the_agent_plays_what_gnubg_says(agent_of):
    agent, state = agent_of('return "8/5 6/5 \\n"'), from_recipe("backgammon:4HPwATDgc/ABMA:0:31")
    assert sorted(agent.select_move(state)) == [(6, 5), (8, 5)]
    assert agent.arrays() == {} and agent.options() == {"processes": 1}
    copy = make_agent("gnubg", agent.game, agent.arrays(), **agent.options())
    assert copy.think(state).action == agent.think(state).action
    with pytest.raises(GameOver, match="nothing to decide"):
        agent.think(position({}, {1: 15}, player=1))


@pytest.mark.parametrize(
    ("said", "error"), [("24/14", "do not know, in backgammon:4HPw"), ("double", "does not accept")]
)
def test_a_play_that_our_rules_lack_is_noticed(agent_of, said, error):
    with pytest.raises(GnubgError, match=error):
        agent_of(f'return "{said}\\n"').select_move(from_recipe("backgammon:4HPwATDgc/ABMA:0:31"))


def test_candidates_are_ordered_by_equity_for_the_player_who_moves(agent_of):
    # For the opponent, who rolls next, the chances are the better the fewer checkers are on the
    # mover's 6-point, which is his 19-point, the 20th number of the board, below 0: with n there he
    # wins 1 - n / 10. 31 can leave 5, 4 or 3 there.
    agent = agent_of('return f"{1 + int(question.split(chr(58))[25]) / 10} 0.5 0.25 0.125 0 0\\n"')
    state = from_recipe("backgammon:4HPwATDgc/ABMA:0:31")
    found = agent.candidates(state)
    left = [int(state.apply_move(one.move).checkers[0, 5]) for one in found]
    assert left == sorted(left, reverse=True) and len(set(left)) > 1
    for n, one in zip(left, found, strict=True):
        assert one.outputs == pytest.approx([n / 10, 0.125, 0, 0.5, 0.25])
        assert one.equity == pytest.approx(2 * n / 10 - 1 + 0.125 - 0.5 - 0.25)


PUBLISHED = Verdict("td-gammon", "gnubg", (1, 2, 3, 4, 5, 6), (3, 5, 11, 9, 4, 7))


def test_a_verdict_by_hand():
    """Together 4, 7, 14, 13, 9, 13 of 60 games: -12 - 14 - 14 + 13 + 18 + 39 = 30 points, 0.5 a
    game; 35 wins; 22 gammons won, 11 lost. Squares: 36 + 28 + 14 + 13 + 36 + 117 = 244, less 60 / 4
    = 15: 229; variance 229 / 59 = 3.88136, standard error of the mean sqrt(3.88136 / 60) =
    0.254341, times 1.959964 = 0.498499."""
    assert PUBLISHED.games == 60 and PUBLISHED.wins == 35
    assert PUBLISHED.points_per_game == 0.5
    assert PUBLISHED.points_interval() == pytest.approx((0.5 - 0.498499, 0.5 + 0.498499), abs=1e-6)
    assert (PUBLISHED.gammons_won, PUBLISHED.gammons_lost) == (22 / 60, 11 / 60)
    assert PUBLISHED.wins_interval() == wilson(35, 60)
    assert str(PUBLISHED) == (
        "td-gammon vs gnubg: +0.500 points a game [+0.002, +0.998] in 60 games; wins 58.3% "
        "[45.7%, 69.9%], gammons won 36.7%, lost 18.3%"
    )


class Chooser(BatchAgent):
    """Plays at random, or so that the opponent is furthest behind in the race."""

    def __init__(self, name):
        super().__init__(get_game("backgammon"))
        self.name = name

    def decide(self, batch, rows, rng):
        """As `name` says: "random" or "racer"."""
        boards, offsets = batch.afterstate_boards(rows)
        if self.name == "random":
            return Decision(rng.integers(0, np.diff(offsets)).astype(np.int32))
        mover = np.repeat(batch.to_play[rows], np.diff(offsets))
        pips = boards @ np.append(np.arange(1, 26), 0)
        each = np.arange(len(boards))
        return Decision(best_of_each(pips[each, 1 - mover] - pips[each, mover], offsets))


def test_both_seats_are_played_and_points_belong_to_the_judged_player():
    racer, other = Chooser("racer"), Chooser("random")
    ahead, behind = (
        judge_backgammon(racer, opponent=other, games=40),
        judge_backgammon(other, opponent=racer, games=40),
    )
    for seat in (ahead.as_first, ahead.as_second, behind.as_first[::-1], behind.as_second[::-1]):
        assert sum(seat) == 20 and sum(seat[3:]) >= 15, (
            "hitting and running beats random play from either seat"
        )
    assert ahead.agent == "racer" and ahead.opponent == "random"
    assert judge_backgammon(racer, opponent=other, games=40) == ahead
    assert judge_backgammon(racer, opponent=other, games=40, seed=1) != ahead


@pytest.mark.parametrize("games", [0, 3, -2])
def test_a_match_has_as_many_games_in_either_seat(games):
    with pytest.raises(ValueError, match="even number"):
        judge_backgammon(Chooser("random"), opponent=Chooser("random"), games=games)


def test_the_judge_knows_one_game():
    with pytest.raises(ValueError, match="knows backgammon; random plays tic-tac-toe"):
        judge_backgammon(load_agent("tic-tac-toe/random"))
