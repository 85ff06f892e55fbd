"""The play page in Python: where it is served, who is offered, at which
levels, and what a hint says.
"""

import errno
import os
import socket
import subprocess
import sys

import numpy as np
import pytest

from rlcourse.agents import agent_names, load_agent, make_agent, save_agent
from rlcourse.games import GAME_NAMES, from_recipe, get_game
from rlcourse.play_page import addresses, bind, bots, go, table
from rlcourse.storage import StorageError


@pytest.mark.parametrize("name", GAME_NAMES)
def test_every_bot_of_the_course_can_be_played(name):
    """Each stored agent of the game, on the board it knows; from outside only what is installed."""
    kinds = {load_agent(full).name for full in agent_names() if full.startswith(f"{name}/")}
    boards = go.boards().values() if name == "go" else [get_game(name)]
    offered = [[agent.name for agent in bots.bots_of(board).values()] for board in boards]
    assert kinds <= set().union(*offered) <= kinds | {"gnubg", "gnugo"}
    for kinds_here in offered:
        ranks = [bots.KINDS.index(kind) for kind in kinds_here]
        assert ranks == sorted(ranks)


def test_a_komi_that_a_bot_learned_on_is_a_board_of_its_own(monkeypatch):
    other = make_agent("random", get_game("go", size=5, komi=24.5))
    monkeypatch.setattr(go, "agent_names", lambda: ("go/other",))
    monkeypatch.setattr(go, "load_agent", lambda name: other)
    boards = go.boards()
    assert list(boards) == ["5 x 5", "5 x 5, komi 24.5", "7 x 7", "9 x 9", "13 x 13"]
    assert boards["5 x 5, komi 24.5"] == other.game


def test_a_network_is_offered_on_its_own_board_only():
    sizes = {
        size: {agent.name for agent in bots.bots_of(get_game("go", size=size)).values()}
        for size in go.SIZES
    }
    assert "policy" in sizes[5] and "policy" in sizes[9] and "policy" not in sizes[7] | sizes[13]
    assert all({"uct", "random"} <= kinds for kinds in sizes.values())


def test_levels_of_strength_are_those_they_say():
    offered = bots.bots_of(get_game("connect-four"))
    assert (
        offered["UCT (1,000 simulations)"].simulations == 1_000
        and offered["UCT (10 simulations)"].simulations == 10
    )
    policies = bots.bots_of(get_game("go"))
    state = get_game("go").new_game()
    best, drawn = (
        policies["Policy gradient (best moves)"],
        policies["Policy gradient (drawn moves)"],
    )
    assert len({str(best.select_move(state)) for _ in range(20)}) == 1
    assert best.temperature == 0.0 and drawn.temperature > 0.0


def test_own_bots_are_offered_for_their_game(tmp_path):
    file = tmp_path / "mine.h5"
    save_agent(load_agent("tic-tac-toe/q-table"), file)
    assert list(bots.own_bots(get_game("tic-tac-toe"), [file])) == ["mine (yours)"]
    assert bots.own_bots(get_game("connect-four"), [file]) == {}
    page = table.Table([file])
    assert (
        next(iter(page.board.view["opponents"])) == "mine (yours)"
        and len(page.board.view["opponents"]) > 5
    )
    (tmp_path / "other.h5").write_text("no agent", encoding="utf-8")
    with pytest.raises(StorageError, match="not an HDF5 file"):
        bots.own_bots(get_game("tic-tac-toe"), [tmp_path / "other.h5"])


def test_another_game_lays_another_board_and_closes_the_old_one():
    page = table.Table()
    before = page.board
    page.game.value = "go"
    assert (
        page.board.view["title"] == "Go"
        and before.comm is None
        and page.sizes["go"].layout.display is None
    )
    page.sizes["go"].label = "7 x 7"
    assert page.board.state.options["size"] == 7
    page.game.value = "backgammon"
    assert page.board.view["title"] == "Backgammon" and page.sizes["go"].layout.display == "none"


def test_a_hint_keeps_the_value_and_changes_nothing():
    """O O . / X . . / .

    X . with X to move: nothing wins at once, so only the third square of the row keeps from losing.
    """
    game = get_game("tic-tac-toe")
    board = table.HintBoard("tic-tac-toe:OO.X...X.", bots.bots_of(game), "Perfect player")
    for _ in range(5):
        board.hint()
        assert board.view["said"] == f"Hint of Perfect player: {game.labels[2]}."
        assert 'aria-label="c3, empty, suggested"' in board.view["svg"]
    assert board.history == [] and board.view["announcement"] >= 5


