"""Honest files: the reference solutions of a sheet as students save, export and hand them in.

Every one deserves full points.
"""

import json
import re
from collections.abc import Callable

from tests.grading.course import Course

WORDS = "I expected 55%, and 56% came out."
# A picture of one pixel.
PNG = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="


class Sheet:
    """A solved sheet. cells: as in a file. One method changes one thing and returns the sheet."""

    def __init__(self, number: str) -> None:
        course = Course(number)
        self.number, self.sources = number, course.solutions()
        self.notebook = json.loads(json.dumps(course.fill(self.sources, WORDS)))
        experiment = next(cell for cell in self.cells if cell.get("id") == "experiment")
        experiment["outputs"] = [
            {
                "output_type": "display_data",
                "metadata": {},
                "data": {"image/png": PNG, "text/plain": ["<Figure>"]},
            }
        ]

    @property
    def cells(self) -> list[dict]:
        return self.notebook["cells"]

    @property
    def code(self) -> list[dict]:
        return [cell for cell in self.cells if cell["cell_type"] == "code"]

    @property
    def answers(self) -> list[dict]:
        return [
            cell for cell in self.code if cell["id"] in self.sources and cell["id"] != "experiment"
        ]

    def text(self, separator: str = "\n\n") -> str:
        return separator.join(source(cell) for cell in self.code)

    def above(self, lines: str, *, place: int = 0) -> "Sheet":
        self.code[place]["source"] = lines + "\n" + source(self.code[place])
        return self

    def new_cell(self, lines: str, place: int = 3, kind: str = "code") -> "Sheet":
        cell = {"cell_type": kind, "id": f"own-{len(self.cells)}", "metadata": {}, "source": lines}
        self.cells.insert(
            place, cell | ({"outputs": [], "execution_count": 9} if kind == "code" else {})
        )
        return self

    def each(self, change: Callable[[str], str], cells: list[dict] | None = None) -> "Sheet":
        for cell in self.answers if cells is None else cells:
            cell["source"] = change(source(cell))
        return self

    def bare(self, *, ids: bool = False, mark: bool = True) -> "Sheet":
        """Without what nbgrader wrote into the cells; ids: of the cells stay; mark: the
        notebook says which sheet it is.
        """
        for cell in self.cells:
            cell["metadata"] = {}
            if not ids:
                cell.pop("id")
        if not mark:
            self.notebook["metadata"].pop("rlcourse")
        return self

    def bytes(self, encoding: str = "utf-8", **options) -> bytes:
        return json.dumps(self.notebook, indent=1, ensure_ascii=False, **options).encode(encoding)


def source(cell: dict) -> str:
    return "".join(cell["source"])


def blank(text: str) -> str:
    """An answer's cell as it was handed out."""
    return re.sub(
        r"(?m)^((?:def|class) .*:)\n(?:.*\n?)*",
        r"\1\n    # YOUR CODE HERE\n    raise NotImplementedError()\n",
        text,
        count=1,
    )


def exported(sheet: Sheet) -> str:
    """As `jupyter nbconvert --to script` writes it: magics are calls of the
    shell, texts are comments.
    """
    parts = ["#!/usr/bin/env python\n# coding: utf-8\n"]
    for number, cell in enumerate(sheet.cells, 1):
        if cell["cell_type"] == "markdown":
            parts.append("\n".join("# " + line for line in source(cell).split("\n")))
        else:
            parts.append(f"# In[{number}]:\n\n\n{source(cell)}")
    return "\n\n\n".join(parts)


def percent(sheet: Sheet) -> str:
    """As jupytext writes it: magics are comments."""
    head = "# ---\n# jupyter:\n#   jupytext:\n#     text_representation:\n#       format_name: percent\n# ---\n\n"
    parts = []
    for cell in sheet.cells:
        if cell["cell_type"] == "markdown":
            parts.append(
                "# %% [markdown]\n" + "\n".join("# " + line for line in source(cell).split("\n"))
            )
        else:
            parts.append("# %%\n# %matplotlib inline\n# %%time\n" + source(cell))
    return head + "\n\n".join(parts)


