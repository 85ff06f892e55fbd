"""A class of honest students with every hostile file mixed in: `python -m tests.hostile around
[--students N] [--figures F]`.

One command grades it, as an instructor would. Everybody honest must have their points by
their own file, every hostile file must be told of, and the peak of the grader's memory is
read from the kernel's count.
"""

import argparse
import base64
import csv
import json
import os
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from io import BytesIO
from itertools import pairwise
from pathlib import Path

import nbformat
import numpy as np
from PIL import Image

from tests.grading.own_sheet import NUMBER, hand_in, own_course
from tests.hostile import files

NAMED = {  # of the files that once ended a run, in every selection
    ("texts", "60,000 blank lines"),
    ("texts", "a sum of 400"),
    ("texts", "9,000 minus signs"),
    ("texts", "a surrogate in the words"),
    ("shapes", "a surrogate as grade_id"),
    ("shapes", "two million dicts"),
}


@dataclass(frozen=True)
class Outcome:
    """What became of a class. trouble: sentences, none where all is well. peak, reader: bytes at
    most of the grader's process and of the one in which it reads files. seconds: by the clock;
    read: until the first result, in which all files are read; wait: the longest from one result to
    the next, for which one hand-in can have held another."""

    attacks: int
    students: int
    trouble: tuple[str, ...]
    peak: int
    reader: int
    seconds: float
    read: float = 0.0
    wait: float = 0.0
    output: str = ""

    def __str__(self) -> str:
        memory = f"{self.peak / 1e6:.0f} MB in the grader's process and {self.reader / 1e6:.0f} MB in its reader"
        what = f"{self.students} honest hand-ins, {self.attacks} hostile ones among them"
        waits = (
            f"{self.read:.0f} s until the first result, then at most {self.wait:.0f} s for the next"
        )
        return "\n".join(
            [
                f"{what}: {len(self.trouble)} with trouble; {memory}; {self.seconds:.0f} s, {waits}",
                *self.trouble,
            ]
        )


def selected(every: int) -> list[tuple[str, str]]:
    """Of each family every so-manieth attack, those of whose it is and
    when all, and those by name.
    """
    whole = ("whose", "when")
    return [
        one
        for k, one in enumerate(files.ATTACKS)
        if k % every == 0 or one[0] in whole or one in NAMED
    ]


def hold(students: int = 60, every: int = 1, boxed: bool = True, figures: int = 0) -> Outcome:
    """Grade the class and look at what came of it. figures: large ones in each honest hand-in."""
    with tempfile.TemporaryDirectory() as place, own_course(Path(place) / "own") as course:
        folder, attacks = Path(place), selected(every)
        written = _write(course, folder, students, attacks, figures)
        command = [
            sys.executable,
            "-m",
            "rlcourse.cli",
            "grade",
            NUMBER,
            "--submissions",
            folder / "in",
            "--course",
            course.folder,
        ]
        command += ["--roster", folder / "roster.csv", "--out", folder / "out", "--seed", "s"]
        command += [] if boxed else ["--without-a-box", "I-trust-every-hand-in"]
        started, clock = time.perf_counter(), time.time()
        with (folder / "output").open("w+") as output:
            process = subprocess.Popen(
                list(map(str, command)), stdout=output, stderr=subprocess.STDOUT
            )
            peak, reader = _watch(process)
            output.seek(0)
            text = output.read()
        seconds = time.perf_counter() - started
        trouble = (
            [f"the run ended with {process.returncode}: {text[-2000:]}"]
            if process.returncode
            else []
        )
        class_folder = folder / "out" / "class" / NUMBER
        trouble = trouble or _trouble(class_folder, students, attacks, written)
        read, wait = _waits(class_folder, clock)
        for path in (folder / "in").rglob("closed"):
            path.chmod(0o700)
        return Outcome(
            len(attacks), students, tuple(trouble), peak, reader, seconds, read, wait, text
        )


def _waits(class_folder: Path, started: float) -> tuple[float, float]:
    """(seconds from the start to the first result, the longest from one result to the next)."""
    times = sorted(path.stat().st_mtime for path in class_folder.glob("records/*.json"))
    gaps = [later - earlier for earlier, later in pairwise([started, *times])]
    return (gaps[0], max(gaps[1:], default=0.0)) if gaps else (0.0, 0.0)


