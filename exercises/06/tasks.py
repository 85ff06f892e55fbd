"""Sheet 06, policy gradients on Go: the tasks, and what each usual mistake is told."""

from pathlib import Path
from typing import Any

import numpy as np

from rlcourse.checks import visible06
from rlcourse.checks.judging import (
    by_key,
    by_orders,
)
from rlcourse.checks.sheet import Sheet
from rlcourse.checks.task import Asked, Case, ManualTask, Mark, Task
from rlcourse.checks.visible import read_slips
from rlcourse.checks.visible06 import PAIRS

# --- torus_areas ----------------------------------------------------------------------------------

AREAS_MISTAKES = {
    "stones": "area without territory: empty points count as well, for the one colour that "
    "their region touches",
    "territory": "territory without stones: in area scoring each stone on the board "
    "counts one point, too",
    "shared": "a region that touches two colours or three counts for each of them: "
    "it counts for nobody",
    "alone": "each empty point is looked at alone: connected empty points are one region, "
    "and all of it decides",
    "edges": "the board ends at its edges here: top and bottom are joined, and "
    "so are left and right",
    "cylinder": "only left and right are joined: top and bottom are as well",
    "rows_only": "only top and bottom are joined: left and right are as well",
    "diagonal": "points that meet at a corner count as neighbours: each point has four",
    "untouched": "a region that touches no stone counts for everybody: it counts for nobody",
    "split": "a region that touches several colours is shared out among them: it counts for nobody",
    "once": "a region counts as one point: every empty point of it counts",
    "most_stones": "a region that touches several colours counts for the one with most stones on "
    "the board: it counts for nobody",
}

# --- ring_moves -----------------------------------------------------------------------------------

RING_MISTAKES = {
    "ko": "ko is ignored: no move may bring back a board that has been there before",
    "simple": "only the board before the last move is compared: here a board may never come back, "
    "however long ago it was",
    "situational": "a board may not come back whoever moves next: leave the player "
    "out of the comparison",
    "suicide": "suicide is allowed here: after the captures the new stone's own "
    "chain needs a liberty",
    "before_captures": "the new stone's liberties are counted before the captures: what it "
    "takes gives it liberties",
    "line": "the ring is cut open: points 0 and size - 1 are neighbours",
    "single": "every stone is looked at alone: connected stones of a colour are one chain and "
    "share their liberties",
    "passes": "a pass does not change the turn here: after it the other player moves",
    "eyes": "own eyes are left alone: a point between two own stones may be played, if the "
    "rules allow it",
    "removed": "suicide is allowed here, and takes the own chain off: after the captures the new "
    "stone's own chain needs a liberty",
}

MOST_POINTS = 10_000  # repetitions included


def _by_points(case: Case, answer: Any) -> Mark:
    """`by_key` of a list of points in any order."""
    if isinstance(answer, np.ndarray) and answer.size > MOST_POINTS:
        return Mark(
            0.0, "kind", (), f"expected a list of points, each once; got {answer.size:,} numbers"
        )
    points = answer.tolist() if isinstance(answer, np.ndarray) else answer
    if not isinstance(points, (list, tuple)) or not all(type(point) is int for point in points):
        return Mark(0.0, "kind", (), "expected a list of points, whole numbers")
    mark = by_key(case, sorted(set(points)))
    return mark._replace(mistake="other", detail="") if mark.mistake == "shape" else mark


# --- league_returns -------------------------------------------------------------------------------

