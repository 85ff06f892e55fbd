"""One HTML file in which anyone plays the bots of a game, without Python and without a network:
`rlcourse page connect-four`.

Rules, search and the sums of the networks are the course's kernels, compiled to WebAssembly
(`rlcourse.wasm`); the board is the one of the notebooks. A bot travels as data: the layers and the
weights of its network, or its move and its values in each position of tic-tac-toe.
"""

import base64
import json
import re
from collections.abc import Sequence
from html import escape
from pathlib import Path
from typing import Any

import numpy as np

from rlcourse.agents.alphazero import AlphaZeroAgent
from rlcourse.agents.base import BatchAgent, RandomAgent
from rlcourse.agents.perfect import PerfectAgent
from rlcourse.agents.policy import PolicyAgent
from rlcourse.agents.rave import EQUIVALENCE, RaveAgent
from rlcourse.agents.search import SearchAgent
from rlcourse.agents.search_tree import rollouts, uniform
from rlcourse.agents.td_gammon import TDGammonAgent
from rlcourse.architectures import network_of
from rlcourse.atomic import write_atomically
from rlcourse.boards.faces import face_of
from rlcourse.boards.overlay import display_name
from rlcourse.boards.review import MUCH, RESULTS, SKILL, WORST
from rlcourse.encoders.boards import TwoPlaneEncoder
from rlcourse.encoders.four_planes import ThreatsEncoder
from rlcourse.encoders.go_planes import SimpleEncoder
from rlcourse.errors import BadValue
from rlcourse.forward import window
from rlcourse.games import Game
from rlcourse.games.backgammon import START, UNITS
from rlcourse.games.connect_four import LINES, OTHERS
from rlcourse.games.go import GoRules
from rlcourse.games.go_patterns import patterns
from rlcourse.judges.tictactoe import decide_everywhere, judge_actions
from rlcourse.parts import part_of
from rlcourse.play_page.bots import bots_of
from rlcourse.play_page.cards import elo_of, levels_of
from rlcourse.solvers.connect_four_book import SOLVED_FROM
from rlcourse.solvers.tictactoe import tables
from rlcourse.wasm import module_of, script

SCRIPTS = ("loader.js", "players.js", "drawing.js", "review.js", "referee.js")
PARTS = ("kernel", "bias")  # of a layer
ENCODERS = (ThreatsEncoder, TwoPlaneEncoder, SimpleEncoder)  # those that players.js has
PANEL = (
    '<div class="row"><button type="button" id="hint" '
    'title="What would the first bot of the list play?">Hint</button></div>'
)
HINTS = "The first opponent of the list also gives the hints."
VALUES = (
    "The values are what the chosen opponent thinks of each move, for the player to move: +1 a "
    "win, \N{MINUS SIGN}1 a loss, the share of its search that a move received, or the "
    "probability that its network gives it."
)
EQUITIES = (
    "The values are what the chosen opponent expects of its best plays, for the player to move: "
    "points of the game, from \N{MINUS SIGN}3 to 3, and the chances of a win and of a gammon."
)
COMPLETE = (
    "This file is complete: the rules and the bots run in your browser, and nothing is loaded or "
    "sent."
)
RAVE = ("simulations", "patterns", "atari", "priors")  # what players.js is told of its search
MOST_SIMULATIONS = 4000  # the modules know the logarithms of a few more whole numbers


def page(game: Game, agent: BatchAgent | None = None, title: str = "") -> str:
    """The whole page as text. agent: a bot that comes first in the list, before the course's.

    Raises ValueError for a game without kernels in WebAssembly, and for an agent that is of another
    game or cannot be written down.
    """
    known, verdicts = contents(game, agent)
    heading = title or f"{face_of(game.name).title} against the bots of the course"
    values = EQUITIES if game.name == "backgammon" else VALUES
    levels = [level for level in levels_of(game) if level.bot in known["bots"]]
    # A visitor begins with a bot that can be beaten, unless the page was made for a bot.
    known["opponent"] = levels[0].bot if agent is None else next(iter(known["bots"]))
    strengths = [
        f"{level.word.capitalize()}: {level.bot}. {level.about} {elo_of(game, level)}"
        for level in levels
    ]
    notes = [f"{HINTS} {values}", *strengths, *verdicts, COMPLETE]
    return assembled(heading, PANEL, notes, known, engine(game.name), script("page.js"))


def assembled(
    title: str, panel: str, notes: Sequence[str], known: dict[str, Any], engine: str, front: str
) -> str:
    """A page with one board. panel: HTML above the board; notes: paragraphs below it; engine: what
    a worker runs as well; front: the script of the page alone."""
    filled = {
        "TITLE": escape(title),
        "PANEL": panel,
        "NOTES": "".join(f"<p>{escape(note)}</p>" for note in notes),
        "ENGINE": engine,
        "BOARD": _board_script(),
        "PAGE": front,
        "STYLE": _board_file("board.css"),
        "KNOWN": json.dumps(known).replace("<", "\\u003c"),
    }
    return re.sub("%%([A-Z]+)%%", lambda place: filled[place[1]], script("page.html"))


