"""What pip prints when something goes wrong, and what the student reads instead. The outputs are pip's own words."""

import pytest

from launcher.pip import Reader
from launcher.pip_errors import explain

NO_NETWORK = """\
WARNING: Retrying (Retry(total=0, connect=None, read=None, redirect=None, status=None)) after connection broken by \
'NewConnectionError('<pip._vendor.urllib3.connection.HTTPSConnection object at 0x7f>: Failed to establish a new \
connection: [Errno -3] Temporary failure in name resolution')': /simple/absl-py/
ERROR: Could not find a version that satisfies the requirement absl-py==2.5.1 (from versions: none)
ERROR: No matching distribution found for absl-py==2.5.1
"""
FULL = "ERROR: Could not install packages due to an OSError: [Errno 28] No space left on device"
FULL_WINDOWS = "ERROR: Could not install packages due to an OSError: [WinError 112] There is not enough space on the disk"
HASH = """\
ERROR: THESE PACKAGES DO NOT MATCH THE HASHES FROM THE REQUIREMENTS FILE. If you have updated the package versions, \
please update the hashes.
    numpy==2.4.6 from https://index/numpy.whl: Expected sha256 aa  Got bb
"""
NO_FILE = """\
ERROR: Could not find a version that satisfies the requirement tensorflow-cpu==2.21.0 (from versions: none)
ERROR: No matching distribution found for tensorflow-cpu==2.21.0
"""
DEBIAN = """\
The virtual environment was not created successfully because ensurepip is not
available.  On Debian/Ubuntu systems, you need to install the python3-venv
package using the following command.
"""
CERTIFICATE = (
    "WARNING: Retrying (Retry(total=4)) after connection broken by 'SSLError(SSLCertVerificationError(1, "
    "'[SSL: CERTIFICATE_VERIFY_FAILED] certificate verify failed: self-signed certificate in certificate chain'))'\n"
    "ERROR: No matching distribution found for absl-py==2.5.1"
)
IN_USE = (
    "ERROR: Could not install packages due to an OSError: [WinError 32] The process cannot access the file because it "
    "is being used by another process: 'C:\\\\rl\\\\.venv\\\\Lib\\\\site-packages\\\\numpy\\\\x.pyd'"
)
LONG = (
    "ERROR: Could not install packages due to an OSError: [Errno 2] No such file or directory: 'C:\\\\very\\\\long'\n"
    "HINT: This error might have occurred since this system does not have Windows Long Path support enabled."
)
DENIED = (
    "ERROR: Could not install packages due to an OSError: [Errno 13] Permission denied: '/opt/x'"
)
PROXY = "WARNING: Retrying after connection broken by 'ProxyError('Cannot connect to proxy.', OSError('Tunnel connection \
failed: 407 Proxy Authentication Required'))'\nERROR: No matching distribution found for absl-py==2.5.1"


@pytest.mark.parametrize(
    ("output", "happened", "cure"),
    [
        (NO_NETWORK, "could not be reached", "--wheels"),
        (FULL, "disk is full", "Free 4 GB"),
        (FULL_WINDOWS, "disk is full", "Free 4 GB"),
        (HASH, "refused", "Start again"),
        (NO_FILE, "no ready-made file of tensorflow-cpu==2.21.0", "Apple silicon"),
        (DEBIAN, "part named venv is missing", "apt install python3-venv"),
        (CERTIFICATE, "could not be trusted", "PIP_CERT"),
        (IN_USE, "in use by another program", "Close JupyterLab"),
        (LONG, "longer than Windows allows", "short path"),
        (DENIED, "could not be written", "folder of your own"),
        (PROXY, "wants a proxy", "HTTPS_PROXY"),
        ("/x/.venv/bin/python: No module named pip", "it has no pip", "Delete the folder .venv"),
    ],
)
def test_each_failure_has_its_own_words(output: str, happened: str, cure: str) -> None:
    first, rest = explain(output).split("\n", 1)
    assert happened in first
    assert cure in rest


def test_a_wheel_missing_from_the_folder_is_named() -> None:
    text = explain(NO_FILE, wheels=True)
    assert "folder of wheels has no file for tensorflow-cpu==2.21.0" in text


@pytest.mark.parametrize("code", [-9, 137])
def test_a_killed_pip_means_memory(code: int) -> None:
    assert "out of memory" in explain("Collecting numpy==2.4.6", code=code)


def test_an_unknown_failure_shows_the_last_lines() -> None:
    text = explain("\n".join(f"line {n}" for n in range(30)) + "\nERROR: something odd")
    assert (
        "does not know" in text
        and "something odd" in text
        and "line 29" in text
        and "line 3\n" not in text
    )


def test_progress_counts_only_pins_of_this_system() -> None:
    """Four entries of the lock, one of them for another system."""
    reader = Reader(4)
    assert (
        reader.read(
            "Ignoring appnope: markers 'sys_platform == \"darwin\"' don't match your environment\n"
        )
        is None
    )
    shown = reader.read("Collecting absl-py==2.5.1 (from -r requirements.lock (line 1))\n")
    assert shown == "fetching 1 of 3: absl-py"
    assert (
        Reader(9).read("Processing /r/wheels/arrow-1.4.0-py3-none-any.whl (from -r x)\n")
        == "fetching 1 of 9: arrow"
    )
    assert (
        Reader(9).read("Processing c:\\r\\ml_dtypes-0.6.0-cp312-win_amd64.whl\n")
        == "fetching 1 of 9: ml_dtypes"
    )
    assert reader.read("  Using cached absl_py-2.5.1-py3-none-any.whl (135 kB)\n") is None
    reader.read(
        "Requirement already satisfied: six==1.17.0 in ./x (from -r requirements.lock (line 9)) (1.17.0)\n"
    )
    reader.read("Collecting tensorflow-cpu==2.21.0 (from -r requirements.lock (line 20))\n")
    shown = reader.read(
        "  Downloading tensorflow_cpu-2.21.0-cp312-cp312-manylinux_2_27_x86_64.whl (230.1 MB)\n"
    )
    assert shown == "fetching 3 of 3: tensorflow_cpu (230.1 MB)"
    assert not reader.unpacking
    assert (
        reader.read("Installing collected packages: six, absl-py, tensorflow-cpu\n")
        == "unpacking ..."
    )
    assert reader.unpacking
