"""Copies of what a term has made, and the way back to a server.

An archive holds homes, exchange, the class's folder, and the hub's own files with its settings and
certificate. Course, environment and settings of JupyterLab come from `rlcourse hub init` again.
"""

import json
import os
import pwd
import shutil
import sqlite3
import subprocess
from contextlib import closing
from pathlib import Path

from rlcourse.atomic import write_atomically
from rlcourse.grading.roster import Student
from rlcourse.hub import people
from rlcourse.hub.place import HubError, Place

PARTS = ("private", "class", "exchange", "homes")
# Modes, access lists and owners by their names: their numbers may be others on the next machine.
TAR = ("tar", "--gzip", "--acls", "--preserve-permissions", "--exclude=./homes/*/.cache")
DATABASES = ("class/gradebook.db", "private/hub.sqlite")
SNAPSHOT = ".snapshot"  # a database as it was at one moment, beside the one that is in use
CHANGED = 1  # tar's exit code where a file was written while it was read


def back_up(place: Place, out: Path) -> int:
    """Write the archive, which only root can read. Returns its bytes. The hub may run meanwhile.

    Raises HubError where tar fails; an older file of this name then stays.
    """
    place.settings()
    write_atomically(place.private / "accounts.json", json.dumps(_accounts(place)), private=True)
    for name in DATABASES:
        if (place.root / name).exists():
            _copy_database(place.root / name)
    unfinished = out.with_name(out.name + ".part")
    os.close(os.open(unfinished, os.O_WRONLY | os.O_CREAT, 0o600))
    done = _tar("--create", "--file", str(unfinished), *(f"./{part}" for part in PARTS), at=place)
    if done not in (0, CHANGED):
        unfinished.unlink()
        raise HubError("the archive could not be written; the lines above say why")
    unfinished.replace(out)
    return out.stat().st_size


def restore(place: Place, archive: Path) -> list[str]:
    """Accounts with their passwords, and all files, in an empty place. Returns the new accounts.

    Raises HubError where something is in the place, or it is called other than the one before.
    """
    if place.root.exists() and any(place.root.iterdir()):
        raise HubError(f"{place.root} is not empty: move it away, or restore into another folder")
    place.root.mkdir(parents=True, exist_ok=True)
    if _tar("--extract", "--file", str(archive.resolve()), "./private", at=place) != 0:
        raise HubError(f"{archive} is no archive of rlcourse hub backup; the lines above say why")
    rows = json.loads((place.private / "accounts.json").read_text(encoding="utf-8"))
    if {row["group"] for row in rows} - {place.students, place.teachers}:
        group = rows[0]["group"].rpartition("-")[0]
        raise HubError(f"this is a copy of {group}: restore it into a folder of that name")
    people.make_groups(place)
    persons = {Student(row["account"], row["name"]): row for row in rows}
    fresh = people.without_account(place, persons)
    for person in fresh:
        row = persons[person]
        options = ["--no-create-home", "--password", row["password"]]
        people.make_account(place, person, row["group"], *options)
    if _tar("--extract", "--file", str(archive.resolve()), at=place) != 0:
        raise HubError("not all of it could be restored; the lines above say why")
    for name in DATABASES:
        if (copy := place.root / (name + SNAPSHOT)).exists():
            copy.replace(place.root / name)
    return sorted(person.id for person in fresh)


def _accounts(place: Place) -> list[dict[str, str]]:
    """Who belongs to the server, with the hash of their password as the system keeps it."""
    lines = Path("/etc/shadow").read_text(encoding="utf-8").splitlines()
    hashes = {line.split(":")[0]: line.split(":")[1] for line in lines}
    return [
        {
            "account": account,
            "group": group,
            "name": pwd.getpwnam(account).pw_gecos,
            "password": hashes[account],
        }
        for group in (place.teachers, place.students)
        for account in people.members(group)
    ]


def _copy_database(path: Path) -> None:
    copy = path.with_name(path.name + SNAPSHOT)
    copy.unlink(missing_ok=True)
    with closing(sqlite3.connect(path)) as source, closing(sqlite3.connect(copy)) as target:
        source.backup(target)
    shutil.chown(copy, path.owner(), path.group())
    shutil.copymode(path, copy)


def _tar(*options: str, at: Place) -> int:
    return subprocess.run([*TAR, *options], cwd=at.root, check=False).returncode
