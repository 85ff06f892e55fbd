"""How each idea *learns*: one Learner a chapter, `make_learner` by name, and `train`, the one driver."""

from dataclasses import fields
from importlib import import_module
from typing import Any

from rlcourse.learning.train import Learner, Row, after, games, satisfied, seconds, train

__all__ = [
    "LEARNER_NAMES",
    "Learner",
    "Row",
    "after",
    "games",
    "make_config",
    "make_learner",
    "satisfied",
    "seconds",
    "train",
]

_LEARNERS = {
    "q-table": "rlcourse.learning.q_table:QTableLearner:QTableConfig",
    "afterstates": "rlcourse.learning.q_table:AfterstateLearner:AfterstateConfig",
    "deep-q": "rlcourse.learning.deep_q:DeepQLearner:DeepQConfig",
    "td-gammon-source": "rlcourse.learning.td_gammon_source:TDGammonSourceLearner:TDGammonSourceConfig",
    "td-gammon": "rlcourse.learning.td_gammon:TDGammonLearner:TDGammonConfig",
    "policy-gradient": "rlcourse.learning.policy_gradient:PolicyGradientLearner:PolicyGradientConfig",
    "actor-critic": "rlcourse.learning.actor_critic:ActorCriticLearner:ActorCriticConfig",
    "alphazero": "rlcourse.learning.alphazero:AlphaZeroLearner:AlphaZeroConfig",
    "alphazero-connect-four": "rlcourse.learning.alphazero:AlphaZeroLearner:ConnectFourConfig",
    "alphazero-connect-four-threats": "rlcourse.learning.alphazero:AlphaZeroLearner:ConnectFourThreatsConfig",
    "alphazero-go": "rlcourse.learning.alphazero:AlphaZeroLearner:GoConfig",
}
LEARNER_NAMES = tuple(_LEARNERS)


def make_learner(name: str, *, seed: int = 0, **settings: Any) -> Learner:
    """The learner of that name; `settings` are fields of its config, `seed` draws its start.

    Raises ValueError for an unknown name or setting.
    """
    config = make_config(name, **settings)
    module_name, learner, _ = _LEARNERS[name].split(":")
    return getattr(import_module(module_name), learner)(config, seed=seed)


def make_config(name: str, **settings: Any) -> Any:
    """The config with which `make_learner` makes the learner of that name.

    Raises ValueError for an unknown name or setting.
    """
    if name not in _LEARNERS:
        raise ValueError(
            f"there is no learner {name!r}; the course knows {', '.join(LEARNER_NAMES)}"
        )
    module_name, _, config = _LEARNERS[name].split(":")
    kind = getattr(import_module(module_name), config)
    known = [entry.name for entry in fields(kind)]
    for setting in settings:
        if setting not in known:
            raise ValueError(f"{name} has no setting {setting!r}; it has {', '.join(known)}")
    return kind(**settings)
