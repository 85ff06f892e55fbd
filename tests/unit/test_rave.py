"""Search without learning on Go: its tactics against the plain board, its shapes by hand, and laws of
the search.
"""

from pathlib import Path

import numpy as np
import pytest

from rlcourse.agents import agent_names, load_agent, make_agent
from rlcourse.agents.rave import RaveAgent
from rlcourse.arena import wilson
from rlcourse.games import from_recipe, get_game
from rlcourse.games import go_kernels as kernels
from rlcourse.games.go import Move, Point, go_position
from rlcourse.games.go_patterns import patterns
from rlcourse.judges.forced_go import forced_positions
from rlcourse.judges.random_play import judge_against_random
from rlcourse.results import load_results
from rlcourse.storage import load

ROOT = Path(__file__).parents[2]
SMALL = get_game("go", size=5)
RNG = np.random.default_rng(5)


def random_batch(size: int, games: int, plies: int):
    """Games after 0 to `plies` sensible plies each, those that have ended left out."""
    batch = get_game("go", size=size).new_batch(games)
    player = make_agent("random", get_game("go", size=size))
    stops = RNG.integers(0, plies, games)
    for ply in range(plies):
        rows = np.flatnonzero(~batch.done & (stops > ply))
        actions = np.full(games, -1, np.int64)
        if len(rows):
            actions[rows] = player.decide(batch, rows, RNG).action
            batch.step(actions)
    return batch.take(np.flatnonzero(~batch.done))


def test_atari_and_self_atari_are_those_of_the_plain_board():
    """The book's `Board` keeps sets of liberties, and the kernels count pairs."""
    batch = random_batch(6, 60, 50)
    seen = {"atari": 0, "self-atari": 0, "captures": 0}
    for row in range(len(batch)):
        state = go_position(batch.state(row))
        board, colour = batch.board[row], 1 + int(batch.to_play[row])
        for action, (r, c) in enumerate(np.ndindex(6, 6)):
            point = Point(6 - r, c + 1)
            group = state.board.get_go_string(point)
            if group is not None:
                only = kernels.only_liberty(board, batch.rules.around, board[kernels.HEAD, action])
                in_atari = len(group.liberties) == 1
                assert (only != kernels.NONE) == in_atari
                if in_atari:
                    (last,) = group.liberties
                    assert only == (6 - last.row) * 6 + last.col - 1
                    seen["atari"] += 1
            elif state.is_valid_move(Move.play(point)):
                after = state.apply_move(Move.play(point))
                few = len(after.board.get_go_string(point).liberties) < 2
                is_few = kernels.is_self_atari(board, batch.rules.around, action, colour)
                assert is_few == few, (state.recipe(), str(point))
                seen["self-atari"] += few
                seen["captures"] += after.captured != state.captured
    assert min(seen.values()) > 30, seen


@pytest.mark.parametrize(
    ("rows", "fits"),
    [
        ("XOX/.../...", True),  # a hane round a stone that two others hold
        ("XO./X../...", True),  # magari
        ("XO./O../...", True),  # the cut of two stones
        ("XO./O../.O.", False),  # a cut that is already protected
        ("XXX/.../...", False),
        (".../.../...", False),
    ],
)
def test_shapes_by_hand(rows, fits):
    letters = rows.replace("/", "")
    places = (1, 5, 7, 3, 0, 2, 8, 6)  # north, east, south, west, then the corners clockwise
    for colours in (".XO", ".OX"):
        code = sum(colours.index(letters[at]) << (2 * k) for k, at in enumerate(places))
        assert bool(patterns()[code]) == fits


def test_a_shape_holds_for_both_colours_turned_and_mirrored():
    table = patterns()
    codes = np.arange(1 << 16)
    digits = codes[:, None] >> 2 * np.arange(8) & 3

    def numbered(cells: np.ndarray) -> np.ndarray:
        return (cells << 2 * np.arange(8)).sum(axis=1)

    turned = numbered(digits[:, [3, 0, 1, 2, 7, 4, 5, 6]])
    mirrored = numbered(digits[:, [0, 3, 2, 1, 5, 4, 7, 6]])
    exchanged = numbered(np.array([0, 2, 1, 3])[digits])
    for image in (turned, mirrored, exchanged):
        assert (table[image] == table).all()
    assert 0.1 < table.mean() < 0.5


