"""One browser and one JupyterLab for all tests here.

Most tests share one open notebook (`notebook`); a test that needs a page of its own opens
`Notebook(lab, page, name)`.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Error, Page

from tests.browser.lab import Board, Lab, Notebook, open_context
from tests.conftest import Launch

SIZE = {"width": 1100, "height": 900}


@contextmanager
def _page(browser: Browser) -> Iterator[Page]:
    context = open_context(browser, viewport=SIZE)
    yield context.new_page()
    context.close()


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """All browser tests in one worker: they share a server, and two browsers
    at once are slower than one.
    """
    here = Path(__file__).parent
    for item in items:
        if here in item.path.parents:
            item.add_marker(pytest.mark.xdist_group("browser"))
            item.add_marker(pytest.mark.slow)


def pytest_addoption(parser: pytest.Parser) -> None:
    """How much of the hostile words is shown to the browser."""
    parser.addoption(
        "--each", action="store_true", help="test_formgrader: every payload in a hand-in of its own"
    )
    parser.addoption(
        "--mathjax",
        metavar="DIR",
        help="test_formgrader: MathJax 2.7, unpacked, for nbgrader's pages",
    )


@pytest.fixture(scope="session")
def browser(launch: Launch) -> Iterator[Browser]:
    """The one of all tests here."""
    running = launch()
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
    """A fresh page."""
    with _page(browser) as fresh:
        yield fresh


@pytest.fixture(scope="session")
def desk(browser: Browser, lab: Lab) -> Iterator[Notebook]:
    """One open notebook with a running kernel that the tests share;
    `notebook` lays their cells on it.
    """
    lab.write("desk.ipynb")
    with _page(browser) as page:
        book = Notebook(lab, page, "desk.ipynb")
        yield book
        book.close()


@pytest.fixture
def notebook(desk: Notebook) -> Iterator[Callable[[Sequence[str]], Notebook]]:
    """`notebook([cell, cell])`: a notebook of these code cells, run, in the light theme.

    A script of a board must not fail.
    """

    def lay_and_run(cells: Sequence[str]) -> Notebook:
        desk.theme("JupyterLab Light")
        desk.cells(cells)
        desk.run_all()
        return desk

    failures: list[str] = []

    def note(error: Error) -> None:
        if "blob:" in (
            error.stack or ""
        ):  # where anywidget loads board.js from; JupyterLab's own troubles are its own
            failures.append(f"{error.message}\n{error.stack}")

    desk.page.on("pageerror", note)
    yield lay_and_run
    desk.page.remove_listener("pageerror", note)
    desk.page.set_viewport_size(SIZE)
    assert not failures, failures


@pytest.fixture
def open_page(browser: Browser) -> Iterator[Callable[[Path], Board]]:
    """Opens a file with the network blocked; fails the test when the page asked for anything but
    itself and its worker, or a script failed.
    """
    context = open_context(browser, offline=True, viewport={"width": 1280, "height": 900})
    asked, failures = [], []

    def open_file(path: Path) -> Board:
        page = context.new_page()
        page.on("request", lambda request: asked.append(request.url))
        page.on("pageerror", lambda error: failures.append(str(error)))
        page.on(
            "console",
            lambda message: failures.append(message.text) if message.type == "error" else None,
        )
        page.goto(path.as_uri())
        page.locator(".rl-surface svg").wait_for()
        return Board(page.locator(".rl-board"))

    yield open_file
    context.close()
    assert not failures, failures
    assert all(address.startswith(("file:", "data:", "blob:")) for address in asked), asked
