"""One HTML file in which a table learns tic-tac-toe while you watch: `rlcourse page --learning`.

Games, updates, the table's values, the exact solution and the judge's lines are the course's
kernels; the arrays that they read of the rules travel as they are.
"""

import zlib
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from rlcourse.atomic import write_atomically
from rlcourse.errors import BadValue
from rlcourse.games import Game, get_game
from rlcourse.judges.tictactoe import DECISIONS
from rlcourse.learning import Learner, make_config, make_learner
from rlcourse.page import SCRIPTS, assembled, base64_of, known_of
from rlcourse.solvers.tictactoe import symmetry_tables, tables
from rlcourse.wasm import script

TITLE = "Watch a table learn tic-tac-toe"
PLAYER = "The table as it is"
NOTES = (
    "The table plays both sides. After each game its values move towards what followed. Losing "
    "lines are counted by the course's exact judge: all the games that the table loses from either "
    "seat, if every reply is tried against it. At 0 nobody can beat it.",
    "On the board stand the table's own values of each move, for the player to move: +1 a win, "
    "\N{MINUS SIGN}1 a loss. alpha is the step size; epsilon is the share of moves played at "
    "random; gamma, of Q-learning, is the discount per move.",
    "This file is complete: the table learns in your browser by the course's own code, and nothing "
    "is loaded or sent.",
)


class Method(NamedTuple):
    """A way to learn: its name on the page, the course's learner with its settings, its sliders."""

    title: str
    name: str
    fixed: dict[str, Any]
    sliders: tuple[str, ...]

    def made(self, settings: dict[str, Any]) -> Learner:
        """The course's learner at these positions of the sliders."""
        return make_learner(self.name, **self.fixed, **settings)

    def defaults(self) -> dict[str, float]:
        """The course's own positions of the sliders."""
        config = make_config(self.name, **self.fixed)
        return {slider: getattr(config, slider) for slider in self.sliders}


STEP = ("alpha", "epsilon")
METHODS = {
    "q-table": Method("Q-learning", "q-table", {}, (*STEP, "gamma")),
    "afterstates": Method("afterstates, from the best reply", "afterstates", {}, STEP),
    "classic": Method("afterstates, from the next one", "afterstates", {"negamax": False}, STEP),
}


def learning_page(game: Game, title: str = "") -> str:
    """The whole page as text. Raises ValueError for another game than tic-tac-toe."""
    if game.name != "tic-tac-toe":
        raise BadValue(f"a table learns tic-tac-toe in a page, not {game.name}")
    engine = "".join(map(script, (*SCRIPTS, "learner.js")))
    panel = script("learning.html")
    return assembled(title or TITLE, panel, NOTES, contents(), engine, script("learning.js"))


def write_learning_page(game: Game, path: str | Path, title: str = "") -> Path:
    """Write the page to `path` in one step; an existing file is replaced."""
    write_atomically(Path(path), learning_page(game, title))
    return Path(path)


def contents() -> dict[str, Any]:
    """What the page knows, as JSON-able values: the rules as arrays, and the ways to learn."""
    known = known_of(get_game("tic-tac-toe"))
    known["bots"][PLAYER] = {"agent": PLAYER}
    known["decisions"] = DECISIONS
    known["methods"] = {
        name: {"title": method.title, "settings": method.defaults()}
        for name, method in METHODS.items()
    }
    known["rules"] = {name: _deflated(array) for name, array in _rules().items()}
    return known


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
