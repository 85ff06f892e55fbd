"""Every claim stands in `notebooks/claims.toml` as in its lesson, with proof and control."""

import copy
import re

import pytest

from rlcourse.results import load_results
from tests.notebooks import claims
from tests.notebooks.claims import outdated, readme_rows, register, unproved, unregistered


def changed(at, **entries):
    """The register with other entries in the first claim that stands at this place."""
    book = copy.deepcopy(register())
    next(claim for claim in book["claim"] if claim["at"] == at).update(entries)
    return book


def test_every_claim_is_registered_as_it_reads():
    assert not unregistered(register())
    assert not outdated(register())


def test_every_claim_has_its_proof_and_its_control():
    assert not unproved(register())


def test_more_seeds_than_were_run_are_seen():
    wrong = unproved(changed("06b stored", rows={"policy-gradient": 40}, says="on 41 of 41 seeds"))
    assert wrong == ["06b stored: no rows of 41 seeds prove it"]


def test_no_claim_is_registered_twice():
    places = [(claim["at"], claim["says"]) for claim in register()["claim"]]
    assert len(set(places)) == len(places)


def test_a_title_that_is_not_registered_is_seen():
    book = copy.deepcopy(register())
    book["claim"] = [claim for claim in book["claim"] if claim["at"] != "06b signature"]
    assert [line.split(":")[0] for line in unregistered(book)] == ["06b signature"]


def test_another_headline_makes_its_entry_and_the_register_wrong():
    book = changed("00 qed", says="1 line lost from either seat.")
    assert len(unregistered(book)) == len(outdated(book)) == 1
    book = copy.deepcopy(register())
    book["labels"]["02"].append("A label that stands nowhere")
    assert len(outdated(book)) == 1


@pytest.mark.parametrize(
    ("entries", "message"),
    [
        ({"rows": {"q-table": 41}}, "q-table has 40 stored rows, not 41"),
        ({"rows": {"q-tables": 40}}, "q-tables has 0 stored rows"),
        ({"proof": "signature"}, "no compared cell 'signature'"),  # a figure
        ({"proof": "train-plain"}, "no compared cell 'train-plain'"),  # ignored by nbval
        ({"control": ""}, "a control"),
        ({"control": "a player that loses (cells judge, wrong-sign)"}, "no cell 'judge'"),
    ],
)
def test_a_missing_proof_is_seen(entries, message):
    wrong = unproved(changed("02 title", **entries))
    assert len(wrong) == 1 and message in wrong[0]


WELL = "all of it is well"


def cells(*sources):
    """A notebook of code cells."""
    from nbformat.v4 import new_code_cell, new_notebook

    return new_notebook(cells=[new_code_cell(source) for source in sources])


@pytest.mark.parametrize(
    ("source", "titles"),
    [
        ('axis.set_title("The clip alone holds it")', ["The clip alone holds it"]),
        ('fig.suptitle("The clip "\n"alone holds it", weight="bold")', ["The clip alone holds it"]),
        ('axis.set(ylim=(0, 1), title="The clip alone holds it")', ["The clip alone holds it"]),
        ('names = ("all of it is well", "loss")\naxis.set_title(names[0])', [WELL]),
        ('for a, name in zip(b, ("all of it is well", "b")): a.set(title=name)', [WELL]),
        ('def draw(a, title):\n    a.set_title(title)\ndraw(b, "all of it is well")', [WELL]),
        ('axis.set_title(f"{n} of {n} seeds learn it")', ["… of … seeds learn it"]),
        ('plots.chart("The clip alone holds it", plane)', ["The clip alone holds it"]),
        ("plots.ladder(axis, rated)", ["Neighbours … Elo apart can be told"]),
        ("axis.set_title(name)", []),
        ('axis.set_title("Calibration")', []),
        ('rated = games.ladder("random")', []),
    ],
)
def test_titles_are_found_however_they_are_set(source, titles):
    helpers = claims.helper_titles(claims.ROOT / "rlcourse" / "plots.py")
    assert [title for _, title in claims.title_headlines(cells("x = 1", source), helpers)] == titles


def test_bold_sentences_are_found_and_bold_terms_are_not():
    from nbformat.v4 import new_markdown_cell, new_notebook

    text = "**The lost moves break it.** A **trajectory** is\n**no more than a term**. "
    text += "**This stands\non every seed**: so.\n\n"
    quoted = "> - **(b) is the right answer.**\n\n| **A table has no claim here.** |"
    limits = new_markdown_cell("### What would make this wrong\n\n- **A count that is not right.**")
    notebook = new_notebook(cells=[new_markdown_cell(text + quoted, id="a"), limits])
    expected = [("a", "The lost moves break it."), ("a", "This stands on every seed")]
    assert list(claims.bold_headlines(notebook)) == expected


def rows_of(experiment):
    return load_results(experiment)["rows"]


def perfect_seeds():
    ends = [(row["losing_lines"], row["optimal"]) for row in rows_of("q-table-no-symmetry")]
    assert len(set(ends)) == 1
    return f"{ends[0][0]} losing lines, then a best move in all {ends[0][1]:,} positions"


def seeds_that_learn():
    rows = rows_of("policy-gradient")
    assert 10 < max(row["reached"][1] for row in rows) <= 11
    learned = sum(row["reached"] is not None for row in rows)
    return f"within eleven core seconds, on every one of {learned} seeds"


def games_won_by_all():
    low = min(row["curve"][-1][1] for row in rows_of("td-gammon"))
    assert low >= 0.975 and max(row["seconds_until_then"] for row in rows_of("td-gammon")) < 60
    return "97.5% against random play in seconds"


def seeds_that_nobody_beats():
    reached = sum(row["reached"] for row in rows_of("alphazero-tictactoe-plain"))
    return f"nobody beats it at tic-tac-toe, on every one of {reached} seeds"


def wrong_by_search():
    cell = next(cell for cell in claims.lessons()["08"].cells if cell.id == "uct-buys")
    line = re.search(r"1,000 simulations: +(\d+) wrong; .*?\[(\d+) (\d+)\]", cell.outputs[0].text)
    wrong = sorted(map(int, line.groups()))
    return f"errs in {wrong[0]} to {wrong[-1]} of 4,520 positions"


def won_on_nine():
    rows = rows_of("rave-ablation")
    plain, whole = (
        sum(row["arms"][arm][side][0] for row in rows for side in ("as_black", "as_white"))
        for arm in ("plain UCT", "all parts")
    )
    few = {0: "none"}.get(plain, str(plain))
    games = 20 * len(rows)
    return f"won {few} of {games} games against GNU Go at level 1, and {whole} with RAVE"


NUMBERS = {
    "02": perfect_seeds,
    "05": games_won_by_all,
    "06b": seeds_that_learn,
    "08": wrong_by_search,
    "08b": won_on_nine,
    "09a": seeds_that_nobody_beats,
}


@pytest.mark.parametrize("lesson", NUMBERS)
def test_the_numbers_of_the_readme_are_those_of_the_rows(lesson):
    assert NUMBERS[lesson]() in readme_rows()[lesson]


def test_a_row_of_the_readme_with_a_number_is_computed():
    """But for lesson 01b, whose 55% and 50% are the question and not the result."""
    numbered = {lesson for lesson, result in readme_rows().items() if re.search(r"\d", result)}
    assert numbered == {*NUMBERS, "01b"}
