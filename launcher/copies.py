"""The student's folder my/: copies of the notebooks and sheets, brought up to date without
touching an answer.

`my/.manifest.json` remembers what was copied. A notebook counts as changed when the text of a cell
differs from what was copied; running it, or the empty cell that Jupyter adds at the end, changes
nothing. Whatever is about to be replaced and is not byte for byte what was copied goes to
my/backups/ first.
"""

import hashlib
import json
import re
import time
from itertools import count
from pathlib import Path

from launcher.console import Stop
from rlcourse.atomic import write_atomically

PARTS = ("notebooks", "exercises")
MANIFEST = ".manifest.json"
UPDATES = ".updates.json"  # what each `update` did, for rlcourse/progress.py
# The tasks of a sheet are read in the course's folder: a copy would only look as if it counted.
TASKS = re.compile(r"exercises/\d\d/([^/]+\.py|visible\.json)")
# Name that the course has dropped -> the names that took its place. A student's copy stays.
SUCCESSORS = {
    "notebooks/06_policy_gradients.ipynb": (
        "notebooks/06a_go_and_self_play.ipynb",
        "notebooks/06b_policy_gradients.ipynb",
    ),
    "notebooks/09_alphazero.ipynb": (
        "notebooks/09a_alphazero.ipynb",
        "notebooks/09b_laboratory.ipynb",
    ),
}
PICTURE = re.compile(rb"\bfigures/[\w.-]+")  # what a notebook shows of the folder beside it


def digest(data: bytes) -> str:
    """sha256 of the bytes, as hex."""
    return hashlib.sha256(data).hexdigest()


def written(name: str, data: bytes) -> str:
    """Fingerprint of what a person wrote in a file: the cells of a notebook without outputs, else
    all bytes.
    """
    if not name.endswith(".ipynb"):
        return digest(data)
    try:
        cells = json.loads(data.decode("utf-8"))["cells"]
        texts = [(cell["cell_type"], "".join(cell["source"]).strip()) for cell in cells]
    except (ValueError, KeyError, TypeError, AttributeError):
        return digest(data)
    return digest(json.dumps([pair for pair in texts if pair[1]]).encode())


def fingerprints(name: str, data: bytes) -> dict[str, str]:
    """What the manifest holds of a file that was copied."""
    return {"bytes": digest(data), "written": written(name, data)}


def _means(asked: str, name: str) -> bool:
    """Whether `asked` is this notebook's path or name, or the start of either up to "_"."""
    return f"/{asked}_" in f"/{name.removesuffix('.ipynb')}_"


