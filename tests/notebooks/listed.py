"""Write what each mistake in a lesson's blanks would answer to their cases:

python -m tests.notebooks.listed [NUMBER ...]

The first program that `answersNN.py` lists for a mistake says what that mistake is. Students get
its answers, in `rlcourse/lessons/lessonNN.json`, and not the program.
"""

import sys
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np

from rlcourse.atomic import write_atomically
from rlcourse.checks.difference import difference
from rlcourse.checks.examining import ANSWERED
from rlcourse.checks.visible import Slips, to_text
from rlcourse.lessons import FOLDER, Blank, Lesson


def lesson_of(number: str) -> Lesson:
    """The blanks of the lesson of that number, such as "02b"."""
    return import_module(f"rlcourse.lessons.lesson{number}").LESSON


def numbers() -> list[str]:
    """The numbers of all lessons that have blanks."""
    return sorted(path.stem.removeprefix("lesson") for path in FOLDER.glob("lesson*.py"))


def written(name: str, source: str, above: str) -> Any:
    """What a cell with this source defines under the name, below cells with the source `above`."""
    names: dict[str, Any] = {}
    exec(above + source, names)
    return names[name]


def listed_slips(number: str) -> Slips:
    """The answers of every mistake that shows in a case of the lesson's blanks."""
    lesson, answers = lesson_of(number), import_module(f"tests.notebooks.answers{number}")
    return {
        name: _slips_of(lesson, blank, dict(reversed(answers.WRONG[name])), answers.ABOVE)
        for name, blank in lesson.blanks.items()
    }


def _slips_of(
    lesson: Lesson, blank: Blank, programs: dict[str, str], above: str
) -> dict[str, dict[str, Any]]:
    """case -> mistake -> answer, for one blank. programs: mistake -> source."""
    slips: dict[str, dict[str, Any]] = {case.title: {} for case in blank.cases}
    for mistake in blank.mistakes:
        function = blank.as_asked(written(blank.name, programs[mistake], above))
        _, asked, _ = lesson.sheet.examine_visible(lesson.sheet.task(blank.name), function)
        for case, reply in asked:
            right = case.secret.right
            wrong = difference(reply.answer, right) if reply.status in ANSWERED else None
            # nan is told by itself: it equals no listed number, not even nan.
            if wrong and wrong.mistake != "not_finite":
                slips[case.title][mistake] = _with_floats(reply.answer, right)
    return slips


def _with_floats(answer: Any, right: Any) -> Any:
    """The answer, its whole numbers as floats where the right answer is of floats.

    An expected int asks for an int, and another program with the same mistake gives a float.
    """
    if isinstance(right, (float, np.ndarray)) and type(answer) is int:
        return float(answer)
    if isinstance(right, (list, tuple)) and isinstance(answer, (list, tuple)):
        if len(answer) == len(right):
            return [_with_floats(part, like) for part, like in zip(answer, right, strict=True)]
    return answer


def path_of(number: str) -> Path:
    """The file with the listed answers of a lesson."""
    return FOLDER / f"lesson{number}.json"


def main(chosen: list[str]) -> None:
    """The command."""
    for number in chosen or numbers():
        if not path_of(number).exists():  # a new lesson reads it when it is imported
            write_atomically(path_of(number), b"{}")
        write_atomically(path_of(number), to_text(listed_slips(number)).encode())
        print(path_of(number))


if __name__ == "__main__":
    main(sys.argv[1:])
