"""One page of the site: the frame around it, and a notebook's cells with their pictures."""

import base64
import re
from collections.abc import Sequence
from functools import cache
from hashlib import sha256
from html import escape
from pathlib import Path
from typing import Any

from nbconvert.filters.ansi import strip_ansi
from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexers import PythonLexer

from rlcourse.errors import BadValue
from rlcourse.site.markdown import Markdown

# Nothing may be fetched, and nothing run but the page's own script: what it shows stands in it.
POLICY = (
    "default-src 'none'; img-src data:; font-src data:; style-src 'unsafe-inline'; "
    "base-uri 'none'; form-action 'none'"
)
_PREDICTION = "<strong>Predict.</strong>"
MADE_BY = '<meta name="generator" content="rlcourse site">'
_BOARD = re.compile(r"(play|replay|PlayBoard|sliders)\(")
_STILL = "<p class=still>It stands still here; in the notebook it answers.</p>"


FOLDER = Path(__file__).parent


@cache
def _style() -> str:
    """The style of every page; code has other colours on a dark background."""
    light = HtmlFormatter(style="vs").get_style_defs(".code")
    dark = HtmlFormatter(style="github-dark").get_style_defs(".code")
    colours = (
        f"@media not (prefers-color-scheme: dark) {{ {light} }}\n"
        f"@media (prefers-color-scheme: dark) {{ {dark} }}\n"
    )
    return colours + (FOLDER / "style.css").read_text(encoding="utf-8")


@cache
def _math_font() -> str:
    """A font with a MATH table, which places indices and which many computers lack."""
    font = base64.b64encode((FOLDER / "math.woff").read_bytes()).decode("ascii")
    source = f'url(data:font/woff;base64,{font}) format("woff")'
    return f'@font-face {{ font-family: "Course Math"; src: {source}; }}\n'


@cache
def _predictions() -> tuple[str, str]:
    """(the script by which predictions can be chosen, what the policy says of it)"""
    script = (FOLDER / "predict.js").read_text(encoding="utf-8")
    digest = base64.b64encode(sha256(script.encode()).digest()).decode("ascii")
    return f"<script>{script}</script>", f"; script-src 'sha256-{digest}'"


def frame(title: str, body: str, *, links: Sequence[tuple[str, str]], wide: bool = False) -> str:
    """A whole page. links: (text as HTML, address), for the line at its top and at its end."""
    style = (_math_font() if "<math" in body else "") + _style()
    script, allowed = _predictions() if _PREDICTION in body else ("", "")
    line = "".join(f'<a href="{escape(address)}">{text}</a>' for text, address in links)
    return (
        f'<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8">{MADE_BY}'
        f'<meta http-equiv="Content-Security-Policy" content="{POLICY}{allowed}"><link rel="icon" '
        'href="data:,">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{escape(title)}</title><style>{style}</style></head>\n<body>"
        f'<nav aria-label="Pages">{line}</nav>\n'
        f"<main{' class=wide' if wide else ''}>\n{body}\n</main>\n"
        f'<nav aria-label="Pages, again">{line}</nav>{script}</body></html>\n'
    )


def contents(markdown: Markdown) -> str:
    """The page's own contents, out of its headings of the second level; none for a short page."""
    entries = [
        f'<li><a href="#{anchor}">{text}</a></li>'
        for level, anchor, text in markdown.headings
        if level == 2
    ]
    if len(entries) < 3:
        return ""
    items = "".join(entries)
    return f"<details class=contents><summary>On this page</summary><ul>{items}</ul></details>"


def notebook_html(notebook: Any, markdown: Markdown) -> str:
    """The cells of a notebook, one after the other. A cell's anchor is cell-ID."""
    return "\n".join(
        _cell(cell, markdown)
        for cell in notebook.cells
        if cell.source.strip() or cell.get("outputs")
    )


def _cell(cell: Any, markdown: Markdown) -> str:
    if cell.cell_type == "markdown":
        return markdown.html(cell.source, cell.get("attachments"))
    code = highlight(cell.source, PythonLexer(), HtmlFormatter(nowrap=True))
    shown = f'<pre class="code" tabindex="0" aria-label="code">{code}</pre>'
    if cell.metadata.get("jupyter", {}).get("source_hidden"):
        shown = f"<details><summary>Code</summary>{shown}</details>"
    pictures = [_output(output) for output in cell.outputs]
    still = _STILL if pictures and _BOARD.match(cell.source.strip().splitlines()[-1]) else ""
    return f'<div class="cell" id="cell-{cell.id}">{shown}{"".join(pictures)}{still}</div>'


def _output(output: Any) -> str:
    if output.output_type == "stream":
        return _printed(output.text, output.name)
    if output.output_type == "error":
        return _printed("\n".join(output.traceback), "stderr")
    data = output.data
    if "image/svg+xml" in data:
        svg = data["image/svg+xml"]
        return f'<div class="board" tabindex="0" role="group" aria-label="board">{svg}</div>'
    if "image/png" in data:
        return picture(output)
    if "text/html" in data:
        return data["text/html"]
    return _printed(data.get("text/plain", ""), "stdout")


def picture(output: Any) -> str:
    """A figure with its alternative text. Raises ValueError if it has none."""
    alt = output.metadata.get("image/png", {}).get("alt")
    if not alt:
        raise BadValue("a figure has no alternative text; show it by rlcourse.plots.show")
    png = output.data["image/png"].strip()
    width = output.metadata["image/png"].get("width")
    size = f' width="{width}"' if width else ""
    return f'<img class="figure" src="data:image/png;base64,{png}" alt="{escape(alt)}"{size}>'


def _printed(text: str, name: str) -> str:
    if not text.strip():
        return ""
    label = "printed" if name == "stdout" else "messages"
    plain = escape(strip_ansi(text).rstrip())
    return f'<pre class="{name}" tabindex="0" aria-label="{label}">{plain}</pre>'
