"""The stored runs of Go say what the lesson claims, and one seed, run again, falls among them."""

import json
import re
from dataclasses import asdict

import numpy as np
import pytest

from rlcourse.agents import load_agent
from rlcourse.agents.shipped import WEIGHTS
from rlcourse.arena import wilson
from rlcourse.experiments.go import ARMS, BARS, BASE, CLIPS, RATES, RECIPE, SHIPPED, curve
from rlcourse.judges.random_play import judge_against_random
from rlcourse.learning.policy_gradient import PolicyGradientConfig
from rlcourse.results import load_results
from rlcourse.storage import load

GAMES, CPU, WALL, SAMPLED, GREEDY, ENTROPY = range(6)  # the columns of a curve


def rows(name: str) -> list[dict]:
    return sorted(load_results(name)["rows"], key=lambda row: row["seed"])


# The ablation's two bases, by experiment: without and with what the shipped bots have besides.
ABLATIONS = {"policy-gradient-ablation": BASE, "policy-gradient-ablation-recipe": RECIPE}


def ends(experiment: str, arm: str) -> np.ndarray:
    """[seeds, 6]: the last line of that arm's curves."""
    curves = [row["arms"][arm] for row in rows(experiment)]
    assert {line[-1][GAMES] for line in curves} == {3_072}
    return np.array([line[-1] for line in curves])


def test_forty_seeds_learn_in_time():
    """90% of 1,000 sampled games with random play within 8 seconds of one processor, of a busy
    machine (39 seeds; 8.6 seconds the last), 95% sampled and 97% greedy within 45, and at the end
    of the run in games that are not those of the curve."""
    stored = rows("policy-gradient")
    assert [row["seed"] for row in stored] == list(range(40)) and all(
        row["judged"] == 1_000 for row in stored
    )
    for row in stored:
        assert (
            row["games"] == 6_144
            and row["curve"][0][SAMPLED] < 0.6
            and row["curve"][-1][ENTROPY] > 1
        )
        assert row["above_90"][SAMPLED] >= 0.9 and row["above_90"][CPU] <= 9
        assert (
            row["reached"][SAMPLED] >= BARS[0]
            and row["reached"][GREEDY] >= BARS[1]
            and row["reached"][CPU] <= 45
        )
        assert row["confirmed"][0] >= BARS[0] - 0.01 and row["confirmed"][1] >= BARS[1] - 0.01
    assert sum(row["above_90"][CPU] <= 8 for row in stored) >= 39
    assert np.mean([row["confirmed"] for row in stored], axis=0).min() > 0.96


SPOKEN = {"log pi": "log-prob", "ratio": "ratio", "clipped ratio": "ratio"}


def settings_of(**settings) -> dict:
    """All fields of the config that a learner is made with."""
    return asdict(PolicyGradientConfig(**settings))


@pytest.mark.parametrize("base", ABLATIONS.values(), ids=ABLATIONS)
@pytest.mark.parametrize("arm", ARMS)
def test_an_arm_differs_from_its_base_in_what_its_name_says_and_in_nothing_else(arm, base):
    """The name gives the objective of both sides, and whether a ratio is clipped."""
    won, lost = (SPOKEN[part.split(" ", 1)[1]] for part in arm.split(", "))
    expected = settings_of(**base) | {"objective_won": won, "objective_lost": lost}
    if "clipped" not in arm and "ratio" in (won, lost):
        expected["ratio_clip"] = 0.0
    assert settings_of(**{**base, **ARMS[arm]}) == expected


def test_the_two_bases_differ_in_what_the_shipped_bot_was_trained_with_besides():
    """Read from the command in the bot's own file. The plain base has no
    bonus and nothing like it.
    """
    command = load(WEIGHTS / "go" / "policy-5x5.h5", "agent").meta["about"]["command"]
    shipped = dict(re.findall(r"--set (\w+)=(\S+)", command))
    base, recipe = settings_of(**BASE), settings_of(**RECIPE)
    differing = {name for name in base if base[name] != recipe[name]}
    assert differing == {"entropy", "symmetry", "guests"}
    assert all(recipe[name] == json.loads(shipped[name]) for name in differing | {"learning_rate"})
    assert (base["entropy"], base["symmetry"], base["guests"]) == (0, False, 0)
    assert base["clip_norm"] == 0


def test_the_seven_arms_are_different_updates():
    """Log pi on both sides has nothing to clip, so it is one arm and not two."""
    distinct = set()
    for settings in ARMS.values():
        config = settings_of(**settings)
        clip = (
            config["ratio_clip"]
            if "ratio" in (config["objective_won"], config["objective_lost"])
            else None
        )
        distinct.add((config["objective_won"], config["objective_lost"], clip))
    assert len(distinct) == len(ARMS) == 7


@pytest.mark.parametrize("experiment", ABLATIONS)
def test_log_pi_on_the_lost_side_breaks_the_policy_and_the_clip_does_not_mend_it(experiment):
    """On both bases every run with log pi on the lost side has fewer wins and less entropy than any
    run with the ratio there, whatever stands on the won side, with and without the clip."""
    stored = rows(experiment)
    assert [row["seed"] for row in stored] == list(range(20))
    assert all(list(row["arms"]) == list(ARMS) and row["judged"] == 500 for row in stored)
    broken = [ends(experiment, arm) for arm in ARMS if arm.endswith("lost log pi")]
    others = [ends(experiment, arm) for arm in ARMS if not arm.endswith("lost log pi")]
    assert (len(broken), len(others)) == (3, 4)
    best, worst = np.max(broken, axis=(0, 1)), np.min(others, axis=(0, 1))
    assert best[SAMPLED] < 0.8 < worst[SAMPLED]
    assert best[ENTROPY] < worst[ENTROPY]


