"""The rules of backgammon against GNU Backgammon: its list of moves and its position IDs, on
games and on built boards.
"""

import json
import os
import subprocess

import numpy as np
import pytest

from rlcourse.games.backgammon import BackgammonBatch, BackgammonState
from tests.oracles.backgammon_positions import POLICIES, built

POSITIONS = 2_000  # 5,000 were compared once
# Runs in the Python inside gnubg, which plays the position as its player 0, and
# writes one line a position.
ASK = """
import json, gnubg
for line in ("automatic game off", "automatic roll off", "automatic move off", "player 0 human", "player 1 human",
             "evaluation chequerplay evaluation plies 0", "evaluation chequerplay evaluation cubeful off"):
    gnubg.command("set " + line)
gnubg.command("new game")
with open("answers", "w") as answers:
    for line in open("questions"):
        identity, high, low = line.split()
        for command in ("set turn 0", "set board " + identity, "set dice " + high + " " + low):
            gnubg.command(command)
        hint = gnubg.hint(5000)
        other, own = gnubg.board()
        said = [gnubg.positionid(), own, other, [move["move"] for move in hint["hint"]]]
        answers.write(json.dumps(said) + chr(10))
"""


def positions() -> list[BackgammonState]:
    """Half of them from games of several kinds of players, half built; with dice, nobody done."""
    rng, found = np.random.default_rng(7), []
    batch, names = BackgammonBatch(len(POLICIES) ** 2), list(POLICIES)
    while len(found) < POSITIONS // 2:
        batch.reset(np.flatnonzero(batch.done))
        batch.roll(rng)
        choice = np.zeros(len(batch), np.int64)
        for row in range(len(batch)):
            boards, _ = batch.afterstate_boards(np.array([row]))
            mover = batch.to_play[row]
            choice[row] = POLICIES[names[row // len(names) if mover else row % len(names)]](
                boards, mover, rng
            ).argmax()
            if rng.random() < 0.2:
                found.append(batch.state(row))
        batch.step(choice)
    made = built(rng)
    return found + [next(made) for _ in range(POSITIONS - len(found))]


@pytest.mark.slow
def test_moves_and_position_ids_agree_with_gnubg(require_program, tmp_path):
    asked = positions()
    (tmp_path / "ask.py").write_text(ASK)
    lines = ["{} {} {}\n".format(state.position_id(), *state.dice) for state in asked]
    (tmp_path / "questions").write_text("".join(lines))
    subprocess.run(
        [require_program("gnubg"), "-t", "-q", "-r", "-p", "ask.py"],
        cwd=tmp_path,
        check=True,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        env={**os.environ, "HOME": str(tmp_path)},
    )
    answers = [json.loads(line) for line in (tmp_path / "answers").read_text().splitlines()]
    assert len(answers) == len(asked)
    plays = 0
    for state, (identity, own, other, moves) in zip(asked, answers, strict=True):
        mover = state.next_player
        assert identity == state.position_id()
        assert (own, other) == (
            state.checkers[mover, :25].tolist(),
            state.checkers[1 - mover, :25].tolist(),
        )
        theirs = [state.apply_move(state.parse_move(text)).checkers.tobytes() for text in moves]
        ours = [state.apply_move(move).checkers.tobytes() for move in state.legal_moves() if move]
        assert sorted(theirs) == sorted(ours), (state.recipe(), moves)
        plays += len(ours)
    print(f"{len(asked)} positions, {plays} plays, 0 mismatches")
    assert plays > 10 * POSITIONS
