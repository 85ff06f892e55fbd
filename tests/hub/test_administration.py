"""What an administrator does around a class: set-up twice, additions, status, a copy and back."""

import json
import os
import socket
import subprocess
import tarfile
from pathlib import Path

import pytest

from rlcourse.hub import people
from rlcourse.hub.install import require_root
from rlcourse.hub.place import HubError, Place, Settings
from tests.hub.server import ADA, BOB, TEACHER, Server

pytestmark = [pytest.mark.slow, pytest.mark.timeout(600), pytest.mark.xdist_group("hub")]


def entries(root: Path) -> dict[str, tuple[str, str, str, str, bytes]]:
    """Path -> kind and mode, owner, group, access list, contents of what a copy is to hold."""
    found = {}
    for part in ("class", "exchange", "homes"):
        for path in sorted([root / part, *(root / part).rglob("*")]):
            there = path.lstat()
            acl = access_list(path) if "system.posix_acl_access" in os.listxattr(path) else ""
            content = path.read_bytes() if path.is_file() else b""
            row = (oct(there.st_mode), path.owner(), path.group(), acl, content)
            found[str(path.relative_to(root))] = row
    return found


def access_list(path: Path) -> str:
    """Who may read it, by names."""
    command = ["getfacl", "--omit-header", "--absolute-names", path]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def password_hash(account: str) -> str:
    """As the system keeps it."""
    done = subprocess.run(["getent", "shadow", account], capture_output=True, text=True, check=True)
    return done.stdout.split(":")[1]


def test_a_second_init_changes_what_it_names_and_keeps_the_rest(idle: Server) -> None:
    place, before = Place(idle.root), idle.password(ADA)
    second = idle.names[TEACHER] + "2"
    idle.names["2"] = second
    assert idle.hub("add", "--teacher", second).returncode == 0
    done = idle.hub("init", "--memory", "3072")
    assert done.returncode == 0, done.stdout + done.stderr
    settings = place.settings()
    assert settings.teachers == (idle.names[TEACHER], second)
    assert (settings.memory, settings.port) == (3072, idle.port)
    assert settings.cpus == Settings(()).cpus
    assert people.members(place.teachers) == [idle.names[TEACHER], second]
    assert idle.password(ADA) == before and "0 new accounts" in done.stdout


def test_a_copy_brings_back_files_rights_and_passwords(idle: Server, tmp_path: Path) -> None:
    home, exchange = idle.home(ADA), idle.root / "exchange" / "rlcourse"
    name = idle.names[ADA]
    (home / "my").mkdir(mode=0o700)
    (home / "my" / "answer.txt").write_text("42")
    subprocess.run(["chown", "-R", f"{name}:{name}", home / "my"], check=True)
    (home / ".cache").mkdir()
    page = exchange / "feedback" / "page.html"
    page.write_text("4 of 5")
    subprocess.run(["setfacl", "--set", f"u::rw,g::-,o::-,u:{name}:r,m::r", page], check=True)
    archive = tmp_path / "week.tar.gz"
    done = idle.hub("backup", str(archive), "--json")
    assert done.returncode == 0, done.stdout + done.stderr
    written = json.loads(done.stdout)
    assert written == {"file": str(archive), "bytes": archive.stat().st_size}
    assert archive.stat().st_mode & 0o777 == 0o600
    (home / ".cache").rmdir()
    before, secret = entries(idle.root), password_hash(name)

    assert "is not empty" in idle.hub("restore", str(archive)).stderr
    idle.remove_accounts()
    idle.root.rename(idle.base / "lost")
    # Other numbers than before belong to the names.
    idle.names["between"] = f"{name}between"
    subprocess.run(["useradd", "--user-group", idle.names["between"]], check=True)
    done = idle.hub("restore", str(archive), "--json")
    assert done.returncode == 0, done.stdout + done.stderr
    made = [account for letter, account in idle.names.items() if letter != "between"]
    assert sorted(json.loads(done.stdout)["accounts"]) == sorted(made)
    assert entries(idle.root) == before
    assert password_hash(name) == secret
    assert Place(idle.root).settings().port == idle.port
    done = idle.hub("init")
    assert done.returncode == 0 and "0 new accounts" in done.stdout, done.stderr


def test_status_names_people_and_what_is_left(server: Server) -> None:
    done = server.hub("status")
    assert f"The hub answers at https://localhost:{server.port}/" in done.stdout, done.stderr
    assert f"2 students, 1 teachers ({server.names[TEACHER]})" in done.stdout
    assert "GiB are free" in done.stdout and server.names[BOB] in done.stdout


def test_status_as_json_has_the_figures_of_its_sentences(server: Server) -> None:
    (line,) = server.hub("status", "--json").stdout.splitlines()
    state = json.loads(line)
    assert state["running"] and state["address"] == f"https://localhost:{server.port}/"
    assert state["teachers"] == [server.names[TEACHER]]
    assert sorted(state["students"]) == sorted(server.names[letter] for letter in (ADA, BOB))
    assert 0 < state["memory_free"] < state["memory_all"] > Settings(()).memory
    assert 0 < state["disk_free"] < state["disk_all"]
    assert {home["account"] for home in state["homes"]} >= set(server.names.values())
    assert state["used"].keys() <= set(server.names.values())
    assert state["limit_memory"] == Settings(()).memory and state["limit_cpus"] == Settings(()).cpus


def test_a_copy_of_something_else_is_refused(server: Server, tmp_path: Path) -> None:
    (tmp_path / "note.txt").write_text("no copy")
    with tarfile.open(tmp_path / "other.tar.gz", "w:gz") as archive:
        archive.add(tmp_path / "note.txt", "note.txt")
    done = server.hub("restore", str(tmp_path / "other.tar.gz"), root=tmp_path / "empty")
    assert done.returncode != 0 and "is no archive of rlcourse hub backup" in done.stderr


def test_a_machine_without_its_own_name_is_told_what_to_write(
    root: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """JupyterHub would wait for its proxy at that name, and end in a traceback."""
    monkeypatch.setattr(socket, "gethostname", lambda: "nobody-knows-me.invalid")
    with pytest.raises(HubError, match=r"add the line 127\.0\.1\.1 nobody-knows-me\.invalid to"):
        require_root()
