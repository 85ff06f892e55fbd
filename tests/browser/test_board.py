"""The board in JupyterLab, in a real browser: by mouse, by keyboard, read aloud, in both themes."""

from collections.abc import Callable, Sequence
from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient
from nbconvert import HTMLExporter
from playwright.sync_api import Page

from tests.browser.lab import Lab, Notebook, open_context
from tests.notebooks.execute import normalise

Open = Callable[[Sequence[str]], Notebook]
Shoot = Callable[[object, str], None]

PERFECT = """from rlcourse.boards import play
from rlcourse.agents import PerfectAgent, RandomAgent
from rlcourse.games import get_game
game = get_game("tic-tac-toe")
agents = {"Perfect player": PerfectAgent(game, seed=1), "Random player": RandomAgent(game, seed=1)}
board = play(game, agents)
board"""
FOUR = """from rlcourse.boards import play
from rlcourse.agents import RandomAgent
from rlcourse.games import get_game
game = get_game("connect-four")
board = play(game, RandomAgent(game, seed=1))
board"""
RECIPE, HISTORY = "print(board.state.recipe())", "print(*board.history)"


def test_a_game_by_mouse_against_the_perfect_player(notebook: Open, screenshot: Shoot) -> None:
    book = notebook([PERFECT])
    board = book.board()
    assert board.status == "Your turn: X."
    board.click(4)
    assert board.said.startswith("You: b2. Perfect player: ")
    assert board.tictactoe() == book.ask(RECIPE), "page and kernel agree"
    screenshot(book.page, "tic-tac-toe-light")
    while board.offered():
        board.click(board.offered()[0])
        assert board.tictactoe() == book.ask(RECIPE)
    assert book.ask("print(board.state.is_over(), board.state.winner() in (0, -1))") == "True True"
    assert board.status in ("A draw.", "Perfect player (O) wins.") and board.status in board.said


def test_a_game_by_keyboard_alone(notebook: Open, screenshot: Shoot) -> None:
    book = notebook([PERFECT])
    board, keys = book.board(), book.page.keyboard

    def until(name: str, key: str) -> None:
        for _ in range(40):
            if name in board.focused():
                return
            keys.press(key)
        pytest.fail(f"{key} never reached {name!r}")

    book.page.evaluate("() => document.activeElement.blur()")
    book.page.locator(".jp-Notebook .jp-Cell").first.evaluate("(cell) => cell.focus()")
    until("a3, empty", "Tab")
    steps = [
        ("ArrowRight", "b3"),
        ("ArrowDown", "b2"),
        ("ArrowLeft", "a2"),
        ("ArrowLeft", "a2"),
        ("ArrowDown", "a1"),
        ("ArrowRight", "b1"),
        ("ArrowUp", "b2"),
    ]
    for key, square in steps:
        keys.press(key)
        assert board.focused().startswith(square)
    screenshot(board.root, "keyboard-focus")
    board.do(lambda: keys.press("Enter"))
    assert board.focused() == "b2, X", "the focus stays on the square that was played"
    assert book.ask(HISTORY).startswith("4 ")
    while board.offered():
        aim = board.name(board.offered()[0])
        column, row = "abc".index(aim[0]), 3 - int(aim[1])
        for forward, backward, wanted, place in (
            ("ArrowRight", "ArrowLeft", column, 0),
            ("ArrowDown", "ArrowUp", row, 1),
        ):
            for _ in range(3):
                here = board.focused()
                at = ("abc".index(here[0]), 3 - int(here[1]))[place]
                if at != wanted:
                    keys.press(forward if at < wanted else backward)
        assert board.focused() == aim
        board.do(lambda: keys.press(" "))
        assert board.tictactoe() == book.ask(RECIPE)
    assert book.ask("print(board.state.is_over())") == "True"
    until("Undo", "Tab")
    board.do(lambda: keys.press("Enter"))
    assert "Took back" in board.said
    keys.press("Shift+Tab")
    assert board.focused() == "New game"
    board.do(lambda: keys.press(" "))
    assert book.ask(HISTORY) == "" and board.said == "New game. Your turn: X."
    assert book.page.locator(".jp-Notebook .jp-CodeCell").count() == 1, (
        "no key reached JupyterLab's one-letter shortcuts"
    )


def test_an_illegal_click_gets_its_reason(notebook: Open) -> None:
    book = notebook([PERFECT])
    board = book.board()
    board.click(4)
    history = book.ask(HISTORY)
    board.click(4)
    assert board.said == "Not possible: b2 is occupied by X."
    assert board.root.locator(".rl-said").get_attribute("aria-live") == "polite"
    before = board.root.locator(".rl-said").text_content()
    board.click(4)
    assert board.root.locator(".rl-said").text_content() != before, (
        "said again, so that it is read again"
    )
    assert board.said == before.strip() and book.ask(HISTORY) == history


