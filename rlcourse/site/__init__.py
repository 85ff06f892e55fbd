"""The course as a folder of web pages, `rlcourse site OUT`: lessons, sheets, glossary, figures.

Every page is one file that fetches nothing and, except for the pages to play on, has no script. It
works from a web server and from a folder on disk. Solutions are not included.
"""

import os
import posixpath
import shutil
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from html import escape
from pathlib import Path
from typing import Any, NamedTuple

import nbformat

from rlcourse.boards.faces import face_of
from rlcourse.checks import get_sheet
from rlcourse.checks.adapted import YOU_ARE_HERE, adapted_sheet, adapted_text
from rlcourse.checks.course import CourseSettings, read_settings
from rlcourse.errors import BadValue
from rlcourse.games import GAME_NAMES, Game, get_game
from rlcourse.learning_page import write_learning_page
from rlcourse.page import write_page
from rlcourse.parts import part_of
from rlcourse.site.home import FIGURES, HOME, LEARNING, Lesson, figures, home, plain
from rlcourse.site.links import complaints
from rlcourse.site.markdown import Markdown
from rlcourse.site.page import MADE_BY, Links, Place, contents, frame, notebook_html
from rlcourse.site.search import SEARCH, Section, search_page, sections

ROOT = Path(__file__).resolve().parents[2]
START, NOTATION = "README.md", "notebooks/NOTATION.md"
GUIDE, GLOSSARY = "exercises/README.md", "exercises/GLOSSARY.md"
LOOKED_UP = [("Notation", NOTATION), ("Glossary", GLOSSARY), ("Students' guide", GUIDE)]
FURTHER = (*LEARNING.values(), FIGURES, SEARCH)  # pages without a source of their own
# Lesson -> who plays on its first board, by the name on the page of the game. In the others it is
# the bot with which that page begins.
OPPONENTS = {
    "00_play_first": "Perfect player",
    "01_sampling_and_clipping": "Random player",
    "02_q_tables": "Q-table",
    "02b_symmetry_and_exploration": "Perfect player",
    "03_deep_q_learning": "Deep Q-network",
    "05_td_gammon": "TD-Gammon",
    "06a_go_and_self_play": "Policy gradient (drawn moves)",
    "06b_policy_gradients": "Policy gradient (drawn moves)",
    "07_actor_critic": "Actor-critic (drawn moves)",
    "08_tree_search": "UCT (1,000 simulations)",
    "08b_go_without_learning": "UCT with RAVE (1,000 simulations)",
    "09a_alphazero": "AlphaZero (400 simulations)",
    "09b_laboratory": "AlphaZero (400 simulations)",
    "10_tournament": "AlphaZero (400 simulations)",
}


class Played(NamedTuple):
    """A page to play on. title: how the label of a board's picture begins."""

    page: str
    title: str
    game: Game


def _played() -> list[Played]:
    """A page for each game with kernels in WebAssembly, in Go for both boards with networks."""
    boards = {name: get_game(name) for name in GAME_NAMES if part_of("rlcourse.wasm", name)}
    boards["go-9x9"] = get_game("go", size=9)
    pages = []
    for name, game in boards.items():
        size = f" {game.board[0]} x {game.board[1]}" if game.name == "go" else ""
        pages.append(Played(f"{name}.html", face_of(game.name).title + size, game))
    return pages


PLAYED = _played()


class Built(NamedTuple):
    """The number of pages written, and of figures in the index."""

    pages: int
    figures: int


def build_site(out: Path, root: Path = ROOT) -> Built:
    """Write the site into `out`, which is new, empty, or an older site. root: the course's folder.

    Raises ValueError for any other folder, a broken link, or a formula or figure without a
    rendering.
    """
    if out.exists() and not (out.is_dir() and (not any(out.iterdir()) or _is_site(out))):
        raise BadValue(f"{out} holds something else; give a new folder, or one of an older site")
    settings = read_settings(root)
    lessons = _read(root, "notebooks/*.ipynb", settings)
    sheets = _read(root, "exercises/[0-9]*/*.ipynb", settings)
    if not lessons:
        raise BadValue(f"{root} has no notebooks; the site is made in the course's own folder")
    pages = {
        lesson.source: str(Path(lesson.source).with_suffix(".html").as_posix())
        for lesson in [*lessons, *sheets]
    }
    pages |= {text: text.removesuffix(".md") + ".html" for text in _plain_texts(root)}
    pages[""] = HOME
    built = _Site(root, lessons, sheets, pages, set(), settings)
    out.parent.mkdir(parents=True, exist_ok=True)
    part = Path(tempfile.mkdtemp(prefix=f".{out.name}.", dir=out.parent))
    try:
        for path, text in built.texts():
            (part / path).parent.mkdir(parents=True, exist_ok=True)
            (part / path).write_text(text, encoding="utf-8", newline="\n")
        for page, title, game in PLAYED:
            write_page(game, None, part / page, f"{title} against the bots of the course")
        for learned, name in LEARNING.items():
            write_learning_page(get_game(learned), part / name)
        for asset in built.assets:
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
    shown = sum(1 for lesson in lessons for _ in lesson.signatures())
    return Built(len(pages) + len(PLAYED) + len(FURTHER), shown)


def _is_site(folder: Path) -> bool:
    index = folder / "index.html"
    return index.is_file() and MADE_BY in index.read_text(encoding="utf-8", errors="replace")


def _plain_texts(root: Path) -> list[str]:
    """The pages that are not notebooks, as paths from the course's folder."""
    docs = [path.relative_to(root).as_posix() for path in sorted(root.glob("docs/*.md"))]
    return [START, GUIDE, GLOSSARY, NOTATION, *docs]


