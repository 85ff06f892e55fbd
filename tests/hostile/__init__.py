"""Hand-ins that attack the grader, and what each must come to. See `attacks` and `trial`."""
