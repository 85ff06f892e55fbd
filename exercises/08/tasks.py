"""Sheet 08, tree search: the tasks, and what each usual mistake is told."""

from pathlib import Path
from typing import Any

from rlcourse.checks import reference08, visible08
from rlcourse.checks.judging import by_key, difference
from rlcourse.checks.sheet import Sheet
from rlcourse.checks.task import Asked, Case, ManualTask, Mark, Task
from rlcourse.checks.visible import read_slips

# --- try_routes -----------------------------------------------------------------------------------

ROUTES_MISTAKES = {
    "rewards": "the highest cost is taken for the best: these are minutes, fewer are better",
    "wrong_side": "the bonus is on the wrong side: added to a cost it makes a little-known route "
    "look bad; it must look good",
    "greedy": "no bonus at all: a route that was slow once is never tried again",
    "no_log": "the logarithm of the number of all trips stands under the root, "
    "not the number itself",
    "twice": "a 2 stands before the logarithm, as in UCB1 of the textbooks: here the bonus has c "
    "alone",
    "own_log": "the logarithm is that of all trips so far, not that of the trips on this route",
    "under_root": "under the root stands ln N divided by n, not their product and not n divided by "
    "ln N: a route that was taken rarely gets the larger bonus",
    "no_root": "the root is missing: c times the square root of ln N / n",
    "short_root": "the root covers ln N alone: it covers the whole fraction ln N / n",
    "today": "N counts today's trip as well: today nobody has gone yet",
    "sums": "the minutes of all trips on a route are added up: it is the mean that counts",
    "by_morning": "each morning has its own column of costs: the columns count the trips on that "
    "route, and its first trip takes what the first of them says",
    "last_tie": "of several equally good routes the lowest number is taken, untried ones too",
    "paid": "regret counts true means, not the minutes paid: bad luck on the "
    "best route is no regret",
    "other_routes": "the regret is measured against the best mean of the minutes so far: it is "
    "measured against the best true mean",
    "before_today": "each morning's number leaves that morning out: it holds the trip of the "
    "morning itself as well",
    "minutes": "the true means themselves are added up: regret is how much longer a route takes "
    "than the best one",
    "each": "regret adds up: each morning's number holds all mornings so far",
}

# --- box_backup -----------------------------------------------------------------------------------

BOXES_MISTAKES = {
    "sign": "no sign is changed on the way up: what is good for one player is bad for the other, "
    "boxes and value alike",
    "alternates": "the sign changes at every ply: who closes a box moves again, so "
    "ask who made each move",
    "leaf_view": "the value is for the player who moves at the leaf, who need not be the one "
    "who made the last move",
    "box_sign": "a box counts as won whoever closed it: those of the other "
    "player count against you",
    "no_boxes": "only the value goes up: boxes closed on the way belong to the outcome, "
    "from their own move on",
    "before": "boxes closed before a move are counted for it: they were closed "
    "whatever was played then",
    "own_boxes": "the boxes that a move itself closes are left out: they are "
    "what it brings at once",
    "leaf_turn": "at the leaf the other player than the last mover is taken to move: who closed a "
    "box moves again, see `player`",
    "leaf_first": "`player` is not used: the value is for the player who moves at the leaf, who "
    "can be the second one",
    "stops": "the backup stops at the root's child: the first move of the path gets its visit "
    "and its outcome, too",
    "leaf_only": "only the last move of the path is updated: every move on it gets the "
    "visit and its outcome",
    "replaced": "the total is replaced: it grows by the outcome, and Q is total / visits",
    "mean": "the total is turned into a mean: it is the sum of all outcomes, "
    "and Q is total / visits",
}

# --- puct_moves -----------------------------------------------------------------------------------

PUCT_MISTAKES = {
    "view": "Q is not negated: the totals are for the player who moves after the move, and "
    "what they like you do not",
    "zero": "a move without visits is taken to be worth 0, as in the lesson: here it is worth "
    "the node's own value",
    "guess": "the first guess is turned as well: `value` is already for the player who moves in "
    "the node",
    "new_nodes": "the first guess counts in nodes without visits only: it is that of each action "
    "without visits, whatever the others have",
    "mask": "the priors are not masked: an illegal move keeps its share and can even be chosen",
    "not_rescaled": "illegal moves are out, but the priors of the legal ones do not add up to 1 "
    "any more: divide by their sum",
    "noise_everywhere": "the noise is mixed in at every node: it belongs to the root only",
    "noise_added": "the noise is added: it is mixed in, (1 - epsilon) of the prior and "
    "epsilon of the noise",
    "noise_first": "the noise is mixed in before the mask: it is a distribution over legal moves, "
    "so mask and divide first",
    "no_root": "the root of the total number of visits is missing: with N itself "
    "exploration never ends",
    "no_total": "the factor sqrt(N) is missing: without it a move that was bad once hardly ever "
    "gets a second chance",
    "zero_total": "N is 0 where no move was visited yet: it counts as 1 there, so "
    "that the prior decides",
    "own": "N counts the first visit of the node itself as well: it is the visits of its moves, "
    "and 1 where there is none",
    "plus_one": "the visits are divided by n, or by 1 where n is 0: it is 1 + n",
    "c_side": "c stands on the wrong side: it multiplies the exploring part, not Q",
    "last_tie": "of several equally good moves the lowest number is taken",
}

# --- nim_search -----------------------------------------------------------------------------------

