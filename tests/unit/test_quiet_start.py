"""TensorFlow's greetings never reach a notebook, and its errors do."""

import subprocess
import sys

import pytest


def run(code: str) -> subprocess.CompletedProcess:
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)


@pytest.mark.slow
def test_importing_tensorflow_through_the_course_says_nothing():
    code = "from rlcourse.tf import keras, tf; m = keras.Sequential([keras.Input((2,)), keras.layers.Dense(1)]); m(tf.zeros((1, 2)))"
    result = run(code)
    assert (result.returncode, result.stdout, result.stderr) == (0, "", "")


@pytest.mark.slow
def test_what_goes_wrong_is_heard():
    result = run(
        "from rlcourse.tf import silent_stderr\n"
        "import os\n"
        "with silent_stderr():\n"
        " os.write(2, b'from C')\n"
        " raise ValueError('x')"
    )
    assert result.returncode == 1 and "from C" in result.stderr and "ValueError: x" in result.stderr
    result = run(
        "from rlcourse.tf import tf\n"
        "import sys\n"
        "print('later', file=sys.stderr)\n"
        "tf.matmul(tf.zeros((2, 3)), tf.zeros((2, 3)))"
    )
    assert "later" in result.stderr and "InvalidArgument" in result.stderr


@pytest.mark.slow
def test_ctrl_c_while_tensorflow_is_loaded_does_not_repeat_its_greetings():
    code = "from rlcourse.tf import silent_stderr\nimport os\ntry:\n with silent_stderr():\n  os.write(2, b'from C')\n  raise KeyboardInterrupt\n"
    result = run(code + "except KeyboardInterrupt:\n print('stopped')")
    assert (result.stdout, result.stderr) == ("stopped\n", "")
