"""What of an answer stays when names, order, comments, loops and constants are changed: the forms
of its expressions.

Compare Schleimer, Wilkerson and Aiken, "Winnowing: local algorithms for document fingerprinting"
(2003), of which this differs in two ways. The forms are taken from the syntax tree, as in Baxter et
al., "Clone detection using abstract syntax trees" (1998), and they are few, so all are kept. And
they are counted without their places, so that moved statements change nothing.
"""

import ast
import builtins
import copy
import hashlib
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress

from rlcourse.grading.submission import MAGIC, read_submission
from rlcourse.notebook import BadSubmission

Forms = Counter[bytes]
LEAST_NODES = 3  # of a form: the slice of `x[1:]` has two
MOST_FORMS = 3_000  # of a function with its helpers; the longest right answer has 83
_BUILTINS = frozenset(dir(builtins))
_EITHER_WAY = (ast.Add, ast.Mult, ast.BitAnd, ast.BitOr, ast.Eq, ast.NotEq)
_TURNED = {ast.Gt: ast.Lt, ast.GtE: ast.LtE}
_CONVERSIONS = ("list", "tuple", "int", "float")
_Definition = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef | ast.Assign
# The label of an expression and the count of its nodes.
_Part = tuple[str, int]
# Constants, most variables, and everything whose content counts for itself.
_LEAF: _Part = ("", 1)


def read_forms(content: bytes | str, functions: Sequence[str]) -> dict[str, Forms]:
    """function -> how often each form stands in it and in the helpers that it uses.

    Nothing is run. Functions that are not there, or in which nothing is written, are left out.
    Raises BadSubmission, also where there are more than MOST_FORMS in a function.
    """
    defined: dict[str, _Definition] = {}
    for _, source in sorted((*(read := read_submission(content)).cells, *read.scored)):
        # A cell that is not Python says so in the grader's words.
        with suppress(SyntaxError, ValueError):
            _define(defined, ast.parse(MAGIC.sub(r"\1pass", source)))
    forms = {
        name: _forms(_inlined(name, copy.deepcopy(_used_by(name, defined, functions))))
        for name in functions
    }
    if max(map(Counter.total, forms.values()), default=0) > MOST_FORMS:
        raise BadSubmission(f"a function has more than {MOST_FORMS} expressions")
    return {name: counts for name, counts in forms.items() if counts}


def _define(defined: dict[str, _Definition], tree: ast.Module) -> None:
    """Add what a cell defines at its top level. What is as it was handed out, and the course's
    stand-in for a function that is there, do not count.
    """
    for node in tree.body:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            last = node.body[-1]
            if not isinstance(last, ast.Raise) or "NotImplementedError" not in ast.unparse(last):
                defined[node.name] = node
        elif isinstance(node, ast.Assign):
            for name in (one.id for one in node.targets if isinstance(one, ast.Name)):
                if isinstance(defined.get(name, node), ast.Assign):
                    defined[name] = node


def _used_by(
    name: str, defined: dict[str, _Definition], functions: Sequence[str]
) -> list[_Definition]:
    """The definition of a function and of everything that it needs, other tasks left out."""
    needed, open_ = dict[str, _Definition](), [name]
    while open_:
        one = open_.pop()
        if one in defined and one not in needed:
            needed[one] = defined[one]
            open_ += _foreign(defined[one]).difference(functions)
    return list({id(node): node for node in needed.values()}.values())


def _inlined(name: str, definitions: list[_Definition]) -> list[_Definition]:
    """The definitions of a function and its helpers, those of `_Inliner` put into their places."""
    inliner = _Inliner(name, definitions)
    for definition in definitions:
        inliner.visit(definition)
    return [one for one in definitions if getattr(one, "name", "") not in inliner.gone]


