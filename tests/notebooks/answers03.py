"""What students write into the blanks of lesson 03.

ABOVE: what the lesson has defined. RIGHT[blank] -> sources, WRONG[blank] -> (mistake, source).
"""

from rlcourse.grading.answers import slip

ABOVE = "import numpy as np\n"

LAYER_NUMPY = """
import numpy as np

def layer_backward(z, kernel, slope):
    inputs = np.maximum(z, 0)
    slope_kernel = inputs[:, None] * slope[None, :]
    slope_z = np.where(z > 0, slope @ kernel.T, 0.0)
    return slope_kernel, slope, slope_z
"""
LAYER_LOOPS = """
import numpy as np

def layer_backward(z, kernel, slope):
    slope_kernel = np.zeros(kernel.shape)
    slope_z = np.zeros(len(z))
    for i in range(len(z)):
        for j in range(len(slope)):
            if z[i] > 0:
                slope_kernel[i, j] = z[i] * slope[j]
                slope_z[i] += kernel[i, j] * slope[j]
    return slope_kernel, slope.copy(), slope_z
"""

TARGET_LISTS = """
def target(reward, over, q_next, legal_next, s_next, gamma=0.9):
    if over:
        return reward
    values = []
    for q, legal in zip(q_next, legal_next):
        if legal:
            values.append(s_next * q)
    return reward + s_next * gamma * max(values)
"""
TARGET_MINIMUM = """
def target(reward, over, q_next, legal_next, s_next, gamma=0.9):
    future = 0.0
    if not over:
        legal_values = [q for q, legal in zip(q_next, legal_next) if legal]
        future = max(legal_values) if s_next == 1 else min(legal_values)
    return reward + gamma * future
"""

STEP = """
def semi_gradient(w, x, x_next, reward, alpha, gamma):
    target = reward + gamma * w @ x_next
    estimate = w @ x
    return w + alpha * (target - estimate) * x
"""
STEP_LOOP = """
import numpy as np

def semi_gradient(w, x, x_next, reward, alpha, gamma):
    estimate = sum(a * b for a, b in zip(w, x))
    ahead = sum(a * b for a, b in zip(w, x_next))
    error = reward + gamma * ahead - estimate
    return [weight + alpha * error * feature for weight, feature in zip(w, x)]
"""

RIGHT = {
    "layer_backward": (LAYER_NUMPY, LAYER_LOOPS),
    "target": (TARGET_LISTS, TARGET_MINIMUM),
    "semi_gradient": (STEP, STEP_LOOP),
}

_KERNEL = "inputs[:, None] * slope[None, :]"
_ANSWER = "return slope_kernel, slope, slope_z"
_CHOICE = "            values.append(s_next * q)"
_ALL = "        if legal:\n" + _CHOICE

WRONG = {
    "layer_backward": (
        (
            "no_relu",
            slip(LAYER_NUMPY, ("np.where(z > 0, slope @ kernel.T, 0.0)", "kernel @ slope")),
        ),
        ("raw_inputs", slip(LAYER_NUMPY, ("np.maximum(z, 0)", "z"))),
        ("transposed", slip(LAYER_NUMPY, (_KERNEL, "np.outer(slope, inputs)"))),
        ("one_bias", slip(LAYER_NUMPY, (_ANSWER, _ANSWER.replace("slope,", "0 * slope + 1,")))),
        ("downhill", slip(LAYER_NUMPY, (_ANSWER, "return -slope_kernel, -slope, -slope_z"))),
        ("other", slip(LAYER_NUMPY, ("slope @ kernel.T", "2 * slope @ kernel.T"))),
        ("changed", slip(LAYER_NUMPY, ("    inputs =", "    z[z < 0] = 0\n    inputs ="))),
    ),
    "target": (
        ("bootstrap", slip(TARGET_LISTS, ("if over:", "if False:"))),
        ("mask", slip(TARGET_LISTS, (_ALL, "        values.append(s_next * q)"))),
        ("zero", slip(TARGET_LISTS, (_ALL, "        values.append(s_next * q * legal)"))),
        ("no_sign", slip(TARGET_LISTS, ("s_next * q", "q"), ("s_next * gamma", "gamma"))),
        ("sign_inside", slip(TARGET_LISTS, ("s_next * gamma", "gamma"))),
        ("sign_outside", slip(TARGET_LISTS, ("(s_next * q)", "(q)"))),
        ("gamma", slip(TARGET_LISTS, ("* gamma *", "* 0.9 *"))),
        ("no_gamma", slip(TARGET_LISTS, ("* gamma *", "*"))),
        ("no_reward", slip(TARGET_LISTS, ("return reward + ", "return "))),
        ("late_reward", slip(TARGET_LISTS, ("return reward + ", "return gamma * reward + "))),
        ("kind", slip(TARGET_LISTS, ("    return reward + ", "    reward + "))),
    ),
    "semi_gradient": (
        ("residual", slip(STEP, ("estimate) * x", "estimate) * (x - gamma * x_next)"))),
        ("next_features", slip(STEP, ("estimate) * x", "estimate) * x_next"))),
        ("no_features", slip(STEP, ("estimate) * x", "estimate)"))),
        ("no_gamma", slip(STEP, ("gamma * w @", "w @"))),
        ("no_alpha", slip(STEP, ("alpha * ", ""))),
        ("away", slip(STEP, ("target - estimate", "estimate - target"))),
        (
            "changed",
            slip(STEP, ("return w +", "w +="), ("estimate) * x", "estimate) * x\n    return w")),
        ),
    ),
}
