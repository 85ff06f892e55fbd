"""Backgammon as SVG: a fixed board seen by X, who bears off at the bottom right; O bears off at the top right.

The numbers on the rim are those of the player to move, as in written moves (of X when the game is over). What can be clicked
is a place, one number: 1 to 24 X's points, then the bars, the trays of borne-off checkers, and the dice or the button to pass.
"""

from collections import Counter
from math import hypot
from typing import Any

import numpy as np

from rlcourse.drawing.svg import (
    COORDINATES,
    EDGE,
    GOOD,
    INK,
    PLAYER_COLOURS,
    TILE,
    WOOD,
    Marks,
    frame,
    number_text,
    symbol,
    tag,
    target,
    text,
)

BARS, TRAYS, DICE = (25, 26), (27, 28), 29  # by player
PLACES = (*range(1, 25), *BARS, *TRAYS, DICE)
WIDTH, HEIGHT = 656, 566
X0, Y0, Y1, MIDDLE = (
    36,
    60,
    504,
    282,
)  # the field: left, top, bottom, and the line between its halves
COLUMN, BAR_WIDTH, TRAY_X, TRAY_WIDTH = 42, 48, 600, 46
RADIUS, STEP, POINT_LENGTH, MOST_DRAWN = 18, 37, 196, 5
_GAMES = {1: "a single game", 2: "a gammon", 3: "a backgammon"}
_PIPS = {
    1: "5",
    2: "19",
    3: "159",
    4: "1379",
    5: "13579",
    6: "134679",
}  # fields of a die, 1 to 9 row by row


def place_of(player: int, point: int) -> int:
    """The place of a player's own point 1 to 24, of the bar (25) or of off (0)."""
    if point in (0, 25):
        return (BARS if point else TRAYS)[player]
    return point if player == 0 else 25 - point


def point_of(player: int, place: int) -> int | None:
    """The player's own point, 25 the bar or 0 off; None for the other's bar and tray and for the dice."""
    if place in (*BARS, *TRAYS, DICE):
        return {BARS[player]: 25, TRAYS[player]: 0}.get(place)
    return place if player == 0 else 25 - place


def won_text(points: float) -> str:
    """What has been won, such as "a gammon, 2 points". points: +-1, +-2 or +-3."""
    size = abs(int(points))
    return f"{_GAMES[size]}, {size} point{'s' * (size > 1)}"


def describe(state: Any) -> str:
    """Who moves with which dice, or how the game ended, in a few words."""
    if state.is_over():
        return f"{'XO'[state.points < 0]} has won {won_text(state.points)}"
    high, low = state.dice
    return f"{'XO'[state.next_player]} to " + (f"play {high}-{low}" if high else "throw")


def draw(
    state: Any,
    marks: Marks | None = None,
    *,
    checkers: np.ndarray | None = None,
    left: tuple[int, ...] | None = None,
    reached: frozenset[int] = frozenset(),
) -> str:
    """SVG of a position. `marks.last` and each of `marks.best` is a move as (player, steps); `marks.picked`: places.

    In the middle of a turn, `checkers` [2, 26] is the board so far, `left` the dice still to be played, and `reached` the
    places that the checker just picked up can reach.
    """
    marks = marks or Marks()
    begun = checkers is not None
    checkers = state.checkers if checkers is None else checkers
    body = [_field(0 if state.is_over() else state.next_player)]
    body += [_plate(state, checkers, player, marks.win) for player in (0, 1)]
    if marks.win is not None:
        body.append(_win_bar(marks.win))
    for place in PLACES[:-1]:
        body.append(_place_drawn(checkers, place, place in reached))
    if not state.is_over() and state.dice[0]:
        body.append(_dice(state, left))
    if marks.last and not begun:
        body.append(_arrows(checkers, *marks.last, arrived=True))
    for player, steps in () if begun else sorted(marks.best):
        body.append(_arrows(checkers, player, steps, arrived=False))
    if marks.targets is not None:
        body += _targets(state, checkers, marks, reached)
    spoken = " ".join(_aloud(checkers, player) for player in (0, 1))
    return frame(
        WIDTH,
        HEIGHT,
        "".join(body),
        title=f"Backgammon: {describe(state)}",
        description=spoken,
        marks=marks,
    )


