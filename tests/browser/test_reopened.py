"""A notebook on the second day: saved, its kernel ended, opened again; a restart, a
lost connection, a second tab.

A board or slider whose kernel has gone is its last picture with one sentence, here and in
Notebook 7; never an error.
"""

import re
from collections.abc import Callable, Iterator
from urllib.parse import unquote

import nbformat
import pytest
from nbconvert import HTMLExporter
from playwright.sync_api import Browser, Locator, Page, WebSocketRoute

from rlcourse import plots
from rlcourse.boards import PlayBoard
from rlcourse.boards.sliders import sliders
from tests.browser.lab import PROJECT, Board, Lab, Notebook, open_context

Shoot = Callable[[object, str], None]

BOARD = """from rlcourse.boards import play
from rlcourse.agents import RandomAgent
from rlcourse.games import get_game
board = play("tic-tac-toe", RandomAgent(get_game("tic-tac-toe"), seed=1))
board"""
SLIDER = """from rlcourse import plots
from rlcourse.boards.sliders import sliders
def draw(games):
    plane = plots.Plane((0, 30), (0, 1), {0: "0", 30: "30"})
    return plots.chart(f"{games} games", plane, description=f"{games} games")
live = sliders(draw, games=(10, 12, 20))
live"""
PLAY_ON = "Run this cell to play on."
MOVE = "Run this cell to move the sliders."


def stills(page: Page) -> Locator:
    """The pictures that stand in the place of boards and sliders."""
    return page.locator(".rl-still")


def wait_for_stills(page: Page) -> None:
    """Until the board and the slider are pictures that say what to do; nothing else
    may be seen in their place.
    """
    page.get_by_text(PLAY_ON).or_(page.get_by_text("Error displaying widget")).first.wait_for()
    assert "Error displaying widget" not in page.locator("body").inner_text()
    stills(page).filter(has_text=PLAY_ON).wait_for()
    stills(page).filter(has_text=MOVE).wait_for()
    assert page.locator(".rl-board, .rl-sliders").count() == 0
    assert "Error displaying widget" not in page.locator("body").inner_text()
    for image in stills(page).locator("img").all():
        assert image.evaluate("(image) => image.decode().then(() => image.naturalWidth > 100)")


def drawn(page: Page) -> str:
    """The drawing that stands in the board's place."""
    source = stills(page).filter(has_text=PLAY_ON).locator("img").get_attribute("src")
    return unquote(source.partition(",")[2])


def drawing(games: float) -> plots.Picture:
    """What a slider draws that moves a figure of Matplotlib."""
    with plots.figure(3, 1) as (fig, _):
        return plots.picture(fig, f"{games} games")


def still_of(book: Notebook) -> str:
    """What the board's kernel draws for a page without a kernel."""
    return book.ask("print(board._repr_mimebundle_()[0]['image/svg+xml'])")


def in_kernel(page: Page, call: str) -> None:
    """`call` of the notebook's session; not waited for."""
    page.evaluate(f"() => {{ void window.jupyterapp.shell.currentWidget.sessionContext.{call}; }}")


def is_dirty(page: Page) -> bool:
    """Whether JupyterLab would save the notebook by itself."""
    return page.evaluate("() => window.jupyterapp.shell.currentWidget.context.model.dirty")


@pytest.fixture
def fresh(lab: Lab, page: Page) -> Iterator[Notebook]:
    """A notebook with a board and a slider, not yet run."""
    lab.write("played.ipynb", [BOARD, SLIDER])
    yield Notebook(lab, page, "played.ipynb")


def play_both(book: Notebook) -> None:
    """Run all; b2 is played and answered, and the slider moved to 20 games."""
    book.run_all()
    book.board().click(4)
    book.page.locator(".rl-sliders .noUi-handle").focus()
    book.page.keyboard.press("End")
    book.page.locator(".rl-sliders img[alt='20 games']").wait_for()


def test_saved_ended_and_reopened_the_last_position_is_a_picture(
    fresh: Notebook, lab: Lab, screenshot: Shoot
) -> None:
    page, file = fresh.page, lab.root / "played.ipynb"
    play_both(fresh)
    fresh.save()
    book = nbformat.read(file, 4)
    board, slider = (cell.outputs[0].data for cell in book.cells)
    last = board["image/svg+xml"].strip()
    fresh.close()
    for where in ("notebooks", "doc/tree"):
        again = Notebook(lab, page, "played.ipynb", where)
        wait_for_stills(page)
        assert drawn(page) == last
        assert (
            stills(page).filter(has_text=MOVE).locator("img").get_attribute("alt")
            == "Figure: 20 games"
        )
        assert not is_dirty(page)
        screenshot(page, f"reopened-{where.partition('/')[0]}")
        if where == "notebooks":
            again.close()
    assert "Row 2: empty, X" in last and "data-action" not in last
    assert (
        slider["text/plain"] == "Figure: 20 games"
        and 'aria-label="20 games"' in slider["image/svg+xml"]
    )
    assert "widgets" not in book.metadata
    again.run_all()
    again.board().click(0)
    assert again.board().said.startswith("You: a3."), "the cell, run again, plays on"
    assert stills(page).count() == 0
    again.save()
    again.board().press("Undo")
    page.wait_for_function(
        "() => window.jupyterapp.shell.currentWidget.context.model.dirty"
    )  # a move is to be saved, too
    again.close()
    html, _ = HTMLExporter().from_notebook_node(book)  # as a code host shows it
    page.route(
        "**/*",
        lambda route: route.abort() if route.request.url.startswith("http") else route.continue_(),
    )
    page.set_content(html)
    picture = page.locator(
        ".jp-OutputArea-output svg, .jp-OutputArea-output img[src^='data:image/svg']"
    ).first
    assert picture.bounding_box()["width"] > 200
    assert "Loading widget" not in page.content()


