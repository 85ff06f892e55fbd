"""The register of claims, `notebooks/claims.toml`, and the headlines that it has to know."""

import ast
import re
import tomllib
from collections import defaultdict
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

from rlcourse.results import FOLDER, load_results
from tests.notebooks.reading import LESSONS, ROOT, code_cells, is_compared, read, text_outputs

REGISTER = ROOT / "notebooks" / "claims.toml"
README = "README"  # in `at`: the row of a lesson in the README's table
LEAST_WORDS = 4  # a shorter bold text is a term, a shorter title a label
LIMITS = ("What would make this wrong", "has not shown")  # sections that say what is not claimed
COMPUTED = "…"  # stands for the part of a title that the cell computes


@cache
def register() -> dict[str, Any]:
    """The register as it is committed: claim (a list), labels and arms."""
    return tomllib.loads(REGISTER.read_text(encoding="utf-8"))


@cache
def lessons() -> dict[str, Any]:
    """Number of a lesson, such as "00" or "01b" -> its notebook."""
    return {number: read(path) for number, path in LESSONS.items()}


@cache
def readme_rows() -> dict[str, str]:
    """Number of a lesson -> the last column of its row in the README's table of lessons."""
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\|.*?\(notebooks/(\d\d\w?)_.*\| (.*) \|$", text, re.MULTILINE)
    return {lesson: plain(result) for lesson, result in rows}


@cache
def headlines() -> dict[tuple[str, str], list[str]]:
    """(lesson, cell id) -> its bold sentences and figure titles; (README, lesson) -> its result."""
    helpers = helper_titles(ROOT / "rlcourse" / "plots.py")
    found = defaultdict(list)
    for lesson, notebook in lessons().items():
        for cell_id, text in (*bold_headlines(notebook), *title_headlines(notebook, helpers)):
            found[lesson, cell_id].append(text)
    return {**found, **{(README, lesson): [result] for lesson, result in readme_rows().items()}}


def unregistered(book: dict[str, Any]) -> list[str]:
    """Headlines that are neither a claim nor a label."""
    claimed = {(*claim["at"].split(), claim["says"]) for claim in book["claim"]}
    return [
        f"{place} {cell_id}: {text!r} stands in no entry of claims.toml"
        for (place, cell_id), texts in headlines().items()
        for text in texts
        if (place, cell_id, text) not in claimed and text not in book["labels"].get(place, ())
    ]


def outdated(book: dict[str, Any]) -> list[str]:
    """Claims and labels whose words are not those that stand there."""
    places = [(*claim["at"].split(), claim["says"]) for claim in book["claim"]]
    wrong = [
        f"{place} {cell_id}: no headline there says {says!r}; read the entry again"
        for place, cell_id, says in places
        if says not in headlines().get((place, cell_id), ())
    ]
    there = {(place, text) for (place, _), texts in headlines().items() for text in texts}
    labels = [(lesson, label) for lesson, listed in book["labels"].items() for label in listed]
    wrong += [f"{pair[0]}: no headline says {pair[1]!r}" for pair in labels if pair not in there]
    return wrong


def unproved(book: dict[str, Any]) -> list[str]:
    """What claims lack: a compared cell of that id, stored rows in that number, a control."""
    return [f"{claim['at']}: {missing}" for claim in book["claim"] for missing in _missing(claim)]


def _missing(claim: dict[str, Any]) -> Iterator[str]:
    place, cell_id = claim["at"].split()
    if not ("proof" in claim or "rows" in claim) or not claim.get("control"):
        yield "a claim has a proof or rows, and a control"
    lesson = cell_id if place == README else place
    if "proof" in claim and claim["proof"] not in compared_cells(lesson):
        yield f"the lesson has no compared cell {claim['proof']!r}"
    named = re.findall(r"\(cells? ([\w-]+(?:, [\w-]+)*)\)", claim.get("control", ""))
    ids = {cell.id for cell in lessons()[lesson].cells}
    for name in ", ".join(named).split(", ") if named else ():
        if name not in ids:
            yield f"the lesson has no cell {name!r}, which its control names"
    for seeds in re.findall(r"(\d+) (?:seeds|stored runs)", claim["says"]):
        if int(seeds) not in claim.get("rows", {}).values():
            yield f"no rows of {seeds} seeds prove it"
    for experiment, n in claim.get("rows", {}).items():
        there = (FOLDER / f"{experiment}.json").exists()
        stored = len(load_results(experiment)["rows"]) if there else 0
        if stored != n:
            yield f"{experiment} has {stored} stored rows, not {n}"


@cache
def compared_cells(lesson: str) -> set[str]:
    """The ids of the cells of a lesson whose printed output is compared."""
    cells = code_cells(lessons()[lesson])
    return {cell.id for cell in cells if is_compared(cell) and text_outputs(cell)}


def plain(text: str) -> str:
    """The text on one line, without Markdown's stars."""
    return " ".join(text.replace("**", "").split())


def is_headline(text: str) -> bool:
    """Whether a bold text or a title is long enough to state a finding, and no question."""
    words = [word for word in text.split() if re.search(r"\w", word)]
    return len(words) >= LEAST_WORDS and not text.endswith("?")


def bold_headlines(notebook: Any) -> Iterator[tuple[str, str]]:
    """(cell id, text) of each bold text that begins or ends like a sentence.

    Quoted blocks (questions and their answers), tables and the sections LIMITS are left out.
    """
    for cell in notebook.cells:
        if cell.cell_type != "markdown" or any(limit in cell.source for limit in LIMITS):
            continue
        lines = [line for line in cell.source.splitlines() if not line.startswith((">", "|"))]
        for bold in re.findall(r"\*\*(.+?)\*\*", "\n".join(lines), re.DOTALL):
            text = plain(bold)
            if is_headline(text) and (not text[0].islower() or text.endswith(".")):
                yield cell.id, text


def title_headlines(notebook: Any, helpers: dict[str, list[str]]) -> Iterator[tuple[str, str]]:
    """(cell id, title) of each figure title, computed parts as "…". helpers: of `helper_titles`."""
    trees = {cell.id: ast.parse(cell.source) for cell in code_cells(notebook)}
    parameters = {
        (node.name, place)
        for tree in trees.values()
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef)
        for place, argument in enumerate(node.args.args)
        if argument.arg in {t.id for t in _title_nodes(node) if isinstance(t, ast.Name)}
    }
    known: dict[str, list[ast.expr]] = {}
    for cell_id, tree in trees.items():
        known |= _values(tree)
        nodes = [*_title_nodes(tree), *_title_arguments(tree, parameters)]
        titles = [title for node in nodes for title in _texts(node, known)]
        if not nodes:  # a cell's own title takes the place of its helper's
            titles = [title for name in _plots(tree) for title in helpers.get(name, ())]
        distinct = dict.fromkeys(map(plain, titles))
        yield from ((cell_id, title) for title in distinct if is_headline(title))


