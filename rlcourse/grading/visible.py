"""Write what each usual mistake would answer to the visible cases of a sheet, by its oracle:

python -m rlcourse.grading.visible [--course FOLDER] [NUMBER ...]
"""

import argparse
from pathlib import Path
from typing import Any

from rlcourse.atomic import write_atomically
from rlcourse.checks.difference import difference, ways
from rlcourse.checks.sheet import Sheet
from rlcourse.checks.visible import Slips, to_text
from rlcourse.grading.sources import open_course


def listed_slips(sheet: Sheet) -> Slips:
    """The answers of every mistake that shows in a visible case."""
    return {
        task.name: {case.title: _shown(task.key(case).answers()) for case in task.visible}
        for task in sheet.tasks
        if task.key is not None
    }


def _shown(answers: dict[str, Any]) -> dict[str, Any]:
    return {
        slip: answer
        for slip, answer in answers.items()
        if any(difference(one, answers[""]) is not None for one in ways(answer))
    }


def main() -> None:
    """The command."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--course", type=Path, help="an instructor's own folder of sheets")
    parser.add_argument("numbers", nargs="*", help="of sheets, such as 02; else all")
    options = parser.parse_args()
    course = open_course(options.course)
    for number in options.numbers or course.numbers():
        path = course.folder / "solutions" / number / "visible.json"
        write_atomically(path, to_text(listed_slips(course.sheet(number))).encode())
        print(path)


if __name__ == "__main__":
    main()
