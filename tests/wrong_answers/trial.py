"""Try the grader of a sheet with answers of which the verdict is known, called in a
subprocess as every hand-in is.

One submission carries one answer to each task, so that the k-th wrong answers of all
tasks are graded together.
"""

import json
import time
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from importlib import import_module
from itertools import zip_longest
from pathlib import Path
from typing import Any

import numpy as np

from rlcourse.checks import get_sheet
from rlcourse.checks.task import Outcome
from rlcourse.grading import Launcher, grade_seeds
from tests.grading.course import drawn_once
from tests.grading.forked import launch_fork

STORED = Path(__file__).with_name(
    "tables.json"
)  # sheet -> what `main` found there, when it was told to keep it


@dataclass
class Trial:
    """What one answer was told, over all seeds. expected: "right", or the name of the
    mistake. told: words -> how often.
    """

    task: str
    expected: str
    source: str
    told: dict[str, int] = field(default_factory=dict)

    @property
    def passed(self) -> bool:
        """Whether the grader said the expected thing on every seed."""
        return set(self.told) == {self.expected}


def right_function(number: str, task: str) -> Any:
    """The first right answer to a task, run in this process: a function or a class."""
    scope: dict[str, Any] = {}
    exec(import_module(f"rlcourse.checks.answers{number}").RIGHT[task][0], scope)
    return scope[get_sheet(number).task(task).function]


def submissions(number: str, only: str = "") -> list[list[Trial]]:
    """All answers to the sheet, or to one task, cut into submissions with at most one answer to a
    task, and one alone where several tasks judge one function.
    """
    answers = import_module(f"rlcourse.checks.answers{number}")
    right = [
        [Trial(task, "right", source) for source in sources]
        for task, sources in answers.RIGHT.items()
    ]
    wrong = [
        [Trial(task, mistake, source) for mistake, source in pairs]
        for task, pairs in answers.WRONG.items()
    ]
    rows = [*zip_longest(*right), *zip_longest(*wrong)]
    kept = [
        [trial for trial in row if trial is not None and only in ("", trial.task)] for row in rows
    ]
    if len({task.function for task in get_sheet(number).tasks}) < len(answers.RIGHT):
        return [[trial] for row in kept for trial in row]
    return [row for row in kept if row]


def run(
    number: str, seeds: Iterable[int], *, only: str = "", launcher: Launcher = launch_fork
) -> list[Trial]:
    """Grade every answer on every seed. only: the name of a task, to leave out all others."""
    sheet, seeds = get_sheet(number), list(seeds)
    trials = []
    for submission in submissions(number, only):
        source = notebook([trial.source for trial in submission])
        answered = {trial.task for trial in submission}
        asked = replace(sheet, tasks=tuple(task for task in sheet.tasks if task.name in answered))
        for report in grade_seeds(
            asked, source, seeds, launcher=launcher, cases=drawn_once(number)
        ):
            results = {result.task: result for result in report.results}
            for trial in submission:
                result = results[trial.task]
                words = (
                    "right"
                    if result.outcome is Outcome.RIGHT
                    else result.mistake or str(result.outcome)
                )
                trial.told[words] = trial.told.get(words, 0) + 1
        trials += submission
    return trials


def notebook(sources: list[str]) -> str:
    """A notebook with these code cells, as JSON."""
    cells = [
        {
            "cell_type": "code",
            "metadata": {},
            "source": source,
            "outputs": [],
            "execution_count": None,
        }
        for source in sources
    ]
    return json.dumps({"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 5})


def rates(trials: list[Trial]) -> dict[str, list[int]]:
    """Of the right and of the wrong answers: [how often the expected was said, how often it was
    asked, how many there are].
    """
    found = {}
    for kind in ("right", "wrong"):
        members = [trial for trial in trials if (trial.expected == "right") == (kind == "right")]
        good = sum(trial.told.get(trial.expected, 0) for trial in members)
        found[kind] = [good, sum(sum(trial.told.values()) for trial in members), len(members)]
    return found


def table(trials: list[Trial], seeds: int, seconds: float) -> str:
    """The trials as text: one line an answer, and the two rates."""
    lines = [
        f"{trial.task:<16} {trial.expected:<20} {'ok' if trial.passed else f'TOLD {trial.told}'}"
        for trial in trials
    ]
    words = {"right": "right answers accepted", "wrong": "wrong answers told their own mistake"}
    for kind, (good, graded, answers) in rates(trials).items():
        lines.append(f"{words[kind]}: {good} of {graded} ({answers} answers x {seeds} seeds)")
    lines.append(f"{seconds:.0f} s")
    return "\n".join(lines)


def store(number: str, seeds: int, trials: list[Trial], path: Path = STORED) -> None:
    """Keep the rates of each task that was tried, beside those of the others."""
    stored: dict[str, Any] = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
    for task in dict.fromkeys(trial.task for trial in trials):
        found = rates([trial for trial in trials if trial.task == task])
        stored.setdefault(number, {})[task] = {"seeds": seeds, **found}
    known = {name: [task.name for task in get_sheet(name).tasks] for name in sorted(stored)}
    rows = {
        name: {task: stored[name][task] for task in tasks if task in stored[name]}
        for name, tasks in known.items()
    }
    lines = ",\n".join(f"{json.dumps(name)}: {json.dumps(row)}" for name, row in rows.items())
    path.write_text(f"{{\n{lines}\n}}\n", encoding="utf-8")


def as_markdown(stored: dict[str, Any]) -> str:
    """The stored rates as docs/checks.md shows them, for each sheet of
    which every task was tried.
    """
    lines = [
        "| sheet | seeds | right answers accepted | wrong answers told their mistake |",
        "|---|---|---|---|",
    ]
    for number, row in stored.items():
        if all(task.name in row for task in get_sheet(number).tasks):
            sums = {
                kind: np.sum([task[kind] for task in row.values()], axis=0)
                for kind in ("right", "wrong")
            }
            right, wrong = (
                f"{good:,} of {asked:,} ({answers} answers)"
                for good, asked, answers in sums.values()
            )
            lines.append(
                f"| {number} | {min(task['seeds'] for task in row.values())} | {right} | {wrong} |"
            )
    return "\n".join(lines)


def main(number: str, seeds: int, first: int = 0, *, only: str = "", keep: bool = False) -> bool:
    """Print the table; whether everything was as expected. keep: store the rates."""
    started = time.perf_counter()
    trials = run(number, range(first, first + seeds), only=only)
    print(table(trials, seeds, time.perf_counter() - started))
    if keep:
        store(number, seeds, trials)
        print(as_markdown(json.loads(STORED.read_text(encoding="utf-8"))))
    return all(trial.passed for trial in trials)
