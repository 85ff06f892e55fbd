"""Tree search for one position, as one would write it first: nodes hold positions and dicts.

It visits exactly the nodes that `rlcourse.agents.search_tree` visits, which tests compare.
AlphaGo Zero (Silver et al. 2017, Methods).
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from rlcourse.games import Game, GameState

# position -> (policy [A], value in [-1, 1] for the player to move)
EvaluateOne = Callable[[GameState], tuple[Sequence[float], float]]


@dataclass
class Node:
    """A position and the statistics of its legal actions. W is for its player to move."""

    state: GameState
    P: dict[int, float] = field(default_factory=dict)
    N: dict[int, int] = field(default_factory=dict)
    W: dict[int, float] = field(default_factory=dict)
    children: dict[int, "Node"] = field(default_factory=dict)

    def q(self, action: int) -> float:
        """The mean value of an action, 0 before its first visit."""
        return self.W[action] / self.N[action] if self.N[action] else 0.0


def search(
    game: Game,
    state: GameState,
    evaluate: EvaluateOne,
    simulations: int,
    *,
    rule: str = "puct",
    c: float = 1.25,
) -> Node:
    """The root after `simulations` simulations."""
    root, _ = expand(game, state, evaluate)
    for _ in range(simulations if root.N else 0):
        simulate(game, root, evaluate, rule, c)
    return root


def simulate(game: Game, node: Node, evaluate: EvaluateOne, rule: str, c: float) -> float:
    """Select down to a leaf, expand it, back its value up.

    Returns the value for the player to move at `node`.
    """
    if node.state.is_over():
        return outcome(node.state)
    score = {"puct": puct, "ucb1": ucb1}[rule]
    action = max(node.N, key=lambda a: score(node, a, c))  # the first of equals: the lowest action
    if action in node.children:
        value = -simulate(game, node.children[action], evaluate, rule, c)
    else:
        following = node.state.apply_move(game.move(node.state, action))
        node.children[action], value = expand(game, following, evaluate)
        value = -value  # the player changes on the way up
    node.N[action] += 1
    node.W[action] += value
    return value


def puct(node: Node, action: int, c: float) -> float:
    """Q + c P sqrt(sum N) / (1 + N); an untouched node counts as sum N = 1."""
    total = max(1, sum(node.N.values()))
    return node.q(action) + c * node.P[action] * math.sqrt(total) / (1 + node.N[action])


def ucb1(node: Node, action: int, c: float) -> float:
    """Q + c sqrt(ln(sum N) / N); every action once before any a second time."""
    if node.N[action] == 0:
        return math.inf
    return node.q(action) + c * math.sqrt(math.log(sum(node.N.values())) / node.N[action])


def expand(game: Game, state: GameState, evaluate: EvaluateOne) -> tuple[Node, float]:
    """(the node of a position, its value for the player to move).

    The value is the result where the game is over, otherwise that of `evaluate`.
    """
    if state.is_over():
        return Node(state), outcome(state)
    policy, value = evaluate(state)
    legal = [game.action(move) for move in state.legal_moves()]
    weight = sum(float(policy[a]) for a in legal)
    prior = {a: float(policy[a]) / weight if weight > 0 else 1 / len(legal) for a in legal}
    return Node(state, prior, dict.fromkeys(legal, 0), dict.fromkeys(legal, 0.0)), float(value)


def outcome(state: GameState) -> float:
    """The points of a finished game for the player whose turn it would be."""
    return state.points if state.next_player == 0 else -state.points
