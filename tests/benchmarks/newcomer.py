"""A newcomer's way from README's first command to the end of a first game, as screenshots.

    python tests/benchmarks/newcomer.py OUT [--chromium PATH]

In a fresh clone, OUT/course, with nothing prepared: `python start.py lab` makes the environment and
opens JupyterLab; the newcomer follows the link on its page, runs the first cell, and plays until
one side has won. Each line is the seconds since the command and the name of a picture in OUT. A
second call finds the environment there, and a newcomer who has done nothing.
"""

import argparse
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from html import escape
from pathlib import Path

from playwright.sync_api import Page, sync_playwright

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from tests.browser.lab import PROJECT, READY, Board, free_port

HEIGHT = 44  # lines of a terminal
ADDRESS = re.compile(r"http://127\.0\.0\.1:\d+/lab\S*token=\w+")


class Film:
    """Screenshots by number, with the seconds since its first moment."""

    def __init__(self, page: Page, folder: Path) -> None:
        self.page, self.folder, self.count = page, folder, 0
        self.began = time.perf_counter()

    def take(self, name: str) -> None:
        """One picture and its line."""
        self.count += 1
        seconds = time.perf_counter() - self.began
        self.page.screenshot(path=self.folder / f"{self.count:02}-{name}.png")
        print(f"{seconds:6.1f} s  {self.count:02}-{name}.png", flush=True)


def address_of(process: subprocess.Popen, film: Film) -> str:
    """Where JupyterLab answers; the terminal is filmed as it stands then."""
    seen = ""
    for line in process.stdout:
        seen += line
        if found := ADDRESS.search(line):
            shown = "\n".join(f"$ python start.py lab\n{seen}".splitlines()[-HEIGHT:])
            film.page.set_content(f"<pre>{escape(shown)}</pre>")
            film.take("terminal")
            return found[0]
    raise RuntimeError(f"start.py ended without an address:\n{seen}")


def play(board: Board, film: Film) -> None:
    """Always the first free square, from one game to the next until somebody has won."""
    for _ in range(20):
        while (free := board.root.locator(READY)).count():
            board.click(int(free.first.get_attribute("data-action")))
            film.take("move")
        if "wins" in board.status or "won" in board.status:
            return
        board.press("New game")
    raise RuntimeError(f"nobody has won a game: {board.status}")


def main() -> None:
    """Clone, start, film."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("out", type=Path)
    parser.add_argument("--chromium", default=shutil.which("chromium"))
    options = parser.parse_args()
    if options.chromium is None:
        parser.error("chromium is not installed; name one with --chromium")
    options.out.mkdir(parents=True, exist_ok=True)
    course = options.out.absolute() / "course"
    if course.exists():
        shutil.rmtree(course / "my", ignore_errors=True)
    else:
        subprocess.run(["git", "clone", "-q", str(PROJECT), str(course)], check=True)
    # As a newcomer has it: no environment is active.
    python = Path(sys.base_prefix) / "bin" / f"python3.{sys.version_info.minor}"
    call = [str(python), "start.py", "lab", "--no-browser", "--port", str(free_port())]
    environment = {name: text for name, text in os.environ.items() if name != "VIRTUAL_ENV"}
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=options.chromium, args=["--no-sandbox"]
        )
        page = browser.new_page(viewport={"width": 1280, "height": 720})
        page.set_default_timeout(600_000)
        film = Film(page, options.out)
        lab = subprocess.Popen(
            call,
            cwd=course,
            env=environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            start_new_session=True,
        )
        try:
            page.goto(address_of(lab, film))
            lesson = page.get_by_role("link", name="00 · Play first").first
            lesson.wait_for()
            film.take("where-you-are")
            lesson.click()
            cell = page.locator(".jp-Notebook .jp-CodeCell").first
            cell.locator(".cm-content").wait_for()
            film.take("lesson")
            cell.locator(".cm-content").click()
            page.keyboard.press("Shift+Enter")
            board = Board(page.locator(".rl-board").first)
            board.root.locator(READY).first.wait_for()
            film.take("board")
            play(board, film)
            board.press("Where did I go wrong?")
            film.take("review")
        finally:
            browser.close()
            os.killpg(lab.pid, signal.SIGTERM)  # start.py and JupyterLab, which ends its kernels
            lab.wait()


if __name__ == "__main__":
    main()
