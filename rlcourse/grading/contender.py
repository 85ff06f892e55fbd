"""A handed-in player in a box of its own: as an agent it can be asked, killed, and found too slow.

Every word and number that comes out of the box was chosen by the hand-in. Legality and results are
decided outside.
"""

import hashlib
import random
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from rlcourse.agents.base import BatchAgent, Decision
from rlcourse.arena import Forfeit
from rlcourse.checks.task import Reply
from rlcourse.games import Game
from rlcourse.grading.channel import Gone, TimedOut
from rlcourse.grading.launch import Launcher
from rlcourse.grading.meter import processor_seconds
from rlcourse.grading.notebook import BadSubmission
from rlcourse.grading.reading import ask
from rlcourse.grading.session import Patience, Session
from rlcourse.grading.submission import Submission
from rlcourse.untrusted import printable

PLAYER = Path(__file__).with_name("box_player.py")
AT_ONCE = 64  # positions put in one question
ENDED = {
    "memory": "took more memory than a player may have",
    "files": "made more files than a player may have",
}


@dataclass(frozen=True)
class Clock:
    """Seconds of thinking, in the processor's time where the system tells it. move: for a move, on
    average over a block of games, beyond `spare`; longest: for any one move. busy: in how many
    seconds by the clock on the wall, beside those in which this machine keeps it waiting, a second
    of thinking may be had. start: for each cell, and a first move on the empty board.
    deaths: how often its process may crash before the player is out; a hang counts as four, in the
    first move as seven.
    """

    move: float = 0.02
    spare: float = 5.0
    longest: float = 2.0
    start: float = 30.0
    deaths: int = 12
    busy: float = 5.0


class Contender(BatchAgent):
    """A hand-in as a player.

    content: a notebook or Python source with `choose`, or the file of an agent.

    Who crashes or hangs in many positions is asked again in each alone, so that it loses only the
    games that it cannot play. Who has no time left loses what is left of the block, and who crashes
    too often what is left of the tournament.
    """

    def __init__(
        self, game: Game, name: str, content: bytes, launcher: Launcher, clock: Clock = Clock()
    ) -> None:
        super().__init__(game)
        self.name, self.clock, self.used, self.asked = name, clock, 0.0, 0
        self.digest = hashlib.sha256(content + repr(clock).encode()).hexdigest()
        self._submission, self._never = _submission(content)
        self._out, self._deaths, self._launcher, self._session = self._never, 0, launcher, None
        stored = np.frombuffer(content, np.uint8) if is_agent(content) else None
        self._start = (game.name, dict(game.options), 0, stored)

    def fingerprint(self) -> str:
        """Of the hand-in and the clock."""
        return self.digest

    def begin(self, seed: int) -> None:
        """A block of games begins, with a full clock."""
        self.used, self.asked, self._out = 0.0, 0, self._never
        self._start = (
            *self._start[:2],
            random.Random(f"{seed} {self.digest}").getrandbits(32),
            self._start[3],
        )

    def rest(self) -> None:
        """End the process until the next question."""
        if self._session is not None:
            self._session.stop()
            self._session = None

    def decide(self, batch: Any, rows: np.ndarray, rng: np.random.Generator) -> Decision:
        """The actions in those rows.

        Raises Forfeit with the ones that came, and words for the others.
        """
        actions, words = np.full(len(rows), -1, np.int64), {}
        for start in range(0, len(rows), AT_ONCE):
            numbers = list(range(start, min(len(rows), start + AT_ONCE)))
            self._play(batch.take(rows[numbers]), numbers, actions, words)
        if words:
            raise Forfeit(actions, words)
        return Decision(actions)

    def _play(
        self, batch: Any, numbers: list[int], actions: np.ndarray, words: dict[int, str]
    ) -> None:
        """Fill in the actions, or the words, of these rows, whose positions are those of the batch."""
        told = self._out or self._ask(batch)
        if isinstance(told, str) and not self._out and len(numbers) > 1:
            for k, number in enumerate(numbers):
                self._play(batch.take(np.array([k])), [number], actions, words)
        elif isinstance(told, str):
            words |= dict.fromkeys(numbers, self._out or told)
        else:
            actions[numbers] = told[0]
            words |= {number: text for number, text in zip(numbers, told[1], strict=True) if text}

    def _ask(self, batch: Any) -> tuple[np.ndarray, list[str]] | str:
        """(actions [R], words [R], "" for an answer), or why there is no answer at all."""
        count, limit = len(batch.done), self.clock.longest + self.clock.move * (len(batch.done) - 1)
        self._session = self._session or _Session.of(self._submission, self._launcher, self.clock)
        try:
            if trouble := self._session.trouble(self._start):
                self._out = trouble
                self._never = "" if self._session.not_started else trouble
                return trouble
            told = _checked(self._session.put(batch.arrays(), limit), count)
        except (TimedOut, Gone) as error:
            ended_by, late, fresh = (
                self._session.stop(),
                isinstance(error, TimedOut),
                self._session.fresh,
            )
            took = (
                f"{self.clock.start:g} seconds for a first move"
                if fresh
                else f"{limit:.1f} seconds"
            )
            told = ENDED.get(ended_by) or (
                f"took longer than {took}" if late else "crashed: its process ended"
            )
            self._deaths += (7 if late and fresh else 4 if late else 1) * (ended_by != "host")
        self.used += self._session.take_seconds()
        self.asked += count
        if self._deaths > self.clock.deaths:
            self._out = self._never = (
                f"out: too many of its processes crashed or hung; the last one {told}"
            )
        elif self.used > self.clock.spare + self.clock.move * self.asked:
            allowed = (
                f"{self.clock.move:g} seconds a move are allowed, and {self.clock.spare:g} to spare"
            )
            self._out = f"out of time: {self.used:.0f} seconds for {self.asked} moves; {allowed}"
        return told