def _column(place: int) -> float:
    """x of the middle of a point, a bar or a tray."""
    if place > 24:
        return X0 + 6 * COLUMN + BAR_WIDTH / 2 if place in BARS else TRAY_X + TRAY_WIDTH / 2
    from_left = 12 - place if place <= 12 else place - 13
    return X0 + COLUMN * (from_left + 0.5) + BAR_WIDTH * (from_left >= 6)


def _spot(place: int, k: int) -> tuple[float, float]:
    """Where checker number k (0 the first) of a place lies; beyond the last that is drawn, on that one."""
    x, k = _column(place), min(k, MOST_DRAWN - 1)
    if place in BARS:
        away = 44 + STEP * min(k, 3)
        return x, MIDDLE - away if place == BARS[0] else MIDDLE + away
    if place in TRAYS:
        return x, Y1 - 40 if place == TRAYS[0] else Y0 + 40
    depth = RADIUS + 3 + STEP * k
    return x, Y0 + depth if place >= 13 else Y1 - depth


def _box(place: int) -> dict[str, float]:
    """x, y, width and height of a place."""
    width = COLUMN if place <= 24 else BAR_WIDTH if place in BARS else TRAY_WIDTH
    top = place >= 13 if place <= 24 else place in (BARS[0], TRAYS[1])
    height = POINT_LENGTH if place <= 24 else MIDDLE - Y0 - 4
    return {
        "x": _column(place) - width / 2,
        "y": Y0 if top else Y1 - height,
        "width": width,
        "height": height,
    }


def _field(next_player: int) -> str:
    halves = [(X0, 6 * COLUMN), (X0 + 6 * COLUMN + BAR_WIDTH, 6 * COLUMN)]
    parts = [
        tag("rect", x=x, y=Y0, width=width, height=Y1 - Y0, fill=TILE, stroke=EDGE)
        for x, width in halves
    ]
    for player in (0, 1):
        parts.append(
            tag("rect", **_box(TRAYS[player]), rx=6, fill=TILE, fill_opacity=0.6, stroke=EDGE)
        )
    for place in range(1, 25):
        x, (base, tip) = (
            _column(place),
            (Y0, Y0 + POINT_LENGTH) if place >= 13 else (Y1, Y1 - POINT_LENGTH),
        )
        corners = f"M{x - COLUMN / 2 + 1:g} {base}L{x:g} {tip}L{x + COLUMN / 2 - 1:g} {base}Z"
        parts.append(tag("path", d=corners, fill=(EDGE, WOOD)[place % 2]))
        number = point_of(next_player, place)
        parts.append(
            text(x, Y0 - 12 if place >= 13 else Y1 + 12, str(number), 18, fill=COORDINATES)
        )
    return "".join(parts)


def _checker(x: float, y: float, player: int, label: str = "") -> str:
    disc = tag(
        "circle", cx=x, cy=y, r=RADIUS, fill=PLAYER_COLOURS[player], stroke=TILE, stroke_width=1.5
    )
    return disc + (
        text(x, y, label, 17, fill="#FFFFFF", font_weight=700)
        if label
        else symbol(player, x, y, 6.5, 3.5, TILE)
    )


def _plate(state: Any, checkers: np.ndarray, player: int, win: float | None) -> str:
    """A player's line above or below the board: pip count, what he does, how likely he wins."""
    y = HEIGHT - 20 if player == 0 else 20
    words = f"pip count {_pips(checkers[player])}"
    if state.is_over():
        words += f", wins {won_text(state.points)}" if (state.points > 0) == (player == 0) else ""
    elif player == state.next_player:
        words += ", to play {}-{}".format(*state.dice) if state.dice[0] else ", to throw"
    weight = 700 if player == state.next_player and not state.is_over() else 400
    shown = _small(X0 + 10, y, player) + text(
        X0 + 28, y, words, 18, text_anchor="start", font_weight=weight
    )
    if win is not None:
        share = f"wins {number_text(win if player == 0 else 1 - win, 'share')}"
        shown += text(
            X0 + 12 * COLUMN + BAR_WIDTH, y, share, 18, text_anchor="end", font_weight=600
        )
    return shown


def _small(x: float, y: float, player: int) -> str:
    return tag("circle", cx=x, cy=y, r=11, fill=PLAYER_COLOURS[player]) + symbol(
        player, x, y, 4.2, 2.6, TILE
    )