def test_the_notebook_is_saved_by_key_from_a_board(notebook: Open) -> None:
    """JupyterLab's keys of one letter stay off there: B would lay a cell below."""
    book = notebook([PERFECT])
    cells = "window.jupyterapp.shell.currentWidget.content.model.sharedModel.cells.length"
    book.board().click(4)
    before = book.page.evaluate(f"() => {cells}")
    book.page.keyboard.press("b")
    assert book.page.evaluate(f"() => {cells}") == before
    model = "window.jupyterapp.shell.currentWidget.context.model"
    assert book.page.evaluate(f"() => {model}.dirty")
    book.page.keyboard.press("Control+s")
    book.page.wait_for_function(f"() => !{model}.dirty")


def test_a_double_click_is_one_move(notebook: Open) -> None:
    book = notebook([PERFECT])
    board = book.board()
    board.do(lambda: board.target(4).dblclick(force=True))
    board.wait("root.querySelectorAll('[aria-label$=\", O\"]').length === 1")
    assert book.ask("print(board.history[0], len(board.history))") == "4 2"
    assert "Not possible" not in board.said


def test_forged_messages_change_nothing(notebook: Open) -> None:
    """What a page could send beside clicks: the kernel answers with a reason, the game goes on."""
    book = notebook([PERFECT])
    board = book.board()
    board.click(4)
    state = book.ask(RECIPE)
    for forged in (
        '{"type": "click", "action": 8, "serial": 0}',
        '{"type": "win"}',
        '"click"',
        "null",
    ):
        code = f"import json; board._handle_custom_msg(json.loads({forged!r}), []); print(board.view['said'])"
        assert len(book.ask(code)) > 10
        assert book.ask(RECIPE) == state
    board.click(board.offered()[0])
    assert board.tictactoe() == book.ask(RECIPE) != state


def test_undo_new_game_sides_and_opponent(notebook: Open) -> None:
    book = notebook([PERFECT])
    board = book.board()
    board.click(4)
    board.press("Undo")
    assert (
        board.said == "Took back 2 moves. Your turn: X."
        and board.tictactoe() == "tic-tac-toe:........."
    )
    board.press("Undo")
    assert board.said == "There is no move of yours to take back."
    board.do(lambda: board.root.get_by_label("You play").select_option("second"))
    assert (
        board.said.startswith("You play O. Perfect player: ")
        and len(book.ask(HISTORY).split()) == 1
    )
    board.do(lambda: board.root.get_by_label("Opponent").select_option("Random player"))
    assert board.said == "Your opponent is Random player. Your turn: O."
    board.press("New game")
    assert board.said.startswith("New game. Random player: ")
    board.do(lambda: board.root.get_by_label("You play").select_option("both"))
    board.click(board.offered()[0])
    board.click(board.offered()[0])
    assert len(book.ask(HISTORY).split()) == 3 and board.tictactoe() == book.ask(RECIPE)
    board.do(lambda: board.root.get_by_label("You play").select_option("none"))
    board.press("Last position")
    assert book.ask("print(board.state.is_over())") == "True"


def test_a_watched_game_plays_itself_to_its_end(notebook: Open) -> None:
    book = notebook([PERFECT.replace("play(game, agents)", "play(game, agents, side='none')")])
    board = book.board()
    board.root.get_by_label("Speed").select_option("fast")
    board.button("Play").click()
    board.wait("root.dataset.outcome === 'drawn'")
    assert book.ask("print(len(board.history))") == "9"
    assert board.button("Play").is_visible(), "it has stopped"


def test_stepping_through_a_game(notebook: Open) -> None:
    book = notebook([PERFECT])
    board = book.board()
    board.click(4)
    board.click(board.offered()[0])
    position = board.tictactoe()
    board.press("First position")
    assert board.tictactoe() == "tic-tac-toe:........." and board.said == "Position 0 of 4."
    board.press("Next position")
    assert (
        board.tictactoe() == "tic-tac-toe:....X...."
        and board.said == "Position 1 of 4, after X: b2."
    )
    board.click(0)
    assert "looking back" in board.said and book.ask(RECIPE) == position
    board.press("Last position")
    assert board.tictactoe() == position
    board.press("Next position")
    assert board.said == "This is the last position."
    board.press("Previous position")
    assert board.root.locator(".rl-place").text_content() == "3 / 4"


