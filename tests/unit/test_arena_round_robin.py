"""A tournament: both sides of every opening, errors that cost only their own games,
runs that are cut and go on.
"""

import threading
from itertools import combinations

import numpy as np
import pytest

from rlcourse.agents import make_agent
from rlcourse.agents.base import BatchAgent, Decision
from rlcourse.arena import Forfeit, play_games, play_match
from rlcourse.games import get_game
from rlcourse.round_robin import blocks, openings, round_robin

GAME = get_game("connect-four")
TTT = get_game("tic-tac-toe")


class Lowest(BatchAgent):
    """Plays the lowest legal action; `trouble(batch, rows)` may raise. asked: how
    many positions it has seen.
    """

    name = "lowest"

    def __init__(self, trouble=lambda batch, rows: None, game=GAME, digest="1"):
        super().__init__(game)
        self.trouble, self.digest, self.asked, self.hooks = trouble, digest, 0, []

    def fingerprint(self):
        return self.digest

    def begin(self, seed):
        self.hooks.append("begin")

    def rest(self):
        self.hooks.append("rest")

    def decide(self, batch, rows, rng):
        self.asked += len(rows)
        self.trouble(batch, rows)
        return Decision(batch.legal(rows).argmax(axis=1).astype(np.int32))


def fails(error):
    """Trouble in every position with a stone on d1."""

    def trouble(batch, rows):
        if (batch.cells[rows, 38] != 0).any():
            raise error("d1 is taken")

    return trouble


@pytest.mark.parametrize(
    ("players", "together"), [(2, 24), (5, 10), (10, 4), (11, 5), (66, 24), (7, 2)]
)
def test_every_pair_is_in_one_block_and_no_block_is_too_large(players, together):
    found = list(blocks(players, together))
    pairs = [tuple(sorted(pair)) for _, some in found for pair in some]
    assert sorted(pairs) == list(combinations(range(players), 2))
    for members, some in found:
        assert (
            len(members) <= max(2, together)
            and {player for pair in some for player in pair} <= members
        )


@pytest.mark.parametrize(
    ("game", "plies"), [(GAME, 4), (TTT, 2), (get_game("go", size=5), 2), (GAME, 8)]
)
def test_openings_are_legal_open_and_different(game, plies):
    drawn = openings(game, 20, plies, np.random.default_rng(0))
    batch = game.new_batch(20)
    batch.replay(game.new_batch(20), drawn, np.full(20, plies))  # raises for an illegal action
    assert (
        drawn.shape == (20, plies) and not batch.done.any() and len(np.unique(drawn, axis=0)) == 20
    )


def test_openings_that_are_too_long_or_few():
    assert (
        len(np.unique(openings(TTT, 80, 2, np.random.default_rng(0)), axis=0)) == 72
    )  # 9 * 8: there are no more
    assert openings(TTT, 3, 0, np.random.default_rng(0)).shape == (3, 0)
    with pytest.raises(ValueError, match="too many for an opening"):
        openings(TTT, 2, 9, np.random.default_rng(0))


def test_both_players_get_each_opening():
    """Two players that are alike: every opening is won once by each, so every score is a
    half, whatever the opening.
    """
    done = round_robin({"a": Lowest(), "b": Lowest(), "c": Lowest()}, games=20, seed=1)
    wins, draws = done.counts()
    assert (wins == wins.T).all() and (wins + draws / 2 + 10 * np.eye(3) == 10).all()
    assert done.ladder().elo == pytest.approx(np.zeros(3), abs=1e-6)
    for seat in done.seats:
        assert np.bincount(seat).tolist() == [20, 20, 20]


def test_the_same_game_again_is_told(tmp_path):
    """Without chance and without openings a pair has two games, one with either side,
    however often it plays them.
    """
    players = {name: Lowest() for name in "abc"}
    again = round_robin(players, games=10, opening=0)
    assert again.distinct == 3 * 2 and np.bincount(again.line).max() == 5
    other = round_robin(players, games=10, opening=4, folder=tmp_path, together=2)
    assert other.distinct == len(other.points) == 30
    assert (
        round_robin(players, games=10, opening=4, folder=tmp_path, together=2).line == other.line
    ).all()


def test_points_belong_to_who_moved_first_and_openings_count():
    players = {"random": make_agent("random", GAME), "uct": make_agent("uct", GAME, simulations=40)}
    done = round_robin(players, games=20, opening=0)
    uct = np.where(done.seats[0] == 1, done.points, -done.points)
    assert uct.sum() > 12 and done.counts()[0][1, 0] == (uct > 0).sum() and (done.plies >= 7).all()
    assert done.first_wins() == ((done.points > 0).sum(), (done.points != 0).sum())


@pytest.mark.parametrize("error", [ValueError, MemoryError])
def test_an_error_loses_its_game_and_no_other(error):
    """Lowest plays d1 itself only after a to c are full, which no game reaches: so it
    fails where the opening has d1.
    """
    done = round_robin(
        {"bad": Lowest(fails(error)), "good": Lowest(), "other": Lowest()}, games=20, seed=3
    )
    bad = done.culprit == 0
    assert (
        bad.any()
        and (done.culprit[~bad] == -1).all()
        and not bad[(done.seats != 0).all(axis=0)].any()
    )
    assert (done.points[bad] == np.where(done.seats[0, bad] == 0, -1, 1)).all()
    ((name, reasons),) = done.forfeits().items()
    assert name == "bad" and reasons == {f"raised {error.__name__}: d1 is taken": int(bad.sum())}
    played = (done.seats == 0).any(axis=0) & ~bad
    assert played.any(), "games without d1 were played to their end"


