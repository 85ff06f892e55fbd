"""Costs of moves in backgammon against gnubg's own analysis of the same games.

The course asks gnubg for the value of each position after a move, and does the rest itself. Here
gnubg reads the games from a match file, as any program's, and analyses them: with its own list of
moves, its own choice of the best one, and its own sides.
"""

import json
import os
import subprocess

import numpy as np
import pytest

from rlcourse.agents import load_agent
from rlcourse.boards.faces import face_of
from rlcourse.boards.review import review
from rlcourse.games import get_game

A_MATCH = 50  # games
GAME = get_game("backgammon")
ROUNDING = 0.02  # millipoints; the course reads probabilities of six decimals
# Runs in the Python inside gnubg. It reads the match as any program's, plays it by its own rules,
# and writes a line a game: of each turn the position, which of the moves was made, and the values of
# all moves.
ANALYSE = """
import json, gnubg
for line in ("set jacoby off", "set analysis cube off", "set analysis luck off",
             "set analysis chequerplay evaluation plies 0",
             "set analysis chequerplay evaluation cubeful off",
             "set analysis chequerplay evaluation noise 0",
             "import mat match.mat", "analyse match"):
    gnubg.command(line)
with open("answers", "w") as answers:
    for game in gnubg.match(analysis=1, boards=1, statistics=0)["games"]:
        turns = []
        for turn in game["game"]:
            analysis = turn.get("analysis", {})
            scores = [move["score"] for move in analysis.get("moves", [])]
            turns.append([turn["board"], analysis.get("imove"), scores])
        answers.write(json.dumps(turns) + chr(10))
"""


def played(seed):
    """(positions, moves) of a game; both sides err at random, the second one more often."""
    rng, state = np.random.default_rng(seed), GAME.new_game()
    expert = load_agent("backgammon/td-gammon")
    line, moves = [GAME.throw(state, rng)], []
    while not line[-1].is_over():
        state = line[-1]
        if rng.random() < (0.9, 0.4)[state.next_player]:
            move = expert.select_move(state)
        else:
            legal = state.legal_moves()
            move = legal[rng.integers(len(legal))]
        moves.append(move)
        line.append(GAME.throw(state.apply_move(move), rng))
    return line, moves


def match_file(games):
    """The games as a match file that many programs read (format of Jellyfish, ".mat")."""
    lines = [" 0 point match", ""]
    for number, (line, moves) in enumerate(games, 1):
        lines += [f" Game {number}", f" {'first : 0':<35}second : 0"]
        turns = [
            f"{state.dice[0]}{state.dice[1]}: {state.describe(move) if move else ''}"
            for state, move in zip(line, moves, strict=False)
        ]
        for row, first in enumerate(turns[::2], 1):
            second = turns[2 * row - 1] if 2 * row - 1 < len(turns) else ""
            lines.append(f"{row:3}) {first:<32}{second}".rstrip())
        points = int(line[-1].points)
        indent = 2 if points > 0 else 37
        lines += [f"{'':{indent}}Wins {abs(points)} point{'s' * (abs(points) > 1)}", ""]
    return "\n".join(lines)


def analysed(games, program, folder):
    """For each game gnubg's rows (position, index of the move made, values of all moves)."""
    (folder / "match.mat").write_text(match_file(games), encoding="ascii")
    (folder / "analyse.py").write_text(ANALYSE, encoding="ascii")
    subprocess.run(
        [program, "-t", "-q", "-r", "-p", "analyse.py"],
        cwd=folder,
        check=True,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        env={**os.environ, "HOME": str(folder)},
    )
    return [json.loads(line) for line in (folder / "answers").read_text().splitlines()]


@pytest.mark.slow
def test_costs_in_backgammon_are_those_of_gnubgs_own_analysis(
    require_program, tmp_path, pytestconfig
):
    """`--games 1000` plays and compares as many."""
    count = max(5, pytestconfig.getoption("--games"))
    program, judge = require_program("gnubg"), face_of("backgammon").judge(GAME)
    assert judge.name == "GNU Backgammon, 0-ply"
    compared, dear, worst = 0, 0, 0.0
    for first in range(0, count, A_MATCH):
        games = [played(seed) for seed in range(first, min(count, first + A_MATCH))]
        answers = analysed(games, program, tmp_path)
        for (line, moves), turns in zip(games, answers, strict=True):
            judged = review(judge, line, moves, range(len(moves))).moves
            for state, move, (board, made, values) in zip(line, judged, turns, strict=False):
                assert board == state.position_id()
                if move.cost is None:
                    assert len(values) < 2
                    continue
                theirs = 1000 * (max(values) - values[made])
                assert move.cost == pytest.approx(theirs, abs=ROUNDING), (state.recipe(), move)
                worst = max(worst, abs(move.cost - theirs))
                compared, dear = compared + 1, dear + (theirs > 100)
            assert len(judged) == len(turns)
    print(
        f"{count:,} games, {compared:,} moves with a choice, {dear:,} of them dearer than 100 "
        f"millipoints; the costs differ by {worst:.4f} millipoints at most"
    )
    assert dear > count
