"""A JupyterLab of its own and a notebook in it, driven through the
application, not through its menus.

Everything waits for a state, nothing sleeps: the kernel's readiness, the end of "run all
cells", an attribute of a board.
"""

import os
import re
import secrets
import shutil
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import nbformat
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, BrowserContext, Locator, Page, expect

from launcher.jupyter import SETTINGS
from rlcourse.busy import Deadline, slowness

PROJECT = Path(__file__).resolve().parents[2]
PATIENCE = 90.0  # seconds, and more on a busy machine: a broken page never gets ready
READY = "[data-action]:not([aria-disabled])"  # what can be clicked on a board

OPEN = """async () => {
  const app = window.jupyterapp;
  await app.restored;
  const panel = app.shell.currentWidget;
  await panel.context.ready;
  await panel.sessionContext.ready;
}"""
RUN_ALL = """async () => {
  await window.jupyterapp.commands.execute('notebook:run-all-cells');
  return window.jupyterapp.shell.currentWidget.content.model.sharedModel.cells
    .flatMap((cell) => cell.cell_type === 'code' ? cell.outputs : [])
    .filter((output) => output.output_type === 'error')
    .map((output) => `${output.ename}: ${output.evalue}`);
}"""
CELLS = """(sources) => {
  const shared = window.jupyterapp.shell.currentWidget.content.model.sharedModel;
  const cell = (source) => ({ cell_type: 'code', source, metadata: { trusted: true }, outputs: [], execution_count: null });
  shared.transact(() => {
    shared.deleteCellRange(0, shared.cells.length);
    shared.insertCells(0, sources.map(cell));
  });
}"""
ASK = """async (code) => {
  const kernel = window.jupyterapp.shell.currentWidget.sessionContext.session.kernel;
  let text = '';
  const future = kernel.requestExecute({ code, store_history: false });
  future.onIOPub = (message) => {
    if (message.header.msg_type === 'stream') text += message.content.text;
    if (message.header.msg_type === 'error') text += message.content.ename + ': ' + message.content.evalue;
  };
  await future.done;
  return text;
}"""
THEME = """(theme) => {
  window.jupyterapp.commands.execute('apputils:change-theme', { theme });
}"""


AXE = """async (selector) => {
  document.body.style.height = '100vh';  // JupyterLab leaves it at 0: axe would take everything for clipped and pass it
  const resultTypes = ['violations', 'passes', 'incomplete'];
  const found = await axe.run(selector, { resultTypes });
  document.body.style.height = '';
  const rows = (type) => found[type].flatMap((rule) => rule.nodes.map(
    (node) => ({ rule: rule.id, impact: rule.impact, html: node.html, detail: node.any[0]?.message || '' })));
  return Object.fromEntries(resultTypes.map((type) => [type, rows(type)]));
}"""


def open_context(browser: Browser, **options: Any) -> BrowserContext:
    """A browser context that waits for what comes as long as this machine, as busy
    as it is, may need for it.
    """
    context = browser.new_context(**options)
    patience = 1000 * PATIENCE * slowness()
    context.set_default_timeout(patience)
    expect.set_options(timeout=patience)
    return context


class Lab:
    """A student's JupyterLab server with settings, workspaces and files
    of its own, below `folder`.
    """

    def __init__(self, folder: Path, project: Path = PROJECT) -> None:
        """project: the course that its kernels import."""
        self.root = folder / "root"
        self.root.mkdir(parents=True)
        self.port, self.token = free_port(), secrets.token_hex(16)
        self.log = folder / "server.log"
        self.environment = environment = dict(os.environ, PYTHONPATH=str(project))
        for name in ("JUPYTER_CONFIG_DIR", "JUPYTER_DATA_DIR", "JUPYTER_RUNTIME_DIR"):
            environment[name] = str(folder / name.lower())
        environment["JUPYTER_CONFIG_PATH"] = str(SETTINGS)  # a student's, as start.py gives them
        for name in ("JUPYTERLAB_SETTINGS_DIR", "JUPYTERLAB_WORKSPACES_DIR", "IPYTHONDIR"):
            environment[name] = str(folder / name.lower())
        command = [
            sys.executable,
            "-m",
            "jupyterlab",
            "--no-browser",
            "--expose-app-in-browser",
            "--allow-root",
        ]
        command += [
            f"--ServerApp.port={self.port}",
            "--ServerApp.port_retries=0",
            "--ServerApp.ip=127.0.0.1",
        ]
        command += [f"--IdentityProvider.token={self.token}", f"--ServerApp.root_dir={self.root}"]
        command += ["--LabApp.check_for_updates_class=jupyterlab.NeverCheckForUpdate"]
        command += [
            "--JupyterNotebookApp.expose_app_in_browser=True"
        ]  # Notebook 7, which this server has, too
        with self.log.open("w") as log:
            self.process = subprocess.Popen(
                command, cwd=self.root, env=environment, stdout=log, stderr=subprocess.STDOUT
            )
        self._wait()

    def address(self, where: str, name: str) -> str:
        """A page of the server, such as "lab/tree" with a notebook."""
        return f"http://127.0.0.1:{self.port}/{where}/{name}?token={self.token}"

    def _wait(self) -> None:
        address = f"http://127.0.0.1:{self.port}/api/status?token={self.token}"
        deadline = Deadline(PATIENCE)
        while not deadline.over():
            if self.process.poll() is not None:
                break
            try:
                with urllib.request.urlopen(address, timeout=5):
                    return
            except OSError:
                time.sleep(0.1)  # asks a server that is starting
        self.close()
        raise RuntimeError(f"JupyterLab did not start:\n{self.log.read_text()[-3000:]}")

    def close(self) -> None:
        """Stop the server and its kernels."""
        self.process.terminate()
        try:
            self.process.wait(20)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()

    def write(self, name: str, cells: Sequence[str] = ()) -> Path:
        """A notebook of these code cells below the server's root."""
        book = nbformat.v4.new_notebook(
            cells=[nbformat.v4.new_code_cell(source) for source in cells]
        )
        book.metadata["kernelspec"] = {
            "name": "python3",
            "display_name": "Python 3",
            "language": "python",
        }
        path = self.root / name
        nbformat.write(book, path)
        return path

    def bring(self, path: Path) -> str:
        """Copy a notebook of the project into the root; its name there."""
        return Path(shutil.copy(path, self.root)).name


