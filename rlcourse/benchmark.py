"""How many minutes each notebook takes on this computer, from the seconds that it took on another:
`rlcourse benchmark`.
"""

import json
import time
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

TABLE = Path(__file__).with_suffix(".json")


def load_times(path: Path = TABLE) -> dict[str, Any]:
    """machine, probe (seconds of `probe` there), notebooks (name -> seconds)."""
    return json.loads(path.read_text(encoding="utf-8"))


def probe(rounds: Iterable[int] = range(2)) -> float:
    """Seconds that this computer takes for a fixed piece of each kind of work in the notebooks.

    These are the interpreter, compiled loops, a network's steps. What happens only once (compiling,
    loading) is left out; the best of the rounds counts.
    """
    from rlcourse.agents import make_agent
    from rlcourse.games import get_game
    from rlcourse.learning import games, make_learner, train
    from rlcourse.self_play import simulate_game

    agent = make_agent("random", get_game("connect-four"), seed=0)

    def round_of_work() -> float:
        """Seconds by the clock."""
        started = time.perf_counter()
        for _ in range(100):
            simulate_game(agent, agent)
        for name, count in (("q-table", 20_000), ("deep-q", 5_000)):
            for _ in train(make_learner(name, seed=0), until=games(count), every=1_000, seed=0):
                pass
        return time.perf_counter() - started

    round_of_work()
    return min(round_of_work() for _ in rounds)


def minutes_here(times: dict[str, Any], probed: float) -> Iterator[tuple[str, float]]:
    """(notebook, minutes it is expected to take here), in proportion to the probe."""
    for name, seconds in times["notebooks"].items():
        yield name, seconds * probed / times["probe"] / 60
