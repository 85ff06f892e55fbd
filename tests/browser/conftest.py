"""One browser and one JupyterLab for all tests here; a page and a kernel for each test."""

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import pytest
from tests.browser.lab import Lab, Notebook
from playwright.sync_api import Browser, Page, sync_playwright

SCREENSHOTS = Path(__file__).parent / "screenshots"
ARGUMENTS = ["--no-sandbox", "--disable-background-networking"]


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """All browser tests in one worker: they share a server, and two browsers at once are slower than one."""
    here = Path(__file__).parent
    for item in items:
        if here in item.path.parents:
            item.add_marker(pytest.mark.xdist_group("browser"))
            item.add_marker(pytest.mark.slow)


@pytest.fixture(scope="session")
def browser(require_program: Callable[[str], str]) -> Iterator[Browser]:
    """The system's chromium."""
    program = require_program("chromium")
    with sync_playwright() as playwright:
        running = playwright.chromium.launch(executable_path=program, args=ARGUMENTS)
        yield running
        running.close()


@pytest.fixture(scope="session")
def lab(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Lab]:
    """A JupyterLab of its own; what a test changes is gone afterwards."""
    server = Lab(tmp_path_factory.mktemp("lab"))
    yield server
    server.close()


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    """A fresh page that fails its test when a script of the board fails in it."""
    context = browser.new_context(viewport={"width": 1100, "height": 900})
    page = context.new_page()
    failures: list[str] = []
    page.on("pageerror", lambda error: failures.append(str(error)))
    yield page
    context.close()
    assert not failures, failures


@pytest.fixture
def notebook(lab: Lab, page: Page, request: pytest.FixtureRequest) -> Iterator[Callable[[Sequence[str]], Notebook]]:
    """`notebook([cell, cell])`: a notebook of these code cells, open and run."""
    opened: list[Notebook] = []

    def open_and_run(cells: Sequence[str]) -> Notebook:
        name = f"{request.node.name.replace('[', '-').replace(']', '')}.ipynb"
        lab.write(name, cells)
        book = Notebook(lab, page, name)
        opened.append(book)
        book.run_all()
        return book

    yield open_and_run
    for book in opened:
        book.close()


@pytest.fixture(scope="session")
def screenshot() -> Callable[[Page, str], None]:
    """`screenshot(page or locator, "name")` keeps a picture under tests/browser/screenshots/."""
    SCREENSHOTS.mkdir(exist_ok=True)

    def take(what: Page, name: str) -> None:
        what.screenshot(path=SCREENSHOTS / f"{name}.png")

    return take
