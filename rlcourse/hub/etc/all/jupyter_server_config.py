"""Settings of every JupyterLab behind the hub."""

import shutil

from jupyter_server.services.contents.manager import ContentsManager
from tornado.web import HTTPError

FULL = 5 * 2**20  # bytes that are left for Jupyter's own small files


def refuse_where_full(
    model: dict[str, object], path: str, contents_manager: ContentsManager, **_: object
) -> None:
    """Say what to do before a file is half written; the older one stays whole."""
    free = shutil.disk_usage(contents_manager.root_dir).free
    if free < FULL + len(str(model.get("content") or "")):
        raise HTTPError(
            507,
            "The server's disk is full: this was NOT saved, and your last saved version is "
            "whole. Leave this page open. Delete what you do not need (File Browser, right "
            "click), or tell your teacher, then save again.",
        )


c = get_config()
c.FileContentsManager.pre_save_hook = refuse_where_full
# Kernels talk through ports of the machine, at which every user of it could listen.
c.KernelManager.transport_encryption = "required"
# A shell that begins with a login would put the system's PATH in the place of the course's.
c.ServerApp.terminado_settings = {"shell_command": ["bash"]}
