"""The decision process of lesson 02: a student who writes a thesis."""

from docs.drawings.parts import action, arrow, box, label, line, sheet

MIDDLE, ABOVE, BELOW = 150, 80, 222  # heights of the states, and of the dots for write and for rest
STATES = ((66, "rested"), (196, "tired"), (326, "exhausted"), (454, "ill"))


def writer() -> str:
    """The states of the student, what writing and resting bring, and where they lead."""
    body = [box(x, MIDDLE, 104, 36, name, fill="shade") for x, name in STATES]
    body += [*_write(), *_rest()]
    body += [
        label(16, 24, "write", colour="second", anchor="start", bold=True),
        label(76, 24, "pages at the dot, probability at the arrow", anchor="start"),
        label(16, 312, "rest", colour="first", anchor="start", bold=True),
        label(62, 312, "read in the same way", anchor="start"),
    ]
    return sheet(
        328,
        "".join(body),
        title="A decision process: a student writes a thesis",
        description=(
            "Four states. Rested: write, 4 pages, leads to tired with probability 0.6 and else to "
            "rested; rest leads to rested. Tired: write, 3 pages, leads to exhausted or tired, "
            "each with 0.5; rest leads to rested or tired, each with 0.5. Exhausted: write, 1 "
            "page, leads to ill; rest leads to rested or exhausted, each with 0.5. Ill: rest, "
            "minus 4 pages, leads to ill with 0.9 and to rested with 0.1."
        ),
    )


def _write() -> list[str]:
    """Above the states: what comes of writing in each of the first three."""
    look = {"colour": "second"}
    body = []
    dots = ((131, "4", ".6", ".4"), (261, "3", ".5", ".5"), (391, "1", "1", ""))
    for x, pages, onwards, back in dots:
        body += [line((x - 50, 131), (x, ABOVE), **look), action(x, ABOVE, fill="second")]
        body.append(label(x, ABOVE - 22, pages))
        body.append(arrow((x + 5, ABOVE + 5), (x + 30, 130), **look))
        body.append(label(x + 26, 98, onwards, anchor="start"))
        if back:
            body.append(arrow((x - 7, ABOVE), (x - 78, ABOVE), (x - 78, 130), **look))
            body.append(label(x - 46, ABOVE - 14, back))
    return body


def _rest() -> list[str]:
    """Below the states: what comes of resting in each of them."""
    look = {"colour": "first"}
    body = []
    dots = ((52, "0", "1"), (174, "0", ".5"), (304, "0", ".5"), (432, "−4", ".9"))
    for x, pages, back in dots:
        body += [line((x, 169), (x, BELOW), **look), action(x, BELOW, fill="first")]
        body.append(label(x - 13, BELOW, pages, anchor="end"))
        body.append(arrow((x + 7, BELOW), (x + 28, BELOW), (x + 28, 170), **look))
        body.append(label(x + 34, 200, back, anchor="start"))
    # Back to rested: from tired straight, from exhausted and ill below everything.
    body += [
        arrow((168, BELOW - 4), (114, 170), **look),
        label(140, 208, ".5", anchor="end"),
        arrow((304, BELOW + 7), (304, 262), (103, 262), (103, 170), **look),
        label(230, 250, ".5"),
        arrow((432, BELOW + 7), (432, 286), (22, 286), (22, 170), **look),
        label(380, 274, ".1"),
    ]
    return body
