"""Sheets are fetched to where a student's sheets are; nbgrader wants the whole path."""

from pathlib import Path

c = get_config()
c.Exchange.assignment_dir = str(Path.home() / "my" / "exercises")
