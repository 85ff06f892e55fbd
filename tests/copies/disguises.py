"""Five ways to hand in somebody else's answer so that it looks like one's own, as source to source.

Each keeps what the function does: `tests.copies` has the sheet's visible check say so.
"""

import ast
import builtins
import copy
from collections.abc import Callable, Iterator
from itertools import count

_SCOPES = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda | ast.ClassDef


def names(source: str, keep: str) -> str:
    """Every variable, argument, helper and own attribute gets another name; `keep` stays."""
    tree = ast.parse(source)
    methods = {
        node.name
        for one in ast.walk(tree)
        if isinstance(one, ast.ClassDef)
        for node in one.body
        if isinstance(node, ast.FunctionDef)
    }
    old = [name for name in _bound(tree) if name not in methods | {keep}]
    new = dict(zip(old, (f"w{number}" for number in count()), strict=False))
    # Those of the class that is asked for can be part of the task.
    helpers = any(isinstance(one, ast.ClassDef) and one.name != keep for one in tree.body)
    attributes = {
        node.attr
        for node in ast.walk(tree)
        if helpers and isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store)
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.Name):
            node.id = new.get(node.id, node.id)
        elif isinstance(node, ast.arg):
            node.arg = new.get(node.arg, node.arg)
        elif isinstance(node, ast.FunctionDef | ast.ClassDef):
            node.name = new.get(node.name, node.name)
        elif isinstance(node, ast.Attribute) and node.attr in attributes:
            node.attr = f"w_{node.attr[::-1].strip('_')}"
    return ast.unparse(tree)


def order(source: str, keep: str) -> str:
    """Functions the other way round, and neighbouring statements that do not touch each other's
    names.
    """
    tree = ast.parse(source)
    for node in ast.walk(tree):
        for body in _bodies(node):
            place = 0
            while place + 1 < len(body):
                first, second = body[place : place + 2]
                if _may_swap(first, second):
                    body[place : place + 2] = second, first
                    place += 1
                place += 1
    functions = [node for node in tree.body if isinstance(node, ast.FunctionDef)]
    rest = [node for node in tree.body if not isinstance(node, ast.FunctionDef)]
    if all(isinstance(node, ast.Import | ast.ImportFrom) for node in rest):
        tree.body = [*rest, *reversed(functions)]
    return ast.unparse(tree)


def comments(source: str, keep: str) -> str:
    """Other comments, docstrings, blank lines and annotations."""
    tree = ast.parse(source)
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef):
            if ast.get_docstring(node) is not None and len(node.body) > 1:
                node.body.pop(0)
            node.body.insert(0, ast.Expr(ast.Constant(f"Works out what {node.name} asks for.")))
            node.returns = ast.Constant("object")
    lines = []
    for line in ast.unparse(ast.fix_missing_locations(tree)).split("\n"):
        margin = line[: len(line) - len(line.lstrip())]
        lines += (
            [f"{margin}# next, line {len(lines)}", line + "  # so"] if '"""' not in line else [line]
        )
    return "\n".join(lines)


def loops(source: str, keep: str) -> str:
    """`for` becomes `while`, a list comprehension a loop, and a loop that appends a list
    comprehension.
    """
    tree = ast.parse(source)
    rewriter = _Loops()
    return ast.unparse(ast.fix_missing_locations(rewriter.visit(tree)))


def constants(source: str, keep: str) -> str:
    """Numbers and texts move into variables at the function's head."""
    tree = ast.parse(source)
    for node in tree.body:
        functions = node.body if isinstance(node, ast.ClassDef) else [node]
        for function in functions:
            if isinstance(function, ast.FunctionDef):
                _move_constants(function)
    return ast.unparse(ast.fix_missing_locations(tree))


def everything(source: str, keep: str) -> str:
    """All five, one after the other."""
    for one in (loops, constants, order, names, comments):
        source = one(source, keep)
    return source


def split(source: str, keep: str) -> str:
    """Calls and operations inside another one get a variable of their own. None of the five: their
    forms do change.
    """
    tree = ast.parse(source)
    number = count()
    for node in ast.walk(tree):
        for body in _bodies(node):
            body[:] = [
                one for statement in body for one in (*_pulled_out(statement, number), statement)
            ]
    return ast.unparse(ast.fix_missing_locations(tree))


