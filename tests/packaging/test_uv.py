"""uv is fetched by pip, goes by pip's settings, compares hashes, and what
fails ends in plain words.
"""

import hashlib
import io
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from launcher import console, environment, programs, uv
from launcher.console import Stop

HERE = Path(sys.executable)
LISTED = """\
:env:.default-timeout='180'
:env:.index-url='https://variable.example/simple'
global.cert='/etc/school.pem'
global.extra-index-url='\\nhttps://one.example/simple\\nhttps://two.example/simple'
global.find-links='. no-such-folder https://c.example'
global.index-url='https://file.example/simple'
install.proxy='http://proxy.example:3128'
install.trusted-host='one.example'
list.format='columns'
"""


def test_uv_goes_by_what_pip_was_told() -> None:
    """A variable of pip wins over its file, and a variable of uv's own over both."""
    variables = uv.variables_for(uv.pip_settings(LISTED), {"UV_HTTP_TIMEOUT": "7", "HOME": "/h"})
    variables.pop("UV_SYSTEM_CERTS", None)
    assert variables == {
        "UV_DEFAULT_INDEX": "https://variable.example/simple",
        "UV_INDEX": "https://one.example/simple https://two.example/simple",
        "UV_FIND_LINKS": ".,https://c.example",
        "UV_INSECURE_HOST": "one.example",
        "SSL_CERT_FILE": "/etc/school.pem",
        "ALL_PROXY": "http://proxy.example:3128",
        "UV_HTTP_TIMEOUT": "7",
        "HOME": "/h",
    }


@pytest.mark.parametrize(
    ("system", "trusted"), [("win32", True), ("darwin", True), ("linux", False)]
)
def test_certificates_of_the_system_are_trusted_where_each_system_has_some(
    monkeypatch: pytest.MonkeyPatch, system: str, trusted: bool
) -> None:
    monkeypatch.setattr(uv.sys, "platform", system)
    assert ("UV_SYSTEM_CERTS" in uv.variables_for({}, {})) == trusted


