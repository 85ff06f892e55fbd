"""When the environment is built, repaired, updated or left alone. pip is replaced by a list of what was asked of it."""

import json
import sys
from pathlib import Path

import pytest

from launcher import environment, jupyter
from launcher.console import Stop


class Machine:
    """A course in a folder of its own, with a fake venv and pip.

    calls: what was asked, in order. fail: name of the call that fails. differing: what the lock check would say.
    """

    def __init__(self, root: Path) -> None:
        self.root, self.venv = root, root / ".venv"
        self.calls: list[str] = []
        self.fail = ""
        self.differing: list[str] | None = []
        self.changed_before_failing = False
        for name, text in {
            "requirements.lock": "a==1",
            "pyproject.toml": "x = 1",
            "rlcourse/a.py": "1",
        }.items():
            (root / name).parent.mkdir(exist_ok=True)
            (root / name).write_text(text)

    def create_venv(self, venv: Path) -> None:
        self.calls.append("venv")
        python = environment.python_of(venv)
        python.parent.mkdir(parents=True, exist_ok=True)
        python.touch()
        (venv / "pyvenv.cfg").write_text(f"home = {self.root}\nversion = 3.12.1\n")
        self._maybe_fail("venv")

    def install_lock(
        self, python: Path, wheels: Path | None, variables: dict, started=lambda: None
    ) -> None:
        self.calls.append("lock")
        if self.fail != "lock" or self.changed_before_failing:
            started()
        self._maybe_fail("lock")

    def install_course(self, python: Path, variables: dict) -> None:
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
    monkeypatch.setattr(environment, "differences", lambda python: fake.differing)
    monkeypatch.setattr(environment.machine, "require_room", lambda folder, anyway: None)
    for name in ("create_venv", "install_lock", "install_course", "warm"):
        monkeypatch.setattr(environment, name, getattr(fake, name))
    return fake


def test_first_start_builds_and_the_second_asks_for_nothing(machine: Machine) -> None:
    assert machine.start() == ["venv", "lock", "course", "warm"]
    assert machine.start() == ["warm"]


@pytest.mark.parametrize("step", ["venv", "lock", "course"])
def test_an_installation_that_breaks_off_is_built_anew(machine: Machine, step: str) -> None:
    machine.fail = step
    with pytest.raises(Stop, match=f"{step} failed"):
        machine.start()
    assert not (machine.venv / environment.STAMP).exists()
    (machine.venv / "half-installed").touch()
    machine.fail = ""
    assert machine.start() == ["venv", "lock", "course", "warm"]
    assert not (machine.venv / "half-installed").exists(), "nothing of the broken one is left"
    assert machine.start() == ["warm"]


def test_a_new_lock_updates_packages_in_place(machine: Machine) -> None:
    machine.start()
    (machine.venv / "kept").touch()
    (machine.root / "requirements.lock").write_text("a==2")
    machine.differing = ["a is 1 (the course uses 2)"]
    assert machine.start() == ["lock", "course", "warm"]
    assert (machine.venv / "kept").exists()
    assert machine.start() == ["warm"]


def test_a_new_lock_without_network_starts_with_the_old_packages_and_tries_again(
    machine: Machine, capsys: pytest.CaptureFixture
) -> None:
    machine.start()
    (machine.root / "requirements.lock").write_text("a==2")
    machine.differing, machine.fail = ["a is 1"], "lock"
    assert machine.start() == ["lock", "warm"]
    assert "untouched" in capsys.readouterr().out
    machine.fail = ""
    assert machine.start() == ["lock", "course", "warm"]


def test_an_update_that_breaks_off_midway_is_built_anew(machine: Machine) -> None:
    machine.start()
    (machine.root / "requirements.lock").write_text("a==2")
    machine.differing, machine.fail, machine.changed_before_failing = ["a is 1"], "lock", True
    with pytest.raises(Stop):
        machine.start()
    machine.fail = ""
    assert machine.start() == ["venv", "lock", "course", "warm"]


def test_a_lock_that_changed_only_in_comments_installs_nothing(machine: Machine) -> None:
    machine.start()
    (machine.root / "requirements.lock").write_text("# why\na==1")
    assert machine.start() == ["course", "warm"]


