"""Other programs watch our players think: the lines of an analysis, and how the next line ends it.

The conversations are in the order that the documents of these programs describe. No such program
was run.
"""

import io
import re
import subprocess
import sys
import threading

import numpy as np
import pytest

from rlcourse.agents import BatchAgent, Decision, load_agent
from rlcourse.agents.search import UCTAgent
from rlcourse.games import from_recipe, get_game
from rlcourse.gtp.analysis import Analysis, Thought, Wanted, katago, leela_zero, picture
from rlcourse.gtp.engine import GtpEngine, serve

NUMBER = r"-?\d+\.\d+"
VERTEX = r"(?:[A-HJ-T](?:1?\d)|pass)"
LZ_MOVE = rf"info move {VERTEX} visits \d+ winrate \d+ prior \d+ lcb \d+ order \d+ pv {VERTEX}(?: {VERTEX})*"
KATA_MOVE = (
    rf"info move {VERTEX} visits \d+ utility {NUMBER} winrate {NUMBER} prior {NUMBER} lcb {NUMBER} "
    rf"utilityLcb {NUMBER} order \d+ pv {VERTEX}(?: {VERTEX})*"
)


class Talk(io.RawIOBase):
    """Both ends of an engine: says the next line when the engine has written what the pair waits for.

    lines: pairs (what must have been written since the line before, the line).
    """

    def __init__(self, *lines):
        super().__init__()
        self.lines, self.written, self.changed = list(lines), "", threading.Condition()
        self.answers = []

    def readline(self, limit=-1):
        """The next line, in its time; b"" at the end."""
        if not self.lines:
            return b""
        awaited, line = self.lines.pop(0)
        with self.changed:
            self.changed.wait_for(lambda: re.search(awaited, self.written))
            self.answers.append(self.written)
            self.written = ""
        return line.encode() + b"\n"

    def write(self, data):
        """What the engine answers."""
        with self.changed:
            self.written += bytes(data).decode()
            self.changed.notify_all()
        return len(data)

    def hold(self, engine):
        """What was written before each line, and after the last one."""
        serve(engine, self, self)
        return [*self.answers, self.written]


def uct(**options):
    return GtpEngine(UCTAgent(get_game("go"), seed=1, **options))


def analysis(recipe="go size=5 komi=7.5:", *, say=leela_zero, simulations=0, **wanted):
    state, rng = from_recipe(recipe), np.random.default_rng(3)
    agent = UCTAgent(get_game("go", **state.options))
    begun = Analysis(agent, state, Wanted(**wanted), say, rng)
    for _ in range(simulations):
        begun.tree.simulate()
    return begun


@pytest.mark.parametrize(
    ("words", "wanted"),
    [
        ("", Wanted()),
        ("50", Wanted("", 50)),
        ("B", Wanted("B")),
        ("white 7", Wanted("white", 7)),
        ("b interval 20", Wanted("b", 20)),
        ("20 minmoves 5 maxmoves 9", Wanted("", 20, 5, 9)),
        ("b 20 ownership true", Wanted("b", 20)),
    ],
)
def test_what_is_asked(words, wanted):
    assert Wanted.read(words.split()) == wanted


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        ("20 b", "syntax error"),
        ("b 20 maxmoves", "syntax error"),
        ("maxmoves many", "syntax error"),
        ("maxmoves 0", "maxmoves 0 would show nothing"),  # an empty line ends an answer
        ("interval -1", "syntax error"),
        ("b ٣", "syntax error"),
        ("9999999999", "syntax error"),
        ("ownership perhaps", "ownership perhaps is not understood"),
        ("avoid b", "avoid b is not understood"),
    ],
)
def test_what_cannot_be_asked(words, complaint):
    with pytest.raises(ValueError, match=complaint):
        Wanted.read(words.split())


def test_the_words_for_one_move():
    """Of 400 games 300 were won: Wilson's lower end is (0.75 + 0.0048 - 0.0424) / 1.0096 = 0.7053."""
    thought = Thought("C3", 400, 0.75, 0.125, 0.7053, ["C3", "D3", "pass"])
    assert leela_zero(0, thought) == (
        "info move C3 visits 400 winrate 7500 prior 1250 lcb 7053 order 0 pv C3 D3 pass"
    )
    assert katago(2, thought) == (
        "info move C3 visits 400 utility 0.500000 winrate 0.750000 prior 0.125000 lcb 0.705300 "
        "utilityLcb 0.410600 order 2 pv C3 D3 pass"
    )


