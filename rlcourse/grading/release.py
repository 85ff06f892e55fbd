"""What students get: the course, or an instructor's own sheets, as one zip without solutions, hidden cases and wrong answers.

A check below a task needs its visible cases, its judge and the words of its mistakes; they stay. The functions that draw
hidden cases or say which cases there may be, and the oracle that answers them, are cut out of the source. What a check cannot do without is kept and named.
"""

import ast
import re
import tempfile
import zipfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from rlcourse.atomic import atomic_file
from rlcourse.grading.sources import BadCourse, Course, generate

_FOLDERS = ("notebooks", "exercises", "launcher", "rlcourse")
_FILES = (
    "README.md",
    "LICENSE",
    "start.py",
    "pyproject.toml",
    "requirements.lock",
    "environment.yml",
    "postBuild",
)
_LEFT_OUT = re.compile(r"(^|/)(__pycache__|\.[^/]*|[^/]*\.egg-info|[^/]*\.pyc)(/|$)")
_CASES = 5  # the place of `cases` among the arguments of Task
_STUB = '''def hidden_cases(rng):
    """The hidden cases of this sheet are with your instructor."""
    raise NotImplementedError("the hidden cases of this sheet are with your instructor")
'''
_KEPT_NAMES = {"SHEET", "check", "grade", "attempt", "summary", "stand_in", "trial"}


@dataclass(frozen=True)
class Packed:
    """What was written. readable: references that a check needs and that can therefore be read, one line each."""

    files: int
    sheets: tuple[str, ...]
    readable: tuple[str, ...]


def make_release(course: Course, numbers: Sequence[str] | None, out: Path) -> Packed:
    """Write the students' zip; equal sources give equal bytes. Raises BadCourse for a sheet that is not there."""
    numbers = sorted(numbers or course.numbers())
    unknown = sorted(set(numbers) - set(course.numbers()))
    if unknown or not numbers:
        raise BadCourse(
            f"{course.folder / 'solutions'} has no sheet {', '.join(unknown) or 'at all'}; "
            f"it has {', '.join(course.numbers()) or 'none'}"
        )
    contents: dict[str, bytes] = {}
    if not course.own:
        contents.update(_course_files(course.folder, numbers))
    readable = []
    for number in numbers:
        files, left = students_checks(course, number)
        contents.update({f"rlcourse/checks/{name}": text.encode() for name, text in files.items()})
        readable += [
            f"the reference `{name}` of sheet {number}: another task of the sheet builds on it"
            for name in left
        ]
        if course.own:
            with tempfile.TemporaryDirectory() as folder:
                made = generate(course, number, Path(folder))
                contents[f"exercises/{number}/{made.name}"] = made.read_bytes()
    _write(out, contents)
    return Packed(len(contents), tuple(numbers), tuple(readable))


def students_checks(course: Course, number: str) -> tuple[dict[str, str], list[str]]:
    """(file name -> text, names of references that stay) of a sheet's checks as students get them."""
    folder = course.checks
    modules, left = {f"sheet{number}": stripped(_source(folder / f"sheet{number}.py"))}, []
    waiting = _own_imports(modules[f"sheet{number}"], folder)
    while waiting:
        name = waiting.pop()
        if name in modules or not (course.own or name.endswith(number)):
            continue
        if name.startswith("oracle"):
            wanted = {used for source in modules.values() for used in _attributes(source, name)}
            modules[name] = shaken(_source(folder / f"{name}.py"), wanted)
            left += sorted(wanted)
        else:
            modules[name] = _source(folder / f"{name}.py")
            waiting |= _own_imports(modules[name], folder)
    files = {f"{name}.py": source for name, source in modules.items()}
    return files | {f"visible{number}.json": _source(folder / f"visible{number}.json")}, left


def stripped(source: str) -> str:
    """A sheet's module with `hidden_cases`, which says where they are, in the place of every function that draws cases."""
    tree = ast.parse(source)
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and ast.unparse(node.func).split(".")[-1] == "Task":
            stub = ast.Name("hidden_cases", ast.Load())
            if len(node.args) > _CASES:
                node.args[_CASES] = stub
            node.keywords = [part for part in node.keywords if part.arg not in ("domain", "key")]
            for keyword in node.keywords:
                keyword.value = stub if keyword.arg == "cases" else keyword.value
    last = max(
        (k for k, node in enumerate(tree.body) if isinstance(node, ast.Import | ast.ImportFrom)),
        default=0,
    )
    tree.body[last + 1 : last + 1] = ast.parse(_STUB).body
    return shaken(ast.unparse(ast.fix_missing_locations(tree)), _KEPT_NAMES)


