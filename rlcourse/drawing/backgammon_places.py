"""The locations of a drawn backgammon board: their numbers, where they are, what lies on them.

1 to 24 are X's points, followed by the two bars, the two trays of borne-off checkers, and the dice
or the button to pass.
"""

import numpy as np

BARS, TRAYS, DICE = (25, 26), (27, 28), 29  # by player
PLACES = (*range(1, 25), *BARS, *TRAYS, DICE)
WIDTH, HEIGHT = 656, 566
# The field: left, top, bottom, and the line between its halves.
X0, Y0, Y1, MIDDLE = 36, 60, 504, 282
COLUMN, BAR_WIDTH, TRAY_X, TRAY_WIDTH = 42, 48, 600, 46
RADIUS, STEP, POINT_LENGTH, MOST_DRAWN = 18, 37, 196, 5


def place_of(player: int, point: int) -> int:
    """The location of a player's own point 1 to 24, of their bar (25) or their tray (0)."""
    if point in (0, 25):
        return (BARS if point else TRAYS)[player]
    return point if player == 0 else 25 - point


def point_of(player: int, place: int) -> int | None:
    """The player's own point at a location: 25 is the bar, 0 is off; None if there is none."""
    if place in (*BARS, *TRAYS, DICE):
        return {BARS[player]: 25, TRAYS[player]: 0}.get(place)
    return place if player == 0 else 25 - place


def x_of(place: int) -> float:
    """The x of the middle of a point, a bar or a tray."""
    if place in BARS:
        return X0 + 6 * COLUMN + BAR_WIDTH / 2
    if place in TRAYS:
        return TRAY_X + TRAY_WIDTH / 2
    from_left = 12 - place if place <= 12 else place - 13
    right_half = BAR_WIDTH if from_left >= 6 else 0
    return X0 + COLUMN * (from_left + 0.5) + right_half


def spot_of(place: int, k: int) -> tuple[float, float]:
    """(x, y) of checker k (from 0) at a location; further ones share the spot of the last drawn."""
    x, k = x_of(place), min(k, MOST_DRAWN - 1)
    if place in BARS:
        depth = 44 + STEP * min(k, 3)
        return x, MIDDLE - depth if place == BARS[0] else MIDDLE + depth
    if place in TRAYS:
        return x, Y1 - 40 if place == TRAYS[0] else Y0 + 40
    depth = RADIUS + 3 + STEP * k
    return x, Y0 + depth if place >= 13 else Y1 - depth


def box_of(place: int) -> dict[str, float]:
    """The rectangle of a location as attributes of an SVG element."""
    if place <= 24:
        top, width, height = place >= 13, COLUMN, POINT_LENGTH
    else:
        top, height = place in (BARS[0], TRAYS[1]), MIDDLE - Y0 - 4
        width = BAR_WIDTH if place in BARS else TRAY_WIDTH
    return {
        "x": x_of(place) - width / 2,
        "y": Y0 if top else Y1 - height,
        "width": width,
        "height": height,
    }


def stack_at(checkers: np.ndarray, place: int) -> tuple[int, int]:
    """(owner, number) of the checkers at a location."""
    for player in (0, 1):
        point = point_of(player, place)
        if point is not None and checkers[player, point - 1]:  # off, 0, is the last column
            return player, int(checkers[player, point - 1])
    return 0, 0


def pips(board: np.ndarray) -> int:
    """The pip count of a player's board [26]: how far all checkers have to go."""
    return int(board @ np.append(np.arange(1, 26), 0))


def aloud(checkers: np.ndarray, player: int) -> str:
    """The checkers of one player for a screen reader."""
    own = checkers[player]
    stacks = [f"{own[i]} on {i + 1}" for i in range(23, -1, -1) if own[i]]
    points = ", ".join(stacks) or "nothing on the board"
    return f"{'XO'[player]}: {points}; bar {own[24]}, off {own[25]}, pip count {pips(own)}."
