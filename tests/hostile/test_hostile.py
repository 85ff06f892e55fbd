"""No attack on the grader succeeds, by root or an ordinary user; the honest part of each
hand-in is graded all the same.
"""

import os
import platform
import sys

import pytest

from tests.conftest import program_or_reason
from tests.hostile.attacks import ATTACKS, FAMILIES, LATER

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def place():
    """Boxes to attack.

    Where none can be made the tests are skipped with the reason; with CI=true on Linux they fail.
    """
    from rlcourse.grading.box import Unprotected
    from tests.hostile.trial import attacked_place

    if sys.platform != "linux":
        pytest.skip("hand-ins are confined on Linux only")
    program_or_reason("bwrap")
    try:
        with attacked_place() as made:
            yield made
    except Unprotected as reason:
        if os.environ.get("CI", "").lower() in ("true", "1"):
            raise
        pytest.skip(str(reason))


@pytest.mark.parametrize(
    ("family", "name", "body", "expected"),
    ATTACKS,
    ids=[f"{family}-{name}" for family, name, *_ in ATTACKS],
)
def test_the_attack_fails(place, family, name, body, expected):
    from tests.hostile.trial import trouble

    if "call(" in body and platform.machine() != "x86_64":
        pytest.skip("the numbers of these system calls are those of x86-64")
    found, _ = trouble(place, name, body, expected)
    assert found == []


@pytest.mark.parametrize("family", FAMILIES)
def test_the_attacks_fail_when_an_ordinary_user_grades(place, family):
    """Root's way drops to an ordinary user before the box is made, so this is the other
    way in; it sees the same box.
    """
    from tests.hostile.ordinary import as_ordinary_user

    if os.geteuid() != 0:
        pytest.skip("these tests are run by an ordinary user already")
    done = as_ordinary_user(["-m", "tests.hostile", family], 500)
    assert done.returncode == 0, done.stdout + done.stderr
    assert (
        f"{sum(attack[0] == family for attack in ATTACKS)} attacks by user 65532: 0 with trouble"
        in done.stdout
    )


def test_there_are_enough_attacks():
    assert len(ATTACKS) >= 140 and all(len(attacks) >= 10 for attacks in FAMILIES.values())


def test_the_trial_sees_a_box_that_lives(place):
    box = place.launch()
    assert place.living()
    place.launch().kill()
    box.kill()
    box.wait()


@pytest.mark.parametrize(
    ("body", "complaint"),
    [
        ("return won(x)", "BREACH: the attack was told right"),
        ("return -1.0 if False else 7.0", "told wrong, not raised an error"),
    ],
)
def test_the_trial_notices(place, body, complaint):
    from tests.hostile.trial import trouble

    found, _ = trouble(place, "made up", body, ("raised an error",))
    assert any(complaint in one for one in found), found


def test_the_trial_notices_when_the_honest_answer_is_lost(place, monkeypatch):
    """The last definition of a function counts: here it is one that answers nothing."""
    from tests.hostile.trial import trouble

    monkeypatch.setattr(
        "tests.hostile.attacks.LATER", f"{LATER}\ndef second(x):\n    return None\n"
    )
    found, _ = trouble(place, "made up", "return -1.0", ("wrong",))
    assert any("the honest answer was told" in one for one in found), found
