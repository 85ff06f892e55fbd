"""Sheet 04, TD(lambda): the tasks, and what each usual mistake is told."""

from pathlib import Path

from rlcourse.checks import visible04
from rlcourse.checks.judging import by_key
from rlcourse.checks.sheet import Sheet
from rlcourse.checks.task import Asked, ManualTask, Task
from rlcourse.checks.visible import read_slips

# --- compound_return ------------------------------------------------------------------------------

COMPOUND_MISTAKES = {
    "off_by_one": "off by one: after n steps the walker is in state n, so that state's estimate "
    "is added, not the one before",
    "undiscounted": "the estimate behind the n steps is not discounted: it lies n steps ahead, so "
    "it counts gamma ** n",
    "short_discount": "the estimate behind the n steps is discounted once too little: "
    "it counts gamma ** n",
    "plain_rewards": "the rewards are not discounted: the one of step k counts gamma ** k",
    "late": "every reward is discounted once too often: the first one comes right "
    "away and counts in full",
    "from_zero": "the weights are counted from n = 0: the first one is that of the one-step return",
    "extra_reward": "one reward too many is added: n steps bring n rewards, and then the estimate",
    "past_end": "n-step returns with n beyond the end are left out: they are the full return, "
    "and their weight counts",
    "renormalised": "weights beyond the end are dropped and the others blown up: those n-step "
    "returns are the full return",
    "end_value": "a value is added behind the end: when the episode is over nothing comes any more",
    "end_value_ahead": "a value is added behind the end, discounted by gamma ** n: when the "
    "episode is over nothing comes any more",
    "beyond_value": "n-step returns with n larger than T end with the last estimate: when the "
    "episode is over nothing comes any more",
    "last_estimate": "n-step returns that reach the end stop one step before it, at the last "
    "estimate: they are the full return, with the last reward",
    "gamma": "the discount 0.9 is written into the code: use the argument gamma",
}

# --- mover_targets --------------------------------------------------------------------------------

MOVER_MISTAKES = {
    "sign": "no sign is changed: what is good for the next player to move is bad for you, "
    "unless you move again",
    "alternates": "the sign changes at every ply: when the same player moves again, it must not",
    "alternates_first": "the players are taken to alternate from whoever moves first: `player` "
    "says who moves, at the end as well",
    "first_moves": "player 0 is taken to begin, and then both to alternate: `player` says who "
    "moves",
    "half_sign": "the sign of the next value is changed, that of the next target is not: both are "
    "seen from the other side",
    "half_turned": "the sign of the next target is changed, that of the next value is not: both "
    "are seen from the other side",
    "result_sign": "the result is the first player's: if the second one made the last move, their "
    "last target is its negative",
    "own_value": "off by one: the estimate in the target is that of the next "
    "position, not of this one",
    "end_value": "the last position's target is the result alone: its own "
    "estimate has no part in it",
    "late_result": "the result is discounted for the last move: the last target is the result as "
    "it is, and the moves before it discount",
    "one_view": "all targets are those of the first player: where the second one is to move, they "
    "are turned",
    "no_gamma": "the discount is missing: each move before the last counts gamma",
    "target_undiscounted": "the next target is not discounted, the next estimate is: a move "
    "discounts both",
    "estimate_undiscounted": "the next estimate is not discounted, the next target is: a move "
    "discounts both",
    "swapped": "lam and 1 - lam are exchanged: the estimate counts 1 - lam, the next target lam",
    "per_turn": "the discount counts changes of the player: it counts moves, and a player who "
    "moves again makes one more",
    "gamma": "the discount 0.9 is written into the code: use the argument gamma",
}

# --- trace_history --------------------------------------------------------------------------------

TRACE_MISTAKES = {
    "no_fade": "the trace does not fade: before a step is counted, everything is "
    "multiplied by gamma * lam",
    "only_lam": "the trace fades by lam alone: gamma is forgotten in the decay",
    "only_gamma": "the trace fades by gamma alone: lam is forgotten in the decay",
    "not_reset": "the trace is carried into the next episode: where one starts, nothing of the "
    "last one is owed anything",
    "start_ends": "`starts` is read as an end: the traces are forgotten before the step that it "
    "marks, not after it",
    "late": "this is the trace before the step is counted: the present features belong to it",
    "fades_itself": "the present features fade as well: first what is remembered fades, then the "
    "step is counted in full",
    "active_stays": "active features grow without fading before: all traces fade at each step, and "
    "then the active ones grow",
    "accumulates": "traces accumulate although replacing ones are asked for: there an "
    "active feature is set to 1",
    "replaces": "traces are replaced although accumulating ones are asked for: there an "
    "active feature grows by 1",
    "one_array": "every row is the trace of the last step: the same array was kept each time, so "
    "keep a copy of it (.copy())",
    "episode_array": "every row is the trace at the end of its episode: the same array was kept "
    "until the next one started, so keep a copy of it (.copy())",
    "row_fades": "a row fades once more after it was kept: the array in the list is changed in "
    "place at the next step, so keep a copy of it (.copy())",
    "start_empty": "the features of an episode's first step are not counted: only what came before "
    "is forgotten there",
    "clears": "replacing sets the features that are not active to 0: only active ones are "
    "set, the others fade",
}

# --- learn_throws ---------------------------------------------------------------------------------

