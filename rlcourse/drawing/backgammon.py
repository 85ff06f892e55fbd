"""Backgammon as SVG, always seen by X, who bears off at the bottom right; O bears off at the top.

The numbers on the rim count from the side of the player to move, as in written moves, and from X's
side when the game is over. A click selects a location, which is one number: 1 to 24 are X's points,
followed by the two bars, the two trays of borne-off checkers, and the dice or the button to pass.
"""

from collections import Counter
from math import hypot
from typing import Any

import numpy as np

from rlcourse.drawing.backgammon_places import (
    BAR_WIDTH,
    BARS,
    COLUMN,
    DICE,
    HEIGHT,
    MIDDLE,
    MOST_DRAWN,
    PLACES,
    POINT_LENGTH,
    RADIUS,
    TRAY_WIDTH,
    TRAY_X,
    TRAYS,
    WIDTH,
    X0,
    Y0,
    Y1,
    aloud,
    box_of,
    pips,
    place_of,
    point_of,
    spot_of,
    stack_at,
    x_of,
)
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
    halo,
    number_text,
    piece,
    square,
    symbol,
    tag,
    target,
    text,
)

_GAMES = {1: "a single game", 2: "a gammon", 3: "a backgammon"}
# The dots of a die, numbered 1 to 9 row by row.
_DOTS = {1: "5", 2: "19", 3: "159", 4: "1379", 5: "13579", 6: "134679"}


def won_text(points: float) -> str:
    """The size of a win, such as "a gammon, 2 points". points: +-1, +-2 or +-3."""
    size = abs(int(points))
    unit = "point" if size == 1 else "points"
    return f"{_GAMES[size]}, {size} {unit}"


def describe(state: Any) -> str:
    """The player to move and the dice, or the result, such as "X to play 3-1"."""
    if state.is_over():
        winner = "X" if state.points > 0 else "O"
        return f"{winner} has won {won_text(state.points)}"
    high, low = state.dice
    task = f"play {high}-{low}" if high else "throw"
    return f"{'XO'[state.next_player]} to {task}"


def draw(
    state: Any,
    marks: Marks | None = None,
    *,
    checkers: np.ndarray | None = None,
    left: tuple[int, ...] | None = None,
    reached: frozenset[int] = frozenset(),
) -> str:
    """SVG of a position.

    `marks.last` and each of `marks.best` is a move as (player, steps); `marks.picked` are
    locations. During a turn, `checkers` [2, 26] is the board after the steps so far, `left` the
    dice not yet played, and `reached` the locations that the selected checker can reach.
    """
    marks = marks or Marks()
    in_turn = checkers is not None
    checkers = state.checkers if checkers is None else checkers
    body = [_field(0 if state.is_over() else state.next_player)]
    body += [_plate(state, checkers, player, marks.win) for player in (0, 1)]
    if marks.win is not None:
        body.append(_win_bar(marks.win))
    for place in PLACES[:-1]:
        body.append(_stack_drawn(checkers, place, place in reached, marks))
    if not state.is_over() and state.dice[0]:
        body.append(_dice(state, left, marks))
    # During a turn the arrows of whole moves no longer start where the checkers are.
    if not in_turn:
        if marks.last:
            body.append(_arrows(checkers, *marks.last, arrived=True))
            arrivals = sorted(_arrivals(checkers, *marks.last))
            body += [halo(*spot, RADIUS + 1, marks) for spot in arrivals]
        hint = {marks.hint} if marks.hint else set()
        for player, steps in sorted(marks.best | hint):
            body.append(_arrows(checkers, player, steps, arrived=False))
    if marks.targets is not None:
        body += _targets(state, checkers, marks, reached)
    return frame(
        WIDTH,
        HEIGHT,
        "".join(body),
        title=f"Backgammon: {describe(state)}",
        description=" ".join(aloud(checkers, player) for player in (0, 1)),
        marks=marks,
    )


def _field(next_player: int) -> str:
    """The empty board with the numbers of the points."""
    field = ""
    for left in (X0, X0 + 6 * COLUMN + BAR_WIDTH):
        box = {"x": left, "y": Y0, "width": 6 * COLUMN, "height": Y1 - Y0}
        field += tag("rect", **box, fill=TILE, stroke=EDGE)
    for tray in TRAYS:
        field += tag("rect", **box_of(tray), rx=6, fill=TILE, fill_opacity=0.6, stroke=EDGE)
    for place in range(1, 25):
        x = x_of(place)
        if place >= 13:
            base, tip, label_y = Y0, Y0 + POINT_LENGTH, Y0 - 12
        else:
            base, tip, label_y = Y1, Y1 - POINT_LENGTH, Y1 + 12
        corners = f"M{x - COLUMN / 2 + 1:g} {base}L{x:g} {tip}L{x + COLUMN / 2 - 1:g} {base}Z"
        field += tag("path", d=corners, fill=(EDGE, WOOD)[place % 2])
        field += text(x, label_y, str(point_of(next_player, place)), 18, fill=COORDINATES)
    return field


