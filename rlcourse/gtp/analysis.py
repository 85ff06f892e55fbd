"""What a player thinks of a position, written as programs that show it expect it.

`lz-analyze` is Leela Zero's command, `kata-analyze` KataGo's; KataGo's docs/GTP_Extensions.md
describes both. `gfx` is a type of answer to the analyze commands of GoGui (its manual, chapter
"Analyze Commands"). All numbers are for the player to move; a draw counts as half a win.
"""

import time
from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np

from rlcourse.agents.base import Decision
from rlcourse.agents.search import ROOM, SearchAgent
from rlcourse.agents.search_tree import EDGE
from rlcourse.errors import BadValue
from rlcourse.games import Game
from rlcourse.games.go import GoState
from rlcourse.intervals import wilson

COLORS = ("b", "black", "w", "white")
# Leave out of a picture what got less than this share of visits or probability.
LEAST_SHARE = 0.005


class Wanted(NamedTuple):
    """What is asked of an analysis.

    color: "" for the player to move. interval: centiseconds between two lines, 0 for no lines.
    least: as many moves are shown even if some were not visited; most: no more than these.
    """

    color: str = ""
    interval: int = 0
    least: int = 1
    most: int | None = None

    @classmethod
    def read(cls, arguments: Sequence[str]) -> "Wanted":
        """`[COLOR] [INTERVAL] [KEY VALUE] ...`, as behind `lz-analyze`. Raises ValueError."""
        rest = list(arguments)
        color = rest.pop(0) if rest and rest[0].lower() in COLORS else ""
        interval = _whole(rest.pop(0)) if rest and rest[0].isdigit() else 0
        numbers: dict[str, Any] = {"interval": interval}
        keys = {"interval": "interval", "minmoves": "least", "maxmoves": "most"}
        if len(rest) % 2:
            raise BadValue("syntax error")
        for key, value in zip(rest[::2], rest[1::2], strict=True):
            # Nothing here knows who will own a point: `ownership true` changes nothing.
            if key == "ownership" and value in ("true", "false"):
                continue
            if key not in keys:
                raise BadValue(f"{key} {value} is not understood")
            numbers[keys[key]] = _whole(value)
        if numbers.get("most") == 0:
            raise BadValue("maxmoves 0 would show nothing")
        return cls(color, **numbers)


class Thought(NamedTuple):
    """What a search thinks of one move at its root.

    winrate: in [0, 1]; of a move that was not visited, the position's. bound: the lower end of
    Wilson's 95% interval of `winrate` in `visits` games. (Leela Zero and KataGo take it from the
    variance of the values, which our trees do not keep; it is the same idea.) line: the moves that
    were visited most, this one first.
    """

    move: str
    visits: int
    winrate: float
    prior: float
    bound: float
    line: Sequence[str]


def leela_zero(order: int, thought: Thought) -> str:
    """The part of a line of `lz-analyze` that shows one move, the best of which has order 0."""
    shares = (thought.winrate, thought.prior, thought.bound)
    winrate, prior, bound = (round(10_000 * share) for share in shares)
    return (
        f"info move {thought.move} visits {thought.visits} winrate {winrate} prior {prior} "
        f"lcb {bound} order {order} pv {' '.join(thought.line)}"
    )


def katago(order: int, thought: Thought) -> str:
    """The same for `kata-analyze`, without KataGo's fields of the score: no player here has one."""
    winrate, bound = thought.winrate, thought.bound
    return (
        f"info move {thought.move} visits {thought.visits} utility {2 * winrate - 1:.6f} "
        f"winrate {winrate:.6f} prior {thought.prior:.6f} lcb {bound:.6f} "
        f"utilityLcb {2 * bound - 1:.6f} order {order} pv {' '.join(thought.line)}"
    )


