"""Slips in an expression: each operator gives the expressions that could stand in a node's place.

An operator gets the node and the names around it, and changes neither.
"""

import ast
import copy
from collections.abc import Callable, Iterator
from typing import NamedTuple

Operator = Callable[[ast.expr, "Names"], Iterator[ast.expr]]

# Arguments that are one number, by the names that the sheets give them
RATES = ("alpha", "epsilon", "floor", "gamma", "lam", "temperature")
OPPOSITE = {
    "max": "min",
    "argmax": "argmin",
    "maximum": "minimum",
    "sum": "mean",
    "any": "all",
    "zeros": "ones",
    "std": "var",
    "cumsum": "cumprod",
    "fliplr": "flipud",
}
COPIES = ("copy", "array", "list", "astype", "asarray", "deepcopy")


class Names(NamedTuple):
    """The names that an answer binds: arguments of its functions, and targets of its loops."""

    arguments: tuple[str, ...] = ()
    loops: tuple[str, ...] = ()


def number(value: float) -> ast.expr:
    """The expression of a number."""
    return ast.parse(repr(value), mode="eval").body


def code(text: str, **parts: ast.expr) -> ast.expr:
    """The expression of a text in which each name of `parts` stands for that expression."""

    class Fill(ast.NodeTransformer):
        """Puts the parts in."""

        def visit_Name(self, node: ast.Name) -> ast.expr:
            """A name, or the part that it stands for."""
            return copy.deepcopy(parts.get(node.id, node))

    return Fill().visit(ast.parse(text, mode="eval").body)


def _called(node: ast.expr) -> str:
    """The last name of what is called, such as "where" of np.where(...); "" for no call."""
    if not isinstance(node, ast.Call):
        return ""
    return getattr(node.func, "attr", getattr(node.func, "id", ""))


def _with(node: ast.expr, **fields: object) -> ast.expr:
    """A copy of the node with these fields."""
    changed = copy.deepcopy(node)
    for name, value in fields.items():
        setattr(changed, name, copy.deepcopy(value))
    return changed


def sign_lost(node: ast.expr, names: Names) -> Iterator[ast.expr]:
    """-x becomes x, ~x and not x become x."""
    if isinstance(node, ast.UnaryOp):
        yield node.operand


def sign_turned(node: ast.expr, names: Names) -> Iterator[ast.expr]:
    """x becomes -x, where x is a factor, a summand or an entry."""
    if isinstance(node, ast.BinOp):
        for side in ("left", "right"):
            yield _with(node, **{side: ast.UnaryOp(ast.USub(), getattr(node, side))})


def operator_changed(node: ast.expr, names: Names) -> Iterator[ast.expr]:
    """+ becomes -, * becomes / or +, ** becomes *, and the other way round."""
    others: dict[type, list[ast.operator]] = {
        ast.Add: [ast.Sub()],
        ast.Sub: [ast.Add()],
        ast.Mult: [ast.Div(), ast.Add()],
        ast.Div: [ast.Mult(), ast.FloorDiv()],
        ast.FloorDiv: [ast.Div(), ast.Mod()],
        ast.Mod: [ast.FloorDiv()],
        ast.Pow: [ast.Mult()],
        ast.MatMult: [ast.Mult()],
    }
    if isinstance(node, ast.BinOp):
        for other in others.get(type(node.op), []):
            yield _with(node, op=other)


def operands_swapped(node: ast.expr, names: Names) -> Iterator[ast.expr]:
    """a - b becomes b - a; so with every operator that has an order."""
    if isinstance(node, ast.BinOp) and not isinstance(node.op, (ast.Add, ast.Mult)):
        yield _with(node, left=node.right, right=node.left)


def term_dropped(node: ast.expr, names: Names) -> Iterator[ast.expr]:
    """a + b becomes a, or b; so with factors, powers and parts of a condition."""
    if isinstance(node, ast.BinOp):
        yield node.left
        if not isinstance(node.op, (ast.Div, ast.Pow)):
            yield node.right
    if isinstance(node, ast.BoolOp):
        yield from node.values


def arguments_swapped(node: ast.expr, names: Names) -> Iterator[ast.expr]:
    """f(a, b) becomes f(b, a), for each two neighbours."""
    if isinstance(node, ast.Call):
        for k in range(len(node.args) - 1):
            args = [*node.args[:k], node.args[k + 1], node.args[k], *node.args[k + 2 :]]
            yield _with(node, args=args)


def branches(node: ast.expr, names: Names) -> Iterator[ast.expr]:
    """`a if condition else b` becomes `b if condition else a`, a, or b."""
    if isinstance(node, ast.IfExp):
        yield _with(node, body=node.orelse, orelse=node.body)
        yield node.body
        yield node.orelse