def ends(batch, row: int, atari: bool, shapes: np.ndarray, games: int) -> float:
    """Share of guided games from this position that Black wins."""
    rules, points = batch.rules, batch.rules.num_actions - 1
    won = 0
    for seed in range(games):
        won += (
            kernels._guided_game(
                batch.board[row].copy(),
                batch.hashes[row].copy(),
                rules.around,
                (1 + int(batch.to_play[row]), points, 0),
                4 * points,
                float(rules.komi),
                np.uint64(seed << 40),
                atari,
                shapes,
                np.zeros(points, np.int8),
                np.empty((4, points + 8), np.uint16),
            )
            > 0
        )
    return won / games


def test_without_guides_a_guided_game_is_a_random_one():
    """Same chances as `playouts`, within four standard errors of each of eight positions."""
    batch = random_batch(5, 8, 12)
    games = 1_000
    for row in range(len(batch)):
        plain = batch.take(np.full(games, row))
        chance = (plain.playouts(np.arange(games)) > 0).mean()
        error = np.sqrt(2 * max(chance * (1 - chance), 0.01) / games)
        assert abs(ends(batch, row, False, patterns()[:0], games) - chance) < 4 * error


def test_exchanged_colours_exchange_the_chances():
    """Without komi, what Black has in a position White has in the one of the other colours."""
    black = from_recipe("go size=5 komi=0.5:...../.XOX./..XO./.OX../..... X")
    white = from_recipe("go size=5 komi=-0.5:...../.OXO./..OX./.XO../..... O")
    shares = []
    for state in (black, white):
        batch = get_game("go", **state.options).new_batch(1)
        batch.load(0, state)
        shares.append(ends(batch, 0, True, patterns(), 1_000))
    assert abs(shares[0] - (1 - shares[1])) < 4 * np.sqrt(2 * 0.25 / 1_000)


@pytest.mark.parametrize("size", [2, 3, 5, 9, 13])
def test_the_visits_are_the_simulations_and_only_on_sensible_moves(size):
    batch = random_batch(size, 30 if size < 9 else 4, 8 * size)
    agent = RaveAgent(get_game("go", size=size), simulations=60)
    decision = agent.decide(batch, np.arange(len(batch)), np.random.default_rng(0))
    sensible = batch.sensible()
    sensible[:, -1] = True  # a pass may always be tried
    assert (decision.visits.sum(axis=1) == 60).all() and not decision.visits[~sensible].any()
    assert (np.isnan(decision.q) == (decision.visits == 0)).all()
    assert np.nanmax(np.abs(decision.q)) <= 1 and (np.abs(decision.value) <= 1).all()


def test_a_row_is_searched_as_if_it_were_alone():
    batch = random_batch(5, 6, 20)
    rows = np.arange(len(batch))
    together = RaveAgent(SMALL, simulations=80).decide(batch, rows, np.random.default_rng(3))
    first = RaveAgent(SMALL, simulations=80).decide(
        batch.take(rows[:1]), rows[:1], np.random.default_rng(3)
    )
    assert (first.visits[0] == together.visits[0]).all()
    before = batch.board.copy()
    RaveAgent(SMALL, simulations=80).decide(batch, rows, np.random.default_rng(3))
    assert (batch.board == before).all()


PARTS = ("rave", "patterns", "atari", "priors")


@pytest.mark.parametrize("part", PARTS)
def test_every_part_takes_part(part):
    """Without it the same simulations go elsewhere, and still all of them are counted."""
    batch = random_batch(5, 4, 10)
    rows = np.arange(len(batch))
    with_it, without = (
        RaveAgent(SMALL, simulations=200, **{part: on}).decide(
            batch, rows, np.random.default_rng(1)
        )
        for on in (True, False)
    )
    assert (with_it.visits != without.visits).any()
    assert (without.visits.sum(axis=1) == 200).all()


