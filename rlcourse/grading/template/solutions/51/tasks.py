"""Sheet 51, Your title: the tasks, and what each usual mistake is told."""

from pathlib import Path

from rlcourse.checks import visible51
from rlcourse.checks.judging import by_key
from rlcourse.checks.sheet import Sheet
from rlcourse.checks.task import ManualTask, Task
from rlcourse.checks.visible import read_slips

SHAPED_MISTAKES = {
    "forward": "the sum runs from the first ply on: a return looks ahead, so begin at the last ply",
    "gamma": "the rewards are not discounted: multiply by gamma once a ply",
    "late": "the reward of the ply itself is missing",
}

SHEET = Sheet(
    "51",
    "Your title",
    (
        Task(
            "shaped_returns",
            70,
            15,
            1,
            "shaped_returns",
            by_key,
            ("rlcourse.experience",),
            "Returns by hand",
            visible51.shaped(),
            SHAPED_MISTAKES,
            "games of one ply, long games, negative rewards",
        ),
    ),
    manual=(ManualTask("explanation", 30, 10, 1, "Explain"),),
    slips=read_slips(Path(__file__).with_name("visible.json")),
)

check, grade, attempt, summary, stand_in = SHEET.in_notebook
