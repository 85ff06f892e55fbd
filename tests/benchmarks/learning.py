"""Seconds until a table is unbeatable, natively and in a page: `python -m tests.benchmarks.learning`.

The course's own learner and driver, and the page of `rlcourse page --learning` in Chromium at full
speed, seed by seed in turn; the exact judge looks after every 50 games in both.
"""

import shutil
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
from playwright.sync_api import Page, sync_playwright

from rlcourse.games import get_game
from rlcourse.judges.tictactoe import judge
from rlcourse.learning import satisfied, train
from rlcourse.learning_page import METHODS, write_learning_page

SEEDS, EVERY = range(10), 50


def native(method: str, seed: int) -> tuple[float, int]:
    """(seconds, games) of the course until the judge says unbeatable."""
    learner = METHODS[method].made({})
    started = time.perf_counter()
    goal = satisfied("unbeatable")
    rows = train(learner, until=goal, judge=judge, every=EVERY, seed=seed)
    last = list(rows)[-1]
    return time.perf_counter() - started, last.games


def in_page(page: Page, method: str, seed: int) -> tuple[float, int]:
    """The same in the page, from the press on Start to the page's own word that it is over."""
    page.get_by_label("Learn by").select_option(method)
    page.get_by_label("Games a second").select_option("Infinity")
    page.get_by_label("Seed").fill(str(seed))
    page.get_by_role("button", name="Reset").click()
    page.wait_for_function("() => document.body.dataset.games === '0'")
    milliseconds, games, losing = page.evaluate("""() => new Promise((resolve) => {
      const started = performance.now();
      new MutationObserver((_, observer) => {
        const { running, games, losing } = document.body.dataset;
        if (running !== 'false') return;
        observer.disconnect();
        resolve([performance.now() - started, Number(games), Number(losing)]);
      }).observe(document.querySelector('#news'), { childList: true });
      document.querySelector('#run').click();
    })""")
    assert losing == 0, f"{method}, seed {seed}: {losing} losing lines"
    return milliseconds / 1000, games


def main() -> None:
    """Print a line a method."""
    program = shutil.which("chromium")
    with sync_playwright() as playwright, tempfile.TemporaryDirectory() as folder:
        browser = playwright.chromium.launch(executable_path=program, args=["--no-sandbox"])
        page = browser.new_page()
        file = write_learning_page(get_game("tic-tac-toe"), Path(folder, "learning.html"))
        page.goto(file.as_uri())
        page.locator(".rl-surface svg").wait_for()
        native("q-table", 0)  # compiles
        for method in METHODS:
            ways = {"Numba": [], "Chromium": []}
            for seed in SEEDS:
                ways["Numba"].append(native(method, seed))
                ways["Chromium"].append(in_page(page, method, seed))
            for way, ends in ways.items():
                seconds, games = np.array(ends).T
                print(
                    f"{method}, {way}: unbeatable {len(ends)} of {len(SEEDS)}, median "
                    f"{np.median(seconds):.2f} s and {np.median(games):,.0f} games, most "
                    f"{seconds.max():.2f} s and {games.max():,.0f} games"
                )


if __name__ == "__main__":
    sys.exit(main())
