"""The box: it starts where it can, says what to do where it cannot, and its check notices
every wall that is missing.
"""

import os
import platform
import re
import stat
import struct
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np
import pytest

from rlcourse.checks import get_sheet
from rlcourse.checks.sheet import Sheet
from rlcourse.checks.task import Case, Outcome
from rlcourse.grading import Patience, box_limits, box_probe, box_seccomp, grade_file
from rlcourse.grading import box as box_module
from rlcourse.grading import box_launcher as launcher_module
from rlcourse.grading.box import BoxLauncher, Limits, Unprotected, check_isolation
from rlcourse.grading.box_limits import WITH_TENSORFLOW
from rlcourse.grading.channel import Channel
from rlcourse.grading.launch import PACKAGE
from tests.conftest import program_or_reason
from tests.grading.test_grade import BOTH_RIGHT, RIGHT, SHEET
from tests.wrong_answers.trial import run

SMALL = Limits(memory=256, whole=320)
EMPTY = Sheet("00", "nothing", ())
on_linux = pytest.mark.skipif(sys.platform != "linux", reason="hand-ins are confined on Linux only")


@pytest.fixture(scope="module")
def boxes():
    """Boxes can be made here; see `boxes_or_skip`."""
    boxes_or_skip()


def boxes_or_skip():
    """bubblewrap is there; where a box cannot be made the test is
    skipped, and fails with CI=true.
    """
    if sys.platform != "linux":
        pytest.skip("hand-ins are confined on Linux only")
    program_or_reason("bwrap")
    try:
        BoxLauncher(EMPTY, limits=SMALL).close()
    except Unprotected as reason:
        if os.environ.get("CI", "").lower() in ("true", "1"):
            raise
        pytest.skip(str(reason))


# --- seccomp --------------------------------------------------------------------------------------