def test_an_environment_made_by_hand_is_adopted_not_deleted(machine: Machine) -> None:
    machine.create_venv(machine.venv)
    (machine.venv / "mine").touch()
    assert machine.start() == ["course", "warm"]
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


@pytest.mark.parametrize(
    "damage", ["no python", "python removed from the system", "python does not answer"]
)
def test_a_damaged_environment_is_built_anew(machine: Machine, damage: str) -> None:
    machine.start()
    if damage == "no python":
        environment.python_of(machine.venv).unlink()
    elif damage == "python removed from the system":
        (machine.venv / "pyvenv.cfg").write_text("home = /no/such/folder\n")
    else:
        (machine.venv / environment.STAMP).write_text("{")
        machine.differing = None
    assert machine.start() == ["venv", "lock", "course", "warm"]


def test_an_empty_folder_of_wheels_is_refused_before_anything_else(
    machine: Machine, tmp_path: Path
) -> None:
    with pytest.raises(Stop, match="has no wheels"):
        environment.prepare(wheels=tmp_path)
    assert machine.calls == []


def test_an_active_environment_with_the_lock_is_used_and_another_is_left_alone(
    machine: Machine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture
) -> None:
    active = tmp_path / "conda"
    active.mkdir()
    monkeypatch.setattr(environment, "active_environment", lambda: active)
    monkeypatch.setattr(environment.lock, "differences", lambda pins: [])
    assert machine.start() == ["course", "warm"]
    assert (active / environment.STAMP).exists() and not machine.venv.exists()
    monkeypatch.setattr(environment.lock, "differences", lambda pins: ["a", "b"])
    assert machine.start() == ["venv", "lock", "course", "warm"]
    assert "differs from the lock in 2 packages" in capsys.readouterr().out


def test_kernels_are_compiled_again_only_when_sources_change(
    machine: Machine, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture
) -> None:
    monkeypatch.undo()
    monkeypatch.setattr(environment, "ROOT", machine.root)
    ran = []

    class Result:
        returncode = 0

    monkeypatch.setattr(
        environment.subprocess, "run", lambda words, **rest: ran.append(words[1:]) or Result
    )
    machine.venv.mkdir()
    environment.write_stamp(machine.venv, {"lock": "x"})
    for _ in range(2):
        environment.warm(Path("python"), machine.venv)
    assert ran == [["-m", "rlcourse.warm"]]
    (machine.root / "rlcourse/a.py").write_text("2")
    Result.returncode = 1
    for _ in range(2):
        environment.warm(Path("python"), machine.venv)
    assert len(ran) == 3, "a failure is tried again at the next start"
    assert "starts all the same" in capsys.readouterr().out


def test_children_do_not_inherit_foreign_python_settings(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    for name in ("PYTHONPATH", "PYTHONHOME", "VIRTUAL_ENV", "PIP_TARGET", "PIP_USER"):
        monkeypatch.setenv(name, "foreign")
    variables = environment.child_environment(tmp_path / "bin" / "python")
    assert "foreign" not in variables.values()
    assert variables["PATH"].startswith(str(tmp_path / "bin"))


def test_the_call_of_jupyterlab_opens_the_first_notebook(tmp_path: Path) -> None:
    words = jupyter.command(Path("py"), tmp_path, 9000, "0.0.0.0", browser=False)
    assert (
        "--ServerApp.port=9000" in words
        and "--ServerApp.ip=0.0.0.0" in words
        and "--no-browser" in words
    )
    assert f"--ServerApp.root_dir={tmp_path}" in words and "--LabApp.default_url=/lab" in words
    (tmp_path / "notebooks").mkdir()
    (tmp_path / jupyter.FIRST).touch()
    words = jupyter.command(Path("py"), tmp_path, 8888, "localhost", browser=True)
    assert (
        "--LabApp.default_url=/lab/tree/notebooks/00_play_first.ipynb" in words
        and "--no-browser" not in words
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

    monkeypatch.delenv("JUPYTER_CONFIG_DIR", raising=False)
    monkeypatch.setattr(jupyter.subprocess, "Popen", Process)
    monkeypatch.setattr(jupyter.time, "monotonic", lambda: clock[0])
    assert jupyter.open_lab(Path("py"), tmp_path, port=1, host="h", browser=True) == result
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