def test_the_score_of_an_evening_outlives_its_board():
    page = table.Table()
    page.board._referee.line = [from_recipe("tic-tac-toe:XX.OO....")]
    page.board.play(2)
    page.game.value = "connect-four"
    assert page.board.view["score"].startswith("Won in 0 games: You 0")
    page.game.value = "tic-tac-toe"
    assert page.board.view["score"].startswith("Won in 1 game: You 1")


def test_a_hint_out_of_turn_says_why_there_is_none():
    game = get_game("tic-tac-toe")
    board = table.HintBoard(game, bots.bots_of(game), "Perfect player")
    board._obey({"type": "side", "value": "none"})
    board.hint()
    assert board.view["said"] == "A hint is for your own turn, at the last position."
    over = table.HintBoard("tic-tac-toe:XXXOO....", bots.bots_of(game), "Perfect player")
    over.hint()
    assert "win" in over.view["said"]


def test_a_hint_in_backgammon_is_a_whole_turn():
    game = get_game("backgammon")
    offered = bots.bots_of(game)
    board = table.HintBoard(
        game.throw(game.new_game(), np.random.default_rng(0)), offered, "TD-Gammon"
    )
    board.hint()
    assert board.view["said"].startswith("Hint of TD-Gammon: ") and "/" in board.view["said"]


@pytest.fixture
def busy():
    """A port that another program listens at."""
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        listener.listen()
        yield listener.getsockname()[1]


def test_a_busy_port_is_said_and_the_next_free_one_taken(busy, capsys):
    sockets = bind("127.0.0.1", busy)
    taken = sockets[0].getsockname()[1]
    assert busy < taken < busy + 50 and addresses("127.0.0.1", sockets) == [
        f"http://127.0.0.1:{taken}/"
    ]
    assert capsys.readouterr().out == f"Port {busy} is in use; the page takes {taken}.\n"
    socket.create_connection(
        ("127.0.0.1", taken), timeout=5
    ).close()  # it listens: no address that is not there
    for bound in sockets:
        bound.close()


def test_the_addresses_are_such_as_a_browser_can_open(monkeypatch):
    """0.0.0.0 and :: are each address of this computer, and none that a
    browser on Windows could ask for.
    """
    monkeypatch.setattr("jupyter_client.localinterfaces.public_ips", lambda: ["192.0.2.7"])
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        port = listener.getsockname()[1]
        for everywhere in ("0.0.0.0", "::"):
            here, network = addresses(everywhere, [listener])
            assert (here, network) == (f"http://localhost:{port}/", f"http://192.0.2.7:{port}/")
        assert addresses("localhost", [listener]) == [f"http://localhost:{port}/"]
        assert addresses("::1", [listener]) == [f"http://[::1]:{port}/"]


@pytest.mark.parametrize(
    ("host", "port", "reason"),
    [
        ("localhost", 99999, "--port 99999 cannot be"),
        ("localhost", -1, "--port -1 cannot be"),
        (
            "192.0.2.1",
            8866,
            "--host 192.0.2.1 is no address of this computer",
        ),  # kept for documentation, RFC 5737
        ("no such host", 8866, "--host no such host is no known address"),
        ("http://localhost", 8866, "--host http://localhost is no known address"),
        ("", 8866, "--host is empty"),
    ],
)
def test_a_host_or_port_that_cannot_be_is_refused_in_a_sentence(host, port, reason):
    with pytest.raises(ValueError, match=reason):
        bind(host, port)


def test_the_last_port_may_be_busy_without_another_after_it(monkeypatch):
    def refuse(port, host):
        assert port <= 65535
        raise OSError(errno.EADDRINUSE, "in use")

    monkeypatch.setattr("rlcourse.play_page.bind_sockets", refuse)
    with pytest.raises(ValueError, match="--port 65530 is in use, and so are those after it"):
        bind("localhost", 65530)


def test_the_command_refuses_at_once_and_prints_no_address(tmp_path):
    command = [sys.executable, "-m", "rlcourse.cli", "play", "--no-browser", "--port", "99999"]
    environment = dict(os.environ, IPYTHONDIR=str(tmp_path), JUPYTER_RUNTIME_DIR=str(tmp_path))
    ended = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert ended.returncode == 1 and ended.stdout == ""
    assert (
        ended.stderr
        == "rlcourse: --port 99999 cannot be: ports are numbers up to 65535, such as 8866\n"
    )
