"""The games as pages, one service of the hub for everybody who is logged in: `python pages.py DIR`.

A page plays by itself in the visitor's browser (`rlcourse page`), so no kernel is started for it.
It runs as nobody; `rlcourse hub init` copies this file beside the settings, which nobody can read.
"""

import asyncio
import os
import secrets
import sys
from urllib.parse import urlparse

from jupyterhub.services.auth import HubOAuthCallbackHandler, HubOAuthenticated
from tornado.web import Application, StaticFileHandler, URLSpec, authenticated


class Page(HubOAuthenticated, StaticFileHandler):
    """A file of the folder, for whoever is logged in; others come to the hub's log-in first."""

    @authenticated
    def prepare(self) -> None:
        """Nothing comes before the log-in."""


async def main(folder: str) -> None:
    """Serve until the hub ends the service."""
    prefix = os.environ["JUPYTERHUB_SERVICE_PREFIX"]
    pages = {"path": folder, "default_filename": "index.html"}
    routes = [
        URLSpec(f"{prefix}oauth_callback", HubOAuthCallbackHandler),
        URLSpec(f"{prefix}(.*)", Page, pages),
    ]
    place = urlparse(os.environ["JUPYTERHUB_SERVICE_URL"])
    assert place.port  # by the hub's configuration
    Application(routes, cookie_secret=secrets.token_bytes()).listen(place.port, place.hostname)
    await asyncio.Event().wait()


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1]))
