"""The class on one page for the instructor, and the scores as tables for Moodle, Canvas and a spreadsheet."""

import csv
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import partial
from io import StringIO
from pathlib import Path

from rlcourse.atomic import write_atomically
from rlcourse.checks.task import Outcome
from rlcourse.grading.feedback import feedback_page
from rlcourse.grading.pages import badge, code_words, number, page, table, text
from rlcourse.grading.reading import settled
from rlcourse.grading.whole_class import NOTHING, Round, Row
from rlcourse.grading.words import headline
from rlcourse.untrusted import plain_cell


def write_reports(folder: Path, done: Round) -> Path:
    """The class report, a page for everyone who handed in, and the tables, all in `folder`. Returns the report."""
    rows = [settled(partial(_tried, done, row), row.unsettled) for row in done.rows]
    done = replace(done, rows=tuple(rows))
    for row in done.rows:
        if row.attempt is not None:
            write_atomically(
                folder / "feedback" / f"{row.student.id}.html",
                feedback_page(done.sheet, row).encode(),
                private=True,
            )
    for name, content in (
        ("moodle", moodle_csv(done)),
        ("canvas", canvas_csv(done)),
        ("scores", scores_csv(done)),
    ):
        write_atomically(folder / f"{name}.csv", content.encode("utf-8-sig"), private=True)
    write_atomically(folder / "class.html", class_page(done).encode(), private=True)
    return folder / "class.html"


def _tried(done: Round, row: Row) -> Row:
    """The row, after everything was written that is told of it, in a class of its own."""
    alone = replace(done, rows=(row,), unmatched=())
    pages = [class_page(alone), *(table(alone) for table in (moodle_csv, canvas_csv, scores_csv))]
    if row.attempt is not None:
        pages.append(feedback_page(done.sheet, row))
    for one in pages:
        one.encode()
    return row


def class_page(done: Round) -> str:
    """The instructor's report. It names students: it stays where the gradebook is."""
    return page(f"Sheet {done.sheet.number}: the class", _body(done), wide=True)


def _body(done: Round) -> Iterator[str]:
    graded = [row for row in done.rows if row.graded]
    scores = [_points(row) for row in graded]
    yield f"<p class=soft>Sheet {text(done.sheet.number)}</p><h1>{text(done.sheet.title)}: the class</h1>"
    waiting = sum(1 for row in graded if row.marks is not None and row.marks.waiting)
    facts = (
        (f"{len(done.rows)}", "students"),
        (f"{len(graded)}", "graded"),
        (f"{sum(row.status == NOTHING for row in done.rows)}", NOTHING),
        (f"{sum(not row.graded and row.status != NOTHING for row in done.rows)}", "not gradable"),
        (f"{waiting}", "with items for a person"),
        (number(_median(scores)), f"points in the median, of {_maximum(done)}"),
    )
    yield (
        "<ul class=figures>"
        + "".join(f"<li><b>{text(value)}</b>{text(words)}</li>" for value, words in facts)
        + "</ul>"
    )
    trouble = list(_trouble(done))
    if trouble:
        yield "<h2>For you to settle</h2>" + table(("who or where", "what"), trouble)
    if scores:
        yield f"<h2>Distribution</h2><section class=card>{_histogram(scores, _maximum(done))}</section>"
        yield "<h2>Tasks, the hardest first</h2>" + _tasks(done, graded)
        yield "<h2>Commonest mistakes</h2>" + _mistakes(done, graded)
    yield "<h2>Everybody</h2>" + _everybody(done)


def _trouble(done: Round) -> Iterator[tuple[str, str]]:
    for place, reason in done.unmatched:
        yield text(place), f"nobody's: {text(reason)}"
    for row in done.rows:
        words = [f"{row.attempt.origin}: {row.status}"] if row.attempt and not row.graded else []
        if words or row.look:
            yield text(row.student), text("; ".join(dict.fromkeys((*words, *row.look))))


