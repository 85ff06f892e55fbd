"""Sheet 02, Q-tables: the tasks, and what each usual mistake is told."""

from pathlib import Path

from rlcourse.checks import reference02, visible02
from rlcourse.checks.judging import by_frequencies, by_key
from rlcourse.checks.sheet import Sheet
from rlcourse.checks.task import Asked, ManualTask, Task
from rlcourse.checks.visible import read_slips

# --- sweep ----------------------------------------------------------------------------------------

SWEEP_MISTAKES = {
    "bootstrap": "a finished state still has a value here: nothing comes after the end, so "
    "what `values` holds there counts as 0",
    "in_place": "the sweep uses values that it has just changed: read all old values "
    "before you write new ones",
    "gamma": "the discount 0.9 is written into the code: use the argument gamma",
    "no_gamma": "the discount is missing: what comes after this step counts gamma",
    "likeliest": "only the likeliest next state counts here: take the expectation over all of them",
    "plain_rewards": "the rewards are added up without their probabilities: R belongs "
    "inside the expectation",
    "mean_rewards": "the rewards are averaged over all next states alike: each counts with the "
    "probability of its step",
    "last_reward": "the reward of a step that ends the episode is left out: it is received, and "
    "only the value behind it is 0",
    "late_reward": "the reward of this step is discounted too: only what comes after it is",
    "average": "the mean over the actions is the value of random play: take the best action",
    "minimum": "the smallest action value is taken: here one player maximises",
    "myopic": "the action with the best reward of this step is taken: the best one has the "
    "largest sum of the reward and what comes after it",
    "best_next": "the best of the next states counts: the player chooses the action, and chance "
    "the state it leads to",
    "never_falls": "a state keeps its old value where that is larger: the new one replaces it, "
    "also if it is smaller",
    "from_zero": "where all actions lose the value is below 0: begin the search for the best "
    "action at minus infinity, not at 0",
    "finished": "a finished state keeps its old number: its value is 0, "
    "whatever values holds there",
    "goes_on": "a finished state is given the value of its best action: nothing comes after the "
    "end, so its value is 0 in the new values, too",
    "no_end": "`terminal` has no effect: the value of a finished state is 0, both where a step "
    "ends there and in the new values",
    "kept_end": "a finished state keeps its number, and a step that ends there counts it: its "
    "value is 0 in both places",
}

# --- nim_update -----------------------------------------------------------------------------------

NIM_MISTAKES = {
    "sign": "the sign of the opponent: what they can win from the rest is your loss, so "
    "it counts negatively",
    "opponent_minimises": "the table is in the mover's own view, so the opponent, too, takes the "
    "largest of their values, not the least",
    "bootstrap": "no stone is left, so the game is over: its value is the reward alone, whatever "
    "row 0 of the table holds",
    "reward_sign": "in this game the player who takes the last stone loses: the reward is -1",
    "alpha": "the step size is forgotten: move from the old entry towards the target "
    "by the fraction alpha",
    "gamma": "the discount 0.9 is written into the code: use the argument gamma",
    "no_gamma": "the discount is missing: what comes after this ply counts gamma",
    "gamma_twice": "the discount counts twice: the row that is looked up is the opponent's, one "
    "ply later",
    "mask": "the opponent takes more stones than are left: the max goes over their legal takes "
    "only",
    "late_mask": "the row is cut by the stones before the take: after it fewer are left, and the "
    "opponent can take no more than those",
    "steps_swapped": "alpha and 1 - alpha are exchanged: the old entry moves by the fraction "
    "alpha of the way to the target",
    "from_zero": "all takes of the opponent can be bad for them: the largest of their "
    "values is then below 0",
    "ply": "off by one ply: look at the row of the stones that are left after the take",
    "average": "the mean over the opponent's takes is their value of random play: they play their "
    "best one",
    "foreseen": "with one stone left the table is not asked: Q-learning moves towards what the "
    "next row says by now, also where you know how the game ends",
    "foreseen_late": "with one stone left the table is not asked, though the discount is right: "
    "Q-learning moves towards what the next row says by now",
    "end_at_once": "the take that ends the game gets its reward at once: its entry moves by the "
    "fraction alpha, like every other",
    "late_reward": "the reward for the last stone is discounted: it comes with this very ply",
    "no_reward": "the take that ends the game gets no reward: who takes the last stone gets -1",
    "no_difference": "alpha times the target is added: alpha counts the way from the old entry to "
    "the target, their difference",
    "least": "the least of the opponent's values is taken as it stands, as in a table of the first "
    "player's values: in the mover's own view it is minus the largest",
}