def write_page(game: Game, agent: BatchAgent | None, path: str | Path, title: str = "") -> Path:
    """Write the page to `path` in one step; an existing file is replaced."""
    path = Path(path)
    write_atomically(path, page(game, agent, title))
    return path


def engine(game: str) -> str:
    """The scripts of a game's board: kernels, players, drawing and referee."""
    own = getattr(part_of("rlcourse.wasm", game), "SCRIPTS", ())
    return "".join(map(script, (*SCRIPTS, *own)))


def contents(game: Game, agent: BatchAgent | None = None) -> tuple[dict[str, Any], list[str]]:
    """(what the page knows, as JSON-able values, and a line on the strength of each bot that the
    judge of its game knows exactly)."""
    own = {f"{display_name(agent.name)} (yours)": agent} if agent else {}
    agents = own | {name: one for name, one in bots_of(game).items() if _fits(one)}
    known = known_of(game)
    if game.name == "tic-tac-toe":
        known["codes"] = base64_of(tables().decisions.astype("<u2"))
    models: list[Any] = []
    verdicts = []
    for name, one in agents.items():
        if one.game != game:
            raise BadValue(f"{one.name} plays {one.game}, not {game}")
        known["bots"][name] = bot = described(one)
        if isinstance(one, AlphaZeroAgent | PolicyAgent):
            if one.model not in models:
                models.append(one.model)
                known["networks"].append(network(one))
            bot["evaluation"] = models.index(one.model)
        if isinstance(one, TDGammonAgent):
            bot["evaluation"] = len(known["networks"])
            known["networks"].append(units_network(one))
        if "moves" in bot:
            verdict = judge_actions(np.array([int(move) for move in bot["moves"]]))
            verdicts.append(f"{name}: {verdict}.")
    known["judge"] = judge_of(game)
    return known, verdicts


def judge_of(game: Game) -> dict[str, Any] | None:
    """Who judges the moves of a finished game in the page, as JSON-able values; None for nobody.

    name, unit, worst and the bounds with their words: those of `rlcourse.boards.review`. fewest: of
    Connect Four, the stones from which on the solver is quick.
    """
    # The bot of the page that judges; "" where the solver travels, None where no judge does.
    bot = getattr(part_of("rlcourse.wasm", game.name), "JUDGING", None)
    own_judge = getattr(part_of("rlcourse.boards", game.name), "own_judge", None)
    judge = own_judge() if own_judge else face_of(game.name).judge(game)
    if bot is None or judge is None:
        return None
    return {
        "name": judge.name,
        "unit": judge.unit,
        "bot": bot or None,
        "fewest": SOLVED_FROM,
        "worst": WORST,
        "results": RESULTS,
        "skill": SKILL,
        "much": MUCH,
    }


def known_of(game: Game) -> dict[str, Any]:
    """What a page knows of the game, with no bot as yet."""
    height, width = game.board
    return {
        "game": game.name,
        "title": face_of(game.name).title,
        "cells": height * width,
        "actions": game.num_actions,
        "labels": game.labels,
        "module": base64_of(module_of(game.name)),
        "networks": [],
        "bots": {},
    } | _start(game)


def _fits(agent: BatchAgent) -> bool:
    """Whether a bot of the course can travel in a page."""
    networks = AlphaZeroAgent | PolicyAgent
    if isinstance(agent, networks) and not isinstance(agent.encoder, ENCODERS):
        return False
    # Those of tic-tac-toe travel as a table of moves.
    on_any_board = isinstance(agent, SearchAgent | RandomAgent | TDGammonAgent | PolicyAgent)
    plays = agent.game.name == "tic-tac-toe" or on_any_board
    few = getattr(agent, "simulations", 0) <= MOST_SIMULATIONS
    deep = getattr(agent, "look_ahead", 0)
    return isinstance(agent, RaveAgent) or (plays and few and not deep)


def described(agent: BatchAgent) -> dict[str, Any]:
    """A bot as the page's players know it (players.js). Raises ValueError for one they do not."""
    bot: dict[str, Any] = {"agent": display_name(agent.name)}
    if isinstance(agent, RandomAgent):
        return bot | {"kind": "random"}
    if isinstance(agent, PolicyAgent):
        return bot | {"kind": "policy", "clip": agent.clip, "temperature": agent.temperature}
    # Without UCB1's bonus it takes no logarithm.
    if isinstance(agent, RaveAgent) and agent.temperature == 0 == agent.c:
        settings = {key: getattr(agent, key) for key in RAVE}
        equivalence = EQUIVALENCE if agent.rave else 0.0
        return bot | settings | {"kind": "rave", "equivalence": equivalence}
    if isinstance(agent, TDGammonAgent):
        whole = agent.weights["outputs/bias"].shape == (5,) and agent.view == "roller"
        if whole and not agent.look_ahead:
            return bot | {"kind": "equity"}
    if isinstance(agent, SearchAgent):
        names: dict[Any, str] = {rollouts: "rollouts", uniform: "uniform"}
        plain = agent.temperature == 0 and not agent.noise
        if plain and (isinstance(agent, AlphaZeroAgent) or agent.evaluate in names):
            settings = {key: getattr(agent, key) for key in ("rule", "c", "simulations")}
            return bot | settings | {"kind": "search", "evaluation": names.get(agent.evaluate)}
    elif agent.game.name == "tic-tac-toe":
        return bot | {"kind": "table"} | table(agent)
    raise BadValue(
        f"{agent.name} of {agent.game} cannot be put into a page: a page knows players that "
        "search, with AlphaZero's network, random games or nothing, at Go those with a network for "
        "policies and RAVE without UCB1's bonus, at tic-tac-toe those that play one move in each "
        "position, and at backgammon TD-Gammon with gammons, one ply deep"
    )


