"""Go at a board: a click on a point or on the pass is a move; resigning takes two clicks, because
it cannot be meant half.

A click is an action; the number after the pass stands for resigning, which is no action of the
game.
"""

from typing import Any

import numpy as np

from rlcourse.boards.faces import Clicks, Face
from rlcourse.boards.review import Judge, loaded
from rlcourse.games import Game, IllegalMove
from rlcourse.games.go import GoState, Move, Player
from rlcourse.results import load_results

KOMI = 7.5  # with which the critics have learned
CRITICS = (5, 9)  # points along a side of the boards on which a critic has learned


def keep(game: Game, state: GoState, clicks: Clicks) -> Clicks:
    """The clicks on resigning, else the last click alone. Raises IllegalMove for no location."""
    if not 0 <= clicks[-1] <= _resign(game):
        raise IllegalMove(f"this board has no place {clicks[-1]}")
    return clicks if set(clicks) == {_resign(game)} else clicks[-1:]


def move(game: Game, state: GoState, clicks: Clicks) -> Move | None:
    """The move of an action, or resigning after two clicks. Raises IllegalMove with the reason."""
    if clicks[-1] < _resign(game):
        return game.move(state, clicks[-1])
    return Move.resign() if len(clicks) > 1 else None


def targets(game: Game, state: GoState, clicks: Clicks) -> frozenset[int]:
    """The legal actions, and resigning."""
    return frozenset([*(game.action(legal) for legal in state.legal_moves()), _resign(game)])


def say(game: Game, state: GoState, move: Move) -> str:
    """A move as players write it, such as C3."""
    return str(move)


def mark(game: Game, state: GoState, move: Move) -> int | None:
    """The action that the drawing rings; None for resigning."""
    return None if move.is_resign else game.action(move)


def ask(state: GoState, clicks: Clicks) -> str:
    """A hint: the second click on resigning, or the meaning of a pass after a pass."""
    if clicks:
        return "Click resign once more to give up, or play on."
    if state.last_move is not None and state.last_move.is_pass:
        opponent = state.next_player.other.name.capitalize()
        return f"{opponent} has passed: a second pass ends the game, and the area counts."
    return ""


def record(state: GoState, black: str, white: str) -> str:
    """The game so far as SGF. black, white: the players' names, "" if unknown."""
    from rlcourse.gtp.sgf import to_sgf  # here, because no other game needs its library

    return to_sgf(state, black=black, white=white)


def won(state: GoState) -> str:
    """How the game was won."""
    if state.last_move is not None and state.last_move.is_resign:
        return "by resignation"
    cut = f", cut off after {len(state.moves)} moves" if state.truncated else ""
    return f"by {abs(state.score()):g} points, the komi of {state.options['komi']:g} counted{cut}"


def judge(game: Game) -> Judge | None:
    """The value network of the actor-critic bot, where one has learned on this board."""
    size = game.options["size"]
    if size not in CRITICS or game.options["komi"] != KOMI:
        return None
    critic = f"go/actor-critic-{size}x{size}"
    off, games = calibration(f"go-calibration-{size}x{size}")
    name = (
        f"the critic of the actor-critic bot, an estimate. In {games:,} games of its own its "
        f"chances to win were off by {off:.0f} points in 100 on average"
    )
    return Judge(name, "chance", lambda state: _chances(loaded(critic), state))


def calibration(results: str) -> tuple[float, int]:
    """(the mean distance of chances and wins, in points in 100 over tenths of the chance, the
    different games that it was measured in)
    """
    rows = load_results(results)["rows"]
    sums = {key: np.sum([row[key] for row in rows], axis=0) for key in ("chances", "won")}
    positions = int(np.sum([row["positions"] for row in rows]))
    off = 100 * float(np.abs(sums["chances"] - sums["won"]).sum()) / positions
    return off, sum(row["games"] for row in rows)


def _chances(agent: Any, state: GoState) -> list[tuple[Move, float]]:
    """Each legal move with the chance to win after it, in points in 100; an ended game is exact."""
    moves = list(state.legal_moves())
    after = [state.apply_move(move) for move in moves]
    running = [k for k, position in enumerate(after) if not position.is_over()]
    own = 1 if state.next_player is Player.black else -1
    values = np.array([own * float(position.winner() or 0) for position in after])
    if running:
        batch = agent.game.new_batch(len(running))
        for row, k in enumerate(running):
            batch.load(row, after[k])
        decision = agent.decide(batch, np.arange(len(running)), np.random.default_rng(0))
        values[running] = -decision.value
    return [(move, 50 * (1 + float(value))) for move, value in zip(moves, values, strict=True)]


def _resign(game: Game) -> int:
    """The number of the click on resigning: the one after the actions."""
    return len(game.labels)


FACE = Face(
    "Go",
    ("Black", "White"),
    keep=keep,
    move=move,
    targets=targets,
    say=say,
    mark=mark,
    ask=ask,
    won=won,
    beside=(Move.resign(),),
    record=record,
    judge=judge,
)
