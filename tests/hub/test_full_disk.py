"""A full disk says what to do: a notebook that no longer fits is refused and its last version stays
whole, and nobody's server begins.
"""

import shutil
import subprocess
import sys
from collections import namedtuple
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from jupyter_server.services.contents.filemanager import FileContentsManager
from nbformat.v4 import new_code_cell, new_notebook
from playwright.sync_api import Page
from tornado.web import HTTPError
from traitlets.config import PyFileConfigLoader

from tests.conftest import Launch
from tests.hub.seat import BOOK, WRITE, Seat
from tests.hub.server import BOB, Server
from tests.hub.web import Visitor

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


@contextmanager
def disk(server: Server, folder: Path, mib: int) -> Iterator[Path]:
    """A disk of that size in the folder's place, as the hub and the servers see it; where a test
    sees it.
    """
    owner = folder.stat()
    options = f"size={mib}m,mode=700,uid={owner.st_uid},gid={owner.st_gid}"
    mount = ["mount", "-t", "tmpfs", "-o", options, "none", str(folder)]
    subprocess.run(server.inside(*mount), check=True)
    try:
        yield Path(f"/proc/{server.process.pid}/root{folder}")
    finally:
        subprocess.run(server.inside("umount", "--lazy", str(folder)), check=True)


@pytest.mark.long
@pytest.mark.timeout(600)
@pytest.mark.xdist_group("hub")
def test_a_full_disk_is_told_in_the_browser(
    server: Server, ada: Seat, screenshot: Callable[[Page, str], None]
) -> None:
    with disk(server, server.home(ada.letter) / "my", 16) as my:
        book = ada.new_notebook("x = 1")
        before = (my / BOOK).read_bytes()
        (my / "large.bin").write_bytes(bytes(13 * 2**20))
        book.page.evaluate(WRITE, "x = 2")
        book.page.keyboard.press("Control+s")
        dialog = book.page.get_by_role("dialog")
        dialog.get_by_text("this was NOT saved, and your last saved version is whole").wait_for()
        screenshot(book.page, "hub-full-disk")
        assert (my / BOOK).read_bytes() == before
        dialog.get_by_role("button", name="Close").click()
        (my / "large.bin").unlink()
        book.save()
        assert b"x = 2" in (my / BOOK).read_bytes()


@pytest.mark.long
@pytest.mark.timeout(600)
@pytest.mark.xdist_group("hub")
def test_no_server_begins_on_a_full_disk_and_the_hub_says_why(
    server: Server, launch: Launch, screenshot: Callable[[Page, str], None]
) -> None:
    bob = Seat(server, launch(), BOB)
    Visitor(server, BOB).stop()
    with disk(server, server.root / "homes", 40):
        bob.sign_in()
        bob.page.get_by_text("The server's disk is full").wait_for()
        screenshot(bob.page, "hub-no-room")
    bob.close()