# --- choose ---------------------------------------------------------------------------------------

CHOOSE_MISTAKES = {
    "mask": "the greedy move looks at illegal squares too: take the best of the legal ones",
    "zero": "an illegal square that is multiplied by 0 beats legal squares with negative values: "
    "leave it out instead",
    "illegal": "exploring plays illegal squares, which nobody ever tried: take the least "
    "tried of the legal ones",
    "uniform": "exploring is uniform over all legal moves: it should go to those "
    "that were tried least",
    "untried": "exploring asks only which actions were never tried: when all legal ones were "
    "tried, it goes to those that were tried least",
    "untried_greedy": "exploring is given up when all legal actions were tried: it then goes to "
    "those that were tried least",
    "others": "exploring leaves out the best actions: one of them can be the least tried as well",
    "weighted": "exploring draws from all legal actions, the rarer tried the likelier: only the "
    "least tried ones come",
    "turned_visits": "for the second player exploring goes to the actions that were tried most: "
    "the sign is that of the values, not of the visits",
    "least_best": "among equally little tried actions the best one is played: draw one at random",
    "greedy_least": "among equally good actions the least tried one is played: draw one at random",
    "least_of_all": "the least number of tries is that of all actions, and an illegal one can have "
    "it: take the least of the legal ones",
    "inverted": "epsilon is inverted: explore with probability epsilon, be greedy with 1 - epsilon",
    "epsilon": "epsilon 0.1 is written into the code: use the argument",
    "never": "it never explores: with probability epsilon a least tried move is due",
    "ties": "among equally good moves always the same one is played: draw one at random",
    "least_ties": "among equally little tried moves always the same one is "
    "played: draw one at random",
    "all_ties": "ties always go to the same square, greedy and exploring: draw one of the "
    "equal ones at random",
    "sign": "the second player maximises as well: these values are the first player's, so the "
    "second one wants them small",
    "late_sign": "the sign is turned after the illegal squares got -infinity, which becomes "
    "+infinity for the second player: turn the sign first",
    "short_list": "the number is a place in the list of the legal actions: translate it back into "
    "the action's own number",
    "most": "exploring goes to the legal squares that were tried most: take the least tried ones",
    "worst": "the greedy move is the worst one for this player: the first player (0) wants the "
    "values large, the second one (1) small",
    "distribution": "how often the actions come is not right",
}

# --- two_estimates --------------------------------------------------------------------------------

ESTIMATE_MISTAKES = {
    "td_is_mc": "the second estimate is the mean return again: TD learns from "
    "the value of the next state, not from the return",
    "mc_is_td": "the first estimate is the TD one again: Monte Carlo averages the "
    "returns that were seen",
    "swapped": "the two estimates are in the wrong order: Monte Carlo first, TD second",
    "gamma": "the discount 0.9 is written into the code: use the argument gamma",
    "no_gamma": "both estimates are undiscounted: what comes a step later counts gamma",
    "mc_no_gamma": "the Monte Carlo estimate is undiscounted: what comes a step later counts gamma",
    "td_no_gamma": "the TD estimate is undiscounted: the value of the next state counts gamma",
    "late": "off by one: the reward of a pair is received on leaving its state, so it belongs "
    "to that state's return",
    "mc_late": "off by one: Monte Carlo counts a visit's reward in the return of the visit before "
    "it; it is received on leaving the state, so it belongs to this visit",
    "mc_next": "Monte Carlo leaves out the reward of the visit itself: it is received on leaving "
    "the state, so it is the first one of the return",
    "td_late": "off by one: the TD estimate takes the reward of the next pair; a pair's reward is "
    "received on leaving its own state",
    "wrong_end": "Monte Carlo discounts from the start of the episode: the return of a visit "
    "counts steps from that visit",
    "first_visit": "only the first visit in an episode is averaged: every visit counts here",
    "last_visit": "only the last visit in an episode is averaged: every visit counts here",
    "per_episode": "Monte Carlo divides by the episodes in which the state occurs: divide by its "
    "visits",
    "episode_means": "Monte Carlo takes the mean within each episode first: take it over all "
    "visits at once, each counts the same",
    "whole_return": "each visit gets the return of the whole episode: what came before the visit "
    "does not count",
    "last_pair": "the TD estimate leaves out the last pair of each episode: it is a visit as well, "
    "with a reward and the value 0 behind it",
    "runs_on": "the end of an episode bootstraps from the first state of the next one: behind "
    "the end the value is 0",
    "runs_back": "the end of an episode bootstraps from the first state of the one before it: "
    "forget the next state where an episode begins, behind the end the value is 0",
    "not_reset": "the return of an episode begins with that of the episode before it: set it back "
    "to 0 for each episode",
    "last_step": "the TD estimate leaves out the reward of the last pair of an episode: no state "
    "follows, but the reward is received",
    "followed": "the TD estimate divides by how often another state followed: divide by all visits "
    "of the state, because after some of them the episode was over",
    "mc_ahead": "the TD estimate puts the Monte Carlo value of the next state behind the reward: "
    "there, too, the value of TD itself belongs",
    "one_pass": "one pass with a small step is not yet batch TD: the estimate is what "
    "the passes converge to",
}

