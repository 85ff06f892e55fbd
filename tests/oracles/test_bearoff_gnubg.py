"""The exact bear-off against the databases of GNU Backgammon, which are
made by its own `makebearoff`.

A database begins with a header of 40 bytes. The two-sided one holds an equity a pair of positions
in 16 bits (0 = -1, 65535 = +1), rows by the number of the side that rolls; its numbering is ours.
Its steps round, so equities differ by some 1e-4.
"""

import re
import subprocess
from pathlib import Path

import numpy as np
import pytest

from rlcourse.solvers.bearoff import one_sided, two_sided

HEADER = 40
INSTALLED = Path(
    "/var/lib/gnubg/gnubg_ts0.bd"
)  # 6 checkers each; made when Debian's package is installed
ONE_SIDED = Path("/usr/share/gnubg/gnubg_os0.bd")


def equities(path):
    """[N, N] cubeless equities of a two-sided database."""
    content = path.read_bytes()
    points, checkers, with_cube = re.match(rb"gnubg-TS-(\d\d)-(\d\d)-(\d)", content).groups()
    assert int(points) == 6
    numbers = np.frombuffer(content[HEADER:], "<u2").reshape(-1, 4 if int(with_cube) else 1)[:, 0]
    side = round(len(numbers) ** 0.5)
    assert side * side == len(numbers), checkers
    return numbers.reshape(side, side) / 32767.5 - 1


def compare_two(path, positions):
    theirs = equities(path)
    assert theirs.shape == (positions, positions)
    difference = np.abs(2 * two_sided()[:positions, :positions] - 1 - theirs)[1:, 1:]
    assert difference.max() < 2e-4
    return difference


@pytest.mark.slow
def test_races_of_two_sides_agree_with_makebearoff(require_program, tmp_path):
    """All 44,100 races of up to four checkers a side."""
    path = tmp_path / "two.bd"
    command = [require_program("makebearoff"), "-t", "6x4", "-C", "-f", path]
    subprocess.run(command, check=True, capture_output=True)
    compare_two(path, 210)


@pytest.mark.skipif(
    not INSTALLED.exists(),
    reason="gnubg's two-sided database is not there (Debian's gnubg makes it)",
)
def test_races_of_two_sides_agree_with_the_installed_database():
    """All 853,776 of up to six checkers a side."""
    assert np.mean(compare_two(INSTALLED, 924)) < 1e-4


@pytest.mark.slow
def test_bearing_off_alone_agrees_with_the_one_sided_database(require_program):
    """120 positions of up to 15 checkers, by `bearoffdump`, which prints the chances of
    its "opponent" in per cent.
    """
    program, table = require_program("bearoffdump"), one_sided()
    if not ONE_SIDED.exists():
        pytest.skip(f"{ONE_SIDED} is not there (Debian package gnubg-data)")
    rng = np.random.default_rng(15)
    for number in [1, 6, 54_263, *rng.integers(7, 54_263, 117).tolist()]:
        text = subprocess.run(
            [program, "-n", str(number), ONE_SIDED], check=True, capture_output=True, text=True
        ).stdout
        assert re.search(rf"Position +0 +{number}\s", text)
        rows = re.findall(r"^ +(\d+)\t *[\d.]+\t *([\d.]+)", text, re.MULTILINE)
        theirs = np.zeros(table.rolls.shape[1])
        theirs[[int(rolls) for rolls, _ in rows]] = [float(share) / 100 for _, share in rows]
        assert theirs.sum() == pytest.approx(1.0, abs=1e-3)
        np.testing.assert_allclose(
            table.rolls[number], theirs, rtol=0, atol=2e-4, err_msg=str(table.counts[number])
        )
        mean = float(re.search(r"^Mean\t *[\d.]+\t *([\d.]+)", text, re.MULTILINE)[1])
        assert table.expected[number] == pytest.approx(mean, abs=2e-3)
