"""What must be true of the computer and the folder before 2.6 GB are installed."""

import importlib.util
import os
import re
import shutil
import sys
from pathlib import Path

from launcher.console import Stop

DISK_GB = 4.0  # 2.6 GB for .venv, which shares its files with uv's downloads, and room to work

# Longest path inside .venv on Windows: ".venv\Lib\site-packages\", 163 characters of
# TensorFlow's headers, 2 to spare.
LONGEST_INSIDE = 24 + 163 + 2
WINDOWS_LIMIT = 259


def free_gb(folder: Path) -> float:
    """Free space of the disk that holds `folder`, in GB (10^9 bytes)."""
    return shutil.disk_usage(folder).free / 1e9


def disk_trouble(folder: Path) -> str | None:
    """A sentence when too little space is left for an installation, else None."""
    free = free_gb(folder)
    if free >= DISK_GB:
        return None
    return (
        f"Only {free:.1f} GB are free on the disk of {folder}; the installation needs "
        f"{DISK_GB:.0f} GB. Free some space, or move the course's folder to another disk."
    )


def long_paths_allowed() -> bool:
    """Whether this Windows takes paths of more than 259 characters. True on every other system."""
    if os.name != "nt":
        return True
    import winreg

    try:
        with winreg.OpenKey(
            winreg.HKEY_LOCAL_MACHINE, r"SYSTEM\CurrentControlSet\Control\FileSystem"
        ) as key:
            return winreg.QueryValueEx(key, "LongPathsEnabled")[0] == 1
    except OSError:
        return False


def path_trouble(folder: str, long_paths: bool, cloud: list[str]) -> str | None:
    """A sentence when the course must not be installed in this Windows folder, else None.

    folder: where start.py lies. cloud: the folders that OneDrive keeps in step.
    """
    lower = folder.lower().replace("/", "\\") + "\\"
    synced = tuple(root.lower().rstrip("\\") + "\\" for root in cloud if root)
    if re.search(r"\\onedrive( - [^\\]*)?\\", lower) or lower.startswith(synced):
        return (
            f"The course lies in a OneDrive folder ({folder}). OneDrive would upload 2 GB of "
            "packages and lock files while they are being installed. Move the course's folder out "
            "of OneDrive, for example to C:\\rl-course."
        )
    room = WINDOWS_LIMIT - LONGEST_INSIDE - 1
    if not long_paths and len(folder) > room:
        return (
            f"The path of the course's folder has {len(folder)} characters, and Windows allows "
            f"{room} here ({folder}). Move the folder to a short path, for example C:\\rl-course."
        )
    return None


def this_path_trouble(folder: Path) -> str | None:
    """`path_trouble` of this computer. Only Windows has these two."""
    if os.name != "nt":
        return None
    cloud = [
        os.environ.get(name, "") for name in ("OneDrive", "OneDriveConsumer", "OneDriveCommercial")
    ]
    return path_trouble(str(folder), long_paths_allowed(), cloud)


def venv_trouble() -> str | None:
    """A sentence when this Python cannot make environments (Debian packs that
    part separately), else None.
    """
    missing = [name for name in ("venv", "ensurepip") if importlib.util.find_spec(name) is None]
    if not missing:
        return None
    version = "{}.{}".format(*sys.version_info)
    return (
        f"This Python ({sys.executable}) has no module {' and no '.join(missing)}, so it cannot "
        "make an environment. On Debian and Ubuntu type   sudo apt install "
        f"python{version}-venv   and start again."
    )


def folder_trouble(folder: Path) -> str | None:
    """A sentence when the course's folder cannot be written to, else None."""
    if os.access(folder, os.W_OK):
        return None
    return (
        f"The folder {folder} cannot be written to. Copy the course to a folder of your own and "
        "start it there."
    )


def require_room(folder: Path, anyway: bool) -> None:
    """Raise Stop with the first reason against installing here.

    `anyway` skips the reasons about disk and path.
    """
    if trouble := venv_trouble():
        raise Stop(trouble)
    for trouble in (this_path_trouble(folder), disk_trouble(folder)):
        if trouble and not anyway:
            raise Stop(trouble + "\n(To try all the same, add --anyway.)")
