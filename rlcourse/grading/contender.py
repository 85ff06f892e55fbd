"""A handed-in player in a box of its own: as an agent it can be asked, killed, and found too slow.

Every word and number that comes out of the box was chosen by the hand-in. Legality and results are
decided outside.
"""

import hashlib
import random
import re
import time
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np

from rlcourse.agents import agent_names, load_agent
from rlcourse.agents.base import BatchAgent, Decision
from rlcourse.agents.shipped import shipped
from rlcourse.arena import Forfeit
from rlcourse.checks.sheet import Sheet
from rlcourse.checks.task import Case, Reply
from rlcourse.games import Game
from rlcourse.grading.channel import Gone, TimedOut
from rlcourse.grading.grade import Status, identify
from rlcourse.grading.launch import Launcher
from rlcourse.grading.meter import processor_seconds
from rlcourse.grading.reading import ask
from rlcourse.grading.session import KILLED_FOR, Patience, Session
from rlcourse.grading.submission import Submission
from rlcourse.notebook import BadSubmission
from rlcourse.untrusted import printable

PLAYER = Path(__file__).with_name("box_player.py")
AT_ONCE = 64  # positions put in one question


@dataclass(frozen=True)
class Clock:
    """Seconds of thinking, of the processor where the system tells them.

    move: for a move, on average over a block of games, beyond `spare`.
    longest: for any one move.
    start: for each cell, and for a first move on the empty board.
    deaths: how often its process may crash before the player is out; a hang counts as 4, in the
    first move as 7.
    busy: seconds by the clock in which one second of thinking may be had, beside those in which
    this machine keeps it waiting.
    """

    move: float = 0.02
    spare: float = 5.0
    longest: float = 2.0
    start: float = 30.0
    deaths: int = 12
    busy: float = 5.0


# In R positions: the actions [R], and why there is no action, "" where there is one.
_Moves = tuple[np.ndarray, list[str]]


