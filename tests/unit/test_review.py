"""Where did I go wrong? Costs of moves against judges that were written apart from the boards."""

from functools import cache
from itertools import chain, product

import numpy as np
import pytest

from rlcourse.agents import PerfectAgent, load_agent
from rlcourse.boards import PlayBoard, Refusal
from rlcourse.boards.faces import face_of
from rlcourse.boards.review import Judge, review, summary
from rlcourse.games import get_game
from rlcourse.games.go import Move, Player, Point
from rlcourse.results import load_results
from rlcourse.solvers.connect_four import solver
from tests.unit.test_boards import message


def random_game(game, seed):
    """(positions, moves)"""
    rng, line, moves = np.random.default_rng(seed), [game.new_game()], []
    while not line[-1].is_over():
        legal = list(line[-1].legal_moves())
        moves.append(legal[rng.integers(len(legal))])
        line.append(line[-1].apply_move(moves[-1]))
    return line, moves


@cache
def minimax(state):
    """The result for the player to move, found by trying everything."""
    if state.is_over():
        return state.winner() * (1 if state.next_player == 0 else -1)
    return max(-minimax(state.apply_move(move)) for move in state.legal_moves())


def compare(game, pytestconfig, least, costs, first=0):
    """Review random games from ply `first` on and compare each cost with costs(line, moves): one a
    ply, None where there is nothing to decide. `--games 1000` plays as many.
    """
    judge, games = face_of(game.name).judge(game), max(least, pytestconfig.getoption("--games"))
    compared = cost_something = 0
    for seed in range(games):
        line, moves = random_game(game, seed)
        judged = review(judge, line, moves, range(first, len(moves))).moves
        assert [one.ply for one in judged] == list(range(first, len(moves)))
        for one, cost in zip(judged, costs(line, moves)[first:], strict=True):
            assert one.cost == (cost if cost is None else pytest.approx(cost, abs=1e-3)), one
            compared += cost is not None
            cost_something += bool(one.cost)
    print(f"{game}: {games:,} games, {compared:,} costs, {cost_something:,} of them above 0")
    assert cost_something > games


def cost_of_result(line, result):
    """[T] by how much each move makes the result worse; None where one move is legal or all lose.

    result(state) is -1, 0 or 1 for the player to move.
    """
    results = [result(state) for state in line]
    return [
        None if len(state.legal_moves()) == 1 or before == -1 else before + after
        for state, before, after in zip(line, results, results[1:], strict=False)
    ]


def test_costs_in_tic_tac_toe_are_those_of_trying_everything(pytestconfig):
    game = get_game("tic-tac-toe")
    compare(game, pytestconfig, 20, lambda line, moves: cost_of_result(line, minimax))


@pytest.mark.slow
def test_costs_in_connect_four_are_the_solvers(pytestconfig):
    """From the position on that the solver knows at once: each result by one question of its own."""
    first = 18

    def costs(line, moves):
        late = cost_of_result(line[first:], lambda state: np.sign(solver().score(state)))
        return [None] * min(first, len(moves)) + late

    compare(get_game("connect-four"), pytestconfig, 6, costs, first)


def test_the_review_of_connect_four_knows_the_empty_board_and_few_positions_after_it():
    """Random games leave the book at once; the solver begins at ten stones."""
    game = get_game("connect-four")
    line, moves = random_game(game, 7)
    judged = review(face_of(game.name).judge(game), line, moves, range(10)).moves
    assert judged[0].cost is not None and any(one.cost is None for one in judged)


@pytest.mark.slow
@pytest.mark.parametrize("size", [5, 9])
def test_costs_in_go_are_those_of_the_critic(size, pytestconfig):
    """All positions after all moves of a game in one question to the network."""
    game, critic = get_game("go", size=size), load_agent(f"go/actor-critic-{size}x{size}")

    def costs(line, moves):
        after = [[state.apply_move(move) for move in state.legal_moves()] for state in line[:-1]]
        every = list(chain(*after))
        batch = game.new_batch(len(every))
        for row, state in enumerate(every):
            batch.load(row, state)
        values = iter(critic.forward(critic.encoder.encode_batch(batch))[1].tolist())
        given = []
        for state, move, reached in zip(line, moves, after, strict=False):
            black = state.next_player is Player.black
            chances = {}
            for one, critics in zip(reached, values, strict=False):
                result = (one.winner() or 0) * (1 if black else -1)
                chances[one.last_move] = 50 * (1 + (result if one.is_over() else -critics))
            lost = max(chances.values()) - chances[move]
            given.append(lost if len(chances) > 1 else None)
        return given

    compare(game, pytestconfig, 2 if size == 5 else 1, costs)


