"""The games as PettingZoo and Gymnasium see them: these libraries' own tests, and the course's rules
step by step.
"""

import copy
import pickle
import re
import warnings
from pathlib import Path

import numpy as np
import pytest
from gymnasium.error import InvalidAction, ResetNeeded
from gymnasium.utils.env_checker import check_env
from pettingzoo.test import api_test, seed_test

from rlcourse.agents import RandomAgent, load_agent
from rlcourse.games import IllegalMove, from_recipe, get_game
from rlcourse.games.backgammon import units
from rlcourse.views.gym import AgainstOpponent
from rlcourse.views.table import Turns, new_table, number
from rlcourse.views.zoo import env, raw_env
from tests.oracles.backgammon_positions import position

PROJECT = Path(__file__).resolve().parents[2]
GRIDS = [("tic-tac-toe", {}), ("connect-four", {}), ("go", {}), ("go", {"size": 3, "komi": 0.5})]
GAMES = [*GRIDS, ("backgammon", {})]
games = pytest.mark.parametrize(("game", "options"), GAMES)
# PettingZoo says these of each environment whose observations are dicts and that is not its own;
# and an empty board is all zeros.
ALLOWED = (
    "Observation is not a NumPy array|Observation space for each agent probably should be "
    "gymnasium.spaces.box or gymnasium.spaces.discrete|Observation numpy array is all zeros."
)
# Gymnasium would like to make the environment itself, by a registered name.
UNREGISTERED = ".*environment not having a spec"


def messages(caught):
    return [str(each.message) for each in caught]


@games
def test_pettingzoos_own_tests(game, options):
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        api_test(env(game, **options), num_cycles=200)
        seed_test(lambda: env(game, **options))
    assert [said for said in messages(caught) if not re.fullmatch(ALLOWED, said)] == []


@games
@pytest.mark.parametrize("player", [0, 1])
def test_gymnasiums_own_test(game, options, player):
    opponent = RandomAgent(get_game(game, **options))
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        check_env(AgainstOpponent(opponent, player=player, render_mode="ansi"))
    assert [said for said in messages(caught) if not re.match(UNREGISTERED, said)] == []


def played(environment, rng, seed):
    """A game of random legal actions: (environment, action) before each."""
    environment.reset(seed=seed)
    for agent in environment.agent_iter():
        observation, reward, over, cut, _ = environment.last()
        if over or cut:
            points = environment.table.state.points
            assert reward == (points if agent == "player_0" else -points)
            environment.step(None)
            continue
        other = environment.possible_agents[agent == "player_0"]
        assert not environment.observe(other)["action_mask"].any() and reward == 0
        action = int(rng.choice(np.flatnonzero(observation["action_mask"])))
        yield observation, action
        environment.step(action)


@pytest.mark.parametrize(("game", "options"), GRIDS)
def test_random_games_are_the_courses_own(game, options, pytestconfig):
    """Each action, position, observation and result; `--games 10000` plays as many."""
    rules, environment, rng = (
        get_game(game, **options),
        raw_env(game, **options),
        np.random.default_rng(1),
    )
    count, cut, steps = max(20, pytestconfig.getoption("--games")), 0, 0
    for seed in range(count):
        state = rules.new_game()
        for observation, action in played(environment, rng, seed):
            legal = [rules.action(move) for move in state.legal_moves()]
            assert np.flatnonzero(observation["action_mask"]).tolist() == sorted(legal)
            own, other = np.moveaxis(observation["observation"][..., :2], -1, 0)
            batch = rules.new_batch(1)
            batch.load(0, state)
            cells = batch.cells[0].reshape(rules.board)
            assert (own == (cells == 1 + state.next_player)).all()
            assert (other == (cells == 2 - state.next_player)).all()
            state, steps = state.apply_move(rules.move(state, action)), steps + 1
        assert environment.table.state == state and state.is_over()
        assert not environment.agents
        cut += environment.table.truncated
    print(f"{game} {options}: {count:,} games, {steps:,} steps, {cut} cut off, all equal")


