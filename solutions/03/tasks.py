"""Sheet 03, deep Q-learning: the tasks, and what each usual mistake is told."""

from pathlib import Path
from typing import Any

import numpy as np

from rlcourse.checks import reference03, visible03
from rlcourse.checks.difference import kind_in_words
from rlcourse.checks.judging import by_frequencies, by_key
from rlcourse.checks.sheet import Sheet
from rlcourse.checks.task import Asked, Case, ManualTask, Mark, Task
from rlcourse.checks.visible import read_slips
from rlcourse.checks.visible03 import DRAWS, Draws

# --- best_columns ---------------------------------------------------------------------------------

COLUMNS_MISTAKES = {
    "sign": "the second player maximises as well: the network speaks from the first player's "
    "point of view, so the second player wants small values",
    "one_parity": "one player is taken for the whole batch: in every row another one can be to "
    "move, so count each board's stones",
    "first_board": "the stones of the first board decide for the whole batch: count each "
    "board's own",
    "player": "the two sides are exchanged: with an even number of stones on the board the "
    "first player is to move",
    "cells": "the cells are added up, so that a stone of the second player counts twice: count "
    "the cells that are not 0",
    "mask": "a full column is chosen: it cannot be played, whatever the network says of it",
    "mask_first": "the sign is turned after the full columns were given -inf, and turns that into "
    "inf: first the sign, then the full columns",
    "zero": "a full column that is multiplied by 0 beats open ones with negative values: "
    "leave it out instead",
    "mask_turned": "the full columns are those of the mirror image: turn its answers round, not "
    "the boards",
    "short_list": "the answer is a place in the list of the open columns: look up which column "
    "stands there",
    "bottom": "a column is full when its top cell is taken; row 0 is the top",
    "unturned": "the answer for the mirror image is not turned back: its column 0 is "
    "column 6 of the board",
    "rows_turned": "the order of the boards is turned round, not that of the columns: in each row "
    "of q_mirrored column 0 is column 6 of the board",
    "board_turned": "the board's own answer is turned round, in place of the mirror image's: the "
    "column is asked of the board",
    "one_view": "the mirror image is not used: take the mean of both answers",
    "maximum": "the larger of the two answers is taken, not their mean",
    "mirror_sign": "the sign of the mirror image's answer is turned: a mirror exchanges left and "
    "right, not the players",
}

# --- double_targets -------------------------------------------------------------------------------

TARGETS_MISTAKES = {
    "sign": "the sign of the next player: in the next position your opponent moves, and "
    "what they win you lose",
    "bootstrap": "a finished game still has a future here: its target is the reward alone",
    "mask": "the maximum goes over full columns too: nobody can play there, and nothing has ever "
    "corrected these values",
    "zero": "a full column that is multiplied by 0 beats open ones with negative values: "
    "leave it out instead",
    "short_list": "the reply is a place in the list of the open columns: look up which column "
    "stands there",
    "not_finite": "the answer holds nan or infinity: on a full board no column is open, so its "
    "best value is -inf, and -inf times 0 is nan; choose with np.where",
    "bottom": "a column is full when its top cell is taken; row 0 is the top",
    "gamma": "the discount 0.9 is written into the code: use the argument gamma",
    "single": "the target network both chooses and values: let the online "
    "network choose the column",
    "online": "the online network both chooses and values: let the target network say what the "
    "chosen column is worth",
    "smaller": "the smaller of both networks' values is taken: the target network says what the "
    "chosen column is worth, also where it says more",
    "swapped": "the roles are exchanged: the online network chooses, the target network values",
    "opponent_minimises": "every value belongs to the player to move, so the opponent, too, "
    "takes the largest of their own values",
    "lost_reward": "a finished game has the target 0 here: its reward counts, it has no future",
    "rewarded": "a game counts as over where it brings a reward: ask `done`, since a reward can "
    "come on the way and a draw brings none",
    "gamma_reward": "the reward is discounted as well: gamma is for what comes after it",
    "way_reward": "a reward on the way is left out: the reward counts whether "
    "the game is over or not",
}

# --- gradients ------------------------------------------------------------------------------------

