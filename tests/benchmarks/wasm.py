"""Kernels in WebAssembly beside Numba's and the interpreter: `python -m tests.benchmarks.wasm`.

Every way does the same work, in turn. A piece repeats it for `PIECE` ms: a browser's clock is
coarse, and a throttled browser works in bursts. The best piece of each counts, so that other work
on the machine disturbs least.
"""

import shutil
import sys
import time
from collections.abc import Callable
from typing import Any

import numpy as np
from playwright.sync_api import sync_playwright

from rlcourse.agents import load_agent, make_agent
from rlcourse.games import get_game
from rlcourse.kernels import interpreted
from rlcourse.page import contents, engine
from tests.oracles.search_plain import search
from tests.unit.in_node import in_node

GAMES = ("tic-tac-toe", "connect-four")
ROUNDS, PIECES, PIECE = 3, 8, 100
# Enough games that the processor cannot learn their branches by heart, which 2,000 are not.
ROWS, SEARCHES, SIMULATIONS, POSITIONS = 20_000, 1, 100, 5
RATES = """
const players = await Players.load(known);
const { game } = players;
const { kernels } = game;
const of = (type, ...shape) => kernels.array(type, [rows, ...shape]);
const batch = [of("int8", game.size), of("int8"), of("bool"), of("float32")];
const seeds = of("uint64");
seeds.view.forEach((_, k, view) => (view[k] = BigInt(k)));
const out = of("float32");
const rate = (count, work) => {
  work();
  let best = 0;
  for (let k = 0; k < pieces; k++) {
    const start = performance.now();
    let times = 0, passed = 0;
    for (; passed < lasting; passed = performance.now() - start, times++) work();
    best = Math.max(best, (1000 * count * times) / passed);
  }
  return best;
};
const start = game.start();
players.bots.hundred = { kind: "search", rule: "puct", c: 1.5, simulations: 100, evaluation: 0 };
const search = (rule, evaluation) => {
  players.bots.timed = { kind: "search", rule, c: 1.4, simulations, evaluation };
  return rate(searches * simulations, () => {
    for (let k = 0; k < searches; k++) players.decide("timed", start);
  });
};
const answer = {
  games: rate(rows, () => kernels.call("playouts", ...batch, seeds, out)),
  tree: search("puct", "uniform"),
  uct: search("ucb1", "rollouts"),
  network: rate(positions, () => {
    game.load(game.row, start);
    for (let k = 0; k < positions; k++) players.networks[0].evaluate(game.row);
  }),
  alphazero: rate(1, () => players.decide("hundred", start)),
};
return answer;
"""


def rate(count: int, work: Callable[[], Any]) -> float:
    """Units of work a second in the best piece, after one call to warm up."""
    work()
    best = 0.0
    for _ in range(PIECES):
        started, times, passed = time.perf_counter(), 0, 0.0
        while passed < PIECE / 1000:
            work()
            times, passed = times + 1, time.perf_counter() - started
        best = max(best, count * times / passed)
    return best


def in_numba(name: str) -> dict[str, float]:
    """The rates of the course."""
    game, state = get_game(name), get_game(name).new_game()
    batch, seeds = game.new_batch(ROWS), np.arange(ROWS)
    agents = {
        "tree": make_agent("puct", game, simulations=SIMULATIONS, c=1.4),
        "uct": make_agent("uct", game, simulations=SIMULATIONS, c=1.4),
    }
    bot = load_agent(f"{name}/alphazero").with_simulations(100)
    planes = bot.encoder.encode_batch(game.new_batch(1))
    rates = {
        key: rate(
            SEARCHES * SIMULATIONS,
            lambda agent=agent: [agent.think(state) for _ in range(SEARCHES)],
        )
        for key, agent in agents.items()
    }

    def fresh() -> None:
        bot.evaluate.keys[:] = 0  # the page has no cache
        bot.think(state)

    return rates | {
        "games": rate(ROWS, lambda: batch.playouts(seeds)),
        "network": rate(POSITIONS, lambda: [bot.model._few(planes) for _ in range(POSITIONS)]),
        "alphazero": rate(1, fresh),
    }


def in_interpreter(name: str) -> dict[str, float]:
    """The rates of the same kernels, and of the plain search, in Python's interpreter."""
    game, rows = get_game(name), 10
    batch, playouts = game.new_batch(rows), interpreted(get_game(name).new_batch(1).rules.playouts)
    seeds, out = np.arange(rows).astype(np.uint64), np.empty(rows, np.float32)
    state = game.new_game()

    def plain() -> None:
        search(game, state, lambda state: ([1.0] * game.num_actions, 0.0), SIMULATIONS, c=1.4)

    def random_games() -> None:
        with np.errstate(over="ignore"):
            playouts(batch.cells, batch.to_play, batch.done, batch.points, seeds, out)

    return {"games": rate(rows, random_games), "tree": rate(SIMULATIONS, plain)}


def main() -> None:
    """Print a table a game."""
    program = shutil.which("chromium")
    settings = {
        "rows": ROWS,
        "pieces": PIECES,
        "lasting": PIECE,
        "searches": SEARCHES,
        "simulations": SIMULATIONS,
        "positions": POSITIONS,
    }
    constants = "".join(f"const {key} = {value};" for key, value in settings.items())
    with sync_playwright() as playwright:
        page = playwright.chromium.launch(executable_path=program, args=["--no-sandbox"]).new_page()
        throttle = page.context.new_cdp_session(page)

        def in_browser(known: dict[str, Any], slower: int = 1) -> dict[str, float]:
            throttle.send("Emulation.setCPUThrottlingRate", {"rate": slower})
            script = engine(known["game"]) + constants + RATES
            return page.evaluate(f"async (known) => {{ {script} }}", known)

        for name in GAMES:
            known = contents(get_game(name))[0]
            ways: dict[str, Callable[[], dict[str, float]]] = {
                "Numba": lambda name=name: in_numba(name),
                "Node": lambda name=name, known=known: in_node(
                    f"{constants} return await (async (known) => {{ {RATES} }})(input.known);",
                    name,
                    known=known,
                ),
                "Chromium": lambda known=known: in_browser(known),
                "Chromium, 4 times throttled": lambda known=known: in_browser(known, 4),
                "interpreter": lambda name=name: in_interpreter(name),
            }
            best: dict[str, dict[str, float]] = {}
            for _ in range(ROUNDS):
                for way, measure in ways.items():
                    rates = measure()
                    seen = best.setdefault(way, rates)
                    best[way] = {key: max(seen[key], rates[key]) for key in rates}
            print(name)
            for key in best["Numba"]:
                unit = "moves/s" if key == "alphazero" else "/s"
                row = [f"{way} {rates[key]:,.3g}" for way, rates in best.items() if key in rates]
                print(f"  {key} ({unit}): {', '.join(row)}")


if __name__ == "__main__":
    sys.exit(main())
