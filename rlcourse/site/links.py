"""What is wrong with a folder of pages: links and anchors that lead nowhere, and what a browser would fetch."""

import re
from collections import Counter
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

_FETCHED = {
    "img": "src",
    "script": "src",
    "iframe": "src",
    "source": "src",
    "object": "data",
    "link": "href",
    "image": "href",
}


class Seen(HTMLParser):
    """The anchors of a page, where its links lead, and what it fetches."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.ids: Counter[str] = Counter()
        self.links: list[str] = []
        self.fetched: list[str] = []
        self.feed(text)
        self.fetched += re.findall(
            r"(?:url\(['\"]?|@import\s+['\"])((?!data:|#|['\"])[^)'\"]+)", text
        )

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Called for every tag that opens."""
        found = dict(attrs)
        if found.get("id"):
            self.ids[found["id"] or ""] += 1
        if tag == "a" and found.get("href") is not None:
            self.links.append(found["href"] or "")
        if found.get(_FETCHED.get(tag, "")) and not (found[_FETCHED[tag]] or "").startswith(
            ("data:", "#")
        ):
            self.fetched.append(found[_FETCHED[tag]] or "")


def complaints(folder: Path) -> list[str]:
    """A sentence for each broken link, doubled anchor and fetched thing in the pages below `folder`; the web is not asked."""
    folder = folder.resolve()
    pages = {
        path: Seen(path.read_text(encoding="utf-8")) for path in sorted(folder.rglob("*.html"))
    }
    found = []
    for path, page in pages.items():
        name = path.relative_to(folder).as_posix()
        found += [f"{name} fetches {what}" for what in page.fetched]
        found += [
            f"{name} has {count} places called {anchor}"
            for anchor, count in page.ids.items()
            if count > 1
        ]
        for link in page.links:
            parts = urlsplit(link)
            if parts.scheme:
                continue
            target = (path.parent / unquote(parts.path)).resolve() if parts.path else path.resolve()
            if not target.is_file() or folder not in target.parents:
                found.append(f"{name} links to {link}, which is not there")
            elif parts.fragment and unquote(parts.fragment) not in (
                pages[target].ids if target in pages else ()
            ):
                found.append(f"{name} links to {link}, which has no such place")
    return found