GRADIENTS_MISTAKES = {
    "all_actions": "the loss is on all actions: only the action that was played has a target, the "
    "other outputs have no error",
    "greedy": "the error is taken at the action that looks best now: it belongs to the "
    "action that was played",
    "squared": "an error beyond 1 counts in full: the Huber loss is a straight line there, "
    "its slope is 1 or -1",
    "slope": "the slope of the Huber loss is 1 at errors below -1, too: it is -1 there",
    "upper_only": "the slope of the Huber loss is cut off above 1 alone: below -1 it is -1",
    "height": "the loss itself is passed back: what counts is its slope, the error, or 1 or -1 "
    "beyond 1",
    "relu": "the ReLU is forgotten on the way back: a neuron that was cut off "
    "to 0 passes nothing on",
    "uncut": "the gradient of W2 has the sums before the ReLU: what W2 multiplies is "
    "max(0, x W1 + b1)",
    "positive": "the ReLU cuts off negative gradients: what counts is whether the *sum* of the "
    "neuron was cut off",
    "linear": "the ReLU is forgotten: the hidden layer is max(0, x W1 + b1)",
    "sum": "the gradients of the batch are added up: the loss is a mean, divide "
    "by the number of rows",
    "mean_all": "the mean is over all outputs: there is one error a row, so divide "
    "by the number of rows",
    "mean_biases": "the biases get the mean over the rows: the division by the number of rows is "
    "made already, so add the rows up",
    "mean_b1": "b1 gets the mean over the rows: the division by the number of rows is made "
    "already, so add the rows up",
    "mean_b2": "b2 gets the mean over the rows: the division by the number of rows is made "
    "already, so add the rows up",
    "sign": "all signs are turned: this is the way downhill; the gradient points uphill, "
    "error = output - target",
    "twice": "everything is doubled: the loss has the factor 1/2 in front of the square",
}

# --- Memory ---------------------------------------------------------------------------------------

MEMORY_MISTAKES = {
    "power": "the priorities are taken to the power 0.6, as some do in prioritised replay: here "
    "they are taken as they are",
    "softmax": "the priorities go through exp: a transition that is twice as important is drawn "
    "twice as often",
    "newest": "only the newest come back: every transition in the memory can be drawn",
    "uniform": "the priorities are ignored: a transition is drawn with a probability in "
    "proportion to its priority",
    "greedy": "the transition with the highest priority comes every time: it is only more likely",
    "one_more": "the memory holds one transition more than its capacity",
    "no_limit": "the memory never forgets: when it is full, the oldest transition makes room",
    "never_leaves": "a full memory takes nothing new: when it is full, the oldest "
    "transition makes room",
    "newest_leaves": "the newest transition is overwritten: the oldest one makes room",
    "least_leaves": "the transition with the least priority makes room: it is the "
    "oldest one that leaves",
    "least_of_all": "the transition with the least priority leaves, and be it the newest: it is "
    "the oldest one that leaves",
    "shared": "a transition comes that was never added to this memory: lists that are made in the "
    "class, not in __init__, belong to all memories together",
    "stale": "a new transition inherits the priority of the one whose place it takes: replace both",
    "torn": "a transition leaves with the priority of another one: whatever happens to the one "
    "list must happen to the other",
    "places": "the places are returned: look up which transitions stand there",
    "empty": "places that were never filled are drawn as well: draw among what is in the memory",
    "repeated": "two samples are the same from first to last: draw with the rng that is passed "
    "in, never with one of your own",
    "distribution": "how often the transitions come is not right",
}


def _newest(drawn: Any, count: int) -> bool:
    """Whether these are the newest of `count` transitions, in order: without replacement they come
    in any.
    """
    newest = range(count - len(drawn) + 1, count + 1)
    return list(map(str, drawn)) == list(map(str, newest))


def _by_draws(case: Case, answer: Any) -> Mark:
    """Judges how often each transition comes, sample by sample; see `by_frequencies`."""
    draws: Draws = case.secret
    listed = tuple(slip for slip in draws.answers() if slip)
    marks, lists = [], []
    for place, frequencies in draws.samples:
        drawn = answer[place]
        if not isinstance(drawn, (list, tuple)) and not (
            isinstance(drawn, np.ndarray) and drawn.ndim
        ):
            return Mark(
                0.0,
                "kind",
                (),
                f"expected a list of transitions from sample, got {kind_in_words(drawn)}",
            )
        if len(drawn) > DRAWS:
            return Mark(
                0.0,
                "shape",
                (),
                f"expected {DRAWS} transitions from sample({DRAWS}, rng), got {len(drawn)}",
            )
        drawn = drawn.tolist() if isinstance(drawn, np.ndarray) else drawn
        drawn = [int(one) if isinstance(one, float) and one.is_integer() else one for one in drawn]
        filled = min(len(frequencies.right), case.args[0])
        if set(map(str, drawn)) == set(map(str, range(filled))):
            return Mark(0.0, "places", ("places",))
        if any(type(one) is int and one > len(frequencies.right) for one in drawn):
            return Mark(0.0, "shared", ("shared",))
        blank = any(one is None or (one == 0 and not isinstance(one, bool)) for one in drawn)
        if blank and filled < case.args[0]:
            return Mark(0.0, "empty", ("empty",))
        if len(drawn) != DRAWS:
            newest = all(_newest(answer[step], len(p.right)) for step, p in draws.samples)
            detail = f"expected {DRAWS} transitions from sample({DRAWS}, rng), got {len(drawn)}"
            return Mark(0.0, "newest", ("newest",)) if newest else Mark(0.0, "shape", (), detail)
        numbers = [one - 1 if type(one) is int else one for one in drawn]
        marks.append(by_frequencies(Case((), frequencies, calls=DRAWS), numbers))
        lists.append(drawn)
    fits = tuple(name for name in listed if all(name in mark.fits for mark in marks))
    wrong = [mark for mark in marks if mark.score < 1.0]
    if wrong and wrong[0].mistake == "kind":
        odd = next(one for drawn in lists for one in drawn if type(one) is not int or one < 1)
        got = odd if type(odd) is int else kind_in_words(odd)
        return wrong[0]._replace(
            detail=f"expected transitions as they were added, got {got} from sample"
        )
    if wrong:
        return Mark(0.0, fits[0] if fits else "distribution", fits, "", listed)
    if lists[-1] == lists[-2]:
        return Mark(0.0, "repeated", ("repeated",))
    return Mark(1.0, "", fits, "", listed)


