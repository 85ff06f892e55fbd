"""What a drawing must be: self-contained, with words, and with labels that can be read on a phone."""

import re
import xml.etree.ElementTree as ET
from functools import cache
from itertools import combinations
from typing import NamedTuple

import matplotlib
from fontTools.ttLib import TTFont

from docs.drawings.parts import WIDTH
from tests.notebooks.reading import ROOT

FIGURES = ROOT / "notebooks" / "figures"
SVG = "{http://www.w3.org/2000/svg}"
NARROW, SMALLEST = 360, 11  # pixels: a drawing on a phone, and a label that can be read
MOST_BYTES = 30_000
FETCHED = re.compile(r"(?:\b(?:xlink:)?href|src)\s*=|url\(|@import|<!|\bon\w+\s*=")
ALLOWED = {"svg", "title", "desc", "style", "g", "text", "rect", "circle", "path", "polygon"}


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
    return errors
