"""The copy of the course that a hand-in sees in its box: no sheets, no oracles, no results, and no withheld references.

Anything that can be imported or read there is a crib, so withheld references are cut out of the source itself: then neither an
alias, nor a re-export, nor `inspect`, nor the file gives them. Bytecode and kernels of a module that was cut are not copied.
"""

import ast
import hashlib
import importlib.util
import os
import py_compile
import shutil
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

from rlcourse.checks.sheet import Sheet

PACKAGE = Path(__file__).parent.parent
# Of these folders only the named files are there: what the worker needs. (Rows of experiments are data, not Python.)
_KEPT = {
    "checks": ("__init__", "calling", "neighbours", "plain", "task"),
    "grading": ("worker",),
    "results": ("__init__",),
}
_ABSENT = ("benchmark", "experiments", "cli", "warm", "page")
_DATA = {".h5", ".js", ".css"}
_KERNELS = {".nbi", ".nbc"}


class NotThere(ValueError):
    """A sheet withholds a name that the course does not have: it would be withheld in vain."""


def make_copy(sheet: Sheet, folder: Path) -> None:
    """Fill `folder` with what of the course the hand-ins of this sheet may see. Raises NotThere."""
    cuts = find_cuts(name for task in sheet.tasks for name in task.withheld)
    for source in sorted(PACKAGE.rglob("*")):
        inner = source.relative_to(PACKAGE)
        if "__pycache__" in inner.parts or not source.is_file() or not _is_kept(inner):
            continue
        target = folder / inner
        target.parent.mkdir(parents=True, exist_ok=True)
        if source in cuts:
            target.write_text(
                cut(source.read_text(encoding="utf-8"), cuts[source]), encoding="utf-8"
            )
        else:
            shutil.copy2(source, target)
        if source.suffix == ".py":
            _add_bytecode(source, target, fresh=source in cuts)
            if source not in cuts:
                _add_kernels(source, target)
    for path in (folder, *folder.rglob("*")):
        path.chmod(0o755 if path.is_dir() else 0o644)


def kernel_links(copy: Path) -> Iterator[tuple[str, str]]:
    """(path below Numba's folder for caches, file that it leads to) of every compiled kernel of the copy.

    A cache must be a folder that can be written, and the copy is read-only: links in a folder of its own give both. The name
    of the folder is Numba's: that of the source's folder and the SHA-1 of its path.
    """
    for path in sorted(copy.rglob("__pycache__/*")):
        if path.suffix in _KERNELS:
            place = PACKAGE / path.parent.parent.relative_to(copy)
            yield f"{_cache_name(place)}/{path.name}", str(place / "__pycache__" / path.name)


def find_cuts(names: Iterable[str]) -> dict[Path, set[str]]:
    """File of the course -> names to cut out of it. A name that is only imported in its module is cut where it is made."""
    cuts: dict[Path, set[str]] = {}
    waiting, seen = [tuple(name.split(":", 1)) for name in names], set()
    while waiting:
        module, name = pair = waiting.pop()
        # Libraries are not the course's to cut: the worker puts stubs there. What is not copied needs no cut.
        if (
            pair in seen
            or not module.startswith("rlcourse.")
            or not _is_kept(Path(*module.split(".")[1:]).with_suffix(".py"))
        ):
            continue
        seen.add(pair)
        path = _file(module)
        if path is None:
            raise NotThere(f"{module}:{name} is withheld, but there is no module {module}")
        found = list(_origins(ast.parse(path.read_text(encoding="utf-8")), module, name))
        if not found:
            raise NotThere(f"{module}:{name} is withheld, but {module} has no {name}")
        if (module, name) in found:
            cuts.setdefault(path, set()).add(name)
        waiting += [origin for origin in found if origin != pair]
    return cuts


def cut(source: str, names: set[str]) -> str:
    """The source with these functions, classes, methods ("Class.method") and constants replaced by what raises Withheld.

    What only they called goes with them (`_lonely`), and so do comments: they may say how a function works.
    """
    tree = ast.parse(source)
    while names:
        tree = ast.fix_missing_locations(_Cutter(names).visit(tree))
        names = _lonely(tree, ast.parse(source))
    return ast.unparse(tree) + "\n"


def _lonely(tree: ast.Module, before: ast.Module) -> set[str]:
    """The private functions at the top of a module that something named before the cut, and nothing names after it."""

    def named(module: ast.Module) -> set[str]:
        return {part.id for part in ast.walk(module) if isinstance(part, ast.Name)}

    private = {
        node.name
        for node in tree.body
        if isinstance(node, ast.FunctionDef) and node.name.startswith("_")
    }
    cut_already = {
        node.name
        for node in tree.body
        if isinstance(node, ast.FunctionDef) and node.body[0].__class__ is ast.Raise
    }
    return {name for name in private - cut_already if not name.startswith("__")} & named(
        before
    ) - named(tree)


