"""A class of players to hold a tournament with: `python -m tests.hostile.a_class DIR [N]`
writes N hand-ins, default 60.

Of every 60: 36 quick players of different strength, 9 that use much of their time, 3 files of
agents, 12 slow or hostile ones.
"""

import sys
from pathlib import Path

from rlcourse.agents import make_agent, save_agent
from rlcourse.games import get_game

HEAD = """
import os, random, time
import numpy as np
from rlcourse.games import get_game

MIX, GAMES, PAUSE = {mix}, {games}, {pause}

def duties(state):
    moves = sorted(state.legal_moves(), key=lambda m: abs(m - 3) + MIX * random.random())
    after = {{m: state.apply_move(m) for m in moves}}
    won = [m for m in moves if after[m].winner()]
    safe = [m for m in moves if not any(after[m].apply_move(r).winner() for r in after[m].legal_moves())]
    return (won[:1] or safe or moves), after
"""
QUICK = {
    "chance": "def choose(state):\n    return random.choice(state.legal_moves())\n",
    "middle": "def choose(state):\n"
    "    return min(state.legal_moves(), key=lambda m: abs(m - 3) + MIX "
    "* random.random())\n",
    "wins": "def choose(state):\n"
    "    return next((m for m in state.legal_moves() if state.apply_move(m).winner()), "
    "random.choice(state.legal_moves()))\n",
    "duties": "def choose(state):\n    return duties(state)[0][0]\n",
}
BUSY = """
def choose(state):
    moves, after = duties(state)
    batch = get_game("connect-four").new_batch(GAMES * len(moves))
    for k, m in enumerate(moves):
        for row in range(GAMES * k, GAMES * (k + 1)):
            batch.load(row, after[m])
    points = batch.playouts(np.random.randint(0, 2**31, len(batch))).reshape(len(moves), GAMES).mean(axis=1)
    end = time.process_time() + PAUSE
    while time.process_time() < end:
        pass
    return moves[int(np.argmax(points if state.next_player == 0 else -points))]
"""
BAD = (
    "def choose(state):\n    time.sleep(0.2)\n    return duties(state)[0][0]\n",
    "def choose(state):\n    while True: pass\n",
    "def choose(state):\n"
    "    if state.board[2, 3]: time.sleep(1000)\n"
    "    return duties(state)[0][0]\n",
    "def choose(state):\n    if state.board[3, 3]: os._exit(1)\n    return duties(state)[0][0]\n",
    "kept = []\ndef choose(state):\n    while True: kept.append(bytearray(10**7))\n",
    "def choose(state):\n"
    "    open(f'/tmp/{random.random()}', 'wb').write(bytes(3 * 10**7))\n"
    "    return 3\n",
    "def choose(state):\n    return random.randrange(9)\n",
    "def choose(state):\n    print('x' * 5_000_000)\n    return duties(state)[0][0]\n",
    "def choose(state):\n    return state.legal_moves()[7]\n",
    "def choose(state):\n    while True: os.fork()\n",
    "time.sleep(1000)\n\ndef choose(state):\n    return 3\n",
    "def move(state):\n    return 3\n",
)


def write(folder: Path, count: int = 60) -> None:
    """Write the hand-ins of `count` students into `folder`."""
    folder.mkdir(parents=True, exist_ok=True)
    for number in range(count):
        kind, place = number % 20, folder / f"student{number:02}.py"
        mix = 0.5 * (number // 4 % 8)
        if kind == 19:
            agent = make_agent("uct", get_game("connect-four"), simulations=10 * (1 + number // 20))
            save_agent(agent, folder / f"student{number:02}.h5")
        elif kind >= 15:
            place.write_text(
                HEAD.format(mix=0, games=0, pause=0) + BAD[(kind - 15) + 4 * (number // 20 % 3)]
            )
        elif kind >= 12:
            head = HEAD.format(
                mix=mix,
                games=20 * (kind - 11),
                pause=(0.0, 0.012, 0.05 if number > 40 else 0.005)[kind - 12],
            )
            place.write_text(head + BUSY)
        else:
            place.write_text(
                HEAD.format(mix=mix, games=0, pause=0) + list(QUICK.values())[number % 4]
            )


if __name__ == "__main__":
    write(Path(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 60)
