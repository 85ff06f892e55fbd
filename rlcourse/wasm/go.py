"""Go in a browser."""

from typing import Any

# name -> (module and kernel, types as in build.py); in place of those of the grid games.
BATCH = ("uint16 3", "uint64 2", "int16 2", "int32 1", "int8 1", "bool 1")  # board to done
LOOK = ("uint16 3", "uint64 2", "uint16 2", "int8 1", "bool 1", "int64 1")  # board to rows
RULES = {
    "legal": ("rlcourse.games.go_kernels:legal", (*LOOK, "bool", "bool 2")),
    "repeats": ("rlcourse.games.go_kernels:repeats", (*LOOK, "bool 2")),
    "play": (
        "rlcourse.games.go_kernels:play",
        (*BATCH, "bool 1", "float32 1", "uint16 2", "float64", "int64 2", "int64 1"),
    ),
    "playouts": (
        "rlcourse.games.go_kernels:playouts",
        (*BATCH, "float32 1", "uint16 2", "float64", "uint64 1", "float32 1"),
    ),
    "area": ("rlcourse.games.go_kernels:area", ("uint16 2", "uint16 2", "int8 1")),
}
JUDGING = "Actor-critic (best moves)"  # the bot whose critic judges a finished game in the page
KERNELS: dict[str, Any] = {
    "liberties": (
        "rlcourse.games.go_kernels:liberties",
        ("uint16 3", "int64 1", "uint16 2", "int16 2"),
    ),
    "rave_search": (
        "rlcourse.games.go_kernels:rave_search",
        ("uint16 2", "uint64 1", "uint16 2", "uint8 1", "int64", "int64", "int64", "int64")
        + ("float64", "uint64", "int64", "float64", "float64", "bool", "uint8 1", "bool")
        + ("float32 1", "float32 1"),
    ),
}
