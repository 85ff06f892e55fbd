"""From the press on a square to the agent's answer on the screen, in JupyterLab and a real browser.

    python tests/benchmarks/board_latency.py [--moves 50] [--chromium PATH]

The clock is the browser's own: it starts with the pointer event and stops at the first
frame painted after the answer.
"""

import argparse
import shutil
import statistics
import sys
import tempfile
from pathlib import Path

from playwright.sync_api import sync_playwright

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from tests.browser.lab import Board, Lab, Notebook

CELL = """from rlcourse.boards import play
board = play({game!r}, {opponent!r})
board"""
CLOCK = """(root) => {
  let start = null;
  root.addEventListener('pointerdown', (event) => { root.rlTime = null; start = event.timeStamp; }, true);
  const painted = () => { root.rlTime = performance.now() - start; };
  new MutationObserver(() => requestAnimationFrame(() => setTimeout(painted, 0)))
    .observe(root, { attributes: true, attributeFilter: ['data-announcement'] });
}"""


def measure(board: Board, moves: int) -> list[float]:
    """Milliseconds of `moves` clicks that the opponent answered; games are
    started again when they end.
    """
    board.root.scroll_into_view_if_needed()
    board.root.evaluate(CLOCK)
    times: list[float] = []
    while len(times) < moves:
        free = board.root.locator("[data-action]:not([aria-disabled])")
        if free.count() == 0:
            board.press("New game")
            continue
        board.do(free.first.click)
        board.wait("root.rlTime !== null")
        if " player: " in board.said:  # otherwise the click ended the game, and nobody answered
            times.append(board.root.evaluate("(root) => root.rlTime"))
    return times


def main() -> None:
    """Print median and worst for both games."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--moves", type=int, default=50)
    parser.add_argument("--chromium", default=shutil.which("chromium"))
    options = parser.parse_args()
    if options.chromium is None:
        parser.error("chromium is not installed; name one with --chromium")
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        lab = Lab(Path(folder) / "lab")
        browser = playwright.chromium.launch(
            executable_path=options.chromium, args=["--no-sandbox"]
        )
        try:
            for game, opponent in (("tic-tac-toe", "perfect"), ("connect-four", "random")):
                lab.write(f"{game}.ipynb", [CELL.format(game=game, opponent=opponent)])
                book = Notebook(
                    lab, browser.new_page(viewport={"width": 1100, "height": 900}), f"{game}.ipynb"
                )
                book.run_all()
                times = measure(book.board(), options.moves)
                print(
                    f"{game:14s} median {statistics.median(times):4.0f} ms, worst "
                    f"{max(times):4.0f} ms of {len(times)} answers"
                )
                book.close()
        finally:
            browser.close()
            lab.close()


if __name__ == "__main__":
    main()