NIM_MISTAKES = {
    "sign": "one bug is left: the value is not negated on the way up; the players move in turn",
    "stops": "one bug is left: the backup stops at the root's child, so the root "
    "never counts its visits",
    "asks": "one bug is left: the table is asked about a finished game; there the "
    "rules know the result",
    "sign_and_stops": "two bugs are left: whose value goes up? and how far up does it go?",
    "sign_and_asks": "two bugs are left: whose value goes up? and what is a finished game worth?",
    "stops_and_asks": "two bugs are left: how far up does the value go? and what is a "
    "finished game worth?",
    "hasty": "nothing has changed: all three bugs of hasty_search are still there",
    "loser": "the end is counted for the wrong player: who took the last stone has lost, so who "
    "would move next has won",
    "turned_first": "the value is turned before it is booked: it belongs to the player to move at "
    "the leaf, so book it there first, then turn it",
    "root_view": "the value is for the other player: it belongs to the one who moves at the root",
    "friendly": "the children's values are read as if they were the mover's own: they are for the "
    "player who moves there",
    "from_moves": "the root's own evaluation is missing in its value: the first "
    "simulation counts as well",
    "no_log": "the logarithm of the parent's visits stands under the root, not their number",
    "own_log": "the logarithm is that of the parent's visits, not that of the child's own",
    "all_simulations": "N counts all simulations, in every node: it is the visits of the parent "
    "of these children",
    "children_only": "N counts the visits of the children only: it is those of the parent, whose "
    "own evaluation is one of them",
    "one_more": "N counts the visit that this simulation is about to make: it is that of the "
    "simulations before",
    "last_new": "of several untried moves the one that takes most stones comes first: it is the "
    "one that takes fewest",
    "last_tie": "of several equally good moves, untried ones too, the one that takes "
    "fewest stones is chosen",
}

# --- rollout_values -------------------------------------------------------------------------------

ROLLOUT_MISTAKES = {
    "sign": "no sign is changed: after your move the other player is to move, and their mean "
    "counts negatively for you",
    "all_takes": "the mean is over all numbers in takes: only those that are not larger "
    "than the heap are moves",
    "strict": "the whole heap may be taken, too: a move of exactly as many stones "
    "as there are is legal",
    "end": "the end is turned round: who cannot move has lost, so such a heap is "
    "worth -1 to its mover",
    "stuck": "the empty heap is not the only end: a heap smaller than every number in "
    "takes is lost as well",
    "stuck_won": "a heap smaller than every number in takes is taken for won, as if one could "
    "pass: who cannot move has lost",
    "best_play": "this is the value under best play: a rollout plays at random, both players",
    "worst": "the move with the lowest mean is followed: that is the one the "
    "other player would like",
    "first_win": "the move with the best mean is compared with one winning move only: a heap "
    "misleads where that move does not win, and several may win",
    "lost_too": "a heap without a winning move misleads nobody: count only those where there "
    "is something to find",
    "by_sign": "a negative mean alone misleads nobody: what counts is where the move "
    "with the best mean leads",
}


def _by_misled(case: Case, answer: Any) -> Mark:
    """`by_key`; a list of other heaps beside the right means is wrong, whatever its length."""
    mark = by_key(case, answer)
    pair = isinstance(answer, (tuple, list)) and len(answer) == 2
    if mark.mistake == "shape" and pair and difference(answer[0], case.secret.right[0]) is None:
        return mark._replace(mistake="other", detail="")
    return mark


# --- the sheet ------------------------------------------------------------------------------------

_WITHHELD = ("rlcourse.checks.oracle08", "rlcourse.checks.reference08")

SHEET = Sheet(
    number="08",
    title="Tree search",
    tasks=(
        Task(
            "try_routes",
            24,
            16,
            1,
            "try_routes",
            by_key,
            _WITHHELD,
            "A bandit that costs minutes",
            visible08.routes(),
            ROUTES_MISTAKES,
            "towns of 2 to 5 routes, 20 to 40 mornings, two routes that are always "
            "equally slow, other c",
        ),
        Task(
            "box_backup",
            0,
            15,
            2,
            "box_backup",
            by_key,
            _WITHHELD,
            "Back up through extra turns",
            visible08.boxes(),
            BOXES_MISTAKES,
            "paths of 1 to 9 moves that end with either player to move, two boxes "
            "at once, large trees",
        ),
        Task(
            "puct_moves",
            28,
            14,
            2,
            "puct_moves",
            by_key,
            _WITHHELD,
            "PUCT with a mask, noise and first guesses",
            visible08.puct(),
            PUCT_MISTAKES,
            "one node and five at once of 4 to 9 actions, roots and others, some without any "
            "visit; other c and epsilon",
        ),
        Task(
            "nim_search",
            0,
            25,
            3,
            "nim_search",
            by_key,
            _WITHHELD,
            "Find the bugs: a hasty search",
            visible08.nim(),
            NIM_MISTAKES,
            "heaps of 1 to 12 stones, 1 to 45 simulations, tables full of numbers, "
            "equal ones too, other c",
        ),
        Task(
            "rollout_values",
            28,
            15,
            2,
            "rollout_values",
            _by_misled,
            _WITHHELD,
            "What endless rollouts say",
            visible08.rollouts(),
            ROLLOUT_MISTAKES,
            "heaps up to 30 stones, three to five kinds of moves, games in which "
            "small heaps leave no move",
        ),
    ),
    manual=(
        ManualTask(
            "experiment",
            12,
            19,
            2,
            "Experiment: what does each simulation buy?",
            figure=Asked(curves=(2, 4), spreads=(2, 4), points=6, log="x"),
        ),
        ManualTask("explanation", 8, 20, 2, "Explain what you saw; planning beside learning"),
    ),
    stand_ins={"rollout_values": lambda *args: reference08.rollout_values(*args)},
    slips=read_slips(Path(__file__).with_name("visible.json")),
)

check, grade, attempt, summary, stand_in = SHEET.in_notebook
