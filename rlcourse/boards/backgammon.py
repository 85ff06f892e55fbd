"""Backgammon at a board: a turn is played checker by checker, pick up and put down, until the dice are used up.

Clicks are places of `rlcourse.drawing.backgammon`. They are kept in pairs, from and to, one pair a die; an odd one out
is a checker that has been picked up. A turn in which nothing can be moved is passed by one click.
"""

from dataclasses import replace
from typing import Any

from rlcourse.boards.backgammon_turn import Turn, turn_of
from rlcourse.boards.faces import Clicks, Face
from rlcourse.drawing import backgammon
from rlcourse.drawing.backgammon import (
    BARS,
    DICE,
    PLACES,
    place_of,
    point_of,
    won_text,
)
from rlcourse.drawing.svg import Marks
from rlcourse.games import Game, IllegalMove
from rlcourse.games.backgammon import BackgammonState
from rlcourse.games.backgammon_text import BAR, Move, point_name


def draw(state: BackgammonState, clicks: Clicks, marks: Marks) -> str:
    """SVG of the position after the steps of `clicks`."""
    if not clicks or not state.dice[0]:
        return backgammon.draw(state, marks)
    turn, held = _turn(state, clicks), _held(state, clicks)
    reached = frozenset() if held is None else _destinations(turn, held)
    marks = replace(marks, picked=clicks[len(clicks) // 2 * 2 :])
    return backgammon.draw(state, marks, checkers=turn.checkers, left=turn.left, reached=reached)


def keep(game: Game, state: BackgammonState, clicks: Clicks) -> Clicks:
    """The clicks that stand after the last of them: picked up, put down, moved by one die or several. Raises IllegalMove."""
    before, place = clicks[:-1], clicks[-1]
    turn, held, mover = _turn(state, before), _held(state, before), state.next_player
    if place not in PLACES:
        raise IllegalMove(f"this board has no place {place}")
    if turn.complete:
        if place != DICE:
            raise IllegalMove("nothing can be moved this turn: pass, by the button on the board")
        return (DICE,)
    if place == DICE:
        raise IllegalMove(
            "something can be moved, so it has to be; only a turn without a move passes"
        )
    point = point_of(mover, place)
    if point is None:
        raise IllegalMove(f"that is the opponent's {'bar' if place in BARS else 'tray'}")
    if held is None:
        if point == 0:
            raise IllegalMove(
                "pick up a checker first: click the point it stands on, then where it goes"
            )
        if point not in turn.sources:
            raise IllegalMove(turn.why_not_from(point))
        return clicks
    if point == held:
        return before[:-1]
    if route := turn.routes(held).get(point):
        return before[:-1] + tuple(place_of(mover, end) for step in route for end in step)
    if point in turn.sources and point > 0:
        return (*before[:-1], place)
    raise IllegalMove(turn.why_not(held, point))


def move(game: Game, state: BackgammonState, clicks: Clicks) -> Move | None:
    """The whole turn when nothing more can be played, else None."""
    if clicks == (DICE,):
        return ()
    turn = _turn(state, clicks)
    return turn.steps if turn.steps and turn.complete and _held(state, clicks) is None else None


def targets(game: Game, state: BackgammonState, clicks: Clicks) -> frozenset[int]:
    """Checkers that can be picked up; with one in hand, where it can go; the pass when nothing can be moved."""
    turn, held, mover = _turn(state, clicks), _held(state, clicks), state.next_player
    if turn.complete:
        return frozenset({DICE})
    if held is not None:
        return _destinations(turn, held)
    return frozenset(place_of(mover, point) for point in turn.sources)


def ask(state: BackgammonState, clicks: Clicks) -> str:
    """What the player to move has to do next, as a sentence."""
    high, low = state.dice
    turn, held = _turn(state, clicks), _held(state, clicks)
    if turn.complete:
        return f"Nothing can be moved with {high}-{low}: pass."
    if held is not None:
        ends = [
            point_name(point)
            for point, route in sorted(turn.routes(held).items(), reverse=True)
            if route
        ]
        where = f"{', '.join(ends[:-1])} or {ends[-1]}" if len(ends) > 1 else ends[0]
        return f"From {'the bar' if held == BAR else held} to {where}."
    if turn.steps:
        return f"Played {state.describe(turn.steps)}; left: {' and '.join(map(str, turn.left))}."
    return f"Play {high}-{low}{', four times ' + str(high) if high == low else ''}."


def say(game: Game, state: BackgammonState, move: Move) -> str:
    """A move as players write it."""
    return state.describe(move)


def threw(state: BackgammonState) -> str:
    """The dice behind a player's name."""
    return ", {}-{}".format(*state.dice) if state.dice[0] else ""


def mark(game: Game, state: BackgammonState, move: Move) -> tuple[int, Move]:
    """A move as the drawing marks it: who, and the steps."""
    return state.next_player, move


def won(state: BackgammonState) -> str:
    """What the winner has won."""
    return won_text(state.points)


def bare(state: BackgammonState) -> Any:
    """The position without its dice."""
    return BackgammonState(state.checkers, state.next_player)


def _turn(state: BackgammonState, clicks: Clicks) -> Turn:
    places = clicks[: len(clicks) // 2 * 2]
    points = [point_of(state.next_player, place) for place in places]
    return turn_of(state, tuple(zip(points[::2], points[1::2], strict=True)))


def _held(state: BackgammonState, clicks: Clicks) -> int | None:
    """The point of the checker in hand."""
    return point_of(state.next_player, clicks[-1]) if len(clicks) % 2 else None


def _destinations(turn: Turn, held: int) -> frozenset[int]:
    return frozenset(
        place_of(turn.state.next_player, end) for end, route in turn.routes(held).items() if route
    )


FACE = Face(
    "Backgammon",
    draw=draw,
    keep=keep,
    move=move,
    targets=targets,
    say=say,
    mark=mark,
    ask=ask,
    threw=threw,
    won=won,
    keeps_score=True,
    bare=bare,
)
