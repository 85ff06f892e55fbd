"""The reference of sheet 03 on which another task builds; students can read it.

While a task is judged it is withheld.
"""

import numpy as np


def gradients(
    x: np.ndarray,
    w1: np.ndarray,
    b1: np.ndarray,
    w2: np.ndarray,
    b2: np.ndarray,
    actions: np.ndarray,
    targets: np.ndarray,
    slip: str = "",
) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Gradients (w1 [F, H], b1 [H], w2 [H, A], b2 [A]) of the mean Huber
    loss of the chosen actions.

    x [B, F], a hidden layer of H neurons with ReLU, outputs [B, A]; actions, targets [B].
    """
    rows = np.arange(len(x))
    z = x @ w1 + b1
    hidden = z if slip == "linear" else np.maximum(z, 0.0)
    q = hidden @ w2 + b2
    if slip == "greedy":
        actions = q.argmax(axis=1)
    error = q - targets[:, None]
    if slip == "sign":
        error = -error
    if slip == "slope":
        error = np.where(abs(error) <= 1, error, 1.0)
    elif slip == "upper_only":
        error = np.minimum(error, 1.0)
    elif slip == "height":
        error = np.where(abs(error) <= 1, error**2 / 2, abs(error) - 0.5)
    elif slip != "squared":
        error = np.clip(error, -1.0, 1.0)
    if slip == "twice":
        error = 2 * error
    chosen = np.zeros(q.shape, bool)
    chosen[rows, actions] = True
    d = error if slip == "all_actions" else np.where(chosen, error, 0.0)
    d = d / {"sum": 1, "mean_all": q.size}.get(slip, len(x))
    back = d @ w2.T
    if slip == "positive":
        back = np.maximum(back, 0.0)
    elif slip not in ("relu", "linear"):
        back = back * (z > 0)
    hidden = z if slip == "uncut" else hidden
    first = np.mean if slip in ("mean_biases", "mean_b1") else np.sum
    second = np.mean if slip in ("mean_biases", "mean_b2") else np.sum
    return x.T @ back, first(back, axis=0), hidden.T @ d, second(d, axis=0)