def test_the_overlay_shows_numbers_on_the_board_and_in_the_table(
    notebook: Open, screenshot: Shoot
) -> None:
    book = notebook(
        [
            "from rlcourse.boards import PlayBoard\n"
            "from rlcourse.agents import PerfectAgent\n"
            "from rlcourse.games import get_game\n"
            "board = PlayBoard('tic-tac-toe:.X.O...X.', "
            "overlay=PerfectAgent(get_game('tic-tac-toe')))\n"
            "board"
        ]
    )
    board = book.board()
    assert board.name(4) == "b2, empty, value +1" and board.name(0) == "a3, empty, value −1"
    table = board.root.get_by_role("table", name="Perfect player: value of each move for O")
    assert table.locator("tbody tr").first.locator("th, td").all_text_contents() == [
        "b2",
        "+1",
        "best",
    ]
    assert table.locator("tbody tr").count() == 6
    screenshot(book.page, "overlay-light")
    book.theme("JupyterLab Dark")
    screenshot(book.page, "overlay-dark")
    board.do(lambda: board.root.get_by_label("Show values").click())
    assert table.count() == 0 and board.name(4) == "b2, empty"


def test_connect_four(notebook: Open, screenshot: Shoot) -> None:
    book = notebook([FOUR])
    board = book.board()
    for _ in range(21):
        free = board.root.locator("[data-action]:not([aria-disabled])").all()
        legal = [int(column.get_attribute("data-action")) for column in free]
        if not legal:
            break
        board.click(legal[len(book.ask(HISTORY)) % len(legal)])
        stones = [
            board.name(column).count(" X") + board.name(column).count(" O") for column in range(7)
        ]
        kernel = book.ask("print(*(board.state.board > 0).sum(axis=0).tolist())")
        assert " ".join(map(str, stones)) == kernel
    assert book.ask("print(board.state.is_over())") == "True"
    screenshot(book.page, "connect-four-over")
    board.press("New game")
    board.target(3).focus()
    for key, column in (
        ("ArrowLeft", "column c"),
        ("ArrowRight", "column d"),
        ("End", "column g"),
        ("Home", "column a"),
    ):
        book.page.keyboard.press(key)
        assert board.focused().startswith(column)
    board.do(lambda: book.page.keyboard.press("Enter"))
    assert book.ask(HISTORY).split()[0] == "0"
    book.ask(
        "from rlcourse.games import from_recipe; board._referee.line[:] = "
        "[from_recipe('connect-four:00000')]"
    )
    book.ask("board._referee._cut(0); board._refresh()")
    board.wait(
        "root.querySelector('[data-action=\"0\"]').getAttribute('aria-label').includes('X O X O X')"
    )
    board.do(lambda: board.root.get_by_label("You play").select_option("both"))
    board.click(0)
    board.click(0)
    assert board.said == "Not possible: column a is full."
    board.do(lambda: board.root.get_by_label("Show values").click())
    assert board.name(1).startswith("column b, empty, share ")
    book.theme("JupyterLab Dark")
    screenshot(book.page, "connect-four-dark")


def test_a_lost_game_is_looked_at_and_played_again(notebook: Open, screenshot: Shoot) -> None:
    book = notebook([PERFECT])
    board, review = book.board(), book.page.locator(".rl-review")
    ask, again = (
        board.root.get_by_role("button", name=name)
        for name in ("Where did I go wrong?", "Try again from here")
    )
    while board.offered():
        assert not ask.is_visible() and not again.is_visible()
        board.click(board.offered()[0])
    board.do(ask.click)
    assert "Judge: the exact solution of the game." in review.inner_text()
    assert "In 1 game, " in review.inner_text()
    screenshot(book.page, "review-light")
    worst = review.locator(".rl-worst").first
    assert "turned a draw into a loss" in worst.inner_text()
    board.do(worst.get_by_role("button").click)
    assert board.status.startswith("Looking back: position ")
    screenshot(book.page, "review-again")
    board.do(again.click)
    assert board.status == "Your turn: X."
    assert review.inner_text() == "" and not again.is_visible()
    assert board.tictactoe() == book.ask(RECIPE)


@pytest.mark.parametrize("theme", ["JupyterLab Light", "JupyterLab Dark"])
def test_no_accessibility_violation_in_the_board(notebook: Open, theme: str) -> None:
    """axe-core, all its rules; what JupyterLab does around the board is not judged."""
    book = notebook([PERFECT, FOUR.replace("board =", "four =").replace("\nboard", "\nfour")])
    book.theme(theme)
    board, four = book.board(0), book.board(1)
    board.do(lambda: board.root.get_by_label("Show values").click())
    board.click(4)
    board.root.get_by_text("Moves", exact=True).click()
    four.do(lambda: four.root.get_by_label("Show values").click())
    for one, label in ((board, "Tic-tac-toe board"), (four, "Connect Four board")):
        one.root.scroll_into_view_if_needed()
        results = book.axe(f'.rl-board[aria-label="{label}"]')
        assert results["violations"] == []
        words = [found["html"] for found in results["passes"] if found["rule"] == "color-contrast"]
        assert len(words) >= 15 and any("rl-status" in html for html in words), (
            "axe looked at the words"
        )
        unsure = [
            found["html"] for found in results["incomplete"] if found["rule"] == "color-contrast"
        ]
        assert [html for html in unsure if not html.startswith("<text")] == [], (
            "the drawing's words: test_drawing.py"
        )


