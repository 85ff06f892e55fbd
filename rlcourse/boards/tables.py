"""The tables beside a board, as the page shows them: an agent's numbers, and a review."""

from collections.abc import Sequence
from typing import Any

from rlcourse.boards.overlay import Overlay
from rlcourse.boards.referee import Referee
from rlcourse.boards.review import Review, summary
from rlcourse.boards.sentences import move_text
from rlcourse.drawing.svg import number_text

_MOST_ROWS = 12  # of the table beside the board


def numbers_table(overlay: Overlay, referee: Referee) -> dict[str, Any]:
    """The table beside the board: rows of (move, a text per column, whether it is the best)."""
    if overlay.numbers == {}:
        rows = [[*play, k == 0] for k, play in enumerate(overlay.plays)]
        return {"heading": overlay.heading, "columns": list(overlay.columns), "rows": rows}
    state, game = referee.line[referee.shown], referee.game
    names = {game.action(move): referee.face.say(game, state, move) for move in state.legal_moves()}
    columns = [overlay.numbers] if overlay.beside is None else [overlay.numbers, overlay.beside]
    order = sorted(overlay.numbers, key=lambda action: (-overlay.numbers[action], action))
    named = order if len(order) <= _MOST_ROWS else order[: _MOST_ROWS - 1]
    rows = [
        [
            names[action],
            *(number_text(column[action], overlay.scale) for column in columns),
            action in overlay.best,
        ]
        for action in named
    ]
    if rest := order[len(named) :]:
        sums = [sum(column[action] for action in rest) for column in columns]
        texts = [number_text(one, "share") if overlay.scale == "share" else "" for one in sums]
        rows.append([f"{len(rest)} others", *texts, False])
    heading = f"{overlay.heading}. {overlay.stands}." if overlay.stands else overlay.heading
    return {
        "heading": heading,
        "columns": list(overlay.columns) or ["Value" if overlay.scale == "value" else "Share"],
        "rows": rows,
    }


def review_table(shown: Review, reviews: Sequence[Review], referee: Referee) -> dict[str, Any]:
    """Rows of (ply, move, what it cost in words, the best move, whether it is one of the worst).

    reviews: of all games at this board, whose moves are rated together.
    """
    rows = []
    for move in shown.moves:
        best = ""
        if move.best is not None and move.cost:
            state = referee.line[move.ply]
            best = f"best: {referee.face.say(referee.game, state, move.best)}"
        text = move_text(referee, move.ply)
        rows.append([move.ply, text, move.word, best, move.ply in shown.worst])
    return {"heading": f"Judge: {shown.judge.name}.", "rows": rows, "rate": summary(reviews)}
