"""The stored ladders: every game counts once, the ratings are those of the counts, and what the
lesson says of them holds.
"""

import numpy as np
import pytest

from rlcourse.agents import gtp_engine
from rlcourse.arena import wilson
from rlcourse.experiments.ladder import FEW, FIELDS, FirstMove, ladder, rated_row
from rlcourse.gtp.client import EngineMissing
from rlcourse.results import load_results


def rows() -> dict[str, dict]:
    return {row["game"]: row for row in load_results("ladder")["rows"]}


def test_there_is_one_row_a_game():
    assert [row["seed"] for row in load_results("ladder")["rows"]] == list(range(len(FIELDS)))
    assert list(rows()) == list(FIELDS) and all(
        field.anchor in field.players for field in FIELDS.values()
    )


@pytest.mark.parametrize("name", FIELDS)
def test_every_pair_has_met_as_often_and_the_ratings_follow(name):
    row, field = rows()[name], FIELDS[name]
    wins, draws, count = np.array(row["wins"]), np.array(row["draws"]), len(row["names"])
    assert row["names"] == list(field.players) and not row["missing"] and not row["forfeits"]
    others = 1 - np.eye(count)
    assert (wins + wins.T + draws == field.games * others).all() and (draws == draws.T).all()
    assert row["games"] == field.games * count * (count - 1) // 2 == row["distinct"]
    # At the top of Davidson's likelihood everybody's expected score is his score, but for the
    # prior's pull (less than half a game) and the rounding of the stored ratings (half an Elo of
    # 174 to the unit, times a slope of at most a quarter).
    gap = np.subtract.outer(np.array(row["elo"], float), row["elo"])
    odds = np.stack([10 ** (gap / 800), np.full_like(gap, row["nu"]), 10 ** (-gap / 800)])
    expected = ((odds[0] + odds[1] / 2) / odds.sum(axis=0) * others).sum(axis=1) * field.games
    assert np.allclose(
        expected, (wins + draws / 2).sum(axis=1), atol=0.5 + 0.001 * field.games * (count - 1)
    )
    assert [round(elo) for elo in rated_row(row).elo.tolist()] == row["elo"]
    assert row["elo"][row["names"].index(row["anchor"])] == 0
    assert all(
        low <= elo <= high
        for low, elo, high in zip(row["low"], row["elo"], row["high"], strict=True)
    )


def test_a_program_that_is_not_installed_is_left_out_and_named(monkeypatch):
    def nowhere() -> str:
        raise EngineMissing("no such program")

    monkeypatch.setattr(gtp_engine, "find_gnugo", nowhere)
    agents, missing = FIELDS["go-9x9"].agents()
    assert missing == ["GNU Go 1"] and list(agents) == list(FIELDS["go-9x9"].players)[:-1]


def test_learning_and_thinking_together_lead():
    """What the lesson says: more simulations are stronger, a searching network leads,
    unbeatable players are equals.
    """
    for name, lower in (
        ("connect-four", ("UCT 1,000", "AlphaZero, glance")),
        ("go-5x5", ("UCT 300", "AlphaZero, glance")),
        ("go-9x9", ("RAVE 10,000", "GNU Go 1", "AlphaZero, glance")),
    ):
        rated = rated_row(rows()[name])
        best = int(rated.order[0])
        assert rated.names[best].startswith("AlphaZero ") and all(
            rated.apart(best, rated.names.index(x)) for x in lower
        )
    dice = rated_row(rows()["backgammon"])
    deep, flat = map(dice.names.index, ("TD-Gammon, 3-ply", "TD-Gammon"))
    assert dice.elo[deep] > dice.elo[flat] and dice.apart(deep, flat)
    assert rows()["backgammon"]["wins"][deep][flat] == 317
    assert not dice.apart(deep, dice.names.index("GNU Backgammon"))
    elo = dict(zip(rows()["connect-four"]["names"], rows()["connect-four"]["elo"], strict=True))
    climb = [elo["random"], *(elo[f"UCT {n}"] for n in ("10", "30", "100", "300", "1,000"))]
    assert climb == sorted(climb)
    small = rated_row(rows()["tic-tac-toe"])
    top = small.order[:7]
    assert small.elo[top].min() > 40 and not any(small.apart(a, b) for a in top for b in top)
    assert "perfect" in [small.names[k] for k in top]


@pytest.mark.slow
def test_tic_tac_toe_played_again_gives_the_same_ladder():
    """A network's last digits may change some games on another processor, and with them
    the searches' random numbers; two tables play the same games everywhere. Five
    standard errors are about 85 Elo."""
    stored, again = rows()["tic-tac-toe"], ladder(0)
    assert again["names"] == stored["names"] and again["games"] == stored["games"]
    assert np.allclose(again["elo"], stored["elo"], atol=85)
    a, b = (stored["names"].index(name) for name in ("afterstates", "Q-table"))
    assert (again["wins"][a][b], again["wins"][b][a]) == (
        stored["wins"][a][b],
        stored["wins"][b][a],
    )


@pytest.mark.parametrize(("name", "few", "enough"), [("go-5x5", 10, 30), ("go-9x9", 30, 100)])
def test_uct_with_fewer_simulations_than_moves_is_worse_than_random_play(name, few, enough):
    won = load_results("uct-on-go")["rows"][0][name]
    assert set(won) == {"first move", *FEW} and all(games == 200 for _, games, _ in won.values())
    assert few < FIELDS[name].game.num_actions
    assert wilson(won["first move"][0], 200)[1] < wilson(won[f"UCT {few}"][0], 200)[1] < 0.5
    assert wilson(won[f"UCT {enough}"][0], 200)[0] > 0.5


def test_the_first_move_is_the_legal_one_of_the_lowest_number():
    game = FIELDS["go-5x5"].game
    state = game.new_game().apply_move(game.move(game.new_game(), 0))
    assert game.action(FirstMove(game).select_move(state)) == 1
