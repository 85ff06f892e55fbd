"""A floor above the rules finds what belongs to a game by its name: no list, dict or chain
of conditions names several.
"""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

import rlcourse
from rlcourse.parts import MODULES

ROOT = Path(rlcourse.__file__).parent
# An experiment says which games were measured; `parts` is the list of games.
ELSEWHERE = ("parts.py", "games/", "experiments/")
SOURCES = [path.relative_to(ROOT).as_posix() for path in sorted(ROOT.rglob("*.py"))]
FLOORS = [source for source in SOURCES if not source.startswith(ELSEWHERE)]


def names_in(nodes: list[ast.expr | None]) -> set[str]:
    """The games that these expressions name as constants."""
    constants = {node.value for node in nodes if isinstance(node, ast.Constant)}
    return {name for name in constants if isinstance(name, str)} & MODULES.keys()


def lists_of_games(source: str) -> Iterator[str]:
    """The places in a module that name two games or more: "line 3: a dict of go, tic-tac-toe"."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Dict):
            what, names = "a dict", names_in(node.keys)
        elif isinstance(node, ast.List | ast.Tuple | ast.Set):
            what, names = "a list", names_in(node.elts)
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Module):
            what, names = "conditions", set(compared(node))
        else:
            continue
        if len(names) > 1:
            yield f"line {getattr(node, 'lineno', 1)}: {what} of {', '.join(sorted(names))}"


def compared(scope: ast.AST) -> Iterator[str]:
    """The games with which something is compared in this function, or at the top of this module."""
    for node in ast.iter_child_nodes(scope):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            continue
        if isinstance(node, ast.Compare):
            yield from names_in([node.left, *node.comparators])
        elif isinstance(node, ast.MatchValue):
            yield from names_in([node.value])
        yield from compared(node)


def test_no_floor_lists_games():
    lists = {
        source: [*lists_of_games((ROOT / source).read_text(encoding="utf-8"))] for source in FLOORS
    }
    assert len(FLOORS) > 100
    assert {source: found for source, found in lists.items() if found} == {}, "see rlcourse.parts"


@pytest.mark.parametrize(
    "source",
    [
        'FACES = {"go": 1, "tic-tac-toe": 2}',
        'def f():\n    return ("connect-four", "go")',
        "def f(game):\n"
        '    if game == "go":\n'
        "        return 1\n"
        '    if game == "backgammon":\n'
        "        return 2",
        "def f(game):\n"
        "    match game:\n"
        '        case "go":\n'
        "            pass\n"
        '        case "backgammon":\n'
        "            pass",
        'x = 1 if game == "go" else 2 if game == "backgammon" else 3',
        'if game in {"go", "backgammon"}:\n    pass',
    ],
)
def test_the_test_notices(source):
    assert list(lists_of_games(source))


@pytest.mark.parametrize(
    "source",
    [
        'def f(game):\n    if game != "go":\n        raise ValueError',
        'def f(game):\n    return game == "go"\ndef g(game):\n    return game == "backgammon"',
        'PROGRAMS = {"gnugo": "go", "gnubg": "backgammon"}',
        'x = ["go", "stop"]',
    ],
)
def test_the_test_accepts(source):
    assert not list(lists_of_games(source))
