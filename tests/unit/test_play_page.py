"""The play page in Python: where it is served, who is offered, at which
levels, and what a hint says.
"""

import asyncio
import errno
import re
import socket
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from html import unescape
from itertools import pairwise

import numpy as np
import pytest

from rlcourse.agents import OUTSIDE, RandomAgent, agent_names, load_agent, make_agent, save_agent
from rlcourse.arena import play_match
from rlcourse.experiments.ladder import rated_row
from rlcourse.games import GAME_NAMES, get_game
from rlcourse.play_page import address, addresses, bind, bots, cards, go, table
from rlcourse.play_page.server import PageKernels, home
from rlcourse.results import load_results
from rlcourse.storage import StorageError
from tests.unit.in_process import exit_code


@pytest.mark.parametrize("name", GAME_NAMES)
def test_every_bot_of_the_course_can_be_played(name):
    """Each stored agent of the game, on the board it knows; from outside only what is installed."""
    kinds = {load_agent(full).name for full in agent_names() if full.startswith(f"{name}/")}
    boards = go.boards().values() if name == "go" else [get_game(name)]
    offered = [[agent.name for agent in bots.bots_of(board).values()] for board in boards]
    assert kinds <= set().union(*offered) <= kinds | set(OUTSIDE)
    for kinds_here in offered:
        ranks = [bots.KINDS.index(kind) for kind in kinds_here]
        assert ranks == sorted(ranks)


def test_a_komi_that_a_bot_learned_on_is_a_board_of_its_own(monkeypatch):
    other = make_agent("random", get_game("go", size=5, komi=24.5))
    monkeypatch.setattr(go, "names_on_any_board", lambda _: ("go/other",))
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
    page = table.Table(address.read("game=tic-tac-toe"), [file])
    assert page.board.view["opponents"][3] == "mine (yours)"  # after the three levels
    assert len(page.board.view["opponents"]) > 5
    (tmp_path / "other.h5").write_text("no agent", encoding="utf-8")
    with pytest.raises(StorageError, match="not an HDF5 file"):
        bots.own_bots(get_game("tic-tac-toe"), [tmp_path / "other.h5"])


@pytest.mark.parametrize("name", GAME_NAMES)
def test_levels_play_on_every_board_and_begin_with_a_beatable_one(name):
    for board in cards.boards_of(name).values():
        levels = cards.levels_of(board)
        assert levels[0].word == "easy" and levels[0].bot in (
            "Random player",
            "UCT (10 simulations)",
        )
        assert {level.bot for level in levels} <= set(bots.bots_of(board))


def test_each_level_of_backgammon_beats_the_easier_one():
    """By 200 games; what three plies add is told by the 600 of `test_levels_climb_the_ladder`."""
    game = get_game("backgammon")
    there = bots.bots_of(game)
    *agents, last = [there[level.bot] for level in cards.levels_of(game)]
    assert last.look_ahead == (5, 3) and last.weights is agents[-1].weights
    for easier, harder in pairwise(agents):
        low, _ = play_match(harder, easier, games=200, seed=0).score_interval()
        assert low > 0.5


def test_a_game_without_a_card_and_without_uct_is_played_with_whoever_plays_it(monkeypatch):
    monkeypatch.setattr(cards, "part_of", lambda *_: None)
    page = table.Table(address.read("game=backgammon"))
    assert page.board.view["opponents"][0] == page.board.view["opponent"] == "Random player"
    assert ">Easy<" in page.children[0].value and ">Medium<" not in page.children[0].value
    words = [level.word for level in cards.levels_of(get_game("connect-four"))]
    assert words == ["easy", "medium", "strong"]


class Fixed(RandomAgent):
    """A player of one column. Its options are those of a random player."""

    column = 0

    def select_move(self, state):
        """The column, whatever the position."""
        return self.column


def test_the_first_move_of_a_second_player_is_the_chosen_opponents(monkeypatch):
    """The easy bot plays column 0 and the medium one column 6; the address asks for the medium."""
    game = get_game("connect-four")
    bots_here = {level.bot: Fixed(game) for level in cards.levels_of(game)}
    bots_here["UCT (100 simulations)"].column = 6
    monkeypatch.setattr(table, "bots_of", lambda game: bots_here)
    query = "game=connect-four&opponent=medium&side=second"
    board = table.Table(address.read(query)).board
    assert board.history == [6] and board.view["side"] == "second"
    board.play(3)
    assert board.history == [6, 3, 6]
    again = table.Table(address.read(board.view["address"].split("?")[1])).board
    assert again.state == board.state and again.view["side"] == "second"


