"""Drawings for the lessons, as SVG files in notebooks/figures.

`python -m docs.drawings` makes them all. Each function takes nothing and returns a whole file. The
same code gives the same bytes. The loops at the head of lessons stand in `openings`.
"""

from functools import partial

from docs.drawings import (
    backgammon,
    backups,
    connect_four,
    go,
    loops,
    networks,
    poker,
    search,
    tournament,
    writer,
)
from docs.drawings.course_map import PLACES, map_of_the_course

DRAWINGS = {
    "agent-environment": loops.agent_environment,
    "cycle": loops.cycle,
    "policy-iteration": loops.policy_iteration,
    "writer": writer.writer,
    "alphazero": loops.alphazero,
    "backup-prediction": backups.prediction,
    "backup-control": backups.control,
    "backup-n-step": backups.n_step,
    "backup-lambda": backups.lambda_return,
    "backup-advantage": backups.advantages,
    "trajectory": backups.trajectory,
    "eligibility-trace": backups.eligibility_trace,
    "points-of-view": backups.points_of_view,
    "backgammon-units": backgammon.units,
    "afterstates": backgammon.afterstates,
    "backpropagation": networks.backpropagation,
    "two-states": networks.two_states,
    "deep-q-layers": networks.deep_q_layers,
    "dqn": networks.dqn,
    "convolution": networks.convolution,
    "planes": go.planes,
    "amaf": go.amaf,
    "threat-planes": connect_four.threat_planes,
    "two-heads": networks.two_heads,
    "residual-block": networks.residual_block,
    "alpha-beta": search.alpha_beta,
    "tree-search": search.tree_search,
    "best-response": tournament.best_response,
    "non-transitive": tournament.non_transitive,
    "probe-games": tournament.probe_games,
    "elo-update": tournament.elo_update,
    "information-set": poker.information_set,
    "map": map_of_the_course,
    **{f"map-{place.number}": partial(map_of_the_course, place.number) for place in PLACES},
}
