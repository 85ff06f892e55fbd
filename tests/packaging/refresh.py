"""The locks, environment.yml and the addresses, written anew: `python -m
tests.packaging.refresh [--upgrade]`.

Versions stay as the locks have them where pyproject.toml allows it; --upgrade takes the newest. The
work is done by uv, from PATH or fetched into a folder that is thrown away.
"""

import argparse
import importlib.util
import os
import re
import shutil
import subprocess
import sys
import tempfile
import tomllib
from pathlib import Path

from launcher.uv import HUB_LOCK, LOCK, RAY_LOCK
from tests.packaging import addresses
from tests.packaging.pins import parse

ROOT = Path(__file__).resolve().parents[2]
CONDA = ROOT / "environment.yml"
COMPILE = (
    "pip compile --quiet --universal --generate-hashes --no-header --no-emit-index-url "
    "--no-emit-find-links"
).split()


def find_uv(folder: Path) -> tuple[list[str], dict[str, str]]:
    """How uv is called, and the variables for it; fetched into `folder`
    where it is not installed.
    """
    found = shutil.which("uv")
    if found:
        return [found], dict(os.environ)
    variables = dict(os.environ)
    if importlib.util.find_spec("uv") is None:
        command = [sys.executable, "-m", "pip", "install", "--quiet", "--target", str(folder), "uv"]
        subprocess.run(command, check=True)
        variables["PYTHONPATH"] = str(folder)
    return [sys.executable, "-m", "uv"], variables


def oldest_and_middle(requires: str) -> tuple[str, str]:
    """From ">=3.11,<3.14": 3.11, for which versions are chosen, and 3.12, which conda gets."""
    first, beyond = map(int, re.fullmatch(r">=3\.(\d+),<3\.(\d+)", requires).groups())
    return f"3.{first}", f"3.{(first + beyond - 1) // 2}"


def without(text: str, names: set[str]) -> str:
    """A lock without the entries of these packages, comments left out."""
    entries = re.split(r"(?m)^(?=[A-Za-z0-9])", re.sub(r"(?m)^ *#.*\n", "", text))
    return "".join(
        entry for entry in entries if entry.strip() and parse(entry)[0].name not in names
    )


def with_python(text: str, version: str) -> str:
    """environment.yml with another Python."""
    return re.sub(r"(?m)^(  - python=).*$", rf"\g<1>{version}", text)


def refresh(*, upgrade: bool) -> list[str]:
    """Write all anew; the names of the files that changed.

    Raises CalledProcessError where uv finds no solution.
    """
    paths = [LOCK, RAY_LOCK, HUB_LOCK, CONDA]
    before = [path.read_text(encoding="utf-8") for path in paths]
    requires = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"][
        "requires-python"
    ]
    oldest, middle = oldest_and_middle(requires)
    with tempfile.TemporaryDirectory() as made:
        folder = Path(made)
        uv, variables = find_uv(folder / "uv")
        options = [
            *COMPILE,
            "--python-version",
            oldest,
            *(["--upgrade"] if upgrade else []),
            "pyproject.toml",
        ]
        calls = {
            LOCK: ["--extra", "test", "--extra", "setup"],
            RAY_LOCK: ["--extra", "ray", "--no-annotate", "--constraint", str(LOCK)],
            HUB_LOCK: ["--extra", "hub", "--no-annotate", "--constraint", str(LOCK)],
        }
        for path, more in calls.items():
            out = folder / path.name
            shutil.copyfile(path, out)  # uv keeps the versions that it finds there
            subprocess.run(
                [*uv, *options, *more, "--output-file", str(out)],
                cwd=ROOT,
                env=variables,
                check=True,
            )
            text = out.read_text(encoding="utf-8")
            if path is not LOCK:
                head = re.match(r"(#.*\n)*", before[paths.index(path)])[0]
                text = head + without(
                    text, {pin.name for pin in parse(LOCK.read_text(encoding="utf-8"))}
                )
            path.write_text(text, encoding="utf-8", newline="\n")
    CONDA.write_text(with_python(before[-1], middle), encoding="utf-8", newline="\n")
    changed = [
        path.name
        for path, text in zip(paths, before, strict=True)
        if path.read_text(encoding="utf-8") != text
    ]
    return changed + addresses.write_all()


def main() -> int:
    """Write them and say which changed."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument(
        "--upgrade", action="store_true", help="the newest versions that pyproject.toml allows"
    )
    changed = refresh(upgrade=parser.parse_args().upgrade)
    print("changed: " + ", ".join(changed) if changed else "nothing changed")
    return 0


if __name__ == "__main__":
    sys.exit(main())
