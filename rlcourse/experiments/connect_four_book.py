"""The book of openings for the player of Connect Four that gives no result away."""

import numpy as np

from rlcourse.agents import load_agent
from rlcourse.experiments.base import Results, Stopwatch, experiment
from rlcourse.games import GameState, get_game
from rlcourse.solvers.connect_four import ConnectFourSolver
from rlcourse.solvers.connect_four_book import RESULTS, SOLVED_FROM, Bitboards, mirrored, played

GAME = get_game("connect-four")
SYMBOLS = {result: symbol for symbol, result in RESULTS.items()}
Games = dict[str, GameState]  # the columns played -> the position


@experiment("connect-four-book", seeds=2)
def connect_four_book(seed: int) -> Results:
    """Perfect first moves of Connect Four against any reply: of who begins, then of who follows."""
    clock, author, empty = Stopwatch(), _Author(), GAME.new_game()
    author.write({"": empty} if seed == 0 else _replies("", empty))
    return {"seed": seed, "book": author.book, "cpu_seconds": round(clock.seconds)}


class _Author:
    """Writes the book: the columns played -> the column to play and its result, such as "3+".

    The solver is asked late in a line, where it is quick. Earlier on a move that wins against every
    reply needs no solver; only where none is found must it say what the result is.
    """

    def __init__(self) -> None:
        self.book: dict[str, str] = {}
        self._results: dict[Bitboards, int] = {}
        self._solver = ConnectFourSolver(25)
        self._adviser = load_agent("connect-four/alphazero").with_simulations(200)

    def write(self, games: Games) -> int:
        """Answer in these positions and in all that follow. Returns the worst of their results."""
        new = {line: state for line, state in games.items() if played(line) not in self._results}
        if new:
            batch = GAME.new_batch(len(new))
            for row, state in enumerate(new.values()):
                batch.load(row, state)
            rows, rng = np.arange(len(new)), np.random.default_rng(0)
            visits = self._adviser.decide(batch, rows, rng).visits
            assert visits is not None
            orders = np.argsort(-visits, kind="stable")
            for (line, state), order in zip(new.items(), orders, strict=True):
                legal = [column for column in order.tolist() if state.is_valid_move(column)]
                self._answer(line, state, legal)
        return min((self._results[played(line)] for line in games), default=1)

    def _answer(self, line: str, state: GameState, order: list[int]) -> None:
        """Write the first column of the order that keeps the result."""
        column = order[0]
        result = self._result_of(line, state, column)
        if result < 1:
            exact = self._solver.score(state, reach=1)
            if exact > result:
                column = next(
                    other
                    for other in order[1:]
                    if self._solver.score(state.apply_move(other), reach=1) == -exact
                )
                result = self._result_of(line, state, column)
                assert result == exact
        self.book[line] = f"{column}{SYMBOLS[result]}"
        for image in (line, mirrored(line)):
            self._results[played(image)] = result

    def _result_of(self, line: str, state: GameState, column: int) -> int:
        """The result of a move; what follows it is written into the book."""
        after = state.apply_move(column)
        if _wins_at_once(after):
            return -1
        if len(line) + 2 >= SOLVED_FROM:
            return -self._solver.score(after, reach=1)
        return self.write(_replies(f"{line}{column}", after))


def _replies(line: str, state: GameState) -> Games:
    """The positions after each reply, one of two mirror images.

    Those in which the next stone wins are left out: no book is needed there.
    """
    replies: Games = {}
    seen: set[Bitboards] = set()
    for column in state.legal_moves():
        longer, reply = f"{line}{column}", state.apply_move(column)
        if played(longer) not in seen and not _wins_at_once(reply):
            seen |= {played(longer), played(mirrored(longer))}
            replies[longer] = reply
    return replies


def _wins_at_once(state: GameState) -> bool:
    return any(state.apply_move(column).is_over() for column in state.legal_moves())
