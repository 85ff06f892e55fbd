"""Run the page's scripts in Node, without a browser."""

import base64
import json
import subprocess
from pathlib import Path
from typing import Any

import numpy as np

from rlcourse.page import engine
from rlcourse.wasm import module_of
from tests.conftest import program_or_reason

RUNNER = Path(__file__).with_name("node_runner.mjs")
# The kernels of input.module, and input.arrays in their memory.
LOAD = """
const kernels = await Kernels.load(bytes(input.module));
const arrays = Object.fromEntries(Object.entries(input.arrays ?? {}).map(([name, { type, shape, base64 }]) => {
  const made = kernels.array(type, shape);
  const view = made.view;
  new Uint8Array(view.buffer, view.byteOffset, view.byteLength).set(bytes(base64));
  return [name, made];
}));
"""


def packed(array: np.ndarray) -> dict[str, Any]:
    """An array as the runner reads it."""
    kind = "edge" if array.dtype.names else str(array.dtype)
    text = base64.b64encode(np.ascontiguousarray(array).tobytes()).decode("ascii")
    return {"type": kind, "shape": array.shape, "base64": text}


def in_node(
    script: str, game: str, arrays: dict[str, np.ndarray] | None = None, **more: Any
) -> Any:
    """What the script returns, with the kernels of the game as `kernels` and `arrays` in their
    memory."""
    module = base64.b64encode(module_of(game)).decode("ascii")
    packs = {name: packed(array) for name, array in (arrays or {}).items()}
    message = {
        "script": engine(game) + LOAD + script,
        "input": {"module": module, "arrays": packs, **more},
    }
    command = [program_or_reason("node"), str(RUNNER)]
    ended = subprocess.run(command, input=json.dumps(message), capture_output=True, text=True)
    assert ended.returncode == 0, ended.stderr[-2000:]
    return json.loads(ended.stdout)


def array_of(text: str, like: np.ndarray) -> np.ndarray:
    """An array from the base64 that a script has returned, of the type and shape of another."""
    return np.frombuffer(base64.b64decode(text), like.dtype).reshape(like.shape)
