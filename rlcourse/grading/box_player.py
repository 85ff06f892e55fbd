"""Runs in the box of a handed-in player, as the cell after its own: asks it for moves. It
knows nothing that is secret.

The player is a function `choose(state)` of the hand-in, or an agent in a file of
`rlcourse.agents.save_agent`.
"""

import random
from pathlib import Path
from tempfile import gettempdir
from typing import Any

import numpy as np

from rlcourse.agents import load_agent
from rlcourse.games import Game, get_game

FILE = Path(gettempdir()) / "agent.h5"
_playing: dict[str, Any] = {}


def rlcourse_begin(
    name: str, options: dict[str, Any], seed: int, stored: np.ndarray | None, trained: list[int]
) -> str:
    """Get ready, with one move on the empty board, so that nothing is loaded or
    compiled on the player's clock.

    stored [bytes]: the content of an agent's file; None: the function `choose` plays. trained:
    checksums of the arrays of the players that the course has trained. Returns why it cannot
    play, or "".
    """
    game = get_game(name, **options)
    random.seed(seed)
    np.random.seed(seed % 2**32)
    _playing.update(game=game, rng=np.random.default_rng(seed))
    if stored is not None:
        FILE.write_bytes(stored.tobytes())
        agent = _playing["agent"] = load_agent(FILE, game=game)
        if agent.arrays_checksum() in trained:
            return "the file holds a player that the course has trained, and not one of your own"
    elif not callable(globals().get("choose")):
        return "there is no function choose when the cells of the hand-in have run"
    rlcourse_moves(game.new_batch(1).arrays())
    return ""


def rlcourse_moves(arrays: dict[str, np.ndarray]) -> tuple[np.ndarray, list[str]]:
    """(actions [R], words [R]) in the positions of a batch's arrays.

    An action -1 means that none came; words say why.
    """
    game, rows = _playing["game"], np.arange(len(arrays["done"]))
    batch = game.new_batch(len(rows))
    batch.restore(arrays)
    if "agent" in _playing:
        return np.asarray(
            _playing["agent"].decide(batch, rows, _playing["rng"]).action, np.int64
        ), [""] * len(rows)
    actions, reasons = np.full(len(rows), -1, np.int64), []
    for row in rows:
        try:
            actions[row] = _action(game, globals()["choose"](batch.state(row)))
            reasons.append("")
        except BaseException as error:  # SystemExit as well: it has not moved
            reasons.append(f"{type(error).__name__}: {error}"[:200])
    return actions, reasons


def _action(game: Game, move: Any) -> int:
    """The action of a move; a number is an action in every game."""
    return (
        int(move)
        if isinstance(move, int | np.integer) and not isinstance(move, bool)
        else game.action(move)
    )