def _win_bar(win: float) -> str:
    """The probability that X wins, from below; the rest is O's."""
    height = Y1 - Y0
    split = Y1 - height * min(1.0, max(0.0, win))
    return (
        tag("rect", x=11, y=Y0, width=14, height=split - Y0, fill=PLAYER_COLOURS[1])
        + tag("rect", x=11, y=split, width=14, height=Y1 - split, fill=PLAYER_COLOURS[0])
        + tag("path", d=f"M7 {split:.1f}H29", stroke=INK, stroke_width=3)
        + tag("path", d=f"M11 {MIDDLE}H25", stroke=TILE, stroke_width=1.5)
    )


def _place_drawn(checkers: np.ndarray, place: int, reached: bool) -> str:
    """The checkers of a place; `reached`: lit, with a ring where the next checker would lie."""
    player, count = _stack(checkers, place)
    parts = [tag("rect", **_box(place), rx=6, fill=GOOD, fill_opacity=0.4)] if reached else []
    if place in TRAYS:
        for k in range(count):
            top = Y1 - 14 - 11 * k if place == TRAYS[0] else Y0 + 4 + 11 * k
            parts.append(
                tag(
                    "rect",
                    x=TRAY_X + 4,
                    y=top,
                    width=TRAY_WIDTH - 8,
                    height=10,
                    rx=3,
                    fill=PLAYER_COLOURS[player],
                )
            )
        beside = MIDDLE + 20 if place == TRAYS[0] else MIDDLE - 20
        parts.append(text(_column(place), beside, f"{count} off", 15, fill=COORDINATES))
        return "".join(parts)
    drawn = min(count, 4 if place in BARS else MOST_DRAWN)
    for k in range(drawn):
        parts.append(
            _checker(*_spot(place, k), player, str(count) if k == drawn - 1 < count - 1 else "")
        )
    if reached:
        x, y = _spot(place, count)
        ring = {
            "cx": x,
            "cy": y,
            "r": RADIUS - 3,
            "fill": "none",
            "stroke": INK,
            "stroke_width": 2.5,
        }
        parts.append(tag("circle", **ring, stroke_dasharray="5 4"))
    return "".join(parts)


def _stack(checkers: np.ndarray, place: int) -> tuple[int, int]:
    """(whose checkers stand on a place, how many)."""
    for player in (0, 1):
        point = point_of(player, place)
        if point is not None and checkers[player, point - 1]:  # off, 0, is the last column
            return player, int(checkers[player, point - 1])
    return 0, 0


def _dice(state: Any, left: tuple[int, ...] | None) -> str:
    """The throw in the colour of its player, in his half; what has been played is faint."""
    high, low = state.dice
    thrown = [high] * 4 if high == low else [high, low]
    waiting = Counter(thrown if left is None else left)
    centre = X0 + (9 * COLUMN + BAR_WIDTH if state.next_player == 0 else 3 * COLUMN)
    parts = []
    for k, die in enumerate(thrown):
        x, fresh = centre + 46 * (k - (len(thrown) - 1) / 2), waiting[die] > 0
        waiting[die] -= 1
        body = tag(
            "rect",
            x=x - 18,
            y=MIDDLE - 18,
            width=36,
            height=36,
            rx=8,
            fill=PLAYER_COLOURS[state.next_player],
        )
        for pip in map(int, _PIPS[die]):
            column, row = (pip - 1) % 3 - 1, (pip - 1) // 3 - 1
            body += tag("circle", cx=x + 10 * column, cy=MIDDLE + 10 * row, r=3.6, fill=TILE)
        parts.append(tag("g", body, opacity=None if fresh else 0.25))
    return "".join(parts)


def _arrows(checkers: np.ndarray, player: int, steps: Any, *, arrived: bool) -> str:
    """An arrow for each step. `arrived`: the steps have been made, from the rings to the checkers that made them."""
    parts, tops = [], checkers[player].astype(int)
    colour, dash = (PLAYER_COLOURS[player], None) if arrived else (INK, "9 5")
    for (start, end), times in Counter(steps).items():
        i, j = start - 1, end - 1
        begin = _spot(place_of(player, start), tops[i] if arrived else max(0, tops[i] - 1))
        finish = _spot(place_of(player, end), max(0, tops[j] - 1) if arrived else tops[j])
        if arrived:
            ring = {
                "cx": begin[0],
                "cy": begin[1],
                "r": RADIUS - 3,
                "fill": "none",
                "stroke": colour,
                "stroke_width": 2,
            }
            parts.append(tag("circle", **ring, stroke_dasharray="4 3"))
        parts.append(_arrow(*begin, *finish, RADIUS if arrived else 0, colour, dash))
        if times > 1 and hypot(finish[0] - begin[0], finish[1] - begin[1]) > 70:
            x, y = (begin[0] + finish[0]) / 2, (begin[1] + finish[1]) / 2
            parts.append(tag("circle", cx=x, cy=y, r=12, fill=TILE, stroke=colour))
            parts.append(text(x, y, f"{times}\N{MULTIPLICATION SIGN}", 13))
    return "".join(parts)


