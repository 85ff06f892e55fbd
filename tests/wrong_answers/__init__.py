"""Wrong and right answers to every task, and the trial of the grader by them. See `trial`."""
