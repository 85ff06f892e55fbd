"""Drawings of backgammon: the board, the units of a network, and the choice of an afterstate."""

from typing import Any

from docs.drawings.parts import WIDTH, arrow, box, brace, label, line, sheet, state, tag, titled

COLUMN, BAR, LEFT = 33, 28, 14  # widths of a point and of the bar, and where the board begins
TOP, BOTTOM = 38, 246
RADIUS, REACH = 13, 96  # of a checker, and how far a stack reaches into the board
COLOUR = ("first", "second")  # of X and of O


def board(checkers: Any) -> str:
    """The points, the checkers on them and on the bar, and how many are off.

    checkers [2, 26], as X sees the board: X bears off at the bottom right.
    """
    right = LEFT + 12 * COLUMN + BAR
    body = [_triangle(point) for point in range(1, 25)]
    body.append(
        tag(
            "rect",
            x=_x(6) - COLUMN / 2 - BAR,
            y=TOP,
            width=BAR,
            height=BOTTOM - TOP,
            class_="f-box",
        )
    )
    for player, fill in enumerate(COLOUR):
        for own in range(1, 25):
            body += _stack(own if player == 0 else 25 - own, checkers[player, own - 1], fill)
        x, middle = _x(6) - COLUMN / 2 - BAR / 2, (TOP + BOTTOM) / 2
        for k in range(checkers[player, 24]):
            y = middle + (-1 if player == 0 else 1) * (24 + 16 * k)
            body.append(tag("circle", cx=x, cy=y, r=RADIUS, class_=f"f-{fill} s-ground"))
        y = BOTTOM - 14 if player == 0 else TOP + 14
        body.append(label(right + 10, y, f"{checkers[player, 25]} off", anchor="start"))
    return "".join(body)


def _x(point: int) -> float:
    """The middle of a point, numbered as X counts."""
    from_left = 12 - point if point <= 12 else point - 13
    return LEFT + COLUMN * (from_left + 0.5) + (BAR if from_left >= 6 else 0)


def _triangle(point: int) -> str:
    x, half = _x(point), COLUMN / 2 - 1
    base, tip = (TOP, TOP + REACH) if point >= 13 else (BOTTOM, BOTTOM - REACH)
    path = f"M{x - half:g} {base}L{x:g} {tip}L{x + half:g} {base}Z"
    return tag("path", d=path, class_=f"f-{'box' if point % 2 else 'edge'}")


def _stack(point: int, count: int, fill: str) -> list[str]:
    """The checkers of one point, closer together where there are many."""
    apart = min(2 * RADIUS - 2, (REACH - 2 * RADIUS) / max(1, count - 1))
    circles = []
    for k in range(count):
        depth = RADIUS + 1 + apart * k
        y = TOP + depth if point >= 13 else BOTTOM - depth
        circles.append(
            tag("circle", cx=_x(point), cy=round(y, 1), r=RADIUS, class_=f"f-{fill} s-ground")
        )
    return circles