def test_pip_itself_lists_its_settings_in_that_form(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PIP_INDEX_URL", "https://index.example/it's")
    listed = subprocess.run(
        [sys.executable, "-m", "pip", "config", "list"], capture_output=True, text=True
    )
    assert uv.pip_settings(listed.stdout)["index-url"] == "https://index.example/it's"


def test_pip_is_asked_for_the_uv_of_the_lock_with_its_hashes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = []
    monkeypatch.setattr(uv, "call", lambda words, *_: asked.append(words))
    python = environment.python_of(tmp_path)
    uv.fetch(python, tmp_path / "wheels")
    [words] = asked
    assert words[:4] == [str(python), "-m", "pip", "install"]
    assert {"--require-hashes", "--no-deps", "--no-index", str(tmp_path / "wheels")} < set(words)
    lines = Path(words[-1]).read_text(encoding="utf-8").splitlines()
    assert lines[0].startswith("uv==") and len(lines) > 5
    assert all("--hash=sha256:" in line for line in lines[1:]) and not lines[-1].endswith("\\")


def test_uv_installs_the_lock_as_it_is_and_downloads_no_python(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = []
    monkeypatch.setattr(uv, "call", lambda words, *_: asked.append(words))
    uv.install(HERE)
    [words] = asked
    assert words[:6] == [str(HERE), "-m", "uv", "pip", "install", "--python"]
    assert {"--require-hashes", "--no-deps", "--no-python-downloads", str(HERE)} < set(words)
    assert words[-2:] == ["-r", str(uv.LOCK)] and "--find-links" not in words


def wheel(folder: Path, version: str) -> str:
    """A package without contents, as a wheel in the folder; its hash."""
    inside = f"no_such_thing-{version}.dist-info"
    path = folder / f"no_such_thing-{version}-py3-none-any.whl"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr(f"{inside}/METADATA", f"Name: no-such-thing\nVersion: {version}\n")
        archive.writestr(f"{inside}/WHEEL", "Wheel-Version: 1.0\nTag: py3-none-any\n")
        archive.writestr(f"{inside}/RECORD", "")
    return hashlib.sha256(path.read_bytes()).hexdigest()


@pytest.mark.slow
def test_a_real_uv_takes_the_right_file_and_refuses_another(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture
) -> None:
    """In an environment of its own, from a folder of wheels, without network."""
    venv, lock, right = tmp_path / "venv", tmp_path / "lock", tmp_path / "right"
    right.mkdir()
    monkeypatch.setenv("UV_CACHE_DIR", str(tmp_path / "cache"))
    subprocess.run([sys.executable, "-m", "uv", "venv", "--quiet", str(venv)], check=True)
    python = environment.python_of(venv)
    words = [sys.executable, *"-m uv pip install --python".split()]
    monkeypatch.setattr(uv, "_uv_command", lambda python, *more: [*words, python, *more])
    lock.write_text(f"no-such-thing==1.0 --hash=sha256:{wheel(right, '1.0')}\n", encoding="utf-8")
    uv.install(python, right, lock)
    assert environment.packages(venv) == "no_such_thing-1.0.dist-info"
    lock.write_text(f"no-such-thing==2.0 --hash=sha256:{64 * '0'}\n", encoding="utf-8")
    wheel(right, "2.0")
    with pytest.raises(Stop, match="They came from"):
        uv.install(python, right, lock)
    assert "hash" in capfd.readouterr().out.lower()
    assert environment.packages(venv) == "no_such_thing-1.0.dist-info", "the old one is untouched"


PRINTED = """\
Resolved 3 packages in 2ms
Downloading numpy (16.1MiB)
Downloading tensorflow (645.2MiB)
warning: Failed to hardlink files; falling back to full copy.
         Set UV_LINK_MODE to have no such warning.
 Downloaded numpy
"""
LIST = """\
Installed 3 packages in 98ms
 + numpy==2.4.6
 ~ tensorflow==2.20.0
 - wheel==0.1
  rules of go: 9.6 s
"""


@pytest.fixture
def printing(tmp_path: Path) -> list[str]:
    """A program that prints what it is given, then ends with this code."""
    program = tmp_path / "printing.py"
    program.write_text(
        "import sys, time\nprint(sys.argv[1], end='', file=sys.stderr, flush=True)\n"
        "time.sleep(0.6)\nraise SystemExit(int(sys.argv[2]))"
    )
    return [sys.executable, str(program)]


def test_the_list_of_packages_does_not_scroll_what_was_said_out_of_sight(
    printing: list[str], capfd: pytest.CaptureFixture
) -> None:
    programs.call([*printing, PRINTED + LIST, "0"], "")
    assert capfd.readouterr() == (
        "Resolved 3 packages in 2ms\n"
        "warning: Failed to hardlink files; falling back to full copy.\n"
        "         Set UV_LINK_MODE to have no such warning.\n"
        "Installed 3 packages in 98ms\n",
        "",
    )


def test_all_that_uv_said_stands_above_what_to_do(
    printing: list[str], capfd: pytest.CaptureFixture
) -> None:
    with pytest.raises(Stop, match="It may be told"):
        programs.call([*printing, PRINTED + "  x Failed", "2"], "It may be told.")
    assert capfd.readouterr().out == PRINTED + "  x Failed\n"


def test_a_terminal_shows_in_one_line_what_uv_does(
    printing: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture
) -> None:
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    monkeypatch.setenv("COLUMNS", "70")
    programs.call([*printing, PRINTED, "0"], "")
    passing = [line for line in capsys.readouterr().out.split("\r") if "\n" not in line]
    came = "1 of 2 large files are here, to come: tensorflow (645.2MiB)"
    assert any(came in line for line in passing)
    assert {len(line) for line in passing if line} == {69} and passing[-1].strip() == ""


def test_a_terminal_that_lacks_a_letter_of_a_folder_shows_a_question_mark(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    terminal = io.TextIOWrapper(io.BytesIO(), encoding="ascii")
    monkeypatch.setattr(terminal, "isatty", lambda: True)
    monkeypatch.setattr(sys, "stdout", terminal)
    console.say_in_passing("environment at Zoë")
    assert b"environment at Zo?" in terminal.buffer.getvalue()


@pytest.mark.parametrize(
    ("printed", "doing"),
    [
        ("Resolved 3 packages in 2ms\n", "Resolved 3"),
        (PRINTED, "1 of 2 large files"),
        (PRINTED + " Downloaded tensorflow\n", "2 of 2 large files are here, to come: small ones"),
        (PRINTED + "Prepared 3 packages in 9s\n", "putting"),
        (PRINTED + "Installed 3 packages in 98ms\n", "compiling"),
    ],
)
def test_what_uv_does_is_read_from_what_it_printed_last(printed: str, doing: str) -> None:
    assert doing in programs.under_way(printed)


def test_what_to_do_names_the_usual_causes() -> None:
    for cause in ("HTTPS_PROXY", "SSL_CERT_FILE", "Free 4 GB", "--wheels", "sudo", "Killed"):
        assert cause in uv.WHAT_TO_DO
