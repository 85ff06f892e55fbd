"""The loops that open lessons 08, 09a and 09b: a tree that grows, and what is learned from it."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from docs.drawings.connect_four import board as four
from docs.drawings.openings.loop import Loop
from docs.drawings.parts import SIZE, label, line, state, tag
from rlcourse.drawing.svg import (
    EDGE,
    number_colour,
    number_text,
    square,
    symbol,
    text,
)
from rlcourse.drawing.tree import layout
from rlcourse.games import from_recipe, get_game
from rlcourse.results import load_results
from tests.oracles.search_plain import Node, search

TRAP = "tic-tac-toe:X...O...X"  # O is to move: corners lose, edges draw
GROWTH = (2, 3, 4, 5, 6, 7, 8, 10, 13, 16, 20, 25, 30, 40, 50, 60)  # simulations at each frame


def trees() -> list[Node]:
    """The tree of UCT in the trap after each of GROWTH."""
    rules, position = get_game("tic-tac-toe"), from_recipe(TRAP)
    return [
        search(rules, position, _rollout(np.random.default_rng(0)), n, rule="ucb1", c=1.4)
        for n in GROWTH
    ]


def _rollout(rng: np.random.Generator) -> Callable[[Any], tuple[np.ndarray, float]]:
    """The evaluation of UCT: equal priors, and the result of one random game."""

    def evaluate(position: Any) -> tuple[np.ndarray, float]:
        sign = 1 if position.next_player == 0 else -1
        while not position.is_over():
            moves = position.legal_moves()
            position = position.apply_move(moves[rng.integers(len(moves))])
        return np.ones(9), sign * position.points

    return evaluate


def tree(roots: Sequence[Node]) -> Loop:
    """A search tree grows beside the board."""
    behind = [
        tag("rect", x=12, y=40, width=156, height=156, rx=12, class_="f-box s-edge"),
        label(90, 218, "share of the visits", colour="soft"),
        label(16, 18, "O to move", bold=True, anchor="start"),
    ]
    frames = []
    for simulations, root in zip(GROWTH, roots, strict=True):
        head = label(504, 18, f"{simulations} simulations", anchor="end", bold=True)
        shares = [root.N.get(a, 0) / simulations for a in range(9)]
        tiles = _share_tiles(root.state, shares, 48, (18, 46))
        frames.append(head + "".join(tiles) + "".join(_dots(root)))
    best = get_game("tic-tac-toe").labels[max(roots[-1].N, key=roots[-1].N.__getitem__)]
    return Loop(
        frames,
        "".join(behind),
        beat=0.8,
        height=236,
        title="A search tree grows",
        description=(
            "A tic-tac-toe board with O to move, the share of the visits on each free square, and "
            f"the tree of the search after {GROWTH[0]} to {GROWTH[-1]} simulations. Every "
            "simulation adds a position. A dot is larger the more often it was visited; violet "
            f"loses for the player who moved there, green wins. At the end {best} has the most "
            "visits."
        ),
    )


def _dots(root: Node) -> list[str]:
    """The tree, one row a ply; leaves stand side by side."""
    column, width, dots = layout(root)

    def at(depth: int, place: float) -> tuple[float, float]:
        return round(186 + 322 * place / width, 1), 52 + 42 * depth

    body = []
    for dot in dots:
        ends = at(dot.depth - 1, dot.parent), at(dot.depth, dot.column)
        body.append(line(*ends, colour="edge", width=1))
    body.append(state(*at(0, column), r=8, fill="ink"))
    for dot in dots:
        x, y = at(dot.depth, dot.column)
        r = round(3 + 1.1 * dot.visits**0.6, 1)
        body.append(tag("circle", cx=x, cy=y, r=r, fill=number_colour(dot.mean), class_="s-soft"))
    return body


def alphazero() -> Loop:
    """The raw policy and that of its search in one position, while the one learns the other."""
    [row] = load_results("alphazero-policies")["rows"]
    position, corners = from_recipe(row["position"]), ((12, 28), (272, 28))
    behind = []
    for (left, top), name in zip(corners, ("raw policy p", "π of 50 simulations"), strict=True):
        behind.append(
            tag("rect", x=left, y=top, width=236, height=236, rx=12, class_="f-box s-edge")
        )
        behind.append(label(left + 118, 14, name, bold=True))
    for x, name in ((92, "games"), (260, "lines lost by p"), (428, "lines lost by search")):
        behind.append(label(x, 310, name))
    frames = []
    for moment in row["moments"]:
        body = []
        for shares, (left, top) in zip(moment["policies"], corners, strict=True):
            body += _share_tiles(position, shares, 77, (left + 2.5, top + 2.5))
        body += [
            label(x, 285, f"{count:,}", bold=True, size=26)
            for x, count in zip((92, 260, 428), moment["counts"], strict=True)
        ]
        frames.append("".join(body))
    first, last = row["moments"][0], row["moments"][-1]
    raw, searched = (max(shares) for shares in last["policies"])
    return Loop(
        frames,
        "".join(behind),
        beat=1.2,
        height=324,
        title="A policy learns from its own search",
        description=(
            "One position of tic-tac-toe with O to move, X in a corner. On the left the network's "
            "own probability of each move, on the right the share of the visits in a search of 50 "
            f"simulations, after 0 to {last['counts'][0]:,} games. The search finds the centre, "
            "the only move that does not lose, after the first 256 games. The network follows: at "
            f"the end it gives the centre {raw:.0%}, the search {searched:.0%}. The raw policy "
            f"lost {first['counts'][1]} lines at first and {last['counts'][1]} at the end, the "
            f"search {first['counts'][2]} and {last['counts'][2]}."
        ),
    )


def _share_tiles(
    position: Any, shares: Sequence[float], pitch: float, corner: tuple[float, float]
) -> list[str]:
    """A board of tic-tac-toe with a share [9] on each free square."""
    body, scale = [], pitch / 48
    for a, share in enumerate(shares):
        x, y = corner[0] + pitch * (a % 3 + 0.5), corner[1] + pitch * (a // 3 + 0.5)
        stone = position.board[a // 3][a % 3]
        fill = number_colour(share, "share")
        body.append(square(x, y, 22 * scale, 5 * scale, fill=fill, stroke=EDGE))
        if stone:
            body.append(symbol(int(stone) - 1, x, y, 11 * scale, 6 * scale))
        elif share:
            body.append(text(x, y, number_text(share, "share"), SIZE, font_weight=600))
    return body


def half_minute() -> Loop:
    """The policy in two positions of Connect Four while a network learns from its own searches."""
    [row] = load_results("alphazero-connect-four-policies")["rows"]
    positions = [from_recipe(recipe) for recipe in row["positions"]]
    lefts, answers = (30, 294), (("X wins on d4", 3), ("X must block f1", 5))
    places = (56, 222, 418)
    names = ("games", "wrong of 252, raw", "with 100 simulations")
    behind = [label(x, 305, name) for x, name in zip(places, names, strict=True)]
    behind += [line((left, 244), (left + 196, 244), colour="soft", width=1.5) for left in lefts]
    frames = []
    for moment in row["moments"]:
        frame = []
        for position, left, policy, (words, column) in zip(
            positions, lefts, moment["policies"], answers, strict=True
        ):
            share = number_text(policy[column], "share")
            frame.append(label(left + 98, 18, f"{words}: {share}", bold=True))
            frame += [four(position, left, 34, 28, policy), *_bars(policy, left, 244)]
        for x, count in zip(places, moment["counts"], strict=True):
            frame.append(label(x, 278, f"{count:,}", bold=True, size=26))
        frames.append("".join(frame))
    before, after = row["moments"][0], row["moments"][-1]
    first, last = before["policies"], after["policies"]
    (_, raw, searched), (played, raw_end, searched_end) = before["counts"], after["counts"]
    return Loop(
        frames,
        "".join(behind),
        beat=1.2,
        height=322,
        title="A policy learns from its own searches",
        description=(
            "Two boards of Connect Four, X to move, with a bar below each column for the "
            f"probability of a move there, before and after {played:,} games of a network against "
            f"itself. On the left d4 wins, and its bar goes from {first[0][3]:.0%} to "
            f"{last[0][3]:.0%}. On the right f1 is the only move that does not lose, and its bar "
            f"goes from {first[1][5]:.0%} to {last[1][5]:.0%}. Of 252 decisions {raw} were wrong "
            f"raw at first, and {raw_end} at the end; with 100 simulations {searched} and "
            f"{searched_end}."
        ),
    )


def _bars(policy: Sequence[float], left: float, base: float) -> list[str]:
    """A bar below each column of a board, 36 high at a probability of 1."""
    body = []
    for column, share in enumerate(policy):
        tall = round(36 * share, 1)
        x = left + 28 * column + 3
        body.append(tag("rect", x=x, y=base - tall, width=22, height=tall, class_="f-first"))
    return body
