"""What a hostile hand-in would try first. `box.check_isolation` sends this file into a box as if
somebody had handed it in.

Every function returns what it reached; nothing is what the box promises.
"""

import ctypes
import mmap
import os
import signal
import time


def itself() -> list[int]:
    """[user, group, capabilities, 1 if the process can gain no rights, 2 if
    system calls are filtered].
    """
    with open("/proc/self/status") as status:
        lines = dict(line.split(":", 1) for line in status if ":" in line)
    return [
        os.getuid(),
        os.getgid(),
        int(lines["CapEff"], 16),
        int(lines["NoNewPrivs"]),
        int(lines["Seccomp"]),
    ]


def reaches_network(port: int) -> list[str]:
    """The addresses to which something could be sent; `port` is open on this machine, outside."""
    import socket

    reached = []
    for kind in (socket.SOCK_STREAM, socket.SOCK_DGRAM):
        for address in (("127.0.0.1", port), ("192.0.2.1", 9)):
            try:
                with socket.socket(socket.AF_INET, kind) as door:
                    door.settimeout(0.5)
                    door.connect(address)
                    door.send(b"x")
                    reached.append(f"{address[0]} {kind.name}")
            except OSError:
                continue
    return reached


def reads(paths: list[str], mounted: list[str]) -> list[str]:
    """Those of the paths that can be listed or opened. A folder on the way to what is mounted,
    such as /home where the course lies in somebody's home, is there of necessity: then
    whatever else lies in it counts."""
    reached, waiting = [], list(paths)
    while waiting:
        path = waiting.pop()
        names: list[str] = []
        try:
            if os.path.isdir(path):
                names = os.listdir(path)
            else:
                open(path, "rb").close()
        except OSError:
            continue
        if any(place.startswith(path + "/") for place in mounted):
            waiting += [f"{path}/{name}" for name in names]
        elif path not in mounted:
            reached.append(path)
    return reached


def writes(paths: list[str]) -> list[str]:
    """Those of the folders in which a file can be made, and of the files that
    can be opened for writing.
    """
    reached = []
    for path in paths:
        try:
            name = os.path.join(path, "written") if os.path.isdir(path) else path
            open(name, "ab").close()
            reached.append(name)
        except OSError:
            continue
    return reached


def sees_processes(outside: int) -> list[str]:
    """The processes that are visible besides the box's own first and this one, and
    `outside` if a signal reaches it.
    """
    seen = [
        name for name in os.listdir("/proc") if name.isdigit() and int(name) not in (1, os.getpid())
    ]
    try:
        os.kill(outside, 0)
        return [*seen, f"{outside} by a signal"]
    except OSError:
        return seen


def calls(numbers: list[tuple[str, int, int]]) -> list[str]:
    """The names of the system calls that were not refused; `numbers` is a list of (name,
    number, the refusal's errno).
    """
    library, done = ctypes.CDLL(None, use_errno=True), []
    for name, number, refusal in numbers:
        library.syscall.restype = ctypes.c_long
        ctypes.set_errno(0)
        result = library.syscall(ctypes.c_long(number), *(ctypes.c_long(-1) for _ in range(6)))
        if result != -1 or ctypes.get_errno() != refusal:
            done.append(name)
    return done


def allocates(megabytes: int) -> bool:
    """Whether one process gets that much memory."""
    try:
        return len(bytearray(megabytes * 1024 * 1024)) > 0
    except MemoryError:
        return False


def shares(megabytes: int) -> int:
    """Fill memory that several processes share, which no limit of a process
    counts, and hold it for a while.
    """
    block = mmap.mmap(-1, megabytes * 1024 * 1024)
    ctypes.memset(ctypes.addressof(ctypes.c_char.from_buffer(block)), 1, len(block))
    time.sleep(5)
    return megabytes


def leaves_processes() -> int:
    """Start processes that leave the group, ignore signals and stay."""
    for _ in range(5):
        if os.fork() == 0:
            os.setsid()
            for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT):
                signal.signal(number, signal.SIG_IGN)
            if os.fork():
                os._exit(0)
            while True:
                pass
    return 5


def compiles() -> int:
    """How many kernels of the rules had to be compiled when a game of tic-tac-toe was played."""
    from rlcourse.games import get_game, grid

    batch = get_game("tic-tac-toe").new_batch(1)
    batch.step(batch.legal([0])[0].nonzero()[0][:1])
    counted = [value.stats for value in vars(grid).values() if hasattr(value, "stats")]
    return sum(sum(stats.cache_misses.values()) for stats in counted)