def _checker(x: float, y: float, player: int, label: str = "") -> str:
    """A checker with its player's symbol, or with a label in its place."""
    colour = PLAYER_COLOURS[player]
    disc = tag("circle", cx=x, cy=y, r=RADIUS, fill=colour, stroke=TILE, stroke_width=1.5)
    if label:
        return disc + text(x, y, label, 17, fill="#FFFFFF", font_weight=700)
    return disc + symbol(player, x, y, 6.5, 3.5, TILE)


def _plate(state: Any, checkers: np.ndarray, player: int, win: float | None) -> str:
    """A player's line above or below the board: pip count, task or win, chance of winning."""
    y = HEIGHT - 20 if player == 0 else 20
    line, weight = f"pip count {pips(checkers[player])}", 400
    if state.is_over():
        if (state.points > 0) == (player == 0):
            line += f", wins {won_text(state.points)}"
    elif player == state.next_player:
        line += ", to play {}-{}".format(*state.dice) if state.dice[0] else ", to throw"
        weight = 700
    plate = tag("circle", cx=X0 + 10, cy=y, r=11, fill=PLAYER_COLOURS[player])
    plate += symbol(player, X0 + 10, y, 4.2, 2.6, TILE)
    plate += text(X0 + 28, y, line, 18, text_anchor="start", font_weight=weight)
    if win is not None:
        share = number_text(win if player == 0 else 1 - win, "share")
        right = X0 + 12 * COLUMN + BAR_WIDTH
        plate += text(right, y, f"wins {share}", 18, text_anchor="end", font_weight=600)
    return plate


def _win_bar(win: float) -> str:
    """A vertical bar: X's probability of winning from the bottom, O's from the top."""
    height = Y1 - Y0
    split = Y1 - height * min(1.0, max(0.0, win))
    return (
        tag("rect", x=11, y=Y0, width=14, height=split - Y0, fill=PLAYER_COLOURS[1])
        + tag("rect", x=11, y=split, width=14, height=Y1 - split, fill=PLAYER_COLOURS[0])
        + tag("path", d=f"M7 {split:.1f}H29", stroke=INK, stroke_width=3)
        + tag("path", d=f"M11 {MIDDLE}H25", stroke=TILE, stroke_width=1.5)
    )


def _stack_drawn(checkers: np.ndarray, place: int, reached: bool, marks: Marks) -> str:
    """The checkers at a location; `reached`: highlighted, with a ring for the next checker."""
    player, count = stack_at(checkers, place)
    stack = tag("rect", **box_of(place), rx=6, fill=GOOD, fill_opacity=0.4) if reached else ""
    if place in TRAYS:
        return stack + _tray(place, player, count, marks)
    drawn = min(count, 4 if place in BARS else MOST_DRAWN)
    for k in range(drawn):
        # The last checker of a stack that is too high to draw shows the number of checkers.
        label = str(count) if k == drawn - 1 and count > drawn else ""
        spot = spot_of(place, k)
        stack += piece("XO"[player], *spot, _checker(*spot, player, label), marks, "slides")
    if reached:
        stack += _ring(spot_of(place, count), INK, 2.5, "5 4")
    return stack


def _tray(place: int, player: int, count: int, marks: Marks) -> str:
    """The checkers borne off, seen from the side, and their number."""
    tray, colour, x, width = "", PLAYER_COLOURS[player], TRAY_X + 4, TRAY_WIDTH - 8
    for k in range(count):
        y = Y1 - 14 - 11 * k if place == TRAYS[0] else Y0 + 4 + 11 * k
        slab = tag("rect", x=x, y=y, width=width, height=10, rx=3, fill=colour)
        tray += piece("XO"[player], x + width / 2, y + 5, slab, marks, "slides")
    label_y = MIDDLE + 20 if place == TRAYS[0] else MIDDLE - 20
    return tray + text(x_of(place), label_y, f"{count} off", 15, fill=COORDINATES)


def _ring(centre: tuple[float, float], colour: str, width: float, dash: str) -> str:
    ring = {"cx": centre[0], "cy": centre[1], "r": RADIUS - 3, "fill": "none"}
    return tag("circle", **ring, stroke=colour, stroke_width=width, stroke_dasharray=dash)


def _dice(state: Any, left: tuple[int, ...] | None, marks: Marks) -> str:
    """The dice in their player's colour and half of the board; played dice are faint."""
    high, low = state.dice
    thrown = [high] * 4 if high == low else [high, low]
    unplayed = Counter(thrown if left is None else left)
    centre = X0 + (9 * COLUMN + BAR_WIDTH if state.next_player == 0 else 3 * COLUMN)
    colour, dice = PLAYER_COLOURS[state.next_player], ""
    for k, die in enumerate(thrown):
        x = centre + 46 * (k - (len(thrown) - 1) / 2)
        body = square(x, MIDDLE, 18, 8, fill=colour)
        for dot in map(int, _DOTS[die]):
            column, row = (dot - 1) % 3 - 1, (dot - 1) // 3 - 1
            body += tag("circle", cx=x + 10 * column, cy=MIDDLE + 10 * row, r=3.6, fill=TILE)
        body = tag("g", body, opacity=None if unplayed[die] > 0 else 0.25)
        dice += piece(f"{die}", x, MIDDLE, body, marks, "rolls")
        unplayed[die] -= 1
    return dice


