"""Lessons 00 and 02: games in lock-step against move by move, compiled loops against
the interpreter, the judge.
"""

from collections.abc import Iterator

from rlcourse.agents import make_agent
from rlcourse.arena import play_match
from rlcourse.games import get_game
from rlcourse.judges.tictactoe import judge
from rlcourse.learning import games, make_learner, train
from rlcourse.self_play import simulate_game
from tests.benchmarks.speeds import Comparison, compare


def rows(quick: bool) -> Iterator[Comparison]:
    """Yield one comparison after the other."""
    repetitions = 3 if quick else 9
    for name in ("tic-tac-toe", "connect-four"):
        agent = make_agent("random", get_game(name), seed=0)
        lockstep, one_by_one = 2_000, 20

        def in_lockstep(agent=agent, n=lockstep) -> int:
            return play_match(agent, agent, games=n, seed=0).games

        def move_by_move(agent=agent, n=one_by_one) -> int:
            return len([simulate_game(agent, agent) for _ in range(n)])

        yield compare(
            f"random games of {name}",
            "games",
            ("lock-step", in_lockstep),
            ("move by move", move_by_move),
            repetitions,
        )

    def learn(compiled: bool, n: int) -> int:
        *_, row = train(make_learner("q-table", compiled=compiled), until=games(n), every=n, seed=0)
        return row.games

    yield compare(
        "Q-learning from self-play",
        "games",
        ("compiled", lambda: learn(True, 500)),
        ("interpreter", lambda: learn(False, 200)),
        repetitions,
    )
    perfect = make_agent("perfect", get_game("tic-tac-toe"), seed=0)

    def judge_once() -> int:
        judge(perfect)
        return 1

    def play_thousand() -> int:
        play_match(perfect, make_agent("random", perfect.game), games=1_000, seed=0)
        return 1

    yield compare(
        "a verdict",
        "verdicts",
        ("exact, all replies", judge_once),
        ("1,000 games vs random", play_thousand),
        repetitions,
    )