def gain_of_the_clip(experiment: str, column: int) -> np.ndarray:
    """[seeds]: what PPO's clip adds where the ratio is used on both sides."""
    arms = (f"won {kind}, lost {kind}" for kind in ("clipped ratio", "ratio"))
    clipped, bare = (ends(experiment, arm)[:, column] for arm in arms)
    return clipped - bare


def test_the_clip_adds_entropy_on_both_bases_and_strength_on_the_plain_one():
    plain, recipe = ABLATIONS
    assert gain_of_the_clip(plain, ENTROPY).min() > 0.5
    assert gain_of_the_clip(recipe, ENTROPY).min() > 0
    strength = gain_of_the_clip(plain, SAMPLED)
    assert strength.min() > 0 and strength.mean() > 0.05
    assert gain_of_the_clip(recipe, SAMPLED).mean() < 0.02  # the entropy bonus has done its work


def test_a_floor_of_a_hundredth_costs_wins_and_forced_moves_and_a_tiny_one_neither():
    """Seed by seed: the arms of a row have the same first weights.

    Without a floor both shares are one.
    """
    stored = rows("policy-gradient-clipping")
    assert [row["seed"] for row in stored] == list(range(20))
    assert all(list(row["arms"]) == [f"{clip:g}" for clip in CLIPS] for row in stored)
    for row in stored:
        off, tiny, large = (row["arms"][floor] for floor in ("0", "1e-06", "0.01"))
        assert off["wins"] == off["wins_bare"] and off["missed"] == off["missed_bare"]
        assert abs(tiny["wins"] - off["wins"]) < 0.02 and abs(tiny["missed"] - off["missed"]) < 0.02
        assert large["wins"] < off["wins"] - 0.03 and large["missed"] > off["missed"] + 0.03
        assert large["missed"] > large["missed_bare"] and off["missed"] < row["random_play_misses"]


def test_the_naive_update_collapses_in_five_of_five_seeds():
    stored = rows("policy-gradient-collapse")
    assert len(stored) == 5
    for row in stored:
        assert (
            row["curve"][-1][GAMES] == 8_192
            and row["curve"][-1][ENTROPY] < 0.6
            and row["curve"][-1][SAMPLED] < 0.85
        )


def test_the_update_as_printed_does_not_move_and_a_larger_rate_collapses():
    """At the rate of the book's code the same seeds win exactly the same games after
    2,048 games as before; at 0.1 the policy learns, greedily, within 1,024 games, and has
    fallen on few moves after 2,048."""
    stored = rows("policy-gradient-printed")
    assert len(stored) == 5 and all(
        set(row["rates"]) == {f"{rate:g}" for rate in RATES} for row in stored
    )
    for row in stored:
        first, _, last = row["rates"]["1e-07"]["curve"]
        assert (
            last[GAMES] == 2_048
            and last[SAMPLED] == first[SAMPLED]
            and last[GREEDY] == first[GREEDY]
        )
        first, middle, last = row["rates"]["0.1"]["curve"]
        assert middle[GREEDY] > 0.9 > 0.6 > middle[SAMPLED] and middle[ENTROPY] > 3
        assert last[GREEDY] < 0.4 and last[SAMPLED] < 0.65 and last[ENTROPY] < 1.5


@pytest.mark.parametrize("name", SHIPPED)
def test_the_shipped_bots_have_their_verdict(name):
    bot, size = load_agent(f"go/{name}"), int(name[-1])
    assert (
        bot.game.options == {"size": size, "komi": 7.5}
        and sum(array.nbytes for array in bot.arrays().values()) < 1e6
    )
    verdicts = [row[name] for row in rows("policy-gradient-shipped")]
    black = np.sum([row["as_black"] for row in verdicts], axis=0)
    white = np.sum([row["as_white"] for row in verdicts], axis=0)
    assert black.sum() == white.sum() >= 200 and all(
        row["temperature"] == bot.temperature for row in verdicts
    )
    if size == 5:
        assert (
            wilson(int(black[0]), int(black.sum()))[0] >= 0.8
            and min(row["distinct"] for row in verdicts) > 100
        )
        assert (
            str(bot.at_temperature(0).select_move(bot.game.new_game())) == "C3"
        )  # where the board is won
        assert judge_against_random(bot, games=200, seed=3).wins >= 0.95


@pytest.mark.slow
def test_one_seed_run_again_falls_among_the_stored_ones():
    """On another computer a run differs in its last digits and so in its games; the band
    over 40 seeds has to hold it.
    """
    again = curve(0, 2, 3_072)[0]["curve"]
    stored = {
        played: [
            line
            for row in rows("policy-gradient")
            for line in row["curve"]
            if line[GAMES] == played
        ]
        for played in (1_024, 2_048, 3_072)
    }
    for line in again[1:]:
        for column, slack in ((SAMPLED, 0.05), (GREEDY, 0.05), (ENTROPY, 0.2)):
            among = [other[column] for other in stored[line[GAMES]]]
            assert min(among) - slack <= line[column] <= max(among) + slack


@pytest.mark.slow
def test_one_seed_of_an_arm_run_again_falls_in_the_stored_band():
    """The arm that collapses; the recipe, which learns, is run again above."""
    arm = "won clipped ratio, lost log pi"
    again = curve(0, 12, 3_072, judged=500, **{**BASE, **ARMS[arm]})[0]["curve"][-1]
    stored = ends("policy-gradient-ablation", arm)
    for column, slack in ((SAMPLED, 0.08), (ENTROPY, 0.25)):
        assert stored[:, column].min() - slack <= again[column] <= stored[:, column].max() + slack
