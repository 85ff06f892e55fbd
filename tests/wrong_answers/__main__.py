"""`python -m tests.wrong_answers --sheet 02 --seeds 200`: all wrong and right
answers, over many grading seeds.
"""

import argparse
import sys

from rlcourse.checks import use_course
from tests.wrong_answers.trial import main

parser = argparse.ArgumentParser(description=__doc__)
parser.add_argument("--sheet", default="02", help="number of the sheet, two digits")
parser.add_argument("--seeds", type=int, default=200, help="how many grading seeds")
parser.add_argument("--first", type=int, default=0, help="the first of them")
parser.add_argument("--task", default="", help="only this task")
parser.add_argument(
    "--store", action="store_true", help="keep the rates; docs/checks.md shows them"
)
parser.add_argument("--course", help="an instructor's own folder of sheets")
options = parser.parse_args()
if options.course:
    use_course(options.course)
sys.exit(
    0
    if main(options.sheet, options.seeds, options.first, only=options.task, keep=options.store)
    else 1
)
