"""The boards of Go on the play page."""

from rlcourse.agents import agent_names, load_agent
from rlcourse.games import Game, get_game

SIZES = (5, 7, 9, 13)  # points along a side


def boards() -> dict[str, Game]:
    """Words -> board: one of each size, and those with another komi that a bot of the course has learned on."""
    games = [get_game("go", size=size) for size in SIZES]
    games += [load_agent(name).game for name in agent_names() if name.startswith("go/")]
    komi = games[0].options["komi"]
    found = {}
    for game in games:
        size, given = game.options["size"], game.options["komi"]
        found[f"{size} x {size}" + ("" if given == komi else f", komi {given:g}")] = game
    return dict(sorted(found.items(), key=lambda entry: entry[1].options["size"]))
