"""A variant of a sheet: how arguments and answer of a task read under another convention.

`rlcourse.grading.variants` writes a variant out as a sheet of its own.
"""

import inspect
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from textwrap import indent
from typing import Any

import numpy as np

from rlcourse.checks.difference import difference, in_ways, ways
from rlcourse.checks.task import CONVENTION, Case, Hidden, Task

MOST_DRAWS = 100  # of hidden cases, until no answer to another variant would pass
# An answer that changes the arguments it is given has to change those of the variant as well.
_WRAPPED = """\
{source}

def _varied(inner):
    import numpy as np

{maps}
    def answer_to(*args):
        passed = {given}(*args)
        before = [np.copy(value) for value in passed if isinstance(value, np.ndarray)]
        answer = inner(*passed)
        after = [value for value in passed if isinstance(value, np.ndarray)]
        if not all(map(np.array_equal, before, after)):
            for mine, changed in zip(args, {asked}(*passed)):
                if isinstance(mine, np.ndarray):
                    mine[...] = changed
        return None if answer is None else {answered}(answer)

    return answer_to

def {function}(*args, _answer_to=_varied({function})):
    return _answer_to(*args)
"""


def same(answer: object) -> object:
    """The answer of a task whose variant only asks otherwise."""
    return answer


@dataclass(frozen=True)
class Variant:
    """A task under another convention.

    text: phrases of the notebook, each of which stands there once -> what stands there instead.
    in_code: the same of tasks.py and visible.py, and of the titles of the visible cases.
    asked(*args): the arguments of the sheet as it is -> those of the variant; given(*args): back.
    answered(answer): the answer to the sheet as it is -> the variant's. The three are functions of
    their own that use nothing but NumPy as np; where answers are drawn, they stay as they are.
    shows: whether answers show who answers the sheet as it is; not where nearly all are right.
    """

    text: Mapping[str, str]
    asked: Callable[..., tuple[Any, ...]]
    given: Callable[..., tuple[Any, ...]]
    answered: Callable[[Any], Any] = same
    in_code: Mapping[str, str] = field(default_factory=dict)
    shows: bool = True

    def case(self, case: Case) -> Case:
        """A case of the sheet as it is, asked in the variant."""
        return replace(case, args=self.asked(*case.args), secret=self._secret(case.secret))

    def hidden(self, hidden: Hidden, variants: Sequence["Variant"] = ()) -> Hidden:
        """The hidden cases, which are drawn anew, their domain and their key.

        The answer to another one of the task's variants, or to the sheet as it is, is a mistake
        there, if it shows. Cases that one of these answers would pass are drawn again.
        """
        others = {
            f"{CONVENTION}{k or ''}": other
            for k, other in enumerate((AS_IT_IS, *variants))
            if other is not self and self.shows and other.shows
        }

        def varied(case: Case) -> Case:
            """The case asked in the variant, with what answers to the others say to it."""
            asked = self.case(case)
            answers_to_others = {
                name: answer
                for name, other in others.items()
                for answer in other._answers_to(asked, hidden)
            }
            if not answers_to_others:
                return asked
            slips = asked.secret.answers() | answers_to_others
            del slips[""]
            return replace(asked, secret=asked.secret.with_slips(slips))

        def cases(rng: np.random.Generator) -> list[Case]:
            """Drawn until no answer to another variant would pass, at most MOST_DRAWS times."""
            own = rng if self is AS_IT_IS else rng.spawn(1)[0]
            for _ in range(MOST_DRAWS):
                drawn = list(map(varied, hidden.cases(own)))
                if not any(_would_pass(name, drawn) for name in others):
                    break
            return drawn

        def domain(*args: Any) -> bool:
            given = self.given(*args)
            return all(map(_equal, self.asked(*given), args)) and hidden.domain(*given)

        def key(case: Case) -> Any:
            case = replace(case, args=self.given(*case.args))
            return varied(replace(case, secret=hidden.key(case))).secret

        return Hidden(cases, domain, key)

    def task(self, task: Task, hidden: Hidden) -> Task:
        """The task with the visible cases of the variant, and these hidden ones."""
        visible = tuple(
            replace(self.case(case), title=self.in_code.get(case.title, case.title))
            for case in task.visible
        )
        return replace(task, visible=visible, **hidden._asdict())

    def wrapped(self, source: str, function: str) -> str:
        """An answer to the sheet as it is, as an answer to the variant."""
        maps = (self.asked, self.given, self.answered)
        asked, given, answered = (one.__name__ for one in maps)
        text = indent("\n".join(map(inspect.getsource, maps)), "    ")
        names = {"asked": asked, "given": given, "answered": answered, "maps": text}
        return _WRAPPED.format(source=source, function=function, **names)

    def _answers_to(self, case: Case, hidden: Hidden) -> Iterator[Any]:
        """What an answer to this variant says to a case of another one, if it could be asked here.

        hidden: of the sheet as it is.
        """
        script = (case.script,) if case.script else ()
        with suppress(IndexError, ValueError):  # it cannot be read here, or is too narrow
            given = self.given(*case.args)
            if all(map(_equal, self.asked(*given), case.args)) and hidden.domain(*given, *script):
                key = hidden.key(replace(case, args=given))
                yield self.answered(key.answers()[""])

    def _secret(self, secret: Any) -> Any:
        """The secret of a case with the answers of the variant."""
        if self.answered is same or secret is None:
            return secret
        slips = {
            slip: in_ways(map(self.answered, ways(answer))) for slip, answer in secret.slips.items()
        }
        return replace(secret, right=self.answered(secret.right), slips=slips)


def as_it_is(*args: Any) -> tuple[Any, ...]:
    """The arguments of the sheet as it is."""
    return args


AS_IT_IS = Variant({}, as_it_is, as_it_is)
Variants = Mapping[str, Sequence[Variant]]  # task -> its variants


def chosen(variants: Variants, number: int) -> dict[str, Variant]:
    """The variant of each task that has some, for that variant of the sheet, from 1 on."""
    return {task: some[(number - 1) % len(some)] for task, some in variants.items()}


def in_variant(
    hidden: Mapping[str, Hidden], variants: Variants, picked: Mapping[str, Variant]
) -> dict[str, Hidden]:
    """The hidden cases of a sheet's tasks in the variants that are picked, else as the sheet is."""
    return dict(hidden) | {
        task: picked.get(task, AS_IT_IS).hidden(hidden[task], some)
        for task, some in variants.items()
    }


def _would_pass(name: str, cases: Sequence[Case]) -> bool:
    """Whether a mistake gives the right answer to all cases."""
    answers = [case.secret.answers() for case in cases]
    return all(name in one and difference(one[name], one[""]) is None for one in answers)


def _equal(value: Any, other: Any) -> bool:
    """Whether two arguments are the same; arrays of floats but for rounding."""
    if isinstance(other, np.ndarray) and other.dtype.kind == "f":
        return np.shape(value) == other.shape and np.allclose(value, other)
    return np.array_equal(value, other)
