"""A pytest plugin: what each notebook compares, and how it measures, in the closing summary."""

import pytest

from tests.notebooks.measure import HEAD, measure, row
from tests.notebooks.reading import NOTEBOOKS, compared_share, read


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """One line a notebook, when tests of notebooks have run."""
    reports = [report for reports in terminalreporter.stats.values() for report in reports]
    if not any("tests/notebooks/" in getattr(report, "nodeid", "") for report in reports):
        return
    terminalreporter.section("notebooks: compared outputs")
    for path in NOTEBOOKS:
        compared, printing = compared_share(read(path))
        share = f"{compared / printing:.0%}" if printing else "none"
        terminalreporter.line(
            f"{path.stem:<32} {compared:3} of {printing:3} printing cells compared ({share})"
        )
    terminalreporter.section("lessons measured")
    terminalreporter.line(HEAD)
    for path in NOTEBOOKS:
        terminalreporter.line(row(path.stem.partition("_")[0], measure(read(path))))
