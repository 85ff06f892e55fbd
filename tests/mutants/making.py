"""All versions of an answer with one small change."""

import ast
import copy
import difflib
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from tests.mutants import expressions, statements
from tests.mutants.expressions import Names


class Mutant(NamedTuple):
    """An answer with one change.

    operator: the kind of slip, such as "term_dropped". change: the lines that differ, "old -> new".
    source: the whole answer.
    """

    operator: str
    change: str
    source: str


def mutants(sources: Iterable[str]) -> list[Mutant]:
    """Every different mutant of these answers, in the order in which they are found."""
    found: dict[str, Mutant] = {}
    trees = [_quiet(ast.parse(source)) for source in sources]
    right = {ast.unparse(tree) for tree in trees}
    for tree in trees:
        before = ast.unparse(tree)
        for operator, changed in _changed(tree):
            try:
                after = ast.unparse(ast.fix_missing_locations(changed))
                compile(after, "<answer>", "exec")
            except (SyntaxError, ValueError, TypeError):
                continue  # such as two stars in a row, or a return outside
            if after not in right:
                found.setdefault(after, Mutant(operator, change(before, after), after))
    return list(found.values())


def _quiet(tree: ast.Module) -> ast.Module:
    """The answer without its docstrings, and the warning that some right answers give on purpose."""
    for node in ast.walk(tree):
        body = getattr(node, "body", None)
        if isinstance(body, list):
            body[:] = [row for row in body if not _says_only(row)]
    return tree


def _says_only(row: ast.stmt) -> bool:
    """Whether a statement is a docstring or a warning."""
    words = isinstance(row, ast.Expr) and isinstance(row.value, ast.Constant)
    return words or ast.unparse(row).startswith("warnings.")


def change(before: str, after: str) -> str:
    """The lines in which two texts differ, as "old -> new"; a line that has moved is there once."""
    lines = list(difflib.ndiff(before.splitlines(), after.splitlines()))
    old, new = (
        " ; ".join(line[2:].strip() for line in lines if line[:2] == mark) for mark in ("- ", "+ ")
    )
    return f"moved: {old}" if old == new else f"{old} -> {new}"


def _changed(tree: ast.Module) -> Iterator[tuple[str, ast.Module]]:
    """(operator's name, changed copy of the tree), for every place and operator."""
    names = _names(tree)
    for place, node in enumerate(ast.walk(tree)):
        for field, value in ast.iter_fields(node):
            if isinstance(value, list) and value and isinstance(value[0], ast.stmt):
                if isinstance(node, ast.Module):
                    continue  # imports, and the functions themselves
                for row in statements.OPERATORS:
                    for body in row(value, names):
                        yield row.__name__, _put(tree, place, field, body)
            elif isinstance(value, (ast.expr, list)) and not _left_alone(node, field):
                yield from _in_field(tree, place, field, value, names)


def _in_field(
    tree: ast.Module, place: int, field: str, value: Any, names: Names
) -> Iterator[tuple[str, ast.Module]]:
    """The changes of the expressions that a field of a node holds."""
    nodes = value if isinstance(value, list) else [value]
    for k, node in enumerate(nodes):
        if not isinstance(node, ast.expr):
            continue
        for operator in expressions.OPERATORS:
            for other in operator(node, names):
                changed = [*nodes[:k], other, *nodes[k + 1 :]]
                yield (
                    operator.__name__,
                    _put(tree, place, field, changed if isinstance(value, list) else other),
                )


def _left_alone(node: ast.AST, field: str) -> bool:
    """What no slip is in: the targets of assignments, annotations, and the words of a docstring."""
    return field in ("targets", "target", "annotation", "returns", "decorator_list") or (
        isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
    )


def _put(tree: ast.Module, place: int, field: str, value: Any) -> ast.Module:
    """A copy of the tree with that value in a field of the node in that place."""
    changed = copy.deepcopy(tree)
    for number, node in enumerate(ast.walk(changed)):
        if number == place:
            setattr(node, field, copy.deepcopy(value))
            break
    return changed


def _names(tree: ast.Module) -> Names:
    """The arguments of the functions of an answer, and the targets of its loops."""
    arguments = [node.arg for node in ast.walk(tree) if isinstance(node, ast.arg)]
    loops = [
        part.id
        for node in ast.walk(tree)
        if isinstance(node, (ast.For, ast.comprehension))
        for part in ast.walk(node.target)
        if isinstance(part, ast.Name)
    ]
    return Names(*(tuple(dict.fromkeys(found)) for found in (arguments, loops)))
