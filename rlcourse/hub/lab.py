"""A person's JupyterLab behind the hub, run as that person: `python lab.py COURSE ROLE`.

Students get what `start.py lab` gives them: copies in my/ with what is new brought and no written
copy touched, the page that says where they are, and the course's settings. `rlcourse hub init`
copies this file beside the settings, since students have no rlcourse/hub.
"""

import os
import sys
from pathlib import Path


def bring_copies(course: Path, my: Path) -> None:
    """Missing and newer files of the course, as `start.py lab` and `start.py update` bring them."""
    from launcher import jupyter
    from launcher.copies import Copies

    python = Path(sys.executable)
    copies = Copies(course, my)
    brought = copies.bring_missing()
    jupyter.trust(python, my, brought + copies.update()["replaced"])
    jupyter.say_where_you_are(python, my)
    jupyter.lay_windows(python, my, dict(os.environ))


def link_kernels(course: Path) -> None:
    """Let Numba find the kernels that were compiled for all when the server was set up.

    It looks in a folder that it could write to, never in a read-only one. Links are enough: what
    it writes later takes their place.
    """
    from numba.core.caching import UserWideCacheLocator

    for cache in course.glob("rlcourse/**/__pycache__"):
        place = UserWideCacheLocator.get_suitable_cache_subpath(str(cache.parent / "any.py"))
        folder = Path.home() / ".cache" / "numba" / place
        folder.mkdir(parents=True, exist_ok=True)
        for compiled in cache.glob("*.nb[ic]"):
            link = folder / compiled.name
            newer = link.exists() and link.stat().st_mtime < compiled.stat().st_mtime
            if newer or not link.exists():
                link.unlink(missing_ok=True)
                link.symlink_to(compiled)


def main(course: Path, role: str) -> None:
    """Prepare the folder my/ of a student, then become the server."""
    if role == "student":
        os.umask(0o077)
        sys.path.insert(0, str(course))
        bring_copies(course, Path.home() / "my")
    else:
        os.umask(0o007)  # the class's folder is the teachers' together
    link_kernels(course)
    os.chdir(os.environ["JUPYTERHUB_ROOT_DIR"])  # where a terminal opens
    news = "--LabApp.check_for_updates_class=jupyterlab.NeverCheckForUpdate"
    os.execv(sys.executable, [sys.executable, "-m", "jupyterhub.singleuser", news])


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2])
