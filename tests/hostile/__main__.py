"""`python -m tests.hostile [FAMILY ...]`: every attack, what it was told, seconds.

Ends with 1 if anything is not right.
"""

import os
import platform
import resource
import sys
import time

from tests.hostile import attacks
from tests.hostile.trial import attacked_place, trouble


def main(families: list[str]) -> int:
    """Run the attacks of these families, or all; "around": those of files, in one
    class with honest students.
    """
    if families[:1] == ["around"]:
        from tests.hostile import around

        return around.main(families[1:])
    failed = count = 0
    began = time.perf_counter()
    with attacked_place() as place:
        for family, name, body, expected in attacks.ATTACKS:
            if (families and family not in families) or (
                platform.machine() != "x86_64" and "call(" in body
            ):
                continue
            started = time.perf_counter()
            found, report = trouble(place, name, body, expected)
            count, failed = count + 1, failed + bool(found)
            told = f"{report.results[0].outcome:<16} {time.perf_counter() - started:5.1f} s"
            print(f"{family:<10} {name:<45} {told}  {'; '.join(found)}", flush=True)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"the grader's largest memory: {peak:.0f} MB")
    print(
        f"{count} attacks by user {os.geteuid()}: {failed} with trouble; "
        f"{time.perf_counter() - began:.0f} s"
    )
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
