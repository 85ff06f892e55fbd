"""The referee of a board: the line of play, the player to move, and a reason for each refusal.

It is independent of browsers. A `Refusal` is a sentence for the player; raising one changes
nothing.
"""

from collections.abc import Mapping, Sequence
from reprlib import repr as short
from typing import Any

import numpy as np

from rlcourse.boards.faces import face_of, game_and_start, moves_between
from rlcourse.boards.review import Review, review
from rlcourse.boards.sentences import (
    move_sentence,
    move_text,
    player_name,
    result,
    scorer,
    turn,
)
from rlcourse.errors import CourseError
from rlcourse.games import Game, GameError, GameState

SIDES = {"first": (0,), "second": (1,), "both": (0, 1), "none": ()}


class Refusal(CourseError, ValueError):
    """Why a request was not carried out, as a sentence for the player."""


class Referee:
    """One game at a board, from `start` on.

    line[k] is the position after k moves; `shown` is the k that the board displays. `you`: the
    players moved by hand. `opponents`: name -> agent, or the name of a stored agent, loaded when
    first chosen. `announcement`: what came of the last request. seed: of the dice, which the
    referee throws. A throw depends only on the seed, the number of the game and the number of the
    move, so a player who takes a move back meets the same dice again.
    """

    def __init__(
        self,
        source: Game | GameState | str,
        opponents: Mapping[str, Any],
        side: str,
        *,
        line: Sequence[GameState] | None = None,
        seed: int | None = None,
    ) -> None:
        self.game, self.start = game_and_start(source)
        self.face = face_of(self.game.name)
        self.seed = int(np.random.default_rng().integers(2**63)) if seed is None else seed
        # (winner, points) of the games before this one; 0 points: nobody has won.
        self.finished: list[tuple[str, int]] = []
        self.ended: list[tuple[str, int]] = []  # of this one, when it has ended
        self.games = 0
        self.opponents = dict(opponents)
        self.opponent = next(iter(self.opponents), "")
        self.replaying = line is not None
        self.line = list(line) if line is not None else [self._thrown(self.start, 0)]
        self.moves = moves_between(self.face, self.line)
        self.shown = 0
        self.clicks: tuple[int, ...] = ()
        self.resumed = False  # whether the line begins with a position that was reached before
        self.trouble = ""
        self.announcement = ""
        self.side = "none"
        if not self.replaying:
            self.choose_side(side)
        self.announcement = ""

    @property
    def state(self) -> GameState:
        """The position at the end of the line: the one the game has reached."""
        return self.line[-1]

    @property
    def you(self) -> tuple[int, ...]:
        """The players that are moved by hand."""
        return SIDES[self.side]

    def your_turn(self) -> bool:
        """Whether the position waits for a move by hand."""
        return not self.state.is_over() and self.state.next_player in self.you

    def agents_turn(self) -> bool:
        """Whether `answer` would make a move; a watched game continues by `step("next")`."""
        if self.state.is_over() or self.side == "none" or self.trouble:
            return False
        return not self.your_turn()

    # Requests of the player. Each raises Refusal, or changes the game and the announcement.

    def click(self, action: int) -> bool:
        """One click on the board. Returns whether it completed a move."""
        if self.replaying:
            raise Refusal("This is a recorded game: step through it with its buttons.")
        if self.state.is_over():
            raise Refusal(f"The game is over: {result(self)} Start a new game or undo.")
        if self.shown != len(self.moves):
            raise Refusal(
                f"You are looking back at position {self.shown}. Go to the last position to play "
                "on."
            )
        if not self.your_turn():
            raise Refusal(
                f"It is not your turn: {player_name(self, self.state.next_player)} moves."
            )
        try:
            clicks = self.face.keep(self.game, self.state, (*self.clicks, action))
            move = self.face.move(self.game, self.state, clicks) if clicks else None
        except GameError as error:
            raise Refusal(f"Not possible: {error}.") from None
        if move is None:
            self.clicks = clicks
            self.announcement = self.face.ask(self.state, clicks)
            return False
        self._push(move)
        return True

    def play(self, move: Any) -> None:
        """A move by hand from Python. Raises Refusal if it is not your turn, or IllegalMove."""
        self.shown = len(self.moves)
        if self.replaying:
            raise Refusal("This is a recorded game.")
        if not (self.your_turn() or self.state.is_over()):
            raise Refusal("It is not your turn.")
        self._push(move)

    def answer(self) -> None:
        """Let the agent move until it is your turn or the game ends.

        The failure of an agent is reported, never raised.
        """
        while self.agents_turn():
            self._agent_move()
        if self.trouble:
            self.announcement = f"{self.announcement} {self.trouble}".strip()
        elif self.state.is_over():
            self.announcement = f"{self.announcement} {result(self)}".strip()
        elif not self.replaying:
            self.announcement = f"{self.announcement} {turn(self)}".strip()

    def new_game(self) -> None:
        """Back to the starting position; side and opponent stay."""
        self._no_recording()
        self.finished += self.ended
        self.games += 1
        self._cut(0)
        self.resumed = False
        self.line = [self._thrown(self.start, 0)]
        self.announcement = "New game."

    def resume(self, state: GameState) -> None:
        """Go on from a position of this game; the moves that led to it are not known."""
        self._no_recording()
        self._cut(0)
        self.line = [state]
        self.resumed = True

    def undo(self) -> None:
        """Take back the last step of an unfinished move, else moves including your last one.

        In a watched game, take back the last move.
        """
        self._no_recording()
        if self.clicks:
            clicks = self.clicks[: (len(self.clicks) - 1) // 2 * 2]  # in pairs, from and to
            self._cut(len(self.moves))
            self.clicks = clicks
            self.announcement = "Took back the last step." if clicks else "Started the move again."
            return
        own = list(range(len(self.moves)))
        if self.side != "none":
            own = [k for k in own if self.line[k].next_player in self.you]
        if not own:
            raise Refusal("There is no move of yours to take back.")
        count = len(self.moves) - own[-1]
        self._cut(own[-1])
        self.announcement = f"Took back {count} move{'s' if count > 1 else ''}."

    def choose_side(self, side: str) -> None:
        """Play the first player, the second, both, or none (watch), from the current position."""
        self._no_recording()
        if side not in SIDES:
            raise Refusal(f"A side is one of {', '.join(SIDES)}; got {short(side)}.")
        if side != "both" and not self.opponents:
            raise Refusal("This board has no opponent, so both sides are moved by hand.")
        self.side, self.clicks, self.trouble, self.shown = side, (), "", len(self.moves)
        if side == "both":
            self.announcement = "You play both sides."
        elif side == "none":
            self.announcement = "You watch: Next plays a move."
        else:
            self.announcement = f"You play {self.face.players[self.you[0]]}."

    def choose_opponent(self, name: str) -> None:
        """Change the opponent from the next move on."""
        if not isinstance(name, str) or name not in self.opponents:
            raise Refusal(
                f"There is no opponent {short(name)}; there are "
                f"{', '.join(self.opponents) or 'none'}."
            )
        self.opponent, self.trouble = name, ""
        self.announcement = f"Your opponent is {name}."

    def step(self, where: str) -> None:
        """Show the first, previous, next or last position.

        At the end of an unfinished watched game, "next" and "last" play on.
        """
        end = len(self.moves)
        targets = {"first": 0, "previous": self.shown - 1, "next": self.shown + 1, "last": end}
        if where not in targets:
            raise Refusal(f"A step is one of {', '.join(targets)}; got {short(where)}.")
        target = targets[where]
        may_play = self.side == "none" and not self.replaying and not self.state.is_over()
        if may_play and self.shown == end and where in ("next", "last"):
            self._watch(to_the_end=where == "last")
            return
        if target < 0:
            raise Refusal("This is the first position.")
        if target > end:
            raise Refusal("This is the last position.")
        self.look(target)

    def look(self, number: Any) -> None:
        """Show the position after `number` moves."""
        end = len(self.moves)
        if type(number) is not int or not 0 <= number <= end:
            raise Refusal(f"This game has the positions 0 to {end}; got {short(number)}.")
        self.shown, self.clicks = number, ()
        before = f", after {move_text(self, number - 1)}" if number else ""
        self.announcement = f"Position {number} of {end}{before}."
        if number == end and self.state.is_over():
            self.announcement += f" {result(self)}"

    def try_again(self) -> None:
        """Play on from the position shown; what came after it is taken back."""
        self._no_recording()
        if self.shown == len(self.moves):
            raise Refusal("This is the last position. Look back to the one to play on from.")
        self._cut(self.shown)
        self.announcement = f"Back at position {self.shown}: try again."

    def can_review(self) -> bool:
        """Whether the game is over and has moves by hand that somebody can judge."""
        if self.replaying or not self.state.is_over() or not self._own_plies():
            return False
        return self.face.judge(self.game) is not None

    def _own_plies(self) -> list[int]:
        return [k for k in range(len(self.moves)) if self.line[k].next_player in self.you]

    def review(self) -> Review:
        """What the moves by hand of the finished game have cost; takes seconds in some games."""
        self._no_recording()
        judge = self.face.judge(self.game)
        if judge is None:
            raise Refusal(f"Nobody here can judge the moves of {self.game}.")
        if not self.state.is_over():
            raise Refusal("Your moves are judged when the game is over.")
        if not self._own_plies():
            raise Refusal("No move of this game was yours.")
        self.announcement = "Your moves are judged."
        return review(judge, self.line, self.moves, self._own_plies())

    def record(self) -> str:
        """The whole game so far as SGF. Raises Refusal for a game that has no such file."""
        if self.face.record is None:
            raise Refusal(f"Games of Go are saved as SGF; {self.game.name} has no such file.")
        first, second = (
            "" if player in self.you else str(self.opponent or "") for player in (0, 1)
        )
        return self.face.record(self.state, first, second)

    # Agents and the line of play.

    def agent(self) -> Any:
        """The opponent; a stored one is loaded when first needed, and errors are passed on."""
        chosen = self.opponents[self.opponent]
        if isinstance(chosen, str):
            from rlcourse.agents import load_agent

            chosen = self.opponents[self.opponent] = load_agent(chosen, game=self.game)
        return chosen

    def _agent_move(self) -> None:
        try:
            self._push(self.agent().select_move(self.state), self.opponent)
        except KeyboardInterrupt:
            self.trouble = (
                f"{self.opponent} was interrupted. Undo, start a new game or choose an opponent."
            )
        except Exception as error:  # noqa: BLE001 - an agent under construction may raise anything
            self.trouble = (
                f"{self.opponent} failed: {type(error).__name__}: {error}. "
                "Undo, start a new game or choose an opponent."
            )

    def _watch(self, *, to_the_end: bool) -> None:
        self.announcement, self.trouble = "", ""
        self._agent_move()
        while to_the_end and not self.state.is_over() and not self.trouble:
            self._agent_move()
        if to_the_end:
            self.announcement = f"Played to position {len(self.moves)}."
        standing = self.trouble or result(self) or turn(self)
        self.announcement = f"{self.announcement} {standing}".strip()

    def _thrown(self, state: GameState, number: int) -> GameState:
        """The position with the dice of move `number` of this game, if the game has dice."""
        if self.game.throw is None:
            return state
        return self.game.throw(state, np.random.default_rng([self.seed, self.games, number]))

    def _push(self, move: Any, agent: str | None = None) -> None:
        before = self.state
        self.line.append(self._thrown(before.apply_move(move), len(self.line)))
        self.moves.append(move)
        self.shown, self.clicks = len(self.moves), ()
        if self.state.is_over():
            self.ended = [(scorer(self, int(self.state.points < 0)), int(abs(self.state.points)))]
        name = agent or (self.face.players[before.next_player] if self.side == "both" else "You")
        sentence = f"{move_sentence(self, name, before, move)}."
        if agent and self.announcement:
            sentence = f"{self.announcement} {sentence}"
        self.announcement = sentence

    def _cut(self, length: int) -> None:
        del self.line[length + 1 :], self.moves[length:]
        self.shown, self.clicks, self.trouble = length, (), ""
        if not self.state.is_over():
            self.ended = []

    def _no_recording(self) -> None:
        if self.replaying:
            raise Refusal("This is a recorded game: it can be looked at, not changed.")
