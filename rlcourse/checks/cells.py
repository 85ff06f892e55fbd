"""The cells of the notebook in which a check is called, as its kernel knows them."""

import ast
import sys
from typing import Any

from rlcourse.notebook import defines


def shell() -> Any:
    """What runs the cells, IPython's shell; None elsewhere."""
    return sys.modules["IPython"].get_ipython() if "IPython" in sys.modules else None


def unread(name: str) -> str:
    """Why Python could not read the newest cell that defines `name`; "" where it could.

    Such a cell leaves what was there before: the blank, or an older answer.
    """
    history = getattr(shell(), "history_manager", None)
    sources = history.input_hist_parsed if history else []
    newest = next((source for source in reversed(sources) if defines(source, name)), "")
    try:
        ast.parse(newest)
    except SyntaxError as error:
        line = (error.text or "").strip()
        return f"{type(error).__name__}: {error.msg} (line {error.lineno}: {line})"
    return ""
