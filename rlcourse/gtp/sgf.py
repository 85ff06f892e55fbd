"""Games of Go as SGF text (Smart Game Format FF[4]; Hollosi 2006), both ways.

The grammar is the library sgfmill's.
"""

from typing import Any

import numpy as np
from sgfmill import sgf

from rlcourse.errors import CourseError
from rlcourse.games.game import GameError, IllegalMove
from rlcourse.games.go import GoState, Move, Player, Point
from rlcourse.gtp.turns import in_turn, set_up, start_of

MOST_NODES = 10_000


class BadSgf(CourseError, ValueError):
    """No SGF, not of Go, or a record that the rules do not allow. The message says where."""


def to_sgf(state: GoState, *, black: str = "", white: str = "") -> str:
    """The game that led to `state`: size, komi, stones set up, moves, result.

    `simulate_game(...).states[-1]` is such a state. black, white: the players' names.
    """
    size, komi = state.options["size"], state.options["komi"]
    record = sgf.Sgf_game(size)
    root = record.get_root()
    root.set("KM", komi)
    root.set("RU", "Chinese")  # other programs then count area
    for name, value in (("PB", black), ("PW", white), ("RE", _result(state))):
        if value:
            root.set(name, value)
    board, first = start_of(state)
    if board.any() or first == Player.white:
        places = [map(tuple, np.argwhere(board[::-1] == cell).tolist()) for cell in (1, 2)]
        root.set_setup_stones(*map(set, places))
        root.set("PL", "bw"[first])
    for ply, move in enumerate(state.moves):
        if not move.is_resign:
            place = (move.point.row - 1, move.point.col - 1) if move.point else None
            record.extend_main_sequence().set_move("bw"[(first + ply) % 2], place)
    return record.serialise().decode()


def from_sgf(source: str | bytes, *, komi: float = 7.5) -> list[GoState]:
    """Every position of the record's main line.

    That is the start, then one after each move and after each change of the stones. Colours may
    move out of turn (see `in_turn`). A result "B+R" becomes White's resigning, where White is to
    move. komi: for a record that names none. Raises BadSgf.
    """
    try:
        content = source.encode() if isinstance(source, str) else source
        # What is read here is all ASCII.
        record = sgf.Sgf_game.from_bytes(content, override_encoding="ISO-8859-1")
        root, nodes = record.get_root(), record.get_main_sequence()
        if root.has_property("GM") and int(root.get_raw("GM")) != 1:
            raise BadSgf(f"this is a record of another game than Go: GM[{root.get('GM')}]")
        if len(nodes) > MOST_NODES:
            raise BadSgf(f"this record has {len(nodes)} nodes; up to {MOST_NODES} are read")
        komi = float(root.get("KM")) if root.has_property("KM") else komi
        states = [set_up(np.zeros((record.get_size(),) * 2, np.int8), Player.black, komi)]
        movers = [node.get_move()[0] for node in nodes]
        for k in reversed(range(len(nodes) - 1)):
            movers[k] = movers[k] or movers[k + 1]
        for node, mover in zip(nodes, movers, strict=True):
            _follow(states, node, mover)
        result = root.get_raw("RE").upper() if root.has_property("RE") else b""
    except BadSgf:
        raise
    except GameError as error:
        raise BadSgf(f"this record does not fit the rules: {error}") from None
    except (ValueError, LookupError) as error:
        raise BadSgf(f"this is no readable SGF record: {error}") from None
    loser = {b"B+R": Player.white, b"W+R": Player.black}.get(result[:3])
    if loser == states[-1].next_player and not states[-1].is_over():
        states.append(states[-1].apply_move(Move.resign()))
    return states


def _follow(states: list[GoState], node: Any, mover: str | None) -> None:
    """Append what a node does; stones set up before the first move replace the start.

    mover: who moves here or next.
    """
    state = states[-1]
    to_move = node.get("PL") if node.has_property("PL") else None
    if node.has_setup_stones() or (to_move and "bw".index(to_move) != state.next_player):
        board = state.board
        black, white, empty = node.get_setup_stones()
        for cell, places in ((1, black), (2, white), (0, empty)):
            for row, col in places:
                board[len(board) - 1 - row, col] = cell
        colour = to_move or mover or ("w" if black and not white else "bw"[state.next_player])
        states[len(states) if len(states) > 1 else 0 :] = [
            set_up(board, Player("bw".index(colour)), state.options["komi"])
        ]
    colour, place = node.get_move()
    if colour:
        player = Player("bw".index(colour))
        move = Move.pass_turn() if place is None else Move.play(Point(place[0] + 1, place[1] + 1))
        try:
            states.append(in_turn(states[-1], player).apply_move(move))
        except IllegalMove as error:
            raise BadSgf(
                f"position {len(states)} of this record, {player.name} {move}, cannot be played: "
                f"{error}"
            ) from None


def _result(state: GoState) -> str:
    """The property RE: "B+3.5", "W+R", "0" for a draw; "" while the game runs."""
    if not state.is_over():
        return ""
    if state.winner() == 0:
        return "0"
    resigned = state.last_move is not None and state.last_move.is_resign
    return f"{'WB'[state.winner() == 1]}+{'R' if resigned else f'{abs(state.score()):g}'}"
