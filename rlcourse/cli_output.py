"""What a command prints: sentences for people or, with --json, one object a line for programs."""

import json
import sys
from dataclasses import fields, is_dataclass
from datetime import datetime
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import typer


class Output:
    """The sentences that the one command of this process prints.

    as_json: set by `--json`.
    """

    def __init__(self) -> None:
        self.as_json = False

    def say(self, sentence: object, **facts: Any) -> None:
        """Print the sentence; with `--json` the facts instead, and nothing where there are none."""
        from tqdm.auto import tqdm

        if not self.as_json:
            tqdm.write(str(sentence), file=sys.stdout)  # above a bar, where one is drawn
        elif facts:
            tqdm.write(json.dumps(plain(facts)), file=sys.stdout)
        sys.stdout.flush()


def plain(value: Any) -> Any:
    """The value in types of JSON. An object's public fields and properties stand by their names."""
    if is_dataclass(value):
        properties = [
            name for name, kind in vars(type(value)).items() if isinstance(kind, property)
        ]
        names = [field.name for field in fields(value)] + properties
        return {name: plain(getattr(value, name)) for name in names if not name.startswith("_")}
    if isinstance(value, dict):
        return {str(key): plain(entry) for key, entry in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(entry) for entry in value]
    if isinstance(value, (np.ndarray, np.generic)):
        return plain(value.tolist())
    if isinstance(value, datetime):
        return value.isoformat()
    if isinstance(value, float) and not np.isfinite(value):
        return None  # JSON has no other numbers
    return str(value) if isinstance(value, Path) else value


def _wanted(as_json: bool) -> bool:
    output.as_json = as_json
    return as_json


output = Output()
AsJson = Annotated[
    bool,
    typer.Option("--json", help="Print one JSON object a line, for programs.", callback=_wanted),
]


def examples(*calls: str) -> str:
    """The end of a command's help: calls as one types them, after `rlcourse`."""
    return "\n\n".join(["Examples:", *(f"rlcourse {call}" for call in calls)])
