"""How each idea *learns*: one Learner a chapter, and `train`, the one driver."""

from rlcourse.learning.train import Learner, Row, after, games, satisfied, seconds, train

__all__ = ["Learner", "Row", "after", "games", "satisfied", "seconds", "train"]
