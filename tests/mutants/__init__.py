"""Wrong answers made by machine: one small change to a right answer, and what the checks say of it.

`python -m tests.mutants --sheet 01` makes them, runs them and prints the table. The modules:

- `expressions`, `statements`: what one change is;
- `making`: all changed versions of an answer;
- `asking`: what the visible check and the grader say of one of them, and whether it is wrong at all;
- `domain01` and so on: questions from the whole domain that a task's text states, and the changes
  that change no answer, each with the reason that a person found;
- `report`: the table.

Why no library: mutmut and cosmic-ray change the files of a project and run its test suite for each
change. The answers here are strings of 5 to 20 lines, the judge is not a test suite but a check with
words of its own, and the changes that matter (a mask before the sign, the place in a short list, an
axis, a missing copy) are in neither. libcst keeps comments and blanks, which nobody reads here.
"""
