"""The visible cases of sheet 11, worked by hand."""

import numpy as np

from rlcourse.checks.judging import Key
from rlcourse.checks.task import Case


def expected() -> tuple[Case, ...]:
    """expected_sarsa: a step on the way, the last one, and one to a state with two best actions."""
    table = np.array([[4.0, 3.0, 6.0, 2.0], [5.0, 1.0, 3.0, 12.0], [1.0, 10.0, 2.0, 7.0]])
    # The best of state 2 is 10, the mean 5: 0.7 * 10 + 0.3 * 5 = 8.5. The target is
    # 1 + 0.8 * 8.5 = 7.8; half of the way from 2 is 4.9.
    after = table.copy()
    after[0, 3] = 4.9
    # The episode is over, so the target is -2; a quarter of the way from 10 is 7.
    last = table.copy()
    last[2, 1] = 7.0
    # Two entries are 8, the mean is 6: 0.5 * 8 + 0.5 * 6 = 7. The target is 1 + 7 = 8, half of the
    # way from 2 is 5.
    tied = np.array([[2.0, 0.0, 1.0], [8.0, 2.0, 8.0]])
    between = tied.copy()
    between[0, 0] = 5.0
    return (
        Case((table, 0, 3, 1.0, 2, False, 0.5, 0.8, 0.3), Key(after), title="a step on the way"),
        Case((table, 2, 1, -2.0, 0, True, 0.25, 0.8, 0.3), Key(last), title="the last step"),
        Case(
            (tied, 0, 0, 1.0, 1, False, 0.5, 1.0, 0.5),
            Key(between),
            title="two best actions, equally good",
        ),
    )


def within() -> tuple[Case, ...]:
    """best_within: a quick small reward, or a large one two steps away; then a slippery world,
    the same one with no step left, and a world in which every step costs.
    """
    # State 0: action 0 ends with 2, action 1 leads to state 1 for nothing. State 1: action 0 stays
    # and costs 1, action 1 ends with 5.
    chances = np.zeros((2, 2, 2))
    chances[0, 1, 1] = chances[1, 0, 1] = 1.0
    rewards = np.array([[2.0, 0.0], [-1.0, 5.0]])
    # One step left: 2 and 5. Two: max(2, 0 + 5) = 5 and 5. Three: the same.
    right = np.array([[0.0, 0.0], [2.0, 5.0], [5.0, 5.0], [5.0, 5.0]])
    # State 0: action 0 pays 1 and stays with 1/2; action 1 pays nothing and leads to state 1 with
    # 3/4. State 1: action 0 pays 4 and leads back with 1/2, action 1 pays 3 and stays with 1/2.
    # State 2: action 0 pays 0.5 and leads to state 1, action 1 costs 1 and leads to state 0 with
    # 1/4. One step left: 1, 4, 0.5. Two: max(1 + 0.5, 3) = 3, max(4 + 0.5, 3 + 2) = 5, 0.5 + 4.
    slippery = np.zeros((3, 2, 3))
    slippery[0, 0, 0] = slippery[1, 0, 0] = slippery[1, 1, 1] = 0.5
    slippery[0, 1, 1] = 0.75
    slippery[2, 0, 1] = 1.0
    slippery[2, 1, 0] = 0.25
    pays = np.array([[1.0, 0.0], [4.0, 3.0], [0.5, -1.0]])
    two = np.array([[0.0, 0.0, 0.0], [1.0, 4.0, 0.5], [3.0, 5.0, 4.5]])
    # Action 0 costs 1 and stays with 1/2, action 1 costs 2 and ends: max(-1, -2), then
    # max(-1 - 0.5, -2).
    stays = np.array([[[0.5], [0.0]]])
    costs = np.array([[-1.0, -2.0]])
    return (
        Case((chances, rewards, 3), Key(right), title="2 at once, or 5 after two steps"),
        Case((slippery, pays, 2), Key(two), title="steps that may end the episode"),
        Case((slippery, pays, 0), Key(np.zeros((1, 3))), title="the same, with no step left"),
        Case(
            (stays, costs, 2),
            Key(np.array([[0.0], [-1.0], [-1.5]])),
            title="one state, in which every step costs",
        ),
    )


def calling() -> tuple[Case, ...]:
    """gain_of_calling: three cards; then cards with which nobody bets."""
    # Bets 0.5, 0, 1; pot 1, size 2. Card 0: only card 2 can have bet: -2. Card 1: weights 0.5 and
    # 1: (0.5 * 3 - 1 * 2) / 1.5 = -1/3. Card 2: only card 0: +3.
    bluffs = np.array([-2.0, -1 / 3, 3.0])
    # Bets 0, 0.25, 0, 0; pot 5, size 2. Card 0 loses 2 to card 1; with card 1 nobody can have bet;
    # cards 2 and 3 win 7.
    rare = np.array([-2.0, 0.0, 7.0, 7.0])
    return (
        Case(
            (np.array([0.5, 0.0, 1.0]), 1.0, 2.0),
            Key(bluffs),
            title="the lowest card bluffs every second time",
        ),
        Case(
            (np.array([0.0, 0.25, 0.0, 0.0]), 5.0, 2.0),
            Key(rare),
            title="only card 1 bets, now and then",
        ),
    )


def averages() -> tuple[Case, ...]:
    """average_policies: four rounds of a game of two rows and three columns; then one round
    in which one player has no choice."""
    game = np.array([[4.0, 1.0, 0.0], [2.0, 1.0, 1.0]])
    # Round 1: 1/2, 1/2 and 1/3 each. Rows are worth 5/3 and 4/3, their policy 3/2: regrets 1/6,
    # -1/6. Columns are worth -3, -1, -1/2, their policy -3/2: -3/2, 1/2, 1. Round 2: 1, 0 and
    # 0, 1/3, 2/3. Rows: 1/3 and 1, policy 1/3: 1/6, 1/2. Columns: -4, -1, 0, policy -1/3: -31/6,
    # -1/6, 4/3. Round 3: 1/4, 3/4 and 0, 0, 1. Rows: 0 and 1, policy 3/4: -7/12, 3/4. Columns:
    # -5/2, -1, -3/4, policy -3/4: the third has the only positive regret. Round 4: 0, 1 and
    # 0, 0, 1. The means: (1/2 + 1 + 1/4)/4 = 7/16; (1/3)/4, (2/3)/4, 3/4.
    four = (np.array([7 / 16, 9 / 16]), np.array([1 / 12, 1 / 6, 3 / 4]))
    single = np.array([[1.0, 3.0]])
    one = (np.ones(1), np.full(2, 1 / 2))
    return (
        Case((game, 4), Key(four), title="four rounds"),
        Case((single, 1), Key(one), title="one round; the row player has one action"),
    )
