"""Where everything of one server lies, and what was chosen when it was set up."""

import json
from collections.abc import Iterable
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from rlcourse.atomic import write_atomically


class HubError(ValueError):
    """The server cannot do what was asked. The message says what to do."""


@dataclass(frozen=True)
class Settings:
    """What `rlcourse hub init` was given.

    teachers: system accounts that grade. host: the address that is listened at, "" for all.
    port: of the proxy; the three after it are the hub's, the proxy's own and the pages' of games,
    on this machine only.
    memory: MiB, cpus: cores that one person's server may use in all.
    idle: minutes until an unused server is ended. most: servers at the same time, 0 for no limit.
    certificate, key: PEM files. environment: the folder of the Python environment that all share.
    """

    teachers: tuple[str, ...]
    host: str = ""
    port: int = 443
    memory: int = 2048
    cpus: float = 1.0
    idle: int = 60
    most: int = 0
    certificate: str = ""
    key: str = ""
    environment: str = ""


class Place:
    """The folders of a server, and its settings. Everything lies in `root`, whose name is also that
    of the groups.
    """

    def __init__(self, root: Path) -> None:
        self.root = root
        self.course = root / "course"  # the course as students have it, read-only
        self.exchange = root / "exchange"  # what nbgrader's commands pass through
        self.homes = root / "homes"  # of students and teachers, each for its owner only
        self.etc = root / "etc"  # settings of JupyterLab and nbgrader for everybody's server
        self.pages = root / "pages"  # the games, each in a page that plays by itself
        # For teachers only: the whole course with solutions and grader; gradebook, collected
        # hand-ins and reports.
        self.teacher, self.class_folder = root / "teacher", root / "class"
        # For root only: the hub's database, secrets, certificate and first passwords.
        self.private = root / "private"
        self._chosen = self.private / "settings.json"
        # Groups of the system.
        self.students, self.teachers = f"{root.name}-students", f"{root.name}-teachers"

    def settings(self) -> Settings:
        """What was chosen. Raises HubError where no server was set up."""
        if not self._chosen.exists():
            raise HubError(
                f"{self.root} holds no server: rlcourse hub init --roster class.csv sets one up"
            )
        chosen = json.loads(self._chosen.read_text(encoding="utf-8"))
        return Settings(**{**chosen, "teachers": tuple(chosen["teachers"])})

    def remember(self, teachers: Iterable[str] = (), **chosen: Any) -> Settings:
        """Keep what was chosen beside what was chosen before; None chooses nothing.

        Teachers are added. Raises HubError where there are none.
        """
        before = self.settings() if self._chosen.exists() else Settings(())
        everybody = tuple(dict.fromkeys([*before.teachers, *teachers]))
        if not everybody:
            raise HubError("a server needs a teacher, such as --teacher turing")
        given = {name: value for name, value in chosen.items() if value is not None}
        settings = replace(before, teachers=everybody, **given)
        write_atomically(self._chosen, json.dumps(asdict(settings), indent=1), private=True)
        return settings

    def python(self) -> Path:
        """The Python that runs the hub and everybody's server."""
        return Path(self.settings().environment) / "bin" / "python"
