"""Sheet 09, AlphaZero: the tasks, and what each usual mistake is told."""

from pathlib import Path

from rlcourse.checks import visible09
from rlcourse.checks.judging import by_key
from rlcourse.checks.sheet import Sheet
from rlcourse.checks.task import Asked, ManualTask, Task
from rlcourse.checks.visible import read_slips

# --- search_chances -------------------------------------------------------------------------------

CHANCES_MISTAKES = {
    "from_q": "both are made of Q: what counts is how often the search visited a move; a Q of few "
    "visits is little known",
    "best_q": "at the end the move with the highest Q is taken: it is the most visited one, as Q "
    "may stand on one lucky visit",
    "inverted": "the temperature is upside down: visits to the power 1 / temperature, so that a "
    "low one favours the first",
    "softmax": "visits are no logits: they are raised to a power, not put into exp",
    "learned": "the targets are tempered as well: the temperature belongs to play, the network "
    "learns the plain shares",
    "first_tie": "at the end one of several most visited moves gets everything: "
    "they share it equally",
    "q_tie": "at the end the Q decides between several most visited moves: they share it equally",
    "no_end": "the temperature goes on falling: from ply `end` on only the most "
    "visited moves are played",
    "late": "off by one: at ply `end` itself the temperature is 0 already",
    "steps": "the temperature falls in steps: it falls a little with every ply, so do "
    "not round ply / halving",
    "not_finite": "nan or infinity: a visit count to a large power is too large for a float; "
    "divide the visits of a row by their largest first, which changes nothing else",
}

# --- hex_examples ---------------------------------------------------------------------------------

HEX_MISTAKES = {
    "policy_alone": "the policies stay as they were while the boards move: each share belongs to "
    "a point and goes with it",
    "policy_view": "the board of player 1 is mirrored, the policy is not: each share goes "
    "where its point goes",
    "policy_turn": "the boards are turned, the policies are not: each share goes "
    "where its point goes",
    "colours": "the stones of player 1's positions keep their colours: in the mover's view "
    "their own stones are +1",
    "board_view": "the colours are changed, the board is not mirrored: the mover would have "
    "to join left and right",
    "flip": "the turn is a flip: alone it is no symmetry of Hex, the neighbours of a point "
    "change; turn by 180 degrees",
    "quarter": "the turn is one of 90 degrees: then the mover joins left and right, and "
    "neighbours change; turn by 180",
    "swap_moves": "the swap moves with the points: it is no point of the board and stays "
    "the last of the policy",
    "z_first": "z is for player 0 throughout: it is for the player to move",
    "z_turn": "z changes its sign with the turn: who is to move stays the same, "
    "and so does who wins",
    "in_pairs": "each position is followed at once by its turned one: first come all positions, "
    "then all turned ones",
}

# --- value_targets --------------------------------------------------------------------------------

VALUE_MISTAKES = {
    "first": "the result is player 0's throughout: turn it round where player 1 is to move",
    "opponent": "the result is for the wrong player: z belongs to the one who is to move, not to "
    "the one who moved last",
    "parity": "the sign changes at every ply: a player without a move is passed over, so ask "
    "`mover` who is to move",
    "rows": "the sign changes from row to row of the list: ask `mover` who is to move",
    "draw_loss": "a draw counts as a loss: it is 0 for both, and the share of the "
    "search is added as always",
    "draw_second": "a draw counts as a win of player 1: it is 0 for both",
    "cut_draw": "a game that was cut off counts as a draw: the last root value of the game "
    "stands for its result",
    "cut_result": "the result of a game that was cut off is used: it says nothing there, the last "
    "root value stands for it",
    "cut_view": "the last root value is for the player to move *there*: turn it round for "
    "positions of the other one",
    "cut_first": "the last root value is taken for player 0's: it is for the player to move "
    "*there*, so turn it round where that is player 1",
    "first_root": "of a game that was cut off the first root value is taken: it is the last one",
    "cut_own": "in a game that was cut off each position's own root value stands for the result: "
    "it is the game's last one",
    "last_of_all": "the last root value of the whole list is taken: it is that of "
    "the position's own game",
    "root_view": "root values are turned round: they are for the player to move already, which "
    "is what is asked for",
    "swapped": "the two weights are exchanged: `share` belongs to the search, 1 - "
    "share to the outcome",
    "only_z": "the search's own value is left out: it has the weight `share`",
}

# --- gate_chance ----------------------------------------------------------------------------------

GATE_MISTAKES = {
    "draws_win": "a draw counts as a win at the gate: it is half a point",
    "draws_lose": "a draw counts as a loss at the gate: it is half a point",
    "draws_out": "draws are left out and the rest is counted: every game counts, a "
    "draw with half a point",
    "strict": "exactly so many percent is enough: the score has to reach the "
    "bound, not to exceed it",
    "argmax": "exactly so many percent is enough: with > no score is at 100 percent, and "
    "`np.argmax` answers 0 where nothing is True",
    "one_colour": "the candidate moves first in every game: the colours are taken in turn",
    "second_first": "of an odd number of games the candidate moves first in one more than it moves "
    "second: in games 1, 3, 5, ...",
    "turned": "wins and losses of `second` are exchanged: it holds the candidate's own chances, as "
    "`first` does",
    "half_points": "the score needed is in half points: it is asked for in points, half as many",
    "whole_points": "the score needed is rounded up to a whole point: half points count as well",
    "mean_colours": "the chances of both colours are averaged for every game: that keeps the mean "
    "score, not its spread",
    "normal": "a bell curve stands for the exact chances: add up those of all scores, game by game",
    "exactly": "this is the chance of just that score: it is enough to reach it, so "
    "add up all higher ones",
    "fails": "this is the chance to fail: asked for is the chance to pass",
}

