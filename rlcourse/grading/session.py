"""A hand-in in a process of its own, which may crash, hang or fill the memory.

The next question then starts another process.

Every sentence that the process sends was chosen by the handed-in code and can carry hidden inputs.
So what students read is written here, and what the process sent is kept apart, for the instructor
(`Reply.private`).
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from rlcourse.checks import calling
from rlcourse.checks.task import OVERWRITTEN, Case, Reply, Task
from rlcourse.grading.channel import Channel, Gone, TimedOut
from rlcourse.grading.launch import Launcher
from rlcourse.grading.meter import IDLE
from rlcourse.grading.submission import Piece, Submission
from rlcourse.notebook import line_defining

MOST_LEFT_OUT = 3  # cells that crash or hang; with more a person settles the hand-in
# Why a watch killed the process (`Box.ended_by`), as the end of a sentence.
KILLED_FOR = {
    "memory": "took more memory than a hand-in may have",
    "files": "made more files than a hand-in may have",
    "host": "ran when this machine had no memory left",
}


@dataclass(frozen=True)
class Patience:
    """Limits of one hand-in, in seconds of the processor (`meter`): a busy machine costs no points.

    start: for Python and NumPy to load.
    cell: for one cell of the notebook; a cell that takes longer is left out.
    case: at most for one case, whatever its task allows; None: as the task says.
    total: for everything, cells and restarts included; idle seconds count twice. The tasks that are
    left then are settled by a person.
    """

    start: float = 60.0
    cell: float = 60.0
    case: float | None = None
    total: float = 120.0


@dataclass
class Session:
    """A hand-in that answers questions.

    pieces: of the submission's plan, in the order in which they run.
    turns: number of seeds that are asked; each adds `patience.total` to the time of the session.
    notes: cell -> what went wrong with it.
    not_started: why no process could be started, "" where one could; that is the grader's fault,
    not the hand-in's.
    spent: seconds of the time of the session that are used up.
    """

    submission: Submission
    withheld: list[str]
    launcher: Launcher
    patience: Patience
    pieces: Sequence[Piece]
    turns: int = 1
    notes: dict[int, str] = field(default_factory=dict)
    not_started: str = ""
    spent: float = 0.0
    _left_out: set[int] = field(default_factory=set)
    _channel: Channel | None = None
    _failed_starts: int = 0
    _given_up: Reply | None = None
    _asked: set[str] = field(default_factory=set)  # tasks that this process was asked
    _ran: int = 0  # pieces that have run in this process
    _noted: int = 0  # pieces of which `notes` knows what they raise

    def __enter__(self) -> "Session":
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    def forget_questions(self) -> None:
        """End a process that was asked something.

        The cells of the next one run before any question, so they know no case.
        """
        if self._asked:
            self.stop()

    def ask(self, task: Task, case: Case, place: int) -> Reply:
        """The reply to one case of a task after `place` pieces have run, fit for a student to read.

        A crash or time-out does not count in a process that was asked other tasks before, which may
        have left something behind: the case is put again to a fresh process.
        """
        limit = min(task.seconds, self.patience.case or task.seconds)
        question = {"do": "call", "function": task.function, "question": case.question()}
        was_tried = False
        while True:
            if self._bring_to(place) is None:
                return self._given_up or _out_of_time(self.patience.total)
            fresh = self._asked <= {task.name}
            self._asked.add(task.name)
            try:
                reply = self._put(question, limit)
                if _lacks_a_name(reply):
                    self._learn_why(place)
                return self._readable(task, reply)
            except (TimedOut, Gone) as error:
                ended_by = self.stop()
                if self._seconds_left() <= 0:
                    return _out_of_time(self.patience.total)
                # Once more where this machine had no memory left, which may be others' doing.
                if fresh and (was_tried or ended_by != "host"):
                    return _ended(error, ended_by, limit)
                was_tried = was_tried or fresh

    def _readable(self, task: Task, reply: Reply) -> Reply:
        """The reply with our words in place of the hand-in's."""
        match reply.status:
            case "missing":
                error = self._why_missing(task)
            case "raised":
                error = readable_error(reply.error, task.function, self.submission)
            case "out_of_memory":
                error = "Python had no memory left: MemoryError"
            case "not_plain":
                error = calling.CAN_TRAVEL
            case "changed" if reply.error == OVERWRITTEN:
                error = OVERWRITTEN
            case "too_large":
                error = "the answer is larger than 1 MB, and nothing that the task asks for is"
            case _:
                error = ""
        says_nothing = reply.status in ("answer", "changed", "withheld", "blank")
        return reply._replace(error=error, private="" if says_nothing else reply.error)

    def _why_missing(self, task: Task) -> str:
        cell = self.submission.defining(task.function)
        if cell is None:
            return self.submission.why_missing(task)
        if cell in self.notes:
            return f"there is no function {task.function} in the hand-in; {self.notes[cell]}"
        there = f"the function {task.function} is there in cell {cell}"
        return f"{there}, but it is no function when the cells have run"

    def _bring_to(self, place: int) -> Channel | None:
        """A process in which `place` pieces have run; None where there is no time for that."""
        while (
            (self._channel is None or self._ran < place)
            and self._given_up is None
            and self._seconds_left() > 0
        ):
            cell, unasked = 0, True  # 0: the process itself is starting
            try:
                if self._channel is None:
                    self._start()
                for piece in self.pieces[self._ran : place]:
                    cell, unasked = piece.cell, not self._asked
                    if cell not in self._left_out:
                        self._run(piece)
                    self._ran += 1
                    self._noted = max(self._noted, self._ran * unasked)
            except (TimedOut, Gone) as error:
                self._note_end(error, self.stop(), cell, unasked)
        return None if self._given_up or self._seconds_left() <= 0 else self._channel

    def _start(self) -> None:
        self._channel, self._ran = Channel(self.launcher()), 0
        seconds = self.patience.start
        self._put({"do": "withhold", "names": self.withheld}, seconds, seconds)

    def _note_end(self, error: TimedOut | Gone, ended_by: str, cell: int, unasked: bool) -> None:
        """Leave out a cell that ended the process, or count a start that failed (cell 0)."""
        if cell and self._seconds_left() <= 0:
            return
        limit = self.patience.cell if cell else self.patience.start
        if isinstance(error, TimedOut):
            reason = f"took more than {limit:g} seconds"
        else:
            reason = f"crashed: {error}"
        # How a cell crashes after a question could tell what was asked: that cell is tried again in
        # a fresh process.
        if unasked or isinstance(error, TimedOut):
            self._leave_out(cell, KILLED_FOR.get(ended_by, reason))

    def _learn_why(self, place: int) -> None:
        """Run the cells once more in a process that knows no case, and so may say what they raise.

        Only while at least as much time is left as was spent: the other tasks need theirs.
        """
        if self._noted < place and self.spent < self._seconds_left():
            self.stop()
            self._bring_to(place)

    def _run(self, piece: Piece) -> None:
        lines = {"first": piece.first, "last": piece.last}
        question = {"do": "run", "source": piece.source, "number": piece.cell, **lines}
        reply = self._put(question, self.patience.cell)
        # The error of a cell that runs after a question could tell what was asked, so it is not
        # noted.
        if reply.status != "answer" and not self._asked:
            self.notes.setdefault(piece.cell, f"cell {piece.cell} raised {reply.error}")

    def _put(self, question: dict[str, Any], seconds: float, idle: float = IDLE) -> Reply:
        """The bare reply to a question, within what is left of the total. Raises TimedOut, Gone."""
        channel, left = self._channel, max(self._seconds_left(), 0.01)
        assert channel is not None, "a process is started before it is asked"
        try:
            return channel.ask(question, min(seconds, left), min(seconds, idle, left / 2))
        finally:
            self.spent += channel.spent

    def _leave_out(self, cell: int, reason: str) -> None:
        if cell == 0:
            self._failed_starts += 1
            if self._failed_starts == 2:
                self.not_started = f"the process for the hand-in does not start: it {reason}"
                self._given_up = Reply("crashed", None, self.not_started)
            return
        self._left_out.add(cell)
        self.notes[cell] = f"cell {cell} {reason}; it was left out"
        if len(self._left_out) > MOST_LEFT_OUT:
            last = self.notes[cell]
            message = f"more than {MOST_LEFT_OUT} cells crash or hang; the last one: {last}"
            self._given_up = Reply("unsettled", None, message)

    def _seconds_left(self) -> float:
        return self.patience.total * self.turns - self.spent

    def stop(self) -> str:
        """End the process; returns why a watch had killed it, or ""."""
        if self._channel is None:
            return ""
        channel, self._channel = self._channel, None
        self._asked.clear()
        channel.close()
        return channel.ended_by


