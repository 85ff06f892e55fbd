"""Grade a class: every hand-in in a process of its own, several at a time, each result kept at
once.

All files of one student share one budget of time, and who computes for long gives the place to
others meanwhile.

A record is a small file named by everything that decides it: the content of the hand-in, the sheet,
the seed, the version of the course. So a second run grades only what is new, and a run that was
killed goes on where it stopped.
"""

import hashlib
import json
import secrets
import sys
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field, replace
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from rlcourse.atomic import lock_file, write_atomically
from rlcourse.checks import FILES, sheet_folder, sheet_numbers
from rlcourse.checks.sheet import Sheet
from rlcourse.checks.task import Case, Outcome, Result, Task
from rlcourse.grading import Launcher, Patience, Report, Status, grade_file
from rlcourse.grading.launch import PACKAGE
from rlcourse.grading.reading import settled
from rlcourse.grading.receipt import code_of
from rlcourse.grading.roster import Student
from rlcourse.untrusted import table

PLACE = 20.0  # seconds after which a hand-in that is still at work no longer keeps others waiting
GUESTS = 6  # at most so many of these are at work beside those who have a place
LEAST = 1.0  # second of a budget that is worth starting a process


@dataclass
class Classroom:
    """One sheet, one seed, one folder of records.

    launcher: the process of each hand-in; way: its name in the records.
    """

    sheet: Sheet
    folder: Path
    seed: int
    launcher: Launcher
    way: str
    _cases: dict[str, list[Case]] = field(default_factory=dict)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def store(self, digest: str, content: bytes) -> None:
        """Keep the content of a hand-in by its digest."""
        path = self._content(digest)
        if not path.exists():
            write_atomically(path, content, private=True)

    def content(self, digest: str) -> bytes:
        """A stored content again."""
        return self._content(digest).read_bytes()

    def grade_all(
        self,
        files: Iterable[Sequence[str]],
        *,
        jobs: int = 2,
        progress: Callable[[Report], None] = lambda record: None,
    ) -> dict[str, Report]:
        """A record of every content, in any order. files: of each student the digests in the order
        in which they are graded, which share one budget of time.

        progress: called once for every content, in this thread. A hand-in that breaks the grader
        gets a record that says so.
        """
        records: dict[str, Report] = {}
        for record in self._side_by_side(dict.fromkeys(map(tuple, files)), jobs):
            known = records.get(record.digest)
            # Of two students with one file the other may have had time for it.
            if known is None or known.status is Status.NO_TIME:
                records[record.digest] = record
            if known is None:
                progress(record)
        return records

    def recall(self, digest: str) -> Report | None:
        """The record of an earlier run, or None."""
        try:
            entry = json.loads(self._record(digest).read_text(encoding="utf-8"))
            entry["status"], entry["notes"] = Status(entry["status"]), tuple(entry["notes"])
            results = {result["task"]: result for result in entry["results"]}
            tasks = self.sheet.tasks if results else ()
            entry["results"] = tuple(_as_now(task, results[task.name]) for task in tasks)
            return Report(**entry)
        except (OSError, ValueError, KeyError, TypeError):
            return None

    def labels(self, task: Task) -> list[str]:
        """The hidden cases of a task in words (`Case.label`); kept, as some take long to draw."""
        path = self.folder / "cases" / self._record(f"cases of {task.name}").name
        try:
            return list(json.loads(path.read_text(encoding="utf-8")))
        except (OSError, ValueError):
            labels = [case.label() for case in self._hidden(task, self.seed)]
            write_atomically(path, json.dumps(labels, indent=1).encode(), private=True)
            return labels

    def _side_by_side(self, students: Iterable[tuple[str, ...]], jobs: int) -> Iterator[Report]:
        places, stopped = threading.Semaphore(jobs), threading.Event()

        def work(digests: tuple[str, ...]) -> list[Report]:
            """The records of one student."""
            with _place(places):
                return [] if stopped.is_set() else list(self._of_student(digests))

        with ThreadPoolExecutor(jobs + GUESTS, "grading") as pool:
            try:
                for student in as_completed([pool.submit(work, digests) for digests in students]):
                    yield from student.result()
            except BaseException:
                stopped.set()
                pool.shutdown(wait=False, cancel_futures=True)
                raise

    def _of_student(self, digests: tuple[str, ...]) -> Iterator[Report]:
        """One file after the other, until the budget is used up."""
        left = Patience().total
        for digest in digests:
            record = self.recall(digest) or self._grade(digest, left)
            left -= record.spent
            yield record

    def _grade(self, digest: str, seconds: float) -> Report:
        def ungraded(status: Status, reason: str) -> Report:
            """A record that is not kept: the next run tries again."""
            return Report(status=status, explanation=reason, digest=digest)

        if seconds < LEAST:
            spent = f"the student's other files have used up {Patience().total:g} seconds"
            return ungraded(Status.NO_TIME, f"{spent}, so this one was not run")
        return settled(
            lambda: self._graded(digest, seconds),
            lambda why: ungraded(Status.NOT_RUN, f"the grader failed: {why}"),
        )

    def _graded(self, digest: str, seconds: float) -> Report:
        report = grade_file(
            self.sheet,
            self.content(digest),
            seed=self.seed,
            launcher=self.launcher,
            patience=Patience(total=seconds),
            cases=self._hidden,
        )
        # With less than the whole budget it may be the other files' fault that something was not
        # reached.
        whole = seconds == Patience().total or all(
            result.outcome is not Outcome.UNSETTLED for result in report.results
        )
        report = replace(report, digest=digest)
        if whole and report.status is not Status.NOT_RUN:
            content = json.dumps(asdict(report), indent=1)
            write_atomically(self._record(digest), content, private=True)
        return report

    def _hidden(self, task: Task, seed: int) -> list[Case]:
        """The cases of a task, drawn once for the whole class."""
        with self._lock:
            if task.name not in self._cases:
                self._cases[task.name] = task.hidden_cases(seed)
            return self._cases[task.name]

    def _content(self, digest: str) -> Path:
        return self.folder / "hand-ins" / digest

    def _record(self, digest: str) -> Path:
        deciding = f"{digest} {self.sheet.number} {self.seed} {self.way} {version()}"
        name = hashlib.sha256(deciding.encode()).hexdigest()[:40]
        return self.folder / "records" / f"{name}.json"


