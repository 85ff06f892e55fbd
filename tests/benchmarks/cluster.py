"""`python -m tests.benchmarks.cluster sizes | speed | kill | memory`: what
rlcourse/distributed.md says, measured. Linux.

sizes    CPU-seconds of a chunk and of an update, bytes of a chunk and of the weights, and how many actors that feeds
speed    the same chunks by RayPool and by worker_pool, in turn, with 1 and 2 processes: games a second, also of CPU time
kill     actors killed every few seconds and the learner once; then the undisturbed run in this process, for comparison
memory   an hour's worth of chunks, four a second, as fast as they come; memory that belongs to each process alone, and shared
"""

import argparse
import os
import pickle
import random
import resource
import signal
import subprocess
import sys
import tempfile
import time
import zlib
from collections.abc import Callable, Iterator
from concurrent.futures import Executor
from contextlib import suppress
from pathlib import Path
from statistics import median

import numpy as np

from tests.run import SURROUNDINGS

os.environ.update(
    {name: value for name, value in SURROUNDINGS.items() if name not in os.environ}
)  # before TensorFlow

from rlcourse.distributed import RayPool
from rlcourse.learning import games, make_learner, train
from rlcourse.learning.chunks import Chunks
from rlcourse.self_play import SelfPlaySpec, play
from rlcourse.storage import load
from rlcourse.workers import worker_pool

LEARNERS = {
    "td-gammon": {"workers": 0},
    "policy-gradient": {"workers": 0},
    "actor-critic": {"workers": 0},
    "alphazero": {"workers": 0},
    "alphazero-connect-four": {"workers": 0},
}
GIGABIT = 119e6  # bytes a second of a cable of 1 Gbit/s, less its headers


