"""A ladder of players from their games.

Its Elo differences have intervals, and it says how small a difference it can tell.

The model is Davidson's (1970), the one of Bradley and Terry (1952) with draws. With d the
difference of two strengths,
    P(win) : P(draw) : P(loss) = exp(d / 2) : nu : exp(-d / 2),
one nu for all pairs. Elo is d in units in which 400 stand for odds of win to loss of 10 to 1.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from rlcourse.atomic import write_atomically
from rlcourse.errors import BadValue
from rlcourse.intervals import Z_POWER, Z
from rlcourse.untrusted import table

ELO = 400 / math.log(10)  # Elo of one unit of the natural logarithm of the odds
# Strengths are drawn towards their mean as if they were normal with this spread: a player who lost
# every game then has a finite place, with an interval that says how little is known of it; on all
# others the pull is not felt.
PRIOR = 1_000.0


@dataclass(frozen=True)
class Ladder:
    """Players in the order in which they were given.

    elo [K]: relative to the anchor, whose Elo is 0.

    error [K, K]: standard error of the difference of two players in Elo. wins [K, K]: how often the
    row's player beat the column's; draws [K, K] is symmetric. nu: of the model; 0 where nobody
    drew.
    """

    names: tuple[str, ...]
    elo: np.ndarray
    error: np.ndarray
    wins: np.ndarray
    draws: np.ndarray
    nu: float
    anchor: int

    @property
    def order(self) -> np.ndarray:
        """[K] the players from the strongest to the weakest."""
        return np.argsort(-self.elo, kind="stable")

    @property
    def games(self) -> np.ndarray:
        """[K] games of each player."""
        return (self.wins + self.wins.T + self.draws).sum(axis=1).astype(int)

    @property
    def score(self) -> np.ndarray:
        """[K] wins plus half the draws, as a share in [0, 1]; NaN for a player without games."""
        return (self.wins + self.draws / 2).sum(axis=1) / np.where(
            self.games > 0, self.games, np.nan
        )

    @property
    def head_to_head(self) -> np.ndarray:
        """[K, K] the row's share of the points against the column; NaN where they did not meet."""
        met = self.wins + self.wins.T + self.draws
        return (self.wins + self.draws / 2) / np.where(met > 0, met, np.nan)

    def interval(self, player: int) -> tuple[float, float]:
        """95% interval of a player's distance to the anchor, from the likelihood (Wald)."""
        reach = Z * self.error[player, self.anchor]
        return float(self.elo[player] - reach), float(self.elo[player] + reach)

    def expected(self, difference: float) -> float:
        """The score that so many Elo more are worth: wins plus half the draws, in [0, 1]."""
        win, loss = math.exp(difference / ELO / 2), math.exp(-difference / ELO / 2)
        return (win + self.nu / 2) / (win + loss + self.nu)

    def apart(self, one: int, other: int) -> bool:
        """Whether the 95% interval of the difference of two players leaves out 0."""
        return bool(abs(self.elo[one] - self.elo[other]) > Z * self.error[one, other])

    def smallest_gap(self) -> float:
        """The Elo difference of two neighbours, in the median, that has a power of 80%."""
        above, below = self.order[:-1], self.order[1:]
        return float((Z + Z_POWER) * np.median(self.error[above, below]))

    def rows(self) -> list[dict[str, object]]:
        """The table from the top.

        rank, name, elo, low, high, score, wins, draws, losses, games, apart (from the next).
        """
        table, order = [], self.order.tolist()
        for rank, player in enumerate(order, 1):
            low, high = self.interval(player)
            row = {
                "rank": rank,
                "name": self.names[player],
                "elo": round(float(self.elo[player])),
                "low": round(low),
                "high": round(high),
                "score": round(float(self.score[player]), 4),
                "wins": int(self.wins[player].sum()),
                "draws": int(self.draws[player].sum()),
                "losses": int(self.wins[:, player].sum()),
                "games": int(self.games[player]),
            }
            row["apart"] = self.apart(player, order[rank]) if rank < len(order) else None
            table.append(row)
        return table

    def write_csv(self, path: Path | str) -> None:
        """The table as CSV. A name that looks like a formula gets a quote in front."""
        rows = self.rows()
        write_atomically(Path(path), table(list(rows[0]), rows))

    def __str__(self) -> str:
        width = max(6, *(len(name) for name in self.names))
        titles = f"{'Elo':>6} {'95% interval':>16} {'score':>7} {'won-drawn-lost':>17}"
        lines = [f"{'':>4} {'player':<{width}} {titles}"]
        for row in self.rows():
            tied = "" if row["apart"] in (True, None) else "  not told from the next"
            span = f"[{row['low']:+,}, {row['high']:+,}]"
            record = f"{row['wins']}-{row['draws']}-{row['losses']}"
            figures = f"{row['elo']:>+6,} {span:>16} {row['score']:>7.1%} {record:>17}"
            lines.append(f"{row['rank']:>4} {row['name']:<{width}} {figures}{tied}")
        gap = self.smallest_gap()
        lines.append(
            f"Elo 0 is {self.names[self.anchor]}. "
            f"Two neighbours {gap:.0f} Elo apart (a score of {self.expected(gap):.0%}) "
            "are told apart by 4 of 5 ladders of this size."
        )
        return "\n".join(lines)


