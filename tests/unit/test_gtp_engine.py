"""Our agents as a GTP engine: every command by hand, the rules at its border, and
lines that nobody should send.
"""

import io
import os
import re
import sys

import numpy as np
import pytest
from sgfmill import sgf

from rlcourse.agents import BatchAgent, RandomAgent, load_agent
from rlcourse.games import from_recipe, get_game
from rlcourse.games.go import Move, Player, Point
from rlcourse.gtp.client import GtpClient, GtpRefused
from rlcourse.gtp.engine import COMMANDS, LONGEST_LINE, GtpEngine, serve
from rlcourse.gtp.sgf import to_sgf

FUZZED_LINES = int(os.environ.get("RLCOURSE_FUZZ_LINES", "5000"))


class Scripted(BatchAgent):
    """Plays the moves of a list, or raises what stands in it."""

    name = "scripted"

    def __init__(self, game, moves=()):
        super().__init__(game)
        self.moves = list(moves)

    def select_move(self, state):
        """The next of the list."""
        move = self.moves.pop(0)
        if isinstance(move, Exception):
            raise move
        return move

    def options(self):
        """The rest of the list."""
        return {"moves": self.moves}

    @classmethod
    def from_arrays(cls, game, arrays, **options):
        """The same list in another game."""
        return cls(game, **options)


class Learned(RandomAgent):
    """An agent that has learned something for its size."""

    name = "learned"

    def arrays(self):
        """One weight."""
        return {"weight": np.ones(1)}


def engine_on(size=5, komi=7.5, moves=()):
    return GtpEngine(Scripted(get_game("go", size=size, komi=komi), moves))


def ask(engine, *lines):
    """The text of the last answer, all of which must be successes."""
    for line in lines:
        answer = engine.answer(line)
        assert answer.startswith("=") and answer.endswith("\n\n"), f"{line}: {answer}"
    return answer[1:-2].removeprefix(" ")


def test_what_every_engine_says():
    engine = engine_on()
    assert ask(engine, "protocol_version") == "2"
    assert ask(engine, "name") == "rlcourse scripted"
    assert re.fullmatch(r"\d+\.\d+\.\d+", ask(engine, "version"))
    listed = ask(engine, "list_commands").split("\n")
    assert set(listed) == set(
        "protocol_version name version known_command list_commands quit boardsize clear_board "
        "komi play genmove undo final_score final_status_list time_settings time_left "
        "showboard loadsgf printsgf lz-analyze kata-analyze gogui-analyze_commands "
        "rlcourse-thoughts".split()
    )
    assert {ask(engine, f"known_command {name}") for name in listed} == {"true"}
    assert ask(engine, "known_command reg_genmove") == "false" == ask(engine, "known_command _run")
    assert not engine.ended and ask(engine, "quit") == "" and engine.ended


@pytest.mark.parametrize(
    ("line", "answer"),
    [
        ("", ""),
        ("   \t ", ""),
        ("# genmove black", ""),
        ("name # who?", "= rlcourse scripted\n\n"),
        ("name\r", "= rlcourse scripted\n\n"),
        ("12 name", "=12 rlcourse scripted\n\n"),
        ("\t007\tknown_command\tquit  ", "=007 true\n\n"),
        ("12clear_board", "? unknown command\n\n"),
        ("12 clear_board", "=12\n\n"),
        ("12", "?12 unknown command\n\n"),
        ("-1 name", "? unknown command\n\n"),
        ("\u0665 name", "? unknown command\n\n"),  # a digit, but none of ASCII
        ("9" * 5000 + " quit me", "?" + "9" * 5000 + " syntax error\n\n"),
        ("na\x00me\x07", "= rlcourse scripted\n\n"),  # control characters are dropped
        ("NAME", "? unknown command\n\n"),
        ("_run name", "? unknown command\n\n"),
        ("__init__", "? unknown command\n\n"),
        ("boardsize", "? syntax error\n\n"),
        ("boardsize 5 5", "? syntax error\n\n"),
        ("boardsize five", "? syntax error\n\n"),
        ("boardsize \u0665", "? syntax error\n\n"),
        ("boardsize 1", "? unacceptable size\n\n"),
        ("3 boardsize 20", "?3 unacceptable size\n\n"),
        ("boardsize 1000000000000", "? syntax error\n\n"),
        ("komi much", "? syntax error\n\n"),
        ("play black", "? syntax error\n\n"),
        ("play green C3", "? syntax error\n\n"),
        ("play black I3", "? syntax error\n\n"),  # there is no column I
        ("play black C0", "? syntax error\n\n"),
        ("play black resign", "? syntax error\n\n"),
        ("play black F1", "? illegal move\n\n"),
        ("genmove", "? syntax error\n\n"),
        ("genmove x", "? syntax error\n\n"),
        ("undo", "? cannot undo\n\n"),
        ("final_status_list", "? syntax error\n\n"),
        ("final_status_list captured", "? syntax error\n\n"),
        ("time_settings 1 2", "? syntax error\n\n"),
        ("time_settings 1 2 -3", "? syntax error\n\n"),
        ("time_settings 3600 30 5", "=\n\n"),
        ("time_left w 30 5", "=\n\n"),
        ("time_left w 30", "? syntax error\n\n"),
        ("loadsgf", "? syntax error\n\n"),
    ],
)
def test_one_line(line, answer):
    engine = engine_on()
    assert engine.answer(line) == answer
    assert engine.state == get_game("go").new_game() and not engine.ended


