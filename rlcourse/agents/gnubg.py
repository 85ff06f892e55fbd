"""GNU Backgammon as a player and as a judge of positions: 0-ply, cubeless, for money."""

import threading
import warnings
import weakref
from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import numpy as np

from rlcourse.agents.base import Decision
from rlcourse.agents.gnubg_process import GnubgError, GnubgMissing, GnubgProcess, find_gnubg
from rlcourse.agents.td_gammon import EquityAgent
from rlcourse.games import AfterstateBatch, Game

__all__ = ["Gnubg", "GnubgAgent", "GnubgError", "GnubgMissing", "find_gnubg"]


class Gnubg:
    """Several gnubg processes that evaluate positions, started at the first question and ended with this process.

    Where one dies, or is silent for `timeout` seconds, a warning says so and all are started anew, once in a call; the
    second failure raises GnubgError. program: the path; default `find_gnubg()`.
    """

    def __init__(
        self, processes: int = 2, *, program: str | None = None, timeout: float = 20.0
    ) -> None:
        if processes < 1:
            raise ValueError(f"at least one gnubg process is needed, not {processes}")
        self.processes, self.timeout = processes, timeout
        self.program = find_gnubg() if program is None else program
        self._running: list[GnubgProcess] = []
        self._asking = threading.Lock()
        weakref.finalize(self, _stop, self._running)

    def __enter__(self) -> "Gnubg":
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def close(self) -> None:
        """End the processes. The next question starts them again."""
        _stop(self._running)

    def evaluate(self, checkers: np.ndarray, roller: np.ndarray, *, plies: int = 0) -> np.ndarray:
        """[M, 5] probabilities for the player who rolls next, as in `rlcourse.agents.td_gammon.OUTPUTS`; six decimals.

        checkers [M, 2, 26], roller [M]. plies: turns of look-ahead. Finished games are exact. Raises ValueError, GnubgError.
        """
        seen = _seen_by(np.asarray(checkers), np.asarray(roller))
        answers, back = self._ask_once(
            "evaluation fibsboard ", seen, f" plies {plies} cubeless prune off"
        )
        try:
            return np.array(b"".join(answers).split(), np.float64).reshape(len(answers), 6)[
                back, :5
            ]
        except ValueError:
            odd = next((answer for answer in answers if answer[:1] not in b"01"), answers[0])
            raise _not_understood(odd) from None

    def best_plays(self, checkers: np.ndarray, mover: np.ndarray, dice: np.ndarray) -> np.ndarray:
        """[M, 2, 26] int8: the boards after gnubg's own choice, by its 0-ply equity, among the moves that it finds itself.

        checkers [M, 2, 26], mover [M], dice [M, 2]. Where nothing can be moved the board stays. Raises ValueError, GnubgError.
        """
        checkers, mover = np.asarray(checkers), np.asarray(mover)
        answers, back = self._ask_once("", _seen_by(checkers, mover, np.asarray(dice)), "")
        moves = [_steps(answer) for answer in answers]
        after = checkers.astype(np.int8)
        for board, player, which in zip(after, mover.tolist(), back.tolist(), strict=True):
            for start, end in moves[which]:
                board[player, start] -= 1
                board[player, end] += 1
                if end < 24 and board[1 - player, 23 - end]:
                    board[1 - player, 23 - end] -= 1
                    board[1 - player, 24] += 1
        return after

    def _ask_once(
        self, before: str, seen: np.ndarray, after: str
    ) -> tuple[list[bytes], np.ndarray]:
        """(answers, index of each row's [M]): each different row of `seen` [M, 29] is asked once."""
        distinct, back = np.unique(seen.view(f"V{seen.shape[1]}")[:, 0], return_inverse=True)
        rows = distinct.view(np.int8).reshape(-1, seen.shape[1]).tolist()
        before, after = f"{before}board:a:b:0:0:0:", f":0:0:1:1:1:0:1:-1{after} jacobyrule off\n"
        return self.ask([before + ":".join(map(str, row)) + after for row in rows]), back

    def ask(self, questions: Sequence[str]) -> list[bytes]:
        """The answers, a line each, to lines of gnubg's external interface. Raises GnubgError."""
        with self._asking:
            return self._ask([question.encode() for question in questions])

    def _ask(self, lines: list[bytes]) -> list[bytes]:
        answers: list[bytes] = []
        trouble = ""
        while True:
            try:
                while len(self._running) < self.processes:
                    self._running.append(GnubgProcess(self.program, self.timeout))
                self._ask_all(lines, answers)
                return answers
            except (OSError, GnubgError) as error:
                self.close()
                reason = (
                    f"gave no answer in {self.timeout:g} s"
                    if isinstance(error, TimeoutError)
                    else f"failed: {error}"
                )
                if trouble:
                    raise GnubgError(
                        f"{self.program} {trouble}; started again, it {reason}"
                    ) from error
                trouble = reason
                warnings.warn(
                    f"{self.program} {reason}; it is started again", RuntimeWarning, stacklevel=5
                )
            except BaseException:  # an interrupt: answers still under way would be taken for those to the next questions
                self.close()
                raise

    def _ask_all(self, lines: list[bytes], answers: list[bytes]) -> None:
        """Append the missing answers. The processes think at the same time, each about one question."""
        for first in range(len(answers), len(lines), self.processes):
            asked = lines[first : first + self.processes]
            for process, line in zip(self._running, asked, strict=False):
                process.ask(line)
            answers += [process.answer() for process, _ in zip(self._running, asked, strict=False)]