LEAGUE_MISTAKES = {
    "collector": "the reward goes to the wrong collector: an agent's number is not its colour, "
    "look up its seat in that game",
    "inverse": "seats is read the wrong way round: it says who sits on a colour; find the colour "
    "on which the agent sits",
    "losers_win": "the sign of the losing moves: who does not win has paid 1 and gets nothing back",
    "losers_free": "the losers' moves have the return 0 here: each of them has paid 1",
    "all_win": "every move of a game gets the winner's reward: the three have "
    "collectors of their own",
    "first_of_tie": "in a tie the first colour takes all: those with most area share the 3",
    "full_prize": "in a tie each gets the full prize: those with most area share the 3",
    "no_cost": "the pot is paid without the cost: each of the three has paid 1 before",
    "winners_free": "the winners have not paid here: each of the three has paid 1, so a sole "
    "winner has 3 - 1",
    "nobody": "nobody wins where the player with the largest area has resigned: the most area of "
    "those who have not resigned wins",
    "resigned": "who has resigned cannot win, whatever the board says",
    "no_area": "the area of who has resigned counts as 0, which ties with those who have none: "
    "who has resigned cannot win",
    "resigned_free": "who has resigned has paid nothing here: each of the three has paid 1",
    "resigned_shares": "who has resigned and has as much area as the winner shares the pot: who "
    "has resigned cannot win",
    "two_shared": "in a tie those with most area share 2: they share the pot, which is 3, and "
    "each of them has paid 1",
    "tie_lost": "a tie is won by nobody here: those with most area share the 3",
    "plies": "the discount counts the moves of all three players: only the "
    "agent's own decisions count",
    "on_and_on": "the discount runs on through the following games: an episode ends with its game",
    "first": "the discount counts from the first decision of the game: it "
    "counts back from the last",
    "late": "off by one: an agent's last decision in a game gets the reward undiscounted",
}

# --- surrogate_gradient ---------------------------------------------------------------------------

SURROGATE_MISTAKES = {
    "both": "one bug is left: the bound stops a move only on the side to which "
    "the advantage pushes it",
    "repeats": "one bug is left: `gradient[state] += ...` adds one row for a state that comes "
    "twice: np.add.at adds them all",
    "illegal": "one bug is left: illegal moves take part in the softmax: their probability is 0, "
    "and so is their gradient",
    "both_and_repeats": "two bugs are left: when does the bound stop a move? what does += do "
    "with a repeated state?",
    "both_and_illegal": "two bugs are left: when does the bound stop a move? what share "
    "do illegal moves get?",
    "repeats_and_illegal": "two bugs are left: what does += do with a repeated state? what share "
    "do illegal moves get?",
    "hasty": "nothing has changed: all three bugs of hasty_gradient are still there",
    "wrong_side": "the bound stops the wrong side: a good move is held when its ratio is high, a "
    "bad one when it is low",
    "good_only": "only good moves are stopped: a bad one is held as well, when its ratio has "
    "fallen below 1 - c",
    "bad_only": "only bad moves are stopped: a good one is held as well, when its ratio has risen "
    "above 1 + c",
    "high_any": "a ratio above 1 + c is stopped whatever the sign of the advantage, and one below "
    "1 - c never: a good move is held when its ratio is high, a bad one when it is low",
    "low_any": "a ratio below 1 - c is stopped whatever the sign of the advantage, and one above "
    "1 + c never: a good move is held when its ratio is high, a bad one when it is low",
    "low_always": "a ratio below 1 - c is stopped whatever the sign of the advantage: a good move "
    "is held only when its ratio is high",
    "clipped_weight": "a decision that is stopped still pushes, with the clipped ratio: where the "
    "bound holds, the clipped term is constant, and its gradient is 0",
    "late_mask": "the illegal moves are set to 0 after the softmax, so the legal ones no longer "
    "sum to 1: leave the illegal ones out before you divide",
    "zero_logit": "illegal moves take part in the softmax with the logit 0: exp(0) is 1; their "
    "exponential must be 0",
    "unbounded": "nothing is stopped: where the bound holds, the gradient of a decision is 0",
    "unweighted": "the gradient is not weighted: the advantage says how strongly, and in which "
    "direction, a move is pushed",
    "one_hot": "only the move that was played is pushed: the others lose what it gains, by the "
    "p in one-hot minus p",
    "no_ratio": "the ratio is missing: the gradient of a ratio is the ratio times "
    "the gradient of log pi",
    "sum": "this is the sum over the decisions: divide by their number",
    "states": "the sum is divided by the number of states: the mean is over the decisions",
    "per_state": "each state's decisions are averaged on their own: the mean is over all "
    "decisions, whatever their states",
    "stopped_out": "the decisions that are stopped are left out of the number by which the sum "
    "is divided: the mean is over all decisions",
    "inverse": "the ratio is upside down: it is the probability now over that with which the move "
    "was drawn",
    "descent": "this is the gradient of the loss: asked is the direction that "
    "makes the mean larger",
}

# --- two_stones -----------------------------------------------------------------------------------

