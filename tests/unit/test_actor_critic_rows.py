"""The stored runs of actor-critic say what the lesson claims; comparing algorithms over seeds,
by hand and by simulation.
"""

from dataclasses import asdict

import numpy as np
import pytest

from rlcourse.agents import load_agent
from rlcourse.experiments.actor_critic import (
    ARMS,
    BASELINE,
    CHOSEN,
    EQUAL_TIME,
    MET,
    SEARCHED,
    SMALL,
    learn_in_turn,
    updates_in,
)
from rlcourse.games import get_game
from rlcourse.intervals import SeedComparison, compare_over_seeds
from rlcourse.judges.random_play import judge_against_random
from rlcourse.learning.actor_critic import ActorCriticConfig
from rlcourse.learning.policy_gradient import PolicyGradientConfig
from rlcourse.results import load_results


def rows(name: str) -> list[dict]:
    return load_results(name)["rows"]


def test_three_seeds_compared_by_hand():
    """1, 2, 3: mean 2, s = 1, standard error 1 / sqrt(3) = 0.57735. Two degrees of
    freedom: t(0.975) = 4.30265, t(0.8) = 1.06066, so 2 -+ 2.48414, and 5.36331 * 0.57735 =
    3.09651 would have been found."""
    found = compare_over_seeds([1, 2, 3])
    assert (
        found[:4] == pytest.approx((2, -0.48414, 4.48414, 3.09651), abs=1e-4) and found.seeds == 3
    )
    assert "no difference shown" in str(found) and "different" in str(
        compare_over_seeds([1.0, 1.1, 1.2])
    )
    assert "different" in str(compare_over_seeds([-1.0, -1.1, -1.2])).replace("no difference", "")
    with pytest.raises(ValueError, match="at least two seeds"):
        compare_over_seeds([1.0])


def test_the_interval_covers_and_the_detectable_difference_is_detected():
    """2,000 trials of 20 seeds without a difference: 5% of the intervals miss 0. With the
    difference called detectable for the true spread, 4 of 5 see it. (2,000 trials: standard errors
    0.5 and 0.9 points; 5 of them are allowed.)"""
    draws = np.random.default_rng(0).normal(size=(2_000, 20))
    nothing = [compare_over_seeds(row) for row in draws[:, :]]
    missed = np.mean([not found.low <= 0 <= found.high for found in nothing])
    assert abs(missed - 0.05) < 0.025
    detectable = np.sqrt(np.mean([found.detectable**2 for found in nothing]))
    seen = np.mean([found.low + detectable > 0 for found in nothing])
    assert abs(seen - 0.8) < 0.05


def test_every_seed_of_the_recipe_beats_random_play():
    """Of 1,000 games with random play 93% sampled within 10 seconds of the processor and 97%
    greedily within 45, and both in 1,000 fresh games each at the end."""
    stored = rows("actor-critic")
    assert [row["seed"] for row in stored] == list(range(40))
    for row in stored:
        assert row["games"] == 6_144 and row["confirmed"][0] >= 0.93 and row["confirmed"][1] >= 0.97
        assert [line[0] for line in row["curve"]] == list(range(0, 6_145, 1_024)) and row["curve"][
            0
        ][3] < 0.6
        for column, share, seconds in ((3, 0.93, 10), (4, 0.97, 45)):
            assert next(line[1] for line in row["curve"] if line[column] >= share) < seconds


def test_the_listing_as_printed_breaks_on_every_seed():
    """SGD at 0.1 without a bound: the weights stop being numbers within the first
    three updates of 256 games.
    """
    stored = rows("actor-critic-printed")
    assert len(stored) == 5 and all(row["diverged"] <= 3 and row["games"] < 1_024 for row in stored)


BOARDS = ((5, "actor-critic-trial", 20, 4_096), (7, "actor-critic-trial-7x7", 10, 2_048))
COSTS = {5: "actor-critic-cost", 7: "actor-critic-cost-7x7"}


def settings_of(arm: str) -> tuple[str, dict]:
    """The learner of an arm and all its settings."""
    kind, changed = ARMS[arm]
    config = {"policy-gradient": PolicyGradientConfig, "actor-critic": ActorCriticConfig}[kind]
    return kind, asdict(config(**{**SMALL, **changed}))


def test_each_arm_changes_one_thing():
    """Against REINFORCE with baseline the others differ in lam, or in what their moves
    count by; it differs from the policy gradient in the second head and the value's
    settings. All play 128 games an update."""
    plain, base = settings_of("policy gradient")[1], settings_of("REINFORCE with baseline")[1]
    values = {"value_weight", "lam", "n_step", "baseline"}
    assert {name for name in plain if plain[name] != base[name]} == {"network"}
    assert base.keys() - plain.keys() == values and base["games"] == 128 and base["lam"] == 1
    wanted = {
        "value beside it": {"baseline": False},
        "TD(0)": {"lam": 0},
        "GAE(0.95)": {"lam": 0.95},
        f"GAE({CHOSEN})": {"lam": CHOSEN},
    }
    for arm, changed in wanted.items():
        kind, settings = settings_of(arm)
        assert kind == "actor-critic"
        assert {name: value for name, value in settings.items() if value != base[name]} == changed
    assert len(ARMS) == 6 and len({repr(arm) for arm in ARMS.values()}) == 6


