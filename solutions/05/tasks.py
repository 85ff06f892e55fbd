"""Sheet 05, TD-Gammon: the tasks, and what each usual mistake is told."""

from pathlib import Path
from typing import Any

import numpy as np

from rlcourse.checks import reference05, visible05
from rlcourse.checks.judging import by_key
from rlcourse.checks.sheet import Sheet
from rlcourse.checks.task import Asked, Case, ManualTask, Mark, Task
from rlcourse.checks.visible import read_slips

# --- hyper_units ----------------------------------------------------------------------------------

UNITS_MISTAKES = {
    "view": "the first player's units always come first: they are for the player who rolls next, "
    "in some rows player 1",
    "mover": "the units of the player who has just moved come first: the network speaks for "
    "the one who rolls next",
    "one_roller": "the roller of the first position decides for all: in each row another player "
    "can roll next",
    "unturned": "the other player's points are not turned round: their point 1 is "
    "the roller's last point",
    "half_unturned": "the other player's points are turned round only where player 1 rolls next: "
    "the two count from opposite ends in every row",
    "half_turned": "the other player's points are turned round only where player 0 rolls next: "
    "the two count from opposite ends in every row",
    "board_view": "the points of every row come in the order of player 0: where player 1 rolls "
    "next, their point 1 comes first",
    "row_turned": "the other player's whole row is turned round, with bar and borne off: turn the "
    "points alone",
    "row_turned_points": "the other player's row is turned round before its points are taken, so "
    "bar and borne off stand among them: turn the points alone",
    "own_turned": "the roller's own points are turned round, in place of the other player's: "
    "the roller's point 1 comes first",
    "opponent_first": "at each point the other player's three units come first: first come the "
    "roller's",
    "more_than": "a unit is on with more than one, two, three checkers: it is on with at least so "
    "many",
    "blocks": "all points of one player come before those of the other: here each point has three "
    "units of both in a row",
    "interleaved": "the units of both players alternate at a point: the roller's three come first, "
    "then the opponent's three",
    "exact": "one unit is on for each point, the one of that very number: two checkers "
    "are also 'at least one'",
    "lesson_units": "these are the lesson's units (just one, two or more, just three): here at "
    "least one, two, three",
    "bar_off": "the bar and what is borne off are exchanged: the bar comes first",
    "pairs": "the four numbers at the end come in another order: the roller's bar and borne off, "
    "then the opponent's",
    "counts": "the four numbers at the end are counts: each is divided by three",
    "bar_whole": "the checkers on the bar are not divided by three: all four numbers at the end "
    "are",
    "off_whole": "the checkers borne off are not divided by three: all four numbers at the end are",
    "lesson_scale": "the bar is halved and borne off divided by 15, as in the lesson: here both "
    "are thirds of three checkers",
}

# --- legal_turns ----------------------------------------------------------------------------------

TURNS_MISTAKES = {
    "two": "one bug is left: a double is played twice; it is played four times, or "
    "as often as possible",
    "lower": "one bug is left: where only one of two dice can be played, it must be the "
    "higher one if that one can",
    "any_off": "one bug is left: a die that is higher than needed bears off only from the "
    "rearmost point that you hold",
    "two_and_lower": "two bugs are left: how often is a double played? and which die, where only "
    "one of two can be played?",
    "two_and_any_off": "two bugs are left: how often is a double played? and from which point may "
    "a higher die bear off?",
    "lower_and_any_off": "two bugs are left: which die, where only one of two can be played? from "
    "which point may a higher die bear off?",
    "hasty": "nothing has changed: all three bugs of hasty_turns are still there",
    "exact_off": "a die that is higher than needed never bears off: it does, from the "
    "rearmost point that you hold",
    "held_inside": "checkers further back hold those that move inside the board, and not those "
    "that are borne off: it is a higher die that bears off only from the rearmost point",
    "shorter": "a play that gets stuck after fewer dice is kept: as many dice as "
    "possible must be played",
    "one_order": "the dice are played in one order only, the higher one first: try both orders",
    "all_or_nothing": "a double that cannot be played four times is not played at all: it is "
    "played as often as possible",
    "doubled": "a double is played as two moves of twice the number: it is four moves of "
    "the number",
    "fewer": "a double is also played less often than it could be: as many of its four dice as "
    "possible must be played",
    "wrong_die": "where only one of two dice can be played, the wrong one is chosen, or none: it "
    "must be the higher one if that can be played, else the lower",
    "empty": "the list is empty where dice cannot be played: those that can are played, and where "
    "none can the list holds the position that was given",
    "lost_double": "a double that gets stuck before the fourth step gives an empty list: the turn "
    "ends with the steps that were possible",
    "bar": "while a checker is on the bar no other one moves: it enters first, "
    "or nothing is played",
    "lands": "a checker lands on a blocked point: no die may be played that leads there",
    "outside": "checkers are borne off while another one is not yet home: first all of them come "
    "to the points 1, 2 and 3",
    "repeats": "a position is listed more than once: two ways of playing that lead to one "
    "position are one turn",
}

