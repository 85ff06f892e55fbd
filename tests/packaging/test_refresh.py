"""One command writes both locks, environment.yml and the addresses; one setting holds the
addresses, and none is empty.
"""

import re
import runpy
import sys
import tomllib
from pathlib import Path

import pytest
import setuptools
import yaml

import rlcourse
from tests.packaging import addresses, refresh
from tests.packaging.pins import parse

ROOT = Path(__file__).resolve().parents[2]
NONE = {"repository": "", "documentation": "", "security": ""}
SOME = {
    "repository": "https://code.example/course",
    "documentation": "https://docs.example",
    "security": "s@example.org",
}


def test_what_is_empty_is_written_nowhere():
    assert set(addresses.blocks(NONE).values()) == {""}
    for name in NONE:
        blocks = addresses.blocks({**SOME, name: ""})
        assert not re.search(r"\(\)|: *$|to ,|\(/", "".join(blocks.values()), re.MULTILINE)


def test_each_address_stands_where_a_reader_looks_for_it():
    blocks = addresses.blocks(SOME)
    assert (
        SOME["repository"] in blocks["README.md"] and SOME["documentation"] in blocks["README.md"]
    )
    assert SOME["security"] in blocks["SECURITY.md"]
    citation = addresses.written(
        (ROOT / "CITATION.cff").read_text(encoding="utf-8"), blocks["CITATION.cff"]
    )
    read = yaml.safe_load(citation)
    assert (read["repository-code"], read["url"]) == (SOME["repository"], SOME["documentation"])


@pytest.mark.parametrize("end", ["", "/", ".git"])
def test_a_repository_on_github_can_be_opened_on_binder(end):
    readme = addresses.blocks({**NONE, "repository": f"https://github.com/a/b.c{end}"})["README.md"]
    [link] = re.findall(r"\(https://mybinder.org/v2/gh/a/b.c/HEAD\?labpath=(\S+)\)", readme)
    assert (ROOT / link).is_file()
    assert "binder" not in addresses.blocks(SOME)["README.md"]


@pytest.mark.parametrize("name", addresses.blocks(NONE))
def test_the_files_hold_what_the_setting_says(name):
    text = (ROOT / name).read_text(encoding="utf-8")
    assert addresses.written(text, addresses.blocks(addresses.setting())[name]) == text
    assert addresses.written(addresses.written(text, "x\n"), "") == addresses.written(text, "")


@pytest.mark.parametrize(
    "text", ["", "# address\n", "# address\n# /address\n# address\n# /address\n"]
)
def test_a_file_without_one_pair_of_marks_is_refused(text):
    with pytest.raises(ValueError, match="one pair of marks"):
        addresses.written(text, "")


@pytest.mark.parametrize(("given", "urls"), [(NONE, {}), (SOME, {"Repository", "Documentation"})])
def test_the_package_names_the_addresses_that_there_are(tmp_path, monkeypatch, given, urls):
    seen = {}
    monkeypatch.setattr(setuptools, "setup", lambda **options: seen.update(options))
    (tmp_path / "setup.py").write_bytes((ROOT / "setup.py").read_bytes())
    lines = "".join(f'{name} = "{address}"\n' for name, address in given.items())
    (tmp_path / "pyproject.toml").write_text(
        f"[tool.rlcourse.addresses]\n{lines}", encoding="utf-8"
    )
    runpy.run_path(str(tmp_path / "setup.py"))
    assert set(seen["project_urls"]) == set(urls) and all(seen["project_urls"].values())


def test_the_version_is_one():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
    changes = re.findall(
        r"^## (\d[\d.]*)", (ROOT / "CHANGELOG.md").read_text(encoding="utf-8"), re.MULTILINE
    )
    assert project["version"] == rlcourse.__version__ == citation["version"] == changes[0]
    assert citation["authors"] == project["authors"] == [{"name": "The rlcourse authors"}]


