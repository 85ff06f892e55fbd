"""`python -m tests.benchmarks.whole_class`: 200 mixed hand-ins, killed twice:
seconds, memory, what was lost.

Right, wrong and blank answers of the grader's own trial, and in every tenth hand-in
something hostile or malformed.
"""

import argparse
import json
import os
import random
import resource
import signal
import subprocess
import sys
import tempfile
import time
from importlib import import_module
from pathlib import Path

import nbformat

from rlcourse.checks import get_sheet
from tests.grading.course import Course

HOSTILE = (
    "import os; os._exit(1)",
    "x = bytearray(10**11)",
    "import os\n    while True: os.fork()",
    "while True: pass",
    "import socket; socket.create_connection(('1.1.1.1', 80), 2)",
)


def write_class(number: str, size: int, folder: Path) -> None:
    """One folder a student."""
    rng, course, sheet = random.Random(0), Course(number), get_sheet(number)
    answers, right = import_module(f"rlcourse.checks.answers{number}"), course.solutions()
    for k in range(size):
        sources = dict(right)
        for task in sheet.tasks:
            kind = rng.random()
            if kind < 0.3:
                sources[task.name] = rng.choice(answers.WRONG[task.name])[1]
            elif kind < 0.4:
                sources.pop(task.name)
        if k % 10 == 9:
            task = sheet.tasks[k // 10 % len(sheet.tasks)]
            sources[task.name] = (
                f"def {task.function}(*args):\n    {HOSTILE[k // 10 % len(HOSTILE)]}"
            )
        place = folder / f"s{k:03d}"
        place.mkdir(parents=True)
        content = nbformat.writes(course.fill(sources, f"Explanation {k}."))
        (place / "x.ipynb").write_text(content[:300] if k % 50 == 49 else content, encoding="utf-8")


def main(number: str, size: int, jobs: int, kills: int) -> None:
    """Grade, kill, grade on; print what it took."""
    with tempfile.TemporaryDirectory() as base:
        folder = Path(base)
        os.chmod(folder, 0o755)
        write_class(number, size, folder / "in")
        options = ["--submissions", folder / "in", "--out", folder / "out", "--jobs", jobs, "--yes"]
        command = [sys.executable, "-m", "rlcourse.cli", "grade", number, *map(str, options)]
        records = folder / "out" / "class" / number / "records"
        started, kept = time.perf_counter(), 0
        for k in range(kills):
            process = subprocess.Popen(
                command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
            )
            while process.poll() is None and len(list(records.glob("*.json"))) < (k + 1) * size // (
                kills + 1
            ):
                time.sleep(0.1)
            process.send_signal(signal.SIGKILL)
            process.wait()
            kept = len(list(records.glob("*.json")))
            print(
                f"killed after {time.perf_counter() - started:.0f} s with {kept} records",
                flush=True,
            )
        last = subprocess.run(command, capture_output=True, text=True)
        seconds = time.perf_counter() - started
        used = resource.getrusage(resource.RUSAGE_CHILDREN)
        given = json.loads(
            (folder / "out" / "class" / number / "given.json").read_text(encoding="utf-8")
        )
        outcomes: dict[str, int] = {}
        for path in records.glob("*.json"):
            record = json.loads(path.read_text(encoding="utf-8"))
            for words in [result["outcome"] for result in record["results"]] or [record["status"]]:
                outcomes[words] = outcomes.get(words, 0) + 1
        print(last.stdout[-600:], last.stderr[-300:] if last.returncode else "")
        print(
            f"{len(given)} of {size} students have a result after {kills} kills; tasks "
            f"by outcome: {outcomes}"
        )
        print(
            f"{seconds:.0f} s in all ({seconds / size:.2f} a hand-in), "
            f"{used.ru_utime + used.ru_stime:.0f} s of one core"
        )
        print(f"the grader's largest memory: {used.ru_maxrss / 1024:.0f} MB")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sheet", default="02")
    parser.add_argument("--size", type=int, default=200)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--kills", type=int, default=2)
    chosen = parser.parse_args()
    main(chosen.sheet, chosen.size, chosen.jobs, chosen.kills)