MOST_ROWS = 10_000  # also with every way of playing a turn listed on its own


def _by_positions(case: Case, answer: Any) -> Mark:
    """`by_key` of a list of positions in any order; a right one with
    repetitions is a mistake of its own.
    """
    if not isinstance(answer, (list, tuple)) and not (
        isinstance(answer, np.ndarray) and answer.ndim
    ):
        return Mark(0.0, "kind", (), "expected a list of positions, each a tuple of nine numbers")
    if len(answer) > MOST_ROWS:
        return Mark(
            0.0,
            "shape",
            (),
            f"no turn leads to more than {MOST_ROWS:,} positions; got {len(answer):,}",
        )
    if not all(isinstance(row, (list, tuple, np.ndarray)) for row in answer):
        return Mark(0.0, "kind", (), "expected a list of positions, each a tuple of nine numbers")
    odd = next((row for row in answer if len(row) != 9), None)
    if odd is not None:
        return Mark(
            0.0,
            "shape",
            (),
            f"a position has nine numbers, points 1 to 8 and the bar; got {len(odd)}",
        )
    whole = [tuple(int(n) if float(n).is_integer() else n for n in row) for row in answer]
    mark = by_key(case, sorted(set(whole)))
    if len(set(whole)) < len(whole) and mark.score == 1.0:
        return Mark(0.0, "repeats", ("repeats",))
    if mark.mistake in ("shape", "other"):  # how many positions there are is part of the answer
        return mark._replace(mistake="other", detail="")
    return mark


# --- match_chances --------------------------------------------------------------------------------

MATCH_MISTAKES = {
    "view": "the outputs are read as the mover's own: they are those of the player who rolls "
    "next, whom you want to lose",
    "half_view": "only the first output is turned: their gammons are your lost ones, so those "
    "change places as well",
    "win_view": "the first output is read as the mover's own, and the gammons are not: all five "
    "are those of your opponent, who rolls next",
    "nested": "a gammon is counted as a win as well: 'win' holds all wins, the single ones are "
    "what is left without gammons",
    "nested_lost": "your opponent's gammons are counted as other wins as well: 'win' holds all "
    "their wins, and a single one is what is left without gammons",
    "nested_won": "your own gammons are counted as other wins as well: of your wins, 1 - win, a "
    "single one is what is left without gammons",
    "nested_single": "gammons are counted among the single games as well: win holds all wins, so "
    "take the gammons out, on either side",
    "nested_single_lost": "your opponent's gammons are counted among their single wins as well: "
    "take them out, as you did on your own side",
    "nested_single_won": "your own gammons are counted among your single wins as well: take them "
    "out, as you did on your opponent's side",
    "nested_gammon": "backgammons are counted as gammons as well: take them out, on either side",
    "nested_gammon_lost": "your opponent's backgammons are counted as their gammons as well: take "
    "them out, as you did on your own side",
    "nested_gammon_won": "your own backgammons are counted as your gammons as well: take them out, "
    "as you did on your opponent's side",
    "exclusive": "the five outputs are read as results that exclude each other: 'win' holds all "
    "wins, and gammons hold backgammons",
    "beyond": "a gammon of more points than needed is left out: it wins the match as well",
    "plain": "gammons count no more than a single game: they bring two points, backgammons three",
    "no_triple": "a backgammon is counted as a gammon: it brings three points",
    "wraps": "more points than needed lead to a negative index, which NumPy reads from the end: "
    "the match is won at 0",
    "wraps_lost": "where your opponent wins more points than they need, the index is negative, and "
    "NumPy reads from the end: they have won the match at 0",
    "wraps_won": "where you win more points than you need, the index is negative, and NumPy reads "
    "from the end: you have won the match at 0",
    "exchanged_lost": "rows and columns of the table are exchanged where your opponent wins: "
    "table[a, b] is the chance of the player who needs a, so your points come first there, too",
    "exchanged_won": "rows and columns of the table are exchanged where you win: table[a, b] is "
    "the chance of the player who needs a, so your points come first there, too",
    "exchanged": "this is your opponent's chance, as if rows and columns of the table were "
    "exchanged: table[a, b] is the chance of the player who needs a",
}