def test_random_games_of_backgammon_are_the_courses_own(pytestconfig):
    """Against the rules in lock-step, which have their own generator of moves and dice."""
    environment, rng = raw_env("backgammon"), np.random.default_rng(1)
    count = max(20, pytestconfig.getoption("--games"))
    steps = turns = 0
    for seed in range(count):
        batch, dice = get_game("backgammon").new_batch(1), np.random.default_rng(seed)
        batch.roll(dice)
        table, last, board = environment.table, None, None
        for observation, action in played(environment, rng, seed):
            if table.state is not last:
                if last is not None:
                    follow(batch, board, dice)
                last, turns = table.state, turns + 1
                assert batch.state(0) == last
            left = table.view(0)[-6:]
            assert left.sum() <= 4 and set(np.flatnonzero(left) + 1) <= set(last.dice)
            board = last.play_steps((*table._played, *table._legal[action]))[0]
            steps += 1
        follow(batch, board, dice)
        assert batch.done[0] and batch.state(0) == table.state
    print(f"backgammon: {count:,} games, {turns:,} turns, {steps:,} steps, all equal")


def follow(batch, board, dice):
    """Play the turn that led to this board."""
    boards = batch.afterstate_boards()[0]
    [choice] = np.flatnonzero((boards == board).all(axis=(1, 2)))
    batch.step(np.array([choice]))
    batch.roll(dice)


def table_at(recipe):
    """A table of backgammon at that position."""
    table = new_table(get_game("backgammon"))
    table.reset(np.random.default_rng(0))
    table._begin(from_recipe(recipe))
    return table


def legal(table):
    return np.flatnonzero(table.mask()).tolist()


def test_the_numbers_of_steps():
    """24/18 is 6 * 23 + 5 = 143, the bar's 25/20 is 6 * 24 + 4 = 148, and 3/off goes three points."""
    assert number((24, 18)) == 143 and number((25, 20)) == 148
    assert number((3, 0)) == 14 == 6 * 2 + 2 and number((6, 5)) == 30
    every = {number((start, max(0, start - die))) for start in range(1, 26) for die in range(1, 7)}
    assert len(every) == 25 * 6 - 15 and max(every) == Turns.PASS - 1 == 149  # 1 + ... + 5 unused


def test_the_first_turn_of_backgammon():
    """With 3 and 1 the steps from 24, 8 and 6 go three or one; 13/12 is blocked by five checkers."""
    table = table_at("backgammon:4HPwATDgc/ABMA:0:31")
    steps = {(24, 23), (24, 21), (13, 10), (8, 7), (8, 5), (6, 5), (6, 3)}
    assert legal(table) == sorted(map(number, steps))
    assert table.view(0)[-6:].tolist() == [1, 0, 1, 0, 0, 0]
    for player in (0, 1):
        seen = units(table.state.checkers[None], player, 0)[0]
        assert (table.view(player)[:-6] == seen).all()
    assert (table.view(0)[196:198].tolist(), table.view(1)[196:198].tolist()) == ([1, 0], [0, 1])
    table.step(number((8, 5)))
    assert table.view(1)[-6:].tolist() == [1, 0, 0, 0, 0, 0] and table.state.next_player == 0
    assert set(legal(table)) < {number((start, start - 1)) for start in range(1, 25)}
    table.step(number((6, 5)))
    assert table.state.next_player == 1 and table.view(0)[-6:].sum() in (2, 4)


def test_a_pass_is_an_action():
    """Checkers on the bar against six closed points."""
    closed = dict.fromkeys(range(1, 7), 2) | {7: 3}
    table = table_at(position(closed, {25: 1}, (6, 5), player=1).recipe())
    assert legal(table) == [Turns.PASS]
    table.step(Turns.PASS)
    assert table.state.next_player == 0


def test_what_is_seen_of_connect_four():
    table = new_table(get_game("connect-four"))
    table.reset(np.random.default_rng(0))
    table.step(3)
    first, second = table.view(0), table.view(1)
    assert first.shape == (6, 7, 2) and first.sum() == 1 and first[5, 3, 0] == 1
    assert (second[..., ::-1] == first).all() and table.state.next_player == 1


def test_what_is_seen_of_go():
    """After B2, pass and A1 on 3 x 3 the newest board is Black's two stones, the two before it one."""
    table = new_table(get_game("go", size=3))
    table.reset(np.random.default_rng(0))
    for action in (4, 9, 6):
        table.step(action)
    white = table.view(1)
    assert white.shape == (3, 3, 17) and not white[..., 0].any() and not white[..., -1].any()
    assert white[..., [1, 3, 5, 7]].sum(axis=(0, 1)).tolist() == [2, 1, 1, 0]
    assert white[2, 0, 1] == 1 == white[1, 1, 5] and table.view(0)[..., -1].all()


