"""The loop that opens lesson 08b: random games on 9 x 9, counted in two ways."""

from typing import NamedTuple

import numpy as np

from docs.drawings.go import point, stones, wood
from docs.drawings.openings.loop import Loop
from docs.drawings.parts import label, tag
from rlcourse.drawing.svg import INK
from rlcourse.games import Game, GameState, from_recipe, get_game
from rlcourse.lessons.lesson08b import amaf

POSITION = "go size=9 komi=7.5:F7 G8 F8 G7 G4 H3 D3 D2 E3 H4 G3 H2 E2 C6 B6 B5"  # Black moves
GROWTH = (10, 20, 30, 50, 80, 130, 200, 300, 500, 800, 1_300, 2_000, 3_000)  # games at each frame
YARDSTICK = 4_000  # random games from each move, for the rings
BEST = 10  # moves with a disc
PITCH, TOP = 27, 36
LEFTS = (8, 269)  # of the two boards


class Counted(NamedTuple):
    """The best actions of the position: by many games, and after each of GROWTH in two ways."""

    rings: np.ndarray
    own: list[np.ndarray]
    shared: list[np.ndarray]


def counted() -> Counted:
    """Play the games."""
    game, position = get_game("go", size=9, komi=7.5), from_recipe(POSITION)
    rng = np.random.default_rng(0)
    batch = game.new_batch(GROWTH[-1])
    for row in range(len(batch)):
        batch.load(row, position)
    while not batch.done.all():
        sensible = batch.sensible()
        drawn = (rng.random(sensible.shape) * sensible).argmax(axis=1)
        batch.step(np.where(batch.done, -1, drawn))
    start = len(position.moves)
    games = [batch.moves[row, start : batch.ply[row]].tolist() for row in range(len(batch))]
    first = [played[:1] for played in games]
    ways = [
        [_best(*amaf(way[:n], batch.points[:n], game.num_actions)) for n in GROWTH]
        for way in (first, games)
    ]
    return Counted(_yardstick(game, position), *ways)


def _yardstick(game: Game, position: GameState) -> np.ndarray:
    """The actions that are best after many random games from each."""
    moves = {game.action(move): move for move in position.legal_moves()}
    after = game.new_batch(len(moves))
    for row, move in enumerate(moves.values()):
        after.load(row, position.apply_move(move))
    rng, total = np.random.default_rng(1), np.zeros(game.num_actions)
    for _ in range(YARDSTICK):
        total[list(moves)] += after.playouts(rng.integers(1 << 62, size=len(moves)))
    count = np.zeros(game.num_actions)
    count[list(moves)] = YARDSTICK
    return _best(count, total)


def _best(n: np.ndarray, w: np.ndarray) -> np.ndarray:
    """The free points with the best means, of those that have a game."""
    means = np.where(n > 0, w / np.maximum(n, 1), -2.0)[:-1]
    means[np.array(from_recipe(POSITION).board).ravel() > 0] = -2.0
    order = np.argsort(-means, kind="stable")[:BEST]
    return order[means[order] > -2]


def two_counts(moments: Counted) -> Loop:
    """The moves that look best, by own games and by all moves as first."""
    board = np.array(from_recipe(POSITION).board)
    behind = []
    for left, name in zip(LEFTS, ("own games", "all moves as first"), strict=True):
        behind.append(label(left + 4.5 * PITCH, 18, name, bold=True))
        behind.append(wood(9, left, TOP, PITCH) + stones(board, left, TOP, PITCH))
        for action in moments.rings:
            x, y = point(int(action), left, TOP, PITCH, 9)
            behind.append(
                tag("circle", cx=x, cy=y, r=12, fill="none", stroke=INK, stroke_width=2.5)
            )
    frames = []
    for n, own, shared in zip(GROWTH, moments.own, moments.shared, strict=True):
        frame = [label(260, 302, f"{n:,} random games", bold=True)]
        for left, best in zip(LEFTS, (own, shared), strict=True):
            for action in best:
                x, y = point(int(action), left, TOP, PITCH, 9)
                frame.append(tag("circle", cx=x, cy=y, r=8, class_="f-first"))
        frames.append("".join(frame))
    inside = [len({*best[-1]} & {*moments.rings}) for best in (moments.own, moments.shared)]
    return Loop(
        frames,
        "".join(behind),
        beat=0.9,
        height=320,
        title="The same random games, counted in two ways",
        description=(
            "Two boards of Go, 9 by 9, with the same stones and Black to move. Discs mark the ten "
            f"moves that look best after {GROWTH[0]} to {GROWTH[-1]:,} random games, rings the ten "
            f"that are best after {YARDSTICK:,} games from each move. Where each game counts for "
            f"its first move alone, {inside[0]} discs lie in rings at the end; where it counts for "
            f"all moves, {inside[1]}."
        ),
    )