def shaken(source: str, wanted: set[str]) -> str:
    """A module with the wanted names, what they need, and nothing else. Names that start with two underscores stay."""
    tree = ast.parse(source)
    bound = [(_bound(node), node) for node in tree.body]
    alive, names = set(), set(wanted)
    while True:
        fresh = [
            k
            for k, (made, node) in enumerate(bound)
            if k not in alive and (made & names or (not made and _is_kept(node, k)))
        ]
        if not fresh:
            break
        for k in fresh:
            alive.add(k)
            if not isinstance(bound[k][1], ast.Import | ast.ImportFrom):
                names |= {node.id for node in ast.walk(bound[k][1]) if isinstance(node, ast.Name)}
    body = []
    for k in sorted(alive):
        node = bound[k][1]
        if isinstance(node, ast.Import | ast.ImportFrom):
            node.names = [
                alias for alias in node.names if (alias.asname or alias.name).split(".")[0] in names
            ]
        body.append(node)
    return ast.unparse(ast.Module(body, [])) + "\n"


def _is_kept(node: ast.stmt, place: int) -> bool:
    """The docstring, and statements that bind nothing, such as an `if` around a call."""
    return place == 0 or not isinstance(node, ast.Expr)


def _bound(node: ast.stmt) -> set[str]:
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        return {node.name}
    if isinstance(node, ast.Import | ast.ImportFrom):
        return {(alias.asname or alias.name).split(".")[0] for alias in node.names}
    return {
        inner.id
        for inner in ast.walk(node)
        if isinstance(inner, ast.Name) and isinstance(inner.ctx, ast.Store)
    }


def _own_imports(source: str, folder: Path) -> set[str]:
    """The modules in `folder` that a source imports from rlcourse.checks."""
    found = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.ImportFrom) and node.module == "rlcourse.checks":
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and (node.module or "").startswith(
            "rlcourse.checks."
        ):
            found.add(node.module.split(".")[2])
    return {name for name in found if (folder / f"{name}.py").exists()}


def _attributes(source: str, module: str) -> set[str]:
    """The names of a module that a source uses, as `module.name` or imported."""
    found = set()
    for node in ast.walk(ast.parse(source)):
        if (
            isinstance(node, ast.Attribute)
            and isinstance(node.value, ast.Name)
            and node.value.id == module
        ):
            found.add(node.attr)
        elif isinstance(node, ast.ImportFrom) and (node.module or "").endswith(f".{module}"):
            found |= {alias.name for alias in node.names}
    return found


def _course_files(root: Path, numbers: Sequence[str]) -> Iterator[tuple[str, bytes]]:
    for folder in _FOLDERS:
        for path in sorted((root / folder).rglob("*")):
            name = path.relative_to(root).as_posix()
            sheet = re.match(
                r"exercises/(\d\d)/|rlcourse/checks/(?:sheet|visible|oracle)(\d\d)\.(?:py|json)$",
                name,
            )
            if (
                path.is_file()
                and not path.is_symlink()
                and not _LEFT_OUT.search(name)
                and not (
                    sheet
                    and (
                        "oracle" in name
                        or "checks/sheet" in name
                        or (sheet[1] or sheet[2]) not in numbers
                    )
                )
            ):
                yield name, path.read_bytes()
    for name in _FILES:
        if (root / name).is_file():
            yield name, (root / name).read_bytes()


def _source(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except FileNotFoundError:
        raise BadCourse(
            f"{path} does not exist; a sheet NN has its tasks in checks/sheetNN.py"
        ) from None


def _write(out: Path, contents: dict[str, bytes]) -> None:
    try:
        with (
            atomic_file(out) as whole,
            zipfile.ZipFile(whole, "w", zipfile.ZIP_DEFLATED) as archive,
        ):
            for name in sorted(contents):
                entry = zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0))
                entry.external_attr, entry.compress_type = (
                    (0o755 if name in ("postBuild",) else 0o644) << 16,
                    zipfile.ZIP_DEFLATED,
                )
                archive.writestr(entry, contents[name])
    except OSError as error:
        raise BadCourse(f"{out} could not be written ({error.strerror})") from None
