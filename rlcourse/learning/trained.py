"""A Keras model and its optimiser: the gradient step of every learner, and both as arrays."""

import logging
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from rlcourse.errors import CourseError
from rlcourse.experience import ExperienceBuffer
from rlcourse.learning.chunks import Chunks, in_parts, joined
from rlcourse.learning.train import Learner
from rlcourse.networks import set_weights, weights_of
from rlcourse.tf import tf


class Diverged(CourseError, ArithmeticError):
    """Some weights are no longer finite: the step was too large, and what was learned is lost."""


# TensorFlow counts functions by name, and warns from the fifth learner of a session on that one
# function, `step` or `steps` of Trained, is traced again and again.
logging.getLogger("tensorflow").addFilter(lambda record: "Trained.step" not in record.getMessage())


class Trained:
    """The model that a learner trains, and the optimiser that trains it."""

    def __init__(self, model: Any, optimizer: Any) -> None:
        self.model, self.optimizer = model, optimizer
        optimizer.build(model.trainable_variables)

    def descend(self, loss_of: Callable[..., tuple[Any, ...]], *examples: Any) -> tuple[Any, ...]:
        """(loss, *figures) = loss_of(*examples), and one step against its gradient; traced."""
        with tf.GradientTape() as tape:
            loss, *figures = loss_of(*examples)
        variables = self.model.trainable_variables
        gradients = tape.gradient(loss, variables)
        self.optimizer.apply_gradients(zip(gradients, variables, strict=True))
        return loss, *figures

    def step(self, loss_of: Callable[..., tuple[Any, ...]]) -> Callable[..., Any]:
        """`descend`, compiled at its first call: step(*examples) -> [loss, *figures].

        Each of the examples is an array [B, ...] or a dict of them; B may differ from call to call.
        """

        def step(*examples: Any) -> Any:
            """[F]: the loss and the figures of one step."""
            return tf.stack(self.descend(loss_of, *examples))

        return _compiled(step, axes=1)

    def steps(self, loss_of: Callable[..., tuple[Any, ...]]) -> Callable[..., Any]:
        """As `step`, for K steps one after the other: steps(*examples [K, B, ...]) -> [K, F].

        F: the loss and its figures. One call of TensorFlow is quicker than many for small steps.
        """

        def steps(*examples: Any) -> Any:
            """[K, F]: the loss and the figures of K steps, in their order."""
            return tf.map_fn(
                lambda example: tf.stack(self.descend(loss_of, *example)),
                examples,
                fn_output_signature=tf.float32,
                parallel_iterations=1,
            )

        return _compiled(steps, axes=2)

    def weights(self) -> dict[str, np.ndarray]:
        """Copies of the weights, by the names of `weights_of`."""
        return weights_of(self.model)

    def finite_weights(self, update: int, advice: str) -> dict[str, np.ndarray]:
        """The weights after that update. Raises Diverged if some are not finite."""
        weights = self.weights()
        if not all(np.isfinite(array).all() for array in weights.values()):
            raise Diverged(f"after update {update} some weights are no longer numbers; {advice}")
        return weights

    def optimizer_state(self) -> dict[str, np.ndarray]:
        """The optimiser's variables by their numbers."""
        variables = enumerate(self.optimizer.variables)
        return {str(k): np.asarray(variable.numpy()) for k, variable in variables}

    def restore(self, parts: Mapping[str, Mapping[str, np.ndarray]], weights: str) -> None:
        """Take two parts of a checkpoint, `weights` and "optimizer". Raises ValueError."""
        set_weights(self.model, parts[weights])
        for k, variable in enumerate(self.optimizer.variables):
            variable.assign(parts["optimizer"][str(k)])


def _compiled(function: Callable[..., Any], *, axes: int) -> Callable[..., Any]:
    """The function, traced at its first call for arrays whose first `axes` axes may change."""

    def spec(array: Any) -> Any:
        """Arrays of that kind; numbers that are not whole are float32."""
        kind = tf.as_dtype(array.dtype)
        shape = [*[None] * axes, *array.shape[axes:]]
        return tf.TensorSpec(shape, tf.float32 if kind.is_floating else kind)

    traced: list[Callable[..., Any]] = []

    def call(*examples: Any) -> Any:
        """What the function returns for these examples."""
        # With the first axes left open, a last batch of another size is not traced again.
        if not traced:
            signature = tf.nest.map_structure(spec, examples)
            traced.append(tf.function(function, input_signature=signature))
        return traced[0](*examples)

    return call


class ChunkedLearner(Learner):
    """Base class of the learners of networks whose self-play is cut into chunks.

    A subclass makes `trained` and `chunks`, and writes `update` and `agent`.
    """

    trained: Trained
    chunks: Chunks

    def collect(self, rng: np.random.Generator) -> ExperienceBuffer:
        """The next chunk of self-play: a function of the seed and its number, not of rng."""
        return self.chunks.collect()

    def state(self) -> dict[str, np.ndarray]:
        """Weights of the last updates, optimiser and counter."""
        optimizer = joined({"optimizer": self.trained.optimizer_state()})
        return {**optimizer, **self.chunks.state()}

    def restore(self, arrays: dict[str, np.ndarray]) -> None:
        parts = in_parts(arrays)
        self.trained.restore(parts, "weights-0")
        self.chunks.restore(parts)
