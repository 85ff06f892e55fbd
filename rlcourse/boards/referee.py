"""The referee behind a board: the line of play, whose turn it is, and a reason for everything that is refused.

It knows nothing of browsers. A `Refusal` is a sentence for the player; nothing has changed when one is raised.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from reprlib import repr as short
from typing import Any

import numpy as np

from rlcourse.boards.faces import Face, face_of, game_and_start
from rlcourse.games import Game, GameError, GameState

SIDES = {"first": (0,), "second": (1,), "both": (0, 1), "none": ()}


class Refusal(ValueError):
    """Why a request was not carried out, as a sentence for the player."""


class Referee:
    """One game at a board, from `start` on.

    line[k] is the position after k moves; `shown` is the k that the board displays. `you`: the players moved by hand.
    `opponents`: name -> agent, or the name of a stored agent, loaded when first chosen. `said`: what to announce.
    seed: of the dice, which the referee throws. A throw depends on the seed, the number of the game and the number of the
    move alone: whoever takes a move back meets the same dice again.
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
        self.seed = np.random.SeedSequence(seed).entropy
        self.finished: list[tuple[str, int]] = []  # (winner, points) of the games before this one
        self.ended: list[tuple[str, int]] = []  # of this one, when it has ended
        self.games = 0
        self.opponents = dict(opponents)
        self.opponent = next(iter(self.opponents), None)
        self.replaying = line is not None
        self.line = list(line) if line is not None else [self._thrown(self.start, 0)]
        self.moves = moves_between(self.face, self.line)
        self.shown = 0
        self.clicks: tuple[int, ...] = ()
        self.trouble = ""
        self.said = ""
        self.side = "none"
        if not self.replaying:
            self.choose_side(side)
        self.said = ""

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
        """Whether `answer` would make a move: not in a watched game, which goes on by `step("next")`."""
        return (
            not self.state.is_over()
            and self.side != "none"
            and not self.your_turn()
            and not self.trouble
        )

    # Requests of the player. Each raises Refusal, or changes the game and leaves what to announce in `said`.

    def click(self, action: int) -> bool:
        """One click on the board. Returns whether it completed a move."""
        if self.replaying:
            raise Refusal("This is a recorded game: step through it with its buttons.")
        if self.state.is_over():
            raise Refusal(f"The game is over: {self.result()} Start a new game or undo.")
        if self.shown != len(self.moves):
            raise Refusal(
                f"You are looking back at position {self.shown}. Go to the last position to play on."
            )
        if not self.your_turn():
            raise Refusal(f"It is not your turn: {self.name(self.state.next_player)} moves.")
        try:
            clicks = self.face.keep(self.game, self.state, (*self.clicks, action))
            move = self.face.move(self.game, self.state, clicks) if clicks else None
        except GameError as error:
            raise Refusal(f"Not possible: {error}.") from None
        if move is None:
            self.clicks = clicks
            self.said = self.face.ask(self.state, clicks)
            return False
        self._push(move)
        return True

    def play(self, move: Any) -> None:
        """A move by hand out of Python. Raises Refusal when it is not your turn, IllegalMove as the rules do."""
        self.shown = len(self.moves)
        if self.replaying or not (self.your_turn() or self.state.is_over()):
            raise Refusal(
                "It is not your turn." if not self.replaying else "This is a recorded game."
            )
        self._push(move)

    def answer(self) -> None:
        """Let the agent move until it is your turn or the game ends. An agent's failure is reported, never raised."""
        while self.agents_turn():
            self._agent_move()
        if self.trouble:
            self.said = f"{self.said} {self.trouble}".strip()
        elif self.state.is_over():
            self.said = f"{self.said} {self.result()}".strip()
        elif not self.replaying:
            self.said = f"{self.said} {self.turn()}".strip()

    def new_game(self) -> None:
        """Back to the starting position; side and opponent stay."""
        self._no_recording()
        self.finished += self.ended
        self.games += 1
        self._cut(0)
        self.line = [self._thrown(self.start, 0)]
        self.said = "New game."

    def undo(self) -> None:
        """Take back the last step of the move under way, else moves up to and including the player's last one (a watched
        game: the last move)."""
        self._no_recording()
        if self.clicks:
            clicks = self.clicks[: (len(self.clicks) - 1) // self.face.step * self.face.step]
            self._cut(len(self.moves))
            self.clicks = clicks
            self.said = "Took back the last step." if clicks else "Started the move again."
            return
        own = [
            k
            for k in range(len(self.moves))
            if self.side == "none" or self.line[k].next_player in self.you
        ]
        if not own:
            raise Refusal("There is no move of yours to take back.")
        count = len(self.moves) - own[-1]
        self._cut(own[-1])
        self.said = f"Took back {count} move{'s' if count > 1 else ''}."

    def choose_side(self, side: str) -> None:
        """Play the first or the second player, both, or none (watch). The game goes on from where it is."""
        self._no_recording()
        if side not in SIDES:
            raise Refusal(f"A side is one of {', '.join(SIDES)}; got {short(side)}.")
        if side != "both" and not self.opponents:
            raise Refusal("This board has no opponent, so both sides are moved by hand.")
        self.side, self.clicks, self.trouble, self.shown = side, (), "", len(self.moves)
        names = self.face.players
        self.said = {"both": "You play both sides.", "none": "You watch: Next plays a move."}.get(
            side, f"You play {names[side == 'second']}."
        )

    def choose_opponent(self, name: str) -> None:
        """Another opponent, from the next move on."""
        if not isinstance(name, str) or name not in self.opponents:
            raise Refusal(
                f"There is no opponent {short(name)}; there are {', '.join(self.opponents) or 'none'}."
            )
        self.opponent, self.trouble = name, ""
        self.said = f"Your opponent is {name}."

    def step(self, where: str) -> None:
        """Look at the first, previous, next or last position. At the end of a watched game, next and last play on."""
        end = len(self.moves)
        aims = {"first": 0, "previous": self.shown - 1, "next": self.shown + 1, "last": end}
        if where not in aims:
            raise Refusal(f"A step is one of {', '.join(aims)}; got {short(where)}.")
        aim = aims[where]
        may_play = self.side == "none" and not self.replaying and not self.state.is_over()
        if may_play and self.shown == end and where in ("next", "last"):
            self._watch(to_the_end=where == "last")
            return
        if aim < 0:
            raise Refusal("This is the first position.")
        if aim > end:
            raise Refusal("This is the last position.")
        self.shown, self.clicks = aim, ()
        before = f", after {self.move_text(aim - 1)}" if aim else ""
        self.said = f"Position {aim} of {end}{before}. {self.result() if aim == end and self.state.is_over() else ''}".strip()

    # Words.

    def name(self, player: int) -> str:
        """Who moves that player, as in "You (X)" or "Perfect player (O)"."""
        stone = self.face.players[player]
        if self.replaying or self.side == "both":
            return stone
        return f"You ({stone})" if player in self.you else f"{self.opponent} ({stone})"

    def move_text(self, k: int) -> str:
        """Move k as text, such as "O: a3"."""
        return self._said_move(
            self.face.players[self.line[k].next_player], self.line[k], self.moves[k]
        )

    def turn(self) -> str:
        """Who is to move, as a sentence, and what is asked of a player who moves by hand."""
        player = self.state.next_player
        stone = self.face.players[player]
        words = (
            f"Your turn: {stone}." if player in self.you else f"{self.opponent} ({stone}) to move."
        )
        if self.side in ("both", "none") or self.replaying:
            words = f"{stone} to move."
        return (
            f"{words} {self.face.ask(self.state, self.clicks) if self.your_turn() else ''}".strip()
        )

    def result(self) -> str:
        """How the game ended, as a sentence; empty while it runs."""
        if not self.state.is_over():
            return ""
        winner = self.state.winner()
        if winner == 0:
            return "A draw."
        player = 0 if winner == 1 else 1
        what = f" {self.face.won(self.state)}" if self.face.won else ""
        mine = self.side in ("first", "second") and player in self.you
        return f"You win{what}!" if mine else f"{self.name(player)} wins{what}."

    def score(self) -> str:
        """The points won at this board, as a sentence, in a game in which a win can count more than once; else empty."""
        if not self.face.keeps_score or self.replaying:
            return ""
        games = self.finished + self.ended
        points = Counter(
            dict.fromkeys(sorted(map(self._who, (0, 1)), key=lambda name: name != "You"), 0)
        )
        for winner, won in games:
            points[winner] += won
        words = ", ".join(f"{who} {won}" for who, won in points.items())
        return f"Points won in {len(games)} game{'s' * (len(games) != 1)}: {words}."

    def record(self) -> str:
        """The game so far as SGF, whatever position is shown. Raises Refusal in a game that has no such file."""
        if self.face.record is None:
            raise Refusal(f"Games of Go are saved as SGF; {self.game.name} has no such file.")
        first, second = (
            "" if player in self.you else str(self.opponent or "") for player in (0, 1)
        )
        return self.face.record(self.state, first, second)

    # Inside.

    def agent(self) -> Any:
        """The opponent; a stored one is loaded when first needed. Whatever loading raises is the caller's to report."""
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
        except Exception as error:  # noqa: BLE001 - an agent under construction may raise anything; the board lives on
            self.trouble = f"{self.opponent} failed: {type(error).__name__}: {error}. Undo, start a new game or choose an opponent."

    def _watch(self, *, to_the_end: bool) -> None:
        self.said, self.trouble = "", ""
        self._agent_move()
        while to_the_end and not self.state.is_over() and not self.trouble:
            self._agent_move()
        if to_the_end:
            self.said = f"Played to position {len(self.moves)}."
        self.said = f"{self.said} {self.trouble or self.result() or self.turn()}".strip()

    def _who(self, player: int) -> str:
        """Whose points they are."""
        if self.side in ("both", "none"):
            return self.face.players[player]
        return "You" if player in self.you else str(self.opponent)

    def _thrown(self, state: GameState, number: int) -> GameState:
        """The position with its dice thrown, where the game has dice: for move `number` of this game."""
        if self.game.throw is None:
            return state
        return self.game.throw(state, np.random.default_rng([self.seed, self.games, number]))

    def _said_move(self, who: str, state: GameState, move: Any) -> str:
        return f"{who}{self.face.threw(state)}: {self.face.say(self.game, state, move)}"

    def _push(self, move: Any, agent: str | None = None) -> None:
        before = self.state
        self.line.append(self._thrown(before.apply_move(move), len(self.line)))
        self.moves.append(move)
        self.shown, self.clicks = len(self.moves), ()
        if self.state.is_over():
            self.ended = [(self._who(int(self.state.points < 0)), int(abs(self.state.points)))]
        who = agent or (self.face.players[before.next_player] if self.side == "both" else "You")
        words = f"{self._said_move(who, before, move)}."
        self.said = f"{self.said} {words}" if agent and self.said else words

    def _cut(self, length: int) -> None:
        del self.line[length + 1 :], self.moves[length:]
        self.shown, self.clicks, self.trouble = length, (), ""
        if not self.state.is_over():
            self.ended = []

    def _no_recording(self) -> None:
        if self.replaying:
            raise Refusal("This is a recorded game: it can be looked at, not changed.")


def moves_between(face: Face, line: Sequence[GameState]) -> list[Any]:
    """The moves that lead along a line of positions. Raises ValueError where one does not follow from the one before.

    In a game with dice each position stands there with its throw, as in a GameRecord.
    """
    moves = []
    for k in range(len(line) - 1):
        possible = [] if line[k].is_over() else [*line[k].legal_moves(), *face.beside]
        found = [move for move in possible if line[k].apply_move(move) == face.bare(line[k + 1])]
        if not found:
            raise ValueError(
                f"position {k + 1} of this game does not follow from position {k} by one legal move"
            )
        moves.append(found[0])
    return moves
