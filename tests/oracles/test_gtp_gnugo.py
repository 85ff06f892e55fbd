"""GNU Go over GTP: whole games with the same stones after every move and the same
score, and SGF files both ways.
"""

import numpy as np
import pytest

from rlcourse.agents import load_agent
from rlcourse.games import get_game
from rlcourse.games.go import GoState, Player
from rlcourse.gtp.client import GtpClient
from rlcourse.gtp.sgf import from_sgf, to_sgf
from rlcourse.gtp.turns import set_up
from rlcourse.judges.go import judge_go
from rlcourse.self_play import simulate_game


@pytest.fixture
def gnugo(require_program):
    """`gnugo(size)` is an agent, level 1; all end with the test."""
    require_program("gnugo")
    started = []

    def make(size, seed=0):
        started.append(load_agent("go/gnugo", size=size, level=1))
        started[-1].rng = np.random.default_rng(seed)
        return started[-1]

    yield make
    for agent in started:
        agent.close()


def stones(client: GtpClient) -> list[set[str]]:
    return [set(client.ask(f"list_stones {color}").split()) for color in ("black", "white")]


def stones_of(state: GoState) -> list[set[str]]:
    labels = np.array(get_game("go", **state.options).labels[:-1])
    return [set(labels[state.board.ravel() == cell].tolist()) for cell in (1, 2)]


@pytest.mark.slow
def test_whole_games_against_gnu_go(gnugo):
    """A random player, both colours.

    One GNU Go plays, another is told the moves; both scorers count the end.
    """
    agreed, games, plies, wins = 0, 0, 0, 0
    for size, count in ((5, 12), (7, 4), (9, 2)):
        player, watcher = gnugo(size), gnugo(size)
        random = load_agent("go/random", size=size, seed=size)
        for number in range(count):
            record = simulate_game(*((random, player), (player, random))[number % 2])
            watcher.engine.ask_all([f"boardsize {size}", "clear_board"])
            for move, before, after in zip(
                record.moves, record.states, record.states[1:], strict=False
            ):
                watcher.engine.ask(f"play {before.next_player.name} {move}")
                assert stones(watcher.engine) == stones_of(after), after.recipe()
            end = record.states[-1]
            agreed += player.score(end) == end.score()
            wins += record.points == (-1, 1)[number % 2]
            games, plies = games + 1, plies + len(record.moves)
    print(
        f"{games} games, {plies} plies, the same stones after each; {agreed} of {games} scores "
        f"agree; GNU Go won {wins}"
    )
    assert agreed >= 0.9 * games and wins >= 0.9 * games


@pytest.mark.slow
def test_a_seed_fixes_a_move_whatever_was_asked_before(gnugo):
    """Four games: one GNU Go is asked row by row, another in another order."""
    one, other, batch = gnugo(5), gnugo(5), get_game("go").new_batch(4)
    batch.step(np.array([12, 0, 6, 25]))
    for ply in range(6):
        moves = np.full((2, 4), -1)
        for k, (agent, order) in enumerate(((one, (0, 1, 2, 3)), (other, (2, 0, 3, 1)))):
            for row in order:
                moves[k, row] = agent.decide(
                    batch, np.array([row]), np.random.default_rng([ply, row])
                ).action[0]
        assert moves[0].tolist() == moves[1].tolist()
        batch.step(moves[0])


@pytest.mark.slow
def test_the_judge_gives_one_verdict_for_any_number_of_processes(gnugo):
    verdicts = [judge_go(load_agent("go/random"), games=8, seed=2, processes=n) for n in (1, 2)]
    assert verdicts[0] == verdicts[1] and verdicts[0].as_black == verdicts[0].as_white == (0, 4, 0)


@pytest.mark.slow
def test_records_are_read_both_ways(gnugo, tmp_path):
    rng, path, set_ups = np.random.default_rng(7), tmp_path / "game.sgf", 0
    client = gnugo(5).engine
    for size in [2, 3, 4, 5, 5, 5, 6, 7, 7, 9, 9, 13, 19] * 2:
        state = get_game("go", size=size, komi=3.5).new_game()
        if rng.random() < 0.4:
            try:
                board = rng.choice(3, (size, size), p=(0.6, 0.2, 0.2))
                state, set_ups = set_up(board, Player(int(rng.integers(2))), 3.5), set_ups + 1
            except ValueError:
                pass  # a group without a liberty
        for _ in range(rng.integers(0, 3 * size)):
            moves = state.legal_moves()[:-1]
            state = state.apply_move(moves[rng.integers(len(moves))]) if moves else state
        path.write_text(to_sgf(state), encoding="utf-8")
        assert client.ask(f"loadsgf {path}") == state.next_player.name
        assert stones(client) == stones_of(state), to_sgf(state)
        assert float(client.ask("get_komi")) == 3.5 and int(client.ask("query_boardsize")) == size
        back = from_sgf(client.ask("printsgf"))[-1]  # the position, without the moves
        assert stones_of(back) == stones_of(state) and back.next_player == state.next_player
    assert set_ups >= 5


@pytest.mark.slow
def test_a_position_that_was_set_up_reaches_the_engine(gnugo):
    rng, tried = np.random.default_rng(11), 0
    player = gnugo(6)
    while tried < 12:
        try:
            state = set_up(
                rng.choice(3, (6, 6), p=(0.2, 0.4, 0.4)), Player(int(rng.integers(2))), 7.5
            )
        except ValueError:
            continue
        tried += 1
        player.score(state)
        assert stones(player.engine) == stones_of(state), state.recipe()
