"""Whatever a hand-in answers or holds, the grader's own process stays small, and what is
beyond a bound is for a person.
"""

import time
import tracemalloc

import numpy as np
import pytest

from rlcourse.checks import get_sheet
from rlcourse.checks.examining import judged
from rlcourse.checks.plain import MAX_ANSWER, TooLarge, decode, encode
from rlcourse.checks.task import Outcome
from rlcourse.grading import grade_file
from tests.grading.course import SHEETS, hidden_cases, of_every_task
from tests.grading.test_grade import RIGHT, SHEET

MEGABYTE = 2**20
# Each fits into an answer of 1 MB, or nearly does; what it becomes when it is converted
# without a look is another matter.
HUGE = {
    "bytes": np.zeros(900_000, np.uint8),
    "rows of nothing": np.zeros((2**20, 0), np.uint8),
    "columns of nothing": np.zeros((0, 2**20), np.uint8),
    "rows of nine": np.zeros((100_000, 9), np.int8),
    "rows of one": np.zeros((900_000, 1), np.int8),
    "one long text among numbers": ["x" * 100_000, *range(40_000)],
    "long texts": [["x" * 1000, 1, 2]] * 200,
    "numbers": [1] * 120_000,
    "empty lists": [[]] * 80_000,
    "deep": [[[[[[[[1] * 4] * 4] * 4] * 4] * 4] * 4] * 4],
    "nothing": [],
    "a dict": dict.fromkeys(range(20000), 0),
}


def shapes_of_an_answer(case, value):
    """The value alone, and wherever the case lets an answer hold one."""
    yield value
    if case.watch:
        yield value, [value] * len(case.watch)
    if case.script:
        yield [value] * len(case.script)
    if case.calls > 1:
        yield [value] * case.calls


@of_every_task(SHEETS)
def test_no_judge_takes_long_or_much_for_a_huge_answer(number, task):
    case = hidden_cases(number, task.name, 1)[-1]
    for name, value in HUGE.items():
        for answer in shapes_of_an_answer(case, value):
            started = time.process_time()
            tracemalloc.start()
            try:
                mark = judged(task, case, answer)
                peak = tracemalloc.get_traced_memory()[1]
            finally:
                tracemalloc.stop()
            assert mark.score < 1.0, f"{name} is told right"
            assert peak < 64 * MEGABYTE, f"{name}: {peak / MEGABYTE:.0f} MB"
            assert time.process_time() - started < 20, name


def test_an_answer_has_at_most_a_megabyte():
    encode(np.zeros(MAX_ANSWER - 100, np.uint8), MAX_ANSWER)
    for value in (
        np.zeros(MAX_ANSWER, np.uint8),
        [np.zeros(MAX_ANSWER // 4, np.uint8)] * 4,
        ["x" * 300_000],
    ):
        with pytest.raises(TooLarge, match="at most"):
            encode(value, MAX_ANSWER)
    assert decode(encode(np.zeros(MAX_ANSWER + 1, np.uint8))).size == MAX_ANSWER + 1, (
        "a question may have more"
    )


@pytest.mark.slow
@pytest.mark.parametrize(
    "body", ["import numpy; return numpy.zeros(10**7)", "return ['x' * 600_000]"]
)
def test_an_answer_beyond_the_bound_is_for_a_person(body):
    report = grade_file(SHEET, f"def first(x):\n    {body}\n" + RIGHT.format("second"), seed=3)
    assert [result.outcome for result in report.results] == [Outcome.UNSETTLED, Outcome.RIGHT], (
        report
    )
    assert "larger than 1 MB" in report.results[0].message


FORGED = """
import os, sys
from rlcourse.checks import plain

def choose(*args):
    frame = sys._getframe()
    while "question" not in frame.f_locals or "nonce" not in frame.f_locals["question"]:
        frame = frame.f_back
    content = {"nonce": frame.f_locals["question"]["nonce"], "status": "answer", "answer": [], "error": ""}
    for fd in range(3, 64):
        try:
            os.write(fd, plain.encode(content))
        except OSError:
            pass
    import time
    time.sleep(0.5)
    os._exit(0)
"""


@pytest.mark.slow
def test_no_draws_at_all_are_not_right():
    """The process answers for itself, and forges the answer that any
    probabilities allow: no draw.
    """
    report = grade_file(get_sheet("02"), FORGED, seed=3)
    assert (
        next(result for result in report.results if result.task == "choose").outcome
        is not Outcome.RIGHT
    )