@pytest.mark.parametrize("komi", ["nan", "inf", "6.25", "1e9"])
def test_a_komi_that_is_none(komi):
    engine = engine_on()
    assert engine.answer(f"komi {komi}").startswith("? unacceptable komi: komi is what White gets")


def test_a_game_by_hand():
    """On 5 x 5 Black takes the corner stone A5; then Black's wall on C and White's on D
    part the board: 15 against 10.

    15 - 10 - 7.5 = -2.5; with komi -0.5 it is 5.5; with 5 a draw.
    """
    engine = engine_on()
    ask(engine, "play B b5", "play WHITE a5", "play black A4")
    assert ask(engine, "showboard") == (
        "\n5  . X . . .\n4  X . . . .\n3  . . . . .\n2  . . . . .\n1  . . . . .\n   A B C D E\n"
        "white to play (X black, O white)\ncaptured: 0 black, 1 white"
    )
    for row in range(1, 6):
        ask(engine, f"play w D{row}", f"play b C{row}")
    assert ask(engine, "final_score") == "W+2.5"
    assert ask(engine, "komi -0.5", "final_score") == "B+5.5"
    assert ask(engine, "komi 5", "final_score") == "0"
    assert ask(engine, "final_status_list dead") == "" == ask(engine, "final_status_list seki")
    alive = [line.split() for line in ask(engine, "final_status_list alive").split("\n")]
    assert sorted(map(sorted, alive)) == [
        ["A4"],
        ["B5", "C1", "C2", "C3", "C4", "C5"],
        ["D1", "D2", "D3", "D4", "D5"],
    ]


def test_moves_that_the_rules_forbid():
    engine = engine_on()
    # The ko of B4 and C4: White's last stone takes C4.
    for k, point in enumerate("B3 C3 A4 D4 B5 C5 C4".split()):
        ask(engine, f"play {'bw'[k % 2]} {point}")
    ask(engine, "play w B4")
    recipe = engine.state.recipe()
    for move in (
        "b C4",
        "b B3",
        "w D4",
        "b A6",
    ):  # superko, own stone, out of turn on a stone, off the board
        assert engine.answer(f"9 play {move}") == "?9 illegal move\n\n"
        assert engine.state.recipe() == recipe
    ask(engine, "play b E1", "play w E3")
    ask(engine, "play b C4")  # the board is another one by now
    assert engine.answer("play w B4") == "? illegal move\n\n"


def test_a_colour_may_move_out_of_turn_and_after_the_end():
    engine = engine_on(moves=[Move.play(Point(3, 3))])
    ask(engine, "play b A1", "play b B1", "play b E5", "play w E1")  # handicap stones
    assert (
        engine.state.board.tolist()[4] == [1, 1, 0, 0, 2]
        and engine.state.next_player == Player.black
    )
    ask(engine, "play b pass", "play w pass")
    assert engine.state.is_over()
    ask(engine, "play b A2", "play b pass", "play b B2")
    assert ask(engine, "genmove w") == "C3"
    assert engine.state.board.tolist()[2:] == [[0, 0, 2, 0, 0], [1, 1, 0, 0, 0], [1, 1, 0, 0, 2]]


