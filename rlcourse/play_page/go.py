"""Go on the play page."""

from rlcourse.agents import load_agent, names_on_any_board
from rlcourse.games import Game, get_game
from rlcourse.play_page.cards import EASY, MEDIUM, Card, Level

SIZES = (5, 7, 9, 13)  # points along a side
KOMI = 7.5  # of the games of the ladders


def boards() -> dict[str, Game]:
    """Label -> board: one of each size, and boards with another komi that a bot has learned on."""
    games = [get_game("go", size=size) for size in SIZES]
    games += [load_agent(name).game for name in names_on_any_board("go")]
    komi = games[0].options["komi"]
    labelled = {}
    for game in games:
        label = f"{game.options['size']} x {game.options['size']}"
        if game.options["komi"] != komi:
            label += f", komi {game.options['komi']:g}"
        labelled[label] = game
    return dict(sorted(labelled.items(), key=lambda entry: entry[1].options["size"]))


def ladder(game: Game) -> str:
    """The name of the ladder of a board, "" where the komi is another one."""
    size = game.options["size"]
    return f"go-{size}x{size}" if game.options["komi"] == KOMI else ""


CARD = Card(
    rules=(
        "Place stones; stones that are surrounded are taken.",
        "Whoever has more stones and territory wins, once both have passed.",
    ),
    levels={
        "go-5x5": (
            EASY,
            MEDIUM,
            Level(
                "strong",
                "AlphaZero (50 simulations)",
                "AlphaZero 50",
                "Learned from its own games and searches ahead.",
            ),
        ),
        "go-9x9": (
            EASY,
            MEDIUM,
            Level(
                "strong",
                "Actor-critic (drawn moves)",
                "actor-critic",
                "A network that learned from its own games.",
            ),
            Level(
                "stronger",
                "AlphaZero (400 simulations)",
                "AlphaZero 400",
                "Learned from its own games on three boards and searches ahead.",
            ),
        ),
    },
    ladder=ladder,
    boards=boards,
)
