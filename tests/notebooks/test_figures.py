"""The drawings: as the command makes them, self-contained, with words, and readable at the width of a phone."""

import re
import xml.etree.ElementTree as ET
from functools import cache
from itertools import combinations
from typing import NamedTuple

import matplotlib
import pytest
from fontTools.ttLib import TTFont

from docs.drawings import DRAWINGS
from docs.drawings.__main__ import FIGURES, NOTEBOOKS
from docs.drawings.course_map import PLACES, with_header
from docs.drawings.parts import COLOURS, WIDTH, arrow, box, label, sheet
from tests.notebooks.reading import ROOT, read

SVG = "{http://www.w3.org/2000/svg}"
NARROW, SMALLEST = 360, 11  # pixels: a drawing on a phone, and a label that can be read
MOST_BYTES = 30_000
FETCHED = re.compile(r"(?:\b(?:xlink:)?href|src)\s*=|url\(|@import|<!|\bon\w+\s*=")
ALLOWED = {"svg", "title", "desc", "style", "text", "rect", "circle", "path", "polygon"}
TEXTS, FILLS = (
    ("ink", "soft"),
    ("ground", "shade", "box", "first-tint", "second-tint", "good-tint", "bad-tint"),
)


class Area(NamedTuple):
    """A rectangle, in the drawing's units."""

    left: float
    top: float
    right: float
    bottom: float

    def meets(self, other: "Area") -> bool:
        """Whether they share more than a hair."""
        across = min(self.right, other.right) - max(self.left, other.left)
        return across > 0 and min(self.bottom, other.bottom) - max(self.top, other.top) > 2

    def within(self, other: "Area") -> bool:
        """Whether this one lies in the other; a label may touch the upper and lower side."""
        across = other.left + 1 <= self.left and self.right <= other.right - 1
        return across and other.top - 3 <= self.top and self.bottom <= other.bottom + 3


@cache
def widths(weight: str) -> dict[int, float]:
    """Character -> width in font sizes, in DejaVu Sans: the widest font that a drawing names."""
    name = "DejaVuSans-Bold.ttf" if weight else "DejaVuSans.ttf"
    font = TTFont(f"{matplotlib.get_data_path()}/fonts/ttf/{name}")
    return {code: font["hmtx"][glyph][0] / 2048 for code, glyph in font.getBestCmap().items()}


def label_area(text: ET.Element) -> Area:
    """Where a label stands, from the tops of its capitals to the ends of its tails."""
    x, y, size = (float(text.get(name)) for name in ("x", "y", "font-size"))
    width = size * sum(widths(text.get("font-weight", ""))[ord(sign)] for sign in text.text)
    left = x - {"start": 0, "middle": width / 2, "end": width}[text.get("text-anchor")]
    return Area(left, y - 0.78 * size, left + width, y + 0.22 * size)


def shape_area(shape: ET.Element) -> Area:
    """The rectangle around a box or a node."""
    if shape.tag == f"{SVG}circle":
        x, y, r = (float(shape.get(name)) for name in ("cx", "cy", "r"))
        return Area(x - r, y - r, x + r, y + r)
    x, y, width, height = (float(shape.get(name, 0)) for name in ("x", "y", "width", "height"))
    return Area(x, y, x + width, y + height)


def misplaced(drawing: str) -> list[str]:
    """Labels that leave the sheet, cross the side of a box or node, lie on each other, or are too small."""
    root = ET.fromstring(drawing)
    whole = Area(2, 0, WIDTH - 2, float(root.get("height")))
    texts = [(text.text, label_area(text)) for text in root.iter(f"{SVG}text")]
    shapes = [shape_area(shape) for kind in ("rect", "circle") for shape in root.iter(SVG + kind)]
    errors = [f"{words!r} leaves the sheet" for words, area in texts if not area.within(whole)]
    errors += [
        f"{words!r} crosses a shape"
        for words, area in texts
        if any(area.meets(shape) and not area.within(shape) for shape in shapes)
    ]
    errors += [
        f"{one!r} lies on {other!r}"
        for (one, area), (other, second) in combinations(texts, 2)
        if area.meets(second)
    ]
    sizes = {float(text.get("font-size")) for text in root.iter(f"{SVG}text")}
    return errors + [f"labels of {size:g}" for size in sizes if size * NARROW / WIDTH < SMALLEST]


def foreign(drawing: str) -> list[str]:
    """What a picture must not hold: scripts, other files, unknown elements; or what it lacks: words, a dark mode."""
    root = ET.fromstring(drawing)
    inside = drawing.removeprefix("<svg").replace("http://www.w3.org/2000/svg", "", 1)
    errors = [f"<{e.tag}>" for e in root.iter() if e.tag.removeprefix(SVG) not in ALLOWED]
    errors += FETCHED.findall(inside) + re.findall(r"https?:", inside)
    errors += [
        f"no {part}" for part in ("title", "desc") if not (root.findtext(SVG + part) or "").strip()
    ]
    errors += [] if "@media (prefers-color-scheme:dark)" in drawing else ["no dark mode"]
    return errors + (["too large"] if len(drawing.encode()) > MOST_BYTES else [])


