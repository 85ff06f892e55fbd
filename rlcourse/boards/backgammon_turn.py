"""A turn of backgammon step by step: what can come next so that the whole turn is legal, and why the rest cannot.

The rules know whole turns. Single steps come from the same compiled search: the first level of a double with that die.
"""

from functools import lru_cache

import numpy as np

from rlcourse.games import IllegalMove
from rlcourse.games import backgammon_kernels as kernels
from rlcourse.games.backgammon import BackgammonState
from rlcourse.games.backgammon_text import BAR, OFF, Move, Step, point_name

Dice = tuple[int, ...]


class Turn:
    """The position after `steps`, some of those that the throw of `state` allows. Get it by `turn_of`.

    checkers [2, 26] int8: the board now. left: the dice still to be played, the higher first. next_steps: the steps, on the
    mover's own points, after which the turn can still be completed by the rules.
    """

    def __init__(
        self, state: BackgammonState, steps: Move, search: "_Search", board: np.ndarray, left: Dice
    ) -> None:
        self.state, self.steps = state, steps
        self.checkers, self.left = board, left
        self._search = search
        self._possible = search.steps(board, left)
        self.next_steps: Move = tuple(
            step
            for step, (die, after) in self._possible.items()
            if search.completes(after, _without(left, die))
        )

    @property
    def complete(self) -> bool:
        """Whether nothing more can be played. True at the start of a turn that has to pass."""
        return not self.next_steps

    @property
    def sources(self) -> frozenset[int]:
        """The mover's points from which the next step can be made; 25 is the bar."""
        return frozenset(start for start, _ in self.next_steps)

    def after(self, step: Step) -> "Turn":
        """The turn with one more of its `next_steps`."""
        die, board = self._possible[step]
        return Turn(self.state, (*self.steps, step), self._search, board, _without(self.left, die))

    def routes(self, start: int) -> dict[int, Move | None]:
        """end -> the steps that take one checker from `start` there, by as few dice as possible.

        None where two ways of equal length differ in what they hit: the player has to say the point in between.
        """
        found: dict[int, Move | None] = {}
        reached = {start: [self]}
        while reached:
            level: dict[int, list[Turn]] = {}
            for at, turns in reached.items():
                for turn in turns:
                    for step in turn.next_steps:
                        if step[0] == at:
                            level.setdefault(step[1], []).append(turn.after(step))
            for end, turns in level.items():
                boards = {turn.checkers.tobytes() for turn in turns}
                found.setdefault(
                    end, turns[0].steps[len(self.steps) :] if len(boards) == 1 else None
                )
            reached = level
        return found

    def why_not_from(self, start: int) -> str:
        """Why no step starts at the mover's point `start`: the reason for each die."""
        own = self.checkers[self.state.next_player]
        if not own[start - 1] or (own[24] and start != BAR):
            return self._why_no_step((start, start - 1))
        reasons = dict.fromkeys(
            self._why_no_step((start, max(start - die, OFF))) for die in dict.fromkeys(self.left)
        )
        return "; ".join(reasons)

    def why_not(self, start: int, end: int) -> str:
        """Why a checker cannot go from the mover's point `start` to `end` in this turn."""
        if end >= start:
            return f"checkers go from higher points to lower ones, not from {point_name(start)} to {point_name(end)}"
        if self.routes(start).get(end, ()) is None:
            return f"two ways from {point_name(start)} to {point_name(end)} hit differently: click the point in between first"
        ways = [dice for dice in _orders(self.left) if len(dice) > 1 and sum(dice) == start - end]
        reasons = [self._why_no_way(start, dice) for dice in ways]
        return "; ".join(dict.fromkeys(reasons)) or self._why_no_step((start, end))

    def _why_no_way(self, start: int, dice: Dice) -> str:
        turn = self
        for die in dice:
            step = (start, start - die)
            if step not in turn.next_steps:
                return turn._why_no_step(step)
            turn, start = turn.after(step), start - die
        raise ValueError(f"there is a way with {dice}")

    def _why_no_step(self, step: Step) -> str:
        """Why `step` is not among `next_steps`: it cannot be made, or the turn could not be completed after it."""
        if step not in self._possible:
            try:
                self.state.apply_move((*self.steps, step))
            except IllegalMove as error:
                return str(error)
            raise ValueError(f"{step} can be made")
        name = "/".join(map(point_name, step))
        high, low = self.state.dice
        most = max(map(len, self.state.legal_moves()))
        if high == low:
            return f"{name} would leave fewer than {most} of the four {high}s to play; as many as possible must be played"
        if most == 1:
            return f"{name}: only one die can be played, and it must be the higher one if it can, the {high}"
        rest = _without(self.left, self._possible[step][0])
        return f"{name} would leave the {rest[0]} without a play: both dice can be played, so both must be"


@lru_cache(maxsize=64)
def turn_of(state: BackgammonState, steps: Move = ()) -> Turn:
    """The turn in `state`, its dice thrown, after these steps. Raises IllegalMove for one that cannot come next."""
    if steps:
        before = turn_of(state, steps[:-1])
        if steps[-1] not in before.next_steps:
            raise IllegalMove(before.why_not(*steps[-1]))
        return before.after(steps[-1])
    high, low = state.dice
    return Turn(
        state, (), _Search(state), state.checkers, (high,) * 4 if high == low else (high, low)
    )


class _Search:
    """What can follow what in the turn of one position. Boards [2, 26] int8."""

    def __init__(self, state: BackgammonState) -> None:
        self.mover = state.next_player
        self.ends = {state.apply_move(move).checkers.tobytes() for move in state.legal_moves()}
        self._known: dict[tuple[bytes, Dice], bool] = {}

    def steps(self, board: np.ndarray, left: Dice) -> dict[Step, tuple[int, np.ndarray]]:
        """step -> (die it uses up, board after it) for every step that can be made with a die of `left`.

        A checker is borne off by its own die, else by the highest.
        """
        found: dict[Step, tuple[int, np.ndarray]] = {}
        plays = np.empty((kernels.MOST_POSITIONS + 1, 7), np.int64)
        own, other = board[self.mover], board[1 - self.mover]
        for die in dict.fromkeys(left):
            _, used = kernels.find_plays(own, other, np.int8(die), np.int8(die), plays)
            for row in 1 + np.flatnonzero(plays[1:used, kernels.CAME_FROM] == 0):
                step = int(plays[row, kernels.START]) + 1, int(plays[row, kernels.END]) + 1
                if step not in found or step[0] == die:
                    after = np.empty((1, 2, 26), np.int8)
                    kernels.write_board(plays, row, board[None], 0, self.mover, after, 0)
                    found[step] = die, after[0]
        return dict(sorted(found.items(), reverse=True))

    def completes(self, board: np.ndarray, left: Dice) -> bool:
        """Whether some way of playing on ends in a position that the rules list as the end of this turn."""
        key = board.tobytes(), left
        if key not in self._known:
            after = self.steps(board, left).values()
            on = any(self.completes(next_board, _without(left, die)) for die, next_board in after)
            self._known[key] = on if after else board.tobytes() in self.ends
        return self._known[key]


def _without(left: Dice, die: int) -> Dice:
    place = left.index(die)
    return left[:place] + left[place + 1 :]


def _orders(left: Dice) -> tuple[Dice, ...]:
    """The orders in which one checker can play some of the dice."""
    if len(set(left)) == 1:
        return tuple(left[:count] for count in range(1, len(left) + 1))
    return ((left[0],), (left[1],), left, left[::-1])