def _histogram(scores: list[float], maximum: float) -> str:
    """Ten columns as SVG, each with its count."""
    width = maximum / 10
    counts = Counter(min(9, int(score / width + 1e-9)) for score in scores)
    most = max(counts.values())
    parts = []
    for column in range(10):
        count, x = counts[column], 40 + 62 * column
        height = 150 * count / most
        parts.append(
            f'<rect x="{x}" y="{175 - height:.1f}" width="54" height="{height:.1f}" rx="3" fill="#2f72b0"/>'
        )
        parts.append(
            f'<text x="{x + 27}" y="{170 - height:.1f}" text-anchor="middle" font-size="13">{count or ""}</text>'
        )
        parts.append(
            f'<text x="{x - 4}" y="194" text-anchor="middle" font-size="12" fill="#566474">{number(column * width)}</text>'
        )
    parts.append(
        f'<text x="656" y="194" text-anchor="middle" font-size="12" fill="#566474">{number(maximum)}</text>'
    )
    label = f"Students by points: {', '.join(f'{number(c * width)} to {number((c + 1) * width)}: {counts[c]}' for c in range(10))}"
    axis = '<line x1="34" y1="175.5" x2="660" y2="175.5" stroke="#566474"/>'
    axis += '<text x="347" y="214" text-anchor="middle" font-size="13" fill="#566474">points</text>'
    return f'<svg viewBox="0 0 690 220" role="img" aria-label="{text(label)}">{axis}{"".join(parts)}</svg>'


def _tasks(done: Round, graded: list[Row]) -> str:
    lines = []
    for task in done.sheet.tasks:
        results = [
            result for row in graded for result in row.record.results if result.task == task.name
        ]
        if not results:
            continue
        counts = Counter(result.outcome for result in results)
        right = counts[Outcome.RIGHT] / len(results)
        whole, part = (
            f'<rect width="{100 * share:.1f}" height="12" fill="{fill}"/>'
            for share, fill in _bar(right)
        )
        bar = f'<svg viewBox="0 0 100 12" width="120" height="14" aria-hidden="true">{whole}{part}</svg>'
        others = ", ".join(
            f"{count} {outcome}"
            for outcome, count in counts.most_common()
            if outcome is not Outcome.RIGHT
        )
        lines.append(
            (
                right,
                (
                    f"{text(headline(task))} <span class=soft>{text(task.name)}</span>",
                    f"{bar} {right:.0%}",
                    text(others),
                    number(task.points),
                ),
            )
        )
    return table(
        ("task", "right", "others", "points"),
        (cells for _, cells in sorted(lines, key=lambda line: line[0])),
        numbers=(3,),
    )


def _bar(share: float) -> tuple[tuple[float, str], ...]:
    return (1.0, "#d5dce4"), (share, "#00694e")


def _mistakes(done: Round, graded: list[Row]) -> str:
    counts = Counter(
        (result.task, result.mistake)
        for row in graded
        for result in row.record.results
        if result.mistake
    )
    lines = [
        (f"<code>{text(task)}</code>", str(count), code_words(done.sheet.task(task).words(mistake)))
        for (task, mistake), count in counts.most_common(12)
    ]
    return (
        table(("task", "students", "what they were told"), lines, numbers=(1,))
        if lines
        else "<p>None.</p>"
    )


def _everybody(done: Round) -> str:
    names = [task.name for task in done.sheet.tasks]
    lines = []
    for row in done.rows:
        results = {result.task: result for result in row.record.results} if row.graded else {}
        cells = [_cell(results.get(name)) for name in names]
        link = (
            f'<a href="feedback/{text(row.student.id)}.html">{text(row.student)}</a>'
            if row.attempt
            else text(row.student)
        )
        state = badge(row.status, "good" if row.graded else "wait")
        late = f"{row.lost:.0%} off" if row.lost else ""
        hand = ", ".join(row.marks.waiting) if row.marks and row.graded else ""
        lines.append(
            (
                link,
                state,
                number(_points(row) if row.graded else None),
                *cells,
                text(late),
                text(hand),
            )
        )
    return table(
        ("student", "status", "points", *names, "late", "waits for a person"),
        lines,
        numbers=range(2, 3 + len(names)),
    )


def _cell(result: object) -> str:
    if result is None:
        return "–"
    title = text(result.mistake or result.outcome)
    words = (
        number(result.points)
        if result.points
        else {Outcome.BLANK: "blank"}.get(result.outcome, "0")
    )
    return f'<span title="{title}">{words}</span>'


# --- tables for other programs ----------------------------------------------------------------------------------------


