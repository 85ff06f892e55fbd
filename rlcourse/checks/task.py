"""The contract of a graded task: what a task is, what it asks, and what became of it.

`cases` and `judge` run only on the grader's side. Of a Case, everything but the secret travels to
the student's side; what comes back is plain data (`rlcourse.checks.plain`).
"""

import hashlib
import textwrap
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from types import MappingProxyType
from typing import Any, NamedTuple

import numpy as np

from rlcourse.checks.plain import Rng, encode

REPEATED = 100  # draws of a case that is asked again with an equal generator, and with another one
# The mistake of who answers the sheet of which this one is a variant; with a number, that variant
CONVENTION = "convention"
# What a reply calls changed where a call overwrites what an earlier one returned
OVERWRITTEN = "the answer given before"


@dataclass(frozen=True)
class Case:
    """One question to a handed-in function, and the secret by which its answer is judged.

    args: plain data and the markers Rng and Position. calls: how often the function is called with
    equal arguments; with calls > 1, for random functions, the answer is the list of all results,
    and an Rng is one generator for all of them.
    script: for a class. The class is called with `args`; then every ("method", (argument, ...)) is
    tried on the instance in turn, and the answer is the list of results; a name that is not
    callable gives the attribute itself.
    watch: numbers of the arguments whose content after the call belongs to the answer, which then
    is (result, [argument, ...]); for functions that must, or must not, change what they are given.
    draws_at: number of the argument, beside an Rng, that says how many draws one call makes.
    title: what is special about the case; shown for visible cases.
    board: (number of the argument that is a board [H, W] or several [B, H, W], the sign of each
    number on it), for the picture on the card; see `rlcourse.drawing.stones`.
    """

    args: tuple[Any, ...]
    secret: Any = None
    calls: int = 1
    script: tuple[tuple[str, tuple[Any, ...]], ...] = ()
    watch: tuple[int, ...] = ()
    draws_at: int | None = None
    title: str = ""
    board: tuple[int, str] | None = None

    def question(self) -> dict[str, Any]:
        """What the student's side gets to know of the case: everything but secret and title."""
        script = [(name, tuple(args)) for name, args in self.script]
        return {
            "args": tuple(self.args),
            "calls": self.calls,
            "script": script,
            "watch": list(self.watch),
        }

    def label(self) -> str:
        """The question in a few words, and a mark of all of it, by which it is known again."""
        question = encode(self.question())
        beginning = textwrap.shorten(str(self.args or self.script), 60, placeholder=" ...")
        return f"{beginning} #{hashlib.sha256(question).hexdigest()[:8]}"

    def _fewer(self, args: tuple[Any, ...]) -> tuple[Any, ...]:
        """The arguments of a call that draws, with fewer draws."""
        place = self.draws_at
        if place is None or not any(isinstance(value, Rng) for value in args):
            return args
        return *args[:place], min(args[place], REPEATED), *args[place + 1 :]

    @property
    def draws(self) -> bool:
        """Whether the function is given a generator of random numbers."""
        return _reseeded((self.args, self.script), 1) != (self.args, self.script)

    def again(self, shift: int) -> "Case":
        """The same question with fewer draws; with a `shift` its generators begin elsewhere."""
        args, script = _reseeded((self.args, self.script), shift)
        if self.draws_at is not None:
            args = self._fewer(args)
            script = tuple((name, self._fewer(given)) for name, given in script)
        return replace(self, args=args, script=script, calls=min(self.calls, REPEATED))


class Mark(NamedTuple):
    """What one answer is worth.

    score: 0.0 to 1.0. mistake: its name among the task's mistakes, "" for a right answer.

    fits: the names of all mistakes that would have given just this answer, also where the answer is
    right; over all cases they single out the mistake that was made. compared: the names of all
    mistakes that were looked at; one that does not fit was not made. detail: what is special, such
    as the shape that came instead; it is told in visible checks alone.
    """

    score: float
    mistake: str = ""
    fits: tuple[str, ...] = ()
    detail: str = ""
    compared: tuple[str, ...] = ()


Verdict = Mark  # the name in tasks.py of sheets that were handed out before


class Reply(NamedTuple):
    """What the student's side says to a case.

    status: "answer"; "changed" (an answer, and arguments that the call has changed); or "blank"
    (NotImplementedError), "raised", "missing" (no such function), "withheld" (a reference was
    called), "not_plain" (an answer that cannot travel), "too_large", "out_of_memory"; from a
    grader's channel also "crashed", "timed_out" and "unsettled" (a bound of the whole hand-in was
    reached before there was an answer).
    error: for the student to read. private: for the instructor alone, because it can carry hidden
    inputs.
    """

    status: str
    answer: Any = None
    error: str = ""
    private: str = ""


class Outcome(StrEnum):
    """What became of a task. Each has its own words in feedback; only RIGHT earns all points.

    UNSETTLED: a bound was reached that says nothing about right or wrong, so a person gives the
    points.
    """

    RIGHT = "right"
    WRONG = "wrong"
    BLANK = "not started"
    RAISED = "raised an error"
    CRASHED = "crashed"
    TIMED_OUT = "timed out"
    OUT_OF_MEMORY = "out of memory"
    MISSING = "missing"
    UNSETTLED = "for a person to settle"


