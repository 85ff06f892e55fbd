"""A collector's file whose writer is killed at a random moment: nothing that was saved is
lost, nothing half is read.

RLCOURSE_KILLS sets how many writers are killed; the continuous run kills ten, the
published figure is of fifty.
"""

import os
import subprocess
import sys
import time

import numpy as np
import pytest

from rlcourse.experience import ExperienceBuffer

KILLS = int(os.environ.get("RLCOURSE_KILLS", "10"))
WRITER = """
import sys, numpy as np
from rlcourse.experience import ExperienceBuffer
rows = 20_000
whole = {name: np.zeros(rows, kind) for name, kind in (("player", "i1"), ("game", "i4"), ("ply", "i4"))}
state = np.random.default_rng(0).integers(0, 2, (rows, 2, 5, 5)).astype(np.int8)
number = int(sys.argv[2])
while True:
    number += 1
    filled = {"action": np.full(rows, number, np.int32), "reward": np.full(rows, number, np.float32)}
    ExperienceBuffer({"state": state, **whole, **filled}, {"number": number}).save(sys.argv[1])
    print(number, flush=True)
"""


@pytest.mark.slow
@pytest.mark.timeout(60 + 6 * KILLS)
def test_a_kill_during_the_write_loses_nothing(tmp_path):
    path = tmp_path / "games.h5"
    rng = np.random.default_rng(0)
    saved, inside = 0, 0
    for _ in range(KILLS):
        writer = subprocess.Popen(
            [sys.executable, "-c", WRITER, str(path), str(saved)], stdout=subprocess.PIPE, text=True
        )
        first = int(writer.stdout.readline())
        time.sleep(rng.uniform(0, 0.1))  # a random moment of the writes that follow
        writer.kill()
        confirmed = [first, *map(int, writer.communicate()[0].split())][-1]
        buffer = ExperienceBuffer.load(path)
        saved = buffer.meta["number"]
        assert saved in (
            confirmed,
            confirmed + 1,
        )  # the last one may have been complete before it could say so
        assert len(buffer) == 20_000
        assert (buffer["action"] == saved).all()
        assert (buffer["reward"] == saved).all()
        parts = [part for part in tmp_path.iterdir() if part != path]
        inside += bool(parts)
        for part in parts:
            part.unlink()
    print(f"{KILLS} writers killed, {inside} of them inside a write; nothing lost in {saved} saves")
    assert inside > 0
