"""The tables that learn in a page, in Node: byte for byte those of Python, and judged alike."""

import numpy as np
import pytest

from rlcourse.judges.tictactoe import DECISIONS, judge
from rlcourse.learning_page import METHODS, contents
from rlcourse.solvers.tictactoe import solve, tables
from rlcourse.wasm import script
from tests.unit.in_node import array_of, in_node

GAMES = 1_000
LEARN = """
const learner = await TableLearner.load(input.known);
"""


def learned_in_node(method: str, numbers: np.ndarray, **settings: float):
    """Table, verdict and decision in the empty position after one game for each row of numbers."""
    code = f"""
    {script("learner.js")}{LEARN}
    learner.begin({{ method: input.method, ...input.settings }});
    let k = 0;
    const numbers = arrays.numbers.view;
    for (let game = 0; game < arrays.numbers.shape[0]; game++) learner.learn(() => numbers[k++]);
    const decision = learner.decide({{ cells: new Int8Array(9) }});
    return [base64(learner.table.view), learner.judge(), decision, base64(learner.exact.q.view)];
    """
    given = {"known": contents("tic-tac-toe"), "method": method, "settings": settings}
    return in_node(code, "tic-tac-toe", {"numbers": numbers}, **given)


OTHERS = {"alpha": 0.3, "epsilon": 0.25}
TRIED = [(method, settings) for method in METHODS for settings in ({}, OTHERS)]


@pytest.mark.parametrize(("method", "settings"), [*TRIED, ("q-table", OTHERS | {"gamma": 0.75})])
def test_the_table_is_pythons_byte_for_byte_and_so_is_its_verdict(method, settings):
    """1,000 games with the same random numbers, with the defaults and with other settings."""
    learner, rng = METHODS[method].made(settings), np.random.default_rng(5)
    for _ in range(GAMES):
        learner.update(learner.collect(rng), rng)
    numbers = np.random.default_rng(5).random((GAMES, 9, 2))
    known = METHODS[method].defaults() | settings
    table, verdict, decision, exact = learned_in_node(method, numbers, **known)
    assert array_of(table, learner.table).tobytes() == learner.table.tobytes()
    expected = judge(learner.agent())
    found = {"losing": expected.losing_lines, "optimal": expected.optimal}
    assert verdict == found | {"decisions": DECISIONS}
    thought = learner.agent().think(learner.game.new_game())
    assert decision == {"action": thought.action[0], "q": thought.q[0].tolist()}
    reachable = tables().decisions
    mine = array_of(exact, solve().q)[reachable]
    legal = ~np.isnan(solve().q[reachable])
    assert mine[legal].tobytes() == solve().q[reachable][legal].tobytes()