def where(node: ast.expr, names: Names) -> Iterator[ast.expr]:
    """np.where(mask, a, b): the mask forgotten, another filling, its other sign, the other side."""
    if _called(node) == "where" and isinstance(node, ast.Call) and len(node.args) == 3:
        mask, inside, filling = node.args
        yield inside
        yield _with(node, args=[mask, inside, number(0.0)])
        yield _with(node, args=[mask, inside, ast.UnaryOp(ast.USub(), filling)])
        yield _with(node, args=[mask, filling, inside])


def off_by_one(node: ast.expr, names: Names) -> Iterator[ast.expr]:
    """A whole number, an index, a power, or a bound of range one higher or lower."""
    if isinstance(node, ast.Constant) and type(node.value) is int:
        yield number(node.value + 1)
        yield number(node.value - 1)
    parts: list[tuple[str, ast.expr]] = []
    if isinstance(node, ast.Subscript) and isinstance(node.slice, (ast.Name, ast.BinOp)):
        parts = [("slice", node.slice)]
    elif isinstance(node, ast.BinOp) and isinstance(node.op, ast.Pow):
        parts = [("right", node.right)]
    elif isinstance(node, ast.Slice):
        parts = [(name, part) for name in ("lower", "upper") if (part := getattr(node, name))]
    for name, part in parts:
        yield _with(node, **{name: code("part + 1", part=part)})
        yield _with(node, **{name: code("part - 1", part=part)})
    if _called(node) == "range" and isinstance(node, ast.Call):
        last = min(1, len(node.args) - 1)
        for text in ("part + 1", "part - 1"):
            args = list(node.args)
            args[last] = code(text, part=args[last])
            yield _with(node, args=args)


def other_number(node: ast.expr, names: Names) -> Iterator[ast.expr]:
    """0.0 becomes 1.0, every other number becomes 0.0; a truth is turned."""
    if isinstance(node, ast.Constant) and isinstance(node.value, bool):
        yield ast.Constant(not node.value)
    elif isinstance(node, ast.Constant) and isinstance(node.value, float):
        yield number(0.0 if node.value else 1.0)


def opposite_function(node: ast.expr, names: Names) -> Iterator[ast.expr]:
    """max becomes min, sum becomes mean, and so on, both ways; also as methods."""
    both = OPPOSITE | {value: name for name, value in OPPOSITE.items()}
    if isinstance(node, ast.Attribute) and node.attr in both:
        yield _with(node, attr=both[node.attr])
    if isinstance(node, ast.Call) and ast.unparse(node.func) == "sum" and len(node.args) == 1:
        yield code("np.mean(list(values))", values=node.args[0])
    if isinstance(node, ast.Name) and node.id in ("max", "min", "any", "all"):
        yield _with(node, id=both[node.id])


def index_itself(node: ast.expr, names: Names) -> Iterator[ast.expr]:
    """a[i] becomes i, the place in a short list in place of what stands there; or a."""
    if isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Load):
        yield node.value
        if not isinstance(node.slice, (ast.Slice, ast.Tuple)):
            yield node.slice


def copy_missing(node: ast.expr, names: Names) -> Iterator[ast.expr]:
    """x.copy(), np.array(x), list(x), x.astype(t) become x; any other call its first argument."""
    if not isinstance(node, ast.Call):
        return
    if _called(node) in COPIES and isinstance(node.func, ast.Attribute) and not _is_numpy(node):
        yield node.func.value
    elif node.args and _called(node) not in ("reversed", "sorted", "range"):
        yield node.args[0]


def _is_numpy(node: ast.Call) -> bool:
    return isinstance(node.func, ast.Attribute) and ast.unparse(node.func.value) == "np"


def in_place(node: ast.expr, names: Names) -> Iterator[ast.expr]:
    """A new array becomes one of the arguments, or a copy of one that keeps its numbers."""
    new = ("zeros", "zeros_like", "empty", "ones", "full", "array", "copy", "where")
    if _called(node) in new:
        for name in names.arguments:
            if name not in RATES and name != "rng":
                yield code(name)
                yield code(f"{name}.copy()")


def whole_numbers(node: ast.expr, names: Names) -> Iterator[ast.expr]:
    """An array of numbers becomes one of whole numbers, which cuts off what follows the point."""
    if isinstance(node, ast.Call) and _called(node) in ("zeros", "array", "empty", "zeros_like"):
        others = [keyword for keyword in node.keywords if keyword.arg != "dtype"]
        yield _with(node, args=node.args[:1], keywords=[*others, ast.keyword("dtype", code("int"))])


