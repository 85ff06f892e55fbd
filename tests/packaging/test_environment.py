"""When the environment is built, repaired, updated or left alone. pip and uv are replaced by a list
of what was asked of them.
"""

import errno
import json
import os
import signal
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

from launcher import check, environment, jupyter, programs
from launcher.console import Stop

BUILT = ["venv", "uv", "lock", "course", "warm"]
UPDATED = ["uv", "lock", "course", "warm"]


class Machine:
    """A course in a folder of its own, with a fake venv and uv.

    calls: what was asked, in order. fail: name of the call that fails. changed_before_failing:
    whether a package was replaced by then.
    """

    def __init__(self, root: Path) -> None:
        self.root, self.venv = root, root / ".venv"
        self.calls: list[str] = []
        self.fail = ""
        self.changed_before_failing = False
        for name, text in {
            "requirements.lock": "a==1",
            "pyproject.toml": "x = 1",
            "rlcourse/a.py": "1",
        }.items():
            (root / name).parent.mkdir(exist_ok=True)
            (root / name).write_text(text)

    def make_venv(self) -> None:
        self.calls.append("venv")
        python = environment.python_of(self.venv)
        python.parent.mkdir(parents=True, exist_ok=True)
        python.touch()
        (self.venv / "pyvenv.cfg").write_text(f"home = {self.root}\nversion = 3.12.1\n")
        self._maybe_fail("venv")

    def fetch(self, python: Path, wheels: Path | None) -> None:
        self.calls.append("uv")
        self._maybe_fail("uv")

    def install(self, python: Path, wheels: Path | None) -> None:
        self.calls.append("lock")
        if self.fail != "lock" or self.changed_before_failing:
            inside = (
                "Lib/site-packages" if sys.platform == "win32" else "lib/python3.12/site-packages"
            )
            (self.venv / inside / f"a-{len(self.calls)}.dist-info").mkdir(
                parents=True, exist_ok=True
            )
        self._maybe_fail("lock")

    def install_course(self, python: Path) -> None:
        self.calls.append("course")
        self._maybe_fail("course")

    def warm(self, python: Path, prefix: Path) -> None:
        self.calls.append("warm")

    def _maybe_fail(self, name: str) -> None:
        if self.fail == name:
            raise Stop(f"{name} failed")

    def start(self) -> list[str]:
        """What one start asks for."""
        self.calls.clear()
        environment.prepare()
        return list(self.calls)


@pytest.fixture
def machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Machine:
    fake = Machine(tmp_path)
    monkeypatch.setattr(environment, "ROOT", fake.root)
    monkeypatch.setattr(environment, "VENV", fake.venv)
    monkeypatch.setattr(environment, "active_environment", lambda: None)
    monkeypatch.setattr(environment.machine, "require_room", lambda folder, anyway: None)
    for name in ("make_venv", "warm"):
        monkeypatch.setattr(environment, name, getattr(fake, name))
    for name in ("fetch", "install", "install_course"):
        monkeypatch.setattr(environment.uv, name, getattr(fake, name))
    return fake


def test_first_start_builds_and_the_second_asks_for_nothing(machine: Machine) -> None:
    assert machine.start() == BUILT
    assert machine.start() == ["warm"]


@pytest.mark.parametrize("step", ["venv", "uv", "lock", "course"])
def test_an_installation_that_breaks_off_is_built_anew(machine: Machine, step: str) -> None:
    machine.fail = step
    with pytest.raises(Stop, match=f"{step} failed"):
        machine.start()
    assert not (machine.venv / environment.STAMP).exists()
    (machine.venv / "half-installed").touch()
    machine.fail = ""
    assert machine.start() == BUILT
    assert not (machine.venv / "half-installed").exists(), "nothing of the broken one is left"
    assert machine.start() == ["warm"]


def test_a_new_lock_updates_packages_in_place(machine: Machine) -> None:
    machine.start()
    (machine.venv / "kept").touch()
    (machine.root / "requirements.lock").write_text("a==2")
    assert machine.start() == UPDATED
    assert (machine.venv / "kept").exists()
    assert machine.start() == ["warm"]


