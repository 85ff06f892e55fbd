"""The kernels in WebAssembly against Numba's, byte for byte, in Node; the networks of the page
against the course's.
"""

import hashlib
import itertools
import json
import math
from pathlib import Path

import numpy as np
import pytest

from rlcourse.agents import load_agent
from rlcourse.agents.alphazero import AlphaZeroAgent
from rlcourse.agents.rave import RaveAgent
from rlcourse.agents.search_tree import RULES, SearchTree
from rlcourse.games import Game, get_game
from rlcourse.games import backgammon_kernels as kernels
from rlcourse.games.backgammon import START, BackgammonBatch
from rlcourse.page import contents, described, known_of
from rlcourse.play_page.bots import bots_of
from rlcourse.wasm import module_of
from rlcourse.wasm.build import FOLDER, GAMES, LOGARITHMS, build, sources, tools
from tests.conftest import program_or_reason
from tests.unit.in_node import array_of, in_node

POSITIONS = 10_000
games = pytest.mark.parametrize("name", ["tic-tac-toe", "connect-four"])
RETURN_ALL = "Object.fromEntries(Object.entries(arrays).map(([k, v]) => [k, base64(v.view)]))"


def random_games(game: Game, count: int, plies: int = 0) -> tuple[np.ndarray, np.ndarray]:
    """(actions [N, D], lengths [N]) of random play, up to a random ply or the end.

    plies: D, by default the number of cells.
    """
    batch, rng = game.new_batch(count), np.random.default_rng(0)
    actions = np.full((count, plies or batch.cells.shape[1]), -1)
    until = rng.integers(0, actions.shape[1] + 1, count)
    for ply in range(actions.shape[1]):
        # In Go few passes and no eyes filled, so that captures and repetitions come up.
        drawn = (rng.random((count, batch.rules.num_actions)) * batch.sensible()).argmax(axis=1)
        actions[:, ply] = np.where(batch.done | (ply >= until), -1, drawn)
        batch.step(actions[:, ply])
    return actions, (actions != -1).sum(axis=1)


@games
def test_the_rules_are_numbas_byte_for_byte(name):
    """Play, legal actions and random games from 10,000 positions, and the outcome of each."""
    batch = get_game(name).new_batch(POSITIONS)
    actions, lengths = random_games(get_game(name), POSITIONS)
    fields = {key: batch.arrays()[key] for key in ("cells", "to_play", "done", "points")}
    seeds = np.random.default_rng(1).integers(2**63, size=POSITIONS).astype(np.uint64)
    arrays = fields | {
        "actions": actions,
        "lengths": lengths,
        "legal": np.zeros((POSITIONS, batch.rules.num_actions), np.bool_),
        "seeds": seeds,
        "out": np.zeros(POSITIONS, np.float32),
    }
    script = """
    const { cells, to_play, done, points, actions, lengths, legal, seeds, out } = arrays;
    const bad = kernels.call("play", cells, to_play, done, points, actions, lengths);
    kernels.call("legal", cells, done, legal);
    kernels.call("playouts", cells, to_play, done, points, seeds, out);
    const width = cells.shape[1];
    const one = kernels.array("int8", [width]);
    const outcomes = [...out.view.keys()].map((row) => {
      one.view.set(cells.view.subarray(width * row, width * (row + 1)));
      return kernels.call("outcome", one);
    });
    """
    bad, outcomes, given = in_node(f"{script} return [bad, outcomes, {RETURN_ALL}];", name, arrays)
    batch._play(actions, lengths)
    assert bad == -1 and 0.2 < batch.done.mean() < 0.8
    for key, expected in batch.arrays().items():
        if key in fields:
            assert array_of(given[key], expected).tobytes() == expected.tobytes(), key
    assert array_of(given["legal"], arrays["legal"]).tobytes() == batch.legal().tobytes()
    assert array_of(given["out"], arrays["out"]).tobytes() == batch.playouts(seeds).tobytes()
    assert outcomes == [batch.rules.outcome(cells) for cells in batch.cells]