@pytest.mark.parametrize("name", ["CONTRIBUTING.md", "SECURITY.md", "CHANGELOG.md"])
def test_links_and_modules_of_the_guides_exist(name):
    text = (ROOT / name).read_text(encoding="utf-8")
    for target in re.findall(r"\]\(([^)#]+)[^)]*\)", text):
        assert "://" in target or (ROOT / target).exists(), target
    for module in re.findall(r"python -m (tests[.\w]+)", text):
        path = ROOT / module.replace(".", "/")
        assert path.with_suffix(".py").exists() or (path / "__main__.py").exists(), module


def test_what_a_game_may_bring_is_what_the_guide_says():
    """Each name of the table is defined by a module of some game in that folder."""
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| `(\w+)/NAME\.py` with (.+?) \|", text, re.MULTILINE)
    assert len(rows) >= 3
    for folder, names in rows:
        modules = (ROOT / "rlcourse" / folder).glob("*.py")
        sources = "\n".join(path.read_text(encoding="utf-8") for path in modules)
        for name in re.findall(r"`(\w+)", names):
            assert re.search(rf"(?m)^(def )?{name}\b", sources), (folder, name)


@pytest.mark.parametrize(
    ("requires", "expected"),
    [(">=3.11,<3.14", ("3.11", "3.12")), (">=3.12,<3.15", ("3.12", "3.13"))],
)
def test_versions_are_chosen_for_the_oldest_python_and_conda_gets_the_middle_one(
    requires, expected
):
    assert refresh.oldest_and_middle(requires) == expected
    assert "  - python=3.13\n" in refresh.with_python("a:\n  - python=3.12\n  - pip\n", "3.13")


HASH = "    --hash=sha256:" + 64 * "a" + "\n"
# Stands for uv: writes what it was asked, and a package that both locks need.
STUB = f"""
import sys
out = sys.argv[sys.argv.index("--output-file") + 1]
kept = open(out).read()
extra = sys.argv[sys.argv.index("--extra") + 1]
open(out, "w").write("shared==2.0 \\\\\\n" + {HASH!r} + extra + "==1.0 \\\\\\n" + {HASH!r})
print(sys.argv[1:], "kept" if "old==1.0" in kept else "")
"""


def test_refreshing_writes_all_and_the_second_lock_adds_to_the_first(tmp_path, monkeypatch, capfd):
    old = f"# head\n# of it\nold==1.0 \\\n{HASH}"
    for name in ("LOCK", "RAY_LOCK", "HUB_LOCK"):
        path = tmp_path / f"{name}.txt"
        path.write_text(old, encoding="utf-8")
        monkeypatch.setattr(refresh, name, path)
    conda = tmp_path / "environment.yml"
    conda.write_text("dependencies:\n  - python=3.9\n", encoding="utf-8")
    monkeypatch.setattr(refresh, "CONDA", conda)
    monkeypatch.setattr(refresh.addresses, "write_all", lambda: [])
    (tmp_path / "uv.py").write_text(STUB, encoding="utf-8")
    monkeypatch.setattr(
        refresh, "find_uv", lambda folder: ([sys.executable, str(tmp_path / "uv.py")], None)
    )
    assert refresh.refresh(upgrade=True) == [
        "LOCK.txt",
        "RAY_LOCK.txt",
        "HUB_LOCK.txt",
        "environment.yml",
    ]
    assert capfd.readouterr().out.count("--upgrade") == 3
    first, second = (
        parse((tmp_path / f"{name}.txt").read_text(encoding="utf-8"))
        for name in ("LOCK", "RAY_LOCK")
    )
    assert [pin.name for pin in first] == ["shared", "test"] and [pin.name for pin in second] == [
        "ray"
    ]
    assert (
        (tmp_path / "RAY_LOCK.txt")
        .read_text(encoding="utf-8")
        .startswith("# head\n# of it\nray==1.0")
    )
    assert "python=3.12" in conda.read_text(encoding="utf-8")
    assert refresh.refresh(upgrade=False) == [], "a second time nothing changes"
    assert "--upgrade" not in capfd.readouterr().out
