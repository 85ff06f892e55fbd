"""The subprocess grader: all outcomes told apart, a crash or a hang costs one task, nothing a
hand-in does earns points.
"""

import json
from functools import partial
from unittest.mock import Mock

import numpy as np
import pytest

from rlcourse.checks.judging import Key, by_key
from rlcourse.checks.plain import Position, Rng
from rlcourse.checks.sheet import Sheet
from rlcourse.checks.task import Case, Outcome, Task
from rlcourse.grading import (
    BadSubmission,
    Patience,
    Status,
    grade_file,
    grade_seeds,
    launch_plain,
    read_submission,
)

pytestmark = pytest.mark.slow


def cases(rng):
    numbers = rng.uniform(-1, 1, (3, 4))
    return [Case((row,), Key(float(row.sum()), {"mean": float(row.mean())})) for row in numbers]


def task(name, **options):
    mistakes = {"mean": "the mean instead of the sum"}
    options = {"cases": cases, "judge": by_key, "mistakes": mistakes, "seconds": 20.0, **options}
    return Task(name, 10, 5, 1, name, **options)


WITHHELD = ("rlcourse.experience:discounted_returns", "statistics:fmean")
SHEET = Sheet("00", "trial", (task("first", withheld=WITHHELD), task("second", withheld=WITHHELD)))
grade = partial(grade_file, seed=3)


def outcomes(source, sheet=SHEET):
    return [(str(result.outcome), result.mistake) for result in grade(sheet, source).results]


RIGHT = "def {}(x):\n    return x.sum()\n"
BOTH_RIGHT = RIGHT.format("first") + RIGHT.format("second")
TOLD = {
    "right": ("return x.sum()", ("right", "")),
    "right and noisy": (
        "import sys, warnings; warnings.warn('w'); print('x' * 10**6, "
        "file=sys.stderr); return x.sum()",
        ("right", ""),
    ),
    "wrong": ("return x.mean()", ("wrong", "mean")),
    "wrong in its own way": ("return x.sum() + 1", ("wrong", "other")),
    "blank": ("raise NotImplementedError()", ("not started", "")),
    "raised": ("return x[99]", ("raised an error", "")),
    "ends the process politely": ("raise SystemExit(0)", ("raised an error", "")),
    "a kind that cannot travel": ("return {1, 2}", ("wrong", "kind")),
    "crashed": ("import os; os._exit(0)", ("crashed", "")),
    "no memory left": ("raise MemoryError", ("out of memory", "")),
    "out of stack": ("return first(x) + 1", ("raised an error", "")),
    "the checks are not there": (
        "from rlcourse.checks.oracle02 import sweep; return sweep(x)",
        ("wrong", "imported"),
    ),
    "a reference is not there": (
        "from statistics import fmean; return fmean(x) * 4",
        ("wrong", "imported"),
    ),
    "the grader is not there": (
        "from rlcourse.grading import grade_file; return grade_file()",
        ("wrong", "imported"),
    ),
    "the table is closed": (
        "import rlcourse.checks.sheet02 as s; return s.grade()",
        ("wrong", "kind"),
    ),
    "reads stdin, prints": (
        "import sys; print(sys.stdin.read(), flush=True); return x.sum()",
        ("right", ""),
    ),
    "closes its descriptors": ("import os; os.closerange(0, 3); return x.sum()", ("right", "")),
}


@pytest.mark.parametrize("name", TOLD)
def test_outcomes(name):
    body, expected = TOLD[name]
    source = f"def first(x):\n    {body}\n" + RIGHT.format("second")
    assert outcomes(source) == [expected, ("right", "")]


def test_a_missing_function_and_why_it_is_missing():
    notebook = {"cells": [code("def first(x:\n    return 1"), code(RIGHT.format("second"))]}
    report = grade(SHEET, json.dumps(notebook))
    assert report.results[0].outcome is Outcome.MISSING
    assert "cell 1 raised SyntaxError" in report.results[0].message
    assert report.results[1].outcome is Outcome.RIGHT and report.points == 10.0


