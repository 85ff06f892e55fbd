"""pip's output in plain words: what went wrong, and what to do."""

import re

# Each: words that pip prints, what happened, what to do. The first that fits counts, so causes stand before
# their consequences: without a network pip ends with "No matching distribution found".
CAUSES = [
    (
        r"No space left on device|\[Errno 28\]|WinError 112|not enough space on the disk|Disk quota exceeded",
        "The disk is full.",
        "Free 4 GB and start again. If the small one is the folder for temporary files, point TMPDIR (on Windows:"
        " TMP) at a folder on a larger disk.",
    ),
    (
        r"CERTIFICATE_VERIFY_FAILED|SSLCertVerificationError|certificate verify failed",
        "The connection could not be trusted: something between you and the package index (often the filter of a"
        " school or company) signs with its own certificate.",
        "Try another network, or ask your administrator for the certificate and point PIP_CERT at that file.",
    ),
    (
        r"ProxyError|Tunnel connection failed|407 Proxy Authentication",
        "The network wants a proxy, and the proxy refused.",
        "Set HTTPS_PROXY to the address that your administrator names, and start again.",
    ),
    (
        r"Temporary failure in name resolution|Name or service not known|getaddrinfo failed|nodename nor servname"
        r"|Network is unreachable|NewConnectionError|NameResolutionError|ConnectTimeoutError|Connection refused"
        r"|ReadTimeoutError|Read timed out|Connection reset|Connection aborted|Max retries exceeded|Connection broken"
        r"|IncompleteRead|IncompleteDownload",
        "The package index could not be reached, or the connection broke.",
        "Check the network and start again: what was downloaded is kept. For a room without network see --wheels in"
        " the README.",
    ),
    (
        r"DO NOT MATCH THE HASHES",
        "A downloaded file is not the one that the course was tested with, so it was refused.",
        "Start again; if it stays so, empty pip's store (python -m pip cache purge), then try another network."
        " With --wheels, the folder holds another file of that name.",
    ),
    (
        r"WinError 206|Windows Long Path support|filename or extension is too long|File name too long",
        "A path became longer than Windows allows.",
        "Move the course's folder to a short path such as C:\\rl-course and start again.",
    ),
    (
        r"WinError 32|being used by another process",
        "A file is in use by another program.",
        "Close JupyterLab and every other program that uses the course, then start again. A virus scanner can do this"
        " too: then simply try again.",
    ),
    (
        r"Permission denied|PermissionError|\[Errno 13\]|WinError 5\b|Read-only file system",
        "A file could not be written.",
        "Keep the course in a folder of your own, close other programs that use it, and do not start it with sudo.",
    ),
    (
        r"ensurepip is not available|No module named '?ensurepip|No module named '?venv|ensurepip.*non-zero exit",
        "This Python cannot make an environment: the part named venv is missing.",
        "On Debian and Ubuntu type   sudo apt install python3-venv   and start again.",
    ),
    (
        r"MemoryError|Cannot allocate memory|Killed",
        "The computer ran out of memory.",
        "Close other programs and start again; 2 GB of free memory are enough.",
    ),
]


def explain(output: str, *, wheels: bool = False, code: int = 1) -> str:
    """What happened and what to do, from everything pip (or venv) printed.

    wheels: whether packages came from a folder, where a missing file has another cure. code: the exit code;
    a process that the system killed says nothing itself.
    """
    if code in (-9, 137):
        output += "\nKilled"
    flat = re.sub(r"\s+", " ", output)
    for words, happened, cure in CAUSES:
        if re.search(words, flat):
            return f"{happened}\n{cure}"
    missing = re.search(r"No matching distribution found for (\S+)", output)
    if missing and wheels:
        return (
            f"The folder of wheels has no file for {missing[1]} that fits this Python and system.\n"
            "Fill the folder on a computer with the same system and the same Python version (see the README)."
        )
    if missing:
        return (
            f"There is no ready-made file of {missing[1]} for this Python and system.\n"
            "The course runs on Linux (x86-64, 64-bit ARM; not Alpine), on Macs with Apple silicon and on Windows"
            " (x86-64), each with 64-bit Python 3.11 to 3.13."
        )
    if re.search(r"No module named '?pip", output):
        return (
            "The environment is damaged: it has no pip.\nDelete the folder .venv and start again."
        )
    tail = "\n".join("    " + line for line in output.strip().splitlines()[-8:])
    return (
        "The installation stopped for a reason this program does not know. The last lines were:\n"
        + tail
    )
