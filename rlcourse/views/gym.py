"""The games for Gymnasium: one player, and an opponent that is part of the environment."""

from copy import copy
from typing import Any

import gymnasium
import numpy as np
from gymnasium import spaces
from gymnasium.error import InvalidAction, ResetNeeded

from rlcourse.agents.base import BatchAgent
from rlcourse.errors import BadValue
from rlcourse.games import IllegalMove, sign_of
from rlcourse.views.table import new_table


class AgainstOpponent(gymnasium.Env[np.ndarray, Any]):
    """A game against a fixed opponent: `AgainstOpponent(load_agent("tic-tac-toe/perfect"))`.

    opponent: any player of the course; it plays its own game and draws from the environment's
    generator. player: 0 moves first, 1 second. render_mode: "ansi" or None.

    Observations and actions are those of `rlcourse.views.table`; info["action_mask"] [A] int8 says
    which are legal. The reward is 0 until the end, then the points won. An illegal action loses by
    as many points as the game knows. `step` raises InvalidAction for what is not in the space of
    actions, ResetNeeded before the first game and after the end of one.
    """

    def __init__(
        self, opponent: BatchAgent, *, player: int = 0, render_mode: str | None = None
    ) -> None:
        if player not in (0, 1):
            raise BadValue(f"player is 0, who moves first, or 1; got {player!r}")
        self.metadata = {"render_modes": ["ansi"], "render_fps": 1}
        self.opponent, self.player, self.render_mode = copy(opponent), player, render_mode
        self.table = table = new_table(opponent.game)
        self.observation_space = spaces.Box(0, table.high, table.shape, table.dtype)
        self.action_space = spaces.Discrete(table.num_actions)
        self._running = False

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[np.ndarray, dict[str, Any]]:
        """Begin a game. seed: of the dice and of the opponent."""
        super().reset(seed=seed)
        self.opponent.rng = self.np_random
        self.table.reset(self.np_random)
        self._running = True
        self._reply()
        return self.table.view(self.player), self._info()

    def step(self, action: Any) -> tuple[np.ndarray, float, bool, bool, dict[str, Any]]:
        """The player's action and the opponent's answer to it."""
        if not self._running:
            raise ResetNeeded("no game is running: call reset() first")
        if not self.action_space.contains(action):
            last = self.table.num_actions - 1
            raise InvalidAction(f"{action!r} is no action; they are 0 to {last}")
        try:
            self.table.step(action)
        except IllegalMove:
            self._running = False
            lost = float(-self.table.most)
            return self.table.view(self.player), lost, True, False, self._info()
        self._reply()
        state, truncated = self.table.state, self.table.truncated
        reward = float(sign_of(self.player) * state.points)
        self._running = not state.is_over()
        over = state.is_over() and not truncated
        return self.table.view(self.player), reward, over, truncated, self._info()

    def action_masks(self) -> np.ndarray:
        """[A] bool: the legal actions, under the name that sb3-contrib's MaskablePPO asks for."""
        return self.table.mask().astype(np.bool_)

    def render(self) -> str | None:
        """The board as text."""
        return str(self.table) if self.render_mode == "ansi" else None

    def _info(self) -> dict[str, Any]:
        return {"action_mask": self.table.mask()}

    def _reply(self) -> None:
        """The opponent plays until it is the player's turn, or the game is over."""
        state = self.table.state
        while not state.is_over() and state.next_player != self.player:
            self.table.play(self.opponent.select_move(state))
            state = self.table.state