def test_a_game_that_is_cut_off_is_truncated():
    """Who never passes while a stone can be set comes to the cap of plies sooner or later."""
    environment, rng = raw_env("go", size=3), np.random.default_rng(0)
    for seed in range(500):
        environment.reset(seed=seed)
        while not environment.table.state.is_over():
            mask = environment.observe(environment.agent_selection)["action_mask"]
            stones = np.flatnonzero(mask[:-1])
            environment.step(int(rng.choice(stones)) if len(stones) else 9)
        if environment.table.truncated:
            assert all(environment.truncations.values())
            assert not any(environment.terminations.values())
            return
    pytest.fail("no game was cut off")


@games
def test_an_illegal_action_loses_by_the_most(game, options):
    wrapped = env(game, **options)
    wrapped.reset(seed=0)
    while wrapped.last()[0]["action_mask"].all():  # Connect Four: until a column is full
        wrapped.step(0)
    sinner = wrapped.agent_selection
    wrapped.step(int(np.flatnonzero(wrapped.last()[0]["action_mask"] == 0)[0]))
    assert wrapped.rewards[sinner] == (-3 if game == "backgammon" else -1)
    assert all(wrapped.terminations.values())


NO_ACTION = [(-1, IllegalMove), (100_000, IllegalMove)]
NO_NUMBER = [(action, TypeError) for action in (1.5, "4", None)]


@games
@pytest.mark.parametrize(("action", "error"), NO_ACTION + NO_NUMBER)
def test_what_is_no_action_is_refused(game, options, action, error):
    bare = raw_env(game, **options)
    bare.reset(seed=0)
    before = bare.table.state
    with pytest.raises(error, match="integer" if error is TypeError else str(action)):
        bare.step(action)
    assert bare.table.state == before


@games
@pytest.mark.parametrize("action", [-1, 100_000, 1.5, "4", None])
def test_an_action_that_the_space_has_not_is_an_error_and_no_loss(game, options, action):
    environment = AgainstOpponent(RandomAgent(get_game(game, **options)))
    environment.reset(seed=0)
    before = environment.table.state
    with pytest.raises(InvalidAction, match=re.escape(f"{action!r} is no action; they are 0 to")):
        environment.step(action)
    assert environment.table.state == before


COPIES = {"pickle": lambda env: pickle.loads(pickle.dumps(env)), "copy": copy.deepcopy}


@games
@pytest.mark.parametrize("again", COPIES.values(), ids=COPIES)
def test_a_copy_in_the_middle_of_a_game_plays_it_to_the_same_end(game, options, again):
    bare = raw_env(game, "ansi", **options)
    first = played(bare, np.random.default_rng(0), 4)
    for _ in range(4):
        next(first)
    other = again(bare)
    assert other.render() == bare.render()
    for environment in (bare, other):
        rng = np.random.default_rng(1)
        while environment.agents:
            seen, _, over, cut, _ = environment.last()
            legal = np.flatnonzero(seen["action_mask"])
            environment.step(None if over or cut else int(rng.choice(legal)))
    assert other.table.state == bare.table.state and other.table.state.is_over()


@games
@pytest.mark.parametrize("again", COPIES.values(), ids=COPIES)
def test_a_copy_takes_its_opponent_along(game, options, again):
    environment = AgainstOpponent(RandomAgent(get_game(game, **options)))
    _, info = environment.reset(seed=4)
    *_, info = environment.step(int(np.flatnonzero(info["action_mask"])[0]))
    other, action = again(environment), int(np.flatnonzero(info["action_mask"])[0])
    (seen, *_, info), (other_seen, *_, other_info) = environment.step(action), other.step(action)
    assert (seen == other_seen).all()
    assert (info["action_mask"] == other_info["action_mask"]).all()


