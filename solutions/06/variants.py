"""Variants of sheet 06: other conventions for the same tasks."""

import numpy as np

from rlcourse.checks.variant import Variant

# --- league_returns: the colour of each agent -----------------------------------------------------


def other_way_round(
    agent: np.ndarray,
    game: np.ndarray,
    seats: np.ndarray,
    areas: np.ndarray,
    resigned: np.ndarray,
    gamma: float,
) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray, np.ndarray, float]:
    """The same games, with the colour of each agent for the agent of each colour, or back."""
    return agent, game, np.argsort(seats, axis=1), areas, resigned, gamma


COLOUR_OF_THE_AGENT = Variant(
    text={
        "`seats[g, c]` is the **agent** who plays colour `c` (0, 1 or 2) in game `g`;": (
            "`seats[g, a]` is the **colour** (0, 1 or 2) that agent `a` plays in game `g`;"
        ),
        "with `seats` 1, 2, 0 and 0, 1, 2, `areas`": "with `seats` 2, 0, 1 and 0, 1, 2, `areas`",
        "because `seats[0, 2]` is 0. `seats[0, 0]` says something else.": (
            "because `seats[0, 0]` is 2. `seats[0, 2]` says something else."
        ),
        "seats, areas, resigned [G, 3], one column a colour.": (
            "seats [G, 3], one column an agent; areas, resigned [G, 3], one column a colour."
        ),
        "        colour = np.flatnonzero(seats[game[t]] == agent[t])[0]\n": (
            "        colour = seats[game[t], agent[t]]\n"
        ),
    },
    asked=other_way_round,
    given=other_way_round,
    in_code={
        "it says who sits on a colour; find the colour on which the agent sits": (
            "it says which colour an agent plays, not which agent plays a colour"
        ),
    },
)

# --- two_stones: logarithms of probabilities ------------------------------------------------------


def logarithms(
    p: np.ndarray, cells: np.ndarray, n: int, clip: float, rng: np.random.Generator
) -> tuple[np.ndarray, np.ndarray, int, float, np.random.Generator]:
    """The same position, with the logarithms of the probabilities."""
    with np.errstate(divide="ignore"):
        return np.log(p), cells, n, clip, rng


def probabilities(
    log_p: np.ndarray, cells: np.ndarray, n: int, clip: float, rng: np.random.Generator
) -> tuple[np.ndarray, np.ndarray, int, float, np.random.Generator]:
    """The same position, with the probabilities."""
    return np.exp(log_p), cells, n, clip, rng


LOG_PROBABILITIES = Variant(
    text={
        "The policy network gives one distribution `p` over all points. A pair": (
            "The policy network gives one distribution over all points, as the natural "
            "**logarithms** of the probabilities, `log_p`. A pair"
        ),
        "Write `two_stones(p, cells, n, clip, rng)`,": (
            "Write `two_stones(log_p, cells, n, clip, rng)`,"
        ),
        "- `p` `[P]`: probabilities with the sum 1; `cells` `[P]`:": (
            "- `log_p` `[P]`: the logarithms of probabilities with the sum 1; where the "
            "probability is 0 it is −∞, `-np.inf`; `cells` `[P]`:"
        ),
        "with `p` = 0, 0.6, 0, 0.4, 0, 0 and `clip` 0.1": (
            "with the probabilities 0, 0.6, 0, 0.4, 0, 0 (`log_p` = −∞, −0.51, −∞, −0.92, −∞, −∞) "
            "and `clip` 0.1"
        ),
        "def two_stones(p, cells, n, clip, rng):": "def two_stones(log_p, cells, n, clip, rng):",
        "p [P], cells [P]: 0 empty, 1 own, 2 the other's.": (
            "log_p [P], cells [P]: 0 empty, 1 own, 2 the other's."
        ),
        "weights, pairs = np.clip(p, clip, 1 - clip), np.full": (
            "weights, pairs = np.clip(np.exp(log_p), clip, 1 - clip), np.full"
        ),
        "pair[k] = rng.choice(len(p), p=allowed": "pair[k] = rng.choice(len(cells), p=allowed",
    },
    asked=logarithms,
    given=probabilities,
    in_code={
        "the network's p says how often each comes": (
            "the network's probabilities, np.exp(log_p), say how often each comes"
        ),
    },
)

VARIANTS = {"league_returns": [COLOUR_OF_THE_AGENT], "two_stones": [LOG_PROBABILITIES]}
