"""Speeds and times: the page shows the stored ratios, what is stored is
whole, minutes follow the probe.
"""

import json
from pathlib import Path

from rlcourse import benchmark
from tests.benchmarks.speeds import MODULES, Comparison
from tests.benchmarks.speeds import __main__ as speeds

ROOT = Path(__file__).resolve().parents[2]
SMALL = {
    "command": speeds.COMMAND,
    "machine": {"processor": "Some processor", "cores": 2},
    "rows": [
        ["games", "ours", "naive", "games", 1234.0, 12.34],
        ["steps", "ours", "naive", "steps", 30.0, 8.0],
    ],
}


def test_the_page_shows_the_stored_ratios():
    page = speeds.PAGE.read_text(encoding="utf-8")
    assert page == speeds.as_page(speeds.load_table()), f"{speeds.COMMAND} writes both"


def test_what_is_stored_is_whole():
    table, times = speeds.load_table(), benchmark.load_times()
    rows = [Comparison(*row) for row in table["rows"]]
    assert len(rows) >= 3 * len(MODULES)
    assert all(row.our_rate > 0 and row.their_rate > 0 for row in rows)
    assert set(times["notebooks"]) <= {path.stem for path in (ROOT / "notebooks").glob("*.ipynb")}
    assert times["probe"] > 0
    for stored in (table, times):
        assert stored["machine"]["processor"] and stored["command"] == speeds.COMMAND


def test_the_page_in_words():
    """1,234 against 12.34 games a second is 100 times; 30 against 8 is 3.75
    times, one digit below ten.
    """
    lines = speeds.as_page(SMALL).splitlines()
    assert "| games | ours: 1,230 | naive: 12 | games/s | 100x |" in lines
    assert "| steps | ours: 30 | naive: 8.0 | steps/s | 3.8x |" in lines
    assert lines[-1] == "Measured on: Some processor, 2 cores."


def test_a_computer_of_half_the_speed_takes_twice_the_minutes():
    """30 s and 90 s where the probe took 2 s; 4 s here: 60 s and 180 s."""
    times = {"probe": 2.0, "notebooks": {"00_a": 30.0, "01_b": 90.0}}
    assert dict(benchmark.minutes_here(times, 4.0)) == {"00_a": 1.0, "01_b": 3.0}


def test_storing_writes_the_table_and_its_page(tmp_path):
    rows = [Comparison("games", "ours", "naive", "games", 1234.5678, 12.0)]
    table, page = tmp_path / "table.json", tmp_path / "speeds.md"
    speeds.store(rows, table, page)
    stored = json.loads(table.read_text(encoding="utf-8"))
    assert stored["rows"] == [["games", "ours", "naive", "games", 1235.0, 12.0]]
    assert page.read_text(encoding="utf-8") == speeds.as_page(stored)
