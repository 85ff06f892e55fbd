"""my/ is brought up to date and reset, and nothing that a student wrote is ever lost."""

import json
import random
import time
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from launcher import main
from launcher.console import Stop
from launcher.copies import SUCCESSORS, Copies, written

LESSON, SHEET = "notebooks/02_q_tables.ipynb", "exercises/02/02_q_tables.ipynb"


def notebook(*sources: str, output: str = "") -> bytes:
    """A notebook of code cells; `output` stands below each."""
    cells = [
        {
            "cell_type": "code",
            "id": f"c{n}",
            "metadata": {},
            "source": text,
            "execution_count": None,
            "outputs": [{"output_type": "stream", "name": "stdout", "text": output}]
            if output
            else [],
        }
        for n, text in enumerate(sources)
    ]
    return json.dumps({"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 5}).encode()


def put(path: Path, data: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)


@pytest.fixture
def course(tmp_path: Path) -> Path:
    """A course with two notebooks, one sheet and a text, already copied to my/."""
    put(tmp_path / "notebooks/00_play_first.ipynb", notebook("play()"))
    put(tmp_path / LESSON, notebook("q = {}"))
    put(tmp_path / SHEET, notebook("# your answer"))
    put(tmp_path / "exercises/README.md", b"how sheets work")
    put(tmp_path / "notebooks/.ipynb_checkpoints/x.ipynb", notebook("no"))
    Copies(tmp_path).bring_missing()
    return tmp_path


def test_a_student_who_has_copies_gets_the_drawings_too(course: Path) -> None:
    put(course / "my" / LESSON, notebook("q = {}", "mine"))
    put(course / "notebooks/figures/map.svg", b"<svg>one</svg>")
    assert Copies(course).bring_missing() == ["notebooks/figures/map.svg"]
    put(course / "notebooks/figures/map.svg", b"<svg>two</svg>")
    assert Copies(course).update()["replaced"] == ["notebooks/figures/map.svg"]
    assert (course / "my/notebooks/figures/map.svg").read_bytes() == b"<svg>two</svg>"
    assert (course / "my" / LESSON).read_bytes() == notebook("q = {}", "mine")


def test_the_tasks_of_a_sheet_stay_in_the_courses_folder(course):
    """A copy in my/ would look as if it counted; one that a student made there stays."""
    put(course / "my/exercises/02/mine.py", b"x = 1")
    for name in ("tasks.py", "visible.py", "reference.py", "visible.json", "picture.png"):
        put(course / "exercises/02" / name, b"new")
    assert Copies(course).update()["new"] == ["exercises/02/picture.png"]
    names = {path.name for path in (course / "my/exercises/02").iterdir()}
    assert names == {"02_q_tables.ipynb", "mine.py", "picture.png"}


def everything(folder: Path) -> list[bytes]:
    """Contents of all files below the folder but the manifest."""
    return [
        path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file() and path.name != ".manifest.json"
    ]


def test_first_copy_brings_all_but_checkpoints(course: Path) -> None:
    names = {
        path.relative_to(course / "my").as_posix()
        for path in (course / "my").rglob("*")
        if path.is_file()
    }
    assert names == {
        "notebooks/00_play_first.ipynb",
        LESSON,
        SHEET,
        "exercises/README.md",
        ".manifest.json",
    }
    assert Copies(course).bring_missing() == []


def test_update_without_news_does_nothing(course: Path) -> None:
    put(course / "my" / SHEET, notebook("# mine"))
    before = everything(course / "my")
    assert Copies(course).update() == {"new": [], "replaced": [], "beside": []}
    assert everything(course / "my") == before


def test_an_untouched_copy_is_replaced(course: Path) -> None:
    put(course / LESSON, notebook("q = {}", "q = 1"))
    assert Copies(course).waiting() == [LESSON]
    assert Copies(course).update()["replaced"] == [LESSON]
    assert (course / "my" / LESSON).read_bytes() == notebook("q = {}", "q = 1")
    assert not (course / "my/backups").exists()


def test_a_copy_that_was_only_run_is_replaced_and_its_outputs_are_kept_as_a_backup(
    course: Path,
) -> None:
    """Jupyter's empty last cell and the outputs are nothing that a student wrote."""
    run = notebook("q = {}", "", output="42")
    put(course / "my" / LESSON, run)
    put(course / LESSON, notebook("q = 2"))
    assert Copies(course).update()["replaced"] == [LESSON]
    assert (course / "my" / LESSON).read_bytes() == notebook("q = 2")
    assert [path.read_bytes() for path in (course / "my/backups").rglob("*.ipynb")] == [run]


def test_an_answer_stays_and_the_new_version_lies_beside_once(course: Path) -> None:
    answer = notebook("def q(): return 1")
    put(course / "my" / SHEET, answer)
    put(course / SHEET, notebook("# your answer, clearer"))
    assert Copies(course).update()["beside"] == ["exercises/02/02_q_tables.new.ipynb"]
    assert (course / "my" / SHEET).read_bytes() == answer
    assert (course / "my/exercises/02/02_q_tables.new.ipynb").read_bytes() == notebook(
        "# your answer, clearer"
    )
    assert Copies(course).update()["beside"] == [], "the same version is offered once"
    assert Copies(course).waiting() == []


def test_an_offer_the_student_works_in_stays_too(course: Path) -> None:
    put(course / "my" / SHEET, notebook("first answer"))
    put(course / SHEET, notebook("second"))
    Copies(course).update()
    put(course / "my/exercises/02/02_q_tables.new.ipynb", notebook("second answer"))
    put(course / SHEET, notebook("third"))
    assert Copies(course).update()["beside"] == ["exercises/02/02_q_tables.new2.ipynb"]
    assert (course / "my/exercises/02/02_q_tables.new.ipynb").read_bytes() == notebook(
        "second answer"
    )
    assert (course / "my" / SHEET).read_bytes() == notebook("first answer")


@pytest.mark.parametrize("damage", [b"", b"{", b"[]", b'{"a": 1}', None])
def test_without_a_manifest_every_changed_file_counts_as_the_students(
    course: Path, damage: bytes | None
) -> None:
    put(course / "my" / SHEET, notebook("answer"))
    if damage is None:
        (course / "my/.manifest.json").unlink()
    else:
        (course / "my/.manifest.json").write_bytes(damage)
    put(course / SHEET, notebook("newer"))
    Copies(course).update()
    assert (course / "my" / SHEET).read_bytes() == notebook("answer")
    assert (course / "my/exercises/02/02_q_tables.new.ipynb").read_bytes() == notebook("newer")


def test_a_deleted_copy_comes_back_and_a_file_gone_from_the_course_stays(course: Path) -> None:
    (course / "my" / LESSON).unlink()
    (course / SHEET).unlink()
    assert Copies(course).update()["new"] == [LESSON]
    assert (course / "my" / SHEET).exists()


def test_a_notebook_that_is_no_json_counts_as_changed(course: Path) -> None:
    put(course / "my" / SHEET, b"half a file {")
    put(course / SHEET, notebook("newer"))
    Copies(course).update()
    assert (course / "my" / SHEET).read_bytes() == b"half a file {"


def test_reset_gives_a_fresh_copy_and_keeps_the_old_one(course: Path) -> None:
    put(course / "my" / SHEET, notebook("answer"))
    [(name, kept)] = Copies(course).reset("exercises/02/02_q_tables.ipynb")
    assert name == SHEET and kept.read_bytes() == notebook("answer")
    assert kept.is_relative_to(course / "my/backups")
    assert (course / "my" / SHEET).read_bytes() == (course / SHEET).read_bytes()
    assert Copies(course).reset(SHEET) == [(SHEET, None)], "a fresh one has nothing to keep"


def test_two_resets_in_one_second_keep_both(course: Path) -> None:
    for text in ("one", "two", "three"):
        put(course / "my" / SHEET, notebook(text))
        Copies(course).reset("exercises/02")
    kept = {path.read_bytes() for path in (course / "my/backups").rglob("*.ipynb")}
    assert kept == {notebook("one"), notebook("two"), notebook("three")}


def test_a_backup_brings_the_pictures_that_its_notebook_shows(course: Path) -> None:
    shown = notebook("![a map](figures/map.svg) ![not there](figures/gone.svg)")
    for picture in ("map", "other"):
        put(course / f"notebooks/figures/{picture}.svg", b"<svg>old</svg>")
    put(course / LESSON, shown)
    Copies(course).update()
    put(course / "my" / LESSON, shown + b" ")  # saved anew, and not one word written
    put(course / LESSON, notebook("newer"))
    put(course / "notebooks/figures/map.svg", b"<svg>new</svg>")
    Copies(course).update()
    [kept] = (course / "my/backups").rglob("*.ipynb")
    pictures = {path.name: path.read_bytes() for path in (kept.parent / "figures").iterdir()}
    assert pictures == {"map.svg": b"<svg>old</svg>"}
    assert (course / "my/notebooks/figures/map.svg").read_bytes() == b"<svg>new</svg>"


def test_two_backups_of_one_second_keep_their_own_pictures(course: Path) -> None:
    moment, picture = time.localtime(), course / "my/notebooks/figures/map.svg"
    kept = []
    for drawing in (b"<svg>one</svg>", b"<svg>two</svg>"):
        put(picture, drawing)
        put(course / "my" / LESSON, notebook(f"figures/map.svg {drawing!r} (figures/map.svg)"))
        kept.append(Copies(course).backup(LESSON, moment))
        assert (kept[-1].parent / "figures/map.svg").read_bytes() == drawing
    assert (kept[0].parent / "figures/map.svg").read_bytes() == b"<svg>one</svg>"


@pytest.mark.parametrize(
    "asked",
    [
        "00",
        "00_play_first",
        "00_play_first.ipynb",
        "notebooks/00",
        "notebooks/00_play_first.ipynb",
        "my/notebooks/00_play_first.ipynb",
        "./notebooks/00_play_first",
        "notebooks\\00_play_first.ipynb",
    ],
)
def test_the_ways_to_name_a_notebook(course: Path, asked: str) -> None:
    assert Copies(course).find(asked) == ["notebooks/00_play_first.ipynb"]


def test_a_name_with_two_meanings_lists_both_and_changes_nothing(course: Path) -> None:
    with pytest.raises(Stop) as stop:
        Copies(course).reset("02")
    assert f"reset {LESSON}" in str(stop.value) and f"reset {SHEET}" in str(stop.value)
    assert Copies(course).find("exercises/02") == [SHEET]
    assert Copies(course).find("notebooks/02") == [LESSON]


@pytest.mark.parametrize(
    "asked", ["exercises/2", "sheet 2", "Sheet 02", "sheet2", "my/exercises/2/"]
)
def test_the_ways_to_name_a_sheet(course: Path, asked: str) -> None:
    assert Copies(course).find(asked) == [SHEET]


def test_a_digit_inside_a_name_is_no_number_of_a_sheet(course: Path) -> None:
    put(course / "exercises/51/51_go_5x5.ipynb", notebook("# a teacher's own"))
    for asked in ("51_go_5x5", "exercises/51/51_go_5x5.ipynb"):
        assert Copies(course).find(asked) == ["exercises/51/51_go_5x5.ipynb"]


@pytest.mark.parametrize("asked", ["", "7", "../launcher", "play", "exercises/3", "sheet 3"])
def test_an_unknown_name_lists_what_there_is(course: Path, asked: str) -> None:
    with pytest.raises(Stop, match="There is no notebook or sheet named"):
        Copies(course).find(asked)


OLD = "notebooks/06_policy_gradients.ipynb"


@pytest.fixture
def divided(course: Path) -> Path:
    """The course after a lesson was divided in two; the student has written in the old one."""
    put(course / "my" / OLD, notebook("loss = ...", "mine"))
    for name in SUCCESSORS[OLD]:
        put(course / name, notebook("half"))
    return course


def test_a_file_under_a_dropped_name_stays_and_points_to_the_new_ones(
    divided: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(main, "ROOT", divided)
    assert main.main(["update"]) == 0
    assert (divided / "my" / OLD).read_bytes() == notebook("loss = ...", "mine")
    [line] = [line for line in capsys.readouterr().out.splitlines() if f"my/{OLD}" in line]
    for name in SUCCESSORS[OLD]:
        assert (divided / "my" / name).read_bytes() == notebook("half") and f"my/{name}" in line
    (divided / "my" / OLD).unlink()
    main.main(["update"])
    assert OLD not in capsys.readouterr().out, "who has no such file is told nothing"


@pytest.mark.parametrize("asked", ["06", "6", "notebooks/06", OLD, "06_policy_gradients"])
def test_who_resets_a_dropped_name_is_led_to_the_new_ones(divided: Path, asked: str) -> None:
    with pytest.raises(Stop, match="can mean several files") as stopped:
        Copies(divided).reset(asked)
    for name in SUCCESSORS[OLD]:
        assert f"start.py reset {name}" in str(stopped.value)
    assert (divided / "my" / OLD).read_bytes() == notebook("loss = ...", "mine")


def test_a_dropped_name_is_gone_and_its_successors_are_there() -> None:
    for old, successors in SUCCESSORS.items():
        assert not (main.ROOT / old).exists()
        assert all((main.ROOT / name).is_file() for name in successors)


def test_a_failed_write_leaves_the_old_file(course: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The disk fills up while the fresh copy is written: the answer is still there, whole."""
    put(course / "my" / SHEET, notebook("answer"))
    monkeypatch.setattr(
        "rlcourse.atomic.os.replace", lambda *paths: (_ for _ in ()).throw(OSError(28, "disk full"))
    )
    with pytest.raises(OSError, match="disk full"):
        Copies(course).reset("exercises/02")
    assert (course / "my" / SHEET).read_bytes() == notebook("answer")


TEXTS = st.sampled_from(["", "a = 1", "b = 2", "# answer"])
STEP = st.sampled_from(
    ["write", "run", "delete", "publish", "update", "reset", "lab", "write offer", "lose manifest"]
)


@settings(max_examples=150)
@given(steps=st.lists(STEP, min_size=1, max_size=14), seed=st.integers(0, 2**32 - 1))
def test_whatever_happens_in_any_order_no_written_text_is_lost(
    tmp_path_factory: pytest.TempPathFactory, steps: list[str], seed: int
) -> None:
    """Law: every notebook text a student saved last is still somewhere in my/, unless the student removed it."""
    root, rng = tmp_path_factory.mktemp("course"), random.Random(seed)
    put(root / SHEET, notebook("v0"))
    Copies(root).bring_missing()
    mine, offer = root / "my" / SHEET, root / "my/exercises/02/02_q_tables.new.ipynb"
    saved: dict[Path, bytes] = {}
    for number, step in enumerate(steps):
        if step == "write":
            saved[mine] = notebook(f"answer {number}", output=rng.choice(["", "x"]))
            put(mine, saved[mine])
        elif step == "write offer" and offer.exists():
            saved[offer] = notebook(f"answer {number}")
            put(offer, saved[offer])
        elif step == "run" and mine.exists():
            cells = [cell["source"] for cell in json.loads(mine.read_bytes())["cells"]]
            put(mine, notebook(*cells, output=f"run {number}"))
        elif step == "delete":
            mine.unlink(missing_ok=True)
            saved.pop(mine, None)
        elif step == "publish":
            put(root / SHEET, notebook(f"v{number}"))
        elif step == "update":
            Copies(root).update()
        elif step == "reset":
            Copies(root).reset("exercises/02")
        elif step == "lab":
            Copies(root).bring_missing()
        elif step == "lose manifest":
            (root / "my/.manifest.json").unlink(missing_ok=True)
        left = {written("x.ipynb", data) for data in everything(root / "my")}
        for text in saved.values():
            assert written("x.ipynb", text) in left, (step, steps)
        if step in ("update", "lab") and mine in saved and steps[: number + 1].count("reset") == 0:
            assert written("x.ipynb", mine.read_bytes()) == written("x.ipynb", saved[mine])


@given(first=st.lists(TEXTS, max_size=4), second=st.lists(TEXTS, max_size=4))
def test_two_notebooks_are_equal_in_writing_exactly_when_their_filled_cells_are(
    first: list[str], second: list[str]
) -> None:
    equal = [text for text in first if text] == [text for text in second if text]
    assert (
        written("x.ipynb", notebook(*first)) == written("x.ipynb", notebook(*second, output="o"))
    ) == equal
