"""Exact truth about the games: values that no learner can argue with."""