def _as_now(task: Task, entry: dict[str, Any]) -> Result:
    """A result of a record, with the points that its task has now."""
    rows = {name: tuple(entry.get(name, ())) for name in ("cases", "facts")}
    now = {"outcome": Outcome(entry["outcome"]), "points": task.points * entry["score"]}
    return Result(**{**entry, **rows, **now})


@contextmanager
def _place(places: threading.Semaphore) -> Iterator[None]:
    """A place among those who are graded side by side.

    After PLACE seconds the next one gets it, whoever is not done.
    """
    places.acquire()
    given = threading.Lock()

    def give() -> None:
        """Only once."""
        if given.acquire(blocking=False):
            places.release()

    timer = threading.Timer(PLACE, give)
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()
        give()


@cache
def version() -> str:
    """A fingerprint of everything that decides a verdict beside the hand-in: the package, whose
    games and errors are asked and told as well, the sheets, Python, NumPy.
    """
    digest = hashlib.sha256(f"{sys.version} {np.__version__}".encode())
    sheets = [
        folder / file
        for number in sheet_numbers()
        if (folder := sheet_folder(number))
        for part, file in FILES.items()
        if part != "answers"
    ]
    for path in [*sorted(PACKAGE.rglob("*.py")), *filter(Path.is_file, sheets)]:
        digest.update(f"{path.parent.name}/{path.name}".encode() + path.read_bytes())
    return digest.hexdigest()


def seed_of(secret: str) -> int:
    """The grading seed that a secret stands for: hidden cases cannot be computed without knowing
    it.
    """
    return int.from_bytes(hashlib.sha256(secret.encode()).digest()[:8], "little")


def secret_in(folder: Path) -> str:
    """The class's own secret, made when it is first asked for and kept, so that every run puts the
    same questions.
    """
    path = folder / "secret"
    if not path.exists():
        write_atomically(path, secrets.token_hex(16).encode(), private=True)
    return path.read_text(encoding="ascii").strip()


def write_codes(folder: Path, students: Iterable[Student]) -> Path:
    """codes.csv in the class's folder: the code of each student, by the class's own secret; the
    same ones each time.
    """
    secret, path = secret_in(folder), folder / "codes.csv"
    rows = ({**vars(one), "code": code_of(secret, one.id)} for one in students)
    content = table(("id", "name", "email", "code"), rows).encode("utf-8-sig")
    write_atomically(path, content, private=True)
    return path


def lock(folder: Path) -> Any:
    """Held while a class is graded; two runs in one folder would write over each other.

    Raises ValueError where it is held.
    """
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    stream = (folder / "lock").open("a")
    if not lock_file(stream.fileno()):
        stream.close()
        raise ValueError(f"another run is grading in {folder}; wait for its end")
    return stream
