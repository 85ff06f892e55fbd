"""The figures: what they count is right, what they draw is well formed, and none goes without words."""

from base64 import b64decode
from io import BytesIO
from itertools import combinations
from struct import unpack
from types import SimpleNamespace
from xml.etree import ElementTree

import numpy as np
import pytest
from matplotlib.colors import to_rgb
from PIL import Image

from rlcourse import plots
from rlcourse.agents import load_agent
from rlcourse.drawing.svg import number_colour
from rlcourse.drawing.tree import draw_tree
from rlcourse.games import from_recipe, get_game
from rlcourse.judges.tictactoe import decide_everywhere, judge
from rlcourse.solvers.tictactoe import tables

SVG = "{http://www.w3.org/2000/svg}"


@pytest.fixture(scope="module")
def moves():
    """position -> the move of the shipped table."""
    agent = load_agent("tic-tac-toe/q-table")
    actions = decide_everywhere(agent).action
    recipes = (
        "tic-tac-toe:" + "".join(".XO"[cell] for cell in tables().cells[code])
        for code in tables().decisions
    )
    return {
        from_recipe(recipe): int(action) for recipe, action in zip(recipes, actions, strict=True)
    }


@pytest.mark.slow
@pytest.mark.parametrize("seat", [0, 1])
def test_a_wheel_has_one_spoke_a_line(moves, seat):
    """The judge counts the same lines in another way (backwards, in arrays)."""
    lines = (
        judge(load_agent("tic-tac-toe/q-table")).first,
        judge(load_agent("tic-tac-toe/q-table")).second,
    )[seat]
    with plots.figure() as (_, axes):
        counts = plots.wheel(
            axes, get_game("tic-tac-toe").new_game(), lambda s: [moves[s]], seat=seat
        )
        wedges = axes.collections[0].get_paths()
    assert counts == {"lost": lines.lost, "drawn": lines.drawn, "won": lines.won}
    assert len(wedges) > sum(counts.values())


def test_the_spokes_of_a_wheel_fill_the_circle():
    """X to move with three squares left: 6 lines at most; the last ring's sectors have equal angles that sum to 360."""
    state = from_recipe("tic-tac-toe:XOXOOX.X.")
    with plots.figure() as (_, axes):
        counts = plots.wheel(axes, state, lambda s: s.legal_moves(), seat=0)
    # O to move: a1 or c1, then X takes the other (c1 wins for X with c3-c2-c1; a1 after c1 draws: column b is O O X).
    assert counts == {"lost": 0, "drawn": 1, "won": 1}


def test_on_grid_holds_the_last_value():
    curve = [[0, 487, 2651], [500, 300, 3500], [1000, 0, 4520]]
    assert plots.on_grid([0, 499, 500, 750, 5000], curve, 2).tolist() == [
        2651,
        2651,
        3500,
        3500,
        4520,
    ]


def test_spread_draws_the_median_and_refuses_what_does_not_fit():
    with plots.figure() as (_, axes):
        plots.spread(axes, [1, 2], [[0, 1], [2, 3], [4, 50]], colour=plots.BLUE, label="method")
        assert axes.lines[0].get_ydata().tolist() == [2, 3]
        with pytest.raises(ValueError, match="one row a seed"):
            plots.spread(axes, [1, 2, 3], [[0, 1]], colour=plots.BLUE, label="method")


def test_each_label_keeps_the_colour_of_its_own_curve():
    """Bands fill a picture with shades, beside which the dots of a label are few."""
    curves = np.random.default_rng(0).normal(size=(4, 20, 20)).cumsum(axis=2)
    with plots.figure(9.5, 3.8, columns=2) as (fig, axes):
        for axis in axes:
            for k, (curve, colour) in enumerate(zip(curves, plots.COLOURS, strict=False)):
                plots.spread(axis, np.arange(20), curve + 3 * k, colour=colour, label=f"curve {k}")
            plots.label_curves(axis)
        labels = [255 * np.array(to_rgb(text.get_color())) for text in axes[0].texts]
        drawn = Image.open(BytesIO(plots.picture(fig, "four curves").png)).convert("RGB")
    assert len(labels) == 4
    shades = np.unique(np.asarray(drawn).reshape(-1, 3), axis=0).astype(int)
    for label in labels:
        assert np.abs(shades - label).max(axis=1).min() < 3


