"""The pages for the teacher: one a lesson, short, with mistakes that the sheets name and the counts
of a class.
"""

import json
import re
import tomllib

import pytest

from rlcourse.checks import get_sheet
from rlcourse.checks.course import CourseSettings, lesson_numbers
from rlcourse.grading.lesson_pages import NOTES, write_lesson_pages
from rlcourse.grading.sources import BadCourse, Course
from tests.grading.course import ROOT

WRITTEN = tomllib.loads((ROOT / "solutions" / NOTES).read_text(encoding="utf-8"))


def test_every_lesson_has_its_words():
    assert list(WRITTEN) == lesson_numbers(ROOT)


@pytest.mark.parametrize("number", WRITTEN)
def test_a_page_is_short_and_names_mistakes_that_the_sheet_knows(number):
    words = WRITTEN[number]
    assert 3 <= len(words["show"]) <= 5 and 2 <= len(words["says"]) <= 4 and words["cut"]
    entries = [entry.split(".") for entry in words.get("mistakes", [])]
    # Headings and the links at the end are five lines more.
    assert len(words["show"]) + len(words["says"]) + len(entries) + 1 + 5 <= 25
    for task, mistake in entries:
        assert mistake in get_sheet(number[:2]).task(task).mistakes, (number, task, mistake)


def test_pages_count_what_the_class_did_and_follow_the_course(tmp_path):
    given = tmp_path / "class" / "01" / "given.json"
    given.parent.mkdir(parents=True)
    entries = [
        {"outcomes": {"draft": "uniform", "boltzmann": "right"}},
        {"outcomes": {"draft": "uniform", "boltzmann": "zero"}},
        {"outcomes": {"draft": "not started", "gone": "zero"}},
        {"points": 3},
    ]
    given.write_text(json.dumps(dict(enumerate(entries))))
    course = Course(ROOT)
    settings = CourseSettings(ROOT / "course.toml", ("01", "00", "03"), ("01",), {})
    course.__dict__["settings"] = settings  # as read from a file
    pages = write_lesson_pages(course, tmp_path)
    assert [page.stem for page in pages] == ["01", "00", "03"]
    text = pages[0].read_text()
    listed = re.findall(r"<li><code>(\w+)</code>: (.*?)</li>", text)
    assert listed[0][0] == "draft" and "(2 of this class)" in listed[0][1]
    assert listed[1][0] == "boltzmann" and "(1 of this class)" in listed[1][1]
    assert "(" not in re.sub(r"exp\(0\)|\(axis, keepdims\)", "", "".join(w for _, w in listed[2:]))
    assert len({words for _, words in listed}) == len(listed) == 5
    assert 'href="00.html"' in text and "55 minutes to read and try" in text
    assert "<code>" not in pages[2].read_text().partition("Only 45")[0].partition("Before")[2], (
        "sheet 03 is not in the course"
    )


def test_a_folder_without_the_words_is_refused(tmp_path):
    with pytest.raises(BadCourse, match="is not there"):
        write_lesson_pages(Course(tmp_path), tmp_path)


@pytest.mark.parametrize(("lessons", "words"), [(["12"], "nothing of lesson 12"), ([], "no pages")])
def test_a_lesson_without_words_is_named(lessons, words, tmp_path):
    course = Course(ROOT)
    course.__dict__["settings"] = CourseSettings(ROOT, tuple(lessons), (), {})
    with pytest.raises(BadCourse, match=words):
        write_lesson_pages(course, tmp_path)
