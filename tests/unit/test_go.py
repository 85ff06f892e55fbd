"""Go by hand: captures, ko and superko, snapback, seki, suicide, ends and scores, games as text,
random games, a solved board.

Rows of a set-up position run from the top; X is black, O white, and the letter
behind the rows says who moves.
"""

import numpy as np
import pytest

from rlcourse.games import (
    BadRecipe,
    GameOver,
    IllegalMove,
    UnknownGame,
    from_recipe,
    get_game,
    go_kernels,
)
from rlcourse.games.go import Board, GameState, Move, Player, Point, is_point_an_eye
from tests.unit.game_laws import check_position


def position(rows, moves=""):
    """A set-up position of that size with komi 0.5, after `moves`."""
    return from_recipe(f"go size={rows.count('/') + 1} komi=0.5:{rows} {moves}")


def rows_of(state):
    """The stones of a position as a set-up writes them."""
    return "/".join("".join(".XO"[cell] for cell in row) for row in state.board)


# Captures and suicide


@pytest.mark.parametrize(
    ("before", "move", "after", "captured"),
    [
        ("OX./.../... X", "A2", ".X./X../...", (0, 1)),  # a stone in the corner has two liberties
        (".X./XOX/... X", "B1", ".X./X.X/.X.", (0, 1)),  # in the middle four
        ("OOX/X.X/... O", "B2", "OOX/XOX/...", (0, 0)),  # nothing dies: the group grows a liberty
        (".OOX/XXXX/..X./.... X", "A4", "X..X/XXXX/..X./....", (0, 2)),  # a group dies whole
        ("X../O../OOX X", "B2", "X../.X./..X", (0, 3)),  # also where the stone touches it twice
        ("OX./.../OX. X", "A2", ".X./X../.X.", (0, 2)),  # two groups at once
        (".OX/OXX/XX. X", "A3", "X.X/.XX/XX.", (0, 2)),  # by a stone that had no liberty before
    ],
)
def test_captures_by_hand(before, move, after, captured):
    state = position(before, move)
    assert (rows_of(state), state.captured) == (after, captured)


def test_a_stone_takes_before_it_dies():
    """A3 has no liberty of its own, but it takes B3's group first; without that
    capture it would be suicide.
    """
    assert position(".OX/OXX/XX. X").is_valid_move(Move.from_text("A3"))
    suicide = position(".O./OX./.X. X")
    with pytest.raises(IllegalMove, match="A3 would be suicide: the stone would have no liberty"):
        suicide.apply_move(Move.from_text("A3"))


def test_a_whole_group_cannot_commit_suicide():
    state = position("XX.OO/OOOO./...../...../..... X")  # C5 would be the group's last liberty
    with pytest.raises(IllegalMove, match="C5 would be suicide"):
        state.apply_move(Move.from_text("C5"))
    assert Move.from_text("C5") not in state.legal_moves()
    assert position("XX.OO/OO.O./...../...../..... X", "C5").board[0].tolist() == [
        1,
        1,
        1,
        2,
        2,
    ]  # C4 is a liberty


# Ko and superko

KO = "..XO./.XO.O/..XO./...../..... X"  # B4 takes nothing; D4 takes C4


def test_a_ko_may_not_be_retaken_at_once():
    state = position(KO, "D4")
    assert state.captured == (0, 1)
    assert state.forbidden_by_ko() == (Point(4, 3),)
    with pytest.raises(
        IllegalMove, match="C4 is forbidden by superko: the board would be as it has been before"
    ):
        state.apply_move(Move.from_text("C4"))
    after_a_threat = state.apply_move(Move.from_text("A1")).apply_move(Move.from_text("E1"))
    assert after_a_threat.apply_move(Move.from_text("C4")).captured == (1, 1)


def test_passes_do_not_lift_a_ko():
    """Positional superko compares boards alone, whoever moves and however much later it is."""
    assert position(KO, "D4 pass pass").is_over()
    black_waited = position(KO.replace(" X", " O"), "pass D4")
    assert black_waited.forbidden_by_ko() == (Point(4, 3),)
    white_waited = position(
        KO, "D4 pass C1 C4"
    )  # C1 changes the board, so the retake is legal, and now Black's is not
    assert white_waited.captured == (1, 1)
    assert white_waited.forbidden_by_ko() == (Point(4, 4),)
    assert white_waited.apply_move(Move.pass_turn()).forbidden_by_ko() == (), (
        "White may fill the ko"
    )