class _Inliner(ast.NodeTransformer):
    """Puts the expression that a helper returns in the place of the one call of it, which passes
    nothing but variables and constants. gone: such helpers.
    """

    def __init__(self, name: str, definitions: Sequence[_Definition]) -> None:
        nodes = (node for one in definitions for node in ast.walk(one))
        uses = Counter(node.id for node in nodes if isinstance(node, ast.Name))
        functions = [one for one in definitions if isinstance(one, ast.FunctionDef)]
        self.helpers = {
            one.name: one for one in functions if one.name != name and uses[one.name] == 1
        }
        self.gone = set[str]()

    def visit_Call(self, node: ast.Call) -> ast.AST:
        """The call, or what stands in its place."""
        self.generic_visit(node)
        name, given = getattr(node.func, "id", ""), node.args
        plain = all(isinstance(one, ast.Name | ast.Constant) for one in given)
        match self.helpers.get(name):
            case ast.FunctionDef(
                args=ast.arguments([], names, None, [], [], None, []),
                body=[ast.Return(value=ast.expr() as value)]
                | [ast.Expr(value=ast.Constant()), ast.Return(value=ast.expr() as value)],
            ) if plain and not node.keywords and len(names) == len(given):
                self.gone.add(name)
                passed = {one.arg: argument for one, argument in zip(names, given, strict=True)}
                inner: ast.AST = _Passed(passed).visit(self.visit(value))
                return inner
        return node


class _Passed(ast.NodeTransformer):
    """Puts what is passed in the place of arguments."""

    def __init__(self, passed: Mapping[str, ast.expr]) -> None:
        self.passed = passed

    def visit_Name(self, node: ast.Name) -> ast.AST:
        """The name, or what was passed for it."""
        return self.passed.get(node.id, node)


def _foreign(definition: ast.AST) -> set[str]:
    """The names that a definition uses and does not bind."""
    used, bound = set[str](), set[str]()
    for node in ast.walk(definition):
        match node:
            case ast.Name(id=name, ctx=ast.Load()):
                used.add(name)
            case ast.Name(id=name) | ast.arg(arg=name):
                bound.add(name)
    return used - bound


def _forms(definitions: Sequence[_Definition]) -> Forms:
    reader = _Reader(definitions)
    for definition in definitions:
        reader.origins = _origins(definition)
        reader.part(definition)
    return reader.forms


def _origins(definition: ast.AST) -> dict[str, str]:
    """Variable -> what makes its value, of those that are bound once, by a call or an operation."""
    bound, origins = Counter[str](), dict[str, str]()
    for node in ast.walk(definition):
        match node:
            case ast.arg(arg=name) | ast.Name(id=name, ctx=ast.Store()):
                bound[name] += 1
            case ast.Assign(targets=[ast.Name(id=name)], value=value):
                origins[name] = _origin(value)
    return {name: origin for name, origin in origins.items() if origin and bound[name] == 1}


def _origin(value: ast.expr) -> str:
    """The name of the operation, or of the function where it is not the student's own."""
    match value:
        case ast.BinOp(op=op) | ast.BoolOp(op=op):
            return type(op).__name__
        case ast.Call(func=ast.Attribute(attr=name)):
            return name
        case ast.Call(func=ast.Name(id=name)) if name in _BUILTINS - {"range", *_CONVERSIONS}:
            return name
    return ""


