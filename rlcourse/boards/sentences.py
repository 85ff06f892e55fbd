"""What a board says of its game: whose turn it is, what was played, who has won."""

from collections import Counter
from typing import TYPE_CHECKING, Any

from rlcourse.games import GameState

if TYPE_CHECKING:
    from rlcourse.boards.referee import Referee


def player_name(referee: "Referee", player: int) -> str:
    """The name of a player, such as "You (X)" or "Perfect player (O)"."""
    stone = referee.face.players[player]
    if referee.replaying or referee.side == "both":
        return stone
    return f"You ({stone})" if player in referee.you else f"{referee.opponent} ({stone})"


def move_text(referee: "Referee", k: int) -> str:
    """Move k as text, such as "O: a3"."""
    before = referee.line[k]
    return move_sentence(
        referee, referee.face.players[before.next_player], before, referee.moves[k]
    )


def turn(referee: "Referee") -> str:
    """A sentence about the player to move, with the task of one who moves by hand."""
    player = referee.state.next_player
    stone = referee.face.players[player]
    if referee.side in ("both", "none") or referee.replaying:
        sentence = f"{stone} to move."
    elif player in referee.you:
        sentence = f"Your turn: {stone}."
    else:
        sentence = f"{referee.opponent} ({stone}) to move."
    task = referee.face.ask(referee.state, referee.clicks) if referee.your_turn() else ""
    return f"{sentence} {task}".strip()


def result(referee: "Referee") -> str:
    """A sentence about the end of the game, empty while it runs."""
    if not referee.state.is_over():
        return ""
    winner = referee.state.winner()
    if winner == 0:
        return "A draw."
    player = 0 if winner == 1 else 1
    size = f" {referee.face.won(referee.state)}" if referee.face.won else ""
    if referee.side in ("first", "second") and player in referee.you:
        return f"You win{size}!"
    return f"{player_name(referee, player)} wins{size}."


def outcome(referee: "Referee") -> str:
    """How the game shown has ended: "won", "lost" or "drawn" for you; "" while it runs.

    "over": somebody has won, and you play neither or both of them.
    """
    if referee.shown < len(referee.moves) or not referee.state.is_over():
        return ""
    winner = referee.state.winner()
    if winner == 0:
        return "drawn"
    if referee.replaying or referee.side not in ("first", "second"):
        return "over"
    return "won" if (0 if winner == 1 else 1) in referee.you else "lost"


def score(referee: "Referee") -> str:
    """A sentence with the points, or games, won on this board; empty in a replay."""
    if referee.replaying:
        return ""
    games = referee.finished + referee.ended
    names = sorted((scorer(referee, 0), scorer(referee, 1)), key=lambda name: name != "You")
    points = Counter(dict.fromkeys(names, 0))
    for winner, won in games:
        if won:
            points[winner] += won
    totals = ", ".join(f"{name} {won}" for name, won in points.items())
    unit = "game" if len(games) == 1 else "games"
    if referee.face.keeps_score:
        return f"Points won in {len(games)} {unit}: {totals}."
    drawn = sum(won == 0 for _, won in games)
    return f"Won in {len(games)} {unit}: {totals}{f', drawn {drawn}' if drawn else ''}."


def scorer(referee: "Referee", player: int) -> str:
    """The name under which a player's points are added up."""
    if referee.side in ("both", "none"):
        return referee.face.players[player]
    return "You" if player in referee.you else str(referee.opponent)


def move_sentence(referee: "Referee", name: str, state: GameState, move: Any) -> str:
    """A move of the player of that name, with the dice that were thrown for it."""
    return f"{name}{referee.face.threw(state)}: {referee.face.say(referee.game, state, move)}"


def status(referee: "Referee") -> str:
    """The line below the board: where one is looking, who is thinking, the result or the turn."""
    if referee.shown < len(referee.moves):
        stone = referee.face.players[referee.line[referee.shown].next_player]
        label = "Position" if referee.replaying else "Looking back: position"
        return f"{label} {referee.shown} of {len(referee.moves)}, {stone} to move."
    if referee.trouble:
        return referee.trouble
    if referee.agents_turn():
        return f"{referee.opponent} is thinking\N{HORIZONTAL ELLIPSIS}"
    return result(referee) or turn(referee)


def side_names(referee: "Referee") -> list[list[str]]:
    """(side, its name) of all that can be chosen: without an opponent both sides alone."""
    first, second = referee.face.players
    both = ["both", "both sides"]
    if not referee.opponents:
        return [both]
    ends = [["first", f"{first} (first)"], ["second", f"{second} (second)"]]
    return [*ends, both, ["none", "none: watch"]]
