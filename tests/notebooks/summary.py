"""A pytest plugin: how many of the printing cells of each notebook are compared, in the closing summary."""

import pytest

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