def test_thoughts_are_those_of_the_tree():
    begun = analysis("go size=5 komi=7.5:C3 pass", simulations=500)
    thoughts, tree = begun.thoughts(), begun.tree
    assert sum(thought.visits for thought in thoughts) == 500 == tree.visits.sum()
    assert [t.visits for t in thoughts] == sorted(tree.visits[tree.visits > 0], reverse=True)
    for thought in thoughts:
        action = begun.game.labels.index(thought.move)
        assert thought.visits == tree.visits[0, action]
        assert 2 * thought.winrate - 1 == pytest.approx(tree.q[0, action])
        assert 0 <= thought.bound <= thought.winrate and thought.line[0] == thought.move
        state = from_recipe("go size=5 komi=7.5:C3 pass " + " ".join(thought.line))  # it is legal
        assert state.next_player == len(thought.line) % 2
    assert sum(thought.prior for thought in thoughts) == pytest.approx(1)


def test_the_best_line_follows_the_visits():
    begun = analysis(simulations=500)
    tree, line = begun.tree, begun.main_line(12)
    assert line[1] == tree.edges[0, tree.edges[0, 0, 12]["child"]]["N"].argmax()
    assert len(line) > 2 and analysis(simulations=1).main_line(0) == [0]


def test_a_win_is_seen_by_the_player_to_move():
    """Black leads on the board; after White's pass, Black's pass wins at once, and so for White."""
    black = analysis("go size=2 komi=0.5:A1 pass", simulations=400).thoughts()
    best = next(thought for thought in black if thought.move == "pass")
    assert best.winrate == 1 and best == black[0]
    white = analysis("go size=2 komi=0.5:A1 pass B2", simulations=400).thoughts()
    assert next(thought for thought in white if thought.move == "pass").winrate < 0.5


@pytest.mark.parametrize(
    ("least", "most", "shown"), [(1, None, 3), (5, None, 5), (5, 4, 4), (1, 2, 2)]
)
def test_how_many_moves_are_shown(least, most, shown):
    thoughts = analysis(simulations=3, least=least, most=most).thoughts()
    assert len(thoughts) == shown
    assert all(thought.bound == 0 for thought in thoughts if not thought.visits)


def test_no_illegal_move_is_shown():
    begun = analysis("go size=5 komi=7.5:B5 C3 A4", least=26)
    moves = [thought.move for thought in begun.thoughts()]
    assert len(moves) == 22 and not {"A5", "B5", "C3", "A4"} & set(moves)  # A5 would be suicide


def test_an_analysis_that_fills_its_tree_says_its_last_line_and_waits():
    begun = analysis(interval=10_000)
    begun.room = 40
    [line] = begun.lines(lambda: False)
    assert sum(map(int, re.findall(r"visits (\d+)", line))) == 40
    silent = analysis(interval=0)
    silent.room = 40
    assert list(silent.lines(lambda: False)) == [] and silent.tree.simulated == 40


@pytest.mark.parametrize(
    ("command", "move"), [("lz-analyze", LZ_MOVE), ("kata-analyze", KATA_MOVE)]
)
def test_the_next_line_ends_the_analysis(command, move):
    """It comes when the first moves have been shown, however long that takes."""
    engine = uct()
    talk = Talk(("", f"7 {command} b 1"), ("info.*\n", "8 name"), ("=8", "9 known_command quit"))
    before, shown, name, rest = talk.hold(engine)
    assert before == ""
    # What was written after the waiting line was let go, up to its answer, belongs to both.
    said = shown + name
    assert re.fullmatch(rf"=7\n({move}( {move})*\n)+\n=8 rlcourse uct\n\n", said), said
    assert rest == "=9 true\n\n" and engine.analysis is None
    assert not [thread for thread in threading.enumerate() if thread.name == "next line"]


@pytest.mark.parametrize(
    "line", ["", "# no command", "no such command", "lz-analyze 1", "x" * 20_000]
)
def test_any_line_ends_it(line):
    engine = uct()
    talk = Talk(("", "lz-analyze 1"), ("info", line))
    said = "".join(talk.hold(engine))
    assert re.match(rf"=\n({LZ_MOVE}( {LZ_MOVE})*\n)+\n(?!info)", said) and said.endswith("\n\n")
    assert engine.analysis is None  # and so does the end of the input


