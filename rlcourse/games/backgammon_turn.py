"""A turn of backgammon step by step: the steps that keep the turn legal, and why others do not.

The rules only know whole turns. Single steps come from the same compiled search, as the first level
of a double with that die.
"""

from functools import lru_cache

import numpy as np

from rlcourse.errors import BadValue
from rlcourse.games import IllegalMove
from rlcourse.games import backgammon_kernels as kernels
from rlcourse.games.backgammon import BackgammonState
from rlcourse.games.backgammon_text import BAR, OFF, Move, Step, point_name

Dice = tuple[int, ...]


class Turn:
    """The position after the first `steps` of a turn; `turn_of` returns it.

    checkers [2, 26] int8: the current board. left: the unplayed dice, the higher first. next_steps:
    the steps, on the mover's own points, after which the turn can still be completed legally.
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
        """Whether no further step is legal, as in a turn that has to pass."""
        return not self.next_steps

    @property
    def sources(self) -> frozenset[int]:
        """The mover's points where a legal step starts; 25 is the bar."""
        return frozenset(start for start, _ in self.next_steps)

    def after(self, step: Step) -> "Turn":
        """The turn with one more of its `next_steps`."""
        die, board = self._possible[step]
        return Turn(self.state, (*self.steps, step), self._search, board, _without(self.left, die))

    def routes(self, start: int) -> dict[int, Move | None]:
        """end -> the steps that move one checker from `start` there with as few dice as possible.

        None if two routes of equal length hit different blots, so that the player has to choose the
        point in between.
        """
        routes: dict[int, Move | None] = {}
        reached = {start: [self]}
        while reached:
            level: dict[int, list[Turn]] = {}
            for point, turns in reached.items():
                for turn in turns:
                    for step in turn.next_steps:
                        if step[0] == point:
                            level.setdefault(step[1], []).append(turn.after(step))
            for end, turns in level.items():
                boards = {turn.checkers.tobytes() for turn in turns}
                route = turns[0].steps[len(self.steps) :] if len(boards) == 1 else None
                routes.setdefault(end, route)
            reached = level
        return routes

    def why_not_from(self, start: int) -> str:
        """Why no step starts at the mover's point `start`: the reason for each die."""
        own = self.checkers[self.state.next_player]
        if not own[start - 1] or (own[24] and start != BAR):
            # Whatever the die is: the step that was asked about is left out.
            return self._why_no_step((start, start - 1)).partition(": ")[2]
        reasons = [
            self._why_no_step((start, max(start - die, OFF))) for die in dict.fromkeys(self.left)
        ]
        return "; ".join(dict.fromkeys(reasons))

    def why_not(self, start: int, end: int) -> str:
        """Why a checker cannot go from the mover's point `start` to `end` in this turn."""
        if end >= start:
            return (
                "checkers go from higher points to lower ones, "
                f"not from {point_name(start)} to {point_name(end)}"
            )
        if self.routes(start).get(end, ()) is None:
            return (
                f"two ways from {point_name(start)} to {point_name(end)} hit differently: "
                "click the point in between first"
            )
        orders = [dice for dice in _orders(self.left) if len(dice) > 1 and sum(dice) == start - end]
        reasons = [self._why_no_route(start, dice) for dice in orders]
        return "; ".join(dict.fromkeys(reasons)) or self._why_no_step((start, end))

    def _why_no_route(self, start: int, dice: Dice) -> str:
        """Why one checker cannot play these dice in this order: the first illegal step."""
        turn = self
        for die in dice:
            step = (start, start - die)
            if step not in turn.next_steps:
                return turn._why_no_step(step)
            turn, start = turn.after(step), start - die
        raise BadValue(f"there is a way with {dice}")

    def _why_no_step(self, step: Step) -> str:
        """Why `step` is not in `next_steps`: it is illegal, or no legal turn follows."""
        if step not in self._possible:
            try:
                self.state.apply_move((*self.steps, step))
            except IllegalMove as error:
                return str(error)
            raise BadValue(f"{step} can be made")
        name = "/".join(map(point_name, step))
        high, low = self.state.dice
        most = max(map(len, self.state.legal_moves()))
        if high == low:
            return (
                f"{name} would leave fewer than {most} of the four {high}s to play; "
                "as many as possible must be played"
            )
        if most == 1:
            return (
                f"{name}: only one die can be played, and it must be the higher one if it can, "
                f"the {high}"
            )
        rest = _without(self.left, self._possible[step][0])
        return (
            f"{name} would leave the {rest[0]} without a play: "
            "both dice can be played, so both must be"
        )


@lru_cache(maxsize=64)
def turn_of(state: BackgammonState, steps: Move = ()) -> Turn:
    """The turn in `state`, whose dice are thrown, after these steps. Raises IllegalMove."""
    if steps:
        before = turn_of(state, steps[:-1])
        if steps[-1] not in before.next_steps:
            raise IllegalMove(before.why_not(*steps[-1]))
        return before.after(steps[-1])
    high, low = state.dice
    dice = (high,) * 4 if high == low else (high, low)
    return Turn(state, (), _Search(state), state.checkers, dice)


class _Search:
    """The steps within the turn of one position. Boards are [2, 26] int8."""

    def __init__(self, state: BackgammonState) -> None:
        self.mover = state.next_player
        self.ends = {state.apply_move(move).checkers.tobytes() for move in state.legal_moves()}
        self._completes: dict[tuple[bytes, Dice], bool] = {}

    def steps(self, board: np.ndarray, left: Dice) -> dict[Step, tuple[int, np.ndarray]]:
        """step -> (die it uses, board after it) for every step that a die of `left` can play.

        A checker is borne off by its own die if possible, else by the highest.
        """
        steps: dict[Step, tuple[int, np.ndarray]] = {}
        plays = np.empty((kernels.MOST_POSITIONS + 1, 7), np.int64)
        own, other = board[self.mover], board[1 - self.mover]
        for die in dict.fromkeys(left):
            _, used = kernels.find_plays(own, other, np.int8(die), np.int8(die), plays)
            for row in 1 + np.flatnonzero(plays[1:used, kernels.CAME_FROM] == 0):
                step = int(plays[row, kernels.START]) + 1, int(plays[row, kernels.END]) + 1
                if step not in steps or step[0] == die:
                    after = np.empty((1, 2, 26), np.int8)
                    kernels.write_board(plays, row, board[None], 0, self.mover, after, 0)
                    steps[step] = die, after[0]
        return dict(sorted(steps.items(), reverse=True))

    def completes(self, board: np.ndarray, left: Dice) -> bool:
        """Whether some continuation ends in a position that the rules list for this turn."""
        key = board.tobytes(), left
        if key not in self._completes:
            steps = self.steps(board, left).values()
            if steps:
                result = any(self.completes(after, _without(left, die)) for die, after in steps)
            else:
                result = board.tobytes() in self.ends
            self._completes[key] = result
        return self._completes[key]


def _without(left: Dice, die: int) -> Dice:
    index = left.index(die)
    return left[:index] + left[index + 1 :]


def _orders(left: Dice) -> tuple[Dice, ...]:
    """The orders in which one checker can play some of the dice that are left."""
    if len(set(left)) == 1:
        return tuple(left[:count] for count in range(1, len(left) + 1))
    return ((left[0],), (left[1],), left, left[::-1])
