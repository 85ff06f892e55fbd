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


def kill(server: Server, word: str) -> None:
    """As the machine does when its memory has ended; it comes again."""
    [killed] = server.processes(word)
    os.kill(killed.pid, signal.SIGKILL)
    psutil.wait_procs([killed])
    server.wait_for(lambda: killed not in server.processes(word) and server.answers())


def work(server: Server) -> dict[str, tuple]:
    """Hand-ins, gradebook and Ada's notebook, with owners, rights and contents."""
    found = entries(server.root)
    name = f"homes/{server.names[ADA]}/my/{BOOK}"
    return {path: row for path, row in found.items() if not path.startswith("homes/")} | {
        name: found[name]
    }


def test_where_proxy_or_hub_is_killed_work_goes_on(
    server: Server, ada: Seat, book: Notebook
) -> None:
    """What the page has not saved is saved at the end; the hub's services end with it."""
    before = work(server)
    [single] = server.processes("jupyterhub.singleuser", ada.name)
    for word in ("configurable-http-proxy", "jupyterhub"):
        services = [
            *server.processes("pages.py", "nobody"),
            *server.processes("jupyterhub_idle_culler"),
        ]
        kill(server, word)
        # The same log-in, server and kernel as before.
        server.wait_for(lambda: ada.context.request.get(ada.address("api", "status")).ok)
        book.page.wait_for_function(CONNECTED)
        assert book.ask("print(x)") == "41"
        assert single.is_running() and work(server) == before
    assert len(services) == 2
    psutil.wait_procs(services)
    book.save()
    assert UNSAVED in (server.home(ADA) / "my" / BOOK).read_text()
