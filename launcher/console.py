"""How the launcher talks: plain lines, and one kind of error."""

import shutil
import sys


class Stop(Exception):
    """The launcher cannot go on.

    The text says what is wrong and what to do, for a person who is no programmer.
    """


def say(text: str = "", end: str = "\n") -> None:
    """Print a line at once, in order with what child processes print.

    Characters the terminal lacks become '?'.
    """
    encoding = sys.stdout.encoding or "utf-8"
    print(text.encode(encoding, "replace").decode(encoding), end=end, flush=True)


def say_in_passing(text: str) -> None:
    """Say what the next such line writes over, so that what stands above stays in sight.

    The last one is empty. Where there is no terminal it is an ordinary line.
    """
    width = shutil.get_terminal_size().columns - 1
    if sys.stdout.isatty():
        say("\r" + text[:width].ljust(width), end="\r")
    elif text:
        say(text)


def counted(number: int, thing: str) -> str:
    """ "1 file", "2 files"."""
    return f"{number} {thing}" + ("" if number == 1 else "s")
