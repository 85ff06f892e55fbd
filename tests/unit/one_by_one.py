"""The book's self-play (ch. 9), as the oracle of the lock-step recorder."""

from rlcourse.agents.policy import PolicyAgent
from rlcourse.experience import ExperienceBuffer, ExperienceCollector, combine_experience
from rlcourse.self_play import simulate_game


def record_one_by_one(first: PolicyAgent, second: PolicyAgent, *, games: int) -> ExperienceBuffer:
    """Games one after the other between two copies of an agent, each with its own collector.

    The winner's collector completes its episode with +1, the loser's with -1.
    """
    collectors = ExperienceCollector(), ExperienceCollector()
    first.set_collector(collectors[0])
    second.set_collector(collectors[1])
    for _ in range(games):
        for collector in collectors:
            collector.begin_episode()
        points = simulate_game(first, second).points
        collectors[0].complete_episode(points)
        collectors[1].complete_episode(-points)
    first.set_collector(None)
    second.set_collector(None)
    game, encoder = first.game, first.encoder.name
    meta = {"game": game.name, "options": dict(game.options), "encoder": encoder}
    return combine_experience([collector.to_buffer(**meta) for collector in collectors])
