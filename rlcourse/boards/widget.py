"""The board in a notebook: one front end for all games; the referee runs in the kernel."""

from collections.abc import Sequence
from pathlib import Path
from reprlib import repr as short
from typing import Any

import anywidget
import traitlets

from rlcourse.atomic import write_atomically
from rlcourse.boards.faces import game_and_start
from rlcourse.boards.opponents import advisor_of, opponents_of
from rlcourse.boards.overlay import Overlay, overlay_of
from rlcourse.boards.referee import Referee, Refusal
from rlcourse.boards.review import Review
from rlcourse.boards.sentences import move_text, outcome, score, side_names, status
from rlcourse.boards.tables import numbers_table, review_table
from rlcourse.drawing.svg import Marks
from rlcourse.games import Game, GameState

_HERE = Path(__file__).parent
JUDGING = "Your moves are being judged\N{HORIZONTAL ELLIPSIS}"
_HINTS = (
    "Click or touch to play, or use the arrow keys and Enter.",
    "Step through the game with the buttons.",
)


class PlayBoard(anywidget.AnyWidget):
    """A board to play on: click, touch or keyboard.

    source: a game, its name, or a position (object or recipe) to start from.
    opponent: an agent, the name of a stored one ("perfect", or in full "tic-tac-toe/perfect"), its
    file, or a dict name -> one of these, from which the player chooses. None: both sides are moved
    by hand. What cannot play here is refused at once.
    side: whom you play: "first", "second", "both", or "none" to watch.
    overlay: an agent, or the name of one, whose numbers are shown on the board from the start.
    Without it, the box "Show values" asks the opponent.
    seed: of the dice, in a game that has them.

    Every message from the page is checked like any input: what cannot be done is answered with a
    reason, and changes nothing.
    """

    _esm = _HERE / "board.js"
    _css = _HERE / "board.css"
    view = traitlets.Dict().tag(sync=True)
    # The picture for pages without a kernel: `data` and `metadata` by MIME type.
    still = traitlets.Dict().tag(sync=True)
    # The advice after the end of the kernel.
    way_on = "Run this cell to play on. In a new kernel, run the cells above it first."

    def __init__(
        self,
        source: Game | GameState | str = "tic-tac-toe",
        opponent: Any = None,
        *,
        side: str | None = None,
        overlay: Any = None,
        line: Sequence[GameState] | None = None,
        seed: int | None = None,
    ) -> None:
        chosen = side or ("first" if opponent is not None else "both")
        game, start = game_and_start(source)
        self._referee = Referee(start, opponents_of(game, opponent), chosen, line=line, seed=seed)
        self._advisor = advisor_of(game, overlay)
        self._overlay_on = overlay is not None
        self._serial = 0
        self._announcement = 0
        self._hint: Any = None  # a suggested move, as the game's face marks it
        self._reviews: dict[int, Review] = {}  # number of the game -> its review
        self._reviewed: list[Any] | None = None  # the moves of the game whose review is shown
        super().__init__()
        self.on_msg(lambda _, content, __: self._on_message(content))
        self._referee.answer()
        watching = self._referee.replaying or self._referee.side == "none"
        agent_began = self._referee.moves and not self._referee.replaying
        self.view = {"said": self._referee.announcement if agent_began else _HINTS[watching]}
        self._refresh(quiet=True)

    # For Python.

    @property
    def state(self) -> GameState:
        """The position that the game has reached."""
        return self._referee.state

    @property
    def history(self) -> list[Any]:
        """The moves played so far."""
        return list(self._referee.moves)

    def play(self, move: Any) -> None:
        """Play a move and let the opponent answer.

        Raises IllegalMove with the reason, or Refusal if it is not your turn.
        """
        self._referee.play(move)
        self._finish()

    def undo(self) -> None:
        """Undo to your last decision. Raises Refusal if there is none."""
        self._referee.undo()
        self._finish()

    def new_game(self) -> None:
        """Start again."""
        self._referee.new_game()
        self._finish()

    def save(self, path: str | Path) -> Path:
        """Write the game so far to an SGF file, replacing a file of that name.

        Raises Refusal for games other than Go.
        """
        text = self._referee.record()
        write_atomically(Path(path), text)
        return Path(path)

    # For the page.

    def extras(self) -> dict[str, Any]:
        """What the view holds besides: hints, whether a button asks for one; address, which the
        browser then shows. Notebooks have neither."""
        return {}

    def set_state(self, sync_data: dict[str, Any]) -> None:
        """Accept the page's changes of layout; only the referee changes what the board shows."""
        own = ("view", "still", "_esm", "_css")
        super().set_state({key: value for key, value in sync_data.items() if key not in own})

    def _on_message(self, content: Any) -> None:
        try:
            self._obey(content)
        except Refusal as refusal:
            self._announce(str(refusal), refused=_clicked(content))
        except Exception as error:  # noqa: BLE001 - the board must survive any message
            self._announce(f"That did not work: {type(error).__name__}: {error}.")

    def _obey(self, content: Any) -> None:
        message = content if isinstance(content, dict) else {}
        kind, value = message.get("type"), message.get("value")
        referee, self._hint = self._referee, None
        if kind == "click":
            self._click(message)
        elif kind == "overlay":
            if not isinstance(value, bool):
                raise Refusal(
                    f"The values are shown or not: expected true or false, got {short(value)}."
                )
            self._overlay_on = value
            referee.announcement = "Values shown." if value else "Values hidden."
            self._refresh()
        elif kind == "step":
            referee.step(_word(value, "step"))
            self._refresh()
        elif kind in ("new", "undo"):
            (referee.new_game if kind == "new" else referee.undo)()
            self._finish()
        elif kind == "save":
            size = "x".join(map(str, referee.game.board))
            name = f"{referee.game.name}-{size}.sgf"
            self.send({"name": name, "text": referee.record()})
            self._announce(f"The game so far is {name}, among the downloads of your browser.")
        elif kind == "look":
            referee.look(value)
            self._refresh()
        elif kind == "try again":
            referee.try_again()
            self._finish()
        elif kind == "review":
            self._review()
        elif kind in ("side", "opponent"):
            (referee.choose_side if kind == "side" else referee.choose_opponent)(_word(value, kind))
            self._finish()
        else:
            raise Refusal(f"The board does not know the message {short(content)}.")

    def _review(self) -> None:
        """Judge the finished game; the page says so while the judge is loaded."""
        referee, before = self._referee, self.view
        if referee.can_review():
            self.view = {**before, "status": JUDGING, "thinking": True}
        try:
            self._reviews[referee.games] = referee.review()
        except BaseException:
            self.view = before
            raise
        self._reviewed = list(referee.moves)
        self._refresh()

    def _click(self, content: dict[str, Any]) -> None:
        action, serial = content.get("action"), content.get("serial")
        if type(action) is not int or type(serial) is not int:
            raise Refusal(
                f"A click carries two whole numbers, action and serial; got {short(action)} and "
                f"{short(serial)}."
            )
        if serial != self._serial:
            raise Refusal("That click came too late: the board had changed. Please click again.")
        if self._referee.click(action):
            self._finish()
        else:
            self._refresh()

    def _finish(self) -> None:
        """Show the player's own move at once, then the answer."""
        if self._referee.agents_turn():
            self._refresh(quiet=True)
        self._referee.answer()
        self._refresh()

    def _announce(self, sentence: str, *, refused: Any = None) -> None:
        """Say a sentence. refused: the click that it answers, if any."""
        self._announcement += 1
        news = {"said": sentence, "announcement": self._announcement, "refused": refused}
        self.view = {**self.view, **news}

    def _refresh(self, *, quiet: bool = False) -> None:
        referee = self._referee
        self._serial += 1
        self._announcement += not quiet
        overlay = self._overlay()
        view = {
            "serial": self._serial,
            "title": referee.face.title,
            "svg": referee.face.draw(
                self._shown(), referee.clicks, self._marks(overlay, live=True)
            ),
            "score": score(referee),
            "outcome": outcome(referee),
            "refused": None,
            "status": status(referee),
            "said": self.view.get("said", "") if quiet else referee.announcement,
            "announcement": self._announcement,
            "thinking": referee.agents_turn(),
            "replaying": referee.replaying,
            "side": referee.side,
            "sides": side_names(referee),
            "opponent": referee.opponent,
            "opponents": list(referee.opponents),
            "overlay": self._overlay_on,
            "numbers": None if overlay is None else numbers_table(overlay, referee),
            "ply": referee.shown,
            "plies": len(referee.moves),
            "begun": bool(referee.clicks),
            "advised": self._advisor is not None or bool(referee.opponents),
            "watched": referee.side == "none",
            "goes_on": referee.side == "none"
            and not referee.replaying
            and not referee.state.is_over(),
            "saves": referee.face.record is not None,
            "moves": [move_text(referee, k) for k in range(len(referee.moves))],
            "way_on": self.way_on,
            "again": referee.shown < len(referee.moves) and not referee.replaying,
            "reviewed": self._review_table(),
            "can_review": referee.can_review(),
            **self.extras(),
        }
        with self.hold_sync():  # the page gets both at once
            self.view, self.still = view, self._still(overlay)

    def _review_table(self) -> dict[str, Any] | None:
        """The review of the game on the board, while nothing of it is taken back or played on."""
        referee = self._referee
        if self._reviewed != referee.moves or referee.games not in self._reviews:
            return None
        reviews = list(self._reviews.values())
        return review_table(self._reviews[referee.games], reviews, referee)

    def _still(self, overlay: Overlay | None) -> dict[str, Any]:
        """The position shown as a picture and as text."""
        referee, shown = self._referee, self._shown()
        picture = referee.face.draw(shown, referee.clicks, self._marks(overlay, live=False))
        return {
            "data": {"image/svg+xml": picture, "text/plain": f"{referee.face.title}\n{shown}"},
            "metadata": {},
        }

    def _shown(self) -> GameState:
        return self._referee.line[self._referee.shown]

    def _overlay(self) -> Overlay | None:
        """The advisor's, else the opponent's, evaluation of the position shown; None if hidden."""
        referee = self._referee
        if not self._overlay_on:
            return None
        try:
            advisor = self._advisor
            if advisor is None and referee.opponent:
                advisor = referee.agent()
            if advisor is None:
                return Overlay("No player here can be asked for values")
            return overlay_of(advisor, referee.game, referee.face, self._shown())
        # An agent under construction may raise anything.
        except (Exception, KeyboardInterrupt) as error:  # noqa: BLE001
            return Overlay(f"No values: {type(error).__name__}: {error}")

    def _marks(self, overlay: Overlay | None, *, live: bool) -> Marks:
        referee, shown = self._referee, self._shown()
        overlay = overlay or Overlay("")
        targets: frozenset[int] | None = None
        if live:
            targets = frozenset()
            at_the_end = referee.shown == len(referee.moves) and not referee.replaying
            if at_the_end and referee.your_turn():
                targets = referee.face.targets(referee.game, shown, referee.clicks)
        last, k = None, referee.shown - 1
        if referee.shown:
            last = referee.face.mark(referee.game, referee.line[k], referee.moves[k])
        return Marks(
            numbers=overlay.numbers,
            scale=overlay.scale,
            best=overlay.best,
            # A live board has the caption in the table beside it, and so never changes its size.
            caption="" if live else overlay.caption,
            last=last,
            picked=referee.clicks,
            targets=targets,
            win=overlay.win,
            watched=referee.replaying,
            glows=k >= 0 and referee.line[k].next_player not in referee.you,
            hint=self._hint if live else None,
        )

    def _repr_mimebundle_(self, **kwargs: Any) -> Any:
        """The widget, and for pages without a kernel the picture and the text of the position."""
        return with_still(super()._repr_mimebundle_(**kwargs), self._still(self._overlay()))


def with_still(bundle: Any, still: dict[str, Any]) -> Any:
    """A widget's MIME bundle together with the picture for pages without a kernel, or None."""
    if bundle is None:
        return None
    contents, metadata = bundle if isinstance(bundle, tuple) else (bundle, {})
    return {**contents, **still["data"]}, {**metadata, **still["metadata"]}


def _clicked(content: Any) -> int | None:
    """The action of a message that is a click."""
    action = content.get("action") if isinstance(content, dict) else None
    return action if type(action) is int else None


def _word(value: Any, kind: str) -> str:
    if not isinstance(value, str):
        raise Refusal(f"A {kind} is named by a word; got {short(value)}.")
    return value
