"""A notebook that no longer fits is refused in words, and its last version stays whole."""

import shutil
import sys
from collections import namedtuple
from pathlib import Path

import pytest
from jupyter_server.services.contents.filemanager import FileContentsManager
from nbformat.v4 import new_code_cell, new_notebook
from tornado.web import HTTPError
from traitlets.config import PyFileConfigLoader

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="a hub needs Linux")
SETTINGS = Path(__file__).resolve().parents[2] / "rlcourse" / "hub" / "etc" / "all"
Usage = namedtuple("Usage", "total used free")


def test_a_full_disk_refuses_a_notebook_and_keeps_the_older_one(tmp_path, monkeypatch):
    config = PyFileConfigLoader("jupyter_server_config.py", str(SETTINGS)).load_config()
    manager = FileContentsManager(root_dir=str(tmp_path), config=config)

    def save(source: str) -> None:
        content = new_notebook(cells=[new_code_cell(source)])
        manager.save({"type": "notebook", "format": "json", "content": content}, "a.ipynb")

    save("1 + 1")
    before = (tmp_path / "a.ipynb").read_bytes()
    monkeypatch.setattr(shutil, "disk_usage", lambda path: Usage(2**30, 2**30, 2**20))
    with pytest.raises(HTTPError, match="NOT saved") as refused:
        save("2 + 2")
    assert refused.value.status_code == 507
    assert (tmp_path / "a.ipynb").read_bytes() == before
    monkeypatch.undo()
    save("3 + 3")
    assert b"3 + 3" in (tmp_path / "a.ipynb").read_bytes()
