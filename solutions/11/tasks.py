"""Sheet 11, beyond two players: the tasks, and what each usual mistake is told."""

from pathlib import Path

from rlcourse.checks import visible11
from rlcourse.checks.judging import by_key
from rlcourse.checks.sheet import Sheet
from rlcourse.checks.task import Asked, ManualTask, Task
from rlcourse.checks.visible import read_slips

# --- expected_sarsa -------------------------------------------------------------------------------

EXPECTED_MISTAKES = {
    "q_learning": "the target has the best next entry, as in Q-learning: with probability epsilon "
    "a random action is played",
    "uniform": "the next action is taken as a random one: with probability 1 - epsilon it is the "
    "best",
    "swapped": "epsilon and 1 - epsilon are exchanged: epsilon is the probability of a random "
    "action",
    "others": "the random action is drawn from the actions that are not the best: it can be the "
    "best one as well, so all A are equally likely",
    "best_once": "the best action gets 1 - epsilon alone: it can be the random one as well, so its "
    "probability is 1 - epsilon + epsilon / A",
    "all_best": "each of several best actions has the probability 1 - epsilon: only one of "
    "them is played, so together they have 1 - epsilon",
    "summed": "the entries of the random action are added up: each of the A comes with epsilon / "
    "A, so it is their mean that counts epsilon",
    "end_value": "a value is added beyond the end: when the episode is over, the target is the "
    "reward",
    "own_state": "the entries of this state are in the target: what counts is the next state",
    "own_best": "the best entry is looked up in this state: what counts is the best one of "
    "the next state",
    "no_last": "nothing is learned from the last step: when the episode is over, the entry moves "
    "towards the reward",
    "no_reward": "the reward is missing: the target is the reward and the discounted value of what "
    "follows",
    "discounted_reward": "the reward is discounted: it comes with this step and counts in full",
    "discounted_sum": "the sum of the reward and what follows is discounted: only what follows is, "
    "because the reward comes with this step",
    "no_gamma": "the discount is missing: what lies one step ahead counts gamma",
    "gamma": "the discount 0.9 is written into the code: use the argument gamma",
    "full_step": "alpha is missing: the entry moves only a part alpha of the way to its target",
    "last_full": "alpha is missing in the last step: there, too, the entry moves only a part alpha "
    "of the way to its target",
    "alpha_swapped": "alpha and 1 - alpha are exchanged: the entry moves a part alpha of the way "
    "to its target, and keeps the rest",
    "no_difference": "alpha times the target is added to the entry: what is added is alpha times "
    "the way that is left, target - entry",
}

# --- best_within ----------------------------------------------------------------------------------

WITHIN_MISTAKES = {
    "shifted": "off by one: row 0 belongs to no step left, and there nothing is to be won",
    "reversed": "the rows stand in the wrong order: row k has k steps left, so zeros come first",
    "mean": "the actions are averaged: under best play the best one counts",
    "swept": "values of the same row are used: what follows a step has one step less, so all of it "
    "stands in the row before",
    "myopic": "only the next reward counts: what may follow it has the values of the row before",
    "never_ends": "the chances are divided by their sum: where they sum to less than 1, the "
    "episode ends with the rest of the probability",
    "stays": "with the rest of the probability the player stays in the state: where the chances "
    "sum to less than 1, the episode ends with the rest, and nothing follows",
    "end_free": "a step that ends the episode brings no reward: `rewards` is the mean reward of "
    "the step, whether the episode goes on or not",
    "may_stop": "the better of this row and the row before is kept, as if the player could stop: "
    "a step is made whenever one is left, also where it costs",
    "two_bests": "the best reward and the best future are added, which may belong to two actions: "
    "take the largest of their sums, action by action",
    "from_states": "`chances` is read the wrong way round: chances[s, a, t] leads from s to t",
    "gamma": "what follows is discounted by 0.9: there is no discount",
    "same_moves": "the moves that are best with one step left are kept: with more time another "
    "move may be better",
}

# --- gain_of_calling ------------------------------------------------------------------------------