def test_an_analysis_leaves_the_game_as_it_is():
    """Same seed, same game: watching draws no number from the player's generator."""
    watched, alone = uct(simulations=20), uct(simulations=20)
    for _ in range(4):
        for line in ("lz-analyze 1", "kata-analyze w 1", "rlcourse-thoughts", "lz-analyze"):
            state = watched.state
            Talk(("", line)).hold(watched)
            assert watched.state == state
        assert watched.answer("genmove b") == alone.answer("genmove b")


def test_who_does_not_search_says_so():
    engine = GtpEngine(load_agent("go/random", seed=1))
    for command in ("lz-analyze b 10", "kata-analyze"):
        answer = engine.answer(command)
        assert answer == "? random does not search; rlcourse-thoughts shows its policy\n\n"
    assert engine.answer("rlcourse-thoughts green") == "? syntax error\n\n"


def test_a_player_that_fails_is_reported_and_the_next_line_answered(capsys):
    def fails(batch, rows, rng):
        if engine.analysis:
            raise MemoryError("no room")
        return np.ones((len(rows), 26)), np.zeros(len(rows))

    engine = uct()
    engine.agent.evaluate = fails
    talk = Talk(("", "lz-analyze 1"), ("=", "name"))
    assert "".join(talk.hold(engine)) == "=\n\n= rlcourse uct\n\n"
    assert "MemoryError: no room" in capsys.readouterr().err


def test_nobody_reads_the_analysis():
    class Gone(Talk):
        def write(self, data):
            if b"info" in data:
                raise BrokenPipeError
            return super().write(data)

    assert Gone(("", "lz-analyze 1"), ("=", "name")).hold(uct())[0] == ""


def test_a_picture_for_gogui():
    """Half of the visits to C3, which wins three games of four; a fourth to passing."""
    visits, q = np.zeros((1, 26), np.int32), np.full((1, 26), np.nan)
    visits[0, [12, 7, 25]], q[0, [12, 7, 25]] = (50, 25, 25), (0.5, -1, 0)
    game, decision = (
        get_game("go"),
        Decision(np.array([12]), value=np.array([0.5]), q=q, visits=visits),
    )
    black = picture("bot", game, game.new_game(), decision)
    assert (
        black == "INFLUENCE C4 0.250 C3 0.500\nLABEL C4 0 C3 75\nTEXT bot: pass 25%, Black wins 75%"
    )
    white = picture("bot", game, from_recipe("go size=5 komi=7.5:A1"), decision)
    assert white.startswith("INFLUENCE C4 -0.250 C3 -0.500\n") and "White wins 75%" in white
    policy = np.full((1, 26), 1 / 26)
    shown = picture("bot", game, game.new_game(), Decision(np.array([0]), policy=policy))
    assert shown.count(" 0.038") == 25 and shown.endswith("TEXT bot: pass 4%")
    passing = Decision(np.array([25]), policy=np.eye(26)[[25]])
    assert picture("bot", game, game.new_game(), passing) == "TEXT bot: pass 100%"


def test_who_gives_no_reasons_has_no_picture():
    class Silent(BatchAgent):
        name = "silent"

        def decide(self, batch, rows, rng):
            return Decision(np.zeros(len(rows), np.int32))

    engine = GtpEngine(Silent(get_game("go")))
    assert engine.answer("rlcourse-thoughts") == "? silent gives no reasons for its moves\n\n"