# --- gammon_targets -------------------------------------------------------------------------------

TARGETS_MISTAKES = {
    "view": "nothing is turned: the next row is the other player's, so what they win you lose",
    "no_swap": "only the first output is turned: their winning a gammon is your losing one, so "
    "these two change places",
    "sign": "the outputs are turned like values, by their sign: these are probabilities, the "
    "other's win is 1 minus mine",
    "complements": "all three outputs are turned with 1 - p: only winning and losing are "
    "opposites; their winning a gammon is your losing one, so these two change places",
    "half_turn": "the next estimate is turned, the next target is not: both are the other player's",
    "estimate_unturned": "the next target is turned, the next estimate is not: both are the other "
    "player's",
    "one_account": "all rows are those of the player who rolls last: each belongs to the player "
    "who rolls there, so every second one is turned",
    "result_only": "this is the result in every row, as with lam = 1: the next estimate counts "
    "1 - lam",
    "next_only": "this is the next estimate in every row, as with lam = 0: the next target counts "
    "lam",
    "own_value": "off by one: the estimate in the target is that of the next "
    "position, not of this one",
    "end_value": "the last position's target is the result alone: its own "
    "estimate has no part in it",
    "exclusive": "a won gammon is a won game, too: its target is 1 for both outputs",
    "only_two": "a backgammon (3 points) is a gammon as well",
    "only_three": "a game that brings 2 points is a won gammon as well: only that of 3 counts here",
    "loses_gammon": "the won gammon stands in the last output, which is for lost ones",
    "last_loses": "the last position's target is the loser's: who rolls there wins the game",
    "win_unturned": "the first output is not turned: the other's win is 1 minus mine",
    "own_value_turned": "off by one: the estimate in the target is that of the next position, and "
    "not that of this one, turned",
    "no_estimate": "the next estimate has no part in the target: it counts 1 - lam",
    "points": "the points stand in the target: the outputs are probabilities, 1 where it happened",
    "swapped": "lam and 1 - lam are exchanged: the estimate counts 1 - lam, the next target lam",
}

# --- two_ply_chances ------------------------------------------------------------------------------