@pytest.mark.parametrize("size, name, seeds, games", BOARDS)
def test_the_trial_is_whole(name, size, seeds, games):
    """Every seed has all six arms at equal games, of four hundred games a match,
    nearly all of them different.
    """
    stored = rows(name)
    assert [row["seed"] for row in stored] == list(range(seeds))
    for row in stored:
        assert row["met"] == MET == 400 and list(row["equal_games"]) == list(ARMS)
        assert all(arm["games"] == games for arm in row["equal_games"].values())
        assert {arm: entry["games"] for arm, entry in row["equal_time"].items()} == {
            arm: 128 * updates
            for arm, share in EQUAL_TIME[size].items()
            if (updates := updates_in(share * games / 128, row["seed"])) * 128 != games
        }
        for arm in (*list(row["equal_games"].values())[1:], *row["equal_time"].values()):
            assert all(sum(arm[t][:2]) == MET and arm[t][2] > 0.7 * MET for t in ("1", "0.5"))
            # A constant would have the variance of the results, near 1.
            assert arm["value_error"] < 0.8


@pytest.mark.parametrize("size, name, seeds, games", BOARDS)
def test_equal_time_is_equal_over_the_seeds(size, name, seeds, games):
    """Processor seconds of each arm: within 2% of the policy gradient's,
    over all seeds of a board.
    """
    stored = rows(name)
    spent = dict.fromkeys(ARMS, 0.0)
    for row in stored:
        for arm in ARMS:
            spent[arm] += {**row["equal_games"], **row["equal_time"]}[arm]["seconds"]
    off = {arm: seconds / spent[BASELINE] - 1 for arm, seconds in spent.items()}
    assert all(abs(share) <= 0.02 for share in off.values()), off


def won(size: int, arm: str, temperature: str = "1", budget: str = "equal_games") -> SeedComparison:
    """Share of its games that an arm won against the policy gradient, less a half.

    A seed without a match of its own at equal time repeats the one at equal games.
    """
    stored = rows(BOARDS[size == 7][1])
    met = [{**row["equal_games"], **row[budget]}[arm][temperature][0] for row in stored]
    return compare_over_seeds([games / MET - 0.5 for games in met])


def test_the_verdict_of_the_trial():
    """At equal games and equal time, as trained and sharpened. 5 x 5: no arm that uses its value is
    shown to be ahead, and TD(0) is behind. 7 x 7: all four are ahead, and the arm that only learns
    a value is not shown to be."""
    hints = [arm for arm in ARMS if arm not in (BASELINE, "value beside it")]
    for budget in ("equal_games", "equal_time"):
        for temperature in ("1", "0.5"):
            assert all(won(5, arm, temperature, budget).low < 0 for arm in hints)
            assert won(5, "TD(0)", temperature, budget).high < -0.03
            assert all(won(7, arm, temperature, budget).low > 0.03 for arm in hints)
            control = won(7, "value beside it", temperature, budget)
            assert control.low < 0 < control.high


def seconds(stored: list[dict], arm: str) -> float:
    """Processor seconds of an arm, over all rows of a run that measured the cost."""
    return sum(row["arms"][arm]["seconds"] for row in stored)


def test_the_games_at_equal_time_follow_from_the_cost_measured_before():
    """5 x 5: one share for all arms with two heads, the policy gradient's seconds beside the mean
    of theirs. 7 x 7: one for each arm, from its own."""
    stored = rows(COSTS[5])
    others = [name for name in stored[0]["arms"] if name != BASELINE]
    share = seconds(stored, BASELINE) / np.mean([seconds(stored, arm) for arm in others])
    assert set(EQUAL_TIME[5].values()) == {round(share, 3)}
    stored = rows(f"{BOARDS[1][1]}-cost")
    assert EQUAL_TIME[7] == {
        arm: round(seconds(stored, BASELINE) / seconds(stored, arm), 3)
        for arm in ARMS
        if arm != BASELINE
    }
    assert EQUAL_TIME[5].keys() == EQUAL_TIME[7].keys()


def test_the_lambda_is_searched_on_other_seeds_than_the_trials():
    assert all(row["used"] >= 100 for name in COSTS.values() for row in rows(name))


