"""The copy of the course that a hand-in sees in its box: the modules that are allowed there, and no
sheets, oracles or results.

Anything that can be imported or read there is a crib. So a module of which a sheet withholds
anything is there by name only (`shell`): then neither an alias, nor a re-export, nor `inspect`, nor
the file, nor its bytecode gives the reference.
"""

import ast
import compileall
import hashlib
import os
import shutil
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

from rlcourse.checks.sheet import Sheet
from rlcourse.grading.launch import PACKAGE

# Modules and packages of the course that a hand-in may use, and what these need.
ALLOWED = frozenset(
    ("__init__", "agents", "architectures", "arena", "atomic", "bands", "boards", "busy")
    + ("drawing", "encoders", "errors", "experience", "forward", "games", "gnubg", "gtp")
    + ("intervals", "kernels", "learning", "networks", "parts", "plots", "programs", "sampling")
    + ("self_play", "solvers", "stderr", "storage", "storage_json", "tf", "weights", "workers")
)
# Of these packages only what the worker and the modules above need: no rows of experiments.
_PARTS = {
    "checks": ("__init__", "calling", "plain", "task", "withholding"),
    "grading": ("worker",),
    "results": ("__init__",),
}
_DATA = {".h5", ".js", ".css"}
_KERNELS = {".nbi", ".nbc"}


class NotThere(ValueError):
    """A sheet withholds a name that the course does not have: it would be withheld in vain."""


def make_copy(sheet: Sheet, folder: Path) -> None:
    """Fill `folder` with what of the course the hand-ins of this sheet may see. Raises NotThere."""
    shells = set(withheld_files(name for task in sheet.tasks for name in task.withheld))
    for source in sorted(PACKAGE.rglob("*")):
        inner = source.relative_to(PACKAGE)
        if "__pycache__" in inner.parts or not source.is_file() or not _is_allowed(inner):
            continue
        if source in shells and source.suffix != ".py":
            continue  # a file of numbers has no names
        target = folder / inner
        target.parent.mkdir(parents=True, exist_ok=True)
        if source in shells:
            target.write_text(shell(source.read_text(encoding="utf-8")), encoding="utf-8")
            continue
        shutil.copy2(source, target)
        for kernel in _kernels(source) if source.suffix == ".py" else ():
            (target.parent / "__pycache__").mkdir(exist_ok=True)
            shutil.copyfile(kernel, target.parent / "__pycache__" / kernel.name)
    # So that no box makes it again.
    compileall.compile_dir(folder, quiet=2, stripdir=str(folder), prependdir=str(PACKAGE))
    for path in (folder, *folder.rglob("*")):
        path.chmod(0o755 if path.is_dir() else 0o644)


def kernel_links(copy: Path) -> Iterator[tuple[str, str]]:
    """(path below Numba's folder for caches, file that it leads to) of every
    compiled kernel of the copy.

    A cache must be a folder that can be written, and the copy is read-only: links in a
    folder of its own give both. The name of the folder is Numba's: that of the source's
    folder and the SHA-1 of its path.
    """
    for path in sorted(copy.rglob("__pycache__/*")):
        if path.suffix in _KERNELS:
            place = PACKAGE / path.parent.parent.relative_to(copy)
            yield f"{_cache_name(place)}/{path.name}", str(place / "__pycache__" / path.name)


def withheld_files(entries: Iterable[str]) -> Iterator[Path]:
    """The course's modules of which something is withheld ("module" or "module:name"), and the
    files of "rlcourse.weights".

    Raises NotThere.
    """
    for entry in entries:
        module, _, name = entry.partition(":")
        # Libraries are not the course's: the worker puts stubs there. The sheets'
        # own modules are not copied.
        if module.split(".")[0] != "rlcourse" or module.startswith("rlcourse.checks."):
            continue
        folder = PACKAGE.parent.joinpath(*module.split("."))
        if folder == PACKAGE / "weights":
            yield from folder.rglob("*.h5")
            continue
        path = folder.with_suffix(".py")
        if not path.is_file():
            raise NotThere(f"{entry} is withheld, but there is no module {module} in one file")
        made = {getattr(node, "name", "") for node in ast.parse(path.read_text("utf-8")).body}
        if name and name not in made:
            raise NotThere(
                f"{entry} is withheld, but {module} has no {name} of its own: name the "
                "module that makes it"
            )
        yield path


def shell(source: str) -> str:
    """A module by name only: its functions and classes raise Withheld; constants stay where they
    are plain numbers or texts.

    Of other modules whatever imports a name from this one, or takes one of its
    classes for a base, still loads.
    """
    lines = []
    for node in ast.parse(source).body:
        name = getattr(node, "name", "")
        message = f"{name} is withheld while this sheet is judged: write it yourself"
        withheld = "__import__('rlcourse.checks.withholding', fromlist=['']).Withheld"
        refusal = f"raise {withheld}({message!r})"
        if isinstance(node, ast.ClassDef):
            lines.append(f"class {name}:\n    def __new__(cls, *_, **__):\n        {refusal}\n")
        elif name:
            lines.append(f"def {name}(*_, **__):\n    {refusal}\n")
        elif isinstance(node, ast.Assign) and isinstance(node.value, ast.Constant):
            lines.append(ast.unparse(node) + "\n")
    return "\n".join(lines)


def _is_allowed(inner: Path) -> bool:
    """Whether a file of the package, by its path inside it, belongs into the copy."""
    top = inner.parts[0].removesuffix(".py")
    if top in _PARTS:
        return inner in {Path(top, f"{name}.py") for name in _PARTS[top]}
    return top in ALLOWED and inner.suffix in {".py", *_DATA}


def _kernels(source: Path) -> Iterator[Path]:
    """The compiled kernels of a module, which Numba keeps beside it, or in the folder set for that.

    Bytecode is not copied: that of an older source may hold anything.
    """
    places = [source.parent / "__pycache__"]
    if os.environ.get("NUMBA_CACHE_DIR"):
        places.insert(0, Path(os.environ["NUMBA_CACHE_DIR"]) / _cache_name(source.parent))
    version = f".py{sys.version_info[0]}{sys.version_info[1]}"
    for path in (path for place in places for path in place.glob(f"{source.stem}.*")):
        if path.suffix in _KERNELS and version in path.name:
            yield path


def _cache_name(folder: Path) -> str:
    return f"{folder.name}_{hashlib.sha1(str(folder).encode(), usedforsecurity=False).hexdigest()}"