def format_3(sheet: Sheet) -> bytes:
    """As IPython 2 kept it."""
    cells = []
    for number, cell in enumerate(sheet.cells, 1):
        lines = source(cell).splitlines(keepends=True)
        if cell["cell_type"] == "code":
            outputs = (
                [{"output_type": "display_data", "metadata": {}, "png": PNG}]
                if cell.get("outputs")
                else []
            )
            cells.append(
                {
                    "cell_type": "code",
                    "collapsed": False,
                    "input": lines,
                    "language": "python",
                    "metadata": cell["metadata"],
                    "outputs": outputs,
                    "prompt_number": number,
                }
            )
        elif cell["id"].endswith("-text"):
            cells.append({"cell_type": "heading", "level": 2, "metadata": {}, "source": ["A task"]})
        else:
            cells.append(
                {"cell_type": cell["cell_type"], "metadata": cell["metadata"], "source": lines}
            )
    sheets = [{"cells": cells, "metadata": {}}]
    return json.dumps(
        {
            "metadata": {"name": "", **sheet.notebook["metadata"]},
            "nbformat": 3,
            "nbformat_minor": 0,
            "worksheets": sheets,
        }
    ).encode()


def one_cell(sheet: Sheet, text: str) -> Sheet:
    sheet.notebook["cells"] = [
        {"cell_type": "code", "metadata": {}, "source": text, "outputs": [], "execution_count": 1}
    ]
    return sheet


def split(sheet: Sheet) -> Sheet:
    """Every answer in a cell of its own, above it one with a helper and one that
    prints; below it an empty one.
    """
    for cell in sheet.answers:
        place = sheet.cells.index(cell)
        sheet.new_cell("", place + 1).new_cell("print(HALF)", place).new_cell("HALF = 1 / 2", place)
    return sheet


def merged(sheet: Sheet) -> Sheet:
    """Each check in the cell of its answer, which the student has joined."""
    for cell in sheet.answers:
        check = sheet.cells[sheet.cells.index(cell) + 1]
        cell["source"] = source(cell) + "\n" + source(check)
        sheet.cells.remove(check)
    return sheet


def at_the_end(sheet: Sheet) -> Sheet:
    """The answers in new cells below everything; the sheet's own ones are still blank."""
    for cell in sheet.answers:
        answer, cell["source"] = source(cell), blank(source(cell))
        sheet.new_cell(answer, len(sheet.cells))
    return sheet


def in_checks(sheet: Sheet) -> Sheet:
    """The answers in the cells of the checks, above the check."""
    for cell in sheet.answers:
        check = sheet.cells[sheet.cells.index(cell) + 1]
        check["source"], cell["source"] = source(cell) + "\n\n" + source(check), blank(source(cell))
    return sheet


def reordered(sheet: Sheet, *, reverse: bool = False) -> Sheet:
    """The answers at the top; or in the opposite order, each with its check."""
    for cell in sheet.answers if not reverse else sheet.answers[::-1]:
        check = sheet.cells[sheet.cells.index(cell) + 1]
        sheet.cells.remove(cell)
        sheet.cells.remove(check) if reverse else None
        sheet.cells.extend([cell, check]) if reverse else sheet.cells.insert(0, cell)
    return sheet


def colab(sheet: Sheet) -> Sheet:
    sheet.bare(mark=False)
    sheet.notebook["metadata"] |= {
        "colab": {"provenance": [], "gpuType": "T4"},
        "accelerator": "GPU",
    }
    for number, cell in enumerate(sheet.cells):
        cell["metadata"] = {
            "id": f"x{number}Kd_",
            "colab_type": "code",
            "outputId": "0e1-2",
            "colab": {"height": 17},
        }
    sheet.notebook |= {"nbformat": 4, "nbformat_minor": 0}
    return sheet


def kaggle(sheet: Sheet) -> Sheet:
    sheet.bare()
    sheet.notebook["metadata"]["kaggle"] = {
        "accelerator": "none",
        "dataSources": [],
        "isInternetEnabled": True,
    }
    for cell in sheet.cells:
        cell["metadata"] = {
            "_uuid": "8f2839f25d086af736a60e9eeb907d3b93b6e0e5",
            "trusted": True,
            "execution": {"shell.execute_reply": "x"},
        }
    return sheet