def _arrow(
    x0: float, y0: float, x1: float, y1: float, short: float, colour: str, dash: str | None
) -> str:
    """From `short` behind (x0, y0) to `short` before (x1, y1), with a light edge."""
    length = max(1.0, hypot(x1 - x0, y1 - y0))
    ux, uy = (x1 - x0) / length, (y1 - y0) / length
    x0, y0, x1, y1 = x0 + short * ux, y0 + short * uy, x1 - short * ux, y1 - short * uy
    neck_x, neck_y = x1 - 14 * ux, y1 - 14 * uy
    line = f"M{x0:.1f} {y0:.1f}L{neck_x:.1f} {neck_y:.1f}"
    head = f"M{x1:.1f} {y1:.1f}L{neck_x - 8 * uy:.1f} {neck_y + 8 * ux:.1f}L{neck_x + 8 * uy:.1f} {neck_y - 8 * ux:.1f}Z"
    return (
        tag("path", d=line, stroke=TILE, stroke_width=7.5, stroke_linecap="round")
        + tag(
            "path",
            d=head,
            fill=colour,
            stroke=TILE,
            stroke_width=4,
            stroke_linejoin="round",
            paint_order="stroke",
        )
        + tag("path", d=line, stroke=colour, stroke_width=3.5, stroke_dasharray=dash)
    )


def _targets(state: Any, checkers: np.ndarray, marks: Marks, reached: frozenset[int]) -> list[str]:
    """The places to click, spoken by the numbers of the player to move."""
    mover = state.next_player
    parts = []
    for place in PLACES[:-1]:
        player, count = _stack(checkers, place)
        if place in (*BARS, *TRAYS):
            owner = "XO"[(BARS if place in BARS else TRAYS).index(place)]
            name = f"{'bar' if place in BARS else 'off'} of {owner}, {count}"
        else:
            name = f"{point_of(mover, place)}-point, " + (
                f"{count} {'XO'[player]}" if count else "empty"
            )
        if place in reached:
            name += ", can be reached"
        x, y = _spot(place, count if place in reached else max(0, count - 1))
        style = (
            {"fill": PLAYER_COLOURS[mover]}
            if place in reached
            else {"fill": "none", "stroke": INK, "stroke_width": 8}
        )
        shape = tag("rect", **_box(place), rx=6, fill="transparent")
        if place in (marks.targets or ()) and place not in reached:
            parts.append(
                tag("circle", cx=x, cy=y, r=RADIUS - 0.5, fill="none", stroke=INK, stroke_width=2)
            )
        parts.append(
            target(place, name, shape, tag("circle", cx=x, cy=y, r=RADIUS, **style), marks)
        )
    high, low = state.dice
    if high and not state.is_over():
        parts.append(_dice_target(mover, f"dice {high} and {low}", marks))
    return parts


def _dice_target(mover: int, name: str, marks: Marks) -> str:
    """The dice; in a turn that passes, instead of them a button to pass in the other half."""
    passes = DICE in (marks.targets or ())
    right = (mover == 0) != passes
    width = 192
    x = X0 + (9 * COLUMN + BAR_WIDTH if right else 3 * COLUMN) - width / 2
    box = {"x": x, "y": MIDDLE - 21, "width": width, "height": 42, "rx": 8}
    shape = tag("rect", **box, fill="transparent")
    if passes:
        button = tag("rect", **box, fill=WOOD, stroke=INK, stroke_width=2)
        shape = button + text(x + width / 2, MIDDLE, "No move: pass", 17, font_weight=600) + shape
        name += ", nothing can be moved: pass"
    return target(DICE, name, shape, "", marks)


def _pips(board: np.ndarray) -> int:
    return int(board @ np.append(np.arange(1, 26), 0))


def _aloud(checkers: np.ndarray, player: int) -> str:
    own = checkers[player]
    points = (
        ", ".join(f"{own[i]} on {i + 1}" for i in range(23, -1, -1) if own[i])
        or "nothing on the board"
    )
    return f"{'XO'[player]}: {points}; bar {own[24]}, off {own[25]}, pip count {_pips(own)}."