def test_a_notebook_of_someone_else_shows_its_pictures_without_trust(lab: Lab, page: Page) -> None:
    board = PlayBoard("tic-tac-toe:....X....")
    slider = sliders(drawing, games=(10, 12, 20))
    path = lab.write("copied.ipynb", [BOARD, SLIDER])
    book = nbformat.read(path, 4)
    for cell, widget in zip(book.cells, (board, slider), strict=True):
        data, metadata = widget._repr_mimebundle_()
        cell.outputs = [nbformat.v4.new_output("display_data", data, metadata=metadata)]
    nbformat.write(book, path)
    copied = Notebook(lab, page, "copied.ipynb")
    wait_for_stills(page)
    assert drawn(page) == board.still["data"]["image/svg+xml"]
    copied.close()


def test_after_a_restart_a_death_or_a_shutdown_nothing_swallows_clicks(
    fresh: Notebook, screenshot: Shoot
) -> None:
    page = fresh.page
    page.add_locator_handler(
        page.get_by_text("appears to have died"), lambda: page.keyboard.press("Enter")
    )
    deaths = {
        "restart": "session.kernel.restart()",
        "death": "session.kernel.requestExecute({ code: 'import os; os._exit(1)' })",
        "shutdown": "shutdown()",
    }
    for name, call in deaths.items():
        play_both(fresh)
        last = still_of(fresh)
        in_kernel(page, call)
        wait_for_stills(page)
        assert drawn(page) == last, name
        if name == "death":
            page.get_by_role("button", name="Ok").click()
        screenshot(page, f"ended-{name}")


def test_a_board_of_a_kernel_that_went_unseen_says_so_at_the_first_click(page: Page) -> None:
    """The board by itself, as in a page without our part of JupyterLab: its channel is
    closed and nobody said so.
    """
    script = (PROJECT / "rlcourse/boards/board.js").read_text(encoding="utf-8")
    view = {**PlayBoard("tic-tac-toe").view, "status": "Your turn: X."}
    page.goto("about:blank")
    page.add_style_tag(path=PROJECT / "rlcourse/boards/board.css")
    page.evaluate(
        """async ([script, view]) => {
          const { default: board } = await import(URL.createObjectURL(new Blob([script], { type: 'text/javascript' })));
          window.sent = 0;
          const send = () => { window.sent += 1; throw new Error('Cannot send'); };
          board.render({ model: { get: () => view, on() {}, off() {}, send }, el: document.body });
        }""",
        [script, view],
    )
    board = Board(page.locator(".rl-board"))
    board.target(4).click()
    assert board.status == "The kernel of this board has ended." and PLAY_ON in board.said
    assert (
        float(board.root.locator(".rl-surface").evaluate("(it) => getComputedStyle(it).opacity"))
        < 0.7
    )
    board.target(0).dispatch_event("click")
    board.button("Undo").dispatch_event("click")
    assert page.evaluate("() => window.sent") == 1
    assert board.status == "The kernel of this board has ended."


def test_sleep_and_wake(lab: Lab, page: Page) -> None:
    """The connection is lost, the kernel goes on, the page comes back: it
    shows what happened, and plays.
    """
    sockets: list[WebSocketRoute] = []
    asleep = False

    def relay(socket: WebSocketRoute) -> None:
        if asleep:
            return socket.close()
        socket.connect_to_server()
        return sockets.append(socket)

    page.route_web_socket(re.compile("/channels"), relay)
    lab.write("sleeps.ipynb", [BOARD])
    book = Notebook(lab, page, "sleeps.ipynb")
    book.run_all()
    board = book.board()
    board.click(4)
    wakes = lab.root / "moved"
    book.ask(
        "import pathlib, threading, time\n"
        "def move():\n"
        "    while not pathlib.Path('asleep').exists():\n"
        "        time.sleep(0.05)\n"
        "    board.new_game()\n"
        "    board.play(8)\n"
        "    pathlib.Path('moved').touch()\n"
        "threading.Thread(target=move).start()"
    )
    asleep = True
    for socket in sockets:
        socket.close()
    (lab.root / "asleep").touch()
    while not wakes.exists():
        page.wait_for_timeout(50)
    assert board.root.locator('[aria-label="b2, X"]').count() == 1, (
        "the page knows nothing of it yet"
    )
    asleep = False
    board.root.locator('[aria-label="c1, X"]').wait_for()
    before = book.ask("print(len(board.history))")
    board.click(
        int(
            board.root.locator("[data-action]:not([aria-disabled])").first.get_attribute(
                "data-action"
            )
        )
    )
    assert before == "2" and book.ask("print(len(board.history))") == "4"
    assert stills(page).count() == 0
    book.close()


def test_a_second_tab_plays_the_same_board_and_ends_with_it(
    fresh: Notebook, lab: Lab, browser: Browser
) -> None:
    page = fresh.page
    play_both(fresh)
    fresh.save()
    context = open_context(browser, viewport={"width": 1100, "height": 900})
    try:
        second = Notebook(lab, context.new_page(), "played.ipynb")
        assert second.board().root.locator('[aria-label="b2, X"]').count() == 1
        fresh.board().press("New game")
        second.board().root.locator('[aria-label="b2, empty"]').wait_for()
        assert is_dirty(page) and not is_dirty(second.page), "the tab that was used saves"
        second.board().click(8)
        fresh.board().root.locator('[aria-label="c1, X"]').wait_for()
        in_kernel(page, "session.kernel.restart()")
        wait_for_stills(page)
        wait_for_stills(second.page)
        assert drawn(page) == drawn(second.page) != ""
        second.close()
    finally:
        context.close()