def _arrows(checkers: np.ndarray, player: int, steps: Any, *, arrived: bool) -> str:
    """An arrow for each step.

    `arrived`: the steps have been played, and the arrows lead from rings to the moved checkers.
    """
    parts, counts = [], checkers[player].astype(int)
    colour, dash = (PLAYER_COLOURS[player], None) if arrived else (INK, "9 5")
    for (start, end), times in Counter(steps).items():
        at_start, at_end = counts[start - 1], counts[end - 1]
        # The moving checker is the top one where it stands, and lies on top where it does not.
        if arrived:
            at_end = max(0, at_end - 1)
        else:
            at_start = max(0, at_start - 1)
        begin = spot_of(place_of(player, start), at_start)
        finish = spot_of(place_of(player, end), at_end)
        if arrived:
            parts.append(_ring(begin, colour, 2, "4 3"))
        parts.append(_arrow(*begin, *finish, RADIUS if arrived else 0, colour, dash))
        if times > 1 and hypot(finish[0] - begin[0], finish[1] - begin[1]) > 70:
            x, y = (begin[0] + finish[0]) / 2, (begin[1] + finish[1]) / 2
            parts.append(tag("circle", cx=x, cy=y, r=12, fill=TILE, stroke=colour))
            parts.append(text(x, y, f"{times}\N{MULTIPLICATION SIGN}", 13))
    return "".join(parts)


def _arrivals(checkers: np.ndarray, player: int, steps: Any) -> set[tuple[float, float]]:
    """Where the moved checkers lie, the last of their stacks."""
    ends = {end for _, end in steps if end and checkers[player, end - 1]}
    return {spot_of(place_of(player, end), int(checkers[player, end - 1]) - 1) for end in ends}


def _arrow(
    x0: float, y0: float, x1: float, y1: float, short: float, colour: str, dash: str | None
) -> str:
    """An arrow with a light edge from (x0, y0) to (x1, y1), shortened by `short` at both ends."""
    length = max(1.0, hypot(x1 - x0, y1 - y0))
    ux, uy = (x1 - x0) / length, (y1 - y0) / length
    x0, y0, x1, y1 = x0 + short * ux, y0 + short * uy, x1 - short * ux, y1 - short * uy
    neck_x, neck_y = x1 - 14 * ux, y1 - 14 * uy
    line = f"M{x0:.1f} {y0:.1f}L{neck_x:.1f} {neck_y:.1f}"
    left = f"{neck_x - 8 * uy:.1f} {neck_y + 8 * ux:.1f}"
    right = f"{neck_x + 8 * uy:.1f} {neck_y - 8 * ux:.1f}"
    head = f"M{x1:.1f} {y1:.1f}L{left}L{right}Z"
    edge = {"stroke": TILE, "stroke_width": 4, "stroke_linejoin": "round"}
    return (
        tag("path", d=line, stroke=TILE, stroke_width=7.5, stroke_linecap="round")
        + tag("path", d=head, fill=colour, **edge, paint_order="stroke")
        + tag("path", d=line, stroke=colour, stroke_width=3.5, stroke_dasharray=dash)
    )


def _targets(state: Any, checkers: np.ndarray, marks: Marks, reached: frozenset[int]) -> list[str]:
    """The clickable locations; their spoken names use the point numbers of the player to move."""
    mover = state.next_player
    parts = []
    for place in PLACES[:-1]:
        player, count = stack_at(checkers, place)
        name = _spoken_name(place, mover, player, count)
        shape = tag("rect", **box_of(place), rx=6, fill="transparent")
        if place in reached:
            name += ", can be reached"
            x, y = spot_of(place, count)
            ghost = tag("circle", cx=x, cy=y, r=RADIUS, fill=PLAYER_COLOURS[mover])
        else:
            x, y = spot_of(place, max(0, count - 1))
            outline = {"fill": "none", "stroke": INK}
            ghost = tag("circle", cx=x, cy=y, r=RADIUS, **outline, stroke_width=8)
            if place in (marks.targets or ()):
                parts.append(tag("circle", cx=x, cy=y, r=RADIUS - 0.5, **outline, stroke_width=2))
        parts.append(target(place, name, shape, ghost, marks))
    high, low = state.dice
    if high and not state.is_over():
        parts.append(_dice_target(mover, f"dice {high} and {low}", marks))
    return parts


def _spoken_name(place: int, mover: int, player: int, count: int) -> str:
    """The name of a location with `count` checkers of `player`, by the mover's point numbers."""
    if place in BARS:
        return f"bar of {'XO'[BARS.index(place)]}, {count}"
    if place in TRAYS:
        return f"off of {'XO'[TRAYS.index(place)]}, {count}"
    checkers = f"{count} {'XO'[player]}" if count else "empty"
    return f"{point_of(mover, place)}-point, {checkers}"


def _dice_target(mover: int, name: str, marks: Marks) -> str:
    """The dice, or for a turn without a legal move the button to pass in the other half."""
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
