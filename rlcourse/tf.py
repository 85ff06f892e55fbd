"""TensorFlow and Keras without the start-up chatter: `from rlcourse.tf import keras, tf`.

TensorFlow writes its greetings from C++ to file descriptor 2, beyond Python's control, so the
descriptor itself is redirected during the import. Later warnings and errors are shown as usual.
"""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager

from rlcourse.stderr import collected_stderr

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "2")
os.environ.setdefault("KERAS_BACKEND", "tensorflow")


@contextmanager
def silent_stderr() -> Iterator[None]:
    """Collect what is written to file descriptor 2, and show it only if the block fails."""
    written = bytearray()
    try:
        with collected_stderr() as written:
            yield
    except BaseException as error:
        if not isinstance(error, KeyboardInterrupt):
            sys.stderr.write(written.decode(errors="replace"))
        raise


with silent_stderr():
    import tensorflow as tf
    from tensorflow import keras

    tf.zeros(1)  # the first operation opens the device and prints another greeting

__all__ = ["keras", "silent_stderr", "tf"]
