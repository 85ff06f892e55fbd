"""Variants of a sheet, for an exam or for practice: the same tasks under another convention.

The author of a sheet says in its `variants.py` how the arguments and the answer of a task read in
the variant. The variant is written out as a sheet of its own, with a number of its own, so that
release, grading, reports and trials treat it like any other. Its cases, mistakes and listed answers
are those of the sheet, translated.
"""

import ast
import inspect
import json
import re
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

import nbformat
import numpy as np

from rlcourse.atomic import write_atomically
from rlcourse.checks.course import FILE
from rlcourse.checks.sheet import Sheet
from rlcourse.checks.task import Case
from rlcourse.checks.variant import Variant, Variants, chosen, in_variant
from rlcourse.checks.visible import to_text
from rlcourse.grading.sources import BadCourse, Course, open_course, outside_repository
from rlcourse.grading.visible import listed_slips
from rlcourse.notebook import MARK

STEP = 20  # variant 1 of sheet 02 is sheet 22, variant 2 is sheet 42
_NAMED = (
    r'(\b(?:sheet|visible|hidden|oracle|reference|answers|variants|[Ss]heet |hand-in |number="))'
)
_NAMES_IN_CASES = "from numpy import array, inf, int8, int64, nan\n"
_CHOSEN = """
from rlcourse.checks.variant import chosen

CHOSEN = chosen(VARIANTS, {variant})
"""
_ANSWERS = """
from rlcourse.checks.variants{number} import CHOSEN

SOLUTIONS = {solutions!r}
for name, (function, solution) in SOLUTIONS.items():
    wrapped = CHOSEN[name].wrapped
    RIGHT[name] = [solution, *(wrapped(source, function) for source in RIGHT[name])]
    WRONG[name] = [(mistake, wrapped(source, function)) for mistake, source in WRONG[name]]
"""


def variants_of(number: str) -> Variants:
    """The variants of a sheet's tasks; none where its author gives none."""
    name = f"rlcourse.checks.variants{number}"
    variants: Variants = import_module(name).VARIANTS if find_spec(name) else {}
    return variants


def differing(course: Course, number: str, variant: int) -> dict[str, Variant]:
    """The variant of each task of a sheet that has some and that the course does not leave out.

    Raises BadCourse where there is none.
    """
    there = chosen(variants_of(number), variant)
    tasks = [task.name for task in course.sheet(number).tasks]
    picked = {task: one for task, one in there.items() if task in tasks}
    if not picked:
        raise BadCourse(f"{FILE} leaves out every task of sheet {number} that has a variant")
    return picked


def open_variant(
    course: Course, number: str, variant: int, folder: Path | None = None
) -> tuple[Course, str]:
    """Write a variant of a sheet out; the course that it is in, and its number there.

    folder: of that course; default `.course/variants` in the folder of this one. Raises BadCourse.
    """
    most = max(map(len, variants_of(number).values()), default=0)
    if not most:
        path = course.place(number) / "variants.py"
        reason = f"its author would give them in {path}, see docs/checks.md"
        raise BadCourse(f"sheet {number} has no variants; {reason}")
    if not 1 <= variant <= most:
        there = "one variant" if most == 1 else f"variants 1 to {most}"
        raise BadCourse(f"sheet {number} has {there}, and no variant {variant}")
    folder = outside_repository(folder or course.folder / ".course" / "variants")
    new = f"{int(number) + STEP * variant:02}"
    place = folder / "solutions" / new
    _Writing(course, number, new, variant).write(place)
    _write_settings(course, number, place)
    return open_course(folder), new


