"""The stored runs of Go say what the lesson claims, and one seed, run again, falls among them."""

from dataclasses import asdict

import numpy as np
import pytest

from rlcourse.agents import load_agent
from rlcourse.arena import wilson
from rlcourse.experiments.go import ARMS, BARS, BASE, CLIPS, RATES, SHIPPED, curve
from rlcourse.judges.random_play import judge_against_random
from rlcourse.learning.policy_gradient import PolicyGradientConfig
from rlcourse.results import load_results

GAMES, CPU, WALL, SAMPLED, GREEDY, ENTROPY = range(6)  # the columns of a curve


def rows(name: str) -> list[dict]:
    return sorted(load_results(name)["rows"], key=lambda row: row["seed"])


def ends(arm: str) -> np.ndarray:
    """[seeds, 6]: the last line of that arm's curves."""
    curves = [row["arms"][arm] for row in rows("policy-gradient-ablation")]
    assert {line[-1][GAMES] for line in curves} == {3_072}
    return np.array([line[-1] for line in curves])


def test_forty_seeds_learn_in_time():
    """90% of 1,000 sampled games with random play within 8 seconds of one processor, of a busy machine (39 seeds; 8.6 seconds
    the last), 95% sampled and 97% greedy within 45, and at the end of the run in games that are not those of the curve."""
    stored = rows("policy-gradient")
    assert [row["seed"] for row in stored] == list(range(40)) and all(row["judged"] == 1_000 for row in stored)
    for row in stored:
        assert row["games"] == 6_144 and row["curve"][0][SAMPLED] < 0.6 and row["curve"][-1][ENTROPY] > 1
        assert row["above_90"][SAMPLED] >= 0.9 and row["above_90"][CPU] <= 9
        assert row["reached"][SAMPLED] >= BARS[0] and row["reached"][GREEDY] >= BARS[1] and row["reached"][CPU] <= 45
        assert row["confirmed"][0] >= BARS[0] - 0.01 and row["confirmed"][1] >= BARS[1] - 0.01
    assert sum(row["above_90"][CPU] <= 8 for row in stored) >= 39
    assert np.mean([row["confirmed"] for row in stored], axis=0).min() > 0.96


SPOKEN = {"log pi": "log-prob", "ratio": "ratio", "clipped ratio": "ratio"}


def settings_of(**settings) -> dict:
    """All fields of the config that a learner is made with."""
    return asdict(PolicyGradientConfig(**settings))


@pytest.mark.parametrize("arm", ARMS)
def test_an_arm_differs_from_its_base_in_what_its_name_says_and_in_nothing_else(arm):
    """The name gives the objective of both sides, and whether a ratio is clipped."""
    won, lost = (SPOKEN[part.split(" ", 1)[1]] for part in arm.split(", "))
    base, whole = settings_of(**BASE), settings_of(**{**BASE, **ARMS[arm]})
    expected = base | {"objective_won": won, "objective_lost": lost}
    if "clipped" not in arm and "ratio" in (won, lost):
        expected["ratio_clip"] = 0.0
    assert whole == expected
    assert (base["entropy"], base["symmetry"], base["passes"], base["clip_norm"]) == (0, False, 1, 0)


def test_the_seven_arms_are_different_updates():
    """Log pi on both sides has nothing to clip, so it is one arm and not two."""
    distinct = set()
    for settings in ARMS.values():
        config = settings_of(**settings)
        clip = config["ratio_clip"] if "ratio" in (config["objective_won"], config["objective_lost"]) else None
        distinct.add((config["objective_won"], config["objective_lost"], clip))
    assert len(distinct) == len(ARMS) == 7


def test_log_pi_on_the_lost_side_breaks_the_policy_and_the_clip_does_not_mend_it():
    """Each arm with the ratio on the lost side keeps its entropy and wins; each with log pi there has lost
    both, with or without the clip. The clip adds strength where the ratio is used on the won side."""
    stored = rows("policy-gradient-ablation")
    assert len(stored) >= 7 and all(list(row["arms"]) == list(ARMS) for row in stored)
    broken = [arm for arm in ARMS if arm.endswith("lost log pi")]
    for arm in ARMS:
        end = ends(arm)
        if arm in broken:
            assert end[:, SAMPLED].max() < 0.8 and end[:, ENTROPY].max() < 0.4, arm
        else:
            assert end[:, SAMPLED].min() > 0.75 and end[:, ENTROPY].min() > 0.4, arm
    held = ends("won log pi, lost ratio")
    bare, clipped = (ends(f"won {kind}, lost {kind}") for kind in ("ratio", "clipped ratio"))
    assert held[:, SAMPLED].mean() > 0.93 and clipped[:, SAMPLED].mean() > bare[:, SAMPLED].mean() + 0.03
    assert clipped[:, ENTROPY].min() > bare[:, ENTROPY].max()


