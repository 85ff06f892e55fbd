"""What a visitor waits for, before the boards were made alive and after, in turn in one run.

    python tests/benchmarks/before.py [--rounds 5] [--before COMMIT] [--chromium PATH]

Both versions run in this environment, side by side: each round asks the old one and then the new
one. A line has both medians, their ratio, and the least and the greatest ratio of a round. The play
page used to begin with a board; a visitor of today reads its cards for REST seconds before.
"""

import argparse
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import nbformat
from playwright.sync_api import Browser, sync_playwright

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from tests.benchmarks.board_latency import CELL, measure
from tests.benchmarks.first_board import CLOCK, served, visit
from tests.benchmarks.sliders import rate
from tests.browser.lab import PROJECT, Lab, Notebook
from tests.browser.test_sliders import FIRST, LESSONS, MOVED

BEFORE = "56d3de5e51773066894725a0e62ca7aa5f6b52b6"
MOVES = 15  # answers of a bot in a round
BOTS = (("tic-tac-toe", "perfect"), ("connect-four", "random"))
REST = 6  # seconds that a visitor reads the cards

Measure = Callable[[], float]


@contextmanager
def worktree(commit: str, folder: Path) -> Iterator[Path]:
    """The course as it was."""
    git = ["git", "-C", str(PROJECT), "worktree"]
    subprocess.run([*git, "add", "--detach", "--quiet", str(folder), commit], check=True)
    try:
        yield folder
    finally:
        subprocess.run([*git, "remove", "--force", str(folder)], check=True)


def in_notebooks(browser: Browser, project: Path, folder: Path, stack: ExitStack) -> list[Measure]:
    """The answer of each bot in ms, the pictures a second under each slider."""
    lab = Lab(folder, project)
    stack.callback(lab.close)
    cells = {
        cell.id: cell.source
        for lesson in LESSONS
        for cell in nbformat.read(project / "notebooks" / lesson.name, as_version=4).cells
    }

    def opened(name: str, sources: list[str]) -> Notebook:
        lab.write(f"{name}.ipynb", sources)
        page = browser.new_page(viewport={"width": 1100, "height": 900})
        page.set_default_timeout(600_000)
        book = Notebook(lab, page, f"{name}.ipynb")
        book.run_all()
        assert book.ask("import rlcourse; print(rlcourse.__file__)").startswith(str(project))
        return book

    measures: list[Measure] = []
    for game, opponent in BOTS:
        board = opened(game, [CELL.format(game=game, opponent=opponent)]).board()
        measures.append(lambda board=board: statistics.median(measure(board, MOVES)))
    for name, before, start, end in MOVED:
        needed = [FIRST, "from rlcourse.lessons import lesson01", *(cells[one] for one in before)]
        book = opened(name, [*needed, cells[name]])
        measures.append(lambda book=book, start=start, end=end: rate(book, start, end))
    return measures


def opened_at_once(browser: Browser, address: str) -> float:
    """Seconds until a board can be played on a page that begins with one."""
    context = browser.new_context()
    page = context.new_page()
    page.set_default_timeout(600_000)
    page.add_init_script(f"({CLOCK})()")
    page.goto(address)
    page.wait_for_function("() => window.rlTime")
    seconds = page.evaluate("() => window.rlTime") / 1000
    context.close()
    return seconds


def main() -> None:
    """Print a line a measure."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--before", default=BEFORE, metavar="COMMIT")
    parser.add_argument("--chromium", default=shutil.which("chromium"))
    options = parser.parse_args()
    if options.chromium is None:
        parser.error("chromium is not installed; name one with --chromium")
    names = [f"{game}, from the click to the answer, ms" for game, _ in BOTS]
    names += [f"{name}, pictures a second" for name, *_ in MOVED]
    names += ["play page, from the click to the first board, s"]
    with (
        tempfile.TemporaryDirectory() as made,
        sync_playwright() as playwright,
        ExitStack() as stack,
    ):
        folder = Path(made)
        old = stack.enter_context(worktree(options.before, folder / "old"))
        browser = playwright.chromium.launch(
            executable_path=options.chromium, args=["--no-sandbox"]
        )
        stack.callback(browser.close)
        sides = [
            in_notebooks(browser, project, folder / f"lab{k}", stack)
            for k, project in enumerate((old, PROJECT))
        ]
        pages = [stack.enter_context(served(at, made)) for at in (old, PROJECT)]
        sides[0].append(lambda: opened_at_once(browser, pages[0]))
        sides[1].append(lambda: visit(browser, pages[1], "Tic-tac-toe, easy", REST)[-1])
        for name, before, after in zip(names, *sides, strict=True):
            pairs = [(before(), after()) for _ in range(options.rounds)]
            was, is_ = (statistics.median(column) for column in zip(*pairs, strict=True))
            ratios = sorted(new / old for old, new in pairs)
            print(
                f"{name}: {was:.3g} before, {is_:.3g} after, {is_ / was:.2f} of it "
                f"[{ratios[0]:.2f}, {ratios[-1]:.2f}]; "
                f"{options.rounds} rounds, load {os.getloadavg()[0]:.1f}",
                flush=True,
            )


if __name__ == "__main__":
    main()