@pytest.mark.parametrize("step", ["uv", "lock"])
def test_a_new_lock_without_network_starts_with_the_old_packages_and_tries_again(
    machine: Machine, capsys: pytest.CaptureFixture, step: str
) -> None:
    machine.start()
    (machine.root / "requirements.lock").write_text("a==2")
    machine.fail = step
    assert machine.start() == [*UPDATED[: UPDATED.index(step) + 1], "warm"]
    assert "untouched" in capsys.readouterr().out
    machine.fail = ""
    assert machine.start() == UPDATED


def test_an_update_that_breaks_off_midway_is_built_anew(machine: Machine) -> None:
    machine.start()
    (machine.root / "requirements.lock").write_text("a==2")
    machine.fail, machine.changed_before_failing = "lock", True
    with pytest.raises(Stop):
        machine.start()
    machine.fail = ""
    assert machine.start() == BUILT


@pytest.mark.parametrize(("changed", "asked"), [(False, UPDATED), (True, BUILT)])
def test_an_update_that_was_killed_goes_on_where_nothing_had_changed(
    machine: Machine, monkeypatch: pytest.MonkeyPatch, changed: bool, asked: list[str]
) -> None:
    machine.start()
    (machine.root / "requirements.lock").write_text("a==2")

    def killed(*_: object) -> None:
        if changed:
            machine.install(*_)
        raise SystemExit

    monkeypatch.setattr(environment.uv, "install", killed)
    with pytest.raises(SystemExit):
        machine.start()
    monkeypatch.setattr(environment.uv, "install", machine.install)
    assert machine.start() == asked


def test_the_environment_of_an_older_launcher_only_gets_what_it_lacks(machine: Machine) -> None:
    """Its stamp names another lock, and uv is not there yet."""
    machine.start()
    stamp = environment.read_stamp(machine.venv)
    environment.write_stamp(machine.venv, {**stamp, "lock": "of the old launcher"})
    assert machine.start() == UPDATED
    (machine.venv / environment.INSTALLING).touch()  # the old launcher's mark was empty
    assert machine.start() == BUILT


def test_an_environment_made_by_hand_is_adopted_not_deleted(machine: Machine) -> None:
    machine.make_venv()
    (machine.venv / "mine").touch()
    assert machine.start() == UPDATED
    assert (machine.venv / "mine").exists()


def test_pyproject_changes_only_reconnect_the_course(machine: Machine) -> None:
    machine.start()
    (machine.root / "pyproject.toml").write_text("x = 2")
    assert machine.start() == ["course", "warm"]


def test_a_moved_folder_is_put_right_without_downloads(machine: Machine) -> None:
    machine.start()
    stamp = json.loads((machine.venv / environment.STAMP).read_text())
    environment.write_stamp(machine.venv, {**stamp, "root": "/elsewhere"})
    assert machine.start() == ["venv", "course", "warm"]
    assert machine.start() == ["warm"]


@pytest.mark.parametrize("damage", ["no python", "python removed from the system"])
def test_a_damaged_environment_is_built_anew(machine: Machine, damage: str) -> None:
    machine.start()
    if damage == "no python":
        environment.python_of(machine.venv).unlink()
    else:
        (machine.venv / "pyvenv.cfg").write_text("home = /no/such/folder\n")
    assert machine.start() == BUILT


def test_an_empty_folder_of_wheels_is_refused_before_anything_else(
    machine: Machine, tmp_path: Path
) -> None:
    with pytest.raises(Stop, match="has no wheels"):
        environment.prepare(wheels=tmp_path)
    assert machine.calls == []


