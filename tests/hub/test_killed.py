"""`kill -9` of the hub, the proxy, a server and a kernel: nothing is lost.

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
KERNEL = "() => window.jupyterapp.shell.currentWidget.sessionContext.session.kernel.id"


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


def test_where_a_kernel_or_a_server_is_killed_the_page_says_what_to_do(
    server: Server, ada: Seat, book: Notebook
) -> None:
    """The kernel comes again by itself, the server by a button; what was typed is still there."""
    before, page = work(server), book.page
    dialog = page.get_by_role("dialog")
    [kernel] = server.processes(f"kernel-{page.evaluate(KERNEL)}.json", ada.name)
    kernel.kill()
    dialog.filter(has_text="appears to have died. It will restart automatically.").wait_for()
    dialog.get_by_role("button", name="Ok").click()
    page.wait_for_function(CONNECTED)
    book.run_all()
    assert book.ask("print(y)") == "after the last save"

    [single] = server.processes("jupyterhub.singleuser", ada.name)
    single.kill()
    dialog.filter(has_text="is not running. Would you like to restart it?").wait_for()
    # The hub has noticed: there is no server that could answer (424), not one that does not (503).
    server.wait_for(lambda: ada.context.request.get(ada.address("api", "status")).status == 424)
    with ada.context.expect_page() as opened:
        dialog.get_by_role("button", name="Restart").click()
    opened.value.get_by_role("heading", name="Where you are").wait_for()
    assert work(server) == before
    book.save()
    assert UNSAVED in (server.home(ADA) / "my" / BOOK).read_text()
