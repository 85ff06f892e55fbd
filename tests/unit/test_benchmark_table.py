"""The table of speeds: the README shows what is stored, and what is stored is whole."""

from pathlib import Path

import pytest

from rlcourse.benchmarks import MODULES, Comparison, stored

ROOT = Path(__file__).resolve().parents[2]
SMALL = {
    "machine": {"processor": "Some processor", "cores": 2},
    "probe": 2.0,
    "notebooks": {"00_a": 30.0, "01_b": 90.0},
    "rows": [
        ["games", "ours", "naive", "games", 1234.0, 12.34],
        ["steps", "ours", "naive", "steps", 30.0, 8.0],
    ],
}


def test_the_readme_shows_the_stored_table():
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    assert stored.in_readme(readme, stored.load_table()) == readme, f"{stored.COMMAND} writes both"


def test_the_stored_table_is_whole():
    table = stored.load_table()
    rows = [Comparison(*row) for row in table["rows"]]
    if not rows:
        assert "Not measured yet" in stored.as_markdown(table)
        pytest.skip(f"nothing is stored yet: {stored.COMMAND}")
    assert len(rows) >= 3 * len(MODULES) and all(
        row.our_rate > 0 and row.their_rate > 0 for row in rows
    )
    assert set(table["notebooks"]) <= {path.stem for path in (ROOT / "notebooks").glob("*.ipynb")}
    assert (
        table["probe"] > 0 and table["machine"]["processor"] and table["command"] == stored.COMMAND
    )


def test_the_table_in_words():
    """1,234 against 12.34 games a second is 100 times; 30 against 8 is 3.75 times, one digit below ten."""
    lines = stored.as_markdown(SMALL).splitlines()
    assert lines[2] == "| games | ours: 1,230 | naive: 12 | games/s | 100x |"
    assert lines[3] == "| steps | ours: 30 | naive: 8.0 | steps/s | 3.8x |"
    assert lines[-1] == "Measured on: Some processor, 2 cores."


def test_a_computer_of_half_the_speed_takes_twice_the_minutes():
    """30 s and 90 s where the probe took 2 s; 4 s here: 60 s and 180 s."""
    assert dict(stored.minutes_here(SMALL, 4.0)) == {"00_a": 1.0, "01_b": 3.0}


def test_storing_writes_the_table_and_only_its_place_in_the_readme(tmp_path):
    readme, first, last = tmp_path / "README.md", *stored.MARKS
    readme.write_text(f"before\n{first}\nold\n{last}\nafter\n", encoding="utf-8")
    rows = [Comparison("games", "ours", "naive", "games", 1234.5678, 12.0)]
    stored.store(rows, {"00_a": 30.0}, 2.0, root=tmp_path, table=tmp_path / "table.json")
    text = readme.read_text(encoding="utf-8")
    assert (
        text.startswith(f"before\n{first}\n| what |")
        and text.endswith(f"\n{last}\nafter\n")
        and "old" not in text
    )
    table = stored.load_table(tmp_path / "table.json")
    assert table["rows"] == [["games", "ours", "naive", "games", 1235.0, 12.0]] and table[
        "notebooks"
    ] == {"00_a": 30.0}
    assert stored.in_readme(text, table) == text
    with pytest.raises(ValueError, match="no place for the table"):
        stored.in_readme("nothing here", table)