def test_a_ready_course_starts_in_a_folder_one_may_not_write_to(
    machine: Machine, monkeypatch: pytest.MonkeyPatch
) -> None:
    machine.start()
    monkeypatch.setattr(environment.machine.os, "access", lambda path, mode: False)
    monkeypatch.setattr(environment, "alone", None)
    assert machine.start() == ["warm"]
    (machine.venv / environment.STAMP).unlink()
    with pytest.raises(Stop, match="cannot be written to"):
        machine.start()


def test_an_active_environment_with_the_lock_is_used_and_another_is_left_alone(
    machine: Machine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture
) -> None:
    active = tmp_path / "conda"
    active.mkdir()
    monkeypatch.setattr(environment, "active_environment", lambda: active)
    monkeypatch.setattr(environment.uv, "is_exact", lambda *_: True)
    assert machine.start() == ["course", "warm"]
    assert machine.start() == ["warm"]
    assert (active / environment.STAMP).exists() and not machine.venv.exists()
    monkeypatch.setattr(environment.uv, "is_exact", lambda *_: False)
    assert machine.start() == BUILT
    assert "differs from the lock" in capsys.readouterr().out


def test_check_says_in_one_line_what_is_missing(
    machine: Machine, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture
) -> None:
    exact = [True]
    monkeypatch.setattr(environment.uv, "is_exact", lambda *_: exact[0])

    def missing() -> str:
        code = check.report(machine.root)
        lines = [line for line in capsys.readouterr().out.splitlines() if "MISSING" in line]
        assert len(lines) == code and all("start.py lab" in line for line in lines)
        return "".join(lines)

    machine.start()
    assert "not compiled yet" in missing()
    warmed = {"warmed": environment.sources()}
    environment.write_stamp(machine.venv, {**environment.read_stamp(machine.venv), **warmed})
    assert missing() == ""
    exact[0] = False
    assert "not those of the lock" in missing()
    exact[0] = True
    (machine.root / "pyproject.toml").write_text("x = 2")
    assert "not connected to this folder" in missing()
    (machine.venv / environment.INSTALLING).write_text("of before")
    assert "half made" in missing()


HOLDS = """
    import subprocess, sys
    from pathlib import Path
    from launcher import environment
    environment.VENV = Path(sys.argv[1])
    with environment.alone():
        child = subprocess.Popen([sys.executable, "-c", "input()"], stdin=0, close_fds=False)
        print("held", flush=True)
        child.wait()
"""


@pytest.mark.skipif(os.name != "posix", reason="a killed process, with a child that lives on")
def test_a_second_start_waits_for_the_first_and_for_what_it_left_running(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture
) -> None:
    first = subprocess.Popen(
        [sys.executable, "-c", textwrap.dedent(HOLDS), str(tmp_path / ".venv")],
        cwd=Path(environment.__file__).parents[1],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    )
    assert first.stdout.readline() == b"held\n"
    first.send_signal(signal.SIGKILL)
    first.wait()
    waited = []

    def sleep(seconds: float) -> None:
        waited.append(seconds)
        if len(waited) == 2:
            first.stdin.close()  # its child ends

    monkeypatch.setattr(environment, "VENV", tmp_path / ".venv")
    monkeypatch.setattr(environment.time, "sleep", sleep)
    with environment.alone():
        assert len(waited) >= 2, "the child of the killed start held it"
    assert capsys.readouterr().out.count("waiting for its end") == 1


@pytest.mark.skipif(os.name != "posix", reason="fcntl")
def test_a_disk_without_locks_does_not_keep_one_waiting(
    machine: Machine, monkeypatch: pytest.MonkeyPatch
) -> None:
    import fcntl

    def flock(number: int, wish: int) -> None:
        raise OSError(errno.ENOLCK, "No locks available")

    monkeypatch.setattr(fcntl, "flock", flock)
    monkeypatch.setattr(environment.time, "sleep", None)
    assert machine.start() == BUILT


