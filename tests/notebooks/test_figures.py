"""The drawings: as the command makes them, self-contained, with words, and readable at the width of a phone."""

import re

import pytest

from docs.drawings import DRAWINGS
from docs.drawings.backgammon import CHOICE
from docs.drawings.course_map import PLACES, with_header
from docs.drawings.parts import COLOURS, arrow, box, label, sheet
from tests.notebooks.drawn import FIGURES, MOST_BYTES, foreign, misplaced
from tests.notebooks.reading import LESSONS, NOTEBOOKS, ROOT, read
from tests.unit.test_drawing import contrast

TEXTS, FILLS = (
    ("ink", "soft"),
    ("ground", "shade", "box", "first-tint", "second-tint", "good-tint", "bad-tint"),
)


def test_the_files_are_those_that_the_command_makes() -> None:
    there = {path.stem: path.read_text(encoding="utf-8") for path in FIGURES.iterdir()}
    there = {name: drawing for name, drawing in there.items() if not name.startswith("opening-")}
    assert there == {name: draw() for name, draw in DRAWINGS.items()}, "run python -m docs.drawings"


@pytest.mark.parametrize("name", DRAWINGS)
def test_a_drawing_is_self_contained_and_readable(name: str) -> None:
    drawing = DRAWINGS[name]()
    assert not foreign(drawing) and len(drawing.encode("ascii")) < MOST_BYTES
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
    ],
)
def test_what_no_picture_needs_is_noticed(body: str) -> None:
    assert foreign(sheet(100, body, **WORDS))
    assert not foreign(sheet(100, arrow((1, 1), (50, 50)), **WORDS))


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


def test_the_afterstates_are_drawn_with_the_numbers_that_the_lesson_prints() -> None:
    [cell] = [c for c in read(LESSONS["05"]).cells if c.id == "forward"]
    printed = re.findall(r"(?m)^(\S.*?) +X wins (0\.\d\d)$", cell.outputs[0].text)
    assert [(play, f"{1 - chance:.2f}") for play, chance in CHOICE] == printed


def test_every_lesson_has_a_place_on_the_map_and_begins_with_it() -> None:
    lessons = sorted(path.stem for path in NOTEBOOKS)
    assert lessons == [place.notebook for place in PLACES]
    for place in PLACES:
        opening = read(ROOT / "notebooks" / f"{place.notebook}.ipynb").cells[0].source
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
    picture = older.split("\n\n")[1]
    alone = older.replace(
        picture, "![Map of the course. You are at lesson 02.](figures/map-02.svg)"
    )
    for header in (older, alone):
        assert with_header(header, "02") == first
    assert first.endswith("**A claim.** And more.\n\nEnd.")
    assert first.startswith('# 02 · Q-tables\n\n<img align="right"')


def test_pictures_in_the_lessons_say_in_words_what_they_show() -> None:
    shown = set()
    for path in [ROOT / "README.md", *NOTEBOOKS]:
        text = path.read_text(encoding="utf-8")
        if path.suffix == ".ipynb":
            text = "\n".join(
                cell.source for cell in read(path).cells if cell.cell_type == "markdown"
            )
        shown_here = re.findall(r"!\[([^\]]*)\]\(([^)]+)\)", text)
        shown_here += [(alt, src) for src, alt in re.findall(r'src="([^"]+)" alt="([^"]*)"', text)]
        for alt, picture in shown_here:
            assert len(alt) > 40 and (path.parent / picture).is_file(), (path.name, picture)
            shown.add((path.parent / picture).stem)
    assert {"map", "agent-environment", "cycle", "backup-control", "dqn", "backup-lambda"} <= shown