def test_axe_would_notice(notebook: Open) -> None:
    """The check above can fail: a nameless button and grey words on grey are reported."""
    book = notebook([PERFECT])
    book.board().root.evaluate(
        "(root) => { root.querySelector('button').removeAttribute('aria-label');"
        "root.querySelector('button').removeAttribute('title');"
        "root.querySelector('button').textContent = '';"
        "root.querySelector('.rl-status').style.cssText = 'color:#999;background:#aaa'; }"
    )
    found = {violation["rule"] for violation in book.axe(".rl-board")["violations"]}
    assert {"button-name", "color-contrast"} <= found


def test_a_failing_agent_leaves_a_working_board(notebook: Open) -> None:
    code = (
        "from rlcourse.boards import play\n"
        "class Broken:\n"
        "    name = 'my bot'\n"
        "    def select_move(self, state):\n"
        "        return 1 / 0\n"
        "board = play('tic-tac-toe', Broken())\n"
        "board"
    )
    book = notebook([code])
    board = book.board()
    board.click(4)
    assert "My bot failed: ZeroDivisionError: division by zero" in board.said
    board.press("Undo")
    assert board.tictactoe() == "tic-tac-toe:........."


def test_a_busy_kernel_is_said(notebook: Open, tmp_path: Path) -> None:
    book = notebook([PERFECT])
    board = book.board()
    done = tmp_path / "done"
    busy = f"import pathlib, time\nwhile not pathlib.Path({str(done)!r}).exists(): time.sleep(0.01)"
    book.page.evaluate(
        "(code) => { window.jupyterapp.shell.currentWidget.sessionContext.session.kernel"
        ".requestExecute({ code, store_history: false }); }",
        busy,
    )
    board.target(4).click()
    board.wait("root.querySelector('.rl-status').textContent.startsWith('Waiting for the kernel')")
    done.touch()
    board.wait(
        "root.dataset.busy === 'false' && root.querySelector('[aria-label=\"b2, X\"]') !== null"
    )
    assert board.status == "Your turn: X."


def test_a_narrow_page_keeps_the_board_in_sight(notebook: Open, screenshot: Shoot) -> None:
    book = notebook([FOUR])
    book.page.set_viewport_size({"width": 520, "height": 900})
    board = book.board()
    assert board.root.evaluate("(root) => root.scrollWidth <= root.clientWidth + 1")
    board.click(0)
    assert book.ask(HISTORY).split()[0] == "0"
    screenshot(book.page, "connect-four-narrow")


@pytest.fixture(scope="module")
def committed(lab: Lab) -> Path:
    """A notebook with a board as it is committed: run, outputs kept, no widget
    state and no widget views.
    """
    path = lab.write("committed.ipynb", [PERFECT])
    book = nbformat.read(path, 4)
    NotebookClient(book, store_widget_state=False).execute()
    normalise(book)
    nbformat.write(book, path)
    return path


def test_the_committed_notebook_as_html_shows_the_picture(
    committed: Path, page: Page, screenshot: Shoot
) -> None:
    html, _ = HTMLExporter().from_filename(str(committed))
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
    screenshot(page, "static-html")


def test_the_committed_notebook_shows_the_picture_before_it_is_run(
    committed: Path, lab: Lab, page: Page, screenshot: Shoot
) -> None:
    """In a notebook that is not trusted, too: nothing in the picture can run."""
    book = Notebook(lab, page, committed.name)
    picture = page.locator(".jp-OutputArea-output img[src*='svg']")
    picture.wait_for()
    assert picture.bounding_box()["width"] > 200
    screenshot(page, "static-jupyterlab")
    book.run_all()
    board = book.board()
    board.click(4)
    assert board.said.startswith("You: b2."), "and after Run All it plays"
    book.close()


def test_touch_plays(browser: object, lab: Lab) -> None:
    context = open_context(browser, has_touch=True, viewport={"width": 800, "height": 900})
    try:
        lab.write("touch.ipynb", [PERFECT])
        book = Notebook(lab, context.new_page(), "touch.ipynb")
        book.run_all()
        board = book.board()
        board.do(lambda: board.target(4).tap())
        assert book.ask(HISTORY).startswith("4 ")
        book.close()
    finally:
        context.close()
