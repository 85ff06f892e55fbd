"""Self-play on a Ray cluster: the games of this process, whatever dies, joins or leaves; the remedy where ray is missing."""

import json
import os
import pickle
import random
import signal
import subprocess
import sys
import time
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from types import SimpleNamespace

import numpy as np
import pytest
from typer.testing import CliRunner

from rlcourse import cli, distributed
from rlcourse.cluster import ClusterError
from rlcourse.distributed import ActorRow, ClusterRow, RayPool
from rlcourse.experience import ExperienceBuffer
from rlcourse.learning import games, make_learner, train
from rlcourse.self_play import SelfPlaySpec, play
from rlcourse.storage import load
from tests.unit.ray_cluster import HEAD, OTHER, end_machine, ray_head, require_ray, start_machine
from tests.unit.test_self_play import same

SPEC = SelfPlaySpec("tic-tac-toe", "random", "two-plane", 20)
TD = {"hidden": 12, "games": 16, "batch": 32, "hold": 16, "schedule": 64, "ahead": 3}
AZ = {
    "games": 8,
    "simulations": 4,
    "ahead": 2,
    "window": 500,
    "batch": 32,
    "network_options": {"filters": 8, "blocks": 1},
}
LEARNERS = {
    "td-gammon": TD,
    "policy-gradient": {"games": 16, "ahead": 1},
    "actor-critic": {"games": 16, "ahead": 1, "guests": 0.25},
    "alphazero": AZ,
}


def until(condition) -> None:
    """Wait for something that another process does; pytest's own limit ends it."""
    while not condition():
        time.sleep(0.1)


class Shuffled(ThreadPoolExecutor):
    """A pool whose answers come in any order."""

    def submit(self, function, /, *arguments):
        """Sleep, then call."""
        pause = random.Random(repr(arguments[-1])).uniform(0, 0.05)
        return super().submit(lambda: (time.sleep(pause), function(*arguments))[1])


def test_whatever_pool_plays_the_chunks_stay_the_same():
    results = []
    for pool in (None, Shuffled(3)):
        learner = make_learner("td-gammon", seed=2, **TD)
        if pool:
            learner.chunks.play_in(pool)
        list(train(learner, until=games(96), seed=2))
        results.append(learner.state())
        learner.close()
    assert all(np.array_equal(results[0][name], array) for name, array in results[1].items())


def test_without_ray_the_message_names_the_remedy(monkeypatch):
    monkeypatch.setitem(sys.modules, "ray", None)
    with pytest.raises(ClusterError, match=r'pip install "rlcourse\[ray\]".*workers=N'):
        RayPool()


def test_the_course_does_not_load_ray():
    code = "import sys, rlcourse.distributed, rlcourse.cli; assert 'ray' not in sys.modules"
    assert subprocess.run([sys.executable, "-c", code]).returncode == 0


@pytest.mark.parametrize(
    ("words", "asked"),
    [
        ("td-gammon --ray", ("local", 0)),
        ("--ray td-gammon --actors 3", ("local", 3)),
        ("td-gammon --ray auto", ("auto", 0)),
        ("td-gammon --actors 2 --ray 10.1.2.3:6379", ("10.1.2.3:6379", 2)),
    ],
)
def test_an_address_may_follow_ray(words, asked, monkeypatch, tmp_path):
    class Asked(Exception):
        """Ends the run."""

    def pool(address, *, actors):
        raise Asked(address, actors)

    monkeypatch.setattr(distributed, "RayPool", pool)
    result = CliRunner().invoke(
        cli.app, ["train", *words.split(), "--out", str(tmp_path / "bot.h5")]
    )
    assert isinstance(result.exception, Asked) and result.exception.args == asked


def test_a_learner_without_chunks_is_refused(tmp_path):
    result = CliRunner().invoke(
        cli.app, ["train", "q-table", "--ray", "--out", str(tmp_path / "bot.h5")]
    )
    assert result.exit_code == 2 and "td-gammon" in result.output


def test_a_row_by_hand():
    """100 games in 4 s and 100 in 2 s: 25 and 50 games/s, 37.5 in the middle; the third actor is still warming up."""
    actors = (
        ActorRow("a", 1, 3, 100, 4.0),
        ActorRow("b", 2, 3, 100, 2.0),
        ActorRow("b", 3, 1, 0, 0.0),
    )
    text = str(ClusterRow(actors, lost=2, sent=10, received=3_000_000))
    assert (
        text
        == "3 actors on 2 machines, 38 games/s each (25 to 50); 2 chunks lost and played again; 3.0 MB of games"
    )
    assert str(ClusterRow(actors[2:], 1, 0, 0)).startswith(
        "1 actor on 1 machine, warming up; 1 chunk lost"
    )