def table(agent: BatchAgent) -> dict[str, Any]:
    """A bot of tic-tac-toe: moves (a digit for each decision, in the order of its codes) and, where
    it has them, values (base64 of float32: those of the legal squares of each decision, one after
    the other). draws: whether it draws among the squares of highest value."""
    decision = decide_everywhere(agent, seed=0)
    draws = isinstance(agent, PerfectAgent)
    if not draws and not np.array_equal(decision.action, decide_everywhere(agent, seed=1).action):
        raise BadValue(
            f"{agent.name} draws its moves at random; a page holds one move for each position"
        )
    known: dict[str, Any] = {"moves": "".join(map(str, decision.action)), "draws": draws}
    if decision.q is not None:
        legal = tables().cells[tables().decisions] == 0
        known["values"] = base64_of(decision.q[legal].astype("<f4"))
    return known


def network(agent: AlphaZeroAgent | PolicyAgent) -> dict[str, Any]:
    """A network as data: planes, layers, the points of its windows, its encoder with the constants
    of its kernel, and the weights (base64 of float32, layer after layer)."""
    model = agent.network if isinstance(agent, PolicyAgent) else agent.model
    layers, weights = network_of(model.recipe[0], **model.recipe[1]), model.weights
    names = [layer.name for layer in layers.layers if layer.units]
    numbers = [weights[f"{name}/{part}"].ravel() for name in names for part in PARTS]
    widths = {layer.width for layer in layers.layers}
    constants: tuple[np.ndarray, ...] = ()
    if isinstance(agent.encoder, ThreatsEncoder):
        constants = (LINES, OTHERS)
    elif not isinstance(agent.encoder, ENCODERS):
        raise BadValue(f"a page cannot encode positions as {agent.encoder.name!r} does")
    return {
        "planes": layers.planes,
        "layers": [layer._asdict() for layer in layers.layers],
        "windows": {width: window(layers.planes[1:], width).tolist() for width in widths},
        "encoder": agent.encoder.name,
        "constants": [
            {"type": str(each.dtype), "shape": each.shape, "numbers": each.ravel().tolist()}
            for each in constants
        ],
        "weights": base64_of(np.concatenate(numbers).astype("<f4")),
    }


def units_network(agent: TDGammonAgent) -> dict[str, Any]:
    """TD-Gammon's network in the form of `network`; its planes are the 198 units."""
    weights, layers, below = agent.weights, [], "planes"
    for name in ("hidden", "outputs"):
        units = len(weights[f"{name}/bias"])
        settings = {"kind": "dense", "units": units, "activation": "sigmoid"}
        layers.append({"name": name, "of": [below], **settings})
        below = name
    numbers = [weights[f"{layer['name']}/{part}"] for layer in layers for part in PARTS]
    return {
        "planes": (UNITS, 1),
        "layers": layers,
        "windows": {},
        "encoder": "backgammon-units",
        "constants": [],
        "weights": base64_of(np.concatenate([array.ravel() for array in numbers]).astype("<f4")),
    }


def _start(game: Game) -> dict[str, Any]:
    """What a game begins with, if it is no empty grid: of backgammon the board; of Go komi,
    neighbours, what RAVE knows of points and shapes, and the arrays of a game."""
    if game.name == "backgammon":
        return {"start": _array(START)}
    rules = game.new_batch(0).rules
    if not isinstance(rules, GoRules):
        return {}
    start = {
        name.replace("to_play", "toPlay"): _array(array) for name, array in rules.start.items()
    }
    shapes = np.packbits(patterns(), bitorder="little")
    arrays = {"around": rules.around, "lines": rules.lines, "shapes": shapes}
    known = {name: _array(array) for name, array in arrays.items()}
    return {"komi": float(rules.komi), "start": start} | known


def _array(array: np.ndarray) -> dict[str, Any]:
    return {"type": str(array.dtype), "shape": array.shape, "base64": base64_of(array)}


def _board_file(name: str) -> str:
    return (Path(__file__).parent / "boards" / name).read_text(encoding="utf-8")


def _board_script() -> str:
    """The front end of the notebooks' boards, as the value of `board`."""
    text = _board_file("board.js").replace("export default { render };", "return render;")
    return f"const render = (() => {{\n{text}\n}})();"


def base64_of(numbers: bytes | np.ndarray) -> str:
    """Bytes, or those of an array, as the text by which they travel in a page."""
    plain = numbers if isinstance(numbers, bytes) else numbers.tobytes()
    return base64.b64encode(plain).decode("ascii")
