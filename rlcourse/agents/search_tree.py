"""Monte Carlo tree search for many games at once: trees of numbers that know no rules.

One simulation in all N games: `select` walks down each tree to a leaf, the batch replays the paths
from the roots, one call evaluates all leaves, and `backup` adds the leaves to the trees and their
values to the edges above. Because paths are replayed and positions are not stored, a rule about the
whole game, such as superko, holds in the tree as on the board.

An edge (s, a) keeps the statistics of AlphaGo Zero (Silver et al. 2017, Methods): N visits, W the
sum of their values, Q = W / N the mean, P the prior. W and Q are for the player who moves at s; a
visit adds a value in [-1, 1]; its sign changes where the player changes.
"""

import math
from collections.abc import Callable
from typing import Self

import numpy as np

from rlcourse.errors import BadValue
from rlcourse.games import Batch, sign_of
from rlcourse.kernels import kernel

EDGE = np.dtype([("child", np.int32), ("N", np.int32), ("W", np.float64), ("P", np.float64)])
ILLEGAL, UNTRIED = -2, -1  # instead of a child
PUCT, UCB1 = 0, 1
RULES = {"puct": PUCT, "ucb1": UCB1}

# (batch, rows [R], rng) -> (policy [R, A], value [R]), for running positions. policy: weights >= 0,
# in which the tree masks illegal actions; value: for the player to move, in [-1, 1].
Evaluate = Callable[[Batch, np.ndarray, np.random.Generator], tuple[np.ndarray, np.ndarray]]


@kernel
def _choose(edges, total, rule, c):
    """The action of highest score at a node with edges [A]; ties go to the lowest.

    total: the sum of N over the edges. PUCT: Q + c P sqrt(sum N) / (1 + N), with Q = 0 for N = 0;
    an untouched node counts as sum N = 1, so that its highest prior goes first. UCB1 (Auer et al.
    2002; UCT, Kocsis & Szepesvari 2006): Q + c sqrt(ln(sum N) / N), after every action once.
    """
    best, chosen = -math.inf, -1
    root, log = math.sqrt(max(1, total)), math.log(max(1, total))
    for a in range(len(edges)):
        edge = edges[a]
        if edge.child == ILLEGAL:
            continue
        if rule == PUCT:
            q = edge.W / edge.N if edge.N > 0 else 0.0
            score = q + c * edge.P * root / (1 + edge.N)
        elif edge.N == 0:
            score = math.inf
        else:
            score = edge.W / edge.N + c * math.sqrt(log / edge.N)
        if score > best:
            best, chosen = score, a
    return chosen


@kernel
def _select(edges, total, done, rule, c, nodes, actions, lengths):
    """Walk down every tree to an untried edge or a finished position.

    Writes the paths: their nodes and actions [N, D], and their lengths [N].
    """
    for g in range(len(lengths)):
        node, depth = 0, 0
        while not done[g, node]:
            action = _choose(edges[g, node], total[g, node], rule, c)
            nodes[g, depth], actions[g, depth] = node, action
            depth += 1
            node = edges[g, node, action].child
            if node == UNTRIED:
                break
        lengths[g] = depth


@kernel
def _add(edges, legal, policy):
    """Write the edges [A] of a new node. Returns whether the policy consists of numbers >= 0.

    The priors are `policy` over the legal actions, divided by its sum, or equal if the sum is 0.
    """
    weight, count = 0.0, 0
    for a in range(len(edges)):
        if legal[a]:
            if not 0 <= policy[a] < math.inf:
                return False
            weight += policy[a]
            count += 1
    for a in range(len(edges)):
        edges[a].child = UNTRIED if legal[a] else ILLEGAL
        if legal[a]:
            edges[a].P = policy[a] / weight if weight > 0 else 1 / count
    return True


