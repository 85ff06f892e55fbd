"""The compiled rules of Go against `go_plain`, ply by ply: legality, captures,
boards, area, liberties, eyes.
"""

import numpy as np
import pytest

from rlcourse.games import IllegalMove, get_game
from rlcourse.games.go import Move, Player, is_point_an_eye
from tests.unit.go_plain import PlainGo


def compare(game, state, plain, batch):
    """One position in everything that both know. Returns how many points superko forbids."""
    reasons = [plain.why_not(action) for action in range(game.num_actions)]
    assert [game.action(move) for move in state.legal_moves()] == [
        a for a, reason in enumerate(reasons) if not reason
    ]
    assert state.board.ravel().tolist() == plain.cells()
    area = state.area()
    assert ((area == 1).sum(), (area == 2).sum()) == plain.area()
    cells, colour = plain.cells(), 1 + state.next_player
    forbidden = [action for action, reason in enumerate(reasons) if reason == "superko"]
    assert [game.action(Move.play(point)) for point in state.forbidden_by_ko()] == forbidden
    for action in forbidden:
        with pytest.raises(IllegalMove, match=f"{game.labels[action]} is forbidden by superko"):
            game.move(state, action)
    assert batch.liberties()[0].tolist() == [
        plain.liberties(a) if cells[a] else 0 for a in range(len(cells))
    ]
    for action in range(len(cells)):
        point = Move.from_text(game.labels[action]).point
        for player in Player:
            assert is_point_an_eye(state.board, point, player) == plain.is_eye(action, 1 + player)
    wise = [a for a in range(len(cells)) if not reasons[a] and not plain.is_eye(a, colour)]
    assert np.flatnonzero(batch.sensible()[0]).tolist() == (wise or [len(cells)])
    return len(forbidden)


def played_along(size, seed, plies, rules=PlainGo):
    """A random game of `plies` plies on both sides; few passes, so that the
    board fills and is taken again.
    """
    game, plain, rng = get_game("go", size=size, komi=0.5), rules(size), np.random.default_rng(seed)
    state, batch, repeats, boards, taken = game.new_game(), game.new_batch(1), 0, [], [0, 0]
    for _ in range(plies):
        repeats += compare(game, state, plain, batch)
        boards.insert(0, plain.cells())
        kept = np.array(boards[:8] + [[0] * size**2] * max(0, 8 - len(boards)))
        np.testing.assert_array_equal(batch.boards()[0], kept)
        choice = [game.action(move) for move in state.legal_moves()]
        action = int(rng.choice(choice[:-1] or choice)) if rng.random() < 0.98 else choice[-1]
        taken[2 - plain.colour] += plain.play(action)
        state, _ = state.apply_move(game.move(state, action)), batch.step(np.array([action]))
        assert state.captured == tuple(taken)
        assert batch.state(0) == state
        if state.is_over():
            break
    assert state.is_over() == (plain.passes == 2 or len(state.moves) == 4 * size**2)
    assert state.points == (np.sign(state.score()) if state.is_over() else 0)
    return repeats


MORE = [(2, 60), (3, 60), (5, 8), (7, 1)]


@pytest.mark.parametrize(
    ("size", "games", "plies", "first"),
    [
        (2, 20, 16, 0),
        (3, 12, 36, 0),
        (4, 4, 64, 0),
        (5, 6, 50, 0),
        *(pytest.param(size, n, 4 * size**2, 100, marks=pytest.mark.slow) for size, n in MORE),
    ],
)
def test_random_games_agree_with_the_plain_rules(size, games, plies, first):
    repeats = sum(played_along(size, first + seed, plies) for seed in range(games))
    print(f"{size} x {size}: {games} games, {repeats} points forbidden by superko, no mismatch")
    assert repeats > 0, "no position with a superko has come up"


class NoSuperko(PlainGo):
    """Everything may be repeated."""

    def why_not(self, action):
        """Without the last reason."""
        return super().why_not(action).replace("superko", "")


class SimpleKo(PlainGo):
    """Only the board before the last one may not come back."""

    def why_not(self, action):
        """With two boards of memory."""
        kept, self.history = self.history, self.history[-2:]
        reason = super().why_not(action)
        self.history = kept
        return reason


class SituationalSuperko(PlainGo):
    """A board may come back with the other player to move."""

    def why_not(self, action):
        """With every second board."""
        kept, self.history = self.history, self.history[-2::-2]
        reason = super().why_not(action)
        self.history = kept
        return reason


class SuicideAllowed(PlainGo):
    """A stone without a liberty is legal."""

    def why_not(self, action):
        """Without that reason."""
        return super().why_not(action).replace("suicide", "")


class CornersCount(PlainGo):
    """Diagonal points are neighbours."""

    def beside(self, place):
        """One neighbour too many."""
        corner = (place[0] + 1, place[1] + 1)
        return [*super().beside(place), *([corner] if max(corner) < self.size else [])]


class StonesOnly(PlainGo):
    """Empty points count for nobody."""

    def area(self):
        """Stones alone."""
        return self.cells().count(1), self.cells().count(2)


class SharedLiberties(PlainGo):
    """A liberty that touches two stones counts twice."""

    def liberties(self, action):
        """Pseudo-liberties."""
        group, _ = self.region(self.board, divmod(action, self.size))
        return sum(self.board[r][c] == 0 for stone in group for r, c in self.beside(stone))


class HardEyes(PlainGo):
    """All corners must be one's own, also in the middle of the board."""

    def is_eye(self, action, colour):
        """No bad corner at all."""
        row, col = divmod(action, self.size)
        corners = [(row + a, col + b) for a in (-1, 1) for b in (-1, 1)]
        on = [self.board[r][c] for r, c in corners if 0 <= r < self.size and 0 <= c < self.size]
        return super().is_eye(action, colour) and set(on) == {colour}


@pytest.mark.parametrize(
    "wrong",
    [
        NoSuperko,
        SimpleKo,
        SituationalSuperko,
        SuicideAllowed,
        CornersCount,
        StonesOnly,
        SharedLiberties,
        HardEyes,
    ],
)
def test_wrong_rules_are_noticed(wrong):
    with pytest.raises((AssertionError, IllegalMove)):
        for seed in range(40):
            for size in (2, 3, 4):
                played_along(size, seed, 4 * size**2, wrong)
