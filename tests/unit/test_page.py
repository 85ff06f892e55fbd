"""The board of a page against the board of the notebooks: the same messages to both, in Node and in
Python, and everything that they show is compared.
"""

from typing import Any

import numpy as np
import pytest

from rlcourse.agents import load_agent, make_agent
from rlcourse.agents.td_gammon import TDGammonAgent
from rlcourse.boards import widget
from rlcourse.boards.referee import Referee
from rlcourse.games import get_game
from rlcourse.judges.tictactoe import decide_everywhere
from rlcourse.page import contents, described, units_network
from rlcourse.play_page.bots import bots_of
from rlcourse.play_page.table import HintBoard
from rlcourse.solvers.tictactoe import tables
from tests.unit.in_node import in_node

# Bots that always answer the same; the first gives the hints.
BOTS = {
    "tic-tac-toe": ("AlphaZero (50 simulations)", "Deep Q-network", "Q-table"),
    "connect-four": ("AlphaZero (50 simulations)", "AlphaZero (no search)"),
    "go": ("PUCT (40 simulations)", "PUCT (3 simulations)"),
    "backgammon": ("TD-Gammon", "Another"),
}
DICE_SEED, MOST_GAMES, MOST_TURNS = 20, 60, 600  # of the boards of backgammon
# What a page does not do: reviews, and files of games of Go. The advice differs.
LEFT_OUT = ("can_review", "reviewed", "way_on")


def agents_of(game: str) -> dict[str, Any]:
    """The agents of BOTS. In Go they search without a network and without random games."""
    rules = get_game(game)
    if game == "backgammon":
        agent = load_agent("backgammon/td-gammon")
        rng = np.random.default_rng(0)
        noisy = {
            name: array + rng.normal(0, 0.1, array.shape).astype("float32")
            for name, array in agent.weights.items()
        }
        return dict(zip(BOTS[game], (agent, TDGammonAgent(rules, noisy)), strict=True))
    if game != "go":
        return {name: bots_of(rules)[name] for name in BOTS[game]}
    return {name: make_agent("puct", rules, simulations=int(name[6:-13])) for name in BOTS[game]}


def messages(game: str, count: int, seed: int) -> list[dict[str, Any]]:
    """Messages that a player could send, legal or not. serial: how old the click is."""
    rng = np.random.default_rng(seed)
    kinds = ["click"] * 12 + ["undo", "new", "side", "opponent", "overlay", "step", "step"]
    values = {
        "side": ["first", "second", "both", "none"],
        "opponent": BOTS[game],
        "overlay": [True, True, False],
        "step": ["first", "previous", "next", "last"],
    }
    drawn: list[dict[str, Any]] = []
    for _ in range(count):
        kind = str(rng.choice([*kinds, "try again", "hint"]))
        message: dict[str, Any] = {"type": kind}
        if kind == "click":
            # In Go the number after the actions stands for resigning.
            message |= click_of(game, rng)
            message["age"] = int(rng.random() < 0.05)
        elif kind in values:
            message["value"] = values[kind][int(rng.integers(len(values[kind])))]
        drawn.append(message)
    return drawn


def click_of(game: str, rng: np.random.Generator) -> dict[str, int]:
    """A place to click. pick: one of those that can be clicked, counted round."""
    if game == "backgammon":
        if rng.random() < 0.8:
            return {"pick": int(rng.integers(100))}
        return {"action": int(rng.integers(1, 31))}
    # In Go the number after the actions stands for resigning.
    return {"action": int(rng.integers(get_game(game).num_actions + (game == "go")))}


def dice_of_the_board() -> list[list[int]]:
    """[games][turns]: what the referee of backgammon draws with DICE_SEED, 0 to 1079."""
    rngs = (
        [np.random.default_rng([DICE_SEED, game, turn]) for turn in range(MOST_TURNS)]
        for game in range(MOST_GAMES)
    )
    return [[int(rng.integers(0, 1080, 1)[0]) for rng in row] for row in rngs]


