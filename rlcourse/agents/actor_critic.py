"""The source's ACAgent: a policy agent whose network also says how good the position is (SOURCES: "the master's hint").

The value belongs to the player to move, in (-1, 1): 1 is a win. What a move brought beyond it is the move's advantage,
A(s, a) = Q(s, a) - V(s), of which the return of the game less the value is one sample (Sutton & Barto 2018, sec. 13.4).
"""

from typing import Any

import numpy as np

from rlcourse.agents.policy import PolicyAgent
from rlcourse.encoders import get_encoder_by_name
from rlcourse.games import Game
from rlcourse.networks import build_network

CLIP_AS_PRINTED = 1e-6  # the source's bound on probabilities, a tenth of the book's


class ACAgent(PolicyAgent):
    """Draws its move from a network's probabilities, as PolicyAgent does, and says the value of the position that it drew in.

    model: a Keras model or Snapshot with two heads, planes [R, *encoder.shape] -> (probabilities, value [R, 1]). With a
    collector attached `select_move` records the encoded position, the action and the estimated value; `complete_episode` makes
    the advantage of them, return less value.
    """

    name = "actor-critic"
    heads = 2
    record = (*PolicyAgent.record, "value")

    def forward(self, planes: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """(probabilities [R, A] float64, clipped; value [R] float32 for the player to move) of one forward pass."""
        policy, value = self._said(planes)
        return self._clipped(policy), value

    def values(self, planes: np.ndarray) -> np.ndarray:
        """[R] float32: the value of each position for its player to move. planes [R, *encoder.shape]."""
        return self.forward(planes)[1]


def new_ac_agent(
    game: Game, *, network: str = "ac-small", encoder: str = "simple", seed: int = 0, **options: Any
) -> ACAgent:
    """An agent that has learned nothing yet; `options` go to the network."""
    planes = get_encoder_by_name(encoder, game)
    return ACAgent(
        build_network(network, seed=seed, board=game.board[0], planes=planes.shape[0], **options),
        planes,
    )
