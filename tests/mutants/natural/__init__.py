"""Slips made by people: writers who knew a sheet's text, and neither its lists nor its answers.

`python -m tests.mutants --natural --sheet 03` asks the checks about them. `sheet03` and so on hold
a writer's own right answers (ANSWERS: task -> source) and what went wrong in them (SLIPS: task,
what the writer thought, a text that stands once in the answer, what stands there instead).
"""

import json
from collections.abc import Mapping, Sequence
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from tests.mutants.asking import Fate
from tests.mutants.making import Mutant

STORED = Path(__file__).with_name("table.json")  # sheet -> "first", "today" -> counts
SHEETS = sorted(path.stem[-2:] for path in Path(__file__).parent.glob("sheet*.py"))
COLUMNS = ("slips", "visible", "hidden", "named", "facts", "untrue")


def slips(number: str, name: str) -> list[Mutant]:
    """The slips in a task, none where no writer has been at the sheet. Raises ValueError."""
    module = f"{__name__}.sheet{number}"
    if find_spec(module) is None:
        return []
    sheet = import_module(module)
    made = []
    for task, thought, old, new in sheet.SLIPS:
        if task == name:
            if sheet.ANSWERS[task].count(old) != 1:
                raise ValueError(f"sheet {number}, {task}: {old!r} does not stand there once")
            made.append(Mutant("natural", thought, sheet.ANSWERS[task].replace(old, new)))
    return made


def counts(found: Sequence[Fate]) -> dict[str, int]:
    """How many slips a check sees, and of how many it says what is wrong.

    named: the mistake by name, or a plain fact such as a shape or an error with its line. facts:
    of the others, those that are told what all cases show together. untrue: a mistake was named
    that the slip does not make. A slip that changes no answer is none.
    """
    wrong = [one for one in found if not one.equal]
    ends = [one for one in wrong if one.visible not in ("right", "other", "distribution")]
    return {
        "slips": len(wrong),
        "visible": sum(one.visible != "right" for one in wrong),
        "hidden": sum(one.hidden != "right" for one in wrong),
        "named": sum(not one.untrue for one in ends),
        "facts": sum(bool(one.facts) for one in wrong),
        "untrue": sum(bool(one.untrue) for one in wrong),
    }


def store(number: str, found: Sequence[Fate]) -> None:
    """Keep the counts of a sheet, and for ever those of the first time that it was asked."""
    stored = read()
    today = counts(found)
    stored[number] = {"first": stored.get(number, {}).get("first", today), "today": today}
    rows = ",\n".join(
        f"{json.dumps(key)}: {json.dumps(row)}" for key, row in sorted(stored.items())
    )
    STORED.write_text(f"{{\n{rows}\n}}\n", encoding="utf-8")


def read() -> dict[str, Any]:
    """What is stored: sheet -> "first" or "today" -> counts."""
    return json.loads(STORED.read_text(encoding="utf-8")) if STORED.exists() else {}


def as_markdown(stored: Mapping[str, Any]) -> str:
    """The stored counts as docs/checks.md shows them."""
    lines = [
        "| sheet | slips | seen by the visible cases | by the hidden ones | told what is wrong "
        "| else a fact | an untruth | when first asked: told | untrue |",
        "|---" * 9 + "|",
    ]
    for number, row in sorted(stored.items()):
        slips, *told = (row["today"][column] for column in COLUMNS)
        first = [row["first"][column] for column in ("named", "untrue")]
        lines.append(f"| {number} | {slips} | {' | '.join(map(str, [*told, *first]))} |")
    return "\n".join(lines)
