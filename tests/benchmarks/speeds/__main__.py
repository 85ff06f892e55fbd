"""`python -m tests.benchmarks.speeds [--quick] [--store]`: speeds, as ratios
measured side by side in one run.

--store times the notebooks as well, and writes what was measured: the ratios beside this file and
as docs/speeds.md, the seconds of the notebooks for `rlcourse benchmark`.
"""

import argparse
import json
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import nbformat
from nbclient import NotebookClient

from rlcourse import benchmark
from rlcourse.atomic import write_atomically
from rlcourse.results import machine
from tests.benchmarks.speeds import Comparison, run

ROOT = Path(__file__).resolve().parents[3]
TABLE = Path(__file__).with_name("table.json")
PAGE = ROOT / "docs" / "speeds.md"
COMMAND = "python -m tests.benchmarks.speeds --store"


def load_table(path: Path = TABLE) -> dict[str, Any]:
    """command, machine, rows (the fields of `Comparison`)."""
    return json.loads(path.read_text(encoding="utf-8"))


def store(rows: Sequence[Comparison], table: Path = TABLE, page: Path = PAGE) -> None:
    """Write the rows, and the page that shows them."""
    head = json.dumps({"command": COMMAND, "machine": machine()})
    lines = ",\n".join(
        "  " + json.dumps([*row[:4], *(float(f"{rate:.4g}") for rate in row[4:])]) for row in rows
    )
    write_atomically(table, f'{head[:-1]}, "rows": [\n{lines}\n]}}\n')
    write_atomically(page, as_page(load_table(table)))


def as_page(stored: dict[str, Any]) -> str:
    """docs/speeds.md."""
    rows = [Comparison(*row) for row in stored["rows"]]
    table = [
        f"| {row.what} | {row.ours}: {_rate(row.our_rate)} | {row.theirs}: {_rate(row.their_rate)} "
        f"| {row.unit}/s | {row.ratio:,.{int(row.ratio < 10)}f}x |"
        for row in rows
    ]
    lines = [
        "# Speeds",
        "",
        "Each pair does the same work in turn, A B A B, in one run; the ratio is what carries "
        "over to another computer.",
        f"`{stored['command']}` measures them anew and writes this page.",
        "",
        "| what | the course | against | in | ratio |",
        "|---|---|---|---|---|",
        *table,
        "",
        f"Measured on: {stored['machine']['processor']}, {stored['machine']['cores']} cores.",
        "",
    ]
    return "\n".join(lines)


def _rate(rate: float) -> str:
    return f"{float(f'{rate:.3g}'):,.{0 if rate >= 10 else 1}f}"


def time_notebooks(report: Callable[[str], None] = print, root: Path = ROOT) -> dict[str, float]:
    """Run every notebook from top to bottom; name -> seconds. The files stay as they are."""
    took = {}
    for path in sorted((root / "notebooks").glob("*.ipynb")):
        notebook, started = nbformat.read(path, as_version=4), time.perf_counter()
        resources = {"metadata": {"path": str(path.parent)}}
        NotebookClient(
            notebook, timeout=1_800, kernel_name="python3", resources=resources
        ).execute()
        took[path.stem] = round(time.perf_counter() - started, 1)
        report(f"{path.stem}: {took[path.stem]:.0f} s")
    return took


def main() -> None:
    """The command."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="fewer repetitions")
    parser.add_argument("--store", action="store_true", help="write table, page and times")
    options = parser.parse_args()
    rows = list(run(quick=options.quick))
    if options.store:
        times = {"command": COMMAND, "machine": machine(), "probe": round(benchmark.probe(), 3)}
        times["notebooks"] = time_notebooks()
        store(rows)
        write_atomically(benchmark.TABLE, json.dumps(times, indent=1) + "\n")


if __name__ == "__main__":
    main()
