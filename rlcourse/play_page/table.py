"""The contents of a game's page: the way back, the levels, and the board."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from html import escape
from pathlib import Path
from typing import Any

import ipywidgets as widgets

from rlcourse.boards import PlayBoard, Refusal
from rlcourse.boards.faces import faces
from rlcourse.boards.overlay import Overlay
from rlcourse.boards.sentences import result
from rlcourse.games import Game, GameState
from rlcourse.play_page.address import Visit, tally
from rlcourse.play_page.bots import bots_of, own_bots
from rlcourse.play_page.cards import boards_of, elo_of, levels_of

GOES_ON = "The game goes on from this position."


class HintBoard(PlayBoard):
    """A board whose adviser, one of the opponents, can suggest a move.

    visit: what the page's address asks for, which then follows the game.
    """

    way_on = "Reload this page: the game goes on from this position."

    def __init__(
        self,
        source: Game | GameState | str,
        opponents: Mapping[str, Any],
        adviser: str,
        visit: Visit | None = None,
    ) -> None:
        self._adviser = adviser
        self._visit = visit
        super().__init__(source, opponents, side=visit.side if visit else None)

    def go_on(
        self,
        opponent: str,
        state: GameState | None,
        finished: Sequence[tuple[str, int]],
        sentence: str,
    ) -> None:
        """Meet this opponent, from the position if there is one, and say a sentence.

        finished: winner and points of the games before this one.
        """
        referee = self._referee
        referee.choose_opponent(opponent)
        referee.finished = list(finished)
        if state is None:
            referee.new_game()  # its first move, if it has the first, is that of this opponent
        else:
            referee.resume(state)
        referee.announcement = sentence
        self._finish()

    def now(self, visit: Visit) -> Visit:
        """A visit as it stands at this moment of the game."""
        referee = self._referee
        begun = bool(referee.moves) or referee.resumed
        return replace(
            visit,
            opponent=referee.opponent,
            side=referee.side,
            position=referee.state.recipe() if begun else "",
            score=tally(referee.finished + referee.ended),
        )

    def extras(self) -> dict[str, Any]:
        """The button for a hint, and the address of the position reached; none without a visit.

        Two people choose no opponent.
        """
        if self._visit is None:
            return {}
        extras = {"hints": True, "address": self.now(self._visit).address}
        return extras | {"opponents": []} if self._referee.side == "both" else extras

    def _obey(self, content: Any) -> None:
        if isinstance(content, dict) and content.get("type") == "hint":
            self.hint()
        else:
            super()._obey(content)

    def _overlay(self) -> Overlay | None:
        """Of the opponent, but of the adviser for two people, who have none."""
        referee = self._referee
        self._advisor = referee.opponents[self._adviser] if referee.side == "both" else None
        return super()._overlay()

    def hint(self) -> None:
        """Announce the adviser's move in this position, or why there is none."""
        referee = self._referee
        try:
            if not referee.your_turn() or referee.shown != len(referee.moves):
                raise Refusal(
                    result(referee) or "A hint is for your own turn, at the last position."
                )
            move = referee.opponents[self._adviser].select_move(referee.state)
            self._hint = referee.face.mark(referee.game, referee.state, move)
            text = referee.face.say(referee.game, referee.state, move)
            referee.announcement = f"Hint of {self._adviser}: {text}."
            self._refresh()
        except Refusal as refusal:
            self._announce(str(refusal))


class Table(widgets.VBox):
    """The whole page. own: files of the reader's agents."""

    def __init__(self, visit: Visit, own: Sequence[str | Path] = ()) -> None:
        game, levels = visit.rules, levels_of(visit.rules)
        bots = bots_of(game)
        easy_first = {level.bot: bots[level.bot] for level in levels}
        opponents = easy_first | own_bots(game, own) | bots
        self._adviser = next(iter(bots))
        opponent, trouble = visit.opponent, ""
        by_word = {level.word: level.bot for level in levels}
        opponent = by_word.get(opponent, opponent)
        if opponent not in opponents:
            trouble = "The address names nobody who plays here, so the easiest plays."
            opponent = levels[0].bot
        try:
            state = visit.state()
        except ValueError:
            state, trouble = (
                None,
                "The address holds no position of this game, so a new one begins.",
            )
        try:
            finished = visit.finished()
        except ValueError:
            finished, trouble = [], "The address holds no score, so it begins at 0."
        self.board = HintBoard(game, opponents, self._adviser, visit)
        sentence = trouble or (GOES_ON if state and not state.is_over() else "")
        if state or trouble or finished or opponent != levels[0].bot:
            self.board.go_on(opponent, state, finished, sentence)
        super().__init__([widgets.HTML(), self.board])
        self.add_class("rl-table")
        self._visit = visit
        self._write()
        self.board.observe(self._write, names="view")

    def _write(self, _: Any = None) -> None:
        """The text above the board, as it stands for the opponent of this moment."""
        self.children[0].value = head(self.board.now(self._visit), self._adviser)


def head(visit: Visit, adviser: str) -> str:
    """HTML: the way back, the title, the boards and the levels, with a sentence on the opponent.

    adviser: whose hints and values two people see.
    """
    game, title = visit.rules, faces()[visit.game].title
    begin = Visit(visit.game, visit.board, score=visit.score)
    chosen = next((level for level in levels_of(game) if level.bot == visit.opponent), None)
    links = []
    for level in levels_of(game):
        here = visit.side != "both" and level == chosen
        links.append(_link(replace(begin, opponent=level.word), level.word.capitalize(), here))
    links.append(_link(replace(begin, side="both"), "Two people", visit.side == "both"))
    boards = [
        _link(replace(begin, board=label), label, label == visit.board)
        for label in boards_of(visit.game)
        if label
    ]
    about = f"{chosen.about} {elo_of(game, chosen)}" if chosen else f"{visit.opponent}."
    if visit.side == "both":
        about = f"Two people take turns on this board. Hints and values: {adviser}."
    sizes = f'<nav aria-label="Boards">{"".join(boards)}</nav>' if boards else ""
    return (
        f'<header class="rl-head"><a class="rl-home" href="/">All games</a><h1>{escape(title)}</h1>'
        f'{sizes}<nav aria-label="Opponents">{"".join(links)}</nav>'
        f"<p>{escape(about)}</p></header>"
    )


def _link(visit: Visit, text: str, here: bool) -> str:
    """A link to a new game; the one that is open is marked as current."""
    current = ' aria-current="page"' if here else ""
    return f'<a href="{escape(visit.address)}"{current}>{escape(text)}</a>'
