"""Continuous integration: the workflow, .ci/run, the call of pytest, missing
programs, seconds per part.
"""

import os
import subprocess
import sys
import textwrap
import types
from pathlib import Path

import pytest
import yaml

from launcher import environment, main, uv
from launcher.console import Stop
from tests import run as testing
from tests.conftest import in_groups
from tests.notebooks.changes import REPORTS

ROOT = Path(__file__).resolve().parents[2]
WORKFLOW = ROOT / ".github" / "workflows" / "course.yml"


def lint(path: Path) -> subprocess.CompletedProcess:
    """GitHub's own schema of workflows, as carried by check-jsonschema: no network."""
    words = "-m check_jsonschema --builtin-schema vendor.github-workflows".split()
    return subprocess.run([sys.executable, *words, str(path)], capture_output=True, text=True)


@pytest.mark.slow
def test_the_workflow_passes_the_linter_and_a_broken_one_does_not(tmp_path: Path) -> None:
    result = lint(WORKFLOW)
    assert result.returncode == 0, result.stdout
    broken = tmp_path / "broken.yml"
    broken.write_text(
        WORKFLOW.read_text(encoding="utf-8").replace("runs-on:", "runs-at:"), encoding="utf-8"
    )
    assert lint(broken).returncode == 1


def test_the_workflow_covers_the_promised_systems() -> None:
    jobs = yaml.safe_load(WORKFLOW.read_text(encoding="utf-8"))["jobs"]
    full, quick = jobs["linux"], jobs["quick"]
    assert (
        full["strategy"]["matrix"]["python"]
        == quick["strategy"]["matrix"]["python"]
        == ["3.11", "3.13"]
    )
    assert full["env"]["CI"] == "true" and ".ci/run" in [step.get("run") for step in full["steps"]]
    assert {name.split("-")[0] for name in quick["strategy"]["matrix"]["os"]} == {
        "windows",
        "macos",
    }
    steps = [step["run"] for step in quick["steps"] if "run" in step]
    assert steps[0] == "python start.py test --quick"
    assert "python start.py update" in steps and any(
        step.startswith("python start.py rlcourse hand-in 1") for step in steps
    )
    [day] = [
        step.rpartition(" ")[2] for step in steps if step.startswith("python start.py test tests/")
    ]
    text = (ROOT / day).read_text(encoding="utf-8")
    assert all(f'["{word}"' in text for word in ("play", "update", "rlcourse"))


def test_the_workflow_caches_the_environment_by_its_locks_and_keeps_what_failed() -> None:
    jobs = yaml.safe_load(WORKFLOW.read_text(encoding="utf-8"))["jobs"]
    for name in ("linux", "quick"):
        caches = [
            step["with"]
            for step in jobs[name]["steps"]
            if step.get("uses", "").startswith("actions/cache@")
        ]
        [key] = [cache["key"] for cache in caches if cache["path"] == ".venv"]
        assert "matrix.python" in key and "requirements.lock" in key
    [kept] = [
        step
        for step in jobs["linux"]["steps"]
        if step.get("uses", "").startswith("actions/upload-artifact@")
    ]
    assert kept["if"] == "failure()"
    assert REPORTS.relative_to(ROOT).as_posix() in kept["with"]["path"].split()


def test_each_week_everything_runs_with_the_newest_versions() -> None:
    workflow = yaml.safe_load(WORKFLOW.read_text(encoding="utf-8"))
    assert len(workflow[True]["schedule"]) == 1, "YAML reads the word on as True"
    runs = [step["run"] for step in workflow["jobs"]["newest"]["steps"] if "run" in step]
    assert runs == ["python -m tests.packaging.refresh --upgrade", ".ci/run"]
    assert (
        "'schedule'" in workflow["jobs"]["linux"]["if"]
        and "'schedule'" in workflow["jobs"]["quick"]["if"]
    )


def test_the_site_is_published_from_the_main_branch_once_everything_passed() -> None:
    job = yaml.safe_load(WORKFLOW.read_text(encoding="utf-8"))["jobs"]["pages"]
    assert job["needs"] == "linux" and job["permissions"]["pages"] == "write"
    assert "default_branch" in job["if"] and "vars.PAGES" in job["if"]
    [build] = [step["run"] for step in job["steps"] if "run" in step]
    *command, folder = build.split()
    assert command == ["python", "start.py", "rlcourse", "site"]
    [upload] = [step["with"]["path"] for step in job["steps"] if "artifact" in step.get("uses", "")]
    assert upload == folder


