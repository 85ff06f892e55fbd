"""From the click on a card of the play page until its board can be played, in a real browser.

    python tests/benchmarks/first_board.py [--visits 5] [--rest 6] [--chromium PATH]

The clock is the browser's own: it starts with the navigation and stops at the first frame in which
a square can be pressed. The page's last byte (the cell has run) is stated beside it.
"""

import argparse
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import Browser, sync_playwright

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from rlcourse.boards.faces import faces
from tests.browser.lab import PROJECT

CLOCK = """() => {
  const look = () => {
    if (document.querySelector('[data-action]:not([aria-disabled])')) window.rlTime = performance.now();
    else requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
}"""
TIMES = """() => {
  const sent = performance.getEntriesByType('navigation')[0];
  return [sent.responseStart, sent.responseEnd, window.rlTime].map((time) => time / 1000);
}"""
COMMAND = ["-m", "rlcourse.cli", "play", "--no-browser", "--host", "127.0.0.1", "--port", "0"]


@contextmanager
def served(project: Path, folder: str) -> Iterator[str]:
    """The address of the play page of the course in `project`. folder: for IPython's files."""
    environment = dict(os.environ, PYTHONPATH=str(project), IPYTHONDIR=folder)
    server = subprocess.Popen(
        [sys.executable, *COMMAND], cwd=project, env=environment, stdout=subprocess.PIPE, text=True
    )
    try:
        yield server.stdout.readline().split()[2]
    finally:
        server.terminate()
        server.wait()


def visit(browser: Browser, address: str, card: str, rest: float) -> list[float]:
    """Seconds from the click on a card: the first byte, the last one, the board."""
    context = browser.new_context()
    page = context.new_page()
    page.add_init_script(f"({CLOCK})()")
    page.goto(address)
    time.sleep(rest)  # a visitor reads the cards
    page.get_by_role("link", name=card, exact=True).click()
    page.wait_for_function("() => window.rlTime")
    times = page.evaluate(TIMES)
    context.close()
    return times


def main() -> None:
    """Print the seconds of each game: median, least and most."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--visits", type=int, default=5, help="of each game")
    parser.add_argument("--rest", type=float, default=6, help="seconds on the first page")
    parser.add_argument("--chromium", default=shutil.which("chromium"))
    options = parser.parse_args()
    if options.chromium is None:
        parser.error("chromium is not installed; name one with --chromium")
    with (
        tempfile.TemporaryDirectory() as folder,
        sync_playwright() as playwright,
        served(PROJECT, folder) as address,
    ):
        browser = playwright.chromium.launch(
            executable_path=options.chromium, args=["--no-sandbox"]
        )
        for name, face in faces().items():
            card = f"{face.title}, easy"
            rows = [visit(browser, address, card, options.rest) for _ in range(options.visits)]
            first, last, board = (sorted(column) for column in zip(*rows, strict=True))
            print(
                f"{name}: board {statistics.median(board):.2f} s "
                f"[{board[0]:.2f}, {board[-1]:.2f}], "
                f"first byte {statistics.median(first):.2f} s, "
                f"last byte {statistics.median(last):.2f} s; n = {len(rows)}, "
                f"load {os.getloadavg()[0]:.1f}",
                flush=True,
            )
        browser.close()


if __name__ == "__main__":
    main()
