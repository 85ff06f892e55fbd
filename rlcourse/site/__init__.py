"""The course as a folder of web pages, `rlcourse site OUT`: lessons, sheets, glossary, figures.

Every page is one file that fetches nothing and, except for the pages to play on, has no script. It
works from a web server and from a folder on disk. Solutions are not included.
"""

import os
import posixpath
import re
import shutil
import tempfile
from collections.abc import Iterator
from html import escape
from pathlib import Path
from typing import Any, NamedTuple

import nbformat

from rlcourse.errors import BadValue
from rlcourse.games import GAME_NAMES, get_game
from rlcourse.learning_page import write_learning_page
from rlcourse.page import write_page
from rlcourse.parts import part_of
from rlcourse.site.links import complaints
from rlcourse.site.markdown import Markdown
from rlcourse.site.page import MADE_BY, contents, frame, notebook_html, picture

ROOT = Path(__file__).resolve().parents[2]
START, NOTATION = "README.md", "notebooks/NOTATION.md"
GUIDE, GLOSSARY = "exercises/README.md", "exercises/GLOSSARY.md"
# The tag of the cell that shows a lesson's figure; the next cell asserts its claim.
SIGNATURE = "signature"
PLAYED = [name for name in GAME_NAMES if part_of("rlcourse.wasm", name)]  # with a page to play on
LEARNING = "learning.html"  # the page in which a table learns


class Built(NamedTuple):
    """The number of pages written, and of figures in the index."""

    pages: int
    figures: int


class Lesson(NamedTuple):
    """A notebook with its own page. source: its path from the course's folder."""

    source: str
    notebook: Any

    @property
    def title(self) -> str:
        """Its first heading, as Markdown."""
        heading = re.search(r"^# (.+)$", self.notebook.cells[0].source, re.MULTILINE)
        assert heading is not None, f"{self.source} does not begin with a heading"
        return heading[1]

    @property
    def number(self) -> str:
        """The number, such as "03" or "01b"; a sheet has the number of its lesson."""
        return Path(self.source).name.partition("_")[0]


def build_site(out: Path, root: Path = ROOT) -> Built:
    """Write the site into `out`, which is new, empty, or an older site. root: the course's folder.

    Raises ValueError for any other folder, a broken link, or a formula or figure without a
    rendering.
    """
    if out.exists() and not (out.is_dir() and (not any(out.iterdir()) or _is_site(out))):
        raise BadValue(f"{out} holds something else; give a new folder, or one of an older site")
    lessons, sheets = _read(root, "notebooks/*.ipynb"), _read(root, "exercises/[0-9]*/*.ipynb")
    if not lessons:
        raise BadValue(f"{root} has no notebooks; the site is made in the course's own folder")
    pages = {
        lesson.source: str(Path(lesson.source).with_suffix(".html").as_posix())
        for lesson in [*lessons, *sheets]
    }
    pages |= {text: text.removesuffix(".md") + ".html" for text in _plain_texts(root)}
    pages[""] = "index.html"
    out.parent.mkdir(parents=True, exist_ok=True)
    part = Path(tempfile.mkdtemp(prefix=f".{out.name}.", dir=out.parent))
    try:
        assets: set[str] = set()
        for source, text in _texts(root, lessons, sheets, pages, assets):
            page = part / pages[source]
            page.parent.mkdir(parents=True, exist_ok=True)
            page.write_text(text, encoding="utf-8", newline="\n")
        for game in PLAYED:
            write_page(get_game(game), None, part / f"{game}.html")
        write_learning_page(get_game("tic-tac-toe"), part / LEARNING)
        for asset in assets:
            if (root / asset).is_file():
                (part / asset).parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(root / asset, part / asset)
        if wrong := complaints(part):
            raise BadValue("the site has broken links:\n  " + "\n  ".join(wrong))
        part.chmod(0o755)
        if out.exists():
            shutil.rmtree(out)
        os.replace(part, out)
    finally:
        shutil.rmtree(part, ignore_errors=True)
    return Built(
        len(pages) + len(PLAYED) + 1, sum(1 for lesson in lessons for _ in _signatures(lesson))
    )


def _is_site(folder: Path) -> bool:
    index = folder / "index.html"
    return index.is_file() and MADE_BY in index.read_text(encoding="utf-8", errors="replace")


def _plain_texts(root: Path) -> list[str]:
    """The pages that are not notebooks, as paths from the course's folder."""
    docs = [path.relative_to(root).as_posix() for path in sorted(root.glob("docs/*.md"))]
    return [START, GUIDE, GLOSSARY, NOTATION, *docs]


def _read(root: Path, pattern: str) -> list[Lesson]:
    paths = sorted(root.glob(pattern))
    return [
        Lesson(path.relative_to(root).as_posix(), nbformat.read(path, as_version=4))
        for path in paths
    ]


