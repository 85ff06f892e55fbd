"""Grade a class: every hand-in in a process of its own, several at a time, each result kept at once.

A record is a small file named by everything that decides it: the content of the hand-in, the sheet's release, the seed, the
version of the checks. So a second run grades only what is new, and a run that was killed goes on where it stopped.
"""

import csv
import hashlib
import json
import os
import secrets
import threading
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import asdict, dataclass, field
from functools import cache
from io import StringIO
from pathlib import Path
from typing import Any

import numpy as np

import rlcourse.checks
from rlcourse.checks.sheet import Sheet
from rlcourse.checks.task import Case, Outcome, Result, Task
from rlcourse.grading import Launcher, Patience, Status, Submission, grade_file
from rlcourse.grading.hand_in import code_of
from rlcourse.grading.reading import ask, settled
from rlcourse.grading.roster import Student

PACKAGE = Path(rlcourse.checks.__file__).parents[1]


@dataclass(frozen=True)
class Record:
    """What is known of one content. release: of the sheet it was graded as. results: one a task. alone: tried a second time,
    with nothing else running, because something had timed out. explanation: why there are no points."""

    digest: str
    status: Status
    release: int = 0
    results: tuple[Result, ...] = ()
    notes: tuple[str, ...] = ()
    seconds: float = 0.0
    alone: bool = False
    explanation: str = ""

    @property
    def points(self) -> float:
        """Points of the tasks that are judged here."""
        return sum(result.points for result in self.results)

    @property
    def timed_out(self) -> bool:
        """Whether a task, or a cell, took too long."""
        return any(result.outcome is Outcome.TIMED_OUT for result in self.results) or any(
            "took more than" in n for n in self.notes
        )


@dataclass
class Classroom:
    """One sheet, one seed, one folder of records. launcher: the process of each hand-in; way: its name in the records."""

    sheet: Sheet
    folder: Path
    seed: int
    launcher: Launcher
    way: str = "box"
    _cases: dict[str, list[Case]] = field(default_factory=dict)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def store(self, digest: str, content: bytes) -> None:
        """Keep the content of a hand-in by its digest."""
        path = self._content(digest)
        if not path.exists():
            write_atomically(path, content)

    def content(self, digest: str) -> bytes:
        """A stored content again."""
        return self._content(digest).read_bytes()

    def grade_all(
        self, digests: Iterable[str], *, jobs: int = 2, progress: Callable[[Record], None] = lambda record: None
    ) -> dict[str, Record]:
        """A record of every content, in any order; what timed out is tried once more alone before it counts.

        progress: called once for every content, in this thread. A hand-in that breaks the grader gets a record that says so.
        """
        digests = list(dict.fromkeys(digests))
        records = {digest: record for digest in digests if (record := self.recall(digest)) is not None}
        for record in records.values():
            if not self._must_repeat(record):
                progress(record)
        for record in self._side_by_side([digest for digest in digests if digest not in records], jobs):
            records[record.digest] = record
            if not self._must_repeat(record):
                progress(record)
        for digest in [digest for digest in digests if self._must_repeat(records[digest])]:
            records[digest] = self._grade(digest, alone=True)
            progress(records[digest])
        return records

    def recall(self, digest: str) -> Record | None:
        """The record of an earlier run, or None."""
        try:
            entry = json.loads(self._record(digest).read_text(encoding="utf-8"))
            results = tuple(Result(**{**result, "outcome": Outcome(result["outcome"])}) for result in entry["results"])
            return Record(**{**entry, "status": Status(entry["status"]), "results": results, "notes": tuple(entry["notes"])})
        except (OSError, ValueError, KeyError, TypeError):
            return None

    def _must_repeat(self, record: Record) -> bool:
        return record.timed_out and not record.alone

    def _side_by_side(self, digests: list[str], jobs: int) -> Iterator[Record]:
        with ThreadPoolExecutor(max_workers=max(1, jobs), thread_name_prefix="grading") as pool:
            running: set[Future[Record]] = {pool.submit(self._grade, digest) for digest in digests}
            try:
                while running:
                    done, running = wait(running, return_when=FIRST_COMPLETED)
                    yield from (future.result() for future in done)
            except BaseException:
                pool.shutdown(wait=False, cancel_futures=True)
                raise

    def _grade(self, digest: str, alone: bool = False) -> Record:
        def not_run(why: str) -> Record:
            """A record that is not kept: the next run tries again."""
            return Record(digest, Status.NOT_RUN, explanation=f"the grader failed: {why}")

        return settled(lambda: self._graded(digest, alone), not_run)

    def _graded(self, digest: str, alone: bool) -> Record:
        patience, content = Patience() if alone else Patience(attempts=1), self.content(digest)
        told = grade_file(
            self.sheet, content, seed=self.seed, launcher=self.launcher, patience=patience, cases=self._hidden, read=_read
        )
        record = Record(digest, told.status, told.release, told.results, told.notes, told.seconds, alone, told.explanation)
        if record.status is not Status.NOT_RUN:
            write_atomically(self._record(digest), json.dumps(asdict(record), indent=1).encode())
        return record

    def _hidden(self, task: Task, seed: int) -> list[Case]:
        """The cases of a task, drawn once for the whole class."""
        with self._lock:
            if task.name not in self._cases:
                self._cases[task.name] = task.hidden_cases(seed)
            return self._cases[task.name]

    def _content(self, digest: str) -> Path:
        return self.folder / "hand-ins" / digest

    def _record(self, digest: str) -> Path:
        deciding = f"{digest} {self.sheet.number}.{self.sheet.release} {self.seed} {self.way} {version()}"
        return self.folder / "records" / f"{hashlib.sha256(deciding.encode()).hexdigest()[:40]}.json"