def _lacks_a_name(reply: Reply) -> bool:
    """Whether a cell that failed may be why there is no answer: it binds nothing."""
    is_unknown = reply.status == "raised" and reply.error.startswith("NameError")
    return reply.status == "missing" or is_unknown


def _ended(error: TimedOut | Gone, ended_by: str, limit: float) -> Reply:
    """The reply of a process that was killed or has ended."""
    if ended_by:
        return Reply("out_of_memory", None, f"the function {KILLED_FOR[ended_by]}")
    if isinstance(error, TimedOut):
        return Reply("timed_out", None, f"no answer within {limit:g} seconds")
    message = "the process that ran the function ended, or said something else than an answer"
    return Reply("crashed", None, message, str(error))


def _out_of_time(total: float) -> Reply:
    return Reply("unsettled", None, f"the whole hand-in took more than {total:g} seconds")


def readable_error(description: str, function: str, submission: Submission) -> str:
    """What a student may read of an error in a hidden case: its kind, and where the asked function
    stands.

    description: "IndexError: index 9 is out of bounds (line 7: v = q[9])", or whatever else the
    process chose to send. Neither its text nor the line that raised is shown: a function that
    raises in one of many lines would say its arguments with it.
    """
    kind, cell = calling.kind_of(description), submission.defining(function)
    source = dict(submission.cells).get(cell, "") if cell else ""
    line = line_defining(source, function)
    return f"{kind} in {function} (cell {cell}, line {line})" if line else f"{kind} in {function}"
