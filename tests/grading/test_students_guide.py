"""exercises/README.md, the student's guide, and the glossary: links, quoted messages and the
self-test's answers are right.
"""

import re

import nbformat
import numpy as np
import pytest

from rlcourse import hand_in
from rlcourse.checks import difference, get_sheet, sheet, task
from tests.notebooks.reading import ROOT, slug

GUIDE = (ROOT / "exercises" / "README.md").read_text("utf-8")
GLOSSARY = (ROOT / "exercises" / "GLOSSARY.md").read_text("utf-8")


def test_links_lead_somewhere():
    links = re.findall(r"\]\(([^)#]+)(?:#[^)]*)?\)", GUIDE)
    assert len(links) >= 6
    assert [link for link in links if not (ROOT / "exercises" / link).exists()] == []


def test_every_sheet_is_listed():
    for folder in sorted(
        path for path in (ROOT / "exercises").iterdir() if path.is_dir() and path.name.isdigit()
    ):
        assert get_sheet(folder.name).number == folder.name
        assert f"[{folder.name}]({folder.name}/" in GUIDE


def test_every_sheet_says_at_its_end_how_it_is_handed_in():
    sheets = sorted((ROOT / "exercises").glob("[0-9]*/*.ipynb"))
    ends = {
        path.parent.name: cell.source
        for path in sheets
        for cell in nbformat.read(path, as_version=4).cells
        if cell.id == "handin"
    }
    assert len(ends) == len(sheets) == 11
    assert [
        number for number, text in ends.items() if f"`rlcourse hand-in {number}`" not in text
    ] == []


def test_ten_folded_questions_and_balanced_boxes():
    assert re.findall(r"<summary>(\d+)\. ", GUIDE) == [str(k) for k in range(1, 11)]
    assert GUIDE.count("<details>") == GUIDE.count("</details>") == GUIDE.count("<summary>") >= 20


def test_the_answers_of_the_self_test():
    assert [x * x for x in range(4) if x != 2] == [0, 1, 9]
    q = np.array([[1, 5], [7, 2]])
    assert (q.max(), q.max(axis=1).tolist(), q.argmax(axis=1).tolist()) == (7, [5, 7], [1, 0])
    p, legal = np.array([0.5, 0.3, 0.2]), np.array([True, False, True])
    assert p[legal].tolist() == [0.5, 0.2]
    assert np.where(legal, p, 0).tolist() == [0.5, 0, 0.2]
    assert (np.ones((3, 4)) / np.ones((3, 1))).shape == (3, 4)
    with pytest.raises(ValueError, match="could not be broadcast"):
        np.ones((3, 4)) / np.ones(3)
    assert round(0.6 * 0.6 * 0.4, 12) == 0.144 and round(3 * 0.144, 12) == 0.432
    assert round(3 * 0.2 - 0.8, 12) == -0.2
    assert [round(np.exp(-k), 2) for k in (0, 1, 2)] == [1.0, 0.37, 0.14]


@pytest.mark.parametrize(
    ("words", "module"),
    [
        ("None (is there a return?)", difference),
        ("the answer is of another kind than the task asks for", task),
        ("the answer has another shape", task),
        ("the answer holds nan or infinity", task),
        ("Your function also wrote to stderr, which costs no points", sheet),
        ("no notebook of sheet", hand_in),
        ("does not say which", hand_in),
        ("keep this line", hand_in),
    ],
)
def test_quoted_messages_are_those_of_the_course(words, module):
    from pathlib import Path

    assert words in GUIDE
    assert words in Path(module.__file__).read_text("utf-8")


def test_the_glossary_is_in_order_and_every_entry_has_words():
    names = re.findall(r"(?m)^### (.+)$", GLOSSARY)
    assert names == sorted(names, key=str.lower)
    assert len({slug(name) for name in names}) == len(names)
    for entry in re.split(r"(?m)^### .+$", GLOSSARY)[1:]:
        assert 20 < len(entry.strip()) < 600
