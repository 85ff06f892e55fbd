"""mypy over the package and the sheets, or over some files: `python -m
tests.type_checker [FILE ...]`.

mypy's command line knows a file by its place, `solutions/02/tasks.py`; Python imports it as
`rlcourse.checks.sheet02`. So the names are given here.
"""

import sys

from mypy.build import build
from mypy.errors import CompileError
from mypy.main import process_options
from mypy.modulefinder import BuildSource

from rlcourse.checks import FILES
from rlcourse.grading.new_sheet import TEMPLATE
from tests.style import ROOT


def main() -> int:
    """Print what mypy finds, as its command line does. Returns 1 for errors."""
    given = sys.argv[1:]
    sources, options = process_options(given)
    options.fast_module_lookup = True  # imports are looked up among the names given here, too
    courses = () if given else (ROOT, TEMPLATE.folder)
    for folder in (place for one in courses for place in sorted(one.glob("solutions/[0-9][0-9]"))):
        for part, file in FILES.items():
            if part != "answers" and (folder / file).is_file():
                place = (folder / file).relative_to(ROOT).as_posix()
                sources.append(BuildSource(place, f"rlcourse.checks.{part}{folder.name}"))
    try:
        lines = build(sources, options).errors
    except CompileError as stopped:
        print("\n".join(stopped.messages))
        return 2
    errors = sum(": error: " in line for line in lines)
    print("\n".join(lines))
    print(
        f"Found {errors} errors in {len(sources)} files" if errors else "Success: no issues found"
    )
    return 1 if errors else 0


if __name__ == "__main__":
    sys.exit(main())