def units() -> str:
    """Four units for the checkers on a point, and what the 198 consist of."""
    rows = ("a blot", "a made point", "one spare", "more spares")
    columns = (
        ("0", "0", "0", "0"),
        ("1", "0", "0", "0"),
        ("0", "1", "0", "0"),
        ("0", "1", "1", "0"),
        ("0", "1", "0", "0.5"),
        ("0", "1", "0", "1"),
    )
    body = [label(16, 100, "checkers on the point", anchor="start")]
    for row, name in enumerate(rows):
        body.append(label(16, 134 + 30 * row, name, anchor="start"))
    for count, numbers in enumerate(columns):
        x = 226 + 53 * count
        for k in range(count):
            body.append(tag("circle", cx=x, cy=76 - 15 * k, r=7, class_="f-first"))
        body.append(label(x, 100, str(count), bold=True))
        for row, number in enumerate(numbers):
            fill = "ground" if number == "0" else "first-tint"
            body.append(box(x, 134 + 30 * row, 46, 26, number, fill=fill))
    parts = (
        (16, 132, "24 × 4", "first-tint"),
        (148, 70, "bar, off", "first-tint"),
        (226, 132, "24 × 4", "second-tint"),
        (358, 70, "bar, off", "second-tint"),
        (436, 68, "1   0", "shade"),
    )
    for left, width, words, fill in parts:
        body.append(box(left + width / 2, 274, width, 34, words, fill=fill))
    body += [
        *(brace(left, right, 296, "") for left, right in ((16, 218), (226, 428), (436, 504))),
        label(117, 334, "98 of the player\nwho rolls next", colour="soft"),
        label(327, 334, "98 of the\nopponent", colour="soft"),
        label(470, 334, "whose\nroll", colour="soft"),
    ]
    return sheet(
        362,
        "".join(body),
        title="The 198 units of a position",
        description=(
            "Above: the four units of a point with 0 to 5 checkers. None: 0 0 0 0. One, a blot: 1 "
            "0 0 0. Two, a made point: 0 1 0 0. Three, one spare: 0 1 1 0. Four: 0 1 0 0.5. Five: "
            "0 1 0 1. Below: the 198 in order. Four units for each of 24 points and two for the "
            "bar and the checkers off make 98 for the player who rolls next; 98 of the opponent "
            "follow; the last two say whose roll it is and are always 1 and 0."
        ),
    )


# The plays that lesson 05 prints for the opening roll 3-1, with O's chance after each.
CHOICE = (("8/5 6/5", 0.45), ("24/23 13/10", 0.50), ("24/20", 0.51))


def afterstates() -> str:
    """X values three afterstates of a roll and takes the one that is worst for O."""
    root, xs = (260, 46), (90, 260, 430)
    worst = min(chance for _, chance in CHOICE)
    body = [
        titled(*root, 190, 52, "the start", "X has rolled 3-1", fill="first-tint", stroke="first")
    ]
    for x, (play, chance) in zip(xs, CHOICE, strict=True):
        chosen = chance == worst
        ink, width = ("first", 4) if chosen else ("ink", 2)
        if play == "24/20":  # the 3 first or the 1 first: two ways to one position
            body.append(arrow((322, 73), (416, 182), bend=18, colour=ink))
            body.append(arrow((322, 73), (416, 182), bend=-18, colour=ink))
            body.append(label(452, 116, "3 first or\n1 first", colour="soft"))
        else:
            start = (208, 73) if x < 260 else (260, 73)
            body.append(arrow(start, (x, 178), colour=ink, width=width))
        fill = {"fill": "second-tint", "stroke": "second"}
        body.append(state(x, 200, r=20, **fill) + label(x, 234, play, bold=chosen))
        body.append(label(x, 258, f"O wins {chance:.2f}", bold=chosen))
        for k in (-2, -1, 0, 1, 2):
            body.append(
                line((x + 8 * k, 272), (x + 22 * k, 306), colour="soft", width=1.5, dash=True)
            )
    body += [
        label(16, 116, "16 plays, three\nof them here", colour="soft", anchor="start"),
        label(90, 200, "V", bold=True),
        label(260, 200, "V", bold=True),
        label(430, 200, "V", bold=True),
        label(
            WIDTH / 2,
            322,
            "O's 21 rolls come later and are not part of the afterstate",
            colour="soft",
        ),
    ]
    return sheet(
        340,
        "".join(body),
        title="The choice of an afterstate",
        description=(
            "X has rolled 3-1 at the start. Arrows lead from there to three of 16 afterstates, "
            "in which O rolls next. The network gives O the chance 0.45 after 8/5 6/5, 0.50 after "
            "24/23 13/10 and 0.51 after 24/20. Two arrows lead to the last of them, because the 3 "
            "or the 1 may be played first. X takes 8/5 6/5, the worst for O. Dashed lines below "
            "each afterstate are the rolls of O, which are still to come."
        ),
    )