class _Cutter(ast.NodeTransformer):
    def __init__(self, names: set[str]) -> None:
        self._names, self._inside = names, ""

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        """A function, or a method of the class we are inside."""
        return _refusal(node.name) if self._inside + node.name in self._names else node

    visit_AsyncFunctionDef = visit_FunctionDef

    def visit_ClassDef(self, node: ast.ClassDef) -> ast.AST:
        """A class, or the methods in it."""
        if self._inside + node.name in self._names:
            return ast.parse(
                f"class {node.name}:\n    def __new__(cls, *_, **__):\n        {_raising(node.name)}"
            ).body[0]
        before, self._inside = self._inside, f"{self._inside}{node.name}."
        self.generic_visit(node)
        self._inside = before
        return node

    def visit_Assign(self, node: ast.Assign | ast.AnnAssign) -> ast.AST:
        """A constant at the top of the module, or another name for a function."""
        targets = node.targets if isinstance(node, ast.Assign) else [node.target]
        named = [
            part.id for target in targets for part in ast.walk(target) if isinstance(part, ast.Name)
        ]
        if not self._inside and set(named) & self._names:
            return [_refusal(name) for name in named]
        return node

    visit_AnnAssign = visit_Assign


def _refusal(name: str) -> ast.stmt:
    return ast.parse(f"def {name}(*_, **__):\n    {_raising(name)}").body[0]


def _raising(name: str) -> str:
    words = f"{name} is withheld while this sheet is judged: write it yourself"
    return f"raise __import__('rlcourse.checks.calling', fromlist=['Withheld']).Withheld({words!r})"


def _origins(tree: ast.Module, module: str, name: str) -> Iterator[tuple[str, str]]:
    """(module, name) of everything that a top-level name stands for: itself where it is made, else where it comes from."""
    first, _, rest = name.partition(".")
    for node in ast.walk(tree):
        if (
            isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef))
            and node.name == first
        ):
            if not rest or any(getattr(part, "name", "") == rest for part in ast.walk(node)):
                yield module, name
        elif isinstance(node, (ast.Assign, ast.AnnAssign)) and not rest:
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            if any(
                isinstance(part, ast.Name) and part.id == first
                for target in targets
                for part in ast.walk(target)
            ):
                yield module, name
                if isinstance(node.value, ast.Name):
                    yield module, node.value.id
        elif isinstance(node, ast.ImportFrom) and not node.level:
            for alias in node.names:
                if (alias.asname or alias.name) == first:
                    yield node.module, ".".join([alias.name, *([rest] if rest else [])])


def _file(module: str) -> Path | None:
    place = PACKAGE.parent.joinpath(*module.split("."))
    return next(
        (path for path in (place.with_suffix(".py"), place / "__init__.py") if path.is_file()), None
    )


def _is_kept(inner: Path) -> bool:
    """Whether a file of the package, by its path inside it, belongs into the copy."""
    top = inner.parts[0].removesuffix(".py")
    if top in _ABSENT or inner.suffix not in {".py", *_DATA}:
        return False
    return top not in _KEPT or (
        len(inner.parts) == 2 and inner.suffix == ".py" and inner.stem in _KEPT[top]
    )


def _add_bytecode(source: Path, target: Path, *, fresh: bool) -> None:
    """The bytecode of a module of the copy, so that no box makes it again: what lies beside the source, if it is in step."""
    place = Path(importlib.util.cache_from_source(str(target)))
    place.parent.mkdir(exist_ok=True)
    made, state = Path(importlib.util.cache_from_source(str(source))), source.stat()
    if not fresh and made.is_file():
        stamp = b"".join(
            (int(n) & 0xFFFFFFFF).to_bytes(4, "little") for n in (0, state.st_mtime, state.st_size)
        )
        data = made.read_bytes()
        if data[:16] == importlib.util.MAGIC_NUMBER + stamp:
            place.write_bytes(data)
            return
    py_compile.compile(str(target), cfile=str(place), dfile=str(source), doraise=True)


def _add_kernels(source: Path, target: Path) -> None:
    """The compiled kernels of a module, where Numba keeps them: beside the source, or in the folder set for that."""
    places = [source.parent / "__pycache__"]
    if os.environ.get("NUMBA_CACHE_DIR"):
        places.insert(0, Path(os.environ["NUMBA_CACHE_DIR"]) / _cache_name(source.parent))
    version = f".py{sys.version_info[0]}{sys.version_info[1]}"
    for place in places:
        for path in place.glob(f"{source.stem}.*"):
            if path.suffix in _KERNELS and version in path.name:
                shutil.copyfile(path, target.parent / "__pycache__" / path.name)


def _cache_name(folder: Path) -> str:
    return f"{folder.name}_{hashlib.sha1(str(folder).encode(), usedforsecurity=False).hexdigest()}"