@pytest.mark.skipif(os.name != "posix", reason=".ci/run is a bash script")
def test_ci_run_takes_a_python_that_fits(tmp_path: Path) -> None:
    """Two stubs: python3 is too old, python3.12 fits; the fitting one is
    started with the one command.
    """
    for name, code in {
        "python3": 1,
        "python3.11": 1,
        "python3.12": 0,
        "python3.13": 0,
        "python": 1,
    }.items():
        stub = tmp_path / name
        stub.write_text(f'#!/bin/sh\n[ "$1" = -c ] && exit {code}\necho {name} "$@"\n')
        stub.chmod(0o755)
    run = subprocess.run(
        [ROOT / ".ci" / "run"],
        env={**os.environ, "PATH": f"{tmp_path}{os.pathsep}{os.environ['PATH']}"},
        capture_output=True,
        text=True,
    )
    assert run.stdout == "python3.12 start.py test --system\n", run.stderr


def test_the_call_of_pytest() -> None:
    shared = ["-n", "3", "--dist", "loadgroup", "--no-loadscope-reorder"]
    base = ["py", "-m", "pytest", *shared]
    assert testing.pytest_command(Path("py"), quick=False, extra=[]) == base
    assert testing.pytest_command(Path("py"), quick=True, extra=["-k", "x"]) == [
        *base,
        "-m",
        "not slow",
        "-k",
        "x",
    ]


class Item(types.SimpleNamespace):
    """What `in_groups` asks of a test: its name, its file and its marks."""

    def get_closest_marker(self, name: str) -> pytest.Mark | None:
        return self.marks.get(name)


def test_a_file_is_one_workers_and_the_longest_groups_come_first() -> None:
    """Seconds by the marks: b.py 2 / 2, a.py 5.5, the group 2 * 5, the long test of a.py 30."""
    marks = {"slow": pytest.mark.slow.mark, "long": pytest.mark.long.mark}
    grouped = {"slow": marks["slow"], "xdist_group": pytest.mark.xdist_group("g").mark}
    tests = {
        "b.py::one": {},
        "a.py::short": {},
        "a.py::long": marks,
        "b.py::two": {},
        "a.py::slow": {"slow": marks["slow"]},
        "b.py::in": grouped,
        "c.py::in": grouped,
    }
    items = [
        Item(nodeid=name, _id=name, path=Path(name.split("::")[0]), marks=of_it)
        for name, of_it in tests.items()
    ]
    in_groups(items)
    expected = ["a.py::long", "b.py::in@g", "c.py::in@g", "a.py::short@a", "a.py::slow@a"]
    assert [item._id for item in items] == [*expected, "b.py::one@b", "b.py::two@b"]