class Tasks:
    """In place of Ray: calls that begin when they are handed out and end when a test says so."""

    class exceptions:
        RayTaskError = ArithmeticError

    def __init__(self):
        self.begun: list[tuple[str, Future]] = []

    def remote(self, *settings, **options):
        """The task of a function, or one call of it."""
        if options:
            return lambda function: self
        self.begun.append((settings[-1], Future()))
        return SimpleNamespace(future=lambda done=self.begun[-1][1]: done)

    def answer(self, number: int) -> None:
        """End the call that began as this one."""
        name, done = self.begun[number]
        done.set_result((pickle.dumps(name), distributed.Answered("a", 1, 0, 0.0, 0)))


def test_no_more_calls_than_actors_are_made_at_a_time(monkeypatch):
    """Four calls, two actors: the third begins when one of the first two is answered."""
    tasks = Tasks()
    monkeypatch.setattr(distributed, "connect", lambda address, actors: (tasks, False))
    pool = RayPool(actors=2)
    answers = [pool.submit(str, name) for name in "abcd"]
    assert [name for name, _ in tasks.begun] == ["a", "b"]
    assert answers[3].cancel()
    tasks.answer(1)
    assert answers[1].result() == "b"
    assert [name for name, _ in tasks.begun] == ["a", "b", "c"]
    tasks.answer(0)
    tasks.answer(2)
    assert [one.result() for one in answers[:3]] == ["a", "b", "c"] and len(tasks.begun) == 3


# From here on with a cluster.


@pytest.fixture(scope="module")
def address():
    """Of a cluster of one machine with one processor."""
    require_ray()
    with ray_head() as found:
        yield found


@pytest.fixture
def pool(address):
    """One actor of it."""
    with RayPool(address, actors=1) as found:
        yield found


def cluster(test):
    """Marks what needs ray: it starts many processes, so one worker of pytest does it all."""
    for mark in (pytest.mark.slow, pytest.mark.xdist_group("ray"), pytest.mark.timeout(1200)):
        test = mark(test)
    return test


@cluster
def test_the_games_of_every_learner_are_those_of_this_process(pool):
    for name, settings in LEARNERS.items():
        here, there = (make_learner(name, seed=1, **{**settings, "workers": 0}) for _ in range(2))
        there.chunks.play_in(pool)
        for number in range(2):
            expected, found = here.collect(None), there.collect(None)
            assert same(expected, found) and all(
                column.flags.writeable for column in found.columns.values()
            ), name
            here.update(expected, np.random.default_rng(number))
            there.update(found, np.random.default_rng(number))
    assert pool.lost == 0


@cluster
def test_weights_go_out_once_a_version(pool):
    weights, other = {"w": np.zeros(1000, np.float32)}, {"w": np.zeros(1000, np.float32)}
    for sent in (weights, weights, other, weights):
        pool.submit(play, SPEC, sent, 0, 0).result()
    assert pool.sent == 2 * 4000


@cluster
def test_a_chunk_whose_actor_dies_is_played_again(pool, tmp_path):
    """The actor kills itself in the middle of the call, the first time."""
    pool.submit(play, SPEC, {}, 7, 0).result()
    pid = pool.row().actors[0].pid
    dead = tmp_path / "dead"

    def play_as_the_second() -> ExperienceBuffer:
        if not dead.exists():
            dead.touch()
            os.kill(os.getpid(), signal.SIGKILL)
        return play(SPEC, {}, 7, 0)

    answers = [pool.submit(play_as_the_second)]
    answers += [pool.submit(play, SPEC, {}, 7, number) for number in (1, 2)]
    assert all(
        same(answer.result(), play(SPEC, {}, 7, number)) for number, answer in enumerate(answers)
    )
    assert pool.lost == 1 and pid not in [row.pid for row in pool.row().actors]


@cluster
def test_machines_join_and_leave_and_the_learner_learns_the_same(address, tmp_path):
    whole = make_learner("td-gammon", seed=2, **TD)
    list(train(whole, until=games(20 * 16), seed=2))
    learner, pool, rng = (
        make_learner("td-gammon", seed=2, **TD),
        RayPool(address),
        np.random.default_rng(2),
    )
    learner.chunks.play_in(pool)
    other = start_machine(OTHER, f"--address={address}")
    go_on = tmp_path / "go on"

    def wait_on_a_machine() -> None:
        import ray

        (tmp_path / ray.util.get_node_ip_address()).write_text(str(os.getpid()))
        while not go_on.exists():
            time.sleep(0.1)

    try:
        assert not pool.row().actors  # as long as nothing is to be played
        nodes: set[str] = set()
        while OTHER not in nodes:
            for pause in [pool.submit(time.sleep, 0.1) for _ in range(3)]:
                pause.result()
            nodes = {row.node for row in pool.row().actors}
        for _ in range(10):
            learner.update(learner.collect(rng), rng)
        assert {row.node for row in pool.row().actors} == {HEAD, OTHER}
        pauses = [pool.submit(wait_on_a_machine) for _ in range(2)]
        until(lambda: (tmp_path / OTHER).exists() and (tmp_path / OTHER).read_text())
    finally:
        end_machine(other)
    with suppress(ProcessLookupError):  # Ray's machine can end before its actors do
        os.kill(int((tmp_path / OTHER).read_text()), signal.SIGKILL)
    go_on.touch()
    assert [pause.result() for pause in pauses] == [None, None] and pool.lost == 1
    pool.row()
    for _ in range(10):
        learner.update(learner.collect(rng), rng)
    assert pool.lost == 1 and {row.node for row in pool.row().actors} == {HEAD}
    learner.close()
    state = learner.state()
    assert all(np.array_equal(state[name], array) for name, array in whole.state().items())


