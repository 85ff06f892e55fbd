"""The gradient step that all learners share."""

import logging
from collections.abc import Callable

import numpy as np
import pytest

from rlcourse.learning import make_learner
from rlcourse.learning.trained import Trained
from rlcourse.tf import keras, tf

NONE = np.random.default_rng(0)  # self-play in chunks draws nothing from it


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


def learner() -> tuple[Trained, Callable]:
    """A model of one weight that starts at 0, and its loss: the mean output."""
    model = keras.Sequential([keras.Input((1,)), keras.layers.Dense(1, kernel_initializer="zeros")])
    return Trained(model, keras.optimizers.SGD(0.1)), lambda x: (tf.reduce_mean(model(x)),)


def learner_step():
    trained, loss = learner()
    return trained.step(loss)


def learner_steps():
    trained, loss = learner()
    return lambda x: trained.steps(loss)(x[None])


def td_gammon_update():
    made = make_learner("td-gammon", games=1, hidden=2, longest=4, batch=1)
    return lambda _: made.update(made.collect(NONE), np.random.default_rng(0))


def student_step():
    """A compiled function of somebody else."""
    return tf.function(lambda x: 2 * x)


@pytest.mark.parametrize(
    ("make", "warned"),
    [
        (learner_step, False),
        (learner_steps, False),
        (td_gammon_update, False),
        (student_step, True),
    ],
)
def test_many_learners_in_one_session_are_no_reason_for_a_warning(
    make, warned, warnings_of_tensorflow
):
    """TensorFlow warns of the fifth function of one name; ours is one for each learner."""
    for _ in range(7):
        make()(tf.ones((1, 1)))
    assert any("retracing" in text for text in warnings_of_tensorflow) == warned


def test_one_compiled_step_takes_any_number_of_examples_of_either_precision():
    """The weight moves by -0.1 times the mean of x, wherever x comes from: 0 - 0.1 * 2 = -0.2, then
    -0.2 - 0.1 * 4 = -0.6; in K steps of one call each starts where the last one ended.
    """
    trained, loss = learner()
    step = trained.step(loss)
    for x, weight in (([[2.0]], -0.2), ([[3.0], [5.0]], -0.6)):
        step(np.array(x))
        kernel, _ = trained.weights().values()
        assert kernel == pytest.approx(weight)
    losses = trained.steps(loss)(np.array([[[1.0]], [[2.0]]], np.float32)).numpy()
    kernel, bias = trained.weights().values()
    # Losses: -0.6 * 1 - 0.2, and (-0.6 - 0.1) * 2 - 0.3; the bias falls by 0.1 a step.
    assert losses[:, 0] == pytest.approx([-0.8, -1.7]) and bias == pytest.approx(-0.4)
    assert kernel == pytest.approx(-0.9)