@kernel
def _backup(tree, paths, leaves, evaluated, legal, policy, value):
    """Add the leaf of each path to its tree, and its value to every edge of the path.

    leaves: (done, points, to_play) [N] of the leaves. evaluated [N]: the leaf's row in legal,
    policy and value; -1 in a finished game. Returns the first game whose evaluation is no policy
    and value, else -1.
    """
    edges, total, done, points, to_play, size = tree
    nodes, actions, lengths = paths
    for g in range(len(lengths)):
        depth, leaf, row = lengths[g], 0, evaluated[g]
        # Depth 0 is the root itself: when the tree is made, or in a finished game.
        if depth > 0:
            leaf = edges[g, nodes[g, depth - 1], actions[g, depth - 1]].child
        if leaf == UNTRIED or size[g] == 0:
            leaf = size[g]
            if depth > 0:
                edges[g, nodes[g, depth - 1], actions[g, depth - 1]].child = leaf
            size[g] += 1
            done[g, leaf], points[g, leaf] = leaves[0][g], leaves[1][g]
            to_play[g, leaf] = leaves[2][g]
            if not done[g, leaf] and not _add(edges[g, leaf], legal[row], policy[row]):
                return g
        # The first player's value needs no sign on its way up; each edge converts it for its mover.
        if done[g, leaf]:
            first = points[g, leaf]
        else:
            first = value[row] if to_play[g, leaf] == 0 else -value[row]
            # A value computed in float32 may exceed 1 by rounding.
            if not -1.001 <= first <= 1.001:
                return g
        for d in range(depth - 1, -1, -1):
            node = nodes[g, d]
            edges[g, node, actions[g, d]].N += 1
            edges[g, node, actions[g, d]].W += first if to_play[g, node] == 0 else -first
            total[g, node] += 1
    return -1


class SearchTree:
    """N trees, one per row of `roots`, with room for `simulations` simulations each.

    roots is read in every simulation and must not change. rule: "puct" uses the priors, "ucb1" does
    not; c: weight of exploration against Q. Making the trees evaluates the roots.

    edges [N, M, A] of EDGE: M nodes, the root first. total [N, M]: the sum of N over a node's
    edges; done, points (the first player's), to_play [N, M]; size [N]: the number of nodes. path
    (nodes, actions [N, D], lengths [N]): the last paths. first_value [N]: the evaluation of the
    roots, for their player to move; 0 where finished.
    """

    def __init__(
        self,
        roots: Batch,
        evaluate: Evaluate,
        simulations: int,
        rng: np.random.Generator,
        *,
        rule: str = "puct",
        c: float = 1.25,
    ) -> None:
        if rule not in RULES:
            raise BadValue(f"a rule of selection is one of {', '.join(RULES)}; got {rule!r}")
        self.roots, self.evaluate, self.rng = roots, evaluate, rng
        self.rule, self.c = rule, float(c)
        self.scratch = roots.take(np.arange(len(roots)))
        n, room, actions = len(roots), simulations + 1, roots.rules.num_actions
        self.edges = np.zeros((n, room, actions), EDGE)
        self.total, self.size = np.zeros((n, room), np.int32), np.zeros(n, np.int32)
        self.done, self.points = np.zeros((n, room), np.bool_), np.zeros((n, room), np.float32)
        self.to_play = np.zeros((n, room), np.int8)
        nodes, path_actions = np.zeros((n, room), np.int64), np.zeros((n, room), np.int64)
        self.path = nodes, path_actions, np.zeros(n, np.int64)
        self.first_value = np.zeros(n)
        self.simulated = 0
        self._backup(self.scratch)

    def simulate(self) -> None:
        """One simulation in every tree.

        Raises ValueError if the room is used up, or `evaluate` gave no policy and value.
        """
        if self.simulated + 1 >= self.edges.shape[1]:
            raise BadValue(
                f"these trees were made for {self.simulated} simulations; ask for more when making "
                "them"
            )
        _select(self.edges, self.total, self.done, RULES[self.rule], self.c, *self.path)
        _, actions, lengths = self.path
        # The positions of the nodes are not stored: replaying them costs less memory, and the
        # history of the game stays whole for superko.
        self.scratch.replay(self.roots, actions, lengths)
        self._backup(self.scratch)
        self.simulated += 1

    def add_noise(self, noise: np.ndarray, share: float = 0.25) -> None:
        """Make the roots' priors (1 - share) P + share * noise. noise [N, A]: `dirichlet_noise`."""
        edges = self.edges[:, 0]
        if np.shape(noise) != edges.shape:
            raise BadValue(
                f"noise for these roots has the shape {edges.shape}; got {np.shape(noise)}"
            )
        mixed = (1 - share) * edges["P"] + share * noise
        edges["P"] = np.where(edges["child"] == ILLEGAL, 0.0, mixed)

    def grown(self, noise: np.ndarray | None, share: float) -> Self:
        """These trees after all simulations that they have room for, with noise at their roots."""
        if noise is not None:
            self.add_noise(noise, share)
        while self.simulated + 1 < self.edges.shape[1]:
            self.simulate()
        return self

    @property
    def visits(self) -> np.ndarray:
        """[N, A] int32: visits of each action at the root, 0 where it is illegal."""
        return self.edges["N"][:, 0].copy()

    @property
    def prior(self) -> np.ndarray:
        """[N, A] float64: P at the root, 0 where it is illegal."""
        return self.edges["P"][:, 0].copy()

    @property
    def q(self) -> np.ndarray:
        """[N, A] float64: Q at the root, for the player to move; NaN for an untried action."""
        edges = self.edges[:, 0]
        untried = np.full(edges.shape, np.nan)
        return np.divide(edges["W"], edges["N"], out=untried, where=edges["N"] > 0)

    @property
    def root_value(self) -> np.ndarray:
        """[N] float64: mean value of the simulations, for the player to move.

        Before the first simulation it is the value that `evaluate` gave.
        """
        total, W = self.total[:, 0], self.edges["W"][:, 0]
        return np.where(total > 0, W.sum(axis=1) / np.maximum(1, total), self.first_value)

    def _backup(self, leaves: Batch) -> None:
        rows, actions = np.flatnonzero(~leaves.done), self.edges.shape[2]
        evaluated = np.full(len(leaves), -1)
        evaluated[rows] = np.arange(len(rows))
        policy, value = np.zeros((0, actions)), np.zeros(0)
        if len(rows):
            policy, value = self.evaluate(leaves, rows, self.rng)
            policy = np.ascontiguousarray(policy, np.float64)
            value = np.ascontiguousarray(value, np.float64)
        if policy.shape != (len(rows), actions) or value.shape != (len(rows),):
            raise BadValue(
                f"evaluate gives policy [{len(rows)}, {actions}] and value [{len(rows)}]; "
                f"here {policy.shape} and {value.shape}"
            )
        if not self.simulated:
            self.first_value[rows] = value
        tree = (self.edges, self.total, self.done, self.points, self.to_play, self.size)
        ends = (leaves.done, leaves.points, leaves.to_play)
        bad = _backup(tree, self.path, ends, evaluated, leaves.legal(rows), policy, value)
        if bad >= 0:
            row = evaluated[bad]
            raise BadValue(
                "evaluate gives probabilities >= 0 and values in [-1, 1]; for one position it gave "
                f"{policy[row]} and {value[row]}"
            )


