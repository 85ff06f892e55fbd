"""Connect Four in a browser."""

# Besides the kernels of all grid games: name -> (module and kernel, types as in build.py).
KERNELS = {
    "encode": (
        "rlcourse.encoders.four_planes:_encode",
        ("int8 2", "int8 1", "uint8 1", "uint8 3", "int8 3"),
    )
}
