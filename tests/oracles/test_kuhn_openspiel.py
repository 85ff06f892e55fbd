"""Kuhn poker against OpenSpiel (Lanctot et al., 2019): rules, value, exploitability."""

import numpy as np
import pytest

from rlcourse.solvers.kuhn import CARDS, INFORMATION_SETS, chips, exploitability, value

pyspiel = pytest.importorskip(
    "pyspiel",
    reason="OpenSpiel is not installed (open-spiel; there are wheels for Linux on x86-64)",
)


def theirs(name):
    """Our "Qpb" is their "1pb"."""
    return str(CARDS.index(name[0])) + name[1:]


def test_every_hand_ends_as_theirs():
    game, ends = pyspiel.load_game("kuhn_poker"), 0
    waiting = [game.new_initial_state()]
    while waiting:
        state = waiting.pop()
        history = state.history()
        if len(history) >= 2:
            first, second = (CARDS[card] for card in history[:2])
            won = chips(first, second, "".join("pb"[action] for action in history[2:]))
            assert won == (state.returns()[0] if state.is_terminal() else None)
            ends += state.is_terminal()
        waiting += [] if state.is_terminal() else [state.child(a) for a in state.legal_actions()]
    assert ends == 30


@pytest.mark.parametrize("seed", range(5))
def test_value_and_exploitability_are_theirs(seed):
    game = pyspiel.load_game("kuhn_poker")
    bets = np.random.default_rng(seed).random(len(INFORMATION_SETS))
    policy = dict(zip(INFORMATION_SETS, bets.tolist(), strict=True))
    table = {theirs(name): [(0, 1 - bet), (1, bet)] for name, bet in policy.items()}
    both = [pyspiel.TabularPolicy(table)] * 2
    expected = pyspiel.expected_returns(game.new_initial_state(), both, -1, True)
    assert value(policy) == pytest.approx(expected[0], abs=1e-12)
    assert exploitability(policy) == pytest.approx(pyspiel.exploitability(game, table), abs=1e-12)
