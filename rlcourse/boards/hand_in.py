"""The form at a sheet's end that hands the sheet in, as `rlcourse hand-in` does in a terminal."""

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import anywidget
import traitlets

from rlcourse.boards.widget import with_still

STILL = (
    '<svg xmlns="http://www.w3.org/2000/svg" width="220" height="32" role="img">'
    '<rect width="220" height="32" rx="4" fill="#0b5394"/><text x="110" y="21" fill="#fff" '
    'text-anchor="middle" font-family="sans-serif" font-size="14">Hand in sheet {}</text></svg>'
)


class HandInForm(anywidget.AnyWidget):
    """Name, code and a button. The page saves the notebook first. sheet: its number, "02"."""

    _esm = Path(__file__).parent / "hand_in.js"
    sheet = traitlets.Unicode().tag(sync=True)

    def __init__(self, sheet: str) -> None:
        super().__init__(sheet=sheet)
        self.on_msg(lambda _, content, __: self.send({"text": self._handed_in(content)}))

    def _handed_in(self, content: dict[str, Any]) -> str:
        """The receipt, or why there is none."""
        given = {"name": content["name"], "code": content["code"], "notebook": _this_notebook()}
        options = [f"--{option}={value}" for option, value in given.items() if value]
        # A process of its own: what the student's code has changed in this one is not asked.
        done = subprocess.run(
            [sys.executable, "-m", "rlcourse", "hand-in", self.sheet, *options],
            capture_output=True,
            encoding="utf-8",
            env={**os.environ, "PYTHONUTF8": "1"},
            stdin=subprocess.DEVNULL,
            check=False,
        )
        return (done.stdout + done.stderr).strip()

    def _repr_mimebundle_(self, **kwargs: Any) -> Any:
        """The form, and for pages without a kernel what to do."""
        advice = f"To hand in, run this cell, or type in a terminal: rlcourse hand-in {self.sheet}"
        data = {
            "image/svg+xml": STILL.format(self.sheet),
            "text/html": f"<p>{advice}</p>",
            "text/plain": advice,
        }
        return with_still(super()._repr_mimebundle_(**kwargs), {"data": data, "metadata": {}})


def _this_notebook() -> str:
    """The file of the kernel's notebook, as the server names it; "" where it says none."""
    name = os.environ.get("JPY_SESSION_NAME", "")
    return name if name.endswith(".ipynb") and Path(name).is_file() else ""
