"""The SVG of positions: the same for the same position, complete, spoken, and readable for everybody."""

import re
from collections.abc import Iterator
from xml.etree import ElementTree

import numpy as np
import pytest

from rlcourse.drawing import connect_four, draw, tictactoe
from rlcourse.drawing import svg as drawing
from rlcourse.drawing.grid import winning_lines
from rlcourse.drawing.svg import Marks, number_colour, number_text
from rlcourse.games import Game, GameState, from_recipe, get_game
from tests.unit.game_laws import ACTION_GAMES, legal_actions, played, random_actions

SVG = "{http://www.w3.org/2000/svg}"
DRAW = {"tic-tac-toe": tictactoe.draw, "connect-four": connect_four.draw}


def random_positions(game: Game, count: int) -> Iterator[GameState]:
    """Positions of random games, finished ones among them."""
    for seed in range(count):
        yield played(game, random_actions(game, seed, seed % (game.board[0] * game.board[1] + 1)))


def contrast(one: str, two: str) -> float:
    """WCAG 2 contrast ratio of two colours "#RRGGBB", 1 to 21."""

    def luminance(colour: str) -> float:
        parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
        linear = [p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]

    low, high = sorted((luminance(one), luminance(two)))
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("name", DRAW)
def test_every_stone_is_drawn(name: str) -> None:
    for state in random_positions(get_game(name), 150):
        root = ElementTree.fromstring(DRAW[name](state))
        drawn_x = sum(e.get("stroke-linecap") == "round" for e in root.iter(f"{SVG}path"))
        drawn_o = sum(e.get("stroke-linecap") == "round" for e in root.iter(f"{SVG}circle"))
        assert (drawn_x, drawn_o) == (int((state.board == 1).sum()), int((state.board == 2).sum()))


def test_every_stone_is_drawn_where_it_stands() -> None:
    # 0 is the top left square, so its centre has the smallest x and y; 8 is the bottom right.
    places = []
    for action in range(9):
        root = ElementTree.fromstring(
            tictactoe.draw(get_game("tic-tac-toe").new_game().apply_move(action))
        )
        numbers = re.findall(r"[\d.]+", next(root.iter(f"{SVG}path")).get("d"))
        places.append((float(numbers[0]), float(numbers[1])))
    assert (
        [places[a][0] for a in (0, 1, 2)]
        == [places[a][0] for a in (6, 7, 8)]
        == sorted(places[a][0] for a in (0, 1, 2))
    )
    assert (
        [places[a][1] for a in (0, 3, 6)]
        == [places[a][1] for a in (2, 5, 8)]
        == sorted(places[a][1] for a in (0, 3, 6))
    )
    # In Connect Four the first stone of column d lies in the lowest row, in the middle of the seven columns.
    root = ElementTree.fromstring(connect_four.draw(from_recipe("connect-four:3")))
    holes = {(float(e.get("cx")), float(e.get("cy"))) for e in root.iter(f"{SVG}circle")}
    stone = next(e for e in root.iter(f"{SVG}circle") if e.get("fill") == drawing.BLUE)
    xs, ys = sorted({x for x, _ in holes}), sorted({y for _, y in holes})
    assert (len(xs), len(ys)) == (7, 6)
    assert (float(stone.get("cx")), float(stone.get("cy"))) == (xs[3], ys[-1])


@pytest.mark.parametrize("game", [*ACTION_GAMES, get_game("go", size=19)], ids=str)
def test_a_live_board_has_a_spoken_target_for_every_action(game: Game) -> None:
    names = [*game.labels, *(["resign"] if game.name == "go" else [])]
    for state in random_positions(game, 30 if game.num_actions < 100 else 4):
        legal = frozenset(legal_actions(game, state))
        root = ElementTree.fromstring(draw(state, Marks(targets=legal)))
        targets = {int(e.get("data-action")): e for e in root.iter() if e.get("data-action")}
        assert sorted(targets) == list(range(len(names)))
        for action, element in targets.items():
            assert element.get("role") == "button"
            assert re.search(rf"\b{names[action]}\b", element.get("aria-label"))
            assert (element.get("aria-disabled") is None) == (action in legal)


