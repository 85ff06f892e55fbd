"""A class's players against each other and against the course's bots, each hand-in in a box of its
own.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
import psutil

from rlcourse.agents import agent_names, load_agent, make_agent
from rlcourse.agents.base import BatchAgent
from rlcourse.atomic import write_atomically
from rlcourse.checks import get_sheet
from rlcourse.checks.variant import Variant
from rlcourse.games import Game
from rlcourse.grading.box_launcher import BoxLauncher
from rlcourse.grading.box_limits import MEGABYTE, WITH_TENSORFLOW, Limits
from rlcourse.grading.contender import Clock, Contender, is_agent
from rlcourse.grading.intake import Intake, take_in
from rlcourse.grading.launch import Launcher, launch_plain
from rlcourse.grading.policy import Policy
from rlcourse.grading.roster import Roster
from rlcourse.ladder import Ladder
from rlcourse.round_robin import RoundRobin, round_robin
from rlcourse.untrusted import table

KINDS = (".h5", ".ipynb", ".py")
NUMBER = "10"  # of the capstone's sheet
SIMULATIONS = (10, 50, 200)  # of the bots that search
PLAYER = Limits(memory=512, whole=768)  # WITH_TENSORFLOW for one with a network
USUAL = {False: 150, True: 750}  # MB that a player takes, without and with a network


def entrants(
    submissions: Path, roster: Roster | None, policy: Policy, number: str = NUMBER
) -> tuple[dict[str, bytes], list[tuple[str, str]]]:
    """Of the hand-ins below a folder, or in a zip, one for each student: (name -> content of the
    one that counts, (name, why not) of who does not play).

    number: of the capstone's sheet, or of a variant of it.
    Raises BadArchive, FileNotFoundError.
    """
    contents: dict[str, bytes] = {}
    intake: Intake = take_in(submissions, roster, contents.__setitem__, number=number, kinds=KINDS)
    players, absent = {}, [(origin, f"nobody's: {reason}") for origin, reason in intake.unmatched]
    for student in intake.students():
        name = student.name or student.id
        name = f"{name} ({student.id})" if name in players else name
        attempts = intake.attempts.get(student.id, [])
        attempt = policy.choose(attempts, dict.fromkeys(contents, 0.0)) if attempts else None
        if attempt is None or not attempt.digest:
            absent.append((name, attempt.refused if attempt else "nothing handed in"))
        else:
            players[name] = contents[attempt.digest]
    return players, absent


def bots(game: Game) -> dict[str, BatchAgent]:
    """The rungs: random play, searches of growing depth, and everything that the course ships for
    this game.
    """
    rungs: dict[str, BatchAgent] = {"*random": make_agent("random", game)}
    for simulations in SIMULATIONS:
        rungs[f"*uct {simulations}"] = make_agent("uct", game, simulations=simulations)
    for name in agent_names():
        kind = name.partition("/")[2]
        if name.startswith(f"{game.name}/") and kind not in ("random", "uct"):
            try:
                rungs[f"*{kind}"] = load_agent(name, game=game)
            except ValueError:  # for a board of another size
                continue
    return rungs


@dataclass(frozen=True)
class Tournament:
    """What `hold` returns. bots: the rungs among the players."""

    played: RoundRobin
    ladder: Ladder
    bots: frozenset[str]
    absent: Sequence[tuple[str, str]] = ()

    def write(self, folder: Path) -> list[Path]:
        """ladder.csv, matches.csv (every pair), forfeits.csv and ladder.png."""
        from rlcourse.plots import figure, picture
        from rlcourse.plots import ladder as draw

        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        ladder = self.ladder
        ladder.write_csv(folder / "ladder.csv")
        wins, draws = ladder.wins.astype(int), ladder.draws.astype(int)
        header = ("player", "opponent", "won", "drawn", "lost")
        matches = [
            dict(zip(header, (name, other, wins[a, b], draws[a, b], wins[b, a]), strict=True))
            for a, name in enumerate(ladder.names)
            for b, other in enumerate(ladder.names[:a])
        ]
        forfeits: list[dict[str, Any]] = [
            {"player": name, "games": games, "why": reason}
            for name, reasons in self.played.forfeits().items()
            for reason, games in reasons.items()
        ]
        forfeits += [
            {"player": name, "why": f"does not play: {reason}"} for name, reason in self.absent
        ]
        with figure(8.0, 1.2 + 0.24 * len(ladder.names)) as (fig, axes):
            drawn = picture(fig, draw(axes, ladder, rungs=self.bots)).png
        contents: dict[str, str | bytes] = {
            "matches.csv": table(header, matches),
            "forfeits.csv": table(("player", "games", "why"), forfeits),
            "ladder.png": drawn,
        }
        for name, content in contents.items():
            write_atomically(folder / name, content, private=True)
        return [folder / name for name in ("ladder.csv", *contents)]


@contextmanager
def seated(
    game: Game,
    players: Mapping[str, bytes],
    clock: Clock,
    *,
    boxed: bool,
    hidden: tuple[Path, ...] = (),
    number: str = NUMBER,
) -> Iterator[dict[str, Contender]]:
    """The hand-ins as players of this game, each in a box of its own.

    hidden: folders that no box may see. number: of the capstone's sheet, or of a variant of it,
    whose players name moves otherwise than the game. Raises Unprotected where boxes cannot be made.
    """
    # A box gets the rules compiled if they were before it is made.
    round_robin(dict.fromkeys("ab", make_agent("random", game)), games=2, seed=0)
    # What the sheet withholds is not there: exact play is no player of one's own.
    sheet = get_sheet(number)
    with ExitStack() as boxes:

        def launcher(limits: Limits) -> Launcher:
            """What starts the process of a player with these limits."""
            if not boxed:
                return launch_plain
            return boxes.enter_context(BoxLauncher(sheet, limits=limits, hidden=hidden))

        plain = launcher(PLAYER)
        networks = launcher(WITH_TENSORFLOW) if any(map(is_agent, players.values())) else plain
        yield {
            name: Contender(
                game,
                name,
                content,
                networks if is_agent(content) else plain,
                clock,
                sheet=sheet,
                translated=_translated(number),
            )
            for name, content in players.items()
        }


def _translated(number: str) -> str:
    """The source after which `choose` of a variant of the capstone is one of the sheet as it is.

    Its answers are turned once more: the variant's way and the way back are the same.
    """
    if number == NUMBER:
        return ""
    chosen: dict[str, Variant] = import_module(f"rlcourse.checks.variants{number}").CHOSEN
    return chosen["legal"].wrapped("", "choose")


def hold(
    game: Game,
    contenders: Mapping[str, Contender],
    *,
    games: int = 4,
    seed: int = 0,
    jobs: int = 4,
    folder: Path | None = None,
    progress: Callable[[int], None] = lambda finished: None,
) -> Tournament:
    """Play the tournament of these hand-ins and the bots.

    folder: for the games, so that a second run goes on.
    """
    rungs = bots(game)
    players: dict[str, Any] = {**rungs, **contenders}
    played = round_robin(
        players,
        games=games,
        seed=seed,
        folder=folder,
        together=_together([USUAL[one.has_network] for one in contenders.values()]),
        jobs=jobs,
        progress=progress,
    )
    return Tournament(played, played.ladder("*random"), frozenset(rungs))


def count_games(game: Game, players: int, games: int) -> int:
    """How many games a tournament of so many hand-ins has."""
    count = players + len(bots(game))
    return games * count * (count - 1) // 2


def _together(needs: list[int]) -> int:
    """How many players may be awake: a third of this machine's memory is theirs.

    It is a third of all memory, not of what is free just now, because the next run must find the
    same groups, or it would play everything anew.
    """
    room = psutil.virtual_memory().total / MEGABYTE / 3
    fits = int(np.searchsorted(np.cumsum(sorted(needs, reverse=True)), room, side="right"))
    return 24 if fits == len(needs) else max(4, min(24, fits))
