"""start.py play, site and rlcourse; hand-in and update as a student types them, on every system."""

import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from pathlib import Path
from types import SimpleNamespace
from urllib.error import URLError

import pytest

import start
from launcher import environment, jupyter
from launcher import main as launcher_main
from rlcourse.games import GAME_NAMES

ROOT = Path(__file__).resolve().parents[2]
SHEET = next((ROOT / "exercises" / "01").glob("*.ipynb"))


@pytest.fixture
def ready(monkeypatch: pytest.MonkeyPatch) -> None:
    """The environment is this one, and says so while it is prepared."""

    def prepare() -> Path:
        print("setting up")
        return Path(sys.executable)

    monkeypatch.setattr(environment, "prepare", prepare)


@pytest.mark.parametrize(
    ("word", "said"),
    [
        ("lba", "there is no command 'lba', did you mean 'lab'?"),
        ("hand-in", "python start.py rlcourse hand-in 1"),
    ],
)
def test_a_wrong_word_is_told_the_right_one(
    capsys: pytest.CaptureFixture, word: str, said: str
) -> None:
    with pytest.raises(SystemExit) as ended:
        start.main([word, "1"])
    assert ended.value.code == 2 and said in capsys.readouterr().err


@pytest.mark.parametrize("command", ["lab", "check", "update", "reset"])
def test_the_help_of_each_command_has_an_example(
    capsys: pytest.CaptureFixture, command: str
) -> None:
    with pytest.raises(SystemExit):
        start.main([command, "--help"])
    assert f"examples:\n  python start.py {command}" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("words", "code", "printed"),
    [
        (["rlcourse", "--version"], 0, "rlcourse 0."),
        (["rlcourse", "evaluate", "no-such"], 1, ""),
        (["rlcourse", "no-such"], 2, ""),
        (["play", "--port", "none"], 2, ""),
        (["play", "--port", "99999"], 1, ""),
        (["site"], 2, ""),
    ],
)
def test_commands_run_where_the_user_stands_and_hand_their_codes_on(
    ready: None,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture,
    words: list[str],
    code: int,
    printed: str,
) -> None:
    """Standard output is the command's alone, and a file of the user's is not
    taken for a module of Python.
    """
    (tmp_path / "typer.py").write_text("raise SystemExit(99)")
    monkeypatch.chdir(tmp_path)
    assert launcher_main.main(words) == code
    out, err = capfd.readouterr()
    assert out.startswith(printed) and bool(out) == bool(printed) and "setting up" in err


@pytest.mark.parametrize("command", ["test", "style"])
def test_a_download_without_tests_says_so_before_anything_is_set_up(
    ready: None,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture,
    command: str,
) -> None:
    monkeypatch.setattr(launcher_main, "ROOT", tmp_path)
    assert launcher_main.main([command]) == 1
    printed = "".join(capfd.readouterr())
    assert "its tests are in the whole course" in printed
    assert "setting up" not in printed


@pytest.mark.parametrize("text", ["99999", "65536", "-1", "none", "８８８８", ""])
def test_a_port_that_cannot_be_is_one_sentence_before_anything_is_set_up(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture, text: str
) -> None:
    monkeypatch.setattr(environment, "prepare", None)
    assert launcher_main.main(["lab", f"--port={text}"]) == 1
    assert capsys.readouterr() == (
        f"\n--port {text} cannot be: ports are numbers up to 65535, such as 8888.\n",
        "",
    )


def test_a_sheet_is_handed_in_from_any_folder(
    ready: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture
) -> None:
    mine = tmp_path / "my" / "exercises" / "01" / SHEET.name
    mine.parent.mkdir(parents=True)
    shutil.copy(SHEET, mine)
    monkeypatch.chdir(mine.parent)
    assert launcher_main.main(["rlcourse", "hand-in", "1", "--name", "Zoë Ünal"]) == 0
    [path] = (tmp_path / "my" / "hand-ins").iterdir()
    assert "Receipt:" in capfd.readouterr().out
    assert (
        json.loads(path.read_text(encoding="utf-8"))["metadata"]["rlcourse"]["hand_in"]["name"]
        == "Zoë Ünal"
    )


