"""A training run as it happens: a curve, the time left, and a game played by the newest weights."""

import signal
import time
from collections.abc import Callable
from contextlib import suppress
from contextvars import copy_context
from math import ceil
from threading import Event, Thread, current_thread, main_thread
from types import FrameType, TracebackType
from typing import Any, Self

from IPython.display import DisplayHandle, display

from rlcourse.boards.referee import Referee
from rlcourse.drawing.curve import curve
from rlcourse.drawing.svg import COORDINATES, Marks, card, placed, size_of, text

INTERVAL = 0.25  # seconds between two pictures, at least
SHARE = 0.04  # of the processor's time, at most
WIDTH, HEIGHT, BOARD = 760, 320, 270  # of the picture; the longer side of the board
PLAYER = "The newest weights"


def pause(cost: float) -> float:
    """Seconds to wait after a picture that took `cost` seconds of the processor."""
    return max(INTERVAL, cost / SHARE)


class Live:
    """The picture of a training run: `with live("losing lines", games=10_000) as picture:`.

    In the block, `picture.add(games, figure, agent)` adds a point to the curve and hands over the
    newest weights. They play against themselves on the board, one move a picture, in a thread of
    its own; the run itself is not touched. Interrupting ends the block, keeps what was learned and
    says so.

    label: what the figure is. top: the highest figure there can be. games, seconds: where the run
    ends at the latest, for the time left; the seconds are those of training alone. clock: seconds.
    """

    def __init__(
        self,
        label: str,
        *,
        top: float | None = None,
        games: int | None = None,
        seconds: float | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.label, self.top = label, top
        self.most_games, self.most_seconds = games, seconds
        self.points: list[tuple[int, float]] = []
        self.referee: Referee | None = None
        self._clock, self._started = clock, clock()
        self._added = self._trained = 0.0  # seconds in all, and of training, up to the last point
        self._took: float | None = None  # the whole run, once it is over
        self._stop = Event()
        self._interrupted = False
        self._before: Any = None  # what answers an interrupt outside the block
        # Outside a notebook there is no picture to renew.
        self._handle: DisplayHandle | None = None
        self._thread: Thread | None = None

    @property
    def seconds(self) -> float:
        """Since the start of the block."""
        return self._clock() - self._started if self._took is None else self._took

    def add(self, games: int, figure: float, agent: Any, trained: float | None = None) -> None:
        """A point of the curve, and the player as it is now: a snapshot that no one else asks.

        trained: seconds of training so far, where the block does other things as well. Raises
        KeyboardInterrupt after one that code in the block has swallowed.
        """
        if self._interrupted:
            raise KeyboardInterrupt
        self._added = self.seconds
        self._trained = self._added if trained is None else trained
        self.points.append((games, figure))
        if self.referee is None:
            self.referee = Referee(agent.game, {PLAYER: agent}, "none", seed=0)
        self.referee.opponents[PLAYER] = agent

    def left(self) -> float | None:
        """Seconds that the run can still take; None before there is anything to tell them by."""
        bounds = []
        if self.most_seconds is not None:
            rest = self.most_seconds - self._trained
            # What else is done takes as large a share of the time as it did until now.
            slower = self._added / self._trained if self._trained else 1.0
            bounds.append(self._added + slower * rest)
        if self.most_games is not None and self.points and self.points[-1][0]:
            bounds.append(self._added * self.most_games / self.points[-1][0])
        return max(0.0, min(bounds) - self.seconds) if bounds else None

    def step(self) -> None:
        """One move on the board; after the end of a game the next one."""
        if self.referee is None:
            return
        if self.referee.state.is_over():
            self.referee.new_game()
        else:
            self.referee.step("next")

    def status(self) -> str:
        """How far the run is, as a sentence."""
        games = self.points[-1][0] if self.points else 0
        sentence = f"{games:,} games, {self.seconds:.0f} s"
        if self._took is not None:
            return f"{sentence}."
        left = self.left()
        return f"{sentence}, at most about {ceil(left):,} s left." if left is not None else sentence

    def __repr__(self) -> str:
        first = f"{self.points[0][1]:,.0f} at first, " if self.points else "nothing yet, "
        last = f"{self.points[-1][1]:,.0f} at last; " if self.points else ""
        return f"Figure: {self.label}: {first}{last}{self.status()}"

    def _repr_svg_(self) -> str:
        parts = [
            curve(list(self.points), box=(62, 58, 330, 190), label=self.label, top=self.top),
            text(54, 298, self.status(), 14, text_anchor="start", fill=COORDINATES),
        ]
        if self.referee is not None:
            parts.append(self._board(self.referee))
        return card(WIDTH, HEIGHT, *parts, plain_text=repr(self), label=repr(self)).svg

    def _board(self, referee: Referee) -> str:
        """The position that the newest weights have reached, with a line above it."""
        last = None
        if referee.moves:
            last = referee.face.mark(referee.game, referee.line[-2], referee.moves[-1])
        drawing = referee.face.draw(referee.state, (), Marks(last=last))
        width, height = size_of(drawing)
        scale = BOARD / max(width, height)
        middle = WIDTH - 20 - BOARD / 2
        heading = referee.trouble or f"{PLAYER} play both sides"
        place = (middle - scale * width / 2, 40, scale * width, scale * height)
        return text(middle, 22, heading, 14, fill=COORDINATES) + placed(drawing, *place)

    def _note(self, number: int, frame: FrameType | None) -> None:
        """Keep in mind that an interrupt came: raised in a `__del__`, as TensorFlow has many, it
        would be lost.
        """
        self._interrupted = True
        self._before(number, frame)

    def __enter__(self) -> Self:
        self._before = signal.getsignal(signal.SIGINT)
        if callable(self._before) and current_thread() is main_thread():
            signal.signal(signal.SIGINT, self._note)
        self._started = self._clock()
        self._handle = display(self, display_id=True)
        if self._handle:
            # In a copy of this context the kernel finds the cell to which the pictures belong.
            thread = Thread(target=copy_context().run, args=(self._draw,), daemon=True)
            # A browser's Python starts none; there the one picture is that of the end.
            with suppress(RuntimeError):
                thread.start()
                self._thread = thread
        return self

    def _draw(self) -> None:
        """Until the run is over: wait, move, and show the picture."""
        assert self._handle
        cost = 0.0
        while not self._stop.wait(pause(cost)):
            began = time.thread_time()
            self.step()
            self._handle.update(self)
            cost = time.thread_time() - began

    def __exit__(
        self, kind: type[BaseException] | None, _: BaseException | None, __: TracebackType | None
    ) -> bool:
        if signal.getsignal(signal.SIGINT) == self._note:
            signal.signal(signal.SIGINT, self._before)
        self._stop.set()
        if self._thread:
            self._thread.join()
        self._took = self.seconds
        if self.referee is not None and not self.referee.state.is_over():
            # The picture that stays shows a whole game.
            self.referee.step("last")
        if self._handle:
            self._handle.update(self)
        if kind is not KeyboardInterrupt:
            return False
        games = self.points[-1][0] if self.points else 0
        print(f"Interrupted after {games:,} games or a few more. What was learned is kept.")
        return True