def test_sending_two_and_returning_one_is_forbidden():
    """White sends A1 and B1, Black takes both at C1, White retakes C1 at B1: the board before A1.

    No simple ko sees it.
    """
    state = position("...../...../...../XXO../.O.O. O", "A1 C1")
    assert state.captured == (0, 2)
    assert state.forbidden_by_ko() == (Point(1, 2),)
    assert not state.is_valid_move(Move.from_text("B1"))


TRIPLE = "XO.O...../.XO....../........./........./........./........./........./.XO..XO../XO.OX.XO."


def test_a_triple_ko_ends_with_the_sixth_capture():
    """Three kos: A9-D9 and A1-D1 held by White, E1-H1 by Black. Each side takes another one in
    turn, so no capture is a simple ko; the sixth, B9, would bring the first board back."""
    state = position(f"{TRIPLE} X")
    for move, forbidden in zip(
        ("C1", "F1", "C9", "B1", "G1"), ("B1", "G1", "B9", "C1", "F1 B9"), strict=True
    ):
        state = state.apply_move(Move.from_text(move))
        assert sorted(map(str, state.forbidden_by_ko())) == sorted(forbidden.split()), move
    assert state.captured == (2, 3)
    with pytest.raises(IllegalMove, match="B9 is forbidden by superko"):
        state.apply_move(Move.from_text("B9"))
    assert position(f"{rows_of(state)} O").is_valid_move(
        Move.from_text("B9")
    )  # without the past it is a capture


def test_a_repetition_without_a_capture_is_seen():
    """The same boards, entered at another place: White's A1 takes nothing and brings back
    the board after the first B1.
    """
    state = position("...../...../...../XXO../O..O. O", "B1 C1 B1 pass")
    assert state.captured == (1, 2)
    assert state.forbidden_by_ko() == (Point(1, 1),)
    with pytest.raises(IllegalMove, match="A1 is forbidden by superko"):
        state.apply_move(Move.from_text("A1"))


# Shapes


def test_snapback():
    """Black throws A1 in; White takes it at B1 and has one liberty
    left; Black takes three at A1.
    """
    state = position("...../...../XX.../OOX../..X.. X", "A1 B1")
    assert state.captured == (1, 0)
    assert state.is_valid_move(Move.from_text("A1")), "no ko: the board is another one than before"
    state = state.apply_move(Move.from_text("A1"))
    assert (rows_of(state), state.captured) == ("...../...../XX.../..X../X.X..", (1, 3))


SEKI = ".X.O./XXXOO/XXXOO/XXXOO/XXXOO"


def test_seki():
    """Each side has an eye (A5, E5) and they share C5. Who fills C5 is taken whole. Nobody
    does: C5 counts for nobody.

    Black: 13 stones + A5 = 14; White: 9 stones + E5 = 10; 14 - 10 - 0.5 = 3.5.
    """
    settled = position(f"{SEKI} X", "pass pass")
    assert settled.score() == 3.5
    assert settled.winner() == 1
    assert settled.area()[0].tolist() == [1, 1, 0, 2, 2]
    with pytest.raises(IllegalMove, match="E5 would be suicide"):
        position(f"{SEKI} X", "C5").apply_move(Move.from_text("E5"))
    assert position(f"{SEKI} X", "C5 A5").captured == (14, 0)
    assert position(f"{SEKI} O", "C5 E5").captured == (0, 10)