def test_update_brings_what_is_there_and_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture
) -> None:
    sheet = tmp_path / "exercises" / "01" / SHEET.name
    sheet.parent.mkdir(parents=True)
    shutil.copy(SHEET, sheet)
    monkeypatch.setattr(launcher_main, "ROOT", tmp_path)
    trusted = []
    monkeypatch.setattr(jupyter, "trust", lambda python, my, names: trusted.append((python, names)))
    monkeypatch.setattr(environment, "VENV", tmp_path / "none")
    monkeypatch.setattr(environment, "active_environment", lambda: Path(sys.prefix))
    monkeypatch.setattr(environment.uv, "is_exact", lambda python: True)
    assert launcher_main.main(["update"]) == 0
    assert trusted == [(Path(sys.executable), [f"exercises/01/{SHEET.name}"])], "as lab does"
    assert (tmp_path / "my" / "exercises" / "01" / SHEET.name).read_bytes() == SHEET.read_bytes()
    first = capsys.readouterr().out
    assert f"new       my/exercises/01/{SHEET.name}" in first
    assert launcher_main.main(["update"]) == 0
    second = capsys.readouterr().out
    assert "already has everything" in second
    assert all("git pull" in words for words in (first, second)), "it fetches nothing itself"


@pytest.mark.parametrize(("answered", "code"), [(0, 0), (3, 3), (130, 130), (-2, 130), (-9, 137)])
def test_a_command_that_a_signal_ended_has_the_code_of_a_shell(
    ready: None, monkeypatch: pytest.MonkeyPatch, answered: int, code: int
) -> None:
    ended = SimpleNamespace(wait=lambda: answered)
    monkeypatch.setattr(launcher_main.subprocess, "Popen", lambda *_, **__: ended)
    assert launcher_main.main(["rlcourse"]) == code


def test_another_python_hands_over_and_gives_the_code_back(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "start.py").write_text("import sys; raise SystemExit(len(sys.argv[1]))")
    monkeypatch.setattr(start, "ROOT", str(tmp_path))
    monkeypatch.setattr(start, "finished_environment", lambda: sys.executable)
    monkeypatch.setattr(start.interpreters, "why_not", lambda python: "too old")
    assert start.main(["7 words"]) == 7


@pytest.mark.slow
def test_the_page_to_play_on_is_served_and_ctrl_c_closes_it(tmp_path: Path) -> None:
    """With a real server; on Windows it is ended as a closed window ends it."""
    with socket.create_server(("127.0.0.1", 0)) as door:
        port = door.getsockname()[1]
    code = (
        "import sys, signal; sys.path.insert(0, sys.argv.pop(1)); signal.signal(signal.SIGINT, "
        "signal.default_int_handler);from pathlib import Path; from launcher import environment, "
        "main;environment.prepare = lambda: Path(sys.executable); "
        "sys.exit(main.main(sys.argv[1:]))"
    )
    words = ["play", "--no-browser", "--host", "127.0.0.1", "--port", str(port)]
    options = {"start_new_session": True} if os.name == "posix" else {}
    process = subprocess.Popen(
        [sys.executable, "-c", code, str(ROOT), *words],
        cwd=tmp_path,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        **options,
    )
    try:
        while True:
            assert process.poll() is None, process.stdout.read()
            try:
                page = urllib.request.urlopen(f"http://127.0.0.1:{port}/").read().decode()
                break
            except (URLError, TimeoutError):
                time.sleep(0.2)
        assert all(f'<h2 id="{name}">' in page for name in GAME_NAMES)
        if os.name == "posix":
            os.killpg(process.pid, signal.SIGINT)
            printed = process.communicate()[0].decode()
            assert process.returncode == 130 and printed.endswith(
                "rlcourse: stopped by Ctrl-C; the page is closed.\n"
            ), printed
    finally:
        if process.poll() is None:
            if os.name == "posix":
                os.killpg(process.pid, signal.SIGKILL)  # the server too, or its pipe stays open
            else:
                process.kill()
            process.communicate()
