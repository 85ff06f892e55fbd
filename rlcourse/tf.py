"""TensorFlow and Keras without the start-up chatter: `from rlcourse.tf import keras, tf`.

TensorFlow writes its greetings from C++ straight to file descriptor 2, below Python's reach, so the descriptor itself is
turned away while it is imported. What TensorFlow has to say afterwards (warnings, errors) is heard.
"""

import os
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "2")
os.environ.setdefault("KERAS_BACKEND", "tensorflow")


@contextmanager
def silent_stderr() -> Iterator[None]:
    """Send file descriptor 2 to a temporary file; what was written there is shown only if the block fails."""
    sys.stderr.flush()
    with tempfile.TemporaryFile() as chatter:
        kept = os.dup(2)
        os.dup2(chatter.fileno(), 2)
        try:
            yield
        except BaseException as error:
            os.dup2(kept, 2)
            chatter.seek(0)
            if not isinstance(error, KeyboardInterrupt):
                sys.stderr.write(chatter.read().decode(errors="replace"))
            raise
        finally:
            os.dup2(kept, 2)
            os.close(kept)


with silent_stderr():
    import tensorflow as tf
    from tensorflow import keras

    tf.zeros(1)  # the first operation opens the device, and greets once more

__all__ = ["keras", "silent_stderr", "tf"]
