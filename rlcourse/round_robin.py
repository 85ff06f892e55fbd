"""A tournament: everybody plays everybody, both sides of every opening.

A run that was killed goes on. Players are cut into groups. The games of two groups are one block,
played in lock-step and then stored, so that no more players than those of two groups are awake at a
time, and a new player costs only the blocks of their group.
"""

import hashlib
import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np

from rlcourse.agents.base import BatchAgent
from rlcourse.arena import play_games
from rlcourse.errors import BadValue
from rlcourse.games import Game
from rlcourse.ladder import Ladder, rate
from rlcourse.storage import StorageError, load, save


@dataclass(frozen=True)
class RoundRobin:
    """All games of a tournament.

    seats [2, N]: the players who moved first and second; points [N]: of the first.

    plies [N], openings included. culprit [N]: who forfeited the game, or -1; reasons: {game: why}.
    line [N]: games with equal numbers are the same game again, move by move, between the same two
    in the same seats.
    """

    names: tuple[str, ...]
    seats: np.ndarray
    points: np.ndarray
    plies: np.ndarray
    culprit: np.ndarray
    reasons: Mapping[int, str]
    line: np.ndarray

    @property
    def distinct(self) -> int:
        """How many different games were played; the seats count."""
        return len(np.unique(self.line))

    def counts(self) -> tuple[np.ndarray, np.ndarray]:
        """(wins [K, K] of the row's player over the column's, draws [K, K])."""
        wins, draws = np.zeros((2, len(self.names), len(self.names)))
        first, second = self.seats
        np.add.at(wins, (first[self.points > 0], second[self.points > 0]), 1)
        np.add.at(wins, (second[self.points < 0], first[self.points < 0]), 1)
        drawn = self.points == 0
        np.add.at(draws, (first[drawn], second[drawn]), 1)
        return wins, draws + draws.T

    def ladder(self, anchor: str | None = None) -> Ladder:
        """The players rated by these games. anchor: whose Elo is 0, default the weakest."""
        return rate(
            self.names, *self.counts(), anchor=None if anchor is None else self.names.index(anchor)
        )

    def forfeits(self) -> dict[str, dict[str, int]]:
        """{player: {why: number of games}} of those who forfeited any, commonest reason first."""
        counts: dict[str, dict[str, int]] = {}
        for game in np.flatnonzero(self.culprit >= 0).tolist():
            of_player = counts.setdefault(self.names[self.culprit[game]], {})
            of_player[self.reasons[game]] = of_player.get(self.reasons[game], 0) + 1
        return {
            name: dict(sorted(reasons.items(), key=lambda item: -item[1]))
            for name, reasons in counts.items()
        }

    def first_wins(self) -> tuple[int, int]:
        """(games that the player in the first seat won, games with a winner)."""
        return int((self.points > 0).sum()), int((self.points != 0).sum())


def round_robin(
    players: Mapping[str, BatchAgent],
    *,
    games: int = 4,
    seed: int = 0,
    opening: int | None = None,
    folder: Path | None = None,
    together: int = 24,
    jobs: int = 1,
    progress: Callable[[int], None] = lambda finished: None,
) -> RoundRobin:
    """Play `games` games of every two players: games / 2 random openings, each with either side.

    opening: plies, default as suits the game. folder: where finished blocks are kept and found
    again. together: most players awake at a time. jobs: players asked at a time. progress: told how
    many more games are finished.

    `begin(seed)` of a player is called before each of its blocks, `rest()` when a block does
    without it; a block is found again by the players' `fingerprint()`. An error or illegal action
    loses a player that game and nothing else.

    Raises ValueError for an odd number of games, fewer than two players, or players of different
    games.
    """
    if games < 2 or games % 2 or len(players) < 2:
        raise BadValue(
            "a tournament wants two players and an even number of games a pair, "
            f"not {len(players)} and {games}"
        )
    agents = list(players.values())
    opening = agents[0].game.opening if opening is None else opening
    draw = _Draw(tuple(players), agents, games, seed, opening)
    played = []
    with ThreadPoolExecutor(max(1, jobs), thread_name_prefix="player") as pool:
        for members, pairs in blocks(len(agents), together):
            path = folder / f"{draw.key(members)}.h5" if folder else None
            block = _recall(path)
            if block is None:
                for number, agent in enumerate(agents):
                    if number in members:
                        agent.begin(seed)
                    else:
                        agent.rest()
                block = draw.play(pairs, pool.map if jobs > 1 else map, progress)
                if path:
                    path.parent.mkdir(parents=True, exist_ok=True)
                    save(path, "round-robin-block", block[0], {"words": block[1]})
            else:
                progress(len(pairs) * games)
            played.append((pairs, block))
        for agent in agents:
            agent.rest()
    return draw.joined(played)


