"""Sheet 07, actor-critic on Go: the tasks, and what each usual mistake is told."""

from pathlib import Path
from typing import Any

import numpy as np

from rlcourse.checks import reference07, visible07
from rlcourse.checks.judging import by_key
from rlcourse.checks.sheet import Sheet
from rlcourse.checks.task import Asked, Case, ManualTask, Mark, Task
from rlcourse.checks.visible import read_slips

# --- points_advantages ----------------------------------------------------------------------------

POINTS_MISTAKES = {
    "sign": "the sign is turned: an advantage is positive where more came than the critic expected",
    "one_return": "all moves get the first player's points: each counts for the player who "
    "made it, see `player`",
    "zero_sum": "the second player gets minus the first player's points: this count is not "
    "zero-sum, a loss has its own",
    "wrong_player": "the value is the other player's: the first of the three numbers is the "
    "chance of the player to move",
    "first_view": "the outputs of the second player's positions are turned round: they belong to "
    "the player to move already",
    "alternates": "the players are taken to move in turn: here one may move twice "
    "in a row, ask `player`",
    "next_value": "the value of the next state: what counts is what the critic "
    "expected *before* the move",
    "draw": "a draw counts nothing here, neither in what is expected nor in what is got: its "
    "points are the second of `points`",
    "draw_expected": "the chance of a draw is left out of what is expected: the expected points "
    "are a sum of three products",
    "draw_got": "a drawn game pays what a loss pays: a draw has points of its own, the second of "
    "`points`",
    "place": "the result itself is the place in `points`: there a win stands first, a draw "
    "second and a loss third",
    "second_result": "`result` is read as the second player's: +1 means that the first has won",
    "fixed": "3, 1 and 0 are written into the code: use the argument points",
    "centred": "the mean of the game is taken off: an advantage is measured "
    "against the critic only",
}

# --- batch_weights --------------------------------------------------------------------------------

WEIGHTS_MISTAKES = {
    "per_game": "normalised game by game: in a game that was won every move may have been good, "
    "and this would call half of them bad; take one mean and one spread "
    "over the whole batch",
    "game_means": "the games' means are averaged: then a move of a short game counts more than "
    "one of a long game; put all decisions of the batch together first",
    "own_means": "each game's own mean is taken off: then half of the moves of a won game look "
    "bad; take one mean over the whole batch",
    "mean_of_means": "the mean that is taken off is that of the games' means: then a move of a "
    "short game counts more; take the mean of all decisions",
    "zeros": "forced moves count as zeros in the mean and the spread: leave them out there",
    "forced": "`options` is not used: with one option there was nothing to decide, its weight is "
    "0 and it does not count",
    "counted": "forced moves count in the mean and the spread: leave them out there as well",
    "weighted": "forced moves get a weight: where there was nothing to decide there is "
    "nothing to learn, it is 0",
    "no_centre": "the mean is not taken off",
    "no_spread": "the mean is taken off, but nothing is divided",
    "variance": "divided by the variance: the standard deviation is its root",
    "sample": "the spread of a sample (ddof=1): here it is the root of the "
    "plain mean of the squares",
    "added": "the floor is added to the spread: take the larger of the two",
    "no_floor": "there is no floor: where all advantages are nearly alike, the "
    "weights grow without bound",
    "undivided": "nothing is divided where the spread is below the floor: there the floor divides "
    "in its place",
    "all_zero": "all weights are 0 where the spread is below the floor: there the floor divides in "
    "its place",
}

# --- two_headed_gradient --------------------------------------------------------------------------

GRADIENT_MISTAKES = {
    "through": "the gradient flows through the advantage: it is a number here, the critic learns "
    "from its own part only",
    "weights": "the loss weights are dropped: each part of the loss counts with its own",
    "weights_body": "the loss weights count in the body only: each head learns from a part of the "
    "loss, and its weight counts there as well",
    "weights_heads": "the loss weights count in the heads only: what goes back to the body comes "
    "from the same two parts of the loss, each with its weight",
    "swapped": "the loss weights are exchanged: the first is the actor's",
    "advantage_target": "the critic's target is the advantage: it shall learn the return",
    "sign": "the sign of the advantage: return minus value; like this good moves are unlearnt",
    "unweighted": "the actor's part is not weighted: the advantage says how strongly, and which "
    "way, a move is pushed",
    "no_baseline": "the actor's part is weighted with the return: take the value off, that is "
    "what the critic is for",
    "slope": "the slope of tanh is forgotten: with v = tanh(z) it is 1 - v * v",
    "half": "the factor 2 of the square is forgotten: there is no 1/2 in front of it",
    "one_hot": "only the move that was played is pushed: the gradient of -log "
    "pi is p minus one-hot",
    "one_head": "the body learns from the actor only: both heads hang on it, so "
    "both send something back",
    "critic_only": "the body learns from the critic only: both heads hang on it, so both send "
    "something back",
    "sum": "the gradients of the batch are added up: the loss is a mean",
    "actor_sum": "the actor's part is added up over the batch: divide it by B, as the critic's",
    "critic_sum": "the critic's part is added up over the batch: divide it by B, as the actor's",
}

# --- Recorder -------------------------------------------------------------------------------------

