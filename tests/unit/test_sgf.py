"""Games of Go as SGF: records written by hand, random games there and back, and
records that cannot be read.
"""

import numpy as np
import pytest
from sgfmill import sgf, sgf_moves

from rlcourse.agents import load_agent
from rlcourse.games import from_recipe, get_game
from rlcourse.games.go import Move, Player
from rlcourse.gtp.sgf import BadSgf, from_sgf, to_sgf
from rlcourse.gtp.turns import in_turn, set_up, start_of
from rlcourse.self_play import simulate_game

# aa is the top left corner: A5 on 5 x 5; cc the centre; a blank move is a pass.
CAPTURE = "(;GM[1]FF[4]SZ[5]KM[2.5]PB[Honinbo];B[ba];W[aa];B[ab](;W[];B[cc])(;W[ee]))"


def test_a_record_by_hand():
    states = from_sgf(CAPTURE)
    assert [str(state.last_move) for state in states] == ["None", "B5", "A5", "A4", "pass", "C3"]
    assert states[-1] == from_recipe("go size=5 komi=2.5:B5 A5 A4 pass C3")
    assert states[-1].captured == (0, 1)
    assert from_sgf(CAPTURE.encode()) == states


@pytest.mark.parametrize(
    ("record", "recipe"),
    [
        ("(;)", "go size=19 komi=7.5:"),
        ("(;SZ[3];B[tt];W[])", "go size=3 komi=7.5:pass pass"),
        ("(;SZ[3]KM[0.5]AB[ba][ab]AW[cc])", "go size=3 komi=0.5:.X./X../..O X"),
        ("(;SZ[3]KM[0.5]PL[W])", "go size=3 komi=0.5:.../.../... O"),
        (
            "(;SZ[3]HA[2]KM[0]AB[ac][ca];W[bb])",
            "go size=3 komi=0:..X/.../X.. O B2",
        ),  # handicap: White begins
        ("(;SZ[3]HA[2]KM[0]AB[ac][ca])", "go size=3 komi=0:..X/.../X.. O"),
        ("(;SZ[4]AB[aa:cb])", "go size=4 komi=7.5:XXX./XXX./..../.... O"),  # a rectangle of points
        (
            "(;SZ[3];B[bb];AW[aa]AE[bb]PL[W];W[cc])",
            "go size=3 komi=7.5:O../.../... O C1",
        ),  # stones edited later
        ("(;SZ[3];W[bb];B[aa])", "go size=3 komi=7.5:pass B2 A3"),  # out of turn: the other passes
        ("(;SZ[3];B[bb];B[aa])", "go size=3 komi=7.5:B2 pass A3"),
        (
            "(;SZ[3];B[bb];W[];B[];W[aa])",
            "go size=3 komi=7.5:.../.X./... O A3",
        ),  # played on after the end
        ("(;SZ[3]RE[W+Resign];B[bb];W[aa])", "go size=3 komi=7.5:B2 A3 resign"),
        (
            "(;SZ[3]RE[B+R];B[bb];W[aa])",
            "go size=3 komi=7.5:B2 A3",
        ),  # White cannot resign on Black's turn
        ("(;SZ[3]RE[B+2.5];B[bb];W[aa])", "go size=3 komi=7.5:B2 A3"),
        (
            "text before (;CA[no such charset]SZ[3]C[\xff\\]]RE[\xff];B[bb])",
            "go size=3 komi=7.5:B2",
        ),
        ("(;SZ[3];B[bb])(;SZ[5];B[cc])", "go size=3 komi=7.5:B2"),  # the first game of a collection
    ],
)
def test_what_a_record_says(record, recipe):
    assert from_sgf(record)[-1] == from_recipe(recipe)
    assert from_sgf(record.encode("latin-1"))[-1] == from_recipe(recipe)


@pytest.mark.parametrize(
    ("record", "words"),
    [
        ("", "no readable SGF"),
        ("hello", "no readable SGF"),
        ("(;B[aa]", "unexpected end"),
        ("(;GM[2])", r"another game than Go: GM\[2\]"),
        ("(;GM[x])", "no readable SGF"),
        ("(;SZ[1])", "boards of size 2 to 19"),
        ("(;SZ[20])", "boards of size 2 to 19"),
        ("(;SZ[19:13])", "bad SZ"),
        ("(;SZ[3]KM[3.75])", "komi is what White gets"),
        ("(;SZ[3]KM[seven])", "no readable SGF"),
        (
            "(;SZ[3];B[bb];W[bb])",
            "position 2 of this record, white B2, cannot be played: B2 is occupied by black",
        ),
        ("(;SZ[3];B[dd])", "no readable SGF"),
        ("(;SZ[3];B[ba];W[cc];B[ab];W[aa])", "white A3, cannot be played: A3 would be suicide"),
        ("(;SZ[3]AB[ba][ab]AW[aa])", "a group has no liberty"),
        ("(;SZ[3]" + ";" * 20_000 + ")", "20001 nodes"),
    ],
)
def test_what_cannot_be_read_is_said(record, words):
    with pytest.raises(BadSgf, match=words):
        from_sgf(record)