# Eyes: the point in question is the only dot beside black stones.
@pytest.mark.parametrize(
    ("rows", "point", "black", "why"),
    [
        ("...../.XXX./.X.X./.XXX./.....", "C3", True, "all four corners"),
        ("...../.OXX./.X.X./.XXX./.....", "C3", True, "three corners are enough"),
        ("...../..XX./.X.X./.XX../.....", "C3", False, "two corners are not"),
        ("...../.OXX./.X.X./.XXO./.....", "C3", False, "two corners lost"),
        ("...../.XXX./.XXX./.XXX./.....", "C3", False, "occupied"),
        ("...../.XXX./.X.X./.XOX./.....", "C3", False, "a white neighbour"),
        (".X.../XX.../...../...../.....", "A5", True, "the corner needs its one corner"),
        (".X.../X..../...../...../.....", "A5", False, "false eye in the corner"),
        ("X.X../XXX../...../...../.....", "B5", True, "the edge needs both"),
        ("X.X../XXO../...../...../.....", "B5", False, "false eye on the edge"),
        ("X.X../.XX../...../...../.....", "B5", False, "an empty corner is not enough"),
    ],
)
def test_eyes_by_hand(rows, point, black, why):
    state = position(f"{rows} X")
    where = Move.from_text(point).point
    assert is_point_an_eye(state.board, where, Player.black) == black, why
    assert not is_point_an_eye(state.board, where, Player.white)
    batch, game = get_game("go", size=5, komi=0.5).new_batch(1), get_game("go", size=5, komi=0.5)
    batch.load(0, state)
    action = game.action(Move.play(where))
    assert batch.sensible()[0, action] == (batch.legal()[0, action] and not black), why


def test_what_is_sensible():
    """Not own eyes; a pass only where nothing else is left.

    The opponent's eyes are sensible if they are legal.
    """
    game = get_game("go", size=3, komi=0.5)
    batch = game.new_batch(2)
    batch.load(0, position(".X./XXX/.X. X"))
    batch.load(1, position(".OX/OOX/XX. X"))  # A3 is White's last liberty, C1 Black's
    assert np.flatnonzero(batch.legal()[0]).tolist() == [0, 2, 6, 8, 9]
    assert np.flatnonzero(batch.sensible()[0]).tolist() == [9]
    assert np.flatnonzero(batch.legal()[1]).tolist() == [0, 9]
    assert np.flatnonzero(batch.sensible()[1]).tolist() == [0]


# Ends and scores


def test_two_passes_end_the_game_and_area_counts():
    """Black owns A and B (10 points), White D and E; C5-C1 touch both and
    count for nobody; komi decides.
    """
    rows = "/".join([".X.O."] * 5)
    for komi, winner in ((0.5, -1), (0, 0), (-1, 1)):
        state = from_recipe(f"go size=5 komi={komi}:{rows} X pass")
        assert not state.is_over()
        state = state.apply_move(Move.pass_turn())
        assert (state.is_over(), state.truncated, state.winner(), state.score()) == (
            True,
            False,
            winner,
            -komi,
        )
    with pytest.raises(GameOver, match="pass cannot be played: the game is over"):
        state.apply_move(Move.pass_turn())


def test_an_empty_board_belongs_to_nobody_and_a_single_stone_owns_it():
    assert from_recipe("go size=5 komi=7.5:pass pass").score() == -7.5
    assert from_recipe("go size=5 komi=7.5:C3 pass pass").score() == 25 - 7.5
    assert str(from_recipe("go size=5 komi=7.5:C3 pass pass")).endswith(
        "black has won by 17.5 (X black, O white)"
    )


def test_passes_apart_do_not_end_the_game():
    state = from_recipe("go size=5 komi=7.5:pass C3 pass D3 pass")
    assert not state.is_over()
    assert [str(move) for move in state.moves] == ["pass", "C3", "pass", "D3", "pass"]


def test_resigning():
    ends = (
        ("resign", -1, "white has won: black resigned"),
        ("C3 resign", 1, "black has won: white resigned"),
    )
    for moves, winner, words in ends:
        state = from_recipe(f"go size=5 komi=7.5:{moves}")
        assert (state.is_over(), state.winner(), state.points) == (True, winner, float(winner))
        assert words in str(state)
        assert from_recipe(state.recipe()) == state
        batch = get_game("go").new_batch(1)
        batch.load(0, state)
        assert batch.state(0) == state
        with pytest.raises(GameOver):
            state.apply_move(Move.resign())
        check_position(get_game("go"), state)
    start = GameState.new_game(5)
    assert start.is_valid_move(Move.resign())
    assert Move.resign() not in start.legal_moves()
    with pytest.raises(IllegalMove, match="a move in go"):
        get_game("go").action(Move.resign())


