"""A person at a browser of their own, who uses the hub as its pages offer it."""

import json
import re

from playwright.sync_api import Browser, Locator, Page

from rlcourse.busy import slowness
from tests.browser.lab import PATIENCE, Notebook, open_context
from tests.hub.server import TEACHER, Server

SIZE = {"width": 1200, "height": 900}
RESTORED = "async () => { await window.jupyterapp.restored; }"
BOOK = "kept.ipynb"
NEW = """async ([name, source]) => {
  const { contents } = window.jupyterapp.serviceManager;
  const cell = { cell_type: 'code', source, metadata: {}, outputs: [], execution_count: null };
  const metadata = { kernelspec: { name: 'python3', display_name: 'Python 3' } };
  const content = { cells: [cell], metadata, nbformat: 4, nbformat_minor: 5 };
  await contents.save(name, { type: 'notebook', format: 'json', content });
}"""
WRITE = """(source) => {
  window.jupyterapp.shell.currentWidget.content.model.sharedModel.cells[0].source = source;
}"""
TERMINAL = "() => { window.jupyterapp.commands.execute('terminal:create-new'); }"
RAN = re.compile(r"exit code (\d+)\.")


class Seat:
    """page: what the person looks at. name: their account."""

    def __init__(self, server: Server, browser: Browser, letter: str) -> None:
        self.server, self.letter, self.name = server, letter, server.names[letter]
        self.context = open_context(browser, ignore_https_errors=True, viewport=SIZE)
        self.page = self.context.new_page()

    def sign_in(self, address: str = "") -> None:
        """Fill in the log-in form, which leads to the address, or to the person's JupyterLab."""
        self.page.goto(address or self.server.url)
        self.page.get_by_label("Username").fill(self.name)
        self.page.get_by_label("Password").fill(self.server.password(self.letter))
        self.page.get_by_role("button", name="Sign in").click()

    def wait_for_lab(self) -> None:
        """Until the first page of the person's JupyterLab lies in front."""
        self.page.wait_for_function("() => window.jupyterapp")
        self.page.evaluate(RESTORED)
        if self.letter != TEACHER:
            self.page.get_by_role("heading", name="Where you are").wait_for()

    def close(self) -> None:
        """End the browser."""
        self.context.browser.close()

    def address(self, where: str, name: str) -> str:
        """A page of the person's JupyterLab."""
        return f"{self.server.url}/user/{self.name}/{where}/{name}"

    def new_notebook(self, source: str) -> Notebook:
        """A notebook of one cell, which has run and is saved, in a page of its own."""
        self.page.evaluate(NEW, [BOOK, source])
        opened = Notebook(self, self.context.new_page(), BOOK, "lab/tree")
        opened.run_all()
        opened.save()
        return opened

    def assignments(self) -> "Assignments":
        """The tab of that name, opened by the menu."""
        self.page.get_by_role("menuitem", name="Nbgrader").click()
        self.page.get_by_role("menuitem", name="Assignment List").click()
        return Assignments(self.page)


class Assignments:
    """nbgrader's lists of what can be fetched, handed in, and was handed in."""

    def __init__(self, page: Page) -> None:
        self.page, self.root = page, page.locator("#nbgrader-assignment-list")
        self.refresh()

    def refresh(self) -> None:
        """Press the button; the lists are new when both answers have come."""
        button = self.root.locator("#refresh_assignments_list")
        with (
            self.page.expect_response(re.compile("/assignments")),
            self.page.expect_response(re.compile("/courses")),
        ):
            button.click()

    def row(self, kind: str, sheet: str) -> Locator:
        """A sheet among the released, fetched or submitted ones."""
        rows = self.root.locator(f"#{kind}_assignments_list > .list_item")
        return rows.filter(has=self.page.get_by_text(sheet, exact=True))

    def press(self, kind: str, sheet: str, button: str) -> None:
        """Press Fetch, Submit or Fetch Feedback of a sheet."""
        self.row(kind, sheet).get_by_role("button", name=button, exact=True).click()


class Terminal:
    """A new terminal in a person's JupyterLab."""

    def __init__(self, seat: Seat) -> None:
        self.page, self.text = seat.page, ""
        self.screen = seat.page.locator(".jp-Terminal .xterm:visible")
        with self.page.expect_websocket(lambda socket: "/terminals/" in socket.url) as opened:
            self.page.evaluate(TERMINAL)
        self.socket = opened.value

    def _ended(self, frame: str) -> bool:
        """What is shown is drawn, so its words are read on their way there."""
        kind, *words = json.loads(frame)
        self.text += words[0] if kind == "stdout" else ""
        return RAN.search(self.text) is not None

    def run(self, command: str) -> str:
        """Type a command, and wait until it has ended. Returns what was shown.

        Raises RuntimeError where it failed.
        """
        self.text = ""
        self.screen.click()
        patience = 1000 * PATIENCE * slowness()
        with self.socket.expect_event("framereceived", self._ended, timeout=patience):
            self.page.keyboard.type(f"{command}; echo exit code $?.\n")
        if "exit code 0." not in self.text:
            raise RuntimeError(self.text)
        return self.text