class Analysis:
    """The search of one position, which goes on until someone wants something else.

    agent: searches with its own rule and evaluation, without noise. state: a running game. say:
    `leela_zero` or `katago`. rng: of its own, so that a game goes on as if nobody had looked.
    """

    def __init__(
        self,
        agent: SearchAgent,
        state: GoState,
        wanted: Wanted,
        say: Callable[[int, Thought], str],
        rng: np.random.Generator,
    ) -> None:
        self.game, self.wanted, self._say = agent.game, wanted, say
        roots = agent.batch_of(state)
        self.legal = np.flatnonzero(roots.legal()[0])
        self.room = ROOM // (EDGE.itemsize * roots.rules.num_actions)
        self.tree = agent.plant(roots, self.room, rng)

    def lines(self, stop: Callable[[], bool]) -> Iterator[str]:
        """A line each interval, and a last one, until `stop()` or until the tree is full.

        `stop` is asked after each simulation, the first one included.
        """
        step = self.wanted.interval / 100
        due = time.monotonic() + step
        while self.tree.simulated < self.room:
            self.tree.simulate()
            if stop():
                break
            if step and time.monotonic() >= due:
                yield self.line()
                due = time.monotonic() + step
        if step:
            yield self.line()

    def line(self) -> str:
        """What is thought by now, the best move first, in one line."""
        return " ".join(self._say(order, thought) for order, thought in enumerate(self.thoughts()))

    def thoughts(self) -> list[Thought]:
        """The visited moves, the most visited first, ties to the higher prior."""
        visits, prior, q = self.tree.visits[0], self.tree.prior[0], self.tree.q[0]
        values = np.where(visits > 0, q, self.tree.root_value[0])
        # A value computed in float32 may exceed 1 by rounding.
        winrates = np.clip((1 + values) / 2, 0, 1).tolist()
        ranked = self.legal[np.lexsort((-prior[self.legal], -visits[self.legal]))]
        count = max(int((visits > 0).sum()), self.wanted.least)
        labels = self.game.labels
        return [
            Thought(
                labels[action],
                int(visits[action]),
                winrates[action],
                float(prior[action]),
                wilson(winrates[action] * visits[action], int(visits[action]))[0],
                [labels[each] for each in self.main_line(action)],
            )
            for action in ranked[:count][: self.wanted.most].tolist()
        ]

    def main_line(self, action: int) -> list[int]:
        """`action` at the root, then the most visited action of each node below it."""
        tree, line = self.tree, [action]
        node = int(tree.edges[0, 0, action]["child"])
        while node >= 0 and tree.total[0, node] > 0:
            line.append(int(tree.edges[0, node]["N"].argmax()))
            node = int(tree.edges[0, node, line[-1]]["child"])
        return line


def picture(name: str, game: Game, state: GoState, decision: Decision) -> str:
    """A decision as an answer of GoGui's type `gfx`.

    INFLUENCE: each point's share of the visits, or its probability; negative for White. LABEL: the
    winrate of each move in percent, else that share. Raises ValueError where it has neither visits
    nor policy.
    """
    table = decision.visits if decision.visits is not None else decision.policy
    if table is None:
        raise BadValue(f"{name} gives no reasons for its moves")
    shares = table[0] / table[0].sum()
    rates = shares if decision.q is None else (1 + decision.q[0]) / 2
    points = np.flatnonzero(shares[:-1] >= LEAST_SHARE).tolist()
    sign = (1, -1)[state.next_player]
    influence = " ".join(f"{game.labels[a]} {sign * shares[a]:.3f}" for a in points)
    labels = " ".join(f"{game.labels[a]} {100 * rates[a]:.0f}" for a in points)
    text = f"{name}: pass {100 * shares[-1]:.0f}%"
    if decision.value is not None:
        winner = ("Black", "White")[state.next_player]
        text += f", {winner} wins {50 * (1 + float(decision.value[0])):.0f}%"
    return "\n".join(
        f"{command} {arguments}"
        for command, arguments in (("INFLUENCE", influence), ("LABEL", labels), ("TEXT", text))
        if arguments
    )


def _whole(word: str) -> int:
    if not (word.isascii() and word.isdigit() and len(word) <= 9):
        raise BadValue("syntax error")
    return int(word)