def code_editor(sheet: Sheet) -> Sheet:
    sheet.notebook["metadata"] |= {
        "language_info": {"name": "python", "version": "3.13.1"},
        "vscode": {"interpreter": {"hash": "x"}},
    }
    for cell in sheet.cells:
        cell["metadata"]["vscode"] = {"languageId": "python"}
        cell["source"] = source(cell)
    return sheet


def stripped(sheet: Sheet) -> Sheet:
    for cell in sheet.code:
        cell["outputs"], cell["execution_count"] = [], None
    return sheet


def twice(sheet: Sheet) -> Sheet:
    for cell in sheet.answers:
        sheet.cells.insert(sheet.cells.index(cell) + 1, dict(cell, id=cell["id"] + "-copy"))
    return sheet


def no_checks(sheet: Sheet) -> Sheet:
    sheet.notebook["cells"] = [cell for cell in sheet.cells if not cell["id"].startswith("check-")]
    return sheet


def swapped_in(sheet: Sheet) -> Sheet:
    """Below its check a function is exchanged for the course's, as the
    texts allow for later parts.
    """
    (answer, *_) = sheet.answers
    return sheet.new_cell(
        f'{answer["id"]} = sheet{sheet.number}.stand_in("{answer["id"]}")',
        sheet.cells.index(answer) + 2,
    )


def used_again(sheet: Sheet, value: str) -> Sheet:
    """The names of all answers, each bound to something else below everything."""
    lines = (f"{answer['id']} = {value}" for answer in sheet.answers)
    return sheet.new_cell("\n".join(lines), len(sheet.cells))


def checked_in_a_loop(sheet: Sheet) -> Sheet:
    """The checks in one loop below everything, in place of the sheet's own."""
    pairs = ", ".join(f"('{answer['id']}', {answer['id']})" for answer in sheet.answers)
    loop = f"for name, function in [{pairs}]:\n    sheet{sheet.number}.check(name, function)"
    return no_checks(sheet).new_cell(loop, len(sheet.cells))


def as_object(text: str) -> str:
    """Every function as a method of an object that is called."""
    return re.sub(
        r"(?m)^def (\w+)\((.*\n(?:[ \n].*\n?|\n)*)",
        lambda found: (
            f"def _{found[1]}({found[2]}\n\nclass Solver:\n    def __call__(self, *given):\n"
            f"        return _{found[1]}(*given)\n\n{found[1]} = Solver()\n"
        ),
        text + "\n",
    )


def returning_self(text: str) -> str:
    return re.sub(
        r"(?m)^(    def (add|begin_episode|complete_episode|set_value)\(.*\n(?:        .*\n?|\n)*)",
        r"\1\n        return self\n",
        text,
    )


IMPORTS = "import numpy as np\nimport seaborn as sns\nimport pandas as pd, torch\nfrom plotly import express as px\nsns.set_theme(style='dark')"
PLOTS = "import torch\nimport pandas as pd\nframe = pd.DataFrame({'x': [1]})\nframe.plot()\ndevice = torch.device('cpu')"
MAGICS = "%matplotlib inline\n%load_ext autoreload\n%autoreload 2\n!ls\n!pip install \\\n    numpy\nfiles = !ls\nnp.where?\n?np.where\n%time start = 1"
BASH = "%%bash\nfor f in *; do echo $f; done"
NEWER = "names = {'a': 1}\nprint(f'{names['a']} of {', '.join(names)}')"
ENDS = "import sys\nsys.exit('enough')\n"
SHELL = "from IPython import get_ipython\nget_ipython().run_line_magic('matplotlib', 'inline')\nget_ipython().system('ls')\nget_ipython().magic('pylab')\n"
SHELL += "get_ipython().run_line_magic('config', \"InlineBackend.figure_format = 'svg'\")\nget_ipython().getoutput('pwd')[0]"
FUTURE = (
    "from __future__ import annotations\ndef typed(a: Unknown) -> Unheard: ...\ngood: Unseen = 1\n"
)
SIGNS = "\u03b3, \u03b1 = 0.9, 1  # \U0001f40d \u4f60\u597d \u202e\u200b\u00a0\nends = '\u2028\u2029\x0b\x0c\x1c\x85'\n\x0c"
HELPERS = "from math import *\nfrom typing import *\nfrom numba import njit\n\n@njit\ndef add(a, b):\n    return a + b\n\nadd(1, 2)"
STRICT = "import numpy as np\nnp.seterr(all='raise')\nnp.set_printoptions(precision=1)"
ASYNC = "import asyncio\nasync def wait():\n    await asyncio.sleep(0)\nawait wait()"