RECORDER_MISTAKES = {
    "unreturned": "one bug is left: select_move returns nothing while it records, so whoever "
    "asked for a move must pass",
    "leftover": "one bug is left: decisions of earlier games come again with a later game's "
    "reward; which attribute should begin_episode empty, and which one does it?",
    "next_value": "one bug is left: the value of the next state is taken off: take off that of "
    "the state before the move",
    "unreturned_and_leftover": "two bugs are left: what does select_move return while it records, "
    "and what does begin_episode empty?",
    "unreturned_and_next_value": "two bugs are left: what does select_move return while it "
    "records, and whose value is taken off?",
    "leftover_and_next_value": "two bugs are left: what does begin_episode empty, and "
    "whose value is taken off?",
    "hasty": "nothing has changed: all three bugs of HastyRecorder are still there",
    "abandoned": "the decisions of a game that was given up come back in the next one: "
    "begin_episode forgets them",
    "late_critic": "the critic is asked when the game is over: note what it says at "
    "the moment of the move",
    "last_only": "only the last game is kept: complete_episode adds to the rows",
    "begun_anew": "the rows are gone when a game begins: begin_episode forgets what was noted of a "
    "game that was given up, and no row",
    "sign": "the sign is turned: an advantage is reward minus value",
    "on_bound": "a move comes one number too early: its cumulative probability has to be larger "
    "than u, and not equal to it",
    "greedy": "the likeliest move is played: the move is the first whose cumulative "
    "probability is larger than u",
}


def _by_script(case: Case, answer: Any) -> Mark:
    """`by_key` of the moves and of `rows`; what the other methods return does not matter."""
    seen = [
        result if name in ("select_move", "rows") else None
        for (name, _), result in zip(case.script, answer, strict=True)
    ]
    for place, (name, _) in enumerate(case.script):
        if name == "rows" and isinstance(seen[place], (list, tuple)) and not seen[place]:
            seen[place] = np.zeros((0, 4))
    return by_key(case, seen)


# --- exact_advantages -----------------------------------------------------------------------------

EXACT_MISTAKES = {
    "view": "the next value is not turned: after the move the other player is to move, and "
    "what they win you lose",
    "end_sign": "the reward at the end is turned: it belongs to the player who has just moved, "
    "as the position does",
    "draw_goes_on": "a draw is taken for a game that goes on: `leads` says that it is over, and "
    "the reward 0 is its result",
    "best": "the value is that of the best move: the critic estimates this policy, which "
    "does not always find it",
    "uniform": "the moves are taken as equally likely: weight them with the policy",
    "one_step": "this looks one move ahead only: a game that goes on has the value of the next "
    "position; begin with the last",
    "sign": "the sign of the advantages: what the move is worth minus what the position is worth",
    "no_baseline": "this is what the moves are worth: take off the value of the position",
    "wrong_player": "the other player's value is taken off: both the move and the position count "
    "for the player to move",
    "illegal": "a move that is not allowed has the advantage 0, not minus the value",
    "unmasked": "a move that is not allowed has the advantage 0: what `leads` and `reward` say "
    "there does not count",
    "unmasked_reward": "a move that is not allowed has the advantage 0: what `reward` says there "
    "does not count",
    "weighted": "the advantages are multiplied with the policy: an advantage does not ask how "
    "often the move is played",
    "whole": "what moves are worth has lost its fractions: an array of whole numbers, such as one "
    "made like `leads`, keeps none",
}

# --- the sheet ------------------------------------------------------------------------------------

_WITHHELD = ("rlcourse.checks.oracle07", "rlcourse.checks.reference07")

SHEET = Sheet(
    number="07",
    title="Actor-critic on Go",
    tasks=(
        Task(
            "points_advantages",
            18,
            12,
            1,
            "points_advantages",
            by_key,
            _WITHHELD,
            "Advantages in points",
            visible07.points(),
            POINTS_MISTAKES,
            "games of 4 to 8 moves that are won, drawn and lost, other points for each, players "
            "who move twice in a row",
        ),
        Task(
            "batch_weights",
            18,
            13,
            2,
            "batch_weights",
            by_key,
            _WITHHELD,
            "Normalise a batch",
            visible07.weights(),
            WEIGHTS_MISTAKES,
            "three games of 4 to 9 decisions with forced moves, other floors, advantages "
            "that are nearly alike",
        ),
        Task(
            "two_headed_gradient",
            24,
            16,
            3,
            "two_headed_gradient",
            by_key,
            _WITHHELD,
            "One body, two heads: the gradient by hand",
            visible07.gradient(),
            GRADIENT_MISTAKES,
            "random networks of 3 inputs, 4 hidden numbers and 3 moves, batches of 5, other loss "
            "weights, to 6 digits",
        ),
        Task(
            "recorder",
            0,
            21,
            2,
            "Recorder",
            _by_script,
            _WITHHELD,
            "Find the bugs: a hasty recorder",
            visible07.recording(),
            RECORDER_MISTAKES,
            "three games in a row, moves outside a game, a game that is given up, a critic that "
            "learns during a game",
        ),
        Task(
            "exact_advantages",
            20,
            14,
            2,
            "exact_advantages",
            by_key,
            _WITHHELD,
            "What the critic ought to say",
            visible07.exact(),
            EXACT_MISTAKES,
            "games of 6 to 9 positions with three moves, some not allowed, some that win, "
            "draw or lose at once",
        ),
    ),
    manual=(
        ManualTask(
            "experiment",
            12,
            19,
            2,
            "Experiment: what is a critic worth?",
            figure=Asked(curves=(3,), spreads=(1,), points=6),
        ),
        ManualTask("explanation", 8, 16, 2, "Explain what you saw"),
    ),
    stand_ins={"exact_advantages": lambda *args: reference07.exact_advantages(*args)},
    slips=read_slips(Path(__file__).with_name("visible.json")),
)

check, grade, attempt, summary, stand_in = SHEET.in_notebook
