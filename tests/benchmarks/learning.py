"""Seconds until a table is unbeatable, or TD-Gammon beats random play, natively and in a page:
`python -m tests.benchmarks.learning [tic-tac-toe | backgammon]`.

The course's own learner and driver, and the page of `rlcourse page --learning` in Chromium at full
speed, seed by seed in turn. The exact judge looks after every 50 games in both; TD-Gammon plays 100
games with random play after every 100, until the low end of the interval of its wins is 90%.
"""

import itertools
import shutil
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from playwright.sync_api import Page, sync_playwright

from rlcourse.agents import BatchAgent, RandomAgent
from rlcourse.games import get_game
from rlcourse.judges.backgammon import judge_backgammon
from rlcourse.judges.tictactoe import judge
from rlcourse.learning import satisfied, train
from rlcourse.learning.train import Row
from rlcourse.learning_page import PAGES, write_learning_page

SEEDS = {"tic-tac-toe": range(10), "backgammon": range(5)}


def native(game: str, method: str, seed: int) -> tuple[float, int]:
    """(seconds, games) of the course until the judge is satisfied."""
    learner = PAGES[game].methods[method].made({}, seed=seed)
    started = time.perf_counter()
    if game == "backgammon":
        rows = train(learner, until=_wins_nine_of_ten, judge=_match(), every=100, seed=seed)
    else:
        rows = train(learner, until=satisfied("unbeatable"), judge=judge, every=50, seed=seed)
    last = list(rows)[-1]
    return time.perf_counter() - started, last.games


def _wins_nine_of_ten(row: Row) -> bool:
    return row.verdict is not None and row.verdict.wins_interval()[0] >= 0.9


def _match() -> Callable[[BatchAgent], Any]:
    """A judge that plays other games each time."""
    seeds, random = itertools.count(), RandomAgent(get_game("backgammon"))
    return lambda agent: judge_backgammon(agent, opponent=random, games=100, seed=next(seeds))


def in_page(page: Page, method: str, seed: int) -> tuple[float, int]:
    """The same in the page, from the press on Start to the page's own word that it is over."""
    page.get_by_label("Learn by").select_option(method)
    page.get_by_label("Games a second").select_option("Infinity")
    page.get_by_label("Seed").fill(str(seed))
    page.get_by_role("button", name="Reset").click()
    page.wait_for_function("() => document.body.dataset.games === '0'")
    milliseconds, games, news = page.evaluate("""() => new Promise((resolve) => {
      const started = performance.now();
      new MutationObserver((_, observer) => {
        const { running, games } = document.body.dataset;
        if (running !== 'false') return;
        observer.disconnect();
        const news = document.querySelector('#news').textContent;
        resolve([performance.now() - started, Number(games), news]);
      }).observe(document.querySelector('#news'), { childList: true });
      document.querySelector('#run').click();
    })""")
    assert news.startswith(("Unbeatable", "Perfect", "Wins nine")), f"{method}, seed {seed}: {news}"
    return milliseconds / 1000, games


def main(game: str = "tic-tac-toe") -> None:
    """Print a line a method and way."""
    program, seeds = shutil.which("chromium"), SEEDS[game]
    with sync_playwright() as playwright, tempfile.TemporaryDirectory() as folder:
        browser = playwright.chromium.launch(executable_path=program, args=["--no-sandbox"])
        page = browser.new_page()
        page.set_default_timeout(600_000)
        file = write_learning_page(get_game(game), Path(folder, "learning.html"))
        page.goto(file.as_uri())
        page.locator(".rl-surface svg").wait_for()
        for method in PAGES[game].methods:
            PAGES[game].methods[method].made({}).collect(np.random.default_rng(0))  # compiles
            ways: dict[str, list[tuple[float, int]]] = {"Numba": [], "Chromium": []}
            for seed in seeds:
                ways["Numba"].append(native(game, method, seed))
                ways["Chromium"].append(in_page(page, method, seed))
            for way, ends in ways.items():
                seconds, games = np.array(ends).T
                print(
                    f"{method}, {way}: {len(ends)} of {len(seeds)}, median {np.median(seconds):.2f}"
                    f" s and {np.median(games):,.0f} games, most {seconds.max():.2f} s and "
                    f"{games.max():,.0f} games"
                )


if __name__ == "__main__":
    main(*sys.argv[1:])