# --- play_from_book -------------------------------------------------------------------------------

BOOK_MISTAKES = {
    "direction": "right where the way to the book is a mirror or a half turn, wrong where it is a "
    "quarter turn: which way must the square be turned back?",
    "order": "right where the way to the book is a turn, wrong where it is a mirror image that is "
    "turned as well: going back, the last step is undone first",
    "mirror_kept": "the turn is undone, the mirror is not: going back from a mirrored view needs "
    "both",
    "turn_kept": "the mirror is undone, the turn is not: going back from a turned view needs it",
    "unmapped": "this is the square on the book's board: turn it back to the board "
    "that is being played",
    "rotations": "only the four rotations are looked at: a board can also lie in the "
    "book as its mirror image",
    "mirrors": "only mirrors and the half turn are looked at: a quarter turn is a "
    "symmetry of the board, too",
    "transposed": "row and column are exchanged on the way back",
    "zero": "the square 0 is a square: ask whether the book knows the board (`in`), not "
    "whether its move is true",
    # None for every board is what many slips lead to, so none of them is named.
    "kind": "the answer is the number of a square, and None only for a board that the book does "
    'not know. The book keeps the smallest of the eight texts ("." < "O" < "X"), each made row by '
    "row",
}

# --- the sheet ------------------------------------------------------------------------------------

_WITHHELD = ("rlcourse.checks.oracle02", "rlcourse.checks.reference02")

SHEET = Sheet(
    number="02",
    title="Q-tables",
    tasks=(
        Task(
            "sweep",
            20,
            12,
            1,
            "sweep",
            by_key,
            _WITHHELD,
            "One sweep of value iteration with chance",
            visible02.sweep(),
            SWEEP_MISTAKES,
            "random decision processes of 5 to 8 states, gamma from 0.5 to 1, `values` "
            "with numbers at finished states",
        ),
        Task(
            "nim_update",
            20,
            12,
            1,
            "nim_update",
            by_key,
            _WITHHELD,
            "Q-learning in the mover's own view",
            visible02.nim(),
            NIM_MISTAKES,
            "random tables, all numbers of stones left, other alpha and gamma",
        ),
        Task(
            "choose",
            20,
            13,
            2,
            "choose",
            by_frequencies,
            _WITHHELD,
            "Explore where you have been least",
            visible02.choose(),
            CHOOSE_MISTAKES,
            "both players, 7, 9 or 12 actions, negative and positive values, ties; 2,000 calls a "
            "position, judged by how often each action comes",
        ),
        Task(
            "two_estimates",
            0,
            18,
            3,
            "two_estimates",
            by_key,
            _WITHHELD,
            "Two answers from the same data",
            visible02.estimates(),
            ESTIMATE_MISTAKES,
            "random episodes of 3 to 6 states, gamma from 0.5 to 1, states that "
            "come back, to 6 digits",
        ),
        Task(
            "play_from_book",
            20,
            16,
            2,
            "play_from_book",
            by_key,
            _WITHHELD,
            "Find the bug: the book under symmetry",
            visible02.book(),
            BOOK_MISTAKES,
            "boards of 3 x 3 to 6 x 6 in each of the eight views, and boards "
            "that are not in the book",
        ),
    ),
    manual=(
        ManualTask(
            "experiment",
            12,
            12,
            2,
            "Experiment: optimism against epsilon",
            figure=Asked(curves=(3,), spreads=(3,)),
        ),
        ManualTask("explanation", 8, 20, 2, "Explain what you saw"),
    ),
    stand_ins={"nim_update": lambda *args: reference02.nim_update(*args)},
    slips=read_slips(Path(__file__).with_name("visible.json")),
)

check, grade, attempt, summary, stand_in = SHEET.in_notebook
