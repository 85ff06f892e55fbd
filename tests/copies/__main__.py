"""`python -m tests.copies`: how many planted copies and how many independent pairs the class report
lists. `--right`: whether the disguised answers are still right.
"""

import argparse
import sys

from rlcourse.arena import wilson
from tests.copies.trial import INDEPENDENT, PLANTED, run, wrong
from tests.mutants.natural import SHEETS


def _share(part: int, n: int) -> str:
    low, high = wilson(part, n)
    return f"{part} of {n} ({part / n:.1%}, 95% interval [{low:.1%}, {high:.1%}])"


parser = argparse.ArgumentParser(description=__doc__)
parser.add_argument("--sheet", action="append", help="only this one; may come several times")
parser.add_argument("--planted", type=int, default=PLANTED, help="hand-ins a sheet")
parser.add_argument("--pairs", type=int, default=INDEPENDENT, help="independent pairs a sheet")
parser.add_argument("--right", action="store_true", help="ask the checks of the disguised answers")
options = parser.parse_args()
sheets = options.sheet or SHEETS
if options.right:
    failed = wrong(sheets)
    print("\n".join(failed) or "Every disguised answer is still right.")
    sys.exit(bool(failed))
counts = run(sheets, planted=options.planted, pairs=options.pairs)
for disguise, found in counts.found.items():
    print(f"{disguise:13} copies listed: {_share(found, counts.planted)}")
print(f"independent pairs listed: {_share(counts.alike, counts.pairs)}")
print(
    f"{counts.writers} of these pairs are of two writers; there are {counts.answers} different "
    "pairs of answers in them"
)
