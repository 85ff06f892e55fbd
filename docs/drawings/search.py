"""Alpha-beta, and the four steps of Monte Carlo tree search."""

from math import hypot

from docs.drawings.parts import arrow, end, label, line, sheet, state, tag

ROOT, LEFT, RIGHT, INNER, OUTER = (0, 0), (-46, 50), (46, 50), (14, 104), (78, 104)
TREE = ((ROOT, LEFT), (ROOT, RIGHT), (RIGHT, INNER), (RIGHT, OUTER))
PATH = ((ROOT, RIGHT), (RIGHT, INNER))
LEAF = (14, 158)


def tree_search() -> str:
    """Select, expand, simulate or evaluate, back up."""
    panels = (
        (120, 64, "1 Select", "highest mean + bonus"),
        (380, 64, "2 Expand", "add one new position"),
        (120, 276, "3 Evaluate", "rollout or value network"),
        (380, 276, "4 Back up", "update the whole path"),
    )
    body = [
        line((260, 12), (260, 412), colour="edge", width=1.5),
        line((12, 212), (508, 212), colour="edge", width=1.5),
    ]
    for number, (x, y, name, words) in enumerate(panels, 1):
        body.append(label(x - 108, y - 42, name, anchor="start", bold=True))
        body.append(label(x - 108, y + 126, words, anchor="start"))
        body.append(_panel(x + 14, y - 24, number))
    return sheet(
        424,
        "".join(body),
        title="The four steps of Monte Carlo tree search",
        description=(
            "Four pictures of one tree. 1 Select: from the root down along the edges with the "
            "highest mean value plus bonus. 2 Expand: add one new position below. 3 Evaluate: play"
            " on to the end by a rollout, or ask a value network. 4 Back up: carry the value to "
            "every position on the path, up to the root."
        ),
    )


def _panel(x: float, y: float, number: int) -> str:
    def at(place: tuple[int, int]) -> tuple[float, float]:
        return x + place[0], y + 0.78 * place[1]

    body = [line(at(a), at(b), colour="edge") for a, b in TREE]
    if number == 1:
        body += [line(at(a), at(b), colour="first", width=4) for a, b in PATH]
    if number > 1:
        body.append(
            line(
                at(INNER),
                at(LEAF),
                colour="first" if number == 2 else "edge",
                width=4 if number == 2 else 2,
            )
        )
    nodes = [ROOT, LEFT, RIGHT, INNER, OUTER, *([LEAF] if number > 1 else [])]
    marked = {1: [ROOT, RIGHT, INNER], 2: [LEAF], 3: [LEAF], 4: [ROOT, RIGHT, INNER, LEAF]}[number]
    for place in nodes:
        fill = "second-tint" if number == 4 else "first-tint"
        hot = place in marked
        body.append(
            state(
                *at(place),
                r=11,
                fill=fill if hot else "ground",
                stroke=("second" if number == 4 else "first") if hot else "ink",
            )
        )
    if number == 3:
        px, py = at(LEAF)
        zigzag = f"M{px + 12:g} {py:g}q8 -10 16 0t16 0t16 0t16 0"
        body.append(tag("path", d=zigzag, fill="none", stroke_width=2, class_="s-second"))
        body.append(tag("rect", x=px + 77, y=py - 9, width=18, height=18, class_="f-second"))
    if number == 4:
        for a, b in ((LEAF, INNER), (INNER, RIGHT), (RIGHT, ROOT)):
            (ax, ay), (bx, by) = at(a), at(b)
            length = hypot(bx - ax, by - ay)
            right = 17 * (ay - by) / length, 17 * (bx - ax) / length
            body.append(
                arrow(
                    (ax + right[0], ay + right[1]), (bx + right[0], by + right[1]), colour="second"
                )
            )
    return "".join(body)


def alpha_beta() -> str:
    """Two moves: the first is worth 0, the second is refuted by its first reply."""
    root, moves = (260, 40), ((140, 120), (380, 120))
    body = [label(278, 40, "our move", anchor="start", bold=True)]
    body += [line(root, place) for place in moves]
    replies = {140: ((90, "0"), (190, "+1")), 380: ((300, "−1"), (380, "?"), (460, "?"))}
    for x, ends in replies.items():
        for place, value in ends:
            cut = value == "?"
            look = {"colour": "edge", "dash": True} if cut else {}
            body.append(line((x, 120), (place, 200), **look))
            body.append(end(place, 200, reach=8, fill="edge" if cut else "ink"))
            body.append(label(place, 226, value, colour="soft" if cut else "ink", bold=not cut))
    # The pair of strokes through the two branches that are not visited.
    body += [line((366, 172), (446, 156), colour="second", width=3)]
    body += [line((368, 182), (454, 165), colour="second", width=3)]
    body += [state(*root, r=12, fill="first-tint", stroke="first")]
    body += [state(*place, r=12, fill="second-tint", stroke="second") for place in moves]
    body.append(label(118, 112, "worth 0", anchor="end"))
    body.append(label(402, 112, "at most −1", anchor="start"))
    body.append(label(16, 254, "α = 0 after the first move", anchor="start"))
    body.append(label(504, 254, "cut: −1 is less than α", anchor="end", colour="second"))
    return sheet(
        272,
        "".join(body),
        title="Alpha-beta: what need not be looked at",
        description=(
            "A tree of two moves. The opponent has two replies to the first, which end in 0 and +1 "
            "for us, so the first move is worth 0. The first of three replies to the second move "
            "ends in -1, so this move is worth at most -1, and the other two replies are cut off."
        ),
    )