def test_names_say_what_is_there() -> None:
    state = from_recipe("tic-tac-toe:X...O....")
    svg = tictactoe.draw(state, Marks(targets=frozenset(state.legal_moves()), numbers={1: -0.5}))
    assert all(
        f'aria-label="{name}"' in svg
        for name in ("a3, X", "b2, O", "c1, empty", f"b3, empty, value {drawing.MINUS}0.50")
    )
    full = from_recipe("connect-four:000000")
    svg = connect_four.draw(full, Marks(targets=frozenset(full.legal_moves())))
    assert 'aria-label="column a, from the bottom X O X O X O, full"' in svg


def test_winning_lines_by_hand() -> None:
    assert winning_lines([[1, 1, 1], [2, 2, 0], [0, 0, 0]], 3) == [[(0, 0), (0, 1), (0, 2)]]
    assert winning_lines([[1, 2, 0], [2, 1, 0], [0, 0, 1]], 3) == [[(0, 0), (1, 1), (2, 2)]]
    assert winning_lines([[0, 0, 2], [1, 2, 0], [2, 1, 1]], 3) == [[(0, 2), (1, 1), (2, 0)]]
    # one stone can end two lines at once: both are shown
    assert winning_lines([[1, 1, 1], [1, 2, 2], [1, 2, 2]], 3) == [
        [(0, 0), (0, 1), (0, 2)],
        [(0, 0), (1, 0), (2, 0)],
    ]
    assert winning_lines([[1, 2, 1], [1, 2, 2], [2, 1, 1]], 3) == []


@pytest.mark.parametrize(("name", "length"), [("tic-tac-toe", 3), ("connect-four", 4)])
def test_a_line_is_found_exactly_in_won_positions(name: str, length: int) -> None:
    """The drawing's own search against the compiled rules."""
    won = 0
    for state in random_positions(get_game(name), 600):
        lines = winning_lines(state.board.tolist(), length)
        assert bool(lines) == (state.winner() in (1, -1))
        won += bool(lines)
    assert won > 10


def test_numbers_read_like_numbers() -> None:
    shown = {
        0.351: "+0.35",
        -0.5: "−0.50",
        0.0: "0",
        -0.001: "0",
        1.0: "+1",
        -1.0: "−1",
        0.999: "+1",
    }
    assert {number: number_text(number) for number in shown} == shown
    assert [number_text(share, "share") for share in (0.0, 0.001, 0.346, 1.0)] == [
        "0%",
        "<1%",
        "35%",
        "100%",
    ]


def test_overlay_is_drawn_on_the_squares_it_belongs_to() -> None:
    state = from_recipe("connect-four:33")
    svg = connect_four.draw(
        state, Marks(numbers={3: 0.25, 0: -1.0}, best=frozenset({3}), caption="Q of <net> & co")
    )
    root = ElementTree.fromstring(svg)
    places = {e.text: (float(e.get("x")), float(e.get("y"))) for e in root.iter(f"{SVG}text")}
    # the number stands where the stone would land: d3 is two rows above a1's row
    assert places["+0.25"][0] - places["−1"][0] == pytest.approx(3 * 66)
    assert places["−1"][1] - places["+0.25"][1] == pytest.approx(2 * 62)
    assert "Q of <net> & co" in places, "a caption is text, not markup"
    assert svg.count("stroke-dasharray") == 1


def test_a_long_caption_stays_on_the_board() -> None:
    pixels = 0.54  # width of an average letter of this font, as a share of its size
    for words in ("critic: 0.3", "Perfect player: value of each move for X", "W" * 90):
        root = ElementTree.fromstring(
            connect_four.draw(
                from_recipe("connect-four:33"), Marks(numbers={3: 0.25}, caption=words)
            )
        )
        line = next(element for element in root.iter(f"{SVG}text") if element.text == words)
        assert pixels * float(line.get("font-size")) * len(words) <= float(
            root.get("viewBox").split()[2]
        )
        assert len(words) == 90 or line.get("font-size") == "13", (
            "a caption that fits keeps its size"
        )


def test_everything_can_be_read_on_its_background() -> None:
    """WCAG AA: 4.5 for text, 3 for graphics."""
    for number in np.linspace(-1, 1, 41):
        assert contrast(drawing.INK, number_colour(number)) >= 4.5
        assert contrast(drawing.INK, number_colour(abs(number), "share")) >= 4.5
    assert contrast(drawing.COORDINATES, drawing.WOOD) >= 4.5
    for colour in drawing.PLAYER_COLOURS:
        assert contrast(colour, drawing.TILE) >= 3


