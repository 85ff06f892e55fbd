"""`kill -9` of the hub and the proxy: nothing is lost.

That of a grader is `tests/grading/test_whole_class.py`.
"""

import os
import signal

import psutil
import pytest

from tests.browser.lab import Notebook
from tests.hub.seat import BOOK, WRITE, Seat
from tests.hub.server import ADA, Server
from tests.hub.test_administration import entries

pytestmark = [pytest.mark.long, pytest.mark.timeout(900), pytest.mark.xdist_group("hub")]
UNSAVED = "y = 'after the last save'"
CONNECTED = """() => window.jupyterapp.shell.currentWidget.sessionContext
  .session.kernel.connectionStatus === 'connected'"""


@pytest.fixture
def book(ada: Seat) -> Notebook:
    """Ada's notebook: a cell that has run and is saved, and a line that is not."""
    opened = ada.new_notebook("x = 41")
    opened.page.evaluate(WRITE, UNSAVED)
    return opened


def kill(process: psutil.Process) -> None:
    """As the machine does when its memory has ended."""
    os.kill(process.pid, signal.SIGKILL)
    psutil.wait_procs([process])


def work(server: Server) -> dict[str, tuple]:
    """Hand-ins, gradebook and Ada's notebook, with owners, rights and contents."""
    found = entries(server.root)
    name = f"homes/{server.names[ADA]}/my/{BOOK}"
    return {path: row for path, row in found.items() if not path.startswith("homes/")} | {
        name: found[name]
    }


@pytest.mark.parametrize("word", ["jupyterhub", "configurable-http-proxy"])
def test_where_hub_or_proxy_is_killed_work_goes_on(
    server: Server, ada: Seat, book: Notebook, word: str
) -> None:
    before = work(server)
    [single] = server.processes("jupyterhub.singleuser", ada.name)
    [killed] = server.processes(word)
    kill(killed)
    server.wait_for(lambda: killed not in server.processes(word) and server.answers())
    # The same log-in, server and kernel as before.
    server.wait_for(lambda: ada.context.request.get(ada.address("api", "status")).ok)
    book.page.wait_for_function(CONNECTED)
    assert book.ask("print(x)") == "41"
    assert single.is_running() and work(server) == before
    book.save()
    assert UNSAVED in (server.home(ADA) / "my" / BOOK).read_text()
