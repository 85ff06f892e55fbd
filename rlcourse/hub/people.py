"""Accounts: those of the operating system, made from a class list.

The name of an account is the student's id as far as the system allows it, so that nbgrader's
exchange, the gradebook and the class list speak of the same person.
"""

import contextlib
import csv
import grp
import os
import pwd
import re
import secrets
import shutil
import subprocess
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path

from rlcourse.atomic import write_atomically
from rlcourse.grading.roster import Roster, Student
from rlcourse.hub.place import HubError, Place
from rlcourse.untrusted import table

ACCOUNT = re.compile(r"[a-z_][a-z0-9_-]{0,30}")
SHELL = "/bin/bash"


def account_of(label: str) -> str:
    """The account's name for an id such as "12345", "Müller" or "ada@uni.example".

    Raises HubError where nothing of it is left.
    """
    plain = unicodedata.normalize("NFKD", label.split("@")[0]).encode("ascii", "ignore").decode()
    name = re.sub(r"[^a-z0-9_-]+", "-", plain.lower()).strip("-")
    if name[:1].isdigit():
        name = "s" + name
    if not ACCOUNT.fullmatch(name):
        raise HubError(f"the id {label!r} makes no account: letters, digits, up to 31 of them")
    return name


def people_of(roster: Roster) -> list[Student]:
    """The students of a class list, with their accounts for ids, in order.

    Raises HubError where two would share one.
    """
    people: dict[str, Student] = {}
    for student in roster.students:
        account = account_of(student.id)
        if account in people:
            raise HubError(f"two students would have the account {account}; change an id")
        people[account] = replace(student, id=account)
    return [people[account] for account in sorted(people)]


def members(group: str) -> list[str]:
    """The accounts in a group of the system, in order; none where it does not exist."""
    try:
        return sorted(grp.getgrnam(group).gr_mem)
    except KeyError:
        return []


def make_groups(place: Place) -> None:
    """Both groups, unless they are there."""
    for group in (place.students, place.teachers):
        run_program("groupadd", "--force", group)


def make_accounts(place: Place, people: Sequence[Student], group: str) -> list[str]:
    """An account for each person who has none, in a home that nobody else can read.

    Returns the new ones; their first passwords are appended to `passwords.csv`. An account that
    is there and is not of this server is left alone: raises HubError before anything is made.
    """
    fresh = without_account(place, people)
    passwords = {person.id: secrets.token_urlsafe(9) for person in fresh}
    # Before the accounts: a password that nobody knows would lock a student out.
    _append(place.private / "passwords.csv", fresh, passwords)
    for person in fresh:
        make_account(place, person, group, "--create-home")
        (place.homes / person.id).chmod(0o700)
    if passwords:
        run_program(
            "chpasswd", text="".join(f"{name}:{word}\n" for name, word in passwords.items())
        )
    return sorted(passwords)


def without_account(place: Place, people: Iterable[Student]) -> list[Student]:
    """Those who are not of this server yet. Raises HubError where another has such an account."""
    ours = {*members(place.students), *members(place.teachers)}
    fresh = [person for person in people if person.id not in ours]
    for person in fresh:
        with contextlib.suppress(KeyError):
            pwd.getpwnam(person.id)
            raise HubError(
                f"{person.id} is an account of this machine already, and none of this "
                "server's: change the id in the class list"
            )
    return fresh


def make_account(place: Place, person: Student, group: str, *options: str) -> None:
    """An account in the system, with further options of useradd."""
    home = ["--home-dir", str(place.homes / person.id), "--shell", SHELL, "--user-group"]
    comment = re.sub(r"[:,\n]", " ", person.name)
    run_program("useradd", *home, *options, "--comment", comment, "--groups", group, person.id)


def write_roster(place: Place, people: Iterable[Student]) -> None:
    """Add people to the list that `rlcourse grade --roster` reads, in the class's folder."""
    path = place.class_folder / "roster.csv"
    rows = {}
    if path.exists():
        with path.open(encoding="utf-8", newline="") as stream:
            rows = {row["id"]: row for row in csv.DictReader(stream)}
    for one in people:
        rows[one.id] = {"id": one.id, "name": one.name, "email": one.email}
    write_atomically(path, table(("id", "name", "email"), [rows[name] for name in sorted(rows)]))
    shutil.chown(path, group=place.teachers)
    path.chmod(0o640)


def _append(path: Path, people: Sequence[Student], passwords: dict[str, str]) -> None:
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
    with os.fdopen(descriptor, "a", encoding="utf-8", newline="") as stream:
        writer = csv.writer(stream, lineterminator="\n")
        writer.writerows((one.id, one.name, passwords[one.id]) for one in people)


def run_program(*command: str, text: str | None = None) -> None:
    """Run a program of the system. Raises HubError with what it says."""
    done = subprocess.run(command, input=text, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise HubError(f"{command[0]} failed: {done.stderr.strip() or done.returncode}")
