"""TensorFlow's greetings never reach a notebook, and its errors do."""

import os
import subprocess
import sys

import pytest

from rlcourse.tf import silent_stderr

# What is printed from "later" on goes wrong after the import.
CODE = """
from rlcourse.tf import keras, tf
m = keras.Sequential([keras.Input((2,)), keras.layers.Dense(1)])
m(tf.zeros((1, 2)))
import sys
print("later", file=sys.stderr)
tf.matmul(tf.zeros((2, 3)), tf.zeros((2, 3)))
"""


@pytest.fixture(scope="module")
def started() -> subprocess.CompletedProcess:
    """A process that imports TensorFlow through the course and then makes a mistake."""
    return subprocess.run([sys.executable, "-c", CODE], capture_output=True, text=True)


@pytest.mark.slow
def test_importing_tensorflow_through_the_course_says_nothing(started):
    assert started.stdout == "" and started.stderr.startswith("later\n")


@pytest.mark.slow
def test_what_goes_wrong_is_heard(started, capfd):
    with pytest.raises(ValueError, match="x"), silent_stderr():
        os.write(2, b"from C")
        raise ValueError("x")
    assert capfd.readouterr().err == "from C"
    assert started.returncode == 1 and "InvalidArgument" in started.stderr


@pytest.mark.slow
def test_ctrl_c_while_tensorflow_is_loaded_does_not_repeat_its_greetings(capfd):
    with pytest.raises(KeyboardInterrupt), silent_stderr():
        os.write(2, b"from C")
        raise KeyboardInterrupt
    assert capfd.readouterr() == ("", "")
