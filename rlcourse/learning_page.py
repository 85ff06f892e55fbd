"""One HTML file in which a player learns a game while you watch: `rlcourse page --learning`.

A table learns tic-tac-toe, and TD-Gammon backgammon. Games, updates, values and judges are the
course's kernels; the arrays that they read of the rules travel as they are.
"""

import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from rlcourse.atomic import write_atomically
from rlcourse.errors import BadValue
from rlcourse.games import Game, get_game
from rlcourse.learning import Learner, make_config, make_learner
from rlcourse.learning.td_gammon_source import TDGammonSourceConfig
from rlcourse.networks import FIRST_WEIGHTS
from rlcourse.page import assembled, base64_of, engine, known_of
from rlcourse.solvers.tictactoe import symmetry_tables, tables
from rlcourse.wasm import script


class Method(NamedTuple):
    """A way to learn: its name on the page, the course's learner with its settings, its sliders."""

    title: str
    name: str
    fixed: dict[str, Any]
    sliders: tuple[str, ...]

    def made(self, settings: dict[str, Any], seed: int = 0) -> Learner:
        """The course's learner at these positions of the sliders."""
        return make_learner(self.name, seed=seed, **(self.fixed | settings))

    def defaults(self) -> dict[str, float]:
        """The course's own positions of the sliders."""
        config = make_config(self.name, **self.fixed)
        return {slider: getattr(config, slider) for slider in self.sliders}


STEP, TRACES = ("alpha", "epsilon"), ("alpha", "lam")
SOURCE = "td-gammon-source"
METHODS = {
    "q-table": Method("Q-learning", "q-table", {}, (*STEP, "gamma")),
    "afterstates": Method("afterstates, from the best reply", "afterstates", {}, STEP),
    "classic": Method("afterstates, from the next one", "afterstates", {"negamax": False}, STEP),
}


COMPLETE = (
    "This file is complete: the {player} learns in your browser by the course's own code, and "
    "nothing is loaded or sent."
)
TABLE_NOTES = (
    "The table plays both sides. After each game its values move towards what followed. Losing "
    "lines are counted by the course's exact judge: all the games that the table loses from either "
    "seat, if every reply is tried against it. At 0 nobody can beat it.",
    "On the board stand the table's own values of each move, for the player to move: +1 a win, "
    "\N{MINUS SIGN}1 a loss. alpha is the step size; epsilon is the share of moves played at "
    "random; gamma, of Q-learning, is the discount per move.",
    COMPLETE.format(player="table"),
)
READINGS = {  # of the source; lesson 05 compares them
    "printed": Method("TD(lambda), large steps", SOURCE, {"alpha": 0.7, "lam": 0.1}, TRACES),
    "usual": Method("TD(lambda), long traces", SOURCE, {}, TRACES),
}
NETWORK_NOTES = (
    "TD-Gammon 0.0 plays both sides, and the dice explore for it. After each move the weights of "
    "its 198 - 40 - 1 network move along their traces by alpha times the TD error: the value of "
    "the next position, or at the end the result, minus that of this one. lambda says how much of "
    "a trace is left one move later.",
    "After every 100 games the network plays 100 games with random play, half of them as the first "
    "player. The band is the 95% interval of its share of wins (Wilson). It has learned when the "
    "low end of that band reaches 90%. The seconds of work include these games.",
    "On the board stand the network's best plays for the player to move: equity in points, single "
    "wins alone, and the chance to win.",
    COMPLETE.format(player="network"),
)


class Learned(NamedTuple):
    """The page of one game.

    game: its name. file: that of the page on the site. title: its heading. player: the name of who
    learns. script: the file with the learner, and with how its progress is shown. speed: games a
    second at first. notes: what is said below it. methods: the ways to learn. own: what else the
    page knows, as JSON-able values.
    """

    game: str
    file: str
    title: str
    player: str
    script: str
    speed: str
    notes: tuple[str, ...]
    methods: dict[str, Method]
    own: Callable[[], dict[str, Any]]


def learning_page(game: Game, title: str = "") -> str:
    """The whole page as text. Raises ValueError for a game that nobody learns in a page."""
    if game.name not in PAGES:
        raise BadValue(f"in a page somebody learns {' or '.join(PAGES)}, not {game.name}")
    learned = PAGES[game.name]
    scripts = engine(game.name) + script(learned.script)
    known, panel = contents(game.name), script("learning.html")
    heading = title or learned.title
    return assembled(heading, panel, learned.notes, known, scripts, script("learning.js"))


def write_learning_page(game: Game, path: str | Path, title: str = "") -> Path:
    """Write the page to `path` in one step; an existing file is replaced."""
    write_atomically(Path(path), learning_page(game, title))
    return Path(path)


def contents(game: str) -> dict[str, Any]:
    """What the page of a game knows, as JSON-able values: the rules and the ways to learn."""
    learned = PAGES[game]
    known = known_of(get_game(game)) | learned.own()
    known["bots"][learned.player] = {"agent": learned.player}
    known["speed"] = learned.speed
    known["methods"] = {
        name: {"title": method.title, "settings": method.defaults()}
        for name, method in learned.methods.items()
    }
    return known


def _tables() -> dict[str, Any]:
    return {"rules": {name: _deflated(array) for name, array in _rules().items()}}


def _network() -> dict[str, Any]:
    """The units of the hidden layer, and how far from 0 the first weights are drawn."""
    return {"hidden": TDGammonSourceConfig().hidden, "reach": FIRST_WEIGHTS}


def _rules() -> dict[str, np.ndarray]:
    """The arrays that the kernels of the learner and of the judge read."""
    rules, images = tables(), symmetry_tables()
    names = ("successor", "done", "points", "to_play")
    return {name: getattr(rules, name) for name in names} | {
        "backwards": rules.backwards.astype(np.int32),
        "canonical": images.canonical,
        "image": images.action,
    }


def _deflated(array: np.ndarray) -> dict[str, Any]:
    """A tenth of the text of the plain numbers."""
    packed = zlib.compress(np.ascontiguousarray(array).tobytes(), 9)
    return {"type": str(array.dtype), "shape": array.shape, "deflated": base64_of(packed)}


_LEARNED = (
    Learned(
        "tic-tac-toe",
        "learning.html",
        "Watch a table learn tic-tac-toe",
        "The table as it is",
        "learner.js",
        "2000",
        TABLE_NOTES,
        METHODS,
        _tables,
    ),
    Learned(
        "backgammon",
        "backgammon-learning.html",
        "Watch TD-Gammon learn backgammon",
        "The network as it is",
        "network_learner.js",
        "Infinity",
        NETWORK_NOTES,
        READINGS,
        _network,
    ),
)
PAGES = {learned.game: learned for learned in _LEARNED}