# name -> (sheet, how the file is made). A name that ends in .py is a
# script, all others are notebooks.
FILES: dict[str, tuple[str, Callable[[Sheet], bytes]]] = {
    "as it was handed out": ("04", lambda s: s.bytes()),
    "outputs stripped": ("05", lambda s: stripped(s).bytes()),
    "no metadata of cells": ("07", lambda s: s.bare(ids=True).bytes()),
    "no metadata of cells, no ids": ("01", lambda s: s.bare().bytes()),
    "no metadata at all": ("08", lambda s: s.bare(mark=False).bytes()),
    "all in one cell": ("08", lambda s: one_cell(s, s.text()).bytes()),
    "all answers in one cell, nothing else": (
        "04",
        lambda s: one_cell(s, "import numpy as np\n" + "\n".join(map(source, s.answers))).bytes(),
    ),
    "one cell, no mark": ("05", lambda s: one_cell(s.bare(mark=False, ids=True), s.text()).bytes()),
    "answers split": ("04", lambda s: split(s).bytes()),
    "answers joined with their checks": ("07", lambda s: merged(s).bytes()),
    "answers at the end": ("01", lambda s: at_the_end(s).bytes()),
    "answers in the cells of checks": ("05", lambda s: in_checks(s).bytes()),
    "answers at the top": ("08", lambda s: reordered(s).bytes()),
    "tasks the other way round": ("04", lambda s: reordered(s, reverse=True).bytes()),
    "cells copied": ("07", lambda s: twice(s).bytes()),
    "checks deleted": ("05", lambda s: no_checks(s).bytes()),
    "the course's function swapped in": ("07", lambda s: swapped_in(s).bytes()),
    "nbconvert.py": ("04", lambda s: exported(s.above(SHELL)).encode()),
    "nbconvert, timed.py": (
        "08",
        lambda s: exported(
            s.each(lambda t: f"get_ipython().run_cell_magic('time', '', {t!r})")
        ).encode(),
    ),
    "jupytext.py": ("05", lambda s: percent(s).encode()),
    "functions alone.py": (
        "01",
        lambda s: (
            ("import numpy as np\n" + "\n".join(map(source, s.answers)))
            .replace("\n", "\r\n")
            .encode()
        ),
    ),
    "with a BOM.py": ("07", lambda s: s.text().encode("utf-8-sig")),
    "in UTF-16.py": ("04", lambda s: s.text().encode("utf-16")),
    "in Latin 1, declared.py": (
        "08",
        lambda s: ("# -*- coding: latin-1 -*-\n# f\u00fcr Anf\u00e4nger\n" + s.text()).encode(
            "latin-1"
        ),
    ),
    "with bare magics.py": (
        "05",
        lambda s: (MAGICS.replace("\\\n", "") + "\n" + s.text()).encode(),
    ),
    "with a main.py": (
        "07",
        lambda s: (s.text() + "\n\nif __name__ == '__main__':\n    print('done')\n").encode(),
    ),
    "strict arithmetic": ("01", lambda s: s.above(STRICT).bytes()),
    "strict arithmetic above every answer": (
        "06",
        lambda s: s.each(lambda t: STRICT + "\n" + t).bytes(),
    ),
    "line magics": ("04", lambda s: s.above(MAGICS).bytes()),
    "%%time above every answer": ("08", lambda s: s.each(lambda t: "%%time\n" + t).bytes()),
    "%%capture above every answer": (
        "01",
        lambda s: s.each(lambda t: "\n%%capture out\n" + t).bytes(),
    ),
    "cells of other languages": (
        "05",
        lambda s: (
            s.new_cell(BASH)
            .new_cell("%%html\n<b>x</b>")
            .new_cell("%%writefile x.py\nx = (")
            .bytes()
        ),
    ),
    "help": (
        "07",
        lambda s: s.new_cell("np.where?").new_cell("np.where??").new_cell("?np.sum").bytes(),
    ),
    "packages that are not here": ("04", lambda s: s.above(IMPORTS).bytes()),
    "packages that are not here, above an answer": (
        "08",
        lambda s: s.each(lambda t: PLOTS + "\n" + t).bytes(),
    ),
    "packages that are not here.py": (
        "05",
        lambda s: (IMPORTS + "\n" + PLOTS + "\n" + s.text()).encode(),
    ),
    "a newer Python in a cell that prints": ("07", lambda s: s.new_cell(NEWER, 4).bytes()),
    "UTF-8 with a BOM": ("04", lambda s: s.bytes("utf-8-sig")),
    "UTF-16": ("05", lambda s: s.bytes("utf-16")),
    "UTF-16, big end first, no BOM": ("08", lambda s: s.bytes("utf-16-be")),
    "CRLF": (
        "07",
        lambda s: s.each(lambda t: t.replace("\n", "\r\n"), s.code).bytes().replace(b"\n", b"\r\n"),
    ),
    "CR": ("04", lambda s: s.each(lambda t: t.replace("\n", "\r"), s.code).bytes()),
    "format 3": ("05", format_3),
    "format 4.0, sources as lines": (
        "08",
        lambda s: (
            s.each(lambda t: t.splitlines(keepends=True), s.cells)
            .bare()
            .bytes()
            .replace(b'"nbformat_minor": 5', b'"nbformat_minor": 0')
        ),
    ),
    "Colab": ("07", lambda s: colab(s).bytes()),
    "Kaggle": ("04", lambda s: kaggle(s).bytes()),
    "an editor's notebook": ("01", lambda s: code_editor(s).bytes()),
    "blanks at the ends of lines": (
        "05",
        lambda s: s.each(lambda t: t.replace("\n", " \t\n") + "   \n\n", s.code).bytes(),
    ),
    "indented by one": ("08", lambda s: s.each(lambda t: "  " + t.replace("\n", "\n  ")).bytes()),
    "pasted prompts": (
        "07",
        lambda s: s.new_cell(">>> x = 1\n>>> x + 1\n2").new_cell("In [3]: x = 1").bytes(),
    ),
    "cells that fail, end and ask": (
        "04",
        lambda s: (
            s.new_cell("1 / 0")
            .new_cell(ENDS)
            .new_cell("x = input('x?')")
            .new_cell("quit()")
            .new_cell("assert False")
            .new_cell("x = (")
            .bytes()
        ),
    ),
    "a failing line above every answer": (
        "05",
        lambda s: s.each(lambda t: "print(never_defined)\n" + t + "\n1 / 0\n").bytes(),
    ),
    "annotations that are never looked at": (
        "08",
        lambda s: s.above(FUTURE).each(lambda t: FUTURE + t).bytes(),
    ),
    "await": ("07", lambda s: s.each(lambda t: ASYNC + "\n" + t).bytes()),
    "steps that return the object": ("03", lambda s: s.each(returning_self).bytes()),
    "steps that return the object, too": ("07", lambda s: s.each(returning_self).bytes()),
    "names used again for numbers": ("05", lambda s: used_again(s, "5").bytes()),
    "names used again for nothing": ("07", lambda s: used_again(s, "None").bytes()),
    "names used again for texts.py": ("08", lambda s: used_again(s, "'done'").text().encode()),
    "checks in one loop": ("05", lambda s: checked_in_a_loop(s).bytes()),
    "answers that are objects": ("04", lambda s: s.each(as_object).bytes()),
    "answers in an if": (
        "08",
        lambda s: s.each(lambda t: "if True:\n    " + t.replace("\n", "\n    ")).bytes(),
    ),
    "signs of other writings": ("04", lambda s: s.above(SIGNS).each(lambda t: SIGNS + t).bytes()),
    "names of everything": ("01", lambda s: s.above(HELPERS).bytes()),
    "escaped": ("04", lambda s: json.dumps(s.notebook).encode()),
}


def content(name: str) -> bytes:
    """The file of that name."""
    number, make = FILES[name]
    return make(Sheet(number))
