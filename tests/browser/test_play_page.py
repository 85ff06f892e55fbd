"""`rlcourse play` in a browser that reaches this computer only: whole games of every kind,
hints, strengths, a phone.

And what is left behind: a kernel ends when its page is closed, reloaded, killed
or cut off from the network.
"""

import base64
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple
from urllib.parse import urlsplit

import numpy as np
import psutil
import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, Route, WebSocketRoute

from rlcourse.agents import load_agent, save_agent
from rlcourse.busy import Deadline
from rlcourse.games import get_game
from rlcourse.gtp.sgf import from_sgf
from rlcourse.play_page.bots import bots_of
from rlcourse.play_page.cards import levels_of
from tests.browser.lab import PATIENCE, PROJECT, READY, Board, open_context

Shoot = Callable[[object, str], None]
KERNEL = "() => JSON.parse(document.getElementById('jupyter-config-data').textContent).kernelId"


class PlayPage:
    """The page as a visitor meets it. server: the address of its first page."""

    def __init__(self, page: Page, server: str) -> None:
        self.page, self.server = page, server

    def choose(self, game: str, opponent: str | None = None, query: str = "") -> Board:
        """Another game by its address, and an opponent from its list."""
        name = game.lower().replace(" ", "-")
        self.page.goto(f"{self.server}play?game={name}{query}")
        return self.board(game, opponent)

    def board(self, game: str, opponent: str | None = None) -> Board:
        """The board that lies there, once it is that game's."""
        root = self.page.locator(f'.rl-board[aria-label="{game} board"]')
        root.locator(".rl-surface svg").wait_for()
        board = Board(root)
        if opponent:
            board.do(lambda: root.get_by_label("Opponent").select_option(opponent))
        return board

    def hint(self, board: Board) -> str:
        """Ask for a hint; what is announced."""
        board.press("Hint")
        return board.said


