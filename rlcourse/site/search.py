"""The search of the site: an index of the words of every section, made when the site is built.

The index stands in the page that searches, so it works from a folder on disk.
"""

import json
import re
from collections.abc import Iterable, Iterator
from html import unescape
from typing import NamedTuple

SEARCH = "search.html"
COMMON = 0.15  # a word that stands in more than this share of the sections tells none from another
BEGINNING = 70  # letters of a section that are shown below its name
_HEADING = re.compile(r'<h([1-3]) id="([^"]+)">(.*?)</h\1>', re.DOTALL)
_LEFT_OUT = re.compile(
    r"<(svg|math|style|iframe|pre)\b.*?</\1>|<details class=contents>.*?</details>", re.DOTALL
)
_WORD = re.compile(r"[^\W\d_][\w-]+")


class Section(NamedTuple):
    """A heading and the text up to the next one. page: (address from the root, title)."""

    page: tuple[str, str]
    anchor: str
    heading: str
    text: str


def sections(address: str, title: str, body: str) -> Iterator[Section]:
    """The sections of a page. What stands before the first heading belongs to none."""
    _, *parts = _HEADING.split(_LEFT_OUT.sub(" ", body))
    for _, anchor, heading, text in zip(*[iter(parts)] * 4, strict=True):
        yield Section((address, title), anchor, _plain_text(heading), _plain_text(text))


def search_page(all_sections: Iterable[Section]) -> str:
    """The body of the page that searches: a field, and the index as JSON."""
    index = json.dumps(_index(list(all_sections)), ensure_ascii=False, separators=(",", ":"))
    index = index.replace("<", "\\u003c")  # no end tag may stand in a script
    return (
        '<h1>Search</h1><p><label>Words of the course <input type="search" id="words" '
        'autofocus></label></p><p role="status" id="count"></p><ol id="found"></ol>'
        "<noscript><p>The search needs a script. The glossary has the terms of the course, each "
        "with a link to its lesson.</p></noscript>"
        f'<script id="index" type="application/json">{index}</script>'
    )


def _index(all_sections: list[Section]) -> dict[str, object]:
    """What search.js reads.

    pages: [address, title]. sections: [number of the page, anchor, heading, beginning]. words:
    "word 1,2 word 5", where a number is how many sections further on the word stands again. common:
    words that are not in it.
    """
    where: dict[str, list[int]] = {}
    for number, section in enumerate(all_sections):
        for word in sorted(set(_WORD.findall(f"{section.heading} {section.text}".lower()))):
            where.setdefault(word, []).append(number)
    common = [
        word for word, places in where.items() if len(places) > COMMON * len(all_sections) + 1
    ]
    index = " ".join(
        f"{word} {_steps(places)}" for word, places in sorted(where.items()) if word not in common
    )
    pages = list(dict.fromkeys(one.page for one in all_sections))
    shown = [
        (pages.index(one.page), one.anchor, one.heading, _beginning(one.text))
        for one in all_sections
    ]
    return {"pages": pages, "sections": shown, "words": index, "common": common}


def _beginning(text: str) -> str:
    """The first words of a section."""
    return text if len(text) <= BEGINNING else text[:BEGINNING].rpartition(" ")[0] + " …"


def _steps(places: list[int]) -> str:
    return ",".join(str(b - a) for a, b in zip([0, *places], places, strict=False))


def _plain_text(html: str) -> str:
    return " ".join(unescape(re.sub(r"<[^>]*>", " ", html)).split())
