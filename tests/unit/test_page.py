"""The board of a page against the board of the notebooks: the same messages to both, in Node and in
Python, and everything that they show is compared.
"""

from typing import Any

import numpy as np
import pytest

from rlcourse.agents import load_agent
from rlcourse.agents.td_gammon import TDGammonAgent
from rlcourse.boards import widget
from rlcourse.boards.backgammon import own_judge
from rlcourse.boards.referee import Referee
from rlcourse.boards.review import loaded, review
from rlcourse.games import IllegalMove, get_game
from rlcourse.judges.tictactoe import decide_everywhere
from rlcourse.page import contents, units_network
from rlcourse.play_page.bots import bots_of
from rlcourse.play_page.table import HintBoard
from rlcourse.solvers.tictactoe import tables
from tests.unit.in_node import in_node

# Bots that always answer the same; the first gives the hints.
BOTS = {
    "tic-tac-toe": ("AlphaZero (50 simulations)", "Deep Q-network", "Q-table"),
    "connect-four": ("AlphaZero (50 simulations)", "AlphaZero (no search)"),
    "go": ("AlphaZero (50 simulations)", "Actor-critic (best moves)"),
    "backgammon": ("TD-Gammon", "Another"),
}
DICE_SEED, MOST_GAMES, MOST_TURNS = 20, 60, 600  # of the boards of backgammon
LEFT_OUT = ("way_on",)  # the advice differs


def agents_of(game: str) -> dict[str, Any]:
    """The agents of BOTS."""
    rules = get_game(game)
    if game == "backgammon":
        agent = load_agent("backgammon/td-gammon")
        rng = np.random.default_rng(0)
        noisy = {
            name: array + rng.normal(0, 0.1, array.shape).astype("float32")
            for name, array in agent.weights.items()
        }
        return dict(zip(BOTS[game], (agent, TDGammonAgent(rules, noisy)), strict=True))
    return {name: bots_of(rules)[name] for name in BOTS[game]}


def messages(game: str, count: int, seed: int) -> list[dict[str, Any]]:
    """Messages that a player could send, legal or not. serial: how old the click is."""
    rng = np.random.default_rng(seed)
    kinds = ["click"] * 12 + ["undo", "new", "side", "opponent", "overlay", "step", "step"]
    kinds += ["try again", "hint", "look", "review"]
    values = {
        "side": ["first", "second", "both", "none"],
        "opponent": BOTS[game],
        "overlay": [True, True, False],
        "step": ["first", "previous", "next", "last"],
        "look": [0, 1, 3, 1000],
    }
    drawn: list[dict[str, Any]] = []
    for _ in range(count):
        kind = str(rng.choice(kinds))
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
    bots, draws = known["bots"], []
    if game == "backgammon":
        draws = dice_of_the_board()
        monkeypatch.setattr(widget, "Referee", seeded_referee)
        known["bots"], known["networks"] = {}, []
        for k, (name, agent) in enumerate(agents_of(game).items()):
            known["bots"][name] = {"kind": "equity", "agent": "TD-Gammon", "evaluation": k}
            known["networks"].append(units_network(agent))
    else:
        known["bots"] = {name: known["bots"][name] for name in BOTS[game]}
    sent = messages(game, 120, seed)
    bots = bots | known["bots"]  # those of the page, who judge, and those of the test
    theirs = in_node(PLAY, game, known=known, bots=bots, sent=sent, draws=draws)
    compare(theirs, game, sent)
    assert len({view["svg"] for view in theirs}) > 20


PLAY = """
    const players = await Players.load({ ...input.known, bots: input.bots });
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


def compare(theirs: list[dict[str, Any]], game: str, sent: list[dict[str, Any]]) -> None:
    """Every view of a page with that of the notebooks' board after the same messages."""
    for k, (view, expected) in enumerate(zip(theirs, views_in_python(game, sent), strict=True)):
        for key in LEFT_OUT:
            expected.pop(key, None), view.pop(key, None)
        assert view == expected, (
            k,
            sent[k - 1],
            [key for key in expected if view.get(key) != expected[key]],
        )


SAVE = """
    const players = await Players.load(input.known);
    const referee = new Referee(input.known, players.game, async (bot, position) => players.decide(bot, position));
    const files = [];
    referee.on("msg:custom", (file) => files.push(file));
    for (const message of input.sent) await referee.send({ ...message, serial: referee.view.serial });
    return [files, referee.view];
"""