def test_the_files_are_those_that_the_command_makes() -> None:
    there = {path.stem: path.read_text(encoding="utf-8") for path in FIGURES.iterdir()}
    assert there == {name: draw() for name, draw in DRAWINGS.items()}, "run python -m docs.drawings"


@pytest.mark.parametrize("name", DRAWINGS)
def test_a_drawing_is_self_contained_and_readable(name: str) -> None:
    drawing = DRAWINGS[name]()
    assert not foreign(drawing)
    assert not misplaced(drawing)


WORDS = {"title": "T", "description": "D"}


@pytest.mark.parametrize(
    ("body", "error"),
    [
        (label(500, 50, "too far right"), "leaves the sheet"),
        (box(100, 50, 40, 30, "much too long"), "crosses a shape"),
        (label(100, 50, "one") + label(110, 56, "two"), "lies on"),
        (label(100, 50, "small", size=12), "labels of 12"),
    ],
)
def test_labels_that_cannot_be_read_are_noticed(body: str, error: str) -> None:
    assert any(error in one for one in misplaced(sheet(100, body, **WORDS)))


@pytest.mark.parametrize(
    "body",
    [
        "<script/>",
        '<image x="1"/>',
        '<path href="other.svg"/>',
        '<rect onclick="go()"/>',
        "<style>@import 'x.css'</style>",
        '<rect fill="url(#g)"/>',
        "<text>" + "x" * 30_000 + "</text>",
    ],
)
def test_what_no_picture_needs_is_noticed(body: str) -> None:
    assert foreign(sheet(100, body, **WORDS))
    assert not foreign(sheet(100, arrow((1, 1), (50, 50)), **WORDS))


def luminance(colour: str) -> float:
    """Relative luminance, WCAG 2.2."""
    parts = [int(colour[k : k + 2], 16) / 255 for k in (1, 3, 5)]
    red, green, blue = (p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    """Contrast of two colours, from 1 to 21."""
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("mode", [0, 1], ids=["light", "dark"])
def test_labels_and_lines_stand_out_from_what_lies_under_them(mode: int) -> None:
    colour = {name: pair[mode] for name, pair in COLOURS.items()}
    pairs = [("on", "first"), *((text, fill) for text in TEXTS for fill in FILLS)]
    assert {
        pair: contrast(*map(colour.get, pair))
        for pair in pairs
        if contrast(*map(colour.get, pair)) < 4.5
    } == {}
    lines = [(line, "ground") for line in ("first", "second", "ink", "soft")]
    assert {pair for pair in lines if contrast(*map(colour.get, pair)) < 3} == set()


def test_every_lesson_has_a_place_on_the_map_and_begins_with_it() -> None:
    lessons = sorted(path.stem for path in NOTEBOOKS.glob("*.ipynb"))
    assert lessons == [place.notebook for place in PLACES]
    for place in PLACES:
        opening = read(NOTEBOOKS / f"{place.notebook}.ipynb").cells[0].source
        assert opening == with_header(opening, place.number), "run python -m docs.drawings"
        linked = re.findall(r"\]\((\w+)\.ipynb\)", opening)
        assert (
            sorted([*linked, place.notebook]) == lessons
            and f"figures/map-{place.number}.svg" in opening
        )


def test_the_header_of_an_older_course_is_replaced() -> None:
    opening = "# 02 · Q-tables\n\n**A claim.** And more.\n\nEnd."
    first = with_header(opening, "02")
    older = first.replace("figures/map-02.svg", "figures/elsewhere.svg").replace(
        "Sampling", "Chance"
    )
    assert with_header(older, "02") == first and first.endswith("**A claim.** And more.\n\nEnd.")
    assert first.startswith("# 02 · Q-tables\n\n![Map of the course. You are at lesson 02")


def test_pictures_in_the_lessons_say_in_words_what_they_show() -> None:
    shown = set()
    for path in [ROOT / "README.md", *sorted(NOTEBOOKS.glob("*.ipynb"))]:
        text = path.read_text(encoding="utf-8")
        if path.suffix == ".ipynb":
            text = "\n".join(
                cell.source for cell in read(path).cells if cell.cell_type == "markdown"
            )
        for alt, picture in re.findall(r"!\[([^\]]*)\]\(([^)]+)\)", text):
            assert len(alt) > 40 and (path.parent / picture).is_file(), (path.name, picture)
            shown.add((path.parent / picture).stem)
    assert {"map", "agent-environment", "cycle", "backup-control", "dqn", "backup-lambda"} <= shown
