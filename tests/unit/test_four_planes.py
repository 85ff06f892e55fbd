"""The hand-made planes of Connect Four: one position by hand, and a plain
search for fours on random ones.
"""

import numpy as np

from rlcourse.encoders import get_encoder_by_name
from rlcourse.games import from_recipe, get_game
from rlcourse.learning.alphazero_play import play_at_random

FOUR = get_game("connect-four")
WINDOWS = [
    [(row + k * down, col + k * right) for k in range(4)]
    for row in range(6)
    for col in range(7)
    for down, right in ((0, 1), (1, 0), (1, 1), (1, -1))
    if row + 3 * down < 6 and 0 <= col + 3 * right < 7
]


def threats():
    return get_encoder_by_name("threats", FOUR)


def random_games(n=300):
    rng, batch = np.random.default_rng(3), FOUR.new_batch(n)
    play_at_random(batch, rng.integers(0, 38, n), rng)
    return batch


def plane(text: str) -> list[list[int]]:
    return [[int(mark == "#") for mark in line] for line in text.split()]


def test_one_position_by_hand():
    """Three of the first player's lie on the ground in a row, three of the second's
    above them; the first moves.
    """
    seen = threats().encode(from_recipe("connect-four:223344"))
    ground = [".......", ".......", ".......", "......."]
    assert seen[0].tolist() == plane(" ".join([*ground, ".......", "..###.."]))
    assert seen[1].tolist() == plane(" ".join([*ground, "..###..", "......."]))
    assert seen[2].tolist() == plane(" ".join([*ground, ".......", ".#...#."])), (
        "fours at b1 and at f1"
    )
    assert seen[3].tolist() == plane(" ".join([*ground, ".#...#.", "......."])), (
        "at b2 and f2, where nothing falls to yet"
    )
    two_of_first = (
        "....... ....... ....... ....... ....... ##...##"  # a1: the line a1-d1 holds c1 and d1
    )
    two_of_second = "....... ....... ....... ....... ##...## ......."
    assert seen[4].tolist() == plane(two_of_first) and seen[5].tolist() == plane(two_of_second)
    assert seen[6][:, 0].tolist() == [0, 1, 0, 1, 0, 1], (
        "who began wants odd rows, counted from below"
    )


def test_zugzwang_gives_the_other_rows_to_the_second_player():
    seen = threats().encode(from_recipe("connect-four:3"))
    assert (seen[6] == np.array([1, 0, 1, 0, 1, 0])[:, None]).all()


def test_threats_are_where_a_stone_would_make_four():
    batch = random_games()
    seen, two = (
        threats().encode_batch(batch),
        get_encoder_by_name("two-plane", FOUR).encode_batch(batch),
    )
    assert np.array_equal(seen[:, :2], two)
    for planes in seen:
        for own, other, four, three in ((0, 1, 2, 4), (1, 0, 3, 5)):
            wins, nearly = np.zeros((6, 7), int), np.zeros((6, 7), int)
            for window in WINDOWS:
                mine, theirs = (
                    sum(planes[own][cell] for cell in window),
                    sum(planes[other][cell] for cell in window),
                )
                for cell in window:
                    if not planes[own][cell] and not planes[other][cell] and theirs == 0:
                        wins[cell] |= mine == 3
                        nearly[cell] |= mine == 2
            assert np.array_equal(planes[four], wins) and np.array_equal(planes[three], nearly)
    assert seen[:, 2:6].any(axis=(0, 2, 3)).all(), "each of the four planes had something to say"
