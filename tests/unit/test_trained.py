"""The gradient step that all learners share."""

import logging

import pytest

from rlcourse.learning.trained import Trained
from rlcourse.tf import keras, tf


@pytest.fixture
def warnings_of_tensorflow():
    """What TensorFlow's logger passes on, a text each."""
    seen = []
    handler = logging.Handler()
    handler.emit = lambda record: seen.append(record.getMessage())
    logger = logging.getLogger("tensorflow")
    logger.addHandler(handler)
    yield seen
    logger.removeHandler(handler)


def learner_step():
    """The compiled step of a learner with one weight."""
    model = keras.Sequential([keras.Input((1,)), keras.layers.Dense(1)])
    trained = Trained(model, keras.optimizers.SGD(0.1))
    return trained.step(lambda x: (tf.reduce_sum(model(x)),), tf.TensorSpec((None, 1), tf.float32))


def student_step():
    """A compiled function of somebody else."""
    return tf.function(lambda x: 2 * x)


@pytest.mark.parametrize(("make", "warned"), [(learner_step, False), (student_step, True)])
def test_many_learners_in_one_session_are_no_reason_for_a_warning(
    make, warned, warnings_of_tensorflow
):
    """TensorFlow warns of the fifth function of one name; ours is one for each learner."""
    for _ in range(7):
        make()(tf.ones((1, 1)))
    assert any("retracing" in text for text in warnings_of_tensorflow) == warned
