"""Pictures a second while a slider is moved for two seconds, in JupyterLab and a real browser.

    python tests/benchmarks/sliders.py [--times 5] [--chromium PATH]

A hand on the mouse takes some 30 steps a second. The clock is the browser's own, from the first
picture to the last one.
"""

import argparse
import shutil
import statistics
import sys
import tempfile
from pathlib import Path

from playwright.sync_api import sync_playwright

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from tests.browser.lab import Lab, Notebook
from tests.browser.test_sliders import MOVED, move, opened

PAUSE = 1000 / 30  # milliseconds between two steps of the slider


def rate(book: Notebook, start: str, end: str) -> float:
    """Pictures a second of one way from the slider's start to its end."""
    seen = move(book, start, end, PAUSE)
    return (len(seen) - 1) / (seen[-1]["at"] - seen[0]["at"]) * 1000


def main() -> None:
    """Print the median, the least and the most of both lessons' first sliders."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--times", type=int, default=5)
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
            for name, before, start, end in MOVED:
                lab.write(f"{name}.ipynb", opened(name, before))
                book = Notebook(lab, browser.new_page(), f"{name}.ipynb")
                book.run_all()
                rates = [rate(book, start, end) for _ in range(options.times)]
                print(
                    f"{name:19s} median {statistics.median(rates):4.1f} pictures a second, "
                    f"{min(rates):.1f} to {max(rates):.1f} of {len(rates)} ways"
                )
                book.close()
        finally:
            browser.close()
            lab.close()


if __name__ == "__main__":
    main()
