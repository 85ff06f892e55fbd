"""Kuhn poker and its exact judge: what a best response wins against a policy.

Three cards J, Q, K; two players put one chip each into the pot and get one card each. In turn a
player passes ("p") or bets one more chip ("b"). After a bet, "p" folds and "b" calls. Kuhn, "A
simplified two-person poker" (1950).

A history is the text of the actions so far. An information set, what the player to move knows, is
the own card and the history, such as "Qpb". A policy gives to each of the 12 the probability of
"b". Chips are counted for the first player unless a docstring says otherwise.
"""

from collections.abc import Mapping
from fractions import Fraction
from itertools import permutations

from rlcourse.errors import BadValue

Policy = Mapping[str, float]  # values and what is computed from them are exact for Fractions
CARDS = "JQK"
DEALS = tuple(permutations(CARDS, 2))  # the first player's card, the second player's
DECISIONS = ("", "pb"), ("p", "b")  # the histories after which each player moves
INFORMATION_SETS = tuple(card + history for both in DECISIONS for history in both for card in CARDS)
VALUE = Fraction(-1, 18)  # of the game, for the first player


def chips(first: str, second: str, history: str) -> int | None:
    """What the first player wins with these cards; None while the hand goes on."""
    if history == "bp":
        return 1
    if history == "pbp":
        return -1
    stake = {"pp": 1, "bb": 2, "pbb": 2}.get(history)
    if stake is None:
        return None
    return stake if CARDS.index(first) > CARDS.index(second) else -stake


def value(policy: Policy) -> float:
    """The chips that the first player expects a hand when both play by the policy."""

    def expected(first: str, second: str, history: str) -> float:
        """The chips that the first player expects with these cards after these actions."""
        won = chips(first, second, history)
        if won is not None:
            return won
        bet = policy[(first, second)[len(history) % 2] + history]
        passed, raised = (expected(first, second, history + action) for action in "pb")
        return (1 - bet) * passed + bet * raised

    return sum(expected(*deal, "") for deal in DEALS) / len(DEALS)


def best_response(policy: Policy, player: int) -> tuple[float, dict[str, int]]:
    """(the chips that `player` wins a hand by the best reply to the other's policy, that reply).

    player: 0 or 1. The reply is 1 where it bets, and passes where both are equally good. It knows
    the other's policy, but not their card: it weighs the cards that they may hold.
    """
    reply: dict[str, int] = {}

    def most(card: str, history: str, weights: dict[str, float]) -> float:
        """What the rest of the hand brings, summed over the other's cards with their weights."""
        cards = [(card, other) if player == 0 else (other, card) for other in weights]
        # A hand ends with every card of the other or with none.
        ends = [won for both in cards if (won := chips(*both, history)) is not None]
        if ends:
            total: float = 0
            for weight, won in zip(weights.values(), ends, strict=True):
                total += weight * won
            return total if player == 0 else -total
        if len(history) % 2 == player:
            passed, raised = (most(card, history + action, weights) for action in "pb")
            reply[card + history] = int(raised > passed)
            return max(passed, raised)
        bets = {other: weight * policy[other + history] for other, weight in weights.items()}
        passes = {other: weight - bets[other] for other, weight in weights.items()}
        return most(card, history + "p", passes) + most(card, history + "b", bets)

    totals = [most(card, "", {other: 1 for other in CARDS if other != card}) for card in CARDS]
    return sum(totals) / len(DEALS), reply


def exploitability(policy: Policy) -> float:
    """What best responses win a hand, as the mean over both seats; 0 at an equilibrium only.

    Half of the sum that Lanctot et al. (2017) call NashConv, as in OpenSpiel.
    """
    return (best_response(policy, 0)[0] + best_response(policy, 1)[0]) / 2


def equilibrium(alpha: float) -> dict[str, float]:
    """The equilibrium in which the first player bluffs with the jack with probability alpha.

    alpha from 0 to 1/3; there are no others. Kuhn (1950). Raises ValueError for another alpha.
    """
    third = type(alpha)(1) / 3
    if not 0 <= alpha <= third:
        raise BadValue(f"alpha is {alpha}: the equilibria have an alpha from 0 to 1/3")
    first = {"J": alpha, "Q": 0, "K": 3 * alpha, "Jpb": 0, "Qpb": alpha + third, "Kpb": 1}
    second = {"Jp": third, "Qp": 0, "Kp": 1, "Jb": 0, "Qb": third, "Kb": 1}
    return {name: (first | second)[name] for name in INFORMATION_SETS}
