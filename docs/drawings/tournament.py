"""Drawings for the tournament: Elo's step, a best response, a cycle of players, probe games."""

from docs.drawings.parts import arrow, end, label, line, sheet, state, titled


def elo_update() -> str:
    """Two ratings before and after a game that the weaker player wins."""

    def at(rating: float) -> float:
        return 60 + 400 * (rating - 1_350) / 300

    # 1,600 against 1,400 and K = 16: the stronger player expects 0.76 and gets 0.
    players = (("A", 1_600, -12.2, "first"), ("B", 1_400, +12.2, "second"))
    body = [label(16, 20, "A was expected to score 76%, and lost.", anchor="start", bold=True)]
    for y, words in ((84, "before"), (164, "after")):
        body.append(line((60, y), (460, y), colour="edge", width=1.5))
        body.append(label(16, y - 34, words, anchor="start", colour="soft"))
    for name, rating, change, colour in players:
        body.append(label(at(rating), 58, f"{name}: {rating:,}", bold=True))
        body.append(state(at(rating), 84, r=8, fill=colour, stroke=colour))
        after = at(rating + change)
        body.append(line((at(rating), 96), (at(rating), 164), colour="edge", width=1.5, dash=True))
        body.append(state(after, 164, r=8, fill=colour, stroke=colour))
        body.append(label(after, 190, f"{rating + change:,.1f}", bold=True))
        side = -1 if change < 0 else 1
        body.append(arrow((at(rating), 136), (after + 2 * side, 136), colour=colour))
        body.append(label(at(rating) + side * 42, 136, f"{change:+.1f}".replace("-", "−")))
    body.append(label(260, 216, "What A loses, B gains: the sum stays.", colour="soft"))
    return sheet(
        234,
        "".join(body),
        title="One step of Elo's rule",
        description=(
            "Player A has a rating of 1,600 and player B one of 1,400, so A is expected to score "
            "76%. A loses. A's rating falls by 12.2 to 1,587.8 and B's rises by 12.2 to 1,412.2."
        ),
    )


def best_response() -> str:
    """A game tree in which one player is known: below its positions there is one branch."""
    root, champions = (260, 36), ((130, 106), (390, 106))
    ours = ((130, 176), (390, 176))
    values = {130: ("−1", "0"), 390: ("+1", "0")}
    body = [label(280, 34, "our move: try every one", anchor="start", bold=True)]
    body += [line(root, place) for place in champions]
    for (x, y), below in zip(champions, ours, strict=True):
        # What the champion never plays is not part of the tree.
        for side in (-1, 1):
            body.append(line((x, y), (x + 58 * side, y + 42), colour="edge", dash=True))
        body.append(line((x, y), below, colour="second", width=4))
        for side, value in zip((-1, 1), values[x], strict=True):
            best = value == "+1"
            look = {"colour": "first", "width": 4} if best else {}
            body.append(line(below, (below[0] + 50 * side, 240), **look))
            body.append(end(below[0] + 50 * side, 240, reach=8))
            body.append(label(below[0] + 50 * side, 266, value, bold=best))
    body.append(line(root, champions[1], colour="first", width=4))
    body += [state(*root, r=12, fill="first-tint", stroke="first")]
    body += [state(*place, r=12, fill="second-tint", stroke="second") for place in champions]
    body += [state(*place, r=12, fill="first-tint", stroke="first") for place in ours]
    body.append(label(260, 100, "the champion\nplays one move,\nalways the same"))
    body.append(label(260, 188, "our move"))
    body.append(label(260, 266, "for us", colour="soft"))
    return sheet(
        284,
        "".join(body),
        title="A best response to a player that is known",
        description=(
            "A game tree. In our positions every move is tried. In the champion's positions only "
            "the one move that it plays is followed; its other moves are dashed and lead nowhere. "
            "The ends are worth −1, 0, +1 and 0 for us, so our best response is worth +1."
        ),
    )


def non_transitive() -> str:
    """Three players, each of whom beats the next."""
    body = [
        titled(260, 42, 220, 58, "specialist", "knows two lines"),
        titled(408, 182, 196, 58, "the champion", "4,500 games"),
        titled(112, 182, 196, 58, "the beginner", "500 games"),
        arrow((318, 72), (384, 151), colour="first", width=3),
        arrow((309, 182), (212, 182), colour="first", width=3),
        arrow((136, 152), (202, 73), colour="first", width=3),
        label(364, 104, "100%", anchor="start", bold=True),
        label(260, 164, "100%", bold=True),
        label(156, 104, "66%", anchor="end", bold=True),
    ]
    return sheet(
        224,
        "".join(body),
        title="Three players whose results are non-transitive",
        description=(
            "An arrow leads from the winner to the loser of a match. The specialist scores 100% "
            "against the champion, the champion 100% against the beginner, and the beginner 66% "
            "against the specialist."
        ),
    )


def probe_games() -> str:
    """Four games of one or two plies, with the right value of each first move."""
    body = [
        line((260, 12), (260, 290), colour="edge", width=1.5),
        line((12, 150), (508, 150), colour="edge", width=1.5),
    ]
    panels = (
        (0, 0, "1 One move", ((60, True, "+1"),), "right: +1"),
        (260, 0, "2 One ply later", ((60, False, "+1"),), "right: +1"),
        (0, 140, "3 Two positions", ((36, False, "+1"), (96, False, "−1")), "right: +1, −1"),
        (260, 140, "4 An illegal move", ((60, False, "+1"),), "right: +1"),
    )
    for left, top, name, branches, words in panels:
        body.append(label(left + 16, top + 28, name, anchor="start", bold=True))
        body.append(label(left + 130, top + 92, words, anchor="start"))
        root = (left + 66 if len(branches) > 1 else left + 60, top + 58)
        for x, short, value in branches:
            middle, bottom = (left + x, top + 90), (left + x, top + 122)
            last = middle if short else bottom
            body.append(line(root, middle))
            if not short:
                body.append(line(middle, bottom))
                if name.startswith("4"):
                    barred = (left + x - 34, top + 122)
                    body.append(line(middle, barred, colour="edge", dash=True))
                    body.append(label(left + x - 44, top + 112, "✗", colour="second"))
                body.append(state(*middle, r=8, fill="second-tint", stroke="second"))
            body.append(end(*last, reach=7))
            body.append(label(last[0] + 14, last[1], value, anchor="start"))
        body.append(state(*root, r=8, fill="first-tint", stroke="first"))
    return sheet(
        298,
        "".join(body),
        title="Four probe games",
        description=(
            "Four small game trees; the first player is to move at the top. 1: one move, which "
            "wins, +1. 2: one move, then one move of the opponent's, after which the first player "
            "has won. 3: two moves; after the first the opponent must lose, after the second the "
            "opponent wins. 4: like 2, but the opponent has a second move that is illegal."
        ),
    )
