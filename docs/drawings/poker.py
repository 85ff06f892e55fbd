"""The drawing for hidden cards: one decision at two places of the tree."""

from docs.drawings.parts import box, end, label, line, sheet, state


def information_set() -> str:
    """The second player holds the queen and faces a bet; the other card is a jack or a king."""
    body = [label(260, 20, "You hold the queen. The first player bets.", bold=True)]
    body.append(box(260, 92, 420, 56, fill="second-tint", stroke="second"))
    body.append(label(260, 92, "one information\nset, Qb"))
    for x, card, ends in ((130, "J", ("−1", "+2")), (390, "K", ("−1", "−2"))):
        body.append(label(x, 50, f"they hold {card}"))
        for side, action, won in zip((-1, 1), ("fold", "call"), ends, strict=True):
            foot = (x + 56 * side, 176)
            body.append(line((x, 92), foot, colour="second", width=3))
            body.append(end(*foot, reach=8))
            body.append(label(foot[0], 204, won, bold=True))
            body.append(label(x + 62 * side, 146, action, anchor="end" if side < 0 else "start"))
        body.append(state(x, 92, r=12, fill="ground", stroke="second"))
    body.append(
        label(260, 234, "You cannot tell the two apart: one action for both.", colour="soft")
    )
    return sheet(
        254,
        "".join(body),
        title="An information set",
        description=(
            "Two places of the game tree in one frame. You hold the queen and the first player has "
            "bet. If they hold the jack, calling wins 2, and if they hold the king, it loses 2. "
            "Folding loses 1 in both. You cannot tell the two apart, so you act alike in both."
        ),
    )
