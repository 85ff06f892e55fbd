"""Backgammon on a board: the player moves one checker at a time until the dice are used.

Clicks are locations of `rlcourse.drawing.backgammon`, stored in pairs (from, to), one pair per die;
an unpaired last click is the selected checker. One click passes a turn without a legal step.
"""

from contextlib import suppress
from dataclasses import replace
from typing import Any

from rlcourse.boards.faces import Clicks, Face
from rlcourse.boards.review import Judge, loaded
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
from rlcourse.games.backgammon_turn import Turn, turn_of
from rlcourse.programs import ProgramMissing

JUDGES = {"gnubg": "GNU Backgammon, 0-ply", "gnubg-nn": "GNU Backgammon's networks, 0-ply"}


def draw(state: BackgammonState, clicks: Clicks, marks: Marks) -> str:
    """SVG of the position after the steps of `clicks`."""
    if not clicks or not state.dice[0]:
        return backgammon.draw(state, marks)
    turn, held = _turn(state, clicks), _held(state, clicks)
    reached = frozenset() if held is None else _destinations(turn, held)
    marks = replace(marks, picked=clicks[len(clicks) // 2 * 2 :])
    return backgammon.draw(state, marks, checkers=turn.checkers, left=turn.left, reached=reached)


def keep(game: Game, state: BackgammonState, clicks: Clicks) -> Clicks:
    """The valid clicks after a new last one: a checker selected, released, or moved.

    Raises IllegalMove.
    """
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
    """The whole turn once no further step is legal, else None."""
    if clicks == (DICE,):
        return ()
    turn = _turn(state, clicks)
    if not turn.steps or not turn.complete or _held(state, clicks) is not None:
        return None
    return turn.steps


def targets(game: Game, state: BackgammonState, clicks: Clicks) -> frozenset[int]:
    """The checkers that can move, the destinations of the selected one, or the pass."""
    turn, held, mover = _turn(state, clicks), _held(state, clicks), state.next_player
    if turn.complete:
        return frozenset({DICE})
    if held is not None:
        return _destinations(turn, held)
    return frozenset(place_of(mover, point) for point in turn.sources)


def ask(state: BackgammonState, clicks: Clicks) -> str:
    """A sentence that tells the player to move what to do next."""
    high, low = state.dice
    turn, held = _turn(state, clicks), _held(state, clicks)
    if turn.complete:
        return f"Nothing can be moved with {high}-{low}: pass."
    if held is not None:
        routes = sorted(turn.routes(held).items(), reverse=True)
        *ends, last = [point_name(point) for point, route in routes if route]
        destinations = f"{', '.join(ends)} or {last}" if ends else last
        return f"From {'the bar' if held == BAR else held} to {destinations}."
    if turn.steps:
        return f"Played {state.describe(turn.steps)}; left: {' and '.join(map(str, turn.left))}."
    return f"Play {high}-{low}, four times {high}." if high == low else f"Play {high}-{low}."


def say(game: Game, state: BackgammonState, move: Move) -> str:
    """A move as players write it."""
    return state.describe(move)


def threw(state: BackgammonState) -> str:
    """The dice as text after a player's name."""
    return ", {}-{}".format(*state.dice) if state.dice[0] else ""


def mark(game: Game, state: BackgammonState, move: Move) -> tuple[int, Move]:
    """A move as the drawing marks it: (player, steps)."""
    return state.next_player, move


def won(state: BackgammonState) -> str:
    """The size of the win."""
    return won_text(state.points)


def bare(state: BackgammonState) -> Any:
    """The position without its dice."""
    return BackgammonState(state.checkers, state.next_player)


def judge(game: Game) -> Judge:
    """GNU Backgammon where it is installed, else its networks alone, else the course's own.

    None of them looks at the reply.
    """
    for agent, name in JUDGES.items():
        with suppress(ProgramMissing):
            loaded(f"backgammon/{agent}")
            return _judge(agent, name)
    return own_judge()


def own_judge() -> Judge:
    """The course's own network."""
    return _judge("td-gammon", "the course's own network, TD-Gammon")


def _judge(agent: str, name: str) -> Judge:
    def values(state: BackgammonState) -> list[tuple[Move, float]]:
        plays = loaded(f"backgammon/{agent}").candidates(state)
        return [(play.move, 1000.0 * play.equity) for play in plays]

    return Judge(name, "millipoints", values)


def _turn(state: BackgammonState, clicks: Clicks) -> Turn:
    """The turn after the complete pairs of clicks."""
    pairs = clicks[: len(clicks) // 2 * 2]
    points = [point_of(state.next_player, place) for place in pairs]
    return turn_of(state, tuple(zip(points[::2], points[1::2], strict=True)))


def _held(state: BackgammonState, clicks: Clicks) -> int | None:
    """The point of the selected checker, None if none is selected."""
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
    judge=judge,
)
