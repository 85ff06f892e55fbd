"""Arms whose code is deleted, looked up at the commit that `notebooks/claims.toml` names."""

import ast
import io
import json
import subprocess
import tarfile
from collections.abc import Iterator
from contextlib import suppress
from functools import cache
from typing import Any

from rlcourse.results import load_results
from tests.notebooks.arms import ARMS_OF_A_ROW, Fields
from tests.notebooks.reading import ROOT


def git(*words: str) -> str | None:
    """What git says in the course's folder; None where it fails, or is not there."""
    try:
        run = subprocess.run(["git", *words], cwd=ROOT, capture_output=True, text=True)
    except FileNotFoundError:
        return None
    return run.stdout if run.returncode == 0 else None


def has_history() -> bool:
    """Whether this is a clone with its whole history, and no download and no shallow clone."""
    return (git("rev-parse", "--is-shallow-repository") or "").strip() == "false"


def deleted_arms(book: dict[str, Any]) -> dict[tuple[str, str], tuple[str, Fields]]:
    """(experiment, arm) -> (commit, settings) of the arms that the register has as tables."""
    return {
        (experiment, name): (entry.get("commit", ""), settings)
        for experiment, entry in book["arms"].items()
        for name, settings in entry.items()
        if isinstance(settings, dict)
    }


def untraced_arms(book: dict[str, Any]) -> list[str]:
    """Deleted arms whose commit is no ancestor, or has not their rows, their settings, a field."""
    return [
        f"{experiment}: {name!r} at commit {commit!r}: {problem}"
        for (experiment, name), (commit, settings) in deleted_arms(book).items()
        for problem in _problems(experiment, name, commit, settings)
    ]


def _problems(experiment: str, name: str, commit: str, settings: Fields) -> Iterator[str]:
    if git("merge-base", "--is-ancestor", commit, "HEAD") is None:
        yield "no version before this one has that name"
        return
    stored = name if _runs(load_results(experiment), name) is None else experiment
    then = git("show", f"{commit}:rlcourse/results/{stored}.json")
    if then is None or _runs(json.loads(then), name) != _runs(load_results(stored), name):
        yield "the rows stored there are others"
    if not any(name in (key, stored) and made == settings for key, made in dicts_at(commit)):
        yield f"no experiment there gives it {settings}"
    for field, value in settings.items():
        if all(default == value for default in defaults_at(commit).get(field, ())):
            yield f"no learner there has by default another {field} than {value!r}"


def _runs(results: dict[str, Any], name: str) -> list[Any] | None:
    """The runs of an arm in all rows; the rows where it is the whole experiment; else None."""
    if results["experiment"] == name:
        return results["rows"]
    runs = [
        row[column][name]
        for row in results["rows"]
        for column in ARMS_OF_A_ROW
        if name in row.get(column, ())
    ]
    return runs or None


@cache
def dicts_at(commit: str) -> list[tuple[str, Fields]]:
    """The constants that are dicts, by name, of the experiments at that commit, and dicts in them."""
    pairs = []
    for tree in _modules(commit, "rlcourse/experiments/"):
        constants: dict[str, Any] = {}
        for node in tree.body:
            if isinstance(node, ast.Assign):
                with suppress(NameError):  # made of what is imported
                    exec(ast.unparse(node), constants)
        for name, value in constants.items():
            if isinstance(value, dict) and name != "__builtins__":
                pairs += [(name, value), *value.items()]
    return pairs


@cache
def defaults_at(commit: str) -> dict[str, list[Any]]:
    """Field of a learner's config -> its defaults there, None for what is no plain value."""
    defaults: dict[str, list[Any]] = {}
    for tree in _modules(commit, "rlcourse/learning/"):
        for node in ast.walk(tree):
            if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name) and node.value:
                value = node.value.value if isinstance(node.value, ast.Constant) else None
                defaults.setdefault(node.target.id, []).append(value)
    return defaults


def _modules(commit: str, folder: str) -> Iterator[ast.Module]:
    """The modules of a folder at that commit; none where there is no such commit or folder."""
    command = ["git", "archive", commit, folder]
    packed = subprocess.run(command, cwd=ROOT, capture_output=True).stdout
    if packed:
        with tarfile.open(fileobj=io.BytesIO(packed)) as archive:
            for member in archive:
                if member.name.endswith(".py"):
                    yield ast.parse(archive.extractfile(member).read())