def _write(
    course, folder: Path, students: int, attacks: list[tuple[str, str]], figures: int
) -> list[list[str]]:
    """The hand-ins and the roster; of each attack the paths that it wrote."""
    lines = ["id,name,email"]
    outputs = [
        nbformat.v4.new_output("display_data", {"image/png": _noise(k)}) for k in range(figures)
    ]
    for k in range(students):
        (folder / "in" / f"s{k:02}").mkdir(parents=True)
        (folder / "in" / f"s{k:02}" / "x.ipynb").write_bytes(
            hand_in(course, words=f"It looks {k} steps ahead.", outputs=outputs)
        )
        lines.append(f"s{k:02},Honest Number{k},s{k:02}@example.org")
    written = []
    for k, (family, name) in enumerate(attacks):
        other = k % students
        places = {
            "me": f"e{k:03}",
            "other": f"s{other:02}",
            "name": f"Honest Number{other}",
            "number": NUMBER,
        }
        written.append(files.write(folder / "in", family, name, **places))
        lines.append(f"e{k:03},Hostile Number{k},e{k:03}@example.org")
    (folder / "roster.csv").write_text("\n".join(lines) + "\n")
    return written


def _noise(seed: int) -> str:
    """A figure that no program packs well: 3.2 MB of base64."""
    pixels = np.random.default_rng(seed).integers(0, 256, (900, 900, 3), np.uint8)
    drawn = BytesIO()
    Image.fromarray(pixels).save(drawn, "PNG")
    return base64.b64encode(drawn.getvalue()).decode()


def _watch(process: subprocess.Popen) -> tuple[int, int]:
    """The most memory of the process and of its reader until it ends."""
    peaks: dict[int, int] = {}
    while process.poll() is None:
        for number in [process.pid, *_readers(process.pid)]:
            peaks[number] = max(peaks.get(number, 0), _peak(number))
        time.sleep(0.05)  # asks the kernel for its own record of the peak
    return peaks.pop(process.pid, 0), max(peaks.values(), default=0)


def _readers(parent: int) -> list[int]:
    """The process in which files are read, and its copy that reads one."""
    try:
        children = Path(f"/proc/{parent}/task/{parent}/children").read_text().split()
        readers = [
            int(one)
            for one in children
            if b"grading.reading" in Path(f"/proc/{one}/cmdline").read_bytes()
        ]
        return readers + [copy for reader in readers for copy in _readers(reader)]
    except OSError:
        return []


def _peak(number: int) -> int:
    try:
        lines = Path(f"/proc/{number}/status").read_text().splitlines()
        return next((1024 * int(line.split()[1]) for line in lines if line.startswith("VmHWM")), 0)
    except OSError:
        return 0


def _trouble(
    folder: Path, students: int, attacks: list[tuple[str, str]], written: list[list[str]]
) -> list[str]:
    trouble = []
    rows = {
        row["id"]: row for row in csv.DictReader((folder / "scores.csv").open(encoding="utf-8-sig"))
    }
    given, page = (
        json.loads((folder / "given.json").read_text()),
        (folder / "class.html").read_text(),
    )
    for k in range(students):
        row = rows[f"s{k:02}"]
        mine = (row["points"], row["file"], row["clock"]) == (
            "70",
            f"s{k:02}/x.ipynb",
            "the file's own time",
        )
        if not mine or given[row["id"]]["points"] != 70:
            trouble.append(f"CHANGED: {row}")
        if not (folder / "feedback" / f"s{k:02}.html").exists():
            trouble.append(f"LOST: the page of s{k:02}")
    for k, ((family, name), paths) in enumerate(zip(attacks, written, strict=True)):
        row = rows[f"e{k:03}"]
        if row["points"] not in ("", "0"):
            trouble.append(f"WON: {family}, {name}: {row}")
        listed = row["status"] != "nothing handed in" or any(
            path.split("/")[0] in page for path in paths
        )
        if not listed:
            trouble.append(f"SILENT: {family}, {name} is told of nowhere")
    return trouble


def main(arguments: list[str]) -> int:
    """Hold the class and print what came of it."""
    parser = argparse.ArgumentParser(prog="python -m tests.hostile around")
    parser.add_argument("--students", type=int, default=60)
    parser.add_argument("--every", type=int, default=1)
    parser.add_argument(
        "--figures", type=int, default=0, help="in each honest hand-in, of 3 MB each; 4 is the most"
    )
    parser.add_argument(
        "--plain", action="store_true", help="without boxes: the files themselves do no harm"
    )
    chosen = parser.parse_args(arguments)
    outcome = hold(chosen.students, chosen.every, boxed=not chosen.plain, figures=chosen.figures)
    print(f"user {os.geteuid()}: {outcome}")
    return 1 if outcome.trouble else 0
