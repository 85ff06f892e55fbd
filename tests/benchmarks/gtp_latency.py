"""From a line sent to an engine that thinks aloud, to the first letter of the answer to it.

    python tests/benchmarks/gtp_latency.py [--times 500] [--agents go/uct go/alphazero-5x5]

Each agent runs as `rlcourse gtp` in a process of its own, as other programs start it. Printed are
milliseconds: the first interruption of the process, then median, 99th of a hundred and worst.
"""

import argparse
import statistics
import subprocess
import sys
import time

AGENTS = ("go/uct", "go/alphazero-5x5")


def measure(agent: str, size: int, times: int) -> list[float]:
    """Milliseconds of `times` interruptions; each comes when the first moves have been shown."""
    command = [sys.executable, "-m", "rlcourse.cli", "gtp", agent]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
    took = []
    with subprocess.Popen(command, **pipes) as engine:
        engine.stdin.write(f"boardsize {size}\n".encode())
        engine.stdin.flush()
        assert engine.stdout.readline() == b"=\n" == b"=" + engine.stdout.readline()
        for _ in range(times):
            engine.stdin.write(b"lz-analyze 1\n")
            engine.stdin.flush()
            while not engine.stdout.readline().startswith(b"info"):
                pass
            started = time.perf_counter()
            engine.stdin.write(b"known_command quit\n")
            engine.stdin.flush()
            while engine.stdout.readline() != b"= true\n":
                pass
            took.append(1_000 * (time.perf_counter() - started))
        engine.stdin.write(b"quit\n")
    return took


def main() -> None:
    """Print a line for each agent and size."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--times", type=int, default=500)
    parser.add_argument("--agents", nargs="+", default=AGENTS)
    options = parser.parse_args()
    for agent in options.agents:
        own = agent.rpartition("-")[2].partition("x")[0]
        for size in (int(own),) if own.isdigit() else (5, 9, 19):
            first, *_ = times = measure(agent, size, options.times)
            took = sorted(times)
            late = took[min(len(took) - 1, round(0.99 * len(took)))]
            print(
                f"{agent} on {size} x {size}: first {first:.1f} ms, "
                f"median {statistics.median(took):.1f} ms, 99% {late:.1f} ms, worst {took[-1]:.1f} ms of {len(took)}"
            )


if __name__ == "__main__":
    main()
