"""AlphaZero's player: a network for policy and value, and the search that asks it.

The "raw" player is the network alone, with 0 simulations. Search adds planning, not learning
(Silver et al. 2017, 2018).
"""

from collections.abc import Mapping
from typing import Any, Self

import numpy as np

from rlcourse.agents.policy import checked_description
from rlcourse.agents.search import PUCTAgent
from rlcourse.agents.search_cache import Cached
from rlcourse.encoders import Encoder, get_encoder_by_name
from rlcourse.errors import BadValue
from rlcourse.forward import Snapshot
from rlcourse.games import Game
from rlcourse.networks import build_network, weights_of


class AlphaZeroAgent(PUCTAgent):
    """Searches with a network's policy and value. model: a Snapshot of the network "alphazero".

    Its Decision holds visits, q, the value of the search, and the policy that the move was drawn
    from; with 0 simulations (`with_simulations(0)`) the network's own policy and value. Evaluations
    are cached in 2**bits slots, so a move reuses most of those made for the move before it. The
    other settings are PUCTAgent's.
    """

    name = "alphazero"
    record = ("log_prob", "value", "policy", "visits")
    encoder: Encoder

    def __init__(
        self, model: Snapshot, encoder: Encoder, *, bits: int = 16, **options: Any
    ) -> None:
        self.model, self.encoder = model, encoder
        if model.recipe[0] != "alphazero":
            raise BadValue(f"this player's network is 'alphazero'; got {model.recipe[0]!r}")
        cached = Cached(self._ask, encoder, bits=bits, of_planes=True)
        super().__init__(encoder.game, cached, **options)

    def _ask(self, planes: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        return self.model(planes)

    def arrays(self) -> dict[str, np.ndarray]:
        return dict(self.model.weights)

    def options(self) -> dict[str, Any]:
        """Encoder, network and settings; the network's board and planes follow from the encoder."""
        # PUCTAgent refuses to store a learned evaluation; here the arrays hold it.
        shape = shape_of(self.encoder)
        network = {key: value for key, value in self.model.recipe[1].items() if key not in shape}
        settings = {name: getattr(self, name) for name in self.saved}
        return {"encoder": self.encoder.name, "network_options": network, **settings}

    @classmethod
    def from_arrays(cls, game: Game, arrays: Mapping[str, np.ndarray], **options: Any) -> Self:
        """The player of a file. Raises ValueError for a network that is none of the course's."""
        described = checked_description(options.pop("network_options", None))
        planes = get_encoder_by_name(options.pop("encoder"), game)
        return cls(
            Snapshot("alphazero", {**described, **shape_of(planes)}, arrays), planes, **options
        )


def shape_of(encoder: Encoder) -> dict[str, Any]:
    """The options of a network that follow from game and encoder: its board, planes and actions."""
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
    """A player that has not learned anything; `options` are the player's."""
    planes = get_encoder_by_name(encoder, game)
    described = {**(network_options or {}), **shape_of(planes)}
    weights = weights_of(build_network("alphazero", seed=seed, **described))
    return AlphaZeroAgent(Snapshot("alphazero", described, weights), planes, **options)