def test_two_people_see_no_list_of_opponents():
    board = table.Table(address.read("game=tic-tac-toe&side=both")).board
    assert board.view["opponents"] == []
    board._obey({"type": "side", "value": "first"})
    assert "Perfect player" in board.view["opponents"]


def test_two_people_are_told_whose_hints_and_values_they_see():
    """Perfect player's, and the opponent's again once one of them plays a bot."""
    page = table.Table(address.read("game=tic-tac-toe&side=both"))
    assert "Hints and values: Perfect player." in page.children[0].value
    page.board._obey({"type": "overlay", "value": True})
    assert page.board.view["numbers"]["heading"].startswith("Perfect player")
    page.board._obey({"type": "side", "value": "first"})
    assert page.board.view["numbers"]["heading"].startswith("UCT")


def test_a_newcomer_reads_plain_words():
    """The field's word for a game that is tried out stands in the list of opponents only."""
    assert "simulation" not in home()
    for name in GAME_NAMES:
        page = table.Table(address.read(f"game={name}"))
        assert "simulation" not in page.children[0].value


def test_the_elo_is_that_of_the_stored_ladder():
    """By hand from the rows: UCT 10 met 9 players in 144 games each."""
    game = get_game("tic-tac-toe")
    row = next(row for row in load_results("ladder")["rows"] if row["game"] == "tic-tac-toe")
    k = row["names"].index("UCT 10")
    elo, low, high = (f"\N{MINUS SIGN}{-row[key][k]}" for key in ("elo", "low", "high"))
    shown = cards.elo_of(game, cards.levels_of(game)[0])
    assert shown == f"Elo {elo} [{low}, {high}] (n = 1,296 games)."
    seven = get_game("go", size=7)
    assert cards.elo_of(seven, cards.levels_of(seven)[0]) == "Not rated."


def test_levels_climb_the_ladder():
    """Each level is shown to be stronger than the one before: the 95% interval of the difference
    leaves out 0.
    """
    levels = {k: v for name in GAME_NAMES for k, v in cards.card_of(name).levels.items()}
    for row in load_results("ladder")["rows"][:5]:
        rated = [level.rated for level in levels[row["game"]]]
        assert all(rated) or row["game"] == "connect-four"  # where the perfect player is not
        ladder, places = rated_row(row), [row["names"].index(name) for name in rated if name]
        for below, above in pairwise(places):
            assert row["elo"][below] < row["elo"][above] and ladder.apart(below, above)


def test_an_address_leads_back_to_its_game():
    won = address.tally([("You", 1), ("You", 1), ("UCT", 0)])
    visit = address.Visit("go", "7 x 7", "medium", "second", "go size=7 komi=7.5:x", won)
    path, query = visit.address.split("?")
    assert path == "/play" and address.read(query) == visit
    assert visit.finished() == [("You", 1), ("You", 1), ("UCT", 0)]
    assert address.read("game=connect-four") == address.Visit("connect-four")


@pytest.mark.parametrize(
    ("query", "reason"),
    [
        ("", "names no game of the page"),
        ("game=chess", "The games are Tic-tac-toe"),
        ("game=go&board=6 x 6", "names no board"),
        ("game=go&side=third", "names no side"),
    ],
)
def test_a_bad_address_is_refused_in_a_sentence(query, reason):
    with pytest.raises(ValueError, match=reason):
        address.read(query)


def test_the_first_page_escapes_what_it_is_given():
    assert "<script>" not in home("<script>") and "&lt;script&gt;" in home("<script>")


def test_a_game_that_was_over_does_not_go_on():
    page = table.Table(address.read("game=tic-tac-toe&position=tic-tac-toe:XXXOO...."))
    assert page.board.view["status"] == page.board.view["said"] == "You win!"


@pytest.mark.parametrize("name", GAME_NAMES)
def test_a_game_goes_on_from_its_address(name):
    """Two moves by two people; a second table, made from the address alone, has the position."""
    page = table.Table(address.read(f"game={name}&side=both"))
    for _ in range(2):
        page.board.play(page.board.state.legal_moves()[0])
    again = table.Table(address.read(page.board.view["address"].split("?")[1]))
    assert again.board.state == page.board.state
    assert again.board.view["side"] == "both" and again.board.view["plies"] == 0
    assert again.board.view["said"].startswith("The game goes on from this position.")
    again.board.play(again.board.state.legal_moves()[0])
    again.board.new_game()
    assert "position=" not in again.board.view["address"]


