"""What an instructor decides about time: deadline, extensions, what lateness costs, which of
several hand-ins counts.

nbgrader's own late plug-in is not used: `nbgrader autograde` alone calls it, which would run the
handed-in code without a box, and it knows neither extensions nor a price for each day.
"""

import math
import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from rlcourse.grading.intake import Attempt
from rlcourse.grading.roster import read_deadline

_IN_WORDS = {"": "0%/day", "free": "0%/day", "refuse": "100%/minute"}
_LATE = re.compile(
    r"(?P<share>\d+(\.\d+)?)\s*%\s*/\s*(?P<unit>minute|hour|day|week)(\s*up\s*to\s*(?P<most>\d+(\.\d+)?)\s*%)?"
)


class BadPolicy(ValueError):
    """A deadline or a penalty that cannot be understood. The message says how one is written."""


@dataclass(frozen=True)
class Policy:
    """deadline None: nothing is late.

    lost: share of the points that each started unit costs, up to `most`.

    extensions: id of a student -> their own deadline. attempts: "best" (most points after what
    lateness costs) or "last".
    """

    deadline: datetime | None
    lost: float
    unit: timedelta
    most: float
    extensions: Mapping[str, datetime]
    attempts: str

    def late_by(self, attempt: Attempt) -> timedelta:
        """How much too late, by the time that counts; zero where no time is known."""
        until = (
            self.extensions.get(attempt.student.id) or attempt.student.extension or self.deadline
        )
        if until is None or attempt.moment is None:
            return timedelta(0)
        return max(timedelta(0), attempt.moment - until)

    def share_lost(self, attempt: Attempt) -> float:
        """The share of the points that lateness costs, 0 to 1."""
        return min(self.most, self.lost * math.ceil(self.late_by(attempt) / self.unit))

    def questions(self, attempt: Attempt) -> list[str]:
        """What a person should look at: a platform's word against the clock's, and a lateness of
        unknown length.
        """
        if attempt.late and not self.late_by(attempt) and attempt.student.id not in self.extensions:
            reason = "by how much it does not say, so nothing was taken off"
            return [f"the platform calls it late; {reason}"]
        return []

    def choose(
        self,
        attempts: Sequence[Attempt],
        points: Mapping[str, float],
        blank: Collection[str] = (),
    ) -> Attempt:
        """The attempt that counts. points: digest -> points before lateness.

        blank: digests of files in which nothing is written; they count only where there is no other
        that can be graded.
        """
        oldest = datetime.min.replace(tzinfo=UTC)

        def order(attempt: Attempt) -> tuple:
            """The later it stands in this order, the more an attempt counts."""
            earned = points.get(attempt.digest, -1.0)
            earned = earned * (1 - self.share_lost(attempt)) if earned > 0 else earned
            # Of two files of one moment none is the last: the better one counts.
            when = (attempt.moment or oldest, earned, attempt.origin)
            # A file that could not be graded never counts before one that could.
            known = (attempt.digest in points, attempt.digest not in blank, bool(attempt.digest))
            return (known[:2], earned, when) if self.attempts == "best" else (known, when)

        return max(attempts, key=order)


def make_policy(
    deadline: str = "",
    late: str = "",
    attempts: str = "last",
    extensions: Mapping[str, datetime] | None = None,
) -> Policy:
    """A policy from words: deadline "2026-11-20T23:59", late "10%/day", "5%/hour up to 50%" or
    "refuse". Raises BadPolicy.
    """
    moment = read_deadline(deadline) if deadline else None
    if deadline and moment is None:
        raise BadPolicy(
            "a deadline reads 2026-11-20T23:59, or with a zone 2026-11-20T23:59+01:00; "
            f"got {deadline!r}"
        )
    if attempts not in ("best", "last"):
        raise BadPolicy(f"--attempts is best or last, not {attempts!r}")
    if late and moment is None and not extensions:
        raise BadPolicy("--late needs a --deadline")
    terms = _LATE.fullmatch(_IN_WORDS.get(late, late.strip()))
    if terms is None:
        raise BadPolicy(f"--late reads 10%/day, '5%/hour up to 50%', refuse or free; got {late!r}")
    share, most = float(terms["share"]) / 100, float(terms["most"] or 100) / 100
    if not 0 <= share <= 1 or not 0 <= most <= 1:
        raise BadPolicy(f"--late takes off at most 100%; got {late!r}")
    unit = timedelta(**{f"{terms['unit']}s": 1})
    return Policy(moment, share, unit, most, dict(extensions or {}), attempts)
