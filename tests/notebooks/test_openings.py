"""The loops that open a lesson: true to the stored run, at most 20 s, and still where nothing should move."""

import re
import xml.etree.ElementTree as ET

import numpy as np
import pytest

from docs.drawings.openings import film, openings, trace, traces
from docs.drawings.parts import label
from rlcourse.results import load_results
from tests.notebooks.drawn import FIGURES, SVG, foreign, misplaced

LOOPS = sorted(FIGURES.glob("opening-*.svg"))
MOST_SECONDS, MOST_BYTES = 20, 400_000
MOVING = re.compile(r"@media \(prefers-reduced-motion:no-preference\)\{.*\}\}", re.DOTALL)


def frames(loop: str) -> list[str]:
    """The loop with one frame after the other as its only one."""
    alone = []
    for k in range(len(ET.fromstring(loop).findall(f"{SVG}g"))):
        root = ET.fromstring(loop)
        for j, frame in enumerate(root.findall(f"{SVG}g")):
            if j != k:
                root.remove(frame)
        alone.append(ET.tostring(root, encoding="unicode"))
    return alone


def faults(loop: str) -> list[str]:
    """Where it is too long, moves though it was asked not to, or does not stand still on one frame."""
    seconds = [float(number) for number in re.findall(r"animation:one ([\d.]+)s", loop)]
    errors = [] if seconds and seconds[0] <= MOST_SECONDS else ["too long"]
    errors += ["moves always"] if "animation" in MOVING.sub("", loop) else []
    names = [frame.get("class").split() for frame in ET.fromstring(loop).findall(f"{SVG}g")]
    hidden = ".frame{visibility:hidden}.last{visibility:visible}" in loop
    once = sum("last" in name for name in names) == 1 and all("frame" in name for name in names)
    return errors + ([] if hidden and once else ["not one still frame"])


@pytest.mark.parametrize("path", LOOPS, ids=lambda path: path.stem)
def test_a_loop_is_short_and_can_stand_still(path) -> None:
    loop = path.read_text(encoding="utf-8")
    assert not faults(loop) and not foreign(loop) and path.stat().st_size < MOST_BYTES
    assert [fault for frame in frames(loop) for fault in misplaced(frame)] == []


def test_faults_are_noticed() -> None:
    spoken = {"title": "T", "description": "D"}
    good = film([label(50, 50, "one"), label(50, 50, "two")], "", beat=1, height=100, **spoken)
    assert not faults(good) and len(frames(good)) == 2
    slow = film([label(50, 50, "one")] * 30, "", beat=1, height=100, **spoken)
    assert faults(slow) == ["too long"]
    assert faults(good.replace("no-preference", "reduce")) == ["moves always"]
    assert faults(good.replace("frame last", "frame k1")) == ["not one still frame"]


def test_the_counts_of_the_table_are_those_of_the_stored_run() -> None:
    loop = (FIGURES / "opening-02.svg").read_text(encoding="utf-8")
    shown = []
    for frame in ET.fromstring(loop).findall(f"{SVG}g"):
        large = [text.text for text in frame.findall(f"{SVG}text") if text.get("font-size") == "26"]
        shown.append([int(number.replace(",", "")) for number in large])
    assert shown == load_results("q-table")["rows"][3]["curve"]


def test_the_trace_is_the_one_worked_by_hand() -> None:
    by_hand = [
        [1, 0, 0, 0],
        [0.8, 1, 0, 0],
        [0.64, 0.8, 1, 0],
        [0.512, 1.64, 0.8, 0],
    ]  # rooms D to G
    assert traces()[:4, 3:] == pytest.approx(np.array(by_hand))
    assert trace(traces()) == (FIGURES / "opening-04.svg").read_text(encoding="utf-8")


@pytest.mark.slow
def test_the_loops_are_those_that_the_command_makes() -> None:
    there = {path.stem: path.read_text(encoding="utf-8") for path in LOOPS}
    assert there == openings(), "run python -m docs.drawings"
