"""The server of the play page: Voila, with kernels that end when their page is closed.

Voila ends a kernel on a message that the page sends when it is closed. A killed browser or a lost
network sends none, and a page that is still loading has no script for it yet. Each page therefore
holds a socket from its first line on (`Presence`), and the kernel lives as long as the socket.
"""

import asyncio
import logging
from collections.abc import Sequence
from datetime import UTC, datetime
from socket import socket
from subprocess import DEVNULL
from typing import Any

import jinja2
from jupyter_server.base.websocket import WS_PING_INTERVAL
from jupyter_server.services.kernels.kernelmanager import (
    AsyncMappingKernelManager,
    ServerKernelManager,
)
from nbclient.exceptions import DeadKernelError
from tornado.httpserver import HTTPServer
from tornado.ioloop import IOLoop
from tornado.web import RequestHandler
from tornado.websocket import WebSocketHandler
from voila.app import Voila
from voila.tornado.handler import TornadoVoilaHandler

from rlcourse.play_page import FOLDER
from rlcourse.play_page.address import PATH, read
from rlcourse.play_page.cards import cards

# Seconds that a kernel waits for its page to return; a silent loss is detected after 5 to 11 s.
PATIENCE = 15.0
TEMPLATES = FOLDER / "jupyter/voila/templates/course"
LOAD = "from rlcourse.play_page import load_games; load_games()"
PING = 3.0  # seconds between two pings to the browser, and until its answer is overdue
LEFT, GONE = 1001, 4404  # why a socket is closed: the browser's "going away", our "no such kernel"


class PageKernels(AsyncMappingKernelManager):
    """Kernels that end with their page, or `PATIENCE` seconds after its connection was lost."""

    def __init__(self, **settings: Any) -> None:
        super().__init__(**settings)
        self._pages: dict[str, set[Presence]] = {}  # of the kernels whose page has connected once
        self._alone_since: dict[str, float] = {}
        self._ending: set[str] = set()
        self._waiting: asyncio.Future[str] | None = None  # the kernel of the next visitor

    # jupyter_client has a synchronous and an asynchronous manager under one declaration.
    async def start_kernel(self, **settings: Any) -> str:  # type: ignore[override]
        """The kernel that waits for a visitor, or a new one; its page has yet to be sent."""
        waiting, self._waiting = self._waiting, None
        kernel_id = await waiting if waiting else ""
        if kernel_id not in self:
            kernel_id = await self._launch(**settings)
        self.add_restart_callback(kernel_id, lambda: self._dismiss(kernel_id), "dead")
        self._look_in(PATIENCE, kernel_id)
        return kernel_id

    def prepare(self) -> None:
        """Start the kernel of the next visitor, if none waits.

        Called when a page is drawn or gone, not earlier: drawing needs both cores of a laptop.
        """
        if self._waiting is None:
            self._waiting = asyncio.ensure_future(self._launch_ahead())

    async def _launch_ahead(self) -> str:
        """The kernel of the next visitor; "" where it cannot be started, as their own may be."""
        arguments = [f"--IPKernelApp.exec_lines={LOAD}"]
        try:
            return await self._launch(cwd=str(FOLDER), extra_arguments=arguments)
        except Exception as error:  # noqa: BLE001 - the next visitor's launch reports its own
            self.log.debug("no kernel was loaded ahead: %s", error)
            return ""

    async def _launch(self, **settings: Any) -> str:
        """Start a kernel. What it prints is not for the terminal, whose user may have ended us."""
        return await super().start_kernel(**settings, stdout=DEVNULL, stderr=DEVNULL)

    def arrive(self, kernel_id: str, page: "Presence") -> bool:
        """Register a page that has (re)connected. Returns whether its kernel is alive."""
        there = self._lives(kernel_id)
        if there:
            self._pages.setdefault(kernel_id, set()).add(page)
        return there

    def leave(self, kernel_id: str, page: "Presence") -> None:
        """Unregister a page whose socket was closed by the browser or by a lost connection."""
        self._pages.get(kernel_id, set()).discard(page)
        if not self._lives(kernel_id) or self._pages.get(kernel_id):
            return
        if page.close_code == LEFT:
            self._end(kernel_id)
        else:
            self._look_in(PATIENCE, kernel_id)

    def _look_in(self, seconds: float, kernel_id: str) -> None:
        begun = self._alone_since[kernel_id] = IOLoop.current().time()
        IOLoop.current().call_later(seconds, self._look, kernel_id, begun)

    def _look(self, kernel_id: str, begun: float) -> None:
        """End a kernel without a page; one that is still executing its page gets more time."""
        came_back = self._pages.get(kernel_id) or self._alone_since.get(kernel_id) != begun
        if not self._lives(kernel_id) or came_back:
            return
        kernel = self.get_kernel(kernel_id)
        assert isinstance(kernel, ServerKernelManager)
        quiet = (datetime.now(UTC) - kernel.last_activity).total_seconds()
        drawn = kernel.execution_state == "idle" and quiet >= PATIENCE
        if kernel_id in self._pages or drawn:
            self._end(kernel_id)
        else:
            self._look_in(max(1.0, PATIENCE - quiet), kernel_id)

    def _lives(self, kernel_id: str) -> bool:
        return kernel_id in self and kernel_id not in self._ending

    def _waits(self, kernel_id: str) -> bool:
        """Whether this is the kernel of the next visitor."""
        waiting = self._waiting
        if waiting is None or not waiting.done() or waiting.cancelled():
            return False
        return waiting.result() == kernel_id

    def _dismiss(self, kernel_id: str) -> None:
        """Forget a kernel, and tell its page that the game has ended."""
        self._alone_since.pop(kernel_id, None)
        for page in self._pages.pop(kernel_id, ()):
            page.close(GONE)

    def _end(self, kernel_id: str) -> None:
        self.prepare()
        IOLoop.current().add_callback(self.shutdown_kernel, kernel_id)

    async def _async_shutdown_kernel(
        self, kernel_id: str, now: bool | None = False, restart: bool | None = False
    ) -> None:
        """End a kernel once, although the page's last message and its socket both ask for it."""
        if not self._lives(kernel_id):
            return
        self._ending.add(kernel_id)
        try:
            self._dismiss(kernel_id)
            # An interrupt of a kernel that is still loading the games would print its traceback.
            now = now or self._waits(kernel_id)
            await super()._async_shutdown_kernel(kernel_id, now=now, restart=restart)
        finally:
            self._ending.discard(kernel_id)

    shutdown_kernel = _async_shutdown_kernel  # type: ignore[assignment]


