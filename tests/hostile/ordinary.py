"""Run a command of the tests as an ordinary user although root started them: `python -m
tests.hostile.ordinary [around ...]`.

Python and the course often lie where only root may look. In a mount namespace of its own the
folders in the way are replaced by empty ones that lead to just those two.
"""

import shlex
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
USER = 65532  # owns nothing


def opened() -> list[str]:
    """Lines of a shell, run by root in a mount namespace of its own, after which every user can run
    this Python with the course.
    """
    needed = list(dict.fromkeys([Path(sys.base_prefix), Path(sys.prefix), ROOT]))
    closed = {
        next(
            (folder for folder in reversed(path.parents) if not folder.stat().st_mode & 0o001), None
        )
        for path in needed
    }
    lines = ["set -e", "stage=$(mktemp -d)", "mount -t tmpfs -o mode=755 none $stage"]
    for number, path in enumerate(needed):
        lines += [
            f"mkdir $stage/{number}",
            f"mount --bind {shlex.quote(str(path))} $stage/{number}",
        ]
    lines += [
        f"mount -t tmpfs -o mode=755 none {shlex.quote(str(folder))}"
        for folder in sorted(closed - {None})
    ]
    for number, path in enumerate(needed):
        if any(path.is_relative_to(folder) for folder in closed - {None}):
            lines += [
                f"mkdir -p {shlex.quote(str(path))}",
                f"mount --bind $stage/{number} {shlex.quote(str(path))}",
            ]
    return lines


def as_ordinary_user(
    arguments: list[str], seconds: float, *, user: int = USER, home: Path | None = None
) -> subprocess.CompletedProcess:
    """The finished process of this Python with these arguments, run by that user in their home,
    or in the course's folder.
    """
    drop = f"setpriv --reuid={user} --regid={user} --clear-groups --inh-caps=-all --bounding-set=-all --"
    lines = [*opened(), f"cd {shlex.quote(str(home or ROOT))}", f'exec {drop} "$@"']
    environment = {
        "PATH": "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
        "HOME": str(home or "/nowhere"),
        "PYTHONDONTWRITEBYTECODE": "1",
    }
    environment |= {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", "PYTHONUTF8": "1"}
    command = [
        "unshare",
        "--mount",
        "--propagation",
        "private",
        "--",
        "sh",
        "-c",
        "\n".join(lines),
        "sh",
        sys.executable,
        *arguments,
    ]
    return subprocess.run(
        command, capture_output=True, text=True, timeout=seconds, env=environment, check=False
    )


if __name__ == "__main__":
    done = as_ordinary_user(["-m", "tests.hostile", *sys.argv[1:]], 6 * 3600)
    print(done.stdout + done.stderr)
    sys.exit(done.returncode)