@dataclass(frozen=True)
class Result:
    """What became of one task.

    score: 0.0 to 1.0; mistake: its name; message: for the student; points: earned.

    private: what is special about a wrong answer. It can carry the inputs, so a student reads it of
    a visible case alone. cases: of each case that was put, "right", its mistake, or why there was
    no answer. facts: what the visible cases show together, where no mistake has a name.
    """

    task: str
    outcome: Outcome
    score: float
    mistake: str
    message: str
    points: float
    private: str = ""
    cases: tuple[str, ...] = ()
    facts: tuple[str, ...] = ()


# Mistakes that every task can name. A task's own words take precedence.
GENERAL_MISTAKES = MappingProxyType(
    {
        "imported": "the answer calls a reference that is withheld while the task is judged: write "
        "it yourself",
        "kind": "the answer is of another kind than the task asks for",
        "shape": "the answer has another shape than the task asks for",
        "not_finite": "the answer holds nan or infinity",
        "distribution": "how often the actions come is not right",
        CONVENTION: "this would be right in another variant of this sheet: read once more what the "
        "text says of the arguments and of the answer",
        "changed": "the function changes its arguments: the caller's arrays, lists and dicts stay "
        "as they are, so work on a copy",
        "overwritten": "an array or a list that was returned changes when the function is called "
        "again: return a new one each time",
        "rng": "not all random numbers are drawn from the argument rng: called again with an equal "
        "generator the function has to give the same, and with another generator something else",
        "other": "the values are wrong, and none of the usual slips explains all of them; work a "
        "small case by hand and compare. Each answer may depend on the arguments of its own call "
        "alone: nothing is remembered from one call to the next",
    }
)


@dataclass(frozen=True)
class Task:
    """One graded item of a sheet.

    It is written once, and used in the notebook, by nbgrader and by the grader. name: also its id
    in the notebook. points: 0 for a bonus task, which is judged and told like any other.
    function: the name that the student defines (a function or a class). difficulty: 1 to 3. judge:
    the mark on one answer. visible: cases with the right answer, worked by hand, shown in the
    notebook. mistakes: name -> message that teaches, in the order in which they are named when two
    explain the same answers. also_graded: what the hidden cases look
    at, shown when the visible ones pass. withheld: modules whose functions and classes cannot be
    reached while the task is judged; of a library "module:name". seconds: limit a case. cases,
    domain, key: on the grader's side alone; see `Hidden`.
    """

    name: str
    points: int
    minutes: int
    difficulty: int
    function: str
    judge: Callable[[Case, Any], Mark]
    withheld: tuple[str, ...] = ()
    title: str = ""
    visible: tuple[Case, ...] = ()
    mistakes: Mapping[str, str] = field(default_factory=dict)
    also_graded: str = ""
    seconds: float = 10.0
    cases: Callable[[np.random.Generator], Sequence[Case]] | None = None
    domain: Callable[..., bool] | None = None
    key: Callable[[Case], Any] | None = None

    @property
    def worth(self) -> str:
        """Such as "15 points"; "bonus" where it is graded without points; "" for a lesson's blank,
        which is not graded.
        """
        if self.points:
            return f"{self.points} points"
        return "bonus" if self.also_graded else ""

    def message(self, mistake: str) -> str:
        """The message of a mistake."""
        general = CONVENTION if mistake.startswith(CONVENTION) else mistake
        return self.mistakes.get(mistake) or GENERAL_MISTAKES.get(general, mistake)

    def hidden_cases(self, seed: int) -> list[Case]:
        """The cases of one grading seed.

        Equal seeds give equal cases, whatever the other tasks draw. Raises NotImplementedError
        where the sheet is a student's.
        """
        if self.cases is None:
            raise NotImplementedError("the hidden cases of this sheet are with your instructor")
        with np.errstate(all="ignore"):  # `np.seterr` is a setting of the student's notebook
            return list(self.cases(np.random.default_rng([seed, *self.name.encode()])))


class Hidden(NamedTuple):
    """What of a task students never get.

    cases(rng): the hidden cases of one grading seed. domain: whether arguments (for a class: its
    own, then the script) are such as the text announces; all cases are. key(case): the secret of a
    case as the oracle writes it, with what every mistake would answer.
    """

    cases: Callable[[np.random.Generator], Sequence[Case]]
    domain: Callable[..., bool]
    key: Callable[[Case], Any]


@dataclass(frozen=True)
class Asked:
    """What the text of a task asks of its figure, a number for each panel; all are the least.

    curves: lines, rows of points or of bars. spreads: bands or error bars beside the curves.
    points: of as many curves as have a spread, of one where none has. log: the axes that are asked
    to be logarithmic, "x" or "xy".
    """

    curves: tuple[int, ...]
    spreads: tuple[int, ...] = (0,)
    points: int = 2
    log: str = ""


@dataclass(frozen=True)
class ManualTask:
    """An item marked by a person with a rubric: an explanation, or an experiment with a figure.

    figure: what the task's text asks of the figure, where there is one.
    """

    name: str
    points: int
    minutes: int
    difficulty: int
    title: str = ""
    figure: Asked | None = None


def _reseeded(value: Any, shift: int) -> Any:
    """The value with every generator in it begun elsewhere."""
    if isinstance(value, Rng):
        return Rng(value.seed + shift)
    return tuple(_reseeded(item, shift) for item in value) if isinstance(value, tuple) else value
