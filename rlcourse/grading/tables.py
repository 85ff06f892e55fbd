"""The scores of a class as tables for Moodle, Canvas and a spreadsheet."""

from rlcourse.grading.pages import points
from rlcourse.grading.whole_class import Round, Row
from rlcourse.untrusted import table

# What Canvas needs to find a student's line; it may keep further columns of its own.
_CANVAS = ("Student", "ID", "SIS User ID", "SIS Login ID", "Section")


def moodle_csv(done: Round) -> str:
    """For Moodle: its own grading worksheet with the grades filled in, where the roster is one;
    else a table by id.

    A student without points has an empty grade, never a 0 that nobody gave.
    """
    header = done.roster.header
    if done.roster.kind == "moodle" and "Grade" in header:
        maximum = next((c for c in header if c.strip().lower() == "maximum grade"), "")
        rows = ({**row.student.row, "Grade": _scaled(row, done, maximum)} for row in done.rows)
        return table(header, rows)
    column = f"Sheet {done.sheet.number}"
    lines = [
        {
            "ID number": row.student.id,
            "Full name": row.student.name,
            "Email address": row.student.email,
            column: _grade(row),
            "Status": _state(row),
        }
        for row in done.rows
    ]
    return table(("ID number", "Full name", "Email address", column, "Status"), lines)


def canvas_csv(done: Round) -> str:
    """For Canvas: its gradebook's five columns and one for this sheet, with the row of possible
    points.
    """
    column = f"Sheet {done.sheet.number}"
    lines = [{"Student": "    Points Possible", column: str(done.maximum)}]
    for row in done.rows:
        student = row.student
        if done.roster.kind == "canvas":
            own = {key: student.row.get(key, "") for key in _CANVAS}
        else:
            own = {"Student": student.name, "ID": student.number, "SIS User ID": student.id}
        lines.append({**own, column: _grade(row)})
    return table((*_CANVAS, column), lines)


def scores_csv(done: Round) -> str:
    """Everything in one table: status, points of every task, lateness, what waits for a person."""
    items = [item.name for item in done.sheet.items]
    header = ("id", "name", "status", "points", *items, "late_share", "handed_in", "clock", "file")
    return table((*header, "waits_for", "look_at"), map(_scores, done.rows))


def _scores(row: Row) -> dict[str, str]:
    """A student's line of the table of scores, by column; what is not there stays empty."""
    attempt = row.attempt
    line = {result.task: points(result.points) for result in row.results}
    if row.marks:
        line |= {name: points(value) for name, value in row.marks.by_hand.items()}
    if attempt:
        moment = attempt.moment.isoformat() if attempt.moment else ""
        line |= {"handed_in": moment, "clock": attempt.clock, "file": attempt.origin}
    return line | {
        "id": row.student.id,
        "name": row.student.name,
        "status": row.status,
        "points": _grade(row),
        "late_share": f"{row.lost:.2f}" if row.lost else "",
        "waits_for": " ".join(row.waiting),
        "look_at": "; ".join(row.look),
    }


def _grade(row: Row, scale: float = 1.0) -> str:
    return "" if row.points is None else f"{round(row.points * scale, 2):g}"


def _scaled(row: Row, done: Round, column: str) -> str:
    """The grade in the platform's own scale; its maximum stands in that column of the worksheet."""
    try:
        scale = float(row.student.row.get(column) or 0) / done.maximum
    except ValueError:
        scale = 0.0
    return _grade(row, scale or 1.0)


def _state(row: Row) -> str:
    if row.graded and row.waiting:
        return f"{row.status}; waits for a person: {', '.join(row.waiting)}"
    return row.status