def judged(program, machine, number, first=0):
    """What the kernel would do with a system call: the filter's
    instructions carried out one by one.
    """
    lines = [struct.unpack_from("<HBBI", program, 8 * k) for k in range(len(program) // 8)]
    words = {
        0: number,
        4: box_seccomp.ARCHITECTURES.get(machine, 0x40000003),
        16: first & 0xFFFFFFFF,
    }
    value = at = 0
    while True:
        code, yes, no, operand = lines[at]
        if code == 0x20:
            value, at = words[operand], at + 1
        elif code == 0x06:
            return {0x7FFF0000: "allowed", 0x80000000: "killed"}.get(operand, operand & 0xFFFF)
        else:
            assert code in (0x15, 0x45)
            at += 1 + (yes if (value == operand if code == 0x15 else value & operand) else no)


@pytest.mark.parametrize(("machine", "column"), [("x86_64", 0), ("aarch64", 1)])
def test_the_filter_refuses_what_it_should_and_nothing_else(machine, column):
    program = box_seccomp.program(machine)
    refused = {numbers[column] for numbers in box_seccomp.REFUSED.values()} - {None}
    clone, clone3 = box_seccomp._CLONE[column], box_seccomp._CLONE3[column]
    for number in range(500):
        expected = (
            box_seccomp.ENOSYS
            if number == clone3
            else box_seccomp.EPERM
            if number in refused
            else "allowed"
        )
        assert judged(program, machine, number) == expected, number
    for flag in (
        0x00020000,
        0x02000000,
        0x04000000,
        0x08000000,
        0x10000000,
        0x20000000,
        0x40000000,
    ):  # CLONE_NEWNS to CLONE_NEWNET
        assert judged(program, machine, clone, flag | 17) == box_seccomp.EPERM
    assert judged(program, machine, clone, 0x003D0F00) == "allowed", "a thread"
    assert judged(program, machine, clone, 0x01200011) == "allowed", "a fork"
    assert judged(program, "i386", 0) == "killed"
    if machine == "x86_64":
        assert judged(program, machine, 0x40000000 + 272) == box_seccomp.ENOSYS


@pytest.mark.parametrize(
    ("column", "header"),
    [
        (0, "/usr/include/x86_64-linux-gnu/asm/unistd_64.h"),
        (1, "/usr/include/asm-generic/unistd.h"),
    ],
)
def test_the_numbers_of_system_calls_are_the_kernels(column, header):
    if not os.path.exists(header):
        pytest.skip(f"{header} is not installed (Debian package linux-libc-dev)")
    numbers = dict(re.findall(r"#define __NR(?:3264)?_(\w+)\s+(\d+)", Path(header).read_text()))
    ours = {**box_seccomp.REFUSED, "clone": box_seccomp._CLONE, "clone3": box_seccomp._CLONE3}
    compared = {
        name: (pair[column], int(numbers[name]))
        for name, pair in ours.items()
        if pair[column] is not None and name in numbers
    }
    assert len(compared) >= 60
    assert {name: pair for name, pair in compared.items() if pair[0] != pair[1]} == {}


# --- where no box can be made ---------------------------------------------------------------------


@pytest.mark.parametrize("system", ["darwin", "win32"])
def test_other_systems_get_a_sentence(monkeypatch, system):
    monkeypatch.setattr(launcher_module.sys, "platform", system)
    with pytest.raises(
        Unprotected, match="Linux machine, in a virtual machine or in a Linux container"
    ):
        BoxLauncher(EMPTY)
    (finding,) = check_isolation()
    assert not finding.ok and "Linux" in finding.remedy


def fake(folder, script):
    """A program called bwrap that does this instead."""
    path = folder / "bwrap"
    path.write_text(
        f'#!/bin/sh\nif [ "$1" = --version ]; then echo bubblewrap 0.8.0; exit; fi\n{script}\n'
    )
    path.chmod(path.stat().st_mode | stat.S_IXUSR | stat.S_IXGRP | stat.S_IXOTH)
    for place in (folder, *folder.parents):
        if place.stat().st_uid == os.geteuid():
            place.chmod(place.stat().st_mode | 0o011)
    return str(path)


@on_linux
def test_a_machine_without_bubblewrap_or_with_an_old_one(monkeypatch, tmp_path):
    monkeypatch.setattr(launcher_module.shutil, "which", lambda *_, **__: None)
    with pytest.raises(Unprotected, match="apt-get install bubblewrap"):
        BoxLauncher(EMPTY)
    old = Path(fake(tmp_path, ""))
    old.write_text(old.read_text().replace("0.8.0", "0.6.1"))
    monkeypatch.setattr(launcher_module.shutil, "which", lambda *_, **__: str(old))
    with pytest.raises(Unprotected, match="too old .*0.6.1.*0.8 or newer"):
        BoxLauncher(EMPTY)


@on_linux
@pytest.mark.parametrize(
    ("said", "remedy"),
    [
        ("No permissions to create new namespace", "kernel.unprivileged_userns_clone=1"),
        ("setting up uid map: Permission denied", "apparmor_restrict_unprivileged_userns"),
        ("Creating new namespace failed: No space left on device", "user.max_user_namespaces"),
        ("Can't mount proc on /newroot/proc: Operation not permitted", "container"),
        ("Can't find source path: Permission denied", "readable by the user"),
    ],
)
def test_a_machine_that_forbids_boxes_is_told_the_remedy(monkeypatch, tmp_path, said, remedy):
    program = fake(tmp_path, f'echo "bwrap: {said}" >&2; exit 1')
    monkeypatch.setattr(launcher_module, "_bubblewrap", lambda: program)
    monkeypatch.setattr(
        BoxLauncher, "_staging", lambda self: []
    )  # the false program lies where only its owner may look
    with pytest.raises(Unprotected, match=re.escape(remedy)):
        BoxLauncher(EMPTY)


@on_linux
def test_a_machine_of_an_unknown_kind(monkeypatch):
    monkeypatch.setattr(launcher_module, "_bubblewrap", lambda: "bwrap")
    monkeypatch.setattr(launcher_module.platform, "machine", lambda: "riscv64")
    with pytest.raises(Unprotected, match="riscv64"):
        BoxLauncher(EMPTY)


@on_linux
def test_root_without_a_way_to_drop_rights_is_refused(monkeypatch):
    which = launcher_module.shutil.which
    monkeypatch.setattr(launcher_module, "_bubblewrap", lambda: "bwrap")
    monkeypatch.setattr(launcher_module.os, "geteuid", lambda: 0)
    monkeypatch.setattr(
        launcher_module.shutil,
        "which",
        lambda name, **options: None if name == "setpriv" else which(name, **options),
    )
    with pytest.raises(Unprotected, match="Grade as an ordinary user"):
        BoxLauncher(EMPTY)


def test_secrets_inside_what_a_hand_in_must_see_are_refused(boxes):
    with pytest.raises(Unprotected, match="lies inside"):
        BoxLauncher(EMPTY, hidden=[os.path.dirname(np.__file__)])
    BoxLauncher(EMPTY, hidden=[Path(__file__).parent]).close()


# --- the check ------------------------------------------------------------------------------------


@pytest.mark.slow
def test_the_check_finds_this_machine_safe(boxes):
    findings = check_isolation()
    assert [finding.name for finding in findings if not finding.ok] == [], findings
    assert len(findings) == 10


@pytest.mark.slow
def test_a_course_in_somebodys_home_is_no_finding(boxes, monkeypatch):
    """Folders on the way to what is mounted are there of necessity; what lies beside it is not."""
    with tempfile.TemporaryDirectory(dir="/var/tmp") as folder:
        os.chmod(folder, 0o755)
        monkeypatch.setattr(launcher_module, "_SYSTEM", (*launcher_module._SYSTEM, folder))
        with BoxLauncher(EMPTY, limits=SMALL) as launcher:
            assert folder in launcher.places
            assert {
                finding.name: finding.ok for finding in box_module._Attack(launcher).findings()
            }["reading"]


def test_what_lies_beside_a_mounted_folder_is_a_finding(tmp_path):
    mounted, letter, locked = tmp_path / "ann/course", tmp_path / "ann/letter", tmp_path / "ben"
    for folder in (mounted, locked):
        folder.mkdir(parents=True)
    assert box_probe.reads([str(tmp_path), str(letter)], [str(mounted)]) == [str(locked)]
    locked.rmdir()
    assert box_probe.reads([str(tmp_path), str(letter)], [str(mounted)]) == []
    letter.touch()
    assert box_probe.reads([str(tmp_path)], [str(mounted)]) == [str(letter)]
    assert box_probe.reads([str(tmp_path)], []) == [str(tmp_path)]


def checked(python, *places):
    """`rlcourse grade --check` by this Python, with these folders in PYTHONPATH."""
    variables = {**os.environ, "PYTHONPATH": os.pathsep.join(map(str, places))}
    command = [str(python), "-m", "rlcourse.cli", "grade", "--check"]
    return subprocess.run(command, cwd="/", env=variables, capture_output=True, text=True)


@pytest.mark.slow
def test_the_course_may_be_imported_from_elsewhere(boxes, tmp_path):
    (tmp_path / "rlcourse").symlink_to(PACKAGE, target_is_directory=True)
    result = checked(sys.executable, tmp_path)
    assert result.returncode == 0 and "Hand-ins are isolated" in result.stdout, (
        result.stdout + result.stderr
    )


@pytest.mark.slow
def test_packages_from_elsewhere_are_one_sentence_not_a_traceback(boxes, tmp_path):
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", tmp_path / "bare"], check=True)
    result = checked(tmp_path / "bare/bin/python", PACKAGE.parent, Path(np.__file__).parents[1])
    lines = result.stdout.splitlines()
    assert result.returncode == 1 and not result.stderr and len(lines) == 2, (
        result.stdout + result.stderr
    )
    assert (
        "does not: ModuleNotFoundError: No module named 'numpy'" in lines[0]
        and "start.py check" in lines[0]
    )


def without(*missing, add=()):
    """A launcher whose boxes lack these options of bubblewrap (and what
    belongs to them) and have others.
    """

    class Weak(BoxLauncher):
        def _options(self):
            options, left = list(super()._options()), []
            while options:
                option = options.pop(0)
                if option in missing:
                    while options and not options[0].startswith("--"):
                        options.pop(0)
                else:
                    left.append(option)
            return iter([*left, *add])

    return Weak


WEAK = {
    "network": (without("--unshare-net"), {}, False),
    "reading": (without(add=["--ro-bind", "/etc", "/etc"]), {}, True),
    "writing": (without("--remount-ro"), {}, True),
    "processes": (without("--unshare-pid"), {}, True),
    "system calls": (BoxLauncher, {}, False),
    "memory": (BoxLauncher, {"memory": 2000}, True),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", WEAK)
def test_the_check_notices_a_missing_wall(boxes, monkeypatch, name):
    kind, limits, filtered = WEAK[name]
    if not filtered:  # allow everything
        monkeypatch.setattr(
            launcher_module.box_seccomp,
            "program",
            lambda machine: struct.pack("<HBBI", 6, 0, 0, 0x7FFF0000),
        )
    if limits:  # the process may have more than the check was told
        monkeypatch.setattr(
            Limits, "for_each_process", lambda self: {"RLIMIT_DATA": limits["memory"] * 2**20}
        )
    with kind(EMPTY, limits=SMALL) as launcher:
        for finding in box_module._Attack(launcher).findings():
            if finding.name == name:
                assert not finding.ok and "Do not grade" in finding.remedy
                return
    raise AssertionError(f"nothing was said of {name}")


# --- hand-ins in a box ----------------------------------------------------------------------------


@pytest.mark.slow
def test_every_answer_to_a_sheet_is_told_the_same_in_a_box(boxes):
    with BoxLauncher(get_sheet("01")) as launcher:
        trials = run("01", [7], launcher=launcher)
    assert [(trial.task, trial.expected, trial.told) for trial in trials if not trial.passed] == []


@pytest.mark.slow
def test_a_network_fits_into_a_box_and_memory_has_an_end(boxes):
    source = (
        "from rlcourse.tf import keras\n"
        "import numpy as np\n"
        "def first(x):\n"
        "    net = keras.Sequential([keras.Input((4,)), keras.layers.Dense(8), "
        "keras.layers.Dense(1)])\n"
        "    net.compile('adam', 'mse')\n"
        "    net.fit(np.ones((64, 4)), np.ones(64), epochs=2, verbose=0)\n"
        "    return x.sum()\n"
        "def second(x):\n"
        "    return np.ones(3 * 10**8).sum()\n"
    )
    with BoxLauncher(SHEET, limits=WITH_TENSORFLOW) as launcher:
        report = grade_file(
            SHEET, source, seed=1, launcher=launcher, patience=Patience(cell=300, total=600)
        )
    assert [result.outcome for result in report.results] == [
        Outcome.RIGHT,
        Outcome.OUT_OF_MEMORY,
    ], report


@pytest.mark.slow
def test_a_box_is_not_killed_for_this_machines_files_while_it_starts(boxes):
    """Until it has mounted its own folders, a box's first process has this machine's root."""
    starting = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE)
    watch = box_limits.Watch(starting.pid, Limits(inodes=0), lambda reason: None)
    reason = watch._too_much()
    watch.end()
    starting.communicate(b"\n")
    assert reason == ""


def test_several_boxes_at_once_and_none_is_left(boxes):
    from concurrent.futures import ThreadPoolExecutor

    with BoxLauncher(SHEET, limits=SMALL) as launcher:
        with ThreadPoolExecutor(4) as pool:
            reports = list(
                pool.map(
                    lambda seed: grade_file(SHEET, BOTH_RIGHT, seed=seed, launcher=launcher),
                    range(8),
                )
            )
        left = launcher()
        folder = launcher._folder
    assert {report.points for report in reports} == {20.0}
    assert (
        left.poll() is not None
        and not folder.exists()
        and not os.path.exists(f"/proc/{left.first}")
    )
    with pytest.raises(
        Unprotected, match="closed"
    ):  # a thread that goes on grading makes no folder again
        launcher()
    assert not folder.exists()


@pytest.mark.slow
def test_a_box_sees_two_pipes_and_nothing_else(boxes):
    source = """
import os
def seen():
    paths = [f"/proc/self/fd/{n}" for n in os.listdir("/proc/self/fd")]
    links = sorted(os.readlink(path).split(":")[0] for path in paths if os.path.exists(path))
    return links, dict(os.environ), sorted(os.listdir("/")), os.listdir(os.path.expanduser("~"))
"""
    with BoxLauncher(EMPTY, limits=SMALL) as launcher:
        channel = Channel(launcher())
        channel.ask({"do": "withhold", "names": []}, 60)
        channel.ask({"do": "run", "source": source, "number": 1}, 60)
        reply = channel.ask({"do": "call", "function": "seen", "question": Case(()).question()}, 60)
        channel.close()
    links, environment, root, home = reply.answer
    assert set(links) <= {"/dev/null", "pipe"} and links.count("pipe") == 2
    assert set(environment) - {"PWD", "LC_CTYPE"} == set(launcher_module.VARIABLES)
    way_to_python = {Path(sys.prefix).parts[1], Path(sys.base_prefix).parts[1]}
    pythons = map(Path, (sys.prefix, sys.base_prefix))
    below = {place.parts[2] for place in pythons if place.is_relative_to("/tmp")}
    assert set(home) - below == {"kernels"}, "and the way to a Python that lies there"
    assert not {"home", "var", "sys", "run", "boot", "srv", "opt"} & set(root) - way_to_python


@pytest.mark.slow
def test_a_loop_ends_in_time_with_everything_it_started(boxes):
    source = "import os\ndef first(x):\n    os.fork()\n    while True: pass\n" + RIGHT.format(
        "second"
    )
    with BoxLauncher(SHEET, limits=SMALL) as launcher:
        report = grade_file(SHEET, source, seed=1, launcher=launcher, patience=Patience(case=1.0))
    assert [result.outcome for result in report.results] == [Outcome.TIMED_OUT, Outcome.RIGHT]
    assert report.spent < 30


@on_linux
def test_the_filter_of_this_machine():
    if platform.machine() in box_seccomp.ARCHITECTURES:
        assert len(box_seccomp.program(platform.machine())) // 8 < 4096
    with pytest.raises(KeyError):
        box_seccomp.program("sparc")