@pytest.mark.parametrize("actions", [(12, 7, 25, 8, 26, 26), (12, 12, 7, 25, 25), (25, 25)])
@pytest.mark.parametrize("side", ["both", "first"])
def test_a_page_saves_the_file_that_the_notebooks_board_saves(side, actions, monkeypatch):
    """After each click, with passes, an illegal move, two passes in a row, and resigning."""
    sent: list[dict[str, Any]] = [{"type": "side", "value": side}]
    for action in actions:
        sent += [{"type": "click", "action": action}, {"type": "save"}]
    known, _ = contents(get_game("go"))
    known["bots"] = {name: known["bots"][name] for name in BOTS["go"]}
    theirs, shown = in_node(SAVE, "go", known=known, sent=sent)
    files: list[dict[str, str]] = []
    monkeypatch.setattr(HintBoard, "send", lambda self, file: files.append(file))
    said = views_in_python("go", sent)[-1]["said"]
    assert len(files) == len(actions) and shown["said"] == said and files[0]["name"] in said
    assert theirs == [{**file, "text": file["text"].replace("\n", "")} for file in files]


# Games in which both sides give something away, and the first player, or the second, wins.
LOST = {
    "tic-tac-toe": (0, 1, 4, 8, 2, 5, 6),
    "connect-four": (0, 0, 5, 3, 4, 4, 4, 0, 3, 1, 2, 6, 3, 0, 3, 0),
    "go": (0, 12, 1, 7, 2, 17, 25, 25),
}


@pytest.mark.parametrize("game", LOST)
def test_the_review_is_that_of_the_notebooks_board(game, monkeypatch):
    """Two whole games of both sides, each reviewed; between them a look back and a review too soon;
    at last one move is taken back, after which no review is shown. The book of Connect Four does
    not travel."""
    monkeypatch.setattr("rlcourse.solvers.connect_four.book", dict)
    # The critic's sums in one fixed order; those of TensorFlow differ by rounding.
    monkeypatch.setattr("rlcourse.forward.FEW", 100)
    loaded.cache_clear()
    known, _ = contents(get_game(game))
    bots = known["bots"]
    known["bots"] = {name: bots[name] for name in BOTS[game]}
    moves = LOST[game]
    clicks = [{"type": "click", "action": action, "age": 0} for action in moves]
    looks = [{"type": "look", "value": value} for value in (0, 5, 99)]
    asked = {"type": "review"}
    sent = [asked, {"type": "side", "value": "both"}, *clicks, asked, *looks, {"type": "new"}]
    sent += [*clicks[:2], asked, *clicks[2:], asked, {"type": "undo"}]
    theirs = in_node(PLAY, game, known=known, bots=bots, sent=sent, draws=[])
    compare(theirs, game, sent)
    shown = [view["reviewed"] for view in theirs if view["reviewed"]]
    assert sum(row[-1] for row in shown[0]["rows"]) in (1, 2, 3)
    assert ("points in 100 away" if game == "go" else "turned a") in str(shown)
    assert not theirs[-1]["reviewed"]


def test_the_turns_of_backgammon_cost_what_they_cost_in_the_course():
    """The word for one turn of each of 60 positions, its steps in an order of the player's own."""
    game = get_game("backgammon")
    batch, rng = game.new_batch(60), np.random.default_rng(4)
    for _ in range(12):
        batch.roll(rng)
        batch.step(rng.integers(0, batch.counts()))
    batch.roll(rng)
    line = [batch.state(row) for row in range(60)]
    moves = [turned(state, rng) for state in line]
    expected = review(own_judge(), line, moves, range(60)).moves
    positions = [
        {
            "checkers": s.checkers.ravel().tolist(),
            "toPlay": s.next_player,
            "dice": s.dice,
            "done": False,
        }
        for s in line
    ]
    script = """
    const players = await Players.load(input.known);
    const reviews = new Reviews(input.known.judge);
    return input.positions.map((position, k) => {
      const state = { ...position, checkers: Int8Array.from(position.checkers) };
      return reviews.judged(players.game, state, input.moves[k], players.decide(JUDGE, state));
    });
    """
    known, _ = contents(game)
    theirs = in_node(script, "backgammon", known=known, positions=positions, moves=moves)
    assert [one["word"] for one in theirs] == [move.word for move in expected]
    assert len({move.word.split(",")[0] for move in expected}) > 4
    for one, move in zip(theirs, expected, strict=True):
        assert one["cost"] == pytest.approx(move.cost, abs=2e-3)


def turned(state: Any, rng: np.random.Generator) -> Any:
    """A legal turn, with its steps the other way round where that is the same turn."""
    move = state.legal_moves()[rng.integers(len(state.legal_moves()))]
    try:
        return move[::-1] if state.apply_move(move[::-1]) == state.apply_move(move) else move
    except IllegalMove:
        return move


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
