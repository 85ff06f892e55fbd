"""The course's kernels in a browser: modules of WebAssembly, and the scripts that use them.

`build` makes the modules, which are stored; everything else only reads them.
"""

from importlib.resources import files

from rlcourse.errors import BadValue


def module_of(game: str) -> bytes:
    """The module with the kernels of a game. Raises ValueError for a game that has none."""
    file = files("rlcourse.wasm").joinpath("modules", f"{game}.wasm")
    if not file.is_file():
        raise BadValue(f"{game} has no kernels in WebAssembly")
    return file.read_bytes()


def script(name: str) -> str:
    """The text of a script of this folder, such as "loader.js"."""
    return files("rlcourse.wasm").joinpath(name).read_text(encoding="utf-8")
