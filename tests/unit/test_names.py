"""A name says what a thing is: none is a word that would fit anything in its place."""

import ast
from collections.abc import Iterator

import pytest

from launcher.main import ROOT
from tests import style

VAGUE = {"found", "how", "kept", "said", "told", "words"}
FOLDERS = ("launcher/", "rlcourse/", "solutions/")
SOURCES = [name for name in style.source_files() if name.startswith(FOLDERS) or "/" not in name]


def bound(source: str) -> Iterator[tuple[int, str]]:
    """(line, name) of whatever a module names.

    These are variables, arguments, fields, functions, classes, and attributes that are set.
    """
    for node in ast.walk(ast.parse(source)):
        match node:
            case ast.Name(id=name, ctx=ast.Store()) | ast.Attribute(attr=name, ctx=ast.Store()):
                yield node.lineno, name
            case ast.arg(arg=name) | ast.alias(asname=str(name)):
                yield node.lineno, name
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name):
                yield node.lineno, name
            case ast.ClassDef(name=name) | ast.ExceptHandler(name=str(name)):
                yield node.lineno, name
            case ast.MatchAs(name=str(name)) | ast.MatchStar(name=str(name)):
                yield node.lineno, name
            case ast.MatchMapping(rest=str(name)):
                yield node.lineno, name


def vague(source: str) -> list[str]:
    """The vague names of a module, such as "line 3: found"; constants and private ones as well."""
    names = sorted(set(bound(source)))
    return [f"line {line}: {name}" for line, name in names if name.strip("_").lower() in VAGUE]


@pytest.mark.parametrize("path", SOURCES)
def test_names_say_what_a_thing_is(path):
    assert vague((ROOT / path).read_text(encoding="utf-8")) == []


@pytest.mark.parametrize(
    "source",
    [
        "found = 1",
        "(a, *found), b = f()",
        "self.found = 1",
        "found: int = 1",
        "found += 1",
        "if found := f():\n    pass",
        "for found in f():\n    pass",
        "[found for found in f()]",
        "with f() as found:\n    pass",
        "import numpy as found",
        "try:\n    f()\nexcept ValueError as found:\n    pass",
        "match f():\n    case found:\n        pass",
        "match f():\n    case [*found]:\n        pass",
        "match f():\n    case {**found}:\n        pass",
        "lambda found: 1",
        "def f(*found):\n    pass",
        "def f(a, /, *, b, **found):\n    pass",
        "class A:\n    found: int",
        "def found():\n    pass",
        "async def found():\n    pass",
        "class Found:\n    pass",
        "FOUND = 1",
        "def _found():\n    pass",
    ],
)
def test_the_test_notices(source):
    assert len(vague(source)) == 1


def test_the_test_accepts():
    assert vague("in_words = f(kept=1)['said']\nx = told.found\ndel how\n") == []