STONES_MISTAKES = {
    "eye": "own eyes are filled: an empty point between two own stones is left alone",
    "any_eye": "the other player's eyes are left alone as well: only an own eye is not welcome",
    "enclosed": "an empty point between two stones is left alone, whoever owns them: only where "
    "both are own stones it is an eye",
    "stale": "the second stone goes by the board before the first: the first stone may have made "
    "an eye, or filled its side",
    "seam": "an eye can lie where the ring is joined: the points 0 and P - 1 have "
    "two neighbours as well",
    "replacement": "the first stone's point is put back: draw the second without it",
    "two_only": "a stone is given up too early: every point of the ranking is tried, and not only "
    "the first two",
    "next_only": "the second stone is given up where the next point has become an eye: the points "
    "after it in the ranking are tried as well",
    "late_clip": "the points that are not welcome are taken out before the clip: clip the "
    "probabilities of all points first, and only then take points out",
    "clip_again": "the probabilities are divided by their sum over the welcome points, and "
    "clipped, anew for each stone: clip all of them once, before any point is taken out",
    "no_clip": "the clip is missing: a point with probability 0 can be drawn as well, before a "
    "stone is given up",
    "low_only": "the clip holds only from below: what lies above 1 - clip is lowered to it",
    "zeros_kept": "a probability of 0 stays 0: it is raised to clip as well, so that every point "
    "can come",
    "not_renormalised": "after the clip, and after points are taken out, divide by the sum: what "
    "is missing goes to the last",
    "uniform": "every point that is left is drawn equally often: the network's p says "
    "how often each comes",
    "sorted": "the two stones of a pair are sorted: the one that was drawn first comes first",
    "both_or_none": "where the second stone is not played, the first is not either: only the "
    "second is -1 there",
    "repeated": "all pairs are the same: draw each anew, with random numbers from the argument rng",
    "distribution": "how often the pairs come is not right",
}

# --- the sheet ------------------------------------------------------------------------------------

_WITHHELD = ("rlcourse.checks.oracle06", "rlcourse.sampling")

SHEET = Sheet(
    number="06",
    title="Policy gradients on Go",
    tasks=(
        Task(
            "torus_areas",
            25,
            18,
            1,
            "torus_areas",
            by_key,
            _WITHHELD,
            "Who owns what, among three on a torus",
            visible06.areas(),
            AREAS_MISTAKES,
            "boards of 3 to 8 rows and columns, not always square, more and less full, "
            "one without a stone, and one without an empty point",
        ),
        Task(
            "ring_moves",
            0,
            23,
            3,
            "ring_moves",
            _by_points,
            _WITHHELD,
            "Go on a ring, with superko",
            visible06.ring(),
            RING_MISTAKES,
            "rings of 4 to 8 points, games of up to 30 moves with passes, captures of chains, "
            "boards from long ago",
        ),
        Task(
            "league_returns",
            27,
            17,
            2,
            "league_returns",
            by_key,
            _WITHHELD,
            "Three collectors",
            visible06.league(),
            LEAGUE_MISTAKES,
            "eight games at once with other seats, ties, players who resign, gamma 0.5 to 0.9",
        ),
        Task(
            "surrogate_gradient",
            0,
            20,
            3,
            "surrogate_gradient",
            by_key,
            _WITHHELD,
            "Find the bugs: a hasty gradient",
            visible06.surrogate(),
            SURROGATE_MISTAKES,
            "1 to 12 decisions in up to four states, four to six moves, some of them illegal, "
            "ratios on both sides of both bounds",
        ),
        Task(
            "two_stones",
            28,
            18,
            2,
            "two_stones",
            by_orders,
            _WITHHELD,
            "Two stones a turn",
            visible06.stones(),
            STONES_MISTAKES,
            f"rings of seven and eight points, some of which the network gives nothing; {PAIRS:,} "
            "pairs, how often each comes",
        ),
    ),
    manual=(
        ManualTask(
            "experiment",
            12,
            17,
            2,
            "Experiment: what the entropy bonus costs and saves",
            figure=Asked(curves=(3,), spreads=(2,), points=6, log="x"),
        ),
        ManualTask("explanation", 8, 16, 2, "Explain what you saw"),
    ),
    slips=read_slips(Path(__file__).with_name("visible.json")),
)

check, grade, attempt, summary, stand_in = SHEET.in_notebook
