"""The stored table of ratios, the README's copy of it, and how long the notebooks take here."""

import json
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

from rlcourse.atomic import write_atomically
from rlcourse.benchmarks import Comparison
from rlcourse.results import machine

ROOT = Path(__file__).resolve().parents[2]
TABLE = Path(__file__).with_name("table.json")
COMMAND = "rlcourse benchmark --store"
MARKS = "<!-- from here on: rlcourse benchmark --store -->", "<!-- up to here -->"


def load_table(path: Path = TABLE) -> dict[str, Any]:
    """command, machine, probe (seconds), notebooks (name -> seconds), rows (the fields of `Comparison`)."""
    return json.loads(path.read_text(encoding="utf-8"))


def store(
    rows: Sequence[Comparison],
    notebooks: dict[str, float],
    probed: float,
    *,
    root: Path = ROOT,
    table: Path = TABLE,
) -> None:
    """Write the table, and its copy into the README of the course's folder where that is."""
    head = {
        "command": COMMAND,
        "machine": machine(),
        "probe": round(probed, 3),
        "notebooks": notebooks,
    }
    lines = ",\n".join(
        "  " + json.dumps([*row[:4], *(float(f"{rate:.4g}") for rate in row[4:])]) for row in rows
    )
    write_atomically(table, f'{json.dumps(head)[:-1]}, "rows": [\n{lines}\n]}}\n')
    readme = root / "README.md"
    if readme.is_file():
        write_atomically(readme, in_readme(readme.read_text(encoding="utf-8"), load_table(table)))


def in_readme(readme: str, stored: dict[str, Any]) -> str:
    """The README with the stored table between its marks. Raises ValueError where the marks are missing."""
    before, first, rest = readme.partition(MARKS[0])
    _, last, after = rest.partition(MARKS[1])
    if not (first and last):
        raise ValueError(
            f"README.md has no place for the table: the lines {MARKS[0]} and {MARKS[1]}"
        )
    return f"{before}{first}\n{as_markdown(stored)}\n{last}{after}"


def as_markdown(stored: dict[str, Any]) -> str:
    """The table as the README shows it."""
    rows = [Comparison(*row) for row in stored["rows"]]
    if not rows:
        return f"*Not measured yet: `{COMMAND}` on an idle computer writes the table.*"
    told = [
        f"| {row.what} | {row.ours}: {_rate(row.our_rate)} | {row.theirs}: {_rate(row.their_rate)} | {row.unit}/s "
        f"| {row.ratio:,.{int(row.ratio < 10)}f}x |"
        for row in rows
    ]
    on = f"{stored['machine']['processor']}, {stored['machine']['cores']} cores"
    head = ["| what | the course | against | in | ratio |", "|---|---|---|---|---|"]
    return "\n".join([*head, *told, "", f"Measured on: {on}."])


def _rate(rate: float) -> str:
    return f"{float(f'{rate:.3g}'):,.{0 if rate >= 10 else 1}f}"


def probe() -> float:
    """Seconds that this computer takes for a fixed piece of each kind of work in the notebooks: the interpreter, compiled
    loops, a network's steps. What happens only once (compiling, loading) is left out; the better of two rounds counts."""
    from rlcourse.agents import make_agent
    from rlcourse.games import get_game
    from rlcourse.learning import games, make_learner, train
    from rlcourse.self_play import simulate_game

    agent = make_agent("random", get_game("connect-four"), seed=0)

    def round_of_work() -> float:
        """Seconds by the clock."""
        started = time.perf_counter()
        for _ in range(100):
            simulate_game(agent, agent)
        for name, count in (("q-table", 20_000), ("deep-q", 5_000)):
            for _ in train(make_learner(name, seed=0), until=games(count), every=1_000, seed=0):
                pass
        return time.perf_counter() - started

    round_of_work()
    return min(round_of_work(), round_of_work())


def minutes_here(stored: dict[str, Any], probed: float) -> Iterator[tuple[str, float]]:
    """(notebook, minutes it is expected to take here): the stored seconds, in proportion to the probe."""
    for name, seconds in stored["notebooks"].items():
        yield name, seconds * probed / stored["probe"] / 60


def time_notebooks(report: Callable[[str], None] = print, root: Path = ROOT) -> dict[str, float]:
    """Run every notebook from top to bottom; name -> seconds. The files stay as they are."""
    import nbformat
    from nbclient import NotebookClient

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
