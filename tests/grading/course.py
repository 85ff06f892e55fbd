"""A course folder for tests of nbgrader: a sheet's sources and settings in a folder of its
own, and submissions to it.
"""

import shutil
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import nbformat
import pytest
from IPython.core.interactiveshell import InteractiveShell
from IPython.utils.capture import capture_output
from matplotlib import pyplot
from nbclient import NotebookClient
from traitlets.config import Config

from rlcourse.checks import get_sheet
from rlcourse.checks.task import Case, Task
from rlcourse.grading.sources import read_schema_here

ROOT = Path(__file__).resolve().parents[2]
# its tasks are judged by rules, not by one right answer: tests of its own, in test_capstone
CAPSTONE = "10"
SHEETS = sorted(path.name for path in (ROOT / "solutions").iterdir() if path.is_dir())
NUMBERS = [number for number in SHEETS if number != CAPSTONE]
# The experiment of each sheet with few seeds or games, and in fewer settings.
FEW_SEEDS = {
    "01": (("range(60)", "range(3)"), ("60 * sum", "3 * sum")),
    "08": (("seeds, panels = 40", "seeds, panels = 2"),),
    "10": (('"connect-four"), 200', '"connect-four"), 10'),),
    "03": (("range(10)", "range(2)"),),
} | dict.fromkeys(("02", "04", "05", "06", "07", "09", "11"), (("range(20)", "range(2)"),))
FEW_SETTINGS = {
    "01": ((", 1024]", "]"),),
    "02": (("600, seed)[0]", "20, seed)[0]"), ("np.arange(20, 601, 20)", "np.arange(20, 21, 20)")),
    "03": (("[1, 3, 10, 30, 100, 300]", "[1, 10]"),),
    "04": (("[0, 0.2, 0.4, 0.6, 0.8, 0.9, 0.95, 1]", "[0, 0.9]"),),
    "05": (("[0.05, 0.1, 0.15, 0.2, 0.3]", "[0.1, 0.2]"),),
    "07": (("[0, 0.2, 0.4, 0.6, 0.8, 1.0]", "[0, 1.0]"),),
    "11": (("[10, 30, 100, 300, 1000, 3000]", "[10, 30]"),),
}
# Words of each sheet's solutions that may not stand in the release.
SECRET = {
    "01": ("replace=False", "55.9%", "52.0% to 79.9%"),
    "02": ("np.linalg.solve(np.eye", "18 and 19 are not visited"),
    "03": (
        'step % every == 0:\\n",\n    "            target',
        "copy 9",
        "9 * np.array",
        "p / p.sum()",
    ),
    "04": ("gamma**n * values[n]", "about 0.4 to about 0.9", "every return is +1 or −1"),
    "05": (
        "goal < 0 and point != rearmost",
        "win - win_gammon",
        "7**2 + 5**2",
        "0.57 of the noise",
    ),
    "06": (
        "breathes(after, point)",
        "np.add.at(gradient",
        "rock 0.6, paper 0.2",
        "nearly at random",
    ),
    "07": (
        "points[1 + result]",
        "minus the advantage",
        "worth nothing at σ",
        "three times as many games",
    ),
    "08": (
        "sign * ahead",
        "if left > 0 else 1.0",
        "more of them make it worse",
        "averages over random replies",
    ),
    "09": (
        "relative ** power",
        "sign[last] * root[last]",
        "saves nearly half of the games",
        "the search repeats the table's opinion",
    ),
    "11": ("q[following].mean()", "chase each other", "Only the averages"),
}


@cache
def hidden_cases(number: str, name: str, seed: int) -> list[Case]:
    """The hidden cases of a task, drawn once a process: some take seconds."""
    return get_sheet(number).task(name).hidden_cases(seed)


def drawn_once(number: str) -> Callable[[Task, int], list[Case]]:
    """`hidden_cases` of this sheet, as the grader asks for them."""
    return lambda task, seed: hidden_cases(number, task.name, seed)


def few_drawn(number: str) -> Callable[[Task, int], list[Case]]:
    """The first hidden case of each task, for files of which it is known that the answers are right:
    tests.wrong_answers asks those all cases.
    """
    return lambda task, seed: hidden_cases(number, task.name, seed)[:1]


def with_cases_of(number: str) -> pytest.MarkDecorator:
    """Marks a test that needs hidden cases of a sheet: all of these run in one process."""
    return pytest.mark.xdist_group(f"cases of {number}")


def of_every_task(numbers: list[str]) -> pytest.MarkDecorator:
    """Parametrise a test by (number, task)."""
    parts = [
        pytest.param(number, task, id=f"{number}-{task.name}", marks=with_cases_of(number))
        for number in numbers
        for task in get_sheet(number).tasks
    ]
    return pytest.mark.parametrize(("number", "task"), parts)