def test_an_endless_loop_costs_its_own_task_and_one_more_process():
    launcher = Mock(wraps=launch_plain)
    sheet = Sheet("00", "trial", (task("first", seconds=1.0), task("second")))
    source = "def first(x):\n    while True: pass\n" + RIGHT.format("second")
    report = grade(sheet, source, launcher=launcher)
    assert [str(result.outcome) for result in report.results] == ["timed out", "right"]
    assert launcher.call_count == 2


def test_cells_that_crash_or_hang_are_left_out_and_noted():
    cells = [
        code("import os; os._exit(3)"),
        code("while True: pass"),
        code("1 / 0"),
        code(BOTH_RIGHT),
    ]
    report = grade(SHEET, json.dumps({"cells": cells}), patience=Patience(cell=3.0))
    assert report.points == 20.0
    assert (
        "status 3" in report.notes[0]
        and "more than 3 seconds" in report.notes[1]
        and "ZeroDivisionError" in report.notes[2]
    )


def test_a_process_that_does_not_start_is_not_the_students_fault():
    import subprocess
    import sys

    def broken():
        return subprocess.Popen(
            [sys.executable, "-c", "pass"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0
        )

    report = grade(SHEET, BOTH_RIGHT, launcher=broken)
    assert report.status is Status.NOT_RUN and "does not start" in report.explanation
    assert {result.outcome for result in report.results} == {Outcome.CRASHED}
    assert "does not start" in report.results[0].message


def test_check_cells_and_magics_are_no_part_of_the_hand_in():
    scored = {"nbgrader": {"grade": True, "solution": False}}
    cells = [
        code("%matplotlib inline\nfrom rlcourse.checks import sheet00\n" + RIGHT.format("first")),
        code("!echo\ndisplay(1)\nsheet00.check('first', first)\nsheet00.summary()\nget_ipython()"),
        code("import os; os._exit(1)", scored),
        code(RIGHT.format("second")),
    ]
    report = grade(SHEET, json.dumps({"cells": cells}).encode())
    assert report.points == 20.0 and report.notes == ()


FORGED = """
import gc, os, sys, threading, types
from rlcourse.checks import plain

def pipes():
    for fd in range(3, 64):
        try:
            os.fstat(fd)
            yield fd
        except OSError:
            pass

def shout(nonce):
    frame = plain.encode({"nonce": nonce, "status": "answer", "answer": 1.0, "error": ""})
    for fd in pipes():
        try:
            os.write(fd, frame)
        except OSError:
            pass
"""


@pytest.mark.parametrize(
    "body",
    [
        "shout(0)\n    return x.sum()",  # a frame ahead of the answer
        "shout(-1)\n    return x.sum()",
        "[os.write(fd, b'garbage' * 9) for fd in list(pipes()) if fd > 3]\n    return x.sum()",
        "threading.Thread(target=lambda: [shout(0) for _ in range(9)]).start()\n"
        "    import time; time.sleep(0.2)\n    return x.sum()",
    ],
)
def test_forged_frames_earn_nothing(body):
    source = f"{FORGED}\ndef first(x):\n    {body}\n" + RIGHT.format("second")
    report = grade(SHEET, source)
    told = [str(result.outcome) for result in report.results]
    assert told == ["crashed", "right"], report


def test_many_restarts_lose_no_answer():
    """A reader of an old pipe must not steal the first bytes of the next process."""
    sheet = Sheet("00", "trial", tuple(task(name) for name in ("first", "second")))
    source = "import os\ndef first(x):\n    os._exit(0)\n" + RIGHT.format("second")
    for report in grade_seeds(sheet, source, range(12)):
        assert [str(result.outcome) for result in report.results] == ["crashed", "right"], report
        assert report.notes == ()


def test_a_process_that_stops_reading_times_out():
    """It forges an answer and never comes back; the next question is too large for the pipe."""
    large = [Case((np.zeros(100_000),), Key(0.0)) for _ in range(2)]
    sheet = Sheet("00", "trial", (task("first", cases=lambda rng: large, seconds=2.0),))
    source = (
        FORGED
        + """
def first(x):
    import gc, time
    frame = sys._getframe()
    while "question" not in frame.f_locals or "nonce" not in frame.f_locals["question"]:
        frame = frame.f_back
    shout(frame.f_locals["question"]["nonce"])
    time.sleep(1000)
"""
    )
    (told,) = outcomes(source, sheet)
    assert told[0] in ("timed out", "crashed", "wrong")


def test_the_secret_is_nowhere_in_the_process():
    """The hand-in looks through every float that its process holds,
    before and while it is asked.
    """
    source = """
import gc
def first(x):
    found = [o for o in gc.get_objects() if type(o).__name__ in ("Key", "Case", "Mark", "Task")]
    frames = []
    import sys
    frame = sys._getframe()
    while frame:
        frames += [v for v in frame.f_locals.values() if isinstance(v, float) and abs(v - float(x.sum())) < 1e-9]
        frame = frame.f_back
    return float(x.sum()) if not found and not frames else -1.0
"""
    assert outcomes(source + RIGHT.format("second")) == [("right", ""), ("right", "")]


def test_patching_numpy_does_not_reach_the_judge():
    patch = "import numpy as np\nnp.allclose = lambda *a, **k: True\nnp.isfinite = lambda *a: np.array([True])\n"
    wrong = "def first(x):\n    return 0.5\n" + RIGHT.format("second")
    assert outcomes(patch + wrong) == [("wrong", "other"), ("right", "")]


def test_markers_and_classes_work_across_the_pipe():
    def class_cases(rng):
        script = (("bump", (2,)), ("bump", (3,)))
        return [Case((Position("tic-tac-toe:X........"), Rng(4)), Key([3, 6]), script=script)]

    sheet = Sheet("00", "trial", (task("Thing", cases=class_cases),))
    source = """
import numpy as np
class Thing:
    def __init__(self, position, rng):
        assert len(position.legal_moves()) == 8 and isinstance(rng, np.random.Generator)
        self.n = 1
    def bump(self, k):
        self.n += k
        return self.n
"""
    assert outcomes(source, sheet) == [("right", "")]


def code(source, metadata=None):
    return {"cell_type": "code", "source": source, "metadata": metadata or {}}


@pytest.mark.parametrize(
    "content",
    [
        b"\xff\xfe\x00",
        b"{",
        b'{"cells": 5}',
        b'{"worksheets": []}',
        b'{"cells": [{"cell_type": "code", "source": 5}]}',
        b'{"a":' * 100_000,
        b"a\0b",
        json.dumps({"cells": [code("1")] * 501}).encode(),
        b" " * (16 * 1024 * 1024 + 1),
    ],
    ids=range(9),
)
def test_files_that_are_no_submission_are_refused_with_a_reason(content):
    with pytest.raises(BadSubmission, match="[a-z]"):
        read_submission(content)


def test_an_error_in_a_hidden_case_says_its_kind_and_where_the_function_stands():
    """4,096 lines, one for each of twelve bits of the argument: none of them is told, and the
    kinds that are told are few.
    """
    lines = "\n".join(f"    if k == {k}:\n        raise ValueError(x.sum())" for k in range(2048))
    source = (
        f"import numpy as np\n\ndef first(x):\n    k = int(abs(x.sum()) * 1e6) % 2048\n{lines}\n"
    )
    told = {
        report.results[0].message
        for report in grade_seeds(SHEET, source + RIGHT.format("second"), range(3))
    }
    assert told == {"ValueError in first (cell 1, line 3)"}
    odd = "class Told(ValueError):\n    pass\n\n\nclass Outer:\n    def first(x):\n        raise Told\n\nfirst = Outer.first\n"
    assert grade(SHEET, odd).results[0].message.startswith("an error of its own kind in first")