class Contender(BatchAgent):
    """A hand-in as a player.

    content: a notebook or Python source with `choose`, or the file of an agent. sheet: the one that
    a notebook has to be of. translated: source that runs after the hand-in's, so that a variant's
    `choose` names moves as the game does.

    A player that crashes or hangs in many positions is asked again in each alone, so that it loses
    only the games that it cannot play. One that has no time left loses the rest of the block, and
    one that crashes too often the rest of the tournament.
    """

    def __init__(
        self,
        game: Game,
        name: str,
        content: bytes,
        launcher: Launcher,
        clock: Clock = Clock(),
        *,
        sheet: Sheet | None = None,
        translated: str = "",
    ) -> None:
        super().__init__(game)
        self.name, self.clock = name, clock
        self.digest = hashlib.sha256(content + f"{clock!r}{translated}".encode()).hexdigest()
        self.used, self.asked, self._deaths = 0.0, 0, 0
        self._submission, self._never = _submission(content, sheet, translated)
        self._out = self._never  # why it does not play on in this block; `_never`: in no block
        self._launcher = launcher
        self._session: _Session | None = None
        self.has_network = is_agent(content)
        self._stored = np.frombuffer(content, np.uint8) if self.has_network else None
        self._seed = 0

    def fingerprint(self) -> str:
        """Of the hand-in and the clock."""
        return self.digest

    def begin(self, seed: int) -> None:
        """A block of games begins, with a full clock."""
        self.used, self.asked, self._out = 0.0, 0, self._never
        self._seed = random.Random(f"{seed} {self.digest}").getrandbits(32)

    def rest(self) -> None:
        """End the process until the next question."""
        if self._session is not None:
            self._session.stop()
            self._session = None

    def decide(self, batch: Any, rows: np.ndarray, rng: np.random.Generator) -> Decision:
        """The actions in those rows.

        Raises Forfeit with the ones that came, and the reasons for the others.
        """
        actions = np.full(len(rows), -1, np.int64)
        reasons: dict[int, str] = {}
        for start in range(0, len(rows), AT_ONCE):
            numbers = list(range(len(rows)))[start : start + AT_ONCE]
            self._play(batch.take(rows[numbers]), numbers, actions, reasons)
        if reasons:
            raise Forfeit(actions, reasons)
        return Decision(actions)

    def _play(
        self, batch: Any, numbers: list[int], actions: np.ndarray, reasons: dict[int, str]
    ) -> None:
        """Fill in the actions, or the reasons, of these rows, whose positions are those of the
        batch.
        """
        answer = self._out or self._ask(batch)
        if not isinstance(answer, str):
            actions[numbers], given = answer
            named = zip(numbers, given, strict=True)
            reasons |= {number: reason for number, reason in named if reason}
        elif self._out or len(numbers) == 1:
            reasons |= dict.fromkeys(numbers, self._out or answer)
        else:
            for k, number in enumerate(numbers):
                self._play(batch.take(np.array([k])), [number], actions, reasons)

    def _ask(self, batch: Any) -> _Moves | str:
        """The moves in all positions of the batch, or why there is no answer at all."""
        count = len(batch.done)
        limit = self.clock.longest + self.clock.move * (count - 1)
        session = self._session or _Session(self._submission, self._launcher, self.clock)
        self._session = session
        stored, trained = self._stored, _trained(self.game) if self.has_network else []
        start = (self.game.name, dict(self.game.options), self._seed, stored, trained)
        answer: _Moves | str
        try:
            if trouble := session.trouble(start):
                self._out = trouble
                self._never = "" if session.not_started else trouble
                return trouble
            arrays = batch.arrays()
            reply = session.call("rlcourse_moves", (arrays,), limit, self.clock.busy)
            answer = _checked(reply, count)
        except (TimedOut, Gone) as error:
            ended_by = session.stop()
            answer = self._why_ended(error, ended_by, session.fresh, limit)
        self.used += session.seconds
        session.seconds = 0.0
        self.asked += count
        if self._deaths > self.clock.deaths:
            head = "out: too many of its processes crashed or hung; the last one"
            self._out = self._never = f"{head} {answer}"
        elif self.used > self.clock.spare + self.clock.move * self.asked:
            head = f"out of time: {self.used:.0f} seconds for {self.asked} moves"
            allowed = f"{self.clock.move:g} seconds a move are allowed"
            self._out = f"{head}; {allowed}, and {self.clock.spare:g} to spare"
        return answer

    def _why_ended(self, error: TimedOut | Gone, ended_by: str, fresh: bool, limit: float) -> str:
        """How the process ended, which is counted. fresh: before it had answered anything."""
        late = isinstance(error, TimedOut)
        if ended_by != "host":  # else this machine had no memory left
            self._deaths += 7 if late and fresh else 4 if late else 1
        if ended_by in KILLED_FOR:
            return KILLED_FOR[ended_by]
        if not late:
            return "crashed: its process ended"
        if fresh:
            return f"took longer than {self.clock.start:g} seconds for a first move"
        return f"took longer than {limit:.1f} seconds"


