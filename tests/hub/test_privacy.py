"""What a student can see of another on the same machine, who knows every path and port: nothing.

Ada has handed in and been given feedback, and has a kernel running. Bob tries to reach all of it.
"""

import json
from pathlib import Path
from typing import NamedTuple

import psutil
import pytest

from tests.hub import intruder
from tests.hub.server import ADA, BOB, TEACHER, Server
from tests.hub.web import Visitor

pytestmark = [pytest.mark.slow, pytest.mark.timeout(600), pytest.mark.xdist_group("hub")]
SHEET, NOTEBOOK = "01", "01_sampling_and_clipping"


class Circle(NamedTuple):
    """A hand-in and its feedback, where both lie; a kernel and the server that started it."""

    hand_in: Path
    page: Path
    connection: Path
    pid: int
    port: int


def succeeded(server: Server, letter: str, *arguments: str, folder: Path | None = None) -> str:
    """What a command of that person says, which must do what it says."""
    done = server.run(letter, "-m", *arguments, folder=folder)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout + done.stderr


@pytest.fixture(scope="module")
def circle(server: Server) -> Circle:
    """From a sheet's release to Ada's feedback, by the commands of teacher and student."""
    ada = Visitor(server, ADA)
    ada.start()
    kernel = ada.start_kernel()
    book, name = server.root / "class", server.names[ADA]
    for command in ("generate_assignment", "release_assignment"):
        succeeded(server, TEACHER, "nbgrader", command, SHEET, folder=book)
    succeeded(server, ADA, "nbgrader", "submit", SHEET)
    succeeded(server, TEACHER, "nbgrader", "collect", SHEET, folder=book)
    exchange = server.root / "exchange" / "rlcourse"
    before = set((exchange / "feedback").glob("*.html"))
    grade = ["rlcourse", "grade", SHEET, "--submissions", str(book / "submitted")]
    grade += ["--roster", str(book / "roster.csv"), "--give-back", "--yes"]
    said = succeeded(server, TEACHER, *grade, folder=book)
    assert "1 graded" in said and "1 feedback page" in said
    [hand_in] = (exchange / "inbound").glob(f"{name}+{SHEET}+*")
    [page] = set((exchange / "feedback").glob("*.html")) - before
    [connection] = server.home(ADA).rglob(f"kernel-{kernel}.json")
    [process] = server.processes("jupyterhub.singleuser", name)
    [port] = {
        each.laddr.port
        for each in process.net_connections("tcp")
        if each.status == psutil.CONN_LISTEN and each.laddr.ip == "127.0.0.1"
    }
    return Circle(hand_in, page, connection, process.pid, port)


def doors(server: Server, circle: Circle) -> list[tuple[str, str, str]]:
    """(name, way, target): what is Ada's and can be named as a file, a port or a process."""
    home, sheet = server.home(ADA), server.home(ADA) / "my" / "exercises" / SHEET
    keys = json.loads(circle.connection.read_text())
    rows = [
        ("home", "list", home),
        ("home written", "write", home),
        ("sheet", "read", sheet / f"{NOTEBOOK}.ipynb"),
        ("sheet's times", "stat", sheet / f"{NOTEBOOK}.ipynb"),
        ("hand-in", "list", circle.hand_in),
        ("hand-in's notebook", "read", circle.hand_in / f"{NOTEBOOK}.ipynb"),
        ("hand-in's times", "stat", circle.hand_in / f"{NOTEBOOK}.ipynb"),
        ("hand-in's secret", "read", circle.hand_in / "submission_secret.txt"),
        ("hand-in written", "write", circle.hand_in),
        ("hand-in taken away", "move", circle.hand_in),
        ("feedback", "read", circle.page),
        ("folder of kernels", "list", circle.connection.parent),
        ("kernel's key", "read", circle.connection),
        *(
            (f"kernel's {name}", "kernel", f"tcp://{keys['ip']}:{keys[name]}")
            for name in ("shell_port", "control_port", "stdin_port", "iopub_port")
        ),
        ("server's variables", "read", f"/proc/{circle.pid}/environ"),
        ("server's memory", "read", f"/proc/{circle.pid}/mem"),
        ("server ended", "signal", circle.pid),
    ]
    return [(name, way, str(target)) for name, way, target in rows]