class Copies:
    """my/ beside the course's folders.

    root: the folder with notebooks/ and exercises/. my: the student's folder. manifest: relative
    path -> {"bytes", "written"}, fingerprints of what was last copied there, and "offered", the
    fingerprint of a new version that was laid beside.
    """

    def __init__(self, root: Path, my: Path | None = None) -> None:
        self.root = root
        self.my = my or root / "my"
        self.manifest: dict[str, dict[str, str]] = self._read_manifest()

    def _read_manifest(self) -> dict[str, dict[str, str]]:
        """What was copied before.

        A damaged manifest is as none: then every copy counts as changed and is kept.
        """
        try:
            entries = json.loads((self.my / MANIFEST).read_text(encoding="utf-8"))
            return {name: dict(entry) for name, entry in entries.items()}
        except (OSError, ValueError, AttributeError, TypeError):
            return {}

    def save(self) -> None:
        """Write the manifest."""
        entries = json.dumps(self.manifest, indent=1, sort_keys=True)
        write_atomically(self.my / MANIFEST, entries)

    def course_files(self) -> list[str]:
        """Relative paths (with /) of what the course hands out."""
        files = []
        for part in PARTS:
            for path in sorted((self.root / part).rglob("*")):
                names = path.relative_to(self.root).parts
                hidden = any(name.startswith((".", "__pycache__")) for name in names)
                name = "/".join(names)
                if path.is_file() and not hidden and not TASKS.fullmatch(name):
                    files.append(name)
        return files

    def copy(self, name: str) -> None:
        """Put the course's version at its place and remember it."""
        data = (self.root / name).read_bytes()
        write_atomically(self.my / name, data)
        self.manifest[name] = fingerprints(name, data)

    def changed(self, name: str) -> bool:
        """Whether the student wrote in this copy since it was made; an unknown file is changed."""
        copied = self.manifest.get(name, {}).get("written")
        return written(name, (self.my / name).read_bytes()) != copied

    def backup(self, name: str, moment: time.struct_time | None = None) -> Path:
        """Copy the student's file to my/backups/DATE/, never over an older backup, and beside it
        the pictures that it shows. Returns where it lies.
        """
        stamp = time.strftime("%Y-%m-%d_%H%M%S", moment or time.localtime())
        data = (self.my / name).read_bytes()
        for number in count(1):
            folder = stamp if number == 1 else f"{stamp}-{number}"
            target = self.my / "backups" / folder / name
            if not target.exists():
                break
        write_atomically(target, data)
        for picture in {match.decode() for match in PICTURE.findall(data)}:
            mine, beside = (self.my / name).parent / picture, target.parent / picture
            if mine.is_file() and not beside.exists():
                write_atomically(beside, mine.read_bytes())
        return target

    def missing(self) -> list[str]:
        """Names of what is not in my/ yet."""
        return [name for name in self.course_files() if not (self.my / name).exists()]

    def bring_missing(self) -> list[str]:
        """Copy what is missing. Nothing that is there is touched. Returns the names."""
        missing = self.missing()
        for name in missing:
            self.copy(name)
        if missing:
            self.save()
        return missing

    def waiting(self) -> list[str]:
        """Names whose course version is newer than what was copied or offered, for `update`."""
        return [
            name
            for name in self.course_files()
            if (self.my / name).exists() and self._is_news(name)
        ]

    def _is_news(self, name: str) -> bool:
        entry, mine = self.manifest.get(name, {}), digest((self.my / name).read_bytes())
        known = (mine, entry.get("bytes"), entry.get("offered"))
        return digest((self.root / name).read_bytes()) not in known

    def update(self) -> dict[str, list[str]]:
        """Bring every file of my/ to the course's version, but leave those the student wrote in.

        Returns names by what happened: "new" copied for the first time; "replaced" by a newer
        version; "beside": the student's file stays and the newer version lies beside it under the
        name returned.
        """
        done: dict[str, list[str]] = {"new": self.bring_missing(), "replaced": [], "beside": []}
        for name in self.course_files():
            course, mine = (self.root / name).read_bytes(), (self.my / name).read_bytes()
            if course == mine:
                self.manifest[name] = fingerprints(name, course)
            elif not self._is_news(name):
                continue
            elif not self.changed(name):
                if digest(mine) != self.manifest[name]["bytes"]:
                    self.backup(name)
                self.copy(name)
                done["replaced"].append(name)
            elif written(name, course) == written(name, mine):
                self.manifest[name] = fingerprints(name, course)
            else:
                done["beside"].append(self._lay_beside(name, course))
        self.save()
        if any(done.values()):
            self._remember(done)
        return done

    def _remember(self, done: dict[str, list[str]]) -> None:
        """Add an update to those that the student's page shows. A damaged list is begun anew."""
        path = self.my / UPDATES
        try:
            entries = list(json.loads(path.read_text(encoding="utf-8")))
        except (OSError, ValueError, TypeError):
            entries = []
        entries.append({"time": time.strftime("%Y-%m-%dT%H:%M:%S%z"), **done})
        write_atomically(path, json.dumps(entries, indent=1))

    def _lay_beside(self, name: str, course: bytes) -> str:
        """Put the new version next to a file that stays; an older offer with writing stays too."""
        path = Path(name)
        for number in count(1):
            label = "new" if number == 1 else f"new{number}"
            offer = path.with_name(f"{path.stem}.{label}{path.suffix}").as_posix()
            older = self.my / offer
            if not older.exists() or not self.changed(offer):
                break
        if older.exists() and digest(older.read_bytes()) != self.manifest[offer]["bytes"]:
            self.backup(offer)
        write_atomically(older, course)
        self.manifest[offer] = fingerprints(offer, course)
        self.manifest.setdefault(name, {})["offered"] = digest(course)
        return offer

    def find(self, wanted: str) -> list[str]:
        """The files that NAME of `reset NAME` means: a path, a folder, or the start of one
        notebook's name.
        """
        names = self.course_files()
        asked = wanted.replace("\\", "/").strip("./").removeprefix("my/").removesuffix(".ipynb")
        if asked in names:
            return [asked]
        asked = re.sub("(?i)^sheet *", "exercises/", asked)
        asked = re.sub(r"\b(\d)(?!\d)", r"0\1", asked)  # "1", "6a", "exercises/1"
        folder = [name for name in names if name.startswith(asked + "/")]
        notebooks = [name for name in names if name.endswith(".ipynb")]
        meant = folder or [name for name in notebooks if _means(asked, name)]
        for old, successors in SUCCESSORS.items():
            if _means(asked, old):
                meant += [name for name in successors if name in names and name not in meant]
        listed = "\n".join("    python start.py reset " + name for name in meant or notebooks)
        if not meant:
            raise Stop(f"There is no notebook or sheet named {wanted!r}. There are:\n{listed}")
        if not folder and len(meant) > 1:
            raise Stop(f"{wanted!r} can mean several files. Say which:\n{listed}")
        return meant

    def reset(self, wanted: str) -> list[tuple[str, Path | None]]:
        """Put fresh copies in place of the named files. Returns (name, the backup of the old one),
        None where the student's file was missing or already fresh.
        """
        done, moment = [], time.localtime()
        for name in self.find(wanted):
            mine = self.my / name
            stale = mine.exists() and mine.read_bytes() != (self.root / name).read_bytes()
            backup = self.backup(name, moment) if stale else None
            self.copy(name)
            done.append((name, backup))
        self.save()
        return done