# --- token_search ---------------------------------------------------------------------------------

TOKEN_MISTAKES = {
    "noise": "one bug is left: the noise is mixed in at every node; it belongs to the root only",
    "mask": "one bug is left: arrows that do not exist keep their share of the prior; take them "
    "out and divide by the rest",
    "q": "one bug is left: pi is made of Q; it is made of the visits of the first moves",
    "noise_and_mask": "two bugs are left: where does the noise belong? and what of the prior of "
    "arrows that do not exist?",
    "noise_and_q": "two bugs are left: where does the noise belong? and what is pi made of?",
    "mask_and_q": "two bugs are left: what becomes of the prior of arrows that do not exist? "
    "and what is pi made of?",
    "hasty": "nothing has changed: all three bugs of hasty_token are still there",
    "sign": "the value is not negated on the way up: the players move in turn",
    "friendly": "a child's mean is read as if it were the mover's own: it is for the "
    "player who moves there",
    "asks": "the network is asked about a finished game: a draw, too, is a "
    "result that the rules know",
    "draw_loss": "a draw counts as a loss: it is 0 for both",
    "end_view": "the end is counted for the wrong player: `ends` is for the player "
    "who would move there",
    "no_noise": "the noise is missing: it is mixed into the priors of the root",
    "added": "the noise is added: it is mixed in, (1 - epsilon) of the prior and "
    "epsilon of the noise",
    "noise_first": "the noise is mixed in before the mask: it is a distribution over the arrows "
    "that exist, so mask and divide first",
    "own": "N counts the node's own evaluation as well: it is the visits of its arrows, and "
    "1 where there is none",
    "zero_total": "N is 0 where no arrow was visited yet: it counts as 1 there, so "
    "that the prior decides",
    "no_root": "the root of N is missing",
    "no_total": "the factor sqrt(N) is missing",
    "c_inside": "c stands under the root: it multiplies the whole term, c P sqrt(N) / (1 + n)",
    "plus_one": "the visits are divided by n, or by 1 where n is 0: it is 1 + n",
    "best_only": "pi gives all to the most visited move: it is the share of "
    "each move in the visits",
    "places": "two paths to one place share a node: a node is the path to it",
    "all_simulations": "pi does not add up to 1: the first simulation only evaluates the "
    "root and visits no move",
    "root_view": "the value is for the other player: it belongs to the one who moves at the root",
}

# --- the sheet ------------------------------------------------------------------------------------

_WITHHELD = ("rlcourse.checks.oracle09",)

SHEET = Sheet(
    number="09",
    title="AlphaZero",
    tasks=(
        Task(
            "search_chances",
            24,
            13,
            1,
            "search_chances",
            by_key,
            _WITHHELD,
            "What is learned, what is played",
            visible09.chances(),
            CHANCES_MISTAKES,
            "four or five searches at once of 4 to 7 moves, early and late ones, moves without "
            "visits, very low temperatures",
        ),
        Task(
            "hex_examples",
            0,
            16,
            2,
            "hex_examples",
            by_key,
            _WITHHELD,
            "One network for both players of Hex",
            visible09.hexes(),
            HEX_MISTAKES,
            "boards of 3 x 3 to 5 x 5, both players to move and winning, policies in which "
            "the swap has its share",
        ),
        Task(
            "value_targets",
            26,
            14,
            2,
            "value_targets",
            by_key,
            _WITHHELD,
            "Who is z for?",
            visible09.values(),
            VALUE_MISTAKES,
            "one to four games in a list, wins, draws and games that were cut off, players who "
            "are passed over, other shares",
        ),
        Task(
            "gate_chance",
            26,
            14,
            2,
            "gate_chance",
            by_key,
            _WITHHELD,
            "Who passes the gate?",
            visible09.gates(),
            GATE_MISTAKES,
            "matches of 1 to 51 games, also of an odd number, bounds that a score can "
            "hit exactly and others, a gate of 100 percent",
        ),
        Task(
            "token_search",
            0,
            30,
            3,
            "token_search",
            by_key,
            _WITHHELD,
            "Find the bugs: a hasty PUCT",
            visible09.tokens(),
            TOKEN_MISTAKES,
            "games of 7 to 12 places and up to 6 arrows, 15 to 35 simulations, "
            "draws, other epsilon and c",
        ),
    ),
    manual=(
        ManualTask(
            "experiment",
            12,
            21,
            2,
            "Experiment: what is noise good for?",
            figure=Asked(curves=(3, 3), spreads=(3, 3), points=17),
        ),
        ManualTask("explanation", 12, 25, 2, "Explain what you saw; two lines of self-play work"),
    ),
    slips=read_slips(Path(__file__).with_name("visible.json")),
)

check, grade, attempt, summary, stand_in = SHEET.in_notebook