def grow(
    roots: Batch,
    evaluate: Evaluate,
    simulations: int,
    rng: np.random.Generator,
    *,
    rule: str = "puct",
    c: float = 1.25,
    noise: np.ndarray | None = None,
    share: float = 0.25,
) -> SearchTree:
    """The trees after `simulations` simulations; noise and share are those of `add_noise`."""
    return SearchTree(roots, evaluate, simulations, rng, rule=rule, c=c).grown(noise, share)


def dirichlet_noise(legal: np.ndarray, alpha: float, rng: np.random.Generator) -> np.ndarray:
    """[N, A] float64: a Dirichlet(alpha) draw over the legal actions [N, A] of each row.

    AlphaGo Zero uses alpha 0.03 for Go on 19 x 19, AlphaZero about 10 / (typical number of legal
    moves).
    """
    drawn = rng.standard_gamma(alpha, legal.shape) * legal
    total = drawn.sum(axis=1, keepdims=True)
    # With a very small alpha every draw of a row can round to 0.
    drawn = np.where(total > 0, drawn, legal)
    return drawn / np.maximum(drawn.sum(axis=1, keepdims=True), np.finfo(float).tiny)


def uniform(
    batch: Batch, rows: np.ndarray, rng: np.random.Generator
) -> tuple[np.ndarray, np.ndarray]:
    """An evaluation without knowledge: all actions equally likely, every position worth 0."""
    return np.ones((len(rows), batch.rules.num_actions)), np.zeros(len(rows))


def rollouts(
    batch: Batch, rows: np.ndarray, rng: np.random.Generator
) -> tuple[np.ndarray, np.ndarray]:
    """The evaluation of UCT: a uniform policy and the result of one random game per position."""
    points = batch.playouts(rng.integers(2**63, size=len(batch)))[rows]
    return uniform(batch, rows, rng)[0], points * sign_of(batch.to_play[rows])