def test_a_picture_carries_its_words_and_has_two_pixels_for_one_of_the_page():
    with plots.figure(8, 3) as (fig, axes):
        axes.plot([0, 1])
        data, metadata = plots.picture(fig, alt="A line that rises.")._repr_mimebundle_()
        with pytest.raises(ValueError, match="alternative text"):
            plots.picture(fig, alt=" ")
    assert (
        data["text/plain"] == "Figure: A line that rises."
        and metadata["image/png"]["alt"] == "A line that rises."
    )
    png = b64decode(data["image/png"])
    assert png.startswith(b"\x89PNG")
    shown = metadata["image/png"]
    assert (shown["width"], shown["height"]) == (880, 330)  # 8 x 3 inches of 110 pixels
    assert unpack(">II", png[16:24]) == (1760, 660)


def written(axis):
    """What stands at the ticks that are in view."""
    low, high = axis.get_view_interval()
    return [t.label1.get_text() for t in axis.get_major_ticks() if low <= t.get_loc() <= high]


@pytest.mark.parametrize(
    ("x", "scale", "expected"),
    [
        ([0, 3000], "linear", {"0", "1,000", "2,000", "3,000"}),
        ([0, 0.4], "linear", {"0.00", "0.10", "0.40"}),
        ([0.01, 10_000], "log", {"0.01", "0.1", "1", "10", "100", "1,000", "10,000"}),
        ([1, 1e18], "log", {r"$\mathdefault{10^{15}}$"}),
    ],
)
def test_thousands_are_written_in_one_way(x, scale, expected):
    with plots.figure() as (fig, axes):
        axes.plot(x, [0, 1])
        axes.set(xscale=scale, xlim=x)
        plots.picture(fig, "A line.")
        assert expected <= set(written(axes.xaxis))


def test_bands_are_named_once_a_figure():
    with plots.figure(columns=2) as (fig, axes):
        for part in axes:
            plots.spread(part, [1, 2], [[0, 1], [2, 3]], colour=plots.BLUE, label="one")
            plots.spread(part, [1, 2], [[3, 1], [2, 3]], colour=plots.GREEN, label="two")
        drawn = axes[0].errorbar([1], [2], yerr=[1], fmt="o")
        plots.bars(drawn, "95% interval")
        plots.picture(fig, "Two panels.")
        [names] = fig.legends
        plots.picture(fig, "Two panels.")
        assert fig.legends == [names]
    texts = [words.get_text() for words in names.get_texts()]
    assert sorted(texts) == ["95% interval", "all runs", "median run", "middle 90%"]


@pytest.mark.parametrize("ends", [[1, 1.01, 1.02], [0, 0, 0, 0, 0], [5, 1, 3], [9.99, 10, 0]])
def test_the_labels_of_curves_stand_at_their_ends_and_do_not_overlap(ends):
    with plots.figure(5, 3) as (fig, axes):
        for k, end in enumerate(ends):
            axes.plot([0, 1, 2], [5, 5, end], label=f"curve {k}")
        axes.plot([0, 2], [3, 3], label="_without a label")
        axes.set(ylim=(0, 10))
        plots.label_curves(axes)
        plots.picture(fig, "Curves.")
        fig.draw_without_rendering()
        labels = axes.texts
        boxes = [label.get_window_extent() for label in labels]
        pixels = axes.transData.transform([(2, end) for end in ends])
    assert [label.get_text() for label in labels] == [f"curve {k}" for k in range(len(ends))]
    for box, (x, y) in zip(boxes, pixels, strict=True):
        assert 0 < box.x0 - x < 20 and abs((box.y0 + box.y1) / 2 - y) < 16 * len(ends)
    assert not any(one.overlaps(two) for one, two in combinations(boxes, 2))
    in_order = sorted(range(len(ends)), key=lambda k: boxes[k].y0)
    assert [ends[k] for k in in_order] == sorted(ends)


