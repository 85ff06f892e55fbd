"""JupyterHub's settings for a place: read by its own configuration file, which may change them."""

import shutil
import sys
from typing import Any

from tornado.web import HTTPError

from rlcourse.hub.limits import MIB
from rlcourse.hub.place import Place, Settings
from rlcourse.hub.spawner import LimitedSpawner

FULL = 50  # MiB: with less of the disk free nobody's server is started
MINUTE = 60


class NoRoom(HTTPError):
    """Why no server is started; the hub shows `jupyterhub_message` of an HTTPError, and no other's,
    to who asked for one.
    """

    jupyterhub_message = (
        "The server's disk is full, so your JupyterLab cannot start. Nothing that you saved is "
        "lost. Tell your teacher; rlcourse hub status says what fills the disk."
    )


def configure(c: Any, place: Place) -> None:
    """Set everything that the course needs in JupyterHub's configuration `c`."""
    settings = place.settings()
    _network(c, place, settings)
    _people(c, place, settings)
    _servers(c, place, settings)
    _services(c, place, settings)


def _network(c: Any, place: Place, settings: Settings) -> None:
    """Addresses, certificate, proxy and secrets."""
    port = settings.port
    c.JupyterHub.bind_url = f"https://{settings.host}:{port}"
    c.JupyterHub.hub_bind_url = f"http://127.0.0.1:{port + 1}"
    c.ConfigurableHTTPProxy.api_url = f"http://127.0.0.1:{port + 2}"
    c.ConfigurableHTTPProxy.pid_file = str(place.private / "proxy.pid")
    c.JupyterHub.ssl_cert, c.JupyterHub.ssl_key = settings.certificate, settings.key
    c.JupyterHub.cookie_secret_file = str(place.private / "cookie_secret")
    c.JupyterHub.db_url = f"sqlite:///{place.private / 'hub.sqlite'}"
    # A hub that ends, by will or not, leaves the servers and their kernels running.
    c.JupyterHub.cleanup_servers = False


def _people(c: Any, place: Place, settings: Settings) -> None:
    """Accounts of the system; teachers see and end servers, and enter nobody's."""
    c.JupyterHub.authenticator_class = "pam"
    c.PAMAuthenticator.open_sessions = False
    c.PAMAuthenticator.allowed_groups = {place.students, place.teachers}
    scopes = ["admin-ui", "list:users", "admin:servers"]
    teach = {"name": "teach", "scopes": scopes, "users": list(settings.teachers)}
    cull = {
        "name": "cull",
        "scopes": ["list:users", "read:users:activity", "read:servers", "delete:servers"],
        "services": ["cull"],
    }
    play = {"name": "user", "scopes": ["self", "access:services!service=play"]}
    c.JupyterHub.load_roles = [teach, cull, play]


def _servers(c: Any, place: Place, settings: Settings) -> None:
    """Everybody's JupyterLab."""
    c.JupyterHub.spawner_class = LimitedSpawner
    c.LimitedSpawner.control_group = place.root.name
    c.Spawner.mem_limit, c.Spawner.cpu_limit = settings.memory * MIB, settings.cpus
    c.Spawner.env_keep = ["LANG", "LC_ALL"]
    c.Spawner.start_timeout = c.Spawner.http_timeout = 3 * MINUTE
    # A server that was killed is noticed before its owner has read that it can be restarted.
    c.Spawner.poll_interval = 2
    c.JupyterHub.active_server_limit = settings.most
    c.JupyterHub.concurrent_spawn_limit = 10

    def before(spawner: Any) -> None:
        """Choose folder, course and settings by who it is."""
        if shutil.disk_usage(place.homes).free < FULL * MIB:
            raise NoRoom(507)
        role = "teacher" if spawner.user.name in settings.teachers else "student"
        course = place.teacher if role == "teacher" else place.course
        home = place.homes / spawner.user.name
        bin_folder = place.python().parent
        spawner.environment = {
            "PATH": f"{bin_folder}:/usr/local/bin:/usr/bin:/bin:/usr/games",
            "PYTHONPATH": str(course),
            "PYTHONUTF8": "1",
            "JUPYTER_PREFER_ENV_PATH": "1",
            "JUPYTER_PATH": str(place.etc / "share"),
            "JUPYTER_CONFIG_PATH": f"{place.etc / role}:{place.etc / 'all'}",
            "JUPYTERLAB_WORKSPACES_DIR": str(home / "my" / ".jupyter" / "workspaces"),
            "PYDEVD_DISABLE_FILE_VALIDATION": "1",
        }
        spawner.notebook_dir = str(home / "my" if role == "student" else place.class_folder)
        page = "/tree/where-you-are.md" if role == "student" else ""
        spawner.default_url = "/lab" + page
        spawner.cmd = [str(place.python()), str(place.etc / "lab.py"), str(course), role]

    c.Spawner.pre_spawn_hook = before


def _services(c: Any, place: Place, settings: Settings) -> None:
    """What ends unused servers, and the games as pages. Both end with the hub, however it ends:
    one that is left behind would keep the next one's port.
    """
    python = ["setpriv", "--pdeathsig", "TERM", sys.executable]
    cull = ["-m", "jupyterhub_idle_culler", f"--timeout={settings.idle * MINUTE}"]
    play = {
        "name": "play",
        "command": [*python, str(place.etc / "pages.py"), str(place.pages)],
        "url": f"http://127.0.0.1:{settings.port + 3}",
        "user": "nobody",
        "oauth_no_confirm": True,
    }
    c.JupyterHub.services = [{"name": "cull", "command": [*python, *cull]}, play]
