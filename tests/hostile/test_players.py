"""Hostile players in a tournament: they lose their own games, and neither the others'
games nor this machine suffer.
"""

import pytest

from rlcourse.agents import make_agent
from rlcourse.games import get_game
from rlcourse.grading.contender import Clock, Contender
from rlcourse.round_robin import round_robin
from tests.hostile import attacks
from tests.hostile.test_hostile import place  # noqa: F401  a fixture
from tests.hostile.trial import WORD

pytestmark = [pytest.mark.slow, pytest.mark.timeout(900)]
CLOCK = Clock(longest=1.0, spare=4.0, deaths=4, start=4.0, busy=2.0)
HONEST = "def choose(state):\n    return min(state.legal_moves(), key=lambda m: abs(m - 3))\n"
MOVE = "    return state.legal_moves()[0]\n"
# What a player does before each of its moves.
PLAYERS = {
    "forks without end": "while True: os.fork()",
    "forks and plays": "\nif os.fork() == 0:\n        while True: pass",
    "much memory": "globals().setdefault('kept', []).append(fill(700 * MB))",
    "shared memory": "[block.write(b'x' * len(block)) for block in [mmap.mmap(-1, 100 * MB) "
    "for _ in range(30)]]",
    "many files": "[os.close(os.open(f'{TMP}{os.getpid()}-{k}', os.O_CREAT | os.O_WRONLY)) "
    "for k in range(10**6)]",
    "prints without end": "[print('x' * MB, flush=True) for _ in range(500)]",
    "floods the pipe": "while True: shout(bytes(65536))",
    "answers before it is asked": "shout(frame([np.zeros(1, np.int64), ['']], nonce=0))",
    "closes the pipes": "os.closerange(3, 64)",
    "stops itself": "os.kill(os.getpid(), signal.SIGSTOP)",
    "kills all it can": "os.kill(-1, signal.SIGKILL)",
    "becomes another program": "os.execv(sys.executable, [sys.executable, '-c', 'import "
    "time; time.sleep(99)'])",
    "reads a file of the machine": "open(SECRET).read()",
    "writes to a file of the machine": "open(SECRET, 'w').write('mine')",
    "patches the course": "import rlcourse.games.grid as g; "
    "g.GridState.legal_moves = lambda s: (0,)",
    "patches its own harness": "import __main__; __main__.rlcourse_moves = lambda "
    "arrays: {'winner': 'me'}",
    "looks for the others": "raise OSError([p for p in os.listdir('/proc') if p.isdigit()])",
    "calls home": "import socket; socket.create_connection(('127.0.0.1', PORT), 1)",
}
# Of these nothing is lost: what they do stays in their own process, and they may go on playing.
HARMLESS = {
    "forks and plays",
    "prints without end",
    "patches the course",
    "shared memory",
    "much memory",
}


def source(place, body):  # noqa: F811
    head = attacks.PRELUDE.format(
        secret=str(place.secret), port=place.door.getsockname()[1], package="/nowhere"
    )
    return f"{head}\ndef choose(state):\n    {body.strip()}\n{MOVE}"


@pytest.mark.parametrize("name", PLAYERS)
def test_a_hostile_player_loses_its_own_games_only(place, name):  # noqa: F811
    game = get_game("connect-four")
    hostile = Contender(game, "hostile", source(place, PLAYERS[name]).encode(), place.launch, CLOCK)
    honest = Contender(
        game,
        "honest",
        HONEST.encode(),
        place.launch,
        Clock(start=120.0, longest=10.0, spare=60.0, busy=20.0),
    )
    players = {"hostile": hostile, "honest": honest, "random": make_agent("random", game)}
    done = round_robin(players, games=2, jobs=2)
    assert set(done.forfeits()) <= {"hostile"}, done.forfeits()
    others = (done.seats != 0).all(axis=0)
    assert (done.culprit[others] == -1).all() and (done.plies[others] >= 7).all()
    if name not in HARMLESS:
        assert sum(done.forfeits().get("hostile", {}).values()) >= 1, (
            "the attack was not even noticed"
        )
    assert place.secret.read_text() == WORD and not place.visited() and place.living() == []