def blocks(players: int, together: int) -> Iterator[tuple[frozenset[int], list[tuple[int, int]]]]:
    """(the players, the pairs that they play) of every block.

    Each pair of players is in one of them. One group stays from block to block as long as it can.
    """
    if players <= together:
        yield frozenset(range(players)), list(combinations(range(players), 2))
        return
    count = -(-players // max(1, together // 2))
    groups = [group.tolist() for group in np.array_split(np.arange(players), count)]
    for k, group in enumerate(groups):
        for j, other in enumerate(groups[k + 1 :]):
            pairs = [(a, b) for a in group for b in other]
            if j == 0:
                # Both groups are awake: the inner pairs of the first one, in the last block of
                # both.
                pairs += list(combinations(group, 2))
                pairs += list(combinations(other, 2)) if k == len(groups) - 2 else []
            yield frozenset(group + other), pairs


def openings(game: Game, count: int, plies: int, rng: np.random.Generator) -> np.ndarray:
    """[count, plies] random sensible actions, different where possible, that end no game."""
    if not plies:
        return np.zeros((count, 0), np.int64)
    drawn: dict[tuple[int, ...], None] = {}
    for _ in range(200):
        batch, actions = game.new_batch(count), np.zeros((count, plies), np.int64)
        for ply in range(plies):
            sensible = batch.sensible()
            noise = np.where(sensible, rng.random(sensible.shape), -1.0)
            actions[:, ply] = np.where(batch.done, -1, noise.argmax(axis=1))
            batch.step(actions[:, ply])
        rows = [tuple(row) for row in actions[~batch.done].tolist()]
        drawn.update(dict.fromkeys(rows))
        if len(drawn) >= count:
            break
    if not drawn:
        raise BadValue(
            f"{plies} random plies are too many for an opening of {game}: the game is over by then"
        )
    chosen = [list(drawn)[k % len(drawn)] for k in range(count)]
    return np.array(chosen, np.int64).reshape(count, plies)


# (arrays, {game: why it was forfeited}) of the games of some pairs
Block = tuple[Mapping[str, np.ndarray], Mapping[str, str]]


@dataclass(frozen=True)
class _Draw:
    """What is played: `games` games of every two players.

    They begin with random openings of so many plies, which the seed draws.
    """

    names: tuple[str, ...]
    agents: list[BatchAgent]
    games: int
    seed: int
    opening: int

    def seats(self, pairs: list[tuple[int, int]]) -> np.ndarray:
        """[2, N] the numbers of first and second player; each pair has either seat."""
        half = self.games // 2
        return np.array([seat for a, b in pairs for seat in [(a, b)] * half + [(b, a)] * half]).T

    def play(
        self,
        pairs: list[tuple[int, int]],
        each: Callable[..., Iterable[Any]],
        progress: Callable[[int], None],
    ) -> Block:
        """One block: for each pair its openings with one in the first seat, then with the other."""
        game, names, seats = self.agents[0].game, self.names, self.seats(pairs)
        starts = [
            openings(game, self.games // 2, self.opening, _rng(self.seed, names[a], names[b]))
            for a, b in pairs
        ]
        awake = np.unique(seats)
        label = ",".join(names[player] for player in awake)
        played = play_games(
            [self.agents[player] for player in awake],
            np.searchsorted(awake, seats),
            [_rng(self.seed, label, names[player]) for player in awake],
            dice=_rng(self.seed, label, ""),
            opening=np.concatenate([start for start in starts for _ in range(2)]),
            forgive=True,
            each=each,
            progress=progress,
        )
        forfeited = played.culprit >= 0
        # The numbers may be others in the next run: what is kept is the seat.
        side = np.where(forfeited, (awake[played.culprit] == seats[1]).astype(np.int64), -1)
        lines = np.column_stack([*seats, *played.history])
        line = np.unique(lines, axis=0, return_inverse=True)[1]
        arrays = {"points": played.points, "plies": played.plies, "side": side, "line": line}
        return arrays, {str(k): text for k, text in played.reasons.items()}

    def joined(self, played: Sequence[tuple[list[tuple[int, int]], Block]]) -> RoundRobin:
        """All blocks as one tournament."""
        why: dict[int, str] = {}
        lines, start = [], 0
        for pairs, (arrays, reasons) in played:
            lines.append(arrays["line"] + start)  # a pair is in one block only
            why |= {start + int(k): text for k, text in reasons.items()}
            start += len(pairs) * self.games
        seats = np.concatenate([self.seats(pairs) for pairs, _ in played], axis=1)
        points, plies, side = (
            np.concatenate([arrays[name] for _, (arrays, _) in played])
            for name in ("points", "plies", "side")
        )
        culprit = np.where(side < 0, -1, seats[np.maximum(side, 0), np.arange(start)])
        return RoundRobin(self.names, seats, points, plies, culprit, why, np.concatenate(lines))

    def key(self, members: frozenset[int]) -> str:
        """The name of the file of a block of these players."""
        game = self.agents[0].game
        played = f"{game} games={self.games} seed={self.seed} opening={self.opening}"
        players = [
            [self.names[player], self.agents[player].name, self.agents[player].fingerprint()]
            for player in sorted(members)
        ]
        return hashlib.sha256(json.dumps([played, players]).encode()).hexdigest()[:40]


def _recall(path: Path | None) -> Block | None:
    try:
        stored = load(path, "round-robin-block") if path else None
    except StorageError:
        return None
    return (dict(stored.arrays), stored.meta["words"]) if stored else None


def _rng(seed: int, *labels: str) -> np.random.Generator:
    return np.random.default_rng(
        [seed, *(byte for label in labels for byte in hashlib.sha256(label.encode()).digest()[:8])]
    )
