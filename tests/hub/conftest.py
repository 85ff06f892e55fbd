"""One running hub for all tests, and one that only lies there."""

import importlib.util
import sys
from collections.abc import Iterator
from functools import partial

import pytest

from tests.conftest import Launch, end_without, program_or_reason
from tests.hub import server as hub
from tests.hub.seat import Seat

PROGRAMS = ("configurable-http-proxy", "setfacl", "useradd", "unshare", "nsenter", "setpriv")


@pytest.fixture(scope="session")
def root() -> None:
    """Ends the test, with the reason, where real users cannot be made or something is missing."""
    if sys.platform != "linux" or not hub.is_root():
        pytest.skip("a hub is tried with real users: by root on Linux")
    for name in PROGRAMS:
        program_or_reason(name)
    if importlib.util.find_spec("jupyterhub") is None:
        end_without("jupyterhub is not installed (start.py test --system installs it)")


@pytest.fixture(scope="session")
def launch(launch: Launch) -> Launch:
    """Browsers that never ask about the certificate, which the server has signed itself: one that
    forgives it anew at each connection gives some up (ERR_TOO_MANY_RETRIES) on a busy machine.
    """
    return partial(launch, "--ignore-certificate-errors")


@pytest.fixture(scope="session")
def server(root: None) -> Iterator[hub.Server]:
    """A running hub with a teacher and two students."""
    running = hub.Server()
    try:
        running.set_up()
        running.start()
        yield running
    finally:
        running.close()


@pytest.fixture(scope="module")
def idle(root: None) -> Iterator[hub.Server]:
    """A server that is set up and not started."""
    waiting = hub.Server("ri")
    try:
        waiting.set_up()
        yield waiting
    finally:
        waiting.close()


@pytest.fixture
def ada(server: hub.Server, launch: Launch) -> Iterator[Seat]:
    """A student at her JupyterLab."""
    person = Seat(server, launch(), hub.ADA)
    person.sign_in()
    person.wait_for_lab()
    yield person
    person.close()


@pytest.fixture
def seats(server: hub.Server, launch: Launch) -> Iterator[dict[str, Seat]]:
    """letter -> teacher and students, each logged in at a browser of their own."""
    persons = {letter: Seat(server, launch(), letter) for letter in server.names}
    for person in persons.values():
        person.sign_in()
    for person in persons.values():
        person.wait_for_lab()
    yield persons
    for person in persons.values():
        person.close()