def test_it_saves_stones_where_they_decide_the_game():
    """Which forced moves decide is asked of the course's UCT, whose games are random."""
    positions = forced_positions(SMALL, 60)
    forced = np.array([position.action for position in positions])
    batch, rows = SMALL.new_batch(60), np.arange(60)
    for row, position in enumerate(positions):
        batch.load(row, position.state)
    judged = make_agent("uct", SMALL, simulations=2_000).decide(batch, rows, RNG)
    others = np.where(judged.visits < 20, -1, judged.q)
    others[rows, forced] = -1
    decides = judged.q[rows, forced] > others.max(axis=1) + 0.3
    assert decides.sum() >= 20
    played = RaveAgent(SMALL, simulations=400).decide(batch, rows, np.random.default_rng(0)).action
    assert (played != forced)[decides].mean() <= 0.1


def test_it_passes_when_the_pass_wins_and_plays_on_when_it_does_not():
    """After White's pass the board is counted as it stands: all 25 points are Black's."""
    wall = "..X../..X../..X../..X../..X.."
    for komi, passes in ((7.5, True), (25.5, False)):
        state = from_recipe(f"go size=5 komi={komi}:{wall} O").apply_move(Move.pass_turn())
        agent = RaveAgent(get_game("go", size=5, komi=komi), simulations=300)
        decision = agent.think(state)
        assert (decision.action[0] == 25) == passes


def test_it_beats_random_play():
    verdict = judge_against_random(RaveAgent(SMALL, simulations=30), games=40, seed=0)
    assert verdict.wins > 0.9


def test_it_is_found_by_name_and_kept_in_a_file(tmp_path):
    from rlcourse.agents import save_agent

    assert "go/rave" in agent_names(get_game("go", size=9)) and "go/rave" in agent_names(SMALL)
    agent = load_agent("go/rave", size=7, simulations=12, priors=False)
    save_agent(agent, tmp_path / "mine.h5")
    again = load_agent(tmp_path / "mine.h5")
    assert again.options() == agent.options() and again.game == agent.game
    assert load(tmp_path / "mine.h5", "agent").meta["agent"] == "rave"
    assert again.with_simulations(5).simulations == 5 and again.simulations == 12
    drawn = again.at_temperature(1).think(again.game.new_game())
    assert np.allclose(drawn.policy, drawn.visits / 12)


@pytest.mark.parametrize(
    ("game", "options", "error"),
    [
        ("connect-four", {}, "knows go, not connect-four"),
        ("go", {"simulations": 0}, "1 or more; got 0"),
        ("go", {"simulations": 2.5}, "whole number"),
    ],
)
def test_what_it_cannot_play_is_refused(game, options, error):
    with pytest.raises(ValueError, match=error):
        make_agent("rave", get_game(game), **options)


CHANGELOG = " ".join((ROOT / "CHANGELOG.md").read_text("utf-8").split())


def games(matches):
    """Won and played in all stored matches; none was drawn, and no game was played twice."""
    sides = [match[side] for match in matches for side in ("as_black", "as_white")]
    won, lost, drawn = map(sum, zip(*sides, strict=True))
    assert drawn == 0 and all(match["distinct"] == 20 for match in matches)
    return won, won + lost


def test_the_changelog_says_what_the_stored_games_with_gnu_go_say():
    for level, text in (
        (
            1,
            "won {} of {} games ({:.0%}, 95% interval [{:.0%}, {:.0%}]) against GNU Go at level 1,",
        ),
        (10, "and {} of {} ({:.0%} [{:.0%}, {:.0%}]) at level 10"),
    ):
        won, played = games(load_results(f"rave-gnugo-{level}")["rows"])
        assert text.format(won, played, won / played, *wilson(won, played)) in CHANGELOG


def test_the_changelog_says_what_the_stored_games_say_of_each_part():
    rows = load_results("rave-ablation")["rows"]
    won = {}
    for arm in rows[0]["arms"]:
        won[arm], played = games([row["arms"][arm] for row in rows])
        assert played == 60
    assert f"won {won['all parts']} of 60 games, without RAVE {won['no RAVE']}, and" in CHANGELOG
    assert won["plain UCT"] == 0
    bonus = won["no RAVE, but UCB1's bonus"]
    assert (
        f"won {won['no patterns']} without patterns, {won['no answers to atari']} without answers "
        f"to atari, {won['no priors']} without priors, {bonus} with "
        "UCB1's bonus in place of RAVE" in CHANGELOG
    )
    told = {arm for arm in won if wilson(won[arm], 60)[1] < wilson(won["all parts"], 60)[0]}
    assert told == {"no RAVE", "plain UCT"}