def test_words_by_hand():
    """O answers the centre at an edge, which loses, and X gives it back."""
    game = get_game("tic-tac-toe")
    line, moves = [game.new_game()], [4, 1, 7, 0, 2, 6, 3, 5, 8]
    for move in moves:
        line.append(line[-1].apply_move(move))
    judged = review(face_of(game.name).judge(game), line, moves, range(len(moves)))
    assert [one.word for one in judged.moves[:4]] == [
        "best",
        "turned a draw into a loss",
        "turned a win into a draw",
        "best",
    ]
    assert summary([judged]).startswith("In 1 game, ")


def test_the_three_dearest_moves_are_pointed_out():
    game = get_game("tic-tac-toe")
    line, _ = random_game(game, 0)
    costs = iter((50, 0, 10, 200, 100))
    judge = Judge("test", "millipoints", lambda state: [(None, next(costs)), ("played", 0)])
    judged = review(judge, line, ["played"] * 5, range(5))
    assert [one.cost for one in judged.moves] == [100, 200, 10, 0, 50]  # judged from the end
    assert judged.worst == {0, 1, 4}
    assert [one.word for one in judged.moves] == [
        "bad, 100 millipoints",
        "very bad, 200 millipoints",
        "fine, 10 millipoints",
        "best",
        "doubtful, 50 millipoints",
    ]
    assert summary([judged]) == (
        "In 1 game, 1 of 5 moves were among the best; mean cost 72.0 millipoints."
    )


def test_a_player_loses_nothing_by_its_own_judgement():
    game = get_game("backgammon")
    agent, rng, line, moves = load_agent("backgammon/td-gammon"), np.random.default_rng(3), [], []
    state = game.throw(game.new_game(), rng)
    for _ in range(30):
        line.append(state)
        moves.append(agent.candidates(state)[0].move)
        state = game.throw(state.apply_move(moves[-1]), rng)

    def values(state):
        return [(play.move, 1000 * play.equity) for play in agent.candidates(state)]

    judged = review(Judge("itself", "millipoints", values), line, moves, range(30))
    assert {one.cost for one in judged.moves} <= {0, None}
    assert sum(one.cost == 0 for one in judged.moves) > 20
    by_face = review(face_of(game.name).judge(game), line, moves, range(30))
    assert all(one.cost >= 0 for one in by_face.moves if one.cost is not None)


def test_the_judge_of_go_gives_the_networks_chances_and_exact_ends():
    """A second pass ends the game: then the area counts, not the network."""
    game = get_game("go", size=5)
    judge, agent = face_of("go").judge(game), load_agent("go/actor-critic-5x5")
    line, _ = random_game(game, 0)
    for state in (line[0], line[7], game.new_game().apply_move(Move.pass_turn())):
        chances = dict(judge.values(state))
        assert chances.keys() == set(state.legal_moves())
        for move, chance in chances.items():
            after = state.apply_move(move)
            if after.is_over():
                mover_wins = (after.winner() == 1) == (state.next_player == Player.black)
                assert chance == 100 * mover_wins
            else:
                value = float(agent.think(after).value[0])
                assert chance == pytest.approx(50 * (1 - value), abs=1e-3)


def test_where_every_move_ends_the_game_the_area_judges():
    """Black has all but two corners and A2, White plays A2, Black passes: White can only pass."""
    game = get_game("go", size=5)
    state, lone = game.new_game(), Point(2, 1)
    for point in product(range(1, 6), range(1, 6)):
        if point not in ((1, 1), (5, 5), lone):
            white = Move.pass_turn() if point != (5, 4) else Move.play(lone)
            state = state.apply_move(Move.play(Point(*point))).apply_move(white)
    state = state.apply_move(Move.pass_turn())
    assert list(face_of("go").judge(game).values(state)) == [(Move.pass_turn(), 0)]


