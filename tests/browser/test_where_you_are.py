"""A student's second day: cells were run and saved, and the page says which one comes next."""

import json
import subprocess
import sys
from collections.abc import Callable
from datetime import datetime
from pathlib import Path

from playwright.sync_api import Page, expect

from launcher.jupyter import PAGE, WORKSPACE
from rlcourse.progress import progress, write_page
from tests.browser.lab import Lab, Notebook

Shoot = Callable[[object, str], None]
RUN_NEXT = """async () => {
  await window.jupyterapp.commands.execute('notebook:run-cell-and-select-next');
}"""


def test_the_next_day_begins_at_the_next_cell(
    lab: Lab, page: Page, tmp_path: Path, screenshot: Shoot
) -> None:
    (lab.root / "notebooks").mkdir()
    lesson = "notebooks/00_first.ipynb"
    lab.write(lesson, ["1 + 1", "2 + 2", "3 + 3"])
    assert progress(lab.root).next_step() == "Next: lesson 00_first."
    book = Notebook(lab, page, lesson)
    for _ in range(2):
        page.evaluate(RUN_NEXT)
    book.save()
    book.close()
    found = progress(lab.root)
    assert (found.lessons[0].ran, found.lessons[0].next_cell) == (2, 3)
    write_page(lab.root, found, datetime.now().astimezone())

    windows = json.loads(WORKSPACE.read_text(encoding="utf-8"))
    windows["metadata"]["id"] = "first"  # the other tests keep theirs
    laid = tmp_path / "first.json"
    laid.write_text(json.dumps(windows))
    words = [sys.executable, "-m", "jupyter", "lab", "workspaces", "import", str(laid)]
    subprocess.run(words, env=lab.environment, check=True, capture_output=True)
    at = f"http://127.0.0.1:{lab.port}/lab/workspaces/first/tree/{PAGE}?token={lab.token}"
    page.goto(at)
    expect(page.get_by_text("cell 3, under")).to_be_visible()
    expect(page.locator(".jp-TableOfContents")).to_be_visible()
    screenshot(page, "where-you-are")
    page.get_by_role("link", name="00_first").first.click()
    expect(page.get_by_role("tab", name="00_first.ipynb")).to_be_visible()
