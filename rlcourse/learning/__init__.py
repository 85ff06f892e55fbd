"""How each idea *learns*: a Learner per chapter, `make_learner` by name, and the driver `train`."""

from dataclasses import fields
from importlib import import_module
from numbers import Integral, Real
from typing import Any

from rlcourse.agents.base import BatchAgent
from rlcourse.errors import BadValue
from rlcourse.games import did_you_mean, no_such
from rlcourse.learning.train import Learner, Row, after, games, satisfied, seconds, train

__all__ = [
    "LEARNER_NAMES",
    "Learner",
    "Row",
    "after",
    "games",
    "learner_from",
    "make_config",
    "make_learner",
    "satisfied",
    "seconds",
    "train",
]

# Name -> (module, learner, config).
_LEARNERS = {
    "q-table": ("q_table", "QTableLearner", "QTableConfig"),
    "afterstates": ("q_table", "AfterstateLearner", "AfterstateConfig"),
    "deep-q": ("deep_q", "DeepQLearner", "DeepQConfig"),
    "td-gammon-source": ("td_gammon_source", "TDGammonSourceLearner", "TDGammonSourceConfig"),
    "td-gammon": ("td_gammon", "TDGammonLearner", "TDGammonConfig"),
    "policy-gradient": ("policy_gradient", "PolicyGradientLearner", "PolicyGradientConfig"),
    "actor-critic": ("actor_critic", "ActorCriticLearner", "ActorCriticConfig"),
    "alphazero": ("alphazero", "AlphaZeroLearner", "AlphaZeroConfig"),
    "alphazero-connect-four": ("alphazero", "AlphaZeroLearner", "ConnectFourConfig"),
    "alphazero-connect-four-threats": ("alphazero", "AlphaZeroLearner", "ConnectFourThreatsConfig"),
    "alphazero-go": ("alphazero", "AlphaZeroLearner", "GoConfig"),
}
LEARNER_NAMES = tuple(_LEARNERS)
# Type of a setting -> its name, what it may be.
KINDS: dict[Any, tuple[str, type]] = {
    int: ("whole number", Integral),
    float: ("number", Real),
    str: ("text", str),
}


def make_learner(name: str, *, seed: int = 0, **settings: Any) -> Learner:
    """The learner of that name; `settings` are fields of its config, `seed` draws its start.

    Raises ValueError for an unknown name or setting.
    """
    config = make_config(name, **settings)
    module, learner, _ = _LEARNERS[name]
    return getattr(import_module(f"rlcourse.learning.{module}"), learner)(config, seed=seed)


def learner_from(
    agent: BatchAgent, name: str = "policy-gradient", *, seed: int = 0, **settings: Any
) -> Learner:
    """The learner of that name with the agent's game, encoder, network and weights.

    Raises ValueError for an agent that is no network of probabilities.
    """
    from rlcourse.agents.policy import PolicyAgent

    if not isinstance(agent, PolicyAgent):
        raise BadValue(
            f"{name} goes on from an agent such as `rlcourse new-agent` makes, not from "
            f"{agent.name}"
        )
    options = agent.options()
    described = {key: options[key] for key in ("encoder", "network", "network_options")}
    learner: Any = make_learner(name, seed=seed, **{**agent.game.options, **described, **settings})
    learner.start_from(agent)
    return learner


def make_config(name: str, **settings: Any) -> Any:
    """The config with which `make_learner` makes the learner. Raises ValueError, as it does."""
    if name not in _LEARNERS:
        raise BadValue(no_such("learner", name, LEARNER_NAMES))
    module, _, config = _LEARNERS[name]
    kind = getattr(import_module(f"rlcourse.learning.{module}"), config)
    known = {entry.name: entry.type for entry in fields(kind)}
    for setting, value in settings.items():
        if setting not in known:
            near = did_you_mean(setting, list(known))
            raise BadValue(f"{name} has no setting {setting!r}{near}; it has {', '.join(known)}")
        kind_in_words, wanted = KINDS.get(known[setting], ("", object))
        if not isinstance(value, wanted):
            raise BadValue(f"{setting} of {name} is a {kind_in_words}, not {value!r}")
    return kind(**settings)