def closed_to_all_students(server: Server) -> list[tuple[str, str, str]]:
    """(name, way, target): what is the teachers' or root's."""
    book = server.root / "class"
    name = server.names[ADA]
    rows = [
        ("all hand-ins", "list", server.root / "exchange" / "rlcourse" / "inbound"),
        ("all feedback", "list", server.root / "exchange" / "rlcourse" / "feedback"),
        ("gradebook", "read", book / "gradebook.db"),
        ("class list", "read", book / "roster.csv"),
        ("collected", "read", book / "submitted" / name / SHEET / f"{NOTEBOOK}.ipynb"),
        ("hidden cases", "read", server.root / "teacher" / "solutions" / SHEET / "hidden.py"),
        ("course written", "write", server.root / "course"),
        ("settings written", "write", server.root / "etc" / "all"),
        ("sheet swapped", "write", server.root / "exchange" / "rlcourse" / "outbound" / SHEET),
        ("passwords", "read", server.root / "private" / "passwords.csv"),
        ("cookie secret", "read", server.root / "private" / "cookie_secret"),
        ("key of https", "read", server.root / "private" / "certificates" / "hub" / "hub.key"),
    ]
    return [(name, way, str(target)) for name, way, target in rows]


def tried(server: Server, letter: str, rows: list[tuple[str, str, str]]) -> dict[str, str]:
    """name -> outcome of that person's tries."""
    done = server.run(letter, "-c", Path(intruder.__file__).read_text(), text=json.dumps(rows))
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_another_student_reaches_no_file_kernel_or_process(server: Server, circle: Circle) -> None:
    rows = doors(server, circle)
    outcomes = tried(server, BOB, rows)
    assert len(outcomes) >= 20 and set(outcomes.values()) == {intruder.REFUSED}, outcomes


def test_the_owner_opens_the_same_doors(server: Server, circle: Circle) -> None:
    """The control: what is refused to Bob lies there, and the tries are able to reach it."""
    not_hers = {"server's memory", "hand-in taken away", "home written", "hand-in written"}
    rows = [row for row in doors(server, circle) if row[0] not in not_hers and row[1] != "kernel"]
    outcomes = tried(server, ADA, rows)
    assert not [name for name, outcome in outcomes.items() if outcome == intruder.REFUSED]
    assert "Error" not in " ".join(outcomes.values())


def test_what_belongs_to_teachers_is_closed_to_students(server: Server, circle: Circle) -> None:
    rows = closed_to_all_students(server)
    assert set(tried(server, BOB, rows).values()) == {intruder.REFUSED}
    theirs = [row for row in rows if row[1] == "read" and "private" not in row[2]]
    outcomes = tried(server, TEACHER, theirs)
    assert all(outcome.startswith("read ") for outcome in outcomes.values()), outcomes


def test_another_students_routes_are_refused(server: Server, circle: Circle) -> None:
    ada, bob = Visitor(server, ADA), Visitor(server, BOB)
    own, name = f"/user/{ada.name}", ada.name
    private, direct = f"http://127.0.0.1:{circle.port}{own}", f"http://127.0.0.1:{server.port + 1}"
    tries = [
        ("GET", f"{own}/api/contents"),
        ("GET", f"{own}/api/contents/exercises/{SHEET}/{NOTEBOOK}.ipynb"),
        ("GET", f"{own}/files/exercises/{SHEET}/{NOTEBOOK}.ipynb"),
        ("GET", f"{own}/api/kernels"),
        ("GET", f"{own}/api/terminals"),
        ("POST", f"{own}/api/kernels"),
        ("GET", f"{private}/api/contents"),
        ("POST", f"{private}/api/kernels"),
        ("GET", f"/hub/api/users/{name}"),
        ("POST", f"/hub/api/users/{name}/tokens"),
        ("DELETE", f"/hub/api/users/{name}/server"),
        ("GET", f"{direct}/hub/api/users/{name}"),
    ]
    shut = [
        ("GET", "/hub/api/users"),
        ("GET", "/hub/api/proxy"),
        ("POST", "/hub/api/shutdown"),
        ("GET", f"/hub/api/users/{server.names[TEACHER]}"),
        ("GET", f"http://127.0.0.1:{server.port + 2}/api/routes"),
    ]
    for method, address in tries + shut:
        code = bob.get(address, method).status_code
        assert code in (403, 404), f"{method} {address}: {code}"
    for method, address in tries:
        if method == "GET":
            assert ada.get(address).status_code == 200, address