def views_in_python(game: str, sent: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """What the notebooks' board shows at first and after each message."""
    board = HintBoard(get_game(game), agents_of(game), BOTS[game][0])
    views = [board.view]
    for message in sent:
        if message["type"] == "hint":
            board.hint()
        else:
            if "pick" in message:
                message = message | {"action": picked(board, message["pick"])}
            serial = board.view["serial"] - message.get("age", 0)
            board._on_message({**message, "serial": serial})
        views.append(board.view)
    return views


def picked(board: HintBoard, pick: int) -> int:
    """One of the places that can be clicked; 1 where nothing can."""
    referee = board._referee
    if not referee.your_turn():
        return 1
    places = sorted(referee.face.targets(referee.game, referee.state, referee.clicks))
    return places[pick % len(places)]


@pytest.mark.parametrize("seed", range(2))
@pytest.mark.parametrize("game", BOTS)
def test_the_page_shows_what_the_notebooks_board_shows(game, seed, monkeypatch):
    """120 messages each, drawings included: every view is the same."""
    known, _ = contents(get_game(game))
    draws = []
    if game == "backgammon":
        draws = dice_of_the_board()
        monkeypatch.setattr(widget, "Referee", seeded_referee)
        known["bots"], known["networks"] = {}, []
        for k, (name, agent) in enumerate(agents_of(game).items()):
            known["bots"][name] = {"kind": "equity", "agent": "TD-Gammon", "evaluation": k}
            known["networks"].append(units_network(agent))
    elif game == "go":
        known["bots"] = {name: described(agent) for name, agent in agents_of(game).items()}
    else:
        known["bots"] = {name: known["bots"][name] for name in BOTS[game]}
    sent = messages(game, 120, seed)
    script = """
    const players = await Players.load(input.known);
    const ask = async (bot, position) => players.decide(bot, position);
    const referee = new Referee(input.known, players.game, ask, (games, number) => input.draws[games][number]);
    await referee.queue;
    const views = [referee.view];
    for (const { age, pick, ...message } of input.sent) {
      if (pick !== undefined) {
        const places = referee.yourTurn() ? referee.targets().sort((a, b) => a - b) : [1];
        message.action = places[pick % places.length];
      }
      await referee.send({ ...message, serial: referee.view.serial - age });
      views.push(referee.view);
    }
    return views;
    """
    theirs = in_node(script, game, known=known, sent=sent, draws=draws)
    for k, (view, expected) in enumerate(zip(theirs, views_in_python(game, sent), strict=True)):
        for key in (*LEFT_OUT, *(["saves"] if game == "go" else [])):
            expected.pop(key, None), view.pop(key, None)
        assert view == expected, (
            k,
            sent[k - 1],
            [key for key in expected if view.get(key) != expected[key]],
        )
    assert len({view["svg"] for view in theirs}) > 20


def seeded_referee(*arguments: Any, **settings: Any) -> Referee:
    """A referee with the dice of DICE_SEED."""
    return Referee(*arguments, **settings | {"seed": DICE_SEED})


# Bots of tic-tac-toe that travel as their moves and values; the perfect player draws among the best.
TABLES = ("Perfect player", "Q-table", "Afterstates player", "Deep Q-network")


@pytest.mark.parametrize("name", TABLES)
def test_a_bot_decides_in_the_page_as_in_python_in_every_position(name):
    """All 4,520 decisions of tic-tac-toe: the move and the value of each free square."""
    game = get_game("tic-tac-toe")
    known, _ = contents(game)
    decision = decide_everywhere(bots_of(game)[name])
    positions = tables().cells[tables().decisions]
    script = """
    const players = await Players.load(input.known);
    return input.cells.map((cells, row) => {
      const position = { cells: Int8Array.from(cells), toPlay: input.toPlay[row], done: false, points: 0 };
      return players.decide(input.name, position);
    });
    """
    stones = (positions > 0).sum(axis=1)
    asked = {"cells": positions.tolist(), "toPlay": (stones % 2).tolist(), "name": name}
    theirs = in_node(script, "tic-tac-toe", known=known, **asked)
    values = np.array([one["q"] for one in theirs], float)
    assert np.array_equal(values, decision.q.astype("float32"), equal_nan=True)
    actions = np.array([one["action"] for one in theirs])
    if known["bots"][name]["draws"]:
        rows = np.arange(len(actions))
        assert np.array_equal(values[rows, actions], np.nanmax(values, axis=1))
    else:
        assert np.array_equal(actions, decision.action)