def helper_titles(module: Path) -> dict[str, list[str]]:
    """Function of a module -> the titles that it sets."""
    tree = ast.parse(module.read_text(encoding="utf-8"))
    return {
        node.name: [text for title in _title_nodes(node) for text in _texts(title, {})]
        for node in tree.body
        if isinstance(node, ast.FunctionDef)
    }


def _title_nodes(tree: ast.AST) -> Iterator[ast.expr]:
    """The expressions of all titles: set_title(X), suptitle(X), set(title=X), plots.chart(X)."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            if node.func.attr in ("set_title", "suptitle", "chart"):
                yield node.args[0]
            elif node.func.attr == "set":
                yield from (word.value for word in node.keywords if word.arg == "title")


def _title_arguments(tree: ast.AST, parameters: set[tuple[str, int]]) -> Iterator[ast.expr]:
    """What is passed for a parameter that its function uses as a title."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            name = node.func.id
            yield from (arg for k, arg in enumerate(node.args) if (name, k) in parameters)


def _plots(tree: ast.AST) -> list[str]:
    """The names X of all plots.X."""
    attributes = [node for node in ast.walk(tree) if isinstance(node, ast.Attribute)]
    return [node.attr for node in attributes if getattr(node.value, "id", "") == "plots"]


def _values(tree: ast.AST) -> dict[str, list[ast.expr]]:
    """Name -> the expressions that a cell gives it, by assignment or as the variable of a loop."""
    values = defaultdict(list)
    for node in ast.walk(tree):
        if isinstance(node, ast.Assign):
            pairs = [(target, node.value) for target in node.targets]
        elif isinstance(node, ast.For | ast.comprehension):
            pairs = [(node.target, node.iter)]
        else:
            continue
        for target, value in pairs:
            if isinstance(target, ast.Name):
                values[target.id].append(value)
            elif isinstance(target, ast.Tuple):
                zipped = isinstance(value, ast.Call) and getattr(value.func, "id", "") == "zip"
                parts = value.args if zipped else getattr(value, "elts", [])
                for name, part in zip(target.elts, parts, strict=False):
                    if isinstance(name, ast.Name):
                        values[name.id].append(part)
    return values


def _written(part: ast.expr) -> str:
    return str(part.value) if isinstance(part, ast.Constant) else COMPUTED


def _texts(node: ast.expr, known: dict[str, list[ast.expr]]) -> list[str]:
    """All texts that an expression can have; "…" for what is not written in the notebook."""
    match node:
        case ast.Constant(value=str(text)):
            return [text]
        case ast.JoinedStr(values=parts):
            return ["".join(_written(part) for part in parts)]
        case ast.BinOp(left=left, op=ast.Add(), right=right):
            return [a + b for a in _texts(left, known) for b in _texts(right, known)]
        case ast.IfExp(body=body, orelse=orelse):
            return _texts(body, known) + _texts(orelse, known)
        case ast.Tuple(elts=parts) | ast.List(elts=parts) | ast.Dict(values=parts):
            return [text for part in parts for text in _texts(part, known)]
        case ast.Subscript(value=container):
            return _texts(container, known)
        case ast.Name(id=name) if name in known:
            rest = {other: values for other, values in known.items() if other != name}
            return [text for value in known[name] for text in _texts(value, rest)]
    return [COMPUTED]