def test_the_cap_scores_the_board_and_counts_as_truncated():
    """On 2 x 2 the 16th ply is the last.

    A game of captures that never passes twice in a row gets there.
    """
    game = get_game("go", size=2, komi=0.5)
    for seed in range(2000):
        rng, batch = np.random.default_rng(seed), game.new_batch(1)
        while not batch.done[0]:
            legal = np.flatnonzero(batch.legal()[0])
            last = batch.state(0).last_move
            stay = legal[:-1] if last is not None and last.is_pass and len(legal) > 1 else legal
            batch.step(rng.choice(stay, 1))
        if batch.truncated[0]:
            break
    state = batch.state(0)
    assert (int(batch.ply[0]), len(state.moves), state.truncated) == (16, 16, True)
    assert not (state.moves[-1].is_pass and state.moves[-2].is_pass)
    assert state.points == np.sign(state.score())
    assert from_recipe(state.recipe()).truncated
    check_position(game, state)


# Names, text, options


def test_points_are_named_as_on_a_board():
    game = get_game("go", size=9, komi=7.5)
    assert game.labels[:9] == ("A9", "B9", "C9", "D9", "E9", "F9", "G9", "H9", "J9"), "no I"
    assert game.labels[-2:] == ("J1", "pass")
    for action, label in enumerate(game.labels):
        assert game.action(Move.from_text(label)) == action
        assert game.action(Move.from_text(label.lower())) == action
        assert str(game.move(game.new_game(), action)) == label
    state = game.new_game().apply_move(Move.play(Point(row=1, col=1)))
    assert state.board[8, 0] == 1, "row 1 is the lowest"
    assert state.board.get(Point(1, 1)) is Player.black
    assert str(state).splitlines()[8].split() == ["1", "X", *"." * 8]
    for wrong in ("I5", "A0", "C20", "A01", "", "C3 D4", "A1x", "²"):
        with pytest.raises(IllegalMove, match="letters leave out I"):
            Move.from_text(wrong)
    for wrong in (
        Move.play(Point(10, 1)),
        Move.play(Point(0, 1)),
        Move.play(Point(1.0, 1)),
        Move(),
        Move(Point(1, 1), True),
    ):
        assert not state.is_valid_move(wrong)
        with pytest.raises(IllegalMove, match="a move in go"):
            state.apply_move(wrong)


def test_players_are_the_numbers_of_the_course():
    start = GameState.new_game(9)
    assert start.next_player is Player.black
    assert start.next_player == 0
    assert start.apply_move(Move.pass_turn()).next_player is Player.white
    assert Player.black.other is Player.white


def test_a_board_answers_by_points():
    board = position(".XX/OX./O.. X").board
    assert isinstance(board, Board)
    assert (board.num_rows, board.num_cols) == (3, 3)
    assert board.get(Point(2, 1)) is Player.white
    assert board.get(Point(3, 1)) is None
    group = board.get_go_string(Point(3, 3))
    assert group.color is Player.black
    assert group.stones == {Point(3, 2), Point(3, 3), Point(2, 2)}
    assert group.liberties == {Point(3, 1), Point(2, 3), Point(1, 2)}
    assert board.get_go_string(Point(1, 3)) is None
    for off in (Point(0, 1), Point(4, 1), Point(1, 4)):
        assert not board.is_on_grid(off)
        with pytest.raises(IndexError, match="is not on a board of 3 x 3"):
            board.get(off)


@pytest.mark.parametrize(
    ("text", "error", "message"),
    [
        ("go:Z9", BadRecipe, "move 1 of this game of go cannot be played: 'Z9' is no move in Go"),
        ("go:C3 C3", BadRecipe, "move 2 .* C3 is occupied by black"),
        ("go:C6", BadRecipe, "move 1 .* has row and col from 1 to 5"),
        ("go:pass pass C3", BadRecipe, "move 3 .* the game is over"),
        ("go:resign pass", BadRecipe, "move 2 .* the game is over"),
        ("go:C3/D3", BadRecipe, "5 rows of 5 cells"),
        ("go size=2:../..", BadRecipe, "then X or O for the player to move; got '../.. '"),
        ("go size=2:../.. Z", BadRecipe, "player to move"),
        ("go size=2:../..? X", BadRecipe, "2 rows of 2 cells"),
        ("go size=2:XX/XX X", BadRecipe, "a group has no liberty in 'XX/XX'"),
        ("go size=2:XO/O. X", BadRecipe, "a group has no liberty"),
        ("go size=1:", UnknownGame, "size 2 to 19; got size=1"),
        ("go size=20:", UnknownGame, "size 2 to 19"),
        ("go size=5.5:", UnknownGame, "size 2 to 19"),
        ("go komi=7.25:", UnknownGame, "whole or half number"),
        ("go komi=nan:", UnknownGame, "whole or half number"),
        ("go komi=inf:", UnknownGame, "whole or half number"),
        ("go width=5:", UnknownGame, "does not have these options"),
    ],
)
def test_texts_that_are_no_game_of_go(text, error, message):
    with pytest.raises(error, match=message):
        from_recipe(text)


