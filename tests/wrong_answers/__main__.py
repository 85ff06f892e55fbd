"""`python -m tests.wrong_answers --sheet 02 --seeds 200`: the table of all wrong and right answers, over many grading seeds."""

import argparse
import sys

from tests.wrong_answers.trial import main

parser = argparse.ArgumentParser(description=__doc__)
parser.add_argument("--sheet", default="02", help="number of the sheet, two digits")
parser.add_argument("--seeds", type=int, default=200, help="how many grading seeds")
parser.add_argument("--first", type=int, default=0, help="the first of them")
options = parser.parse_args()
sys.exit(0 if main(options.sheet, options.seeds, options.first) else 1)
