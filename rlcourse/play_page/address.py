"""The address of a game on the play page, such as /play?game=go&board=7+x+7&opponent=easy.

It names the game, its board, the opponent, the side, the position that was reached and the score of
the evening, so a reload or a shared address opens the same game in a fresh kernel.
"""

import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from urllib.parse import parse_qs, urlencode

from rlcourse.boards.faces import faces
from rlcourse.boards.referee import SIDES
from rlcourse.errors import BadValue
from rlcourse.games import Game, GameState, from_recipe
from rlcourse.play_page.cards import boards_of

PATH = "/play"
MOST = 999  # games of one kind that an address counts; it is input, and may hold anything


@dataclass(frozen=True)
class Visit:
    """What an address asks for. board: a label of `boards_of`. opponent: a level's word or the name
    of a bot. position: a recipe; "" is the beginning. score: of the finished games, by `tally`."""

    game: str
    board: str = ""
    opponent: str = "easy"
    side: str = "first"
    position: str = ""
    score: str = ""

    @property
    def address(self) -> str:
        """The path and query that lead here."""
        fields = {key: value for key, value in vars(self).items() if value}
        return f"{PATH}?{urlencode(fields)}"

    @property
    def rules(self) -> Game:
        """The game on its board."""
        return boards_of(self.game)[self.board]

    def state(self) -> GameState | None:
        """The position to go on from, None at the beginning. Raises ValueError for another game's
        position, and GameError for one that cannot be."""
        if not self.position:
            return None
        head = self.rules.new_game().recipe().split(":")[0]
        if self.position.split(":")[0] != head:
            raise BadValue("it is of another game")
        return from_recipe(self.position)

    def finished(self) -> list[tuple[str, int]]:
        """(winner, points) of the games before this one. Raises ValueError for no such list."""
        rows = json.loads(self.score or "[]")
        try:
            for winner, points, times in rows:
                if type(winner) is not str or type(points) is not int or type(times) is not int:
                    raise TypeError
            games = [
                (winner, points) for winner, points, times in rows for _ in range(min(times, MOST))
            ]
        except TypeError:
            raise BadValue("it is no list of winner, points and number of games") from None
        return games


def tally(games: Sequence[tuple[str, int]]) -> str:
    """(winner, points) of finished games as short text for an address, "" for none."""
    rows = [[winner, points, times] for (winner, points), times in Counter(games).items()]
    return json.dumps(rows, separators=(",", ":")) if rows else ""


def read(query: str) -> Visit:
    """The visit that a query describes. Raises ValueError with a sentence for the visitor."""
    fields = {key: values[-1] for key, values in parse_qs(query).items()}
    known = ", ".join(face.title for face in faces().values())
    game = fields.get("game", "")
    if game not in faces():
        raise BadValue(f"This address names no game of the page. The games are {known}.")
    boards = boards_of(game)
    board = fields.get("board", next(iter(boards)))
    if board not in boards:
        raise BadValue(f"This address names no board of the game: {', '.join(boards)}.")
    side = fields.get("side", "first")
    if side not in SIDES:
        raise BadValue(f"This address names no side of the game: {', '.join(SIDES)}.")
    return Visit(
        game,
        board,
        fields.get("opponent", "easy"),
        side,
        fields.get("position", ""),
        fields.get("score", ""),
    )
