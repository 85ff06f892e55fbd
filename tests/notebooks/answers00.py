"""What students write into the blanks of lesson 00.

ABOVE: what the lesson has defined. RIGHT[blank] -> sources, WRONG[blank] -> (mistake, source).
"""

from rlcourse.grading.answers import slip

ABOVE = """
from rlcourse.games import get_game
game = get_game("tic-tac-toe")
start = game.new_game()
"""

GAME_LOOP = """
def play_game(x_player, o_player):
    states = [game.new_game()]
    while not states[-1].is_over():
        player = (x_player, o_player)[states[-1].next_player]
        states.append(states[-1].apply_move(player(states[-1])))
    return states
"""
GAME_TURNS = """
def play_game(x_player, o_player):
    state = start
    states = [state]
    while True:
        for player in (x_player, o_player):
            state = state.apply_move(player(state))
            states.append(state)
            if state.is_over():
                return states
"""
MEMORY_PAIR = """
def remember(memory, state, move, result):
    total, count = memory.get((state, move), (0, 0))
    memory[(state, move)] = (total + result, count + 1)
"""
MEMORY_TEST = """
def remember(memory, state, move, result):
    key = (state, move)
    if key not in memory:
        memory[key] = [0, 0]
    memory[key] = [memory[key][0] + result, memory[key][1] + 1]
"""

RIGHT = {"play_game": (GAME_LOOP, GAME_TURNS), "remember": (MEMORY_PAIR, MEMORY_TEST)}

_SETS = "    memory[(state, move)]"

WRONG = {
    "play_game": (
        ("seats", slip(GAME_LOOP, ("(x_player, o_player)[", "(o_player, x_player)["))),
        (
            "one_player",
            slip(GAME_LOOP, ("(x_player, o_player)[states[-1].next_player]", "x_player")),
        ),
        ("no_end", slip(GAME_LOOP, ("return states", "return states[:-1]"))),
        ("no_start", slip(GAME_LOOP, ("return states", "return states[1:]"))),
        ("kind", slip(GAME_LOOP, ("return states", "return states[-1]"))),
        ("kind", slip(GAME_LOOP, ("return states", "return [s.next_player for s in states]"))),
    ),
    "remember": (
        ("overwrites", slip(MEMORY_PAIR, ("total + result, count + 1", "result, 1"))),
        ("no_count", slip(MEMORY_PAIR, ("count + 1", "count"))),
        ("wins_only", slip(MEMORY_PAIR, (_SETS, "    if result == 1:\n    " + _SETS))),
        (
            "no_move",
            slip(MEMORY_PAIR, ("(state, move), (", "state, ("), ("[(state, move)]", "[state]")),
        ),
        ("unchanged", slip(MEMORY_PAIR, (_SETS, "    memory = dict(memory)\n" + _SETS))),
        ("sign", slip(MEMORY_PAIR, (_SETS, "    result *= 1 - 2 * state.next_player\n" + _SETS))),
    ),
}
