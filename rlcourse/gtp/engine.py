"""An agent as a GTP engine: any Go program can play it.

The Go Text Protocol, version 2 (Farneback 2002). Nothing that arrives ends the engine but `quit`
and the end of the input: what cannot be done is answered with "?".

`lz-analyze` and `kata-analyze` answer until the next line arrives; see `rlcourse.gtp.analysis`.
"""

import queue
import re
import sys
import threading
import traceback
from collections import deque
from collections.abc import Callable
from importlib.metadata import version
from pathlib import Path
from typing import BinaryIO

import numpy as np

from rlcourse.agents.base import BatchAgent
from rlcourse.agents.search import SearchAgent
from rlcourse.atomic import write_atomically
from rlcourse.errors import BadValue
from rlcourse.games import Game, IllegalMove, get_game
from rlcourse.games.go import GoState, Move, Player, Point, go_position
from rlcourse.gtp.analysis import Analysis, Thought, Wanted, katago, leela_zero, picture
from rlcourse.gtp.sgf import BadSgf, from_sgf, to_sgf
from rlcourse.gtp.turns import in_turn

LONGEST_LINE = 10_000  # bytes
LARGEST_FILE = 2_000_000  # bytes
# Command -> the least and the greatest number of arguments.
COMMANDS = {
    "protocol_version": (0, 0), "name": (0, 0), "version": (0, 0), "known_command": (1, 1),
    "list_commands": (0, 0), "quit": (0, 0), "boardsize": (1, 1), "clear_board": (0, 0),
    "komi": (1, 1), "play": (2, 2), "genmove": (1, 1), "undo": (0, 0), "final_score": (0, 0),
    "final_status_list": (1, 1), "time_settings": (3, 3), "time_left": (3, 3), "showboard": (0, 0),
    "loadsgf": (1, 2), "printsgf": (0, 1), "lz-analyze": (0, 20), "kata-analyze": (0, 20),
    "gogui-analyze_commands": (0, 0), "rlcourse-thoughts": (0, 1),
}  # fmt: skip
# GoGui shows these in its menu: type of the answer / label / command, %m for the player to move.
GOGUI = ("gfx/Thoughts/rlcourse-thoughts %m", "string/Score/final_score", "hstring/Board/showboard")


class Refused(Exception):
    """What stands behind the "?" of an answer."""


