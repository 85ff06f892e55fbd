"""The contents of the play page: the choice of game and board size, a hint, and the board."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import ipywidgets as widgets

from rlcourse.boards import PlayBoard, Refusal
from rlcourse.boards.faces import faces
from rlcourse.games import Game, GameState, get_game
from rlcourse.parts import part_of
from rlcourse.play_page.bots import bots_of, own_bots

_HEAD = (
    "<h1>Play the bots of the course</h1><p>They learned from nothing but their own games, or only "
    "think ahead. The list "
    "begins with the strongest, which also gives the hints; GNU Go and GNU Backgammon are programs "
    "from outside.</p>"
)


class HintBoard(PlayBoard):
    """A board whose adviser, one of the opponents, can suggest a move."""

    way_on = "Reload this page to play on."

    def __init__(
        self, source: Game | GameState | str, opponents: Mapping[str, Any], adviser: str
    ) -> None:
        self._adviser = adviser
        super().__init__(source, opponents)

    def go_on(self, finished: list[tuple[str, int]]) -> None:
        """Count the games of this board on top of `finished`, which receives them."""
        self._referee.finished = finished
        self._refresh(quiet=True)

    def leave(self) -> None:
        """Count the last game, if it has ended."""
        self._referee.finished += self._referee.ended

    def hint(self) -> None:
        """Announce the adviser's move in this position, or why there is none."""
        referee = self._referee
        try:
            if not referee.your_turn() or referee.shown != len(referee.moves):
                raise Refusal(
                    referee.result() or "A hint is for your own turn, at the last position."
                )
            move = referee.opponents[self._adviser].select_move(referee.state)
            self._hint = referee.face.mark(referee.game, referee.state, move)
            text = referee.face.say(referee.game, referee.state, move)
            referee.said = f"Hint of {self._adviser}: {text}."
            self._refresh()
        except Refusal as refusal:
            self._announce(str(refusal))


class Table(widgets.VBox):
    """The whole page. own: files of the reader's agents."""

    def __init__(self, own: Sequence[str | Path] = ()) -> None:
        self._own = own
        self.board: HintBoard
        # str(game) -> (winner, points) of the games on earlier boards of that game.
        self._evening: dict[str, list[tuple[str, int]]] = {}
        self.game = widgets.ToggleButtons(
            options=[(face.title, name) for name, face in faces().items()],
            style={"button_width": "auto"},
        )
        self.sizes = {
            name: widgets.Dropdown(options=part.boards(), description="Board")
            for name in faces()
            if (part := part_of("rlcourse.play_page", name))
        }
        self.ask = widgets.Button(description="Hint", tooltip="What would the strongest bot play?")
        self.ask.on_click(lambda _: self.board.hint())
        self._place = widgets.VBox()
        super().__init__(
            [
                widgets.HTML(_HEAD),
                self.game,
                widgets.HBox([*self.sizes.values(), self.ask]),
                self._place,
            ]
        )
        self.add_class("rl-table")
        self.game.observe(self._lay, names="value")
        for size in self.sizes.values():
            size.observe(self._lay, names="value")
        self._lay()

    def _lay(self, _: Any = None) -> None:
        """Replace the board by the chosen one."""
        name = self.game.value
        for other, size in self.sizes.items():
            size.layout.display = None if other == name else "none"
        game = self.sizes[name].value if name in self.sizes else get_game(name)
        before = self._place.children
        if before:
            self.board.leave()
        bots = bots_of(game)
        self.board = HintBoard(game, own_bots(game, self._own) | bots, next(iter(bots)))
        self.board.go_on(self._evening.setdefault(str(game), []))
        self._place.children = (self.board,)
        for board in before:
            board.close()
