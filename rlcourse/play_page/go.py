"""The boards of Go on the play page."""

from rlcourse.agents import agent_names, load_agent
from rlcourse.games import Game, get_game

SIZES = (5, 7, 9, 13)  # points along a side


def boards() -> dict[str, Game]:
    """Label -> board: one of each size, and boards with another komi that a bot has learned on."""
    games = [get_game("go", size=size) for size in SIZES]
    games += [load_agent(name).game for name in agent_names() if name.startswith("go/")]
    komi = games[0].options["komi"]
    labelled = {}
    for game in games:
        label = f"{game.options['size']} x {game.options['size']}"
        if game.options["komi"] != komi:
            label += f", komi {game.options['komi']:g}"
        labelled[label] = game
    return dict(sorted(labelled.items(), key=lambda entry: entry[1].options["size"]))
