"""Rows of long experiments, with the command that made them."""

import json
import os
import platform
from pathlib import Path
from typing import Any

from rlcourse.atomic import write_atomically

FOLDER = Path(__file__).parent


def load_results(name: str, folder: Path = FOLDER) -> dict[str, Any]:
    """The stored experiment: command, machine, rows. Raises FileNotFoundError with the remedy."""
    path = folder / f"{name}.json"
    if not path.exists():
        raise FileNotFoundError(
            f"no rows are stored for {name!r}; make them with: rlcourse experiment {name}"
        )
    return json.loads(path.read_text(encoding="utf-8"))


def stored_rows(name: str, folder: Path = FOLDER) -> list[dict[str, Any]]:
    """The rows that a run goes on from, none where nothing is stored.

    Those that another machine has made carry that `machine` themselves.
    """
    if not (folder / f"{name}.json").exists():
        return []
    before = load_results(name, folder)
    made_there = {} if before["machine"] == machine() else {"machine": before["machine"]}
    return [made_there | row for row in before["rows"]]


def save_results(
    name: str, command: str, rows: list[dict[str, Any]], folder: Path = FOLDER
) -> Path:
    """Write the rows, sorted by seed, in one step: a kill leaves the old file whole."""
    path = folder / f"{name}.json"
    rows = sorted(rows, key=lambda row: row["seed"])
    lines = ",\n".join("  " + json.dumps(row) for row in rows)
    head = json.dumps({"experiment": name, "command": command, "machine": machine()})
    write_atomically(path, f'{head[:-1]}, "rows": [\n{lines}\n]}}\n')
    return path


def machine() -> dict[str, Any]:
    """What the rows were made on."""
    return {
        "processor": _processor(),
        "cores": os.cpu_count(),
        "system": platform.system(),
        "python": platform.python_version(),
    }


def _processor() -> str:
    """Its name, on Linux with family and model: clouds sell fast and slow ones under one name."""
    try:
        text = Path("/proc/cpuinfo").read_text(encoding="utf-8")
    except OSError:
        return platform.processor() or platform.machine()
    return processor_in(text) or platform.processor() or platform.machine()


def processor_in(cpuinfo: str) -> str:
    """The first processor of a text like /proc/cpuinfo; "" where it names none."""
    pairs = (line.partition(":") for line in reversed(cpuinfo.splitlines()))
    facts = {name.strip(): fact.strip() for name, _, fact in pairs}
    name = facts.get("model name", "")
    if not {"model name", "cpu family", "model"} <= facts.keys():
        return name
    return f"{name} (family {facts['cpu family']}, model {facts['model']})"
