"""Sheet 51, Your title: how the hidden cases are drawn, and what the oracle answers.

Students never get this file.
"""

import numpy as np

from rlcourse.checks import oracle51
from rlcourse.checks.judging import by_oracle, keyed
from rlcourse.checks.sheet51 import SHAPED_MISTAKES
from rlcourse.checks.task import Case, Hidden


def _shaped_cases(rng: np.random.Generator) -> list[Case]:
    cases = []
    for length in (1, 5, 12):
        args = (rng.normal(size=length).round(3), float(rng.uniform(0.3, 0.95)))
        cases.append(keyed(oracle51.shaped_returns, SHAPED_MISTAKES, *args))
    return cases


def _shaped_domain(rewards: np.ndarray, gamma: float) -> bool:
    return len(rewards) >= 1 and 0 <= gamma <= 1


HIDDEN = {
    "shaped_returns": Hidden(
        _shaped_cases, _shaped_domain, by_oracle(oracle51.shaped_returns, SHAPED_MISTAKES)
    ),
}
