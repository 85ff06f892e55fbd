"""Positions that GNU Backgammon evaluates in a second for the course.

    python -m tests.benchmarks.gnubg [--positions 1000] [--processes 1]

The Python inside the program would sleep 10 ms for each, so that 100 a second would be the most.
"""

import argparse
import time

from rlcourse.gnubg import Gnubg
from tests.oracles.test_gnubg import random_positions


def main() -> None:
    """Print the rate of one question of many positions, after a first one that starts the program."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--positions", type=int, default=1000)
    parser.add_argument("--processes", type=int, default=1)
    options = parser.parse_args()
    batch = random_positions(options.positions, 3)
    with Gnubg(options.processes) as gnubg:
        gnubg.evaluate(batch.checkers[:1], batch.to_play[:1])
        started = time.perf_counter()
        gnubg.evaluate(batch.checkers, batch.to_play)
        print(f"{options.positions / (time.perf_counter() - started):,.0f} positions a second")


if __name__ == "__main__":
    main()
