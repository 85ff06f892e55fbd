"""No attack on the grader succeeds, by root or an ordinary user; the honest part of each
hand-in is graded all the same.
"""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import program_or_reason
from tests.hostile.attacks import ATTACKS, FAMILIES, LATER, possible

pytestmark = pytest.mark.slow
ROOT = Path(__file__).resolve().parents[2]


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


@pytest.fixture(scope="module")
def lines(place):
    """What `python -m tests.hostile` prints."""
    command = [sys.executable, "-m", "tests.hostile"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=900)
    return (done.stdout + done.stderr).splitlines()


@pytest.mark.timeout(1000)
@pytest.mark.xdist_group("attacks")
@pytest.mark.parametrize(
    ("family", "name", "body", "expected"),
    ATTACKS,
    ids=[f"{family}-{name}" for family, name, *_ in ATTACKS],
)
def test_the_attack_fails(lines, family, name, body, expected):
    if not possible((family, name, body, expected)):
        pytest.skip("the numbers of these system calls are those of x86-64")
    known = [f"{family}: {name}: {outcome}: no trouble" for outcome in expected]
    its_own = [line for line in lines if line.startswith(f"{family}: {name}: ")]
    assert len(its_own) == 1 and its_own[0] in known, its_own or "\n".join(lines)


@pytest.fixture(scope="module")
def by_ordinary_user(place):
    """What it prints where an ordinary user grades.

    Root's way drops to an ordinary user before the box is made, so this is the other way in; it
    sees the same box.
    """
    from tests.hostile.ordinary import as_ordinary_user

    if os.geteuid() != 0:
        pytest.skip("these tests are run by an ordinary user already")
    done = as_ordinary_user(["-m", "tests.hostile"], 900)
    return (done.stdout + done.stderr).splitlines()


@pytest.mark.timeout(1000)
@pytest.mark.xdist_group("attacks by an ordinary user")
@pytest.mark.parametrize("family", FAMILIES)
def test_the_attacks_fail_when_an_ordinary_user_grades(by_ordinary_user, family):
    count = sum(attack[0] == family and possible(attack) for attack in ATTACKS)
    line = f"{family}: {count} attacks by user 65532: 0 with trouble"
    assert line in by_ordinary_user, "\n".join(by_ordinary_user)


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