# --- learn ----------------------------------------------------------------------------------------

LEARN_MISTAKES = {
    "aliased": "the target moves with every step, as in the code that was handed out: `target = "
    "weights` is a second name of the same array, so take a copy; and copy "
    "again only when it is due",
    "never": "the target is never copied again: print `step % every` for a few steps; which "
    "value can it never have?",
    "late": "the copies come one step late: before steps 0, every, 2 * every, ... take the "
    "weights as they are just then",
    "early": "after the first copy, each one comes a step early: before steps 0, every, "
    "2 * every, ..., counted from 0",
    "bootstrap": "a finished episode still has a future here: its target is the reward alone",
    "gamma": "the discount 0.9 is written into the code: use the argument gamma",
    "sum": "the errors of a batch are added up: the step is made for their mean",
    "twice": "the step is twice as long: the loss is *half* the squared error, so its slope is the "
    "error",
    "double": "the weights choose the next action and the target network values it, as in double "
    "Q-learning: here it is the largest output of the target network",
    "same_action": "the next state is valued at the action that was just played: it is the largest "
    "output of the target network there",
    "one_go": "`weights[:, action] -= ...` takes a column once where an action comes twice in a "
    "batch: the last row wins; add up row by row, or with a matrix product",
    "row_by_row": "the error is worked out anew after each row: all errors of a batch belong to "
    "the weights before the step",
}

# --- the sheet ------------------------------------------------------------------------------------

_WITHHELD = ("rlcourse.checks.oracle03", "rlcourse.checks.reference03")

SHEET = Sheet(
    number="03",
    title="Deep Q-learning",
    tasks=(
        Task(
            "best_columns",
            18,
            13,
            1,
            "best_columns",
            by_key,
            _WITHHELD,
            "One network, two players, two views",
            visible03.columns(),
            COLUMNS_MISTAKES,
            "1 to 12 boards at once, both players to move, full columns that look "
            "best, values below 0 only",
        ),
        Task(
            "double_targets",
            19,
            12,
            2,
            "double_targets",
            by_key,
            _WITHHELD,
            "One network chooses, the other values",
            visible03.targets(),
            TARGETS_MISTAKES,
            "1 to 10 boards at once, gamma from 0.5 to 1, finished games with a full board "
            "and with open columns",
        ),
        Task(
            "gradients",
            24,
            15,
            3,
            "gradients",
            by_key,
            _WITHHELD,
            "Backpropagation by hand",
            visible03.gradients(),
            GRADIENTS_MISTAKES,
            "random networks of 2 to 4 inputs, 1 to 5 neurons and 2 to 4 outputs, batches of 5 "
            "and of 1, errors below and beyond 1, to 6 digits",
        ),
        Task(
            "memory",
            19,
            13,
            2,
            "Memory",
            _by_draws,
            _WITHHELD,
            "A memory with priorities",
            visible03.memory(),
            MEMORY_MISTAKES,
            f"memories of 4 and 5 that have forgotten much; {DRAWS:,} draws a sample, judged by "
            "how often each one comes",
        ),
        Task(
            "learn",
            0,
            19,
            2,
            "learn",
            by_key,
            _WITHHELD,
            "Find the bugs: the target network that is none",
            visible03.learning(),
            LEARN_MISTAKES,
            "random batches, of one row too, copies every 1 to 9 steps, gamma from 0.5 to 1, and "
            "whether your weights are changed",
        ),
    ),
    manual=(
        ManualTask(
            "experiment",
            12,
            16,
            2,
            "Experiment: how often to copy the target network",
            figure=Asked(curves=(2,), spreads=(1,), points=6, log="xy"),
        ),
        ManualTask("explanation", 8, 20, 2, "Explain what you saw"),
    ),
    stand_ins={"gradients": lambda *args: reference03.gradients(*args)},
    slips=read_slips(Path(__file__).with_name("visible.json")),
)

check, grade, attempt, summary, stand_in = SHEET.in_notebook
