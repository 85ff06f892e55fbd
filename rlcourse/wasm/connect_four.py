"""Connect Four in a browser: besides the rules, the units of its network and the exact solver."""

JUDGING = ""  # no bot judges a finished game in the page: the solver does
SCRIPTS = ("connect_four.js",)  # besides those of all
# Besides the kernels of all grid games: name -> (module and kernel, types as in build.py).
KERNELS = {
    "scores": (
        "rlcourse.solvers.connect_four:_scores",
        ("int64 1", "int64 1", "int64", "int64 1", "int64 1", "int64 2"),
    ),
    "encode": (
        "rlcourse.encoders.four_planes:_encode",
        ("int8 2", "int8 1", "uint8 1", "uint8 3", "int8 3"),
    ),
}