def test_a_label_stands_where_it_is_put_and_an_interval_has_one():
    with plots.figure() as (_, axes):
        axes.errorbar([1, 2], [3, 4], yerr=[1, 1], label="with an interval")
        axes.plot([1, 2], [1, 1], label="elsewhere")
        plots.label_curves(axes, {"elsewhere": (1.5, 2)})
        by_label = {label.get_text(): label for label in axes.texts}
    assert by_label["elsewhere"].get_position() == (1.5, 2)
    assert by_label["with an interval"].xy == (2, 4)


def test_boards_are_one_well_formed_drawing_the_same_every_time():
    state = from_recipe("tic-tac-toe:X...O....")
    values = [{move: 0.5 if move == 2 else 0.0 for move in state.legal_moves()}, {}]
    row = plots.boards([state, state], ["a < b", "c"], values=values)
    tree = ElementTree.fromstring(row.svg)
    assert len(tree.findall(f".//{SVG}svg")) == 2
    texts = [element.text for element in tree.iter(f"{SVG}text")]
    assert "a < b" in texts and "+0.50" in texts
    assert row.svg == plots.boards([state, state], ["a < b", "c"], values=values).svg
    assert "a < b" in repr(row) and "X to play" in repr(row)
    assert row._repr_mimebundle_()[0] == {"image/svg+xml": row.svg, "text/plain": repr(row)}
    with pytest.raises(ValueError, match="captions"):
        plots.boards([state], ["one", "two"])


@pytest.mark.parametrize(
    "recipe", ["tic-tac-toe:.........", "connect-four:3", "go size=5 komi=7.5:"]
)
def test_small_values_have_the_colours_of_a_scale_that_says_how_far_it_goes(recipe):
    """0.15 of 0.3 is half of the way; beyond the end nothing changes, and the numbers stay."""
    state = from_recipe(recipe)
    small = plots.boards([state], values=[{0: 0.15, 1: -0.3, 2: -0.6}], reach=0.3, scale=1).svg
    tree = ElementTree.fromstring(small)
    names = {path: list(tree.iter(SVG + path)) for path in ("circle", "rect", "text")}
    fills = [each.get("fill") for each in names["circle"] + names["rect"]]
    legend = [number_colour(k / 4 - 1) for k in range(9)]
    cells = sorted(fill for fill in fills if fill in (legend[0], legend[6]))
    assert cells == sorted([legend[0]] * 3 + [legend[6]] * 2)  # each end is in the legend once
    texts = {each.text for each in names["text"]}
    assert {"+0.15", "\u22120.30", "\u22120.60", "\u22120.30 or less", "+0.30 or more"} <= texts


def test_a_negative_number_has_a_minus_sign_wherever_it_is_written():
    words = "-0.5 at 198-80-5, e.g. (-1)"
    written = "\u22120.5 at 198-80-5, e.g. (\u22121)"
    with plots.figure() as (fig, axes):
        axes.text(0, 0, words)
        axes.set_xlabel(words)
        plots.picture(fig, "words")
        assert axes.texts[0].get_text() == axes.get_xlabel() == written
    chart = plots.chart("a", plots.Plane((-1, 1), (0, 1), {-1: "-1", 1: "1"}), description="a")
    assert ">\u22121<" in chart.svg and ">-1<" not in chart.svg


