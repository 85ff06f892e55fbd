"""Kuhn poker: its equilibria worked by hand, its judge against all 4,096 pure policies, learners."""

from fractions import Fraction
from itertools import product

import numpy as np
import pytest

from rlcourse.experiments.beyond import PolicyMean
from rlcourse.learning.regret import counterfactual_regret, q_self_play, regret_matching
from rlcourse.solvers.kuhn import (
    DEALS,
    INFORMATION_SETS,
    VALUE,
    best_response,
    chips,
    equilibrium,
    exploitability,
    value,
)

FIRST = [name for name in INFORMATION_SETS if len(name) != 2]
SECOND = [name for name in INFORMATION_SETS if len(name) == 2]
UNIFORM = dict.fromkeys(INFORMATION_SETS, Fraction(1, 2))


def pure(names, bets):
    return dict(zip(names, bets, strict=True))


def random_policy(seed):
    draw = np.random.default_rng(seed).integers(0, 8, len(INFORMATION_SETS))
    return {name: Fraction(int(k), 7) for name, k in zip(INFORMATION_SETS, draw, strict=True)}


def played_out(policy, deal, history=""):
    """The first player's chips with these cards, over all that may happen from here on."""
    won = chips(*deal, history)
    if won is not None:
        return won
    bet = policy[deal[len(history) % 2] + history]
    passed, raised = (played_out(policy, deal, history + action) for action in "pb")
    return (1 - bet) * passed + bet * raised


@pytest.mark.parametrize(
    ("first", "second", "history", "won"),
    [
        ("K", "J", "pp", 1),
        ("J", "Q", "pp", -1),
        ("J", "K", "bp", 1),  # a bluff that works
        ("K", "Q", "pbp", -1),  # a king that folds
        ("Q", "K", "bb", -2),
        ("Q", "J", "pbb", 2),
        ("Q", "J", "", None),
        ("Q", "J", "pb", None),
    ],
)
def test_chips_of_hands_that_are_played_out(first, second, history, won):
    assert chips(first, second, history) == won


@pytest.mark.parametrize("alpha", [Fraction(0), Fraction(1, 7), Fraction(1, 3)])
def test_kuhn_s_equilibria_cannot_be_exploited_and_are_worth_a_minus_eighteenth(alpha):
    policy = equilibrium(alpha)
    assert (value(policy), exploitability(policy)) == (VALUE, 0)
    assert best_response(policy, 0)[0] == VALUE == -best_response(policy, 1)[0]


@pytest.mark.parametrize("name", INFORMATION_SETS)
def test_away_from_the_equilibria_something_is_to_be_won(name):
    """Some probability changed by 1/10 leaves the family; alpha 1/6 lies in its middle."""
    policy = equilibrium(Fraction(1, 6))
    tenth = Fraction(1, 10)
    moved = policy | {name: policy[name] + (tenth if policy[name] < Fraction(1, 2) else -tenth)}
    assert exploitability(moved) > 0


def test_there_is_no_equilibrium_beyond_a_third():
    with pytest.raises(ValueError, match="from 0 to 1/3"):
        equilibrium(Fraction(1, 2))


def test_half_and_half_by_hand():
    """All probabilities 1/2. A king that bets wins 1 or 2, so 3/2, a jack loses 1/2, a queen wins
    (1 + 2)/2 from a jack or -1/2 from a king, so 1/2; passing first brings: king 5/4 (1, or 2 after
    a bet that it calls), queen 0 and jack -1. The best reply bets with K, Q, J: (3/2 + 1/2 - 1/2)/3.
    """
    assert best_response(UNIFORM, 0)[0] == Fraction(1, 2)
    assert value(UNIFORM) == Fraction(1, 8)


@pytest.mark.parametrize("seed", range(3))
def test_a_best_response_is_the_best_of_all_pure_replies(seed):
    """All 64 replies of a seat, each valued by playing it out, in place of one pass of the tree.

    A reply that sees the other's card wins more.
    """
    policy = random_policy(seed)
    for player, names in ((0, FIRST), (1, SECOND)):
        sign = 1 - 2 * player
        replies = [pure(names, bets) for bets in product((0, 1), repeat=len(names))]
        won = [[sign * played_out(policy | reply, deal) for deal in DEALS] for reply in replies]
        means = [sum(each) / len(DEALS) for each in won]
        best, reply = best_response(policy, player)
        assert best == max(means) == sign * value(policy | reply)
        assert means == [sign * value(policy | reply) for reply in replies]
        assert sum(map(max, zip(*won, strict=True))) / len(DEALS) > best


def test_every_pure_policy_can_be_exploited_for_a_sixth_and_none_for_less():
    """The two seats' replies meet policies of the other seat only, so 64 + 64 replies tell all."""
    wins = {
        player: [
            best_response(UNIFORM | pure(names, map(Fraction, bets)), 1 - player)[0]
            for bets in product((0, 1), repeat=len(names))
        ]
        for player, names in ((0, FIRST), (1, SECOND))
    }
    assert (min(wins[0]) + min(wins[1])) / 2 == Fraction(1, 6)


@pytest.mark.parametrize(
    ("regrets", "policy"),
    [
        ([3.0, 1.0], [0.75, 0.25]),
        ([3.0, -1.0], [1.0, 0.0]),
        ([-1.0, -2.0], [0.5, 0.5]),
        ([0.0, 0.0, 0.0], [1 / 3] * 3),
    ],
)
def test_regret_matching_by_hand(regrets, policy):
    assert regret_matching(regrets) == pytest.approx(policy)


def test_the_first_pass_of_regrets_by_hand():
    """Round 1 of the first player against 1/2: with a king betting brings 3/2 and passing 5/4, so
    that the king bets from then on; with a jack -1/2 and -1, so does the jack. Theirs: uniform.
    """
    average, present = next(counterfactual_regret(1))
    assert [average[name] for name in FIRST] == [0.5] * 6
    assert (present["K"], present["J"], present["Kpb"], present["Jpb"]) == (1, 1, 1, 0)


def test_the_average_comes_to_the_equilibrium_and_the_present_policy_does_not():
    """Below a thousandth and at the value; the control stays ten times as exploitable."""
    *_, (average, present) = counterfactual_regret(2_000)
    assert exploitability(average) < 1e-3 and abs(value(average) - float(VALUE)) < 1e-3
    assert exploitability(present) > 10 * exploitability(average)


def test_self_play_is_the_same_twice_and_pure():
    runs = [[*q_self_play(2_000, np.random.default_rng(seed), every=500)] for seed in (5, 5, 6)]
    assert runs[0] == runs[1] != runs[2]
    assert all(set(policy.values()) <= {0.0, 1.0} for policy in runs[0])


def test_a_mean_of_policies_plays_as_they_do_in_turn():
    """Half the hands by each: the value against any other is the mean, which it is not where the
    probabilities are averaged.
    """
    one, other, opponent = (random_policy(seed) for seed in (1, 2, 3))
    mean = PolicyMean()
    mean.add(one)
    mean.add(other)

    def against(policy):
        return value(opponent | {name: policy[name] for name in FIRST})

    plain = {name: (one[name] + other[name]) / 2 for name in FIRST}
    wanted = (against(one) + against(other)) / 2
    assert float(against(mean.policy())) == pytest.approx(float(wanted), abs=1e-12)
    assert against(plain) != wanted
