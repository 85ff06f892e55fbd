"""One HTML file in which anyone plays a trained bot, without Python and without a network:
`rlcourse page tic-tac-toe`.

The policy is inlined: one move for each of the 4,520 decisions, and the values in hundredths. The
rules are a few lines of JavaScript in page.html; a browser test holds them to the rules of the
course.
"""

import base64
import json
import re
from html import escape
from pathlib import Path
from typing import Any

import numpy as np

from rlcourse.agents.base import BatchAgent
from rlcourse.atomic import write_atomically
from rlcourse.games.tictactoe import LABELS
from rlcourse.judges.tictactoe import decide_everywhere, judge
from rlcourse.solvers.tictactoe import tables

TEMPLATE = Path(__file__).with_name("page.html")


def page(agent: BatchAgent, title: str = "") -> str:
    """The whole page as text. Raises ValueError for an agent that is not of tic-tac-toe or draws
    its moves at random."""
    if agent.game.name != "tic-tac-toe":
        raise ValueError(f"a page can be made of a bot for tic-tac-toe, not for {agent.game}")
    text = TEMPLATE.read_text(encoding="utf-8")
    filled = {
        "TITLE": escape(title or f"Tic-tac-toe against {agent.name}"),
        "VERDICT": escape(str(judge(agent))),
        "POLICY": _in_script(policy(agent)),
    }
    return re.sub("%%([A-Z]+)%%", lambda place: filled[place[1]], text)


def policy(agent: BatchAgent) -> dict[str, Any]:
    """What the page knows of the bot: codes (base64 of uint16, ascending), moves (one digit a
    code), values (base64 of int8 [4520, 9] in hundredths for the player to move, -128 where there
    is none; absent when the agent has no q), name, labels."""
    decision = decide_everywhere(agent, seed=0)
    if not np.array_equal(decision.action, decide_everywhere(agent, seed=1).action):
        raise ValueError(
            f"{agent.name} draws its moves at random; a page holds one move for each position"
        )
    known = {
        "name": agent.name,
        "labels": LABELS,
        "codes": _base64(tables().decisions.astype("<u2")),
        "moves": "".join(str(action) for action in decision.action),
    }
    if decision.q is not None:
        hundredths = np.rint(np.clip(np.nan_to_num(decision.q, nan=0.0), -1.0, 1.0) * 100)
        legal = tables().cells[tables().decisions] == 0
        known["values"] = _base64(np.where(legal, hundredths, -128).astype(np.int8))
    return known


def write_page(agent: BatchAgent, path: str | Path, title: str = "") -> Path:
    """Write the page to `path` in one step; an existing file is replaced."""
    path = Path(path)
    write_atomically(path, page(agent, title))
    return path


def _base64(array: np.ndarray) -> str:
    return base64.b64encode(np.ascontiguousarray(array).tobytes()).decode("ascii")


def _in_script(known: dict[str, Any]) -> str:
    """JSON that cannot end the script element it stands in."""
    return json.dumps(known).replace("<", "\\u003c")