def helpers(source: str, keep: str) -> str:
    """Each call or operation that is assigned or returned moves into a function of its own, which
    is given the variables in it. None of the five.
    """
    tree, moved = ast.parse(source), list[ast.stmt]()
    known = BUILTINS | {name for node in tree.body for name in _named(node)}
    for function in (node for node in tree.body if isinstance(node, ast.FunctionDef)):
        inside = known | {name for node in ast.walk(function) for name in _imported(node)}
        statements = (one for node in ast.walk(function) for body in _bodies(node) for one in body)
        for statement in list(statements):
            value = getattr(statement, "value", None)
            if not isinstance(statement, ast.Assign | ast.Return):
                continue
            if not isinstance(value, ast.BinOp | ast.Call) or not _may_move(value, known, inside):
                continue
            nodes = [node for node in ast.walk(value) if isinstance(node, ast.Name)]
            own = {node.id for node in nodes if isinstance(node.ctx, ast.Store)} | known
            given = list(dict.fromkeys(node.id for node in nodes if node.id not in own))
            name = f"{keep}_{len(moved)}"
            definition = ast.parse(f"def {name}({', '.join(given)}):\n    return 0").body[0]
            definition.body[0].value = value  # type: ignore[attr-defined]
            moved.append(definition)
            statement.value = ast.parse(f"{name}({', '.join(given)})", mode="eval").body
    return ast.unparse(ast.fix_missing_locations(tree)) + "".join(
        f"\n\n{ast.unparse(ast.fix_missing_locations(one))}" for one in moved
    )


def _may_move(value: ast.expr, known: frozenset[str], inside: frozenset[str]) -> bool:
    """Whether an expression means the same in another function."""
    nodes = list(ast.walk(value))
    if any(isinstance(node, ast.Lambda | ast.NamedExpr | ast.Yield) for node in nodes):
        return False
    return not {node.id for node in nodes if isinstance(node, ast.Name)} & (inside - known)


def _imported(node: ast.AST) -> set[str]:
    """The names that an import binds, if the node is one."""
    if not isinstance(node, ast.Import | ast.ImportFrom):
        return set()
    return {name.asname or name.name for name in node.names}


def _named(node: ast.stmt) -> set[str]:
    """The names that a statement of a module binds."""
    match node:
        case ast.FunctionDef(name=name) | ast.ClassDef(name=name):
            return {name}
        case ast.Assign(targets=targets):
            return {target.id for target in targets if isinstance(target, ast.Name)}
    return _imported(node)


def _pulled_out(statement: ast.stmt, number: Iterator[int]) -> Iterator[ast.stmt]:
    """The assignments that come before a statement, which is changed."""
    value = getattr(statement, "value", None)
    if not isinstance(statement, ast.Assign | ast.Return | ast.AugAssign):
        return
    if isinstance(value, ast.BinOp):
        places = [(value, "left"), (value, "right")]
        inner = [value.left, value.right]
    elif isinstance(value, ast.Call):
        inner = value.args
    else:
        return
    for place, one in enumerate(inner):
        if isinstance(one, ast.BinOp | ast.Call | ast.Subscript | ast.Compare):
            name = f"part_{next(number)}"
            yield ast.Assign([ast.Name(name, ast.Store())], one)
            new = ast.Name(name, ast.Load())
            if isinstance(value, ast.Call):
                value.args[place] = new
            else:
                setattr(*places[place], new)


DISGUISES: dict[str, Callable[[str, str], str]] = {
    "names": names,
    "order": order,
    "comments": comments,
    "loops": loops,
    "constants": constants,
}


def _bound(tree: ast.AST) -> list[str]:
    """The names that a source binds itself, imports left out."""
    bound: dict[str, None] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            bound[node.id] = None
        elif isinstance(node, ast.arg):
            bound[node.arg] = None
        elif isinstance(node, ast.FunctionDef | ast.ClassDef):
            bound[node.name] = None
    return list(bound)


def _bodies(node: ast.AST) -> Iterator[list[ast.stmt]]:
    for field in ("body", "orelse"):
        body = getattr(node, field, None)
        if isinstance(body, list) and not isinstance(node, ast.Module | ast.ClassDef):
            yield body


def _may_swap(first: ast.stmt, second: ast.stmt) -> bool:
    """Whether two assignments to variables can change places: neither binds what the other uses,
    and no call can leave a trace.
    """
    if not all(
        isinstance(one, ast.Assign) and isinstance(one.targets[0], ast.Name) and _is_pure(one)
        for one in (first, second)
    ):
        return False
    bound, used = [], []
    for one in (first, second):
        nodes = [node for node in ast.walk(one) if isinstance(node, ast.Name)]
        bound.append({node.id for node in nodes if isinstance(node.ctx, ast.Store)})
        used.append({node.id for node in nodes})
    return not (bound[0] & used[1] or bound[1] & used[0])


