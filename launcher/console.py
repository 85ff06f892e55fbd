"""How the launcher talks: plain lines, and one kind of error."""

import sys


class Stop(Exception):
    """The launcher cannot go on.

    The text says what is wrong and what to do, for a person who is no programmer.
    """


def say(text: str = "") -> None:
    """Print a line at once, in order with what child processes print.

    Characters the terminal lacks become '?'.
    """
    encoding = sys.stdout.encoding or "utf-8"
    print(text.encode(encoding, "replace").decode(encoding), flush=True)


def counted(number: int, thing: str) -> str:
    """ "1 file", "2 files"."""
    return f"{number} {thing}" + ("" if number == 1 else "s")
