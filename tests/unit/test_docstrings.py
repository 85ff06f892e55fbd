"""Every public module, class, function and method says what it is, and public signatures
are typed (kernels excepted).
"""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

import rlcourse

ROOT = Path(rlcourse.__file__).parent
PATHS = sorted([*ROOT.rglob("*.py"), *(ROOT.parent / "solutions").rglob("*.py")])
Function = ast.FunctionDef | ast.AsyncFunctionDef


def public(
    node: ast.Module | ast.ClassDef, above: str = "", inherited: bool = False
) -> Iterator[tuple[str, ast.AST, bool]]:
    """(name, node, whether its words can stand in a base class) of everything
    public in a module or class.
    """
    for child in node.body:
        if isinstance(child, Function | ast.ClassDef) and not child.name.startswith("_"):
            yield above + child.name, child, inherited and isinstance(child, Function)
            if isinstance(child, ast.ClassDef):
                bases = {ast.unparse(base).split("[")[0] for base in child.bases} - {
                    "Protocol",
                    "NamedTuple",
                    "Exception",
                }
                yield from public(child, f"{above}{child.name}.", inherited=bool(bases))


def marks(node: ast.AST) -> set[str]:
    """The last names of the decorators: {"kernel"}, {"setter"}."""
    return {
        ast.unparse(mark).split("(")[0].split(".")[-1]
        for mark in getattr(node, "decorator_list", [])
    }


def undocumented(source: str) -> list[str]:
    """The public names without a docstring.

    A method of a class with bases may leave the words to its base.
    """
    tree = ast.parse(source)
    found = [] if ast.get_docstring(tree) or not tree.body else ["the module"]
    return found + [
        name
        for name, node, inherited in public(tree)
        if not ast.get_docstring(node) and not (inherited or marks(node) & {"setter", "overload"})
    ]


def untyped(source: str) -> list[str]:
    """The arguments and results without a type, of every public function that is no kernel."""
    found = []
    for name, node, _ in public(ast.parse(source)):
        if not isinstance(node, Function) or "kernel" in marks(node):
            continue
        arguments = [
            *node.args.posonlyargs,
            *node.args.args,
            *node.args.kwonlyargs,
            node.args.vararg,
            node.args.kwarg,
        ]
        if "." in name and "staticmethod" not in marks(node):
            arguments = arguments[1:]
        found += [
            f"{name}({argument.arg})"
            for argument in arguments
            if argument and not argument.annotation
        ]
        found += [] if node.returns else [f"{name} ->"]
    return found


@pytest.mark.parametrize("path", PATHS, ids=lambda path: str(path.relative_to(ROOT.parent)))
def test_everything_public_has_a_docstring(path):
    assert undocumented(path.read_text(encoding="utf-8")) == []


@pytest.mark.parametrize("path", PATHS, ids=lambda path: str(path.relative_to(ROOT.parent)))
def test_public_signatures_are_typed(path):
    assert untyped(path.read_text(encoding="utf-8")) == []


def test_the_test_notices():
    source = '''
class Game:
    """Words."""
    def play(self, move: int): ...
    def _inner(self, x): ...
    @property
    def name(self): ...
class Go(Game):
    def play(self, move): ...
def rules(x: int, *rest, y, **more: int) -> None:
    """Words."""
@kernel
def fast(x):
    """Words."""
def _helper(x): ...
'''
    assert undocumented(source) == ["the module", "Game.play", "Game.name", "Go"]
    assert untyped(source) == [
        "Game.play ->",
        "Game.name ->",
        "Go.play(move)",
        "Go.play ->",
        "rules(y)",
        "rules(rest)",
    ]