def sizes(updates: int) -> None:
    """One line a learner, after some updates: games have their usual length then,
    and everything is compiled.
    """
    heads = (
        "games",
        "play",
        "update",
        "chunk",
        "packed",
        "weights",
        "a game",
        "actors:",
        "actors:",
    )
    print(f"{'learner':24} " + " ".join(f"{head:>8}" for head in heads))
    units = ("", "CPU-s", "CPU-s", "kB", "kB", "kB", "bytes", "learner", "network")
    print(f"{'':24} " + " ".join(f"{unit:>8}" for unit in units))
    for name, settings in LEARNERS.items():
        learner, rng, played, learned = (
            make_learner(name, seed=0, **settings),
            np.random.default_rng(0),
            [],
            [],
        )
        for _ in range(updates):
            clock = [time.process_time()]
            buffer = learner.collect(rng)
            clock.append(time.process_time())
            learner.update(buffer, rng)
            clock.append(time.process_time())
            played.append(clock[1] - clock[0])
            learned.append(clock[2] - clock[1])
        p, u = median(played[updates // 2 :]), median(learned[updates // 2 :])
        pickled = pickle.dumps(buffer, protocol=5)
        size, packed = len(pickled), len(zlib.compress(pickled, 1))
        weights = sum(array.nbytes for array in learner.chunks.weights.values())
        print(
            f"{name:24} {buffer.games:8} {p:8.3f} {u:8.3f} {size / 1e3:8,.0f} {packed / 1e3:8,.0f} "
            f"{weights / 1e3:8,.0f} {size / buffer.games:8,.0f} {p / u:8.1f} "
            f"{GIGABIT * p / (size + weights):8,.0f}",
            flush=True,
        )


def chunk_rates(pool: Executor, chunks: Chunks, numbers: range) -> tuple[float, float]:
    """Games of these chunks a second, and a second of processor time, whoever spends it: the latter
    hardly depends on what else this machine does."""
    started, spent = time.perf_counter(), cpu_seconds()
    answers = [
        pool.submit(chunks.play, chunks.spec, chunks.weights, 0, number) for number in numbers
    ]
    games = sum(answer.result().games for answer in answers)
    return games / (time.perf_counter() - started), games / (cpu_seconds() - spent)


def speed(repetitions: int, names: list[str]) -> None:
    """Both pools stand ready, one works at a time: A B A B."""
    for count in (1, 2):
        with RayPool(actors=count) as ours, worker_pool(count) as theirs:
            for name in names:
                learner, rng = (
                    make_learner(name, seed=0, **LEARNERS[name]),
                    np.random.default_rng(0),
                )
                for _ in range(4):
                    learner.update(learner.collect(rng), rng)
                both, first = ([], []), 0
                for turn in range(repetitions + 1):
                    numbers = range(first, first + 6 * count)
                    first += 6 * count
                    for rates, pool in zip(both, (ours, theirs), strict=True):
                        rate = chunk_rates(pool, learner.chunks, numbers)
                        rates.extend([rate] if turn else [])  # the first turn loads and compiles
                (a, _), (b, _) = (np.median(rates, axis=0) for rates in both)
                shares = np.divide(*both)
                low, share, high = np.quantile(shares[:, 0], (0.25, 0.5, 0.75))
                print(
                    f"{name:24} {count} actors {a:8,.0f} games/s, {count} workers {b:8,.0f} "
                    f"games/s, pair by pair {share:.0%} ({low:.0%} to {high:.0%}); per CPU time "
                    f"{np.median(shares[:, 1]):.0%}",
                    flush=True,
                )


RUN = """
import json, sys
from rlcourse.distributed import RayPool
from rlcourse.learning import games, make_learner, train
if __name__ == "__main__":
    name, settings, path = sys.argv[1], json.loads(sys.argv[2]), sys.argv[3]
    learner, pool = make_learner(name, seed=5, **settings), RayPool(actors=2)
    learner.chunks.play_in(pool)
    for row in train(learner, until=games(10**9), seed=5, checkpoint=path):
        actors = [actor.pid for actor in pool.row().actors]
        print(json.dumps({"updates": row.updates, "lost": pool.lost, "actors": actors}), flush=True)
"""
KILLED = ("td-gammon", {"hidden": 20, "games": 64, "ahead": 2})


def kill(seconds: float, pause: float) -> None:
    """A run that is disturbed for so long, then the same number of updates in this
    process, with nobody near.
    """
    import json
    import threading

    name, settings = KILLED
    rng, killed, lost = random.Random(0), 0, 0
    with tempfile.TemporaryDirectory() as folder:
        script, path = Path(folder, "run.py"), Path(folder, "run.h5")
        script.write_text(RUN)
        for stretch in range(2):
            command = [sys.executable, str(script), name, json.dumps(settings), str(path)]
            here = {**os.environ, "PYTHONPATH": os.getcwd()}
            process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=here)
            row = json.loads(process.stdout.readline())
            print(f"stretch {stretch}: begins after {row['updates']} updates", flush=True)
            rows = [row]

            def follow(rows: list = rows, lines: Iterator[str] = process.stdout) -> None:
                rows.extend(
                    json.loads(line)
                    for line in lines
                    if line.startswith("{") and line.endswith("\n")
                )

            threading.Thread(target=follow, daemon=True).start()
            end, dead = time.monotonic() + seconds / 2, set()
            while time.monotonic() < end:
                time.sleep(pause * rng.uniform(0.5, 1.5))
                alive = [pid for pid in rows[-1]["actors"] if pid not in dead]
                if alive:
                    dead.add(pid := rng.choice(alive))
                    os.kill(pid, signal.SIGKILL)
                    killed += 1
            process.send_signal(signal.SIGKILL)
            process.wait()
            lost += rows[-1]["lost"]
        stored = load(path, "checkpoint")
    count = stored.meta["updates"]
    print(
        f"{count} updates, {killed} actors and twice the learner killed; {lost} chunks "
        "lost and played again",
        flush=True,
    )
    whole = make_learner(name, seed=5, **settings)
    list(train(whole, until=games(count * settings["games"]), seed=5))
    state = whole.state()
    equal = state.keys() == stored.arrays.keys() and all(
        np.array_equal(state[k], v) for k, v in stored.arrays.items()
    )
    print(
        f"the undisturbed run's {len(state)} arrays are "
        f"{'equal, bit for bit' if equal else 'DIFFERENT'}"
    )
    sys.exit(not equal)


def descendants() -> list[dict[str, str]]:
    """/proc/PID/status of this process and of all that came from it."""
    everybody = {}
    for folder in Path("/proc").iterdir():
        if folder.name.isdigit():
            try:
                status = dict(
                    line.split(":", 1) for line in (folder / "status").read_text().splitlines()
                )
            except (OSError, ValueError):
                continue
            everybody[int(folder.name)] = {name: value.strip() for name, value in status.items()}
    found = []
    for pid, status in everybody.items():
        above = pid
        while above not in (0, os.getpid()):
            above = int(everybody[above]["PPid"]) if above in everybody else 0
        found += [status] if above else []
    return found


def megabytes() -> dict[str, float]:
    """MB that belong to a process alone (RssAnon), summed by what it is, and those of
    the memory that they share.
    """
    found = {"shared": 0.0}
    for status in descendants():
        kind = "learner" if int(status["Pid"]) == os.getpid() else status["Name"]
        alone, shared = (
            int(status.get(name, "0").split()[0]) / 1e3 for name in ("RssAnon", "RssShmem")
        )
        found[kind], found["shared"] = found.get(kind, 0) + alone, max(found["shared"], shared)
    return found


def cpu_seconds() -> float:
    """Spent by this process and all that came from it and are alive."""
    ticks = 0
    for status in descendants():
        with suppress(OSError):
            fields = Path("/proc", status["Pid"], "stat").read_text().rsplit(")", 1)[1].split()
            ticks += int(fields[11]) + int(fields[12])
    return ticks / os.sysconf("SC_CLK_TCK")


def memory(count: int) -> None:
    """Chunks as large as those of TD-Gammon (0.4 MB of games, 0.36 MB of weights, other
    ones each time), in less time.
    """
    spec, before = SelfPlaySpec("tic-tac-toe", "random", "two-plane", 800), time.perf_counter()
    with RayPool(actors=2) as pool:
        waiting = []
        for number in range(count):
            weights = {"w": np.full(90_000, number, np.float32)}
            waiting.append(pool.submit(play, spec, weights, 0, number))
            if len(waiting) > 3:
                waiting.pop(0).result()
            if number % (count // 12) == count // 12 - 1:
                parts = ", ".join(
                    f"{kind} {size:,.0f}" for kind, size in sorted(megabytes().items())
                )
                moved = f"{pool.received / 1e6:8,.0f} MB of games, {pool.sent / 1e6:8,.0f} MB of weights"
                spent = time.perf_counter() - before
                print(f"{number + 1:7,} chunks, {moved}, {spent:6.0f} s;  MB: {parts}", flush=True)
        print(
            pool.row(),
            "- peak of the learner "
            f"{resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e3:,.0f} MB",
        )


def main() -> None:
    """See the module."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("what", choices=("sizes", "speed", "kill", "memory"))
    parser.add_argument("--updates", type=int, default=16, help="of sizes")
    parser.add_argument("--repetitions", type=int, default=9, help="of speed")
    parser.add_argument("--learners", nargs="+", default=list(LEARNERS)[:-1], help="of speed")
    parser.add_argument("--seconds", type=float, default=300, help="of kill")
    parser.add_argument("--pause", type=float, default=4, help="of kill, between two of them")
    parser.add_argument("--chunks", type=int, default=14_400, help="of memory")
    given = parser.parse_args()
    runs: dict[str, Callable[[], None]] = {
        "sizes": lambda: sizes(given.updates),
        "speed": lambda: speed(given.repetitions, given.learners),
        "kill": lambda: kill(given.seconds, given.pause),
        "memory": lambda: memory(given.chunks),
    }
    runs[given.what]()


if __name__ == "__main__":
    main()
