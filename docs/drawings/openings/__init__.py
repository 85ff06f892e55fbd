"""The silent loops that open the lessons, a module for each kind."""

from docs.drawings.openings.chance import (
    confidence,
    counts,
    forecast,
    forecasts,
    match,
    sampling,
    trace,
    traces,
)
from docs.drawings.openings.go import critic, go_game, go_player, policy_gradient, watched_game
from docs.drawings.openings.loop import film, still
from docs.drawings.openings.rave import counted, two_counts
from docs.drawings.openings.search import alphazero, half_minute, tree, trees
from docs.drawings.openings.tictactoe import (
    best_moves,
    deep_q,
    game,
    moments,
    perfect_game,
    q_table,
    symmetry,
)
from docs.drawings.openings.tournament import PAIR, elo_walk, field, hole, lost_line, two_orders
from rlcourse.round_robin import round_robin


def openings() -> dict[str, str]:
    """File name -> the loop or its still. It trains tables, which takes seconds."""
    players = field()
    tournament = round_robin(players, games=PAIR)
    loops = {
        "opening-00": game(perfect_game()),
        "opening-01": sampling(counts()),
        "opening-01b": confidence(match()),
        "opening-02": q_table(moments()),
        "opening-02b": symmetry(best_moves()),
        "opening-03": deep_q(),
        "opening-04": trace(traces()),
        "opening-05": forecast(forecasts()),
        "opening-06a": go_player(*go_game()),
        "opening-06b": policy_gradient(),
        "opening-07": critic(watched_game()),
        "opening-08": tree(trees()),
        "opening-08b": two_counts(counted()),
        "opening-09a": alphazero(),
        "opening-09b": half_minute(),
        "opening-10": hole(tournament.ladder("random"), lost_line(players["4,500 games"])),
        "opening-10b": elo_walk(list(players), two_orders(tournament)),
    }
    stills = {f"{name}-still": still(loop) for name, loop in loops.items()}
    return {name: film(loop) for name, loop in loops.items()} | stills
