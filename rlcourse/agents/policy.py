"""The book's PolicyAgent (Pumperla & Ferguson 2019, ch. 9): a network proposes, one draw decides.

A file holds the name of the network's architecture and its weights, nothing that could be executed.
"""

from collections.abc import Mapping
from typing import Any, Self

import numpy as np

from rlcourse.agents import save_agent
from rlcourse.agents.base import BatchAgent, Decision
from rlcourse.encoders import Encoder, get_encoder_by_name
from rlcourse.errors import BadValue
from rlcourse.experience import ExperienceCollector
from rlcourse.forward import Live, Snapshot
from rlcourse.games import Batch, Game, GameState
from rlcourse.networks import build_network, heads_of
from rlcourse.sampling import CLIP, clip_probs, mask_probs, normalize, with_temperature

# Of any number in a file's description of a network, so that no file can ask for all memory.
LARGEST = 1024


class PolicyAgent(BatchAgent[Batch]):
    """Draws its move from a network's probabilities.

    model: a Keras model or a Snapshot, planes [R, *encoder.shape] -> one probability per action. A
    network without an output for the pass, such as the book's, never wants to pass. encoder: makes
    the planes and determines the game. temperature: 1 draws from the network's probabilities, lower
    sharpens them, 0 plays the likeliest move.

    Every probability is first clipped to [clip, 1 - clip]; clip 0 leaves them as they are. The book
    then ranks all points by drawing without replacement and plays the first that is legal and fills
    no own eye. That is one draw from the renormalised probabilities of these points, and is done so
    here, for one position and for thousands. Without such a point the agent passes.
    """

    name = "policy"
    heads = 1  # of its network
    usual = "go-small"  # the course's network for Go
    record: tuple[str, ...] = ("log_prob", "policy")
    saved = ("temperature", "clip")
    encoder: Encoder

    def __init__(
        self,
        model: Any,
        encoder: Encoder,
        *,
        temperature: float = 1.0,
        clip: float = CLIP,
        seed: int | None = None,
    ) -> None:
        super().__init__(encoder.game, seed=seed)
        self.model, self.encoder, self.temperature, self.clip = model, encoder, temperature, clip
        self.collector: ExperienceCollector | None = None
        (outputs, heads), actions = heads_of(model), encoder.game.num_actions
        self.network = model if isinstance(model, Snapshot) else Live(model, encoder.shape)
        if actions is None or outputs not in (actions, actions - (encoder.game.name == "go")):
            raise BadValue(
                f"{encoder.game} has {actions} actions; this network gives {outputs} probabilities"
            )
        if heads != self.heads:
            raise BadValue(
                f"this network has {heads} heads, that of {self.name} has {self.heads}; "
                "actor-critic has two"
            )

    def set_collector(self, collector: ExperienceCollector | None) -> None:
        """Record the decisions of `select_move` with this collector from here on; None: stop."""
        self.collector = collector

    def at_temperature(self, temperature: float) -> Self:
        """The same player at another temperature, without a collector."""
        return self.copy_with(temperature=temperature, collector=None)

    def forward(self, planes: np.ndarray) -> tuple[np.ndarray, np.ndarray | None]:
        """(probabilities [R, A] float64, value [R] for the player to move; None without that head).

        The probabilities are clipped, and 0 for a pass that the network does not know.
        """
        return self._clipped(self.network(planes)), None

    def _clipped(self, policy: np.ndarray) -> np.ndarray:
        clipped = clip_probs(policy, self.clip) if self.clip else normalize(policy)
        without_pass = policy.shape[1] != self.game.num_actions
        return np.pad(clipped, ((0, 0), (0, 1))) if without_pass else clipped

    def decide(self, batch: Batch, rows: np.ndarray, rng: np.random.Generator) -> Decision:
        """policy [R, A]: the distribution of the action; 0 for illegal moves and own eyes."""
        policy, value = self.forward(self.encoder.encode_batch(batch, rows))
        policy = mask_probs(policy, batch.sensible(rows))
        if self.temperature == 0:
            action = policy.argmax(axis=1)
        policy = policy if self.temperature == 1 else with_temperature(policy, self.temperature)
        if self.temperature != 0:
            # The smallest of exponential times with these rates is the first of `ranked`.
            action = (policy / rng.standard_exponential(policy.shape)).argmax(axis=1)
        log_prob = np.log(policy[np.arange(len(action)), action]).astype(np.float32)
        return Decision(action.astype(np.int32), log_prob, value, policy.astype(np.float32))

    def select_move(self, state: GameState) -> Any:
        """The move played. A collector records every decision, also a pass for lack of points."""
        decision = self.think(state)
        action = int(decision.action[0])
        if self.collector is not None:
            columns = {name: getattr(decision, name)[0] for name in self.record}
            self.collector.record_decision(
                self.encoder.encode(state), action, player=int(state.next_player), **columns
            )
        return self.game.move(state, action)

    def arrays(self) -> dict[str, np.ndarray]:
        return dict(self.network.weights)

    def options(self) -> dict[str, Any]:
        """Network and encoder by name, temperature, clip.

        Raises ValueError for a model that `build_network` did not make.
        """
        name, options = self.network.recipe
        described = {k: v for k, v in options.items() if k not in ("board", "planes")}
        network = {"network": name, "network_options": described, "encoder": self.encoder.name}
        return {**network, **super().options()}

    @classmethod
    def from_arrays(cls, game: Game, arrays: Mapping[str, np.ndarray], **options: Any) -> Self:
        """The agent of a file. Raises ValueError for a network that is none of the course's."""
        network, encoder = options.pop("network"), options.pop("encoder")
        described = checked_description(options.pop("network_options", None))
        planes = get_encoder_by_name(encoder, game)
        # Board and planes follow from the game and the encoder, so a file cannot contradict them.
        shape = {"board": game.board[0], "planes": planes.shape[0]}
        return cls(Snapshot(network, {**described, **shape}, arrays), planes, **options)

    @classmethod
    def untrained(
        cls,
        game: Game,
        *,
        network: str = "",
        encoder: str = "simple",
        seed: int = 0,
        **options: Any,
    ) -> Self:
        """An agent that has not learned anything.

        network: its name, `usual` by default; `options` are the network's.
        """
        planes = get_encoder_by_name(encoder, game)
        shape = {"board": game.board[0], "planes": planes.shape[0]}
        return cls(build_network(network or cls.usual, seed=seed, **shape, **options), planes)

    def serialize(self, target: Any) -> None:
        """Write the agent into a file, given by its path, or a group of an open HDF5 file."""
        save_agent(self, target)


def checked_description(network_options: Mapping[str, Any] | None) -> dict[str, Any]:
    """The network options of a file. Raises ValueError unless numbers from 1 to LARGEST."""
    described = dict(network_options or {})
    for option in described.values():
        numbers = np.array(option)  # a list of lists of different lengths raises ValueError
        in_range = numbers.dtype.kind == "i" and ((numbers >= 1) & (numbers <= LARGEST)).all()
        if numbers.size and not in_range:
            raise BadValue(
                f"a network is described by whole numbers between 1 and {LARGEST}; got "
                f"{option!r:.80}"
            )
    return described
