"""What a person marks: found where it stands, and never taken for blank because it
is not where it should be.
"""

import base64
import json
import subprocess
import sys
from io import BytesIO

import numpy as np
import pytest
from PIL import Image

from rlcourse.grading.handed import read_handed
from tests.grading.honest import PNG

STUB = 'def draw():\n    """Draw it."""\n    # YOUR CODE HERE\n    raise NotImplementedError()\n\n\nsheet01.attempt(\'experiment\', draw)'
DRAWN = STUB.replace("    # YOUR CODE HERE\n    raise NotImplementedError()", "    plt.plot([1])")
FIGURE = [{"output_type": "display_data", "data": {"image/png": PNG}}]
UNWRITTEN = "*Your answer here.*"


def cell(name, source, outputs=(), kind=None, **nbgrader):
    kind = kind or ("code" if name == "experiment" else "markdown")
    entry = (
        {"nbgrader": {"grade_id": name, "solution": True, "grade": True, **nbgrader}}
        if name
        else {}
    )
    return {"cell_type": kind, "metadata": entry, "source": source, "outputs": list(outputs)}


def handed(*cells):
    return read_handed(json.dumps({"cells": list(cells)}).encode(), ["experiment", "explanation"])


@pytest.mark.parametrize(
    ("cells", "blank", "others"),
    [
        (
            [cell("experiment", STUB), cell("explanation", UNWRITTEN)],
            {"experiment", "explanation"},
            {},
        ),
        ([cell("experiment", ""), cell("explanation", "  ")], {"experiment", "explanation"}, {}),
        # the text is below the words of the empty sheet, or in a cell of its own
        (
            [cell("experiment", STUB), cell("explanation", f"{UNWRITTEN}\n\nBecause.")],
            {"experiment"},
            {},
        ),
        (
            [
                cell("experiment", STUB),
                cell("explanation", UNWRITTEN),
                cell("", "Because.", kind="markdown"),
            ],
            {"experiment"},
            {"elsewhere": ("explanation",)},
        ),
        # the figure too; a cell of the sheet that draws is none of the student's
        (
            [
                cell("experiment", STUB),
                cell("explanation", "Because."),
                cell("", "plt.show()", FIGURE, "code"),
            ],
            set(),
            {"elsewhere": ("experiment",)},
        ),
        (
            [
                cell("experiment", STUB),
                cell("explanation", "x"),
                cell("hasty", "show()", FIGURE, "code", solution=False),
            ],
            {"experiment"},
            {},
        ),
        # drawn, and the raise was forgotten; drawn, and the outputs are gone; a helper
        # beside the stub; half of it
        ([cell("experiment", STUB, FIGURE), cell("explanation", "x")], set(), {}),
        (
            [cell("experiment", DRAWN), cell("explanation", "x")],
            set(),
            {"no_figure": ("experiment",)},
        ),
        ([cell("experiment", DRAWN, FIGURE), cell("explanation", "x")], set(), {}),
        (
            [cell("experiment", "def own():\n    return 1\n" + STUB), cell("explanation", "x")],
            set(),
            {"no_figure": ("experiment",)},
        ),
        (
            [
                cell("experiment", STUB.replace("    # YOUR", "    x = 1\n    # YOUR")),
                cell("explanation", "x"),
            ],
            set(),
            {"no_figure": ("experiment",)},
        ),
        # deleted
        ([cell("experiment", DRAWN, FIGURE)], set(), {"missing": ("explanation",)}),
        ([], set(), {"missing": ("experiment", "explanation")}),
        # copied: what is written counts, wherever the blank one stands
        (
            [
                cell("experiment", DRAWN, FIGURE),
                cell("explanation", "x"),
                cell("explanation", UNWRITTEN),
            ],
            set(),
            {"duplicated": ("explanation",)},
        ),
        (
            [
                cell("experiment", DRAWN, FIGURE),
                cell("explanation", UNWRITTEN),
                cell("explanation", "x"),
            ],
            set(),
            {"duplicated": ("explanation",)},
        ),
    ],
    ids=range(15),
)
def test_what_is_blank_and_what_a_person_has_to_look_for(cells, blank, others):
    found = handed(*cells)
    assert found.blank == blank
    lists = {
        name: getattr(found, name) for name in ("missing", "elsewhere", "no_figure", "duplicated")
    }
    assert {name: names for name, names in lists.items() if names} == others


@pytest.mark.parametrize(
    "content",
    [
        b"def first(x):\n    return 1\n",
        b"{",
        b"\xff\xfe\x00",
        b'{"worksheets": [7]}',
        b'{"cells": [7, null]}',
    ],
)
def test_what_is_no_notebook_has_nothing_of_it_and_nothing_is_blank(content):
    found = read_handed(content, ["experiment", "explanation"])
    assert found.blank == frozenset() and found.missing == ("experiment", "explanation")


OLD = """
import json, sys
from rlcourse.grading.submission import read_submission
cell = {"cell_type": "code", "input": "x = 1", "language": "python", "metadata": {}, "outputs": []}
sheets = {"worksheets": [{"cells": [cell]}], "metadata": {}, "nbformat": 3, "nbformat_minor": 0}
print(read_submission(json.dumps(sheets)).cells, "lark" in sys.modules)
"""


def test_an_older_notebook_is_read_without_a_parser_of_web_addresses():
    """Each file is read in a process of its own, which would take seconds to make that parser."""
    run = subprocess.run([sys.executable, "-c", OLD], capture_output=True, text=True)
    assert run.stdout == "((1, 'x = 1'),) False\n", run.stderr


def test_the_cells_own_ids_count_where_nbgraders_are_lost():
    cells = [{"cell_type": "markdown", "id": "explanation", "metadata": {}, "source": "Because."}]
    assert handed(*cells).answers["explanation"].source == "Because."


def picture(side, seed):
    """A picture of noise, which no PNG makes smaller, in base64."""
    drawn = BytesIO()
    noise = np.random.default_rng(seed).integers(0, 256, (side, side, 3), dtype=np.uint8)
    Image.fromarray(noise).save(drawn, "PNG")
    return base64.b64encode(drawn.getvalue()).decode()


def test_large_figures_are_drawn_smaller_and_what_finds_no_room_is_told():
    outputs = [
        {"output_type": "display_data", "data": {"image/png": picture(300, seed)}}
        for seed in range(8)
    ]
    cells = [cell("experiment", DRAWN, outputs), cell("explanation", "x")]
    content = json.dumps({"cells": cells}).encode()
    found = read_handed(content, ["experiment", "explanation"], 200_000)
    figures = found.answers["experiment"].figures
    assert len(figures) == 6 and found.unshown == 2 and found.no_figure == ()
    assert sum(map(len, figures)) <= 200_000 and max(map(len, figures)) <= 50_000
    sizes = [Image.open(BytesIO(base64.b64decode(figure))).size for figure in figures]
    assert all(30 <= width == height < 300 for width, height in sizes)
    untouched = (
        read_handed(content, ["experiment", "explanation"], 10**7).answers["experiment"].figures
    )
    assert Image.open(BytesIO(base64.b64decode(untouched[0]))).size == (300, 300)
    assert read_handed(content, ["experiment", "explanation"], 4_000).unshown == 8
