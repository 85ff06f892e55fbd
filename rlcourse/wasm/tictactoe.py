"""Tic-tac-toe in a browser."""

from typing import Any

KERNELS: dict[str, Any] = {}  # besides those of all grid games
