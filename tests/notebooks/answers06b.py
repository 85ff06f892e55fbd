"""What students write into the blanks of lesson 06b.

ABOVE: what the lesson has defined. RIGHT[blank] -> sources, WRONG[blank] -> (mistake, source).
"""

from rlcourse.grading.answers import slip

ABOVE = """
import numpy as np

def policy(theta):
    weights = np.exp(theta - theta.max())
    return weights / weights.sum()

def grad_log_pi(theta, action):
    return np.eye(len(theta))[action] - policy(theta)
"""

GRADIENT_LINES = """
def grad_log_pi(theta, action):
    slopes = -policy(theta)
    slopes[action] = slopes[action] + 1
    return slopes
"""
GRADIENT_LOOP = """
def grad_log_pi(theta, action):
    pi = policy(theta)
    slopes = []
    for k in range(len(pi)):
        played = 1 if k == action else 0
        slopes.append(played - pi[k])
    return slopes
"""

EPISODE_LOOP = """
def reinforce(theta, states, actions, rewards):
    gradient = np.zeros(theta.shape)
    for t in range(len(states)):
        to_go = sum(rewards[t:])
        gradient[states[t]] += to_go * grad_log_pi(theta[states[t]], actions[t])
    return gradient
"""
EPISODE_BACKWARDS = """
def reinforce(theta, states, actions, rewards):
    gradient = 0 * theta
    G = 0
    for state, action, reward in reversed(list(zip(states, actions, rewards))):
        G = G + reward
        gradient[state] = gradient[state] + G * grad_log_pi(theta[state], action)
    return gradient
"""

GAIN_ARRAYS = """
def gain(pi, pi_old, reward, clip):
    ratio = pi / pi_old
    clipped = np.clip(ratio, 1 - clip, 1 + clip)
    return np.minimum(ratio * reward, clipped * reward)
"""
GAIN_SIDES = """
def gain(pi, pi_old, reward, clip):
    ratio = pi / pi_old
    won = reward * np.minimum(ratio, 1 + clip)
    lost = reward * np.maximum(ratio, 1 - clip)
    return np.where(reward > 0, won, lost)
"""

RIGHT = {
    "grad_log_pi": (GRADIENT_LINES, GRADIENT_LOOP),
    "reinforce": (EPISODE_LOOP, EPISODE_BACKWARDS),
    "gain": (GAIN_ARRAYS, GAIN_SIDES),
}

_PLAYED = "played - pi[k]"
_PUSH = "gradient[states[t]] += to_go * grad"
_SMALLER = "np.minimum(ratio * reward, clipped * reward)"

WRONG = {
    "grad_log_pi": (
        ("no_down", slip(GRADIENT_LOOP, (_PLAYED, "played"))),
        ("only_played", slip(GRADIENT_LOOP, (_PLAYED, "played * (1 - pi[k])"))),
        ("away", slip(GRADIENT_LOOP, (_PLAYED, "pi[k] - played"))),
        ("grad_pi", slip(GRADIENT_LOOP, (_PLAYED, "pi[action] * (played - pi[k])"))),
        ("one_over", slip(GRADIENT_LOOP, (_PLAYED, "played / pi[k]"))),
        ("theta", slip(GRADIENT_LOOP, (_PLAYED, "played - theta[k]"))),
        ("shape", slip(GRADIENT_LINES, ("return slopes", "return slopes[action]"))),
    ),
    "reinforce": (
        ("whole", slip(EPISODE_LOOP, ("rewards[t:]", "rewards"))),
        ("own", slip(EPISODE_LOOP, ("sum(rewards[t:])", "rewards[t]"))),
        ("past", slip(EPISODE_LOOP, ("rewards[t:]", "rewards[:t + 1]"))),
        ("late", slip(EPISODE_LOOP, ("rewards[t:]", "rewards[t + 1:]"))),
        ("unweighted", slip(EPISODE_LOOP, ("to_go * grad", "grad"))),
        ("overwritten", slip(EPISODE_LOOP, ("+=", "="))),
        ("place", slip(EPISODE_LOOP, (_PUSH, "gradient[t] += to_go * grad"))),
        ("mean", slip(EPISODE_LOOP, ("return gradient", "return gradient / len(states)"))),
        ("away", slip(EPISODE_LOOP, ("+=", "-="))),
    ),
    "gain": (
        ("no_min", slip(GAIN_ARRAYS, (_SMALLER, "clipped * reward"))),
        ("no_clip", slip(GAIN_ARRAYS, (_SMALLER, "ratio * reward"))),
        ("max", slip(GAIN_ARRAYS, ("np.minimum", "np.maximum"))),
        ("inside", slip(GAIN_ARRAYS, (_SMALLER, "reward * np.minimum(ratio, clipped)"))),
        (
            "product",
            slip(GAIN_ARRAYS, ("clip(ratio,", "clip(ratio * reward,"), (_SMALLER, "clipped")),
        ),
        ("upside_down", slip(GAIN_ARRAYS, ("pi / pi_old", "pi_old / pi"))),
        ("log_pi", slip(GAIN_ARRAYS, (_SMALLER, "reward * np.log(pi)"))),
        ("fixed", slip(GAIN_ARRAYS, ("1 - clip, 1 + clip", "0.8, 1.2"))),
    ),
}
