"""Honest files get full points: exports, editors, encodings, old formats, magics, packages that
are not here; see `honest`.
"""

import pytest

from rlcourse.checks import get_sheet
from rlcourse.grading import grade_file
from rlcourse.grading.handed import read_handed
from tests.grading import honest
from tests.grading.course import few_drawn

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("name", honest.FILES)
def test_an_honest_file_gets_full_points(name):
    number, _ = honest.FILES[name]
    sheet, content = get_sheet(number), honest.content(name)
    report = grade_file(sheet, content, seed=0, cases=few_drawn(number))
    assert report.status.graded, report.explanation
    assert report.points == sum(task.points for task in sheet.tasks), [
        (r.task, str(r.outcome), r.message, r.private) for r in report.results
    ] + [*report.notes]
    # What a person marks is there, or it waits: it is never taken for blank.
    handed = read_handed(content, [item.name for item in (*sheet.tasks, *sheet.manual)])
    assert not handed.blank & {item.name for item in sheet.manual}
    assert {item.name for item in sheet.manual} <= {*handed.answers, *handed.missing}
    if not name.endswith(".py") and not handed.missing:
        assert handed.answers["explanation"].source == honest.WORDS


def test_there_are_forty_of_them():
    assert len({honest.content(name) for name in honest.FILES}) == len(honest.FILES) >= 40