def test_counts_axis_shows_zero():
    with plots.figure() as (_, axes):
        axes.plot([1, 2], [100, 0])
        plots.counts_axis(axes, (0, 1, 10, 100))
        assert [label.get_text() for label in axes.get_yticklabels()] == ["0", "1", "10", "100"]
        assert axes.get_ylim()[0] < 0


def test_a_tree_has_a_dot_for_each_position_and_one_way_through_it():
    """The root, two moves of O (b3 drawn so far, c3 lost), one reply below c3: three positions below the root."""
    leaf = lambda: SimpleNamespace(N={}, W={}, children={})  # noqa: E731
    child = SimpleNamespace(N={4: 1}, W={4: 1.0}, children={4: leaf()})
    root = SimpleNamespace(
        N={1: 1, 2: 2, 3: 0}, W={1: 0.0, 2: -2.0, 3: 0.0}, children={1: leaf(), 2: child}
    )
    options = {"path": [2, 4], "names": "abcde", "rows": ["O moves", "X moves", "O", "deeper"]}
    drawn = draw_tree(root, **options, box=(100, 50, 200, 80))
    tree = ElementTree.fromstring(f"<svg>{drawn}</svg>")
    thin, thick = (path.get("d").count("M") for path in tree.iter("path"))
    *dots, top = tree.iter("circle")
    assert (thin, thick) == (1, 2) and (top.get("cy"), top.get("fill")) == ("50", plots.INK)
    assert sorted(float(dot.get("cy")) for dot in dots) == [90, 90, 130]
    assert all(100 <= float(dot.get("cx")) <= 300 for dot in dots)
    colours = sorted(dot.get("fill") for dot in dots)
    assert colours == sorted(number_colour(value) for value in (0.0, -1.0, 1.0))
    texts = [words.text for words in tree.iter("text")]
    assert texts == ["b", "c", "O moves", "X moves", "O"]
    assert draw_tree(leaf(), box=(0, 0, 10, 10)).count("<circle") == 1


def test_a_tree_stands_beside_its_position_with_the_shares_of_the_visits():
    state = from_recipe("tic-tac-toe:X...O...X")
    leaf = SimpleNamespace(N={}, W={}, children={})
    root = SimpleNamespace(N={1: 3, 2: 1}, W={1: 0.0, 2: -1.0}, children={1: leaf, 2: leaf})
    drawn = plots.tree("Four simulations", root, state, description="A small tree.")
    texts = [words.text for words in ElementTree.fromstring(drawn.svg).iter(f"{SVG}text")]
    assert {"Four simulations", "75%", "25%"} <= set(texts) and repr(
        drawn
    ) == "Figure: A small tree."


def test_a_chart_draws_its_areas_and_curves_to_scale():
    """A plane 760 - 74 - 20 = 666 wide and 300 - 56 - 62 = 182 high, from (74, 238) upward."""
    plane = plots.Plane((0, 2), (0, 10), {0: "none", 1: "one\nhere"}, {10: "ten"}, "x", "y")
    curve = plots.Curve((0, 2), (0, 20), plots.BLUE, "line")
    description = "A bar & a line."
    bar = plots.bar(1, 5, plots.GREEN, width=1)
    options = {
        "areas": [bar],
        "curves": [curve],
        "texts": [(1, 5, "five")],
        "description": description,
    }
    drawn = plots.chart("Title", plane, **options)
    tree = ElementTree.fromstring(drawn.svg)
    paths = {path.get("fill"): path.get("d") for path in tree.iter(f"{SVG}path")}
    assert paths[plots.GREEN] == "M240.5 147.0L573.5 147.0L573.5 238.0L240.5 238.0Z"
    assert paths["none"] == "M74.0 238.0L740.0 56.0", "what is above the plane ends at its edge"
    texts = [text.text for text in tree.iter(f"{SVG}text")]
    assert texts == ["ten", "none", "one", "here", "line", "five", "Title", "x", "y"]
    assert repr(drawn) == f"Figure: {description}" and tree.get("aria-label") == description