def _stop(running: list[GnubgProcess]) -> None:
    while running:
        running.pop().stop()


def _seen_by(checkers: np.ndarray, roller: np.ndarray, dice: np.ndarray | int = 0) -> np.ndarray:
    """[M, 29] int8 as gnubg reads a position: the opponent's bar, points 1 to 24 and the bar of the roller, the opponent's
    checkers below 0; 1 for his turn; the dice."""
    if checkers.ndim != 3 or checkers.shape[1:] != (2, 26) or roller.shape != checkers.shape[:1]:
        raise ValueError(
            f"gnubg wants checkers [M, 2, 26] and a player [M]; got {checkers.shape} and {roller.shape}"
        )
    rows = np.arange(len(checkers))
    own, other = checkers[rows, roller], checkers[rows, 1 - roller]
    facing = other[:, 23::-1]
    shared = ((own[:, :24] > 0) & (facing > 0)).any(axis=1)
    wrong = shared | (checkers.sum(axis=2) != 15).any(axis=1) | (checkers < 0).any(axis=(1, 2))
    if wrong.any():
        raise ValueError(
            f"board {np.argmax(wrong)} is none: each player has 15 checkers, and no point belongs to both"
        )
    seen = np.ones((len(rows), 29), np.int8)
    seen[:, 0], seen[:, 25] = -other[:, 24], own[:, 24]
    seen[:, 1:25] = own[:, :24] - facing
    seen[:, 27:] = dice
    return seen


def _steps(answer: bytes) -> list[tuple[int, int]]:
    """b"bar/20* 6/off " -> [(24, 19), (5, 25)]: from and to on the mover's side, as indices into his checkers [26]."""
    try:
        pairs = [step.split("/") for step in answer.decode("ascii").replace("*", "").split()]
        return [
            (24 if start == "bar" else int(start) - 1, 25 if end == "off" else int(end) - 1)
            for start, end in pairs
        ]
    except ValueError:
        raise _not_understood(answer) from None


def _not_understood(answer: bytes) -> GnubgError:
    return GnubgError(
        f"gnubg does not accept this position; it says {answer.decode(errors='replace').strip()!r}"
    )


@lru_cache(maxsize=8)
def _shared(processes: int) -> Gnubg:
    return Gnubg(processes)


class GnubgAgent(EquityAgent):
    """Plays gnubg's best play at 0-ply; its candidates are valued by gnubg's probabilities.

    processes: how many gnubg run side by side; all agents of that number share them.
    """

    name = "gnubg"

    def __init__(self, game: Game, *, processes: int = 2, seed: int | None = None) -> None:
        super().__init__(game, seed=seed)
        self.engine = _shared(processes)

    def outputs(self, checkers: np.ndarray, roller: np.ndarray) -> np.ndarray:
        """[M, 5] probabilities for the player who rolls next. checkers [M, 2, 26]; roller [M]."""
        return self.engine.evaluate(checkers, roller)

    def decide(
        self, batch: AfterstateBatch, rows: np.ndarray, rng: np.random.Generator
    ) -> Decision:
        """`action` counts the afterstates of each row. Raises GnubgError where gnubg's move is not among them."""
        boards, offsets = batch.afterstate_boards(rows)
        played = self.engine.best_plays(batch.checkers[rows], batch.to_play[rows], batch.dice[rows])
        row = np.repeat(np.arange(len(rows)), np.diff(offsets))
        hits = np.flatnonzero((boards == played[row]).all(axis=(1, 2)))
        if not np.array_equal(row[hits], np.arange(len(rows))):
            lost = np.setdiff1d(np.arange(len(rows)), row[hits])[0]
            raise GnubgError(
                f"gnubg makes a play that our rules do not know, in {batch.state(int(rows[lost])).recipe()}"
            )
        return Decision((hits - offsets[:-1]).astype(np.int32))

    def options(self) -> dict[str, Any]:
        """The number of processes."""
        return {"processes": self.engine.processes}
