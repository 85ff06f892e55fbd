"""How good is it? One judge a game: exact where the game is solved, else a match with a number of games and an interval."""

from collections.abc import Callable
from typing import Any

SOLVED = ("tic-tac-toe",)
Judge = Callable[[Any], Any]


def judge_of(game: str) -> Judge | None:
    """The judge that training asks again and again, agent -> verdict; None where the course has none.

    tic-tac-toe: all lines and decisions; Connect Four: the labelled positions; backgammon: 1,000 games with random play, which
    take about a second; Go: as many, drawing moves as in training, and again always playing the likeliest.
    """
    if game == "tic-tac-toe":
        from rlcourse.judges.tictactoe import judge

        return judge
    if game == "connect-four":
        from rlcourse.judges.connect_four import judge_connect_four

        return judge_connect_four
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
    """The strictest judge at hand where its program is installed, else `judge_of`: in backgammon 3,000 games with gnubg, in Go
    400 games with GNU Go at level 1, on boards of 5 x 5 to 9 x 9 (a minute or two)."""
    if game == "backgammon":
        from rlcourse.agents.gnubg import GnubgMissing, find_gnubg
        from rlcourse.judges.backgammon import judge_backgammon

        try:
            find_gnubg()
            return lambda agent: judge_backgammon(agent, games=3_000)
        except GnubgMissing:
            pass
    if game == "go":
        from rlcourse.agents.gtp_engine import find_gnugo
        from rlcourse.gtp.client import EngineMissing
        from rlcourse.judges.go import judge_go

        try:
            find_gnugo()
            return lambda agent: (
                judge_go if 5 <= agent.game.options["size"] <= 9 else judge_of(game)
            )(agent)
        except EngineMissing:
            pass
    return judge_of(game)