def _read(root: Path, pattern: str, settings: CourseSettings | None) -> list[Lesson]:
    """The notebooks of a pattern, by name; where a teacher has settings, as and where these say."""
    places = [path.relative_to(root).as_posix() for path in sorted(root.glob(pattern))]
    if settings is None:
        return [Lesson(place, nbformat.read(root / place, as_version=4)) for place in places]
    lessons = []
    for place in filter(settings.has, places):
        text = adapted_text((root / place).read_text(encoding="utf-8"), place, settings)
        lesson = Lesson(place, nbformat.reads(text, as_version=4))
        if place.startswith("exercises"):
            adapted_sheet(lesson.notebook, get_sheet(lesson.number))
        lessons.append(lesson)
    order = settings.lessons if pattern.startswith("notebooks") else settings.sheets
    return sorted(lessons, key=lambda lesson: order.index(lesson.number))


@dataclass(frozen=True)
class _Site:
    """What its pages are made of.

    pages: source -> path of its page. assets: collects the files that are linked but are no pages.
    """

    root: Path
    lessons: list[Lesson]
    sheets: list[Lesson]
    pages: dict[str, str]
    assets: set[str]
    settings: CourseSettings | None = None

    def texts(self) -> Iterator[tuple[str, str]]:
        """(path, whole page) of every page."""
        searched: list[Section] = []
        for path, title, body, own, around in self._bodies():
            searched += sections(path, title, body)
            yield path, frame(title, body, self._place(path, around), own)
        body = search_page(searched)
        yield SEARCH, frame("Search", body, self._place(SEARCH), script="search.js")

    def _bodies(self) -> Iterator[tuple[str, str, str, str, Links]]:
        """(path, title, body, own contents, links to what lies around) of all that is searched."""
        for group, others in ((self.lessons, self.sheets), (self.sheets, self.lessons)):
            for k, lesson in enumerate(group):
                page = self.pages[lesson.source]
                markdown = self._markdown(lesson.source)
                games = {one.title: _relative(one.page, page) for one in PLAYED}
                cells = _for_readers(lesson.notebook.cells)
                body = notebook_html(
                    cells, markdown, games, OPPONENTS.get(Path(lesson.source).stem, "")
                )
                head, _, rest = body.partition("</h1>")
                own = contents(markdown)
                folded = f"<details class=contents><summary>On this page</summary>{own}</details>"
                body = f"{head}</h1>{folded if own else ''}{rest}"
                around = self._around(lesson, group[k - 1 : k], group[k + 1 : k + 2], others)
                yield page, lesson.title, body, own, around
        for source in _plain_texts(self.root):
            markdown = self._markdown(source)
            body = markdown.html(self._read(source))
            yield self.pages[source], plain(markdown.headings[0][2]), body, "", ()
        readme = self._read(START)
        body = home(self._markdown(""), readme, self.lessons, [one[:2] for one in PLAYED])
        yield HOME, "Reinforcement learning from games", body, "", ()
        yield FIGURES, "Figures", figures(self._markdown(""), self.lessons), "", ()

    def _read(self, source: str) -> str:
        """A page that is no notebook, as a teacher's settings have it."""
        text = (self.root / source).read_text(encoding="utf-8")
        return adapted_text(text, source, self.settings) if self.settings else text

    def _markdown(self, source: str) -> Markdown:
        return Markdown(source, self.pages, self.assets, self.root)

    def _around(
        self, lesson: Lesson, before: list[Lesson], after: list[Lesson], others: list[Lesson]
    ) -> Links:
        """Links to the page before, to the sheet or lesson of the same number, and to the next."""
        page = self.pages[lesson.source]
        kind = "Sheet" if others is self.sheets else "Lesson"
        partner = [
            (f"{kind} {other.number}", other)
            for other in others
            if other.number[:2] == lesson.number[:2]
        ]
        linked = [("\N{LEFTWARDS ARROW} " + one.title, one) for one in before] + partner
        linked += [(one.title + " \N{RIGHTWARDS ARROW}", one) for one in after]
        return [(escape(text), _relative(self.pages[other.source], page)) for text, other in linked]

    def _place(self, path: str, around: Links = ()) -> Place:
        """The frame's links, as addresses from a page. The first page has no column."""
        groups = {
            "Lessons": [(one.title, one.source) for one in self.lessons],
            "Sheets": [(one.title, one.source) for one in self.sheets],
            "To look things up": [("About the course", START), *LOOKED_UP],
        }
        side = [
            (name, [(escape(text), _relative(self.pages[source], path)) for text, source in links])
            for name, links in groups.items()
        ]
        return Place(
            home=_relative(HOME, path),
            search=_relative(SEARCH, path),
            top=[
                ("Figures", _relative(FIGURES, path)),
                *((text, _relative(self.pages[source], path)) for text, source in LOOKED_UP),
            ],
            side=() if path == HOME else side,
            here=posixpath.basename(path),
            around=around,
        )


def _relative(path: str, page: str) -> str:
    """The address of a page of the site from another one."""
    return posixpath.relpath(path, posixpath.dirname(page) or ".")


def _for_readers(cells: list[Any]) -> list[Any]:
    """The cells without the line of links below the title, which the column has here."""
    first, *rest = cells
    paragraphs = first.source.split("\n\n")
    source = "\n\n".join(text for text in paragraphs if YOU_ARE_HERE not in text)
    return [nbformat.from_dict({**first, "source": source}), *rest]
