"""The addresses of the project: one setting in pyproject.toml, empty until
somebody publishes the course.

`python -m tests.packaging.refresh` writes what is set there between the marks of README, SECURITY
and CITATION. setup.py gives the same to the package's metadata. What is empty is written nowhere.
"""

import re
import tomllib
from collections.abc import Mapping
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
MARKED = re.compile(
    r"(^(?:<!-- |# )address(?: -->)?\n)(.*?)(^(?:<!-- |# )/address)", re.MULTILINE | re.DOTALL
)


def setting() -> dict[str, str]:
    """repository, documentation and security of
    [tool.rlcourse.addresses]; "" where there is none.
    """
    return tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["rlcourse"][
        "addresses"
    ]


def blocks(addresses: Mapping[str, str]) -> dict[str, str]:
    """File -> the lines that stand between its marks."""
    repository, documentation, security = (
        addresses[name] for name in ("repository", "documentation", "security")
    )
    workflow = f"{repository}/actions/workflows/course.yml"
    lines = {"README.md": "", "SECURITY.md": "", "CITATION.cff": ""}
    if repository:
        lines["README.md"] += f"[![tests]({workflow}/badge.svg)]({workflow})\n"
        lines["CITATION.cff"] += f"repository-code: {repository}\n"
        lines["README.md"] += on_binder(repository)
    if documentation:
        lines["README.md"] += f"[The course as web pages]({documentation})\n"
        lines["CITATION.cff"] += f"url: {documentation}\n"
    if security:
        lines["SECURITY.md"] += f"Send a report to {security}, and to no public list.\n\n"
    return lines


def on_binder(repository: str) -> str:
    """A line that opens lesson 00 on Binder; "" for a repository that is not on GitHub."""
    place = re.fullmatch(r"https://github\.com/([\w.-]+/[\w.-]+?)(?:\.git)?/?", repository)
    if place is None:
        return ""
    first = "labpath=notebooks/00_play_first.ipynb"
    return f"[Try it on Binder](https://mybinder.org/v2/gh/{place[1]}/HEAD?{first})\n"


def written(text: str, lines: str) -> str:
    """The text with these lines between its marks.

    Raises ValueError where it has not one pair of marks.
    """
    if len(MARKED.findall(text)) != 1:
        raise ValueError("one pair of marks is wanted: address, /address")
    return MARKED.sub(lambda match: match[1] + lines + match[3], text)


def write_all() -> list[str]:
    """Write the blocks of all files; the names of those that changed."""
    changed = []
    for name, lines in blocks(setting()).items():
        path = ROOT / name
        before = path.read_text(encoding="utf-8")
        after = written(before, lines)
        if after != before:
            path.write_text(after, encoding="utf-8", newline="\n")
            changed.append(name)
    return changed