def test_an_answer_of_another_shape_and_an_illegal_one_are_told():
    class Odd(Lowest):
        """One action too many for several positions, an illegal one for a single position."""

        def decide(self, batch, rows, rng):
            return Decision(np.full(len(rows) + (len(rows) > 1), 9))

    told = round_robin({"odd": Odd(), "good": Lowest()}, games=6).forfeits()
    assert told == {"odd": {"played 9, which is not legal": 6}}


def test_a_forfeit_in_some_rows_keeps_the_answers_of_the_others():
    def trouble(batch, rows):
        raise Forfeit(np.where(np.arange(len(rows)) == 0, -1, 3), {0: "lost the thread"})

    played = play_games(
        [Lowest(trouble), Lowest()], np.array([[0] * 5, [1] * 5]), [None, None], forgive=False
    )
    # One game a turn is lost, d1 to d3 are played in the others, and the
    # last one is won by d4 first.
    assert played.culprit.tolist() == [0, 0, 0, 0, -1] and set(played.reasons.values()) == {
        "lost the thread"
    }
    assert played.plies.tolist() == [0, 2, 4, 6, 7] and played.points.tolist() == [
        -1,
        -1,
        -1,
        -1,
        1,
    ]


def test_errors_are_raised_in_a_match_and_an_interrupt_everywhere():
    with pytest.raises(ZeroDivisionError):
        play_match(Lowest(fails(ZeroDivisionError)), make_agent("random", GAME), games=40, seed=0)
    with pytest.raises(KeyboardInterrupt):
        round_robin(
            {"a": Lowest(fails(KeyboardInterrupt)), "b": make_agent("random", GAME)}, games=40
        )


def test_a_run_that_was_cut_goes_on_and_gives_the_same_games(tmp_path):
    def class_(fourth):
        return {
            "a": Lowest(),
            "b": make_agent("random", GAME),
            "c": Lowest(digest="2"),
            "d": fourth,
        }

    whole = round_robin(class_(Lowest()), games=4, together=2)
    seen = []
    with pytest.raises(KeyboardInterrupt):
        round_robin(
            class_(Lowest(fails(KeyboardInterrupt))),
            games=4,
            together=2,
            folder=tmp_path,
            progress=seen.append,
        )
    kept = sorted(tmp_path.iterdir())
    assert 0 < len(kept) < 6  # of the six blocks
    again = class_(Lowest())
    done = round_robin(again, games=4, together=2, folder=tmp_path)
    for field in ("seats", "points", "plies", "culprit"):
        assert (getattr(done, field) == getattr(whole, field)).all()
    kept[0].write_bytes(b"cut")
    before = again["a"].asked
    assert (round_robin(again, games=4, together=2, folder=tmp_path).points == whole.points).all()
    assert again["a"].asked <= before + 60  # one block, or none of his, was played again


def test_a_player_who_changed_costs_only_his_own_blocks(tmp_path):
    first = {name: Lowest() for name in "abcd"}
    round_robin(first, games=2, together=2, folder=tmp_path)
    second = {name: Lowest() for name in "abc"} | {"d": Lowest(digest="another")}
    round_robin(second, games=2, together=2, folder=tmp_path)
    assert len(list(tmp_path.iterdir())) == 6 + 3
    assert second["d"].asked == sum(second[name].asked for name in "abc") > 0
    other = {name: Lowest() for name in "abcd"}
    round_robin(other, games=2, seed=1, together=2, folder=tmp_path)
    assert all(player.asked for player in other.values())


def test_players_rest_when_a_block_does_without_them():
    players = {name: Lowest() for name in "abc"}
    round_robin(players, games=2, together=2)
    # Together play a and b, then a and c, then b and c.
    assert [player.hooks for player in players.values()] == [
        ["begin", "begin", "rest", "rest"],
        ["begin", "rest", "begin", "rest"],
        ["rest", "begin", "begin", "rest"],
    ]


def test_several_at_a_time_give_the_same_games():
    threads = set()

    def note(batch, rows):
        threads.add(threading.current_thread().name)

    one, two = (
        round_robin(
            {"a": Lowest(note), "b": make_agent("random", GAME), "c": Lowest()}, games=8, jobs=jobs
        )
        for jobs in (1, 3)
    )
    assert (one.points == two.points).all() and (one.plies == two.plies).all()
    assert any(name.startswith("player") for name in threads)


def test_progress_counts_every_game_once(tmp_path):
    for _ in range(2):  # played, then found again
        seen = []
        round_robin(
            {name: Lowest() for name in "abc"}, games=6, folder=tmp_path, progress=seen.append
        )
        assert sum(seen) == 18


def test_a_game_with_dice():
    game = get_game("backgammon")
    done = round_robin({"a": make_agent("random", game), "b": make_agent("random", game)}, games=10)
    assert set(np.abs(done.points)) <= {1, 2, 3} and len(np.unique(done.plies)) > 1


@pytest.mark.parametrize("games", [0, 3])
def test_what_is_no_tournament_is_refused(games):
    with pytest.raises(ValueError, match="an even number of games"):
        round_robin({"a": Lowest(), "b": Lowest()}, games=games)
    with pytest.raises(ValueError, match="wants two players"):
        round_robin({"a": Lowest()})
    with pytest.raises(ValueError, match="cannot meet"):
        round_robin({"a": Lowest(), "b": Lowest(game=TTT)})