@pytest.fixture(scope="module")
def own(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A bot of the visitor's."""
    file = tmp_path_factory.mktemp("own") / "mine.h5"
    save_agent(load_agent("tic-tac-toe/afterstates"), file)
    return file


class Served(NamedTuple):
    """The running command. process: its number; address: of the page; log: what it complains of."""

    process: int
    address: str
    log: Path

    @property
    def game(self) -> str:
        """The address of a game."""
        return f"{self.address}play?game=tic-tac-toe"

    def kernels(self) -> dict[str, int]:
        """Name of a running kernel -> number of its process."""
        children = psutil.Process(self.process).children()
        named = (
            (re.search(r"kernel-([\w-]+)\.json", _command_of(child)), child) for child in children
        )
        return {name[1]: child.pid for name, child in named if name}

    def wait_for(self, condition: Callable[[dict[str, int]], bool], what: str) -> None:
        """Wait until the kernels are so. Fails when that does not come."""
        deadline = Deadline(PATIENCE)
        while not condition(self.kernels()):
            assert not deadline.over(), f"{what}: still {len(self.kernels())} kernels"
            time.sleep(0.05)  # looks at the machine's processes


def _command_of(process: psutil.Process) -> str:
    try:
        return " ".join(process.cmdline())
    except psutil.Error:  # it has just ended
        return ""


@pytest.fixture(scope="module")
def served(own: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """The running command, once it says where the page is.

    Nothing of the machine's own Jupyter is touched.
    """
    folder = tmp_path_factory.mktemp("play")
    environment = dict(os.environ, PYTHONPATH=str(PROJECT), IPYTHONDIR=str(folder / "ipython"))
    environment |= {
        f"JUPYTER_{what}_DIR": str(folder / what.lower()) for what in ("DATA", "RUNTIME", "CONFIG")
    }
    command = [
        sys.executable,
        "-m",
        "rlcourse.cli",
        "play",
        "--no-browser",
        "--host",
        "127.0.0.1",
        "--port",
        "0",
    ]
    command += ["--bot", str(own)]
    with (folder / "log").open("w") as log:
        process = subprocess.Popen(
            command, env=environment, cwd=folder, stdout=subprocess.PIPE, stderr=log, text=True
        )
    place = re.fullmatch(
        r"The page:  (http://127.0.0.1:\d+/)  .Ctrl-C ends it.\n", process.stdout.readline()
    )
    assert place, (folder / "log").read_text(encoding="utf-8")
    yield Served(process.pid, place[1], folder / "log")
    process.terminate()
    process.wait()


@pytest.fixture(scope="module")
def server(served: Served) -> str:
    """The address of the page."""
    return served.address


@pytest.fixture(scope="module")
def play(browser: Browser, server: str) -> Iterator[PlayPage]:
    """The open page.

    Whatever it asks of another computer is refused, and fails the tests at their end.
    """
    context = open_context(browser, viewport={"width": 1100, "height": 950})
    outside, failures = [], []

    def gate(route: Route) -> None:
        if route.request.url.startswith(server):
            return route.continue_()
        outside.append(route.request.url)
        return route.abort()

    context.route(lambda url: not url.startswith(("data:", "blob:")), gate)
    page = context.new_page()
    page.on("console", lambda said: failures.append(said.text) if said.type == "error" else None)
    page.on("response", lambda given: failures.append(given.url) if given.status >= 400 else None)
    page.goto(server)  # the address was printed, so it is there
    yield PlayPage(page, server)
    context.close()
    assert not outside, outside
    assert not failures, failures


def play_on(board: Board, choose: Callable[[list[int]], int], turns: int) -> None:
    """Click what `choose` says until the game is over.

    Fails when it takes more clicks than `turns`.
    """
    for _ in range(turns):
        ready = board.root.locator(READY).evaluate_all(
            "(all) => all.map((one) => Number(one.dataset.action))"
        )
        if not ready:
            return
        board.click(choose(ready))
    raise AssertionError(f"no end after {turns} clicks: {board.status}")


def test_a_card_opens_its_game_with_every_bot(play: PlayPage, screenshot: Shoot) -> None:
    play.page.get_by_role("link", name="Tic-tac-toe, easy", exact=True).click()
    board = play.board("Tic-tac-toe")
    offered = board.root.get_by_label("Opponent").locator("option").all_text_contents()
    levels = [level.bot for level in levels_of(get_game("tic-tac-toe"))]
    others = [bot for bot in bots_of(get_game("tic-tac-toe")) if bot not in levels]
    assert offered == [*levels, "mine (yours)", *others]
    screenshot(play.page, "play-tic-tac-toe")


def test_an_open_board_says_nothing_of_pings_in_the_terminal(
    play: PlayPage, served: Served
) -> None:
    """On a slow machine Jupyter may say that a kernel takes its time."""
    assert play.board("Tic-tac-toe").root.is_visible()
    assert "ping" not in served.log.read_text(encoding="utf-8")


def test_a_game_by_hints_against_the_perfect_player_is_a_draw(
    play: PlayPage, screenshot: Shoot
) -> None:
    board, labels = play.board("Tic-tac-toe", "Perfect player"), get_game("tic-tac-toe").labels
    while board.root.locator(READY).count():
        said = play.hint(board)
        assert said.startswith("Hint of Perfect player: ")
        board.click(labels.index(said.split(": ")[1].rstrip(".")))
    assert board.status == "A draw."
    assert play.hint(board) == "A draw."
    screenshot(play.page, "play-tic-tac-toe-over")


def test_a_game_of_connect_four_from_the_other_side(play: PlayPage, screenshot: Shoot) -> None:
    board, rng = play.choose("Connect Four", "UCT (100 simulations)"), np.random.default_rng(0)
    board.do(lambda: board.root.get_by_label("You play").select_option("second"))
    board.root.get_by_label("Show values").check()
    board.root.locator(".rl-numbers table").wait_for()
    assert "share of the visits" in board.root.locator(".rl-numbers caption").text_content()
    screenshot(play.page, "play-connect-four")
    play_on(board, lambda ready: int(rng.choice(ready)), 21)
    assert board.status.endswith(("wins.", "You win!", "A draw."))


def test_a_game_of_go_on_a_board_of_another_size(play: PlayPage, screenshot: Shoot) -> None:
    board = play.choose("Go")
    assert board.target(25).get_attribute("aria-label") == "pass"
    assert play.hint(board).startswith("Hint of AlphaZero (400 simulations): ")
    play.page.get_by_role("link", name="7 x 7", exact=True).click()
    play.page.wait_for_function(
        "() => document.querySelectorAll('.rl-board [data-action]').length === 51"
    )
    board = play.board("Go", "UCT (10 simulations)")
    moves = iter(range(200))
    play_on(
        board,
        lambda ready: ready[len(ready) // 2] if next(moves) < 8 and len(ready) > 4 else 49,
        60,
    )
    assert "the komi of 7.5 counted" in board.status
    screenshot(play.page, "play-go")
    with play.page.expect_download() as caught:
        board.press("Save the game")
    assert from_sgf(Path(caught.value.path()).read_bytes())[-1].is_over()


def test_a_game_of_backgammon_by_clicks_and_one_watched(play: PlayPage, screenshot: Shoot) -> None:
    board = play.choose("Backgammon", "TD-Gammon")
    assert play.hint(board).startswith("Hint of TD-Gammon (three plies): ")  # of the strongest
    play_on(board, lambda ready: ready[0], 900)
    assert (
        " point" in board.status
        and "Points won in 1 game" in board.root.locator(".rl-score").text_content()
    )
    screenshot(play.page, "play-backgammon")
    board.press("New game")
    board.do(lambda: board.root.get_by_label("You play").select_option("none"))
    board.press("Last position")
    assert board.status.startswith("TD-Gammon (") and " wins" in board.status
    assert "Points won in 2 games" in board.root.locator(".rl-score").text_content()


def test_the_page_scrolls_wherever_the_mouse_stands(play: PlayPage) -> None:
    page = play.page
    play.choose("Tic-tac-toe")
    page.set_viewport_size({"width": 1280, "height": 300})
    try:
        for x in (20, 640, 1260):
            page.evaluate("() => window.scrollTo(0, 0)")
            top = page.locator(".rl-table").bounding_box()["y"]
            page.mouse.move(x, 200)
            page.mouse.wheel(0, 60)
            page.wait_for_function(
                "() => "
                f"document.querySelector('.rl-table').getBoundingClientRect().top <= {top - 60}"
            )
    finally:
        page.set_viewport_size({"width": 1100, "height": 950})


SIZES = [(1280, 720), (390, 844), (844, 390), (320, 640)]
SCROLL_SIDEWAYS = """() => [...document.querySelectorAll('body *')].filter(
  (it) => getComputedStyle(it).overflowX === 'auto' && it.scrollWidth > it.clientWidth).map((it) => it.className)"""


def test_every_page_fits_a_phone_and_axe_finds_no_violation(
    play: PlayPage, screenshot: Shoot
) -> None:
    """The first page and a board of each kind; a board is whole on a phone on its side."""
    page = play.page
    try:
        for game in ("", "Tic-tac-toe", "Backgammon", "Go"):
            page.goto(play.server) if not game else play.choose(game)
            for width, height in SIZES:
                page.set_viewport_size({"width": width, "height": height})
                assert page.evaluate("() => document.documentElement.scrollWidth") <= width
                assert page.evaluate(SCROLL_SIDEWAYS) == []
                if game and width > height:
                    box = page.locator(".rl-surface svg").bounding_box()
                    assert box["y"] + box["height"] <= height
            page.set_viewport_size({"width": 390, "height": 844})
            for scheme in ("light", "dark"):
                page.emulate_media(color_scheme=scheme)
                screenshot(page, f"play-phone-{game.lower() or 'home'}-{scheme}")
                violations = Axe().run(page).response["violations"]
                named = [(one["id"], [node["html"] for node in one["nodes"]]) for one in violations]
                assert not violations, named
    finally:
        page.emulate_media(color_scheme="light")
        page.set_viewport_size({"width": 1100, "height": 950})


def test_an_address_opens_its_game_and_a_bad_one_leads_on(browser: Browser, served: Served) -> None:
    context = open_context(browser)
    page = context.new_page()
    visitor = PlayPage(page, served.address)
    board = visitor.choose("Connect Four", query="&opponent=medium&side=second")
    assert board.root.get_by_label("Opponent").input_value() == "UCT (100 simulations)"
    assert board.root.get_attribute("data-ply") == "1"  # the bot has begun
    assert page.locator("nav [aria-current=page]").text_content() == "Medium"
    for bad in ("play", "play?game=chess", "nowhere"):
        assert page.goto(served.address + bad).status == 404
        assert page.get_by_role("alert").text_content().endswith("Choose one below.")
        page.get_by_role("link", name="Go, easy", exact=True).wait_for()
    context.close()


def test_two_people_share_a_board_and_go_on_after_a_dead_kernel(
    browser: Browser, served: Served
) -> None:
    context = open_context(browser)
    page = context.new_page()
    page.goto(served.address)
    page.get_by_role("link", name="Tic-tac-toe, two people on one board", exact=True).click()
    visitor = PlayPage(page, served.address)
    board = visitor.board("Tic-tac-toe")
    for action, status in ((0, "O to move."), (4, "X to move."), (1, "O to move.")):
        board.click(action)
        assert board.status == status
    os.kill(served.kernels()[page.evaluate(KERNEL)], signal.SIGKILL)
    page.get_by_text("The game has stopped").wait_for()
    page.get_by_role("button", name="Reload the page").click()
    page.locator(".rl-said", has_text="The game goes on from this position.").wait_for()
    board = visitor.board("Tic-tac-toe")
    assert board.status == "O to move." and board.name(4).startswith("b2, O")
    for action in (3, 2):
        board.click(action)
    assert board.status == "X wins."  # the upper row, begun before the kernel died
    context.close()


def test_a_game_from_the_first_page_by_keys_alone(browser: Browser, served: Served) -> None:
    context = open_context(browser, reduced_motion="reduce")
    page = context.new_page()
    page.goto(served.address)
    page.keyboard.press("Tab")
    assert page.evaluate("() => document.activeElement.ariaLabel") == "Tic-tac-toe, easy"
    page.keyboard.press("Enter")
    board = PlayPage(page, served.address).board("Tic-tac-toe")
    for _ in range(12):
        page.keyboard.press("Tab")
        if page.evaluate("() => document.activeElement.dataset.action !== undefined"):
            break
    for _ in range(5):
        ready = board.root.locator(READY)
        if not ready.count():
            break
        wanted = ready.first.get_attribute("data-action")
        page.keyboard.press("Home")
        for _ in range(int(wanted) // 3):
            page.keyboard.press("ArrowDown")
        for _ in range(int(wanted) % 3):
            page.keyboard.press("ArrowRight")
        board.do(lambda: page.keyboard.press("Enter"))
    assert board.status.endswith(("wins.", "You win!", "A draw."))
    context.close()


class Visitor:
    """A visit without a browser, so that its connection can be lost without a word:
    nothing is read after the start.
    """

    def __init__(self, address: str) -> None:
        self.place = urlsplit(address)
        self.page = self._ask(f"{self.place.path}?{self.place.query}", "")
        received = b""
        while not (found := re.search(rb'"kernelId": "([\w-]+)"', received)):
            received += self.page.recv(65536)
        self.kernel = found[1].decode()
        self.socket = self.connect()

    def connect(self) -> socket.socket:
        """The page's socket; pings are never answered, as by a phone out of reach."""
        key = base64.b64encode(os.urandom(16)).decode()
        head = f"Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\n"
        opened = self._ask(f"/presence/{self.kernel}", head)
        opened.recv(4096)
        return opened

    def _ask(self, path: str, head: str) -> socket.socket:
        connection = socket.create_connection((self.place.hostname, self.place.port))
        connection.sendall(
            f"GET {path} HTTP/1.1\r\nHost: {self.place.netloc}\r\n{head}\r\n".encode()
        )
        return connection


def test_the_kernels_of_nine_visits_end_with_their_pages(
    browser: Browser, served: Served, play: PlayPage, tmp_path: Path
) -> None:
    """2 of which nothing is heard, 1 browser killed, 3 left, 3 reloads; most
    before the board is there. The kernel that then waits is the next visitor's.
    """
    play.choose("Tic-tac-toe")
    held = play.page.evaluate(KERNEL)
    served.wait_for(
        lambda now: held in now and len(now) == 2, "one game, and the kernel that waits"
    )
    seen = set(served.kernels())
    silent = [Visitor(served.game) for _ in range(2)]
    seen.update(visitor.kernel for visitor in silent)
    assert len(seen) == 3  # the first of them had the kernel that waited
    command = [
        shutil.which("chromium"),
        "--headless",
        "--no-sandbox",
        f"--user-data-dir={tmp_path}",
        served.game,
    ]
    killed = subprocess.Popen(
        command, start_new_session=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    served.wait_for(lambda now: bool(set(now) - seen), "a browser of its own")
    os.killpg(killed.pid, signal.SIGKILL)
    killed.wait()
    context = open_context(browser)
    page = context.new_page()
    for visit in range(3):
        page.goto(served.game, wait_until="commit")  # from the page before, or from elsewhere
        if visit % 2:
            page.goto("about:blank")
    page.locator(".rl-surface svg").wait_for()
    for _ in range(3):
        with page.expect_navigation(wait_until="commit"):
            page.evaluate("() => void setTimeout(() => location.reload())")
    context.close()
    served.wait_for(lambda now: held in now and len(now) == 2, "nine visits are over")
    [waiting] = served.kernels().keys() - {held}
    last = Visitor(served.game)
    assert last.kernel == waiting
    assert len(silent) == 2  # their connections are open until here
    assert play.board("Tic-tac-toe").status  # who is still there keeps their kernel


SHUT_DOWN = """async (kernel) => {
  const form = new FormData();
  form.append("_xsrf", document.cookie.match("\\\\b_xsrf=([^;]*)\\\\b")?.[1] || "");
  return (await fetch(`/voila/api/shutdown/${kernel}`, { method: "POST", body: form })).status;
}"""  # what Voila's own script sends as the page is closed


def test_a_lost_connection_comes_back_and_an_ended_game_says_so(
    browser: Browser, served: Served, screenshot: Shoot
) -> None:
    context = open_context(browser, viewport={"width": 1100, "height": 950})
    page, sockets = context.new_page(), []

    def pass_on(route: WebSocketRoute) -> None:
        sockets.append((route, route.connect_to_server()))

    page.route_web_socket("**/presence/*", pass_on)
    page.goto(served.game)
    play_page = PlayPage(page, served.address)
    board, lost = play_page.board("Tic-tac-toe", "Random player"), page.locator("#lost")
    board.click(0)
    for side in sockets.pop():
        side.close(code=3001)
    lost.get_by_text("The connection is lost.").wait_for()
    screenshot(page, "play-lost")
    lost.wait_for(state="hidden")
    board.click(int(board.root.locator(READY).first.get_attribute("data-action")))
    assert board.root.get_attribute("data-ply") == "4"
    ended = page.evaluate(KERNEL)
    process = served.kernels()[ended]
    os.kill(process, signal.SIGSTOP)
    board.target(0).click(force=True)
    board.wait("root.querySelector('.rl-status').textContent.startsWith('The bot is slow.')")
    assert "kernel" not in page.locator("body").inner_text().lower()
    os.kill(process, signal.SIGCONT)
    board.wait("root.dataset.busy === 'false'")
    assert page.evaluate(SHUT_DOWN, ended) == 204
    lost.get_by_text("The game has stopped").wait_for()
    screenshot(page, "play-ended")
    lost.get_by_role("button", name="Reload the page").click()
    assert play_page.board("Tic-tac-toe").status == "Your turn: X."
    kernel = page.evaluate(KERNEL)
    served.wait_for(lambda now: ended not in now, "the game before has ended")
    os.kill(served.kernels()[kernel], signal.SIGKILL)
    lost.get_by_text("The game has stopped").wait_for()
    assert "kernel" not in page.locator("body").inner_text().lower()
    assert (
        page.evaluate(f"async () => (await fetch('/api/kernels/{kernel}')).status") == 404
    )  # nor is it started again
    context.close()