CALLING_MISTAKES = {
    "own_card": "the opponent may hold your own card: there is one of each",
    "tie_won": "the opponent may hold your own card, and you win then: there is one of each",
    "whole_sum": "the sum of the weights has your own card's in it, too: the opponent cannot hold "
    "that card, so it counts in neither sum",
    "not_bet": "the weights are 1 - bets, those of cards with which the opponent does not bet: it "
    "was seen that they have bet",
    "may_fold": "0 stands where a call loses, as if you folded then: what a *call* wins is asked, "
    "and it may be less than 0",
    "unweighted": "all cards of the opponent count alike: after a bet those count more with which "
    "they bet more often",
    "ever": "all cards with which the opponent ever bets count alike: those count more with which "
    "they bet more often",
    "turned": "the lower card wins here: the higher one does",
    "pot_only": "the opponent's bet is missing: who calls and wins gets the pot and the bet",
    "bet_only": "the pot is missing: who calls and wins gets the pot and the bet",
    "own_chips": "your own call is counted as won: it only comes back to you, so the gain is the "
    "pot and the opponent's bet",
    "pot_lost": "a lost call costs too much: the pot was not yours, so only the call is lost",
    "free": "a lost call costs nothing here: it costs the size of the bet",
    "not_divided": "the sum is not divided by that of the weights: it was seen that the opponent "
    "has bet",
    "count": "divided by the number of other cards: divide by the sum of the weights, because it "
    "was seen that the opponent has bet",
}

# --- average_policies -----------------------------------------------------------------------------

AVERAGE_MISTAKES = {
    "last": "these are the policies of the last round: the average over all rounds is asked for",
    "next": "these are the policies that the next round would begin with: the average over all "
    "rounds that were played is asked for",
    "late": "the policies are added after the regrets have changed, so that those of the first "
    "round are missing: add those that are played, before they change",
    "sums": "the sums are not divided by the number of rounds",
    "same_side": "both players want the same: what the row player wins, the column player loses",
    "absolute": "a negative regret counts as a positive one: such an action gets probability 0",
    "nothing": "where no regret is positive all probabilities are 0: all actions are equally "
    "likely then",
    "greedy": "the action with the largest regret is played alone: all those with a positive "
    "regret are, in proportion to it",
    "against_mean": "each action is measured against the other's average so far: what counts is "
    "the other's policy of this round",
    "plain_mean": "the policy's worth is the plain mean over the actions: each counts with its "
    "probability in the policy",
    "in_turn": "the column player answers the row player's policy of the next round: both learn "
    "from what was played in this round",
    "clipped": "regrets below 0 are set to 0 and forgotten: add them up as they are, and leave out "
    "the negative ones only when a policy is made",
    "no_value": "what the policy itself is worth is not taken off: a regret says how much better "
    "the action would have been",
    "forgets": "only the regrets of the last round count: add them up over all rounds",
    "from_one": "the regrets begin with 1: all of them are 0 at the start",
}

# --- the sheet ------------------------------------------------------------------------------------

_WITHHELD = ("rlcourse.checks.oracle11",)

SHEET = Sheet(
    number="11",
    title="Beyond two players",
    tasks=(
        Task(
            "expected_sarsa",
            18,
            13,
            1,
            "expected_sarsa",
            by_key,
            _WITHHELD,
            "Expected SARSA",
            visible11.expected(),
            EXPECTED_MISTAKES,
            "tables of 2 to 5 states and 1 to 4 actions, steps that stay in a state, last steps, "
            "other alpha, gamma and epsilon",
        ),
        Task(
            "best_within",
            20,
            13,
            2,
            "best_within",
            by_key,
            _WITHHELD,
            "A clock in the world",
            visible11.within(),
            WITHIN_MISTAKES,
            "2 to 5 states, 1 to 3 actions, rewards above and below 0, steps that may end the "
            "episode, no step left",
        ),
        Task(
            "gain_of_calling",
            20,
            15,
            2,
            "gain_of_calling",
            by_key,
            _WITHHELD,
            "To call or to fold",
            visible11.calling(),
            CALLING_MISTAKES,
            "3 to 7 cards, cards with which nobody bets, other pots and bets",
        ),
        Task(
            "average_policies",
            22,
            18,
            3,
            "average_policies",
            by_key,
            _WITHHELD,
            "Regret matching in a matrix",
            visible11.averages(),
            AVERAGE_MISTAKES,
            "1 to 4 rows and columns, up to 30 rounds",
        ),
    ),
    manual=(
        ManualTask(
            "experiment",
            12,
            11,
            2,
            "Experiment: the last policy or the average",
            figure=Asked(curves=(2,), spreads=(2,), points=6, log="xy"),
        ),
        ManualTask("explanation", 8, 16, 2, "Explain what you saw"),
    ),
    slips=read_slips(Path(__file__).with_name("visible.json")),
)

check, grade, attempt, summary, stand_in = SHEET.in_notebook
