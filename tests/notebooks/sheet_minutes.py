"""How many minutes each item of a sheet takes, by one rule, from the notebook with the solutions.

Words / 100 (a task is read twice, its hints too), 10 s a line of given code, 8 minutes a coded task
for trying and mending, half a minute a line of the reference answer, 4 minutes a sentence that is
asked for. The experiment's own run, some seconds, is left out; so is the sheet's first cell.

Calibrated on what three readers needed, sheet by sheet, who solved an earlier state of all sheets:
107, 140, 145, 90, 140, 160, 140, 150, 195 and 140 minutes. There the rule gives 107, 123, 128, 126,
143, 154, 136, 153, 183 and 105 (the report of sheet 10 counted as 12 sentences): off by 18 minutes
a sheet (root of the mean square), 5 too low on average. With one factor on what is not reading,
fitted to nine sheets, the tenth is missed by 19. So a sheet's total is good to a fifth or so. What a
sentence alone costs is known badly, because nearly all sheets asked for ten.
"""

import re
from pathlib import Path
from typing import Any, NamedTuple

from rlcourse.checks import get_sheet
from tests.notebooks.reading import ROOT, count_words, read

WORDS_A_MINUTE, MINUTES_A_GIVEN_LINE, MINUTES_A_TASK = 100, 1 / 6, 8
MINUTES_A_LINE, MINUTES_A_SENTENCE = 0.5, 4
NUMBERS = {"three": 3, "four": 4, "five": 5, "six": 6, "eight": 8, "ten": 10}
SOLUTION = re.compile(r"### BEGIN SOLUTION\n(.*?)### END SOLUTION", re.DOTALL)


class Effort(NamedTuple):
    """What one item asks for. words: of its text; given: lines of code to read; lines: of the
    reference answer; sentences: to write; coded: whether a check judges it."""

    words: int
    given: int
    lines: int
    sentences: int
    coded: bool

    @property
    def minutes(self) -> float:
        """Minutes by the rule."""
        return (
            self.words / WORDS_A_MINUTE
            + self.given * MINUTES_A_GIVEN_LINE
            + self.coded * MINUTES_A_TASK
            + self.lines * MINUTES_A_LINE
            + self.sentences * MINUTES_A_SENTENCE
        )


def efforts(notebook: Any) -> dict[str, Effort]:
    """Item -> its effort. What stands between two graded cells belongs to the second one."""
    found, words, given, lines, sentences = {}, 0, 0, 0, 0
    for cell in notebook.cells:
        settings, name = cell.metadata.nbgrader, cell.id.removeprefix("check-")
        coded = name != cell.id
        if cell.id in ("title", "setup"):
            continue
        if cell.cell_type == "markdown" and not settings.solution:
            words += count_words(cell.source)
            asked = re.findall(r"about (\w+) sentences", cell.source)
            sentences += sum(NUMBERS[number] for number in asked)
        elif cell.cell_type == "code" and settings.solution:
            lines += _lines("".join(SOLUTION.findall(cell.source)))
        elif cell.cell_type == "code" and not coded:
            given += _lines(cell.source)
        if settings.grade:
            found[name] = Effort(words, given, lines, sentences, coded)
            words, given, lines, sentences = 0, 0, 0, 0
    return found


def _lines(source: str) -> int:
    return sum(bool(line.strip()) for line in source.splitlines())


def source_of(number: str) -> Path:
    """The notebook of a sheet with its solutions."""
    return next((ROOT / "solutions" / number).glob("*.ipynb"))


def total(number: str) -> int:
    """The minutes that a sheet states, its bonus left out."""
    sheet = get_sheet(number)
    return sum(item.minutes for item in (*sheet.tasks, *sheet.manual) if item.points)


def table(number: str) -> list[str]:
    """A line for every item of a sheet: stated and measured minutes, and what they are made of."""
    sheet, measured = get_sheet(number), efforts(read(source_of(number)))
    items = [(item, measured[item.name]) for item in (*sheet.tasks, *sheet.manual)]
    lines = [HEAD]
    for item, effort in items:
        lines.append(
            f"{number} {item.name:22} {item.points or 'bonus':>6} {item.minutes:6}"
            f" {effort.minutes:8.1f} {effort.words:6} {effort.given:6} {effort.lines:6}"
            f" {effort.sentences:9}"
        )
    minutes = sum(effort.minutes for item, effort in items if item.points)
    points = sum(item.points for item, _ in items)
    return [*lines, f"{number} {'without bonus':22} {points:6} {total(number):6} {minutes:8.1f}"]


HEAD = "sheet item               points stated measured  words  given  lines sentences"