@pytest.mark.parametrize(
    "name, rule", [*itertools.product(["tic-tac-toe", "connect-four"], RULES), ("go", "puct")]
)
def test_the_trees_are_numbas_byte_for_byte(name, rule, pytestconfig):
    """400 simulations from 25 positions, given the same evaluations: every field of every edge."""
    simulations, game = 400, get_game(name)
    count = max(25, pytestconfig.getoption("--positions"))
    rng = np.random.default_rng(2)
    policy = rng.dirichlet(np.ones(game.num_actions), simulations + 1)
    value = rng.uniform(-1, 1, simulations + 1)
    script = """
    const game = gameOf(kernels, input.known);
    const { policy, value } = arrays;
    return input.moves.map((moves) => {
      const before = kernels.top;
      const position = moves.reduce((now, action) => game.after(now, action), game.start());
      let k = 0;
      const evaluate = () => {
        const start = game.actions * k;
        return { policy: policy.view.subarray(start, start + game.actions), value: value.view[k++] };
      };
      const tree = new Tree(game, position, evaluate, { simulations: 400, rule: input.rule, c: 1.25 });
      for (let s = 0; s < 400; s++) tree.simulate();
      const all = [tree.edges, ...tree.nodes].map((array) => base64(array.view));
      kernels.top = before;
      return all;
    });
    """
    actions, lengths = random_games(game, 3 * count)
    batch = game.new_batch(3 * count)
    batch.replay(game.new_batch(3 * count), actions, lengths)
    rows = np.flatnonzero(~batch.done)[:count]
    assert len(rows) == count
    for some in np.array_split(rows, count // 25):
        expected = []
        for row in some:
            turn = iter(range(simulations + 1))

            def given(batch, rows, rng, turn=turn):
                k = next(turn)
                return policy[k : k + 1], value[k : k + 1]

            root = batch.take(np.array([row]))
            tree = SearchTree(root, given, simulations, rng, rule=rule, c=1.25)
            for _ in range(simulations):
                tree.simulate()
            expected.append(
                [tree.edges, tree.total, tree.done, tree.points, tree.to_play, tree.size]
            )
        moves = [actions[row, : lengths[row]].tolist() for row in some]
        arrays = {"policy": policy, "value": value}
        more = {"moves": moves, "rule": rule, "known": known_of(game)}
        for theirs, ours in zip(in_node(script, name, arrays, **more), expected, strict=True):
            for text, array in zip(theirs, ours, strict=True):
                assert array_of(text, array).tobytes() == array.tobytes()


DECIDE = """
    const players = await Players.load(input.known);
    const { game } = players;
    const positions = input.moves.map((moves) => moves.reduce((now, action) => game.after(now, action), game.start()));
    const floats = (rows) => base64(Float32Array.from(rows.flat()));
    return input.names.map((name) => {
      const all = positions.map((position) => players.decide(name, position, () => 0.5));
      const own = all.map(({ own, policy }) => (name.endsWith("(drawn moves)") ? policy : own));
      return [floats(all.map(({ action }) => action)), floats(all.map(({ value }) => value)), floats(own)];
    });
"""


@pytest.mark.slow
@pytest.mark.parametrize(
    "name, options", [("tic-tac-toe", {}), ("connect-four", {}), ("go", {}), ("go", {"size": 9})]
)
def test_the_networks_decide_as_in_the_course(name, options, monkeypatch, pytestconfig):
    """Each network of a page: the same best move, the same move drawn by the same number, its
    probabilities and value to rounding."""
    # The course's own sums in one fixed order; those of TensorFlow differ by rounding.
    for few in ("FEW", "FEW_PRODUCTS"):
        monkeypatch.setattr(f"rlcourse.forward.{few}", 10**12)
    game, count = get_game(name, **options), pytestconfig.getoption("--positions")
    plies = 2 * game.num_actions if name == "go" else 0
    actions, lengths = random_games(game, 3 * count, plies)
    batch = game.new_batch(len(actions))
    batch.replay(game.new_batch(len(actions)), actions, lengths)
    rows = np.flatnonzero(~batch.done)[:count]
    known, _ = contents(game)
    alone = ("(no search)", "(best moves)", "(drawn moves)")
    bots = {bot: agent for bot, agent in bots_of(game).items() if bot.endswith(alone)}
    moves = [actions[row, : lengths[row]].tolist() for row in rows]
    given = in_node(DECIDE, name, known=known, moves=moves, names=list(bots))
    gaps = []
    for (bot, agent), (chosen, values, shares) in zip(bots.items(), given, strict=True):
        if isinstance(agent, AlphaZeroAgent):
            ask, encode = agent.evaluate.evaluate, agent.encoder.encode_batch
            agent.evaluate = lambda *at, ask=ask, encode=encode: ask(encode(*at[:2]))  # no cache
        own = agent if bot.endswith("(drawn moves)") else agent.at_temperature(1.0)
        decision = own.decide(batch, rows, rng := np.random.default_rng(0))
        # The one move of a bot that draws none, else where the shares exceed the number handed in.
        above = decision.policy.astype(float).cumsum(axis=1) > 0.5
        expected = above.argmax(axis=1) if own is agent else agent.decide(batch, rows, rng).action
        gaps.append(np.abs(array_of(shares, decision.policy) - decision.policy).max())
        assert np.array_equal(array_of(chosen, np.zeros(len(rows), np.float32)), expected), bot
        if decision.value is not None:
            gaps.append(np.abs(array_of(values, decision.value) - decision.value).max())
    print(f"{game}: {len(rows)} positions, {list(bots)}, largest difference {max(gaps):.2g}")
    assert len(rows) == count and max(gaps) < 1e-6


def test_the_logarithms_are_pythons():
    """UCB1 needs ln of whole numbers; a browser's differs in the last bit for some, such as 3."""
    script = "return [...Array(input.count - 1).keys()].map((k) => kernels.exports.log(k + 1));"
    given = in_node(script, "tic-tac-toe", count=LOGARITHMS)
    assert given == [math.log(n) for n in range(1, LOGARITHMS)]


@pytest.mark.parametrize("size", [5, 9])
def test_go_is_numbas_byte_for_byte(size, pytestconfig):
    """Play, legal and sensible actions, superko, area and random games of the same seeds."""
    count, game = max(1_000, pytestconfig.getoption("--positions")), get_game("go", size=size)
    batch, points = game.new_batch(count), size * size
    start = batch.take(np.arange(count))
    actions, lengths = random_games(game, count, 3 * points)
    batch.replay(start, actions, lengths)
    rng = np.random.default_rng(3)
    seeds = rng.integers(2**63, size=count).astype(np.uint64)
    rules, rows = batch.rules, np.arange(count)
    fields = {name: array for name, array in start._fields().items() if name != "root"}
    arrays = fields | {
        "around": rules.around,
        "actions": actions,
        "lengths": lengths,
        "rows": rows,
        "legal": np.zeros((count, game.num_actions), np.bool_),
        "sensible": np.zeros((count, game.num_actions), np.bool_),
        "repeats": np.zeros((count, points), np.bool_),
        "seeds": seeds,
        "out": np.zeros(count, np.float32),
        "owners": np.zeros((count, points), np.int8),
    }
    script = """
    const { board, hashes, moves, ply, to_play, done, truncated, points, around, rows, out } = arrays;
    const { actions, lengths, legal, sensible, repeats, seeds, owners } = arrays;
    const game = [board, hashes, moves, ply, to_play, done];
    const bad = kernels.call("play", ...game, truncated, points, around, 7.5, actions, lengths);
    const look = [board, hashes, around, to_play, done, rows];
    kernels.call("legal", ...look, 0, legal);
    kernels.call("legal", ...look, 1, sensible);
    kernels.call("repeats", ...look, repeats);
    kernels.call("playouts", ...game, points, around, 7.5, seeds, out);
    const [count, planes, width] = board.shape;
    const one = (array, row, shape) => {
      const bytes = shape.reduce((a, b) => a * b, array.itemBytes);
      return new KernelArray(kernels.memory, array.type, shape, array.place + bytes * row);
    };
    for (let row = 0; row < count; row++)
      kernels.call("area", one(board, row, [planes, width]), around, one(owners, row, [width - 1]));
    """
    bad, given = in_node(f"{script} return [bad, {RETURN_ALL}];", "go", arrays)
    expected = {name: batch._fields()[name] for name in fields} | {
        "legal": batch.legal(),
        "sensible": batch.sensible(),
        "repeats": batch.forbidden_by_ko(),
        "out": batch.playouts(seeds),
        "owners": np.array([batch.state(row).area().ravel() for row in range(count)]),
    }
    assert bad == -1 and 0.02 < batch.done.mean() < 0.9
    assert expected["repeats"].any()
    for key, array in expected.items():
        assert array_of(given[key], array).tobytes() == array.tobytes(), key


def test_uct_of_go_is_pythons_edge_for_edge():
    """300 simulations with random games of the same seeds, from eight positions of a game."""
    game, simulations = get_game("go"), 300
    known, _ = contents(game)
    rng = np.random.default_rng(4)
    seeds = rng.integers(2**53, size=simulations + 1)
    moves = [12, 7, 11, 17, 13, 8, 6, 16]
    batch, expected = game.new_batch(1), []
    for action in moves:
        batch.step(np.array([action]))
        turn = iter(seeds.tolist())

        def result(batch, rows, rng, turn=turn):
            points = batch.playouts(np.array([next(turn)]))[rows]
            sign = np.where(batch.to_play[rows] == 0, 1, -1)
            return np.ones((1, game.num_actions)), points * sign

        tree = SearchTree(batch, result, simulations, rng, rule="ucb1", c=1.4)
        for _ in range(simulations):
            tree.simulate()
        expected.append(tree.edges[0])
    script = """
    const game = gameOf(kernels, input.known);
    const players = new Players(game, input.known);
    let position = game.start();
    return input.moves.map((action) => {
      position = game.after(position, action);
      const before = kernels.top;
      let k = 0;
      const evaluate = players.rollouts(() => input.seeds[k++] / 2 ** 53);
      const tree = new Tree(game, position, evaluate, { simulations: 300, rule: "ucb1", c: 1.4 });
      for (let s = 0; s < 300; s++) tree.simulate();
      const edges = base64(tree.edges.view);
      kernels.top = before;
      return edges;
    });
    """
    theirs = in_node(script, "go", known=known, moves=moves, seeds=seeds.tolist())
    for text, edges in zip(theirs, expected, strict=True):
        assert array_of(text, edges).tobytes() == edges.tobytes()


@pytest.mark.parametrize(
    "size, settings",
    [(5, {}), (9, {}), (9, {"patterns": False, "rave": False}), (7, {"simulations": 5_000})],
)
def test_rave_is_pythons_in_every_count(size, settings):
    """300 simulations of the same seed, from 30 positions, one of them after a pass that wins; with
    5,000 the visits are more than the module has logarithms."""
    game = get_game("go", size=size)
    agent = RaveAgent(game, **{"simulations": 300} | settings)
    count = 1 + 10_000 // agent.simulations
    actions, lengths = random_games(game, count, 2 * game.num_actions)
    actions[0, :2], lengths[0] = game.num_actions - 1, 1
    batch = game.new_batch(len(actions))
    batch.replay(game.new_batch(len(actions)), actions, lengths)
    rows = np.flatnonzero(~batch.done)
    seeds = np.random.default_rng(9).integers(2**53, size=len(rows))
    expected = [agent._search(batch, *one) for one in zip(rows, seeds.tolist(), strict=True)]
    script = """
    const game = gameOf(kernels, input.known);
    const players = new Players(game, input.known);
    return input.moves.map((moves, k) => {
      const position = moves.reduce((now, action) => game.after(now, action), game.start());
      const { visits, q, action } = players.rave(input.bot, position, game.legal(position), () => input.seeds[k] / 2 ** 53);
      return [visits, q, action];
    });
    """
    moves = [actions[row, : lengths[row]].tolist() for row in rows]
    more = {"known": known_of(game), "bot": described(agent), "seeds": seeds.tolist()}
    given = in_node(script, "go", moves=moves, **more)
    for (visits, q, action), (counts, wins) in zip(given, expected, strict=True):
        with np.errstate(invalid="ignore"):
            means = 2 * wins / counts - 1
        assert visits == counts.tolist()
        assert np.array_equal(np.array(q, np.float32), means, equal_nan=True)
        assert action == np.lexsort((-np.nan_to_num(means + 1), -counts))[0]


def positions_of_backgammon(count: int) -> BackgammonBatch:
    """Positions of random play after up to 60 turns, with their dice."""
    batch, rng = get_game("backgammon").new_batch(count), np.random.default_rng(6)
    until = rng.integers(0, 60, count)
    for ply in range(60):
        batch.roll(rng)
        turns = np.maximum(batch.counts(), 1)
        batch.step(np.where(batch.done | (ply >= until), -1, rng.integers(0, turns)))
    batch.roll(rng)
    return batch


@pytest.mark.slow
def test_backgammon_is_numbas_byte_for_byte(pytestconfig):
    """The turns of 500 positions with the boards after them, their names, results and dice."""
    count = max(500, pytestconfig.getoption("--positions"))
    batch = positions_of_backgammon(count)
    draws = np.random.default_rng(7).integers(0, 1080, count)
    thrown = np.zeros((count, 2), np.int8)
    kernels.throw_dice(batch.checkers, np.arange(count), START, draws, thrown)
    expected = []
    for row in range(count):
        state = batch.state(row)
        moves = state.legal_moves()
        boards = [state.apply_move(move) for move in moves]
        expected.append(
            [
                [[list(step) for step in move] for move in moves],
                [board.checkers.ravel().tolist() for board in boards],
                [board.points for board in boards],
                [state.describe(move) for move in moves],
                thrown[row].tolist() if not state.is_over() else [0, 0],
            ]
        )
    known, _ = contents(get_game("backgammon"))
    rows = [
        {"checkers": checkers.ravel().tolist(), "toPlay": to_play, "dice": dice, "points": points}
        for checkers, to_play, dice, points in zip(
            batch.checkers,
            batch.to_play.tolist(),
            batch.dice.tolist(),
            batch.points.tolist(),
            strict=True,
        )
    ]
    script = """
    const game = gameOf(kernels, input.known);
    return input.rows.map((row, k) => {
      const state = { ...row, checkers: Int8Array.from(row.checkers), done: row.points !== 0 };
      const turns = game.turns(state);
      const moves = turns.map(({ move }) => move);
      const after = moves.map((move) => game.after(state, move));
      if (after.some(({ checkers }, t) => checkers.join() !== turns[t].board.join())) throw new Error("another board");
      const thrown = game.throw({ ...state, dice: [0, 0] }, input.draws[k]);
      return [
        moves,
        after.map(({ checkers }) => [...checkers]),
        after.map(({ points }) => points),
        moves.map((move) => game.describe(state, move)),
        thrown.dice,
      ];
    });
    """
    theirs = in_node(script, "backgammon", known=known, rows=rows, draws=draws.tolist())
    turns = sum(len(moves) for moves, *_ in expected)
    print(f"{count:,} positions, {turns:,} turns")
    assert turns > 5_000 and theirs == expected


@pytest.mark.slow
def test_td_gammon_chooses_as_in_the_course(pytestconfig):
    """The same turn, and its equity to rounding."""
    count = pytestconfig.getoption("--positions")
    agent = load_agent("backgammon/td-gammon")
    batch = positions_of_backgammon(2 * count)
    running = np.flatnonzero(~batch.done)[:count]
    decision = agent.decide(batch, running, np.random.default_rng(0))
    known, _ = contents(get_game("backgammon"))
    script = """
    const players = await Players.load(input.known);
    const { checkers, toPlay, dice } = arrays;
    return [...toPlay.view.keys()].map((row) => {
      const position = {
        checkers: checkers.view.slice(52 * row, 52 * row + 52),
        toPlay: toPlay.view[row],
        dice: [...dice.view.subarray(2 * row, 2 * row + 2)],
        points: 0,
        done: false,
      };
      const { action, value } = players.decide("TD-Gammon", position);
      return [players.game.legal(position).indexOf(action), value];
    });
    """
    arrays = {
        "checkers": batch.checkers[running],
        "toPlay": batch.to_play[running],
        "dice": batch.dice[running],
    }
    actions, values = np.array(in_node(script, "backgammon", arrays, known=known)).T
    gap = np.abs(values - decision.value).max()
    print(f"{len(running)} positions, largest difference {gap:.2g}")
    assert len(running) == count and np.array_equal(actions, decision.action)
    assert gap < 3e-6  # equities lie in [-3, 3]


@pytest.mark.parametrize("name", GAMES)
def test_a_module_imports_nothing_and_is_small(name):
    script = "return WebAssembly.Module.imports(new WebAssembly.Module(bytes(input.module)));"
    assert in_node(script, name) == []
    assert len(module_of(name)) <= 400_000


MADE = json.loads((FOLDER / "made.json").read_text(encoding="utf-8"))


def test_the_stored_modules_are_those_of_the_kernels():
    """After a change of a kernel: `python -m rlcourse.wasm.build`."""
    assert MADE["sources"] == {game: sources(game) for game in GAMES}
    hashes = {game: hashlib.sha256(module_of(game)).hexdigest() for game in GAMES}
    assert MADE["modules"] == hashes


def test_another_kernel_has_another_hash(monkeypatch):
    """One more line in a kernel that a kernel calls, or another constant, is noticed."""
    before = sources("connect-four")
    from rlcourse.games import connect_four

    monkeypatch.setattr(connect_four, "LINES", connect_four.LINES + 1)
    changed = sources("connect-four")
    assert changed != before and sources("tic-tac-toe") == MADE["sources"]["tic-tac-toe"]


@pytest.mark.slow
def test_a_module_is_built_twice_to_the_same_bytes(tmp_path: Path):
    """With the tools that built the stored modules these are the first of the two."""
    program_or_reason("wasm-ld")
    first, second = FOLDER, tmp_path / "second"
    build(second)
    if MADE["tools"] != tools():
        first = tmp_path / "first"
        build(first)
    for game in GAMES:
        name = f"{game}.wasm"
        assert (first / name).read_bytes() == (second / name).read_bytes(), name