def _read(content: bytes) -> Submission:
    return ask("read_submission", content)


@cache
def version() -> str:
    """A fingerprint of everything that decides a verdict beside the hand-in: checks, the grader's own modules, NumPy."""
    digest = hashlib.sha256(np.__version__.encode())
    folders = [Path(folder) for folder in rlcourse.checks.__path__]
    own = [PACKAGE / "grading" / f"{name}.py" for name in ("grade", "channel", "submission", "worker")]
    for path in [*sorted(path for folder in folders for path in folder.glob("*.py")), *own]:
        digest.update(path.name.encode() + path.read_bytes())
    return digest.hexdigest()


def seed_of(secret: str) -> int:
    """The grading seed that a secret stands for: hidden cases cannot be computed without knowing it."""
    return int.from_bytes(hashlib.sha256(secret.encode()).digest()[:8], "little")


def secret_in(folder: Path) -> str:
    """The class's own secret, made when it is first asked for and kept, so that every run puts the same questions."""
    path = folder / "secret"
    if not path.exists():
        write_atomically(path, secrets.token_hex(16).encode())
    return path.read_text(encoding="ascii").strip()


def write_codes(folder: Path, students: Iterable[Student]) -> Path:
    """codes.csv in the class's folder: the code of each student, by the class's own secret; the same ones each time."""
    secret, out = secret_in(folder), StringIO()
    rows = ((student.id, student.name, student.email, code_of(secret, student.id)) for student in students)
    csv.writer(out).writerows([("id", "name", "email", "code"), *rows])
    write_atomically(folder / "codes.csv", out.getvalue().encode("utf-8-sig"))
    return folder / "codes.csv"


def write_atomically(path: Path, data: bytes) -> None:
    """The whole file or none of it, also when the machine stops; readable by its owner alone: it is about students."""
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    part = path.with_name(f".{path.name[:40]}.{secrets.token_hex(4)}.part")
    try:
        with os.fdopen(
            os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0), 0o600), "wb"
        ) as stream:
            stream.write(data)
            stream.flush()
            os.fsync(stream.fileno())
        os.replace(part, path)
    finally:
        part.unlink(missing_ok=True)


def lock(folder: Path) -> Any:
    """Held while a class is graded; two runs in one folder would write over each other. Raises ValueError where it is held."""
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    stream = (folder / "lock").open("a")
    try:
        import fcntl

        fcntl.flock(stream, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except ImportError:
        pass  # Windows: one relies on the person
    except OSError:
        stream.close()
        raise ValueError(f"another run is grading in {folder}; wait for its end") from None
    return stream
