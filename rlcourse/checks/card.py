"""The card that a check shows below a task.

In a notebook it has a colour, and words that say the same. The same in lines is for terminals,
screen readers and comparisons.
"""

import html
import re
import textwrap
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from rlcourse.checks.cells import shell
from rlcourse.checks.difference import Compared
from rlcourse.checks.task import Outcome

WIDTH = 110  # letters of a line of text
BESIDE = 90  # letters of a line of a table
# Sign and colour. White letters on each have a contrast of at least 5 : 1.
COLOURS = {
    Outcome.RIGHT: ("✓", "#1b7338"),
    Outcome.WRONG: ("✗", "#b3261e"),
    Outcome.UNSETTLED: ("•", "#0b5394"),  # neither good nor bad: a person marks it
}
NOTHING = Compared("")
AMBER = ("!", "#8a5200")  # all others
CELL = (
    "border:1px solid #8888;padding:2px 10px;text-align:left;vertical-align:top;"
    "white-space:pre;font-family:var(--jp-code-font-family,monospace)"
)


@dataclass(frozen=True)
class Card:
    """What a check says of a task.

    head: task and points. sentence: the first one. case: the case that is shown, line by line.
    board: its position, with `__str__` and `_repr_svg_`. foot: how far the sheet is.
    """

    outcome: Outcome
    head: str
    sentence: str
    lines: tuple[str, ...] = ()
    case: tuple[str, ...] = ()
    board: Any = None
    compared: Compared = NOTHING
    foot: str = ""

    def __str__(self) -> str:
        lines = [f"{self.head}: {self.sentence}", *self.lines, *self.case]
        lines += [*_indented(self.board), self.compared.first, *_rows_text(self.compared.rows)]
        return "\n".join(_filled(line) for line in lines if line)

    def __repr__(self) -> str:
        return "\n".join(filter(None, (str(self), self.foot)))

    def _repr_html_(self) -> str:
        sign, colour = COLOURS.get(self.outcome, AMBER)
        badge = (
            f"<span style='background:{colour};color:#fff;border-radius:4px;padding:1px 8px'>"
            f"<span aria-hidden='true'>{sign}</span> {self.outcome}</span>"
        )
        rest = self.sentence.removeprefix(f"{self.outcome}.").strip()
        lines = [marked_up(line) for line in (rest, *self.lines, *self.case) if line]
        head = f"{badge} <strong>{html.escape(self.head)}</strong>"
        body = _paragraph(": ".join([head, *lines[:1]])) + "".join(map(_paragraph, lines[1:]))
        if self.board is not None:
            body += f"<div style='max-width:220px'>{self.board._repr_svg_()}</div>"
        if self.compared.first:
            body += _paragraph(f"<strong>{html.escape(self.compared.first)}</strong>")
        body += _rows_html(self.compared.rows)
        if self.foot:
            body += f"<p style='margin:8px 0 0;font-size:90%'>{html.escape(self.foot)}</p>"
        return (
            f"<div style='border:1px solid {colour};border-left-width:6px;border-radius:4px;"
            f"padding:6px 12px;margin:2px 0;max-width:860px;overflow-x:auto'>{body}</div>"
        )


def show(card: Card, *, plain: bool = False) -> None:
    """Show the card: in a notebook as itself, elsewhere, and where it shall be `plain`, as text."""
    if plain or getattr(shell(), "kernel", None) is None:
        print(repr(card))
    else:
        from IPython.display import display

        display(card)


def _rows_text(rows: Sequence[tuple[str, str, str]]) -> list[str]:
    """Expected and got as text: a sentence for one pair, else a table."""
    if len(rows) == 1:
        [(what, expected, got)] = rows
        if "\n" in expected + got:
            return [f"{what}\n" * bool(what) + f"Expected\n{expected}\nGot\n{got}"]
        where = f"{what[0].upper()}{what[1:]}: e" if what else "E"
        return [f"{where}xpected {expected}; got {got}."]
    width = max((len(what) for what, _, _ in rows), default=0)
    lines = [("", "expected", "got"), *rows] if rows else []
    return [f"  {what:<{width}}  {expected:>8}  {got:>8}" for what, expected, got in lines]


def _rows_html(rows: Sequence[tuple[str, str, str]]) -> str:
    """The same as a table."""
    if not rows:
        return ""
    if len(rows) == 1 and sum(max(map(len, text.split("\n"))) for text in rows[0]) > BESIDE:
        return _below_each_other(*rows[0])
    named = any(what for what, _, _ in rows)
    head = "".join(f"<th scope='col' style='{CELL}'>{name}</th>" for name in ("expected", "got"))
    lines = [
        (f"<th scope='row' style='{CELL}'>{html.escape(what)}</th>" if named else "")
        + "".join(f"<td style='{CELL}'>{html.escape(value)}</td>" for value in (expected, got))
        for what, expected, got in rows
    ]
    body = "".join(f"<tr>{line}</tr>" for line in lines)
    corner = f"<td style='{CELL}'></td>" if named else ""
    top = f"<thead><tr>{corner}{head}</tr></thead>"
    return (
        f"<table style='border-collapse:collapse;margin:4px 0'>{top}<tbody>{body}</tbody></table>"
    )


def _below_each_other(what: str, expected: str, got: str) -> str:
    """Two values that are too wide to stand side by side."""
    lines = (
        f"<tr><th scope='row' style='{CELL}'>{name}</th>"
        f"<td style='{CELL}'>{html.escape(value)}</td></tr>"
        for name, value in (("expected", expected), ("got", got))
    )
    table = f"<table style='border-collapse:collapse;margin:4px 0'>{''.join(lines)}</table>"
    return _paragraph(html.escape(what)) * bool(what) + table


def _indented(board: Any) -> list[str]:
    return [] if board is None else textwrap.indent(str(board), "  ").split("\n")


def _filled(text: str) -> str:
    """The text in lines of a terminal; what is in lines already stays so."""
    lines = text.split("\n")
    return "\n".join(
        textwrap.fill(line, WIDTH, subsequent_indent="  ") if len(line) > WIDTH else line
        for line in lines
    )


def marked_up(text: str) -> str:
    """The text for a page; code stands between backquotes."""
    return re.sub("`([^`]+)`", r"<code>\1</code>", html.escape(text))


def _paragraph(inner: str) -> str:
    return f"<p style='margin:4px 0'>{inner}</p>"
