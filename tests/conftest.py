"""What every test shares: quiet surroundings, the outside programs, and
seconds per part in the summary.
"""

import os
import signal
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING, Any, NoReturn

import pytest
from hypothesis import HealthCheck, settings

from launcher.check import PROGRAMS, find_program
from rlcourse.busy import Deadline
from rlcourse.notebook import skip_address_check
from tests.run import SURROUNDINGS

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytest_plugins = [
    "tests.notebooks.summary"
]  # its lines stand in every summary, whichever worker ran the notebooks

SCREENSHOTS = Path(__file__).parent / "browser" / "screenshots"

# Before any test module imports NumPy or TensorFlow; what is set outside wins.
for name, value in SURROUNDINGS.items():
    os.environ.setdefault(name, value)
skip_address_check()

# No time limit decides about a law: a busy machine may take its time for an example.
settings.register_profile("patient", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("patient")


def pytest_addoption(parser: pytest.Parser) -> None:
    """--network runs the tests that ask the package index; --seeds N more seeds of each sheet;
    --positions N more positions in which the bots of a page decide; --games N more games whose
    costs of moves, or views, are compared."""
    parser.addoption(
        "--network", action="store_true", help="also run the tests that ask the package index"
    )
    parser.addoption(
        "--seeds", type=int, default=3, help="how many seeds the hidden cases are drawn with"
    )
    parser.addoption(
        "--positions",
        type=int,
        default=300,
        help="in how many positions each bot of a page decides",
    )
    parser.addoption(
        "--games",
        type=int,
        default=0,
        help="in how many games the costs of moves and the views of games are compared, at least",
    )


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """A test with an argument `grading_seed` is run with as many seeds as --seeds says."""
    if "grading_seed" in metafunc.fixturenames:
        metafunc.parametrize("grading_seed", range(metafunc.config.getoption("--seeds")))


@pytest.fixture(autouse=True)
def no_figure_left_open() -> Iterator[None]:
    """No test draws into a figure that another one left open."""
    yield
    if pyplot := sys.modules.get("matplotlib.pyplot"):
        pyplot.close("all")


# About how long a test with this mark takes on a slow machine; any other takes half a second.
MARKED_SECONDS = {"long": 30.0, "slow": 5.0}


def group_of(item: pytest.Item) -> str | None:
    """The tests of a group run in one worker: those of a file, unless xdist_group says otherwise.

    What they compute for each other is computed once. A test marked long is no file's: None.
    """
    mark = item.get_closest_marker("xdist_group")
    if mark is not None:
        return mark.args[0]
    return None if item.get_closest_marker("long") else item.path.stem


def in_groups(items: list[pytest.Item]) -> None:
    """Name the group in each test's name, as xdist wants it, and put the longest groups first.

    Whatever begins last should be short: the other workers wait for it.
    """
    seconds: Counter[str] = Counter()
    for item in items:
        group = group_of(item)
        if group is not None:
            # xdist 3.8 puts it where pytest 9.2 no longer looks
            item._id = f"{item.nodeid}@{group}"
        marked = (time for mark, time in MARKED_SECONDS.items() if item.get_closest_marker(mark))
        seconds[group or item.nodeid] += next(marked, 0.5)
    items.sort(key=lambda item: -seconds[group_of(item) or item.nodeid])


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out the tests marked network unless --network is given, and prepare the others for
    xdist's workers.
    """
    if config.getoption("loadgroup", None):
        in_groups(items)
    if config.getoption("--network"):
        return
    left_out = [item for item in items if item.get_closest_marker("network")]
    if left_out:
        config.hook.pytest_deselected(items=left_out)
        items[:] = [item for item in items if not item.get_closest_marker("network")]


@pytest.hookimpl(wrapper=True)
def pytest_timeout_set_timer(item: pytest.Item, settings: Any) -> Iterator[None]:
    """A test's limit is in seconds of an idle machine: where this one is busy when they
    are over, the test gets more.
    """
    answer = yield
    if settings.method == "signal":
        deadline, end_test = Deadline(settings.timeout), signal.getsignal(signal.SIGALRM)

        def look(number: int, frame: FrameType | None) -> None:
            if deadline.over():
                end_test(number, frame)
            signal.setitimer(signal.ITIMER_REAL, settings.timeout / 10)

        signal.signal(signal.SIGALRM, look)
    return answer


def program_or_reason(name: str) -> str:
    """Path of an outside program.

    Where it is missing the test ends as `end_without` says, with the program's name.
    """
    path = find_program(name)
    if path is None:
        end_without(
            f"{name} is not installed (Debian package {PROGRAMS.get(name, name)}; start.py test "
            "--system installs it)"
        )
    return path


def end_without(text: str) -> NoReturn:
    """Skip the test, because something is not installed here. On Linux with CI=true it fails
    instead: a continuous-integration machine must not go green by skipping. (Elsewhere the
    Debian packages do not exist.)
    """
    if os.environ.get("CI", "").lower() in ("true", "1") and sys.platform == "linux":
        pytest.fail(text, pytrace=False)
    pytest.skip(text)


@pytest.fixture(scope="session")
def require_program() -> Callable[[str], str]:
    """`require_program("chromium")` gives its path, or ends the test
    as `program_or_reason` says.
    """
    return program_or_reason


Launch = Callable[..., "Browser"]


@pytest.fixture(scope="session")
def launch(require_program: Callable[[str], str]) -> Iterator[Launch]:
    """`launch()` starts a chromium of the system, with arguments; all of them end with the tests."""
    from playwright.sync_api import sync_playwright

    program = require_program("chromium")
    arguments = ["--no-sandbox", "--disable-background-networking"]
    with sync_playwright() as playwright:

        def launch(*more: str) -> "Browser":
            return playwright.chromium.launch(executable_path=program, args=[*arguments, *more])

        yield launch


@pytest.fixture(scope="session")
def screenshot() -> Callable[["Page", str], None]:
    """`screenshot(page or locator, "name")` keeps a picture under tests/browser/screenshots/."""
    SCREENSHOTS.mkdir(exist_ok=True)

    def take(what: "Page", name: str) -> None:
        what.screenshot(path=SCREENSHOTS / f"{name}.png")

    return take


class Seconds:
    """Adds up what the tests of each folder in tests/ took; under xdist the
    controller gets all reports.
    """

    def __init__(self) -> None:
        self.seconds: Counter[str] = Counter()
        self.tests: Counter[str] = Counter()

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Called for set-up, call and tear-down of every test."""
        parts = report.nodeid.split("::")[0].split("/")
        part = "/".join(parts[:2]) if len(parts) > 2 else parts[0]
        self.seconds[part] += report.duration
        self.tests[part] += report.when == "call"

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        """One line a part, the slowest first."""
        if not self.seconds:
            return
        terminalreporter.section("seconds per part (of all workers together)")
        for part, seconds in self.seconds.most_common():
            terminalreporter.line(f"{seconds:8.1f} s   {self.tests[part]:5d} tests   {part}")


class FailuresAtOnce:
    """Names a failure when it happens: pytest itself names it at the end, which a run
    that is stopped never reaches.
    """

    def __init__(self, config: pytest.Config) -> None:
        self.config = config

    @pytest.hookimpl(trylast=True)
    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Called for set-up, call and tear-down of every test, and for a worker that died."""
        terminal = self.config.pluginmanager.get_plugin("terminalreporter")
        if report.failed and terminal is not None and self.config.get_verbosity() <= 0:
            crash = getattr(report.longrepr, "reprcrash", None)
            words = (crash.message if crash else report.longreprtext).strip().splitlines()[:1] or [
                ""
            ]
            place = {"???": "a worker that died"}.get(report.when, report.when)
            terminal.line("")
            terminal.line(f"FAILED in {place}: {report.nodeid} - {words[0]}", red=True)


def pytest_configure(config: pytest.Config) -> None:
    """Count seconds and name failures in the process that prints the
    summary, not in xdist's workers.
    """
    if not hasattr(config, "workerinput"):
        config.pluginmanager.register(Seconds(), "rlcourse-seconds")
        config.pluginmanager.register(FailuresAtOnce(config), "rlcourse-failures-at-once")


def pytest_unconfigure() -> None:
    """Remove the files of traced functions, which TensorFlow leaves to the end of Python: xdist's
    workers are ended before.
    """
    for name, module in list(sys.modules.items()):
        if name.startswith("__autograph_generated_file") and module.__file__:
            Path(module.__file__).unlink(missing_ok=True)


@pytest.fixture
def interruptible():
    """Ctrl-C raises KeyboardInterrupt here, also where the tests run as a job in the background,
    which inherits that it does not.
    """
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)
