"""How the launcher talks: plain lines, a progress line that does not flood a log, and one kind of error."""

import shutil
import sys
import time


class Stop(Exception):
    """The launcher cannot go on. The text says what is wrong and what to do, for a person who is no programmer."""


def say(text: str = "") -> None:
    """Print a line at once, in order with what child processes print. Characters the terminal lacks become '?'."""
    encoding = sys.stdout.encoding or "utf-8"
    print(text.encode(encoding, "replace").decode(encoding), flush=True)


def counted(number: int, thing: str) -> str:
    """ "1 file", "2 files"."""
    return f"{number} {thing}" + ("" if number == 1 else "s")


class Progress:
    """A line that is redrawn in a terminal; elsewhere a line every 15 seconds.

    `show` may be called as often as one likes.
    """

    def __init__(self, every: float = 15.0) -> None:
        self.terminal = sys.stdout.isatty()
        self.started = self.shown = time.monotonic()
        self.every = every

    def show(self, text: str) -> None:
        """Draw `text` with the seconds since the start."""
        now = time.monotonic()
        line = f"  {text}   {now - self.started:.0f} s"
        if self.terminal:
            width = shutil.get_terminal_size().columns - 1
            print("\r" + line[:width].ljust(width), end="", flush=True)
        elif now - self.shown >= self.every:
            self.shown = now
            print(line, flush=True)

    def end(self, text: str) -> None:
        """Leave `text` as the last state of the line."""
        if self.terminal:
            self.show("")
        print(
            ("\r" if self.terminal else "") + f"  {text}   {time.monotonic() - self.started:.0f} s",
            flush=True,
        )
