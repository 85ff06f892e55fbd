"""GNU Backgammon's networks within this process, by the optional package gnubg-nn (GPL): they run
on Linux, macOS and Windows, where the program gnubg may be missing.
"""

from typing import Any

import numpy as np

from rlcourse.agents.td_gammon import EquityAgent, with_exact_ends
from rlcourse.games import Game
from rlcourse.programs import ProgramMissing

STATIC = 0  # plies: the network alone


class GnubgNetworkAgent(EquityAgent):
    """Plays the best afterstate by gnubg's networks, 0-ply and cubeless.

    Raises ProgramMissing where gnubg-nn is not installed.
    """

    name = "gnubg-nn"
    saved = ("look_ahead",)

    def __init__(self, game: Game, *, look_ahead: int = 0, seed: int | None = None) -> None:
        super().__init__(game, look_ahead=look_ahead, seed=seed)
        self.probabilities = _package().probabilities

    def outputs(self, checkers: np.ndarray, roller: np.ndarray) -> np.ndarray:
        """As in EquityAgent."""
        number = np.arange(len(checkers))
        # Two rows of 24 points and the bar: of the player who waits, and of the one who rolls.
        boards = np.stack([checkers[number, 1 - roller], checkers[number, roller]], axis=1)
        answers = [self.probabilities(board, STATIC) for board in boards[:, :, :25].tolist()]
        probabilities = np.array(answers, np.float32).reshape(-1, 5)
        return with_exact_ends(probabilities, checkers, roller)


def _package() -> Any:
    try:
        import gnubg_nn
    except ImportError as error:
        raise ProgramMissing(
            "gnubg-nn is not installed: pip install gnubg-nn. Only errors in millipoints and games "
            "against it need it, nothing else in the course"
        ) from error
    return gnubg_nn
