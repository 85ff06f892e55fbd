"""From the click on a square to the bot's answer on the screen, in a class that plays at one time.

    python -m tests.benchmarks.hub [--students 10] [--moves 30] [--rest 3] [--opponent perfect]

By root on Linux, with a hub and accounts of its own. Each student has a server, a kernel, a board
and a page that clicks by itself, after a pause drawn from 0 to twice `--rest` seconds. The clock is
the browser's own. All pages run on the machine of the hub and take a part of its processors: where
students bring their own computers, the server has more.
"""

import argparse
import string

import numpy as np
import psutil
from playwright.sync_api import Locator, sync_playwright

from tests.browser.lab import Notebook
from tests.hub.seat import Seat
from tests.hub.server import TEACHER, Server

CELL = """from rlcourse.boards import play
board = play({game!r}, {opponent!r})
board"""
PLAY = """(root, [moves, rest]) => {
  root.rlTimes = [];
  const free = () => root.querySelector('[data-action]:not([aria-disabled])');
  const fresh = () => [...root.querySelectorAll('button')].find((one) => one.textContent.includes('New game'));
  let start = null;
  const act = () => {
    start = free() ? performance.now() : null;
    const { left, top, width, height } = (free() || fresh()).getBoundingClientRect();
    const where = { bubbles: true, clientX: left + width / 2, clientY: top + height / 2 };
    (free() || fresh()).dispatchEvent(new MouseEvent('click', where));
  };
  const answered = () => {
    if (root.dataset.busy !== 'false') return;
    const both = root.querySelector('.rl-said').textContent.includes(' player: ');
    if (start !== null && both) root.rlTimes.push(performance.now() - start);
    start = null;
    if (root.rlTimes.length < moves) setTimeout(act, 2 * rest * 1000 * Math.random());
  };
  new MutationObserver(() => requestAnimationFrame(() => setTimeout(answered, 0)))
    .observe(root, { attributes: true, attributeFilter: ['data-announcement'] });
  act();
}"""
DONE = "([root, moves]) => root.rlTimes.length >= moves"


def times_of(board: Locator, moves: int) -> list[float]:
    """Milliseconds of the clicks that the bot answered, once there are enough."""
    root = board.element_handle()
    board.page.wait_for_function(DONE, arg=[root, moves], timeout=0)
    return root.evaluate("(root) => root.rlTimes")


def main() -> None:
    """Print the quantiles over all clicks of the class, and the slowest student's."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--students", type=int, default=10, help="at most 19")
    parser.add_argument("--moves", type=int, default=30, help="answered clicks of each student")
    parser.add_argument("--rest", type=float, default=3.0, help="mean pause before a click")
    parser.add_argument("--game", default="tic-tac-toe")
    parser.add_argument("--opponent", default="perfect")
    options = parser.parse_args()
    letters = string.ascii_lowercase[: options.students]
    server = Server("rb", TEACHER + letters)
    try:
        server.set_up()
        server.start()
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(
                executable_path="/usr/bin/chromium",
                args=["--no-sandbox", "--ignore-certificate-errors"],
            )
            boards = []
            for letter in letters:
                seat = Seat(server, browser, letter)
                seat.sign_in()
                seat.wait_for_lab()
                source = CELL.format(game=options.game, opponent=options.opponent)
                book: Notebook = seat.new_notebook(source)
                seat.page.close()
                boards.append(book.board().root)
            psutil.cpu_percent()
            for board in boards:
                board.evaluate(PLAY, [options.moves, options.rest])
            times = [times_of(board, options.moves) for board in boards]
            busy = psutil.cpu_percent()
            browser.close()
    finally:
        server.close()
    everything = np.concatenate(times)
    half, most, worst = np.quantile(everything, [0.5, 0.95, 1.0])
    slowest = max(np.quantile(one, 0.95) for one in times)
    print(f"{options.students} students, {everything.size} clicks, processors {busy:.0f}% busy")
    print(f"click to answer: median {half:.0f} ms, 95% within {most:.0f} ms, worst {worst:.0f} ms")
    print(f"95% of the slowest student's within {slowest:.0f} ms")


if __name__ == "__main__":
    main()
