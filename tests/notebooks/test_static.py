"""What every committed notebook must be, seen without running it."""

import ast
import re
from copy import deepcopy
from pathlib import Path

import pytest

from rlcourse.drawing.svg import COLUMN
from tests.notebooks.execute import WIDGET_VIEW, normalise
from tests.notebooks.reading import (
    NOTEBOOKS,
    ROOT,
    SIGNATURE,
    broken_links,
    code_cells,
    compared_share,
    is_compared,
    not_executed,
    read,
    slug,
    tags,
    text_outputs,
)

MOST_COLUMNS, MOST_BYTES = 100, 1_000_000
LEAST_COMPARED = 0.6
WITHOUT_TIES = {"symmetry.cells", "-(np.log(p) + noise)"}  # a permutation; continuous noise

pytestmark = pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)


def markdown(path: Path) -> str:
    return "\n\n".join(cell.source for cell in read(path).cells if cell.cell_type == "markdown")


def test_executed_in_order_without_error(path):
    assert not not_executed(read(path))


def test_nothing_in_it_differs_from_run_to_run(path):
    notebook = read(path)
    tidy = deepcopy(notebook)
    normalise(tidy)
    assert tidy == notebook, "save it by `python -m tests.notebooks.execute`"
    assert WIDGET_VIEW not in path.read_text(encoding="utf-8")
    assert path.stat().st_size < MOST_BYTES


def test_no_drawing_is_wider_than_its_cell(path):
    """JupyterLab shows an SVG in its own size and cuts what does not fit."""
    drawings = {
        cell.id: output["data"]["image/svg+xml"]
        for cell in code_cells(read(path))
        for output in cell.outputs
        if "image/svg+xml" in output.get("data", {})
    }
    widths = {
        name: re.search(r'<svg [^>]*?width="([\d.]+)"', svg) for name, svg in drawings.items()
    }
    assert not [name for name, width in widths.items() if width and float(width[1]) > COLUMN]


def test_equal_values_are_ordered_alike_on_every_processor(path):
    """NumPy's default sort leaves ties in an order of the processor's own."""
    sorts = [
        call
        for cell in code_cells(read(path))
        for call in ast.walk(ast.parse(cell.source))
        if isinstance(call, ast.Call)
        and ast.unparse(call.func).rpartition(".")[2] in ("argsort", "argpartition")
    ]
    unstable = [call for call in sorts if "kind='stable'" not in map(ast.unparse, call.keywords)]
    assert not {ast.unparse((call.args or [call])[0]) for call in unstable} - WITHOUT_TIES


def test_cells_have_ids_of_their_own(path):
    ids = [cell.get("id") for cell in read(path).cells]
    assert all(ids) and len(set(ids)) == len(ids)


def test_lines_of_code_fit_the_page(path):
    wide = [
        cell.id
        for cell in code_cells(read(path))
        if max(map(len, cell.source.splitlines())) > MOST_COLUMNS
    ]
    assert not wide


def test_most_printing_cells_are_compared(path, record_property):
    compared, printing = compared_share(read(path))
    record_property("compared", f"{compared} of {printing}")
    assert printing >= 5 and compared >= LEAST_COMPARED * printing


def test_the_claim_of_a_signature_figure_is_asserted_beside_it(path):
    cells = code_cells(read(path))
    signatures = [k for k, cell in enumerate(cells) if SIGNATURE in tags(cell)]
    assert signatures, "a lesson ends with a signature figure"
    for k in signatures:
        assert any("image/png" in output.get("data", {}) for output in cells[k].outputs)
        beside = cells[k + 1]
        assert "assert " in beside.source and is_compared(beside) and text_outputs(beside)


def test_links_lead_somewhere(path):
    assert not broken_links(path)


def test_terms_are_linked_to_the_glossary_under_their_own_name(path):
    """[Bellman equation](…#bellman-equation), or a short form whose words are in the entry or the anchor."""
    pairs = re.findall(r"\[([^\]]+)\]\([^)]*GLOSSARY\.md#([^)]+)\)", markdown(path))
    assert len(pairs) >= 5
    strange = [(word, anchor) for word, anchor in pairs if slug(word)[:3] != anchor[:3]]
    assert not strange


def test_figures_say_in_words_what_they_show(path):
    for cell in code_cells(read(path)):
        for output in cell.outputs:
            if "image/png" in output.get("data", {}):
                assert output.metadata.get("image/png", {}).get("alt"), (
                    f"{cell.id}: no alternative text"
                )


def test_it_is_a_lesson(path):
    text = markdown(path)
    assert 3 <= text.count("**Predict.**") <= 6
    boxes = len(re.findall("<details(?: open)?>", text))
    assert boxes == text.count("</details>") >= text.count("**Predict.**")
    for heading in ("What you get from this lesson", "What would make this wrong", "The way on"):
        assert heading in text
    assert re.search(r"minutes to read", text) and re.search(
        r"(second|minute)s? (or so )?to run", text
    )


def test_nothing_of_the_author_s_machine_is_in_it(path):
    text = path.read_text(encoding="utf-8")
    for trace in (str(ROOT), str(Path.home()) + "/", "/tmp/", "site-packages"):
        assert trace not in text