class GtpEngine:
    """One game of Go as the commands left it, and the agent that moves in it.

    agent: plays the size and komi it was made for. Another komi, and another size where it has
    learned nothing that belongs to one (its `arrays()` are empty), make an equal agent for that
    game. Raises ValueError for an agent of another game.

    analysis: the one that the last line began, whose answer the next line ends.
    """

    def __init__(self, agent: BatchAgent) -> None:
        if agent.game.name != "go":
            raise BadValue(f"GTP is a protocol for Go; {agent.name} plays {agent.game}")
        self.agent = agent
        self.state = go_position(agent.game.new_game())
        self.ended = False
        self.analysis: Analysis | None = None
        # What `undo` takes back; a position of 19 x 19 holds 26 kB.
        self._earlier: deque[GoState] = deque(maxlen=2_000)

    def answer(self, line: str) -> str:
        """The answer to one line, with a blank line behind it; "" to a line without a command.

        Any line ends an analysis, whose answer is closed before this one. The answer that begins
        an analysis stays open.
        """
        return self.hush() + self._answer(line)

    def warm_up(self) -> None:
        """Think once, so that the first analysis is interrupted as quickly as every other one."""
        self.answer("lz-analyze 1")
        if self.analysis is not None:
            list(self.analysis.lines(lambda: True))
        self.hush()

    def hush(self) -> str:
        """End the analysis; what closes its answer, "" where there is none."""
        closing = "" if self.analysis is None else "\n"
        self.analysis = None
        return closing

    def _answer(self, line: str) -> str:
        tokens = re.sub(r"[\x00-\x08\x0b-\x1f\x7f]", "", line).partition("#")[0].split()
        if not tokens:
            return ""
        number = tokens.pop(0) if tokens[0].isascii() and tokens[0].isdigit() else ""
        try:
            sign, text = "=", self._run(tokens[0] if tokens else "", tokens[1:])
        except Refused as refusal:
            sign, text = "?", " ".join(str(refusal).split())
        except Exception as error:  # of an agent: the game goes on
            traceback.print_exc(file=sys.stderr)
            failure = f"{self.agent.name} failed: {type(error).__name__}: {error}"
            sign, text = "?", " ".join(failure.split())
        return f"{sign}{number} {text}".rstrip() + ("\n\n" if self.analysis is None else "\n")

    def _run(self, command: str, arguments: list[str]) -> str:
        if command not in COMMANDS:
            raise Refused("unknown command")
        least, most = COMMANDS[command]
        if not least <= len(arguments) <= most:
            raise Refused("syntax error")
        return getattr(self, f"_{command.replace('-', '_')}")(*arguments) or ""

    def _protocol_version(self) -> str:
        return "2"

    def _name(self) -> str:
        return f"rlcourse {self.agent.name}"

    def _version(self) -> str:
        return version("rlcourse")

    def _known_command(self, command: str) -> str:
        return "true" if command in COMMANDS else "false"

    def _list_commands(self) -> str:
        return "\n".join(COMMANDS)

    def _quit(self) -> None:
        self.ended = True

    def _boardsize(self, size: str) -> None:
        try:
            self.agent = self._agent_for(_number(size), self.state.options["komi"])
        except (ValueError, TypeError):
            raise Refused("unacceptable size") from None
        self._clear_board()

    def _clear_board(self) -> None:
        self.state = go_position(self.agent.game.new_game())
        self._earlier.clear()

    def _komi(self, komi: str) -> None:
        try:
            points = float(komi)
        except ValueError:
            raise Refused("syntax error") from None
        try:
            self.agent = self._agent_for(self.state.options["size"], points)
        except (ValueError, TypeError) as error:
            raise Refused(f"unacceptable komi: {error}") from None
        self.state = _in_game(self.agent.game, self.state)

    def _play(self, color: str, vertex: str) -> None:
        try:
            move = Move.from_text(vertex)
        except IllegalMove:
            raise Refused("syntax error") from None
        if move.is_resign:
            raise Refused("syntax error")
        try:
            self._become(in_turn(self.state, _player(color)).apply_move(move))
        except IllegalMove:
            raise Refused("illegal move") from None

    def _genmove(self, color: str) -> str:
        before = in_turn(self.state, _player(color))
        move = self.agent.select_move(before)
        if not move.is_resign:
            self._become(before.apply_move(move))
        return str(move)

    def _undo(self) -> None:
        if not self._earlier:
            raise Refused("cannot undo")
        self.state = _in_game(self.agent.game, self._earlier.pop())

    def _final_score(self) -> str:
        score = self.state.score()
        return f"{'B' if score > 0 else 'W'}+{abs(score):g}" if score else "0"

    def _final_status_list(self, status: str) -> str:
        """All stones are alive: the rules count every stone on the board (Tromp-Taylor 1995)."""
        if status not in ("alive", "dead", "seki"):
            raise Refused("syntax error")
        if status != "alive":
            return ""
        board, size = self.state.board, self.state.options["size"]
        lines, seen = [], set[Point]()
        for point in (Point(row, col) for row in range(size, 0, -1) for col in range(1, size + 1)):
            group = None if point in seen else board.get_go_string(point)
            if group:
                seen |= group.stones
                lines.append(" ".join(str(stone) for stone in sorted(group.stones)))
        return "\n".join(lines)

    def _time_settings(self, main: str, byo_yomi: str, stones: str) -> None:
        for word in (main, byo_yomi, stones):  # agents move in far less than any clock gives
            _number(word)

    def _time_left(self, color: str, seconds: str, stones: str) -> None:
        _player(color), _number(seconds), _number(stones)

    def _showboard(self) -> str:
        return "\n{}\ncaptured: {} black, {} white".format(self.state, *self.state.captured)

    def _printsgf(self, filename: str = "-") -> str:
        """The game as SGF, into the file where one is named; "-" is none, as with GNU Go."""
        if filename == "-":
            return to_sgf(self.state).strip()
        try:
            write_atomically(Path(filename), to_sgf(self.state))
        except OSError as error:
            raise Refused(f"cannot write file: {error.strerror}") from None
        return ""

    def _loadsgf(self, filename: str, move_number: str = "") -> str:
        """With a number, the position before that move. Answers who is to play, as GNU Go does."""
        before = _number(move_number) if move_number else None
        try:
            path = Path(filename)
            if not path.is_file():
                raise BadSgf("there is no such file")
            if path.stat().st_size > LARGEST_FILE:
                raise BadSgf("the file is too large")
            states = from_sgf(path.read_bytes(), komi=self.state.options["komi"])
            states = states if before is None else states[: max(1, before)]
            self.agent = self._agent_for(states[0].options["size"], states[0].options["komi"])
        except (OSError, ValueError, TypeError) as error:
            raise Refused(f"cannot load file: {error}") from None
        self.state = states.pop()
        self._earlier.clear()
        self._earlier.extend(states)
        return self.state.next_player.name

    def _lz_analyze(self, *arguments: str) -> None:
        self._analyse(arguments, leela_zero)

    def _kata_analyze(self, *arguments: str) -> None:
        self._analyse(arguments, katago)

    def _gogui_analyze_commands(self) -> str:
        return "\n".join(GOGUI)

    def _rlcourse_thoughts(self, color: str = "") -> str:
        """What the agent thinks of its next move, as GoGui draws it."""
        state = self._to_move(color)
        batch = self.agent.batch_of(state)
        rng = self.agent.rng.spawn(1)[0]  # beside the agent's own, which plays the game
        decision = self.agent.decide(batch, np.zeros(1, np.int64), rng)
        try:
            return picture(self.agent.name, self.agent.game, state, decision)
        except ValueError as error:
            raise Refused(str(error)) from None

    def _analyse(self, arguments: tuple[str, ...], say: Callable[[int, Thought], str]) -> None:
        try:
            wanted = Wanted.read(arguments)
        except ValueError as error:
            raise Refused(str(error)) from None
        if not isinstance(self.agent, SearchAgent):
            raise Refused(f"{self.agent.name} does not search; rlcourse-thoughts shows its policy")
        state, rng = self._to_move(wanted.color), self.agent.rng.spawn(1)[0]
        self.analysis = Analysis(self.agent, state, wanted, say, rng)

    def _to_move(self, color: str) -> GoState:
        """The position with that colour to move; "": with the player whose turn it is."""
        return in_turn(self.state, _player(color) if color else self.state.next_player)

    def _become(self, state: GoState) -> None:
        self._earlier.append(self.state)
        self.state = state

    def _agent_for(self, size: int, komi: float) -> BatchAgent:
        """The agent, or an equal one, for that board. Raises ValueError, TypeError."""
        game = get_game("go", size=size, komi=komi)
        if game.options == self.agent.game.options:
            return self.agent
        arrays = self.agent.arrays()
        if arrays and game.board != self.agent.game.board:
            raise BadValue(f"{self.agent.name} has learned to play {self.agent.game}")
        agent = type(self.agent).from_arrays(game, arrays, **self.agent.options())
        agent.rng = self.agent.rng
        return agent