@pytest.mark.parametrize(
    "position", ["go:x", "tic-tac-toe:XXXXXXXXX", "tic-tac-toe:Z........", "tic-tac-toe:X" * 9]
)
def test_a_position_that_cannot_be_begins_a_game_and_says_so(position):
    page = table.Table(address.Visit("tic-tac-toe", position=position))
    assert page.board.state == get_game("tic-tac-toe").new_game()
    assert page.board.view["said"].startswith("The address holds no position of this game")


def test_an_unknown_opponent_is_replaced_by_the_easiest_and_said():
    page = table.Table(address.read("game=tic-tac-toe&opponent=nobody"))
    assert page.board.view["opponent"] == "UCT (10 simulations)"
    assert page.board.view["said"].startswith("The address names nobody who plays here")


def test_the_score_of_the_evening_goes_on_from_the_address():
    """Two games that the first player wins and a third begun: one point a game won."""
    page = table.Table(address.read("game=tic-tac-toe&side=both"))
    for squares in ("03142", "03142", "8"):
        page.board.new_game()
        for square in squares:
            page.board.play(int(square))
    again = table.Table(address.read(page.board.view["address"].split("?")[1]))
    assert again.board.view["score"] == "Won in 2 games: X 2, O 0."
    assert again.board.state == page.board.state
    medium = re.search('href="/play[?]([^"]*opponent=medium[^"]*)"', again.children[0].value)[1]
    assert len(address.read(unescape(medium)).finished()) == 2


@pytest.mark.parametrize("score", ["x", "7", "[3]", '[["You",1]]', '[["You","1",2]]', '{"You":1}'])
def test_a_score_that_cannot_be_begins_at_0_and_says_so(score):
    page = table.Table(address.Visit("tic-tac-toe", score=score))
    assert page.board.view["score"].startswith("Won in 0 games: You 0")
    assert page.board.view["said"].startswith("The address holds no score")


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


def test_the_command_refuses_at_once_and_prints_no_address(monkeypatch, capfd):
    code = exit_code(monkeypatch, "play", "--no-browser", "--port", "99999")
    reason = "--port 99999 cannot be: ports are numbers up to 65535, such as 8866"
    assert (code, *capfd.readouterr()) == (1, "", f"rlcourse: {reason}\n")


ORPHANED = """
import asyncio, os
from rlcourse.play_page.server import PageKernels

async def leave_a_kernel():
    kernels = PageKernels(transport_encryption="auto")
    client = kernels.get_kernel(await kernels.start_kernel()).client()
    client.start_channels()
    await client.wait_for_ready(timeout=None)
    os._exit(0)

asyncio.run(leave_a_kernel())
"""


@pytest.mark.slow
def test_a_kernel_that_outlives_its_server_says_nothing_in_the_terminal(tmp_path):
    """It ends by itself, and would report that its parent has exited after Ctrl-C's sentence."""
    ended = subprocess.run(
        [sys.executable, "-c", ORPHANED],
        cwd=tmp_path,  # where the kernel's connection file stays
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
    )
    assert (ended.returncode, ended.stdout.decode()) == (0, "")


@pytest.mark.slow
def test_a_visitor_gets_a_kernel_where_none_could_be_loaded_ahead(monkeypatch, tmp_path):
    """The first launch fails, as where memory is short; its error is nobody's, not even at the end."""
    monkeypatch.chdir(tmp_path)
    launch, launches = PageKernels._launch, []

    async def fail_once(kernels, **settings):
        launches.append(settings)
        if len(launches) == 1:
            raise OSError("Cannot allocate memory")
        return await launch(kernels, **settings)

    async def visit():
        kernels = PageKernels(transport_encryption="auto")
        kernels.prepare()
        kernel_id = await kernels.start_kernel()
        launches.clear()
        kernels.prepare()
        await asyncio.sleep(0)
        await kernels.shutdown_kernel(kernel_id, now=True)
        return kernel_id in kernels

    monkeypatch.setattr(PageKernels, "_launch", fail_once)
    # In a thread: a browser of other tests leaves a loop running in this one.
    with ThreadPoolExecutor(1) as thread:
        assert thread.submit(asyncio.run, visit()).result() is False
    assert len(launches) == 1
