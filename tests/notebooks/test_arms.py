"""An arm changes what its entry in `notebooks/claims.toml` says, and nothing else."""

import copy

import pytest

from rlcourse.learning.policy_gradient import policy_loss
from rlcourse.results import FOLDER
from tests.notebooks.arms import (
    arms_of,
    fields_of,
    is_policy_gradient,
    mixed_arms,
    reaches_too_far,
    stored_arms,
)
from tests.notebooks.claims import register
from tests.notebooks.history import has_history, untraced_arms

ABLATION = "policy-gradient-ablation"
FOUR, HALVING = "alphazero-connect-four-ablation", "halving, 16 simulations, no move drawn"
LOG_PI = {"objective_won": "log-prob", "objective_lost": "log-prob"}


def test_every_arm_differs_from_its_base_as_the_register_says():
    assert not mixed_arms(register())


def test_every_stored_experiment_with_arms_is_in_the_register():
    with_arms = {path.stem for path in FOLDER.glob("*.json") if stored_arms(path.stem)}
    assert with_arms <= register()["arms"].keys()


@pytest.mark.parametrize(
    "experiment", [name for name in register()["arms"] if name.startswith("policy-gradient")]
)
def test_an_arm_learns_differently_only_where_its_fields_reach(experiment):
    """For arms without a clip the loss inside 1 +- 0.2 is that of its base, and so on."""
    arms, base = arms_of(experiment), register()["arms"][experiment]["base"]
    assert all(is_policy_gradient(arm) for arm in arms.values())
    for arm in arms.values():
        assert not reaches_too_far(arm, arms[base], policy_loss)


@pytest.mark.parametrize(
    ("said", "settings"),
    [
        (["ratio_clip"], {"ratio_clip": 0.0, **LOG_PI}),  # takes the ratio away as well
        (["objective_lost"], {"objective_lost": "log-prob", "learning_rate": 0.001}),
        (["objective_lost", "entropy"], {"objective_lost": "log-prob"}),
    ],
)
def test_an_arm_that_changes_another_thing_is_seen(said, settings):
    book = copy.deepcopy(register())
    book["arms"] = {ABLATION: {**book["arms"][ABLATION], "no clip": said}}
    base = arms_of(ABLATION)[book["arms"][ABLATION]["base"]]
    arms = {**arms_of(ABLATION), "no clip": {**base, **settings}}
    wrong = mixed_arms(book, lambda experiment: arms)
    assert len(wrong) == 1 and "'no clip'" in wrong[0]


def test_an_arm_without_code_names_the_commit_that_has_it():
    """Its code, its fields and its rows stood there as the register and the rows have them."""
    if not has_history():
        pytest.skip("this copy of the course has no history")
    assert not untraced_arms(register())


@pytest.mark.parametrize(
    ("commit", "settings", "problem"),
    [
        ("0c4d39d607", {"root": "gumbel", "simulations": 16}, "no experiment there gives it"),
        ("37d19943a2", {}, "the rows stored there are others"),  # there the arm has another name
        ("0c4d39d607", {"leaf": "gumbel"}, "has by default another leaf"),
        ("0c4d39d607", {"root": "puct"}, "has by default another root"),
        ("01234567", {}, "no version before this one"),
        ("", {}, "no version before this one"),
    ],
)
def test_a_wrong_trace_of_an_arm_without_code_is_seen(commit, settings, problem):
    if not has_history():
        pytest.skip("this copy of the course has no history")
    settings = settings or register()["arms"][FOUR][HALVING]
    wrong = untraced_arms({"arms": {FOUR: {"commit": commit, HALVING: settings}}})
    assert any(problem in line for line in wrong) and all(repr(HALVING) in line for line in wrong)


@pytest.mark.parametrize(
    ("arm", "entry", "problem"),
    [
        ("no move drawn", {"sampled_plies": 0}, "its code is there"),
        (HALVING, ["root", "simulations", "sampled_plies"], "has no code"),
        (HALVING, {"simulations": 16, "sampled_plies": 0}, "which the config has"),
        (HALVING, {"root": "gumbel", "simulations": 32}, "['simulations'] of its base"),
        ("commit", None, "a commit is named for arms that are tables"),
    ],
)
def test_an_arm_is_a_table_with_a_commit_if_and_only_if_it_has_no_code(arm, entry, problem):
    book = copy.deepcopy(register())
    book["arms"] = {FOUR: {**book["arms"][FOUR], arm: entry}}
    if entry is None:
        del book["arms"][FOUR][arm]
    (wrong,) = mixed_arms(book)
    assert problem in wrong
    book["arms"] = {ABLATION: {**register()["arms"][ABLATION], "commit": "0c4d39d607"}}
    (wrong,) = mixed_arms(book)
    assert "a commit is named for arms that are tables, and for no other" in wrong


def test_an_arm_that_is_not_registered_is_seen():
    book = copy.deepcopy(register())
    del book["arms"][ABLATION]["won ratio, lost ratio"]
    assert "'won ratio, lost ratio' is not in claims.toml" in mixed_arms(book)[0]


def test_a_field_that_takes_away_two_things_is_seen():
    """As in an earlier loss of lesson 06b, which without a clip left the ratio out as well."""

    def earlier_loss(*arrays, ratio_clip, won, lost):
        sides = {} if ratio_clip else {"won": "log-prob", "lost": "log-prob"}
        return policy_loss(*arrays, ratio_clip=ratio_clip, **sides)

    base = fields_of("policy-gradient", {})
    bare = {**base, "ratio_clip": 0.0}
    assert not reaches_too_far(bare, base, policy_loss)
    inside = {(1.0, 0.9), (1.0, 1.1), (-1.0, 0.9), (-1.0, 1.1)}
    assert reaches_too_far(bare, base, earlier_loss) == inside