def test_the_cost_on_7x7_was_measured_on_the_games_of_the_trial():
    """The same seeds give the same bots in both runs; only the seconds of the processor differ."""
    trial, cost = rows(BOARDS[1][1]), rows(f"{BOARDS[1][1]}-cost")
    assert len(trial) == len(cost) == 10

    def results(arms: dict) -> dict:
        return {arm: {**entry, "seconds": None} for arm, entry in arms.items()}

    for ours, theirs in zip(trial, cost, strict=True):
        assert ours["seed"] == theirs["seed"] == theirs["used"]
        assert results(ours["equal_games"]) == results(theirs["arms"])
        for arm, entry in ours["equal_games"].items():
            assert entry["seconds"] != theirs["arms"][arm]["seconds"]


def test_the_lambda_is_the_best_of_three_on_other_seeds():
    won = {lam: [] for lam in SEARCHED}
    for name in COSTS.values():
        for row in rows(name):
            for lam, shares in won.items():
                shares += [row["arms"][f"GAE({lam})"][t][0] / MET for t in ("1", "0.5")]
    assert CHOSEN == max(won, key=lambda lam: np.mean(won[lam]))


@pytest.mark.parametrize("updates, seeds", [(30.77, 20), (15.3, 10), (33.5, 20), (16.0, 10)])
def test_whole_updates_over_the_seeds_come_to_the_fraction(updates, seeds):
    each = [updates_in(updates, seed) for seed in range(seeds)]
    assert abs(sum(each) - seeds * updates) <= 0.5 and max(each) - min(each) <= 1


@pytest.mark.slow
def test_an_arm_that_learns_in_turn_learns_what_it_learns_alone():
    """Two arms in turn, one with an early checkpoint; the second alone has the same
    weights at both of its stops.
    """
    small = {"size": 3, "games": 16}
    pair = {"policy gradient": ARMS["policy gradient"], "TD(0)": ARMS["TD(0)"]}
    both = learn_in_turn(1, pair, {"policy gradient": {2}, "TD(0)": {1, 3}}, **small)
    alone = learn_in_turn(1, {"TD(0)": ARMS["TD(0)"]}, {"TD(0)": {1, 3}}, **small)
    assert list(both["policy gradient"]) == [2] and list(both["TD(0)"]) == [1, 3]
    for stop, run in both["TD(0)"].items():
        other = alone["TD(0)"][stop]
        assert run.games == other.games == 16 * stop and (run.seconds > 0) == (stop > 1)
        for name, array in run.agent.arrays().items():
            np.testing.assert_array_equal(array, other.agent.arrays()[name], err_msg=name)
    early, late = (both["TD(0)"][stop].agent.arrays() for stop in (1, 3))
    assert any((early[name] != late[name]).any() for name in early)


@pytest.mark.slow
@pytest.mark.long
def test_one_arm_run_again_falls_among_the_stored_ones():
    """Another processor makes other games; the share won against random play
    lies in the band of all seeds.
    """
    arm = "REINFORCE with baseline"
    run = learn_in_turn(0, {arm: ARMS[arm]}, {arm: {32}}, size=5)[arm][32]
    share = judge_against_random(run.agent, games=MET, seed=0).wins
    stored = [row["equal_games"][arm]["wins"] for row in rows("actor-critic-trial")]
    assert run.games == 4_096 and min(stored) - 0.04 <= share <= max(stored) + 0.04


@pytest.mark.parametrize("size", [5, 9])
def test_the_shipped_bots_have_their_verdicts(size):
    """Each beats random play and says that Black is ahead where he is."""
    name = f"actor-critic-{size}x{size}"
    bot, row = load_agent(f"go/{name}"), rows("actor-critic-shipped")[0][name]
    assert bot.name == "actor-critic" and bot.game == get_game("go", size=size, komi=7.5)
    assert row["temperature"] == bot.temperature == 0.1 and row["random"] > 0.99
    for level, met in (("level_1", 200), ("level_10", 50)):
        assert (
            sum(row[level]["as_black"]) == sum(row[level]["as_white"]) == met
            and row[level]["distinct"] > met
        )
    assert -1 < bot.think(bot.game.new_game()).value[0] < 1


def test_the_small_board_is_taken_from_gnu_go_as_black_and_never_as_white():
    """5 x 5 belongs to Black by 25 points; on 9 x 9 the other way round: GNU
    Go wins with either colour.
    """
    small, large = (
        rows("actor-critic-shipped")[0][f"actor-critic-{size}x{size}"] for size in (5, 9)
    )
    assert (
        load_agent("go/actor-critic-5x5")
        .think(get_game("go", size=5, komi=7.5).new_game())
        .value[0]
        > 0
    )
    for level in ("level_1", "level_10"):
        assert (
            small[level]["as_black"][0] >= 0.85 * sum(small[level]["as_black"])
            and small[level]["as_white"][0] == 0
        )
        for side in ("as_black", "as_white"):
            assert large[level][side][0] <= 0.1 * sum(large[level][side])
    assert (
        sum(large["policy"][side][0] for side in ("as_black", "as_white")) > 300
    )  # of 400, against lesson 06b's bot