def test_a_recipe_carries_the_past():
    state = position(KO, "D4")
    copy = from_recipe(state.recipe())
    assert state.recipe() == "go size=5 komi=0.5:..XO./.XO.O/..XO./...../..... X D4"
    assert copy.forbidden_by_ko() == state.forbidden_by_ko()
    bare = position(f"{rows_of(state)} O")
    assert bare.forbidden_by_ko() == ()
    assert bare != state, "the rules tell them apart"
    one, other = from_recipe("go:A1 B2 C3 D4"), from_recipe("go:C3 D4 A1 B2")
    assert one.board.tolist() == other.board.tolist()
    assert one != other, "other boards have been"


def test_games_are_told_apart_by_size_and_komi():
    assert get_game("go") is get_game("go", size=5, komi=7.5)
    assert get_game("go", size=5, komi=7) is get_game("go", komi=7.0, size=5)
    start = get_game("go", size=5, komi=7.5).new_game()
    assert start != get_game("go", size=5, komi=6.5).new_game()
    assert start.options == {"size": 5, "komi": 7.5}
    batch = get_game("go", size=9).new_batch(1)
    with pytest.raises(ValueError, match=r"a batch of go \(size=9, komi=7.5\) cannot hold"):
        batch.load(0, start)
    with pytest.raises(ValueError, match="same game and size"):
        batch.replay(
            get_game("go", size=9, komi=6.5).new_batch(1), np.zeros((1, 1), int), np.ones(1, int)
        )


@pytest.mark.parametrize("size", [2, 7, 13, pytest.param(19, marks=pytest.mark.slow)])
def test_other_sizes_keep_the_laws(size):
    game, rng = get_game("go", size=size, komi=6.5), np.random.default_rng(size)
    batch = game.new_batch(1)
    for _ in range(size * size):
        batch.step((batch.sensible() * rng.random((1, game.num_actions))).argmax(axis=1))
    check_position(game, batch.state(0))


# Random games


def test_playouts_repeat_and_leave_the_rows_alone():
    game = get_game("go", size=7, komi=7.5)
    batch, rng = game.new_batch(64), np.random.default_rng(3)
    for _ in range(10):
        batch.step((batch.sensible() * rng.random((64, game.num_actions))).argmax(axis=1))
    before, seeds = batch.arrays(), np.arange(64)
    points = batch.playouts(seeds)
    assert points.dtype == np.float32
    assert set(points.tolist()) == {-1.0, 1.0}
    for name, array in batch.arrays().items():
        np.testing.assert_array_equal(array, before[name], err_msg=name)
    np.testing.assert_array_equal(batch.playouts(seeds, threads=3), points)
    assert (batch.playouts(seeds + 1000) != points).any()
    batch.load(5, from_recipe("go size=7 komi=7.5:resign"))
    assert batch.playouts(seeds)[5] == -1
    for wrong in (np.arange(63), np.zeros(64), seeds[:, None]):
        with pytest.raises(ValueError, match="playouts want 64 integers"):
            batch.playouts(wrong)


@pytest.mark.parametrize(("size", "komi", "games"), [(3, 2.5, 10_000), (5, 7.5, 3_000)])
def test_playouts_are_uniform_over_the_sensible_actions(size, komi, games):
    """Black's share of wins against games stepped by hand through `sensible`. The seeds
    are fixed; 5.5 standard errors of the difference are allowed, which other seeds would
    exceed once in 26 million.
    """
    game, rng = get_game("go", size=size, komi=komi), np.random.default_rng(17)
    batch = game.new_batch(games)
    while not batch.done.all():
        batch.step(
            np.where(
                batch.done,
                -1,
                (batch.sensible() * rng.random((games, game.num_actions))).argmax(axis=1),
            )
        )
    share, other = (
        (batch.points > 0).mean(),
        (game.new_batch(games).playouts(np.arange(games)) > 0).mean(),
    )
    spread = np.sqrt((share * (1 - share) + other * (1 - other)) / games)
    assert 0.05 < share < 0.95
    assert abs(share - other) < 5.5 * spread, (share, other)