class Notebook:
    """One notebook, open in one page with a kernel of its own."""

    def __init__(self, lab: Lab, page: Page, name: str, where: str = "doc/tree") -> None:
        """where: "doc/tree" is JupyterLab with one document, "lab/tree" the
        whole, "notebooks" Notebook 7.
        """
        self.page = page
        page.goto(lab.address(where, name))
        page.wait_for_function(
            "() => window.jupyterapp && window.jupyterapp.shell.currentWidget?.sessionContext"
        )
        page.evaluate(OPEN)

    def cells(self, sources: Sequence[str]) -> None:
        """Replace all cells by these code cells; the kernel keeps running."""
        self.page.evaluate(CELLS, list(sources))

    def run_all(self) -> None:
        """Run every cell. Raises RuntimeError with the errors of the cells, if any."""
        errors = self.page.evaluate(RUN_ALL)
        if errors:
            raise RuntimeError("; ".join(errors))

    def ask(self, code: str) -> str:
        """What `code` prints in the notebook's kernel: the kernel's view of
        things, beside the page's.
        """
        return self.page.evaluate(ASK, code).strip()

    def save(self) -> None:
        """Save the notebook as the menu does."""
        self.page.evaluate("() => window.jupyterapp.shell.currentWidget.context.save()")

    def close(self) -> None:
        """Shut the kernel down."""
        self.page.evaluate("() => window.jupyterapp.shell.currentWidget.sessionContext.shutdown()")

    def theme(self, name: str) -> None:
        """Switch to "JupyterLab Light" or "JupyterLab Dark"."""
        self.page.evaluate(THEME, name)
        light = "true" if "Light" in name else "false"
        splash = (
            "document.getElementById('jupyterlab-splash')"  # covers the page while the theme loads
        )
        self.page.wait_for_function(
            f"() => document.body.dataset.jpThemeLight === '{light}' && !{splash}"
        )

    def axe(self, selector: str) -> dict[str, list[dict[str, str]]]:
        """What axe-core finds below `selector`: violations, passes, incomplete, each a list of
        rule, impact, html, detail.
        """
        if not self.page.evaluate("() => 'axe' in window"):
            self.page.evaluate(f"() => {{ {Axe().axe_script} }}")
        return self.page.evaluate(AXE, selector)

    def board(self, index: int = 0) -> "Board":
        """The board number `index` of the page, once it is there."""
        board = Board(self.page.locator(".rl-board").nth(index))
        board.root.locator(".rl-surface svg").wait_for()
        return board


class Board:
    """A board as a player meets it: squares, keys, buttons by their
    names, and what is read aloud.
    """

    def __init__(self, root: Locator) -> None:
        self.root, self.page = root, root.page

    def target(self, action: int) -> Locator:
        """The element of an action."""
        return self.root.locator(f'[data-action="{action}"]')

    def button(self, name: str) -> Locator:
        """A button by the name a screen reader says."""
        return self.root.get_by_role("button", name=name, exact=True)

    def click(self, action: int) -> None:
        """Click a square, legal or not, and wait until the kernel has answered."""
        self.do(
            lambda: self.target(action).click(force=True)
        )  # Playwright alone would wait for a legal one

    def press(self, name: str) -> None:
        """Press a button and wait until the kernel has answered."""
        self.do(lambda: self.button(name).click(force=True))

    def do(self, deed: Any) -> None:
        """Do something that the kernel answers, and wait for the
        announcement that ends the answer.
        """
        before = int(self.root.get_attribute("data-announcement") or 0)
        deed()
        self.wait(f"Number(root.dataset.announcement) > {before} && root.dataset.busy === 'false'")

    def wait(self, condition: str) -> None:
        """Wait for a JavaScript condition on `root`, the board's element."""
        self.page.wait_for_function(f"(root) => {condition}", arg=self.root.element_handle())

    @property
    def said(self) -> str:
        """The last announcement."""
        return _words(self.root.locator(".rl-said"))

    @property
    def status(self) -> str:
        """The status line."""
        return _words(self.root.locator(".rl-status"))

    def focused(self) -> str:
        """The spoken name of the element that has the focus."""
        return self.page.evaluate("() => document.activeElement.getAttribute('aria-label') || ''")

    def name(self, action: int) -> str:
        """The spoken name of a square or column."""
        return self.target(action).get_attribute("aria-label") or ""

    def offered(self) -> list[int]:
        """The actions that the board offers."""
        places = "root.querySelectorAll('[data-action]:not([aria-disabled])')"
        return self.root.evaluate(f"(root) => [...{places}].map((e) => Number(e.dataset.action))")

    def tictactoe(self) -> str:
        """The position that a screen reader would gather, as a recipe."""
        symbols = {"empty": ".", "X": "X", "O": "O"}
        names = [self.name(action).split(", ")[1] for action in range(9)]
        return "tic-tac-toe:" + "".join(symbols[name] for name in names)


def _words(place: Locator) -> str:
    return re.sub(r"\s+", " ", place.text_content() or "").strip()


def free_port() -> int:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]
