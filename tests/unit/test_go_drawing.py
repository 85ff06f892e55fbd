"""Pictures of Go: complete, spoken, the same for the same position; a live board has
a target for every action.
"""

import re
from xml.etree import ElementTree

import numpy as np
import pytest

from rlcourse.drawing.go import _KAYA, STONES, draw
from rlcourse.drawing.svg import BLUE, COORDINATES, INK, TILE, Marks
from rlcourse.games import from_recipe, get_game
from tests.unit.game_laws import played, random_actions
from tests.unit.test_drawing import contrast

SVG = "{http://www.w3.org/2000/svg}"
KO = from_recipe("go size=5 komi=7.5:C4 D4 B3 E3 C2 D2 A1 C3 D3")


def elements(svg, name):
    """All elements of that kind."""
    return list(ElementTree.fromstring(svg).iter(SVG + name))


def stones(svg):
    """(x, y) of the black and of the white stones: the filled circles with an outline."""
    found = [
        e for e in elements(svg, "circle") if e.get("stroke") == INK and e.get("fill") in STONES
    ]
    return [
        {(float(e.get("cx")), float(e.get("cy"))) for e in found if e.get("fill") == colour}
        for colour in STONES
    ]


@pytest.mark.parametrize("size", [2, 5, 9, 19])
def test_every_stone_is_drawn_and_named(size):
    game = get_game("go", size=size, komi=7.5)
    for seed in range(60 if size < 9 else 12):
        state = played(game, random_actions(game, seed, seed * size))
        svg = draw(state)
        spoken = ElementTree.fromstring(svg).find(f"{SVG}desc").text
        for colour, word in ((1, "Black"), (2, "White")):
            named = re.search(rf"{word}: (.*?)\.", spoken).group(1)
            count = int((state.board == colour).sum())
            assert len(named.split(", ")) == count if count else named == "no stone"
            assert len(stones(svg)[colour - 1]) == count


def test_every_stone_stands_on_its_point():
    game = get_game("go", size=9)
    places = []
    for action in (0, 8, 72, 80):  # A9, J9, A1, J1
        places += stones(draw(game.new_game().apply_move(game.move(game.new_game(), action))))[0]
    (left, top), (right, _), (_, bottom), last = places
    assert left < right and top < bottom
    assert places == [(left, top), (right, top), (left, bottom), (right, bottom)] and last == (
        right,
        bottom,
    )
    words = {
        e.text: (float(e.get("x")), float(e.get("y")))
        for e in elements(draw(game.new_game()), "text")
    }
    assert words["A"][0] == left and words["J"][0] == right and "I" not in words
    assert words["9"][1] == pytest.approx(top, abs=6) and words["1"][1] == pytest.approx(
        bottom, abs=6
    )


@pytest.mark.parametrize(
    ("size", "stars"), [(4, 0), (5, 1), (6, 0), (7, 4), (9, 9), (10, 4), (13, 9), (19, 9)]
)
def test_star_points_are_never_side_by_side(size, stars):
    svg = draw(get_game("go", size=size).new_game())
    rows = [float(e.get("cy")) for e in elements(svg, "circle") if e.get("r") == "3"]
    assert len(rows) == stars
    first, second = (float(e.get("x")) for e in elements(svg, "text")[:2])  # A and B
    apart = np.diff(sorted(set(rows)))
    assert (apart > 1.5 * (second - first)).all()


def test_what_a_picture_marks():
    svg = draw(KO)
    rings = [e for e in elements(svg, "circle") if e.get("fill") == "none"]
    assert [(e.get("cx"), e.get("stroke")) for e in rings] == [("272", TILE)], (
        "the last move, D3: 34 + 3.5 * 68, on black"
    )
    squares = [
        e for e in elements(svg, "rect") if e.get("fill") == "none" and e.get("stroke") == INK
    ]
    assert len(squares) == 1, "the ko"
    assert float(squares[0].get("x")) + float(squares[0].get("width")) / 2 == pytest.approx(
        34 + 2.5 * 68
    )
    assert "Taken: 0 black, 1 white" in svg
    assert "white to play" in svg
    over = draw(from_recipe("go:B3 D3 B4 D4 B2 D2 B1 D1 B5 D5 pass pass"))
    owned = [
        e.get("fill")
        for e in elements(over, "rect")
        if e.get("stroke") == INK and e.get("stroke-width") == "1.5"
    ]
    assert (owned.count(INK), owned.count(TILE)) == (5, 5), "columns A and E; C is nobody's"
    assert "white has won by 7.5" in over
    assert ">pass<" in over, "the last move was a pass"
    assert ">pass<" not in svg
    resigned = draw(from_recipe("go:C3 resign"))
    assert "black has won: white resigned" in resigned
    assert not [e for e in elements(resigned, "rect") if e.get("stroke-width") == "1.5"], (
        "no area is counted"
    )


def test_the_targets_of_a_live_board_say_what_is_there():
    live = draw(KO, Marks(targets=frozenset({25})))
    for name in ("C3, empty, forbidden by superko", "D3, black", "E3, white", "A5, empty", "pass"):
        assert f'aria-label="{name}"' in live


@pytest.mark.parametrize(
    "scale, number, words",
    [("share", 0.25, "25%"), ("share", 1.0, "100%"), ("value", -1.01, "−1.01")],
)
def test_a_number_stays_within_its_tile(scale, number, words):
    """A bold digit is about 0.7 of the font size wide, a per cent sign nearly 1; in DejaVu Sans,
    which is among the widest.
    """
    svg = draw(get_game("go").new_game(), Marks(numbers={12: number}, scale=scale))
    drawn = next(e for e in elements(svg, "text") if e.text == words)
    wide = sum({"%": 1.0, ".": 0.38, "−": 0.84}.get(letter, 0.7) for letter in words) * float(
        drawn.get("font-size")
    )
    assert 0.5 * 0.88 * 68 < wide < 0.88 * 68


def test_numbers_stand_on_their_points():
    shares = {0: 0.25, 12: 0.5, 25: 0.125, 1: 0.001}
    start = get_game("go").new_game()
    svg = draw(
        start,
        Marks(numbers=shares, scale="share", best=frozenset({12}), caption="policy of <net> & co"),
    )
    words = {e.text: (float(e.get("x")), float(e.get("y"))) for e in elements(svg, "text")}
    assert words["50%"][0] - words["25%"][0] == pytest.approx(2 * 68)
    assert words["50%"][1] - words["25%"][1] == pytest.approx(2 * 68)
    assert "pass 12%" in words
    assert "<1%" not in words
    discs = [e for e in elements(svg, "circle") if e.get("opacity") == "0.85"]
    assert len(discs) == 2, "a share below 1% is not drawn"
    assert "policy of <net> & co" in words
    assert svg.count("stroke-dasharray") == 1
    assert BLUE not in svg


def test_stones_and_lines_can_be_told_apart():
    """WCAG: 3 for graphics. White stones stand out from the board by their outline."""
    assert contrast(*STONES) > 10
    assert contrast(_KAYA, INK) > 3
    assert contrast(_KAYA, COORDINATES) > 3, "the grid on the wood"
