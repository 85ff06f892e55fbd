"""What one user of the machine tries with another's files, kernels and processes.

Run as that user: `python intruder.py` reads rows [name, way, target] as JSON from standard input and
writes name -> "refused", or what it got, to standard output. It imports nothing of the course.
"""

import json
import os
import sys
from collections.abc import Callable

REFUSED = "refused"


def read(path: str) -> str:
    """The first bytes of a file."""
    with open(path, "rb") as stream:
        return f"read {stream.read(20)!r}"


def write(path: str) -> str:
    """A file that the intruder would leave in a folder."""
    with open(os.path.join(path, "left-by-another.txt"), "x") as stream:
        stream.write("here")
    return "written"


def move(path: str) -> str:
    """A folder taken away under another name, and brought back."""
    os.rename(path, path + "-moved")
    os.rename(path + "-moved", path)
    return "moved"


def shake_hands(address: str) -> str:
    """A connection to a kernel's port without its key: the first event after TCP's decides."""
    import zmq
    from zmq.utils.monitor import recv_monitor_message

    with zmq.Context() as context, context.socket(zmq.DEALER) as socket:
        socket.linger = 0
        monitor = socket.get_monitor_socket()
        socket.connect(address)
        while True:
            event = recv_monitor_message(monitor)["event"]
            if event == zmq.EVENT_HANDSHAKE_SUCCEEDED:
                socket.disable_monitor()
                return "the kernel spoke"
            if event in (
                zmq.EVENT_HANDSHAKE_FAILED_NO_DETAIL,
                zmq.EVENT_HANDSHAKE_FAILED_PROTOCOL,
                zmq.EVENT_HANDSHAKE_FAILED_AUTH,
                zmq.EVENT_DISCONNECTED,
            ):
                socket.disable_monitor()
                raise PermissionError(f"zmq event {event}")


WAYS: dict[str, Callable[[str], object]] = {
    "list": lambda path: f"listed {os.listdir(path)}",
    "stat": lambda path: f"stat {os.stat(path)}",
    "read": read,
    "write": write,
    "move": move,
    "signal": lambda pid: f"could signal it {os.kill(int(pid), 0)}",
    "kernel": shake_hands,
}


def main() -> None:
    """Try everything; a refusal is the system's PermissionError and nothing else."""
    outcomes = {}
    for name, way, target in json.load(sys.stdin):
        try:
            outcomes[name] = str(WAYS[way](target))
        except PermissionError:
            outcomes[name] = REFUSED
        except OSError as error:
            outcomes[name] = repr(error)
    json.dump(outcomes, sys.stdout)


if __name__ == "__main__":
    main()
