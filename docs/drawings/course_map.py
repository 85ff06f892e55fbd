"""The map of the course: what a player has learned, and when it computes its move.

Each lesson is a place on it. The same drawing with one place marked heads that lesson.
"""

from typing import NamedTuple

from docs.drawings.parts import WIDTH, arrow, box, label, sheet, tag


class Place(NamedTuple):
    """A lesson on the map.

    notebook: its file's name. name: as in the line of links; short: as on the map. x, y, width:
    centre and width of its box. where: the place in words.
    """

    notebook: str
    name: str
    short: str
    x: float
    y: float
    width: float
    where: str

    @property
    def number(self) -> str:
        """The number of the lesson, such as "04"."""
        return self.notebook.split("_")[0]


NOTHING, TABLE, VALUE, POLICY, BOTH = 50, 138, 249, 357, 465  # middles of the columns
SEARCH, UPPER, LOWER, BASE, TOP = 126, 198, 254, 304, 20
TALL = 42

PLACES = (
    Place("00_play_first", "Play first", "play, count, prove", 134, BASE, 244, "the foundation"),
    Place(
        "01_sampling_and_clipping",
        "Sampling",
        "sample, clip, compare",
        386,
        BASE,
        244,
        "the foundation",
    ),
    Place(
        "02_q_tables",
        "Q-tables",
        "Q-table",
        TABLE,
        UPPER,
        74,
        "a table of values, learned before the game",
    ),
    Place(
        "03_deep_q_learning",
        "Deep Q-learning",
        "deep Q",
        VALUE,
        UPPER,
        104,
        "a network for values, learned before the game",
    ),
    Place(
        "04_td_lambda",
        "TD(λ)",
        "TD(λ)",
        TABLE,
        LOWER,
        74,
        "a table of values, learned before the game",
    ),
    Place(
        "05_td_gammon",
        "TD-Gammon",
        "TD-Gammon",
        VALUE,
        LOWER,
        114,
        "a network for values, learned before the game",
    ),
    Place(
        "06_policy_gradients",
        "Policy gradients",
        "gradient",
        POLICY,
        UPPER,
        80,
        "a network for the policy, learned before the game",
    ),
    Place(
        "07_actor_critic",
        "Actor-critic",
        "actor-critic",
        BOTH,
        UPPER,
        94,
        "networks for policy and value, learned before the game",
    ),
    Place(
        "08_tree_search",
        "Tree search",
        "search",
        NOTHING,
        SEARCH,
        80,
        "nothing learned, a search during the game",
    ),
    Place(
        "09_alphazero",
        "AlphaZero",
        "AlphaZero",
        BOTH,
        SEARCH,
        94,
        "policy and value learned before the game, and a search during it",
    ),
    Place(
        "10_tournament",
        "Tournament",
        "tournament: all players meet",
        260,
        TOP,
        504,
        "all players meet",
    ),
)
FAMILIES = (
    (NOTHING, "nothing"),
    (TABLE, "a table\nof values"),
    (VALUE, "a network\nfor values"),
    (POLICY, "a network\nfor policy"),
    (BOTH, "policy\nand value"),
)


def map_of_the_course(here: str = "") -> str:
    """The map. here: the number of the lesson that it heads, such as "02"; without it no place is
    marked.
    """
    body = [label(8, 50, "What is learned?", colour="soft", anchor="start")]
    if here:
        body.append(_pin(386, 58) + label(398, 50, "you are here", anchor="start", bold=True))
    body += [label(x, 80, family, colour="ink") for x, family in FAMILIES]
    body += [_band(SEARCH, 54), _band((UPPER + LOWER) / 2, 110)]
    body.append(label(VALUE, SEARCH - 13, "computed during the game", colour="soft"))
    body.append(label(NOTHING, (UPPER + LOWER) / 2, "computed\nbefore\nthe game", colour="soft"))
    body += _arrows()
    body += [_place(place, place.number == here) for place in PLACES]
    marked = [place for place in PLACES if place.number == here]
    title = "Map of the course" + "".join(f": you are at lesson {here}, {p.name}" for p in marked)
    return sheet(326, "".join(body), title=title, description=DESCRIPTION)


