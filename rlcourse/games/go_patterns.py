"""Small shapes that are worth a look beside the last stone: 3 x 3 points around an empty one.

The shapes are hane, cut and edge, in the manner of MoGo (Gelly, Wang, Munos, Teytaud 2006, section
3.2). A shape holds for both colours, in all eight orientations.
"""

from functools import lru_cache

import numpy as np

# Three rows a shape, the empty point in the middle. X, O: stones of two colours; x: no X; o: no O;
# ?: anything; #: beyond the edge.
SHAPES = (
    # Hane: a stone bends round another one.
    ("XOX", "...", "???"),
    ("XO.", "...", "?.?"),
    ("XO?", "X..", "x.?"),
    (".O.", "X..", "..."),
    # Cut: two stones are kept apart.
    ("XO?", "O.o", "?o?"),
    ("XO?", "O.X", "???"),
    ("?X?", "O.O", "ooo"),
    ("OX?", "o.O", "???"),
    # Edge.
    ("X.?", "O.?", "###"),
    ("OX?", "X.O", "###"),
    ("?X?", "x.O", "###"),
    ("?XO", "x.x", "###"),
)
_FITS = {
    "X": (1,),
    "O": (2,),
    ".": (0,),
    "#": (3,),
    "?": (0, 1, 2, 3),
    "x": (0, 2, 3),
    "o": (0, 1, 3),
}
# The places of a text of nine letters in the order of `GoRules.around`: north, east, south, west,
# then the corners from the north-west clockwise.
_AROUND = (1, 5, 7, 3, 0, 2, 8, 6)


@lru_cache(maxsize=1)
def patterns() -> np.ndarray:
    """[2 ** 16] uint8: whether the `surroundings` of an empty point hold one of the shapes."""
    cube = np.zeros((4,) * 8, np.uint8)  # the last neighbour first: its bits are the highest
    for letters in _images():
        cube[np.ix_(*(_FITS[letters[place]] for place in reversed(_AROUND)))] = True
    table = cube.ravel()
    table.flags.writeable = False
    return table


def _images() -> set[str]:
    """The shapes in all orientations and with exchanged colours, as texts of nine letters."""
    exchanged = str.maketrans("XOxo", "OXox")
    images = set()
    for rows in SHAPES:
        square = np.array([list(row) for row in rows])
        for turn in range(4):
            turned = np.rot90(square, turn)
            for oriented in (turned, turned[:, ::-1]):
                text = "".join(oriented.ravel())
                images |= {text, text.translate(exchanged)}
    return images