def rate(
    names: Sequence[str], wins: np.ndarray, draws: np.ndarray, *, anchor: int | None = None
) -> Ladder:
    """The most likely ladder.

    wins [K, K]: of the row over the column; draws [K, K] symmetric; anchor: whose Elo is 0, default
    the weakest. Newton's method on the log-likelihood, which is concave; the covariance is the
    inverse of its curvature. Games are taken to be independent, and who moves first is not in the
    model: let everybody move first equally often.

    Raises ValueError for arrays of another shape, or for fewer than two players.
    """
    wins, draws = np.asarray(wins, float), np.asarray(draws, float)
    if (
        len(names) < 2
        or wins.shape != (len(names),) * 2
        or draws.shape != wins.shape
        or (draws != draws.T).any()
    ):
        raise BadValue(
            f"two players or more want wins and draws [{len(names)}, {len(names)}], draws symmetric"
        )
    theta, eta, covariance = _newton(wins, draws)
    variances = np.diag(covariance)
    error = ELO * np.sqrt(np.maximum(0.0, variances[:, None] + variances - 2 * covariance))
    anchor = int(np.argmin(theta)) if anchor is None else anchor
    elo = ELO * (theta - theta[anchor])
    return Ladder(
        tuple(names), elo, error, wins, draws, math.exp(eta) if draws.any() else 0.0, anchor
    )


def _newton(wins: np.ndarray, draws: np.ndarray) -> tuple[np.ndarray, float, np.ndarray]:
    """(strengths [K], log nu, covariance of the strengths [K, K]), all in natural logarithms."""
    count, drawn = len(wins), draws.any()
    games, pull = wins + wins.T + draws, (ELO / PRIOR) ** 2
    x = np.append(np.zeros(count), 0.0)
    margin, total_draws = (wins - wins.T).sum(axis=1) / 2, draws.sum() / 2
    curvature = np.zeros((count + 1, count + 1))
    for _ in range(100):
        half, nu = (x[:count, None] - x[:count]) / 2, math.exp(x[count]) if drawn else 0.0
        win, loss = np.exp(np.clip(half, -300, 300)), np.exp(np.clip(-half, -300, 300))
        total = win + loss + nu
        mean, square, draw = (win - loss) / total / 2, (win + loss) / total / 4, nu / total
        spread = games * (square - mean**2)  # variance of the half point that a game brings
        slope = np.append(margin - (games * mean).sum(axis=1) - pull * x[:count], 0.0)
        curvature[:count, :count] = np.diag(spread.sum(axis=1) + pull) - spread
        curvature[count, count] = 1.0
        if drawn:
            slope[count] = total_draws - (games * draw).sum() / 2 - 0.01 * x[count]
            curvature[count, :count] = curvature[:count, count] = -(games * mean * draw).sum(axis=1)
            curvature[count, count] = (games * draw * (1 - draw)).sum() / 2 + 0.01
        step = np.linalg.solve(curvature, slope)
        x += step / max(
            1.0, np.abs(step).max() / 2
        )  # at most 2 at a time: far from the top the parabola misleads
        if np.abs(step).max() < 1e-10:
            break
    return x[:count], float(x[count]), np.linalg.inv(curvature)[:count, :count]
