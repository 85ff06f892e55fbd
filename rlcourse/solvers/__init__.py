"""Exact solutions of the games: the ground truth that every learner is measured against."""