@dataclass(frozen=True)
class _Writing:
    """A variant of the sheet `number` that becomes the sheet `new`."""

    course: Course
    number: str
    new: str
    variant: int

    def write(self, place: Path) -> None:
        """Write the folder of the sheet. Raises BadCourse for a phrase that is not there once."""
        sheet = self.course.sheet(self.number)
        picked = differing(self.course, self.number, self.variant)
        own = import_module(f"rlcourse.checks.hidden{self.number}").HIDDEN
        hidden = in_variant(own, variants_of(self.number), picked)
        tasks = [
            picked[t.name].task(t, hidden[t.name]) if t.name in picked else t for t in sheet.tasks
        ]
        varied = replace(sheet, tasks=tuple(tasks))
        notebook = self._notebook(picked)
        contents = {
            path.name: self._renamed(path.read_text(encoding="utf-8"))
            for path in self.course.files(self.number)
            if path.suffix in (".py", ".md")
        }
        solutions = {
            name: (sheet.task(name).function, _solution(notebook, sheet.cell_of(sheet.task(name))))
            for name in picked
        }
        both = "\f".join([contents["tasks.py"], self._visible(sheet, varied)])
        both = self._in_code(both, sheet, picked)
        contents["tasks.py"], contents["visible.py"] = both.split("\f")
        contents["visible.json"] = to_text(listed_slips(varied))
        contents["variants.py"] += _CHOSEN.format(variant=self.variant)
        contents["answers.py"] += _ANSWERS.format(number=self.new, solutions=solutions)
        source = self.course.source(self.number).name.replace(self.number, self.new, 1)
        contents[source] = nbformat.writes(notebook) + "\n"
        place.mkdir(parents=True, exist_ok=True)
        for name, text in contents.items():
            write_atomically(place / name, text.encode())

    def _renamed(self, text: str) -> str:
        """The text with the sheet's new number."""
        return re.sub(rf"{_NAMED}{self.number}\b", rf"\g<1>{self.new}", text)

    def _notebook(self, picked: Mapping[str, Variant]) -> nbformat.NotebookNode:
        """The instructor's notebook of the variant."""
        notebook = nbformat.read(self.course.source(self.number), 4)
        sources = "\f".join(cell.source for cell in notebook.cells)
        heading = sources.partition("\n")[0]
        text = {heading: f"{heading}, variant {self.variant}"}
        for variant in picked.values():
            text |= variant.text
        sources = self._renamed(_with_phrases(sources, text, "the notebook"))
        for cell, source in zip(notebook.cells, sources.split("\f"), strict=True):
            cell.source = source
        mark = {"sheet": self.new, "variant": f"variant {self.variant} of sheet {self.number}"}
        notebook.metadata[MARK].update(mark)
        return notebook

    def _in_code(self, source: str, sheet: Sheet, picked: Mapping[str, Variant]) -> str:
        """tasks.py and visible.py with the phrases of the variant."""
        source = re.sub(r'"\n +"', "", source)  # a text in pieces becomes one line
        phrases = {f'title="{sheet.title}"': f'title="{sheet.title}, variant {self.variant}"'}
        for name, variant in picked.items():
            titles = {case.title for case in sheet.task(name).visible}
            phrases |= {old: new for old, new in variant.in_code.items() if old not in titles}
        source = _with_phrases(source, phrases, "tasks.py, visible.py")
        # What is withheld of the sheet as it is may not be called either.
        withheld = rf'"(rlcourse\.checks\.[a-z]+){self.new}((?::\w+)?)"'
        return re.sub(withheld, rf'"\g<1>{self.new}\g<2>", "\g<1>{self.number}\g<2>"', source)

    def _visible(self, sheet: Sheet, varied: Sheet) -> str:
        """visible.py of the variant: the sheet's own, whose functions return the variant's cases.

        Functions that have arguments, classes and constants stay, for the sheet's other files.
        """
        module = import_module(f"rlcourse.checks.visible{self.number}")
        visible = {
            _labels(task.visible): new.visible
            for task, new in zip(sheet.tasks, varied.tasks, strict=True)
        }
        lines = []
        for node in ast.parse(self._renamed(inspect.getsource(module))).body:
            if not isinstance(node, ast.FunctionDef):
                lines.append(ast.unparse(node))
            elif node.name.startswith("_"):
                continue  # it has helped to make the cases
            elif node.args.args:
                lines.append(ast.unparse(node))
            else:
                cases = getattr(module, node.name)()  # of a task that is left out they stay
                cases = _written(visible.get(_labels(cases), cases))
                lines.append(f"def {node.name}() -> tuple[Case, ...]:\n    return {cases}")
        return "\n\n".join([*lines, _NAMES_IN_CASES])


def _write_settings(course: Course, number: str, place: Path) -> None:
    """Tasks and points of the sheet in this course, into the folder of its variant."""
    settings = course.settings.sheet.get(number) if course.settings else None
    if settings is None:
        (place / FILE).unlink(missing_ok=True)
        return
    lines = [f"[sheet.{place.name}]", f"leave_out = {json.dumps(settings.leave_out)}"]
    lines += [f"points.{item} = {points}" for item, points in settings.points.items()]
    write_atomically(place / FILE, "\n".join([*lines, ""]).encode())


def _with_phrases(text: str, phrases: Mapping[str, str], place: str) -> str:
    """The text with other phrases. Raises BadCourse for one that does not stand there once."""
    for old, new in phrases.items():
        if text.count(old) != 1:
            raise BadCourse(f"{place} has {text.count(old)} times, and not once: {old}")
        text = text.replace(old, new)
    return text


def _written(cases: Sequence[Case]) -> str:
    """Cases as Python's source, with all digits of their numbers."""
    with np.printoptions(threshold=sys.maxsize, floatmode="unique"):
        return repr(cases)


def _labels(cases: Sequence[Case]) -> tuple[str, ...]:
    return tuple(case.title + case.label() for case in cases)


def _solution(notebook: nbformat.NotebookNode, name: str) -> str:
    """The notebook's own solution of a task, as an answer of its own."""
    (source,) = (cell.source for cell in notebook.cells if cell.id == name)
    return "import numpy as np\n\n" + re.sub(r" *### (BEGIN|END) SOLUTION\n?", "", source)
