"""The picture of a training run: time left, cost, the board, and what an interrupt keeps."""

import signal
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from importlib.util import module_from_spec
from xml.etree import ElementTree

import numpy as np
import pytest

from rlcourse.boards import live as live_module
from rlcourse.boards.live import INTERVAL, SHARE, Live, pause
from rlcourse.drawing.curve import curve
from rlcourse.games import get_game
from rlcourse.learning import games, make_learner, train


class Clock:
    """Seconds that a test sets."""

    now = 0.0

    def __call__(self) -> float:
        return self.now


class Handle:
    """The place of a picture in a notebook; `renewed` is set when the picture comes again."""

    def __init__(self) -> None:
        self.renewed = threading.Event()

    def update(self, picture: Live) -> None:
        picture._repr_svg_()
        self.renewed.set()


@pytest.fixture
def handle(monkeypatch: pytest.MonkeyPatch) -> Handle:
    """As in a notebook: without it there is no thread, and nothing to test of one."""
    place = Handle()
    monkeypatch.setattr(live_module, "display", lambda picture, display_id: place)
    monkeypatch.setattr(live_module, "pause", lambda cost: 0.0)
    return place


def weights_after(interrupt_at: int | None = None, **shown: bool) -> dict[str, np.ndarray]:
    """The learner's state after 60 games, or when it was interrupted, with a picture or without."""
    learner = make_learner("q-table", seed=0)
    rows = train(learner, until=games(60), every=20, seed=0)
    if not shown:
        for row in rows:
            if row.games == interrupt_at:
                break
        return learner.state()
    with Live("updates", games=60) as picture:
        for row in rows:
            picture.add(row.games, row.updates, learner.agent())
            place = picture._handle
            # The thread has drawn between any two rows.
            place.renewed.clear()
            assert place.renewed.wait(10)
            if row.games == interrupt_at:
                raise KeyboardInterrupt
    return learner.state()


def same(one: dict[str, np.ndarray], other: dict[str, np.ndarray]) -> bool:
    return one.keys() == other.keys() and all(np.array_equal(one[k], other[k]) for k in one)


def test_an_interrupt_that_was_swallowed_ends_the_run_at_its_next_point(capsys):
    """Python prints and forgets what is raised in a `__del__`, such as TensorFlow's."""
    agent, points = make_learner("q-table", seed=0).agent(), []
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        with Live("updates", games=60) as picture:
            for number in range(3):
                picture.add(number, 0.0, agent)
                points.append(number)
                with suppress(KeyboardInterrupt):
                    # No true signal: commands that ran in this process end it when one comes.
                    signal.getsignal(signal.SIGINT)(signal.SIGINT, None)
        assert points == [0] and "Interrupted after 0 games" in capsys.readouterr().out
        assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
    finally:
        signal.signal(signal.SIGINT, before)


def test_a_run_in_another_thread_than_the_first_hears_no_signals():
    agent = make_learner("q-table", seed=0).agent()

    def run():
        with Live("updates", games=60) as picture:
            picture.add(60, 0.0, agent)
        return picture.status()

    with ThreadPoolExecutor(1) as pool:
        assert pool.submit(run).result().startswith("60 games")


def test_where_no_thread_can_be_started_the_last_picture_is_shown(handle, monkeypatch):
    """A browser's Python has one thread, and no clock of its time."""

    def start(thread):
        raise RuntimeError("can't start new thread")

    monkeypatch.setattr(threading.Thread, "start", start)
    monkeypatch.delattr(time, "thread_time")
    loaded = module_from_spec(live_module.__spec__)
    live_module.__spec__.loader.exec_module(loaded)
    monkeypatch.setattr(loaded, "display", lambda picture, display_id: handle)
    with loaded.Live("updates", games=60) as picture:
        picture.add(60, 0.0, make_learner("q-table", seed=0).agent())
        assert not handle.renewed.is_set()
    assert handle.renewed.is_set()


def test_pictures_take_at_most_their_share_of_the_time():
    assert pause(0.0) == INTERVAL
    cost = 0.5
    assert cost / (pause(cost) + cost) < SHARE