def test_colour_blind_readers_tell_players_and_signs_apart() -> None:
    """Dichromacy as simulated by Machado, Oliveira and Fernandes (2009), table 1, severity 1, in linear RGB.

    Distances are those of CIE L*a*b* 1976, in which 2.3 is just noticeable. Sign and shape say the same without colour.
    """
    protan = [
        [0.152286, 1.052583, -0.204868],
        [0.114503, 0.786281, 0.099216],
        [-0.003882, -0.048116, 1.051998],
    ]
    deutan = [
        [0.367322, 0.860646, -0.227968],
        [0.280085, 0.672501, 0.047413],
        [-0.011820, 0.042940, 0.968881],
    ]
    tritan = [
        [1.255528, -0.076749, -0.178779],
        [-0.078411, 0.930809, 0.147602],
        [0.004733, 0.691367, 0.303900],
    ]
    to_xyz = np.array(
        [[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]]
    )

    def lab(colour: str, seen: np.ndarray) -> np.ndarray:
        rgb = np.array([int(colour[i : i + 2], 16) for i in (1, 3, 5)]) / 255
        linear = np.where(rgb <= 0.04045, rgb / 12.92, ((rgb + 0.055) / 1.055) ** 2.4)
        xyz = to_xyz @ np.clip(seen @ linear, 0, 1) / [0.9505, 1.0, 1.089]
        f = np.where(xyz > 0.008856, np.cbrt(xyz), 7.787 * xyz + 16 / 116)
        return np.array([116 * f[1] - 16, 500 * (f[0] - f[1]), 200 * (f[1] - f[2])])

    for seen in map(np.array, (np.eye(3), protan, deutan, tritan)):
        for one, two in (drawing.PLAYER_COLOURS, (number_colour(1.0), number_colour(-1.0))):
            assert np.linalg.norm(lab(one, seen) - lab(two, seen)) > 35


def test_the_blue_of_a_share_grows_with_its_square_root():
    tile, full, quarter, ninth = (
        np.array([int(colour[k : k + 2], 16) for k in (1, 3, 5)])
        for colour in (number_colour(share, "share") for share in (0, 1, 1 / 4, 1 / 9))
    )
    assert np.abs(quarter - (tile + full) / 2).max() <= 1
    assert np.abs(ninth - (2 * tile + full) / 3).max() <= 1


@pytest.mark.parametrize(
    ("recipe", "letters"),
    [
        ("tic-tac-toe:X...O....", "abc"),
        ("connect-four:4", "abcdefg"),
        ("go size=5 komi=7.5:C3", "ABCDE"),
    ],
)
def test_a_bare_picture_is_the_board_alone(recipe: str, letters: str) -> None:
    """No title, no names of squares unless they are asked for; the same squares at the same size."""
    state = from_recipe(recipe)

    def texts(marks: Marks) -> list[str]:
        root = ElementTree.fromstring(draw(state, marks))
        return [element.text for element in root.iter(f"{SVG}text")]

    def shown(marks: Marks) -> list[float]:
        return [
            float(number)
            for number in re.findall(r'viewBox="([^"]+)"', draw(state, marks))[0].split()
        ]

    whole, named, bare = Marks(), Marks(bare=True, named=True), Marks(bare=True)
    assert texts(bare) == []
    assert set(letters) <= set(texts(named)) < set(texts(whole))
    assert any(state_text.endswith(("to move", "to play")) for state_text in texts(whole))
    left, upper, width, height = shown(bare)
    assert left > 0 and left + width <= shown(named)[2] <= shown(whole)[2]
    assert upper + height <= shown(named)[3] < shown(whole)[3]


def test_the_pass_stands_below_a_bare_board_where_it_has_a_share_or_was_played() -> None:
    state = from_recipe("go size=5 komi=7.5:C3")
    heights = {}
    for share in (0.004, 0.5):
        svg = draw(state, Marks(numbers={0: 0.5, 25: share}, scale="share", bare=True))
        heights[share] = svg.count(">pass"), drawing.size_of(svg)[1]
    assert [count for count, _ in heights.values()] == [0, 1]
    assert heights[0.004][1] < heights[0.5][1]
    passed = state.apply_move(next(move for move in state.legal_moves() if move.is_pass))
    assert draw(passed, Marks(bare=True)).count(">pass<") == 1
