"""One page of the site: the frame around it, and a notebook's cells with their pictures."""

import base64
import re
from collections.abc import Mapping, Sequence
from functools import cache
from hashlib import sha256
from html import escape
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import quote

from nbconvert.filters.ansi import strip_ansi
from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexers import PythonLexer

from rlcourse.errors import BadValue
from rlcourse.site.markdown import Markdown

# Nothing may be fetched, and nothing run but the page's own script: what it shows stands in
# it. Only a page to play on, which lies on the same site, may be shown within it.
POLICY = (
    "default-src 'none'; img-src data:; font-src data:; style-src 'unsafe-inline'; "
    "frame-src 'self' file:; base-uri 'none'; form-action 'self' file:"
)
_PREDICTION = "<strong>Predict.</strong>"
MADE_BY = '<meta name="generator" content="rlcourse site">'
_BOARD = re.compile(r"(play|replay|PlayBoard|sliders)\(")
_STILL = "<p class=still>It stands still here; in the notebook it answers.</p>"

Links = Sequence[tuple[str, str]]  # (text as HTML, address from the page)


class Place(NamedTuple):
    """Where a page is on the site.

    home, search: addresses of the first page and of the one that searches. top: links at the top.
    side: groups of links with their names, for the column beside the text. here: this page's own
    address in them. around: links to the page before and the page after, and to the sheet or the
    lesson that belongs to it.
    """

    home: str
    search: str
    top: Links
    side: Sequence[tuple[str, Links]] = ()
    here: str = ""
    around: Links = ()


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
def _script(name: str) -> tuple[str, str]:
    """(a script of this folder as an element, what the policy says of it)"""
    script = (FOLDER / name).read_text(encoding="utf-8")
    digest = base64.b64encode(sha256(script.encode()).digest()).decode("ascii")
    return f"<script>{script}</script>", f"; script-src 'sha256-{digest}'"


def frame(title: str, body: str, place: Place, contents: str = "", script: str = "") -> str:
    """A whole page.

    contents: HTML of its own contents, for the column at its side. script: the name of the one
    script that it runs; a page with predictions has one of its own.
    """
    style = (_math_font() if "<math" in body else "") + _style()
    script = script or ("predict.js" if _PREDICTION in body else "")
    element, allowed = _script(script) if script else ("", "")
    around = "".join(f'<a href="{escape(address)}">{text}</a>' for text, address in place.around)
    side = _side(place, contents)
    return (
        f'<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8">{MADE_BY}'
        f'<meta http-equiv="Content-Security-Policy" content="{POLICY}{allowed}"><link rel="icon" '
        'href="data:,">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{escape(title)}</title><style>{style}</style></head>\n<body>"
        f"{_top(place)}\n<div class={'beside' if side else 'alone'}><main>\n{body}\n"
        + (f'<nav class=around aria-label="Before and after">{around}</nav>' if around else "")
        + f"</main>{side}</div>{element}</body></html>\n"
    )


def _top(place: Place) -> str:
    """The line at the top of every page: the way home, a few pages, and the search."""
    links = [("All lessons", place.home), *place.top]
    line = "".join(f'<a href="{escape(address)}">{text}</a>' for text, address in links)
    return (
        f'<header><nav aria-label="Pages">{line}</nav><form role="search" '
        f'action="{place.search}"><input type="search" name="q" aria-label="Words to search for" '
        'placeholder="Search"><button>Search</button></form></header>'
    )


def _side(place: Place, contents: str) -> str:
    """The column beside the text, with this page's own contents below its name; below the text
    where the screen is narrow."""
    groups = []
    for name, links in place.side:
        entries = [
            f'<li><a href="{escape(address)}" aria-current="page">{text}</a>{contents}</li>'
            if address == place.here
            else f'<li><a href="{escape(address)}">{text}</a></li>'
            for text, address in links
        ]
        groups.append(f"<h2>{name}</h2><ul>{''.join(entries)}</ul>")
    return f'<nav class=side aria-label="Course">{"".join(groups)}</nav>' if groups else ""


def contents(markdown: Markdown) -> str:
    """The page's own contents, out of its headings of the second level; none for a short page."""
    entries = [
        f'<li><a href="#{anchor}">{text}</a></li>'
        for level, anchor, text in markdown.headings
        if level == 2
    ]
    return f"<ul>{''.join(entries)}</ul>" if len(entries) >= 3 else ""


def notebook_html(
    cells: Sequence[Any], markdown: Markdown, games: Mapping[str, str], opponent: str = ""
) -> str:
    """The cells of a notebook, one after the other. A cell's anchor is cell-ID.

    games: title of a game -> address of the page on which it is played. The first board of the
    notebook opens it, the first picture of one where no board answers in the notebook. opponent:
    who plays there, by the name in that page's list; "" for the one with which it begins.
    """
    shown = [cell for cell in cells if cell.source.strip() or cell.get("outputs")]
    boards = [cell for cell in shown if _game_on(cell, games)]
    first = next(filter(_is_board, boards), boards[0] if boards else None)
    parts = []
    for cell in shown:
        parts.append(_cell(cell, markdown))
        if cell is first:
            title = _game_on(cell, games)
            parts.append(_to_play(games[title], title, opponent))
    return "\n".join(parts)


def _to_play(address: str, title: str, opponent: str) -> str:
    """A folded page to play on."""
    others = "the bots of the course"
    if opponent:
        address += f"?opponent={quote(opponent)}"
        others = f"{opponent} and the other bots of the course"
    summary = f"<summary>Play {escape(title)} here, against {escape(others)}</summary>"
    return f"<details class=try>{summary}{play_here(address, title)}</details>"


def play_here(address: str, title: str) -> str:
    """A page to play on within another page; it is loaded when it comes into sight."""
    named = f'title="{escape(title)} to play"'
    return f'<iframe src="{escape(address)}" {named} loading="lazy"></iframe>'


def _game_on(cell: Any, games: Mapping[str, str]) -> str:
    """The title of the game on the board that a cell shows, "" for none of them."""
    if cell.cell_type != "code":
        return ""
    svg = "".join(output.get("data", {}).get("image/svg+xml", "") for output in cell.outputs)
    return next((title for title in games if f'aria-label="{title}' in svg), "")


def _is_board(cell: Any) -> bool:
    """Whether a cell ends with a board or sliders that answer in the notebook."""
    return bool(cell.outputs and _BOARD.match(cell.source.strip().splitlines()[-1]))


def _cell(cell: Any, markdown: Markdown) -> str:
    if cell.cell_type == "markdown":
        return markdown.html(cell.source, cell.get("attachments"))
    code = highlight(cell.source, PythonLexer(), HtmlFormatter(nowrap=True))
    shown = f'<pre class="code" tabindex="0" aria-label="code">{code}</pre>'
    if cell.metadata.get("jupyter", {}).get("source_hidden"):
        shown = f"<details class=folded-code><summary>Code</summary>{shown}</details>"
    pictures = "".join(_output(output) for output in cell.outputs)
    still = _STILL if _is_board(cell) else ""
    return f'<div class="cell" id="cell-{cell.id}">{shown}{pictures}{still}</div>'


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
