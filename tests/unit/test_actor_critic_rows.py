"""The stored runs of actor-critic say what the lesson claims; comparing algorithms over seeds, by hand and by simulation."""

import numpy as np
import pytest

from rlcourse.agents import load_agent
from rlcourse.arena import compare_over_seeds, play_match
from rlcourse.experiments.actor_critic import MET, trial
from rlcourse.games import get_game
from rlcourse.learning import games, make_learner, train
from rlcourse.results import load_results


def rows(name: str) -> list[dict]:
    return load_results(name)["rows"]


def test_three_seeds_compared_by_hand():
    """1, 2, 3: mean 2, s = 1, standard error 1 / sqrt(3) = 0.57735. Two degrees of freedom: t(0.975) = 4.30265, t(0.8) =
    1.06066, so 2 -+ 2.48414, and 5.36331 * 0.57735 = 3.09651 would have been found."""
    found = compare_over_seeds([1, 2, 3])
    assert found[:4] == pytest.approx((2, -0.48414, 4.48414, 3.09651), abs=1e-4) and found.seeds == 3
    assert "no difference shown" in str(found) and "different" in str(compare_over_seeds([1.0, 1.1, 1.2]))
    assert "different" in str(compare_over_seeds([-1.0, -1.1, -1.2])).replace("no difference", "")
    with pytest.raises(ValueError, match="at least two seeds"):
        compare_over_seeds([1.0])


def test_the_interval_covers_and_the_detectable_difference_is_detected():
    """2,000 trials of 20 seeds without a difference: 5% of the intervals miss 0. With the difference called detectable for the
    true spread, 4 of 5 see it. (2,000 trials: standard errors 0.5 and 0.9 points; 5 of them are allowed.)"""
    draws = np.random.default_rng(0).normal(size=(2_000, 20))
    nothing = [compare_over_seeds(row) for row in draws[:, :]]
    missed = np.mean([not found.low <= 0 <= found.high for found in nothing])
    assert abs(missed - 0.05) < 0.025
    detectable = np.sqrt(np.mean([found.detectable**2 for found in nothing]))
    seen = np.mean([found.low + detectable > 0 for found in nothing])
    assert abs(seen - 0.8) < 0.05


def test_every_seed_of_the_recipe_beats_random_play():
    """Of 1,000 games with random play 93% sampled within 10 seconds of the processor and 97% greedily within 45, and both in
    1,000 fresh games each at the end."""
    stored = rows("actor-critic")
    assert [row["seed"] for row in stored] == list(range(40))
    for row in stored:
        assert row["games"] == 6_144 and row["confirmed"][0] >= 0.93 and row["confirmed"][1] >= 0.97
        assert [line[0] for line in row["curve"]] == list(range(0, 6_145, 1_024)) and row["curve"][0][3] < 0.6
        for column, share, seconds in ((3, 0.93, 10), (4, 0.97, 45)):
            assert next(line[1] for line in row["curve"] if line[column] >= share) < seconds


def test_the_listing_as_printed_breaks_on_every_seed():
    """SGD at 0.1 without a bound: the weights stop being numbers within the first three updates of 256 games."""
    stored = rows("actor-critic-printed")
    assert len(stored) == 5 and all(row["diverged"] <= 3 and row["games"] < 1_024 for row in stored)


def differences(stored: list[dict], budget: str, temperature: str = "1") -> list[float]:
    """Share of the games that actor-critic won, less a half, one number a seed."""
    met = [row["equal_games"]["actor-critic"] if budget == "games" else row["equal_time"] for row in stored]
    return [won / (won + lost) - 0.5 for won, lost, _ in (entry[temperature] for entry in met)]


@pytest.mark.parametrize(
    "name, seeds, games, share", [("actor-critic-trial", 20, 4_096, 0.85), ("actor-critic-trial-7x7", 10, 2_048, 0.7)]
)
def test_the_trial_is_whole_and_fair(name, seeds, games, share):
    stored = rows(name)
    assert [row["seed"] for row in stored] == list(range(seeds))
    for row in stored:
        assert row["games"] == games and row["met"] == MET == 1_000
        for entry in (*row["equal_games"]["actor-critic"].values(), row["equal_time"]["1"]):
            assert sum(entry[:2]) == MET and entry[2] > 0.9 * MET
        used = row["equal_time"]["seconds"]
        update = max(used) * 512 / max(row["equal_time"]["games"])  # what one chunk takes, about
        assert abs(used[0] - used[1]) < 0.75 * update and games in row["equal_time"]["games"]  # to the nearest update
        assert all(arm["wins"] > share and arm["greedy"] > 0.95 for arm in row["arms"].values())
        assert row["arms"]["actor-critic"]["value_error"] < 0.7  # a constant would have the variance of the results, near 1


