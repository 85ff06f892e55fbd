"""The games behind the hub: played in a browser by who is logged in, without a server of their own."""

import pytest

from tests.browser.lab import Board
from tests.conftest import Launch
from tests.hub.seat import Seat
from tests.hub.server import BOB, Server
from tests.hub.web import Visitor

pytestmark = [pytest.mark.slow, pytest.mark.timeout(600), pytest.mark.xdist_group("hub")]


def test_a_game_is_played_without_a_server_of_ones_own(server: Server, launch: Launch) -> None:
    bob = Seat(server, launch(), BOB)
    Visitor(server, BOB).stop()
    bob.sign_in(f"{server.url}/services/play/")  # the log-in comes first
    bob.page.get_by_role("link", name="Connect Four", exact=True).click()
    board = Board(bob.page.locator(".rl-board"))
    board.root.locator(".rl-surface svg").wait_for()
    board.click(3)
    assert "You: d." in board.said and "Your turn" in board.said
    assert not server.processes("jupyterhub.singleuser", bob.name)
    assert {one.username() for one in server.processes("pages.py", "nobody")} == {"nobody"}
    bob.close()