def test_time_left_follows_from_the_games_or_the_seconds():
    clock = Clock()
    by_games, by_seconds = Live("x", games=100, clock=clock), Live("x", seconds=60, clock=clock)
    assert by_games.left() is None
    agent = make_learner("q-table", seed=0).agent()
    clock.now = 5.0
    by_games.add(25, 3, agent)
    clock.now = 8.0
    # 25 games in 5 s are 100 games in 20 s, of which 8 have passed.
    assert by_games.left() == pytest.approx(12.0)
    assert by_seconds.left() == pytest.approx(52.0)
    assert by_games.status() == "25 games, 8 s, at most about 12 s left."
    clock.now = 90.0
    assert by_seconds.left() == 0.0


def test_time_left_knows_that_only_training_is_counted():
    clock = Clock()
    picture = Live("x", seconds=60, clock=clock)
    clock.now = 8.0
    # Half of the 8 s went into judging, so 60 s of training are over after 120 s.
    picture.add(25, 3, make_learner("q-table", seed=0).agent(), 4.0)
    clock.now = 10.0
    assert picture.left() == pytest.approx(110.0)


def test_an_interrupt_keeps_what_was_learned_and_says_so(handle, capsys):
    assert same(weights_after(40, shown=True), weights_after(40))
    assert not same(weights_after(40), weights_after(60))
    said = capsys.readouterr().out
    assert "Interrupted after 40 games or a few more. What was learned is kept." in said


def test_a_watched_learner_learns_the_same(handle):
    assert same(weights_after(shown=True), weights_after())


def test_other_errors_are_passed_on_and_the_thread_ends(handle):
    running = threading.active_count()
    with pytest.raises(ZeroDivisionError), Live("x"):
        assert handle.renewed.wait(10) and threading.active_count() == running + 1
        raise ZeroDivisionError
    assert threading.active_count() == running


@pytest.mark.parametrize("name", ["tic-tac-toe", "connect-four", "backgammon", "go"])
def test_the_board_shows_one_legal_game_after_another(name):
    from rlcourse.agents import RandomAgent

    game = get_game(name, size=5) if name == "go" else get_game(name)
    picture = Live("games won, %", top=100)
    picture.add(0, 50.0, RandomAgent(game, seed=0))
    referee, ended = picture.referee, 0
    while ended < 2:
        before, games_before = list(referee.line), referee.games
        picture.step()
        assert not referee.trouble
        if referee.games > games_before:
            ended += 1
            assert before[-1].is_over() and len(referee.line) == 1
        else:
            assert referee.line[:-1] == before
            after = referee.face.bare(referee.state)
            assert before[-1].apply_move(referee.moves[-1]) == after
    ElementTree.fromstring(picture._repr_svg_())


def test_newer_weights_go_on_with_the_same_game():
    from rlcourse.agents import RandomAgent

    game = get_game("tic-tac-toe")
    picture = Live("x")
    picture.add(0, 1, RandomAgent(game, seed=0))
    picture.step()
    newer = RandomAgent(game, seed=1)
    picture.add(1, 1, newer)
    picture.step()
    assert len(picture.referee.moves) == 2 and picture.referee.agent() is newer


def numbers_at_the_axes(*points: tuple[int, float]) -> list[str]:
    drawing = f"<svg>{curve(points, box=(0, 0, 100, 50), label='x')}</svg>"
    return [element.text or "" for element in ElementTree.fromstring(drawing).iter("text")][:3]


def test_the_axes_say_what_is_there():
    assert numbers_at_the_axes() == ["", "0", "0 games"]
    assert numbers_at_the_axes((0, 667)) == ["667", "0", "0 games"]
    assert numbers_at_the_axes((0, 667), (1250, 24)) == ["667", "0", "1,250 games"]


def test_the_text_beside_the_picture_names_the_figures():
    picture = Live("losing lines", clock=Clock())
    picture.add(0, 667, make_learner("q-table", seed=0).agent())
    picture.add(1250, 24, make_learner("q-table", seed=0).agent())
    assert repr(picture) == "Figure: losing lines: 667 at first, 24 at last; 1,250 games, 0 s"
