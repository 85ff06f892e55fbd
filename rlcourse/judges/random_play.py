"""The first judge of a game without a solution: a match with random play.

Everybody who has learned anything should win it, so it tells beginners apart, not masters.
"""

from dataclasses import dataclass

from rlcourse.agents.base import BatchAgent, RandomAgent
from rlcourse.arena import MatchResult, play_match


@dataclass(frozen=True)
class Verdict:
    """Matches with random play from the view of the agent.

    sampled: it draws its moves as it does in training. greedy: it always plays the likeliest; None
    for an agent that does not draw.
    """

    sampled: MatchResult
    greedy: MatchResult | None

    @property
    def wins(self) -> float:
        """Share of games won, in [0, 1], drawing."""
        return self.sampled.wins / self.sampled.games

    @property
    def greedy_wins(self) -> float:
        """Share of games won, in [0, 1], greedily; that of the only match if there is one."""
        match = self.greedy or self.sampled
        return match.wins / match.games

    def __str__(self) -> str:
        if self.greedy is None:
            return f"wins {_share(self.sampled)} of {self.sampled.games:,} games with random play"
        both = f"wins {_share(self.sampled)} sampled, {_share(self.greedy)} greedy"
        return f"{both}, of {self.sampled.games:,} games each with random play"


def judge_against_random(agent: BatchAgent, *, games: int = 1_000, seed: int = 0) -> Verdict:
    """`games` games with the random player; twice for an agent with a temperature."""
    opponent = RandomAgent(agent.game)
    greedy = agent.at_temperature(0)
    sampled = play_match(agent, opponent, games=games, seed=seed)
    if greedy is agent:
        return Verdict(sampled, None)
    return Verdict(sampled, play_match(greedy, opponent, games=games, seed=seed))


def _share(match: MatchResult) -> str:
    low, high = match.interval()
    return f"{match.wins / match.games:.1%} [{low:.1%}, {high:.1%}]"
