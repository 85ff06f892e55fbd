"""Games without a person: one game between two agents, or thousands in lock-step.

Self-play is cut into chunks. `play(spec, weights, seed, chunk)` is pure: in this process, in a pool of spawned ones or on
other machines it gives equal experience (same machine, same number of threads).
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np

from rlcourse.agents import BatchAgent, make_agent
from rlcourse.agents.base import Agent, Decision
from rlcourse.encoders import Encoder, get_encoder_by_name
from rlcourse.experience import ExperienceBuffer, combine_experience
from rlcourse.games import Batch, Game, GameState, get_game, sign_of
from rlcourse.workers import worker_pool


class GameRecord(NamedTuple):
    """One game: every position from the first to the last, the moves between them, the first player's points.

    In a game with dice a position stands here with the throw that was played on.
    """

    states: list[GameState]
    moves: list[Any]
    points: float


def simulate_game(
    first: Agent,
    second: Agent,
    start: GameState | None = None,
    *,
    rng: np.random.Generator | None = None,
) -> GameRecord:
    """Play one game between two agents, from `start` or the start of the first agent's game. rng throws the dice.

    Raises ValueError without an rng in a game with dice.
    """
    game = first.game
    if game.throw is not None and rng is None:
        raise ValueError(f"{game.name} is played with dice: give rng=np.random.default_rng(seed)")
    throw = game.throw or (lambda state, rng: state)
    states, moves = [throw(game.new_game() if start is None else start, rng)], []
    while not states[-1].is_over():
        agent = (first, second)[states[-1].next_player]
        moves.append(agent.select_move(states[-1]))
        states.append(throw(states[-1].apply_move(moves[-1]), rng))
    return GameRecord(states, moves, states[-1].points)


@dataclass(frozen=True)
class SelfPlaySpec:
    """One chunk of self-play, as plain data that travels to another process.

    game, game_options: as for get_game. agent, agent_options: a registered kind and how it acts. encoder: by name.
    games: played in lock-step, a chunk. record: columns of the Decision to keep beside the required ones ("log_prob",
    "value", "policy", "q", "visits") and "legal"; with the value comes the advantage, return less value.
    longest: plies after which a game is broken off, with no points; 0: never.
    guests: of the games, how many are played with another agent, whose weights stand under "guest/"; half of them with each
    side, and only the decisions of the agent itself are kept.
    """

    game: str
    agent: str
    encoder: str
    games: int
    game_options: Mapping[str, Any] = field(default_factory=dict)
    agent_options: Mapping[str, Any] = field(default_factory=dict)
    record: tuple[str, ...] = ()
    longest: int = 0
    guests: int = 0


def play(
    spec: SelfPlaySpec, weights: Mapping[str, np.ndarray], seed: int, chunk: int
) -> ExperienceBuffer:
    """Chunk number `chunk` of self-play: an agent with these `weights` (its `arrays()`) plays itself. Pure."""
    game = get_game(spec.game, **spec.game_options)
    own = {name: array for name, array in weights.items() if not name.startswith("guest/")}
    agent = make_agent(spec.agent, game, own, **spec.agent_options)
    encoder = get_encoder_by_name(spec.encoder, game)
    rng = np.random.default_rng([seed, chunk])

    def games(first: BatchAgent, second: BatchAgent, count: int) -> ExperienceBuffer:
        """`count` games of these two."""
        pair, kept = (first, second), spec.record
        return play_lockstep(game, pair, encoder, count, rng, record=kept, longest=spec.longest)

    buffer = games(agent, agent, spec.games - spec.guests)
    if not spec.guests:
        return buffer
    guests = {
        name.removeprefix("guest/"): array
        for name, array in weights.items()
        if name.startswith("guest/")
    }
    guest = make_agent(spec.agent, game, guests, **spec.agent_options)
    moved_first = games(agent, guest, (spec.guests + 1) // 2)
    moved_second = games(guest, agent, spec.guests // 2)
    return combine_experience(
        [
            buffer,
            moved_first.take(moved_first["player"] == 0),
            moved_second.take(moved_second["player"] == 1),
        ]
    )


class Recorder:
    """The decisions of games in lock-step, as they are made; of them one buffer, game by game, ply by ply.

    plies [games]: how many plies of each game went before the first decision; default none.
    """

    def __init__(
        self, game: Game, encoder: str, games: int, plies: np.ndarray | None = None
    ) -> None:
        self.meta = {"game": game.name, "options": dict(game.options), "encoder": encoder}
        self._ply = np.zeros(games, np.int32) if plies is None else plies.astype(np.int32)
        self._parts: list[dict[str, np.ndarray]] = []

    def add(
        self, rows: np.ndarray, player: np.ndarray, action: np.ndarray, **columns: np.ndarray
    ) -> None:
        """One decision in each of the games `rows` [R], by `player` [R]; further columns [R, ...]."""
        required = {
            "action": np.asarray(action, np.int32),
            "player": np.asarray(player, np.int8),
            "game": rows.astype(np.int32),
            "ply": self._ply[rows],
        }
        self._parts.append({**required, **columns})
        self._ply[rows] += 1

    def buffer(self, points: np.ndarray) -> ExperienceBuffer:
        """All decisions, with the return of the player who moved. points [games]: the first player's."""
        columns = {
            name: np.concatenate([part[name] for part in self._parts]) for name in self._parts[0]
        }
        reward = points[columns["game"]] * sign_of(columns["player"])
        columns["reward"] = reward.astype(np.float32)
        order = np.lexsort((columns["ply"], columns["game"]))
        columns = {name: column[order] for name, column in columns.items()}
        return ExperienceBuffer(columns, self.meta)