@pytest.mark.parametrize("size", [5, 9])
def test_the_calibration_that_is_stated_is_that_of_the_stored_rows(size):
    """Off by the sum of |chances - wins| over tenths, counted again row by row."""
    off = positions = 0.0
    rows = load_results(f"go-calibration-{size}x{size}")["rows"]
    for tenth in range(10):
        chances = sum(row["chances"][tenth] for row in rows)
        off += abs(chances - sum(row["won"][tenth] for row in rows))
        positions += sum(row["positions"][tenth] for row in rows)
    name = face_of("go").judge(get_game("go", size=size)).name
    assert f"In {sum(row['games'] for row in rows):,} games of its own" in name
    assert f"off by {100 * off / positions:.0f} points" in name


def lost_game():
    """A board on which X has thrown a game away against the perfect player."""
    board = PlayBoard("tic-tac-toe", PerfectAgent(get_game("tic-tac-toe"), seed=1), seed=0)
    while not board.state.is_over():
        board.play(
            max(board.state.legal_moves(), key=lambda m: -minimax(board.state.apply_move(m)) < 0)
        )
    return board


def test_a_game_is_reviewed_and_played_again_from_there():
    board = lost_game()
    assert board.view["can_review"] and not board.view["reviewed"]
    shown = message(board, "review")["reviewed"]
    assert shown["heading"] == "Judge: the exact solution of the game."
    ply = next(row[0] for row in shown["rows"] if row[4])
    assert message(board, "look", value=ply)["ply"] == ply
    assert board.view["again"]
    assert message(board, "try again")["reviewed"] is None
    assert board.view["plies"] == ply and not board.state.is_over()


def test_while_it_is_judged_the_page_says_so(monkeypatch):
    board, seen = lost_game(), []
    board.observe(lambda change: seen.append(change["new"]), "view")
    message(board, "review")
    first, *_, last = seen
    assert first["status"].startswith("Your moves are being judged") and first["thinking"]
    assert last["reviewed"] and not last["thinking"]

    def broken():
        raise RuntimeError("no judge")

    monkeypatch.setattr(board._referee, "review", broken)
    failed = message(board, "review")
    assert "RuntimeError: no judge" in failed["said"]
    assert failed["status"] == last["status"] and not failed["thinking"]


def test_the_evening_counts_every_game_once():
    board = lost_game()
    once = message(board, "review")["reviewed"]["rate"]
    assert message(board, "review")["reviewed"]["rate"] == once
    assert once.startswith("In 1 game, ")
    board.new_game()
    while not board.state.is_over():
        board.play(next(iter(board.state.legal_moves())))
    assert message(board, "review")["reviewed"]["rate"].startswith("In 2 games, ")


@pytest.mark.parametrize("value", [-1, 99, True, "2", None, 1.0])
def test_no_position_is_shown_that_the_game_has_not(value):
    board = lost_game()
    before = board.view["ply"]
    assert "positions 0 to" in message(board, "look", value=value)["said"]
    assert board.view["ply"] == before


def test_what_cannot_be_reviewed_says_why():
    board = PlayBoard("tic-tac-toe")
    with pytest.raises(Refusal, match="when the game is over"):
        board._referee.review()
    with pytest.raises(Refusal, match="Look back"):
        board._referee.try_again()
    with pytest.raises(Refusal, match="Nobody here can judge"):
        PlayBoard(get_game("go", size=7))._referee.review()
    assert not board.view["can_review"] and not board.view["again"]


def test_the_steps_of_a_turn_count_in_any_order():
    """13/11 24/18 is the turn 24/18 13/11: its cost is known, however it was played."""
    state = get_game("backgammon").new_game().with_dice(6, 2)
    listed, clicked = ((24, 18), (13, 11)), ((13, 11), (24, 18))
    judge = Judge(
        "nobody", "millipoints", lambda one: [(m, 50.0 * (m != listed)) for m in one.legal_moves()]
    )
    (move,) = review(judge, [state], [clicked], [0]).moves
    assert move.cost == 50 and move.word == "doubtful, 50 millipoints"