def test_genmove_plays_resigns_and_passes():
    resign, passing = Move.resign(), Move.pass_turn()
    engine = engine_on(moves=[Move.play(Point(5, 1)), resign, passing])
    assert ask(engine, "genmove black") == "A5" and engine.state == from_recipe(
        "go size=5 komi=7.5:A5"
    )
    assert ask(engine, "genmove w") == "resign" and engine.state == from_recipe(
        "go size=5 komi=7.5:A5"
    )
    assert ask(engine, "genmove w") == "pass" and engine.state == from_recipe(
        "go size=5 komi=7.5:A5 pass"
    )


def test_an_agent_that_fails_is_reported_and_the_game_goes_on(capsys):
    engine = engine_on(
        moves=[
            Move.play(Point(3, 3)),
            Move.play(Point(3, 3)),
            MemoryError("no\nroom\n\n"),
            Move.pass_turn(),
        ]
    )
    ask(engine, "genmove b")
    assert (
        engine.answer("5 genmove w")
        == "?5 scripted failed: IllegalMove: C3 is occupied by black\n\n"
    )
    assert engine.answer("genmove w") == "? scripted failed: MemoryError: no room\n\n"
    assert ask(engine, "genmove w") == "pass"
    said = capsys.readouterr()
    assert said.out == "" and "Traceback" in said.err


def test_undo_takes_back_one_command():
    engine = engine_on(moves=[Move.play(Point(1, 1))])
    seen = []
    for line in ("play b C3", "play b D3", "genmove w", "play b pass", "play w pass", "play w E5"):
        seen.append(engine.state)
        ask(engine, line)
    while seen:
        ask(engine, "undo")
        assert engine.state == seen.pop()
    assert engine.answer("undo") == "? cannot undo\n\n"
    ask(engine, "play b C3", "komi 0.5", "undo")
    assert engine.state == get_game("go", komi=0.5).new_game()
    ask(engine, "play b C3", "clear_board")
    assert engine.answer("undo") == "? cannot undo\n\n"


def test_komi_in_the_middle_of_a_game_keeps_it_and_reaches_the_agent():
    engine = GtpEngine(load_agent("go/random", seed=3))
    ask(engine, "play b C3", "play w pass", "komi 0.5")
    assert engine.state == from_recipe("go size=5 komi=0.5:C3 pass")
    assert ask(engine, "genmove b") != "pass"
    assert engine.agent.game.options == {"size": 5, "komi": 0.5}
    ask(engine, "boardsize 7")
    assert engine.state == get_game("go", size=7, komi=0.5).new_game()


@pytest.mark.parametrize("size", range(2, 20))
def test_every_size(size):
    engine = GtpEngine(load_agent("go/random", seed=size))
    for k in range(4):
        said = ask(engine, f"boardsize {size}" if k == 0 else f"genmove {'bw'[k % 2]}")
    assert Move.from_text(said) == engine.state.last_move and engine.state.options["size"] == size
    assert len(ask(engine, "showboard").split("\n")) == size + 4


def test_what_was_learned_for_one_size_stays_there():
    engine = GtpEngine(Learned(get_game("go", size=5), seed=0))
    assert engine.answer("boardsize 7") == "? unacceptable size\n\n"
    ask(engine, "boardsize 5", "komi 3.5", "genmove b")
    assert engine.agent.name == "learned" and engine.agent.game.options["komi"] == 3.5
    with pytest.raises(ValueError, match="protocol for Go; random plays connect-four"):
        GtpEngine(load_agent("connect-four/random"))


