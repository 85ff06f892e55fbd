"""Pages about a class, from the templates in `html`: one file each, nothing loaded, no script,
readable on a phone and on paper.

Jinja escapes every value: what a student wrote is shown as text wherever it stands.
"""

from functools import cache
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from rlcourse.checks.card import marked_up


def page(template: str, **values: Any) -> str:
    """The page that a template of the folder `html` makes of these values."""
    return _templates().get_template(template).render(values)


@cache
def _templates() -> Environment:
    templates = Environment(
        loader=FileSystemLoader(Path(__file__).with_name("html")),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    templates.filters |= {"points": points, "percent": "{:.0%}".format, "code": _code}
    return templates


def points(value: float | None) -> str:
    """Points with at most one digit after the point; a dash for none."""
    return "–" if value is None else f"{round(value, 1):g}"


def _code(sentence: str) -> Markup:
    return Markup(marked_up(sentence))  # which has escaped the rest