@cluster
def test_a_killed_learner_goes_on_from_its_checkpoint(address, tmp_path):
    """`kill -9` of the process that learns; its actors go with it. The rest of the run gives what an undisturbed one gives."""
    checkpoint, count = tmp_path / "run.h5", 320
    # The default of 60 seconds may pass until the actor is up.
    words = f"train alphazero --seed 4 --every 8 --games {count} --seconds 100000 --actors 1"
    files = ["--checkpoint", str(checkpoint), "--out", str(tmp_path / "bot.h5")]
    chosen = [
        part for name, value in AZ.items() for part in ("--set", f"{name}={json.dumps(value)}")
    ]
    program = [sys.executable, "-m", "rlcourse.cli"]
    command = [*program, *words.split(), "--ray", address, *files, *chosen]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    said = []
    try:
        while not said or " 64 games" not in said[-1]:
            said.append(process.stdout.readline())
            assert said[-1], said
    finally:
        process.kill()
        process.stdout.close()
        process.wait()
    assert 64 <= load(checkpoint, "checkpoint").meta["games"] < count, (
        "it was through before it was killed"
    )
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0 and "weights 2 updates old" in done.stdout, (
        done.stdout + done.stderr
    )
    whole = make_learner("alphazero", seed=4, **AZ)
    list(train(whole, until=games(count), every=8, seed=4))
    stored = load(checkpoint, "checkpoint")
    assert stored.meta["games"] == count and stored.arrays.keys() == whole.state().keys()
    assert all(np.array_equal(stored.arrays[name], array) for name, array in whole.state().items())


@cluster
def test_what_a_chunk_raises_reaches_the_learner(pool):
    with pytest.raises(ValueError, match="its 'value'"):
        pool.submit(
            play, SelfPlaySpec("tic-tac-toe", "random", "two-plane", 2, record=("value",)), {}, 0, 0
        ).result()
    assert same(pool.submit(play, SPEC, {}, 7, 0).result(), play(SPEC, {}, 7, 0)) and pool.lost == 0


@cluster
def test_a_chunk_that_kills_every_actor_ends_the_run(address, monkeypatch):
    monkeypatch.setattr(distributed, "RETRIES", 1)
    with RayPool(address, actors=1) as pool:
        killer, behind = pool.submit(os._exit, 1), pool.submit(play, SPEC, {}, 0, 0)
        with pytest.raises(ClusterError, match="2 actors died one after the other"):
            killer.result()
        assert same(behind.result(), play(SPEC, {}, 0, 0))
    with pytest.raises(RuntimeError, match="closed"):
        pool.submit(play, SPEC, {}, 0, 0)


@cluster
def test_a_machine_with_another_course_is_refused(address, monkeypatch):
    monkeypatch.setattr(distributed, "course", lambda: {"sources": "0"})
    with (
        RayPool(address, actors=1) as pool,
        pytest.raises(ClusterError, match=r"another course.*here sources 0"),
    ):
        pool.submit(play, SPEC, {}, 0, 0).result()


@cluster
def test_an_address_where_nobody_answers(monkeypatch):
    require_ray()
    with pytest.raises(ClusterError, match="ray start --head"):
        RayPool("127.0.0.1:1")


SLOW_AGENTS = """
import sys, time
if any(part.endswith(("dashboard/agent.py", "runtime_env/agent/main.py")) for part in sys.orig_argv):
    time.sleep(16)
"""


@cluster
def test_a_cluster_starts_where_its_processes_take_their_time(tmp_path):
    """As on a busy machine: the two agents of the raylet, Python processes, are not ready within the 15 s of Ray's clock."""
    require_ray()
    (tmp_path / "sitecustomize.py").write_text(SLOW_AGENTS)
    code = "from rlcourse.distributed import RayPool\nwith RayPool(actors=1) as pool: print(pool.submit(abs, -7).result())"
    path = os.pathsep.join([str(tmp_path), *filter(None, [os.environ.get("PYTHONPATH")])])
    done = subprocess.run(
        [sys.executable, "-c", code],
        env={**os.environ, "PYTHONPATH": path},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.stdout == "7\n", done.stdout + done.stderr