def test_loadsgf(tmp_path):
    path, game = tmp_path / "game.sgf", from_recipe("go size=3 komi=0.5:B2 A1 C1 pass")
    path.write_text(to_sgf(game))
    engine = engine_on()
    assert ask(engine, f"loadsgf {path}") == "black" and engine.state == game
    ask(engine, "undo", "undo")
    assert engine.state == from_recipe("go size=3 komi=0.5:B2 A1")
    assert ask(engine, f"loadsgf {path} 2") == "white" and engine.state == from_recipe(
        "go size=3 komi=0.5:B2"
    )
    assert ask(engine, f"loadsgf {path} 1") == "black" and engine.state == from_recipe(
        "go size=3 komi=0.5:"
    )
    assert ask(engine, f"loadsgf {path} 99") == "black" and engine.state == game
    path.write_text("(;SZ[4];B[aa])")
    ask(engine, "komi 3.5", f"loadsgf {path}")
    assert engine.state == from_recipe("go size=4 komi=3.5:A4")  # the record names no komi
    learned = GtpEngine(Learned(get_game("go", size=5), seed=0))
    assert learned.answer(f"loadsgf {path}").startswith(
        "? cannot load file: learned has learned to play go (size=5"
    )
    for bad in ("(;SZ[4];B[aa];W[aa])", "(", ""):
        path.write_text(bad)
        assert engine.answer(f"loadsgf {path}").startswith("? cannot load file: ")
    for name in (tmp_path, tmp_path / "missing", "/dev/zero"):
        assert engine.answer(f"loadsgf {name}") == "? cannot load file: there is no such file\n\n"
    path.write_bytes(b" " * 2_000_001)
    assert engine.answer(f"loadsgf {path}") == "? cannot load file: the file is too large\n\n"
    assert engine.answer(f"loadsgf {path} x") == "? syntax error\n\n"
    assert engine.state == from_recipe("go size=4 komi=3.5:A4")


def test_printsgf(tmp_path):
    """On the line and into a file; sgfmill reads both."""
    game, path = "go size=3 komi=0.5:B2 A1 C1 pass", tmp_path / "game.sgf"
    engine = engine_on()
    ask(engine, "boardsize 3", "komi 0.5", "play b B2", "play w A1", "play b C1", "play w pass")
    assert engine.state == from_recipe(game)
    shown = ask(engine, "printsgf")
    assert "\n\n" not in shown and shown == ask(engine, "printsgf -")
    assert ask(engine, f"printsgf {path}") == ""
    for text in (shown, path.read_text()):
        record = sgf.Sgf_game.from_string(text)
        moves = [node.get_move() for node in record.get_main_sequence()[1:]]
        assert moves == [("b", (1, 1)), ("w", (0, 0)), ("b", (0, 2)), ("w", None)]
        assert (record.get_size(), record.get_komi()) == (3, 0.5)
    for folder in (tmp_path, "."):
        answer = engine.answer(f"printsgf {folder}")
        assert answer == "? cannot write file: Is a directory\n\n"


def served(engine, sent):
    sink = io.BytesIO()
    serve(engine, io.BytesIO(sent), sink)
    return sink.getvalue()


def test_the_stream():
    assert served(engine_on(), b"") == b""
    assert served(
        engine_on(), b"\r\n#\n1 protocol_version\r\n\r\n2 name\xff\n3 protocol_version"
    ) == (b"=1 2\n\n?2 unknown command\n\n=3 2\n\n")
    assert served(engine_on(), b"1 quit\n2 name\n") == b"=1\n\n"
    for length in (LONGEST_LINE - 1, LONGEST_LINE, LONGEST_LINE + 1, 3 * LONGEST_LINE):
        answers = served(engine_on(), b"name #" + b"x" * (length - 6) + b"\n2 protocol_version\n")
        first = b"= rlcourse scripted\n\n" if length < LONGEST_LINE else b"? line too long\n\n"
        assert answers == first + b"=2 2\n\n"


def test_nobody_listens():
    class Gone(io.BytesIO):
        def flush(self):
            raise BrokenPipeError

    serve(engine_on(), io.BytesIO(b"name\n" * 9), Gone())


WORDS = [
    *COMMANDS,
    *"black white b w C3 A1 T19 pass resign I5 5 7 0 -1 19 2 1e400 nan alive # é".split(),
    "\t",
    "\r",
    "\x00",
    "\u2028",
    "\udcff",
    "999999999999999999999999",
]