def play_lockstep(
    game: Game,
    agents: tuple[BatchAgent, BatchAgent],
    encoder: Encoder,
    games: int,
    rng: np.random.Generator,
    *,
    record: tuple[str, ...] = (),
    longest: int = 0,
) -> ExperienceBuffer:
    """Play `games` games at once, agents[0] first. Decisions come game by game, ply by ply.

    The state of a decision is the position it was made in; in a game of afterstates, the position that it led to.
    """
    batch, recorder = game.new_batch(games), Recorder(game, encoder.name, games)
    afterstates = game.num_actions is None
    plies = 0
    while not batch.done.all() and not 0 < longest <= plies:
        for player in (0, 1):
            if afterstates:
                batch.roll(rng)
            rows = np.flatnonzero(~batch.done & (batch.to_play == player))
            if not len(rows):
                continue
            decision = agents[player].decide(batch, rows, rng)
            columns = {name: _column(name, decision, batch, rows) for name in record}
            if not afterstates:
                columns["state"] = encoder.encode_batch(batch, rows)
            actions = np.full(games, -1, np.int64)
            actions[rows] = decision.action
            batch.step(actions)
            if afterstates:
                columns["state"] = encoder.encode_batch(batch, rows)
            recorder.add(rows, np.full(len(rows), player), decision.action, **columns)
            plies += 1
    buffer = recorder.buffer(batch.points)
    if "value" not in record:
        return buffer
    advantage = buffer["reward"] - buffer["value"]
    return ExperienceBuffer({**buffer.columns, "advantage": advantage}, buffer.meta)


def _column(name: str, decision: Decision, batch: Batch, rows: np.ndarray) -> np.ndarray:
    column = batch.legal(rows) if name == "legal" else getattr(decision, name)
    if column is None:
        raise ValueError(f"this agent does not say its {name!r}, so self-play cannot record it")
    return np.asarray(column)


def play_chunks(
    spec: SelfPlaySpec,
    weights: Mapping[str, np.ndarray],
    *,
    seed: int,
    chunks: range,
    workers: int = 0,
) -> Iterator[ExperienceBuffer]:
    """The chunks in order: one after the other in this process, or by `workers` spawned processes of one thread each."""
    if workers == 0:
        yield from (play(spec, weights, seed, chunk) for chunk in chunks)
        return
    with worker_pool(workers) as pool:
        waiting = [pool.submit(play, spec, dict(weights), seed, chunk) for chunk in chunks]
        for future in waiting:
            yield future.result()
