"""The part of the boards that lives in JupyterLab is where JupyterLab looks for it, as it stands in this folder."""

import json
import sys
from pathlib import Path

SOURCE = Path(__file__).resolve().parents[2] / "rlcourse" / "boards" / "labextension"
INSTALLED = Path(sys.prefix) / "share" / "jupyter" / "labextensions" / "rlcourse"


def test_the_installed_extension_is_the_one_of_this_folder():
    names = [path.relative_to(SOURCE) for path in SOURCE.rglob("*") if path.is_file()]
    assert len(names) == 2
    for name in names:
        installed = INSTALLED / name
        assert installed.is_file(), f"{installed} is missing: python -m pip install --no-deps --no-build-isolation -e ."
        assert installed.read_bytes() == (SOURCE / name).read_bytes(), f"{installed} is an older one: install again, as above"


def test_jupyterlab_is_told_to_load_a_file_that_is_there():
    package = json.loads((INSTALLED / "package.json").read_text(encoding="utf-8"))
    assert (INSTALLED / package["jupyterlab"]["_build"]["load"]).is_file()