def replaced(source: str, pairs: Iterable[tuple[str, str]]) -> str:
    """The source with the first of each pair, which it has, replaced by the second."""
    for old, new in pairs:
        assert old in source
        source = source.replace(old, new)
    return source


@dataclass(frozen=True)
class Course:
    """One sheet: its source, its release, and submissions to it in
    `folder`, where nbgrader works.
    """

    number: str
    folder: Path | None = None
    api: Any = None

    @property
    def source(self) -> Path:
        """The instructor's notebook."""
        (path,) = (ROOT / "solutions" / self.number).glob("*.ipynb")
        return path

    @property
    def release(self) -> Path:
        """The committed notebook of the students."""
        return ROOT / "exercises" / self.number / self.source.name

    def students_files(self) -> list[Path]:
        """What students get beside the notebook."""
        folder = self.release.parent
        return sorted(path for path in folder.iterdir() if path.suffix in (".py", ".json"))

    def fill(self, sources: dict[str, str], written: str = "") -> nbformat.NotebookNode:
        """The committed release with these sources in the solution cells of that id."""
        release = nbformat.read(self.release, 4)
        for cell in release.cells:
            cell.source = sources.get(
                cell.id, written if cell.id == "explanation" and written else cell.source
            )
        return release

    def solutions(self) -> dict[str, str]:
        """id -> source of every solution cell of the instructor's notebook, the
        experiment in a short version.
        """
        found = {}
        for cell in nbformat.read(self.source, 4).cells:
            if cell.metadata.nbgrader.solution and cell.cell_type == "code":
                lines = [
                    line
                    for line in cell.source.split("\n")
                    if "### BEGIN" not in line and "### END" not in line
                ]
                found[cell.id] = "\n".join(lines)
        for shorter in (FEW_SEEDS, FEW_SETTINGS):
            found["experiment"] = replaced(found["experiment"], shorter.get(self.number, ()))
        return found

    def collect(self, student: str, notebook: nbformat.NotebookNode) -> None:
        """Put a notebook where nbgrader collects that student's submission."""
        place = self.folder / ".course" / "submitted" / student / self.number
        place.mkdir(parents=True)
        nbformat.write(notebook, place / self.source.name)

    def scores(self, student: str) -> dict[str, tuple[float, bool]]:
        """item -> (points that nbgrader gave, whether a person still has to mark it)."""
        from nbgrader.api import Gradebook

        with Gradebook(self.api.coursedir.db_url) as book:
            notebook = book.find_submission_notebook(self.source.stem, self.number, student)
            told = {
                grade.name: (grade.auto_score, grade.needs_manual_grade)
                for grade in notebook.grades
            }
        return {name.removeprefix("check-"): values for name, values in told.items()}


def make_course(number: str, folder: Path) -> Course:
    """A copy of the sheet's source with nbgrader's settings, the release generated."""
    from nbgrader.apps import NbGraderAPI
    from traitlets.config import PyFileConfigLoader

    read_schema_here()
    shutil.copytree(ROOT / "solutions" / number, folder / "solutions" / number)
    shutil.copy(ROOT / "nbgrader_config.py", folder)
    api = NbGraderAPI(config=PyFileConfigLoader("nbgrader_config.py", str(folder)).load_config())
    result = api.generate_assignment(number, force=True)
    assert result["success"], result["log"]
    return Course(number, folder, api)


def text_of(output: nbformat.NotebookNode) -> str:
    """What an output prints. Nothing may go to stderr."""
    if output.output_type == "stream":
        assert output.name == "stdout", output.text
        return output.text
    return output.get("data", {}).get("text/plain", "")


def run_here(notebook: nbformat.NotebookNode) -> dict[str, str]:
    """Cell id -> what it prints, after all cells have run in an IPython of this process, which
    costs no kernel. The cells get their numbers.
    """
    pyplot.close("all")
    shell, printed = InteractiveShell(config=Config({"HistoryManager": {"enabled": False}})), {}
    cells = [cell for cell in notebook.cells if cell.cell_type == "code"]
    for number, cell in enumerate(cells, start=1):
        with capture_output(display=False) as captured:
            result = shell.run_cell(cell.source)
        assert result.success and not captured.stderr, captured.stdout + captured.stderr
        printed[cell.id], cell.execution_count = captured.stdout, number
    return printed


def run_all(notebook: nbformat.NotebookNode, folder: Path) -> dict[str, str]:
    """Cell id -> what it prints, after all cells have run in `folder`."""
    NotebookClient(notebook, timeout=None, resources={"metadata": {"path": str(folder)}}).execute()
    return {
        cell.id: "".join(text_of(output) for output in cell.outputs)
        for cell in notebook.cells
        if cell.cell_type == "code"
    }