def moodle_csv(done: Round) -> str:
    """For Moodle: its own grading worksheet with the grades filled in, where the roster is one; else a table by id.

    A student without points has an empty grade, never a 0 that nobody gave.
    """
    if done.roster_kind == "moodle" and "Grade" in done.header:
        maximum = next(
            (column for column in done.header if column.strip().lower() == "maximum grade"), None
        )
        return _table(
            done.header,
            ({**row.student.row, "Grade": _scaled(row, done, maximum)} for row in done.rows),
        )
    header = ("ID number", "Full name", "Email address", f"Sheet {done.sheet.number}", "Status")
    rows = (
        (row.student.id, row.student.name, row.student.email, _grade(row), _state(row))
        for row in done.rows
    )
    return _table(header, (dict(zip(header, cells, strict=True)) for cells in rows))


def canvas_csv(done: Round) -> str:
    """For Canvas: its gradebook's five columns and one for this sheet, with the row of possible points."""
    kept = ("Student", "ID", "SIS User ID", "SIS Login ID", "Section")
    column = f"Sheet {done.sheet.number}"
    own = done.roster_kind == "canvas"

    def cells(row: Row) -> dict[str, str]:
        """One student's line, by column."""
        if own:
            return {**{key: row.student.row.get(key, "") for key in kept}, column: _grade(row)}
        return {
            "Student": row.student.name,
            "ID": row.student.number,
            "SIS User ID": row.student.id,
            column: _grade(row),
        }

    possible = {"Student": "    Points Possible", column: str(_maximum(done))}
    return _table((*kept, column), [possible, *map(cells, done.rows)])


def scores_csv(done: Round) -> str:
    """Everything in one table: status, points of every task, lateness, what waits for a person."""
    tasks = [task.name for task in done.sheet.tasks]
    manual = [item.name for item in done.sheet.manual]
    header = (
        "id",
        "name",
        "status",
        "points",
        *tasks,
        *manual,
        "late_share",
        "handed_in",
        "clock",
        "file",
        "waits_for",
        "look_at",
    )

    def cells(row: Row) -> dict[str, str]:
        """One student's line, by column."""
        points = (
            {result.task: number(result.points) for result in row.record.results}
            if row.graded
            else {}
        )
        points |= (
            {name: number(value) for name, value in row.marks.by_hand.items()} if row.marks else {}
        )
        attempt = row.attempt
        told = (
            row.student.id,
            row.student.name,
            row.status,
            _grade(row),
            *(points.get(name, "") for name in (*tasks, *manual)),
            f"{row.lost:.2f}" if row.lost else "",
            attempt.moment.isoformat() if attempt and attempt.moment else "",
            attempt.clock if attempt else "",
            attempt.origin if attempt else "",
            " ".join(row.marks.waiting) if row.marks else "",
            "; ".join(row.look),
        )
        return dict(zip(header, told, strict=True))

    return _table(header, map(cells, done.rows))


def _table(header: Iterable[str], rows: Iterable[dict[str, str]]) -> str:
    out, header = StringIO(), list(header)
    writer = csv.DictWriter(out, header, extrasaction="ignore", restval="", lineterminator="\r\n")
    writer.writeheader()
    writer.writerows({key: plain_cell(value) for key, value in row.items()} for row in rows)
    return out.getvalue()


def _grade(row: Row) -> str:
    return f"{round(_points(row), 2):g}" if row.graded else ""


def _scaled(row: Row, done: Round, column: str | None) -> str:
    """The grade in the platform's own scale."""
    try:
        scale = float(row.student.row.get(column, "") or 0) / _maximum(done) if column else 1.0
    except ValueError:
        scale = 1.0
    return f"{round(_points(row) * (scale or 1.0), 2):g}" if row.graded else ""


def _state(row: Row) -> str:
    return (
        f"{row.status}; waits for a person: {', '.join(row.marks.waiting)}"
        if row.graded and row.marks and row.marks.waiting
        else row.status
    )


def _points(row: Row) -> float:
    return row.auto if row.marks is None else row.marks.total


def _maximum(done: Round) -> int:
    return sum(item.points for item in (*done.sheet.tasks, *done.sheet.manual))


def _median(values: list[float]) -> float | None:
    ordered = sorted(values)
    return (ordered[(len(ordered) - 1) // 2] + ordered[len(ordered) // 2]) / 2 if ordered else None
