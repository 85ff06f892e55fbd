"""The map of the course: what a player has learned, and when it computes its move.

Each lesson is a place on it. The same drawing with one place marked heads that lesson. It stands
beside the links, so that a first screen also shows the opening of the lesson.
"""

import re
from itertools import groupby
from typing import NamedTuple

from docs.drawings.parts import WIDTH, box, label, sheet, tag


class Place(NamedTuple):
    """A lesson on the map.

    notebook: its file's name. name: as in the line of links; short: as on the map. x, y, width:
    centre and width of its box, which an optional lesson shares with the one before it. where: the
    place in words.
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
        """The number of the lesson, such as "04" or "01b"."""
        return self.notebook.split("_")[0]


NOTHING, TABLE, VALUE, POLICY, BOTH = 44, 131, 242, 357, 460  # middles of the columns
SEARCH, UPPER, LOWER, BASE = 62, 100, 132, 168  # middles of the rows
TALL, HEIGHT = 26, 184
BESIDE = 380  # width in px, at which its letters are nearly 12 px high

PLACES = (
    Place("00_play_first", "Play first", "play first", 50, BASE, 92, "the foundation"),
    Place("01_sampling_and_clipping", "Sampling", "sampling", 146, BASE, 92, "the foundation"),
    Place(
        "01b_how_sure_are_we",
        "How sure are we? (optional)",
        "sampling",
        146,
        BASE,
        92,
        "the foundation",
    ),
    Place(
        "02_q_tables",
        "Q-tables",
        "Q-table",
        TABLE,
        UPPER,
        80,
        "a table of values, learned before the game",
    ),
    Place(
        "02b_symmetry_and_exploration",
        "Symmetry, exploration (optional)",
        "Q-table",
        TABLE,
        UPPER,
        80,
        "a table of values, learned before the game",
    ),
    Place(
        "03_deep_q_learning",
        "Deep Q-learning",
        "deep Q",
        VALUE,
        UPPER,
        126,
        "a network for values, learned before the game",
    ),
    Place(
        "04_td_lambda",
        "TD(λ)",
        "TD(λ)",
        TABLE,
        LOWER,
        80,
        "a table of values, learned before the game",
    ),
    Place(
        "05_td_gammon",
        "TD-Gammon",
        "TD-Gammon",
        VALUE,
        LOWER,
        126,
        "a network for values, learned before the game",
    ),
    Place(
        "06a_go_and_self_play",
        "Go, self-play",
        "gradient",
        POLICY,
        UPPER,
        88,
        "a network for the policy, learned before the game",
    ),
    Place(
        "06b_policy_gradients",
        "Policy gradients",
        "gradient",
        POLICY,
        UPPER,
        88,
        "a network for the policy, learned before the game",
    ),
    Place(
        "07_actor_critic",
        "Actor-critic",
        "actor-critic",
        BOTH,
        UPPER,
        106,
        "networks for policy and value, learned before the game",
    ),
    Place(
        "08_tree_search",
        "Monte Carlo tree search",
        "search",
        NOTHING,
        SEARCH,
        72,
        "nothing learned, a search during the game",
    ),
    Place(
        "08b_go_without_learning",
        "Go without learning (optional)",
        "search",
        NOTHING,
        SEARCH,
        72,
        "nothing learned, a search during the game",
    ),
    Place(
        "09a_alphazero",
        "AlphaZero",
        "AlphaZero",
        BOTH,
        SEARCH,
        106,
        "policy and value learned before the game, and a search during it",
    ),
    Place(
        "09b_laboratory",
        "AlphaZero's laboratory (optional)",
        "AlphaZero",
        BOTH,
        SEARCH,
        106,
        "policy and value learned before the game, and a search during it",
    ),
    Place("10_tournament", "Tournament", "tournament", 388, BASE, 112, "all players meet"),
    Place("10b_elo", "Elo (optional)", "tournament", 388, BASE, 112, "all players meet"),
    Place(
        "11_beyond_two_players",
        "Beyond two players",
        "poker",
        482,
        BASE,
        68,
        "one player, and two with hidden cards",
    ),
)
FAMILIES = (
    (NOTHING, "learned:\nnothing"),
    (TABLE, "a table\nof values"),
    (VALUE, "a network\nfor values"),
    (POLICY, "a network\nfor policy"),
    (BOTH, "policy\nand value"),
)
HERE = {"fill": "first", "stroke": "first"}
OLDER = re.compile(r'!\[Map of the course|<img [^>]*alt="Map of the course')


def map_of_the_course(here: str = "") -> str:
    """The map. here: the number of the lesson that it heads, such as "02"; without it no place is
    marked.
    """
    body = [label(x, 21, family) for x, family in FAMILIES]
    body += [_band(SEARCH, 34), _band((UPPER + LOWER) / 2, 66)]
    body.append(label((NOTHING + BOTH) / 2, SEARCH, "computed during the game", colour="soft"))
    body.append(label(NOTHING, (UPPER + LOWER) / 2, "before\nthe game", colour="soft"))
    shared = groupby(PLACES, key=lambda place: (place.x, place.y))
    body += [_box([*places], here) for _, places in shared]
    if here:
        body.append(
            box(206, BASE, 18, 14, **HERE) + label(220, BASE, "you are here", anchor="start")
        )
    marked = [place for place in PLACES if place.number == here]
    title = "Map of the course" + "".join(f": you are at lesson {here}, {p.name}" for p in marked)
    return sheet(HEIGHT, "".join(body), title=title, description=DESCRIPTION)


DESCRIPTION = (
    "Columns say what is learned: nothing, a table of values, a network for values, a network for "
    "the policy, policy and value. Rows say when the move is computed: during the game, by search, "
    "or before it, by learning. " + " ".join(f"{p.number} {p.name}: {p.where}." for p in PLACES)
)


def _band(y: float, height: float) -> str:
    return tag(
        "rect", x=4, y=y - height / 2, width=WIDTH - 8, height=height, rx=10, class_="f-shade"
    )


def _box(places: list[Place], here: str) -> str:
    place, marked = places[0], here in [place.number for place in places]
    look = HERE | {"colour": "on"} if marked else {}
    return box(place.x, place.y, place.width, TALL, place.short, bold=marked, **look)


def header(here: str) -> str:
    """The markdown below the title of lesson `here`: its map, and on its left a link to every
    lesson. Only HTML can lay one beside the other; JupyterLab and code hosts keep `align`.
    """
    place = next(place for place in PLACES if place.number == here)
    alt = f"Map of the course. You are at lesson {here}, {place.name}: {place.where}."
    entries = []
    for p in PLACES:
        unbroken = f"{p.number} {p.name}".replace(" ", "&nbsp;")
        link = f"[{unbroken}]({p.notebook}.ipynb)"
        entries.append(f"{unbroken} (you are here)" if p is place else link)
    picture = f'<img align="right" width="{BESIDE}" src="figures/map-{here}.svg" alt="{alt}">'
    return f"{picture}\n\n{' · '.join(entries)}"


def with_header(opening: str, here: str) -> str:
    """The first cell of a lesson with the header of today below its title, in place of an older
    one.
    """
    title, _, rest = opening.partition("\n\n")
    if OLDER.match(rest):
        rest = rest.split("\n\n", 2)[2]
    return f"{title}\n\n{header(here)}\n\n{rest}"
