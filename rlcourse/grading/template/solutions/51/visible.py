"""The cases of sheet 51 that students see, worked by hand."""

import numpy as np

from rlcourse.checks.judging import Key
from rlcourse.checks.task import Case


def shaped() -> tuple[Case, ...]:
    """shaped_returns: rewards 1, 0, 4 with gamma 1/2."""
    # From the end: 4; 0 + 4/2 = 2; 1 + 2/2 = 2.
    right = np.array([2.0, 2.0, 4.0])
    return (Case((np.array([1.0, 0.0, 4.0]), 0.5), Key(right), title="rewards 1, 0, 4; gamma 0.5"),)
