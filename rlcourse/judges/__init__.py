"""How good is it? One judge a game: exact where the game is solved, else a match with a number of games and an interval."""

from collections.abc import Callable
from typing import Any

SOLVED = ("tic-tac-toe",)
Judge = Callable[[Any], Any]


def judge_of(game: str) -> Judge | None:
    """The judge that training asks again and again, agent -> verdict; None where the course has none.

    tic-tac-toe: all lines and decisions; backgammon: 1,000 games with random play, which take about a second; Go: as
    many, drawing moves as in training, and again always playing the likeliest.
    """
    if game == "tic-tac-toe":
        from rlcourse.judges.tictactoe import judge

        return judge
    if game == "backgammon":
        from rlcourse.agents import RandomAgent
        from rlcourse.games import get_game
        from rlcourse.judges.backgammon import judge_backgammon

        opponent = RandomAgent(get_game(game))
        return lambda agent: judge_backgammon(agent, opponent=opponent)
    if game == "go":
        from rlcourse.judges.random_play import judge_against_random

        return judge_against_random
    return None


def final_judge(game: str) -> Judge | None:
    """The strictest judge at hand: in backgammon 3,000 games with gnubg where that program is installed, else `judge_of`."""
    if game == "backgammon":
        from rlcourse.agents.gnubg import GnubgMissing, find_gnubg
        from rlcourse.judges.backgammon import judge_backgammon

        try:
            find_gnubg()
            return lambda agent: judge_backgammon(agent, games=3_000)
        except GnubgMissing:
            pass
    return judge_of(game)