def malformed(rng):
    """One line: a valid command, a shuffle of words, a valid command with bytes
    changed, or bytes of any kind.
    """
    kind = rng.integers(5)
    column, row = "ABCDEFGHJKLMNOPQRST"[rng.integers(19)], rng.integers(1, 20)
    valid = (
        "play b {}{}",
        "play w {}{}",
        "genmove b",
        "genmove w",
        "undo",
        "showboard",
        "final_score",
        "komi {1}.5",
        "clear_board",
        "final_status_list alive",
        "loadsgf {0} {1}",
        "boardsize {1}",
        "lz-analyze {1}",
        "kata-analyze w maxmoves {1} interval 1",
        "gogui-analyze_commands",
        "rlcourse-thoughts b",
    )
    line = (
        valid[rng.choice(16, p=[0.19, 0.19, 0.19, 0.19] + [0.02] * 12)].format(column, row).encode()
    )
    if kind == 1:
        line = " ".join(rng.choice(WORDS, rng.integers(1, 6))).encode(errors="surrogateescape")
    elif kind == 2:
        changed = bytearray(line)
        for _ in range(rng.integers(1, 4)):
            changed[rng.integers(len(changed))] = rng.integers(256)
        line = bytes(changed)
    elif kind == 3:
        line = rng.bytes(rng.integers(0, 60))
    if rng.random() < 0.3:
        line = str(rng.integers(10**6)).encode() + b" " + line
    return line.replace(b"\n", b"") + b"\n"


def expected_number(line):
    """The number an answer must carry, None where there must be no answer.

    Read from the bytes, as the protocol says.
    """
    text = bytes(
        byte for byte in line.split(b"#")[0] if (byte >= 32 and byte != 127) or byte == 9
    ).decode(errors="replace")
    words = text.split()
    if not words:
        return None
    return words[0].encode() if re.fullmatch("[0-9]+", words[0]) else b""


@pytest.mark.parametrize(("name", "options"), [("random", {}), ("uct", {"simulations": 2})])
def test_no_line_ends_the_engine(name, options, capsys, tmp_path, monkeypatch):
    """`RLCOURSE_FUZZ_LINES=100000` sends as many lines, to a player that searches as well.

    After every 20th the engine says that it still follows.
    """
    monkeypatch.chdir(tmp_path)  # some line says printsgf
    rng = np.random.default_rng(100_000)
    engine, refused, played = GtpEngine(load_agent(f"go/{name}", seed=1, **options)), 0, 0
    for number in range(FUZZED_LINES):
        line = malformed(rng)
        answer = served(engine, line)
        engine.ended = False  # some line says quit
        wanted = expected_number(line)
        if wanted is None:
            assert answer == b"", line
        else:
            assert re.fullmatch(rb"[=?]" + wanted + rb"( [^\n]*)?(\n[^\n]+)*\n\n", answer), (
                line,
                answer,
            )
            refused += answer[:1] == b"?"
        if number % 20 == 0:
            assert served(engine, b"%d protocol_version\n" % number) == b"=%d 2\n\n" % number
            assert from_recipe(engine.state.recipe()) == engine.state
            played += len(engine.state.moves)
    assert 0.2 * FUZZED_LINES < refused < 0.9 * FUZZED_LINES and played > FUZZED_LINES / 50
    assert "Traceback" not in capsys.readouterr().err
    print(f"{FUZZED_LINES:,} lines, {refused:,} refused, none ended the engine")


@pytest.mark.slow
def test_the_command_serves_the_same_game_as_in_process():
    engine = GtpEngine(load_agent("go/random"))
    engine.agent.rng = np.random.default_rng(5)
    command = [sys.executable, "-m", "rlcourse.cli", "gtp", "go/random", "--seed", "5"]
    lines = [
        "name",
        "boardsize 6",
        "komi 4.5",
        "play w B2",
        *(f"genmove {'bw'[k % 2]}" for k in range(60)),
        "undo",
        "showboard",
        "final_score",
        "final_status_list alive",
    ]
    with GtpClient(command) as client:
        assert client.name.startswith("rlcourse random")
        for line in lines:
            assert client.ask(line) == ask(engine, line).removeprefix("\n")
        with pytest.raises(GtpRefused, match="illegal move"):
            client.ask("play b G1")
        assert client.ask("boardsize 19") == ""
