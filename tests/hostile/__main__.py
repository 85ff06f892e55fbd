"""`python -m tests.hostile [FAMILY ...]`: every attack, and what it was told.

Ends with 1 if anything is not right.
"""

import multiprocessing
import os
import resource
import sys
import time
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from contextlib import nullcontext
from typing import Any

from tests.hostile import attacks
from tests.hostile.trial import attacked_places, trouble

AT_ONCE = 4  # processes that grade: most attacks wait for the end of their time
_own: dict[str, Any] = {}  # of one of these processes: its place, and the lock on memory


def main(families: list[str]) -> int:
    """Run the attacks of these families, or all; "around": those of files, in one
    class with honest students.
    """
    if families[:1] == ["around"]:
        from tests.hostile import around

        return around.main(families[1:])
    listed = [
        attack
        for attack in attacks.ATTACKS
        if attacks.possible(attack) and (not families or attack[0] in families)
    ]
    failed, peak, began = Counter[str](), 0, time.perf_counter()
    # They inherit the places, so that one copy of the course serves all boxes.
    context = multiprocessing.get_context("fork")
    numbers = context.SimpleQueue()
    for number in range(AT_ONCE):
        numbers.put(number)
    with (
        attacked_places(AT_ONCE) as places,
        ProcessPoolExecutor(AT_ONCE, context, _begin, (places, numbers, context.Lock())) as pool,
    ):
        for attack, (found, outcome, memory) in zip(listed, pool.map(_try, listed), strict=True):
            family, name = attack[:2]
            failed[family] += bool(found)
            peak = max(peak, memory)
            print(f"{family}: {name}: {outcome}: {'; '.join(found) or 'no trouble'}", flush=True)
    print(f"the grader's largest memory: {peak / 1024:.0f} MB")
    for family, count in Counter(attack[0] for attack in listed).items():
        print(f"{family}: {count} attacks by user {os.geteuid()}: {failed[family]} with trouble")
    print(f"{time.perf_counter() - began:.0f} s")
    return 1 if failed.total() else 0


def _begin(places: list[Any], numbers: Any, memory: Any) -> None:
    """Take a place: no two processes have the same one."""
    _own.update(place=places[numbers.get()], memory=memory)


def _try(attack: attacks.Attack) -> tuple[list[str], str, int]:
    """What is not as it must be after an attack, its outcome, and this process's largest memory.

    What a box takes before it is killed for it is taken by one box at a time.
    """
    _, name, body, expected = attack
    with _own["memory"] if attacks.MEMORY in expected else nullcontext():
        found, report = trouble(_own["place"], name, body, expected)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return found, str(report.results[0].outcome), peak


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
