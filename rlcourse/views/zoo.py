"""The games for PettingZoo: `env("backgammon")`, `env("go", size=9)`. Needs the extra `pettingzoo`.

The agents are player_0, who moves first, and player_1. An observation is a dict: "observation", and
"action_mask", which is all 0 for who is not to move. Rewards come at the end: the points won, and
their negative. An illegal action loses by as many points as the game knows. `rlcourse.views.table`
says what observations and actions mean.
"""

from typing import Any

import numpy as np
from gymnasium import spaces
from pettingzoo import AECEnv
from pettingzoo.utils import wrappers

from rlcourse.games import get_game, sign_of
from rlcourse.views.table import new_table


def env(game: str, render_mode: str | None = None, **options: Any) -> AECEnv:
    """The environment in PettingZoo's usual wrappers. options: of the game. Raises UnknownGame."""
    bare = raw_env(game, render_mode, **options)
    wrapped = wrappers.TerminateIllegalWrapper(bare, illegal_reward=-bare.table.most)
    return wrappers.OrderEnforcingWrapper(wrappers.AssertOutOfBoundsWrapper(wrapped))


class raw_env(AECEnv):
    """The bare environment; an illegal action raises IllegalMove. render_mode: "ansi" or None.

    In backgammon the environment throws the dice, from the seed of `reset`, and an agent is
    selected again until its turn is over.
    """

    def __init__(self, game: str, render_mode: str | None = None, **options: Any) -> None:
        self.table = table = new_table(get_game(game, **options))
        name = f"rlcourse_{game.replace('-', '_')}_v0"
        self.metadata = {"name": name, "render_modes": ["ansi"], "is_parallelizable": False}
        self.render_mode = render_mode
        self.possible_agents = ["player_0", "player_1"]
        self.rng: np.random.Generator | None = None
        seen: dict[str, spaces.Space[Any]] = {
            "observation": spaces.Box(0, table.high, table.shape, table.dtype),
            "action_mask": spaces.Box(0, 1, (table.num_actions,), np.int8),
        }
        # Each agent's own: they are seeded one by one.
        self.observation_spaces = {agent: spaces.Dict(seen) for agent in self.possible_agents}
        self.action_spaces = {
            agent: spaces.Discrete(table.num_actions) for agent in self.possible_agents
        }

    def observation_space(self, agent: str) -> spaces.Space:
        """What `observe` returns."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space:
        """The numbers of the actions."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin a game. seed: of the dice; None goes on with the generator that there is."""
        if seed is not None or self.rng is None:
            self.rng = np.random.default_rng(seed)
        self.table.reset(self.rng)
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self.agent_selection = self.possible_agents[self.table.state.next_player]

    def observe(self, agent: str) -> dict[str, np.ndarray]:
        """The position as `agent` sees it, and its legal actions."""
        mask = self.table.mask()
        if agent != self.agent_selection:
            mask[:] = 0
        return {
            "observation": self.table.view(self.possible_agents.index(agent)),
            "action_mask": mask,
        }

    def step(self, action: int | None) -> None:
        """The selected agent's action; None for an agent whose game is over."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        self.table.step(action)
        self._cumulative_rewards[agent] = 0.0
        state = self.table.state
        self.agent_selection = self.possible_agents[state.next_player]
        if state.is_over():
            ended = self.truncations if self.table.truncated else self.terminations
            ended.update(dict.fromkeys(self.agents, True))
            for player, each in enumerate(self.possible_agents):
                self.rewards[each] = float(sign_of(player) * state.points)
        self._accumulate_rewards()

    def render(self) -> str | None:
        """The board as text."""
        return str(self.table) if self.render_mode == "ansi" else None

    def close(self) -> None:
        """Nothing is open."""
