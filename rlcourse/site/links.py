"""Errors in a folder of pages: broken links and anchors, and anything a browser would fetch."""

import re
from collections import Counter
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

_FETCHED = {
    "img": "src",
    "script": "src",
    "source": "src",
    "object": "data",
    "link": "href",
    "image": "href",
}
_LINKS = {"a": "href", "iframe": "src", "form": "action"}  # to pages of the site


class Seen(HTMLParser):
    """The anchors of a page, the targets of its links, and the files it fetches."""

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
        """Called for every opening tag."""
        values = dict(attrs)
        if anchor := values.get("id"):
            self.ids[anchor] += 1
        if (link := _LINKS.get(tag)) in values:
            self.links.append(values[link] or "")
        source = values.get(_FETCHED.get(tag, ""))
        if source and not source.startswith(("data:", "#")):
            self.fetched.append(source)


def complaints(folder: Path) -> list[str]:
    """A sentence for each broken link, duplicate anchor and fetched file in the pages of `folder`.

    Links to the web are not checked.
    """
    folder = folder.resolve()
    pages = {
        path: Seen(path.read_text(encoding="utf-8")) for path in sorted(folder.rglob("*.html"))
    }
    errors = []
    for path, page in pages.items():
        name = path.relative_to(folder).as_posix()
        errors += [f"{name} fetches {source}" for source in page.fetched]
        for anchor, count in page.ids.items():
            if count > 1:
                errors.append(f"{name} has {count} places called {anchor}")
        for link in page.links:
            url = urlsplit(link)
            if url.scheme:
                continue
            target = (path.parent / unquote(url.path)).resolve() if url.path else path.resolve()
            anchors = pages[target].ids if target in pages else Counter()
            if not target.is_file() or folder not in target.parents:
                errors.append(f"{name} links to {link}, which is not there")
            elif url.fragment and unquote(url.fragment) not in anchors:
                errors.append(f"{name} links to {link}, which has no such place")
    return errors
