"""Games without a person: one game between two agents, or thousands in lock-step.

Self-play is cut into chunks. `play(spec, weights, seed, chunk)` is pure: this process, a pool of
spawned processes and a cluster give equal experience (same machine, same number of threads).
"""

import time
from collections.abc import Callable, Generator, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from rlcourse.agents import BatchAgent, make_agent
from rlcourse.agents.base import Agent, Decision
from rlcourse.encoders import Encoder, get_encoder_by_name
from rlcourse.errors import BadValue
from rlcourse.experience import ExperienceBuffer, combine_experience
from rlcourse.games import Batch, Game, GameState, get_game, sign_of
from rlcourse.sampling import categorical
from rlcourse.storage import StorageError
from rlcourse.workers import worker_pool

# A file of recorded games grows, and so does the time to write it. Seconds of play between two
# writes: at least PAUSE, and at least SHARE for every second of the last write.
PAUSE = 5.0
SHARE = 10


class GameRecord(NamedTuple):
    """One game: all positions, the moves between them, and the first player's points.

    In a game with dice a position includes the throw that was played.
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
    """Play one game between two agents, from `start` or the start of the first agent's game.

    rng throws the dice. Raises ValueError without an rng in a game with dice.
    """
    throw = _thrower(first.game, rng)
    states, moves = [throw(first.game.new_game() if start is None else start)], []
    while not states[-1].is_over():
        agent = (first, second)[states[-1].next_player]
        moves.append(agent.select_move(states[-1]))
        states.append(throw(states[-1].apply_move(moves[-1])))
    return GameRecord(states, moves, states[-1].points)


def _thrower(game: Game, rng: np.random.Generator | None) -> Callable[[GameState], GameState]:
    throw = game.throw
    if throw is None:
        return lambda state: state
    if rng is None:
        raise BadValue(f"{game.name} is played with dice: give rng=np.random.default_rng(seed)")
    return lambda state: throw(state, rng)


@dataclass(frozen=True)
class SelfPlaySpec:
    """One chunk of self-play, as plain data that travels to another process.

    game, game_options: as for get_game. agent, agent_options: a registered kind and its options.
    encoder: by name. games: per chunk, played in lock-step. record: columns to keep beside the
    required ones: fields of the Decision ("log_prob", "value", "policy", "q", "visits") and
    "legal"; with the value comes the advantage, return minus value. longest: plies after which a
    game is cut, with no points; 0: never. guests: the number of games against another agent, whose
    weights have names "guest/..."; half of them with each side, and only the decisions of the agent
    itself are kept.
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
    """Chunk number `chunk` of self-play: an agent with these `weights` plays itself. Pure."""
    game = get_game(spec.game, **spec.game_options)
    guest_weights = {
        name.removeprefix("guest/"): array
        for name, array in weights.items()
        if name.startswith("guest/")
    }
    own_weights = {name: array for name, array in weights.items() if not name.startswith("guest/")}
    agent = make_agent(spec.agent, game, own_weights, **spec.agent_options)
    encoder = get_encoder_by_name(spec.encoder, game)
    rng = np.random.default_rng([seed, chunk])

    def games(first: BatchAgent, second: BatchAgent, count: int) -> ExperienceBuffer:
        """`count` games of these two."""
        pair, record = (first, second), spec.record
        return play_lockstep(game, pair, encoder, count, rng, record=record, longest=spec.longest)

    alone = spec.games - spec.guests
    parts = [games(agent, agent, alone)] if alone or not spec.guests else []
    if not spec.guests:
        return parts[0]
    guest = make_agent(spec.agent, game, guest_weights, **spec.agent_options)
    for seat, count in enumerate(((spec.guests + 1) // 2, spec.guests // 2)):
        if count:
            moved = games(*((agent, guest) if seat == 0 else (guest, agent)), count)
            parts.append(moved.take(moved["player"] == seat))
    return combine_experience(parts)


class Recorder:
    """Collects the decisions of games in lock-step into one buffer, ordered by game and ply.

    plies [games]: the plies of each game before its first decision; default none.
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
        """Add one decision in each of the games `rows` [R], by `player` [R]."""
        required = {
            "action": np.asarray(action, np.int32),
            "player": np.asarray(player, np.int8),
            "game": rows.astype(np.int32),
            "ply": self._ply[rows],
        }
        self._parts.append({**required, **columns})
        self._ply[rows] += 1

    def buffer(self, points: np.ndarray) -> ExperienceBuffer:
        """All decisions, with the return of their player. points [games]: the first player's.

        Raises ValueError where there was none.
        """
        if not self._parts:
            raise BadValue("no decision was recorded: it takes one game or more")
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
    """Play `games` games at once, agents[0] first. Decisions are ordered by game and ply.

    The state of a decision is the position before it; in a game of afterstates, the one after it.
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
        raise BadValue(f"this agent does not say its {name!r}, so self-play cannot record it")
    return np.asarray(column)


def play_at_random(batch: Batch, plies: np.ndarray, rng: np.random.Generator) -> None:
    """Play plies [N] uniformly random legal moves; a game that ends on the way restarts."""
    for ply in range(plies.max(initial=0)):
        rows = np.flatnonzero((plies > ply) & ~batch.done)
        actions = np.full(len(batch), -1, np.int64)
        actions[rows] = categorical(batch.legal(rows).astype(np.float64), rng)
        batch.step(actions)
    batch.reset(np.flatnonzero(batch.done))


def play_chunks(
    spec: SelfPlaySpec,
    weights: Mapping[str, np.ndarray],
    *,
    seed: int,
    chunks: range,
    workers: int = 0,
) -> Iterator[ExperienceBuffer]:
    """The chunks in order, played in this process or by `workers` processes of one thread each."""
    if workers == 0:
        yield from (play(spec, weights, seed, chunk) for chunk in chunks)
        return
    with worker_pool(workers) as pool:
        waiting = [pool.submit(play, spec, dict(weights), seed, chunk) for chunk in chunks]
        for future in waiting:
            yield future.result()


def record_games(
    agent: BatchAgent,
    path: str | Path,
    *,
    games: int,
    seed: int = 0,
    chunk: int = 256,
    workers: int = 0,
) -> Generator[int, None, None]:
    """Self-play into a file, in chunks of `chunk` games; yields the number of games so far.

    It stops when there are at least `games`. A file of the same agent, seed and chunk is continued
    with the games that an uninterrupted run would have played. The file is written after the first
    chunk, every few seconds and at the end; the games since the last write of an interrupted run
    are played again. Raises StorageError for a file of anything else, ValueError for an agent
    without an encoder.
    """
    if agent.encoder is None:
        raise BadValue(f"{agent.name} has no encoder, so its games cannot be recorded for training")
    options, encoder = agent.options(), agent.encoder.name
    source = {"agent": agent.fingerprint(), "seed": seed, "chunk": chunk}
    buffers = [_recorded(path, source)] if Path(path).exists() else []
    done = buffers[0].meta["chunks"] if buffers else 0
    chunks = range(done, max(done, -(-games // chunk)))
    spec = SelfPlaySpec(
        agent.game.name, agent.name, encoder, chunk, agent.game.options, options, agent.record
    )
    yield done * chunk
    write_at = 0.0
    for buffer in play_chunks(spec, agent.arrays(), seed=seed, chunks=chunks, workers=workers):
        buffers.append(buffer)
        done += 1
        if time.monotonic() >= write_at or done == chunks.stop:
            started = time.monotonic()
            whole = combine_experience(buffers)
            meta = {**whole.meta, **source, "chunks": done}
            buffers = [ExperienceBuffer(whole.columns, meta)]
            buffers[0].save(path)
            ended = time.monotonic()
            write_at = ended + max(PAUSE, SHARE * (ended - started))
        yield done * chunk


def _recorded(path: str | Path, source: dict[str, Any]) -> ExperienceBuffer:
    """The games in the file. Raises StorageError unless they are of this source."""
    recorded = ExperienceBuffer.load(path)
    for key, value in source.items():
        if recorded.meta.get(key) != value:
            raise StorageError(
                f"{path} holds games of another run: its {key} is {recorded.meta.get(key)!r}, this "
                f"run's is {value!r}. Give another file."
            )
    return recorded