def _is_pure(statement: ast.stmt) -> bool:
    """Whether it calls nothing but builtins and NumPy."""
    calls = (node.func for node in ast.walk(statement) if isinstance(node, ast.Call))
    return all(
        call.id in BUILTINS
        if isinstance(call, ast.Name)
        else isinstance(call, ast.Attribute)
        and isinstance(call.value, ast.Name)
        and call.value.id == "np"
        for call in calls
    )


class _Loops(ast.NodeTransformer):
    """Rewrites loops; a loop that jumps or unpacks something it cannot index stays as it is."""

    def __init__(self) -> None:
        self.number = count()

    def _name(self) -> str:
        return f"k{next(self.number)}"

    def visit_ClassDef(self, node: ast.ClassDef) -> ast.AST:
        node.body = [self.visit(one) for one in node.body]
        return node

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        node.body = self._statements(node.body)
        return node

    def _statements(self, body: list[ast.stmt]) -> list[ast.stmt]:
        made: list[ast.stmt] = []
        for one in body:
            made += self._statement(one)
        return made

    def _statement(self, one: ast.stmt) -> list[ast.stmt]:
        for field in ("body", "orelse"):
            if isinstance(getattr(one, field, None), list):
                setattr(one, field, self._statements(getattr(one, field)))
        if isinstance(one, ast.For) and not one.orelse and not _jumps(one):
            return self._as_while(one)
        if isinstance(one, ast.Assign | ast.Return) and isinstance(one.value, ast.ListComp):
            return self._as_loop(one)
        return [one]

    def _as_while(self, loop: ast.For) -> list[ast.stmt]:
        index = self._name()
        call = loop.iter
        if (
            isinstance(call, ast.Call)
            and isinstance(call.func, ast.Name)
            and call.func.id == "range"
            and len(call.args) <= 2
        ):
            start = ast.unparse(call.args[0]) if len(call.args) == 2 else "0"
            head, stop = [], ast.unparse(call.args[-1])
            value = index
        else:
            items = self._name()
            head = ast.parse(f"{items} = list({ast.unparse(call)})").body
            start, stop, value = "0", f"len({items})", f"{items}[{index}]"
        first = ast.parse(f"{index} = {start}").body
        loop_ = ast.parse(
            f"while {index} < {stop}:\n    {ast.unparse(loop.target)} = {value}"
        ).body[0]
        assert isinstance(loop_, ast.While)
        loop_.body += [*loop.body, *ast.parse(f"{index} += 1").body]
        return [*head, *first, loop_]

    def _as_loop(self, one: ast.Assign | ast.Return) -> list[ast.stmt]:
        comprehension = one.value
        assert isinstance(comprehension, ast.ListComp)
        items = self._name()
        body: list[ast.stmt] = ast.parse(f"{items}.append({ast.unparse(comprehension.elt)})").body
        for part in reversed(comprehension.generators):
            for test in reversed(part.ifs):
                body = [ast.If(test, body, [])]
            target = copy.deepcopy(part.target)
            body = [ast.For(target, part.iter, body, [])]
        one.value = ast.Name(items, ast.Load())
        return [*ast.parse(f"{items} = []").body, *body, one]


def _jumps(loop: ast.For) -> bool:
    """Whether a `continue` would skip the step of the index, or a body changes what is counted."""
    return any(isinstance(node, ast.Continue) for node in ast.walk(loop))


def _move_constants(function: ast.FunctionDef) -> None:
    found: dict[str, ast.Constant] = {}

    class Mover(ast.NodeTransformer):
        def visit_Constant(self, node: ast.Constant) -> ast.AST:
            if isinstance(node.value, bool) or node.value is None or node.value is Ellipsis:
                return node
            name = f"fixed_{len(found)}"
            for known, other in found.items():
                if type(other.value) is type(node.value) and other.value == node.value:
                    name = known
            found.setdefault(name, node)
            return ast.Name(name, ast.Load())

        def visit_JoinedStr(self, node: ast.JoinedStr) -> ast.AST:
            return node

        def visit_Expr(self, node: ast.Expr) -> ast.AST:
            return node if isinstance(node.value, ast.Constant) else self.generic_visit(node)

        def visit_arguments(self, node: ast.arguments) -> ast.AST:
            return node

    function.body = [Mover().visit(one) for one in function.body]
    head = [ast.Assign([ast.Name(name, ast.Store())], value) for name, value in found.items()]
    function.body[:0] = head


BUILTINS = frozenset(dir(builtins))
