"""Pairs of hand-ins that stay alike after renaming and reordering, beside what the task forces.

Nothing here says who wrote what: a person looks at both and asks.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from importlib import import_module
from importlib.util import find_spec
from itertools import combinations

from rlcourse.checks import sheet_folder
from rlcourse.checks.sheet import Sheet
from rlcourse.grading.likeness import Forms, read_forms
from rlcourse.grading.reading import ask
from rlcourse.notebook import BadSubmission

# `python -m tests.copies` measures what these bounds find. Of 1,206 independent pairs drawn with
# another seed they list none; 2 with ALIKE at 0.8, 5 with LEAST_IN_PARTS at 12.
ALIKE = 0.85  # of the forms that nothing forces, in the shorter of two texts
FUNCTIONS = 2  # in one alone, two writers do agree
LEAST_FORMS = 8  # that nothing forces, in the shorter hand-in where all of it is alike
LEAST_IN_PART, LEAST_IN_PARTS = 4, 20  # else: in each function that is alike, and in all of these
# Forms that more hand-ins have are how this class writes it. In a class of 200 the share decides.
MOST_OWNERS, SHARE_OF_OWNERS = 4, 0.05
HandIn = Mapping[str, Forms]  # function -> forms


@dataclass(frozen=True)
class Pair:
    """Two hand-ins. functions: those in which they are alike where nothing forces it.

    Of these functions, by the shorter hand-in, 0 to 1: alike: the share of the forms that the other
    one has. forced: the share of the forms that the task forces. rest: of the other forms, the
    share that is alike.
    """

    students: tuple[str, str]
    functions: tuple[str, ...]
    alike: float
    forced: float
    rest: float


@dataclass(frozen=True)
class Comparison:
    """The pairs of a class, the most alike first. compared: how many hand-ins were.

    too_short: how many have less than LEAST_FORMS forms that nothing forces; so nothing can be said
    of them. unread: students whose hand-in could not be compared. trouble: why nobody's were.
    """

    pairs: tuple[Pair, ...] = ()
    compared: int = 0
    too_short: int = 0
    unread: tuple[str, ...] = ()
    trouble: str = ""


def compare_class(sheet: Sheet, contents: Iterable[tuple[str, bytes]]) -> Comparison:
    """The pairs among the files of a class, (student, content). They are read, and never run."""
    functions = functions_of(sheet)
    handed: dict[str, HandIn] = {}
    unread = []
    for student, content in contents:
        try:
            handed[student] = ask("read_forms", content, functions)
        except BadSubmission:
            unread.append(student)
    return replace(compare(handed, forced_by(references(sheet))), unread=tuple(unread))


def functions_of(sheet: Sheet) -> list[str]:
    """The functions that a sheet asks for."""
    return list(dict.fromkeys(task.function for task in sheet.tasks))


def references(sheet: Sheet) -> list[HandIn]:
    """What the course itself writes: the sheet's notebook with its solutions, and the right answers
    of `answers.py`, as far as they are there.
    """
    functions, folder = functions_of(sheet), sheet_folder(sheet.number)
    notebooks = folder.glob("*.ipynb") if folder else ()
    written: list[HandIn] = [read_forms(path.read_bytes(), functions) for path in notebooks]
    name = f"rlcourse.checks.answers{sheet.number}"
    right: Mapping[str, Sequence[str]] = import_module(name).RIGHT if find_spec(name) else {}
    for task in sheet.tasks:
        written += [read_forms(source, [task.function]) for source in right.get(task.name, ())]
    return written


def forced_by(written: Iterable[HandIn]) -> dict[str, Forms]:
    """function -> how often each form stands in one of them at most."""
    forced: dict[str, Forms] = {}
    for one in written:
        for function, forms in one.items():
            forced[function] = forced.get(function, Counter()) | forms
    return forced


def compare(handed: Mapping[str, HandIn], forced: Mapping[str, Forms]) -> Comparison:
    """The pairs among hand-ins, by their students, that are alike beyond what is forced."""
    free = _free(handed, forced)
    shared: dict[tuple[str, str], Counter[str]] = defaultdict(Counter)
    for (function, _, _), owners in _owners(free).items():
        for pair in combinations(owners, 2):
            shared[pair][function] += 1
    asked = {function for one in handed.values() for function in one}
    pairs = []
    for students, by_function in shared.items():
        functions = _alike([free[student] for student in students], by_function)
        if len(functions) >= min(FUNCTIONS, len(asked)):
            pairs.append(_pair(students, functions, handed, free))
    pairs.sort(key=lambda pair: (-len(pair.functions), pair.forced, pair.students))
    too_short = sum(_size(one) < LEAST_FORMS for one in free.values())
    return Comparison(tuple(pairs), len(handed), too_short)


def _alike(free: Sequence[HandIn], shared: Counter[str]) -> list[str]:
    """The functions in which two hand-ins are alike; none where that is too little to be told."""
    least = {name: min(one[name].total() for one in free) for name in shared}
    functions = [name for name in shared if shared[name] >= ALIKE * least[name]]
    size = min(map(_size, free))
    if size >= LEAST_FORMS and shared.total() >= ALIKE * size:
        return functions
    parts = [name for name in functions if least[name] >= LEAST_IN_PART]
    enough = sum(least[name] for name in parts) >= LEAST_IN_PARTS
    return parts if enough else []


def _owners(handed: Mapping[str, HandIn]) -> dict[tuple[str, bytes, int], list[str]]:
    """(function, form, the how manieth) -> the students whose hand-in has it."""
    owners: dict[tuple[str, bytes, int], list[str]] = defaultdict(list)
    for student, one in handed.items():
        for function, forms in one.items():
            for form, count in forms.items():
                for k in range(count):
                    owners[function, form, k].append(student)
    return owners


def _free(handed: Mapping[str, HandIn], forced: Mapping[str, Forms]) -> dict[str, dict[str, Forms]]:
    """The forms that neither the task forces nor many of the class have."""
    most = max(MOST_OWNERS, SHARE_OF_OWNERS * len(handed))
    free: dict[str, dict[str, Forms]] = {
        student: {function: Counter() for function in one} for student, one in handed.items()
    }
    for (function, form, k), owners in _owners(handed).items():
        if len(owners) <= most and k >= forced.get(function, Counter())[form]:
            for student in owners:
                free[student][function][form] += 1
    return free


def _pair(
    students: tuple[str, str],
    functions: Sequence[str],
    handed: Mapping[str, HandIn],
    free: Mapping[str, HandIn],
) -> Pair:
    """What the report says of two hand-ins."""
    whole = [{name: handed[student][name] for name in functions} for student in students]
    rest = [{name: free[student][name] for name in functions} for student in students]
    shorter = min((0, 1), key=lambda k: _size(rest[k]))
    return Pair(
        students,
        tuple(functions),
        alike=_common(*whole) / min(map(_size, whole)),
        forced=1 - _size(rest[shorter]) / _size(whole[shorter]),
        rest=_common(*rest) / _size(rest[shorter]),
    )


def _common(first: HandIn, second: HandIn) -> int:
    return sum((first[name] & second[name]).total() for name in first)


def _size(one: HandIn) -> int:
    return sum(map(Counter.total, one.values()))
