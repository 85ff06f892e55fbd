"""TD-Gammon that learns in a page, in Node: byte for byte the weights of Python, the same moves, and
its match with random play."""

from typing import Any

import numpy as np
import pytest

from rlcourse.agents.td_gammon import TDGammonAgent
from rlcourse.games import get_game
from rlcourse.intervals import Z, wilson
from rlcourse.judges.backgammon import training_judge
from rlcourse.learning.td_gammon_source import LAYERS, LONGEST
from rlcourse.learning_page import PAGES, READINGS, contents
from rlcourse.wasm import script
from tests.unit.in_node import array_of, in_node

GAMES = 3  # the first ones, which are the longest
GAME = get_game("backgammon")
WEIGHTS = "learner.weights.forEach(({ view }, k) => view.set(arrays[input.layers[k]].view));"


class Numbers:
    """A generator that gives the numbers in [0, 1) handed in, as the page turns them into dice."""

    def __init__(self, numbers: np.ndarray) -> None:
        self.numbers = iter(numbers.tolist())

    def integers(self, low: int, high: int, size: int) -> np.ndarray:
        """Whole numbers from low to high - 1."""
        return np.array([low + int((high - low) * next(self.numbers)) for _ in range(size)])


def in_page(code: str, arrays: dict[str, np.ndarray], **given: Any) -> Any:
    """What a script returns that has the page's learner."""
    begin = "const learner = await LEARNER.load(input.known);"
    own = script(PAGES["backgammon"].script) + begin
    known = {"known": contents("backgammon"), "layers": LAYERS}
    return in_node(own + code, "backgammon", arrays, **known, **given)


@pytest.mark.slow
@pytest.mark.parametrize("method", READINGS)
def test_the_network_is_pythons_byte_for_byte_and_plays_the_same(method: str) -> None:
    """Whole games with the same first weights and the same numbers for the dice."""
    learner = READINGS[method].made({})
    arrays = learner.state()
    numbers = np.random.default_rng(5).random(GAMES * 2_000)
    given, plies = Numbers(numbers), 0
    for _ in range(GAMES):
        plies += len(learner.collect(given))
    code = f"""
    {WEIGHTS}
    learner.settings = input.settings;
    let k = 0;
    for (let game = 0; game < input.games; game++) learner.learn(() => arrays.numbers.view[k++]);
    const weights = learner.weights.map(({{ view }}) => base64(view));
    return [k, weights, input.positions.map((position) => learner.decide(position))];
    """
    batch, rng = GAME.new_batch(40), np.random.default_rng(6)
    for _ in range(20):
        batch.roll(rng)
        batch.step(rng.integers(0, batch.counts()))
    batch.roll(rng)
    positions = [
        {"checkers": board.ravel().tolist(), "toPlay": seat, "dice": dice}
        for board, seat, dice in zip(
            batch.checkers, batch.to_play.tolist(), batch.dice.tolist(), strict=True
        )
    ]
    more = {"settings": READINGS[method].defaults(), "games": GAMES, "positions": positions}
    thrown, weights, decisions = in_page(code, arrays | {"numbers": numbers}, **more)
    assert thrown == plies < GAMES * LONGEST
    for name, text in zip(LAYERS, weights, strict=True):
        assert array_of(text, learner.weights[name]).tobytes() == learner.weights[name].tobytes()
        assert not np.array_equal(learner.weights[name], arrays[name])
    agent = learner.agent()
    for row, decision in enumerate(decisions):
        theirs = agent.candidates(batch.state(row))
        best = next(play for play in theirs if play.move == _turn(decision["action"]))
        assert best.equity == pytest.approx(theirs[0].equity, abs=1e-6)
        assert decision["value"] == pytest.approx(theirs[0].equity, abs=1e-6)
        assert decision["plays"][0]["outputs"] == pytest.approx(theirs[0].outputs, abs=1e-6)


def _turn(steps: list[list[int]]) -> tuple[tuple[int, ...], ...]:
    return tuple(map(tuple, steps))


def test_the_match_with_random_play_is_that_of_the_course() -> None:
    """A network that counts pips, from both seats, and the same match by the course's arena."""
    weights = pip_counter()
    code = f"""
    {WEIGHTS}
    const random = generator(3);
    const points = [...Array(100).keys()].map((game) => learner.match(game % 2, random));
    const more = [4, 5, 6].map((seed) => learner.judge(generator(seed)).wins);
    return [points, learner.judge(generator(3)), more];
    """
    points, verdict, more = in_page(code, weights)
    wins = int(np.sum(np.array(points) > 0))
    assert verdict["n"] == 100 and verdict["wins"] == wins > 80
    assert verdict["share"] == pytest.approx(wilson(wins, 100))
    assert verdict["points"] == pytest.approx(np.mean(points))
    assert verdict["reach"] == pytest.approx(Z * np.std(points, ddof=1) / 10)
    course = training_judge(TDGammonAgent(GAME, weights, view="first"))
    low, high = course.wins_interval()
    least, most = wilson(sum(more), 300)
    assert max(low, least) < min(high, most)


def pip_counter() -> dict[str, np.ndarray]:
    """V rises with the pips that the second player has to go, and falls with the first player's."""
    arrays = {
        "hidden/kernel": np.zeros((198, 40), np.float32),
        "hidden/bias": np.zeros(40, np.float32),
        "outputs/kernel": np.full((40, 1), 1 / 40, np.float32),
        "outputs/bias": np.zeros(1, np.float32),
    }
    one, two, three, spare = 1, 2, 1, 2  # checkers for each of the four units of a point
    for seat, sign in enumerate((-1, 1)):
        for point in range(1, 25):
            units_of_point = slice(98 * seat + 4 * point - 4, 98 * seat + 4 * point)
            pips = point * np.array([one, two, three, spare])
            arrays["hidden/kernel"][units_of_point] = sign * pips[:, None] / 100
        arrays["hidden/kernel"][98 * seat + 96] = sign * 2 * 25 / 100
    return arrays