def _in_game(game: Game, state: GoState) -> GoState:
    """The same game with the komi of `game`."""
    if state.options == game.options:
        return state
    return go_position(game.parse(state.recipe().partition(":")[2]))


def _player(color: str) -> Player:
    players = {"b": Player.black, "black": Player.black, "w": Player.white, "white": Player.white}
    if color.lower() not in players:
        raise Refused("syntax error")
    return players[color.lower()]


def _number(word: str) -> int:
    if not re.fullmatch("[0-9]{1,9}", word):
        raise Refused("syntax error")
    return int(word)


def serve(engine: GtpEngine, source: BinaryIO, sink: BinaryIO) -> None:
    """Answer the lines of `source` on `sink` until `quit` or the end of either stream."""
    line = b"\n"
    while line and not engine.ended:
        if engine.analysis is None:
            line = source.readline(LONGEST_LINE)
        else:
            line = _think_aloud(engine.analysis, source, sink)
        if len(line) == LONGEST_LINE and not line.endswith(b"\n"):
            while line and not line.endswith(b"\n"):
                line = source.readline(LONGEST_LINE)
            answer = engine.hush() + "? line too long\n\n"
        else:
            answer = engine.answer(line.decode(errors="replace"))
        try:
            sink.write(answer.encode())
            sink.flush()
        except BrokenPipeError:
            return


def _think_aloud(analysis: Analysis, source: BinaryIO, sink: BinaryIO) -> bytes:
    """The next line of `source`; until it arrives, the lines of the analysis go to `sink`."""
    arrived: queue.SimpleQueue[bytes] = queue.SimpleQueue()

    def listen() -> None:
        """Wait for the line; b"" where the stream has ended or failed."""
        line = b""
        try:
            line = source.readline(LONGEST_LINE)
        finally:
            arrived.put(line)

    threading.Thread(target=listen, name="next line", daemon=True).start()
    try:
        for line in analysis.lines(lambda: not arrived.empty()):
            sink.write(f"{line}\n".encode())
            sink.flush()
    except BrokenPipeError:
        pass  # the answer to the next line finds out
    except Exception:  # of an agent: the game goes on
        traceback.print_exc(file=sys.stderr)
    return arrived.get()