class _Session(Session):
    """The hand-in's process, the player's cell in it, and how long it thinks.

    seconds: of thinking. fresh: the process has not answered anything yet.
    """

    def __init__(self, submission: Submission, launcher: Launcher, clock: Clock) -> None:
        patience = Patience(cell=clock.start, total=1e9)
        super().__init__(submission, [], launcher, patience, submission.plan(()).pieces)
        self.clock, self.seconds, self.fresh = clock, 0.0, True
        # The processor's seconds of this process at the end of its last answer: who goes on
        # thinking while others are asked is charged for that at the next question.
        self._counted: float | None = None

    def _start(self) -> None:
        self.fresh, self._counted = True, None
        super()._start()

    def trouble(self, start: tuple[Any, ...]) -> str:
        """Why this player cannot play, or "". A fresh process gets ready. Raises TimedOut, Gone."""
        if self._bring_to(len(self.pieces)) is None:
            given_up = self._given_up.error if self._given_up else "its process does not start"
            return self.not_started or _line(given_up)
        if not self.fresh:
            return ""
        reply = self.call("rlcourse_begin", start, self.clock.start, 1.0)
        if reply.status == "missing":
            # The player's cell was left out: the machine was too busy to run it in time.
            self._left_out.clear()
            raise Gone("it was not ready in time")
        self.fresh, self.seconds = False, 0.0
        trouble = reply.answer if reply.status == "answer" else reply.error or reply.status
        notes = "; ".join(self.notes.values())
        return _line(f"{trouble}; {notes}" if trouble and notes else str(trouble))

    def call(self, function: str, args: tuple[Any, ...], limit: float, busy: float) -> Reply:
        """The bare reply. limit: seconds of the processor; busy: by the clock, for each of them.

        Raises TimedOut, Gone.
        """
        channel, started = self._bring_to(len(self.pieces)), time.monotonic()
        if channel is None:
            raise Gone("it could not be started again")
        if self._counted is None:
            self._counted = processor_seconds(channel.process)
        before = self._counted
        question = {"do": "call", "function": function, "question": Case(args).question()}
        try:
            return channel.ask(question, limit, busy * limit)
        finally:
            wall, now = time.monotonic() - started, processor_seconds(channel.process)
            if before is None:
                self.seconds += wall
            else:  # a process that has crashed has no clock any more
                self.seconds += max((now or before) - before, wall / self.clock.busy)
                self._counted = now


@lru_cache
def _trained(game: Game) -> list[int]:
    """The checksum of the arrays of each player of this game that the course has trained."""
    mine = [name for name in agent_names(game) if name in shipped()]
    return [load_agent(name).arrays_checksum() for name in mine]


def is_agent(content: bytes) -> bool:
    """Whether these bytes are meant to be an agent's file (HDF5)."""
    return content[:4] == b"\x89HDF"


def _submission(content: bytes, sheet: Sheet | None, translated: str) -> tuple[Submission, str]:
    """(the cells to run, why this can never play)."""
    trouble, submission = "", Submission(())
    if not is_agent(content):
        try:
            submission = ask("read_submission", content)
        except BadSubmission as error:
            trouble = str(error)
        if not trouble and submission.defining("choose") is None:
            trouble = "there is no function choose in the hand-in"
        if not trouble and sheet:
            status, reason = identify(sheet, submission)
            trouble = reason if status is Status.WRONG_SHEET else ""
    sources = [PLAYER.read_text(encoding="utf-8")]
    if translated and not is_agent(content):
        sources.insert(0, translated)
    first = 1 + max((number for number, _ in submission.cells), default=0)
    return submission._replace(cells=(*submission.cells, *enumerate(sources, first))), trouble


def _checked(reply: Reply, count: int) -> _Moves | str:
    """The moves of an answer that may be anything, or why there is none.

    Raises Gone for what is no answer.
    """
    if reply.status == "out_of_memory":
        return "had no memory left"
    if reply.status != "answer":
        return _line(reply.error) or "gave no move"
    match reply.answer:
        case [np.ndarray() as actions, [*reasons]] if (
            actions.shape == (count,) == (len(reasons),)
            and actions.dtype.kind in "iu"
            and all(isinstance(reason, str) for reason in reasons)
        ):
            # A number that no game has as an action is illegal, whatever it was.
            actions = np.clip(actions.astype(np.float64), -1, 2**31 - 1).astype(np.int64)
        case _:
            raise Gone("it answered something else than moves")
    checked = [
        (_line(reason) or "gave no move") if reason or action < 0 else ""
        for reason, action in zip(reasons, actions, strict=True)
    ]
    return actions, checked


def _line(text: str) -> str:
    """A line for people: nothing that a terminal obeys, not long, and without addresses, which make
    two reasons of one.
    """
    line = printable(text, instead=" ")[:200].strip().removesuffix(":")
    return re.sub(r" at 0x[0-9a-f]+", "", line)
