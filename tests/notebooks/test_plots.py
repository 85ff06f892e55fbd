"""The figures: what they count is right, what they draw is well formed, and none goes without words."""

from types import SimpleNamespace
from xml.etree import ElementTree

import pytest
from matplotlib.colors import to_hex

from rlcourse import plots
from rlcourse.agents import load_agent
from rlcourse.drawing.svg import number_colour
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


def test_a_picture_carries_its_words():
    with plots.figure() as (fig, axes):
        axes.plot([0, 1])
        data, metadata = plots.picture(fig, alt="A line that rises.")._repr_mimebundle_()
        with pytest.raises(ValueError, match="alternative text"):
            plots.picture(fig, alt=" ")
    assert (
        data["text/plain"] == "Figure: A line that rises."
        and metadata["image/png"]["alt"] == "A line that rises."
    )
    assert data["image/png"].startswith("iVBORw0KGgo")  # the PNG signature in base64


def test_boards_are_one_well_formed_drawing_the_same_every_time():
    state = from_recipe("tic-tac-toe:X...O....")
    values = [{move: 0.5 if move == 2 else 0.0 for move in state.legal_moves()}, {}]
    row = plots.boards([state, state], ["a < b", "c"], values=values)
    tree = ElementTree.fromstring(row._repr_svg_())
    assert len(tree.findall(f".//{SVG}svg")) == 2
    texts = [element.text for element in tree.iter(f"{SVG}text")]
    assert "a < b" in texts and "+0.50" in texts
    assert (
        row._repr_svg_() == plots.boards([state, state], ["a < b", "c"], values=values)._repr_svg_()
    )
    assert "a < b" in repr(row) and "X to play" in repr(row)
    with pytest.raises(ValueError, match="captions"):
        plots.boards([state], ["one", "two"])


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
    with plots.figure() as (_, axes):
        assert plots.tree(axes, root, path=[2, 4], names=list("abcde")) == 3
        thin, thick = (len(lines.get_segments()) for lines in axes.collections[:2])
        dots = axes.collections[3]
        colours = [to_hex(colour).upper() for colour in dots.get_facecolors()]
        assert (thin, thick) == (1, 2) and sorted(y for _, y in dots.get_offsets()) == [-2, -1, -1]
        assert sorted(colours) == sorted(number_colour(value) for value in (0.0, -1.0, 1.0))
        assert [words.get_text() for words in axes.texts] == ["b", "c"]
    with plots.figure() as (_, axes):
        assert plots.tree(axes, leaf()) == 0