def _texts(
    root: Path, lessons: list[Lesson], sheets: list[Lesson], pages: dict[str, str], assets: set[str]
) -> Iterator[tuple[str, str]]:
    """(source, whole page) of every page; the index has no source."""
    for group in (lessons, sheets):
        for k, lesson in enumerate(group):
            markdown = Markdown(lesson.source, pages, assets, root)
            beside = [
                other for other in (group[k - 1 : k] + group[k + 1 : k + 2]) if other is not lesson
            ]
            partner = [
                other
                for other in (sheets if group is lessons else lessons)
                if other.number[:2] == lesson.number[:2]
            ]
            links = [*((other.title, other.source) for other in beside)]
            links += [
                (f"{'Sheet' if group is lessons else 'Lesson'} {other.number}", other.source)
                for other in partner
            ]
            body = notebook_html(lesson.notebook, markdown)
            head, _, rest = body.partition("</h1>")
            links = [("All lessons", ""), *links, ("Notation", NOTATION), ("Glossary", GLOSSARY)]
            yield (
                lesson.source,
                frame(
                    _plain(lesson.title),
                    f"{head}</h1>{contents(markdown)}{rest}",
                    links=_to(markdown, links),
                ),
            )
    for source in _plain_texts(root):
        markdown = Markdown(source, pages, assets, root)
        body = markdown.html((root / source).read_text(encoding="utf-8"))
        others = [("All lessons", ""), ("Notation", NOTATION), ("Glossary", GLOSSARY)]
        links = _to(markdown, [link for link in others if link[1] != source])
        yield source, frame(_plain(markdown.headings[0][2]), body, links=links)
    markdown = Markdown("", pages, assets, root)
    links = [("About the course", START), ("Students' guide", GUIDE)]
    links = _to(markdown, [*links, ("Notation", NOTATION), ("Glossary", GLOSSARY)])
    readme = (root / START).read_text(encoding="utf-8")
    yield (
        "",
        frame(
            "Reinforcement learning from games",
            _index(markdown, readme, lessons, sheets),
            links=links,
            wide=True,
        ),
    )


def _to(markdown: Markdown, links: list[tuple[str, str]]) -> list[tuple[str, str]]:
    """(text, source) -> (text as HTML, address from this page)."""
    here = posixpath.dirname(markdown.pages[markdown.source]) or "."
    return [
        (escape(_plain(text)), posixpath.relpath(markdown.pages[source], here))
        for text, source in links
    ]


def _plain(text: str) -> str:
    return re.sub(r"<[^>]*>|[*`]", "", text)


def _signatures(lesson: Lesson) -> Iterator[tuple[Any, str, str]]:
    """(output with the picture, what the cell beside it printed, anchor) of every signature
    figure."""
    cells = lesson.notebook.cells
    for k, cell in enumerate(cells):
        if SIGNATURE in cell.metadata.get("tags", []):
            shown = next(output for output in cell.outputs if "image/png" in output.get("data", {}))
            printed = "".join(output.get("text", "") for output in cells[k + 1].get("outputs", []))
            yield shown, printed.strip(), f"cell-{cell.id}"


def _index(markdown: Markdown, readme: str, lessons: list[Lesson], sheets: list[Lesson]) -> str:
    """The body of the first page: what the course is, a bot to play, one figure a lesson with its
    claim, the sheets."""
    opening = readme.split("\n\n")[1]
    maps = re.findall(r"^!\[Map of the course.*", readme, re.MULTILINE)
    places = [f"[{_plain(one.title).replace(' · ', ' ')}]({one.source})" for one in lessons]
    parts = [
        markdown.html(f"# Reinforcement learning from games\n\n{opening}"),
        '<p class="call">Play the trained bots at <a href="tic-tac-toe.html">tic-tac-toe</a>, '
        '<a href="connect-four.html">Connect Four</a>, <a href="backgammon.html">backgammon</a> or '
        '<a href="go.html">Go</a>, here in the '
        'browser, or <a href="learning.html">watch a table learn</a> tic-tac-toe until nobody can '
        "beat it. With the course installed, <code>rlcourse play</code> opens a page with every "
        "game and bot.</p>",
        markdown.html("\n\n".join([*maps, " · ".join(places)])),
        '<h2 id="figures">What is shown, one figure a lesson</h2>',
    ]
    for lesson in lessons:
        address = markdown.address(lesson.source)
        claim = re.search(r"\*\*(.+?)\*\*", lesson.notebook.cells[0].source, re.DOTALL)
        stated = markdown.html(claim[1]) if claim else ""
        head = f'<h3><a href="{address}">{escape(_plain(lesson.title))}</a></h3>'
        figures = "".join(
            f'<figure><a href="{address}#{anchor}">{picture(shown)}</a><figcaption>Asserted beside '
            "the figure:"
            f"<pre tabindex=0>{escape(printed)}</pre></figcaption></figure>"
            for shown, printed, anchor in _signatures(lesson)
        )
        parts.append(f"<article>{head}{stated}{figures}</article>")
    rows = "".join(
        f'<li><a href="{markdown.address(sheet.source)}">{escape(_plain(sheet.title))}</a></li>'
        for sheet in sheets
    )
    parts.append(f'<h2 id="sheets">Exercise sheets</h2><ul>{rows}</ul>')
    return "\n".join(parts)
