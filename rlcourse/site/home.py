"""The first page of the site, and the page with one figure a lesson."""

import posixpath
import re
from collections.abc import Iterator, Sequence
from html import escape
from typing import Any, NamedTuple

from rlcourse.learning_page import PAGES
from rlcourse.site.markdown import Markdown
from rlcourse.site.page import picture, play_here

SIGNATURE = "signature"  # the tag of the cell that shows a lesson's figure; the next one asserts it
HOME, FIGURES = "index.html", "figures.html"
# Game -> the page on which somebody learns it.
LEARNING = {game: learned.file for game, learned in PAGES.items()}


class Lesson(NamedTuple):
    """A notebook with its own page. source: its path from the course's folder."""

    source: str
    notebook: Any

    @property
    def title(self) -> str:
        """Its first heading, such as "02 · Q-tables", as plain text."""
        heading = re.search(r"^# (.+)$", self.notebook.cells[0].source, re.MULTILINE)
        assert heading is not None, f"{self.source} does not begin with a heading"
        return plain(heading[1])

    @property
    def number(self) -> str:
        """The number, such as "03" or "01b"; a sheet has the number of its lesson."""
        name = self.source.rpartition("/")[2]
        return name.partition("_")[0]

    @property
    def claim(self) -> str:
        """What it shows, in one or two sentences of Markdown; "" for a sheet."""
        claim = re.search(r"\*\*(.+?)\*\*", self.notebook.cells[0].source, re.DOTALL)
        return claim[1] if claim else ""

    @property
    def picture(self) -> str:
        """Its first drawing, as a Markdown image from the course's folder; "" without one."""
        text = "\n".join(cell.source for cell in self.notebook.cells)
        drawing = re.search(r"^!\[(.*?)\]\((\S+\.svg)\)", text, re.MULTILINE)
        folder = posixpath.dirname(self.source)
        return f"![{drawing[1]}]({folder}/{drawing[2]})" if drawing else ""

    def goal(self, name: str) -> str:
        """A row of the table that opens a lesson, such as "Time", as Markdown; "" without it."""
        text = "\n".join(cell.source for cell in self.notebook.cells)
        row = re.search(rf"^\| \*\*{name}\*\* \| (.*) \|$", text, re.MULTILINE)
        return row[1] if row else ""

    def signatures(self) -> Iterator[tuple[Any, str, str]]:
        """(output with the picture, what the cell beside it printed, anchor) of each figure."""
        cells = self.notebook.cells
        for k, cell in enumerate(cells):
            if SIGNATURE in cell.metadata.get("tags", []):
                shown = next(each for each in cell.outputs if "image/png" in each.get("data", {}))
                texts = [output.get("text", "") for output in cells[k + 1].get("outputs", [])]
                yield shown, "".join(texts).strip(), f"cell-{cell.id}"


def plain(text: str) -> str:
    """Markdown of a heading without its marks."""
    return re.sub(r"<[^>]*>|[*`]", "", text)


def home(
    markdown: Markdown, readme: str, lessons: Sequence[Lesson], games: Sequence[tuple[str, str]]
) -> str:
    """What the course is, a board to play on, the map, and a card for each lesson.

    games: (page, title) of those with a page to play on; the first of them is played here.
    """
    opening = readme.split("\n\n")[1]
    maps = re.findall(r"^!\[Map of the course.*", readme, re.MULTILINE)
    first = markdown.address(lessons[0].source)
    others = ", ".join(f'<a href="{page}">{escape(title)}</a>' for page, title in games)
    text = (
        markdown.html(f"# Reinforcement learning from games\n\n{opening}")
        + f'<p><a class="button" href="{first}">Begin with lesson {lessons[0].number}</a></p>'
        f"<p>Play the bots here in the browser: {others}. Or "
        f'<a href="{LEARNING["tic-tac-toe"]}">watch a table learn</a> tic-tac-toe until nobody can '
        f'beat it, or <a href="{LEARNING["backgammon"]}">TD-Gammon learn</a> backgammon.</p>'
        + markdown.html("".join(maps))
    )
    cards = "".join(_card(markdown, lesson) for lesson in lessons)
    return (
        f'<div class="hero"><div>{text}</div>{play_here(*games[0])}</div>'
        f'<h2 id="lessons">The lessons</h2><div class="cards">{cards}</div>'
    )


def _card(markdown: Markdown, lesson: Lesson) -> str:
    """Picture, title, claim, minutes and what one needs; the title alone is a link."""
    minutes = re.match(r"\d+ minutes", lesson.goal("Time"))
    facts = {"Time": minutes[0] if minutes else "", "You need": lesson.goal("You need")}
    rows = "".join(
        f"<dt>{name}</dt><dd>{markdown.html(_unlinked(text))}</dd>"
        for name, text in facts.items()
        if text
    )
    address = markdown.address(lesson.source)
    return (
        f"<article>{markdown.html(lesson.picture)}"
        f'<h3><a href="{address}">{escape(lesson.title)}</a></h3>'
        f"{markdown.html(_unlinked(lesson.claim))}<dl>{rows}</dl></article>"
    )


def _unlinked(text: str) -> str:
    """Markdown whose links are words: they would lead on from the lesson's own folder."""
    return re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", text)


def figures(markdown: Markdown, lessons: Sequence[Lesson]) -> str:
    """One figure a lesson, with its claim and what the cell beside it asserts."""
    parts = [markdown.html("# What is shown, one figure a lesson")]
    for lesson in lessons:
        address = markdown.address(lesson.source)
        shown = "".join(
            f'<figure><a href="{address}#{anchor}">{picture(output)}</a>'
            "<figcaption>Asserted beside the figure:"
            f"<pre tabindex=0>{escape(printed)}</pre></figcaption></figure>"
            for output, printed, anchor in lesson.signatures()
        )
        claim = markdown.html(_unlinked(lesson.claim))
        head = f'<h2><a href="{address}">{escape(lesson.title)}</a></h2>'
        parts.append(f"<article>{head}{claim}{shown}</article>")
    return "\n".join(parts)