def axis(node: ast.expr, names: Names) -> Iterator[ast.expr]:
    """axis=1 becomes axis=0, and so on; or is left out. keepdims and ddof as well."""
    if not isinstance(node, ast.Call):
        return
    for k, keyword in enumerate(node.keywords):
        rest = [*node.keywords[:k], *node.keywords[k + 1 :]]
        yield _with(node, keywords=rest)
        if keyword.arg == "axis" and isinstance(keyword.value, ast.Constant):
            for other in {0, 1} - {keyword.value.value}:
                yield _with(node, keywords=[*rest, ast.keyword("axis", number(other))])
    if _called(node) in ("std", "var"):
        yield _with(node, keywords=[*node.keywords, ast.keyword("ddof", number(1))])


def complement(node: ast.expr, names: Names) -> Iterator[ast.expr]:
    """1 - x becomes x; a rate becomes 1 - itself, 1, or a number of the lesson's."""
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Sub):
        if ast.unparse(node.left) in ("1", "1.0"):
            yield node.right
    if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
        if node.id in names.arguments and node.id in RATES:
            yield code(f"(1 - {node.id})")
            yield number(1.0)
            yield number(0.9 if node.id in ("gamma", "lam") else 0.1)


def boundary(node: ast.expr, names: Names) -> Iterator[ast.expr]:
    """< becomes <= and >, == becomes !=, and so on."""
    others: dict[type, list[ast.cmpop]] = {
        ast.Lt: [ast.LtE(), ast.Gt()],
        ast.LtE: [ast.Lt(), ast.GtE()],
        ast.Gt: [ast.GtE(), ast.Lt()],
        ast.GtE: [ast.Gt(), ast.LtE()],
        ast.Eq: [ast.NotEq()],
        ast.NotEq: [ast.Eq()],
        ast.In: [ast.NotIn()],
        ast.NotIn: [ast.In()],
        ast.Is: [ast.IsNot()],
        ast.IsNot: [ast.Is()],
    }
    if isinstance(node, ast.Compare) and len(node.ops) == 1:
        for other in others.get(type(node.ops[0]), []):
            yield _with(node, ops=[other])


def both_or_one(node: ast.expr, names: Names) -> Iterator[ast.expr]:
    """`and` becomes `or`, & becomes |, and the other way round."""
    if isinstance(node, ast.BoolOp):
        yield _with(node, op=ast.Or() if isinstance(node.op, ast.And) else ast.And())
    if isinstance(node, ast.BinOp) and isinstance(node.op, (ast.BitAnd, ast.BitOr)):
        yield _with(node, op=ast.BitOr() if isinstance(node.op, ast.BitAnd) else ast.BitAnd())


def condition_dropped(node: ast.expr, names: Names) -> Iterator[ast.expr]:
    """A comprehension loses its `if`."""
    for k, part in enumerate(getattr(node, "generators", [])):
        if part.ifs:
            changed = copy.deepcopy(node)
            changed.generators[k].ifs = []  # type: ignore[attr-defined]
            yield changed


def other_way_round(node: ast.expr, names: Names) -> Iterator[ast.expr]:
    """reversed(x) becomes x, a countdown counts up, and a[::-1] becomes a."""
    if isinstance(node, ast.Call) and _called(node) in ("reversed", "sorted"):
        yield node.args[0]
    if isinstance(node, ast.Call) and _called(node) == "range":
        if len(node.args) == 3:
            yield code("range(start + 1)", start=node.args[0])
        elif len(node.args) == 1:
            yield code("range(end - 1, -1, -1)", end=node.args[0])


def other_name(node: ast.expr, names: Names) -> Iterator[ast.expr]:
    """The target of one loop in place of another's."""
    if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load) and node.id in names.loops:
        yield from (code(name) for name in names.loops if name != node.id)


def other_generator(node: ast.expr, names: Names) -> Iterator[ast.expr]:
    """Random numbers of NumPy's own, of one made anew, or of one that is always the same."""
    if isinstance(node, ast.Name) and node.id == "rng" and isinstance(node.ctx, ast.Load):
        yield code("np.random.default_rng()")
        yield code("np.random.default_rng(0)")
        yield code("np.random")


def results_swapped(node: ast.expr, names: Names) -> Iterator[ast.expr]:
    """(a, b) becomes (b, a), (a, a) or (b, b)."""
    if isinstance(node, ast.Tuple) and isinstance(node.ctx, ast.Load) and len(node.elts) == 2:
        one, other = node.elts
        for elts in ([other, one], [one, one], [other, other]):
            yield _with(node, elts=elts)


OPERATORS: tuple[Operator, ...] = (
    sign_lost,
    sign_turned,
    operator_changed,
    operands_swapped,
    term_dropped,
    arguments_swapped,
    branches,
    where,
    off_by_one,
    other_number,
    opposite_function,
    index_itself,
    copy_missing,
    in_place,
    whole_numbers,
    axis,
    complement,
    boundary,
    both_or_one,
    condition_dropped,
    other_way_round,
    other_name,
    other_generator,
    results_swapped,
)