class _Session(Session):
    """The hand-in's process, the player's cell in it, and how long it thinks."""

    seconds, fresh, process, clock = 0.0, True, None, Clock()

    @classmethod
    def of(cls, submission: Submission, launcher: Launcher, clock: Clock) -> "_Session":
        """The session of a player; its process is started by the first question."""

        def launch() -> Any:
            session.process, session.fresh = launcher(), True
            return session.process

        session = cls(submission, [], launch, Patience(cell=clock.start, total=1e9))
        session.clock = clock
        session.begin()
        return session

    def trouble(self, start: tuple[Any, ...]) -> str:
        """Why this player cannot play, or "". A fresh process gets ready. Raises TimedOut, Gone."""
        if self._bring_to(len(self.pieces)) is None:
            return self.not_started or _line(
                self._given_up.error if self._given_up else "its process does not start"
            )
        if not self.fresh:
            return ""
        reply = self._call("rlcourse_begin", start, self.clock.start, 1.0)
        if (
            reply.status == "missing"
        ):  # our own cell was left out: the machine was too busy to run it in time
            self._left_out.clear()
            raise Gone("it was not ready in time")
        self.fresh, self.seconds = False, 0.0
        said = reply.answer if reply.status == "answer" else reply.error or reply.status
        notes = "; ".join(self.notes.values())
        return _line(f"{said}; {notes}" if said and notes else str(said))

    def put(self, arrays: dict[str, np.ndarray], limit: float) -> Reply:
        """The bare reply to a question. Raises TimedOut, Gone. limit: seconds of the processor."""
        return self._call("rlcourse_moves", (arrays,), limit, self.clock.busy)

    def _call(self, function: str, args: tuple[Any, ...], limit: float, busy: float) -> Reply:
        channel, started, before = (
            self._bring_to(len(self.pieces)),
            time.monotonic(),
            processor_seconds(self.process),
        )
        question = {"args": args, "calls": 1, "script": [], "watch": []}
        try:
            return channel.ask(
                {"do": "call", "function": function, "question": question}, limit, busy * limit
            )
        finally:
            wall, now = time.monotonic() - started, processor_seconds(self.process)
            if before is None:
                self.seconds += wall
            else:  # a process that has crashed has no clock any more
                self.seconds += max((now or before) - before, wall / self.clock.busy)

    def take_seconds(self) -> float:
        """The time used since this was last asked."""
        seconds, self.seconds = self.seconds, 0.0
        return seconds

    def stop(self) -> str:
        """End the process; returns why a watch had killed it, or ""."""
        return self._stop()


def is_agent(content: bytes) -> bool:
    """Whether these bytes want to be an agent's file (HDF5)."""
    return content[:4] == b"\x89HDF"


def _submission(content: bytes) -> tuple[Submission, str]:
    """(the cells to run, why this can never play)."""
    trouble, submission = "", Submission(())
    if not is_agent(content):
        try:
            submission = ask("read_submission", content)
        except BadSubmission as error:
            trouble = str(error)
        if not trouble and submission.defining("choose") is None:
            trouble = "there is no function choose in the hand-in"
    last = max((number for number, _ in submission.cells), default=0)
    return submission._replace(
        cells=(*submission.cells, (last + 1, PLAYER.read_text(encoding="utf-8")))
    ), trouble


def _checked(reply: Reply, count: int) -> tuple[np.ndarray, list[str]] | str:
    """The actions and words of an answer that may be anything, or why there is none.

    Raises Gone for what is no answer.
    """
    if reply.status != "answer":
        return (
            "had no memory left"
            if reply.status == "out_of_memory"
            else _line(reply.error) or "gave no move"
        )
    try:
        actions, words = reply.answer
        fits = (
            isinstance(actions, np.ndarray)
            and actions.shape == (count,)
            and actions.dtype.kind in "iu"
        )
        fits = fits and len(words) == count
    except (TypeError, ValueError):
        fits = False
    if not fits or not all(isinstance(text, str) for text in words):
        raise Gone("it answered something else than moves")
    actions = np.clip(actions.astype(np.float64), -1, 2**31 - 1).astype(np.int64)
    missing = [bool(text) or action < 0 for text, action in zip(words, actions, strict=True)]
    return actions, [
        (_line(text) or "gave no move") if gone else ""
        for text, gone in zip(words, missing, strict=True)
    ]


def _line(text: str) -> str:
    """A line for people: nothing that a terminal obeys, and not long."""
    return printable(text, instead=" ")[:200].strip()