THROW_MISTAKES = {
    "not_reset": "one bug is left: a game still begins with the trace of the game before it",
    "home": "one bug is left: at home the game is over, so nothing is ahead; whatever stands in "
    "values[0] must not be read",
    "hasty": "nothing has changed: both bugs of hasty_learn are still there",
    "half_reset": "a game clears the traces of the squares it never is on, and keeps its own: "
    "all of them begin at 0",
    "own_reset": "a game clears the traces of its own squares alone: all of them begin at 0",
    "last_throw": "the throw that brings the counter home is not counted: it is "
    "a throw as any other",
    "no_last": "nothing is learned from the throw that brings the counter home: it is a throw as "
    "any other",
    "cut_home": "the throw that brings the counter home teaches its own square alone: its surprise "
    "reaches the earlier squares of the game as well",
    "no_fade": "the trace does not fade: each throw multiplies all of it by lam",
    "td_0": "only the present square learns: earlier squares of the game have a trace, too",
    "late": "the square where the surprise happens gets nothing of it: its trace grows "
    "before the values move",
    "home_changed": "values[0] comes back changed: it is not read, and it is "
    "returned as it was given",
}

# --- q_lambda -------------------------------------------------------------------------------------

WATKINS_MISTAKES = {
    "never_cut": "the trace is never cut: what follows an exploring action says nothing "
    "about best play before it",
    "cut_late": "the trace is cut too late: the surprise of the exploring action itself must not "
    "reach earlier actions",
    "cut_itself": "the exploring action loses its own trace: cut first, then count the "
    "action, which does learn",
    "sarsa": "the value of the next action is taken: Q-learning looks at the best "
    "one, whichever is played",
    "end_value": "a value is added behind the last step: the episode is over there",
    "no_fade": "the trace does not fade: each step multiplies all of it by gamma * lam",
    "only_lam": "the trace fades by lam alone: gamma is forgotten in the decay",
    "tie": "an action that is as good as the best does not explore: compare its entry with the "
    "best one, not its number with argmax",
    "stale_table": "whether an action explores is asked of the table as it was given: ask the "
    "table as it stands at this moment",
    "early_table": "whether an action explores is asked a step too early: ask the table after the "
    "step before has moved it",
    "only_gamma": "the trace fades by gamma alone: lam is forgotten in the decay",
    "replaces": "the trace of the pair is set to 1: it grows by 1, and what was left of it counts",
    "no_gamma": "the best entry of the next state is not discounted: it counts gamma",
    "stale_ahead": "the best entry of the next state is that of the table as it was given: look at "
    "the table as it stands at this moment",
    "offline": "all steps see the table as it was given, and it moves at the end of the episode: "
    "it moves after each step, and the next one sees that",
    "always_cut": "all traces become 0 at every step: they do at an exploring action, and else "
    "they fade",
    "one_entry": "only the entry of the action that was played moves: the surprise of a step moves "
    "all entries, each by its trace",
}

# --- the sheet ------------------------------------------------------------------------------------

_WITHHELD = ("rlcourse.checks.oracle04",)

SHEET = Sheet(
    number="04",
    title="TD(lambda)",
    tasks=(
        Task(
            "compound_return",
            16,
            14,
            1,
            "compound_return",
            by_key,
            _WITHHELD,
            "Another average of n-step returns",
            visible04.compound(),
            COMPOUND_MISTAKES,
            "1 to 6 rewards, weights that end before the episode does and weights that reach "
            "beyond it, other gamma",
        ),
        Task(
            "mover_targets",
            22,
            13,
            2,
            "mover_targets",
            by_key,
            _WITHHELD,
            "Lambda-returns for two players",
            visible04.mover(),
            MOVER_MISTAKES,
            "games of up to ten plies, extra turns, won, lost and drawn, ended by either "
            "player; other lam and gamma",
        ),
        Task(
            "trace_history",
            20,
            13,
            2,
            "trace_history",
            by_key,
            _WITHHELD,
            "Traces of features",
            visible04.traces(),
            TRACE_MISTAKES,
            "1 to 12 steps, 4 to 6 features, steps without any active one, episodes that start in "
            "the middle, both kinds",
        ),
        Task(
            "learn_throws",
            0,
            17,
            2,
            "learn_throws",
            by_key,
            _WITHHELD,
            "Find the bugs: home with a die",
            visible04.throws(),
            THROW_MISTAKES,
            "6 to 8 games of one throw and more, all six numbers, tables full of numbers above "
            "and below 0, other alpha and lam",
        ),
        Task(
            "q_lambda",
            22,
            14,
            3,
            "q_lambda",
            by_key,
            _WITHHELD,
            "Control with traces: Watkins's Q(lambda)",
            visible04.watkins(),
            WATKINS_MISTAKES,
            "tables of 1, 3 or 5 states and 3 actions, episodes of 6 to 9 steps that explore now "
            "and then and come back to states",
        ),
    ),
    manual=(
        ManualTask(
            "experiment",
            12,
            14,
            2,
            "Experiment: rooms that look alike",
            figure=Asked(curves=(2,), spreads=(2,), points=6),
        ),
        ManualTask("explanation", 8, 20, 2, "Explain what you saw"),
    ),
    slips=read_slips(Path(__file__).with_name("visible.json")),
)

check, grade, attempt, summary, stand_in = SHEET.in_notebook
