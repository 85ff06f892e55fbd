"""`rlcourse play`: a page with every game, and one for each game, served on this computer.

The first page is plain HTML. The page of a game is a notebook of one cell, which Voila serves and
which shows a `table.Table`. Each visitor of a game has their own kernel, which ends when they
leave the page; the address holds the position, so the game goes on in another kernel. One kernel
has always loaded the games already and waits for the next visitor.
"""

import errno
import json
import os
import socket
from collections.abc import Sequence
from pathlib import Path

from tornado.netutil import bind_sockets

from rlcourse.errors import BadValue
from rlcourse.notebook import skip_address_check

# The environment variable that passes a JSON list of files from the command line to the kernels.
OWN_BOTS = "RLCOURSE_PLAY_BOTS"
# Extensions of JupyterLab that fail outside of it.
LEFT_OUT = ("@jupyter-notebook/lab-extension", "@jupyter/nbgrader")
FOLDER = Path(__file__).parent
EVERYWHERE = ("0.0.0.0", "::")
LAST_PORT, TRIES = 65535, 50  # as many ports are tried as JupyterLab tries


def lay(query: str) -> object:
    """The contents of the page with this query, with the bots of the environment."""
    from rlcourse.play_page.address import read
    from rlcourse.play_page.table import Table

    return Table(read(query), json.loads(os.environ.get(OWN_BOTS, "[]")))


def load_games() -> None:
    """Load what the first board of each game needs, before a visitor has chosen one."""
    from rlcourse.boards.faces import faces
    from rlcourse.play_page.bots import bots_of
    from rlcourse.play_page.cards import boards_of
    from rlcourse.play_page.table import Table  # noqa: F401  (it imports the widgets)

    for name in faces():
        board = next(iter(boards_of(name).values()))
        bots_of(board)
        board.new_game()._repr_svg_()


def serve(
    *, host: str = "localhost", port: int = 8866, browser: bool = True, own: Sequence[Path] = ()
) -> None:
    """Serve the page until Ctrl-C. own: files of further agents.

    host: "localhost" admits this computer only, "0.0.0.0" the whole network. port: the first port
    to try; the next free one is used. Raises ValueError for an impossible host or port, and for a
    file that is no agent.
    """
    from rlcourse.agents import load_agent

    sockets = bind(host, port)
    for path in own:
        load_agent(path)
    os.environ[OWN_BOTS] = json.dumps([str(Path(path).resolve()) for path in own])
    paths = [str(FOLDER / "jupyter"), os.environ.get("JUPYTER_PATH")]
    os.environ["JUPYTER_PATH"] = os.pathsep.join(filter(None, paths))
    os.environ["JUPYTER_NO_CONFIG"] = "1"  # readers' own settings are for their own notebooks
    skip_address_check()
    from rlcourse.play_page.server import PlayServer

    settings = [
        "--template=course",
        "--theme=light",
        "--Voila.log_level=ERROR",
        "--VoilaConfiguration.multi_kernel_manager_class=rlcourse.play_page.server.PageKernels",
        "--PageKernels.transport_encryption=auto",  # else each kernel warns of listeners
        "--KernelRestarter.restart_limit=0",  # a kernel that was started again would know no board
        *([] if browser else ["--no-browser"]),
        *(f"--VoilaConfiguration.extension_denylist={name}" for name in LEFT_OUT),
    ]
    server = PlayServer.instance()
    server.sockets, server.addresses = sockets, addresses(host, sockets)
    server.initialize([str(FOLDER / "play.ipynb"), *settings])
    server.start()


def bind(host: str, port: int) -> list[socket.socket]:
    """Sockets that listen on this port of the host, or on the next free one, which is printed.

    Raises ValueError for a host that is not this computer, and for an unavailable port.
    """
    if not 0 <= port <= LAST_PORT:
        raise BadValue(
            f"--port {port} cannot be: ports are numbers up to {LAST_PORT}, such as 8866"
        )
    if not host:
        raise BadValue(
            "--host is empty: localhost is this computer only, 0.0.0.0 the whole network"
        )
    for candidate in range(port, min(port + TRIES, LAST_PORT + 1)):
        try:
            sockets = bind_sockets(candidate, host)
        except (socket.gaierror, UnicodeError):
            raise BadValue(f"--host {host} is no known address; use localhost or 0.0.0.0") from None
        except OSError as error:
            if error.errno == errno.EADDRINUSE:
                continue
            if error.errno == errno.EACCES:
                raise BadValue(
                    f"--port {port} needs an administrator's rights; use one above 1023"
                ) from None
            raise BadValue(
                f"--host {host} is no address of this computer; use localhost or 0.0.0.0"
            ) from None
        if candidate != port:
            print(f"Port {port} is in use; the page takes {candidate}.", flush=True)
        return sockets
    raise BadValue(f"--port {port} is in use, and so are those after it; give another one")


def addresses(host: str, sockets: Sequence[socket.socket]) -> list[str]:
    """The page's URLs, first the one for this computer, then those for the network if admitted."""
    port = sockets[0].getsockname()[1]
    # 0.0.0.0 stands for all addresses of this computer, and no browser can open it.
    if host in EVERYWHERE:
        from jupyter_client.localinterfaces import public_ips

        hosts = ["localhost", *public_ips()]
    else:
        hosts = [f"[{host}]" if ":" in host else host]
    return [f"http://{name}:{port}/" for name in hosts]