def test_a_ko_that_is_taken_at_once_is_named():
    # The ko of B4 and C4 on 5 x 5: Black takes at B4; White may not take back.
    moves = "B[bc];W[cc];B[ab];W[db];B[ba];W[ca];B[cb];W[bb]"  # White's last stone takes C4
    states = from_sgf(f"(;SZ[5];{moves})")
    assert states[-1].captured == (1, 0)
    with pytest.raises(BadSgf, match="black C4, cannot be played: C4 is forbidden by superko"):
        from_sgf(f"(;SZ[5];{moves};B[cb])")


def random_game(size, rng, komi=0.5):
    """A random game, now and then a pass, one in three resigned, one in
    three from a position set up.
    """
    state = get_game("go", size=size, komi=komi).new_game()
    resigns = rng.integers(1, 4 * size * size) if rng.random() < 1 / 3 else 0
    if rng.random() < 1 / 3:
        board = rng.choice(3, (size, size), p=(0.8, 0.1, 0.1)).astype(np.int8)
        try:
            state = set_up(board, Player(int(rng.integers(2))), komi)
        except ValueError:
            pass
    plies = 0
    while not state.is_over() and plies < 150:
        moves = state.legal_moves()[:-1]
        plies += 1
        if plies == resigns:
            move = Move.resign()
        else:
            move = (
                moves[rng.integers(len(moves))]
                if moves and rng.random() > 0.05
                else Move.pass_turn()
            )
        state = state.apply_move(move)
    return state


@pytest.mark.parametrize("size", range(2, 20))
def test_random_games_there_and_back(size):
    rng = np.random.default_rng(size)
    ends = set()
    for number in range(12 if size < 10 else 3):
        state = random_game(size, rng, komi=(0.5, 7, -3.5)[number % 3])
        text = to_sgf(state, black="b]l\\ack: Ä", white="")
        states = from_sgf(text)
        assert states[-1] == state and states[-1].moves == state.moves
        assert (start_of(states[-1])[0] == start_of(state)[0]).all()
        assert from_sgf(text.encode())[-1] == state
        check_by_sgfmill(text, state)
        ends.add(state.verdict().split()[-1] if state.is_over() else "running")
    assert len(ends) > 1 or size >= 10


def check_by_sgfmill(text, state):
    """sgfmill's own board, which knows captures, comes to the same stones."""
    record = sgf.Sgf_game.from_string(text)
    board, plays = sgf_moves.get_setup_and_moves(record)
    for colour, place in plays:
        if place is not None:
            board.play(*place, colour)
    size = record.get_size()
    stones = [
        [(None, "b", "w").index(board.get(size - 1 - r, c)) for c in range(size)]
        for r in range(size)
    ]
    assert state.board.tolist() == stones
    assert (
        record.get_komi() == state.options["komi"] and record.get_player_name("b") == "b]l\\ack: Ä"
    )
    assert record.get_player_name("w") is None
    winner = {None: None, 1: "b", -1: "w", 0: None}[state.winner()]
    assert record.get_winner() == winner


@pytest.mark.parametrize(
    ("recipe", "result"),
    [
        # The stone owns all 9 points: 9 - 7.5.
        ("go size=3 komi=7.5:B2 pass pass", "B+1.5"),
        ("go size=3 komi=9:B2 pass pass", "0"),
        ("go size=3 komi=12:B2 pass pass", "W+3"),
        ("go size=3 komi=7.5:B2 resign", "B+R"),
        ("go size=3 komi=7.5:resign", "W+R"),
    ],
)
def test_results(recipe, result):
    text = to_sgf(from_recipe(recipe))
    assert f"RE[{result}]" in text
    assert from_sgf(text)[-1] == from_recipe(recipe)


def test_a_game_of_two_agents_is_a_record_with_names():
    first, second = (
        load_agent("go/random", size=5, komi=6.5, seed=1),
        load_agent("go/random", size=5, komi=6.5, seed=2),
    )
    game = simulate_game(first, second)
    text = to_sgf(game.states[-1], black="one", white="two")
    assert "PB[one]" in text and "PW[two]" in text and "SZ[5]" in text and "KM[6.5]" in text
    assert from_sgf(text) == game.states
    assert "RE" not in to_sgf(game.states[-2])


def test_a_colour_out_of_turn():
    """By a pass where the game goes on, else on a board set up anew; in turn nothing changes."""
    state = from_recipe("go size=3 komi=0.5:B2 A1")
    assert in_turn(state, Player.black) is state
    assert in_turn(state, Player.white) == from_recipe("go size=3 komi=0.5:B2 A1 pass")
    passed = from_recipe("go size=3 komi=0.5:B2 pass")
    assert in_turn(passed, Player.white) == from_recipe("go size=3 komi=0.5:.../.X./... O")
    over = from_recipe("go size=3 komi=0.5:B2 pass pass")
    assert in_turn(over, Player.black) == from_recipe("go size=3 komi=0.5:.../.X./... X")