def test_kernels_are_compiled_again_only_when_sources_change(
    machine: Machine, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture
) -> None:
    monkeypatch.undo()
    monkeypatch.setattr(environment, "ROOT", machine.root)
    ran = []

    def call(command: list[str], what_to_say: str) -> None:
        ran.append(command[2:])
        if fails:
            raise Stop(what_to_say)

    fails = False
    monkeypatch.setattr(environment, "call", call)
    machine.venv.mkdir()
    environment.write_stamp(machine.venv, {"lock": "x"})
    for _ in range(2):
        environment.warm(Path("python"), machine.venv)
    assert ran == [["-m", "rlcourse.warm"]]
    (machine.root / "rlcourse/a.py").write_text("2")
    fails = True
    for _ in range(2):
        environment.warm(Path("python"), machine.venv)
    assert len(ran) == 3, "a failure is tried again at the next start"
    assert "starts all the same" in capsys.readouterr().out


def test_children_do_not_inherit_foreign_python_settings(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    for name in ("PYTHONPATH", "PYTHONHOME", "VIRTUAL_ENV", "PIP_TARGET", "PIP_USER"):
        monkeypatch.setenv(name, "foreign")
    variables = programs.child_environment(tmp_path / "bin" / "python")
    assert "foreign" not in variables.values()
    assert variables["PATH"].startswith(str(tmp_path / "bin"))


def test_the_call_of_jupyterlab_opens_the_page_that_says_where_one_is(tmp_path: Path) -> None:
    words = jupyter.command(Path("py"), tmp_path, 9000, "0.0.0.0", browser=False)
    assert (
        "--ServerApp.port=9000" in words
        and "--ServerApp.ip=0.0.0.0" in words
        and "--no-browser" in words
    )
    assert f"--ServerApp.root_dir={tmp_path}" in words and "--LabApp.default_url=/lab" in words
    (tmp_path / jupyter.PAGE).touch()
    words = jupyter.command(Path("py"), tmp_path, 8888, "localhost", browser=True)
    assert (
        "--LabApp.default_url=/lab/tree/where-you-are.md" in words and "--no-browser" not in words
    )


@pytest.mark.parametrize(
    ("codes", "seconds", "attempts", "result"),
    [([0], 1, 1, 0), ([1, 0], 1, 2, 0), ([1, 1], 1, 2, 1), ([1], 60, 1, 1)],
)
def test_jupyterlab_that_dies_at_once_is_tried_once_without_the_users_settings(
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    codes: list[int],
    seconds: int,
    attempts: int,
    result: int,
) -> None:
    clock, started = [0.0], []

    class Process:
        def __init__(self, words: list[str], **rest: object) -> None:
            started.append(rest["env"].get("JUPYTER_CONFIG_DIR"))

        def wait(self) -> int:
            clock[0] += seconds
            return codes[len(started) - 1]

    (tmp_path / ".jupyter/workspaces").mkdir(parents=True)  # the windows were laid before
    monkeypatch.delenv("JUPYTER_CONFIG_DIR", raising=False)
    monkeypatch.setattr(jupyter.subprocess, "Popen", Process)
    monkeypatch.setattr(jupyter.time, "monotonic", lambda: clock[0])
    assert jupyter.open_lab(Path("py"), tmp_path, ["py"]) == result
    assert started == [None, str(tmp_path / ".jupyter")][:attempts]


@pytest.mark.slow
def test_fresh_copies_are_trusted_so_that_the_boards_show_their_pictures(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    import nbformat
    from nbformat.sign import NotebookNotary

    monkeypatch.setenv("JUPYTER_DATA_DIR", str(tmp_path / "data"))
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell("1", id="a")])
    for name in ("mine.ipynb", "other.ipynb"):
        nbformat.write(notebook, tmp_path / name)
        notebook.cells[0].source = "2"
    jupyter.trust(Path(sys.executable), tmp_path, ["mine.ipynb", "README.md"])
    notary = NotebookNotary(data_dir=str(tmp_path / "data"))
    trusted = [
        notary.check_signature(nbformat.read(tmp_path / name, 4))
        for name in ("mine.ipynb", "other.ipynb")
    ]
    assert trusted == [True, False]