def test_each_checker_that_moves_is_seen_on_the_board():
    """With 3 and 1 the step 8/5 leaves two checkers on 8 and one on 5, and the die of 1."""
    bare = raw_env("backgammon", "ansi")
    bare.reset(seed=0)
    bare.table._begin(from_recipe("backgammon:4HPwATDgc/ABMA:0:31"))
    assert bare.render() == str(bare.table.state)
    bare.step(number((8, 5)))
    *_, lower, _, _, _, turn = bare.render().splitlines()
    assert lower.split() == "O5 . . . X2 . | X5 X1 . . . O2".split()
    assert turn == "X to play 3-1, left: 1"


def test_the_dice_come_from_the_seed_alone():
    first, second, thrown = raw_env("backgammon"), raw_env("backgammon"), set()
    for seed in (*range(60), None):  # None goes on with what the seed before it has left
        first.reset(seed=seed)
        second.reset(seed=seed)
        assert first.table.state == second.table.state
        thrown.add(first.table.state.dice)
    assert len(thrown) > 10


def outcome(environment, seed, rng):
    """(the observations, the last reward) of a game of random legal actions."""
    observation, info = environment.reset(seed=seed)
    seen, over = [observation], False
    while not over:
        action = rng.choice(np.flatnonzero(info["action_mask"]))
        observation, reward, ended, cut, info = environment.step(action)
        assert (environment.action_masks() == info["action_mask"]).all()
        seen.append(observation)
        over = ended or cut
        assert over or reward == 0
    return seen, reward


@games
def test_a_seed_is_a_whole_game_against_an_opponent(game, options):
    opponent = RandomAgent(get_game(game, **options), seed=9)
    before = opponent.rng.bit_generator.state
    environments = [AgainstOpponent(opponent, player=player) for player in (0, 1)]
    for environment in environments:
        first, won = outcome(environment, 3, np.random.default_rng(0))
        second, again = outcome(environment, 3, np.random.default_rng(0))
        assert won == again and all((a == b).all() for a, b in zip(first, second, strict=True))
        assert won == (1 - 2 * environment.player) * environment.table.state.points
    assert opponent.rng.bit_generator.state == before, "the opponent is a copy"


@pytest.mark.parametrize("player", [0, 1])
def test_nobody_beats_the_perfect_opponent(player):
    environment, rng = (
        AgainstOpponent(load_agent("tic-tac-toe/perfect"), player=player),
        np.random.default_rng(0),
    )
    rewards = [outcome(environment, seed, rng)[1] for seed in range(50)]
    assert max(rewards) == 0 and min(rewards) == -1


@games
def test_an_illegal_action_ends_the_game_against_an_opponent(game, options):
    environment = AgainstOpponent(RandomAgent(get_game(game, **options)), player=1)
    _, info = environment.reset(seed=0)
    while info["action_mask"].all():  # Connect Four: until a column is full
        *_, info = environment.step(0)
    _, reward, over, cut, _ = environment.step(int(np.flatnonzero(info["action_mask"] == 0)[0]))
    assert (reward, over, cut) == (-3 if game == "backgammon" else -1, True, False)


@games
@pytest.mark.parametrize("player", [0, 1])
def test_no_step_before_a_game_and_none_after_its_end(game, options, player):
    environment = AgainstOpponent(RandomAgent(get_game(game, **options)), player=player)
    with pytest.raises(ResetNeeded, match="call reset"):
        environment.step(0)
    outcome(environment, 3, np.random.default_rng(0))
    with pytest.raises(ResetNeeded, match="call reset"):
        environment.step(0)
    _, info = environment.reset(seed=0)
    while info["action_mask"].all():  # Connect Four: until a column is full
        *_, info = environment.step(0)
    environment.step(int(np.flatnonzero(info["action_mask"] == 0)[0]))
    with pytest.raises(ResetNeeded, match="call reset"):
        environment.step(int(np.flatnonzero(info["action_mask"])[0]))


def test_the_examples_of_the_page_run():
    page = (PROJECT / "docs" / "environments.md").read_text(encoding="utf-8")
    two_players, one_player = re.findall(r"```python\n(.*?)```", page, re.DOTALL)
    names = {}
    exec(two_players, names)
    assert names["game"].unwrapped.table.state.is_over()
    exec(one_player, names)
    assert names["game"].observation_space.contains(names["seen"]) and names["info"]


def test_a_player_who_is_none():
    with pytest.raises(ValueError, match="player is 0, who moves first, or 1; got 2"):
        AgainstOpponent(RandomAgent(get_game("go")), player=2)
