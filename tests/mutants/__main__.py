"""`python -m tests.mutants --sheet 01 --store`: what the checks of a sheet say of every small
change to its right answers.
"""

import argparse

from rlcourse.checks import get_sheet
from tests.mutants.report import COLUMNS, as_markdown, counts, fates, read, store, to_look_at

parser = argparse.ArgumentParser(description=__doc__)
parser.add_argument("--sheet", required=True, help="number of the sheet, two digits")
parser.add_argument("--task", default="", help="only this task")
parser.add_argument("--jobs", type=int, default=2, help="processes at the same time")
parser.add_argument("--all", action="store_true", help="a line for every mutant")
parser.add_argument(
    "--store", action="store_true", help="keep the counts; the instructor's guide shows them"
)
options = parser.parse_args()

for task in get_sheet(options.sheet).tasks:
    if options.task in ("", task.name):
        found = list(fates(options.sheet, task.name, options.jobs))
        print(task.name, ", ".join(f"{column} {counts(found)[column]}" for column in COLUMNS))
        if options.all:
            for one in found:
                print(
                    "   ",
                    one.visible,
                    "|",
                    one.hidden,
                    "|",
                    one.mutant.operator,
                    "|",
                    one.mutant.change,
                )
        for line in to_look_at(options.sheet, task.name, found):
            print("  ", line)
        if options.store:
            store(options.sheet, task.name, found)
if options.store:
    print(as_markdown(read()))
