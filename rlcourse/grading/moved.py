"""Whose score a regrade moved, from what to what, and why: which hidden case is judged otherwise,
or what a task is worth now.
"""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from rlcourse.checks.sheet import Sheet
from rlcourse.grading.pages import points
from rlcourse.grading.whole_class import Round, Row
from rlcourse.untrusted import table

MOST_CASES = 4  # of one task that are listed
_RIGHT = "right"


class Move(NamedTuple):
    """One task of one student. total_before, total: the student's points in the gradebook.

    before, after: points of the task; None where there were none. outcome_before, outcome: "right",
    the mistake, or another outcome. cases: the hidden cases that are judged otherwise. note: what
    else changed, or that a person's points stand.
    """

    id: str
    name: str
    total_before: float | None
    total: float | None
    task: str
    before: float | None
    after: float | None
    outcome_before: str
    outcome: str
    cases: str
    note: str


def given_to(row: Row, sheet: Sheet) -> dict[str, Any]:
    """What is remembered of a row when it is published. worth: item of the sheet -> points."""
    return {
        "points": row.auto,
        "total": row.points,
        "tasks": {result.task: result.points for result in row.results},
        "digest": row.attempt.digest if row.attempt else "",
        "status": row.status,
        "worth": sheet.points,
        "outcomes": {result.task: result.mistake or str(result.outcome) for result in row.results},
        "cases": {result.task: list(result.cases) for result in row.results},
    }


def from_earlier_run(folder: Path, name: str) -> dict[str, Any]:
    """What an earlier run kept under that name in a sheet's folder of the class, or nothing.

    given: student -> what was published last (`given_to`). cases, moved: see `Desk.publish`.
    """
    try:
        return dict(json.loads((folder / f"{name}.json").read_text(encoding="utf-8")))
    except (OSError, ValueError):
        return {}


def moves(
    done: Round, given: Mapping[str, Any], labels_before: Mapping[str, Sequence[str]]
) -> list[Move]:
    """All tasks whose points are others than those that were given, student by student.

    done: after publishing. labels_before: task -> the hidden cases of that time (`Case.label`).
    """
    moved = []
    for row in done.rows:
        before = given.get(row.student.id)
        if before is None:
            continue
        after = given_to(row, done.sheet)
        for task in {**before["tasks"], **after["tasks"]}:
            old, new = before["tasks"].get(task), after["tasks"].get(task)
            if (old or 0) == (new or 0):
                continue
            cases = _cases(
                (labels_before.get(task, ()), before.get("cases", {}).get(task, ())),
                (done.labels.get(task, ()), after["cases"].get(task, ())),
            )
            outcomes = before.get("outcomes", {}).get(task, ""), after["outcomes"].get(task, "")
            totals = before.get("total", before["points"]), after["total"]
            note = _note(row, task, before, after)
            student = row.student
            moved.append(
                Move(student.id, student.name, *totals, task, old, new, *outcomes, cases, note)
            )
    return moved


def _cases(
    before: tuple[Sequence[str], Sequence[str]], after: tuple[Sequence[str], Sequence[str]]
) -> str:
    """The cases that are judged otherwise; "" where none was asked, of which the note says why.

    before, after: (labels, the outcome of each).
    """
    if not after[1]:
        return ""
    old = dict(zip(*before, strict=False))
    new = dict(zip(*after, strict=False))
    gone = [label for label in before[0] if label not in after[0]]
    lines = []
    for number, label in enumerate(after[0], 1):
        kind, was, now = "", old.get(label, ""), new.get(label, "")
        if label not in before[0]:
            kind = "added"
            if gone:  # in the place of that one: the same case, changed
                kind = f"changed, before {gone[0]}"
                was = old.get(gone.pop(0), "")
        if was != now and not (kind == "added" and now == _RIGHT):
            head = f"case {number}{f' ({kind})' if kind else ''}, {label}"
            lines.append(f"{head}: was {was or 'not asked'}, is {now or 'not asked'}")
    wrong = [label for label in gone if old.get(label, _RIGHT) != _RIGHT]
    lines += [f"case taken out, {label}: was {old[label]}" for label in wrong]
    rest = len(lines) - MOST_CASES
    return "; ".join(lines[:MOST_CASES]) + (f"; and {rest} more" if rest > 0 else "")


def another_file(before: Mapping[str, Any], after: Mapping[str, Any]) -> bool:
    """Whether a file counts and another one did, of two things remembered (`given_to`)."""
    return bool(before["digest"] and after["digest"]) and before["digest"] != after["digest"]


def _note(row: Row, task: str, before: Mapping[str, Any], after: Mapping[str, Any]) -> str:
    old, new = before.get("worth", {}).get(task), after["worth"].get(task)
    notes = ["another file counts"] if another_file(before, after) else []
    if before["status"] != after["status"]:
        notes.append(after["status"])
    if new is None:
        notes.append("the task is left out")
    elif old is not None and old != new:
        notes.append(f"the task is worth {new} points, before {old}")
    if (by_hand := row.by_hand(task)) is not None:
        notes.append(f"a person gave {by_hand:g} points, which stay: look at it again")
    return "; ".join(notes)


def moved_csv(done: Round) -> str:
    """The moves of the last regrade that moved a score, one line a task."""
    lines = [
        {key: points(value) if isinstance(value, float) else value or "" for key, value in line}
        for line in (move._asdict().items() for move in done.moved)
    ]
    return table(Move._fields, lines)