def test_a_playout_from_a_decided_board():
    """All that is left are Black's eyes: pass, pass. 25 - 7.5 > 0."""
    batch = get_game("go", size=5, komi=7.5).new_batch(20)
    for row in range(20):
        batch.load(row, from_recipe("go size=5 komi=7.5:.XXX./XXXXX/XXXXX/XXXXX/.XXX. O"))
    assert (batch.playouts(np.arange(20)) == 1).all()


def test_kernels_are_compiled_for_one_kind_of_arguments():
    """Whatever integers and layouts come in: another signature would be compiled in
    front of a class, for seconds.
    """
    for size in (5, 9):
        game = get_game("go", size=size)
        batch, twin = game.new_batch(6), game.new_batch(6)
        batch.step(np.arange(6, dtype=np.int8))
        batch.step([7, 8, 9, 10, 11, -1])
        deep = np.arange(12, 24).reshape(2, 6).T
        for actions in (
            deep,
            deep[:, ::-1],
            deep.astype(np.uint8),
            np.repeat(deep, 2, axis=1)[:, ::2],
        ):
            twin.replay(batch, actions, np.full(6, 2, np.int32))
        for rows in (None, np.array([1, 4]), np.arange(6) > 2, np.array([2, 0], np.int32)):
            for answer in (
                twin.legal,
                twin.sensible,
                twin.boards,
                twin.liberties,
                twin.forbidden_by_ko,
            ):
                assert len(answer(rows)) == (6 if rows is None else len(np.arange(6)[rows]))
        for seeds in (np.arange(6), np.arange(12, dtype=np.uint8)[::2]):
            twin.playouts(seeds, threads=2)
        state = twin.state(0)
        assert state.legal_moves() and state.area().any()
        assert not state.is_valid_move(state.last_move)
    for name in (
        "set_up",
        "legal",
        "allows",
        "repeats",
        "play",
        "playouts",
        "liberties",
        "past_boards",
    ):
        assert len(getattr(go_kernels, name).signatures) == 1, name


# A solved board


def best_lead(state, low, high):
    """Black's area minus White's under perfect play, by alpha-beta over
    everything the rules allow.
    """
    if state.is_over() or not state.legal_moves():
        return state.score() + 0.5
    after = [state.apply_move(move) for move in state.legal_moves()]
    sign = 1 if state.next_player == 0 else -1
    best = -4 * sign
    for child in sorted(after, key=lambda child: -sign * child.score()):
        found = best_lead(child, low, high)
        best = max(best, found) if sign == 1 else min(best, found)
        low, high = (max(low, best), high) if sign == 1 else (low, min(high, best))
        if low >= high:
            break
    return best


def test_the_value_of_go_on_two_by_two():
    """Black wins by 1 (J.

    Tromp's count of the 2 x 2 game, "The game of Go": 386,356,909,593 games, value 1).
    """
    assert best_lead(get_game("go", size=2, komi=0.5).new_game(), -4, 4) == 1


def test_the_same_game_made_twice_is_the_same_game():
    """`get_game` remembers 64 games; one that was forgotten and made again takes
    the positions of the first.
    """
    from rlcourse.games.go import make_game

    first, again, other = (
        make_game(size=5, komi=7.5),
        make_game(size=5, komi=7.5),
        make_game(size=5, komi=6.5),
    )
    assert first == again != other and hash(first) == hash(again)
    state = first.new_game().apply_move(first.move(first.new_game(), 12))
    twin = again.new_game().apply_move(again.move(again.new_game(), 12))
    assert (
        state == twin
        and hash(state) == hash(twin)
        and state != other.new_game().apply_move(other.move(other.new_game(), 12))
    )
    batch = again.new_batch(1)
    batch.load(0, state)
    assert batch.state(0) == state
    with pytest.raises(ValueError, match="cannot hold"):
        other.new_batch(1).load(0, state)
