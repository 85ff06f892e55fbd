"""The receipt in a handed-in notebook, as the grader reads it, and the codes of students.

A student with a code of their own, which the instructor's secret makes of their id, gets a check
into the receipt. It proves that whoever made the receipt had that code, and that name, time and
notebook are as they were then. It does not prove that the student made it (a code can be passed
on), nor the time, which is the student's clock. Without a code a receipt proves nothing: anybody
can write any name into it.
"""

import base64
import hmac
from typing import Any, NamedTuple

from rlcourse.grading.submission import read_submission
from rlcourse.hand_in import check_of
from rlcourse.notebook import Notebook
from rlcourse.untrusted import printable


class Receipt(NamedTuple):
    """What a file says of itself: whose it is, when it was handed in, and whether the file is still
    the one that got it.

    fingerprint: SHA-256 of the notebook as it is, in hex. check: what `check_of` gave for the
    student's code, or "".
    """

    name: str
    time: str
    intact: bool
    fingerprint: str
    check: str

    def is_checked(self, code: str) -> bool:
        """Whether who made this receipt had the code, and nothing was changed since."""
        expected = check_of(code, self.name, self.time, self.fingerprint)
        return self.intact and hmac.compare_digest(self.check.encode(), expected.encode())


def code_of(secret: str, student: str) -> str:
    """The code of the student with that id, 16 letters and digits: the instructor's secret gives
    the same one each time.
    """
    digest = hmac.digest(secret.encode(), f"hand-in code of {student}".encode(), "sha256")
    return base64.b32encode(digest[:10]).decode().lower()


def read_receipt(content: bytes) -> Receipt | None:
    """The receipt in a notebook, or None where there is none.

    Without a check all of it is the student's word.
    """
    try:
        read_submission(content)  # size, encoding, cells
        book = Notebook.of(content)
    except ValueError:
        return None
    receipt = book.mark.get("hand_in")
    if not isinstance(receipt, dict):
        return None
    name, moment = _entry(receipt, "name"), _entry(receipt, "time")
    if not name or not moment:
        return None
    fingerprint = book.fingerprint()
    intact = receipt.get("fingerprint") == fingerprint
    name, moment = printable(name, instead=""), printable(moment, instead="")
    return Receipt(name, moment, intact, fingerprint, _entry(receipt, "check"))


def _entry(receipt: dict[str, Any], key: str) -> str:
    """A text in a receipt; "" where there is none, or where it is too long to be one."""
    text = receipt.get(key)
    return text if isinstance(text, str) and len(text) <= 200 else ""
