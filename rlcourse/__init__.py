"""Reinforcement learning from games: the tested reference behind the course's notebooks.

`import rlcourse` is light: it loads neither TensorFlow nor the compiled kernels. The names below
are loaded when first used.
"""

__version__ = "0.1.0"

_LAZY = {
    "get_game": "rlcourse.games",
    "from_recipe": "rlcourse.games",
    "load_agent": "rlcourse.agents",
    "save_agent": "rlcourse.agents",
    "play_match": "rlcourse.arena",
    "train": "rlcourse.learning",
}
__all__ = ["__version__", *_LAZY]


def __getattr__(name: str) -> object:
    if name in _LAZY:
        from importlib import import_module

        return getattr(import_module(_LAZY[name]), name)
    raise AttributeError(f"module 'rlcourse' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted(__all__)