PLY_MISTAKES = {
    "doubles": "the ten rolls are taken as equally likely: two different numbers come twice "
    "as often as a double",
    "once": "two different numbers are counted once, and all is divided by 16: of 16 rolls they "
    "come twice, as 2-1 and as 1-2",
    "six_sides": "dice with six sides are rolled: here they have four",
    "best_roll": "they choose the roll as well: the dice are rolled by chance, and only the reply "
    "is theirs, so take the mean over the rolls",
    "view": "rows and columns are exchanged: after their move you roll next, so "
    "your square comes first",
    "roller": "the table is asked as if they rolled again: after their move it is your turn, and "
    "the value is yours already",
    "friendly": "they play for you: of their two moves they take the one that leaves you less",
    "random": "their numbers are averaged, as if they moved by either at random, or rolled one "
    "die: of the moves by two numbers they take the one that leaves you less",
    "higher": "they always move by the higher number: their best reply is the move that leaves you "
    "less, and the lower number can do so",
    "one_reply": "their reply is the same after all your plays, the one that is best on average: "
    "after each play they choose anew",
    "first_reply": "their reply is the same after all your plays, the one that is best after the "
    "first: after each play they choose anew",
    "nearest": "they always move to the square that is nearest to home: their best reply is the "
    "move that leaves you less, and values says which",
    "before_throw": "they decide for the higher or the lower die before they have rolled: the best "
    "reply is inside the mean, a different one for each roll",
    "my_end": "a play that brings you home has won: no roll can change that, and "
    "values[0, ...] means nothing",
    "their_end": "a move that brings them home has won for them: values[..., 0] means nothing",
    "exact_home": "a number higher than needed is not played: it brings their counter home as well",
    "wraps": "a number higher than needed leads to a negative index, which NumPy reads from the "
    "end: it brings their counter home",
    "their_win": "a move that brings them home counts as your win: it leaves you nothing",
    "ladder_home": "a ladder that leads home ends the game as well: look where the counter is "
    "after it has climbed",
    "both": "they move by both numbers together: they move by one of the two, whichever they like",
    "both_too": "they can move by both numbers together as well: they move by one of the two",
    "no_ladders": "their counter stands where the die put it: look up in `goes` where it ends",
    "one_ply": "this is the table's word after one ply: look at each of their rolls "
    "and at their best move",
}

# --- the sheet ------------------------------------------------------------------------------------

_WITHHELD = ("rlcourse.checks.oracle05", "rlcourse.checks.reference05")

SHEET = Sheet(
    number="05",
    title="TD-Gammon",
    tasks=(
        Task(
            "hyper_units",
            18,
            14,
            1,
            "hyper_units",
            by_key,
            _WITHHELD,
            "Units for three checkers a side",
            visible05.hyper(),
            UNITS_MISTAKES,
            "boards of 6, 9 and 24 points, 1 to 8 positions at once, both players rolling next, "
            "checkers on the bar and off",
        ),
        Task(
            "legal_turns",
            0,
            28,
            3,
            "legal_turns",
            _by_positions,
            _WITHHELD,
            "Find the bugs: a hasty generator",
            visible05.turns(),
            TURNS_MISTAKES,
            "one to three checkers, on the bar too; doubles that get stuck, one die that can be "
            "played, sometimes the lower one, bearing off; each position once",
        ),
        Task(
            "match_chances",
            20,
            15,
            2,
            "match_chances",
            by_key,
            _WITHHELD,
            "What a gammon is worth in a match",
            visible05.match(),
            MATCH_MISTAKES,
            "1 to 6 plays at once, matches in which either player needs 1 to 5 points, other "
            "tables",
        ),
        Task(
            "gammon_targets",
            21,
            13,
            2,
            "gammon_targets",
            by_key,
            _WITHHELD,
            "Lambda-returns with gammons",
            visible05.gammons(),
            TARGETS_MISTAKES,
            "games of 1 to 8 positions that end with 1, 2 or 3 points, other lam",
        ),
        Task(
            "two_ply_chances",
            21,
            15,
            3,
            "two_ply_chances",
            by_key,
            _WITHHELD,
            "Look one roll ahead",
            visible05.two_ply(),
            PLY_MISTAKES,
            "tracks of 9 to 18 squares with ladders, 1 to 6 plays at once, home among them, "
            "tables full of numbers",
        ),
    ),
    manual=(
        ManualTask(
            "experiment",
            12,
            17,
            2,
            "Experiment: what is looking ahead worth?",
            figure=Asked(curves=(3,), spreads=(2,), points=5),
        ),
        ManualTask("explanation", 8, 16, 2, "Explain what you saw"),
    ),
    stand_ins={"two_ply_chances": lambda *args: reference05.two_ply_chances(*args)},
    slips=read_slips(Path(__file__).with_name("visible.json")),
)

check, grade, attempt, summary, stand_in = SHEET.in_notebook