def test_the_larger_board_has_another_verdict():
    """On 7 x 7 actor-critic is ahead on all ten seeds, by more than ten seeds could have missed."""
    stored = rows("actor-critic-trial-7x7")
    for budget, temperature in (("games", "1"), ("games", "0.5"), ("time", "1")):
        won = differences(stored, budget, temperature)
        found = compare_over_seeds(won)
        assert min(won) > 0 and found.low > 0.02 and found.mean > found.detectable


def test_the_two_arms_over_five_seeds_show_nothing():
    stored = rows("actor-critic-arms")
    assert [row["seed"] for row in stored] == list(range(5))
    for arm in ("value beside it", "actor-critic, normalised"):
        for temperature in ("1", "0.5"):
            won = [row["equal_games"][arm][temperature][0] / MET - 0.5 for row in stored]
            found = compare_over_seeds(won)
            assert found.low < 0 < found.high and found.detectable > 0.08


def test_the_verdict_of_the_trial():
    """No difference shown as the players were trained, at equal games or at equal time; one at equal games when sharpened."""
    stored = rows("actor-critic-trial")
    for budget in ("games", "time"):
        found = compare_over_seeds(differences(stored, budget))
        assert found.low < 0 < found.high and found.detectable < 0.05
    sharpened = compare_over_seeds(differences(stored, "games", "0.5"))
    assert 0 < sharpened.low < sharpened.mean < 0.1


@pytest.mark.slow
def test_a_short_trial_run_twice_is_the_same_but_for_the_seconds():
    arms = {"policy gradient": ("policy-gradient", {}), "actor-critic": ("actor-critic", {})}
    small = {"size": 3, "games": 32}
    once, twice = (trial_of(arms, small) for _ in range(2))
    assert once["equal_games"] == twice["equal_games"] and once["seed"] == 1
    assert sum(once["equal_games"]["actor-critic"]["1"][:2]) == MET


def trial_of(arms: dict, settings: dict) -> dict:
    """A trial of seed 1 after one update of each arm on a small board."""
    kinds = {name: (kind, {**how, "games": settings["games"]}) for name, (kind, how) in arms.items()}
    return trial(1, kinds, settings["games"], size=settings["size"])


@pytest.mark.slow
def test_one_seed_run_again_falls_among_the_stored_ones():
    """Another processor makes other games; the share won against random play lies in the band of all seeds."""
    from rlcourse.agents import make_agent

    learner = make_learner("actor-critic", seed=0)
    for _ in train(learner, until=games(4_096), every=8, seed=0):
        pass
    agent = learner.agent()
    share = play_match(agent, make_agent("random", agent.game), games=1_000, seed=0).wins / 1_000
    stored = [row["arms"]["actor-critic"]["wins"] for row in rows("actor-critic-trial")]
    assert min(stored) - 0.04 <= share <= max(stored) + 0.04


@pytest.mark.parametrize("size", [5, 9])
def test_the_shipped_bots_have_their_verdicts(size):
    """Each beats random play and says that Black is ahead where he is."""
    name = f"actor-critic-{size}x{size}"
    bot, row = load_agent(f"go/{name}"), rows("actor-critic-shipped")[0][name]
    assert bot.name == "actor-critic" and bot.game == get_game("go", size=size, komi=7.5)
    assert row["temperature"] == bot.temperature == 0.1 and row["random"] > 0.99
    for level, met in (("level_1", 200), ("level_10", 50)):
        assert sum(row[level]["as_black"]) == sum(row[level]["as_white"]) == met and row[level]["distinct"] > met
    assert -1 < bot.think(bot.game.new_game()).value[0] < 1


def test_the_small_board_is_taken_from_gnu_go_as_black_and_never_as_white():
    """5 x 5 belongs to Black by 25 points; on 9 x 9 the other way round: GNU Go wins with either colour."""
    small, large = (rows("actor-critic-shipped")[0][f"actor-critic-{size}x{size}"] for size in (5, 9))
    assert load_agent("go/actor-critic-5x5").think(get_game("go", size=5, komi=7.5).new_game()).value[0] > 0
    for level in ("level_1", "level_10"):
        assert small[level]["as_black"][0] >= 0.85 * sum(small[level]["as_black"]) and small[level]["as_white"][0] == 0
        for side in ("as_black", "as_white"):
            assert large[level][side][0] <= 0.1 * sum(large[level][side])
    assert sum(large["policy"][side][0] for side in ("as_black", "as_white")) > 300  # of 400, against lesson 06's bot
