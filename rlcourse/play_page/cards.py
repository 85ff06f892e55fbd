"""What the play page says of each game and opponent: rules in two lines, levels, Elo.

A game brings its card with a module of its name beside this one, in which `CARD` is its `Card`.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache

from rlcourse.agents import names_on_any_board
from rlcourse.boards.faces import faces
from rlcourse.games import Game, get_game
from rlcourse.parts import part_of
from rlcourse.results import load_results


@dataclass(frozen=True)
class Level:
    """An opponent to begin with.

    word: its strength as one word. bot: its name in `bots_of`. rated: its name in the stored
    ladder, "" where it was not rated. about: one sentence.
    """

    word: str
    bot: str
    rated: str
    about: str


EASY = Level("easy", "Random player", "random", "Plays any legal move.")
GLANCES = Level(
    "easy", "UCT (10 simulations)", "UCT 10", "Tries out only 10 games before each move."
)
MEDIUM = Level(
    "medium", "UCT (100 simulations)", "UCT 100", "Tries out 100 games before each move."
)
LONG = Level(
    "strong", "UCT (1,000 simulations)", "UCT 1,000", "Tries out 1,000 games before each move."
)
UNRATED = (EASY, MEDIUM, LONG)  # of boards without a ladder, where UCT plays


@dataclass(frozen=True)
class Card:
    """What a game tells on the play page.

    rules: two lines. levels: name of a stored ladder -> its levels, the easiest first.
    ladder(game) -> the name of the ladder of a board. boards() -> label -> board, the first of
    which is the one to begin with; None for a game with one board.
    """

    rules: tuple[str, ...] = ()
    levels: Mapping[str, tuple[Level, ...]] = field(default_factory=dict)
    ladder: Callable[[Game], str] = lambda game: game.name
    boards: Callable[[], dict[str, Game]] | None = None


def card_of(name: str) -> Card:
    """The card of a game; one without text for a game that brings none."""
    part = part_of("rlcourse.play_page", name)
    return part.CARD if part else Card()


@cache
def boards_of(name: str) -> Mapping[str, Game]:
    """Label -> board of a game that the page offers; the first is the one to begin with."""
    boards = card_of(name).boards
    return boards() if boards else {"": get_game(name)}


def levels_of(game: Game) -> tuple[Level, ...]:
    """The opponents to begin with, the easiest first."""
    card = card_of(game.name)
    searched = f"{game.name}/uct" in names_on_any_board(game.name)
    return card.levels.get(card.ladder(game), UNRATED if searched else (EASY,))


def elo_of(game: Game, level: Level) -> str:
    """The Elo of a level with its 95% interval and n, from the rows of the experiment `ladder`."""
    ladder = card_of(game.name).ladder(game)
    rows = [row for row in load_results("ladder")["rows"] if row["game"] == ladder]
    if not rows or level.rated not in rows[0]["names"]:
        return "Not rated."
    row = rows[0]
    k = row["names"].index(level.rated)
    played = sum(row["wins"][k]) + sum(wins[k] for wins in row["wins"]) + sum(row["draws"][k])
    if level.rated == row["anchor"]:
        return f"Elo 0, from which the others are measured (n = {played:,} games)."
    low, high = _signed(row["low"][k]), _signed(row["high"][k])
    return f"Elo {_signed(row['elo'][k])} [{low}, {high}] (n = {played:,} games)."


def _signed(elo: int) -> str:
    """An Elo difference with its sign, typeset."""
    return f"{elo:+,}".replace("-", "\N{MINUS SIGN}")


def cards() -> list[dict[str, object]]:
    """One entry a game for the home page: name, title, rules, levels as (Level, Elo)."""
    entries: list[dict[str, object]] = []
    for name, face in faces().items():
        game = next(iter(boards_of(name).values()))
        levels = [(level, elo_of(game, level)) for level in levels_of(game)]
        card = card_of(name)
        entry = {"name": name, "title": face.title, "rules": card.rules}
        entries.append(entry | {"levels": levels})
    return entries