def test_the_launcher_hands_on_what_is_for_the_tests(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = []
    monkeypatch.setattr(environment, "prepare", lambda wheels, anyway: asked.append(anyway) or "py")
    monkeypatch.setattr(main, "handed_on", lambda *call: asked.append(call) or 3)
    words = ["--quick", "--wheels", "w", "tests/unit", "-k", "x", "--anyway", "--help"]
    assert main.run(["test", *words]) == 3
    wheels = str(Path("w").resolve())
    passed = ["--wheels", wheels, "--quick", "tests/unit", "-k", "x", "--help"]
    assert asked == [True, ("py", ["-m", "tests.run", *passed], main.ROOT)]
    options, extra = testing.parsed(passed[:-1])
    assert (options.quick, options.system, str(options.wheels)) == (True, False, wheels)
    assert extra == ["tests/unit", "-k", "x"]


@pytest.mark.parametrize("both", [False, True])
def test_tests_run_in_their_surroundings(both: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    seen = []

    class Process:
        def __init__(self, words: list[str], **rest: object) -> None:
            seen.append(rest["env"])

        def wait(self) -> int:
            return 5

    monkeypatch.delenv("RLCOURSE_BOTH", raising=False)
    monkeypatch.setattr(testing.subprocess, "Popen", Process)
    assert testing.main(["--quick", *["--both"] * both]) == 5
    assert seen[0]["MPLBACKEND"] == "Agg" and seen[0]["OMP_NUM_THREADS"] == "1"
    assert ("RLCOURSE_BOTH" in seen[0]) == both


class Apt:
    """Stands for subprocess.run: update and install each fail `failures`
    times before they succeed.
    """

    def __init__(self, failures: int) -> None:
        self.failures, self.calls = failures, []
        self.environment: dict[str, str] = {}

    def __call__(self, command: list[str], **rest: object) -> subprocess.CompletedProcess:
        self.calls.append(command)
        self.environment = rest["env"]
        code = 1 if self.calls.count(command) <= self.failures else 0
        return subprocess.CompletedProcess(command, code, stdout="E: Unable to fetch some archives")


@pytest.fixture
def debian(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        testing.shutil,
        "which",
        lambda name, path=None: "/usr/bin/apt-get" if name == "apt-get" else None,
    )
    monkeypatch.setattr(testing.os, "geteuid", lambda: 0, raising=False)
    monkeypatch.setattr(testing.time, "sleep", lambda seconds: None)


@pytest.mark.parametrize(("failures", "calls"), [(0, 2), (2, 6), (3, 6)])
def test_system_packages_are_installed_with_retries(
    debian: None, monkeypatch: pytest.MonkeyPatch, failures: int, calls: int
) -> None:
    apt = Apt(failures)
    monkeypatch.setattr(testing.subprocess, "run", apt)
    assert testing.install_system_packages() is False, "the stubs install nothing"
    assert len(apt.calls) == calls and apt.environment["DEBIAN_FRONTEND"] == "noninteractive"
    programs = ["bubblewrap", "chromium", "gnubg", "gnugo", "lld", "nodejs"]
    assert sorted(apt.calls[-1][-8:]) == [
        "acl",
        *programs[:5],
        "node-configurable-http-proxy",
        "nodejs",
    ]
    assert "-y" in apt.calls[-1]


def test_nothing_is_installed_when_all_are_there_or_without_root(
    debian: None, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture
) -> None:
    apt = Apt(0)
    monkeypatch.setattr(testing.subprocess, "run", apt)
    monkeypatch.setattr(testing.os, "geteuid", lambda: 1000, raising=False)
    assert testing.install_system_packages() is False
    assert "sudo apt-get install" in capsys.readouterr().out
    monkeypatch.setattr(testing, "find_program", lambda name: "/there")
    assert testing.install_system_packages() is True
    assert apt.calls == []


@pytest.mark.parametrize("quick", [False, True])
@pytest.mark.parametrize("fails", [False, True])
def test_system_installs_extras_where_their_tests_run_and_goes_on_without_them(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture, quick: bool, fails: bool
) -> None:
    asked = []

    def install(python: Path, wheels: Path | None, lock: Path) -> None:
        asked.append((wheels, lock))
        if fails:
            raise Stop("no network")

    monkeypatch.setattr(testing.uv, "install", install)
    monkeypatch.setattr(
        testing.subprocess, "Popen", lambda words, **rest: types.SimpleNamespace(wait=lambda: 0)
    )
    monkeypatch.setattr(testing, "install_system_packages", lambda: True)
    code = testing.main(["--system", "--wheels", "folder", *["--quick"] * quick])
    locks = [] if quick else [uv.RAY_LOCK, uv.HUB_LOCK]
    assert code == 0 and asked == [(Path("folder"), lock) for lock in locks]
    printed = capsys.readouterr().out
    for name in ("ray", "jupyterhub"):
        assert (f"{name} is not installed" in printed) == (fails and not quick)


INNER = """
    import time
    import pytest

    def test_needs(require_program):
        require_program("no-such-program")

    @pytest.mark.network
    def test_asks_the_index():
        raise AssertionError("must not run")

    def test_sleeps():
        time.sleep(0.3)
"""


@pytest.mark.slow
@pytest.mark.parametrize(("workers", "ci"), [("2", "true"), ("0", "")])
def test_missing_programs_seconds_and_the_closing_line(
    tmp_path: Path, workers: str, ci: str
) -> None:
    """A run of its own: a missing program is a named skip, under CI=true (on Linux) a
    failure; pytest ends the output.
    """
    (tmp_path / "tests" / "some_part").mkdir(parents=True)
    (tmp_path / "tests" / "notebooks").mkdir()
    for shared in (
        "conftest.py",
        "run.py",
        *(f"notebooks/{name}.py" for name in ("summary", "reading", "measure", "sheet_minutes")),
    ):
        (tmp_path / "tests" / shared).write_text(
            (ROOT / "tests" / shared).read_text(encoding="utf-8"), encoding="utf-8"
        )
    (tmp_path / "tests" / "some_part" / "test_inner.py").write_text(textwrap.dedent(INNER))
    (tmp_path / "pyproject.toml").write_text(
        (ROOT / "pyproject.toml").read_text(encoding="utf-8"), encoding="utf-8"
    )
    run = subprocess.run(
        [sys.executable, "-m", "pytest", "-n", workers, "-p", "no:cacheprovider"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        env={**os.environ, "CI": ci, "PYTHONPATH": str(ROOT)},
    )
    lines = run.stdout.splitlines()
    failing = ci == "true" and sys.platform == "linux"
    assert ("1 failed" if failing else "1 skipped") in lines[-1] and "1 passed" in lines[-1], (
        run.stdout + run.stderr
    )
    assert any("no-such-program is not installed" in line for line in lines)
    [part] = [line for line in lines if line.endswith("tests/some_part")]
    assert 0.3 <= float(part.split()[0]) and part.split()[2] == "2"
