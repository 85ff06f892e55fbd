"""uv, which installs the packages: pip fetches it as the lock pins it, then it is
called with pip's settings.
"""

import ast
import re
import sys
from pathlib import Path

from launcher.programs import call, child_environment, run_unseen

ROOT = Path(__file__).resolve().parent.parent
LOCK = ROOT / "requirements.lock"
RAY_LOCK = ROOT / ".ci" / "requirements-ray.lock"  # what the tests of a cluster need besides
HUB_LOCK = ROOT / ".ci" / "requirements-hub.lock"  # what a server for a class needs besides

# What pip was told, in its files and variables, and the variable by which uv is told the
# same. A person's own wins.
AS_PIP = {
    "index-url": "UV_DEFAULT_INDEX",
    "extra-index-url": "UV_INDEX",
    "find-links": "UV_FIND_LINKS",
    "trusted-host": "UV_INSECURE_HOST",
    "cert": "SSL_CERT_FILE",
    "proxy": "ALL_PROXY",
    "default-timeout": "UV_HTTP_TIMEOUT",
    "timeout": "UV_HTTP_TIMEOUT",
}
# The files of the lock and no others: its hashes are compared, nothing is built from sources, no
# Python is downloaded. Hashes make it safe to take a file from whichever index has it.
HASHED = ["--require-hashes", "--no-deps", "--only-binary", ":all:"]
ANYWHERE = ["--no-python-downloads", "--index-strategy", "unsafe-best-match"]

WHAT_TO_DO = """\
The packages could not be installed; the lines above say why. What helps:
  network       Check it and start again: what was downloaded is kept. For a room without network
                see --wheels in docs/setup.md.
  proxy         Set HTTPS_PROXY to the address that your administrator names.
  certificate   The filter of a school or company signs with its own: point SSL_CERT_FILE and
                PIP_CERT at its file.
  hash          The file is not the one that the course was tested with, so it was refused: start
                again, or try another network. With --wheels, the folder holds another file of that
                name.
  full disk     Free 4 GB. Where another disk than the course's is full, point TMPDIR (on Windows:
                TMP) and UV_CACHE_DIR at folders on a larger one.
  permission    Close JupyterLab and all that uses the course, keep it in a folder of your own, and
                do not use sudo.
  memory        Where the last line is "Killed", close other programs: 2 GB of free memory are
                enough."""
FOR_WHEELS = """
  wheels        They came from {}. Fill it on a computer with the same system and Python version
                (see docs/setup.md)."""


def pip_settings(listed: str) -> dict[str, str]:
    """What pip goes by, from the lines of `pip config list`: general settings, then those of
    installing, then variables.
    """
    settings = {}
    for part in ("global", "install", ":env:"):
        for name, text in re.findall(rf"(?m)^{part}\.([a-z-]+)=(.*)$", listed):
            settings[name] = " ".join(ast.literal_eval(text).split())
    return settings


def variables_for(settings: dict[str, str], variables: dict[str, str]) -> dict[str, str]:
    """The variables for uv.

    Outside Linux it trusts the certificates of the system; there many systems have none.
    """
    ours = {AS_PIP[name]: text for name, text in settings.items() if name in AS_PIP}
    if "UV_FIND_LINKS" in ours:
        places = ours["UV_FIND_LINKS"].split()
        # pip passes over a folder that is gone; uv stops.
        ours["UV_FIND_LINKS"] = ",".join(
            place for place in places if "://" in place or Path(place).exists()
        )
    if sys.platform != "linux":
        ours["UV_SYSTEM_CERTS"] = "1"
    return {**ours, **variables}


def _what_to_do(wheels: Path | None) -> str:
    return WHAT_TO_DO + (FOR_WHEELS.format(wheels) if wheels else "")


def _from_folder(wheels: Path | None) -> list[str]:
    return [] if wheels is None else ["--no-index", "--find-links", str(wheels)]


def fetch(python: Path, wheels: Path | None) -> None:
    """Put the uv of the lock into the environment of `python`, by pip.

    Asks no network where it is there.
    """
    entry = re.search(r"(?m)^uv==.*(?:\n +--hash=.*)*", LOCK.read_text(encoding="utf-8"))[0]
    wanted = python.parent.parent / "uv.txt"
    wanted.write_text(entry.rstrip(" \\") + "\n", encoding="utf-8")
    options = ["--quiet", "--disable-pip-version-check", "--no-input", *HASHED]
    command = [str(python), "-m", "pip", "install", *options, *_from_folder(wheels)]
    call([*command, "-r", str(wanted)], _what_to_do(wheels))


def install(python: Path, wheels: Path | None = None, lock: Path = LOCK) -> None:
    """Bring the environment of `python` to a lock; what else is in it stays.

    Raises Stop in plain words.
    """
    listed = run_unseen([str(python), "-m", "pip", "config", "list"]).stdout
    options = [*HASHED, *ANYWHERE, "--compile-bytecode", *_from_folder(wheels)]
    command = _uv_command(python, *options, "--color", "never", "-r", str(lock))
    variables = variables_for(pip_settings(listed), child_environment(python))
    call(command, _what_to_do(wheels), variables)


def install_course(python: Path) -> None:
    """Make `import rlcourse` and the command `rlcourse` mean this folder. Needs no network."""
    options = [
        "--quiet",
        "--no-deps",
        "--no-build-isolation",
        "--no-index",
        "--offline",
        "--reinstall",
    ]
    call(_uv_command(python, *options, "-e", "."), WHAT_TO_DO)


def is_exact(python: Path, lock: Path = LOCK) -> bool:
    """Whether the environment has every package of a lock. Asks no network and changes nothing."""
    command = _uv_command(python, *HASHED, "--dry-run", "--no-index", "--offline", "-r", str(lock))
    return run_unseen(command).returncode == 0


def _uv_command(python: Path, *options: str) -> list[str]:
    return [str(python), "-m", "uv", "pip", "install", "--python", str(python), *options]