def test_a_floor_of_a_hundredth_costs_wins_and_forced_moves_and_a_tiny_one_neither():
    """Seed by seed: the arms of a row have the same first weights. Without a floor both shares are one."""
    stored = rows("policy-gradient-clipping")
    assert len(stored) >= 3 and all(list(row["arms"]) == [f"{clip:g}" for clip in CLIPS] for row in stored)
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
        assert row["curve"][-1][GAMES] == 8_192 and row["curve"][-1][ENTROPY] < 0.6 and row["curve"][-1][SAMPLED] < 0.85


def test_the_update_as_printed_does_not_move_and_a_larger_rate_collapses():
    """At the rate of the book's code the same seeds win exactly the same games after 2,048 games as before; at 0.1 the policy
    learns, greedily, within 1,024 games, and has fallen on few moves after 2,048."""
    stored = rows("policy-gradient-printed")
    assert len(stored) == 5 and all(set(row["rates"]) == {f"{rate:g}" for rate in RATES} for row in stored)
    for row in stored:
        first, _, last = row["rates"]["1e-07"]["curve"]
        assert last[GAMES] == 2_048 and last[SAMPLED] == first[SAMPLED] and last[GREEDY] == first[GREEDY]
        first, middle, last = row["rates"]["0.1"]["curve"]
        assert middle[GREEDY] > 0.9 > 0.6 > middle[SAMPLED] and middle[ENTROPY] > 3
        assert last[GREEDY] < 0.4 and last[SAMPLED] < 0.65 and last[ENTROPY] < 1.5


@pytest.mark.parametrize("name", SHIPPED)
def test_the_shipped_bots_have_their_verdict(name):
    bot, size = load_agent(f"go/{name}"), int(name[-1])
    assert bot.game.options == {"size": size, "komi": 7.5} and sum(array.nbytes for array in bot.arrays().values()) < 1e6
    verdicts = [row[name] for row in rows("policy-gradient-shipped")]
    black = np.sum([row["as_black"] for row in verdicts], axis=0)
    white = np.sum([row["as_white"] for row in verdicts], axis=0)
    assert black.sum() == white.sum() >= 200 and all(row["temperature"] == bot.temperature for row in verdicts)
    if size == 5:
        assert wilson(int(black[0]), int(black.sum()))[0] >= 0.8 and min(row["distinct"] for row in verdicts) > 100
        assert str(bot.at_temperature(0).select_move(bot.game.new_game())) == "C3"  # where the board is won
        assert judge_against_random(bot, games=200, seed=3).wins >= 0.95


@pytest.mark.slow
def test_one_seed_run_again_falls_among_the_stored_ones():
    """On another computer a run differs in its last digits and so in its games; the band over 40 seeds has to hold it."""
    again = curve(0, 2, 3_072)[0]["curve"]
    stored = {played: [line for row in rows("policy-gradient") for line in row["curve"] if line[GAMES] == played]
              for played in (1_024, 2_048, 3_072)}
    for line in again[1:]:
        for column, slack in ((SAMPLED, 0.05), (GREEDY, 0.05), (ENTROPY, 0.2)):
            among = [other[column] for other in stored[line[GAMES]]]
            assert min(among) - slack <= line[column] <= max(among) + slack


@pytest.mark.slow
@pytest.mark.parametrize("arm", ["won clipped ratio, lost clipped ratio", "won clipped ratio, lost log pi"])
def test_one_seed_of_an_arm_run_again_falls_in_the_stored_band(arm):
    """One that learns and one that collapses; they differ in the objective of the lost side alone."""
    again = curve(0, 12, 3_072, judged=500, **{**BASE, **ARMS[arm]})[0]["curve"][-1]
    stored = ends(arm)
    for column, slack in ((SAMPLED, 0.08), (ENTROPY, 0.25)):
        assert stored[:, column].min() - slack <= again[column] <= stored[:, column].max() + slack