DESCRIPTION = (
    "Columns say what is learned: nothing, a table of values, a network for values, a network for "
    "the policy, policy and value. Rows say when the move is computed: during the game, by search, "
    "or before it, by learning. "
    + " ".join(f"{p.number} {p.name}: {p.where}." for p in PLACES)
    + " Arrows lead from 02 to 03 and 04, from 03 and 04 to 05, from 05 and 06 to 07, "
    "from 07 and 08 to 09."
)


def _band(y: float, height: float) -> str:
    return tag(
        "rect", x=4, y=y - height / 2, width=WIDTH - 8, height=height, rx=10, class_="f-shade"
    )


def _place(place: Place, here: bool) -> str:
    look = {"fill": "first", "stroke": "first", "colour": "on"} if here else {}
    if place.width > 200:  # one line
        shape = box(
            place.x, place.y, place.width, 30, **{k: v for k, v in look.items() if k != "colour"}
        )
        words = label(
            place.x,
            place.y,
            f"{place.number} {place.short}",
            colour=look.get("colour", "ink"),
            bold=here,
        )
    else:
        shape = box(
            place.x, place.y, place.width, TALL, **{k: v for k, v in look.items() if k != "colour"}
        )
        words = label(
            place.x, place.y - 9, place.number, colour=look.get("colour", "ink"), bold=True
        )
        words += label(place.x, place.y + 10, place.short, colour=look.get("colour", "ink"))
    return shape + words + (_pin(place.x - place.width / 2 + 12, place.y - 4) if here else "")


def _pin(x: float, y: float) -> str:
    """A pin whose point is at (x, y)."""
    drop = f"M{x:g} {y:g}c-3 -6 -7 -9 -7 -14a7 7 0 0 1 14 0c0 5 -4 8 -7 14z"
    return tag("path", d=drop, stroke_width=1.5, class_="f-second s-ground") + tag(
        "circle", cx=x, cy=y - 14, r=2.5, class_="f-ground"
    )


def _arrows() -> list[str]:
    right = {place.number: place.x + place.width / 2 + 2 for place in PLACES}
    left = {place.number: place.x - place.width / 2 - 2 for place in PLACES}
    half = TALL / 2 + 1
    return [
        arrow((right["02"], UPPER), (left["03"], UPPER)),
        arrow((right["04"], LOWER), (left["05"], LOWER)),
        arrow((TABLE, UPPER + half), (TABLE, LOWER - half)),
        arrow((VALUE, UPPER + half), (VALUE, LOWER - half)),
        arrow((right["06"], UPPER), (left["07"], UPPER)),
        arrow((right["05"], LOWER), (BOTH, LOWER), (BOTH, UPPER + half)),
        arrow((BOTH, UPPER - half), (BOTH, SEARCH + half)),
        arrow((right["08"], SEARCH + 8), (left["09"], SEARCH + 8)),
    ]


def header(here: str) -> str:
    """The markdown below the title of lesson `here`: its map, and a link to every lesson."""
    place = next(place for place in PLACES if place.number == here)
    alt = f"Map of the course. You are at lesson {here}, {place.name}: {place.where}."
    entries = []
    for p in PLACES:
        unbroken = f"{p.number} {p.name}".replace(" ", "&nbsp;")
        link = f"[{unbroken}]({p.notebook}.ipynb)"
        entries.append(f"{unbroken} (you are here)" if p is place else link)
    return f"![{alt}](figures/map-{here}.svg)\n\n{' · '.join(entries)}"


def with_header(opening: str, here: str) -> str:
    """The first cell of a lesson with the header of today below its title, in place of an older
    one.
    """
    title, _, rest = opening.partition("\n\n")
    if rest.startswith("![Map of the course"):
        rest = rest.split("\n\n", 2)[2]
    return f"{title}\n\n{header(here)}\n\n{rest}"
