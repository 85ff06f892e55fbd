"""A changed output is shown cell by cell, old and new, whether nbval or `execute` finds it."""

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_notebook, new_output

from tests.notebooks import execute
from tests.notebooks.changes import as_text, changes, keep


def stream(text: str, name: str = "stdout") -> nbformat.NotebookNode:
    return new_output("stream", name=name, text=text)


def displayed(**by_kind: str) -> nbformat.NotebookNode:
    return new_output(
        "display_data", {kind.replace("_", "/"): text for kind, text in by_kind.items()}
    )


FIGURE = displayed(text_plain="<Figure at 0x7f0012345678>", image_png="aGk=")


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ([stream("a\n"), stream("b\n")], [stream("a\nb\n")], True),
        ([stream("a\n"), stream("b\n", "stderr")], [stream("ab\n")], False),
        (
            [FIGURE],
            [displayed(text_plain="<Figure at 0x7f00fedcba98>", image_png="b3RoZXI=")],
            True,
        ),
        ([FIGURE], [], False),
        (
            [displayed(text_plain="x", text_html="<b>")],
            [displayed(text_html="<b>", text_plain="x")],
            True,
        ),
        ([displayed(text_html="<b>1</b>")], [displayed(text_html="<b>2</b>")], False),
        (
            [stream("1\n")],
            [new_output("error", ename="ValueError", evalue="no", traceback=[])],
            False,
        ),
    ],
)
def test_what_counts_as_the_same(one, other, same):
    assert (as_text(one) == as_text(other)) == same


def notebook(*printed: str) -> nbformat.NotebookNode:
    cells = [
        new_code_cell(
            f"# step {k}\nprint({text.strip()!r})", id=f"step-{k}", outputs=[stream(text)]
        )
        for k, text in enumerate(printed)
    ]
    cells[-1].metadata["tags"] = ["nbval-ignore-output"]
    return new_notebook(cells=cells)


def test_each_changed_cell_is_named_with_old_and_new(tmp_path):
    found = changes(
        notebook("1\n", "2\n", "3\n"),
        {"step-0": [stream("1\n")], "step-1": [stream("5\n")], "step-2": []},
    )
    assert [(change.cell, change.committed, change.shown, change.compared) for change in found] == [
        ("step-1", "2", "5", True),
        ("step-2", "3", "", False),
    ]
    text = keep("lesson", found, tmp_path / "build").read_text(encoding="utf-8")
    assert (
        text.startswith("cell 2 (step-1): # step 1\n")
        and "    -2\n    +5" in text
        and "step-2" not in text
    )


def test_a_drawn_board_is_cut_short():
    [change] = changes(notebook("1\n", "2\n"), {"step-0": [displayed(text_html="<svg>" * 1000)]})
    assert len(str(change)) < 600 and "(5,001 characters)" in str(change)


def test_a_cell_that_the_run_did_not_reach_is_no_change():
    assert changes(notebook("1\n", "2\n"), {}) == []


@pytest.mark.slow
def test_executing_lists_what_changed_and_looking_saves_nothing(tmp_path, capsys):
    path = tmp_path / "lesson.ipynb"
    made = notebook("1\n", "2\n")
    made.cells[0].source = "print(7)"
    nbformat.write(made, path)
    before = path.read_bytes()
    assert execute.main(["--look", str(path)]) == 1
    assert (
        "1 compared outputs changed" in (shown := capsys.readouterr().out)
        and "    -1\n    +7" in shown
    )
    assert path.read_bytes() == before
    assert execute.main([str(path)]) == 0 and "+7" in capsys.readouterr().out
    assert (
        execute.main(["--look", str(path)]) == 0
        and "0 compared outputs changed" in capsys.readouterr().out
    )