class _Reader:
    """Takes definitions apart. own, attributes: the names that they bind, which say nothing."""

    def __init__(self, definitions: Sequence[ast.AST]) -> None:
        self.forms: Forms = Counter()
        self.origins: dict[str, str] = {}
        self.own, self.attributes = set[str](), set[str]()
        for node in (node for one in definitions for node in ast.walk(one)):
            match node:
                case ast.Attribute(attr=name, ctx=ast.Store()):
                    self.attributes.add(name)
                case ast.Name(id=name, ctx=ast.Store()) | ast.arg(arg=name):
                    self.own.add(name)
                case ast.FunctionDef(name=name) | ast.ClassDef(name=name):
                    self.own.add(name)

    def parts(self, nodes: Iterable[ast.AST | None]) -> list[_Part]:
        """The parts of nodes, one after the other."""
        return [("", 0) if node is None else self.part(node) for node in nodes]

    def part(self, node: ast.AST) -> _Part:
        """The label and the size of an expression; its forms, and those of a statement, are
        counted.
        """
        match node:
            case ast.Constant() | ast.JoinedStr() | ast.arguments():
                return _LEAF
            case ast.Name(id=name):
                own = self.origins.get(name, "")
                return (name if name in _BUILTINS - self.own else own), 1
            case ast.FunctionDef(body=statements) | ast.AsyncFunctionDef(body=statements):
                self.parts(statements)  # without annotations
            case ast.AnnAssign(target=target, value=value):
                self.parts((target, value))
            case ast.Compare():
                return self._comparison(node)
            case ast.Call():
                return self._call(node)
            case ast.Attribute(value=value, attr=attr):
                return self._attribute(self.part(value), "" if attr in self.attributes else attr)
            case _:
                return self._operation(node)
        return _LEAF

    def _operation(self, node: ast.AST) -> _Part:
        match node:
            case (
                ast.BinOp(left=left, op=op, right=right)
                | ast.AugAssign(target=left, op=op, value=right)
            ):
                return self._form(type(op), self.parts((left, right)))
            case ast.UnaryOp(op=op, operand=operand):
                part = self.part(operand)  # a constant can have its sign with it
                return _LEAF if part == _LEAF else self._form(type(op), [part])
            case ast.BoolOp(op=op, values=values):
                return self._form(type(op), sorted(self.parts(values)))
            case ast.Slice(lower=lower, upper=upper, step=step):
                return self._form(ast.Slice, self.parts((lower, upper, step)))
            case ast.Subscript(value=value, slice=slice_):
                return self._form(ast.Subscript, self.parts((value, slice_)))
            case ast.Tuple(elts=[_, *_] as elements) | ast.List(elts=[_, *_] as elements):
                return self._form(ast.Tuple, self.parts(elements))
            case ast.IfExp(test=test, body=body, orelse=orelse):
                return self._form(ast.IfExp, self.parts((test, body, orelse)))
        # A loop and a comprehension of the same expressions are the same.
        self.parts(ast.iter_child_nodes(node))
        return _LEAF

    def _form(self, kind: type[ast.AST], parts: list[_Part], word: str = "") -> _Part:
        """Count a form; its label is a digest, so that the cost grows with the nodes alone."""
        parts = sorted(parts) if kind in _EITHER_WAY else parts
        text = f"{kind.__name__} {word}({','.join(label for label, _ in parts)})"
        digest = hashlib.blake2b(text.encode("utf-8", "replace"), digest_size=8)
        size = 1 + sum(count for _, count in parts)
        if size >= LEAST_NODES:
            self.forms[digest.digest()] += 1
        return digest.hexdigest(), size

    def _comparison(self, node: ast.Compare) -> _Part:
        """The last of a chain; `a > b` is `b < a`."""
        operands, part = self.parts((node.left, *node.comparators)), _LEAF
        for op, left, right in zip(node.ops, operands, operands[1:], strict=False):
            kind = type(op)
            pair = [right, left] if kind in _TURNED else [left, right]
            part = self._form(_TURNED.get(kind, kind), pair)
        return part

    def _attribute(self, value: _Part, name: str) -> _Part:
        """The name of a module or of a variable says nothing; that of an attribute does."""
        return (name, 1) if value == _LEAF else self._form(ast.Attribute, [value], name)

    def _call(self, node: ast.Call) -> _Part:
        given = self.parts((*node.args, *(word.value for word in node.keywords)))
        match node.func:
            case ast.Name(id="range") if given:  # `for k in range(n)` and `while k < n`
                return given[:2][-1]
            case ast.Name(id=name) if name in _CONVERSIONS and len(given) == 1:
                return given[0]
            case ast.Attribute(attr="append", value=value):  # as in a comprehension
                self.part(value)
                return _LEAF
        return self._form(ast.Call, [self.part(node.func), *given])
