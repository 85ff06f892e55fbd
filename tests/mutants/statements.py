"""Slips in a row of statements: each operator gives the rows that could stand in its place."""

import ast
import copy
from collections.abc import Callable, Iterator

from tests.mutants.expressions import Names, code

Body = list[ast.stmt]
Operator = Callable[[Body, Names], Iterator[Body]]


def dropped(body: Body, names: Names) -> Iterator[Body]:
    """One statement is missing."""
    for k, statement in enumerate(body):
        if not isinstance(statement, (ast.FunctionDef, ast.Import, ast.ImportFrom, ast.ClassDef)):
            yield [*body[:k], *body[k + 1 :]] or [ast.Pass()]


def order(body: Body, names: Names) -> Iterator[Body]:
    """Two neighbours change places: what is counted after comes before."""
    for k in range(len(body) - 1):
        if not isinstance(body[k + 1], ast.Return):
            yield [*body[:k], body[k + 1], body[k], *body[k + 2 :]]


def always_or_never(body: Body, names: Names) -> Iterator[Body]:
    """The condition is forgotten: what it guards is done always, or only the rest."""
    for k, statement in enumerate(body):
        if isinstance(statement, ast.If):
            yield [*body[:k], *statement.body, *body[k + 1 :]]
            yield [*body[:k], *statement.orelse, *body[k + 1 :]] or [ast.Pass()]


def sum_lost(body: Body, names: Names) -> Iterator[Body]:
    """`x += y` becomes `x = y`, `x -= y`, or the like."""
    others: dict[type, ast.operator] = {
        ast.Add: ast.Sub(),
        ast.Sub: ast.Add(),
        ast.Mult: ast.Div(),
        ast.Div: ast.Mult(),
    }
    for k, statement in enumerate(body):
        if isinstance(statement, ast.AugAssign):
            yield [
                *body[:k],
                ast.Assign([copy.deepcopy(statement.target)], statement.value),
                *body[k + 1 :],
            ]
            changed = copy.deepcopy(statement)
            changed.op = others.get(type(statement.op), statement.op)
            yield [*body[:k], changed, *body[k + 1 :]]


def changed_in_place(body: Body, names: Names) -> Iterator[Body]:
    """`x = x * y` becomes `x *= y`, which changes the array that x is."""
    for k, statement in enumerate(body):
        if not (isinstance(statement, ast.Assign) and isinstance(statement.value, ast.BinOp)):
            continue
        target, value = statement.targets[0], statement.value
        if ast.unparse(target) == ast.unparse(value.left) and not isinstance(target, ast.Tuple):
            made = ast.AugAssign(copy.deepcopy(target), value.op, value.right)  # type: ignore[arg-type]
            yield [*body[:k], made, *body[k + 1 :]]


def break_or_continue(body: Body, names: Names) -> Iterator[Body]:
    """The whole loop is left in place of one round, or the other way round."""
    for k, statement in enumerate(body):
        if isinstance(statement, ast.Continue):
            yield [*body[:k], ast.Break(), *body[k + 1 :]]
        if isinstance(statement, ast.Break):
            yield [*body[:k], ast.Continue(), *body[k + 1 :]]


def mask_first(body: Body, names: Names) -> Iterator[Body]:
    """The mask is put on an argument at once, before its sign is turned or its sum is taken."""
    for node in (node for statement in body for node in ast.walk(statement)):
        masks = isinstance(node, ast.Call) and ast.unparse(node.func) == "np.where"
        if not masks or len(node.args) != 3:  # type: ignore[attr-defined]
            continue
        mask, inside, filling = node.args  # type: ignore[attr-defined]
        used = {part.id for part in ast.walk(mask) if isinstance(part, ast.Name)}
        if not used <= set(names.arguments):
            continue
        rest = [_replaced(statement, node, inside) for statement in body]
        for name in names.arguments:
            if name not in used and any(name in ast.unparse(statement) for statement in body):
                early = code(
                    "np.where(mask, value, filling)", mask=mask, value=code(name), filling=filling
                )
                yield [ast.Assign([ast.Name(name, ast.Store())], early), *rest]


def _replaced(statement: ast.stmt, old: ast.AST, new: ast.expr) -> ast.stmt:
    """A copy of the statement with another expression in that place."""
    text = ast.unparse(statement).replace(ast.unparse(old), f"({ast.unparse(new)})")
    return ast.parse(text).body[0]


def early_return(body: Body, names: Names) -> Iterator[Body]:
    """The return stands one loop too deep."""
    for k in range(len(body) - 1):
        inner, last = body[k], body[k + 1]
        if isinstance(inner, ast.For) and isinstance(last, ast.Return):
            changed = copy.deepcopy(inner)
            changed.body.append(copy.deepcopy(last))
            yield [*body[:k], changed, last]


OPERATORS: tuple[Operator, ...] = (
    dropped,
    order,
    always_or_never,
    sum_lost,
    changed_in_place,
    break_or_continue,
    mask_first,
    early_return,
)