CONVERSATIONS = {
    # The order of a board that draws lz-analyze: what it is, the game, then watching each position.
    "leela zero": [
        ("1 list_commands", r"=1 protocol_version\n(.+\n)*lz-analyze\n(.+\n)*\n"),
        ("2 name", r"=2 rlcourse uct\n\n"),
        ("3 version", r"=3 \d+\.\d+\.\d+\n\n"),
        ("4 boardsize 5", r"=4\n\n"),
        ("5 komi 7.5", r"=5\n\n"),
        ("6 clear_board", r"=6\n\n"),
        ("7 lz-analyze b 1", rf"=7\n({LZ_MOVE}( {LZ_MOVE})*\n)+\n"),
        ("8 play b C3", r"=8\n\n"),
        ("9 lz-analyze w 1", rf"=9\n({LZ_MOVE}( {LZ_MOVE})*\n)+\n"),
        ("10 undo", r"=10\n\n"),
        ("11 lz-analyze 1", rf"=11\n({LZ_MOVE}( {LZ_MOVE})*\n)+\n"),
        ("12 genmove b", rf"=12 {VERTEX}\n\n"),
        ("13 quit", r"=13\n\n"),
    ],
    "katago": [
        ("known_command kata-analyze", r"= true\n\n"),
        ("boardsize 9", r"=\n\n"),
        ("play B C3", r"=\n\n"),
        (
            "kata-analyze W 1 maxmoves 3 ownership true",
            rf"=\n({KATA_MOVE}( {KATA_MOVE}){{0,2}}\n)+\n",
        ),
        ("", r""),  # a bare newline ends it
        ("kata-analyze interval 1 minmoves 81", rf"=\n({KATA_MOVE}( {KATA_MOVE}){{80}}\n)+\n"),
        ("stop", r"\? unknown command\n\n"),
        ("quit", r"=\n\n"),
    ],
    "gogui": [
        ("protocol_version", r"= 2\n\n"),
        ("list_commands", r"= protocol_version\n(.+\n)*gogui-analyze_commands\n(.+\n)*\n"),
        ("name", r"= rlcourse uct\n\n"),
        ("version", r"= \d+\.\d+\.\d+\n\n"),
        ("gogui-analyze_commands", r"= (\w+/[^/]+/[^/\n]+\n)(\w+/[^/]+/[^/\n]+\n)+\n"),
        ("boardsize 5", r"=\n\n"),
        ("clear_board", r"=\n\n"),
        (
            "rlcourse-thoughts b",
            r"= INFLUENCE( [A-E][1-5] \d\.\d{3})+\nLABEL( [A-E][1-5] \d+)+\nTEXT .+\n\n",
        ),
        ("final_score", r"= W\+7\.5\n\n"),
        ("showboard", r"= \n(.+\n)+\n"),
        ("quit", r"=\n\n"),
    ],
}


@pytest.mark.parametrize("program", CONVERSATIONS)
def test_a_conversation_in_the_documented_order(program):
    """Each line is sent when the answer before it is complete, or its first moves are shown."""
    lines, awaited, answers = [], "", []
    for line, answer in CONVERSATIONS[program]:
        lines.append((awaited, line))
        answers.append(answer)
        awaited = r"info.*\n" if "-analyze " in line else (r"\n\n$" if answer else "")
    engine = uct(simulations=20)
    said = "".join(Talk(*lines).hold(engine))
    assert re.fullmatch("".join(f"(?:{answer})" for answer in answers), said), said
    assert engine.ended


def test_gogui_gets_commands_that_there_are():
    engine = uct()
    for line in engine.answer("gogui-analyze_commands")[2:].split("\n")[:-2]:
        command = line.split("/")[2].split()[0]
        assert engine.answer(f"known_command {command}") == "= true\n\n"


FIRST_ANALYSIS = """
import sys
import rlcourse.gtp.engine
from rlcourse.cli import gtp

def serve(engine, source, sink):
    loaded = set(sys.modules)
    engine.answer("lz-analyze 1")
    lines = list(engine.analysis.lines(lambda: True))
    print(len(lines), set(sys.modules) - loaded, file=sys.__stdout__)

rlcourse.gtp.engine.serve = serve
gtp("go/uct")
"""


@pytest.mark.slow
def test_the_first_analysis_finds_everything_loaded():
    """A program's first interruption is as quick as the others: nothing is imported after the start."""
    command = [sys.executable, "-c", FIRST_ANALYSIS]
    process = subprocess.run(command, capture_output=True, text=True)
    assert process.stdout == "1 set()\n", process.stderr


def test_who_does_not_search_has_nothing_to_warm_up():
    engine = GtpEngine(load_agent("go/random", seed=1))
    engine.warm_up()
    assert engine.analysis is None and engine.answer("name") == "= rlcourse random\n\n"


@pytest.mark.slow
def test_the_command_is_interrupted_through_its_pipe():
    """A real process: moves are shown while its input is silent, and the next line is answered."""
    command = [sys.executable, "-m", "rlcourse.cli", "gtp", "go/alphazero-5x5"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as engine:
        engine.stdin.write(b"lz-analyze 1\n")
        engine.stdin.flush()
        assert engine.stdout.readline() == b"=\n"
        for _ in range(3):
            assert re.match(LZ_MOVE, engine.stdout.readline().decode())
        engine.stdin.write(b"quit\n")
        engine.stdin.flush()
        rest = engine.stdout.read().decode()
        assert re.fullmatch(rf"({LZ_MOVE}( {LZ_MOVE})*\n)*\n=\n\n", rest) and engine.wait(60) == 0
