"""`python -m tests.mutants --sheet 01 --store`: what the checks of a sheet say of every small
change to its right answers; with --natural of the slips that a writer has made.
"""

import argparse

from rlcourse.checks import get_sheet, use_course
from tests.mutants import natural, report

parser = argparse.ArgumentParser(description=__doc__)
parser.add_argument("--sheet", required=True, help="number of the sheet, two digits")
parser.add_argument("--course", help="an instructor's own folder of sheets, or of variants")
parser.add_argument("--task", default="", help="only this task")
parser.add_argument("--natural", action="store_true", help="slips of a writer in place of mutants")
parser.add_argument("--jobs", type=int, default=2, help="processes at the same time")
parser.add_argument("--all", action="store_true", help="a line for every mutant")
parser.add_argument(
    "--store", action="store_true", help="keep the counts; docs/checks.md shows them"
)
options = parser.parse_args()
if options.course:
    use_course(options.course)

everything = []
for task in get_sheet(options.sheet).tasks:
    if options.task not in ("", task.name):
        continue
    made = (natural.slips if options.natural else report.all_mutants)(options.sheet, task.name)
    found = list(report.fates(options.sheet, task.name, made, options.jobs))
    everything += found
    counts = report.counts(found)
    print(task.name, ", ".join(f"{column} {counts[column]}" for column in report.COLUMNS))
    if options.all or options.natural:
        for one in found:
            print(f"    {one.visible} | {one.hidden} | {one.mutant.operator} | {one.mutant.change}")
            for fact in one.facts:
                print(f"        {'NARROW ' * (fact in one.narrow)}{fact}")
    for line in report.to_look_at(options.sheet, task.name, found):
        print("  ", line)
    if options.store and not options.natural:
        report.store(options.sheet, task.name, found)
if options.natural:
    print(natural.counts(everything))
if options.store:
    if options.natural:
        natural.store(options.sheet, everything)
    kind = natural if options.natural else report
    print(kind.as_markdown(kind.read()))
