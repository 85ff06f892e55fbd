"""AlphaZero's player: a network that says policy and value, and the search that asks it.

"Raw" is the network alone, with 0 simulations; what search adds is planning, not learning (Silver et al. 2017, 2018).
"""

from collections.abc import Mapping
from typing import Any

import numpy as np

from rlcourse.agents.policy import Snapshot, check_description
from rlcourse.agents.search import PUCTAgent
from rlcourse.agents.search_cache import Cached
from rlcourse.encoders import Encoder, get_encoder_by_name
from rlcourse.games import Batch, Game
from rlcourse.networks import build_network, weights_of


class AlphaZeroAgent(PUCTAgent):
    """Searches with a network's policy and value. model: a Snapshot of the network "alphazero"; encoder: gives its planes.

    Its Decision holds visits, q, the value of the search and the policy that the move was drawn from; with 0 simulations
    (`with_simulations(0)`) the network's own policy and value. The other settings are PUCTAgent's. What the network said of
    a position is kept, so the next move finds most of what this one looked at. bits: the cache has 2**bits places.
    """

    name = "alphazero"
    record = ("log_prob", "value", "policy", "visits")
    encoder: Encoder

    def __init__(
        self, model: Snapshot, encoder: Encoder, *, bits: int = 16, **options: Any
    ) -> None:
        self.model, self.encoder = model, encoder
        if model.recipe[0] != "alphazero":
            raise ValueError(f"this player's network is 'alphazero'; got {model.recipe[0]!r}")
        super().__init__(encoder.game, Cached(self._ask, encoder, bits=bits), **options)

    def _ask(
        self, batch: Batch, rows: np.ndarray, rng: np.random.Generator
    ) -> tuple[np.ndarray, np.ndarray]:
        return self.model(self.encoder.encode_batch(batch, rows))

    def arrays(self) -> dict[str, np.ndarray]:
        """The network's weights."""
        return dict(self.model.weights)

    def options(self) -> dict[str, Any]:
        """Network, encoder, simulations, exploration, temperature and noise."""
        shape = ("board", "planes", "actions")  # follow from game and encoder
        network = {
            name: number for name, number in self.model.recipe[1].items() if name not in shape
        }
        how = {
            "simulations": self.simulations,
            "c": self.c,
            "temperature": self.temperature,
            "sampled_plies": self.sampled_plies,
            "noise": self.noise,
            "noise_share": self.noise_share,
        }
        return {"encoder": self.encoder.name, "network_options": network, **how}

    @classmethod
    def from_arrays(
        cls,
        game: Game,
        arrays: Mapping[str, np.ndarray],
        *,
        encoder: str,
        network_options: Mapping[str, Any] | None = None,
        **options: Any,
    ) -> "AlphaZeroAgent":
        """The agent whose `arrays()` and `options()` these are."""
        check_description(network_options)
        planes = get_encoder_by_name(encoder, game)
        return cls(
            Snapshot("alphazero", {**(network_options or {}), **shape_of(planes)}, arrays),
            planes,
            **options,
        )


def shape_of(encoder: Encoder) -> dict[str, Any]:
    """What game and encoder say of a network: its board, planes and actions."""
    planes, *board = encoder.shape
    return {"board": board, "planes": planes, "actions": encoder.game.num_actions}


def new_alphazero_agent(
    game: Game,
    *,
    encoder: str = "two-plane",
    seed: int = 0,
    network_options: Mapping[str, Any] | None = None,
    **options: Any,
) -> AlphaZeroAgent:
    """A player that has learned nothing yet; `options` are the player's."""
    planes = get_encoder_by_name(encoder, game)
    described = {**(network_options or {}), **shape_of(planes)}
    weights = weights_of(build_network("alphazero", seed=seed, **described))
    return AlphaZeroAgent(Snapshot("alphazero", described, weights), planes, **options)