class Presence(WebSocketHandler):
    """The socket that a page holds from its first line to its end."""

    def initialize(self, kernels: PageKernels) -> None:
        """Called by Tornado for each connection."""
        self._kernels = kernels

    def open(self, kernel_id: str) -> None:
        """Confirm the page, unless it is older than this server or was away for too long."""
        self._kernel_id = kernel_id
        if self._kernels.arrive(kernel_id, self):
            self.write_message("here")
        else:
            self.close(GONE)

    def on_message(self, message: str | bytes) -> None:
        """Called when the page has drawn its board."""
        self._kernels.prepare()

    def on_close(self) -> None:
        """Called when the page was closed or its connection lost."""
        self._kernels.leave(self._kernel_id, self)


def ask(handler: RequestHandler, notebook: Any, cwd: str) -> None:
    """Write the query of the address into the cell, the answer to which is the page."""
    notebook.cells[0].source = f"from rlcourse.play_page import lay; lay({handler.request.query!r})"


def home(trouble: str = "") -> str:
    """The first page as HTML. trouble: a sentence on why the visitor is here."""
    loader = jinja2.FileSystemLoader(TEMPLATES)
    template = jinja2.Environment(loader=loader, autoescape=True).get_template("home.html.j2")
    return template.render(cards=cards(), trouble=trouble)


class Home(RequestHandler):
    """The first page, which needs no kernel; it also answers addresses that lead nowhere."""

    def get(self, path: str) -> None:
        """Send the page."""
        if path:
            self.set_status(404)
        self.finish(home("There is no page at this address." if path else ""))


class Page(TornadoVoilaHandler):
    """The page of a game, with the cookie `_xsrf` that its last message must carry."""

    async def get(self, path: str | None = None) -> None:
        """Send the page, or the first page with a sentence if the address names no game."""
        _ = self.xsrf_token  # reading it sets the cookie
        try:
            read(self.request.query)
        except ValueError as error:
            self.set_status(404)
            self.finish(home(str(error)))
            return
        await super().get(path)


def _is_news(record: logging.LogRecord) -> bool:
    """Whether to log a message; a page closed before it was drawn is no news."""
    error = record.exc_info[1] if record.exc_info else None
    if isinstance(error, DeadKernelError):
        return False
    return record.msg != "Kernel died while waiting for execute reply."


class PlayServer(Voila):
    """Voila on sockets that are already bound. addresses: of the page, from this computer first."""

    sockets: Sequence[socket] = ()
    addresses: Sequence[str] = ()

    @property
    def connection_url(self) -> str:
        """The URL that the browser opens."""
        return self.addresses[0]

    def start(self) -> None:
        """Serve until Ctrl-C, which is raised again."""
        self.log.addFilter(_is_news)
        super().start()

    def init_settings(self) -> dict[str, Any]:
        """Voila's settings and the interval of the pings.

        jupyter_server waits longer for an answer than between two pings, which Tornado refuses.
        """
        pings = {"websocket_ping_interval": PING, "ws_ping_timeout": WS_PING_INTERVAL}
        return {**super().init_settings(), **pings}

    def init_handlers(self) -> list:
        """Voila's routes, the page with its cookie, and the page's socket."""
        *others, (_, _, settings) = super().init_handlers()
        self.voila_configuration.prelaunch_hook = ask
        presence = (r"/presence/([\w-]+)", Presence, {"kernels": self.kernel_manager})
        return [presence, *others, (PATH, Page, settings), (r"/(.*)", Home)]

    def listen(self) -> None:
        """Serve on the bound sockets until Ctrl-C, which is raised again."""
        server = HTTPServer(self.app)
        server.add_sockets(self.sockets)
        self.ioloop = IOLoop.current()
        self.ioloop.add_callback(self._say_where)
        self.ioloop.add_callback(self.kernel_manager.prepare)
        if self.open_browser:
            self.launch_browser()
        try:
            self.ioloop.start()
        finally:
            server.stop()
            self.stop()

    def _say_where(self) -> None:
        local, *network = self.addresses
        print(f"The page:  {local}  (Ctrl-C ends it)", flush=True)
        for address in network:
            print(f"From other computers:  {address}", flush=True)
